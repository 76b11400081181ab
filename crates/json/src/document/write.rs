//! Writing of documents as JSON text.

use std::io::{self, Write};

use data_encoding::HEXLOWER;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::node::{Content, Node};
use crate::float::{bits_of_f32, bits_of_f64, double_of};
use crate::text::write_hexadecimal;

/// Writes floats that JSON cannot represent as strings of their bits, and bytes as hexadecimal strings.
impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.content() {
            Content::Null => serializer.serialize_unit(),
            Content::Bool(value) => serializer.serialize_bool(value),
            Content::Unsigned(number) => serializer.serialize_u64(number),
            Content::Negative(number) => serializer.serialize_i64(number),
            Content::Single(number) if number.is_finite() => serializer.serialize_f64(double_of(number)),
            Content::Single(number) => serializer.serialize_str(&bits_of_f32(number)),
            Content::Double(number) if number.is_finite() => serializer.serialize_f64(number),
            Content::Double(number) => serializer.serialize_str(&bits_of_f64(number)),
            Content::Text(text) => serializer.serialize_str(text),
            Content::Bytes(bytes) => serializer.serialize_str(&HEXLOWER.encode(bytes)),
            Content::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(&item))?;
                list.end()
            }
            Content::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|(name, value)| map.serialize_entry(name, &value))?;
                map.end()
            }
        }
    }
}

/// Returns the name of a blob by the position of its bytes.
type NameOf<'f, 'n> = &'f dyn Fn(usize) -> Option<&'n str>;

impl Node<'_> {
    /// Writes the value as JSON, like serde, but with `{"blob": "NAME"}` for bytes that have a name. `name_of` returns the name of the
    /// bytes at a [position](Node::position).
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(self, out: &mut dyn Write, name_of: NameOf<'_, '_>) -> io::Result<()> {
        Printer { out, name_of, single: |number, out| Ok(serde_json::to_writer(out, &number)?) }.node(self)
    }

    /// Like [`write`](Self::write), but each `f32` is written as the `f64` that its JSON is read as. The output is therefore the same for a
    /// value and for the value read from its JSON.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_as_read(self, out: &mut dyn Write, name_of: NameOf<'_, '_>) -> io::Result<()> {
        Printer { out, name_of, single: |number, out| Ok(serde_json::to_writer(out, &double_of(number))?) }
            .node(self)
    }
}

struct Printer<'a, 'n> {
    out: &'a mut dyn Write,
    name_of: NameOf<'a, 'n>,
    /// Writes an `f32`.
    single: fn(f32, &mut dyn Write) -> io::Result<()>,
}

impl Printer<'_, '_> {
    fn node(&mut self, node: Node<'_>) -> io::Result<()> {
        match node.content() {
            Content::Null => self.out.write_all(b"null"),
            Content::Bool(value) => write!(self.out, "{value}"),
            Content::Unsigned(number) => Ok(serde_json::to_writer(&mut *self.out, &number)?),
            Content::Negative(number) => Ok(serde_json::to_writer(&mut *self.out, &number)?),
            Content::Single(number) if number.is_finite() => (self.single)(number, self.out),
            Content::Single(number) => write!(self.out, "\"{}\"", bits_of_f32(number)),
            Content::Double(number) if number.is_finite() => {
                Ok(serde_json::to_writer(&mut *self.out, &number)?)
            }
            Content::Double(number) => write!(self.out, "\"{}\"", bits_of_f64(number)),
            Content::Text(text) => Ok(serde_json::to_writer(&mut *self.out, text)?),
            Content::Bytes(bytes) => match (self.name_of)(node.position()) {
                Some(name) => {
                    self.out.write_all(b"{\"blob\":")?;
                    serde_json::to_writer(&mut *self.out, name)?;
                    self.out.write_all(b"}")
                }
                None => write_hexadecimal(bytes, self.out),
            },
            Content::List(items) => {
                let mut before: &[u8] = b"[";
                for item in items.iter() {
                    self.out.write_all(before)?;
                    self.node(item)?;
                    before = b",";
                }
                self.out.write_all(if items.is_empty() { b"[]" } else { b"]" })
            }
            Content::Object(members) => {
                let mut before: &[u8] = b"{";
                for (name, value) in members.iter() {
                    self.out.write_all(before)?;
                    serde_json::to_writer(&mut *self.out, name)?;
                    self.out.write_all(b":")?;
                    self.node(value)?;
                    before = b",";
                }
                self.out.write_all(if members.is_empty() { b"{}" } else { b"}" })
            }
        }
    }
}
