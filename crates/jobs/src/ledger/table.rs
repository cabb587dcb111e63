//! A table in memory: rows by key, and beside them an index of those that are looked for by something else.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::ops::{Deref, RangeBounds};

/// A row that may be looked for by something besides its key.
pub trait Marked {
    /// What it is looked for by.
    type Mark: Ord + Copy + Debug;

    /// Its mark; `None` while nobody looks for it.
    fn mark(&self) -> Option<Self::Mark>;
}

/// Rows by key, read as the map that they are. What is found by its mark takes as long as it is much: how many
/// rows there are besides does not matter.
#[derive(Clone, Debug)]
pub struct Table<K, R: Marked> {
    rows: BTreeMap<K, R>,
    marks: BTreeSet<(R::Mark, K)>,
}

impl<K, R: Marked> Default for Table<K, R> {
    fn default() -> Table<K, R> {
        Table { rows: BTreeMap::new(), marks: BTreeSet::new() }
    }
}

impl<K, R: Marked> Deref for Table<K, R> {
    type Target = BTreeMap<K, R>;

    fn deref(&self) -> &BTreeMap<K, R> {
        &self.rows
    }
}

impl<K: Ord + Copy, R: Marked> Table<K, R> {
    /// Writes a row, and gives the one that was there.
    pub fn insert(&mut self, key: K, row: R) -> Option<R> {
        let (before, after) = (self.rows.get(&key).and_then(R::mark), row.mark());
        if before != after {
            self.unmark(key, before);
            self.marks.extend(after.map(|mark| (mark, key)));
        }
        self.rows.insert(key, row)
    }

    /// Removes a row, and gives it.
    pub fn remove(&mut self, key: &K) -> Option<R> {
        let row = self.rows.remove(key)?;
        self.unmark(*key, row.mark());
        Some(row)
    }

    /// Removes the rows of some keys.
    pub fn remove_range(&mut self, keys: impl RangeBounds<K>) {
        let marks = &mut self.marks;
        self.rows.extract_if(keys, |_, _| true).for_each(|(key, row)| {
            if let Some(mark) = row.mark() {
                marks.remove(&(mark, key));
            }
        });
    }

    /// Removes the rows that have no mark.
    pub fn remove_unmarked(&mut self) {
        if self.rows.len() > self.marks.len() {
            self.rows.retain(|_, row| row.mark().is_some());
        }
    }

    /// The rows with these marks and keys, by mark and then by key.
    pub fn marked(&self, marks: impl RangeBounds<(R::Mark, K)>) -> impl Iterator<Item = &R> {
        self.marks.range(marks).filter_map(|(_, key)| self.rows.get(key))
    }

    /// How many rows have a mark.
    pub fn marked_len(&self) -> usize {
        self.marks.len()
    }

    fn unmark(&mut self, key: K, mark: Option<R::Mark>) {
        if let Some(mark) = mark {
            self.marks.remove(&(mark, key));
        }
    }
}

impl<K: Ord + Copy, R: Marked> Extend<(K, R)> for Table<K, R> {
    fn extend<I: IntoIterator<Item = (K, R)>>(&mut self, rows: I) {
        for (key, row) in rows {
            self.insert(key, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Marked, Table};

    /// A number that is looked for by its tens while it is even.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Number(u32);

    impl Marked for Number {
        type Mark = u32;

        fn mark(&self) -> Option<u32> {
            self.0.is_multiple_of(2).then_some(self.0 / 10)
        }
    }

    fn marked(table: &Table<u32, Number>) -> Vec<u32> {
        let found: Vec<u32> = table.marked(..).map(|it| it.0).collect();
        assert_eq!(found.len(), table.marked_len());
        let all = table.values().filter(|it| it.mark().is_some());
        assert_eq!(all.count(), found.len(), "the index is not what the rows are");
        found
    }

    #[test]
    fn an_index_follows_its_rows() {
        let mut table = Table::default();
        table.extend([(1, Number(22)), (2, Number(14)), (3, Number(12)), (4, Number(17))]);
        assert_eq!(marked(&table), [14, 12, 22]);
        assert_eq!(table.marked((1, 3)..).map(|it| it.0).collect::<Vec<_>>(), [12, 22]);
        assert_eq!(table.insert(2, Number(15)), Some(Number(14)));
        assert_eq!(table.insert(4, Number(98)), Some(Number(17)));
        assert_eq!(table.insert(3, Number(32)), Some(Number(12)));
        assert_eq!(marked(&table), [22, 32, 98]);
        assert_eq!((table.remove(&4), table.remove(&4)), (Some(Number(98)), None));
        assert_eq!((marked(&table), table.len()), (vec![22, 32], 3));
        table.remove_unmarked();
        assert_eq!(table.keys().copied().collect::<Vec<_>>(), [1, 3]);
        table.remove_range(2..);
        assert_eq!((marked(&table), table.len()), (vec![22], 1));
    }
}
