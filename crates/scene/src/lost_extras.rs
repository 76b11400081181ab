//! Restores extras that other programs dropped, from the original scene.

use std::collections::{BTreeMap, VecDeque};

use crate::engine::without_suffix;
use crate::{Extras, Scene};

impl Scene {
    /// Copies the extras of same-named nodes, meshes, materials and animations from `original`. An object that has
    /// any of those extras keeps its own.
    ///
    /// If several objects share a name, each gets the extras of one original. Number suffixes that other programs
    /// append to names are ignored if there is no exact match. A single root gets the extras of a single original
    /// root regardless of names.
    pub fn restore_extras(&mut self, original: &Self) {
        let names = |scene: &Self| scene.nodes.iter().map(|node| node.name.clone()).collect::<Vec<_>>();
        let roots = match (&*self.roots, &*original.roots) {
            ([root], [known]) => Some((root.0, known.0)),
            _ => None,
        };
        let nodes = pairs(&names(self), &names(original), roots);
        for (node, known) in self.nodes.iter_mut().zip(nodes) {
            let Some(known) = known.and_then(|known| original.nodes.get(known)) else { continue };
            match &known.packed_extras {
                Some(packed) => restore(&mut node.extras, &packed.unpacked()),
                None => restore(&mut node.extras, &known.extras),
            }
        }
        let meshes = self.meshes.iter_mut().map(|mesh| (mesh.name.clone(), &mut mesh.extras));
        restore_named(meshes, original.meshes.iter().map(|mesh| (&*mesh.name, &mesh.extras)));
        let materials =
            self.materials.iter_mut().map(|material| (material.name.clone(), &mut material.extras));
        restore_named(materials, original.materials.iter().map(|known| (&*known.name, &known.extras)));
        let clips = self.animations.iter_mut().map(|clip| (clip.name.clone(), &mut clip.extras));
        restore_named(clips, original.animations.iter().map(|known| (&*known.name, &known.extras)));
        restore(&mut self.extras, &original.extras);
    }
}

fn restore_named<'a>(
    own: impl Iterator<Item = (String, &'a mut Extras)>,
    original: impl Iterator<Item = (&'a str, &'a Extras)>,
) {
    let (names, own): (Vec<String>, Vec<_>) = own.unzip();
    let (known_names, known): (Vec<String>, Vec<_>) =
        original.map(|(name, extras)| (name.to_owned(), extras)).unzip();
    for (own, pair) in own.into_iter().zip(pairs(&names, &known_names, None)) {
        if let Some(known) = pair.and_then(|pair| known.get(pair)) {
            restore(own, known);
        }
    }
}

fn restore(own: &mut Extras, known: &Extras) {
    if known.keys().all(|name| !own.contains_key(name)) {
        own.extend(known.clone());
    }
}

/// For each name, returns the index of the matching original, each used at most once: an exact match first, otherwise
/// a name that other programs may have derived from it. `known` is a pair that is known in advance.
pub(crate) fn pairs(
    names: &[String],
    originals: &[String],
    known: Option<(usize, usize)>,
) -> Vec<Option<usize>> {
    let mut out = vec![None; names.len()];
    let mut is_taken = vec![false; originals.len()];
    if let Some((own, original)) = known
        && let (Some(pair), Some(is_taken)) = (out.get_mut(own), is_taken.get_mut(original))
    {
        (*pair, *is_taken) = (Some(original), true);
    }
    let forms: [fn(&str) -> &str; 2] = [|name| name, |name| without_suffix(without_copy_number(name))];
    for shortened in forms {
        let mut known: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
        for (index, name) in originals.iter().enumerate() {
            if is_taken.get(index) == Some(&false) {
                known.entry(shortened(name)).or_default().push_back(index);
            }
        }
        // Copies are numbered in the order of the originals, but may be stored in any order.
        let mut unpaired: Vec<_> = out.iter_mut().zip(names).filter(|(pair, _)| pair.is_none()).collect();
        unpaired.sort_by_key(|(_, name)| *name);
        for (pair, name) in unpaired {
            *pair = known.get_mut(shortened(name)).and_then(VecDeque::pop_front);
            if let Some(is_taken) = pair.and_then(|index| is_taken.get_mut(index)) {
                *is_taken = true;
            }
        }
    }
    out
}

/// Removes the number that Blender appends to distinguish copies: `lamp.001` becomes `lamp`.
#[must_use]
pub fn without_copy_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((before, number)) if number.len() == 3 && number.bytes().all(|digit| digit.is_ascii_digit()) => {
            before
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use json::{Value, json};

    use crate::node::PackedExtras;
    use crate::{Material, Node};

    use super::*;

    fn extras(value: &Value) -> Extras {
        value.as_object().unwrap().clone()
    }

    fn scene(nodes: &[(&str, Value)]) -> Scene {
        let mut scene = Scene::new("made");
        for (name, value) in nodes {
            scene.add_root(Node { extras: extras(value), ..Node::named(*name) });
        }
        scene
    }

    #[test]
    fn restores_extras_by_name_once_each() {
        let original = scene(&[
            ("lamp", json!({"a": 1})),
            ("lamp", json!({"a": 2})),
            ("bone.001", json!({"a": 3})),
            ("wall-colonly", json!({"a": 4})),
            ("kept", json!({"a": 5, "b": 5})),
        ]);
        let mut lost = scene(&[
            ("lamp.001", json!({})),
            ("bone.001", json!({"other": true})),
            ("lamp", json!({})),
            ("lamp.002", json!({})),
            ("wall", json!({})),
            ("kept", json!({"b": 0})),
        ]);
        lost.restore_extras(&original);
        let found: Vec<_> = lost.nodes.iter().map(|node| Value::from(node.extras.clone())).collect();
        let expected = [
            json!({"a": 2}),
            json!({"other": true, "a": 3}),
            json!({"a": 1}),
            json!({}),
            json!({"a": 4}),
            json!({"b": 0}),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn matches_a_single_root_regardless_of_its_name() {
        let mut original = scene(&[("plant.b3d", json!({"a": 1}))]);
        original
            .add_child(original.roots[0], Node { extras: extras(&json!({"a": 2})), ..Node::named("plant") });
        let mut lost = scene(&[("plant", json!({}))]);
        lost.add_child(lost.roots[0], Node::named("plant.001"));
        lost.restore_extras(&original);
        let found: Vec<_> = lost.nodes.iter().map(|node| Value::from(node.extras.clone())).collect();
        assert_eq!(found, [json!({"a": 1}), json!({"a": 2})]);

        let mut original = Scene::new("made");
        let packed_extras = PackedExtras::new(&json!({"rsm": {"alpha": 9}}));
        original.add_root(Node { packed_extras, ..Node::named("mill.rsm") });
        original
            .add_material(Material { extras: extras(&json!({"texture": "a.bmp"})), ..Material::default() });
        let mut lost = scene(&[("renamed", json!({}))]);
        lost.add_material(Material::default());
        lost.restore_extras(&original);
        assert_eq!(Value::from(lost.nodes[0].extras.clone()), json!({"rsm": {"alpha": 9}}));
        assert_eq!(lost.materials[0].extras, original.materials[0].extras);
    }
}
