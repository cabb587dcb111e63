"""Counts instructions per leaf with callgrind, one thread without a table; the start-up of the program is left out.

usage: instructions.py [--kinds] [POSITION:DEPTH ...]

With --kinds the moves of the last ply are broken down as well. Builds the example `leaves` and needs valgrind. Prints one line for each count, and exits with 1 if one is wrong.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FENS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position3": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position4": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "position5": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "position6": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}
COUNTS = {
    "start:5": 4_865_609,
    "start:6": 119_060_324,
    "kiwipete:4": 4_085_603,
    "kiwipete:5": 193_690_690,
    "position3:6": 11_030_083,
    "position4:5": 15_833_292,
    "position5:5": 89_941_194,
    "position6:5": 164_075_551,
}


def build():
    """Builds the example, and tells where it is."""
    words = ["cargo", "build", "--release", "--package", "vezir-perft", "--example", "leaves"]
    words += ["--message-format", "json"]
    folder = pathlib.Path(__file__).parent
    built = subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in built.splitlines()]
    return next(it["executable"] for it in messages if it.get("executable"))


def run(program, depth, fen):
    """The leaves that the program told, and the instructions that it took."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *program, str(depth)]
        ended = subprocess.run(words + fen.split(), check=True, capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", ended.stderr)
    return int(ended.stdout), int(collected.group(1))


def main(asked):
    program = [build()]
    if asked[:1] == ["--kinds"]:
        asked = asked[1:]
        program.append("kinds")
    wrong = False
    for what in asked or COUNTS:
        name, depth = what.split(":")
        _, before = run(program, 1, FENS[name])
        leaves, instructions = run(program, int(depth), FENS[name])
        right = COUNTS.get(what, leaves)
        wrong |= leaves != right
        note = "" if leaves == right else f"  wrong: {right} would be right"
        print(f"{what:<12} {leaves:>12} leaves {(instructions - before) / leaves:7.3f} instructions each{note}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
