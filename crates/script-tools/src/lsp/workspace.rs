//! The game and the script file that a text belongs to.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use antiquary::files::disk;
use antiquary::script::ScriptEditor;
use antiquary::{Error, Session};

use crate::lsp::settings::Settings;

/// Maximum number of parent folders of a text that are searched for the manifest of an unpacked file.
const MAX_FOLDERS: usize = 6;

/// Files in the folder of an unpacked file that affect its scripts.
const MANIFEST: &str = "antiquary.json";
const RECORD: &str = "record.json";

/// The origin of a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// An unpacked file.
    Folder(PathBuf),
    /// A file with scripts.
    Map(PathBuf),
    /// A game, without a known file.
    Game(PathBuf),
    /// Unknown: only the names built into the language are available.
    Unknown,
}

/// The editing support for the texts of one origin.
#[derive(Debug)]
pub(crate) struct Scripts {
    pub(crate) origin: Origin,
    pub(crate) editor: ScriptEditor,
    /// Name of the script file in its game, in lower case.
    pub(crate) file_name: Option<String>,
    /// The folder of the game.
    pub(crate) game: Option<PathBuf>,
    /// Modification times of the files that were read.
    stamp: Vec<Option<SystemTime>>,
}

/// All scripts, loaded when first needed.
#[derive(Debug)]
pub(crate) struct Workspace {
    session: Session<'static>,
    settings: Settings,
    /// The session with its games opened, by the folder of the game.
    opened: HashMap<Option<PathBuf>, Session<'static>>,
    cache: HashMap<Origin, Arc<Scripts>>,
    /// Pending notes for the user.
    pub(crate) notes: Vec<String>,
}

impl Workspace {
    pub(crate) fn new(session: &Session<'static>, settings: Settings) -> Self {
        let session = settings.session(session);
        Self { session, settings, opened: HashMap::new(), cache: HashMap::new(), notes: Vec::new() }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Replaces the settings and discards everything that was read.
    pub(crate) fn set(&mut self, settings: Settings) {
        self.session = settings.session(&self.session);
        self.settings = settings;
        self.opened.clear();
        self.cache.clear();
    }

    /// The scripts that a text belongs to.
    pub(crate) fn scripts_of(&mut self, path: Option<&Path>) -> Result<Arc<Scripts>, Error> {
        let mut last_error = None;
        for origin in self.origins(path) {
            match self.scripts(&origin, path) {
                Ok(Some(scripts)) => return Ok(scripts),
                Ok(None) => {}
                Err(error) => {
                    self.notes.push(error.to_string());
                    last_error = Some(error);
                }
            }
        }
        // The last origin needs no lookup, so this is only reached if a definitions file cannot be read.
        Err(last_error.unwrap_or_else(|| Error::unsupported("no names are available")))
    }

    /// The scripts of an origin.
    pub(crate) fn scripts_from(&mut self, origin: &Origin) -> Result<Arc<Scripts>, Error> {
        let found = self.scripts(origin, None)?;
        found.ok_or_else(|| Error::unsupported("the file no longer has scripts"))
    }

    /// Possible origins of a text, the most specific first.
    fn origins(&self, path: Option<&Path>) -> Vec<Origin> {
        let mut out = Vec::new();
        let folders = path.into_iter().flat_map(Path::ancestors).skip(1).take(MAX_FOLDERS);
        let unpacked = folders.filter(|folder| disk::is_file(&folder.join(MANIFEST)));
        out.extend(unpacked.map(|folder| Origin::Folder(folder.to_path_buf())));
        out.extend(self.settings.map.clone().map(Origin::Map));
        if let Some(game) = self.game_of(path) {
            let folder = path.and_then(Path::parent).and_then(Path::file_name);
            let map = folder.and_then(|name| self.session.scripted_file(&game, &name.to_string_lossy()));
            out.extend(map.map(Origin::Map));
            out.push(Origin::Game(game));
        }
        out.push(Origin::Unknown);
        out
    }

    /// The folder of the game: the configured one, or the game around the text or around the configured map.
    fn game_of(&self, path: Option<&Path>) -> Option<PathBuf> {
        let given = self.settings.games.first().cloned();
        let around = || path.and_then(|path| self.session.game_around(path));
        given.or_else(around).or_else(|| self.session.game_around(self.settings.map.as_deref()?))
    }

    fn scripts(&mut self, origin: &Origin, path: Option<&Path>) -> Result<Option<Arc<Scripts>>, Error> {
        let stamp = stamp_of(origin, &self.settings);
        if let Some(cache) = self.cache.get(origin).filter(|cache| cache.stamp == stamp) {
            return Ok(Some(Arc::clone(cache)));
        }
        let game = match origin {
            Origin::Game(game) => Some(game.clone()),
            Origin::Map(map) => self.game_of(Some(map)),
            Origin::Folder(folder) => self.game_of(path.or(Some(folder))),
            Origin::Unknown => self.game_of(path),
        };
        let options = self.settings.script_options();
        let session = self.session_in(game.clone())?;
        let name_of = |path: &Path| path.file_name().map(|it| it.to_string_lossy().to_lowercase());
        let (editor, file_name) = match origin {
            Origin::Folder(folder) => match session.script_editor_of_folder(folder)? {
                Some(found) => (found.editor, name_of(Path::new(&found.source_name))),
                None => return Ok(None),
            },
            Origin::Map(map) => (session.script_editor(map, &options)?, name_of(map)),
            Origin::Game(_) | Origin::Unknown => (session.script_editor_of_game(&options)?, None),
        };
        let scripts = Arc::new(Scripts { origin: origin.clone(), editor, file_name, game, stamp });
        self.cache.insert(origin.clone(), Arc::clone(&scripts));
        Ok(Some(scripts))
    }

    /// A session for the game of a text, which is opened once.
    pub(crate) fn session_of(&mut self, path: Option<&Path>) -> Result<Session<'static>, Error> {
        self.session_in(self.game_of(path))
    }

    /// A session for a game, which is opened once.
    pub(crate) fn session_in(&mut self, game: Option<PathBuf>) -> Result<Session<'static>, Error> {
        if let Some(session) = self.opened.get(&game) {
            return Ok(session.clone());
        }
        let games = if self.settings.games.is_empty() {
            game.iter().cloned().collect()
        } else {
            self.settings.games.clone()
        };
        let mut session = self.session.clone();
        session.games = games;
        let session = session.with_opened_games()?;
        self.opened.insert(game, session.clone());
        Ok(session)
    }
}

/// Modification times of the files that an origin is read from.
fn stamp_of(origin: &Origin, settings: &Settings) -> Vec<Option<SystemTime>> {
    let files = match origin {
        Origin::Folder(folder) => vec![folder.join(MANIFEST), folder.join(RECORD)],
        Origin::Map(map) => vec![map.clone()],
        Origin::Game(_) | Origin::Unknown => Vec::new(),
    };
    let files = files.iter().chain(&settings.definitions);
    let changed = |data: Metadata| data.modified().ok();
    files.map(|file| disk::metadata(file).ok().and_then(changed)).collect()
}
