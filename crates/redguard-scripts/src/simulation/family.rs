//! Families: actors that hang on others, and move and turn with them.

use std::collections::{BTreeMap, BTreeSet};

use super::body::{Body, attribute};
use redguard_world::engine::movement::family_position;
use redguard_world::engine::rotation::{Orientation, difference};

/// An actor that hangs on another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Link {
    child: usize,
    parent: usize,
    /// The difference of their places in the space of the parent when the map was loaded, in world units times 256.
    offset: [i32; 3],
}

/// Who hangs on whom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Families {
    /// Parents before their children.
    links: Vec<Link>,
    /// The link of each child.
    by_child: BTreeMap<usize, usize>,
}

impl Families {
    /// Those of a map that was just loaded: attribute 25 leads, 26 follows. Who would hang on itself by way of others hangs on nobody.
    pub(super) fn of(bodies: &[Body]) -> Self {
        let mut masters: BTreeMap<u8, usize> = BTreeMap::new();
        for (number, body) in bodies.iter().enumerate() {
            if let master @ 1.. = body.attribute(attribute::MASTER) {
                masters.entry(master).or_insert(number);
            }
        }
        let parent_of = |child: usize| {
            let parent = *masters.get(&bodies.get(child)?.attribute(attribute::SLAVE))?;
            (parent != child).then_some(parent)
        };
        let mut out = Self::default();
        let mut settled: BTreeSet<usize> = BTreeSet::new();
        for number in 0..bodies.len() {
            // From the child up to somebody who is settled, or hangs on nobody, or was met before.
            let mut line = Vec::new();
            let mut next = Some(number);
            while let Some(child) = next.filter(|it| !settled.contains(it) && !line.contains(it)) {
                line.push(child);
                next = parent_of(child);
            }
            let met_again = next.filter(|it| line.contains(it));
            for child in line.into_iter().rev() {
                settled.insert(child);
                let parent = parent_of(child).filter(|_| met_again != Some(child));
                let pair = parent.and_then(|it| Some((it, bodies.get(child)?, bodies.get(it)?)));
                if let Some((parent, below, above)) = pair {
                    let inverse = out.orientation(parent, bodies).transposed();
                    let offset = inverse.apply_to_integers(difference(below.position, above.position));
                    out.by_child.insert(child, out.links.len());
                    out.links.push(Link { child, parent, offset });
                }
            }
        }
        out
    }

    /// How an actor is turned in the world: who hangs on another one, by its own angles in the space of that one, unless attribute 33 says otherwise.
    pub(super) fn orientation(&self, actor: usize, bodies: &[Body]) -> Orientation {
        let mut line = Vec::new();
        let mut next = Some(actor);
        while let Some(body) = next.and_then(|it| bodies.get(it)) {
            line.push(body.angles);
            let link = next.and_then(|it| self.links.get(*self.by_child.get(&it)?));
            next = link.filter(|_| body.attribute(attribute::OWN_ROTATION) == 0).map(|it| it.parent);
        }
        line.into_iter().rev().fold(Orientation::IDENTITY, Orientation::turned_as_actor)
    }

    /// Puts what hangs on others where these are.
    pub(super) fn follow(&self, bodies: &mut [Body]) {
        for Link { child, parent, offset } in &self.links {
            let orientation = self.orientation(*parent, bodies);
            let Some(at) = bodies.get(*parent).map(|it| it.position) else { continue };
            if let Some(body) = bodies.get_mut(*child) {
                body.position = family_position(at, &orientation, *offset);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::Role;
    use super::*;

    /// An actor at a place, with attributes.
    fn body(position: [i32; 3], angles: [i32; 3], attributes: &[(usize, i32)]) -> Body {
        let mut out = Body::new(Role::Placed).at(position, angles);
        for (number, value) in attributes {
            out.set_attribute(*number, *value);
        }
        out
    }

    fn turned(families: &Families, actor: usize, bodies: &[Body]) -> [i32; 3] {
        families.orientation(actor, bodies).apply_to_integers([0, 0, 1000])
    }

    #[test]
    fn who_hangs_on_another_moves_and_turns_with_it() {
        let mut bodies = [body([100, 0, 1100], [0; 3], &[(26, 7)]), body([100, 0, 100], [0; 3], &[(25, 7)])];
        let families = Families::of(&bodies);
        // A quarter to the right, towards +X.
        bodies[1].angles = [0, -512, 0];
        bodies[1].position = [200, 50, 100];
        families.follow(&mut bodies);
        assert_eq!(bodies[0].position, [1200, 50, 100]);
        assert_eq!(turned(&families, 0, &bodies), [1000, 0, 0]);
        // Its own angles count in the space of its parent.
        bodies[0].angles = [0, -512, 0];
        assert_eq!(turned(&families, 0, &bodies), [0, 0, -1000]);
        bodies[0].set_attribute(33, 1);
        assert_eq!(turned(&families, 0, &bodies), [1000, 0, 0]);
        assert_eq!(bodies[0].position, [1200, 50, 100]);
    }

    #[test]
    fn the_whole_line_follows_whatever_its_order() {
        let mut bodies = [
            body([0, 0, 2000], [0; 3], &[(26, 2)]),
            body([0, 0, 1000], [0; 3], &[(25, 2), (26, 1)]),
            body([0; 3], [0; 3], &[(25, 1)]),
        ];
        let families = Families::of(&bodies);
        bodies[2].angles = [0, -512, 0];
        families.follow(&mut bodies);
        assert_eq!([0, 1].map(|it| bodies[it].position), [[2000, 0, 0], [1000, 0, 0]]);
        assert_eq!(turned(&families, 0, &bodies), [1000, 0, 0]);
    }

    #[test]
    fn nobody_hangs_on_itself() {
        let ring = [
            body([0; 3], [0; 3], &[(25, 1), (26, 2)]),
            body([0, 0, 1000], [0, -512, 0], &[(25, 2), (26, 1)]),
            body([5; 3], [0; 3], &[(25, 3), (26, 3)]),
        ];
        let families = Families::of(&ring);
        assert_eq!(families.links.len(), 1);
        let mut after = ring.clone();
        families.follow(&mut after);
        assert_eq!(after.map(|it| it.position), ring.map(|it| it.position));
    }

    #[test]
    fn the_first_of_several_leads() {
        let mut bodies = [
            body([0; 3], [0; 3], &[(25, 1)]),
            body([0; 3], [0; 3], &[(25, 1)]),
            body([9; 3], [0; 3], &[(26, 1)]),
        ];
        let families = Families::of(&bodies);
        bodies[0].position = [10, 0, 0];
        families.follow(&mut bodies);
        assert_eq!(bodies[2].position, [19, 9, 9]);
    }
}
