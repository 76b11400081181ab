//! Materials: how a surface answers light.

use crate::{Extras, TextureId};

/// How a surface looks. The default is white, opaque, single-sided, lit, not metallic and fully rough.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// What the material is called.
    pub name: String,
    /// Linear red, green, blue, and alpha, within 0..1; multiplies the texture and the vertex color.
    pub base_color: [f32; 4],
    /// sRGB color and linear alpha.
    pub base_color_texture: Option<TextureRef>,
    /// Linear light the surface gives off, within 0..1.
    pub emissive: [f32; 3],
    /// sRGB; multiplied with `emissive`.
    pub emissive_texture: Option<TextureRef>,
    /// Directions of the surface in tangent space, green up as glTF has it. Shown only on a lit material; a primitive that has it should have [normals and
    /// tangents](crate::Primitive::add_tangents).
    pub normal_texture: Option<TextureRef>,
    /// 0 for anything but metal, up to 1.
    pub metallic: f32,
    /// 0 is a mirror, 1 is chalk.
    pub roughness: f32,
    /// What alpha does.
    pub alpha: AlphaMode,
    /// Whether back faces are seen.
    pub sidedness: Sidedness,
    /// Whether lights reach it.
    pub shading: Shading,
    /// Baked light (`MOZ_lightmap`); only on a lit material.
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

/// A texture as a material uses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureRef {
    /// Which texture.
    pub texture: TextureId,
    /// Which set of texture coordinates: a place in [`Primitive::uvs`](crate::Primitive::uvs).
    pub uv_set: usize,
    /// Moves the texture coordinates first (`KHR_texture_transform`).
    pub transform: Option<UvTransform>,
}

impl TextureRef {
    /// A texture on the first set of texture coordinates, as it is.
    pub const fn new(texture: TextureId) -> Self {
        Self { texture, uv_set: 0, transform: None }
    }

    /// A texture on a given set of texture coordinates, as it is.
    pub const fn on_set(texture: TextureId, uv_set: usize) -> Self {
        Self { texture, uv_set, transform: None }
    }
}

/// `uv' = offset + rotate(rotation, scale * uv)`, as `KHR_texture_transform` defines it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// In texture widths and heights.
    pub offset: [f32; 2],
    /// Radians; counter-clockwise on the texture coordinates, which turns the picture clockwise.
    pub rotation: f32,
    /// Applied first.
    pub scale: [f32; 2],
}

impl Default for UvTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] }
    }
}

/// What alpha does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Cuts holes: what is below this value is not drawn.
    Mask(f32),
    /// Blends with what is behind.
    Blend,
}

/// Whether back faces are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Sidedness {
    /// Only front faces are drawn.
    #[default]
    Single,
    /// Both faces are drawn.
    Double,
}

/// Whether lights reach a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Shading {
    /// Lights and lightmaps count.
    #[default]
    Lit,
    /// The colour is shown as it is (`KHR_materials_unlit`).
    Unlit,
}

/// Baked light over a surface: Mozilla's `MOZ_lightmap`, an sRGB image multiplied with the surface's colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lightmap {
    /// The image, usually on the second set of texture coordinates.
    pub texture: TextureRef,
    /// Multiplies the image's linear light.
    pub intensity: f32,
}
