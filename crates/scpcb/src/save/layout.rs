//! The layout of saved games: everything up to the items.
//!
//! Little-endian, packed, as Blitz3D's `WriteString`, `WriteInt`, `WriteFloat` and `WriteByte` write. Positions are engine units, left-handed, Y up;
//! angles are degrees. Four numbers stand between the parts, by which the game sees whether it has lost its way: 113, 632, 954 and 1845.
//!
//! Source: the published source of the game (public repository `Regalis11/scpcb`), `Save.bb`: `SaveGame` and `LoadGame` of version 1.3.11. Of 1.3.10 that
//! loader says what is different.

use record::{Bytes, Error, Raw, Record, Result};
use serde::{Deserialize, Serialize};

use super::item::Items;
use super::version::Version;
use super::zones::Zones;
use crate::string::BlitzString;

/// Longer lists are not read. A game has some hundred rooms, doors and characters.
const MOST: usize = 1 << 16;

/// How many switches the game reads of a room.
const MOST_LEVERS: usize = 11;

/// A saved game (`save.txt`).
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// When it was saved, like `20:45:00`.
    pub time: BlitzString,
    /// When it was saved, like `05 Nov 2018`.
    pub date: BlitzString,
    /// A counter of the time played, in a unit that is not known.
    pub play_time: i32,
    /// Where the player stands.
    pub position: [f32; 3],
    /// Where the head of the player is.
    pub head_position: [f32; 3],
    /// The code of the doors that have one, as decimal digits.
    pub access_code: BlitzString,
    /// Pitch and yaw of the player.
    pub rotation: [f32; 2],
    /// The oldest version of the game that loads it, like `1.3.11`.
    pub version: BlitzString,
    /// Everything else, if the version is known.
    #[record(when = Version::of(&version).is_some(), with = Version::of(&version).unwrap_or_default())]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// What is not read: everything after an unknown version, and items that the original game does not have.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// The state of the player and of the world.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(context = Version)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Eyes, breath and health of the player.
    pub health: Health,
    /// How difficult the game is.
    pub difficulty: Difficulty,
    /// A timer of the monitors of SCP-895.
    pub monitor_timer: f32,
    /// Falls in front of SCP-895.
    pub sanity: f32,
    /// What the player wears.
    pub worn: Worn,
    /// The ways into the world of SCP-1499 and back.
    pub scp_1499: Scp1499,
    /// 1 with the effect of SCP-914's finest battery.
    pub superman: u8,
    /// How long that has lasted.
    pub superman_timer: f32,
    /// 1 when the lights are on.
    pub lights_on: u8,
    /// The seed of the map.
    pub seed: BlitzString,
    /// How bright the secondary lighting is, 0 to 1.
    pub secondary_light: f32,
    /// What that was before.
    pub previous_secondary_light: f32,
    /// 1 when doors can be opened from the control rooms.
    pub remote_doors: u8,
    /// 1 when the sound of SCP-106's chamber is transmitted.
    pub sound_transmission: u8,
    /// 1 when SCP-106 is contained.
    pub contained_106: u8,
    /// A byte for each of the 37 achievements, 1 for those that were earned.
    pub achievements: Raw<37>,
    /// How many items SCP-914 has refined.
    pub refined_items: i32,
    /// The map as the navigator shows it.
    pub map: MapGrid,
    /// Everyone but the player.
    #[record(begin(tag = b"\x71\0\0\0", name = "mark_113"), count = i32, limit = MOST)]
    pub characters: Vec<Character>,
    /// When the mobile task force comes.
    pub mtf_timer: f32,
    /// Where the mobile task force has been.
    #[record(end)]
    pub mtf_rooms: [MtfRoom; 7],
    /// The broken door of the gateway: 1 if there is one.
    #[record(begin(tag = b"\x78\x02\0\0", name = "mark_632"))]
    pub broken_door: i32,
    /// X and Z of the gateway with the broken door.
    pub broken_door_position: [f32; 2],
    /// Where the zones begin, since version 1.3.11.
    #[record(when = context == Version::V1_3_11)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zones: Option<Zones>,
    /// The rooms.
    #[record(count = i32, limit = MOST, end)]
    pub rooms: Vec<Room>,
    /// The doors.
    #[record(begin(tag = b"\xba\x03\0\0", name = "mark_954"), count = i32, limit = MOST, end)]
    pub doors: Vec<Door>,
    /// Stains on floors and walls.
    #[record(begin(tag = b"\x35\x07\0\0", name = "mark_1845"), count = i32, limit = MOST)]
    pub decals: Vec<Decal>,
    /// What happens.
    #[record(count = i32, limit = MOST, end)]
    pub events: Vec<Event>,
    /// The items and what follows them, if all items are those of the original game. Else they are in `rest`.
    #[record(by = super::item::all(context))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Items>,
}

/// Eyes, breath and health of the player.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Health {
    /// Until the next blink.
    pub blink_timer: f32,
    /// A factor for it.
    pub blink_effect: f32,
    /// How long the factor holds.
    pub blink_effect_timer: f32,
    /// Until the player dies.
    pub death_timer: i32,
    /// How long the view is blurred.
    pub blur_timer: i32,
    /// How long the player heals.
    pub heal_timer: f32,
    /// 1 when crouching.
    pub crouch: u8,
    /// Breath for running, 0 to 100.
    pub stamina: f32,
    /// A factor for it.
    pub stamina_effect: f32,
    /// How long the factor holds.
    pub stamina_effect_timer: f32,
    /// How long the eyes stay open.
    pub eye_stuck: f32,
    /// How irritated they are.
    pub eye_irritation: f32,
    /// Injuries; 0 is none.
    pub injuries: f32,
    /// Loss of blood in percent.
    pub blood_loss: f32,
    /// Injuries before.
    pub previous_injuries: f32,
    /// Loss of blood before.
    pub previous_blood_loss: f32,
    /// What is shown when the player dies.
    pub death_message: BlitzString,
    /// The six illnesses of SCP-1025.
    pub scp_1025: [f32; 6],
    /// Until the player vomits.
    pub vomit_timer: f32,
    /// 1 while vomiting.
    pub vomit: u8,
    /// How long the camera shakes.
    pub camera_shake_timer: f32,
    /// The infection with SCP-008 in percent.
    pub infection: f32,
}

/// How difficult the game is.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difficulty {
    /// 0 Safe, 1 Euclid, 2 Keter, 3 custom.
    pub level: u8,
    /// The settings of a custom one.
    #[record(when = level == Self::CUSTOM)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom: Option<CustomDifficulty>,
}

impl Difficulty {
    /// The level that has settings.
    pub const CUSTOM: u8 = 3;
}

/// The settings of a custom difficulty.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomDifficulty {
    /// 1 when characters are aggressive.
    pub aggressive_characters: u8,
    /// 1 when saved games are deleted with the death of the player.
    pub permanent_death: u8,
    /// Where to save: 0 anywhere, 1 when leaving the game, 2 at screens.
    pub save_type: u8,
    /// Everything else: 0 easy, 1 normal, 2 hard.
    pub other_factors: u8,
}

/// What the player wears. 0 is not worn; other numbers tell how fine it is.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worn {
    /// Gas mask.
    pub gas_mask: u8,
    /// Ballistic vest.
    pub vest: u8,
    /// Hazmat suit.
    pub hazmat_suit: u8,
    /// Night vision goggles.
    pub night_vision: u8,
    /// SCP-1499.
    pub scp_1499: u8,
}

/// The ways into the world of SCP-1499 and back.
#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scp1499 {
    /// Where the player was in the facility.
    pub facility_position: [f32; 3],
    /// Where the player was in the other world.
    pub position: [f32; 3],
    /// X and Z of the room in the facility; 0 if there is none.
    pub facility_room: [f32; 2],
}

/// The map as the navigator shows it.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapGrid {
    /// The last column: 18.
    pub width: i32,
    /// The last row: 18.
    pub height: i32,
    /// All rows of column 0, then those of column 1, and so on.
    #[record(by = super::cell::all(width, height))]
    pub cells: Vec<Cell>,
}

/// A cell of the map.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// 0 for none; else how many neighbors the room has, or a kind of room.
    pub room: i32,
    /// 1 when the player was there.
    pub found: u8,
}

/// Someone.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Character {
    /// Who it is: 1 SCP-173, 2 SCP-106, and so on.
    pub kind: u8,
    /// Where it is.
    pub position: [f32; 3],
    /// Pitch, yaw and roll.
    pub rotation: [f32; 3],
    /// What it does; the meaning depends on the kind.
    pub states: [f32; 3],
    /// The first state before.
    pub previous_state: i32,
    /// 1 and more when it does nothing.
    pub idle: u8,
    /// The distance to the player before.
    pub last_distance: f32,
    /// How long ago it saw the player.
    pub last_seen: i32,
    /// The speed, without its fraction.
    pub speed: i32,
    /// The direction it turns to.
    pub angle: f32,
    /// Until it shoots again.
    pub reload: f32,
    /// Its number, by which others name it.
    pub id: i32,
    /// The number of the character it aims at; 0 for none.
    pub target: i32,
    /// Where it saw its enemy.
    pub enemy_position: [f32; 3],
    /// The path of a texture that is not that of its kind; empty for none.
    pub texture: BlitzString,
    /// The frame of the animation.
    pub frame: f32,
    /// 1 when it is dead.
    pub dead: i32,
    /// X and Z of where it goes.
    pub path: [f32; 2],
    /// How much it endures.
    pub hit_points: i32,
    /// The path of a model that is not that of its kind; empty for none.
    pub model: BlitzString,
    /// The scale of that model.
    pub model_scale: [f32; 3],
    /// The number of the texture of a Class D, plus 1; 0 for none.
    pub texture_number: i32,
}

/// A room where the mobile task force was.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MtfRoom {
    /// The section of `Data/rooms.ini`; `a` for none.
    pub room: BlitzString,
    /// What was done there.
    pub state: i32,
}

/// A room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    /// The number of its template.
    pub template: i32,
    /// Its yaw.
    pub angle: i32,
    /// Where it stands.
    pub position: [f32; 3],
    /// 1 when the player was there.
    pub found: u8,
    /// Its zone.
    pub zone: i32,
    /// 1 when the player is in it.
    pub has_player: u8,
    /// The numbers of its characters; 0 for none.
    pub characters: [i32; 12],
    /// A byte for each lever: 1 up, 0 down.
    #[record(terminator = b"\x02", check = few_levers)]
    pub levers: Bytes,
    /// 1 when it has maintenance tunnels.
    pub has_tunnels: u8,
    /// The maintenance tunnels, row by row.
    #[record(when = has_tunnels == 1)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tunnels: Option<Box<[[Tunnel; 19]; 19]>>,
    /// 1 when it has a forest, 2 when that is one of the map creator.
    pub has_forest: u8,
    /// The forest.
    #[record(when = has_forest > 0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forest: Option<Box<Forest>>,
}

/// A cell of the maintenance tunnels.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tunnel {
    /// What is there; 0 for nothing.
    pub piece: u8,
    /// How it is rotated.
    pub angle: u8,
}

/// The forest of SCP-860-1.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forest {
    /// What is there, row by row; 0 for nothing.
    pub cells: [[u8; 10]; 10],
    /// Where it is.
    pub position: [f32; 3],
}

/// A door.
#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Door {
    /// Where its frame is. The game finds the door by that.
    pub position: [f32; 3],
    /// 1 when it opens or is open.
    pub open: u8,
    /// How far it is open, 0 to 180.
    pub open_state: f32,
    /// 1 when it is locked.
    pub locked: u8,
    /// 1 when it closes by itself.
    pub auto_close: u8,
    /// X and Z of its first wing.
    pub first_wing: [f32; 2],
    /// X and Z of its second wing; 0 if there is none.
    pub second_wing: [f32; 2],
    /// After what time it closes.
    pub timer: f32,
    /// How much of that is left.
    pub timer_state: f32,
    /// Not 0 for doors of elevators.
    pub elevator: u8,
    /// 1 when the mobile task force closes it.
    pub mtf_closes: u8,
}

/// A stain.
#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decal {
    /// Its picture.
    pub kind: i32,
    /// Where it is.
    pub position: [f32; 3],
    /// Pitch, yaw and roll.
    pub rotation: [f32; 3],
    /// How it is blended, as Blitz3D counts.
    pub blend: u8,
    /// Bit flags of Blitz3D.
    pub fx: i32,
    /// Its size.
    pub size: f32,
    /// How opaque it is, 0 to 1.
    pub alpha: f32,
    /// How that changes.
    pub alpha_change: f32,
    /// A timer.
    pub timer: f32,
    /// How long it stays; 0 for ever.
    pub lifetime: f32,
}

/// What happens in a room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its name in the code of the game.
    pub name: BlitzString,
    /// How far it is; the meaning depends on the event.
    pub states: [f32; 3],
    /// X and Z of its room.
    pub room: [f32; 2],
    /// A text of its own.
    pub text: BlitzString,
}

fn few_levers(levers: &Bytes) -> Result<()> {
    if levers.len() > MOST_LEVERS {
        let message = format!("{} levers (expected at most {MOST_LEVERS}, then a 2)", levers.len());
        return Err(Error::malformed(message));
    }
    Ok(())
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}
