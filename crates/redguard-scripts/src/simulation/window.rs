//! The update window: active actors and actors in the cells around the camera are updated.

use super::body::Body;
use redguard_world::engine::camera::Follow;
use redguard_world::engine::rotation::Orientation;
use redguard_world::engine::visibility;
use redguard_world::number::nearest_even;

/// The attribute of actors that are not updated in the outermost cells.
const INNER_ONLY: usize = 113;

/// Returns the position of the camera in world units: behind the player, at its resting distance.
pub(super) fn view(player: &Body) -> [i32; 3] {
    let [_, heading, _] = player.angles;
    let Follow { distance, down } = Follow::WALKING;
    let [x, y, z] = Orientation::of_actor([0, heading, 0]).apply([0.0, down, -distance]).map(nearest_even);
    let [player_x, player_y, player_z] = player.position.map(|it| it >> 8);
    [player_x.saturating_add(x), player_y.saturating_add(y), player_z.saturating_add(z)]
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
        // The example in the source has 33642, because its player is between two units.
        assert_eq!(view(&at(Role::Player, [32_464, -275, 33_892], 22)), [32_481, -330, 33_643]);
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
