//! `vezir perft`: counts one position and tells what came out.

use vezir_jobs::Verify;

use crate::args::{PerftArgs, VerifyArg};
use crate::desk::{Desk, Request};
use crate::exit::{Exit, Failure};
use crate::progress::Progress;
use crate::report::{Published, Report};
use crate::root::Root;

/// Counts in this process that surely have fewer leaves than this are over before anybody could interrupt them:
/// their run is not kept.
const WORTH_KEEPING: f64 = 2e9;

/// Counts, prints the answer and tells time, speed and how the count stands to the published one.
pub(crate) async fn run(args: PerftArgs) -> Result<Exit, Failure> {
    let root = Root::from_args(&args.root)?.after(&args.moves)?;
    let remote = Desk::elsewhere(&args.dial).await?;
    let request = Request {
        position: root.position,
        depth: args.depth,
        split: args.split,
        units: args.units,
        breakdown: args.breakdown.is_some(),
        hash_bytes: args.means.hash.filter(|_| remote.is_some()),
        verify: args.verify.into(),
    };
    if remote.is_none() && request.verify != Verify::Not {
        let sentence = "--verify takes another worker to count again; --coordinator with a cluster of several \
                        would be right";
        return Err(Failure::new(Exit::Usage, sentence));
    }
    let keeps = args.store.store.is_some() || guess(&request) >= WORTH_KEEPING;
    let mut desk = match remote {
        Some(desk) => desk,
        None if keeps => Desk::lasting(&args.means, &args.store).await?,
        None => Desk::fleeting(&args.means)?,
    };
    let mut progress = Progress::new();
    let counted = desk.count(&request, |part| progress.update(part)).await;
    drop(progress);
    desk.close().await;
    let counted = counted?;
    let report = Report {
        root,
        depth: args.depth,
        published: Published::compare(&root, args.depth, counted.answer.nodes),
        answer: counted.answer,
        time: counted.time,
        expected_false_hits: counted.expected_false_hits,
    };
    match args.like {
        Some(like) => report.tell_like(like),
        None => report.tell(args.divide, args.breakdown, args.json),
    }
}

/// Roughly how many leaves a count has.
fn guess(request: &Request) -> f64 {
    let kinds = if request.breakdown { 30.0 } else { 1.0 };
    kinds * f64::from(request.position.count_moves().max(20)).powi(request.depth as i32)
}

impl From<VerifyArg> for Verify {
    fn from(verify: VerifyArg) -> Verify {
        match verify {
            VerifyArg::No => Verify::Not,
            VerifyArg::Sample => Verify::Sample,
            VerifyArg::All => Verify::All,
        }
    }
}
