//! Conversion from the file's layout to assembled objects.

use std::collections::BTreeMap;

use asset::{Charset, FixedText};
use record::Bytes;

use super::super::layout::{Map, Object, Section};
use super::super::object::{AnimationCommand, AnimationGroup, MAX_TEXT_BYTES, ObjectSections};
use super::super::placed::Placement;
use super::{
    AssembledCommand, AssembledGroup, AssembledHook, AssembledMap, AssembledModel, AssembledObject,
    AssembledObjects, AssembledSection, AttributeMap, HookArgument, PartSection, TextTable,
};

/// The sections that consist of parts of objects, in processing order.
pub(in crate::map) const TAGS: [[u8; 4]; 12] = [
    *b"RAST", *b"RASB", *b"RAVA", *b"RASC", *b"RAHK", *b"RALC", *b"RAEX", *b"RAAT", *b"RAAN", *b"RAGR",
    *b"RANM", *b"RAVC",
];

/// Returns the bytes before the parts in all maps of the game.
pub(super) fn default_head(tag: [u8; 4]) -> &'static [u8] {
    match &tag {
        b"RAVA" | b"RAHK" => &[0; 4],
        _ => &[],
    }
}

/// The range of an object's part in its section; the length is 0 if there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::map) struct PartRange {
    pub(in crate::map) offset: usize,
    pub(in crate::map) length: usize,
}

/// The contiguous parts of the objects in a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::map) struct Tiling {
    /// The index of the section.
    pub(in crate::map) section: usize,
    /// The number of bytes before the parts.
    pub(in crate::map) head: usize,
    /// The end of the parts.
    pub(in crate::map) end: usize,
    /// The part of each object, in order.
    pub(in crate::map) ranges: Vec<PartRange>,
}

/// The part sections of a map: those that consist of parts of the objects.
#[derive(Debug, Clone, Default)]
pub(in crate::map) struct PartLayout {
    /// The part sections by tag.
    pub(in crate::map) tilings: BTreeMap<[u8; 4], Tiling>,
    /// The index of the section with the objects.
    pub(in crate::map) objects: Option<usize>,
    /// The placements of each object.
    placed: Vec<Vec<usize>>,
    texts: Option<TextTable>,
}

/// The maximum size of a section of animation groups in bytes; a larger section is kept as bytes. The sections of all maps of the game
/// together are smaller.
const MAX_GROUP_BYTES: usize = 1 << 20;

/// The maximum number of bytes by which the texts of all objects together may exceed twice the size of their table.
const MAX_EXTRA_TEXT: usize = 1 << 16;

/// Returns a name in the form used for object lookup.
pub(in crate::map) fn folded(name: &FixedText<9>) -> Vec<u8> {
    name.bytes().to_ascii_lowercase()
}

/// Returns the placement indices of each object: those with its name (case-insensitive). If several objects have the same name, the first
/// one is used.
pub(in crate::map) fn placements_of(objects: &[FixedText<9>], placements: &[Placement]) -> Vec<Vec<usize>> {
    let mut by_name: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for (index, name) in objects.iter().enumerate() {
        by_name.entry(folded(name)).or_insert(index);
    }
    let mut out = vec![Vec::new(); objects.len()];
    for (index, placement) in placements.iter().enumerate() {
        let object = by_name.get(&folded(&placement.object));
        if let Some(list) = object.and_then(|object| out.get_mut(*object)) {
            list.push(index);
        }
    }
    out
}

/// Returns the tag and length of a section that may consist of parts.
fn tag_and_length_of(section: &Section) -> Option<([u8; 4], usize)> {
    let (tag, length) = match section {
        Section::TextOffsets(it) => (*b"RASB", it.offsets.len().checked_mul(4)?),
        Section::Variables(it) => (*b"RAVA", it.values.len().checked_mul(4)?),
        Section::Locations(it) => (*b"RALC", it.offsets.len().checked_mul(12)?),
        Section::Extras(it) => (*b"RAEX", it.records.len().checked_mul(30)?),
        Section::Attributes(it) => (*b"RAAT", it.blocks.len().checked_mul(256)?),
        Section::Spheres(it) => (*b"RAVC", it.records.len().checked_mul(9)?),
        Section::Other { tag, data } => (tag.0, data.len()),
        _ => return None,
    };
    Some((tag, length))
}

impl PartLayout {
    /// Determines the sections of a map that consist of parts of the objects.
    pub(in crate::map) fn of(map: &Map) -> Self {
        let mut out = Self::default();
        let is_objects = |section: &Section| matches!(section, Section::Objects(_));
        let Some(index) = map.sections.iter().position(is_objects) else { return out };
        out.objects = Some(index);
        let (objects, sections) = (map.objects(), map.object_sections());
        let names: Vec<_> = objects.iter().map(|object| object.name).collect();
        out.placed = placements_of(&names, map.placements());
        for tag in TAGS {
            let found = map
                .sections
                .iter()
                .position(|it| tag_and_length_of(it).is_some_and(|(other, _)| other == tag));
            let Some(section) = found else { continue };
            let length =
                map.sections.get(section).and_then(tag_and_length_of).map_or(0, |(_, length)| length);
            let ranges = match &tag {
                b"RAST" => continue,
                b"RAGR" if length > MAX_GROUP_BYTES => continue,
                _ => objects.iter().map(|object| range(tag, object, &sections)).collect::<Option<Vec<_>>>(),
            };
            if let Some(mut ranges) = ranges
                && let Some((head, end)) = tile(&mut ranges, length, tag)
            {
                out.tilings.insert(tag, Tiling { section, head, end, ranges });
            }
        }
        out.find_texts(map, objects, &sections);
        out
    }

    /// Assigns texts to the objects if their table can be derived from them by one of the rules of [`TextTable`].
    fn find_texts(&mut self, map: &Map, objects: &[Object], sections: &ObjectSections<'_>) {
        let is_texts = |it: &Section| tag_and_length_of(it).is_some_and(|(tag, _)| tag == *b"RAST");
        let Some(section) = map.sections.iter().position(is_texts) else {
            self.tilings.remove(b"RASB");
            return;
        };
        let is_short = sections.all_texts().len() <= MAX_TEXT_BYTES;
        let found = (self.tilings.contains_key(b"RASB") && is_short).then(|| {
            let offsets = sections.all_text_offsets();
            let bytes = sections.all_texts();
            let mut remaining = bytes.len().checked_mul(2)?.checked_add(MAX_EXTRA_TEXT)?;
            let of_object = |object| {
                let texts = sections.texts(object)?;
                remaining =
                    texts.iter().try_fold(remaining, |remaining, text| remaining.checked_sub(text.len()))?;
                Some(texts)
            };
            let of_each: Vec<Vec<String>> = objects.iter().map(of_object).collect::<Option<_>>()?;
            let tables = [Some(TextTable::Each), Some(TextTable::Once), listed(bytes)];
            tables.into_iter().flatten().find(|table| {
                let built = build_text_table(table, of_each.iter().map(Vec::as_slice));
                built.is_some_and(|(texts, found)| texts == bytes && found == offsets)
            })
        });
        match found.flatten() {
            Some(table) => {
                let length = sections.all_texts().len();
                let tiling = Tiling { section, head: 0, end: length, ranges: Vec::new() };
                self.tilings.insert(*b"RAST", tiling);
                self.texts = Some(table);
            }
            None => {
                self.tilings.remove(b"RASB");
            }
        }
    }

    /// Returns the placements that contain the variables of an object; `None` if the object contains them.
    pub(in crate::map) fn variable_placements(&self, map: &Map, index: usize) -> Option<&[usize]> {
        let object = map.objects().get(index).filter(|object| self.are_variables_placed(index, object))?;
        self.placed.get(index).map(Vec::as_slice).filter(|_| object.variable_count > 0)
    }

    fn has(&self, tag: &[u8; 4]) -> bool {
        self.tilings.contains_key(tag)
    }

    /// Whether the variables of an object are stored in its placements.
    fn are_variables_placed(&self, index: usize, object: &Object) -> bool {
        let placed = self.placed.get(index).map_or(0, Vec::len);
        usize::try_from(object.instances).is_ok_and(|instances| instances == placed)
    }

    /// Builds the map with assembled objects.
    pub(in crate::map) fn assemble(&self, map: &Map) -> AssembledMap {
        let (objects, sections) = (map.objects(), map.object_sections());
        let mut placed: BTreeMap<usize, Vec<i32>> = BTreeMap::new();
        let mut out = Vec::new();
        for (index, section) in map.sections.iter().enumerate() {
            let tiled = self.tilings.iter().find(|(_, tiling)| tiling.section == index);
            if let Some((tag, tiling)) = tiled {
                out.push(AssembledSection::Parts(self.part_section(*tag, tiling, section)));
                continue;
            }
            out.push(match section.clone() {
                Section::Objects(it) if self.objects == Some(index) => {
                    let records = objects.iter().enumerate();
                    let records = records
                        .map(|(index, object)| self.object(index, object, &sections, &mut placed))
                        .collect();
                    AssembledSection::Objects(AssembledObjects { word: it.word, records })
                }
                Section::Objects(it) => {
                    let bytes = record::write_whole(&it, ()).unwrap_or_default();
                    AssembledSection::Other { tag: FixedText(*b"RAHD"), data: bytes.into() }
                }
                Section::Placements(it) => AssembledSection::Placements(it),
                Section::Statics(it) => AssembledSection::Statics(it),
                Section::Ropes(it) => AssembledSection::Ropes(it),
                Section::Flats(it) => AssembledSection::Flats(it),
                Section::Lights(it) => AssembledSection::Lights(it),
                Section::Markers(it) => AssembledSection::Markers(it),
                Section::Sizes(mut it) => {
                    (0..).zip(&mut it.records).for_each(|(number, size)| size.number = Some(number));
                    AssembledSection::Sizes(it)
                }
                Section::WalkMaps(mut it) => {
                    for map in &mut it.records {
                        (0..).zip(&mut map.nodes).for_each(|(number, node)| node.number = Some(number));
                    }
                    AssembledSection::WalkMaps(it)
                }
                Section::DrawModes(it) => AssembledSection::DrawModes(it),
                Section::TextOffsets(it) => AssembledSection::TextOffsets(it),
                Section::Variables(it) => AssembledSection::Variables(it),
                Section::Locations(it) => AssembledSection::Locations(it),
                Section::Extras(it) => AssembledSection::Extras(it),
                Section::Attributes(it) => AssembledSection::Attributes(it),
                Section::Spheres(it) => AssembledSection::Spheres(it),
                Section::Other { tag, data } => AssembledSection::Other { tag, data },
            });
        }
        // Variables are available only after their objects, which may follow the placements.
        let first = out.iter_mut().find_map(|section| match section {
            AssembledSection::Placements(it) => Some(it),
            _ => None,
        });
        for (index, placement) in first.into_iter().flat_map(|it| it.records.iter_mut().enumerate()) {
            placement.variables = placed.remove(&index);
        }
        AssembledMap { sections: out, end: map.end, rest: map.rest.clone() }
    }

    fn part_section(&self, tag: [u8; 4], tiling: &Tiling, section: &Section) -> PartSection {
        let bytes = raw(section);
        let head = bytes.get(..tiling.head).unwrap_or_default();
        let tail = bytes.get(tiling.end..).unwrap_or_default();
        PartSection {
            tag: FixedText(tag),
            head: (head != default_head(tag)).then(|| head.into()),
            tail: tail.into(),
            texts: (tag == *b"RAST").then(|| self.texts.clone()).flatten(),
        }
    }

    fn object(
        &self,
        index: usize,
        object: &Object,
        sections: &ObjectSections<'_>,
        placed: &mut BTreeMap<usize, Vec<i32>>,
    ) -> AssembledObject {
        /// Returns a stored field if it differs from its derived value.
        fn unless<T: PartialEq + Copy>(stored: T, derived: Option<T>) -> Option<T> {
            (Some(stored) != derived).then_some(stored)
        }
        let range = |tag: &[u8; 4]| self.tilings.get(tag).and_then(|it| it.ranges.get(index)).copied();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let offset = |tag: &[u8; 4]| range(tag).map(|range| number(range.offset));
        let length = |tag: &[u8; 4]| range(tag).map(|range| number(range.length));
        let models = self.has(b"RAAN").then(|| sections.models(object)).flatten();
        let texts = self.has(b"RASB").then(|| sections.texts(object)).flatten();
        let locations = self.has(b"RALC").then(|| sections.locations(object)).flatten();
        let hook = self.has(b"RAHK").then(|| sections.hook(object)).flatten().flatten();
        let spheres = self.has(b"RAVC").then(|| sections.spheres(object)).flatten();
        let groups = self.has(b"RAGR").then(|| sections.animation_groups(object)).flatten();
        let attributes = self.has(b"RAAT").then(|| sections.attributes(object)).flatten();
        let alias = self.has(b"RANM") && object.alias_length >= 1;
        let blocks = self.has(b"RAVA").then(|| sections.variables(object)).flatten();
        let is_placed = blocks.is_some() && self.are_variables_placed(index, object);
        let mut variables = None;
        if let Some(blocks) = &blocks {
            match self.placed.get(index) {
                Some(placements) if is_placed => {
                    let blocks = placements.iter().zip(blocks).filter(|(_, block)| !block.is_empty());
                    placed.extend(blocks.map(|(placement, block)| (*placement, block.to_vec())));
                }
                _ => variables = Some(blocks.iter().map(|block| block.to_vec()).collect::<Vec<_>>()),
            }
        }
        let of_blocks = blocks.as_ref().and_then(|blocks| blocks.first()).map(|block| number(block.len()));
        let count = |length: Option<usize>| length.map(number);
        let instances = self.placed.get(index).and_then(|placements| i32::try_from(placements.len()).ok());
        // Most maps have no sphere section.
        let sphere_count = i32::try_from(spheres.map_or(0, <[_]>::len)).ok();
        let sphere_offset = range(b"RAVC").filter(|range| range.length > 0);
        let sphere_offset =
            Some(sphere_offset.map_or(-1, |range| i32::try_from(range.offset).unwrap_or(i32::MAX)));
        let hook_offset =
            range(b"RAHK").map(|range| if range.length == 0 { 0 } else { number(range.offset) });
        let variable_count = of_blocks.or(blocks.as_ref().map(|_| 0));
        AssembledObject {
            name: object.name,
            unknown_00: object.unknown_00,
            instances: unless(object.instances, instances),
            unknown_11: object.unknown_11,
            alias: if alias { sections.alias(object) } else { None },
            alias_length: unless(object.alias_length, length(b"RANM")),
            alias_offset: unless(object.alias_offset, offset(b"RANM")),
            is_actor: object.is_actor,
            size: object.size,
            size_in_combat: object.size_in_combat,
            size_when_dead: object.size_when_dead,
            frame_count: object.frame_count,
            texture_set: object.texture_set,
            most_group: object.most_group,
            unknown_35: object.unknown_35,
            unknown_39: object.unknown_39,
            unknown_3d: object.unknown_3d,
            unknown_97: object.unknown_97,
            unknown_99: object.unknown_99,
            attributes: attributes.map(|block| {
                let set = (0..=255).zip(block).filter(|(_, value)| **value != 0);
                AttributeMap(set.map(|(number, value)| (number, *value)).collect())
            }),
            attributes_offset: unless(object.attributes_offset, offset(b"RAAT")),
            extra: self.has(b"RAEX").then(|| sections.extra(object)).flatten().flatten().copied(),
            extra_length: unless(object.extra_length, length(b"RAEX")),
            extra_offset: unless(object.extra_offset, offset(b"RAEX")),
            model_count: unless(object.model_count, count(models.as_ref().map(Vec::len))),
            models_length: unless(object.models_length, length(b"RAAN")),
            models_offset: unless(object.models_offset, offset(b"RAAN")),
            text_count: unless(object.text_count, count(texts.as_ref().map(Vec::len))),
            texts_length: unless(object.texts_length, length(b"RASB")),
            texts_offset: unless(object.texts_offset, offset(b"RASB")),
            texts,
            script: self.has(b"RASC").then(|| sections.script(object)).flatten().map(Bytes::from),
            script_length: unless(object.script_length, length(b"RASC")),
            script_offset: unless(object.script_offset, offset(b"RASC")),
            script_start: object.script_start,
            hook: hook.map(|hook| {
                let arguments = hook.arguments.into_iter();
                let arguments = arguments.map(|(opcode, value)| HookArgument { opcode, value }).collect();
                AssembledHook { function: hook.function, arguments }
            }),
            hook_length: unless(object.hook_length, length(b"RAHK")),
            hook_offset: unless(object.hook_offset, hook_offset),
            locations: locations.map(<[_]>::to_vec),
            location_count: unless(object.location_count, count(locations.map(<[_]>::len))),
            locations_length: unless(object.locations_length, length(b"RALC")),
            locations_offset: unless(object.locations_offset, offset(b"RALC")),
            variables,
            variable_count: unless(object.variable_count, variable_count),
            variables_length: unless(
                object.variables_length,
                range(b"RAVA").and(object.variable_count.checked_mul(4)),
            ),
            variables_offset: unless(object.variables_offset, offset(b"RAVA")),
            variables_offset_again: unless(object.variables_offset_again, offset(b"RAVA")),
            spheres: spheres.map(<[_]>::to_vec),
            sphere_count: unless(object.sphere_count, sphere_count),
            spheres_offset: unless(object.spheres_offset, sphere_offset),
            animation_groups: groups.map(|groups| {
                let frames: Vec<_> = models.iter().flatten().map(|model| model.frame_count).collect();
                groups.into_iter().map(|group| assembled_group(group, &frames)).collect()
            }),
            groups_offset: unless(object.groups_offset, offset(b"RAGR")),
            models: models.map(|models| {
                let model = |(number, model): (i32, super::super::object::ModelEntry)| AssembledModel {
                    number: Some(number),
                    kind: char::from(model.kind),
                    path: model.path,
                    frame_count: model.frame_count,
                    face_count: model.face_count,
                };
                (0..).zip(models).map(model).collect()
            }),
        }
    }
}

fn assembled_group(group: AnimationGroup, frames: &[u8]) -> AssembledGroup {
    let command = |command: AnimationCommand| match AssembledCommand::of(command) {
        AssembledCommand::Known(0, parameters) => {
            let shown = parameters.first().and_then(|frame| frame_at(*frame, frames));
            AssembledCommand::Known(0, shown.map_or(parameters, |shown| shown.to_vec()))
        }
        other => other,
    };
    AssembledGroup {
        number: group.number,
        animation: group.animation,
        kind: group.kind,
        commands: super::command::numbered(group.commands.into_iter().map(command).collect()),
    }
}

/// Returns the model and its frame for a frame number that counts across all models; `None` beyond the last frame.
pub(crate) fn frame_at(frame: i32, frames: &[u8]) -> Option<[i32; 2]> {
    let mut rest = frame;
    for (model, count) in (0..).zip(frames) {
        let count = i32::from(*count);
        if rest < count {
            return Some([model, rest]);
        }
        rest = rest.checked_sub(count)?;
    }
    None
}

/// Returns the range of an object's part in a section; `None` if the part could not be reproduced when written.
fn range(tag: [u8; 4], object: &Object, sections: &ObjectSections<'_>) -> Option<PartRange> {
    let size = |number: u32| usize::try_from(number).ok();
    let at = |offset: u32, length: usize| Some(PartRange { offset: size(offset)?, length });
    match &tag {
        b"RASB" => at(object.texts_offset, size(object.text_count)?.checked_mul(4)?),
        b"RAVA" => {
            let blocks = sections.variables(object)?;
            let count = size(object.variable_count)?;
            at(
                object.variables_offset,
                if count == 0 { 0 } else { blocks.len().checked_mul(count)?.checked_mul(4)? },
            )
        }
        b"RASC" => {
            sections.script(object)?;
            at(object.script_offset, size(object.script_length)?)
        }
        b"RAHK" => {
            let length = match sections.hook(object)? {
                Some(hook) => hook.arguments.len().checked_mul(5)?.checked_add(3)?,
                None => 0,
            };
            at(object.hook_offset, length)
        }
        b"RALC" => at(object.locations_offset, sections.locations(object)?.len().checked_mul(12)?),
        b"RAEX" => at(object.extra_offset, if sections.extra(object)?.is_some() { 30 } else { 0 }),
        b"RAAT" => {
            sections.attributes(object)?;
            at(object.attributes_offset, 256)
        }
        b"RAAN" => {
            let models = sections.models(object)?;
            let length = models.iter().try_fold(0_usize, |sum, model| {
                sum.checked_add(Charset::Cp437.encode(&model.path)?.len())?.checked_add(7)
            })?;
            at(object.models_offset, length)
        }
        b"RAGR" => {
            let groups = sections.animation_groups(object)?;
            let length = groups.iter().try_fold(2_usize, |sum, group| {
                sum.checked_add(group.commands.len().checked_mul(3)?)?.checked_add(10)
            })?;
            // An entry that is longer than its commands would not be reproduced.
            sections.are_groups_plain(object).then_some(())?;
            at(object.groups_offset, length)
        }
        b"RANM" => {
            let bytes = sections.alias_bytes(object)?;
            let is_text = match bytes.split_last() {
                Some((0, text)) => !text.contains(&0),
                Some(_) => false,
                None => true,
            };
            is_text.then_some(())?;
            at(object.alias_offset, bytes.len())
        }
        b"RAVC" => {
            let spheres = sections.spheres(object)?;
            let length = spheres.len().checked_mul(9)?;
            let offset = u32::try_from(object.spheres_offset).unwrap_or(0);
            at(offset, length)
        }
        _ => None,
    }
}

/// Checks that the parts are contiguous. Returns the number of bytes before them and their end.
fn tile(ranges: &mut [PartRange], length: usize, tag: [u8; 4]) -> Option<(usize, usize)> {
    let first = ranges.iter().find(|range| range.length > 0);
    let head = first.map_or_else(|| default_head(tag).len().min(length), |range| range.offset);
    let mut next = head;
    for range in ranges {
        if range.length == 0 {
            // The offset of an object without a part is where the part would begin.
            range.offset = next;
        }
        (range.offset == next).then_some(())?;
        next = next.checked_add(range.length)?;
    }
    (next <= length).then_some((head, next))
}

/// Returns a table that lists all stored texts; `None` if the last one is not terminated.
fn listed(bytes: &[u8]) -> Option<TextTable> {
    let texts = match bytes.split_last() {
        Some((0, texts)) => texts,
        Some(_) => return None,
        None => return Some(TextTable::List(Vec::new())),
    };
    let texts = texts.split(|byte| *byte == 0).map(|text| Charset::Cp437.decode(text).into_owned());
    Some(TextTable::List(texts.collect()))
}

/// Builds the text table, and returns it with the offset of each text of each object; `None` if a text cannot be encoded.
pub(super) fn build_text_table<'a>(
    table: &TextTable,
    of_each: impl Iterator<Item = &'a [String]>,
) -> Option<(Vec<u8>, Vec<u32>)> {
    let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
    let mut stored: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut put = |text: &str, stored: &mut BTreeMap<String, Vec<u32>>| {
        let at = u32::try_from(bytes.len()).ok()?;
        let encoded = Charset::Cp437.encode(text).filter(|text| !text.contains(&0))?;
        bytes.extend_from_slice(&encoded);
        bytes.push(0);
        stored.entry(text.to_owned()).or_default().push(at);
        Some(at)
    };
    if let TextTable::List(texts) = table {
        texts.iter().try_for_each(|text| put(text, &mut stored).map(drop))?;
    }
    let mut last = None;
    for text in of_each.flatten() {
        // Of several equal texts, the next one, or the first if there is none.
        let found = stored.get(text).filter(|_| *table != TextTable::Each).and_then(|all| {
            let next = all.iter().find(|offset| last.is_none_or(|last| **offset > last));
            next.or_else(|| all.first()).copied()
        });
        let offset = match found {
            Some(offset) => offset,
            None => put(text, &mut stored)?,
        };
        last = Some(offset);
        offsets.push(offset);
    }
    Some((bytes, offsets))
}

/// Returns the bytes of a section that consists of parts.
fn raw(section: &Section) -> Vec<u8> {
    let written = match section {
        Section::TextOffsets(it) => record::write_whole(it, ()),
        Section::Variables(it) => record::write_whole(it, ()),
        Section::Locations(it) => record::write_whole(it, ()),
        Section::Extras(it) => record::write_whole(it, ()),
        Section::Attributes(it) => record::write_whole(it, ()),
        Section::Spheres(it) => record::write_whole(it, ()),
        Section::Other { data, .. } => return data.0.clone(),
        _ => return Vec::new(),
    };
    written.unwrap_or_default()
}
