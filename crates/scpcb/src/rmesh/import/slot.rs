//! Texture slots out of materials.

use asset::Report;
use record::{Error, Result};
use scene::{AlphaMode, Material, Scene};
use serde_json::{Map, Value};

use super::super::layout::{TextureKind, TextureSlot};
use super::super::warning;
use crate::import::name::{STAND_IN, extension, image_name, stem, without_number};
use crate::string::BlitzString;

/// The slots of a surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slots {
    pub(super) texture: TextureSlot,
    pub(super) lightmap: TextureSlot,
}

/// Which form of a room a material belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Texture and lightmap apart.
    Split,
    /// Both in one image, which no room holds: the slots are those in the extras.
    Baked,
}

/// How the name of a material ends whose lightmap is baked into its texture.
const BAKED: &str = " (baked)";

impl Form {
    pub(super) fn of(material: &Material) -> Self {
        if without_number(&material.name).ends_with(BAKED) { Self::Baked } else { Self::Split }
    }
}

/// Makes the slots of a material.
///
/// Those in the extras (of the primitive, else of the material) count, with their kinds. Where an image is another one than they
/// say, the image counts. Without extras, names that the material has from an earlier conversion count (`wall.jpg + room_lm1.png`)
/// if they do not contradict its images, else the images' names. A lightmap is `MOZ_lightmap`, or what glows on another set of
/// texture coordinates than the texture.
///
/// # Errors
/// For extras that are not those of a slot, and names outside the game's charset.
pub(super) fn slots(
    scene: &Scene,
    material: &Material,
    primitive: &Map<String, Value>,
    report: &mut Report,
) -> Result<Slots> {
    let transform = format!("the material \"{}\"", material.name);
    let stored = |name: &str| -> Result<Option<TextureSlot>> {
        let value = primitive.get(name).or_else(|| material.extras.get(name));
        let slot = value.map(|value| serde_json::from_value(value.clone())).transpose();
        slot.map_err(|error| {
            Error::usage(format!("{transform}: extras.{name} is not a texture slot: {error}"))
        })
    };
    let is_clear = material.alpha != AlphaMode::Opaque;
    let named = Named::of(material);
    let image = material.base_color_texture.map(|texture| image_name(scene, texture.texture));
    let baked_light =
        material.lightmap.map(|lightmap| lightmap.texture).or_else(|| glowing_lightmap(material));
    let lightmap_image = baked_light.map(|texture| image_name(scene, texture.texture));

    let mut choose = |what: &str, image: Option<String>, name: Option<&str>, kind: TextureKind| {
        let image = image.filter(|_| Form::of(material) == Form::Split);
        match (stored(what)?, image) {
            (Some(slot), Some(image)) if !is_same_file(slot.named(), &image) => {
                let before = slot.named().map_or_else(|| "none".to_owned(), |name| format!("\"{name}\""));
                let message = format!("{transform} now uses \"{image}\"; the {what} was {before}");
                report.warn(&warning::TEXTURE_CHANGED, message);
                let kind = if slot.named().is_some() { slot.kind } else { kind };
                Ok(Some(named_slot(kind, &image, &transform)?))
            }
            (Some(slot), _) => Ok(Some(slot)),
            (None, Some(image)) => {
                let stands_in = image.strip_prefix(STAND_IN);
                let name = name.filter(|name| stands_in.is_some() || stem(name) == stem(&image));
                named_slot(kind, name.or(stands_in).unwrap_or(&image), &transform).map(Some)
            }
            (None, None) => name.map(|name| named_slot(kind, name, &transform)).transpose(),
        }
    };
    let kind = if is_clear { TextureKind::TRANSPARENT } else { TextureKind::OPAQUE };
    let texture = choose("texture", image, named.texture, kind)?;
    let lightmap = choose("lightmap", lightmap_image, named.lightmap, TextureKind::LIGHTMAP)?;
    Ok(Slots { texture: texture.unwrap_or_else(empty), lightmap: lightmap.unwrap_or_else(empty) })
}

/// What the game's converter writes where there is nothing: a kind with an empty name.
fn empty() -> TextureSlot {
    TextureSlot { kind: TextureKind::OPAQUE, name: Some(BlitzString::default()) }
}

impl Slots {
    /// The slots of a surface without a material.
    pub(super) fn empty() -> Self {
        Self { texture: empty(), lightmap: empty() }
    }
}

/// A texture that glows, on coordinates of its own: light that was baked with other programs.
pub(super) fn glowing_lightmap(material: &Material) -> Option<scene::TextureRef> {
    let base = material.base_color_texture?;
    material.emissive_texture.filter(|glow| glow.uv_set != base.uv_set)
}

/// Names of files in the name of a material.
struct Named<'a> {
    texture: Option<&'a str>,
    lightmap: Option<&'a str>,
}

impl<'a> Named<'a> {
    fn of(material: &'a Material) -> Self {
        let name = without_number(&material.name);
        let name = name.strip_suffix(BAKED).unwrap_or(name);
        let (texture, lightmap) = match name.split_once(" + ") {
            Some((texture, lightmap)) => (texture, Some(lightmap)),
            None => (name, None),
        };
        let is_file = |name: &&str| extension(name).is_some();
        Self { texture: Some(texture).filter(is_file), lightmap: lightmap.filter(is_file) }
    }
}

/// Whether an image is the one that a slot names, under any extension, or a placeholder for it.
fn is_same_file(slot: Option<&BlitzString>, image: &str) -> bool {
    if image.is_empty() || image.starts_with(STAND_IN) {
        return true;
    }
    slot.is_some_and(|slot| stem(&slot.text()) == stem(image))
}

fn named_slot(kind: TextureKind, name: &str, transform: &str) -> Result<TextureSlot> {
    let text = BlitzString::from_text(name)
        .map_err(|error| Error::usage(format!("{transform}: {}", error.message())))?;
    Ok(TextureSlot { kind, name: Some(text) })
}
