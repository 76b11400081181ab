//! What can be amiss with a model, or lost in a conversion.

use asset::reference::Codes;

// Numbers are never used again for something else.
asset::codes! {
    CUT_SHORT = "X-W001", Warning, "file cut short",
        "The file ends before all braces are closed. What is whole is read. Example: \"the file ends within the object Frame that starts \
        here\".";
    STRAY = "X-W002", Warning, "something where nothing belongs",
        "Values stand outside of objects or behind the objects in one, or braces hold no name of another object. They are left out. Example: \"a \
        value stands outside all objects; it is left out\".";
    SKIPPED = "X-W003", Warning, "objects not known",
        "Objects are of a template that is not one of Microsoft's standard ones, or stand where such have no place. They are skipped. Example: \"3 \
        objects of the template EffectInstance are not known and are left out\".";
    PART = "X-W004", Warning, "part cannot be read",
        "A part of a mesh or an animation is damaged. The rest is read without it. Example: \"MeshNormals is left out: the values of the object end \
        before this one\".";
    LEFT_OVER = "X-N005", Note, "values left over",
        "An object has more values than its template, or bytes stand behind the last compressed block. They are left out. Example: \"Mesh has values \
        behind its last one\".";
    VERSION = "X-N006", Note, "other version",
        "The file says it is of a version that is not 0302 or 0303. It is read as one of those. Example: \"the version 0401 is not known\".";
    NOWHERE = "X-W007", Warning, "name that leads nowhere",
        "An object names another one that is not in the file, or not of the kind that belongs there. Example: \"the material \"steel\" is not in the \
        file\".";
    BRACE = "X-N008", Note, "brace too many",
        "A brace closes where none is open. It does no harm. Example: \"a brace closes that nothing opened\".";
    TEXTURE_MISSING = "X-W010", Warning, "texture missing",
        "A texture is neither beside the model nor where its path leads, under any spelling or extension. Converted models show a chequered \
        stand-in. Example: \"texture \"wood.jpg\" is not there\".";
    OTHER_CASE = "X-N011", Note, "other letter case",
        "A texture is written differently on disk than in the model. The game does not mind; other systems may. Example: \"texture \"LAMP.jpg\" is \
        written \"lamp.jpg\" on disk\".";
    OTHER_EXTENSION = "X-N012", Note, "other extension",
        "A texture was found with another extension than the model gives it, and is taken instead. The game would not find it. Example: \"texture \
        \"wood.bmp\" is not there: \"wood.png\" is taken\".";
    OUTSIDE = "X-W013", Warning, "name leads out of the game",
        "The name of a texture leads out of the game's folder, where nothing is looked for. Example: \"texture \"..\\\\..\\\\secret.png\" is not looked \
        for\".";
    BAD_IMAGE = "X-W014", Warning, "image cannot be read",
        "A texture is there but damaged, or of a kind that is not read. A chequered stand-in takes its place. Example: \"texture \"wood.jpg\" cannot \
        be read: the file ends early\".";
    IMAGE_CUT = "X-W015", Warning, "image cut short",
        "A JPEG has no end; its lower part may be grey. It is taken as it is. Example: \"texture \"wood.jpg\" is cut short\".";
    TEXTURE_ALPHA = "X-N016", Note, "alpha of a texture not shown",
        "A texture has alpha, which the game does not load with models of this format. The material stays opaque. Example: \"the alpha of \"glass.png\" \
        is not shown, as in the game\".";
    BAD_INDEX = "X-W020", Warning, "face without corner",
        "Faces name a vertex that is not there. They are left out of conversions. Example: \"3 faces name vertices beyond the 24 there are\".";
    NOT_FINITE = "X-W021", Warning, "number that is none",
        "A number is infinite or not a number. Faces with such a corner and keys with such a value are left out of conversions; such texture \
        coordinates and colours become 0, such matrices the identity. Example: \"2 vertices have a position that is not finite\".";
    ZERO_AREA = "X-N022", Note, "triangles without area",
        "Triangles have no area, so they are never seen. They are converted all the same. Example: \"14 triangles have no area\".";
    FEW_CORNERS = "X-N023", Note, "faces of less than three corners",
        "Faces have less than three corners, so there is nothing to see of them. Example: \"1 face has less than three corners\".";
    NORMALS = "X-W024", Warning, "normals do not fit",
        "The normals are not given for each corner, or name directions that are not there. Such corners get the mean of the faces around them. \
        Example: \"5 corners have no normal of their own\".";
    UV_COUNT = "X-W025", Warning, "texture coordinates do not fit",
        "There are not as many texture coordinates as vertices. The game does not take them then, and neither does the conversion. Example: \"12 \
        texture coordinates for 24 vertices\".";
    COLORS = "X-W026", Warning, "vertex colours do not fit",
        "Vertex colours are given for vertices that are not there, twice for one, or not for all; those without are white. Example: \"2 colours are for \
        vertices beyond the 24 there are\".";
    MATERIALS = "X-W027", Warning, "materials do not fit",
        "Faces have a material that is not in the list, or there are more or fewer materials than the list says. Faces without get the default material. Example: \"8 faces have \
        the material 3, of 2 there are\".";
    VERTEX_DATA = "X-W028", Warning, "vertex data not shown",
        "DeclData or FVFData holds something that is not shown, is written in a way that is not read, or does not fit the vertices. Example: \"DeclData holds \
        tangents, which are not shown\".";
    COLOR_ALPHA = "X-N029", Note, "alpha of vertex colours not shown",
        "Vertex colours have alpha, which the game does not take from models of this format. Example: \"3 vertex colours have alpha, which the game does \
        not take\".";
    NO_DIRECTION = "X-N036", Note, "normals without direction",
        "A normal is 0, 0, 0. Corners with it get the mean of the faces around them. Example: \"2 corners have a normal without direction\".";
    NORMALS_ANEW = "X-N037", Note, "normals made anew",
        "The normals look elsewhere than the faces, as those of models from 3D World Studio do. They are made anew from the faces, as the game \
        does. Example: \"the normals do not fit the faces: they are made anew, as in the game\".";
    BONE = "X-W030", Warning, "weights of an unknown frame",
        "A skin has weights for a frame that is not in the file. Vertices keep the weights of other frames, or hang on the mesh's own. Example: \"the \
        frame \"Bip01\" of a skin is not in the file\".";
    WEIGHT = "X-W031", Warning, "weights that do not fit",
        "Weights of a skin are negative, not finite, for vertices that are not there, or do not sum to 1. They are left out, or scaled to 1. Example: \"3 \
        weights are for vertices beyond the 24 there are\".";
    MANY_WEIGHTS = "X-W032", Warning, "more than four weights",
        "More than four frames pull at a vertex. The four strongest are converted. Example: \"12 vertices have more than four weights\".";
    SKIN_AGAIN = "X-W033", Warning, "skinned mesh shown once",
        "A mesh with a skin stands in several frames. It is converted where it stands first. Example: \"the mesh \"body\" has a skin and is shown \
        once\".";
    SAME_NAME = "X-W034", Warning, "frames of one name",
        "Several frames have a name that an animation or a skin uses. The last one is meant, as in the game. Example: \"2 frames are called \
        \"bone\"\".";
    OWN_POSE = "X-N035", Note, "skin shown still",
        "All vertices of a mesh hang on one frame that nothing moves. The mesh is shown without its skin, as in the game. Example: \"the skin of the mesh \
        \"body\" hangs on \"body\" alone\".";
    SHEARED = "X-W040", Warning, "sheared matrix in an animation",
        "The matrix of an animated frame or of a key is sheared, which translation, rotation and scale cannot say. The nearest that they can is taken. \
        Example: \"the matrix of the animated frame \"arm\" is sheared\".";
    TARGET = "X-W041", Warning, "animation without a frame",
        "An animation names no frame, or one that is not in the file. It is left out. Example: \"the frame \"arm\" of an animation is not in the \
        file\".";
    KEYS = "X-W042", Warning, "keys that do not fit",
        "Keys are of an unknown kind, have another number of values than their kind, or a time before the start. They are left out. Example: \"2 keys \
        stand before the start\".";
    SAME_TIME = "X-N043", Note, "keys at one time",
        "Several keys of a frame stand at one time. The last one counts. Example: \"3 keys stand where another stands\".";
    TICKS = "X-W044", Warning, "no ticks per second",
        "AnimTicksPerSecond is 0. The usual 4800 are taken. Example: \"0 ticks per second are none: 4800 are taken\".";
    CURVE = "X-N045", Note, "curve as straight lines",
        "An animation asks for places on a curve. They are converted on straight lines. Example: \"the places of \"arm\" lie on a curve\".";
    NO_KEYS = "X-N046", Note, "animation without keys",
        "An animation set moves nothing, so no clip is made of it. Example: \"the animation set \"Untitled\" moves nothing\".";
    NOT_NEEDED = "X-N050", Note, "not needed in a scene",
        "Some objects only help programs to make the model: they say which vertices were one, or how large a skin is. They are not converted. Example: \"not \
        converted: 1 VertexDuplicationIndices, 1 XSkinMeshHeader\".";
    NO_SHAPE = "X-W051", Warning, "nothing to see",
        "The model has no triangles. Example: \"the model has no triangles that can be shown\".";
    UNUSED_MESH = "X-W052", Warning, "mesh not shown",
        "A mesh stands in an object that places nothing. Example: \"the mesh \"extra\" stands nowhere\".";
    MANY_NODES = "X-W053", Warning, "too many uses of meshes",
        "Frames name meshes that stand elsewhere so often that not all are shown. Example: \"only 32768 uses of meshes are shown\".";
}

/// How textures are told of.
pub(super) static TEXTURE: Codes = Codes {
    missing: &TEXTURE_MISSING,
    outside: &OUTSIDE,
    other_case: &OTHER_CASE,
    other_extension: &OTHER_EXTENSION,
    bad: &BAD_IMAGE,
    cut: &IMAGE_CUT,
};
