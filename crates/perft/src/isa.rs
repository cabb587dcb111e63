//! Which instructions a count may use: detected once, where the count begins, and compiled in from there.

use vezir_chess::{Portable, Position};

use crate::tree::{self, Machine, Task, Tree};

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
                Some(machine) => machine.below(tree, position, depth),
                None => Baseline.below(tree, position, depth),
            },
            _ => Baseline.below(tree, position, depth),
        };
        tree.tell(0);
        nodes
    }

    /// A task, done with these instructions.
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => match Avx2::detect() {
                Some(machine) => machine.enter(task),
                None => Baseline.enter(task),
            },
            _ => Baseline.enter(task),
        }
    }
}

/// No instruction beyond the architecture's least.
#[derive(Clone, Copy)]
pub(crate) struct Baseline;

impl Machine for Baseline {
    type Sliders = Portable;

    #[inline(always)]
    fn sliders(self) -> Portable {
        Portable
    }

    fn below(self, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
        tree::below(self, tree, position, depth)
    }

    fn enter<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use vezir_chess::{Pext, Position};

    use super::{Machine, Task, Tree, tree};

    /// AVX2, BMI1, BMI2, LZCNT and POPCNT: a value exists only where all five are.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(Pext);

    impl Avx2 {
        pub(crate) fn detect() -> Option<Avx2> {
            let rest = std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("bmi1")
                && std::arch::is_x86_feature_detected!("lzcnt")
                && std::arch::is_x86_feature_detected!("popcnt");
            Pext::detect().filter(|_| rest).map(Avx2)
        }
    }

    impl Machine for Avx2 {
        type Sliders = Pext;

        #[inline(always)]
        fn sliders(self) -> Pext {
            self.0
        }

        #[inline(always)]
        fn below(self, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
            // SAFETY: `detect` is the one source of `Avx2` and saw every feature that `below` enables.
            unsafe { below(self, tree, position, depth) }
        }

        #[inline(always)]
        fn enter<T: Task>(self, task: T) -> T::Output {
            // SAFETY: as in `below`.
            unsafe { enter(self, task) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn below(machine: Avx2, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
        tree::below(machine, tree, position, depth)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn enter<T: Task>(machine: Avx2, task: T) -> T::Output {
        task.run(machine)
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
