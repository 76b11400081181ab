//! Warnings about Ogg files.

crate::codes! {
    NO_END = "OGG-W001", Warning, "no last page",
        "The end of the file has no page of the stream at its start, so the duration is unknown: the file is damaged, or consists of \
        several consecutive streams. Example: \"the last page of the stream was not found\".";
    CUT = "OGG-N002", Note, "stream not ended",
        "The last page is not marked as the last, so the file may be truncated. Players play the pages that are present. Example: \"the \
        last page does not end the stream\".";
}
