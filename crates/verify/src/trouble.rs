//! Why places have no answer: the kinds of trouble, and how often each was met.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::quote::cut;

macro_rules! troubles {
    ($($(#[$doc:meta])* $name:ident $slug:literal $words:literal;)*) => {
        /// A way in which a question can end without an answer.
        #[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[serde(rename_all = "kebab-case")]
        pub enum Trouble {
            $($(#[$doc])* $name,)*
        }

        impl Trouble {
            /// All of them.
            pub const ALL: &[Trouble] = &[$(Trouble::$name),*];

            /// One word for tables, wires and labels: lower case and hyphens. These must not change.
            pub const fn slug(self) -> &'static str {
                match self { $(Trouble::$name => $slug,)* }
            }

            /// The trouble that [`Trouble::slug`] names.
            pub fn from_slug(slug: &str) -> Option<Trouble> {
                Trouble::ALL.iter().copied().find(|trouble| trouble.slug() == slug)
            }

            /// What people read.
            pub const fn words(self) -> &'static str {
                match self { $(Trouble::$name => $words,)* }
            }
        }
    };
}

troubles! {
    /// The program does not run at all.
    CannotStart "cannot-start" "the program cannot be started";
    /// It ended before it answered, by a signal or with an exit code that is not 0.
    Crashed "crashed" "it crashed";
    /// It ended before it answered, as if all were well.
    Exited "exited" "it exited without an answer";
    /// It was silent for too long.
    Hung "hung" "it did not answer in time";
    /// What it printed is no answer.
    Garbage "garbage" "its answer cannot be read";
    /// It printed more than is taken.
    Flood "flood" "it printed too much";
    /// Lines of its answer are missing, or there are too many.
    WrongLines "wrong-lines" "its answer has the wrong lines";
    /// Its streams cannot be used.
    Broken "broken" "its streams broke";
    /// Our own count did not come to its end.
    OwnCount "own-count" "our own count failed";
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// How often a trouble was met, and one example.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// How often.
    pub times: u64,
    /// What was said of one of them, of bounded size.
    pub example: String,
}

impl Told {
    /// The most bytes of an example. A program's last words could be of any length.
    pub const MAX_EXAMPLE_BYTES: usize = 2_048;

    /// A trouble that was met once, and what is said of it; its end is cut where it is long, and what a terminal
    /// would obey is spelled out.
    pub fn once(example: &str) -> Told {
        Told { times: 1, example: cut(spelled(example), Told::MAX_EXAMPLE_BYTES) }
    }
}

/// `text` with what a terminal would obey, line ends among it, spelled out.
pub(crate) fn spelled(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            spelled.extend(letter.escape_default());
        } else {
            spelled.push(letter);
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn troubles_are_told_apart() {
        let slugs: BTreeSet<&str> = Trouble::ALL.iter().map(|trouble| trouble.slug()).collect();
        let words: BTreeSet<String> = Trouble::ALL.iter().map(Trouble::to_string).collect();
        assert_eq!((slugs.len(), words.len()), (9, 9));
        for trouble in Trouble::ALL {
            assert_eq!(Trouble::from_slug(trouble.slug()), Some(*trouble));
            let json = serde_json::to_string(trouble).expect("JSON");
            assert_eq!(json, format!("\"{}\"", trouble.slug()), "a wire says the slug");
        }
        assert_eq!(Trouble::from_slug("Crashed"), None);
    }

    #[test]
    fn last_words_are_bounded_and_plain() {
        assert_eq!(Told::once("it crashed\n\u{1b}[31mé").example, "it crashed\\n\\u{1b}[31mé");
        let long = Told::once(&"\u{7}".repeat(10_000));
        assert!(long.example.len() <= Told::MAX_EXAMPLE_BYTES && long.example.ends_with('…'));
    }
}
