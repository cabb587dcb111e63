//! The places for handshakes: a bounded number, and no long stay where others wait.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, watch};
use tokio::time::sleep;

/// Places, and how many wait for one.
pub(super) struct Crowd {
    places: Semaphore,
    waiting: watch::Sender<usize>,
}

impl Crowd {
    /// As many places as `places`.
    pub(super) fn new(places: usize) -> Crowd {
        Crowd { places: Semaphore::new(places), waiting: watch::Sender::new(0) }
    }

    /// Waits for a place, which is free again when the permit is dropped. They are given in turn.
    pub(super) async fn enter(&self) -> Option<SemaphorePermit<'_>> {
        if let Ok(place) = self.places.try_acquire() {
            return Some(place);
        }
        let _waiting = Waiting::join(&self.waiting);
        // The places are never closed.
        self.places.acquire().await.ok()
    }

    /// Ready when `patience` has passed and somebody waits for a place.
    pub(super) async fn pressed_after(&self, patience: Duration) {
        sleep(patience).await;
        // Its sender lives as long as the crowd.
        let _ = self.waiting.subscribe().wait_for(|waiting| *waiting > 0).await;
    }
}

/// One who waits, until dropped.
struct Waiting<'a>(&'a watch::Sender<usize>);

impl Waiting<'_> {
    fn join(waiting: &watch::Sender<usize>) -> Waiting<'_> {
        waiting.send_modify(|waiting| *waiting += 1);
        Waiting(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|waiting| *waiting -= 1);
    }
}
