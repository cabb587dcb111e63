//! `vezir runs export`: a run as JSON lines from which a stranger can recompute its answer.

use std::pin::pin;

use futures::StreamExt;
use serde_json::{Map, Value, json};
use vezir_chess::uci;
use vezir_jobs::ledger::{Finding, Found, Standing};
use vezir_jobs::{Brief, Outcome, RunId, RunSummary, Tally};
use vezir_perft::{Answer, Breakdown};

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
                if let Brief::Perft(perft) = &run.asked {
                    root = Some(Root::of(perft.position));
                }
                head(&run, root.as_ref())
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

fn head(run: &RunSummary, root: Option<&Root>) -> Value {
    let mut object = listing::object(run);
    if let Some(Outcome::Done(tally)) = &run.progress.outcome {
        object["answer"] = answer(&tally.counted.answer, root);
        if let Some(survey) = &tally.survey {
            object["survey"] = json!(survey);
        }
    }
    object
}

fn finding(finding: &Finding<Tally>, root: Option<&Root>) -> Value {
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
    match &finding.found {
        Found::Answer(tally) => {
            object["answer"] = answer(&tally.counted.answer, root);
            if let Some(survey) = &tally.survey {
                object["survey"] = json!(survey);
            }
        }
        Found::Failed(evidence) => object["failure"] = evidence.as_str().into(),
    }
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
