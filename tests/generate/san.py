"""Writes tricky moves in standard algebraic notation, as python-chess 1.11.2 spells them.

usage: san.py crates/chess/tests/data/san.csv
"""
import random
import sys

import chess

EACH = 12


def sprinkle(rng, board, color, letters, low, high):
    for _ in range(rng.randint(low, high)):
        kind = chess.PIECE_SYMBOLS.index(rng.choice(letters))
        pool = [s for s in range(64) if not board.piece_type_at(s) and (kind != 1 or 8 <= s < 56)]
        board.set_piece_at(rng.choice(pool), chess.Piece(kind, color))


def kings(rng, board):
    for color in chess.COLORS:
        if board.king(color) is None:
            board.set_piece_at(rng.choice([s for s in range(64) if not board.piece_type_at(s)]), chess.Piece(chess.KING, color))


def twins(rng):
    """Several men of one kind, with sliders that may pin them."""
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    kings(rng, board)
    sprinkle(rng, board, board.turn, rng.choice("nrqb"), 2, 4)
    sprinkle(rng, board, not board.turn, "rbqnp", 1, 4)
    return board


def promoting(rng):
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    kings(rng, board)
    rank = 6 if board.turn else 1
    for file in rng.sample(range(8), 3):
        if not board.piece_type_at(chess.square(file, rank)):
            board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, board.turn))
    sprinkle(rng, board, not board.turn, "nbrp", 1, 5)
    sprinkle(rng, board, board.turn, "rq", 0, 2)
    return board


def passing(rng):
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    file = rng.randrange(8)
    rank, target, origin = (4, 5, 6) if board.turn else (3, 2, 1)
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, not board.turn))
    for side in rng.sample([f for f in (file - 1, file + 1) if 0 <= f < 8], 1 if file in (0, 7) else rng.choice([1, 2])):
        board.set_piece_at(chess.square(side, rank), chess.Piece(chess.PAWN, board.turn))
    kings(rng, board)
    sprinkle(rng, board, board.turn, "rqb", 0, 3)
    sprinkle(rng, board, not board.turn, "pn", 0, 3)
    if board.piece_type_at(chess.square(file, target)) or board.piece_type_at(chess.square(file, origin)):
        return None
    board.ep_square = chess.square(file, target)
    return board


def castling(rng, chess960):
    board = chess.Board(None, chess960=chess960)
    board.turn = rng.random() < 0.5
    home = 0 if board.turn else 7
    king = rng.randrange(1, 7) if chess960 else 4
    rooks = [rng.randrange(king), rng.randrange(king + 1, 8)] if chess960 else [0, 7]
    board.set_piece_at(chess.square(king, home), chess.Piece(chess.KING, board.turn))
    for file in rooks:
        board.set_piece_at(chess.square(file, home), chess.Piece(chess.ROOK, board.turn))
        board.castling_rights |= chess.BB_SQUARES[chess.square(file, home)]
    other = rng.choice([s for s in range(64) if not board.piece_type_at(s)])
    if rng.random() < 0.5:
        other = chess.square(rng.choice([3, 5]), 7 - home)
    board.set_piece_at(other, chess.Piece(chess.KING, not board.turn))
    sprinkle(rng, board, board.turn, "qrbn", 0, 3)
    sprinkle(rng, board, not board.turn, "pnb", 0, 4)
    return board if board.clean_castling_rights() == board.castling_rights else None


def label(board, move):
    """The name of what is tricky in this move, or None."""
    san = board.san(move)
    end = " with mate" if san[-1] == "#" else " with check" if san[-1] == "+" else ""
    kind = board.piece_type_at(move.from_square)
    if board.is_castling(move):
        side = "h-side" if board.is_kingside_castling(move) else "a-side"
        return ("chess960 " if board.chess960 else "") + f"castling {side}{end}"
    if move.promotion:
        name = "capture promotion" if board.is_capture(move) else "promotion"
        if move.promotion != chess.QUEEN and end != " with mate":
            name = "under" + name if name == "promotion" else name + " under"
        return name + end
    if board.is_en_passant(move):
        return "en passant" + end
    if kind in (chess.PAWN, chess.KING):
        return None
    body = san.rstrip("+#").replace("x", "")[1:-2]
    twins = [s for s in board.pieces(kind, board.turn) if s != move.from_square and move.to_square in board.attacks(s)]
    legal = [s for s in twins if board.is_legal(chess.Move(s, move.to_square))]
    if not legal:
        return "twin cannot move so no letter" if twins and not board.is_check() else \
            "twin cannot answer the check so no letter" if twins else None
    name = {0: "?", 1: "by file" if body.isalpha() else "by rank", 2: "by both"}[len(body)]
    if len(legal) < len(twins):
        name += " with another twin pinned"
    return name + end


def main():
    rng = random.Random("vezir san")
    full = {}
    seen = set()
    makers = [twins, twins, twins, promoting, promoting, passing, lambda r: castling(r, False), lambda r: castling(r, True),
              lambda r: castling(r, True)]
    for _ in range(60_000):
        board = rng.choice(makers)(rng)
        if board is None or board.status() & ~chess.STATUS_TOO_MANY_WHITE_PIECES or not any(board.legal_moves):
            continue
        fen = board.fen(shredder=board.chess960, en_passant="legal")
        moves = list(board.legal_moves)
        rng.shuffle(moves)
        for move in moves:
            name = label(board, move)
            if name and len(full.setdefault(name, [])) < EACH and fen not in seen:
                seen.add(fen)
                full[name].append((fen, board.uci(move), board.san(move), int(board.chess960)))
                break
    cap = next(n for n in range(1, EACH + 1) if n == EACH or sum(min(len(v), n) for v in full.values()) >= 200)
    with open(sys.argv[1], "w") as file:
        file.write("kind,fen,uci,san,chess960\n")
        for name in sorted(full):
            for fen, uci, san, chess960 in full[name][:cap]:
                file.write(f"{name},{fen},{uci},{san},{chess960}\n")


main()
