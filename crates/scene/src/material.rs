//! Materials: the appearance of surfaces.

use crate::{Extras, TextureId};

/// The appearance of a surface. The default is white, opaque, single-sided, lit, not metallic and fully rough.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name of the material.
    pub name: String,
    /// Linear red, green and blue, and alpha, within 0..1; multiplied with the texture and the vertex color.
    pub base_color: [f32; 4],
    /// Texture with sRGB color and linear alpha.
    pub base_color_texture: Option<TextureRef>,
    /// Emitted linear light within 0..1.
    pub emissive: [f32; 3],
    /// sRGB texture, multiplied with `emissive`.
    pub emissive_texture: Option<TextureRef>,
    /// Surface normals in tangent space, with green up as in glTF. Used only by lit materials; a primitive with such
    /// a material should have [normals and tangents](crate::Primitive::add_tangents).
    pub normal_texture: Option<TextureRef>,
    /// Metalness: 0 for all other surfaces, up to 1 for metal.
    pub metallic: f32,
    /// Roughness: 0 is a mirror, 1 is chalk.
    pub roughness: f32,
    /// The use of alpha.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn.
    pub sidedness: Sidedness,
    /// Whether lights affect the surface.
    pub shading: Shading,
    /// Baked lighting (`MOZ_lightmap`); only for lit materials.
    pub lightmap: Option<Lightmap>,
    /// Written as `extras`.
    pub extras: Extras,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            emissive: [0.0; 3],
            emissive_texture: None,
            normal_texture: None,
            metallic: 0.0,
            roughness: 1.0,
            alpha: AlphaMode::default(),
            sidedness: Sidedness::default(),
            shading: Shading::default(),
            lightmap: None,
            extras: Extras::new(),
        }
    }
}

/// A reference of a material to a texture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureRef {
    /// The texture.
    pub texture: TextureId,
    /// The set of texture coordinates: an index into [`Primitive::uvs`](crate::Primitive::uvs).
    pub uv_set: usize,
    /// A transform that is applied to the texture coordinates first (`KHR_texture_transform`).
    pub transform: Option<UvTransform>,
}

impl TextureRef {
    /// Creates a reference that uses the first set of texture coordinates without a transform.
    pub const fn new(texture: TextureId) -> Self {
        Self { texture, uv_set: 0, transform: None }
    }

    /// Creates a reference that uses the given set of texture coordinates without a transform.
    pub const fn on_set(texture: TextureId, uv_set: usize) -> Self {
        Self { texture, uv_set, transform: None }
    }
}

/// A transform of texture coordinates: `uv' = offset + rotate(rotation, scale * uv)`, as defined by
/// `KHR_texture_transform`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Offset in texture widths and heights.
    pub offset: [f32; 2],
    /// Angle in radians; counter-clockwise on the texture coordinates, which turns the image clockwise.
    pub rotation: f32,
    /// Scale, applied first.
    pub scale: [f32; 2],
}

impl Default for UvTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] }
    }
}

/// The use of alpha.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// Alpha test: fragments whose alpha is below this value are discarded.
    Mask(f32),
    /// Alpha blending with the background.
    Blend,
}

/// Whether back faces are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Sidedness {
    /// Only front faces are drawn.
    #[default]
    Single,
    /// Both faces are drawn.
    Double,
}

/// Whether lights affect a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Shading {
    /// Lights and lightmaps apply.
    #[default]
    Lit,
    /// The color is shown unchanged (`KHR_materials_unlit`).
    Unlit,
}

/// A lightmap: Mozilla's `MOZ_lightmap`, an sRGB image multiplied with the surface's color.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lightmap {
    /// The image, usually on the second set of texture coordinates.
    pub texture: TextureRef,
    /// Factor for the image's linear light.
    pub intensity: f32,
}
