//! Which instructions a count may use: detected once, where the count begins, and compiled in from there.

use vezir_chess::Position;

#[cfg(target_arch = "x86_64")]
use crate::machine::Avx2;
use crate::machine::Baseline;
use crate::tree::{self, Tree};

/// An instruction set that counting was compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// What every machine of this architecture has.
    Baseline,
    /// x86-64 with AVX2, BMI2 and POPCNT, as every one since Haswell and Zen.
    Avx2,
}

impl Isa {
    /// The best that this machine has.
    pub fn detect() -> Isa {
        #[cfg(target_arch = "x86_64")]
        if Avx2::detect().is_some() {
            return Isa::Avx2;
        }
        Isa::Baseline
    }

    /// Leaves `depth` plies below `position`, counted by `tree` with these instructions.
    pub(crate) fn count(self, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
        let nodes = match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => match Avx2::detect() {
                Some(machine) => tree::below(machine, tree, position, depth),
                None => tree::below(Baseline, tree, position, depth),
            },
            _ => tree::below(Baseline, tree, position, depth),
        };
        tree.tell(0);
        nodes
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::Figures;

    #[test]
    fn every_instruction_set_counts_the_same() {
        let root = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
            .parse()
            .expect("a position");
        for isa in [Isa::Baseline, Isa::Avx2, Isa::detect()] {
            let (stop, walked) = (AtomicBool::new(false), AtomicU64::new(0));
            let mut tree = Tree::new(&root, None, &stop, &walked);
            assert_eq!(isa.count(&mut tree, &root, 3), 97_862, "{isa:?}");
            assert_eq!(tree.figures, Figures { walked: 97_862, ..Figures::default() });
            assert_eq!(walked.into_inner(), 97_862, "told at the end");
        }
    }
}
