//! What can be amiss with the states of the cheats.

crate::codes! {
    RESERVED = "CHT-W001", Warning, "number that belongs to no cheat",
        "Of the 64 numbers only the first 13 belong to cheats; the others are zero in files that the game wrote. It is kept and written back. \
        Example: \"slot 63 is 7\".";
    NO_EFFECT = "CHT-N002", Note, "number without effect",
        "The cheat is stored as on, but the game wants exactly 1 for this one. Example: \"magiccarpet is 42, which is on but does nothing: the game \
        wants 1\".";
}
