//! Detection of the game folder that a file belongs to.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use files::disk;
use files::install::Install;
use files::layer::FolderLayer;
use files::name::fold;
use files::walk::{LinkPolicy, Links};
use record::Error;

use super::{GameInfo, detect};
use crate::container::ArchiveLayer;
use crate::format::Format;

/// The game folder around an input, or an archive that is used like one.
#[derive(Debug, Clone)]
pub struct Root {
    /// Path of the folder or the archive, with symbolic links resolved.
    pub folder: PathBuf,
    /// The game whose layout the folder has; `None` if no game was detected and the folder is just the input's own.
    pub game: Option<&'static GameInfo>,
    /// Format of the archive, if it is one.
    pub container: Option<&'static Format>,
    /// The symbolic links in the folder that are followed.
    pub links: Links,
}

impl Root {
    /// Returns the nearest folder, from the input's own folder upwards, that has the layout of one of the games. If there is none
    /// and the input is a folder, the only folder in it that has such a layout is returned, as with an unzipped mod. Otherwise
    /// the input's own folder is returned. An input that is a folder is its own folder.
    ///
    /// # Errors
    /// When the input does not exist.
    pub fn around(input: &Path, games: &'static [&'static GameInfo]) -> Result<Self, Error> {
        Roots::new(games).around(input)
    }

    /// Returns a folder with the game whose layout it has. If it has none, returns the only folder in it that has one, or else
    /// the folder itself. Also accepts an archive of one of the games.
    ///
    /// # Errors
    /// When the path does not exist, when several folders in it are games, or when it is a file but not an archive.
    pub fn at(path: &Path, games: &'static [&'static GameInfo]) -> Result<Self, Error> {
        let folder = disk::canonical(path).map_err(|error| Error::from(error).in_file(path))?;
        if !disk::is_file(&folder) {
            if let Some(game) = game_at(&folder, games) {
                return Ok(Self { folder, game: Some(game), container: None, links: Links::Inside });
            }
            return match one_below(&folder, |folder| game_at(folder, games)) {
                Below::None => Ok(Self { folder, game: None, container: None, links: Links::Inside }),
                Below::One(root) => Ok(root),
                Below::Several(first, second) => {
                    let message = format!(
                        "several games are in this folder (\"{}\" and \"{}\"); name one of them",
                        first.display(),
                        second.display()
                    );
                    Err(Error::usage(message).in_file(path))
                }
            };
        }
        let name = folder.to_string_lossy();
        let found = detect(&disk::open(&folder)?, Some(&name), games);
        match found.map_err(|error| error.in_file(path))? {
            Some((game, format)) => {
                Ok(Self { folder, game: Some(game), container: Some(format), links: Links::Inside })
            }
            None => Err(Error::usage("is neither a folder nor an archive of a known game").in_file(path)),
        }
    }

    /// Sets which symbolic links are followed.
    #[must_use]
    pub fn with_links(self, links: Links) -> Self {
        Self { links, ..self }
    }

    /// Returns an archive of a known format.
    ///
    /// # Errors
    /// When the file does not exist.
    pub fn container(
        path: &Path,
        format: &'static Format,
        games: &'static [&'static GameInfo],
    ) -> Result<Self, Error> {
        let folder = disk::canonical(path).map_err(|error| Error::from(error).in_file(path))?;
        let game = games.iter().copied().find(|game| Some(game.id) == format.game);
        Ok(Self { folder, game, container: Some(format), links: Links::Inside })
    }
}

/// Finds the game folders around many inputs, and examines each folder only once.
#[derive(Debug)]
pub struct Roots {
    games: &'static [&'static GameInfo],
    known: Mutex<HashMap<PathBuf, Option<&'static GameInfo>>>,
}

impl Roots {
    /// Creates a finder for the layouts of these games.
    #[must_use]
    pub fn new(games: &'static [&'static GameInfo]) -> Self {
        Self { games, known: Mutex::default() }
    }

    /// Like [`Root::around`].
    ///
    /// # Errors
    /// When the input does not exist.
    pub fn around(&self, input: &Path) -> Result<Root, Error> {
        let canonical =
            |path: &Path| disk::canonical(path).map_err(|error| Error::from(error).in_file(input));
        let is_folder = disk::is_folder(input);
        let own = if is_folder { canonical(input)? } else { canonical(folder_of(input))? };
        if let Some((folder, game)) = own.ancestors().find_map(|folder| Some((folder, self.game_at(folder)?)))
        {
            return Ok(Root {
                folder: folder.to_path_buf(),
                game: Some(game),
                container: None,
                links: Links::Inside,
            });
        }
        if is_folder && let Below::One(root) = one_below(&own, |folder| self.game_at(folder)) {
            return Ok(root);
        }
        Ok(Root { folder: own, game: None, container: None, links: Links::Inside })
    }

    fn game_at(&self, folder: &Path) -> Option<&'static GameInfo> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = known.get(folder) {
            return *game;
        }
        let game = game_at(folder, self.games);
        known.insert(folder.to_path_buf(), game);
        game
    }
}

/// The games directly in a folder.
#[derive(Debug)]
enum Below {
    None,
    One(Root),
    /// Names of the first two games.
    Several(PathBuf, PathBuf),
}

/// A folder with more subfolders is unlikely to contain an unzipped game and is not searched.
const MOST_FOLDERS: usize = 256;

/// Searches the direct subfolders for games, in the order of their names. Symbolic links are not followed.
fn one_below(folder: &Path, game_at: impl Fn(&Path) -> Option<&'static GameInfo>) -> Below {
    let Ok(entries) = disk::entries(folder) else { return Below::None };
    let folders =
        entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_ok_and(|it| it.is_dir()));
    let mut folders: Vec<PathBuf> =
        folders.take(MOST_FOLDERS.saturating_add(1)).map(|entry| entry.path()).collect();
    if folders.len() > MOST_FOLDERS {
        return Below::None;
    }
    folders.sort();
    let mut games = folders.into_iter().filter_map(|folder| game_at(&folder).map(|game| (folder, game)));
    let name = |folder: &Path| folder.file_name().map(PathBuf::from).unwrap_or_default();
    match (games.next(), games.next()) {
        (Some((first, _)), Some((second, _))) => Below::Several(name(&first), name(&second)),
        (Some((folder, game)), None) => {
            Below::One(Root { folder, game: Some(game), container: None, links: Links::Inside })
        }
        (None, _) => Below::None,
    }
}

/// Returns the folder of a file.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the first game that has a marker in a folder.
fn game_at(folder: &Path, games: &[&'static GameInfo]) -> Option<&'static GameInfo> {
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

/// Finds an entry of a folder by name, ignoring letter case.
fn child(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = folder.join(name);
    if disk::exists(&exact) {
        return Some(exact);
    }
    let folded = fold(name);
    let mut found: Vec<_> = disk::entries(folder)
        .ok()?
        .filter_map(Result::ok)
        .map(|entry| entry.file_name())
        .filter(|name| name.to_str().is_some_and(|name| fold(name) == folded))
        .collect();
    found.sort();
    found.first().map(|name| folder.join(name))
}

/// Returns the game around an input, detected by the layout of its folders, or the input's own folder if no game is detected.
///
/// # Errors
/// When the input does not exist.
pub fn install_around(input: &Path, games: &'static [&'static GameInfo]) -> Result<Install, Error> {
    install_of(&[Root::around(input, games)?])
}

/// Creates an install from folders and archives in order of precedence. The archives that a folder's game finds in it follow that
/// folder; they are opened when a file is looked up in them. Repeated paths are used once.
///
/// # Errors
/// When a folder does not exist.
pub fn install_of(roots: &[Root]) -> Result<Install, Error> {
    let mut out = Install::new(Vec::new());
    if let Some(game) = roots.iter().find_map(|root| root.game) {
        out = out.with_game(game.id, game.charset);
    }
    for root in roots {
        add_root(&mut out, root)?;
    }
    Ok(out)
}

/// Adds a folder with its archives, or an archive, below the existing layers.
fn add_root(install: &mut Install, root: &Root) -> Result<(), Error> {
    if let Some(format) = root.container {
        add_archive(install, &root.folder, format);
        return Ok(());
    }
    let policy = LinkPolicy::new(root.links, &root.folder);
    let layer = FolderLayer::new(&root.folder, install.charset())?.with_links(policy.clone());
    install.add_layer(Arc::new(layer));
    if let Some(archives) = root.game.and_then(|game| game.archives) {
        for path in (archives.find)(&root.folder, install.opened()) {
            match disk::canonical(&path) {
                // As with all files of a game, a symbolic link must not lead out of the game.
                Ok(real) if !policy.allows(&real) => {
                    install.add_layer(Arc::new(ArchiveLayer::broken(
                        &path,
                        Error::usage("leads outside the game folder"),
                    )));
                }
                _ => add_archive(install, &path, archives.format),
            }
        }
    }
    Ok(())
}

fn add_archive(install: &mut Install, path: &Path, format: &'static Format) {
    let path = disk::canonical(path).unwrap_or_else(|_| path.to_path_buf());
    install.add_layer(Arc::new(ArchiveLayer::on_disk(&path, format)));
}
