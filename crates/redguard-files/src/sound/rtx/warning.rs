//! Warnings about dialogue and its conversion.

use crate::sound::SoundCodes;

/// The warning codes for voices.
pub(crate) static SOUND: SoundCodes = SoundCodes {
    unplayable: &UNPLAYABLE,
    depth: &DEPTH,
    partial: &PARTIAL,
    rate: &RATE,
    loops: &LOOP,
    inexact: &INEXACT,
    fitted: &FITTED,
};

crate::codes! {
    UNPLAYABLE = "RTX-E001", Error, "voice cannot be played",
        "The type of a voice is unknown, or its sample rate is 0. It is dropped from conversions; its text and all other lines are converted. Example: \"unknown \
        type 9 (known: 0 to 3)\".";
    DEPTH = "RTX-W002", Warning, "type and depth disagree",
        "The type of a voice determines channels and bit depth, and a second field stores the bit depth again. If they disagree, the channels are \
        taken from the type and the bit depth from the second field. Example: \"type 0 and depth 1 disagree; assuming 16 bits, mono\".";
    PARTIAL = "RTX-W003", Warning, "incomplete frame",
        "The samples of a voice end with an incomplete frame. It is kept, but is not in the WAV. Example: \"399 \
        bytes are not a multiple of the frame size 2\".";
    RATE = "RTX-W004", Warning, "unusual rate",
        "All voices of the game have a sample rate of 11025 or 22050 Hz. Example: \"the sample rate is 96000 Hz; the game's own sounds have 11025 or 22050 Hz\".";
    LOOP = "RTX-W005", Warning, "loop out of bounds",
        "The loop of a voice is out of bounds; voices of the game are played once. It is kept. Example: \"the loop from byte 0 to frame 900 \
        is outside of the 331 frames\".";
    INEXACT = "RTX-W008", Warning, "unsupported loops",
        "An imported WAV has more than one loop, or too many repetitions. Example: \"the WAV has 2 loops; only the \
        first is used\".";
    DAMAGED = "RTX-E010", Error, "line cannot be read",
        "A line is malformed: its kind is unknown, or its text or voice is out of bounds. It is kept unchanged and dropped \
        from conversions; all other lines are converted. Example: \"text_length is 65535, but only 812 bytes are left\".";
    OTHER_TAG = "RTX-W011", Warning, "index and line have different tags",
        "The index and the line itself have different tags. The game uses the index. Example: \"the index has the tag \"ab12\", but the \
        line has \"ab13\"\".";
    OTHER_SIZE = "RTX-W012", Warning, "index and line have different sizes",
        "The size in the header of a line differs from the one in the index, which is used; both are kept. Example: \"the line has size 12, but the \
        index says 812\".";
    GAP = "RTX-W013", Warning, "unreferenced bytes",
        "There are unreferenced bytes between the lines or after the index. They are kept and written back. Example: \"820 bytes do not belong to any line; \
        they look like a line with the tag \"ab12\"\".";
    SAME_TAG = "RTX-W014", Warning, "duplicate tag",
        "Two lines have the same tag, ignoring the case of A to Z like the game's lookup. One of them cannot be found. Example: \
        \"\"AB12\" is also the tag of index[3]\".";
    SHARED = "RTX-W015", Warning, "shared line",
        "Several index entries share a line. Changing it affects all of them. Example: \"shares its line with \"ab12\"\".";
    REST = "RTX-W016", Warning, "trailing bytes in a line",
        "A line is longer than its text and voice. The extra bytes are kept and written back. Example: \"36 unexpected bytes after the voice\".";
    ORDER = "RTX-N017", Note, "unusual index order",
        "The index of the game's own file is in reverse line order. The order is kept; whether the game depends on it is unknown. Example: \"the index is \
        not in reverse line order\".";
    CONTROL = "RTX-W018", Warning, "control character in a text",
        "A text contains a control character. Example: \"control character 0x07 at position 12 of the text\".";
    FITTED = "RTX-W019", Warning, "sound converted",
        "An imported WAV has another sample rate than the sounds of the game, more bits, or more channels than a voice can have. It was converted. \
        Example: \"the WAV has 2 channels, which were mixed down to mono\".";
    NO_TEXT = "RTX-W020", Warning, "voice without text",
        "A new line has a voice, but no text, so that nothing is shown while it is spoken. Add a text file with the same name, or a row in `views/texts.json`. \
        Example: \"\"ab12\" has a voice, but no text\".";
}
