//! Warnings about palettes and their conversion.

crate::codes! {
    SIZE = "COL-E001", Error, "wrong size",
        "The length field does not match the file, or the file does not have the size of a palette. Its colors are read anyway. Example: \"file_size \
        is 777, but the file has 776 bytes (expected: 776)\".";
    LEFT_OVER = "COL-W002", Warning, "trailing bytes",
        "There are extra bytes after the colors. They are kept and written back. Example: \"1 unexpected byte after the colors\".";
    SIX_BIT = "COL-W003", Warning, "very dark",
        "All values are below 64: these may be colors with 6 bits per channel, as in other files of the game. The game uses palettes \
        unchanged. Example: \"all values are below 64\".";
    NOT_BLACK = "COL-N004", Note, "first color not black",
        "The first color of the game's palettes is black; the Glide renderer replaces it with black. Example: \"the first color is #ff00ff, not black\".";
    SAME_COLOR = "COL-N005", Note, "duplicate colors",
        "Some colors have several indices. An image that was saved as RGB keeps the original indices of unedited pixels, \
        and uses the first index for edited ones. Example: \"12 entries repeat an earlier color\".";
}
