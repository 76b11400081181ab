//! The table of encoders, which convert products to files.

use std::borrow::Cow;

use super::files::{EncodeOptions, Files, Memory};
use super::{Picture, Product, ProductKind, Subtitles, font, table};
use crate::gltf::{write_glb, write_gltf, write_gltf_sharing};
use crate::image::{
    Indexed8, IndexedAnimation, encode_apng, encode_gif, encode_gray16_png, encode_png_with, encode_webp,
    to_act, to_gpl,
};
use crate::sound::encode_wav;
use crate::{Error, Result};

/// An encoder of a file format.
pub struct Encoder {
    /// The kind of product that it writes.
    pub kind: ProductKind,
    /// The extension of the file, lowercase, without the dot.
    pub extension: &'static str,
    /// A short description of the file format.
    pub about: &'static str,
    /// Support for several frames of an animation.
    pub capacity: FrameSupport,
    /// Whether companion files are written for data that the format cannot store.
    pub companions: Companions,
    encode: Encode,
}

type Encode = fn(&mut Product<'_>, &EncodeOptions<'_>, &mut dyn Files) -> Result<()>;

/// Support for animations in a file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameSupport {
    /// One frame: each frame becomes a file.
    OneFrame,
    /// All frames.
    AllFrames,
    /// All frames, in a format that is intended for animations.
    Animation,
}

/// The companion files that a conversion writes next to the product: the data that the product cannot store, and an
/// overview of many images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Companions {
    /// Only the data.
    Data,
    /// The data and an overview.
    DataAndOverview,
    /// No companion files.
    None,
}

impl Encoder {
    /// Writes a product.
    ///
    /// # Errors
    /// If the product is of another kind or has content that the format cannot store, or if `files` fails.
    pub fn encode(
        &self,
        product: &mut Product<'_>,
        options: &EncodeOptions<'_>,
        files: &mut dyn Files,
    ) -> Result<()> {
        (self.encode)(product, options, files)
    }
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Encoder({} to .{})", self.kind, self.extension)
    }
}

/// Returns the encoders for a kind of product; the first is the default.
pub fn encoders_of(kind: ProductKind) -> impl Iterator<Item = &'static Encoder> {
    ENCODERS.iter().filter(move |encoder| encoder.kind == kind)
}

/// Returns the encoder for a kind of product and an extension.
#[must_use]
pub fn encoder_for(kind: ProductKind, extension: &str) -> Option<&'static Encoder> {
    encoders_of(kind).find(|encoder| encoder.extension.eq_ignore_ascii_case(extension))
}

/// Writes a product as one file named `stem.extension`; companion files are discarded.
///
/// # Errors
/// [`Kind::Usage`](record::Kind::Usage) if there is no encoder for the kind of product and the extension; or the
/// encoder's error.
pub fn encode(product: &mut Product<'_>, stem: &str, extension: &str) -> Result<Vec<u8>> {
    let kind = product.kind();
    let unknown = || Error::usage(format!("no encoder writes .{extension} files of the kind {kind}"));
    let encoder = encoder_for(kind, extension).ok_or_else(unknown)?;
    let mut files = Memory::default();
    encoder.encode(product, &EncodeOptions::new(stem), &mut files)?;
    let main = EncodeOptions::new(stem).main(encoder.extension);
    let file = files.files.into_iter().find(|file| file.name == main);
    file.map(|file| file.bytes).ok_or_else(|| Error::usage(format!("the encoder did not write {main}")))
}

/// All encoders, by kind.
pub static ENCODERS: &[Encoder] = &[
    row(ProductKind::Scene, "glb", "binary glTF with embedded textures", |product, options, files| {
        let Product::Scene(scene) = product else { return Err(other_kind(product)) };
        files.put(&options.main("glb"), ProductKind::Scene, &write_glb(scene)?)
    }),
    row(ProductKind::Scene, "gltf", "glTF with separate buffer and textures", |product, options, files| {
        let Product::Scene(scene) = product else { return Err(other_kind(product)) };
        let all = match options.shared {
            None => write_gltf(scene, options.stem)?,
            Some(folder) => write_gltf_sharing(scene, options.stem, folder, &mut |file| files.share(file))?,
        };
        for (index, (name, bytes)) in all.iter().enumerate() {
            let kind = if index == 0 { ProductKind::Scene } else { kind_of_part(name) };
            files.put(name, kind, bytes)?;
        }
        Ok(())
    }),
    Encoder {
        capacity: FrameSupport::AllFrames,
        companions: Companions::DataAndOverview,
        ..row(ProductKind::Image, "png", "PNG, or APNG for animations", |product, options, files| {
            let bytes = match picture(product)? {
                Picture::Indexed(animation) => encode_apng(animation, options.compression),
                Picture::Rgba(picture) => encode_png_with(picture, options.compression),
                Picture::Gray(picture) => encode_gray16_png(picture, options.compression),
            };
            files.put(&options.main("png"), ProductKind::Image, &bytes)
        })
    },
    Encoder {
        capacity: FrameSupport::Animation,
        ..row(ProductKind::Image, "gif", "GIF", |product, options, files| {
            let animation = indexed(product, "a GIF")?;
            files.put(&options.main("gif"), ProductKind::Image, &encode_gif(&animation)?)
        })
    },
    Encoder {
        companions: Companions::DataAndOverview,
        ..row(ProductKind::Image, "webp", "lossless WebP, one file per frame", |product, options, files| {
            let bytes = encode_webp(&picture(product)?.to_rgba8())?;
            files.put(&options.main("webp"), ProductKind::Image, &bytes)
        })
    },
    Encoder {
        companions: Companions::None,
        capacity: FrameSupport::AllFrames,
        ..row(ProductKind::Image, "act", "the palette as an Adobe color table", |product, options, files| {
            let animation = indexed(product, "a color table")?;
            files.put(&options.main("act"), ProductKind::Data, &to_act(animation.palette()))
        })
    },
    Encoder {
        companions: Companions::None,
        capacity: FrameSupport::AllFrames,
        ..row(
            ProductKind::Image,
            "gpl",
            "the palette for GIMP, Krita, Inkscape and Aseprite",
            |product, options, files| {
                let animation = indexed(product, "a palette")?;
                let text = to_gpl(animation.palette(), options.stem);
                files.put(&options.main("gpl"), ProductKind::Data, text.as_bytes())
            },
        )
    },
    row(ProductKind::Sound, "wav", "WAV with loop points", |product, options, files| {
        let Product::Sound(sound) = product else { return Err(other_kind(product)) };
        files.put(&options.main("wav"), ProductKind::Sound, &encode_wav(sound)?)
    }),
    row(
        ProductKind::Font,
        "png",
        "glyph sheet with BMFont and JSON metrics, and a TrueType font",
        |product, options, files| font::write_all(font_of(product)?, options, files),
    ),
    row(ProductKind::Font, "ttf", "a TrueType font", |product, options, files| {
        font::write_true_type(font_of(product)?, options, files)
    }),
    row(ProductKind::Font, "fnt", "BMFont with the glyph sheet as PNG", |product, options, files| {
        font::write_bm_font(font_of(product)?, options, files)
    }),
    row(ProductKind::Font, "json", "position and size of every glyph", |product, options, files| {
        font::write_metrics(font_of(product)?, options, files)
    }),
    Encoder {
        companions: Companions::None,
        ..row(ProductKind::Table, "csv", "comma-separated values", |product, options, files| {
            let Product::Table(table) = product else { return Err(other_kind(product)) };
            files.put(&options.main("csv"), ProductKind::Table, &table::to_csv(table)?)
        })
    },
    Encoder {
        companions: Companions::None,
        ..row(ProductKind::Text, "txt", "UTF-8 text", |product, options, files| {
            let Product::Text(text) = product else { return Err(other_kind(product)) };
            files.put(&options.main("txt"), ProductKind::Text, text.as_bytes())
        })
    },
    Encoder {
        companions: Companions::None,
        ..row(ProductKind::Subtitles, "srt", "SubRip subtitles for players", |product, options, files| {
            let text = subtitles(product)?.to_srt();
            files.put(&options.main("srt"), ProductKind::Subtitles, text.as_bytes())
        })
    },
    Encoder {
        companions: Companions::None,
        ..row(ProductKind::Subtitles, "vtt", "WebVTT subtitles for web pages", |product, options, files| {
            let text = subtitles(product)?.to_vtt();
            files.put(&options.main("vtt"), ProductKind::Subtitles, text.as_bytes())
        })
    },
    row(ProductKind::Data, "json", "JSON", |product, options, files| {
        let Product::Data(data) = product else { return Err(other_kind(product)) };
        files.put(&options.main("json"), ProductKind::Data, &data.to_json()?)
    }),
];

const fn row(kind: ProductKind, extension: &'static str, about: &'static str, encode: Encode) -> Encoder {
    Encoder { kind, extension, about, capacity: FrameSupport::OneFrame, companions: Companions::Data, encode }
}

fn other_kind(product: &Product<'_>) -> Error {
    Error::usage(format!("this encoder cannot write {} products", product.kind()))
}

fn font_of<'p>(product: &'p Product<'_>) -> Result<&'p super::FontProduct> {
    match product {
        Product::Font(font) => Ok(font),
        other => Err(other_kind(other)),
    }
}

fn subtitles<'p>(product: &'p Product<'_>) -> Result<&'p Subtitles> {
    match product {
        Product::Subtitles(subtitles) => Ok(subtitles),
        other => Err(other_kind(other)),
    }
}

fn picture<'p>(product: &'p Product<'_>) -> Result<&'p Picture> {
    match product {
        Product::Image(picture) => Ok(picture),
        other => Err(other_kind(other)),
    }
}

/// Returns an image with a palette. Gray images are reduced to 8 bits.
fn indexed<'p>(product: &'p Product<'_>, what: &str) -> Result<Cow<'p, IndexedAnimation>> {
    match picture(product)? {
        Picture::Indexed(animation) => Ok(Cow::Borrowed(animation)),
        Picture::Gray(picture) => {
            let levels = picture.samples().iter().map(|sample| sample.to_be_bytes()[0]).collect();
            let palette = (0..=u8::MAX).map(|level| [level, level, level, u8::MAX]).collect();
            let image = Indexed8::new(picture.width(), picture.height(), levels, palette)?;
            Ok(Cow::Owned(image.into()))
        }
        Picture::Rgba(_) => Err(Error::unsupported(format!("{what} needs an image with a palette"))),
    }
}

/// Returns the kind of a file of a glTF scene: an image, or the only buffer.
fn kind_of_part(name: &str) -> ProductKind {
    if name.ends_with(".bin") { ProductKind::Data } else { ProductKind::Image }
}
