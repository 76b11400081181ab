//! The update window: active actors and actors in the cells around the camera are updated.

use super::body::Body;
use redguard_world::engine::camera::{CameraMode, CameraRig, CameraSubject};
use redguard_world::engine::visibility;

/// The attribute of actors that are not updated in the outermost cells.
const INNER_ONLY: usize = 113;

/// Returns the position of the camera in world units: behind the player, without obstacles.
pub(super) fn view(player: &Body, camera: &CameraRig) -> [i32; 3] {
    let [_, heading, _] = player.angles;
    let subject = CameraSubject { is_armed: player.holds_weapon(), ..CameraSubject::default() };
    let record = camera.record(CameraMode::of(subject));
    record.candidate(player.position, [0, heading, 0]).map(|it| it >> 8)
}

/// Whether an actor is updated with the camera at this position.
pub(super) fn is_updated(body: &Body, view: [i32; 3]) -> bool {
    let position = body.position.map(|it| it >> 8);
    body.is_active || visibility::is_updated(view, position, body.attribute(INNER_ONLY).into())
}

#[cfg(test)]
mod tests {
    use super::super::body::Role;
    use super::*;

    fn at(role: Role, position: [i32; 3], heading: i32) -> Body {
        Body::new(role).at(position.map(|it| it * 256), [0, heading, 0])
    }

    #[test]
    fn the_camera_is_behind_the_player() {
        let view = |player: &Body| view(player, &CameraRig::default());
        // The example in the source has 32481, because its player is between two units.
        assert_eq!(view(&at(Role::Player, [32_464, -275, 33_892], 22)), [32_480, -330, 33_642]);
        assert_eq!(view(&at(Role::Player, [1000, 0, 1000], -512)), [750, -55, 1000]);
    }

    #[test]
    fn distant_actors_are_only_updated_if_active() {
        let view = [32_768, 0, 32_768];
        let mut far = at(Role::Placed, [32_768 + 18 * 512, 0, 32_768], 0);
        assert!(!is_updated(&far, view));
        far.is_active = true;
        assert!(is_updated(&far, view));
        // In the first of the 18 cells.
        let mut edge = at(Role::Placed, [32_768 - 9 * 512, 0, 32_768], 0);
        assert!(is_updated(&edge, view));
        edge.set_attribute(INNER_ONLY, 1);
        assert!(!is_updated(&edge, view));
    }
}
