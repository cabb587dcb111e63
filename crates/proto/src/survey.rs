//! What was found out about an engine, there and back.

use std::collections::BTreeMap;

use vezir_verify::{Exhibit, Kind, Survey, Tag, Tags, Told, Trouble};

use crate::malformed::{Malformed, required};
use crate::wire::types::v1 as wire;

impl From<Survey> for wire::Survey {
    fn from(survey: Survey) -> wire::Survey {
        let faults = survey.kinds.into_values();
        let faults =
            faults.map(|kind| wire::Fault { places: kind.places, example: Some(kind.example.into()) });
        let troubles = survey.troubles.into_iter().map(|(trouble, told)| wire::Trouble {
            kind: trouble.slug().to_owned(),
            times: told.times,
            example: told.example,
        });
        wire::Survey {
            places: survey.places,
            queries: survey.queries,
            ours: Some(survey.ours.into()),
            theirs: Some(survey.theirs.into()),
            differing: survey.differing,
            unanswered: survey.unanswered,
            faults: faults.collect(),
            troubles: troubles.collect(),
            notes: survey.notes.into_iter().collect(),
        }
    }
}

impl TryFrom<wire::Survey> for Survey {
    type Error = Malformed;

    /// What contradicts itself, or is larger than what a worker makes, is refused.
    fn try_from(survey: wire::Survey) -> Result<Survey, Malformed> {
        let mut kinds = BTreeMap::new();
        for fault in survey.faults {
            let example = Exhibit::try_from(required(fault.example, "survey.faults.example")?)?;
            kinds.insert(example.tags, Kind { places: fault.places, example });
        }
        let mut troubles = BTreeMap::new();
        for told in survey.troubles {
            let unknown = || Malformed::Word { field: "survey.troubles.kind", word: told.kind.clone() };
            let trouble = Trouble::from_slug(&told.kind).ok_or_else(unknown)?;
            troubles.insert(trouble, Told { times: told.times, example: told.example });
        }
        let survey = Survey {
            places: survey.places,
            queries: survey.queries,
            ours: required(survey.ours, "survey.ours")?.into(),
            theirs: required(survey.theirs, "survey.theirs")?.into(),
            differing: survey.differing,
            unanswered: survey.unanswered,
            kinds,
            troubles,
            notes: survey.notes.into_iter().collect(),
        };
        survey.checked()?;
        Ok(survey)
    }
}

impl From<Exhibit> for wire::Exhibit {
    fn from(exhibit: Exhibit) -> wire::Exhibit {
        wire::Exhibit {
            root: exhibit.root,
            path: exhibit.path,
            position: exhibit.position,
            depth: exhibit.depth,
            seen_by: exhibit.seen_by,
            kind: exhibit.kind,
            chosen: exhibit.chosen,
            ours: exhibit.ours,
            theirs: exhibit.theirs,
            told: exhibit.told,
            others: exhibit.others,
            tags: exhibit.tags.iter().map(|tag| tag.slug().to_owned()).collect(),
            why: exhibit.why,
            warnings: exhibit.warnings,
            smallest: exhibit.smallest,
        }
    }
}

impl TryFrom<wire::Exhibit> for Exhibit {
    type Error = Malformed;

    fn try_from(exhibit: wire::Exhibit) -> Result<Exhibit, Malformed> {
        let known = |word: &String| {
            Tag::from_slug(word).ok_or_else(|| Malformed::Word { field: "exhibit.tags", word: word.clone() })
        };
        Ok(Exhibit {
            root: exhibit.root,
            path: exhibit.path,
            position: exhibit.position,
            depth: exhibit.depth,
            seen_by: exhibit.seen_by,
            kind: exhibit.kind,
            chosen: exhibit.chosen,
            ours: exhibit.ours,
            theirs: exhibit.theirs,
            told: exhibit.told,
            others: exhibit.others,
            tags: exhibit.tags.iter().map(known).collect::<Result<Tags, Malformed>>()?,
            why: exhibit.why,
            warnings: exhibit.warnings,
            smallest: exhibit.smallest,
        })
    }
}
