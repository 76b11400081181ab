//! Synthetic records whose variant depends on the following bytes or on the context, or that are stored as another type.

use std::fmt;

use crate::mini::{check_damaged, span_values};
use antiquary_record::{
    Bytes, Error, Kind, Reader, Record, Result, Visit, Writer, read_whole, trace_whole, write_whole,
};

/// A tag of four letters that is a single value.
#[derive(Record, Debug, Clone, Copy, PartialEq, PartialOrd)]
#[record(tag = [u8; 4], unknown = not_a_version, show = "{}")]
enum Version {
    #[record(tag = *b"v1.0")]
    Old,
    #[record(tag = *b"v2.0")]
    New,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Old { "1.0" } else { "2.0" })
    }
}

fn not_a_version(found: &[u8; 4]) -> Error {
    Error::unsupported(format!("version \"{}\" (known: v1.0, v2.0)", found.escape_ascii()))
}

/// Distinguished by the version that both variants start with.
#[derive(Record, Debug, PartialEq)]
#[record(ahead = Version)]
enum Model {
    #[record(when = *ahead == Version::New)]
    New(NewModel),
    Old(OldModel),
}

#[derive(Record, Debug, PartialEq)]
struct NewModel {
    version: Version,
    #[record(with = version, count = u8)]
    vertices: Vec<Vertex>,
    #[record(with = version, count = u8)]
    names: Vec<Name>,
    /// Stored as half its value by a custom encoding.
    #[record(by = halves(1))]
    size: i64,
    #[record(check = below_ten)]
    level: u8,
}

#[derive(Record, Debug, PartialEq)]
struct OldModel {
    version: Version,
    kind: u8,
    #[record(with = kind)]
    pixels: Box<Pixels>,
}

/// Flat for a given version.
#[derive(Record, Debug, Clone, PartialEq)]
#[record(context = Version)]
struct Vertex {
    position: [i16; 2],
    #[record(when = context >= Version::New)]
    color: Option<[u8; 3]>,
}

/// Bytes up to a zero byte, as one span.
#[derive(Record, Debug, Clone, PartialEq)]
#[record(context = Version)]
struct Name {
    #[record(terminator = b"\0", show = text)]
    text: Bytes,
    #[record(when = context >= Version::New)]
    hash: Option<Even>,
}

fn text(bytes: &Bytes) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Stored as twice its value.
#[derive(Record, Debug, Clone, PartialEq)]
#[record(from = u16)]
struct Even(u16);

impl TryFrom<u16> for Even {
    type Error = Error;

    fn try_from(stored: u16) -> Result<Self> {
        match stored % 2 {
            0 => Ok(Self(stored / 2)),
            _ => Err(Error::malformed(format!("{stored} is not even"))),
        }
    }
}

impl From<&Even> for u16 {
    fn from(even: &Even) -> Self {
        even.0 * 2
    }
}

mod halves {
    use super::{Reader, Record, Result, Writer};

    pub(super) fn read(reader: &mut Reader<'_>, shift: u32) -> Result<i64> {
        Ok(i64::from(i16::read(reader, ())?) << shift)
    }

    pub(super) fn write(value: &i64, writer: &mut Writer, shift: u32) -> Result<()> {
        writer.count::<i16>(usize::try_from(*value >> shift).unwrap_or(usize::MAX))?.write(writer, ())
    }
}

fn below_ten(level: &u8) -> Result<()> {
    if *level < 10 { Ok(()) } else { Err(Error::malformed(format!("level {level} (at most 9)"))) }
}

/// Distinguished by the context.
#[derive(Record, Debug, PartialEq)]
#[record(context = u8, unknown = no_such_kind)]
enum Pixels {
    #[record(when = context == 0)]
    Raw(#[record(count = u8)] Bytes),
    #[record(when = context == 1)]
    Packed {
        #[record(before(packed: u8 = data.len()))]
        size: u16,
        #[record(count = packed)]
        data: Bytes,
    },
}

fn no_such_kind(kind: &u8) -> Error {
    Error::unsupported(format!("unknown compression {kind} (known: 0, 1)"))
}

const NEW: &[u8] = b"v2.0\x02\x01\0\x02\0rgb\x03\0\x04\0RGB\x01door\0\x06\0\x05\0\x09";
const OLD: &[u8] = b"v1.0\x01\x03\x10\0abc";

#[test]
fn the_variant_is_chosen_by_the_following_bytes() {
    let Model::New(model) = read_whole(NEW, ()).unwrap() else { panic!() };
    assert_eq!(model.vertices[1], Vertex { position: [3, 4], color: Some(*b"RGB") });
    assert_eq!(model.names, [Name { text: Bytes(b"door".to_vec()), hash: Some(Even(3)) }]);
    assert_eq!((model.size, model.level), (10, 9));
    assert_eq!(write_whole(&model, ()).unwrap(), NEW);

    let Model::Old(model) = read_whole(OLD, ()).unwrap() else { panic!() };
    assert_eq!(*model.pixels, Pixels::Packed { size: 16, data: Bytes(b"abc".to_vec()) });
    assert_eq!(write_whole(&model, ()).unwrap(), OLD);
}

#[test]
fn spans_cover_every_byte_and_a_value_is_one_span() {
    let spans = span_values::<Model>(NEW);
    for (path, value) in [
        ("version", "2.0"),
        ("vertices[1].color", "52 47 42 \"RGB\""),
        ("names[0].text", "door"),
        ("names[0].hash", "6"),
        ("size", "5"),
    ] {
        assert!(spans.contains(&(path.into(), value.into())), "{path} {value}: {spans:#?}");
    }
    assert!(span_values::<Model>(OLD).contains(&("pixels.packed".into(), "3".into())));
}

#[test]
fn refuses_invalid_values_with_their_offset() {
    check_damaged::<Model>(NEW);
    check_damaged::<Model>(OLD);
    let with = |file: &[u8], at: usize, value: u8| {
        let mut bytes = file.to_vec();
        bytes[at] = value;
        read_whole::<Model>(&bytes, ()).unwrap_err().to_string()
    };
    assert_eq!(with(NEW, 1, b'9'), "version: version \"v9.0\" (known: v1.0, v2.0), at offset 0x0");
    assert_eq!(
        with(NEW, 4, 200),
        "vertices: expected 200 items of at least 7 bytes each, but only 25 bytes are left, at offset 0x4"
    );
    assert_eq!(with(NEW, 25, 7), "names[0].hash: 7 is not even, at offset 0x19");
    assert_eq!(with(NEW, 29, 10), "level: level 10 (at most 9), at offset 0x1d");
    assert_eq!(with(OLD, 4, 7), "pixels: unknown compression 7 (known: 0, 1), at offset 0x5");
    assert_eq!(
        read_whole::<Model>(&NEW[..23], ()).unwrap_err().to_string(),
        "names[0].text: no zero byte in the remaining 3 bytes, at offset 0x14"
    );
}

#[test]
fn refuses_to_write_invalid_values() {
    let Model::New(mut model) = read_whole(NEW, ()).unwrap() else { panic!() };
    model.names[0].text = Bytes(b"a\0b".to_vec());
    let error = write_whole(&model, ()).unwrap_err();
    assert_eq!(error.to_string(), "names[0].text: contains a zero byte, which would end it early");
    model.names.clear();
    model.vertices[0].color = None;
    let error = write_whole(&model, ()).unwrap_err();
    assert_eq!(error.to_string(), "vertices[0].color: missing, but this version of the format requires it");
    model.vertices.clear();
    model.level = 10;
    let error = write_whole(&model, ()).unwrap_err();
    assert_eq!((error.kind(), error.to_string()), (Kind::Usage, "level: level 10 (at most 9)".into()));
    let other = OldModel {
        version: Version::Old,
        kind: 0,
        pixels: Box::new(Pixels::Packed { size: 1, data: Bytes::default() }),
    };
    let error = write_whole(&other, ()).unwrap_err();
    assert_eq!(error.to_string(), "pixels: not supported by this version of the format");
}

#[test]
fn the_minimum_size_depends_on_the_context() {
    assert_eq!(Vertex::min_size(Version::Old), 4);
    assert_eq!(Vertex::min_size(Version::New), 7);
    assert_eq!((Name::min_size(Version::Old), Name::min_size(Version::New), Name::MIN_SIZE), (1, 3, 1));
}

#[test]
fn a_list_reads_the_same_with_a_visitor() {
    let mut values = Vec::new();
    trace_whole::<Model>(NEW, (), &mut |span: antiquary_record::Span<'_>| {
        values.push(span.value.to_string());
        if span.path == "vertices[0].position[0]" { Visit::Stop } else { Visit::Continue }
    })
    .unwrap();
    assert_eq!(values, ["2.0", "2", "1"]);
}
