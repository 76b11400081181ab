//! Writing an unpacked folder.

use std::io::BufWriter;

use files::Charset;
use files::name::Namer;
use files::sink::Sink;
use json::{Document, Node, Pretty, Step, Value};
use record::{Error, Source};
use scene::Product;
use scene::product::{encode, encoders_of};
use serde::Serialize;

use super::blob::BlobNames;
use super::digest::{self, DigestWriter};
use super::manifest::{MANIFEST, Manifest, Part, RECORD, Role, SCHEMA, Shown, SourceNote};
use super::original::OriginalEncoder;
use super::typed::TypedParts;
use crate::count::counted;
use crate::report::Report;

/// Maximum number of byte runs that are written to separate files. The game's dialogue has 3,933.
const MOST_BLOBS: usize = 8192;

/// Maximum number of views of a file. The game's dialogue has 4,866.
const MOST_VIEWS: usize = 8192;

/// The source of a view. If both a view and its source were edited, packing fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewSource<'a> {
    /// A part of the record, by its JSON pointer: `/images/3/pixels`; the empty pointer denotes the entire record.
    Record(&'a str),
    /// A blob, by the name that [`Parts::blob`] returned.
    Blob(&'a str),
}

/// Returns the blob name of a run of bytes, given its path in the file; `None` if the bytes stay in the record.
pub type BlobNamer<'a> = &'a mut dyn FnMut(&[Step<'_>], &[u8]) -> Option<String>;

/// A writer for the parts of a file that is being unpacked.
pub struct Parts<'a> {
    sink: Destination<'a>,
    namer: Namer,
    format: &'static str,
    context: Value,
    source: SourceNote,
    record: Option<Document>,
    /// The record, compressed for the manifest.
    original: Option<String>,
    /// Names of the blobs in the record.
    names: BlobNames,
    parts: Vec<Part>,
    blobs: usize,
    /// Number of byte runs that stayed in the record, and of views that were not written.
    left_out: u64,
    /// The index of each view in `parts`, and its sources.
    shows: Vec<(usize, Vec<PendingSource>)>,
    views: Views,
}

/// Whether views are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Views {
    Written,
    Omitted,
}

/// The destination of the parts.
enum Destination<'a> {
    Sink(&'a mut dyn Sink),
    /// Omits views, and does not serialize the record.
    Typed(&'a mut TypedParts),
}

/// A source of a view, before the record is written.
enum PendingSource {
    Record(String),
    Blob(String),
}

impl<'a> Parts<'a> {
    /// Unpacks a file of a format, given by its id, from a source with this name.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn new(
        sink: &'a mut dyn Sink,
        format: &'static str,
        source: &Source,
        name: &str,
    ) -> Result<Self, Error> {
        let sha256 = digest::of_source(source)?;
        Ok(Self::to(Destination::Sink(sink), format, source, name, sha256))
    }

    /// Unpacks a file into memory, only to change its fields: nothing is serialized, views are omitted, and there are no digests.
    #[must_use]
    pub fn of_typed(typed: &'a mut TypedParts, format: &'static str, source: &Source, name: &str) -> Self {
        Self::to(Destination::Typed(typed), format, source, name, String::new())
    }

    /// Omits views, to change only the record.
    #[must_use]
    pub fn without_views(self) -> Self {
        Self { views: Views::Omitted, ..self }
    }

    fn to(sink: Destination<'a>, format: &'static str, source: &Source, name: &str, sha256: String) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let source = SourceNote { name, length: source.len(), sha256 };
        let views = if matches!(sink, Destination::Sink(_)) { Views::Written } else { Views::Omitted };
        Self {
            sink,
            views,
            namer: Namer::new(),
            format,
            context: Value::Null,
            source,
            record: None,
            original: None,
            names: BlobNames::default(),
            parts: Vec::new(),
            blobs: 0,
            left_out: 0,
            shows: Vec::new(),
        }
    }

    /// Whether views are written. If not, they need not be computed.
    #[must_use]
    pub fn wants_views(&self) -> bool {
        self.views == Views::Written
    }

    /// Stores data that is needed to read the record, such as a version.
    ///
    /// # Errors
    /// When it cannot be represented in JSON.
    pub fn context(&mut self, context: &impl Serialize) -> Result<(), Error> {
        self.context = json::to_value(context).map_err(|error| Error::usage(error.to_string()))?;
        Ok(())
    }

    /// Writes all fields of the file to the record. Must be called once.
    ///
    /// # Errors
    /// When the file cannot be represented in JSON, or the record cannot be written.
    pub fn typed<T: Serialize + ?Sized>(&mut self, file: &T) -> Result<(), Error> {
        self.typed_with_blobs(file, &mut |_, _| None).map(drop)
    }

    /// Writes the fields of the file to the record. Runs of bytes for which `name` returns a name become blobs; `name` receives
    /// the path of each run in the file, and its bytes. In the record, `{"blob": "NAME"}` replaces such a run. Must be called
    /// once.
    ///
    /// # Errors
    /// When the file cannot be represented in JSON, or cannot be written.
    pub fn typed_with_blobs<T: Serialize + ?Sized>(
        &mut self,
        file: &T,
        name: BlobNamer<'_>,
    ) -> Result<BlobNames, Error> {
        let bytes = usize::try_from(self.source.length).unwrap_or(0);
        self.document_with_blobs(Document::of_file(file, bytes)?, name)
    }

    /// Like [`Parts::typed_with_blobs`], for a document with additional members for human readers.
    ///
    /// # Errors
    /// The same as [`Parts::typed_with_blobs`].
    pub fn document_with_blobs(
        &mut self,
        document: Document,
        name: BlobNamer<'_>,
    ) -> Result<BlobNames, Error> {
        let mut names = BlobNames::default();
        let mut take = |path: &[Step<'_>], node: Node<'_>, bytes: &[u8]| {
            let Some(wanted) = name(path, bytes) else { return Ok(()) };
            if self.blobs >= MOST_BLOBS {
                self.left_out = self.left_out.saturating_add(1);
                return Ok(());
            }
            let name = match self.sink {
                Destination::Sink(_) => self.name_and_write("blobs", &wanted, Role::Blob, bytes)?,
                Destination::Typed(_) => wanted,
            };
            names.add(path, node.position(), name);
            Ok(())
        };
        document.root().visit_bytes(&mut take)?;
        match &mut self.sink {
            Destination::Typed(typed) => typed.set_record(document, names.clone()),
            Destination::Sink(sink) => {
                let mut sha256 = String::new();
                let mut original = OriginalEncoder::new(self.views == Views::Written);
                let name_of = |at| names.at(at);
                sink.put_stream(RECORD, &mut |out| {
                    let mut out = Pretty::new(BufWriter::new(DigestWriter::new(original.tee(out))));
                    document.root().write(&mut out, &name_of)?;
                    let written =
                        out.finish()?.into_inner().map_err(|error| Error::from(error.into_error()))?;
                    sha256 = written.finish();
                    Ok(())
                })?;
                let part = Part { path: RECORD.to_owned(), role: Role::Record, sha256, shows: Vec::new() };
                self.parts.push(part);
                self.original = original.finish()?;
                self.record = Some(document);
                self.names = names.clone();
            }
        }
        Ok(names)
    }

    /// Writes a run of bytes that is not edited by hand. Returns the name of the blob: the given name, unless it was unsafe or
    /// already in use.
    ///
    /// # Errors
    /// When the name leads out of the folder, when the bytes are the entire file, when there are too many blobs, or when the blob
    /// cannot be written.
    pub fn blob(&mut self, name: &str, bytes: &[u8]) -> Result<String, Error> {
        if self.blobs >= MOST_BLOBS {
            return Err(Error::limit(format!("the file would be unpacked to more than {MOST_BLOBS} blobs")));
        }
        self.name_and_write("blobs", name, Role::Blob, bytes)
    }

    /// Writes a product as an editable file, with the first extension of its kind, and records its sources. Returns the name of
    /// the view. If [views are omitted](Self::wants_views), nothing is encoded.
    ///
    /// # Errors
    /// When the product cannot be encoded, the name leads out of the folder, or the file cannot be written.
    pub fn view<'p>(
        &mut self,
        stem: &str,
        product: impl Into<Product<'p>>,
        shows: &[ViewSource<'_>],
    ) -> Result<String, Error> {
        let product = product.into();
        let encoder = encoders_of(product.kind()).next();
        let extension = encoder.map_or("", |encoder| encoder.extension);
        self.view_as(stem, extension, product, shows)
    }

    /// Like [`Parts::view`], with another extension of the product's kind.
    ///
    /// # Errors
    /// The same as [`Parts::view`], and when there is no encoder for the extension.
    pub fn view_as<'p>(
        &mut self,
        stem: &str,
        extension: &str,
        product: impl Into<Product<'p>>,
        shows: &[ViewSource<'_>],
    ) -> Result<String, Error> {
        let name = format!("{stem}.{extension}");
        self.put_view(&name, shows, || encode(&mut product.into(), stem, extension))
    }

    /// Writes a view that is text in a language denoted by the extension of its name, and records its sources. Returns the name
    /// of the view.
    ///
    /// # Errors
    /// When the name leads out of the folder, or the file cannot be written.
    pub fn text_view(&mut self, name: &str, text: &str, shows: &[ViewSource<'_>]) -> Result<String, Error> {
        self.put_view(name, shows, || Ok(text.as_bytes().to_vec()))
    }

    fn put_view(
        &mut self,
        name: &str,
        shows: &[ViewSource<'_>],
        bytes: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<String, Error> {
        if !self.wants_views() {
            return Ok(name.to_owned());
        }
        if self.shows.len() >= MOST_VIEWS {
            self.left_out = self.left_out.saturating_add(1);
            return Ok(name.to_owned());
        }
        let bytes = bytes()?;
        let index = self.parts.len();
        let name = self.name_and_write("views", name, Role::View, &bytes)?;
        let shows = shows.iter().map(|shown| match shown {
            ViewSource::Record(pointer) => PendingSource::Record((*pointer).to_owned()),
            ViewSource::Blob(name) => PendingSource::Blob(format!("blobs/{name}")),
        });
        self.shows.push((index, shows.collect()));
        Ok(name)
    }

    /// Writes the manifest after all other parts. Parts without files, because there would be too many, are reported.
    ///
    /// # Errors
    /// When there is no record, when the source of a view does not exist, or when the manifest cannot be written.
    pub fn finish(mut self, report: &mut Report) -> Result<(), Error> {
        if self.left_out > 0 {
            let message = format!(
                "{} no separate files, because there are more than {MOST_VIEWS}: edit {RECORD} instead",
                counted(self.left_out, "part has", "parts have"),
            );
            report.warn(&super::WITHOUT_VIEW, message);
        }
        let original = self.original.take();
        let manifest = |parts, context, source| Manifest {
            schema: SCHEMA.to_owned(),
            format: self.format.to_owned(),
            context,
            charset: Charset::replacement().map(Charset::name),
            source,
            original,
            parts,
        };
        if let Destination::Typed(typed) = &mut self.sink {
            typed.set_manifest(manifest(self.parts, self.context, self.source));
            return Ok(());
        }
        let record =
            self.record.take().ok_or_else(|| Error::usage("the file was unpacked without a record"))?;
        for (index, sources) in std::mem::take(&mut self.shows) {
            let shows =
                sources.into_iter().map(|source| self.shown(&record, source)).collect::<Result<_, _>>()?;
            if let Some(part) = self.parts.get_mut(index) {
                part.shows = shows;
            }
        }
        let manifest = manifest(self.parts, self.context, self.source);
        let mut json =
            serde_json::to_vec_pretty(&manifest).map_err(|error| Error::usage(error.to_string()))?;
        json.push(b'\n');
        match self.sink {
            Destination::Sink(sink) => sink.put(MANIFEST, &json),
            Destination::Typed(_) => Ok(()),
        }
    }

    fn shown(&self, record: &Document, source: PendingSource) -> Result<Shown, Error> {
        match source {
            PendingSource::Record(pointer) => match record.root().pointer(&pointer) {
                Some(node) => {
                    let sha256 = digest::of_json(node, &self.names)?;
                    Ok(Shown::Record { pointer, sha256 })
                }
                None => Err(Error::usage(format!("a view refers to {pointer}, which is not in {RECORD}"))),
            },
            PendingSource::Blob(path) if self.parts.iter().any(|part| part.path == path) => {
                Ok(Shown::Blob(path))
            }
            PendingSource::Blob(path) => {
                Err(Error::usage(format!("a view refers to {path}, which was not written")))
            }
        }
    }

    fn name_and_write(
        &mut self,
        folder: &str,
        name: &str,
        role: Role,
        bytes: &[u8],
    ) -> Result<String, Error> {
        let refuse = |reason| Error::usage(format!("invalid part name {name}: {reason}"));
        let path = self.namer.file(&format!("{folder}/{name}")).map_err(refuse)?;
        // A name with `..` may have left its folder without leaving the unpacked folder.
        let name = path.strip_prefix(folder).and_then(|name| name.strip_prefix('/'));
        let name = name.ok_or_else(|| refuse(files::PathError::ParentDir))?.to_owned();
        self.write(&path, role, bytes)?;
        Ok(name)
    }

    fn write(&mut self, path: &str, role: Role, bytes: &[u8]) -> Result<(), Error> {
        let sha256 = digest::of_bytes(bytes);
        self.blobs = self.blobs.saturating_add(usize::from(role == Role::Blob));
        if role == Role::Blob && sha256 == self.source.sha256 {
            return Err(Error::usage(format!("{path} is a copy of the entire file")));
        }
        match &mut self.sink {
            Destination::Sink(sink) => sink.put(path, bytes)?,
            Destination::Typed(typed) => typed.set_blob(path, bytes),
        }
        self.parts.push(Part { path: path.to_owned(), role, sha256, shows: Vec::new() });
        Ok(())
    }
}

impl std::fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Parts({}, {} parts)", self.format, self.parts.len())
    }
}
