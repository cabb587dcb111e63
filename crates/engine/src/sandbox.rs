//! What a program is kept from: files outside its own, sockets, other processes, other users.

mod calls;
mod files;
mod identity;

use std::io;
use std::path::Path;

use nix::errno::Errno;
use nix::sys::prctl;
use nix::unistd::{self, Gid, Uid};
use seccompiler::BpfProgram;

pub(crate) use identity::{Identity, present};

use crate::failure::StartError;
use crate::program::Program;

/// How far a program is trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confinement {
    /// Tier 1: Landlock, seccomp, no new privileges, and where we are root a user of its own. Where the kernel
    /// lacks what this takes, the program is not started.
    #[default]
    Tier1,
    /// Limits and a process group only, which a program that wants to may leave. Every answer says so.
    Unsandboxed,
}

/// The fence around one program, ready to be put up in its process before its first instruction.
#[derive(Debug)]
pub(crate) struct Fence {
    files: Option<landlock::RulesetCreated>,
    calls: Vec<BpfProgram>,
}

impl Fence {
    /// Prepares all that takes memory. `home` is where the program may write, `file` what is run, and
    /// `is_alone` says whether nobody else has its user, who then protects all others from its signals.
    ///
    /// # Errors
    /// What the kernel lacks, or a readable path that is not there.
    pub(crate) fn prepare(
        program: &Program,
        file: &Path,
        home: &Path,
        is_alone: bool,
    ) -> Result<Fence, StartError> {
        let lacking = |what: String| {
            program.error(format!(
                "{what}, which running other people's programs takes: a kernel of 5.13 or later with Landlock \
                 and seccomp, or `--unsandboxed`, would be right"
            ))
        };
        if let Some(path) = program.readable.iter().find(|path| !path.exists()) {
            return Err(program.error(format!("it is to read {}, which is not there", path.display())));
        }
        let files = files::rules(&program.readable, file, home).map_err(lacking)?;
        let calls = calls::filters(!is_alone && !files::keep_signals_in()).map_err(lacking)?;
        Ok(Fence { files: Some(files), calls })
    }

    /// Puts the fence up around the calling process, for good. Allocates nothing: it runs between fork and exec.
    pub(crate) fn enclose(&mut self) -> Result<(), Errno> {
        prctl::set_no_new_privs()?;
        if let Some(files) = self.files.take() {
            let status = files.restrict_self().map_err(|_| Errno::last())?;
            if status.ruleset == landlock::RulesetStatus::NotEnforced {
                return Err(Errno::ENOSYS);
            }
        }
        let own = unistd::getpid().as_raw().cast_unsigned();
        for program in &mut self.calls {
            calls::name_self(program, own);
            seccompiler::apply_filter(program).map_err(|_| Errno::last())?;
        }
        Ok(())
    }
}

/// Becomes the user `id`, of no group but its own. Allocates nothing.
pub(crate) fn become_user(id: u32) -> nix::Result<()> {
    let (user, group) = (Uid::from_raw(id), Gid::from_raw(id));
    unistd::setgroups(&[])?;
    unistd::setresgid(group, group, group)?;
    unistd::setresuid(user, user, user)
}

/// Whether programs are to get users of their own.
pub(crate) fn is_root() -> bool {
    unistd::geteuid().is_root()
}

/// An error of the system in words.
pub(crate) fn in_words(code: i32) -> String {
    io::Error::from_raw_os_error(code).to_string()
}
