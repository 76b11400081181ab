//! Warnings about settings files.

crate::codes! {
    UNKNOWN = "INI-W001", Warning, "unknown key or section",
        "The game does not know a key or a section, so it ignores it; the name may be misspelled, or a key may be in the wrong section. The shipped WORLD.INI has two \
        such keys. Example: `line 286: the game ignores \"orld_ambientfx[8]\"; did you mean \"world_ambientfx[8]\"?`.";
    REPEATED = "INI-N002", Note, "repeated key",
        "A key occurs twice in a section, or a surface is assigned twice to an image; the game uses the first one. Example: `line 41: \"world_map[4]\" is already set in line 38, which takes precedence`.";
    GAP = "INI-W003", Warning, "gap in a list",
        "The game loads a list up to the first number that is missing or has no values, and ignores those after it. Of two sections with the same number, the first counts. Example: \
        `line 90: attack12 is missing, so the game does not load the 3 attacks from here on`.";
    MISSING = "INI-W004", Warning, "missing file",
        "A referenced file was not found in the game. Example: `line 11: map \"MAPS\\start.rgm\" was not found`.";
    SURFACE = "INI-W005", Warning, "unknown surface",
        "A surface is unknown to the game, or a line cannot be read. Example: `line 12: unknown surface \"grass\"`.";
    END = "INI-W006", Warning, "end of a list",
        "A line for image 0 of bank 0 ends the list of surfaces; the game does not read the lines after it. Example: `line 38 ends the list: 4 lines \
        after it are not read`.";
    FOG = "INI-W007", Warning, "fog table",
        "A fog table is invalid: an index or a density is out of range, the indices are not in ascending order, or the table does not end with 63. Example: \
        `line 4: index 64 (valid: 0 to 63)`.";
    OUTSIDE = "INI-W008", Warning, "key outside of a section",
        "A key precedes the first section. The game does not find it. Example: `line 1: \"start_world\" is outside of any section`.";
    LINE = "INI-N009", Note, "unreadable line",
        "A line looks like a section header, but is not one. Example: `line 7: \"[world\" has no closing bracket`.";
    LABEL = "INI-W010", Warning, "missing line of dialogue",
        "A label was not found in the dialogue of the game, so no text is shown and no voice is played. Example: `line 12: dialogue line \"?i00\" was not found`.";
    VALUE = "INI-W011", Warning, "invalid value",
        "A value is not of the type that the game reads, or out of range. The game uses the number at its start, or 0. Example: `line 2: candle_mode is 7 \
        (valid: 0 to 2)`.";
    REFERENCE = "INI-W012", Warning, "unknown number",
        "A number refers to something that does not exist: an item, an attack or a sound. Example: `line 16: add_item_list[3] contains 99, but there is no item 99`.";
    REQUIRED = "INI-W013", Warning, "missing section or key",
        "The game needs a section or key that the file lacks. Example: `section [system] is missing`.";
    CAPTION = "INI-W014", Warning, "six fields in a subtitle",
        "A subtitle has six fields; the game reads seven, the first of which shows it even if text is disabled. Example: `line 11: movie0_text[1] has six fields; the \
        game reads seven: always, red, green, blue, start, stop, text`.";
    UNUSED = "INI-N015", Note, "value without effect",
        "The game ignores a value. Example: `line 27: redbook_volume is 200, which has no effect (valid: 0 to 127)`.";
    NO_FILE = "INI-W031", Warning, "missing file of a screen",
        "A file that the menu or the HUD is drawn with was not found, or a setting does not name it. The rest is drawn. Example: \
        `SNUFF.GXA was not found; the candle is not drawn`.";
    UNREADABLE = "INI-W032", Warning, "unreadable file of a screen",
        "A file that the menu or the HUD is drawn with is damaged. The rest is drawn. Example: `FONTNORM.FNT cannot be read: the file is empty; texts in it are not drawn`.";
    NO_PART = "INI-W033", Warning, "missing image of a screen",
        "A bank, bitmap or font has no image, frame or glyph with this number. The rest is drawn. Example: `COMPASS2.GXA has no frame 31 (frames: 4); the compass is not drawn`.";
    NO_SURFACE = "INI-W034", Warning, "entry without a surface",
        "An entry of a menu page is on a surface that the page does not have, so it is not drawn. Example: `page 5: \"GAMMA\" is on surface 1, \
        which the page does not have`.";
    NOT_SELECTABLE = "INI-W035", Warning, "entry that cannot be selected",
        "The requested entry of a menu page is grayed or not selectable, so it is not drawn as selected. Example: `page 0: \"CONTINUE\" cannot be \
        selected`.";
    ASSUMED = "INI-N036", Note, "assumed state of a screen",
        "The state of the game that a picture of the menu or the HUD shows, as far as neither settings nor options define it. Example: `the candle is \
        shown and has settled at its level, the compass is switched on and owned, and there are no notices, prompts, subtitles or new log entries`.";
    OTHER_PALETTE = "INI-W037", Warning, "other palette of the menu",
        "The palette of the menu was not found, so its pages have other colors. Example: `REDGUARD.COL was not found; the pages have the colors of ISLAND.COL`.";
}
