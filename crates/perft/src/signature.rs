//! One number that pins what counting does, so that nobody changes it unknowingly.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use crate::{CountError, Counter, Figures, Isa, NAMED, SHUFFLED, Slot, StartError};

/// Plies that are counted without a table.
const PLAIN_DEPTH: u32 = 4;

/// Plies that are counted with one.
const HASHED_DEPTH: u32 = 5;

/// A table so small that it forgets all the time: what it replaces is pinned as well.
const HASH_BYTES: u64 = 1 << 18;

/// What one thread does with a few positions, with a table and without, in 32 bits: nodes, leaves walked, look-ups
/// in the table and their answers.
///
/// It is the same on every machine and with all instructions, whatever is asked of other counts. Where it
/// changes, counting was changed: its test holds the number, and says how to renew it.
///
/// # Errors
/// [`SignatureError`] where a thread or memory is lacking, or `stop` is raised.
pub fn signature(isa: Isa, stop: &AtomicBool) -> Result<u32, SignatureError> {
    let mut counter = Counter::new(NonZero::<usize>::MIN)?.with_isa(isa)?;
    let mut digest = Digest::new();
    for position in NAMED.into_iter().chain(SHUFFLED).filter_map(|named| named.position()) {
        let root = [Slot { position: position.pack(), shares: Vec::new() }];
        for (hash_bytes, depth) in [(0, PLAIN_DEPTH), (HASH_BYTES, HASHED_DEPTH)] {
            // Nothing may be known from the count before.
            counter.reserve(0)?;
            counter.reserve(hash_bytes)?;
            let counted = counter.count(&root, depth, false, stop)?;
            let Figures { walked, probes, hits } = counted.figures;
            digest.add(counted.answer.nodes);
            for figure in [walked, probes, hits] {
                digest.add(figure.into());
            }
        }
    }
    Ok(digest.0)
}

/// The FNV-1a hash of numbers.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm", 1991.
struct Digest(u32);

impl Digest {
    const fn new() -> Digest {
        Digest(0x811C_9DC5)
    }

    fn add(&mut self, number: u128) {
        let mix = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        self.0 = number.to_le_bytes().into_iter().fold(self.0, mix);
    }
}

/// Why there is no signature.
#[derive(Debug, thiserror::Error)]
pub enum SignatureError {
    /// The counter could not be made.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A count had no answer.
    #[error(transparent)]
    Count(#[from] CountError),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The signature of how counting is done now.
    ///
    /// Whoever changes on purpose what is walked, looked up, kept or replaced puts the number here that the
    /// test then tells (`cargo test -p vezir-perft signature`, or the last line of `vezir bench`).
    const SIGNATURE: u32 = 1_688_880_389;

    #[test]
    fn counting_is_done_as_it_was_by_all_instructions() {
        for isa in Isa::available() {
            let signature = signature(isa, &AtomicBool::new(false)).expect("a signature");
            assert_eq!(signature, SIGNATURE, "by {isa}: was counting changed on purpose?");
        }
    }

    #[test]
    fn a_raised_stop_ends_it() {
        let ended = signature(Isa::Baseline, &AtomicBool::new(true));
        assert!(matches!(ended, Err(SignatureError::Count(CountError::Stopped))), "{ended:?}");
    }

    #[test]
    fn numbers_are_digested_as_published() {
        let mut digest = Digest::new();
        assert_eq!(digest.0, 0x811C_9DC5);
        digest.add(0);
        assert_eq!(digest.0, (0..16).fold(0x811C_9DC5_u32, |hash, _| hash.wrapping_mul(0x0100_0193)));
    }
}
