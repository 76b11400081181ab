//! Materials of models: palette colors and bank images, looked up in the game that contains the file.

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
    /// Textures of an image, one for each of its frames.
    textures: BTreeMap<(FaceTexture, Sampling), Vec<TextureId>>,
    budget: Budget,
    /// Placeholder texture of missing images, added to the scene once.
    placeholder_texture: Option<TextureId>,
    /// Missing or damaged images, with their warning codes.
    missing: BTreeMap<String, &'static asset::Code>,
    /// Number of images taken from the other renderer's banks.
    substituted: usize,
    origin: Option<PaletteOrigin>,
}

/// Palettes of each renderer: a model may use images of the other renderer.
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
    /// Frames of the image; the material shows the first one.
    stills: Vec<Indexed8>,
    properties: Map<String, Value>,
}

/// Drawing properties of surfaces that do not depend on their images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct DrawStyle {
    /// Whether palette color 0 is transparent.
    pub(crate) keyed: bool,
    /// Texture filter and wrapping.
    pub(crate) sampling: Sampling,
    /// Opacity of a translucent surface, where 255 is opaque; `None` if the surface is not blended.
    pub(crate) alpha: Option<u8>,
    /// Whether back faces are drawn.
    pub(crate) sidedness: Sidedness,
    /// Whether lights of a viewer affect the surface.
    pub(crate) shading: Shading,
}

/// Texture filter and wrapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Sampling {
    /// Nearest texel; the image repeats.
    #[default]
    Nearest,
    /// Linear interpolation; the image repeats.
    Smooth,
    /// Linear interpolation; the image is clamped at its edges.
    SmoothClamped,
}

impl DrawStyle {
    fn apply_alpha(self, material: &mut Material) {
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

/// Assumed size of a missing image, in texels.
const DEFAULT_SIDE: u32 = 64;

/// Name of the placeholder image of missing images.
pub(super) const MISSING: &str = "missing";

impl<'a> Materials<'a> {
    /// Creates the materials of models of this version at the location of the context.
    pub(crate) fn new(context: &'a Context<'a>, version: Version) -> Result<Self> {
        Self::with_palettes(context, version, |renderer| PaletteChoices::new(context, renderer))
    }

    /// Like [`new`](Self::new), with the palette of a world, a path relative to the game folder.
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
            placeholder_texture: None,
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

    /// Returns a color of the palette.
    pub(crate) fn palette_color(&self, index: u8) -> [u8; 3] {
        self.palettes.of(self.renderer).choose(None).colors.get(index)
    }

    /// Returns the first frame of an image.
    pub(crate) fn picture(&mut self, bank: u16, image: u16) -> Option<Rgba8> {
        self.look_up(bank, image);
        let found = self.images.get(&(bank, image)).cloned().flatten()?;
        found.stills.first().map(Indexed8::to_rgba8)
    }

    /// Returns the material of a face, which is added to the scene on first use.
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
            u16::try_from(pixels.unwrap_or(DEFAULT_SIDE)).map_or(f32::from(u16::MAX), f32::from).max(1.0)
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
                // Surfaces lit by the game have vertex colors instead.
                if style.shading == Shading::Lit {
                    material.base_color = color::rgba8_to_linear([red, green, blue, 255]);
                }
                material.extras.insert("color".into(), json!(index));
                material.extras.insert("palette".into(), chosen.origin.name().into());
                self.record_palette(&chosen);
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
                material.base_color_texture = Some(TextureRef::new(self.placeholder_texture(scene)));
            }
            style.apply_alpha(&mut material);
            return material;
        };
        material.extras.extend(picture.properties.clone());
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
            // glTF has no animated textures; programs that read the file can animate them with this list.
            let numbers: Vec<_> = textures.iter().map(|texture| texture.0).collect();
            material.extras.insert("frame_textures".into(), json!(numbers));
        }
        if style.keyed {
            material.alpha = AlphaMode::Mask(0.5);
        }
        style.apply_alpha(&mut material);
        material
    }

    /// Returns the texture of all faces whose image is missing.
    fn placeholder_texture(&mut self, scene: &mut Scene) -> TextureId {
        *self.placeholder_texture.get_or_insert_with(|| {
            let image = scene.add_image(placeholder(MISSING));
            scene.add_texture(Texture { name: MISSING.into(), image, sampler: Sampler::default() })
        })
    }

    fn record_palette(&mut self, chosen: &ChosenPalette) {
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

    /// Records a missing image. A missing file is reported once; otherwise each missing image is reported.
    fn report_image(&mut self, bank: u16, image: u16) {
        let file = file_name(self.renderer, bank);
        let is_missing_file =
            |message: &String| message.starts_with(&file) && !message.contains(" has no image ");
        if self.missing.keys().any(is_missing_file) {
            return;
        }
        let exists = match self.renderer {
            Renderer::Glide => self.banks.get(&bank).is_some_and(Option::is_some),
            Renderer::Software => self.sets.get(&bank).is_some_and(Option::is_some),
        };
        let what =
            if exists { format!("{file} has no image {image}") } else { format!("{file} was not found") };
        self.missing.insert(what, &warning::TEXTURE_MISSING);
    }

    fn load(&mut self, renderer: Renderer, bank: u16, image: u16) -> Option<LoadedImage> {
        match renderer {
            Renderer::Glide => self.load_from_bank(bank, image),
            Renderer::Software => self.load_from_set(bank, image),
        }
    }

    /// Returns a bank of the Glide renderer.
    fn bank(&mut self, number: u16) -> Option<Arc<Bank>> {
        if let Some(cached) = self.banks.get(&number) {
            return cached.clone();
        }
        let bank = self.read(Renderer::Glide, number, Bank::read);
        self.banks.insert(number, bank.clone());
        bank
    }

    /// Returns a texture set of the software renderer.
    fn set(&mut self, number: u16) -> Option<Arc<TextureSet>> {
        if let Some(cached) = self.sets.get(&number) {
            return cached.clone();
        }
        let set = self.read(Renderer::Software, number, TextureSet::read);
        self.sets.insert(number, set.clone());
        set
    }

    fn load_from_bank(&mut self, number: u16, image: u16) -> Option<LoadedImage> {
        let bank = self.bank(number)?;
        let entry = bank.image(image)?;
        let palettes = self.palettes.of(Renderer::Glide);
        let film = entry.image.animation(palettes, &mut self.budget);
        let Some((film, chosen)) = film else {
            let what = format!("image {image} of {} cannot be decoded", file_name(Renderer::Glide, number));
            self.missing.insert(what, &warning::TEXTURE_DAMAGED);
            return None;
        };
        self.record_palette(&chosen);
        let mut properties = Map::new();
        properties.insert("palette".into(), chosen.origin.name().into());
        let frames = film.frames().len();
        if frames > 1 {
            properties.insert("frames".into(), json!(frames));
            let delay = entry.image.header().map(|(_, header)| header.anim_delay);
            properties.insert("anim_delay_ms".into(), json!(delay));
        }
        Some(LoadedImage { stills: stills_of(&film), properties })
    }

    fn load_from_set(&mut self, number: u16, image: u16) -> Option<LoadedImage> {
        let set = self.set(number)?;
        let index = usize::from(image);
        let frames = set.picture(index, Some(number), &mut self.budget, &mut Report::new())?;
        let chosen = self.palettes.of(Renderer::Software).choose(None);
        self.record_palette(&chosen);
        let count = frames.frames.len();
        let film = frames.animation(Index0::Clear.apply(&chosen.colors)).ok()?;
        let mut properties = Map::new();
        properties.insert("palette".into(), chosen.origin.name().into());
        if count > 1 {
            properties.insert("frames".into(), json!(count));
            properties.insert("anim_delay_ms".into(), json!(film.delay().in_milliseconds()));
        }
        Some(LoadedImage { stills: stills_of(&film), properties })
    }

    /// Reads a texture file or takes it from the cache; `None` if it does not exist or is damaged. Damage is recorded.
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
        // Without a location, or in a game without textures, nothing is found.
        for (what, code) in &self.missing {
            report.warn(code, what.as_str());
        }
        if self.substituted > 0 {
            let images = counted(self.substituted, "image was", "images were");
            let message = format!("{images} taken from {}", self.renderer.other().folder());
            report.warn(&warning::SUBSTITUTED, message);
        }
    }

    /// Reports all differences from the game's rendering.
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

/// Frames of an image; at least one.
fn stills_of(film: &IndexedAnimation) -> Vec<Indexed8> {
    (0..film.frames().len()).filter_map(|frame| film.still(frame)).collect()
}

/// Encodes an image for glTF, once for all scenes that show it.
fn encoded(context: &Context<'_>, still: &Indexed8) -> Encoded {
    let make = || {
        let encoded = indexed_for_gltf(still);
        let length = encoded.bytes.len();
        Ok((encoded, length))
    };
    let name = format!("image {:032x}", still.content_hash());
    context.install.cached(&name, make).map_or_else(|_| indexed_for_gltf(still), |kept| (*kept).clone())
}

/// Adds the texture of a frame of an image.
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

/// Returns the name of a texture file.
fn file_name(renderer: Renderer, number: u16) -> String {
    match renderer {
        Renderer::Glide => format!("TEXBSI.{number:03}"),
        Renderer::Software => format!("TEXTURE.{number:03}"),
    }
}

/// Returns the name of a material: the name of its image or color.
fn name_of(texture: FaceTexture) -> String {
    match texture {
        FaceTexture::Color(index) => format!("color {index}"),
        FaceTexture::Image { bank, image } => ImageKey { bank, image }
            .name()
            .map_or_else(|| format!("texture {bank} image {image}"), |name| name.text()),
        FaceTexture::Unknown(word) => format!("texture word {word:#010x}"),
    }
}
