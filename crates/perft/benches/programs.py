"""Measures the executable `vezir` beside other programs that count, as programs: what a user of both would see.

usage: programs.py [--rounds N] [--only WORD] [--json] [--help]

Run by hand on a quiet machine, never in CI. Ours is the executable that `cargo build --release` makes, for any
machine of its architecture; cozy-chess and shakmaty are built for this very machine (`tests/peers`: native,
PEXT, fat LTO), Stockfish and lperft are taken as they are installed.

Every round measures ours and theirs one right after the other, pinned to one core (to two where two threads
count), and divides the seconds: of these ratios the median and the range are printed, above 1 where ours is
faster. Seconds are those that a program tells of its count itself, without its start-up: `vezir bench` and
`vezir perft` by `--json`, lperft and our small peer in their last line. Only Stockfish tells none: there it is
the time from `go perft` to the answer. Every count must be right.

- unhashed: one thread, no table, by `vezir bench`, which merges nothing, against cozy-chess, shakmaty, Stockfish
- hashed: one thread and a table of 1 GiB from empty, by `vezir perft`, against lperft
- threads-unhashed, threads-hashed: `vezir perft` on two threads against the same on one
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HOUSE = pathlib.Path(__file__).resolve().parents[3]

FENS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position3": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position4": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "position5": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "position6": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}
COUNTS = {
    "start:6": 119_060_324,
    "start:7": 3_195_901_860,
    "start:8": 84_998_978_956,
    "kiwipete:5": 193_690_690,
    "position3:7": 178_633_661,
    "position4:6": 706_045_033,
    "position5:5": 89_941_194,
    "position6:5": 164_075_551,
}
UNHASHED = ["start:6", "kiwipete:5", "position3:7", "position4:6", "position5:5", "position6:5"]
TABLE_MIB = 1024
SECONDS = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


class Case:
    """A count, by what ours is held against, and how each of the two is measured."""

    def __init__(self, mode, what, peer, ours, theirs):
        self.mode, self.what, self.peer, self.ours, self.theirs = mode, what, peer, ours, theirs
        self.rounds = []

    def name(self):
        return f"{self.mode} {self.what} {self.peer}"

    def words(self):
        """What it can be singled out by."""
        return [self.what, *re.split("[ :]", self.name().lower())]

    def measure(self):
        """Both, one right after the other."""
        seconds = []
        for measure in [self.ours, self.theirs]:
            leaves, taken = measure(self.what)
            if leaves != COUNTS[self.what]:
                sys.exit(f"{self.name()}: counted {leaves}; {COUNTS[self.what]} would be right")
            seconds.append(taken)
        self.rounds.append(seconds)

    def found(self):
        """What the rounds say together."""
        ratios = [theirs / ours for ours, theirs in self.rounds]
        ours, theirs = (statistics.median(seconds) for seconds in zip(*self.rounds))
        return {
            "mode": self.mode,
            "count": self.what,
            "peer": self.peer,
            "ratio": statistics.median(ratios),
            "least": min(ratios),
            "most": max(ratios),
            "seconds": ours,
            "peer_seconds": theirs,
        }


class Programs:
    """The programs, and how each is asked to count."""

    def __init__(self, asked, folder):
        self.cores = [str(core) for core in sorted(os.sched_getaffinity(0))]
        # What the user has set is not what is measured; runs are kept where nobody looks for them.
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("VEZIR_")}
        self.env["XDG_STATE_HOME"] = folder
        self.vezir = asked.vezir or built(HOUSE, [])
        self.peer = asked.peer or built(HOUSE / "tests/peers", ["-C", "target-cpu=native"])
        self.lperft, self.stockfish = asked.lperft, asked.stockfish

    def run(self, threads, *words):
        """What a program prints, pinned to as many cores as it has threads."""
        pinned = ["taskset", "-c", ",".join(self.cores[:threads]), *map(str, words)]
        ended = subprocess.run(pinned, env=self.env, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"{' '.join(pinned)}: {ended.stderr.strip()}")
        return ended.stdout

    def bench(self, what):
        """Ours: one thread without a table."""
        name, depth = split(what)
        name = "startpos" if name == "start" else name
        printed = self.run(1, self.vezir, "bench", name, "--threads", 1, "--hash", 0, "--rounds", 1, "--json")
        count = next(it for it in json.loads(printed)["counts"] if it["depth"] == depth)
        return int(count["nodes"]), count["seconds"]

    def perft(self, threads, mib):
        """Ours: as users count, on some threads, with a table of so many MiB."""

        def measure(what):
            name, depth = split(what)
            words = ["--fen", FENS[name], "--threads", threads, "--hash", f"{mib}MiB", "--json"]
            counted = json.loads(self.run(threads, self.vezir, "perft", depth, *words))
            return int(counted["nodes"]), counted["seconds"]

        return measure

    def library(self, name):
        """A move generator in our small program around it."""

        def measure(what):
            position, depth = split(what)
            leaves, seconds = self.run(1, self.peer, name, depth, FENS[position]).split()
            return int(leaves), float(seconds)

        return measure

    def count_by_lperft(self, what):
        name, depth = split(what)
        printed = self.run(1, self.lperft, "-f", FENS[name], "-d", depth, "-H", TABLE_MIB, "-t", 1)
        leaves, seconds, unit = re.search(r"(\d+) nodes in ([\d.]+)([a-zµ]+) ->", printed).groups()
        return int(leaves), float(seconds) * SECONDS[unit]

    def count_by_stockfish(self, what):
        name, depth = split(what)
        words = ["taskset", "-c", self.cores[0], self.stockfish]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 1, "text": True}
        with subprocess.Popen(words, **pipes) as engine:
            ask(engine, "uci", "uciok")
            engine.stdin.write(f"position fen {FENS[name]}\n")
            ask(engine, "isready", "readyok")
            begun = time.monotonic()
            answer = ask(engine, f"go perft {depth}", "Nodes searched")
            taken = time.monotonic() - begun
            engine.stdin.write("quit\n")
        return int(answer.split()[-1]), taken


def built(folder, flags):
    """Builds the package in a folder, and tells where its executable is."""
    words = ["cargo", "build", "--release", "--locked", "--message-format", "json"]
    env = dict(os.environ)
    if flags:
        env["RUSTFLAGS"] = " ".join(flags)
        words += ["--target-dir", env.get("CARGO_TARGET_DIR", str(HOUSE / "target")) + "/peers"]
    printed = subprocess.run(words, cwd=folder, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in printed.splitlines()]
    return [it["executable"] for it in messages if it.get("executable")][-1]


def split(what):
    """The position and the depth of `start:6`."""
    name, depth = what.split(":")
    return name, int(depth)


def ask(engine, words, expected):
    """The line of an engine that begins as expected, after it was told something."""
    engine.stdin.write(words + "\n")
    for line in engine.stdout:
        if line.startswith(expected):
            return line
    sys.exit(f"{engine.args[-1]}: it ended before it said {expected}")


def cases(programs):
    """All that can be measured with the programs that are there."""
    found = []
    unhashed = {name: programs.library(name) for name in ["cozy-chess", "shakmaty"]}
    if programs.stockfish:
        unhashed["Stockfish"] = programs.count_by_stockfish
    for peer, theirs in unhashed.items():
        found += [Case("unhashed", what, peer, programs.bench, theirs) for what in UNHASHED]
    if programs.lperft:
        ours = programs.perft(1, TABLE_MIB)
        found.append(Case("hashed", "start:8", "lperft", ours, programs.count_by_lperft))
    if len(programs.cores) > 1:
        for what, mib in [("start:7", 0), ("start:8", TABLE_MIB)]:
            mode = "threads-hashed" if mib else "threads-unhashed"
            found.append(Case(mode, what, "one-thread", programs.perft(2, mib), programs.perft(1, mib)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    kinds = "only these: hashed, kiwipete, start:7, shakmaty; all of several words must be right"
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help=kinds)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--vezir", help="ours [default: built now]")
    parser.add_argument("--peer", help="the program of tests/peers [default: built now]")
    parser.add_argument("--stockfish", default=shutil.which("stockfish"), help="[default: from PATH]")
    parser.add_argument("--lperft", default=shutil.which("lperft"), help="[default: from PATH]")
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error("--rounds: 1 or more would be right")
    for name in ["stockfish", "lperft"]:
        if not getattr(asked, name):
            print(f"{name} is not on PATH, and left out; --{name} with its path would be right", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        wanted = cases(Programs(asked, folder))
        wanted = [it for it in wanted if all(word.lower() in it.words() for word in asked.only)]
        for number in range(asked.rounds):
            for case in wanted:
                case.measure()
                ours, theirs = case.rounds[-1]
                told = f"round {number + 1}: {case.name()}: {ours:.3f} s, {theirs:.3f} s"
                print(told, file=sys.stderr, flush=True)
    found = [case.found() for case in wanted]
    if asked.json:
        print(json.dumps({"rounds": asked.rounds, "cases": found}))
        return
    for it in found:
        row = f"{it['mode']:<18} {it['count']:<12} {it['peer']:<11} {it['ratio']:7.2f} ({it['least']:.2f} .. {it['most']:.2f})"
        print(f"{row}   {it['seconds']:.3f} s, {it['peer_seconds']:.3f} s")


if __name__ == "__main__":
    main()
