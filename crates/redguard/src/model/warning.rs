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
    NO_SHAPE = "RGMODEL-W018", Warning, "nothing to see",
        "No face of the model can be shown. Example: \"the model has no faces\".";
    IMPORT_LOST = "RGMODEL-W019", Warning, "no place in a model",
        "A scene that becomes a model has things that models do not have. Example: \"lights have no place in a model (2)\".";
    NO_PAINT = "RGMODEL-W020", Warning, "material names no texture",
        "A material of a scene says neither by its name nor by its extras nor by its image which texture it is. Which colour of the palette is nearest to its own \
        only the palette would tell. Example: \"the material \"wood\" names no texture and no colour of the palette: its faces get the colour 1\".";
    NO_SIZE = "RGMODEL-W021", Warning, "size of a texture not known",
        "Models count texture coordinates in texels, and neither extras nor an image say how many there are. Example: \"how large the image of \"D02005\" is nobody \
        says: 64 texels across and down are taken\".";
    TOO_FAR = "RGMODEL-W022", Warning, "too far away",
        "Places of a scene are further away than 32 bits can say. Example: \"3 places are further away than a model can say\".";
    TOO_STEEP = "RGMODEL-W023", Warning, "too much of an image",
        "From one corner of a face to the next a model can go 2048 texels. Example: \"1 face shows more of an image than texture coordinates can say: at most 2048 texels\".";
    COLLISION_LOST = "RGMODEL-W024", Warning, "spheres for collisions left out",
        "The shape is no longer that of the model which was converted, so its spheres for collisions do not fit. Example: \"18 spheres for collisions are left out\".";
    MOVES = "RGMODEL-W025", Warning, "moving model in a .3D",
        "The game keeps models that move in .3DC files. Example: \"models with 9 frames are .3DC files in the game\".";
    ONE_SIDED = "RGMODEL-N026", Note, "seen from one side",
        "A material is seen from both sides, as many programs write it; the game shows faces from outside. Example: \"\"D02005\" is seen from both sides; faces of the \
        game from one\".";
    STALE = "RGMODEL-N027", Note, "shape edited",
        "The extras say which triangles were one face, and the triangles are others now. Example: \"1 part of the scene is no longer as converted: triangles become faces there\".";
    NO_AREA = "RGMODEL-W028", Warning, "triangles without area",
        "Triangles of a scene have no area once their corners stand at 256ths of a world unit. Example: \"2 triangles have no area: left out\".";
    IMAGE_DIFFERS = "RGMODEL-N029", Note, "image of another name",
        "A material and its image are named after different textures. Example: \"the material \"D02005\" shows the image of another: its name counts\".";
    UNSHOWN = "RGMODEL-W030", Warning, "frames of a model that has one",
        "The kind of frames is that of models with a single one, and the table has more. Nobody knows how those would be stored; they are kept and written back. \
        Example: \"the kind 8 has a single frame: 2 further frames are not shown\".";
    BENT = "RGMODEL-N031", Note, "images bend",
        "On most faces of a model of the software renderer the steps of the fourth and later corners do not fit to the plane through the first three, so that images \
        bend. Programs that read such models differ here. Example: \"on 8 of 9 faces with more than three corners the image does not lie flat: --uv first-three may show \
        it better\".";
}
