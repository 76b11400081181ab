//! What a model is warned of.

crate::codes! {
    OVERLAP = "RGMODEL-W001", Warning, "parts share bytes",
        "Two parts of the file stand on the same bytes. Both are read and written back as they are. Example: \"frames and header share bytes\".";
    UNREAD = "RGMODEL-W002", Warning, "bytes that nothing names",
        "Bytes stand between the parts or behind them. They are kept and written back. Example: \"12 bytes belong to no part\".";
    BAD_VERTEX = "RGMODEL-E003", Error, "corner without a vertex",
        "Corners name vertices that are not there. Their faces are left out of conversions. Example: \"3 corners name vertices beyond the 24 there are\".";
    BAD_TEXTURE = "RGMODEL-W004", Warning, "texture word not known",
        "The texture word of a face names neither a colour nor an image. Its faces are shown in magenta. Example: \"2 faces have a texture word that names no image, the \
        first 0x3d0900\".";
    CORNERS = "RGMODEL-W005", Warning, "corner counts differ",
        "The header counts the corners of all faces, and the faces have another number. Example: \"the header counts 20 corners, the faces have 26\".";
    BAD_NORMAL = "RGMODEL-W006", Warning, "normal out of place",
        "Corners name a normal by an offset at which none starts. They are shown flat. Example: \"1 corner names no vertex normal\".";
    NOT_FINITE = "RGMODEL-W007", Warning, "infinite normal",
        "A vertex normal is infinite. Its corners are shown flat. Example: \"1 vertex normal is infinite\".";
    FIRST_FRAME = "RGMODEL-W008", Warning, "first frame elsewhere",
        "The first frame names other vertices or normals than the header. The header's are shown. Example: \"the first frame names 0x200 for its vertices, the \
        header 0x150\".";
    NODE_FACE = "RGMODEL-W009", Warning, "collision face out of place",
        "A node for collisions names a face by a number or an offset at which none stands. Example: \"2 faces of nodes are out of place\".";
    KIND = "RGMODEL-W010", Warning, "kind of frame not known",
        "The number for how frames are stored is none of those known. Without further frames it does no harm. Example: \"the kind 3 is not known\".";
    NO_FRAMES = "RGMODEL-W011", Warning, "no frames",
        "The table of frames is empty. The base shape is shown. Example: \"there is no frame\".";
    TEXTURE_MISSING = "RGMODEL-W012", Warning, "texture missing",
        "A bank of textures, or an image of it, is not there. Its faces are shown without. Example: \"TEXBSI.562 has no image 67\".";
    TEXTURE_BAD = "RGMODEL-W013", Warning, "texture cannot be read",
        "A bank of textures, or an image of it, is damaged. Its faces are shown without. Example: \"TEXBSI.302 cannot be read: the file ends early\".";
    GUESSED = "RGMODEL-N014", Note, "palette guessed",
        "Which palette a model is shown with is the map's affair, and no map is known here. That of the island is taken, which most of the game uses. Example: \
        \"shown with ISLAND.COL: --palette chooses another\".";
    GREY = "RGMODEL-N015", Note, "no palette",
        "No palette is known, so colours are shown as greys. Example: \"shown in grey: --palette chooses a palette\".";
    NORMALS_DIFFER = "RGMODEL-N016", Note, "normals along their face",
        "Corners of some faces run the other way round than their stored normals say, or have no area. The normals count. Example: \"3 faces cannot tell their front\".";
    INSTEAD = "RGMODEL-N017", Note, "texture of the other renderer",
        "A texture of the software renderer is not there, and that of the Glide renderer stands in. Example: \"8 images are taken from fxart\".";
    BENT = "RGMODEL-N019", Note, "images bend",
        "On most faces of a model of the software renderer the steps of the fourth and later corners do not fit to the plane through the first three, so that images \
        bend. Programs that read such models differ here. Example: \"on 8 of 9 faces with more than three corners the image does not lie flat: --uv first-three may show \
        it better\".";
    NO_SHAPE = "RGMODEL-W018", Warning, "nothing to see",
        "No face of the model can be shown. Example: \"the model has no faces\".";
}
