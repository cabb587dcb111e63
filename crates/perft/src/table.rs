//! The table of counts already made, shared by all threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::{Advice, MmapMut};

use crate::keys::Key;
use crate::large::Large;

/// Entries that share a cache line, and so cost one memory access together.
const BUCKET_ENTRIES: usize = 4;

/// Bits of a key that are compared beyond those that chose the bucket: 64 in the tag, 16 beside the count.
const COMPARED_BITS: i32 = 80;

/// The low bits of a data word that hold part of the key; the count, plus one, is above them.
const CHECK_BITS: u32 = 16;

/// The largest count that an entry can hold; larger ones are kept apart.
const MAX_COUNT: u128 = (1 << (64 - CHECK_BITS)) - 2;

/// The most buckets that are looked at to guess how full the table is: it is then known to about 1 %.
const SAMPLED_BUCKETS: usize = 1024;

/// Makes the same position at another depth another key. Any odd number without a pattern serves.
const DEPTH_STRIDE: u128 = 0xB5C0_FBCF_EC4D_3B2F_9E37_79B9_7F4A_7C15;

/// A fixed amount of memory that remembers counts by position and depth.
///
/// An entry is two words: the data (count and 16 bits of key) and the other half of the key XOR the data.
/// A reader that meets words of two different writes sees a key that matches nothing, so no lock is needed.
///
/// Source: R. Hyatt and T. Mann, "A lock-less transposition table", ICGA Journal 25(1), 2002.
pub struct Table {
    memory: MmapMut,
    buckets: usize,
    large: Large,
}

/// One cache line.
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; BUCKET_ENTRIES]);

impl Table {
    /// What one remembered count takes.
    pub const ENTRY_BYTES: u64 = Table::MIN_BYTES / BUCKET_ENTRIES as u64;

    /// The least that a table can be.
    pub const MIN_BYTES: u64 = size_of::<Bucket>() as u64;

    /// A table of `bytes` bytes, rounded up to whole cache lines, which the system hands out only as they are used.
    ///
    /// # Errors
    /// What the system says when it will not give that much memory.
    pub fn new(bytes: u64) -> std::io::Result<Table> {
        let buckets = usize::try_from(bytes.div_ceil(Table::MIN_BYTES)).unwrap_or(usize::MAX).max(1);
        let length = buckets.checked_mul(size_of::<Bucket>()).ok_or(std::io::ErrorKind::OutOfMemory)?;
        let memory = MmapMut::map_anon(length)?;
        // Large pages save most of the address translation; a system without them serves as well.
        let _ = memory.advise(Advice::HugePage);
        Ok(Table { memory, buckets, large: Large::default() })
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.memory.len() as u64
    }

    /// Which part of the entries is in use, 0 to 1, guessed from a sample of the table.
    pub fn fill(&self) -> f64 {
        let buckets = self.buckets();
        let sample = buckets.iter().step_by(buckets.len().div_ceil(SAMPLED_BUCKETS));
        let entries = sample.flat_map(|bucket| &bucket.0);
        let (seen, used) = entries.fold((0_u32, 0_u32), |(seen, used), [_, data]| {
            (seen + 1, used + u32::from(data.load(Ordering::Relaxed) != 0))
        });
        f64::from(used) / f64::from(seen)
    }

    /// How many probes are expected to be answered with another position's count, of `probes` in all.
    pub fn expected_false_hits(probes: u64) -> f64 {
        probes as f64 * BUCKET_ENTRIES as f64 * 2_f64.powi(-COMPARED_BITS)
    }

    /// Has the memory of a position and depth brought near, for a look into it that follows.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: Key, depth: u32) {
        let (bucket, ..) = self.find(key, depth);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing, and every x86-64 has it.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
    }

    /// The count stored for a position and depth.
    #[inline(always)]
    pub(crate) fn get(&self, key: Key, depth: u32) -> Option<u128> {
        let (bucket, tag, check) = self.find(key, depth);
        for [locked, data] in &bucket.0 {
            let data = data.load(Ordering::Relaxed);
            if locked.load(Ordering::Relaxed) ^ data == tag && data & CHECK_MASK == check {
                return (data >> CHECK_BITS).checked_sub(1).map(u128::from);
            }
        }
        self.large.get(key, depth)
    }

    /// Stores a count, in the place of the smallest of its bucket.
    #[inline(always)]
    pub(crate) fn put(&self, key: Key, depth: u32, count: u128) {
        if count > MAX_COUNT {
            return self.large.put(key, depth, count);
        }
        let (bucket, tag, check) = self.find(key, depth);
        let mut smallest = &bucket.0[0];
        for entry in &bucket.0[1..] {
            if entry[1].load(Ordering::Relaxed) >> CHECK_BITS
                < smallest[1].load(Ordering::Relaxed) >> CHECK_BITS
            {
                smallest = entry;
            }
        }
        let data = (count as u64 + 1) << CHECK_BITS | check;
        smallest[0].store(tag ^ data, Ordering::Relaxed);
        smallest[1].store(data, Ordering::Relaxed);
    }

    /// The bucket of a position and depth, with the tag and the check bits that an entry must show.
    ///
    /// The bucket comes from the upper bits of one half, the check from its lowest, the tag from the other.
    #[inline(always)]
    fn find(&self, key: Key, depth: u32) -> (&Bucket, u64, u64) {
        let mixed = key.0 ^ DEPTH_STRIDE.wrapping_mul(depth.into());
        let (place, tag) = (mixed as u64, (mixed >> 64) as u64);
        let index = ((u128::from(place) * self.buckets as u128) >> 64) as usize;
        (&self.buckets()[index], tag, place & CHECK_MASK)
    }

    #[inline(always)]
    fn buckets(&self) -> &[Bucket] {
        // SAFETY: the mapping is page-aligned, as long as `buckets` times a bucket, lives as long as `self`
        // and is only ever reached through this function; every bit pattern, the zeros that it starts as
        // included, is a valid bucket, and atomics may be written through shared references.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.buckets) }
    }
}

const CHECK_MASK: u64 = (1 << CHECK_BITS) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key(0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210);

    #[test]
    fn remembers_by_position_and_depth() {
        let table = Table::new(1 << 16).expect("a table");
        assert_eq!(table.get(KEY, 3), None);
        assert_eq!(table.fill(), 0.0);
        table.put(KEY, 3, 42);
        assert_eq!(table.fill() * table.bytes() as f64, Table::ENTRY_BYTES as f64, "one entry");
        assert_eq!(table.get(KEY, 3), Some(42));
        assert_eq!(table.get(KEY, 4), None);
        assert_eq!(table.get(Key(KEY.0 ^ 1), 3), None, "a bit of the check");
        assert_eq!(table.get(Key(KEY.0 ^ 1 << 100), 3), None, "a bit of the tag");
    }

    #[test]
    fn zero_is_a_count_and_an_empty_entry_is_none() {
        let table = Table::new(Table::MIN_BYTES).expect("a table");
        assert_eq!(table.get(Key(0), 0), None);
        table.put(Key(0), 0, 0);
        assert_eq!(table.get(Key(0), 0), Some(0));
    }

    #[test]
    fn the_smallest_count_of_a_bucket_gives_way() {
        let table = Table::new(Table::MIN_BYTES).expect("a table");
        for (low, count) in [(1, 500), (2, 100), (3, 900), (4, 700), (5, 600)] {
            table.put(Key(low << 64 | low), 0, count);
        }
        let kept: Vec<_> = (1..=5).map(|low| table.get(Key(low << 64 | low), 0)).collect();
        assert_eq!(kept, [Some(500), None, Some(900), Some(700), Some(600)]);
    }

    #[test]
    fn counts_of_any_size_are_remembered() {
        let table = Table::new(Table::MIN_BYTES).expect("a table");
        for (depth, count) in [(9, MAX_COUNT), (10, MAX_COUNT + 1), (64, u128::MAX)] {
            table.put(KEY, depth, count);
        }
        assert_eq!(
            [9, 10, 11, 64].map(|depth| table.get(KEY, depth)),
            [Some(MAX_COUNT), Some(MAX_COUNT + 1), None, Some(u128::MAX)]
        );
    }

    #[test]
    fn the_fill_is_guessed() {
        for bytes in [Table::MIN_BYTES, 1 << 14, 1 << 22] {
            let table = Table::new(bytes).expect("a table");
            assert_eq!(table.fill(), 0.0);
            let entries = bytes / Table::ENTRY_BYTES;
            let mut seed = 0x9E37_79B9_7F4A_7C15_u128;
            for _ in 0..entries / 4 {
                seed = seed.wrapping_mul(0xDA94_2042_E4DD_58B5_94D0_49BB_1331_11EB).wrapping_add(1);
                table.put(Key(seed ^ seed >> 61), 3, 1);
            }
            let fill = table.fill();
            // Few of these meet in one place where all else is free.
            assert!((0.18..=0.26).contains(&fill), "{bytes} bytes: {fill}");
        }
    }

    #[test]
    fn torn_entries_answer_nothing() {
        let table = Table::new(Table::MIN_BYTES).expect("a table");
        table.put(KEY, 2, 7);
        let other = Key(KEY.0 ^ 1 << 90);
        table.put(other, 2, 8);
        let [first, second] = [0, 1].map(|at| &table.buckets()[0].0[at]);
        let swapped = first[1].swap(second[1].load(Ordering::Relaxed), Ordering::Relaxed);
        second[1].store(swapped, Ordering::Relaxed);
        assert_eq!((table.get(KEY, 2), table.get(other, 2)), (None, None));
    }

    #[test]
    fn threads_that_write_over_each_other_never_read_a_mixture() {
        // A single bucket, and keys that are far more than its entries: nearly every write replaces another's.
        let table = Table::new(Table::MIN_BYTES).expect("a table");
        let key =
            |number: u64| Key(u128::from(number).wrapping_mul(0xDA94_2042_E4DD_58B5_94D0_49BB_1331_11EB));
        let count = |number: u64| u128::from(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20);
        let found: u32 = std::thread::scope(|scope| {
            let work = |seed: u64| {
                let mut random = fastrand::Rng::with_seed(seed);
                let mut found = 0;
                for _ in 0..300_000 {
                    let (put, get) = (random.u64(1..=8), random.u64(1..=8));
                    table.put(key(put), 5, count(put));
                    if let Some(nodes) = table.get(key(get), 5) {
                        assert_eq!(nodes, count(get), "of key {get}");
                        found += 1;
                    }
                }
                found
            };
            let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || work(seed))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert!(found > 100_000, "{found} were found");
    }
}
