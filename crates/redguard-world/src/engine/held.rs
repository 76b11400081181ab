//! Held items: a weapon in an actor's hand or in its scabbard.
//!
//! There are no bones. RAEX stores the indices of two vertices of the actor's model; their positions in the current frame determine the
//! item's position and direction.

use media::ini::Ini;

use super::rotation::{Angle2048, Orientation, bearing, difference, distance};
use crate::map::Extra;
use redguard_files::settings::ini::value::indexed;

/// The first animation group in which an actor draws a weapon.
pub const DRAWING_GROUP: u16 = 91;

/// The animation group in which an actor sheathes a weapon.
pub const SHEATHING_GROUP: u16 = 129;

/// An actor's state with regard to its weapon. \[E\]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeaponState {
    /// State 20: drawing the weapon.
    Drawing,
    /// State 21: sheathing the weapon.
    Sheathing,
    /// Any other state.
    Other,
}

impl WeaponState {
    /// Returns the weapon state for the number of an actor's state.
    #[must_use]
    pub const fn of_number(state: u8) -> Self {
        match state {
            20 => Self::Drawing,
            21 => Self::Sheathing,
            _ => Self::Other,
        }
    }
}

/// The model of an item that is shown: `hand_object_file` or `hilt_object_file` of ITEM.INI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemModel {
    /// The complete item.
    Hand,
    /// The part of the item that is visible in the scabbard.
    Hilt,
}

/// The file names of an item's models in ITEM.INI.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemModels {
    /// `hand_object_file`.
    pub hand: Option<String>,
    /// `hilt_object_file`.
    pub hilt: Option<String>,
}

impl ItemModels {
    /// Reads the file names for the item with this number. Only the first occurrence of a key is used; a key without a value is treated as
    /// absent.
    #[must_use]
    pub fn of(ini: &Ini, item: u32) -> Self {
        let sections = ini.sections();
        let value = |name: &str| {
            let mut entries = sections.iter().flat_map(|section| &section.entries);
            let found = entries
                .find(|entry| indexed(&entry.key).is_some_and(|(key, number)| key == name && number == item));
            found.map(|entry| entry.without_comment().to_owned()).filter(|value| !value.is_empty())
        };
        Self { hand: value("hand_object_file"), hilt: value("hilt_object_file") }
    }

    /// Returns the file name of a model.
    #[must_use]
    pub fn file(&self, model: ItemModel) -> Option<&str> {
        match model {
            ItemModel::Hand => self.hand.as_deref(),
            ItemModel::Hilt => self.hilt.as_deref(),
        }
    }
}

/// The vertices of the actor to which the item is attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttachmentPoint {
    /// `grip0` and `grip1`: the item is at the midpoint between them.
    Grip,
    /// `scabbard0` and `scabbard1`: the item is at the first one.
    Scabbard,
}

impl AttachmentPoint {
    /// Returns the indices of those vertices.
    #[must_use]
    pub const fn vertices(self, extra: &Extra) -> [i16; 2] {
        match self {
            Self::Grip => [extra.grip0, extra.grip1],
            Self::Scabbard => [extra.scabbard0, extra.scabbard1],
        }
    }
}

/// The location of an actor's weapon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weapon {
    /// In the hand.
    Drawn,
    /// In the scabbard.
    Stowed,
}

/// The display of a held item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldItemDisplay {
    /// The model to show.
    pub model: ItemModel,
    /// The vertices to which it is attached.
    pub point: AttachmentPoint,
    /// The weapon's location afterward.
    pub weapon: Weapon,
}

/// The state that determines the display of a held item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldItemState {
    /// The actor's weapon state.
    pub state: WeaponState,
    /// The weapon's previous location.
    pub weapon: Weapon,
    /// The current animation group.
    pub group: u16,
    /// The progress of the animation: its `real_frame`.
    pub progress: i32,
    /// Attribute 35 of the actor: the frame at which a weapon leaves its scabbard. See [`draw_frame`].
    pub draw_frame: i32,
    /// Attribute 34 of the actor: the frame at which a weapon goes into its scabbard. See [`sheathe_frame`].
    pub sheathe_frame: i32,
}

/// Returns attribute 35 as the game loads it: 2 instead of 0. \[E\]
#[must_use]
pub const fn draw_frame(attribute_35: i32) -> i32 {
    if attribute_35 == 0 { 2 } else { attribute_35 }
}

/// Returns attribute 34 as the game loads it: 10 instead of 0. \[E\]
#[must_use]
pub const fn sheathe_frame(attribute_34: i32) -> i32 {
    if attribute_34 == 0 { 10 } else { attribute_34 }
}

impl HeldItemState {
    /// Returns the display of the item. \[E\]
    #[must_use]
    pub fn display(&self) -> HeldItemDisplay {
        let drawn =
            HeldItemDisplay { model: ItemModel::Hand, point: AttachmentPoint::Grip, weapon: Weapon::Drawn };
        let stowed = HeldItemDisplay {
            model: ItemModel::Hilt,
            point: AttachmentPoint::Scabbard,
            weapon: Weapon::Stowed,
        };
        match (self.state, self.weapon) {
            (WeaponState::Drawing, _) if self.progress >= self.draw_frame => drawn,
            (WeaponState::Drawing, weapon) => HeldItemDisplay { weapon, ..stowed },
            (WeaponState::Sheathing, _) if self.progress >= self.sheathe_frame => stowed,
            (WeaponState::Sheathing, weapon) => HeldItemDisplay { weapon, ..drawn },
            (WeaponState::Other, Weapon::Drawn) => drawn,
            (WeaponState::Other, Weapon::Stowed) if self.group == SHEATHING_GROUP => {
                HeldItemDisplay { point: AttachmentPoint::Grip, ..stowed }
            }
            (WeaponState::Other, Weapon::Stowed) => stowed,
        }
    }
}

/// An actor's position and orientation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Carrier {
    /// Position in world units times 256.
    pub position: [i32; 3],
    /// Its orientation.
    pub orientation: Orientation,
    /// Roll, 2048 per turn.
    pub roll: i32,
}

/// A held item's position and orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attachment {
    /// The origin of its model in world units times 256.
    pub position: [i32; 3],
    /// Its orientation.
    pub orientation: Orientation,
}

impl Attachment {
    /// Computes the attachment of a held item from the indices of two vertices ([`AttachmentPoint::vertices`]) and all vertices of the
    /// current frame of the actor's current model, in 256ths of a world unit. With the default [`Carrier`], the result is in the actor's
    /// model space. Returns `None` if the model has no vertex with one of the indices. \[E\]
    ///
    /// Rounding the halves of odd sums toward zero is our reading. \[?\]
    #[must_use]
    pub fn of(
        indices: [i16; 2],
        point: AttachmentPoint,
        vertices: &[[i32; 3]],
        carrier: &Carrier,
    ) -> Option<Self> {
        let turned = |number: i16| {
            let vertex = vertices.get(usize::try_from(number).ok()?)?;
            Some(carrier.orientation.apply_to_integers(*vertex))
        };
        let [first, second] = indices.map(turned);
        let (first, second) = (first?, second?);
        let held = match point {
            AttachmentPoint::Grip => each(first, second, |first, second| first.wrapping_add(second) / 2),
            AttachmentPoint::Scabbard => first,
        };
        Some(Self {
            position: each(carrier.position, held, i32::wrapping_add),
            orientation: pointing(difference(first, second), carrier.roll),
        })
    }

    /// Returns the tip of a weapon in world units times 256, from its length in 256ths of a world unit (`bbox_extent_y` of the segment of
    /// its hand model, times 256). The tip is in the negative Y direction of the item. \[E\]
    #[must_use]
    pub fn tip(&self, length: i32) -> [i32; 3] {
        let reach = self.orientation.apply_to_integers([0, length.wrapping_neg(), 0]);
        each(self.position, reach, i32::wrapping_add)
    }
}

/// Returns the orientation of an item that points along a direction. \[E\]
fn pointing(direction: [i32; 3], roll: i32) -> Orientation {
    let [x, y, z] = direction;
    let across = distance([0; 3], [x, 0, z]);
    let pitch = bearing(across, y).plus(-512);
    let heading = Angle2048::new(1024_i32.wrapping_sub(bearing(x, z).get()));
    Orientation::IDENTITY
        .turned_y(heading.negated())
        .turned_x(pitch.negated().plus(512))
        .turned_z(Angle2048::new(roll).negated())
}

/// Applies a function to each pair of components.
fn each([a, b, c]: [i32; 3], [x, y, z]: [i32; 3], with: impl Fn(i32, i32) -> i32) -> [i32; 3] {
    [with(a, x), with(b, y), with(c, z)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Grip vertices 0 and 1, scabbard vertices 2 and 3.
    fn extra() -> Extra {
        Extra {
            grip0: 0,
            grip1: 1,
            scabbard0: 2,
            scabbard1: 3,
            frame_count: 0,
            texture_set: 0,
            contact_vertex: 0,
            contact_radius: 0,
            taunt: 0,
            sphere_scale: 0,
            stat: 0,
            unknown_16: 0,
            range_min: 0,
            range_ideal: 0,
            range_max: 0,
        }
    }

    /// The direction of an item's negative Y axis.
    fn tip_of(found: &Attachment) -> [i32; 3] {
        difference(found.tip(256), found.position)
    }

    #[test]
    fn a_drawn_weapon_is_midway_between_the_grips_and_points_from_the_second_to_the_first() {
        let vertices = [[100, -50, 1000], [100, -50, 500], [7, 8, 9], [7, 8, 5]];
        let drawn = Attachment::of(
            AttachmentPoint::Grip.vertices(&extra()),
            AttachmentPoint::Grip,
            &vertices,
            &Carrier::default(),
        )
        .unwrap();
        assert_eq!((drawn.position, tip_of(&drawn)), ([100, -50, 750], [0, 0, 256]));
        let stowed = Attachment::of(
            AttachmentPoint::Scabbard.vertices(&extra()),
            AttachmentPoint::Scabbard,
            &vertices,
            &Carrier::default(),
        )
        .unwrap();
        assert_eq!((stowed.position, tip_of(&stowed)), ([7, 8, 9], [0, 0, 256]));
    }

    #[test]
    fn a_weapon_follows_its_actor() {
        // The actor faces +X, so points in front of it are to the east.
        let carrier = Carrier {
            position: [10_000, 0, 20_000],
            orientation: Orientation::of_actor([0, -512, 0]),
            roll: 0,
        };
        let vertices = [[0, 0, 300], [0, 0, 100]];
        let drawn = Attachment::of(
            AttachmentPoint::Grip.vertices(&extra()),
            AttachmentPoint::Grip,
            &vertices,
            &carrier,
        )
        .unwrap();
        assert_eq!((drawn.position, tip_of(&drawn)), ([10_200, 0, 20_000], [256, 0, 0]));
        assert_eq!(drawn.tip(512), [10_712, 0, 20_000]);
    }

    #[test]
    fn a_weapon_points_up_and_down() {
        let tip = |first, second| {
            tip_of(
                &Attachment::of(
                    AttachmentPoint::Grip.vertices(&extra()),
                    AttachmentPoint::Grip,
                    &[first, second],
                    &Carrier::default(),
                )
                .unwrap(),
            )
        };
        assert_eq!(tip([0, -9, 0], [0; 3]), [0, -256, 0]);
        assert_eq!(tip([0, 9, 0], [0; 3]), [0, 256, 0]);
        // Vertices at the same position: pitch 1536 and heading 1024 turn the item upside down.
        assert_eq!(tip([5; 3], [5; 3]), [0, 256, 0]);
        // Halfway between right and down: sin 45 degrees * 256 = 181.
        assert_eq!(tip([9, 9, 0], [0; 3]), [181, 181, 0]);
    }

    #[test]
    fn an_item_has_a_model_for_the_hand_and_one_for_the_scabbard() {
        let text = b"[items]\nhand_object_file[3] = A.3DC\nhand_object_file[3]=B.3D\nHILT_OBJECT_FILE[3]=C.3D\nhilt_object_file[4]=\n";
        let ini = Ini::parse(text, asset::Charset::Cp437).unwrap();
        let sabre = ItemModels::of(&ini, 3);
        assert_eq!((sabre.file(ItemModel::Hand), sabre.file(ItemModel::Hilt)), (Some("A.3DC"), Some("C.3D")));
        assert_eq!(ItemModels::of(&ini, 4), ItemModels::default());
    }

    #[test]
    fn returns_none_for_a_vertex_index_beyond_the_model() {
        let carrier = Carrier::default();
        assert_eq!(
            Attachment::of(
                AttachmentPoint::Scabbard.vertices(&extra()),
                AttachmentPoint::Scabbard,
                &[[0; 3]; 3],
                &carrier
            ),
            None
        );
        assert_eq!(Attachment::of([0, -1], AttachmentPoint::Grip, &[[0; 3]; 3], &carrier), None);
    }

    #[test]
    fn the_model_changes_while_a_weapon_is_drawn_and_sheathed() {
        let shown = |state, weapon, group, progress| {
            let (draw_frame, sheathe_frame) = (draw_frame(0), sheathe_frame(0));
            let shown = HeldItemState { state, weapon, group, progress, draw_frame, sheathe_frame }.display();
            (shown.model, shown.point, shown.weapon)
        };
        let hand = (ItemModel::Hand, AttachmentPoint::Grip, Weapon::Drawn);
        let hilt = (ItemModel::Hilt, AttachmentPoint::Scabbard, Weapon::Stowed);
        let drawing = |progress| shown(WeaponState::of_number(20), Weapon::Stowed, DRAWING_GROUP, progress);
        assert_eq!([0, 1, 2, 3].map(drawing), [hilt, hilt, hand, hand]);
        let sheathing =
            |progress| shown(WeaponState::of_number(21), Weapon::Drawn, SHEATHING_GROUP, progress);
        assert_eq!([0, 9, 10].map(sheathing), [hand, hand, hilt]);
        let idle = WeaponState::of_number(0);
        assert_eq!(shown(idle, Weapon::Drawn, 8, 0), hand);
        assert_eq!(shown(idle, Weapon::Stowed, 8, 0), hilt);
        // In the sheathing group, the hand is still at the hilt.
        assert_eq!(
            shown(idle, Weapon::Stowed, SHEATHING_GROUP, 0),
            (ItemModel::Hilt, AttachmentPoint::Grip, Weapon::Stowed)
        );
        assert_eq!((draw_frame(5), sheathe_frame(6)), (5, 6));
    }

    proptest! {
        #[test]
        fn a_weapon_points_from_the_second_vertex_to_the_first(x in -4000_i32..4000, y in -4000_i32..4000, z in -4000_i32..4000) {
            let length = f64::from(x * x + y * y + z * z).sqrt();
            prop_assume!(length > 100.0);
            let vertices = [[x, y, z], [0; 3]];
            let found = Attachment::of(AttachmentPoint::Grip.vertices(&extra()), AttachmentPoint::Grip, &vertices, &Carrier::default()).unwrap();
            let tip = found.tip(25_600).map(f64::from);
            let origin = found.position.map(f64::from);
            for ((tip, position), part) in tip.into_iter().zip(origin).zip([x, y, z]) {
                let exact = f64::from(part) / length * 25_600.0;
                prop_assert!((tip - position - exact).abs() < 400.0, "{tip} {position} {exact}");
            }
        }
    }
}
