//! Builds the models of the sample from vertices and faces.

use record::Bytes;

use super::glide::{Face, FaceRef, Frame, Glide, Node, NormalRef, Pose};
use super::layout::{Corner, Normals, Triple, VertexPositions};
use super::normal::{self, FLAT};
use super::software::{Header, Plane, Pose as SoftwarePose, Software};
use super::{FaceTexture, Version};

/// A mesh with textured faces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Solid {
    /// Vertex positions of each frame, in world units: X right, Y down, Z forward.
    pub(crate) frames: Vec<Vec<[f64; 3]>>,
    pub(crate) faces: Vec<SolidFace>,
}

/// A face with counter-clockwise corners seen from outside.
#[derive(Debug, Clone)]
pub(crate) struct SolidFace {
    pub(crate) corners: Vec<SolidCorner>,
    pub(crate) texture: FaceTexture,
}

/// A corner of a face.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SolidCorner {
    pub(crate) vertex: u32,
    /// Texture coordinates in texels from the top left of the image.
    pub(crate) uv: [i16; 2],
    /// Normal of the corner; zero for the face normal.
    pub(crate) normal: [f32; 3],
}

/// Converts positions to 256ths.
fn raw(positions: &[[f64; 3]]) -> Vec<Triple> {
    positions.iter().map(|position| position.map(|number| normal::rounded(number * 256.0))).collect()
}

/// Distance of the farthest vertex from the origin.
fn radius(vertices: &[Triple]) -> u32 {
    let square = |position: &Triple| {
        position.iter().map(|number| f64::from(*number) * f64::from(*number)).sum::<f64>()
    };
    let farthest = vertices.iter().map(square).fold(0.0, f64::max).sqrt().floor();
    u32::try_from(normal::rounded(farthest)).unwrap_or_default()
}

impl Solid {
    /// Corners of each face. Vertex references are indices times `scale`.
    fn corners(&self, scale: u32) -> Vec<Vec<Corner>> {
        let steps = |face: &SolidFace| {
            let mut last = [0_i16; 2];
            let corner = |corner: &SolidCorner| {
                let now = corner.uv.map(|texels| texels.saturating_mul(16));
                let [[u, v], [before_u, before_v]] = [now, std::mem::replace(&mut last, now)];
                Corner {
                    vertex: corner.vertex.saturating_mul(scale),
                    u_delta: u.saturating_sub(before_u),
                    v_delta: v.saturating_sub(before_v),
                }
            };
            face.corners.iter().map(corner).collect()
        };
        self.faces.iter().map(steps).collect()
    }

    fn normals(&self, vertices: &[Triple]) -> Vec<Triple> {
        let position = |corner: &SolidCorner| {
            let number = usize::try_from(corner.vertex).unwrap_or(usize::MAX);
            vertices.get(number).copied().unwrap_or_default()
        };
        let normal =
            |face: &SolidFace| normal::of_face(&face.corners.iter().map(position).collect::<Vec<_>>());
        self.faces.iter().map(normal).collect()
    }

    /// Converts the mesh to a model of the Glide renderer. A static model gets corner normals and a collision sphere.
    pub(crate) fn glide(&self, version: Version) -> Glide {
        let mut model = Glide::new(version);
        let mut frames = self.frames.iter().map(|frame| raw(frame));
        model.vertices = frames.next().unwrap_or_default();
        model.face_normals = self.normals(&model.vertices);
        let faces = self.faces.iter().zip(self.corners(1));
        model.faces = faces
            .map(|(face, corners)| Face {
                corner_count: u8::try_from(corners.len()).unwrap_or(u8::MAX),
                brightness: 0,
                texture: face.texture.to_glide().unwrap_or_default(),
                unused: 0,
                corners,
            })
            .collect();
        let corners: usize = self.faces.iter().map(|face| face.corners.len()).sum();
        let corners = u32::try_from(corners).unwrap_or(u32::MAX);
        (model.header.total_face_vertices, model.header.total_face_vertices_dup) = (corners, corners);
        model.header.radius = radius(&model.vertices);
        model.vertex_normals = vec![FLAT; model.vertices.len()];
        for frame in frames {
            let steps = model.vertices.iter().zip(&frame).map(|([a, b, c], [x, y, z])| {
                [a.saturating_sub(*x), b.saturating_sub(*y), c.saturating_sub(*z)]
                    .map(|step| i16::try_from(step).unwrap_or_default())
            });
            let vertices = VertexPositions::Words(steps.collect());
            let normals = self.normals(&frame).into_iter().map(normal::packed);
            model.poses.push(Pose { vertices, normals: Normals::Packed(normals.collect()) });
            let row = Frame { offset_vertices: 0, offset_normals: 0, reserved: 0, kind: 0 };
            model.frames.push(row);
        }
        if model.poses.is_empty() {
            self.add_table(&mut model);
            model.nodes = vec![self.sphere(&model, version)];
        } else if let Some(first) = model.frames.first_mut() {
            first.kind = 2;
        }
        model
    }

    /// Adds the corner normals.
    fn add_table(&self, model: &mut Glide) {
        let mut normals: Vec<[f32; 3]> = Vec::new();
        let mut number = |corner: &SolidCorner| {
            let normal = if corner.normal == [0.0; 3] { FLAT } else { corner.normal };
            let bits = normal.map(f32::to_bits);
            let existing = normals.iter().position(|normal| normal.map(f32::to_bits) == bits);
            let position = existing.unwrap_or_else(|| {
                normals.push(normal);
                normals.len().saturating_sub(1)
            });
            NormalRef::Number(u32::try_from(position).unwrap_or(u32::MAX))
        };
        let table = self.faces.iter().flat_map(|face| &face.corners).map(&mut number).collect();
        model.normal_indices = Some(table);
        model.vertex_normals = normals;
    }

    /// Creates a collision node with the bounding sphere of all faces and, in v5.0, the bounding box.
    fn sphere(&self, model: &Glide, version: Version) -> Node {
        let coordinates =
            |axis: usize| model.vertices.iter().filter_map(move |position| position.get(axis).copied());
        let center_of = |axis: usize| {
            let (min, max) =
                (coordinates(axis).min().unwrap_or_default(), coordinates(axis).max().unwrap_or_default());
            min.midpoint(max)
        };
        let center = [0, 1, 2].map(center_of);
        let from_center = |position: &Triple| {
            let ([x, y, z], [a, b, c]) = (position, center);
            [x.saturating_sub(a), y.saturating_sub(b), z.saturating_sub(c)]
        };
        let centered: Vec<Triple> = model.vertices.iter().map(from_center).collect();
        let half = |axis: usize| {
            let max =
                centered.iter().filter_map(|position| position.get(axis)).map(|number| number.abs()).max();
            f32::from(i16::try_from(max.unwrap_or_default() / 256).unwrap_or(i16::MAX))
        };
        let faces = (0..u16::try_from(self.faces.len()).unwrap_or(u16::MAX / 4))
            .map(|face| FaceRef { face_times_4: face.saturating_mul(4), offset: None });
        Node {
            center,
            radius: radius(&centered).saturating_add(1),
            extents: version.has_extents().then(|| [0, 1, 2].map(half)),
            faces: faces.collect(),
        }
    }

    /// Converts the first frame to a model of the software renderer.
    pub(crate) fn software(&self) -> Software {
        let vertices = self.frames.first().map(|frame| raw(frame)).unwrap_or_default();
        let normals = self.normals(&vertices);
        let planes = self.faces.iter().zip(self.corners(12)).map(|(face, corners)| Plane {
            corner_count: u8::try_from(corners.len()).unwrap_or(u8::MAX),
            unknown_1: 0,
            texture: match face.texture {
                FaceTexture::Color(color) => color.into(),
                FaceTexture::Image { bank, image } => bank.saturating_mul(128).saturating_add(image.min(127)),
                FaceTexture::Unknown(_) => 0,
            },
            unknown_4: 0,
            corners,
        });
        let header =
            Header { version: Version::V2_7, radius: radius(&vertices), num_frames: 0, ..Header::default() };
        let pose = SoftwarePose {
            plane_data: Bytes(vec![0; self.faces.len().saturating_mul(24)]),
            vertices: VertexPositions::Absolute(vertices),
            normals: Normals::Absolute(normals),
        };
        Software {
            header,
            planes: planes.collect(),
            poses: vec![pose],
            motion: None,
            layout: record::Layout::default(),
        }
    }
}
