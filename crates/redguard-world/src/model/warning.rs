//! Warnings about models and their conversion.

crate::codes! {
    OVERLAP = "RGMODEL-W001", Warning, "parts share bytes",
        "Two parts of the file overlap. Both are read and written back unchanged. Example: \"frames and header share bytes\".";
    UNREAD = "RGMODEL-W002", Warning, "unreferenced bytes",
        "There are bytes between or after the parts. They are kept and written back. Example: \"12 bytes do not belong to any part\".";
    INVALID_VERTEX = "RGMODEL-E003", Error, "invalid vertex index",
        "Corners refer to vertices that do not exist. Their faces are dropped from conversions. Example: \"3 corners have vertex indices out of range (24 vertices)\".";
    INVALID_TEXTURE = "RGMODEL-W004", Warning, "invalid texture word",
        "The texture word of a face is neither a color nor an image. Such faces are converted in magenta. Example: \"2 faces have an invalid texture word, the \
        first 0x3d0900\".";
    CORNERS = "RGMODEL-W005", Warning, "corner counts differ",
        "The number of corners in the header does not match the faces. Example: \"total_face_vertices is 20, but the faces have 26 corners\".";
    INVALID_NORMAL = "RGMODEL-W006", Warning, "invalid normal reference",
        "Corners refer to a normal by an offset where no normal starts. These corners are shaded flat. Example: \"1 corner references no valid vertex normal\".";
    NOT_FINITE = "RGMODEL-W007", Warning, "infinite normal",
        "A vertex normal is infinite. Its corners are shaded flat. Example: \"1 vertex normal is infinite\".";
    FIRST_FRAME = "RGMODEL-W008", Warning, "first frame differs",
        "The first frame refers to other vertices or normals than the header. The header takes precedence. Example: \"the vertices of the first frame are at 0x200, but \
        the header has 0x150\".";
    NODE_FACE = "RGMODEL-W009", Warning, "invalid collision face",
        "A collision node refers to a face by an invalid index or offset. Example: \"2 face references of nodes are invalid\".";
    KIND = "RGMODEL-W010", Warning, "unknown frame kind",
        "The encoding of the frames is unknown. This is harmless in a model with a single frame. Example: \"unknown frame kind 3\".";
    NO_FRAMES = "RGMODEL-W011", Warning, "no frames",
        "The frame table is empty. The base mesh is used. Example: \"the model has no frames\".";
    TEXTURE_MISSING = "RGMODEL-W012", Warning, "texture missing",
        "A texture bank or an image in it was not found. Its faces get a checkered placeholder texture. Example: \"TEXBSI.562 has no image 67\".";
    TEXTURE_DAMAGED = "RGMODEL-W013", Warning, "texture cannot be read",
        "A texture bank or an image in it is damaged. Its faces get a checkered placeholder texture. Example: \"TEXBSI.302 cannot be read: unexpected end of file\".";
    GUESSED = "RGMODEL-N014", Note, "palette guessed",
        "The palette of a model is selected by a map, not by the model. The island's palette is used, as in most of the game. Example: \
        \"using the palette ISLAND.COL; choose another one with --palette\".";
    NO_PALETTE = "RGMODEL-N015", Note, "no palette",
        "No palette was found, so colors are converted to grayscale. Example: \"no palette found, using grayscale; choose one with --palette\".";
    NORMALS_DIFFER = "RGMODEL-N016", Note, "ambiguous face normal",
        "Some faces have no area, or stored normals that do not determine their front side. The winding of most other faces is used. Example: \"the front side of 3 faces is \
        ambiguous\".";
    SUBSTITUTED = "RGMODEL-W017", Warning, "texture of the other renderer",
        "A texture of the model's renderer was not found, so the other renderer's texture is used, which may look different. Example: \"8 images were taken \
        from fxart\".";
    NO_FACES = "RGMODEL-W018", Warning, "no valid faces",
        "The model has no faces that can be converted. Example: \"the model has no faces\".";
    IMPORT_LOST = "RGMODEL-W019", Warning, "feature not supported by models",
        "An imported scene has features that models cannot represent. Example: \"models cannot represent lights (2 dropped)\".";
    NO_TEXTURE = "RGMODEL-W020", Warning, "material without texture",
        "Neither the name nor the extras nor the image of a material identify a texture, and its color cannot be matched without the \
        palette. Example: \"material \"wood\" does not name a texture or palette color; using palette color 1\".";
    NO_SIZE = "RGMODEL-W021", Warning, "unknown texture size",
        "Texture coordinates of models are in texels, and neither the extras nor an image specify the texture size. Example: \"the image size of \"D02005\" is unknown; \
        assuming 64 x 64 texels\".";
    TOO_FAR = "RGMODEL-W022", Warning, "position out of range",
        "Positions of the scene do not fit into 32 bits. Example: \"3 positions are out of the 32-bit range\".";
    UV_OVERFLOW = "RGMODEL-W023", Warning, "texture coordinates out of range",
        "Two consecutive corners of a face can be at most 2048 texels apart. Example: \"1 face spans more than 2048 texels between two corners, the limit of texture \
        coordinates\".";
    NO_COLLISION = "RGMODEL-W024", Warning, "faces without a collision sphere",
        "The original model has collision spheres, and new faces of the scene belong to none of them. Example: \"2 new faces belong to \
        no collision sphere, so the player passes through\".";
    MOVES = "RGMODEL-W025", Warning, "animated model in a .3D file",
        "The game keeps animated models in .3DC files. Example: \"the model has 9 frames; the game expects animated models in .3DC files\".";
    ONE_SIDED = "RGMODEL-N026", Note, "double-sided material",
        "A material is double-sided, the default of many programs; the game shows only the outside of faces. Example: \"\"D02005\" is double-sided, but faces of the \
        game are single-sided\".";
    UPGRADED = "RGMODEL-N027", Note, "model of the other renderer",
        "The original is a model of the software renderer, and was edited. Edited models are written for the Glide renderer. Example: \"the original is version v2.7; \
        the edited model is version v5.0, for the Glide renderer\".";
    NO_AREA = "RGMODEL-W028", Warning, "degenerate triangles",
        "Triangles have no area after rounding to 256ths of a world unit. Example: \"2 triangles were dropped because of zero area\".";
    IMAGE_DIFFERS = "RGMODEL-N029", Note, "material and image disagree",
        "A material and its image are named after different textures. Example: \"material \"D02005\" uses the image of another texture; its name takes \
        precedence\".";
    EXTRA_FRAMES = "RGMODEL-W030", Warning, "extra frames ignored",
        "The frame kind denotes a single frame, but the table has more frames. Their encoding is unknown; they are kept and written back. \
        Example: \"frame kind 8 has a single frame; 2 further frames are ignored\".";
    UV_NOT_PLANAR = "RGMODEL-N031", Note, "texture coordinates not planar",
        "On most faces of a model of the software renderer the texture coordinates of later corners do not match the plane of the first three, so textures are \
        distorted. Other programs interpret them differently. Example: \"texture coordinates are not planar on 8 of 9 faces with more than three corners; try \
        --uv first-three\".";
    NEW_FRAME = "RGMODEL-W032", Warning, "new frame",
        "A shape key is not named after a frame, so it becomes a new frame after the others. Named frames keep their numbers. Example: \"the shape \
        key \"jump\" becomes frame 13\".";
    PASSABLE = "RGMODEL-N034", Note, "no collision faces",
        "The game collides with the faces listed in the collision nodes of a model, and loads these nodes from models of v5.0 only. The player passes through a model \
        without them. Reported with `--with collision`. Example: \"the model has no collision faces\".";
    FRAMES_LOST = "RGMODEL-W033", Warning, "frames removed",
        "The scene has fewer frames than the original model. Example: \"frames 9 to 12 of the original were removed\".";
}
