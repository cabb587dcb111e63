//! The metrics and labels that queries name, held against those that are shown.

/// What our metrics begin with.
const BEGINNINGS: [&str; 2] = ["vezir_", "process_"];

/// Labels that Prometheus gives, and the bounds of histograms.
const NOT_OURS: [&str; 3] = ["job", "instance", "le"];

/// Complaints about metrics, and values of their labels, that `text` names and `shown` does not have. Lines of
/// comments are left out.
pub(crate) fn unknown(text: &str, shown: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines
        .flat_map(|line| names(line))
        .filter_map(|(name, matchers)| stranger(name, matchers, shown))
        .collect()
}

fn stranger(name: &str, matchers: &str, shown: &str) -> Option<String> {
    let series = |line: &&str| {
        line.strip_prefix(name).is_some_and(|rest| rest.starts_with('{') || rest.starts_with(' '))
    };
    let lines: Vec<&str> = shown.lines().filter(series).collect();
    if lines.is_empty() {
        return Some(format!("nobody shows {name}"));
    }
    let mut wanted = labels(matchers);
    let missing = wanted.find(|(label, value)| {
        let pair = format!("{label}=\"{value}\"");
        !NOT_OURS.contains(label) && !lines.iter().any(|line| line.contains(&pair))
    });
    missing.map(|(label, value)| format!("no {name} is shown with {label}=\"{value}\""))
}

/// The metrics of a line, each with what stands in the braces behind it.
fn names(line: &str) -> Vec<(&str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_part) {
        let word = &rest[start..];
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        let (name, behind) = word.split_at(end);
        rest = behind;
        if BEGINNINGS.iter().any(|it| name.starts_with(it)) {
            let braces = behind.strip_prefix('{').and_then(|it| it.split_once('}'));
            found.push((name, braces.map_or("", |(inside, _)| inside)));
            rest = braces.map_or(behind, |(_, after)| after);
        }
    }
    found
}

/// The values that matchers name, each with its label.
fn labels(matchers: &str) -> impl Iterator<Item = (&str, &str)> {
    // The operator is `=`, `!=`, `=~` or `!~`; none of our values holds a quote or a comma.
    let each = matchers.split(',').filter_map(|matcher| matcher.split_once('='));
    each.flat_map(|(label, value)| {
        let values = value.trim_start_matches('~').trim_matches('"').split('|');
        values.map(|value| (label.trim().trim_end_matches('!'), value))
    })
}

#[test]
fn strangers_are_seen() {
    let shown = "# HELP vezir_a_total A.\nvezir_a_total{kind=\"x\",state=\"y\"} 1\nvezir_b 2\n";
    for known in [
        "sum(rate(vezir_a_total{kind=\"x\"}[5m])) > vezir_b",
        "vezir_a_total{job=\"vezir-other\",kind=~\"x|x\"}",
        "# vezir_c",
        "vezir-worker: nothing",
    ] {
        assert_eq!(unknown(known, shown), Vec::<String>::new(), "{known}");
    }
    for strange in [
        "rate(vezir_a[5m])",
        "vezir_a_total{kind=\"z\"}",
        "vezir_a_total{kind=~\"x|z\"}",
        "vezir_b and vezir_c",
        "process_x",
        "vezir_b{kind=\"x\"}",
    ] {
        assert_eq!(unknown(strange, shown).len(), 1, "{strange}");
    }
}
