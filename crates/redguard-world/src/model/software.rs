//! Models of the software renderer, v2.6 and v2.7: XnGine meshes, static or with a frame table.
//!
//! Sources: slfx77/bethesda-multitool, measured on every model of the software renderer; redguard-preservation's disassembly of the loader,
//! which agrees.

use record::{
    Bytes, Declared, Error, Layout, LayoutReader, LayoutWriter, Reader, Record, Result, Writer, by_hand,
};
use serde::{Deserialize, Serialize};

use super::glide::in_pose;
use super::layout::{
    Corner, Normals, VertexPositions, Width, check_corners, is_empty, offset, offset_of, same_length,
};
use super::version::Version;

/// A model of the software renderer.
#[derive(Declared, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Software {
    /// The first 64 bytes. Counts and offsets are recomputed when writing.
    pub header: Header,
    /// Faces with three or more corners.
    #[record(by = parts_at_offsets)]
    pub planes: Vec<Plane>,
    /// Vertices and normals: one entry for a static model, otherwise one per frame.
    pub poses: Vec<Pose>,
    /// Animation; only in an animated model.
    #[serde(deserialize_with = "Option::deserialize")]
    pub motion: Option<Motion>,
    /// Locations of the parts.
    pub layout: Layout,
}

/// The first 64 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// `v2.6` or `v2.7`.
    pub version: Version,
    /// Number of vertices.
    pub num_vertices: u32,
    /// Number of planes.
    pub num_planes: u32,
    /// Collision radius, in 256ths.
    pub radius: u32,
    /// Number of frames; meaningless in a static model.
    pub num_frames: u32,
    /// Offset of the animation block; only in an animated model.
    pub offset_frames: u32,
    /// Offset of the plane data; only in a static model.
    pub offset_plane_data: u32,
    /// Offset of the object data; only in a static model.
    pub offset_object_data: u32,
    /// Number of object data entries.
    pub object_data_count: u32,
    /// Leftover data of the authoring tools.
    pub unknown_24: u32,
    /// Zero.
    pub unknown_28: u32,
    /// 1 in an animated model.
    pub moves: u32,
    /// Offset of the vertices; only in a static model.
    pub offset_points: u32,
    /// Offset of the plane normals; only in a static model.
    pub offset_normals: u32,
    /// Unknown.
    pub unknown_38: u32,
    /// Offset of the planes.
    pub offset_planes: u32,
}

/// A face.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// Number of corners.
    pub corner_count: u8,
    /// Unknown.
    pub unknown_1: u8,
    /// Set number times 128 plus image number; below 256 a solid color.
    pub texture: u16,
    /// Zero.
    pub unknown_4: u32,
    /// The corners.
    #[record(count = corner_count)]
    pub corners: Vec<Corner>,
}

/// Vertices and normals of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pose {
    /// Vertex positions.
    pub vertices: VertexPositions,
    /// Plane normals.
    pub normals: Normals,
    /// Renderer data of each plane: 24 bytes, or 12 in a narrow model. Empty if the file has none.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub plane_data: Bytes,
}

/// The animation of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// The animation block.
    pub block: Block,
    /// Frame table: the offsets of the parts of each frame.
    pub frames: Vec<Frame>,
}

/// The animation block: 24 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Offset of the frame table.
    pub offset_table: u32,
    /// Size of the planes in bytes.
    pub planes_length: u32,
    /// Size in bytes of an extra region that nothing refers to.
    pub region_length: u32,
    /// Bit 0: narrow.
    pub flags: u16,
    /// Reference frame, whose positions are absolute; the other frames are stored as differences from it.
    pub reference_frame: u16,
    /// Unknown.
    pub unknown_10: u32,
    /// Unknown.
    pub unknown_14: u16,
    /// Unknown.
    pub unknown_16: u8,
    /// Left shift of the differences, in bits.
    pub delta_shift: u8,
}

/// An entry of the frame table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Offset of the frame's vertices.
    pub offset_points: u32,
    /// Offset of the frame's plane normals.
    pub offset_normals: u32,
    /// Offset of the frame's plane data.
    pub offset_plane_data: u32,
    /// Only in wide models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_c: Option<u32>,
}

/// Sizes of a plane's data in a wide and in a narrow model, in bytes.
const PLANE_DATA: (usize, usize) = (24, 12);
/// Sizes of a plane without its corners and of a corner, in bytes.
const PLANE: (u64, u64) = (8, 8);

impl Block {
    /// Whether frames are stored as differences with packed normals.
    #[must_use]
    pub const fn is_narrow(&self) -> bool {
        self.flags & 1 != 0
    }
}

/// Implemented by hand: parts are located by offsets and keep their locations, and the offsets depend on whether the model is animated.
#[by_hand(Plane, Block)]
impl Record for Software {
    type Context = ();
    const MIN_SIZE: usize = Header::MIN_SIZE;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let mut layout = LayoutReader::new(reader);
        let header: Header = reader.field("header", |reader| Header::read(reader, ()))?;
        layout.inline(reader);
        let planes: Vec<Plane> =
            layout.read(reader, "planes", offset(header.offset_planes), None, |reader| {
                reader.field("planes", |reader| reader.list(header.num_planes, ()))
            })?;
        let mut at = offset(header.offset_planes);
        for (index, plane) in planes.iter().enumerate() {
            check_corners(plane.corners.len(), index, at).map_err(|error| error.in_field("planes"))?;
            let corners = u64::try_from(plane.corners.len()).unwrap_or_default();
            at = at.saturating_add(PLANE.0).saturating_add(PLANE.1.saturating_mul(corners));
        }
        if header.moves != 1 {
            let frame = Frame {
                offset_points: header.offset_points,
                offset_normals: header.offset_normals,
                offset_plane_data: header.offset_plane_data,
                unknown_c: None,
            };
            let pose = read_pose(reader, &mut layout, &header, 0, &frame, Width::Long, false)?;
            return Ok(Self {
                header,
                planes,
                poses: vec![pose],
                motion: None,
                layout: layout.finish(reader),
            });
        }
        let length = at.saturating_sub(offset(header.offset_planes));
        Self::read_motion(reader, layout, header, planes, length)
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let mut header = self.header;
        header.num_planes = writer.count(self.planes.len())?;
        let vertices = self.poses.first().map_or(0, |pose| pose.vertices.len());
        header.num_vertices = writer.count(vertices)?;
        same_length("poses", self.poses.len(), self.motion.as_ref().map_or(1, |motion| motion.frames.len()))?;
        let mut motion = self.motion.clone();
        let mut parts = LayoutWriter::new(writer, &self.layout);
        parts.part(writer, "", 0, |writer| header.write(writer, ()))?;
        if let Some(motion) = &motion {
            header.num_frames = writer.count(motion.frames.len())?;
            parts.part(writer, "motion.block", 1, |writer| motion.block.write(writer, ()))?;
            let narrow = motion.block.is_narrow();
            parts.part(writer, "motion.frames", 2, |writer| write_table(writer, &motion.frames, narrow))?;
        }
        parts.part(writer, "planes", 3, |writer| {
            writer.field("planes", |writer| Plane::write_list(&self.planes, writer, ()))
        })?;
        for (index, pose) in self.poses.iter().enumerate() {
            let in_pose = |error: Error| error.in_item(index).in_field("poses");
            same_length("vertices", pose.vertices.len(), vertices).map_err(in_pose)?;
            same_length("normals", pose.normals.len(), self.planes.len()).map_err(in_pose)?;
            parts.part(writer, part_of(index, "vertices"), 4, |writer| pose.vertices.write(writer))?;
            parts.part(writer, part_of(index, "normals"), 4, |writer| pose.normals.write(writer))?;
            if !pose.plane_data.is_empty() {
                parts.part(writer, part_of(index, "plane_data"), 4, |writer| {
                    writer.put(&pose.plane_data);
                    Ok(())
                })?;
            }
        }
        parts.place()?;
        let at = |name: &str| offset_of(parts.find(name).0);
        let frame_at = |index: usize, pose: &Pose, frame: &mut Frame| -> Result<()> {
            frame.offset_points = at(&part_of(index, "vertices"))?;
            frame.offset_normals = at(&part_of(index, "normals"))?;
            if !pose.plane_data.is_empty() {
                frame.offset_plane_data = at(&part_of(index, "plane_data"))?;
            }
            Ok(())
        };
        header.offset_planes = at("planes")?;
        match &mut motion {
            Some(motion) => {
                header.offset_frames = at("motion.block")?;
                motion.block.offset_table = at("motion.frames")?;
                motion.block.planes_length = offset_of(parts.find("planes").1)?;
                for (index, (frame, pose)) in motion.frames.iter_mut().zip(&self.poses).enumerate() {
                    frame_at(index, pose, frame)?;
                }
            }
            None => {
                let mut frame = Frame {
                    offset_points: 0,
                    offset_normals: 0,
                    offset_plane_data: header.offset_plane_data,
                    unknown_c: None,
                };
                if let Some(pose) = self.poses.first() {
                    frame_at(0, pose, &mut frame)?;
                }
                header.offset_points = frame.offset_points;
                header.offset_normals = frame.offset_normals;
                header.offset_plane_data = frame.offset_plane_data;
            }
        }
        if header.offset_object_data != 0 && self.motion.is_none() {
            header.offset_object_data = self.moved_object_data(header.offset_object_data, &parts)?;
        }
        parts.rewrite(writer, "", |writer| header.write(writer, ()))?;
        if let Some(motion) = &motion {
            parts.rewrite(writer, "motion.block", |writer| motion.block.write(writer, ()))?;
            let narrow = motion.block.is_narrow();
            parts.rewrite(writer, "motion.frames", |writer| write_table(writer, &motion.frames, narrow))?;
        }
        parts.finish(writer)
    }
}

impl Software {
    fn read_motion(
        reader: &mut Reader<'_>,
        mut layout: LayoutReader,
        header: Header,
        planes: Vec<Plane>,
        planes_length: u64,
    ) -> Result<Self> {
        let block_at = offset(header.offset_frames);
        let block: Block = layout.read(reader, "motion.block", block_at, None, |reader| {
            reader.field("motion", |reader| reader.field("block", |reader| Block::read(reader, ())))
        })?;
        let narrow = block.is_narrow();
        let frames = layout.read(reader, "motion.frames", offset(block.offset_table), None, |reader| {
            reader.field("motion", |reader| {
                reader.field("frames", |reader| read_table(reader, header.num_frames, narrow))
            })
        })?;
        if offset(block.planes_length) != planes_length {
            let message = format!(
                "planes_length is {}, but the planes take {planes_length} bytes",
                block.planes_length
            );
            return Err(Error::malformed(message)
                .at(block_at.saturating_add(4))
                .in_field("motion.block.planes_length"));
        }
        let mut poses = Vec::new();
        for (index, frame) in frames.iter().enumerate() {
            let is_absolute = !narrow || index == usize::from(block.reference_frame);
            let width = if is_absolute { Width::Long } else { Width::Word };
            poses.push(read_pose(reader, &mut layout, &header, index, frame, width, narrow)?);
        }
        let layout = layout.finish(reader);
        // All parts and one extra region must fill the file; this distinguishes a frame table from random data.
        let left: usize = layout.gaps.iter().map(|gap| gap.bytes.len()).sum();
        if layout.gaps.len() > 1 || u64::try_from(left).ok() != Some(offset(block.region_length)) {
            let message = format!(
                "frames and planes leave {left} bytes in {} gaps, but one region of {} bytes is expected",
                layout.gaps.len(),
                block.region_length
            );
            let at = layout.gaps.first().map_or(block_at, |gap| gap.start);
            return Err(Error::malformed(message).at(at).in_field("motion.block.region_length"));
        }
        Ok(Self { header, planes, poses, motion: Some(Motion { block, frames }), layout })
    }

    /// Returns the new offset of the object data, which is not a separate part: it keeps its distance from the preceding part.
    fn moved_object_data(&self, old: u32, parts: &LayoutWriter<'_>) -> Result<u32> {
        let old = offset(old);
        let before =
            self.layout.places.iter().filter(|extent| extent.start.saturating_add(extent.length) <= old);
        let Some(extent) = before.max_by_key(|extent| extent.start.saturating_add(extent.length)) else {
            return offset_of(old);
        };
        let distance = old.saturating_sub(extent.start.saturating_add(extent.length));
        let (start, length) = parts.find(&extent.part);
        offset_of(start.saturating_add(length).saturating_add(distance))
    }
}

fn part_of(pose: usize, name: &str) -> String {
    format!("poses[{pose}].{name}")
}

fn read_pose(
    reader: &mut Reader<'_>,
    layout: &mut LayoutReader,
    header: &Header,
    index: usize,
    frame: &Frame,
    width: Width,
    narrow: bool,
) -> Result<Pose> {
    let at = offset(frame.offset_points);
    let vertices = layout.read(reader, part_of(index, "vertices"), at, None, |reader| {
        in_pose(reader, index, "vertices", |reader| VertexPositions::read(reader, header.num_vertices, width))
    })?;
    let at = offset(frame.offset_normals);
    let normals = layout.read(reader, part_of(index, "normals"), at, None, |reader| {
        in_pose(reader, index, "normals", |reader| Normals::read(reader, header.num_planes, narrow))
    })?;
    if frame.offset_plane_data == 0 || header.num_planes == 0 {
        return Ok(Pose { vertices, normals, plane_data: Bytes::default() });
    }
    let each = if narrow { PLANE_DATA.1 } else { PLANE_DATA.0 };
    let at = offset(frame.offset_plane_data);
    let plane_data = layout.read(reader, part_of(index, "plane_data"), at, None, |reader| {
        in_pose(reader, index, "plane_data", |reader| {
            let start = reader.offset();
            let count = reader.check_count(header.num_planes, each, start)?;
            let bytes = Bytes::from(reader.take(count.saturating_mul(each))?);
            reader.leaf(start, &bytes);
            Ok(bytes)
        })
    })?;
    Ok(Pose { vertices, normals, plane_data })
}

fn read_table(reader: &mut Reader<'_>, count: u32, narrow: bool) -> Result<Vec<Frame>> {
    let count = reader.check_count(count, if narrow { 12 } else { 16 }, 16)?;
    reader.items(count, |reader| {
        let mut offset = |name| reader.field(name, |reader| u32::read(reader, ()));
        let [offset_points, offset_normals, offset_plane_data] =
            [offset("offset_points")?, offset("offset_normals")?, offset("offset_plane_data")?];
        let unknown_c = match narrow {
            true => None,
            false => Some(reader.field("unknown_c", |reader| u32::read(reader, ()))?),
        };
        Ok(Frame { offset_points, offset_normals, offset_plane_data, unknown_c })
    })
}

fn write_table(writer: &mut Writer, frames: &[Frame], narrow: bool) -> Result<()> {
    for frame in frames {
        [frame.offset_points, frame.offset_normals, frame.offset_plane_data].write(writer, ())?;
        if !narrow {
            frame.unknown_c.unwrap_or_default().write(writer, ())?;
        }
    }
    Ok(())
}
