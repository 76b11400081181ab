//! Warnings about cheat states.

crate::codes! {
    RESERVED = "CHT-W001", Warning, "nonzero unused slot",
        "Only the first 13 of the 64 numbers belong to cheats; the others are zero in files written by the game. The value is kept and written back. \
        Example: \"unused slot 63 is 7, not 0\".";
    NO_EFFECT = "CHT-N002", Note, "value without effect",
        "The cheat is stored as on, but the game requires exactly 1 for it. Example: \"magiccarpet is 42, which counts as on but has no effect (the game \
        requires 1)\".";
}
