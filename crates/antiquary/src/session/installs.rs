//! Finds the install for each input. Inputs of one game share one install and its cache.

use files::disk;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use asset::archive::Archive;
use asset::container::Container;
use asset::game::{Root, Roots};
use asset::{Error, GameInfo, Install, Links, Location, OpenedFiles};
use files::install::Decoded;

use super::input::Member;
use super::{Input, Session};

pub(super) struct Installs {
    /// The install for all inputs, if one was given.
    given: Option<Arc<Install>>,
    games: &'static [&'static GameInfo],
    /// Given game folders.
    named: Vec<Root>,
    finder: Roots,
    links: Links,
    /// Files that the run opens.
    opened: OpenedFiles,
    decoded: Arc<Decoded>,
    /// Game roots by the folder of the input.
    roots: Mutex<HashMap<PathBuf, Root>>,
    /// Installs by the folder of the game or the path of the container.
    installs: Mutex<HashMap<PathBuf, Arc<Install>>>,
}

impl Installs {
    pub(super) fn new(session: &Session<'_>, opened: &OpenedFiles) -> Result<Self, Error> {
        let games = session.catalog.games();
        let named = session.games.iter().map(|folder| Ok(Root::at(folder, games)?.with_links(session.links)));
        let named = named.collect::<Result<_, Error>>()?;
        Ok(Self {
            given: session.install.clone(),
            games,
            named,
            finder: Roots::new(games),
            links: session.links,
            opened: opened.clone(),
            decoded: Arc::default(),
            roots: Mutex::default(),
            installs: Mutex::default(),
        })
    }

    /// Returns the install for an input: the given game folders, if any, layered over the game that contains the input.
    pub(super) fn of(&self, input: &Input) -> Result<Arc<Install>, Error> {
        if let Some(install) = &self.given {
            return Ok(Arc::clone(install));
        }
        if let Some(member) = input.member() {
            return self.of_member(input, member);
        }
        if !input.is_on_disk() {
            return self.install(Path::new(""), &self.named);
        }
        let (folder, roots) = self.roots_of(input, input.path())?;
        self.install(&folder, &roots)
    }

    /// Returns the location of an input in its install.
    pub(super) fn location(&self, input: &Input, install: &Arc<Install>) -> Option<Location> {
        match input.member() {
            _ if input.location().is_some() => input.location().cloned(),
            Some(member) => install.location_in(&member.path, &member.name()),
            None if input.is_on_disk() => install.location_of(input.path()),
            None => None,
        }
    }

    /// Returns the install for a file in a container: the install of the container, with the container as an additional
    /// layer.
    fn of_member(&self, input: &Input, member: &Member) -> Result<Arc<Install>, Error> {
        if let Some(install) = self.known(&member.path) {
            return Ok(install);
        }
        let (_, mut roots) = self.roots_of(input, &member.path)?;
        roots.push(Root::container(&member.path, member.format, self.games)?);
        let install = self.install(&member.path, &roots)?;
        let archive: Arc<dyn Archive> = Arc::<Container>::clone(&member.container);
        asset::container::share(&install, &member.path, archive);
        Ok(install)
    }

    /// Returns the folder of the game that contains a file on disk, and all roots for looking up its references.
    fn roots_of(&self, input: &Input, file: &Path) -> Result<(PathBuf, Vec<Root>), Error> {
        let own = self.root_of(input, file)?;
        let folder = own.folder.clone();
        let mut roots = self.named.clone();
        if !roots.iter().any(|root| folder.starts_with(&root.folder)) {
            roots.push(own);
        }
        Ok((folder, roots))
    }

    /// Returns the errors of the games' containers that cannot be opened or are damaged.
    pub(super) fn failures(&self) -> Vec<Error> {
        let installs = self.installs.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = installs.values().flat_map(|install| install.failures());
        let by_sentence: BTreeMap<_, _> = failures.map(|error| (error.to_string(), error)).collect();
        by_sentence.into_values().collect()
    }

    /// Returns the game that a file belongs to, if known.
    pub(super) fn game_of(&self, input: &Input) -> Option<&'static GameInfo> {
        let game = |id: Option<&str>| self.games.iter().copied().find(|game| Some(game.id) == id);
        match input.member() {
            Some(member) => game(member.format.game),
            None if input.is_on_disk() => self.root_of(input, input.path()).ok()?.game,
            None => game(self.given.as_ref()?.game()),
        }
    }

    /// Whether a lookup for an input failed and no game is available to it.
    pub(super) fn lacks_game(&self, input: &Input) -> bool {
        let has_no_game = self.given.is_none() && self.named.is_empty();
        has_no_game && self.of(input).is_ok_and(|install| install.game().is_none() && install.has_missed())
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
            // If no game is recognized, use the given folder, or the only game in it.
            root = self.finder.around(given)?;
        }
        root = root.with_links(self.links);
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
        let install = asset::game::install_of(roots)?.with_opened(self.opened.clone());
        let install = Arc::new(install.with_cache(Arc::clone(&self.decoded)));
        installs.insert(key.to_path_buf(), Arc::clone(&install));
        Ok(install)
    }
}
