//! The attributes of fields that are not lists.

#[path = "../round_trip.rs"]
mod round_trip;

use antiquary_record::{Error, Reader, Record, Result, Writer};
use round_trip::{read_error, round_trip};

#[derive(Record, Debug, PartialEq)]
struct File {
    version: u8,
    #[record(order = big)]
    size: u16,
    #[record(with = version)]
    sprite: Sprite,
    #[record(by = scaled(4), min = 1)]
    scale: u32,
    #[record(check = is_even)]
    columns: u8,
    #[record(show = "{} ms")]
    delay: u16,
    #[record(inline)]
    position: Position,
}

#[derive(Record, Debug, PartialEq)]
#[record(context = u8)]
struct Sprite {
    id: u8,
    #[record(when = context >= 2)]
    layer: Option<u8>,
}

#[derive(Record, Debug, PartialEq)]
struct Position {
    x: u8,
    y: u8,
}

/// A number that is stored as a byte, divided by a factor.
mod scaled {
    use super::{Reader, Record, Result, Writer};

    pub fn read(reader: &mut Reader<'_>, factor: u32) -> Result<u32> {
        Ok(u32::from(u8::read(reader, ())?) * factor)
    }

    pub fn write(value: &u32, writer: &mut Writer, factor: u32) -> Result<()> {
        writer.count::<u8>((value / factor) as usize)?.write(writer, ())
    }
}

fn is_even(columns: &u8) -> Result<()> {
    match columns % 2 {
        0 => Ok(()),
        _ => Err(Error::malformed(format!("found {columns} columns, expected an even number"))),
    }
}

fn main() {
    // `min` is 1 for `scale`; the layer may be absent.
    assert_eq!(File::MIN_SIZE, 10);
    let (file, spans) = round_trip::<File>(&[2, 1, 0, 7, 3, 5, 6, 40, 0, 8, 9], ());
    assert_eq!(
        file,
        File {
            version: 2,
            size: 256,
            sprite: Sprite { id: 7, layer: Some(3) },
            scale: 20,
            columns: 6,
            delay: 40,
            position: Position { x: 8, y: 9 },
        }
    );
    assert_eq!(spans[spans.len() - 3..], ["delay = 40 ms", "x = 8", "y = 9"]);

    let (file, _) = round_trip::<File>(&[1, 1, 0, 7, 5, 6, 40, 0, 8, 9], ());
    assert_eq!(file.sprite.layer, None);
    assert_eq!(
        read_error::<File>(&[1, 1, 0, 7, 5, 7, 40, 0, 8, 9], ()),
        "columns: found 7 columns, expected an even number, at offset 0x5"
    );
}
