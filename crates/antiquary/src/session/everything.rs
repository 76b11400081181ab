//! Converts files to every format that may be wanted later: default outputs, JSON, tables, scripts as text, spoken lines.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use asset::name::safe_name;
use asset::script::{Disassembly, SpokenLine};
use asset::{Error, FolderSink, Report, Sink as _};
use scene::product::{Cell, Table};

use super::plan::output_of;
use super::work::Work;
use super::{ConvertOptions, Destination, Input, Overview, Progress, ScriptOptions, Session};
use crate::run::{Outcome, Run};

/// The formats that files are converted to in addition to their default output.
const MORE: [&str; 2] = ["json", "csv"];

/// The table of spoken lines.
const LINES: &str = "lines.csv";
const COLUMNS: [&str; 6] = ["map", "actor", "line", "statement", "label", "text"];

/// The scripts of a file.
struct Scripts {
    texts: Vec<Disassembly>,
    lines: Vec<SpokenLine>,
    report: Report,
}

impl Session<'_> {
    /// Converts every file to its default output, and to JSON and CSV where its format supports that. The scripts of a file are written as texts to
    /// the folder `FILE.scripts`, and all lines of dialogue that scripts name to the table `lines.csv`. The run has one outcome for each file.
    ///
    /// # Errors
    /// As [`Session::convert`].
    pub fn convert_everything(
        &self,
        paths: &[PathBuf],
        folder: &Path,
        options: &ConvertOptions,
    ) -> Result<Run, Error> {
        let (session, progress) = (self.clone().protect_opened_files(), self.progress);
        let inputs = session.find_inputs(paths);
        let destination = Destination::Folder(folder.to_path_buf());
        let mut run = session.convert(&inputs, &destination, options)?;
        let written: HashSet<String> =
            run.outcomes.iter().flat_map(|outcome| &outcome.outputs).cloned().collect();
        let mut places: BTreeMap<String, usize> =
            run.outcomes.iter().enumerate().map(|(index, outcome)| (outcome.input.clone(), index)).collect();
        let mut add = |more: Outcome| match places.get(&more.input).and_then(|at| run.outcomes.get_mut(*at)) {
            Some(outcome) => add_outcome(outcome, more, progress),
            None => {
                progress.outcome(&more);
                places.insert(more.input.clone(), run.outcomes.len());
                run.outcomes.push(more);
            }
        };
        for extension in MORE {
            let options = options.clone().to(extension).overview(Overview::None);
            let quiet = session.clone().progress(&());
            // Some outputs come with a JSON file already.
            let is_missing = |work: &Work<'_>| {
                let output = folder.join(format!("{}.{extension}", work.input.shown()));
                let is_supported = work.found.as_ref().is_ok_and(|format| {
                    format.default_output() != Some(extension) && output_of(format, Some(extension)).is_some()
                });
                is_supported && !written.contains(&output.display().to_string())
            };
            let more = quiet.convert_where(&is_missing, &inputs, &destination, &options)?;
            more.outcomes.into_iter().for_each(&mut add);
        }
        let by_path: BTreeMap<String, &Input> =
            inputs.iter().map(|input| (input.path().display().to_string(), input)).collect();
        let mut rows = Vec::new();
        for (outcome, scripts) in session.scripts_of(paths)? {
            let (Some(scripts), Some(input)) = (scripts, by_path.get(&outcome.input)) else {
                add(outcome);
                continue;
            };
            rows.extend(scripts.lines.iter().map(|line| row(&input.shown(), line)));
            let file = outcome.input.clone();
            let written = session.write_scripts_of(input, outcome, scripts, folder);
            add(written.unwrap_or_else(|error| Outcome::failed(Path::new(&file), &error)));
        }
        if !rows.is_empty() {
            let csv = Table::new(COLUMNS, rows.into_iter()).to_csv()?;
            let file = folder.join(LINES);
            if let Err(error) = session.write_guarded(std::iter::empty(), &file, &csv) {
                add(Outcome::failed(&file, &error));
            }
        }
        Ok(run)
    }

    fn scripts_of(&self, paths: &[PathBuf]) -> Result<Vec<(Outcome, Option<Scripts>)>, Error> {
        self.in_each_with_scripts(paths, &ScriptOptions::default(), |language, asset, context| {
            let mut report = Report::new();
            let texts = (language.disassemble)(asset, context, &mut report)?;
            Ok(Scripts { texts, lines: (language.lines)(asset, context)?, report })
        })
    }

    fn write_scripts_of(
        &self,
        input: &Input,
        mut outcome: Outcome,
        scripts: Scripts,
        folder: &Path,
    ) -> Result<Outcome, Error> {
        let language = outcome.format.and_then(|format| self.language_of(format));
        let extension = language.map_or("txt", |language| language.extension);
        let mut sink = FolderSink::new(folder, self.guard_over(std::iter::once(input.path())));
        let mut written = 0_u64;
        for script in &scripts.texts {
            let bytes = script.text.as_bytes();
            sink.put(&format!("{}.scripts/{}.{extension}", input.shown(), safe_name(&script.name)), bytes)?;
            written = written.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        }
        outcome.outputs = sink.finish()?.iter().map(|path| path.display().to_string()).collect();
        outcome.written = Some(written);
        outcome.warnings = scripts.report;
        Ok(outcome)
    }
}

/// A row of the table of spoken lines.
fn row(map: &str, line: &SpokenLine) -> Vec<Cell> {
    let SpokenLine { actor, line, statement, label, text } = line;
    let number = serde_json::Number::from(*line);
    vec![map.into(), (**actor).into(), number.into(), (**statement).into(), (**label).into(), (**text).into()]
}

/// Adds the outcome of another conversion of the same file.
fn add_outcome(outcome: &mut Outcome, more: Outcome, progress: &dyn Progress) {
    outcome.outputs.extend(more.outputs);
    if let Some(written) = more.written {
        outcome.written = Some(outcome.written.unwrap_or_default().saturating_add(written));
    }
    outcome.warnings.append_new_codes(more.warnings);
    if outcome.error.is_none() && more.error.is_some() {
        (outcome.error, outcome.ok) = (more.error, false);
        progress.outcome(outcome);
    }
}
