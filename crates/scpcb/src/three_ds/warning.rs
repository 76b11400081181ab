//! Warnings about models: defects, and losses in conversions.

use asset::reference::Codes;

use crate::model::shapes::ShapeCodes;

// Codes are never reused.
asset::codes! {
    TEXTURE_MISSING = "3DS-W010", Warning, "missing texture",
        "A texture was not found where the model names it, nor next to the model. Converted models use a checkerboard placeholder. Example: \"texture \"wood.jpg\" \
        was not found\".";
    OTHER_CASE = "3DS-N011", Note, "letter case differs",
        "The name of a texture on disk differs in letter case from the name in the model. The game ignores case; other systems may not. Example: \"texture \
        \"WOOD.jpg\" is named \"wood.jpg\" on disk\".";
    OTHER_EXTENSION = "3DS-N012", Note, "extension differs",
        "A texture was found with a different extension than the model says and is used instead. Example: \"texture \"wood.bmp\" was not found; using \
        \"wood.png\" instead\".";
    OUTSIDE = "3DS-W013", Warning, "path outside the game folder",
        "The name of a texture is a path that leads out of the game folder, and the game has no file that is called like it or stands where the end of the path \
        leads. Example: \"texture \"C:\\art\\x.png\" was not found: it is an absolute path\".";
    BAD_IMAGE = "3DS-W014", Warning, "unreadable image",
        "A texture was found, but it is damaged or of an unsupported type. A checkerboard placeholder is used instead. Example: \"texture \"wood.jpg\" cannot \
        be read: the file ends early\".";
    IMAGE_CUT = "3DS-W015", Warning, "truncated image",
        "A JPEG has no end marker, so its lower part may be gray. It is used as it is. Example: \"texture \"wood.jpg\" is truncated: its lower part may be \
        gray\".";
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

/// Codes for textures.
static TEXTURE: Codes = Codes {
    missing: &TEXTURE_MISSING,
    outside: &OUTSIDE,
    other_case: &OTHER_CASE,
    other_extension: &OTHER_EXTENSION,
    bad: &BAD_IMAGE,
    cut: &IMAGE_CUT,
};

/// Codes for shapes.
pub(super) static SHAPE: ShapeCodes = ShapeCodes {
    texture: &TEXTURE,
    texture_alpha: &TEXTURE_ALPHA,
    bad_index: &BAD_INDEX,
    not_finite: &NOT_FINITE,
    zero_area: &ZERO_AREA,
    no_geometry: &NO_GEOMETRY,
};
