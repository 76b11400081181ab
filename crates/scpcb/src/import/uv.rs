//! Texture coordinates with a `KHR_texture_transform` applied.

use scene::UvTransform;

/// Returns the transformed texture coordinates.
pub(crate) fn transformed([u, v]: [f32; 2], transform: Option<UvTransform>) -> [f32; 2] {
    let Some(transformed) = transform else { return [u, v] };
    let [width, height] = transformed.scale;
    let [right, down] = transformed.offset;
    let (sin, cos) = transformed.rotation.sin_cos();
    [cos * width * u + sin * height * v + right, cos * height * v - sin * width * u + down]
}
