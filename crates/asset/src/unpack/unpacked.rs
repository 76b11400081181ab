//! Reading the folder back, and finding out what was edited.

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

/// No part is longer.
const LONGEST_PART: u64 = 2 << 30;

/// An unpacked file, read back for packing. What was edited is found out when it is opened.
#[derive(Debug)]
pub struct Unpacked {
    parts: Place,
    manifest: Manifest,
    /// The paths of the parts that differ from what was unpacked.
    touched: BTreeSet<String>,
    /// The paths of files in the folder that the manifest does not list.
    unlisted: Vec<String>,
    options: Options,
}

/// Where the parts are.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
enum Place {
    Folder(PathBuf),
    /// A folder with another record.
    Original(PathBuf, Source),
    Memory(MemoryParts),
    Typed(TypedParts),
}

/// A view that was edited.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditedView {
    /// The name it was written under.
    pub name: String,
    /// What it holds now.
    pub bytes: Vec<u8>,
    /// The parts of the record it shows, as JSON pointers.
    pub record: Vec<String>,
    /// The names of the blobs it shows.
    pub blobs: Vec<String>,
}

impl EditedView {
    /// Its path in the folder.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{VIEWS}{}", self.name)
    }

    /// Its name without the extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(&self.name, |(stem, _)| stem)
    }

    /// The image that it holds now.
    ///
    /// # Errors
    /// When it is of another kind, or does not follow its format.
    pub fn image(&self) -> Result<Picture, Error> {
        self.decoded(ProductKind::Image)
            .and_then(Decoded::into_image)
            .map_err(|error| error.in_file(self.path()))
    }

    /// The sound that it holds now.
    ///
    /// # Errors
    /// As [`EditedView::image`].
    pub fn sound(&self) -> Result<Sound, Error> {
        self.decoded(ProductKind::Sound)
            .and_then(Decoded::into_sound)
            .map_err(|error| error.in_file(self.path()))
    }

    /// The scene that it holds now, and what was passed over while reading it.
    ///
    /// # Errors
    /// As [`EditedView::image`].
    pub fn scene(&self) -> Result<gltf::Read, Error> {
        self.decoded(ProductKind::Scene)
            .and_then(Decoded::into_scene)
            .map_err(|error| error.in_file(self.path()))
    }

    fn decoded(&self, kind: ProductKind) -> Result<Decoded, Error> {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        decode(&self.bytes, extension, kind)
    }

    /// The data that it holds now, as the type that it was written from.
    ///
    /// # Errors
    /// When it is not JSON, or does not fit the type.
    pub fn data<T: DeserializeOwned>(&self) -> Result<T, Error> {
        json::from_slice(&self.bytes).map_err(|error| error.in_file(self.path()))
    }
}

impl Unpacked {
    /// Opens a folder that was unpacked before.
    ///
    /// # Errors
    /// When it is no such folder, a part is missing or leads out of it, or a view was edited together with what it shows.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let canonical = disk::canonical(folder).map_err(|error| Error::from(error).in_file(folder))?;
        let manifest = Manifest::read(folder)?;
        let mut out = Self::of(Place::Folder(canonical.clone()), manifest, &folder.join(MANIFEST))?;
        out.find_unlisted(&canonical);
        Ok(out)
    }

    /// Finds out what was edited.
    fn of(parts: Place, manifest: Manifest, manifest_path: &Path) -> Result<Self, Error> {
        let mut out = Self {
            parts,
            manifest,
            touched: BTreeSet::new(),
            unlisted: Vec::new(),
            options: Options::default(),
        };
        for part in &out.manifest.parts {
            part.check_path().map_err(|error| error.in_file(manifest_path))?;
            if digest::of_source(&out.source(&part.path)?)? != part.sha256 {
                out.touched.insert(part.path.clone());
            }
        }
        out.refuse_double_edits()?;
        Ok(out)
    }

    /// The same with what was chosen for the scenes among its views.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// What was chosen for the scenes among its views.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Opens what was unpacked into memory, with views or without.
    ///
    /// # Errors
    /// When the manifest or a part is missing, or a view was edited together with what it shows.
    pub fn in_memory(parts: MemoryParts) -> Result<Self, Error> {
        let manifest = parts.get(MANIFEST).ok_or_else(|| Error::usage(format!("there is no {MANIFEST}")))?;
        let manifest = Manifest::parse(&manifest.read_all()?).map_err(|error| error.in_file(MANIFEST))?;
        Self::of(Place::Memory(parts), manifest, Path::new(MANIFEST))
    }

    /// Opens a file that was taken apart as its typed form.
    ///
    /// # Errors
    /// When it is not complete.
    pub fn of_typed(mut parts: TypedParts) -> Result<Self, Error> {
        let missing = || Error::usage(format!("there is no {MANIFEST}"));
        let manifest = parts.take_manifest().ok_or_else(missing)?;
        parts.record()?;
        Ok(Self {
            parts: Place::Typed(parts),
            manifest,
            touched: BTreeSet::new(),
            unlisted: Vec::new(),
            options: Options::default(),
        })
    }

    /// The same with another record.
    ///
    /// # Errors
    /// When it is not in memory as a folder, and as [`Unpacked::in_memory`].
    pub fn with_record(self, json: Vec<u8>) -> Result<Self, Error> {
        let Place::Memory(mut parts) = self.parts else {
            return Err(Error::usage("the record of an unpacked folder must be edited in the folder"));
        };
        parts.set_record(json);
        Self::in_memory(parts)
    }

    /// The typed file, where it was taken apart as such.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        match &self.parts {
            Place::Typed(parts) => parts.record().ok(),
            Place::Folder(_) | Place::Original(..) | Place::Memory(_) => None,
        }
    }

    /// Puts another typed file in the place of the one that was taken apart, and gives that back.
    ///
    /// # Errors
    /// When it was not taken apart as its typed form.
    pub fn replace_document(&mut self, record: Document) -> Result<Document, Error> {
        let Place::Typed(parts) = &mut self.parts else {
            return Err(Error::usage("the record of an unpacked folder must be edited in the folder"));
        };
        self.touched.insert(RECORD.to_owned());
        parts.replace_record(record)
    }

    /// The typed file, with the bytes of all blobs in it.
    ///
    /// # Errors
    /// [`Kind::Malformed`](record::Kind::Malformed) when the record does not hold such a file: the error names the field and what was expected
    /// there. When a blob is missing, or cannot be read.
    pub fn typed<T: DeserializeOwned>(&self) -> Result<T, Error> {
        if let Place::Typed(parts) = &self.parts {
            return parts.record()?.read().map_err(|error| error.in_file(RECORD));
        }
        self.typed_with_names().map(|(file, _)| file)
    }

    /// The typed file, with the bytes of all blobs in it, and the names of the blobs.
    ///
    /// # Errors
    /// As [`Unpacked::typed`].
    pub fn typed_with_names<T: DeserializeOwned>(&self) -> Result<(T, BlobNames), Error> {
        let (document, names) = self.whole_document()?;
        let file = document.read().map_err(|error| error.in_file(RECORD))?;
        Ok((file, names))
    }

    /// The typed file, for a format whose record names blobs in a way of its own.
    ///
    /// # Errors
    /// As [`Unpacked::typed`].
    pub fn typed_without_blobs<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let read = || Document::parse(&self.record()?)?.read();
        read().map_err(|error| error.in_file(RECORD))
    }

    /// The record with the bytes of all blobs in it, and the names of the blobs.
    ///
    /// # Errors
    /// When it is no JSON; when a blob is missing, or cannot be read.
    pub fn whole_document(&self) -> Result<(Document, BlobNames), Error> {
        if let Place::Typed(parts) = &self.parts {
            return Ok((parts.record()?.clone(), parts.names().clone()));
        }
        let mut wanted = Vec::new();
        let mut blob = |name: &str| {
            wanted.push(name.to_owned());
            self.blob(name).map(Some)
        };
        let json = self.bytes(RECORD)?;
        let document = Document::parse_with(&json, &mut blob).map_err(|error| error.in_file(RECORD))?;
        drop(json);
        let (mut names, mut wanted) = (BlobNames::default(), wanted.into_iter());
        document.root().each_bytes(&mut |path, node, _| {
            wanted.next().into_iter().for_each(|name| names.add(path, node.position(), name));
            Ok(())
        })?;
        Ok((document, names))
    }

    /// The id of the file's format.
    #[must_use]
    pub fn format(&self) -> &str {
        &self.manifest.format
    }

    /// The name of the file that was unpacked, without folders.
    #[must_use]
    pub fn source_name(&self) -> &str {
        &self.manifest.source.name
    }

    /// How many bytes the file had that was unpacked.
    #[must_use]
    pub fn source_length(&self) -> u64 {
        self.manifest.source.length
    }

    /// Whether these are the bytes of the file that was unpacked.
    #[must_use]
    pub fn is_source(&self, bytes: &[u8]) -> bool {
        digest::of_bytes(bytes) == self.manifest.source.sha256
    }

    /// The paths of files in its folders that are not parts of it, with `/` between folders.
    #[must_use]
    pub fn unlisted(&self) -> &[String] {
        &self.unlisted
    }

    /// Reports the files that it does not list.
    pub fn report_unlisted(&self, report: &mut Report) {
        self.unlisted.iter().for_each(|path| report_unlisted(path, report));
    }

    /// The files in the folder of the views that it does not list, if they have one of these extensions; all others are reported. They show
    /// nothing that was unpacked.
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

    /// Whether nothing was edited.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.touched.is_empty()
    }

    /// The file as it was unpacked; `None` where blobs were edited, or the record and the manifest does not keep it.
    #[must_use]
    pub fn original(&self) -> Option<Self> {
        let Place::Folder(folder) = &self.parts else { return None };
        if self.touched.iter().any(|path| path != RECORD && !path.starts_with(VIEWS)) {
            return None;
        }
        let folder = folder.clone();
        let parts = if self.is_record_edited() {
            let part = self.manifest.parts.iter().find(|part| part.path == RECORD)?;
            let record = original::read(self.manifest.original.as_deref()?, &part.sha256)?;
            Place::Original(folder, Source::from(record))
        } else {
            Place::Folder(folder)
        };
        let manifest = self.manifest.clone();
        Some(Self {
            parts,
            manifest,
            touched: BTreeSet::new(),
            unlisted: Vec::new(),
            options: Options::default(),
        })
    }

    /// A scope in which names and texts are read and written in the charset they were unpacked with.
    ///
    /// # Errors
    /// When the manifest names no known charset, or another one is asked for.
    pub fn charset_scope(&self) -> Result<CharsetScope, Error> {
        let Some(own) = &self.manifest.charset else { return Ok(CharsetScope::new(Charset::replacement())) };
        let charset = Charset::named(own).map_err(|error| error.in_field("charset").in_file(MANIFEST))?;
        match Charset::replacement() {
            Some(asked) if asked != charset => Err(Error::usage(format!(
                "was unpacked with --charset {own}, and cannot be packed with --charset {}",
                asked.name()
            ))),
            _ => Ok(CharsetScope::new(Some(charset))),
        }
    }

    /// Whether the typed file was edited.
    #[must_use]
    pub fn is_record_edited(&self) -> bool {
        self.touched.contains(RECORD)
    }

    /// What the record cannot be read without, as it was kept.
    ///
    /// # Errors
    /// When it is not what is asked for.
    pub fn context<T: DeserializeOwned>(&self) -> Result<T, Error> {
        T::deserialize(self.context_value())
            .map_err(|error| Error::malformed(error.to_string()).in_field("context").in_file(MANIFEST))
    }

    /// What the record cannot be read without, as JSON; null when there is nothing.
    #[must_use]
    pub fn context_value(&self) -> &Value {
        &self.manifest.context
    }

    /// The typed file as JSON.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn record(&self) -> Result<Vec<u8>, Error> {
        let Place::Typed(parts) = &self.parts else { return self.bytes(RECORD) };
        let mut json = Vec::new();
        parts.record()?.root().write(&mut json, &|at| parts.names().at(at))?;
        Ok(json)
    }

    /// A blob by its name.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn blob(&self, name: &str) -> Result<Vec<u8>, Error> {
        if let Some(bytes) = self.held(name) {
            return Ok(bytes.to_vec());
        }
        let path = format!("blobs/{name}");
        if !self.manifest.parts.iter().any(|part| part.path == path) {
            return Err(Error::usage(format!("{path} is not listed in {MANIFEST}")));
        }
        self.bytes(&path)
    }

    /// The bytes of a blob, without reading them, and their digest as it was when they were unpacked; `None` when there is no such blob.
    #[must_use]
    pub fn blob_source(&self, name: &str) -> Option<(Source, &str)> {
        let path = format!("blobs/{name}");
        let part = self.manifest.parts.iter().find(|part| part.path == path)?;
        Some((self.source(&path).ok()?, &part.sha256))
    }

    /// Whether there are blobs that stand beside the record in memory, which names them in a way of its own.
    #[must_use]
    pub fn has_external_blobs(&self) -> bool {
        self.manifest.parts.iter().any(|part| part.role == Role::Blob)
    }

    /// The name of the blob that a value of the [document](Self::document) is; `None` when it is none.
    #[must_use]
    pub fn blob_name(&self, node: Node<'_>) -> Option<&str> {
        match &self.parts {
            Place::Typed(parts) => parts.names().at(node.position()),
            Place::Folder(_) | Place::Original(..) | Place::Memory(_) => None,
        }
    }

    /// The bytes of a blob that stands in the document in memory.
    fn held(&self, name: &str) -> Option<&[u8]> {
        let Place::Typed(parts) = &self.parts else { return None };
        match parts.record().ok()?.root().pointer(parts.names().pointer(name)?)?.content() {
            Content::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The views that were edited, in the order they were unpacked. All others are to be taken from the record and the blobs.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn edited_views(&self) -> Result<Vec<EditedView>, Error> {
        self.views().filter(|view| self.touched.contains(&view.path)).map(|view| self.edited(view)).collect()
    }

    fn edited(&self, view: &Part) -> Result<EditedView, Error> {
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

    /// The bytes of a part.
    fn source(&self, path: &str) -> Result<Source, Error> {
        let shown = || Path::new(path);
        let missing = || Error::usage(format!("is listed in {MANIFEST} but missing")).in_file(shown());
        let folder = match &self.parts {
            Place::Original(_, record) if path == RECORD => return Ok(record.clone()),
            Place::Folder(folder) | Place::Original(folder, _) => folder,
            Place::Memory(parts) => return parts.get(path).cloned().ok_or_else(missing),
            Place::Typed(parts) => return parts.get(path).cloned().ok_or_else(missing),
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

    /// Of a view and what it shows only one may have been edited: which one is meant cannot be known.
    fn refuse_double_edits(&self) -> Result<(), Error> {
        let edited: Vec<_> = self.views().filter(|view| self.touched.contains(&view.path)).collect();
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
                    Shown::Blob(path) if self.touched.contains(path) => path.clone(),
                    Shown::Record { pointer, sha256 }
                        if needs_record && digest(pointer)?.as_ref() != Some(sha256) =>
                    {
                        let place = if pointer.is_empty() { String::new() } else { format!(" ({pointer})") };
                        format!("{RECORD}{place}")
                    }
                    _ => continue,
                };
                return Err(Error::usage(format!(
                    "{} and {other} show the same thing and were both edited: put one of them back as it was unpacked, \
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
