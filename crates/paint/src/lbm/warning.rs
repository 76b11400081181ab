//! What can be amiss with a picture, or lost in a conversion.

crate::codes! {
    DAMAGED = "LBM-E001", Error, "picture cannot be shown",
        "A chunk is missing, or the packed pixels do not give as many as the header says. Example: \"the runs end after 100 of 120 bytes\".";
    LENGTH = "LBM-W002", Warning, "length told wrong",
        "The file says to be longer than it is; it may have been cut. It is read to its end. Example: \"12 bytes are missing at the end\".";
    LEFT_OVER = "LBM-W003", Warning, "bytes left over",
        "Something stands behind the last chunk, behind the picture or behind the packed pixels. It is kept and written back. Example: \"3 bytes stand \
        behind the last chunk\".";
    CROSSING = "LBM-N004", Note, "runs across rows",
        "A run of packed pixels goes on in the next row, which the format does not allow; strict readers refuse it. Example: \"2 runs go on in the \
        next row\".";
    MASKING = "LBM-W005", Warning, "mask not shown",
        "The header says that something is seen through in a way that such a picture cannot have. The picture is shown opaque. Example: \"masking is 1\".";
    PALETTE = "LBM-W006", Warning, "palette not of 256 colours",
        "The picture has another number of colours; the others are black. Without any it is shown in grey. Example: \"the palette has 16 colours\".";
    INEXACT = "LBM-W022", Warning, "colours that the palette does not have",
        "The painted picture has colours that are not in the palette; the nearest were taken. Example: \"in views/picture.png, 12 of 64000 pixels took the \
        nearest colour of the palette, which differs by up to 23\".";
}
