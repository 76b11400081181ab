//! The 256 colors of a palette.

use record::Record;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// 256 colors of red, green and blue; with 8 bits per channel, they are display colors (sRGB). In JSON, a list of `#rrggbb`.
#[derive(Record, Clone, PartialEq, Eq, Hash)]
pub struct Colors(pub Box<[[u8; 3]; 256]>);

/// Maximum value of a 6-bit channel.
const MOST_OF_SIX_BITS: u8 = 63;

impl Colors {
    /// Returns a grayscale from black to white.
    #[must_use]
    pub fn grey() -> Self {
        let mut out = Self::default();
        for (index, color) in (0_u8..=255).zip(out.0.iter_mut()) {
            *color = [index; 3];
        }
        out
    }

    /// Returns a color.
    #[must_use]
    pub fn get(&self, index: u8) -> [u8; 3] {
        self.0.get(usize::from(index)).copied().unwrap_or_default()
    }

    /// Whether no channel needs more than 6 bits, as in the palettes of VGA cards.
    #[must_use]
    pub fn is_six_bit(&self) -> bool {
        self.0.as_flattened().iter().all(|channel| *channel <= MOST_OF_SIX_BITS)
    }

    /// Converts 6-bit channels to 8 bits as VGA programs do: multiplied by four, so the maximum is 252.
    #[must_use]
    pub fn from_six_bit(&self) -> Self {
        self.map(|channel| channel.wrapping_shl(2))
    }

    /// Returns the display colors of an embedded palette (CMAP): converted from 6 bits if no channel needs more, otherwise
    /// unchanged.
    #[must_use]
    pub fn expanded(&self) -> Self {
        if self.is_six_bit() { self.from_six_bit() } else { self.clone() }
    }

    /// Returns the colors with each channel changed.
    #[must_use]
    pub fn map(&self, change: impl Fn(u8) -> u8) -> Self {
        let mut out = self.clone();
        out.0.as_flattened_mut().iter_mut().for_each(|channel| *channel = change(*channel));
        out
    }

    /// Returns the colors as bytes: red, green, blue.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }

    /// Creates colors from 768 bytes: red, green, blue. Returns `None` for another number of bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (colors, rest) = bytes.as_chunks::<3>();
        let colors: &[[u8; 3]; 256] = colors.try_into().ok()?;
        rest.is_empty().then(|| Self(Box::new(*colors)))
    }
}

impl Default for Colors {
    fn default() -> Self {
        Self(Box::new([[0; 3]; 256]))
    }
}

impl std::fmt::Debug for Colors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Colors({} ... {})", hex(self.get(0)), hex(self.get(255)))
    }
}

/// Formats a color as `#rrggbb`.
#[must_use]
pub fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Parses a color such as `#rrggbb`; the `#` is optional.
#[must_use]
pub fn from_hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

impl Serialize for Colors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|color| hex(*color)))
    }
}

impl<'de> Deserialize<'de> for Colors {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        let color = |text: &String| {
            from_hex(text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a color like #12ab9f")))
        };
        let colors: Vec<[u8; 3]> = texts.iter().map(color).collect::<Result<_, _>>()?;
        let found = colors.len();
        let colors: Box<[[u8; 3]; 256]> =
            colors.try_into().map_err(|_| D::Error::custom(format!("expected 256 colors, found {found}")))?;
        Ok(Self(colors))
    }
}
