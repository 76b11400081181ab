//! The movement of the displayed camera toward its target.

use super::super::rotation::Angle2048;
use crate::number::{float, truncated};
use redguard_files::settings::ini::system::System;

/// The parts of a gap that the camera closes in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glide {
    /// `glide_x`, `glide_y` and `glide_z`: position along X, Y and Z.
    pub position: [f32; 3],
    /// `glide_angle_y`, `glide_angle_x` and `glide_angle_z`: pitch, yaw and roll. The program exchanges the keys of the first two.
    pub angles: [f32; 3],
}

impl Default for Glide {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { position: [0.9, 0.2, 0.9], angles: [0.1, 0.7, 0.7] }
    }
}

impl Glide {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.float("camera", key);
        Self {
            position: ["glide_x", "glide_y", "glide_z"].map(number),
            angles: ["glide_angle_y", "glide_angle_x", "glide_angle_z"].map(number),
        }
    }

    /// Returns the position after a frame. \[E\]
    #[must_use]
    pub fn moved(&self, [x, y, z]: [f32; 3], [to_x, to_y, to_z]: [f32; 3]) -> [f32; 3] {
        let [part_x, part_y, part_z] = self.position;
        [x + (to_x - x) * part_x, y + (to_y - y) * part_y, z + (to_z - z) * part_z]
    }

    /// Returns pitch, yaw and roll after a frame. \[E\]
    #[must_use]
    pub fn turned(
        &self,
        [pitch, yaw, roll]: [Angle2048; 3],
        [to_pitch, to_yaw, to_roll]: [Angle2048; 3],
    ) -> [Angle2048; 3] {
        let turned = |angle: Angle2048, to: Angle2048, part: f32| {
            angle.plus(truncated(float(to.difference(angle)) * part))
        };
        let [part_pitch, part_yaw, part_roll] = self.angles;
        [turned(pitch, to_pitch, part_pitch), turned(yaw, to_yaw, part_yaw), turned(roll, to_roll, part_roll)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_glides_slowly_up_and_quickly_to_the_side() {
        let [x, y, z] = Glide::default().moved([32_481.0, -330.0, 0.0], [32_581.0, -300.0, -10.0]);
        assert!((x - 32_571.0).abs() < 0.01 && (y + 324.0).abs() < 0.01 && (z + 9.0).abs() < 0.01);
    }

    #[test]
    fn pitch_glides_by_the_key_named_y_and_yaw_by_the_key_named_x() {
        let angles = |angles: [i32; 3]| angles.map(Angle2048::new);
        let turned = Glide::default().turned(angles([0, 2027, 0]), angles([100, 79, -10]));
        assert_eq!(turned.map(Angle2048::get), [10, 49, 2041]);
    }
}
