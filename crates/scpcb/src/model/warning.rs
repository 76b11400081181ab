//! Warnings shared by several model formats. Formats list them in their `SHARED`.

use asset::{Code, Severity};

/// The alpha of an image is ignored.
pub(crate) static TEXTURE_ALPHA: Code = Code {
    id: "MODEL-N001",
    severity: Severity::Note,
    title: "texture alpha ignored",
    about: "A texture has alpha, which is ignored for models of this format, as in the game. Example: \"the alpha of \"glass.png\" is ignored, \
    like in the game\".",
};

/// Triangles refer to vertices that do not exist.
pub(crate) static BAD_INDEX: Code = Code {
    id: "MODEL-W002",
    severity: Severity::Warning,
    title: "vertex index out of range",
    about: "Triangles refer to vertices that do not exist. They are left out. Example: \"3 triangles refer to vertices beyond the last of 24; \
    they are left out\".",
};

/// A number is not finite.
pub(crate) static NOT_FINITE: Code = Code {
    id: "MODEL-W003",
    severity: Severity::Warning,
    title: "number not finite",
    about: "A number is infinite or NaN. Conversions leave out triangles with such a position, and use 0 for other such numbers. Example: \"2 \
    triangles have a corner with a non-finite position; they are left out\".",
};

/// Triangles have zero area.
pub(crate) static ZERO_AREA: Code = Code {
    id: "MODEL-N004",
    severity: Severity::Note,
    title: "degenerate triangles",
    about: "Triangles have zero area, so they are never visible. They are converted anyway. Example: \"14 triangles have zero area\".",
};

/// The model has no geometry.
pub(crate) static NO_GEOMETRY: Code = Code {
    id: "MODEL-W005",
    severity: Severity::Warning,
    title: "no geometry",
    about: "The model has no triangles. Example: \"the model has no triangles to convert\".",
};

/// The size of the model in the game is unknown.
pub(crate) static UNKNOWN_SIZE: Code = Code {
    id: "MODEL-W006",
    severity: Severity::Warning,
    title: "unknown size",
    about: "The game's code scales each character and each item individually, and this one was not recognized by its file name or its contents. It is \
    converted with the unit of rooms, which is usually far too small. Scale it manually: people are 1.1 m high without --scale. Example: \"the \
    model's size in the game is unknown; converted with the unit of rooms: 0.28 m wide, 0.044 m high and 0.19 m deep\".",
};

/// Faces have fewer than three corners.
pub(crate) static FEW_CORNERS: Code = Code {
    id: "MODEL-N007",
    severity: Severity::Note,
    title: "faces with fewer than three corners",
    about: "Faces have fewer than three corners, so they are never visible. Example: \"a face has fewer than three corners\".",
};
