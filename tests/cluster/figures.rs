//! What a service shows on its metrics' page.

use std::time::Duration;

use super::{Process, until};

/// How long a service may take to show its metrics.
const PATIENCE: Duration = Duration::from_secs(60);

/// The sum of the series of `metric` whose labels hold `label`, as a service that was started with
/// `--metrics 127.0.0.1:0` shows them; zero where it shows none.
///
/// # Panics
/// If it does not show its metrics within a minute.
pub(super) fn figure(process: &Process, metric: &str, label: &str) -> u64 {
    let page = until(&format!("the metrics of {}", process.name()), PATIENCE, || {
        let talk = process.talk();
        let (_, address) = talk.split_once("metrics on ")?;
        let request = ureq::get(address.lines().next()?.trim_end_matches(['"', '}']));
        let request = request.config().timeout_global(Some(PATIENCE)).build();
        request.call().ok()?.body_mut().read_to_string().ok()
    });
    let series = page.lines().filter_map(|line| {
        let (name, value) = line.strip_prefix(metric)?.rsplit_once(' ')?;
        (name.is_empty() || name.starts_with('{')).then_some((name, value))
    });
    let values = series.filter(|(name, _)| name.contains(label));
    let sum: f64 = values.map(|(_, value)| value.parse::<f64>().expect("a number")).sum();
    sum as u64
}
