//! Warnings about PCX pictures and their conversion.

crate::codes! {
    DAMAGED = "PCX-E001", Error, "picture cannot be decoded",
        "The size is invalid, or the encoded data decodes to another number of pixels. Example: \"the run-length data ends after 100 of \
        120 bytes\".";
    NO_PALETTE = "PCX-W002", Warning, "no palette",
        "The file does not end with a palette of 256 colors. The picture is converted in grayscale. Example: \"no palette at the end of \
        the file\".";
    LEFT_OVER = "PCX-W003", Warning, "trailing bytes",
        "There are extra bytes between the pixels and the palette. They are preserved. Example: \"3 unexpected bytes after the compressed \
        pixels\".";
    CROSSING = "PCX-N004", Note, "run crosses rows",
        "A run of pixels continues in the next row, which the format does not allow; strict decoders reject it. Example: \"2 runs cross \
        into the next row\".";
    INEXACT = "PCX-W022", Warning, "colors not in the palette",
        "The edited picture has colors that are not in the palette; they were matched to the nearest ones. Example: \"in \
        views/picture.png, 12 of 64000 pixels were changed to the nearest color of the palette, which differs by up to 23\".";
}
