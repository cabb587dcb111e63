//! How the result of a verification looks: lines for people, one JSON object for scripts.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};
use vezir_verify::{Survey, Tag};

use crate::exit::{Exit, Failure};
use crate::size::show_count;
use crate::talk::{print, say};

/// Everything that is told of a finished verification.
pub(crate) struct Verdict {
    /// The engine's name.
    pub(crate) engine: String,
    /// What it was asked about.
    pub(crate) about: String,
    /// What was found.
    pub(crate) survey: Survey,
    /// How long it took.
    pub(crate) time: Duration,
    /// Whether an example of every kind is told; else one.
    pub(crate) all: bool,
}

impl Verdict {
    /// Prints what was found; the exit code says whether all was right.
    pub(crate) fn tell(&self, json: bool) -> Result<Exit, Failure> {
        if json {
            print(&format!("{}\n", self.json()))?;
        } else {
            print(&self.text())?;
            say(&self.summary());
        }
        Ok(self.exit())
    }

    /// Differences say no; where there are none, a question without an answer leaves it open.
    pub(crate) fn exit(&self) -> Exit {
        let Survey { differing, unanswered, .. } = self.survey;
        match (differing, unanswered) {
            (0, 0) if self.survey.is_clean() => Exit::Done,
            (0, _) => Exit::NoAnswer,
            _ => Exit::No,
        }
    }

    /// The result in one sentence.
    pub(crate) fn headline(&self) -> String {
        let Survey { places, differing, unanswered, .. } = self.survey;
        let of =
            if places == 1 { "1 place".to_owned() } else { format!("{} places", show_count(places.into())) };
        match (differing, unanswered) {
            (0, 0) => format!("{} is right at {of}", self.engine),
            (0, unanswered) => format!("{} gave no answer at {unanswered} of {of}", self.engine),
            (differing, 0) => format!("{} differs at {differing} of {of}", self.engine),
            (differing, unanswered) => {
                format!("{} differs at {differing} of {of}, and gave no answer at {unanswered}", self.engine)
            }
        }
    }

    fn text(&self) -> String {
        let survey = &self.survey;
        let mut text = format!("{}\n", self.headline());
        let _ = writeln!(text, "asked about: {}", self.about);
        if survey.ours > 0 || survey.theirs > 0 {
            let _ = writeln!(text, "leaves: {} of ours, {} of theirs", survey.ours, survey.theirs);
        }
        let most = if self.all { usize::MAX } else { 1 };
        for (number, kind) in survey.kinds.values().take(most).enumerate() {
            let _ = write!(text, "\nfault {}: {}", number + 1, kind.example);
        }
        let tags = self.tags();
        if !tags.is_empty() {
            text.push_str("\nkinds of faults, by places:\n");
        }
        for (tag, places) in tags {
            let _ = writeln!(text, "{places:>8}  {tag}");
        }
        if !survey.troubles.is_empty() {
            text.push_str("\nthe engine itself:\n");
        }
        for (trouble, told) in &survey.troubles {
            let _ = writeln!(text, "{:>8}  {}: {}", told.times, trouble.words(), told.example);
        }
        for note in &survey.notes {
            let _ = writeln!(text, "mind: {note}");
        }
        text
    }

    /// How many places show each kind of rule broken.
    fn tags(&self) -> BTreeMap<Tag, u64> {
        let mut tags = BTreeMap::new();
        for (kinds, kind) in &self.survey.kinds {
            for tag in kinds.iter() {
                *tags.entry(tag).or_default() += kind.places;
            }
        }
        tags
    }

    fn summary(&self) -> String {
        let seconds = self.time.as_secs_f64();
        let rate = (self.survey.ours as f64 / seconds.max(1e-9)) as u128;
        format!(
            "{} questions in {seconds:.1} s, {} leaves/s",
            show_count(self.survey.queries.into()),
            show_count(rate)
        )
    }

    fn json(&self) -> Value {
        let survey = &self.survey;
        let faults = survey.kinds.values();
        let faults: Vec<Value> =
            faults.map(|kind| json!({ "places": kind.places, "example": kind.example })).collect();
        let tags: BTreeMap<&str, u64> =
            self.tags().into_iter().map(|(tag, places)| (tag.slug(), places)).collect();
        let troubles = survey.troubles.iter();
        let troubles: Vec<Value> = troubles
            .map(|(trouble, told)| json!({ "kind": trouble.slug(), "times": told.times, "example": told.example }))
            .collect();
        json!({
            "engine": self.engine,
            "about": self.about,
            "right": self.exit() == Exit::Done,
            "places": survey.places,
            "queries": survey.queries,
            "ours": survey.ours.to_string(),
            "theirs": survey.theirs.to_string(),
            "differing": survey.differing,
            "unanswered": survey.unanswered,
            "faults": faults,
            "tags": tags,
            "troubles": troubles,
            "notes": survey.notes,
            "seconds": self.time.as_secs_f64(),
        })
    }
}
