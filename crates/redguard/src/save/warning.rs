//! What can be amiss with a saved game.

crate::codes! {
    NO_END = "SAVE-E001", Error, "no END",
        "The file is not closed by \"END \": it was cut. What is there is read. Example: \"nothing closes the file\".";
    VERSION = "SAVE-W002", Warning, "version never seen",
        "The chunk SVGM says another version than 1.31, or has another length. It is kept and written back as it is. Example: \"SVGM says version \
        1.30\".";
    FIRST = "SAVE-W003", Warning, "SVGM not first",
        "A saved game starts with the chunk SVGM, and has it once. Example: \"SVGM stands in place 3\".";
    LENGTH = "SAVE-W004", Warning, "chunk of another length",
        "A chunk whose layout is known has a length that it cannot have. It is kept and written back as it is. Example: \"SVIT has 30 bytes\".";
    LEFT_OVER = "SAVE-W005", Warning, "bytes left over",
        "Something stands behind the end. It is kept and written back. Example: \"4 bytes stand behind the end\".";
    FLAGS = "SAVE-W006", Warning, "another number of flags",
        "The game has 369 global flags; it refuses a file with another number. The names shown may be wrong. Example: \"there are 368 flags\".";
    ITEMS = "SAVE-W007", Warning, "another number of items",
        "The file has a record for each item of ITEM.INI but the last. Example: \"there are 85 records, and ITEM.INI has 87 items\".";
    SELECTED = "SAVE-W008", Warning, "no such item in hand",
        "The item in hand is none of the list. Example: \"item 90 is in hand, where 87 are the last and -1 is none\".";
    UNKNOWN = "SAVE-N009", Note, "chunk never seen",
        "The file has a chunk that no known saved game has. It is kept and written back as it is. Example: \"the chunk ABCD, 12 bytes\".";
}
