//! What is submitted: a request, who asks, and how far its results are to be trusted.

use std::sync::Arc;

use crate::{Outline, PerftRequest, Task, VerifyRequest};

/// A run as it was asked for. It never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submission {
    /// What is asked.
    pub request: Request,
    /// Who asks: the name in the token that came with it.
    pub owner: String,
    /// How many of its results are counted again by others.
    pub verify: Verify,
    /// What decides which ones are, drawn by the coordinator; workers are not told.
    pub seed: u64,
}

/// What may be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// A count.
    Perft(PerftRequest),
    /// The examination of an engine's move generator.
    Verify(Box<VerifyRequest>),
}

impl Request {
    /// Whether its units are known from the start.
    pub const fn kind(&self) -> Kind {
        match self {
            Request::Perft(_) | Request::Verify(_) => Kind::Bounded,
        }
    }

    /// What a worker is to do with the units of a run so outlined.
    pub fn task(&self, outline: &Outline) -> Task {
        match self {
            Request::Perft(perft) => Task::Count(perft.task(outline)),
            Request::Verify(verify) => Task::Examine(Arc::new(verify.examination())),
        }
    }
}

/// Whether the units of a run are known from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Perft and verification: fixed units whose results can be compared. Work may be taken from its holder.
    Bounded,
    /// Matches: units come into being when first leased, and two plays of one are two different games.
    Open,
}

/// How many of a run's results are counted again by another worker.
///
/// Another owner's worker is asked where one works on the run, else any other worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verify {
    /// None but those that two workers happened to bring.
    #[default]
    Not,
    /// A sample: every result of a worker until [`Verify::TRUSTED`] in a row agreed, then ever fewer, and
    /// never fewer than one in [`Verify::FLOOR`].
    Sample,
    /// Every one.
    All,
}

impl Verify {
    /// After how many results in a row in which others agreed a sample begins to thin out. One who lies in
    /// one result of fifty is then missed by one sample in a thousand where he brought 650 results.
    pub const TRUSTED: u32 = 100;

    /// A sample never has less than one result in so many.
    pub const FLOOR: u32 = 10;

    /// Whether a result is to be counted again, whose worker was agreed with `agreed` times in a row; `dice`
    /// is drawn from all 64 bits.
    pub fn chooses(self, agreed: u32, dice: u64) -> bool {
        // One in `every`, in units of 1 / TRUSTED so that it thins out smoothly.
        let every = agreed.clamp(Verify::TRUSTED, Verify::TRUSTED * Verify::FLOOR);
        match self {
            Verify::Not => false,
            Verify::All => true,
            Verify::Sample => dice % u64::from(every) < u64::from(Verify::TRUSTED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verify;

    #[test]
    fn a_sample_thins_out_down_to_its_floor() {
        let chosen = |agreed| (0..100_000).filter(|dice| Verify::Sample.chooses(agreed, *dice)).count();
        assert_eq!([0, 50, 100, 200, 500].map(chosen), [100_000, 100_000, 100_000, 50_000, 20_000]);
        assert_eq!([1_000, 1_000_000].map(chosen), [10_000, 10_000]);
    }

    #[test]
    fn all_and_nothing_are_what_they_say() {
        assert!((0..100).all(|dice| Verify::All.chooses(1_000_000, dice)));
        assert!(!(0..100).any(|dice| Verify::Not.chooses(0, dice)));
    }
}
