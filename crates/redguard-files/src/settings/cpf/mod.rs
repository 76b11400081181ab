//! CPF: the console settings, `REDGUARD.CPF`: 40 bytes.

#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, Offered, Parts, Probe, ProductKind, Products,
    Report, Score, Target, Unpacked,
};
use json::Document;
use record::{Record, Result, Source, read_whole, write_whole};
use serde::{Deserialize, Serialize};

pub use warning::CODES;

use crate::fixed_size::check_length;
use asset::FixedText;

/// The size of the file in bytes.
pub const FILE_SIZE: usize = 40;

/// The supported version.
pub const VERSION: [u8; 3] = *b"2.0";

/// The console settings. The numbers are not aligned. Source: redguard-preservation.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Console {
    /// The version of the file: `2.0`.
    pub version: FixedText<3>,
    /// Font number.
    pub font: u32,
    /// Text shadow.
    pub shadow: u32,
    /// Color of input text.
    pub edit_color: u32,
    /// Color of output text.
    pub report_color: u32,
    /// Visibility of the screen behind the console.
    pub screen: u32,
    /// Background style of the text.
    pub paper: u32,
    /// Number of lines of a hex dump; the game uses at least 1.
    pub hex_lines: i32,
    /// Whether the text background is disabled.
    pub paper_off: u32,
    /// Palette index of the background.
    pub background: u8,
    /// Height of the console; 256 is the full screen.
    pub screen_limit: i32,
}

impl Default for Console {
    fn default() -> Self {
        Self {
            version: FixedText(VERSION),
            font: 0,
            shadow: 1,
            edit_color: 255,
            report_color: 250,
            screen: 1,
            paper: 0,
            hex_lines: 8,
            paper_off: 0,
            background: 0,
            screen_limit: 128,
        }
    }
}

/// The subject of the message about a wrong file size.
const SIZE_SUBJECT: &str = "console settings have";

/// The console settings format.
pub static FORMAT: Format = Format::new("redguard.cpf", "Redguard console settings", open)
    .game("redguard")
    .extensions(&["cpf"])
    .probe(probe)
    .pack(pack)
    .products(&[Offered { kind: ProductKind::Data, about: "every setting by name" }])
    .record::<Console>()
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    check_length(source.len(), FILE_SIZE, SIZE_SUBJECT)?;
    Ok(Box::new(Console::read(&source.read_all()?)?))
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    let fits = usize::try_from(file.length) == Ok(FILE_SIZE) && file.has_extension(&["cpf"]);
    (fits && file.starts_with(&VERSION)).then_some(Score::LIKELY)
}

impl Console {
    /// Reads the settings.
    ///
    /// # Errors
    /// Returns an error if the file is not 40 bytes long.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        check_length(u64::try_from(bytes.len()).unwrap_or(u64::MAX), FILE_SIZE, SIZE_SUBJECT)?;
        read_whole(bytes, ())
    }

    /// Writes the settings. Unchanged settings are written byte for byte as they were read.
    ///
    /// # Errors
    /// Never fails for console settings.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }
}

impl Asset for Console {
    fn describe(&self, _detail: Detail) -> Description {
        Description {
            summary: "console settings".into(),
            dialect: format!("version {}", self.version),
            counts: Counts::new().with("settings", 10),
            fields: Document::of(self).unwrap_or_default(),
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        if self.version.0 != VERSION {
            let message = format!("unknown version \"{}\" (known: 2.0)", self.version);
            report.warn(&warning::VERSION, message).in_field("version");
        }
        if self.hex_lines < 1 {
            let message = format!("hex_lines is {}; the game uses 1", self.hex_lines);
            report.warn(&warning::HEX_LINES, message).in_field("hex_lines");
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        Ok(Products::new(context, target).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    folder.typed::<Console>()?.write()
}
