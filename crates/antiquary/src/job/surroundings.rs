//! The game around each input. Inputs of one game share one install, and with it everything decoded.

use asset::disk;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use asset::archive::Archive;
use asset::container::Container;
use asset::game::{Root, Roots};
use asset::install::Decoded;
use asset::{Error, Game, Install};

use super::input::Held;
use super::{Input, Job};

pub(super) struct Surroundings {
    /// The install that all inputs are seen in.
    given: Option<Arc<Install>>,
    games: &'static [&'static Game],
    /// The folders that were named as game folders.
    named: Vec<Root>,
    finder: Roots,
    decoded: Arc<Decoded>,
    /// By the folder that inputs stand in.
    roots: Mutex<HashMap<PathBuf, Root>>,
    /// By the folder of the game, or the container.
    installs: Mutex<HashMap<PathBuf, Arc<Install>>>,
}

impl Surroundings {
    pub(super) fn new(job: &Job) -> Result<Self, Error> {
        let games = job.catalogue.games();
        let named = job.games.iter().map(|folder| Root::at(folder, games)).collect::<Result<_, _>>()?;
        Ok(Self {
            given: job.install.clone(),
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
        if let Some(install) = &self.given {
            return Ok(Arc::clone(install));
        }
        if let Some(held) = input.held() {
            return self.of_held(input, held);
        }
        if !input.is_on_disk() {
            return self.install(Path::new(""), &self.named);
        }
        let (folder, roots) = self.roots_of(input, input.path())?;
        self.install(&folder, &roots)
    }

    /// The install that a file in a container is seen in: that of the container, of which the container is a part.
    fn of_held(&self, input: &Input, held: &Held) -> Result<Arc<Install>, Error> {
        if let Some(install) = self.known(&held.path) {
            return Ok(install);
        }
        let (_, mut roots) = self.roots_of(input, &held.path)?;
        roots.push(Root::container(&held.path, held.format, self.games)?);
        let install = self.install(&held.path, &roots)?;
        let archive: Arc<dyn Archive> = Arc::<Container>::clone(&held.container);
        install.share(&held.path, archive);
        Ok(install)
    }

    /// The folder of the game around a file on disk, and all folders it is seen in.
    fn roots_of(&self, input: &Input, file: &Path) -> Result<(PathBuf, Vec<Root>), Error> {
        let own = self.root_of(input, file)?;
        let folder = own.folder.clone();
        let mut roots = self.named.clone();
        if !roots.iter().any(|root| folder.starts_with(&root.folder)) {
            roots.push(own);
        }
        Ok((folder, roots))
    }

    /// The containers of the games that cannot be opened or are damaged.
    pub(super) fn failures(&self) -> Vec<Error> {
        let installs = self.installs.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = installs.values().flat_map(|install| install.failures());
        let by_sentence: BTreeMap<_, _> = failures.map(|error| (error.to_string(), error)).collect();
        by_sentence.into_values().collect()
    }

    /// The game that a file belongs to, where that is known.
    pub(super) fn game_of(&self, input: &Input) -> Option<&'static Game> {
        match input.held() {
            Some(held) => self.games.iter().copied().find(|game| Some(game.id) == held.format.game),
            None => self.root_of(input, input.path()).ok()?.game,
        }
    }

    fn root_of(&self, input: &Input, file: &Path) -> Result<Root, Error> {
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = roots.get(&folder) {
            return Ok(root.clone());
        }
        let mut root = self.finder.around(file)?;
        if root.game.is_none()
            && let Some(given) = input.root().filter(|given| disk::is_folder(given))
        {
            // Where no game is recognised, the folder that was named is all there is.
            root = Root::at(given, self.games)?;
        }
        roots.insert(folder, root.clone());
        Ok(root)
    }

    fn known(&self, key: &Path) -> Option<Arc<Install>> {
        let installs = self.installs.lock().unwrap_or_else(PoisonError::into_inner);
        installs.get(key).cloned()
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
