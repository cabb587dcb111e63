//! How far a long command is: a bar on a terminal, a plain line now and then in a pipe, nothing for short ones.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::follow::Part;
use crate::size::show_short;
use crate::talk::say;

/// Commands that are done before this show no bar.
const BAR_AFTER: Duration = Duration::from_millis(800);

/// How often a line is told where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Steps of the bar: it shows fractions, so any fine scale will do.
const STEPS: u64 = 10_000;

/// A running display. It vanishes when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    on_terminal: bool,
    begun: Instant,
    told: Instant,
    /// What was done when counting was first seen, here or before.
    first: Option<Part>,
}

impl Progress {
    /// A display that has nothing to show yet.
    pub(crate) fn new() -> Progress {
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Progress { bar, on_terminal: io::stderr().is_terminal(), begun: now, told: now, first: None }
    }

    /// Shows how far the work is.
    pub(crate) fn update(&mut self, part: Part) {
        if self.first.is_none() && part.fraction.is_some() {
            // What was counted before an interruption says nothing of how fast it goes now.
            (self.first, self.begun) = (Some(part), Instant::now());
        }
        let passed = self.begun.elapsed();
        let line = || describe(part, self.first.unwrap_or(part), passed);
        if self.on_terminal {
            if self.bar.is_hidden() && passed >= BAR_AFTER {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            self.bar.set_position((part.fraction.unwrap_or_default().clamp(0.0, 1.0) * STEPS as f64) as u64);
            self.bar.set_message(line());
        } else if self.told.elapsed() >= LINE_EVERY {
            say(&line());
            self.told = Instant::now();
        }
    }

    /// Runs `print` with the bar out of its way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Share, count, rate and time left in one line, where `first` was done before the time that has passed.
fn describe(part: Part, first: Part, passed: Duration) -> String {
    let Part { fraction, nodes, doubted, checks } = part;
    let Some(fraction) = fraction else { return "planning how the work is split".to_owned() };
    let seconds = passed.as_secs_f64().max(1e-9);
    let rate = (nodes.saturating_sub(first.nodes) as f64 / seconds) as u128;
    let gained = fraction.min(1.0) - first.fraction.unwrap_or_default();
    if fraction >= 1.0 && doubted > 0 {
        let wait = if doubted == 1 { "unit waits" } else { "units wait" };
        return format!("100 %, {} nodes, {doubted} {wait} for another worker's opinion", show_short(nodes));
    }
    let left = if gained > 0.0 {
        format!(", {} left", show_time(seconds * (1.0 - fraction).max(0.0) / gained))
    } else {
        String::new()
    };
    let done = format!("{:.0} %", fraction * 100.0);
    let (nodes, rate) = (show_short(nodes), show_short(rate));
    match checks {
        None => format!("{done}, {nodes} nodes, {rate} nodes/s{left}"),
        Some(checks) => {
            let places = show_short(checks.places.into());
            let wrong = checks.differing + checks.unanswered;
            format!("{done}, {places} places, {wrong} of them wrong, {rate} leaves/s{left}")
        }
    }
}

/// A duration as people say it, from seconds.
fn show_time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3_600 => format!("{} min {:02} s", whole / 60, whole % 60),
        3_600..172_800 => format!("{} h {:02} min", whole / 3_600, whole % 3_600 / 60),
        _ => format!("{} days", whole / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(fraction: Option<f64>, nodes: u128) -> Part {
        Part { fraction, nodes, doubted: 0, checks: None }
    }

    #[test]
    fn rate_and_time_left_are_told() {
        let nothing = at(Some(0.0), 0);
        let line = describe(at(Some(0.25), 1_000_000_000), nothing, Duration::from_secs(10));
        assert_eq!(line, "25 %, 1.00 G nodes, 100 M nodes/s, 30 s left");
        assert_eq!(describe(nothing, nothing, Duration::from_secs(1)), "0 %, 0 nodes, 0 nodes/s");
        assert!(describe(at(None, 0), at(None, 0), Duration::from_secs(1)).starts_with("planning"));
    }

    #[test]
    fn what_was_counted_before_is_no_part_of_the_rate() {
        let before = at(Some(0.5), 5_000_000_000);
        let line = describe(at(Some(0.6), 6_000_000_000), before, Duration::from_secs(10));
        assert_eq!(line, "60 %, 6.00 G nodes, 100 M nodes/s, 40 s left");
        let line = describe(before, before, Duration::from_secs(1));
        assert_eq!(line, "50 %, 5.00 G nodes, 0 nodes/s");
    }

    #[test]
    fn times_are_said_as_people_do() {
        let said = [0.4, 59.6, 3_599.0, 7_260.0, 400_000.0].map(show_time);
        assert_eq!(said, ["0 s", "1 min 00 s", "59 min 59 s", "2 h 01 min", "4 days"]);
    }
}
