//! The coordinator that is measured: a process of its own on one core, with its store on the disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use tempfile::TempDir;
use vezir_tests::executable;
use vezir_tests::serving::Service;

use crate::asked::Asked;

/// The core of the coordinator.
const ITS_CORE: usize = 0;

/// The core of those who ask it.
const OUR_CORE: usize = 1;

/// The system's unit of processor time, of which a second has 100 on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// A coordinator. It is killed when dropped.
pub(crate) struct Station {
    service: Service,
    store: PathBuf,
    folder: TempDir,
}

/// What a process takes of the machine.
#[derive(Clone, Copy, Default)]
pub(crate) struct Needs {
    /// Memory that is really there, in bytes.
    pub(crate) resident: u64,
    /// The most that ever was.
    pub(crate) peak: u64,
    /// Processor time.
    pub(crate) spent: Duration,
}

impl Station {
    /// Starts one on a core that nothing of ours runs on: this process keeps to another one from then on.
    pub(crate) fn start(asked: &Asked) -> Station {
        let folder = TempDir::new().expect("a temporary folder");
        let store = folder.path().join("runs.sqlite");
        let mut command = command(asked);
        command.args(["coordinator", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]);
        command.args(["--lease", &asked.lease]).arg("--store").arg(&store);
        // Nothing tells another process's threads where to run; those that it starts with inherit it.
        keep_to(ITS_CORE);
        let service = Service::of(command);
        keep_to(OUR_CORE);
        service.address();
        Station { service, store, folder }
    }

    pub(crate) fn address(&self) -> String {
        self.service.address()
    }

    /// The value of one of its series.
    pub(crate) fn shown(&self, series: &str) -> f64 {
        self.service.shown(series)
    }

    pub(crate) fn needs(&self) -> Needs {
        let process = Path::new("/proc").join(self.service.id().to_string());
        let read = |name: &str| fs::read_to_string(process.join(name)).expect("it is running");
        let (status, stat) = (read("status"), read("stat"));
        let line = |name: &str| {
            let kib = status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().nth(0));
            kib.and_then(|kib| kib.parse::<u64>().ok()).expect("a number of KiB") << 10
        };
        // Its name, which may hold anything, ends with the last bracket; the times are the 14th and 15th field.
        let (_, after) = stat.rsplit_once(')').expect("a name in brackets");
        let ticks = after.split_whitespace().skip(11).take(2).map(|it| it.parse::<u32>().expect("a number"));
        Needs { resident: line("VmRSS:"), peak: line("VmHWM:"), spent: TICK * ticks.sum::<u32>() }
    }

    /// The bytes of its store, the log among them.
    pub(crate) fn store_bytes(&self) -> u64 {
        let files = fs::read_dir(self.folder.path()).expect("its folder");
        let size =
            |file: fs::DirEntry| file.metadata().map_or(0, |it| if it.is_file() { it.len() } else { 0 });
        files.flatten().map(size).sum()
    }

    /// Ends it as operators do, and has `vezir doctor` look at what it leaves.
    pub(crate) fn end(self, asked: &Asked) {
        self.service.signal("TERM");
        let (status, talk) = self.service.end();
        assert!(status.success(), "{talk}");
        let doctor = command(asked).arg("doctor").arg("--store").arg(&self.store).output();
        let doctor = doctor.expect("vezir can be started");
        assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stderr));
    }
}

fn command(asked: &Asked) -> Command {
    asked.program.as_ref().map_or_else(executable::vezir, Command::new)
}

/// Keeps this thread, and all that it starts, to one core.
fn keep_to(core: usize) {
    let mut cores = CpuSet::new();
    cores.set(core).expect("cores have small numbers");
    sched_setaffinity(Pid::from_raw(0), &cores).expect("a machine of two cores");
}
