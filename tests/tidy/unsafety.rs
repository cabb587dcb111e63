//! Where `unsafe` may stand, and that a proof stands above it.

use proc_macro2::{TokenStream, TokenTree};

/// Complaints about `unsafe` outside the listed files, or without a `SAFETY:` proof above it.
pub(crate) fn complaints(path: &str, text: &str, listed: &[&str]) -> Vec<String> {
    let allowed = listed.contains(&path);
    let source: Vec<&str> = text.lines().collect();
    let found = lines(path, text).into_iter().filter_map(|line| {
        let place = format!("{path}:{}", line + 1);
        if !allowed {
            Some(format!("{place}: unsafe does not belong in this file"))
        } else if !is_proven(&source, line) {
            Some(format!("{place}: unsafe without a SAFETY: comment above it"))
        } else {
            None
        }
    });
    found.collect()
}

/// The lines, counted from 0, on which the keyword `unsafe` stands; comments and strings do not count.
pub(crate) fn lines(path: &str, text: &str) -> Vec<usize> {
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found.dedup();
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<usize>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "unsafe" => found.push(word.span().start().line - 1),
            TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
    }
}

/// Whether the comment right above `line`, attributes left out, holds a proof or, for an unsafe function, the
/// conditions under which it may be called.
fn is_proven(source: &[&str], line: usize) -> bool {
    let above = source[..line].iter().rev().map(|line| line.trim());
    let mut block = above.skip_while(|line| line.starts_with("#[")).take_while(|line| line.starts_with("//"));
    block.any(|line| line.contains("SAFETY:") || line.contains("# Safety"))
}

#[test]
fn unsafe_is_seen_where_it_does_not_belong() {
    let planted = "fn f() {\n    // SAFETY: none.\n    unsafe { g() }\n}\n";
    assert_eq!(complaints("planted.rs", planted, &[]).len(), 1);
    assert!(complaints("planted.rs", planted, &["planted.rs"]).is_empty());
}

#[test]
fn unsafe_without_a_proof_is_seen() {
    let bare = "fn f() {\n    unsafe { g() }\n}\n";
    assert_eq!(complaints("planted.rs", bare, &["planted.rs"]).len(), 1);
    let far = "// SAFETY: far away.\n\nfn f() {\n    let x = unsafe { g() };\n}\n";
    assert_eq!(complaints("planted.rs", far, &["planted.rs"]).len(), 1);
    let stated = "/// Does it.\n///\n/// # Safety\n/// Only on Sundays.\n#[inline]\nunsafe fn f() {}\n";
    assert!(complaints("planted.rs", stated, &["planted.rs"]).is_empty());
}

#[test]
fn unsafe_in_words_is_no_use_of_it() {
    assert!(lines("planted.rs", "// unsafe\nconst WORD: &str = \"unsafe\";\n").is_empty());
}
