//! Warnings about timbre libraries and their conversion.

crate::codes! {
    DANGLING = "TIMBRES-W001", Warning, "no timbre at the offset",
        "The offset of an entry is in the index or outside of the file, or the timbre there does not fit into the file. The entry is kept; in a table it has \
        no registers. Example: \"there is no timbre at 0x12000\".";
    DUPLICATE = "TIMBRES-W002", Warning, "two entries for a patch",
        "The index has more than one entry for the same patch and bank. All are kept. Example: \"patch 5 of bank 0 already has entry 3\".";
    LENGTH = "TIMBRES-W003", Warning, "unknown timbre length",
        "A timbre has 14 bytes (two operators) or 25 bytes (four operators). One of another length is kept as bytes; in a table it has no registers. Example: \
        \"unknown timbre length 9 (known: 14, 25)\".";
    UNUSED = "TIMBRES-N004", Note, "unused bytes",
        "There are bytes between or after the timbres that no entry refers to. They are kept and written back, but are not in a table. Example: \"14 bytes \
        that no entry refers to\".";
}
