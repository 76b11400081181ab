//! Loads the images that a model refers to as textures of its scene.

use std::collections::BTreeMap;

use asset::{Context, Install, Lookup, Reference, Report, Result};
use scene::image::{Alpha, Limits, Rgba8};
use scene::{Encoded, Image, ImageId, Sampler, Scene, Texture, TextureId};

/// Extensions that are tried, in this order, for a name with the wrong extension.
pub(crate) const IMAGE_EXTENSIONS: &[&str] = &["png", "jpg", "jpeg", "bmp", "tga", "dds"];

/// Source of an image's transparency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub(crate) enum Keying {
    /// The alpha channel, if any.
    #[default]
    Alpha,
    /// Black pixels are transparent, all others opaque.
    Black,
    /// The alpha channel, or the brightness if there is none.
    Brightness,
    /// None; alpha is ignored.
    Solid,
}

/// A texture of the model, or its placeholder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LoadedTexture {
    pub(crate) texture: TextureId,
    /// The kind of alpha in the image.
    pub(crate) alpha: Alpha,
    /// Whether the image is missing or unreadable.
    pub(crate) is_placeholder: bool,
}

/// The textures of a scene being built. Each image is added once, and so is each sampler of an image. Problems are reported once.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    images: BTreeMap<(String, Keying), (ImageId, Alpha, bool)>,
    textures: BTreeMap<(ImageId, Sampler), TextureId>,
}

impl Textures {
    /// Returns the texture for a name in a field of the model.
    pub(crate) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (name, field): (&str, &str),
        (keying, sampler): (Keying, Sampler),
        report: &mut Report,
    ) -> LoadedTexture {
        let key = (name.to_lowercase(), keying);
        let (image, alpha, is_placeholder) = match self.images.get(&key) {
            Some(known) => *known,
            None => {
                let reference = Reference::new("texture", name, field);
                let found = find(context, &reference, keying, report);
                let is_placeholder = found.is_none();
                let image = found.unwrap_or_else(|| scene::image::placeholder(format!("missing {name}")));
                let alpha = image.encoded.alpha;
                let added = (add(scene, image), alpha, is_placeholder);
                self.images.insert(key, added);
                added
            }
        };
        let texture = *self.textures.entry((image, sampler)).or_insert_with(|| {
            let name = scene.images.get(image.0).map(|image| image.name.clone()).unwrap_or_default();
            scene.add_texture(Texture { name, image, sampler })
        });
        LoadedTexture { texture, alpha, is_placeholder }
    }
}

/// Adds an image, unless it was added under another spelling.
fn add(scene: &mut Scene, image: Image) -> ImageId {
    match scene.images.iter().position(|known| *known == image) {
        Some(index) => ImageId(index),
        None => scene.add_image(image),
    }
}

/// Looks up an image like Blitz3D: first by its file name next to the model, then by the path as written. Models in other folders
/// than their textures also need the end of the path, relative to the game (authors leave absolute paths of their own computers in
/// models), and the game's folder of rooms.
pub(crate) fn look_up(context: &Context<'_>, name: &str) -> Lookup {
    let bare = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let is_found = |lookup: &Lookup| matches!(lookup, Lookup::Found(_));
    let sibling = context.reference(bare, IMAGE_EXTENSIONS);
    if is_found(&sibling) {
        return sibling;
    }
    let as_written = context.reference(name, IMAGE_EXTENSIONS);
    if is_found(&as_written) {
        return as_written;
    }
    if let Some(found) = by_end(context.install, name) {
        return found;
    }
    let with_rooms = context.install.folder("GFX/map").reference(bare, IMAGE_EXTENSIONS);
    if is_found(&with_rooms) { with_rooms } else { as_written }
}

/// Looks up the longest possible end of a path that includes at least one folder, relative to the game folder or its `GFX` folder.
fn by_end(install: &Install, name: &str) -> Option<Lookup> {
    /// Maximum number of components of the end.
    const MAX_COMPONENTS: usize = 16;
    let parts: Vec<&str> = name.split(['/', '\\']).collect();
    let ends = (parts.len().saturating_sub(MAX_COMPONENTS).max(1)..parts.len().saturating_sub(1))
        .filter_map(|first| Some(parts.get(first..)?.join("/")));
    let in_folders = |end: String| {
        let folders = [install.root(), install.folder("GFX")];
        folders
            .into_iter()
            .map(move |folder| folder.find(&end))
            .find(|lookup| matches!(lookup, Lookup::Found(_)))
    };
    ends.filter_map(in_folders).next()
}

fn find(
    context: &Context<'_>,
    reference: &Reference<'_>,
    keying: Keying,
    report: &mut Report,
) -> Option<Image> {
    let (image, location) = reference.image(context, look_up(context, reference.name), report)?;
    let has_expected_alpha = match keying {
        Keying::Alpha => true,
        Keying::Black => false,
        Keying::Brightness => image.encoded.alpha != Alpha::Opaque,
        Keying::Solid => image.encoded.alpha == Alpha::Opaque,
    };
    if has_expected_alpha {
        return Some(image);
    }
    let [black, solid, brightness] = VARIANTS;
    let variant = match keying {
        Keying::Black => black,
        Keying::Solid => solid,
        Keying::Alpha | Keying::Brightness => brightness,
    };
    let encoded = reference.encoded(context, &location, variant, |bytes| keyed(bytes, keying), report)?;
    Some(Image { name: format!("{} ({variant})", image.name), encoded })
}

/// Variants of images with modified alpha, appended to their names in parentheses.
pub(crate) const VARIANTS: [&str; 3] = ["black is transparent", "without alpha", "brightness is alpha"];

/// Returns the name of an image without its variant.
pub(crate) fn without_variant(name: &str) -> &str {
    let variant = |variant: &&str| name.strip_suffix(')')?.strip_suffix(*variant)?.strip_suffix(" (");
    VARIANTS.iter().find_map(variant).unwrap_or(name)
}

/// Returns the image with alpha computed from its colors.
fn keyed(bytes: &[u8], keying: Keying) -> Result<Encoded> {
    let mut image: Rgba8 = scene::image::decode(bytes, &Limits::default())?;
    let (pixels, _) = image.pixels_mut().as_chunks_mut::<4>();
    for [red, green, blue, alpha] in pixels {
        *alpha = match keying {
            Keying::Alpha => *alpha,
            Keying::Black if [*red, *green, *blue] == [0; 3] => 0,
            Keying::Black | Keying::Solid => 255,
            Keying::Brightness => mean(*red, *green, *blue),
        };
    }
    Ok(scene::image::png_for_gltf(&image))
}

fn mean(red: u8, green: u8, blue: u8) -> u8 {
    let sum = u16::from(red).saturating_add(u16::from(green)).saturating_add(u16::from(blue));
    u8::try_from(sum.div_euclid(3)).unwrap_or(u8::MAX)
}
