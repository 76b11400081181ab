//! The attributes of a struct.

#[path = "../round_trip.rs"]
mod round_trip;

use antiquary_record::{Error, Flat, Record, Result};
use round_trip::{read_error, round_trip};

/// The crate under another path.
mod facade {
    pub use antiquary_record as bytes;
}

#[derive(Record, Debug, PartialEq)]
#[record(crate = crate::facade::bytes, magic = b"PIC!", order = big)]
struct Header {
    width: u16,
    height: u16,
}

/// The context is the version of the file.
#[derive(Record, Debug, PartialEq)]
#[record(context = u8)]
struct Versioned {
    id: u16,
    #[record(when = context >= 2)]
    flags: Option<u16>,
}

#[derive(Record, Debug, PartialEq, Clone, Copy, Default)]
struct Corner([u8; 2]);

/// Flat, although its fields are not numbers.
#[derive(Record, Debug, PartialEq, Clone, Copy, Default)]
#[record(flat)]
struct Triangle {
    corners: [Corner; 3],
}

#[derive(Record, Debug, PartialEq)]
#[record(show = percent, check = at_most_100)]
struct Volume(u8);

fn percent(volume: &Volume) -> String {
    format!("{}%", volume.0)
}

fn at_most_100(volume: &Volume) -> Result<()> {
    match volume.0 {
        0..=100 => Ok(()),
        more => Err(Error::malformed(format!("volume is {more}, expected 0 to 100"))),
    }
}

#[derive(Record, Debug, PartialEq)]
#[record(show = "{0:?}")]
struct Color {
    red: u8,
    green: u8,
}

/// Stored as a number of units of 16.
#[derive(Record, Debug, PartialEq)]
#[record(from = u16)]
struct Pixels(u32);

impl TryFrom<u16> for Pixels {
    type Error = Error;

    fn try_from(units: u16) -> Result<Self> {
        Ok(Self(u32::from(units) * 16))
    }
}

impl From<&Pixels> for u16 {
    fn from(pixels: &Pixels) -> Self {
        u16::try_from(pixels.0 / 16).unwrap()
    }
}

#[derive(Record, Debug, PartialEq)]
struct File {
    volume: Volume,
    color: Color,
    size: Pixels,
    #[record(count = u8)]
    triangles: Vec<Triangle>,
}

fn main() {
    let (header, spans) = round_trip::<Header>(b"PIC!\x01\x02\x00\x03", ());
    assert_eq!(header, Header { width: 0x102, height: 3 });
    assert_eq!(spans, [r#"magic = 50 49 43 21 "PIC!""#, "width = 258", "height = 3"]);
    assert!(read_error::<Header>(b"PIC?\0\0\0\0", ()).starts_with("magic: expected 50 49 43 21"));

    assert_eq!(round_trip::<Versioned>(&[7, 0], 1).0, Versioned { id: 7, flags: None });
    assert_eq!(round_trip::<Versioned>(&[7, 0, 1, 1], 2).0, Versioned { id: 7, flags: Some(0x101) });

    assert_eq!(<Triangle as Flat>::SIZE, 6);
    let bytes = [90, 1, 2, 3, 0, 2, 1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1];
    let (file, spans) = round_trip::<File>(&bytes, ());
    assert_eq!(file.volume, Volume(90));
    assert_eq!(file.color, Color { red: 1, green: 2 });
    assert_eq!(file.size, Pixels(48));
    assert_eq!(file.triangles[1].corners, [Corner([6, 5]), Corner([4, 3]), Corner([2, 1])]);
    assert_eq!(spans[..2], ["volume = 90%", "color = Color { red: 1, green: 2 }"]);
    assert_eq!(read_error::<File>(&[101], ()), "volume: volume is 101, expected 0 to 100, at offset 0x0");
}
