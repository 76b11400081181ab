//! Texture coordinates behind a `KHR_texture_transform`.

use scene::UvTransform;

/// Where a texture is looked up at these coordinates.
pub(crate) fn moved([u, v]: [f32; 2], transform: Option<UvTransform>) -> [f32; 2] {
    let Some(moved) = transform else { return [u, v] };
    let [width, height] = moved.scale;
    let [right, down] = moved.offset;
    let (sin, cos) = moved.rotation.sin_cos();
    [cos * width * u + sin * height * v + right, cos * height * v - sin * width * u + down]
}
