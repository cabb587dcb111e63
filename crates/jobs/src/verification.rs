//! A verification: which engine is asked about which positions, and how closely its faults are looked at.

use vezir_verify::Subject;

use crate::Engine;

/// A verification as it is submitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyRequest {
    /// Who is asked.
    pub engine: Engine,
    /// About what.
    pub subject: Subject,
    /// Whether an example of every kind of fault is looked for at each place; else the first is enough.
    pub all: bool,
    /// Whether the smallest position is looked for that still shows a fault.
    pub shrink: bool,
}

/// What is to be done with each place of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination {
    /// Who is asked.
    pub engine: Engine,
    /// As in [`VerifyRequest::all`].
    pub all: bool,
    /// As in [`VerifyRequest::shrink`].
    pub shrink: bool,
}

impl VerifyRequest {
    /// What a worker is to do with each place.
    pub fn examination(&self) -> Examination {
        let VerifyRequest { engine, all, shrink, .. } = self;
        Examination { engine: engine.clone(), all: *all, shrink: *shrink }
    }
}
