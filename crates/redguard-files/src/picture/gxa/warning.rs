//! Warnings about GXA bitmaps and their conversion.

crate::codes! {
    DAMAGED = "GXA-E001", Error, "frame cannot be decoded",
        "The compressed pixels of a frame do not match its size. It is dropped from conversions; the others are converted. Example: \"the run \
        lengths end after 100 of 120 pixels\".";
    RAW_SIZE = "GXA-W002", Warning, "wrong decompressed size",
        "The decompressed size of an LZHUF frame does not match its width and height, which take precedence. Example: \"raw_size is 1, but 24 x 12 \
        pixels need 288 bytes\".";
    LEFT_OVER = "GXA-W003", Warning, "trailing bytes",
        "There are extra bytes after the last frame, after the pixels of a frame or after the end. They are kept and written back. Example: \"322 unexpected bytes \
        after the frames\".";
    NO_END = "GXA-N004", Note, "no END tag",
        "The file does not end with \"END \". This is the case in two of the game's files. Example: \"the END tag is missing\".";
    EIGHT_BIT = "GXA-W005", Warning, "palette of 8 bits",
        "The palette has values above 63, although the game multiplies them by four. They are used as 8 bits per channel. Example: \"the palette has values up to \
        255; assuming 8 bits per channel\".";
    SIZES = "GXA-N006", Note, "frames of different sizes",
        "The frames of an animation have different sizes. Each is placed at the top left of a transparent canvas. Example: \"5 frames of \
        different sizes were placed on a canvas of 48 x 40 pixels\".";
    INEXACT = "GXA-W022", Warning, "colors not in the palette",
        "An edited picture has colors that are not in the palette; they were matched to the nearest ones. Example: \"in views/00.png, 12 of 1024 pixels were changed to the \
        nearest color of the palette, which differs by up to 23\".";
    REPACKED = "GXA-N023", Note, "compression changed",
        "An edited frame was compressed with LZHUF, which is not supported for writing. It is stored as run lengths, or raw if that is shorter. Example: \"frame 2 \
        was compressed with LZHUF; it is now stored raw\".";
}
