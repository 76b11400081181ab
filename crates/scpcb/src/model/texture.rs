//! The images a model names, as textures of its scene.

use std::collections::BTreeMap;

use asset::{Context, Install, Lookup, Reference, Report, Result};
use scene::image::{Alpha, Limits, Rgba8};
use scene::{Encoded, Image, ImageId, Sampler, Scene, Texture, TextureId};

/// What is named by the wrong extension is looked for under these, in this order.
pub(crate) const IMAGE_EXTENSIONS: &[&str] = &["png", "jpg", "jpeg", "bmp", "tga", "dds"];

/// What makes pixels of an image transparent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub(crate) enum Keying {
    /// Its alpha, if it has any.
    #[default]
    Alpha,
    /// Black pixels are clear, all others solid.
    Black,
    /// Its alpha; of an image that has none, its brightness.
    Brightness,
    /// None; alpha is ignored.
    Solid,
}

/// A texture of the model, or the placeholder for one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Picture {
    pub(crate) texture: TextureId,
    /// What is known of the image's alpha.
    pub(crate) alpha: Alpha,
    /// Whether the image is missing or cannot be read.
    pub(crate) is_stand_in: bool,
}

/// The textures of a model's scene being built: each image once, each way of sampling it once. Problems are reported once.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    images: BTreeMap<(String, Keying), (ImageId, Alpha, bool)>,
    textures: BTreeMap<(ImageId, Sampler), TextureId>,
}

impl Textures {
    /// The texture named in a field of the model.
    pub(crate) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (name, field): (&str, &str),
        (keying, sampler): (Keying, Sampler),
        report: &mut Report,
    ) -> Picture {
        let key = (name.to_lowercase(), keying);
        let (image, alpha, is_stand_in) = match self.images.get(&key) {
            Some(known) => *known,
            None => {
                let reference = Reference::new("texture", name, field);
                let found = find(context, &reference, keying, report);
                let is_stand_in = found.is_none();
                let image = found.unwrap_or_else(|| scene::image::placeholder(format!("missing {name}")));
                let alpha = image.encoded.alpha;
                let made = (add(scene, image), alpha, is_stand_in);
                self.images.insert(key, made);
                made
            }
        };
        let texture = *self.textures.entry((image, sampler)).or_insert_with(|| {
            let name = scene.images.get(image.0).map(|image| image.name.clone()).unwrap_or_default();
            scene.add_texture(Texture { name, image, sampler })
        });
        Picture { texture, alpha, is_stand_in }
    }
}

/// Adds an image, unless it was added under another spelling.
fn add(scene: &mut Scene, image: Image) -> ImageId {
    match scene.images.iter().position(|known| *known == image) {
        Some(index) => ImageId(index),
        None => scene.add_image(image),
    }
}

/// Looks up an image like Blitz3D does: by its bare name next to the model first, then as it is written; then, for models that stand
/// elsewhere than their textures, where the end of the path leads in the game (authors leave paths of their own computers in models), and in the
/// game's folder of rooms.
pub(crate) fn look_up(context: &Context<'_>, name: &str) -> Lookup {
    let bare = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let is_found = |lookup: &Lookup| matches!(lookup, Lookup::Found(_));
    let beside = context.reference(bare, IMAGE_EXTENSIONS);
    if is_found(&beside) {
        return beside;
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

/// Looks a path up by its end, as long as it can be, with a folder at least: from the game's folder on, or from that of its pictures and models.
fn by_end(install: &Install, name: &str) -> Option<Lookup> {
    /// Longer ends are not tried.
    const MOST_PARTS: usize = 16;
    let parts: Vec<&str> = name.split(['/', '\\']).collect();
    let ends = (parts.len().saturating_sub(MOST_PARTS).max(1)..parts.len().saturating_sub(1))
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
    let (image, place) = reference.image(context, look_up(context, reference.name), report)?;
    let is_as_it_should = match keying {
        Keying::Alpha => true,
        Keying::Black => false,
        Keying::Brightness => image.encoded.alpha != Alpha::Opaque,
        Keying::Solid => image.encoded.alpha == Alpha::Opaque,
    };
    if is_as_it_should {
        return Some(image);
    }
    let [black, solid, brightness] = VARIANTS;
    let variant = match keying {
        Keying::Black => black,
        Keying::Solid => solid,
        Keying::Alpha | Keying::Brightness => brightness,
    };
    let encoded = reference.encoded(context, &place, variant, |bytes| keyed(bytes, keying), report)?;
    Some(Image { name: format!("{} ({variant})", image.name), encoded })
}

/// What the names of images say in parentheses whose alpha is not that of their files.
pub(crate) const VARIANTS: [&str; 3] = ["black is transparent", "without alpha", "brightness is alpha"];

/// The name of an image without what it says of its alpha.
pub(crate) fn without_variant(name: &str) -> &str {
    let variant = |variant: &&str| name.strip_suffix(')')?.strip_suffix(*variant)?.strip_suffix(" (");
    VARIANTS.iter().find_map(variant).unwrap_or(name)
}

/// An image whose alpha is made of its colors.
fn keyed(bytes: &[u8], keying: Keying) -> Result<Encoded> {
    let mut picture: Rgba8 = scene::image::decode(bytes, &Limits::default())?;
    let (pixels, _) = picture.pixels_mut().as_chunks_mut::<4>();
    for [red, green, blue, alpha] in pixels {
        *alpha = match keying {
            Keying::Alpha => *alpha,
            Keying::Black if [*red, *green, *blue] == [0; 3] => 0,
            Keying::Black | Keying::Solid => 255,
            Keying::Brightness => mean(*red, *green, *blue),
        };
    }
    Ok(scene::image::png_for_gltf(&picture))
}

fn mean(red: u8, green: u8, blue: u8) -> u8 {
    let sum = u16::from(red).saturating_add(u16::from(green)).saturating_add(u16::from(blue));
    u8::try_from(sum.div_euclid(3)).unwrap_or(u8::MAX)
}
