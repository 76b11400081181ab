//! The images a room refers to, looked up as in the game.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Location, Lookup, Report};
use glam::DVec2;
use record::Error;
use scene::{Image, ImageId, Scene, Texture, TextureId};

use super::bake::{Detail, Picture};
use super::warning;
use crate::model::texture::IMAGE_EXTENSIONS;
use crate::string::BlitzString;
use asset::Reference;

/// The use of an image by a surface.
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

/// The image folders of the game and of Ultimate Edition Reborn.
pub(super) const IMAGE_FOLDERS: &[&str] = &["GFX/map", "GFX/map/Textures"];

/// Looks up an image as the game does: relative to the room's folder, ignoring case. The game stops there; this function also
/// tries the same stem with another extension, the game's own room folder for rooms outside a game, and the texture folder of
/// Ultimate Edition Reborn.
pub(super) fn look_up(context: &Context<'_>, name: &str) -> Lookup {
    let in_folder = |folder| context.install.folder(folder).reference(name, IMAGE_EXTENSIONS);
    let is_found = |lookup: &Lookup| matches!(lookup, Lookup::Found(_));
    match context.reference(name, IMAGE_EXTENSIONS) {
        Lookup::Found(found) => Lookup::Found(found),
        nothing => IMAGE_FOLDERS.iter().copied().map(in_folder).find(is_found).unwrap_or(nothing),
    }
}

/// An image that a surface refers to, or a placeholder for a missing one.
#[derive(Debug, Clone)]
pub(super) struct Source {
    image: Image,
    /// The image file; `None` for a placeholder.
    location: Option<Location>,
}

impl Source {
    fn placeholder(name: &str) -> Self {
        Self { image: scene::image::placeholder(format!("missing {name}")), location: None }
    }

    /// Whether this is a placeholder for a missing image.
    pub(super) fn is_placeholder(&self) -> bool {
        self.location.is_none()
    }

    /// Width and height in pixels.
    pub(super) fn size(&self) -> DVec2 {
        DVec2::new(self.image.encoded.width.into(), self.image.encoded.height.into())
    }

    /// The decoded image, shared with other rooms through the cache.
    pub(super) fn picture(&self, context: &Context<'_>) -> Result<Arc<Picture>, Error> {
        self.decoded(context, "", || Picture::decode(&self.image.encoded.bytes))
    }

    /// The decoded image, resized.
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

    /// The detail of the image, shared with other rooms through the cache.
    pub(super) fn detail(&self, context: &Context<'_>) -> Result<Arc<Detail>, Error> {
        let make = || Ok(Detail::of(&*self.picture(context)?));
        match &self.location {
            Some(location) => context.install.decoded(location, "", || Ok((make()?, size_of::<Detail>()))),
            None => make().map(Arc::new),
        }
    }

    /// A name that identifies the pixels in this install; all placeholders have the same ones.
    pub(super) fn identity(&self) -> String {
        match &self.location {
            Some(location) => format!("{location:?}"),
            None => String::new(),
        }
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
        match &self.location {
            Some(location) => context.install.decoded(location, variant, measured),
            None => measured().map(|(picture, _)| Arc::new(picture)),
        }
    }

    /// Checks that the image's pixels can be decoded. The result is cached.
    fn check_pixels(&self, context: &Context<'_>) -> Result<(), Error> {
        let Some(location) = &self.location else { return Ok(()) };
        let make = || self.picture(context).map(|_| (Decodable, 0));
        context.install.decoded(location, "", make).map(|_| ())
    }
}

/// Cache entry for an image that can be decoded, without its pixels.
struct Decodable;

/// The textures of a scene being built, one per image.
#[derive(Debug, Default)]
pub(super) struct Textures {
    /// By use and lowercase name.
    sources: BTreeMap<String, Option<Arc<Source>>>,
    /// By the name of the image.
    textures: BTreeMap<String, TextureId>,
}

impl Textures {
    /// Returns the image for a name. A missing texture becomes a placeholder, a missing lightmap `None`. Each is reported once.
    pub(super) fn source(
        &mut self,
        context: &Context<'_>,
        name: &BlitzString,
        use_: Use,
        field: &str,
        report: &mut Report,
    ) -> Option<Arc<Source>> {
        let name = name.text();
        let cache_key = cache_key(&name, use_);
        if let Some(known) = self.sources.get(&cache_key) {
            return known.clone();
        }
        let source = use_
            .reference(&name, field)
            .image(context, look_up(context, &name), report)
            .map(|(image, location)| Source { image, location: Some(location) });
        self.remember(source, &name, use_)
    }

    /// Like [`source`](Self::source), but an image that cannot be decoded counts as missing. Reported once.
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
        self.sources.insert(cache_key(name, use_), source.clone());
        source
    }

    /// Returns the texture of an image, adding it if needed.
    pub(super) fn of_source(&mut self, scene: &mut Scene, source: &Source) -> TextureId {
        let Image { name, .. } = &source.image;
        *self.textures.entry(name.clone()).or_insert_with(|| {
            let image = scene.add_image(source.image.clone());
            scene.add_texture(Texture { name: name.clone(), image, sampler: scene::Sampler::default() })
        })
    }
}

fn cache_key(name: &str, use_: Use) -> String {
    format!("{}:{}", use_.noun(), name.to_lowercase())
}

/// Looks up the image of a screen: in the game's folder of screens, in the folder of Ultimate Edition Reborn, or next to a room
/// outside a game.
pub(super) fn look_up_screen(context: &Context<'_>, name: &str) -> Lookup {
    let extensions = &["sc", "jpg", "jpeg", "png", "bmp"];
    let in_folder = |folder| context.install.folder(folder).reference(name, extensions);
    let is_there = |lookup: &Lookup| *lookup != Lookup::Missing;
    let found = ["GFX/screens", "GFX/map/Screens"].map(in_folder).into_iter().find(is_there);
    found.unwrap_or_else(|| context.reference(&format!("screens/{name}"), extensions))
}

/// Returns the image of a screen, for its node. Problems are reported.
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
