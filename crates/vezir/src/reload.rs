//! Tokens and certificates that are read again while a coordinator runs.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use vezir_coordinator::access::{Access, TokenFile};

use crate::tls::ServerTls;

/// How often the token file is looked at: a token that was taken away is refused after at most so long.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What is read again.
pub(crate) struct Reload {
    pub(crate) access: Access,
    pub(crate) tls: Option<ServerTls>,
}

impl Reload {
    /// Reads the token file again whenever it changes, and everything again on SIGHUP. It has no end; dropping
    /// it ends it. Files that are wrong are logged, and what was read before stays.
    pub(crate) async fn follow(self) {
        let mut tick = interval(LOOK_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut hangup = Hangup::catch();
        loop {
            tokio::select! {
                _ = tick.tick() => self.look().await,
                () = hangup.wait() => self.everything().await,
            }
        }
    }

    async fn look(&self) {
        self.tokens(|file| match file.reload_if_changed() {
            Ok(true) => tracing::info!("tokens were read again"),
            Ok(false) => {}
            Err(error) => tracing::error!(%error, "the tokens stay as they were"),
        })
        .await;
    }

    async fn everything(&self) {
        self.tokens(|file| match file.reload() {
            Ok(()) => tracing::info!("tokens were read again"),
            Err(error) => tracing::error!(%error, "the tokens stay as they were"),
        })
        .await;
        let Some(tls) = self.tls.clone() else { return };
        // Files are slow where disks are, and this thread serves.
        let read = tokio::task::spawn_blocking(move || tls.reload()).await;
        match read {
            Ok(Ok(())) => tracing::info!("the certificate was read again"),
            Ok(Err(error)) => tracing::error!(%error, "the certificate stays as it was"),
            Err(error) => tracing::error!(%error, "the certificate was not read"),
        }
    }

    async fn tokens(&self, read: impl FnOnce(&TokenFile) + Send + 'static) {
        let Access::Tokens(file) = &self.access else { return };
        let file = file.clone();
        if let Err(error) = tokio::task::spawn_blocking(move || read(&file)).await {
            tracing::error!(%error, "the tokens were not read");
        }
    }
}

/// The signal by which operators ask for files to be read again.
struct Hangup {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl Hangup {
    fn catch() -> Hangup {
        #[cfg(unix)]
        use tokio::signal::unix::{SignalKind, signal};
        Hangup {
            #[cfg(unix)]
            signal: signal(SignalKind::hangup())
                .inspect_err(|error| tracing::warn!(%error, "SIGHUP cannot be caught"))
                .ok(),
        }
    }

    async fn wait(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}
