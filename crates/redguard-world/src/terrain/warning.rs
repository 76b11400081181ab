//! Warnings about terrains.

crate::codes! {
    SEED = "WLD-E001", Error, "tile without planes",
        "A tile has no planes but 25 bytes from which a program makes its ground, in an unknown way; no file of the game has that. They are kept, and \
        the ground is flat. Example: \"tile 2 has no planes\".";
    LEFT_OVER = "WLD-W002", Warning, "trailing bytes",
        "There are extra bytes after the end. They are kept and written back. Example: \"16 unexpected bytes after the end\".";
    TRAILER = "WLD-N003", Note, "no trailer",
        "The trailer that the game's files have is missing. The game does not read it. Example: \"the trailer is missing\".";
    OFFSET = "WLD-W004", Warning, "wrong offset of a tile",
        "The table of tiles says something else than where the tile is. The game does not read the table. Example: \"tile 2 begins at 0x204cc, but the \
        table says 0x204cd\".";
    SIZE = "WLD-W005", Warning, "unusual size",
        "The game's terrains have 2 x 2 tiles; its water and its maps take that for granted. Example: \"the terrain has 3 x 2 tiles (the game's: 2 x 2)\".";
    LEVEL = "WLD-N006", Note, "unusual header of a tile",
        "A field of a tile's header has a value that no file of the game has. The game does not read it. Example: \"tile 2 has the level 9 (usual: 0)\".";
    PLANE = "WLD-W007", Warning, "planes that the game does not read",
        "The second or the fourth plane of a tile is not zero. The game skips them. Example: \"512 corners have something scattered\".";
    SURFACE = "WLD-N008", Note, "ground of an unknown kind",
        "SURFACE.INI does not say what the ground of images is made of that the terrain shows. Example: \"SURFACE.INI has no surface for 3 images of \
        TEXBSI.302: 7, 9, 12\".";
    UNUSED = "WLD-W009", Warning, "terrain of no world",
        "No world of WORLD.INI has the terrain, so the game does not load it, unless a map of its name is in no world either. Example: \"no world has \
        OLD.WLD\".";
    EDGE = "WLD-W010", Warning, "plane of another size",
        "A painted plane must have the size of the terrain. Example: \"views/height.png: expected 256 x 256 pixels, found 128 x 128\".";
    INEXACT = "WLD-W011", Warning, "painted values changed",
        "A painted plane has values that a terrain cannot have; the nearest were taken. Example: \"height.png: 12 heights are between those that a \
        terrain has; the nearest were taken\".";
}
