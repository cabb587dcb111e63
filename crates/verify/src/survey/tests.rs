//! Surveys put together in any order, and sent.

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

use super::*;
use crate::Tag;

/// An example with so many men and moves.
fn example(tags: Tags, men: usize, plies: usize, told: &str) -> Exhibit {
    let texts = |text: &str, count| vec![text; count].join(" ");
    Exhibit {
        root: String::new(),
        path: texts("e2e4", plies),
        position: format!("{} w - - 0 1", "p".repeat(men)),
        depth: 1,
        seen_by: None,
        kind: "missing".to_owned(),
        chosen: None,
        ours: None,
        theirs: None,
        told: told.to_owned(),
        others: Vec::new(),
        tags,
        why: String::new(),
        warnings: Vec::new(),
        smallest: None,
    }
}

/// A set of one or two of the tags: more sets than are kept.
fn sets() -> impl Strategy<Value = Tags> {
    let tag = || prop::sample::select(Tag::ALL[..16].to_vec());
    (tag(), tag()).prop_map(|(one, other)| Tags::of(one).with(other))
}

fn kinds() -> impl Strategy<Value = BTreeMap<Tags, Kind>> {
    let kind = (1_u64..9, 2_usize..5, 0_usize..3, "[ab]");
    btree_map(sets(), kind, 0..50).prop_map(|kinds| {
        let kinds = kinds.into_iter().map(|(tags, (places, men, plies, told))| {
            (tags, Kind { places, example: example(tags, men, plies, &told) })
        });
        kinds.collect()
    })
}

fn surveys() -> impl Strategy<Value = Survey> {
    let trouble = prop::sample::select(Trouble::ALL.to_vec());
    let told = (1_u64..9, "[ab]{1,2}").prop_map(|(times, example)| Told { times, example });
    let small = 0_u64..1_000;
    let theirs = prop_oneof![0_u128..1_000, (u128::MAX - 1_000)..=u128::MAX];
    (
        (small.clone(), small.clone(), 0_u128..1_000, theirs, small.clone(), small),
        kinds(),
        btree_map(trouble, told, 0..5),
        btree_set("[a-z]{1,2}", 0..12),
    )
        .prop_map(|((places, queries, ours, theirs, differing, unanswered), kinds, troubles, notes)| {
            Survey { places, queries, ours, theirs, differing, unanswered, kinds, troubles, notes }
        })
}

fn plus(a: &Survey, b: &Survey) -> Survey {
    a.clone().plus(b.clone()).expect("small numbers")
}

proptest! {
    #[test]
    fn the_order_of_surveys_changes_nothing(a in surveys(), b in surveys(), c in surveys()) {
        prop_assert_eq!(plus(&a, &b), plus(&b, &a));
        prop_assert_eq!(plus(&plus(&a, &b), &c), plus(&a, &plus(&b, &c)));
        prop_assert_eq!(&plus(&a, &Survey::default()), &a);
    }

    #[test]
    fn any_grouping_of_many_is_the_same(parts in vec(surveys(), 1..6), cut in 0_usize..6) {
        let all = |parts: &[Survey]| parts.iter().fold(Survey::default(), |sum, part| plus(&sum, part));
        let (left, right) = parts.split_at(cut.min(parts.len()));
        prop_assert_eq!(all(&parts), plus(&all(right), &all(left)));
        let reversed: Vec<Survey> = parts.iter().rev().cloned().collect();
        prop_assert_eq!(all(&parts), all(&reversed));
    }

    #[test]
    fn a_survey_survives_its_wire(survey in surveys()) {
        let json = serde_json::to_string(&survey).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Survey>(&json).expect("a survey"), survey);
    }
}

#[test]
fn the_kinds_that_come_first_are_kept_with_all_their_places() {
    let tags = |number: usize| Tags::of(Tag::ALL[number % 16]).with(Tag::ALL[16 + number / 16]);
    let mut sets: Vec<Tags> = (0..Survey::KINDS + 10).map(tags).collect();
    sets.sort_unstable();
    let of = |sets: &[Tags], places| {
        let mut survey = Survey::default();
        for set in sets {
            survey.admit(*set, Kind { places, example: example(*set, 2, 0, "a") }).expect("small numbers");
        }
        survey
    };
    // The last ones first: they have to make room.
    let sum = plus(&of(&sets[10..], 1), &of(&sets[..Survey::KINDS], 2));
    assert!(sum.kinds.keys().eq(&sets[..Survey::KINDS]));
    let places: Vec<u64> = sum.kinds.values().map(|kind| kind.places).collect();
    assert_eq!((&places[..10], &places[10..]), (&[2; 10][..], &[3; Survey::KINDS - 10][..]));
    for number in 0..100 {
        let mut noted = sum.clone();
        (0..100).for_each(|step| noted.note(&format!("note {:02}", (step + number) % 100)));
        assert_eq!((noted.notes.len(), noted.notes.last().map(String::as_str)), (16, Some("note 15")));
    }
}

#[test]
fn large_counts_are_texts_on_the_wire() {
    let kind = Kind { places: 1, example: example(Tags::of(Tag::Castling), 2, 0, "a") };
    let survey = Survey {
        ours: u128::MAX - 1,
        theirs: u128::MAX,
        kinds: BTreeMap::from([(Tags::of(Tag::Castling), kind)]),
        troubles: BTreeMap::from([(Trouble::WrongLines, Told::once("two lines"))]),
        ..Survey::default()
    };
    let json = serde_json::to_value(&survey).expect("JSON");
    assert_eq!(json["ours"], "340282366920938463463374607431768211454");
    assert_eq!(json["kinds"][0]["tags"][0], "castling");
    assert_eq!(
        (&json["kinds"][0]["places"], &json["troubles"]["wrong-lines"]["times"]),
        (&1.into(), &1.into())
    );
    let read = |json: &serde_json::Value| serde_json::from_value::<Survey>(json.clone());
    assert_eq!(read(&json).expect("a survey"), survey);
    for (change, told) in [
        (("ours", serde_json::json!(7)), "string"),
        (("theirs", serde_json::json!("-7")), "not a count"),
        (("kinds", serde_json::json!([json["kinds"][0], json["kinds"][0]])), "listed twice"),
        (("kinds", serde_json::json!(vec![&json["kinds"][0]; 65])), "at most 64"),
    ] {
        let mut spoiled = json.clone();
        spoiled[change.0] = change.1;
        let error = read(&spoiled).expect_err("it is spoiled").to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn sums_that_do_not_fit_are_told() {
    let ours = |ours| Survey { ours, ..Survey::default() };
    let theirs = |theirs| Survey { theirs, ..Survey::default() };
    let places = |places| Survey { places, ..Survey::default() };
    assert_eq!(ours(u128::MAX).plus(ours(1)), Err(Overflow));
    assert_eq!(places(u64::MAX).plus(places(1)), Err(Overflow));
    assert_eq!(theirs(u128::MAX).plus(theirs(1)), Ok(theirs(u128::MAX)));
    assert_eq!(ours(u128::MAX - 1).plus(ours(1)), Ok(ours(u128::MAX)));
}

#[test]
fn only_what_was_right_everywhere_is_clean() {
    let clean = Survey { places: 5, queries: 5, ours: 9, theirs: 9, ..Survey::default() };
    assert!(clean.is_clean() && Survey::default().is_clean());
    assert!(!Survey { differing: 1, ..clean.clone() }.is_clean());
    assert!(!Survey { unanswered: 1, ..clean.clone() }.is_clean());
    let troubles = BTreeMap::from([(Trouble::Crashed, Told::once("it crashed"))]);
    assert!(!Survey { troubles, ..clean.clone() }.is_clean());
    let kind = Kind { places: 1, example: example(Tags::default(), 2, 0, "a") };
    assert!(!Survey { kinds: BTreeMap::from([(Tags::default(), kind)]), ..clean }.is_clean());
}

#[test]
fn what_was_sent_is_looked_at() {
    let tags = Tags::of(Tag::Pinned);
    let kind = |example| BTreeMap::from([(tags, Kind { places: 1, example })]);
    let sound =
        Survey { places: 2, differing: 1, kinds: kind(example(tags, 2, 0, "a")), ..Survey::default() };
    assert_eq!(sound.checked(), Ok(()));
    let other = Survey { kinds: kind(example(Tags::of(Tag::Rest), 2, 0, "a")), ..sound.clone() };
    assert_eq!(other.checked(), Err(SurveyError::Tags));
    let long = Survey { kinds: kind(example(tags, 2, 1_000, "a")), ..sound.clone() };
    assert!(matches!(long.checked(), Err(SurveyError::Example(ExhibitError::Long { what: "path", .. }))));
    for (places, differing, unanswered) in [(1, 1, 1), (2, 0, 0), (9, u64::MAX, 1)] {
        let spoiled = Survey { places, differing, unanswered, ..sound.clone() };
        assert_eq!(spoiled.checked(), Err(SurveyError::Places));
    }
    let note = Survey { notes: BTreeSet::from(["\u{1b}".to_owned()]), ..sound.clone() };
    assert_eq!(note.checked(), Err(SurveyError::Texts));
    let told = Told { times: 1, example: "x".repeat(3_000) };
    let trouble = Survey { troubles: BTreeMap::from([(Trouble::Hung, told)]), ..sound };
    assert_eq!(trouble.checked(), Err(SurveyError::Texts));
}
