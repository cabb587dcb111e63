//! The one thread that reads and writes a file: it takes all requests that wait, commits once, and answers.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::batch::Batch;
use super::library::Library;
use super::lock::Lock;
use super::open::{self, OpenError, Opening};
use super::place::Place;
use super::request::Request;
use super::trouble::Trouble;
use crate::bell::Bell;
use crate::journal::Key;
use crate::{Fault, Unusable};

/// The most requests that are committed together.
const BATCH: usize = 256;

/// The most requests that wait; more wait for their turn to wait.
const WAITING: usize = 4 * BATCH;

/// Starts the writer of a file. Its thread ends when the sender is dropped, or after [`Request::Close`].
pub(super) async fn start(
    path: PathBuf,
    opening: Opening,
    bell: Arc<Bell>,
) -> Result<mpsc::Sender<Request>, OpenError> {
    let (requests, received) = mpsc::channel(WAITING);
    let (opened, outcome) = oneshot::channel();
    let no_thread = |path: PathBuf, error: std::io::Error| OpenError::Unusable {
        path,
        fault: Fault::Other,
        what: format!("no thread can be started for it: {error}"),
    };
    let unusable = path.clone();
    let work = move || {
        let runtime = match tokio::runtime::Builder::new_current_thread().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(opened.send(Err(no_thread(path, error)))),
        };
        runtime.block_on(async {
            match Writer::open(path, opening, bell).await {
                Ok(writer) => {
                    // If nobody waits any more, the channel is closed as well.
                    drop(opened.send(Ok(())));
                    writer.work(received).await;
                }
                Err(error) => drop(opened.send(Err(error))),
            }
        });
    };
    let thread = std::thread::Builder::new().name("vezir-sqlite".to_owned());
    thread.spawn(work).map_err(|error| no_thread(unusable.clone(), error))?;
    match outcome.await {
        Ok(opened) => opened.map(|()| requests),
        Err(_) => {
            let what = "its thread has ended".to_owned();
            Err(OpenError::Unusable { path: unusable, fault: Fault::Other, what })
        }
    }
}

struct Writer {
    path: PathBuf,
    /// The file that was opened; `None` where the system did not say.
    place: Option<Place>,
    opening: Opening,
    bell: Arc<Bell>,
    /// `None` after the file could not be read or written, until it can again.
    library: Option<Library>,
    /// Set free after the file is closed.
    lock: Lock,
}

impl Writer {
    async fn open(path: PathBuf, opening: Opening, bell: Arc<Bell>) -> Result<Writer, OpenError> {
        let mut lock = open::lock(&path)?;
        let library = Library::open(&path, opening.trial, false).await?;
        lock.hold(&path).map_err(|locked| open::locked(&path, locked))?;
        let place = Place::of(&path);
        Ok(Writer { path, place, opening, bell, library: Some(library), lock })
    }

    async fn work(mut self, mut requests: mpsc::Receiver<Request>) {
        let mut batch = Vec::with_capacity(BATCH);
        let mut closing = Vec::new();
        while closing.is_empty() && requests.recv_many(&mut batch, BATCH).await > 0 {
            let is_close = |it: &mut Request| matches!(it, Request::Close { .. });
            closing.extend(batch.extract_if(.., is_close));
            let began = Instant::now();
            let mut figures = Batch { requests: batch.len(), ..Batch::default() };
            figures.verbs.extend(batch.iter().filter_map(Request::verb));
            self.serve(&mut batch, &mut figures).await;
            figures.took = began.elapsed();
            (self.opening.observer)(&figures);
        }
        if let Some(library) = self.library.take() {
            library.close().await;
        }
        drop(self.lock);
        let closed = Unusable { fault: Fault::Other, why: "it is closed".to_owned() };
        closing.into_iter().for_each(|it| it.refuse(&closed));
    }

    /// Serves a batch, and leaves it empty. After any trouble nothing in memory is believed any longer: what
    /// became of the commit is not known.
    async fn serve(&mut self, batch: &mut Vec<Request>, figures: &mut Batch) {
        let mut library = match self.library().await {
            Ok(library) => library,
            Err(why) => return batch.drain(..).for_each(|it| it.refuse(&why)),
        };
        let changed = match happen(&mut library, batch, &mut figures.committing).await {
            Ok(changed) => changed,
            Err(trouble) => {
                let why = trouble.unusable();
                batch.drain(..).for_each(|it| it.refuse(&why));
                return library.close().await;
            }
        };
        figures.rows = changed.len();
        self.bell.ring(&changed, &library.shelf.tables);
        let mut committed = batch.drain(..);
        while let Some(request) = committed.next() {
            if let Err(trouble) = request.answer(&mut library).await {
                let why = trouble.unusable();
                committed.for_each(|it| it.refuse(&why));
                return library.close().await;
            }
        }
        drop(committed);
        figures.served = true;
        library.tidy();
        self.library = Some(library);
    }

    /// The rows: those in memory, or else read again.
    async fn library(&mut self) -> Result<Library, Unusable> {
        self.place.map_or(Ok(()), |place| place.check(&self.path))?;
        if let Some(library) = self.library.take() {
            return Ok(library);
        }
        let opened = Library::open(&self.path, self.opening.trial, true).await;
        let library = opened.map_err(|error| Unusable { fault: error.fault(), why: error.to_string() })?;
        // What was not known to be committed may be there.
        self.bell.ring_all(&library.shelf.tables);
        Ok(library)
    }
}

/// Lets everything happen, and commits it.
async fn happen(
    library: &mut Library,
    batch: &mut [Request],
    committing: &mut Duration,
) -> Result<BTreeSet<Key>, Trouble> {
    for request in batch {
        request.happen(library).await?;
    }
    let began = Instant::now();
    let changed = library.commit().await?;
    if !changed.is_empty() {
        *committing = began.elapsed();
    }
    Ok(changed)
}
