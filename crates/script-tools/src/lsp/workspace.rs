//! Which game and which file of scripts a text belongs to.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use antiquary::files::disk;
use antiquary::script::ScriptEditor;
use antiquary::{Error, Session};

use crate::lsp::settings::Settings;

/// So many folders around a text are searched for the manifest of an unpacked file.
const MOST_FOLDERS: usize = 6;

/// The files of an unpacked file that tell of its scripts.
const MANIFEST: &str = "antiquary.json";
const RECORD: &str = "record.json";

/// What a text belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// An unpacked file.
    Folder(PathBuf),
    /// A file with scripts.
    Map(PathBuf),
    /// A game, but none of its files that is known.
    Game(PathBuf),
    /// Nothing that is known: the names are those that the language has by itself.
    Nothing,
}

/// What is known for the texts of one origin.
#[derive(Debug)]
pub(crate) struct Scripts {
    pub(crate) origin: Origin,
    pub(crate) editor: ScriptEditor,
    /// What the file with the scripts is called in its game, in lower case.
    pub(crate) file_name: Option<String>,
    /// The folder of the game.
    pub(crate) game: Option<PathBuf>,
    /// When the files that were read last changed.
    stamp: Vec<Option<SystemTime>>,
}

/// All that is known, read when it is first needed.
#[derive(Debug)]
pub(crate) struct Workspace {
    session: Session<'static>,
    settings: Settings,
    /// The session with its games opened, by the folder of the game.
    opened: HashMap<Option<PathBuf>, Session<'static>>,
    known: HashMap<Origin, Arc<Scripts>>,
    /// What the user is to be told.
    pub(crate) notes: Vec<String>,
}

impl Workspace {
    pub(crate) fn new(session: &Session<'static>, settings: Settings) -> Self {
        let session = settings.session(session);
        Self { session, settings, opened: HashMap::new(), known: HashMap::new(), notes: Vec::new() }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets all that was read, and looks things up anew.
    pub(crate) fn set(&mut self, settings: Settings) {
        self.session = settings.session(&self.session);
        self.settings = settings;
        self.opened.clear();
        self.known.clear();
    }

    /// What is known for a text.
    pub(crate) fn scripts_of(&mut self, path: Option<&Path>) -> Result<Arc<Scripts>, Error> {
        let mut refused = None;
        for origin in self.origins(path) {
            match self.scripts(&origin, path) {
                Ok(Some(scripts)) => return Ok(scripts),
                Ok(None) => {}
                Err(error) => {
                    self.notes.push(error.to_string());
                    refused = Some(error);
                }
            }
        }
        // Nothing is looked up for the last of them, so this is not reached but for a file of definitions that cannot be read.
        Err(refused.unwrap_or_else(|| Error::unsupported("no names are known")))
    }

    /// What is known for texts of a file of the game.
    pub(crate) fn scripts_from(&mut self, origin: &Origin) -> Result<Arc<Scripts>, Error> {
        let found = self.scripts(origin, None)?;
        found.ok_or_else(|| Error::unsupported("there are no scripts any more"))
    }

    /// What a text may belong to, the best first.
    fn origins(&self, path: Option<&Path>) -> Vec<Origin> {
        let mut out = Vec::new();
        let folders = path.into_iter().flat_map(Path::ancestors).skip(1).take(MOST_FOLDERS);
        let unpacked = folders.filter(|folder| disk::is_file(&folder.join(MANIFEST)));
        out.extend(unpacked.map(|folder| Origin::Folder(folder.to_path_buf())));
        out.extend(self.settings.map.clone().map(Origin::Map));
        if let Some(game) = self.game_of(path) {
            let folder = path.and_then(Path::parent).and_then(Path::file_name);
            let map = folder.and_then(|name| self.session.scripted_file(&game, &name.to_string_lossy()));
            out.extend(map.map(Origin::Map));
            out.push(Origin::Game(game));
        }
        out.push(Origin::Nothing);
        out
    }

    /// The folder of the game: the given one, or that around the text or around the given map.
    fn game_of(&self, path: Option<&Path>) -> Option<PathBuf> {
        let given = self.settings.games.first().cloned();
        let around = || path.and_then(|path| self.session.game_around(path));
        given.or_else(around).or_else(|| self.session.game_around(self.settings.map.as_deref()?))
    }

    fn scripts(&mut self, origin: &Origin, path: Option<&Path>) -> Result<Option<Arc<Scripts>>, Error> {
        let stamp = stamp_of(origin, &self.settings);
        if let Some(known) = self.known.get(origin).filter(|known| known.stamp == stamp) {
            return Ok(Some(Arc::clone(known)));
        }
        let game = match origin {
            Origin::Game(game) => Some(game.clone()),
            Origin::Map(map) => self.game_of(Some(map)),
            Origin::Folder(folder) => self.game_of(path.or(Some(folder))),
            Origin::Nothing => self.game_of(path),
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
            Origin::Game(_) | Origin::Nothing => (session.script_editor_of_game(&options)?, None),
        };
        let scripts = Arc::new(Scripts { origin: origin.clone(), editor, file_name, game, stamp });
        self.known.insert(origin.clone(), Arc::clone(&scripts));
        Ok(Some(scripts))
    }

    /// A session in a game that is opened once.
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

/// When the files changed that an origin is read from.
fn stamp_of(origin: &Origin, settings: &Settings) -> Vec<Option<SystemTime>> {
    let files = match origin {
        Origin::Folder(folder) => vec![folder.join(MANIFEST), folder.join(RECORD)],
        Origin::Map(map) => vec![map.clone()],
        Origin::Game(_) | Origin::Nothing => Vec::new(),
    };
    let files = files.iter().chain(&settings.definitions);
    let changed = |data: Metadata| data.modified().ok();
    files.map(|file| disk::metadata(file).ok().and_then(changed)).collect()
}
