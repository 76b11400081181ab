//! The tables of the game, each with its sections and keys.

use super::super::{chunk, drink};
use super::{KeyRule, Kind, Schema, SectionRule};

const fn key(name: &'static str, kind: Kind, about: &'static str) -> KeyRule {
    KeyRule { name, kind, about }
}

const fn section(name: &'static str, about: &'static str, keys: &'static [KeyRule]) -> SectionRule {
    SectionRule { name, about, keys }
}

const SOUND: Kind = Kind::File("sound", "", "");
/// A DirectInput key code.
const KEY_CODE: Kind = Kind::WholeWithin(0, 255);
const FRACTION: Kind = Kind::Within(0.0, 1.0);

const CHARACTER: &[KeyRule] = &[
    key("speed", Kind::Number, "Walking speed."),
    key("scale", Kind::Number, "Size; the base that it multiplies depends on the model."),
];

/// `Data/NPCs.ini`.
pub static NPCS: Schema = Schema {
    id: "scpcb.npcs",
    name: "SCP – Containment Breach character table",
    path: "Data/NPCs.ini",
    about: "size and speed of characters",
    is_common_name: false,
    noun: ["character", "characters"],
    // The characters whose sections the game's code reads.
    sections: &[
        section("scp-173", "The Sculpture.", CHARACTER),
        section("scp-106", "The Old Man.", CHARACTER),
        section("scp-096", "The Shy Guy.", CHARACTER),
        section("scp-049", "The Plague Doctor.", CHARACTER),
        section("scp-049-2", "Victims of SCP-049.", CHARACTER),
        section("guard", "Guards.", CHARACTER),
        section("mtf", "The Mobile Task Force.", CHARACTER),
        section("forestmonster", "The creature in the forest of SCP-860-1.", CHARACTER),
        section("scp-939", "With Many Voices.", CHARACTER),
        section("scp-066", "Eric's Toy.", CHARACTER),
        section("scp-966", "Sleep Killers.", CHARACTER),
        section("scp-1499-1", "The inhabitants of the dimension of SCP-1499.", CHARACTER),
    ],
    extra: None,
};

/// `Data/NPCBones.ini`.
pub static NPC_BONES: Schema = Schema {
    id: "scpcb.npcbones",
    name: "SCP – Containment Breach bone table",
    path: "Data/NPCBones.ini",
    about: "bones and axes by which characters turn to the player",
    is_common_name: false,
    noun: ["character", "characters"],
    sections: &[section(
        "*",
        "A character. Its keys start with the name of a bone in the game's code: `head`, `chest`.",
        &[
            key(
                "*_bonename",
                Kind::Text,
                "Name of the bone in the model. If the model does not have it, the game stops.",
            ),
            key("*_controller_max", Kind::WholeWithin(0, 3), "Number of the following axes that are used."),
            key("*_controlleraxis#", Kind::ExactChoice(&["pitch", "yaw", "roll"]), "Rotation axis."),
            key("*_controlleraxis#_min", Kind::Number, "Minimum angle in degrees."),
            key("*_controlleraxis#_max", Kind::Number, "Maximum angle in degrees."),
            key("*_controlleraxis#_offset", Kind::Number, "Offset in degrees."),
            key("*_controlleraxis#_smoothing", Kind::Number, "Smoothing; higher values turn more slowly."),
            key("*_controlleraxis#_inverse", Kind::ExactSwitch, "Whether the rotation is inverted."),
        ],
    )],
    extra: None,
};

/// `Data/events.ini`.
pub static EVENTS: Schema = Schema {
    id: "scpcb.events",
    name: "SCP – Containment Breach event table",
    path: "Data/events.ini",
    about: "the events that the map creator offers, and their rooms",
    is_common_name: true,
    noun: ["event", "events"],
    sections: &[section(
        "*",
        "An event.",
        &[
            key("descr", Kind::Text, "Description in the map creator."),
            key("room#", Kind::Room, "`room1` to `room9`: a room that can have the event."),
        ],
    )],
    extra: None,
};

/// `Data/SCP-294.ini`.
pub static DRINKS: Schema = Schema {
    id: "scpcb.scp294",
    name: "SCP – Containment Breach drink table",
    path: "Data/SCP-294.ini",
    about: "drinks of the coffee machine SCP-294",
    is_common_name: false,
    noun: ["drink", "drinks"],
    sections: &[section(
        "*",
        "A drink: its names, separated by `|`.",
        &[
            key("color", Kind::Color, "Color."),
            key("alpha", FRACTION, "Opacity; 0 counts as 1."),
            key("glow", Kind::Switch, "Whether it glows."),
            key("sound", SOUND, "Sound when the player drinks it."),
            key("dispensesound", SOUND, "Sound when it is served."),
            key("message", Kind::Text, "Message when the player drinks it."),
            key("refusemessage", Kind::Text, "Message when the player refuses to drink it."),
            key("deathmessage", Kind::Text, "Message when it kills the player."),
            key("lethal", Kind::Switch, "Whether it kills immediately."),
            key("deathtimer", Kind::Whole, "Seconds until it kills the player."),
            key("blur", Kind::Whole, "Seconds of blurred vision."),
            key("vomit", Kind::Whole, "Seconds until the player vomits."),
            key("camerashake", Kind::Number, "Duration of camera shake."),
            key("damage", Kind::Whole, "Added injuries; negative values heal."),
            key("blood loss", Kind::Whole, "Added blood loss."),
            key("stomachache", Kind::Switch, "Whether it causes a permanent stomachache."),
            key("stamina effect", Kind::Number, "Factor of the stamina drain; normally 1."),
            key("stamina effect timer", Kind::Number, "Duration of the stamina effect in seconds."),
            key("blink effect", Kind::Number, "Factor of the blink rate; normally 1."),
            key("blink effect timer", Kind::Number, "Duration of the blink effect in seconds."),
            key("explosion", Kind::Switch, "Whether the facility explodes when it is served."),
        ],
    )],
    extra: Some(drink::check),
};

/// `Data/1499chunks.ini`.
pub static CHUNKS: Schema = Schema {
    id: "scpcb.chunks",
    name: "SCP – Containment Breach table of SCP-1499",
    path: "Data/1499chunks.ini",
    about: "pieces of the dimension of SCP-1499",
    is_common_name: false,
    noun: ["section", "sections"],
    sections: &[
        section(
            "general",
            "General settings.",
            &[key("count", Kind::WholeWithin(0, i64::MAX), "Number of the last chunk.")],
        ),
        section(
            "chunk#",
            "A square of 40 engine units.",
            &[
                key("count", Kind::WholeWithin(0, chunk::LAST_OBJECT), "Number of its last object."),
                key(
                    "obj#",
                    Kind::WholeWithin(1, chunk::LAST_MODEL),
                    "Number N of the model `GFX/map/dimension1499/1499objectN.b3d`.",
                ),
                key("obj#-x", Kind::Number, "X position relative to the center, in engine units."),
                key("obj#-z", Kind::Number, "Z position relative to the center, in engine units."),
                key(
                    "obj#-yaw",
                    Kind::NumberOr("random"),
                    "Rotation in degrees; `random` depends on the seed.",
                ),
            ],
        ),
    ],
    extra: Some(chunk::check),
};

/// `Data/achievementstrings.ini`.
pub static ACHIEVEMENTS: Schema = Schema {
    id: "scpcb.achievements",
    name: "SCP – Containment Breach achievement table",
    path: "Data/achievementstrings.ini",
    about: "names, texts and images of achievements",
    is_common_name: false,
    noun: ["achievement", "achievements"],
    sections: &[section(
        "s#",
        "An achievement by its zero-based number.",
        &[
            key("string1", Kind::Text, "Name."),
            key("achvdesc", Kind::Text, "Description."),
            key("image", Kind::File("image", "GFX\\menu\\achievements\\", ".jpg"), "Image."),
        ],
    )],
    extra: None,
};

/// `Loadingscreens/loadingscreens.ini`.
pub static LOADING_SCREENS: Schema = Schema {
    id: "scpcb.loadingscreens",
    name: "SCP – Containment Breach loading screen table",
    path: "Loadingscreens/loadingscreens.ini",
    about: "images and texts of loading screens",
    is_common_name: false,
    noun: ["loading screen", "loading screens"],
    sections: &[section(
        "*",
        "A loading screen by its title.",
        &[
            key("image path", Kind::File("image", "Loadingscreens\\", ""), "Image."),
            key("text#", Kind::Text, "`text1` to `text5`: texts that are shown one after another."),
            key("disablebackground", Kind::Switch, "Whether the background is hidden."),
            key(
                "align x",
                Kind::Choice(&["left", "middle", "center", "right"]),
                "Horizontal alignment of the image.",
            ),
            key(
                "align y",
                Kind::Choice(&["top", "up", "middle", "center", "bottom", "down"]),
                "Vertical alignment of the image.",
            ),
        ],
    )],
    extra: None,
};

/// `options.ini`.
pub static OPTIONS: Schema = Schema {
    id: "scpcb.options",
    name: "SCP – Containment Breach options",
    path: "options.ini",
    about: "the options of the game and of its map creator",
    is_common_name: true,
    noun: ["section", "sections"],
    sections: &[
        section(
            "options",
            "Graphics and controls.",
            &[
                key("width", Kind::Whole, "Width in pixels."),
                key("height", Kind::Whole, "Height in pixels."),
                key("fullscreen", Kind::Switch, ""),
                key("borderless windowed", Kind::Switch, ""),
                key("gfx driver", Kind::Whole, "One-based number of the graphics card."),
                key("audio driver", Kind::Whole, ""),
                key("brightness", Kind::Whole, ""),
                key("screengamma", Kind::Number, ""),
                key("show fps", Kind::Switch, ""),
                key("framelimit", Kind::Whole, "Frames per second; 0 for no limit."),
                key("vsync", Kind::Switch, ""),
                key("mouse sensitivity", Kind::Number, ""),
                key("invert mouse y", Kind::Switch, ""),
                key("mouse smoothing", Kind::Number, ""),
                key("camera fog near", Kind::Number, "Distance where fog starts, in engine units."),
                key("camera fog far", Kind::Number, "Distance where fog is complete, in engine units."),
                key("fog r", Kind::WholeWithin(0, 255), ""),
                key("fog g", Kind::WholeWithin(0, 255), ""),
                key("fog b", Kind::WholeWithin(0, 255), ""),
                key("map width", Kind::Whole, "Last column of the facility."),
                key("map height", Kind::Whole, "Last row of the facility."),
                key("achievement popup enabled", Kind::Switch, ""),
                key("bump mapping enabled", Kind::Switch, ""),
                key("anisotropy", Kind::Whole, ""),
                key("antialias", Kind::Switch, ""),
                key("hud enabled", Kind::Switch, ""),
                key("intro enabled", Kind::Switch, "Whether a new game starts with the intro."),
                key("room lights enabled", Kind::Switch, ""),
                key("texture details", Kind::Whole, ""),
                key("16bit", Kind::Switch, ""),
                key("antialiased text", Kind::Switch, ""),
                key("particle amount", Kind::Whole, ""),
                key("enable vram", Kind::Switch, ""),
                key("check for updates", Kind::Switch, ""),
                key("play startup video", Kind::Switch, ""),
            ],
        ),
        section(
            "audio",
            "Sound.",
            &[
                key("music volume", FRACTION, ""),
                key("sound volume", FRACTION, ""),
                key("enable user tracks", Kind::Switch, ""),
                key("user track setting", Kind::Whole, ""),
                key("sfx release", Kind::Switch, ""),
            ],
        ),
        section("binds", "Key bindings as DirectInput codes.", &[key("* key", KEY_CODE, "A key.")]),
        section(
            "launcher",
            "The launcher.",
            &[
                key("launcher width", Kind::Whole, "Width in pixels."),
                key("launcher height", Kind::Whole, "Height in pixels."),
                key("launcher enabled", Kind::Switch, ""),
            ],
        ),
        section(
            "console",
            "The console.",
            &[
                key("enabled", Kind::Switch, ""),
                key("auto opening", Kind::Switch, "Whether the console opens at errors."),
            ],
        ),
        section(
            "map creator",
            "The map creator.",
            &[
                key("resolution select", Kind::Whole, ""),
                key("width", Kind::Whole, "Width in pixels."),
                key("height", Kind::Whole, "Height in pixels."),
            ],
        ),
        section(
            "general",
            "Settings file of the map creator.",
            &[key("events_default", Kind::Switch, "Whether rooms get their events by default.")],
        ),
        section(
            "3d scene",
            "Settings file of the map creator.",
            &[
                key("bg color r", Kind::WholeWithin(0, 255), ""),
                key("bg color g", Kind::WholeWithin(0, 255), ""),
                key("bg color b", Kind::WholeWithin(0, 255), ""),
                key("cursor color r", Kind::WholeWithin(0, 255), ""),
                key("cursor color g", Kind::WholeWithin(0, 255), ""),
                key("cursor color b", Kind::WholeWithin(0, 255), ""),
                key("camera range", Kind::Whole, ""),
                key("vsync", Kind::Switch, ""),
                key("show fps", Kind::Switch, ""),
                key("adjdoors_place", Kind::Switch, "Whether doors are shown between rooms."),
            ],
        ),
    ],
    extra: None,
};

/// All tables.
pub static ALL: [&Schema; 8] =
    [&NPCS, &NPC_BONES, &EVENTS, &DRINKS, &CHUNKS, &ACHIEVEMENTS, &LOADING_SCREENS, &OPTIONS];
