//! Where runs and workers are asked about: a coordinator elsewhere, or one in this process that does no work.

use vezir_coordinator::Settings;
use vezir_store::Sqlite;

use crate::args::WhereArgs;
use crate::client::Client;
use crate::cluster::Cluster;
use crate::dial::Dial;
use crate::exit::Failure;
use crate::home;

/// A coordinator to ask.
pub(crate) struct Office {
    client: Client,
    here: Option<(Cluster, Sqlite)>,
}

impl Office {
    /// The coordinator that the command line names, or the store on this machine.
    pub(crate) async fn open(place: &WhereArgs) -> Result<Office, Failure> {
        if let Some(dial) = Dial::from_args(&place.dial)? {
            return Ok(Office { client: Client::new(dial.connect().await?), here: None });
        }
        let store = home::open(&home::path(&place.store)?, Default::default()).await?;
        let settings = Settings { takes_up: false, ..Settings::default() };
        let cluster = Cluster::start(store.clone(), settings, None)?;
        Ok(Office { client: cluster.client().clone(), here: Some((cluster, store)) })
    }

    /// Who to ask.
    pub(crate) const fn client(&self) -> &Client {
        &self.client
    }

    /// Whether it is in this process, where nobody works.
    pub(crate) const fn is_here(&self) -> bool {
        self.here.is_some()
    }

    /// Gives the store back.
    pub(crate) async fn close(self) {
        if let Some((cluster, store)) = self.here {
            drop(self.client);
            cluster.stop().await;
            store.close().await;
        }
    }
}
