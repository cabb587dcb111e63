//! A process and all its descendants, which cannot leave its group: killed as one, and waited for.

use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::Pid;

/// How long the killed are waited for before they are given up, with a warning.
const REAP: Duration = Duration::from_secs(2);

/// The group of a child that leads it. Dropping it kills the group.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Child,
    is_over: bool,
}

impl Group {
    /// Takes over a child that has made a group of its own.
    pub(crate) fn led_by(leader: Child) -> Group {
        Group { leader, is_over: false }
    }

    /// The number of the leader, and of the group.
    pub(crate) fn id(&self) -> u32 {
        self.leader.id()
    }

    /// The leader's streams, once.
    pub(crate) fn streams(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.leader.stdin.take()?, self.leader.stdout.take()?, self.leader.stderr.take()?))
    }

    /// How the leader is. It is not reaped before its group is killed, so that its number stays its own.
    pub(crate) fn state(&self) -> nix::Result<WaitStatus> {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(self.pid()), flags)
    }

    /// Whether the leader has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.is_over || !matches!(self.state(), Ok(WaitStatus::StillAlive))
    }

    /// Kills all, and reaps the leader and those that it left behind, who are our children then.
    pub(crate) fn kill(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        let pid = self.pid();
        if let Err(error) = killpg(pid, Signal::SIGKILL) {
            tracing::warn!(%pid, %error, "a process group cannot be killed");
        }
        if let Err(error) = self.leader.wait() {
            tracing::warn!(%pid, %error, "a process cannot be waited for");
        }
        let deadline = Instant::now() + REAP;
        loop {
            match waitpid(Pid::from_raw(-pid.as_raw()), Some(WaitPidFlag::WNOHANG)) {
                // None is left, neither living nor dead.
                Err(Errno::ECHILD) => return,
                Ok(WaitStatus::StillAlive) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(WaitStatus::StillAlive) | Err(_) => {
                    tracing::warn!(%pid, "a process was killed and does not end");
                    return;
                }
                Ok(_) => {}
            }
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.leader.id().cast_signed())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
