//! What can be amiss with a table of shades, or lost in a conversion.

crate::codes! {
    GREY = "SHADE-N021", Note, "no palette",
        "No palette is known, so each index is shown as a grey. Example: \"the table is shown in grey: --palette chooses a palette\".";
    INEXACT = "SHADE-W022", Warning, "colours that the palette does not have",
        "The painted table has colours that are not in the palette; the nearest were taken. Example: \"in views/picture.png, 12 of 16384 pixels took \
        the nearest colour of the palette, which differs by up to 23\".";
}
