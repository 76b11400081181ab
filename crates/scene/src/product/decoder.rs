//! The table of decoders, which convert files made by other programs to products.

use super::{Picture, Product, ProductKind};
use crate::gltf::{self, Omission};
use crate::image::{
    Format, Indexed8, Limits, decode as decode_image, decode_indexed, from_act, from_gpl, is_gpl, sniff,
};
use crate::sound::{decode_wav, is_wav};
use crate::{Error, Result, Sound};

/// A decoder of a file format.
pub struct Decoder {
    /// The kind of product that it returns.
    pub kind: ProductKind,
    /// The file extensions of the format, lowercase, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether bytes look like a file of the format.
    pub recognizes: fn(&[u8]) -> bool,
    decode: Decode,
}

/// Returns the bytes of a companion file by name.
type ReadCompanion<'a> = &'a mut dyn FnMut(&str) -> Option<Vec<u8>>;

type Decode = fn(&[u8], ReadCompanion<'_>) -> Result<Decoded>;

/// A product that was read from a file, and the skipped content.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decoded {
    /// The product.
    pub product: Product<'static>,
    /// Content of the file that was skipped.
    pub left_out: Vec<Omission>,
}

impl<T: Into<Product<'static>>> From<T> for Decoded {
    fn from(product: T) -> Self {
        Self { product: product.into(), left_out: Vec::new() }
    }
}

impl Decoded {
    /// Returns the scene, with the skipped content.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the product is of another kind.
    pub fn into_scene(self) -> Result<gltf::Read> {
        match self.product {
            Product::Scene(scene) => Ok(gltf::Read { scene: *scene, left_out: self.left_out }),
            other => Err(other_kind(ProductKind::Scene, other.kind())),
        }
    }

    /// Returns the image.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the product is of another kind.
    pub fn into_image(self) -> Result<Picture> {
        match self.product {
            Product::Image(picture) => Ok(picture),
            other => Err(other_kind(ProductKind::Image, other.kind())),
        }
    }

    /// Returns the sound.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the product is of another kind.
    pub fn into_sound(self) -> Result<Sound> {
        match self.product {
            Product::Sound(sound) => Ok(sound),
            other => Err(other_kind(ProductKind::Sound, other.kind())),
        }
    }
}

impl Decoder {
    /// Decodes a file. `companions` returns the bytes of files that it refers to, by their relative paths.
    ///
    /// # Errors
    /// If the bytes violate the format, or are of an unsupported kind.
    pub fn decode(
        &self,
        bytes: &[u8],
        companions: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Decoded> {
        (self.decode)(bytes, companions)
    }
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Decoder({} from .{})", self.kind, self.extensions.join(", ."))
    }
}

/// All decoders. The decoder is chosen by content, or by extension if the content is not recognized.
pub static DECODERS: &[Decoder] = &[
    Decoder {
        kind: ProductKind::Scene,
        extensions: &["glb", "gltf"],
        recognizes: |bytes| bytes.starts_with(b"glTF"),
        decode: |bytes, companions| {
            let gltf::Read { scene, left_out } = gltf::read(bytes, companions)?;
            Ok(Decoded { product: scene.into(), left_out })
        },
    },
    Decoder {
        kind: ProductKind::Image,
        extensions: &["png", "jpg", "jpeg", "bmp", "tga"],
        recognizes: |bytes| sniff(bytes).is_some_and(Format::is_decoded),
        decode: |bytes, _| {
            let limits = Limits::default();
            let picture = match decode_indexed(bytes, &limits)? {
                Some(indexed) => Picture::from(indexed),
                None => decode_image(bytes, &limits)?.into(),
            };
            Ok(picture.into())
        },
    },
    Decoder {
        kind: ProductKind::Image,
        extensions: &["gpl"],
        recognizes: is_gpl,
        decode: |bytes, _| Ok(swatch(from_gpl(bytes)?)?.into()),
    },
    Decoder {
        kind: ProductKind::Image,
        extensions: &["act"],
        recognizes: |_| false,
        decode: |bytes, _| Ok(swatch(from_act(bytes)?)?.into()),
    },
    Decoder {
        kind: ProductKind::Sound,
        extensions: &["wav"],
        recognizes: is_wav,
        decode: |bytes, _| Ok(decode_wav(bytes)?.into()),
    },
    Decoder {
        kind: ProductKind::Text,
        extensions: &["txt"],
        recognizes: |_| false,
        decode: |bytes, _| match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Product::Text(text.to_owned()).into()),
            Err(error) => {
                let at = error.valid_up_to() as u64;
                Err(Error::malformed("the text is not UTF-8").at(at))
            }
        },
    },
];

/// Returns an image with each color of a palette once, in one row.
fn swatch(palette: Vec<[u8; 4]>) -> Result<Picture> {
    let width = u32::try_from(palette.len()).unwrap_or(u32::MAX);
    let indices = (0..=u8::MAX).take(palette.len()).collect();
    Indexed8::new(width, 1, indices, palette).map(Picture::from)
}

/// Returns the decoder for a file, by its content or otherwise by its extension.
#[must_use]
pub fn decoder_for(bytes: &[u8], extension: &str) -> Option<&'static Decoder> {
    let by_content = DECODERS.iter().find(|decoder| (decoder.recognizes)(bytes));
    let extension = extension.to_ascii_lowercase();
    by_content.or_else(|| DECODERS.iter().find(|decoder| decoder.extensions.contains(&extension.as_str())))
}

fn other_kind(wanted: ProductKind, found: ProductKind) -> Error {
    Error::usage(format!("expected {}, found {found} content", expected(wanted)))
}

/// Describes the expected content of a file: `image content (png, jpg, bmp)`.
fn expected(kind: ProductKind) -> String {
    let decoders = DECODERS.iter().filter(|decoder| decoder.kind == kind);
    let extensions: Vec<_> = decoders.flat_map(|decoder| decoder.extensions).copied().collect();
    format!("{kind} content ({})", extensions.join(", "))
}

/// Decodes a file without companions as a product of the given kind.
///
/// # Errors
/// If the file is of another or an unknown kind, or violates its format.
pub fn decode(bytes: &[u8], extension: &str, kind: ProductKind) -> Result<Decoded> {
    match decoder_for(bytes, extension) {
        Some(decoder) if decoder.kind == kind => decoder.decode(bytes, &mut |_| None),
        Some(decoder) => Err(other_kind(kind, decoder.kind)),
        None => Err(Error::unsupported(format!("expected {}", expected(kind)))),
    }
}
