//! What the texture word of a face says.

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

    /// The word of a face before v4.0: set times 128 and image; the first two sets are colours.
    #[must_use]
    pub const fn of_software(word: u16) -> Self {
        match word.to_le_bytes() {
            [color, 0] => Self::Color(color),
            _ => Self::Image { bank: word >> 7, image: word & 0x7f },
        }
    }
}
