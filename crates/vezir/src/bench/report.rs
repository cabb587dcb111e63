//! How a measurement looks: a table for people, one JSON object for scripts.

use serde_json::{Value, json};

use crate::bench::measure::{Bench, Measured, Outcome};
use crate::listing;
use crate::size::{show_count, show_short};

/// The table, what went wrong, and the signature.
pub(crate) fn text(outcome: &Outcome) -> String {
    let heads = ["POSITION", "DEPTH", "NODES", "MODE", "THREADS", "SECONDS", "LEAVES/S", "HITS"];
    let mut table = listing::table(&heads);
    for measured in &outcome.measured {
        table.add_row([
            measured.task.named.name.to_owned(),
            measured.task.depth.to_string(),
            show_count(measured.nodes),
            measured.task.mode().to_owned(),
            measured.task.threads.to_string(),
            format!("{:.3}", measured.median()),
            show_short(measured.speed()),
            measured.hit_rate().map_or_else(|| "–".to_owned(), |rate| format!("{:.1} %", 100.0 * rate)),
        ]);
    }
    listing::right(&mut table, &[1, 2, 4, 5, 6, 7]);
    let wrong: String = outcome.measured.iter().filter_map(wrong).map(|sentence| sentence + "\n").collect();
    format!("{table}\n{wrong}\nSignature: {}\n", outcome.signature)
}

/// What is to be said of a count that is not the published one.
fn wrong(measured: &Measured) -> Option<String> {
    let (task, nodes) = (&measured.task, measured.nodes);
    let published = task.published().filter(|published| *published != nodes)?;
    let (name, depth, mode, threads) = (task.named.name, task.depth, task.mode(), task.threads);
    let plural = if threads.get() == 1 { "" } else { "s" };
    Some(format!(
        "{name} at depth {depth}, {mode} on {threads} thread{plural}: counted {nodes}; {published} would be right"
    ))
}

/// With what was measured, in a line.
pub(crate) fn means(bench: &Bench) -> String {
    let plural = if bench.rounds.get() == 1 { "" } else { "s" };
    let Bench { rounds, isa, seed, .. } = bench;
    format!("{isa}, keys of seed {seed}, medians of {rounds} round{plural}")
}

/// The whole as one JSON object. Counts are decimal strings, as everywhere.
pub(crate) fn json(bench: &Bench, outcome: &Outcome) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "isa": bench.isa.name(),
        "seed": bench.seed,
        "rounds": bench.rounds,
        "counts": outcome.measured.iter().map(object).collect::<Vec<_>>(),
        "wrong": outcome.measured.iter().filter_map(wrong).collect::<Vec<_>>(),
        "signature": outcome.signature,
    })
}

fn object(measured: &Measured) -> Value {
    let (task, figures) = (&measured.task, &measured.figures);
    // Of one round, as the nodes are; all rounds do the same but for what threads do to each other.
    let one = |all: u64| all / measured.seconds.len().max(1) as u64;
    json!({
        "position": task.named.name,
        "fen": task.named.fen,
        "depth": task.depth,
        "mode": task.mode(),
        "threads": task.threads,
        "hash_bytes": measured.hash_bytes,
        "nodes": measured.nodes.to_string(),
        "published": task.published().map(|nodes| nodes.to_string()),
        "seconds": measured.median(),
        "seconds_sorted": measured.seconds,
        "nps": measured.speed() as u64,
        "walked": one(figures.walked),
        "probes": one(figures.probes),
        "hits": one(figures.hits),
        "hit_rate": measured.hit_rate(),
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use vezir_perft::{Figures, Isa};

    use super::*;
    use crate::bench::case::tasks;

    fn outcome(nodes: u128) -> (Bench, Outcome) {
        let tasks = tasks(&["kiwipete".to_owned()], 1 << 20, NonZero::<usize>::MIN, true);
        let figures = [Figures::default(), Figures { walked: 9, probes: 8, hits: 2 }];
        let measured = tasks.iter().zip(figures).map(|(task, figures)| Measured {
            task: *task,
            nodes: if task.hash_bytes == 0 { nodes } else { 193_690_690 },
            hash_bytes: task.hash_bytes,
            seconds: vec![0.5, 1.0, 4.0],
            figures,
        });
        let measured = measured.collect();
        let (rounds, isa) = (NonZero::new(3).unwrap(), Isa::Baseline);
        (Bench { tasks, rounds, isa, seed: 7 }, Outcome { measured, signature: 12_345 })
    }

    #[test]
    fn what_is_right_is_a_table_and_a_signature() {
        let (bench, outcome) = outcome(4_085_603);
        let text = text(&outcome);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["kiwipete", "4", "4,085,603", "unhashed", "1", "1.000", "4.09", "M", "–"]);
        assert_eq!(
            rows[2],
            ["kiwipete", "5", "193,690,690", "hashed", "1", "1.000", "194", "M", "25.0", "%"]
        );
        assert_eq!(rows[3..], [vec![], vec!["Signature:", "12345"]]);
        assert_eq!(means(&bench), "baseline, keys of seed 7, medians of 3 rounds");
    }

    #[test]
    fn what_is_wrong_is_a_sentence() {
        let (bench, outcome) = outcome(4_085_604);
        let sentence = "kiwipete at depth 4, unhashed on 1 thread: counted 4085604; 4085603 would be right";
        assert!(text(&outcome).contains(&format!("\n{sentence}\n\nSignature: ")), "{}", text(&outcome));
        let object = json(&bench, &outcome);
        assert_eq!(object["wrong"], json!([sentence]));
        assert_eq!(
            (&object["counts"][0]["published"], &object["counts"][1]["hit_rate"]),
            (&json!("4085603"), &json!(0.25))
        );
    }
}
