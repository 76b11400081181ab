//! The options of pictures of the menu and the HUD.

use asset::{Number, Text};

/// `--select`.
pub(crate) const SELECT: Text = Text::new(
    "select",
    "Selected entry of each menu page that has it: its text or its index. Default: the entry that the game selects first.",
    "ENTRY",
);

/// `--gray`.
pub(crate) const GRAY: Text = Text::new(
    "gray",
    "Entries of menu pages to draw as disabled: texts or indices, separated by commas.",
    "ENTRIES",
);

/// `--health`.
pub(crate) const HEALTH: Number =
    Number::new("health", "Health of the player in the picture of the HUD.", 100.0, 0.0, 100.0);

/// `--heading`.
pub(crate) const HEADING: Number = Number::new(
    "heading",
    "Heading of the player in the picture of the HUD, 2048 per turn.",
    0.0,
    0.0,
    2047.0,
);

/// `--world`.
pub(crate) const WORLD: Number = Number::new(
    "world",
    "Number of the world in WORLD.INI whose compass the picture of the HUD shows. Default: start_world.",
    UNSET,
    UNSET,
    4_294_967_295.0,
);

/// `--item`.
pub(crate) const ITEM: Number = Number::new(
    "item",
    "Number of the item in ITEM.INI that the picture of the HUD shows. Default: the item selected at the start.",
    UNSET,
    UNSET,
    4_294_967_295.0,
);

/// `--count`.
pub(crate) const COUNT: Number =
    Number::new("count", "Count of the item in the picture of the HUD.", 1.0, 0.0, 2_147_483_647.0);

/// `--power-ups`.
pub(crate) const POWER_UPS: Text = Text::new(
    "power-ups",
    "Frames of the power-ups in the picture of the HUD: none, one number, or two separated by a comma. Default: 0,1.",
    "FRAMES",
);

/// No number: the default of the settings.
const UNSET: f64 = -1.0;

asset::format_options! {
    /// Options for pictures of the menu and the HUD.
    pub struct ScreenOptions {
        /// Selected entry of each menu page that has it: its text or its index.
        select: &str = SELECT;
        /// Entries of menu pages to draw as disabled: texts or indices, separated by commas.
        gray: &str = GRAY;
        /// Health of the player in the HUD, 0 to 100.
        health: f64 = HEALTH;
        /// Heading of the player in the HUD, 2048 per turn.
        heading: f64 = HEADING;
        /// Number of the world whose compass the HUD shows; negative for the start world.
        world: f64 = WORLD;
        /// Number of the item that the HUD shows; negative for the item selected at the start.
        item: f64 = ITEM;
        /// Count of the item in the HUD.
        count: f64 = COUNT;
        /// Frames of the power-ups in the HUD: `none`, one number, or two separated by a comma.
        power_ups: &str = POWER_UPS;
    }
}
