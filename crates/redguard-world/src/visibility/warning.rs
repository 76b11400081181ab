//! Warnings about visibility trees.

crate::codes! {
    NO_END = "PVO-E001", Error, "no END tag",
        "The file does not end with \"END \", so it was probably truncated. The available data is read. Example: \"the END tag is missing\".";
    DAMAGED = "PVO-E002", Error, "damaged section",
        "A section does not fit its layout, or there is none of a tag that the game needs. What is there is kept and written back unchanged. Example: \
        \"OCTR does not fit its layout (391 bytes)\".";
    COUNT = "PVO-E003", Error, "wrong count",
        "A count of the header is not that of what there is. Example: \"the header says 43 nodes, there are 42\".";
    OFFSET = "PVO-E004", Error, "invalid offset",
        "A node names a child or a list where none begins. Nothing more is told apart there. Example: \"node 3 has a child at 0x1000, where no node \
        begins\".";
    CYCLE = "PVO-E005", Error, "node below itself",
        "A node is among those below it. Example: \"node 7 has a child that it is below of itself\".";
    RUN = "PVO-E006", Error, "run out of range",
        "A list names objects beyond the end of their section. Example: \"list 12 names objects 119 to 130 of 120\".";
    LEFT_OVER = "PVO-W007", Warning, "trailing bytes",
        "There are extra bytes at the end. They are kept and written back. Example: \"4 unexpected bytes after the end\".";
    DEEP = "PVO-W008", Warning, "tree too deep",
        "The tree is deeper than its header says, or cells become smaller than a world unit. Example: \"the tree has 12 levels (header: 10)\".";
    PATCH = "PVO-W009", Warning, "patch of no node",
        "A patch names a node that there is not. Example: \"patch 2 is for node 1200, which there is not\".";
    OBJECT = "PVO-W010", Warning, "object out of range",
        "A number stands for more objects than the map beside the file and its scripts have. Example: \"object 900 is far beyond the 501 statics of \
        CATACOMB.RGM\".";
    UNKNOWN = "PVO-N011", Note, "unknown section",
        "The file has a section that does not occur in known files. It is kept and written back unchanged. Example: \"unknown section HUH? (12 bytes)\".";
    MIDDLE = "PVO-W012", Warning, "list not at its beginning",
        "A node names a place in the middle of a list. Nothing is seen from it. Example: \"node 5 has a list at 0x3, where none begins\".";
    MODEL = "PVO-W013", Warning, "model not found",
        "A tree is built, and a static of the map has a model that was not found or cannot be read. It hides nothing and is seen from everywhere near. \
        Example: \"the model TREE01.3D was not found or cannot be read: it hides nothing, and its 3 statics are seen from everywhere near\".";
    PATCH_LOST = "PVO-W014", Warning, "patch lost",
        "A tree is built, and a patch of the tree before names a place or an object that the new one does not have, or that tree cannot be read. Example: \
        \"2 patches of the old tree fit nowhere in the new one and are gone\".";
    TERRAIN = "PVO-W015", Warning, "terrain not found",
        "A tree is built, and the terrain of the map's world was not found or cannot be read. It hides nothing. Example: \"the terrain maps/TOWN.WLD was not \
        found: it hides nothing\".";
    LARGER_CELLS = "PVO-W016", Warning, "larger cells",
        "A tree is built, and cells of the usual size would take too much memory, as with statics that are far apart. It has larger ones, and shows more than is \
        seen. Example: \"cells of 256 would take too much memory, so the smallest have 512 (--cell 256 makes them small)\".";
}
