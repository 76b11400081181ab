//! Files in folders that nothing is done with: those a game is known to have, and strangers.

use std::collections::BTreeMap;
use std::path::Path;

use super::pattern::is_called;
use crate::run::KnownFiles;
use asset::{Game, Known};

/// Counts files that are of no format.
#[derive(Debug, Clone)]
pub(super) struct Strangers {
    games: &'static [&'static Game],
    /// By extension.
    unknown: BTreeMap<String, u64>,
    /// By places in the lists of games and of what each is known to have.
    known: BTreeMap<(usize, usize), u64>,
}

impl Strangers {
    /// None yet.
    pub(super) fn new(games: &'static [&'static Game]) -> Self {
        Self { games, unknown: BTreeMap::new(), known: BTreeMap::new() }
    }

    /// Counts a file that belongs to one of some games, by their ids.
    pub(super) fn add(&mut self, name: &Path, of: &[&str]) {
        let called = name.file_name().unwrap_or_default().to_string_lossy();
        let mut candidates = (0_usize..).zip(self.games).filter(|(_, game)| of.contains(&game.id));
        let found = candidates.find_map(|(place, game)| {
            let is_it = |known: &Known| is_called(known.pattern, &called);
            Some((place, game.known.iter().position(is_it)?))
        });
        let count = match found {
            Some(place) => self.known.entry(place).or_default(),
            None => self.unknown.entry(extension_of(name)).or_default(),
        };
        *count = count.saturating_add(1);
    }

    /// Adds what another has counted.
    pub(super) fn add_all(&mut self, other: Self) {
        for (extension, more) in other.unknown {
            let count = self.unknown.entry(extension).or_default();
            *count = count.saturating_add(more);
        }
        for (place, more) in other.known {
            let count = self.known.entry(place).or_default();
            *count = count.saturating_add(more);
        }
    }

    /// Unknown files by extension, and known ones in the order of the lists.
    pub(super) fn into_counts(self) -> (BTreeMap<String, u64>, Vec<KnownFiles>) {
        let games = self.games;
        let told = |((game, place), files): ((usize, usize), u64)| {
            let game = games.get(game)?;
            let Known { pattern, about } = *game.known.get(place)?;
            Some(KnownFiles { game: game.id, pattern, about, files })
        };
        (self.unknown, self.known.into_iter().filter_map(told).collect())
    }
}

/// The extension in lower case; `###` for one that is a number, for files numbered by their extension are of one kind.
fn extension_of(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !extension.is_empty() && extension.chars().all(|character| character.is_ascii_digit()) {
        return "###".to_owned();
    }
    extension
}
