//! Scripts that run.

use std::path::Path;

use asset::script::session::{ScriptSession, SessionRequest};
use asset::{Error, disk};
use serde_json::Value;

use crate::job::Job;
use crate::run::Outcome;

/// Longer files of answers, inputs and states are none.
const LONGEST_JSON: u64 = 256 << 20;

impl Job {
    /// Opens the scripts of a file to be run. `definitions` is a file with the names of functions and flags that takes the place of the game's.
    ///
    /// # Errors
    /// When the file is of a format without scripts, cannot be read, or does not have what is asked for.
    pub fn run_scripts(
        &self,
        input: &Path,
        definitions: Option<&Path>,
        request: &SessionRequest,
    ) -> Result<(Outcome, Box<dyn ScriptSession>), Error> {
        self.with_scripts(input, definitions, |language, asset, context, outcome| {
            let session = (language.run)(asset, context, request)?;
            outcome.ok = true;
            Ok(session)
        })
    }

    /// Reads a file of JSON: of answers, of inputs or of a state.
    ///
    /// # Errors
    /// When it cannot be read, or is none.
    pub fn read_json(&self, file: &Path) -> Result<Value, Error> {
        let read = || {
            let source = disk::open(file)?;
            if source.len() > LONGEST_JSON {
                return Err(Error::limit(format!("it has {} bytes, more than {LONGEST_JSON}", source.len())));
            }
            let bytes = source.read_all()?;
            serde_json::from_slice(&bytes).map_err(|error| Error::malformed(error.to_string()))
        };
        read().map_err(|error| error.in_file(file))
    }
}
