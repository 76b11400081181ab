//! Exports all scripts of a conversion as text, and a table of dialogue lines with their speakers.

use std::collections::BTreeMap;
use std::path::Path;

use asset::{Error, FolderSink, Report, Sink as _};
use files::name::safe_name;
use scene::product::{Cell, Table};

use crate::run::Outcome;
use crate::script::{self, Disassembly, EXTENSION, SpokenLine};
use crate::session::{Input, Inputs, ScriptOptions, Session};

/// File name of the table of dialogue lines.
const LINES: &str = "lines.csv";
const COLUMNS: [&str; 6] = ["map", "actor", "line", "statement", "label", "text"];

/// Scripts of a file.
struct Scripts {
    texts: Vec<Disassembly>,
    lines: Vec<SpokenLine>,
    report: Report,
}

impl Session<'_> {
    /// Writes the scripts of files as text below a folder, and their dialogue lines as a table. Calls `add` with an outcome
    /// for each file.
    pub(in crate::session) fn convert_scripts(
        &self,
        inputs: &Inputs,
        folder: &Path,
        add: &mut dyn FnMut(Outcome),
    ) -> Result<(), Error> {
        let by_path: BTreeMap<String, &Input> =
            inputs.iter().map(|input| (input.path().display().to_string(), input)).collect();
        let mut rows = Vec::new();
        for (outcome, scripts) in self.scripts_of(inputs)? {
            let (Some(scripts), Some(input)) = (scripts, by_path.get(&outcome.input)) else {
                add(outcome);
                continue;
            };
            rows.extend(scripts.lines.iter().map(|line| row(&input.shown(), line)));
            let file = outcome.input.clone();
            let written = self.write_scripts_of(input, outcome, scripts, folder);
            add(written.unwrap_or_else(|error| Outcome::failed(Path::new(&file), &error)));
        }
        if !rows.is_empty() {
            let csv = Table::new(COLUMNS, rows.into_iter()).to_csv()?;
            let file = folder.join(LINES);
            if let Err(error) = self.write_guarded(std::iter::empty(), &file, &csv) {
                add(Outcome::failed(&file, &error));
            }
        }
        Ok(())
    }

    fn scripts_of(&self, inputs: &Inputs) -> Result<Vec<(Outcome, Option<Scripts>)>, Error> {
        self.in_each_with_scripts(inputs, &ScriptOptions::default(), |map, context| {
            let mut report = Report::new();
            let texts = script::disassemble(map, context, &mut report)?;
            Ok(Scripts { texts, lines: script::lines(map, context)?, report })
        })
    }

    fn write_scripts_of(
        &self,
        input: &Input,
        mut outcome: Outcome,
        scripts: Scripts,
        folder: &Path,
    ) -> Result<Outcome, Error> {
        let mut sink = FolderSink::new(folder, self.guard_over(std::iter::once(input.path())));
        let mut written = 0_u64;
        for script in &scripts.texts {
            let bytes = script.text.as_bytes();
            sink.put(&format!("{}.scripts/{}.{EXTENSION}", input.shown(), safe_name(&script.name)), bytes)?;
            written = written.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        }
        outcome.outputs = sink.finish()?.iter().map(|path| path.display().to_string()).collect();
        outcome.written = Some(written);
        outcome.warnings = scripts.report;
        Ok(outcome)
    }
}

/// Returns a row of the table of dialogue lines.
fn row(map: &str, line: &SpokenLine) -> Vec<Cell> {
    let SpokenLine { actor, line, statement, label, text } = line;
    let number = json::Number::from(*line);
    vec![map.into(), (**actor).into(), number.into(), (**statement).into(), (**label).into(), (**text).into()]
}
