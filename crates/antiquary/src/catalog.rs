//! The list of games and formats: finding a format by name, and recognizing files.

use files::disk;
use std::path::Path;

use crate::foreign::{common_kind, common_kind_of, known_by_name};
use crate::opened::Opened;
use asset::build::Builder;
use asset::{Asset, Code, Error, Format, FormatOption, GameInfo, Probe, Report, Score, Source};
use files::suggest::did_you_mean;
use record::git_lfs;

/// The warnings that files of any format can raise: those of converting, packing, extracting and whole games.
pub(crate) static COMMON_CODES: [&[Code]; 4] =
    [asset::product::CODES, asset::unpack::CODES, asset::archive::CODES, asset::game::CODES];

/// Games and their formats.
#[derive(Debug, Clone, Copy)]
pub struct Catalog {
    games: &'static [&'static GameInfo],
    /// Formats that belong to no game.
    shared: &'static [&'static Format],
}

/// What a file was recognized as.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Detected {
    /// The format.
    pub format: &'static Format,
    /// How surely.
    pub score: Score,
}

impl Catalog {
    /// A list of games.
    #[must_use]
    pub const fn new(games: &'static [&'static GameInfo]) -> Self {
        Self { games, shared: &[] }
    }

    /// The same with formats that belong to no game.
    #[must_use]
    pub const fn with_shared(self, shared: &'static [&'static Format]) -> Self {
        Self { shared, ..self }
    }

    /// The games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static GameInfo] {
        self.games
    }

    /// All formats: game by game, then those that belong to no game.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> + use<> {
        self.games.iter().flat_map(|game| game.formats.iter().copied()).chain(self.shared.iter().copied())
    }

    /// What can be computed anew, game by game.
    pub fn builders(&self) -> impl Iterator<Item = &'static Builder> + use<> {
        self.games.iter().flat_map(|game| game.builders.iter().copied())
    }

    /// Whether a name has an extension of one of the formats.
    pub(crate) fn knows_extension(&self, name: &str) -> bool {
        let probe = Probe::new(&[], 0, Some(name));
        self.formats().any(|format| probe.has_extension(format.extensions))
    }

    /// A format by its id, `scpcb.rmesh`, or by the part after the game, `rmesh`.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when there is none, with the nearest; or when several games have one of that name.
    pub fn format(&self, id: &str) -> Result<&'static Format, Error> {
        let exact = |format: &&Format| format.id.eq_ignore_ascii_case(id);
        if let Some(format) = self.formats().find(exact) {
            return Ok(format);
        }
        let found: Vec<_> =
            self.formats().filter(|format| format.short_id().eq_ignore_ascii_case(id)).collect();
        match found.as_slice() {
            [format] => Ok(format),
            [] => {
                let known = self.formats().flat_map(|format| [format.id, format.short_id()]);
                Err(Error::usage(format!("unknown format \"{id}\"{}", did_you_mean(id, known))))
            }
            several => {
                let ids: Vec<_> = several.iter().map(|format| format.id).collect();
                Err(Error::usage(format!("\"{id}\" is ambiguous: it can mean {}", ids.join(", "))))
            }
        }
    }

    /// Every option of every format: each name once, with the formats that have it, in the order of the list.
    /// Formats may differ in what they accept under one name.
    #[must_use]
    pub fn options(&self) -> Vec<(&'static str, Vec<(&'static Format, &'static FormatOption)>)> {
        let mut out: Vec<(&'static str, Vec<_>)> = Vec::new();
        for format in self.formats() {
            for option in format.options {
                match out.iter_mut().find(|(name, _)| *name == option.name) {
                    Some((_, formats)) => formats.push((format, option)),
                    None => out.push((option.name, vec![(format, option)])),
                }
            }
        }
        out
    }

    /// Every warning that can be raised: those of any format, then those of each format in the order of the list.
    #[must_use]
    pub fn codes(&self) -> Vec<&'static Code> {
        let mut out: Vec<&'static Code> = Vec::new();
        for code in COMMON_CODES.into_iter().flatten().chain(self.formats().flat_map(Format::all_codes)) {
            if !out.iter().any(|known| known.id == code.id) {
                out.push(code);
            }
        }
        out
    }

    /// Whether a warning can be meant: by a whole id, by its beginning up to a hyphen, or by an id that it had in one of the formats.
    #[must_use]
    pub fn has_code(&self, by: &str) -> bool {
        let mut shared = self.formats().flat_map(|format| format.shared_codes);
        shared.any(|code| code.is_meant(by)) || self.codes().into_iter().any(|code| code.is_meant(by))
    }

    /// What a file is: by its content first, by its name second. Of formats that are equally sure, one with the file's
    /// extension counts first, then the one that stands first in the list. `None` when it is of no known format.
    ///
    /// # Errors
    /// When the file cannot be read, or is a Git LFS pointer under the name of a known format.
    pub fn detect(&self, source: &Source, name: Option<&str>) -> Result<Option<Detected>, Error> {
        self.detect_in(source, name, None)
    }

    /// As [`Catalog::detect`], for a file inside a game. A file of another game is recognized there only by content that names its format, not by
    /// its name or by content that might be something else.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn detect_in(
        &self,
        source: &Source,
        name: Option<&str>,
        game: Option<&GameInfo>,
    ) -> Result<Option<Detected>, Error> {
        let head = source.head(Probe::HEAD)?;
        let probe = Probe::new(&head, source.len(), name);
        if git_lfs::is_pointer(&head) {
            let is_known = name.is_some_and(|name| self.knows_extension(name));
            return if is_known { Err(lfs_pointer()) } else { Ok(None) };
        }
        let mut best: Option<((Score, bool), &'static Format)> = None;
        for format in self.formats() {
            let named = probe.has_extension(format.extensions);
            let Some(score) = (format.probe)(&probe).or_else(|| named.then_some(Score::POSSIBLE)) else {
                continue;
            };
            let is_of_other = game.zip(format.game).is_some_and(|(game, other)| game.id != other);
            if is_of_other && score < Score::CERTAIN {
                continue;
            }
            let rank = (score, named);
            if score > Score::NEVER && best.is_none_or(|(known, _)| rank > known) {
                best = Some((rank, format));
            }
        }
        // A picture is a picture, whatever its name says.
        let is_sure = best.is_some_and(|((score, _), _)| score > Score::POSSIBLE);
        if !is_sure && common_kind(&head).is_some() {
            return Ok(None);
        }
        Ok(best.map(|((score, _), format)| Detected { format, score }))
    }

    /// Opens a file on disk.
    ///
    /// # Errors
    /// When it cannot be read, is empty, of no known format, or not sound.
    pub fn open(&self, path: &Path) -> Result<Opened, Error> {
        let source = disk::open(path)?;
        let opened = self.open_source(source, path.to_str()).map_err(|error| error.in_file(path))?;
        Ok(opened.on_disk(path))
    }

    /// Opens bytes from anywhere. The name, if there is one, helps to recognize them.
    ///
    /// # Errors
    /// When they cannot be read, are none at all, of no known format, or not sound.
    pub fn open_source(&self, source: Source, name: Option<&str>) -> Result<Opened, Error> {
        self.open_in(source, name, None)
    }

    /// As [`Catalog::open_source`], for a file inside a game; see [`Catalog::detect_in`].
    ///
    /// # Errors
    /// When they cannot be read, are none at all, of no known format, or not sound.
    pub fn open_in(
        &self,
        source: Source,
        name: Option<&str>,
        game: Option<&GameInfo>,
    ) -> Result<Opened, Error> {
        let format = self.recognize_in(&source, name, game)?;
        let mut report = Report::new();
        let asset = open_as(format, &source, &mut report)?;
        Ok(Opened::new(self.games, format, asset, source, report).with_path(name.unwrap_or_default()))
    }

    /// The format of some bytes.
    ///
    /// # Errors
    /// When they cannot be read, are none at all, or of no known format.
    pub fn recognize(&self, source: &Source, name: Option<&str>) -> Result<&'static Format, Error> {
        self.recognize_in(source, name, None)
    }

    /// As [`Catalog::recognize`], for a file inside a game; see [`Catalog::detect_in`].
    ///
    /// # Errors
    /// When they cannot be read, are none at all, or of no known format.
    pub fn recognize_in(
        &self,
        source: &Source,
        name: Option<&str>,
        game: Option<&GameInfo>,
    ) -> Result<&'static Format, Error> {
        match self.detect_in(source, name, game)? {
            Some(found) => Ok(found.format),
            None => Err(unknown(*self, source, name, game)),
        }
    }
}

/// Opens bytes as what they were recognized as.
pub(crate) fn open_as(
    format: &Format,
    source: &Source,
    report: &mut Report,
) -> Result<Box<dyn Asset>, Error> {
    if source.is_empty() {
        return Err(empty());
    }
    refuse_by_start(format, source)?;
    (format.open)(source, report)
}

/// A file of more bytes is read only if its start is sound.
const LARGE: u64 = 64 << 20;

/// Where the signature of a file is.
const SIGNATURE: u64 = 64;

/// Refuses a large file that is not of the format, whatever its name says, without reading more than its start.
fn refuse_by_start(format: &Format, source: &Source) -> Result<(), Error> {
    if source.len() <= LARGE {
        return Ok(());
    }
    let head = source.head(Probe::HEAD)?;
    let probe = Probe::new(&head, source.len(), None);
    if (format.probe)(&probe).is_some_and(|score| score > Score::POSSIBLE) {
        return Ok(());
    }
    let fault = |head: &[u8]| {
        let opened = (format.open)(&Source::from(head.to_vec()), &mut Report::new());
        opened.err().filter(|error| error.offset().is_some_and(|offset| offset < SIGNATURE))
    };
    let about = |error: &Error| (error.offset(), error.to_string());
    // What is wrong with half the start is wrong with any length: other faults come from the rest that is not there.
    let half = head.get(..head.len() / 2).and_then(&fault);
    match fault(&head).filter(|error| half.as_ref().map(about) == Some(about(error))) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Why bytes of no known format cannot be opened. Inside a game they are not explained as a file of another one.
pub(crate) fn unknown(
    catalog: Catalog,
    source: &Source,
    name: Option<&str>,
    game: Option<&GameInfo>,
) -> Error {
    if source.is_empty() {
        return empty();
    }
    if source.head(Probe::HEAD).is_ok_and(|head| git_lfs::is_pointer(&head)) {
        return lfs_pointer();
    }
    if let Ok(Some(about)) = common_kind_of(source) {
        return Error::unsupported(format!("not a file of a game: {about}"));
    }
    let name = name.map(|name| name.rsplit(['/', '\\']).next().unwrap_or_default());
    match name.and_then(|name| known_by_name(catalog.games(), name, game)) {
        Some((game, known)) => {
            let message = format!("known, but not read: {} ({}, {})", known.about, game.name, known.pattern);
            Error::unsupported(message)
        }
        None => Error::malformed("unknown file format").at(0),
    }
}

fn lfs_pointer() -> Error {
    Error::malformed(git_lfs::ABOUT).at(0)
}

fn empty() -> Error {
    Error::malformed("the file is empty").at(0)
}
