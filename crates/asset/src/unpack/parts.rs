//! Writing the folder.

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
use super::digest::{self, Digesting};
use super::manifest::{MANIFEST, Manifest, Part, RECORD, Role, SCHEMA, Shown, SourceNote};
use super::original::Keeping;
use super::typed::TypedParts;
use crate::count::counted;
use crate::report::Report;

/// So many runs of bytes become files of their own. The dialogue of the game has 3,933.
const MOST_BLOBS: usize = 8192;

/// So many views are made of one file. The dialogue of the game has 4,866.
const MOST_VIEWS: usize = 8192;

/// What a view shows: touching the view and this means an error when packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewSource<'a> {
    /// A part of the record, by its JSON pointer: `/images/3/pixels`; the empty pointer is all of it.
    Record(&'a str),
    /// A blob, by the name that [`Parts::blob`] gave it.
    Blob(&'a str),
}

/// Gives the name that a run of bytes, found on this way from the file, has as a blob; `None` when it stays in the record.
pub type BlobNamer<'a> = &'a mut dyn FnMut(&[Step<'_>], &[u8]) -> Option<String>;

/// Takes the parts of a file that is being unpacked.
pub struct Parts<'a> {
    sink: To<'a>,
    namer: Namer,
    format: &'static str,
    context: Value,
    source: SourceNote,
    record: Option<Document>,
    /// The record as the manifest keeps it.
    original: Option<String>,
    /// The names of the blobs in the record.
    names: BlobNames,
    parts: Vec<Part>,
    blobs: usize,
    /// Runs of bytes that stayed in the record, and views that were not made.
    left_out: u64,
    /// What each part in `parts` shows, for views.
    shows: Vec<(usize, Vec<Wanted>)>,
    views: Views,
}

/// Whether views are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Views {
    Made,
    Omission,
}

/// Where the parts go.
enum To<'a> {
    Sink(&'a mut dyn Sink),
    /// Views are left out, and the record is not turned into text.
    Typed(&'a mut TypedParts),
}

/// What a view shows, before the record is known.
enum Wanted {
    Record(String),
    Blob(String),
}

impl<'a> Parts<'a> {
    /// Unpacks a file of a format (by its id) from this source, which has this name.
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
        Ok(Self::to(To::Sink(sink), format, source, name, sha256))
    }

    /// Takes a file apart in memory, for a change of its fields alone: nothing becomes text, views are left out, and there are no digests.
    #[must_use]
    pub fn of_typed(typed: &'a mut TypedParts, format: &'static str, source: &Source, name: &str) -> Self {
        Self::to(To::Typed(typed), format, source, name, String::new())
    }

    /// The same without views, for a change of the record alone.
    #[must_use]
    pub fn without_views(self) -> Self {
        Self { views: Views::Omission, ..self }
    }

    fn to(sink: To<'a>, format: &'static str, source: &Source, name: &str, sha256: String) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let source = SourceNote { name, length: source.len(), sha256 };
        let views = if matches!(sink, To::Sink(_)) { Views::Made } else { Views::Omission };
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

    /// Whether views are to be made. Where they are not, making one is work for nothing.
    #[must_use]
    pub fn wants_views(&self) -> bool {
        self.views == Views::Made
    }

    /// Keeps what the record cannot be read without, like a version.
    ///
    /// # Errors
    /// When it cannot be said in JSON.
    pub fn context(&mut self, context: &impl Serialize) -> Result<(), Error> {
        self.context = json::to_value(context).map_err(|error| Error::usage(error.to_string()))?;
        Ok(())
    }

    /// Writes the typed file, all of it into the record. Once.
    ///
    /// # Errors
    /// When it cannot be said in JSON, or cannot be written.
    pub fn typed<T: Serialize + ?Sized>(&mut self, file: &T) -> Result<(), Error> {
        self.typed_with_blobs(file, &mut |_, _| None).map(drop)
    }

    /// Writes the typed file. Runs of bytes for which `name` wishes a name become blobs; `name` is given the way from the file to each run,
    /// and its bytes. Where such a run stands, the record has `{"blob": "NAME"}`. Once.
    ///
    /// # Errors
    /// When it cannot be said in JSON, or cannot be written.
    pub fn typed_with_blobs<T: Serialize + ?Sized>(
        &mut self,
        file: &T,
        name: BlobNamer<'_>,
    ) -> Result<BlobNames, Error> {
        let bytes = usize::try_from(self.source.length).unwrap_or(0);
        self.document_with_blobs(Document::of_file(file, bytes)?, name)
    }

    /// The same for a typed file with members that are only for people.
    ///
    /// # Errors
    /// As [`Parts::typed_with_blobs`].
    pub fn document_with_blobs(
        &mut self,
        document: Document,
        name: BlobNamer<'_>,
    ) -> Result<BlobNames, Error> {
        let mut names = BlobNames::default();
        let mut take = |path: &[Step<'_>], node: Node<'_>, bytes: &[u8]| {
            let Some(wish) = name(path, bytes) else { return Ok(()) };
            if self.blobs >= MOST_BLOBS {
                self.left_out = self.left_out.saturating_add(1);
                return Ok(());
            }
            let name = match self.sink {
                To::Sink(_) => self.name_and_write("blobs", &wish, Role::Blob, bytes)?,
                To::Typed(_) => wish,
            };
            names.add(path, node.position(), name);
            Ok(())
        };
        document.root().each_bytes(&mut take)?;
        match &mut self.sink {
            To::Typed(typed) => typed.set_record(document, names.clone()),
            To::Sink(sink) => {
                let mut sha256 = String::new();
                let mut original = Keeping::new(self.views == Views::Made);
                let name_of = |at| names.at(at);
                sink.put_stream(RECORD, &mut |out| {
                    let mut out = Pretty::new(BufWriter::new(Digesting::new(original.and(out))));
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

    /// Writes a run of bytes that nobody edits by hand, and gives the name to find it by: the one wished for, unless that had to
    /// be made safe or was taken.
    ///
    /// # Errors
    /// When the name leads out of the folder, when the bytes are the whole file, when there are too many blobs, or when they cannot be
    /// written.
    pub fn blob(&mut self, name: &str, bytes: &[u8]) -> Result<String, Error> {
        if self.blobs >= MOST_BLOBS {
            return Err(Error::limit(format!("the file would be unpacked to more than {MOST_BLOBS} blobs")));
        }
        self.name_and_write("blobs", name, Role::Blob, bytes)
    }

    /// Writes a product as people edit it, as a file of the first extension that its kind has, and notes what it shows. Gives the name of
    /// the view. Where [no views are wanted](Self::wants_views) nothing is encoded.
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

    /// The same with another extension of its kind.
    ///
    /// # Errors
    /// As [`Parts::view`], and when there is no encoder for the extension.
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

    /// Writes a view that is a text of a language of its own, which the extension of its name says, and notes what it shows. Gives the name of
    /// the view.
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
            ViewSource::Record(pointer) => Wanted::Record((*pointer).to_owned()),
            ViewSource::Blob(name) => Wanted::Blob(format!("blobs/{name}")),
        });
        self.shows.push((index, shows.collect()));
        Ok(name)
    }

    /// Writes the manifest, when everything else is written. What has no view, because there would be too many, goes into the report.
    ///
    /// # Errors
    /// When there is no record, when a view shows what there is not, or when the manifest cannot be written.
    pub fn finish(mut self, report: &mut Report) -> Result<(), Error> {
        if self.left_out > 0 {
            let message = format!(
                "{} without a file of their own, because there are more than {MOST_VIEWS}: edit {RECORD} instead",
                counted(self.left_out, "part is", "parts are"),
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
        if let To::Typed(typed) = &mut self.sink {
            typed.set_manifest(manifest(self.parts, self.context, self.source));
            return Ok(());
        }
        let record =
            self.record.take().ok_or_else(|| Error::usage("the file was unpacked without a record"))?;
        for (index, wanted) in std::mem::take(&mut self.shows) {
            let shows =
                wanted.into_iter().map(|wanted| self.shown(&record, wanted)).collect::<Result<_, _>>()?;
            if let Some(part) = self.parts.get_mut(index) {
                part.shows = shows;
            }
        }
        let manifest = manifest(self.parts, self.context, self.source);
        let mut json =
            serde_json::to_vec_pretty(&manifest).map_err(|error| Error::usage(error.to_string()))?;
        json.push(b'\n');
        match self.sink {
            To::Sink(sink) => sink.put(MANIFEST, &json),
            To::Typed(_) => Ok(()),
        }
    }

    fn shown(&self, record: &Document, wanted: Wanted) -> Result<Shown, Error> {
        match wanted {
            Wanted::Record(pointer) => match record.root().pointer(&pointer) {
                Some(node) => {
                    let sha256 = digest::of_json(node, &self.names)?;
                    Ok(Shown::Record { pointer, sha256 })
                }
                None => Err(Error::usage(format!("a view refers to {pointer}, which is not in {RECORD}"))),
            },
            Wanted::Blob(path) if self.parts.iter().any(|part| part.path == path) => Ok(Shown::Blob(path)),
            Wanted::Blob(path) => {
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
        let refuse = |why| Error::usage(format!("invalid part name {name}: {why}"));
        let path = self.namer.file(&format!("{folder}/{name}")).map_err(refuse)?;
        // A name with `..` may have left the folder without leaving the whole.
        let name = path.strip_prefix(folder).and_then(|name| name.strip_prefix('/'));
        let name = name.ok_or_else(|| refuse(files::PathError::ParentDir))?.to_owned();
        self.write(&path, role, bytes)?;
        Ok(name)
    }

    fn write(&mut self, path: &str, role: Role, bytes: &[u8]) -> Result<(), Error> {
        let sha256 = digest::of_bytes(bytes);
        self.blobs = self.blobs.saturating_add(usize::from(role == Role::Blob));
        if role == Role::Blob && sha256 == self.source.sha256 {
            return Err(Error::usage(format!(
                "{path} is a copy of the whole file, which is not unpacking it"
            )));
        }
        match &mut self.sink {
            To::Sink(sink) => sink.put(path, bytes)?,
            To::Typed(typed) => typed.set_blob(path, bytes),
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
