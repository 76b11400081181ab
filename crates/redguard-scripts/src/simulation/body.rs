//! The physical state of an actor: position, animation and attributes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use redguard_world::engine::animation::{Playback, Posture, Update, default_group};
use redguard_world::engine::clock::Ticks;
use redguard_world::engine::jump::JumpSettings;
use redguard_world::engine::rotation::{Angle2048, Orientation, bearing, difference};
use redguard_world::map::AnimationGroup;

/// The role of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// An object placed by the map.
    Placed,
    /// A placement of kind 2 or 6: its attributes are restored after each run of its script.
    Temporary,
    /// The selected player.
    Player,
    /// The camera.
    Camera,
    /// A script without an object.
    Shell,
    /// A placeholder for an object that a script refers to and the map does not have.
    StandIn,
}

/// The numbers of the attributes used by the simulation.
pub(super) mod attribute {
    pub(in crate::simulation) const STRENGTH: usize = 2;
    pub(in crate::simulation) const HEALTH: usize = 3;
    pub(in crate::simulation) const ARMOR: usize = 4;
    pub(in crate::simulation) const FORWARD_SPEED: usize = 8;
    pub(in crate::simulation) const BACKWARD_SPEED: usize = 9;
    pub(in crate::simulation) const SIDE_SPEED: usize = 10;
    pub(in crate::simulation) const FORWARD_WALK: usize = 12;
    pub(in crate::simulation) const BACKWARD_WALK: usize = 13;
    pub(in crate::simulation) const TURN_SPEED: usize = 15;
    pub(in crate::simulation) const WEAPON: usize = 23;
    pub(in crate::simulation) const MASTER: usize = 25;
    pub(in crate::simulation) const SLAVE: usize = 26;
    pub(in crate::simulation) const GROUP: usize = 29;
    pub(in crate::simulation) const USER: usize = 30;
    pub(in crate::simulation) const OWN_ROTATION: usize = 33;
    pub(in crate::simulation) const STOP_Y_ROTATE: usize = 37;
    pub(in crate::simulation) const STOP_X_MOVE: usize = 40;
    pub(in crate::simulation) const ALWAYS_SYNC: usize = 43;
    pub(in crate::simulation) const PANIC_GROUP: usize = 44;
    pub(in crate::simulation) const NODE_IDLE: usize = 90;
    pub(in crate::simulation) const NODE_RUN: usize = 93;
    pub(in crate::simulation) const NODE_IN_USE: usize = 94;
    pub(in crate::simulation) const HOLDING_WEAPON: usize = 110;
    pub(in crate::simulation) const INVULNERABLE: usize = 120;
}

/// The axes locked by attributes 37 to 39, in attribute order.
const LOCKED_ANGLES: [usize; 3] = [1, 0, 2];

/// The death state of a dead actor.
pub(super) const DEAD: u8 = 8;

/// The state of an actor apart from its script.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) role: Role,
    /// The index of the actor's placement in the map.
    pub(super) placement: Option<usize>,
    /// The ID of the actor in the engine.
    pub(super) id: i32,
    /// The position in world units times 256.
    pub(super) position: [i32; 3],
    /// Pitch, heading and roll, 2048 per turn.
    pub(super) angles: [i32; 3],
    /// The position when the map is loaded.
    pub(super) home: [i32; 3],
    pub(super) home_angles: [i32; 3],
    /// The origin of `ResetPosition` and `DistanceFromStart`.
    pub(super) start: [i32; 3],
    pub(super) start_angles: [i32; 3],
    pub(super) last_position: [i32; 3],
    pub(super) last_angles: [i32; 3],
    pub(super) attributes: Box<[u8; 256]>,
    pub(super) groups: Arc<Vec<AnimationGroup>>,
    /// The numbered locations of the script, relative to the home position.
    pub(super) locations: Arc<Vec<[i32; 3]>>,
    pub(super) playback: Playback,
    /// Whether the animation is paused.
    pub(super) is_held: bool,
    pub(super) is_hidden: bool,
    /// Whether the actor is active, according to its placement and scripts.
    pub(super) is_active: bool,
    /// Whether the actor was killed by `KillMe`.
    pub(super) is_killed: bool,
    /// Whether the assigned weapon is drawn; see [`Self::holds_weapon`].
    pub(super) is_weapon_drawn: bool,
    pub(super) has_torch: bool,
    pub(super) death: u8,
    pub(super) group_post: u8,
    pub(super) user_post: u8,
    /// The walk map and node that the actor is at or moves to.
    pub(super) node: Option<(usize, usize)>,
    /// Properties without an equivalent in the simulation.
    pub(super) properties: BTreeMap<u16, i32>,
}

/// The serialized state of a body.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct BodyState {
    pub(super) position: [i32; 3],
    pub(super) angles: [i32; 3],
    pub(super) start: [i32; 3],
    pub(super) start_angles: [i32; 3],
    /// Nonzero attributes by number.
    pub(super) attributes: BTreeMap<usize, u8>,
    pub(super) animation: Playback,
    pub(super) held: bool,
    pub(super) hidden: bool,
    pub(super) active: bool,
    pub(super) killed: bool,
    pub(super) armed: bool,
    pub(super) torch: bool,
    pub(super) death: u8,
    pub(super) group_post: u8,
    pub(super) user_post: u8,
    pub(super) node: Option<(usize, usize)>,
    pub(super) properties: BTreeMap<u16, i32>,
}

impl Default for BodyState {
    fn default() -> Self {
        Body::new(Role::StandIn).state()
    }
}

impl Body {
    pub(super) fn new(role: Role) -> Self {
        Self {
            role,
            placement: None,
            id: 0,
            position: [0; 3],
            angles: [0; 3],
            home: [0; 3],
            home_angles: [0; 3],
            start: [0; 3],
            start_angles: [0; 3],
            last_position: [0; 3],
            last_angles: [0; 3],
            attributes: Box::new([0; 256]),
            groups: Arc::default(),
            locations: Arc::default(),
            playback: Playback::default(),
            is_held: false,
            is_hidden: false,
            is_active: false,
            is_killed: false,
            is_weapon_drawn: false,
            has_torch: false,
            death: 0,
            group_post: 0,
            user_post: 0,
            node: None,
            properties: BTreeMap::new(),
        }
    }

    /// Returns the body with this position and these angles as its initial ones.
    pub(super) fn at(mut self, position: [i32; 3], angles: [i32; 3]) -> Self {
        (self.position, self.home, self.start, self.last_position) = (position, position, position, position);
        (self.angles, self.home_angles, self.start_angles, self.last_angles) =
            (angles, angles, angles, angles);
        self
    }

    pub(super) fn attribute(&self, number: usize) -> u8 {
        self.attributes.get(number).copied().unwrap_or_default()
    }

    pub(super) fn set_attribute(&mut self, number: usize, value: i32) {
        if let Some(slot) = self.attributes.get_mut(number) {
            [*slot, ..] = value.to_le_bytes();
        }
    }

    /// Sets the attributes that the game initializes if the map does not.
    pub(super) fn set_load_defaults(&mut self, counter: u8, jump: &JumpSettings) {
        self.set_attribute(31, jump.time(self.attribute(31)).into());
        self.set_attribute(32, jump.height(self.attribute(32)).into());
        for (number, value) in [(35, 2), (34, 10)] {
            if self.attribute(number) == 0 {
                self.set_attribute(number, value);
            }
        }
        let (weight, collide) = (self.attribute(6), self.attribute(1));
        self.set_attribute(115, weight.into());
        self.set_attribute(119, collide.into());
        if !self.groups.is_empty() {
            self.set_attribute(125, counter.into());
        }
    }

    pub(super) fn heading(&self) -> Angle2048 {
        let [_, heading, _] = self.angles;
        Angle2048::new(heading)
    }

    /// Returns the heading towards a position.
    pub(super) fn heading_to(&self, position: [i32; 3]) -> Angle2048 {
        let [x, _, z] = difference(position, self.position);
        bearing(x, z).negated()
    }

    /// Moves along the body's own axes.
    pub(super) fn move_along(&mut self, offset: [i32; 3]) {
        let moved = Orientation::of_actor(self.angles).apply_to_integers(offset);
        self.move_by(moved);
    }

    /// Moves relative to the heading; pitch and roll are ignored.
    pub(super) fn walk(&mut self, offset: [i32; 3]) {
        let [_, heading, _] = self.angles;
        let moved = Orientation::of_actor([0, heading, 0]).apply_to_integers(offset);
        self.move_by(moved);
    }

    fn move_by(&mut self, offset: [i32; 3]) {
        for (coordinate, offset) in self.position.iter_mut().zip(offset) {
            *coordinate = coordinate.wrapping_add(offset);
        }
    }

    /// Returns the position of a script location; 0 and unknown locations are the home position.
    pub(super) fn location(&self, number: i32) -> [i32; 3] {
        let index = usize::try_from(number).ok().and_then(|it| it.checked_sub(1));
        let offset = index.and_then(|it| self.locations.get(it)).copied().unwrap_or_default();
        let mut out = self.home;
        for (coordinate, offset) in out.iter_mut().zip(offset) {
            *coordinate = coordinate.wrapping_add(offset);
        }
        out
    }

    pub(super) const fn is_dead(&self) -> bool {
        self.is_killed || self.death == DEAD
    }

    /// Whether the actor has a weapon, drawn or not: `IsCarryingWeapon`. Attribute 110 counts as a weapon without another test; other
    /// weapons are the item of attribute 23, which only animated actors can use.
    pub(super) fn carries_weapon(&self) -> bool {
        let is_usable = self.role != Role::Shell && !self.groups.is_empty();
        self.attribute(attribute::HOLDING_WEAPON) != 0 || is_usable && self.attribute(attribute::WEAPON) != 0
    }

    /// Whether the actor has a weapon in its hand: `IsHoldingWeapon`.
    pub(super) fn holds_weapon(&self) -> bool {
        self.attribute(attribute::HOLDING_WEAPON) != 0 || self.is_weapon_drawn && self.carries_weapon()
    }

    /// Returns the animation group that is shown if no other group was requested.
    pub(super) fn default_group(&self) -> u16 {
        if self.is_dead() {
            return 123;
        }
        let posture = match (self.holds_weapon(), self.has_torch) {
            (true, _) => Posture::Armed,
            (_, true) => Posture::WithTorch,
            _ => Posture::Idle,
        };
        default_group(posture, self.attribute(attribute::PANIC_GROUP).into())
    }

    /// Advances the animation by one update.
    pub(super) fn animate(&mut self, ticks: Ticks) {
        if self.groups.is_empty() || self.is_held {
            return;
        }
        let default_group = self.default_group();
        let groups = Arc::clone(&self.groups);
        self.playback.update(&groups, Update { ticks: ticks.nominal, modifier: 0, default_group });
    }

    /// Restores the axes locked by attributes 37 to 42.
    pub(super) fn end_update(&mut self) {
        for (lock, axis) in LOCKED_ANGLES.into_iter().enumerate() {
            let is_locked = self.attribute(attribute::STOP_Y_ROTATE.saturating_add(lock)) != 0;
            let last = self.last_angles.get(axis).copied();
            if let (true, Some(last), Some(angle)) = (is_locked, last, self.angles.get_mut(axis)) {
                *angle = last;
            }
        }
        for axis in 0..3_usize {
            let is_locked = self.attribute(attribute::STOP_X_MOVE.saturating_add(axis)) != 0;
            let last = self.last_position.get(axis).copied();
            if let (true, Some(last), Some(coordinate)) = (is_locked, last, self.position.get_mut(axis)) {
                *coordinate = last;
            }
        }
    }

    pub(super) fn state(&self) -> BodyState {
        let set = self.attributes.iter().copied().enumerate().filter(|(_, value)| *value != 0);
        BodyState {
            position: self.position,
            angles: self.angles,
            start: self.start,
            start_angles: self.start_angles,
            attributes: set.collect(),
            animation: self.playback.clone(),
            held: self.is_held,
            hidden: self.is_hidden,
            active: self.is_active,
            killed: self.is_killed,
            armed: self.is_weapon_drawn,
            torch: self.has_torch,
            death: self.death,
            group_post: self.group_post,
            user_post: self.user_post,
            node: self.node,
            properties: self.properties.clone(),
        }
    }

    pub(super) fn restore(&mut self, state: BodyState) {
        (self.position, self.angles) = (state.position, state.angles);
        (self.last_position, self.last_angles) = (state.position, state.angles);
        (self.start, self.start_angles) = (state.start, state.start_angles);
        *self.attributes = [0; 256];
        for (number, value) in state.attributes {
            self.set_attribute(number, value.into());
        }
        self.playback = state.animation;
        (self.is_held, self.is_hidden, self.is_killed) = (state.held, state.hidden, state.killed);
        self.is_active = state.active;
        (self.is_weapon_drawn, self.has_torch, self.death) = (state.armed, state.torch, state.death);
        (self.group_post, self.user_post) = (state.group_post, state.user_post);
        self.node = state.node;
        self.properties = state.properties;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_0_is_z_and_turning_right_decreases_it() {
        let mut body = Body::new(Role::Placed);
        body.walk([0, 0, 256]);
        assert_eq!(body.position, [0, 0, 256]);
        // A quarter turn to the right, towards +X.
        body.angles = [0, -512, 0];
        body.walk([0, 0, 256]);
        assert_eq!(body.position, [256, 0, 256]);
        assert_eq!(body.heading_to([1256, 0, 256]).get(), 2048 - 512);
    }

    /// An animated actor with a weapon item.
    fn fighter(weapon: i32) -> Body {
        let mut body = Body::new(Role::Placed);
        let group = AnimationGroup { number: 0, animation: 1, kind: 0, commands: Vec::new() };
        body.groups = Arc::new(vec![group]);
        body.set_attribute(attribute::WEAPON, weapon);
        body
    }

    #[test]
    fn a_carried_weapon_is_held_only_while_it_is_drawn() {
        let state = |body: &Body| (body.carries_weapon(), body.holds_weapon());
        let mut body = fighter(1);
        assert_eq!(state(&body), (true, false));
        body.is_weapon_drawn = true;
        assert_eq!(state(&body), (true, true));
        assert_eq!(body.default_group(), 8);
        // Without a weapon item, nothing can be drawn.
        body.set_attribute(attribute::WEAPON, 0);
        assert_eq!(state(&body), (false, false));
        assert_eq!(body.default_group(), 0);
    }

    #[test]
    fn attribute_110_is_a_weapon_in_the_hand_without_another_test() {
        let mut body = Body::new(Role::Shell);
        body.set_attribute(attribute::HOLDING_WEAPON, 1);
        assert!(body.carries_weapon() && body.holds_weapon());
    }

    #[test]
    fn shells_and_actors_without_animation_carry_no_weapon_item() {
        let shell = Body { role: Role::Shell, ..fighter(1) };
        let mut still = fighter(1);
        still.groups = Arc::default();
        for mut body in [shell, still] {
            body.is_weapon_drawn = true;
            assert!(!body.carries_weapon() && !body.holds_weapon());
        }
    }

    #[test]
    fn locations_are_relative_to_home() {
        let mut body = Body::new(Role::Placed).at([10, 20, 30], [0; 3]);
        body.locations = Arc::new(vec![[1, 2, 3]]);
        body.position = [500; 3];
        assert_eq!(
            [0, 1, 2, -1].map(|it| body.location(it)),
            [[10, 20, 30], [11, 22, 33], [10, 20, 30], [10, 20, 30]]
        );
    }

    #[test]
    fn locked_axes_are_restored() {
        let mut body = Body::new(Role::Placed).at([1, 2, 3], [4, 5, 6]);
        body.set_attribute(37, 1);
        body.set_attribute(41, 1);
        (body.position, body.angles) = ([7, 8, 9], [10, 11, 12]);
        body.end_update();
        assert_eq!((body.position, body.angles), ([7, 2, 9], [10, 5, 12]));
    }
}
