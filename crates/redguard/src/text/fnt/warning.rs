//! What can be amiss with a font, or lost in a conversion.

crate::codes! {
    NO_PALETTE = "FNT-E001", Error, "no palette",
        "The header says that there is a palette, and there is none. The font is shown in shades of grey. Example: \"has_palette is 1, but there is no \
        chunk BPAL or FPAL\".";
    NO_RDAT = "FNT-E002", Error, "no metadata",
        "The header says that there is a chunk RDAT, and there is none: the file may be cut short. Example: \"has_rdat is 1, but there is no chunk RDAT of \
        173 bytes\".";
    NO_END = "FNT-W003", Warning, "no END",
        "The file is not closed by \"END \": it may be cut short. Example: \"nothing closes the file\".";
    LEFT_OVER = "FNT-W004", Warning, "bytes left over",
        "Something stands behind the last glyph or behind the end. It is kept and written back. Example: \"12 bytes stand behind the glyphs\".";
    OTHER = "FNT-W005", Warning, "chunk not known",
        "A chunk is not known, comes a second time, or has another length than it should. It is kept and written back. Example: \"the chunk \"XDAT\" of \
        20 bytes is not known\".";
    TOO_MANY = "FNT-W006", Warning, "too many glyphs",
        "The game reads 256 glyphs, and texts can name those of the codes 32 to 255 only. The others stand on the sheet, but no font has them. Example: \
        \"there are 300 glyphs, and texts reach 224\".";
    START = "FNT-W007", Warning, "another first code",
        "The header says that the first glyph is not that of code 32. The game takes 32 whatever stands here, and so does this program. Example: \
        \"character_start is 48, but the game takes the first glyph for code 32\".";
    EIGHT_BIT = "FNT-W008", Warning, "palette of 8 bits",
        "The palette has numbers above 63, where the game shows them times four. It is taken as 8 bits a channel. Example: \"the palette goes up to \
        255\".";
    EMPTY = "FNT-W009", Warning, "glyph without pixels",
        "A character is drawn, but has no pixels. Example: \"code 65 is enabled and has 0 x 7 pixels\".";
    MISSING = "FNT-W010", Warning, "character not in the font",
        "A text has a character that the font does not have, or that code page 437 lacks. It is left out of the picture. Example: \"the font does not have \
        'é'\".";
    NOT_DRAWN = "FNT-N011", Note, "character switched off",
        "A text has a character that is switched off in the font. The game draws nothing for it and does not move on. Example: \"'é' is switched off in \
        the font\".";
    LEFT_OUT = "FNT-N012", Note, "characters left out of the font file",
        "Characters that are switched off, and glyphs beyond code 255, are on the sheet and in the JSON, but not in BMFont and TrueType fonts. Example: \
        \"17 of 104 glyphs are switched off\".";
    NO_PALETTE_READ = "FNT-W014", Warning, "palette that the game does not read",
        "There is a palette, but the header says that there is none. It is used here all the same. Example: \"has_palette is 0, but there is a \
        palette\".";
    NO_VIEWS = "FNT-W015", Warning, "no sheet to paint on",
        "The glyphs are too large for one sheet. The font is unpacked without it: its record and its bytes can be edited. Example: \"sheet: it would have \
        65535 x 65535 pixels, more than the limit of 16777216\".";
    BELOW = "FNT-N016", Note, "glyphs reach below their line",
        "Some glyphs are drawn over the line below. Example: \"3 glyphs reach below the line of 9 pixels, the farthest by 7\".";
    INEXACT = "FNT-W022", Warning, "colours that the palette does not have",
        "A painted sheet has colours that are not in the palette; the nearest were taken. Example: \"in views/sheet.png, 12 of 1024 pixels took the \
        nearest colour of the palette, which differs by up to 23\".";
}
