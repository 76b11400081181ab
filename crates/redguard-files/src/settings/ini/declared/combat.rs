//! The keys of COMBAT.INI.
//!
//! Source: redguard-preservation 0.10.4; the comments of the shipped file for keys of which only the name is known.

use super::super::key::{Group, Key, ValueKind};

const fn int(name: &'static str, about: &'static str) -> Key {
    Key::integer(name, "", about)
}

/// The sections with their keys.
pub(super) const GROUPS: &[Group] = &[
    Group { section: "misc", about: "Settings of all fights.", keys: MISC },
    Group {
        section: "attack#",
        about: "An attack. The game loads attacks from 0 up to the first number without a `damage` and a `type`; a 0 counts. The attributes \
                of an actor select its attacks.",
        keys: ATTACK,
    },
    Group {
        section: "defend#",
        about: "A defense. The game loads defenses from 0 up to the first number whose `max_range` is 0.",
        keys: DEFEND,
    },
    Group { section: "taunt#", about: "A line that an actor says in a fight.", keys: TAUNT },
];

const MISC: &[Key] = &[
    Key::integer("sword_clank_1", "57", "Sound effect of a parried attack, and of a hit on a thing."),
    Key::integer("sword_clank_2", "58", "Sound effect of every second parried attack."),
    Key::integer("non_engaged_dist", "100", "Distance of actors that do not fight.").by_name(),
    Key::integer("in_face_dist", "100", "Distance of actors that stand close.").by_name(),
    Key::integer(
        "non_engaged_spacing",
        "500",
        "Angle between attackers below which one of them steps aside.",
    )
    .unit("2048 per turn"),
    Key::integer("in_combat_threshold", "200", "Distance below which two actors are fighting.")
        .unit("world units"),
    Key::switch("player_can_die", "1", "Whether the player can die.").by_name(),
    Key::integer("cyrus_defend_interval", "2", "Time that has to pass before the player defends again.")
        .unit("ticks"),
    Key::integer(
        "node_timer",
        "120",
        "Time without sight of the player after which actors follow the player on a route.",
    )
    .unit("ticks"),
    Key::integer("max_taunts", "600", "Size of the table of taunts."),
];

/// Largest number that `animation` may have in an attack or a defense.
pub(in super::super) const MAX_ANIMATION: i32 = 27;

/// Largest number that `animation` may have in a taunt: animation group 168, the last one of the game.
pub(in super::super) const MAX_TALK: i32 = 16;

const ATTACK: &[Key] = &[
    int("type", "Kind of the attack.").names(&["melee", "missile", "combo", "stab", "finishing"]),
    int("arc", "Half the width of the arc in which a target is reached.").unit("2048 per turn"),
    int("arc_center", "Direction of the middle of the arc, from straight ahead.").unit("2048 per turn"),
    int("elevation", "Height of the attack.").names(&["regular", "above", "below"]),
    int("min_range", "Distance above which a target is reached.").unit("1/256 world unit"),
    int("max_range", "Distance below which a target is reached.").unit("1/256 world unit"),
    int("first_collide_frame", "Command of the animation from which on the attack hits."),
    int("collide_duration", "Number of commands during which the attack hits."),
    int("damage", "Health that a hit takes. A combo takes that of its parts."),
    int("force", "Strength of the hit.").by_name(),
    int("defense", "Number of the target's defense that parries the attack, from 1; 0 for none.").range(0, 4),
    int("first_defend_frame", "Command of the animation from which on the attack can be parried."),
    int("defend_duration", "Number of commands during which the attack can be parried."),
    int("animation", "Animation of the attacker; 97 is added to the number of its group.")
        .range(0, MAX_ANIMATION),
    int("col_vertex", "Vertex of the model around which the attack hits."),
    int("col_sphere_size", "Radius of the sphere around that vertex; 0 for attacks without a sphere.")
        .unit("1/256 world unit"),
    int("num_attacks", "Number of parts of a combo.").range(0, 3),
    int("attack00", "First part of a combo: the number of an attack."),
    int("attack01", "Second part of a combo: the number of an attack."),
    int("attack02", "Third part of a combo: the number of an attack."),
];

const DEFEND: &[Key] = &[
    int("arc", "Half the width of the arc in which an attack is parried.").unit("2048 per turn"),
    int("min_range", "Distance above which an attack is parried.").unit("1/256 world unit"),
    int("max_range", "Distance below which an attack is parried; 0 ends the list.").unit("1/256 world unit"),
    int("first_collide_frame", "Command of the animation from which on attacks are parried."),
    int("collide_duration", "Number of commands during which attacks are parried."),
    int("animation", "Animation of the defender; 97 is added to the number of its group.")
        .range(0, MAX_ANIMATION),
];

const TAUNT: &[Key] = &[
    int("type", "What the actor says it about.").names(&[
        "begin_combat",
        "attack",
        "hurt",
        "hit_opponent",
        "defend",
        "misc_move",
        "death",
        "killed_opponent",
        "wants_to_switch_out",
        "wants_to_switch_in",
        "opponent_unarmed_male",
        "opponent_unarmed_female",
    ]),
    Key::of(
        ValueKind::Label,
        "rtx_label",
        "",
        "Line of dialogue. The first four characters count, ignoring letter case.",
    ),
    int("animation", "Animation of the speaker; 152 is added to the number of its group. 0 for none.")
        .range(0, MAX_TALK),
];
