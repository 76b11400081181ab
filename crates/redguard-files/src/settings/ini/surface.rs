//! SURFACE.INI: the materials of the ground, and the sounds that they replace.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use asset::Context;
use json::{Document, Value, json};
use media::ini::Ini;

use super::blend::Blend;
use super::lookup::{Lookup, Section};
use super::value::integer;

/// The ground materials.
pub const SURFACES: [&str; 12] = [
    "unknown",
    "water",
    "deepwater",
    "scapewater",
    "scapedeepwater",
    "lava",
    "sand",
    "wood",
    "tile",
    "scape",
    "rock",
    "gloop",
];

/// The texture bank with the images of terrain.
const TERRAIN: i32 = 302;

/// The number of images that terrain can have.
const IMAGES: u8 = 64;

/// The section with the assignments.
pub(super) const SECTION: &str = "surfaces";

/// The largest number of a bank.
pub(super) const MAX_BANK: i32 = 511;

/// The largest number of an image.
pub(super) const MAX_IMAGE: i32 = 127;

/// The ground material of each terrain image, looked up as in the game: `all` counts as image 0, the first match wins, and a zero
/// ends the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surfaces(Vec<Option<String>>);

impl Surfaces {
    fn of(all: &[Assignment]) -> Self {
        let kind = |image: u8| {
            let mut of_terrain = all.iter().filter(|it| it.is_effective() && it.set == TERRAIN);
            of_terrain.find(|it| it.index() == i32::from(image)).map(|it| it.kind.clone())
        };
        Self((0..IMAGES).map(kind).collect())
    }

    /// Returns the surfaces of the game that a file belongs to; `None` if they are not defined.
    #[must_use]
    pub fn of_game(context: &Context<'_>) -> Option<Arc<Self>> {
        let found = context.install.find("SURFACE.INI").found()?;
        let read = || {
            let ini = super::of_game(context, "SURFACE.INI")
                .ok_or_else(|| record::Error::malformed("no settings"))?;
            Ok((Self::of(&assignments(&Lookup::new(&ini))), usize::from(IMAGES)))
        };
        context.install.decoded(&found.location, "surfaces", read).ok()
    }

    /// Returns the ground material of an image of the terrain bank, in lower case.
    #[must_use]
    pub fn of_image(&self, image: u8) -> Option<&str> {
        self.0.get(usize::from(image))?.as_deref()
    }
}

/// Whether the game uses an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// The game uses it.
    Effective,
    /// It contains a number out of range, or an unknown surface.
    Invalid,
    /// An earlier assignment of the same image, in this line, is used.
    Hidden(usize),
    /// It ends the list.
    End,
    /// The list ends before it.
    AfterEnd,
}

/// The assignment of a ground material to an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The texture bank.
    pub set: i32,
    /// The image; `None` for `all`, which the game reads as 0.
    pub image: Option<i32>,
    /// The ground material, in lower case.
    pub kind: String,
    /// The bank and the image as written.
    pub written: [String; 2],
    /// Whether the game uses it.
    pub used: Use,
    /// The line number, from 1.
    pub line: usize,
    /// The offset of the line.
    pub offset: u64,
}

impl Assignment {
    /// Returns the number of the image that the game reads.
    pub(super) fn index(&self) -> i32 {
        self.image.unwrap_or(0)
    }

    /// Returns the number of the ground material; `None` for an unknown one.
    pub(super) fn code(&self) -> Option<usize> {
        SURFACES.iter().position(|name| *name == self.kind)
    }

    /// Returns the number by which the game finds the assignment.
    pub(super) fn key(&self) -> i64 {
        (i64::from(self.set) << 7) | i64::from(self.index())
    }

    pub(super) fn is_effective(&self) -> bool {
        self.used == Use::Effective
    }

    fn is_valid(&self) -> bool {
        let is_in_range = (0..=MAX_BANK).contains(&self.set) && (0..=MAX_IMAGE).contains(&self.index());
        is_in_range && self.code().is_some()
    }

    fn to_json(&self) -> Value {
        json!({ "line": self.line, "set": self.set, "index": self.index(), "type": self.kind,
            "code": self.code(), "key": self.key(), "effective": self.is_effective() })
    }
}

/// Returns all assignments in file order.
pub(super) fn assignments(lookup: &Lookup<'_>) -> Vec<Assignment> {
    let lines = lookup.section(SECTION).into_iter().flat_map(|section| &section.texts);
    let mut all: Vec<Assignment> =
        lines.filter_map(|line| assignment(line.text(), line.line, line.offset)).collect();
    let (mut first, mut is_over) = (HashMap::new(), false);
    for it in &mut all {
        it.used = match it.key() {
            _ if is_over => Use::AfterEnd,
            _ if !it.is_valid() => Use::Invalid,
            0 => Use::End,
            key => match *first.entry(key).or_insert(it.line) {
                line if line == it.line => Use::Effective,
                line => Use::Hidden(line),
            },
        };
        is_over |= it.used == Use::End;
    }
    all
}

fn assignment(text: &str, line: usize, offset: u64) -> Option<Assignment> {
    let parts: Vec<_> = text.split(',').map(str::trim).collect();
    let [set, image, kind] = *parts.as_slice() else { return None };
    Some(Assignment {
        set: integer(set),
        image: (!image.eq_ignore_ascii_case("all")).then(|| integer(image)),
        kind: kind.to_lowercase(),
        written: [set, image].map(str::to_owned),
        used: Use::Effective,
        line,
        offset,
    })
}

/// Converts the assignments and the replaced sounds.
pub(super) fn to_json(ini: &Ini) -> Document {
    let lookup = Lookup::new(ini);
    let all = assignments(&lookup);
    let surfaces = Surfaces::of(&all);
    let terrain: Vec<_> = (0..IMAGES).map(|image| surfaces.of_image(image).unwrap_or("unknown")).collect();
    let blend = |image: u8| Blend::of_image(image).name();
    let remaps = Document::object(|out| {
        for name in SURFACES {
            let rows = lookup.section(name).map(sounds).unwrap_or_default();
            let used = rows.iter().filter_map(|row| Some((row.source()?, row.target()?)));
            out.put(name, &used.collect::<BTreeMap<u8, u16>>());
        }
    });
    Document::object(|out| {
        out.list("assignments", all.iter().map(|it| json!([it.set, it.image, it.kind])))
            .list("surfaces", all.iter().map(Assignment::to_json))
            .put("terrain_surface_302", &terrain)
            .list("terrain_blend_types", (0..IMAGES).map(blend))
            .put("sound_remaps", &remaps);
    })
}

/// The replacement of a sound on a ground material. The `=` is optional.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Replacement<'s> {
    /// The replaced sound as written.
    pub source: &'s str,
    /// The new sound as written.
    pub target: &'s str,
    /// The line number, from 1.
    pub line: usize,
    /// The offset of the line.
    pub offset: u64,
}

impl Replacement<'_> {
    /// Returns the number of the replaced sound, which is less than 256.
    pub(super) fn source(&self) -> Option<u8> {
        u8::try_from(sound(self.source)?).ok()
    }

    /// Returns the number of the new sound: the low 16 bits.
    pub(super) fn target(&self) -> Option<u16> {
        let [low, high, ..] = sound(self.target)?.to_le_bytes();
        Some(u16::from_le_bytes([low, high]))
    }
}

/// Reads the digits at the start of a text; `None` if there are none, or if the number is too large for the game.
fn sound(text: &str) -> Option<i32> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

/// Returns the replacements of a ground material in file order. The last one of a sound counts.
pub(super) fn sounds<'s>(section: &'s Section<'_>) -> Vec<Replacement<'s>> {
    let entries = section.entries.iter().map(|entry| Replacement {
        source: &entry.written,
        target: entry.value(),
        line: entry.line,
        offset: entry.offset,
    });
    let texts = section.texts.iter().map(|line| {
        let text = line.text();
        let (source, target) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Replacement { source, target: target.trim(), line: line.line, offset: line.offset }
    });
    let mut rows: Vec<_> = entries.chain(texts).collect();
    rows.sort_by_key(|row| row.line);
    rows
}
