//! `cargo xtask bench`: benchmarks, reported as ratios measured in one run.
//!
//! Each bench program is a criterion benchmark of the package `benches`, which is a separate workspace. It writes its measures as a JSON
//! list into a file in the folder given by `ANTIQUARY_BENCH` (`target/bench`), for example:
//!
//! ```json
//! [{ "name": "reading a room, against binrw", "value": 2.4, "unit": "times as fast", "least": 1.5 }]
//! ```
//!
//! `least` is optional: the goal of the measure. A missed goal is reported but is not a failure, because machines and loads differ. Other
//! optional members are `peer` and `peer_value` (another program or method, and its value in the same run), `memory` (the peak memory, in
//! bytes) and `bytes` (the number of bytes written).
//!
//! With `--keep`, the results are stored in `benches/results`, in one file for each version. Later runs are compared with the newest of
//! them.

use std::fs;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::catalog::word;
use crate::command::{cargo, run};
use crate::step::{Steps, passed_with};
use crate::{Chore, Result, corpus, paths};

pub(crate) static CHORE: Chore = Chore {
    name: "bench",
    arguments: "[--keep] [FILTER]",
    about: "runs the benchmarks and prints their measures in one table, compared with the stored results\n\
            --keep stores the results for this version",
    run: chore,
};

/// The folder of stored results, relative to the root of the project.
const RESULTS: &str = "benches/results";

struct Measure {
    name: String,
    value: f64,
    unit: String,
    least: Option<f64>,
    /// Another program or method, and its value in the same run.
    peer: Option<(String, f64)>,
    /// The peak memory, in bytes.
    memory: Option<u64>,
    /// The number of bytes written.
    bytes: Option<u64>,
}

impl Measure {
    /// The members that identify a measure.
    fn key(&self) -> (&str, &str, Option<&str>) {
        (&self.name, &self.unit, self.peer.as_ref().map(|(peer, _)| peer.as_str()))
    }
}

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let folder = paths::target().join("bench");
    paths::empty_folder(&folder)?;
    let keeps = arguments.iter().any(|argument| argument == "--keep");
    let filters: Vec<_> = arguments.iter().filter(|argument| *argument != "--keep").collect();
    let mut steps = Steps::new();
    steps.run("benches", || {
        run(&mut cargo("build --release --package antiquary-cli"))?;
        let command = &mut cargo("bench --manifest-path benches/Cargo.toml");
        if !filters.is_empty() {
            command.arg("--").args(&filters);
        }
        corpus::set_variable(command)?;
        command.env("ANTIQUARY_PROGRAM", paths::program());
        // Set because criterion reads it.
        run(command.env("ANTIQUARY_BENCH", &folder).env("CARGO_TARGET_DIR", paths::target()))?;
        let values = read(&folder)?;
        let measures = values.iter().map(measure).collect::<Result<Vec<_>>>()?;
        if measures.is_empty() {
            return Err(format!("the benches wrote no measures into {}", paths::short(&folder)).into());
        }
        let before = stored()?;
        print!("\n{}", table(&measures, before.as_ref().map_or(&[][..], |(_, before)| before)));
        if let Some((version, _)) = before {
            println!("\nThe last column is the ratio to the stored results of version {version}, which may be from another machine.");
        }
        if keeps {
            store(&values)?;
        }
        passed_with(format!("{} measures in {}", measures.len(), paths::short(&folder)))
    });
    Ok(steps.finish())
}

/// The newest stored results, with their version.
fn stored() -> Result<Option<(String, Vec<Measure>)>> {
    let folder = paths::root().join(RESULTS);
    if !folder.is_dir() {
        return Ok(None);
    }
    let files = paths::files_recursive(&folder, |path| paths::extension(path) == "json")?;
    let number = |path: &std::path::PathBuf| -> Vec<u64> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        stem.split('.').map(|part| part.parse().unwrap_or_default()).collect()
    };
    let Some(newest) = files.into_iter().max_by_key(number) else { return Ok(None) };
    let json: Value = serde_json::from_str(&fs::read_to_string(&newest)?)?;
    let measures = json.get("measures").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let measures = measures.iter().map(measure).collect::<Result<Vec<_>>>()?;
    Ok(Some((newest.file_stem().unwrap_or_default().to_string_lossy().into_owned(), measures)))
}

/// Stores the results of this version. Stored measures that a filter excluded remain.
fn store(measures: &[Value]) -> Result<()> {
    let folder = paths::root().join(RESULTS);
    fs::create_dir_all(&folder)?;
    let file = folder.join(concat!(env!("CARGO_PKG_VERSION"), ".json"));
    let known: Value = match fs::read_to_string(&file) {
        Ok(text) => serde_json::from_str(&text)?,
        Err(_) => Value::Null,
    };
    let known = known.get("measures").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let json = json!({ "processors": processors, "measures": merged(known, measures) });
    fs::write(&file, format!("{}\n", serde_json::to_string_pretty(&json)?))?;
    println!("\nstored in {}", paths::short(&file));
    Ok(())
}

/// The stored measures that were not measured again, followed by the new ones.
fn merged(known: &[Value], measures: &[Value]) -> Vec<Value> {
    let key = |item: &Value| ["name", "unit", "peer"].map(|member| item.get(member).cloned());
    let is_old = |item: &&Value| measures.iter().all(|new| key(new) != key(item));
    known.iter().filter(is_old).chain(measures).cloned().collect()
}

/// All measures in the folder, in the order of their files.
fn read(folder: &std::path::Path) -> Result<Vec<Value>> {
    let mut out = Vec::new();
    for path in paths::files_recursive(folder, |path| paths::extension(path) == "json")? {
        let list: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path)?)?;
        for item in &list {
            measure(item).map_err(|error| format!("{}: {error}", paths::short(&path)))?;
        }
        out.extend(list);
    }
    Ok(out)
}

fn measure(item: &Value) -> Result<Measure> {
    let number = |name| item.get(name).and_then(Value::as_f64);
    let count = |name| item.get(name).and_then(Value::as_u64);
    Ok(Measure {
        name: word(item, "name")?,
        value: number("value").ok_or("a measure has no \"value\", which must be a number")?,
        unit: word(item, "unit")?,
        least: number("least"),
        peer: word(item, "peer").ok().zip(number("peer_value")),
        memory: count("memory"),
        bytes: count("bytes"),
    })
}

/// The stored results as tables of the book: measures with a peer, then all others.
pub(crate) fn page() -> Result<String> {
    let Some((version, measures)) = stored()? else { return Err("there are no stored results".into()) };
    let mut compared = String::from(
        "| measure | result | relative to | memory | output |\n| --- | --- | --- | --- | --- |\n",
    );
    let mut others = String::from("| measure | result |\n| --- | --- |\n");
    for it in measures {
        let result = format!("{} {}", short(it.value), it.unit);
        let Some((peer, value)) = &it.peer else {
            others.push_str(&format!("| {} | {result} |\n", it.name));
            continue;
        };
        let peer = format!("{} times {peer} ({} {})", short(it.value / value), short(*value), it.unit);
        let sizes = [it.memory, it.bytes].map(|bytes| bytes.map(|it| format!("{} MB", mega(it))));
        let [memory, bytes] = sizes.map(Option::unwrap_or_default);
        compared.push_str(&format!("| {} | {result} | {peer} | {memory} | {bytes} |\n", it.name));
    }
    Ok(format!("Version {version}:\n\n{compared}\nSingle steps:\n\n{others}"))
}

/// A number of bytes in millions.
fn mega(bytes: u64) -> String {
    short(Value::from(bytes).as_f64().unwrap_or_default() / 1e6)
}

/// A line for each measure: its value, the comparison with its peer, and the ratio to the stored value.
fn table(measures: &[Measure], before: &[Measure]) -> String {
    let mut rows: Vec<[String; 4]> = Vec::new();
    for it in measures {
        let mut more = Vec::new();
        if let Some((peer, value)) = &it.peer {
            let ratio = short(it.value / value);
            more.push(format!("{ratio} x {peer} ({} {})", short(*value), it.unit));
        }
        more.extend(it.memory.map(|bytes| format!("{} MB of memory", mega(bytes))));
        more.extend(it.bytes.map(|bytes| format!("{} MB written", mega(bytes))));
        more.extend(it.least.map(|least| {
            let verdict = if it.value >= least { "met" } else { "MISSED" };
            format!("(at least {}: {verdict})", short(least))
        }));
        let known = before.iter().find(|before| before.key() == it.key());
        let change = known.map(|before| format!("{} x before", short(it.value / before.value)));
        rows.push([
            it.name.clone(),
            format!("{} {}", short(it.value), it.unit),
            more.join(", "),
            change.unwrap_or_default(),
        ]);
    }
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let (first, second, third) = (width(0), width(1), width(2));
    let line = |[name, value, more, change]: &[String; 4]| {
        format!("{name:first$}  {value:second$}  {more:third$}  {change}").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// A number with three significant digits, or more if it is large.
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
    fn reports_a_missed_goal() {
        let item = serde_json::json!({ "name": "reading", "value": 1.234, "unit": "times", "least": 1.5 });
        let table = table(&[measure(&item).unwrap()], &[]);
        assert_eq!(table, "reading  1.23 times  (at least 1.50: MISSED)\n");
        assert!(measure(&serde_json::json!({ "name": "reading", "unit": "times" })).is_err());
    }

    #[test]
    fn keeps_measures_that_were_not_measured_again() {
        let item = |name: &str, value: i32| serde_json::json!({ "name": name, "value": value, "unit": "s" });
        let merged = merged(&[item("a", 1), item("b", 2)], &[item("b", 3), item("c", 4)]);
        assert_eq!(merged, [item("a", 1), item("b", 3), item("c", 4)]);
    }

    #[test]
    fn compares_a_measure_with_its_peer_and_the_stored_value() {
        let item = |seconds: f64| {
            let item = serde_json::json!({
                "name": "game", "value": seconds, "unit": "s", "peer": "copying", "peer_value": 2.0, "memory": 5_000_000, "bytes": 10_000_000,
            });
            measure(&item).unwrap()
        };
        let table = table(&[item(4.0)], &[item(8.0)]);
        assert_eq!(
            table,
            "game  4.00 s  2.00 x copying (2.00 s), 5.00 MB of memory, 10.0 MB written  0.50 x before\n"
        );
    }
}
