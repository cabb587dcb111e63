//! The units that wait, and which of them a worker is given next.

use std::collections::BTreeMap;
use std::ops::Range;

/// Units that nobody holds and nobody has counted, as the longest possible slices.
///
/// Neighbors share subtrees, so a worker should go on where it stopped, and a new one should begin far
/// from the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Queue {
    /// Ends by beginnings. No slice is empty, and no two touch.
    slices: BTreeMap<u32, u32>,
}

impl Queue {
    pub(crate) fn new(units: Range<u32>) -> Queue {
        let mut queue = Queue::default();
        queue.put_back(units);
        queue
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    pub(crate) fn slices(&self) -> impl Iterator<Item = Range<u32>> {
        self.slices.iter().map(|(first, end)| *first..*end)
    }

    /// Takes at most `most` units, beginning at `near` if that unit begins a slice.
    ///
    /// Otherwise the longest slice gives: from its beginning, or, where it is `shared` with others who work
    /// towards it, from its middle. Half of what follows is left, so that the last jobs are short ones.
    pub(crate) fn take(&mut self, near: Option<u32>, shared: bool, most: u32) -> Option<Range<u32>> {
        let near = near.and_then(|unit| self.slices.get(&unit).map(|end| (unit..*end, unit)));
        let (slice, from) = near.or_else(|| {
            let longest = self.slices().max_by_key(|slice| (slice.len(), std::cmp::Reverse(slice.start)))?;
            let from = if shared { longest.start + (longest.end - longest.start) / 2 } else { longest.start };
            Some((longest, from))
        })?;
        let taken = from..from + (slice.end - from).div_ceil(2).min(most.max(1));
        self.slices.remove(&slice.start);
        for rest in [slice.start..from, taken.end..slice.end] {
            if !rest.is_empty() {
                self.slices.insert(rest.start, rest.end);
            }
        }
        Some(taken)
    }

    /// Lets units wait again. They must be neither waiting now nor empty of meaning: held or new.
    pub(crate) fn put_back(&mut self, units: Range<u32>) {
        if units.is_empty() {
            return;
        }
        let before = self.slices.range(..units.start).next_back().filter(|(_, end)| **end == units.start);
        let first = before.map_or(units.start, |(first, _)| *first);
        let end = self.slices.remove(&units.end).unwrap_or(units.end);
        self.slices.insert(first, end);
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;

    #[test]
    fn a_worker_goes_on_where_it_stopped() {
        let mut queue = Queue::new(0..64);
        assert_eq!(queue.take(None, false, 8), Some(0..8));
        assert_eq!(queue.take(Some(8), true, 8), Some(8..16));
        assert_eq!(queue, Queue::new(16..64));
    }

    #[test]
    fn a_second_worker_begins_in_the_middle() {
        let mut queue = Queue::new(0..64);
        queue.take(None, false, 8);
        assert_eq!(queue.take(None, true, 8), Some(36..44));
        assert_eq!(queue.slices().collect::<Vec<_>>(), [8..36, 44..64]);
    }

    #[test]
    fn the_last_jobs_are_short() {
        let mut queue = Queue::new(0..10);
        let mut next = None;
        let mut lengths = Vec::new();
        while let Some(taken) = queue.take(next, false, 8) {
            next = Some(taken.end);
            lengths.push(taken.len());
        }
        assert_eq!(lengths, [5, 3, 1, 1]);
        assert!(queue.is_empty());
    }

    #[test]
    fn returned_units_join_their_neighbors() {
        let mut queue = Queue::new(0..4);
        queue.take(None, false, 2);
        queue.put_back(1..2);
        queue.put_back(0..1);
        assert_eq!(queue, Queue::new(0..4));
    }
}
