//! Structured data, written as JSON.

use std::fmt;

use serde::Serialize;

use crate::{Error, Result};

/// A value that is serialized when it is written, without being copied before.
pub struct Data<'a> {
    value: Box<dyn erased_serde::Serialize + 'a>,
    layout: Layout,
}

/// The formatting of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Layout {
    /// Like records: values that fit into a line are on one line; numbers that JSON cannot hold are strings of their
    /// bits.
    #[default]
    Record,
    /// Every member and every item is on a separate line.
    Expanded,
    /// Every item of a list, or of the lists in the outermost object, is on one line: for lists with thousands of
    /// items.
    Lines,
}

impl<'a> Data<'a> {
    /// Creates data that is formatted like a record.
    pub fn new(value: impl Serialize + 'a) -> Self {
        Self { value: Box::new(value), layout: Layout::Record }
    }

    /// Returns the data with another layout.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// Returns the value, to be serialized in any format.
    #[must_use]
    pub fn value(&self) -> &(dyn erased_serde::Serialize + 'a) {
        &*self.value
    }

    /// Serializes the value as JSON, with a trailing line break.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if JSON cannot represent the value.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        match self.layout {
            Layout::Record => json::to_vec(&*self.value),
            Layout::Expanded => {
                let mut json = serde_json::to_vec_pretty(&*self.value)
                    .map_err(|error| Error::usage(error.to_string()))?;
                json.push(b'\n');
                Ok(json)
            }
            Layout::Lines => to_lines(&*self.value),
        }
    }
}

impl fmt::Debug for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Data({:?})", self.layout)
    }
}

/// Formats a list, or an object with lists, with one item per line. The serialized text is reformatted, so that the
/// value is not copied.
fn to_lines(value: &dyn erased_serde::Serialize) -> Result<Vec<u8>> {
    let compact = serde_json::to_vec(value).map_err(|error| Error::usage(error.to_string()))?;
    let is_list = match compact.first() {
        Some(b'{') => false,
        Some(b'[') => true,
        _ => return Err(Error::usage("only a list or an object can be formatted with one item per line")),
    };
    let mut out = Vec::with_capacity(compact.len() * 2);
    let (mut depth, mut in_list) = (0_usize, false);
    let (mut in_text, mut escaped) = (false, false);
    // Written before the next member or item.
    let mut indent: &[u8] = b"";
    for byte in compact {
        if in_text {
            in_text = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            out.push(byte);
            continue;
        }
        in_text = byte == b'"';
        if matches!(byte, b'}' | b']') {
            depth = depth.saturating_sub(1);
            match depth {
                0 => out.extend_from_slice(b"\n"),
                1 if !is_list && std::mem::take(&mut in_list) => out.extend_from_slice(b"\n  "),
                _ => {}
            }
        } else {
            out.extend_from_slice(indent);
        }
        indent = b"";
        out.push(byte);
        match (byte, depth) {
            (b'[', 0) | (b',', 1) if is_list => indent = b"\n",
            _ if is_list => {}
            (b'{', 0) | (b',', 1) => indent = b"\n  ",
            (b':', 1) => out.push(b' '),
            (b'[', 1) => (in_list, indent) = (true, b"\n    "),
            (b',', 2) if in_list => indent = b"\n    ",
            _ => {}
        }
        if matches!(byte, b'{' | b'[') {
            depth += 1;
        }
    }
    out.push(b'\n');
    Ok(out)
}
