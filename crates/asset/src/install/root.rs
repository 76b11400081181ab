//! Finding the folder of the game that a file belongs to.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use record::{Error, Source};

use crate::archive;
use crate::format::{Format, Game};
use crate::path::fold;

/// The folder of a game around some input; or a container that stands for one.
#[derive(Debug, Clone)]
pub struct Root {
    /// The folder or the container, with symbolic links resolved.
    pub folder: PathBuf,
    /// The game whose layout it has; `None` when no game's layout was found, and the folder is only the input's own.
    pub game: Option<&'static Game>,
    /// The format of the container, if it is one.
    pub container: Option<&'static Format>,
}

impl Root {
    /// The nearest folder, from the input's own upwards, that has the layout of one of the games. Where there is none, it is
    /// the input's own folder. An input that is a folder is its own folder.
    ///
    /// # Errors
    /// When the input does not exist.
    pub fn around(input: &Path, games: &'static [&'static Game]) -> Result<Self, Error> {
        Roots::new(games).around(input)
    }

    /// A folder taken as it is, with the game whose layout it has; or a container of one of the games.
    ///
    /// # Errors
    /// When there is no such folder, or when it is a file that is no container.
    pub fn at(path: &Path, games: &'static [&'static Game]) -> Result<Self, Error> {
        let folder = path.canonicalize().map_err(|error| Error::from(error).in_file(path))?;
        if !folder.is_file() {
            let game = game_at(&folder, games);
            return Ok(Self { folder, game, container: None });
        }
        let name = folder.to_string_lossy();
        let found = archive::detect(&Source::open(&folder)?, Some(&name), games);
        match found.map_err(|error| error.in_file(path))? {
            Some((game, format)) => Ok(Self { folder, game: Some(game), container: Some(format) }),
            None => Err(Error::usage("is neither a folder nor a container of a known game").in_file(path)),
        }
    }

    /// A container of a known format.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn container(
        path: &Path,
        format: &'static Format,
        games: &'static [&'static Game],
    ) -> Result<Self, Error> {
        let folder = path.canonicalize().map_err(|error| Error::from(error).in_file(path))?;
        let game = games.iter().copied().find(|game| game.id == format.game);
        Ok(Self { folder, game, container: Some(format) })
    }
}

/// Finds the folders of games around many inputs, and looks into each folder once.
#[derive(Debug)]
pub struct Roots {
    games: &'static [&'static Game],
    known: Mutex<HashMap<PathBuf, Option<&'static Game>>>,
}

impl Roots {
    /// Looks for the layouts of these games.
    #[must_use]
    pub fn new(games: &'static [&'static Game]) -> Self {
        Self { games, known: Mutex::default() }
    }

    /// As [`Root::around`].
    ///
    /// # Errors
    /// When the input does not exist.
    pub fn around(&self, input: &Path) -> Result<Root, Error> {
        let canonical = |path: &Path| path.canonicalize().map_err(|error| Error::from(error).in_file(input));
        let own = if input.is_dir() { canonical(input)? } else { canonical(folder_of(input))? };
        let found = own.ancestors().find_map(|folder| Some((folder, self.game_at(folder)?)));
        Ok(match found {
            Some((folder, game)) => Root { folder: folder.to_path_buf(), game: Some(game), container: None },
            None => Root { folder: own, game: None, container: None },
        })
    }

    fn game_at(&self, folder: &Path) -> Option<&'static Game> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = known.get(folder) {
            return *game;
        }
        let game = game_at(folder, self.games);
        known.insert(folder.to_path_buf(), game);
        game
    }
}

/// The folder a file stands in.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The first game of which a marker stands in a folder.
fn game_at(folder: &Path, games: &[&'static Game]) -> Option<&'static Game> {
    games.iter().copied().find(|game| game.markers.iter().any(|marker| has_marker(folder, marker)))
}

fn has_marker(folder: &Path, marker: &str) -> bool {
    let mut at = folder.to_path_buf();
    marker.split('/').all(|segment| match child(&at, segment) {
        Some(below) => {
            at = below;
            true
        }
        None => false,
    })
}

/// What stands in a folder under a name, whatever the letter case.
fn child(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = folder.join(name);
    if exact.exists() {
        return Some(exact);
    }
    let folded = fold(name);
    let mut found: Vec<_> = fs::read_dir(folder)
        .ok()?
        .filter_map(Result::ok)
        .map(|entry| entry.file_name())
        .filter(|name| name.to_str().is_some_and(|name| fold(name) == folded))
        .collect();
    found.sort();
    found.first().map(|name| folder.join(name))
}
