//! Builds a container from a plain folder, as modders distribute a patch.

use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};

use asset::game::Archives;
use asset::{Charset, Error, FolderSink, Format, Source};
use files::disk;
use files::layer::decode_name;
use files::name::composed;
use files::sink::{Output, WriteMode};
use scene::Compression;

use super::{Inputs, Session};
use crate::run::Outcome;

impl Session<'_> {
    /// Returns the container format with the extension `to`, or the extension of the path, or `None` if there is none.
    pub(super) fn archives_for(&self, out: &Path, to: Option<&str>) -> Option<&'static Archives> {
        let given = out.extension().map(|extension| extension.to_string_lossy().into_owned());
        let asked = to.map(ToOwned::to_owned).or(given)?.to_lowercase();
        let archives = self.catalog.games().iter().filter_map(|game| game.archives);
        archives.into_iter().find(|archives| archives.format.extensions.contains(&asked.as_str()))
    }

    /// Writes a container with all files of a folder, each under its path in the folder.
    pub(super) fn assemble(
        &self,
        folder: &Path,
        archives: &Archives,
        out: &Path,
        compression: Compression,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let format: &'static Format = archives.format;
        outcome.format = Some(format.id);
        let charset = self.catalog.charset_of(format);
        let inputs = Inputs::collect_with(&[folder.to_path_buf()], self.links, &());
        outcome.warnings.append(inputs.warnings());
        let (mut files, mut paths): (Vec<(String, Source)>, _) = (Vec::new(), Vec::new());
        for input in &inputs {
            files.push((path_in_game(input.relative(), charset), input.source_for_each_read()?));
            paths.push(input.path().to_path_buf());
        }
        if files.is_empty() {
            return Err(Error::usage("contains no files to pack").in_file(folder));
        }
        let guard = self.guard_over(paths.iter().map(PathBuf::as_path));
        let mut sink = FolderSink::for_file(out, "archive", guard);
        let report = &mut outcome.warnings;
        let mut length = 0;
        let mut write = |out: &mut dyn Output| {
            (archives.write)(&files, compression, out, report).map_err(|error| error.in_file(folder))?;
            length = out.seek(SeekFrom::End(0))?;
            Ok(())
        };
        match self.writing {
            WriteMode::Write => sink.put_with("archive", write)?,
            WriteMode::DryRun => {
                write(&mut io::Cursor::new(Vec::new()))?;
                sink.put_with("archive", |_| Ok(()))?;
            }
        }
        outcome.length = Some(length);
        for written in sink.pending() {
            self.check_source(format, &disk::open(written)?, &mut outcome.warnings)?;
        }
        outcome.ok = !outcome.is_refused(self.strictness);
        if outcome.ok {
            let written = sink.finish()?;
            outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(())
    }
}

/// Converts the relative path of a file to the game's form, with `/` between folders.
pub(super) fn path_in_game(path: &Path, charset: Charset) -> String {
    let names = path.iter().map(|name| composed(&decode_name(name, charset)).into_owned());
    names.collect::<Vec<_>>().join("/")
}
