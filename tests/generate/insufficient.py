"""Writes, for every pair of small material sets, what python-chess 1.11.2 says about insufficient material.

usage: insufficient.py crates/chess/tests/data/insufficient.csv
"""
import itertools
import random
import sys

import chess

MEN = ["P", "N", "Bl", "Bd", "R", "Q"]
TYPES = {"P": chess.PAWN, "N": chess.KNIGHT, "B": chess.BISHOP, "R": chess.ROOK, "Q": chess.QUEEN}


def sets(size):
    return list(itertools.combinations_with_replacement(MEN, size))


def squares_for(man):
    if man == "P":
        return list(chess.SquareSet(chess.BB_ALL & ~chess.BB_BACKRANKS))
    if man in ("Bl", "Bd"):
        return list(chess.SquareSet(chess.BB_LIGHT_SQUARES if man == "Bl" else chess.BB_DARK_SQUARES))
    return list(range(64))


def position(white, black, rng):
    """A random sound position with these men, no side in check and a legal move at hand."""
    while True:
        board = chess.Board(None)
        men = [(m, chess.WHITE) for m in white] + [(m, chess.BLACK) for m in black]
        for man, color in men:
            square = rng.choice([s for s in squares_for(man) if not board.piece_type_at(s)])
            board.set_piece_at(square, chess.Piece(TYPES[man[0]], color))
        for color in chess.COLORS:
            square = rng.choice([s for s in range(64) if not board.piece_type_at(s)])
            board.set_piece_at(square, chess.Piece(chess.KING, color))
        board.turn = rng.random() < 0.5
        other = board.copy()
        other.turn = not board.turn
        if board.is_valid() and other.is_valid() and any(board.legal_moves) and any(other.legal_moves):
            return board


def main():
    rng = random.Random("vezir insufficient")
    with open(sys.argv[1], "w") as file:
        file.write("white,black,fen,white_cannot_mate,black_cannot_mate,both\n")
        for total in range(3):
            for size in range(total + 1):
                for white in sets(total - size):
                    for black in sets(size):
                        board = position(white, black, rng)
                        flags = [board.has_insufficient_material(chess.WHITE),
                                 board.has_insufficient_material(chess.BLACK), board.is_insufficient_material()]
                        row = ["+".join(white) or "-", "+".join(black) or "-", board.fen()]
                        file.write(",".join(row + [str(int(f)) for f in flags]) + "\n")


main()
