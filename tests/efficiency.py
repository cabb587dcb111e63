"""Measures what the cluster costs: a perft through a coordinator and its workers against the perft crate alone.

Run by hand on a quiet machine, never in CI. Each round counts the same tree by the crate (whole, or split at
a ply: the fastest is chosen beforehand), by one worker process of all threads, and by processes of one thread
each, all with the same memory for tables and all from empty ones. Every count must be right. Printed are the
medians of speed relative to the crate's, with their range.
"""

import argparse
import json
import pathlib
import socket
import statistics
import subprocess
import tempfile
import time

HOUSE = pathlib.Path(__file__).resolve().parent.parent
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--fen", default=KIWIPETE)
    parser.add_argument("--nodes", type=int, default=374190009323, help="the count that is right")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hash", type=int, default=64, metavar="MIB", help="memory for all tables together")
    asked = parser.parse_args()

    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "vezir"], cwd=HOUSE, check=True)
    subprocess.run(
        ["cargo", "build", "--release", "--quiet", "-p", "vezir-perft", "--example", "count"], cwd=HOUSE, check=True
    )
    split = min(["whole", "3", "4"], key=lambda split: alone(asked, split))
    print(f"the crate alone is fastest with the split: {split}", flush=True)
    workers = {f"one worker of {asked.threads} threads": 1, f"{asked.threads} workers of one thread": asked.threads}
    ratios = {name: [] for name in workers}
    for number in range(1, asked.rounds + 1):
        base = alone(asked, split)
        for name, count in workers.items():
            seconds = through(asked, count)
            ratios[name].append(base / seconds)
            print(f"round {number}: alone {base:.2f} s, {name} {seconds:.2f} s: {base / seconds:.3f}", flush=True)
    for name, found in ratios.items():
        print(f"{name}: {statistics.median(found):.3f} ({min(found):.3f}-{max(found):.3f})")


def alone(asked, split):
    """The seconds of the crate alone."""
    example = HOUSE / "target/release/examples/count"
    arguments = [asked.depth, asked.threads, asked.hash, split, asked.fen]
    printed = subprocess.check_output([example, *map(str, arguments)], text=True)
    nodes, seconds = printed.split()
    assert int(nodes) == asked.nodes, f"the crate counted {nodes}"
    return float(seconds)


def through(asked, workers):
    """The seconds of the client, through a coordinator and new workers that share threads and memory."""
    vezir, port = HOUSE / "target/release/vezir", free_port()
    with tempfile.TemporaryDirectory() as folder:
        address, store = f"127.0.0.1:{port}", f"{folder}/store.sqlite"
        started = [start(folder, [vezir, "coordinator", "--listen", address, "--store", store])]
        try:
            wait_for(port)
            threads, table = asked.threads // workers, asked.hash // workers
            for name in range(workers):
                means = ["--threads", threads, "--hash", f"{table}MiB", "--name", f"worker-{name}"]
                started.append(start(folder, [vezir, "worker", "--coordinator", f"http://{address}", *means]))
            while len(registered(vezir, address)) < workers:
                time.sleep(0.05)
            begun = time.monotonic()
            command = [vezir, "perft", asked.depth, "--fen", asked.fen, "--coordinator", f"http://{address}", "--json"]
            printed = subprocess.check_output(list(map(str, command)), stderr=subprocess.DEVNULL)
            seconds = time.monotonic() - begun
        finally:
            for process in reversed(started):
                process.kill()
                process.wait()
    nodes = int(json.loads(printed)["nodes"])
    assert nodes == asked.nodes, f"the cluster counted {nodes}"
    return seconds


def start(folder, command):
    log = open(f"{folder}/log", "ab")
    return subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)


def registered(vezir, address):
    printed = subprocess.check_output([vezir, "workers", "list", "--coordinator", f"http://{address}", "--json"])
    found = json.loads(printed)
    return found["workers"] if isinstance(found, dict) else found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.02)


if __name__ == "__main__":
    main()
