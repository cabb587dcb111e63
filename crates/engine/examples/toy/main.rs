//! The toy engine of the tests: our legal moves behind every dialect, with faults and bad manners to be asked for.
//!
//! `toy [--speak uci|totals|script] [--fault NAME]... [--misbehave MANNER[@N]]... [--no-chess960] [--no-total]`,
//! and for `script` then `DEPTH FEN [MOVES]`. A manner with `@N` shows from the N-th question on.

mod faults;
mod manners;
mod rules;
mod speech;

use std::process::ExitCode;

use manners::Manners;
use rules::Rules;
use speech::Toy;

fn main() -> ExitCode {
    match read(std::env::args().skip(1).collect()) {
        Ok((toy, how, rest)) => speak(toy, &how, &rest),
        Err(error) => {
            eprintln!("toy: {error}");
            ExitCode::from(2)
        }
    }
}

fn speak(mut toy: Toy, how: &str, rest: &[String]) -> ExitCode {
    match how {
        "uci" => toy.listen_uci(),
        "totals" => toy.listen_totals(),
        _ => return ExitCode::from(toy.answer_script(rest)),
    }
    ExitCode::SUCCESS
}

/// The toy, its dialect, and what is left of the arguments.
fn read(arguments: Vec<String>) -> Result<(Toy, String, Vec<String>), String> {
    let (mut how, mut rest) = ("uci".to_owned(), Vec::new());
    let (mut rules, mut manners) = (Rules::default(), Manners::default());
    let (mut knows_chess960, mut prints_total) = (true, true);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--speak" => how = value()?,
            "--fault" => rules.plant(&value()?)?,
            "--misbehave" => manners.learn(&value()?)?,
            "--no-chess960" => knows_chess960 = false,
            "--no-total" => prints_total = false,
            _ => rest.push(argument),
        }
    }
    if !["uci", "totals", "script"].contains(&how.as_str()) {
        return Err(format!("`{how}` is not spoken here: uci, totals or script would be right"));
    }
    Ok((Toy::new(rules, manners, knows_chess960, prints_total), how, rest))
}
