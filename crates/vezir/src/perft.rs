//! `vezir perft`: counts one position and tells what came out.

use crate::args::PerftArgs;
use crate::count::{Desk, Request};
use crate::exit::{Exit, Failure};
use crate::progress::Progress;
use crate::report::{Published, Report};
use crate::root::Root;
use crate::talk::{print, say};

/// More wrong answers of the table than this are worth a warning.
const MANY_FALSE_HITS: f64 = 1e-6;

/// Counts, prints the answer and tells time, speed and how the count stands to the published one.
pub(crate) async fn run(args: PerftArgs) -> Result<Exit, Failure> {
    let root = Root::from_args(&args.root)?;
    let mut desk = Desk::open(&args.means)?;
    let request = Request {
        position: root.position,
        depth: args.depth,
        split: args.split,
        units: args.units,
        breakdown: args.breakdown.is_some(),
    };
    let mut progress = Progress::new();
    let counted = desk.count(&request, |part| progress.update(part.fraction, part.nodes)).await?;
    drop(progress);
    desk.close().await;
    let report = Report {
        root,
        depth: args.depth,
        published: Published::compare(&root, args.depth, counted.answer.nodes),
        answer: counted.answer,
        time: counted.time,
        expected_false_hits: counted.expected_false_hits,
    };
    if args.json {
        print(&format!("{}\n", report.json(args.breakdown)))?;
    } else {
        print(&report.text(args.divide, args.breakdown))?;
        say(&report.summary());
    }
    if report.expected_false_hits > MANY_FALSE_HITS {
        say(&format!(
            "warning: the table may have answered wrongly ({:e} times expected)",
            report.expected_false_hits
        ));
    }
    Ok(if matches!(report.published, Published::Differs(_)) { Exit::No } else { Exit::Done })
}
