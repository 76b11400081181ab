//! Converting all that is in files, whatever one may want of it later.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asset::name::safe_name;
use asset::script::{Disassembly, SpokenLine};
use asset::{Error, FolderSink, Report, Sink as _};
use scene::product::{Cell, Table};

use crate::job::{Destination, Inputs, Job, Overview, Progress};
use crate::run::{Outcome, Run};

/// What files become besides their usual form, where they can.
const MORE: [&str; 2] = ["json", "csv"];

/// Who says which line where.
const LINES: &str = "lines.csv";

/// The scripts of a file.
struct Scripts {
    texts: Vec<Disassembly>,
    lines: Vec<SpokenLine>,
    report: Report,
}

impl Job {
    /// Converts every file to its usual form, and also to JSON and to a table where it has them. The scripts of a file become texts in a folder
    /// beside its other outputs, and who says which line where is in `lines.csv`. The run has one outcome for each file.
    ///
    /// # Errors
    /// As [`Job::convert`].
    pub fn convert_everything(
        &self,
        paths: &[PathBuf],
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Run, Error> {
        let inputs = Inputs::find(self.catalog, paths);
        let destination = Destination::Folder(folder.to_path_buf());
        let mut run = self.convert(&inputs, &destination, progress)?;
        let mut places = BTreeMap::new();
        for (index, outcome) in run.outcomes.iter().enumerate() {
            places.insert(outcome.input.clone(), index);
        }
        let mut add = |more: Outcome| match places.get(&more.input).and_then(|at| run.outcomes.get_mut(*at)) {
            Some(outcome) => add_outcome(outcome, more, progress),
            None => {
                places.insert(more.input.clone(), run.outcomes.len());
                run.outcomes.push(more);
            }
        };
        for extension in MORE {
            let job = Self { to: Some(extension.to_owned()), overview: Overview::None, ..self.clone() };
            let more = job.convert(&inputs, &destination, &())?;
            // What cannot be converted so is no failure.
            let is_meant = |outcome: &Outcome| {
                outcome.error.as_ref().is_none_or(|error| !matches!(error.kind, "unsupported" | "usage"))
            };
            more.outcomes.into_iter().filter(is_meant).for_each(&mut add);
        }
        let mut rows = Vec::new();
        for (outcome, scripts) in self.scripts_of(paths)? {
            let Some(scripts) = scripts else { continue };
            let input = outcome.input.clone();
            let written = self.written_scripts(&inputs, outcome, scripts, folder, &mut rows);
            add(written.unwrap_or_else(|error| Outcome::failed(Path::new(&input), &error)));
        }
        if !rows.is_empty() {
            let columns = ["map", "actor", "line", "statement", "label", "text"];
            let csv = Table::new(&columns, rows.into_iter()).to_csv()?;
            let file = folder.join(LINES);
            if let Err(error) = self.write_guarded(std::iter::empty(), &file, &csv) {
                add(Outcome::failed(&file, &error));
            }
        }
        Ok(run)
    }

    fn scripts_of(&self, paths: &[PathBuf]) -> Result<Vec<(Outcome, Option<Scripts>)>, Error> {
        let plain = Self { options: Vec::new(), ..self.clone() };
        plain.in_each_with_scripts(paths, None, |language, asset, context| {
            let mut report = Report::new();
            let texts = (language.disassemble)(asset, context, &mut report)?;
            Ok(Scripts { texts, lines: (language.lines)(asset, context)?, report })
        })
    }

    /// Writes the scripts of a file, and adds its lines to the rows of the table.
    fn written_scripts(
        &self,
        inputs: &Inputs,
        mut outcome: Outcome,
        scripts: Scripts,
        folder: &Path,
        rows: &mut Vec<Vec<Cell>>,
    ) -> Result<Outcome, Error> {
        let input = inputs.iter().find(|input| input.path().display().to_string() == outcome.input);
        let relative = input.map_or_else(PathBuf::new, |input| input.relative().to_path_buf());
        let name = relative.display().to_string();
        rows.extend(scripts.lines.into_iter().map(|it| {
            let line = serde_json::Number::from(it.line);
            let texts = [it.statement, it.label, it.text].map(Cell::from);
            [Cell::from(&*name), it.actor.into(), line.into()].into_iter().chain(texts).collect()
        }));
        let extension = self.language_of(outcome.format.unwrap_or_default()).map_or("txt", |it| it.extension);
        let beside = format!("{}.scripts", relative.display());
        let mut sink = FolderSink::new(folder, self.guard_over(input.map(|input| input.path()).into_iter()));
        let mut written = 0_u64;
        for script in &scripts.texts {
            let bytes = script.text.as_bytes();
            sink.put(&format!("{beside}/{}.{extension}", safe_name(&script.name)), bytes)?;
            written = written.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        }
        outcome.outputs = sink.finish()?.iter().map(|path| path.display().to_string()).collect();
        outcome.written = Some(written);
        outcome.warnings = scripts.report;
        Ok(outcome)
    }
}

/// Adds what else came of a file. Warnings that were there before are not repeated.
fn add_outcome(outcome: &mut Outcome, more: Outcome, progress: &dyn Progress) {
    outcome.outputs.extend(more.outputs);
    outcome.written = outcome.written.or(more.written).map(|bytes| match (outcome.written, more.written) {
        (Some(before), Some(more)) => before.saturating_add(more),
        _ => bytes,
    });
    outcome.warnings.append_new_codes(more.warnings);
    if outcome.error.is_none() && more.error.is_some() {
        (outcome.error, outcome.ok) = (more.error, false);
        progress.outcome(outcome);
    }
}
