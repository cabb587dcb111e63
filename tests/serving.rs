//! Processes of a cluster, as operators start them: each tells where it listens, and is killed when dropped.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::executable;

/// What no test's wait should come near to.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How long to wait before a condition is looked at again.
const PAUSE: Duration = Duration::from_millis(20);

/// What `look` finds, once it finds anything. `what` says what is waited for.
///
/// # Panics
/// If it finds nothing in time.
pub fn await_some<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain for {what}");
        thread::sleep(PAUSE);
    }
}

/// A service of `vezir`. It is killed when dropped.
pub struct Service {
    child: Child,
    talk: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
    /// Where a coordinator keeps its runs.
    _store: Option<TempDir>,
}

impl Service {
    /// Starts `vezir` with these words.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start(words: &[&str]) -> Service {
        let mut command = executable::vezir();
        command.args(words);
        Service::of(command)
    }

    /// Starts a coordinator on loopback with a store and metrics of its own, and these words besides.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn coordinator(words: &[&str]) -> Service {
        let folder = TempDir::new().expect("a temporary folder");
        let mut command = executable::vezir();
        command.args(["coordinator", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]);
        command.arg("--store").arg(folder.path().join("runs.sqlite")).args(words);
        Service::run(command, Some(folder))
    }

    /// Starts a worker of one thread for the coordinator at `address`, with metrics of its own, and these words
    /// besides.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn worker(address: &str, words: &[&str]) -> Service {
        let mut command = executable::vezir();
        command.args(["worker", "--coordinator", address, "--threads", "1", "--hash", "16MiB"]);
        command.args(["--metrics", "127.0.0.1:0"]).args(words);
        Service::run(command, None)
    }

    /// Starts what a command says.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn of(command: Command) -> Service {
        Service::run(command, None)
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn run(mut command: Command, store: Option<TempDir>) -> Service {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("vezir can be started");
        let mut lines = BufReader::new(child.stderr.take().expect("it was piped"));
        let talk: Arc<Mutex<String>> = Arc::default();
        let heard = talk.clone();
        let reader = thread::spawn(move || {
            let mut line = String::new();
            while lines.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
                heard.lock().expect("nobody panics").push_str(&line);
                line.clear();
            }
        });
        Service { child, talk, reader: Some(reader), _store: store }
    }

    /// What it has told so far.
    ///
    /// # Panics
    /// If its reader did.
    pub fn talk(&self) -> String {
        self.talk.lock().expect("nobody panics").clone()
    }

    /// What follows `start` in what it tells, up to `end`.
    ///
    /// # Panics
    /// If it does not tell that in time.
    pub fn told(&self, start: &str, end: &[char]) -> String {
        await_some(&format!("`{start}` in what {} told", self.child.id()), || {
            let talk = self.talk();
            let (_, rest) = talk.split_once(start)?;
            rest.split_once(end).map(|(told, _)| told.to_owned())
        })
    }

    /// Where a coordinator listens, as it is called by others.
    ///
    /// # Panics
    /// If it does not listen in time.
    pub fn address(&self) -> String {
        self.told("listening on ", &[',', '"'])
    }

    /// Where it shows its metrics, as `host:port`.
    ///
    /// # Panics
    /// If it does not show them in time.
    pub fn metrics(&self) -> String {
        self.told("metrics on http://", &['/'])
    }

    /// A page of its metrics' listener, with its status.
    ///
    /// # Panics
    /// If it does not answer.
    pub fn page(&self, path: &str) -> (u16, String) {
        let request = ureq::get(format!("http://{}{path}", self.metrics()));
        let request = request.config().timeout_global(Some(PATIENCE)).http_status_as_error(false).build();
        let read =
            request.call().and_then(|mut it| Ok((it.status().as_u16(), it.body_mut().read_to_string()?)));
        read.unwrap_or_else(|error| panic!("{path}: {error}: {}", self.talk()))
    }

    /// The value of a series that it shows; zero if it shows none.
    ///
    /// # Panics
    /// If it does not answer.
    pub fn shown(&self, series: &str) -> f64 {
        let (_, text) = self.page("/metrics");
        let value = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        value.map_or(0.0, |value| value.parse().expect("a number"))
    }

    /// Sends a signal by its name, as `TERM`.
    ///
    /// # Panics
    /// If it is gone.
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "{signal} cannot be sent");
    }

    /// How it ends by itself, with everything that it told.
    ///
    /// # Panics
    /// If it does not end in time.
    pub fn end(mut self) -> (ExitStatus, String) {
        let status = await_some("a service to end", || self.child.try_wait().expect("it is a child"));
        let _ = self.reader.take().map(JoinHandle::join);
        (status, self.talk())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            eprintln!("--- a service told ---\n{}", self.talk());
        }
    }
}

/// What `vezir` with these words answers.
///
/// # Panics
/// If it does not end well.
pub fn answer(words: &[&str]) -> String {
    let output = executable::vezir().args(words).stdin(Stdio::null()).output().expect("vezir can be started");
    let [answer, talk] = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert!(output.status.success(), "{words:?}: {talk}");
    answer
}
