//! Signs that no FEN has, what each is called, and what would be right in its place.

/// A class of characters that are neither a letter A–Z, a digit 0–9, `/` nor `-`.
///
/// Texts are copied from web pages, lists and terminals, and carry such signs along, some of them unseen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sign {
    name: &'static str,
    right: &'static str,
}

const BETWEEN_FIELDS: &str = "a space or a tab between fields";
const ONE_LINE: &str = "all fields in one line";
const PLAIN: &str = "the text without it";
const DIGITS: &str = "the digits 0 to 9";
const MAN: &str = "a letter of KQRBNP or kqrbnp";
const BARE: &str = "the FEN alone";

const fn sign(name: &'static str, right: &'static str) -> Sign {
    Sign { name, right }
}

impl Sign {
    /// The class of `character`; `None` where it is one that a FEN may have.
    pub(super) fn of(character: char) -> Option<Sign> {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '/' | '-' => None,
            '\0'..='\x7f' => Some(Sign::of_ascii(character)),
            _ => Some(Sign::beyond_ascii(character)),
        }
    }

    fn of_ascii(character: char) -> Sign {
        match character {
            '\0' => sign("a NUL character", PLAIN),
            '\n' => sign("a line feed", ONE_LINE),
            '\r' => sign("a carriage return", ONE_LINE),
            '\x0B' => sign("a vertical tab", BETWEEN_FIELDS),
            '\x0C' => sign("a form feed", BETWEEN_FIELDS),
            '\x1B' => sign("the sign with which terminals are told colors", PLAIN),
            '\x7F' => sign("a delete character", PLAIN),
            '"' | '\'' | '`' => sign("a quotation mark", BARE),
            '[' | ']' => sign("a bracket", "the men on the board alone"),
            '(' | ')' | '{' | '}' | '<' | '>' => sign("a parenthesis", BARE),
            ',' => sign("a comma", BETWEEN_FIELDS),
            ';' => sign("a semicolon", "blanks between fields, and no operation after them,"),
            '_' => sign("an underscore", BETWEEN_FIELDS),
            ':' | '=' => sign("a sign between a name and its value", BARE),
            '\\' => sign("a backslash", "`/` between ranks"),
            '~' => sign("the mark of a promoted man", "the letter of the man alone"),
            '+' => sign("a plus sign", PLAIN),
            '.' => sign("a dot", "a whole number, or a digit for empty squares,"),
            '*' | '?' => sign("the mark of something unknown", "what is known"),
            _ if character.is_ascii_control() => sign("a control character", PLAIN),
            _ => sign("a sign without meaning here", PLAIN),
        }
    }

    fn beyond_ascii(character: char) -> Sign {
        match character {
            '\u{FEFF}' => sign("a byte order mark", PLAIN),
            '\u{A0}' | '\u{2007}' | '\u{202F}' => sign("a blank that does not break", BETWEEN_FIELDS),
            '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{AD}' => {
                sign("a character that is not seen", PLAIN)
            }
            '\u{FFFD}' => sign("what is left of a character that could not be read", "text in UTF-8"),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => sign("a longer dash", "the plain `-`"),
            '\u{2018}'..='\u{201F}' | '«' | '»' => sign("a typographic quotation mark", BARE),
            '♔'..='♟' => sign("a picture of a man", MAN),
            '²' | '³' | '¹' | '⁰'..='⁹' => sign("a raised digit", DIGITS),
            _ if character.is_whitespace() => sign("a wide or narrow blank", BETWEEN_FIELDS),
            _ if character.is_numeric() => sign("a digit of another script", DIGITS),
            _ if character.is_alphabetic() => sign("a letter beyond A to Z", "a letter from A to Z"),
            _ => sign("a sign that no FEN has", PLAIN),
        }
    }

    /// What the sign is called, with its article.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// What would be right in its place.
    pub fn right(self) -> &'static str {
        self.right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_fen_has_is_a_sign() {
        assert!(
            "rnbqkbnr/8 w KQkqAHah - e3 0 1".split(' ').flat_map(str::chars).all(|c| Sign::of(c).is_none())
        );
        for (character, name) in [
            (' ', "a sign without meaning here"),
            ('\u{1}', "a control character"),
            ('#', "a sign without meaning here"),
            ('?', "the mark of something unknown"),
            ('=', "a sign between a name and its value"),
            ('“', "a typographic quotation mark"),
            ('\u{2003}', "a wide or narrow blank"),
            ('\u{202E}', "a character that is not seen"),
            ('Ⅷ', "a digit of another script"),
            ('é', "a letter beyond A to Z"),
            ('🙂', "a sign that no FEN has"),
        ] {
            assert_eq!(Sign::of(character).map(Sign::name), Some(name), "{character:?}");
        }
    }
}
