//! The walk maps of a map, and the ways along their nodes.

use std::collections::VecDeque;

use redguard_world::engine::rotation::difference;
use redguard_world::map::WalkMap;

/// A node farther away does not count, in world units times 256: the sum of the differences.
const FARTHEST: i32 = 4096 << 8;

/// A node nearer than this ends the search.
pub(super) const NEAR: i32 = 12 << 8;

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
pub(super) struct Node {
    pub(super) place: [i32; 3],
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

    pub(super) fn node(&self, (map, node): (usize, usize)) -> Option<&Node> {
        self.maps.get(map)?.get(node)
    }

    /// The nearest node of any map; the newest map is looked at first.
    pub(super) fn nearest(&self, place: [i32; 3]) -> Option<(usize, usize)> {
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
    pub(super) fn next(&self, from: (usize, usize), to: (usize, usize)) -> Option<(usize, usize)> {
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
pub(super) fn gone(node: Option<&Node>) -> impl Iterator<Item = (usize, u16)> + '_ {
    let routes = node.into_iter().flat_map(|node| node.routes.iter());
    routes.map(|(target, cost)| (*target, cost & COST)).filter(|(_, cost)| *cost <= MOST_COST)
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
