//! A verification as JUnit XML, for build servers: one test for each kind of fault, and one for the whole.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::exit::{Exit, Failure};
use crate::verdict::Verdict;

/// Writes the result to a file.
pub(crate) fn write(path: &Path, verdict: &Verdict) -> Result<(), Failure> {
    fs::write(path, report(verdict)).map_err(|error| {
        let sentence = format!("{}: {error}; a file that can be written would be right", path.display());
        Failure::new(Exit::Unserved, sentence)
    })
}

fn report(verdict: &Verdict) -> String {
    let survey = &verdict.survey;
    let (failures, errors) = (survey.kinds.len(), survey.troubles.len());
    let tests = 1 + failures + errors;
    let seconds = verdict.time.as_secs_f64();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let suite = escaped(&format!("{}: {}", verdict.engine, verdict.about));
    let _ = writeln!(
        text,
        "<testsuites>\n<testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{failures}\" \
         errors=\"{errors}\" time=\"{seconds:.3}\">"
    );
    let _ = writeln!(text, "<testcase classname=\"verify\" name=\"{}\"/>", escaped(&verdict.headline()));
    for (tags, kind) in &survey.kinds {
        let (name, told) = (escaped(&tags.to_string()), escaped(&kind.example.told));
        let whole = escaped(&kind.example.to_string());
        let _ = writeln!(
            text,
            "<testcase classname=\"verify\" name=\"{name}\"><failure message=\"{told}\">{whole}</failure></testcase>"
        );
    }
    for (trouble, told) in &survey.troubles {
        let (name, told) = (escaped(trouble.words()), escaped(&told.example));
        let _ = writeln!(
            text,
            "<testcase classname=\"verify\" name=\"{name}\"><error message=\"{told}\"/></testcase>"
        );
    }
    text.push_str("</testsuite>\n</testsuites>\n");
    text
}

/// A text as XML 1.0 has it, in an element or an attribute; what it cannot hold at all becomes U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\u{0}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => escaped.push('\u{FFFD}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn texts_of_programs_cannot_break_the_file() {
        assert_eq!(escaped("<a b=\"&\">\n\u{1b}é"), "&lt;a b=&quot;&amp;&quot;&gt;&#10;\u{FFFD}é");
    }
}
