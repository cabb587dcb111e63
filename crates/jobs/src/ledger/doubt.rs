//! What is not taken on trust: which results others look at, and which answer stands where they differ.

use super::{Answer, Cause, Doubt, Finding, Found, Lease, Ledger, Rows, Run, Standing};
use crate::{Verify, WorkerId};

/// How many workers must say the same to settle a doubt, or to outvote another.
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
    /// Has a result that has just been counted looked at by another worker, if it is chosen for that.
    pub(super) fn check(
        &mut self,
        run: &mut Run<R::Answer>,
        lease: &Lease,
        unit: u32,
    ) -> Result<(), R::Error> {
        if run.verify == Verify::Not {
            return Ok(());
        }
        let agreed = self.rows.trust(run.id, lease.worker)?;
        let dice = dice(run.seed, unit, lease.attempt.0);
        if !run.verify.chooses(agreed, dice) {
            return Ok(());
        }
        self.doubt(run, unit, Cause::Check, false)
    }

    /// Compares the answers to a unit, once it is counted. Where they differ that is recorded, and once two
    /// workers stand against one their answer is what counts.
    pub(super) fn weigh(&mut self, run: &mut Run<R::Answer>, unit: u32) -> Result<Weighed, R::Error> {
        let mut findings = self.rows.findings(run.id, unit..unit + 1)?;
        findings.retain(is_heard);
        let doubt = self.rows.doubt(run.id, unit)?;
        let Some(counted) = findings.iter().find(|it| it.standing == Standing::Counted) else {
            return self.settle_doubt(run, doubt).map(|()| Weighed::default());
        };
        let (sides, holder) = (sides(&findings), counted.worker);
        if let [side] = sides.as_slice() {
            let agreed = side.workers.len() >= MAJORITY;
            return self.agree(run, doubt, holder, agreed).map(|()| Weighed::default());
        }
        let Some(winner) = majority(&sides) else {
            let new = doubt.is_none_or(|it| it.settled || it.cause != Cause::Conflict);
            self.doubt(run, unit, Cause::Conflict, false)?;
            return Ok(Weighed { new, outvoted: Vec::new() });
        };
        self.doubt(run, unit, Cause::Conflict, true)?;
        let outvoted = losers(&sides, winner);
        self.crown(run, findings, &winner.answer)?;
        Ok(Weighed { new: false, outvoted })
    }

    /// All answers to a unit are the same: a doubt about it is settled, unless it waits for a second one. Where
    /// those who settled it are trusted no longer it does so again.
    fn agree(
        &mut self,
        run: &mut Run<R::Answer>,
        doubt: Option<Doubt>,
        holder: WorkerId,
        agreed: bool,
    ) -> Result<(), R::Error> {
        let Some(doubt) = doubt else { return Ok(()) };
        if agreed && doubt.settled {
            return Ok(());
        }
        if agreed && doubt.cause == Cause::Check {
            let before = self.rows.trust(run.id, holder)?;
            self.rows.put_trust(run.id, holder, before.saturating_add(1))?;
        }
        match run.verify {
            _ if agreed => self.settle_doubt(run, Some(doubt)),
            // Those who said something else are trusted no longer, or those who said the same: somebody else is
            // asked.
            Verify::Sample | Verify::All => self.doubt(run, doubt.unit, Cause::Check, false),
            Verify::Not => self.settle_doubt(run, Some(doubt)),
        }
    }

    fn settle_doubt(&mut self, run: &mut Run<R::Answer>, doubt: Option<Doubt>) -> Result<(), R::Error> {
        doubt.map_or(Ok(()), |doubt| self.doubt(run, doubt.unit, doubt.cause, true))
    }

    /// Writes a doubt, and keeps the numbers of those that are open.
    fn doubt(
        &mut self,
        run: &mut Run<R::Answer>,
        unit: u32,
        cause: Cause,
        settled: bool,
    ) -> Result<(), R::Error> {
        let before = self.rows.doubt(run.id, unit)?;
        let after = Doubt { run: run.id, unit, cause, settled };
        let open = |it: &Doubt| u32::from(!it.settled);
        let differs = |it: &Doubt| u32::from(!it.settled && it.cause == Cause::Conflict);
        run.doubts = run.doubts + open(&after) - before.as_ref().map_or(0, open);
        run.conflicts = run.conflicts + differs(&after) - before.as_ref().map_or(0, differs);
        self.rows.put_doubt(&after)
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

/// Who said something else about a unit than most did, by all that was found out about it: those whom a report
/// named as suspects, until they are quarantined.
pub fn outvoted<A: Answer>(findings: &[Finding<A>]) -> Vec<WorkerId> {
    if !findings.iter().any(|it| it.standing == Standing::Counted) {
        return Vec::new();
    }
    let sides = sides(findings.iter().filter(|it| is_heard(it)));
    majority(&sides).map(|winner| losers(&sides, winner)).unwrap_or_default()
}

/// Whether what was found out is compared with what others found.
const fn is_heard<A>(finding: &Finding<A>) -> bool {
    matches!(finding.standing, Standing::Counted | Standing::Vote)
}

fn sides<'f, A: Answer + 'f>(findings: impl IntoIterator<Item = &'f Finding<A>>) -> Vec<Side<A>> {
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

fn losers<A: Answer>(sides: &[Side<A>], winner: &Side<A>) -> Vec<WorkerId> {
    let losers = sides.iter().filter(|it| !it.answer.agrees(&winner.answer));
    losers.flat_map(|it| it.workers.iter().copied()).collect()
}

/// A throw that depends on the seed in every bit: the finalizer of MurmurHash3, once for each number.
fn dice(seed: u64, unit: u32, attempt: u64) -> u64 {
    [u64::from(unit), attempt].into_iter().fold(seed, |mixed, number| {
        let mixed = (mixed ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        mixed ^ (mixed >> 33)
    })
}
