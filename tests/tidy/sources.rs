//! How a source file must look: short, in short functions, and opened by a sentence.

use std::path::Path;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The longest file, in lines. At half of it one starts to think.
const FILE_LINES: usize = 800;

/// The longest function, in lines from its `fn` to its closing brace.
const FUNCTION_LINES: usize = 70;

/// The kinds of source files, as [`kind`] names them.
pub(crate) const KINDS: [&str; 8] = ["rs", "py", "sh", "proto", "sql", "js", "css", "html"];

/// The paragraphs with which every crate introduces itself.
const PARAGRAPHS: [&str; 3] = ["**Owns** ", "**Never** ", "**Start reading at** "];

/// What kind of source a file is, by its ending; scripts without an ending are shell.
pub(crate) fn kind(path: &Path) -> Option<&'static str> {
    let scripts = ["tests/run", ".ci/run"];
    if scripts.iter().any(|script| path == Path::new(script)) {
        return Some("sh");
    }
    let ending = path.extension()?.to_str()?;
    KINDS.into_iter().find(|kind| *kind == ending)
}

/// A complaint if a file has too many lines.
pub(crate) fn too_long(path: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > FILE_LINES).then(|| format!("{path} has {lines} lines; {FILE_LINES} is the most"))
}

/// Complaints about functions of a Rust file that have too many lines.
pub(crate) fn long_functions(path: &str, text: &str) -> Vec<String> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut functions = Functions::default();
    functions.visit_file(&file);
    let long = functions.0.iter().filter(|(_, lines)| *lines > FUNCTION_LINES);
    long.map(|(name, lines)| format!("{path}: {name} has {lines} lines; {FUNCTION_LINES} is the most"))
        .collect()
}

/// The same for a Python file: a function reaches to the next line that is not indented deeper.
pub(crate) fn long_defs(path: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let starts = lines.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with("def "));
    let long = starts.filter_map(|(start, line)| {
        let body = lines[start + 1..].iter();
        let length =
            1 + body.take_while(|next| next.trim().is_empty() || indent(next) > indent(line)).count();
        (length > FUNCTION_LINES).then(|| format!("{path}: `{}` has {length} lines", line.trim()))
    });
    long.collect()
}

/// A complaint if a file does not begin with a sentence that says what it is.
pub(crate) fn unopened(path: &str, text: &str) -> Option<String> {
    let marks: &[&str] = match kind(Path::new(path))? {
        "rs" => &["//! "],
        "py" => &["\"\"\"", "# "],
        "sh" => &["# "],
        "proto" | "js" => &["// "],
        "sql" => &["-- "],
        "css" => &["/* "],
        _ => &["<!-- ", "{# "],
    };
    let mut lines = text.lines().skip_while(|line| line.starts_with("#!") || line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    let opened =
        marks.iter().any(|mark| first.strip_prefix(mark).is_some_and(|said| !said.trim().is_empty()));
    let paragraph = std::iter::once(first).chain(lines).take_while(|line| !line.trim().is_empty());
    let ends = paragraph.take(8).any(|line| line.contains('.') || line.contains(':'));
    (!opened || !ends).then(|| format!("{path} does not open with a sentence that says what it is"))
}

/// Complaints about paragraphs that a crate's root lacks.
pub(crate) fn missing_paragraphs(path: &str, text: &str) -> Vec<String> {
    let missing = PARAGRAPHS.iter().filter(|start| !text.contains(&format!("\n//! {start}")));
    missing.map(|start| format!("{path} lacks its paragraph {}", start.trim())).collect()
}

/// The functions of a file with the lines that each takes.
#[derive(Default)]
struct Functions(Vec<(String, usize)>);

impl Functions {
    fn note(&mut self, signature: &syn::Signature, last: Span) {
        let lines = last.end().line - signature.span().start().line + 1;
        self.0.push((signature.ident.to_string(), lines));
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.note(&function.sig, function.block.span());
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.note(&function.sig, function.block.span());
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.note(&function.sig, function.span());
        visit::visit_trait_item_fn(self, function);
    }
}

#[test]
fn a_long_file_is_seen() {
    assert!(too_long("planted.rs", &"\n".repeat(FILE_LINES)).is_none());
    assert!(too_long("planted.rs", &"\n".repeat(FILE_LINES + 1)).is_some());
}

#[test]
fn long_functions_are_seen_wherever_they_are() {
    let of = |lines: usize| format!("fn f(&self) {{{}}}\n", "\n".repeat(lines - 1));
    let (fits, long) = (of(FUNCTION_LINES), of(FUNCTION_LINES + 1));
    assert!(long_functions("planted.rs", &format!("impl X {{ {fits} }}")).is_empty());
    assert_eq!(long_functions("planted.rs", &format!("impl X {{ {long} }}")).len(), 1);
    assert_eq!(long_functions("planted.rs", &format!("trait X {{ {long} }}")).len(), 1);
    let free = long.replace("&self", "");
    assert_eq!(long_functions("planted.rs", &format!("mod m {{ fn g() {{ {free} }} }}")).len(), 2);
    let python = format!("def f():\n{}x = 1\n", "    pass\n".repeat(FUNCTION_LINES));
    assert_eq!(long_defs("planted.py", &python).len(), 1);
    assert!(long_defs("planted.py", &python.replacen("    pass\n", "", 1)).is_empty());
}

#[test]
fn a_file_without_an_opening_sentence_is_seen() {
    let right = [
        ("a.rs", "//! Holds a board.\n"),
        ("a.py", "#!/usr/bin/env python3\n\"\"\"Asks an oracle.\"\"\"\n"),
        ("tests/run", "#!/bin/bash\n# Runs the tests.\n"),
        ("a.proto", "// The wire.\nsyntax = \"proto3\";\n"),
    ];
    let wrong = [
        ("a.rs", "use std::fmt;\n//! Too late.\n"),
        ("a.rs", "//! \n"),
        ("a.rs", "//! no sentence\n"),
        ("a.rs", ""),
        ("a.py", "import sys\n"),
        ("tests/run", "#!/bin/bash\nset -e\n"),
        ("a.proto", "syntax = \"proto3\";\n"),
    ];
    for (path, text) in right {
        assert!(unopened(path, text).is_none(), "{path}: {text}");
    }
    for (path, text) in wrong {
        assert!(unopened(path, text).is_some(), "{path}: {text}");
    }
}

#[test]
fn a_crate_that_does_not_introduce_itself_is_seen() {
    let whole =
        "//! A crate.\n//!\n//! **Owns** it.\n//!\n//! **Never** that.\n//!\n//! **Start reading at** x.\n";
    assert!(missing_paragraphs("lib.rs", whole).is_empty());
    assert_eq!(missing_paragraphs("lib.rs", &whole.replace("**Never**", "Never")).len(), 1);
    assert_eq!(missing_paragraphs("lib.rs", "//! A crate.\n").len(), 3);
}
