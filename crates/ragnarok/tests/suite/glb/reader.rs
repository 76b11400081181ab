//! Reader of a GLB that evaluates what a viewer shows at a time.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};
use json::Value;

/// A parsed GLB.
pub(super) struct Glb {
    pub(super) json: Value,
    binary: Vec<u8>,
}

impl Glb {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let json = &bytes[20..20 + length(12)];
        let rest = 20 + length(12);
        let binary = bytes.get(rest + 8..).unwrap_or_default().to_vec();
        Self { json: json::from_slice(json).unwrap(), binary }
    }

    pub(super) fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the rows of an accessor.
    pub(super) fn rows(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            _ => 4,
        };
        let size = match accessor["componentType"].as_u64().unwrap() {
            5126 | 5125 => 4,
            5123 => 2,
            other => panic!("component type {other}"),
        };
        let start = (view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0))
            as usize;
        let stride = view["byteStride"].as_u64().map_or(width * size, |stride| stride as usize);
        let number = |at: usize| {
            let bytes = &self.binary[at..at + size];
            match accessor["componentType"].as_u64().unwrap() {
                5126 => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
                5125 => f64::from(u32::from_le_bytes(bytes.try_into().unwrap())),
                _ => f64::from(u16::from_le_bytes(bytes.try_into().unwrap())),
            }
        };
        let row =
            |index: usize| (0..width).map(|part| number(start + index * stride + part * size)).collect();
        (0..accessor["count"].as_u64().unwrap() as usize).map(row).collect()
    }

    /// Evaluates the clip at a time. The keys are node and path, or a pointer.
    pub(super) fn state(&self, seconds: f64) -> BTreeMap<String, Vec<f64>> {
        let mut out = BTreeMap::new();
        for clip in self.list("animations") {
            for channel in clip["channels"].as_array().unwrap() {
                let sampler = &clip["samplers"][channel["sampler"].as_u64().unwrap() as usize];
                let times: Vec<f64> = self.rows(&sampler["input"]).concat();
                let values = self.rows(&sampler["output"]);
                let target = &channel["target"];
                let path = target["path"].as_str().unwrap();
                let name = match &target["node"] {
                    Value::Number(node) => format!("{node}/{path}"),
                    _ => {
                        target["extensions"]["KHR_animation_pointer"]["pointer"].as_str().unwrap().to_owned()
                    }
                };
                let next = times.partition_point(|time| *time <= seconds);
                let value = match (next.checked_sub(1), values.get(next)) {
                    (None, _) => values[0].clone(),
                    (Some(last), None) => values[last].clone(),
                    (Some(before), Some(after)) => {
                        let share = (seconds - times[before]) / (times[next] - times[before]);
                        if path == "rotation" {
                            let quat = |row: &[f64]| DQuat::from_slice(row).normalize();
                            quat(&values[before]).slerp(quat(after), share).to_array().to_vec()
                        } else {
                            values[before].iter().zip(after).map(|(a, b)| a + (b - a) * share).collect()
                        }
                    }
                };
                out.insert(name, value);
            }
        }
        out
    }

    /// Returns all triangles at a time, as a viewer sees them from their visible side, by the index of their mesh in the model.
    pub(super) fn triangles(&self, seconds: f64) -> BTreeMap<usize, Vec<[DVec3; 3]>> {
        let mut out = BTreeMap::new();
        self.each_primitive(seconds, |world, mesh, primitive| {
            out.entry(mesh).or_insert_with(Vec::new).extend(self.visible_sides(world, primitive));
        });
        out
    }

    pub(super) fn visible_sides(&self, world: DMat4, primitive: &Value) -> Vec<[DVec3; 3]> {
        let positions = self.rows(&primitive["attributes"]["POSITION"]);
        let indices: Vec<f64> = self.rows(&primitive["indices"]).concat();
        let triangle = |corners: &[f64]| {
            let mut corners: [DVec3; 3] = std::array::from_fn(|at| {
                world.transform_point3(DVec3::from_slice(&positions[corners[at] as usize]))
            });
            // glTF: a negative determinant reverses the winding order.
            if world.determinant() < 0.0 {
                corners.swap(1, 2);
            }
            corners
        };
        indices.chunks(3).map(triangle).collect()
    }

    /// Calls a function for every visible primitive, with its world matrix at a time and the index of its mesh in the model.
    pub(super) fn each_primitive(&self, seconds: f64, mut visit: impl FnMut(DMat4, usize, &Value)) {
        let state = self.state(seconds);
        let mut todo: Vec<(usize, DMat4, usize)> = self.json["scenes"][0]["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| (node.as_u64().unwrap() as usize, DMat4::IDENTITY, 0))
            .collect();
        while let Some((number, parent, mesh)) = todo.pop() {
            let node = &self.json["nodes"][number];
            let part = |path: &str, rest: &[f64]| -> Vec<f64> {
                let own = node[path]
                    .as_array()
                    .map(|row| row.iter().map(|number| number.as_f64().unwrap()).collect());
                state.get(&format!("{number}/{path}")).cloned().or(own).unwrap_or_else(|| rest.to_vec())
            };
            let world = parent
                * DMat4::from_scale_rotation_translation(
                    DVec3::from_slice(&part("scale", &[1.0; 3])),
                    DQuat::from_slice(&part("rotation", &[0.0, 0.0, 0.0, 1.0])).normalize(),
                    DVec3::from_slice(&part("translation", &[0.0; 3])),
                );
            let mesh = node["extras"]["mesh"].as_u64().map_or(mesh, |mesh| mesh as usize);
            if let Some(shape) = node["mesh"].as_u64() {
                for primitive in self.json["meshes"][shape as usize]["primitives"].as_array().unwrap() {
                    visit(world, mesh, primitive);
                }
            }
            for child in node["children"].as_array().into_iter().flatten() {
                todo.push((child.as_u64().unwrap() as usize, world, mesh));
            }
        }
    }
}
