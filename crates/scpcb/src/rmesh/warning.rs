//! Warnings about rooms: defects, and losses in conversions.

use asset::reference::{self, Reference};
use asset::{Report, SharedCode};
use record::Error;

use super::TRAILER;

// Codes are never reused.
asset::codes! {
    CUT_SHORT = "RMESH-W001", Warning, "missing entities",
        "The file declares more entities than can be read, usually because it is truncated. The entities before that point are kept, and \
        the remaining bytes are written back unchanged. Example: \"the file declares 12 entities, but only 7 can be read\".";
    CUSTOM_CLASS = "RMESH-W002", Warning, "custom entity class",
        "An entity has a class that the game does not support (written by another editor), or a known class with unexpected fields. Its \
        fields are kept as bytes and written back, but not converted. Example: \"unknown entity class \"elevator\"; its fields are kept \
        as 30 raw bytes\".";
    DAMAGE = "RMESH-W003", Warning, "damage after the surfaces",
        "The file is damaged after the visible surfaces. The surfaces are kept; all bytes from the damage on are written back unchanged. \
        Example: \"collision[1].vertices: count is 900, but only 64 bytes are left\".";
    LEFT_OVER = "RMESH-W004", Warning, "trailing bytes",
        "The room is followed by bytes other than the usual \"EOF\". They are kept and written back. Example: \"17 trailing bytes after \
        the end of the room\".";
    TRIGGER_COUNTS = "RMESH-W005", Warning, "trigger counts too large",
        "The counts of vertices and triangles in the trigger boxes of an \"RM\" room are eight times too large. The actual items are read, and \
        the counts are written back unchanged. Example: \"the counts of vertices and triangles are eight times too large\".";
    PROP_EXTENSION = "RMESH-W006", Warning, "prop with another extension",
        "A model in the room exists in GFX/map/Props only with another extension. The game does not find it and stops with an error; conversions use the \
        one that exists. Example: \"prop \"lampshade.b3d\" was not found; using \"lampshade.x\" instead\".";
    LIGHTMAP_MISSING = "RMESH-W013", Warning, "missing lightmap",
        "A lightmap was not found in the folder of the room. The surface is drawn at full brightness, as in the game. Example: \
        \"lightmap \"room_lm3.png\" was not found\".";
    PROP_MISSING = "RMESH-W017", Warning, "missing prop",
        "A model in the room was not found in GFX/map/Props. The game stops with an error. Example: \"prop \"lamp3.x\" was not found\".";
    SCREEN_MISSING = "RMESH-W018", Warning, "missing screen image",
        "The image of a screen was not found in GFX/screens. Example: \"screen \"1074.jpg\" was not found\".";
    SOUND_MISSING = "RMESH-W019", Warning, "missing sound",
        "The sound of a sound emitter was not found. Its file is named in Data/rooms.ini. Example: \"sound \"SFX\\hum.ogg\" was not found\".";
    BAD_INDEX = "RMESH-W020", Warning, "vertex index out of range",
        "Triangles refer to vertices that do not exist. Conversions leave these triangles out. Example: \"3 triangles refer to vertices \
        beyond the last of 24\".";
    NOT_FINITE = "RMESH-W021", Warning, "number not finite",
        "A coordinate is infinite or NaN. Conversions leave out triangles with such a position and replace such texture coordinates with \
        0. Example: \"2 vertices have a non-finite position\".";
    ZERO_AREA = "RMESH-N022", Note, "degenerate triangles",
        "Triangles have zero area, so they are never visible. They are converted anyway. Example: \"14 triangles have zero area\".";
    UNUSED_LIGHT = "RMESH-W023", Warning, "vertex colors ignored",
        "A surface has both a lightmap and vertex colors. The game ignores the vertex colors, and so does the conversion. Example: \
        \"vertex colors are ignored on surfaces with a lightmap\".";
    MANY_LIGHTS = "RMESH-W030", Warning, "too many lights",
        "The game uses only the first 32 lights of a room. Example: \"67 lights, but the game uses only the first 32\".";
    MANY_EMITTERS = "RMESH-W031", Warning, "too many sound emitters",
        "The game uses only the first 8 sound emitters of a room. Example: \"9 sound emitters, but the game uses only the first 8\".";
    SAME_TRIGGER = "RMESH-N032", Note, "duplicate trigger box name",
        "Several trigger boxes have the same name; the game uses the first one. Example: \"3 trigger boxes are named \"939_trigger\"\".";
    AT_ORIGIN = "RMESH-N033", Note, "entity at the origin",
        "The game skips lights and screens at the origin. Example: \"30 lights at the origin are skipped by the game\".";
    SOUND_UNKNOWN = "RMESH-W034", Warning, "unknown sound",
        "The number of a sound emitter is not in the section [room ambience] of Data/rooms.ini. The emitter is silent. Example: \"sound 13 is not in \
        Data/rooms.ini\".";
    LEFT_OUT = "RMESH-N040", Note, "collision and triggers left out",
        "Invisible geometry is converted on request only. Example: \"left out: 1 collision surface and 3 trigger boxes; use --with \
        collision,triggers to include them\".";
    BAD_LIGHT = "RMESH-W042", Warning, "invalid light",
        "The color or the angles of a light are not three numbers, or one of its numbers is not finite. It is converted to a plain node. \
        Example: \"the color \"white\" is not three numbers\".";
    BAD_TRANSFORM = "RMESH-W043", Warning, "invalid entity transform",
        "The position, rotation or scale of an entity is not finite. Its node gets the default instead. Example: \"its position, \
        rotation or scale is not finite\".";
    NO_GEOMETRY = "RMESH-W044", Warning, "no geometry",
        "The room has no surfaces to convert. Example: \"the room has no triangles\".";
    PROP_BAD = "RMESH-W045", Warning, "unreadable prop",
        "A model in the room was found, but it is damaged or of an unsupported type. Its node has no mesh. Example: \"prop \"lamp2.x\" \
        cannot be read: the file ends within a mesh\".";
    PROP_LOSS = "RMESH-W046", Warning, "problem in a prop",
        "A model in the room has a problem, or part of it could not be converted. Check or convert the model on its own to find out \
        where. Example: \"prop \"lamp2.x\": texture \"lamp.jpg\" was not found\".";
    PROP_NOTE = "RMESH-N047", Note, "notes on props",
        "There are notes on models in the room. Convert such a model on its own to see them. Example: \"4 notes on 2 props; convert them \
        on their own to see the notes\".";
    LAYERS = "RMESH-N050", Note, "separate lightmaps",
        "Surfaces with a lightmap are written with separate textures for color and lightmap, linked by MOZ_lightmap. Viewers without \
        that extension show them without shadows. Without \"--lightmaps layers\", both are combined into one texture. Example: \"few viewers \
        support MOZ_lightmap; without --lightmaps layers, the result looks right everywhere\".";
    BAKED_COARSE = "RMESH-N051", Note, "reduced resolution of a baked texture",
        "A tiled texture is drawn once for each repetition, so a room at the full resolution of its textures would have up to billions \
        of pixels. All surfaces of a room are limited to the same number of pixels per meter, which --density sets. Example: \"12 of 14 \
        baked surfaces have a lower resolution than their textures: 31% of the pixels per side on average, 9% at the lowest, at 187 pixels per meter\".";
    BAKED_ROOM = "RMESH-W052", Warning, "reduced resolution of a baked room",
        "The baked textures of a room have at most 128 Mi pixels in total, or 512 Mi with --density. If that is not enough, there are fewer \
        pixels per meter. Example: \"the baked textures would have 191 Mi pixels; limited to 128 Mi: 12 of 34 baked surfaces have a lower \
        resolution than their textures: 20% of the pixels per side on average, 9% at the lowest, at 105 pixels per meter\".";
    BAKED_OVER = "RMESH-W053", Warning, "too many overlapping triangles to bake",
        "Too many triangles of a surface overlap in the lightmap, so not all of them were drawn. Example: \"6000 triangles not baked: \
        too many overlap in the lightmap\".";
    BAKED_PLAIN = "RMESH-N054", Note, "fewer pixels for dark or plain surfaces",
        "The light of a room multiplies its textures, so in the dark even a rough texture is almost plain. Where half of the pixels per \
        meter, or a quarter, make a difference of at most 1.5 of 255 (root mean square), a surface is baked with those. With --density or \
        with --quality 100, nothing is reduced. Example: \"61% of the baked area has at most half of the pixels per meter, because more would not be \
        visible in its light: a difference of 0.6 of 255 (root mean square)\".";
    NORMALS_READ = "RMESH-N060", Note, "component order of normals",
        "A RoomMesh2 room has normals. The game reads their components as x, z, y, but one editor writes them as x, y, z. The order that \
        fits the triangles better is used. Example: \"normals are read as x, z, y, like in the game\".";
    RENDER_ONLY_LOST = "RMESH-W061", Warning, "surfaces become solid",
        "An RM room has surfaces that are visible but not solid. In the other dialects every opaque surface stops the player, so these \
        become solid. Example: \"3 render-only surfaces become solid where opaque\".";
    NORMALS_LOST = "RMESH-W062", Warning, "normals left out",
        "Only rooms of the dialect RoomMesh2 have normals. Example: \"normals left out; the game computes its own\".";
    FIELDS_LOST = "RMESH-W063", Warning, "fields left out",
        "An entity has fields that rooms of the written dialect cannot store. Example: \"12 entities of class \"light\" lose their glow, shadows and 128 \
        reserved bytes\".";
    ENTITY_LOST = "RMESH-W064", Warning, "entities left out",
        "A plain room has seven entity classes, rooms of other dialects have their own. Any other class, and any model without a file, \
        would make the game misread the rest of the room. Example: \"2 entities of class \"door\" left out\".";
    BYTES_LOST = "RMESH-W065", Warning, "unread bytes left out",
        "Bytes of a room that could not be read are not written to a plain room. Example: \"17 unread bytes left out\".";
    TRIGGERS_LOST = "RMESH-W066", Warning, "trigger boxes left out",
        "Rooms of the dialect RoomMesh2 have no trigger boxes. Example: \"3 trigger boxes left out: RoomMesh2 rooms have none\".";
    IMPORT_LOST = "RMESH-W070", Warning, "not supported by rooms",
        "A scene imported as a room contains something that rooms do not support. It is left out. Example: \"animations are not \
        supported by rooms (2)\".";
    NOT_KEPT = "RMESH-N071", Note, "not stored in a room",
        "A scene imported as a room contains something that the game loads from elsewhere or computes itself: images are separate files, \
        and normals are not needed. Example: \"images are not stored in a room; put them next to it (12)\".";
    TEXTURE_CHANGED = "RMESH-N072", Note, "texture changed",
        "A material of a scene uses a different image than its extras specify. The image takes precedence. Example: \"the material \
        \"wall.jpg\" now uses \"brick.jpg\"; the texture was \"wall.jpg\"\".";
    MISSING = "RMESH-W073", Warning, "fewer items than before",
        "A scene made from a room has fewer items than that room. The missing items are not in the new room. Example: \"the room had 3 \
        trigger boxes, the scene has 0; convert with --with collision,triggers to keep them\".";
    NO_FIELDS = "RMESH-W074", Warning, "node without fields",
        "Nodes of a scene are named like entities, but their extras are missing, so they cannot be converted back; or they have a class \
        that plain rooms do not support. Enable \"Custom Properties\" when exporting from Blender. Example: \"47 nodes like \"model_0\" \
        have no fields of the class model and are left out\".";
    LIGHT_CONVERTED = "RMESH-N075", Note, "light converted",
        "A light that does not come from a room is converted; its range and intensity are derived from its physical units. Example: \
        \"the light \"Lamp\" does not come from a room; its range and intensity are estimated\".";
    MANY_VERTICES = "RMESH-W076", Warning, "too many vertices",
        "A surface of a room has more vertices than Blitz3D can index. Example: \"70000 vertices, but \
        the game can index only 65535\".";
    BUMP_MISSING = "RMESH-W024", Warning, "missing bump map",
        "The game's table of materials names a bump map for a texture of the room, which was not found. The surface is converted without \
        it, as the game draws it. Example: \"bump map \"GFX\\map\\ventbump.jpg\" was not found\".";
    SURFACE_DIVIDED = "RMESH-N078", Note, "surface divided",
        "A surface of a scene has more vertices than Blitz3D can index, so it becomes several surfaces with the same texture. Example: \
        \"70000 vertices, but the game can index only 65535: divided into 2 surfaces\".";
    NOT_UNDERSTOOD = "RMESH-W079", Warning, "node not understood",
        "A node of a scene has a class or a property that rooms do not have, lacks a required property, or is empty and has no class. The page \
        \"A new room\" of the book lists the classes and their properties. Example: \"skipped the node \"hum\": rooms have no class \
        \"sondemitter\"; did you mean \"soundemitter\"?\".";
    TABLE_ENTRY = "RMESH-N086", Note, "entry of a new room",
        "The game places only rooms that are listed in Data/rooms.ini. The entry of a new room needs these lines; shape sets the number and \
        position of its exits. Example: \"for the game to place the room, add to Data/rooms.ini: [hall], mesh path=GFX\\map\\hall.rmesh, shape=2 \
        (or 1, 2C, 3, 4), commonness=30, zone1=1 (one line each)\".";
    MANY_TRIGGERS = "RMESH-W035", Warning, "too many trigger boxes",
        "The game has room for 128 trigger boxes. Example: \"130 trigger boxes, but the game has room for only 128\".";
    OUTSIDE_CELL = "RMESH-N036", Note, "larger than a grid cell",
        "The game places rooms on a grid whose cells are 2048 units (8 m) wide. A room that reaches beyond its cell overlaps its neighbors, \
        unless its entry in Data/rooms.ini marks it as large. Example: \"reaches from -1400 to 1024 along x; a cell of the game's grid \
        reaches from -1024 to 1024\".";
    NO_VIEW = "RMESH-W077", Warning, "no editable view",
        "The room cannot be unpacked as an editable scene. Its fields are complete. Example: \"the room cannot be shown as a scene: ...\".";
    LIGHT_COARSE = "RMESH-N080", Note, "fewer texels per meter",
        "New lightmaps of a room have at most 4 Mi texels, and 1024 along a side. A room that needs more gets fewer texels per meter than --density requests. \
        Example: \"the room is too large for 16 texels per meter; using 9.3\".";
    LIGHT_RENAMED = "RMESH-N081", Note, "lightmap renamed",
        "The lightmap of a surface has a name that cannot be written: it is not a PNG, or leads to another folder. The new lightmap has another \
        name, and the room refers to that. Example: \"the lightmap \"hall_lm1.bmp\" becomes \"hall_lm1.png\"\".";
    LIGHT_SKIPPED = "RMESH-W082", Warning, "light not used",
        "The lightmaps are computed without a light: its range is 0, one of its numbers is invalid, or there are too many. Example: \"the range of \
        the light is 0; the light is left out\".";
    LIGHT_NONE = "RMESH-W083", Warning, "no lights",
        "The room has no light that the game uses, so its lightmaps have only the ambient light. Example: \"the room has no lights that \
        the game uses; its lightmaps only have ambient light\".";
    LIGHT_OVER = "RMESH-W084", Warning, "too many overlapping triangles in a lightmap",
        "Too many triangles overlap in a lightmap that is computed again, so not all of them are lit. Build without --relight for new charts. Example: \
        \"6000 triangles overlap in the lightmaps and are not lit\".";
    LIGHT_SIZE = "RMESH-W085", Warning, "size of a lightmap unknown",
        "A lightmap that is computed again does not exist, so its size is chosen by --density. Example: \"the size of the lightmap \
        \"hall_lm1.png\" is not known; the new one has 128 x 128\".";
    LIGHT_NOWHERE = "RMESH-W086", Warning, "nothing to light",
        "The triangles of a room have no area, or none of them are in the lightmaps that are computed again, so no light can fall on them. \
        Example: \"none of 4 triangles has an area that light can fall on; no lightmap is written\".";
}

/// Codes shared with other formats.
pub(super) static SHARED: &[SharedCode] = &[
    SharedCode::new(&reference::MISSING).formerly("RMESH-W010"),
    SharedCode::new(&reference::OUTSIDE).formerly("RMESH-W014"),
    SharedCode::new(&reference::OTHER_CASE).formerly("RMESH-N011"),
    SharedCode::new(&reference::OTHER_EXTENSION).formerly("RMESH-N012"),
    SharedCode::new(&reference::UNREADABLE).formerly("RMESH-W015"),
    SharedCode::new(&reference::TRUNCATED).formerly("RMESH-W016"),
];

/// A reference to a file by name. Some kinds of files have their own codes for problems.
pub(super) fn reference<'a>(noun: &'static str, name: &'a str, field: &'a str) -> Reference<'a> {
    let reference = Reference::new(noun, name, field);
    match noun {
        LIGHTMAP => reference.missing(&LIGHTMAP_MISSING),
        BUMP_MAP => reference.missing(&BUMP_MISSING),
        SCREEN => reference.missing(&SCREEN_MISSING),
        SOUND => reference.missing(&SOUND_MISSING),
        PROP => {
            let reference = reference.missing(&PROP_MISSING).unreadable(&PROP_BAD);
            // Other editors write names without an extension, and append it when they read them.
            let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
            if file.contains('.') { reference.other_extension(&PROP_EXTENSION) } else { reference }
        }
        _ => reference,
    }
}

/// A texture, as the noun of a [`reference`].
pub(super) const TEXTURE: &str = "texture";
/// A lightmap.
pub(super) const LIGHTMAP: &str = "lightmap";
/// A bump map.
pub(super) const BUMP_MAP: &str = "bump map";
/// The image of a screen.
pub(super) const SCREEN: &str = "screen";
/// The sound of an emitter.
pub(super) const SOUND: &str = "sound";
/// A prop.
pub(super) const PROP: &str = "prop";

/// Reports features that rooms do not support, with the number of occurrences in the scene.
pub(super) fn unsupported<'a>(report: &mut Report, lost: impl IntoIterator<Item = (&'a str, usize)>) {
    for (what, count) in lost {
        let (code, why) = match what {
            "images" => (&NOT_KEPT, "are not stored in a room; put them next to it"),
            "lists of normals" => (&NOT_KEPT, "are not needed by the game"),
            "primitives without texture coordinates" => (&NOT_KEPT, "show one pixel of their texture"),
            "back faces of materials" => {
                (&NOT_KEPT, "are not drawn by the game unless the material is transparent")
            }
            "bright vertex colors" => {
                (&NOT_KEPT, "become 128 of 255: COLOR_0 cannot express their brightness")
            }
            _ => (&IMPORT_LOST, "are not supported by rooms"),
        };
        report.warn(code, format!("{what} {why} ({count})"));
    }
}

/// Reports nodes that cannot be converted to entities or trigger boxes: for each class the first name and the count.
pub(super) fn fields_missing<'a>(
    report: &mut Report,
    nodes: impl IntoIterator<Item = (&'a str, (&'a str, usize))>,
) {
    for (class, (name, count)) in nodes {
        let message = match (class, count) {
            ("trigger", 1) => {
                format!("the trigger box \"{name}\" has no name in its extras; using its index")
            }
            ("trigger", _) => format!(
                "{count} trigger boxes like \"{name}\" have no names in their extras; using their indices"
            ),
            (_, 1) => format!("the node \"{name}\" has no fields of the class {class:.40} and is left out"),
            _ => format!(
                "{count} nodes like \"{name}\" have no fields of the class {class:.40} and are left out"
            ),
        };
        report.warn(&NO_FIELDS, message);
    }
}

/// Reports nodes with problems, and the names of empty nodes without a class.
pub(super) fn not_understood(report: &mut Report, problems: Vec<String>, unknown: &[&str]) {
    const MOST: usize = 20;
    let more = problems.len().saturating_sub(MOST);
    for problem in problems.into_iter().take(MOST) {
        report.warn(&NOT_UNDERSTOOD, problem);
    }
    if more > 0 {
        report.warn(&NOT_UNDERSTOOD, format!("{more} more problems with nodes like these"));
    }
    let hint = "name it after a class, such as waypoint, or set its property \"class\"";
    match unknown {
        [] => {}
        [name] => {
            let message = format!("the empty node \"{name:.60}\" has no entity class; skipped; {hint}");
            report.warn(&NOT_UNDERSTOOD, message);
        }
        [name, ..] => {
            let count = unknown.len();
            let message =
                format!("{count} empty nodes like \"{name:.60}\" have no entity class; skipped; {hint}");
            report.warn(&NOT_UNDERSTOOD, message);
        }
    }
}

/// Reports damage after the surfaces.
pub(super) fn damage_after_surfaces(report: &mut Report, error: &Error) {
    let message = format!("{}; the rest is kept as raw bytes", error.message());
    let noted = report.warn(&DAMAGE, message).in_field(error.path());
    if let Some(offset) = error.offset() {
        noted.at(offset);
    }
}

/// Reports bytes other than the usual trailer after a complete room.
pub(super) fn left_over(report: &mut Report, rest: &[u8]) {
    if !rest.is_empty() && rest != TRAILER {
        let length = rest.len();
        report
            .warn(&LEFT_OVER, format!("{length} trailing bytes after the end of the room"))
            .in_field("rest");
    }
}

/// Reports missing entities.
pub(super) fn entities_missing(report: &mut Report, declared: i32, found: usize, end: Option<&Error>) {
    let missing = i64::from(declared).saturating_sub(i64::try_from(found).unwrap_or(i64::MAX));
    if missing == 0 {
        return;
    }
    let why =
        end.map(|error| format!(" (entities{}: {})", error.path(), error.message())).unwrap_or_default();
    let message = format!("the file declares {declared} entities, but only {found} can be read{why}");
    let noted = report.warn(&CUT_SHORT, message).in_field("entities");
    if let Some(offset) = end.and_then(Error::offset) {
        noted.at(offset);
    }
}
