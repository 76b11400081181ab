//! What can be amiss with a texture bank and its images, or lost in a conversion.

use asset::Code;

/// The warnings that an image raises, wherever it stands.
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
    pub(crate) grey: &'static Code,
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
    grey: &GREY,
    inexact: &INEXACT,
};

crate::codes! {
    DAMAGED = "TEXBSI-E001", Error, "image cannot be shown",
        "The header of an image says what cannot be, or its pixels do not lie within its data. It is left out of conversions; the others are \
        converted. Example: \"pixels of 1 x 32 x 32 need 1024 bytes, but there are 600\".";
    IN_TABLE = "TEXBSI-W002", Warning, "row within the table",
        "Rows of an animated image start within the table that says where rows are. They are shown as they are. Example: \"3 rows start within the \
        table of rows\".";
    DATA_LEFT_OVER = "TEXBSI-W003", Warning, "more data than pixels",
        "Bytes stand behind the pixels of an image. They are kept and written back. Example: \"12 bytes stand behind the pixels\".";
    ENCODING = "TEXBSI-W004", Warning, "encoding and frames disagree",
        "An image with one frame has encoding 0, one with several has encoding 4 and the marker IFHD. The number of frames decides. Example: \"encoding \
        9 for 5 frames\".";
    DELAY = "TEXBSI-W005", Warning, "negative delay",
        "An image says that its frames are shown for less than no time; the game makes it one tick. Example: \"a delay of -5 ms\".";
    EMPTY = "TEXBSI-W006", Warning, "image without pixels",
        "An image is no pixels wide or high. It becomes no picture. Example: \"0 x 32 pixels\".";
    SECTIONS = "TEXBSI-W007", Warning, "unusual sections",
        "An image has a section that is not known, one twice, or no marker. Everything is kept and written back; of two the first counts. Example: \
        \"the section \"XYZW\" is not known\".";
    CMAP = "TEXBSI-N008", Note, "palette of 8 bits",
        "The palette of an image has numbers above 63, so it is taken as it is; palettes of 6 bits are shown times four. Example: \"the palette \
        goes up to 255: it is taken as 8 bits a channel\".";
    NAME = "TEXBSI-W010", Warning, "name without a number",
        "Models find an image by the three digits at the end of its name. This one cannot be found. Example: \"\"water\" is not a letter and \
        five digits\".";
    OTHER_BANK = "TEXBSI-W011", Warning, "name of another bank",
        "Letter and first digits of a name say which bank it is of: D02 is 302. Example: \"\"E01005\" belongs into TEXBSI.401, this is TEXBSI.302\".";
    SAME_NAME = "TEXBSI-W012", Warning, "images of one name",
        "Several images have one name or number; the game takes the first it meets. Example: \"3 images are called \"D02000\"\".";
    REST = "TEXBSI-W013", Warning, "bytes left over",
        "Something stands behind the end of an image or of the bank. It is kept and written back. Example: \"4 bytes stand behind the end\".";
    GUESSED = "TEXBSI-N020", Note, "palette guessed",
        "Which palette a picture is shown with is the map's affair, and no map is known here. That of the island is taken, which most of the game uses. \
        Example: \"56 images are shown with ISLAND.COL: --palette chooses another\".";
    GREY = "TEXBSI-N021", Note, "no palette",
        "No palette is known for an image, so each index is shown as a grey. Example: \"8 images are shown in grey: --palette chooses a palette\".";
    INEXACT = "TEXBSI-W022", Warning, "colours that the palette does not have",
        "A painted picture has colours that are not in the palette; the nearest were taken. Example: \"in views/D02001.png, 12 of 1024 pixels took \
        the nearest colour of the palette, which differs by up to 23\".";
}
