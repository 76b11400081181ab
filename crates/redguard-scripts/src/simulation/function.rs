//! The table of simulated game functions.

use serde::Serialize;
use soup::Definitions;
use soup::definitions::FunctionKind;
use soup::machine::{Declarations, MACHINE_FUNCTIONS};

use super::call::Run;
use super::{action, motion, query, walk};

/// A function that scripts call, and how it is simulated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FunctionFacts {
    /// The number of the function.
    pub number: usize,
    /// The name of the function.
    pub name: String,
    /// The kind of its declaration.
    pub kind: &'static str,
    /// The number of parameters.
    pub parameters: u32,
    /// The accuracy of the simulation.
    pub run: Fidelity,
    /// A description of the simulated effect.
    pub about: &'static str,
}

/// The accuracy of the simulation of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Fidelity {
    /// Matches the known facts about the game.
    Exact,
    /// Inferred from its name and parameters, or incomplete.
    Simplified,
    /// Calls are recorded without any effect.
    Recorded,
}

/// The simulated functions: name, implementation, accuracy and description.
pub(super) const FUNCTIONS: &[(&str, Run, Fidelity, &str)] = &[
    ("AcuratePlayerDistance", query::distance_to_player, E, "distance to the player"),
    ("ACTIVATE", action::activate, S, "1 in the update in which the player uses the object"),
    (
        "AddItem",
        action::add_item,
        E,
        "adds items within their limits if the required ones are owned, with the items of their lists",
    ),
    ("AddLog", action::add_log, E, "reports the line"),
    ("adjustArmor", action::adjust_armor, S, "attribute 4, from 0 to 255"),
    ("adjustHealth", action::adjust_health, S, "attribute 3 within its limits; the mode is not used"),
    ("adjustStrength", action::adjust_strength, S, "attribute 2, from 0 to 255"),
    ("ActiveItem", query::selected_item, E, "the selected item"),
    ("AmbientRtx", action::say_ambient, S, "speaks the line once; active until it ends"),
    ("AmbientSound", action::ambient_sound, S, "active while the player is near enough to hear it"),
    ("armor", query::armor, E, "attribute 4"),
    ("AtNodeLocation", query::at_location, S, "compares the horizontal distance; the height is ignored"),
    ("AtNodeMarker", query::at_marker, E, "compares the distance to the marker"),
    ("AtNodePosition", query::at_position, S, "compares the distance to the position"),
    ("ChangeGroup", action::change_group, S, "sets attribute 29"),
    ("ChangeUser", action::change_user, S, "sets attribute 30"),
    ("CountAiShells", query::shells, S, "number of shells with this name"),
    ("Deactivate", action::deactivate, S, "ends the use of the object"),
    ("DistanceFromLocation", query::to_location, S, "distance to the location"),
    ("DistanceFromStart", query::from_start, S, "distance to the start position"),
    ("DistanceToLocation", query::to_location, E, "distance to the location"),
    ("DrawSword", action::draw_sword, S, "draws the weapon of attribute 23 immediately"),
    ("DropAllItems", action::drop_all_items, E, "drops all items of the player, and selects none"),
    ("DropItem", action::drop_item, E, "drops items; if some are left, removes the items of their list"),
    (
        "FaceAngle",
        motion::face_angle,
        S,
        "turns by attribute 15 (48 if it is 0) until the heading is reached",
    ),
    ("FaceLocation", motion::face_location, S, "turns towards the location within the time"),
    ("FaceObject", motion::face_object, S, "turns towards the object by attribute 15"),
    ("FacePlayer", motion::face_player, S, "turns towards the player by attribute 15"),
    ("FacePlayerInertia", motion::face_player, S, "as FacePlayer"),
    ("FindAiShell", query::find_shell, S, "whether there is a shell with this name"),
    ("GetAttribute", query::my_attribute, E, "the attribute"),
    ("GetFramePassed", query::ticks, E, "nominal ticks of the update"),
    ("GetMyAttr", query::my_attribute, E, "the attribute; 0 if the number is not 0 to 255"),
    ("GotoLocation", motion::set_location, S, "moves there immediately"),
    ("HaveItem", query::items, E, "number that the player owns"),
    ("health", query::health, E, "attribute 3"),
    ("HideMe", action::hide, E, "hides the model; script and animation continue"),
    ("HoldAnimation", action::hold_animation, S, "pauses the animation"),
    ("InCircle", query::in_circle, S, "whether the player is in the circle (X, Z, radius)"),
    ("InRectangle", query::in_rectangle, S, "whether the player is in the rectangle; edges are included"),
    ("IsCarryingWeapon", query::carries_weapon, S, "whether the actor has a weapon, drawn or not"),
    ("IsCombatCapable", query::carries_weapon, S, "as IsCarryingWeapon"),
    ("isDead", query::is_dead, S, "whether the actor was killed"),
    ("IsHoldingWeapon", query::holds_weapon, S, "whether a weapon is in the hand"),
    ("IsMaster", query::is_master, S, "whether attribute 25 is set"),
    ("IsShellScript", query::is_shell, E, "whether the actor is a shell"),
    ("IsSlave", query::is_slave, S, "whether attribute 26 is set"),
    ("KillMe", action::kill, E, "kills the actor; a shell is no longer run"),
    ("LightTorch", action::light_torch, S, "the torch burns immediately"),
    ("LoadWorld", action::load_world, E, "reports the request"),
    ("menuAddItem", action::menu_add, S, "adds an answer; the second parameter is its value"),
    ("menuNew", action::menu_new, E, "starts a menu; the last choice is kept"),
    ("menuProc", action::menu_run, E, "shows the menu until the player chooses"),
    ("menuSelection", query::selection, E, "value of the answer that was chosen last"),
    ("Move", motion::move_all, S, "MoveByAxis on all three axes at once"),
    ("MoveAlongAxis", motion::move_along_axis, E, "moves along its own axis; never snaps"),
    ("MoveBackward", motion::move_backward, S, "moves by attribute 9 for the number of ticks"),
    ("MoveByAxis", motion::move_by_axis, E, "moves along an axis of the world; snaps to its target"),
    (
        "MoveForward",
        motion::move_forward,
        S,
        "moves by attribute 8 for the number of ticks, without the ramp of attribute 11",
    ),
    ("MoveLeft", motion::move_left, S, "moves by attribute 10 for the number of ticks"),
    (
        "MoveLocation",
        motion::move_location,
        S,
        "moves straight to the location by attribute 8; obstacles are ignored",
    ),
    ("MoveMarker", motion::move_marker, S, "moves straight to the marker by attribute 8"),
    ("MoveNodeLocation", walk::to_location, S, "moves along the walk maps to the location"),
    ("MoveNodeMarker", walk::to_marker, S, "moves along the walk maps to the marker"),
    ("MoveNodePosition", walk::to_position, S, "moves along the walk maps to the position"),
    ("MoveObjectAxis", motion::move_along_axis, E, "moves along its own axis; never snaps"),
    ("MovePosition", motion::move_position, S, "moves straight to the position by attribute 8"),
    ("MoveRight", motion::move_right, S, "moves by attribute 10 for the number of ticks"),
    ("MoveToLocation", motion::move_to_location, E, "reaches the location at the end of the duration"),
    ("MoveToMarker", motion::move_to_marker, S, "as MoveToLocation"),
    ("MyId", query::id, E, "runtime ID of the actor"),
    ("OpenShell", action::open_shell, S, "adds a shell, which runs from the next update"),
    ("PlayAnimation", action::play_animation, S, "requests the group once"),
    ("PlayerArc", query::arc, S, "whether the player is in the sector"),
    ("PlayerArcTan", query::arc_tangent, E, "bearing of the player"),
    ("PlayerArmed", query::player_armed, S, "whether the player has a weapon in the hand"),
    ("PlayerDistance", query::sum_to_player, E, "sum of the coordinate differences to the player"),
    ("PlayerFacing", query::facing, E, "compares both headings"),
    ("PlayerHealth", query::player_health, E, "the player's attribute 3"),
    ("PlayerInSight", query::in_sight, S, "compares the distance; obstacles are ignored"),
    ("PlayerLooking", query::looking, E, "whether the player looks at the actor"),
    ("PlayerMoved", query::player_moved, S, "whether the player moved in this update"),
    ("PlayerMovementSpeed", query::player_speed, S, "distance that the player moved in this update"),
    ("PlayerTurned", query::player_turned, S, "whether the player turned in this update"),
    ("PlayerTurnedDirection", query::player_turned_direction, S, "-1, 0 or 1"),
    (
        "PushAnimation",
        action::push_animation,
        E,
        "requests the group until it is current; done when another one is",
    ),
    ("PushControlAnimation", action::push_animation, S, "as PushAnimation"),
    ("ReleaseAnimation", action::release_animation, S, "resumes the animation"),
    ("ReloadPosition", motion::reset_position, S, "returns to the start position"),
    ("ReloadRotation", motion::reset_rotation, S, "returns to the start rotation"),
    ("RemoveItem", action::remove_item, S, "removes the item completely"),
    ("ReplenishHealth", action::replenish_health, E, "sets health to 100; 1 if that raised it"),
    ("ResetGroupSync", action::reset_group_sync, E, "stops waiting for a group"),
    ("ResetPosition", motion::reset_position, S, "returns to the start position; the operands are ignored"),
    ("ResetRotation", motion::reset_rotation, S, "returns to the start rotation; the operands are ignored"),
    ("ResetUserSync", action::reset_user_sync, E, "stops waiting for a user"),
    ("resurrect", action::resurrect, E, "undoes KillMe"),
    ("Rotate", motion::rotate, S, "RotateByAxis on all three axes at once"),
    ("RotateByAxis", motion::rotate_by_axis, E, "rotates an axis"),
    ("RotateToAxis", motion::rotate_to_axis, E, "rotates an axis in the shorter direction"),
    ("RTX", action::say, S, "speaks the line for the duration of its voice or text; one line at a time"),
    ("rtxAnim", action::say, S, "as RTX, without the animation"),
    ("RTXp", action::say, S, "as RTX"),
    ("RTXpAnim", action::say, S, "as RTX, without the animation"),
    ("SelectItem", action::select_item, E, "selects the item"),
    ("SetAttribute", action::set_attribute, E, "sets the attribute; 1 and 6 are stored twice"),
    ("SetLocation", motion::set_location, S, "moves there immediately"),
    ("SetMyAttr", action::set_my_attribute, E, "sets the attribute from 0 to 255"),
    ("SetPosition", motion::set_position, S, "moves there immediately"),
    ("SetRotation", motion::set_rotation, S, "rotates immediately"),
    ("SetStartPosition", motion::set_start_position, S, "sets the start position"),
    ("setArmor", action::armor, S, "attribute 4, from 0 to 255"),
    ("setHealth", action::health, S, "attribute 3 within its limits"),
    ("setStrength", action::strength, S, "attribute 2, from 0 to 255"),
    ("SheathSword", action::sheathe_sword, S, "puts the weapon away immediately"),
    ("ShowMe", action::show, E, "shows the model again"),
    ("sMove", motion::smooth_move, S, "sMoveByAxis on all three axes at once"),
    ("sMoveAlongAxis", motion::smooth_move_along_axis, S, "as sMoveByAxis, along its own axis"),
    ("sMoveByAxis", motion::smooth_move_by_axis, E, "moves along an axis of the world by the elapsed time"),
    ("SpeedScale", query::scaled, S, "scales a number by the duration of the update"),
    ("sRotate", motion::smooth_rotate, S, "sRotateByAxis on all three axes at once"),
    ("sRotateByAxis", motion::smooth_rotate_by_axis, E, "rotates an axis by the elapsed time"),
    ("sRotateToAxis", motion::smooth_rotate_to_axis, S, "rotates an axis to an angle by the elapsed time"),
    ("strength", query::strength, E, "attribute 2"),
    ("SubItem", action::take_items, S, "removes items"),
    (
        "SyncWithGroup",
        action::sync_with_group,
        E,
        "waits until all members of the channel wait, and it is the group's turn",
    ),
    ("SyncWithUser", action::sync_with_user, E, "waits for the user's turn"),
    ("TrueFunction", query::one, E, "1"),
    ("UnlightTorch", action::unlight_torch, S, "the torch is put out immediately"),
    ("WaitAnimFrame", action::wait_frame, S, "waits for a frame, counted from the first of the group"),
    ("WaitOnDialog", action::wait_on_dialogue, S, "waits until no line is spoken"),
    ("WalkBackward", motion::walk_backward, S, "walks by attribute 13 for the number of ticks"),
    ("WalkForward", motion::walk_forward, S, "walks by attribute 12 for the number of ticks"),
    ("Wander", walk::wander, S, "moves from node to node of the walk maps at random"),
    ("WanderToLocation", motion::wander_to_location, E, "moves to the location at constant speed"),
];

const E: Fidelity = Fidelity::Exact;
const S: Fidelity = Fidelity::Simplified;

/// Returns the index in [`FUNCTIONS`] of each function of a game, by function number.
pub(super) fn indices(declarations: &Declarations) -> Vec<Option<usize>> {
    let mut out = vec![None; declarations.definitions.functions.len()];
    for (index, (name, ..)) in FUNCTIONS.iter().enumerate() {
        let number = declarations.function_number(name);
        if let Some(slot) = number.and_then(|it| out.get_mut(usize::from(it))) {
            *slot = Some(index);
        }
    }
    out
}

/// Describes the simulation of each function of a game.
pub(super) fn facts(definitions: &Definitions) -> Vec<FunctionFacts> {
    let fact = |(number, function): (usize, &soup::definitions::Function)| {
        let same = |name: &str| name.eq_ignore_ascii_case(&function.name);
        let of_machine = MACHINE_FUNCTIONS.iter().find(|(name, _)| same(name)).map(|(_, about)| (E, *about));
        let of_world =
            || FUNCTIONS.iter().find(|(name, ..)| same(name)).map(|(_, _, run, about)| (*run, *about));
        let (run, about) = match number {
            0 => (E, "does nothing"),
            _ => of_machine.or_else(of_world).unwrap_or((Fidelity::Recorded, "returns 0")),
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
    fn each_function_exists_in_the_game_and_is_listed_once() {
        let definitions = Definitions::shipped();
        let mut seen = BTreeSet::new();
        for (name, ..) in FUNCTIONS {
            assert!(definitions.functions.iter().any(|it| it.name.eq_ignore_ascii_case(name)), "{name}");
            assert!(seen.insert(name.to_lowercase()), "{name}");
        }
        let facts = facts(definitions);
        assert_eq!(facts.len(), 367);
        let count = |run: Fidelity| facts.iter().filter(|it| it.run == run).count();
        // The functions of the machine and function 0 are exact.
        assert_eq!(count(Fidelity::Exact) + count(Fidelity::Simplified), FUNCTIONS.len() + 14);
    }
}
