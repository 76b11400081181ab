//! Converts models of the software renderer to models of the Glide renderer.

use std::borrow::Cow;

use super::super::glide::{Face, Frame, Glide, NormalRef, Pose, SINGLE};
use super::super::layout::{Corner, Normals, Triple, VertexPositions};
use super::super::normal::{self, FLAT, rounded};
use super::super::original::Original;
use super::super::{Face as DecodedFace, Model, Version};

/// Frame kind: absolute positions with packed normals.
const LONG: u32 = 4;

/// Returns a model for the Glide renderer: `model` itself, or an equivalent model of the given version.
pub(super) fn glide<'m>(model: &'m Model, original: &Original<'_>, version: Version) -> Cow<'m, Glide> {
    let Model::Software(software) = model else {
        let Model::Glide(glide) = model else { return Cow::Owned(Glide::new(version)) };
        return Cow::Borrowed(glide);
    };
    let mut out = Glide::new(version);
    out.faces = model.faces_with(original.interpretation).iter().map(face).collect();
    let corners = out.faces.iter().map(|face| face.corners.len()).fold(0, usize::saturating_add);
    out.header.radius = software.header.radius;
    out.header.total_face_vertices = u32::try_from(corners).unwrap_or(u32::MAX);
    out.header.total_face_vertices_dup = out.header.total_face_vertices;
    let positions = |frame| software.raw_positions(frame, original.interpretation.delta_sign);
    out.vertices = positions(0);
    out.face_normals = normals(model, 0);
    let row = |kind| Frame { offset_vertices: 0, offset_normals: 0, reserved: 0, kind };
    if model.frame_count() > 1 {
        out.frames = vec![row(0); model.frame_count()];
        if let Some(first) = out.frames.first_mut() {
            first.kind = LONG;
        }
        out.poses = (1..model.frame_count())
            .map(|frame| Pose {
                vertices: VertexPositions::Absolute(positions(frame)),
                normals: Normals::Packed(normals(model, frame).into_iter().map(normal::packed).collect()),
            })
            .collect();
    } else {
        out.frames = vec![row(if version == Version::V4_0 { SINGLE } else { 0 })];
    }
    if version == Version::V5_0 {
        out.normal_indices = Some(vec![NormalRef::Number(0); corners]);
        out.vertex_normals = vec![FLAT];
    } else {
        out.vertex_normals = vec![FLAT; out.vertices.len()];
    }
    Cow::Owned(out)
}

/// Face normals of a frame in 256ths.
fn normals(model: &Model, frame: usize) -> Vec<Triple> {
    let raw = |normal: [f32; 3]| normal.map(|number| rounded(f64::from(number) * 256.0));
    model.face_normals(frame).into_iter().map(raw).collect()
}

fn face(face: &DecodedFace) -> Face {
    let mut last = [0; 2];
    let corner = |corner: &super::super::FaceCorner| {
        let now = corner.uv.map(|texels| rounded(f64::from(texels) * 16.0));
        let [u_delta, v_delta] = [0, 1].map(|axis: usize| {
            let step = |list: [i32; 2]| list.get(axis).copied().unwrap_or_default();
            i16::try_from(step(now).saturating_sub(step(last))).unwrap_or_default()
        });
        last = now;
        let vertex = corner.vertex.and_then(|vertex| u32::try_from(vertex).ok()).unwrap_or(u32::MAX);
        Corner { vertex, u_delta, v_delta }
    };
    let corners: Vec<Corner> = face.corners.iter().map(corner).collect();
    Face {
        corner_count: u8::try_from(corners.len()).unwrap_or(u8::MAX),
        brightness: face.brightness,
        texture: face.texture.to_glide().unwrap_or_default(),
        unused: 0,
        corners,
    }
}
