//! Writing the folder.

use record::{Error, Source};
use serde::Serialize;
use serde_json::Value;

use super::digest;
use super::manifest::{MANIFEST, Manifest, Part, RECORD, Role, SCHEMA, Shown, SourceNote};
use crate::name::Namer;
use crate::sink::Sink;

/// What a view shows: touching the view and this means an error when packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows<'a> {
    /// A part of the record, by its JSON pointer: `/images/3/pixels`; the empty pointer is all of it.
    Record(&'a str),
    /// A blob, by the name that [`Parts::blob`] gave it.
    Blob(&'a str),
}

/// Takes the parts of a file that is being unpacked.
pub struct Parts<'a> {
    sink: &'a mut dyn Sink,
    namer: Namer,
    format: &'static str,
    context: Value,
    source: SourceNote,
    record: Option<Vec<u8>>,
    parts: Vec<Part>,
    /// What each part in `parts` shows, for views.
    shows: Vec<(usize, Vec<Wanted>)>,
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
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let source = SourceNote { name, length: source.len(), sha256: digest::of_source(source)? };
        Ok(Self {
            sink,
            namer: Namer::new(),
            format,
            context: Value::Null,
            source,
            record: None,
            parts: Vec::new(),
            shows: Vec::new(),
        })
    }

    /// Keeps what the record cannot be read without, like a version.
    ///
    /// # Errors
    /// When it cannot be said in JSON.
    pub fn context(&mut self, context: &impl Serialize) -> Result<(), Error> {
        self.context = serde_json::to_value(context).map_err(|error| Error::usage(error.to_string()))?;
        Ok(())
    }

    /// Writes the typed file, as `record::json` gives it. Once.
    ///
    /// # Errors
    /// When it was written before, or cannot be written.
    pub fn record(&mut self, json: Vec<u8>) -> Result<(), Error> {
        self.write(RECORD, Role::Record, &json)?;
        self.record = Some(json);
        Ok(())
    }

    /// Writes a run of bytes that nobody edits by hand, and gives the name to find it by: the one wished for, unless that had to
    /// be made safe or was taken.
    ///
    /// # Errors
    /// When the name leads out of the folder, when the bytes are the whole file, or when they cannot be written.
    pub fn blob(&mut self, name: &str, bytes: &[u8]) -> Result<String, Error> {
        self.name_and_write("blobs", name, Role::Blob, bytes)
    }

    /// Writes content as people edit it, and tells what it shows. Gives the name to find it by.
    ///
    /// # Errors
    /// When the name leads out of the folder, or the bytes cannot be written.
    pub fn view(&mut self, name: &str, bytes: &[u8], shows: &[Shows<'_>]) -> Result<String, Error> {
        let index = self.parts.len();
        let name = self.name_and_write("views", name, Role::View, bytes)?;
        let shows = shows.iter().map(|shown| match shown {
            Shows::Record(pointer) => Wanted::Record((*pointer).to_owned()),
            Shows::Blob(name) => Wanted::Blob(format!("blobs/{name}")),
        });
        self.shows.push((index, shows.collect()));
        Ok(name)
    }

    /// Writes the manifest, when everything else is written.
    ///
    /// # Errors
    /// When there is no record, when a view shows what there is not, or when the manifest cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        let record =
            self.record.take().ok_or_else(|| Error::usage("a file was unpacked without its record"))?;
        let record: Value = if self.shows.is_empty() { Value::Null } else { parse(&record)? };
        for (index, wanted) in std::mem::take(&mut self.shows) {
            let shows =
                wanted.into_iter().map(|wanted| self.shown(&record, wanted)).collect::<Result<_, _>>()?;
            if let Some(part) = self.parts.get_mut(index) {
                part.shows = shows;
            }
        }
        let manifest = Manifest {
            schema: SCHEMA.to_owned(),
            format: self.format.to_owned(),
            context: self.context,
            source: self.source,
            parts: self.parts,
        };
        let mut json =
            serde_json::to_vec_pretty(&manifest).map_err(|error| Error::usage(error.to_string()))?;
        json.push(b'\n');
        self.sink.put(MANIFEST, &json)
    }

    fn shown(&self, record: &Value, wanted: Wanted) -> Result<Shown, Error> {
        match wanted {
            Wanted::Record(pointer) => match record.pointer(&pointer) {
                Some(value) => Ok(Shown::Record { pointer, sha256: digest::of_json(value) }),
                None => Err(Error::usage(format!("a view shows {pointer}, which {RECORD} does not have"))),
            },
            Wanted::Blob(path) if self.parts.iter().any(|part| part.path == path) => Ok(Shown::Blob(path)),
            Wanted::Blob(path) => Err(Error::usage(format!("a view shows {path}, which was not written"))),
        }
    }

    fn name_and_write(
        &mut self,
        folder: &str,
        name: &str,
        role: Role,
        bytes: &[u8],
    ) -> Result<String, Error> {
        let refuse = |why| Error::usage(format!("the name of a part {why}: {name}"));
        let path = self.namer.file(&format!("{folder}/{name}")).map_err(refuse)?;
        // A name with `..` may have left the folder without leaving the whole.
        let name = path.strip_prefix(folder).and_then(|name| name.strip_prefix('/'));
        let name = name.ok_or_else(|| refuse(crate::path::Outside::Climbs))?.to_owned();
        self.write(&path, role, bytes)?;
        Ok(name)
    }

    fn write(&mut self, path: &str, role: Role, bytes: &[u8]) -> Result<(), Error> {
        let sha256 = digest::of_bytes(bytes);
        if role == Role::Blob && sha256 == self.source.sha256 {
            return Err(Error::usage(format!(
                "{path} is a copy of the whole file, which is not unpacking it"
            )));
        }
        self.sink.put(path, bytes)?;
        self.parts.push(Part { path: path.to_owned(), role, sha256, shows: Vec::new() });
        Ok(())
    }
}

impl std::fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Parts({}, {} parts)", self.format, self.parts.len())
    }
}

pub(super) fn parse(json: &[u8]) -> Result<Value, Error> {
    serde_json::from_slice(json).map_err(|error| Error::malformed(error.to_string()).in_file(RECORD))
}
