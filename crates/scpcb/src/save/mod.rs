//! Saved games (`save.txt`): the player, other characters, rooms, doors, stains, events and items.

mod cell;
mod character;
mod check;
mod describe;
mod item;
mod layout;
#[cfg(test)]
mod tests;
mod version;
mod warning;
mod zones;

use asset::{
    Asset, Context, Description, Detail, Format, NameKind, Names, Offered, Parts, Probe, ProductKind,
    Products, Report, Score, Target, Unpacked,
};
use record::{Result, Source, read_whole, write_whole};

pub use item::{Container, Item, Items};
pub use layout::{
    Cell, Character, CustomDifficulty, Decal, Difficulty, Door, Event, Forest, Health, MapGrid, MtfRoom,
    Room, Save, Scp1499, State, Tunnel, Worn,
};
pub use version::Version;
pub use warning::CODES;
pub use zones::Zones;

/// Saved games of versions 1.3.10 and 1.3.11.
pub static FORMAT: Format = Format::new("scpcb.save", "SCP – Containment Breach saved game", open)
    .game("scpcb")
    .probe(probe)
    .pack(pack)
    .products(&[Offered { kind: ProductKind::Data, about: "every field of the file" }])
    .record::<Save>()
    .names(Names::NONE.in_fields(&[
        ("items.template", NameKind::Item),
        ("items.kind", NameKind::Item),
        ("items.name", NameKind::Item),
        ("events.name", NameKind::Label),
        ("room", NameKind::Room),
        ("characters.texture", NameKind::Texture),
        ("characters.model", NameKind::Model),
    ]))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Save::read(&source.read_all()?)?))
}

/// Recognizes the time and the date at the start, with the lengths that Blitz3D writes.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let is = |offset: usize, length: u8, pattern: &[u8]| {
        let text = file.head.get(offset..).and_then(|rest| rest.strip_prefix(&[length, 0, 0, 0]));
        text.and_then(|text| text.get(..pattern.len())).is_some_and(|text| matches(text, pattern))
    };
    (is(0, 8, b"00:00:00") && is(12, 11, b"00 Aaa 0000")).then_some(Score::CERTAIN)
}

/// Whether a text matches a pattern of digits, capital and small letters, with all other characters equal.
fn matches(text: &[u8], pattern: &[u8]) -> bool {
    text.iter().zip(pattern).all(|(found, expected)| match expected {
        b'0' => found.is_ascii_digit(),
        b'A' => found.is_ascii_uppercase(),
        b'a' => found.is_ascii_lowercase(),
        _ => found == expected,
    })
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    folder.typed::<Save>()?.write()
}

impl Save {
    /// Reads a saved game. The data after an unknown version is kept as bytes, and so are items that the original game does not have.
    ///
    /// # Errors
    /// If the file ends early, a count is larger than the rest of the file, or a mark between two sections is missing.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Serializes the saved game; an unmodified one yields the bytes it was read from.
    ///
    /// # Errors
    /// If fields contradict each other: cells and the size of the map, items and their containers, flags and the data they announce.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }
}

impl Asset for Save {
    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::check(self, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        Ok(Products::new(context, target).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}
