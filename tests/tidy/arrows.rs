//! Which crate may depend on which, and what the manifests say.

use std::fmt;

/// A dependency of one of our packages on another, dev- and build-dependencies included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// The crate that depends, without `vezir-`.
    pub(crate) from: String,
    /// The crate that is depended on, without `vezir-`.
    pub(crate) to: String,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from, self.to)
    }
}

/// The crates that exist or will, each with those that it may depend on. An arrow only goes down.
pub(crate) const TABLE: [(&str, &[&str]); 14] = [
    ("chess", &[]),
    ("stats", &[]),
    ("telemetry", &[]),
    ("perft", &["chess"]),
    ("game", &["chess"]),
    ("verify", &["chess", "perft"]),
    ("jobs", &["chess", "stats", "perft", "game", "verify"]),
    ("engine", &["chess", "perft", "game"]),
    ("store", &["chess", "stats", "perft", "game", "verify", "jobs"]),
    ("proto", &["chess", "stats", "perft", "game", "verify", "jobs"]),
    ("coordinator", &["chess", "stats", "telemetry", "perft", "game", "verify", "jobs", "store", "proto"]),
    ("worker", &["chess", "telemetry", "perft", "game", "verify", "jobs", "engine", "proto"]),
    ("vezir", ALL),
    ("tests", ALL),
];

/// What the executable and the tests may depend on.
const ALL: &[&str] = &[
    "chess",
    "stats",
    "telemetry",
    "perft",
    "game",
    "verify",
    "jobs",
    "engine",
    "store",
    "proto",
    "coordinator",
    "worker",
];

/// The crates that must be pure, each with what of the world it may use all the same.
pub(crate) const PURE: [(&str, &[&str]); 6] =
    [("chess", &[]), ("stats", &[]), ("perft", &["rayon"]), ("game", &[]), ("verify", &[]), ("jobs", &[])];

/// Oracles whose licence keeps them out of everything but the tests' own package.
const GPL_ORACLES: [&str; 3] = ["shakmaty", "shakmaty-syzygy", "pgn-reader"];

/// The edges that a manifest declares.
pub(crate) fn edges(manifest: &str) -> Result<Vec<Edge>, toml::de::Error> {
    let (from, names) = dependencies(manifest)?;
    let ours = names.into_iter().filter(|name| name == "vezir" || name.starts_with("vezir-"));
    Ok(ours.map(|name| Edge { from: from.clone(), to: short(&name) }).collect())
}

/// Complaints about oracles that a manifest brings where they must not be.
pub(crate) fn oracles(manifest: &str) -> Result<Vec<String>, toml::de::Error> {
    let (from, names) = dependencies(manifest)?;
    let oracles = names.into_iter().filter(|name| GPL_ORACLES.contains(&name.as_str()));
    Ok(oracles
        .map(|name| format!("{from} -> {name}: only the tests' package may link this oracle"))
        .collect())
}

/// The edges that the table does not allow, and packages that it does not know.
pub(crate) fn outside(table: &[(&str, &[&str])], edges: &[Edge]) -> Vec<String> {
    let refused = |edge: &&Edge| {
        let row = table.iter().find(|(name, _)| *name == edge.from);
        !row.is_some_and(|(_, allowed)| allowed.contains(&edge.to.as_str()))
    };
    edges.iter().filter(refused).map(|edge| format!("{edge}: the table does not allow this arrow")).collect()
}

/// A package's short name and every package that it depends on in any way.
fn dependencies(manifest: &str) -> Result<(String, Vec<String>), toml::de::Error> {
    let manifest: toml::Table = manifest.parse()?;
    let package = manifest.get("package").and_then(|package| package.get("name"));
    let from = short(package.and_then(toml::Value::as_str).unwrap_or_default());
    let mut found = Vec::new();
    collect(&manifest, &mut found);
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    for target in targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table) {
        collect(target, &mut found);
    }
    Ok((from, found))
}

fn collect(table: &toml::Table, found: &mut Vec<String>) {
    for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let section = table.get(section).and_then(toml::Value::as_table);
        found.extend(section.into_iter().flatten().map(|(name, value)| {
            let renamed = value.get("package").and_then(toml::Value::as_str);
            renamed.unwrap_or(name).to_owned()
        }));
    }
}

fn short(package: &str) -> String {
    package.strip_prefix("vezir-").unwrap_or(package).to_owned()
}

#[test]
fn an_arrow_upwards_is_refused() {
    let manifest = "[package]\nname = \"vezir-jobs\"\n[dependencies]\nvezir-chess.workspace = true\n\
                    vezir-store.workspace = true\n";
    let edges = edges(manifest).expect("the manifest is right");
    assert_eq!(edges.len(), 2);
    assert_eq!(outside(&TABLE, &edges), ["jobs -> store: the table does not allow this arrow"]);
}

#[test]
fn arrows_hide_nowhere() {
    let manifest = "[package]\nname = \"vezir-chess\"\n\
                    [dev-dependencies]\nvezir-perft.workspace = true\n\
                    [build-dependencies]\nvezir-proto = { path = \"../proto\" }\n\
                    [target.'cfg(unix)'.dependencies]\nboard = { package = \"vezir-game\", version = \"1\" }\n";
    let edges = edges(manifest).expect("the manifest is right");
    let reached: Vec<&str> = edges.iter().map(|edge| edge.to.as_str()).collect();
    assert_eq!(reached, ["perft", "proto", "game"]);
    assert_eq!(outside(&TABLE, &edges).len(), 3);
}

#[test]
fn an_oracle_in_a_shipped_crate_is_refused() {
    let manifest = "[package]\nname = \"vezir-chess\"\n[dev-dependencies]\nshakmaty.workspace = true\n";
    assert_eq!(oracles(manifest).expect("the manifest is right").len(), 1);
}

#[test]
fn a_crate_that_the_table_does_not_know_is_refused() {
    let edge = Edge { from: "attic".to_owned(), to: "chess".to_owned() };
    assert_eq!(outside(&TABLE, &[edge]).len(), 1);
}

#[test]
fn the_table_has_no_way_back_up() {
    for (place, (name, allowed)) in TABLE.iter().enumerate() {
        for below in *allowed {
            let below = TABLE.iter().position(|(name, _)| name == below).expect("every crate has a row");
            assert!(below < place, "{name} may reach up");
        }
    }
}
