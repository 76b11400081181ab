//! Warnings about saved games.

crate::codes! {
    NO_END = "SAVE-E001", Error, "no END tag",
        "The file does not end with \"END \", so it was probably truncated. The available data is read. Example: \"the END tag is missing\".";
    VERSION = "SAVE-W002", Warning, "unknown version",
        "The chunk SVGM does not have version 1.31 or the expected size. It is kept and written back unchanged. Example: \"unknown SVGM version \
        1.30\".";
    FIRST = "SAVE-W003", Warning, "SVGM not first",
        "A saved game must start with the chunk SVGM and have it only once. Example: \"SVGM is at position 3 instead of first\".";
    LENGTH = "SAVE-W004", Warning, "unexpected chunk size",
        "A known chunk has an unexpected size. It is kept and written back unchanged. Example: \"SVIT has the unexpected size 30\".";
    LEFT_OVER = "SAVE-W005", Warning, "trailing bytes",
        "There are extra bytes after the end. They are kept and written back. Example: \"4 unexpected bytes after the end\".";
    FLAGS = "SAVE-W006", Warning, "unexpected number of flags",
        "The game has 369 global flags and rejects a file with another number. Displayed names may be wrong. Example: \"there are 368 flags (expected: 369)\".";
    ITEMS = "SAVE-W007", Warning, "unexpected number of items",
        "The file should have a record for each item of ITEM.INI except the last. Example: \"there are 85 item records, but ITEM.INI has 87 items\".";
    SELECTED = "SAVE-W008", Warning, "invalid selected item",
        "The number of the selected item is out of range. Example: \"selected is 90 (valid: -1 for none, up to 87)\".";
    UNKNOWN = "SAVE-N009", Note, "unknown chunk",
        "The file has a chunk that does not occur in known saved games. It is kept and written back unchanged. Example: \"unknown chunk ABCD (12 bytes)\".";
}
