//! The last lines that a program wrote to its standard error.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::process::ChildStderr;
use tokio::task::JoinHandle;
use tokio::time;

use crate::limits::{STDERR_LINE_BYTES, STDERR_LINES};
use crate::lines::{Lines, Next};

/// How long the last words of a process that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Reads on for itself, so that a program which complains a lot is never held up.
#[derive(Debug)]
pub(crate) struct Stderr {
    ring: Arc<Mutex<VecDeque<String>>>,
    reading: JoinHandle<()>,
}

impl Stderr {
    pub(crate) fn listen(stream: ChildStderr) -> Stderr {
        let ring = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&ring);
        let reading = tokio::spawn(async move {
            let mut lines = Lines::new(stream, STDERR_LINE_BYTES);
            while let Ok(Next::Line(line)) = lines.next().await {
                let mut ring = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if ring.len() == STDERR_LINES {
                    ring.pop_front();
                }
                ring.push_back(line.text);
            }
        });
        Stderr { ring, reading }
    }

    /// The lines now.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The lines of a process that has ended.
    pub(crate) async fn last_lines(&mut self) -> Vec<String> {
        if !self.reading.is_finished() {
            // A child of it may hold the stream open: then what is there must do.
            let _ = time::timeout(LAST_WORDS, &mut self.reading).await;
        }
        self.lines()
    }
}

impl Drop for Stderr {
    fn drop(&mut self) {
        self.reading.abort();
    }
}
