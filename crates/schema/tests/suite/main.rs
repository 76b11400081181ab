//! Documents of a small format in each language.

use antiquary_schema::{About, Language, Model};
use record::{Bytes, Record};

/// A picture of a fictional game.
#[derive(Record)]
#[record(magic = b"PIC!")]
#[allow(dead_code, reason = "only described")]
struct Picture {
    /// The version: 1 or 2.
    version: u16,
    /// Since version 2: the number of the author.
    #[record(when = version >= 2)]
    author: Option<u32>,
    /// Red, green and blue.
    #[record(count = u8)]
    palette: Vec<[u8; 3]>,
    /// Positions of hotspots in pixels.
    #[record(count = u8)]
    hotspots: Vec<[i16; 2]>,
    /// Chunks.
    #[record(until = b"END " || end)]
    chunks: Vec<Chunk>,
    /// Whether the end is marked.
    #[record(present = b"END ")]
    has_end: bool,
    /// The pixels. See [`Chunk`].
    #[record(by = pixels(version))]
    pixels: Bytes,
}

/// A chunk.
#[derive(Record)]
#[record(tag = [u8; 4], length = u32, length_order = big)]
#[allow(dead_code, reason = "only described")]
enum Chunk {
    /// The size in pixels.
    #[record(tag = *b"SIZE")]
    Size { width: u16, height: u16 },
    /// The compression.
    #[record(tag = *b"PACK", when = length == 2)]
    Compression(Compression),
    /// Any other chunk.
    #[record(unknown)]
    Other([u8; 4], Bytes),
}

/// How pixels are stored.
#[derive(Record)]
#[record(tag = u16)]
enum Compression {
    /// Unchanged.
    #[record(tag = 0_u16)]
    None,
    /// Run lengths.
    #[record(tag = 1_u16)]
    RunLengths,
}

mod pixels {
    use record::{Bytes, Reader, Record, Result, Writer};

    pub(super) fn read(reader: &mut Reader<'_>, _version: u16) -> Result<Bytes> {
        Bytes::read(reader, ())
    }

    pub(super) fn write(bytes: &Bytes, writer: &mut Writer, _version: u16) -> Result<()> {
        bytes.write(writer, ())
    }
}

fn document(language: Language) -> String {
    let about = About { id: "example.picture", name: "Picture", extensions: &["pic"] };
    language.write(&about, &Model::of(Picture::schema()))
}

#[test]
fn a_kaitai_struct_has_every_field() {
    insta::assert_snapshot!(document(Language::Kaitai));
}

#[test]
fn an_imhex_pattern_declares_types_before_their_use() {
    insta::assert_snapshot!(document(Language::ImHex));
}

#[test]
fn a_reference_page_has_every_field() {
    insta::assert_snapshot!(document(Language::Markdown));
}

#[test]
fn code_in_a_declaration_is_an_opaque_part_with_a_reason() {
    let model = Model::of(Picture::schema());
    let [part] = model.opaque() else { panic!("expected one part, found {:?}", model.opaque()) };
    assert_eq!((part.owner.as_str(), part.name.as_str()), ("picture", "pixels"));
    assert_eq!(part.reason, "read by the module `pixels(version)`, which is written by hand");
}
