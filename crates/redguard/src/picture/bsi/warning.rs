//! What can be amiss with an image that stands alone, or lost in a conversion.

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
    grey: &GREY,
    inexact: &INEXACT,
};

crate::codes! {
    DAMAGED = "BSI-E001", Error, "image cannot be shown",
        "The header of the image says what cannot be, or its pixels do not lie within its data. It becomes no picture. Example: \"pixels of 1 x 32 x 32 \
        need 1024 bytes, but there are 600\".";
    IN_TABLE = "BSI-W002", Warning, "row within the table",
        "Rows of an animated image start within the table that says where rows are. They are shown as they are. Example: \"3 rows start within the \
        table of rows\".";
    DATA_LEFT_OVER = "BSI-W003", Warning, "more data than pixels",
        "Bytes stand behind the pixels. They are kept and written back. Example: \"12 bytes stand behind the pixels\".";
    ENCODING = "BSI-W004", Warning, "encoding and frames disagree",
        "An image with one frame has encoding 0, one with several has encoding 4 and the marker IFHD. The number of frames decides. Example: \"encoding \
        9 for 5 frames\".";
    DELAY = "BSI-W005", Warning, "negative delay",
        "Frames are said to be shown for less than no time; the game makes it one tick. Example: \"a delay of -5 ms\".";
    EMPTY = "BSI-W006", Warning, "image without pixels",
        "The image is no pixels wide or high. It becomes no picture. Example: \"0 x 32 pixels\".";
    SECTIONS = "BSI-W007", Warning, "unusual sections",
        "The image has a section that is not known, one twice, or no marker. Everything is kept and written back; of two the first counts. Example: \
        \"the section \"XYZW\" is not known\".";
    CMAP = "BSI-N008", Note, "palette of 8 bits",
        "The palette of the image has numbers above 63, so it is taken as it is; palettes of 6 bits are shown times four. Example: \"the palette \
        goes up to 255: it is taken as 8 bits a channel\".";
    REST = "BSI-W013", Warning, "bytes left over",
        "Something stands behind the end of the image. It is kept and written back. Example: \"4 bytes stand behind the end of the image\".";
    GUESSED = "BSI-N020", Note, "palette guessed",
        "Which palette a picture is shown with is the map's affair, and no map is known here. That of the island is taken, which most of the game uses. \
        Example: \"1 image is shown with ISLAND.COL: --palette chooses another\".";
    GREY = "BSI-N021", Note, "no palette",
        "No palette is known for the image, so each index is shown as a grey. Example: \"1 image is shown in grey: --palette chooses a palette\".";
    INEXACT = "BSI-W022", Warning, "colours that the palette does not have",
        "A painted picture has colours that are not in the palette; the nearest were taken. Example: \"in views/image.png, 12 of 1024 pixels took the \
        nearest colour of the palette, which differs by up to 23\".";
}
