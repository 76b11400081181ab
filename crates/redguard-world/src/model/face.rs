//! Faces of a model and their corners.

use super::FaceTexture;

/// A face.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Corners, in file order.
    pub corners: Vec<FaceCorner>,
    /// Texture or color.
    pub texture: FaceTexture,
    /// From v4.0 on: four times this value is added to the lighting of the face.
    pub brightness: u8,
}

/// A corner of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceCorner {
    /// Vertex index; `None` when it is out of range.
    pub vertex: Option<usize>,
    /// Texture coordinates in texels from the top left of the image.
    pub uv: [f32; 2],
    /// The corner's own normal or the normal of its vertex; `None` for flat shading.
    pub normal: Option<[f32; 3]>,
}
