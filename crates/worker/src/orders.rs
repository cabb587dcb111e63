//! Beside the stages: listens to the coordinator's orders, which everything goes on without.

use tokio::time::sleep;
use tonic::Streaming;
use vezir_jobs::{Attempt, RunId};
use vezir_proto::waits;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::orders_response::Order;

use crate::failure::WorkerError;
use crate::link::Link;
use crate::metrics::Method;

/// Obeys for as long as the worker may work; a stream that ends is opened again.
pub(crate) async fn obey(link: &Link) -> WorkerError {
    let mut wait = waits();
    let mut lost = false;
    loop {
        match link.orders().await.map_err(|failure| failure.survived()) {
            Ok(orders) => {
                link.metrics.contacted();
                if std::mem::take(&mut lost) {
                    link.metrics.reconnected();
                    tracing::info!("the coordinator is there again");
                }
                if listen(link, orders).await {
                    wait = waits();
                }
            }
            Err(Ok(failure)) => tracing::debug!(%failure, "no orders"),
            Err(Err(error)) => return error,
        }
        if !std::mem::replace(&mut lost, true) {
            tracing::debug!("the stream of orders has ended; opening it again");
        }
        sleep(wait.next().unwrap_or_default()).await;
        link.metrics.retried(Method::Orders);
    }
}

/// Does what is ordered until the stream ends; tells whether anything was.
async fn listen(link: &Link, mut orders: Streaming<wire::OrdersResponse>) -> bool {
    let mut heard = false;
    while let Ok(Some(response)) = orders.message().await {
        heard = true;
        link.metrics.contacted();
        match response.order {
            Some(Order::DropRun(run)) => link.held.drop_run(RunId(run)),
            Some(Order::Cut(cut)) => link.held.cut(RunId(cut.run), Attempt(cut.attempt), cut.end),
            Some(Order::Drain(wire::Drain {})) => link.held.drain(),
            None => tracing::debug!("an order that this version does not know"),
        }
    }
    heard
}
