//! What operators get: the shipped Prometheus configuration, its alerts, and dashboards whose every query finds
//! something.

#[path = "prometheus/events.rs"]
mod events;
#[path = "prometheus/real.rs"]
mod real;
#[path = "prometheus/selectors.rs"]
mod selectors;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use vezir_tests::dashboard::Dashboard;
use vezir_tests::house;
use vezir_tests::scraper::Prometheus;

use events::Fleet;
use selectors::unknown;

/// How often the tests' Prometheus scrapes.
const INTERVAL: Duration = Duration::from_millis(200);

/// The window of rates that goes with it.
const WINDOW: &str = "5s";

/// How long the first numbers of a query may take.
const PATIENCE: Duration = Duration::from_secs(20);

const RULES: &str = "deploy/prometheus/rules/vezir.yml";
const RULE_TESTS: &str = "deploy/prometheus/tests/vezir_test.yml";

/// Runs promtool at the top of the tree with `input`; what it says if it complains.
fn promtool(arguments: &[&str], input: &str) -> Result<String, String> {
    let mut command = Command::new("promtool");
    command.args(arguments).current_dir(house::root());
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut process = started.unwrap_or_else(|error| panic!("promtool: {error}; tests/run installs it"));
    let mut stdin = process.stdin.take().expect("it was piped");
    // It may end without having read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = process.wait_with_output().expect("promtool ends");
    let said = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned()).concat();
    if output.status.success() { Ok(said) } else { Err(said) }
}

#[test]
fn the_shipped_configuration_is_right() {
    let said = promtool(&["check", "config", "deploy/prometheus/prometheus.yml"], "");
    assert!(said.as_ref().is_ok_and(|said| !said.contains("WARNING")), "{said:?}");
    promtool(&["check", "rules", RULES], "").unwrap_or_else(|said| panic!("{said}"));
}

#[test]
fn every_alert_fires_and_keeps_silent() {
    promtool(&["test", "rules", RULE_TESTS], "").unwrap_or_else(|said| panic!("{said}"));
    let tests = house::read(RULE_TESTS.as_ref());
    let rules = house::read(RULES.as_ref());
    let alerts: Vec<&str> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() > 15, "{alerts:?}");
    for alert in alerts {
        let silent = format!("alertname: {alert}\n        exp_alerts: []\n");
        let firing = format!("alertname: {alert}\n        exp_alerts:\n          - exp_labels:");
        assert!(tests.contains(&silent), "{alert} is never expected to keep silent");
        assert!(tests.contains(&firing), "{alert} is never expected to fire");
    }
}

#[test]
fn a_broken_rule_is_seen() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let broken = folder.path().join("broken.yml");
    let rules = house::read(RULES.as_ref()).replace("max(vezir_workers{state=\"active\"}) == 0", "max(");
    std::fs::write(&broken, rules).expect("the file can be written");
    let path = broken.display().to_string();
    assert!(promtool(&["check", "rules", &path], "").is_err());
}

#[test]
fn metrics_keep_the_rules_of_prometheus() {
    for text in Fleet::default().texts() {
        let said = promtool(&["check", "metrics"], &text);
        assert_eq!(said, Ok(String::new()));
    }
    assert!(promtool(&["check", "metrics"], "# TYPE vezir_planted counter\nvezir_planted 1\n").is_err());
}

#[test]
fn one_process_can_be_both() {
    let together = Fleet::in_one_process();
    together.tick();
    let [text, _] = together.texts();
    assert!(text.contains("vezir_leaves_counted_total") && text.contains("vezir_leaves_walked_total"));
}

#[test]
fn rules_and_dashboards_ask_for_what_is_shown() {
    let fleet = Fleet::default();
    fleet.tick();
    let text = fleet.texts().concat();
    let mut asked = vec![house::read(RULES.as_ref()), house::read(RULE_TESTS.as_ref())];
    asked.extend(Dashboard::all().iter().flat_map(|it| it.queries(WINDOW)));
    let strangers: Vec<String> = asked.iter().flat_map(|query| unknown(query, &text)).collect();
    assert!(strangers.is_empty(), "\n{}\n", strangers.join("\n"));
}

#[test]
fn panels_explain_themselves() {
    for dashboard in Dashboard::all() {
        let title = &dashboard.title;
        let mut ids: Vec<u32> = dashboard.panels.iter().map(|panel| panel.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), dashboard.panels.len(), "{title}: two panels have one id");
        for panel in dashboard.shown() {
            let name = &panel.title;
            assert!(!name.is_empty() && panel.description.ends_with('.'), "{title}: {name} says too little");
            let unit = [&panel.field_config["defaults"]["unit"], &panel.options["yAxis"]["unit"]];
            assert!(unit.iter().any(|unit| unit.is_string()), "{title}: {name} has no unit");
            assert!(!panel.targets.is_empty(), "{title}: {name} asks nothing");
            let overlaps = dashboard.panels.iter().filter(|other| {
                let (a, b) = (panel.grid_pos, other.grid_pos);
                a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
            });
            assert_eq!(overlaps.count(), 1, "{title}: {name} lies on another panel");
            assert!(panel.grid_pos.x + panel.grid_pos.w <= 24, "{title}: {name} sticks out");
        }
    }
}

#[test]
fn every_query_of_the_dashboards_finds_something() {
    let running = Fleet::default().run();
    let prometheus = Prometheus::start(&[running.coordinator()], &[running.worker()], INTERVAL);
    let mut empty = Vec::new();
    for query in Dashboard::all().iter().flat_map(|it| it.queries(WINDOW)) {
        empty.extend(prometheus.await_numbers(&query, PATIENCE).err());
    }
    assert!(empty.is_empty(), "\n{}\n", empty.join("\n"));
    let up = prometheus.query("up").expect("a query");
    assert!(up.len() == 2 && up.iter().all(|it| it.value == 1.0), "{up:?}");
    let alerts = prometheus.alerts();
    assert!(alerts.len() > 15 && alerts.values().all(Option::is_none), "{alerts:?}");
    let strange = prometheus.query("sum(");
    assert!(strange.is_err(), "{strange:?}");
}
