//! Warnings about the conversion of shade tables.

crate::codes! {
    NO_PALETTE = "SHADE-N021", Note, "no palette",
        "No palette was found, so the table is converted to grayscale. Example: \"converted to grayscale; choose a palette with --palette\".";
    INEXACT = "SHADE-W022", Warning, "colors not in the palette",
        "The edited table has colors that are not in the palette; they were matched to the nearest ones. Example: \"in views/picture.png, 12 of 16384 pixels were changed to \
        the nearest color of the palette, which differs by up to 23\".";
}
