//! The materials of models: colours of the palette and images of the banks, found in the game around the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Report, counted};
use record::{Error, Result};
use scene::image::{Film8, Image, Indexed8, png_for_gltf};
use scene::{
    AlphaMode, Filter, Material, MaterialId, MinFilter, Sampler, Scene, Texture, TextureId, TextureRef, color,
};
use serde_json::{Map, Value, json};

use super::{Model, Paint, Version, warning};
use crate::picture::INDEX_0;
use crate::picture::palette::{Chosen, Home, Shelf, Shown};
use crate::picture::texbsi::image::Place;
use crate::picture::texbsi::{Bank, ImageKey};
use crate::picture::texture::TextureSet;
use asset::picture::{Budget, Index0};

/// Finds the images of faces and makes materials of them.
pub(crate) struct Materials<'a> {
    context: &'a Context<'a>,
    home: Home,
    shelf: Shelf,
    pictures: BTreeMap<(u16, u16), Option<Arc<Picture>>>,
    banks: BTreeMap<u16, Option<Arc<Bank>>>,
    sets: BTreeMap<u16, Option<Arc<TextureSet>>>,
    made: BTreeMap<(Paint, bool), MaterialId>,
    budget: Budget,
    /// What is not there, or damaged.
    missing: BTreeMap<String, &'static asset::Code>,
    /// How many images come from the other renderer's banks.
    instead: usize,
    shown: Option<Shown>,
}

/// An image that was found.
struct Picture {
    /// Its frames, the first of which is what the material shows.
    stills: Vec<Indexed8>,
    facts: Map<String, Value>,
}

/// A material and how large its image is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface {
    pub(crate) material: MaterialId,
    /// Texels across and down; 64 where there is no image.
    pub(crate) size: [f32; 2],
}

/// The usual side of an image, for faces whose image is not there.
const USUAL_SIDE: u32 = 64;

impl<'a> Materials<'a> {
    /// For models of a version, at the place of the context.
    pub(crate) fn new(context: &'a Context<'a>, version: Version) -> Result<Self> {
        let home = if version.is_glide() { Home::Glide } else { Home::Software };
        Ok(Self {
            context,
            home,
            shelf: Shelf::new(context, home)?,
            pictures: BTreeMap::new(),
            banks: BTreeMap::new(),
            sets: BTreeMap::new(),
            made: BTreeMap::new(),
            budget: Budget::default(),
            missing: BTreeMap::new(),
            instead: 0,
            shown: None,
        })
    }

    /// Looks for the image of a face.
    fn find(&mut self, paint: Paint) {
        if let Paint::Image { bank, image } = paint {
            self.look_up(bank, image);
        }
    }

    /// Looks for the images of all faces of a model.
    pub(crate) fn find_all(&mut self, model: &Model) {
        for face in model.faces() {
            self.find(face.paint);
        }
    }

    /// The material of a face. `keyed` lets the first colour of the palette be seen through.
    pub(crate) fn surface(&mut self, scene: &mut Scene, paint: Paint, keyed: bool) -> Surface {
        self.find(paint);
        let asked = self.context.options.choice(&INDEX_0).map_or(keyed, |index_0| index_0 == Index0::Clear);
        let keyed = asked && matches!(paint, Paint::Image { .. });
        let picture = match paint {
            Paint::Image { bank, image } => self.pictures.get(&(bank, image)).cloned().flatten(),
            Paint::Color(_) | Paint::Unknown(_) => None,
        };
        let side = |pixels: Option<u32>| {
            // No image is so large that single precision cannot say its side.
            u16::try_from(pixels.unwrap_or(USUAL_SIDE)).map_or(f32::from(u16::MAX), f32::from).max(1.0)
        };
        let size = [
            side(picture.as_ref().and_then(|picture| picture.stills.first()).map(Indexed8::width)),
            side(picture.as_ref().and_then(|picture| picture.stills.first()).map(Indexed8::height)),
        ];
        if let Some(material) = self.made.get(&(paint, keyed)) {
            return Surface { material: *material, size };
        }
        let mut material = self.material(paint, keyed, picture.as_deref(), scene);
        if matches!(paint, Paint::Image { .. }) {
            material.extras.insert("texels".into(), json!(size));
        }
        let material = scene.add_material(material);
        self.made.insert((paint, keyed), material);
        Surface { material, size }
    }

    fn material(
        &mut self,
        paint: Paint,
        keyed: bool,
        picture: Option<&Picture>,
        scene: &mut Scene,
    ) -> Material {
        let mut material = Material { name: name_of(paint), ..Material::default() };
        match paint {
            Paint::Color(index) => {
                let chosen = self.shelf.choose(None);
                let [red, green, blue] = chosen.colors.get(index);
                material.base_color = color::rgba8_to_linear([red, green, blue, 255]);
                material.extras.insert("color".into(), json!(index));
                material.extras.insert("palette".into(), chosen.shown.name().into());
                self.note(&chosen);
            }
            Paint::Image { bank, image } => {
                material.extras.insert("bank".into(), json!(bank));
                material.extras.insert("image".into(), json!(image));
            }
            Paint::Unknown(word) => {
                material.base_color = [1.0, 0.0, 1.0, 1.0];
                material.extras.insert("texture_word".into(), json!(word));
            }
        }
        let Some(picture) = picture else { return material };
        material.extras.extend(picture.facts.clone());
        let textures: Vec<_> = (0..)
            .zip(&picture.stills)
            .map(|(frame, still)| frame_of(&material.name, frame, still, scene))
            .collect();
        material.base_color_texture = textures.first().map(|texture| TextureRef::new(*texture));
        if textures.len() > 1 {
            // glTF cannot let one image follow another: who reads the file can, by these.
            let numbers: Vec<_> = textures.iter().map(|texture| texture.0).collect();
            material.extras.insert("frame_textures".into(), json!(numbers));
        }
        if keyed {
            material.alpha = AlphaMode::Mask(0.5);
        }
        material
    }

    fn note(&mut self, chosen: &Chosen) {
        if self.shown.is_none() {
            self.shown = Some(chosen.shown.clone());
        }
    }

    fn look_up(&mut self, bank: u16, image: u16) {
        if self.pictures.contains_key(&(bank, image)) {
            return;
        }
        let found = match self.home {
            Home::Glide => self.of_bank(bank, image, None),
            Home::Software => match self.of_set(bank, image) {
                Some(picture) => Some(picture),
                None => {
                    let picture = self.of_bank(bank, image, Some("fxart"));
                    self.instead = self.instead.saturating_add(usize::from(picture.is_some()));
                    picture
                }
            },
        };
        let file = file_of(self.home, bank);
        // That the whole file is missing says enough; each image that is missing in one that is there is told.
        let is_whole_file = |told: &String| told.starts_with(&file) && !told.contains(" has no image ");
        if found.is_none() && !self.missing.keys().any(is_whole_file) {
            self.missing.insert(format!("{file} has no image {image}"), &warning::TEXTURE_MISSING);
        }
        self.pictures.insert((bank, image), found.map(Arc::new));
    }

    /// The bank of the Glide renderer, beside the file or in a folder of the game.
    fn bank(&mut self, number: u16, folder: Option<&str>) -> Option<Arc<Bank>> {
        if let Some(known) = self.banks.get(&number) {
            return known.clone();
        }
        let name = file_of(Home::Glide, number);
        let read = self.read(&name, folder, Bank::read);
        let bank = self.told(&name, folder.is_none(), read);
        self.banks.insert(number, bank.clone());
        bank
    }

    fn of_bank(&mut self, number: u16, image: u16, folder: Option<&str>) -> Option<Picture> {
        let bank = self.bank(number, folder)?;
        let entry = bank.image(image)?;
        let base = 0;
        let place = Place {
            image: &entry.image,
            base,
            field: "image".into(),
            codes: &crate::picture::texbsi::warning::IMAGE,
        };
        let film = place.film(&self.shelf, Index0::Clear, &mut self.budget, &mut Report::new());
        let Some((film, chosen)) = film else {
            let what = format!("image {image} of {} cannot be shown", file_of(Home::Glide, number));
            self.missing.insert(what, &warning::TEXTURE_BAD);
            return None;
        };
        self.note(&chosen);
        let mut facts = Map::new();
        facts.insert("palette".into(), chosen.shown.name().into());
        let frames = film.frames().len();
        if frames > 1 {
            facts.insert("frames".into(), json!(frames));
            let delay = entry.image.header().map(|(_, header)| header.anim_delay);
            facts.insert("anim_delay_ms".into(), json!(delay));
        }
        Some(Picture { stills: stills_of(&film), facts })
    }

    fn of_set(&mut self, number: u16, image: u16) -> Option<Picture> {
        let set = match self.sets.get(&number) {
            Some(known) => known.clone(),
            None => {
                let name = file_of(Home::Software, number);
                let read = self.read(&name, None, TextureSet::read);
                let set = self.told(&name, false, read);
                self.sets.insert(number, set.clone());
                set
            }
        }?;
        let index = usize::from(image);
        let frames = set.picture(index, Some(number), &mut self.budget, &mut Report::new())?;
        let chosen = self.shelf.choose(None);
        self.note(&chosen);
        let count = frames.frames.len();
        let film = frames.film(Index0::Clear.apply(&chosen.colors)).ok()?;
        let mut facts = Map::new();
        facts.insert("palette".into(), chosen.shown.name().into());
        if count > 1 {
            facts.insert("frames".into(), json!(count));
            facts.insert("anim_delay_ms".into(), json!(film.delay().in_milliseconds()));
        }
        Some(Picture { stills: stills_of(&film), facts })
    }

    /// Reads a file of textures, or takes it as another model has read it; `None` where there is none.
    fn read<T: Send + Sync + 'static>(
        &self,
        name: &str,
        folder: Option<&str>,
        read: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<Option<Arc<T>>> {
        let found = match (folder, &self.context.place) {
            (Some(folder), _) => self.context.install.folder(folder).find(name).found(),
            (None, Some(place)) => self.context.install.beside(place).find(name).found(),
            (None, None) => None,
        };
        let Some(found) = found else { return Ok(None) };
        let make = || {
            let source = self.context.install.open(&found.place)?;
            let bytes = source.read_all()?;
            Ok((read(&bytes)?, bytes.len()))
        };
        self.context.install.decoded(&found.place, "model textures", make).map(Some)
    }

    fn told<T>(&mut self, name: &str, told: bool, read: Result<Option<Arc<T>>, Error>) -> Option<Arc<T>> {
        match read {
            Ok(Some(bank)) => Some(bank),
            Ok(None) => {
                if told {
                    self.missing.insert(format!("{name} is not there"), &warning::TEXTURE_MISSING);
                }
                None
            }
            Err(error) => {
                let what = format!("{name} cannot be read: {}", error.message());
                self.missing.insert(what, &warning::TEXTURE_BAD);
                None
            }
        }
    }

    /// Tells of textures that are not there.
    pub(crate) fn tell_missing(&self, report: &mut Report) {
        // Where a file stands nowhere, or in a game without textures, nothing can be found.
        for (what, code) in &self.missing {
            report.warn(code, what.as_str());
        }
        if self.instead > 0 {
            let message = format!("{} taken from fxart", counted(self.instead, "image is", "images are"));
            report.warn(&warning::INSTEAD, message);
        }
    }

    /// Tells of everything that is not as the game shows it.
    pub(crate) fn tell(&self, report: &mut Report) {
        self.tell_missing(report);
        match &self.shown {
            Some(Shown::Guessed(name)) => {
                report.warn(&warning::GUESSED, format!("shown with {name}: --palette chooses another"));
            }
            Some(Shown::Grey) if !self.shelf.is_grey_wanted() => {
                report.warn(&warning::GREY, "shown in grey: --palette chooses a palette");
            }
            _ => {}
        }
    }
}

/// The frames of an image, one at least.
fn stills_of(film: &Film8) -> Vec<Indexed8> {
    (0..film.frames().len()).filter_map(|frame| film.still(frame)).collect()
}

/// The texture of a frame of an image.
fn frame_of(name: &str, frame: usize, still: &Indexed8, scene: &mut Scene) -> TextureId {
    let name = if frame == 0 { name.to_owned() } else { format!("{name} frame {frame}") };
    let image = scene.add_image(Image { name: name.clone(), encoded: png_for_gltf(&still.to_rgba8()) });
    // The game shows hard pixels close up.
    let sampler = Sampler { mag: Filter::Nearest, min: MinFilter::NearestMipmapLinear, ..Sampler::default() };
    scene.add_texture(Texture { name, image, sampler })
}

/// The name of a file of textures.
fn file_of(home: Home, number: u16) -> String {
    match home {
        Home::Glide => format!("TEXBSI.{number:03}"),
        Home::Software => format!("TEXTURE.{number:03}"),
    }
}

/// What a material is called: after its image or its colour.
fn name_of(paint: Paint) -> String {
    match paint {
        Paint::Color(index) => format!("color {index}"),
        Paint::Image { bank, image } => ImageKey { bank, image }
            .name()
            .map_or_else(|| format!("texture {bank} image {image}"), |name| name.text()),
        Paint::Unknown(word) => format!("texture word {word:#010x}"),
    }
}
