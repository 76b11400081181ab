//! Converts files to every format that may be useful later: default outputs, JSON, tables, pictures of settings, scripts as text,
//! dialogue lines.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use asset::Error;
use files::sink::WriteMode;

use super::plan::output_of;
use super::work::Work;
use super::{ConvertOptions, Destination, Extent, Inputs, Overview, Progress, Session};
use crate::run::{Outcome, Run};

/// Formats that files are converted to in addition to their default output.
const MORE: [&str; 3] = ["json", "csv", PICTURE];

/// The format of pictures. Only files with the default output JSON have it in addition: others have the same pictures, or textures
/// and glyph sheets, in their default output.
const PICTURE: &str = "png";

impl Session<'_> {
    /// Converts files to a path that is interpreted as by [`Destination::new`], or that is always a folder for
    /// [`Extent::Everything`]. Then the run still has one outcome for each file.
    ///
    /// # Errors
    /// Fails as [`Destination::new`] and [`Session::convert`] do, and if [`Extent::Everything`] is combined with an output format or
    /// a dry run.
    pub fn convert_to(&self, inputs: &Inputs, out: &Path, options: &ConvertOptions) -> Result<Run, Error> {
        match options.extent {
            Extent::Usual => self.convert(inputs, &Destination::new(out, inputs, self.catalog)?, options),
            Extent::Everything if options.to.is_some() || self.writing == WriteMode::DryRun => {
                Err(Error::usage("everything cannot be combined with an output format or a dry run"))
            }
            Extent::Everything => self.convert_everything(inputs, out, options),
        }
    }

    fn convert_everything(
        &self,
        inputs: &Inputs,
        folder: &Path,
        options: &ConvertOptions,
    ) -> Result<Run, Error> {
        let (session, progress) = (self.clone().protect_opened_files(), self.progress);
        let destination = Destination::Folder(folder.to_path_buf());
        let mut run = session.convert(inputs, &destination, options)?;
        let written: HashSet<String> =
            run.outcomes.iter().flat_map(|outcome| &outcome.outputs).cloned().collect();
        let mut places: BTreeMap<String, usize> =
            run.outcomes.iter().enumerate().map(|(index, outcome)| (outcome.input.clone(), index)).collect();
        let mut add = |more: Outcome| match places.get(&more.input).and_then(|at| run.outcomes.get_mut(*at)) {
            Some(outcome) => add_outcome(outcome, more, progress),
            None => {
                progress.outcome(&more);
                places.insert(more.input.clone(), run.outcomes.len());
                run.outcomes.push(more);
            }
        };
        for extension in MORE {
            let options = options.clone().to(extension).overview(Overview::None);
            let quiet = session.clone().progress(&());
            // Some outputs already include a JSON file.
            let is_missing = |work: &Work<'_>| {
                let output = folder.join(format!("{}.{extension}", work.input.shown()));
                let is_supported = work.found.as_ref().is_ok_and(|format| {
                    let default = format.default_output();
                    let is_useful = extension != PICTURE || default == Some("json");
                    let is_new = default != Some(extension) && !format.folder_outputs.contains(&extension);
                    is_useful && is_new && output_of(format, Some(extension)).is_some()
                });
                is_supported && !written.contains(&output.display().to_string())
            };
            let more = quiet.convert_where(&is_missing, inputs, &destination, &options)?;
            more.outcomes.into_iter().for_each(&mut add);
        }
        #[cfg(feature = "scripts")]
        session.convert_scripts(inputs, folder, &mut add)?;
        Ok(run)
    }
}

/// Merges the outcome of another conversion of the same file.
fn add_outcome(outcome: &mut Outcome, more: Outcome, progress: &dyn Progress) {
    outcome.outputs.extend(more.outputs);
    if let Some(written) = more.written {
        outcome.written = Some(outcome.written.unwrap_or_default().saturating_add(written));
    }
    outcome.warnings.append_new_codes(more.warnings);
    if outcome.error.is_none() && more.error.is_some() {
        (outcome.error, outcome.ok) = (more.error, false);
        progress.outcome(outcome);
    }
}
