//! Catalog of games and formats: looking up formats by name and recognizing files.

use files::disk;
use std::path::Path;

use crate::known_files::{common_kind, common_kind_of, known_by_name};
use crate::opened::Opened;
use asset::build::Builder;
use asset::{Asset, Charset, Code, Error, Format, FormatOption, GameInfo, Probe, Report, Score, Source};
use files::suggest::did_you_mean;
use record::git_lfs;

/// Warnings that any file can raise: those of conversion, packing, extraction and the checks of games.
pub(crate) static COMMON_CODES: [&[Code]; 4] =
    [asset::product::CODES, asset::unpack::CODES, asset::archive::CODES, asset::game::CODES];

/// Catalog of games and their formats.
#[derive(Debug, Clone, Copy)]
pub struct Catalog {
    games: &'static [&'static GameInfo],
    /// Formats that belong to no game.
    shared: &'static [&'static Format],
    /// Shared formats with additions of a game.
    extended: &'static [&'static Format],
}

/// Result of recognizing a file.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Detected {
    /// The recognized format.
    pub format: &'static Format,
    /// Confidence of the match.
    pub score: Score,
}

impl Catalog {
    /// Creates a catalog of games.
    #[must_use]
    pub const fn new(games: &'static [&'static GameInfo]) -> Self {
        Self { games, shared: &[], extended: &[] }
    }

    /// Adds formats that do not belong to a game.
    #[must_use]
    pub const fn with_shared(self, shared: &'static [&'static Format]) -> Self {
        Self { shared, ..self }
    }

    /// Replaces shared formats by formats with the same ids, to which a game adds what it stores about such files elsewhere.
    #[must_use]
    pub const fn with_extended(self, extended: &'static [&'static Format]) -> Self {
        Self { extended, ..self }
    }

    /// Returns the games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static GameInfo] {
        self.games
    }

    /// Returns the character set of the game that a format belongs to: Windows-1252 if it belongs to none.
    #[must_use]
    pub fn charset_of(&self, format: &Format) -> Charset {
        let game = self.games.iter().find(|game| format.game == Some(game.id));
        game.map_or(Charset::Windows1252, |game| game.charset)
    }

    /// Iterates over all formats: game by game, then those that do not belong to a game.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> + use<> {
        let extended = self.extended;
        let shared = self.shared.iter().copied();
        let shared = shared.map(move |shared| {
            extended.iter().copied().find(|format| format.id == shared.id).unwrap_or(shared)
        });
        self.games.iter().flat_map(|game| game.formats.iter().copied()).chain(shared)
    }

    /// Iterates over the builders of derived files, game by game.
    pub fn builders(&self) -> impl Iterator<Item = &'static Builder> + use<> {
        self.games.iter().flat_map(|game| game.builders.iter().copied())
    }

    /// Whether a name has the extension of one of the formats.
    pub(crate) fn has_extension(&self, name: &str) -> bool {
        let probe = Probe::new(&[], 0, Some(name));
        self.formats().any(|format| probe.has_extension(format.extensions))
    }

    /// Looks up a format by its id (`scpcb.rmesh`) or by the part after the game (`rmesh`).
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if no format matches (the message suggests the nearest id), or if formats
    /// of several games match.
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

    /// Returns every option of every format: each name once, with the formats that have it, in catalog order. Formats may
    /// accept different values under the same name.
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

    /// Returns every warning that can be raised: the common ones first, then those of each format in catalog order.
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

    /// Whether `by` matches a warning: a full id, a prefix of an id that ends at a hyphen, or an id the warning has in one
    /// of the formats.
    #[must_use]
    pub fn has_code(&self, by: &str) -> bool {
        let mut shared = self.formats().flat_map(|format| format.shared_codes);
        shared.any(|code| code.matches(by)) || self.codes().into_iter().any(|code| code.matches(by))
    }

    /// Detects the format of a file, by its content first and by its name second. Among equally certain formats, one with
    /// the file's extension wins, then the first in catalog order. Returns `None` if no known format matches.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is a Git LFS pointer with the extension of a known format.
    pub fn detect(&self, source: &Source, name: Option<&str>) -> Result<Option<Detected>, Error> {
        self.detect_in(source, name, None)
    }

    /// Like [`Catalog::detect`], for a file inside a game. A file of another game is then recognized only by content that
    /// identifies its format beyond doubt, never by its name or by ambiguous content.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is a Git LFS pointer with the extension of a known format.
    pub fn detect_in(
        &self,
        source: &Source,
        name: Option<&str>,
        game: Option<&GameInfo>,
    ) -> Result<Option<Detected>, Error> {
        let head = source.head(Probe::HEAD)?;
        let probe = Probe::new(&head, source.len(), name);
        if git_lfs::is_pointer(&head) {
            let is_known = name.is_some_and(|name| self.has_extension(name));
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
        // A common image is recognized as such, whatever its extension.
        let is_sure = best.is_some_and(|((score, _), _)| score > Score::POSSIBLE);
        if !is_sure && common_kind(&head).is_some() {
            return Ok(None);
        }
        Ok(best.map(|((score, _), format)| Detected { format, score }))
    }

    /// Opens a file on disk.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is empty, has no known format, or is malformed.
    pub fn open(&self, path: &Path) -> Result<Opened, Error> {
        let source = disk::open(path)?;
        let opened = self.open_source(source, path.to_str()).map_err(|error| error.in_file(path))?;
        Ok(opened.on_disk(path))
    }

    /// Opens bytes from any source. The name, if given, helps to recognize the format.
    ///
    /// # Errors
    /// Fails if the bytes cannot be read, are empty, have no known format, or are malformed.
    pub fn open_source(&self, source: Source, name: Option<&str>) -> Result<Opened, Error> {
        self.open_in(source, name, None)
    }

    /// Like [`Catalog::open_source`], for a file inside a game; see [`Catalog::detect_in`].
    ///
    /// # Errors
    /// Fails if the bytes cannot be read, are empty, have no known format, or are malformed.
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

    /// Returns the format of the given bytes.
    ///
    /// # Errors
    /// Fails if the bytes cannot be read, are empty, or have no known format.
    pub fn recognize(&self, source: &Source, name: Option<&str>) -> Result<&'static Format, Error> {
        self.recognize_in(source, name, None)
    }

    /// Like [`Catalog::recognize`], for a file inside a game; see [`Catalog::detect_in`].
    ///
    /// # Errors
    /// Fails if the bytes cannot be read, are empty, or have no known format.
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

/// Opens bytes in the recognized format.
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

/// Files longer than this (in bytes) are read completely only if their start is valid.
const LARGE: u64 = 64 << 20;

/// Length in bytes of the range that contains a file's signature.
const SIGNATURE: u64 = 64;

/// Rejects a large file that is not of the format, whatever its extension, by reading only its start.
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
    // An error in half of the start that also occurs in the full start does not depend on the length. Other errors are
    // caused by the missing rest of the file.
    let half = head.get(..head.len() / 2).and_then(&fault);
    match fault(&head).filter(|error| half.as_ref().map(about) == Some(about(error))) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Returns the reason why bytes of no known format cannot be opened. Inside a game, they are not explained as a file of
/// another game.
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
        return Error::unsupported(format!("not a game file: {about}"));
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
