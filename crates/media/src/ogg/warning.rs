//! Warnings about Ogg files.

crate::codes! {
    NO_END = "OGG-W001", Warning, "no last page",
        "The end of the file has no page of the stream that the file begins with, so how long it is is not known: the file is damaged, or several streams stand \
        behind one another. Example: \"the last page of the stream was not found\".";
    CUT = "OGG-N002", Note, "stream not ended",
        "The last page does not say that it is the last, so the file may be truncated. Players play what there is. Example: \"the last page does not end the stream\".";
}
