//! What can be amiss with effects, or lost in a conversion.

use crate::sound::SoundCodes;

/// The warnings that one effect raises.
pub(crate) static SOUND: SoundCodes = SoundCodes {
    unplayable: &UNPLAYABLE,
    depth: &DEPTH,
    partial: &PARTIAL,
    rate: &RATE,
    loops: &LOOP,
    inexact: &INEXACT,
};

crate::codes! {
    UNPLAYABLE = "SFX-E001", Error, "effect cannot be played",
        "The type of an effect is not known, or its rate is 0. It is left out of conversions; the others are converted. Example: \"type 4 is not \
        known; 0 to 3 are\".";
    DEPTH = "SFX-W002", Warning, "type and depth disagree",
        "The type of an effect says how many channels and bits it has, and a second field says the bits again. Where they disagree, the channels are \
        taken from the type and the bits from the second field. Example: \"type 0 with depth 1: taken as 16 bits, mono\".";
    PARTIAL = "SFX-W003", Warning, "half a frame",
        "The samples of an effect are not whole frames. The bytes behind the last whole frame are kept, but have no place in a WAV. Example: \"399 \
        bytes are not whole frames of 4\".";
    RATE = "SFX-W004", Warning, "unusual rate",
        "All effects of the game have 11025 or 22050 frames a second. The game plays no faster than 44000. Example: \"96000 Hz; the game's own sounds \
        have 11025 or 22050\".";
    LOOP = "SFX-W005", Warning, "loop outside the sound",
        "The part of an effect that is played again does not lie within it. It is kept; a WAV has no loop then, or one cut to the sound. Example: \"byte \
        0 to frame 900 is not a part of 331 frames\".";
    REST = "SFX-W006", Warning, "bytes left over",
        "Something stands behind the last effect that is counted, or behind a header that is longer than it should be. It is kept and written back. \
        Example: \"298 bytes stand behind the 0 effects that are counted\".";
    END = "SFX-W007", Warning, "no end mark",
        "The file does not end in \"END \". It is kept as it is. Example: \"the file ends in 0 bytes instead of \\\"END \\\"\".";
    INEXACT = "SFX-W008", Warning, "loops of a WAV that do not fit",
        "A WAV that takes the place of an effect has more loops than one, or is to be played more often than can be said. Example: \"the WAV has 2 loops; \
        the first is taken\".";
}
