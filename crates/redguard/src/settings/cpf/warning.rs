//! What can be amiss with the console's settings.

crate::codes! {
    VERSION = "CPF-W001", Warning, "version never seen",
        "The file starts with another version than 2.0. It is read as 2.0. Example: \"the version is \"1.0\"; 2.0 is known\".";
    HEX_LINES = "CPF-N002", Note, "too few lines",
        "A hex dump of the console has at least one line, whatever the file says. Example: \"0 lines: the game takes 1\".";
}
