//! `vezir runs export`: a run as JSON lines from which a stranger can recompute its answer.

use std::pin::pin;

use futures::StreamExt;
use serde_json::{Map, Value, json};
use vezir_chess::uci;
use vezir_jobs::ledger::{Finding, Found, Standing};
use vezir_jobs::{Outcome, Request, RunId, RunSummary};
use vezir_perft::{Answer, Breakdown, Counted};

use crate::client::{Client, Piece};
use crate::exit::{Exit, Failure};
use crate::listing;
use crate::root::Root;
use crate::talk::print;

/// Prints the run, its findings, its leases and its doubts, one JSON object a line.
pub(crate) async fn run(client: &Client, run: RunId) -> Result<Exit, Failure> {
    let mut pieces = pin!(client.export(run).await?);
    let mut root = None;
    while let Some(piece) = pieces.next().await {
        let line = match piece? {
            Piece::Run(run) => {
                let Request::Perft(perft) = &run.request;
                let at = root.insert(Root::of(perft.position));
                head(&run, at)
            }
            Piece::Finding(finding) => self::finding(&finding, root.as_ref()),
            Piece::Lease(lease) => json!({
                "lease": lease.attempt,
                "worker": lease.worker,
                "first": lease.first,
                "end": lease.end,
                "granted": lease.granted,
                "purpose": lease.purpose,
                "ended": Some(lease.ended).filter(|ended| !ended.is_empty()),
            }),
            Piece::Doubt(doubt) => json!({
                "doubt": doubt.unit,
                "cause": if doubt.conflict { "conflict" } else { "check" },
                "settled": doubt.settled,
            }),
        };
        print(&format!("{line}\n"))?;
    }
    Ok(Exit::Done)
}

fn head(run: &RunSummary, root: &Root) -> Value {
    let mut object = listing::object(run);
    if let (Some(Outcome::Done(answer)), Value::Object(object)) = (&run.progress.outcome, &mut object) {
        object.insert("answer".to_owned(), self::answer(answer, Some(root)));
    }
    object
}

fn finding(finding: &Finding<Counted>, root: Option<&Root>) -> Value {
    let standing = match finding.standing {
        Standing::Counted => "counted",
        Standing::Vote => "vote",
        Standing::Failed => "failed",
        Standing::Aside => "aside",
        Standing::Void => "void",
    };
    let mut object = json!({
        "unit": finding.unit,
        "lease": finding.attempt.0,
        "worker": finding.worker.0,
        "standing": standing,
    });
    let (key, value) = match &finding.found {
        Found::Answer(counted) => ("answer", answer(&counted.answer, root)),
        Found::Failed(evidence) => ("failure", evidence.as_str().into()),
    };
    object[key] = value;
    object
}

/// An answer with its numbers as decimal strings.
fn answer(answer: &Answer, root: Option<&Root>) -> Value {
    let name = |chosen| match root {
        Some(root) => uci::write(&root.position, chosen, root.notation),
        None => format!("{chosen:?}"),
    };
    let divide: Map<String, Value> =
        answer.divide.iter().map(|(chosen, nodes)| (name(*chosen), nodes.to_string().into())).collect();
    json!({
        "nodes": answer.nodes.to_string(),
        "divide": divide,
        "breakdown": answer.breakdown.as_ref().map(breakdown),
    })
}

fn breakdown(breakdown: &Breakdown) -> Value {
    let [captures, en_passants, castles, promotions, checks, discovered, double, mates] =
        breakdown.cells().map(|count| count.to_string());
    json!({
        "captures": captures,
        "en_passants": en_passants,
        "castles": castles,
        "promotions": promotions,
        "checks": checks,
        "discovered": discovered,
        "double": double,
        "mates": mates,
    })
}
