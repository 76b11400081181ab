//! What a game declares about itself, and how its folder is found.

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
use crate::archive::Compression;
use crate::build::Builder;
use crate::count::counted;
use crate::format::{Can, Format, Probe, Score};
use crate::names::NameKind;
use crate::report::{Code, Report, Severity};

/// A game as a whole differs from the one that was sold.
pub static SHIPPED: Code = Code {
    id: "GAME-N001",
    severity: Severity::Note,
    title: "differs from the shipped game",
    about: "A whole game has more or fewer of something than the one that was sold, as mods and other editions do. Example: `WORLD.INI: worlds: 30 \
        (shipped game: 29)`.",
};

/// Symbolic links that are not followed.
pub static LINKS_LEFT_OUT: Code = Code {
    id: "FOLDER-W001",
    severity: Severity::Warning,
    title: "symbolic links not followed",
    about: "Symbolic links in a folder lead out of it, and out of the game it belongs to: a Wine prefix has one to the whole disk. They are not \
            followed unless `--follow-links` is given; a link that is named on the command line always is. \
            Example: `2 symbolic links that lead out of the folder are not followed (like dosdevices/z:); use --follow-links to follow them`.",
};

/// The notes on games as a whole.
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

/// A game: how its folder is recognized and which formats its files have.
#[derive(Debug)]
pub struct GameInfo {
    /// Short and stable, like `scpcb`.
    pub id: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// How file names and texts inside its files are encoded.
    pub charset: Charset,
    /// Its formats.
    pub formats: &'static [&'static Format],
    /// Paths of which one marks a folder as this game's root, like `GFX/map`. Letter case does not matter.
    /// A path that is unlikely elsewhere: every folder above an input is asked for it.
    pub markers: &'static [&'static str],
    /// How it keeps its files in containers; `None` when they all stand in folders.
    pub archives: Option<&'static Archives>,
    /// Files it has that are not read, and why: those without a public layout, and those that any program opens.
    pub known: &'static [Known],
    /// Says of a game as a whole what can be said: where it differs from the shipped one. `None` when there is nothing to be said.
    pub check: Option<CheckGame>,
    /// What can be computed anew from its files.
    pub builders: &'static [&'static Builder],
    /// Files that are characters, which their format alone does not say.
    pub characters: &'static [FilesBelow],
    /// Writes a small sample of the game, made by our own writers.
    pub sample: fn(&mut dyn Sink) -> Result<(), Error>,
}

impl GameInfo {
    /// The kind of a file of the game by its extension: what its formats say, else the kind of a media file.
    #[must_use]
    pub fn kind_of_file(&self, name: &str) -> Option<NameKind> {
        let (_, extension) = name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        let format = self.formats.iter().find(|format| format.extensions.contains(&extension.as_str()));
        format.and_then(|format| format.names.file).or_else(|| NameKind::of_media(name))
    }
}

/// Files with one of these extensions, in a folder or anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilesBelow {
    /// In lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// The name of a folder that they are in, in lower case.
    pub folder: Option<&'static str>,
}

/// Says of a game as a whole what can be said.
pub type CheckGame = fn(&Install, &mut Report);

/// Files of a game that are not read, though it is known what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Known {
    /// What they are called, without folders: a name or a pattern with `*` and `?`, in which letter case does not matter.
    pub pattern: &'static str,
    /// What they are and why they are not read, in a few words: `Smacker movie; any player shows it`.
    pub about: &'static str,
}

/// How a game keeps its files in containers that lie over its folder.
#[derive(Debug)]
pub struct Archives {
    /// The format of the containers.
    pub format: &'static Format,
    /// The containers of a game folder, the first laid over the others, all of them below the folder's own files. They may
    /// turn out not to be there. What says which there are is opened through the list of opened files.
    pub find: fn(&Path, &OpenedFiles) -> Vec<PathBuf>,
    /// Makes a container of files, each under its name as the container is to have it, with `/` or `\`.
    pub write: WriteArchive,
    /// Makes PNG files of pictures that other programs would show in another way than the game.
    pub picture: Option<MakePicture>,
}

/// Makes a PNG file of a file with this name; `None` when it is no such picture. What cannot be decoded is an error.
pub type MakePicture = fn(&str, &Source) -> Result<Option<Vec<u8>>, Error>;

/// Makes a container of files, compressed so hard. What the container cannot hold is an error; what may not be meant so goes into the report.
pub type WriteArchive =
    fn(&[(String, Source)], Compression, &mut dyn Output, &mut Report) -> Result<(), Error>;

/// The format of a container, of those that these games have; `None` when it is none of them. Content counts before the name.
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
