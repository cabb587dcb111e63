//! The last two plies, counted without making most of the moves of the first of them.
//!
//! One null move tells how many replies the opponent has, and what they are made of. Most moves change that
//! number by a few terms, each of which depends on the square that is left, on the one that is reached, or on a
//! square beside the opponent's king; whole sets of moves are summed by counting bits. What these terms do not
//! cover is made and counted: checks, moves that pin or unpin, promotions, castling, and a few others.
//!
//! The argument for each term is in the crate's README.

mod accept;
mod board;
mod court;
mod made;
mod movers;
mod null;
mod pawns;
mod planes;
mod rays;
mod reach;
mod replies;
mod scratch;
mod terms;
#[cfg(test)]
mod tests;
mod ties;

use vezir_chess::{Bitboard, Color, Sliders, attacks};

use self::board::Board;
use self::court::Court;
use self::null::Null;
use self::planes::Planes;
use self::reach::{Reach, on_the_way};
pub(crate) use self::scratch::Scratch;
use self::ties::Ties;
use crate::armies::Armies;
use crate::castling::{Castling, Castlings};
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
    let stirred = stirred(&board, &court, &null);
    let singled = crowd(&board) | court.bound | stakes.singled | lines.singled;
    let denied = court.ring & !board.their.all & reach.once & !reach.twice;
    let touched = singled | stirred | court.lines;
    let alone = board.own.pawns & (touched | ties.pins | guards(&board, &court, &reach, denied));
    let node = Node {
        armies,
        castlings,
        board: &board,
        court: &court,
        reach: &reach,
        null: &null,
        scratch,
        ties: &ties,
        listed: 0,
        touched,
        watched: watched(&reach, &stakes, &lines),
        singled,
        stirred,
        denied,
        late: board.their.pawns.east() | board.their.pawns.west(),
        stakes: stakes.used,
        staked: stakes.targets,
        replies: null.replies + stakes.castlings,
        lines: &lines,
        planes: Planes::default(),
        accepted: 0,
        sum: 0,
        made: 0,
    };
    node.leaves(alone)
}

/// Targets that take a close look, by kind of the man that moves.
#[inline(always)]
fn watched(reach: &Reach, stakes: &Stakes, lines: &Lines) -> [Bitboard; 6] {
    let mut watched = lines.refused;
    for (at, watched) in watched.iter_mut().enumerate() {
        *watched |= lines.pins[at] | stakes.targets[at] | reach.barred;
    }
    #[cfg(test)]
    {
        if tests::asks_for_one() {
            return [Bitboard::FULL; 6];
        }
    }
    watched
}

/// Where own pawns attack what matters to their king, and where they promote.
#[inline(always)]
fn guards<M: Machine, const WHITE: bool>(
    _: &Board<'_, M, WHITE>,
    court: &Court,
    reach: &Reach,
    denied: Bitboard,
) -> Bitboard {
    #[cfg(test)]
    {
        if tests::asks_for_one() {
            return Bitboard::FULL;
        }
    }
    let guards = (denied | court.crossed & reach.once).ahead(Board::<'_, M, WHITE>::THEM);
    guards.east() | guards.west() | Board::<'_, M, WHITE>::OUR_SEVENTH
}

/// Own men where there are so many that their moves to one square could not be counted: these are then made.
#[inline(always)]
fn crowd<M: Machine, const WHITE: bool>(board: &Board<'_, M, WHITE>) -> Bitboard {
    let men = (board.own.all & !board.own.pawns).count();
    let promoting = board.own.pawns & Board::<'_, M, WHITE>::OUR_SEVENTH;
    // Two pawns at most go to one square besides, each four times where it promotes.
    if men + 2 > Planes::MOST {
        board.own.all
    } else if men + 4 * promoting.count().min(2) > Planes::MOST {
        promoting
    } else {
        Bitboard::EMPTY
    }
}

/// Squares where a man of the opponent's could be touched by who leaves them: a slider's ray ends there, a pawn
/// attacks them, or would step there.
#[inline(always)]
fn stirred<M: Machine, const WHITE: bool>(
    board: &Board<'_, M, WHITE>,
    court: &Court,
    null: &Null,
) -> Bitboard {
    let them = Board::<'_, M, WHITE>::THEM;
    let pawns = board.their.pawns & !court.pinned;
    let home = (pawns & Board::<'_, M, WHITE>::THEIR_SECOND).ahead(them) & !board.occupied;
    null.swept | null.east | null.west | pawns.ahead(them) | home.ahead(them)
}

/// What moves may cost the opponent's king by their targets: squares that it could go to, castlings.
struct Stakes {
    /// How many there are, in [`Scratch::stakes`].
    used: usize,
    /// All targets that cost anything, by kind of the man that moves.
    targets: [Bitboard; 6],
    /// Castlings among the replies to a null move.
    castlings: i32,
    /// Own men that keep a castling from being possible.
    singled: Bitboard,
}

impl Stakes {
    #[inline(always)]
    fn of<M: Machine, const WHITE: bool>(
        board: &Board<'_, M, WHITE>,
        court: &Court,
        reach: &Reach,
        null: &Null,
        scratch: &mut Scratch,
    ) -> Stakes {
        let none = Bitboard::EMPTY;
        let mut stakes = Stakes { used: 0, targets: [none; 6], castlings: 0, singled: none };
        if !board.rooks.is_empty() {
            for &Castling { path, crossed, rook } in board.castlings {
                if !board.rooks.meets(rook) {
                    continue;
                }
                if !path.meets(board.occupied) && !crossed.meets(reach.once) && !court.pinned.meets(rook) {
                    stakes.castlings += 1;
                    stakes.push(board, crossed, path | rook, scratch);
                } else {
                    stakes.singled |= path & board.own.all | board.attackers(crossed & reach.once);
                    if court.pinned.meets(rook) {
                        stakes.singled |= court.lines & board.own.all;
                    }
                }
            }
        }
        for square in null.free {
            stakes.push(board, square.into(), Bitboard::EMPTY, scratch);
        }
        stakes
    }

    /// One reply is lost by moves to `targets`, and by those that attack one of `squares`.
    #[inline(always)]
    fn push<M: Machine, const WHITE: bool>(
        &mut self,
        board: &Board<'_, M, WHITE>,
        squares: Bitboard,
        targets: Bitboard,
        scratch: &mut Scratch,
    ) {
        let [mut pawn, mut knight, mut bishop, mut rook, mut king] = [targets; 5];
        for square in squares {
            pawn |= attacks::pawn(Board::<'_, M, WHITE>::THEM, square);
            knight |= attacks::knight(square);
            bishop |= board.sliders.bishop(square, board.occupied);
            rook |= board.sliders.rook(square, board.occupied);
            king |= attacks::king(square);
        }
        let row = [pawn, knight, bishop, rook, bishop | rook, king];
        for (all, targets) in self.targets.iter_mut().zip(row) {
            *all |= targets;
        }
        if let Some(place) = scratch.stakes.get_mut(self.used) {
            *place = row;
            self.used += 1;
        }
    }
}

/// Lines between own men and the opponent's king that moves must neither use nor disturb.
struct Lines {
    /// Targets that are refused, by kind of the man that moves: from there he gives check, or disturbs a line.
    refused: [Bitboard; 6],
    /// Targets from which he pins a man that nothing else pins.
    pins: [Bitboard; 6],
    /// Own men that would open a line to the king's surroundings.
    singled: Bitboard,
}

impl Lines {
    #[inline(always)]
    fn of<M: Machine, const WHITE: bool>(
        board: &Board<'_, M, WHITE>,
        court: &Court,
        reach: &Reach,
        scratch: &Scratch,
    ) -> Lines {
        let (mut refused, mut singled) = (court.lines, Bitboard::EMPTY);
        for (from, hidden) in scratch.hidden.get(..reach.hidden).unwrap_or_default() {
            // What is attacked twice stays attacked, whatever is uncovered.
            let hidden = *hidden & !reach.twice;
            // A man beside the king that was taken there would be guarded from behind.
            refused |= hidden & board.their.all;
            singled |= on_the_way(*from, hidden & (court.crossed | !board.their.all)) & board.own.all;
        }
        let (king, them, occupied) = (board.their.king, board.their.all, board.occupied);
        let loose = !court.lines;
        let slanted = board.sliders.bishop(king, occupied);
        let mut straight = board.sliders.rook(king, occupied);
        let slanted_pins = board.sliders.bishop(king, occupied ^ (slanted & them)) & !slanted & loose;
        let straight_pins = board.sliders.rook(king, occupied ^ (straight & them)) & !straight & loose;
        // A rook that is pinned cannot castle.
        straight |= board.sliders.rook(king, occupied ^ (straight & board.rooks));
        let pawn = attacks::pawn(Board::<'_, M, WHITE>::THEM, king);
        let none = Bitboard::EMPTY;
        let checks = [pawn, attacks::knight(king), slanted, straight, slanted | straight, none];
        let pins = [none, none, slanted_pins, straight_pins, slanted_pins | straight_pins, none];
        Lines { refused: checks.map(|checks| checks | refused), pins, singled }
    }
}

/// A node two plies above the leaves, and what was found of its moves so far.
struct Node<'n, M: Machine, const WHITE: bool> {
    armies: &'n Armies,
    castlings: &'n Castlings,
    board: &'n Board<'n, M, WHITE>,
    court: &'n Court,
    reach: &'n Reach,
    null: &'n Null,
    scratch: &'n mut Scratch,
    ties: &'n Ties,
    /// How many men are in [`Scratch::movers`].
    listed: usize,
    /// Squares that take a close look when they are left, and targets that do, by kind of the man that moves.
    touched: Bitboard,
    watched: [Bitboard; 6],
    /// Own men whose moves are all made.
    singled: Bitboard,
    /// Squares that matter to the opponent's men when they are left.
    stirred: Bitboard,
    /// Squares beside the opponent's king that one own man alone denies it.
    denied: Bitboard,
    /// Squares beside their pawns.
    late: Bitboard,
    lines: &'n Lines,
    /// How many rows of [`Scratch::stakes`] there are, and all targets of theirs.
    stakes: usize,
    staked: [Bitboard; 6],
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

    /// The leaves below, where some pawns are looked at one by one.
    #[inline(always)]
    fn leaves(mut self, alone: Bitboard) -> u64 {
        self.men();
        for from in alone {
            self.pawn(from);
        }
        self.march(self.board.own.pawns & !alone);
        self.listed();
        self.capture_en_passant();
        self.castle();
        let told = self.replies * self.accepted + self.sum + self.by_target();
        self.made + told as u64
    }
}
