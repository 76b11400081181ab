//! A synthetic format of big-endian tagged sections.

use crate::mini::{check_damaged, span_values};
use antiquary_record::{Bytes, Record, read_whole, write_whole};
use serde::{Deserialize, Serialize};

#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(magic = b"WRLD", order = big)]
struct World {
    version: u16,
    #[record(until = b"DONE")]
    sections: Vec<Section>,
    #[record(present = b"DONE")]
    done: bool,
}

#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = [u8; 4], length = u32)]
enum Section {
    #[record(tag = *b"NAME")]
    Name(Bytes),
    #[record(tag = *b"ACTR")]
    Actors {
        #[record(count = u16)]
        actors: Vec<Actor>,
        /// Little-endian in a big-endian file.
        #[record(order = little)]
        seed: u32,
    },
    #[record(tag = *b"END ")]
    End,
    #[record(unknown)]
    Unknown([u8; 4], Bytes),
}

#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Actor {
    id: u16,
    at: [f32; 3],
}

/// Two actors, an unknown section, a name, the end.
fn file() -> Vec<u8> {
    let mut out = b"WRLD\x00\x07".to_vec();
    let section = |out: &mut Vec<u8>, tag: &[u8; 4], body: &[u8]| {
        out.extend(tag);
        out.extend((body.len() as u32).to_be_bytes());
        out.extend(body);
    };
    let mut actors = 2_u16.to_be_bytes().to_vec();
    for id in [1_u16, 2] {
        actors.extend(id.to_be_bytes());
        actors.extend([f32::from(id), 0.5, -1.0].iter().flat_map(|number| number.to_be_bytes()));
    }
    actors.extend(0x0102_0304_u32.to_le_bytes());
    section(&mut out, b"ACTR", &actors);
    section(&mut out, b"????", b"kept");
    section(&mut out, b"NAME", b"Stros M'kai");
    section(&mut out, b"END ", b"");
    out.extend(b"DONE");
    out
}

fn read() -> World {
    read_whole(&file(), ()).unwrap()
}

#[test]
fn sections_are_distinguished_by_their_tags() {
    let world = read();
    let Section::Actors { actors, seed } = &world.sections[0] else { panic!("{:?}", world.sections[0]) };
    assert_eq!(actors[1], Actor { id: 2, at: [2.0, 0.5, -1.0] });
    assert_eq!(*seed, 0x0102_0304);
    assert_eq!(world.sections[1], Section::Unknown(*b"????", Bytes(b"kept".to_vec())));
    assert_eq!(world.sections[3], Section::End);
}

#[test]
fn writes_what_it_reads() {
    assert_eq!(write_whole(&read(), ()).unwrap(), file());
    let json = serde_json::to_vec(&read()).unwrap();
    assert_eq!(write_whole(&serde_json::from_slice::<World>(&json).unwrap(), ()).unwrap(), file());
}

#[test]
fn an_edit_updates_the_preceding_length() {
    let mut world = read();
    world.sections[2] = Section::Name(Bytes(b"The island of Stros M'kai".to_vec()));
    if let Section::Actors { actors, .. } = &mut world.sections[0] {
        actors.push(Actor { id: 3, at: [0.0; 3] });
    }
    world.sections.push(Section::End);
    let written = write_whole(&world, ()).unwrap();
    assert_eq!(written.len(), file().len() + 14 + 14 + 8);
    assert_eq!(read_whole::<World>(&written, ()).unwrap(), world);
}

#[test]
fn spans_cover_every_byte() {
    let spans = span_values::<World>(&file());
    assert!(spans.contains(&("sections[0].actors[1].at[0]".into(), "2".into())), "{spans:#?}");
    assert!(spans.contains(&("sections[2].length".into(), "11".into())), "{spans:#?}");
}

#[test]
fn refuses_invalid_values_with_their_offset() {
    check_damaged::<World>(&file());
    let with = |at: usize, value: &[u8]| {
        let mut bytes = file();
        bytes[at..at + value.len()].copy_from_slice(value);
        read_whole::<World>(&bytes, ()).unwrap_err().to_string()
    };
    assert_eq!(
        with(10, &[0, 0, 1, 0]),
        "sections[0].length: expected 256 bytes, but only 77 are left, at offset 0xa"
    );
    assert_eq!(
        with(10, &[0, 0, 0, 37]),
        "sections[0]: 3 extra bytes at the end of the section, at offset 0x30"
    );
}
