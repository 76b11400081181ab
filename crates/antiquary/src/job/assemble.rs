//! Builds a container from a plain folder: what modders hand out as a patch.

use std::path::{Path, PathBuf};

use asset::game::Archives;
use asset::{Error, Format, Source};

use super::{Inputs, Job};
use crate::run::Outcome;

impl Job {
    /// How the container is made that a path or [`Job::to`] asks for by its extension; `None` when it asks for none.
    pub(super) fn archives_for(&self, out: &Path) -> Option<&'static Archives> {
        let given = out.extension().map(|extension| extension.to_string_lossy().into_owned());
        let asked = self.to.clone().or(given)?.to_lowercase();
        let archives = self.catalog.games().iter().filter_map(|game| game.archives);
        archives.into_iter().find(|archives| archives.format.extensions.contains(&asked.as_str()))
    }

    /// A container of all files in a folder, each under its path in it, and the files it was made of.
    pub(super) fn assemble(
        &self,
        folder: &Path,
        archives: &Archives,
        outcome: &mut Outcome,
    ) -> Result<(Vec<u8>, Vec<PathBuf>), Error> {
        let format: &Format = archives.format;
        outcome.format = Some(format.id);
        let inputs = Inputs::gather(&[folder.to_path_buf()]);
        let (mut files, mut paths): (Vec<(String, Source)>, _) = (Vec::new(), Vec::new());
        for input in &inputs {
            let name = input
                .relative()
                .to_str()
                .ok_or_else(|| Error::usage("has a name that is not valid UTF-8").in_file(input.path()))?;
            files.push((name.replace(std::path::MAIN_SEPARATOR, "/"), input.source_for_each_read()?));
            paths.push(input.path().to_path_buf());
        }
        if files.is_empty() {
            return Err(Error::usage("contains no files to pack").in_file(folder));
        }
        let bytes = (archives.write)(&files, &mut outcome.warnings).map_err(|error| error.in_file(folder))?;
        self.check_readable(archives.format, &bytes, &mut outcome.warnings)?;
        outcome.length = u64::try_from(bytes.len()).ok();
        outcome.ok = !outcome.is_refused(self.strictness);
        Ok((bytes, paths))
    }
}
