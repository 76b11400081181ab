//! Warnings about animations and their conversion.

crate::codes! {
    DAMAGED = "ANM-E001", Error, "frames cannot be decoded",
        "A record is damaged, missing or of an unknown type. The frames before it are converted; the ones after it cannot be decoded, \
        because each is stored as the difference from the previous one. Example: \"an operation needs 3 bytes, but only 1 are left\".";
    TABLE = "ANM-W002", Warning, "page descriptors disagree",
        "The page table and the page itself describe the page differently. The page is used. Example: \"the table has first record 0, 3 \
        records, 90 bytes; the page has first record 0, 3 records, 96 bytes\".";
    COUNT = "ANM-W003", Warning, "wrong count",
        "A count in the header or in a page does not match the data. Example: \"records is 26, but the 2 pages have 30\".";
    LEFT_OVER = "ANM-W004", Warning, "trailing bytes",
        "There are extra bytes after the end of a record or after the last page. They are preserved. Example: \"2 unexpected bytes after \
        the end of the record\".";
    LOOP = "ANM-N005", Note, "loop does not close",
        "The record that should restore the first frame does not. Players that loop the animation show it incorrectly from the second \
        time on. Converted animations are not affected. Example: \"the last record does not restore the first frame\".";
    AMBIGUOUS_SKIP = "ANM-W006", Warning, "skip of 16,384 pixels",
        "A record has the operation 80 00 40. It is ignored; other programs skip 16,384 pixels. Example: \"frame 3 contains the operation \
        80 00 40, which is ignored\".";
    SPEED = "ANM-W007", Warning, "no frame rate",
        "The frame rate in the header is 0; 10 frames per second are used instead. Example: \"frames_per_second is 0; using 10\".";
    INEXACT = "ANM-W022", Warning, "colors not in the palette",
        "An edited frame has colors that are not in the palette; they were matched to the nearest ones. Example: \"in views/003.png, 12 \
        of 64000 pixels were changed to the nearest color of the palette, which differs by up to 23\".";
}
