//! What a ROB file is warned of.

crate::codes! {
    UNREAD = "RGROB-E001", Error, "model cannot be read",
        "A segment holds bytes that are no model. They are kept and written back. Example: \"the model of \"TV_SEAT\" cannot be read: ...\".";
    SIZES = "RGROB-W002", Warning, "sizes differ",
        "A size in the header or in a segment is not what the file has. Example: \"total_size is 90, the segment takes 966\".";
    END = "RGROB-W003", Warning, "end not as usual",
        "The file does not end with the four letters END and a space behind the last segment. Example: \"0 bytes stand behind the last segment instead of END\".";
    KIND = "RGROB-W004", Warning, "kind of segment not known",
        "A segment is of a kind that no file of the game has. Example: \"the kind 77 of \"TV_SEAT\" is not known\".";
    NAME = "RGROB-W005", Warning, "name not usable",
        "The name of a segment has control characters, or leads out of the game's folder. Example: \"the name \"../../X\" is no name of a model\".";
    SAME_NAME = "RGROB-W006", Warning, "segments of one name",
        "Several segments have one name; maps find the first. Example: \"3 segments are called \"TV_SEAT\"\".";
    BOX = "RGROB-W007", Warning, "box not whole",
        "The box around a model is not as long as its two halves. Example: \"the box of \"TV_SEAT\" is 12, 8 and 4 long, its halves 12, 9 and 4\".";
    EXTERNAL = "RGROB-W008", Warning, "model missing",
        "A segment names a .3DC file that is not there or cannot be read. Example: \"CYRSA001.3DC is not there\".";
    EXTERNAL_DATA = "RGROB-W009", Warning, "model in a segment that names a file",
        "A segment of the kind that names a .3DC file has a model of its own too. Its own is shown. Example: \"\"CYRSA001\" names a file and has 966 bytes\".";
    MODEL = "RGROB-W010", Warning, "something amiss with a model",
        "A model within the file is not as it should be. Example: \"\"TV_SEAT\": 12 bytes belong to no part\".";
    MODEL_NOTE = "RGROB-N011", Note, "about a model",
        "There is more to know of a model within the file, though nothing is amiss. Example: \"\"TV_SEAT\": 3 faces cannot tell their front\".";
    MODEL_BAD = "RGROB-E012", Error, "model damaged",
        "A model within the file has faces that cannot be shown. Example: \"\"TV_SEAT\": 3 corners name vertices beyond the 24 there are\".";
    TEXTURES = "RGROB-W013", Warning, "texture missing or damaged",
        "An image that models need is not there, or cannot be read. Example: \"TEXBSI.562 is not there\".";
    PALETTE = "RGROB-N014", Note, "palette guessed or none",
        "Which palette models are shown with is the map's affair. Example: \"shown with ISLAND.COL: --palette chooses another\".";
    IMPORT = "RGROB-W015", Warning, "scene with more than models hold",
        "A scene that becomes models has things that they do not hold, or lacks what they need. Example: \"\"TV_SEAT\": the material \"wood\" names no texture and no \
        colour of the palette: its faces get the colour 1\".";
    IMPORT_NOTE = "RGROB-N016", Note, "about a scene",
        "There is more to know of a scene that became models. Example: \"\"TV_SEAT\": \"D02005\" is seen from both sides; faces of the game from one\".";
    RENAMED = "RGROB-W017", Warning, "name does not fit",
        "The name of a node has more than eight letters, or some that the game lacks. Example: \"the name \"palm tree\" does not fit a segment: it is \"palm_tre\" now\".";
}
