//! The game around each input. Inputs of one game share one install, and with it everything decoded.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use asset::install::{Decoded, Root, Roots};
use asset::{Error, Game, Install};

use super::{Input, Job};

pub(super) struct Surroundings {
    games: &'static [&'static Game],
    /// The folders that were named as game folders.
    named: Vec<Root>,
    finder: Roots,
    decoded: Arc<Decoded>,
    /// By the folder that inputs stand in.
    roots: Mutex<HashMap<PathBuf, Root>>,
    /// By the folder of the game.
    installs: Mutex<HashMap<PathBuf, Arc<Install>>>,
}

impl Surroundings {
    pub(super) fn new(job: &Job) -> Result<Self, Error> {
        let games = job.catalogue.games();
        let named = job.games.iter().map(|folder| Root::at(folder, games)).collect::<Result<_, _>>()?;
        Ok(Self {
            games,
            named,
            finder: Roots::new(games),
            decoded: Arc::default(),
            roots: Mutex::default(),
            installs: Mutex::default(),
        })
    }

    /// The install that an input is seen in: the folders that were named, if any were, over the game around the input.
    pub(super) fn of(&self, input: &Input) -> Result<Arc<Install>, Error> {
        if !input.is_on_disk() {
            return self.install(Path::new(""), &self.named);
        }
        let own = self.root_of(input)?;
        let folder = own.folder.clone();
        let mut roots = self.named.clone();
        if !roots.iter().any(|root| folder.starts_with(&root.folder)) {
            roots.push(own);
        }
        self.install(&folder, &roots)
    }

    fn root_of(&self, input: &Input) -> Result<Root, Error> {
        let folder = input.path().parent().unwrap_or(Path::new("")).to_path_buf();
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = roots.get(&folder) {
            return Ok(root.clone());
        }
        let mut root = self.finder.around(input.path())?;
        if root.game.is_none()
            && let Some(given) = input.root()
        {
            // Where no game is recognised, the folder that was named is all there is.
            root = Root::at(given, self.games)?;
        }
        roots.insert(folder, root.clone());
        Ok(root)
    }

    fn install(&self, key: &Path, roots: &[Root]) -> Result<Arc<Install>, Error> {
        let mut installs = self.installs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(install) = installs.get(key) {
            return Ok(Arc::clone(install));
        }
        let install = Arc::new(Install::of_roots(roots)?.with_cache(Arc::clone(&self.decoded)));
        installs.insert(key.to_path_buf(), Arc::clone(&install));
        Ok(install)
    }
}
