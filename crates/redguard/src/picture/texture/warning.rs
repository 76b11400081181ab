//! What can be amiss with a texture set of the software renderer, or lost in a conversion.

crate::codes! {
    DAMAGED = "TEXTURE-E001", Error, "record cannot be shown",
        "A record's entry leads nowhere, its size cannot be, or its pixels do not lie within the file. It is left out of conversions; the others are \
        converted. Example: \"its descriptor at -1 does not lie behind the directory and within the 2644 bytes of the file\".";
    FLAGS = "TEXTURE-W002", Warning, "unknown flags",
        "A record has flags that are not known. It is read as if it did not. Example: \"the flags 0xffff have unknown bits\".";
    PACKED = "TEXTURE-N003", Note, "rows not in a page",
        "Rows of a picture usually stand 256 bytes apart. Neither the flag 0x0800 nor the gap says so here, so they are read one behind the other. Example: \
        \"rows of 64 pixels are read one behind the other\".";
    SMALL_FRAME = "TEXTURE-N004", Note, "record without pixels",
        "A record has frames, but is no pixels wide or high. Example: \"0 x 10 pixels\".";
    NO_COLOR = "TEXTURE-W005", Warning, "solid colour not known",
        "A record has no descriptor, so it is a solid colour; which one is known for the sets 0 and 1 only. It becomes no picture. Example: \"a solid \
        colour outside the sets 0 and 1\".";
    COLOR = "TEXTURE-E006", Error, "more colours than a palette has",
        "A set of solid colours has more records than there are colours. Example: \"record 256 would be colour 256\".";
    GREY = "TEXTURE-N021", Note, "no palette",
        "No palette is known, so each index is shown as a grey. Example: \"64 images are shown in grey: --palette chooses a palette\".";
    INEXACT = "TEXTURE-W022", Warning, "colours that the palette does not have",
        "A painted picture has colours that are not in the palette; the nearest were taken. Example: \"in views/012.png, 12 of 1024 pixels took the \
        nearest colour of the palette, which differs by up to 23\".";
    MOVED = "TEXTURE-N023", Note, "record moved to the end",
        "A painted record no longer fits where it stood, or shares bytes with another. It stands at the end of the file now; the old bytes stay. Example: \
        \"record 5 stands at the end of the file now\".";
}
