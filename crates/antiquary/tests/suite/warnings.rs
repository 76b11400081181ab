//! Every warning raised in the entire corpus is located within the field that it names, and ids are unique.

#![allow(clippy::string_slice, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "a test may print")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use antiquary::asset::{Format, MemorySink};
use antiquary::files::sink::WriteMode;
use antiquary::record::{Span, Visit, Visitor};
use antiquary::{
    CATALOG, Can, CheckOptions, ConvertOptions, Destination, Inputs, Outcome, Session, Severity, Source,
    Warning,
};

/// The folders of the corpus, and the minimum number of warnings with a field in each when it is checked and when it is
/// converted.
const FOLDERS: &[(&str, usize, usize)] = &[
    ("grf", 20, 14),
    ("redguard", 500, 100),
    ("rsm", 200, 200),
    ("scpcb", 100, 40),
    ("scpcb_characters", 1, 1),
];

/// Byte ranges of fields, by their paths.
#[derive(Default)]
struct Extents(BTreeMap<String, Vec<Range<u64>>>);

impl Extents {
    /// Whether a warning is located within its field. Missing data of a truncated field is reported at the end of the field.
    fn has(&self, warning: &Warning) -> bool {
        let (Some(offset), Some(ranges)) = (warning.offset, self.0.get(&warning.path)) else { return false };
        let is_missing = |range: &Range<u64>| warning.code.severity == Severity::Error && range.end == offset;
        ranges.iter().any(|range| range.contains(&offset) || is_missing(range))
    }
}

impl Visitor for Extents {
    fn span(&mut self, span: Span<'_>) -> Visit {
        let ends = span.path.char_indices().filter(|(at, letter)| *at > 0 && matches!(letter, '.' | '['));
        for end in ends.map(|(at, _)| at).chain([span.path.len()]) {
            let Some(ranges) = self.0.get_mut(&span.path[..end]) else { continue };
            match ranges.last_mut() {
                Some(last) if last.end == span.start => last.end = span.end,
                _ => ranges.push(span.start..span.end),
            }
        }
        Visit::Continue
    }
}

/// Wrong warnings, and the number of warnings that were compared.
#[derive(Default)]
struct Findings {
    compared: usize,
    wrong: BTreeSet<String>,
}

impl Findings {
    fn compare(&mut self, outcome: &Outcome) {
        let named: Vec<&Warning> =
            outcome.warnings.iter().filter(|warning| !warning.path.is_empty()).collect();
        let offsets = outcome.warnings.iter().filter_map(|warning| warning.offset);
        // A container whose files are converted has no length.
        let length = outcome.length.unwrap_or(u64::MAX);
        for offset in offsets.filter(|offset| *offset > length) {
            self.wrong.insert(format!("{}: {offset:#x} is after the end of the file", outcome.input));
        }
        let Some(format) = outcome.format.and_then(|id| antiquary::format(id).ok()) else { return };
        if named.is_empty() || !format.can(Can::Hex) || WITHOUT_FIELD_RANGES.contains(&format.id) {
            return;
        }
        let Ok(opened) = antiquary::open(Path::new(&outcome.input)) else { return };
        let mut extents = Extents::default();
        extents.0.extend(named.iter().map(|warning| (warning.path.clone(), Vec::new())));
        let trace = format.trace(&*opened.asset, &opened.source, &mut extents);
        for warning in named {
            self.compared += 1;
            if !extents.has(warning) {
                let ranges = &extents.0[&warning.path];
                let start = format!("{} {warning}", outcome.input);
                self.wrong.insert(format!("{start}; its field has the ranges {ranges:x?}, traced {trace:?}"));
            }
        }
    }
}

/// Formats whose bytes are lines or tokens: one field is parsed from many of them, and has no byte range.
const WITHOUT_FIELD_RANGES: &[&str] = &["scpcb.x"];

/// Compares the warnings of all files of the corpus after an operation.
fn compare_all(least: fn(&(&str, usize, usize)) -> usize, outcomes: fn(&Inputs) -> Vec<Outcome>) {
    let mut wrong = BTreeSet::new();
    for expected in FOLDERS {
        let name = expected.0;
        let Some(folder) = corpus::folder(name) else { return };
        let mut findings = Findings::default();
        outcomes(&Inputs::collect(&[folder])).iter().for_each(|outcome| findings.compare(outcome));
        eprintln!("{name}: {} warnings compared", findings.compared);
        let (compared, least) = (findings.compared, least(expected));
        assert!(compared >= least, "{name}: {compared} warnings compared, {least} expected");
        wrong.append(&mut findings.wrong);
    }
    let shown: Vec<_> = wrong.iter().take(2000).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} warnings are wrong:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn the_id_of_a_warning_has_one_meaning() {
    let mut titles = BTreeMap::new();
    for code in CATALOG.formats().flat_map(Format::all_codes) {
        let title = titles.entry(code.id).or_insert(code.title);
        assert_eq!(*title, code.title, "{}", code.id);
    }
}

#[test]
fn every_check_warning_is_located_in_its_field() {
    let check =
        |inputs: &Inputs| Session::default().check(inputs, &CheckOptions::default()).unwrap().outcomes;
    compare_all(|(_, checked, _)| *checked, check);
}

#[test]
fn every_conversion_warning_is_located_in_its_field() {
    let convert = |inputs: &Inputs| {
        let out = tempfile::tempdir().unwrap();
        let session = Session::default().writing(WriteMode::DryRun);
        session
            .convert(inputs, &Destination::Folder(out.path().join("out")), &ConvertOptions::default())
            .unwrap()
            .outcomes
    };
    compare_all(|(_, _, converted)| *converted, convert);
}

#[test]
fn a_conversion_error_has_the_offset_of_its_field() {
    let mut files = MemorySink::new();
    antiquary::sample::specimens(&mut files).unwrap();
    let (_, mut picture) = files.into_files().into_iter().find(|(name, _)| name.ends_with(".pcx")).unwrap();
    // No picture uses this encoding, but the file is readable.
    picture[2] = 7;
    let inputs = Inputs::of_source("a.pcx", Source::from(picture));
    let (outcome, _) =
        Session::default().convert_to_memory(&inputs, &ConvertOptions::default().to("png")).unwrap();
    let error = outcome.error.unwrap();
    assert_eq!((error.path().as_str(), error.offset()), ("header.encoding", Some(2)), "{}", error.message());
}
