//! The images a room refers to, looked up like in the game.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Location, Lookup, Report};
use glam::DVec2;
use record::Error;
use scene::{Image, ImageId, Scene, Texture, TextureId};

use super::bake::Picture;
use super::warning;
use crate::model::texture::IMAGE_EXTENSIONS;
use crate::string::BlitzString;
use asset::Reference;

/// What a surface uses an image for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Texture,
    Lightmap,
}

impl Use {
    fn noun(self) -> &'static str {
        match self {
            Self::Texture => warning::TEXTURE,
            Self::Lightmap => warning::LIGHTMAP,
        }
    }

    fn reference<'a>(self, name: &'a str, field: &'a str) -> Reference<'a> {
        warning::reference(self.noun(), name, field)
    }
}

/// Where the game and Ultimate Edition Reborn have the images of rooms.
pub(super) const IMAGE_FOLDERS: &[&str] = &["GFX/map", "GFX/map/Textures"];

/// Looks up an image like the game does: relative to the room's folder, whatever the letter case. The game stops there; we go on
/// with the same stem and another extension, for rooms that are outside a game in the game's own room folder, and where Ultimate
/// Edition Reborn has its textures.
pub(super) fn look_up(context: &Context<'_>, name: &str) -> Lookup {
    let in_folder = |folder| context.install.folder(folder).reference(name, IMAGE_EXTENSIONS);
    let is_found = |lookup: &Lookup| matches!(lookup, Lookup::Found(_));
    match context.reference(name, IMAGE_EXTENSIONS) {
        Lookup::Found(found) => Lookup::Found(found),
        nothing => IMAGE_FOLDERS.iter().copied().map(in_folder).find(is_found).unwrap_or(nothing),
    }
}

/// An image that a surface names, or a placeholder for one that is missing.
#[derive(Debug, Clone)]
pub(super) struct Source {
    image: Image,
    /// The file; none for a placeholder.
    place: Option<Location>,
}

impl Source {
    fn placeholder(name: &str) -> Self {
        Self { image: scene::image::placeholder(format!("missing {name}")), place: None }
    }

    /// Whether it is a placeholder for a missing image.
    pub(super) fn is_placeholder(&self) -> bool {
        self.place.is_none()
    }

    /// Width and height in pixels.
    pub(super) fn size(&self) -> DVec2 {
        DVec2::new(self.image.encoded.width.into(), self.image.encoded.height.into())
    }

    /// The image's pixels, or those that other rooms have decoded.
    pub(super) fn picture(&self, context: &Context<'_>) -> Result<Arc<Picture>, Error> {
        self.decoded(context, "", || Picture::decode(&self.image.encoded.bytes))
    }

    /// The same in another size.
    pub(super) fn picture_of_size(
        &self,
        context: &Context<'_>,
        [width, height]: [u32; 2],
    ) -> Result<Arc<Picture>, Error> {
        if DVec2::new(width.into(), height.into()) == self.size() {
            return self.picture(context);
        }
        let make = || Ok(self.picture(context)?.resized(width, height));
        self.decoded(context, &format!("{width} x {height}"), make)
    }

    fn decoded(
        &self,
        context: &Context<'_>,
        variant: &str,
        make: impl FnOnce() -> Result<Picture, Error>,
    ) -> Result<Arc<Picture>, Error> {
        let measured = || {
            let picture = make()?;
            let size = picture.bytes();
            Ok((picture, size))
        };
        match &self.place {
            Some(place) => context.install.decoded(place, variant, measured),
            None => measured().map(|(picture, _)| Arc::new(picture)),
        }
    }

    /// Whether the image's pixels can be decoded; this is found out once.
    fn check_pixels(&self, context: &Context<'_>) -> Result<(), Error> {
        let Some(place) = &self.place else { return Ok(()) };
        let make = || self.picture(context).map(|_| (Decodable, 0));
        context.install.decoded(place, "", make).map(|_| ())
    }
}

/// Says that an image can be decoded, when its pixels are not kept.
struct Decodable;

/// The textures of a scene being built: each image once.
#[derive(Debug, Default)]
pub(super) struct Textures {
    /// By use and lowercase name.
    sources: BTreeMap<String, Option<Arc<Source>>>,
    /// By the name of the image.
    textures: BTreeMap<String, TextureId>,
}

impl Textures {
    /// The image of a name. A missing texture becomes a placeholder; a missing lightmap becomes nothing. Each is reported once.
    pub(super) fn source(
        &mut self,
        context: &Context<'_>,
        name: &BlitzString,
        use_: Use,
        field: &str,
        report: &mut Report,
    ) -> Option<Arc<Source>> {
        let name = name.text();
        let wanted = wanted(&name, use_);
        if let Some(known) = self.sources.get(&wanted) {
            return known.clone();
        }
        let source = use_
            .reference(&name, field)
            .image(context, look_up(context, &name), report)
            .map(|(image, place)| Source { image, place: Some(place) });
        self.remember(source, &name, use_)
    }

    /// The decodable image of a name; otherwise a placeholder or nothing. Reported once.
    pub(super) fn decodable(
        &mut self,
        context: &Context<'_>,
        name: &BlitzString,
        use_: Use,
        field: &str,
        report: &mut Report,
    ) -> Option<Arc<Source>> {
        let source = self.source(context, name, use_, field, report)?;
        match source.check_pixels(context) {
            Ok(()) => Some(source),
            Err(error) => {
                use_.reference(&name.text(), field).report_unreadable(&error, report);
                self.remember(None, &name.text(), use_)
            }
        }
    }

    fn remember(&mut self, source: Option<Source>, name: &str, use_: Use) -> Option<Arc<Source>> {
        let placeholder = || (use_ == Use::Texture).then(|| Source::placeholder(name));
        let source = source.or_else(placeholder).map(Arc::new);
        self.sources.insert(wanted(name, use_), source.clone());
        source
    }

    /// The texture of an image.
    pub(super) fn of_source(&mut self, scene: &mut Scene, source: &Source) -> TextureId {
        let Image { name, .. } = &source.image;
        *self.textures.entry(name.clone()).or_insert_with(|| {
            let image = scene.add_image(source.image.clone());
            scene.add_texture(Texture { name: name.clone(), image, sampler: scene::Sampler::default() })
        })
    }
}

fn wanted(name: &str, use_: Use) -> String {
    format!("{}:{}", use_.noun(), name.to_lowercase())
}

/// Looks up the picture of a screen: in the game's folder of screens, in that of Ultimate Edition Reborn, or next to a room that
/// is outside a game.
pub(super) fn look_up_screen(context: &Context<'_>, name: &str) -> Lookup {
    let extensions = &["sc", "jpg", "jpeg", "png", "bmp"];
    let in_folder = |folder| context.install.folder(folder).reference(name, extensions);
    let is_there = |lookup: &Lookup| *lookup != Lookup::Missing;
    let found = ["GFX/screens", "GFX/map/Screens"].map(in_folder).into_iter().find(is_there);
    found.unwrap_or_else(|| context.reference(&format!("screens/{name}"), extensions))
}

/// The picture of a screen, for its node. Problems are reported.
pub(super) fn screen(
    scene: &mut Scene,
    context: &Context<'_>,
    name: &BlitzString,
    field: &str,
    report: &mut Report,
) -> Option<ImageId> {
    let name = name.text();
    let reference = warning::reference(warning::SCREEN, &name, field);
    let (image, _) = reference.image(context, look_up_screen(context, &name), report)?;
    Some(match scene.images.iter().position(|known| known.name == image.name) {
        Some(index) => ImageId(index),
        None => scene.add_image(image),
    })
}
