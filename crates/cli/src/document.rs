//! The JSON object that `--json` prints: results, one per line, then members about the whole run.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

/// Writes `{"schema": ..., "results": [...], ...}` incrementally. Nothing is written before the first result, so that an
/// invalid command line leaves standard output empty.
#[derive(Debug)]
pub(crate) struct Document<W: Write> {
    out: W,
    schema: &'static str,
    results: u64,
}

impl<W: Write> Document<W> {
    /// The object of a command, `antiquary/check/1`.
    pub(crate) fn new(out: W, schema: &'static str) -> Self {
        Self { out, schema, results: 0 }
    }

    /// Adds a result.
    pub(crate) fn result(&mut self, result: &impl Serialize) -> io::Result<()> {
        match self.results {
            0 => self.begin()?,
            _ => self.out.write_all(b",\n")?,
        }
        self.results = self.results.saturating_add(1);
        serde_json::to_writer(&mut self.out, result).map_err(io::Error::from)
    }

    /// Ends the object with the members about the whole run.
    pub(crate) fn finish(mut self, rest: &Map<String, Value>) -> io::Result<()> {
        if self.results == 0 {
            self.begin()?;
        }
        self.out.write_all(b"\n]")?;
        for (name, value) in rest {
            self.out.write_all(b",\n")?;
            serde_json::to_writer(&mut self.out, name)?;
            self.out.write_all(b":")?;
            serde_json::to_writer(&mut self.out, value)?;
        }
        self.out.write_all(b"}\n")?;
        self.out.flush()
    }

    fn begin(&mut self) -> io::Result<()> {
        write!(self.out, "{{\"schema\":\"{}\",\n\"results\":[\n", self.schema)
    }
}

/// A JSON object of these members.
pub(crate) fn members<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(results: &[Value]) -> Value {
        let mut out = Vec::new();
        let mut document = Document::new(&mut out, "antiquary/test/1");
        for result in results {
            document.result(result).unwrap();
        }
        document.finish(&members([("ok", true.into())])).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn any_number_of_results_makes_one_object() {
        for results in [vec![], vec![json!(1)], vec![json!({"a": "b\n"}), json!(null)]] {
            let expected = json!({"schema": "antiquary/test/1", "results": results, "ok": true});
            assert_eq!(document(&results), expected);
        }
    }

    #[test]
    fn nothing_is_written_before_the_first_result() {
        let document = Document::new(Vec::new(), "antiquary/test/1");
        assert!(document.out.is_empty());
    }
}
