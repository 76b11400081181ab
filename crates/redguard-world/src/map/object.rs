//! What an object consists of, gathered from the sections in which its parts stand.

use asset::Charset;
use record::{Bytes, Raw};

use super::layout::{Extra, Map, Object, Section, Sphere};

/// The sections in which objects have their parts; those that a map does not have are empty. Of several with one tag the first counts.
///
/// All parts are `None` where an object names bytes that its section does not have.
#[derive(Debug, Clone, Copy, Default)]
pub struct ObjectSections<'a> {
    aliases: &'a [u8],
    models: &'a [u8],
    texts: &'a [u8],
    text_offsets: &'a [u32],
    code: &'a [u8],
    hooks: &'a [u8],
    groups: &'a [u8],
    variables: &'a [i32],
    locations: &'a [[i32; 3]],
    extras: &'a [Extra],
    attributes: &'a [Raw<256>],
    spheres: &'a [Sphere],
}

/// A model of an object, or one of several that it is animated with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelEntry {
    /// How many faces the model has. Not read by the game.
    pub face_count: u32,
    /// How many frames it has.
    pub frame_count: u8,
    /// `c` for a model with frames, `s` for one without, in either letter case.
    pub kind: u8,
    /// Its file, from the folder of the game on: `3dart\cyrsa001.3d`; it may be called `.3DC`.
    pub path: String,
}

/// What the game itself does for an object at each update: a call of one of its functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The number of the function in SOUP386.DEF, counted from 1.
    pub function: u16,
    /// How each argument is stored, and its value.
    pub arguments: Vec<(u8, i32)>,
}

/// A group of commands that animate an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnimationGroup {
    /// What it is for: a number of the names of groups in SOUP386.DEF.
    pub number: u16,
    /// In its low byte for how many ticks a frame is shown.
    pub animation: u16,
    /// In its low byte 0 when it can be interrupted, 1 when it must come to its end, 2 when no panic follows.
    pub kind: u16,
    /// The commands.
    pub commands: Vec<AnimationCommand>,
}

/// A command of an animation group: 24 bits, of which the lowest four say what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnimationCommand(pub u32);

/// Longer tables of texts are kept as bytes, as are those with more texts. Those of all maps of the game together are shorter.
pub(super) const LONGEST_TEXTS: usize = 1 << 20;
const MOST_TEXTS: usize = 1 << 18;

/// What the commands of animation groups do, by their numbers.
const COMMANDS: [&str; 16] = [
    "ShowFrame",
    "EndAnimation",
    "GoToPrevious",
    "GoToFuture",
    "PlaySound",
    "BreakPoint",
    "SetRotationXYZ",
    "SetRotationAxis",
    "SetPositionXYZ",
    "SetPositionAxis",
    "ChangeAnimGroup",
    "ActorEvent",
    "DelayCounter",
    "ConditionalDelay",
    "LoopControl",
    "Transition",
];

impl AnimationCommand {
    /// What it does, from 0 to 15.
    #[must_use]
    pub const fn opcode(self) -> u8 {
        self.0.to_le_bytes()[0] & 15
    }

    /// What that is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        COMMANDS.get(usize::from(self.opcode())).copied().unwrap_or_default()
    }

    /// Its parameters: one to three, of which those that count frames, choose an axis or are a mask have no sign.
    #[must_use]
    pub fn parameters(self) -> Vec<i32> {
        let unsigned = |first: u32, bits: u32| {
            let mask = 1_u32.wrapping_shl(bits).wrapping_sub(1);
            i32::try_from(self.0.wrapping_shr(first) & mask).unwrap_or_default()
        };
        let signed = |first: u32, bits: u32| {
            let unused = 32_u32.wrapping_sub(bits);
            unsigned(first, bits).wrapping_shl(unused).wrapping_shr(unused)
        };
        match self.opcode() {
            0 => vec![unsigned(4, 20)],
            4 | 10 => vec![signed(4, 10), signed(14, 10)],
            6 | 8 => vec![signed(4, 6), signed(10, 6), signed(16, 6)],
            7 | 9 => vec![unsigned(4, 2), signed(6, 18)],
            15 => vec![unsigned(4, 6), signed(10, 7), signed(17, 7)],
            _ => vec![signed(4, 20)],
        }
    }
}

impl Map {
    /// The objects that scripts control, in their order.
    #[must_use]
    pub fn objects(&self) -> &[Object] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Objects(objects) => Some(objects.records.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// The sections in which the objects have their parts.
    #[must_use]
    pub fn object_sections(&self) -> ObjectSections<'_> {
        let mut out = ObjectSections::default();
        for section in self.sections.iter().rev() {
            match section {
                Section::TextOffsets(it) => out.text_offsets = &it.offsets,
                Section::Variables(it) => out.variables = &it.values,
                Section::Locations(it) => out.locations = &it.offsets,
                Section::Extras(it) => out.extras = &it.records,
                Section::Attributes(it) => out.attributes = &it.blocks,
                Section::Spheres(it) => out.spheres = &it.records,
                Section::Other { tag, data } => out.keep(tag.0, data),
                _ => {}
            }
        }
        out
    }
}

impl<'a> ObjectSections<'a> {
    fn keep(&mut self, tag: [u8; 4], data: &'a Bytes) {
        let place = match &tag {
            b"RANM" => &mut self.aliases,
            b"RAAN" => &mut self.models,
            b"RAST" => &mut self.texts,
            b"RASC" => &mut self.code,
            b"RAHK" => &mut self.hooks,
            b"RAGR" => &mut self.groups,
            _ => return,
        };
        *place = data;
    }

    /// Another name, by which scripts call it; empty without one.
    #[must_use]
    pub fn alias(&self, object: &Object) -> Option<String> {
        if object.alias_length < 2 {
            return Some(String::new());
        }
        let bytes = part(self.aliases, object.alias_offset, object.alias_length)?;
        Some(text(bytes))
    }

    /// The same as bytes, with the NUL.
    pub(super) fn alias_bytes(&self, object: &Object) -> Option<&'a [u8]> {
        part(self.aliases, object.alias_offset, object.alias_length)
    }

    /// The table of texts.
    pub(super) const fn all_texts(&self) -> &'a [u8] {
        self.texts
    }

    /// Where the texts of all objects begin.
    pub(super) const fn all_text_offsets(&self) -> &'a [u32] {
        self.text_offsets
    }

    /// The models that it is shown with.
    #[must_use]
    pub fn models(&self, object: &Object) -> Option<Vec<ModelEntry>> {
        if object.model_count == 0 {
            return Some(Vec::new());
        }
        let mut rest = part(self.models, object.models_offset, object.models_length)?;
        let mut out = Vec::new();
        for _ in 0..object.model_count {
            let (face_count, after) = rest.split_first_chunk::<4>()?;
            let ([frame_count, kind], after) = after.split_first_chunk::<2>()?;
            let end = after.iter().position(|byte| *byte == 0)?;
            let (path, after) = after.split_at_checked(end)?;
            out.push(ModelEntry {
                face_count: u32::from_le_bytes(*face_count),
                frame_count: *frame_count,
                kind: *kind,
                path: Charset::Cp437.decode(path).into_owned(),
            });
            rest = after.get(1..)?;
        }
        Some(out)
    }

    /// The texts that its script names by their numbers.
    #[must_use]
    pub fn texts(&self, object: &Object) -> Option<Vec<String>> {
        if object.text_count == 0 {
            return Some(Vec::new());
        }
        if self.texts.len() > LONGEST_TEXTS || self.text_offsets.len() > MOST_TEXTS {
            return None;
        }
        let offsets = items(self.text_offsets, object.texts_offset, 4, object.text_count)?;
        // Offsets of hostile maps all lead to one long text.
        let mut left = self.texts.len().checked_mul(2)?.checked_add(1 << 16)?;
        let read = |offset: &u32| {
            let text = text(self.texts.get(usize::try_from(*offset).ok()?..)?);
            left = left.checked_sub(text.len())?;
            Some(text)
        };
        offsets.iter().map(read).collect()
    }

    /// How many texts an object has that can be read.
    pub(super) fn text_count(&self, object: &Object) -> u32 {
        let is_there = items(self.text_offsets, object.texts_offset, 4, object.text_count).is_some();
        if is_there { object.text_count } else { 0 }
    }

    /// The code of its script.
    #[must_use]
    pub fn script(&self, object: &Object) -> Option<&'a [u8]> {
        part(self.code, object.script_offset, object.script_length)
    }

    /// What its local variables begin with, for each instance, in the order in which they are placed.
    #[must_use]
    pub fn variables(&self, object: &Object) -> Option<Vec<&'a [i32]>> {
        let count = usize::try_from(object.variable_count).ok()?;
        if count == 0 {
            return Some(vec![&[]; usize::try_from(object.instances).ok()?.min(self.variables.len())]);
        }
        let all = object.variable_count.checked_mul(u32::try_from(object.instances).ok()?)?;
        let all = items(self.variables, object.variables_offset, 4, all)?;
        Some(all.chunks(count).collect())
    }

    /// Its attributes; 0 is not set.
    #[must_use]
    pub fn attributes(&self, object: &Object) -> Option<&'a [u8; 256]> {
        let [block] = items(self.attributes, object.attributes_offset, 256, 1)? else { return None };
        Some(&block.0)
    }

    /// What it holds, and how it fights; there is none where nothing is said of it.
    #[must_use]
    pub fn extra(&self, object: &Object) -> Option<Option<&'a Extra>> {
        if object.extra_length == 0 {
            return Some(None);
        }
        items(self.extras, object.extra_offset, 30, 1).map(<[Extra]>::first)
    }

    /// Places that its script names by their numbers, from 1 on: from its own place, in 1/256 of a world unit.
    #[must_use]
    pub fn locations(&self, object: &Object) -> Option<&'a [[i32; 3]]> {
        items(self.locations, object.locations_offset, 12, object.location_count)
    }

    /// The spheres that others collide with.
    #[must_use]
    pub fn spheres(&self, object: &Object) -> Option<&'a [Sphere]> {
        let Ok(offset) = u32::try_from(object.spheres_offset) else { return Some(&[]) };
        items(self.spheres, offset, 9, u32::try_from(object.sphere_count).ok()?)
    }

    /// What the game itself does for it; there is none for most.
    #[must_use]
    pub fn hook(&self, object: &Object) -> Option<Option<Hook>> {
        if object.hook_offset == 0 {
            return Some(None);
        }
        let bytes = self.hooks.get(usize::try_from(object.hook_offset).ok()?..)?;
        let (function, rest) = bytes.split_first_chunk::<2>()?;
        let (count, rest) = rest.split_first()?;
        let (arguments, _) = rest.as_chunks::<5>();
        let arguments = arguments.get(..usize::from(*count))?;
        let argument = |[kind, a, b, c, d]: &[u8; 5]| (*kind, i32::from_le_bytes([*a, *b, *c, *d]));
        let arguments = arguments.iter().map(argument).collect();
        Some(Some(Hook { function: u16::from_le_bytes(*function), arguments }))
    }

    /// Whether its animation groups have no bytes besides their commands.
    pub(super) fn are_groups_plain(&self, object: &Object) -> bool {
        let Ok(mut at) = usize::try_from(object.groups_offset) else { return false };
        loop {
            let head = self.groups.get(at..).and_then(|rest| rest.first_chunk::<10>());
            let Some([a, b, .., c, d]) = head else {
                // The end of the list has no head.
                return self.groups.get(at..).is_some_and(|rest| rest.starts_with(&[0, 0]));
            };
            let (size, count) = (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]));
            match (size, count.checked_mul(3).and_then(|size| size.checked_add(8))) {
                (0, _) => return true,
                (size, plain) if plain != Some(size) => return false,
                (size, _) => at = at.saturating_add(usize::from(size)).saturating_add(2),
            }
        }
    }

    /// Its animation groups.
    #[must_use]
    pub fn animation_groups(&self, object: &Object) -> Option<Vec<AnimationGroup>> {
        let mut out = Vec::new();
        if self.groups.is_empty() {
            return Some(out);
        }
        let mut rest = self.groups.get(usize::try_from(object.groups_offset).ok()?..)?;
        loop {
            let (size, after) = rest.split_first_chunk::<2>()?;
            let size = usize::from(u16::from_le_bytes(*size));
            if size == 0 {
                return Some(out);
            }
            let (group, after) = after.split_at_checked(size)?;
            let (head, commands) = group.split_first_chunk::<8>()?;
            let (words, _) = head.as_chunks::<2>();
            let [number, animation, kind, count] = words else { return None };
            let (commands, _) = commands.as_chunks::<3>();
            let commands = commands.get(..usize::from(u16::from_le_bytes(*count)))?;
            let command = |[a, b, c]: &[u8; 3]| AnimationCommand(u32::from_le_bytes([*a, *b, *c, 0]));
            out.push(AnimationGroup {
                number: u16::from_le_bytes(*number),
                animation: u16::from_le_bytes(*animation),
                kind: u16::from_le_bytes(*kind),
                commands: commands.iter().map(command).collect(),
            });
            rest = after;
        }
    }
}

/// The bytes at an offset.
fn part(bytes: &[u8], offset: u32, length: u32) -> Option<&[u8]> {
    items(bytes, offset, 1, length)
}

/// The items at an offset in bytes; each has so many.
fn items<T>(all: &[T], offset: u32, size: u32, count: u32) -> Option<&[T]> {
    if count == 0 {
        return Some(&[]);
    }
    let start = offset.is_multiple_of(size).then(|| offset.checked_div(size)).flatten()?;
    let end = start.checked_add(count)?;
    all.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

/// The text up to the first NUL.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Charset::Cp437.decode(bytes.get(..end).unwrap_or_default()).into_owned()
}
