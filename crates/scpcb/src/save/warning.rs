//! Warnings about saved games.

// Codes are never reused.
asset::codes! {
    UNKNOWN_VERSION = "CBSAVE-W001", Warning, "unknown version",
        "The layout of this version of the game or mod is unknown. Time, position and version are read, and the rest is kept as bytes. \
        Example: `unknown version \"5.4\" (known: 1.3.10, 1.3.11); the 31400 bytes after it are kept as bytes`.";
    ITEMS_KEPT = "CBSAVE-N002", Note, "items kept as bytes",
        "The layout of an item depends on whether it is animated, which is only known from the code of the game. With the items of the \
        original game the list does not end at the end of the file, so it is kept as bytes. That happens with mods. Everything before \
        the items is read. Example: `the items (20480 bytes) are kept as bytes: they are not those of the original game`.";
    UNKNOWN_CHARACTER = "CBSAVE-W003", Warning, "unknown kind of character",
        "A character is of a kind that the game does not have. Example: `kind 40 (known: 1 to 22 without 5)`.";
    DIFFICULTY = "CBSAVE-W004", Warning, "unknown difficulty",
        "The difficulty, or a setting of a custom one, is a number that the game does not have. An unknown difficulty stops the game. Example: `difficulty 7 (expected 0 to 3)`.";
    NOT_FINITE = "CBSAVE-W005", Warning, "position that is not a number",
        "A position is infinite or not a number. Example: `NaN is not a position`.";
    SAME_ID = "CBSAVE-W006", Warning, "duplicate identifier",
        "Two characters, or two items, have the same identifier. The game uses the first one for both. Example: `identifier 4 is already used by characters[2]`.";
    UNKNOWN_ID = "CBSAVE-W007", Warning, "unknown identifier",
        "A room, a target or a container refers to a character or an item that does not exist. The game ignores the reference. Example: `no character has the identifier 9`.";
    PLAYER_ROOM = "CBSAVE-W008", Warning, "no room with the player",
        "The game marks the room that the player is in. Without a mark it stops; with several it uses the last one. Example: `the player is in 0 rooms (expected 1)`.";
    SLOT = "CBSAVE-W009", Warning, "unusual slot",
        "An item is in a slot that the inventory does not have, or that another item uses. Example: `slot 12 (expected 0 to 9, or 66 for none)`.";
    FLAG = "CBSAVE-W010", Warning, "unusual flag",
        "A byte that the game writes as 0 or 1 is another number. Example: `4 (expected 0 or 1)`.";
}
