//! A small synthetic saved game.

use record::Raw;

use crate::save::{
    Cell, Character, Container, CustomDifficulty, Decal, Difficulty, Door, Event, Forest, Health, Item,
    Items, MapGrid, MtfRoom, Room, Save, Scp1499, State, Worn, Zones,
};

/// A saved game with the player in a hall with a key card, a guard and SCP-173.
pub(crate) fn saved_game() -> Save {
    Save {
        time: "20:45:00".into(),
        date: "05 Nov 2018".into(),
        play_time: 0,
        position: [72.0, 0.5, 48.0],
        head_position: [72.0, 1.25, 48.0],
        access_code: "2411".into(),
        rotation: [0.0, 90.0],
        version: "1.3.11".into(),
        state: Some(state()),
        rest: Vec::new().into(),
    }
}

fn state() -> State {
    let mut achievements = [0; 37];
    if let Some(first) = achievements.first_mut() {
        *first = 1;
    }
    State {
        health: health(),
        difficulty: Difficulty {
            level: Difficulty::CUSTOM,
            custom: Some(CustomDifficulty {
                aggressive_characters: 1,
                permanent_death: 0,
                save_type: 2,
                other_factors: 1,
            }),
        },
        monitor_timer: 0.0,
        sanity: 0.0,
        worn: Worn { gas_mask: 1, vest: 0, hazmat_suit: 0, night_vision: 0, scp_1499: 0 },
        scp_1499: Scp1499 { facility_position: [0.0; 3], position: [0.0; 3], facility_room: [0.0; 2] },
        superman: 0,
        superman_timer: 0.0,
        lights_on: 1,
        seed: "dirtymetal".into(),
        secondary_light: 1.0,
        previous_secondary_light: 1.0,
        remote_doors: 1,
        sound_transmission: 0,
        contained_106: 0,
        achievements: Raw(achievements),
        refined_items: 2,
        map: MapGrid {
            width: 1,
            height: 1,
            cells: [2, 0, 1, 0].map(|room| Cell { room, found: u8::from(room == 2) }).to_vec(),
        },
        characters: vec![character(1, 1, 0), character(3, 2, 1)],
        mtf_timer: 0.0,
        mtf_rooms: [(); 7].map(|()| MtfRoom { room: "a".into(), state: 0 }),
        broken_door: 0,
        broken_door_position: [0.0; 2],
        zones: Some(Zones { first_rows: [13, 7], custom_forest: 0, custom_tunnels: 0 }),
        rooms: rooms(),
        doors: vec![door()],
        decals: vec![decal()],
        events: vec![Event {
            name: "hum".into(),
            states: [1.0, 0.0, 0.0],
            room: [72.0, 48.0],
            text: "".into(),
        }],
        items: Some(items()),
    }
}

fn health() -> Health {
    Health {
        blink_timer: 500.0,
        blink_effect: 1.0,
        blink_effect_timer: 0.0,
        death_timer: 0,
        blur_timer: 0,
        heal_timer: 0.0,
        crouch: 0,
        stamina: 87.5,
        stamina_effect: 1.0,
        stamina_effect_timer: 0.0,
        eye_stuck: 0.0,
        eye_irritation: 0.0,
        injuries: 0.5,
        blood_loss: 10.0,
        previous_injuries: 0.0,
        previous_blood_loss: 0.0,
        death_message: "".into(),
        scp_1025: [0.0; 6],
        vomit_timer: 0.0,
        vomit: 0,
        camera_shake_timer: 0.0,
        infection: 0.0,
    }
}

fn character(kind: u8, id: i32, target: i32) -> Character {
    Character {
        kind,
        position: [70.0, 0.5, 48.0],
        rotation: [0.0, 180.0, 0.0],
        states: [1.0, 0.0, 0.0],
        previous_state: 0,
        idle: 0,
        last_distance: 2.0,
        last_seen: 0,
        speed: 0,
        angle: 180.0,
        reload: 0.0,
        id,
        target,
        enemy_position: [0.0; 3],
        texture: "".into(),
        frame: 77.0,
        dead: 0,
        path: [0.0; 2],
        hit_points: 100,
        model: "".into(),
        model_scale: [0.0; 3],
        texture_number: 0,
    }
}

/// A hall, and a room with a forest and levers. Tunnels are omitted because of their size.
fn rooms() -> Vec<Room> {
    let hall = Room {
        template: 3,
        angle: 90,
        position: [72.0, 0.0, 48.0],
        found: 1,
        zone: 1,
        has_player: 1,
        characters: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        levers: Vec::new().into(),
        has_tunnels: 0,
        tunnels: None,
        has_forest: 0,
        forest: None,
    };
    let other = Room {
        template: 8,
        position: [64.0, 0.0, 48.0],
        found: 0,
        has_player: 0,
        characters: [0; 12],
        levers: vec![1, 0].into(),
        has_forest: 2,
        forest: Some(Box::new(Forest { cells: [[1; 10]; 10], position: [64.0, 30.0, 48.0] })),
        ..hall.clone()
    };
    vec![hall, other]
}

fn door() -> Door {
    Door {
        position: [68.0, 0.0, 48.0],
        open: 1,
        open_state: 180.0,
        locked: 0,
        auto_close: 1,
        first_wing: [68.0, 48.5],
        second_wing: [68.0, 47.5],
        timer: 0.0,
        timer_state: 0.0,
        elevator: 0,
        mtf_closes: 1,
    }
}

fn decal() -> Decal {
    Decal {
        kind: 3,
        position: [71.0, 0.0, 48.0],
        rotation: [90.0, 0.0, 0.0],
        blend: 1,
        fx: 0,
        size: 0.5,
        alpha: 1.0,
        alpha_change: 0.0,
        timer: 0.0,
        lifetime: 0.0,
    }
}

/// A selected key card, and a clipboard that contains a note.
fn items() -> Items {
    let card = Item {
        template: "Level 1 Key Card".into(),
        kind: "key1".into(),
        name: "Level 1 Key Card".into(),
        position: [72.0, 0.5, 48.0],
        color: [0; 3],
        alpha: 0.0,
        rotation: [0.0, 90.0],
        state: 0.0,
        picked: 1,
        selected: 1,
        slot: 0,
        frame: None,
        room: 0,
        id: 1,
        second_picture: 0,
    };
    let clipboard = Item {
        template: "Clipboard".into(),
        kind: "clipboard".into(),
        name: "Clipboard".into(),
        selected: 0,
        slot: 1,
        frame: Some(17.0),
        room: 3,
        id: 2,
        ..card
    };
    let note = Item {
        template: "Mysterious Note".into(),
        kind: "paper".into(),
        name: "Mysterious Note".into(),
        selected: 0,
        slot: Item::NO_SLOT,
        id: 3,
        ..card
    };
    Items {
        items: vec![card, clipboard, note],
        containers: vec![Container { id: 2, contents: vec![3, -1, -1] }],
        found: vec![0, 1, 0, 1].into(),
        end_mark: 994,
        fog_distance: 6.0,
        previous_fog_distance: 6.0,
        scp_427_open: 0,
        scp_427_timer: 0.0,
        zones: None,
        wearing_714: 0,
    }
}
