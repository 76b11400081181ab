//! Who is updated: what is active, and what stands in the cells around the camera.

use super::body::Body;
use redguard_world::engine::camera::Follow;
use redguard_world::engine::rotation::Orientation;
use redguard_world::engine::visibility;
use redguard_world::number::nearest_even;

/// The attribute of actors that the outermost cells leave out.
const INNER_ONLY: usize = 113;

/// Where the camera stands, in world units: behind the player, as far as when it has come to rest.
pub(super) fn view(player: &Body) -> [i32; 3] {
    let [_, heading, _] = player.angles;
    let Follow { distance, down } = Follow::WALKING;
    let [x, y, z] = Orientation::of_actor([0, heading, 0]).apply([0.0, down, -distance]).map(nearest_even);
    let [player_x, player_y, player_z] = player.position.map(|it| it >> 8);
    [player_x.saturating_add(x), player_y.saturating_add(y), player_z.saturating_add(z)]
}

/// Whether an actor is updated when the camera stands there.
pub(super) fn is_updated(body: &Body, view: [i32; 3]) -> bool {
    let place = body.position.map(|it| it >> 8);
    body.is_active || visibility::is_updated(view, place, body.attribute(INNER_ONLY).into())
}

#[cfg(test)]
mod tests {
    use super::super::body::Role;
    use super::*;

    fn at(role: Role, place: [i32; 3], heading: i32) -> Body {
        Body::new(role).at(place.map(|it| it * 256), [0, heading, 0])
    }

    #[test]
    fn the_camera_stands_behind_the_player() {
        // The example of the source, which has 33642: its player stands between two units.
        assert_eq!(view(&at(Role::Player, [32_464, -275, 33_892], 22)), [32_481, -330, 33_643]);
        assert_eq!(view(&at(Role::Player, [1000, 0, 1000], -512)), [750, -55, 1000]);
    }

    #[test]
    fn what_is_far_away_is_updated_only_if_it_is_active() {
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
