//! Warnings about visibility trees.

crate::codes! {
    NO_END = "PVO-E001", Error, "no END tag",
        "The file does not end with \"END \", so it was probably truncated. The available data is read. Example: \"the END tag is missing\".";
    DAMAGED = "PVO-E002", Error, "damaged section",
        "A section does not fit its layout, or a section that the game requires is missing. Existing data is kept and written back unchanged. Example: \
        \"OCTR does not fit its layout (391 bytes)\".";
    COUNT = "PVO-E003", Error, "wrong count",
        "A count in the header does not match the file. Example: \"total_nodes is 43, but the file has 42 nodes\".";
    OFFSET = "PVO-E004", Error, "invalid offset",
        "A node refers to an offset where no child or list begins. The reference is ignored. Example: \"node 3 has a child at 0x1000, where no node \
        begins\".";
    CYCLE = "PVO-E005", Error, "circular reference",
        "A node is among its own descendants. Example: \"node 7 is its own ancestor\".";
    RUN = "PVO-E006", Error, "run out of range",
        "A list refers to objects beyond the end of their section. Example: \"list 12 refers to objects 119 to 130, but there are 120\".";
    LEFT_OVER = "PVO-W007", Warning, "trailing bytes",
        "There are extra bytes at the end. They are kept and written back. Example: \"4 unexpected bytes after the end\".";
    DEEP = "PVO-W008", Warning, "tree too deep",
        "The tree is deeper than the depth in its header, or cells are smaller than a world unit. Example: \"the tree has 12 levels (header: 10)\".";
    PATCH = "PVO-W009", Warning, "unmatched patch",
        "A patch refers to a node that does not exist. Example: \"patch 2 refers to node 1200, which does not exist\".";
    OBJECT = "PVO-W010", Warning, "object out of range",
        "An object number is greater than the number of objects of the map next to the file can be. Example: \"object 9000 is out of range: \
        CATACOMB.RGM has 501 statics\".";
    UNKNOWN = "PVO-N011", Note, "unknown section",
        "The file has a section that does not occur in known files. It is kept and written back unchanged. Example: \"unknown section HUH? (12 bytes)\".";
    MIDDLE = "PVO-W012", Warning, "list not at its beginning",
        "A node refers to an offset in the middle of a list. The reference is ignored. Example: \"node 5 has a list at 0x3, where no list begins\".";
    MODEL = "PVO-W013", Warning, "model not found",
        "While building a tree, the model of a static was not found or cannot be read. The static occludes nothing and is visible everywhere nearby. \
        Example: \"model TREE01.3D was not found or cannot be read; it occludes nothing, and its 3 statics are visible everywhere nearby\".";
    PATCH_LOST = "PVO-W014", Warning, "patch dropped",
        "While building a tree, a patch of the old tree refers to a cell or an object that the new tree does not have, or the old tree cannot be read. Example: \
        \"2 patches of the old tree dropped: no matching cell or object in the new tree\".";
    TERRAIN = "PVO-W015", Warning, "terrain not found",
        "While building a tree, the terrain of the map's world was not found or cannot be read. It occludes nothing. Example: \"terrain maps/TOWN.WLD was not \
        found; it occludes nothing\".";
    LARGER_CELLS = "PVO-W016", Warning, "larger cells",
        "While building a tree, cells of the default size would need too much memory, for example because statics are far apart. Larger cells are used, so more \
        statics are listed than necessary. Example: \"cells of 256 units would need too much memory; using 512 units (to force the smaller size, use --cell 256)\".";
}
