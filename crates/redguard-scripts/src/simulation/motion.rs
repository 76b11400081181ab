//! Script functions that rotate and move an actor. Angles have 2048 units per turn, positions are in world units times 256,
//! durations in nominal ticks.

use soup::machine::FaultCode;

use super::body::attribute;
use super::call::{ACTIVE, Call, DONE};
use super::player::scaled;
use redguard_world::engine::movement::{
    approach_step, has_arrived, movement_step, rotation_step, smooth_movement, smooth_rotation,
};
use redguard_world::engine::rotation::{Angle2048, Orientation, difference, distance, normal};

type Answer = Result<i32, FaultCode>;

/// Converts an axis argument to an index.
fn axis(number: i32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn angle(call: &mut Call<'_, '_>, axis: usize) -> Angle2048 {
    Angle2048::new(call.body().angles.get(axis).copied().unwrap_or_default())
}

fn set_angle(call: &mut Call<'_, '_>, axis: usize, angle: Angle2048) {
    if let Some(slot) = call.body().angles.get_mut(axis) {
        *slot = angle.get();
    }
}

fn coordinate(call: &mut Call<'_, '_>, axis: usize) -> i32 {
    call.body().position.get(axis).copied().unwrap_or_default()
}

fn set_coordinate(call: &mut Call<'_, '_>, axis: usize, value: i32) {
    if let Some(slot) = call.body().position.get_mut(axis) {
        *slot = value;
    }
}

/// Whether a task with a duration ends in this call.
fn is_last(call: &Call<'_, '_>, duration: i32) -> bool {
    call.elapsed() >= duration.wrapping_sub(1)
}

/// Rotates an axis by an angle; returns whether the rotation continues. `word` is the index of the scratch word that stores its
/// progress.
fn turn(call: &mut Call<'_, '_>, axis: usize, by: i32, duration: i32, word: usize) -> bool {
    let target = match call.is_first() {
        true => angle(call, axis).plus(by).get(),
        false => call.kept().get(word).copied().unwrap_or_default() & 2047,
    };
    let kept = call.kept().get(word).copied().unwrap_or_default();
    let fraction = if call.is_first() { 0 } else { kept >> 16 };
    let step = rotation_step(by, duration, call.ticks());
    let now = angle(call, axis);
    let arrived = has_arrived(now, Angle2048::new(target), step);
    let moved = step.wrapping_add(fraction);
    set_angle(call, axis, if arrived { Angle2048::new(target) } else { now.plus(moved >> 8) });
    let rest = (moved & 0xff).wrapping_shl(16);
    if let Some(slot) = call.it.scratch.get_mut(word) {
        *slot = target | rest;
    }
    !arrived
}

/// `RotateByAxis(axis, angle, duration)`
pub(super) fn rotate_by_axis(call: &mut Call<'_, '_>) -> Answer {
    let (axis, by, duration) = (axis(call.number(0)), call.number(1), call.number(2));
    let continues = turn(call, axis, by, duration, 0);
    mark(call);
    Ok(continues.into())
}

/// `Rotate(x, y, z, duration)`
pub(super) fn rotate(call: &mut Call<'_, '_>) -> Answer {
    let duration = call.number(3);
    let mut continues = false;
    for axis in 0..3 {
        let by = call.number(axis);
        continues |= by != 0 && turn(call, axis, by, duration, axis);
    }
    mark(call);
    Ok(continues.into())
}

/// Marks the task as started.
fn mark(call: &mut Call<'_, '_>) {
    let kept = call.kept();
    call.keep(kept);
}

/// Rotates an axis to an angle, in the shorter direction; returns whether the rotation continues.
fn turn_to(call: &mut Call<'_, '_>, axis: usize, target: Angle2048, duration: i32) -> bool {
    let now = angle(call, axis);
    let by = match call.is_first() {
        true => target.difference(now),
        false => call.kept().first().copied().unwrap_or_default(),
    };
    let step = match rotation_step(by, duration, call.ticks()) {
        step if step >> 8 == 0 => {
            let ticks = i32::try_from(call.ticks().nominal).unwrap_or(i32::MAX);
            ticks.wrapping_shl(8).wrapping_mul(by.signum())
        }
        step => step,
    };
    let arrived = has_arrived(now, target, step);
    set_angle(call, axis, if arrived { target } else { now.plus(step >> 8) });
    call.keep([by, 0, 0]);
    !arrived
}

/// `RotateToAxis(axis, angle, duration)`
pub(super) fn rotate_to_axis(call: &mut Call<'_, '_>) -> Answer {
    let (axis, target, duration) = (axis(call.number(0)), Angle2048::new(call.number(1)), call.number(2));
    Ok(turn_to(call, axis, target, duration).into())
}

/// `sRotateByAxis(axis, angle, duration)`
pub(super) fn smooth_rotate_by_axis(call: &mut Call<'_, '_>) -> Answer {
    let (axis, by, duration) = (axis(call.number(0)), call.number(1), call.number(2));
    if duration == 0 {
        return Err(FaultCode::DivByZero);
    }
    let origin = origin_angle(call, axis, 0);
    set_angle(call, axis, smooth_rotation(origin, by, duration, call.elapsed()));
    mark(call);
    Ok((!is_last(call, duration)).into())
}

/// `sRotateToAxis(axis, angle, duration)`
pub(super) fn smooth_rotate_to_axis(call: &mut Call<'_, '_>) -> Answer {
    let (axis, target, duration) = (axis(call.number(0)), Angle2048::new(call.number(1)), call.number(2));
    if duration == 1 {
        return Err(FaultCode::DivByZero);
    }
    let origin = origin_angle(call, axis, 0);
    let by = target.difference(origin);
    set_angle(call, axis, smooth_rotation(origin, by, duration, call.elapsed()));
    mark(call);
    Ok((!is_last(call, duration)).into())
}

/// `sRotate(x, y, z, duration)`
pub(super) fn smooth_rotate(call: &mut Call<'_, '_>) -> Answer {
    let duration = call.number(3);
    if duration == 0 {
        return Err(FaultCode::DivByZero);
    }
    for axis in 0..3 {
        let origin = origin_angle(call, axis, axis);
        let by = call.number(axis);
        set_angle(call, axis, smooth_rotation(origin, by, duration, call.elapsed()));
    }
    mark(call);
    Ok((!is_last(call, duration)).into())
}

/// Returns the angle at the start of the task, which is stored in a scratch word.
fn origin_angle(call: &mut Call<'_, '_>, axis: usize, word: usize) -> Angle2048 {
    if call.is_first() {
        let now = angle(call, axis);
        if let Some(slot) = call.it.scratch.get_mut(word) {
            *slot = now.get();
        }
    }
    Angle2048::new(call.kept().get(word).copied().unwrap_or_default())
}

/// Returns the position at the start of the task, which is stored in a scratch word.
fn origin_coordinate(call: &mut Call<'_, '_>, axis: usize, word: usize) -> i32 {
    if call.is_first() {
        let now = coordinate(call, axis);
        if let Some(slot) = call.it.scratch.get_mut(word) {
            *slot = now;
        }
    }
    call.kept().get(word).copied().unwrap_or_default()
}

/// Moves along an axis of the world; returns whether the movement continues.
fn shift(call: &mut Call<'_, '_>, axis: usize, by: i32, duration: i32, word: usize) -> bool {
    let target = origin_coordinate(call, axis, word).wrapping_add(by);
    let step = movement_step(by, duration, call.ticks().scale);
    let now = coordinate(call, axis);
    let left = target.wrapping_sub(now);
    let arrived = left.wrapping_abs() <= step.wrapping_abs() || is_last(call, duration);
    set_coordinate(call, axis, if arrived { target } else { now.wrapping_add(step) });
    !arrived
}

/// `MoveByAxis(axis, distance, duration)`
pub(super) fn move_by_axis(call: &mut Call<'_, '_>) -> Answer {
    let (axis, by, duration) = (axis(call.number(0)), call.number(1), call.number(2));
    let continues = shift(call, axis, by, duration, 0);
    mark(call);
    Ok(continues.into())
}

/// `Move(x, y, z, duration)`
pub(super) fn move_all(call: &mut Call<'_, '_>) -> Answer {
    let duration = call.number(3);
    let mut continues = false;
    for axis in 0..3 {
        let by = call.number(axis);
        continues |= by != 0 && shift(call, axis, by, duration, axis);
    }
    mark(call);
    Ok(continues.into())
}

/// `sMoveByAxis(axis, distance, duration)`
pub(super) fn smooth_move_by_axis(call: &mut Call<'_, '_>) -> Answer {
    let (axis, by, duration) = (axis(call.number(0)), call.number(1), call.number(2));
    if duration == 0 {
        return Err(FaultCode::DivByZero);
    }
    smooth_shift(call, axis, by, duration, 0);
    mark(call);
    Ok((!is_last(call, duration)).into())
}

/// `sMove(x, y, z, duration)`
pub(super) fn smooth_move(call: &mut Call<'_, '_>) -> Answer {
    let duration = call.number(3);
    if duration == 0 {
        return Err(FaultCode::DivByZero);
    }
    for axis in 0..3 {
        let by = call.number(axis);
        smooth_shift(call, axis, by, duration, axis);
    }
    mark(call);
    Ok((!is_last(call, duration)).into())
}

fn smooth_shift(call: &mut Call<'_, '_>, axis: usize, by: i32, duration: i32, word: usize) {
    let origin = origin_coordinate(call, axis, word);
    let coordinate = match is_last(call, duration) {
        true => origin.wrapping_add(by),
        false => smooth_movement(origin, by, duration, call.elapsed()),
    };
    set_coordinate(call, axis, coordinate);
}

/// `MoveAlongAxis(axis, distance, duration)` and `MoveObjectAxis`; move along the actor's own axis, without a target.
pub(super) fn move_along_axis(call: &mut Call<'_, '_>) -> Answer {
    let (axis, by, duration) = (axis(call.number(0)), call.number(1), call.number(2));
    let step = movement_step(by, duration, call.ticks().scale);
    let mut offset = [0; 3];
    if let Some(slot) = offset.get_mut(axis) {
        *slot = step;
    }
    call.body().move_along(offset);
    Ok((!is_last(call, duration)).into())
}

/// `sMoveAlongAxis(axis, distance, duration)`; moves from the start position along the actor's current axes.
pub(super) fn smooth_move_along_axis(call: &mut Call<'_, '_>) -> Answer {
    let (axis, by, duration) = (axis(call.number(0)), call.number(1), call.number(2));
    if duration == 0 {
        return Err(FaultCode::DivByZero);
    }
    let origin = [0, 1, 2].map(|axis| origin_coordinate(call, axis, axis));
    let moved_distance =
        if is_last(call, duration) { by } else { smooth_movement(0, by, duration, call.elapsed()) };
    let mut along = [0; 3];
    if let Some(slot) = along.get_mut(axis) {
        *slot = moved_distance;
    }
    let moved = Orientation::of_actor(call.body().angles).apply_to_integers(along);
    for (axis, (origin, moved)) in origin.into_iter().zip(moved).enumerate() {
        set_coordinate(call, axis, origin.wrapping_add(moved));
    }
    mark(call);
    Ok((!is_last(call, duration)).into())
}

/// Moves towards a position, so that it is reached at the end of the duration.
fn approach(call: &mut Call<'_, '_>, goal: [i32; 3], duration: i32) -> i32 {
    let from = call.body().position;
    let left = distance(from, goal);
    let step = approach_step(left, duration, call.elapsed(), call.ticks().scale);
    let Some(step) = step else {
        call.body().position = goal;
        return DONE;
    };
    step_towards(call, goal, step);
    ACTIVE
}

fn step_towards(call: &mut Call<'_, '_>, goal: [i32; 3], step: i32) {
    let direction = normal(difference(goal, call.body().position));
    for (coordinate, direction) in call.body().position.iter_mut().zip(direction) {
        *coordinate = coordinate.wrapping_add(scaled(direction, step));
    }
}

/// `MoveToLocation(location, duration)`
pub(super) fn move_to_location(call: &mut Call<'_, '_>) -> Answer {
    let (location, duration) = (call.number(0), call.number(1));
    let goal = call.body().location(location);
    Ok(approach(call, goal, duration))
}

/// `MoveToMarker(marker, duration)`
pub(super) fn move_to_marker(call: &mut Call<'_, '_>) -> Answer {
    let duration = call.number(1);
    match call.game.marker(call.number(0)) {
        Some(goal) => Ok(approach(call, goal, duration)),
        None => Ok(DONE),
    }
}

/// `WanderToLocation(location, duration)`; moves at constant speed.
pub(super) fn wander_to_location(call: &mut Call<'_, '_>) -> Answer {
    let (location, duration) = (call.number(0), call.number(1));
    let goal = call.body().location(location);
    let left = distance(call.body().position, goal);
    if call.is_first() {
        let speed = left.checked_div(duration).ok_or(FaultCode::DivByZero)?;
        call.keep([speed, 0, 0]);
    }
    let [speed, ..] = call.kept();
    let step = call.ticks().scale.of(speed);
    face(call, goal);
    if left <= step.max(1) {
        call.body().position = goal;
        return Ok(DONE);
    }
    step_towards(call, goal, step);
    Ok(ACTIVE)
}

/// Turns towards a position immediately.
fn face(call: &mut Call<'_, '_>, goal: [i32; 3]) {
    let body = call.body();
    let [from_x, _, from_z] = body.position;
    let [to_x, _, to_z] = goal;
    if (from_x, from_z) != (to_x, to_z) {
        let heading = body.heading_to(goal);
        set_angle(call, 1, heading);
    }
}

/// `GotoLocation(location)` and `SetLocation(location)`; move there immediately.
pub(super) fn set_location(call: &mut Call<'_, '_>) -> Answer {
    let location = call.number(0);
    let body = call.body();
    body.position = body.location(location);
    Ok(DONE)
}

/// Returns the speed given by an actor's attributes, in world units times 256 for this update.
fn speed(call: &mut Call<'_, '_>, walk: usize, run: usize) -> i32 {
    let body = call.body();
    let (walk, run) = (i32::from(body.attribute(walk)), i32::from(body.attribute(run)));
    let speed = if walk == 0 { run.wrapping_shl(7) } else { walk.wrapping_shl(8) };
    call.ticks().scale.of(speed)
}

fn run_speed(call: &mut Call<'_, '_>, run: usize) -> i32 {
    let run = i32::from(call.body().attribute(run)).wrapping_shl(8);
    call.ticks().scale.of(run)
}

/// Walks for the number of ticks in the argument.
fn walk(call: &mut Call<'_, '_>, direction: [i32; 3]) -> i32 {
    call.body().walk(direction);
    (!is_last(call, call.number(0))).into()
}

/// `WalkForward(duration)`
pub(super) fn walk_forward(call: &mut Call<'_, '_>) -> Answer {
    let step = speed(call, attribute::FORWARD_WALK, attribute::FORWARD_SPEED);
    Ok(walk(call, [0, 0, step]))
}

/// `WalkBackward(duration)`
pub(super) fn walk_backward(call: &mut Call<'_, '_>) -> Answer {
    let step = speed(call, attribute::BACKWARD_WALK, attribute::BACKWARD_SPEED);
    Ok(walk(call, [0, 0, step.wrapping_neg()]))
}

/// `MoveForward(duration)`
pub(super) fn move_forward(call: &mut Call<'_, '_>) -> Answer {
    let step = run_speed(call, attribute::FORWARD_SPEED);
    Ok(walk(call, [0, 0, step]))
}

/// `MoveBackward(duration)`
pub(super) fn move_backward(call: &mut Call<'_, '_>) -> Answer {
    let step = run_speed(call, attribute::BACKWARD_SPEED);
    Ok(walk(call, [0, 0, step.wrapping_neg()]))
}

/// `MoveLeft(duration)`
pub(super) fn move_left(call: &mut Call<'_, '_>) -> Answer {
    let step = run_speed(call, attribute::SIDE_SPEED);
    Ok(walk(call, [step.wrapping_neg(), 0, 0]))
}

/// `MoveRight(duration)`
pub(super) fn move_right(call: &mut Call<'_, '_>) -> Answer {
    let step = run_speed(call, attribute::SIDE_SPEED);
    Ok(walk(call, [step, 0, 0]))
}

/// Turns the heading towards another one at the turn speed of the actor; returns whether the rotation continues.
fn turn_heading(call: &mut Call<'_, '_>, target: Angle2048) -> i32 {
    let speed = match i32::from(call.body().attribute(attribute::TURN_SPEED)) {
        0 => TURN_SPEED,
        speed => speed,
    };
    let step = call.ticks().scale.of(speed).max(1);
    let now = call.body().heading();
    let left = target.difference(now);
    let arrived = left.wrapping_abs() <= step;
    set_angle(call, 1, if arrived { target } else { now.plus(step.wrapping_mul(left.signum())) });
    (!arrived).into()
}

/// The turn speed per tick of an actor without the attribute; it equals the player's.
const TURN_SPEED: i32 = 48;

/// `FacePlayer`, `FacePlayerInertia`
pub(super) fn face_player(call: &mut Call<'_, '_>) -> Answer {
    let goal = call.player().position;
    let target = call.body().heading_to(goal);
    Ok(turn_heading(call, target))
}

/// `FaceAngle(angle)`
pub(super) fn face_angle(call: &mut Call<'_, '_>) -> Answer {
    let target = Angle2048::new(call.number(0));
    Ok(turn_heading(call, target))
}

/// `FaceLocation(location, duration)`
pub(super) fn face_location(call: &mut Call<'_, '_>) -> Answer {
    let (location, duration) = (call.number(0), call.number(1));
    let body = call.body();
    let target = body.heading_to(body.location(location));
    Ok(turn_to(call, 1, target, duration).into())
}

/// `FaceObject(name)`
pub(super) fn face_object(call: &mut Call<'_, '_>) -> Answer {
    let goal =
        call.text(call.number(0)).and_then(|name| call.game.find(name)).map(|it| call.game.body(it).position);
    let Some(goal) = goal else { return Ok(DONE) };
    let target = call.body().heading_to(goal);
    Ok(turn_heading(call, target))
}

/// `SetPosition(x, y, z)`
pub(super) fn set_position(call: &mut Call<'_, '_>) -> Answer {
    let position = [0, 1, 2].map(|it| call.number(it));
    call.body().position = position;
    Ok(DONE)
}

/// `SetRotation(x, y, z)`
pub(super) fn set_rotation(call: &mut Call<'_, '_>) -> Answer {
    let angles = [0, 1, 2].map(|it| Angle2048::new(call.number(it)).get());
    call.body().angles = angles;
    Ok(DONE)
}

/// `SetStartPosition(x, y, z)`
pub(super) fn set_start_position(call: &mut Call<'_, '_>) -> Answer {
    let position = [0, 1, 2].map(|it| call.number(it));
    call.body().start = position;
    Ok(DONE)
}

/// `ResetPosition`, `ReloadPosition`
pub(super) fn reset_position(call: &mut Call<'_, '_>) -> Answer {
    let body = call.body();
    body.position = body.start;
    Ok(DONE)
}

/// `ResetRotation`, `ReloadRotation`
pub(super) fn reset_rotation(call: &mut Call<'_, '_>) -> Answer {
    let body = call.body();
    body.angles = body.start_angles;
    Ok(DONE)
}

/// Moves straight to a position at running speed, until it is within a tolerance.
pub(super) fn move_straight(call: &mut Call<'_, '_>, goal: [i32; 3], tolerance: i32) -> i32 {
    let step = run_speed(call, attribute::FORWARD_SPEED);
    let left = distance(call.body().position, goal);
    if left <= tolerance.max(step) {
        return DONE;
    }
    face(call, goal);
    step_towards(call, goal, step);
    ACTIVE
}

/// `MoveLocation(location, tolerance)`
pub(super) fn move_location(call: &mut Call<'_, '_>) -> Answer {
    let (location, tolerance) = (call.number(0), call.number(1));
    let goal = call.body().location(location);
    Ok(move_straight(call, goal, tolerance))
}

/// `MoveMarker(marker, tolerance)`
pub(super) fn move_marker(call: &mut Call<'_, '_>) -> Answer {
    let tolerance = call.number(1);
    match call.game.marker(call.number(0)) {
        Some(goal) => Ok(move_straight(call, goal, tolerance)),
        None => Ok(DONE),
    }
}

/// `MovePosition(x, y, z, tolerance)`
pub(super) fn move_position(call: &mut Call<'_, '_>) -> Answer {
    let goal = [0, 1, 2].map(|it| call.number(it));
    Ok(move_straight(call, goal, call.number(3)))
}
