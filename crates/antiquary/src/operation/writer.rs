//! Writes the JSON object of an operation: results, one per line, then members about the entire operation.

use std::io::{self, Write};

use json::Value;
use serde::Serialize;
use serde_json::ser::Formatter;

/// Writes `{"schema": ..., "results": [...], ...}` result by result, for operations with an unlimited number of results; others have
/// [`OperationResult::write`](super::OperationResult::write). Nothing is written before the first result, so that standard output stays
/// empty if the arguments are invalid.
///
/// # Errors
/// All methods fail if the output fails, or if JSON cannot represent a value.
#[derive(Debug)]
pub struct ResultWriter<W: Write> {
    out: W,
    schema: &'static str,
    results: u64,
    /// Number of items written to the list of the current result.
    items: u64,
}

impl<W: Write> ResultWriter<W> {
    /// Begins the object of an operation, with a schema such as `antiquary/check/1`.
    pub const fn new(out: W, schema: &'static str) -> Self {
        Self { out, schema, results: 0, items: 0 }
    }

    /// Adds a result.
    pub fn result(&mut self, result: &impl Serialize) -> io::Result<()> {
        match self.results {
            0 => self.begin()?,
            _ => self.out.write_all(b",\n")?,
        }
        self.results += 1;
        write_json(&mut self.out, result)
    }

    /// Begins a result that is an object whose first member is a list. Its items are written one by one.
    pub fn begin_result(&mut self, list: &str) -> io::Result<()> {
        match self.results {
            0 => self.begin()?,
            _ => self.out.write_all(b",\n")?,
        }
        self.results += 1;
        self.items = 0;
        self.out.write_all(b"{")?;
        write_json(&mut self.out, list)?;
        self.out.write_all(b":[")
    }

    /// Adds an item to the list of the current result.
    pub fn item(&mut self, item: &impl Serialize) -> io::Result<()> {
        if self.items > 0 {
            self.out.write_all(b",\n")?;
        }
        self.items += 1;
        write_json(&mut self.out, item)
    }

    /// Ends the list of the current result.
    pub fn end_list(&mut self) -> io::Result<()> {
        self.out.write_all(b"]")
    }

    /// Adds a member to the open object.
    pub fn member(&mut self, name: &str, value: &impl Serialize) -> io::Result<()> {
        self.out.write_all(b",\n")?;
        write_json(&mut self.out, name)?;
        self.out.write_all(b":")?;
        write_json(&mut self.out, value)
    }

    /// Adds the members of an object to the open object.
    pub fn members(&mut self, object: &impl Serialize) -> io::Result<()> {
        match json::to_value(object).map_err(io::Error::other)? {
            Value::Object(members) => members.iter().try_for_each(|(name, value)| self.member(name, value)),
            _ => Ok(()),
        }
    }

    /// Ends the current result.
    pub fn end_result(&mut self) -> io::Result<()> {
        self.out.write_all(b"}")
    }

    /// Ends the object with the members of the summary of the entire operation.
    pub fn finish(mut self, summary: &impl Serialize) -> io::Result<()> {
        if self.results == 0 {
            self.begin()?;
        }
        self.out.write_all(b"\n]")?;
        self.members(summary)?;
        self.out.write_all(b"}\n")?;
        self.out.flush()
    }

    fn begin(&mut self) -> io::Result<()> {
        write!(self.out, "{{\"schema\":\"{}\",\n\"results\":[\n", self.schema)
    }
}

/// Writes JSON that is safe to print to a terminal: characters for which [`is_unsafe`] returns true are escaped like control characters.
fn write_json(out: &mut impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, EscapeUnsafe);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

struct EscapeUnsafe;

impl Formatter for EscapeUnsafe {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_unsafe) {
            let (safe, unsafe_and_rest) = rest.split_at(at);
            out.write_all(safe.as_bytes())?;
            let mut characters = unsafe_and_rest.chars();
            if let Some(character) = characters.next() {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
            rest = characters.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}

/// Whether a character could affect a terminal: a control character, bidirectional formatting, a line separator or zero-width. In the
/// JSON of results, such characters are escaped.
#[must_use]
pub fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::json;

    fn document(results: &[Value]) -> Value {
        let mut out = Vec::new();
        let mut document = ResultWriter::new(&mut out, "antiquary/test/1");
        for result in results {
            document.result(result).unwrap();
        }
        document.finish(&json!({ "ok": true })).unwrap();
        json::from_slice(&out).unwrap()
    }

    #[test]
    fn writes_any_number_of_results_as_one_object() {
        for results in [vec![], vec![json!(1)], vec![json!({"a": "b\n"}), json!(null)]] {
            let expected = json!({"schema": "antiquary/test/1", "results": results, "ok": true});
            assert_eq!(document(&results), expected);
        }
    }

    #[test]
    fn escapes_characters_that_could_affect_a_terminal() {
        let text = "a\u{7f}b\u{9b}c\u{202e}d\u{2066}e\u{200f}f\u{1b}g Gr\u{f6}\u{df}e \u{c720}";
        let mut out = Vec::new();
        let mut document = ResultWriter::new(&mut out, "antiquary/test/1");
        document.result(&json!({ text: text })).unwrap();
        document.finish(&json!({ "ok": text })).unwrap();
        let raw = std::str::from_utf8(&out).unwrap();
        assert!(!raw.replace('\n', "").contains(is_unsafe), "{raw:?}");
        assert!(raw.contains("Gr\u{f6}\u{df}e \u{c720}") && raw.contains("\\u202e"));
        assert_eq!(json::from_slice::<Value>(&out).unwrap()["results"][0][text], text);
    }

    #[test]
    fn writes_nothing_before_the_first_result() {
        let document = ResultWriter::new(Vec::new(), "antiquary/test/1");
        assert!(document.out.is_empty());
    }
}
