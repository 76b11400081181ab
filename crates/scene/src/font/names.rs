//! The names of a TrueType font, and the Unicode blocks it supports.

use write_fonts::OffsetMarker;
use write_fonts::tables::name::{Name, NameRecord};
use write_fonts::types::NameId;

/// Platform, encoding and language: Windows, Unicode, English (United States).
const WINDOWS: (u16, u16, u16) = (3, 1, 0x0409);

/// Platform, encoding and language: Macintosh, Roman, English.
const MACINTOSH: (u16, u16, u16) = (1, 0, 0);

/// Maximum length of a PostScript name.
const MAX_POSTSCRIPT_LENGTH: usize = 63;

/// Maximum length of a family name.
const MAX_FAMILY_LENGTH: usize = 128;

const VERSION: &str = "Version 1.000";

/// Returns the family, style, version and all other names, derived from the name of the font.
pub(super) fn names(font: &str) -> Name {
    let family: String =
        font.chars().filter(|character| !character.is_control()).take(MAX_FAMILY_LENGTH).collect();
    let family = if family.trim().is_empty() { "Font".to_owned() } else { family.trim().to_owned() };
    let postscript = postscript(&family);
    let texts = [
        (NameId::FAMILY_NAME, family.clone()),
        (NameId::SUBFAMILY_NAME, "Regular".to_owned()),
        (NameId::UNIQUE_ID, format!("{VERSION};{postscript}")),
        (NameId::FULL_NAME, family),
        (NameId::VERSION_STRING, VERSION.to_owned()),
        (NameId::POSTSCRIPT_NAME, postscript),
    ];
    let records = |(platform_id, encoding_id, language_id): (u16, u16, u16)| {
        let texts = texts.clone();
        texts.into_iter().map(move |(name_id, text)| NameRecord {
            platform_id,
            encoding_id,
            language_id,
            name_id,
            string: OffsetMarker::new(text),
        })
    };
    // The older platform only supports its own character set; ASCII characters are in every set.
    let plain = texts.iter().all(|(_, text)| text.is_ascii());
    let old = plain.then(|| records(MACINTOSH)).into_iter().flatten();
    Name::new(old.chain(records(WINDOWS)).collect())
}

/// Returns a name with only the characters that PostScript allows.
fn postscript(family: &str) -> String {
    let allowed = |letter: &char| letter.is_ascii_graphic() && !"[](){}<>/%".contains(*letter);
    let name: String = family.chars().filter(allowed).take(MAX_POSTSCRIPT_LENGTH).collect();
    if name.is_empty() { "Font".to_owned() } else { name }
}

/// Unicode blocks: the first character, the last, and the bit of the block in `OS/2`.
const BLOCKS: [(u32, u32, u32); 14] = [
    (0x20, 0x7f, 0),
    (0x80, 0xff, 1),
    (0x100, 0x17f, 2),
    (0x180, 0x24f, 3),
    (0x370, 0x3ff, 7),
    (0x400, 0x4ff, 9),
    (0x2000, 0x206f, 31),
    (0x2070, 0x209f, 32),
    (0x20a0, 0x20cf, 33),
    (0x2190, 0x21ff, 37),
    (0x2200, 0x22ff, 38),
    (0x2300, 0x23ff, 39),
    (0x2500, 0x257f, 43),
    (0x2580, 0x259f, 44),
];

/// Returns the bits of `ulUnicodeRange1` and `ulUnicodeRange2` for these characters.
pub(super) fn unicode_ranges(characters: impl Iterator<Item = char>) -> (u32, u32) {
    let bit_of = |character: char| {
        let number = u32::from(character);
        BLOCKS.iter().find(|(first, last, _)| (*first..=*last).contains(&number)).map(|(.., bit)| *bit)
    };
    let bits =
        characters.filter_map(bit_of).fold(0_u64, |bits, bit| bits | 1_u64.checked_shl(bit).unwrap_or(0));
    let half = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
    (half(bits), half(bits >> 32))
}
