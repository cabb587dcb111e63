//! Holds the house to its plan: which crate may lean on which, and how files, functions and rooms must look.
//!
//! Every check is a function from plain values to complaints, tried on planted faults beside it, and called
//! here on the real tree.

#[path = "tidy/arrows.rs"]
mod arrows;
#[path = "tidy/purity.rs"]
mod purity;
#[path = "tidy/rooms.rs"]
mod rooms;
#[path = "tidy/sources.rs"]
mod sources;
#[path = "tidy/unsafety.rs"]
mod unsafety;

use std::path::Path;

use vezir_tests::house;

/// The files that may hold `unsafe`, each use with its proof.
const UNSAFE_FILES: [&str; 4] = [
    "crates/chess/src/pext.rs",
    "crates/engine/src/launcher.rs",
    "crates/perft/src/machine.rs",
    "crates/perft/src/table.rs",
];

/// The folders that must each have a README.
const FOLDERS_WITH_README: [&str; 5] = ["", "crates", "proto", "deploy", "tests"];

/// Fails with all complaints at once.
fn none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// The crates' folders, by name.
fn crates() -> Vec<String> {
    let folders = house::entries("crates");
    folders.iter().filter_map(|name| name.strip_suffix('/')).map(str::to_owned).collect()
}

fn sources(endings: &[&str]) -> Vec<(String, String)> {
    let wanted = |path: &Path| sources::kind(path).is_some_and(|kind| endings.contains(&kind));
    let files = house::files("").into_iter().filter(|path| wanted(path));
    files.map(|path| (path.display().to_string(), house::read(&path))).collect()
}

#[test]
fn arrows_only_go_where_the_table_lets_them() {
    let mut manifests: Vec<String> = crates().iter().map(|name| format!("crates/{name}")).collect();
    manifests.push("tests".to_owned());
    let edges = manifests.iter().flat_map(|folder| {
        let text = house::read(&Path::new(folder).join("Cargo.toml"));
        arrows::edges(&text).unwrap_or_else(|error| panic!("{folder}/Cargo.toml: {error}"))
    });
    let edges: Vec<_> = edges.collect();
    assert!(edges.len() >= crates().len(), "no arrows were found: is the reader of manifests broken?");
    none(arrows::outside(&arrows::TABLE, &edges));
}

#[test]
fn what_is_shipped_links_no_gpl_oracle() {
    let complaints = crates().into_iter().flat_map(|name| {
        let path = format!("crates/{name}/Cargo.toml");
        let text = house::read(Path::new(&path));
        arrows::oracles(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
    });
    none(complaints.collect());
}

#[test]
fn pure_crates_reach_for_nothing_outside() {
    let complaints = arrows::PURE.iter().flat_map(|(name, own)| {
        let files = sources(&["rs"]);
        let inside = format!("crates/{name}/src/");
        let mut found = Vec::new();
        for (path, text) in files.iter().filter(|(path, _)| path.starts_with(&inside)) {
            found.extend(purity::impure(path, text, own));
        }
        found
    });
    none(complaints.collect());
}

#[test]
fn files_are_short() {
    let files = sources(&sources::KINDS);
    assert!(files.len() > 20, "hardly any files were found");
    none(files.iter().filter_map(|(path, text)| sources::too_long(path, text)).collect());
}

#[test]
fn functions_are_short() {
    let rust = sources(&["rs"]).into_iter().flat_map(|(path, text)| sources::long_functions(&path, &text));
    let python = sources(&["py"]).into_iter().flat_map(|(path, text)| sources::long_defs(&path, &text));
    none(rust.chain(python).collect());
}

#[test]
fn every_file_opens_with_a_sentence() {
    none(sources(&sources::KINDS).iter().filter_map(|(path, text)| sources::unopened(path, text)).collect());
}

#[test]
fn every_crate_says_what_it_owns() {
    let complaints =
        crates().into_iter().map(|name| format!("crates/{name}/src")).chain(["tests".to_owned()]);
    let complaints = complaints.flat_map(|folder| {
        let files = house::entries(&folder);
        let root = if files.iter().any(|name| name == "lib.rs") { "lib.rs" } else { "main.rs" };
        let path = format!("{folder}/{root}");
        sources::missing_paragraphs(&path, &house::read(Path::new(&path)))
    });
    none(complaints.collect());
}

#[test]
fn unsafe_stays_where_it_is_listed_and_proven() {
    let files = sources(&["rs"]);
    none(files.iter().flat_map(|(path, text)| unsafety::complaints(path, text, &UNSAFE_FILES)).collect());
    for listed in UNSAFE_FILES {
        let text = house::read(Path::new(listed));
        assert!(!unsafety::lines(listed, &text).is_empty(), "{listed} is listed but holds no unsafe");
    }
}

#[test]
fn rooms_are_named_for_what_they_hold() {
    let files = house::files("").into_iter().filter_map(|path| rooms::badly_named(&path));
    let modules =
        sources(&["rs"]).into_iter().flat_map(|(path, text)| rooms::badly_named_modules(&path, &text));
    none(files.chain(modules).collect());
}

#[test]
fn the_top_holds_what_the_plan_says() {
    none(rooms::strangers(&house::entries("")));
}

#[test]
fn folders_have_readmes() {
    let folders = FOLDERS_WITH_README.into_iter().filter(|folder| house::root().join(folder).is_dir());
    let complaints = folders.filter_map(|folder| {
        let readme = house::root().join(folder).join("README.md");
        let says = std::fs::read_to_string(readme).unwrap_or_default();
        says.trim().is_empty().then(|| format!("{folder}/README.md is missing or empty"))
    });
    none(complaints.collect());
}
