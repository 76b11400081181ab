//! SURFACE.INI: the materials of the ground. FOG.INI: the density of fog.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::Context;
use json::{Map, Value, json};
use media::ini::{Ini, Line, Section};

use super::blend::Blend;
use super::value::{integer, is_number};

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

/// The ground material of each terrain image, looked up as in the game: `all` counts as image 0, the first match wins, and a zero
/// ends the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surfaces(Vec<Option<String>>);

impl Surfaces {
    fn of(all: &[Assignment]) -> Self {
        let ends = |it: &&Assignment| it.set == 0 && it.image.unwrap_or(0) == 0;
        let kind = |image: u8| {
            let mut until_end = all.iter().take_while(|it| !ends(it));
            until_end
                .find(|it| it.set == TERRAIN && it.image.unwrap_or(0) == i32::from(image))
                .map(|it| it.kind.clone())
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
            Ok((Self::of(&assignments(&ini)), usize::from(IMAGES)))
        };
        context.install.decoded(&found.location, "surfaces", read).ok()
    }

    /// Returns the ground material of an image of the terrain bank, in lower case.
    #[must_use]
    pub fn of_image(&self, image: u8) -> Option<&str> {
        self.0.get(usize::from(image))?.as_deref()
    }
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
    /// The offset of the line.
    pub offset: u64,
}

/// Returns all assignments in file order.
pub(super) fn assignments(ini: &Ini) -> Vec<Assignment> {
    let lines = ini.section("surfaces").into_iter().flat_map(|section| section.texts);
    let assignment = |line: media::ini::TextLine<'_>| {
        let parts: Vec<_> = line.text.split(',').map(str::trim).collect();
        let [set, image, kind] = parts.as_slice() else { return None };
        let image = if image.eq_ignore_ascii_case("all") { None } else { Some(integer(image)) };
        Some(Assignment { set: integer(set), image, kind: kind.to_lowercase(), offset: line.offset })
    };
    lines.filter_map(assignment).collect()
}

pub(super) fn to_json(ini: &Ini) -> Value {
    let all = assignments(ini);
    let surfaces = Surfaces::of(&all);
    let terrain: Vec<_> = (0..IMAGES).map(|image| surfaces.of_image(image).unwrap_or("unknown")).collect();
    let blend = |image: u8| Blend::of_image(image).name();
    let mut remaps: Map<String, Value> =
        SURFACES.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
    for section in ini.sections() {
        let name = section.name.trim().to_lowercase();
        let Some(Value::Object(of_kind)) = remaps.get_mut(&name) else { continue };
        of_kind
            .extend(sounds(&section).into_iter().map(|(source, target)| (source.to_string(), target.into())));
    }
    json!({
        "assignments": all.iter().map(|it| json!([it.set, it.image, it.kind])).collect::<Vec<_>>(),
        "terrain_surface_302": terrain,
        "terrain_blend_types": (0..IMAGES).map(blend).collect::<Vec<_>>(),
        "sound_remaps": remaps,
    })
}

/// Returns the sound replacements of a ground material: from source to target. The `=` is optional.
fn sounds(section: &Section<'_>) -> BTreeMap<u8, u16> {
    let entries = section.entries.iter().map(|it| (it.line, it.key.as_ref(), it.value.as_ref()));
    let texts = section.texts.iter().filter_map(|it| {
        let (source, target) = it.text.split_once(char::is_whitespace)?;
        Some((it.line, source, target.trim()))
    });
    let mut rows: Vec<_> = entries.chain(texts).collect();
    rows.sort_by_key(|(line, ..)| *line);
    let row = |(_, source, target): (usize, &str, &str)| {
        let is_both = is_number(source) && is_number(target);
        is_both.then(|| Some((u8::try_from(integer(source)).ok()?, u16::try_from(integer(target)).ok()?)))?
    };
    rows.into_iter().filter_map(row).collect()
}

/// Returns the pairs of a fog table: the first index, and the density from there on.
#[must_use]
pub fn fog_pairs(ini: &Ini) -> Vec<(i32, i32)> {
    let pair = |line: Line<'_>| {
        let Line::Text(text) = line else { return None };
        let (index, value) = text.split_once(',')?;
        let (index, value) = (index.trim(), value.trim());
        (is_number(index) && is_number(value)).then(|| (integer(index), integer(value)))
    };
    ini.lines().filter_map(|placed| pair(placed.line)).collect()
}

/// The number of entries of a fog table.
pub const FOG_ENTRIES: usize = 64;

/// Expands the pairs of a FOG.INI to a table: the density of a pair applies to all entries from its index up to the index of the
/// next pair. Densities are not interpolated, and the last entry stays 0. \[E\]
#[must_use]
pub fn fog_steps(pairs: &[(i32, i32)]) -> [i32; FOG_ENTRIES] {
    let mut table = [0; FOG_ENTRIES];
    for (number, (index, value)) in pairs.iter().enumerate() {
        let next = pairs
            .get(number.saturating_add(1))
            .map_or(FOG_ENTRIES - 1, |(next, _)| usize::try_from(*next).unwrap_or(0));
        let (Ok(first), next) = (usize::try_from(*index), next.min(FOG_ENTRIES - 1)) else { continue };
        if let Some(steps) = table.get_mut(first..next) {
            steps.fill(*value);
        }
    }
    table
}

pub(super) fn fog_to_json(ini: &Ini) -> Value {
    let pairs = fog_pairs(ini);
    let table = fog_steps(&pairs);
    json!({ "pairs": pairs, "table": table.to_vec() })
}
