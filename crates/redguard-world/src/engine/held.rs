//! What actors hold: a weapon in the hand or in its scabbard.
//!
//! There are no bones. Two vertices of the current frame of the actor's model, whose numbers RAEX has, say where the item is and where
//! it points.

use media::ini::Ini;

use super::rotation::{Angle2048, Orientation, bearing, difference, distance};
use crate::map::Extra;
use redguard_files::settings::ini::value::indexed;

/// The first group of animation in which an actor draws a weapon.
pub const DRAWING_GROUP: u16 = 91;

/// The group of animation in which an actor sheathes a weapon.
pub const SHEATHING_GROUP: u16 = 129;

/// What an actor does with its weapon. \[E\]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeaponState {
    /// State 20: drawing it.
    Drawing,
    /// State 21: sheathing it.
    Sheathing,
    /// Any other state.
    Other,
}

impl WeaponState {
    /// That of the number of an actor's state.
    #[must_use]
    pub const fn of_number(state: u8) -> Self {
        match state {
            20 => Self::Drawing,
            21 => Self::Sheathing,
            _ => Self::Other,
        }
    }
}

/// Which model of the item is shown: that of `hand_object_file` or that of `hilt_object_file` of ITEM.INI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemModel {
    /// The whole item.
    Hand,
    /// What of it can be seen in the scabbard.
    Hilt,
}

/// The files of an item's models, as ITEM.INI names them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemModels {
    /// `hand_object_file`.
    pub hand: Option<String>,
    /// `hilt_object_file`.
    pub hilt: Option<String>,
}

impl ItemModels {
    /// Those of the item with this number. The first key counts, and one without a value does not.
    #[must_use]
    pub fn of(ini: &Ini, item: u32) -> Self {
        let sections = ini.sections();
        let value = |name: &str| {
            let mut entries = sections.iter().flat_map(|section| &section.entries);
            let found = entries
                .find(|entry| indexed(&entry.key).is_some_and(|(key, number)| key == name && number == item));
            found.map(|entry| entry.value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        Self { hand: value("hand_object_file"), hilt: value("hilt_object_file") }
    }

    /// The file of a model.
    #[must_use]
    pub fn file(&self, model: ItemModel) -> Option<&str> {
        match model {
            ItemModel::Hand => self.hand.as_deref(),
            ItemModel::Hilt => self.hilt.as_deref(),
        }
    }
}

/// Which vertices of the actor hold the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// `grip0` and `grip1`: the item is half way between them.
    Grip,
    /// `scabbard0` and `scabbard1`: the item is at the first one.
    Scabbard,
}

impl Hold {
    /// The numbers of those vertices.
    #[must_use]
    pub const fn vertices(self, extra: &Extra) -> [i16; 2] {
        match self {
            Self::Grip => [extra.grip0, extra.grip1],
            Self::Scabbard => [extra.scabbard0, extra.scabbard1],
        }
    }
}

/// Whether an actor has its weapon drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weapon {
    /// In the hand.
    Drawn,
    /// In the scabbard.
    Stowed,
}

/// How an item is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Which of its models.
    pub model: ItemModel,
    /// Where.
    pub hold: Hold,
    /// Whether the weapon is drawn afterwards.
    pub weapon: Weapon,
}

/// What decides how an item is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handling {
    /// What the actor does with it.
    pub state: WeaponState,
    /// Whether it was drawn before.
    pub weapon: Weapon,
    /// The current group of animation.
    pub group: u16,
    /// How far the animation is: its `real_frame`.
    pub progress: i32,
    /// Attribute 35 of the actor: the frame at which a weapon leaves its scabbard. See [`draw_frame`].
    pub draw_frame: i32,
    /// Attribute 34 of the actor: the frame at which a weapon goes into its scabbard. See [`sheathe_frame`].
    pub sheathe_frame: i32,
}

/// Attribute 35 as the game loads it: 2 in place of 0. \[E\]
#[must_use]
pub const fn draw_frame(attribute_35: i32) -> i32 {
    if attribute_35 == 0 { 2 } else { attribute_35 }
}

/// Attribute 34 as the game loads it: 10 in place of 0. \[E\]
#[must_use]
pub const fn sheathe_frame(attribute_34: i32) -> i32 {
    if attribute_34 == 0 { 10 } else { attribute_34 }
}

impl Handling {
    /// How the item is shown. \[E\]
    #[must_use]
    pub fn shown(&self) -> Shown {
        let drawn = Shown { model: ItemModel::Hand, hold: Hold::Grip, weapon: Weapon::Drawn };
        let stowed = Shown { model: ItemModel::Hilt, hold: Hold::Scabbard, weapon: Weapon::Stowed };
        match (self.state, self.weapon) {
            (WeaponState::Drawing, _) if self.progress >= self.draw_frame => drawn,
            (WeaponState::Drawing, weapon) => Shown { weapon, ..stowed },
            (WeaponState::Sheathing, _) if self.progress >= self.sheathe_frame => stowed,
            (WeaponState::Sheathing, weapon) => Shown { weapon, ..drawn },
            (WeaponState::Other, Weapon::Drawn) => drawn,
            (WeaponState::Other, Weapon::Stowed) if self.group == SHEATHING_GROUP => {
                Shown { hold: Hold::Grip, ..stowed }
            }
            (WeaponState::Other, Weapon::Stowed) => stowed,
        }
    }
}

/// Where an actor is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Carrier {
    /// Its position: world units times 256.
    pub position: [i32; 3],
    /// Its orientation.
    pub orientation: Orientation,
    /// Its roll, 2048 for a turn.
    pub roll: i32,
}

/// Where a held item is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attachment {
    /// The origin of its model: world units times 256.
    pub position: [i32; 3],
    /// Its orientation.
    pub orientation: Orientation,
}

impl Attachment {
    /// Where an item is that an actor holds, from the numbers of two vertices ([`Hold::vertices`]) and all vertices of the current frame of its
    /// current model, in 256ths of a world unit. With the default [`Carrier`] the result is in the space of the actor's model. `None` where the
    /// model does not have a vertex of that number. \[E\]
    ///
    /// That halves of odd sums are dropped towards zero is our reading. \[?\]
    #[must_use]
    pub fn of(numbers: [i16; 2], hold: Hold, vertices: &[[i32; 3]], carrier: &Carrier) -> Option<Self> {
        let turned = |number: i16| {
            let vertex = vertices.get(usize::try_from(number).ok()?)?;
            Some(carrier.orientation.apply_to_integers(*vertex))
        };
        let [first, second] = numbers.map(turned);
        let (first, second) = (first?, second?);
        let held = match hold {
            Hold::Grip => each(first, second, |first, second| first.wrapping_add(second) / 2),
            Hold::Scabbard => first,
        };
        Some(Self {
            position: each(carrier.position, held, i32::wrapping_add),
            orientation: pointing(difference(first, second), carrier.roll),
        })
    }

    /// The tip of a weapon, from its length in 256ths of a world unit (`bbox_extent_y` of the segment of its hand model, times 256): it lies
    /// against the Y axis of the item. World units times 256. \[E\]
    #[must_use]
    pub fn tip(&self, length: i32) -> [i32; 3] {
        let reach = self.orientation.apply_to_integers([0, length.wrapping_neg(), 0]);
        each(self.position, reach, i32::wrapping_add)
    }
}

/// The orientation of an item that points along a direction. \[E\]
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

/// A function of each pair of numbers.
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

    /// Where an item's own axis against Y points.
    fn tip_of(found: &Attachment) -> [i32; 3] {
        difference(found.tip(256), found.position)
    }

    #[test]
    fn a_drawn_weapon_is_half_way_between_the_grips_and_points_from_the_second_to_the_first() {
        let vertices = [[100, -50, 1000], [100, -50, 500], [7, 8, 9], [7, 8, 5]];
        let drawn = Attachment::of(Hold::Grip.vertices(&extra()), Hold::Grip, &vertices, &Carrier::default())
            .unwrap();
        assert_eq!((drawn.position, tip_of(&drawn)), ([100, -50, 750], [0, 0, 256]));
        let stowed =
            Attachment::of(Hold::Scabbard.vertices(&extra()), Hold::Scabbard, &vertices, &Carrier::default())
                .unwrap();
        assert_eq!((stowed.position, tip_of(&stowed)), ([7, 8, 9], [0, 0, 256]));
    }

    #[test]
    fn a_weapon_follows_its_actor() {
        // The actor walks to +X, so that what is before it lies to the east.
        let carrier = Carrier {
            position: [10_000, 0, 20_000],
            orientation: Orientation::of_actor([0, -512, 0]),
            roll: 0,
        };
        let vertices = [[0, 0, 300], [0, 0, 100]];
        let drawn = Attachment::of(Hold::Grip.vertices(&extra()), Hold::Grip, &vertices, &carrier).unwrap();
        assert_eq!((drawn.position, tip_of(&drawn)), ([10_200, 0, 20_000], [256, 0, 0]));
        assert_eq!(drawn.tip(512), [10_712, 0, 20_000]);
    }

    #[test]
    fn a_weapon_points_up_and_down() {
        let tip = |first, second| {
            tip_of(
                &Attachment::of(
                    Hold::Grip.vertices(&extra()),
                    Hold::Grip,
                    &[first, second],
                    &Carrier::default(),
                )
                .unwrap(),
            )
        };
        assert_eq!(tip([0, -9, 0], [0; 3]), [0, -256, 0]);
        assert_eq!(tip([0, 9, 0], [0; 3]), [0, 256, 0]);
        // Vertices at one place: pitch 1536 and heading 1024 turn the item upside down.
        assert_eq!(tip([5; 3], [5; 3]), [0, 256, 0]);
        // Half way between right and down: sin 45 degrees * 256 = 181.
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
    fn a_vertex_that_the_model_lacks_holds_nothing() {
        let carrier = Carrier::default();
        assert_eq!(
            Attachment::of(Hold::Scabbard.vertices(&extra()), Hold::Scabbard, &[[0; 3]; 3], &carrier),
            None
        );
        assert_eq!(Attachment::of([0, -1], Hold::Grip, &[[0; 3]; 3], &carrier), None);
    }

    #[test]
    fn the_model_changes_while_a_weapon_is_drawn_and_sheathed() {
        let shown = |state, weapon, group, progress| {
            let (draw_frame, sheathe_frame) = (draw_frame(0), sheathe_frame(0));
            let shown = Handling { state, weapon, group, progress, draw_frame, sheathe_frame }.shown();
            (shown.model, shown.hold, shown.weapon)
        };
        let hand = (ItemModel::Hand, Hold::Grip, Weapon::Drawn);
        let hilt = (ItemModel::Hilt, Hold::Scabbard, Weapon::Stowed);
        let drawing = |progress| shown(WeaponState::of_number(20), Weapon::Stowed, DRAWING_GROUP, progress);
        assert_eq!([0, 1, 2, 3].map(drawing), [hilt, hilt, hand, hand]);
        let sheathing =
            |progress| shown(WeaponState::of_number(21), Weapon::Drawn, SHEATHING_GROUP, progress);
        assert_eq!([0, 9, 10].map(sheathing), [hand, hand, hilt]);
        let idle = WeaponState::of_number(0);
        assert_eq!(shown(idle, Weapon::Drawn, 8, 0), hand);
        assert_eq!(shown(idle, Weapon::Stowed, 8, 0), hilt);
        // The group of sheathing still has the hand at the hilt.
        assert_eq!(
            shown(idle, Weapon::Stowed, SHEATHING_GROUP, 0),
            (ItemModel::Hilt, Hold::Grip, Weapon::Stowed)
        );
        assert_eq!((draw_frame(5), sheathe_frame(6)), (5, 6));
    }

    proptest! {
        #[test]
        fn a_weapon_points_from_the_second_vertex_to_the_first(x in -4000_i32..4000, y in -4000_i32..4000, z in -4000_i32..4000) {
            let length = f64::from(x * x + y * y + z * z).sqrt();
            prop_assume!(length > 100.0);
            let vertices = [[x, y, z], [0; 3]];
            let found = Attachment::of(Hold::Grip.vertices(&extra()), Hold::Grip, &vertices, &Carrier::default()).unwrap();
            let tip = found.tip(25_600).map(f64::from);
            let wanted = found.position.map(f64::from);
            for ((tip, position), part) in tip.into_iter().zip(wanted).zip([x, y, z]) {
                let exact = f64::from(part) / length * 25_600.0;
                prop_assert!((tip - position - exact).abs() < 400.0, "{tip} {position} {exact}");
            }
        }
    }
}
