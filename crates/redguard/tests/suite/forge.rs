//! Shared code of corpus tests: the synthetic install, the results of an independent reader, and our conversions.

#![allow(dead_code, reason = "not every test uses everything")]

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::{
    Asset, Context, FolderSink, Format, Guard, Install, MemorySink, Options, Overwrite, Parts, Probe, Report,
    Score, Severity, Target, Unpacked,
};
use json::Value;
use record::{Error, Source};

pub(crate) static GAMES: &[&asset::GameInfo] = &[&antiquary_redguard::GAME];

/// Path of the synthetic install; `None` without a corpus.
pub(crate) fn install() -> Option<PathBuf> {
    corpus::folder("redguard")
}

pub(crate) fn json(path: &Path) -> Value {
    json::from_slice(&std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .unwrap()
}

/// The files of a kind listed in an index: path and expected values.
pub(crate) fn indexed_files(index: &str, kind: &str, minimum: usize) -> Vec<(PathBuf, Value)> {
    let Some(folder) = install() else { return Vec::new() };
    let index = json(&folder.join("expected").join(index));
    let files: Vec<_> = index["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|file| file["format"].as_str().is_none_or(|format| format == kind))
        .map(|file| {
            let text = |name: &str| file[name].as_str().unwrap();
            (folder.join(text("file")), json(&folder.join(text("expected"))))
        })
        .collect();
    assert!(files.len() >= minimum, "{} files of kind {kind}, expected {minimum}", files.len());
    files
}

/// A malformed file and its entry in the manifest.
pub(crate) struct MalformedFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) expect: String,
    pub(crate) reason: String,
}

/// The malformed files of a folder.
pub(crate) fn malformed_files(manifest: &str, folder: &str, minimum: usize) -> Vec<MalformedFile> {
    let Some(install) = install() else { return Vec::new() };
    let root = install.join("broken");
    let manifest = json(&root.join(manifest));
    let files: Vec<_> = manifest["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|file| file["file"].as_str().unwrap().starts_with(&format!("{folder}/")))
        .map(|file| {
            let text = |name: &str| file[name].as_str().unwrap().to_owned();
            let path = root.join(text("file"));
            MalformedFile {
                bytes: std::fs::read(&path).unwrap(),
                path,
                expect: text("expect"),
                reason: text("why"),
            }
        })
        .collect();
    assert!(files.len() >= minimum, "{} files in {folder}, expected {minimum}", files.len());
    files
}

pub(crate) fn options(format: &Format, given: &[(&str, &str)]) -> Options {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Options::parse(format.options, &given).unwrap()
}

pub(crate) fn open(format: &Format, bytes: &[u8]) -> Result<(Box<dyn Asset>, Report), Error> {
    let mut report = Report::new();
    let asset = (format.open)(&Source::from_bytes(bytes), &mut report)?;
    Ok((asset, report))
}

/// Converts a file; returns the outputs and the report.
pub(crate) fn convert(
    format: &'static Format,
    path: &Path,
    extension: &str,
    given: &[(&str, &str)],
) -> (MemorySink, Report) {
    convert_for(format, path, extension, given, Target::new("out", 1.0))
}

/// Like [`convert`], for a target.
pub(crate) fn convert_for(
    format: &'static Format,
    path: &Path,
    extension: &str,
    given: &[(&str, &str)],
    target: Target<'_>,
) -> (MemorySink, Report) {
    let bytes = std::fs::read(path).unwrap();
    let (asset, mut report) =
        open(format, &bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (install, options) = (asset::game::install_around(path, GAMES).unwrap(), options(format, given));
    let context = Context { install: &install, location: install.location_of(path), options: &options };
    let mut sink = MemorySink::new();
    format
        .convert(&*asset, extension, &context, target, &mut sink, &mut report)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (sink, report)
}

/// Whether `check` would fail: the file is refused, or the report contains an error. The file is also converted, which must not panic.
pub(crate) fn fails(format: &'static Format, path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    let (install, options) = (asset::game::install_around(path, GAMES).unwrap(), options(format, &[]));
    let context = Context { install: &install, location: install.location_of(path), options: &options };
    let (asset, mut report) = open(format, bytes)?;
    asset.check(&context, &mut report);
    report.locate(|visitor| format.trace(&*asset, &Source::from_bytes(bytes), visitor));
    for warning in report.iter().filter(|warning| warning.code.severity == Severity::Error) {
        let offset = warning.offset.unwrap_or_else(|| panic!("{}: no offset: {warning}", path.display()));
        assert!(offset <= bytes.len() as u64, "{}: {warning}", path.display());
    }
    let failed = report.worst() == Some(Severity::Error);
    let target = Target::new("out", 1.0);
    let (mut sink, mut exported) = (MemorySink::new(), Report::new());
    let extension = format.default_output().unwrap();
    format.convert(&*asset, extension, &context, target, &mut sink, &mut exported)?;
    let _ = asset.describe(asset::Detail::Full);
    let mut visit = |_: record::Span<'_>| record::Visit::Continue;
    let _ = format.trace(&*asset, &Source::from_bytes(bytes), &mut visit);
    Ok(failed)
}

/// Checks a file in its install.
pub(crate) fn check(format: &'static Format, path: &Path) -> Report {
    let (asset, mut report) = open(format, &std::fs::read(path).unwrap()).unwrap();
    let (install, options) = (asset::game::install_around(path, GAMES).unwrap(), options(format, &[]));
    asset.check(
        &Context { install: &install, location: install.location_of(path), options: &options },
        &mut report,
    );
    report
}

/// The format detected from bytes and a file name.
pub(crate) fn detect(bytes: &[u8], name: &str) -> Option<&'static Format> {
    let head = &bytes[..bytes.len().min(Probe::HEAD as usize)];
    let probe = Probe::new(head, bytes.len() as u64, Some(name));
    let named = |format: &&'static Format| probe.has_extension(format.extensions);
    let score = |format: &&'static Format| {
        (format.probe)(&probe).or_else(|| named(format).then_some(Score::POSSIBLE))
    };
    let found = antiquary_redguard::FORMATS
        .iter()
        .chain(media::FORMATS)
        .filter_map(|format| Some((score(format)?, format)))
        .collect::<Vec<_>>();
    let best = found.iter().map(|(score, _)| *score).max().filter(|score| *score > Score::NEVER)?;
    found.iter().find(|(score, _)| *score == best).map(|(_, format)| **format)
}

/// Asserts that every malformed file has the result in its manifest. Detected files must have the format `format`.
pub(crate) fn assert_matches_manifest(format: &'static Format, files: &[MalformedFile]) {
    for MalformedFile { path, bytes, expect, reason } in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        if let Some(found) = detect(bytes, name) {
            assert_eq!(found.id, format.id, "{}", path.display());
        }
        let result =
            if bytes.is_empty() { Err(Error::malformed("empty").at(0)) } else { fails(format, path, bytes) };
        let failed = match &result {
            Ok(failed) => *failed,
            Err(error) => {
                let offset =
                    error.offset().unwrap_or_else(|| panic!("{}: no offset: {error}", path.display()));
                assert!(offset <= bytes.len() as u64, "{}: {error}", path.display());
                true
            }
        };
        assert!(failed || expect != "error", "{} ({reason}) is accepted as valid", path.display());
    }
}

/// An image: width, height, and RGBA frames.
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) frames: Vec<Vec<u8>>,
}

/// Decodes all frames of a PNG.
pub(crate) fn png(bytes: &[u8]) -> Picture {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let count = reader.info().animation_control().map_or(1, |control| control.num_frames);
    let (width, height) = (reader.info().width, reader.info().height);
    let frame = |_| {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let size = reader.next_frame(&mut pixels).unwrap().buffer_size();
        pixels.truncate(size);
        pixels
    };
    Picture { width, height, frames: (0..count).map(frame).collect() }
}

/// CRC-32 of pixels as in the corpus: a transparent pixel counts as four zeros.
pub(crate) fn crc(pixels: &[u8]) -> String {
    let clear: Vec<u8> = pixels
        .chunks(4)
        .flat_map(|pixel| if pixel[3] == 0 { [0; 4] } else { pixel.try_into().unwrap() })
        .collect();
    format!("{:08x}", crc32fast::hash(&clear))
}

/// Unpacks a file into a folder.
pub(crate) fn unpack(
    format: &'static Format,
    path: &Path,
    bytes: &[u8],
    folder: &Path,
    given: &[(&str, &str)],
) -> Report {
    let (asset, mut report) = open(format, bytes).unwrap();
    let (install, options) = (asset::game::install_around(path, GAMES).unwrap(), options(format, given));
    let context = Context { install: &install, location: install.location_of(path), options: &options };
    let mut sink = FolderSink::new(folder, Arc::new(Guard::new(Overwrite::Allow)));
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut parts = Parts::new(&mut sink, format.id, &Source::from_bytes(bytes), name).unwrap();
    asset
        .unpack(&context, &mut parts, &mut report)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    parts.finish(&mut Report::new()).unwrap();
    sink.finish().unwrap();
    report
}

/// Packs a folder.
pub(crate) fn pack(format: &'static Format, folder: &Path) -> Result<(Vec<u8>, Report), Error> {
    let mut report = Report::new();
    let unpacked = Unpacked::open(folder)?;
    let bytes = format.pack_folder(&unpacked, &mut report)?;
    Ok((bytes, report))
}

/// Asserts that unpacking and packing a file reproduces it without warnings.
pub(crate) fn assert_round_trip(format: &'static Format, path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpack(format, path, &bytes, folder.path(), &[]);
    let (packed, report) = pack(format, folder.path()).unwrap();
    assert!(report.is_empty(), "{}: {report:?}", path.display());
    assert!(packed == bytes, "{}: packed differently", path.display());
}

/// Asserts that a truncated file is read or refused with an offset within the file, for many lengths.
pub(crate) fn assert_survives_truncation(format: &'static Format, path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let (asset, _) = open(format, &bytes).unwrap();
    let mut boundaries = corpus::Places::default();
    format.trace(&*asset, &Source::from_bytes(&bytes[..]), &mut boundaries).unwrap();
    let (install, options) = (asset::game::install_around(path, GAMES).unwrap(), options(format, &[]));
    let context = Context { install: &install, location: install.location_of(path), options: &options };
    for length in corpus::cuts(bytes.len(), &boundaries.boundaries) {
        match open(format, &bytes[..length]) {
            Ok((asset, mut report)) => asset.check(&context, &mut report),
            Err(error) => {
                let offset =
                    error.offset().unwrap_or_else(|| panic!("{}: no offset: {error}", path.display()));
                assert!(offset <= length as u64, "{} cut at {length}: {error}", path.display());
            }
        }
    }
}

/// Asserts that the trace covers every byte exactly once, in order.
pub(crate) fn assert_covers_all_bytes(format: &'static Format, path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let (asset, _) = open(format, &bytes).unwrap();
    let mut next = 0;
    let mut visit = |span: record::Span<'_>| {
        assert_eq!(span.start, next, "{}: {span:?}", path.display());
        next = span.end;
        record::Visit::Continue
    };
    format.trace(&*asset, &Source::from_bytes(&bytes[..]), &mut visit).unwrap();
    assert_eq!(next, bytes.len() as u64, "{}", path.display());
}

/// Checks bytes without a location, ignoring warnings about missing parts of a game.
pub(crate) fn checked_alone(format: &Format, bytes: &[u8]) -> Report {
    let (asset, _) = open(format, bytes).unwrap();
    let install = Install::empty();
    let options = options(format, &[]);
    let mut report = Report::new();
    asset.check(&Context { install: &install, location: None, options: &options }, &mut report);
    let mut out = Report::new();
    for reported in report.iter().filter(|reported| reported.code.id != "RGMODEL-W012") {
        out.warn(reported.code, reported.message.clone());
    }
    out
}

/// Writes the sample game to disk.
pub(crate) fn sample() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = FolderSink::new(folder.path(), Arc::new(Guard::new(Overwrite::Refuse)));
    antiquary_redguard::sample::write(&mut sink).unwrap();
    sink.finish().unwrap();
    folder
}
