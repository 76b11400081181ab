//! Warnings about LBM pictures and their conversion.

crate::codes! {
    DAMAGED = "LBM-E001", Error, "picture cannot be decoded",
        "A chunk is missing, or the compressed data decodes to another number of pixels than the header specifies. Example: \"the \
        run-length data ends after 100 of 120 bytes\".";
    LENGTH = "LBM-W002", Warning, "wrong length",
        "The length field exceeds the file, which may have been truncated. The file is read to its end. Example: \"12 bytes are missing \
        at the end\".";
    LEFT_OVER = "LBM-W003", Warning, "trailing bytes",
        "There are extra bytes after the last chunk, after the picture or after the compressed pixels. They are preserved. Example: \"3 \
        bytes follow the last chunk\".";
    CROSSING = "LBM-N004", Note, "run crosses rows",
        "A run of pixels continues in the next row, which the format does not allow; strict decoders reject it. Example: \"2 runs cross \
        into the next row\".";
    MASKING = "LBM-W005", Warning, "unsupported mask",
        "The header specifies a kind of transparency that PBM pictures do not support. The picture is converted as opaque. Example: \
        \"masking 1 is not supported; the picture is opaque\".";
    PALETTE = "LBM-W006", Warning, "palette does not have 256 colors",
        "The palette has another number of colors. Missing ones are black; without a palette the picture is converted in grayscale. \
        Example: \"the palette has 16 colors instead of 256\".";
    INEXACT = "LBM-W022", Warning, "colors not in the palette",
        "The edited picture has colors that are not in the palette; they were matched to the nearest ones. Example: \"in \
        views/picture.png, 12 of 64000 pixels were changed to the nearest color of the palette, which differs by up to 23\".";
}
