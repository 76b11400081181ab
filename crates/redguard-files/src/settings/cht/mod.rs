//! CHT: the cheat states. The game writes the file with `savecheats` and reads it on startup.

mod layout;
mod name;
#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, Offered, Parts, Probe, ProductKind, Products,
    Report, Score, Target, Unpacked,
};
use json::{Document, Value, json};
use record::{Result, Source, read_whole, write_whole};

pub use layout::{Cheats, FILE_SIZE, RESERVED};
pub use name::{Activation, CHEATS, COUNT, Cheat, KEY, hide_name, show_name};
pub use warning::CODES;

use crate::fixed_size::check_length;

/// The subject of the message about a wrong file size.
const SIZE_SUBJECT: &str = "cheat states have";

/// The cheat state format.
pub static FORMAT: Format = Format::new("redguard.cht", "Redguard cheats", open)
    .game("redguard")
    .extensions(&["cht"])
    .probe(probe)
    .pack(pack)
    .products(&[Offered {
        kind: ProductKind::Data,
        about: "every cheat by name, with its value, state and effect",
    }])
    .record::<Cheats>()
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    check_length(source.len(), FILE_SIZE, SIZE_SUBJECT)?;
    Ok(Box::new(Cheats::read(&source.read_all()?)?))
}

/// Recognizes the file by its name and length, because it has no signature.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let fits = file.name == "redguard.cht" && usize::try_from(file.length) == Ok(FILE_SIZE);
    fits.then_some(Score::LIKELY)
}

impl Cheats {
    /// Reads the states.
    ///
    /// # Errors
    /// Returns an error if the file is not 256 bytes long.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        check_length(u64::try_from(bytes.len()).unwrap_or(u64::MAX), FILE_SIZE, SIZE_SUBJECT)?;
        read_whole(bytes, ())
    }

    /// Writes the states. Unchanged states are written byte for byte as they were read.
    ///
    /// # Errors
    /// Never fails for cheat states.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns every cheat with its number.
    pub fn list(&self) -> impl Iterator<Item = (&'static Cheat, u32)> {
        CHEATS.iter().zip(self.values())
    }

    /// Returns the nonzero numbers after the cheats, each with its slot.
    fn unnamed(&self) -> impl Iterator<Item = (usize, u32)> {
        self.reserved
            .iter()
            .enumerate()
            .filter(|(_, value)| **value != 0)
            .map(|(at, value)| (at.saturating_add(COUNT), *value))
    }

    fn to_json(&self) -> Value {
        let cheat = |(index, (cheat, value)): (usize, (&Cheat, u32))| json!({ "index": index, "name": cheat.name, "value": value, "on": value != 0, "about": cheat.about });
        let cheats: Vec<Value> = self.list().enumerate().map(cheat).collect();
        let unnamed: Vec<Value> =
            self.unnamed().map(|(slot, value)| json!({ "slot": slot, "value": value })).collect();
        json!({ "cheats": cheats, "unnamed": unnamed })
    }
}

impl Asset for Cheats {
    fn describe(&self, detail: Detail) -> Description {
        let on = self.list().filter(|(_, value)| *value != 0).count();
        Description {
            summary: format!("cheats, {on} of {COUNT} on"),
            counts: Counts::new().with("cheats", COUNT).with("cheats that are on", on),
            fields: match detail {
                Detail::Brief => self.to_json().into(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        for (cheat, value) in self.list() {
            if cheat.activation == Activation::One && value > 1 {
                let message = format!(
                    "{} is {value}, which counts as on but has no effect (the game requires 1)",
                    cheat.name
                );
                report.warn(&warning::NO_EFFECT, message).in_field(cheat.name);
            }
        }
        for (slot, value) in self.unnamed() {
            let field = format!("reserved[{}]", slot.saturating_sub(COUNT));
            report.warn(&warning::RESERVED, format!("unused slot {slot} is {value}, not 0")).in_field(field);
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        Ok(Products::new(context, target).with_data(|| self.to_json()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    folder.typed::<Cheats>()?.write()
}
