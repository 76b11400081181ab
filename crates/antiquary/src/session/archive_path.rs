//! Paths into containers, in the form in which the program prints them: `data.grf/data/model/mill.rsm`,
//! `data.grf/data/model`, `data.grf/**/*.rsm`. Also paths in a game's folder that do not exist on disk and are looked up in
//! the game's containers: `Ragnarok/data/model/mill.rsm`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::{Archive, Content, Entry};
use asset::container::{Container, not_an_archive};
use asset::game::Root;
use asset::{Can, Error, Format, Links, OpenedFiles, Report};
use files::disk;
use files::name::{composed, safe_name};
use files::suggest::nearest_few;
use files::walk::LinkPolicy;

use super::Input;
use super::input::{Member, path_of_entry};
use super::pattern::Pattern;
use crate::catalog::Catalog;

/// Maximum number of suggestions for an unknown path.
const MAX_SUGGESTIONS: usize = 3;

/// A path that continues after a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ArchivePath {
    /// The file, most likely a container.
    pub(super) container: PathBuf,
    /// Rest of the path, with `/` as separator; empty for the entire contents.
    within: String,
}

impl ArchivePath {
    /// Splits a path at the file that is one of its ancestors. Returns `None` if the path itself exists, or if no ancestor
    /// is a file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        if disk::exists(path) {
            return None;
        }
        // Removes a trailing slash.
        let path: PathBuf = path.components().collect();
        let container = path.ancestors().find(|folder| disk::is_file(folder))?;
        let within = path.strip_prefix(container).ok()?.to_string_lossy();
        let within = composed(&within).replace('\\', "/");
        Some(Self { container: container.to_path_buf(), within })
    }

    /// Whether the path can match several files, some of which may have no known format.
    fn is_pattern(&self) -> bool {
        self.within.is_empty() || self.within.contains(['*', '?'])
    }
}

/// Result of resolving a path into a container.
pub(super) struct Found {
    pub(super) inputs: Vec<Input>,
    /// Whether the path is a folder or a pattern rather than a single file.
    pub(super) is_folder: bool,
}

impl Found {
    fn broken(path: &Path, error: Error) -> Self {
        Self { inputs: vec![Input::file(path).broken(error)], is_folder: false }
    }
}

impl Input {
    /// Resolves a path: a file on disk or a file in a container, as in `data.grf/data/model/mill.rsm`, or in
    /// `Ragnarok/data/model/mill.rsm`, which is looked up in the game's containers as the game does. A path that leads to no
    /// file, or to several files, results in an input that fails when it is read.
    #[must_use]
    pub fn find(catalog: Catalog, path: &Path) -> Self {
        let Some(found) = Containers::new(catalog, Links::Inside).find(path) else {
            return Self::file(path);
        };
        match (found.is_folder, found.inputs.into_iter().next()) {
            (false, Some(only)) => only,
            _ => {
                let error = Error::usage("matches several files in the archive; specify one of them");
                Self::file(path).broken(error)
            }
        }
    }

    /// Whether a path continues after a file, and thus refers to the contents of a container.
    #[must_use]
    pub fn is_in_file(path: &Path) -> bool {
        ArchivePath::of(path).is_some()
    }
}

/// Containers that paths lead into, each opened once.
pub(super) struct Containers {
    catalog: Catalog,
    links: Links,
    opened: HashMap<PathBuf, Result<Opened, Error>>,
}

/// A container that paths lead into.
#[derive(Clone)]
struct Opened {
    container: Arc<Container>,
    path: Arc<Path>,
    format: &'static Format,
    length: u64,
    report: Arc<Report>,
}

impl Opened {
    fn new(catalog: Catalog, path: &Path) -> Result<Self, Error> {
        let (source, format) = Input::file(path).recognize(catalog)?;
        if !format.can(Can::List) {
            return Err(not_an_archive(format));
        }
        let mut report = Report::new();
        let container = Container::open(format, &source, &mut report)?;
        Ok(Self {
            container: Arc::new(container),
            path: Arc::from(path),
            format,
            length: source.len(),
            report: Arc::new(report),
        })
    }

    /// Returns the indices of the selected entries.
    fn entries(&self, choose: impl Fn(&Entry<'_>) -> bool) -> Vec<usize> {
        let archive: &dyn Archive = &*self.container;
        let entries = (0..).zip(archive.entries());
        entries.filter(|(_, entry)| choose(entry)).map(|(index, _)| index).collect()
    }

    fn member(&self, index: usize) -> Member {
        Member {
            container: Arc::clone(&self.container),
            path: Arc::clone(&self.path),
            format: self.format,
            archive_length: self.length,
            index,
        }
    }

    /// Creates an input from a single file; its outputs are named after its file name alone.
    fn file(&self, index: usize) -> Input {
        let member = self.member(index);
        let name = slashed(&member.name());
        let own = safe_name(name.rsplit('/').next().unwrap_or_default());
        Input::of_member(path_of_entry(&self.path, &name), None, PathBuf::from(own.into_owned()), member)
    }

    /// Creates an input from one of several files; its outputs keep the folders except the first `common` ones, which all
    /// files share.
    fn one_of_several(&self, index: usize, common: usize) -> Input {
        let member = self.member(index);
        let name = slashed(&member.name());
        let segments = name.split('/').filter(|segment| !["", ".", ".."].contains(segment));
        let relative: PathBuf =
            segments.skip(common).map(|segment| safe_name(segment).into_owned()).collect();
        Input::of_member(path_of_entry(&self.path, &name), Some(self.path.to_path_buf()), relative, member)
    }
}

impl Containers {
    pub(super) fn new(catalog: Catalog, links: Links) -> Self {
        Self { catalog, links, opened: HashMap::new() }
    }

    /// Returns the files that a path leads to. Returns `None` if the path exists on disk, or if it has neither a file as
    /// ancestor nor a game with containers around it. A path into a container that matches nothing becomes an input that
    /// fails.
    pub(super) fn find(&mut self, path: &Path) -> Option<Found> {
        match ArchivePath::of(path) {
            Some(target) => Some(self.find_in_archive(path, &target)),
            None => self.find_in_game(path),
        }
    }

    fn find_in_archive(&mut self, path: &Path, target: &ArchivePath) -> Found {
        let opened = match self.open(&target.container) {
            Ok(opened) => opened,
            Err(error) => return Found::broken(path, error.in_file(&target.container)),
        };
        match opened.find(target) {
            Ok(Chosen::One(index)) => Found { inputs: vec![opened.file(index)], is_folder: false },
            Ok(Chosen::Several(files, common)) => several_files(&opened, &files, common),
            Ok(Chosen::Nothing) if target.is_pattern() => {
                let message = format!("no file in the archive matches \"{}\"", target.within);
                Found::broken(path, Error::usage(message))
            }
            Ok(Chosen::Nothing) => {
                Found::broken(path, no_such_file(&[opened], &target.within, "in the archive"))
            }
            Err(error) => Found::broken(path, error),
        }
    }

    /// Resolves a path in the game around it: a file in the first container that has it, or the contents of all containers
    /// that are in a folder or match a pattern. An entry hides entries of the same name in later containers.
    fn find_in_game(&mut self, path: &Path) -> Option<Found> {
        let GameContainers { containers, within } = GameContainers::around(path, self.catalog, self.links)?;
        let opened: Vec<_> = containers.iter().filter_map(|container| self.open(container).ok()).collect();
        let (mut inputs, mut seen) = (Vec::new(), HashSet::new());
        for opened in &opened {
            let target = ArchivePath { container: opened.path.to_path_buf(), within: within.clone() };
            match opened.find(&target) {
                Ok(Chosen::One(index)) => {
                    return Some(Found { inputs: vec![opened.file(index)], is_folder: false });
                }
                Ok(Chosen::Several(mut files, common)) => {
                    files.retain(|index| seen.insert(slashed(&opened.member(*index).name()).to_lowercase()));
                    inputs.extend(several_files(opened, &files, common).inputs);
                }
                Ok(Chosen::Nothing) => {}
                Err(error) => return Some(Found::broken(path, error)),
            }
        }
        match inputs.is_empty() {
            true => Some(Found::broken(
                path,
                no_such_file(&opened, &within, "on disk or in the archives of the game"),
            )),
            false => Some(Found { inputs, is_folder: true }),
        }
    }

    fn open(&mut self, container: &Path) -> Result<Opened, Error> {
        let catalog = self.catalog;
        let opened = self.opened.entry(container.to_path_buf());
        opened.or_insert_with(|| Opened::new(catalog, container)).clone()
    }
}

/// The containers of a game, and a path in its folder.
struct GameContainers {
    /// Containers in order of precedence, the highest first.
    containers: Vec<PathBuf>,
    /// Path relative to the game's folder, with `/` as separator.
    within: String,
}

impl GameContainers {
    /// Finds the containers of the game around a path that does not exist on disk. Returns `None` if there is no game, or if
    /// it does not use containers.
    fn around(path: &Path, catalog: Catalog, links: Links) -> Option<Self> {
        if disk::exists(path) {
            return None;
        }
        let path: PathBuf = path.components().collect();
        let here = |folder: &Path| {
            if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_path_buf() }
        };
        let there = path.ancestors().skip(1).find(|folder| disk::is_folder(&here(folder)))?;
        let root = Root::around(&here(there), catalog.games()).ok()?;
        let archives = root.game?.archives?;
        let absolute = disk::canonical(&here(there)).ok()?.join(path.strip_prefix(there).ok()?);
        let within = absolute.strip_prefix(&root.folder).ok()?;
        // The folder as the user wrote it, if possible.
        let written = path.ancestors().nth(within.components().count()).map(here);
        let is_same = |folder: &PathBuf| disk::canonical(folder).is_ok_and(|folder| folder == root.folder);
        let shown = written.filter(is_same).unwrap_or_else(|| root.folder.clone());
        // As with any file of a game, a symbolic link must not lead out of the game.
        let policy = LinkPolicy::new(links, &root.folder);
        let stays = |path: &PathBuf| disk::canonical(path).is_ok_and(|path| policy.allows(&path));
        let found = (archives.find)(&root.folder, &OpenedFiles::default());
        let containers: Vec<_> = found
            .into_iter()
            .filter(stays)
            .map(|path| {
                path.strip_prefix(&root.folder).map_or_else(|_| path.clone(), |path| shown.join(path))
            })
            .collect();
        let within = composed(&within.to_string_lossy()).replace('\\', "/");
        (!containers.is_empty()).then_some(Self { containers, within })
    }
}

/// Selected entries of a container, by index.
enum Chosen {
    One(usize),
    /// Several entries, and the number of folders that all of them share.
    Several(Vec<usize>, usize),
    Nothing,
}

impl Opened {
    /// Resolves a path into the container.
    fn find(&self, target: &ArchivePath) -> Result<Chosen, Error> {
        if target.is_pattern() {
            return self.find_all(target);
        }
        let exact = self.entries(|entry| entry.content.is_file() && slashed(&entry.name) == target.within);
        let folded = target.within.to_lowercase();
        let alike =
            || self.entries(|entry| entry.content.is_file() && slashed(&entry.name).to_lowercase() == folded);
        let files = if exact.is_empty() { alike() } else { exact };
        // If several entries share a name, the game uses the first one.
        if let Some(first) = files.first() {
            return Ok(Chosen::One(*first));
        }
        let folder = format!("{folded}/");
        let below = self.entries(|entry| {
            entry.content == Content::File && slashed(&entry.name).to_lowercase().starts_with(&folder)
        });
        Ok(match below.is_empty() {
            true => Chosen::Nothing,
            false => Chosen::Several(below, folder.matches('/').count()),
        })
    }

    /// Returns the entries that match a pattern.
    fn find_all(&self, target: &ArchivePath) -> Result<Chosen, Error> {
        let pattern = match target.within.as_str() {
            "" => None,
            text => Some(Pattern::parse(text)?),
        };
        let is_chosen = |name: &str| pattern.as_ref().is_none_or(|pattern| pattern.matches(name));
        let chosen = self.entries(|entry| entry.content == Content::File && is_chosen(&entry.name));
        // All matches share the folders before the first wildcard.
        let wild = target.within.find(['*', '?']).and_then(|at| target.within.get(..at)).unwrap_or_default();
        Ok(match chosen.is_empty() {
            true => Chosen::Nothing,
            false => Chosen::Several(chosen, wild.matches('/').count()),
        })
    }
}

/// Creates inputs from the files, preceded by the report of the container if it has defects.
fn several_files(opened: &Opened, files: &[usize], common: usize) -> Found {
    let report = (!opened.report.is_empty())
        .then(|| Input::file(&opened.path).report_only(opened.report.as_ref().clone()));
    let files = files.iter().map(|index| opened.one_of_several(*index, common));
    Found { inputs: report.into_iter().chain(files).collect(), is_folder: true }
}

/// Creates the error for an unknown path, with suggestions of similar files.
fn no_such_file(opened: &[Opened], within: &str, place: &str) -> Error {
    let mut names: Vec<(&Path, String)> = Vec::new();
    for opened in opened {
        let archive: &dyn Archive = &*opened.container;
        let files = archive.entries().filter(|entry| entry.content.is_file());
        names.extend(files.map(|entry| (&*opened.path, slashed(&entry.name))));
    }
    let own = |name: &str| name.rsplit('/').next().unwrap_or_default().to_lowercase();
    let wanted = own(within);
    // A file of this name in another folder is a better suggestion than one with a similar path.
    let mut likely: Vec<_> =
        names.iter().filter(|(_, name)| own(name) == wanted).take(MAX_SUGGESTIONS).collect();
    if likely.is_empty() {
        let nearest = nearest_few(within, names.iter().map(|(_, name)| name.as_str()), MAX_SUGGESTIONS);
        likely = nearest.iter().filter_map(|near| names.iter().find(|(_, name)| name == near)).collect();
    }
    let shown: Vec<_> = likely
        .iter()
        .map(|(container, name)| format!("\"{}\"", path_of_entry(container, name).display()))
        .collect();
    let hint = match shown.as_slice() {
        [] => "; run `antiquary list` to see all files".to_owned(),
        [only] => format!("; did you mean {only}?"),
        several => format!("; did you mean one of {}?", several.join(", ")),
    };
    Error::usage(format!("no such file {place}{hint}"))
}

/// Returns a name with `/` as separator and without leading slashes, which no path can have.
fn slashed(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_owned()
}
