"""Answers questions about positions by python-chess: one JSON object a line in, one a line out."""

import json
import sys

import chess


def answer(question):
    """What python-chess knows of the position of one question."""
    board = chess.Board(question["fen"], chess960=question["chess960"])
    moves = {board.uci(move, chess960=True): board.san(move) for move in board.legal_moves}
    return {
        "fen": board.fen(en_passant="legal"),
        "shredder_fen": board.shredder_fen(en_passant="legal"),
        "moves": moves,
        "insufficient": [
            board.is_insufficient_material(),
            board.has_insufficient_material(chess.WHITE),
            board.has_insufficient_material(chess.BLACK),
        ],
    }


def main():
    """Answers until the input ends."""
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


main()
