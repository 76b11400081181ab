//! `cargo xtask bench`: how fast it is, as ratios measured in one run.
//!
//! A bench program is a criterion benchmark of the package `benches`. What it found out, it writes itself: a list of measures as JSON
//! into a file of its own in the folder that `ANTIQUARY_BENCH` names (`target/bench`), like
//!
//! ```json
//! [{ "name": "reading a room, against binrw", "value": 2.4, "unit": "times as fast", "least": 1.5 }]
//! ```
//!
//! `least` may be left out; it is what the measure is meant to reach. Nothing fails when it does not: another machine, another load.

use std::fs;
use std::process::ExitCode;

use serde_json::Value;

use crate::catalog::word;
use crate::command::{cargo, run};
use crate::step::{Steps, passed_with};
use crate::{Chore, Result, corpus, place};

pub(crate) static CHORE: Chore = Chore {
    name: "bench",
    arguments: "[FILTER]",
    about: "runs the benchmarks and prints what they measured, ratios first of all",
    run: chore,
};

struct Measure {
    name: String,
    value: f64,
    unit: String,
    least: Option<f64>,
}

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let folder = place::target().join("bench");
    place::empty_folder(&folder)?;
    let mut steps = Steps::new();
    steps.run("benches", || {
        let command = &mut cargo("bench --package benches");
        if !arguments.is_empty() {
            command.arg("--").args(arguments);
        }
        corpus::tell(command)?;
        // Given, for criterion looks for it.
        run(command.env("ANTIQUARY_BENCH", &folder).env("CARGO_TARGET_DIR", place::target()))?;
        let measures = read(&folder)?;
        if measures.is_empty() {
            return Err(format!("the benches wrote no measures into {}", place::short(&folder)).into());
        }
        print!("\n{}", table(&measures));
        passed_with(format!("{} measures in {}", measures.len(), place::short(&folder)))
    });
    Ok(steps.finish())
}

/// All measures in the folder, file by file.
fn read(folder: &std::path::Path) -> Result<Vec<Measure>> {
    let mut out = Vec::new();
    for path in place::files_recursive(folder, |path| place::extension(path) == "json")? {
        let list: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path)?)?;
        for item in &list {
            out.push(measure(item).map_err(|error| format!("{}: {error}", place::short(&path)))?);
        }
    }
    Ok(out)
}

fn measure(item: &Value) -> Result<Measure> {
    let number = |name| item.get(name).and_then(Value::as_f64);
    Ok(Measure {
        name: word(item, "name")?,
        value: number("value").ok_or("a measure has no number \"value\"")?,
        unit: word(item, "unit")?,
        least: number("least"),
    })
}

fn table(measures: &[Measure]) -> String {
    let width = measures.iter().map(|measure| measure.name.chars().count()).max().unwrap_or_default();
    let mut out = String::new();
    for Measure { name, value, unit, least } in measures {
        let goal = match least {
            Some(least) if value >= least => format!("  (at least {}: met)", short(*least)),
            Some(least) => format!("  (at least {}: MISSED)", short(*least)),
            None => String::new(),
        };
        out.push_str(&format!("{name:width$}  {:>9} {unit}{goal}\n", short(*value)));
    }
    out
}

/// Three figures, more for large numbers.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.1 => format!("{value:.4}"),
        size if size < 10.0 => format!("{value:.2}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_that_misses_its_goal_says_so() {
        let item = serde_json::json!({ "name": "reading", "value": 1.234, "unit": "times", "least": 1.5 });
        let table = table(&[measure(&item).unwrap()]);
        assert_eq!(table, "reading       1.23 times  (at least 1.50: MISSED)\n");
        assert!(measure(&serde_json::json!({ "name": "reading", "unit": "times" })).is_err());
    }
}
