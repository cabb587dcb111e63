//! Where runs and workers are asked about: a coordinator elsewhere, or one in this process that does no work.

use vezir_coordinator::Settings;
use vezir_jobs::RunId;
use vezir_store::{Sqlite, Store};

use crate::args::WhereArgs;
use crate::client::Client;
use crate::cluster::Cluster;
use crate::dial::Dial;
use crate::exit::Failure;
use crate::home;

/// A coordinator to ask.
pub(crate) struct Office {
    client: Client,
    /// The one in this process, and the store that it has open.
    here: Option<(Cluster, Option<Sqlite>)>,
    /// Whether nobody can be at work.
    is_idle: bool,
}

impl Office {
    /// The coordinator that the command line names, or the store on this machine.
    pub(crate) async fn open(place: &WhereArgs) -> Result<Office, Failure> {
        if let Some(office) = Office::elsewhere(place).await? {
            return Ok(office);
        }
        let store = home::open_to_change(&home::path(&place.store)?).await?;
        Office::on(store.clone(), Some(store))
    }

    /// The same for those who only look: at all runs, or at all that is known of one.
    pub(crate) async fn to_look(place: &WhereArgs, run: Option<RunId>) -> Result<Office, Failure> {
        if let Some(office) = Office::elsewhere(place).await? {
            return Ok(office);
        }
        let (store, in_use) = home::look(&place.store, run).await?;
        Ok(Office { is_idle: !in_use, ..Office::on(store, None)? })
    }

    async fn elsewhere(place: &WhereArgs) -> Result<Option<Office>, Failure> {
        let Some(dial) = Dial::from_args(&place.dial)? else { return Ok(None) };
        Ok(Some(Office { client: Client::new(dial.connect().await?), here: None, is_idle: false }))
    }

    fn on(store: impl Store, open: Option<Sqlite>) -> Result<Office, Failure> {
        let settings = Settings { takes_up: false, ..Settings::default() };
        let cluster = Cluster::start(store, settings, None)?;
        Ok(Office { client: cluster.client().clone(), here: Some((cluster, open)), is_idle: true })
    }

    /// Who to ask.
    pub(crate) const fn client(&self) -> &Client {
        &self.client
    }

    /// Whether it is in this process.
    pub(crate) const fn is_here(&self) -> bool {
        self.here.is_some()
    }

    /// Whether nobody can be at work: no other process has the store.
    pub(crate) const fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// Gives the store back.
    pub(crate) async fn close(self) {
        if let Some((cluster, store)) = self.here {
            drop(self.client);
            cluster.stop().await;
            if let Some(store) = store {
                store.close().await;
            }
        }
    }
}
