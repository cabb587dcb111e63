//! What a machine can do: how sliders are looked up on it, and code compiled for it.

use vezir_chess::{Portable, Sliders};

/// A proof that some instructions are there.
pub(crate) trait Machine: Copy {
    /// The way to look sliders up on this machine.
    type Sliders: Sliders;

    fn sliders(self) -> Self::Sliders;

    /// Does `work` in a function of its own, compiled for this machine.
    fn apart<W: Work>(self, work: W) -> W::Done;

    /// The same for a task.
    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        self.apart(On { machine: self, task })
    }
}

/// What is compiled for each machine. A closure would not do: it is compiled for the least of them.
pub(crate) trait Work {
    type Done;

    /// Always to be inlined.
    fn done(self) -> Self::Done;
}

/// What can be compiled for any machine, and learns for which where it is run.
pub(crate) trait Task {
    /// What it ends with.
    type Output;

    /// Always to be inlined.
    fn run<M: Machine>(self, machine: M) -> Self::Output;
}

/// A task on one machine.
struct On<M, T> {
    machine: M,
    task: T,
}

impl<M: Machine, T: Task> Work for On<M, T> {
    type Done = T::Output;

    #[inline(always)]
    fn done(self) -> T::Output {
        self.task.run(self.machine)
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

    #[inline(never)]
    fn apart<W: Work>(self, work: W) -> W::Done {
        work.done()
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use vezir_chess::Pext;

    use super::{Machine, Work};

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
        fn apart<W: Work>(self, work: W) -> W::Done {
            // SAFETY: `detect` is the one source of `Avx2` and saw every feature that `run` enables.
            unsafe { run(work) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline(never)]
    fn run<W: Work>(work: W) -> W::Done {
        work.done()
    }
}
