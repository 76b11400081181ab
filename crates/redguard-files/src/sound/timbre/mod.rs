//! OPL and AD: global timbre libraries of the Miles Sound System, which contain the instruments for its FM synthesis drivers.
//! `SAMPLE.OPL` and `FAT.OPL` are for chips with four operators (OPL3), `SAMPLE.AD` is for chips with two (OPL2, AdLib).

mod check;
mod layout;
mod probe;
mod table;
#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, Offer, Offered, Parts, ProductKind, Products,
    Report, Target, Unpacked,
};
use json::Document;
use record::{Result, Source, read_whole, write_whole};

pub use layout::{Entry, MAX_ENTRIES, Operator, PERCUSSION, Timbre, TimbreLibrary, TimbreRef, Voice};
pub use warning::CODES;

/// The file name extensions of timbre libraries.
const EXTENSIONS: &[&str] = &["opl", "ad"];

/// The timbre library format.
pub static FORMAT: Format = Format::new("redguard.timbres", "Redguard timbre library", open)
    .game("redguard")
    .extensions(EXTENSIONS)
    .probe(probe::probe)
    .pack(pack)
    .products(&[
        Offered { kind: ProductKind::Table, about: "every entry with the registers of its timbre" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .record::<TimbreLibrary>()
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(TimbreLibrary::read(&source.read_all()?)?))
}

impl TimbreLibrary {
    /// Creates a library in which each timbre has its own entry with this patch and bank.
    #[must_use]
    pub fn new(timbres: Vec<(u8, u8, Timbre)>) -> Self {
        let mut out = Self::default();
        for (number, (patch, bank, timbre)) in (0..).zip(timbres) {
            out.entries.push(Entry { patch, bank, timbre: TimbreRef::Number(number) });
            out.timbres.push(timbre);
        }
        out
    }

    /// Reads a library. Entries without a timbre are kept.
    ///
    /// # Errors
    /// Returns an error if the index has no end or more than [`MAX_ENTRIES`] entries, or when overlapping timbres would exhaust
    /// memory.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the library. An unchanged library is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if an entry refers to a timbre that does not exist, an entry has patch 255 and bank 255, or the length of
    /// a timbre is wrong.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }
}

impl Asset for TimbreLibrary {
    fn describe(&self, detail: Detail) -> Description {
        let (entries, timbres) = (self.entries.len(), self.timbres.len());
        let has_four = |timbre: &&Timbre| matches!(timbre, Timbre::FourOperators { .. });
        let four = self.timbres.iter().filter(has_four).count();
        Description {
            summary: format!(
                "timbre library, {}, {}, {} of them with four operators",
                asset::counted(entries, "entry", "entries"),
                asset::counted(timbres, "timbre", "timbres"),
                asset::thousands(u64::try_from(four).unwrap_or(u64::MAX)),
            ),
            counts: Counts::new()
                .with("entries", entries)
                .with("timbres", timbres)
                .with("timbres with four operators", four),
            fields: match detail {
                Detail::Brief => Document::default(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::duplicates(self, report);
        check::incomplete(self, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let table = Offer::new(ProductKind::Table, |making| {
            check::incomplete(self, making.report);
            Ok(Some(table::table(self)))
        });
        Ok(Products::new(context, target).with(table).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    folder.typed::<TimbreLibrary>()?.write()
}
