//! What can be amiss with a model, or lost in a conversion.

// Numbers are never used again for something else.
asset::codes! {
    NEVER_SEEN = "RSM-W001", Warning, "version never seen",
        "The file says it is of version 2.0 or 2.1. Nobody has seen a model of those, so it is read by the rules of the versions around them, \
        which may be wrong. Example: \"models of version 2.1 were never seen: this one is read by the rules of the versions around it\".";
    GRSX = "RSM-N002", Note, "rare signature",
        "The file starts with \"GRSX\" in place of \"GRSM\". Other programs take such files for models too, but none is known. Example: \"the \
        file starts with GRSX\".";
    NO_BOXES = "RSM-N003", Note, "no volume boxes",
        "The file ends before the number of its volume boxes, as some models of the game do. That is kept. Example: \"the file ends before \
        its volume boxes\".";
    LEFT_OVER = "RSM-W004", Warning, "bytes left over",
        "Something stands behind the end of the model. It is kept and written back. Example: \"1 byte stands behind the end of the model\".";
    NO_EXTRA_WORD = "RSM-N005", Note, "word missing",
        "Models of version 1.5 have four bytes more than those of 1.4; this one has not. Example: \"the four bytes that version 1.5 has more \
        are not there\".";
    RESERVED = "RSM-N006", Note, "reserved bytes in use",
        "The sixteen reserved bytes are not all zero, as they are in all known models. They are kept. Example: \"the reserved bytes are not \
        zero\".";
    TEXTURE_MISSING = "RSM-W010", Warning, "texture missing",
        "A texture is neither in data/texture nor beside the model. A chequered stand-in takes its place. Example: \"texture \
        \"prontera\\wall_01.bmp\" is not there\".";
    OTHER_CASE = "RSM-N011", Note, "other letter case",
        "A file is written differently on disk than in the model. The game does not mind; other systems may. Example: \"texture \"A.BMP\" is \
        written \"a.bmp\" on disk\".";
    OTHER_EXTENSION = "RSM-N012", Note, "other extension",
        "A texture was found with another extension than the model gives it, and is taken instead. The game would not find it. Example: \
        \"texture \"wall.bmp\" is not there: \"wall.png\" is taken\".";
    OUTSIDE = "RSM-W013", Warning, "name leads out of the game",
        "A texture's name leads out of the game's folder. It is not looked for there. Example: \"texture \"..\\..\\secret.bmp\" is not looked \
        for: it leads out of the game\".";
    BAD_IMAGE = "RSM-W014", Warning, "image cannot be read",
        "A texture is there but damaged, or of a kind that is not read. A chequered stand-in takes its place. Example: \"texture \"wall.bmp\" \
        cannot be read: the file ends early\".";
    IMAGE_CUT = "RSM-W015", Warning, "image cut short",
        "A JPEG has no end; its lower part may be grey. It is taken as it is. Example: \"texture \"wall.jpg\" is cut short\".";
    VIDEO = "RSM-W016", Warning, "video in place of a texture",
        "A texture is a Bink video, which is not read. A chequered stand-in takes its place. Example: \"texture \"ad\\01.bik\" is a video\".";
    NOT_TEXT = "RSM-N017", Note, "name that is no text",
        "The bytes of a name are no text in the game's charset (cp949). They are kept. Example: \"the name is no text in cp949\".";
    BAD_INDEX = "RSM-W020", Warning, "face without corner",
        "Faces name a vertex that is not there. They are left out of conversions. Example: \"3 faces name vertices beyond the 24 there are\".";
    NOT_FINITE = "RSM-W021", Warning, "number that is none",
        "A number is infinite or not a number. Faces with such a corner are left out of conversions; such texture coordinates, keys and places \
        become 0 or are left out. Example: \"2 vertices have a place that is not finite\".";
    ZERO_AREA = "RSM-N022", Note, "faces without area",
        "Faces have no area, so they are never seen. They are converted all the same. Example: \"14 faces have no area\".";
    BAD_UV_INDEX = "RSM-W023", Warning, "face without texture coordinates",
        "Faces name texture coordinates that are not there. They get (0, 0). Example: \"1 face names texture coordinates beyond the 8 there \
        are\".";
    BAD_SLOT = "RSM-W024", Warning, "face without texture",
        "Faces name a texture that their mesh does not have, or the mesh names one that the model does not have. The mesh's first texture is \
        taken, as other programs do. Example: \"1 face names textures beyond the 2 of the mesh\".";
    TWO_SIDED = "RSM-W025", Warning, "odd number for two-sided",
        "Whether a face is seen from both sides is neither 0 nor 1. Above 0 it is taken to be. Example: \"2 faces are neither one-sided (0) \
        nor two-sided (1)\".";
    SHADE_TYPE = "RSM-W026", Warning, "unknown shade type",
        "How light falls on the model is none of 0 (none), 1 (flat), 2 (smooth). It is converted as flat. Example: \"shade type 3 is not \
        known\".";
    SINGULAR = "RSM-W027", Warning, "flat matrix",
        "The matrix of a mesh makes it flat. Example: \"the matrix has no inverse\".";
    MIXED_GROUPS = "RSM-N028", Note, "several smoothing groups",
        "Faces are in several smoothing groups. How the game mixes them is not known; the first group counts. Example: \"4 faces are in \
        several smoothing groups\".";
    NO_SHAPE = "RSM-W029", Warning, "nothing to see",
        "No face of the model can be shown. Example: \"the model has no faces that can be shown\".";
    NO_ROOT = "RSM-W030", Warning, "root missing",
        "A root that the model names is not there; without any, the first mesh is taken. Example: \"no mesh is called \"root\"\".";
    SAME_NAME = "RSM-N031", Note, "name used twice",
        "Meshes have the same name. Children hang on the first of them. Example: \"mesh 0 is called \"arm\" too\".";
    NO_PARENT = "RSM-W032", Warning, "parent missing",
        "A mesh hangs on one that is not there. Example: \"it hangs on \"gone\", which is not there\".";
    CIRCLE = "RSM-W033", Warning, "circle of parents",
        "Meshes hang on one another in a circle. It is cut at the first of them. Example: \"it hangs on itself by way of others\".";
    NOT_DRAWN = "RSM-W034", Warning, "mesh that is not drawn",
        "A mesh does not hang on a root, so it is not drawn. Conversions leave it out unless --orphans is given. Example: \"it does not hang \
        on a root, so it is not drawn\".";
    UNKNOWN_MOTION = "RSM-W040", Warning, "unknown kind of texture motion",
        "A texture moves in a way that is not known, or the mesh does not have the texture. Example: \"textures do not move in the way 7\".";
    UNEVEN_TURN = "RSM-W041", Warning, "texture that turns and stretches",
        "A texture turns while it is stretched unevenly, which glTF cannot say in the same order. It is stretched first and turned then. \
        Example: \"the texture turns while it is stretched unevenly\".";
    STANDS_STILL = "RSM-N042", Note, "keys that never play",
        "The model has keys, but the length of its animation or its frames per second keep it from moving. It is converted as it stands. \
        Example: \"it has keys, but its animation has no length\".";
    MANY_KEYS = "RSM-W043", Warning, "motion too fast",
        "A texture turns so often that its motion takes more keys than are written. Example: \"the texture turns too often\".";
    COLORS = "RSM-N050", Note, "colours not shown",
        "Texture coordinates have colours, of which the game shows nothing. They are kept in the extras of the glTF. Example: \"colours of \
        texture coordinates are not shown\".";
    NO_RECENTRING = "RSM-N051", Note, "not recentred",
        "Maps place models of 2.2 and later as they are, so --recenter changes nothing. Example: \"models of version 2.3 are not recentred\".";
    LOST = "RSM-W060", Warning, "lost with another version",
        "The version that is written has no room for something, and it is left out. Example: \"position keys are left out: version 1.5 has \
        none\".";
    NO_PLACE = "RSM-W070", Warning, "no place in a model",
        "A scene that becomes a model has something that models do not have. It is left out. Example: \"lights have no place in a model (2)\".";
    TEXTURE_NAMED = "RSM-N071", Note, "texture to be put in place",
        "A model names its textures and does not hold them. This one is called after an image of the scene, and has to be put into \
        data/texture by hand. Example: \"the texture \"wall.bmp\" has to be put into data/texture: a model holds no images\".";
    RENAMED = "RSM-N072", Note, "node renamed",
        "A node of the scene has the name of another, or letters that the game's charset (cp949) lacks, so its mesh is called otherwise. \
        Example: \"the node \"arm\" is called \"arm 2\" in the model\".";
    CHANGED = "RSM-N061", Note, "changed with another version",
        "The version that is written says something in another way. Example: \"frames became milliseconds\".";
}

/// How textures are told of.
pub(super) static TEXTURE: asset::reference::Codes = asset::reference::Codes {
    missing: &TEXTURE_MISSING,
    outside: &OUTSIDE,
    other_case: &OTHER_CASE,
    other_extension: &OTHER_EXTENSION,
    bad: &BAD_IMAGE,
    cut: &IMAGE_CUT,
};
