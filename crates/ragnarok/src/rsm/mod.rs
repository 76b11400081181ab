//! RSM: models of Ragnarok Online, in all known versions.

mod animation;
mod check;
mod convert;
mod describe;
mod import;
mod layout;
mod material;
mod name;
mod normal;
pub mod pose;
mod primitive;
mod scene;
mod single;
#[cfg(test)]
mod tests;
mod texture;
mod unpack;
mod version;
mod warning;

pub use layout::{
    Face, Groups, MAX_COUNT, Mesh, RotationKey, TextureAnimation, TextureKey, TextureTrack, TextureVertex,
    VectorKey, VolumeBox,
};
pub use name::Name;
pub use normal::corner_normals;
pub use scene::ModelOptions;
pub(crate) use texture::as_png as texture_as_png;
pub use version::Version;
pub use warning::CODES;

use std::fmt;

use asset::typed_view::{Unit, UnitField};
use asset::{
    Asset, Context, Description, Detail, Format, Items, NameKind, Names, Offered, Parts, Probe,
    ProductContext, ProductKind, Products, Report, ScenePart, Score, Target,
};
use record::{Bytes, Declared, Error, Reader, Record, Result, Source, Writer, by_hand};
use serde::{Deserialize, Serialize};

/// The model format.
pub static FORMAT: Format = Format::new("ragnarok.rsm", "Ragnarok Online model", open)
    .game("ragnarok")
    .extensions(&["rsm", "rsm2"])
    .probe(probe)
    .pack(unpack::pack)
    .import(asset::Import { extensions: import::EXTENSIONS, options: &[], make: import::import })
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the model with its textures and animation" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .record::<Rsm>()
    .options(ModelOptions::DECLARED)
    .names(
        Names::of_file(NameKind::Model)
            .in_fields(&[("textures", NameKind::Texture), ("meshes.name", NameKind::Node)]),
    )
    .codes(CODES)
    .shared_codes(warning::SHARED);

fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Rsm::read(&source.read_all()?, report)?))
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    (file.starts_with(b"GRSM") || file.starts_with(b"GRSX")).then_some(Score::CERTAIN)
}

/// A model: a hierarchy of meshes with their textures and animations.
#[derive(Declared, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rsm {
    /// Signature at the start of the file.
    pub signature: Signature,
    /// Version, which determines the fields and their meaning.
    pub version: Version,
    /// Length of the looping animation: milliseconds until 2.1, frames since 2.2. If it is not positive, the model is static.
    pub animation_length: i32,
    /// Shading: 0 unlit, 1 flat, 2 smooth.
    pub shade_type: i32,
    /// Since 1.4: opacity. Ignored by the game.
    #[record(when = version >= Version::V1_4)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<u8>,
    /// Since 2.2: frame rate.
    #[record(when = version >= Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames_per_second: Option<f32>,
    /// Until 2.1: zero in all known files.
    #[record(when = version < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved: Option<[u8; 16]>,
    /// Until 2.2: texture file names below `data/texture`.
    #[record(when = version < Version::V2_3, count = i32, with = version)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub textures: Option<Vec<Name>>,
    /// Names of the root meshes. Until 2.1, there is exactly one.
    #[record(with = version, stored_as = StoredRoots)]
    pub roots: Vec<Name>,
    /// All meshes.
    #[record(count = i32, with = version)]
    pub meshes: Vec<Mesh>,
    /// Only in some files of 1.4 and 1.5: a word that is zero.
    #[record(by = tail)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra_word: Option<ExtraWord>,
    /// Until 1.5: keys of the entire model. Ignored by the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_keys: Option<Vec<VectorKey>>,
    /// Boxes that are ignored by the game. Some files end before the list, which is different from an empty list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_boxes: Option<Vec<VolumeBox>>,
    /// Bytes after the end of the model.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub trailing: Bytes,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// The names of the root meshes as stored.
#[derive(Record)]
#[record(context = Version)]
enum StoredRoots {
    /// Until 2.1: one name.
    #[record(when = context < Version::V2_2)]
    One(#[record(with = context)] [Name; 1]),
    /// Since 2.2: any number of names.
    Counted(#[record(count = i32, limit = MAX_COUNT, with = context)] Vec<Name>),
}

/// The signature of a model file.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[record(tag = [u8; 4], unknown = no_signature, show = "{}")]
pub enum Signature {
    /// `GRSM`, the signature of all known files.
    #[record(tag = *b"GRSM")]
    #[default]
    #[serde(rename = "GRSM")]
    Grsm,
    /// `GRSX`, which other readers accept too. No file with it is known.
    #[record(tag = *b"GRSX")]
    #[serde(rename = "GRSX")]
    Grsx,
}

impl Rsm {
    /// Reads a model.
    ///
    /// # Errors
    /// If the file violates the format or has an unknown version.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let model: Self = record::read_whole(bytes, ())?;
        check::read(&model, bytes.len(), report);
        Ok(model)
    }

    /// Writes the model; an unmodified model yields the bytes it was read from.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for a value that the model's version cannot store. The error names the field.
    pub fn write(&self) -> Result<Vec<u8>> {
        record::write_whole(self, ())
    }

    /// Converts the model to another version. Its poses stay the same as far as that version allows. Losses are reported.
    #[must_use]
    pub fn to_version(&self, version: Version, report: &mut Report) -> Self {
        if version == self.version { self.clone() } else { convert::to_version(self, version, report) }
    }

    /// Shortens names that are too long for the game, in versions with names of a fixed length.
    fn shorten_names(&mut self, report: &mut Report) -> convert::ShortNames {
        if self.version.has_fixed_names() {
            convert::ShortNames::apply(self, report)
        } else {
            convert::ShortNames::default()
        }
    }

    /// Number of triangles.
    #[must_use]
    pub fn face_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.faces.len()).sum()
    }

    /// Iterates over the textures that the faces of a mesh refer to by index. `None` for a texture that the model does not have.
    pub fn textures_of<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = Option<&'a Name>> {
        let own = mesh.textures.iter().flat_map(|list| list.iter()).map(Some);
        let model = self.textures.as_ref();
        let indices = mesh.texture_indices.iter().flatten();
        own.chain(indices.map(move |index| model?.get(usize::try_from(*index).ok()?)))
    }
}

/// Implemented by hand: 1.5 has two possible ends, which are tried, and an extra word in one of two positions.
#[by_hand(VectorKey, VolumeBox)]
impl Record for Rsm {
    type Context = ();
    const MIN_SIZE: usize = 14;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let signature = reader.field("signature", |reader| Signature::read(reader, ()))?;
        let version = reader.field("version", |reader| Version::read(reader, ()))?;
        let animation_length = reader.field("animation_length", |reader| i32::read(reader, ()))?;
        let shade_type = reader.field("shade_type", |reader| i32::read(reader, ()))?;
        let mut model = Self { signature, version, animation_length, shade_type, ..Self::new(version) };
        if let Some(alpha) = &mut model.alpha {
            *alpha = reader.field("alpha", |reader| u8::read(reader, ()))?;
        }
        if let Some(frames) = &mut model.frames_per_second {
            *frames = reader.field("frames_per_second", |reader| f32::read(reader, ()))?;
        }
        if let Some(reserved) = &mut model.reserved {
            *reserved = reader.field("reserved", |reader| Record::read(reader, ()))?;
        }
        if let Some(textures) = &mut model.textures {
            *textures = reader.field("textures", |reader| limited(reader, version))?;
        }
        model.roots = reader.field("roots", |reader| match StoredRoots::read(reader, version)? {
            StoredRoots::One(root) => Ok(root.into()),
            StoredRoots::Counted(roots) => Ok(roots),
        })?;
        model.meshes = reader.field("meshes", |reader| limited(reader, version))?;
        let word = version == Version::V1_5 && word_comes_first(reader);
        model.read_tail(reader, word)?;
        Ok(model)
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let (version, empty) = (self.version, Self::new(self.version));
        self.signature.write(writer, ())?;
        version.write(writer, ())?;
        self.animation_length.write(writer, ())?;
        self.shade_type.write(writer, ())?;
        let put = |writer: &mut Writer, bytes: &[u8]| -> Result<()> {
            writer.put(bytes);
            Ok(())
        };
        optional(writer, "alpha", self.alpha.as_ref(), empty.alpha.is_some(), |writer, alpha| {
            put(writer, &[*alpha])
        })?;
        let (rate, has_rate) = (self.frames_per_second.as_ref(), empty.frames_per_second.is_some());
        optional(writer, "frames_per_second", rate, has_rate, |writer, rate| rate.write(writer, ()))?;
        optional(
            writer,
            "reserved",
            self.reserved.as_ref(),
            empty.reserved.is_some(),
            |writer, reserved| put(writer, reserved),
        )?;
        optional(
            writer,
            "textures",
            self.textures.as_ref(),
            empty.textures.is_some(),
            |writer, textures| writer.counted::<i32, _>(textures, version),
        )?;
        writer.field("roots", |writer| self.write_roots(writer))?;
        writer.field("meshes", |writer| writer.counted::<i32, _>(&self.meshes, version))?;
        self.write_tail(writer)
    }
}

/// Reads a list with its length before it, with at most [`MAX_COUNT`] items.
fn limited<T: Record<Context = Version>>(reader: &mut Reader<'_>, version: Version) -> Result<Vec<T>> {
    let start = reader.offset();
    let count: i32 = reader.read_count()?;
    let count = reader.check_count(count, T::min_size(version), start)?;
    reader.check_limit(count, MAX_COUNT, start)?;
    T::read_list(reader, count, version)
}

/// Writes a field that only some versions have.
fn optional<T>(
    writer: &mut Writer,
    name: &'static str,
    value: Option<&T>,
    is_supported: bool,
    write: impl FnOnce(&mut Writer, &T) -> Result<()>,
) -> Result<()> {
    writer.field(name, |writer| match (value, is_supported) {
        (Some(value), true) => write(writer, value),
        (None, false) => Ok(()),
        (None, true) => Err(Error::usage("missing, but required by this version of the format")),
        (Some(_), false) => Err(Error::usage("not supported by this version of the format")),
    })
}

/// Whether the extra word of 1.5 is before the model's keys. This is the case only if the file ends exactly with this layout, and not with
/// the other one.
fn word_comes_first(reader: &Reader<'_>) -> bool {
    let left = |word_first: bool| {
        let mut ahead = Reader::new(reader.rest());
        let mut model = Rsm::new(Version::V1_5);
        model.read_keys_and_boxes(&mut ahead, word_first).map(|()| ahead.remaining())
    };
    match left(false) {
        Ok(4) => false,
        _ => left(true).is_ok_and(|left| left == 0),
    }
}

impl Rsm {
    /// Creates an empty model that has all fields of its version.
    #[must_use]
    pub fn new(version: Version) -> Self {
        Self {
            signature: Signature::Grsm,
            version,
            animation_length: 0,
            shade_type: 2,
            alpha: (version >= Version::V1_4).then_some(255),
            frames_per_second: version.is_absolute().then_some(30.0),
            reserved: (!version.is_absolute()).then_some([0; 16]),
            textures: (!version.has_mesh_textures()).then(Vec::new),
            roots: Vec::new(),
            meshes: Vec::new(),
            extra_word: (version == Version::V1_5).then_some(ExtraWord::AtEnd(0)),
            model_keys: (version < Version::V2_0).then(Vec::new),
            volume_boxes: Some(Vec::new()),
            trailing: Bytes::default(),
        }
    }

    fn read_tail(&mut self, reader: &mut Reader<'_>, word_first: bool) -> Result<()> {
        self.read_keys_and_boxes(reader, word_first)?;
        let ends_with_word = match self.version {
            Version::V1_4 => reader.rest() == [0; 4],
            Version::V1_5 => !word_first && reader.remaining() == 4,
            _ => false,
        };
        if ends_with_word {
            let word = reader.field("extra_word", |reader| i32::read(reader, ()))?;
            self.extra_word = Some(ExtraWord::AtEnd(word));
        }
        self.trailing = reader.field("trailing", |reader| Bytes::read(reader, ()))?;
        Ok(())
    }

    fn read_keys_and_boxes(&mut self, reader: &mut Reader<'_>, word_first: bool) -> Result<()> {
        self.extra_word = None;
        if word_first {
            let word = reader.field("extra_word", |reader| i32::read(reader, ()))?;
            self.extra_word = Some(ExtraWord::BeforeModelKeys(word));
        }
        if let Some(keys) = &mut self.model_keys {
            *keys = reader.field("model_keys", |reader| reader.counted::<i32, VectorKey>(()))?;
        }
        let version = self.version;
        self.volume_boxes = if reader.is_at_end() {
            None
        } else {
            Some(reader.field("volume_boxes", |reader| reader.counted::<i32, _>(version))?)
        };
        Ok(())
    }

    fn write_roots(&self, writer: &mut Writer) -> Result<()> {
        if self.version.is_absolute() {
            return writer.counted::<i32, _>(&self.roots, self.version);
        }
        match &*self.roots {
            [root] => root.write(writer, self.version).map_err(|error| error.in_item(0)),
            roots => Err(Error::usage(format!(
                "{} roots, but this version of the format supports only one",
                roots.len()
            ))),
        }
    }

    fn write_tail(&self, writer: &mut Writer) -> Result<()> {
        let is_supported = match self.extra_word {
            None => true,
            Some(ExtraWord::AtEnd(0)) => matches!(self.version, Version::V1_4 | Version::V1_5),
            Some(_) => self.version == Version::V1_5,
        };
        if !is_supported {
            let message = "only supported by version 1.5, and by 1.4 as a zero at the end of the file";
            return Err(Error::usage(message).in_field("extra_word"));
        }
        if let Some(ExtraWord::BeforeModelKeys(word)) = self.extra_word {
            word.write(writer, ())?;
        }
        let has_keys = self.version < Version::V2_0;
        optional(writer, "model_keys", self.model_keys.as_ref(), has_keys, |writer, keys| {
            writer.counted::<i32, _>(keys, ())
        })?;
        let at_end = match self.extra_word {
            Some(ExtraWord::AtEnd(word)) => Some(word),
            _ => None,
        };
        match &self.volume_boxes {
            Some(boxes) => {
                writer.field("volume_boxes", |writer| writer.counted::<i32, _>(boxes, self.version))?;
            }
            None if at_end.is_some() || !self.trailing.is_empty() => {
                let message =
                    "trailing bytes need volume boxes before them: they would be read as volume boxes";
                return Err(Error::usage(message).in_field("volume_boxes"));
            }
            None => {}
        }
        at_end.map_or(Ok(()), |word| word.write(writer, ()))?;
        writer.put(&self.trailing);
        Ok(())
    }
}

impl Asset for Rsm {
    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn items(&self) -> Items {
        describe::items(self)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        Some(format!("meshes[{}]", part.number("mesh")?))
    }

    fn unit_fields(&self) -> &'static [UnitField] {
        const FIELDS: [UnitField; 1] = [UnitField {
            owner: "meshes/*",
            stored: "rotation_angle",
            name: "degrees",
            unit: Unit::DEGREES_OF_RADIANS,
        }];
        &FIELDS
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let scene_context = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            Ok(scene::to_scene(self, &scene_context, target.name, target.scale, making.report))
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, context, parts, report)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Grsm => "GRSM",
            Self::Grsx => "GRSX",
        })
    }
}

fn no_signature(found: &[u8; 4]) -> Error {
    let found = Bytes::from(&found[..]);
    Error::malformed(format!("expected the signature \"GRSM\", found {found}"))
}

/// An extra word in some files of 1.4 and 1.5, and its position. For 1.5, sources differ; the position with which the file ends exactly is
/// used. In 1.4, it is a zero at the end, which one exporter writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtraWord {
    /// Before the model's keys.
    BeforeModelKeys(i32),
    /// At the end of the file.
    AtEnd(i32),
}
