//! The contents of a model file, record by record.
//!
//! Little-endian, packed. Names are cp949. Counts are `i32`.
//! Sources: the RSM page of the Ragnarok Research Lab; Tokei, "RSM2 file format!" (rAthena board); what both leave out was settled on
//! real models and on what other readers do.

use record::{Error, Flat, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use super::Name;
use super::Version;

/// More meshes or names in one list than this are refused: real models have at most a few hundred.
pub const MAX_COUNT: usize = 1 << 16;

/// A part of the model that moves as one. Which mesh it moves with says the name of its parent.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[record(context = Version)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// Names may repeat: a parent is the first mesh of that name that is not the child itself.
    #[record(with = context)]
    pub name: Name,
    /// Empty for a root.
    #[record(with = context)]
    pub parent: Name,
    /// Until 2.2: zero-based, into the model's textures. What faces call texture 0 is the first of these.
    #[record(when = context < Version::V2_3, count = i32)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_indices: Option<Vec<i32>>,
    /// Since 2.3: the textures themselves.
    #[record(when = context >= Version::V2_3, count = i32, limit = MAX_COUNT, with = context)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub textures: Option<Vec<Name>>,
    /// Three columns, for column vectors. Until 2.1 for this mesh's vertices alone; since 2.2 from the mesh's space to the model's.
    pub matrix: [[f32; 3]; 3],
    /// Until 2.1: added to the vertices after the matrix.
    #[record(when = context < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<[f32; 3]>,
    /// Until 2.1 in the parent's space; since 2.2 in the model's.
    pub position: [f32; 3],
    /// Until 2.1: radians. Key frames take its place.
    #[record(when = context < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation_angle: Option<f32>,
    /// Until 2.1: what it turns around, of any length.
    #[record(when = context < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation_axis: Option<[f32; 3]>,
    /// Until 2.1: factors, before the rotation.
    #[record(when = context < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    /// Places of corners.
    #[record(count = i32)]
    pub vertices: Vec<[f32; 3]>,
    /// Texture coordinates of corners.
    #[record(count = i32, with = context)]
    pub texture_vertices: Vec<TextureVertex>,
    /// Triangles.
    #[record(count = i32, with = context)]
    pub faces: Vec<Face>,
    /// Since 2.0 (versions 2.0 and 2.1 were never seen): factors over time.
    #[record(when = context >= Version::V2_0, count = i32)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_keys: Option<Vec<VectorKey>>,
    /// Rotations over time, relative to the parent.
    #[record(count = i32)]
    pub rotation_keys: Vec<RotationKey>,
    /// Since 2.2: places over time, relative to the parent.
    #[record(when = context >= Version::V2_2, count = i32)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_keys: Option<Vec<VectorKey>>,
    /// Since 2.3: textures that move.
    #[record(when = context >= Version::V2_3, count = i32)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_animations: Option<Vec<TextureAnimation>>,
}

/// Texture coordinates.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[record(context = Version)]
#[serde(deny_unknown_fields)]
pub struct TextureVertex {
    /// Since 1.2. In what order is not settled, and the game shows nothing of it: all bytes are zero in most of its models.
    #[record(when = context >= Version::V1_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<[u8; 4]>,
    /// v runs down.
    pub uv: [f32; 2],
}

/// A triangle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// Zero-based, into the mesh's vertices.
    pub vertices: [u16; 3],
    /// Zero-based, into the mesh's texture vertices.
    pub texture_vertices: [u16; 3],
    /// Zero-based, into the mesh's own list of textures. The game uses 0 for what does not exist.
    pub texture: u16,
    /// Anything.
    pub padding: u16,
    /// Seen from both sides above 0; only 0 and 1 were seen in models of the game.
    pub two_sided: i32,
    /// Smoothing groups: none in 1.1, one since 1.2, one or more since 2.2. The first counts.
    pub groups: Groups,
}

/// The smoothing groups of a face.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<i32>", into = "Vec<i32>")]
pub struct Groups {
    first: Option<i32>,
    /// Few faces have more, so nothing is allocated for most.
    more: Vec<i32>,
}

impl Groups {
    /// One group.
    #[must_use]
    pub fn one(group: i32) -> Self {
        Self { first: Some(group), more: Vec::new() }
    }

    fn decode(bytes: &[u8]) -> Self {
        let (groups, _) = bytes.as_chunks::<GROUP>();
        match groups.split_first() {
            None => Self::default(),
            Some((first, more)) => Self {
                first: Some(i32::from_le_bytes(*first)),
                more: more.iter().map(|group| i32::from_le_bytes(*group)).collect(),
            },
        }
    }

    /// The smoothing group used for shading: the first, or 0 if there is none.
    #[must_use]
    pub fn shading(&self) -> i32 {
        self.first.unwrap_or(0)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        self.first.iter().chain(&self.more).copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()).saturating_add(self.more.len())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Whether there is more than one, and they differ.
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.more.iter().any(|group| Some(*group) != self.first)
    }
}

impl From<Vec<i32>> for Groups {
    fn from(groups: Vec<i32>) -> Self {
        match groups.split_first() {
            None => Self::default(),
            Some((first, more)) => Self { first: Some(*first), more: more.to_vec() },
        }
    }
}

impl From<Groups> for Vec<i32> {
    fn from(groups: Groups) -> Self {
        groups.iter().collect()
    }
}

/// What a face takes before its smoothing groups.
const FACE: usize = 20;

/// Bytes of a smoothing group.
const GROUP: usize = 4;

impl Face {
    /// Everything but the groups.
    fn decode(bytes: &[u8]) -> Self {
        let (shorts, rest) =
            bytes.split_at_checked(FACE.saturating_sub(size_of::<i32>())).unwrap_or_default();
        let [a, b, c, d, e, f, texture, padding] = <[u16; 8]>::decode::<false>(shorts);
        Self {
            vertices: [a, b, c],
            texture_vertices: [d, e, f],
            texture,
            padding,
            two_sided: i32::decode::<false>(rest),
            groups: Groups::default(),
        }
    }

    /// Likewise field by field, for tracing.
    fn read_fields(reader: &mut Reader<'_>, groups: usize) -> Result<Self> {
        Ok(Self {
            vertices: reader.field("vertices", |reader| Record::read(reader, ()))?,
            texture_vertices: reader.field("texture_vertices", |reader| Record::read(reader, ()))?,
            texture: reader.field("texture", |reader| Record::read(reader, ()))?,
            padding: reader.field("padding", |reader| Record::read(reader, ()))?,
            two_sided: reader.field("two_sided", |reader| Record::read(reader, ()))?,
            groups: reader.field("groups", |reader| i32::read_list(reader, groups, ()))?.into(),
        })
    }
}

/// How many groups a face of this length has. `start` is the offset of the length.
fn group_count(length: i32, start: u64, reader: &Reader<'_>) -> Result<usize> {
    let groups = usize::try_from(length).ok().and_then(|length| length.checked_sub(FACE));
    match groups {
        Some(bytes) if bytes.is_multiple_of(GROUP) => {
            reader.check_count(length, 1, start)?;
            Ok(bytes.checked_div(GROUP).unwrap_or_default())
        }
        _ => Err(Error::malformed(format!(
            "a face has {length} bytes (expected {FACE}, plus {GROUP} per smoothing group)"
        ))
        .at(start)),
    }
}

/// By hand: since 2.2 the length in front of a face tells how many smoothing groups it has, and large models consist of little else, so
/// that a face is read without a list of its own.
impl Record for Face {
    type Context = Version;
    const MIN_SIZE: usize = FACE;

    fn min_size(version: Version) -> usize {
        match version {
            Version::V1_1 => FACE,
            version if version < Version::V2_2 => FACE.saturating_add(GROUP),
            // Its length, and no group: one that is shorter than usual is still a face.
            _ => FACE.saturating_add(size_of::<i32>()),
        }
    }

    fn read(reader: &mut Reader<'_>, version: Version) -> Result<Self> {
        let groups = if version >= Version::V2_2 {
            let start = reader.offset();
            let length: i32 = reader.field("length", |reader| Record::read(reader, ()))?;
            group_count(length, start, reader).map_err(|error| error.in_field("length"))?
        } else {
            usize::from(version >= Version::V1_2)
        };
        if reader.is_tracing() {
            return Self::read_fields(reader, groups);
        }
        let mut face = Self::decode(reader.take(FACE)?);
        face.groups = Groups::decode(reader.take(groups.saturating_mul(GROUP))?);
        Ok(face)
    }

    fn write(&self, writer: &mut Writer, version: Version) -> Result<()> {
        let groups = self.groups.len();
        let fits = match version {
            Version::V1_1 => groups == 0,
            version if version < Version::V2_2 => groups == 1,
            _ => true,
        };
        if !fits {
            let room = usize::from(version != Version::V1_1);
            let message =
                format!("{groups} smoothing groups, but this version of the format supports {room}");
            return Err(Error::usage(message).in_field("groups"));
        }
        if version >= Version::V2_2 {
            let length = groups.saturating_mul(GROUP).saturating_add(FACE);
            writer.count::<i32>(length)?.write(writer, ())?;
        }
        self.vertices.write(writer, ())?;
        self.texture_vertices.write(writer, ())?;
        self.texture.write(writer, ())?;
        self.padding.write(writer, ())?;
        self.two_sided.write(writer, ())?;
        self.groups.iter().try_for_each(|group| group.write(writer, ()))
    }
}

/// A vector at a time: a place or factors.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorKey {
    /// Milliseconds until 2.1, frames since 2.2.
    pub frame: i32,
    /// The vector.
    pub value: [f32; 3],
    /// 32 bits of unknown purpose.
    pub data: u32,
}

/// A rotation at a time.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationKey {
    /// Milliseconds until 2.1, frames since 2.2.
    pub frame: i32,
    /// x, y, z, w; of any length.
    pub quaternion: [f32; 4],
}

/// How one texture of a mesh moves.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureAnimation {
    /// Zero-based, into the mesh's textures.
    pub texture: i32,
    /// What moves, each kind once.
    #[record(count = i32)]
    pub tracks: Vec<TextureTrack>,
}

/// One way in which a texture moves.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureTrack {
    /// 0 and 1 move the texture coordinates along u and v, 2 and 3 multiply u and v, 4 turns them (radians).
    pub kind: i32,
    /// Values over time.
    #[record(count = i32)]
    pub keys: Vec<TextureKey>,
}

/// A number at a time.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureKey {
    /// Frames.
    pub frame: i32,
    /// The number.
    pub value: f32,
}

/// A box of which the game shows nothing.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[record(context = Version)]
#[serde(deny_unknown_fields)]
pub struct VolumeBox {
    /// Along its axes.
    pub size: [f32; 3],
    /// In the model's space.
    pub position: [f32; 3],
    /// Around the axes.
    pub rotation: [f32; 3],
    /// Since 1.3.
    #[record(when = context >= Version::V1_3)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<i32>,
}
