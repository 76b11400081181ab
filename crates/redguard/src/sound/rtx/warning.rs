//! What can be amiss with dialogue, or lost in a conversion.

use crate::sound::SoundCodes;

/// The warnings that one voice raises.
pub(crate) static SOUND: SoundCodes = SoundCodes {
    unplayable: &UNPLAYABLE,
    depth: &DEPTH,
    partial: &PARTIAL,
    rate: &RATE,
    loops: &LOOP,
    inexact: &INEXACT,
};

crate::codes! {
    UNPLAYABLE = "RTX-E001", Error, "voice cannot be played",
        "The type of a voice is not known, or its rate is 0. It is left out of conversions; its text and all other lines are converted. Example: \"type 9 \
        is not known; 0 to 3 are\".";
    DEPTH = "RTX-W002", Warning, "type and depth disagree",
        "The type of a voice says how many channels and bits it has, and a second field says the bits again. Where they disagree, the channels are \
        taken from the type and the bits from the second field. Example: \"type 0 with depth 1: taken as 16 bits, mono\".";
    PARTIAL = "RTX-W003", Warning, "half a frame",
        "The samples of a voice are not whole frames. The bytes behind the last whole frame are kept, but have no place in a WAV. Example: \"399 \
        bytes are not whole frames of 2\".";
    RATE = "RTX-W004", Warning, "unusual rate",
        "All voices of the game have 11025 or 22050 frames a second. Example: \"96000 Hz; the game's own sounds have 11025 or 22050\".";
    LOOP = "RTX-W005", Warning, "loop outside the sound",
        "The part of a voice that is played again does not lie within it; voices of the game are played once. It is kept. Example: \"byte 0 to frame 900 \
        is not a part of 331 frames\".";
    INEXACT = "RTX-W008", Warning, "loops of a WAV that do not fit",
        "A WAV that becomes a voice has more loops than one, or is to be played more often than can be said. Example: \"the WAV has 2 loops; the \
        first is taken\".";
    DAMAGED = "RTX-E010", Error, "line cannot be read",
        "A line says of itself what cannot be: its kind is not known, or its text or its voice does not fit into it. It is kept as it is and left out \
        of conversions; all other lines are converted. Example: \"a text of 65535 bytes does not fit into the 812 left\".";
    OTHER_TAG = "RTX-W011", Warning, "table and line disagree on a tag",
        "The table of the file calls a line otherwise than the line does itself. The game looks into the table. Example: \"the table says \"ab12\", the \
        line says \"ab13\"\".";
    OTHER_SIZE = "RTX-W012", Warning, "table and line disagree on a length",
        "The length in front of a line is not the one in the table. That of the table is taken; both are kept. Example: \"the line says 12 bytes, the \
        table 812\".";
    GAP = "RTX-W013", Warning, "bytes that the table does not name",
        "Something stands between the lines, or behind the table, that nobody can find. It is kept and written back. Example: \"820 bytes are in no line; \
        they start like a line called \"ab12\"\".";
    SAME_TAG = "RTX-W014", Warning, "tag used twice",
        "Two lines are called the same when the case of A to Z does not count, as when the game looks one up. One of them cannot be found. Example: \
        \"\"AB12\" is also the tag of index[3]\".";
    SHARED = "RTX-W015", Warning, "line used twice",
        "Several entries of the table lead to one line. Changing it changes it for all. Example: \"it is the same line as that of \"ab12\"\".";
    REST = "RTX-W016", Warning, "bytes behind the end of a line",
        "A line is longer than its text and its voice. What stands behind is kept and written back. Example: \"36 bytes stand behind the voice\".";
    ORDER = "RTX-N017", Note, "unusual order of the table",
        "In the game's own file the table runs from the last line to the first. The order is kept; whether the game minds is not known. Example: \"the table does \
        not run from the last line to the first\".";
    CONTROL = "RTX-W018", Warning, "control character in a text",
        "A text has a character that code page 437 shows as nothing. Example: \"character 0x07 at 12 of the text\".";
}
