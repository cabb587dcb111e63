//! How the places of a verification are found: from what is asked alone, again after each start.

use std::sync::Arc;

use vezir_jobs::{Outline, VerifyRequest};
use vezir_verify::Course;

use crate::frontiers::{Unplanned, Wanted};

/// The most positions of a tree that an engine is asked about, and the memory of them: some tens of megabytes.
const MOST_POSITIONS: usize = 1 << 20;

/// A verification that is cut into units.
#[derive(Clone)]
pub(crate) struct Planned {
    /// Its places.
    pub(crate) course: Arc<Course>,
    /// The same as the store keeps it: numbers.
    pub(crate) outline: Outline,
}

/// Plans a verification. One that was planned `before` is cut as it was, or not at all.
///
/// Whoever stops waiting stops the planning.
pub(crate) async fn plan(request: VerifyRequest, before: Option<Outline>) -> Result<Planned, Unplanned> {
    let wanted = Wanted::default();
    let stop = wanted.0.clone();
    let planning = tokio::task::spawn_blocking(move || Course::new(&request.subject, MOST_POSITIONS, &stop));
    let course = planning.await.map_err(|_| Unplanned::BrokeDown)?.map_err(Unplanned::NoCourse)?;
    let outline = Outline {
        units: course.units(),
        split: course.split(),
        remaining: course.remaining(),
        positions: course.items() as u64,
        hash_bytes: 0,
        frontier: None,
    };
    match before {
        Some(before) if before != outline => Err(Unplanned::Different),
        _ => Ok(Planned { course: Arc::new(course), outline }),
    }
}
