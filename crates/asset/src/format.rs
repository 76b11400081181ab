//! What a format and a game declare about themselves. Everything else walks these lists.

use std::fmt;

use record::{Error, Source};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::archive::Archives;
use crate::asset::Asset;
use crate::charset::Charset;
use crate::option::FormatOption;
use crate::report::{Code, Report};
use crate::sink::Sink;
use crate::unpack::Unpacked;

/// A game: how its folder is recognised and which formats its files have.
#[derive(Debug)]
pub struct Game {
    /// Short and stable, like `scpcb`.
    pub id: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// How file names and texts inside its files are encoded.
    pub charset: Charset,
    /// Its formats.
    pub formats: &'static [&'static Format],
    /// Paths of which one marks a folder as this game's root, like `GFX/map`. Letter case does not matter.
    /// A path that is unlikely elsewhere: every folder above an input is asked for it.
    pub markers: &'static [&'static str],
    /// How it keeps its files in containers; `None` when they all stand in folders.
    pub archives: Option<&'static Archives>,
    /// Files it has that are not read, and why: those without a public layout, and those that any program opens.
    pub known: &'static [Known],
    /// Writes a small sample of the game, made by our own writers.
    pub sample: fn(&mut dyn Sink) -> Result<(), Error>,
}

/// Files of a game that are not read, though it is known what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Known {
    /// What they are called, without folders: a name or a pattern with `*` and `?`, in which letter case does not matter.
    pub pattern: &'static str,
    /// What they are and why they are not read, in a few words: `Smacker movie; any player shows it`.
    pub about: &'static str,
}

/// A kind of file: how it is recognised, opened, packed, and what can be done with it.
#[derive(Debug)]
pub struct Format {
    /// Game and format, like `scpcb.rmesh`.
    pub id: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// The [id](Game::id) of the game it belongs to.
    pub game: &'static str,
    /// Usual file extensions, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// What can be done with it.
    pub can: &'static [Can],
    /// Whether the content looks like this format, and how surely. `None` leaves it to the extension, which makes it
    /// [possible](Score::POSSIBLE); [`Score::NEVER`] says that the extension counts for nothing.
    pub probe: fn(&Probe<'_>) -> Option<Score>,
    /// Reads a file. What is damaged but can be skipped goes into the report.
    pub open: Open,
    /// Puts an unpacked folder together again. `None` when the format cannot be packed.
    pub pack: Option<Pack>,
    /// Makes a file of a scene: a model or a map that was made or edited in another program. `None` when that cannot be done.
    pub import: Option<Import>,
    /// What a file can be converted to; the first is the default.
    pub outputs: &'static [Output],
    /// What can be asked of a conversion or a check.
    pub options: &'static [FormatOption],
    /// Every warning it can raise.
    pub codes: &'static [Code],
}

/// Reads a file of one format.
pub type Open = fn(&Source, &mut Report) -> Result<Box<dyn Asset>, Error>;

/// Puts an unpacked file of one format together again.
pub type Pack = fn(&Unpacked, &mut Report) -> Result<Vec<u8>, Error>;

/// How a file of one format is made of a scene that was read from a glTF file.
#[derive(Debug, Clone, Copy)]
pub struct Import {
    /// The extensions of files that can be made, some of those of the format; the first is the default. They may stand for versions
    /// of the format.
    pub extensions: &'static [&'static str],
    /// Makes the file that has one of these extensions. What it cannot hold goes into the report.
    pub make: MakeOfScene,
}

/// Makes the file that has this extension, in lower case, of a scene.
pub type MakeOfScene = fn(&scene::gltf::Read, &str, &mut Report) -> Result<Vec<u8>, Error>;

impl Format {
    /// Whether something can be done with files of this format.
    #[must_use]
    pub fn can(&self, what: Can) -> bool {
        self.can.contains(&what)
    }

    /// The part of the id after the game: `rmesh` of `scpcb.rmesh`.
    #[must_use]
    pub fn short_id(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(_, short)| short)
    }

    /// The output with this extension (letter case does not matter).
    #[must_use]
    pub fn output(&self, extension: &str) -> Option<&'static Output> {
        self.outputs.iter().find(|output| output.extension.eq_ignore_ascii_case(extension))
    }
}

/// What a table of formats shows: everything that is declared in words.
impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Format", 8)?;
        out.serialize_field("id", self.id)?;
        out.serialize_field("name", self.name)?;
        out.serialize_field("game", self.game)?;
        out.serialize_field("extensions", self.extensions)?;
        out.serialize_field("can", self.can)?;
        out.serialize_field("outputs", self.outputs)?;
        out.serialize_field("options", self.options)?;
        out.serialize_field("codes", self.codes)?;
        out.end()
    }
}

/// A thing that can be done with the files of a format; shown in the table of formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Can {
    /// Read and described.
    Read,
    /// Written, byte for byte as read.
    Write,
    /// Checked for soundness and for references that do not resolve.
    Check,
    /// Converted to a three-dimensional scene.
    Scene,
    /// Converted to pictures.
    Image,
    /// Converted to sound.
    Sound,
    /// Converted to text or tables.
    Text,
    /// Listed and extracted: it holds other files.
    List,
    /// Unpacked into a folder, edited there, and packed again.
    Pack,
    /// Made of a scene file, GLB or glTF.
    Import,
    /// Shown byte by byte with the field each stands in.
    Hex,
}

impl Can {
    /// The word shown in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Check => "check",
            Self::Scene => "scene",
            Self::Image => "image",
            Self::Sound => "sound",
            Self::Text => "text",
            Self::List => "list",
            Self::Pack => "pack",
            Self::Import => "import",
            Self::Hex => "hex",
        }
    }
}

impl fmt::Display for Can {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How surely a file is of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub u8);

impl Score {
    /// It is not of this format, whatever its name says.
    pub const NEVER: Self = Self(0);
    /// Only the name speaks for it.
    pub const POSSIBLE: Self = Self(10);
    /// The content fits, but might be something else.
    pub const LIKELY: Self = Self(50);
    /// The content names the format.
    pub const CERTAIN: Self = Self(100);
}

/// What is known of a file before it is opened.
#[derive(Debug)]
pub struct Probe<'a> {
    /// Its first bytes, at most [`Probe::HEAD`] of them.
    pub head: &'a [u8],
    /// How many bytes it has.
    pub length: u64,
    /// Its name in lower case, without folders; empty when it has none.
    pub name: String,
}

impl<'a> Probe<'a> {
    /// How many bytes a probe sees.
    pub const HEAD: u64 = 4096;

    /// A file with these first bytes, this length, and perhaps a name.
    #[must_use]
    pub fn new(head: &'a [u8], length: u64, name: Option<&str>) -> Self {
        let name = name.and_then(|name| name.rsplit(['/', '\\']).next()).unwrap_or_default();
        Self { head, length, name: name.to_lowercase() }
    }

    /// The extension in lower case, without the dot; empty when there is none.
    #[must_use]
    pub fn extension(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Whether the name ends in one of these extensions (lower case, without the dot).
    #[must_use]
    pub fn has_extension(&self, extensions: &[&str]) -> bool {
        extensions.contains(&self.extension())
    }

    /// Whether the file starts with these bytes.
    #[must_use]
    pub fn starts_with(&self, bytes: &[u8]) -> bool {
        self.head.starts_with(bytes)
    }

    /// Whether these bytes stand at an offset (within what the probe sees).
    #[must_use]
    pub fn has_at(&self, offset: usize, bytes: &[u8]) -> bool {
        self.head.get(offset..).is_some_and(|rest| rest.starts_with(bytes))
    }
}

/// What a file of some format can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Output {
    /// The extension of the file that is written, lower case, without the dot.
    pub extension: &'static str,
    /// What kind of thing it is.
    pub kind: OutputKind,
    /// What stands in it, in a few words.
    pub about: &'static str,
}

/// The kinds of things that conversions write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OutputKind {
    /// A three-dimensional scene.
    Scene,
    /// A picture, still or moving.
    Image,
    /// Sound.
    Sound,
    /// A font.
    Font,
    /// Text for people.
    Text,
    /// Structured data.
    Data,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_knows_the_name_without_folders_in_lower_case() {
        let probe = Probe::new(b"abc", 3, Some("GFX\\map/Room.RMesh"));
        assert_eq!(probe.name, "room.rmesh");
        assert!(probe.has_extension(&["rmesh"]));
        assert!(probe.has_at(1, b"bc"));
        assert!(!probe.has_at(2, b"cd"));
        assert!(!probe.has_at(9, b"x"));
        assert_eq!(Probe::new(b"", 0, None).extension(), "");
    }

    #[test]
    fn content_outranks_a_name() {
        assert!(Score::CERTAIN > Score::LIKELY && Score::LIKELY > Score::POSSIBLE);
    }
}
