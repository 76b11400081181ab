//! Scripts as text: disassembling and assembling.

mod diff;
mod editor;
mod everything;
mod format;
mod graph;
mod raw;
mod run;
mod session;
mod test;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use asset::{Asset, Context, Error, FolderSink, Options, Report, Severity, Sink as _, Source};
use files::name::safe_name;
use files::{disk, walk};

use json::Value;
use soup::text::Problem;

use super::edit_check::EditedFile;
use super::work::Sorted;
use super::workers::Workers;
use super::{Input, Inputs, ScriptOptions, Session};
use crate::run::Outcome;
use crate::script::{
    self, Disassembly, EXTENSION, FORMAT, Map, ScriptContext, ScriptTextOptions, SourceText,
};

pub use editor::UnpackedEditor;
pub use format::FormattedText;
pub use graph::{GraphEdge, GraphNode, GraphStatement, ScriptGraph};
pub use run::{RanScripts, RunEnd, RunRequest, ScriptRun, WrittenRun};
pub use test::{ScriptTests, TestFailure, TestProblem, TestedScript, TextPosition};

/// Result of assembling scripts.
#[derive(Debug)]
#[non_exhaustive]
pub struct Assembled {
    /// Outcome for the file that was written.
    pub outcome: Outcome,
    /// Problems in the script texts, with the file of each. If there are any, nothing was written.
    pub problems: Vec<(PathBuf, Problem)>,
    /// Errors that the file already had; they do not prevent assembling.
    pub before: Report,
}

/// Maximum length of a script text in bytes.
const MAX_TEXT_LENGTH: u64 = 64 << 20;

impl Session<'_> {
    /// Disassembles the scripts of a file.
    ///
    /// # Errors
    /// Fails if the format of the file has no scripts, or if the file cannot be read.
    pub fn disassemble_scripts(
        &self,
        input: &Path,
        options: &ScriptOptions,
    ) -> Result<(Outcome, Vec<Disassembly>), Error> {
        self.with_scripts(input, options, |map, context, outcome| {
            let scripts = script::disassemble(map, context, &mut outcome.warnings)?;
            outcome.ok = !outcome.is_refused(self.strictness);
            Ok(scripts)
        })
    }

    /// Writes scripts as text to a folder, one file for each.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or exists and may not be overwritten.
    pub fn write_scripts(
        &self,
        input: &Path,
        scripts: &[Disassembly],
        folder: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let mut sink = FolderSink::new(folder, self.guard_over([input].into_iter()));
        for script in scripts {
            let name = format!("{}.{EXTENSION}", safe_name(&script.name));
            sink.put(&name, script.text.as_bytes())?;
        }
        sink.finish()
    }

    /// Assembles scripts into a copy of a file, from script files, folders of script files, or the JSON of their
    /// disassembly.
    ///
    /// # Errors
    /// Fails if a file cannot be read or written. Problems in the script texts are not errors; see [`Assembled::problems`].
    pub fn assemble_scripts(
        &self,
        texts: &[PathBuf],
        input: &Path,
        out: &Path,
        options: &ScriptOptions,
    ) -> Result<Assembled, Error> {
        let session = self.clone().protect_opened_files();
        let files = self.text_files(texts)?;
        let sources = files.iter().map(|file| source_text(file)).collect::<Result<Vec<_>, _>>()?;
        let mut before = Report::new();
        let (mut outcome, made) = session.with_scripts(input, options, |map, context, outcome| {
            before = std::mem::take(&mut outcome.warnings);
            map.check(&context.context, &mut before);
            before.retain(|code| code.severity == Severity::Error);
            script::assemble(map, context, &sources, &mut outcome.warnings)
        })?;
        // With definitions that differ from the game's, a check of the file would confuse functions.
        if let (Ok(bytes), None) = (&made, &options.definitions) {
            self.check_assembled(input, bytes, &mut outcome)?;
        }
        let inputs = files.iter().map(PathBuf::as_path).chain([input]);
        let problems =
            session.write_assembled(made, inputs, &self.script_output(input, out), &mut outcome)?;
        let file = |text: usize| files.get(text).cloned().unwrap_or_default();
        let problems = problems.into_iter().map(|(text, it)| (file(text), it)).collect();
        Ok(Assembled { outcome, problems, before })
    }

    /// Reports findings in the assembled scripts of a file that its previous scripts do not have.
    fn check_assembled(&self, input: &Path, bytes: &[u8], outcome: &mut Outcome) -> Result<(), Error> {
        let around = Input::find(self.catalog, input);
        let (original, format) = around.recognize(self.catalog)?;
        let edited = &Source::from_bytes(bytes);
        let name = &*input.to_string_lossy();
        let file = EditedFile { format, name, original: Some(&original), edited, around: &around };
        self.check_edit(&file, &mut outcome.warnings)
    }

    /// Writes the assembled file, or returns the problems in the script texts.
    fn write_assembled<'a, P>(
        &self,
        made: Result<Vec<u8>, Vec<P>>,
        inputs: impl Iterator<Item = &'a Path>,
        file: &Path,
        outcome: &mut Outcome,
    ) -> Result<Vec<P>, Error> {
        let bytes = match made {
            Ok(bytes) => bytes,
            Err(problems) => {
                outcome.ok = false;
                return Ok(problems);
            }
        };
        outcome.ok = !outcome.is_refused(self.strictness);
        outcome.written = u64::try_from(bytes.len()).ok();
        if outcome.ok {
            let written = self.write_guarded(inputs, file, &bytes)?;
            outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(Vec::new())
    }

    /// Finds the references of scripts to a name: flags, functions and properties by their full name, texts and dialogue
    /// lines by a part of them. Files of other formats are skipped. Each outcome is returned with the occurrences in its
    /// file.
    ///
    /// # Errors
    /// Fails if a game or the definitions cannot be read.
    pub fn find_in_scripts(
        &self,
        name: &str,
        paths: &[PathBuf],
        options: &ScriptOptions,
    ) -> Result<Vec<(Outcome, Vec<Value>)>, Error> {
        let find = |map: &Map, context: &ScriptContext<'_>| script::find(map, context, name);
        let found = self.in_each_with_scripts(&self.find_inputs(paths), options, find)?;
        Ok(found.into_iter().map(|(outcome, places)| (outcome, places.unwrap_or_default())).collect())
    }

    /// Calls `run` for each file that contains scripts.
    pub(super) fn in_each_with_scripts<T>(
        &self,
        inputs: &Inputs,
        options: &ScriptOptions,
        run: impl Fn(&Map, &ScriptContext<'_>) -> Result<T, Error>,
    ) -> Result<Vec<(Outcome, Option<T>)>, Error> {
        let definitions = options.definitions.as_deref().map(disk::open).transpose()?;
        let opened = self.opened();
        let sorted = Sorted::new(self, &[], inputs, &opened, &Workers::new(self.threads))?;
        let mut out: Vec<_> = inputs.reports().iter().map(|report| (report.clone(), None)).collect();
        for work in &sorted.works {
            let file = work.input.path();
            match work.format() {
                Ok(format) if format.id == FORMAT.id => {}
                Ok(_) => continue,
                Err(error) => {
                    out.push((Outcome::failed(file, &error), None));
                    continue;
                }
            }
            let mut outcome = Outcome::new(file.display().to_string(), Some(FORMAT.id));
            let make = || {
                let options = Options::parse(ScriptTextOptions::DECLARED, &options.options)?;
                let (asset, _) = work.open(&mut outcome)?;
                let around = work.game_context()?;
                let context = Context { options: &options, ..around.context() };
                let name_of = file.file_name().unwrap_or_default().to_string_lossy();
                let context =
                    ScriptContext { context, file_name: &name_of, definitions: definitions.as_ref() };
                run(script::map_of(&*asset)?, &context)
            };
            let made = catch_unwind(AssertUnwindSafe(make))
                .unwrap_or_else(|_| Err(Error::unsupported("internal error while processing this file")));
            out.push(match made {
                Ok(made) => {
                    outcome.ok = true;
                    (outcome, Some(made))
                }
                Err(error) => (Outcome::failed(file, &error.in_file(file)), None),
            });
        }
        Ok(out)
    }

    /// Returns the given script files, and those in folders.
    fn text_files(&self, texts: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
        let mut files = Vec::new();
        for path in texts {
            if !disk::is_folder(path) {
                files.push(path.clone());
                continue;
            }
            let mut found = walk::files_recursive(path);
            found.retain(|file| script::is_text(file));
            if found.is_empty() {
                return Err(Error::usage("no script files were found in this folder").in_file(path));
            }
            found.sort();
            files.append(&mut found);
        }
        Ok(files)
    }

    /// Returns the output path; in a folder, the file keeps the name of the input.
    fn script_output(&self, input: &Path, out: &Path) -> PathBuf {
        if disk::is_folder(out) || super::destination::ends_in_slash(out) {
            return out.join(input.file_name().unwrap_or_default());
        }
        out.to_path_buf()
    }

    fn with_scripts<T>(
        &self,
        input: &Path,
        options: &ScriptOptions,
        run: impl FnOnce(&Map, &ScriptContext<'_>, &mut Outcome) -> Result<T, Error>,
    ) -> Result<(Outcome, T), Error> {
        let opened = self.opened();
        opened.add(input);
        let definitions = options.definitions.as_deref().map(|file| opened.open(file)).transpose()?;
        let inputs = self.find_inputs(&[input.to_path_buf()]);
        let workers = Workers::new(self.threads);
        let sorted = Sorted::new(self, &[], &inputs, &opened, &workers)?;
        let [work] = sorted.works.as_slice() else {
            return Err(Error::usage("expected exactly one file with scripts").in_file(input));
        };
        let format = work.format().map_err(|error| error.in_file(input))?;
        if format.id != FORMAT.id {
            let message = format!("{} files contain no scripts (supported: {})", format.id, FORMAT.id);
            return Err(Error::usage(message).in_file(input));
        }
        let options = Options::parse(ScriptTextOptions::DECLARED, &options.options)?;
        let mut outcome = Outcome::new(input.display().to_string(), Some(format.id));
        let name = input.file_name().unwrap_or_default().to_string_lossy();
        let make = || {
            let (asset, _) = work.open(&mut outcome)?;
            let around = work.game_context()?;
            let context = Context { options: &options, ..around.context() };
            let context = ScriptContext { context, file_name: &name, definitions: definitions.as_ref() };
            run(script::map_of(&*asset)?, &context, &mut outcome)
        };
        let made = catch_unwind(AssertUnwindSafe(make))
            .unwrap_or_else(|_| Err(Error::unsupported("internal error while processing this file")));
        let made = made.map_err(|error| error.in_file(input))?;
        Ok((outcome, made))
    }
}

fn source_text(file: &Path) -> Result<SourceText, Error> {
    let read = || {
        let source: Source = disk::open(file)?;
        if source.len() > MAX_TEXT_LENGTH {
            return Err(Error::limit("too long for a script file"));
        }
        let bytes = source.read_all()?.into_owned();
        String::from_utf8(bytes).map_err(|error| {
            let at = u64::try_from(error.utf8_error().valid_up_to()).unwrap_or_default();
            Error::malformed("the text is not UTF-8").at(at)
        })
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(SourceText { stem, text: read().map_err(|error| error.in_file(file))? })
}
