//! `vezir workers`: who works, and what operators may do to them.

use vezir_jobs::WorkerId;

use crate::args::{OneWorkerArgs, WorkersArgs, WorkersCommand};
use crate::client::Order;
use crate::exit::{Exit, Failure};
use crate::listing;
use crate::office::Office;
use crate::talk::{print, say};

/// Lists workers, or does something to one.
pub(crate) async fn run(args: WorkersArgs) -> Result<Exit, Failure> {
    let (one, order, done) = match args.command {
        WorkersCommand::List(args) => {
            let office = Office::to_look(&args.place, None).await?;
            let workers = office.client().workers().await;
            office.close().await;
            let workers = workers?;
            print(&if args.json {
                listing::workers_json(&workers)
            } else {
                listing::workers_table(&workers)
            })?;
            return Ok(Exit::Done);
        }
        WorkersCommand::Pause(one) => (one, Order::Pause, "is paused"),
        WorkersCommand::Resume(one) => (one, Order::Resume, "is given work again"),
        WorkersCommand::Quarantine(one) => {
            (one, Order::Quarantine, "is quarantined; what it counted is counted again")
        }
        WorkersCommand::Drain(one) => (one, Order::Drain, "was told to finish and end"),
    };
    let OneWorkerArgs { worker, place } = one;
    if order == Order::Drain && place.dial.coordinator.is_none() {
        let sentence =
            "only a coordinator can tell a worker to end; --coordinator with its address would be right";
        return Err(Failure::new(Exit::Usage, sentence));
    }
    let office = Office::open(&place).await?;
    let ordered = office.client().order(WorkerId(worker), order).await;
    office.close().await;
    ordered?;
    say(&format!("worker {worker} {done}"));
    Ok(Exit::Done)
}
