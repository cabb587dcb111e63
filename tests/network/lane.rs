//! One direction of one connection: bytes in segments, each of which is due at its time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::dice::Dice;
use crate::weather::{Way, Weather};

/// What TCP sends at a time.
const SEGMENT_BYTES: usize = 1460;

/// Segments that may be under way; beyond them the sender has to wait.
const UNDER_WAY: usize = 64;

/// After how long a segment that was lost is sent again, the first time; each time takes twice as long.
const AGAIN_AFTER: Duration = Duration::from_millis(200);

/// How often one segment is lost at most: more, and TCP would be at it for minutes.
const LOSSES: u32 = 6;

/// One direction, as `which` reads it from the weather.
pub(crate) struct Lane {
    pub(crate) weather: watch::Receiver<Weather>,
    pub(crate) which: fn(&Weather) -> Way,
    pub(crate) dice: Arc<Dice>,
    pub(crate) figures: Arc<Figures>,
}

/// What happened on a cable.
#[derive(Default)]
pub(crate) struct Figures {
    /// Connections that were made.
    pub(crate) connections: AtomicU64,
    /// Connections that were reset, new ones that were refused among them.
    pub(crate) resets: AtomicU64,
    /// Segments that were lost.
    pub(crate) lost: AtomicU64,
    /// Segments that had to wait until bytes could pass again.
    pub(crate) held: AtomicU64,
}

struct Segment {
    due: Instant,
    bytes: Vec<u8>,
}

impl Lane {
    /// Carries everything to its end. An error is one of the connection.
    pub(crate) async fn carry(self, from: ReadHalf<'_>, to: WriteHalf<'_>) -> io::Result<()> {
        let (sender, segments) = mpsc::channel(UNDER_WAY);
        let weather = self.weather.clone();
        tokio::try_join!(self.take(from, sender), self.bring(to, segments, weather)).map(drop)
    }

    async fn take(&self, mut from: ReadHalf<'_>, segments: mpsc::Sender<Segment>) -> io::Result<()> {
        let mut free = Instant::now();
        loop {
            let mut bytes = vec![0; SEGMENT_BYTES];
            let read = from.read(&mut bytes).await?;
            bytes.truncate(read);
            let way = (self.which)(&self.weather.borrow());
            free = free.max(Instant::now()) + way.sending(read) + self.losing(&way);
            // The end is under way as long as everything else.
            let segment = Segment { due: free + way.delay, bytes };
            if segments.send(segment).await.is_err() || read == 0 {
                return Ok(());
            }
        }
    }

    /// How long a segment takes to come through at last: nothing after it arrives before.
    fn losing(&self, way: &Way) -> Duration {
        let losses = (0..LOSSES).take_while(|_| self.dice.strikes(way.loss)).count() as u32;
        Figures::add(&self.figures.lost, u64::from(losses));
        AGAIN_AFTER * (2_u32.pow(losses) - 1)
    }

    async fn bring(
        &self,
        mut to: WriteHalf<'_>,
        mut segments: mpsc::Receiver<Segment>,
        mut weather: watch::Receiver<Weather>,
    ) -> io::Result<()> {
        while let Some(Segment { due, bytes }) = segments.recv().await {
            sleep_until(due).await;
            if (self.which)(&weather.borrow()).held {
                Figures::add(&self.figures.held, 1);
            }
            // Whoever makes the weather is there as long as the connection is.
            let _ = weather.wait_for(|weather| !(self.which)(weather).held).await;
            if bytes.is_empty() {
                return to.shutdown().await;
            }
            to.write_all(&bytes).await?;
        }
        Ok(())
    }
}

impl Figures {
    pub(crate) fn add(figure: &AtomicU64, more: u64) {
        figure.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn read(figure: &AtomicU64) -> u64 {
        figure.load(Ordering::Relaxed)
    }
}
