//! Warnings about sound effects and their conversion.

use crate::sound::SoundCodes;

/// The warning codes for effects.
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
    UNPLAYABLE = "SFX-E001", Error, "effect cannot be played",
        "The type of an effect is unknown, or its sample rate is 0. It is dropped from conversions; the others are converted. Example: \"unknown type 4 \
        (known: 0 to 3)\".";
    DEPTH = "SFX-W002", Warning, "type and depth disagree",
        "The type of an effect determines channels and bit depth, and a second field stores the bit depth again. If they disagree, the channels are \
        taken from the type and the bit depth from the second field. Example: \"type 0 and depth 1 disagree; assuming 16 bits, mono\".";
    PARTIAL = "SFX-W003", Warning, "incomplete frame",
        "The samples of an effect end with an incomplete frame. It is kept, but is not in the WAV. Example: \"399 \
        bytes are not a multiple of the frame size 4\".";
    RATE = "SFX-W004", Warning, "unusual rate",
        "All effects of the game have a sample rate of 11025 or 22050 Hz. The game plays at most 44000 Hz. Example: \"the sample rate is 96000 Hz; the game's own sounds \
        have 11025 or 22050 Hz\".";
    LOOP = "SFX-W005", Warning, "loop out of bounds",
        "The loop of an effect is out of bounds. It is kept; the WAV has no loop then, or a clipped one. Example: \"the loop from byte \
        0 to frame 900 is outside of the 331 frames\".";
    REST = "SFX-W006", Warning, "trailing bytes",
        "There are extra bytes after the last effect, or in a header that is longer than expected. They are kept and written back. \
        Example: \"298 unexpected bytes after the 0 effects\".";
    END = "SFX-W007", Warning, "no end tag",
        "The file does not end with \"END \". It is kept unchanged. Example: \"expected \\\"END \\\" at the end of the file, found 0 other bytes\".";
    INEXACT = "SFX-W008", Warning, "unsupported loops",
        "An imported WAV has more than one loop, or too many repetitions. Example: \"the WAV has 2 loops; \
        only the first is used\".";
    FITTED = "SFX-W009", Warning, "sound converted",
        "An imported WAV has another sample rate than the sounds of the game, more bits, or more channels than an effect can have. It was converted. \
        Example: \"the WAV has 44100 Hz; it was converted to 22050 Hz\".";
    SILENCED = "SFX-W010", Warning, "effect silenced",
        "An effect was removed that is not the last one. Scripts and animations refer to effects by number, so it was replaced by a moment of silence, and all \
        others keep their numbers. Effects at the end are really removed. Example: \"017.wav was silenced instead of removed: 100 later effects would be \
        renumbered\".";
}
