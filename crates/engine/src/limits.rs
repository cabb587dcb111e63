//! What one program may take of the machine, and how much it may say.

use nix::sys::resource::{Resource, getrlimit};

/// The longest line of a program's output that is kept, in bytes; what is beyond is cut, and told.
pub const LINE_BYTES: usize = 64 * 1024;

/// Lines of standard error that are kept for reports, the last ones.
pub(crate) const STDERR_LINES: usize = 24;

/// The longest of them, in bytes.
pub(crate) const STDERR_LINE_BYTES: usize = 512;

/// What the kernel holds a program to; each process of its group gets the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Address space of one process, in bytes.
    pub memory_bytes: u64,
    /// Open files of one process.
    pub open_files: u64,
    /// Processes and threads, beyond what its user already has.
    pub processes: u64,
    /// The largest file that it may write, in bytes.
    pub file_bytes: u64,
    /// Processor time of one process, in seconds; no limit if `None`.
    pub cpu_seconds: Option<u64>,
    /// What it may print in answer to one query, in bytes.
    pub answer_bytes: u64,
}

impl Default for Limits {
    /// 4 GiB of address space, 64 open files, 64 processes, files of 64 MiB, answers of 4 MiB.
    fn default() -> Limits {
        Limits {
            memory_bytes: 4 << 30,
            open_files: 64,
            processes: 64,
            file_bytes: 64 << 20,
            cpu_seconds: None,
            answer_bytes: 4 << 20,
        }
    }
}

impl Limits {
    /// What is to be set, never above what we are held to ourselves. `present` is how many processes the user
    /// already has.
    pub(crate) fn rows(&self, present: u64) -> Vec<(Resource, u64)> {
        let mut rows = vec![
            (Resource::RLIMIT_CORE, 0),
            (Resource::RLIMIT_AS, self.memory_bytes),
            (Resource::RLIMIT_NOFILE, self.open_files),
            (Resource::RLIMIT_NPROC, present.saturating_add(self.processes)),
            (Resource::RLIMIT_FSIZE, self.file_bytes),
        ];
        rows.extend(self.cpu_seconds.map(|seconds| (Resource::RLIMIT_CPU, seconds)));
        for (resource, most) in &mut rows {
            if let Ok((_, ours)) = getrlimit(*resource) {
                *most = (*most).min(ours);
            }
        }
        rows
    }
}

#[test]
fn no_limit_is_above_our_own() {
    let greedy = Limits { open_files: u64::MAX, ..Limits::default() };
    let (_, ours) = getrlimit(Resource::RLIMIT_NOFILE).expect("our own limit");
    let rows = greedy.rows(3);
    assert!(rows.contains(&(Resource::RLIMIT_NOFILE, ours)));
    assert!(rows.contains(&(Resource::RLIMIT_CORE, 0)));
}
