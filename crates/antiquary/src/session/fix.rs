//! Files checked and mended: what a format knows to be safe is set as `set` sets it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use asset::{Error, Fix};

use super::{CheckOptions, Edited, FieldEdit, Input, Inputs, Session, check_one};
use crate::run::{Outcome, Run};

/// What can be mended in files without loss.
#[derive(Debug, Default)]
pub struct Fixes(BTreeMap<PathBuf, Vec<FieldEdit>>);

impl Fixes {
    /// How many files can be mended.
    #[must_use]
    pub fn files(&self) -> usize {
        self.0.len()
    }
}

impl Session<'_> {
    /// Checks every file as [`Session::check`] does, and collects what can be mended. Damaged files are not mended, nor what containers among the
    /// inputs hold.
    ///
    /// # Errors
    /// As [`Session::check`].
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

    /// Writes mended copies of those files that can be mended: of one file to `out`, of several below the folder `out`, as they stand in
    /// the folders that were given. `take` is told of each. No more than `limit` changes of each are kept.
    ///
    /// # Errors
    /// The first error of `take`. What is wrong with a file stands in its outcome.
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
