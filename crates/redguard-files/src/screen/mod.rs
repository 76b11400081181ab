//! Pictures of screens that the game draws from its settings: the pages of the menu (`MENU.INI`) and the HUD (`SYSTEM.INI`).
//!
//! Positions, images and fonts are those of the settings and files of the game. A missing file is reported, and the rest is drawn.
//!
//! Source: redguard-preservation 0.10.4.

mod canvas;
mod file;
mod formula;
mod hud;
mod menu;
#[cfg(test)]
mod tests;
mod widget;

use asset::{Context, Offer};

pub use formula::{
    SHADOW, candle_frames, candle_level, centered_at, compass_frame, justified, shadow_alpha, slider,
    slider_frame, slider_step,
};

use crate::settings::ini::{Kind, Settings};

impl Settings {
    /// Returns the pictures that the game draws from the settings: the pages of the menu, or the HUD.
    pub(crate) fn screens<'a>(&'a self, context: &Context<'a>) -> Vec<Offer<'a>> {
        match self.kind() {
            Some(Kind::Menu) => menu::offers(self.ini(), context),
            Some(Kind::System) => vec![hud::offer(self.ini(), context)],
            _ => Vec::new(),
        }
    }
}
