//! Functions that go along the walk maps.

use soup::machine::FaultCode;

use super::body::attribute;
use super::call::{ACTIVE, Call, DONE};
use super::motion::go_straight;
use super::paths::{NEAR, gone};
use redguard_world::engine::rotation::{difference, distance};

type Answer = Result<i32, FaultCode>;

/// `Wander(...)`: from node to node, at random; how far it went.
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
    let Some(place) = call.game.paths.node(node).map(|it| it.place) else { return Ok(0) };
    let walk = walk_step(call);
    if step(call, place, walk) {
        let rests = idle != 0 && call.state.random.below(idle) == 0;
        let routes: Vec<usize> = gone(call.game.paths.node(node)).map(|(target, _)| target).collect();
        let count = i32::try_from(routes.len()).unwrap_or_default();
        if !rests && count > 0 {
            let chosen = usize::try_from(call.state.random.below(count)).unwrap_or_default();
            let next = routes.get(chosen).map(|target| (node.0, *target));
            call.body().node = next.filter(|it| call.game.paths.node(*it).is_some());
        }
    }
    let to = call.body().position;
    Ok(distance(from, to))
}

/// How far an actor goes between nodes in this update.
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

/// Goes a step towards a place; whether it is there.
fn step(call: &mut Call<'_, '_>, goal: [i32; 3], step: i32) -> bool {
    let body = call.body();
    let left = distance(body.position, goal);
    if left <= step {
        body.position = goal;
        return true;
    }
    let [pitch, _, roll] = body.angles;
    body.angles = [pitch, body.heading_to(goal).get(), roll];
    let direction = redguard_world::engine::rotation::normal(difference(goal, body.position));
    for (place, direction) in body.position.iter_mut().zip(direction) {
        *place = place.wrapping_add(super::player::scaled(direction, step));
    }
    step == 0
}

/// Goes to a place along the nodes; straight where there are none.
fn along(call: &mut Call<'_, '_>, goal: [i32; 3], tolerance: i32) -> Answer {
    let from = call.body().position;
    let walk = walk_step(call);
    if walk == 0 || distance(from, goal) <= tolerance.max(walk) {
        return Ok(DONE);
    }
    let (here, there) = (call.game.paths.nearest(from), call.game.paths.nearest(goal));
    let next = match (here, there) {
        (Some(here), Some(there)) if here != there => {
            let at_node =
                call.game.paths.node(here).is_some_and(|it| distance(from, it.place) <= walk.max(NEAR));
            if at_node { call.game.paths.next(here, there) } else { Some(here) }
        }
        _ => None,
    };
    let next = call
        .body()
        .node
        .filter(|_| next.is_some())
        .filter(|it| {
            // A node that was chosen is gone to before another one is.
            call.game.paths.node(*it).is_some_and(|it| distance(from, it.place) > walk.max(NEAR))
        })
        .or(next);
    call.body().node = next;
    let place = next.and_then(|it| call.game.paths.node(it)).map(|it| it.place);
    match place {
        Some(place) => {
            step(call, place, walk);
            Ok(ACTIVE)
        }
        None => Ok(go_straight(call, goal, tolerance)),
    }
}

/// `MoveNodeMarker(marker, tolerance)`
pub(super) fn to_marker(call: &mut Call<'_, '_>) -> Answer {
    let tolerance = call.number(1);
    match call.game.marker(call.number(0)) {
        Some(goal) => along(call, goal, tolerance),
        None => Ok(DONE),
    }
}

/// `MoveNodeLocation(location, tolerance)`
pub(super) fn to_location(call: &mut Call<'_, '_>) -> Answer {
    let (location, tolerance) = (call.number(0), call.number(1));
    let goal = call.body().location(location);
    along(call, goal, tolerance)
}

/// `MoveNodePosition(x, y, z, tolerance)`
pub(super) fn to_position(call: &mut Call<'_, '_>) -> Answer {
    let goal = [0, 1, 2].map(|it| call.number(it));
    along(call, goal, call.number(3))
}
