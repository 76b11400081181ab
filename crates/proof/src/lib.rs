//! Shared helpers for the tests of formats. For tests only.

#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    clippy::panic,
    clippy::must_use_candidate,
    reason = "a test may panic"
)]

pub mod blender;

use std::fmt::Debug;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use asset::archive::{Change, EditMode, EntryChange, EntryChangeKind};
use asset::{
    Asset, Code, Context, FolderSink, Format, Guard, Install, MemorySink, Options, Overwrite, Parts, Report,
    Target, Unpacked,
};
use record::{Error, Record, Source, read_whole, write_whole};
use scene::Compression;

/// Asserts that a value is written as these bytes, and that they are read as the value.
pub fn assert_round_trip<T: Record<Context = ()> + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    assert_eq!(write_whole(value, ()).unwrap(), bytes, "writing {value:?}");
    assert_eq!(read_whole::<T>(bytes, ()).unwrap(), *value, "reading {value:?}");
}

/// Returns the message of a warning.
///
/// # Panics
/// If it was not reported exactly once.
pub fn single_warning(report: &Report, code: &Code) -> String {
    let found: Vec<_> = report.iter().map(ToString::to_string).collect();
    assert!(report.count_of(code) == 1, "{} is not raised once: {found:?}", code.id);
    report.iter().find(|warning| warning.code.id == code.id).unwrap().to_string()
}

/// Parses options of a format.
pub fn options(format: &Format, given: &[(&str, &str)]) -> Options {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Options::parse(format.options, &given).unwrap()
}

/// Checks a file that belongs to no game folder.
pub fn checked(format: &Format, asset: &dyn Asset) -> Report {
    let (install, options, mut report) = (Install::empty(), options(format, &[]), Report::new());
    asset.check(&Context { install: &install, location: None, options: &options }, &mut report);
    report
}

/// Checks a file that belongs to no game folder, and adds offsets to the warnings.
pub fn checked_in(format: &Format, asset: &dyn Asset, bytes: &[u8]) -> Report {
    let mut report = checked(format, asset);
    report.locate(|visitor| format.trace(asset, &Source::from_bytes(bytes), visitor));
    report
}

/// Converts a file that belongs to no game folder.
pub fn exported(
    format: &'static Format,
    asset: &dyn Asset,
    extension: &str,
    given: &[(&str, &str)],
) -> (MemorySink, Report) {
    let (install, options) = (Install::empty(), options(format, given));
    let context = Context { install: &install, location: None, options: &options };
    let target = Target::new("out", 1.0);
    let (mut sink, mut report) = (MemorySink::new(), Report::new());
    format.convert(asset, extension, &context, target, &mut sink, &mut report).unwrap();
    (sink, report)
}

/// Returns the names of the written files.
pub fn names(sink: &MemorySink) -> Vec<&str> {
    sink.files().iter().map(|(name, _)| name.as_str()).collect()
}

/// Unpacks a file that belongs to no game folder.
pub fn unpacked(format: &'static Format, bytes: &[u8], folder: &Path) {
    let asset = (format.open)(&Source::from_bytes(bytes), &mut Report::new()).unwrap();
    let (install, options) = (Install::empty(), options(format, &[]));
    let context = Context { install: &install, location: None, options: &options };
    let mut sink = FolderSink::new(folder, Arc::new(Guard::new(Overwrite::Allow)));
    let mut parts = Parts::new(&mut sink, format.id, &Source::from_bytes(bytes), "file").unwrap();
    asset.unpack(&context, &mut parts, &mut Report::new()).unwrap();
    parts.finish(&mut Report::new()).unwrap();
    sink.finish().unwrap();
}

/// Packs an unpacked folder.
///
/// # Errors
/// The errors of the format.
pub fn packed(format: &Format, folder: &Path) -> Result<(Vec<u8>, Report), Error> {
    let mut report = Report::new();
    let unpacked = Unpacked::open(folder)?;
    let bytes = format.pack_folder(&unpacked, &mut report)?;
    Ok((bytes, report))
}

/// Replaces the content of an entry of a file that belongs to no game folder.
///
/// # Errors
/// The errors of the format.
pub fn replaced(
    format: &'static Format,
    bytes: &[u8],
    index: usize,
    (name, content): (&str, &[u8]),
) -> Result<(Vec<u8>, Report), Error> {
    let asset = (format.open)(&Source::from_bytes(bytes), &mut Report::new())?;
    let (install, options, mut report) = (Install::empty(), options(format, &[]), Report::new());
    let context = Context { install: &install, location: None, options: &options };
    let (content, mut out) = (Source::from_bytes(content), Vec::new());
    format.archive_of(&*asset).unwrap().replace(&context, index, name, &content, &mut out, &mut report)?;
    Ok((out, report))
}

/// Returns the change that adds or replaces an entry.
#[must_use]
pub fn put(name: &str, content: &[u8]) -> Change {
    Change::Put {
        name: name.to_owned(),
        content: Source::from_bytes(content),
        compression: Compression::default(),
    }
}

/// Edits the entries of a file that belongs to no game folder. Returns the new bytes, a line for each change, and the report.
///
/// # Errors
/// The errors of the format.
pub fn edited(
    format: &'static Format,
    bytes: &[u8],
    changes: &[Change],
) -> Result<(Vec<u8>, Vec<String>, Report), Error> {
    let asset = (format.open)(&Source::from_bytes(bytes), &mut Report::new())?;
    let (install, options, mut report) = (Install::empty(), options(format, &[]), Report::new());
    let context = Context { install: &install, location: None, options: &options };
    let mut out = Cursor::new(Vec::new());
    let archive = format.archive_of(&*asset).unwrap();
    let done = archive.edit(&context, changes, EditMode::Keep, &mut out, &mut report)?;
    let line = |change: EntryChange| match change.what {
        EntryChangeKind::Renamed { to } => format!("{} renamed to {to}", change.name),
        what => format!("{} {what:?}", change.name).to_lowercase(),
    };
    Ok((out.into_inner(), done.into_iter().map(line).collect(), report))
}

/// Returns the names and bytes of the entries of a file.
pub fn held(format: &'static Format, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let asset = (format.open)(&Source::from_bytes(bytes), &mut Report::new()).unwrap();
    let archive = format.archive_of(&*asset).unwrap();
    let entry = |(index, entry): (usize, asset::archive::Entry<'_>)| {
        let bytes =
            archive.open(index).map(|source| source.read_all().unwrap().into_owned()).unwrap_or_default();
        assert!(bytes.is_empty() || entry.length == bytes.len() as u64, "{}", entry.name);
        (entry.name.into_owned(), bytes)
    };
    let entries: Vec<_> = archive.entries().enumerate().map(entry).collect();
    entries
}

/// Replaces a view of an unpacked folder by what `paint` returns for its picture.
pub fn paint(folder: &Path, view: &str, paint: impl FnOnce(scene::image::Indexed8) -> Vec<u8>) {
    let path = folder.join("views").join(view);
    let before = std::fs::read(&path).unwrap();
    let limits = scene::image::Limits::default();
    let picture = scene::image::decode_indexed(&before, &limits).unwrap().unwrap();
    std::fs::write(path, paint(picture)).unwrap();
}

/// Encodes a picture of these indices with the palette of another as PNG.
pub fn indexed(like: &scene::image::Indexed8, width: u32, height: u32, indices: Vec<u8>) -> Vec<u8> {
    let picture = scene::image::Indexed8::new(width, height, indices, like.palette().to_vec()).unwrap();
    scene::image::encode_indexed_png(&picture, Compression::Usual)
}
