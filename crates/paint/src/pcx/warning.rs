//! What can be amiss with a picture, or lost in a conversion.

crate::codes! {
    DAMAGED = "PCX-E001", Error, "picture cannot be shown",
        "The size cannot be, or the packed pixels do not give as many as it says. Example: \"the runs end after 100 of 120 bytes\".";
    NO_PALETTE = "PCX-W002", Warning, "no palette",
        "The file does not end in a palette of 256 colours. The picture is shown in grey. Example: \"no palette stands at the end\".";
    LEFT_OVER = "PCX-W003", Warning, "bytes left over",
        "Something stands between the packed pixels and the palette. It is kept and written back. Example: \"3 bytes stand behind the packed pixels\".";
    CROSSING = "PCX-N004", Note, "runs across rows",
        "A run of packed pixels goes on in the next row, which the format does not allow; strict readers refuse it. Example: \"2 runs go on in the next \
        row\".";
    INEXACT = "PCX-W022", Warning, "colours that the palette does not have",
        "The painted picture has colours that are not in the palette; the nearest were taken. Example: \"in views/picture.png, 12 of 64000 pixels took the \
        nearest colour of the palette, which differs by up to 23\".";
}
