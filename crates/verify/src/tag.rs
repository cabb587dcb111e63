//! The kinds of faults, and sets of them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::quote::quoted;

macro_rules! tags {
    ($($(#[$doc:meta])* $name:ident $slug:literal $words:literal;)*) => {
        /// A kind of rule that a move generator can have wrong.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Tag {
            $($(#[$doc])* $name,)*
        }

        impl Tag {
            /// All kinds, the special ones before the general ones.
            pub const ALL: &[Tag] = &[$(Tag::$name),*];

            /// One word for tables and labels: lower case and hyphens. These must not change.
            pub const fn slug(self) -> &'static str {
                match self { $(Tag::$name => $slug,)* }
            }

            /// The kind that [`Tag::slug`] names.
            pub fn from_slug(slug: &str) -> Option<Tag> {
                Tag::ALL.iter().copied().find(|tag| tag.slug() == slug)
            }

            /// What people read.
            pub const fn words(self) -> &'static str {
                match self { $(Tag::$name => $words,)* }
            }
        }
    };
}

tags! {
    /// The two pawns of a capture en passant leave the king's rank at once, or either of them its line there.
    EnPassantRank "en-passant-rank" "en passant, pinned along the rank";
    /// A pawn of the capture shields the king's file.
    EnPassantFile "en-passant-file" "en passant, pinned along the file";
    /// A pawn of the capture shields one of the king's diagonals.
    EnPassantDiagonal "en-passant-diagonal" "en passant, pinned along the diagonal";
    /// The capture is made in check.
    EnPassantCheck "en-passant-check" "en passant out of check";
    /// Any other capture en passant.
    EnPassant "en-passant" "en passant";
    /// The king passes an attacked square, or only its rook does.
    CastlingThroughCheck "castling-through-check" "castling through check";
    /// The king stands in check.
    CastlingOutOfCheck "castling-out-of-check" "castling out of check";
    /// The king lands in check.
    CastlingIntoCheck "castling-into-check" "castling into check";
    /// The king or the rook has moved, or the rook was captured.
    CastlingRight "castling-right" "castling without the right: king or rook moved, or rook captured";
    /// A man stands in the way.
    CastlingBlocked "castling-blocked" "castling, path blocked";
    /// The right is another rook's.
    CastlingWrongRook "castling-wrong-rook" "castling with the wrong rook (Chess960)";
    /// The rook shields its king along the first rank.
    CastlingPinnedRook "castling-pinned-rook" "castling with a pinned rook (Chess960)";
    /// Castling that is legal and missing, or is written as no move at all, for no reason that shows.
    Castling "castling" "castling";
    /// A promotion that is legal and missing.
    PromotionMissing "promotion-missing" "promotion missing";
    /// A promotion of what does not promote or to what is none, or a last rank without promotion.
    PromotionExtra "promotion-extra" "promotion extra";
    /// A pinned man leaves its line, or may not move along it.
    Pinned "pinned" "pinned piece";
    /// Two men give check, and somebody but the king moves; or the king's flight is missing.
    DoubleCheck "double-check" "double check";
    /// The check stays; or an answer to it is missing.
    CheckNotAnswered "check-not-answered" "check not answered";
    /// The king flees along the line of the slider that checks it.
    KingAlongLine "king-along-line" "king moves along the line of its checker";
    /// The king moves beside the other.
    KingsAdjacent "kings-adjacent" "kings adjacent";
    /// The king moves to an attacked square.
    KingIntoAttack "king-into-attack" "king moves into attack";
    /// A slider passes a man.
    SlidingThrough "sliding-through" "sliding through a man";
    /// A pawn steps twice from a wrong rank or through a man, or may not from the right one.
    PawnDoublePush "pawn-double-push" "pawn double push";
    /// A pawn captures straight ahead, or goes aside without a capture.
    PawnStep "pawn-step" "pawn step";
    /// A move leaves the board on one side and comes back on the other.
    WrapAround "wrap-around" "wrap-around from one edge to the other";
    /// A man takes one of its own side.
    OwnManTaken "own-man-taken" "own man taken";
    /// There is no man of the side to move where the move begins.
    NoSuchMan "no-such-man" "no such man";
    /// Right for the position as a FEN, wrong where the program makes the moves itself.
    MakeMoveOnly "make-move-only" "make-move only";
    /// Right when asked about, by either way, and wrong inside the program's own tree.
    SearchOnly "search-only" "in its own tree only";
    /// A move is listed more than once.
    Doubled "doubled" "line doubled";
    /// A total that is not the sum of its lines.
    Sum "sum" "total is not the sum";
    /// Only a total is known to be wrong.
    TotalOnly "total-only" "total wrong, moves not told";
    /// Anything else.
    Rest "rest" "another rule";
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// A set of tags: one kind of fault. Two findings are of one kind where their sets are equal.
///
/// It is written as the list of its slugs.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Tags(u64);

impl Tags {
    /// The set of one.
    pub const fn of(tag: Tag) -> Tags {
        Tags(1 << tag as u8)
    }

    /// The set and one more.
    #[must_use]
    pub const fn with(self, tag: Tag) -> Tags {
        Tags(self.0 | Tags::of(tag).0)
    }

    /// Whether `tag` is in the set.
    pub const fn has(self, tag: Tag) -> bool {
        self.0 & Tags::of(tag).0 != 0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The tags, in the order of [`Tag::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Tag> {
        Tag::ALL.iter().copied().filter(move |tag| self.has(*tag))
    }
}

impl FromIterator<Tag> for Tags {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Tags {
        tags.into_iter().fold(Tags::default(), Tags::with)
    }
}

impl From<Tags> for Vec<String> {
    fn from(tags: Tags) -> Vec<String> {
        tags.iter().map(|tag| tag.slug().to_owned()).collect()
    }
}

impl TryFrom<Vec<String>> for Tags {
    type Error = UnknownTag;

    /// Reads slugs, in any order.
    fn try_from(slugs: Vec<String>) -> Result<Tags, UnknownTag> {
        let tag = |slug: String| Tag::from_slug(&slug).ok_or(UnknownTag { slug });
        slugs.into_iter().map(tag).collect()
    }
}

/// A word that names no kind of fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} is no kind of fault; one that this version knows, as `castling`, would be right", quoted(.slug))]
pub struct UnknownTag {
    /// The word.
    pub slug: String,
}

impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(Tag::words).collect();
        f.write_str(&words.join("; "))
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tags_are_told_apart() {
        let slugs: BTreeSet<&str> = Tag::ALL.iter().map(|tag| tag.slug()).collect();
        let words: BTreeSet<&str> = Tag::ALL.iter().map(|tag| tag.words()).collect();
        assert_eq!((slugs.len(), words.len()), (Tag::ALL.len(), Tag::ALL.len()));
        assert!(Tag::ALL.len() <= 64, "a set is 64 bits");
        let all: Tags = Tag::ALL.iter().copied().collect();
        assert!(all.iter().eq(Tag::ALL.iter().copied()));
        assert!(all.iter().all(|tag| Tag::from_slug(tag.slug()) == Some(tag)));
        assert_eq!(Tag::from_slug("nonsense"), None);
    }

    #[test]
    fn a_set_is_written_as_its_slugs() {
        let tags = Tags::of(Tag::MakeMoveOnly).with(Tag::Castling);
        let json = serde_json::to_string(&tags).expect("JSON");
        assert_eq!(json, r#"["castling","make-move-only"]"#);
        let read = |json: &str| serde_json::from_str::<Tags>(json);
        assert_eq!(read(&json).expect("tags"), tags);
        assert_eq!(read(r#"["make-move-only","castling","castling"]"#).expect("tags"), tags);
        assert_eq!(read("[]").expect("tags"), Tags::default());
        let error = read(r#"["castle"]"#).expect_err("no tag").to_string();
        assert!(error.contains("`castle` is no kind of fault"), "{error}");
    }
}
