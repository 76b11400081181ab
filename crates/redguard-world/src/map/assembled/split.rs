//! Conversion from assembled objects to the file's layout.

use std::collections::BTreeMap;

use asset::Charset;
use record::{Bytes, Error, Raw, Result};

use super::super::layout::{
    Attributes, Extra, Extras, Locations, Map, Object, Objects, Section, Spheres, TextOffsets, Variables,
};
use super::super::placed::Placement;
use super::collect::{build_text_table, default_head, placements_of};
use super::command::{Targets, known_bits};
use super::renumber::Renumbered;
use super::{
    AssembledCommand, AssembledGroup, AssembledHook, AssembledMap, AssembledModel, AssembledObject,
    AssembledObjects, AssembledSection, AttributeMap, PartSection, TextTable,
};

/// The parts of one kind of all objects, as stored in their section.
#[derive(Debug, Default)]
struct Table {
    bytes: Vec<u8>,
    /// The start and length of each part.
    ranges: Vec<(u32, u32)>,
}

impl Table {
    fn new(head: &[u8]) -> Self {
        Self { bytes: head.to_vec(), ranges: Vec::new() }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        let too_long = || Error::usage("the parts of the objects take more than 4 GB");
        let start = u32::try_from(self.bytes.len()).map_err(|_| too_long())?;
        let length = u32::try_from(bytes.len()).map_err(|_| too_long())?;
        start.checked_add(length).ok_or_else(too_long)?;
        self.bytes.extend_from_slice(bytes);
        self.ranges.push((start, length));
        Ok(())
    }
}

/// All part tables, by tag.
struct Tables(BTreeMap<[u8; 4], Table>);

impl Tables {
    fn range(&self, tag: &[u8; 4], index: usize) -> Option<(u32, u32)> {
        self.0.get(tag)?.ranges.get(index).copied()
    }
}

impl AssembledMap {
    /// Converts the map to the file's layout; offsets, lengths, counts and numbers are derived from the objects' data.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](record::Kind::Usage) if a part cannot be written; the error contains the field.
    pub fn split(self) -> Result<Map> {
        let Self { mut sections, end, rest } = self;
        super::renumber::renumber(&mut sections)?;
        let placements = match sections.iter().position(|it| matches!(it, AssembledSection::Placements(_))) {
            Some(index) => match sections.get_mut(index) {
                Some(AssembledSection::Placements(it)) => std::mem::take(&mut it.records),
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        let objects = sections.iter().position(|it| matches!(it, AssembledSection::Objects(_)));
        let (tables, records, text_table) =
            match objects.and_then(|index| Some((index, sections.get(index)?))) {
                Some((index, AssembledSection::Objects(objects))) => {
                    let splitter = Splitter::new(&sections, objects, &placements);
                    let tables = splitter.and_then(|splitter| splitter.all());
                    tables.map_err(|error| error.in_field(format!("sections[{index}]")))?
                }
                _ => (Tables(BTreeMap::new()), Vec::new(), Vec::new()),
            };
        let mut placements = Some(placements);
        let mut records = Some(records);
        let sections = sections.into_iter().enumerate().map(|(index, section)| {
            let section = match section {
                AssembledSection::Objects(it) if objects == Some(index) => {
                    Section::Objects(Objects { word: it.word, records: records.take().unwrap_or_default() })
                }
                AssembledSection::Placements(mut it) => {
                    if let Some(mut records) = placements.take() {
                        records.iter_mut().for_each(|placement| placement.variables = None);
                        it.records = records;
                    }
                    Section::Placements(it)
                }
                section => plain(section, &tables, &text_table)
                    .map_err(|error| error.in_field(format!("sections[{index}]")))?,
            };
            Ok(section)
        });
        Ok(Map { sections: sections.collect::<Result<_>>()?, end, rest })
    }
}

/// Converts a section other than the objects and placements.
fn plain(section: AssembledSection, tables: &Tables, texts: &[u8]) -> Result<Section> {
    Ok(match section {
        AssembledSection::Parts(it) => {
            let mut bytes = match &it.tag.0 {
                b"RAST" => texts.to_vec(),
                tag => tables.0.get(tag).map(|table| table.bytes.clone()).unwrap_or_default(),
            };
            bytes.extend_from_slice(&it.tail);
            of_parts(&it, bytes)?
        }
        AssembledSection::Objects(_) => {
            return Err(Error::usage("the map has several object sections (RAHD), expected one"));
        }
        AssembledSection::Placements(it) => Section::Placements(it),
        AssembledSection::Statics(it) => Section::Statics(it),
        AssembledSection::Ropes(it) => Section::Ropes(it),
        AssembledSection::Flats(it) => Section::Flats(it),
        AssembledSection::Lights(it) => Section::Lights(it),
        AssembledSection::Markers(it) => Section::Markers(it),
        AssembledSection::Sizes(it) => Section::Sizes(it),
        AssembledSection::WalkMaps(it) => Section::WalkMaps(it),
        AssembledSection::DrawModes(it) => Section::DrawModes(it),
        AssembledSection::TextOffsets(it) => Section::TextOffsets(it),
        AssembledSection::Variables(it) => Section::Variables(it),
        AssembledSection::Locations(it) => Section::Locations(it),
        AssembledSection::Extras(it) => Section::Extras(it),
        AssembledSection::Attributes(it) => Section::Attributes(it),
        AssembledSection::Spheres(it) => Section::Spheres(it),
        AssembledSection::Other { tag, data } => Section::Other { tag, data },
    })
}

/// Creates a section of parts, typed if its bytes consist of complete records.
fn of_parts(section: &PartSection, bytes: Vec<u8>) -> Result<Section> {
    let kept = |bytes: Vec<u8>| Section::Other { tag: section.tag, data: Bytes(bytes) };
    let size = match &section.tag.0 {
        b"RASB" | b"RAVA" => 4,
        b"RALC" => 12,
        b"RAEX" => 30,
        b"RAAT" => 256,
        b"RAVC" => 9,
        _ => return Ok(kept(bytes)),
    };
    if !bytes.len().is_multiple_of(size) {
        return Ok(kept(bytes));
    }
    if bytes.is_empty() {
        return Ok(match &section.tag.0 {
            b"RASB" => Section::TextOffsets(TextOffsets { offsets: Vec::new() }),
            b"RAVA" => Section::Variables(Variables { values: Vec::new() }),
            b"RALC" => Section::Locations(Locations { offsets: Vec::new() }),
            b"RAEX" => Section::Extras(Extras { records: Vec::new() }),
            b"RAAT" => Section::Attributes(Attributes { blocks: Vec::new() }),
            _ => Section::Spheres(Spheres { records: Vec::new() }),
        });
    }
    Ok(match &section.tag.0 {
        b"RASB" => Section::TextOffsets(record::read_whole::<TextOffsets>(&bytes, ())?),
        b"RAVA" => Section::Variables(record::read_whole::<Variables>(&bytes, ())?),
        b"RALC" => Section::Locations(record::read_whole::<Locations>(&bytes, ())?),
        b"RAEX" => Section::Extras(record::read_whole::<Extras>(&bytes, ())?),
        b"RAAT" => Section::Attributes(record::read_whole::<Attributes>(&bytes, ())?),
        _ => Section::Spheres(record::read_whole::<Spheres>(&bytes, ())?),
    })
}

/// Splits objects into the sections of their parts.
struct Splitter<'a> {
    parts: BTreeMap<[u8; 4], &'a PartSection>,
    objects: &'a AssembledObjects,
    placed: Vec<Vec<&'a Placement>>,
}

impl<'a> Splitter<'a> {
    fn new(
        sections: &'a [AssembledSection],
        objects: &'a AssembledObjects,
        placements: &'a [Placement],
    ) -> Result<Self> {
        let mut parts = BTreeMap::new();
        for section in sections {
            if let AssembledSection::Parts(it) = section
                && parts.insert(it.tag.0, it).is_some()
            {
                return Err(Error::usage(format!(
                    "the map has several sections for the parts of {}, expected one",
                    it.tag
                )));
            }
        }
        let names: Vec<_> = objects.records.iter().map(|object| object.name).collect();
        let placed = placements_of(&names, placements);
        let placed =
            placed.into_iter().map(|indices| indices.iter().filter_map(|it| placements.get(*it)).collect());
        Ok(Self { parts, objects, placed: placed.collect() })
    }

    /// Returns the part tables, the objects that reference them, and the text table.
    fn all(&self) -> Result<(Tables, Vec<Object>, Vec<u8>)> {
        let mut tables = BTreeMap::new();
        for (tag, section) in &self.parts {
            let head = section.head.as_deref().unwrap_or_else(|| default_head(*tag));
            tables.insert(*tag, Table::new(head));
        }
        let (texts, offsets) = self.texts()?;
        let mut offsets = offsets.as_slice();
        let mut blocks = Vec::new();
        for (index, object) in self.objects.records.iter().enumerate() {
            let result = self.put(index, object, &mut tables, &mut offsets, &mut blocks);
            result.map_err(|error| error.in_field(format!("records[{index}]")))?;
        }
        let tables = Tables(tables);
        let records = self.objects.records.iter().zip(blocks).enumerate();
        let records =
            records.map(|(index, (object, blocks))| object_of(index, object, &blocks, &tables)).collect();
        Ok((tables, records, texts))
    }

    fn texts(&self) -> Result<(Vec<u8>, Vec<u32>)> {
        let Some(section) = self.parts.get(b"RAST") else { return Ok((Vec::new(), Vec::new())) };
        let table = section.texts.as_ref().unwrap_or(&TextTable::Once);
        let of_each = self.objects.records.iter().map(|object| object.texts.as_deref().unwrap_or_default());
        build_text_table(table, of_each.clone()).ok_or_else(|| {
            let is_invalid =
                |text: &&String| Charset::Cp437.encode(text).is_none_or(|text| text.contains(&0));
            let found = of_each.flatten().find(is_invalid).map(String::as_str).unwrap_or_default();
            let charset = Charset::Cp437.name();
            Error::usage(format!(
                "the text {found:?} has characters outside the game's character set ({charset})"
            ))
        })
    }

    fn put(
        &self,
        index: usize,
        object: &AssembledObject,
        tables: &mut BTreeMap<[u8; 4], Table>,
        text_offsets: &mut &[u32],
        blocks: &mut Vec<Blocks>,
    ) -> Result<()> {
        let of = self.blocks(index, object)?;
        let mut put = |tag: &[u8; 4], is_present: bool, field: &'static str, bytes: Result<Vec<u8>>| {
            let bytes = bytes.map_err(|error| error.in_field(field))?;
            match tables.get_mut(tag) {
                Some(table) => table.put(&bytes),
                None if is_present && !bytes.is_empty() => {
                    let tag = tag.escape_ascii();
                    let message = format!(
                        "the map has no section for it; add {{\"parts\": {{\"tag\": \"{tag}\"}}}} to its sections, or edit the \
                         bytes of {tag}"
                    );
                    Err(Error::usage(message).in_field(field))
                }
                None => Ok(()),
            }
        };
        put(b"RANM", object.alias.is_some(), "alias", alias(object.alias.as_deref()))?;
        let texts = object.texts.as_deref().unwrap_or_default();
        let (own, others) = text_offsets.split_at_checked(texts.len()).unwrap_or((&[], &[]));
        *text_offsets = others;
        let own: Vec<u8> = own.iter().flat_map(|offset| offset.to_le_bytes()).collect();
        put(b"RASB", !texts.is_empty(), "texts", Ok(own))?;
        let numbers = of.blocks.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        put(b"RAVA", true, "variables", Ok(numbers))?;
        let script = object.script.as_ref().map(|script| script.0.clone()).unwrap_or_default();
        put(b"RASC", true, "script", Ok(script))?;
        put(b"RAHK", true, "hook", object.hook.as_ref().map_or(Ok(Vec::new()), hook))?;
        let locations = object.locations.iter().flatten().flatten();
        put(b"RALC", true, "locations", Ok(locations.flat_map(|number| number.to_le_bytes()).collect()))?;
        put(b"RAEX", true, "extra", object.extra.as_ref().map_or(Ok(Vec::new()), extra))?;
        let is_set = object.attributes.as_ref().is_some_and(|attributes| !attributes.0.is_empty());
        put(b"RAAT", is_set, "attributes", Ok(attributes(object.attributes.as_ref())))?;
        let list = object.models.as_deref().unwrap_or_default();
        put(b"RAAN", !list.is_empty(), "models", models(list))?;
        let groups = object.animation_groups.as_deref().unwrap_or_default();
        put(b"RAGR", !groups.is_empty(), "animation_groups", animation_groups(groups, list))?;
        let spheres = Spheres { records: object.spheres.clone().unwrap_or_default() };
        put(b"RAVC", true, "spheres", record::write_whole(&spheres, ()))?;
        blocks.push(of);
        Ok(())
    }

    /// Returns the variables of all instances of an object.
    fn blocks(&self, index: usize, object: &AssembledObject) -> Result<Blocks> {
        let placed = self.placed.get(index).map(Vec::as_slice).unwrap_or_default();
        if let Some(blocks) = &object.variables {
            return Ok(Blocks { blocks: blocks.clone(), instances: placed.len() });
        }
        let first = placed.iter().find_map(|placement| placement.variables.as_ref());
        let blocks: Vec<Vec<i32>> = placed
            .iter()
            .map(|placement| placement.variables.as_ref().or(first).cloned().unwrap_or_default())
            .collect();
        let count = first.map_or(0, Vec::len);
        if let Some(other) = blocks.iter().find(|block| block.len() != count) {
            let message = format!(
                "the placements of {} have {count} and {} variables; all instances of an object need the same number",
                object.name,
                other.len()
            );
            return Err(Error::usage(message).in_field("variables"));
        }
        Ok(Blocks { blocks, instances: placed.len() })
    }
}

/// The variables of an object's instances.
struct Blocks {
    blocks: Vec<Vec<i32>>,
    /// The number of placements.
    instances: usize,
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn object_of(index: usize, object: &AssembledObject, blocks: &Blocks, tables: &Tables) -> Object {
    let offset = |tag: &[u8; 4]| tables.range(tag, index).map_or(0, |(start, _)| start);
    let length = |tag: &[u8; 4]| tables.range(tag, index).map_or(0, |(_, length)| length);
    let has = |tag: &[u8; 4]| length(tag) > 0;
    let list = |length: Option<usize>| number(length.unwrap_or(0));
    let count = blocks.blocks.first().map_or(0, Vec::len);
    let variable_count = object.variable_count.unwrap_or_else(|| number(count));
    let spheres = object.spheres.as_ref().map_or(0, Vec::len);
    Object {
        unknown_00: object.unknown_00,
        name: object.name,
        instances: object.instances.unwrap_or_else(|| i32::try_from(blocks.instances).unwrap_or(i32::MAX)),
        unknown_11: object.unknown_11,
        alias_length: object.alias_length.unwrap_or_else(|| length(b"RANM")),
        alias_offset: object.alias_offset.unwrap_or_else(|| offset(b"RANM")),
        attributes_offset: object.attributes_offset.unwrap_or_else(|| offset(b"RAAT")),
        model_count: object.model_count.unwrap_or_else(|| list(object.models.as_ref().map(Vec::len))),
        models_length: object.models_length.unwrap_or_else(|| length(b"RAAN")),
        models_offset: object.models_offset.unwrap_or_else(|| offset(b"RAAN")),
        most_group: object.most_group,
        groups_offset: object.groups_offset.unwrap_or_else(|| offset(b"RAGR")),
        unknown_35: object.unknown_35,
        unknown_39: object.unknown_39,
        unknown_3d: object.unknown_3d,
        text_count: object.text_count.unwrap_or_else(|| list(object.texts.as_ref().map(Vec::len))),
        texts_length: object.texts_length.unwrap_or_else(|| length(b"RASB")),
        texts_offset: object.texts_offset.unwrap_or_else(|| offset(b"RASB")),
        script_length: object.script_length.unwrap_or_else(|| length(b"RASC")),
        script_offset: object.script_offset.unwrap_or_else(|| offset(b"RASC")),
        script_start: object.script_start,
        hook_length: object.hook_length.unwrap_or_else(|| length(b"RAHK")),
        hook_offset: object.hook_offset.unwrap_or_else(|| if has(b"RAHK") { offset(b"RAHK") } else { 0 }),
        location_count: object
            .location_count
            .unwrap_or_else(|| list(object.locations.as_ref().map(Vec::len))),
        locations_length: object.locations_length.unwrap_or_else(|| length(b"RALC")),
        locations_offset: object.locations_offset.unwrap_or_else(|| offset(b"RALC")),
        extra_length: object.extra_length.unwrap_or_else(|| length(b"RAEX")),
        extra_offset: object.extra_offset.unwrap_or_else(|| offset(b"RAEX")),
        variable_count,
        variables_length: object.variables_length.unwrap_or_else(|| variable_count.saturating_mul(4)),
        variables_offset: object.variables_offset.unwrap_or_else(|| offset(b"RAVA")),
        variables_offset_again: object.variables_offset_again.unwrap_or_else(|| offset(b"RAVA")),
        frame_count: object.frame_count,
        size: object.size,
        size_in_combat: object.size_in_combat,
        size_when_dead: object.size_when_dead,
        is_actor: object.is_actor,
        unknown_97: object.unknown_97,
        unknown_99: object.unknown_99,
        texture_set: object.texture_set,
        spheres_offset: object.spheres_offset.unwrap_or_else(|| match has(b"RAVC") {
            true => i32::try_from(offset(b"RAVC")).unwrap_or(i32::MAX),
            false => -1,
        }),
        sphere_count: object.sphere_count.unwrap_or_else(|| i32::try_from(spheres).unwrap_or(i32::MAX)),
    }
}

fn encoded(text: &str) -> Result<Vec<u8>> {
    let bytes = Charset::Cp437.encode(text).filter(|bytes| !bytes.contains(&0)).ok_or_else(|| {
        let charset = Charset::Cp437.name();
        Error::usage(format!("{text:?} has characters outside the game's character set ({charset})"))
    })?;
    let mut bytes = bytes.into_owned();
    bytes.push(0);
    Ok(bytes)
}

fn alias(alias: Option<&str>) -> Result<Vec<u8>> {
    alias.map_or(Ok(Vec::new()), encoded)
}

fn hook(hook: &AssembledHook) -> Result<Vec<u8>> {
    let count = u8::try_from(hook.arguments.len())
        .map_err(|_| Error::usage("a hook has at most 255 arguments").in_field("arguments"))?;
    let mut out = hook.function.to_le_bytes().to_vec();
    out.push(count);
    for argument in &hook.arguments {
        out.push(argument.opcode);
        out.extend_from_slice(&argument.value.to_le_bytes());
    }
    Ok(out)
}

fn extra(extra: &Extra) -> Result<Vec<u8>> {
    record::write_whole(extra, ())
}

fn attributes(attributes: Option<&AttributeMap>) -> Vec<u8> {
    let mut block = Raw([0; 256]);
    for (number, value) in attributes.iter().flat_map(|attributes| &attributes.0) {
        if let Some(attribute) = block.0.get_mut(usize::from(*number)) {
            *attribute = *value;
        }
    }
    block.0.to_vec()
}

fn models(models: &[AssembledModel]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for (index, model) in models.iter().enumerate() {
        let in_model = |error: Error| error.in_item(index);
        out.extend_from_slice(&model.face_count.to_le_bytes());
        let kind = u8::try_from(u32::from(model.kind))
            .map_err(|_| in_model(Error::usage("expected \"c\" or \"s\"").in_field("kind")))?;
        out.extend_from_slice(&[model.frame_count, kind]);
        out.extend(encoded(&model.path).map_err(|error| in_model(error.in_field("path")))?);
    }
    Ok(out)
}

fn animation_groups(groups: &[AssembledGroup], models: &[AssembledModel]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let renumbered = Renumbered::of(models.iter().map(|model| model.number));
    for (index, group) in groups.iter().enumerate() {
        let in_group = |error: Error| error.in_item(index);
        let length = group.commands.len().checked_mul(3).and_then(|length| length.checked_add(8));
        let length = length.and_then(|length| u16::try_from(length).ok());
        let (Some(length), Ok(count)) = (length, u16::try_from(group.commands.len())) else {
            return Err(in_group(Error::usage("a group has at most 21842 commands").in_field("commands")));
        };
        for word in [length, group.number, group.animation, group.kind, count] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        let targets = Targets::of(&group.commands);
        for (number, command) in group.commands.iter().enumerate() {
            let bits = bits(command, models, &renumbered, &targets)
                .map_err(|error| in_group(error.in_item(number).in_field("commands")))?;
            out.extend(bits.to_le_bytes().iter().take(3));
        }
    }
    out.extend_from_slice(&[0, 0]);
    Ok(out)
}

fn bits(
    command: &AssembledCommand,
    models: &[AssembledModel],
    renumbered: &Renumbered,
    targets: &Targets,
) -> Result<u32> {
    let (opcode, parameters) = match command {
        AssembledCommand::Raw(bits) => return Ok(*bits),
        AssembledCommand::Known(opcode, parameters) => (*opcode, parameters),
        AssembledCommand::Target(_, command) => return bits(command, models, renumbered, targets),
    };
    let mut parameters = targets.follow(opcode, parameters)?;
    if let (0, [model, frame]) = (opcode, parameters.as_slice()) {
        let index = renumbered.get(*model).and_then(|index| usize::try_from(index).ok());
        let model = index.and_then(|index| models.get(index).map(|model| (index, model)));
        let Some((index, _)) = model.filter(|(_, model)| (0..i32::from(model.frame_count)).contains(frame))
        else {
            return Err(Error::usage(
                "there is no such frame: expected a model number and a frame of that model",
            ));
        };
        let before = models.iter().take(index).map(|model| i32::from(model.frame_count));
        parameters = vec![before.fold(*frame, i32::saturating_add)];
    }
    known_bits(opcode, &parameters)
}
