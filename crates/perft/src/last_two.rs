//! The last two plies, counted without making most moves.

use vezir_chess::{Bitboard, Color, Piece, Position, Rank, Sliders, Square, Wing, attacks};

/// The most own men but pawns, so that four planes hold how many of them go to a square.
const MOST_MOVERS: u32 = 13;

/// The most attack sets of one side's knights and sliders, queens counted twice.
const MOST_UNITS: usize = 24;

/// One side's men.
#[derive(Clone, Copy)]
struct Army {
    all: Bitboard,
    pawns: Bitboard,
    knights: Bitboard,
    slanted: Bitboard,
    straight: Bitboard,
    king: Square,
}

impl Army {
    #[inline(always)]
    fn new(position: &Position, color: Color) -> Army {
        let all = position.color(color);
        let queens = position.pieces(Piece::Queen);
        Army {
            all,
            pawns: position.pieces(Piece::Pawn) & all,
            knights: position.pieces(Piece::Knight) & all,
            slanted: (position.pieces(Piece::Bishop) | queens) & all,
            straight: (position.pieces(Piece::Rook) | queens) & all,
            king: position.king(color),
        }
    }

    #[inline(always)]
    fn units(&self) -> u32 {
        self.knights.count() + self.slanted.count() + self.straight.count()
    }

    /// Some squares of men of one kind flipped: from where one goes and where it arrives.
    #[inline(always)]
    fn flip(&mut self, kind: Kind, squares: Bitboard) {
        self.all ^= squares;
        match kind {
            Kind::Pawn => self.pawns ^= squares,
            Kind::Knight => self.knights ^= squares,
            Kind::Bishop => self.slanted ^= squares,
            Kind::Rook => self.straight ^= squares,
            Kind::Queen => {
                self.slanted ^= squares;
                self.straight ^= squares;
            }
            Kind::King => {}
        }
    }

    /// After the man on `from` has gone to `to`.
    #[inline(always)]
    fn moved(mut self, kind: Kind, from: Square, to: Square) -> Army {
        self.flip(kind, Bitboard::of(from) | Bitboard::of(to));
        if kind == Kind::King {
            self.king = to;
        }
        self
    }

    /// Without the man on a square, if there is one.
    #[inline(always)]
    fn without(mut self, square: Bitboard) -> Army {
        let kept = !square;
        for set in [&mut self.all, &mut self.pawns, &mut self.knights, &mut self.slanted, &mut self.straight] {
            *set &= kept;
        }
        self
    }
}

/// A way to castle.
#[derive(Clone, Copy)]
struct Castling {
    /// The squares that must be empty.
    path: Bitboard,
    /// The squares that the king crosses, its own left out.
    crossed: Bitboard,
    /// The rook's square; empty where there is no such castling.
    rook: Bitboard,
}

/// What is written anew at each node, and never cleared.
pub(crate) struct Scratch {
    /// What own sliders attack, by their squares.
    slanted: [Bitboard; 64],
    straight: [Bitboard; 64],
    hidden: [(Square, Bitboard); 32],
    stakes: [[Bitboard; 16]; 6],
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let none = Bitboard::EMPTY;
        Scratch {
            slanted: [none; 64],
            straight: [none; 64],
            hidden: [(Square::wrapping(0), none); 32],
            stakes: [[none; 16]; 6],
        }
    }
}

/// Rays of each square, straight ones and slanted ones, each beside the one that runs the other way.
static STRAIGHT_RAYS: [[u64; 4]; 64] = rays([(0, 1), (0, -1), (1, 0), (-1, 0)]);
static SLANTED_RAYS: [[u64; 4]; 64] = rays([(1, 1), (-1, -1), (-1, 1), (1, -1)]);

const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

const fn rays(steps: [(i8, i8); 4]) -> [[u64; 4]; 64] {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            let (mut file, mut rank) = ((square % 8) as i8 + steps[d].0, (square / 8) as i8 + steps[d].1);
            while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square][d] |= 1 << (rank * 8 + file);
                file += steps[d].0;
                rank += steps[d].1;
            }
            d += 1;
        }
        square += 1;
    }
    table
}

/// How many accepted moves go to each square, as planes of bits.
#[derive(Clone, Copy, Default)]
struct Planes {
    ones: u64,
    twos: u64,
    fours: u64,
    eights: u64,
}

impl Planes {
    #[inline(always)]
    fn add(&mut self, to: Bitboard) {
        let carry = self.ones & to.0;
        self.ones ^= to.0;
        let next = self.twos & carry;
        self.twos ^= carry;
        let last = self.fours & next;
        self.fours ^= next;
        self.eights ^= last;
    }

    #[inline(always)]
    fn any(&self) -> u64 {
        self.ones | self.twos | self.fours | self.eights
    }

    /// How many moves go to squares of a set.
    #[inline(always)]
    fn weigh(&self, set: u64) -> i32 {
        let mut sum = (self.ones & set).count_ones() + 2 * (self.twos & set).count_ones();
        if (self.fours | self.eights) & set != 0 {
            sum += 4 * (self.fours & set).count_ones() + 8 * (self.eights & set).count_ones();
        }
        sum as i32
    }
}

/// A kind of mover, as it arrives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pawn = 0,
    Knight = 1,
    Bishop = 2,
    Rook = 3,
    Queen = 4,
    King = 5,
}

/// Where sliders attack from, or are attacked.
#[derive(Clone, Copy, Default)]
struct Lines {
    slanted: Bitboard,
    straight: Bitboard,
}

/// A board on which one side is `WHITE` to move.
struct Board<'c, S, const WHITE: bool> {
    sliders: S,
    own: Army,
    their: Army,
    occupied: Bitboard,
    castlings: &'c [Castling; 2],
    /// Their rooks that might castle.
    rooks: Bitboard,
}

/// What the opponent's king stands in.
struct Court {
    /// The squares around it.
    ring: Bitboard,
    /// The same, and those that it would cross in castling.
    zone: Bitboard,
    crossed: Bitboard,
    /// The lines on which its men are pinned, pinners included.
    lines: Bitboard,
    pinned: Bitboard,
    /// Own men whose moves are made one by one.
    bad: Bitboard,
}

/// Own attacks.
struct Mine {
    once: Bitboard,
    twice: Bitboard,
    /// Squares between own sliders and the zone, of one or more, of two or more.
    barred: Bitboard,
    barred_twice: Bitboard,
    hidden: usize,
}

/// The opponent's side after a null move.
struct Null {
    replies: i32,
    danger: Bitboard,
    free: Bitboard,
    pushes: Bitboard,
    doubles: Bitboard,
    east: Bitboard,
    west: Bitboard,
    slanted: [u64; 4],
    straight: [u64; 4],
    rays_all: Bitboard,
}

struct Node<'n, S, const WHITE: bool> {
    position: &'n Position,
    board: &'n Board<'n, S, WHITE>,
    castlings: &'n Castlings,
    court: &'n Court,
    mine: &'n Mine,
    null: &'n Null,
    scratch: &'n Scratch,
    stakes: usize,
    pins: Bitboard,
    bad: Bitboard,
    /// Where a man may be touched by more than where it goes.
    stirred: Bitboard,
    denied: Bitboard,
    refused: Bitboard,
    checks: Lines,
    behind: Lines,
    planes: Planes,
    accepted: i32,
    sum: i32,
    made: u64,
}

impl<'c, S: Sliders, const WHITE: bool> Board<'c, S, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };
    const THEIR_LAST: Bitboard = Bitboard::rank(Rank::nth(Self::US, 1));
    const THEIR_THIRD: Bitboard = Bitboard::rank(Rank::nth(Self::THEM, 3));
    const THEIR_SECOND: Bitboard = Bitboard::rank(Rank::nth(Self::THEM, 2));

    #[inline(always)]
    fn new(position: &Position, sliders: S, castlings: &'c Castlings) -> Self {
        let (own, their) = (Army::new(position, Self::US), Army::new(position, Self::THEM));
        let castlings = &castlings.0[Self::THEM.index()];
        let rooks = castling_rooks(castlings, position.castling().rooks_of(Self::THEM), their.all);
        Board { sliders, own, their, occupied: own.all | their.all, castlings, rooks }
    }

    /// Own pinned men; `None` in check.
    #[inline(always)]
    fn pins(&self) -> Option<Bitboard> {
        let (king, their) = (self.own.king, &self.their);
        if (attacks::knight(king) & their.knights | attacks::pawn(Self::US, king) & their.pawns).0 != 0 {
            return None;
        }
        let mut pins = Bitboard::EMPTY;
        for sniper in attacks::diagonals(king) & their.slanted | attacks::cross(king) & their.straight {
            let men = attacks::between(king, sniper) & self.occupied;
            if men.is_empty() {
                return None;
            }
            if !men.is_many() {
                pins |= men & self.own.all;
            }
        }
        Some(pins)
    }

    #[inline(always)]
    fn court(&self) -> Court {
        let king = self.their.king;
        let ring = attacks::king(king);
        let mut crossed = Bitboard::EMPTY;
        if !self.rooks.is_empty() {
            for castling in self.castlings {
                if castling.rook.meets(self.rooks) {
                    crossed |= castling.crossed;
                }
            }
        }
        let mut court = Court {
            ring,
            zone: ring | crossed,
            crossed,
            lines: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            bad: Bitboard::EMPTY,
        };
        for sniper in attacks::diagonals(king) & self.own.slanted | attacks::cross(king) & self.own.straight {
            let between = attacks::between(king, sniper);
            let men = between & self.occupied;
            let ours = men & self.own.all;
            if !men.is_many() {
                if ours.is_empty() {
                    court.pinned |= men;
                    court.lines |= between | sniper.into();
                } else {
                    court.bad |= ours;
                }
            } else if men.count() == 2 && ours.count() == 1 {
                court.bad |= ours;
            }
        }
        court.bad |= court.lines;
        court
    }

    #[inline(always)]
    fn mine(&self, zone: Bitboard, scratch: &mut Scratch) -> Mine {
        let ahead = self.own.pawns.ahead(Self::US);
        let (east, west) = (ahead.east(), ahead.west());
        let mut mine = Mine {
            once: east | west,
            twice: east & west,
            barred: Bitboard::EMPTY,
            barred_twice: Bitboard::EMPTY,
            hidden: 0,
        };
        mine.note(attacks::king(self.own.king));
        for from in self.own.knights {
            mine.note(attacks::knight(from));
        }
        for from in self.own.slanted {
            let attacked = self.sliders.bishop(from, self.occupied);
            scratch.slanted[from.index()] = attacked;
            mine.note(attacked);
            let seen = attacks::diagonals(from) & zone;
            if !seen.is_empty() {
                mine.bar(from, attacked & zone);
                if !seen.within(attacked) {
                    let behind = self.sliders.bishop(from, self.occupied ^ (attacked & self.own.all));
                    mine.hide(from, behind & zone & !attacked, scratch);
                }
            }
        }
        for from in self.own.straight {
            let attacked = self.sliders.rook(from, self.occupied);
            scratch.straight[from.index()] = attacked;
            mine.note(attacked);
            let seen = attacks::cross(from) & zone;
            if !seen.is_empty() {
                mine.bar(from, attacked & zone);
                if !seen.within(attacked) {
                    let behind = self.sliders.rook(from, self.occupied ^ (attacked & self.own.all));
                    mine.hide(from, behind & zone & !attacked, scratch);
                }
            }
        }
        mine
    }

    #[inline(always)]
    fn null(&self, court: &Court, once: Bitboard) -> Null {
        let (them, king) = (self.their.all, self.their.king);
        let free = court.ring & !them & !once;
        let mut danger = court.ring;
        let (mut slanted, mut straight) = ([0_u64; 4], [0_u64; 4]);
        let mut replies = free.count();
        let loose = !court.pinned;
        for from in self.their.knights {
            let attacked = attacks::knight(from);
            danger |= attacked;
            if loose.has(from) {
                replies += (attacked & !them).count();
            }
        }
        for from in self.their.slanted {
            let attacked = self.sliders.bishop(from, self.occupied);
            danger |= attacked;
            if loose.has(from) {
                replies += (attacked & !them).count();
                for (ray, mask) in slanted.iter_mut().zip(&SLANTED_RAYS[from.index()]) {
                    *ray |= attacked.0 & mask;
                }
            } else {
                replies += (attacked & attacks::line(king, from) & !them).count();
            }
        }
        for from in self.their.straight {
            let attacked = self.sliders.rook(from, self.occupied);
            danger |= attacked;
            if loose.has(from) {
                replies += (attacked & !them).count();
                for (ray, mask) in straight.iter_mut().zip(&STRAIGHT_RAYS[from.index()]) {
                    *ray |= attacked.0 & mask;
                }
            } else {
                replies += (attacked & attacks::line(king, from) & !them).count();
            }
        }
        let empty = !self.occupied;
        let ahead = (self.their.pawns & loose).ahead(Self::THEM);
        let pushes = ahead & empty;
        let doubles = (pushes & Self::THEIR_THIRD).ahead(Self::THEM) & empty;
        let (east, west) = (ahead.east(), ahead.west());
        let (east_taken, west_taken) = (east & self.own.all, west & self.own.all);
        replies += pushes.count() + doubles.count() + east_taken.count() + west_taken.count();
        if ahead.meets(Self::THEIR_LAST) {
            let last = Self::THEIR_LAST;
            replies += 3 * ((pushes & last).count() + (east_taken & last).count() + (west_taken & last).count());
        }
        danger |= east | west;
        let pinned = self.their.pawns & court.pinned;
        if !pinned.is_empty() {
            danger |= attacks::pawns(Self::THEM, pinned);
            replies += self.pinned_pawns(pinned);
        }
        let rays_all = Bitboard(slanted.iter().chain(&straight).fold(0, |all, ray| all | ray));
        let replies = replies as i32;
        Null { replies, danger, free, pushes, doubles, east, west, slanted, straight, rays_all }
    }

    #[cold]
    #[inline(never)]
    fn pinned_pawns(&self, pawns: Bitboard) -> u32 {
        let (king, empty, last) = (self.their.king, !self.occupied, Self::THEIR_LAST);
        let mut replies = 0;
        for from in pawns {
            let line = attacks::line(king, from);
            let single = Bitboard::of(from).ahead(Self::THEM) & empty & line;
            let double = (single & Self::THEIR_THIRD).ahead(Self::THEM) & empty;
            let taken = attacks::pawn(Self::THEM, from) & self.own.all & line;
            replies += single.count() + double.count() + taken.count() + 3 * ((single | taken) & last).count();
        }
        replies
    }

    /// Own men that attack any of some squares.
    #[inline(always)]
    fn attackers(&self, squares: Bitboard) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for square in squares {
            found |= attacks::pawn(Self::THEM, square) & self.own.pawns
                | attacks::knight(square) & self.own.knights
                | attacks::king(square) & self.own.king.into()
                | self.sliders.bishop(square, self.occupied) & self.own.slanted
                | self.sliders.rook(square, self.occupied) & self.own.straight;
        }
        found
    }

    /// Where a man attacks from a square; for a pawn, from where it attacks.
    #[inline(always)]
    fn attacked(&self, kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
        match kind {
            Kind::Pawn => attacks::pawn(Self::THEM, square),
            Kind::Knight => attacks::knight(square),
            Kind::Bishop => self.sliders.bishop(square, occupied),
            Kind::Rook => self.sliders.rook(square, occupied),
            Kind::Queen => self.sliders.queen(square, occupied),
            Kind::King => attacks::king(square),
        }
    }

    #[inline(always)]
    fn lines_to(&self, square: Square, occupied: Bitboard) -> Lines {
        Lines { slanted: self.sliders.bishop(square, occupied), straight: self.sliders.rook(square, occupied) }
    }

    /// Notes targets that cost a reply: those that attack one of `squares`, and those of `also`.
    #[inline(always)]
    fn stake(&self, squares: Bitboard, also: Bitboard, scratch: &mut Scratch, used: usize) {
        let (mut p, mut n, mut k, mut b, mut r) = (also, also, also, also, also);
        for square in squares {
            p |= attacks::pawn(Self::THEM, square);
            n |= attacks::knight(square);
            k |= attacks::king(square);
            b |= self.sliders.bishop(square, self.occupied);
            r |= self.sliders.rook(square, self.occupied);
        }
        for (stakes, set) in scratch.stakes.iter_mut().zip([p, n, b, r, b | r, k]) {
            stakes[used & 15] = set;
        }
    }
}

/// How castlings go from where the kings and rooks of a game stood: for each color and wing.
///
/// A king and a rook that may castle have not moved, so this holds for every position below one.
#[derive(Clone, Copy)]
pub(crate) struct Castlings([[Castling; 2]; 2]);

impl Castlings {
    pub(crate) fn below(position: &Position) -> Castlings {
        let of = |color| Wing::ALL.map(|wing| Castling::new(position, color, wing));
        Castlings(Color::ALL.map(of))
    }
}

impl Castling {
    fn new(position: &Position, color: Color, wing: Wing) -> Castling {
        let none = Bitboard::EMPTY;
        let Some(rook) = position.castling().rook(color, wing) else {
            return Castling { path: none, crossed: none, rook: none };
        };
        let king = position.king(color);
        let king_to = Square::at(wing.king_file(), king.rank());
        let rook_to = Square::at(wing.rook_file(), king.rank());
        let king_path = attacks::between(king, king_to) | king_to.into();
        let rook_path = attacks::between(king, rook) | attacks::between(rook, rook_to) | rook_to.into();
        let path = (king_path | rook_path) & !(Bitboard::of(king) | Bitboard::of(rook));
        Castling { path, crossed: king_path & !Bitboard::of(king), rook: rook.into() }
    }
}

/// The rooks of a side that may still castle, without those that its own men are in the way of.
#[inline(always)]
fn castling_rooks(castlings: &[Castling; 2], rights: Bitboard, all: Bitboard) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    if !rights.is_empty() {
        for castling in castlings {
            if !castling.path.meets(all) {
                rooks |= castling.rook;
            }
        }
    }
    rooks & rights
}

impl Mine {
    #[inline(always)]
    fn note(&mut self, attacked: Bitboard) {
        self.twice |= self.once & attacked;
        self.once |= attacked;
    }

    #[inline(always)]
    fn bar(&mut self, from: Square, seen: Bitboard) {
        let mut barred = Bitboard::EMPTY;
        for square in seen {
            barred |= attacks::between(from, square);
        }
        self.barred_twice |= self.barred & barred;
        self.barred |= barred;
    }

    #[inline(always)]
    fn hide(&mut self, from: Square, hidden: Bitboard, scratch: &mut Scratch) {
        if !hidden.is_empty() {
            scratch.hidden[self.hidden & 31] = (from, hidden);
            self.hidden += 1;
        }
    }
}

#[inline(always)]
fn run<S: Sliders, const WHITE: bool>(
    position: &Position,
    sliders: S,
    castlings: &Castlings,
    scratch: &mut Scratch,
) -> Option<u64> {
    let board = Board::<'_, S, WHITE>::new(position, sliders, castlings);
    let movers = (board.own.all & !board.own.pawns).count();
    if movers > MOST_MOVERS || board.their.units() as usize > MOST_UNITS {
        return None;
    }
    let pins = board.pins()?;
    let court = board.court();
    let mine = board.mine(court.zone, scratch);
    let mut null = board.null(&court, mine.once);
    let mut bad = court.bad;
    let mut stakes = 0;
    if !board.rooks.is_empty() {
        for &Castling { path, crossed, rook } in board.castlings {
            if !board.rooks.meets(rook) {
                continue;
            }
            if !path.meets(board.occupied) && !crossed.meets(mine.once) && !court.pinned.meets(rook) {
                null.replies += 1;
                board.stake(crossed, path | rook, scratch, stakes);
                stakes += 1;
            } else {
                bad |= path & board.own.all | board.attackers(crossed & mine.once);
            }
        }
    }
    for square in null.free {
        board.stake(square.into(), Bitboard::EMPTY, scratch, stakes);
        stakes += 1;
    }
    // Lines that an own man hides: he must stay, or leave their man beside the king unguarded.
    let mut refused = court.lines;
    for (from, hidden) in scratch.hidden.iter().take(mine.hidden) {
        let hidden = *hidden & !mine.twice;
        refused |= hidden & board.their.all;
        for square in hidden & (court.crossed | !board.their.all) {
            bad |= attacks::between(*from, square) & board.own.all;
        }
    }
    let king = board.their.king;
    let checks = board.lines_to(king, board.occupied);
    let them = board.their.all;
    let behind = Lines {
        slanted: sliders.bishop(king, board.occupied ^ (checks.slanted & them)) & !checks.slanted,
        straight: sliders.rook(king, board.occupied ^ (checks.straight & them)) & !checks.straight,
    };
    let free_pawns = board.their.pawns & !court.pinned;
    let before = free_pawns.ahead(Board::<'_, S, WHITE>::THEM);
    let home = (free_pawns & Board::<'_, S, WHITE>::THEIR_SECOND).ahead(Board::<'_, S, WHITE>::THEM);
    let stirred = null.rays_all
        | null.east
        | null.west
        | before
        | (home & !board.occupied).ahead(Board::<'_, S, WHITE>::THEM);
    let node = Node {
        position,
        board: &board,
        castlings,
        court: &court,
        mine: &mine,
        null: &null,
        scratch,
        stakes,
        pins,
        bad,
        stirred,
        denied: court.ring & !board.their.all & mine.once & !mine.twice,
        refused,
        checks,
        behind,
        planes: Planes::default(),
        accepted: 0,
        sum: 0,
        made: 0,
    };
    Some(node.count())
}

impl<S: Sliders, const WHITE: bool> Node<'_, S, WHITE> {
    const US: Color = Board::<'_, S, WHITE>::US;
    const THEM: Color = Board::<'_, S, WHITE>::THEM;

    #[inline(always)]
    fn count(mut self) -> u64 {
        self.men();
        self.pawns();
        self.castling();
        let told = self.null.replies * self.accepted + self.sum + self.by_target();
        self.made + told as u64
    }

    #[inline(always)]
    fn men(&mut self) {
        let board = self.board;
        let open = !board.own.all;
        let king = board.own.king;
        self.mover(Kind::King, king, attacks::king(king), attacks::king(king) & open & !self.null.danger);
        for from in board.own.knights & !self.pins {
            let attacked = attacks::knight(from);
            self.mover(Kind::Knight, from, attacked, attacked & open);
        }
        let (slanted, straight) = (board.own.slanted, board.own.straight);
        for from in slanted & !straight {
            let attacked = self.scratch.slanted[from.index()];
            self.mover(Kind::Bishop, from, attacked, attacked & open & self.kept(from));
        }
        for from in straight & !slanted {
            let attacked = self.scratch.straight[from.index()];
            self.mover(Kind::Rook, from, attacked, attacked & open & self.kept(from));
        }
        for from in slanted & straight {
            let attacked = self.scratch.slanted[from.index()] | self.scratch.straight[from.index()];
            self.mover(Kind::Queen, from, attacked, attacked & open & self.kept(from));
        }
    }

    #[inline(always)]
    fn kept(&self, from: Square) -> Bitboard {
        if self.pins.has(from) { attacks::line(self.board.own.king, from) } else { Bitboard::FULL }
    }

    #[inline(always)]
    fn refused(&self, kind: Kind) -> Bitboard {
        let king = self.board.their.king;
        let (checks, behind) = (&self.checks, &self.behind);
        self.refused
            | match kind {
                Kind::Pawn => attacks::pawn(Self::THEM, king),
                Kind::Knight => attacks::knight(king),
                Kind::Bishop => checks.slanted | behind.slanted,
                Kind::Rook => checks.straight | behind.straight,
                Kind::Queen => checks.slanted | behind.slanted | checks.straight | behind.straight,
                Kind::King => Bitboard::EMPTY,
            }
    }

    /// One man: accepted targets are summed up, the others are made.
    #[inline(always)]
    fn mover(&mut self, kind: Kind, from: Square, attacked: Bitboard, to: Bitboard) {
        if to.is_empty() {
            return;
        }
        let mut taken = Bitboard::EMPTY;
        if !self.bad.has(from) {
            taken = to & !self.refused(kind);
            if taken.meets(self.mine.barred) {
                taken &= !self.barred_for(kind, from, attacked);
            }
            #[cfg(test)]
            {
                taken &= only(from);
            }
            if !taken.is_empty() {
                self.accept(kind, from, attacked, taken);
            }
        }
        for to in to & !taken {
            self.make(kind, from, to);
        }
    }

    #[inline(always)]
    fn make(&mut self, kind: Kind, from: Square, to: Square) {
        let board = self.board;
        let own = board.own.moved(kind, from, to);
        let their = board.their.without(to.into());
        self.leaf(own, their);
    }

    #[inline(always)]
    fn leaf(&mut self, own: Army, their: Army) {
        let rooks = self.board.rooks & their.all;
        self.made += u64::from(match WHITE {
            true => leaf::<S, false>(self.board.sliders, &their, &own, self.board.castlings, rooks, None),
            false => leaf::<S, true>(self.board.sliders, &their, &own, self.board.castlings, rooks, None),
        });
    }

    /// Squares between the zone and own sliders other than the one on `from`.
    #[inline(always)]
    fn barred_for(&self, kind: Kind, from: Square, attacked: Bitboard) -> Bitboard {
        let mine = self.mine;
        if matches!(kind, Kind::Pawn | Kind::Knight | Kind::King) {
            return mine.barred;
        }
        let mut own = Bitboard::EMPTY;
        for square in attacked & self.court.zone {
            own |= attacks::between(from, square);
        }
        mine.barred & !own | mine.barred_twice
    }

    #[inline(always)]
    fn accept(&mut self, kind: Kind, from: Square, attacked: Bitboard, to: Bitboard) {
        let number = to.count() as i32;
        self.accepted += number;
        self.planes.add(to);
        self.sum -= self.lost(kind, to);
        let denied = attacked & self.denied;
        if !denied.is_empty() {
            for square in denied {
                let still = self.board.attacked(kind, square, self.board.occupied ^ from.into());
                self.sum += (to & !still).count() as i32;
            }
        }
        if self.stirred.has(from) {
            self.sum += self.by_origin(from, to, number);
        }
    }

    /// How many replies moves to these targets cost.
    #[inline(always)]
    fn lost(&self, kind: Kind, to: Bitboard) -> i32 {
        let mut lost = 0;
        for stake in self.scratch.stakes[kind as usize].iter().take(self.stakes) {
            lost += (to & *stake).count();
        }
        lost as i32
    }

    /// What the square that is left opens or closes.
    #[inline(always)]
    fn by_origin(&self, from: Square, to: Bitboard, number: i32) -> i32 {
        let mut sum = 0;
        let (board, null) = (self.board, self.null);
        let here = Bitboard::of(from);
        let pawns = board.their.pawns & !self.court.pinned;
        let weight = if Board::<'_, S, WHITE>::THEIR_LAST.meets(here) { 4 } else { 1 };
        if (null.east | null.west).meets(here) {
            let attackers = attacks::pawn(Self::US, from) & pawns;
            sum -= weight * (number * attackers.count() as i32 - (to & attackers).count() as i32);
        }
        let before = here.ahead(Self::US);
        let home = Board::<'_, S, WHITE>::THEIR_SECOND;
        if pawns.meets(before) {
            let mut gain = weight;
            if home.meets(before) {
                let behind = here.ahead(Self::THEM) & !board.occupied;
                gain += behind.count() as i32;
                sum -= (to & behind).count() as i32;
            }
            sum += gain * (number - (to & before).count() as i32);
        } else if !board.occupied.meets(before) {
            let two = before.ahead(Self::US);
            if (pawns & two).meets(home) {
                sum += number - (to & two).count() as i32;
                sum -= (to & before).count() as i32;
            }
        }
        if null.rays_all.meets(here) {
            sum += self.opened(from, to, number);
        }
        sum
    }

    /// What opens behind a man on rays of opposing sliders.
    #[inline(always)]
    fn opened(&self, from: Square, to: Bitboard, number: i32) -> i32 {
        let here = Bitboard::of(from);
        let sees = self.board.sliders.queen(from, self.board.occupied);
        let square = from.index();
        let groups =
            [(&self.null.slanted, &SLANTED_RAYS[square]), (&self.null.straight, &STRAIGHT_RAYS[square])];
        let mut sum = 0;
        for (rays, masks) in groups {
            for d in 0..4 {
                if rays[d] & here.0 == 0 {
                    continue;
                }
                let beyond = sees.0 & masks[d];
                let gain = (beyond & !self.board.their.all.0).count_ones() as i32;
                sum += gain * (number - (to.0 & masks[d ^ 1]).count_ones() as i32);
                for square in Bitboard(to.0 & masks[d]) {
                    let reach = attacks::between(from, square).count() as i32 + 1;
                    sum += reach - gain;
                }
            }
        }
        sum
    }

    #[inline(always)]
    fn pawns(&mut self) {
        let (board, court) = (self.board, self.court);
        let empty = !board.occupied;
        let pawns = board.own.pawns;
        if let Some(target) = self.position.en_passant() {
            self.pass(target);
        }
        let guarding = (self.denied | court.crossed & self.mine.once).ahead(Self::THEM);
        #[cfg(test)]
        let bad = self.bad | if ONLY.with(|it| it.get()).is_some() { Bitboard::FULL } else { Bitboard::EMPTY };
        #[cfg(not(test))]
        let bad = self.bad;
        let touched = bad
            | self.stirred
            | self.pins
            | guarding.east()
            | guarding.west()
            | Bitboard::rank(Rank::nth(Self::US, 7));
        let third = Bitboard::rank(Rank::nth(Self::US, 3));
        let refused = self.refused(Kind::Pawn) | self.mine.barred;
        let ahead = (pawns & !touched).ahead(Self::US);
        let single = ahead & empty;
        let double = (single & third).ahead(Self::US) & empty;
        let (east, west) = (ahead.east() & board.their.all, ahead.west() & board.their.all);
        let noticed = board.their.pawns.east() | board.their.pawns.west();
        let late = refused | noticed;
        self.accept_pawns(single & !refused | double & !late);
        if !(east | west).is_empty() {
            self.accept_pawns(east & !refused);
            self.accept_pawns(west & !refused);
        }
        let rest = (single | east | west) & refused | double & late;
        if !rest.is_empty() {
            let back: i8 = if WHITE { -8 } else { 8 };
            self.make_pawns(single & refused, back);
            self.make_pawns(double & late, 2 * back);
            self.make_pawns(east & refused, back - 1);
            self.make_pawns(west & refused, back + 1);
        }
        for from in pawns & touched {
            let here = Bitboard::of(from);
            let attacked = attacks::pawn(Self::US, from);
            let single = here.ahead(Self::US) & empty;
            let double = (single & third).ahead(Self::US) & empty;
            let to = (single | double | attacked & board.their.all) & self.kept(from);
            if to.meets(Bitboard::rank(Rank::nth(Self::US, 8))) {
                self.promote(from, to);
            } else {
                let late = double & to & noticed;
                self.mover(Kind::Pawn, from, attacked, to & !late);
                for to in late {
                    self.step(from, to);
                }
            }
        }
    }

    #[inline(always)]
    fn accept_pawns(&mut self, to: Bitboard) {
        self.accepted += to.count() as i32;
        self.planes.add(to);
        self.sum -= self.lost(Kind::Pawn, to);
    }

    #[inline(always)]
    fn promote(&mut self, from: Square, to: Bitboard) {
        for to in to {
            let mut own = self.board.own;
            own.flip(Kind::Pawn, from.into());
            let their = self.board.their.without(to.into());
            for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
                let mut own = own;
                own.flip(kind, to.into());
                self.leaf(own, their);
            }
        }
    }

    /// A double step that a pawn of theirs may answer en passant.
    #[inline(always)]
    fn step(&mut self, from: Square, to: Square) {
        let own = self.board.own.moved(Kind::Pawn, from, to);
        let passed = Square::wrapping(((from.index() + to.index()) / 2) as u8);
        let board = self.board;
        self.made += u64::from(match WHITE {
            true => leaf::<S, false>(board.sliders, &board.their, &own, board.castlings, board.rooks, Some(passed)),
            false => {
                leaf::<S, true>(board.sliders, &board.their, &own, board.castlings, board.rooks, Some(passed))
            }
        });
    }

    #[inline(always)]
    fn pass(&mut self, target: Square) {
        let mut found = EnPassant(Bitboard::EMPTY);
        self.position.generate(self.board.sliders, &mut found);
        for from in found.0 {
            let own = self.board.own.moved(Kind::Pawn, from, target);
            let their = self.board.their.without(Square::at(target.file(), from.rank()).into());
            self.leaf(own, their);
        }
    }

    #[inline(always)]
    fn make_pawns(&mut self, to: Bitboard, back: i8) {
        for to in to {
            let from = Square::wrapping((to.index() as u8).wrapping_add_signed(back));
            if back.unsigned_abs() == 16 {
                self.step(from, to);
            } else {
                self.make(Kind::Pawn, from, to);
            }
        }
    }

    #[inline(always)]
    fn castling(&mut self) {
        let board = self.board;
        let rights = self.position.castling().rooks_of(Self::US) & !self.pins;
        if rights.is_empty() {
            return;
        }
        for (castling, wing) in self.castlings.0[Self::US.index()].iter().zip(Wing::ALL) {
            let Castling { path, crossed, rook } = *castling;
            if !rights.meets(rook) || path.meets(board.occupied) || crossed.meets(self.null.danger) {
                continue;
            }
            let king = board.own.king;
            let mut own = board.own;
            own.flip(Kind::King, king.into());
            own.flip(Kind::Rook, rook);
            own.king = Square::at(wing.king_file(), king.rank());
            own.flip(Kind::King, own.king.into());
            own.flip(Kind::Rook, Square::at(wing.rook_file(), king.rank()).into());
            self.leaf(own, board.their);
        }
    }

    /// What depends on the target alone, for all accepted moves.
    #[inline(always)]
    fn by_target(&self) -> i32 {
        let (planes, null) = (&self.planes, self.null);
        let any = planes.any();
        let mut sum = 0;
        let (taken, stepped) = ((null.east | null.west).0, (null.pushes | null.doubles).0);
        if any & taken != 0 {
            sum += planes.weigh(null.east.0) + planes.weigh(null.west.0);
        }
        if any & stepped != 0 {
            sum -= planes.weigh(null.pushes.0) + planes.weigh(null.doubles.0);
            sum -= planes.weigh(null.doubles.ahead(Self::US).0);
        }
        let last = Board::<'_, S, WHITE>::THEIR_LAST;
        if any & last.0 != 0 {
            if (taken | stepped) & last.0 != 0 {
                sum += 3 * (planes.weigh((null.east & last).0) + planes.weigh((null.west & last).0));
                sum -= 3 * planes.weigh((null.pushes & last).0);
            }
        }
        let empty = any & !self.board.occupied.0;
        if null.rays_all.0 & empty != 0 {
            sum -= self.cut_off(empty);
        }
        let captured = any & self.board.their.all.0;
        if captured != 0 {
            sum += self.by_capture(Bitboard(captured));
        }
        sum
    }

    /// Squares that opposing sliders lose beyond the targets.
    #[inline(always)]
    fn cut_off(&self, empty: u64) -> i32 {
        let [north, south, east, west] = self.null.straight;
        let [north_east, south_west, north_west, south_east] = self.null.slanted;
        self.cut(north, empty, |set| set >> 8)
            + self.cut(south, empty, |set| set << 8)
            + self.cut(east, empty, |set| set >> 1 & NOT_H)
            + self.cut(west, empty, |set| set << 1 & NOT_A)
            + self.cut(north_east, empty, |set| set >> 9 & NOT_H)
            + self.cut(south_west, empty, |set| set << 9 & NOT_A)
            + self.cut(north_west, empty, |set| set >> 7 & NOT_A)
            + self.cut(south_east, empty, |set| set << 7 & NOT_H)
    }

    /// The same for rays of one direction; `back` is a step against it.
    #[inline(always)]
    fn cut(&self, rays: u64, empty: u64, back: impl Fn(u64) -> u64) -> i32 {
        if rays & empty == 0 {
            return 0;
        }
        let open = rays & !self.board.their.all.0;
        let mut sum = 0;
        let mut reach = open & back(open);
        while reach & empty != 0 {
            sum += self.planes.weigh(reach & empty);
            reach = open & back(reach);
        }
        sum
    }

    /// What one of their men takes back, less its own replies where it is taken.
    #[inline(always)]
    fn taken(&self, from: Square, attacked: Bitboard, captured: Bitboard) -> i32 {
        let mut sum = 0;
        if attacked.meets(captured) {
            sum += self.planes.weigh((attacked & captured).0);
        }
        if captured.has(from) {
            let replies = (attacked & !self.board.their.all).count() as i32;
            sum -= replies * self.planes.weigh(Bitboard::of(from).0);
        }
        sum
    }

    #[inline(always)]
    fn by_capture(&self, captured: Bitboard) -> i32 {
        let (planes, board, null) = (&self.planes, self.board, self.null);
        let mut sum = 0;
        let loose = !self.court.pinned;
        for from in board.their.knights & loose {
            sum += self.taken(from, attacks::knight(from), captured);
        }
        for from in board.their.slanted & loose {
            sum += self.taken(from, board.sliders.bishop(from, board.occupied), captured);
        }
        for from in board.their.straight & loose {
            sum += self.taken(from, board.sliders.rook(from, board.occupied), captured);
        }
        // Their king takes back what nobody else guards.
        let alone = captured & self.court.ring & !self.mine.twice;
        if !alone.is_empty() {
            sum += planes.weigh(alone.0);
        }
        for square in captured & board.their.pawns {
            let last = Board::<'_, S, WHITE>::THEIR_LAST;
            let here = Bitboard::of(square);
            let single = here.ahead(Self::THEM) & null.pushes;
            let double = (single & Board::<'_, S, WHITE>::THEIR_THIRD).ahead(Self::THEM) & null.doubles;
            let taken = attacks::pawn(Self::THEM, square) & board.own.all;
            let replies = single.count() + double.count() + taken.count();
            let replies = replies + 3 * ((single | taken) & last).count();
            sum -= replies as i32 * planes.weigh(here.0);
        }
        sum
    }
}

struct EnPassant(Bitboard);

impl vezir_chess::Sink for EnPassant {
    fn piece(&mut self, _: Piece, _: Square, _: Bitboard) {}
    fn pawns(&mut self, _: Bitboard, _: i8) {}
    fn en_passant(&mut self, from: Square, _: Square) {
        self.0 |= from.into();
    }
    fn castle(&mut self, _: Square, _: Square) {}
}

/// Leaves two plies below `position`.
#[inline(always)]
pub(crate) fn count<S: Sliders>(
    position: &Position,
    sliders: S,
    castlings: &Castlings,
    scratch: &mut Scratch,
) -> Option<u64> {
    match position.side() {
        Color::White => run::<S, true>(position, sliders, castlings, scratch),
        Color::Black => run::<S, false>(position, sliders, castlings, scratch),
    }
}

/// The number of legal moves of `position`.
#[inline(always)]
pub(crate) fn moves<S: Sliders>(position: &Position, sliders: S, castlings: &Castlings) -> u32 {
    let (us, passed) = (position.side(), position.en_passant());
    let (own, their) = (Army::new(position, us), Army::new(position, !us));
    let castlings = &castlings.0[us.index()];
    let rooks = castling_rooks(castlings, position.castling().rooks_of(us), own.all);
    match us {
        Color::White => leaf::<S, true>(sliders, &own, &their, castlings, rooks, passed),
        Color::Black => leaf::<S, false>(sliders, &own, &their, castlings, rooks, passed),
    }
}

/// The number of legal moves of a side that is `WHITE`.
#[inline(always)]
fn leaf<S: Sliders, const WHITE: bool>(
    sliders: S,
    own: &Army,
    their: &Army,
    castlings: &[Castling; 2],
    rooks: Bitboard,
    passed: Option<Square>,
) -> u32 {
    let us = if WHITE { Color::White } else { Color::Black };
    let them = if WHITE { Color::Black } else { Color::White };
    let occupied = own.all | their.all;
    let king = own.king;
    let mut checks = attacks::knight(king) & their.knights | attacks::pawn(us, king) & their.pawns;
    let (mut slanted_pins, mut straight_pins) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for sniper in attacks::diagonals(king) & their.slanted {
        let between = attacks::between(king, sniper);
        let men = between & occupied;
        if men.is_empty() {
            checks |= sniper.into();
        } else if !men.is_many() && men.meets(own.all) {
            slanted_pins |= between | sniper.into();
        }
    }
    for sniper in attacks::cross(king) & their.straight {
        let between = attacks::between(king, sniper);
        let men = between & occupied;
        if men.is_empty() {
            checks |= sniper.into();
        } else if !men.is_many() && men.meets(own.all) {
            straight_pins |= between | sniper.into();
        }
    }
    let mut targets = !own.all;
    let near = attacks::king(king) & targets;
    let mut moves = 0;
    if !near.is_empty() || !rooks.is_empty() {
        let seen = occupied ^ king.into();
        let mut danger = attacks::pawns(them, their.pawns) | attacks::king(their.king);
        for knight in their.knights {
            danger |= attacks::knight(knight);
        }
        for slider in their.slanted {
            danger |= sliders.bishop(slider, seen);
        }
        for slider in their.straight {
            danger |= sliders.rook(slider, seen);
        }
        moves += (near & !danger).count();
        if !rooks.is_empty() && checks.is_empty() {
            for castling in castlings {
                let free = !castling.path.meets(occupied) && !castling.crossed.meets(danger);
                moves += u32::from(free && (rooks & !straight_pins).meets(castling.rook));
            }
        }
    }
    let pinned = (slanted_pins | straight_pins) & own.all;
    if !checks.is_empty() {
        if checks.is_many() {
            return moves;
        }
        let checker = Square::wrapping(checks.0.trailing_zeros() as u8);
        targets &= checks | attacks::between(king, checker);
    } else if !pinned.is_empty() {
        for from in own.slanted & pinned & slanted_pins {
            moves += (sliders.bishop(from, occupied) & attacks::line(king, from) & targets).count();
        }
        for from in own.straight & pinned & straight_pins {
            moves += (sliders.rook(from, occupied) & attacks::line(king, from) & targets).count();
        }
    }
    for from in own.knights & !pinned {
        moves += (attacks::knight(from) & targets).count();
    }
    for from in own.slanted & !pinned {
        moves += (sliders.bishop(from, occupied) & targets).count();
    }
    for from in own.straight & !pinned {
        moves += (sliders.rook(from, occupied) & targets).count();
    }
    let empty = !occupied;
    let steppers = own.pawns & !slanted_pins;
    let single = ((steppers & !straight_pins).ahead(us) | (steppers & straight_pins).ahead(us) & straight_pins) & empty;
    let double = (single & Bitboard::rank(Rank::nth(us, 3))).ahead(us) & empty & targets;
    let single = single & targets;
    let prey = their.all & targets;
    let takers = own.pawns & !straight_pins;
    let (loose, bound) = ((takers & !slanted_pins).ahead(us), (takers & slanted_pins).ahead(us));
    let east = (loose.east() | bound.east() & slanted_pins) & prey;
    let west = (loose.west() | bound.west() & slanted_pins) & prey;
    moves += single.count() + double.count() + east.count() + west.count();
    let last = Bitboard::rank(Rank::nth(us, 8));
    if (loose | bound | steppers.ahead(us)).meets(last) {
        moves += 3 * ((single & last).count() + (east & last).count() + (west & last).count());
    }
    if let Some(passed) = passed {
        for from in attacks::pawn(them, passed) & own.pawns {
            let taken = Bitboard::of(Square::at(passed.file(), from.rank()));
            let after = (occupied ^ from.into() ^ taken) | passed.into();
            let attacked = attacks::knight(king) & their.knights
                | attacks::pawn(us, king) & their.pawns & !taken
                | sliders.bishop(king, after) & their.slanted
                | sliders.rook(king, after) & their.straight;
            moves += u32::from(attacked.is_empty());
        }
    }
    moves
}

#[cfg(test)]
thread_local! {
    static ONLY: std::cell::Cell<Option<(Square, Square)>> = const { std::cell::Cell::new(None) };
}

#[cfg(test)]
fn only(from: Square) -> Bitboard {
    match ONLY.with(|it| it.get()) {
        None => Bitboard::FULL,
        Some((it, to)) if it == from => to.into(),
        _ => Bitboard::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use vezir_chess::Portable;

    use super::*;

    const ROOTS: [&str; 10] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
        "8/P3k3/2R5/1P2PpPp/p1pPp3/3r4/3K2p1/8 w - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "4k3/QQQ5/8/3q4/8/8/5qqq/4K3 w - - 0 1",
    ];

    fn naive(position: &Position) -> u64 {
        position.legal_moves().into_iter().map(|chosen| u64::from(position.after(chosen).count_moves())).sum()
    }

    #[test]
    fn random_games_agree() {
        let games: u64 = std::env::var("GAMES").map_or(2_000, |games| games.parse().expect("a number"));
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
                let (mut looked, mut counted) = (0_u64, 0_u64);
        for game in 0..games {
            let mut position: Position = ROOTS[(game % 10) as usize].parse().expect("a position");
            let mut scratch = Scratch::new();
            let castlings = Castlings::below(&position);
            for _ in 0..100 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                looked += 1;
                assert_eq!(super::moves(&position, Portable, &castlings), position.count_moves(), "{position:?}");
                if let Some(nodes) = count(&position, Portable, &castlings, &mut scratch) {
                    counted += 1;
                    if nodes != naive(&position) {
                        for chosen in position.legal_moves() {
                            ONLY.with(|it| it.set(Some((chosen.from(), chosen.to()))));
                            let now = count(&position, Portable, &castlings, &mut scratch).expect("as before");
                            let off = now as i64 - naive(&position) as i64;
                            if off != 0 {
                                println!("{}{}: {off}", chosen.from(), chosen.to());
                            }
                        }
                    }
                    assert_eq!(nodes, naive(&position), "{position:?}");
                }
                position = position.after(moves[(random() % moves.len() as u64) as usize]);
            }
        }
        println!("{counted} of {looked}");
        assert!(counted * 2 > looked);
    }
}
