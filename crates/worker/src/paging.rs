//! How large a page of positions a worker asks for: as large as its line brings in a few seconds, so that nothing
//! has to wait long behind it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use vezir_proto::MAX_PAGE_BYTES;

/// The least that is asked for, in bytes: less would be no quicker on any line.
const LEAST_BYTES: u32 = 16 << 10;

/// What is asked for at first, in bytes: eight seconds of 64 kbit/s.
const FIRST_BYTES: u32 = 64 << 10;

/// The next page is twice as large after one that came sooner than this.
const QUICK: Duration = Duration::from_secs(2);

/// The next page is half as large after one that came later than this.
const SLOW: Duration = Duration::from_secs(10);

/// The size of the next page.
pub(crate) struct PageSize(AtomicU32);

/// A page that was asked for.
pub(crate) struct Asking<'a> {
    size: &'a PageSize,
    bytes: u32,
    begun: Instant,
}

impl Default for PageSize {
    fn default() -> PageSize {
        PageSize(AtomicU32::new(FIRST_BYTES))
    }
}

impl PageSize {
    /// A page is asked for. The next one is half as large, unless this one is answered.
    pub(crate) fn ask(&self) -> Asking<'_> {
        let bytes = self.0.load(Ordering::Relaxed);
        self.set(bytes / 2);
        Asking { size: self, bytes, begun: Instant::now() }
    }

    fn set(&self, bytes: u32) {
        let most = u32::try_from(MAX_PAGE_BYTES).unwrap_or(u32::MAX);
        self.0.store(bytes.clamp(LEAST_BYTES, most), Ordering::Relaxed);
    }
}

impl Asking<'_> {
    /// How large it may be, in bytes.
    pub(crate) const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// It has come.
    pub(crate) fn answered(self) {
        let took = self.begun.elapsed();
        self.answered_after(took);
    }

    fn answered_after(self, took: Duration) {
        if took < QUICK {
            self.size.set(self.bytes.saturating_mul(2));
        } else if took <= SLOW {
            self.size.set(self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use vezir_proto::MAX_PAGE_BYTES;

    use super::{FIRST_BYTES, LEAST_BYTES, PageSize};

    #[test]
    fn pages_follow_the_line() {
        let size = PageSize::default();
        let ask = |seconds: Option<u64>| {
            let asking = size.ask();
            let bytes = asking.bytes();
            if let Some(seconds) = seconds {
                asking.answered_after(Duration::from_secs(seconds));
            }
            bytes
        };
        // The time that each page takes, if it comes, and what is asked for then.
        let asked = [Some(1), Some(5), Some(11), None, Some(5)].map(ask);
        assert_eq!(asked.map(|bytes| bytes * 2 / FIRST_BYTES), [2, 4, 4, 2, 1]);
        assert_eq!([None; 20].map(ask)[19], LEAST_BYTES);
        assert_eq!([Some(1); 20].map(ask)[19] as usize, MAX_PAGE_BYTES);
    }
}
