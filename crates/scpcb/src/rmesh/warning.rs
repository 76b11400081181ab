//! What can be amiss with a room, or lost in a conversion.

use asset::{Code, Report};
use record::Error;

use super::TRAILER;
use super::entity::Classes;
use asset::reference::Codes;

// Numbers are never used again for something else.
asset::codes! {
    CUT_SHORT = "RMESH-W001", Warning, "entities missing",
        "The file promises more entities than can be read, usually because it was cut short. Everything before is kept, and the bytes \
        behind it are written back. Example: \"12 entities are promised, but only 7 are there\".";
    CUSTOM_CLASS = "RMESH-W002", Warning, "custom entity class",
        "An entity is of a class that the game does not know, made with another editor, or has other fields than its class is known by. \
        Its fields are kept as bytes and written back, but not shown. Example: \"the class \"elevator\" is not the game's\".";
    DAMAGE = "RMESH-W003", Warning, "damage behind the surfaces",
        "The file is damaged behind what is seen of the room. The surfaces are kept; the bytes from the damage on are written back unread. \
        Example: \"collision[1].vertices: 900 of at least 12 bytes each cannot fit into the 64 bytes left\".";
    LEFT_OVER = "RMESH-W004", Warning, "bytes left over",
        "Something stands behind the end of the room that is not the usual \"EOF\". It is kept and written back. Example: \"17 bytes stand \
        behind the end of the room\".";
    TEXTURE_MISSING = "RMESH-W010", Warning, "texture missing",
        "A texture is not in the room's folder under any spelling or extension. The game shows the surface white; converted rooms show a \
        chequered stand-in. Example: \"texture \"1074tex1\" is not there\".";
    OTHER_CASE = "RMESH-N011", Note, "other letter case",
        "A file is written differently on disk than in the room. The game does not mind; other systems may. Example: \"texture \"door01.jpg\" is \
        written \"Door01.jpg\" on disk\".";
    OTHER_EXTENSION = "RMESH-N012", Note, "other extension",
        "A file was found with another extension than the room gives it, and is taken instead. The game would not find it. Example: \"lightmap \
        \"173_lm1.bmp\" is not there: \"173_lm1.png\" is taken\".";
    LIGHTMAP_MISSING = "RMESH-W013", Warning, "lightmap missing",
        "A lightmap is not in the room's folder. The surface is shown at full brightness, as in the game. Example: \"lightmap \"room_lm3.png\" is \
        not there\".";
    OUTSIDE = "RMESH-W014", Warning, "name leads out of the game",
        "A name in the room leads out of the game's folder. It is looked for beside the room only. Example: \"texture \"..\\\\..\\\\secret.png\" lies \
        outside the game\".";
    BAD_IMAGE = "RMESH-W015", Warning, "image cannot be read",
        "An image is there but damaged, or of a kind that is not read. A chequered stand-in takes its place. Example: \"texture \"wall.jpg\" cannot \
        be read: the file ends early\".";
    IMAGE_CUT = "RMESH-W016", Warning, "image cut short",
        "A JPEG has no end; its lower part may be grey. It is taken as it is. Example: \"texture \"wall.jpg\" is cut short\".";
    PROP_MISSING = "RMESH-W017", Warning, "prop missing",
        "A model that stands in the room is not in GFX/map/Props. The game stops with an error. Example: \"prop \"lamp3.x\" is not there\".";
    SCREEN_MISSING = "RMESH-W018", Warning, "screen missing",
        "The picture of a screen is not in GFX/screens. Example: \"screen \"1074.jpg\" is not there\".";
    BAD_INDEX = "RMESH-W020", Warning, "triangle without corner",
        "Triangles name a vertex that is not there. They are left out of conversions. Example: \"3 triangles name vertices beyond the 24 there \
        are\".";
    NOT_FINITE = "RMESH-W021", Warning, "number that is none",
        "A coordinate is infinite or not a number. Triangles with such a corner are left out of conversions, such texture coordinates become \
        0. Example: \"2 vertices have a position that is not finite\".";
    ZERO_AREA = "RMESH-N022", Note, "triangles without area",
        "Triangles have no area, so they are never seen. They are converted all the same. Example: \"14 triangles have no area\".";
    UNUSED_LIGHT = "RMESH-W023", Warning, "vertex colours not shown",
        "A surface with a lightmap has vertex colours too. The game does not show them, so neither does the conversion. Example: \"vertex colours \
        under a lightmap are not shown\".";
    MANY_LIGHTS = "RMESH-W030", Warning, "too many lights",
        "The game takes the first 32 lights of a room and leaves the rest dark. Example: \"67 lights, of which the game takes 32\".";
    MANY_EMITTERS = "RMESH-W031", Warning, "too many sound emitters",
        "The game takes the first 8 sound emitters of a room. Example: \"9 sound emitters, of which the game takes 8\".";
    SAME_TRIGGER = "RMESH-N032", Note, "trigger boxes of one name",
        "Several trigger boxes have one name; the game takes the first it meets. Example: \"3 trigger boxes are called \"939_trigger\"\".";
    AT_ORIGIN = "RMESH-N033", Note, "entity at the origin",
        "Lights and screens that stand at 0, 0, 0 are skipped by the game. Example: \"30 lights stand at the origin: the game skips them\".";
    LEFT_OUT = "RMESH-N040", Note, "collision and triggers left out",
        "Invisible shapes are converted on demand only. Example: \"1 collision surface and 3 trigger boxes are left out: --with \
        collision,triggers\".";
    BAD_LIGHT = "RMESH-W042", Warning, "light cannot be read",
        "The colour or the angles of a light are not three numbers, or a number of it is not finite; it becomes a plain node. Example: \"the \
        colour \"white\" is not three numbers\".";
    BAD_PLACE = "RMESH-W043", Warning, "entity without a place",
        "An entity stands at a place that is not finite, or has a turn or size that is not; its node stands at the room's origin. Example: \"the \
        position is not finite\".";
    NO_SHAPE = "RMESH-W044", Warning, "nothing to see",
        "The room has no surfaces that can be shown. Example: \"the room has no triangles\".";
    PROP_BAD = "RMESH-W045", Warning, "prop cannot be read",
        "A model that stands in the room is there, but damaged or of a kind that is not read. Its node stands at its place without a shape. \
        Example: \"prop \"lamp2.x\" cannot be read: the file ends within a mesh\".";
    PROP_LOSS = "RMESH-W046", Warning, "prop not whole",
        "Something of a model that stands in the room is amiss or could not be shown. Checking or converting the model alone says where it stands \
        in its file. Example: \"prop \"lamp2.x\": texture \"lamp.jpg\" is not there\".";
    PROP_NOTE = "RMESH-N047", Note, "about props",
        "There is more to know of models that stand in the room, though nothing is amiss. Converting such a model alone tells it. Example: \"4 \
        things worth knowing of 2 props: converting one alone tells it\".";
    SPLIT = "RMESH-N050", Note, "lightmaps apart",
        "Surfaces with a lightmap are written with their texture and their lightmap apart, joined by MOZ_lightmap. Viewers that do not know it \
        show them without shadows. \"--lightmaps bake\" makes one texture of both. Example: \"few viewers show MOZ_lightmap; --lightmaps bake \
        looks right in any viewer\".";
    BAKED_COARSE = "RMESH-N051", Note, "baked coarser than the texture",
        "A baked texture has at most 2048 pixels a side. A large surface with a fine texture needs more, so it looks softer from close up. \
        Example: \"3 of 14 baked surfaces are coarser than their textures, the coarsest at 36 % of the pixels along a side\".";
    BAKED_ROOM = "RMESH-W052", Warning, "baked room coarser than its textures",
        "All baked textures of a room together have at most 64 Mi pixels. Where that is not enough, the largest surfaces are made coarser. \
        Example: \"the baked textures would have 91 Mi pixels and are kept within 64 Mi: 12 of 34 are coarser than their textures, the \
        coarsest at 9 % of the pixels along a side\".";
    BAKED_OVER = "RMESH-W053", Warning, "too much upon each other to bake",
        "So many triangles of a surface lie upon each other in the lightmap that not all of them were drawn. Example: \"6000 triangles are \
        not baked: too many lie upon each other in the lightmap\".";
    NORMALS_READ = "RMESH-N060", Note, "how normals are taken",
        "A RoomMesh2 room has normals, of which the game takes the second number as z and the third as y, but an editor writes them as x, y, z. \
        Those that fit the triangles better are shown. Example: \"normals are taken as x, z, y, as the game does\".";
    RENDER_ONLY_LOST = "RMESH-W061", Warning, "surfaces become solid",
        "An RM room has surfaces that are only seen. In a plain room every opaque surface stops the player, so these do too. Example: \"3 surfaces \
        that are only seen will stop the player where opaque\".";
    NORMALS_LOST = "RMESH-W062", Warning, "normals left out",
        "A plain room has no normals. Example: \"the normals are left out: the game makes its own\".";
    FIELDS_LOST = "RMESH-W063", Warning, "fields left out",
        "An entity has fields that a plain room has no room for. Example: \"12 entities of the class \"light\" without its glow, its shadows and 128 \
        reserved bytes\".";
    ENTITY_LOST = "RMESH-W064", Warning, "entities left out",
        "A plain room has seven classes of entities; at any other the game would lose its way, and at a model without a file too. Example: \"2 \
        entities of the class \"door\" left out\".";
    BYTES_LOST = "RMESH-W065", Warning, "unread bytes left out",
        "What could not be read of a room cannot be part of a plain one. Example: \"17 bytes that could not be read are left out\".";
    IMPORT_LOST = "RMESH-W070", Warning, "no room for it in a room",
        "A scene that was made into a room holds what rooms have no place for. It is left out. Example: \"2 animations have no place in a \
        room\".";
    NOT_KEPT = "RMESH-N071", Note, "not stored in a room",
        "A scene that was made into a room holds what the game takes from elsewhere or works out by itself: images stand beside the room, \
        and normals are not needed. Example: \"12 images are not stored in a room: put new ones beside it\".";
    TEXTURE_CHANGED = "RMESH-N072", Note, "another texture",
        "A material of a scene shows another image than its extras say; the image counts. Example: \"the material \"wall.jpg\" shows \
        \"brick.jpg\" now, where the texture was \"wall.jpg\"\".";
    MISSING = "RMESH-W073", Warning, "fewer than before",
        "A scene that was made of a room has less than the room had. What is missing is not in the new room. Example: \"the room had 3 trigger \
        boxes, the scene has 0; --with collision,triggers converts them\".";
    NO_FIELDS = "RMESH-W074", Warning, "node without fields",
        "Nodes of a scene are called as those of entities are, but their extras are gone, so they cannot be made entities again; or they are \
        of a class that plain rooms do not have. Export from Blender with \"Custom Properties\" ticked. Example: \"47 nodes like \"model_0\" \
        have no fields of the class model, and are left out\".";
    LIGHT_MADE = "RMESH-N075", Note, "light made up",
        "A light of a scene that was never one of a room becomes one, with range and intensity from its physical units. Example: \"the light \
        \"Lamp\" has no fields of the game: they are made up\".";
    MANY_VERTICES = "RMESH-W076", Warning, "too many vertices",
        "A surface has more vertices than Blitz3D can name in one. Use several materials, or fewer vertices. Example: \"70000 vertices are \
        more than the 65535 the game can name\".";
    NO_VIEW = "RMESH-W077", Warning, "no view",
        "The room cannot be unpacked as a scene to edit. Its fields are all there. Example: \"there is no views/room.glb: ...\".";
}

/// How textures are told of.
pub(super) static TEXTURE: Codes = codes_with_missing(&TEXTURE_MISSING);
/// How lightmaps are told of.
pub(super) static LIGHTMAP: Codes = codes_with_missing(&LIGHTMAP_MISSING);
/// How the pictures of screens are told of.
pub(super) static SCREEN: Codes = codes_with_missing(&SCREEN_MISSING);
/// How props are told of.
pub(super) static PROP: Codes = Codes { bad: &PROP_BAD, ..codes_with_missing(&PROP_MISSING) };

const fn codes_with_missing(missing: &'static Code) -> Codes {
    Codes {
        missing,
        outside: &OUTSIDE,
        other_case: &OTHER_CASE,
        other_extension: &OTHER_EXTENSION,
        bad: &BAD_IMAGE,
        cut: &IMAGE_CUT,
    }
}

/// What rooms have no place for, and how often a scene has it.
pub(super) fn lost<'a>(report: &mut Report, lost: impl IntoIterator<Item = (&'a str, usize)>) {
    for (what, count) in lost {
        let (code, why) = match what {
            "images" => (&NOT_KEPT, "are not stored in a room: put new ones beside it"),
            "lists of normals" => (&NOT_KEPT, "are not needed: the game works without"),
            "bright vertex colours" => {
                (&NOT_KEPT, "are 128 of 255 now: COLOR_0 does not tell how bright they were")
            }
            _ => (&IMPORT_LOST, "have no place in a room"),
        };
        report.warn(code, format!("{what} {why} ({count})"));
    }
}

/// Nodes that cannot be made entities or trigger boxes: of each class, one of them and how many there are.
pub(super) fn fields_missing<'a>(
    report: &mut Report,
    nodes: impl IntoIterator<Item = (&'a str, (&'a str, usize))>,
) {
    for (class, (name, count)) in nodes {
        let message = match (class, count) {
            ("trigger", 1) => {
                format!("the trigger box \"{name}\" has lost its name, and is called by its number")
            }
            ("trigger", _) => format!(
                "{count} trigger boxes like \"{name}\" have lost their names, and are called by their numbers"
            ),
            (_, 1) => format!("the node \"{name}\" has no fields of the class {class:.40}, and is left out"),
            _ => format!(
                "{count} nodes like \"{name}\" have no fields of the class {class:.40}, and are left out"
            ),
        };
        report.warn(&NO_FIELDS, message);
    }
}

/// The room cannot be read further than its surfaces.
pub(super) fn damage_behind_surfaces(report: &mut Report, error: &Error) {
    let message = format!("{}; what follows is kept unread", error.message());
    let noted = report.warn(&DAMAGE, message).in_field(error.path());
    if let Some(offset) = error.offset() {
        noted.at(offset);
    }
}

/// Something other than the usual trailer stands behind a room that could be read to its end.
pub(super) fn left_over(report: &mut Report, rest: &[u8]) {
    if !rest.is_empty() && rest != TRAILER {
        let length = rest.len();
        report.warn(&LEFT_OVER, format!("{length} bytes stand behind the end of the room")).in_field("rest");
    }
}

/// Entities of classes the game does not know.
pub(super) fn custom_classes<E: Classes>(report: &mut Report, entities: &[E]) {
    for (index, entity) in entities.iter().enumerate() {
        if let Some((class, fields)) = entity.as_custom() {
            let why = if E::KNOWN.contains(&&*class.text()) {
                "does not have the fields it is known by"
            } else {
                "is not the game's"
            };
            let message = format!("the class {class:?} {why}; {} bytes are kept as its fields", fields.len());
            report.warn(&CUSTOM_CLASS, message).in_field(format!("entities[{index}]"));
        }
    }
}

/// Fewer entities than the file promises.
pub(super) fn entities_missing(report: &mut Report, promised: i32, found: usize, end: Option<&Error>) {
    let missing = i64::from(promised).saturating_sub(i64::try_from(found).unwrap_or(i64::MAX));
    if missing == 0 {
        return;
    }
    let why =
        end.map(|error| format!(" (entities{}: {})", error.path(), error.message())).unwrap_or_default();
    let message = format!("{promised} entities are promised, but only {found} can be read{why}");
    let noted = report.warn(&CUT_SHORT, message).in_field("entities");
    if let Some(offset) = end.and_then(Error::offset) {
        noted.at(offset);
    }
}
