//! Warnings about fonts and their conversion.

crate::codes! {
    NO_PALETTE = "FNT-E001", Error, "no palette",
        "The header indicates a palette, but there is none. The font is converted in grayscale. Example: \"has_palette is 1, but there is no \
        BPAL or FPAL chunk\".";
    NO_RDAT = "FNT-E002", Error, "no metadata",
        "The header indicates an RDAT chunk, but there is none: the file may be truncated. Example: \"has_rdat is 1, but there is no RDAT chunk of \
        173 bytes\".";
    NO_END = "FNT-W003", Warning, "no END tag",
        "The file does not end with \"END \": it may be truncated. Example: \"the END tag is missing\".";
    LEFT_OVER = "FNT-W004", Warning, "trailing bytes",
        "There are extra bytes after the last glyph or after the end. They are kept and written back. Example: \"12 unexpected bytes after the glyphs\".";
    OTHER = "FNT-W005", Warning, "unknown chunk",
        "A chunk is unknown, a duplicate, or has an unexpected length. It is kept and written back. Example: \"the chunk \"XDAT\" of \
        20 bytes is unknown\".";
    TOO_MANY = "FNT-W006", Warning, "too many glyphs",
        "The game reads 256 glyphs, but texts can only use codes 32 to 255. The others are on the sheet, but not in converted fonts. Example: \
        \"there are 300 glyphs, but texts can only use 224\".";
    START = "FNT-W007", Warning, "unexpected first code",
        "The first glyph does not have code 32 according to the header. The game always uses 32, and so does this program. Example: \
        \"character_start is 48, but the game always starts at code 32\".";
    EIGHT_BIT = "FNT-W008", Warning, "palette of 8 bits",
        "The palette has values above 63, although the game multiplies them by four. They are used as 8 bits per channel. Example: \"the palette has values up to \
        255; assuming 8 bits per channel\".";
    EMPTY = "FNT-W009", Warning, "glyph without pixels",
        "A character is enabled, but has no pixels. Example: \"code 65 is enabled, but has 0 x 7 pixels\".";
    MISSING = "FNT-W010", Warning, "character not in the font",
        "A text contains a character that is not in the font or not in code page 437. It is not drawn. Example: \"the font has no glyph for \
        'é'\".";
    NOT_DRAWN = "FNT-N011", Note, "disabled character",
        "A text contains a character that is disabled in the font. The game draws nothing for it. Example: \"'é' is disabled in \
        the font\".";
    LEFT_OUT = "FNT-N012", Note, "characters not in the font file",
        "Disabled characters and glyphs above code 255 are on the sheet and in the JSON, but not in BMFont and TrueType fonts. Example: \
        \"17 of 104 glyphs are disabled\".";
    NO_PALETTE_READ = "FNT-W014", Warning, "palette not used by the game",
        "There is a palette, but the header indicates none. It is used for conversions anyway. Example: \"has_palette is 0, but there is a \
        palette\".";
    NO_VIEWS = "FNT-W015", Warning, "no sheet",
        "The glyphs are too large for a sheet. The font is unpacked without one; its record and bytes can still be edited. Example: \"the sheet would be \
        65535 x 65535 pixels, which exceeds the limit of 16777216 pixels\".";
    BELOW = "FNT-N016", Note, "glyphs extend below the line",
        "Some glyphs overlap the next line. Example: \"3 glyphs extend below the line height of 9 pixels, by up to 7\".";
    INEXACT = "FNT-W022", Warning, "colors not in the palette",
        "An edited sheet has colors that are not in the palette; they were matched to the nearest ones. Example: \"in views/sheet.png, 12 of 1024 pixels were changed to the \
        nearest color of the palette, which differs by up to 23\".";
}
