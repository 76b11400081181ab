//! Builds a file from a scene: a GLB or glTF file that was created or edited in another program.

use files::disk;
use std::path::{Path, PathBuf};

use asset::{Companion, Error, Format, GamePath, Import, Options, Report, SceneFile, Source};
use files::name::safe_name;
use files::sink::SharedFiles;
use scene::ProductKind;
use scene::gltf::Read;
use scene::product::{DECODERS, Decoder};

use super::base::warn_fewer;
use super::destination::ends_in_slash;
use super::edit_check::EditedFile;
use super::{Input, PackOptions, Session};
use crate::catalog::open_as;
use crate::run::Outcome;

/// Maximum length in bytes of a file that a scene refers to.
const MAX_LENGTH: u64 = 4 << 30;

/// A file built from a scene.
pub(super) struct Imported {
    pub(super) bytes: Vec<u8>,
    /// Files that it refers to.
    pub(super) companions: Vec<Companion>,
    /// Output path.
    pub(super) file: PathBuf,
    /// Files it was built from.
    pub(super) inputs: Vec<PathBuf>,
}

/// Output of a scene import.
struct Target {
    format: &'static Format,
    import: &'static Import,
    /// One of the extensions that can be built.
    extension: &'static str,
    file: PathBuf,
}

/// Whether a path has the extension of a scene file.
pub(super) fn is_scene(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    let mut known = scenes().flat_map(|decoder| decoder.extensions);
    known.any(|scene| extension.eq_ignore_ascii_case(scene)) && !disk::is_folder(path)
}

/// Returns the decoders of scenes.
fn scenes() -> impl Iterator<Item = &'static Decoder> {
    DECODERS.iter().filter(|decoder| decoder.kind == ProductKind::Scene)
}

/// Reads a scene with the files it refers to.
fn read_scene(bytes: &[u8], sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<Read, Error> {
    let decoder = scenes().next().ok_or_else(|| Error::unsupported("no scene files can be read"))?;
    decoder.decode(bytes, sibling)?.into_scene()
}

impl Session<'_> {
    /// Builds a file from a scene. [`PackOptions::to`] selects its format, otherwise the extension of `out`.
    pub(super) fn import(
        &self,
        scene: &Path,
        out: &Path,
        options: &PackOptions,
        outcome: &mut Outcome,
    ) -> Result<Imported, Error> {
        let Target { format, import, extension, file } =
            self.import_target(scene, out, options.to.as_deref())?;
        outcome.format = Some(format.id);
        let mut inputs = vec![scene.to_path_buf()];
        let source = Input::file(scene).source()?;
        let mut sibling = |name: &str| {
            let path = sibling_file(scene, name)?;
            let source = Input::file(&path).source().ok().filter(|source| source.len() <= MAX_LENGTH)?;
            let bytes = source.read_all().ok()?.into_owned();
            inputs.push(path);
            Some(bytes)
        };
        let mut read = read_scene(&source.read_all()?, &mut sibling).map_err(|error| error.in_file(scene))?;
        let base = options.base.as_deref();
        let options = Options::parse(import.options, &options.options)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let opened = self.opened();
        let base = base.map(|base| self.open_base(base, format)).transpose()?;
        inputs.extend(base.as_ref().and_then(|base| base.input.on_disk_in()).map(Path::to_path_buf));
        if let Some(base) = &base
            && let Some(original) = self.scene_of_base(base, format, &opened)?
        {
            read.scene.restore_extras(&original);
        }
        let base_asset = base.as_ref().map(|base| &*base.asset);
        let scene_file =
            SceneFile { read: &read, extension, name: &name, options: &options, base: base_asset };
        let asset::Imported { bytes, companions } =
            (import.make)(&scene_file, &mut outcome.warnings).map_err(|error| error.in_file(scene))?;
        // The output is read again below.
        drop(read);
        let output = in_existing_folder(&file);
        let around: Vec<&Input> =
            std::iter::once(&output).chain(base.as_ref().map(|base| &base.input)).collect();
        let companions = self.without_known(companions, &around, &opened)?;
        // Only one copy of the bytes is kept, because the file may be large.
        let edited = &Source::from(bytes);
        self.check_source(format, edited, &mut outcome.warnings)?;
        if let Some(base) = &base {
            let made = open_as(format, edited, &mut Report::new());
            made.iter().for_each(|made| warn_fewer(&*base.asset, &**made, &mut outcome.warnings));
        }
        let original = base.as_ref().map(|base| &base.source);
        let around = base.as_ref().map_or(&output, |base| &base.input);
        let checked = EditedFile { format, name: &name, original, edited, around };
        self.check_edit(&checked, &mut outcome.warnings)?;
        outcome.length = Some(edited.len());
        outcome.ok = !outcome.is_refused(self.strictness);
        let bytes = edited.read_all()?.into_owned();
        Ok(Imported { bytes, companions, file, inputs })
    }

    /// Returns the format to build and the path of the output.
    fn import_target(&self, scene: &Path, out: &Path, to: Option<&str>) -> Result<Target, Error> {
        let is_folder = disk::is_folder(out) || ends_in_slash(out);
        let given = out.extension().filter(|_| !is_folder).map(|extension| extension.to_string_lossy());
        let asked = to.or(given.as_deref());
        let formats = self.catalog.formats().filter_map(|format| Some((format, format.import.as_ref()?)));
        let known: Vec<_> = formats
            .flat_map(|(format, import)| import.extensions.iter().map(move |known| (format, import, *known)))
            .collect();
        let is_one = |format: &Format| known.iter().all(|(other, ..)| other.id == format.id);
        let (format, import, extension) = match (asked, known.first()) {
            (Some(asked), _) => {
                let fits = |(.., known): &&(_, _, &str)| known.eq_ignore_ascii_case(asked);
                known.iter().find(fits).copied().ok_or_else(|| {
                    let extensions: Vec<_> = known.iter().map(|(.., extension)| *extension).collect();
                    let can = extensions.join(", ");
                    Error::usage(format!("a scene cannot be packed into a .{asked} file (available: {can})"))
                        .in_file(out)
                })?
            }
            (None, Some(only)) if is_folder && is_one(only.0) => *only,
            (None, _) => {
                return Err(Error::usage("has no extension to determine the format to build").in_file(out));
            }
        };
        let file = if is_folder {
            out.join(&*safe_name(&built_name(scene, extension, &known)))
        } else {
            out.to_path_buf()
        };
        Ok(Target { format, import, extension, file })
    }
}

/// Returns the name of a file that is built from a scene into a folder. Conversions keep the name of their input, so
/// `A.3DC.glb` becomes `A.3DC` again.
fn built_name(scene: &Path, extension: &str, known: &[(&Format, &Import, &str)]) -> String {
    let name = scene.file_stem().unwrap_or_default().to_string_lossy();
    match name.rsplit_once('.') {
        Some((_, own)) if own.eq_ignore_ascii_case(extension) => name.into_owned(),
        Some((stem, own)) if known.iter().any(|(.., known)| own.eq_ignore_ascii_case(known)) => {
            format!("{stem}.{extension}")
        }
        _ => format!("{name}.{extension}"),
    }
}

/// Returns the output, moved to its nearest ancestor folder that exists: that folder is in the same game.
fn in_existing_folder(output: &Path) -> Input {
    let folder = output.ancestors().skip(1).find(|folder| disk::is_folder(folder));
    Input::file(&folder.unwrap_or(Path::new("")).join(output.file_name().unwrap_or_default()))
}

/// Returns the path of a file that a scene refers to, if it is inside the scene's folder or is a [shared file](SharedFiles).
fn sibling_file(scene: &Path, name: &str) -> Option<PathBuf> {
    let folder = scene.parent()?;
    if let Some((above, name)) = SharedFiles::parse(name) {
        let shared = SharedFiles::new(folder.join(above)).folder();
        let path = shared.join(name);
        // A link may lead anywhere.
        let is_there = disk::canonical(&path).ok()?.parent() == Some(&disk::canonical(&shared).ok()?);
        return is_there.then_some(path);
    }
    let path = folder.join(GamePath::parse(name).ok()?.as_str());
    // A link may lead anywhere.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let inside = disk::canonical(&path).ok()?.starts_with(disk::canonical(folder).ok()?);
    inside.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_extension_selects_its_format_and_version() {
        let target = |out: &str| {
            let found = Session::default().import_target(Path::new("in/a.glb"), Path::new(out), None);
            found.map(|target| (target.format.id, target.extension, target.file))
        };
        for (out, format, extension) in [
            ("a.rsm", "ragnarok.rsm", "rsm"),
            ("b.RSM2", "ragnarok.rsm", "rsm2"),
            ("room.rmesh", "scpcb.rmesh", "rmesh"),
            ("a.3D", "redguard.3d", "3d"),
            ("a.3dc", "redguard.3d", "3dc"),
            ("ISLAND.ROB", "redguard.rob", "rob"),
            ("a.3D", "redguard.3d", "3d"),
            ("a.3dc", "redguard.3d", "3dc"),
            ("ISLAND.ROB", "redguard.rob", "rob"),
        ] {
            assert_eq!(target(out).unwrap(), (format, extension, PathBuf::from(out)));
        }
        assert!(target("folder/").is_err(), "there are several formats");
        let to_rsm = |scene: &str| {
            Session::default().import_target(Path::new(scene), Path::new("out/"), Some("rsm")).unwrap()
        };
        let found = to_rsm("in/a.glb");
        assert_eq!((found.extension, found.file), ("rsm", Path::new("out").join("a.rsm")));
        for (scene, expected) in
            [("A.RSM.glb", "A.RSM"), ("a.rsm2.glb", "a.rsm"), ("a.b.glb", "a.b.rsm"), ("A.3DC.GLTF", "A.rsm")]
        {
            let found = to_rsm(scene);
            assert_eq!(found.file, Path::new("out").join(expected));
        }
    }
}
