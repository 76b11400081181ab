//! The images a room names: found as the game finds them, or else told.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Code, Context, Found, How, Lookup, Report};
use record::Error;
use scene::image::Integrity;
use scene::{Encoded, Image, ImageId, Scene, Texture, TextureId};

use super::warning;
use crate::string::BlitzString;

/// What rooms name by the wrong extension is looked for under these, in this order.
const EXTENSIONS: &[&str] = &["png", "jpg", "jpeg", "bmp", "tga"];

/// What a surface uses an image for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Texture,
    Lightmap,
}

impl Use {
    fn noun(self) -> &'static str {
        match self {
            Self::Texture => "texture",
            Self::Lightmap => "lightmap",
        }
    }

    fn missing(self) -> &'static Code {
        match self {
            Self::Texture => &warning::TEXTURE_MISSING,
            Self::Lightmap => &warning::LIGHTMAP_MISSING,
        }
    }
}

/// Looks an image up as the game does: relative to the room's folder, whatever the letter case. The game stops there; we go on
/// with the same stem and another extension, and, for rooms that stand outside a game, in the game's own room folder.
pub(super) fn look_up(context: &Context<'_>, name: &str) -> Lookup {
    match context.reference(name, EXTENSIONS) {
        Lookup::Found(found) => Lookup::Found(found),
        nothing => match context.install.folder("GFX/map").reference(name, EXTENSIONS) {
            Lookup::Found(found) => Lookup::Found(found),
            _ => nothing,
        },
    }
}

/// Reports how a name fared. Gives the file when there is one.
pub(super) fn resolve(
    lookup: Lookup,
    name: &str,
    noun: &str,
    missing: &'static Code,
    field: &str,
    report: &mut Report,
) -> Option<Found> {
    let found = match lookup {
        Lookup::Found(found) => found,
        Lookup::Outside(why) => {
            let message = format!("{noun} \"{name}\" is not looked for: {why}");
            report.warn(&warning::OUTSIDE, message).in_field(field);
            return None;
        }
        Lookup::Missing => {
            report.warn(missing, format!("{noun} \"{name}\" is not there")).in_field(field);
            return None;
        }
    };
    if found.how == How::OtherExtension {
        let message = format!("{noun} \"{name}\" is not there: \"{}\" is taken", found.place.path().name());
        report.warn(&warning::OTHER_EXTENSION, message).in_field(field);
    }
    Some(found)
}

/// The textures of a scene in the making: each image once.
#[derive(Debug, Default)]
pub(super) struct Textures {
    /// By the path of the file, or by the name of what is missing.
    known: BTreeMap<String, Option<TextureId>>,
    stand_ins: BTreeSet<TextureId>,
}

impl Textures {
    /// The texture for a name. A missing texture becomes a stand-in; a missing lightmap becomes nothing. Each is told once.
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        name: &BlitzString,
        use_: Use,
        field: &str,
        report: &mut Report,
    ) -> Option<TextureId> {
        let name = name.text();
        let wanted = format!("{}:{}", use_.noun(), name.to_lowercase());
        if let Some(known) = self.known.get(&wanted) {
            return *known;
        }
        let found = resolve(look_up(context, &name), &name, use_.noun(), use_.missing(), field, report);
        let image = found.and_then(|found| {
            load(context, &found)
                .inspect(|image| tell_cut(image, use_, field, report))
                .map_err(|error| tell_bad(&error, &name, use_, field, report))
                .ok()
        });
        let texture = match (image, use_) {
            (Some(image), _) => Some(self.of_image(scene, image)),
            (None, Use::Texture) => Some(self.stand_in(scene, &name)),
            (None, Use::Lightmap) => None,
        };
        self.known.insert(wanted, texture);
        texture
    }

    /// Whether a texture only stands in for one that is missing.
    pub(super) fn is_stand_in(&self, texture: TextureId) -> bool {
        self.stand_ins.contains(&texture)
    }

    fn stand_in(&mut self, scene: &mut Scene, name: &str) -> TextureId {
        let texture = self.of_image(scene, scene::image::placeholder(format!("missing {name}")));
        self.stand_ins.insert(texture);
        texture
    }

    fn of_image(&mut self, scene: &mut Scene, image: Image) -> TextureId {
        let key = format!("image:{}", image.name);
        if let Some(Some(known)) = self.known.get(&key) {
            return *known;
        }
        let name = image.name.clone();
        let image = scene.add_image(image);
        let texture = scene.add_texture(Texture { name, image, sampler: scene::Sampler::default() });
        self.known.insert(key, Some(texture));
        texture
    }
}

/// Looks up the picture of a screen: in the game's folder of screens, or beside a room that stands outside a game.
pub(super) fn look_up_screen(context: &Context<'_>, name: &str) -> Lookup {
    let extensions = &["sc", "jpg", "jpeg", "png", "bmp"];
    match context.install.folder("GFX/screens").reference(name, extensions) {
        Lookup::Missing => context.reference(&format!("screens/{name}"), extensions),
        lookup => lookup,
    }
}

/// The picture of a screen, for its node. What is amiss is told.
pub(super) fn screen(
    scene: &mut Scene,
    context: &Context<'_>,
    name: &BlitzString,
    field: &str,
    report: &mut Report,
) -> Option<ImageId> {
    let name = name.text();
    let lookup = look_up_screen(context, &name);
    let found = resolve(lookup, &name, "screen", &warning::SCREEN_MISSING, field, report)?;
    match load(context, &found) {
        Ok(image) => Some(match scene.images.iter().position(|known| known.name == image.name) {
            Some(index) => ImageId(index),
            None => scene.add_image(image),
        }),
        Err(error) => {
            let message = format!("screen \"{name}\" cannot be read: {}", error.message());
            report.warn(&warning::BAD_IMAGE, message).in_field(field);
            None
        }
    }
}

/// Reads an image, or takes it from what other rooms have read. It is called as its file is.
fn load(context: &Context<'_>, found: &Found) -> Result<Image, Error> {
    let encoded = context.install.decoded(&found.place, "glTF image", || {
        let source = context.install.open(&found.place)?;
        if source.len() > LARGEST {
            return Err(Error::limit(format!(
                "{} bytes are more than an image may have ({LARGEST})",
                source.len()
            )));
        }
        let encoded: Encoded =
            scene::image::for_gltf(&source.read_all()?).map_err(|error| asset::from_scene(&error))?;
        let size = encoded.bytes.len();
        Ok((encoded, size))
    })?;
    Ok(Image { name: found.place.path().name().to_owned(), encoded: (*encoded).clone() })
}

/// The largest image file that is read.
const LARGEST: u64 = 256 << 20;

fn tell_cut(image: &Image, use_: Use, field: &str, report: &mut Report) {
    if image.encoded.integrity == Integrity::EndMissing {
        let message = format!("{} \"{}\" is cut short: its lower part may be grey", use_.noun(), image.name);
        report.warn(&warning::IMAGE_CUT, message).in_field(field);
    }
}

fn tell_bad(error: &Error, name: &str, use_: Use, field: &str, report: &mut Report) {
    let message = format!("{} \"{name}\" cannot be read: {}", use_.noun(), error.message());
    report.warn(&warning::BAD_IMAGE, message).in_field(field);
}
