//! Running scripts.

use std::path::{Path, PathBuf};

use asset::Error;
use json::Document;

use crate::run::Outcome;
use crate::script::{self, FunctionFacts, Pose, ScriptSession, SessionRequest};
use crate::session::{ScriptOptions, Session};

/// Maximum length in bytes of a JSON file with answers, inputs or a state.
const MAX_JSON_LENGTH: u64 = 256 << 20;

/// Maximum length in bytes of a saved game.
const MAX_SAVE_LENGTH: u64 = 64 << 20;

impl Session<'_> {
    /// Prepares the scripts of a file for running.
    ///
    /// # Errors
    /// Fails if the format of the file has no scripts, if the file cannot be read, or if it does not contain what the
    /// request selects.
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

    /// Returns the functions that the scripts of a game call, and the effect of each when scripts are run.
    ///
    /// # Errors
    /// Fails if a game or the definitions cannot be read.
    pub fn script_functions(&self, options: &ScriptOptions) -> Result<Vec<FunctionFacts>, Error> {
        self.in_game(options, script::functions)
    }

    /// Writes a recorded run as an animated glTF file in which everything moves according to the poses. It never replaces
    /// its input, nor the files of the session if the session [protects opened files](Session::protect_opened_files).
    ///
    /// # Errors
    /// Fails if the file cannot be read, if the scene would be too large, or if the output cannot be written or exists and
    /// may not be overwritten.
    pub fn write_animation(
        &self,
        input: &Path,
        options: &ScriptOptions,
        poses: &[Pose],
        out: &Path,
    ) -> Result<Outcome, Error> {
        let session = self.clone().protect_opened_files();
        let (mut outcome, scene) = session.with_scripts(input, options, |map, context, outcome| {
            script::animation(map, context, poses, &mut outcome.warnings)
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

    /// Reads a saved game that scripts can start from.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn read_save(&self, file: &Path) -> Result<Vec<u8>, Error> {
        let read = || {
            let source = self.opened().open(file)?;
            if source.len() > MAX_SAVE_LENGTH {
                return Err(Error::limit(format!(
                    "is {} bytes long; the limit is {MAX_SAVE_LENGTH}",
                    source.len()
                )));
            }
            Ok(source.read_all()?.into_owned())
        };
        read().map_err(|error| error.in_file(file))
    }

    /// Writes a copy of a saved game with the state of a session, and returns the files written. The saved game is never
    /// replaced, nor are the files of the session if the session [protects opened files](Session::protect_opened_files).
    ///
    /// # Errors
    /// Fails if the saved game belongs to another game, or if the copy cannot be written or exists and may not be
    /// overwritten.
    pub fn write_save(
        &self,
        session: &ScriptSession,
        save: &Path,
        out: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let bytes = session.save_into(&self.read_save(save)?).map_err(|error| error.in_file(save))?;
        self.write_guarded(std::iter::once(save), out, &bytes)
    }

    /// Reads a JSON file with answers, inputs or a state.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not valid JSON.
    pub fn read_json(&self, file: &Path) -> Result<Document, Error> {
        let read = || {
            let source = self.opened().open(file)?;
            if source.len() > MAX_JSON_LENGTH {
                return Err(Error::limit(format!(
                    "is {} bytes long; the limit is {MAX_JSON_LENGTH}",
                    source.len()
                )));
            }
            Document::parse(&source.read_all()?)
        };
        read().map_err(|error| error.in_file(file))
    }
}
