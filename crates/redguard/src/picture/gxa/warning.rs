//! What can be amiss with a bitmap of the menus, or lost in a conversion.

crate::codes! {
    DAMAGED = "GXA-E001", Error, "frame cannot be shown",
        "The packed pixels of a frame do not give as many as its size says. It is left out of conversions; the others are converted. Example: \"the \
        runs end after 100 of 120 pixels\".";
    RAW_SIZE = "GXA-W002", Warning, "size of the packed pixels told wrong",
        "A frame packed with LZHUF says another number of pixels than its width and height. These count. Example: \"raw_size is 1, but 24 x 12 \
        pixels are 288\".";
    LEFT_OVER = "GXA-W003", Warning, "bytes left over",
        "Something stands behind the last frame, behind the packed pixels of a frame or behind the end. It is kept and written back. Example: \"322 bytes stand \
        behind the frames\".";
    NO_END = "GXA-N004", Note, "no END",
        "The file is not closed by \"END \". Two of the game's files are not. Example: \"nothing closes the file\".";
    EIGHT_BIT = "GXA-W005", Warning, "palette of 8 bits",
        "The palette has numbers above 63, where the game shows them times four. It is taken as 8 bits a channel. Example: \"the palette goes up to \
        255\".";
    SIZES = "GXA-N006", Note, "frames of several sizes",
        "Frames that become one moving picture have several sizes. Each stands at the top left, on what is seen through. Example: \"5 frames of \
        several sizes stand on 48 x 40 pixels\".";
    INEXACT = "GXA-W022", Warning, "colours that the palette does not have",
        "A painted picture has colours that are not in the palette; the nearest were taken. Example: \"in views/00.png, 12 of 1024 pixels took the \
        nearest colour of the palette, which differs by up to 23\".";
    REPACKED = "GXA-N023", Note, "packed another way",
        "A painted frame was packed with LZHUF, which is not written. It is stored as run lengths, or raw where that is shorter. Example: \"frame 2 \
        was packed with LZHUF and is stored raw now\".";
}
