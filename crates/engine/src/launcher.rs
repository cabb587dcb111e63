//! Starting a process: the one thread that forks, and what the child does to itself before it becomes the program.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Sender};
use std::thread;

use nix::errno::Errno;
use nix::libc;
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use nix::unistd::{self, Pid};
use tokio::sync::oneshot;

use crate::group::Group;
use crate::sandbox::{self, Fence};

/// An error's step and number travel as one number: that is all that a child can send before it is a program.
const STEP: i32 = 10_000;

/// What the child does to itself, in this order.
const STEPS: [&str; 6] = [
    "a session of its own",
    "its limits",
    "a user of its own",
    "its end with ours",
    "its fence",
    "its open files",
];

/// All that is done between fork and exec, made ready before.
#[derive(Debug)]
pub(crate) struct Preparation {
    pub(crate) limits: Vec<(Resource, u64)>,
    pub(crate) user: Option<u32>,
    pub(crate) fence: Option<Fence>,
}

type Task = Box<dyn FnOnce() + Send>;

/// Starts `command` with pipes for its three streams, in a group of its own. It is killed when we die.
pub(crate) async fn launch(command: Command, preparation: Preparation) -> io::Result<Group> {
    on_launcher(move || fork(command, preparation)).await
}

/// Copies a program to where its user may run it.
///
/// Here and not elsewhere, because a child that is forked while the copy is open holds it open too, and what
/// somebody writes to cannot be run.
pub(crate) async fn copy(from: PathBuf, to: PathBuf) -> io::Result<()> {
    on_launcher(move || {
        fs::copy(&from, &to)?;
        fs::set_permissions(&to, Permissions::from_mode(0o555))
    })
    .await
}

/// Does something on the thread that forks. If nobody waits for the result any more, it is dropped.
async fn on_launcher<T: Send + 'static>(
    task: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (reply, answer) = oneshot::channel();
    let gone = || io::Error::other("the thread that starts programs is gone");
    let task: Task = Box::new(move || drop(reply.send(task())));
    launcher().ok_or_else(gone)?.send(task).map_err(|_| gone())?;
    answer.await.map_err(|_| gone())?
}

/// What an error of [`launch`] says, with the step at which it came.
pub(crate) fn explain(error: &io::Error) -> String {
    let Some(code) = error.raw_os_error() else { return error.to_string() };
    let step = usize::try_from(code / STEP - 1).ok().and_then(|step| STEPS.get(step));
    match step {
        Some(step) => format!("it cannot be given {step}: {}", sandbox::in_words(code % STEP)),
        None => error.to_string(),
    }
}

/// The kernel kills a child of ours when the *thread* that forked it ends, so that one thread forks for all and
/// lives as long as we do.
fn launcher() -> Option<&'static Sender<Task>> {
    static LAUNCHER: OnceLock<Option<Sender<Task>>> = OnceLock::new();
    let start = || {
        // Children of a program that has ended become ours, so that they can be waited for.
        prctl::set_child_subreaper(true).ok()?;
        let (tasks, inbox) = mpsc::channel::<Task>();
        let thread = thread::Builder::new().name("vezir-launcher".to_owned());
        thread.spawn(move || inbox.into_iter().for_each(|task| task())).ok().map(|_| tasks)
    };
    LAUNCHER.get_or_init(start).as_ref()
}

fn fork(mut command: Command, mut preparation: Preparation) -> io::Result<Group> {
    let parent = unistd::getpid();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let prepare = move || preparation.carry_out(parent);
    // SAFETY: between fork and exec only calls that are safe in a signal handler may be made. `carry_out` makes
    // system calls and closes a descriptor; it takes no lock, and all memory that it needs was allocated before.
    unsafe { command.pre_exec(prepare) };
    command.spawn().map(Group::led_by)
}

impl Preparation {
    fn carry_out(&mut self, parent: Pid) -> io::Result<()> {
        at(1, unistd::setsid().map(drop))?;
        for (resource, most) in &self.limits {
            at(2, setrlimit(*resource, *most, *most))?;
        }
        if let Some(user) = self.user {
            at(3, sandbox::become_user(user))?;
        }
        // After the change of user, which would take this back.
        at(4, prctl::set_pdeathsig(Signal::SIGKILL))?;
        at(4, if unistd::getppid() == parent { Ok(()) } else { Err(Errno::ESRCH) })?;
        if let Some(fence) = &mut self.fence {
            at(5, fence.enclose())?;
        }
        at(6, close_on_exec())
    }
}

/// Marks every descriptor but the three streams, so that the program gets none that somebody forgot to mark.
fn close_on_exec() -> nix::Result<()> {
    let flags = libc::CLOSE_RANGE_CLOEXEC;
    // SAFETY: the call reads three numbers and changes flags of descriptors of the calling process only.
    let result = unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, flags) };
    match Errno::result(result) {
        // Before Linux 5.11 there is no such flag; whatever Rust opens is marked from the start.
        Ok(_) | Err(Errno::ENOSYS | Errno::EINVAL) => Ok(()),
        Err(error) => Err(error),
    }
}

fn at(step: i32, done: nix::Result<()>) -> io::Result<()> {
    done.map_err(|error| io::Error::from_raw_os_error(step * STEP + error as i32))
}

#[test]
fn an_error_names_its_step() {
    let error = at(5, Err(Errno::ENOSYS)).expect_err("an error");
    assert_eq!(explain(&error), format!("it cannot be given its fence: {}", sandbox::in_words(38)));
    let plain = io::Error::from_raw_os_error(2);
    assert_eq!(explain(&plain), plain.to_string());
}
