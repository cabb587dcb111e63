//! When answers differ: which of them stands, and who was outvoted.

use super::{Answer, Conflict, Finding, Found, Ledger, Rows, Run, Standing};
use crate::WorkerId;

/// How many workers must say the same to outvote another.
const MAJORITY: usize = 2;

/// What came of comparing the answers to one unit.
#[derive(Default)]
pub(super) struct Weighed {
    /// Whether they have come to differ.
    pub(super) new: bool,
    /// Who said something else than the majority.
    pub(super) outvoted: Vec<WorkerId>,
}

/// Those who say the same about a unit.
struct Side<A> {
    answer: A,
    workers: Vec<WorkerId>,
}

impl<R: Rows> Ledger<'_, R> {
    /// Compares the answers to a unit, once it is counted. Where they differ that is recorded, and once two workers stand
    /// against one their answer is what counts.
    pub(super) fn weigh(&mut self, run: &mut Run<R::Answer>, unit: u32) -> Result<Weighed, R::Error> {
        let mut findings = self.rows.findings(run.id, unit..unit + 1)?;
        findings.retain(|it| matches!(it.standing, Standing::Counted | Standing::Vote));
        let sides = sides(&findings);
        let open = self.rows.undecided(run.id)?.iter().any(|it| it.unit == unit);
        let conflict = |decided| Conflict { run: run.id, unit, decided };
        let counted = findings.iter().any(|it| it.standing == Standing::Counted);
        if sides.len() < 2 || !counted {
            if open {
                self.rows.put_conflict(&conflict(true))?;
            }
            return Ok(Weighed::default());
        }
        let Some(winner) = majority(&sides) else {
            self.rows.put_conflict(&conflict(false))?;
            return Ok(Weighed { new: !open, outvoted: Vec::new() });
        };
        self.rows.put_conflict(&conflict(true))?;
        let outvoted = sides.iter().filter(|it| !it.answer.agrees(&winner.answer));
        let outvoted = outvoted.flat_map(|it| it.workers.iter().copied()).collect();
        self.crown(run, findings, &winner.answer)?;
        Ok(Weighed { new: false, outvoted })
    }

    /// Lets `answer` be the one that counts, if the unit is counted.
    fn crown(
        &mut self,
        run: &mut Run<R::Answer>,
        findings: Vec<Finding<R::Answer>>,
        answer: &R::Answer,
    ) -> Result<(), R::Error> {
        let says = |it: &Finding<R::Answer>| matches!(&it.found, Found::Answer(said) if said.agrees(answer));
        let Some(counted) = findings.iter().find(|it| it.standing == Standing::Counted) else {
            return Ok(());
        };
        if says(counted) {
            return Ok(());
        }
        if let Some(right) = findings.iter().find(|it| says(it)) {
            self.rows.put_finding(&Finding { standing: Standing::Vote, ..counted.clone() })?;
            self.rows.put_finding(&Finding { standing: Standing::Counted, ..right.clone() })?;
            self.recount(run)?;
        }
        Ok(())
    }
}

fn sides<A: Answer>(findings: &[Finding<A>]) -> Vec<Side<A>> {
    let mut sides: Vec<Side<A>> = Vec::new();
    for finding in findings {
        let Found::Answer(answer) = &finding.found else { continue };
        match sides.iter_mut().find(|side| side.answer.agrees(answer)) {
            Some(side) if side.workers.contains(&finding.worker) => {}
            Some(side) => side.workers.push(finding.worker),
            None => sides.push(Side { answer: answer.clone(), workers: vec![finding.worker] }),
        }
    }
    sides
}

fn majority<A>(sides: &[Side<A>]) -> Option<&Side<A>> {
    let largest = sides.iter().max_by_key(|side| side.workers.len())?;
    let as_large = sides.iter().filter(|side| side.workers.len() == largest.workers.len()).count();
    (as_large == 1 && largest.workers.len() >= MAJORITY).then_some(largest)
}
