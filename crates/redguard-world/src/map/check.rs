//! Checks of maps.

use std::collections::BTreeMap;

use asset::{Report, counted, thousands};

use super::assembled::PartLayout;
use super::assembled::collect::{TAGS, folded, frame_at, placements_of};
use super::layout::{Map, Object, Section};
use super::object::{MAX_GROUP, ObjectSections};
use super::resolved::static_rotation;
use super::surroundings::{FoundModel, Surroundings};
use super::warning;
use redguard_files::settings::def::GameNames;
use redguard_files::settings::ini::world::stem_of;

/// The sections that all maps have.
const REQUIRED: [&[u8; 4]; 15] = [
    b"RAHD", b"RAST", b"RASB", b"RAVA", b"RASC", b"RAHK", b"RALC", b"RAEX", b"RAAT", b"RAAN", b"RAGR",
    b"RANM", b"MPOB", b"MPSO", b"MPSZ",
];

/// Sections whose damage the game does not tolerate, as far as their layout can be checked.
const VITAL: [&[u8; 4]; 7] = [b"RAHD", b"MPOB", b"MPSO", b"MPSL", b"MPSF", b"MPMK", b"WDNM"];

/// Other sections with a layout.
const TYPED: [&[u8; 4]; 9] =
    [b"MPRP", b"MPSZ", b"RAVC", b"RAEX", b"RAAT", b"RASB", b"RAVA", b"RALC", b"FLAT"];

/// The mask of a cost without the bits that flag a jump.
const COST: u16 = 0x3fff;

/// The maximum number of reported findings of one kind.
const MAX_FINDINGS: usize = 50;

/// Checks a map without its game.
pub fn check_layout(map: &Map, report: &mut Report) {
    if !map.end {
        let end = map.sections.iter().map(size).fold(0_u64, u64::saturating_add);
        report.warn(&warning::NO_END, "the END tag is missing").at(end);
    }
    if !map.rest.is_empty() && *map.rest != [0; 4] {
        let message =
            format!("{} after the end", counted(map.rest.len(), "unexpected byte", "unexpected bytes"));
        report.warn(&warning::LEFT_OVER, message).in_field("rest");
    }
    let mut seen: BTreeMap<[u8; 4], usize> = BTreeMap::new();
    let mut next = 0_u64;
    for (index, section) in map.sections.iter().enumerate() {
        let (tag, _) = section.tag_and_length();
        let offset = next;
        next = next.saturating_add(size(section));
        let count = seen.entry(tag).or_default();
        *count = count.saturating_add(1);
        if *count > 1 && *count < MAX_FINDINGS {
            let message = format!("{} occurs more than once", tag.escape_ascii());
            report.warn(&warning::REPEATED, message).in_field(format!("sections[{index}].tag"));
        }
        kept(index, offset, section, report);
    }
    for tag in REQUIRED.iter().filter(|tag| !seen.contains_key(**tag)) {
        report.warn(&warning::MISSING, format!("the section {} is missing", tag.escape_ascii()));
    }
    walk_lengths(map, report);
}

/// Returns the size of a section in bytes, with its tag and its length.
fn size(section: &Section) -> u64 {
    let (_, length) = section.tag_and_length();
    u64::try_from(length).unwrap_or(u64::MAX).saturating_add(8)
}

/// Reports a section that is kept as bytes.
fn kept(index: usize, offset: u64, section: &Section, report: &mut Report) {
    let Section::Other { tag, data } = section else { return };
    let field = format!("sections[{index}]");
    let shown = tag.0.escape_ascii();
    let size = counted(data.len(), "byte", "bytes");
    let records = data.first_chunk::<4>().map(|count| thousands(u64::from(u32::from_le_bytes(*count))));
    let counted = records.filter(|_| tag.0.starts_with(b"MP") || tag.0 == *b"RAHD" || tag.0 == *b"WDNM");
    let records = counted.map_or_else(String::new, |count| format!(", for {count} records"));
    let message = format!("{shown} does not fit its layout ({size}{records})");
    if VITAL.iter().any(|vital| **vital == tag.0) {
        report.warn(&warning::DAMAGED, message).in_field(field).at(offset);
    } else if TYPED.iter().any(|typed| **typed == tag.0) {
        report.warn(&warning::KEPT, message).in_field(field).at(offset);
    } else if !TAGS.contains(&tag.0) && tag.0 != *b"RAFS" {
        report
            .warn(&warning::UNKNOWN, format!("unknown section {shown} ({size})"))
            .in_field(field)
            .at(offset);
    }
}

fn walk_lengths(map: &Map, report: &mut Report) {
    for (index, section) in map.sections.iter().enumerate() {
        let Section::WalkMaps(maps) = section else { continue };
        let mut reported = 0_usize;
        for (number, map) in maps.records.iter().enumerate() {
            let path = format!("sections[{index}].records[{number}]");
            if let Some(length) = map.length {
                let message =
                    format!("walk map {number} has the length {length} (expected: {})", map.actual_length());
                report.warn(&warning::WALK_LENGTH, message).in_field(format!("{path}.length"));
            }
            if let Some(count) = map.node_count {
                let message = format!(
                    "walk map {number} has {} nodes, but its first node count is {count}",
                    map.nodes.len()
                );
                report.warn(&warning::WALK_LENGTH, message).in_field(format!("{path}.node_count"));
            }
            for (at, node) in map.nodes.iter().enumerate() {
                let Some(length) = node.length else { continue };
                reported = reported.saturating_add(1);
                if reported > MAX_FINDINGS {
                    break;
                }
                let message =
                    format!("node {at} has the length {length} (expected: {})", node.actual_length());
                report.warn(&warning::WALK_LENGTH, message).in_field(format!("{path}.nodes[{at}].length"));
            }
        }
    }
}

/// Checks a map in its game.
pub(crate) fn check(map: &Map, names: &GameNames, around: &Surroundings<'_>, report: &mut Report) {
    check_layout(map, report);
    let layout = PartLayout::of(map);
    let Some(section) = layout.objects else {
        placed_models(map, None, around, report);
        return;
    };
    for (tag, index) in tags(map) {
        if !layout.tilings.contains_key(&tag) {
            let message = format!("the parts in {} overlap, have gaps or cannot be read", tag.escape_ascii());
            report.warn(&warning::TILING, message).in_field(format!("sections[{index}].tag"));
        }
    }
    let objects = Objects {
        map,
        section,
        sections: map.object_sections(),
        placed: placed(map),
        groups_field: if layout.tilings.contains_key(b"RAGR") { "animation_groups" } else { "groups_offset" },
    };
    objects.parts(report);
    objects.references(names, around.sound_count(), report);
    objects.placements(report);
    routes(map, report);
    placed_models(map, Some(&objects), around, report);
}

/// Returns the part sections that a map has.
fn tags(map: &Map) -> impl Iterator<Item = ([u8; 4], usize)> {
    TAGS.into_iter().filter_map(|tag| {
        let found = map.sections.iter().position(|section| section.tag_and_length().0 == tag)?;
        Some((tag, found))
    })
}

fn placed(map: &Map) -> Vec<Vec<usize>> {
    let names: Vec<_> = map.objects().iter().map(|object| object.name).collect();
    placements_of(&names, map.placements())
}

/// The objects of a map and their related data.
struct Objects<'a> {
    map: &'a Map,
    /// The index of their section.
    section: usize,
    sections: ObjectSections<'a>,
    placed: Vec<Vec<usize>>,
    /// The field of an object for findings about its animation groups: their offset if the groups are not parts of the objects.
    groups_field: &'static str,
}

impl Objects<'_> {
    fn path(&self, number: usize, field: &str) -> String {
        format!("sections[{}].records[{number}].{field}", self.section)
    }

    fn each(&self) -> impl Iterator<Item = (usize, &Object)> {
        self.map.objects().iter().enumerate()
    }

    /// Reports parts that are out of range.
    fn parts(&self, report: &mut Report) {
        let mut reported = 0_usize;
        for (number, object) in self.each() {
            let it = &self.sections;
            let parts = [
                ("alias", it.alias(object).is_some()),
                ("models", it.models(object).is_some()),
                ("texts", it.texts(object).is_some()),
                ("script", it.script(object).is_some()),
                ("variables", it.variables(object).is_some()),
                ("attributes", it.attributes(object).is_some()),
                ("extra", it.extra(object).is_some()),
                ("locations", it.locations(object).is_some()),
                ("spheres", it.spheres(object).is_some()),
                ("hook", it.hook(object).is_some()),
                ("animation groups", it.animation_groups(object).is_some()),
            ];
            for (part, _) in parts.iter().filter(|(_, is_read)| !is_read) {
                reported = reported.saturating_add(1);
                if reported <= MAX_FINDINGS {
                    let message = format!("{}: its {part} cannot be read", object.name);
                    report.warn(&warning::PART, message).in_field(self.path(number, "name"));
                }
            }
            let lengths = [
                ("texts_length", object.texts_length, object.text_count, 4),
                ("locations_length", object.locations_length, object.location_count, 12),
                ("variables_length", object.variables_length, object.variable_count, 4),
            ];
            for (field, length, count, size) in lengths {
                if count.checked_mul(size) != Some(length) && reported <= MAX_FINDINGS {
                    reported = reported.saturating_add(1);
                    let message = format!(
                        "{}: {field} is {length}, which does not match the count {count}",
                        object.name
                    );
                    report.warn(&warning::PART, message).in_field(self.path(number, field));
                }
            }
        }
    }

    /// Checks the references of objects by number.
    fn references(&self, names: &GameNames, sounds: Option<i32>, report: &mut Report) {
        let sizes = i32::try_from(self.map.sizes().len()).unwrap_or(i32::MAX);
        let functions = names.names.functions.len();
        let mut by_name: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for (number, object) in self.each() {
            let name = object.name;
            if let Some(first) = by_name.insert(folded(&name), number) {
                let message = format!("objects {first} and {number} are both named {name}");
                report.warn(&warning::DUPLICATE, message).in_field(self.path(number, "name"));
            }
            let rows = [
                ("size", object.size),
                ("size_in_combat", object.size_in_combat),
                ("size_when_dead", object.size_when_dead),
            ];
            for (field, size) in rows.into_iter().filter(|(_, size)| *size >= sizes || *size < -1) {
                let message = format!("{name} has the size index {size}, but there are {sizes} sizes");
                report.warn(&warning::SIZE, message).in_field(self.path(number, field));
            }
            if let Some(Some(hook)) = self.sections.hook(object) {
                let function = names.names.function(hook.function).filter(|_| hook.function != 0);
                let message = match function {
                    None => Some(format!(
                        "{name} calls function {} (valid: 1 to {})",
                        hook.function,
                        functions.saturating_sub(1)
                    )),
                    // The functions of hooks may take more arguments than they declare.
                    Some(function)
                        if usize::try_from(function.params).is_ok_and(|it| it > hook.arguments.len()) =>
                    {
                        Some(format!(
                            "{name} calls {} with {} (expected: {})",
                            function.name,
                            counted(hook.arguments.len(), "argument", "arguments"),
                            function.params
                        ))
                    }
                    Some(_) => None,
                };
                if let Some(message) = message {
                    report.warn(&warning::HOOK, message).in_field(self.path(number, "hook"));
                }
            }
            self.groups(number, object, sounds, report);
        }
    }

    fn groups(&self, number: usize, object: &Object, sounds: Option<i32>, report: &mut Report) {
        let frames: Vec<u8> =
            self.sections.models(object).unwrap_or_default().iter().map(|model| model.frame_count).collect();
        let total: u32 = frames.iter().map(|count| u32::from(*count)).sum();
        for group in self.sections.animation_groups(object).unwrap_or_default() {
            if group.number > MAX_GROUP {
                let message = format!(
                    "{} has the animation group {} (valid: 0 to {MAX_GROUP})",
                    object.name, group.number
                );
                report.warn(&warning::GROUP, message).in_field(self.path(number, self.groups_field));
            }
            let missing = group.commands.iter().find_map(|command| match command.parameters().as_slice() {
                [frame] if command.opcode() == 0 && frame_at(*frame, &frames).is_none() => Some(*frame),
                _ => None,
            });
            let silent = sounds.and_then(|sounds| {
                let mut numbers = group.commands.iter().filter_map(|command| command.sound());
                Some((numbers.find(|number| !(0..sounds).contains(number))?, sounds))
            });
            if let Some((sound, sounds)) = silent {
                let message = format!(
                    "{} plays sound {sound} in group {}, but MAIN.SFX has {sounds} sounds",
                    object.name, group.number
                );
                report.warn(&warning::SOUND, message).in_field(self.path(number, self.groups_field));
            }
            // Models without frames are shown unchanged.
            if let Some(frame) = missing.filter(|frame| *frame > 0) {
                let message = format!(
                    "{} shows frame {frame} in group {}, but its models have {total} frames",
                    object.name, group.number
                );
                report.warn(&warning::FRAME, message).in_field(self.path(number, self.groups_field));
            }
        }
    }

    fn placements(&self, report: &mut Report) {
        let index = |section: &Section| matches!(section, Section::Placements(_));
        let index = self.map.sections.iter().position(index).unwrap_or_default();
        let names: std::collections::BTreeSet<_> =
            self.each().map(|(_, object)| folded(&object.name)).collect();
        let missing =
            self.map.placements().iter().enumerate().filter(|(_, it)| !names.contains(&folded(&it.object)));
        for (number, placement) in missing.take(MAX_FINDINGS) {
            let message = format!(
                "placement {number} references the object {}, which does not exist",
                placement.object
            );
            report
                .warn(&warning::NO_OBJECT, message)
                .in_field(format!("sections[{index}].records[{number}].object"));
        }
        for (number, object) in self.each() {
            let placed = self.placed.get(number).map_or(0, Vec::len);
            if i32::try_from(placed).ok() != Some(object.instances) {
                let message = format!(
                    "{} has {} placements, but its instance count is {}",
                    object.name, placed, object.instances
                );
                report.warn(&warning::INSTANCES, message).in_field(self.path(number, "instances"));
            }
            // The game creates these three.
            let is_built_in = ["CYRUS", "GREMLIN", "CAMERA"]
                .iter()
                .any(|name| object.name.text().eq_ignore_ascii_case(name));
            if object.is_actor == 1 && placed == 0 && !is_built_in {
                let message = format!("{} has no placement", object.name);
                report.warn(&warning::UNUSED, message).in_field(self.path(number, "name"));
            }
        }
    }
}

fn routes(map: &Map, report: &mut Report) {
    for (index, section) in map.sections.iter().enumerate() {
        let Section::WalkMaps(maps) = section else { continue };
        let mut reported = 0_usize;
        for (number, map) in maps.records.iter().enumerate() {
            for (at, node) in map.nodes.iter().enumerate() {
                for (route_index, route) in node.routes.iter().enumerate() {
                    let path =
                        format!("sections[{index}].records[{number}].nodes[{at}].routes[{route_index}]");
                    let (code, message) = match map.nodes.get(usize::from(route.target)) {
                        None => (
                            &warning::ROUTE,
                            format!(
                                "node {at} has a route to node {}, but there are {} nodes",
                                route.target,
                                map.nodes.len()
                            ),
                        ),
                        Some(target) => {
                            let mut both = node.position.iter().zip(target.position);
                            let squares: f64 = both
                                .by_ref()
                                .map(|(a, b)| f64::from(*a) - f64::from(b))
                                .map(|it| it * it)
                                .sum();
                            let distance = squares.sqrt().floor();
                            if f64::from(route.cost & COST) == distance || f64::from(route.cost) == distance {
                                continue;
                            }
                            let message = format!(
                                "the route from node {at} to node {} costs {} (distance: {distance})",
                                route.target, route.cost
                            );
                            (&warning::COST, message)
                        }
                    };
                    reported = reported.saturating_add(1);
                    if reported <= MAX_FINDINGS {
                        report.warn(code, message).in_field(path);
                    }
                }
            }
        }
    }
}

/// Checks the models and images referenced by placements, statics, ropes and flats.
fn placed_models(map: &Map, objects: Option<&Objects<'_>>, around: &Surroundings<'_>, report: &mut Report) {
    let mut reported: BTreeMap<String, ()> = BTreeMap::new();
    for (index, section) in map.sections.iter().enumerate() {
        let path = |number: usize, field: &str| format!("sections[{index}].records[{number}].{field}");
        let mut name = |what: String, model: &str, path: String, report: &mut Report| {
            let stem = stem_of(model).to_uppercase();
            if !around.has_game() || stem.is_empty() || reported.insert(stem.clone(), ()).is_some() {
                return;
            }
            match around.model(&stem) {
                None => {
                    let message = format!("{what} has the model {stem}, which was not found");
                    report.warn(&warning::MODEL, message).in_field(path);
                }
                Some(FoundModel { file, is_elsewhere: true, .. }) => {
                    let file = file.split(':').next().unwrap_or_default();
                    let message = format!("{what} has the model {stem} of {file}");
                    report.warn(&warning::ELSEWHERE, message).in_field(path);
                }
                Some(_) => {}
            }
        };
        match section {
            Section::Objects(it) => {
                for (number, object) in it.records.iter().enumerate().filter(|_| around.has_game()) {
                    let models =
                        objects.and_then(|objects| objects.sections.models(object)).unwrap_or_default();
                    let missing = models.iter().find(|model| around.model_file(&model.path).is_none());
                    if let Some(model) = missing {
                        let message =
                            format!("{} has the model {}, which was not found", object.name, model.path);
                        report.warn(&warning::MODEL, message).in_field(path(number, "models"));
                    }
                }
            }
            Section::Placements(it) => {
                for (number, placement) in it.records.iter().enumerate() {
                    name(
                        format!("placement {number}"),
                        &placement.model.text(),
                        path(number, "model"),
                        report,
                    );
                }
            }
            Section::Statics(it) => {
                let mut invalid = 0_usize;
                for (number, it) in it.records.iter().enumerate() {
                    name(format!("static {number}"), &it.model.text(), path(number, "model"), report);
                    if !is_rotation(&it.matrix) {
                        invalid = invalid.saturating_add(1);
                        if invalid <= MAX_FINDINGS {
                            let message = format!("the matrix of static {number} is not a rotation");
                            report.warn(&warning::TURN, message).in_field(path(number, "matrix"));
                        }
                    }
                }
            }
            Section::Ropes(it) => {
                for (number, rope) in it.records.iter().enumerate() {
                    name(
                        format!("rope {number}"),
                        &rope.link_model.text(),
                        path(number, "link_model"),
                        report,
                    );
                    name(format!("rope {number}"), &rope.end_model.text(), path(number, "end_model"), report);
                }
            }
            Section::Flats(it) if around.has_game() => {
                let mut seen = BTreeMap::new();
                for (number, flat) in it.records.iter().enumerate() {
                    let (bank, image) = (flat.texture >> 7, flat.texture & 127);
                    if seen.insert(flat.texture, ()).is_none() && around.image_size(bank, image).is_none() {
                        let message = format!(
                            "flat {number} shows image {image} of TEXBSI.{bank:03}, which was not found"
                        );
                        report.warn(&warning::PICTURE, message).in_field(path(number, "texture"));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a matrix preserves lengths and handedness, within the precision of its numbers.
fn is_rotation(matrix: &[i32; 9]) -> bool {
    const EXACT: f64 = 0.01;
    let rows = static_rotation(matrix);
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let [a, b, c] = &rows;
    let lengths = [dot(a, a), dot(b, b), dot(c, c)].iter().all(|square| (square - 1.0).abs() < EXACT);
    let right = [dot(a, b), dot(b, c), dot(a, c)].iter().all(|cosine| cosine.abs() < EXACT);
    let [[x0, x1, x2], [y0, y1, y2], [z0, z1, z2]] = rows;
    let determinant = x0 * (y1 * z2 - y2 * z1) - x1 * (y0 * z2 - y2 * z0) + x2 * (y0 * z1 - y1 * z0);
    lengths && right && (determinant - 1.0).abs() < EXACT
}
