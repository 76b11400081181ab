//! The materials of models: palette colors and bank images, looked up in the game around the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Report, counted};
use json::{Map, Value, json};
use media::picture::{Budget, Index0};
use record::Result;
use scene::image::{Encoded, Image, Indexed8, IndexedAnimation, Rgba8, indexed_for_gltf, placeholder};
use scene::{
    AlphaMode, Filter, Material, MaterialId, MinFilter, Sampler, Scene, Shading, Sidedness, Texture,
    TextureId, TextureRef, Wrap, color,
};

use super::{FaceTexture, Model, Version, warning};
use redguard_files::picture::INDEX_0;
use redguard_files::picture::Renderer;
use redguard_files::picture::palette::{ChosenPalette, PaletteChoices, PaletteOrigin};
use redguard_files::picture::texbsi::{Bank, ImageKey};
use redguard_files::picture::texture::TextureSet;

/// Looks up the textures of faces and creates materials from them.
pub(crate) struct Materials<'a> {
    context: &'a Context<'a>,
    renderer: Renderer,
    palettes: Palettes,
    images: BTreeMap<(u16, u16), Option<Arc<LoadedImage>>>,
    banks: BTreeMap<u16, Option<Arc<Bank>>>,
    sets: BTreeMap<u16, Option<Arc<TextureSet>>>,
    materials: BTreeMap<(FaceTexture, DrawStyle), MaterialId>,
    /// The textures of an image: one for each of its frames.
    textures: BTreeMap<(FaceTexture, Sampling), Vec<TextureId>>,
    budget: Budget,
    /// Stands for missing images, once in the scene.
    stand_in: Option<TextureId>,
    /// Missing or damaged images, with their warning codes.
    missing: BTreeMap<String, &'static asset::Code>,
    /// The number of images taken from the other renderer's banks.
    substituted: usize,
    origin: Option<PaletteOrigin>,
}

/// The palettes of each renderer: a model may take images of the other one.
struct Palettes {
    glide: PaletteChoices,
    software: PaletteChoices,
}

impl Palettes {
    fn of(&self, renderer: Renderer) -> &PaletteChoices {
        match renderer {
            Renderer::Glide => &self.glide,
            Renderer::Software => &self.software,
        }
    }
}

/// A loaded image.
struct LoadedImage {
    /// Its frames; the material shows the first one.
    stills: Vec<Indexed8>,
    facts: Map<String, Value>,
}

/// How surfaces are drawn, whatever their images are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct DrawStyle {
    /// Whether palette color 0 is transparent.
    pub(crate) keyed: bool,
    /// How texels between those of an image are found.
    pub(crate) sampling: Sampling,
    /// How solid a surface is, if it can be seen through: 255 is solid.
    pub(crate) alpha: Option<u8>,
    /// Whether it is seen from behind.
    pub(crate) sidedness: Sidedness,
    /// Whether the lights of a viewer reach it.
    pub(crate) shading: Shading,
}

/// How texels between those of an image are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Sampling {
    /// The nearest one, of images that repeat.
    #[default]
    Nearest,
    /// A mixture, of images that repeat.
    Smooth,
    /// A mixture, of images that end at their edges.
    SmoothClamped,
}

impl DrawStyle {
    fn see_through(self, material: &mut Material) {
        if let Some(alpha) = self.alpha {
            let [.., opacity] = &mut material.base_color;
            *opacity = f32::from(alpha) / 255.0;
            material.alpha = AlphaMode::Blend;
        }
    }
}

impl Sampling {
    fn sampler(self) -> Sampler {
        let wrap = if self == Self::SmoothClamped { Wrap::Clamp } else { Wrap::Repeat };
        let (mag, min) = match self {
            Self::Nearest => (Filter::Nearest, MinFilter::NearestMipmapLinear),
            Self::Smooth | Self::SmoothClamped => (Filter::Linear, MinFilter::LinearMipmapLinear),
        };
        Sampler { mag, min, wrap_u: wrap, wrap_v: wrap }
    }
}

/// A material and the size of its image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface {
    pub(crate) material: MaterialId,
    /// Width and height in texels; 64 without an image.
    pub(crate) size: [f32; 2],
}

/// The usual size of an image, for faces whose image is missing.
const USUAL_SIDE: u32 = 64;

/// The name of the image that is shown in place of a missing one.
pub(super) const MISSING: &str = "missing";

impl<'a> Materials<'a> {
    /// For models of this version at the location of the context.
    pub(crate) fn new(context: &'a Context<'a>, version: Version) -> Result<Self> {
        Self::with_palettes(context, version, |renderer| PaletteChoices::new(context, renderer))
    }

    /// The same with the palette of a world, which is a path from the folder of the game on.
    pub(crate) fn of_world(
        context: &'a Context<'a>,
        version: Version,
        palette: Option<&str>,
    ) -> Result<Self> {
        Self::with_palettes(context, version, |renderer| PaletteChoices::of_world(context, renderer, palette))
    }

    fn with_palettes(
        context: &'a Context<'a>,
        version: Version,
        choose: impl Fn(Renderer) -> Result<PaletteChoices>,
    ) -> Result<Self> {
        let renderer = version.renderer();
        Ok(Self {
            context,
            renderer,
            palettes: Palettes { glide: choose(Renderer::Glide)?, software: choose(Renderer::Software)? },
            images: BTreeMap::new(),
            banks: BTreeMap::new(),
            sets: BTreeMap::new(),
            materials: BTreeMap::new(),
            textures: BTreeMap::new(),
            budget: Budget::default(),
            missing: BTreeMap::new(),
            stand_in: None,
            substituted: 0,
            origin: None,
        })
    }

    /// Looks up the image of a face.
    fn find(&mut self, texture: FaceTexture) {
        if let FaceTexture::Image { bank, image } = texture {
            self.look_up(bank, image);
        }
    }

    /// Looks up the images of all faces of a model.
    pub(crate) fn find_all(&mut self, model: &Model) {
        for face in model.faces() {
            self.find(face.texture);
        }
    }

    /// A color of the palette.
    pub(crate) fn palette_color(&self, index: u8) -> [u8; 3] {
        self.palettes.of(self.renderer).choose(None).colors.get(index)
    }

    /// The first frame of an image.
    pub(crate) fn picture(&mut self, bank: u16, image: u16) -> Option<Rgba8> {
        self.look_up(bank, image);
        let found = self.images.get(&(bank, image)).cloned().flatten()?;
        found.stills.first().map(Indexed8::to_rgba8)
    }

    /// The material of a face.
    pub(crate) fn surface(
        &mut self,
        scene: &mut Scene,
        texture: FaceTexture,
        mut style: DrawStyle,
    ) -> Surface {
        self.find(texture);
        let is_keyed =
            self.context.options.choice(&INDEX_0).map_or(style.keyed, |index_0| index_0 == Index0::Clear);
        style.keyed = is_keyed && matches!(texture, FaceTexture::Image { .. });
        let picture = match texture {
            FaceTexture::Image { bank, image } => self.images.get(&(bank, image)).cloned().flatten(),
            FaceTexture::Color(_) | FaceTexture::Unknown(_) => None,
        };
        let side = |pixels: Option<u32>| {
            // Image sizes fit into single precision.
            u16::try_from(pixels.unwrap_or(USUAL_SIDE)).map_or(f32::from(u16::MAX), f32::from).max(1.0)
        };
        let size = [
            side(picture.as_ref().and_then(|picture| picture.stills.first()).map(Indexed8::width)),
            side(picture.as_ref().and_then(|picture| picture.stills.first()).map(Indexed8::height)),
        ];
        if let Some(material) = self.materials.get(&(texture, style)) {
            return Surface { material: *material, size };
        }
        let mut material = self.material(texture, style, picture.as_deref(), scene);
        if matches!(texture, FaceTexture::Image { .. }) {
            material.extras.insert("texels".into(), json!(size));
        }
        let material = scene.add_material(material);
        self.materials.insert((texture, style), material);
        Surface { material, size }
    }

    fn material(
        &mut self,
        texture: FaceTexture,
        style: DrawStyle,
        picture: Option<&LoadedImage>,
        scene: &mut Scene,
    ) -> Material {
        let mut material = Material {
            name: name_of(texture),
            sidedness: style.sidedness,
            shading: style.shading,
            ..Material::default()
        };
        match texture {
            FaceTexture::Color(index) => {
                let chosen = self.palettes.of(self.renderer).choose(None);
                let [red, green, blue] = chosen.colors.get(index);
                // What the game has lit has the color of each vertex.
                if style.shading == Shading::Lit {
                    material.base_color = color::rgba8_to_linear([red, green, blue, 255]);
                }
                material.extras.insert("color".into(), json!(index));
                material.extras.insert("palette".into(), chosen.origin.name().into());
                self.note_palette(&chosen);
            }
            FaceTexture::Image { bank, image } => {
                material.extras.insert("bank".into(), json!(bank));
                material.extras.insert("image".into(), json!(image));
            }
            FaceTexture::Unknown(word) => {
                material.base_color = [1.0, 0.0, 1.0, 1.0];
                material.extras.insert("texture_word".into(), json!(word));
            }
        }
        let Some(picture) = picture else {
            if matches!(texture, FaceTexture::Image { .. }) {
                material.base_color_texture = Some(TextureRef::new(self.stand_in(scene)));
            }
            style.see_through(&mut material);
            return material;
        };
        material.extras.extend(picture.facts.clone());
        let textures = self.textures.entry((texture, style.sampling)).or_insert_with(|| {
            let frames = (0..).zip(&picture.stills);
            frames
                .map(|(frame, still)| {
                    let encoded = encoded(self.context, still);
                    texture_of(&material.name, frame, encoded, style.sampling, scene)
                })
                .collect()
        });
        material.base_color_texture = textures.first().map(|texture| TextureRef::new(*texture));
        if textures.len() > 1 {
            // glTF has no animated textures; readers of the file can animate them with this list.
            let numbers: Vec<_> = textures.iter().map(|texture| texture.0).collect();
            material.extras.insert("frame_textures".into(), json!(numbers));
        }
        if style.keyed {
            material.alpha = AlphaMode::Mask(0.5);
        }
        style.see_through(&mut material);
        material
    }

    /// The texture of all faces whose image is missing.
    fn stand_in(&mut self, scene: &mut Scene) -> TextureId {
        *self.stand_in.get_or_insert_with(|| {
            let image = scene.add_image(placeholder(MISSING));
            scene.add_texture(Texture { name: MISSING.into(), image, sampler: Sampler::default() })
        })
    }

    fn note_palette(&mut self, chosen: &ChosenPalette) {
        if self.origin.is_none() {
            self.origin = Some(chosen.origin.clone());
        }
    }

    fn look_up(&mut self, bank: u16, image: u16) {
        if self.images.contains_key(&(bank, image)) {
            return;
        }
        let mut found = self.load(self.renderer, bank, image);
        if found.is_none() {
            found = self.load(self.renderer.other(), bank, image);
            self.substituted = self.substituted.saturating_add(usize::from(found.is_some()));
        }
        if found.is_none() {
            self.report_image(bank, image);
        }
        self.images.insert((bank, image), found.map(Arc::new));
    }

    /// Notes that an image is missing. A missing file is reported once; otherwise each missing image is reported.
    fn report_image(&mut self, bank: u16, image: u16) {
        let file = file_name(self.renderer, bank);
        let is_whole_file =
            |message: &String| message.starts_with(&file) && !message.contains(" has no image ");
        if self.missing.keys().any(is_whole_file) {
            return;
        }
        let is_there = match self.renderer {
            Renderer::Glide => self.banks.get(&bank).is_some_and(Option::is_some),
            Renderer::Software => self.sets.get(&bank).is_some_and(Option::is_some),
        };
        let what =
            if is_there { format!("{file} has no image {image}") } else { format!("{file} was not found") };
        self.missing.insert(what, &warning::TEXTURE_MISSING);
    }

    fn load(&mut self, renderer: Renderer, bank: u16, image: u16) -> Option<LoadedImage> {
        match renderer {
            Renderer::Glide => self.load_from_bank(bank, image),
            Renderer::Software => self.load_from_set(bank, image),
        }
    }

    /// A bank of the Glide renderer.
    fn bank(&mut self, number: u16) -> Option<Arc<Bank>> {
        if let Some(known) = self.banks.get(&number) {
            return known.clone();
        }
        let bank = self.read(Renderer::Glide, number, Bank::read);
        self.banks.insert(number, bank.clone());
        bank
    }

    /// A texture set of the software renderer.
    fn set(&mut self, number: u16) -> Option<Arc<TextureSet>> {
        if let Some(known) = self.sets.get(&number) {
            return known.clone();
        }
        let set = self.read(Renderer::Software, number, TextureSet::read);
        self.sets.insert(number, set.clone());
        set
    }

    fn load_from_bank(&mut self, number: u16, image: u16) -> Option<LoadedImage> {
        let bank = self.bank(number)?;
        let entry = bank.image(image)?;
        let palettes = self.palettes.of(Renderer::Glide);
        let film = entry.image.film(palettes, &mut self.budget);
        let Some((film, chosen)) = film else {
            let what = format!("image {image} of {} cannot be decoded", file_name(Renderer::Glide, number));
            self.missing.insert(what, &warning::TEXTURE_DAMAGED);
            return None;
        };
        self.note_palette(&chosen);
        let mut facts = Map::new();
        facts.insert("palette".into(), chosen.origin.name().into());
        let frames = film.frames().len();
        if frames > 1 {
            facts.insert("frames".into(), json!(frames));
            let delay = entry.image.header().map(|(_, header)| header.anim_delay);
            facts.insert("anim_delay_ms".into(), json!(delay));
        }
        Some(LoadedImage { stills: stills_of(&film), facts })
    }

    fn load_from_set(&mut self, number: u16, image: u16) -> Option<LoadedImage> {
        let set = self.set(number)?;
        let index = usize::from(image);
        let frames = set.picture(index, Some(number), &mut self.budget, &mut Report::new())?;
        let chosen = self.palettes.of(Renderer::Software).choose(None);
        self.note_palette(&chosen);
        let count = frames.frames.len();
        let film = frames.film(Index0::Clear.apply(&chosen.colors)).ok()?;
        let mut facts = Map::new();
        facts.insert("palette".into(), chosen.origin.name().into());
        if count > 1 {
            facts.insert("frames".into(), json!(count));
            facts.insert("anim_delay_ms".into(), json!(film.delay().in_milliseconds()));
        }
        Some(LoadedImage { stills: stills_of(&film), facts })
    }

    /// Reads a texture file, or takes it from the cache; `None` when there is none, or when it is damaged, which is noted.
    fn read<T: Send + Sync + 'static>(
        &mut self,
        renderer: Renderer,
        number: u16,
        read: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Option<Arc<T>> {
        let name = file_name(renderer, number);
        let found = renderer.find(self.context, &name)?;
        let make = || {
            let source = self.context.install.open(&found.location)?;
            let bytes = source.read_all()?;
            Ok((read(&bytes)?, bytes.len()))
        };
        match self.context.install.decoded(&found.location, "model textures", make) {
            Ok(file) => Some(file),
            Err(error) => {
                let what = format!("{name} cannot be read: {}", error.message());
                self.missing.insert(what, &warning::TEXTURE_DAMAGED);
                None
            }
        }
    }

    /// Reports missing textures.
    pub(crate) fn report_missing(&self, report: &mut Report) {
        // Without a location, or in a game without textures, nothing can be found.
        for (what, code) in &self.missing {
            report.warn(code, what.as_str());
        }
        if self.substituted > 0 {
            let images = counted(self.substituted, "image was", "images were");
            let message = format!("{images} taken from {}", self.renderer.other().folder());
            report.warn(&warning::SUBSTITUTED, message);
        }
    }

    /// Reports everything that differs from what the game shows.
    pub(crate) fn report_problems(&self, report: &mut Report) {
        self.report_missing(report);
        match &self.origin {
            Some(PaletteOrigin::Guessed(name)) => {
                report.warn(
                    &warning::GUESSED,
                    format!("using the palette {name}; choose another one with --palette"),
                );
            }
            Some(PaletteOrigin::Grey) if !self.palettes.of(self.renderer).is_gray_requested() => {
                report.warn(
                    &warning::NO_PALETTE,
                    "no palette found, using grayscale; choose one with --palette",
                );
            }
            _ => {}
        }
    }
}

/// The frames of an image; at least one.
fn stills_of(film: &IndexedAnimation) -> Vec<Indexed8> {
    (0..film.frames().len()).filter_map(|frame| film.still(frame)).collect()
}

/// An image for glTF, encoded once for all scenes that show it.
fn encoded(context: &Context<'_>, still: &Indexed8) -> Encoded {
    let make = || {
        let encoded = indexed_for_gltf(still);
        let length = encoded.bytes.len();
        Ok((encoded, length))
    };
    let name = format!("image {:032x}", still.content_hash());
    context.install.remembered(&name, make).map_or_else(|_| indexed_for_gltf(still), |kept| (*kept).clone())
}

/// The texture of a frame of an image.
fn texture_of(
    name: &str,
    frame: usize,
    encoded: Encoded,
    sampling: Sampling,
    scene: &mut Scene,
) -> TextureId {
    let name = if frame == 0 { name.to_owned() } else { format!("{name} frame {frame}") };
    let image = scene.add_image(Image { name: name.clone(), encoded });
    scene.add_texture(Texture { name, image, sampler: sampling.sampler() })
}

/// The name of a texture file.
fn file_name(renderer: Renderer, number: u16) -> String {
    match renderer {
        Renderer::Glide => format!("TEXBSI.{number:03}"),
        Renderer::Software => format!("TEXTURE.{number:03}"),
    }
}

/// The name of a material: that of its image or color.
fn name_of(texture: FaceTexture) -> String {
    match texture {
        FaceTexture::Color(index) => format!("color {index}"),
        FaceTexture::Image { bank, image } => ImageKey { bank, image }
            .name()
            .map_or_else(|| format!("texture {bank} image {image}"), |name| name.text()),
        FaceTexture::Unknown(word) => format!("texture word {word:#010x}"),
    }
}
