//! The declaration of a game, and the detection of its folder.

mod root;

use std::path::{Path, PathBuf};

use files::Charset;
use files::install::Install;
use files::sink::{Output, Sink};
use files::walk::Walk;
use record::{Error, Source};
use serde::Serialize;

pub use root::{Root, Roots, install_around, install_of};

use crate::OpenedFiles;
use crate::build::Builder;
use crate::count::counted;
use crate::format::{Can, Format, Probe, Score};
use crate::names::NameKind;
use crate::report::{Code, Report, Severity};
use ::scene::Compression;

/// The game differs from the shipped one.
pub static SHIPPED: Code = Code {
    id: "GAME-N001",
    severity: Severity::Note,
    title: "differs from the shipped game",
    about: "The game has more or fewer objects of a kind than the shipped game, as mods and other editions do. Example: `WORLD.INI: \
        worlds: 30 (shipped game: 29)`.",
};

/// Symbolic links are not followed.
pub static LINKS_LEFT_OUT: Code = Code {
    id: "FOLDER-W001",
    severity: Severity::Warning,
    title: "symbolic links not followed",
    about: "Symbolic links in a folder lead out of it and out of its game; a Wine prefix, for example, has a link to the entire disk. \
            They are not followed unless `--follow-links` is given; a link given on the command line is always followed. Example: `2 \
            symbolic links that lead out of the folder are not followed (like dosdevices/z:); use --follow-links to follow them`.",
};

/// The warnings about a game or a folder as a whole.
pub static CODES: &[Code] = &[SHIPPED, LINKS_LEFT_OUT];

/// Reports the symbolic links that a walk did not follow.
pub fn report_links_left_out(walk: &Walk, report: &mut Report) {
    let Some((count, example)) = walk.links_left_out() else { return };
    let links = counted(count, "symbolic link", "symbolic links");
    let (lead, are) = if count == 1 { ("leads", "is") } else { ("lead", "are") };
    let example = example.display();
    report.warn(
        &LINKS_LEFT_OUT,
        format!(
            "{links} that {lead} out of the folder {are} not followed (like {example}); use --follow-links to follow them"
        ),
    );
}

/// A game: how its folder is recognized, and its formats.
#[derive(Debug)]
pub struct GameInfo {
    /// Short, stable id, such as `scpcb`.
    pub id: &'static str,
    /// Human-readable name.
    pub name: &'static str,
    /// Character set of file names and of texts in files.
    pub charset: Charset,
    /// Formats of the game.
    pub formats: &'static [&'static Format],
    /// Paths that mark a folder as this game's root, such as `GFX/map`; one of them suffices. Letter case is ignored. The paths
    /// must be unlikely elsewhere, because every folder above an input is checked for them.
    pub markers: &'static [&'static str],
    /// The archives of the game; `None` if all files are unpacked.
    pub archives: Option<&'static Archives>,
    /// Files that are not supported, with the reason: files without a public specification, and files that any program opens.
    pub known: &'static [KnownFile],
    /// Checks the game as a whole: reports differences from the shipped game. `None` if there is nothing to check.
    pub check: Option<CheckGame>,
    /// Builders of derived files.
    pub builders: &'static [&'static Builder],
    /// Files that are characters, where the format alone does not imply it.
    pub characters: &'static [FilesBelow],
    /// Writes a small synthetic sample of the game.
    pub sample: fn(&mut dyn Sink) -> Result<(), Error>,
}

impl GameInfo {
    /// Returns the kind of a file by its extension: the kind that its format declares, otherwise the kind of a media file.
    #[must_use]
    pub fn kind_of_file(&self, name: &str) -> Option<NameKind> {
        let (_, extension) = name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        let format = self.formats.iter().find(|format| format.extensions.contains(&extension.as_str()));
        format.and_then(|format| format.names.file).or_else(|| NameKind::of_media(name))
    }
}

/// Files with one of these extensions, anywhere or in a certain folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilesBelow {
    /// Extensions in lowercase, without the dot.
    pub extensions: &'static [&'static str],
    /// Name of a folder above the files, in lowercase.
    pub folder: Option<&'static str>,
}

/// Checks a game as a whole.
pub type CheckGame = fn(&Install, &mut Report);

/// Files of a game whose purpose is known, but that are not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KnownFile {
    /// File name without folders, or a pattern with `*` and `?`. Letter case is ignored.
    pub pattern: &'static str,
    /// Short description of the files, and the reason why they are not supported: `Smacker movie; any player shows it`.
    pub about: &'static str,
}

/// The archives of a game, layered over its folder.
#[derive(Debug)]
pub struct Archives {
    /// Format of the archives.
    pub format: &'static Format,
    /// Returns the archives of a game folder, in order of precedence; the folder's own files precede all of them. The returned
    /// archives may not exist. A file that lists the archives is opened through the list of opened files.
    pub find: fn(&Path, &OpenedFiles) -> Vec<PathBuf>,
    /// Writes an archive. Each file has the path that it gets in the archive, with `/` or `\`.
    pub write: WriteArchive,
    /// Converts images that other programs would display differently from the game to PNG.
    pub picture: Option<MakePicture>,
}

/// Converts the file with this name to PNG; `None` if it is not such an image. An image that cannot be decoded is an error.
pub type MakePicture = fn(&str, &Source) -> Result<Option<Vec<u8>>, Error>;

/// Writes an archive with the given compression. Files that the archive cannot store are errors; likely mistakes are reported.
pub type WriteArchive =
    fn(&[(String, Source)], Compression, &mut dyn Output, &mut Report) -> Result<(), Error>;

/// Detects the format of an archive among those of the given games; `None` if it has none of them. Content takes precedence over
/// the name.
///
/// # Errors
/// When the file cannot be read.
pub fn detect(
    source: &Source,
    name: Option<&str>,
    games: &[&'static GameInfo],
) -> Result<Option<(&'static GameInfo, &'static Format)>, Error> {
    let head = source.head(Probe::HEAD)?;
    let probe = Probe::new(&head, source.len(), name);
    let mut best: Option<(Score, &'static GameInfo, &'static Format)> = None;
    for game in games {
        for format in game.formats.iter().filter(|format| format.can(Can::List)) {
            let named = probe.has_extension(format.extensions).then_some(Score::POSSIBLE);
            let Some(score) = (format.probe)(&probe).or(named) else { continue };
            if score > Score::NEVER && best.is_none_or(|(known, ..)| score > known) {
                best = Some((score, game, format));
            }
        }
    }
    Ok(best.map(|(_, game, format)| (game, format)))
}
