//! What the texture word of a face says.

use crate::picture::texbsi::{ImageKey, ImageName};

/// What a face is painted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paint {
    /// A colour of the palette.
    Color(u8),
    /// An image of a bank (`TEXBSI.###`) or set (`TEXTURE.###`).
    Image {
        /// The number of the bank or set.
        bank: u16,
        /// The number of the image in it.
        image: u16,
    },
    /// A word that says neither.
    Unknown(u32),
}

/// The texture word of a solid face starts with these twelve bits.
const SOLID: u32 = 0xfff;
/// The engine's alphabet for names: 0 to 9, a to z and four signs.
const ALPHABET: u32 = 40;
/// The first letter of that alphabet, which stands for the hundreds of a bank.
const LETTER_A: u32 = 10;

impl Paint {
    /// The word of a face from v4.0 on: the name of the image in six digits to the base of 40, such as "d02031".
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

    /// The word that a face of the Glide renderer has; `None` where no name says the image.
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

    /// What a name says: `D02005`, `TEXBSI.302 5`, `texture 302 image 5`, `color 12`; whatever stands behind a dot that is no number
    /// does not matter.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let text = without_extension(text.rsplit(['/', '\\']).next().unwrap_or(text).trim());
        if let Some(key) = ImageName::new(text).ok().and_then(|name| ImageKey::of_name(&name)) {
            return Some(Self::Image { bank: key.bank, image: key.image });
        }
        let lower = text.to_ascii_lowercase();
        let is_between = |letter: char| letter.is_ascii_whitespace() || "._-:#".contains(letter);
        let words: Vec<&str> = lower.split(is_between).filter(|word| !word.is_empty()).collect();
        match words[..] {
            ["texbsi" | "texture", bank, image] | ["texture", bank, "image", image] => {
                Some(Self::Image { bank: bank.parse().ok()?, image: image.parse().ok()? })
            }
            ["color" | "colour", color] => Some(Self::Color(color.parse().ok()?)),
            _ => None,
        }
    }

    /// The word of a face before v4.0: set times 128 and image; the first two sets are colours.
    #[must_use]
    pub const fn of_software(word: u16) -> Self {
        match word.to_le_bytes() {
            [color, 0] => Self::Color(color),
            _ => Self::Image { bank: word >> 7, image: word & 0x7f },
        }
    }
}

/// A name without what other programs put behind it: the number of a copy, the extension of a picture.
fn without_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((before, "png" | "PNG" | "jpg" | "jpeg" | "bmp" | "BMP" | "tga" | "gif")) => {
            without_extension(before)
        }
        // Banks have numbers of three digits too.
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
    fn words_of_paints_come_back() {
        for paint in [
            Paint::Color(0),
            Paint::Color(255),
            Paint::Image { bank: 0, image: 0 },
            Paint::Image { bank: 302, image: 5 },
            Paint::Image { bank: 2599, image: 999 },
        ] {
            assert_eq!(Paint::of_glide(paint.to_glide().unwrap()), paint);
        }
        assert_eq!(Paint::Image { bank: 2600, image: 0 }.to_glide(), None);
        assert_eq!(Paint::Image { bank: 0, image: 1000 }.to_glide(), None);
    }

    #[test]
    fn names_say_banks_and_images_or_colors() {
        let five = Some(Paint::Image { bank: 302, image: 5 });
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
            assert_eq!(Paint::of_text(name), five, "{name}");
        }
        assert_eq!(Paint::of_text("color 12.003"), Some(Paint::Color(12)));
        for name in ["", "wood", "D0200", "TEXBSI.302", "color 256", "texture 302 image"] {
            assert_eq!(Paint::of_text(name), None, "{name}");
        }
    }
}
