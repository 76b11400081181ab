//! Unpacking a file into a folder for editing, and packing it again. Also packs a scene into a file, or a plain folder into
//! a container.

use files::disk;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::container::Container;
use asset::unpack::{MANIFEST, UNREADABLE, UNWRITTEN_COMPANIONS};
use asset::{
    Can, Error, FolderSink, Format, Guard, OpenedFiles, Options, Parts, Report, Sink, Source, Unpacked,
};
use files::name::safe_name;

use super::destination::ends_in_slash;
use super::edit_check::EditedFile;
use super::import::{Imported, is_scene};
use super::installs::Installs;
use super::typed::Typed;
use super::{Input, Inputs, PackOptions, Session, UnpackOptions};
use crate::catalog::open_as;
use crate::run::{Outcome, Run, Strictness};

/// Scene option that also applies to the scene in an unpacked folder, because the folder contains the original.
const KEEP: &str = "keep";

impl Session<'_> {
    /// Unpacks one file into a folder, which is created if needed.
    ///
    /// # Errors
    /// Fails if no format has a requested option, or if a game folder does not exist. Errors of the file are in its outcome.
    pub fn unpack(&self, file: &Path, folder: &Path, options: &UnpackOptions) -> Result<Run, Error> {
        if disk::is_folder(file) {
            return Err(Error::usage("is a folder; only single files can be unpacked").in_file(file));
        }
        let opened = self.opened();
        let guard = self.guard(&opened);
        let input = Input::find(self.catalog, file);
        input.on_disk_in().into_iter().for_each(|path| guard.protect(path));
        let guard = Arc::new(guard);
        let inputs = Inputs::from(input);
        let files: Vec<_> = inputs.iter().collect();
        self.each_of_all(&files, None, &opened, &options.options, |work, outcome| {
            let (asset, source) = work.open(outcome)?;
            let around = work.game_context()?;
            let mut sink = FolderSink::new(folder, Arc::clone(&guard));
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let mut parts = Parts::new(&mut sink, work.format()?.id, &source, &name)?;
            let done = asset.unpack(&around.context(), &mut parts, &mut outcome.warnings);
            let format = work.format()?;
            outcome.warnings.locate(|visitor| format.trace(&*asset, &source, visitor));
            done?;
            parts.finish(&mut outcome.warnings)?;
            let written = sink.finish()?;
            outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
            Ok(())
        })
    }

    /// Packs a folder that was unpacked before. The output is a file, or a folder in which the file gets its original name.
    ///
    /// The input can also be a scene, a `.glb` or `.gltf` file. The output format is then selected by [`PackOptions::to`],
    /// or by the extension of the output, among the formats that can be built from scenes. A folder that was not unpacked is
    /// packed into a container if the output has the extension of one.
    ///
    /// The packed file is read again before it is written. If it cannot be read, that is an error, or a warning with
    /// [`Strictness::AllowDamaged`]. Findings of a check that the original does not have are reported as well.
    ///
    /// # Errors
    /// Fails if the folder or the scene is invalid, or if the file cannot be written.
    pub fn pack(&self, folder: &Path, out: &Path, options: &PackOptions) -> Result<Outcome, Error> {
        let mut outcome = Outcome::new(folder.display().to_string(), None);
        if is_scene(folder) {
            let imported = self.import(folder, out, options, &mut outcome)?;
            if outcome.ok {
                let written = self.write_imported(imported, &mut outcome.warnings)?;
                outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
            }
            return Ok(outcome);
        }
        if disk::is_folder(folder)
            && !disk::exists(&folder.join(MANIFEST))
            && let Some(archives) = self.archives_for(out, options.to.as_deref())
        {
            self.assemble(folder, archives, out, options.compression, &mut outcome)?;
            return Ok(outcome);
        }
        let (unpacked, bytes) = self.pack_folder(folder, Some(out), options, &mut outcome)?;
        if outcome.ok {
            let written = self.write_packed(&unpacked, (folder, out), options.base.as_deref(), &bytes)?;
            outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(outcome)
    }

    /// Packs a folder that was unpacked before, or a scene, in memory. [`PackOptions::to`] selects the format to build from
    /// a scene.
    ///
    /// # Errors
    /// Fails if the folder or the scene is invalid.
    pub fn pack_to_memory(&self, folder: &Path, options: &PackOptions) -> Result<(Outcome, Vec<u8>), Error> {
        let mut outcome = Outcome::new(folder.display().to_string(), None);
        if is_scene(folder) {
            let somewhere = Path::new("./");
            let Imported { bytes, companions, .. } = self.import(folder, somewhere, options, &mut outcome)?;
            if !companions.is_empty() {
                let names: Vec<_> = companions.iter().map(|companion| companion.name.as_str()).collect();
                outcome.warnings.warn(&UNWRITTEN_COMPANIONS, format!("not written: {}", names.join(", ")));
                outcome.ok = !outcome.is_refused(self.strictness);
            }
            return Ok((outcome, bytes));
        }
        let (_, bytes) = self.pack_folder(folder, None, options, &mut outcome)?;
        Ok((outcome, bytes))
    }

    fn pack_folder(
        &self,
        folder: &Path,
        out: Option<&Path>,
        options: &PackOptions,
        outcome: &mut Outcome,
    ) -> Result<(Unpacked, Vec<u8>), Error> {
        if let Some((name, _)) = options.options.iter().find(|(name, _)| name != KEEP) {
            let message =
                format!("--{name} applies only to scenes; the files of a folder determine how it is packed");
            return Err(Error::usage(message).in_file(folder));
        }
        let unpacked = Unpacked::open(folder)?;
        let format = self.catalog.format(unpacked.format()).map_err(|error| error.in_file(folder))?;
        let unpacked = unpacked.with_options(Options::parse(format.import_options(), &options.options)?);
        outcome.format = Some(format.id);
        let _charset = unpacked.charset_scope().map_err(|error| error.in_file(folder))?;
        let bytes = pack_bytes(format, &unpacked, &mut outcome.warnings)?;
        if format.is_edited(&unpacked) {
            self.check_source(format, &Source::from_bytes(&*bytes), &mut outcome.warnings)?;
            let places = (folder, out, options.base.as_deref());
            self.check_packed(format, (&unpacked, &bytes), places, &mut outcome.warnings)?;
        }
        outcome.length = u64::try_from(bytes.len()).ok();
        outcome.ok = !outcome.is_refused(self.strictness);
        Ok((unpacked, bytes))
    }

    /// Reports findings in a packed file that its original does not have. References are looked up in the game around the
    /// output, otherwise in the game around the folder.
    fn check_packed(
        &self,
        format: &'static Format,
        (unpacked, bytes): (&Unpacked, &[u8]),
        (folder, out, base): (&Path, Option<&Path>, Option<&Path>),
        report: &mut Report,
    ) -> Result<(), Error> {
        let original = match (unpacked.original(), base) {
            (Some(original), _) => Some(Source::from(pack_bytes(format, &original, &mut Report::new())?)),
            (None, Some(base)) => Some(Input::find(self.catalog, base).source()?),
            // The original is unknown if blobs were edited, or if an older version unpacked the record.
            (None, None) => None,
        };
        let installs = Installs::new(self, &OpenedFiles::new())?;
        let in_game =
            |path: &&Path| installs.of(&Input::file(path)).is_ok_and(|found| found.game().is_some());
        let around = Input::file(out.filter(in_game).unwrap_or(folder));
        let edited = &Source::from_bytes(bytes);
        let name = unpacked.source_name();
        let file = EditedFile { format, name, original: original.as_ref(), edited, around: &around };
        self.check_edit(&file, report)
    }

    /// Reads a packed file in its format. If that fails, the file must not be written, unless the user insists.
    pub(super) fn check_source(
        &self,
        format: &'static Format,
        source: &Source,
        report: &mut Report,
    ) -> Result<(), Error> {
        let Err(error) = read_again(format, source) else { return Ok(()) };
        if self.strictness == Strictness::AllowDamaged {
            report.warn(&UNREADABLE, format!("the packed file is unreadable: {error}"));
            return Ok(());
        }
        let what = "the packed file would be unreadable, so it is not written (use --allow-damaged to write it anyway)";
        Err(Error::usage(format!("{what}: {error}")))
    }

    fn write_packed(
        &self,
        unpacked: &Unpacked,
        (folder, out): (&Path, &Path),
        base: Option<&Path>,
        bytes: &[u8],
    ) -> Result<Vec<PathBuf>, Error> {
        let base = base.map(|base| Input::find(self.catalog, base));
        let inputs = Inputs::collect_with(&[folder.to_path_buf()], self.links, &());
        let file = if disk::is_folder(out) || ends_in_slash(out) {
            out.join(&*safe_name(unpacked.source_name()))
        } else {
            out.to_path_buf()
        };
        let inputs = inputs.iter().map(|input| input.path());
        self.write_guarded(inputs.chain(base.as_ref().and_then(Input::on_disk_in)), &file, bytes)
    }

    /// Writes a file, but never over one of its inputs.
    pub(super) fn write_guarded<'a>(
        &self,
        inputs: impl Iterator<Item = &'a Path>,
        file: &Path,
        bytes: &[u8],
    ) -> Result<Vec<PathBuf>, Error> {
        write_with(&self.guard_over(inputs), None, file, bytes)
    }

    /// Creates a guard for outputs that are derived from these inputs.
    pub(super) fn guard_over<'a>(&self, inputs: impl Iterator<Item = &'a Path>) -> Arc<Guard> {
        let guard = self.guard(&self.opened());
        inputs.for_each(|input| guard.protect(input));
        Arc::new(guard)
    }
}

/// Writes a file as far as the guard allows. An edited copy gets no more permissions than its original.
pub(super) fn write_with(
    guard: &Arc<Guard>,
    original: Option<&Path>,
    file: &Path,
    bytes: &[u8],
) -> Result<Vec<PathBuf>, Error> {
    let mut sink = FolderSink::for_file(file, "packed", Arc::clone(guard));
    if let Some(original) = original {
        sink = sink.with_permissions_of(original);
    }
    sink.put("packed", bytes)?;
    sink.finish()
}

/// Reads every part of a file.
fn read_again(format: &'static Format, source: &Source) -> Result<(), Error> {
    let report = &mut Report::new();
    let asset = open_as(format, source, report)?;
    // Formats that scenes can be packed into are read completely when they are opened.
    if format.import.is_some() {
        return Ok(());
    }
    if format.can(Can::Pack) {
        Typed::unpack(format, &*asset, source, "", report)?;
    } else if format.can(Can::List) {
        let container = Container::open(format, source, report)?;
        let archive = container.archive()?;
        let files = (0..).zip(archive.entries()).filter(|(_, entry)| entry.content.is_file());
        for (index, _) in files {
            archive.open(index)?;
        }
    }
    Ok(())
}

/// Returns the bytes of a packed folder. A folder without edits must result in the original bytes.
pub(super) fn pack_bytes(
    format: &Format,
    unpacked: &Unpacked,
    report: &mut Report,
) -> Result<Vec<u8>, Error> {
    let bytes = format.pack_folder(unpacked, report)?;
    if !format.is_edited(unpacked) && !unpacked.is_source(&bytes) {
        return Err(Error::usage(format!(
            "the packed file differs from the one that {MANIFEST} describes, though no part was edited; restore {MANIFEST}, or unpack again"
        )));
    }
    Ok(bytes)
}
