//! The layout of saved games: everything up to the items.
//!
//! Little-endian, packed, as written by Blitz3D's `WriteString`, `WriteInt`, `WriteFloat` and `WriteByte`. Positions are engine units,
//! left-handed, Y up; angles are degrees. Sections are separated by four marks, with which the game detects misread data: 113, 632, 954
//! and 1845.
//!
//! Source: the published source of the game (public repository `Regalis11/scpcb`), `Save.bb`: `SaveGame` and `LoadGame` of version
//! 1.3.11.
//! The differences of version 1.3.10 are in that loader.

use record::{Bytes, Error, Raw, Record, Result};
use serde::{Deserialize, Serialize};

use super::item::Items;
use super::version::Version;
use super::zones::Zones;
use crate::string::BlitzString;

/// Maximum length of lists. A game has a few hundred rooms, doors and characters.
const MAX_COUNT: usize = 1 << 16;

/// Maximum number of levers that the game reads per room.
const MAX_LEVERS: usize = 11;

/// A saved game (`save.txt`).
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// Time of saving, such as `20:45:00`.
    pub time: BlitzString,
    /// Date of saving, such as `05 Nov 2018`.
    pub date: BlitzString,
    /// Counter of the time played, in an unknown unit.
    pub play_time: i32,
    /// Position of the player.
    pub position: [f32; 3],
    /// Position of the player's head.
    pub head_position: [f32; 3],
    /// Access code of doors with a keypad, as decimal digits.
    pub access_code: BlitzString,
    /// Pitch and yaw of the player.
    pub rotation: [f32; 2],
    /// Oldest version of the game that loads the file, such as `1.3.11`.
    pub version: BlitzString,
    /// Rest of the saved game, if the version is known.
    #[record(when = Version::of(&version).is_some(), with = Version::of(&version).unwrap_or_default())]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// Unread bytes: everything after an unknown version, and items that the original game does not have.
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
    /// Difficulty of the game.
    pub difficulty: Difficulty,
    /// Timer of the monitors of SCP-895.
    pub monitor_timer: f32,
    /// Sanity, which falls in front of SCP-895.
    pub sanity: f32,
    /// Equipment that the player wears.
    pub worn: Worn,
    /// Positions for the ways into the world of SCP-1499 and back.
    pub scp_1499: Scp1499,
    /// 1 with the effect of SCP-914's finest battery.
    pub superman: u8,
    /// Elapsed time of that effect.
    pub superman_timer: f32,
    /// 1 if the lights are on.
    pub lights_on: u8,
    /// The seed of the map.
    pub seed: BlitzString,
    /// Brightness of the secondary lighting, 0 to 1.
    pub secondary_light: f32,
    /// Previous brightness of the secondary lighting.
    pub previous_secondary_light: f32,
    /// 1 if doors can be opened from the control rooms.
    pub remote_doors: u8,
    /// 1 if the sound of SCP-106's chamber is transmitted.
    pub sound_transmission: u8,
    /// 1 if SCP-106 is contained.
    pub contained_106: u8,
    /// A byte for each of the 37 achievements; 1 if it was earned.
    pub achievements: Raw<37>,
    /// Number of items that SCP-914 has refined.
    pub refined_items: i32,
    /// Map as shown by the navigator.
    pub map: MapGrid,
    /// All characters except the player.
    #[record(begin(tag = b"\x71\0\0\0", name = "mark_113"), count = i32, limit = MAX_COUNT)]
    pub characters: Vec<Character>,
    /// Time until the mobile task force arrives.
    pub mtf_timer: f32,
    /// Rooms that the mobile task force has visited.
    #[record(end)]
    pub mtf_rooms: [MtfRoom; 7],
    /// 1 if there is a broken door in the gateway.
    #[record(begin(tag = b"\x78\x02\0\0", name = "mark_632"))]
    pub broken_door: i32,
    /// X and Z of the gateway with the broken door.
    pub broken_door_position: [f32; 2],
    /// First rows of the zones, since version 1.3.11.
    #[record(when = context == Version::V1_3_11)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zones: Option<Zones>,
    /// Rooms of the facility.
    #[record(count = i32, limit = MAX_COUNT, end)]
    pub rooms: Vec<Room>,
    /// Doors of the facility.
    #[record(begin(tag = b"\xba\x03\0\0", name = "mark_954"), count = i32, limit = MAX_COUNT, end)]
    pub doors: Vec<Door>,
    /// Stains on floors and walls.
    #[record(begin(tag = b"\x35\x07\0\0", name = "mark_1845"), count = i32, limit = MAX_COUNT)]
    pub decals: Vec<Decal>,
    /// Events of the rooms.
    #[record(count = i32, limit = MAX_COUNT, end)]
    pub events: Vec<Event>,
    /// Items and the data after them, if all items exist in the original game. Otherwise they are in `rest`.
    #[record(by = super::item::all(context))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Items>,
}

/// Eyes, breath and health of the player.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Health {
    /// Time until the next blink.
    pub blink_timer: f32,
    /// Factor of the blink timer.
    pub blink_effect: f32,
    /// Remaining time of that factor.
    pub blink_effect_timer: f32,
    /// Time until the player dies.
    pub death_timer: i32,
    /// Remaining time of the blurred view.
    pub blur_timer: i32,
    /// Remaining time of healing.
    pub heal_timer: f32,
    /// 1 while crouching.
    pub crouch: u8,
    /// Stamina for running, 0 to 100.
    pub stamina: f32,
    /// Factor of the stamina.
    pub stamina_effect: f32,
    /// Remaining time of that factor.
    pub stamina_effect_timer: f32,
    /// Remaining time for which the eyes stay open.
    pub eye_stuck: f32,
    /// Irritation of the eyes.
    pub eye_irritation: f32,
    /// Severity of injuries; 0 is none.
    pub injuries: f32,
    /// Loss of blood in percent.
    pub blood_loss: f32,
    /// Previous severity of injuries.
    pub previous_injuries: f32,
    /// Previous loss of blood.
    pub previous_blood_loss: f32,
    /// Message shown when the player dies.
    pub death_message: BlitzString,
    /// Six illnesses of SCP-1025.
    pub scp_1025: [f32; 6],
    /// Time until the player vomits.
    pub vomit_timer: f32,
    /// 1 while vomiting.
    pub vomit: u8,
    /// Remaining time of the camera shake.
    pub camera_shake_timer: f32,
    /// Infection with SCP-008 in percent.
    pub infection: f32,
}

/// The difficulty of the game.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difficulty {
    /// Level: 0 Safe, 1 Euclid, 2 Keter, 3 custom.
    pub level: u8,
    /// Settings of a custom difficulty.
    #[record(when = level == Self::CUSTOM)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom: Option<CustomDifficulty>,
}

impl Difficulty {
    /// The custom level, which has settings.
    pub const CUSTOM: u8 = 3;
}

/// The settings of a custom difficulty.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomDifficulty {
    /// 1 if characters are aggressive.
    pub aggressive_characters: u8,
    /// 1 if saved games are deleted when the player dies.
    pub permanent_death: u8,
    /// Saving: 0 anywhere, 1 when leaving the game, 2 at screens.
    pub save_type: u8,
    /// All other factors: 0 easy, 1 normal, 2 hard.
    pub other_factors: u8,
}

/// The equipment that the player wears. 0 is not worn; other numbers are the quality of the item.
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

/// The positions for the ways into the world of SCP-1499 and back.
#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scp1499 {
    /// Position of the player in the facility.
    pub facility_position: [f32; 3],
    /// Position of the player in the other world.
    pub position: [f32; 3],
    /// X and Z of the room in the facility; 0 if there is none.
    pub facility_room: [f32; 2],
}

/// The map as shown by the navigator.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapGrid {
    /// Index of the last column: 18.
    pub width: i32,
    /// Index of the last row: 18.
    pub height: i32,
    /// Cells in column-major order: all rows of column 0, then those of column 1, and so on.
    #[record(by = super::cell::all(width, height))]
    pub cells: Vec<Cell>,
}

/// A cell of the map.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// 0 for no room; otherwise the number of neighbors, or a kind of room.
    pub room: i32,
    /// 1 if the player has visited the room.
    pub found: u8,
}

/// A character other than the player.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Character {
    /// Kind of character: 1 SCP-173, 2 SCP-106, and so on.
    pub kind: u8,
    /// Position of the character.
    pub position: [f32; 3],
    /// Pitch, yaw and roll.
    pub rotation: [f32; 3],
    /// Three state values; their meaning depends on the kind.
    pub states: [f32; 3],
    /// Previous value of the first state.
    pub previous_state: i32,
    /// 1 or more if the character is idle.
    pub idle: u8,
    /// Previous distance to the player.
    pub last_distance: f32,
    /// Elapsed time since the character saw the player.
    pub last_seen: i32,
    /// Speed, without its fraction.
    pub speed: i32,
    /// Target yaw.
    pub angle: f32,
    /// Time until the next shot.
    pub reload: f32,
    /// Identifier by which other records refer to the character.
    pub id: i32,
    /// Identifier of the targeted character; 0 for none.
    pub target: i32,
    /// Last known position of the enemy.
    pub enemy_position: [f32; 3],
    /// Path of a texture that replaces the kind's own; empty for none.
    pub texture: BlitzString,
    /// Frame of the animation.
    pub frame: f32,
    /// 1 if the character is dead.
    pub dead: i32,
    /// X and Z of the destination.
    pub path: [f32; 2],
    /// Remaining health.
    pub hit_points: i32,
    /// Path of a model that replaces the kind's own; empty for none.
    pub model: BlitzString,
    /// Scale of that model.
    pub model_scale: [f32; 3],
    /// Texture number of a Class D, plus 1; 0 for none.
    pub texture_number: i32,
}

/// A room that the mobile task force has visited.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MtfRoom {
    /// Section in `Data/rooms.ini`; `a` for none.
    pub room: BlitzString,
    /// State of the search in the room.
    pub state: i32,
}

/// A room of the facility.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    /// Number of the room's template.
    pub template: i32,
    /// Yaw of the room.
    pub angle: i32,
    /// Position of the room.
    pub position: [f32; 3],
    /// 1 if the player has visited the room.
    pub found: u8,
    /// Zone of the room.
    pub zone: i32,
    /// 1 if the player is in the room.
    pub has_player: u8,
    /// Identifiers of the room's characters; 0 for none.
    pub characters: [i32; 12],
    /// A byte for each lever: 1 up, 0 down.
    #[record(terminator = b"\x02", check = check_lever_count)]
    pub levers: Bytes,
    /// 1 if the room has maintenance tunnels.
    pub has_tunnels: u8,
    /// Maintenance tunnels, row by row.
    #[record(when = has_tunnels == 1)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tunnels: Option<Box<[[Tunnel; 19]; 19]>>,
    /// 1 if the room has a forest, 2 if it is a forest of the map creator.
    pub has_forest: u8,
    /// Forest of the room.
    #[record(when = has_forest > 0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forest: Option<Box<Forest>>,
}

/// A cell of the maintenance tunnels.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tunnel {
    /// Tunnel piece; 0 for none.
    pub piece: u8,
    /// Rotation of the piece.
    pub angle: u8,
}

/// The forest of SCP-860-1.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forest {
    /// Contents of the cells, row by row; 0 for nothing.
    pub cells: [[u8; 10]; 10],
    /// Position of the forest.
    pub position: [f32; 3],
}

/// A door of the facility.
#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Door {
    /// Position of the frame, by which the game finds the door.
    pub position: [f32; 3],
    /// 1 if the door is open or opening.
    pub open: u8,
    /// Degree of opening, 0 to 180.
    pub open_state: f32,
    /// 1 if the door is locked.
    pub locked: u8,
    /// 1 if the door closes automatically.
    pub auto_close: u8,
    /// X and Z of the first wing.
    pub first_wing: [f32; 2],
    /// X and Z of the second wing; 0 if there is none.
    pub second_wing: [f32; 2],
    /// Time after which the door closes.
    pub timer: f32,
    /// Remaining time until the door closes.
    pub timer_state: f32,
    /// Not 0 for doors of elevators.
    pub elevator: u8,
    /// 1 if the mobile task force closes the door.
    pub mtf_closes: u8,
}

/// A decal: a stain on a floor or wall.
#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decal {
    /// Kind of decal, which determines its texture.
    pub kind: i32,
    /// Position of the decal.
    pub position: [f32; 3],
    /// Pitch, yaw and roll.
    pub rotation: [f32; 3],
    /// Blend mode of Blitz3D.
    pub blend: u8,
    /// Bit flags of Blitz3D's `EntityFX`.
    pub fx: i32,
    /// Size of the decal.
    pub size: f32,
    /// Opacity, 0 to 1.
    pub alpha: f32,
    /// Change of the opacity.
    pub alpha_change: f32,
    /// Timer of the decal.
    pub timer: f32,
    /// Lifetime of the decal; 0 if it is permanent.
    pub lifetime: f32,
}

/// The event of a room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Name of the event in the code of the game.
    pub name: BlitzString,
    /// Three state values; their meaning depends on the event.
    pub states: [f32; 3],
    /// X and Z of the room.
    pub room: [f32; 2],
    /// Text of the event; its meaning depends on the event.
    pub text: BlitzString,
}

fn check_lever_count(levers: &Bytes) -> Result<()> {
    if levers.len() > MAX_LEVERS {
        let message = format!("{} levers (expected at most {MAX_LEVERS}, then a 2)", levers.len());
        return Err(Error::malformed(message));
    }
    Ok(())
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}
