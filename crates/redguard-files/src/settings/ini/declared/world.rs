//! The keys of WORLD.INI.
//!
//! Source: redguard-preservation 0.10.4; the comments of the shipped file for keys of which only the name is known.

use super::super::key::File::{Exact, Map, Palette, Sky, Terrain, Texture, Unchecked};
use super::super::key::{File, Group, Key, Missing, ValueKind, Width};

/// The only section with its keys.
pub(super) const GROUPS: &[Group] = &[Group {
    section: "world",
    about: "The world of a new game, and for each world its map, terrain, palette, light, sky and weather.",
    keys: KEYS,
}];

/// Declares an integer of each world.
const fn int(name: &'static str, about: &'static str) -> Key {
    Key::integer(name, "", about).indices(0, 99)
}

/// Declares a path of each world.
const fn path(name: &'static str, file: File, about: &'static str) -> Key {
    Key::path(name, file, "", about).indices(0, 99)
}

/// Declares a color of each world.
const fn color(name: &'static str, about: &'static str, missing: &'static [i32]) -> Key {
    Key::of(ValueKind::Color, name, "", about).indices(0, 99).missing(Missing::Numbers(missing))
}

const KEYS: &[Key] = &[
    Key::integer("start_world", "0", "Number of the world in which a new game starts. Required.")
        .range(0, i32::MAX),
    Key::integer("start_marker", "0", "Number of the map's marker at which a new game starts. Required.")
        .range(0, i32::MAX),
    Key::integer("test_map_delay", "0", "Delay of the test that enters one world after the other.").by_name(),
    Key::of(ValueKind::List, "test_map_order", "", "Worlds of the test in their order; -2 ends the list.")
        .by_name(),
    path("world_map[]", Map, "Map. The models and the script of the map have the same name."),
    path("world_world[]", Terrain, "Terrain; a world without it has none."),
    int(
        "world_redbook[]",
        "Track of the CD, 2 to 7. A missing key and -1 keep the music; other numbers below 1 stop it.",
    )
    .missing(Missing::Nothing),
    path(
        "world_palette[]",
        Palette,
        "Palette. The Glide renderer uses the file of the same name in the folder fxart.",
    ),
    int("world_shade[]", "Number of the table for shading in the software renderer.").without_effect(),
    int("world_haze[]", "Number of the table for haze in the software renderer.").without_effect(),
    int(
        "world_back_plane[]",
        "Distance at which drawing ends, instead of back_plane of SYSTEM.INI, if not 0.",
    )
    .unit("world units"),
    int("world_background[]", "Background of the software renderer.").without_effect(),
    int("world_compass[]", "Added to the heading that the compass shows.").unit("2048 per turn"),
    path("world_flash_filename[]", Exact, "Pictures of the loading screen; the game shows a random one."),
    Key::of(ValueKind::Integers(4), "world_sun[]", "", "Sun of the software renderer.")
        .indices(0, 99)
        .missing(Missing::Nothing)
        .without_effect(),
    int("world_ambient[]", "Ambient light of the software renderer.")
        .missing(Missing::Nothing)
        .without_effect(),
    int("world_ambientfx[]", "Brightness of effects and of sprites of scripts; 0 is 128.")
        .width(Width::SignedWord)
        .missing(Missing::InsteadOfZero(128)),
    color("world_ambientrgb[]", "Ambient light: red, green and blue.", &[128, 128, 128]),
    color(
        "world_sunrgb[]",
        "Sunlight at perpendicular incidence: red, green and blue. The fourth number of the shipped file is not used.",
        &[128, 128, 100],
    ),
    int("world_sunangle[]", "Elevation of the sun.").unit("2048 per turn"),
    int("world_sunskew[]", "Sideways rotation of the sun.").unit("2048 per turn"),
    color("world_fogrgb[]", "Color of fog and background: red, green and blue.", &[0, 0, 0]),
    path("world_sky[]", Unchecked, "Sky of the software renderer.").without_effect(),
    path(
        "world_skyfx[]",
        Sky,
        "Image of the moving sky, with the palette of the same name; a world without it has no sky.",
    ),
    int("world_skyscale[]", "Texels of the sky per 65,000 world units; 0 is 2000.")
        .unit("texels")
        .missing(Missing::InsteadOfZero(2000)),
    int("world_skylevel[]", "Height of the sky, Y down; 0 is -3500.")
        .unit("world units")
        .missing(Missing::InsteadOfZero(-3500)),
    int("world_skyspeed[]", "Speed of the sky. Only the low byte counts.")
        .unit("1/16 texel per BIOS tick")
        .width(Width::Byte),
    int("world_sky_xrotate[]", "Rotation of the sky.").missing(Missing::Nothing).by_name(),
    int("world_sky_yrotate[]", "Rotation of the sky.").missing(Missing::Nothing).by_name(),
    path(
        "world_sunimg[]",
        Texture,
        "Image of the sun, whose pixels are opacities; a world without it shows no sun.",
    ),
    color("world_sunimgrgb[]", "Color of the image of the sun: red, green and blue.", &[255, 255, 200]),
    int("world_sunscale[]", "Size of the image of the sun; 0 is 12800.")
        .unit("percent")
        .missing(Missing::InsteadOfZero(12_800)),
    int("world_scapeshift[]", "Added to the heights of the terrain, Y down.")
        .unit("world units")
        .width(Width::SignedWord),
    Key::of(
        ValueKind::Wave,
        "world_wave[]",
        "",
        "Waves of water: amplitude in world units, speed and frequency. An amplitude of 0 is still water.",
    )
    .indices(0, 99),
    path("world_node_map#[]", Unchecked, "Node map. No edition contains these files."),
    int("world_rain_delay[]", "Time between two drops of rain.").missing(Missing::Nothing).by_name(),
    int("world_rain_drops[]", "Largest number of drops of rain.").missing(Missing::Nothing).by_name(),
    int("world_rain_start[]", "Height at which drops of rain start.").missing(Missing::Nothing).by_name(),
    int("world_rain_end[]", "Height at which drops of rain end.").missing(Missing::Nothing).by_name(),
    Key::of(
        ValueKind::Integers(4),
        "world_rain_sphere#[]",
        "",
        "Sphere in which rain falls: X, Y, Z and radius.",
    )
    .indices(0, 99)
    .unit("world units")
    .missing(Missing::Nothing)
    .by_name(),
];
