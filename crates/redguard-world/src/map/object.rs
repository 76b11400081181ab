//! The data of an object, collected from the sections that store it.

use std::fmt;

use asset::Charset;
use record::{Bytes, Raw, Record};

use super::layout::{Extra, Map, Object, Section, Sphere};

/// The sections with the data of objects; sections that a map lacks are empty. If several sections have the same tag, the first one is
/// used.
///
/// Each accessor returns `None` if an object references bytes that its section does not have.
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

/// A model of an object, or one of several used for its animation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelEntry {
    /// Number of faces of the model. Not read by the game.
    pub face_count: u32,
    /// Number of frames.
    pub frame_count: u8,
    /// `c` for a model with frames, `s` for one without (case-insensitive).
    pub kind: u8,
    /// Path relative to the game's folder: `3dart\cyrsa001.3d`; the file may have the extension `.3DC`.
    pub path: String,
}

/// A native call of the game for an object at each update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Number of the function in SOUP386.DEF, one-based.
    pub function: u16,
    /// Operand opcode and value of each argument.
    pub arguments: Vec<(u8, i32)>,
}

/// A group of animation commands of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnimationGroup {
    /// Purpose: an index into the group names in SOUP386.DEF.
    pub number: u16,
    /// Ticks per frame in the low byte.
    pub animation: u16,
    /// Low byte: 0 if it can be interrupted, 1 if it must play to its end, 2 if no panic follows.
    pub kind: u16,
    /// The commands.
    pub commands: Vec<AnimationCommand>,
}

/// A command of an animation group: 24 bits, with the opcode in the lowest four.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(from = [u8; 3], show = "{}")]
pub struct AnimationCommand(pub u32);

/// The maximum size of a text table in bytes; larger tables, and tables with more than [`MAX_TEXTS`] texts, are kept as bytes. The tables
/// of all maps of the game together are smaller.
pub(super) const MAX_TEXT_BYTES: usize = 1 << 20;
/// The maximum number of texts of all objects.
const MAX_TEXTS: usize = 1 << 18;

/// The highest number of an animation group.
pub(crate) const MAX_GROUP: u16 = 177;

/// The opcodes of GoToPrevious and GoToFuture, which reference a command of their group.
pub(super) const JUMPS: [u8; 2] = [2, 3];

/// The opcode of PlaySound.
const PLAY_SOUND: u8 = 4;

/// The names of animation commands, by opcode.
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

impl From<[u8; 3]> for AnimationCommand {
    fn from([a, b, c]: [u8; 3]) -> Self {
        Self(u32::from_le_bytes([a, b, c, 0]))
    }
}

impl From<&AnimationCommand> for [u8; 3] {
    fn from(command: &AnimationCommand) -> Self {
        let [a, b, c, _] = command.0.to_le_bytes();
        [a, b, c]
    }
}

/// The name and the parameters: `PlaySound 57, -10`.
impl fmt::Display for AnimationCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (number, parameter) in self.parameters().into_iter().enumerate() {
            write!(f, "{} {parameter}", if number == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl AnimationCommand {
    /// Returns the opcode, from 0 to 15.
    #[must_use]
    pub const fn opcode(self) -> u8 {
        self.0.to_le_bytes()[0] & 15
    }

    /// Returns the name of the command.
    #[must_use]
    pub fn name(self) -> &'static str {
        COMMANDS.get(usize::from(self.opcode())).copied().unwrap_or_default()
    }

    /// Returns the number of the sound effect that the command plays.
    pub(crate) fn sound(self) -> Option<i32> {
        if self.opcode() == PLAY_SOUND { self.parameters().first().copied() } else { None }
    }

    /// Returns the index of the command to which it jumps.
    pub(crate) fn jump(self) -> Option<i32> {
        if JUMPS.contains(&self.opcode()) { self.parameters().first().copied() } else { None }
    }

    /// Returns the parameters: one to three. Frame numbers, axes and masks are unsigned, the others signed.
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
    /// Returns the objects controlled by scripts, in file order.
    #[must_use]
    pub fn objects(&self) -> &[Object] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Objects(objects) => Some(objects.records.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// Returns the sections with the data of the objects.
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
        let field = match &tag {
            b"RANM" => &mut self.aliases,
            b"RAAN" => &mut self.models,
            b"RAST" => &mut self.texts,
            b"RASC" => &mut self.code,
            b"RAHK" => &mut self.hooks,
            b"RAGR" => &mut self.groups,
            _ => return,
        };
        *field = data;
    }

    /// Returns the alias by which scripts reference the object; empty if it has none.
    #[must_use]
    pub fn alias(&self, object: &Object) -> Option<String> {
        if object.alias_length < 2 {
            return Some(String::new());
        }
        let bytes = bytes_at(self.aliases, object.alias_offset, object.alias_length)?;
        Some(text(bytes))
    }

    /// Returns the bytes of the alias, including the NUL.
    pub(super) fn alias_bytes(&self, object: &Object) -> Option<&'a [u8]> {
        bytes_at(self.aliases, object.alias_offset, object.alias_length)
    }

    /// Returns the table of texts.
    pub(super) const fn all_texts(&self) -> &'a [u8] {
        self.texts
    }

    /// Returns the offsets of the texts of all objects.
    pub(super) const fn all_text_offsets(&self) -> &'a [u32] {
        self.text_offsets
    }

    /// Returns the models of the object.
    #[must_use]
    pub fn models(&self, object: &Object) -> Option<Vec<ModelEntry>> {
        if object.model_count == 0 {
            return Some(Vec::new());
        }
        let mut rest = bytes_at(self.models, object.models_offset, object.models_length)?;
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

    /// Returns the texts that its script references by number.
    #[must_use]
    pub fn texts(&self, object: &Object) -> Option<Vec<String>> {
        if object.text_count == 0 {
            return Some(Vec::new());
        }
        if self.texts.len() > MAX_TEXT_BYTES || self.text_offsets.len() > MAX_TEXTS {
            return None;
        }
        let offsets = items(self.text_offsets, object.texts_offset, 4, object.text_count)?;
        // In a hostile map, all offsets may reference one long text.
        let mut remaining = self.texts.len().checked_mul(2)?.checked_add(1 << 16)?;
        let read = |offset: &u32| {
            let text = text(self.texts.get(usize::try_from(*offset).ok()?..)?);
            remaining = remaining.checked_sub(text.len())?;
            Some(text)
        };
        offsets.iter().map(read).collect()
    }

    /// Returns the number of readable texts of an object.
    pub(super) fn text_count(&self, object: &Object) -> u32 {
        let is_readable = items(self.text_offsets, object.texts_offset, 4, object.text_count).is_some();
        if is_readable { object.text_count } else { 0 }
    }

    /// Returns the code of its script.
    #[must_use]
    pub fn script(&self, object: &Object) -> Option<&'a [u8]> {
        bytes_at(self.code, object.script_offset, object.script_length)
    }

    /// Returns the initial values of its local variables, for each instance in the order of the placements.
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

    /// Returns its attributes; 0 means unset.
    #[must_use]
    pub fn attributes(&self, object: &Object) -> Option<&'a [u8; 256]> {
        let [block] = items(self.attributes, object.attributes_offset, 256, 1)? else { return None };
        Some(&block.0)
    }

    /// Returns its data for held items and combat; the inner `None` means that the object has none.
    #[must_use]
    pub fn extra(&self, object: &Object) -> Option<Option<&'a Extra>> {
        if object.extra_length == 0 {
            return Some(None);
        }
        items(self.extras, object.extra_offset, 30, 1).map(<[Extra]>::first)
    }

    /// Returns the locations that its script references by number (one-based), relative to its position, in 1/256 of a world unit.
    #[must_use]
    pub fn locations(&self, object: &Object) -> Option<&'a [[i32; 3]]> {
        items(self.locations, object.locations_offset, 12, object.location_count)
    }

    /// Returns its collision spheres.
    #[must_use]
    pub fn spheres(&self, object: &Object) -> Option<&'a [Sphere]> {
        let Ok(offset) = u32::try_from(object.spheres_offset) else { return Some(&[]) };
        items(self.spheres, offset, 9, u32::try_from(object.sphere_count).ok()?)
    }

    /// Returns its native call; the inner `None` means that the object has none.
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

    /// Whether its animation groups have no bytes other than their commands.
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

    /// Returns its animation groups.
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
            out.push(AnimationGroup {
                number: u16::from_le_bytes(*number),
                animation: u16::from_le_bytes(*animation),
                kind: u16::from_le_bytes(*kind),
                commands: commands.iter().copied().map(AnimationCommand::from).collect(),
            });
            rest = after;
        }
    }
}

/// Returns the bytes at an offset.
fn bytes_at(bytes: &[u8], offset: u32, length: u32) -> Option<&[u8]> {
    items(bytes, offset, 1, length)
}

/// Returns the items of `size` bytes each at a byte offset.
fn items<T>(all: &[T], offset: u32, size: u32, count: u32) -> Option<&[T]> {
    if count == 0 {
        return Some(&[]);
    }
    let start = offset.is_multiple_of(size).then(|| offset.checked_div(size)).flatten()?;
    let end = start.checked_add(count)?;
    all.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

/// Decodes the text up to the first NUL.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Charset::Cp437.decode(bytes.get(..end).unwrap_or_default()).into_owned()
}
