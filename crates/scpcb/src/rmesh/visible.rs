//! A visible surface with its images.

use std::sync::Arc;

use super::layout::Surface;
use super::material::Blend;
use super::texture::Source;

/// A surface with valid triangles, and its images.
#[derive(Debug)]
pub(super) struct VisibleSurface<'a> {
    pub(super) surface: &'a Surface,
    pub(super) index: usize,
    /// Vertex indices, three per triangle, in glTF's winding order.
    pub(super) indices: Vec<u32>,
    pub(super) texture: Option<Arc<Source>>,
    pub(super) lightmap: Option<Arc<Source>>,
    pub(super) blend: Blend,
}

impl VisibleSurface<'_> {
    /// The path of the surface in the file, such as `surfaces[2]`.
    pub(super) fn field(&self) -> String {
        format!("surfaces[{}]", self.index)
    }
}
