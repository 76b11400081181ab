//! What can be amiss with an archive.

// Numbers are never used again for something else.
asset::codes! {
    COUNT = "GRF-W001", Warning, "number of entries differs",
        "The header speaks of another number of entries than the table holds. The table is believed. Example: \"the header speaks of 4 entries, \
        but the table has 3\".";
    TABLE = "GRF-E002", Error, "table damaged",
        "The table cannot be read to its end. The entries before the damage are kept, those behind it are not known. Example: \"2 of 9 entries \
        cannot be read: 17 bytes are needed, but only 5 are left\".";
    SEALED = "GRF-W003", Warning, "file cannot be opened by anyone",
        "A file is in a cipher whose key is not public: Gravity's of 2026, or GRF Editor's with a password. It is listed, but left out of everything \
        else. Example: \"data\\\\x.txt is in Gravity's cipher of 2026\".";
    UNREADABLE = "GRF-E004", Error, "file cannot be unpacked",
        "The bytes of a file are damaged, lie outside the archive, or are packed in a way that is not known. The other files are not touched by that. \
        Example: \"data\\\\x.bmp: its zlib stream ends early\".";
    LEADS_OUT = "GRF-W005", Warning, "name leads out",
        "The name of an entry leads out of the folder it is unpacked into. Such files are neither found nor extracted. Example: \
        \"..\\\\..\\\\x.txt leads out of the game's folder\".";
    TWICE = "GRF-W006", Warning, "name occurs twice",
        "Two entries have one name, letter case and kind of slash aside. Programs do not agree which of them counts; here it is the first. Both are \
        listed and extracted. Example: \"data\\\\A.TXT has the same name as data\\\\a.txt (entry 5)\".";
    NO_TEXT = "GRF-W007", Warning, "name is no text",
        "The bytes of a name are no text in cp949, the game's character set. They are shown as U+FFFD. Example: \"the name data\\\\\u{fffd}.txt is no \
        text in cp949\".";
    UNSAFE_NAME = "GRF-N008", Note, "name not for every file system",
        "A name holds what some file systems do not take. It is extracted under another name. Example: \"data\\\\con.txt cannot be a file name \
        everywhere\".";
    OVERLAP = "GRF-W009", Warning, "files overlap",
        "Two files share some, but not all of their bytes, which is never meant so. Example: \"data\\\\b.txt starts within the bytes of data\\\\a.txt\".";
    SHARED = "GRF-N010", Note, "files share their bytes",
        "Two entries point at the same bytes, which saves room. Example: \"data\\\\b.txt has the bytes of data\\\\a.txt\".";
    STORED = "GRF-N011", Note, "file taken as not packed",
        "An entry has no flags at all, but bytes and a name like a file's. Its bytes are given out as they stand; no source says for certain that this \
        is meant. Example: \"data\\\\x.txt has no flags: its bytes are taken as they are\".";
}
