//! The kinds of a survey as a list: a set of tags cannot be a key of JSON.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Kind, Survey};
use crate::{Exhibit, Tags};

/// One kind of fault, with its set.
#[derive(Serialize, Deserialize)]
struct Row {
    tags: Tags,
    places: u64,
    example: Exhibit,
}

/// Writes the kinds one after another, in the order of their sets.
pub(super) fn serialize<S: Serializer>(kinds: &BTreeMap<Tags, Kind>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(kinds.iter().map(|(tags, kind)| {
        let Kind { places, example } = kind.clone();
        Row { tags: *tags, places, example }
    }))
}

/// Reads them in any order, each once.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Tags, Kind>, D::Error> {
    let rows = Vec::<Row>::deserialize(from)?;
    let count = rows.len();
    if count > Survey::KINDS {
        let most = Survey::KINDS;
        return Err(D::Error::custom(format!("{count} kinds of faults; at most {most} would be right")));
    }
    let kind = |row: Row| (row.tags, Kind { places: row.places, example: row.example });
    let kinds: BTreeMap<Tags, Kind> = rows.into_iter().map(kind).collect();
    if kinds.len() < count {
        return Err(D::Error::custom("a kind of fault is listed twice; each once would be right"));
    }
    Ok(kinds)
}
