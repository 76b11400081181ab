//! Records of a model file.
//!
//! Little-endian, without padding. Names are in cp949. Counts are `i32`.
//! Sources: the RSM page of the Ragnarok Research Lab; Tokei, "RSM2 file format!" (rAthena board). Details that both omit were determined
//! from real models and other readers.

use record::schema::Schema;
use record::{Error, Flat, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use super::Name;
use super::Version;

/// Maximum number of meshes or names in a list. Real models have at most a few hundred.
pub const MAX_COUNT: usize = 1 << 16;

/// A part of the model that moves as a unit. Its parent is another mesh, referenced by name.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[record(context = Version)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// Name, which need not be unique: a parent is the first mesh with its name that is not the child itself.
    #[record(with = context)]
    pub name: Name,
    /// Name of the parent. Empty for a root.
    #[record(with = context)]
    pub parent: Name,
    /// Until 2.2: zero-based indices into the model's textures. The texture indices of faces refer to this list.
    #[record(when = context < Version::V2_3, count = i32)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_indices: Option<Vec<i32>>,
    /// Since 2.3: texture file names. The texture indices of faces refer to this list.
    #[record(when = context >= Version::V2_3, count = i32, limit = MAX_COUNT, with = context)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub textures: Option<Vec<Name>>,
    /// Matrix of three columns, for column vectors. Until 2.1, it applies only to the vertices of this mesh; since 2.2, it maps the mesh's
    /// space to the model's space.
    pub matrix: [[f32; 3]; 3],
    /// Until 2.1: translation of the vertices, applied after the matrix.
    #[record(when = context < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<[f32; 3]>,
    /// Position: until 2.1 in the parent's space, since 2.2 in the model's space.
    pub position: [f32; 3],
    /// Until 2.1: rotation angle in radians. Ignored if there are rotation keys.
    #[record(when = context < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation_angle: Option<f32>,
    /// Until 2.1: rotation axis of any length.
    #[record(when = context < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation_axis: Option<[f32; 3]>,
    /// Until 2.1: scale factors, applied before the rotation.
    #[record(when = context < Version::V2_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    /// Vertex positions.
    #[record(count = i32)]
    pub vertices: Vec<[f32; 3]>,
    /// Texture coordinates of vertices.
    #[record(count = i32, with = context)]
    pub texture_vertices: Vec<TextureVertex>,
    /// Triangles.
    #[record(count = i32, with = context)]
    pub faces: Vec<Face>,
    /// Since 2.0 (no files of 2.0 and 2.1 are known): scale factors over time.
    #[record(when = context >= Version::V2_0, count = i32)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_keys: Option<Vec<VectorKey>>,
    /// Rotations over time, relative to the parent.
    #[record(count = i32)]
    pub rotation_keys: Vec<RotationKey>,
    /// Since 2.2: positions over time, relative to the parent.
    #[record(when = context >= Version::V2_2, count = i32)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_keys: Option<Vec<VectorKey>>,
    /// Since 2.3: texture animations.
    #[record(when = context >= Version::V2_3, count = i32)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_animations: Option<Vec<TextureAnimation>>,
}

/// Texture coordinates.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[record(context = Version)]
#[serde(deny_unknown_fields)]
pub struct TextureVertex {
    /// Since 1.2: color in an unknown channel order, ignored by the game. In most models of the game, all bytes are zero.
    #[record(when = context >= Version::V1_2)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<[u8; 4]>,
    /// Texture coordinates, with v pointing down.
    pub uv: [f32; 2],
}

/// A triangle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// Zero-based indices into the mesh's vertices.
    pub vertices: [u16; 3],
    /// Zero-based indices into the mesh's texture vertices.
    pub texture_vertices: [u16; 3],
    /// Zero-based index into the mesh's list of textures. The game uses 0 for an invalid index.
    pub texture: u16,
    /// Padding with any value.
    pub padding: u16,
    /// Positive if the face is two-sided. Models of the game contain only 0 and 1.
    pub two_sided: i32,
    /// Smoothing groups: none in 1.1, one since 1.2, one or more since 2.2. The first one is used.
    pub groups: Groups,
}

/// The smoothing groups of a face.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<i32>", into = "Vec<i32>")]
pub struct Groups {
    first: Option<i32>,
    /// Further groups. Few faces have any, so usually nothing is allocated.
    more: Vec<i32>,
}

impl Groups {
    /// Creates a list of one group.
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

    /// Iterates over all groups in order.
    pub fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        self.first.iter().chain(&self.more).copied()
    }

    /// Number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()).saturating_add(self.more.len())
    }

    /// Whether there are no groups.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Whether there are several groups that differ.
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

/// Size of a face before its smoothing groups, in bytes.
const FACE: usize = 20;

/// Size of a smoothing group in bytes.
const GROUP: usize = 4;

impl Face {
    /// Decodes everything except the groups.
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
}

/// Returns the number of groups of a face of the given length. `start` is the offset of the length.
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

/// A face as stored.
#[derive(Record)]
#[record(context = Version)]
enum StoredFace {
    /// 1.1: no smoothing groups.
    #[record(when = context < Version::V1_2)]
    Plain(FaceFields),
    /// Since 1.2: one smoothing group.
    #[record(when = context < Version::V2_2)]
    Grouped {
        #[record(inline)]
        fields: FaceFields,
        /// The smoothing group.
        groups: [i32; 1],
    },
    /// Since 2.2: the length of the face in bytes, and any number of smoothing groups.
    Counted {
        /// Length of the face in bytes, without this field.
        length: i32,
        #[record(inline)]
        fields: FaceFields,
        /// The smoothing groups.
        #[record(count = (length - 20) / 4)]
        groups: Vec<i32>,
    },
}

/// The fields of a face before its smoothing groups.
#[derive(Record)]
struct FaceFields {
    /// Zero-based indices into the mesh's vertices.
    vertices: [u16; 3],
    /// Zero-based indices into the mesh's texture vertices.
    texture_vertices: [u16; 3],
    /// Zero-based index into the mesh's list of textures. The game uses 0 for an invalid index.
    texture: u16,
    /// Padding with any value.
    padding: u16,
    /// Positive if the face is two-sided. Models of the game contain only 0 and 1.
    two_sided: i32,
}

impl From<StoredFace> for Face {
    fn from(stored: StoredFace) -> Self {
        let (fields, groups) = match stored {
            StoredFace::Plain(fields) => (fields, Vec::new()),
            StoredFace::Grouped { fields, groups } => (fields, groups.to_vec()),
            StoredFace::Counted { fields, groups, .. } => (fields, groups),
        };
        let FaceFields { vertices, texture_vertices, texture, padding, two_sided } = fields;
        Self { vertices, texture_vertices, texture, padding, two_sided, groups: groups.into() }
    }
}

/// Implemented by hand: since 2.2, the length before a face determines the number of its smoothing groups. Large models consist mostly of
/// faces, so a face is read without allocating a list.
impl Record for Face {
    type Context = Version;
    const MIN_SIZE: usize = FACE;

    fn min_size(version: Version) -> usize {
        match version {
            Version::V1_1 => FACE,
            version if version < Version::V2_2 => FACE.saturating_add(GROUP),
            // The length and no groups, because a face without groups is valid.
            _ => FACE.saturating_add(size_of::<i32>()),
        }
    }

    fn read(reader: &mut Reader<'_>, version: Version) -> Result<Self> {
        if reader.is_tracing() {
            return StoredFace::read(reader, version).map(Self::from);
        }
        let groups = if version >= Version::V2_2 {
            let start = reader.offset();
            let length: i32 = reader.field("length", |reader| Record::read(reader, ()))?;
            group_count(length, start, reader).map_err(|error| error.in_field("length"))?
        } else {
            usize::from(version >= Version::V1_2)
        };
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
            let supported = usize::from(version != Version::V1_1);
            let message =
                format!("{groups} smoothing groups, but this version of the format supports {supported}");
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

    fn schema() -> Schema {
        StoredFace::schema()
    }
}

/// A keyframe with a vector: a position or scale factors.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorKey {
    /// Time: milliseconds until 2.1, frames since 2.2.
    pub frame: i32,
    /// The vector.
    pub value: [f32; 3],
    /// 32 bits of unknown purpose.
    pub data: u32,
}

/// A keyframe with a rotation.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationKey {
    /// Time: milliseconds until 2.1, frames since 2.2.
    pub frame: i32,
    /// Quaternion (x, y, z, w) of any length.
    pub quaternion: [f32; 4],
}

/// The animation of one texture of a mesh.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureAnimation {
    /// Zero-based index into the mesh's textures.
    pub texture: i32,
    /// Tracks, at most one of each kind.
    #[record(count = i32)]
    pub tracks: Vec<TextureTrack>,
}

/// A track of a texture animation.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureTrack {
    /// Animated property: 0 and 1 translation along u and v, 2 and 3 scale of u and v, 4 rotation (radians).
    pub kind: i32,
    /// Values over time.
    #[record(count = i32)]
    pub keys: Vec<TextureKey>,
}

/// A keyframe with a number.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureKey {
    /// Time in frames.
    pub frame: i32,
    /// The value.
    pub value: f32,
}

/// A box that is ignored by the game.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[record(context = Version)]
#[serde(deny_unknown_fields)]
pub struct VolumeBox {
    /// Size along the axes of the box.
    pub size: [f32; 3],
    /// Position in the model's space.
    pub position: [f32; 3],
    /// Rotation around the axes.
    pub rotation: [f32; 3],
    /// Since 1.3: flag.
    #[record(when = context >= Version::V1_3)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<i32>,
}
