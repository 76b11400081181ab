//! Archives: listing and reading their entries, and writing archives with changed entries.

use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};

use facade::asset::archive::{Archive as _, Content};
use facade::asset::container::Container;
use facade::operation::ArchiveResult;
use facade::session::{ArchiveEdit, ArchiveOutput, EditedArchive, Patterns};
use facade::{ArchiveOptions, Format, Outcome, Report, Session, Source};

use crate::buffers::BuffersObject;
use crate::call::{call, create, free};
use crate::failure::{Failure, item};
use crate::file::FileObject;
use crate::handle::{self, ArchiveHandle, BuffersHandle, ErrorHandle, FileHandle, Handle, ReportHandle};
use crate::options::OptionList;
use crate::pointer::{Out, Text, Texts};
use crate::progress::ProgressCallback;
use crate::report::ReportObject;
use crate::run::Operation;
use crate::status::Status;
use crate::string::c_string;

/// The object of an archive handle.
#[derive(Debug)]
pub struct ArchiveObject {
    container: Container,
    entries: Vec<EntryObject>,
}

impl Handle for ArchiveHandle {
    type Object = ArchiveObject;
}

#[derive(Debug)]
struct EntryObject {
    name: CString,
    note: CString,
    length: u64,
    stored: u64,
    content: EntryKind,
}

impl ArchiveObject {
    fn open(format: &Format, source: &Source) -> Result<Self, Failure> {
        let container = Container::open(format, source, &mut Report::new())?;
        let entries = (0..container.count()).filter_map(|index| container.entry(index));
        let entries = entries.map(|entry| EntryObject {
            name: c_string(&entry.name),
            note: c_string(&entry.note),
            length: entry.length,
            stored: entry.stored,
            content: match entry.content {
                Content::File => EntryKind::File,
                Content::Folder => EntryKind::Folder,
                _ => EntryKind::Other,
            },
        });
        let entries = entries.collect();
        Ok(Self { container, entries })
    }

    /// Opens the bytes of an entry.
    fn source(&self, index: usize) -> Result<Source, Failure> {
        item("entry", &self.entries, index)?;
        Ok(self.container.open(index)?)
    }
}

/// The kind of an entry.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A file that can be read.
    File = 0,
    /// A folder.
    Folder = 1,
    /// Anything else: a file that cannot be read, or a marker. The note says what.
    Other = 2,
}

/// An entry of an archive. The pointers are valid until the archive is freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ArchiveEntry {
    /// Name as stored in the archive. It may include folders, with either slash, and may lead out of the archive (`..`), so do
    /// not use it as a path on disk.
    pub name: *const c_char,
    /// Length in bytes.
    pub length: u64,
    /// Length in the archive in bytes, which is less for compressed files.
    pub stored: u64,
    /// The kind of entry.
    pub kind: EntryKind,
    /// Further information: compression, encryption, for dialogue the text.
    pub note: *const c_char,
}

/// Opens a file as an archive. Fails if files of its format are not archives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_archive(
    file: FileHandle,
    archive: *mut ArchiveHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (archive, error) = unsafe { (Out::new(archive), Out::new(error)) };
    create((archive, "archive"), error, || {
        let object = handle::get(file)?;
        ArchiveObject::open(object.opened.format, &object.opened.source)
    })
}

/// Gets the number of entries of an archive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_archive_count(
    archive: ArchiveHandle,
    count: *mut usize,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (count, error) = unsafe { (Out::new(count), Out::new(error)) };
    call(error, || count.put("count", handle::get(archive)?.entries.len()))
}

/// Gets an entry of an archive. The pointers are valid until the archive is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_archive_entry(
    archive: ArchiveHandle,
    index: usize,
    entry: *mut ArchiveEntry,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (entry, error) = unsafe { (Out::new(entry), Out::new(error)) };
    call(error, || {
        let object = handle::get(archive)?;
        let found = item("entry", &object.entries, index)?;
        entry.put(
            "entry",
            ArchiveEntry {
                name: found.name.as_ptr(),
                length: found.length,
                stored: found.stored,
                kind: found.content,
                note: found.note.as_ptr(),
            },
        )
    })
}

/// Reads an entry of an archive: one buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_archive_read(
    archive: ArchiveHandle,
    index: usize,
    bytes: *mut BuffersHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (bytes, error) = unsafe { (Out::new(bytes), Out::new(error)) };
    create((bytes, "bytes"), error, || {
        let object = handle::get(archive)?;
        let source = object.source(index)?;
        let name = item("entry", &object.entries, index)?.name.to_string_lossy();
        Ok(BuffersObject::one(&name, source.read_all()?.into_owned()))
    })
}

/// Opens an entry of an archive as a file. `options` are those of `antiquary_open`: without the option `game`, files that
/// the entry refers to are not found.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_archive_file(
    archive: ArchiveHandle,
    index: usize,
    options: *const *const c_char,
    file: *mut FileHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (options, file, error) = unsafe { (Texts::new(options), Out::new(file), Out::new(error)) };
    create((file, "file"), error, || {
        let object = handle::get(archive)?;
        let source = object.source(index)?;
        let name = item("entry", &object.entries, index)?.name.to_string_lossy();
        FileObject::in_memory(&name, source, OptionList::parse(options)?)
    })
}

/// Frees an archive, and everything that was borrowed from it. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_archive_free(archive: ArchiveHandle) -> Status {
    free(archive)
}

/// Writes an archive on disk with added files, like `antiquary archive add --json`. `files` are files and folders, and end
/// with `NULL`. `out` is the new archive, or a folder; `NULL` changes the archive itself.
///
/// Options: `folder`, `name`, `compress`, `compact`, those of the format, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_archive_add(
    archive: *const c_char,
    files: *const *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (archive, files, out) = unsafe { (Text::new(archive), Texts::new(files), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, mut options| {
        let files = files.required("files")?.into_iter().map(PathBuf::from).collect();
        let folder = options.take("folder").unwrap_or_default();
        let edit = ArchiveEdit::Add { files, folder, name: options.take("name") };
        edit_archive(session, archive, &edit, out, options)
    })
}

/// Writes an archive on disk without some entries, like `antiquary archive remove --json`. `patterns` select the entries as
/// for `antiquary_list`, and end with `NULL`. `out` and the options are those of `antiquary_archive_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_archive_remove(
    archive: *const c_char,
    patterns: *const *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (archive, patterns, out) = unsafe { (Text::new(archive), Texts::new(patterns), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, options| {
        let patterns: Vec<String> = patterns.required("patterns")?.into_iter().map(str::to_owned).collect();
        let edit = ArchiveEdit::Remove(Patterns::parse(&patterns)?);
        edit_archive(session, archive, &edit, out, options)
    })
}

/// Writes an archive on disk with renamed entries, like `antiquary archive rename --json`. `names` are pairs of an old and a
/// new name, and end with `NULL`. `out` and the options are those of `antiquary_archive_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_archive_rename(
    archive: *const c_char,
    names: *const *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (archive, names, out) = unsafe { (Text::new(archive), Texts::new(names), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, options| {
        let names = names.required("names")?;
        let (pairs, rest) = names.as_chunks::<2>();
        if let [alone] = rest {
            return Err(Failure::argument(
                "names",
                format!("has an odd number of names: \"{alone}\" has no new name"),
            ));
        }
        let pairs = pairs.iter().map(|[old, new]| ((*old).to_owned(), (*new).to_owned())).collect();
        let edit = ArchiveEdit::Rename(pairs);
        edit_archive(session, archive, &edit, out, options)
    })
}

/// Writes an archive on disk with all files of other archives, like `antiquary archive merge --json`. `others` end with
/// `NULL`; the last one takes precedence. `out` and the options are those of `antiquary_archive_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_archive_merge(
    archive: *const c_char,
    others: *const *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (archive, others, out) = unsafe { (Text::new(archive), Texts::new(others), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, options| {
        let edit = ArchiveEdit::Merge(others.get("others")?.into_iter().map(PathBuf::from).collect());
        edit_archive(session, archive, &edit, out, options)
    })
}

fn edit_archive(
    session: &Session<'_>,
    archive: Text<'_>,
    edit: &ArchiveEdit,
    out: Text<'_>,
    mut options: OptionList,
) -> Result<ReportObject, Failure> {
    let archive = Path::new(archive.get("archive")?);
    let output = match out.optional("out")? {
        Some(out) => ArchiveOutput::File(PathBuf::from(out)),
        None => ArchiveOutput::InPlace,
    };
    let archive_options = ArchiveOptions::default()
        .compression(options.take_compression()?)
        .compact(options.take_flag("compact")?)
        .options(&options.into_format_options());
    let edited = session.edit_archive(archive, edit, &output, &archive_options);
    let edited = edited.unwrap_or_else(|error| EditedArchive::failed(Outcome::failed(archive, &error)));
    ReportObject::new(&ArchiveResult::new(&edited, session.writing))
}
