//! Conversion of models to glTF: the poses match the model at every time, and the textures match the game.

mod reader;
mod texture;

use std::path::PathBuf;

use antiquary_ragnarok::axes::Axes;
use antiquary_ragnarok::rsm::Name;
use antiquary_ragnarok::rsm::pose::Model;
use antiquary_ragnarok::rsm::{FORMAT, Rsm, Version, VolumeBox};
use antiquary_ragnarok::sample::windmill;
use asset::{Context, Install, Location, MemorySink, Options, Report, Target};
use glam::{DMat3, DQuat, DVec3};
use json::json;

use reader::Glb;

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
    let messages = report.iter().map(|warning| format!("{}: {}", warning.code.id, warning.message)).collect();
    (Glb::parse(sink.get("model.glb").unwrap()), messages)
}

fn convert_alone(rsm: &Rsm) -> (Glb, Vec<String>) {
    convert(rsm, &Install::empty(), None, &[])
}

#[track_caller]
fn assert_reported(messages: &[String], code: &str, words: &str) {
    let found = messages.iter().any(|message| message.starts_with(code) && message.contains(words));
    assert!(found, "no {code} with \"{words}\": {messages:#?}");
}

fn models() -> Vec<(PathBuf, Rsm)> {
    let Some(folder) = corpus::folder("rsm") else { return Vec::new() };
    let files = [corpus::files(&folder, "rsm", 30), corpus::files(&folder, "rsm2", 20)].concat();
    let valid =
        files.into_iter().filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with("bad_"));
    valid
        .map(|path| (path.clone(), Rsm::read(&std::fs::read(&path).unwrap(), &mut Report::new()).unwrap()))
        .collect()
}

/// Maximum distance of positions, relative to the size of the model.
const TOLERANCE: f64 = 1e-5;

/// Checks that the scene has the poses of the model, at times at keys and between keys.
fn assert_same_poses(rsm: &Rsm, at: &str) -> usize {
    let (glb, _) = convert_alone(rsm);
    let model = Model::new(rsm);
    let axes = Axes::of(rsm.version.space(), 1.0);
    let length = model.duration().unwrap_or(1.0);
    let mut compared = 0;
    let is_mirrored = |posed: &antiquary_ragnarok::affine::Affine| posed.linear.determinant() < 0.0;
    let start = model.pose(0.0);
    for share in [0.0, 0.083, 0.25, 0.37, 0.5, 0.731, 0.9, 0.985] {
        let seconds = length * share;
        let pose = model.pose_at(seconds * 1000.0);
        let size = model.bounds(&pose).map_or(1.0, |[min, max]| min.distance(max).max(1.0));
        let found = glb.triangles(seconds);
        for (number, (mesh, posed)) in rsm.meshes.iter().zip(&pose.meshes).enumerate() {
            let mut want = Vec::new();
            for face in &mesh.faces {
                let position = |at: u16| {
                    mesh.vertices.get(usize::from(at)).map(|position| DVec3::from(position.map(f64::from)))
                };
                let [Some(a), Some(b), Some(c)] = face.vertices.map(position) else { continue };
                let mut corners = [a, b, c].map(|corner| axes.position(posed.point(corner)));
                // The visible side in the game depends on the posed triangle. In glTF, it cannot change during a clip.
                if is_mirrored(posed) != is_mirrored(&start.meshes[number]) {
                    corners.swap(1, 2);
                }
                want.push((face.texture, face.two_sided > 0, axes.winding(corners)));
            }
            // Faces with the same material are grouped together.
            want.sort_by_key(|(texture, is_two_sided, _)| (*texture, *is_two_sided));
            let none = Vec::new();
            let found = found.get(&number).unwrap_or(&none);
            if !model.hierarchy().is_drawn(number) {
                assert!(found.is_empty(), "{at}: mesh {number} is not drawn");
                continue;
            }
            assert_eq!(want.len(), found.len(), "{at}: mesh {number}");
            for ((_, _, want), found) in want.iter().zip(found) {
                let near = |start: usize| {
                    (0..3).all(|at| want[at].distance(found[(start + at) % 3]) <= TOLERANCE * size)
                };
                assert!((0..3).any(near), "{at} after {seconds} s, mesh {number}: {want:?} is not {found:?}");
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn every_model_has_the_same_poses_in_gltf() {
    let models = models();
    let compared: usize =
        models.iter().map(|(path, rsm)| assert_same_poses(rsm, &path.display().to_string())).sum();
    assert!(models.is_empty() || (models.len() >= 52 && compared > 10_000), "only {compared} triangles");
}

/// A windmill with a mesh that is mirrored by its scale, or since 2.2 by its matrix. Its children are mirrored by their parent.
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
fn mirrored_meshes_keep_their_visible_side_and_normals_point_outward() {
    for version in [Version::V1_4, Version::V2_3] {
        let rsm = mirrored(version);
        let mirrored =
            Model::new(&rsm).pose(0.0).meshes.iter().filter(|it| it.linear.determinant() < 0.0).count();
        assert!((1..=rsm.meshes.len()).contains(&mirrored), "{mirrored} meshes of {version}");
        assert!(assert_same_poses(&rsm, "mirrored") > 100);
        let (glb, _) = convert_alone(&Rsm { shade_type: 1, ..rsm });
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
fn reports_a_scale_that_changes_its_sign() {
    let mut rsm = windmill(Version::V2_3);
    let key =
        |frame: i32, x: f32| antiquary_ragnarok::rsm::VectorKey { frame, value: [x, 1.0, 1.0], data: 0 };
    rsm.meshes[2].scale_keys = Some(vec![key(0, 1.0), key(60, 0.5)]);
    assert!(!convert_alone(&rsm).1.iter().any(|message| message.starts_with("RSM-W044")));
    rsm.meshes[2].scale_keys = Some(vec![key(0, 1.0), key(60, -1.0)]);
    assert_reported(&convert_alone(&rsm).1, "RSM-W044", "changes sign");
}

#[test]
fn faces_on_the_same_vertices_get_separate_vertices() {
    for shade_type in [0, 1, 2] {
        let mut rsm = Rsm { shade_type, ..windmill(Version::V1_4) };
        let mesh = &mut rsm.meshes[0];
        let reversed = |face: &antiquary_ragnarok::rsm::Face| {
            let mut reversed = face.clone();
            reversed.vertices.swap(0, 2);
            reversed.texture_vertices.swap(0, 2);
            reversed
        };
        let twins: Vec<_> = mesh.faces.iter().take(4).map(reversed).collect();
        mesh.faces.extend(twins);
        let (glb, _) = convert_alone(&rsm);
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
fn before_the_first_key_a_rotation_blends_from_rest_or_holds_the_key() {
    let mut rsm = windmill(Version::V1_4);
    let mesh = rsm.meshes.iter().position(|mesh| !mesh.rotation_keys.is_empty()).unwrap();
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2).as_quat().to_array();
    rsm.meshes[mesh].rotation_keys =
        vec![antiquary_ragnarok::rsm::RotationKey { frame: 1000, quaternion: quarter }];
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
fn ticks_play_4_8_times_as_fast() {
    let rsm = windmill(Version::V1_4);
    let end = |glb: &Glb| {
        let last = glb.list("animations")[0]["samplers"][0]["input"].clone();
        glb.rows(&last).concat().into_iter().fold(0.0, f64::max)
    };
    let (plain, _) = convert_alone(&rsm);
    let (fast, _) = convert(&rsm, &Install::empty(), None, &[("time-unit", "tick")]);
    assert!((end(&plain) / end(&fast) - 4.8).abs() < 1e-5);
    assert_eq!(fast.list("nodes")[0]["extras"]["rsm"]["ticks_per_second"], 4800.0);
    let late = Rsm { version: Version::V2_3, ..windmill(Version::V2_3) };
    let (same, _) = convert(&late, &Install::empty(), None, &[("time-unit", "tick")]);
    assert_eq!(end(&same), end(&convert_alone(&late).0));
}

#[test]
fn unusual_keys_and_sheared_and_scaled_meshes_have_the_same_poses() {
    let mut rsm = windmill(Version::V2_3);
    let key = |frame: i32, value: [f32; 3]| antiquary_ragnarok::rsm::VectorKey { frame, value, data: 0 };
    rsm.meshes[0].matrix = [[1.0, 0.5, 0.0], [0.0, 2.0, 0.3], [-0.2, 0.0, -1.0]];
    rsm.meshes[0].scale_keys = Some(vec![key(30, [2.0, 1.0, 0.5]), key(300, [0.2, 3.0, -1.0])]);
    rsm.meshes[1].rotation_keys.drain(..1);
    rsm.meshes[1].rotation_keys[2].frame = 200;
    rsm.meshes[2].matrix = [[0.0, 3.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
    rsm.meshes[2].scale_keys = Some(vec![key(-20, [1.0; 3]), key(60, [2.0, 1.0, 3.0])]);
    let jump =
        [key(0, [0.0; 3]), key(60, [5.0, 0.0, 0.0]), key(60, [0.0, 9.0, 0.0]), key(90, [1.0, 2.0, 3.0])];
    rsm.meshes[6].position_keys = Some(jump.to_vec());
    assert!(assert_same_poses(&rsm, "odd") > 100);
    let (glb, _) = convert_alone(&rsm);
    let nodes: Vec<&str> = glb.list("nodes").iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert!(nodes.contains(&"tower inner") && nodes.contains(&"tower scale"), "{nodes:?}");
    assert!(glb.list("nodes").iter().all(|node| node.get("matrix").is_none()));
}
#[test]
fn unsupported_values_are_kept_in_the_extras() {
    let mut rsm = windmill(Version::V1_4);
    rsm.alpha = Some(77);
    let volume =
        VolumeBox { size: [1.0, 2.0, 3.0], position: [4.0; 3], rotation: [f32::NAN; 3], flag: Some(5) };
    rsm.volume_boxes = Some(vec![volume]);
    rsm.meshes[0].texture_vertices[0].color = Some([1, 2, 3, 4]);
    let (glb, messages) = convert_alone(&rsm);
    assert_reported(&messages, "RSM-N050", "colors");
    let mut properties = glb.json["nodes"][0]["extras"]["rsm"].clone();
    assert!(properties.as_object_mut().unwrap().remove("file").is_some());
    assert_eq!(
        properties,
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
fn the_shade_type_determines_shading_and_normals() {
    for (shade_type, has_normals) in [(0, false), (1, true), (2, true), (9, true)] {
        let (glb, _) = convert_alone(&Rsm { shade_type, ..windmill(Version::V1_4) });
        for primitive in glb.list("meshes").iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap()) {
            assert_eq!(primitive["attributes"].get("NORMAL").is_some(), has_normals);
        }
        for material in glb.list("materials") {
            assert_eq!(material["extensions"].get("KHR_materials_unlit").is_some(), !has_normals);
        }
    }
}

#[test]
fn options_recenter_old_models_and_add_orphans() {
    let mut rsm = windmill(Version::V1_4);
    rsm.meshes[5].parent = Name::from("gone");
    let install = Install::empty();
    let (glb, messages) = convert_alone(&rsm);
    assert_reported(&messages, "RSM-W034", "not drawn");
    assert!(!glb.list("nodes").iter().any(|node| node["name"] == "sail 3"));
    let (glb, _) = convert(&rsm, &install, None, &[("orphans", "")]);
    assert!(glb.list("nodes").iter().any(|node| node["name"] == "sail 3"));

    let mut rsm = windmill(Version::V1_4);
    rsm.meshes[0].position = [100.0, 7.0, -3.0];
    let (glb, _) = convert(&rsm, &install, None, &[("recenter", "")]);
    let points: Vec<DVec3> = glb.triangles(0.0).into_values().flatten().flatten().collect();
    let min = points.iter().fold(DVec3::INFINITY, |min, point| min.min(*point));
    let max = points.iter().fold(DVec3::NEG_INFINITY, |max, point| max.max(*point));
    assert!((min + max).x.abs() < 1e-4 && (min + max).z.abs() < 1e-4 && min.y.abs() < 1e-4, "{min} {max}");
    assert_reported(
        &convert(&windmill(Version::V2_3), &install, None, &[("recenter", "")]).1,
        "RSM-N051",
        "2.3",
    );
}
