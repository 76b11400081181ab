//! Script functions that move along the walk maps.

use soup::machine::FaultCode;

use super::body::attribute;
use super::call::{ACTIVE, Call, DONE};
use super::motion::move_straight;
use super::paths::{NEAR_DISTANCE, passable_routes};
use redguard_world::engine::rotation::{difference, distance};

type Answer = Result<i32, FaultCode>;

/// `Wander(...)`; moves from node to node at random, and returns the distance moved.
pub(super) fn wander(call: &mut Call<'_, '_>) -> Answer {
    let from = call.body().position;
    let idle = i32::from(call.body().attribute(attribute::NODE_IDLE));
    let known = call.body().node;
    let node = match known {
        Some(node) if call.game.paths.node(node).is_some() => node,
        _ => match call.game.paths.nearest(from) {
            Some(node) => node,
            None => return Ok(0),
        },
    };
    call.body().node = Some(node);
    call.body().set_attribute(attribute::NODE_IN_USE, 1);
    let Some(position) = call.game.paths.node(node).map(|it| it.position) else { return Ok(0) };
    let walk = walk_step(call);
    if step_towards(call, position, walk) {
        let is_resting = idle != 0 && call.state.random.below(idle) == 0;
        let routes: Vec<usize> =
            passable_routes(call.game.paths.node(node)).map(|(target, _)| target).collect();
        let count = i32::try_from(routes.len()).unwrap_or_default();
        if !is_resting && count > 0 {
            let chosen = usize::try_from(call.state.random.below(count)).unwrap_or_default();
            let next = routes.get(chosen).map(|target| (node.0, *target));
            call.body().node = next.filter(|it| call.game.paths.node(*it).is_some());
        }
    }
    let to = call.body().position;
    Ok(distance(from, to))
}

/// Returns the distance that an actor moves between nodes in this update.
fn walk_step(call: &mut Call<'_, '_>) -> i32 {
    let body = call.body();
    let (walk, run) = (body.attribute(attribute::FORWARD_WALK), body.attribute(attribute::FORWARD_SPEED));
    let speed = match (body.attribute(attribute::NODE_RUN), walk) {
        (0, 0) => i32::from(run).wrapping_shl(7),
        (0, walk) => i32::from(walk).wrapping_shl(8),
        _ => i32::from(run).wrapping_shl(8),
    };
    call.ticks().scale.of(speed)
}

/// Moves a step towards a position; returns whether it is reached.
fn step_towards(call: &mut Call<'_, '_>, goal: [i32; 3], step: i32) -> bool {
    let body = call.body();
    let left = distance(body.position, goal);
    if left <= step {
        body.position = goal;
        return true;
    }
    let [pitch, _, roll] = body.angles;
    body.angles = [pitch, body.heading_to(goal).get(), roll];
    let direction = redguard_world::engine::rotation::normal(difference(goal, body.position));
    for (coordinate, direction) in body.position.iter_mut().zip(direction) {
        *coordinate = coordinate.wrapping_add(super::player::scaled(direction, step));
    }
    step == 0
}

/// Moves to a position along the nodes, or straight if there are none.
fn follow_path(call: &mut Call<'_, '_>, goal: [i32; 3], tolerance: i32) -> Answer {
    let from = call.body().position;
    let walk = walk_step(call);
    if walk == 0 || distance(from, goal) <= tolerance.max(walk) {
        return Ok(DONE);
    }
    let (here, there) = (call.game.paths.nearest(from), call.game.paths.nearest(goal));
    let next = match (here, there) {
        (Some(here), Some(there)) if here != there => {
            let at_node = call
                .game
                .paths
                .node(here)
                .is_some_and(|it| distance(from, it.position) <= walk.max(NEAR_DISTANCE));
            if at_node { call.game.paths.next(here, there) } else { Some(here) }
        }
        _ => None,
    };
    let next = call
        .body()
        .node
        .filter(|_| next.is_some())
        .filter(|it| {
            // A chosen node must be reached before another one is chosen.
            call.game.paths.node(*it).is_some_and(|it| distance(from, it.position) > walk.max(NEAR_DISTANCE))
        })
        .or(next);
    call.body().node = next;
    let position = next.and_then(|it| call.game.paths.node(it)).map(|it| it.position);
    match position {
        Some(position) => {
            step_towards(call, position, walk);
            Ok(ACTIVE)
        }
        None => Ok(move_straight(call, goal, tolerance)),
    }
}

/// `MoveNodeMarker(marker, tolerance)`
pub(super) fn to_marker(call: &mut Call<'_, '_>) -> Answer {
    let tolerance = call.number(1);
    match call.game.marker(call.number(0)) {
        Some(goal) => follow_path(call, goal, tolerance),
        None => Ok(DONE),
    }
}

/// `MoveNodeLocation(location, tolerance)`
pub(super) fn to_location(call: &mut Call<'_, '_>) -> Answer {
    let (location, tolerance) = (call.number(0), call.number(1));
    let goal = call.body().location(location);
    follow_path(call, goal, tolerance)
}

/// `MoveNodePosition(x, y, z, tolerance)`
pub(super) fn to_position(call: &mut Call<'_, '_>) -> Answer {
    let goal = [0, 1, 2].map(|it| call.number(it));
    follow_path(call, goal, call.number(3))
}
