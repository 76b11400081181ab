//! Warnings about models: defects, and losses in conversions.

use asset::{SharedCode, reference};

// Codes are never reused.
asset::codes! {
    NEVER_SEEN = "RSM-W001", Warning, "unverified version",
        "The file has version 2.0 or 2.1. No real model of these versions is known, so it is read by the rules of the neighboring \
        versions, which may be wrong. Example: \"no real model of version 2.1 is known; it is read by the rules of the neighboring \
        versions\".";
    GRSX = "RSM-N002", Note, "rare signature",
        "The file starts with \"GRSX\" instead of \"GRSM\". Other programs accept such files as models, but none is known. Example: \
        \"the file starts with GRSX\".";
    NO_BOXES = "RSM-N003", Note, "no volume boxes",
        "The file ends before the number of volume boxes, as some models of the game do. This is preserved. Example: \"the file ends \
        before its volume boxes\".";
    LEFT_OVER = "RSM-W004", Warning, "trailing bytes",
        "Bytes follow the end of the model. They are kept and written back. Example: \"1 trailing byte after the end of the model\".";
    RESERVED = "RSM-N006", Note, "reserved bytes in use",
        "The sixteen reserved bytes are not all zero, unlike in all known models. They are kept. Example: \"the reserved bytes are not \
        zero\".";
    OTHER_EXTENSION = "RSM-W018", Warning, "extension differs",
        "A texture was found only with a different extension than the model says and is used instead. The game does not find it. Example: \
        \"texture \"wall.bmp\" was not found; using \"wall.png\"\".";
    VIDEO = "RSM-W016", Warning, "video texture",
        "A texture is a Bink video, which is not supported. A checkerboard placeholder is used instead. Example: \"texture \
        \"ad\\01.bik\" is a video\".";
    NOT_TEXT = "RSM-N017", Note, "undecodable name",
        "The bytes of a name cannot be decoded in the game's character encoding (cp949). They are kept. Example: \"the name cannot be \
        decoded in cp949\".";
    BAD_INDEX = "RSM-W020", Warning, "vertex index out of range",
        "Faces refer to vertices that do not exist. Conversions leave these faces out. Example: \"3 faces refer to vertices beyond the \
        last of 24, left out\".";
    NOT_FINITE = "RSM-W021", Warning, "number not finite",
        "A number is infinite or NaN. Conversions leave out faces with such a position; such texture coordinates, keys and transforms \
        become 0 or are left out. Example: \"2 vertices have a non-finite position\".";
    ZERO_AREA = "RSM-N022", Note, "degenerate faces",
        "Faces have zero area, so they are never visible. They are converted anyway. Example: \"14 faces have zero area\".";
    BAD_UV_INDEX = "RSM-W023", Warning, "texture coordinate index out of range",
        "Faces refer to texture coordinates that do not exist. (0, 0) is used instead. Example: \"1 face refers to texture coordinates \
        beyond the last of 8; using (0, 0)\".";
    BAD_SLOT = "RSM-W024", Warning, "texture index out of range",
        "Faces refer to a texture that their mesh does not have, or the mesh refers to one that the model does not have. The first \
        texture of the mesh is used, as in other programs. Example: \"1 face refers to textures beyond the last of 2 of the mesh; using the \
        first\".";
    TWO_SIDED = "RSM-W025", Warning, "invalid two-sided flag",
        "The two-sided flag of a face is neither 0 nor 1. Positive values count as two-sided. Example: \"2 faces are neither one-sided \
        (0) nor two-sided (1); positive values count as two-sided\".";
    SHADE_TYPE = "RSM-W026", Warning, "unknown shade type",
        "The shade type is not 0 (none), 1 (flat) or 2 (smooth). The model is converted with flat shading. Example: \"unknown shade type \
        3 (known: 0, 1, 2)\".";
    SINGULAR = "RSM-W027", Warning, "singular matrix",
        "The matrix of a mesh is not invertible, so the mesh is flat. Example: \"the matrix is not invertible\".";
    MIXED_GROUPS = "RSM-N028", Note, "several smoothing groups",
        "Faces are in several smoothing groups. It is not known how the game combines them; the first group is used. Example: \"4 faces \
        are in several smoothing groups; using the first\".";
    NO_GEOMETRY = "RSM-W029", Warning, "no geometry",
        "The model has no faces to convert. Example: \"the model has no faces to convert\".";
    NO_ROOT = "RSM-W030", Warning, "missing root",
        "The model names a root mesh that does not exist; if there is none, the first mesh is used. Example: \"no mesh is named \
        \"root\"\".";
    SAME_NAME = "RSM-N031", Note, "duplicate mesh name",
        "Several meshes have the same name. Children are attached to the first of them. Example: \"mesh 0 is also named \"arm\"\".";
    NO_PARENT = "RSM-W032", Warning, "missing parent",
        "The parent of a mesh does not exist. Example: \"the parent \"gone\" does not exist\".";
    PARENT_CYCLE = "RSM-W033", Warning, "parent cycle",
        "The parents of meshes form a cycle. It is broken at the first mesh. Example: \"the mesh is its own ancestor; treated as a \
        root\".";
    NOT_DRAWN = "RSM-W034", Warning, "mesh not drawn",
        "A mesh is not a descendant of a root, so the game does not draw it. Conversions leave it out unless --orphans is given. \
        Example: \"the mesh is not a descendant of a root, so it is not drawn\".";
    UNKNOWN_MOTION = "RSM-W040", Warning, "unknown texture animation",
        "A texture animation has an unknown type, or the mesh does not have the texture. Example: \"unknown texture animation type 7\".";
    UV_SHEAR = "RSM-W041", Warning, "rotated and non-uniformly scaled texture",
        "A texture rotates while it is scaled non-uniformly, and glTF applies the two in a different order. It is scaled first, then \
        rotated. Example: \"the texture rotates while scaled non-uniformly; scaled first, then rotated\".";
    NEVER_PLAYS = "RSM-N042", Note, "animation never plays",
        "The model has keys, but the length or frame rate of its animation is zero. It is converted in its rest pose. Example: \"the \
        model has keys, but its animation has no length or no frame rate\".";
    MANY_KEYS = "RSM-W043", Warning, "animation too fast",
        "A texture rotates so often that its animation would need more keys than the limit. Example: \"the texture rotates too often\".";
    MIRROR_CHANGES = "RSM-W044", Warning, "mirrored during the animation",
        "A scale track changes its sign, so the game shows the mesh mirrored for part of the animation. glTF cannot reverse the faces then. \
        Example: \"its scale changes sign during the animation; it is shown inside out from then on\".";
    COLORS = "RSM-N050", Note, "colors left out",
        "Texture coordinates have colors, which the game ignores. They are kept in the extras of the glTF. Example: \"colors of texture \
        coordinates are left out\".";
    NO_RECENTERING = "RSM-N051", Note, "not recentered",
        "Maps place models of version 2.2 and later as they are, so --recenter has no effect. Example: \"models of version 2.3 are not \
        recentered\".";
    LOST = "RSM-W060", Warning, "not supported by the target version",
        "The target version cannot store something. It is left out. Example: \"position keys left out: not supported by version 1.5\".";
    NOT_SUPPORTED = "RSM-W070", Warning, "not supported by models",
        "A scene imported as a model contains something that models do not support. It is left out. Example: \"lights are not supported \
        by models (2)\".";
    TEXTURE_NAMED = "RSM-N071", Note, "texture to install",
        "A model refers to its textures by name and does not contain them. This one was not written: the scene has no image for it. \
        Example: \"the texture \"wall.bmp\" must be copied to data/texture: models do not contain images\".";
    SHORTENED = "RSM-W073", Warning, "name shortened",
        "Until version 2.1, names have 40 bytes, and the game needs the last one to be zero. Longer names of meshes and textures are shortened wherever they \
        are used. Example: \"\"a very long object name which is longer than forty bytes\" is shortened to \"a very long object name which is longer\": names \
        of this version have at most 39 bytes\".";
    RENAMED = "RSM-N072", Note, "node renamed",
        "The name of a node is already used by another, or has characters that the game's character encoding (cp949) lacks, so its mesh \
        gets a different name. Example: \"the node \"arm\" is named \"arm 2\" in the model\".";
    CHANGED = "RSM-N061", Note, "changed for the target version",
        "The target version stores something differently. Example: \"frames converted to milliseconds\".";
}

/// Warnings shared with other formats.
pub(super) static SHARED: &[SharedCode] = &[
    SharedCode::new(&reference::MISSING).formerly("RSM-W010"),
    SharedCode::new(&reference::OUTSIDE).formerly("RSM-W013"),
    SharedCode::new(&reference::OTHER_CASE).formerly("RSM-N011"),
    SharedCode::new(&reference::UNREADABLE).formerly("RSM-W014"),
    SharedCode::new(&reference::TRUNCATED).formerly("RSM-W015"),
];
