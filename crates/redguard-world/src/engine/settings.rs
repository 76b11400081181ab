//! The settings of SYSTEM.INI that the engine's computations use.
//!
//! Each subject has its own structure, in the module of the subject; its default is the shipped game. Functions replace missing and bad
//! values as the game does, so the structures can also be built from unchecked numbers.

use asset::Context;
use redguard_files::settings::ini::system::System;

use super::camera::{CameraRig, ClipPlanes};
use super::clock::FrameRates;
use super::dialog::DialogSettings;
use super::fall::FallSettings;
use super::ground::GroundSettings;
use super::hud::HudLayout;
use super::jump::JumpSettings;
use super::player::PlayerSettings;
use super::rope::RopeSettings;
use super::sky::SkySwitches;
use super::slide::SlideSettings;
use super::sound::SoundSettings;
use super::water::SwimSettings;

/// All settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// The length of updates.
    pub frame_rates: FrameRates,
    /// Standing on ground.
    pub ground: GroundSettings,
    /// Jumps.
    pub jump: JumpSettings,
    /// Falls.
    pub fall: FallSettings,
    /// Slides.
    pub slide: SlideSettings,
    /// Swimming.
    pub swim: SwimSettings,
    /// Ropes.
    pub rope: RopeSettings,
    /// The controls of the player.
    pub player: PlayerSettings,
    /// The camera.
    pub camera: CameraRig,
    /// The clip distances of the camera.
    pub clip_planes: ClipPlanes,
    /// The sky.
    pub sky: SkySwitches,
    /// Dialogs.
    pub dialog: DialogSettings,
    /// Sounds.
    pub sound: SoundSettings,
    /// Images drawn over the scene.
    pub hud: HudLayout,
}

impl Settings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        Self {
            frame_rates: FrameRates::of_system(system),
            ground: GroundSettings::of_system(system),
            jump: JumpSettings::of_system(system),
            fall: FallSettings::of_system(system),
            slide: SlideSettings::of_system(system),
            swim: SwimSettings::of_system(system),
            rope: RopeSettings::of_system(system),
            player: PlayerSettings::of_system(system),
            camera: CameraRig::of_system(system),
            clip_planes: ClipPlanes::of_system(system),
            sky: SkySwitches::of_system(system),
            dialog: DialogSettings::of_system(system),
            sound: SoundSettings::of_system(system),
            hud: HudLayout::of_system(system),
        }
    }

    /// Returns the settings of the game that a file belongs to; the shipped ones if it has no SYSTEM.INI.
    #[must_use]
    pub fn of_game(context: &Context<'_>) -> Self {
        Self::of_system(&System::of_game(context))
    }
}

#[cfg(test)]
mod tests {
    use asset::Charset;
    use media::ini::Ini;

    use super::super::clock::FrameScale;
    use super::super::fall::Fall;
    use super::*;

    fn settings(text: &str) -> Settings {
        let ini = Ini::parse(text.as_bytes(), Charset::Cp437).unwrap();
        Settings::of_system(&System::read(&ini))
    }

    #[test]
    fn the_defaults_are_the_shipped_settings() {
        let mut shipped = Settings::of_system(&System::shipped());
        // The capacity is raised when the file is read, as it also is when it is used.
        assert_eq!(shipped.dialog.max_menu_items, 300);
        shipped.dialog.max_menu_items = Settings::default().dialog.max_menu_items;
        assert_eq!(shipped, Settings::default());
    }

    #[test]
    fn bad_values_are_replaced() {
        let bad = settings(
            "[system]\njump_time = 0\njump_height = x\nnormal_frame_rate =\nmin_frame_rate = 6\nmax_frame_rate = 300\n\
             [game]\nslide_speed = 7\nswim_depth = 0\nplayer_fall_dead_time = -1\n\
             [cyrus]\nsheath_sword_delay = 0\n[dialog]\nmenu_traverse_delay = off\n",
        );
        assert_eq!((bad.jump.time(0), bad.jump.height(0)), (6, 80));
        assert_eq!(bad.frame_rates.scale(12), FrameScale::NOMINAL);
        assert_eq!(bad.slide.step(FrameScale::NOMINAL), 8 * 128);
        assert_eq!(bad.swim.model_drop(141, 2, 0), 40);
        assert!(bad.fall.ends_game(37) && !bad.fall.ends_game(36));
        assert!(!bad.player.sheathes(6) && bad.dialog.repeat_ticks() == 1);
    }

    #[test]
    fn missing_values_are_0() {
        let none = settings("[system]\n");
        assert_eq!(none.fall.effect(1, 0), Fall::Dead);
        assert!(!none.dialog.is_heard(1) && !none.dialog.prints_text && !none.sound.plays_music);
        assert_eq!((none.hud.candle, none.clip_planes.back), ([0, 0], 0));
        assert_eq!(none.camera.records[0].distance, 0);
    }

    #[test]
    fn words_and_later_copies_are_read_as_the_game_does() {
        let odd = settings("[Cyrus]\nWALK_MODE = yes\nwalk_mode = 0\nauto_grab = 2\nmouse_turn = 2\n");
        assert!(odd.player.walks && !odd.player.grabs_automatically && odd.player.turns_by_mouse);
    }
}
