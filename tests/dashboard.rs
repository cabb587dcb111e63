//! The dashboards that we ship, and the queries in them.

use std::path::Path;

use serde::Deserialize;

use crate::house;

/// What Grafana puts in place of the window of a rate.
const WINDOW: &str = "$__rate_interval";

/// A dashboard.
#[derive(Deserialize, Debug)]
pub struct Dashboard {
    /// What it is called.
    pub title: String,
    /// Its panels and the rows between them.
    pub panels: Vec<Panel>,
}

/// A panel, or the title of a row of them.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Panel {
    /// Its number, which no other panel of the dashboard has.
    pub id: u32,
    /// How it draws; `row` for a title.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// What it shows and what to make of it.
    #[serde(default)]
    pub description: String,
    /// Where it is.
    pub grid_pos: Place,
    /// What it asks.
    #[serde(default)]
    pub targets: Vec<Target>,
    /// How its values are written.
    #[serde(default)]
    pub field_config: serde_json::Value,
    /// How it draws them.
    #[serde(default)]
    pub options: serde_json::Value,
}

/// A rectangle of a dashboard, which is 24 wide.
#[derive(Deserialize, Clone, Copy, Debug)]
pub struct Place {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
    /// Width.
    pub w: u32,
    /// Height.
    pub h: u32,
}

/// One query of a panel.
#[derive(Deserialize, Debug)]
pub struct Target {
    /// The query, with Grafana's variables in it.
    pub expr: String,
}

impl Dashboard {
    /// Every dashboard of `deploy/grafana/dashboards`.
    ///
    /// # Panics
    /// If there is none, or one that cannot be read.
    pub fn all() -> Vec<Dashboard> {
        let files = house::files("deploy/grafana/dashboards");
        assert!(!files.is_empty(), "no dashboards were found");
        files.iter().map(|path| Dashboard::read(path)).collect()
    }

    fn read(path: &Path) -> Dashboard {
        serde_json::from_str(&house::read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The panels that show something.
    pub fn shown(&self) -> impl Iterator<Item = &Panel> {
        self.panels.iter().filter(|panel| panel.kind != "row")
    }

    /// Every query, as Prometheus understands it, with rates over `window` (such as `30s`).
    pub fn queries(&self, window: &str) -> Vec<String> {
        let targets = self.shown().flat_map(|panel| &panel.targets);
        targets.map(|target| target.expr.replace(WINDOW, window)).collect()
    }
}
