//! What this process may use of its machine: cores and memory, limits of its control group included.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use vezir_perft::Limits;

/// The most memory that a table takes unless the user says otherwise.
const MAX_DEFAULT_HASH: u64 = 4 << 30;

/// What is assumed where the system does not tell.
const ASSUMED_MEMORY: u64 = 1 << 30;

/// How many cores this process may use.
pub(crate) fn cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// What this machine is called; empty where it does not tell.
pub(crate) fn host_name() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned()
}

/// The size of the table where the user names none: a quarter of the memory that may be used, at most 4 GiB.
pub(crate) fn default_hash() -> u64 {
    (memory() / 4).min(MAX_DEFAULT_HASH)
}

/// How large a frontier may become: a fifth of the memory that may be used, as it grows out of another one and
/// is sorted on the way, and no larger than any may.
pub(crate) fn frontier() -> Limits {
    let bytes = usize::try_from(memory() / 5).unwrap_or(usize::MAX);
    Limits { bytes, ..Limits::CHOSEN }.within(Limits::CHOSEN)
}

/// How much memory may be used, in bytes.
pub(crate) fn memory() -> u64 {
    memory_below(Path::new("/"))
}

/// The same, read from the files below `root`.
fn memory_below(root: &Path) -> u64 {
    let installed = fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|text| installed(&text));
    let limits = group_limits(root);
    installed.into_iter().chain(limits).chain(own_limit()).min().unwrap_or(ASSUMED_MEMORY)
}

/// How large this process may become, if it was told, as `ulimit -v` does.
fn own_limit() -> Option<u64> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
        let (soft, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
        (soft != RLIM_INFINITY).then_some(soft)
    }
    #[cfg(not(unix))]
    None
}

/// `MemTotal` of `/proc/meminfo`, in bytes.
fn installed(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Every limit that a control group of this process, or one above it, sets; version 2 and version 1.
fn group_limits(root: &Path) -> Vec<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else { continue };
        let (base, file) = if controllers.is_empty() {
            (root.join("sys/fs/cgroup"), "memory.max")
        } else if controllers.split(',').any(|name| name == "memory") {
            (root.join("sys/fs/cgroup/memory"), "memory.limit_in_bytes")
        } else {
            continue;
        };
        limits.extend(chain(&base, group).iter().filter_map(|folder| limit(&folder.join(file))));
    }
    limits
}

/// The folders from `base` down to `group`. In a container the group's own path may not exist: `base` does.
fn chain(base: &Path, group: &str) -> Vec<PathBuf> {
    let mut folder = base.to_path_buf();
    let mut folders = vec![folder.clone()];
    for part in group.split('/').filter(|part| !part.is_empty() && *part != "..") {
        folder.push(part);
        folders.push(folder.clone());
    }
    folders
}

fn limit(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder can be made");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("files lie in folders")).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        root
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal:       24000000 kB\nMemFree:  1 kB\n");

    #[test]
    fn a_machine_without_limits_gives_all_it_has() {
        let root = machine(&[MEMINFO, ("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "max\n")]);
        assert_eq!(memory_below(root.path()), 24_000_000 * 1024);
        assert_eq!(memory_below(machine(&[]).path()), ASSUMED_MEMORY);
    }

    #[test]
    fn the_tightest_group_above_us_counts() {
        let root = machine(&[
            MEMINFO,
            ("proc/self/cgroup", "0::/system.slice/vezir.service\n"),
            ("sys/fs/cgroup/system.slice/memory.max", "1073741824\n"),
            ("sys/fs/cgroup/system.slice/vezir.service/memory.max", "2147483648\n"),
        ]);
        assert_eq!(memory_below(root.path()), 1 << 30);
    }

    #[test]
    fn version_one_is_read_too() {
        let root = machine(&[
            MEMINFO,
            ("proc/self/cgroup", "12:cpu,cpuacct:/a\n4:memory:/docker/abc\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n"),
        ]);
        assert_eq!(memory_below(root.path()), 512 << 20);
    }
}
