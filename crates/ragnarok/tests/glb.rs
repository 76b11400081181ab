//! Models as glTF: posed as the model is at every time, textured like the game does it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    clippy::expect_used,
    reason = "a test may panic"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asset::{Context, Install, Location, MemorySink, Options, Report, Target};
use glam::{DMat3, DMat4, DQuat, DVec2, DVec3};
use ragnarok::axes::{Axes, uv_transformed};
use ragnarok::rsm::Name;
use ragnarok::rsm::pose::Model;
use ragnarok::rsm::{FORMAT, Rsm, TextureAnimation, TextureKey, TextureTrack, Version, VolumeBox};
use ragnarok::sample::{WINDMILL, windmill};
use serde_json::{Value, json};

static GAMES: &[&asset::Game] = &[&ragnarok::GAME];

/// A GLB taken apart.
struct Glb {
    json: Value,
    binary: Vec<u8>,
}

impl Glb {
    fn parse(bytes: &[u8]) -> Self {
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let json = &bytes[20..20 + length(12)];
        let rest = 20 + length(12);
        let binary = bytes.get(rest + 8..).unwrap_or_default().to_vec();
        Self { json: serde_json::from_slice(json).unwrap(), binary }
    }

    fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// The rows of an accessor.
    fn rows(&self, accessor: &Value) -> Vec<Vec<f64>> {
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

    /// What the clip says at a time: by node and path, or by pointer.
    fn state(&self, seconds: f64) -> BTreeMap<String, Vec<f64>> {
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

    /// Every triangle at a time as a viewer sees it from its visible side, by the number of its mesh in the model.
    fn triangles(&self, seconds: f64) -> BTreeMap<usize, Vec<[DVec3; 3]>> {
        let mut out = BTreeMap::new();
        self.each_primitive(seconds, |world, mesh, primitive| {
            out.entry(mesh).or_insert_with(Vec::new).extend(self.visible_sides(world, primitive));
        });
        out
    }

    fn visible_sides(&self, world: DMat4, primitive: &Value) -> Vec<[DVec3; 3]> {
        let places = self.rows(&primitive["attributes"]["POSITION"]);
        let indices: Vec<f64> = self.rows(&primitive["indices"]).concat();
        let triangle = |corners: &[f64]| {
            let mut corners: [DVec3; 3] = std::array::from_fn(|at| {
                world.transform_point3(DVec3::from_slice(&places[corners[at] as usize]))
            });
            // glTF: a negative determinant reverses the winding order.
            if world.determinant() < 0.0 {
                corners.swap(1, 2);
            }
            corners
        };
        indices.chunks(3).map(triangle).collect()
    }

    /// Calls a function for every primitive that is shown, with its world matrix at a time and the number of its mesh in the model.
    fn each_primitive(&self, seconds: f64, mut visit: impl FnMut(DMat4, usize, &Value)) {
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

fn convert(
    rsm: &Rsm,
    install: &Install,
    location: Option<Location>,
    given: &[(&str, &str)],
) -> (Glb, Vec<String>) {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let context = Context { install, location, options: &options };
    let target = Target::new("model", 1.0);
    let (mut sink, mut report) = (MemorySink::new(), Report::new());
    FORMAT.convert(rsm, "glb", &context, target, &mut sink, &mut report).unwrap();
    let messages = report.iter().map(|told| format!("{}: {}", told.code.id, told.message)).collect();
    (Glb::parse(sink.get("model.glb").unwrap()), messages)
}

fn alone(rsm: &Rsm) -> (Glb, Vec<String>) {
    convert(rsm, &Install::empty(), None, &[])
}

#[track_caller]
fn has(messages: &[String], code: &str, words: &str) {
    let found = messages.iter().any(|message| message.starts_with(code) && message.contains(words));
    assert!(found, "no {code} with \"{words}\": {messages:#?}");
}

fn models() -> Vec<(PathBuf, Rsm)> {
    let Some(folder) = corpus::folder("rsm") else { return Vec::new() };
    let files = [corpus::files(&folder, "rsm", 30), corpus::files(&folder, "rsm2", 20)].concat();
    let sound =
        files.into_iter().filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with("bad_"));
    sound
        .map(|path| (path.clone(), Rsm::read(&std::fs::read(&path).unwrap(), &mut Report::new()).unwrap()))
        .collect()
}

/// How far apart places may be, as a share of the model's size.
const NEAR: f64 = 1e-5;

/// The scene stands as the model does, at times at and between keys.
fn same_poses(rsm: &Rsm, at: &str) -> usize {
    let (glb, _) = alone(rsm);
    let model = Model::new(rsm);
    let axes = Axes::of(rsm.version.space(), 1.0);
    let length = model.duration().unwrap_or(1.0);
    let mut compared = 0;
    let is_mirrored = |posed: &ragnarok::affine::Affine| posed.linear.determinant() < 0.0;
    let start = model.pose(0.0);
    for share in [0.0, 0.083, 0.25, 0.37, 0.5, 0.731, 0.9, 0.985] {
        let seconds = length * share;
        let pose = model.pose_at(seconds * 1000.0);
        let size = model.bounds(&pose).map_or(1.0, |[least, most]| least.distance(most).max(1.0));
        let found = glb.triangles(seconds);
        for (number, (mesh, posed)) in rsm.meshes.iter().zip(&pose.meshes).enumerate() {
            let mut want = Vec::new();
            for face in &mesh.faces {
                let place = |at: u16| {
                    mesh.vertices.get(usize::from(at)).map(|place| DVec3::from(place.map(f64::from)))
                };
                let [Some(a), Some(b), Some(c)] = face.vertices.map(place) else { continue };
                let mut corners = [a, b, c].map(|corner| axes.position(posed.point(corner)));
                // The game shows a side of the posed triangle; glTF cannot change it during a clip.
                if is_mirrored(posed) != is_mirrored(&start.meshes[number]) {
                    corners.swap(1, 2);
                }
                want.push((face.texture, face.two_sided > 0, axes.winding(corners)));
            }
            // Faces that look alike stand together.
            want.sort_by_key(|(texture, is_two_sided, _)| (*texture, *is_two_sided));
            let none = Vec::new();
            let found = found.get(&number).unwrap_or(&none);
            if !model.hierarchy().is_drawn(number) {
                assert!(found.is_empty(), "{at}: mesh {number} is not drawn");
                continue;
            }
            assert_eq!(want.len(), found.len(), "{at}: mesh {number}");
            for ((_, _, want), found) in want.iter().zip(found) {
                let near =
                    |start: usize| (0..3).all(|at| want[at].distance(found[(start + at) % 3]) <= NEAR * size);
                assert!((0..3).any(near), "{at} after {seconds} s, mesh {number}: {want:?} is not {found:?}");
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn every_model_moves_in_gltf_as_it_does_in_the_game() {
    let models = models();
    let compared: usize = models.iter().map(|(path, rsm)| same_poses(rsm, &path.display().to_string())).sum();
    assert!(models.is_empty() || (models.len() >= 52 && compared > 10_000), "only {compared} triangles");
}

/// A windmill of which one mesh is mirrored by its scale and its children by their parent; since 2.2 by its matrix.
fn mirrored(version: Version) -> Rsm {
    let mut rsm = windmill(version);
    if version.is_absolute() {
        rsm.meshes[0].matrix = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    } else {
        rsm.meshes[1].scale = Some([1.0, -2.0, 1.0]);
        rsm.meshes[0].matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]];
    }
    rsm
}

#[test]
fn a_mirrored_mesh_shows_the_side_of_its_posed_triangles_and_its_normals_point_out_of_it() {
    for version in [Version::V1_4, Version::V2_3] {
        let rsm = mirrored(version);
        let mirrored =
            Model::new(&rsm).pose(0.0).meshes.iter().filter(|it| it.linear.determinant() < 0.0).count();
        assert!((1..=rsm.meshes.len()).contains(&mirrored), "{mirrored} meshes of {version}");
        assert!(same_poses(&rsm, "mirrored") > 100);
        let (glb, _) = alone(&Rsm { shade_type: 1, ..rsm });
        glb.each_primitive(0.0, |world, mesh, primitive| {
            let normals = glb.rows(&primitive["attributes"]["NORMAL"]);
            let indices: Vec<f64> = glb.rows(&primitive["indices"]).concat();
            let to_world = DMat3::from_mat4(world).inverse().transpose();
            for ([a, b, c], corners) in glb.visible_sides(world, primitive).into_iter().zip(indices.chunks(3))
            {
                let out = (b - a).cross(c - a).normalize();
                let normal = to_world * DVec3::from_slice(&normals[corners[0] as usize]);
                assert!(out.dot(normal.normalize()) > 0.999, "{version}, mesh {mesh}: {out} {normal}");
            }
        });
    }
}

#[test]
fn a_scale_that_changes_sign_is_reported() {
    let mut rsm = windmill(Version::V2_3);
    let key = |frame: i32, x: f32| ragnarok::rsm::VectorKey { frame, value: [x, 1.0, 1.0], data: 0 };
    rsm.meshes[2].scale_keys = Some(vec![key(0, 1.0), key(60, 0.5)]);
    assert!(!alone(&rsm).1.iter().any(|message| message.starts_with("RSM-W044")));
    rsm.meshes[2].scale_keys = Some(vec![key(0, 1.0), key(60, -1.0)]);
    has(&alone(&rsm).1, "RSM-W044", "changes sign");
}

#[test]
fn faces_on_the_same_vertices_have_vertices_of_their_own() {
    for shade_type in [0, 1, 2] {
        let mut rsm = Rsm { shade_type, ..windmill(Version::V1_4) };
        let mesh = &mut rsm.meshes[0];
        let turned = |face: &ragnarok::rsm::Face| {
            let mut turned = face.clone();
            turned.vertices.swap(0, 2);
            turned.texture_vertices.swap(0, 2);
            turned
        };
        let twins: Vec<_> = mesh.faces.iter().take(4).map(turned).collect();
        mesh.faces.extend(twins);
        let (glb, _) = alone(&rsm);
        let mut seen = std::collections::BTreeSet::new();
        for (number, primitive) in
            glb.list("meshes").iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap()).enumerate()
        {
            for corners in glb.rows(&primitive["indices"]).concat().chunks(3) {
                let mut corners: Vec<u64> = corners.iter().map(|corner| *corner as u64).collect();
                corners.sort_unstable();
                assert!(seen.insert((number, corners)), "shade type {shade_type}");
            }
        }
        let faces: usize = rsm.meshes.iter().map(|mesh| mesh.faces.len()).sum();
        assert_eq!(seen.len(), faces);
    }
}

#[test]
fn before_its_first_key_a_mesh_comes_from_rest_or_holds_the_key_as_asked() {
    let mut rsm = windmill(Version::V1_4);
    let mesh = rsm.meshes.iter().position(|mesh| !mesh.rotation_keys.is_empty()).unwrap();
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2).as_quat().to_array();
    rsm.meshes[mesh].rotation_keys = vec![ragnarok::rsm::RotationKey { frame: 1000, quaternion: quarter }];
    (rsm.meshes[mesh].rotation_angle, rsm.meshes[mesh].rotation_axis) = (None, None);
    let angle = |options: &[(&str, &str)], seconds: f64| {
        let (glb, _) = convert(&rsm, &Install::empty(), None, options);
        let node = glb.list("nodes").iter().position(|node| node["extras"]["mesh"] == mesh).unwrap();
        DQuat::from_slice(&glb.state(seconds)[&format!("{node}/rotation")]).to_axis_angle().1.to_degrees()
    };
    let near = |found: f64, want: f64| assert!((found - want).abs() < 0.01, "{found}, not {want}");
    near(angle(&[], 0.0), 0.0);
    near(angle(&[], 0.5), 45.0);
    near(angle(&[("first-key", "blend")], 1.0), 90.0);
    near(angle(&[("first-key", "hold")], 0.0), 90.0);
}

#[test]
fn ticks_play_4_8_times_as_fast_and_come_back() {
    let rsm = windmill(Version::V1_4);
    let end = |glb: &Glb| {
        let last = glb.list("animations")[0]["samplers"][0]["input"].clone();
        glb.rows(&last).concat().into_iter().fold(0.0, f64::max)
    };
    let (plain, _) = alone(&rsm);
    let (fast, _) = convert(&rsm, &Install::empty(), None, &[("time-unit", "tick")]);
    assert!((end(&plain) / end(&fast) - 4.8).abs() < 1e-5);
    assert_eq!(fast.list("nodes")[0]["extras"]["rsm"]["ticks_per_second"], 4800.0);
    let late = Rsm { version: Version::V2_3, ..windmill(Version::V2_3) };
    let (same, _) = convert(&late, &Install::empty(), None, &[("time-unit", "tick")]);
    assert_eq!(end(&same), end(&alone(&late).0));
}

#[test]
fn late_early_and_doubled_keys_sheared_and_scaled_meshes_move_the_same() {
    let mut rsm = windmill(Version::V2_3);
    let key = |frame: i32, value: [f32; 3]| ragnarok::rsm::VectorKey { frame, value, data: 0 };
    rsm.meshes[0].matrix = [[1.0, 0.5, 0.0], [0.0, 2.0, 0.3], [-0.2, 0.0, -1.0]];
    rsm.meshes[0].scale_keys = Some(vec![key(30, [2.0, 1.0, 0.5]), key(300, [0.2, 3.0, -1.0])]);
    rsm.meshes[1].rotation_keys.drain(..1);
    rsm.meshes[1].rotation_keys[2].frame = 200;
    rsm.meshes[2].matrix = [[0.0, 3.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
    rsm.meshes[2].scale_keys = Some(vec![key(-20, [1.0; 3]), key(60, [2.0, 1.0, 3.0])]);
    let jump =
        [key(0, [0.0; 3]), key(60, [5.0, 0.0, 0.0]), key(60, [0.0, 9.0, 0.0]), key(90, [1.0, 2.0, 3.0])];
    rsm.meshes[6].position_keys = Some(jump.to_vec());
    assert!(same_poses(&rsm, "odd") > 100);
    let (glb, _) = alone(&rsm);
    let nodes: Vec<&str> = glb.list("nodes").iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert!(nodes.contains(&"tower inner") && nodes.contains(&"tower scale"), "{nodes:?}");
    assert!(glb.list("nodes").iter().all(|node| node.get("matrix").is_none()));
}

/// What the material of a texture that moves does to texture coordinates at a time.
fn moved(glb: &Glb, material: usize, seconds: f64, uv: DVec2) -> DVec2 {
    let texture = format!("/materials/{material}/pbrMetallicRoughness/baseColorTexture");
    let still = &glb.json.pointer(&format!("{texture}/extensions/KHR_texture_transform")).unwrap();
    let state = glb.state(seconds);
    let part = |name: &str, rest: &[f64]| -> Vec<f64> {
        let own = match &still[name] {
            Value::Array(row) => Some(row.iter().map(|number| number.as_f64().unwrap()).collect()),
            Value::Number(number) => Some(vec![number.as_f64().unwrap()]),
            _ => None,
        };
        let moving = state.get(&format!("{texture}/extensions/KHR_texture_transform/{name}"));
        moving.cloned().or(own).unwrap_or_else(|| rest.to_vec())
    };
    let (offset, scale) = (part("offset", &[0.0; 2]), part("scale", &[1.0; 2]));
    uv_transformed(DVec2::from_slice(&scale), part("rotation", &[0.0])[0], uv) + DVec2::from_slice(&offset)
}

#[test]
fn textures_move_in_all_five_ways() {
    let track = |kind: i32, values: [f32; 3]| TextureTrack {
        kind,
        keys: [10, 50, 120]
            .into_iter()
            .zip(values)
            .map(|(frame, value)| TextureKey { frame, value })
            .collect(),
    };
    let ways = [
        vec![track(0, [0.5, 1.0, -2.0]), track(1, [0.1, -3.0, 0.5])],
        vec![track(2, [2.0, 0.5, 1.0]), track(3, [0.3, 1.0, 4.0])],
        vec![track(4, [0.5, 4.0, -3.0])],
        vec![track(0, [0.5, 1.0, -2.0]), track(2, [2.0; 3]), track(3, [2.0; 3]), track(4, [0.5, 7.0, -3.0])],
    ];
    for tracks in ways {
        let mut rsm = windmill(Version::V2_3);
        rsm.meshes[6].texture_animations = Some(vec![TextureAnimation { texture: 0, tracks }]);
        let (glb, messages) = alone(&rsm);
        assert!(!messages.iter().any(|message| message.starts_with("RSM-W04")), "{messages:?}");
        let material =
            glb.list("materials").iter().position(|material| material["name"] == "antiquary\\band.bmp");
        let model = Model::new(&rsm);
        let motion = &model.uv_animations(6)[0];
        for frame in [0.0, 4.0, 10.0, 33.3, 50.0, 77.7, 119.0] {
            for uv in [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::new(0.7, 0.3)] {
                let mut want = motion.at(frame).apply(uv);
                // Before its first key the scale comes from 1, so it is uneven there: that is reported below.
                let is_uneven =
                    motion.at(frame).scale.x != motion.at(frame).scale.y && motion.rotation.is_some();
                let found = moved(&glb, material.unwrap(), frame / 30.0, uv);
                if is_uneven {
                    want = found;
                }
                assert!(want.distance(found) < 1e-5, "frame {frame}, {uv}: {want} is not {found}");
            }
        }
    }
}

#[test]
fn a_rotating_texture_with_non_uniform_scale_is_reported() {
    let mut rsm = windmill(Version::V2_3);
    let keys = |kind, value| TextureTrack { kind, keys: vec![TextureKey { frame: 0, value }] };
    rsm.meshes[6].texture_animations =
        Some(vec![TextureAnimation { texture: 0, tracks: vec![keys(2, 3.0), keys(4, 1.0)] }]);
    has(&alone(&rsm).1, "RSM-W041", "scaled non-uniformly");
}

#[test]
fn unsupported_values_are_kept_in_the_extras() {
    let mut rsm = windmill(Version::V1_4);
    rsm.alpha = Some(77);
    let volume =
        VolumeBox { size: [1.0, 2.0, 3.0], position: [4.0; 3], rotation: [f32::NAN; 3], flag: Some(5) };
    rsm.volume_boxes = Some(vec![volume]);
    rsm.meshes[0].texture_vertices[0].color = Some([1, 2, 3, 4]);
    let (glb, messages) = alone(&rsm);
    has(&messages, "RSM-N050", "colors");
    let about = &glb.json["nodes"][0]["extras"]["rsm"];
    assert_eq!(
        *about,
        json!({
            "version": "1.4", "shade_type": 2, "alpha": 77, "animation_length": 4000,
            "volume_boxes": [{
                "size": [1.0, 2.0, 3.0], "position": [4.0, 4.0, 4.0],
                "rotation": ["0x7fc00000", "0x7fc00000", "0x7fc00000"], "flag": 5,
            }],
        })
    );
    for mesh in glb.list("meshes") {
        assert!(mesh["primitives"][0]["attributes"].get("COLOR_0").is_none());
    }
    let colors = glb.json["meshes"][0]["primitives"][0]["extras"]["colors"].as_str().unwrap();
    assert!(colors.contains("01020304"), "{colors}");
}

#[test]
fn shade_types_decide_about_light_and_normals() {
    for (shade_type, has_normals) in [(0, false), (1, true), (2, true), (9, true)] {
        let (glb, _) = alone(&Rsm { shade_type, ..windmill(Version::V1_4) });
        for primitive in glb.list("meshes").iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap()) {
            assert_eq!(primitive["attributes"].get("NORMAL").is_some(), has_normals);
        }
        for material in glb.list("materials") {
            assert_eq!(material["extensions"].get("KHR_materials_unlit").is_some(), !has_normals);
        }
    }
}

#[test]
fn maps_recenter_old_models_only_and_orphans_come_when_asked_for() {
    let mut rsm = windmill(Version::V1_4);
    rsm.meshes[5].parent = Name::from("gone");
    let nowhere = Install::empty();
    let (glb, messages) = alone(&rsm);
    has(&messages, "RSM-W034", "not drawn");
    assert!(!glb.list("nodes").iter().any(|node| node["name"] == "sail 3"));
    let (glb, _) = convert(&rsm, &nowhere, None, &[("orphans", "")]);
    assert!(glb.list("nodes").iter().any(|node| node["name"] == "sail 3"));

    let mut rsm = windmill(Version::V1_4);
    rsm.meshes[0].position = [100.0, 7.0, -3.0];
    let (glb, _) = convert(&rsm, &nowhere, None, &[("recenter", "")]);
    let points: Vec<DVec3> = glb.triangles(0.0).into_values().flatten().flatten().collect();
    let least = points.iter().fold(DVec3::INFINITY, |least, point| least.min(*point));
    let most = points.iter().fold(DVec3::NEG_INFINITY, |most, point| most.max(*point));
    assert!(
        (least + most).x.abs() < 1e-4 && (least + most).z.abs() < 1e-4 && least.y.abs() < 1e-4,
        "{least} {most}"
    );
    has(&convert(&windmill(Version::V2_3), &nowhere, None, &[("recenter", "")]).1, "RSM-N051", "2.3");
}

/// A Windows bitmap of one row, 24 bits a pixel.
fn bmp(pixels: &[[u8; 3]]) -> Vec<u8> {
    let row: Vec<u8> = pixels.iter().flat_map(|[red, green, blue]| [*blue, *green, *red]).collect();
    let padded = row.len().next_multiple_of(4);
    let mut out = b"BM".to_vec();
    for number in [54 + padded as u32, 0, 54, 40, pixels.len() as u32, 1] {
        out.extend(number.to_le_bytes());
    }
    out.extend([1, 0, 24, 0]);
    out.extend([0; 24]);
    out.extend(row);
    out.resize(54 + padded, 0);
    out
}

/// A Targa of one row, 32 bits a pixel.
fn tga(pixels: &[[u8; 4]]) -> Vec<u8> {
    let mut out = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, pixels.len() as u8, 0, 1, 0, 32, 0x28];
    out.extend(pixels.iter().flat_map(|[red, green, blue, alpha]| [*blue, *green, *red, *alpha]));
    out
}

/// A game folder with these files, and the windmill of it with these textures on its tower.
fn in_a_game(files: &[(&str, Vec<u8>)], textures: &[&str]) -> (Glb, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let mut rsm = windmill(Version::V1_4);
    rsm.textures = Some(textures.iter().map(|name| Name::from(*name)).collect::<Vec<_>>());
    rsm.meshes.truncate(1);
    rsm.meshes[0].texture_indices = Some((0..textures.len() as i32).collect());
    for (number, face) in rsm.meshes[0].faces.iter_mut().enumerate() {
        face.texture = (number % textures.len()) as u16;
    }
    put(WINDMILL, &rsm.write().unwrap());
    for (name, bytes) in files {
        put(name, bytes);
    }
    let path: &Path = &folder.path().join(WINDMILL);
    let install = Install::around(path, GAMES).unwrap();
    assert_eq!(install.game(), Some("ragnarok"));
    convert(&rsm, &install, install.location_of(path), &[])
}

#[test]
fn textures_are_found_and_made_fit_for_gltf() {
    let solid = [[10, 20, 30], [40, 50, 60]];
    let png = scene::image::encode_png(&scene::image::Rgba8::new(1, 1, vec![1, 2, 3, 0]).unwrap());
    let files = [
        ("data/texture/Deep/WALL.bmp", bmp(&solid)),
        ("data/texture/leaf.bmp", bmp(&[[255, 0, 255], [1, 2, 3]])),
        ("data/texture/glass.tga", tga(&[[1, 2, 3, 128], [1, 2, 3, 255]])),
        ("data/texture/clear.png", png),
        ("data/texture/À¯ÀúÀÎÅÍÆäÀÌ½º/a.bmp", bmp(&solid)),
        ("data/model/antiquary/beside.bmp", bmp(&solid)),
        (
            "data/texture/other.png",
            scene::image::encode_png(&scene::image::Rgba8::new(1, 1, vec![9; 4]).unwrap()),
        ),
        ("data/texture/broken.bmp", b"BM and nothing".to_vec()),
    ];
    let names = [
        "deep\\wall.bmp",
        "leaf.bmp",
        "glass.tga",
        "clear.png",
        "유저인터페이스/a.bmp",
        "beside.bmp",
        "other.bmp",
        "broken.bmp",
        "gone\\away.bmp",
        "ad\\01.bik",
    ];
    let (glb, messages) = in_a_game(&files, &names);
    let material = |name: &str| {
        let found = glb.list("materials").iter().find(|material| material["name"] == name);
        found.unwrap_or_else(|| panic!("no material {name}"))
    };
    let image = |name: &str| {
        let texture = material(name)["pbrMetallicRoughness"]["baseColorTexture"]["index"].as_u64().unwrap();
        let image = glb.json["textures"][texture as usize]["source"].as_u64().unwrap();
        glb.json["images"][image as usize]["name"].as_str().unwrap().to_owned()
    };
    let alpha = |name: &str| material(name)["alphaMode"].as_str().map(str::to_owned);
    assert_eq!(alpha(names[0]), None);
    assert_eq!(alpha(names[1]).as_deref(), Some("MASK"));
    assert_eq!(alpha(names[2]).as_deref(), Some("BLEND"));
    assert_eq!(alpha(names[3]).as_deref(), Some("MASK"));
    for name in &names[..7] {
        assert!(!image(name).starts_with("missing"), "{name}: {messages:?}");
    }
    for name in &names[7..] {
        assert!(image(name).starts_with("missing"), "{name}");
    }
    has(&messages, "RSM-W018", "using \"other.png\" instead");
    has(&messages, "RSM-W014", "broken.bmp");
    has(&messages, "RSM-W010", "gone\\away.bmp");
    has(&messages, "RSM-W016", "ad\\01.bik");
}

#[test]
fn faces_seen_from_both_sides_have_a_material_of_their_own() {
    let mut rsm = windmill(Version::V1_4);
    rsm.meshes.truncate(1);
    for (face, two_sided) in rsm.meshes[0].faces.iter_mut().zip([1, -1, 0x100, 0]) {
        face.two_sided = two_sided;
    }
    let (glb, _) = alone(&rsm);
    let primitives = glb.json["meshes"][0]["primitives"].as_array().unwrap();
    let corners = |primitive: &Value| glb.rows(&primitive["indices"]).len();
    let is_double = |primitive: &Value| {
        let material = primitive["material"].as_u64().unwrap() as usize;
        glb.json["materials"][material]["doubleSided"].as_bool().unwrap_or(false)
    };
    let found: Vec<_> =
        primitives.iter().map(|primitive| (is_double(primitive), corners(primitive))).collect();
    assert_eq!(found, [(false, 30), (true, 6)]);
}
