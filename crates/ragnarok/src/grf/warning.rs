//! Warnings about archives.

// Codes are never reused.
asset::codes! {
    COUNT = "GRF-W001", Warning, "entry count mismatch",
        "The header declares a different number of entries than the table contains. The table is used. Example: \"the header declares 4 \
        entries, but the table has 3\".";
    TABLE = "GRF-E002", Error, "damaged table",
        "The table cannot be read to its end. Entries before the damage are kept; those after it are unknown. Example: \"2 of 9 entries \
        cannot be read: 17 bytes are needed, but only 5 are left\".";
    SEALED = "GRF-W003", Warning, "unknown encryption key",
        "A file is encrypted with a key that is not public: Gravity's encryption of 2026, or GRF Editor's with a password. It is listed, \
        but otherwise ignored. Example: \"data\\x.txt is encrypted with Gravity's encryption of 2026\".";
    UNREADABLE = "GRF-E004", Error, "file cannot be unpacked",
        "The bytes of a file are damaged, outside the archive, or compressed with an unknown method. Other files are not affected. \
        Example: \"data\\x.bmp: the zlib stream ends early\".";
    LEADS_OUT = "GRF-W005", Warning, "path outside the folder",
        "The name of an entry points outside the folder it is unpacked into. Such files are neither looked up nor extracted. Example: \
        \"..\\..\\x.txt points outside the game folder\".";
    DUPLICATE_NAME = "GRF-W006", Warning, "duplicate name",
        "Two entries have the same name, ignoring letter case and the type of slash. Programs disagree on which one to use; here it is \
        the first. Both are listed and extracted. Example: \"data\\A.TXT has the same name as data\\a.txt (entry 5)\".";
    NO_TEXT = "GRF-W007", Warning, "undecodable name",
        "The bytes of a name cannot be decoded in cp949, the game's character encoding. They are shown as U+FFFD. Example: \"the name \
        data\\\u{fffd}.txt cannot be decoded in cp949\".";
    UNSAFE_NAME = "GRF-N008", Note, "non-portable file name",
        "A name contains something that some file systems do not allow. The file is extracted under a different name. Example: \
        \"data\\con.txt is not a valid file name on every system\".";
    OVERLAP = "GRF-W009", Warning, "overlapping files",
        "Two files share some, but not all of their bytes, which is never intended. Example: \"data\\b.txt starts within the bytes of \
        data\\a.txt\".";
    SHARED = "GRF-N010", Note, "shared bytes",
        "Two entries point to the same bytes, which saves space. Example: \"data\\b.txt has the same bytes as data\\a.txt\".";
    STORED = "GRF-N011", Note, "file assumed to be stored",
        "An entry has no flags, but has bytes and a file name. Its bytes are assumed to be stored uncompressed; no source confirms this. \
        Example: \"data\\x.txt has no flags; assumed to be stored uncompressed\".";
}
