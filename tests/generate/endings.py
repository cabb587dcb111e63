"""Writes positions and short games with the way each one ends, as python-chess 1.11.2 tells it.

usage: endings.py crates/chess/tests/data/endings.csv
"""
import random
import sys

import chess

START = chess.STARTING_FEN
KNIGHTS = "g1f3 g8f6 f3g1 f6g8 "
KINGS = "e1e2 e8e7 e2e1 e7e8 "
BLACK_KINGS = "e8e7 e1e2 e7e8 e2e1 "
RKR = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def outcome(board):
    """The first that holds, in the order of precedence."""
    for name, holds in [("checkmate", board.is_checkmate), ("stalemate", board.is_stalemate),
                        ("insufficient", board.is_insufficient_material), ("fivefold", board.is_fivefold_repetition),
                        ("seventyfive", board.is_seventyfive_moves), ("threefold", lambda: board.is_repetition(3)),
                        ("fifty", board.is_fifty_moves)]:
        if holds():
            return name
    return "none"


def start(clock):
    return f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {clock} 80"


def without_last(moves):
    return " ".join(moves.split()[:-1])


# kind, start, moves, what the author expects
HAND = [
    ("repetition-start-counts", START, KNIGHTS * 2, "threefold"),
    ("repetition-one-short", START, without_last(KNIGHTS * 2), "none"),
    ("repetition-twice-only", START, KNIGHTS, "none"),
    ("repetition-one-move-on", START, KNIGHTS * 2 + "g1f3", "threefold"),
    ("repetition-left-again", START, KNIGHTS * 2 + "e2e4", "none"),
    ("repetition-four-times", START, KNIGHTS * 3, "threefold"),
    ("fivefold-exact", START, KNIGHTS * 4, "fivefold"),
    ("fivefold-one-short", START, without_last(KNIGHTS * 4), "threefold"),
    ("fivefold-before-fifty", start(84), KNIGHTS * 4, "fivefold"),
    ("fivefold-before-seventyfive", start(134), KNIGHTS * 4, "fivefold"),
    ("seventyfive-before-threefold", start(142), KNIGHTS * 2, "seventyfive"),
    ("threefold-before-fifty", start(92), KNIGHTS * 2, "threefold"),
    ("threefold-one-short-clock-99", start(92), without_last(KNIGHTS * 2), "none"),
    ("repetition-other-route", START, "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8", "threefold"),
    ("repetition-side-to-move-differs", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e1d1 e8d8 d1c1 d8e8 c1d2 e8d8 d2e1 d8e8", "none"),
    ("repetition-same-men-swapped", "4k3/8/8/8/8/8/4P3/1N2K1N1 w - - 0 1",
     "b1c3 e8e7 g1f3 e7e8 f3d4 e8e7 c3d1 e7e8 d1b2 e8e7 b2a4 e7e8 d4c6 e8f7 c6a5 f7e8 a5b3 e8f7 b3c1 f7e8", "none"),
    ("castling-rights-differ-kings", RKR, KINGS * 2, "none"),
    ("castling-rights-differ-kings-third", RKR, KINGS * 3, "threefold"),
    ("castling-rights-differ-white-only", RKR.replace("KQkq", "KQ"), KINGS * 2, "none"),
    ("castling-rights-none-kings", RKR.replace("KQkq", "-"), KINGS * 2, "threefold"),
    ("castling-rights-differ-one-rook", RKR, "h1g1 a8b8 g1h1 b8a8 h1g1 a8b8 g1h1 b8a8", "none"),
    ("castling-rights-differ-one-rook-third", RKR, "h1g1 a8b8 g1h1 b8a8 h1g1 a8b8 g1h1 b8a8 h1g1 a8b8 g1h1 b8a8", "threefold"),
    ("castling-rights-kept-other-rook", RKR.replace("KQkq", "Qk"), "h1g1 a8b8 g1h1 b8a8 h1g1 a8b8 g1h1 b8a8", "threefold"),
    ("en-passant-legal-first-visit", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", BLACK_KINGS * 2, "none"),
    ("en-passant-legal-first-visit-third", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", BLACK_KINGS * 3, "threefold"),
    ("en-passant-legal-played", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 " + BLACK_KINGS * 2, "none"),
    ("en-passant-legal-played-third", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 " + BLACK_KINGS * 3, "threefold"),
    ("en-passant-square-no-pawn", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", BLACK_KINGS * 2, "threefold"),
    ("en-passant-played-no-pawn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 " + BLACK_KINGS * 2, "threefold"),
    ("en-passant-played-no-pawn-short", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 " + without_last(BLACK_KINGS * 2), "none"),
    ("en-passant-square-pinned-file", "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", "d8d7 e1e2 d7d8 e2e1 " * 2, "threefold"),
    ("en-passant-square-discovered-rank", "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "a4a5 e1e2 a5a4 e2e1 " * 2, "threefold"),
    ("en-passant-square-pinned-diagonal", "7k/8/8/8/3pP3/8/8/B3K3 b - e3 0 1", "h8h7 e1d2 h7g6 d2e1 g6h7 e1d2 h7h8 d2e1 h8g8 e1d2 g8h8 d2e1", "threefold"),
    ("insufficient-takes-last-pawn", "8/8/8/3k4/8/8/3p4/4K3 w - - 0 1", "e1d2", "insufficient"),
    ("insufficient-takes-not", "8/8/8/3k4/8/8/3p4/4K3 w - - 0 1", "e1e2", "none"),
    ("insufficient-bare-kings", "8/8/8/3k4/8/8/8/4K3 w - - 0 1", "", "insufficient"),
    ("insufficient-knight", "8/8/8/3k4/8/8/8/4KN2 w - - 0 1", "", "insufficient"),
    ("insufficient-bishop", "8/8/8/3k4/8/8/8/4KB2 b - - 0 1", "", "insufficient"),
    ("insufficient-bishops-one-color", "8/8/5b2/3k4/8/8/8/2B1K3 w - - 0 1", "", "insufficient"),
    ("insufficient-three-bishops-one-color", "8/8/5b2/3k4/8/8/1B6/2B1K3 b - - 0 1", "", "insufficient"),
    ("insufficient-not-bishops-two-colors", "8/8/4b3/3k4/8/8/8/2B1K3 w - - 0 1", "", "none"),
    ("insufficient-not-two-knights", "8/8/8/3k4/8/8/8/4KNN1 w - - 0 1", "", "none"),
    ("insufficient-not-knight-each", "8/8/5n2/3k4/8/8/8/4KN2 w - - 0 1", "", "none"),
    ("insufficient-not-knight-bishop", "8/8/5b2/3k4/8/8/8/4KN2 w - - 0 1", "", "none"),
    ("insufficient-promotes-knight", "8/P7/8/8/8/k7/8/K7 w - - 0 1", "a7a8n", "insufficient"),
    ("insufficient-promotes-bishop", "8/P7/8/8/8/k7/8/K7 w - - 0 1", "a7a8b", "insufficient"),
    ("insufficient-promotes-rook-not", "8/P7/8/8/8/2k5/8/K7 w - - 0 1", "a7a8r", "none"),
    ("insufficient-trade", "8/8/2n5/3k4/8/8/8/4K1B1 b - - 0 1", "c6d4 g1d4 d5d4", "insufficient"),
    ("insufficient-before-trade", "8/8/2n5/3k4/8/8/8/4K1B1 b - - 0 1", "c6d4", "none"),
    ("insufficient-before-fivefold", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", KINGS * 4, "insufficient"),
    ("insufficient-before-fifty", "4k3/8/8/8/8/8/8/4KN2 w - - 99 120", "f1g3", "insufficient"),
    ("insufficient-before-seventyfive", "4k3/8/8/8/8/8/8/4KB2 w - - 149 150", "f1g2", "insufficient"),
    ("fifty-99-to-100", "4k3/8/8/8/8/8/8/R3K3 w - - 99 120", "a1a2", "fifty"),
    ("fifty-98-to-99", "4k3/8/8/8/8/8/8/R3K3 w - - 98 120", "a1a2", "none"),
    ("fifty-given-100", "4k3/8/8/8/8/8/8/R3K3 w - - 100 120", "", "fifty"),
    ("fifty-given-99", "4k3/8/8/8/8/8/8/R3K3 w - - 99 120", "", "none"),
    ("fifty-with-check", "4k3/8/8/8/8/8/8/R3K3 w - - 99 120", "a1a8", "fifty"),
    ("fifty-by-castling", "4k3/8/8/8/8/8/8/R3K3 w Q - 99 120", "e1c1", "fifty"),
    ("fifty-pawn-move-resets", "4k3/8/8/8/8/8/P7/R3K3 w - - 99 120", "a2a3", "none"),
    ("fifty-double-push-resets", "4k3/8/8/8/8/8/P7/R3K3 w - - 99 120", "a2a4", "none"),
    ("fifty-capture-resets", "4k3/8/8/8/8/8/p7/R3K3 w - - 99 120", "a1a2", "none"),
    ("fifty-promotion-resets", "8/P3k3/8/8/8/8/8/4K3 w - - 99 120", "a7a8q", "none"),
    ("fifty-capture-then-count", "4k3/8/8/8/8/8/p7/R3K3 w - - 99 120", "a1a2 e8e7 a2a7", "none"),
    ("fifty-by-mate", "7k/8/6K1/8/8/8/8/R7 w - - 99 120", "a1a8", "checkmate"),
    ("fifty-by-stalemate", "k7/8/1K6/8/8/8/8/2Q5 w - - 99 120", "c1c7", "stalemate"),
    ("seventyfive-149-to-150", "4k3/8/8/8/8/8/8/R3K3 w - - 149 150", "a1a2", "seventyfive"),
    ("seventyfive-148-to-149", "4k3/8/8/8/8/8/8/R3K3 w - - 148 150", "a1a2", "fifty"),
    ("seventyfive-given-150", "4k3/8/8/8/8/8/8/R3K3 w - - 150 150", "", "seventyfive"),
    ("seventyfive-by-mate", "7k/8/6K1/8/8/8/8/R7 w - - 149 150", "a1a8", "checkmate"),
    ("seventyfive-by-stalemate", "k7/8/1K6/8/8/8/8/2Q5 w - - 149 150", "c1c7", "stalemate"),
    ("seventyfive-pawn-move-resets", "4k3/8/8/8/8/8/P7/R3K3 w - - 149 150", "a2a3", "none"),
    ("seventyfive-capture-resets", "4k3/8/8/8/8/8/p7/R3K3 w - - 149 150", "a1a2", "none"),
    ("mate-two-moves", START, "f2f3 e7e5 g2g4 d8h4", "checkmate"),
    ("mate-missed", START, "f2f3 e7e5 g2g4 d8g5", "none"),
    ("mate-en-passant-is-the-way-out", "8/8/8/2k5/3Pp3/8/8/4K2R b K d3 0 1", "", "none"),
    ("mate-given", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "", "checkmate"),
    ("mate-not-luft", "R5k1/5pp1/7p/8/8/8/8/4K3 b - - 0 1", "", "none"),
    ("stalemate-given", "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "", "stalemate"),
    ("stalemate-not-other-side", "k7/2Q5/1K6/8/8/8/8/8 w - - 0 1", "", "none"),
    ("stalemate-pawn-blocked", "k7/P7/1K6/8/8/8/8/8 b - - 0 1", "", "stalemate"),
    ("stalemate-not-pawn-can-move", "k7/2Q5/1K5p/8/8/8/8/8 b - - 0 1", "", "none"),
    ("stalemate-by-promotion", "8/1PK5/8/k7/8/8/8/8 w - - 0 1", "b7b8q", "none"),
]


def mirrored(kind, fen, moves, expected):
    """The same with the colors exchanged."""
    flip = str.maketrans("12345678", "87654321")
    board = chess.Board(fen).mirror()
    text = board.fen(en_passant="fen")
    return kind + "-mirrored", text, moves.translate(flip), expected


def small(rng):
    """A random sound position with few men."""
    while True:
        board = chess.Board(None)
        men = [(chess.KING, True), (chess.KING, False)]
        men += [(rng.choice([1, 2, 3, 4, 5]), rng.random() < 0.5) for _ in range(rng.randint(1, 4))]
        for kind, color in men:
            pool = [s for s in range(64) if not board.piece_type_at(s) and (kind != 1 or 8 <= s < 56)]
            board.set_piece_at(rng.choice(pool), chess.Piece(kind, color))
        board.turn = rng.random() < 0.5
        board.halfmove_clock = 0 if board.pawns else rng.choice([0, 0, 60, 90, 130])
        board.fullmove_number = 100
        if board.is_valid() and outcome(board) == "none":
            return board


def games(rng, each):
    """Random games up to their end, each also one move short of it."""
    wanted = dict.fromkeys(["checkmate", "stalemate", "insufficient", "fifty", "seventyfive"], each)
    rows = []
    while any(wanted.values()):
        board = small(rng)
        fen = board.fen(en_passant="legal")
        stop = rng.choice(["fifty", "seventyfive"])
        for _ in range(60):
            board.push(rng.choice(list(board.legal_moves)))
            end = outcome(board)
            if end != "none" and (end == stop or end not in ("fifty", "threefold")):
                if wanted.get(end) and len(board.move_stack) > 1:
                    wanted[end] -= 1
                    rows.append((f"random-game-{end}", fen, " ".join(m.uci() for m in board.move_stack), end))
                    board.pop()
                    rows.append((f"random-game-before-{end}", fen, " ".join(m.uci() for m in board.move_stack), outcome(board)))
                break
    return rows


def main():
    rows = HAND + [mirrored(*row) for row in HAND if "PPPPPPPP" not in row[1]]
    rows += games(random.Random("vezir endings"), 5)
    with open(sys.argv[1], "w") as file:
        file.write("kind,start_fen,moves,outcome\n")
        for kind, fen, moves, expected in rows:
            board = chess.Board(fen)
            if not board.is_valid() and board.status() != chess.STATUS_INVALID_EP_SQUARE:
                print("INVALID", kind, fen, board.status(), file=sys.stderr)
            try:
                for move in moves.split():
                    board.push_uci(move)
            except ValueError as error:
                print("ILLEGAL", kind, error, file=sys.stderr)
                continue
            end = outcome(board)
            if end != expected:
                print("UNEXPECTED", kind, expected, end, file=sys.stderr)
            file.write(",".join([kind, fen, " ".join(moves.split()), end]) + "\n")


main()
