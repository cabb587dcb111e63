//! The metrics of one process, and the text in which Prometheus reads them.

use std::time::Instant;

use prometheus::core::Collector;
#[cfg(target_os = "linux")]
use prometheus::process_collector::ProcessCollector;
use prometheus::{
    Counter, Gauge, GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts,
    PullingGauge, TextEncoder,
};

use crate::{Counters, Gauges, Histograms, Labels, NumberedGauges};

/// All metrics of a process. Cheap to clone.
///
/// Names follow the Prometheus rules: they begin with `vezir_`, end with the base unit (`_seconds`,
/// `_bytes`, `_ratio`), and a counter ends with `_total`.
#[derive(Clone, Debug)]
pub struct Registry(prometheus::Registry);

impl Registry {
    /// A registry with what is known of any process: its time on the processor, memory, open files and
    /// start, and as `vezir_build_info` the `version` that runs.
    ///
    /// # Errors
    /// [`RegistryError::Refused`], which would be a fault of this crate.
    pub fn new(version: &str) -> Result<Registry, RegistryError> {
        let registry = Registry(prometheus::Registry::new());
        #[cfg(target_os = "linux")]
        registry.take("process", Box::new(ProcessCollector::for_self()))?;
        let info = Opts::new("vezir_build_info", "Always 1; the label says which version runs.")
            .const_label("version", version);
        registry.keep("vezir_build_info", Gauge::with_opts(info))?.set(1.0);
        Ok(registry)
    }

    /// A counter of events.
    ///
    /// # Errors
    /// [`RegistryError::Refused`] where the name is taken or is none.
    pub fn counter(&self, name: &str, help: &str) -> Result<IntCounter, RegistryError> {
        self.keep(name, IntCounter::new(name, help))
    }

    /// A counter of what may come to more than 2^64, with the precision of an `f64`.
    ///
    /// # Errors
    /// As [`Registry::counter`].
    pub fn large_counter(&self, name: &str, help: &str) -> Result<Counter, RegistryError> {
        self.keep(name, Counter::new(name, help))
    }

    /// A counter of events for each of `L`.
    ///
    /// # Errors
    /// As [`Registry::counter`].
    pub fn counters<L: Labels>(&self, name: &str, help: &str) -> Result<Counters<L>, RegistryError> {
        let family = IntCounterVec::new(Opts::new(name, help), &L::names());
        self.keep(name, family).map(Counters::new)
    }

    /// A value that goes up and down.
    ///
    /// # Errors
    /// As [`Registry::counter`].
    pub fn gauge(&self, name: &str, help: &str) -> Result<Gauge, RegistryError> {
        self.keep(name, Gauge::new(name, help))
    }

    /// A value that goes up and down for each of `L`.
    ///
    /// # Errors
    /// As [`Registry::counter`].
    pub fn gauges<L: Labels>(&self, name: &str, help: &str) -> Result<Gauges<L>, RegistryError> {
        let family = GaugeVec::new(Opts::new(name, help), &L::names());
        self.keep(name, family).map(Gauges::new)
    }

    /// A value for each of a few numbered things, which `label` names.
    ///
    /// # Errors
    /// As [`Registry::counter`].
    pub fn numbered_gauges(
        &self,
        name: &str,
        help: &str,
        label: &str,
    ) -> Result<NumberedGauges, RegistryError> {
        self.keep(name, GaugeVec::new(Opts::new(name, help), &[label])).map(NumberedGauges::new)
    }

    /// The seconds that have passed since the moment that `since` tells, measured when somebody looks: no
    /// clock of another machine is compared with ours.
    ///
    /// # Errors
    /// As [`Registry::counter`].
    pub fn age(
        &self,
        name: &str,
        help: &str,
        since: impl Fn() -> Instant + Send + Sync + 'static,
    ) -> Result<(), RegistryError> {
        let age = move || since().elapsed().as_secs_f64();
        self.keep(name, PullingGauge::new(name, help, Box::new(age))).map(drop)
    }

    /// How often a value fell below each of `buckets`, which grow.
    ///
    /// # Errors
    /// As [`Registry::counter`], and where the buckets do not grow.
    pub fn histogram(&self, name: &str, help: &str, buckets: &[f64]) -> Result<Histogram, RegistryError> {
        let wish = HistogramOpts::new(name, help).buckets(buckets.to_vec());
        self.keep(name, Histogram::with_opts(wish))
    }

    /// A histogram for each of `L`.
    ///
    /// # Errors
    /// As [`Registry::histogram`].
    pub fn histograms<L: Labels>(
        &self,
        name: &str,
        help: &str,
        buckets: &[f64],
    ) -> Result<Histograms<L>, RegistryError> {
        let wish = HistogramOpts::new(name, help).buckets(buckets.to_vec());
        self.keep(name, HistogramVec::new(wish, &L::names())).map(Histograms::new)
    }

    /// What `/metrics` shows.
    ///
    /// # Errors
    /// [`RegistryError::Unwritten`] where the metrics make no text.
    pub fn text(&self) -> Result<String, RegistryError> {
        TextEncoder::new().encode_to_string(&self.0.gather()).map_err(RegistryError::Unwritten)
    }

    /// Takes in a metric that was made, and gives it to whoever counts.
    fn keep<C: Collector + Clone + 'static>(
        &self,
        name: &str,
        made: Result<C, prometheus::Error>,
    ) -> Result<C, RegistryError> {
        let collector = made.map_err(|source| RegistryError::Refused { name: name.to_owned(), source })?;
        self.take(name, Box::new(collector.clone()))?;
        Ok(collector)
    }

    fn take(&self, name: &str, collector: Box<dyn Collector>) -> Result<(), RegistryError> {
        let taken = self.0.register(collector);
        taken.map_err(|source| RegistryError::Refused { name: name.to_owned(), source })
    }
}

/// Why a metric cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The metric cannot be taken in.
    #[error("the metric {name} cannot be registered: {source}; a name that no other has would be right")]
    Refused {
        /// Its name.
        name: String,
        /// What is wrong with it.
        source: prometheus::Error,
    },
    /// The metrics make no text.
    #[error("the metrics cannot be written: {0}")]
    Unwritten(prometheus::Error),
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{Registry, RegistryError};

    fn registry() -> Registry {
        Registry::new("1.2.3").expect("a registry")
    }

    #[test]
    fn a_process_says_what_it_is() {
        let text = registry().text().expect("a text");
        assert!(text.contains("vezir_build_info{version=\"1.2.3\"} 1\n"), "{text}");
        #[cfg(target_os = "linux")]
        assert!(text.contains("\nprocess_open_fds "), "{text}");
    }

    #[test]
    fn a_name_is_taken_once() {
        let registry = registry();
        registry.counter("vezir_taken_total", "Once.").expect("a new name");
        let again = registry.gauge("vezir_taken_total", "Twice.");
        assert!(matches!(again, Err(RegistryError::Refused { name, .. }) if name == "vezir_taken_total"));
    }

    #[test]
    fn what_is_numbered_comes_and_goes() {
        let registry = registry();
        let gauges = registry.numbered_gauges("vezir_runs_ratio", "By run.", "run").expect("a new name");
        gauges.replace([(7, 0.5), (8, 0.25)]);
        assert!(registry.text().expect("a text").contains("vezir_runs_ratio{run=\"7\"} 0.5\n"));
        gauges.replace([(8, 1.0)]);
        let text = registry.text().expect("a text");
        assert!(!text.contains("run=\"7\"") && text.contains("run=\"8\"} 1\n"), "{text}");
        gauges.replace([]);
        assert!(!registry.text().expect("a text").contains("vezir_runs_ratio"));
    }

    #[test]
    fn an_age_is_measured_when_somebody_looks() {
        let registry = registry();
        let begin = Instant::now();
        registry.age("vezir_age_seconds", "Since then.", move || begin).expect("a new name");
        let age = || -> f64 {
            let text = registry.text().expect("a text");
            let line = text.lines().find_map(|line| line.strip_prefix("vezir_age_seconds "));
            line.and_then(|value| value.parse().ok()).expect("a value")
        };
        let first = age();
        assert!(first >= 0.0 && age() > first);
    }
}
