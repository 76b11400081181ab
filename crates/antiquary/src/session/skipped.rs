//! Counts files that are not processed: known files that are not read, and files of unknown formats.

use std::collections::BTreeMap;
use std::path::Path;

use crate::run::KnownFiles;
use asset::wildcard::matches_glob;
use asset::{GameInfo, KnownFile};

/// Counts of files without a format.
#[derive(Debug, Clone)]
pub(super) struct SkippedFiles {
    games: &'static [&'static GameInfo],
    /// By extension.
    unknown: BTreeMap<String, u64>,
    /// By index of the game, and index in its list of known files.
    known: BTreeMap<(usize, usize), u64>,
    /// Files of common kinds whose names are not specific to a game, by extension and kind.
    common: BTreeMap<(String, &'static str), u64>,
}

impl SkippedFiles {
    /// Creates zero counts.
    pub(super) fn new(games: &'static [&'static GameInfo]) -> Self {
        Self { games, unknown: BTreeMap::new(), known: BTreeMap::new(), common: BTreeMap::new() }
    }

    /// Counts a file that may belong to any of these games. `content` returns its common kind; a name known to one of the
    /// games takes precedence, because it describes the purpose of the file.
    pub(super) fn add(&mut self, name: &Path, of: &[&str], content: impl FnOnce() -> Option<&'static str>) {
        let file_name = name.file_name().unwrap_or_default().to_string_lossy();
        let mut candidates = (0_usize..).zip(self.games).filter(|(_, game)| of.contains(&game.id));
        let found = candidates.find_map(|(place, game)| {
            let is_it = |known: &KnownFile| matches_glob(known.pattern, &file_name);
            Some((place, game.known.iter().position(is_it)?))
        });
        let count = match found {
            Some(place) => self.known.entry(place).or_default(),
            None => match content() {
                Some(kind) => self.common.entry((extension_of(name), kind)).or_default(),
                None => self.unknown.entry(extension_of(name)).or_default(),
            },
        };
        *count += 1;
    }

    /// Adds the counts of another.
    pub(super) fn add_all(&mut self, other: Self) {
        for (extension, more) in other.unknown {
            let count = self.unknown.entry(extension).or_default();
            *count += more;
        }
        for (place, more) in other.known {
            let count = self.known.entry(place).or_default();
            *count += more;
        }
        for (kind, more) in other.common {
            let count = self.common.entry(kind).or_default();
            *count += more;
        }
    }

    /// Returns the unknown files by extension, and the known files in declaration order, followed by those of common kinds.
    pub(super) fn into_counts(self) -> (BTreeMap<String, u64>, Vec<KnownFiles>) {
        let games = self.games;
        let to_known = |((game, place), files): ((usize, usize), u64)| {
            let game = games.get(game)?;
            let KnownFile { pattern, about } = *game.known.get(place)?;
            Some(KnownFiles { game: Some(game.id), pattern: pattern.into(), about, files })
        };
        let to_common = |((extension, about), files): ((String, &'static str), u64)| {
            let pattern = if extension.is_empty() { "*".to_owned() } else { format!("*.{extension}") };
            KnownFiles { game: None, pattern: pattern.into(), about, files }
        };
        let known = self.known.into_iter().filter_map(to_known);
        (self.unknown, known.chain(self.common.into_iter().map(to_common)).collect())
    }
}

/// Returns the extension in lower case; `###` if it is a number, because files with numbers as extensions are of one kind.
fn extension_of(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !extension.is_empty() && extension.chars().all(|character| character.is_ascii_digit()) {
        return "###".to_owned();
    }
    extension
}
