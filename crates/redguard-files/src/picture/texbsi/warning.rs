//! Warnings about texture banks and their conversion.

use asset::Code;

/// The warning codes for an image; they differ between banks and single images.
#[derive(Debug)]
pub(crate) struct ImageCodes {
    pub(crate) damaged: &'static Code,
    pub(crate) in_table: &'static Code,
    pub(crate) left_over: &'static Code,
    pub(crate) encoding: &'static Code,
    pub(crate) delay: &'static Code,
    pub(crate) empty: &'static Code,
    pub(crate) sections: &'static Code,
    pub(crate) palette: &'static Code,
    pub(crate) guessed: &'static Code,
    pub(crate) no_palette: &'static Code,
    pub(crate) inexact: &'static Code,
}

pub(crate) static IMAGE: ImageCodes = ImageCodes {
    damaged: &DAMAGED,
    in_table: &IN_TABLE,
    left_over: &DATA_LEFT_OVER,
    encoding: &ENCODING,
    delay: &DELAY,
    empty: &EMPTY,
    sections: &SECTIONS,
    palette: &CMAP,
    guessed: &GUESSED,
    no_palette: &NO_PALETTE,
    inexact: &INEXACT,
};

crate::codes! {
    DAMAGED = "TEXBSI-E001", Error, "image cannot be decoded",
        "The header of an image is invalid, or its pixels are out of bounds. It is dropped from conversions; the others are \
        converted. Example: \"pixels of 1 x 32 x 32 need 1024 bytes, but there are only 600\".";
    IN_TABLE = "TEXBSI-W002", Warning, "row overlaps the row table",
        "Rows of an animated image start within the row table. They are converted anyway. Example: \"3 rows start within the row \
        table\".";
    DATA_LEFT_OVER = "TEXBSI-W003", Warning, "extra data after the pixels",
        "There are extra bytes after the pixels of an image. They are kept and written back. Example: \"12 unexpected bytes after the pixels\".";
    ENCODING = "TEXBSI-W004", Warning, "encoding and frames disagree",
        "An image with one frame has encoding 0, one with several has encoding 4 and the marker IFHD. The number of frames takes precedence. Example: \"encoding \
        9 for 5 frames\".";
    DELAY = "TEXBSI-W005", Warning, "negative delay",
        "The frame delay of an image is negative; the game uses one tick. Example: \"the frame delay is -5 ms\".";
    EMPTY = "TEXBSI-W006", Warning, "image without pixels",
        "The width or height of an image is 0. It is not converted. Example: \"the size is 0 x 32 pixels\".";
    SECTIONS = "TEXBSI-W007", Warning, "unusual sections",
        "An image has an unknown or duplicate section, or no marker. Everything is kept and written back; the first of two is used. Example: \
        \"unknown section \"XYZW\"\".";
    CMAP = "TEXBSI-N008", Note, "palette of 8 bits",
        "The palette of an image has values above 63, so it is used unchanged; values of 6-bit palettes are multiplied by four. Example: \"the palette \
        has values up to 255; assuming 8 bits per channel\".";
    NAME = "TEXBSI-W010", Warning, "invalid name",
        "Models refer to an image by the three digits at the end of its name. This one cannot be found. Example: \"\"water\" is not a letter and \
        five digits\".";
    OTHER_BANK = "TEXBSI-W011", Warning, "name of another bank",
        "The letter and the first two digits of a name encode the bank: D02 is 302. Example: \"\"E01005\" belongs to TEXBSI.401, but this is TEXBSI.302\".";
    SAME_NAME = "TEXBSI-W012", Warning, "duplicate name",
        "Several images have the same name; the game uses the first one. Example: \"3 images are named \"D02000\"\".";
    REST = "TEXBSI-W013", Warning, "trailing bytes",
        "There are extra bytes after the end of an image or of the bank. They are kept and written back. Example: \"4 unexpected bytes after the end of the image\".";
    GUESSED = "TEXBSI-N020", Note, "palette guessed",
        "The map selects the palette of an image, which is not known here. The island's palette is used, as in most of the game. \
        Example: \"56 images converted with the palette ISLAND.COL; choose another one with --palette\".";
    NO_PALETTE = "TEXBSI-N021", Note, "no palette",
        "No palette was found for an image, so it is converted to grayscale. Example: \"8 images converted to grayscale; choose a palette with --palette\".";
    INEXACT = "TEXBSI-W022", Warning, "colors not in the palette",
        "An edited picture has colors that are not in the palette; they were matched to the nearest ones. Example: \"in views/D02001.png, 12 of 1024 pixels were changed to \
        the nearest color of the palette, which differs by up to 23\".";
    MATCHED = "TEXBSI-N023", Note, "palette of a new picture",
        "The colors of a picture that replaces an image were matched with this palette. Example: \"the colors of wall.png were matched with the palette \
        REDCAVE.COL\".";
    MATCHED_WITH_GUESS = "TEXBSI-W024", Warning, "palette of a new picture guessed",
        "The map selects the palette of an image, which is not known here. The colors of a picture that replaces an image were matched with the island's. \
        Example: \"the colors of wall.png were matched with the palette ISLAND.COL, a guess; choose another one with --palette\".";
}
