//! Warnings about Smacker videos.

crate::codes! {
    CUT = "SMK-E001", Error, "video truncated",
        "The tables, trees and frames need more bytes than the file has. Players show the frames that are present. Example: \"the video \
        needs 5000 bytes, but the file has 4000\".";
    SIZE = "SMK-E002", Error, "video without pixels",
        "The width or the height is zero. Example: \"0 x 240 is not a valid size\".";
    LEFT_OVER = "SMK-N003", Note, "trailing bytes",
        "There are extra bytes after the last frame. Example: \"12 unexpected bytes after the last frame\".";
}
