//! Comparison of two files or two folders.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use asset::archive::{Archive, Content};
use asset::{Asset, Can, Error, Format, Report, Source};
use serde::Serialize;

use super::runner::internal_error;
use super::typed::{MAX_UNPACKED_LENGTH, Typed};
use super::{DiffOptions, Input, Inputs, Session};
use crate::catalog::open_as;
use crate::diff::{Change, Differences, compare, first_difference};
use crate::run::error_json;

/// Result of comparing two files.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pair {
    /// First file; `None` if only the second exists.
    pub first: Option<String>,
    /// Second file; `None` if only the first exists.
    pub second: Option<String>,
    /// Relation between the files.
    pub status: Status,
    /// Formats of the files, if recognized.
    pub formats: [Option<&'static str>; 2],
    /// Lengths in bytes, if the files could be read.
    pub lengths: [Option<u64>; 2],
    /// Offset of the first byte that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_difference: Option<u64>,
    /// Fields that differ, up to the requested limit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Number of further fields that differ.
    pub more: u64,
    /// Reason why the files could not be compared by fields, or not at all.
    #[serde(serialize_with = "error_json::of_input")]
    pub error: Option<Error>,
}

impl Pair {
    /// Creates an empty result.
    fn unreadable() -> Self {
        Self {
            first: None,
            second: None,
            status: Status::Unreadable,
            formats: [None, None],
            lengths: [None, None],
            first_difference: None,
            changes: Vec::new(),
            more: 0,
            error: None,
        }
    }
}

/// Relation between two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// The files are byte-identical.
    Equal,
    /// Only the first file exists.
    Removed,
    /// Only the second file exists.
    Added,
    /// The files have different formats.
    Formats,
    /// Fields differ.
    Fields,
    /// Only bytes differ: bytes without a field, bytes that cannot be read as fields, or bytes of files without a known
    /// format.
    Bytes,
    /// The files cannot be compared.
    Unreadable,
}

/// Result of comparing two files, or all files in two folders.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Differing pairs in the order of the first folder, followed by added files. Equal files are only counted.
    pub pairs: Vec<Pair>,
    /// Number of equal files.
    pub equal: u64,
    /// Warnings about the folders as a whole.
    pub warnings: Report,
}

impl Comparison {
    /// Whether everything is equal.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether a file could not be compared by its fields.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.pairs.iter().any(|pair| pair.error.is_some())
    }
}

/// One file of a comparison. It is opened only when it is compared, because a folder or a container may contain many.
struct Side<'a> {
    /// Name for display.
    shown: String,
    origin: Origin<'a>,
}

/// Source of a compared file's bytes.
enum Origin<'a> {
    Input(&'a Input),
    /// Entry of a container that is also being compared: the name of the entry and its index.
    Entry(&'a dyn Archive, String, usize),
}

impl<'a> Side<'a> {
    fn of_input(input: &'a Input) -> Self {
        Self { shown: input.path().display().to_string(), origin: Origin::Input(input) }
    }

    /// Returns the name that helps to recognize the format.
    fn name(&self) -> Cow<'_, str> {
        match &self.origin {
            Origin::Input(input) => input.path().to_string_lossy(),
            Origin::Entry(_, name, _) => Cow::Borrowed(name),
        }
    }

    fn source(&self) -> Result<Source, Error> {
        match &self.origin {
            Origin::Input(input) => input.source(),
            Origin::Entry(archive, _, index) => archive.open(*index),
        }
    }
}

/// An opened file.
struct Opened {
    format: &'static Format,
    asset: Box<dyn Asset>,
    source: Source,
    name: String,
}

impl Opened {
    fn new(format: &'static Format, side: &Side<'_>, source: Source) -> Result<Self, Error> {
        let asset = open_as(format, &source, &mut Report::new())?;
        Ok(Self { format, asset, source, name: side.name().into_owned() })
    }
}

/// State of a comparison, including the number of changes it may still keep.
struct Comparer<'a> {
    session: &'a Session<'a>,
    /// Numbers that differ by at most this much are equal.
    tolerance: f64,
    /// Number of changes that may still be kept.
    remaining: usize,
    out: Comparison,
}

impl Session<'_> {
    /// Compares two files, or all files in two folders, which are matched by path, ignoring letter case.
    ///
    /// # Errors
    /// Fails if one is a file and the other a folder, or if a file does not exist. Other errors of a file are in its pair.
    pub fn diff(&self, first: &Path, second: &Path, options: &DiffOptions) -> Result<Comparison, Error> {
        let find = |path: &Path| self.find_inputs(&[path.to_path_buf()]);
        let (left, right) = (find(first), find(second));
        let mut warnings = left.warnings();
        warnings.append(right.warnings());
        match (left.has_folders(), right.has_folders()) {
            (true, true) => Ok(Comparison { warnings, ..self.diff_folders(&left, &right, options) }),
            (is_folder, _) if is_folder || right.has_folders() => {
                let (folder, file, its) =
                    if is_folder { (first, second, &right) } else { (second, first, &left) };
                its.iter()
                    .try_for_each(|input| input.source().map(drop).map_err(|error| error.in_file(file)))?;
                let what = format!("is a folder, but {} is a file", file.display());
                Err(Error::usage(what).in_file(folder))
            }
            _ => {
                let mut files = left.iter().chain(&right);
                let (Some(first), Some(second)) = (files.next(), files.next()) else {
                    return Err(Error::usage("there is nothing to compare").in_file(first));
                };
                for file in [first, second] {
                    file.source().map_err(|error| error.in_file(file.path()))?;
                }
                Ok(self.diff_inputs(first, second, options))
            }
        }
    }

    /// Compares two files from any source.
    #[must_use]
    pub fn diff_inputs(&self, first: &Input, second: &Input, options: &DiffOptions) -> Comparison {
        let mut comparer = Comparer::new(self, options);
        comparer.pair(&Side::of_input(first), &Side::of_input(second));
        comparer.out
    }

    fn diff_folders(&self, first: &Inputs, second: &Inputs, options: &DiffOptions) -> Comparison {
        let mut comparer = Comparer::new(self, options);
        comparer.matched(files(first), files(second));
        comparer.out
    }
}

impl<'a> Comparer<'a> {
    fn new(session: &'a Session<'a>, options: &DiffOptions) -> Self {
        let DiffOptions { tolerance, limit } = *options;
        Self { session, tolerance, remaining: limit, out: Comparison::default() }
    }

    /// Compares files of the same name; if several have it, they are paired in order.
    fn matched(&mut self, first: Vec<(String, Side<'_>)>, second: Vec<(String, Side<'_>)>) {
        let mut others: BTreeMap<String, VecDeque<(usize, Side<'_>)>> = BTreeMap::new();
        for (index, (name, side)) in second.into_iter().enumerate() {
            others.entry(folded(&name)).or_default().push_back((index, side));
        }
        for (name, side) in first {
            match others.get_mut(&folded(&name)).and_then(VecDeque::pop_front) {
                Some((_, other)) => self.pair(&side, &other),
                None => self.out.pairs.push(one_sided(&side, Status::Removed)),
            }
        }
        let mut rest: Vec<_> = others.into_values().flatten().collect();
        rest.sort_by_key(|(index, _)| *index);
        rest.into_iter().for_each(|(_, side)| self.out.pairs.push(one_sided(&side, Status::Added)));
    }

    /// Compares two files; errors and panics are recorded in the pair.
    fn pair(&mut self, first: &Side<'_>, second: &Side<'_>) {
        let mut pair = Pair {
            first: Some(first.shown.clone()),
            second: Some(second.shown.clone()),
            ..Pair::unreadable()
        };
        let at = self.out.pairs.len();
        let result = catch_unwind(AssertUnwindSafe(|| self.compare(first, second, &mut pair)));
        match result {
            Ok(Ok(())) => {}
            Ok(Err(error)) => pair.error = Some(error),
            Err(_) => pair.error = Some(internal_error("while comparing")),
        }
        match pair.status {
            Status::Equal => self.out.equal += 1,
            // The results of a container's files follow the container.
            _ => self.out.pairs.insert(at, pair),
        }
    }

    fn compare(&mut self, first: &Side<'_>, second: &Side<'_>, pair: &mut Pair) -> Result<(), Error> {
        let of_first = |error: Error| error.in_file(&first.shown);
        let of_second = |error: Error| error.in_file(&second.shown);
        let a = first.source().map_err(of_first)?;
        let b = second.source().map_err(of_second)?;
        pair.lengths = [Some(a.len()), Some(b.len())];
        pair.first_difference = first_difference(&a, &b)?;
        if pair.first_difference.is_none() {
            pair.status = Status::Equal;
            return Ok(());
        }
        pair.status = Status::Bytes;
        let known = (self.format(first, &a).map_err(of_first)?, self.format(second, &b).map_err(of_second)?);
        pair.formats = [known.0.map(|format| format.id), known.1.map(|format| format.id)];
        let format = match known {
            (Some(format), Some(other)) if format.id == other.id => format,
            (None, None) => return Ok(()),
            _ => {
                pair.status = Status::Formats;
                return Ok(());
            }
        };
        let a = Opened::new(format, first, a).map_err(of_first)?;
        let b = Opened::new(format, second, b).map_err(of_second)?;
        let is_long = [&a, &b].iter().any(|file| file.source.len() > MAX_UNPACKED_LENGTH);
        if let (Some(left), Some(right)) = (format.archive_of(&*a.asset), format.archive_of(&*b.asset))
            && (!format.can(Can::Pack) || is_long)
        {
            // Differences are reported per entry, so that the containers are never in memory as a whole.
            let before = self.out.pairs.len();
            self.matched(entries(&first.shown, left), entries(&second.shown, right));
            if self.out.pairs.len() > before {
                pair.status = Status::Fields;
            }
            if !format.can(Can::Pack) {
                return Ok(());
            }
        }
        self.fields((first, second), (&a, &b), pair)
    }

    /// Compares the scripts of two files line by line. Returns the path suffixes of the fields that contain scripts that
    /// differ.
    #[cfg(feature = "scripts")]
    fn scripts(
        &self,
        sides: (&Side<'_>, &Side<'_>),
        (first, second): (&Opened, &Opened),
        differences: &mut Differences,
    ) -> Result<Vec<String>, Error> {
        let inputs = [sides.0, sides.1].into_iter().filter_map(|side| match &side.origin {
            Origin::Input(input) => Some(*input),
            Origin::Entry(..) => None,
        });
        let files = ((&*first.name, &*first.asset), (&*second.name, &*second.asset));
        self.session.compare_scripts(inputs, files, differences)
    }

    #[cfg(not(feature = "scripts"))]
    fn scripts(
        &self,
        _: (&Side<'_>, &Side<'_>),
        _: (&Opened, &Opened),
        _: &mut Differences,
    ) -> Result<[String; 0], Error> {
        Ok([])
    }

    /// Detects the format of a file; returns `None` if no known format matches.
    fn format(&self, side: &Side<'_>, source: &Source) -> Result<Option<&'static Format>, Error> {
        Ok(self.session.catalog.detect(source, Some(&side.name()))?.map(|found| found.format))
    }

    fn fields(
        &mut self,
        sides: (&Side<'_>, &Side<'_>),
        (first, second): (&Opened, &Opened),
        pair: &mut Pair,
    ) -> Result<(), Error> {
        let mut differences = Differences::new(self.remaining).with_tolerance(self.tolerance);
        let scripts = self.scripts(sides, (first, second), &mut differences)?;
        let typed =
            |file: &Opened| Typed::for_comparison(file.format, &*file.asset, &file.source, &file.name);
        let (first, second) = match typed(first).zip(typed(second)) {
            Some(both) => both,
            None => (Typed::described(&*first.asset), Typed::described(&*second.asset)),
        };
        compare((first.root()?, &first), (second.root()?, &second), &mut differences)?;
        // The lines of a script are more informative than its bytes.
        differences.drop_fields(|change| scripts.iter().any(|script| change.path.ends_with(script)));
        let count = differences.count();
        pair.status = match count {
            0 if self.tolerance > 0.0 => Status::Equal,
            0 => pair.status,
            _ => Status::Fields,
        };
        pair.changes = differences.into_kept();
        self.remaining = self.remaining.saturating_sub(pair.changes.len());
        pair.more = count.saturating_sub(pair.changes.len() as u64);
        Ok(())
    }
}

/// Returns the files in a folder, each with its relative path.
fn files(inputs: &Inputs) -> Vec<(String, Side<'_>)> {
    let name = |input: &Input| input.relative().to_string_lossy().into_owned();
    let files = inputs.iter().filter(|input| input.report().is_none());
    files.map(|input| (name(input), Side::of_input(input))).collect()
}

/// Returns the files in a container, each with its name.
fn entries<'a>(shown: &str, archive: &'a dyn Archive) -> Vec<(String, Side<'a>)> {
    let entries = (0_usize..).zip(archive.entries());
    let files = entries.filter(|(_, entry)| entry.content == Content::File);
    let side = |(index, entry): (usize, asset::archive::Entry<'_>)| {
        let shown = format!("{shown}/{}", entry.name.replace('\\', "/"));
        let name = entry.name.into_owned();
        (name.clone(), Side { shown, origin: Origin::Entry(archive, name, index) })
    };
    files.map(side).collect()
}

fn one_sided(side: &Side<'_>, status: Status) -> Pair {
    let shown = Some(side.shown.clone());
    match status {
        Status::Removed => Pair { first: shown, status, ..Pair::unreadable() },
        _ => Pair { second: shown, status, ..Pair::unreadable() },
    }
}

/// Normalizes a name, so that names that are equal to the games compare equal.
fn folded(name: &str) -> String {
    name.replace('\\', "/").to_lowercase()
}
