//! The game around a root: where what its files name is looked up. It is read anew when a file of it changes on disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use antiquary::asset::game::Root as GameRoot;
use antiquary::files::install::Decoded;
use antiquary::{Error, Install};

use crate::stamp::stamp_of;

/// The files are not looked at more often than this: a page asks for hundreds of answers at once.
const REST: Duration = Duration::from_millis(300);

/// The game around a root.
pub(crate) struct GameFiles {
    /// What the install is made of; nothing where it is in memory, and never changes.
    roots: Vec<GameRoot>,
    decoded: Arc<Decoded>,
    state: Mutex<State>,
}

/// A game as it was at one time.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) install: Arc<Install>,
    /// Another one whenever a file of the game has changed: what was made before is made anew.
    pub(crate) number: u64,
}

struct State {
    game: Snapshot,
    /// How each file that was opened for it, and its folder, was when that was noticed.
    stamps: HashMap<PathBuf, String>,
    looked: Option<Instant>,
}

impl GameFiles {
    /// The game of these folders and archives.
    pub(crate) fn on_disk(roots: Vec<GameRoot>, decoded: Arc<Decoded>) -> Result<Self, Error> {
        let install = install_of(&roots, &decoded)?;
        Ok(Self::new(roots, decoded, install))
    }

    /// One that never changes.
    pub(crate) fn in_memory(install: Install) -> Self {
        Self::new(Vec::new(), Arc::default(), install)
    }

    fn new(roots: Vec<GameRoot>, decoded: Arc<Decoded>, install: Install) -> Self {
        let game = Snapshot { install: Arc::new(install), number: 0 };
        Self { roots, decoded, state: Mutex::new(State { game, stamps: HashMap::new(), looked: None }) }
    }

    /// The game as it is now.
    pub(crate) fn now(&self) -> Snapshot {
        let mut state = self.lock();
        if self.roots.is_empty() || state.looked.is_some_and(|looked| looked.elapsed() < REST) {
            return state.game.clone();
        }
        if state.has_changed()
            && let Ok(install) = install_of(&self.roots, &self.decoded)
        {
            let number = state.game.number + 1;
            state.game = Snapshot { install: Arc::new(install), number };
            state.stamps.clear();
        }
        state.looked = Some(Instant::now());
        state.game.clone()
    }

    /// Notes how the files are that were opened for an answer, so that a change of them is seen later.
    pub(crate) fn note(&self) {
        if !self.roots.is_empty() {
            self.lock().note();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_changed(&mut self) -> bool {
        self.note();
        self.stamps.iter().any(|(path, stamp)| stamp_of(path) != *stamp)
    }

    /// Files that were opened since count as they are now. A file that appears or goes changes its folder.
    fn note(&mut self) {
        for path in self.game.install.opened().paths() {
            if self.stamps.contains_key(&path) {
                continue;
            }
            if let Some(folder) = path.parent() {
                note(&mut self.stamps, folder);
            }
            note(&mut self.stamps, &path);
        }
    }
}

fn note(stamps: &mut HashMap<PathBuf, String>, path: &Path) {
    if !stamps.contains_key(path) {
        stamps.insert(path.to_path_buf(), stamp_of(path));
    }
}

fn install_of(roots: &[GameRoot], decoded: &Arc<Decoded>) -> Result<Install, Error> {
    Ok(antiquary::asset::game::install_of(roots)?.with_cache(Arc::clone(decoded)))
}
