//! Which files a program may read, run and write, as Landlock rules.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

/// The newest rights that are asked for; a kernel that lacks some of those after the first gets the others.
const NEWEST: ABI = ABI::V6;

/// What every program needs to be loaded and to look at the machine. What is not there is left out.
const SYSTEM: [&str; 14] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/localtime",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system",
    "/dev/urandom",
    "/dev/random",
];

/// Where anybody may write without a trace.
const SINKS: [&str; 2] = ["/dev/null", "/dev/zero"];

/// The rules, or what the kernel lacks.
pub(super) fn rules(readable: &[PathBuf], file: &Path, home: &Path) -> Result<RulesetCreated, String> {
    if hard().handle_access(AccessFs::from_all(ABI::V1)).is_err() {
        return Err("this kernel has no Landlock, or it is switched off".to_owned());
    }
    build(readable, file, home).map_err(|error| format!("Landlock refuses its rules ({error})"))
}

/// Whether the kernel keeps signals to what is inside the fence (Linux 6.12).
pub(super) fn keep_signals_in() -> bool {
    hard().scope(Scope::Signal).is_ok()
}

fn build(readable: &[PathBuf], file: &Path, home: &Path) -> Result<RulesetCreated, RulesetError> {
    let all = AccessFs::from_all(NEWEST);
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let run: BitFlags<AccessFs> = read | AccessFs::Execute;
    let own = run | AccessFs::from_write(NEWEST) & !special();
    Ruleset::default()
        .handle_access(all)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(SYSTEM, run))?
        .add_rules(path_beneath_rules(SINKS, AccessFs::ReadFile | AccessFs::WriteFile))?
        .add_rules(path_beneath_rules(readable, run))?
        .add_rules(path_beneath_rules([file], AccessFs::ReadFile | AccessFs::Execute))?
        .add_rules(path_beneath_rules([home], own))
}

/// What nobody needs to make: devices and sockets.
fn special() -> BitFlags<AccessFs> {
    AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::IoctlDev
}

/// A set of rules that fails where the kernel lacks something.
fn hard() -> Ruleset {
    Ruleset::default().set_compatibility(CompatLevel::HardRequirement)
}
