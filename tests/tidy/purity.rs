//! What a pure crate must not reach for: files, sockets, clocks, the environment, randomness, a runtime.

use syn::visit::{self, Visit};

/// Paths that lead out of a pure crate, as their first names.
const OUTSIDE: [&[&str]; 17] = [
    &["std", "fs"],
    &["std", "net"],
    &["std", "os"],
    &["std", "env"],
    &["std", "process"],
    &["std", "thread"],
    &["std", "time", "Instant"],
    &["std", "time", "SystemTime"],
    &["std", "io", "stdin"],
    &["std", "io", "stdout"],
    &["std", "io", "stderr"],
    &["std", "collections", "hash_map", "RandomState"],
    &["tokio"],
    &["rand"],
    &["getrandom"],
    &["rayon"],
    &["tracing"],
];

/// Macros that talk to the world.
const TALKING: [&str; 5] = ["println", "eprintln", "print", "eprint", "dbg"];

/// Uses of the world in a file of a pure crate, tests left out, `own` allowed.
pub(crate) fn impure(path: &str, text: &str, own: &[&str]) -> Vec<String> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut seen = Paths::default();
    seen.visit_file(&file);
    let outside = |names: &Vec<String>| {
        let leads =
            |out: &&[&str]| names.len() >= out.len() && names.iter().zip(*out).all(|(name, out)| name == out);
        OUTSIDE.iter().any(|out| leads(out) && !own.contains(&out[0]))
    };
    let bad = seen.0.iter().filter(|names| outside(names));
    bad.map(|names| format!("{path}: a pure crate reaches for {}", names.join("::"))).collect()
}

/// Every path in a file, `use` trees spelled out.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl Paths {
    fn flatten(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.flatten(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) => self.0.push(with(&name.ident)),
            syn::UseTree::Rename(name) => self.0.push(with(&name.ident)),
            syn::UseTree::Glob(_) => self.0.push(before.to_vec()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.flatten(before, tree)),
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::NameValue(_) => false,
    })
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.flatten(&[], &item.tree);
        }
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        if let Some(name) = TALKING.iter().find(|name| called.path.is_ident(name)) {
            self.0.push(vec!["std".to_owned(), "io".to_owned(), "stdout".to_owned(), (*name).to_owned()]);
        }
        visit::visit_macro(self, called);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

#[test]
fn ways_out_are_seen() {
    let planted = "use std::{fmt, fs::File};\nfn now() { std::time::Instant::now(); println!(); }\n\
                   fn own() { rayon::join(a, b); }\n";
    assert_eq!(impure("planted.rs", planted, &[]).len(), 4);
    assert_eq!(impure("planted.rs", planted, &["rayon"]).len(), 3);
}

#[test]
fn tests_may_look_outside() {
    let planted = "#[cfg(test)]\nmod tests { use std::fs; }\n#[test]\nfn reads() { std::env::args(); }\n";
    assert!(impure("planted.rs", planted, &[]).is_empty());
}
