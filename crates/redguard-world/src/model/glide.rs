//! Models of the Glide renderer, v4.0 and v5.0: a 64-byte header, then parts located by offsets.
//!
//! Sources: redguard-preservation's documentation of the format and its disassembly of RGFX.EXE; uesp/redguard-3dfiletest;
//! RGUnity/redguard-unity.

use record::{
    Declared, Error, Kind, Layout, LayoutReader, LayoutWriter, Reader, Record, Result, Writer, by_hand,
};
use serde::{Deserialize, Serialize};

use super::layout::{
    Corner, Normals, Triple, VertexPositions, Width, check_corners, offset, offset_of, same_length,
};
use super::version::Version;

/// A model of the Glide renderer.
#[derive(Declared, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glide {
    /// The first 64 bytes. Counts and offsets are recomputed when writing.
    pub header: Header,
    /// Faces with three or more corners.
    #[record(by = parts_at_offsets)]
    pub faces: Vec<Face>,
    /// Vertex positions in the first frame, in 256ths of a world unit.
    pub vertices: Vec<Triple>,
    /// Outward face normals in the first frame, in 256ths.
    pub face_normals: Vec<Triple>,
    /// Frame table; a static model has one entry.
    pub frames: Vec<Frame>,
    /// Vertices and normals of the frames after the first.
    pub poses: Vec<Pose>,
    /// Section 4: bounding spheres of groups of faces, for collision detection.
    pub nodes: Vec<Node>,
    /// Normal of each corner; `None` when corners use the normals of their vertices.
    #[serde(deserialize_with = "Option::deserialize")]
    pub normal_indices: Option<Vec<NormalRef>>,
    /// Vertex normals; NaN means flat shading.
    pub vertex_normals: Vec<[f32; 3]>,
    /// Locations of the parts.
    pub layout: Layout,
}

/// The first 64 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// `v4.0` or `v5.0`.
    pub version: Version,
    /// Number of vertices.
    pub num_vertices: u32,
    /// Number of faces.
    pub num_faces: u32,
    /// Collision radius, in 256ths.
    pub radius: u32,
    /// Number of frames.
    pub num_frames: u32,
    /// Offset of the frame table.
    pub offset_frame_data: u32,
    /// Total number of corners of all faces.
    pub total_face_vertices: u32,
    /// Offset of section 4; 0 if absent.
    pub offset_section4: u32,
    /// Number of nodes in section 4.
    pub section4_count: u32,
    /// Zero.
    pub unused_24: u32,
    /// Offset of the corner normal table; 0 if absent.
    pub offset_normal_indices: u32,
    /// Offset of the vertex normals.
    pub offset_vertex_normals: u32,
    /// Offset of the vertices of the first frame.
    pub offset_vertex_coords: u32,
    /// Offset of the face normals of the first frame.
    pub offset_face_normals: u32,
    /// Duplicate of the number of corners.
    pub total_face_vertices_dup: u32,
    /// Offset of the faces: 64.
    pub offset_face_data: u32,
}

/// A face.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// Number of corners.
    pub corner_count: u8,
    /// Four times this value is added to the lighting of the face.
    pub brightness: u8,
    /// A solid color, or bank and image: see [`FaceTexture`](super::FaceTexture).
    pub texture: u32,
    /// Zero.
    pub unused: u32,
    /// The corners.
    #[record(count = corner_count)]
    pub corners: Vec<Corner>,
}

/// An entry of the frame table.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[record(flat)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Offset of the frame's vertices.
    pub offset_vertices: u32,
    /// Offset of the frame's face normals.
    pub offset_normals: u32,
    /// Zero.
    pub reserved: u32,
    /// Frame encoding; only the value of the first frame is used.
    pub kind: u32,
}

/// Vertices and normals of a frame after the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pose {
    /// Vertex positions.
    pub vertices: VertexPositions,
    /// Face normals.
    pub normals: Normals,
}

/// A collision node of section 4.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Center of the sphere, in 256ths.
    pub center: Triple,
    /// Radius of the sphere, in 256ths.
    pub radius: u32,
    /// Bounding box of the faces; only in v5.0.
    #[serde(deserialize_with = "Option::deserialize")]
    pub extents: Option<[f32; 3]>,
    /// Faces of the node; some models list a face twice or omit some.
    pub faces: Vec<FaceRef>,
}

/// A reference from a node to a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaceRef {
    /// Four times the face index.
    pub face_times_4: u16,
    /// The stored offset, if it differs from the actual offset of the face.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// A reference from a corner to a normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NormalRef {
    /// Index of a vertex normal.
    Number(u32),
    /// An offset that is not the start of a vertex normal.
    Dangling {
        /// Offset from the start of the file.
        offset: u32,
    },
}

/// A face reference as stored.
#[derive(Record, Clone, Copy)]
#[record(flat)]
struct RawRef {
    offset: u32,
    face_times_4: u16,
}

/// Size of a vertex or a normal in bytes.
const TRIPLE: u32 = 12;
/// Sizes of a face without its corners and of a corner, in bytes.
const FACE: (u64, u64) = (10, 8);

/// Encoding of the frames after the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameEncoding {
    pub(super) width: Width,
    packed: bool,
    /// Whether deltas are in world units instead of 256ths.
    pub(super) in_world_units: bool,
}

impl FrameEncoding {
    /// Decodes the `kind` of a frame. The low four bits are the encoding; bit 4 selects world units.
    pub(super) fn new(kind: u32) -> Option<Self> {
        let in_world_units = kind & 0x10 != 0;
        match kind & !0x10 {
            0 => Some(Self { width: Width::Long, packed: false, in_world_units: false }),
            1 => Some(Self { width: Width::Byte, packed: true, in_world_units: true }),
            2 => Some(Self { width: Width::Word, packed: true, in_world_units }),
            4 => Some(Self { width: Width::Long, packed: true, in_world_units: false }),
            _ => None,
        }
    }
}

/// Whether the frame kind denotes a model with a single frame.
const fn is_single(kind: u32) -> bool {
    kind & !0x10 == SINGLE
}

/// Frame kind of a model with a single frame.
pub(super) const SINGLE: u32 = 8;

/// Implemented by hand: parts are located by offsets and keep their locations; nodes and normals contain offsets into other parts.
#[by_hand(Face, Frame)]
impl Record for Glide {
    type Context = ();
    const MIN_SIZE: usize = Header::MIN_SIZE;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let mut layout = LayoutReader::new(reader);
        let header: Header = reader.field("header", |reader| Header::read(reader, ()))?;
        layout.inline(reader);
        let faces_at = offset(header.offset_face_data);
        let faces: Vec<Face> = layout.read(reader, "faces", faces_at, None, |reader| {
            reader.field("faces", |reader| reader.list(header.num_faces, ()))
        })?;
        let starts = face_starts(faces_at, &faces);
        for (index, (face, start)) in faces.iter().zip(&starts).enumerate() {
            check_corners(face.corners.len(), index, *start).map_err(|error| error.in_field("faces"))?;
        }
        let vertices =
            layout.read(reader, "vertices", offset(header.offset_vertex_coords), None, |reader| {
                reader.field("vertices", |reader| reader.list(header.num_vertices, ()))
            })?;
        let normals_at = offset(header.offset_face_normals);
        let face_normals = layout.read(reader, "face_normals", normals_at, None, |reader| {
            reader.field("face_normals", |reader| reader.list(header.num_faces, ()))
        })?;
        let frames_at = offset(header.offset_frame_data);
        let frames: Vec<Frame> = layout.read(reader, "frames", frames_at, None, |reader| {
            reader.field("frames", |reader| reader.list(header.num_frames, ()))
        })?;
        let poses = read_poses(reader, &mut layout, &header, &frames)?;
        let nodes = if header.offset_section4 == 0 || header.section4_count == 0 {
            Vec::new()
        } else {
            layout.read(reader, "nodes", offset(header.offset_section4), None, |reader| {
                reader.field("nodes", |reader| read_nodes(reader, &header, &starts))
            })?
        };
        let (normal_indices, normal_count) = if header.offset_normal_indices == 0 {
            (None, header.num_vertices)
        } else {
            let at = offset(header.offset_normal_indices);
            let table: Vec<u32> = layout.read(reader, "normal_indices", at, None, |reader| {
                reader.field("normal_indices", |reader| reader.list(header.total_face_vertices, ()))
            })?;
            let relative = |at: &u32| at.checked_sub(header.offset_vertex_normals);
            let last = table.iter().filter_map(relative).max();
            let count = last.map_or(0, |last| (last / TRIPLE).saturating_add(1));
            let to_ref = |at: &u32| match relative(at) {
                Some(from) if from.is_multiple_of(TRIPLE) => NormalRef::Number(from / TRIPLE),
                _ => NormalRef::Dangling { offset: *at },
            };
            (Some(table.iter().map(to_ref).collect()), count)
        };
        let at = offset(header.offset_vertex_normals);
        let vertex_normals = layout.read(reader, "vertex_normals", at, None, |reader| {
            reader.field("vertex_normals", |reader| reader.list(normal_count, ()))
        })?;
        let layout = layout.finish(reader);
        Ok(Self {
            header,
            faces,
            vertices,
            face_normals,
            frames,
            poses,
            nodes,
            normal_indices,
            vertex_normals,
            layout,
        })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let later_frames = self.frames.len().saturating_sub(1);
        same_length("face_normals", self.face_normals.len(), self.faces.len())?;
        same_length("poses", self.poses.len(), if self.is_single() { 0 } else { later_frames })?;
        let (mut header, mut frames) = (self.header, self.frames.clone());
        header.num_vertices = writer.count(self.vertices.len())?;
        header.num_faces = writer.count(self.faces.len())?;
        header.num_frames = writer.count(self.frames.len())?;
        if !self.nodes.is_empty() {
            header.section4_count = writer.count(self.nodes.len())?;
        }
        if let Some(table) = &self.normal_indices {
            header.total_face_vertices = writer.count(table.len())?;
        }
        let mut parts = LayoutWriter::new(writer, &self.layout);
        parts.part(writer, "", 0, |writer| header.write(writer, ()))?;
        parts.part(writer, "faces", 1, |writer| {
            writer.field("faces", |writer| Face::write_list(&self.faces, writer, ()))
        })?;
        parts.part(writer, "vertices", 2, |writer| Triple::write_list(&self.vertices, writer, ()))?;
        parts.part(writer, "face_normals", 3, |writer| Triple::write_list(&self.face_normals, writer, ()))?;
        parts.part(writer, "frames", 4, |writer| Frame::write_list(&frames, writer, ()))?;
        for (index, pose) in self.poses.iter().enumerate() {
            let in_pose = |error: Error| error.in_item(index).in_field("poses");
            same_length("vertices", pose.vertices.len(), self.vertices.len()).map_err(in_pose)?;
            same_length("normals", pose.normals.len(), self.faces.len()).map_err(in_pose)?;
            parts.part(writer, vertices_of(index), 5, |writer| pose.vertices.write(writer))?;
            parts.part(writer, normals_of(index), 5, |writer| pose.normals.write(writer))?;
        }
        if !self.nodes.is_empty() {
            parts.part(writer, "nodes", 6, |writer| self.write_nodes(writer, &[]))?;
        }
        if self.normal_indices.is_some() {
            parts.part(writer, "normal_indices", 7, |writer| self.write_table(writer, 0))?;
        }
        parts.part(writer, "vertex_normals", 8, |writer| {
            <[f32; 3]>::write_list(&self.vertex_normals, writer, ())
        })?;
        parts.place()?;

        let at = |name: &str| offset_of(parts.find(name).0);
        let first_is_base = frames.first().is_some_and(|frame| {
            frame.offset_vertices == header.offset_vertex_coords
                && frame.offset_normals == header.offset_face_normals
        });
        header.offset_face_data = at("faces")?;
        header.offset_vertex_coords = at("vertices")?;
        header.offset_face_normals = at("face_normals")?;
        header.offset_frame_data = at("frames")?;
        header.offset_vertex_normals = at("vertex_normals")?;
        if !self.nodes.is_empty() {
            header.offset_section4 = at("nodes")?;
        }
        if self.normal_indices.is_some() {
            header.offset_normal_indices = at("normal_indices")?;
        }
        if let Some(first) = frames.first_mut().filter(|_| first_is_base) {
            first.offset_vertices = header.offset_vertex_coords;
            first.offset_normals = header.offset_face_normals;
        }
        for (index, frame) in frames.iter_mut().skip(1).enumerate() {
            if index < self.poses.len() {
                frame.offset_vertices = at(&vertices_of(index))?;
                frame.offset_normals = at(&normals_of(index))?;
            }
        }
        let starts = face_starts(offset(header.offset_face_data), &self.faces);
        parts.rewrite(writer, "", |writer| header.write(writer, ()))?;
        parts.rewrite(writer, "frames", |writer| Frame::write_list(&frames, writer, ()))?;
        parts.rewrite(writer, "nodes", |writer| self.write_nodes(writer, &starts))?;
        let normals_at = header.offset_vertex_normals;
        parts.rewrite(writer, "normal_indices", |writer| self.write_table(writer, normals_at))?;
        parts.finish(writer)
    }
}

impl Glide {
    /// Creates a model with one frame and no faces.
    pub(super) fn new(version: Version) -> Self {
        Self {
            header: Header { version, ..Header::default() },
            faces: Vec::new(),
            vertices: Vec::new(),
            face_normals: Vec::new(),
            frames: vec![Frame { offset_vertices: 0, offset_normals: 0, reserved: 0, kind: 0 }],
            poses: Vec::new(),
            nodes: Vec::new(),
            normal_indices: None,
            vertex_normals: Vec::new(),
            layout: Layout::default(),
        }
    }

    /// Encoding of the frames after the first; `None` when there are none or the encoding is unknown.
    pub(super) fn frame_encoding(&self) -> Option<FrameEncoding> {
        FrameEncoding::new(self.frames.first()?.kind)
    }

    /// Whether the model has a single frame by its frame kind. Any further entries of the frame table are then ignored.
    pub(super) fn is_single(&self) -> bool {
        self.frames.first().is_some_and(|first| is_single(first.kind))
    }

    fn write_nodes(&self, writer: &mut Writer, starts: &[u64]) -> Result<()> {
        for (index, node) in self.nodes.iter().enumerate() {
            let in_node = |error: Error| error.in_item(index).in_field("nodes");
            node.center.write(writer, ())?;
            node.radius.write(writer, ())?;
            let count: u16 = writer.count(node.faces.len()).map_err(in_node)?;
            count.write(writer, ())?;
            match (self.header.version.has_extents(), node.extents) {
                (true, Some(extents)) => extents.write(writer, ())?,
                (false, None) => {}
                _ => {
                    return Err(in_node(
                        Error::usage(
                            "nodes must have extents in v5.0 and must not have them in other versions",
                        )
                        .in_field("extents"),
                    ));
                }
            }
            for face in &node.faces {
                let relative = starts.get(usize::from(face.face_times_4 / 4)).copied().map(offset_of);
                let offset = match face.offset {
                    Some(offset) => offset,
                    None => relative.transpose()?.unwrap_or_default(),
                };
                RawRef { offset, face_times_4: face.face_times_4 }.write(writer, ())?;
            }
        }
        Ok(())
    }

    fn write_table(&self, writer: &mut Writer, normals_at: u32) -> Result<()> {
        for (corner, index) in self.normal_indices.iter().flatten().enumerate() {
            let offset = match index {
                NormalRef::Number(number)
                    if usize::try_from(*number).is_ok_and(|number| number < self.vertex_normals.len()) =>
                {
                    normals_at.saturating_add(number.saturating_mul(TRIPLE))
                }
                NormalRef::Number(number) => {
                    let count = asset::counted(self.vertex_normals.len(), "vertex normal", "vertex normals");
                    let message = format!("normal index {number} is out of range ({count})");
                    return Err(Error::usage(message).in_item(corner).in_field("normal_indices"));
                }
                NormalRef::Dangling { offset } => *offset,
            };
            offset.write(writer, ())?;
        }
        Ok(())
    }
}

fn vertices_of(pose: usize) -> String {
    format!("poses[{pose}].vertices")
}

fn normals_of(pose: usize) -> String {
    format!("poses[{pose}].normals")
}

/// Offset of each face.
fn face_starts(start: u64, faces: &[Face]) -> Vec<u64> {
    let mut at = start;
    let mut out = Vec::with_capacity(faces.len());
    for face in faces {
        out.push(at);
        let corners = u64::try_from(face.corners.len()).unwrap_or_default();
        at = at.saturating_add(FACE.0).saturating_add(FACE.1.saturating_mul(corners));
    }
    out
}

fn read_poses(
    reader: &mut Reader<'_>,
    layout: &mut LayoutReader,
    header: &Header,
    frames: &[Frame],
) -> Result<Vec<Pose>> {
    let Some(first) = frames.first().filter(|first| frames.len() > 1 && !is_single(first.kind)) else {
        return Ok(Vec::new());
    };
    let encoding = FrameEncoding::new(first.kind).ok_or_else(|| {
        let message = format!("unknown frame kind {:#x}", first.kind);
        Error::new(Kind::Unsupported, message)
            .at(offset(header.offset_frame_data).saturating_add(12))
            .in_field("frames[0].kind")
    })?;
    let mut poses = Vec::new();
    for (index, frame) in frames.iter().skip(1).enumerate() {
        let at = offset(frame.offset_vertices);
        let vertices = layout.read(reader, vertices_of(index), at, None, |reader| {
            in_pose(reader, index, "vertices", |reader| {
                VertexPositions::read(reader, header.num_vertices, encoding.width)
            })
        })?;
        let at = offset(frame.offset_normals);
        let normals = layout.read(reader, normals_of(index), at, None, |reader| {
            in_pose(reader, index, "normals", |reader| {
                Normals::read(reader, header.num_faces, encoding.packed)
            })
        })?;
        poses.push(Pose { vertices, normals });
    }
    Ok(poses)
}

/// Reads a field of a pose.
pub(super) fn in_pose<T>(
    reader: &mut Reader<'_>,
    index: usize,
    name: &'static str,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
) -> Result<T> {
    reader.field("poses", |reader| reader.item(index, |reader| reader.field(name, read)))
}

fn read_nodes(reader: &mut Reader<'_>, header: &Header, starts: &[u64]) -> Result<Vec<Node>> {
    /// Minimum size of a node (no faces, no extents), in bytes.
    const MIN_NODE_SIZE: usize = 18;
    let count = reader.check_count(header.section4_count, MIN_NODE_SIZE, 32)?;
    reader.items(count, |reader| {
        let center = reader.field("center", |reader| Triple::read(reader, ()))?;
        let radius = reader.field("radius", |reader| u32::read(reader, ()))?;
        let count = reader.field("face_count", |reader| u16::read(reader, ()))?;
        let extents = match header.version.has_extents() {
            true => Some(reader.field("extents", |reader| <[f32; 3]>::read(reader, ()))?),
            false => None,
        };
        let raw: Vec<RawRef> = reader.field("faces", |reader| reader.list(count, ()))?;
        let faces = raw.iter().map(|raw| {
            let number = usize::from(raw.face_times_4 / 4);
            let is_actual = starts.get(number) == Some(&offset(raw.offset));
            FaceRef { face_times_4: raw.face_times_4, offset: (!is_actual).then_some(raw.offset) }
        });
        Ok(Node { center, radius, extents, faces: faces.collect() })
    })
}
