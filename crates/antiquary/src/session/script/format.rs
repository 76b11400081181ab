//! Formats script files in place.

use std::path::PathBuf;
use std::sync::Arc;

use asset::{Error, Guard, Overwrite};
use files::disk;
use files::sink::WriteMode;

use super::source_text;
use crate::script::{self, EXTENSION};
use crate::session::Session;
use crate::session::pack::write_with;

/// Result of formatting a script file.
#[derive(Debug)]
#[non_exhaustive]
pub struct FormattedText {
    /// The file.
    pub file: PathBuf,
    /// Whether its formatting changed, or the reason why it was not formatted.
    pub changed: Result<bool, Error>,
}

impl Session<'_> {
    /// Formats the given script files, and those in folders. They are overwritten, unless this is a dry run.
    ///
    /// # Errors
    /// Fails if a folder contains no script files. Errors of a single file are in its result.
    pub fn format_scripts(&self, texts: &[PathBuf]) -> Result<Vec<FormattedText>, Error> {
        let files = self.text_files(texts)?;
        Ok(files.into_iter().map(|file| FormattedText { changed: self.format_script(&file), file }).collect())
    }

    fn format_script(&self, file: &PathBuf) -> Result<bool, Error> {
        if !script::is_text(file) {
            let message = format!("not a script file (expected extension: .{EXTENSION})");
            return Err(Error::usage(message).in_file(file));
        }
        let text = source_text(file)?.text;
        let made = soup::text::formatted(&text);
        if made == text {
            return Ok(false);
        }
        if self.writing == WriteMode::Write {
            // A symbolic link is preserved.
            let target = disk::canonical(file).map_err(|error| Error::from(error).in_file(file))?;
            let guard = Arc::new(Guard::new(Overwrite::Allow));
            write_with(&guard, Some(&target), &target, made.as_bytes())?;
        }
        Ok(true)
    }
}
