//! Warnings about ROB files.

crate::codes! {
    UNREAD = "RGROB-E001", Error, "model cannot be read",
        "The data of a segment is not a valid model. It is kept and written back. Example: \"the model of \"TV_SEAT\" cannot be read: ...\".";
    SIZES = "RGROB-W002", Warning, "sizes differ",
        "A size in the header or in a segment does not match the data. Example: \"total_size is 90, but the segment takes 966 bytes\".";
    END = "RGROB-W003", Warning, "missing end tag",
        "The file does not end with the tag \"END \". Example: \"expected \"END \" after the last segment, found 0 other bytes\".";
    KIND = "RGROB-W004", Warning, "unknown segment kind",
        "A segment has a kind that does not occur in the game's files. Example: \"\"TV_SEAT\" has the unknown kind 77\".";
    NAME = "RGROB-W005", Warning, "invalid name",
        "The name of a segment is empty, or contains control characters or path separators. Example: \"\"../../X\" is not a valid model name\".";
    SAME_NAME = "RGROB-W006", Warning, "duplicate name",
        "Several segments have the same name; maps use the first. Example: \"3 segments are named \"TV_SEAT\"\".";
    BOX = "RGROB-W007", Warning, "inconsistent bounding box",
        "The extent of a bounding box is not the sum of its two halves. Example: \"the bounding box of \"TV_SEAT\" has extent [12, 8, 4], but its halves add up to \
        [12, 9, 4]\".";
    EXTERNAL = "RGROB-W008", Warning, "model missing",
        "A segment refers to a .3DC file that does not exist or cannot be read. Example: \"\"CYRSA001.3DC\" was not found\".";
    EXTERNAL_DATA = "RGROB-W009", Warning, "external and embedded model",
        "A segment with an external .3DC model also has an embedded one, which is used. Example: \"\"CYRSA001\" refers to an external file, but also has 966 \
        bytes of data\".";
    MODEL = "RGROB-W010", Warning, "defect in a model",
        "An embedded model has a defect. Example: \"\"TV_SEAT\": 12 bytes do not belong to any part\".";
    MODEL_NOTE = "RGROB-N011", Note, "note about a model",
        "A note about an embedded model; not a defect. Example: \"\"TV_SEAT\": the front side of 3 faces is ambiguous\".";
    MODEL_DAMAGED = "RGROB-E012", Error, "model damaged",
        "An embedded model has invalid faces. Example: \"\"TV_SEAT\": 3 corners have vertex indices out of range (24 vertices)\".";
    TEXTURES = "RGROB-W013", Warning, "texture missing or damaged",
        "A texture of the models was not found or cannot be read. Example: \"TEXBSI.562 was not found\".";
    PALETTE = "RGROB-N014", Note, "palette guessed or missing",
        "The palette of the models is selected by a map, not by this file. Example: \"using the palette ISLAND.COL; choose another one with --palette\".";
    IMPORT = "RGROB-W015", Warning, "scene feature not supported by models",
        "An imported scene has features that models cannot represent, or lacks data that they need. Example: \"\"TV_SEAT\": material \"wood\" does not name a texture or \
        palette color; using palette color 1\".";
    IMPORT_NOTE = "RGROB-N016", Note, "note about a scene",
        "A note about an imported scene. Example: \"\"TV_SEAT\": \"D02005\" is double-sided, but faces of the game are single-sided\".";
    RENAMED = "RGROB-W017", Warning, "name changed",
        "The name of a node is longer than eight characters or contains unsupported ones. Example: \"the name \"palm tree\" is not valid for a segment; using \
        \"palm_tre\"\".";
    STAYS_EXTERNAL = "RGROB-N018", Note, "model remains in a separate file",
        "A .3DC file was added to a ROB file. The game reads animated models from separate files, so the segment refers to it. Example: \"the model of \
        \"CYRSA009\" stays in CYRSA009.3DC; put that file next to the .ROB file\".";
}
