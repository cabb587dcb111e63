//! One process of somebody else's program: its streams, its fence, and its certain end.

use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use nix::sys::wait::WaitStatus;
use nix::unistd::getuid;
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{self, Instant};

use crate::failure::{Ended, StartError};
use crate::group::Group;
use crate::home::Home;
use crate::launcher::{self, Preparation};
use crate::limits::{LINE_BYTES, Limits};
use crate::lines::{Line, Lines, Next};
use crate::program::{self, Program};
use crate::sandbox::{self, Confinement, Fence, Identity};
use crate::stderr::Stderr;

/// How often a silent process is looked after: one that ended may have left a child that holds its output open.
const LOOK: Duration = Duration::from_millis(50);

/// Why no line came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// Nothing came until the given time.
    Hung,
    /// The process has ended, and all that it printed was read.
    Ended(Ended),
    /// It printed more than [`Limits::answer_bytes`].
    Flood,
    /// Its streams cannot be read or written, in the system's words.
    Broken(String),
}

/// A running program, alone in its process group. When it is dropped, the whole group is killed and waited for,
/// and its folder removed.
#[derive(Debug)]
pub struct Process {
    // Dropped first: the folder and the user are free when nobody is left who has them.
    group: Group,
    stdin: Option<ChildStdin>,
    stdout: Lines<ChildStdout>,
    stderr: Stderr,
    confinement: Confinement,
    _home: Home,
    _identity: Option<Identity>,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// Where it is not there, cannot be run, or the kernel lacks what `confinement` takes.
    pub async fn start(
        program: &Program,
        limits: &Limits,
        confinement: Confinement,
    ) -> Result<Process, StartError> {
        let cannot = |error: io::Error| program.error(error.to_string());
        let mut file = program.file()?;
        let is_alone = confinement == Confinement::Tier1 && sandbox::is_root();
        let identity = is_alone.then(Identity::borrow).transpose().map_err(cannot)?;
        let user = identity.as_ref().map(Identity::id);
        let home = Home::make(user).map_err(cannot)?;
        if is_alone && !program::is_open_to_all(&file) {
            let copy = home.path().join(file.file_name().unwrap_or(file.as_os_str()));
            launcher::copy(file, copy.clone()).await.map_err(cannot)?;
            file = copy;
        }
        let fence = match confinement {
            Confinement::Tier1 => Some(Fence::prepare(program, &file, home.path(), is_alone)?),
            Confinement::Unsandboxed => None,
        };
        let present = sandbox::present(user.unwrap_or(getuid().as_raw())).map_err(cannot)?;
        let preparation = Preparation { limits: limits.rows(present), user, fence };
        let started = launcher::launch(command(program, &file, home.path()), preparation).await;
        let group = started.map_err(|error| program.error(launcher::explain(&error)))?;
        tracing::debug!(program = %program.path.display(), pid = group.id(), "started");
        Process::adopt(confinement, identity, home, group).map_err(cannot)
    }

    fn adopt(
        confinement: Confinement,
        identity: Option<Identity>,
        home: Home,
        mut group: Group,
    ) -> io::Result<Process> {
        let streams = group.streams().ok_or_else(|| io::Error::other("its streams are missing"));
        let (stdin, stdout, stderr) = streams?;
        Ok(Process {
            stdin: Some(ChildStdin::from_std(stdin)?),
            stdout: Lines::new(ChildStdout::from_std(stdout)?, LINE_BYTES),
            stderr: Stderr::listen(ChildStderr::from_std(stderr)?),
            group,
            confinement,
            _home: home,
            _identity: identity,
        })
    }

    /// The number of the process, which is also that of its group.
    pub fn id(&self) -> u32 {
        self.group.id()
    }

    /// How far it is trusted.
    pub fn confinement(&self) -> Confinement {
        self.confinement
    }

    /// The last lines of its standard error.
    pub fn stderr(&self) -> Vec<String> {
        self.stderr.lines()
    }

    /// Allows `bytes` of output from now on.
    pub fn allow(&mut self, bytes: u64) {
        self.stdout.allow(bytes);
    }

    /// Sends lines, all in one write.
    ///
    /// # Errors
    /// [`Silence::Broken`] for a line that holds a line break or a zero byte: such a line is never sent, nor
    /// are its fellows. [`Silence::Hung`] where the process does not read.
    pub async fn say<T: AsRef<str>>(&mut self, lines: &[T], until: Instant) -> Result<(), Silence> {
        let mut text = String::new();
        for line in lines.iter().map(AsRef::as_ref) {
            if line.contains(['\n', '\r', '\0']) {
                return Err(Silence::Broken(format!("{line:?} is not one line, and was not sent")));
            }
            text.push_str(line);
            text.push('\n');
        }
        let Some(stdin) = &mut self.stdin else {
            return Err(Silence::Broken("its standard input is closed".to_owned()));
        };
        let write = async {
            stdin.write_all(text.as_bytes()).await?;
            stdin.flush().await
        };
        match time::timeout_at(until, write).await {
            Ok(Ok(())) => Ok(()),
            // It has ended, or will be found silent: what it printed before is worth more than this error.
            Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Ok(Err(error)) => Err(Silence::Broken(error.to_string())),
            Err(_) => Err(Silence::Hung),
        }
    }

    /// Closes its standard input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// The next line of its output. Dropping the future in the middle loses nothing.
    ///
    /// # Errors
    /// Why none came.
    pub async fn line(&mut self, until: Instant) -> Result<Line, Silence> {
        loop {
            let look = until.min(Instant::now() + LOOK);
            match time::timeout_at(look, self.stdout.next()).await {
                Ok(Ok(Next::Line(line))) => return Ok(line),
                Ok(Ok(Next::Flood)) => return Err(Silence::Flood),
                Ok(Ok(Next::End)) => return Err(self.ended_by(until).await),
                Ok(Err(error)) => return Err(Silence::Broken(error.to_string())),
                Err(_) if self.group.has_ended() => return Err(self.ended_by(until).await),
                Err(_) if Instant::now() >= until => return Err(Silence::Hung),
                Err(_) => {}
            }
        }
    }

    /// Waits for the process to end by itself.
    ///
    /// # Errors
    /// [`Silence::Hung`] where it does not.
    pub async fn end(&mut self, until: Instant) -> Result<Ended, Silence> {
        match self.ended_by(until).await {
            Silence::Ended(ended) => Ok(ended),
            other => Err(other),
        }
    }

    /// Kills the whole group and waits until it is gone: a matter of milliseconds.
    pub fn kill(&mut self) {
        self.group.kill();
    }

    async fn ended_by(&mut self, until: Instant) -> Silence {
        while !self.group.has_ended() {
            if Instant::now() >= until {
                return Silence::Hung;
            }
            time::sleep(Duration::from_millis(2)).await;
        }
        let stderr = self.stderr.last_lines().await;
        match self.group.state() {
            Ok(WaitStatus::Exited(_, code)) => Silence::Ended(Ended::Exited { code, stderr }),
            Ok(WaitStatus::Signaled(_, signal, _)) => {
                Silence::Ended(Ended::Killed { signal: signal as i32, name: signal.as_str(), stderr })
            }
            Ok(_) => Silence::Broken("it has been killed".to_owned()),
            Err(error) => Silence::Broken(error.to_string()),
        }
    }
}

fn command(program: &Program, file: &Path, home: &Path) -> Command {
    let mut command = Command::new(file);
    command.args(&program.arguments).current_dir(home).env_clear();
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LANG", "C.UTF-8");
    command.env("HOME", home).env("TMPDIR", home);
    command.envs(program.environment.iter().map(|(name, value)| (name, value)));
    command
}
