//! How long small counts take, by every instruction set of this machine, with a table and without, on one thread.
//!
//! `cargo bench -p vezir-perft --bench core`; a word behind it singles counts out, as `kiwipete` or
//! `hashed/avx2`. Every count is asserted. To compare a change: `-- --save-baseline before`, then `-- --baseline before`.

use std::error::Error;
use std::hint::black_box;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use vezir_perft::{Counter, Isa, NAMED, Named, SHUFFLED, Slot};

/// Plies that are counted of each position: some milliseconds' worth.
const PLAIN: [(Named, u32); 8] = [
    (NAMED[0], 5),
    (NAMED[1], 4),
    (NAMED[2], 6),
    (NAMED[3], 5),
    (NAMED[4], 4),
    (NAMED[5], 4),
    (SHUFFLED[0], 4),
    (SHUFFLED[1], 4),
];

/// Memory for the table: all that these trees fill.
const HASH_BYTES: u64 = 16 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().measurement_time(Duration::from_secs(3)).configure_from_args();
    for isa in Isa::available() {
        for (mode, hash_bytes, deeper) in [("unhashed", 0, 0), ("hashed", HASH_BYTES, 1)] {
            let mut counter = Counter::new(NonZero::<usize>::MIN)?.with_isa(isa)?;
            let mut group = criterion.benchmark_group(format!("{mode}/{isa}"));
            for (named, depth) in PLAIN {
                measure(&mut group, &mut counter, hash_bytes, named, depth + deeper)?;
            }
            group.finish();
        }
    }
    criterion.final_summary();
    Ok(())
}

/// Counts one position again and again, each time with a table that knows nothing.
fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    counter: &mut Counter,
    hash_bytes: u64,
    named: Named,
    depth: u32,
) -> Result<(), Box<dyn Error>> {
    let position = named.position().ok_or(named.fen)?;
    let nodes = *named.nodes.get(depth as usize).ok_or(named.name)?;
    let root = [Slot { position: position.pack(), shares: Vec::new() }];
    let stop = AtomicBool::new(false);
    group.throughput(Throughput::Elements(u64::try_from(nodes)?));
    group.bench_function(format!("{}:{depth}", named.name), |bencher| {
        bencher.iter(|| {
            // The memory is cleared as it is used: that is part of the work.
            let cleared = counter.reserve(0).and_then(|()| counter.reserve(hash_bytes));
            let counted = cleared.ok().and_then(|()| counter.count(&root, depth, false, &stop).ok());
            assert_eq!(black_box(counted).map(|counted| counted.answer.nodes), Some(nodes));
        });
    });
    Ok(())
}
