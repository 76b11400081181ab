//! Builders of derived files.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::build::{BuildRequest, Builder, Built};
use asset::{Context, Error, FolderSink, OpenedFiles, Options, Overwrite, Severity, Sink};
use files::disk;
use files::sink::WriteMode;
use files::suggest::did_you_mean;
use json::Value;
use serde::Serialize;

use super::work::{Sorted, Work};
use super::workers::Workers;
use super::{BuildOptions, CheckOptions, Session};
use crate::run::{Hint, Outcome};

/// A file that was built from another one.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct BuiltFile {
    /// Outcome of the build.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Statistics about the built file; null if nothing was built.
    pub figures: Value,
    /// Advice on what to do next.
    pub hint: Option<Hint>,
}

impl BuiltFile {
    /// Creates the result for a file that could not be built.
    #[must_use]
    pub const fn failed(outcome: Outcome) -> Self {
        Self { outcome, figures: Value::Null, hint: None }
    }
}

impl Session<'_> {
    /// Builds the derived file `what` from another file, in the game around it, with the files that it refers to; see
    /// [`asset::build::Builder`]. With [`WriteMode::DryRun`](files::sink::WriteMode), nothing is written.
    ///
    /// # Errors
    /// Fails if `what` is not the name of a builder, if the input has another format or cannot be read, or if the output
    /// cannot be written.
    pub fn build(
        &self,
        what: &str,
        input: &Path,
        out: &Path,
        options: &BuildOptions,
    ) -> Result<BuiltFile, Error> {
        let builder = self.builder(what)?;
        let options = Options::parse(builder.options, &options.options)?;
        let inputs = self.find_inputs(&[input.to_path_buf()]);
        let opened: OpenedFiles = self.opened();
        opened.add(input);
        let workers = Workers::new(self.threads);
        let sorted = Sorted::new(self, &[], &inputs, &opened, &workers)?;
        let work = match sorted.works.as_slice() {
            [only] => only,
            _ => return Err(Error::usage("expected exactly one input file").in_file(input)),
        };
        let format = work.format().map_err(|error| error.in_file(input))?;
        if format.id != builder.input {
            let message = format!("{what} is built from {}, but this file is {}", builder.input, format.id);
            return Err(Error::usage(message).in_file(input));
        }
        let file = self.built_name(builder, input, out)?;
        // This check precedes the build, which may take a minute.
        if self.overwrite == Overwrite::Refuse && disk::exists(&file) {
            return Err(Error::usage("already exists").in_file(&file));
        }
        let mut outcome = Outcome::new(input.display().to_string(), Some(format.id));
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let progress = |share| self.progress.share(share);
        let job = BuildJob { builder, options: &options, name: &name, progress: &progress };
        let built = workers.run(|| job.make(work, &mut outcome)).map_err(|error| error.in_file(input))?;
        outcome.ok = !outcome.is_refused(self.strictness);
        let companions = built.companions.iter().map(|(_, bytes)| bytes.len());
        outcome.written = Some((built.bytes.len() + companions.sum::<usize>()) as u64);
        if outcome.ok {
            let written = self.write_built(&opened, &file, &built)?;
            outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        let hint = if outcome.ok { self.left_behind(input, &file) } else { None };
        Ok(BuiltFile { outcome, figures: built.figures, hint })
    }

    /// Returns advice if the file was written into another folder than its input and lacks files there that the input finds.
    fn left_behind(&self, input: &Path, file: &Path) -> Option<Hint> {
        if self.writing == WriteMode::DryRun {
            return None;
        }
        let quiet = self.clone().progress(&());
        let warnings = |path: &Path| {
            let run = quiet.check(&self.find_inputs(&[path.to_path_buf()]), &CheckOptions::default()).ok()?;
            let found = run.outcomes.into_iter().flat_map(|outcome| {
                let messages = outcome.warnings.iter().filter(|it| it.code.severity >= Severity::Warning);
                messages.map(|warning| warning.message.clone()).collect::<Vec<_>>()
            });
            Some(found.collect::<BTreeSet<_>>())
        };
        let (before, after) = (warnings(input)?, warnings(file)?);
        let mut new = after.difference(&before);
        let warning = new.next()?.clone();
        let count = new.count() as u64 + 1;
        let [input, output] = [input, file].map(|path| path.display().to_string());
        Some(Hint::LeftBehind { input, output, warning, count })
    }

    /// Writes a file and its companions: all of them or none.
    fn write_built(&self, opened: &OpenedFiles, file: &Path, built: &Built) -> Result<Vec<PathBuf>, Error> {
        let mut sink = FolderSink::for_file(file, "", Arc::new(self.guard(opened)));
        sink.put("", &built.bytes)?;
        for (name, bytes) in &built.companions {
            sink.put(name, bytes)?;
        }
        sink.finish()
    }

    /// Returns the builder of this name.
    fn builder(&self, what: &str) -> Result<&'static Builder, Error> {
        let known = || self.catalog.builders().map(|builder| builder.name);
        self.catalog.builders().find(|builder| builder.name.eq_ignore_ascii_case(what)).ok_or_else(|| {
            let all: Vec<_> = known().collect();
            let meant = did_you_mean(what, known());
            Error::usage(format!("unknown build target \"{what}\"{meant} (available: {})", all.join(", ")))
        })
    }

    /// Returns the path of the output: in a folder, the name of the input with the output's extension.
    fn built_name(&self, builder: &Builder, input: &Path, out: &Path) -> Result<PathBuf, Error> {
        if !disk::is_folder(out) && !super::destination::ends_in_slash(out) {
            return Ok(out.to_path_buf());
        }
        let format = self.catalog.format(builder.output)?;
        let extension = format.extensions.first().copied().unwrap_or(builder.name);
        // The extension follows the letter case of the input.
        let is_upper =
            input.extension().is_some_and(|it| it.to_string_lossy().chars().all(|it| !it.is_lowercase()));
        let extension = if is_upper { extension.to_uppercase() } else { extension.to_owned() };
        let name = Path::new(input.file_name().unwrap_or_default()).with_extension(extension);
        Ok(out.join(name))
    }
}

/// Parameters of a build.
struct BuildJob<'a> {
    builder: &'a Builder,
    options: &'a Options,
    name: &'a str,
    progress: &'a (dyn Fn(f32) + Sync),
}

impl BuildJob<'_> {
    fn make(&self, work: &Work<'_>, outcome: &mut Outcome) -> Result<Built, Error> {
        let make = || {
            let (asset, _) = work.open(outcome)?;
            let around = work.game_context()?;
            let context = Context { options: self.options, ..around.context() };
            let request = BuildRequest { context: &context, name: self.name, progress: self.progress };
            (self.builder.build)(&*asset, &request, &mut outcome.warnings)
        };
        catch_unwind(AssertUnwindSafe(make))
            .unwrap_or_else(|_| Err(Error::unsupported("internal error while building this file")))
    }
}
