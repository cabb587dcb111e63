//! A run told piece by piece, so that a stranger can recompute its answer.

use std::ops::Range;
use std::sync::Arc;

use futures::{Stream, StreamExt, TryStreamExt, stream};
use tonic::Status;
use vezir_jobs::RunId;
use vezir_proto::wire::runs::v1::ExportResponse;
use vezir_proto::wire::runs::v1::export_response::Piece;
use vezir_proto::{IntoStatus, Unavailable};
use vezir_store::{RunView, Store};

use crate::coordinator::Coordinator;
use crate::turns::Turn;

/// Units whose findings are read at once.
const UNITS_AT_ONCE: u32 = 64;

/// The run itself, its findings by unit, and the decisions about them.
pub(crate) fn exporting<S: Store>(
    coordinator: Arc<Coordinator<S>>,
    view: RunView,
    place: Turn,
) -> impl Stream<Item = Result<ExportResponse, Status>> {
    let (run, units) = (view.run.id, view.run.units);
    let head = stream::iter([Ok(vec![Piece::Run(view.summary().into())])]);
    let desk = coordinator.clone();
    let findings = stream::iter(slices(units)).then(move |units| {
        let desk = desk.clone();
        async move { desk.findings(run, units).await }
    });
    let decisions = stream::once(async move {
        // It is held until the last piece is read.
        let _place = place;
        coordinator.decisions(run).await
    });
    let pieces = head.chain(findings).chain(decisions);
    let pieces = pieces.map_ok(|some| stream::iter(some.into_iter().map(Ok))).try_flatten();
    pieces.map_ok(|piece| ExportResponse { piece: Some(piece) })
}

impl<S: Store> Coordinator<S> {
    async fn findings(&self, run: RunId, units: Range<u32>) -> Result<Vec<Piece>, Status> {
        let _turn = self.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let found = self.store.findings(run, units).await.map_err(|error| self.refused(error))?;
        Ok(found.into_iter().map(|it| Piece::Finding(it.into())).collect())
    }

    async fn decisions(&self, run: RunId) -> Result<Vec<Piece>, Status> {
        let _turn = self.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let (leases, doubts) = self.store.decisions(run).await.map_err(|error| self.refused(error))?;
        let leases = leases.into_iter().map(|it| Piece::Lease(it.into()));
        Ok(leases.chain(doubts.into_iter().map(|it| Piece::Doubt(it.into()))).collect())
    }
}

fn slices(units: u32) -> impl Iterator<Item = Range<u32>> {
    let starts = (0..units).step_by(UNITS_AT_ONCE as usize);
    starts.map(move |start| start..start.saturating_add(UNITS_AT_ONCE).min(units))
}

#[cfg(test)]
mod tests {
    use super::slices;

    #[test]
    fn slices_cover_every_unit_once() {
        for units in [0, 1, 64, 65, 1_000] {
            assert!(slices(units).flatten().eq(0..units));
        }
        assert_eq!(slices(u32::MAX).last().map(|last| last.end), Some(u32::MAX));
    }
}
