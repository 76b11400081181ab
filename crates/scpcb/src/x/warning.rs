//! Warnings about models: defects and losses in conversions.

use asset::{SharedCode, reference};

use crate::model::warning as model;

// Codes are never reused.
asset::codes! {
    CUT_SHORT = "X-W001", Warning, "truncated file",
        "The file ends before all braces are closed. Complete objects are read. Example: \"the file ends within the object Frame that \
        starts here\".";
    STRAY = "X-W002", Warning, "unexpected content",
        "Values are outside of objects or after the nested objects of one, or braces do not contain the name of another object. They are \
        left out. Example: \"value outside of any object is left out\".";
    SKIPPED = "X-W003", Warning, "unknown objects",
        "Objects use a template other than Microsoft's standard ones, or are in a place where they are not allowed. They are skipped. \
        Example: \"3 unknown objects of template EffectInstance are left out\".";
    PART = "X-W004", Warning, "unreadable part",
        "A part of a mesh or an animation is damaged. The rest is read without it. Example: \"MeshNormals is left out: expected more \
        values\".";
    LEFT_OVER = "X-N005", Note, "trailing values",
        "An object has more values than its template, or bytes follow the last compressed block. They are left out. Example: \"Mesh has \
        trailing values\".";
    VERSION = "X-N006", Note, "unknown version",
        "The version is neither 0302 nor 0303. The file is read as one of those. Example: \"unknown version 0401\".";
    UNRESOLVED = "X-W007", Warning, "unresolved reference",
        "An object refers to another one that is not in the file, or has the wrong type. Example: \"the material \"steel\" is not in the \
        file\".";
    BRACE = "X-N008", Note, "unmatched brace",
        "A closing brace has no matching opening brace. It is ignored. Example: \"unmatched closing brace\".";
    BAD_INDEX = "X-W020", Warning, "vertex index out of range",
        "Faces refer to vertices that do not exist. Conversions leave these faces out. Example: \"3 faces refer to vertices beyond the \
        last of 24 and are left out\".";
    NOT_FINITE = "X-W021", Warning, "number not finite",
        "A number is infinite or NaN. Conversions leave out faces with such a position and keys with such a value, replace such texture \
        coordinates and colors with 0, and such matrices with the identity. Example: \"2 faces have a corner with a non-finite position \
        and are left out\".";
    NORMALS = "X-W024", Warning, "invalid normals",
        "Normals are not given for every corner, or normal indices are out of range. Such corners get the average normal of the \
        surrounding faces. Example: \"5 corners have no normal\".";
    UV_COUNT = "X-W025", Warning, "wrong number of texture coordinates",
        "The number of texture coordinates differs from the number of vertices. The game ignores them, and so does the conversion. \
        Example: \"12 texture coordinates for 24 vertices\".";
    COLORS = "X-W026", Warning, "invalid vertex colors",
        "Vertex colors are given for vertices that do not exist, twice for one vertex, or not for all of them; vertices without a color \
        are white. Example: \"of 2 colors, 1 is for vertices beyond the last of 24 and 0 repeat a vertex; 23 vertices without a color \
        are white\".";
    MATERIALS = "X-W027", Warning, "invalid materials",
        "Faces refer to a material that is not in the list, or the list has more or fewer materials than it declares. Faces without a \
        material get the default one. Example: \"8 faces refer to materials beyond the last of 2\".";
    VERTEX_DATA = "X-W028", Warning, "vertex data left out",
        "DeclData or FVFData contains something that is not converted, has an unsupported layout, or does not match the vertices. \
        Example: \"DeclData contains tangents, which are left out\".";
    COLOR_ALPHA = "X-N029", Note, "vertex color alpha ignored",
        "Vertex colors have alpha, which the game ignores for models of this format. Example: \"3 vertex colors have alpha, which the \
        game ignores\".";
    NO_DIRECTION = "X-N036", Note, "zero-length normals",
        "A normal is 0, 0, 0. Corners with it get the average normal of the surrounding faces. Example: \"2 corners have a zero-length \
        normal\".";
    NORMALS_RECOMPUTED = "X-N037", Note, "normals recomputed",
        "The normals do not match the faces, as in models from 3D World Studio. They are recomputed from the faces, as in the game. \
        Example: \"the normals do not match the faces; recomputed, like in the game\".";
    BONE = "X-W030", Warning, "weights of an unknown frame",
        "A skin has weights for a frame that is not in the file. Vertices keep the weights of other frames, or follow the frame of the \
        mesh. Example: \"the frame \"Bip01\" of a skin is not in the file\".";
    WEIGHT = "X-W031", Warning, "invalid weights",
        "Weights of a skin are negative, not finite, for vertices that do not exist, or do not add up to 1. They are left out, or \
        normalized. Example: \"3 weights are for vertices beyond the last of 24 and are left out\".";
    MANY_WEIGHTS = "X-W032", Warning, "more than four weights",
        "A vertex has weights of more than four frames. The four largest are converted. Example: \"12 vertices have more than four \
        weights; the four largest are used\".";
    SKIN_AGAIN = "X-W033", Warning, "skinned mesh converted once",
        "A mesh with a skin is used by several frames. It is converted for the first one only. Example: \"the skinned mesh \"body\" is \
        used several times; only the first use is converted\".";
    SAME_NAME = "X-W034", Warning, "duplicate frame name",
        "Several frames have a name that an animation or a skin refers to. The last one is used, as in the game. Example: \"2 frames are \
        named \"bone\"; the last one is used\".";
    OWN_POSE = "X-N035", Note, "skin left out",
        "All vertices of a mesh are bound to one frame that is not animated. The mesh is converted without its skin. Example: \"the skin \
        of the mesh \"body\" is left out: it has a single, static bone\".";
    SHEARED = "X-W040", Warning, "sheared matrix in an animation",
        "The matrix of an animated frame or of a key is sheared, which translation, rotation and scale cannot express. The closest \
        approximation is used. Example: \"the matrix of the animated frame \"arm\" is sheared\".";
    TARGET = "X-W041", Warning, "animation without a frame",
        "An animation does not refer to a frame, or to one that is not in the file. It is left out. Example: \"the frame \"arm\" of an \
        animation is not in the file\".";
    KEYS = "X-W042", Warning, "invalid keys",
        "Keys are of an unknown type, have the wrong number of values for their type, or are before time 0. They are left out. Example: \
        \"2 keys are before time 0 and are left out\".";
    SAME_TIME = "X-N043", Note, "several keys at one time",
        "A frame has several keys at the same time. The last one is used. Example: \"3 keys are at the same time as another; the last \
        one is used\".";
    TICKS = "X-W044", Warning, "no ticks per second",
        "AnimTicksPerSecond is 0. The usual 4800 is used. Example: \"AnimTicksPerSecond is 0; using 4800\".";
    CURVE = "X-N045", Note, "spline converted to lines",
        "An animation requests spline interpolation of positions. It is converted with linear interpolation. Example: \"the animation of \
        \"arm\" uses spline interpolation; converted to linear\".";
    NO_KEYS = "X-N046", Note, "animation without keys",
        "An animation set has no keys, so no clip is created. Example: \"the animation set \"Untitled\" has no keys\".";
    NOT_NEEDED = "X-N050", Note, "objects not converted",
        "Some objects only contain information for modeling programs, such as merged vertices or the size of a skin. They are \
        not converted. Example: \"not converted: 1 VertexDuplicationIndices, 1 XSkinMeshHeader\".";
    NO_GEOMETRY = "X-W051", Warning, "no geometry",
        "The model has no triangles. Example: \"the model has no triangles to convert\".";
    UNUSED_MESH = "X-W052", Warning, "unused mesh",
        "A mesh is not part of any frame. Example: \"the mesh \"extra\" is not used by any frame and is left out\".";
    MANY_NODES = "X-W053", Warning, "too many mesh instances",
        "Frames refer to meshes so often that not all instances are converted. Example: \"only the first 32768 mesh instances are \
        converted\".";
    GIVEN_TEXTURES = "X-N055", Note, "textures replaced by the game's code",
        "The game's code replaces the textures of this model: keycards of several levels share one model. The model is converted with its own texture. \
        Example: \"the game's code replaces the textures of this model: keycard1.jpg, keycard2.jpg; using its own\".";
    UNSUPPORTED = "X-W060", Warning, "left out of a packed model",
        "The packed scene has features that models do not support. Example: \"lights are not supported by models (2)\".";
    NOT_KEPT = "X-N061", Note, "images not stored in a packed model",
        "Models refer to images by file name and do not contain them. Put the images of the scene next to the model. Example: \"images are not stored in a model; put them next to \
        it (3)\".";
    MANY_VERTICES = "X-W062", Warning, "too many vertices",
        "A mesh of a packed model has more vertices of one material than the engine can index. Divide it in the other program. Example: \"the mesh \"rock\" has 70000 \
        vertices of one material, but the engine can index only 65535\".";
}

/// Codes shared with other formats.
pub(super) static SHARED: &[SharedCode] = &[
    SharedCode::new(&reference::MISSING).formerly("X-W010"),
    SharedCode::new(&reference::OUTSIDE).formerly("X-W013"),
    SharedCode::new(&reference::OTHER_CASE).formerly("X-N011"),
    SharedCode::new(&reference::OTHER_EXTENSION).formerly("X-N012"),
    SharedCode::new(&reference::UNREADABLE).formerly("X-W014"),
    SharedCode::new(&reference::TRUNCATED).formerly("X-W015"),
    SharedCode::new(&model::TEXTURE_ALPHA).formerly("X-N016"),
    SharedCode::new(&model::ZERO_AREA).formerly("X-N022"),
    SharedCode::new(&model::UNKNOWN_SIZE).formerly("X-W054"),
    SharedCode::new(&model::FEW_CORNERS).formerly("X-N023"),
];

/// Reports an unsupported feature of a scene with its number of occurrences.
pub(super) fn unsupported(report: &mut asset::Report, what: &str, count: usize) {
    let (code, why) = match what {
        "images" => (&NOT_KEPT, "are not stored in a model; put them next to it"),
        _ => (&UNSUPPORTED, "are not supported by models"),
    };
    report.warn(code, format!("{what} {why} ({count})"));
}
