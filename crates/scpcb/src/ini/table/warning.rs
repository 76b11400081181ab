//! Warnings about tables.

// Codes are never reused.
asset::codes! {
    FILE_MISSING = "TABLE-W001", Warning, "missing file",
        "A file that a table refers to was not found. The game stops with an error or continues without it. Example: `Coffee.sound: sound \"SFX\\SCP\\294\\ahh.ogg\" was not found`.";
    UNKNOWN_ROOM = "TABLE-W002", Warning, "unknown room",
        "A table refers to a room that is not in Data/rooms.ini. Not checked without that file. Example: `alarm.room1: room \"strat\" is not in Data/rooms.ini`.";
    NOT_A_NUMBER = "TABLE-W003", Warning, "not a number",
        "A value should be a number. The game reads as much as it can: no digits are 0, and 1.5 is 1 where an integer is expected. Example: `MTF.speed: \"fast\" is read as 0`.";
    NOT_A_SWITCH = "TABLE-W004", Warning, "neither true nor false",
        "A switch is neither true nor false, 1 nor 0. The game reads it as off. Some switches are only on in lowercase. Example: `Coffee.glow: \"yes\" is read as false`.";
    NOT_A_COLOR = "TABLE-W005", Warning, "invalid color",
        "A color is not three integers from 0 to 255, separated by commas. Example: `Coffee.color: \"87,62\" is not a color (expected three numbers from 0 to 255)`.";
    UNKNOWN_WORD = "TABLE-W006", Warning, "unknown word",
        "A value is not one of the words that the game accepts. Example: `Guard.head_controlleraxis1: \"up\" is unknown (known: pitch, yaw, roll)`.";
    OUT_OF_RANGE = "TABLE-W007", Warning, "number out of range",
        "A number is outside of the range that the game expects. Example: `Coffee.alpha: 2 is out of range (0 to 1)`.";
    UNKNOWN_KEY = "TABLE-N008", Note, "unknown key",
        "The game does not read a key. It may be misspelled or belong to a mod. Example: `Coffee.dispensersound: the game does not read this key`.";
    UNKNOWN_SECTION = "TABLE-N009", Note, "unknown section",
        "The game does not read a section. It may be misspelled or belong to a mod. Example: `SCP-001: the game does not read this section`.";
    DUPLICATE_SECTION = "TABLE-W010", Warning, "duplicate section",
        "A section has the same name as an earlier one. The game only reads the first. Example: `lines[285]: the section is in line 33, too; the game only reads the first`.";
    DUPLICATE_KEY = "TABLE-N011", Note, "duplicate key",
        "A section has a key twice. The game only reads the first. Example: `Coffee.color: the key is in line 3, too; the game only reads the first`.";
    NO_KEY = "TABLE-N012", Note, "line without a key",
        "A line is neither a section, nor a key and its value, nor a comment. The game ignores it. Example: `lines[7]: a line without \"=\" is ignored: \"glow true\"`.";
    COUNTED_MISSING = "TABLE-W013", Warning, "missing chunk or object",
        "A count includes a chunk or an object that is not in the table. The game uses an empty chunk, or stops. Example: `chunk1: count is 2, but \"obj2\" is missing`.";
    NOT_COUNTED = "TABLE-N014", Note, "unused chunk or object",
        "A chunk or an object has a number beyond the count. The game does not use it. Example: `chunk2.obj1: the object is unused: count is 0`.";
    NOT_SEARCHED = "TABLE-N015", Note, "files not looked up",
        "A folder that a table refers to has no files, so names of files in it are not looked up. Add the folder of the game with `--game`. Example: `no files were found in \"SFX\": 214 names are not looked up`.";
    SAME_DRINK = "TABLE-W016", Warning, "drink with two sections",
        "Two sections of the table of SCP-294 have the same drink. The game only serves the first. Example: `Coffee|Espresso: \"espresso\" is in line 10, too; the game only serves the first`.";
}
