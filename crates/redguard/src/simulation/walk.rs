//! Functions that go along the walk maps.

use std::collections::VecDeque;

use soup::machine::FaultCode;

use super::body::attribute;
use super::call::{ACTIVE, Call, DONE};
use super::motion::go_straight;
use crate::engine::rotation::{difference, distance};
use crate::map::WalkMap;

type Answer = Result<i32, FaultCode>;

/// A node farther away does not count, in world units times 256: the sum of the differences.
const FARTHEST: i32 = 4096 << 8;

/// A node nearer than this ends the search.
const NEAR: i32 = 12 << 8;

/// What of a cost is no flag.
const COST: u16 = 0x3fff;

/// Ways that cost more are not gone.
const MOST_COST: u16 = 2048;

/// The walk maps of a map, with all places in world units times 256.
#[derive(Debug, Clone, Default)]
pub(super) struct Paths {
    maps: Vec<Vec<Node>>,
}

#[derive(Debug, Clone)]
struct Node {
    place: [i32; 3],
    routes: Vec<(usize, u16)>,
}

impl Paths {
    pub(super) fn of(maps: &[WalkMap]) -> Self {
        let of_map = |map: &WalkMap| {
            let nodes = map.nodes.iter().map(|node| Node {
                place: node.position.map(|it| it.wrapping_shl(8)),
                routes: node.routes.iter().map(|it| (it.target.into(), it.cost)).collect(),
            });
            nodes.collect()
        };
        Self { maps: maps.iter().map(of_map).collect() }
    }

    fn node(&self, (map, node): (usize, usize)) -> Option<&Node> {
        self.maps.get(map)?.get(node)
    }

    /// The nearest node of any map; the newest map is looked at first.
    fn nearest(&self, place: [i32; 3]) -> Option<(usize, usize)> {
        let mut best: Option<(i32, (usize, usize))> = None;
        for (map, nodes) in self.maps.iter().enumerate().rev() {
            for (number, node) in nodes.iter().enumerate() {
                let ways = difference(node.place, place).map(i32::wrapping_abs);
                let way = ways.into_iter().fold(0, i32::saturating_add);
                if way < FARTHEST && best.is_none_or(|(known, _)| way < known) {
                    best = Some((way, (map, number)));
                    if way < NEAR {
                        return best.map(|(_, node)| node);
                    }
                }
            }
        }
        best.map(|(_, node)| node)
    }

    /// The node that comes next on the way from one node to another of the same map: with the fewest nodes, and of these with the least cost.
    fn next(&self, from: (usize, usize), to: (usize, usize)) -> Option<(usize, usize)> {
        let nodes = self.maps.get(from.0).filter(|_| from.0 == to.0)?;
        // Breadth first from the goal on; a way is gone in both directions here, as the maps of the game have both.
        let mut steps: Vec<Option<u32>> = vec![None; nodes.len()];
        *steps.get_mut(to.1)? = Some(0);
        let mut open = VecDeque::from([to.1]);
        while let Some(number) = open.pop_front() {
            let step = steps.get(number).copied().flatten()?.saturating_add(1);
            for (target, _) in gone(nodes.get(number)) {
                if let Some(place) = steps.get_mut(target).filter(|place| place.is_none()) {
                    *place = Some(step);
                    open.push_back(target);
                }
            }
        }
        let known = |target: usize| steps.get(target).copied().flatten();
        let ways = gone(nodes.get(from.1)).filter_map(|(target, cost)| Some((known(target)?, cost, target)));
        ways.min().map(|(_, _, target)| (from.0, target))
    }
}

/// The ways from a node that can be gone.
fn gone(node: Option<&Node>) -> impl Iterator<Item = (usize, u16)> + '_ {
    let routes = node.into_iter().flat_map(|node| node.routes.iter());
    routes.map(|(target, cost)| (*target, cost & COST)).filter(|(_, cost)| *cost <= MOST_COST)
}

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
    let direction = crate::engine::rotation::normal(difference(goal, body.position));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn node(x: i32, routes: &[(usize, u16)]) -> Node {
        Node { place: [x << 8, 0, 0], routes: routes.to_vec() }
    }

    fn paths() -> Paths {
        // 0 - 1 - 3, 0 - 2 - 3, where the second way costs less; 4 stands alone.
        Paths {
            maps: vec![vec![
                node(0, &[(1, 100), (2, 50)]),
                node(100, &[(0, 100), (3, 100)]),
                node(200, &[(0, 50), (3, 50)]),
                node(300, &[(1, 100), (2, 50), (0, 4000)]),
                node(1000, &[]),
            ]],
        }
    }

    #[test]
    fn the_nearest_node_is_found() {
        let paths = paths();
        assert_eq!(paths.nearest([110 << 8, 0, 0]), Some((0, 1)));
        assert_eq!(paths.nearest([6000 << 8, 0, 0]), None);
    }

    #[test]
    fn of_equal_ways_the_cheaper_one_is_gone() {
        let paths = paths();
        assert_eq!(paths.next((0, 0), (0, 3)), Some((0, 2)));
        // The way of 4000 is none.
        assert_eq!(paths.next((0, 3), (0, 0)), Some((0, 2)));
        assert_eq!(paths.next((0, 0), (0, 4)), None);
    }
}
