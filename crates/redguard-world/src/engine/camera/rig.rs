//! The settings of SYSTEM.INI for the camera: a record for each mode, and the values that all share.

use super::super::clock::FrameScale;
use super::glide::Glide;
use super::record::{CameraRecord, OWN_PITCH};
use redguard_files::settings::ini::system::System;

/// The number of records.
const RECORDS: usize = 9;

/// The place of the camera: the index of its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CameraMode {
    /// Walking, and everything without a mode of its own.
    Walking,
    /// Controlled by a script.
    Scripted,
    /// In a fight.
    Combat,
    /// Hanging from a ledge.
    Hanging,
    /// On a rope.
    Rope,
    /// Above a rope. No known rule selects it. \[?\]
    RopeAbove,
    /// Below a rope. No known rule selects it. \[?\]
    RopeBelow,
    /// For tests of the developers.
    Debug,
}

/// The state of the player that determines the mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CameraSubject {
    /// Whether a weapon is in the hand.
    pub is_armed: bool,
    /// Whether the developers' camera is on.
    pub is_debugging: bool,
    /// What the body is busy with (`extra_flag`): 15 is hanging.
    pub living_state: u8,
    /// Whether the player is on a rope.
    pub is_on_rope: bool,
}

impl CameraMode {
    /// Returns the mode for a player: the first that applies. \[E\]
    #[must_use]
    pub const fn of(subject: CameraSubject) -> Self {
        match subject {
            CameraSubject { is_armed: true, .. } => Self::Combat,
            CameraSubject { is_debugging: true, .. } => Self::Debug,
            CameraSubject { living_state: 15, .. } => Self::Hanging,
            CameraSubject { is_on_rope: true, .. } => Self::Rope,
            _ => Self::Walking,
        }
    }

    /// Returns the index of its record.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Walking => 0,
            Self::Scripted => 2,
            Self::Combat => 3,
            Self::Hanging => 4,
            Self::Rope => 5,
            Self::RopeAbove => 6,
            Self::RopeBelow => 7,
            Self::Debug => 8,
        }
    }
}

/// The camera of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraRig {
    /// The record of each mode. No known rule selects record 1.
    pub records: [CameraRecord; RECORDS],
    /// The movement of the displayed camera.
    pub glide: Glide,
    /// `obstacle_size`: the radius above which a model is an obstacle, in world units.
    pub obstacle_size: i32,
    /// `max_acc`: the increase of the movement per frame, in world units times 256.
    pub max_acceleration: i32,
    /// `max_y_vel`: the largest vertical movement, in world units times 256.
    pub max_vertical_velocity: i32,
    /// `fudge_factor`, in world units. The shipped file lacks it, and its use is unknown. \[?\]
    pub fudge_factor: i32,
}

impl Default for CameraRig {
    /// The camera of the shipped game. \[D\]
    fn default() -> Self {
        let walking = CameraRecord::default();
        let base = CameraRecord { target_offset: [0; 3], ..walking };
        let rope = CameraRecord { angle_offset: [96, 128, 0], distance: 300, ..base };
        let combat = CameraRecord { angle_offset: [134, 245, 0], distance: 260, ..walking };
        let hanging = CameraRecord { angle_offset: [256, 0, 0], distance: 250, ..base };
        let records = [
            walking,
            base,
            base,
            combat,
            hanging,
            CameraRecord { flags: OWN_PITCH, max_velocity: 18_000, ..rope },
            CameraRecord { aim: [-512, 0, 0], ..rope },
            CameraRecord { aim: [512, 0, 0], ..rope },
            CameraRecord { distance: 300, ..base },
        ];
        Self {
            records,
            glide: Glide::default(),
            obstacle_size: 20,
            max_acceleration: 5000,
            max_vertical_velocity: 5000,
            fudge_factor: 0,
        }
    }
}

/// The modes with keys of their own, and the name in these keys.
const MODES: [(CameraMode, &str); 6] = [
    (CameraMode::Combat, "combat"),
    (CameraMode::Hanging, "hang"),
    (CameraMode::Rope, "rope"),
    (CameraMode::RopeAbove, "rope_above"),
    (CameraMode::RopeBelow, "rope_below"),
    (CameraMode::Debug, "debug"),
];

impl CameraRig {
    /// Returns the camera of SYSTEM.INI. The keys of walking also apply to all other modes, except `target_offset`, which only combat shares.
    /// \[E\]
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key: &str| system.integer("camera", key);
        let base = CameraRecord {
            flags: 0,
            offset: triple(system, "offset_pos"),
            angle_offset: triple(system, "offset_angle"),
            distance: number("camera_distance"),
            min_distance: number("camera_min_distance"),
            max_velocity: number("max_vel").cast_unsigned(),
            left_limit: number("camera_left_pos"),
            right_limit: number("camera_right_pos").wrapping_neg(),
            target_offset: [0; 3],
            aim: [0; 3],
        };
        let mut records = [base; RECORDS];
        for (mode, name) in MODES {
            if let Some(record) = records.get_mut(mode.index()) {
                *record = of_mode(system, mode, name, base);
            }
        }
        for mode in [CameraMode::Walking, CameraMode::Combat] {
            if let Some(record) = records.get_mut(mode.index()) {
                record.target_offset = triple(system, "target_offset");
            }
        }
        Self {
            records,
            glide: Glide::of_system(system),
            obstacle_size: number("obstacle_size"),
            max_acceleration: number("max_acc"),
            max_vertical_velocity: number("max_y_vel"),
            fudge_factor: number("fudge_factor"),
        }
    }

    /// Returns the record of a mode.
    #[must_use]
    pub fn record(&self, mode: CameraMode) -> CameraRecord {
        self.records.get(mode.index()).copied().unwrap_or_default()
    }

    /// Returns the vertical movement of a frame within its limits, in world units times 256, Y down. Only the limit upward depends on the
    /// scale. \[E\]
    ///
    /// That it is the scale of the update is our reading. \[?\]
    #[must_use]
    pub fn vertical_movement(&self, movement: i32, scale: FrameScale) -> i32 {
        let highest = scale.of(self.max_vertical_velocity.wrapping_neg());
        movement.min(self.max_vertical_velocity).max(highest)
    }

    /// Whether a model with a radius (world units times 256) can block the view. \[E\]
    #[must_use]
    pub const fn is_obstacle(&self, radius: i32) -> bool {
        radius > self.obstacle_size.wrapping_shl(8)
    }
}

/// Returns the numbers of three keys.
fn triple(system: &System, name: &str) -> [i32; 3] {
    ["x", "y", "z"].map(|axis| system.integer("camera", &format!("{name}_{axis}")))
}

/// Returns the record of a mode with keys of its own.
fn of_mode(system: &System, mode: CameraMode, name: &str, base: CameraRecord) -> CameraRecord {
    let angles = triple(system, &format!("camera_{name}_angle_offset"));
    let number = |key: &str| system.integer("camera", &format!("camera_{name}_{key}"));
    let max_velocity = number("max_vel").cast_unsigned();
    let [_, base_yaw, base_roll] = base.angle_offset;
    let [.., last] = angles;
    CameraRecord {
        flags: if mode == CameraMode::Rope { OWN_PITCH } else { 0 },
        // The program stores all three angles of this mode in the first one.
        angle_offset: if mode == CameraMode::Debug { [last, base_yaw, base_roll] } else { angles },
        distance: number("distance"),
        max_velocity: if max_velocity == 0 { base.max_velocity } else { max_velocity },
        aim: triple(system, &format!("camera_{name}_aim")),
        ..base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rig(text: &str) -> CameraRig {
        let text = format!("[camera]\n{text}");
        let ini = media::ini::Ini::parse(text.as_bytes(), asset::Charset::Cp437).unwrap();
        CameraRig::of_system(&System::read(&ini))
    }

    #[test]
    fn the_shipped_file_has_the_shipped_camera() {
        assert_eq!(CameraRig::of_system(&System::shipped()), CameraRig::default());
    }

    #[test]
    fn the_keys_of_walking_apply_to_all_modes_except_the_target() {
        let rig =
            rig("offset_pos_y=7\noffset_angle_z=3\nmax_vel=-1\ncamera_right_pos=9\ntarget_offset_x=5\n");
        for (index, record) in rig.records.iter().enumerate() {
            assert_eq!((record.offset, record.max_velocity, record.right_limit), ([0, 7, 0], u32::MAX, -9));
            let is_target = [0, 3].contains(&index);
            assert_eq!(record.target_offset, if is_target { [5, 0, 0] } else { [0; 3] }, "{index}");
        }
    }

    #[test]
    fn modes_have_keys_of_their_own() {
        let rig = rig("camera_distance=8\nmax_vel=6\ncamera_hang_angle_offset_y=4\ncamera_hang_max_vel=5\n\
            camera_rope_below_aim_z=2\n");
        let hanging = rig.record(CameraMode::Hanging);
        assert_eq!((hanging.angle_offset, hanging.distance, hanging.max_velocity), ([0, 4, 0], 0, 5));
        assert_eq!(rig.record(CameraMode::RopeBelow).aim, [0, 0, 2]);
        assert_eq!((rig.record(CameraMode::Combat).max_velocity, rig.records[1].distance), (6, 8));
        assert_eq!(rig.record(CameraMode::Rope).flags, OWN_PITCH);
    }

    #[test]
    fn the_angles_of_debugging_are_all_stored_in_the_first() {
        let rig = rig("offset_angle_x=1\noffset_angle_y=2\noffset_angle_z=3\n\
            camera_debug_angle_offset_x=4\ncamera_debug_angle_offset_y=5\ncamera_debug_angle_offset_z=6\n");
        assert_eq!(rig.record(CameraMode::Debug).angle_offset, [6, 2, 3]);
    }

    #[test]
    fn a_drawn_weapon_takes_precedence_over_other_modes() {
        let mut subject =
            CameraSubject { is_armed: true, is_debugging: true, living_state: 15, is_on_rope: true };
        assert_eq!(CameraMode::of(subject), CameraMode::Combat);
        subject.is_armed = false;
        assert_eq!(CameraMode::of(subject), CameraMode::Debug);
        subject.is_debugging = false;
        assert_eq!(CameraMode::of(subject), CameraMode::Hanging);
        subject.living_state = 0;
        assert_eq!(CameraMode::of(subject), CameraMode::Rope);
        assert_eq!(CameraMode::of(CameraSubject::default()), CameraMode::Walking);
    }

    #[test]
    fn only_the_vertical_limit_upward_depends_on_the_scale() {
        let moved = |movement| CameraRig::default().vertical_movement(movement, FrameScale(128));
        assert_eq!([9000, 4000, -2000, -9000].map(moved), [5000, 4000, -2000, -2500]);
    }

    #[test]
    fn only_larger_models_block_the_view() {
        let rig = CameraRig::default();
        assert_eq!([20 * 256, 20 * 256 + 1].map(|radius| rig.is_obstacle(radius)), [false, true]);
    }
}
