//! Metrics that have one series for each combination of their labels.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus::{Gauge, GaugeVec, Histogram, HistogramVec, IntCounter, IntCounterVec};

use crate::Labels;

/// Counters, one for each `L`.
#[derive(Clone, Debug)]
pub struct Counters<L> {
    family: IntCounterVec,
    labels: PhantomData<fn(L)>,
}

impl<L: Labels> Counters<L> {
    pub(crate) fn new(family: IntCounterVec) -> Counters<L> {
        let counters = Counters { family, labels: PhantomData };
        L::at_start().into_iter().for_each(|labels| drop(counters.of(labels)));
        counters
    }

    /// The counter of `labels`.
    pub fn of(&self, labels: L) -> IntCounter {
        self.family.with_label_values(&labels.values())
    }
}

/// Gauges, one for each `L`.
#[derive(Clone, Debug)]
pub struct Gauges<L> {
    family: GaugeVec,
    labels: PhantomData<fn(L)>,
}

impl<L: Labels> Gauges<L> {
    pub(crate) fn new(family: GaugeVec) -> Gauges<L> {
        let gauges = Gauges { family, labels: PhantomData };
        L::at_start().into_iter().for_each(|labels| drop(gauges.of(labels)));
        gauges
    }

    /// The gauge of `labels`.
    pub fn of(&self, labels: L) -> Gauge {
        self.family.with_label_values(&labels.values())
    }

    /// Sets every gauge that is shown from the start to what `value` says of its labels.
    pub fn set_all(&self, value: impl Fn(L) -> f64) {
        L::at_start().into_iter().for_each(|labels| self.of(labels).set(value(labels)));
    }
}

/// Histograms, one for each `L`.
#[derive(Clone, Debug)]
pub struct Histograms<L> {
    family: HistogramVec,
    labels: PhantomData<fn(L)>,
}

impl<L: Labels> Histograms<L> {
    pub(crate) fn new(family: HistogramVec) -> Histograms<L> {
        let histograms = Histograms { family, labels: PhantomData };
        L::at_start().into_iter().for_each(|labels| drop(histograms.of(labels)));
        histograms
    }

    /// The histogram of `labels`.
    pub fn of(&self, labels: L) -> Histogram {
        self.family.with_label_values(&labels.values())
    }
}

/// Gauges of things that have a number and come and go, such as runs: the one label that is not a closed set.
/// Whoever sets them sees to it that they are few.
#[derive(Clone, Debug)]
pub struct NumberedGauges {
    family: GaugeVec,
    shown: Arc<Mutex<BTreeSet<u64>>>,
}

impl NumberedGauges {
    pub(crate) fn new(family: GaugeVec) -> NumberedGauges {
        NumberedGauges { family, shown: Arc::default() }
    }

    /// Shows these values by number, and no others any longer.
    pub fn replace(&self, values: impl IntoIterator<Item = (u64, f64)>) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let mut now = BTreeSet::new();
        for (number, value) in values {
            self.family.with_label_values(&[number.to_string()]).set(value);
            now.insert(number);
        }
        for gone in shown.difference(&now) {
            // It is shown, so it can be removed.
            let _ = self.family.remove_label_values(&[gone.to_string()]);
        }
        *shown = now;
    }
}
