//! The input files: those given, and those in given folders.

use asset::disk;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::Archive;
use asset::container::Container;
use asset::game::Root;
use asset::name::safe_name;
use asset::walk::{LinkPolicy, Links, Walk};
use asset::{Error, Format, GameInfo, Install, Location, Report, Source};

use super::Progress;
use super::inside::{Containers, Found, Inside};
use crate::CATALOG;
use crate::catalog::{Catalog, Detected, unknown};
use crate::opened::Opened;
use crate::run::Outcome;

/// Prefix of files that are still being written.
const UNFINISHED: &str = ".antiquary-";

/// An input file.
#[derive(Debug, Clone)]
pub struct Input {
    /// The path as given, or as found in a given folder.
    path: PathBuf,
    /// The given folder that it was found in.
    root: Option<PathBuf>,
    /// Where its outputs go, relative to the output folder.
    relative: PathBuf,
    origin: Origin,
    /// The report of a container whose files are inputs themselves.
    report: Option<Arc<Report>>,
}

/// Where the bytes of a file are.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// In the file on disk that the input's path names.
    Disk,
    /// In memory: from standard input, or given by the caller.
    Memory(Source),
    /// In the install that the session is given.
    Install(Source, Location),
    /// In a container.
    Entry(Member),
    /// They cannot be read.
    Unreadable(Error),
}

/// A file in a container.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) container: Arc<Container>,
    /// The path of the container.
    pub(super) path: Arc<Path>,
    /// The format of the container.
    pub(super) format: &'static Format,
    /// How many bytes the container has.
    pub(super) archive_length: u64,
    /// The index of the entry.
    pub(super) index: usize,
}

impl Member {
    /// The name of the entry.
    pub(super) fn name(&self) -> Cow<'_, str> {
        self.container.entry(self.index).map_or(Cow::Borrowed(""), |entry| entry.name)
    }
}

impl Input {
    /// A file on disk.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self::on_disk(path, None, path.file_name().map(PathBuf::from).unwrap_or_default())
    }

    /// An input from memory. The name is shown and used for format detection.
    #[must_use]
    pub fn of_source(name: &str, source: Source) -> Self {
        Self { origin: Origin::Memory(source), ..Self::file(Path::new(name)) }
    }

    /// A file on disk: its path, the given folder that it is in, and where its outputs go.
    fn on_disk(path: &Path, root: Option<&Path>, relative: PathBuf) -> Self {
        Self {
            path: path.to_path_buf(),
            root: root.map(Path::to_path_buf),
            relative,
            origin: Origin::Disk,
            report: None,
        }
    }

    /// What a path names: a file on disk, or a file in a container, as in `data.grf/data/model/mill.rsm` or, as the game reads its containers,
    /// in `Ragnarok/data/model/mill.rsm`. One that leads nowhere, or to several files, fails when it is read.
    #[must_use]
    pub fn find(catalog: Catalog, path: &Path) -> Self {
        let Some(found) = Containers::new(catalog, Links::Inside).find(path) else { return Self::file(path) };
        match (found.is_folder, found.inputs.into_iter().next()) {
            (false, Some(only)) => only,
            _ => {
                let error = Error::usage("leads to several files in the archive; name one of them");
                Self::file(path).broken(error)
            }
        }
    }

    /// Whether a path goes on behind a file, and so names what a container holds.
    #[must_use]
    pub fn is_in_file(path: &Path) -> bool {
        Inside::of(path).is_some()
    }

    /// A file in a container.
    pub(super) fn of_member(path: PathBuf, root: Option<PathBuf>, relative: PathBuf, member: Member) -> Self {
        Self { path, root, relative, origin: Origin::Entry(member), report: None }
    }

    /// The file on disk that its bytes are in, if it is there.
    pub(super) fn on_disk_in(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Disk | Origin::Unreadable(_) => Some(&self.path),
            Origin::Entry(member) => Some(&member.path),
            Origin::Memory(_) | Origin::Install(..) => None,
        }
    }

    /// A file in the container that is this input; its outputs go into `folder`.
    pub(super) fn in_container(&self, member: Member, folder: &Path) -> Self {
        let name = member.name();
        let segments = name.split(['/', '\\']).filter(|segment| !["", ".", ".."].contains(segment));
        let safe: Vec<_> = segments.map(safe_name).collect();
        let relative = folder.join(safe.join("/"));
        let path = path_of_entry(&self.path, &name);
        let root = Some(self.root.clone().unwrap_or_else(|| self.path.clone()));
        drop(name);
        Self { path, root, relative, origin: Origin::Entry(member), report: None }
    }

    /// The same container as an input that only reports what was found on opening it.
    pub(super) fn report_only(&self, report: Report) -> Self {
        Self { report: Some(Arc::new(report)), ..self.clone() }
    }

    /// The same input with an error that is reported when it is read.
    pub(super) fn broken(&self, error: Error) -> Self {
        Self { origin: Origin::Unreadable(error), ..self.clone() }
    }

    /// The report of a container whose files are inputs themselves.
    pub(super) fn report(&self) -> Option<&Report> {
        self.report.as_deref()
    }

    /// Its location in the install that the session was given.
    pub(super) fn place(&self) -> Option<&Location> {
        match &self.origin {
            Origin::Install(_, place) => Some(place),
            _ => None,
        }
    }

    /// Its entry in a container.
    pub(super) fn member(&self) -> Option<&Member> {
        match &self.origin {
            Origin::Entry(member) => Some(member),
            _ => None,
        }
    }

    /// The path as given, or as found in a given folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The given folder that it was found in; `None` for a file that was given directly.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Its path relative to that folder; its file name if it was given directly.
    #[must_use]
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// The relative path with `/` as separator.
    pub(super) fn shown(&self) -> String {
        let parts = self.relative.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// Whether it is a file on disk, readable or not.
    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self.origin, Origin::Disk | Origin::Unreadable(_))
    }

    /// Its bytes.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn source(&self) -> Result<Source, Error> {
        match &self.origin {
            Origin::Disk => disk::open(&self.path),
            Origin::Memory(source) | Origin::Install(source, _) => Ok(source.clone()),
            Origin::Entry(member) => member.container.open(member.index),
            Origin::Unreadable(error) => Err(error.clone()),
        }
    }

    /// Its bytes, when it is one of thousands of files that are read later.
    pub(super) fn source_for_each_read(&self) -> Result<Source, Error> {
        match &self.origin {
            Origin::Disk => disk::open_for_each_read(&self.path),
            _ => self.source(),
        }
    }

    /// What it is, and its bytes; `None` when it is of no known format.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn detect(&self, catalog: Catalog) -> Result<(Source, Option<Detected>), Error> {
        self.detect_in(catalog, self.game(catalog))
    }

    /// As [`Input::detect`], where the game around the file is known.
    pub(super) fn detect_in(
        &self,
        catalog: Catalog,
        game: Option<&GameInfo>,
    ) -> Result<(Source, Option<Detected>), Error> {
        let source = self.source()?;
        let detected = catalog.detect_in(&source, Some(&self.path.to_string_lossy()), game)?;
        Ok((source, detected))
    }

    /// The game that the file is in: by the folders around it, or by the container that it is in.
    pub(super) fn game(&self, catalog: Catalog) -> Option<&'static GameInfo> {
        let games = catalog.games();
        match &self.origin {
            Origin::Disk | Origin::Unreadable(_) => Root::around(&self.path, games).ok()?.game,
            Origin::Entry(member) => games.iter().copied().find(|it| Some(it.id) == member.format.game),
            Origin::Memory(_) | Origin::Install(..) => None,
        }
    }

    /// What it is, and its bytes.
    ///
    /// # Errors
    /// When it cannot be read, is empty, or of no known format.
    pub(super) fn recognize(&self, catalog: Catalog) -> Result<(Source, &'static Format), Error> {
        let source = self.source()?;
        let name = self.path.to_string_lossy();
        let format = catalog.recognize_in(&source, Some(&name), self.game(catalog))?;
        Ok((source, format))
    }

    /// Why the file, which is of no known format, cannot be opened.
    pub(super) fn unknown(&self, catalog: Catalog, source: &Source) -> Error {
        unknown(catalog, source, Some(&self.path.to_string_lossy()), self.game(catalog))
    }

    /// Opens it as what it is recognized as.
    ///
    /// # Errors
    /// When it cannot be read, is empty, of no known format, or malformed.
    pub fn open(&self, catalog: Catalog) -> Result<Opened, Error> {
        let name = self.path.to_string_lossy();
        self.source()
            .and_then(|source| catalog.open_in(source, Some(&name), self.game(catalog)))
            .map(|opened| if self.is_on_disk() { opened.on_disk(&self.path) } else { opened })
            .map_err(|error| error.in_file(&self.path))
    }
}

/// Input files without duplicates, in the order given; those in a folder are sorted by name.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    files: Vec<Input>,
    named: usize,
    folders: usize,
    reports: Vec<Outcome>,
}

impl Inputs {
    /// The given files, and all files in the given folders. A missing path or an unreadable folder becomes an input that fails.
    /// Symbolic links are followed where they lead to something in the folder, or in the game around it; a folder that several lead to counts
    /// once. Other links are reported: [`Session::gather`](super::Session::gather) can follow them.
    #[must_use]
    pub fn gather(paths: &[PathBuf]) -> Self {
        Self::gather_with(paths, Links::Inside, &())
    }

    /// The same with other links. It ends early, with the files found so far, when the progress says that it is canceled.
    pub(super) fn gather_with(paths: &[PathBuf], links: Links, progress: &dyn Progress) -> Self {
        Self::gather_or(paths, &Gathering { links, progress }, &mut |_| None)
    }

    /// The same, but for what `find` finds.
    fn gather_or(
        paths: &[PathBuf],
        gathering: &Gathering<'_>,
        find: &mut dyn FnMut(&Path) -> Option<Found>,
    ) -> Self {
        let folders = paths.iter().filter(|path| disk::is_folder(path)).count();
        let mut out = Self { files: Vec::new(), named: paths.len(), folders, reports: Vec::new() };
        let mut seen = VisitedFiles((paths.len() > 1).then(HashSet::new));
        for path in paths {
            if disk::is_folder(path) {
                out.walk(path, folders > 1, gathering, &mut seen);
            } else if let Some(found) = find(path) {
                out.folders = out.folders.saturating_add(usize::from(found.is_folder));
                out.files.extend(found.inputs);
            } else if seen.is_new(path) {
                out.files.push(Input::file(path));
            }
        }
        out
    }

    /// The same, where paths may also lead into containers: to a file (`data.grf/data/model/mill.rsm`), to all files in a folder
    /// (`data.grf/data/model`), or to those that a pattern chooses (`data.grf/**/*.rsm`). A path in the folder of a game that leads to nothing
    /// on disk leads into its containers (`Ragnarok/data/model/mill.rsm`).
    #[must_use]
    pub fn find(catalog: Catalog, paths: &[PathBuf]) -> Self {
        Self::find_with(catalog, paths, Links::Inside)
    }

    /// The same with other symbolic links.
    pub(super) fn find_with(catalog: Catalog, paths: &[PathBuf], links: Links) -> Self {
        let mut containers = Containers::new(catalog, links);
        let gathering = Gathering { links, progress: &() };
        Self::gather_or(paths, &gathering, &mut |path| containers.find(path))
    }

    /// An input from memory. The name is shown and used for format detection.
    #[must_use]
    pub fn of_source(name: &str, source: Source) -> Self {
        Input::of_source(name, source).into()
    }

    /// A file of an install, by its case-insensitive path from the root. Pass the install to the [`Session`](super::Session) too, so that
    /// references are resolved in it.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn of_install(install: &Install, path: &str) -> Result<Self, Error> {
        let found = install.find(path).found().ok_or_else(|| Error::usage("no such file").in_file(path))?;
        let source = install.open(&found.location)?;
        let path = Path::new(found.location.path().as_str());
        let input = Input { origin: Origin::Install(source, found.location.clone()), ..Input::file(path) };
        Ok(input.into())
    }

    /// The files, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Input> {
        self.files.iter()
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Outcomes for the given folders that have warnings of their own, such as symbolic links that were not followed.
    #[must_use]
    pub fn reports(&self) -> &[Outcome] {
        &self.reports
    }

    /// The same warnings in one report.
    #[must_use]
    pub fn warnings(&self) -> Report {
        let mut warnings = Report::new();
        self.reports.iter().for_each(|outcome| warnings.append(outcome.warnings.clone()));
        warnings
    }

    /// Whether any folder was given.
    #[must_use]
    pub fn has_folders(&self) -> bool {
        self.folders > 0
    }

    /// Whether exactly one file was given, and no folder.
    #[must_use]
    pub fn is_one_file(&self) -> bool {
        self.named == 1 && self.folders == 0
    }

    /// Adds the files in a folder, and a report if symbolic links were not followed.
    fn walk(&mut self, root: &Path, several: bool, gathering: &Gathering<'_>, seen: &mut VisitedFiles) {
        let prefix = if several { name_of(root) } else { PathBuf::new() };
        let input = |path: &Path| {
            let relative = prefix.join(path.strip_prefix(root).unwrap_or(path));
            Input::on_disk(path, Some(root), relative)
        };
        let around = Root::around(root, CATALOG.games()).ok().filter(|it| it.game.is_some());
        let boundary = match around {
            Some(game) if disk::canonical(root).is_ok_and(|root| root.starts_with(&game.folder)) => {
                game.folder
            }
            _ => root.to_path_buf(),
        };
        let mut walk = Walk::new(root, LinkPolicy::new(gathering.links, &boundary));
        for file in walk.by_ref().take_while(|_| !gathering.progress.is_cancelled()) {
            match file {
                Ok(path) if path.file_name().is_some_and(is_unfinished) => {}
                Ok(path) if seen.is_new(&path) => self.files.push(input(&path)),
                Ok(_) => {}
                Err(error) => {
                    let path = error.file().unwrap_or(root).to_path_buf();
                    self.files.push(input(&path).broken(error));
                }
            }
        }
        let mut report = Report::new();
        walk.report(&mut report);
        if !report.is_empty() {
            let mut outcome = Outcome::new(root.display().to_string(), None);
            (outcome.ok, outcome.report_only, outcome.warnings) = (true, true, report);
            self.reports.push(outcome);
        }
    }
}

/// How the files in folders are found.
struct Gathering<'a> {
    links: Links,
    progress: &'a dyn Progress,
}

impl From<Input> for Inputs {
    /// A file that was named, and nothing else.
    fn from(input: Input) -> Self {
        Self { files: vec![input], named: 1, folders: 0, reports: Vec::new() }
    }
}

impl<'a> IntoIterator for &'a Inputs {
    type Item = &'a Input;
    type IntoIter = std::slice::Iter<'a, Input>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The files visited so far; `None` if only one path was given, so that there are no duplicates.
struct VisitedFiles(Option<HashSet<PathBuf>>);

impl VisitedFiles {
    fn is_new(&mut self, path: &Path) -> bool {
        self.0.as_mut().is_none_or(|seen| seen.insert(identity(path)))
    }
}

/// The path of an entry as it is shown: that of the container and the name, whatever that is. It need not be below the container's.
pub(super) fn path_of_entry(container: &Path, name: &str) -> PathBuf {
    let mut path = container.as_os_str().to_owned();
    path.push("/");
    path.push(name.replace('\\', "/"));
    PathBuf::from(path)
}

/// A canonical path for the file, without following a symbolic link to it.
fn identity(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (disk::canonical(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// The last component of a folder's path, with `.` and `..` resolved.
fn name_of(folder: &Path) -> PathBuf {
    let canonical = disk::canonical(folder).unwrap_or_default();
    canonical.file_name().map(PathBuf::from).unwrap_or_default()
}

fn is_unfinished(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(UNFINISHED))
}
