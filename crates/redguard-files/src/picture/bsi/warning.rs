//! Warnings about BSI images and their conversion.

use crate::picture::texbsi::warning::ImageCodes;

pub(super) static IMAGE: ImageCodes = ImageCodes {
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
    DAMAGED = "BSI-E001", Error, "image cannot be decoded",
        "The header of the image is invalid, or its pixels are out of bounds. It is not converted. Example: \"pixels of 1 x 32 x 32 \
        need 1024 bytes, but there are only 600\".";
    IN_TABLE = "BSI-W002", Warning, "row overlaps the row table",
        "Rows of an animated image start within the row table. They are converted anyway. Example: \"3 rows start within the row \
        table\".";
    DATA_LEFT_OVER = "BSI-W003", Warning, "extra data after the pixels",
        "There are extra bytes after the pixels. They are kept and written back. Example: \"12 unexpected bytes after the pixels\".";
    ENCODING = "BSI-W004", Warning, "encoding and frames disagree",
        "An image with one frame has encoding 0, one with several has encoding 4 and the marker IFHD. The number of frames takes precedence. Example: \"encoding \
        9 for 5 frames\".";
    DELAY = "BSI-W005", Warning, "negative delay",
        "The frame delay is negative; the game uses one tick. Example: \"the frame delay is -5 ms\".";
    EMPTY = "BSI-W006", Warning, "image without pixels",
        "The width or height of the image is 0. It is not converted. Example: \"the size is 0 x 32 pixels\".";
    SECTIONS = "BSI-W007", Warning, "unusual sections",
        "The image has an unknown or duplicate section, or no marker. Everything is kept and written back; the first of two is used. Example: \
        \"unknown section \"XYZW\"\".";
    CMAP = "BSI-N008", Note, "palette of 8 bits",
        "The palette of the image has values above 63, so it is used unchanged; values of 6-bit palettes are multiplied by four. Example: \"the palette \
        has values up to 255; assuming 8 bits per channel\".";
    REST = "BSI-W013", Warning, "trailing bytes",
        "There are extra bytes after the end of the image. They are kept and written back. Example: \"4 unexpected bytes after the end of the image\".";
    GUESSED = "BSI-N020", Note, "palette guessed",
        "The map selects the palette of an image, which is not known here. The island's palette is used, as in most of the game. \
        Example: \"1 image converted with the palette ISLAND.COL; choose another one with --palette\".";
    NO_PALETTE = "BSI-N021", Note, "no palette",
        "No palette was found for the image, so it is converted to grayscale. Example: \"1 image converted to grayscale; choose a palette with --palette\".";
    INEXACT = "BSI-W022", Warning, "colors not in the palette",
        "An edited picture has colors that are not in the palette; they were matched to the nearest ones. Example: \"in views/image.png, 12 of 1024 pixels were changed to the \
        nearest color of the palette, which differs by up to 23\".";
}
