//! Warnings about models: defects, and losses in conversions.

use asset::{SharedCode, reference};

use crate::model::shapes::ShapeCodes;

// Codes are never reused.
asset::codes! {
    TEXTURE_ALPHA = "OBJ-N016", Note, "texture alpha ignored",
        "A texture has alpha, which is ignored for models of this format, as in the game. Example: \"the alpha of \"glass.png\" is ignored, like in the \
        game\".";
    BAD_INDEX = "OBJ-W020", Warning, "vertex index out of range",
        "Triangles refer to vertices that do not exist. They are left out. Example: \"3 triangles refer to vertices beyond the last of 24; they are left out\".";
    NOT_FINITE = "OBJ-W021", Warning, "number not finite",
        "A number is infinite or NaN. Conversions leave out triangles with such a position, and use 0 for other such numbers. Example: \"2 triangles have a corner \
        with a non-finite position; they are left out\".";
    ZERO_AREA = "OBJ-N022", Note, "degenerate triangles",
        "Triangles have zero area, so they are never visible. They are converted anyway. Example: \"14 triangles have zero area\".";
    NO_GEOMETRY = "OBJ-W051", Warning, "no geometry",
        "The model has no triangles. Example: \"the model has no triangles to convert\".";
    UNKNOWN_SIZE = "OBJ-W054", Warning, "unknown size",
        "The game gives each character and each item a size of its own in its code, and this one is not known by the name of its file, nor by what it is made of. It is as \
        large as it would be in a room, which is mostly far too small. Scale it by hand: people are 1.1 m high without --scale. Example: \"how large the game shows this model is not known; \
        it is converted as if it stood in a room: 0.28 m wide, 0.044 m high and 0.19 m deep\".";
    IGNORED = "OBJ-N001", Note, "statements left out",
        "Statements are for curves, lines, points or programs that make models. They are left out. Example: \"left out: 4 l, 1 p\".";
    BAD_NUMBER = "OBJ-W002", Warning, "invalid number",
        "A statement has too few numbers, or something else in the place of one; 0 is used. Example: \"3 statements have an invalid number; using 0\".";
    LIBRARY = "OBJ-W003", Warning, "material library not found",
        "The file with the materials was not found next to the model, or cannot be read. The model is white. Example: \"material library \"chair.mtl\" was not found\".";
    MATERIALS = "OBJ-W004", Warning, "unknown materials",
        "The model names materials that no material library has. Their faces are white. Example: \"1 material is not in the material library: steel\".";
    FEW_CORNERS = "OBJ-N005", Note, "faces with fewer than three corners",
        "Faces have fewer than three corners, so they are never visible. Example: \"a face has fewer than three corners\".";
}

/// What it shares with other formats.
pub(super) static SHARED: &[SharedCode] = &[
    SharedCode::new(&reference::MISSING).formerly("OBJ-W010"),
    SharedCode::new(&reference::OUTSIDE).formerly("OBJ-W013"),
    SharedCode::new(&reference::OTHER_CASE).formerly("OBJ-N011"),
    SharedCode::new(&reference::OTHER_EXTENSION).formerly("OBJ-N012"),
    SharedCode::new(&reference::UNREADABLE).formerly("OBJ-W014"),
    SharedCode::new(&reference::TRUNCATED).formerly("OBJ-W015"),
];

/// Codes for shapes.
pub(super) static SHAPE: ShapeCodes = ShapeCodes {
    texture_alpha: &TEXTURE_ALPHA,
    bad_index: &BAD_INDEX,
    not_finite: &NOT_FINITE,
    zero_area: &ZERO_AREA,
    no_geometry: &NO_GEOMETRY,
};
