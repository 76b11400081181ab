//! Warnings about console settings.

crate::codes! {
    VERSION = "CPF-W001", Warning, "unknown version",
        "The version is not 2.0. The file is read as 2.0. Example: \"unknown version \"1.0\" (known: 2.0)\".";
    HEX_LINES = "CPF-N002", Note, "too few lines",
        "A hex dump of the console has at least one line. Example: \"hex_lines is 0; the game uses 1\".";
}
