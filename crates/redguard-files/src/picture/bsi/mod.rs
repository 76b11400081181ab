//! BSI: a single unnamed image. Skies have a palette with the same name; the pixels of the sun are opacities.

#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Choice, Context, Counts, Description, Detail, Format, NameKind, Names, Offer, Offered, Parts,
    Probe, ProductKind, Products, Report, Score, Target, Unpacked,
};
use json::{Document, Map};
use media::picture::{Budget, FRAMES, Index0, frame_files, index};
use record::{Bytes, Record, Result, Source, read_whole, write_whole};
use scene::image::{IndexedAnimation, Rgba8};
use serde::{Deserialize, Serialize};

pub use warning::CODES;

use crate::picture::Renderer;
use crate::picture::palette::{
    ChosenPalette, GLIDE_COLORS, PALETTE, PALETTE_SOURCE, PaletteChoices, PaletteOrigin,
};
use crate::picture::texbsi::Image;
use crate::picture::texbsi::image::{LocatedImage, UncertainPalettes};
use crate::picture::texbsi::unpack::{self, ImageToUnpack};
use crate::picture::{INDEX_0, requested_index_0};
use crate::settings::ini::world::{SkyKeys, Worlds, stem_of};

/// The meaning of the pixels of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pixels {
    /// Opacities if WORLD.INI uses the image as a sun, otherwise palette indices.
    Auto,
    /// Palette indices.
    Colors,
    /// The opacity of each pixel.
    Opacity,
}

/// The option `--pixels`.
const PIXELS: Choice<Pixels> = Choice::new(
    "pixels",
    "Meaning of the pixels.",
    &[
        (
            "game",
            "as used by the game: opacities (in white) if WORLD.INI uses the image as a sun, otherwise palette indices",
        ),
        ("colors", "palette indices"),
        (
            "opacity",
            "the opacity of each pixel, in the sun color of WORLD.INI (255, 255, 200 if there is none)",
        ),
    ],
    &[Pixels::Auto, Pixels::Colors, Pixels::Opacity],
);

/// The color of an image of opacities; its actual color depends on the world that displays it.
const WHITE: [u8; 3] = [255; 3];

/// The single image format.
pub static FORMAT: Format = Format::new("redguard.bsi", "Redguard image", open)
    .game("redguard")
    .extensions(&["bsi"])
    .probe(probe)
    .pack(pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "the image, static or animated" },
        Offered { kind: ProductKind::Data, about: "size, timing and scale of the image" },
    ])
    .record::<Bsi>()
    .options(ImageOptions::DECLARED)
    .names(Names::of_file(NameKind::Texture))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Bsi::read(&source.read_all()?)?))
}

asset::format_options! {
    /// Options for converting single images.
    pub struct ImageOptions {
        /// Palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// The palette that takes precedence.
        palette_source: crate::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether the palette is used as in the Glide renderer: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Whether palette color 0 is transparent; `None` means as specified by the file.
        key_color: Option<Index0> = INDEX_0;
        /// The output of images with several frames.
        frames: media::picture::FrameChoice = FRAMES;
        /// The meaning of the pixels.
        pixels: Pixels = PIXELS;
    }
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    let marker = file.starts_with(b"BSIF") || file.starts_with(b"IFHD");
    marker.then_some(Score::CERTAIN)
}

/// A `.BSI` file.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bsi {
    /// The image.
    pub image: Image,
    /// Bytes after the image; empty in valid files.
    pub rest: Bytes,
}

impl Bsi {
    /// Reads an image.
    ///
    /// # Errors
    /// Returns an error if the file is truncated, a length is too large, or the header or the pixels are missing.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let bsi: Self = read_whole(bytes, ())?;
        bsi.image.check_complete(0).map_err(|error| error.in_field("image"))?;
        Ok(bsi)
    }

    /// Writes the image. An unchanged image is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if the length of a section does not fit its field.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns the first frame as the image of a sky, at the location of the context: opaque, with its own palette.
    #[must_use]
    pub fn as_sky(&self, context: &Context<'_>) -> Option<Rgba8> {
        let palettes = PaletteChoices::new(context, Renderer::Glide).ok()?;
        let (animation, _) = self.located().animation(
            &palettes,
            Index0::Opaque,
            &mut Budget::default(),
            &mut Report::new(),
        )?;
        animation.still(0).map(|still| still.to_rgba8())
    }

    /// Returns the first frame with its pixels as opacities of one color, as the game draws the sun.
    #[must_use]
    pub fn as_sun(&self, color: [u8; 3]) -> Option<Rgba8> {
        let (animation, _) = self.located().animation(
            &PaletteChoices::gray(),
            Index0::Opaque,
            &mut Budget::default(),
            &mut Report::new(),
        )?;
        as_opacity(&animation, color).ok()?.still(0).map(|still| still.to_rgba8())
    }

    /// Returns the number of 256ths of a world unit per texel.
    #[must_use]
    pub fn texture_scale(&self) -> i32 {
        let scale = self.image.header().map_or(0, |(_, header)| i32::from(header.tex_scale));
        if scale == 0 { 256 } else { scale }
    }

    /// Returns the palettes of the image, and the display of color 0. Opacities use grayscale without a special color.
    fn palettes(&self, context: &Context<'_>, are_opacities: bool) -> Result<(PaletteChoices, Index0)> {
        if are_opacities {
            return Ok((PaletteChoices::gray(), Index0::Opaque));
        }
        let palettes = PaletteChoices::new(context, Renderer::Glide)?;
        let key = key(context, &palettes, &self.image);
        Ok((palettes, key))
    }

    fn located(&self) -> LocatedImage<'_> {
        LocatedImage { image: &self.image, base: 0, field: "image".into(), codes: &warning::IMAGE }
    }
}

/// Returns the color of an image whose pixels are opacities; `None` if they are palette indices.
fn color_of_opacity(context: &Context<'_>) -> Option<[u8; 3]> {
    let worlds = Worlds::of_game(context);
    let stem = context.location.as_ref().map(|location| stem_of(location.path().name()));
    let shown_in = worlds.as_deref().zip(stem).and_then(|(worlds, stem)| worlds.of_sun(stem));
    match context.options.choice(&PIXELS) {
        Pixels::Auto => shown_in.map(|_| WHITE),
        Pixels::Colors => None,
        Pixels::Opacity => Some(shown_in.map_or_else(SkyKeys::new, |world| world.sky.clone()).sun_rgb()),
    }
}

/// Returns the display of color 0: a sky, which has its own palette file, is opaque; other images have a transparent color.
fn key(context: &Context<'_>, palettes: &PaletteChoices, image: &Image) -> Index0 {
    let sky = matches!(palettes.choose(image.palette()).origin, PaletteOrigin::OfMap(_));
    requested_index_0(context, if sky { Index0::Opaque } else { Index0::Clear })
}

/// Converts the frames to opacities of one color.
fn as_opacity(animation: &IndexedAnimation, [red, green, blue]: [u8; 3]) -> Result<IndexedAnimation> {
    let palette = (0..=255).map(|alpha| [red, green, blue, alpha]).collect();
    IndexedAnimation::new(
        animation.width(),
        animation.height(),
        animation.frames().to_vec(),
        palette,
        animation.delay(),
    )
}

impl Asset for Bsi {
    fn describe(&self, detail: Detail) -> Description {
        let header = self.image.header().map(|(_, header)| *header).unwrap_or_default();
        let frames = match header.frame_count {
            1 => "1 frame".to_owned(),
            count => format!("{count} frames"),
        };
        Description {
            summary: format!("image, {} x {}, {frames}", header.width, header.height),
            counts: Counts::new()
                .with("images", 1)
                .with("frames", u64::try_from(header.frame_count).unwrap_or_default())
                .with("embedded palettes", usize::from(self.image.palette().is_some())),
            fields: match detail {
                Detail::Brief => json::Value::from(self.located().facts()).into(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        self.located().check(report);
        if !self.rest.is_empty() {
            let message = format!("{} unexpected bytes after the end of the image", self.rest.len());
            report.warn(&warning::REST, message).in_field("rest");
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let opacity = color_of_opacity(context);
        let (palettes, key) = self.palettes(context, opacity.is_some())?;
        let image = Offer::new(ProductKind::Image, move |making| {
            let animation = self.located().animation(&palettes, key, &mut Budget::default(), making.report);
            let Some((animation, chosen)) = animation else { return Ok(None) };
            let (animation, palette) = match opacity {
                Some(color) => (as_opacity(&animation, color)?, "opacity"),
                None => {
                    report_palette(&chosen, &palettes, making.report);
                    (animation, chosen.origin.name())
                }
            };
            making.facts.insert("palette".into(), palette.into());
            Ok(Some(animation))
        });
        let image = image.with_facts(self.located().facts()).with_frames(frame_files(context));
        Ok(Products::new(context, target).with(image).with_index(index(Map::new())))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        // Opacities are edited as grayscale.
        let (palettes, key) = self.palettes(context, color_of_opacity(context).is_some())?;
        let image =
            ImageToUnpack { located: self.located(), name: "image".into(), pointer: "/image".into(), key };
        unpack::unpack(self, &[image], &palettes, parts, report)
    }
}

fn report_palette(chosen: &ChosenPalette, palettes: &PaletteChoices, report: &mut Report) {
    let mut uncertain = UncertainPalettes::default();
    uncertain.count(chosen);
    uncertain.report(palettes, &warning::GUESSED, &warning::NO_PALETTE, report);
}

fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let (mut bsi, blobs): (Bsi, _) = folder.typed_with_names()?;
    let mut images = [("/image".to_owned(), &mut bsi.image)];
    unpack::pack_views(folder, &blobs, &mut images, &warning::IMAGE, report)?;
    bsi.write()
}
