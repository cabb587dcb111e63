//! The third stage: reports what was found out, in the order in which it was, and gives back what was not.

use std::sync::Arc;

use tokio::sync::mpsc;
use vezir_jobs::Tally;
use vezir_jobs::ledger::{Found, Told};
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::{Malformed, unit_report};

use crate::failure::{Failure, WorkerError};
use crate::lease::Lease;
use crate::link::Link;

/// The most results of one report: those that came while the one before it was under way.
const REPORT_UNITS: usize = 64;

/// What the counting stage has to say of a lease.
pub(crate) struct Word {
    pub(crate) lease: Arc<Lease>,
    /// A unit and what was found out about it; `None`: nothing more is counted under this lease.
    pub(crate) found: Option<(u32, Found<Tally>)>,
}

/// Reports for as long as there is something to say.
pub(crate) async fn report(link: &Link, mut words: mpsc::Receiver<Word>) -> Result<(), WorkerError> {
    let mut said = Vec::with_capacity(REPORT_UNITS);
    while words.recv_many(&mut said, REPORT_UNITS).await > 0 {
        link.metrics.results_waiting(said.len() + words.len());
        let mut rest = std::mem::take(&mut said).into_iter().peekable();
        while let Some(Word { lease, found }) = rest.next() {
            match found {
                None => finish(link, &lease).await?,
                Some(first) => {
                    let mut units = vec![first];
                    let same = |word: &Word| Arc::ptr_eq(&word.lease, &lease) && word.found.is_some();
                    while let Some(word) = rest.next_if(same) {
                        units.extend(word.found);
                    }
                    report_units(link, &lease, units).await?;
                }
            }
        }
        link.metrics.results_waiting(words.len());
    }
    Ok(())
}

/// Gives back what is left of a lease: units that were cut off, stopped or never begun.
async fn finish(link: &Link, lease: &Lease) -> Result<(), WorkerError> {
    if lease.is_over() { Ok(()) } else { link.release(lease).await }
}

/// Reports units of one lease, and hears whether it goes on.
async fn report_units(
    link: &Link,
    lease: &Lease,
    units: Vec<(u32, Found<Tally>)>,
) -> Result<(), WorkerError> {
    if lease.is_forgotten() {
        return Ok(());
    }
    let count = units.len();
    let units = units.into_iter().map(|(unit, found)| unit_report(unit, found)).collect();
    let answer = link.report(lease, units).await;
    let Err(failure) = answer.and_then(|answer| Ok(hear(link, lease, count, answer)?)) else { return Ok(()) };
    let failure = failure.survived()?;
    tracing::warn!(run = %lease.job.run, attempt = %lease.job.attempt, %failure, "results are lost");
    if !matches!(failure, Failure::Unanswered(_)) {
        // What is left is given back when the count has stopped.
        lease.abandon();
    }
    Ok(())
}

fn hear(link: &Link, lease: &Lease, count: usize, answer: wire::ReportResponse) -> Result<(), Malformed> {
    let told = answer.told().map(Told::try_from).collect::<Result<Vec<Told>, Malformed>>()?;
    if told.len() != count {
        return Err(Malformed::Range("told"));
    }
    told.into_iter().for_each(|told| link.metrics.told(told));
    link.held.hear(lease, answer.lease)?;
    Ok(())
}
