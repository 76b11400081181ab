//! Fields of a file set to other values: the file is unpacked into memory, its record edited, and packed again.

use asset::disk;
use std::path::Path;

use asset::{Error, Format, Report, Source, Unpacked};
use record::json::{Content, Document, Node};
use serde_json::Value;

use super::typed::{Typed, root_of};
use super::{Input, Job};
use crate::catalog::open_as;
use crate::diff::{Change, Differences, compare};
use crate::field::{FieldPath, kind_of};
use crate::run::Outcome;

/// A field and what it is to be set to: `surfaces[3].texture.name=wall.png`.
#[derive(Debug, Clone)]
pub struct Assignment {
    path: FieldPath,
    value: String,
}

impl Assignment {
    /// Reads `PATH=VALUE`.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is none.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (mut quoted, mut escaped) = (false, false);
        let mut is_end = |character: char| {
            match character {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                '=' if !quoted => return true,
                _ => {}
            }
            false
        };
        let at = text.find(&mut is_end);
        let (path, value) = at.and_then(|at| text.split_at_checked(at)).ok_or_else(|| {
            let shown: String = text.chars().take(60).collect();
            Error::usage(format!("invalid assignment \"{shown}\": expected PATH=VALUE"))
        })?;
        let value = value.strip_prefix('=').unwrap_or(value).to_owned();
        Ok(Self { path: FieldPath::parse(path)?, value })
    }

    /// What the value can mean, the likeliest first. A word needs no quotes where a text stands.
    fn meanings(&self, current: Content<'_>) -> Vec<Value> {
        let json: Option<Value> = serde_json::from_str(&self.value).ok();
        let text = Value::from(self.value.as_str());
        match (current, json) {
            (Content::Text(old), Some(number @ Value::Number(_))) if is_bits(old) => vec![number, text],
            (Content::Text(_), Some(quoted @ Value::String(_))) => vec![quoted],
            (Content::Text(_), Some(Value::Null)) => vec![Value::Null, text],
            (Content::Text(_) | Content::Bytes(_), Some(other)) => vec![text, other],
            (Content::Null, Some(other)) => vec![other, text],
            (_, Some(other)) => vec![other],
            (_, None) => vec![text],
        }
    }
}

/// Whether a text stands for the bits of a number that JSON cannot say.
fn is_bits(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    [8, 16].contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// A file with other values in some of its fields.
#[derive(Debug)]
#[non_exhaustive]
pub struct Edited {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The fields that differ from those of the file it was made of, as many as were asked for.
    pub changes: Vec<Change>,
    /// How many fields differ besides.
    pub more: u64,
    /// What came of it.
    pub outcome: Outcome,
}

impl Edited {
    /// The result for a file that could not be processed at all.
    #[must_use]
    pub const fn failed(outcome: Outcome) -> Self {
        Self { bytes: Vec::new(), changes: Vec::new(), more: 0, outcome }
    }
}

impl Job {
    /// Sets fields of a file, and writes nothing. The result was read again, and has the values. No more than `limit` changes are kept.
    ///
    /// # Errors
    /// When the file cannot be read or packed, has no such field, or when a field cannot hold the value.
    pub fn set(&self, input: &Input, assignments: &[Assignment], limit: usize) -> Result<Edited, Error> {
        let in_file = |error: Error| if input.is_on_disk() { error.in_file(input.path()) } else { error };
        self.set_fields(input, assignments, limit).map_err(in_file)
    }

    fn set_fields(&self, input: &Input, assignments: &[Assignment], limit: usize) -> Result<Edited, Error> {
        let (source, format) = input.recognize(self.catalog)?;
        let name = input.path().display().to_string();
        let mut outcome = Outcome::new(name.clone(), Some(format.id));
        if format.pack.is_none() {
            let why = format!("`{}` files cannot be packed, so their fields cannot be set", format.id);
            return Err(Error::unsupported(why));
        }
        let mut unpacked = unpack(format, &source, &name)?;
        let wanted = wanted(&unpacked, assignments)?;
        let bytes = pack_first_that_fits(format, &mut unpacked, &wanted, &mut outcome.warnings)?;
        outcome.length = u64::try_from(bytes.len()).ok();
        let again = Source::from(bytes);
        let now = unpack(format, &again, &name).map_err(|error| {
            Error::usage(format!("with these values the file would be unreadable: {error}"))
        })?;
        for one in &wanted {
            one.check(root_of(&now)?)?;
        }
        let mut differences = Differences::new(limit);
        let (before, now) = (Typed::Unpacked(unpacked), Typed::Unpacked(now));
        compare((before.root()?, &before), (now.root()?, &now), &mut differences)?;
        drop((before, now));
        outcome.ok = !outcome.is_refused(self.strictness);
        let count = differences.count();
        let changes = differences.into_kept();
        let more = count.saturating_sub(u64::try_from(changes.len()).unwrap_or(u64::MAX));
        Ok(Edited { bytes: again.read_all()?.into_owned(), changes, more, outcome })
    }

    /// Writes an edited file to another than it was made of, or into a folder under the same name. With
    /// [`WriteMode::DryRun`](asset::sink::WriteMode) it only tells what would be written.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_edited(&self, mut edited: Edited, out: &Path) -> Result<Edited, Error> {
        if edited.outcome.ok {
            let file = Path::new(&edited.outcome.input);
            let own = file.file_name().unwrap_or_default();
            let is_folder = disk::is_folder(out) || super::destination::ends_in_slash(out);
            let out = if is_folder { out.join(own) } else { out.to_path_buf() };
            let written = self.write_guarded(
                [file].into_iter(),
                Some(file).filter(|file| disk::is_file(file)),
                &out,
                &edited.bytes,
            )?;
            edited.outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(edited)
    }
}

fn unpack(format: &'static Format, source: &Source, name: &str) -> Result<Unpacked, Error> {
    let asset = open_as(format, source, &mut Report::new())?;
    Typed::unpack(format, &*asset, source, name, &mut Report::new())
}

/// A field and what its new value can mean.
struct Wanted<'a> {
    path: &'a FieldPath,
    meanings: Vec<Value>,
}

fn wanted<'a>(unpacked: &Unpacked, assignments: &'a [Assignment]) -> Result<Vec<Wanted<'a>>, Error> {
    let root = root_of(unpacked)?;
    let mut edited: Option<Document> = None;
    let mut out = Vec::new();
    for (number, Assignment { path, .. }) in assignments.iter().enumerate() {
        for (so_far, node) in path.walk(root) {
            refuse_blob(&so_far, node, unpacked)?;
        }
        if path.get(root).is_none() && is_of_context(path, unpacked)? {
            return Err(Error::usage(format!(
                "\"{}\" cannot be set: it describes how the file was unpacked",
                path.text()
            )));
        }
        // A later assignment may lead into what an earlier one has put there.
        let file = edited.as_ref().map_or(root, Document::root);
        let meanings =
            assignments.get(number).map(|own| path.find(file).map(|node| own.meanings(node.content())));
        let meanings = meanings.transpose()?.unwrap_or_default();
        if let Some(first) = meanings.first().filter(|_| number.saturating_add(1) < assignments.len()) {
            let mut file = edited.take().map_or_else(|| document_of(unpacked).cloned(), Ok)?;
            file.set(&path.steps().collect::<Vec<_>>(), first)?;
            edited = Some(file);
        }
        out.push(Wanted { path, meanings });
    }
    Ok(out)
}

/// Whether a path leads to something that the manifest keeps beside the record.
fn is_of_context(path: &FieldPath, unpacked: &Unpacked) -> Result<bool, Error> {
    let context = Document::of_value(unpacked.context_value())?;
    Ok(path.get(context.root()).is_some())
}

/// Bytes that stand beside the record are not set like fields.
fn refuse_blob(path: &str, node: Node<'_>, unpacked: &Unpacked) -> Result<(), Error> {
    let named = unpacked.blob_name(node).map(str::to_owned);
    let (name, length) = match (node.content(), named) {
        (Content::Bytes(bytes), Some(name)) => (name, u64::try_from(bytes.len()).unwrap_or(u64::MAX)),
        (Content::Object(members), _) if members.len() == 1 => {
            let Some(Content::Text(name)) = members.get("blob").map(Node::content) else { return Ok(()) };
            let Some((bytes, _)) = unpacked.blob_source(name) else { return Ok(()) };
            (name.to_owned(), bytes.len())
        }
        _ => return Ok(()),
    };
    Err(Error::usage(format!(
        "\"{path}\" is a run of {}, which cannot be set: unpack the file, edit blobs/{name} or its view, and pack it again",
        asset::counted(length, "byte", "bytes")
    )))
}

fn document_of(unpacked: &Unpacked) -> Result<&Document, Error> {
    unpacked.document().ok_or_else(|| Error::usage("the file was not unpacked into memory"))
}

/// Packs the file with the likeliest meanings, or else with another meaning of one of the values. The unpacked file is as it was then.
fn pack_first_that_fits(
    format: &'static Format,
    unpacked: &mut Unpacked,
    wanted: &[Wanted<'_>],
    report: &mut Report,
) -> Result<Vec<u8>, Error> {
    let mut first_report = Report::new();
    let first = match pack_with(format, unpacked, wanted, None, &mut first_report) {
        Ok(bytes) => {
            report.append(first_report);
            return Ok(bytes);
        }
        Err(error) => error,
    };
    for (index, _) in wanted.iter().enumerate().filter(|(_, one)| one.meanings.len() > 1) {
        let mut its_report = Report::new();
        if let Ok(bytes) = pack_with(format, unpacked, wanted, Some(index), &mut its_report) {
            report.append(its_report);
            return Ok(bytes);
        }
    }
    Err(does_not_fit(&first, root_of(unpacked)?, wanted))
}

/// Packs the file with the likeliest meanings but for one value, which has its other meaning.
fn pack_with(
    format: &'static Format,
    unpacked: &mut Unpacked,
    wanted: &[Wanted<'_>],
    other: Option<usize>,
    report: &mut Report,
) -> Result<Vec<u8>, Error> {
    // Edited in place: a copy would take as much memory again.
    let mut file = unpacked.replace_document(Document::default())?;
    file.record_changes();
    let set = wanted.iter().enumerate().try_for_each(|(index, one)| {
        let meaning = if other == Some(index) { one.meanings.get(1) } else { one.meanings.first() };
        let steps: Vec<_> = one.path.steps().collect();
        meaning.map_or(Ok(()), |value| file.set(&steps, value))
    });
    unpacked.replace_document(file)?;
    let bytes = set.and_then(|()| super::pack::pack_bytes(format, unpacked, report));
    let mut file = unpacked.replace_document(Document::default())?;
    file.undo();
    unpacked.replace_document(file)?;
    bytes
}

/// Why the values were refused.
fn does_not_fit(error: &Error, record: Node<'_>, wanted: &[Wanted<'_>]) -> Error {
    let shown: String = error.message().chars().take(240).collect();
    let more = if shown.len() < error.message().len() { "..." } else { "" };
    let field = match (wanted, error.path()) {
        (_, path) if !path.is_empty() => path,
        ([only], _) => only.path.text().to_owned(),
        _ => "the values".to_owned(),
    };
    let is_its_own =
        |only: &Wanted<'_>| field == only.path.text() && !error.message().starts_with("expected ");
    let holds = match wanted {
        [only] if is_its_own(only) => {
            only.path.get(record).map(|node| format!("; it holds {}", kind_of(node.content())))
        }
        _ => None,
    };
    Error::usage(format!("{field}: {shown}{more}{}", holds.unwrap_or_default()))
}

impl Wanted<'_> {
    /// Whether the packed file has the value.
    fn check(&self, now: Node<'_>) -> Result<(), Error> {
        let found = self.path.get(now).map(Node::to_value);
        if let Some(found) = &found
            && self.meanings.iter().any(|meaning| holds(meaning, found))
        {
            return Ok(());
        }
        let found = match found {
            Some(found) => found.to_string().chars().take(60).collect(),
            None => "gone".to_owned(),
        };
        Err(Error::usage(format!(
            "{}: cannot be set to this value: packing would change it to {found}, because it is derived from other fields or cannot represent the value",
            self.path.text()
        )))
    }
}

/// Whether a field has the value it was set to, as far as its precision goes.
fn holds(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Number(wanted), Value::Number(found)) if wanted.is_f64() || found.is_f64() => {
            let same = wanted.as_f64() == found.as_f64();
            same || wanted
                .as_f64()
                .zip(found.as_f64())
                .is_some_and(|(wanted, found)| single(wanted) == single(found))
        }
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(wanted, found)| holds(wanted, found))
        }
        (Value::Object(wanted), Value::Object(found)) => wanted
            .iter()
            .all(|(name, value)| found.get(name).map_or(value.is_null(), |found| holds(value, found))),
        (wanted, found) => wanted == found,
    }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
const fn single(number: f64) -> f32 {
    number as f32
}
