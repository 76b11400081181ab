//! Dialogs: spoken lines with their subtitles, and the menu of topics.

use redguard_files::settings::ini::system::System;

/// The section `[dialog]` of SYSTEM.INI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DialogSettings {
    /// `dialog_max_menu_items`.
    pub max_menu_items: i32,
    /// `dialog_max_dialog_lines`.
    pub max_lines: i32,
    /// `dialog_max_text_width`, in pixels of a screen with 640.
    pub max_text_width: i32,
    /// `dialog_print_text`: whether subtitles are shown.
    pub prints_text: bool,
    /// `dialog_use_speech`: whether voices are played.
    pub uses_speech: bool,
    /// `dialog_max_distance`: the distance up to which actors speak, in world units.
    pub max_distance: i32,
    /// `menu_traverse_delay`, in BIOS ticks.
    pub repeat_delay: i32,
}

impl Default for DialogSettings {
    /// The settings of the shipped game; on CDs, subtitles are off. \[D\]
    fn default() -> Self {
        Self {
            max_menu_items: 20,
            max_lines: 20,
            max_text_width: 500,
            prints_text: true,
            uses_speech: true,
            max_distance: 1600,
            repeat_delay: 4,
        }
    }
}

impl DialogSettings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("dialog", key);
        Self {
            max_menu_items: number("dialog_max_menu_items"),
            max_lines: number("dialog_max_dialog_lines"),
            max_text_width: number("dialog_max_text_width"),
            prints_text: number("dialog_print_text") != 0,
            uses_speech: number("dialog_use_speech") != 0,
            max_distance: number("dialog_max_distance"),
            repeat_delay: number("menu_traverse_delay"),
        }
    }

    /// Returns the number of topics that the menu can have: at least 300, so the shipped setting has no effect. \[E\]
    #[must_use]
    pub fn menu_capacity(&self) -> usize {
        usize::try_from(self.max_menu_items.max(300)).unwrap_or_default()
    }

    /// Returns the number of lines that can be spoken at once: at least 16. The first is that of the player. \[E\]
    #[must_use]
    pub fn line_capacity(&self) -> usize {
        usize::try_from(self.max_lines.max(16)).unwrap_or_default()
    }

    /// Returns the width that each line of a subtitle stays below, in pixels of a screen with 640: at least 150. \[E\]
    #[must_use]
    pub fn text_width(&self) -> i32 {
        self.max_text_width.max(150)
    }

    /// Whether an actor at a distance from the player (world units times 256) can be heard. Lines do not start at a greater distance, and
    /// end there. \[E\]
    #[must_use]
    pub const fn is_heard(&self, distance: i32) -> bool {
        distance <= self.max_distance.saturating_mul(256)
    }

    /// Returns the BIOS ticks after which a held direction moves the selection of a menu again; 0 is 1. \[E\]
    #[must_use]
    pub const fn repeat_ticks(&self) -> i32 {
        if self.repeat_delay == 0 { 1 } else { self.repeat_delay }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_capacities_are_raised() {
        let shipped = DialogSettings::default();
        assert_eq!((shipped.menu_capacity(), shipped.line_capacity(), shipped.text_width()), (300, 20, 500));
        let low = DialogSettings { max_menu_items: -1, max_lines: 15, max_text_width: 0, ..shipped };
        assert_eq!((low.menu_capacity(), low.line_capacity(), low.text_width()), (300, 16, 150));
        assert_eq!(DialogSettings { max_menu_items: 301, ..shipped }.menu_capacity(), 301);
    }

    #[test]
    fn speech_is_heard_up_to_and_including_its_distance() {
        let distances = [1600 * 256, 1600 * 256 + 1];
        assert_eq!(distances.map(|it| DialogSettings::default().is_heard(it)), [true, false]);
    }

    #[test]
    fn a_repeat_delay_of_0_is_1() {
        let ticks = |repeat_delay| DialogSettings { repeat_delay, ..Default::default() }.repeat_ticks();
        assert_eq!([0, 1, 4].map(ticks), [1, 1, 4]);
    }
}
