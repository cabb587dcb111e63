//! Ctrl-C and the request to terminate, for whoever waits for them.

use tokio::signal;

use crate::exit::{Exit, Failure};

/// Signals that ask this process to end, caught from when this value is made.
pub(crate) struct Interrupt {
    #[cfg(unix)]
    terminate: signal::unix::Signal,
    #[cfg(unix)]
    interrupt: signal::unix::Signal,
    /// The end of the terminal, for those who work at one.
    #[cfg(unix)]
    hangup: Option<signal::unix::Signal>,
}

impl Interrupt {
    /// Begins to catch them.
    #[cfg(unix)]
    pub(crate) fn catch() -> Result<Interrupt, Failure> {
        use signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).map_err(uncaught);
        Ok(Interrupt {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
            hangup: None,
        })
    }

    /// Begins to catch them, and the end of the terminal as well.
    #[cfg(unix)]
    pub(crate) fn catch_at_terminal() -> Result<Interrupt, Failure> {
        use signal::unix::{SignalKind, signal};
        Ok(Interrupt { hangup: Some(signal(SignalKind::hangup()).map_err(uncaught)?), ..Interrupt::catch()? })
    }

    /// Begins to catch them.
    #[cfg(not(unix))]
    pub(crate) fn catch_at_terminal() -> Result<Interrupt, Failure> {
        Interrupt::catch()
    }

    /// Begins to catch them.
    #[cfg(not(unix))]
    pub(crate) fn catch() -> Result<Interrupt, Failure> {
        Ok(Interrupt {})
    }

    /// Waits for one of them.
    #[cfg(unix)]
    pub(crate) async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = heard(&mut self.hangup) => {}
        }
    }

    /// Waits for one of them.
    #[cfg(not(unix))]
    pub(crate) async fn wait(&mut self) {
        if signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(unix)]
async fn heard(signal: &mut Option<signal::unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

#[cfg(unix)]
fn uncaught(error: std::io::Error) -> Failure {
    Failure::new(Exit::Unserved, format!("signals cannot be caught: {error}"))
}
