//! Materials as what faces are painted with, and how large their images are.
//!
//! The name of a material says it: `D02005`, `TEXBSI.302 5`, `color 12`; or its extras, as our own conversions write them; or the name of
//! its image. Which colour of the palette is nearest to another nobody can say without the palette.

use std::collections::BTreeMap;

use asset::Report;
use scene::{AlphaMode, Material, MaterialId, Shading, Sidedness, UvTransform};
use serde_json::Value;

use super::super::{Paint, warning};
use super::Importer;

/// How faces of a material look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) paint: Paint,
    /// The texture word.
    pub(super) word: u32,
    /// Texels across and down, where they are known.
    pub(super) texels: Option<[f64; 2]>,
    /// Whether the extras speak of this paint, so that those of primitives do so too.
    pub(super) is_known: bool,
    /// Which texture coordinates count.
    pub(super) uv_set: usize,
    /// What becomes of them once and for all.
    pub(super) moved: Option<UvTransform>,
    /// Whether the first colour of the palette is seen through.
    pub(super) is_keyed: bool,
}

/// What a face is painted with when nobody says it.
const FALLBACK: Paint = Paint::Color(1);

/// The looks that were asked for.
#[derive(Debug, Default)]
pub(super) struct Looks {
    known: BTreeMap<Option<MaterialId>, Look>,
    is_one_sided_told: bool,
}

impl Importer<'_> {
    /// How faces of a material look. What it says beyond that is told once.
    pub(super) fn look(&mut self, id: Option<MaterialId>, report: &mut Report) -> Look {
        if let Some(known) = self.looks.known.get(&id) {
            return *known;
        }
        let material = id.and_then(|id| self.scene.materials.get(id.0));
        let look = match material {
            Some(material) => self.look_of(material, report),
            None => {
                report
                    .warn(&warning::NO_PAINT, "faces have no material: they get the colour 1 of the palette");
                look(FALLBACK, 0)
            }
        };
        self.looks.known.insert(id, look);
        look
    }

    fn look_of(&mut self, material: &Material, report: &mut Report) -> Look {
        let scene = self.scene;
        let reference = material.base_color_texture;
        let texture = reference.and_then(|reference| scene.textures.get(reference.texture.0));
        let image = texture.and_then(|texture| scene.images.get(texture.image.0));
        let stored = stored(material);
        let named = Paint::of_text(&material.name);
        let names = [texture.map(|texture| &texture.name), image.map(|image| &image.name)];
        let of_image = names.into_iter().flatten().find_map(|name| Paint::of_text(name));
        let found = named.or(stored).or(of_image);
        if let (Some(found), Some(of_image)) = (found, of_image)
            && found != of_image
        {
            let message =
                format!("the material \"{}\" shows the image of another: its name counts", material.name);
            report.warn(&warning::IMAGE_DIFFERS, message);
        }
        let word = found.and_then(Paint::to_glide);
        let (Some(paint), Some(word)) = (found, word) else {
            let message = format!(
                "the material \"{}\" names no texture and no colour of the palette: its faces get the colour 1",
                material.name
            );
            report.warn(&warning::NO_PAINT, message);
            return look(FALLBACK, 0);
        };
        self.lose_rest(material, paint, report);
        let is_known = stored == Some(paint);
        let kept = material.extras.get("texels").filter(|_| is_known).and_then(texels);
        let measured = || {
            let (width, height) = scene::image::size(&image?.encoded.bytes).ok()?;
            Some([f64::from(width), f64::from(height)]).filter(|size| size.iter().all(|side| *side >= 1.0))
        };
        let texels = match paint {
            Paint::Image { .. } => kept.or_else(|| measured().filter(|_| !is_known)),
            Paint::Color(_) | Paint::Unknown(_) => None,
        };
        if texels.is_none() && !is_known && matches!(paint, Paint::Image { .. }) {
            let message = format!(
                "how large the image of \"{}\" is nobody says: 64 texels across and down are taken",
                material.name
            );
            report.warn(&warning::NO_SIZE, message);
        }
        Look {
            is_known,
            texels,
            uv_set: reference.map_or(0, |reference| reference.uv_set),
            moved: reference.and_then(|reference| reference.transform),
            is_keyed: matches!(material.alpha, AlphaMode::Mask(_)),
            ..look(paint, word)
        }
    }

    /// What a material says that faces do not.
    fn lose_rest(&mut self, material: &Material, paint: Paint, report: &mut Report) {
        let is_white =
            material.base_color == [1.0; 4] || matches!(paint, Paint::Color(_) | Paint::Unknown(_));
        self.lose("colours of textured materials", usize::from(!is_white));
        self.lose("glowing materials", usize::from(material.emissive != [0.0; 3]));
        self.lose("lightmaps", material.lightmap.iter().count());
        let shines = material.shading == Shading::Lit && material.metallic > 0.0;
        self.lose("metal of materials", usize::from(shines));
        self.lose("blended materials", usize::from(material.alpha == AlphaMode::Blend));
        if material.sidedness == Sidedness::Double && !self.looks.is_one_sided_told {
            self.looks.is_one_sided_told = true;
            let message =
                format!("\"{}\" is seen from both sides; faces of the game from one", material.name);
            report.warn(&warning::ONE_SIDED, message);
        }
    }
}

const fn look(paint: Paint, word: u32) -> Look {
    let word = match paint {
        // The word of the fallback.
        Paint::Color(color) if word == 0 => u32::from_le_bytes([0, color, 0xf0, 0xff]),
        _ => word,
    };
    Look { paint, word, texels: None, is_known: false, uv_set: 0, moved: None, is_keyed: false }
}

/// What the extras of our own conversions say.
fn stored(material: &Material) -> Option<Paint> {
    let number = |name: &str| material.extras.get(name).and_then(whole);
    if let Some(color) = number("color") {
        return Some(Paint::Color(u8::try_from(color).ok()?));
    }
    if let (Some(bank), Some(image)) = (number("bank"), number("image")) {
        return Some(Paint::Image { bank: u16::try_from(bank).ok()?, image: u16::try_from(image).ok()? });
    }
    Some(Paint::Unknown(u32::try_from(number("texture_word")?).ok()?))
}

/// A whole number, which other programs may have made a float of.
fn whole(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=1e10).contains(number));
    value.as_u64().or_else(|| float()?.to_string().parse().ok())
}

/// Texels across and down.
pub(super) fn texels(value: &Value) -> Option<[f64; 2]> {
    let [width, height] = value.as_array()?.as_slice() else { return None };
    let size = [width.as_f64()?, height.as_f64()?];
    size.iter().all(|side| (1.0..=65536.0).contains(side)).then_some(size)
}
