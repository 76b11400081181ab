//! Warnings about models: defects, and losses in conversions.

use asset::{SharedCode, reference};

use crate::model::shapes::ShapeCodes;

// Codes are never reused.
asset::codes! {
    TEXTURE_ALPHA = "3DS-N016", Note, "texture alpha ignored",
        "A texture has alpha, which is ignored for models of this format, as in the game. Example: \"the alpha of \"glass.png\" is ignored, like in the \
        game\".";
    BAD_INDEX = "3DS-W020", Warning, "vertex index out of range",
        "Triangles refer to vertices that do not exist. They are left out. Example: \"3 triangles refer to vertices beyond the last of 24; they are left out\".";
    NOT_FINITE = "3DS-W021", Warning, "number not finite",
        "A number is infinite or NaN. Conversions leave out triangles with such a position, and use 0 for other such numbers. Example: \"2 triangles have a corner \
        with a non-finite position; they are left out\".";
    ZERO_AREA = "3DS-N022", Note, "degenerate triangles",
        "Triangles have zero area, so they are never visible. They are converted anyway. Example: \"14 triangles have zero area\".";
    NO_GEOMETRY = "3DS-W051", Warning, "no geometry",
        "The model has no triangles. Example: \"the model has no triangles to convert\".";
    UNKNOWN_SIZE = "3DS-W054", Warning, "unknown size",
        "The game gives each character and each item a size of its own in its code, and this one is not known by the name of its file, nor by what it is made of. It is as \
        large as it would be in a room, which is mostly far too small. Scale it by hand: people are 1.1 m high without --scale. Example: \"how large the game shows this model is not known; \
        it is converted as if it stood in a room: 0.28 m wide, 0.044 m high and 0.19 m deep\".";
    TRAILING = "3DS-N001", Note, "trailing bytes",
        "There are extra bytes after the model. Example: \"12 unexpected bytes after the model\".";
    KEYFRAMES = "3DS-W002", Warning, "animation left out",
        "The file has animation, which is not read. The model is converted as it stands. Example: \"the animation of the model is left out\".";
    NO_TRIANGLES = "3DS-N003", Note, "objects without triangles",
        "Objects have vertices, but no triangles. They are left out. Example: \"2 objects are without triangles\".";
    UV_COUNT = "3DS-W004", Warning, "wrong number of texture coordinates",
        "The number of texture coordinates differs from the number of vertices. Vertices without any get those of the corner of the image. Example: \"12 texture coordinates for 24 \
        vertices\".";
    MATERIALS = "3DS-W005", Warning, "invalid materials",
        "An object names a material that is not in the file, or gives one to faces that are not in the object. Such faces are white. Example: \"1 material is not in the file, and 0 \
        faces with a material are not in the object\".";
}

/// What it shares with other formats.
pub(super) static SHARED: &[SharedCode] = &[
    SharedCode::new(&reference::MISSING).formerly("3DS-W010"),
    SharedCode::new(&reference::OUTSIDE).formerly("3DS-W013"),
    SharedCode::new(&reference::OTHER_CASE).formerly("3DS-N011"),
    SharedCode::new(&reference::OTHER_EXTENSION).formerly("3DS-N012"),
    SharedCode::new(&reference::UNREADABLE).formerly("3DS-W014"),
    SharedCode::new(&reference::TRUNCATED).formerly("3DS-W015"),
];

/// Codes for shapes.
pub(super) static SHAPE: ShapeCodes = ShapeCodes {
    texture_alpha: &TEXTURE_ALPHA,
    bad_index: &BAD_INDEX,
    not_finite: &NOT_FINITE,
    zero_area: &ZERO_AREA,
    no_geometry: &NO_GEOMETRY,
};
