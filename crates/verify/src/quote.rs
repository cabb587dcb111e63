//! Foreign text made fit to stand in a sentence: shortened, in backquotes, nothing in it that a terminal obeys.

/// How many characters of a foreign text a sentence repeats.
const MAX_QUOTED_CHARS: usize = 40;

/// `text` in backquotes, cut where it is long.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_QUOTED_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
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
}
