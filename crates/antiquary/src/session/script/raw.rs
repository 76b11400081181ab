//! Raw bytecode: a file that contains a single script without tables.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use asset::{Context, Error, Options, Report, Source};
use files::disk;

use super::{Assembled, MAX_TEXT_LENGTH, source_text};
use crate::run::Outcome;
use crate::script::{Disassembly, ScriptContext, ScriptTextOptions, raw};
use crate::session::work::Sorted;
use crate::session::workers::Workers;
use crate::session::{ScriptOptions, Session};

impl Session<'_> {
    /// Disassembles a file that contains only the bytecode of one script.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is too long for a script.
    pub fn disassemble_raw_script(
        &self,
        input: &Path,
        options: &ScriptOptions,
    ) -> Result<(Outcome, Disassembly), Error> {
        self.with_raw_script(input, options, |context, outcome| {
            let source: Source = disk::open(input)?;
            if source.len() > MAX_TEXT_LENGTH {
                return Err(Error::limit("too long for a script"));
            }
            let script = raw::disassemble(&source.read_all()?, context, &mut outcome.warnings)?;
            outcome.ok = !outcome.is_refused(self.strictness);
            Ok(script)
        })
    }

    /// Assembles one script and writes only its bytecode to a file.
    ///
    /// # Errors
    /// Fails if a file cannot be read or written. Problems in the script text are not errors; see [`Assembled::problems`].
    pub fn assemble_raw_script(
        &self,
        text: &Path,
        out: &Path,
        options: &ScriptOptions,
    ) -> Result<Assembled, Error> {
        if disk::is_folder(out) || crate::session::destination::ends_in_slash(out) {
            let message = "raw bytecode has no file name; specify an output file";
            return Err(Error::usage(message).in_file(out));
        }
        let session = self.clone().protect_opened_files();
        let source = source_text(text)?;
        let (mut outcome, made) = session.with_raw_script(text, options, |context, outcome| {
            raw::assemble(context, &source, &mut outcome.warnings)
        })?;
        let problems = session.write_assembled(made, [text].into_iter(), out, &mut outcome)?;
        let problems = problems.into_iter().map(|it| (text.to_path_buf(), it)).collect();
        Ok(Assembled { outcome, problems, before: Report::new() })
    }

    /// Calls `run` with the script context of a file of any format, including the names of the game around it.
    fn with_raw_script<T>(
        &self,
        input: &Path,
        options: &ScriptOptions,
        run: impl FnOnce(&ScriptContext<'_>, &mut Outcome) -> Result<T, Error>,
    ) -> Result<(Outcome, T), Error> {
        let opened = self.opened();
        let definitions = options.definitions.as_deref().map(|file| opened.open(file)).transpose()?;
        let inputs = self.find_inputs(&[input.to_path_buf()]);
        let sorted = Sorted::new(self, &[], &inputs, &opened, &Workers::new(self.threads))?;
        let [work] = sorted.works.as_slice() else {
            return Err(Error::usage("expected exactly one file with a script").in_file(input));
        };
        let options = Options::parse(ScriptTextOptions::DECLARED, &options.options)?;
        let mut outcome = Outcome::new(input.display().to_string(), None);
        let name = input.file_name().unwrap_or_default().to_string_lossy();
        let make = || {
            let around = work.game_context()?;
            let context = Context { options: &options, ..around.context() };
            let context = ScriptContext { context, file_name: &name, definitions: definitions.as_ref() };
            run(&context, &mut outcome)
        };
        let made = catch_unwind(AssertUnwindSafe(make))
            .unwrap_or_else(|_| Err(Error::unsupported("internal error while processing this file")));
        let made = made.map_err(|error| error.in_file(input))?;
        Ok((outcome, made))
    }
}
