//! Tries what a sandboxed program must not be able to do, and prints what happened to each, one line a try.
//!
//! `probe FOREIGN_FILE FOREIGN_FOLDER TCP_PORT`: a file and a folder that it has no business with, and a port on
//! which somebody listens. Each line is `name: done` or `name: refused (why)`.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{self, Signal};
use nix::unistd::{self, Pid};

/// Processes that are tried.
const FORKS: usize = 1000;

/// Memory that is tried, in bytes: never touched.
const MEMORY_BYTES: usize = 8 << 30;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [wait] if wait == "wait" => {
            thread::sleep(Duration::from_secs(60));
            ExitCode::SUCCESS
        }
        [file, folder, port] => {
            probe(Path::new(file), Path::new(folder), port);
            ExitCode::SUCCESS
        }
        _ => ExitCode::from(2),
    }
}

fn probe(file: &Path, folder: &Path, port: &str) {
    tell("writes its own folder", fs::write("own", "mine").and_then(|()| fs::remove_file("own")));
    tell("reads a system library", fs::read_dir("/usr/lib").map(drop));
    tell("reads a foreign file", fs::read(file).map(drop));
    let linked = symlink(file, "link").and_then(|()| fs::read("link"));
    tell("reads a foreign file by a link", linked.map(drop));
    tell("reads /etc/passwd", fs::read("/etc/passwd").map(drop));
    tell("reads its parent's memory map", fs::read(format!("/proc/{}/maps", unistd::getppid())).map(drop));
    tell("runs a foreign program", Command::new(file).status().map(drop));
    tell("lists a foreign folder", fs::read_dir(folder).map(drop));
    tell("writes a foreign folder", fs::write(folder.join("written"), "by the probe"));
    tell("writes a foreign file", fs::OpenOptions::new().append(true).open(file).map(drop));
    tell("empties a foreign file", nix_result(unistd::truncate(file, 0)));
    tell("removes a foreign file", fs::remove_file(file));
    tell("connects over TCP", TcpStream::connect(format!("127.0.0.1:{port}")).map(drop));
    tell(
        "sends UDP",
        UdpSocket::bind("127.0.0.1:0").and_then(|from| from.send_to(b"x", "127.0.0.1:9")).map(drop),
    );
    tell("makes a pair of sockets", UnixStream::pair().map(drop));
    tell("leaves its session", nix_result(unistd::setsid().map(drop)));
    tell("leaves its group", nix_result(unistd::setpgid(Pid::from_raw(0), Pid::from_raw(0))));
    tell(
        "becomes root",
        nix_result(unistd::setuid(unistd::Uid::from_raw(0))).and_then(|()| fs::read("/etc/shadow")).map(drop),
    );
    // A signal that nobody minds, should it arrive.
    tell("signals its parent", nix_result(signal::kill(unistd::getppid(), Signal::SIGWINCH)));
    tell("signals process 1", nix_result(signal::kill(Pid::from_raw(1), Signal::SIGWINCH)));
    tell("writes a large file", large_file());
    let mut memory: Vec<u8> = Vec::new();
    let taken = memory.try_reserve_exact(MEMORY_BYTES);
    tell("takes 8 GiB of memory", taken.map_err(|error| io::Error::other(error.to_string())));
    forks();
}

/// More than a file may have: 200 MB.
fn large_file() -> io::Result<()> {
    // The signal that comes at the limit would end us before we can tell.
    let ignored = Signal::SIGXFSZ as i32;
    let mut command = Command::new("/bin/sh");
    let script = format!("trap '' {ignored}; head -c 200000000 /dev/zero > large");
    let done = command.arg("-c").arg(script).stdin(Stdio::null()).stderr(Stdio::null()).status()?;
    let bytes = fs::metadata("large")?.len();
    let _ = fs::remove_file("large");
    if done.success() { Ok(()) } else { Err(io::Error::other(format!("stopped at {bytes} bytes"))) }
}

fn forks() {
    let own = env::current_exe();
    let mut children: Vec<Child> = Vec::new();
    let mut refused = None;
    while children.len() < FORKS && refused.is_none() {
        let child = own
            .as_ref()
            .map_err(|error| io::Error::other(error.to_string()))
            .and_then(|own| Command::new(own).arg("wait").stdin(Stdio::null()).stdout(Stdio::null()).spawn());
        match child {
            Ok(child) => children.push(child),
            Err(error) => refused = Some(error),
        }
    }
    let count = children.len();
    let told = refused.map_or(Ok(()), |error| Err(io::Error::other(format!("after {count}: {error}"))));
    tell("forks 1,000 times", told);
    for mut child in children {
        let _ = child.kill().and_then(|()| child.wait());
    }
}

fn nix_result(done: nix::Result<()>) -> io::Result<()> {
    done.map_err(io::Error::from)
}

fn tell(what: &str, happened: io::Result<()>) {
    let mut out = io::stdout().lock();
    let _ = match happened {
        Ok(()) => writeln!(out, "{what}: done"),
        Err(error) => writeln!(out, "{what}: refused ({error})"),
    };
    let _ = out.flush();
}
