//! Attachments between actors: a child moves and rotates with its parent.

use std::collections::{BTreeMap, BTreeSet};

use super::body::{Body, attribute};
use redguard_world::engine::movement::family_position;
use redguard_world::engine::rotation::{Orientation, difference};

/// An attachment of an actor to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Link {
    child: usize,
    parent: usize,
    /// The offset from the parent in its space when the map was loaded, in world units times 256.
    offset: [i32; 3],
}

/// All attachments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Attachments {
    /// The attachments, parents before their children.
    links: Vec<Link>,
    /// The index of each child's attachment.
    by_child: BTreeMap<usize, usize>,
}

impl Attachments {
    /// Creates the attachments of a map that was just loaded: attribute 25 identifies a parent, 26 refers to it. A link that
    /// would close a cycle is ignored.
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
        let mut resolved: BTreeSet<usize> = BTreeSet::new();
        for number in 0..bodies.len() {
            // Follow the parents up to a resolved actor, an actor without a parent, or a cycle.
            let mut chain = Vec::new();
            let mut next = Some(number);
            while let Some(child) = next.filter(|it| !resolved.contains(it) && !chain.contains(it)) {
                chain.push(child);
                next = parent_of(child);
            }
            let cycle = next.filter(|it| chain.contains(it));
            for child in chain.into_iter().rev() {
                resolved.insert(child);
                let parent = parent_of(child).filter(|_| cycle != Some(child));
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

    /// Returns the orientation of an actor in the world. The angles of an attached actor are relative to its parent unless
    /// attribute 33 is set.
    pub(super) fn orientation(&self, actor: usize, bodies: &[Body]) -> Orientation {
        let mut chain = Vec::new();
        let mut next = Some(actor);
        while let Some(body) = next.and_then(|it| bodies.get(it)) {
            chain.push(body.angles);
            let link = next.and_then(|it| self.links.get(*self.by_child.get(&it)?));
            next = link.filter(|_| body.attribute(attribute::OWN_ROTATION) == 0).map(|it| it.parent);
        }
        chain.into_iter().rev().fold(Orientation::IDENTITY, Orientation::turned_as_actor)
    }

    /// Moves attached actors with their parents.
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

    /// Creates an actor at a position, with attributes.
    fn body(position: [i32; 3], angles: [i32; 3], attributes: &[(usize, i32)]) -> Body {
        let mut out = Body::new(Role::Placed).at(position, angles);
        for (number, value) in attributes {
            out.set_attribute(*number, *value);
        }
        out
    }

    fn turned(attachments: &Attachments, actor: usize, bodies: &[Body]) -> [i32; 3] {
        attachments.orientation(actor, bodies).apply_to_integers([0, 0, 1000])
    }

    #[test]
    fn an_attached_actor_moves_and_rotates_with_its_parent() {
        let mut bodies = [body([100, 0, 1100], [0; 3], &[(26, 7)]), body([100, 0, 100], [0; 3], &[(25, 7)])];
        let attachments = Attachments::of(&bodies);
        // A quarter turn to the right, towards +X.
        bodies[1].angles = [0, -512, 0];
        bodies[1].position = [200, 50, 100];
        attachments.follow(&mut bodies);
        assert_eq!(bodies[0].position, [1200, 50, 100]);
        assert_eq!(turned(&attachments, 0, &bodies), [1000, 0, 0]);
        // Its own angles are relative to its parent.
        bodies[0].angles = [0, -512, 0];
        assert_eq!(turned(&attachments, 0, &bodies), [0, 0, -1000]);
        bodies[0].set_attribute(33, 1);
        assert_eq!(turned(&attachments, 0, &bodies), [1000, 0, 0]);
        assert_eq!(bodies[0].position, [1200, 50, 100]);
    }

    #[test]
    fn chains_of_attachments_follow_in_any_order() {
        let mut bodies = [
            body([0, 0, 2000], [0; 3], &[(26, 2)]),
            body([0, 0, 1000], [0; 3], &[(25, 2), (26, 1)]),
            body([0; 3], [0; 3], &[(25, 1)]),
        ];
        let attachments = Attachments::of(&bodies);
        bodies[2].angles = [0, -512, 0];
        attachments.follow(&mut bodies);
        assert_eq!([0, 1].map(|it| bodies[it].position), [[2000, 0, 0], [1000, 0, 0]]);
        assert_eq!(turned(&attachments, 0, &bodies), [1000, 0, 0]);
    }

    #[test]
    fn cycles_of_attachments_are_broken() {
        let ring = [
            body([0; 3], [0; 3], &[(25, 1), (26, 2)]),
            body([0, 0, 1000], [0, -512, 0], &[(25, 2), (26, 1)]),
            body([5; 3], [0; 3], &[(25, 3), (26, 3)]),
        ];
        let attachments = Attachments::of(&ring);
        assert_eq!(attachments.links.len(), 1);
        let mut after = ring.clone();
        attachments.follow(&mut after);
        assert_eq!(after.map(|it| it.position), ring.map(|it| it.position));
    }

    #[test]
    fn the_first_of_several_parents_is_used() {
        let mut bodies = [
            body([0; 3], [0; 3], &[(25, 1)]),
            body([0; 3], [0; 3], &[(25, 1)]),
            body([9; 3], [0; 3], &[(26, 1)]),
        ];
        let attachments = Attachments::of(&bodies);
        bodies[0].position = [10, 0, 0];
        attachments.follow(&mut bodies);
        assert_eq!(bodies[2].position, [19, 9, 9]);
    }
}
