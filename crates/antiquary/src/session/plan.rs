//! Plans the output format and name for each input.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::{Error, FolderSink, Format, Guard, OutputWriter, Target};
use files::name::{MAX_NAME_LENGTH, Namer, safe_name, safe_name_with_limit};

use super::Destination;
use super::work::Work;

/// Bytes reserved in a name for suffixes such as `.lightmap-12.png`.
const APPENDED: usize = 64;

/// The planned output of an input.
pub(super) struct Planned {
    output: OutputWriter,
    /// Outputs that are written in addition.
    further: Vec<OutputWriter>,
    /// Name of the scene or font.
    name: String,
    /// Output folder.
    folder: PathBuf,
    /// Name of the output files, without extension.
    stem: String,
    /// Exact output file, if the user chose one.
    file: Option<PathBuf>,
}

impl Planned {
    pub(super) fn target(&self, scale: f64) -> Target<'_> {
        Target { stem: &self.stem, ..Target::new(&self.name, scale) }
    }

    pub(super) const fn output(&self) -> &OutputWriter {
        &self.output
    }

    /// Returns the outputs that are written in addition: those of the format for folders, unless the user chose an output.
    pub(super) fn further(&self) -> &[OutputWriter] {
        &self.further
    }

    /// Returns the name of the main file.
    pub(super) fn main_name(&self) -> String {
        format!("{}.{}", self.stem, self.output.extension())
    }

    /// Returns the path of the main file in the output folder, in lower case.
    pub(super) fn name_in(&self, out: &Path) -> String {
        let folder = self.folder.strip_prefix(out).unwrap_or(&self.folder);
        folder.join(self.main_name()).to_string_lossy().to_lowercase()
    }

    pub(super) fn sink(&self, guard: &Arc<Guard>) -> FolderSink {
        match &self.file {
            Some(file) => FolderSink::for_file(file, self.main_name(), Arc::clone(guard)),
            None => FolderSink::new(&self.folder, Arc::clone(guard)),
        }
    }
}

/// Plans the output of each input; `None` if it cannot be converted to the requested format.
pub(super) fn plan(
    works: &[Work<'_>],
    destination: &Destination,
    to: Option<&str>,
) -> Result<Vec<Option<Planned>>, Error> {
    match destination {
        Destination::File(file) => works.iter().map(|work| plan_file(work, file, to)).collect(),
        Destination::Folder(folder) => Ok(plan_folder(works, folder, to)),
    }
}

fn plan_file(work: &Work<'_>, file: &Path, to: Option<&str>) -> Result<Option<Planned>, Error> {
    let Some(format) = convertible(work) else { return Ok(None) };
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    let output = format.output_for(to.unwrap_or(&extension)).map_err(|error| error.in_file(file))?;
    let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let stem = safe_name_with_limit(&stem, MAX_NAME_LENGTH - APPENDED).into_owned();
    let further = Vec::new();
    Ok(Some(Planned { output, further, name: name_of(work), folder, stem, file: Some(file.to_path_buf()) }))
}

fn plan_folder(works: &[Work<'_>], folder: &Path, to: Option<&str>) -> Vec<Option<Planned>> {
    let mut namer = Namer::new();
    let plan_one = |work: &Work<'_>| {
        let output = output_in_folder(work, to)?;
        let preferred = preferred_stem(work, &output);
        let path = namer.file_with_limit(&preferred, MAX_NAME_LENGTH - APPENDED).ok()?;
        let (below, stem) = path.rsplit_once('/').unwrap_or(("", &path));
        let folder = if below.is_empty() { folder.to_path_buf() } else { folder.join(below) };
        let further = if to.is_none() { further_of(work) } else { Vec::new() };
        Some(Planned { output, further, name: name_of(work), folder, stem: stem.to_owned(), file: None })
    };
    works.iter().map(plan_one).collect()
}

/// Returns the name of the scene or font of an input: its file name without extension.
fn name_of(work: &Work<'_>) -> String {
    work.input.relative().file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the preferred stem of an input's outputs, relative to the output folder: its full name, with each component made
/// safe. A file that is saved in one of the game's own formats with the same extension keeps its name.
fn preferred_stem(work: &Work<'_>, output: &OutputWriter) -> String {
    let relative = work.input.relative();
    let extension = relative.extension().unwrap_or_default();
    let is_kept =
        matches!(output, OutputWriter::SaveAs(own) if extension.eq_ignore_ascii_case(own.extension));
    let name = if is_kept { relative.file_stem() } else { relative.file_name() };
    let folders = relative.parent().unwrap_or(Path::new("")).components();
    let parts = folders.map(|part| part.as_os_str()).chain(name);
    let safe = parts.map(|part| safe_name(&part.to_string_lossy()).into_owned());
    safe.collect::<Vec<_>>().join("/")
}

/// Returns the output of an input in a folder: the requested one, or the default of its format.
pub(super) fn output_in_folder(work: &Work<'_>, to: Option<&str>) -> Option<OutputWriter> {
    output_of(convertible(work)?, to)
}

/// Returns the requested output of a format, or its default.
pub(super) fn output_of(format: &Format, to: Option<&str>) -> Option<OutputWriter> {
    format.output(to.or_else(|| format.default_output())?)
}

/// Returns the outputs that are written to a folder in addition to the default.
fn further_of(work: &Work<'_>) -> Vec<OutputWriter> {
    let extensions = |format: &'static Format| {
        format.folder_outputs.iter().filter_map(move |extension| format.output(extension))
    };
    convertible(work).into_iter().flat_map(extensions).collect()
}

/// Returns the format of an input if it can be converted.
fn convertible(work: &Work<'_>) -> Option<&'static Format> {
    work.found.as_ref().ok().copied().filter(|format| format.is_convertible())
}
