//! The last two plies, counted without making most of the moves of the first of them.
//!
//! One null move tells how many replies the opponent has, and what they are made of. Most moves change that
//! number by a few terms, each of which depends on the square that is left, on the one that is reached, or on a
//! square beside the opponent's king; whole sets of moves are summed by counting bits. What these terms do not
//! cover is made and counted: checks, castling, and a few others.
//!
//! The argument for each term is in the crate's README.

mod accept;
mod board;
mod court;
mod lines;
mod made;
mod movers;
mod null;
mod pawns;
mod planes;
mod rays;
mod reach;
mod replies;
mod scratch;
mod stakes;
mod terms;
#[cfg(test)]
mod tests;
mod ties;
mod watch;

use vezir_chess::Color;

use self::board::Board;
use self::court::Court;
use self::lines::Lines;
use self::null::Null;
use self::planes::Planes;
use self::reach::Reach;
pub(crate) use self::scratch::Scratch;
use self::stakes::Stakes;
use self::ties::Ties;
use self::watch::Watch;
use crate::armies::Armies;
use crate::castling::Castlings;
use crate::machine::Machine;

/// Leaves two plies below `armies`, of which White is to move if `WHITE`; `castlings` are its own or those of a
/// position above it.
#[inline(always)]
pub(crate) fn count<M: Machine, const WHITE: bool>(
    armies: &Armies,
    machine: M,
    castlings: &Castlings,
    scratch: &mut Scratch,
) -> u64 {
    let board = Board::<M, WHITE>::of(armies, machine, castlings);
    let ties = Ties::of(&board);
    let court = Court::of(&board);
    let reach = Reach::of(&board, &court, scratch);
    let null = Null::of(&board, &court, reach.once);
    let stakes = Stakes::of(&board, &court, &reach, &null, scratch);
    let lines = Lines::of(&board, &court, &reach, scratch);
    let watch = Watch::of(&board, &ties, &court, &reach, &null, &stakes, &lines);
    let node = Node {
        armies,
        castlings,
        board: &board,
        ties: &ties,
        court: &court,
        reach: &reach,
        null: &null,
        stakes: &stakes,
        lines: &lines,
        watch: &watch,
        scratch,
        listed: 0,
        replies: null.replies + stakes.castlings,
        planes: Planes::default(),
        accepted: 0,
        sum: 0,
        made: 0,
    };
    node.leaves()
}

/// A node two plies above the leaves, and what was found of its moves so far.
struct Node<'n, M: Machine, const WHITE: bool> {
    armies: &'n Armies,
    castlings: &'n Castlings,
    board: &'n Board<'n, M, WHITE>,
    ties: &'n Ties,
    court: &'n Court,
    reach: &'n Reach,
    null: &'n Null,
    stakes: &'n Stakes,
    lines: &'n Lines,
    watch: &'n Watch,
    scratch: &'n mut Scratch,
    /// How many men are in [`Scratch::movers`].
    listed: usize,
    /// Replies to a null move.
    replies: i32,
    /// The targets of the moves that were accepted.
    planes: Planes,
    /// How many these are.
    accepted: i32,
    /// By how much their replies differ from those to null moves, but for what the target alone decides.
    sum: i32,
    /// Replies to moves that were made.
    made: u64,
}

impl<M: Machine, const WHITE: bool> Node<'_, M, WHITE> {
    const US: Color = Board::<'_, M, WHITE>::US;
    const THEM: Color = Board::<'_, M, WHITE>::THEM;

    #[inline(always)]
    fn leaves(mut self) -> u64 {
        self.men();
        for from in self.watch.pawns {
            self.pawn(from);
        }
        self.march(self.board.own.pawns & !self.watch.pawns);
        self.listed();
        self.capture_en_passant();
        self.castle();
        let told = self.replies * self.accepted + self.sum + self.by_target();
        self.made + told as u64
    }
}
