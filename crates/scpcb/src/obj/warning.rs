//! Warnings about models: defects and losses in conversions.

use asset::{SharedCode, reference};

use crate::model::warning as model;

// Codes are never reused.
asset::codes! {
    IGNORED = "OBJ-N001", Note, "statements left out",
        "Statements are for curves, lines, points or modeling programs. They are left out. Example: \"left out: 4 l, 1 p\".";
    BAD_NUMBER = "OBJ-W002", Warning, "invalid number",
        "A statement has too few numbers, or text instead of a number; 0 is used. Example: \"3 statements have an invalid number; using 0\".";
    LIBRARY = "OBJ-W003", Warning, "material library not found",
        "The file with the materials was not found next to the model, or cannot be read. The model is white. Example: \"material library \"chair.mtl\" was not found\".";
    MATERIALS = "OBJ-W004", Warning, "unknown materials",
        "The model refers to materials that are not in any material library. Their faces are white. Example: \"1 material is not in the material library: steel\".";
}

/// Codes shared with other formats.
pub(super) static SHARED: &[SharedCode] = &[
    SharedCode::new(&reference::MISSING).formerly("OBJ-W010"),
    SharedCode::new(&reference::OUTSIDE).formerly("OBJ-W013"),
    SharedCode::new(&reference::OTHER_CASE).formerly("OBJ-N011"),
    SharedCode::new(&reference::OTHER_EXTENSION).formerly("OBJ-N012"),
    SharedCode::new(&reference::UNREADABLE).formerly("OBJ-W014"),
    SharedCode::new(&reference::TRUNCATED).formerly("OBJ-W015"),
    SharedCode::new(&model::TEXTURE_ALPHA).formerly("OBJ-N016"),
    SharedCode::new(&model::BAD_INDEX).formerly("OBJ-W020"),
    SharedCode::new(&model::NOT_FINITE).formerly("OBJ-W021"),
    SharedCode::new(&model::ZERO_AREA).formerly("OBJ-N022"),
    SharedCode::new(&model::NO_GEOMETRY).formerly("OBJ-W051"),
    SharedCode::new(&model::UNKNOWN_SIZE).formerly("OBJ-W054"),
    SharedCode::new(&model::FEW_CORNERS).formerly("OBJ-N005"),
];
