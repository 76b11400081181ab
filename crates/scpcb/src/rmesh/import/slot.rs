//! Texture slots from materials.

use asset::Report;
use json::{Map, Value};
use record::{Error, Result};
use scene::{AlphaMode, ImageId, Material, Scene, TextureId};

use super::super::layout::{TextureKind, TextureSlot};
use super::super::warning;
use super::picture::{Pictures, is_file_name};
use crate::import::name::{PLACEHOLDER_PREFIX, extension, image_name, stem, without_number};
use crate::string::BlitzString;

/// The slots of a surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slots {
    pub(super) texture: TextureSlot,
    pub(super) lightmap: TextureSlot,
}

/// The form of the conversion that a material comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Texture and lightmap in separate images.
    Split,
    /// Both in one image, which rooms do not support: the slots are taken from the extras.
    Baked,
}

/// Name suffix of materials whose lightmap is baked into their texture.
const BAKED: &str = " (baked)";

impl Form {
    pub(super) fn of(material: &Material) -> Self {
        if without_number(&material.name).ends_with(BAKED) { Self::Baked } else { Self::Split }
    }
}

/// Creates the slots of a material.
///
/// The extras (of the primitive, otherwise of the material) take precedence, with their kinds. If an image differs from the one in the
/// extras, the image takes precedence. Without extras, file names in the material's name from an earlier conversion
/// (`wall.jpg + room_lm1.png`) are used if they are consistent with its images, otherwise the images' names. The lightmap is
/// `MOZ_lightmap`, or an emissive texture on another texture coordinate set than the base color.
///
/// # Errors
/// If the extras are not a valid slot, or a name is outside the game's charset.
pub(super) fn slots(
    scene: &Scene,
    material: &Material,
    primitive: &Map<String, Value>,
    pictures: &mut Pictures,
    report: &mut Report,
) -> Result<Slots> {
    let label = format!("the material \"{}\"", material.name);
    let stored = |name: &str| -> Result<Option<TextureSlot>> {
        let value = primitive.get(name).or_else(|| material.extras.get(name));
        let slot = value.map(|value| json::from_value(value.clone())).transpose();
        slot.map_err(|error| Error::usage(format!("{label}: extras.{name} is not a texture slot: {error}")))
    };
    let is_clear = material.alpha != AlphaMode::Opaque;
    let named = Named::of(material);
    let shown = material.base_color_texture.map(|texture| texture.texture);
    let baked_light =
        material.lightmap.map(|lightmap| lightmap.texture).or_else(|| glowing_lightmap(material));
    let baked_light = baked_light.map(|texture| texture.texture);

    let mut choose = |what: &str, texture: Option<TextureId>, name: Option<&str>, kind: TextureKind| {
        let texture = texture.filter(|_| Form::of(material) == Form::Split);
        let found = texture.map(|texture| (image_name(scene, texture), image_of(scene, texture)));
        let (image, id) = found.map_or((None, None), |(name, id)| (Some(name), id));
        let is_placeholder = image.as_deref().is_some_and(|image| image.starts_with(PLACEHOLDER_PREFIX));
        let id = id.filter(|_| !is_placeholder);
        match (stored(what)?, image) {
            (Some(slot), Some(image)) if !is_same_file(slot.named(), &image) => {
                let image = new_name(scene, pictures, what, &image, id);
                let before = slot.named().map_or_else(|| "none".to_owned(), |name| format!("\"{name}\""));
                let message = format!("{label} now uses \"{image}\"; the {what} was {before}");
                report.warn(&warning::TEXTURE_CHANGED, message);
                let kind = if slot.named().is_some() { slot.kind } else { kind };
                Ok(Some(named_slot(kind, &image, &label)?))
            }
            (Some(slot), _) => {
                if let (Some(name), Some(id)) = (slot.named(), id) {
                    pictures.keep(scene, &name.text(), id);
                }
                Ok(Some(slot))
            }
            (None, Some(image)) => {
                let missing = image.strip_prefix(PLACEHOLDER_PREFIX);
                let is_own = |name: &str| image.is_empty() || stem(name) == stem(&image);
                let fits = |name: &&str| missing.is_some() || (is_own(name) && is_file_name(name));
                let name = name.filter(fits).or(missing);
                if let (Some(name), Some(id)) = (name, id) {
                    pictures.keep(scene, name, id);
                }
                let name =
                    name.map(str::to_owned).unwrap_or_else(|| new_name(scene, pictures, what, &image, id));
                named_slot(kind, &name, &label).map(Some)
            }
            (None, None) => name.map(|name| named_slot(kind, name, &label)).transpose(),
        }
    };
    let kind = if is_clear { TextureKind::TRANSPARENT } else { TextureKind::OPAQUE };
    let texture = choose("texture", shown, named.texture, kind)?;
    let lightmap = choose("lightmap", baked_light, named.lightmap, TextureKind::LIGHTMAP)?;
    let texture = match texture {
        Some(texture) => texture,
        None => match pictures.of_color(material) {
            Some(name) => named_slot(kind, &name, &label)?,
            None => empty(),
        },
    };
    Ok(Slots { texture, lightmap: lightmap.unwrap_or_else(empty) })
}

/// The file name of an image that no room refers to yet, unique among the images.
fn new_name(scene: &Scene, pictures: &mut Pictures, what: &str, image: &str, id: Option<ImageId>) -> String {
    let Some(id) = id else { return image.to_owned() };
    let image = if image.is_empty() { unnamed(scene, id) } else { image.to_owned() };
    let name_with_mark = if what == "lightmap" { with_lightmap_mark(&image) } else { image };
    pictures.name(scene, &name_with_mark, id)
}

/// The part of a file name by which the game recognizes a lightmap.
const LIGHTMAP_MARK: &str = "_lm";

/// The name of a lightmap, with the mark by which the game recognizes it.
fn with_lightmap_mark(name: &str) -> String {
    if name.to_lowercase().contains(LIGHTMAP_MARK) {
        return name.to_owned();
    }
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}{LIGHTMAP_MARK}.{extension}"),
        None => format!("{name}{LIGHTMAP_MARK}"),
    }
}

/// The empty slot as the game's converter writes it: a kind with an empty name.
fn empty() -> TextureSlot {
    TextureSlot { kind: TextureKind::OPAQUE, name: Some(BlitzString::default()) }
}

impl Slots {
    /// The slots of a surface without a material.
    pub(super) fn empty() -> Self {
        Self { texture: empty(), lightmap: empty() }
    }
}

/// An emissive texture on its own texture coordinate set: light that was baked in another program.
pub(super) fn glowing_lightmap(material: &Material) -> Option<scene::TextureRef> {
    let base = material.base_color_texture?;
    material.emissive_texture.filter(|glow| glow.uv_set != base.uv_set)
}

/// File names in the name of a material.
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

/// Whether materials are named after files, as in conversions of rooms.
pub(super) fn has_file_names(scene: &Scene) -> bool {
    scene.materials.iter().any(|material| Named::of(material).texture.is_some())
}

/// Whether materials are named after a texture and a lightmap, as only in conversions of rooms.
pub(super) fn has_lightmap_names(scene: &Scene) -> bool {
    scene.materials.iter().any(|material| {
        let named = Named::of(material);
        named.texture.is_some() && named.lightmap.is_some()
    })
}

/// Whether a material is named after a file and lost its extras.
pub(super) fn has_lost_extras(material: &Material) -> bool {
    material.extras.is_empty() && Named::of(material).texture.is_some()
}

/// The file name of an image without a name.
fn unnamed(scene: &Scene, image: ImageId) -> String {
    let kind = scene.images.get(image.0).map(|image| image.encoded.kind);
    format!("image.{}", kind.map_or("png", scene::ImageKind::extension))
}

/// The image of a texture.
fn image_of(scene: &Scene, texture: TextureId) -> Option<ImageId> {
    scene.textures.get(texture.0).map(|texture| texture.image)
}

/// Whether an image is the one that a slot refers to, with any extension, or a placeholder for it.
fn is_same_file(slot: Option<&BlitzString>, image: &str) -> bool {
    if image.is_empty() || image.starts_with(PLACEHOLDER_PREFIX) {
        return true;
    }
    slot.is_some_and(|slot| stem(&slot.text()) == stem(image))
}

fn named_slot(kind: TextureKind, name: &str, label: &str) -> Result<TextureSlot> {
    let text = BlitzString::from_text(name)
        .map_err(|error| Error::usage(format!("{label}: {}", error.message())))?;
    Ok(TextureSlot { kind, name: Some(text) })
}
