//! Scripts that run.

use std::path::{Path, PathBuf};

use asset::Error;
use json::Document;

use crate::run::Outcome;
use crate::script::{self, FunctionFacts, Pose, ScriptSession, SessionRequest};
use crate::session::{ScriptOptions, Session};

/// Longer files of answers, inputs and states are none.
const LONGEST_JSON: u64 = 256 << 20;

/// Longer saved games are none.
const LONGEST_SAVE: u64 = 64 << 20;

impl Session<'_> {
    /// Opens the scripts of a file to be run.
    ///
    /// # Errors
    /// When the file is of a format without scripts, cannot be read, or does not have what is asked for.
    pub fn run_scripts(
        &self,
        input: &Path,
        options: &ScriptOptions,
        request: &SessionRequest,
    ) -> Result<(Outcome, ScriptSession), Error> {
        self.with_scripts(input, options, |map, context, outcome| {
            let session = script::run(map, context, request)?;
            outcome.ok = true;
            Ok(session)
        })
    }

    /// The functions that the scripts of a game call, and what each does when scripts are run.
    ///
    /// # Errors
    /// When a game or the definitions cannot be read.
    pub fn script_functions(&self, options: &ScriptOptions) -> Result<Vec<FunctionFacts>, Error> {
        self.in_game(options, script::functions)
    }

    /// Writes what happened as a glTF file in which everything moves as the poses say. It never replaces what it is made of; what the session was
    /// made of neither, if the session [protects opened files](Session::protect_opened_files).
    ///
    /// # Errors
    /// When the file cannot be read, the scene would be too large, or the output cannot be written or exists and may not be overwritten.
    pub fn write_film(
        &self,
        input: &Path,
        options: &ScriptOptions,
        poses: &[Pose],
        out: &Path,
    ) -> Result<Outcome, Error> {
        let session = self.clone().protect_opened_files();
        let (mut outcome, scene) = session.with_scripts(input, options, |map, context, outcome| {
            script::film(map, context, poses, &mut outcome.warnings)
        })?;
        let bytes = scene::gltf::write_glb(&scene)?;
        outcome.written = u64::try_from(bytes.len()).ok();
        outcome.ok = !outcome.is_refused(self.strictness);
        if outcome.ok {
            let written = session.write_guarded(std::iter::empty(), out, &bytes)?;
            outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(outcome)
    }

    /// Reads a saved game for scripts to begin with.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_save(&self, file: &Path) -> Result<Vec<u8>, Error> {
        let read = || {
            let source = self.opened().open(file)?;
            if source.len() > LONGEST_SAVE {
                return Err(Error::limit(format!("it has {} bytes, more than {LONGEST_SAVE}", source.len())));
            }
            Ok(source.read_all()?.into_owned())
        };
        read().map_err(|error| error.in_file(file))
    }

    /// Writes a copy of a saved game with the state of a session, and returns the files written. The saved game is never replaced, nor are the
    /// files of the session if the session [protects opened files](Session::protect_opened_files).
    ///
    /// # Errors
    /// When the saved game is not of this game, or the copy cannot be written, or exists and may not be overwritten.
    pub fn write_save(
        &self,
        session: &ScriptSession,
        save: &Path,
        out: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let bytes = session.save_into(&self.read_save(save)?).map_err(|error| error.in_file(save))?;
        self.write_guarded(std::iter::once(save), out, &bytes)
    }

    /// Reads a file of JSON: of answers, of inputs or of a state.
    ///
    /// # Errors
    /// When it cannot be read, or is none.
    pub fn read_json(&self, file: &Path) -> Result<Document, Error> {
        let read = || {
            let source = self.opened().open(file)?;
            if source.len() > LONGEST_JSON {
                return Err(Error::limit(format!("it has {} bytes, more than {LONGEST_JSON}", source.len())));
            }
            Document::parse(&source.read_all()?)
        };
        read().map_err(|error| error.in_file(file))
    }
}
