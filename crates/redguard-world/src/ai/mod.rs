//! AI: the script of one object with its animation groups in a separate file. The game can load such files, but none was shipped.

mod check;
mod layout;
#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, Offered, Parts, Probe, ProductKind, Products,
    Report, Score, Target, counted,
};
use json::{Document, Step};
use record::{Error, Result, Source, read_whole, write_whole};

pub use layout::{AiFile, Group, Groups, Section};
pub use warning::CODES;

use crate::map::Surroundings;
use crate::map::resolved::command_members;
use redguard_files::settings::def::GameNames;
use soup::Definitions;

/// The file name extensions of separate script files.
const EXTENSIONS: &[&str] = &["ai"];

/// The maximum length of the bytes of a section that stay in the record.
const MAX_INLINE: usize = 64;

/// The separate script format.
pub static FORMAT: Format = Format::new("redguard.ai", "Redguard separate script", open)
    .game("redguard")
    .extensions(EXTENSIONS)
    .probe(probe)
    .pack(|folder, _report| folder.typed::<AiFile>()?.write())
    .products(&[Offered {
        kind: ProductKind::Data,
        about: "the animation groups with the names of their purposes and commands, and a list of other sections",
    }])
    .record::<AiFile>()
    .codes(CODES);

/// The maximum size of a file in bytes. The animation groups of a map of the game have less than a megabyte.
const MAX_SIZE: u64 = 64 << 20;

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    if source.len() > MAX_SIZE {
        return Err(Error::limit(format!("the file is too large for a script (limit: {MAX_SIZE} bytes)")));
    }
    Ok(Box::new(AiFile::read(&source.read_all()?)?))
}

/// Recognizes a file by the tag and the length of its first section. `script asm --raw` writes bare bytecode with the same extension, which
/// never begins with a tag.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let is_named = file.has_extension(EXTENSIONS);
    let contradicts = is_named.then_some(Score::NEVER);
    let Some((tag, rest)) = file.head.split_first_chunk::<4>() else { return contradicts };
    if !tag.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ') {
        return contradicts;
    }
    let length = rest.first_chunk::<4>().map(|length| u64::from(u32::from_be_bytes(*length)));
    let fits = length.is_some_and(|length| length.saturating_add(8) <= file.length);
    match (*tag == layout::GROUPS, fits, is_named) {
        (true, true, _) => Some(Score::CERTAIN),
        (true, false, true) | (false, true, true) => Some(Score::LIKELY),
        // A damaged file.
        (false, false, true) if tag.starts_with(b"AI") => Some(Score::POSSIBLE),
        _ => contradicts,
    }
}

impl AiFile {
    /// Reads a file. Undocumented sections, and animation groups that do not fit their layout, are kept as bytes.
    ///
    /// # Errors
    /// Returns an error if the file is empty or a section is truncated.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::malformed("the file is empty").at(0));
        }
        read_whole(bytes, ())
    }

    /// Writes the file. An unchanged file is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if a section has the tag `END `, a group has more than 21842 commands, or bytes follow a missing end.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns the animation groups of all sections.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.sections.iter().flat_map(|section| match section {
            Section::Groups(section) => section.groups.as_slice(),
            Section::Other { .. } => &[],
        })
    }

    fn to_json(&self, names: &Definitions) -> Document {
        Document::object(|out| {
            out.list("sections", self.sections.iter().map(|section| section_json(section, names)));
            out.put("end", &self.end);
        })
    }
}

fn section_json(section: &Section, names: &Definitions) -> Document {
    Document::object(|out| match section {
        Section::Groups(section) => {
            out.put("tag", "AIAN").put("most_group", &section.most_group);
            out.list("animation_groups", section.groups.iter().map(|group| group_json(group, names)));
        }
        Section::Other { tag, data } => {
            out.put("tag", &tag.text()).put("length", &data.len());
        }
    })
}

/// Returns a group with the members of those of a map.
fn group_json(group: &Group, names: &Definitions) -> Document {
    let count = group.commands.len();
    let entry_size = count.saturating_mul(3).saturating_add(8).saturating_add(group.rest.len());
    Document::object(|out| {
        out.put("group_index", &group.number).put("name", &names.animation_group(group.number));
        out.put("anim_id", &group.animation).put("anim_type", &(group.kind & 0xff));
        out.put("entry_size", &entry_size).put("frame_count", &count);
        out.list("commands", group.commands.iter().copied().map(command_members));
    })
}

impl Asset for AiFile {
    fn describe(&self, detail: Detail) -> Description {
        let (sections, groups) = (self.sections.len(), self.groups().count());
        Description {
            summary: format!(
                "separate script, {}, {}",
                counted(sections, "section", "sections"),
                counted(groups, "animation group", "animation groups")
            ),
            counts: Counts::new()
                .with("sections", sections)
                .with("animation groups", groups)
                .with("animation commands", self.groups().map(|group| group.commands.len()).sum::<usize>()),
            fields: match detail {
                Detail::Brief => Document::default(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, Surroundings::new(context).sound_count(), report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let game = context.clone();
        Ok(Products::new(context, target).with_data(move || self.to_json(&GameNames::of_game(&game).names)))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed_with_blobs(self, &mut |path, bytes| self.blob_name(path, bytes)).map(drop)
    }
}

impl AiFile {
    /// Returns the name of the blob for some bytes; `None` if they stay in the record.
    fn blob_name(&self, path: &[Step<'_>], bytes: &[u8]) -> Option<String> {
        if bytes.len() <= MAX_INLINE {
            return None;
        }
        match path {
            [Step::Member("sections"), Step::Item(index), .., Step::Member(member)] => {
                let tag = match self.sections.get(*index)? {
                    Section::Groups(_) => layout::GROUPS,
                    Section::Other { tag, .. } => tag.0,
                };
                let suffix = if *member == "data" { String::new() } else { format!("-{member}") };
                Some(format!("{index:02}-{}{suffix}.bin", tag.escape_ascii()))
            }
            [Step::Member("rest")] => Some("rest.bin".to_owned()),
            _ => None,
        }
    }
}
