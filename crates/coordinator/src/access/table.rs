//! The one table of what each method takes.

use super::role::Role;

/// What a method asks of its callers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Nothing: it is open to all.
    Nothing,
    /// A role.
    Role(Role),
}

/// The packages whose every method must stand in the table; others are looked for by the router.
const OWN: &str = "/vezir.";

const OPEN: Need = Need::Nothing;
const VIEW: Need = Need::Role(Role::View);
const SUBMIT: Need = Need::Role(Role::Submit);
const WORK: Need = Need::Role(Role::Work);
const OPERATE: Need = Need::Role(Role::Operate);

/// Every method by its path, with what it needs.
pub const METHODS: &[(&str, Need)] = &[
    ("/vezir.runs.v1.Runs/Submit", SUBMIT),
    ("/vezir.runs.v1.Runs/Watch", VIEW),
    ("/vezir.runs.v1.Runs/Show", VIEW),
    ("/vezir.runs.v1.Runs/List", VIEW),
    ("/vezir.runs.v1.Runs/Cancel", SUBMIT),
    ("/vezir.runs.v1.Runs/Resume", SUBMIT),
    ("/vezir.runs.v1.Runs/Export", VIEW),
    ("/vezir.workers.v1.Workers/Register", WORK),
    ("/vezir.workers.v1.Workers/Orders", WORK),
    ("/vezir.workers.v1.Workers/Lease", WORK),
    ("/vezir.workers.v1.Workers/Page", WORK),
    ("/vezir.workers.v1.Workers/Report", WORK),
    ("/vezir.workers.v1.Workers/Renew", WORK),
    ("/vezir.workers.v1.Workers/Release", WORK),
    ("/vezir.workers.v1.Fleet/List", VIEW),
    ("/vezir.workers.v1.Fleet/Pause", OPERATE),
    ("/vezir.workers.v1.Fleet/Resume", OPERATE),
    ("/vezir.workers.v1.Fleet/Quarantine", OPERATE),
    ("/vezir.workers.v1.Fleet/Drain", OPERATE),
    ("/grpc.health.v1.Health/Check", OPEN),
    ("/grpc.health.v1.Health/List", OPEN),
    ("/grpc.health.v1.Health/Watch", OPEN),
    ("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", VIEW),
    ("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", VIEW),
];

/// What a call of this path must do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Fulfil this.
    Needs(Need),
    /// Come from somebody known; then it is the router's.
    Router,
    /// Come from somebody known, who then hears that there is no such method.
    Nowhere,
}

/// The way of a path.
pub(super) fn way(path: &str) -> Way {
    match METHODS.iter().find(|(method, _)| *method == path) {
        Some((_, need)) => Way::Needs(*need),
        // A method of ours without a row is a fault of ours: better refused than open to everybody known.
        None if path.starts_with(OWN) => Way::Nowhere,
        None => Way::Router,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    const PROTO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proto");

    fn proto_files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let paths = entries.map(|entry| entry.expect("it can be read").path());
        let nested = paths.flat_map(|path| if path.is_dir() { proto_files(&path) } else { vec![path] });
        nested.filter(|path| path.extension().is_some_and(|ending| ending == "proto")).collect()
    }

    /// The paths of all methods that `proto/` declares.
    fn declared() -> BTreeSet<String> {
        let compiled = protox::compile(proto_files(Path::new(PROTO)), [PROTO]).expect("they compile");
        let services = compiled.file.iter().flat_map(|file| {
            let package = file.package().to_owned();
            file.service.iter().map(move |service| (format!("/{package}.{}", service.name()), service))
        });
        let methods = services.flat_map(|(service, declared)| {
            let paths = declared.method.iter().map(move |method| format!("{service}/{}", method.name()));
            paths.collect::<Vec<_>>()
        });
        methods.collect()
    }

    /// The paths of ours that the table has.
    fn listed() -> BTreeSet<String> {
        let own = METHODS.iter().map(|(path, _)| *path).filter(|path| path.starts_with(OWN));
        own.map(str::to_owned).collect()
    }

    #[test]
    fn every_method_has_its_row_and_every_row_its_method() {
        let (declared, listed) = (declared(), listed());
        assert!(!declared.is_empty(), "no methods were found: is the reader of descriptors broken?");
        let without_row: Vec<_> = declared.difference(&listed).collect();
        let without_method: Vec<_> = listed.difference(&declared).collect();
        assert!(without_row.is_empty(), "methods without a row: {without_row:?}");
        assert!(without_method.is_empty(), "rows without a method: {without_method:?}");
    }

    /// What a method must need, said a second time and in another way: by what it does.
    fn by_nature(path: &str) -> Role {
        let reads = ["Watch", "List", "Show", "Export"];
        let (service, method) = path.rsplit_once('/').expect("a path has two parts");
        match service {
            "/vezir.workers.v1.Workers" => Role::Work,
            _ if reads.contains(&method) => Role::View,
            "/vezir.runs.v1.Runs" => Role::Submit,
            "/vezir.workers.v1.Fleet" => Role::Operate,
            _ => panic!("{service} is new: who may call it?"),
        }
    }

    #[test]
    fn every_row_asks_for_what_its_method_does() {
        for (path, need) in METHODS.iter().filter(|(path, _)| path.starts_with(OWN)) {
            assert_eq!(*need, Need::Role(by_nature(path)), "{path}");
        }
    }

    #[test]
    fn no_path_stands_there_twice_and_ours_are_never_open() {
        let paths: BTreeSet<_> = METHODS.iter().map(|(path, _)| path).collect();
        assert_eq!(paths.len(), METHODS.len());
        assert!(METHODS.iter().all(|(path, need)| !path.starts_with(OWN) || *need != Need::Nothing));
    }

    #[test]
    fn what_is_not_listed_is_told_apart() {
        assert_eq!(way("/vezir.runs.v1.Runs/Submit"), Way::Needs(Need::Role(Role::Submit)));
        for path in
            ["/vezir.runs.v1.Runs/submit", "/vezir.runs.v1.Runs/Submit/", "/vezir.runs.v2.Runs/Submit"]
        {
            assert_eq!(way(path), Way::Nowhere, "{path}");
        }
        for path in ["/", "", "//vezir.runs.v1.Runs/Submit", "/grpc.health.v1.Health/Tell", "*"] {
            assert_eq!(way(path), Way::Router, "{path}");
        }
    }
}
