//! Warnings about saved games.

// Codes are never reused.
asset::codes! {
    UNKNOWN_VERSION = "CBSAVE-W001", Warning, "unknown version",
        "The saved game is of a version of the game, or of a mod, whose layout is not known. Time, place and version are read, and the rest is kept as bytes. \
        Example: `version \"5.4\" (known: 1.3.10, 1.3.11): 31400 bytes after it are kept as bytes`.";
    ITEMS_KEPT = "CBSAVE-N002", Note, "items kept as bytes",
        "Whether an item has an animation is only in the code of the game, and the layout depends on it. With the items of the original game the list does not end \
        at the end of the file, so it is kept as bytes, which happens with mods. Everything before it is read. Example: `the 20480 bytes of the items are kept as \
        bytes: they are not those of the original game`.";
    UNKNOWN_CHARACTER = "CBSAVE-W003", Warning, "unknown kind of character",
        "A character is of a kind that the game does not have. Example: `kind 40 (known: 1 to 22 without 5)`.";
    DIFFICULTY = "CBSAVE-W004", Warning, "unknown difficulty",
        "The difficulty, or a setting of a custom one, is a number that the game does not have. It stops at the former. Example: `difficulty 7 (expected 0 to 3)`.";
    NOT_FINITE = "CBSAVE-W005", Warning, "position that is not a number",
        "A position is infinite or not a number. Example: `NaN is not a position`.";
    SAME_ID = "CBSAVE-W006", Warning, "number used twice",
        "Two characters, or two items, have the same number. The game takes the first for both. Example: `number 4 is that of characters[2], too`.";
    UNKNOWN_ID = "CBSAVE-W007", Warning, "number of nobody",
        "A room, a target or a container names a character or an item by a number that none has. The game leaves it out. Example: `no character has the number 9`.";
    PLAYER_ROOM = "CBSAVE-W008", Warning, "no room with the player",
        "The game marks the room that the player is in. Without one it stops, of several it takes the last. Example: `the player is in 0 rooms (expected 1)`.";
    SLOT = "CBSAVE-W009", Warning, "unusual slot",
        "An item is in a slot that the inventory does not have, or where another item is. Example: `slot 12 (expected 0 to 9, or 66 for none)`.";
    FLAG = "CBSAVE-W010", Warning, "unusual flag",
        "A byte that the game writes as 0 or 1 is another number. Example: `4 (expected 0 or 1)`.";
}
