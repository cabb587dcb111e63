//! Which instructions a count may use: detected once, where the count begins, and compiled in from there.

use std::fmt;
use std::str::FromStr;

use vezir_chess::Position;

#[cfg(target_arch = "x86_64")]
use crate::machine::Avx2;
use crate::machine::{Baseline, Machine, Task};
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
    /// Every one, each better than those before it.
    pub const ALL: [Isa; 2] = [Isa::Baseline, Isa::Avx2];

    /// What it is called, in one lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Baseline => "baseline",
            Isa::Avx2 => "avx2",
        }
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Isa::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Avx2::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 => false,
        }
    }

    /// Those that this machine has, the best one last.
    pub fn available() -> impl Iterator<Item = Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available())
    }

    /// The best that this machine has.
    pub fn detect() -> Isa {
        Isa::available().last().unwrap_or(Isa::Baseline)
    }

    /// The same, where this machine has it.
    ///
    /// # Errors
    /// [`IsaError::Lacking`] where it does not.
    pub fn here(self) -> Result<Isa, IsaError> {
        if self.is_available() { Ok(self) } else { Err(IsaError::Lacking(self)) }
    }

    /// Leaves `depth` plies below `position`, counted by `tree` with these instructions.
    pub(crate) fn count(self, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
        let nodes = self.run(Count { tree: &mut *tree, position, depth });
        tree.tell(0);
        nodes
    }

    /// Does a task with these instructions.
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => match Avx2::detect() {
                Some(machine) => task.run(machine),
                None => task.run(Baseline),
            },
            _ => task.run(Baseline),
        }
    }
}

/// The count of one tree.
struct Count<'a, 't> {
    tree: &'a mut Tree<'t>,
    position: &'a Position,
    depth: u32,
}

impl Task for Count<'_, '_> {
    type Output = u128;

    fn run<M: Machine>(self, machine: M) -> u128 {
        tree::below(machine, self.tree, self.position, self.depth)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    /// Reads a name, whether or not this machine has what it names.
    fn from_str(word: &str) -> Result<Isa, IsaError> {
        Isa::ALL.into_iter().find(|isa| isa.name().eq_ignore_ascii_case(word)).ok_or(IsaError::Unknown)
    }
}

/// Why no count can use an instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IsaError {
    /// A word names none.
    #[error("that is no instruction set; {} would be right", those_here())]
    Unknown,
    /// This machine has other ones.
    #[error("this machine lacks {0}; {there} would be right", there = those_here())]
    Lacking(Isa),
}

/// Those that this machine has, as a sentence names them.
fn those_here() -> String {
    let names: Vec<&str> = Isa::available().map(Isa::name).collect();
    let listed = match names.split_last() {
        Some((best, rest)) if !rest.is_empty() => format!("{} or {best}", rest.join(", ")),
        _ => names.concat(),
    };
    format!("{listed}, which this machine has,")
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
        for isa in Isa::ALL {
            let (stop, walked) = (AtomicBool::new(false), AtomicU64::new(0));
            let mut tree = Tree::new(&root, None, &stop, &walked);
            assert_eq!(isa.count(&mut tree, &root, 3), 97_862, "{isa}");
            assert_eq!(tree.figures, Figures { walked: 97_862, ..Figures::default() });
            assert_eq!(walked.into_inner(), 97_862, "told at the end");
        }
    }

    #[test]
    fn each_is_read_by_its_name() {
        for isa in Isa::ALL {
            assert_eq!((isa.to_string().parse(), isa.name().to_uppercase().parse()), (Ok(isa), Ok(isa)));
            assert_eq!(isa.here().is_ok(), Isa::available().any(|other| other == isa));
        }
        assert_eq!("".parse::<Isa>(), Err(IsaError::Unknown));
        assert_eq!(Isa::available().next(), Some(Isa::Baseline));
    }

    #[test]
    fn whoever_asks_for_too_much_learns_what_there_is() {
        for sentence in [IsaError::Unknown.to_string(), IsaError::Lacking(Isa::Avx2).to_string()] {
            assert!(Isa::available().all(|isa| sentence.contains(isa.name())), "{sentence}");
            assert!(sentence.ends_with("which this machine has, would be right"), "{sentence}");
        }
    }
}
