//! How files, folders and modules may be called, and what may lie at the top.

use std::path::Path;

use syn::visit::{self, Visit};

/// Names that say nothing of what is inside.
const NAMELESS: [&str; 8] =
    ["util", "utils", "utility", "common", "helper", "helpers", "manager", "managers"];

/// What the top of the tree holds, files that begin with a dot apart.
const TOP: [&str; 9] = [
    "Cargo.toml",
    "Cargo.lock",
    "proto/",
    "crates/",
    "deploy/",
    "tests/",
    "README.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];

/// A complaint if a file or a folder on its path bears a nameless name, or carries one as a part.
pub(crate) fn badly_named(path: &Path) -> Option<String> {
    let parts = path.iter().map(|part| part.to_string_lossy());
    let mut bad = parts.filter(|part| is_nameless(part.split('.').next().unwrap_or_default()));
    bad.next().map(|part| format!("{}: `{part}` does not say what is in it", path.display()))
}

/// Complaints about modules inside a file.
pub(crate) fn badly_named_modules(path: &str, text: &str) -> Vec<String> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut modules = Modules::default();
    modules.visit_file(&file);
    let bad = modules.0.iter().filter(|name| is_nameless(name));
    bad.map(|name| format!("{path}: module `{name}` does not say what is in it")).collect()
}

/// Entries of the top folder that the plan does not have. What tools make there is left out.
pub(crate) fn strangers(entries: &[String]) -> Vec<String> {
    let known = |name: &String| TOP.contains(&name.as_str()) || name.starts_with('.') || name == "target/";
    let strangers = entries.iter().filter(|name| !known(name));
    strangers.map(|name| format!("{name} does not belong at the top of the tree")).collect()
}

fn is_nameless(name: &str) -> bool {
    name.split(['_', '-']).any(|part| NAMELESS.contains(&part.to_lowercase().as_str()))
}

#[derive(Default)]
struct Modules(Vec<String>);

impl<'ast> Visit<'ast> for Modules {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.0.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
    }
}

#[test]
fn nameless_rooms_are_seen() {
    for path in ["crates/chess/src/util.rs", "crates/common/src/lib.rs", "tests/job_manager.py"] {
        assert!(badly_named(Path::new(path)).is_some(), "{path}");
    }
    assert!(badly_named(Path::new("crates/chess/src/square.rs")).is_none());
    assert_eq!(badly_named_modules("planted.rs", "mod inner { mod helpers {} }").len(), 1);
}

#[test]
fn strangers_at_the_top_are_seen() {
    let entries = ["Cargo.toml", "scripts/", ".ci/", "notes.txt", "target/"].map(str::to_owned);
    assert_eq!(strangers(&entries).len(), 2);
}
