//! Warnings about maps.

// Codes are never reused.
asset::codes! {
    UNKNOWN_ROOM = "CBMAP-W001", Warning, "unknown room",
        "A map has a room that is not in Data/rooms.ini. The game leaves it out, and assigns its event to the room before it. Converted maps have an \
        empty node there. Not checked without Data/rooms.ini. Example: `\"room2z9\" is not in Data/rooms.ini`.";
    OFF_GRID = "CBMAP-W002", Warning, "position outside the grid",
        "A room, a tunnel or a piece of the forest is not on the grid: 19 x 19 cells, for the forest 10 x 10. The game stops or writes over other data. \
        Example: `column 24, row 3 is outside the grid (0 to 18)`.";
    SAME_CELL = "CBMAP-W003", Warning, "two rooms on one cell",
        "Two rooms are on the same cell. The game shows both, overlapping. Example: `\"room2\" is on the same cell as rooms[3]`.";
    ROTATION = "CBMAP-W004", Warning, "unusual rotation",
        "A rotation is not 0 to 3 quarter turns. The map creator never writes that. Example: `5 quarter turns (expected 0 to 3)`.";
    UNKNOWN_EVENT = "CBMAP-W005", Warning, "unknown event",
        "An event is not in Data/events.ini. Not checked without that file. Example: `event \"alarn\" is not in Data/events.ini`.";
    EVENT_ELSEWHERE = "CBMAP-N006", Note, "event of another room",
        "According to Data/events.ini, an event does not belong to the room that has it. Some events expect objects of their room. Example: `event \
        \"room2tunnel\" does not belong to the room \"tunnel\" in Data/events.ini`.";
    CHANCE = "CBMAP-W007", Warning, "invalid probability",
        "The probability of an event is not between 0 and 1. Below 0 it never happens. Example: `probability -1 (expected 0 to 1)`.";
    UNKNOWN_PIECE = "CBMAP-W008", Warning, "unknown piece",
        "The type of a piece of the forest or of the maintenance tunnels is unknown. The game leaves it out. Example: `\"scp-860-1 bridge\" is not a \
        piece of the forest`.";
    UNUSED_PIECES = "CBMAP-W009", Warning, "unused forest or tunnels",
        "A map has a forest without the room room860, or maintenance tunnels without the room room2tunnel. The game does not use them, and converted maps \
        do not have them. Example: `12 tunnel pieces are unused: the map has no \"room2tunnel\"`.";
    ZONES = "CBMAP-W010", Warning, "zones out of order",
        "Light containment must start at least two rows after heavy containment. The map creator never writes anything else. Example: \
        `light containment starts in row 5, heavy containment in row 9`.";
    LINE_BREAK = "CBMAP-W011", Warning, "line break in a text",
        "The author or the description has a line break. The game reads only the first line, and reads the next one as another field. Example: `the game \
        reads the text after the line break as the next field`.";
    LEFT_OVER = "CBMAP-W012", Warning, "trailing bytes",
        "The map is followed by unused bytes. They are kept and written back. Example: `17 trailing bytes after the end of the map`.";
    ROOM_MISSING = "CBMAP-W020", Warning, "missing room file",
        "The file of a room was not found. Converted maps have an empty node there. Add the folder of the game with `--game`. Example: `the file of \"room2\" was \
        not found (searched: GFX\\map\\room2_opt.rmesh)`.";
    NO_TABLE = "CBMAP-W021", Warning, "missing table of rooms",
        "Data/rooms.ini, which contains the files of rooms, was not found. Converted maps only have empty nodes. Add the folder of the game with `--game`. \
        Example: `Data/rooms.ini was not found, so no rooms are converted`.";
    ROOM_BAD = "CBMAP-W022", Warning, "unreadable room file",
        "The file of a room cannot be read. Converted maps have an empty node there. Example: `\"room2\" cannot be read: the file is empty, at offset 0x0`.";
    ROOM_LOSS = "CBMAP-W023", Warning, "loss in a room",
        "The conversion of a room has warnings; convert it separately to see all of them. Example: `\"room2\": RMESH-W010: texture \"wall.jpg\" was not found (and \
        2 more)`.";
    FOREST = "CBMAP-N024", Note, "forest not shown",
        "The game generates the ground of the forest from height maps. Converted maps have an empty node for each piece. Example: `24 forest pieces are empty \
        nodes`.";
    LAYERS = "CBMAP-N026", Note, "separate lightmaps",
        "The scene has separate lightmaps, which few viewers support. Without `--lightmaps layers`, it looks right in any viewer. Example: `few viewers \
        support MOZ_lightmap; without --lightmaps layers, the result looks right everywhere`.";
    TOO_MANY = "CBMAP-W025", Warning, "too many rooms",
        "The map has more rooms than three grids have cells, or too many entities; the remaining rooms are not laid out. Example: `29000 rooms are not laid out (limit: \
        1083)`.";
}
