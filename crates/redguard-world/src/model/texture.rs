//! Decodes the texture word of a face.

use std::fmt;

use asset::typed_view::{Unit, UnitField};

use redguard_files::picture::texbsi::{ImageKey, ImageName};

/// The texture of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaceTexture {
    /// A palette color.
    Color(u8),
    /// An image of a bank (`TEXBSI.###`) or set (`TEXTURE.###`).
    Image {
        /// Bank or set number.
        bank: u16,
        /// Image number.
        image: u16,
    },
    /// An invalid texture word.
    Unknown(u32),
}

impl fmt::Display for FaceTexture {
    /// Formats as `302/5` for image 5 of bank 302, as `color 12`, and other words as hexadecimal numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Color(color) => write!(f, "color {color}"),
            Self::Image { bank, image } => ImageKey { bank, image }.fmt(f),
            Self::Unknown(word) => write!(f, "{word:#x}"),
        }
    }
}

/// The upper 12 bits of the texture word of a solid face.
const SOLID: u32 = 0xfff;
/// Size of the engine's alphabet for names: 0 to 9, a to z and four symbols.
const ALPHABET: u32 = 40;
/// The digit of the letter A in that alphabet; letters represent the hundreds of a bank number.
const LETTER_A: u32 = 10;

impl FaceTexture {
    /// Decodes a texture word from v4.0 on: the image name as six base-40 digits, such as "d02031".
    #[must_use]
    pub fn of_glide(word: u32) -> Self {
        if word >> 20 == SOLID {
            let [_, color, ..] = word.to_le_bytes();
            return Self::Color(color);
        }
        Self::of_name(word).unwrap_or(Self::Unknown(word))
    }

    fn of_name(word: u32) -> Option<Self> {
        let mut rest = word;
        let mut digits = [0; 6];
        for digit in digits.iter_mut().rev() {
            *digit = rest % ALPHABET;
            rest /= ALPHABET;
        }
        let [letter, tens, ones, image @ ..] = digits;
        let hundreds = letter.checked_sub(LETTER_A).filter(|hundreds| *hundreds < 26)?;
        let number = |digits: [u32; 3]| -> Option<u16> {
            let sum = digits.iter().try_fold(0_u32, |sum, digit| sum.checked_mul(10)?.checked_add(*digit))?;
            u16::try_from(sum).ok()
        };
        let decimal = rest == 0 && [tens, ones].iter().chain(&image).all(|digit| *digit < 10);
        decimal.then_some(())?;
        Some(Self::Image { bank: number([hundreds, tens, ones])?, image: number(image)? })
    }

    /// Encodes the texture word for the Glide renderer; `None` if the image cannot be named.
    #[must_use]
    pub fn to_glide(self) -> Option<u32> {
        match self {
            Self::Color(color) => Some(u32::from_le_bytes([0, color, 0xf0, 0xff])),
            Self::Unknown(word) => Some(word),
            Self::Image { bank, image } => {
                let (bank, image) = (u32::from(bank), u32::from(image));
                let hundreds = Some(bank / 100).filter(|hundreds| *hundreds < 26)?;
                let letter = LETTER_A.checked_add(hundreds)?;
                (image < 1000).then_some(())?;
                let digits = [letter, bank / 10 % 10, bank % 10, image / 100, image / 10 % 10, image % 10];
                digits
                    .into_iter()
                    .try_fold(0_u32, |word, digit| word.checked_mul(ALPHABET)?.checked_add(digit))
            }
        }
    }

    /// Parses the [displayed](fmt::Display) form, and [names](Self::of_text).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('/') {
            Some((bank, image)) => Some(Self::Image { bank: bank.parse().ok()?, image: image.parse().ok()? }),
            None => Self::of_text(text),
        }
    }

    /// The image of the texture; `None` for colors.
    #[must_use]
    pub const fn image(self) -> Option<ImageKey> {
        match self {
            Self::Image { bank, image } => Some(ImageKey { bank, image }),
            Self::Color(_) | Self::Unknown(_) => None,
        }
    }

    /// Parses a texture name: `D02005`, `TEXBSI.302 5`, `texture 302 image 5`, `color 12`. File extensions and copy suffixes are ignored.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let text = without_extension(text.rsplit(['/', '\\']).next().unwrap_or(text).trim());
        if let Some(key) = ImageName::new(text).ok().and_then(|name| ImageKey::of_name(&name)) {
            return Some(Self::Image { bank: key.bank, image: key.image });
        }
        let lower = text.to_ascii_lowercase();
        let is_separator = |letter: char| letter.is_ascii_whitespace() || "._-:#".contains(letter);
        let words: Vec<&str> = lower.split(is_separator).filter(|word| !word.is_empty()).collect();
        match words[..] {
            ["texbsi" | "texture", bank, image] | ["texture", bank, "image", image] => {
                Some(Self::Image { bank: bank.parse().ok()?, image: image.parse().ok()? })
            }
            ["color" | "colour", color] => Some(Self::Color(color.parse().ok()?)),
            _ => None,
        }
    }

    /// The field `texture_image`, for faces with texture words from v4.0 on.
    pub(crate) const fn glide_field(owner: &'static str) -> UnitField {
        UnitField { owner, stored: "texture", name: "texture_image", unit: Self::GLIDE }
    }

    /// The field `texture_image`, for faces with texture words before v4.0.
    pub(crate) const fn software_field(owner: &'static str) -> UnitField {
        UnitField { owner, stored: "texture", name: "texture_image", unit: Self::SOFTWARE }
    }

    const GLIDE: Unit = Unit::Name {
        show: |word| Some(Self::of_glide(word.try_into().ok()?).to_string()),
        store: |text| Some(Self::parse(text)?.to_glide()?.into()),
    };

    const SOFTWARE: Unit = Unit::Name {
        show: |word| Some(Self::of_software(word.try_into().ok()?).to_string()),
        store: |text| Some(Self::parse(text)?.to_software()?.into()),
    };

    /// Encodes the texture word before v4.0; `None` if the image cannot be named.
    #[must_use]
    pub fn to_software(self) -> Option<u16> {
        match self {
            Self::Color(color) => Some(color.into()),
            Self::Unknown(word) => u16::try_from(word).ok(),
            // The first two sets are colors.
            Self::Image { bank, image } if bank > 1 && image < 128 => {
                bank.checked_mul(128)?.checked_add(image)
            }
            Self::Image { .. } => None,
        }
    }

    /// Decodes a texture word before v4.0: set number times 128 plus image number; the first two sets are colors.
    #[must_use]
    pub const fn of_software(word: u16) -> Self {
        match word.to_le_bytes() {
            [color, 0] => Self::Color(color),
            _ => Self::Image { bank: word >> 7, image: word & 0x7f },
        }
    }
}

/// Removes the suffixes that other programs append: the number of a copy, the extension of an image file.
fn without_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((before, "png" | "PNG" | "jpg" | "jpeg" | "bmp" | "BMP" | "tga" | "gif")) => {
            without_extension(before)
        }
        // Bank numbers have three digits too.
        Some((before, number))
            if number.len() == 3
                && number.bytes().all(|digit| digit.is_ascii_digit())
                && !before.eq_ignore_ascii_case("texbsi")
                && !before.eq_ignore_ascii_case("texture") =>
        {
            without_extension(before)
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_texture_words() {
        for texture in [
            FaceTexture::Color(0),
            FaceTexture::Color(255),
            FaceTexture::Image { bank: 0, image: 0 },
            FaceTexture::Image { bank: 302, image: 5 },
            FaceTexture::Image { bank: 2599, image: 999 },
        ] {
            assert_eq!(FaceTexture::of_glide(texture.to_glide().unwrap()), texture);
        }
        assert_eq!(FaceTexture::Image { bank: 2600, image: 0 }.to_glide(), None);
        assert_eq!(FaceTexture::Image { bank: 0, image: 1000 }.to_glide(), None);
    }

    #[test]
    fn parses_displayed_textures() {
        for texture in [FaceTexture::Color(12), FaceTexture::Image { bank: 302, image: 5 }] {
            assert_eq!(FaceTexture::parse(&texture.to_string()), Some(texture));
            assert_eq!(FaceTexture::of_software(texture.to_software().unwrap()), texture);
        }
        assert_eq!(FaceTexture::Image { bank: 1, image: 5 }.to_software(), None);
        assert_eq!(FaceTexture::Image { bank: 302, image: 128 }.to_software(), None);
        assert_eq!(FaceTexture::parse("302/x"), None);
    }

    #[test]
    fn parses_names_as_images_or_colors() {
        let five = Some(FaceTexture::Image { bank: 302, image: 5 });
        for name in [
            "D02005",
            "d02005",
            "D02005.001",
            "D02005.png",
            "textures/D02005.png.002",
            "TEXBSI.302 5",
            "texture 302 image 5",
            "TEXTURE.302-5",
            "TEXBSI.302 5.001",
        ] {
            assert_eq!(FaceTexture::of_text(name), five, "{name}");
        }
        assert_eq!(FaceTexture::of_text("color 12.003"), Some(FaceTexture::Color(12)));
        for name in ["", "wood", "D0200", "TEXBSI.302", "color 256", "texture 302 image"] {
            assert_eq!(FaceTexture::of_text(name), None, "{name}");
        }
    }
}
