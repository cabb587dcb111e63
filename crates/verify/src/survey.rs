//! What was found at some places: sums and examples that can be put together in any order.

mod listed;
#[cfg(test)]
mod tests;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use vezir_perft::Overflow;

use crate::quote::cut;
use crate::trouble::spelled;
use crate::{Exhibit, ExhibitError, Tags, Told, Trouble, decimal};

/// What was found at some places. Those of a run's parts add up to that of the run, whoever visited them.
#[derive(Default, Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// The places that were visited.
    pub places: u64,
    /// The questions that the program was asked, descents and shrinking included.
    pub queries: u64,
    /// The leaves below the places, each as often as ways lead there; also of places without an answer.
    #[serde(with = "decimal")]
    pub ours: u128,
    /// The same as the program said; `u128::MAX` where that is more than 128 bits hold. Nothing is added where it
    /// gave no answer.
    #[serde(with = "decimal")]
    pub theirs: u128,
    /// The places whose answer differed.
    pub differing: u64,
    /// The places without an answer.
    pub unanswered: u64,
    /// The kinds of faults, at most [`Survey::KINDS`]: those whose sets come first.
    #[serde(with = "listed")]
    pub kinds: BTreeMap<Tags, Kind>,
    /// Why questions had no answer.
    pub troubles: BTreeMap<Trouble, Told>,
    /// What else is to be said, at most [`Survey::NOTES`] sentences: those that come first.
    pub notes: BTreeSet<String>,
}

/// A kind of fault, as often as it was found, with one example.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The places at which it was found.
    pub places: u64,
    /// The simplest example of it.
    pub example: Exhibit,
}

impl Survey {
    /// The most kinds of faults that are kept.
    pub const KINDS: usize = 64;

    /// The most notes that are kept.
    pub const NOTES: usize = 16;

    /// The most bytes of a note.
    pub const MAX_NOTE_BYTES: usize = 512;

    /// Whether the program was right wherever it was asked, and was asked everywhere.
    pub fn is_clean(&self) -> bool {
        self.differing == 0 && self.unanswered == 0 && self.kinds.is_empty() && self.troubles.is_empty()
    }

    /// Both surveys as one. In whichever order many are put together, the same comes of it: of the examples of one
    /// kind the simplest is kept, and of too many kinds those whose sets come first, with all their places.
    ///
    /// # Errors
    /// [`Overflow`] where a sum does not fit; that of what the program said stays at its largest instead.
    pub fn plus(mut self, other: Survey) -> Result<Survey, Overflow> {
        self.places = sum(self.places, other.places)?;
        self.queries = sum(self.queries, other.queries)?;
        self.ours = self.ours.checked_add(other.ours).ok_or(Overflow)?;
        self.theirs = self.theirs.saturating_add(other.theirs);
        self.differing = sum(self.differing, other.differing)?;
        self.unanswered = sum(self.unanswered, other.unanswered)?;
        for (tags, kind) in other.kinds {
            self.admit(tags, kind)?;
        }
        for (trouble, told) in other.troubles {
            self.meet(trouble, told)?;
        }
        for note in other.notes {
            self.note(&note);
        }
        Ok(self)
    }

    /// Adds a kind of fault.
    ///
    /// # Errors
    /// [`Overflow`] where its places do not fit.
    pub fn admit(&mut self, tags: Tags, kind: Kind) -> Result<(), Overflow> {
        match self.kinds.entry(tags) {
            Entry::Vacant(free) => drop(free.insert(kind)),
            Entry::Occupied(mut known) => {
                let Kind { places, example } = known.get();
                let places = sum(*places, kind.places)?;
                let example = example.clone().simpler(kind.example);
                known.insert(Kind { places, example });
            }
        }
        // A kind that goes has as many before it in every other order too: no count of one that stays is lost.
        while self.kinds.len() > Survey::KINDS {
            self.kinds.pop_last();
        }
        Ok(())
    }

    /// Adds a trouble; of two examples the one that comes first is kept.
    ///
    /// # Errors
    /// [`Overflow`] where the times do not fit.
    pub fn meet(&mut self, trouble: Trouble, told: Told) -> Result<(), Overflow> {
        match self.troubles.entry(trouble) {
            Entry::Vacant(free) => drop(free.insert(told)),
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.times = sum(known.times, told.times)?;
                if told.example < known.example {
                    known.example = told.example;
                }
            }
        }
        Ok(())
    }

    /// Adds a note; its end is cut where it is long, and what a terminal would obey is spelled out.
    pub fn note(&mut self, note: &str) {
        self.notes.insert(cut(spelled(note), Survey::MAX_NOTE_BYTES));
        while self.notes.len() > Survey::NOTES {
            self.notes.pop_last();
        }
    }

    /// Looks at what an untrusted side has sent: whether it keeps to the bounds and does not contradict itself.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    pub fn checked(&self) -> Result<(), SurveyError> {
        let Survey { places, differing, unanswered, kinds, .. } = self;
        if differing.checked_add(*unanswered).is_none_or(|sum| sum > *places) {
            return Err(SurveyError::Places);
        }
        if kinds.len() > Survey::KINDS {
            return Err(SurveyError::ManyKinds { kinds: kinds.len() });
        }
        for (tags, kind) in kinds {
            kind.example.checked()?;
            if kind.example.tags != *tags {
                return Err(SurveyError::Tags);
            }
            if kind.places == 0 || kind.places > *differing {
                return Err(SurveyError::Places);
            }
        }
        let is_bounded = |text: &String, most| text.len() <= most && !text.chars().any(char::is_control);
        let mut examples = self.troubles.values();
        let notes = self.notes.len() <= Survey::NOTES
            && self.notes.iter().all(|note| is_bounded(note, Survey::MAX_NOTE_BYTES));
        let troubles = examples.all(|told| is_bounded(&told.example, Told::MAX_EXAMPLE_BYTES));
        if notes && troubles { Ok(()) } else { Err(SurveyError::Texts) }
    }
}

fn sum(a: u64, b: u64) -> Result<u64, Overflow> {
    a.checked_add(b).ok_or(Overflow)
}

/// What is wrong with a survey that was sent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SurveyError {
    /// More places differ, or have no answer, than were visited; or a kind was found at none, or at too many.
    #[error(
        "a survey counts more places than it visited, or a kind at none; parts of the places would be right"
    )]
    Places,
    /// There are too many kinds.
    #[error("a survey has {kinds} kinds of faults; at most {} would be right", Survey::KINDS)]
    ManyKinds {
        /// How many it has.
        kinds: usize,
    },
    /// An example is of another kind than it stands for.
    #[error("an example in a survey is of another kind than it stands for; the same kind would be right")]
    Tags,
    /// An example is not as it should be.
    #[error(transparent)]
    Example(#[from] ExhibitError),
    /// There are too many notes, or a text is too long or not plain.
    #[error(
        "the notes or troubles of a survey are too many, too long or not plain; at most {} notes of {} bytes and \
         examples of {} bytes would be right",
        Survey::NOTES,
        Survey::MAX_NOTE_BYTES,
        Told::MAX_EXAMPLE_BYTES
    )]
    Texts,
}
