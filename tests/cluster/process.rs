//! A process of `vezir`: what it says is read as it comes, and it is killed when it is dropped.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::until;

/// A running process. It is killed when dropped.
pub struct Process {
    name: String,
    child: Child,
    answer: Arc<Mutex<String>>,
    talk: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
}

impl Process {
    /// Starts a process, which is called `name` where something is told of it.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start(name: &str, mut command: Command) -> Process {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{name} cannot be started: {error}"));
        let (answer, talk) = (Arc::default(), Arc::default());
        let out = child.stdout.take().map(|out| read(out, &answer));
        let err = child.stderr.take().map(|err| read(err, &talk));
        let readers = out.into_iter().chain(err).collect();
        Process { name: name.to_owned(), child, answer, talk, readers }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it has told beside its answer so far.
    ///
    /// # Panics
    /// If its reader did.
    pub fn talk(&self) -> String {
        self.talk.lock().expect("no reader panics").clone()
    }

    /// The first line that it tells in which `find` finds something.
    ///
    /// # Panics
    /// If it does not tell one within `limit`, or ends before.
    pub fn told<T>(&mut self, what: &str, limit: Duration, find: impl Fn(&str) -> Option<T>) -> T {
        let name = self.name.clone();
        until(&format!("{name} to tell {what}"), limit, || {
            let ended = self.child.try_wait().expect("it can be asked").filter(|_| self.readers_ended());
            let found = self.talk().lines().find_map(&find);
            assert!(found.is_some() || ended.is_none(), "{name} ended with {ended:?}: {}", self.talk());
            found
        })
    }

    /// Sends a signal by its name, as `INT` or `STOP`.
    ///
    /// # Panics
    /// If the process is gone.
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "{} cannot be sent {signal}", self.name);
    }

    /// Kills it, as `kill -9` does, and waits until it is gone.
    ///
    /// # Panics
    /// If it has ended before: what is killed must be at work.
    pub fn kill(mut self) {
        let ended = self.child.try_wait().expect("it can be asked");
        assert!(ended.is_none(), "{} had ended with {ended:?}: {}", self.name, self.talk());
        self.child.kill().expect("it is a child of this process");
        self.child.wait().expect("it is a child of this process");
    }

    /// Waits until it ends by itself: its exit code, its answer, and what it told beside it.
    ///
    /// # Panics
    /// If it does not end within `limit`.
    pub fn end(mut self, limit: Duration) -> (Option<i32>, String, String) {
        let name = self.name.clone();
        let child = &mut self.child;
        let ended: ExitStatus =
            until(&format!("the end of {name}"), limit, || child.try_wait().expect("it can be asked"));
        for reader in self.readers.drain(..) {
            reader.join().expect("no reader panics");
        }
        let answer = self.answer.lock().expect("no reader panics").clone();
        (ended.code(), answer, self.talk())
    }

    fn readers_ended(&self) -> bool {
        self.readers.iter().all(JoinHandle::is_finished)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended; one that is stopped dies as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() && !self.readers.is_empty() {
            eprintln!("--- what {} told ---\n{}", self.name, self.talk());
        }
    }
}

/// Reads to the end, line by line.
fn read(from: impl Read + Send + 'static, into: &Arc<Mutex<String>>) -> JoinHandle<()> {
    let (mut from, into) = (BufReader::new(from), into.clone());
    thread::spawn(move || {
        let mut line = String::new();
        while from.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            into.lock().expect("no reader panics").push_str(&line);
            line.clear();
        }
    })
}
