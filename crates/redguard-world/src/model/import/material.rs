//! Maps materials to face textures and image sizes.
//!
//! The texture comes from the name of the material (`D02005`, `TEXBSI.302 5`, `color 12`), from its extras as our own conversions write
//! them, or from the name of its image. A color cannot be matched to the palette, because an import has no palette.

use std::collections::BTreeMap;

use asset::Report;
use json::Value;
use scene::{AlphaMode, Material, MaterialId, Shading, Sidedness, UvTransform};

use super::super::material::MISSING;
use super::super::{FaceTexture, warning};
use super::Importer;

/// The face attributes of a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FaceMaterial {
    pub(super) texture: FaceTexture,
    /// Texture word.
    pub(super) word: u32,
    /// Width and height of the image in texels, if known.
    pub(super) texels: Option<[f64; 2]>,
    /// Whether the extras describe this texture, so that the extras of primitives apply too.
    pub(super) matches_extras: bool,
    /// Texture coordinate set to use.
    pub(super) uv_set: usize,
    /// Transform to apply to the texture coordinates.
    pub(super) uv_transform: Option<UvTransform>,
    /// Whether palette color 0 is transparent.
    pub(super) is_keyed: bool,
}

/// Texture of faces without a recognized texture.
const FALLBACK: FaceTexture = FaceTexture::Color(1);

/// Assumed size of an image whose size is unknown, in texels.
pub(super) const DEFAULT_SIZE: [f64; 2] = [64.0; 2];

/// Materials converted so far.
#[derive(Debug, Default)]
pub(super) struct MaterialCache {
    converted: BTreeMap<Option<MaterialId>, FaceMaterial>,
    is_one_sided_reported: bool,
}

impl Importer<'_> {
    /// Converts a material. Properties that faces cannot represent are reported once.
    pub(super) fn face_material(&mut self, id: Option<MaterialId>, report: &mut Report) -> FaceMaterial {
        if let Some(converted) = self.materials.converted.get(&id) {
            return *converted;
        }
        let material = id.and_then(|id| self.scene.materials.get(id.0));
        let face_material = match material {
            Some(material) => self.convert_material(material, report),
            None => {
                report.warn(&warning::NO_TEXTURE, "some faces have no material; using palette color 1");
                plain_material(FALLBACK, 0)
            }
        };
        self.materials.converted.insert(id, face_material);
        face_material
    }

    fn convert_material(&mut self, material: &Material, report: &mut Report) -> FaceMaterial {
        let scene = self.scene;
        let reference = material.base_color_texture;
        let texture = reference.and_then(|reference| scene.textures.get(reference.texture.0));
        let image = texture.and_then(|texture| scene.images.get(texture.image.0));
        let stored = stored(material);
        let named = FaceTexture::of_text(&material.name);
        let names = [texture.map(|texture| &texture.name), image.map(|image| &image.name)];
        let of_image = names.into_iter().flatten().find_map(|name| FaceTexture::of_text(name));
        let found = named.or(stored).or(of_image);
        if let (Some(found), Some(of_image)) = (found, of_image)
            && found != of_image
        {
            let message = format!(
                "material \"{}\" uses the image of another texture; its name takes precedence",
                material.name
            );
            report.warn(&warning::IMAGE_DIFFERS, message);
        }
        let word = found.and_then(FaceTexture::to_glide);
        let (Some(texture), Some(word)) = (found, word) else {
            let message = format!(
                "material \"{}\" does not name a texture or palette color; using palette color 1",
                material.name
            );
            report.warn(&warning::NO_TEXTURE, message);
            return plain_material(FALLBACK, 0);
        };
        self.count_unsupported(material, texture, report);
        let matches_extras = stored == Some(texture);
        let kept = material.extras.get("texels").filter(|_| matches_extras).and_then(texels);
        let measured = || {
            let image = image?;
            // The placeholder of a missing image has another size.
            if image.name == MISSING {
                return Some(DEFAULT_SIZE);
            }
            let (width, height) = scene::image::size(&image.encoded.bytes).ok()?;
            Some([f64::from(width), f64::from(height)]).filter(|size| size.iter().all(|side| *side >= 1.0))
        };
        let texels = match texture {
            FaceTexture::Image { .. } => kept.or_else(|| measured().filter(|_| !matches_extras)),
            FaceTexture::Color(_) | FaceTexture::Unknown(_) => None,
        };
        if texels.is_none() && !matches_extras && matches!(texture, FaceTexture::Image { .. }) {
            let message =
                format!("the image size of \"{}\" is unknown; assuming 64 x 64 texels", material.name);
            report.warn(&warning::NO_SIZE, message);
        }
        FaceMaterial {
            matches_extras,
            texels,
            uv_set: reference.map_or(0, |reference| reference.uv_set),
            uv_transform: reference.and_then(|reference| reference.transform),
            is_keyed: matches!(material.alpha, AlphaMode::Mask(_)),
            ..plain_material(texture, word)
        }
    }

    /// Records the material properties that faces cannot represent.
    fn count_unsupported(&mut self, material: &Material, texture: FaceTexture, report: &mut Report) {
        let is_white = material.base_color == [1.0; 4]
            || matches!(texture, FaceTexture::Color(_) | FaceTexture::Unknown(_));
        self.count_lost("colors of textured materials", usize::from(!is_white));
        self.count_lost("glowing materials", usize::from(material.emissive != [0.0; 3]));
        self.count_lost("lightmaps", material.lightmap.iter().count());
        let shines = material.shading == Shading::Lit && material.metallic > 0.0;
        self.count_lost("metallic materials", usize::from(shines));
        self.count_lost("blended materials", usize::from(material.alpha == AlphaMode::Blend));
        if material.sidedness == Sidedness::Double && !self.materials.is_one_sided_reported {
            self.materials.is_one_sided_reported = true;
            let message =
                format!("\"{}\" is double-sided, but faces of the game are single-sided", material.name);
            report.warn(&warning::ONE_SIDED, message);
        }
    }
}

const fn plain_material(texture: FaceTexture, word: u32) -> FaceMaterial {
    let word = match texture {
        // The fallback has no texture word.
        FaceTexture::Color(color) if word == 0 => u32::from_le_bytes([0, color, 0xf0, 0xff]),
        _ => word,
    };
    FaceMaterial {
        texture,
        word,
        texels: None,
        matches_extras: false,
        uv_set: 0,
        uv_transform: None,
        is_keyed: false,
    }
}

/// The texture in the extras written by our own conversions.
fn stored(material: &Material) -> Option<FaceTexture> {
    let number = |name: &str| material.extras.get(name).and_then(integer);
    if let Some(color) = number("color") {
        return Some(FaceTexture::Color(u8::try_from(color).ok()?));
    }
    if let (Some(bank), Some(image)) = (number("bank"), number("image")) {
        return Some(FaceTexture::Image {
            bank: u16::try_from(bank).ok()?,
            image: u16::try_from(image).ok()?,
        });
    }
    Some(FaceTexture::Unknown(u32::try_from(number("texture_word")?).ok()?))
}

/// An integer, which other programs may have converted to a float.
fn integer(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=1e10).contains(number));
    value.as_u64().or_else(|| float()?.to_string().parse().ok())
}

/// Width and height in texels.
pub(super) fn texels(value: &Value) -> Option<[f64; 2]> {
    let [width, height] = value.as_array()?.as_slice() else { return None };
    let size = [width.as_f64()?, height.as_f64()?];
    size.iter().all(|side| (1.0..=65536.0).contains(side)).then_some(size)
}
