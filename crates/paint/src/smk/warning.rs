//! What can be amiss with a film.

crate::codes! {
    CUT = "SMK-E001", Error, "film cut short",
        "The tables, trees and frames that the header tells of take more bytes than the file has. Players show the frames that are there. Example: \"the film \
        takes 5000 bytes, the file has 4000\".";
    SIZE = "SMK-E002", Error, "film without pixels",
        "The width or the height is zero. Example: \"0 x 240 pixels cannot be\".";
    LEFT_OVER = "SMK-N003", Note, "bytes left over",
        "Something stands behind the last frame. Example: \"12 bytes stand behind the last frame\".";
}
