//! Fields of a file set to other values: the file is unpacked into memory, its record edited, and packed again.

use std::path::Path;

use asset::{Error, Format, Report, Source, Unpacked};
use serde_json::Value;

use super::typed::Typed;
use super::{Job, Outcome};
use crate::catalogue::open_as;
use crate::diff::{Change, Differences, compare};
use crate::field::{FieldPath, kind_of};

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
            Error::usage(format!("\"{shown}\" sets nothing: a field is set by PATH=VALUE"))
        })?;
        let value = value.strip_prefix('=').unwrap_or(value).to_owned();
        Ok(Self { path: FieldPath::parse(path)?, value })
    }

    /// What the value can mean, the likeliest first. A word needs no quotes where a text stands.
    fn meanings(&self, current: &Value) -> Vec<Value> {
        let json: Option<Value> = serde_json::from_str(&self.value).ok();
        let text = Value::from(self.value.as_str());
        match (current, json) {
            (Value::String(old), Some(number @ Value::Number(_))) if is_bits(old) => vec![number, text],
            (Value::String(_), Some(quoted @ Value::String(_))) => vec![quoted],
            (Value::String(_), Some(Value::Null)) => vec![Value::Null, text],
            (Value::String(_), Some(other)) => vec![text, other],
            (Value::Null, Some(other)) => vec![other, text],
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

impl Job {
    /// Sets fields of a file that may stand anywhere; the name helps to recognise it. The result was read again, and has the values.
    /// No more than `limit` changes are kept.
    ///
    /// # Errors
    /// When the file cannot be read or packed, has no such field, or when a field cannot hold the value.
    pub fn set(
        &self,
        name: &str,
        source: &Source,
        assignments: &[Assignment],
        limit: usize,
    ) -> Result<Edited, Error> {
        let format = self.catalogue.recognise(source, Some(name))?;
        let mut outcome = Outcome::new(name.to_owned(), Some(format.id));
        if format.pack.is_none() {
            let why = format!(
                "files of the format {} cannot be packed, so none of their fields can be set",
                format.id
            );
            return Err(Error::unsupported(why));
        }
        let (record, unpacked) = unpack(format, source, name)?;
        let wanted = wanted(&record, &unpacked, assignments)?;
        let bytes = pack_first_that_fits(format, &record, unpacked, &wanted, &mut outcome.warnings)?;
        outcome.length = u64::try_from(bytes.len()).ok();
        let again = Source::from(bytes);
        let (now, unpacked_now) = unpack(format, &again, name).map_err(|error| {
            Error::usage(format!("with these values the file could not be read again: {error}"))
        })?;
        for one in &wanted {
            one.check(&now)?;
        }
        let mut differences = Differences::new(limit);
        let (_, before) = unpack(format, source, name)?;
        let sides = [(record, before), (now, unpacked_now)];
        let [first, second] = sides.map(|(record, unpacked)| Typed { record, unpacked: Some(unpacked) });
        compare((&first.record, &first), (&second.record, &second), &mut differences)?;
        outcome.ok = !outcome.is_refused(self.strictness);
        let count = differences.count();
        let changes = differences.into_kept();
        let more = count.saturating_sub(u64::try_from(changes.len()).unwrap_or(u64::MAX));
        Ok(Edited { bytes: again.read_all()?.into_owned(), changes, more, outcome })
    }

    /// Sets fields of a file on disk and writes the result to another, or into a folder under the same name. With
    /// [`Writing::Nothing`](asset::sink::Writing) it only tells what would be written.
    ///
    /// # Errors
    /// As [`Job::set`], and when the file cannot be written.
    pub fn set_file(
        &self,
        file: &Path,
        assignments: &[Assignment],
        out: &Path,
        limit: usize,
    ) -> Result<Edited, Error> {
        let edited = self.set_unwritten(file, assignments, limit)?;
        self.write_edited(edited, out)
    }

    /// Sets fields of a file on disk, and writes nothing.
    ///
    /// # Errors
    /// As [`Job::set`].
    pub fn set_unwritten(
        &self,
        file: &Path,
        assignments: &[Assignment],
        limit: usize,
    ) -> Result<Edited, Error> {
        let source = crate::catalogue::open_file(file)?;
        self.set(&file.display().to_string(), &source, assignments, limit)
            .map_err(|error| error.in_file(file))
    }

    /// Writes an edited file to another than it was made of, or into a folder under the same name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_edited(&self, mut edited: Edited, out: &Path) -> Result<Edited, Error> {
        if edited.outcome.ok {
            let file = Path::new(&edited.outcome.input);
            let own = file.file_name().unwrap_or_default();
            let is_folder = out.is_dir() || super::destination::ends_in_slash(out);
            let out = if is_folder { out.join(own) } else { out.to_path_buf() };
            let written = self.write_guarded([file].into_iter(), &out, &edited.bytes)?;
            edited.outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(edited)
    }
}

fn unpack(format: &'static Format, source: &Source, name: &str) -> Result<(Value, Unpacked), Error> {
    let asset = open_as(format, source, &mut Report::new())?;
    Typed::unpack(format, &*asset, source, name, &mut Report::new())
}

/// A field and what its new value can mean.
struct Wanted<'a> {
    path: &'a FieldPath,
    meanings: Vec<Value>,
}

fn wanted<'a>(
    record: &Value,
    unpacked: &Unpacked,
    assignments: &'a [Assignment],
) -> Result<Vec<Wanted<'a>>, Error> {
    let mut file = record.clone();
    let mut out = Vec::new();
    for assignment in assignments {
        let path = &assignment.path;
        for (so_far, value) in path.walk(&file) {
            refuse_blob(&so_far, value, unpacked)?;
        }
        let missing_in_record = path.get(&file).is_none();
        if missing_in_record && path.get(unpacked.context_value()).is_some() {
            return Err(Error::usage(format!(
                "\"{}\" is no field of the file: it tells how the file was unpacked, and cannot be set",
                path.text()
            )));
        }
        let place = path.find(&mut file)?;
        let meanings = assignment.meanings(place);
        if let Some(first) = meanings.first() {
            *place = first.clone();
        }
        out.push(Wanted { path, meanings });
    }
    Ok(out)
}

/// Bytes that the record only names are not set like fields.
fn refuse_blob(path: &str, value: &Value, unpacked: &Unpacked) -> Result<(), Error> {
    let Some(members) = value.as_object().filter(|members| members.len() == 1) else { return Ok(()) };
    let Some(name) = members.get("blob").and_then(Value::as_str) else { return Ok(()) };
    let Some((bytes, _)) = unpacked.blob_source(name) else { return Ok(()) };
    Err(Error::usage(format!(
        "\"{path}\" is a run of {}, which cannot be set as a field: unpack the file, edit blobs/{name} or the view that shows it, and pack it again",
        asset::counted(bytes.len(), "byte", "bytes")
    )))
}

/// Packs the file with the likeliest meanings, or else with another meaning of one of the values.
fn pack_first_that_fits(
    format: &'static Format,
    record: &Value,
    unpacked: Unpacked,
    wanted: &[Wanted<'_>],
    report: &mut Report,
) -> Result<Vec<u8>, Error> {
    let mut unpacked = Some(unpacked);
    let mut pack = |other: Option<usize>, report: &mut Report| -> Result<Vec<u8>, Error> {
        let mut file = record.clone();
        for (index, one) in wanted.iter().enumerate() {
            let meaning = if other == Some(index) { one.meanings.get(1) } else { one.meanings.first() };
            if let Some(value) = meaning {
                *one.path.find(&mut file)? = value.clone();
            }
        }
        let json = serde_json::to_vec(&file).map_err(|error| Error::usage(error.to_string()))?;
        let edited = unpacked.take().ok_or_else(|| Error::usage("the file is gone"))?.with_record(json)?;
        let bytes = super::pack::pack_bytes(format, &edited, report);
        unpacked = Some(edited);
        bytes
    };
    let mut first_report = Report::new();
    let first = match pack(None, &mut first_report) {
        Ok(bytes) => {
            report.append(first_report);
            return Ok(bytes);
        }
        Err(error) => error,
    };
    for (index, _) in wanted.iter().enumerate().filter(|(_, one)| one.meanings.len() > 1) {
        let mut its_report = Report::new();
        if let Ok(bytes) = pack(Some(index), &mut its_report) {
            report.append(its_report);
            return Ok(bytes);
        }
    }
    Err(does_not_fit(&first, record, wanted))
}

/// Why the values were refused.
fn does_not_fit(error: &Error, record: &Value, wanted: &[Wanted<'_>]) -> Error {
    let message = error.message();
    // Lines and columns are those of JSON that nobody sees.
    let message = message.split_once(" at line ").map_or(message, |(message, _)| message);
    let shown: String = message.chars().take(240).collect();
    let more = if shown.len() < message.len() { "..." } else { "" };
    let field = match (wanted, error.path().as_str()) {
        ([only], _) => only.path.text().to_owned(),
        (_, "") => "the values".to_owned(),
        (_, path) => path.to_owned(),
    };
    let holds = match wanted {
        [only] => only.path.get(record).map(|value| format!("; it holds {}", kind_of(value))),
        _ => None,
    };
    Error::usage(format!("{field}: {shown}{more}{}", holds.unwrap_or_default()))
}

impl Wanted<'_> {
    /// Whether the packed file has the value.
    fn check(&self, now: &Value) -> Result<(), Error> {
        let found = self.path.get(now);
        if found.is_some_and(|found| self.meanings.iter().any(|meaning| holds(meaning, found))) {
            return Ok(());
        }
        let found = match found {
            Some(found) => found.to_string().chars().take(60).collect(),
            None => "gone".to_owned(),
        };
        Err(Error::usage(format!(
            "{}: cannot be set to this: in the packed file it is {found}, for it follows from other fields or cannot hold the value",
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
