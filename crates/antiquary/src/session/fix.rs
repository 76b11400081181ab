//! Automatic fixes: values that a format considers safe to change are set as `set` does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use asset::{Error, Fix};

use super::{CheckOptions, Edited, FieldEdit, Input, Inputs, Session, check_one};
use crate::run::{Outcome, Run};

/// Fixes that can be applied to files without loss.
#[derive(Debug, Default)]
pub struct Fixes(BTreeMap<PathBuf, Vec<FieldEdit>>);

impl Fixes {
    /// Returns the number of files that can be fixed.
    #[must_use]
    pub fn files(&self) -> usize {
        self.0.len()
    }
}

impl Session<'_> {
    /// Checks every file as [`Session::check`] does, and collects fixes. Damaged files and the files in containers are not
    /// fixed.
    ///
    /// # Errors
    /// Fails as [`Session::check`] does.
    pub fn check_for_fixes(&self, inputs: &Inputs, options: &CheckOptions) -> Result<(Run, Fixes), Error> {
        let fixes = Mutex::new(BTreeMap::new());
        let run = self.each(inputs, &options.options, |work, outcome| {
            let found = check_one(work, &options.codes, outcome, asset::Report::with_fixes())?;
            let edits = found.iter().map(edit).collect::<Result<Vec<_>, _>>()?;
            let can_be_set = work.format()?.pack.is_some();
            if can_be_set && !edits.is_empty() {
                let mut fixes = fixes.lock().unwrap_or_else(PoisonError::into_inner);
                fixes.insert(work.input.path().to_path_buf(), edits);
            }
            Ok(())
        })?;
        Ok((run, Fixes(fixes.into_inner().unwrap_or_else(PoisonError::into_inner))))
    }

    /// Writes fixed copies of the files that can be fixed: a single file to `out`, several files below the folder `out`,
    /// with the folder structure of the inputs. Calls `take` with each result. At most `limit` changes of each file are
    /// kept.
    ///
    /// # Errors
    /// Returns the first error of `take`. Errors of a single file are in its outcome.
    pub fn write_fixes<E>(
        &self,
        inputs: &Inputs,
        fixes: &Fixes,
        (out, limit): (&Path, usize),
        take: &mut dyn FnMut(&Edited) -> Result<(), E>,
    ) -> Result<(), E> {
        let guard = self.guard_over(inputs.iter().filter(|input| input.is_on_disk()).map(Input::path));
        for input in inputs {
            let Some(edits) = fixes.0.get(input.path()) else { continue };
            let edited = match inputs.is_one_file() {
                true => {
                    self.set(input, edits, limit).and_then(|edited| self.write_edited(edited, out)).map(Some)
                }
                false => self.set_one(input, edits, limit, (out, &guard)),
            };
            match edited {
                Ok(Some(edited)) => take(&edited)?,
                Ok(None) => {}
                Err(error) => {
                    let error = error.in_file(input.path());
                    take(&Edited::failed(Outcome::failed(input.path(), &error)))?;
                }
            }
        }
        Ok(())
    }
}

fn edit(fix: &Fix) -> Result<FieldEdit, Error> {
    FieldEdit::to_value(&fix.path, &fix.value)
}
