//! What the writer is asked, and how each is answered.

use std::time::Duration;

use tokio::sync::oneshot;
use vezir_jobs::ledger::{Answered, CallId, Refusal, Tables, Verb};
use vezir_jobs::{RunId, Tally};

use super::library::Library;
use super::trouble::Trouble;
use crate::{Expired, StoreError, Unusable};

/// Where an answer goes. Nobody may be there any more.
type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// What happens to the rows that a read needs.
type Look = Box<dyn FnOnce(Result<&Tables<Tally>, StoreError>) + Send>;

/// The rows that a read needs, besides those that are always there.
#[derive(Clone, Copy)]
pub(super) enum Needs {
    /// None.
    Standing,
    /// The history of a run.
    Run(RunId),
    /// The same, and the leases that it had.
    Decisions(RunId),
    /// All that there are.
    All,
}

/// One call, at a time of the caller's clock.
pub(super) struct Call {
    now: Duration,
    id: CallId,
    /// Taken when it is done.
    verb: Option<Verb<Tally>>,
    done: Option<Result<Answered, Refusal>>,
    answer: Answer<Answered>,
}

/// One request.
pub(super) enum Request {
    /// A call.
    Call(Box<Call>),
    /// The end of what time ends.
    Expire { now: Duration, done: Option<Result<Vec<Expired>, Refusal>>, answer: Answer<Vec<Expired>> },
    /// A look at what is committed.
    Read { needs: Needs, look: Look },
    /// The end of the store.
    Close { answer: oneshot::Sender<()> },
}

impl Request {
    pub(super) fn call(now: Duration, id: CallId, verb: Verb<Tally>, answer: Answer<Answered>) -> Request {
        Request::Call(Box::new(Call { now, id, verb: Some(verb), done: None, answer }))
    }

    pub(super) const fn expire(now: Duration, answer: Answer<Vec<Expired>>) -> Request {
        Request::Expire { now, done: None, answer }
    }

    /// The name of its verb, if it may change anything.
    pub(super) fn verb(&self) -> Option<&'static str> {
        match self {
            Request::Call(call) => call.verb.as_ref().map(Verb::name),
            Request::Expire { .. } => Some("expire"),
            Request::Read { .. } | Request::Close { .. } => None,
        }
    }

    /// Changes the rows in memory, if it is its business. Nothing is told of it yet.
    pub(super) async fn happen(&mut self, library: &mut Library) -> Result<(), Trouble> {
        match self {
            Request::Call(call) => {
                if let Some(verb) = call.verb.take() {
                    library.fetch_for(&verb).await?;
                    call.done = Some(library.shelf.call(call.now, call.id, verb));
                }
            }
            Request::Expire { now, done, .. } => *done = Some(library.shelf.expire(*now)),
            Request::Read { .. } | Request::Close { .. } => {}
        }
        Ok(())
    }

    /// Answers it, when all that happened is committed.
    pub(super) async fn answer(self, library: &mut Library) -> Result<(), Trouble> {
        match self {
            Request::Call(call) => tell(call.answer, call.done),
            Request::Expire { done, answer, .. } => tell(answer, done),
            Request::Read { needs, look } => match rows(library, needs).await {
                Ok(Some(tables)) => look(Ok(&tables)),
                Ok(None) => look(Ok(&library.shelf.tables)),
                Err(trouble) => {
                    look(Err(StoreError::Unusable(trouble.unusable())));
                    return Err(trouble);
                }
            },
            Request::Close { answer } => drop(answer.send(())),
        }
        Ok(())
    }

    /// Answers it where the file cannot be used.
    pub(super) fn refuse(self, why: &Unusable) {
        let unusable = StoreError::Unusable(why.clone());
        match self {
            Request::Call(call) => drop(call.answer.send(Err(unusable))),
            Request::Expire { answer, .. } => drop(answer.send(Err(unusable))),
            Request::Read { look, .. } => look(Err(unusable)),
            Request::Close { answer } => drop(answer.send(())),
        }
    }
}

fn tell<T>(answer: Answer<T>, done: Option<Result<T, Refusal>>) {
    // Without an answer the sender is dropped, and the caller hears that the store has ended.
    if let Some(done) = done {
        drop(answer.send(done.map_err(StoreError::from)));
    }
}

/// Puts rows on the shelf, or gives them in a copy if they do not belong there.
async fn rows(library: &mut Library, needs: Needs) -> Result<Option<Tables<Tally>>, Trouble> {
    match needs {
        Needs::Standing => Ok(None),
        Needs::Run(run) => library.fetch(run).await.map(|()| None),
        Needs::Decisions(run) => library.fetch_decisions(run).await.map(|()| None),
        Needs::All => library.whole().await.map(Some),
    }
}
