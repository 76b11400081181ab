//! Paths that lead into containers, as the program prints them: `data.grf/data/model/mill.rsm`, `data.grf/data/model`, `data.grf/**/*.rsm`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::{Archive, Content, Entry};
use asset::container::{Container, not_an_archive};
use asset::name::{composed, safe_name};
use asset::suggest::nearest_few;
use asset::{Can, Error, Format, Report, disk};

use super::Input;
use super::input::{Member, path_of_entry};
use super::pattern::Pattern;
use crate::catalog::Catalog;

/// How many entries a wrong path suggests.
const MOST_SUGGESTIONS: usize = 3;

/// A path that goes on behind a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inside {
    /// The file, most likely a container.
    pub(super) container: PathBuf,
    /// What stands behind it, with `/` between its parts; empty for all that it holds.
    within: String,
}

impl Inside {
    /// Splits a path at the file on its way. `None` when the path itself exists, or no file is on its way.
    pub(super) fn of(path: &Path) -> Option<Self> {
        if disk::exists(path) {
            return None;
        }
        // Without a slash at its end.
        let path: PathBuf = path.components().collect();
        let container = path.ancestors().find(|folder| disk::is_file(folder))?;
        let within = path.strip_prefix(container).ok()?.to_string_lossy();
        let within = composed(&within).replace('\\', "/");
        Some(Self { container: container.to_path_buf(), within })
    }

    /// Whether several files may be meant, of which some may be of no known format.
    fn is_pattern(&self) -> bool {
        self.within.is_empty() || self.within.contains(['*', '?'])
    }
}

/// What a path into a container leads to.
pub(super) struct Found {
    pub(super) inputs: Vec<Input>,
    /// Whether it is a folder or a pattern, and not a single file.
    pub(super) is_folder: bool,
}

impl Found {
    fn broken(path: &Path, error: Error) -> Self {
        Self { inputs: vec![Input::file(path).broken(error)], is_folder: false }
    }
}

/// The containers that paths led into, each opened once.
pub(super) struct Containers {
    catalog: Catalog,
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

    /// The numbers of the entries that are chosen.
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

    /// A single file: its outputs are called after its name alone.
    fn file(&self, index: usize) -> Input {
        let member = self.member(index);
        let name = slashed(&member.name());
        let own = safe_name(name.rsplit('/').next().unwrap_or_default());
        Input::of_member(path_of_entry(&self.path, &name), None, PathBuf::from(own.into_owned()), member)
    }

    /// One of several files: its outputs keep the folders but for the first, which are common to all.
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
    pub(super) fn new(catalog: Catalog) -> Self {
        Self { catalog, opened: HashMap::new() }
    }

    /// The files that a path leads to. One that leads to nothing becomes an input that fails.
    pub(super) fn find(&mut self, path: &Path, inside: &Inside) -> Found {
        let catalog = self.catalog;
        let opened = self.opened.entry(inside.container.clone());
        let opened = match opened.or_insert_with(|| Opened::new(catalog, &inside.container)) {
            Ok(opened) => opened,
            Err(error) => return Found::broken(path, error.clone().in_file(&inside.container)),
        };
        if inside.is_pattern() {
            return several(opened, path, inside);
        }
        let exact = opened.entries(|entry| entry.content.is_file() && slashed(&entry.name) == inside.within);
        let folded = inside.within.to_lowercase();
        let alike = || {
            opened.entries(|entry| entry.content.is_file() && slashed(&entry.name).to_lowercase() == folded)
        };
        let files = if exact.is_empty() { alike() } else { exact };
        match files.as_slice() {
            [] => {}
            // Of two with the same name the game finds the first.
            [first, ..] => return Found { inputs: vec![opened.file(*first)], is_folder: false },
        }
        let folder = format!("{folded}/");
        let below = opened.entries(|entry| {
            entry.content == Content::File && slashed(&entry.name).to_lowercase().starts_with(&folder)
        });
        match below.is_empty() {
            true => Found::broken(path, no_such_file(opened, inside)),
            false => gathered(opened, &below, folder.matches('/').count()),
        }
    }
}

/// The files that a pattern chooses.
fn several(opened: &Opened, path: &Path, inside: &Inside) -> Found {
    let pattern = match inside.within.as_str() {
        "" => None,
        text => match Pattern::parse(text) {
            Ok(pattern) => Some(pattern),
            Err(error) => return Found::broken(path, error),
        },
    };
    let is_chosen = |name: &str| pattern.as_ref().is_none_or(|pattern| pattern.matches(name));
    let chosen = opened.entries(|entry| entry.content == Content::File && is_chosen(&entry.name));
    if chosen.is_empty() {
        let message = format!("no file in the archive matches \"{}\"", inside.within);
        return Found::broken(path, Error::usage(message));
    }
    // Folders before the first wildcard are common to all.
    let wild = inside.within.find(['*', '?']).and_then(|at| inside.within.get(..at)).unwrap_or_default();
    gathered(opened, &chosen, wild.matches('/').count())
}

/// The files, behind what was amiss with the container.
fn gathered(opened: &Opened, files: &[usize], common: usize) -> Found {
    let report = (!opened.report.is_empty())
        .then(|| Input::file(&opened.path).report_only(opened.report.as_ref().clone()));
    let files = files.iter().map(|index| opened.one_of_several(*index, common));
    Found { inputs: report.into_iter().chain(files).collect(), is_folder: true }
}

/// The error for a path that leads nowhere: it names the files that may be meant.
fn no_such_file(opened: &Opened, inside: &Inside) -> Error {
    let archive: &dyn Archive = &*opened.container;
    let names: Vec<String> =
        archive.entries().filter(|entry| entry.content.is_file()).map(|entry| slashed(&entry.name)).collect();
    let own = |name: &str| name.rsplit('/').next().unwrap_or_default().to_lowercase();
    let wanted = own(&inside.within);
    // A file of this name elsewhere is more likely meant than one of a like path.
    let mut likely: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| own(name) == wanted).take(MOST_SUGGESTIONS).collect();
    if likely.is_empty() {
        likely = nearest_few(&inside.within, names.iter().map(String::as_str), MOST_SUGGESTIONS);
    }
    let shown: Vec<_> = likely
        .iter()
        .map(|name| format!("\"{}\"", path_of_entry(&inside.container, name).display()))
        .collect();
    let hint = match shown.as_slice() {
        [] => "; run `antiquary list` to see all files".to_owned(),
        [only] => format!("; did you mean {only}?"),
        several => format!("; did you mean one of {}?", several.join(", ")),
    };
    Error::usage(format!("no such file in the archive{hint}"))
}

/// A name with `/` between its parts, and none in front, as no path can have it there.
fn slashed(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_owned()
}
