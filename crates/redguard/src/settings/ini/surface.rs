//! SURFACE.INI: what the ground is made of. FOG.INI: how dense fog is.

use std::collections::BTreeMap;

use asset::ini::{Ini, Line, Section};
use serde_json::{Map, Value, json};

use super::value::{integer, is_number};

/// The kinds of ground.
pub(super) const SURFACES: [&str; 12] = [
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

/// The textures of terrain are images of this bank.
const TERRAIN: i32 = 302;

/// How many images terrain can have.
const IMAGES: i32 = 64;

/// What the ground of an image is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The bank.
    pub set: i32,
    /// The image; `None` for `all`, which the game reads as 0.
    pub image: Option<i32>,
    /// The kind of ground, in lower case.
    pub kind: String,
    /// The offset of its line.
    pub offset: u64,
}

/// All assignments, in their order.
pub(super) fn assignments(ini: &Ini) -> Vec<Assignment> {
    let lines = ini.section("surfaces").into_iter().flat_map(|section| section.texts);
    let assignment = |line: asset::ini::TextLine<'_>| {
        let parts: Vec<_> = line.text.split(',').map(str::trim).collect();
        let [set, image, kind] = parts.as_slice() else { return None };
        let image = if image.eq_ignore_ascii_case("all") { None } else { Some(integer(image)) };
        Some(Assignment { set: integer(set), image, kind: kind.to_lowercase(), offset: line.offset })
    };
    lines.filter_map(assignment).collect()
}

pub(super) fn to_json(ini: &Ini) -> Value {
    let all = assignments(ini);
    let ends = |it: &&Assignment| it.set == 0 && it.image.unwrap_or(0) == 0;
    let found = |image: i32| {
        let mut until_end = all.iter().take_while(|it| !ends(it));
        let first = until_end.find(|it| it.set == TERRAIN && it.image.unwrap_or(0) == image);
        first.map_or("unknown", |it| it.kind.as_str())
    };
    let terrain: Vec<_> = (0..IMAGES).map(found).collect();
    let blend = |image: i32| match image {
        0 => "full",
        5 | 7 | 30 | 32 => "custom_pattern",
        6 | 52 => "gradient",
        31 => "hard_edge",
        _ => "none",
    };
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

/// Which sound stands for which on a kind of ground; the `=` may be left out.
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

/// The last index of the fog table, which stays 0.
const LAST: usize = 63;

/// The pairs of a fog table: from which index on which density.
pub(super) fn fog_pairs(ini: &Ini) -> Vec<(i32, i32)> {
    let pair = |line: Line<'_>| {
        let Line::Text(text) = line else { return None };
        let (index, value) = text.split_once(',')?;
        let (index, value) = (index.trim(), value.trim());
        (is_number(index) && is_number(value)).then(|| (integer(index), integer(value)))
    };
    ini.lines().filter_map(|placed| pair(placed.line)).collect()
}

pub(super) fn fog_to_json(ini: &Ini) -> Value {
    let pairs = fog_pairs(ini);
    let mut table = [0_i32; 64];
    for (number, (index, value)) in pairs.iter().enumerate() {
        let next =
            pairs.get(number.saturating_add(1)).map_or(LAST, |(next, _)| usize::try_from(*next).unwrap_or(0));
        let (Ok(first), next) = (usize::try_from(*index), next.min(LAST)) else { continue };
        if let Some(steps) = table.get_mut(first..next) {
            steps.fill(*value);
        }
    }
    json!({ "pairs": pairs, "table": table.to_vec() })
}
