//! A coordinator on one core under many workers: how long its calls take, what it needs, whether a lease ends early.
//!
//! `cargo bench -p vezir-tests --bench load --profile dev -- --workers 500 --minutes 5` lets so many workers count for
//! so long; with `--queued 1000,10000,100000,1000000` it asks instead how long a lease takes while so many units wait.
//! Every count is asserted, every lease must last, and the store must keep every law.

#[path = "load/asked.rs"]
mod asked;
#[path = "load/crowd.rs"]
mod crowd;
#[path = "load/figures.rs"]
mod figures;
#[path = "load/queued.rs"]
mod queued;
#[path = "load/station.rs"]
mod station;
#[path = "load/timing.rs"]
mod timing;

use asked::Asked;

fn main() {
    let asked = match Asked::read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(wrong) => {
            eprintln!("{wrong}");
            std::process::exit(2);
        }
    };
    match &asked.queued {
        Some(sizes) => queued::measure(&asked, sizes),
        None => crowd::measure(&asked),
    }
}
