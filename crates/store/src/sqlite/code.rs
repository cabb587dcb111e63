//! How values are written in a column: numbers as bytes, kinds as words, replies as JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use vezir_chess::Move;
use vezir_jobs::ledger::{Cause, End, Purpose, Reply, Standing, State, WorkerState};
use vezir_jobs::{Kind, Verify};
use vezir_perft::{Breakdown, Figures};

/// Bytes of one root move and its count.
const SHARE_BYTES: usize = 18;

/// Something that is written as one of a few words.
pub(super) trait Word: Copy + PartialEq + Sized + 'static {
    /// All of them. The words are stored: they must not change.
    const WORDS: &'static [(Self, &'static str)];

    /// Its word.
    fn word(self) -> &'static str {
        // Each value has a word: a test counts them.
        Self::WORDS.iter().find(|(it, _)| *it == self).map_or("", |(_, word)| word)
    }

    /// What the word stands for.
    fn of(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, it)| *it == word).map(|(it, _)| *it)
    }
}

impl Word for Kind {
    const WORDS: &'static [(Kind, &'static str)] = &[(Kind::Bounded, "bounded"), (Kind::Open, "open")];
}

impl Word for Verify {
    const WORDS: &'static [(Verify, &'static str)] =
        &[(Verify::Not, "not"), (Verify::Sample, "sample"), (Verify::All, "all")];
}

impl Word for State {
    const WORDS: &'static [(State, &'static str)] = &[
        (State::Planning, "planning"),
        (State::Running, "running"),
        (State::Disputed, "disputed"),
        (State::Done, "done"),
        (State::Cancelled, "cancelled"),
        (State::Overflowed, "overflowed"),
        (State::Failed, "failed"),
    ];
}

impl Word for WorkerState {
    const WORDS: &'static [(WorkerState, &'static str)] = &[
        (WorkerState::Active, "active"),
        (WorkerState::Paused, "paused"),
        (WorkerState::Quarantined, "quarantined"),
    ];
}

impl Word for Purpose {
    const WORDS: &'static [(Purpose, &'static str)] =
        &[(Purpose::Count, "count"), (Purpose::Again, "again"), (Purpose::Opinion, "opinion")];
}

impl Word for End {
    const WORDS: &'static [(End, &'static str)] = &[
        (End::Finished, "finished"),
        (End::Released, "released"),
        (End::Expired, "expired"),
        (End::Stuck, "stuck"),
        (End::Overdue, "overdue"),
        (End::Replaced, "replaced"),
        (End::Quarantined, "quarantined"),
        (End::RunEnded, "run ended"),
    ];
}

impl Word for Standing {
    const WORDS: &'static [(Standing, &'static str)] = &[
        (Standing::Counted, "counted"),
        (Standing::Vote, "vote"),
        (Standing::Failed, "failed"),
        (Standing::Aside, "aside"),
        (Standing::Void, "void"),
    ];
}

impl Word for Cause {
    const WORDS: &'static [(Cause, &'static str)] = &[(Cause::Check, "check"), (Cause::Conflict, "conflict")];
}

/// Nanoseconds that fit in a column; what is longer than 292 years is cut to that.
pub(super) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).min(i64::MAX.unsigned_abs())
}

/// A divide: each move and its count, in the order of the moves.
pub(super) fn divide(divide: &BTreeMap<Move, u128>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(divide.len() * SHARE_BYTES);
    for (root, nodes) in divide {
        bytes.extend(root.bits().to_be_bytes());
        bytes.extend(nodes.to_be_bytes());
    }
    bytes
}

/// The divide of some bytes; `None` if they are none.
pub(super) fn read_divide(bytes: &[u8]) -> Option<BTreeMap<Move, u128>> {
    let mut divide = BTreeMap::new();
    let (shares, rest) = bytes.as_chunks::<SHARE_BYTES>();
    for share in shares {
        let (root, nodes) = share.split_first_chunk::<2>()?;
        divide
            .insert(Move::from_bits(u16::from_be_bytes(*root))?, u128::from_be_bytes(nodes.try_into().ok()?));
    }
    rest.is_empty().then_some(divide)
}

/// The eight counts of a breakdown.
pub(super) fn breakdown(breakdown: &Breakdown) -> Vec<u8> {
    breakdown.cells().into_iter().flat_map(u128::to_be_bytes).collect()
}

/// The breakdown of 128 bytes; `None` if they are fewer or more.
pub(super) fn read_breakdown(bytes: &[u8]) -> Option<Breakdown> {
    let (cells, rest) = bytes.as_chunks::<16>();
    let cells: Vec<u128> = cells.iter().map(|cell| u128::from_be_bytes(*cell)).collect();
    let cells = cells.try_into().ok()?;
    rest.is_empty().then(|| Breakdown::from_cells(cells))
}

/// The three numbers of figures.
pub(super) fn figures(figures: Figures) -> Vec<u8> {
    [figures.walked, figures.probes, figures.hits].into_iter().flat_map(u64::to_be_bytes).collect()
}

/// The figures of 24 bytes.
pub(super) fn read_figures(bytes: &[u8; 24]) -> Figures {
    let (numbers, _) = bytes.as_chunks::<8>();
    let number = |place: usize| numbers.get(place).map_or(0, |it| u64::from_be_bytes(*it));
    Figures { walked: number(0), probes: number(1), hits: number(2) }
}

/// A reply as JSON.
pub(super) fn reply(reply: &Reply) -> Result<String, serde_json::Error> {
    serde_json::to_string(reply)
}

/// The reply of some JSON, or a sentence.
pub(super) fn read_reply(text: &str) -> Result<Reply, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
