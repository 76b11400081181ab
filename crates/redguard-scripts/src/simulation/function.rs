//! Which functions of the game this world runs.

use serde::Serialize;
use soup::Definitions;
use soup::definitions::FunctionKind;
use soup::machine::{Declarations, MACHINE_FUNCTIONS};

use super::call::Run;
use super::{act, ask, motion, walk};

/// A function that scripts call, and what it does when they are run here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FunctionFacts {
    /// Its number.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// How it is declared.
    pub kind: &'static str,
    /// How many parameters it takes.
    pub parameters: u32,
    /// How well it is run here.
    pub run: Fidelity,
    /// What it does here.
    pub about: &'static str,
}

/// How well a function is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Fidelity {
    /// As the facts say that are known of the game.
    Exact,
    /// By a reading of its name and parameters, or without all that hangs on it.
    Simplified,
    /// Its calls are recorded, and nothing else happens.
    Recorded,
}

/// A function that this world runs: its name, how, and how well.
pub(super) const FUNCTIONS: &[(&str, Run, Fidelity, &str)] = &[
    ("AcuratePlayerDistance", ask::way_to_player, E, "distance to the player"),
    ("ACTIVATE", act::activate, S, "1 in the update in which the player uses the object"),
    ("AddItem", act::add_item, E, "adds items within their limits; prerequisites are not checked"),
    ("AddLog", act::add_log, E, "reports the line"),
    ("adjustArmor", act::adjust_armor, S, "attribute 4, from 0 to 255"),
    ("adjustHealth", act::adjust_health, S, "attribute 3 within its limits; the mode is not used"),
    ("adjustStrength", act::adjust_strength, S, "attribute 2, from 0 to 255"),
    ("ActiveItem", ask::selected_item, E, "the selected item"),
    ("AmbientRtx", act::say_beside, S, "says the line once; active as long as it takes"),
    ("AmbientSound", act::ambient_sound, S, "active as long as the player is near enough to hear it"),
    ("armor", ask::armor, E, "attribute 4"),
    ("AtNodeLocation", ask::at_location, S, "compares the horizontal distance; the height is not compared"),
    ("AtNodeMarker", ask::at_marker, E, "compares the distance to the marker"),
    ("AtNodePosition", ask::at_position, S, "compares the distance to the place"),
    ("ChangeGroup", act::change_group, S, "sets attribute 29"),
    ("ChangeUser", act::change_user, S, "sets attribute 30"),
    ("CountAiShells", ask::shells, S, "how many shells have the name"),
    ("Deactivate", act::deactivate, S, "ends the use of the object"),
    ("DistanceFromLocation", ask::to_location, S, "distance to the location"),
    ("DistanceFromStart", ask::from_start, S, "distance to the start position"),
    ("DistanceToLocation", ask::to_location, E, "distance to the location"),
    ("DrawSword", act::draw_sword, S, "armed at once"),
    ("DropAllItems", act::drop_all_items, S, "the player owns nothing"),
    ("DropItem", act::take_items, S, "takes items away"),
    (
        "FaceAngle",
        motion::face_angle,
        S,
        "turns by attribute 15 (48 where it is 0) until the heading is reached",
    ),
    ("FaceLocation", motion::face_location, S, "turns towards the location within the time"),
    ("FaceObject", motion::face_object, S, "turns towards the object by attribute 15"),
    ("FacePlayer", motion::face_player, S, "turns towards the player by attribute 15"),
    ("FacePlayerInertia", motion::face_player, S, "as FacePlayer"),
    ("FindAiShell", ask::find_shell, S, "whether a shell has the name"),
    ("GetAttribute", ask::my_attribute, E, "the attribute"),
    ("GetFramePassed", ask::ticks, E, "nominal ticks of the update"),
    ("GetMyAttr", ask::my_attribute, E, "the attribute; 0 beyond 0 to 255"),
    ("GotoLocation", motion::set_location, S, "there at once"),
    ("HaveItem", ask::items, E, "how many the player owns"),
    ("health", ask::health, E, "attribute 3"),
    ("HideMe", act::hide, E, "hides the model; script and animation go on"),
    ("HoldAnimation", act::hold_animation, S, "the animation stands still"),
    ("InCircle", ask::in_circle, S, "whether the player is in the circle (X, Z, radius)"),
    ("InRectangle", ask::in_rectangle, S, "whether the player is in the rectangle; edges count"),
    ("IsCarryingWeapon", ask::is_armed, S, "whether a weapon is drawn"),
    ("isDead", ask::is_dead, S, "whether it was killed"),
    ("IsHoldingWeapon", ask::is_armed, S, "whether a weapon is drawn"),
    ("IsMaster", ask::is_master, S, "whether attribute 25 is set"),
    ("IsShellScript", ask::is_shell, E, "whether it is a shell"),
    ("IsSlave", ask::is_slave, S, "whether attribute 26 is set"),
    ("KillMe", act::kill, E, "dead; a shell is not run any more"),
    ("LightTorch", act::light_torch, S, "a torch burns at once"),
    ("LoadWorld", act::load_world, E, "reports the request"),
    ("menuAddItem", act::menu_add, S, "adds an answer; the second parameter is its value"),
    ("menuNew", act::menu_new, E, "begins a menu; the last choice is kept"),
    ("menuProc", act::menu_run, E, "shows the menu until the player chooses"),
    ("menuSelection", ask::selection, E, "the value of the answer that was chosen last"),
    ("Move", motion::move_all, S, "MoveByAxis on all three axes at once"),
    ("MoveAlongAxis", motion::move_along_axis, E, "along its own axis; never snaps"),
    ("MoveBackward", motion::move_backward, S, "by attribute 9 for as many ticks"),
    ("MoveByAxis", motion::move_by_axis, E, "along an axis of the world; snaps to its target"),
    (
        "MoveForward",
        motion::move_forward,
        S,
        "by attribute 8 for as many ticks, without the ramp of attribute 11",
    ),
    ("MoveLeft", motion::move_left, S, "by attribute 10 for as many ticks"),
    (
        "MoveLocation",
        motion::move_location,
        S,
        "straight to the location by attribute 8; obstacles are not seen",
    ),
    ("MoveMarker", motion::move_marker, S, "straight to the marker by attribute 8"),
    ("MoveNodeLocation", walk::to_location, S, "along the walk maps to the location"),
    ("MoveNodeMarker", walk::to_marker, S, "along the walk maps to the marker"),
    ("MoveNodePosition", walk::to_position, S, "along the walk maps to the place"),
    ("MoveObjectAxis", motion::move_along_axis, E, "along its own axis; never snaps"),
    ("MovePosition", motion::move_position, S, "straight to the place by attribute 8"),
    ("MoveRight", motion::move_right, S, "by attribute 10 for as many ticks"),
    ("MoveToLocation", motion::move_to_location, E, "there when the time is over"),
    ("MoveToMarker", motion::move_to_marker, S, "as MoveToLocation"),
    ("MyId", ask::id, E, "its runtime id"),
    ("OpenShell", act::open_shell, S, "adds a shell, which runs from the next update on"),
    ("PlayAnimation", act::play_animation, S, "asks for the group once"),
    ("PlayerArc", ask::arc, S, "whether the player stands in the sector"),
    ("PlayerArcTan", ask::arc_tangent, E, "bearing of the player"),
    ("PlayerArmed", ask::player_armed, S, "whether the player has drawn a weapon"),
    ("PlayerDistance", ask::sum_to_player, E, "sum of the differences to the player"),
    ("PlayerFacing", ask::facing, E, "compares both headings"),
    ("PlayerHealth", ask::player_health, E, "the player's attribute 3"),
    ("PlayerInSight", ask::in_sight, S, "by the distance alone; nothing stands in between"),
    ("PlayerLooking", ask::looking, E, "whether the player looks at the actor"),
    ("PlayerMoved", ask::player_moved, S, "whether the player moved in this update"),
    ("PlayerMovementSpeed", ask::player_speed, S, "how far the player went in this update"),
    ("PlayerTurned", ask::player_turned, S, "whether the player turned in this update"),
    ("PlayerTurnedDirection", ask::player_turned_direction, S, "-1, 0 or 1"),
    (
        "PushAnimation",
        act::push_animation,
        E,
        "asks for the group until it is current; done when another one is",
    ),
    ("PushControlAnimation", act::push_animation, S, "as PushAnimation"),
    ("ReleaseAnimation", act::release_animation, S, "the animation goes on"),
    ("ReloadPosition", motion::reset_position, S, "back to the start position"),
    ("ReloadRotation", motion::reset_rotation, S, "back to the start rotation"),
    ("RemoveItem", act::remove_item, S, "the player owns none"),
    ("ReplenishHealth", act::replenish_health, E, "health 100; 1 when that raised it"),
    ("ResetGroupSync", act::reset_group_sync, E, "waits for no group"),
    ("ResetPosition", motion::reset_position, S, "back to the start position; the operands are not used"),
    ("ResetRotation", motion::reset_rotation, S, "back to the start rotation; the operands are not used"),
    ("ResetUserSync", act::reset_user_sync, E, "waits for no user"),
    ("resurrect", act::resurrect, E, "undoes KillMe"),
    ("Rotate", motion::rotate, S, "RotateByAxis on all three axes at once"),
    ("RotateByAxis", motion::rotate_by_axis, E, "turns an axis"),
    ("RotateToAxis", motion::rotate_to_axis, E, "turns an axis the shorter way"),
    ("RTX", act::say, S, "says the line as long as its voice or its text takes; one line at a time"),
    ("rtxAnim", act::say, S, "as RTX, without the animation"),
    ("RTXp", act::say, S, "as RTX"),
    ("RTXpAnim", act::say, S, "as RTX, without the animation"),
    ("SelectItem", act::select_item, E, "selects the item"),
    ("SetAttribute", act::set_attribute, E, "sets the attribute; 1 and 6 are kept twice"),
    ("SetLocation", motion::set_location, S, "there at once"),
    ("SetMyAttr", act::set_my_attribute, E, "sets the attribute from 0 to 255"),
    ("SetPosition", motion::set_position, S, "there at once"),
    ("SetRotation", motion::set_rotation, S, "turned at once"),
    ("SetStartPosition", motion::set_start_position, S, "sets the start position"),
    ("setArmor", act::armor, S, "attribute 4, from 0 to 255"),
    ("setHealth", act::health, S, "attribute 3 within its limits"),
    ("setStrength", act::strength, S, "attribute 2, from 0 to 255"),
    ("SheathSword", act::sheathe_sword, S, "unarmed at once"),
    ("ShowMe", act::show, E, "shows the model again"),
    ("sMove", motion::smooth_move, S, "sMoveByAxis on all three axes at once"),
    ("sMoveAlongAxis", motion::smooth_move_along_axis, S, "as sMoveByAxis, along its own axis"),
    ("sMoveByAxis", motion::smooth_move_by_axis, E, "along an axis of the world, by the time that passed"),
    ("SpeedScale", ask::scaled, S, "the part of a number that falls to the update"),
    ("sRotate", motion::smooth_rotate, S, "sRotateByAxis on all three axes at once"),
    ("sRotateByAxis", motion::smooth_rotate_by_axis, E, "turns an axis by the time that passed"),
    ("sRotateToAxis", motion::smooth_rotate_to_axis, S, "turns an axis to an angle by the time that passed"),
    ("strength", ask::strength, E, "attribute 2"),
    ("SubItem", act::take_items, S, "takes items away"),
    (
        "SyncWithGroup",
        act::sync_with_group,
        E,
        "waits until all members of the channel wait, and it is the group's turn",
    ),
    ("SyncWithUser", act::sync_with_user, E, "waits for the user's turn"),
    ("TrueFunction", ask::one, E, "1"),
    ("UnlightTorch", act::unlight_torch, S, "the torch is out at once"),
    ("WaitAnimFrame", act::wait_frame, S, "waits for a frame, counted from the first of the group"),
    ("WaitOnDialog", act::wait_on_dialogue, S, "waits until no line is spoken"),
    ("WalkBackward", motion::walk_backward, S, "by attribute 13 for as many ticks"),
    ("WalkForward", motion::walk_forward, S, "by attribute 12 for as many ticks"),
    ("Wander", walk::wander, S, "from node to node of the walk maps at random"),
    ("WanderToLocation", motion::wander_to_location, E, "to the location at one speed"),
];

const E: Fidelity = Fidelity::Exact;
const S: Fidelity = Fidelity::Simplified;

/// The place in [`FUNCTIONS`] of each function of a game, by number.
pub(super) fn places(declarations: &Declarations) -> Vec<Option<usize>> {
    let mut out = vec![None; declarations.definitions.functions.len()];
    for (index, (name, ..)) in FUNCTIONS.iter().enumerate() {
        let number = declarations.function_number(name);
        if let Some(place) = number.and_then(|it| out.get_mut(usize::from(it))) {
            *place = Some(index);
        }
    }
    out
}

/// What each function of a game does here.
pub(super) fn facts(definitions: &Definitions) -> Vec<FunctionFacts> {
    let fact = |(number, function): (usize, &soup::definitions::Function)| {
        let same = |name: &str| name.eq_ignore_ascii_case(&function.name);
        let of_machine = MACHINE_FUNCTIONS.iter().find(|(name, _)| same(name)).map(|(_, about)| (E, *about));
        let of_world =
            || FUNCTIONS.iter().find(|(name, ..)| same(name)).map(|(_, _, run, about)| (*run, *about));
        let (run, about) = match number {
            0 => (E, "does nothing"),
            _ => of_machine.or_else(of_world).unwrap_or((Fidelity::Recorded, "gives 0")),
        };
        FunctionFacts {
            number,
            name: function.name.clone(),
            kind: match function.kind {
                FunctionKind::Task => "task",
                FunctionKind::Multitask => "multitask",
                FunctionKind::Function => "function",
            },
            parameters: function.params,
            run,
            about,
        }
    };
    definitions.functions.iter().enumerate().map(fact).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_function_is_one_of_the_game_and_stands_here_once() {
        let definitions = Definitions::shipped();
        let mut seen = BTreeSet::new();
        for (name, ..) in FUNCTIONS {
            assert!(definitions.functions.iter().any(|it| it.name.eq_ignore_ascii_case(name)), "{name}");
            assert!(seen.insert(name.to_lowercase()), "{name}");
        }
        let facts = facts(definitions);
        assert_eq!(facts.len(), 367);
        let count = |run: Fidelity| facts.iter().filter(|it| it.run == run).count();
        // Those of the machine and function 0 are exact.
        assert_eq!(count(Fidelity::Exact) + count(Fidelity::Simplified), FUNCTIONS.len() + 14);
    }
}
