//! Foreign text made fit to stand in a sentence: shortened, in backquotes, nothing in it that a terminal obeys.

/// How many characters of a foreign text a sentence repeats.
const MAX_QUOTED_CHARS: usize = 40;

/// `text` in backquotes, cut where it is long.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", shown(text))
}

/// `text` as it is quoted, without the backquotes.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_QUOTED_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

/// `text`, with its end replaced by `…` where it takes more than `most_bytes`.
pub(crate) fn cut(mut text: String, most_bytes: usize) -> String {
    const MARK: &str = "…";
    if text.len() > most_bytes {
        text.truncate(text.floor_char_boundary(most_bytes.saturating_sub(MARK.len())));
        text.push_str(MARK);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_repeated() {
        assert_eq!(quoted("e2e4"), "`e2e4`");
        assert_eq!(quoted("\x1b[31m"), "`\\u{1b}[31m`");
        assert_eq!(quoted(&"x".repeat(50)), format!("`{}…`", "x".repeat(40)));
    }

    #[test]
    fn a_long_text_is_cut_between_its_letters() {
        let text = |letter: &str, count: usize| letter.repeat(count);
        assert_eq!(cut(text("x", 9), 9), text("x", 9));
        assert_eq!(cut(text("x", 10), 9), format!("{}…", text("x", 6)));
        for most in 4..20 {
            let short = cut(text("é", 20), most);
            assert!(short.len() <= most && short.ends_with('…'), "{short} is not within {most}");
        }
    }
}
