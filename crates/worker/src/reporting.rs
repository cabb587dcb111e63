//! The third stage: reports what was found out, in the order in which it was.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::mpsc;
use tonic::transport::Channel;
use vezir_jobs::Standing;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::workers_client::WorkersClient;

use crate::WorkerError;
use crate::counting::Found;

/// The most results of one report: those that came while the one before it was under way.
const REPORT_UNITS: usize = 64;

/// Reports results for as long as some come.
pub(crate) async fn report(
    mut client: WorkersClient<Channel>,
    mut results: mpsc::Receiver<Found>,
) -> Result<(), WorkerError> {
    let mut found = Vec::with_capacity(REPORT_UNITS);
    while results.recv_many(&mut found, REPORT_UNITS).await > 0 {
        let mut rest = std::mem::take(&mut found);
        while !rest.is_empty() {
            let job = rest[0].job.clone();
            let others = rest.iter().position(|other| !Arc::ptr_eq(&other.job, &job)).unwrap_or(rest.len());
            let later = rest.split_off(others);
            report_job(&mut client, rest).await?;
            rest = later;
        }
    }
    Ok(())
}

/// Reports results of one job, and stops it where they are not wanted any longer.
async fn report_job(client: &mut WorkersClient<Channel>, found: Vec<Found>) -> Result<(), WorkerError> {
    let Some(Found { job, stop, .. }) = found.first() else { return Ok(()) };
    let (job, stop) = (job.clone(), stop.clone());
    let units = found.into_iter().map(|found| found.report.into()).collect();
    let request = wire::ReportRequest { run: job.run.0, attempt: job.attempt.0, units };
    for standing in client.report(request).await?.into_inner().standings() {
        if Standing::try_from(standing)? == Standing::Stale && !stop.swap(true, Ordering::Relaxed) {
            tracing::debug!(run = %job.run, attempt = %job.attempt, "job not wanted any longer");
        }
    }
    Ok(())
}
