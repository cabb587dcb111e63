//! The probe tries what tier 1 must refuse, as the user of the tests, and as an ordinary one where that is root.

mod alone;

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::time::Duration;

use nix::unistd::geteuid;
use tokio::time::Instant;
use vezir_engine::{Confinement, Limits, Process, Program, Silence};

/// Two things that a program may do.
const ALLOWED: [&str; 2] = ["writes its own folder", "reads a system library"];

/// And all that it may not.
const REFUSED: [&str; 21] = [
    "reads a foreign file",
    "reads a foreign file by a link",
    "reads /etc/passwd",
    "reads its parent's memory map",
    "lists a foreign folder",
    "writes a foreign folder",
    "writes a foreign file",
    "empties a foreign file",
    "removes a foreign file",
    "connects over TCP",
    "sends UDP",
    "makes a pair of sockets",
    "leaves its session",
    "leaves its group",
    "becomes root",
    "signals its parent",
    "signals process 1",
    "writes a large file",
    "takes 8 GiB of memory",
    "forks 1,000 times",
    "runs a foreign program",
];

/// Runs the probe against files that any user may read and write; returns what became of each try.
async fn probed(confinement: Confinement, file: &Path, folder: &Path) -> BTreeMap<String, String> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let arguments = [file.display().to_string(), folder.display().to_string(), port];
    let program = Program::new(alone::example("probe")).with_arguments(arguments);
    let mut process = Process::start(&program, &Limits::default(), confinement).await.expect("the probe");
    let until = Instant::now() + Duration::from_secs(60);
    let mut happened = BTreeMap::new();
    loop {
        match process.line(until).await {
            Ok(line) => {
                let (what, how) = line.text.split_once(": ").unwrap_or_else(|| panic!("{}", line.text));
                happened.insert(what.to_owned(), how.to_owned());
            }
            Err(Silence::Ended(_)) => return happened,
            Err(silence) => panic!("{silence:?} after {happened:#?}"),
        }
    }
}

#[tokio::test]
async fn tier_1_refuses_all_that_it_must() {
    let foreign = tempfile::tempdir().expect("a folder");
    fs::set_permissions(foreign.path(), Permissions::from_mode(0o777)).expect("open to all");
    let file = foreign.path().join("file");
    fs::copy("/bin/true", &file).expect("a file");
    fs::set_permissions(&file, Permissions::from_mode(0o777)).expect("open to all");
    let before = fs::read(&file).expect("the file");
    let happened = probed(Confinement::Tier1, &file, foreign.path()).await;
    println!("tier 1 as user {}:", geteuid());
    for (what, how) in &happened {
        println!("  {what}: {how}");
    }
    for what in ALLOWED {
        assert_eq!(happened.get(what).map(String::as_str), Some("done"), "{what}");
    }
    for what in REFUSED {
        let how = happened.get(what).unwrap_or_else(|| panic!("{what} was not tried: {happened:#?}"));
        assert!(how.starts_with("refused"), "{what}: {how}");
    }
    assert_eq!(happened.len(), ALLOWED.len() + REFUSED.len());
    assert_eq!(fs::read(&file).expect("the file"), before);
    assert_eq!(fs::read_dir(foreign.path()).expect("the folder").count(), 1);
}

/// Shows that the probe can do what it tries where nothing refuses it.
#[tokio::test]
async fn without_a_sandbox_most_of_it_works() {
    let foreign = tempfile::tempdir().expect("a folder");
    let file = foreign.path().join("file");
    fs::copy("/bin/true", &file).expect("a file");
    let happened = probed(Confinement::Unsandboxed, &file, foreign.path()).await;
    for what in ["reads a foreign file", "writes a foreign folder", "connects over TCP", "sends UDP"] {
        assert_eq!(happened[what], "done", "{what}");
    }
    for what in ["reads /etc/passwd", "signals its parent", "runs a foreign program"] {
        assert_eq!(happened[what], "done", "{what}");
    }
    assert!(happened["takes 8 GiB of memory"].starts_with("refused"), "limits hold all the same");
}

/// The same as a user who is not root: this test again, in a process of its own.
#[test]
fn an_ordinary_user_is_as_safe() {
    if !geteuid().is_root() {
        println!("not root: the other test was as an ordinary user");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("open to all");
    let mut command = alone::again(folder.path(), "tier_1_refuses_all_that_it_must");
    let done = command.uid(65_534).gid(65_534).output().expect("the same test");
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && out.contains("tier 1 as user 65534"), "{out}\n{err}");
    println!("{out}");
}
