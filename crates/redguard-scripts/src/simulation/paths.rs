//! Pathfinding along the nodes of a map's walk maps.

use std::collections::VecDeque;

use redguard_world::engine::rotation::difference;
use redguard_world::map::WalkMap;

/// The maximum distance of the nearest node, in world units times 256: the sum of the differences per axis.
const MAX_NODE_DISTANCE: i32 = 4096 << 8;

/// A node nearer than this ends the search for the nearest node.
pub(super) const NEAR_DISTANCE: i32 = 12 << 8;

/// The bits of a route's cost that are not flags.
const COST_MASK: u16 = 0x3fff;

/// The maximum cost of a passable route.
const MAX_COST: u16 = 2048;

/// The walk maps of a map. All positions are in world units times 256.
#[derive(Debug, Clone, Default)]
pub(super) struct Paths {
    maps: Vec<Vec<Node>>,
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) position: [i32; 3],
    routes: Vec<(usize, u16)>,
}

impl Paths {
    pub(super) fn of(maps: &[WalkMap]) -> Self {
        let of_map = |map: &WalkMap| {
            let nodes = map.nodes.iter().map(|node| Node {
                position: node.position.map(|it| it.wrapping_shl(8)),
                routes: node.routes.iter().map(|it| (it.target.into(), it.cost)).collect(),
            });
            nodes.collect()
        };
        Self { maps: maps.iter().map(of_map).collect() }
    }

    pub(super) fn node(&self, (map, node): (usize, usize)) -> Option<&Node> {
        self.maps.get(map)?.get(node)
    }

    /// Returns the nearest node of any map. The newest map is searched first.
    pub(super) fn nearest(&self, position: [i32; 3]) -> Option<(usize, usize)> {
        let mut best: Option<(i32, (usize, usize))> = None;
        for (map, nodes) in self.maps.iter().enumerate().rev() {
            for (number, node) in nodes.iter().enumerate() {
                let offsets = difference(node.position, position).map(i32::wrapping_abs);
                let distance = offsets.into_iter().fold(0, i32::saturating_add);
                if distance < MAX_NODE_DISTANCE && best.is_none_or(|(known, _)| distance < known) {
                    best = Some((distance, (map, number)));
                    if distance < NEAR_DISTANCE {
                        return best.map(|(_, node)| node);
                    }
                }
            }
        }
        best.map(|(_, node)| node)
    }

    /// Returns the next node on the path between two nodes of the same map. The path with the fewest nodes is chosen, then the
    /// route with the lowest cost.
    pub(super) fn next(&self, from: (usize, usize), to: (usize, usize)) -> Option<(usize, usize)> {
        let nodes = self.maps.get(from.0).filter(|_| from.0 == to.0)?;
        // Breadth-first search from the goal. Routes are followed backwards, which assumes that they are bidirectional, as in the
        // game's maps.
        let mut steps: Vec<Option<u32>> = vec![None; nodes.len()];
        *steps.get_mut(to.1)? = Some(0);
        let mut open = VecDeque::from([to.1]);
        while let Some(number) = open.pop_front() {
            let step = steps.get(number).copied().flatten()?.saturating_add(1);
            for (target, _) in passable_routes(nodes.get(number)) {
                if let Some(slot) = steps.get_mut(target).filter(|slot| slot.is_none()) {
                    *slot = Some(step);
                    open.push_back(target);
                }
            }
        }
        let known = |target: usize| steps.get(target).copied().flatten();
        let routes = passable_routes(nodes.get(from.1))
            .filter_map(|(target, cost)| Some((known(target)?, cost, target)));
        routes.min().map(|(_, _, target)| (from.0, target))
    }
}

/// Returns the passable routes from a node: target and cost.
pub(super) fn passable_routes(node: Option<&Node>) -> impl Iterator<Item = (usize, u16)> + '_ {
    let routes = node.into_iter().flat_map(|node| node.routes.iter());
    routes.map(|(target, cost)| (*target, cost & COST_MASK)).filter(|(_, cost)| *cost <= MAX_COST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(x: i32, routes: &[(usize, u16)]) -> Node {
        Node { position: [x << 8, 0, 0], routes: routes.to_vec() }
    }

    fn paths() -> Paths {
        // Paths 0 - 1 - 3 and 0 - 2 - 3, the second one with lower costs; node 4 is isolated.
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
    fn finds_the_nearest_node() {
        let paths = paths();
        assert_eq!(paths.nearest([110 << 8, 0, 0]), Some((0, 1)));
        assert_eq!(paths.nearest([6000 << 8, 0, 0]), None);
    }

    #[test]
    fn chooses_the_cheaper_of_equally_long_paths() {
        let paths = paths();
        assert_eq!(paths.next((0, 0), (0, 3)), Some((0, 2)));
        // A route with a cost of 4000 is not passable.
        assert_eq!(paths.next((0, 3), (0, 0)), Some((0, 2)));
        assert_eq!(paths.next((0, 0), (0, 4)), None);
    }
}
