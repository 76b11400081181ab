//! Warnings about terrains.

crate::codes! {
    SEED = "WLD-E001", Error, "tile without planes",
        "A tile has no planes but 25 bytes from which a program generates the ground, in an unknown way; no file of the game has such a tile. They are kept, and \
        the ground is flat. Example: \"tile 2 has no planes\".";
    LEFT_OVER = "WLD-W002", Warning, "trailing bytes",
        "There are extra bytes after the end. They are kept and written back. Example: \"16 unexpected bytes after the end\".";
    TRAILER = "WLD-N003", Note, "no trailer",
        "The trailer that the game's files have is missing. The game does not read it. Example: \"the trailer is missing\".";
    OFFSET = "WLD-W004", Warning, "wrong offset of a tile",
        "The tile table has an offset that differs from the position of the tile. The game does not read the table. Example: \"tile 2 begins at 0x204cc, but its \
        offset in the table is 0x204cd\".";
    SIZE = "WLD-W005", Warning, "unusual size",
        "The game's terrains have 2 x 2 tiles; its water and maps assume this size. Example: \"the terrain has 3 x 2 tiles (the game's: 2 x 2)\".";
    LEVEL = "WLD-N006", Note, "unusual header of a tile",
        "A field of a tile's header has a value that no file of the game has. The game does not read it. Example: \"tile 2 has the level 9 (usual: 0)\".";
    PLANE = "WLD-W007", Warning, "planes that the game does not read",
        "The second or the fourth plane of a tile is not zero. The game skips them. Example: \"512 corners have a nonzero scatter value\".";
    SURFACE = "WLD-N008", Note, "unknown surface",
        "SURFACE.INI does not specify the surface of images that the terrain uses. Example: \"SURFACE.INI has no surface for 3 images of \
        TEXBSI.302: 7, 9, 12\".";
    UNUSED = "WLD-W009", Warning, "unused terrain",
        "No world of WORLD.INI uses the terrain, but a world uses the map of the same name, so the game does not load the terrain. Example: \"OLD.WLD is \
        not used by any world\".";
    EDGE = "WLD-W010", Warning, "wrong size of a plane",
        "An edited plane must have the size of the terrain. Example: \"views/height.png: the image has 128 x 128 pixels, expected 256 x 256\".";
    INEXACT = "WLD-W011", Warning, "edited values changed",
        "An edited plane has values that a terrain cannot represent; the nearest values are used. Example: \"height.png: 12 heights are not in the \
        height table; using the nearest ones\".";
}
