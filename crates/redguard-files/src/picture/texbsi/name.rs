//! Image names: `D02031` is image 31 of bank 302.

use std::fmt;

use asset::{NameKind, NameVisitor, Named};

use super::layout::{Entry, ImageName};

/// The bank and image number encoded in an image name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImageKey {
    /// The bank number, 0 to 2599: the `###` of `TEXBSI.###`.
    pub bank: u16,
    /// The image number, 0 to 999.
    pub image: u16,
}

impl ImageKey {
    /// Decodes a name: a letter for the hundreds of the bank, two digits for the rest of the bank number, three digits for the
    /// image.
    #[must_use]
    pub fn of_name(name: &ImageName) -> Option<Self> {
        let [letter, digits @ ..] = name.bytes() else { return None };
        if digits.len() != 5 || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let family = letter.to_ascii_uppercase().checked_sub(b'A').filter(|family| *family < 26)?;
        let (bank, image) = digits.split_at_checked(2)?;
        let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<u16>().ok();
        Some(Self {
            bank: u16::from(family).checked_mul(100)?.checked_add(number(bank)?)?,
            image: number(image)?,
        })
    }

    /// Returns the image name of a key; `None` if it cannot be encoded.
    #[must_use]
    pub fn name(self) -> Option<ImageName> {
        let family = u8::try_from(self.bank.checked_div(100)?).ok().filter(|family| *family < 26)?;
        let letter = char::from(b'A'.checked_add(family)?);
        (self.image < 1000).then_some(())?;
        ImageName::new(&format!("{letter}{:02}{:03}", self.bank % 100, self.image)).ok()
    }
}

impl fmt::Display for ImageKey {
    /// Formats the key as bank and image, such as `302/5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.bank, self.image)
    }
}

impl ImageKey {
    /// Visits both names of the image: `302/5` and `D02005`.
    pub fn visit_names(self, path: fmt::Arguments<'_>, take: NameVisitor<'_>) {
        let also = self.name().map(|name| name.text()).unwrap_or_default();
        take(Named { also: &also, ..Named::new(NameKind::Texture, &self.to_string(), path) });
    }
}

/// Returns the file name of an image.
pub(super) fn file_name(entry: &Entry) -> String {
    format!("{}.BSI", entry.name)
}

/// Returns the bank number in a file name: 302 for `TEXBSI.302`.
#[must_use]
pub fn bank_of_file(name: &str) -> Option<u16> {
    let (stem, number) = name.rsplit_once('.')?;
    let is_bank = stem.eq_ignore_ascii_case("texbsi")
        && number.len() == 3
        && number.bytes().all(|digit| digit.is_ascii_digit());
    if is_bank { number.parse().ok() } else { None }
}
