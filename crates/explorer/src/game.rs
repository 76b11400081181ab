//! The game around a root, in which references are resolved. It is loaded again when one of its files changes on disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use antiquary::asset::game::Root as GameRoot;
use antiquary::files::install::Decoded;
use antiquary::{Error, Install};

use crate::stamp::stamp_of;

/// Minimum interval between checks for changes, because a page sends hundreds of requests at once.
const REST: Duration = Duration::from_millis(300);

/// The game around a root.
pub(crate) struct GameFiles {
    /// Roots of the install; empty if it is in memory and never changes.
    roots: Vec<GameRoot>,
    decoded: Arc<Decoded>,
    state: Mutex<State>,
}

/// A game at a point in time.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) install: Arc<Install>,
    /// Number that changes whenever a file of the game changes, which invalidates products made before.
    pub(crate) number: u64,
}

struct State {
    game: Snapshot,
    /// Stamp of each opened file and its folder, from the time when it was first noticed.
    stamps: HashMap<PathBuf, String>,
    looked: Option<Instant>,
}

impl GameFiles {
    /// Creates the game of these folders and archives.
    pub(crate) fn on_disk(roots: Vec<GameRoot>, decoded: Arc<Decoded>) -> Result<Self, Error> {
        let install = install_of(&roots, &decoded)?;
        Ok(Self::new(roots, decoded, install))
    }

    /// Creates a game that never changes.
    pub(crate) fn in_memory(install: Install) -> Self {
        Self::new(Vec::new(), Arc::default(), install)
    }

    fn new(roots: Vec<GameRoot>, decoded: Arc<Decoded>, install: Install) -> Self {
        let game = Snapshot { install: Arc::new(install), number: 0 };
        Self { roots, decoded, state: Mutex::new(State { game, stamps: HashMap::new(), looked: None }) }
    }

    /// Returns the current game.
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

    /// Records the stamps of the files that were opened for an answer, so that later changes are detected.
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

    /// Records files that were opened since the last call in their current state. Creating or removing a file changes its
    /// folder.
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
