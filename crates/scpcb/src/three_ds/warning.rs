//! Warnings about models: defects and losses in conversions.

use asset::{SharedCode, reference};

use crate::model::warning as model;

// Codes are never reused.
asset::codes! {
    TRAILING = "3DS-N001", Note, "trailing bytes",
        "There are extra bytes after the model. Example: \"12 unexpected bytes after the model\".";
    KEYFRAMES = "3DS-W002", Warning, "animation left out",
        "The file has animation, which is not read. The model is converted in its static pose. Example: \"the animation of the model is left out\".";
    NO_TRIANGLES = "3DS-N003", Note, "objects without triangles",
        "Objects have vertices, but no triangles. They are left out. Example: \"2 objects are without triangles\".";
    UV_COUNT = "3DS-W004", Warning, "wrong number of texture coordinates",
        "The number of texture coordinates differs from the number of vertices. Vertices without coordinates use the corner of the image. Example: \"12 texture coordinates for 24 \
        vertices\".";
    MATERIALS = "3DS-W005", Warning, "invalid materials",
        "An object refers to a material that is not in the file, or assigns one to faces that are not in the object. Such faces are white. Example: \"1 material is not in the file, and 0 \
        faces with a material are not in the object\".";
}

/// Codes shared with other formats.
pub(super) static SHARED: &[SharedCode] = &[
    SharedCode::new(&reference::MISSING).formerly("3DS-W010"),
    SharedCode::new(&reference::OUTSIDE).formerly("3DS-W013"),
    SharedCode::new(&reference::OTHER_CASE).formerly("3DS-N011"),
    SharedCode::new(&reference::OTHER_EXTENSION).formerly("3DS-N012"),
    SharedCode::new(&reference::UNREADABLE).formerly("3DS-W014"),
    SharedCode::new(&reference::TRUNCATED).formerly("3DS-W015"),
    SharedCode::new(&model::TEXTURE_ALPHA).formerly("3DS-N016"),
    SharedCode::new(&model::BAD_INDEX).formerly("3DS-W020"),
    SharedCode::new(&model::NOT_FINITE).formerly("3DS-W021"),
    SharedCode::new(&model::ZERO_AREA).formerly("3DS-N022"),
    SharedCode::new(&model::NO_GEOMETRY).formerly("3DS-W051"),
    SharedCode::new(&model::UNKNOWN_SIZE).formerly("3DS-W054"),
];
