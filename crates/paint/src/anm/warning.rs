//! What can be amiss with a film, or lost in a conversion.

crate::codes! {
    DAMAGED = "ANM-E001", Error, "frames cannot be shown",
        "A record is damaged, missing, or of a kind that is not known. The frames in front of it are converted; those behind it cannot be, as each says only how \
        it differs from the one before. Example: \"an operation needs 3 bytes, the record has 1\".";
    TABLE = "ANM-W002", Warning, "page told of in two ways",
        "The table says something else of a page than the page itself. What the page says counts. Example: \"the table has first record 0, 3 \
        records, 90 bytes; the page has first record 0, 3 records, 96 bytes\".";
    COUNT = "ANM-W003", Warning, "wrong number",
        "A number of the header or of a page does not fit what is there. Example: \"2 pages have 30 records, the header says 26\".";
    LEFT_OVER = "ANM-W004", Warning, "bytes left over",
        "Something stands behind the end of a record or behind the last page. It is kept and written back. Example: \"2 bytes stand behind the end \
        of the record\".";
    LOOP = "ANM-N005", Note, "no way back to the first frame",
        "The record that should turn the last frame into the first does not. Players that repeat the film show it wrong from the second time on. \
        Converted films are not affected. Example: \"the last record does not give the first frame\".";
    DOUBTFUL = "ANM-W006", Warning, "skip of 16,384 pixels",
        "A record has the operation 80 00 40. It is read as nothing; other programs skip 16,384 pixels. Example: \"frame 3 has 80 00 40, which is read as \
        nothing\".";
    SPEED = "ANM-W007", Warning, "no speed",
        "The header says 0 frames a second. Ten are taken. Example: \"0 frames a second: 10 are taken\".";
    INEXACT = "ANM-W022", Warning, "colours that the palette does not have",
        "A painted frame has colours that are not in the palette; the nearest were taken. Example: \"in views/003.png, 12 of 64000 pixels took the \
        nearest colour of the palette, which differs by up to 23\".";
}
