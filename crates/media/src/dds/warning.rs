//! Warnings about DDS images.

crate::codes! {
    CUT = "DDS-W001", Warning, "mipmaps truncated",
        "The picture is complete, but its smaller mipmaps or its other surfaces need more bytes than the file has. Programs that read \
        them may refuse the file. Example: \"all mipmaps need 21976 bytes, but the file has 16512\".";
    LEFT_OVER = "DDS-N002", Note, "trailing bytes",
        "There are extra bytes after the last mipmap. Example: \"12 unexpected bytes after the last mipmap\".";
    SURFACES = "DDS-N003", Note, "several surfaces",
        "The file has the faces of a cube, the slices of a volume or the elements of an array. The first one is converted. Example: \"the \
        first of 6 surfaces is converted\".";
    TOO_LARGE = "DDS-E004", Error, "picture too large",
        "The picture has more pixels than the decoder accepts. Example: \"16384 x 16384 pixels are more than the limit of 67108864\".";
}
