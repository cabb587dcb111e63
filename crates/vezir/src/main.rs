//! The one executable: a cluster that verifies chess move generators.
//!
//! **Owns** the command line, the wiring of coordinator, worker and store, and all output.
//!
//! **Never** counts, decides about runs, or speaks gRPC except through `client.rs`.
//!
//! **Start reading at** [`main`].

mod client;
mod embedded;
mod pipe;

use std::num::NonZero;
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail};
use futures::StreamExt;
use vezir_chess::Position;
use vezir_jobs::{Outcome, PerftRequest};
use vezir_worker::Settings;

use crate::embedded::Cluster;

/// The hash table of the worker, in bytes.
const HASH_BYTES: u64 = 1 << 30;

fn main() -> Result<()> {
    vezir_telemetry::start(
        &std::env::var("VEZIR_LOG").unwrap_or("warn".into()),
        vezir_telemetry::Format::Text,
    )?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, depth] = arguments.as_slice() else { bail!("usage: vezir perft DEPTH") };
    if command != "perft" {
        bail!("usage: vezir perft DEPTH");
    }
    let request = PerftRequest::new(Position::startpos(), depth.parse().context("DEPTH is a number")?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let counted = runtime.block_on(perft(request));
    // A plan in the making cannot be stopped, and nobody waits for it any longer.
    runtime.shutdown_background();
    counted
}

async fn perft(request: PerftRequest) -> Result<()> {
    let threads = available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let cluster = Cluster::start(Settings { threads, hash_bytes: HASH_BYTES })?;
    let run = cluster.client().submit(request).await?;
    let mut progress = cluster.client().watch(run).await?;
    while let Some(told) = progress.next().await {
        match told?.outcome {
            Some(Outcome::Done(answer)) => println!("{}", answer.nodes),
            Some(ended) => bail!("{ended:?}"),
            None => {}
        }
    }
    cluster.stop().await;
    Ok(())
}
