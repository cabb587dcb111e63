//! Amounts as people write them: memory as `2GiB`, node counts as `50M`.

/// Reads an amount of memory: a whole number and a unit, KiB, MiB, GiB or TiB, or its first letter alone.
///
/// Zero needs no unit. Units are powers of 1024 in every spelling.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    if number.is_empty() {
        return Err(format!("`{text}` is not an amount of memory; `2GiB` would be right"));
    }
    let shift = match unit.to_ascii_lowercase().as_str() {
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        "b" => 0,
        "" if number.parse() == Ok(0_u64) => 0,
        "" => return Err(format!("`{text}` has no unit; `{text}MiB` or `{text}GiB` would be right")),
        _ => return Err(format!("`{unit}` is no unit of memory; KiB, MiB, GiB or TiB would be right")),
    };
    let number: u64 =
        number.parse().map_err(|_| format!("`{text}` is not an amount of memory; `2GiB` would be right"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is more memory than there is"))
}

/// An amount of memory as [`memory`] reads it, in the largest unit that makes it a whole number.
pub(crate) fn show_memory(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let fits = |(shift, _): &(u32, &str)| bytes > 0 && bytes.trailing_zeros() >= *shift;
    match units.into_iter().find(fits) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes}B"),
    }
}

/// Reads a length of time, as `30s` or `5min`.
pub(crate) fn time(text: &str) -> Result<std::time::Duration, String> {
    let time = humantime::parse_duration(text).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("`{text}` is no length of time; `30s` or `5min` would be right"))
}

/// Reads a number of nodes: digits, perhaps grouped by `_`, perhaps followed by k, M, G or T for thousands.
pub(crate) fn nodes(text: &str) -> Result<u128, String> {
    let wrong = || format!("`{text}` is not a number of nodes; `50000000` or `50M` would be right");
    let (number, unit) = split(text);
    let factor: u128 = match unit {
        "" => 1,
        "k" | "K" => 1_000,
        "m" | "M" => 1_000_000,
        "g" | "G" => 1_000_000_000,
        "t" | "T" => 1_000_000_000_000,
        _ => return Err(wrong()),
    };
    let number: u128 = number.replace('_', "").parse().map_err(|_| wrong())?;
    number.checked_mul(factor).ok_or_else(wrong)
}

/// A number with its digits in groups of three.
pub(crate) fn show_count(count: u128) -> String {
    let digits = count.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A number in three digits and k, M, G or T for thousands, for where it changes too fast to be read whole.
pub(crate) fn show_short(count: u128) -> String {
    let units = ["", " k", " M", " G", " T", " P", " E"];
    let (mut value, mut unit) = (count as f64, 0);
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    let decimals = if unit == 0 || value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    format!("{value:.decimals$}{}", units[unit])
}

/// Where the digits end and the unit begins.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '_').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_every_spelling() {
        for (text, bytes) in [
            ("0", 0),
            ("2GiB", 2 << 30),
            ("2 GiB", 2 << 30),
            ("2g", 2 << 30),
            ("512M", 512 << 20),
            ("512mb", 512 << 20),
            ("64k", 64 << 10),
            ("1TiB", 1 << 40),
            ("4096b", 4096),
        ] {
            assert_eq!(memory(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn memory_is_shown_as_it_is_read() {
        for (bytes, shown) in
            [(0, "0B"), (4 << 30, "4GiB"), (3 << 29, "1536MiB"), (1025, "1025B"), (1 << 50, "1024TiB")]
        {
            assert_eq!(show_memory(bytes), shown);
            assert_eq!(memory(shown), Ok(bytes));
        }
    }

    #[test]
    fn memory_without_sense_is_refused() {
        for text in ["", "256", "GiB", "2XiB", "-1GiB", "1.5GiB", "99999999999999999999GiB", "99999999999GiB"]
        {
            assert!(memory(text).is_err(), "{text}");
        }
        assert!(memory("256").is_err_and(|sentence| sentence.contains("256MiB")));
    }

    #[test]
    fn nodes_are_read() {
        for (text, count) in
            [("0", 0), ("50000000", 50_000_000), ("50_000_000", 50_000_000), ("50M", 50_000_000)]
        {
            assert_eq!(nodes(text), Ok(count), "{text}");
        }
        for text in ["", "M", "1e6", "-1", "5 apples", "1,000"] {
            assert!(nodes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn amounts_are_shown() {
        assert_eq!(show_count(0), "0");
        assert_eq!(show_count(999), "999");
        assert_eq!(show_count(1_000), "1,000");
        assert_eq!(show_count(3_195_901_860), "3,195,901,860");
        let short = [0, 999, 1_000, 123_456, 3_195_901_860, 999_999_999].map(show_short);
        assert_eq!(short, ["0", "999", "1.00 k", "123 k", "3.20 G", "1.00 G"]);
    }
}
