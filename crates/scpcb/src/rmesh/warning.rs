//! What can be amiss with a room, or lost in a conversion.

use asset::{Code, Report, Severity};
use record::Error;

use super::layout::Entity;
use super::{RMesh, TRAILER};

macro_rules! codes {
    ($($(#[$_:meta])* $name:ident = $id:literal, $severity:ident, $title:literal, $about:literal;)*) => {
        $(pub(super) static $name: Code =
            Code { id: $id, severity: Severity::$severity, title: $title, about: $about };)*

        /// Every warning a room can raise.
        pub static CODES: &[Code] = &[$($name),*];
    };
}

// Numbers are never used again for something else.
codes! {
    CUT_SHORT = "RMESH-W001", Warning, "entities missing",
        "The file promises more entities than can be read, usually because it was cut short. Everything before is kept, and the bytes \
        behind it are written back. Example: \"12 entities are promised, but only 7 are there\".";
    CUSTOM_CLASS = "RMESH-W002", Warning, "custom entity class",
        "An entity is of a class that the game does not know, made with another editor. Its fields are kept as bytes and written back, but \
        not shown. Example: \"the class \"elevator\" is not the game's\".";
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
    PROPS_EMPTY = "RMESH-N041", Note, "props are empty nodes",
        "Models that stand in the room are nodes at their places, with the model's name in their extras, but without its shape. Example: \"21 props \
        are converted as empty nodes\".";
    BAD_LIGHT = "RMESH-W042", Warning, "light cannot be read",
        "The colour or the angles of a light are not three numbers, or a number of it is not finite; it becomes a plain node. Example: \"the \
        colour \"white\" is not three numbers\".";
    BAD_PLACE = "RMESH-W043", Warning, "entity without a place",
        "An entity stands at a place that is not finite, or has a turn or size that is not; its node stands at the room's origin. Example: \"the \
        position is not finite\".";
    NO_SHAPE = "RMESH-W044", Warning, "nothing to see",
        "The room has no surfaces that can be shown. Example: \"the room has no triangles\".";
}

/// The room cannot be read further than its surfaces.
pub(super) fn damage_behind_surfaces(report: &mut Report, error: &Error) {
    let noted = report.warn(&DAMAGE, format!("{}; what follows is kept unread", error.message()));
    noted.in_field(error.path()).at(error.offset().unwrap_or_default());
}

/// Something other than the usual trailer stands at the end.
pub(super) fn left_over(report: &mut Report, room: &RMesh, end: u64) {
    let length = room.rest.len();
    let is_known = room.rest.is_empty() || *room.rest == *TRAILER;
    if !is_known && room.unread_entities == 0 && room.entities.is_some() {
        let start = end.saturating_sub(u64::try_from(length).unwrap_or_default());
        report
            .warn(&LEFT_OVER, format!("{length} bytes stand behind the end of the room"))
            .at(start)
            .in_field("rest");
    }
}

/// Entities of classes the game does not know.
pub(super) fn custom_classes(report: &mut Report, entities: &[Entity]) {
    for (index, entity) in entities.iter().enumerate() {
        if let Entity::Custom(class, fields) = entity {
            let message = format!(
                "the class {class:?} is not the game's; {} bytes are kept as its fields",
                fields.len()
            );
            report.warn(&CUSTOM_CLASS, message).in_field(format!("entities[{index}]"));
        }
    }
}

/// Fewer entities than the file promises.
pub(super) fn entities_missing(
    report: &mut Report,
    promised: i32,
    found: usize,
    end: Option<&Error>,
    start: u64,
) {
    let missing = i64::from(promised).saturating_sub(i64::try_from(found).unwrap_or(i64::MAX));
    if missing == 0 {
        return;
    }
    let why =
        end.map(|error| format!(" (entities{}: {})", error.path(), error.message())).unwrap_or_default();
    let message = format!("{promised} entities are promised, but only {found} can be read{why}");
    report.warn(&CUT_SHORT, message).in_field("entities").at(end.and_then(Error::offset).unwrap_or(start));
}
