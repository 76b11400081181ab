//! Reading of meshes: attributes, morph targets, and triangles of every mode.

use std::collections::BTreeMap;

use json::Value;

use super::{Reader, bad, document, extras, finite, out_of_range, skin};
use crate::error::count;
use crate::{Error, Extras, MaterialId, Mesh, MorphTarget, Primitive};

/// Maximum number of sets of texture coordinates; further ones are skipped.
const MAX_UV_SETS: usize = 8;

/// The way in which vertices form triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    List,
    Strip,
    Fan,
}

impl Reader<'_> {
    pub(super) fn meshes(&mut self, meshes: Vec<document::Mesh>) -> Result<(), Error> {
        self.scene.meshes.reserve_exact(meshes.len());
        for (index, mesh) in meshes.into_iter().enumerate() {
            let mut primitives = Vec::with_capacity(mesh.primitives.len());
            for (number, primitive) in mesh.primitives.iter().enumerate() {
                let place = format!("mesh {index}, primitive {number}");
                primitives.extend(self.primitive(primitive, &place)?);
            }
            let mut extras = extras(&mesh.extras, &mut self.tally);
            let targets = targets(&primitives, index)?;
            let target_names = self.target_names(&mut extras, targets);
            let weights = self.weights(&mesh.weights, targets, index)?;
            self.scene.meshes.push(Mesh {
                name: mesh.name,
                primitives,
                target_names,
                weights,
                extras,
                ..Mesh::default()
            });
        }
        Ok(())
    }

    /// Returns `None` for primitives that a scene does not support: points, lines, or primitives without positions.
    fn primitive(&mut self, json: &document::Primitive, place: &str) -> Result<Option<Primitive>, Error> {
        let mode = match json.mode.unwrap_or(4) {
            4 => Mode::List,
            5 => Mode::Strip,
            6 => Mode::Fan,
            0 => return self.skip("primitives of points"),
            1..=3 => return self.skip("primitives of lines"),
            other => return Err(bad(place, format!("unknown mode {other}"))),
        };
        let Some(positions) = json.attributes.get("POSITION") else {
            return self.skip("primitives without positions");
        };
        let mut out = Primitive {
            positions: self.floats(*positions, &format!("{place}, POSITION"))?,
            extras: extras(&json.extras, &mut self.tally),
            material: self.material_of(json, place)?,
            ..Primitive::default()
        };
        self.attributes(json, &mut out, place)?;
        for (number, target) in json.targets.iter().enumerate() {
            let target = self.morph_target(target, &out, &format!("{place}, target {number}"))?;
            out.targets.push(target);
        }
        let vertices = out.positions.len();
        let corners = match json.indices {
            Some(indices) => self.indices(indices, &format!("{place}, indices"))?,
            None => {
                self.charge(vertices, size_of::<u32>(), place)?;
                (0..u32::try_from(vertices).unwrap_or(u32::MAX)).collect()
            }
        };
        if let Some(wrong) =
            corners.iter().find(|corner| usize::try_from(**corner).is_ok_and(|at| at >= vertices))
        {
            let index = usize::try_from(*wrong).unwrap_or(usize::MAX);
            return Err(out_of_range(format!("{place}, indices"), index, vertices));
        }
        out.indices = match mode {
            Mode::List if !corners.len().is_multiple_of(3) => {
                return Err(bad(place, format!("{} corners are not a multiple of 3", corners.len())));
            }
            Mode::List => corners,
            Mode::Strip | Mode::Fan => {
                self.charge(corners.len(), size_of::<[u32; 3]>(), place)?;
                triangles(&corners, mode)
            }
        };
        Ok(Some(out))
    }

    /// Attributes that a target does not move have zero differences.
    fn morph_target(
        &mut self,
        json: &document::MorphTarget,
        primitive: &Primitive,
        place: &str,
    ) -> Result<MorphTarget, Error> {
        let vertices = primitive.positions.len();
        self.tally.add("other attributes of morph targets", json.others);
        let positions = match json.position {
            Some(accessor) => self.differences(accessor, vertices, &format!("{place}, POSITION"))?,
            None => {
                self.charge(vertices, size_of::<[f32; 3]>(), place)?;
                vec![[0.0; 3]; vertices]
            }
        };
        let normals = match json.normal {
            Some(accessor) if primitive.normals.is_some() => {
                Some(self.differences(accessor, vertices, &format!("{place}, NORMAL"))?)
            }
            Some(_) => {
                self.tally.add("normals of morph targets without base normals", 1);
                None
            }
            None => None,
        };
        Ok(MorphTarget { positions, normals })
    }

    fn differences(&mut self, accessor: usize, vertices: usize, place: &str) -> Result<Vec<[f32; 3]>, Error> {
        let found = self.accessor(accessor, place)?.0.count;
        if found != vertices {
            return Err(count(place, found, vertices));
        }
        self.floats(accessor, place)
    }

    /// The names of morph targets are stored in the mesh's extras, because glTF has no other member for them.
    fn target_names(&mut self, extras: &mut Extras, targets: usize) -> Vec<String> {
        if targets == 0 {
            return Vec::new();
        }
        let Some(names) = extras.shift_remove("targetNames") else { return Vec::new() };
        let texts = |names: &Vec<Value>| -> Option<Vec<String>> {
            names.iter().map(|name| name.as_str().map(ToOwned::to_owned)).collect()
        };
        let names = names.as_array().and_then(texts).filter(|names| names.len() == targets);
        self.tally.add("mismatched names of morph targets", usize::from(names.is_none()));
        names.unwrap_or_default()
    }

    fn weights(&mut self, json: &[f32], targets: usize, mesh: usize) -> Result<Vec<f32>, Error> {
        if targets == 0 {
            self.tally.add("morph weights without morph targets", usize::from(!json.is_empty()));
            return Ok(Vec::new());
        }
        let place = || format!("mesh {mesh}, weights");
        if !json.is_empty() && json.len() != targets {
            return Err(count(place(), json.len(), targets));
        }
        finite(json, place)?;
        Ok(json.to_vec())
    }

    fn skip(&mut self, what: &str) -> Result<Option<Primitive>, Error> {
        self.tally.add(what, 1);
        Ok(None)
    }

    fn material_of(&self, json: &document::Primitive, place: &str) -> Result<Option<MaterialId>, Error> {
        let count = self.document.materials.len();
        match json.material {
            Some(index) if index >= count => Err(out_of_range(format!("{place}, material"), index, count)),
            material => Ok(material.map(MaterialId)),
        }
    }

    fn attributes(
        &mut self,
        json: &document::Primitive,
        out: &mut Primitive,
        place: &str,
    ) -> Result<(), Error> {
        let vertices = out.positions.len();
        let mut sets: Vec<Option<usize>> = Vec::new();
        let mut weighted: BTreeMap<usize, [Option<usize>; 2]> = BTreeMap::new();
        for (name, accessor) in json.attributes.iter() {
            let place = || format!("{place}, {name:.40}");
            let found = self.accessor(*accessor, &place())?.0.count;
            if found != vertices {
                return Err(count(place(), found, vertices));
            }
            if let Some((kind, set)) = skin::attribute(name) {
                if let Some(slot) = weighted.entry(set).or_default().get_mut(kind) {
                    *slot = Some(*accessor);
                }
                continue;
            }
            match (name, name.strip_prefix("TEXCOORD_").and_then(|set| set.parse::<usize>().ok())) {
                ("POSITION", _) => {}
                ("NORMAL", _) => out.normals = Some(self.floats(*accessor, &place())?),
                ("COLOR_0", _) => out.colors = Some(self.colors(*accessor, &place())?),
                (_, Some(set)) if set < MAX_UV_SETS => {
                    sets.resize(sets.len().max(set.saturating_add(1)), None);
                    if let Some(slot) = sets.get_mut(set) {
                        *slot = Some(*accessor);
                    }
                }
                _ => self.tally.add(format!("attributes {name:.40}"), 1),
            }
        }
        for (set, accessor) in sets.into_iter().enumerate() {
            let place = format!("{place}, TEXCOORD_{set}");
            // Sets are identified by index, so a missing set before others stays empty.
            let uvs = match accessor {
                Some(accessor) => self.floats(accessor, &place)?,
                None => {
                    self.charge(vertices, size_of::<[f32; 2]>(), &place)?;
                    vec![[0.0; 2]; vertices]
                }
            };
            out.uvs.push(uvs);
        }
        out.influences = self.influences(&weighted, vertices, place)?;
        Ok(())
    }

    /// Reads colors; they are opaque if they have no alpha channel.
    fn colors(&mut self, accessor: usize, place: &str) -> Result<Vec<[f32; 4]>, Error> {
        if self.accessor(accessor, place)?.1 == 4 {
            return self.floats(accessor, place);
        }
        let colors = self.floats::<3>(accessor, place)?;
        self.charge(colors.len(), size_of::<f32>(), place)?;
        Ok(colors.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect())
    }
}

/// Returns the number of morph targets of a mesh, which is the same for all its primitives.
fn targets(primitives: &[Primitive], mesh: usize) -> Result<usize, Error> {
    let expected = primitives.first().map_or(0, |primitive| primitive.targets.len());
    match primitives.iter().map(|primitive| primitive.targets.len()).find(|found| *found != expected) {
        Some(found) => Err(count(format!("mesh {mesh}, morph targets"), found, expected)),
        None => Ok(expected),
    }
}

/// Converts strips and fans to triangle lists. In a strip, the winding of every second triangle is reversed, and
/// degenerate triangles that only join two parts are dropped.
fn triangles(corners: &[u32], mode: Mode) -> Vec<u32> {
    let mut out = Vec::with_capacity(corners.len().saturating_mul(3));
    let first = corners.first().copied().unwrap_or_default();
    for (number, window) in corners.windows(3).enumerate() {
        let &[a, b, c] = window else { continue };
        match mode {
            Mode::Fan => out.extend([b, c, first]),
            _ if a == b || b == c || a == c => {}
            _ if number.is_multiple_of(2) => out.extend([a, b, c]),
            _ => out.extend([a, c, b]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reverses_every_second_triangle_of_a_strip() {
        assert_eq!(triangles(&[0, 1, 2, 3, 4], Mode::Strip), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
        assert_eq!(triangles(&[0, 1, 2, 2, 3, 3, 4, 5], Mode::Strip), [0, 1, 2, 3, 5, 4]);
        assert!(triangles(&[0, 1], Mode::Strip).is_empty());
    }

    #[test]
    fn expands_a_fan_around_its_first_vertex() {
        assert_eq!(triangles(&[7, 1, 2, 3], Mode::Fan), [1, 2, 7, 2, 3, 7]);
        assert!(triangles(&[], Mode::Fan).is_empty());
    }
}
