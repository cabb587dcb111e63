//! Tests of the text in which tokens are kept.

use super::super::token::TOKEN_BYTES;
use super::*;

fn token(number: u8) -> Token {
    Token::from_random([number; TOKEN_BYTES])
}

fn entry(owner: &str, roles: &str, number: u8) -> String {
    format!("{owner} {roles} {}", token(number).hash())
}

/// The only fault of a text, as line, column and what is wrong.
fn fault(text: &str) -> (usize, usize, Wrong) {
    match Tokens::parse(text).map_err(|Faults(faults)| faults) {
        Err(faults) if faults.len() == 1 => (faults[0].line, faults[0].column, faults[0].wrong.clone()),
        other => panic!("one fault was expected in {text:?}, not {other:?}"),
    }
}

#[test]
fn a_text_is_read_with_its_comments() {
    let text = format!(
        "# those who may\n\n  {}   # until spring\n{}\r\n\t# nobody else",
        entry("ada@example", "view,submit", 1),
        entry("grace", "work,work", 2)
    );
    let tokens = Tokens::parse(&text).expect("it is right");
    assert_eq!(tokens.entries().len(), 2);
    let ada = tokens.holder(&token(1)).expect("it is known");
    assert_eq!((&*ada.owner, ada.roles), ("ada@example", [Role::View, Role::Submit].into_iter().collect()));
    assert_eq!(tokens.holder(&token(2)).map(|grace| grace.roles), Some(Roles::NONE.with(Role::Work)));
    assert!(tokens.holder(&token(3)).is_none());
    let written: Vec<String> = tokens.entries().iter().map(Entry::to_string).collect();
    assert_eq!(written, [entry("ada@example", "view,submit", 1), entry("grace", "work", 2)]);
    assert!(Tokens::parse("").expect("nobody is allowed anything").entries().is_empty());
}

#[test]
fn each_fault_is_found_where_it_is() {
    let right = entry("ada", "view", 1);
    let hash = token(2).hash().to_string();
    let secret = token(2).reveal().to_owned();
    let long = "a".repeat(MAX_OWNER_CHARS + 1);
    let cases = [
        ("ada".to_owned(), 1, 4, Wrong::Short),
        ("ada view # sha256".to_owned(), 1, 9, Wrong::Short),
        (format!("{right}\nlocal view {hash}"), 2, 1, Wrong::LocalOwner),
        (format!("-ada view {hash}"), 1, 1, Wrong::Owner("-ada".to_owned())),
        (format!("ädä view {hash}"), 1, 1, Wrong::Owner("ädä".to_owned())),
        (format!("{long} view {hash}"), 1, 1, Wrong::Owner(shortened(&long))),
        (format!("ada view,wrok {hash}"), 1, 10, Wrong::Role("wrok".to_owned())),
        (format!("ada view, {hash}"), 1, 10, Wrong::Role(String::new())),
        (format!("ada view {}", &hash[..60]), 1, 10, Wrong::Hash),
        (format!("ada view {secret}"), 1, 10, Wrong::Secret),
        (format!("ada view {hash} until"), 1, 82, Wrong::Surplus("until".to_owned())),
        (format!("{right}\n\nbob work {}", token(1).hash()), 3, 10, Wrong::Repeated(1)),
        ("#".repeat(MAX_TEXT_BYTES + 1), 1, 1, Wrong::TooLong),
    ];
    for (text, line, column, wrong) in cases {
        assert_eq!(fault(&text), (line, column, wrong));
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let text = format!("-a wrok,vew sha256:12\nb view\nc view {}", token(1).hash());
    let Faults(faults) = Tokens::parse(&text).expect_err("it is wrong");
    let places: Vec<_> = faults.iter().map(|fault| (fault.line, fault.column)).collect();
    assert_eq!(places, [(1, 1), (1, 4), (1, 9), (1, 13), (2, 7)]);
    let told = Faults(faults).to_string();
    assert_eq!(told.lines().count(), 5, "{told}");
    assert!(told.contains("line 1, column 4: `wrok` is no role; view, submit, work or operate"), "{told}");
    let Faults(many) = Tokens::parse(&"x\n".repeat(1000)).expect_err("it is wrong");
    assert_eq!(many.len(), MAX_FAULTS);
}

#[test]
fn there_are_only_so_many_tokens() {
    let line = |number: usize| format!("ada view sha256:{number:064x}\n");
    let most: String = (0..MAX_TOKENS).map(line).collect();
    assert_eq!(Tokens::parse(&most).map(|tokens| tokens.entries().len()).ok(), Some(MAX_TOKENS));
    assert_eq!(fault(&(most + &line(MAX_TOKENS))), (MAX_TOKENS + 1, 1, Wrong::TooMany));
}

#[test]
fn a_secret_is_never_repeated() {
    let secret = token(5).reveal().to_owned();
    for text in [format!("ada view {secret}"), format!("{secret} view x"), format!("ada {secret} x {secret}")]
    {
        let told = Tokens::parse(&text).expect_err("it is wrong").to_string();
        assert!(!told.contains(&secret[..20]), "{told}");
    }
}
