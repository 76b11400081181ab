//! A synthetic format with a table of offsets, bytes that no offset refers to, and two items that share bytes.

use crate::mini::{check_damaged, span_values};
use antiquary_record::{
    Bytes, Error, Kind, Layout, LayoutReader, LayoutWriter, Reader, Record, Result, Writer, read_whole,
    write_whole,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pack {
    header: Header,
    entries: Vec<Entry>,
    note: Note,
    items: Vec<Bytes>,
    layout: Layout,
}

/// The start of the file.
#[derive(Record, Debug, Clone)]
#[record(magic = b"PACK")]
struct Head {
    header: Header,
    #[record(count = header.entry_count)]
    entries: Vec<Entry>,
}

#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Note(#[record(count = u8)] Bytes);

impl Record for Pack {
    type Context = ();
    const MIN_SIZE: usize = Head::MIN_SIZE;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let mut layout = LayoutReader::new(reader);
        let Head { header, entries } = Head::read(reader, ())?;
        layout.inline(reader);
        let note = reader.field("note", |reader| {
            layout.read(reader, "note", header.note_at.into(), None, |reader| Note::read(reader, ()))
        })?;
        let mut locations = entries.iter().map(|entry| entry.location).enumerate();
        let items = reader.field("items", |reader| {
            reader.items(entries.len(), |reader| {
                let (index, Location { offset, size }) = locations.next().unwrap();
                layout.read(reader, item(index), offset.into(), Some(size.into()), |reader| {
                    Bytes::read(reader, ())
                })
            })
        })?;
        Ok(Self { header, entries, note, items, layout: layout.finish(reader) })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        if self.items.len() != self.entries.len() {
            return Err(
                Error::usage("the number of items differs from the number of entries").in_field("items")
            );
        }
        let mut head = Head { header: self.header, entries: self.entries.clone() };
        let mut parts = LayoutWriter::new(writer, &self.layout);
        parts.part(writer, "", 0, |writer| head.write(writer, ()))?;
        parts.part(writer, "note", 1, |writer| self.note.write(writer, ()))?;
        for (index, bytes) in self.items.iter().enumerate() {
            parts.part(writer, item(index), 2, |writer| bytes.write(writer, ()))?;
        }
        parts.place()?;
        head.header.note_at = parts.find("note").0 as u32;
        for (index, entry) in head.entries.iter_mut().enumerate() {
            let (offset, size) = parts.find(&item(index));
            entry.location = Location { offset: offset as u32, size: size as u16 };
        }
        parts.rewrite(writer, "", |writer| head.write(writer, ()))?;
        parts.finish(writer)
    }
}

fn item(index: usize) -> String {
    format!("items[{index}]")
}

#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Header {
    entry_count: u16,
    note_at: u32,
}

#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[record(flat)]
struct Entry {
    kind: u16,
    location: Location,
}

#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Location {
    offset: u32,
    size: u16,
}

/// Header, three entries, a gap, "hello" and "low" sharing its "lo", a gap, the note, a third item, a gap.
fn file() -> Vec<u8> {
    let mut out = b"PACK\x03\0".to_vec();
    out.extend(51_u32.to_le_bytes());
    for (kind, offset, size) in [(7_u16, 36_u32, 5_u16), (8, 39, 3), (9, 56, 4)] {
        out.extend(kind.to_le_bytes());
        out.extend(offset.to_le_bytes());
        out.extend(size.to_le_bytes());
    }
    assert_eq!(out.len(), 34);
    out.extend(b"..hellow<nothing>");
    assert_eq!(out.len(), 51);
    out.extend(b"\x04note");
    out.extend(b"last!!");
    out
}

fn read() -> Pack {
    read_whole(&file(), ()).unwrap()
}

#[test]
fn items_are_found_through_the_table() {
    let pack = read();
    let items: Vec<&[u8]> = pack.items.iter().map(|item| &**item).collect();
    assert_eq!(items, [&b"hello"[..], b"low", b"last"]);
    assert_eq!(&*pack.note.0, b"note");
    let gaps: Vec<&[u8]> = pack.layout.gaps.iter().map(|gap| &*gap.bytes).collect();
    assert_eq!(gaps, [&b".."[..], b"<nothing>", b"!!"]);
}

#[test]
fn an_unchanged_file_is_written_identical() {
    assert_eq!(write_whole(&read(), ()).unwrap(), file());
    let json = serde_json::to_vec(&read()).unwrap();
    assert_eq!(write_whole(&serde_json::from_slice::<Pack>(&json).unwrap(), ()).unwrap(), file());
}

#[test]
fn an_edit_of_the_same_length_changes_those_bytes_only() {
    let mut pack = read();
    pack.items[2] = Bytes(b"LAST".to_vec());
    let mut wanted = file();
    wanted[56..60].copy_from_slice(b"LAST");
    assert_eq!(write_whole(&pack, ()).unwrap(), wanted);
}

#[test]
fn a_growing_part_shifts_later_parts_and_keeps_gaps() {
    let mut pack = read();
    pack.note = Note(Bytes(b"a longer note".to_vec()));
    let written = write_whole(&pack, ()).unwrap();
    let again: Pack = read_whole(&written, ()).unwrap();
    assert_eq!(again.items, pack.items);
    assert_eq!(again.note, pack.note);
    assert_eq!(again.entries[2].location, Location { offset: 56 + 9, size: 4 });
    assert_eq!(again.entries[..2], pack.entries[..2]);
    assert_eq!(written.len(), file().len() + 9);
    assert_eq!(again.layout.gaps.len(), 3);
    assert_eq!(written[34..51], file()[34..51]);
}

#[test]
fn an_item_can_be_added_and_removed() {
    let mut pack = read();
    pack.entries.push(Entry { kind: 1, ..Entry::default() });
    pack.items.push(Bytes(b"new".to_vec()));
    let again: Pack = read_whole(&write_whole(&pack, ()).unwrap(), ()).unwrap();
    assert_eq!(again.header.entry_count, 4);
    assert_eq!(again.items, pack.items);
    assert_eq!(again.layout.gaps.len(), 3, "{:?}", again.layout);

    pack.entries.truncate(1);
    pack.items.truncate(1);
    let again: Pack = read_whole(&write_whole(&pack, ()).unwrap(), ()).unwrap();
    assert_eq!(again.header.entry_count, 1);
    assert_eq!(again.items, pack.items);

    pack.items.pop();
    let error = write_whole(&pack, ()).unwrap_err();
    assert_eq!(error.to_string(), "items: the number of items differs from the number of entries");
}

#[test]
fn refuses_an_edit_that_breaks_an_overlap() {
    let mut pack = read();
    pack.items[0] = Bytes(b"HELLO".to_vec());
    let error = write_whole(&pack, ()).unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
    assert_eq!(
        error.to_string(),
        "items[1]: overlaps another part, and the shared bytes differ: make the same change in both, at offset 0x27"
    );
    pack.items[1] = Bytes(b"LOw".to_vec());
    assert_eq!(&write_whole(&pack, ()).unwrap()[36..42], b"HELLOw");

    pack.items[1] = Bytes(b"LOwest".to_vec());
    let error = write_whole(&pack, ()).unwrap_err();
    assert!(error.to_string().contains("overlaps another part, so its length cannot change"), "{error}");
}

#[test]
fn a_new_file_has_its_parts_in_declaration_order() {
    let mut pack = read();
    pack.layout = Layout::default();
    let written = write_whole(&pack, ()).unwrap();
    assert_eq!(written[34..], *b"\x04notehellolowlast");
    let again: Pack = read_whole(&written, ()).unwrap();
    assert_eq!((again.items, again.note), (pack.items, pack.note));
}

#[test]
fn spans_cover_every_byte_including_gaps() {
    let spans = span_values::<Pack>(&file());
    assert!(spans.contains(&("items[1]".into(), "6c 6f 77 \"low\"".into())), "{spans:#?}");
    assert!(spans.contains(&("layout.gaps[2].bytes".into(), "21 21 \"!!\"".into())), "{spans:#?}");
    assert!(spans.contains(&("entries[2].location.offset".into(), "56".into())), "{spans:#?}");
}

#[test]
fn refuses_invalid_values_with_their_offset() {
    // The last two bytes are a gap: a file without them is valid.
    check_damaged::<Pack>(&file()[..60]);
    let with = |at: usize, value: &[u8]| {
        let mut bytes = file();
        bytes[at..at + value.len()].copy_from_slice(value);
        read_whole::<Pack>(&bytes, ()).unwrap_err().to_string()
    };
    assert_eq!(
        with(4, &[0xff, 0xff]),
        "entries: expected 65535 items of at least 8 bytes each, but only 52 bytes are left, at offset 0xa"
    );
    assert_eq!(
        with(12, &[0xff; 4]),
        "items[0]: a part of 5 bytes at 0xffffffff is outside the file, which has 62 bytes, at offset 0x3e"
    );
}

#[test]
fn overlapping_offsets_cannot_exhaust_memory() {
    const BIG: usize = 60_000;
    let mut bytes = b"PACK".to_vec();
    bytes.extend(u16::MAX.to_le_bytes());
    bytes.extend(0_u32.to_le_bytes());
    for _ in 0..u16::MAX {
        bytes.extend(7_u16.to_le_bytes());
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend((BIG as u16).to_le_bytes());
    }
    let error = read_whole::<Pack>(&bytes, ()).unwrap_err();
    assert_eq!(error.kind(), Kind::Limit, "{error}");
}
