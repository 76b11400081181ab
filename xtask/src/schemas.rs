//! `cargo xtask schemas`: the formats in the languages of other programs, compared with the program on real files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::catalog::{self, list, word};
use crate::command::{antiquary, can_run, output, text};
use crate::step::{Steps, Verdict, passed_with, skipped};
use crate::{Chore, Result, corpus, docs, paths, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "schemas",
    arguments: "",
    about: "writes the formats as Kaitai structs, ImHex patterns and pages into target/schemas,\n\
            compiles the Kaitai structs, and compares their readers with the program on the corpus",
    run: chore,
};

/// The languages of `antiquary formats --as`.
const LANGUAGES: [&str; 3] = ["ksy", "hexpat", "md"];

/// The minimum number of formats with a schema.
const LEAST: usize = 25;

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("unexpected argument {argument}; schemas takes none").into());
    }
    let mut all = Steps::new();
    if all.run("build", || {
        docs::build_program()?;
        passed_with("the program")
    }) {
        steps(&mut all);
    }
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`. The program must already be built.
pub(crate) fn steps(steps: &mut Steps) {
    let folder = paths::target().join("schemas");
    steps.run("schemas", || write(&folder));
    steps.run("kaitai", || compare(&folder));
}

/// Writes every format that has a schema in every language.
fn write(folder: &Path) -> Result<Verdict> {
    paths::empty_folder(folder)?;
    let formats = catalog::formats()?;
    let described: Vec<_> = formats.iter().filter(|format| format.has_schema).collect();
    for format in &described {
        for language in LANGUAGES {
            let to = folder.join(language);
            fs::create_dir_all(&to)?;
            let text = text(antiquary().args(["formats", &format.id, "--as", language]))?;
            fs::write(to.join(format!("{}.{language}", format.id)), text)?;
        }
    }
    if described.len() < LEAST {
        return Err(format!("{} formats have a schema, expected at least {LEAST}", described.len()).into());
    }
    passed_with(format!("{} of {} formats", described.len(), formats.len()))
}

/// Compiles the Kaitai structs, and compares their readers with the program on every file of the corpus.
fn compare(folder: &Path) -> Result<Verdict> {
    if !can_run("node") && !paths::is_ci() {
        return skipped(
            "Node.js was not found, so no Kaitai struct was compiled: install it (https://nodejs.org)",
        );
    }
    let runner = tool::kaitai()?;
    let corpus = corpus::find()?;
    let files =
        corpus.as_deref().map_or_else(|| Ok(Vec::new()), |corpus| catalog::recognized(&[corpus.into()]))?;
    let list_path = folder.join("files.txt");
    fs::write(&list_path, lines(&files))?;
    let structs = folder.join("ksy");
    let answer = output(Command::new("node").arg(runner).arg(paths::program()).arg(structs).arg(&list_path))?;
    let report = String::from_utf8(answer.stdout)?;
    if !answer.status.success() {
        let stderr = String::from_utf8_lossy(&answer.stderr);
        return Err(format!("readers and program differ:\n{}{}", differences(&report)?, stderr.trim()).into());
    }
    let totals: Value = serde_json::from_str(report.lines().last().unwrap_or_default())?;
    let number =
        |name: &str| totals.pointer(&format!("/totals/{name}")).and_then(Value::as_u64).unwrap_or_default();
    if corpus.is_none() {
        let count = number("formats");
        return skipped(format!("{count} Kaitai structs compile, but {}", corpus::missing()));
    }
    let share = number("named").saturating_mul(100).checked_div(number("bytes")).unwrap_or_default();
    passed_with(format!(
        "{} formats; {} files agree in {} fields; {share} % of their bytes have names",
        number("formats"),
        number("files"),
        number("fields")
    ))
}

/// A line for each file: its format and its path.
fn lines(files: &[(String, PathBuf)]) -> String {
    files.iter().map(|(format, path)| format!("{format}\t{}\n", path.display())).collect()
}

/// The first differences of each format.
fn differences(report: &str) -> Result<String> {
    let mut out = String::new();
    for line in report.lines() {
        let row: Value = serde_json::from_str(line)?;
        let count = row.get("differences").and_then(Value::as_u64).unwrap_or_default();
        if count > 0 {
            // Writing into a string does not fail.
            let _ = writeln!(out, "{}: {count} differences", word(&row, "format")?);
            for shown in list(&row, "shown")?.iter().filter_map(Value::as_str) {
                let _ = writeln!(out, "  {shown}");
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_formats_that_differ_are_listed() {
        let report = "{\"format\":\"a\",\"differences\":0,\"shown\":[]}\n\
                      {\"format\":\"b\",\"differences\":2,\"shown\":[\"x: one\"]}\n{\"totals\":{}}";
        assert_eq!(differences(report).unwrap(), "b: 2 differences\n  x: one\n");
    }
}
