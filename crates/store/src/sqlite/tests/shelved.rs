//! What is on the shelf of a store in a file: what may be needed, and not all that ever was.

use std::time::Duration;

use vezir_jobs::ledger::{CallId, Enrolment, Grant, Incarnation, Renewed, Reply, Reported, Told, Verb};
use vezir_jobs::{Tally, WorkerId};

use super::super::library::Library;
use super::{Trial, place};
use crate::contract::{OUTLINE, TERMS, lease, report, submission};

/// A library, asked one call at a time.
struct Reader {
    library: Library,
    last: u128,
}

impl Reader {
    async fn ask(&mut self, verb: Verb<Tally>) -> Reply {
        self.last += 1;
        self.library.fetch_for(&verb).await.expect("rows");
        let now = Duration::from_secs(1_800_000_000);
        let answered =
            self.library.shelf.call(now, CallId(self.last), verb).expect("a call that must succeed");
        self.library.commit().await.expect("a commit");
        self.library.tidy();
        answered.reply
    }

    async fn lease(&mut self, worker: WorkerId) -> Grant {
        match self.ask(lease(worker)).await {
            Reply::Granted(Some(grant)) => grant,
            other => panic!("a lease was answered {other:?}"),
        }
    }

    async fn report(&mut self, worker: WorkerId, grant: &Grant) -> Reported {
        match self.ask(report(worker, grant, 5)).await {
            Reply::Reported(reported) => reported,
            other => panic!("a report was answered {other:?}"),
        }
    }

    fn shelved(&self) -> Vec<u64> {
        self.library.shelf.tables.leases.keys().map(|(_, attempt)| attempt.0).collect()
    }
}

#[tokio::test]
async fn a_lease_that_has_ended_leaves_memory_and_is_known_all_the_same() {
    let (_folder, path) = place();
    let trial = Trial { synced: false, ..Trial::default() };
    let library = Library::open(&path, trial, false).await.expect("a store");
    let mut reader = Reader { library, last: 0 };
    let Reply::Submitted(run) = reader.ask(submission()).await else { panic!("no run") };
    reader.ask(Verb::Plan { run, outline: OUTLINE, again: true, terms: TERMS }).await;
    let enrolment = Enrolment { owner: "us".to_owned(), name: "ann".to_owned() };
    let register = Verb::Register { enrolment, incarnation: Incarnation(1), cores: 4 };
    let Reply::Registered(worker) = reader.ask(register).await else { panic!("no worker") };

    let first = reader.lease(worker).await;
    let second = reader.lease(worker).await;
    assert_eq!(reader.shelved(), [1, 2]);
    reader.report(worker, &first).await;
    assert_eq!(reader.shelved(), [2], "what lives is needed, and nothing else");
    let late = reader.report(worker, &first).await;
    assert_eq!((late.told, late.lease), (vec![Told::Counted; 2], Renewed::Ended));
    let renewal = Verb::Renew { worker, run, attempt: first.attempt, movement: 1 };
    assert_eq!(reader.ask(renewal).await, Reply::Renewed(Renewed::Ended));
    assert_eq!(reader.shelved(), [2]);
    reader.library.fetch_decisions(run).await.expect("rows");
    assert_eq!(reader.shelved(), [1, 2], "somebody asks for all of them");
    reader.library.tidy();
    assert_eq!(reader.shelved(), [2]);

    reader.report(worker, &second).await;
    assert_eq!(reader.shelved(), [0; 0]);
    let whole = reader.library.whole().await.expect("rows");
    assert_eq!(whole.leases.keys().map(|(_, attempt)| attempt.0).collect::<Vec<_>>(), [1, 2]);
    reader.library.close().await;
}
