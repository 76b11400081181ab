//! Input files: those given directly, and those in given folders.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use asset::game::Root;
use asset::{Error, Install, Report, Source};
use files::disk;
use files::walk::{LinkPolicy, Links, Walk};

use super::archive_path::{Containers, Found};
use super::{Input, Progress};
use crate::CATALOG;
use crate::catalog::Catalog;
use crate::run::Outcome;

/// Prefix of files that are still being written.
const UNFINISHED: &str = ".antiquary-";

/// Input files without duplicates, in the order given; files in a folder are sorted by name.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    files: Vec<Input>,
    named: usize,
    folders: usize,
    reports: Vec<Outcome>,
}

impl Inputs {
    /// Collects the given files, and all files in the given folders. A missing path or an unreadable folder becomes an input
    /// that fails. Symbolic links are followed if their targets are in the folder, or in the game around it; a folder that
    /// several links lead to is read once. Other links are reported;
    /// [`Session::collect_inputs`](super::Session::collect_inputs) can follow them.
    #[must_use]
    pub fn collect(paths: &[PathBuf]) -> Self {
        Self::collect_with(paths, Links::Inside, &())
    }

    /// Like [`Inputs::collect`], with another link policy. Ends early, with the files found so far, if the progress is
    /// canceled.
    pub(super) fn collect_with(paths: &[PathBuf], links: Links, progress: &dyn Progress) -> Self {
        Self::collect_or(paths, &WalkOptions { links, progress }, &mut |_| None)
    }

    /// Like [`Inputs::collect_with`], but replaces a path by what `find` returns for it.
    fn collect_or(
        paths: &[PathBuf],
        options: &WalkOptions<'_>,
        find: &mut dyn FnMut(&Path) -> Option<Found>,
    ) -> Self {
        let folders = paths.iter().filter(|path| disk::is_folder(path)).count();
        let mut out = Self { files: Vec::new(), named: paths.len(), folders, reports: Vec::new() };
        let mut seen = VisitedFiles((paths.len() > 1).then(HashSet::new));
        for path in paths {
            if disk::is_folder(path) {
                out.walk(path, folders > 1, options, &mut seen);
            } else if let Some(found) = find(path) {
                out.folders += usize::from(found.is_folder);
                out.files.extend(found.inputs);
            } else if seen.is_new(path) {
                out.files.push(Input::file(path));
            }
        }
        out
    }

    /// Like [`Inputs::collect`], but paths may also lead into containers: to a file (`data.grf/data/model/mill.rsm`), to all
    /// files in a folder (`data.grf/data/model`), or to those that match a pattern (`data.grf/**/*.rsm`). A path in a game's
    /// folder that does not exist on disk is looked up in the containers of the game (`Ragnarok/data/model/mill.rsm`).
    #[must_use]
    pub fn find(catalog: Catalog, paths: &[PathBuf]) -> Self {
        Self::find_with(catalog, paths, Links::Inside)
    }

    /// Like [`Inputs::find`], with another link policy.
    pub(super) fn find_with(catalog: Catalog, paths: &[PathBuf], links: Links) -> Self {
        let mut containers = Containers::new(catalog, links);
        let options = WalkOptions { links, progress: &() };
        Self::collect_or(paths, &options, &mut |path| containers.find(path))
    }

    /// Creates an input from memory. The name is used for display and for format detection.
    #[must_use]
    pub fn of_source(name: &str, source: Source) -> Self {
        Input::of_source(name, source).into()
    }

    /// Creates an input from a file of an install, by its case-insensitive path from the root. Pass the install to the
    /// [`Session`](super::Session) too, so that references are resolved in it.
    ///
    /// # Errors
    /// Fails if the file does not exist.
    pub fn of_install(install: &Install, path: &str) -> Result<Self, Error> {
        let found = install.find(path).found().ok_or_else(|| Error::usage("no such file").in_file(path))?;
        let source = install.open(&found.location)?;
        let path = Path::new(found.location.path().as_str());
        Ok(Input::of_install(path, source, found.location.clone()).into())
    }

    /// Iterates over the files, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Input> {
        self.files.iter()
    }

    /// Returns the number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are no files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns an outcome for each given folder that has warnings, such as symbolic links that were not followed.
    #[must_use]
    pub fn reports(&self) -> &[Outcome] {
        &self.reports
    }

    /// Returns the warnings of all given folders in one report.
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
    fn walk(&mut self, root: &Path, several: bool, options: &WalkOptions<'_>, seen: &mut VisitedFiles) {
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
        let mut walk = Walk::new(root, LinkPolicy::new(options.links, &boundary));
        for file in walk.by_ref().take_while(|_| !options.progress.is_cancelled()) {
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
        asset::game::report_links_left_out(&walk, &mut report);
        if !report.is_empty() {
            let mut outcome = Outcome::new(root.display().to_string(), None);
            (outcome.ok, outcome.report_only, outcome.warnings) = (true, true, report);
            self.reports.push(outcome);
        }
    }
}

/// Parameters of a walk through folders.
struct WalkOptions<'a> {
    links: Links,
    progress: &'a dyn Progress,
}

impl From<Input> for Inputs {
    /// Creates the inputs of a single file that was given directly.
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

/// Files visited so far; `None` if only one path was given, so that there are no duplicates.
struct VisitedFiles(Option<HashSet<PathBuf>>);

impl VisitedFiles {
    fn is_new(&mut self, path: &Path) -> bool {
        self.0.as_mut().is_none_or(|seen| seen.insert(identity(path)))
    }
}

/// Returns a canonical path of the file, without following a symbolic link to it.
fn identity(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (disk::canonical(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// Returns the last component of a folder's path, with `.` and `..` resolved.
fn name_of(folder: &Path) -> PathBuf {
    let canonical = disk::canonical(folder).unwrap_or_default();
    canonical.file_name().map(PathBuf::from).unwrap_or_default()
}

fn is_unfinished(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(UNFINISHED))
}
