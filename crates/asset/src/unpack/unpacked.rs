//! Reading an unpacked folder, and detecting which parts were edited.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use files::{Charset, CharsetScope, disk, walk};
use json::{Content, Document, Node, Value};
use record::{Error, Source};
use scene::product::{Decoded, Picture, decode};
use scene::{ProductKind, Sound, gltf};
use serde::de::DeserializeOwned;

use super::blob::BlobNames;
use super::manifest::{MANIFEST, Manifest, Part, RECORD, Role, Shown, VIEWS};
use super::memory::MemoryParts;
use super::typed::TypedParts;
use super::{UNLISTED, digest, original};
use crate::option::Options;
use crate::report::Report;

/// Maximum length of a part in bytes.
const LONGEST_PART: u64 = 2 << 30;

/// An unpacked file, read for packing. Edits are detected when it is opened.
#[derive(Debug)]
pub struct Unpacked {
    parts: Storage,
    manifest: Manifest,
    /// Paths of the edited parts.
    edited: BTreeSet<String>,
    /// Paths of files in the folder that the manifest does not list.
    unlisted: Vec<String>,
    options: Options,
}

/// The location of the parts.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "only one exists at a time")]
enum Storage {
    Folder(PathBuf),
    /// A folder, with the record replaced by the original.
    Original(PathBuf, Source),
    Memory(MemoryParts),
    Typed(TypedParts),
}

/// A view that was edited.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditedView {
    /// Name of the file.
    pub name: String,
    /// Current contents.
    pub bytes: Vec<u8>,
    /// JSON pointers to the parts of the record that it shows.
    pub record: Vec<String>,
    /// Names of the blobs that it shows.
    pub blobs: Vec<String>,
}

impl EditedView {
    /// Returns the path in the folder.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{VIEWS}{}", self.name)
    }

    /// Returns the name without the extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(&self.name, |(stem, _)| stem)
    }

    /// Decodes the image.
    ///
    /// # Errors
    /// When the view is of another kind, or is not valid.
    pub fn image(&self) -> Result<Picture, Error> {
        self.decoded(ProductKind::Image)
            .and_then(Decoded::into_image)
            .map_err(|error| error.in_file(self.path()))
    }

    /// Decodes the sound.
    ///
    /// # Errors
    /// The same as [`EditedView::image`].
    pub fn sound(&self) -> Result<Sound, Error> {
        self.decoded(ProductKind::Sound)
            .and_then(Decoded::into_sound)
            .map_err(|error| error.in_file(self.path()))
    }

    /// Reads the scene, and reports what was skipped.
    ///
    /// # Errors
    /// The same as [`EditedView::image`].
    pub fn scene(&self) -> Result<gltf::Read, Error> {
        self.decoded(ProductKind::Scene)
            .and_then(Decoded::into_scene)
            .map_err(|error| error.in_file(self.path()))
    }

    fn decoded(&self, kind: ProductKind) -> Result<Decoded, Error> {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        decode(&self.bytes, extension, kind)
    }

    /// Parses the data as the type that it was serialized from.
    ///
    /// # Errors
    /// When the view is not JSON, or does not match the type.
    pub fn data<T: DeserializeOwned>(&self) -> Result<T, Error> {
        json::from_slice(&self.bytes).map_err(|error| error.in_file(self.path()))
    }
}

impl Unpacked {
    /// Opens an unpacked folder.
    ///
    /// # Errors
    /// When the folder was not unpacked, a part is missing or leads out of the folder, or both a view and its source were edited.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let canonical = disk::canonical(folder).map_err(|error| Error::from(error).in_file(folder))?;
        let manifest = Manifest::read(folder)?;
        let mut out = Self::of(Storage::Folder(canonical.clone()), manifest, &folder.join(MANIFEST))?;
        out.find_unlisted(&canonical);
        Ok(out)
    }

    /// Detects the edited parts.
    fn of(parts: Storage, manifest: Manifest, manifest_path: &Path) -> Result<Self, Error> {
        let mut out = Self {
            parts,
            manifest,
            edited: BTreeSet::new(),
            unlisted: Vec::new(),
            options: Options::default(),
        };
        for part in &out.manifest.parts {
            part.check_path().map_err(|error| error.in_file(manifest_path))?;
            if digest::of_source(&out.source(&part.path)?)? != part.sha256 {
                out.edited.insert(part.path.clone());
            }
        }
        out.check_double_edits()?;
        Ok(out)
    }

    /// Sets the options for the scenes among the views.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Options for the scenes among the views.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Opens parts in memory, with or without views.
    ///
    /// # Errors
    /// When the manifest or a part is missing, or both a view and its source were edited.
    pub fn in_memory(parts: MemoryParts) -> Result<Self, Error> {
        let manifest = parts.get(MANIFEST).ok_or_else(|| Error::usage(format!("there is no {MANIFEST}")))?;
        let manifest = Manifest::parse(&manifest.read_all()?).map_err(|error| error.in_file(MANIFEST))?;
        Self::of(Storage::Memory(parts), manifest, Path::new(MANIFEST))
    }

    /// Opens a file that was unpacked into memory as its fields.
    ///
    /// # Errors
    /// When the record or the manifest is missing.
    pub fn of_typed(mut parts: TypedParts) -> Result<Self, Error> {
        let missing = || Error::usage(format!("there is no {MANIFEST}"));
        let manifest = parts.take_manifest().ok_or_else(missing)?;
        parts.record()?;
        Ok(Self {
            parts: Storage::Typed(parts),
            manifest,
            edited: BTreeSet::new(),
            unlisted: Vec::new(),
            options: Options::default(),
        })
    }

    /// Replaces the record.
    ///
    /// # Errors
    /// When the file was not unpacked into memory, and the same as [`Unpacked::in_memory`].
    pub fn with_record(self, json: Vec<u8>) -> Result<Self, Error> {
        let Storage::Memory(mut parts) = self.parts else {
            return Err(Error::usage("the record of an unpacked folder must be edited in the folder"));
        };
        parts.set_record(json);
        Self::in_memory(parts)
    }

    /// Returns the record of a file that was unpacked into memory as its fields.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        match &self.parts {
            Storage::Typed(parts) => parts.record().ok(),
            Storage::Folder(_) | Storage::Original(..) | Storage::Memory(_) => None,
        }
    }

    /// Replaces the record, and returns the old one.
    ///
    /// # Errors
    /// When the file was not unpacked into memory as its fields.
    pub fn replace_document(&mut self, record: Document) -> Result<Document, Error> {
        let Storage::Typed(parts) = &mut self.parts else {
            return Err(Error::usage("the record of an unpacked folder must be edited in the folder"));
        };
        self.edited.insert(RECORD.to_owned());
        parts.replace_record(record)
    }

    /// Reads the file from the record and all blobs.
    ///
    /// # Errors
    /// [`Kind::Malformed`](record::Kind::Malformed) if the record is not valid; the error contains the field and the expected
    /// value. Also when a blob is missing or cannot be read.
    pub fn typed<T: DeserializeOwned>(&self) -> Result<T, Error> {
        if let Storage::Typed(parts) = &self.parts {
            return parts.record()?.read().map_err(|error| error.in_file(RECORD));
        }
        self.typed_with_names().map(|(file, _)| file)
    }

    /// Reads the file from the record and all blobs. Also returns the names of the blobs.
    ///
    /// # Errors
    /// The same as [`Unpacked::typed`].
    pub fn typed_with_names<T: DeserializeOwned>(&self) -> Result<(T, BlobNames), Error> {
        let (document, names) = self.document_with_blobs()?;
        let file = document.read().map_err(|error| error.in_file(RECORD))?;
        Ok((file, names))
    }

    /// Reads the file from the record alone, for a format that refers to blobs in a custom way.
    ///
    /// # Errors
    /// The same as [`Unpacked::typed`].
    pub fn typed_without_blobs<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let read = || Document::parse(&self.record()?)?.read();
        read().map_err(|error| error.in_file(RECORD))
    }

    /// Returns the record with the bytes of all blobs, and the names of the blobs.
    ///
    /// # Errors
    /// When the record is not JSON, or a blob is missing or cannot be read.
    pub fn document_with_blobs(&self) -> Result<(Document, BlobNames), Error> {
        if let Storage::Typed(parts) = &self.parts {
            return Ok((parts.record()?.clone(), parts.names().clone()));
        }
        let mut blobs = Vec::new();
        let mut blob = |name: &str| {
            blobs.push(name.to_owned());
            self.blob(name).map(Some)
        };
        let json = self.bytes(RECORD)?;
        let document = Document::parse_with(&json, &mut blob).map_err(|error| error.in_file(RECORD))?;
        drop(json);
        let (mut names, mut blobs) = (BlobNames::default(), blobs.into_iter());
        document.root().visit_bytes(&mut |path, node, _| {
            blobs.next().into_iter().for_each(|name| names.add(path, node.position(), name));
            Ok(())
        })?;
        Ok((document, names))
    }

    /// Id of the file's format.
    #[must_use]
    pub fn format(&self) -> &str {
        &self.manifest.format
    }

    /// Name of the original file, without folders.
    #[must_use]
    pub fn source_name(&self) -> &str {
        &self.manifest.source.name
    }

    /// Length of the original file in bytes.
    #[must_use]
    pub fn source_length(&self) -> u64 {
        self.manifest.source.length
    }

    /// Whether `bytes` are identical to the original file.
    #[must_use]
    pub fn is_source(&self, bytes: &[u8]) -> bool {
        digest::of_bytes(bytes) == self.manifest.source.sha256
    }

    /// Paths of files in the folder that the manifest does not list, with `/` between folders.
    #[must_use]
    pub fn unlisted(&self) -> &[String] {
        &self.unlisted
    }

    /// Reports the files that the manifest does not list.
    pub fn report_unlisted(&self, report: &mut Report) {
        self.unlisted.iter().for_each(|path| report_unlisted(path, report));
    }

    /// Returns the unlisted files in the folder of views that have one of these extensions, and reports the others. These views
    /// show no part of the original.
    pub fn new_views<'a>(
        &'a self,
        extensions: &[&str],
        report: &mut Report,
    ) -> impl Iterator<Item = Result<EditedView, Error>> + use<'a> {
        let has_extension = |path: &str| {
            let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
            extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        };
        let (new, other): (Vec<&String>, Vec<&String>) =
            self.unlisted.iter().partition(|path| path.starts_with(VIEWS) && has_extension(path));
        other.into_iter().for_each(|path| report_unlisted(path, report));
        new.into_iter().map(move |path| {
            let name = path.strip_prefix(VIEWS).unwrap_or(path).to_owned();
            Ok(EditedView { name, bytes: self.bytes(path)?, record: Vec::new(), blobs: Vec::new() })
        })
    }

    /// Whether no part was edited.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.edited.is_empty()
    }

    /// Returns the file as it was unpacked; `None` if blobs were edited, or if the record was edited and the manifest does not
    /// contain the original.
    #[must_use]
    pub fn original(&self) -> Option<Self> {
        let Storage::Folder(folder) = &self.parts else { return None };
        if self.edited.iter().any(|path| path != RECORD && !path.starts_with(VIEWS)) {
            return None;
        }
        let folder = folder.clone();
        let parts = if self.is_record_edited() {
            let part = self.manifest.parts.iter().find(|part| part.path == RECORD)?;
            let record = original::read(self.manifest.original.as_deref()?, &part.sha256)?;
            Storage::Original(folder, Source::from(record))
        } else {
            Storage::Folder(folder)
        };
        let manifest = self.manifest.clone();
        Some(Self {
            parts,
            manifest,
            edited: BTreeSet::new(),
            unlisted: Vec::new(),
            options: Options::default(),
        })
    }

    /// Returns a scope in which names and texts are decoded and encoded with the character set that was used for unpacking.
    ///
    /// # Errors
    /// When the manifest has an unknown character set, or the user selected another one.
    pub fn charset_scope(&self) -> Result<CharsetScope, Error> {
        let Some(own) = &self.manifest.charset else { return Ok(CharsetScope::new(Charset::replacement())) };
        let charset = Charset::named(own).map_err(|error| error.in_field("charset").in_file(MANIFEST))?;
        match Charset::replacement() {
            Some(selected) if selected != charset => Err(Error::usage(format!(
                "was unpacked with --charset {own}, and cannot be packed with --charset {}",
                selected.name()
            ))),
            _ => Ok(CharsetScope::new(Some(charset))),
        }
    }

    /// Whether the record was edited.
    #[must_use]
    pub fn is_record_edited(&self) -> bool {
        self.edited.contains(RECORD)
    }

    /// Returns the data that is needed to read the record.
    ///
    /// # Errors
    /// When the data does not match the type.
    pub fn context<T: DeserializeOwned>(&self) -> Result<T, Error> {
        T::deserialize(self.context_value())
            .map_err(|error| Error::malformed(error.to_string()).in_field("context").in_file(MANIFEST))
    }

    /// The data that is needed to read the record, as JSON; null if there is none.
    #[must_use]
    pub fn context_value(&self) -> &Value {
        &self.manifest.context
    }

    /// Returns the record as JSON.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn record(&self) -> Result<Vec<u8>, Error> {
        let Storage::Typed(parts) = &self.parts else { return self.bytes(RECORD) };
        let mut json = Vec::new();
        parts.record()?.root().write(&mut json, &|at| parts.names().at(at))?;
        Ok(json)
    }

    /// Returns a blob by its name.
    ///
    /// # Errors
    /// When the blob does not exist or cannot be read.
    pub fn blob(&self, name: &str) -> Result<Vec<u8>, Error> {
        if let Some(bytes) = self.document_blob(name) {
            return Ok(bytes.to_vec());
        }
        let path = format!("blobs/{name}");
        if !self.manifest.parts.iter().any(|part| part.path == path) {
            return Err(Error::usage(format!("{path} is not listed in {MANIFEST}")));
        }
        self.bytes(&path)
    }

    /// Returns the unread bytes of a blob and its original digest; `None` if there is no such blob.
    #[must_use]
    pub fn blob_source(&self, name: &str) -> Option<(Source, &str)> {
        let path = format!("blobs/{name}");
        let part = self.manifest.parts.iter().find(|part| part.path == path)?;
        Some((self.source(&path).ok()?, &part.sha256))
    }

    /// Whether there are blobs in memory that are not part of the record, which refers to them in a custom way.
    #[must_use]
    pub fn has_external_blobs(&self) -> bool {
        self.manifest.parts.iter().any(|part| part.role == Role::Blob)
    }

    /// Returns the blob name of a value of the [document](Self::document); `None` if it is not a blob.
    #[must_use]
    pub fn blob_name(&self, node: Node<'_>) -> Option<&str> {
        match &self.parts {
            Storage::Typed(parts) => parts.names().at(node.position()),
            Storage::Folder(_) | Storage::Original(..) | Storage::Memory(_) => None,
        }
    }

    /// Returns the bytes of a blob that is part of the document in memory.
    fn document_blob(&self, name: &str) -> Option<&[u8]> {
        let Storage::Typed(parts) = &self.parts else { return None };
        match parts.record().ok()?.root().pointer(parts.names().pointer(name)?)?.content() {
            Content::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the edited views, in the order of unpacking. The content of all other views is taken from the record and the
    /// blobs.
    ///
    /// # Errors
    /// When a view cannot be read.
    pub fn edited_views(&self) -> Result<Vec<EditedView>, Error> {
        self.views()
            .filter(|view| self.edited.contains(&view.path))
            .map(|view| self.edited_view(view))
            .collect()
    }

    fn edited_view(&self, view: &Part) -> Result<EditedView, Error> {
        let name = view.path.strip_prefix(VIEWS).unwrap_or(&view.path).to_owned();
        let (mut record, mut blobs) = (Vec::new(), Vec::new());
        for shown in &view.shows {
            match shown {
                Shown::Blob(path) => blobs.push(path.strip_prefix("blobs/").unwrap_or(path).to_owned()),
                Shown::Record { pointer, .. } => record.push(pointer.clone()),
            }
        }
        Ok(EditedView { name, bytes: self.bytes(&view.path)?, record, blobs })
    }

    fn views(&self) -> impl Iterator<Item = &Part> {
        self.manifest.parts.iter().filter(|part| part.role == Role::View)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, Error> {
        Ok(self.source(path)?.read_all()?.into_owned())
    }

    /// Returns the bytes of a part.
    fn source(&self, path: &str) -> Result<Source, Error> {
        let shown = || Path::new(path);
        let missing = || Error::usage(format!("is listed in {MANIFEST} but missing")).in_file(shown());
        let folder = match &self.parts {
            Storage::Original(_, record) if path == RECORD => return Ok(record.clone()),
            Storage::Folder(folder) | Storage::Original(folder, _) => folder,
            Storage::Memory(parts) => return parts.get(path).cloned().ok_or_else(missing),
            Storage::Typed(parts) => return parts.get(path).cloned().ok_or_else(missing),
        };
        let at = disk::canonical(&folder.join(path)).map_err(|_| {
            let what = format!(
                "is listed in {MANIFEST} but missing: restore it, or unpack again (to remove an entry, remove it from {RECORD})"
            );
            Error::usage(what).in_file(shown())
        })?;
        if !at.starts_with(folder) {
            return Err(Error::usage("leads outside the unpacked folder").in_file(shown()));
        }
        let source = disk::open(&at)?;
        if source.len() > LONGEST_PART {
            let what = format!("has {} bytes, but the limit is {LONGEST_PART}", source.len());
            return Err(Error::limit(what).in_file(shown()));
        }
        Ok(source)
    }

    /// Fails if both a view and its source were edited, because either could be the intended edit.
    fn check_double_edits(&self) -> Result<(), Error> {
        let edited: Vec<_> = self.views().filter(|view| self.edited.contains(&view.path)).collect();
        let needs_record = self.is_record_edited()
            && edited.iter().flat_map(|view| &view.shows).any(|shown| matches!(shown, Shown::Record { .. }));
        let record = if needs_record { Document::parse(&self.record()?) } else { Ok(Document::default()) };
        let record = record.map_err(|error| error.in_file(RECORD))?;
        let digest = |pointer: &str| {
            let node = record.root().pointer(pointer);
            node.map(|node| digest::of_json(node, &BlobNames::default())).transpose()
        };
        for view in edited {
            for shown in &view.shows {
                let other = match shown {
                    Shown::Blob(path) if self.edited.contains(path) => path.clone(),
                    Shown::Record { pointer, sha256 }
                        if needs_record && digest(pointer)?.as_ref() != Some(sha256) =>
                    {
                        let location =
                            if pointer.is_empty() { String::new() } else { format!(" ({pointer})") };
                        format!("{RECORD}{location}")
                    }
                    _ => continue,
                };
                return Err(Error::usage(format!(
                    "{} and {other} show the same data and were both edited: restore one of them, \
                     then pack again",
                    view.path
                )));
            }
        }
        Ok(())
    }

    fn find_unlisted(&mut self, folder: &Path) {
        let mut unlisted = Vec::new();
        let listed: BTreeSet<_> = self.manifest.parts.iter().map(|part| part.path.as_str()).collect();
        for below in ["blobs", "views"] {
            for file in walk::files_recursive(&folder.join(below)) {
                let path = file.strip_prefix(folder).unwrap_or(&file);
                let path: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
                let path = path.join("/");
                if !listed.contains(path.as_str()) {
                    unlisted.push(path);
                }
            }
        }
        self.unlisted = unlisted;
    }
}

fn report_unlisted(path: &str, report: &mut Report) {
    report.warn(&UNLISTED, format!("{path} is not listed in {MANIFEST} and is ignored"));
}
