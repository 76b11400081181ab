//! Warnings about texture sets and their conversion.

crate::codes! {
    DAMAGED = "TEXTURE-E001", Error, "record cannot be decoded",
        "The position or size of a record is invalid, or its pixels are out of bounds. It is dropped from conversions; the others are \
        converted. Example: \"position -1 is out of bounds (after the directory, file size 2644)\".";
    FLAGS = "TEXTURE-W002", Warning, "unknown flags",
        "A record has unknown flags. They are ignored. Example: \"flags 0xffff has unknown bits\".";
    PACKED = "TEXTURE-N003", Note, "rows not in a page",
        "Rows of a picture are usually 256 bytes apart. Neither the flag 0x0800 nor the gap indicates that here, so they are read consecutively. Example: \
        \"assuming consecutive rows of 64 pixels\".";
    SMALL_FRAME = "TEXTURE-N004", Note, "record without pixels",
        "A record has frames, but its width or height is 0. Example: \"the size is 0 x 10 pixels\".";
    NO_COLOR = "TEXTURE-W005", Warning, "unknown solid color",
        "A record has no descriptor, so it is a solid color, which is only known for sets 0 and 1. It is not converted. Example: \"solid color \
        outside of sets 0 and 1\".";
    COLOR = "TEXTURE-E006", Error, "solid color out of range",
        "A set of solid colors has more records than the palette has colors. Example: \"record 256 would be color 256 (limit: 255)\".";
    NO_PALETTE = "TEXTURE-N021", Note, "no palette",
        "No palette was found, so images are converted to grayscale. Example: \"64 images converted to grayscale; choose a palette with --palette\".";
    INEXACT = "TEXTURE-W022", Warning, "colors not in the palette",
        "An edited picture has colors that are not in the palette; they were matched to the nearest ones. Example: \"in views/012.png, 12 of 1024 pixels were changed to the \
        nearest color of the palette, which differs by up to 23\".";
    MOVED = "TEXTURE-N023", Note, "record moved to the end",
        "An edited record no longer fits, or shares bytes with another one. It was moved to the end of the file; the old bytes stay. Example: \
        \"record 5 was moved to the end of the file\".";
    MATCHED = "TEXTURE-N024", Note, "palette of a new picture",
        "The colors of a picture that replaces a record were matched with this palette. Example: \"the colors of wall.png were matched with the palette \
        ART_PAL.COL\".";
    MATCHED_WITH_GUESS = "TEXTURE-W025", Warning, "palette of a new picture guessed",
        "The map selects the palette of a record, which is not known here. The colors of a picture that replaces a record were matched with the island's. \
        Example: \"the colors of wall.png were matched with the palette ISLAND.COL, a guess; choose another one with --palette\".";
}
