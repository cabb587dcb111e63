//! How many connections this process may have open.

/// Files that are open for other reasons: the store, logs, listeners, the runtime.
#[cfg(unix)]
const OTHERS: u64 = 256;

/// How many of `wanted` connections there is room for, after the limit was raised as far as is needed and allowed.
#[cfg(unix)]
pub(crate) fn room_for(wanted: usize) -> usize {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return wanted };
    let needed = wanted as u64 + OTHERS;
    let raised = needed.min(hard);
    let limit =
        if soft < raised && setrlimit(Resource::RLIMIT_NOFILE, raised, hard).is_ok() { raised } else { soft };
    fitting(wanted, limit)
}

/// Where there is no such limit.
#[cfg(not(unix))]
pub(crate) fn room_for(wanted: usize) -> usize {
    wanted
}

/// What of `wanted` fits under a limit on open files; where that is tiny, half of it.
#[cfg(unix)]
fn fitting(wanted: usize, limit: u64) -> usize {
    let room = limit.saturating_sub(OTHERS).max(limit / 2);
    wanted.min(usize::try_from(room).unwrap_or(usize::MAX))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_low_limit_leaves_room_for_what_else_is_open() {
        assert_eq!(fitting(4096, 1 << 20), 4096);
        assert_eq!(fitting(4096, 4096 + OTHERS), 4096);
        assert_eq!(fitting(4096, 1024), 768);
        assert_eq!(fitting(4096, 256), 128);
        assert!(room_for(100) > 0);
    }
}
