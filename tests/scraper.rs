//! A real Prometheus, which scrapes what a test shows it with the configuration that we ship.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::house;

/// How long Prometheus may take to start, or to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long to wait before asking again for what is not there yet.
const PAUSE: Duration = Duration::from_millis(100);

/// The interval of the shipped configuration, which tests shorten.
const SHIPPED_INTERVAL: &str = "_interval: 15s";

/// A running Prometheus with a folder of its own. It ends when dropped.
pub struct Prometheus {
    process: Child,
    address: String,
    /// It goes with Prometheus.
    _folder: TempDir,
}

/// One series of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// What tells it from the others.
    pub labels: BTreeMap<String, String>,
    /// Its value.
    pub value: f64,
}

impl Prometheus {
    /// Starts one on a free port. It scrapes `coordinators` and `workers`, each as `host:port`, and judges the
    /// shipped alerts once an `interval`.
    ///
    /// # Panics
    /// If there is no `prometheus`, which `tests/run` installs, or it does not start.
    pub fn start(coordinators: &[String], workers: &[String], interval: Duration) -> Prometheus {
        let folder = configure(coordinators, workers, interval);
        let mut command = Command::new("prometheus");
        command.arg(format!("--config.file={}", folder.path().join("prometheus.yml").display()));
        command.arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()));
        command.args(["--web.listen-address=127.0.0.1:0", "--log.level=info"]);
        let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut process =
            started.unwrap_or_else(|error| panic!("prometheus: {error}; tests/run installs it"));
        let log = process.stderr.take().expect("it was piped");
        let (tell, told) = mpsc::channel();
        thread::spawn(move || listen(log, &tell));
        let address = told.recv_timeout(PATIENCE);
        let mut prometheus = Prometheus { process, address: String::new(), _folder: folder };
        // Dropped on the way out, it is ended.
        prometheus.address = address.expect("Prometheus says where it listens");
        prometheus.await_ready();
        prometheus
    }

    /// What `query` finds now.
    ///
    /// # Errors
    /// What Prometheus says of a query that it does not understand.
    ///
    /// # Panics
    /// If it does not answer.
    pub fn query(&self, query: &str) -> Result<Vec<Sample>, String> {
        let answer = self.get("query", &[("query", query)]);
        if answer["status"] != "success" {
            return Err(format!("{query}: {}", answer["error"]));
        }
        let found = answer["data"]["result"].as_array().cloned().unwrap_or_default();
        Ok(found.iter().filter_map(Sample::read).collect())
    }

    /// What `query` finds, once it finds a number.
    ///
    /// # Errors
    /// What it found last, or what Prometheus says of it, where no number comes in `patience`.
    ///
    /// # Panics
    /// As [`Prometheus::query`].
    pub fn await_numbers(&self, query: &str, patience: Duration) -> Result<Vec<Sample>, String> {
        let end = Instant::now() + patience;
        loop {
            let found = self.query(query)?;
            if found.iter().any(|sample| sample.value.is_finite()) {
                return Ok(found);
            }
            if Instant::now() > end {
                return Err(format!("{query}: no number, but {found:?}"));
            }
            thread::sleep(PAUSE);
        }
    }

    /// The names of the alerts that it judges, each with what is wrong with it, once each was judged.
    ///
    /// # Panics
    /// If it does not judge them all in time.
    pub fn alerts(&self) -> BTreeMap<String, Option<String>> {
        let end = Instant::now() + PATIENCE;
        loop {
            let answer = self.get("rules", &[("type", "alert")]);
            let groups = answer["data"]["groups"].as_array().cloned().unwrap_or_default();
            let rules: Vec<Value> =
                groups.iter().flat_map(|it| it["rules"].as_array().cloned().unwrap_or_default()).collect();
            if !rules.is_empty() && rules.iter().all(|rule| rule["health"] != "unknown") {
                let named = rules.iter().map(|rule| {
                    let wrong = (rule["health"] != "ok").then(|| rule["lastError"].to_string());
                    (rule["name"].as_str().unwrap_or_default().to_owned(), wrong)
                });
                return named.collect();
            }
            assert!(Instant::now() < end, "the alerts are not judged: {answer}");
            thread::sleep(PAUSE);
        }
    }

    fn get(&self, what: &str, parameters: &[(&str, &str)]) -> Value {
        let (_, said) = self.ask(&format!("/api/v1/{what}"), parameters);
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{parameters:?}: {error}: {said}"))
    }

    /// The status and the text with which it answers.
    fn ask(&self, path: &str, parameters: &[(&str, &str)]) -> (u16, String) {
        let request = ureq::get(format!("http://{}{path}", self.address));
        let request = request.config().timeout_global(Some(PATIENCE)).http_status_as_error(false).build();
        let sent = request.query_pairs(parameters.iter().copied()).call();
        let read = sent.and_then(|mut it| Ok((it.status().as_u16(), it.body_mut().read_to_string()?)));
        read.unwrap_or_else(|error| panic!("Prometheus does not answer {parameters:?}: {error}"))
    }

    /// Waits until it has looked through its folder and answers.
    fn await_ready(&self) {
        let end = Instant::now() + PATIENCE;
        loop {
            let (status, said) = self.ask("/-/ready", &[]);
            if status == 200 {
                return;
            }
            assert!(Instant::now() < end, "Prometheus is not ready: {said}");
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        // It keeps nothing that anybody wants to see again.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Sample {
    fn read(series: &Value) -> Option<Sample> {
        let labels = series["metric"].as_object()?.iter();
        let labels =
            labels.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()));
        Some(Sample { labels: labels.collect(), value: series["value"][1].as_str()?.parse().ok()? })
    }
}

/// The shipped configuration in a folder of its own, with these targets and this interval.
fn configure(coordinators: &[String], workers: &[String], interval: Duration) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder can be made");
        fs::write(path, text).expect("the file can be written");
    };
    let shipped = |name: &str| house::read(&Path::new("deploy/prometheus").join(name));
    let config = shipped("prometheus.yml");
    assert_eq!(config.matches(SHIPPED_INTERVAL).count(), 2, "{config}");
    write(
        "prometheus.yml",
        config.replace(SHIPPED_INTERVAL, &format!("_interval: {}ms", interval.as_millis())),
    );
    write("rules/vezir.yml", shipped("rules/vezir.yml"));
    let targets = |list: &[String]| serde_json::json!([{ "targets": list }]).to_string();
    write("targets/coordinators.yml", targets(coordinators));
    write("targets/workers.yml", targets(workers));
    folder
}

/// Reads the log to its end, and tells where Prometheus listens.
fn listen(log: ChildStderr, tell: &Sender<String>) {
    for line in BufReader::new(log).lines().map_while(Result::ok) {
        if line.contains("msg=\"Listening on\"")
            && let Some((_, address)) = line.split_once(" address=")
        {
            let address = address.split(' ').next().unwrap_or_default();
            // The test may be over.
            let _ = tell.send(address.to_owned());
        }
    }
}
