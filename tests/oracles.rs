//! Random positions on which independent programs must agree with us: moves with cozy-chess and shakmaty, FEN and
//! SAN with python-chess.

use std::thread;

use shakmaty::{CastlingMode, EnPassantMode, Position as _, fen::Fen};
use vezir_chess::{Notation, Position, fen, material, san, uci};
use vezir_tests::games::{self, Game};
use vezir_tests::python::Oracle;

/// Positions whose moves are compared.
const POSITIONS: usize = 100_000;

/// Positions whose FEN and SAN are compared; python-chess takes its time.
const PYTHON_POSITIONS: usize = 20_000;

/// How many conversations with python-chess go on at once.
const CONVERSATIONS: u64 = 2;

/// Our legal moves as sorted text, castling as the king taking its rook.
fn our_moves(position: &Position) -> Vec<String> {
    let write = |chosen| uci::write(position, chosen, Notation::Chess960);
    let mut moves: Vec<String> = position.legal_moves().into_iter().map(write).collect();
    moves.sort();
    moves
}

fn cozy_moves(board: &cozy_chess::Board) -> Vec<String> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(|chosen| chosen.to_string()));
        false
    });
    moves.sort();
    moves
}

fn shakmaty_moves(position: &shakmaty::Chess) -> Vec<String> {
    let moves = position.legal_moves();
    let mut moves: Vec<String> =
        moves.iter().map(|it| it.to_uci(CastlingMode::Chess960).to_string()).collect();
    moves.sort();
    moves
}

/// Plays one game on three boards and compares them after every ply; says how many positions that were.
fn compare(game: &Game) -> usize {
    let wrong = |error: &dyn std::fmt::Debug| -> ! { panic!("{}: {error:?}", game.start) };
    let mut cozy = cozy_chess::Board::from_fen(&game.start, true)
        .or_else(|_| cozy_chess::Board::from_fen(&game.start, false))
        .unwrap_or_else(|error| wrong(&error));
    let setup = game.start.parse::<Fen>().unwrap_or_else(|error| wrong(&error));
    let mut shakmaty: shakmaty::Chess =
        setup.into_position(CastlingMode::Chess960).unwrap_or_else(|error| wrong(&error));
    for (position, played) in &game.line {
        let ours = our_moves(position);
        let here = fen::write(position, Notation::Chess960);
        assert_eq!(ours, cozy_moves(&cozy), "cozy-chess differs in {here}");
        assert_eq!(ours, shakmaty_moves(&shakmaty), "shakmaty differs in {here}");
        assert_eq!(ours.len(), position.count_moves() as usize, "the count differs from the list in {here}");
        assert_eq!(position.in_check(), shakmaty.is_check(), "check in {here}");
        let en_passant = shakmaty.ep_square(EnPassantMode::Legal).map(|square| square.to_string());
        assert_eq!(
            position.en_passant().map(|square| square.to_string()),
            en_passant,
            "en passant in {here}"
        );
        let Some(played) = played else { continue };
        let name = uci::write(position, *played, Notation::Chess960);
        cozy.play(name.parse().unwrap_or_else(|error| wrong(&error)));
        let chosen = name.parse::<shakmaty::uci::UciMove>().unwrap_or_else(|error| wrong(&error));
        let chosen = chosen.to_move(&shakmaty).unwrap_or_else(|error| wrong(&error));
        shakmaty.play_unchecked(chosen);
    }
    game.line.len()
}

#[test]
fn moves_agree_with_cozy_chess_and_shakmaty() {
    let mut random = fastrand::Rng::with_seed(games::seed());
    let mut compared = 0;
    while compared < POSITIONS {
        compared += compare(&Game::play(&mut random));
    }
}

/// Compares what python-chess says of one position with what we do.
fn compare_with_python(oracle: &mut Oracle, position: &Position) {
    let shredder = fen::write(position, Notation::Chess960);
    let known = oracle.ask(&shredder, true);
    assert_eq!(shredder, known.shredder_fen);
    assert_eq!(fen::write(position, Notation::Standard), known.fen);
    for text in [&known.fen, &known.shredder_fen] {
        let read = fen::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.position, *position, "{text}");
    }
    assert_eq!(our_moves(position), known.moves.keys().cloned().collect::<Vec<_>>(), "moves in {shredder}");
    for (name, written) in &known.moves {
        let chosen =
            uci::read(position, name).unwrap_or_else(|error| panic!("{name} in {shredder}: {error}"));
        assert_eq!(san::write(position, chosen), *written, "{name} in {shredder}");
        assert_eq!(san::read(position, written).ok(), Some(chosen), "{written} in {shredder}");
    }
    let insufficient = [
        material::is_insufficient(position),
        material::cannot_mate(position, vezir_chess::Color::White),
        material::cannot_mate(position, vezir_chess::Color::Black),
    ];
    assert_eq!(insufficient, known.insufficient, "material in {shredder}");
}

#[test]
fn fen_and_san_agree_with_python_chess() {
    let seed = games::seed();
    let converse = |number: u64| {
        let mut random = fastrand::Rng::with_seed(seed.wrapping_add(number));
        let mut oracle = Oracle::start();
        let mut compared = 0;
        while compared < PYTHON_POSITIONS / CONVERSATIONS as usize {
            let game = Game::play(&mut random);
            game.line.iter().for_each(|(position, _)| compare_with_python(&mut oracle, position));
            compared += game.line.len();
        }
    };
    thread::scope(|scope| {
        for number in 0..CONVERSATIONS {
            scope.spawn(move || converse(number));
        }
    });
}
