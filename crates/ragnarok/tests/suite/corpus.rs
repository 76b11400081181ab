//! Real and synthetic models: contents and poses match an independent reader, files are written back unchanged, and truncated files are
//! refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use antiquary_ragnarok::axes::Axes;
use antiquary_ragnarok::rsm::Name;
use antiquary_ragnarok::rsm::pose::{Model, UvTransformState};
use antiquary_ragnarok::rsm::{ExtraWord, FORMAT, Mesh, Rsm, Version, corner_normals};
use asset::{Asset, Context, Install, Options, Report};
use glam::DVec3;
use json::Value;
use rayon::prelude::*;
use record::{Kind, Source};

/// Minimum number of models in the public corpus: 5 real and 47 synthetic ones, in addition to 13 malformed ones.
const MODELS: usize = 52;
const MALFORMED: usize = 13;

fn is_malformed(path: &Path) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with("bad_")
}

fn files() -> Vec<PathBuf> {
    let Some(folder) = corpus::folder("rsm") else { return Vec::new() };
    let mut files = corpus::files(&folder, "rsm", 1);
    files.extend(corpus::files(&folder, "rsm2", 1));
    files.sort();
    files
}

fn models() -> Vec<(PathBuf, Vec<u8>, Rsm)> {
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let model = Rsm::read(&bytes, &mut Report::new());
        let model = model.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, bytes, model)
    };
    let models: Vec<_> = files().into_iter().filter(|path| !is_malformed(path)).map(read).collect();
    assert!(models.is_empty() || models.len() >= MODELS, "only {} models", models.len());
    models
}

/// Loads the results of an independent reader for a file.
fn expected(path: &Path, ending: &str) -> Value {
    let name = format!("{}{ending}", path.display());
    json::from_slice(&std::fs::read(&name).expect(&name)).unwrap()
}

#[test]
fn writes_every_model_as_it_is_read() {
    for (path, bytes, model) in models() {
        assert!(model.write().unwrap() == bytes, "{}", path.display());
        let again: Rsm = json::from_slice(&json::to_vec(&model).unwrap()).unwrap();
        assert!(again.write().unwrap() == bytes, "{} through JSON", path.display());
    }
}

#[test]
fn every_model_matches_an_independent_reader() {
    for (path, bytes, model) in models() {
        let want = expected(&path, ".json");
        let at = path.display().to_string();
        assert_eq!(want["size"], bytes.len(), "{at}");
        assert_eq!(want["version"], model.version.to_string(), "{at}");
        for (name, found) in [
            ("animation_length", json_of(&model.animation_length)),
            ("shade_type", json_of(&model.shade_type)),
            ("alpha", json_of(&model.alpha)),
            ("frames_per_second", json_of(&model.frames_per_second)),
            ("reserved", json_of(&model.reserved.map(|bytes| hex(&bytes)))),
            ("volume_boxes_present", json_of(&model.volume_boxes.is_some())),
        ] {
            same_value(&want[name], &found, &format!("{at} {name}"));
        }
        same_names(&want["textures"], model.textures.as_ref().map(|names| &names[..]), &at);
        same_names(&want["root_names"], Some(&model.roots), &at);
        let hierarchy = Model::new(&model).hierarchy().clone();
        assert_eq!(want["roots"], json_of(&hierarchy.roots()), "{at}");
        assert_eq!(want["mesh_count"], model.meshes.len(), "{at}");
        for (number, mesh) in model.meshes.iter().enumerate() {
            let (want, at) = (&want["meshes"][number], format!("{at} mesh {number}"));
            assert_eq!(want["parent"], json_of(&hierarchy.parent(number)), "{at}");
            assert_eq!(want["reachable"], hierarchy.is_drawn(number), "{at}");
            same_mesh(want, mesh, &at);
        }
        same_keys(&want["model_key_frames"], model.model_keys.as_deref().unwrap_or_default(), &at);
        let boxes = model.volume_boxes.as_ref().map(|boxes| &boxes[..]).unwrap_or_default();
        assert_eq!(want["volume_boxes"].as_array().unwrap().len(), boxes.len(), "{at}");
        for (want, found) in want["volume_boxes"].as_array().unwrap().iter().zip(boxes) {
            let mut found = json_of(found);
            found.as_object_mut().unwrap().entry("flag").or_insert(Value::Null);
            for name in ["size", "position", "rotation", "flag"] {
                same_value(&want[name], &found[name], &format!("{at} volume box {name}"));
            }
        }
        // The independent reader treats an extra word of 1.5 at the end as trailing bytes.
        let (mut padding, mut trailing) = (Value::Null, model.trailing.to_vec());
        if model.version.to_string() == "1.5" {
            padding = "after".into();
        }
        match model.extra_word {
            Some(ExtraWord::BeforeModelKeys(_)) => padding = "before".into(),
            Some(ExtraWord::AtEnd(word)) => trailing.splice(0..0, word.to_le_bytes()).for_each(drop),
            None => {}
        }
        assert_eq!(want["v15_padding"], padding, "{at}");
        assert_eq!(want["trailing"], hex(&trailing), "{at}");
    }
}

fn json_of(value: &impl serde::Serialize) -> Value {
    json::from_slice(&json::to_vec(value).unwrap()).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn same_names(want: &Value, found: Option<&[Name]>, at: &str) {
    assert_eq!(want.is_null(), found.is_none(), "{at}");
    let none = Vec::new();
    let (want, found) = (want.as_array().unwrap_or(&none), found.unwrap_or_default());
    assert_eq!(want.len(), found.len(), "{at}");
    want.iter().zip(found).for_each(|(want, found)| same_name(want, found, at));
}

fn same_name(want: &Value, found: &Name, at: &str) {
    assert_eq!(want["bytes"], hex(found.bytes()), "{at}");
    assert_eq!(want["text"], *found.text(), "{at}");
    match want["after_nul"].as_str() {
        Some(rest) => assert_eq!(rest, hex(found.rest()), "{at}"),
        None => assert!(found.rest().iter().all(|byte| *byte == 0), "{at}"),
    }
}

fn same_mesh(want: &Value, mesh: &Mesh, at: &str) {
    same_name(&want["name"], &mesh.name, at);
    same_name(&want["parent_name"], &mesh.parent, at);
    same_names(&want["textures"], mesh.textures.as_ref().map(|names| &names[..]), at);
    assert_eq!(want["texture_indices"], json_of(&mesh.texture_indices), "{at}");
    same_value(&want["matrix"], &json_of(&mesh.matrix.as_flattened()), at);
    for (name, found) in [
        ("offset", json_of(&mesh.offset)),
        ("position", json_of(&mesh.position)),
        ("rotation_angle", json_of(&mesh.rotation_angle)),
        ("rotation_axis", json_of(&mesh.rotation_axis)),
        ("scale", json_of(&mesh.scale)),
    ] {
        same_value(&want[name], &found, &format!("{at} {name}"));
    }
    assert_eq!(want["vertex_count"], mesh.vertices.len(), "{at}");
    assert_eq!(want["texture_vertex_count"], mesh.texture_vertices.len(), "{at}");
    assert_eq!(want["face_count"], mesh.faces.len(), "{at}");
    let faces = || mesh.faces.iter();
    assert_eq!(want["two_sided_faces"], faces().filter(|face| face.two_sided > 0).count(), "{at}");
    let set = |numbers: Vec<i64>| {
        let set: std::collections::BTreeSet<i64> = numbers.into_iter().collect();
        json_of(&set)
    };
    assert_eq!(want["two_side_values"], set(faces().map(|face| face.two_sided.into()).collect()), "{at}");
    assert_eq!(want["face_padding_values"], set(faces().map(|face| face.padding.into()).collect()), "{at}");
    assert_eq!(
        want["face_lengths"],
        set(faces().map(|face| 20 + 4 * face.groups.len() as i64).collect()),
        "{at}"
    );
    let (mut groups, mut textures) = (BTreeMap::new(), BTreeMap::new());
    for face in faces() {
        let key: Vec<String> = face.groups.iter().map(|group| group.to_string()).collect();
        *groups.entry(key.join(",")).or_insert(0) += 1;
        *textures.entry(face.texture.to_string()).or_insert(0) += 1;
    }
    assert_eq!(want["smoothing_groups"], json_of(&groups), "{at}");
    assert_eq!(want["faces_per_texture"], json_of(&textures), "{at}");
    let colored =
        mesh.texture_vertices.iter().filter(|vertex| vertex.color.is_some_and(|color| color != [255; 4]));
    assert_eq!(want["coloured_texture_vertices"], colored.count(), "{at}");
    let count = |list: Option<usize>| list.unwrap_or_default();
    assert_eq!(want["scale_key_count"], count(mesh.scale_keys.as_ref().map(Vec::len)), "{at}");
    assert_eq!(want["rotation_key_count"], mesh.rotation_keys.len(), "{at}");
    assert_eq!(want["position_key_count"], count(mesh.position_keys.as_ref().map(Vec::len)), "{at}");
    let animations: Vec<Value> = mesh
        .texture_animations
        .iter()
        .flatten()
        .map(|animation| {
            let tracks = animation.tracks.iter();
            let tracks: Vec<Value> =
                tracks.map(|track| json::json!({"type": track.kind, "keys": track.keys.len()})).collect();
            json::json!({"texture": animation.texture, "tracks": tracks})
        })
        .collect();
    assert_eq!(want["texture_animations"], Value::from(animations), "{at}");
    for axis in 0..3 {
        let numbers = || mesh.vertices.iter().map(|vertex| f64::from(vertex[axis]));
        let bounds = &want["local_bounds"];
        assert_eq!(numbers().reduce(f64::min), bounds["min"][axis].as_f64(), "{at}");
        assert_eq!(numbers().reduce(f64::max), bounds["max"][axis].as_f64(), "{at}");
    }
}

fn same_keys(want: &Value, found: &[antiquary_ragnarok::rsm::VectorKey], at: &str) {
    let want = want.as_array().unwrap();
    assert_eq!(want.len(), found.len(), "{at}");
    for (want, found) in want.iter().zip(found) {
        same_value(want, &json_of(found), at);
    }
}

/// Compares numbers in single precision, because they are written with different numbers of digits.
fn same_value(want: &Value, found: &Value, at: &str) {
    match (want, found) {
        (Value::Array(want), Value::Array(found)) => {
            assert_eq!(want.len(), found.len(), "{at}");
            want.iter().zip(found).for_each(|(want, found)| same_value(want, found, at));
        }
        (Value::Object(want), Value::Object(found)) => {
            for (name, want) in want {
                same_value(want, &found[name], &format!("{at}.{name}"));
            }
        }
        (Value::Number(want), Value::Number(found)) => {
            let single = |number: &json::Number| number.as_f64().unwrap() as f32;
            assert_eq!(single(want).to_bits(), single(found).to_bits(), "{at}");
        }
        _ => assert_eq!(want, found, "{at}"),
    }
}

fn triple(value: &Value) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|axis| value[axis].as_f64().unwrap()))
}

/// Maximum distance of two evaluations, relative to the size of the model.
const NEAR: f64 = 1e-5;

#[test]
fn every_pose_matches_an_independent_evaluator() {
    let mut poses = 0;
    for (path, _, rsm) in models() {
        let model = Model::new(&rsm);
        let all_normals: Vec<DVec3> = rsm
            .meshes
            .iter()
            .map(|mesh| corner_normals(&rsm, mesh).into_iter().flatten().flatten().sum())
            .collect();
        for want in expected(&path, ".eval.json")["at"].as_array().unwrap() {
            let milliseconds = want["ms"].as_f64().unwrap();
            let at = format!("{} at {milliseconds} ms", path.display());
            let pose = model.pose_at(milliseconds);
            assert!((pose.frame - want["frame"].as_f64().unwrap()).abs() < 1e-6, "{at}: {}", pose.frame);
            let size = if want["bounds"].is_null() {
                1.0
            } else {
                triple(&want["bounds"]["max"]).distance(triple(&want["bounds"]["min"])).max(1e-3)
            };
            let near = |want: &Value, found: DVec3, factor: f64, what: &str| {
                let distance = triple(want).distance(found) / factor;
                assert!(distance <= NEAR * size, "{at}: {what} is off by {} of the size", distance / size);
            };
            let wanted = want["meshes"].as_array().unwrap();
            let mut is_disputed = false;
            for (number, (want, mesh)) in wanted.iter().zip(&rsm.meshes).enumerate() {
                if want.get("mixed_groups") != Some(&Value::Bool(true)) {
                    let apart = triple(&want["normal_sum"]).distance(all_normals[number]);
                    assert!(
                        apart <= 1e-6 * (1.0 + mesh.faces.len() as f64),
                        "{at}: normals of mesh {number}: {apart}"
                    );
                }
                assert_eq!(want["parent"], json_of(&model.hierarchy().parent(number)), "{at}");
                same_texture_states(want, &model, number, pose.frame, &at);
                if want.get("disputed").is_some() {
                    is_disputed |= want["reachable"] == true;
                    continue;
                }
                let posed = pose.meshes[number];
                let points =
                    mesh.vertices.iter().map(|vertex| posed.point(DVec3::from(vertex.map(f64::from))));
                let points: Vec<DVec3> = points.collect();
                near(&want["translation"], posed.translation, 1.0, "translation");
                near(&want["sum"], points.iter().sum(), points.len().max(1) as f64, "mean");
                if let Some(first) = points.first() {
                    let least = points.iter().fold(*first, |least, point| least.min(*point));
                    let most = points.iter().fold(*first, |most, point| most.max(*point));
                    near(&want["bounds"]["min"], least, 1.0, "least corner");
                    near(&want["bounds"]["max"], most, 1.0, "greatest corner");
                }
                for row in 0..3 {
                    let linear = posed.linear.row(row);
                    assert!(triple(&want["linear_rows"][row]).distance(linear) < 1e-6, "{at}: {linear}");
                }
                assert_eq!(want["mirrored"], posed.linear.determinant() < 0.0, "{at}");
                poses += 1;
            }
            if !is_disputed && !want["bounds"].is_null() {
                let [least, most] = model.bounds(&pose).unwrap();
                near(&want["bounds"]["min"], least, 1.0, "least corner of all");
                near(&want["bounds"]["max"], most, 1.0, "greatest corner of all");
                if milliseconds == 0.0 && want.get("recenter").is_some() {
                    near(&want["recenter"], model.recentering().unwrap(), 1.0, "recentering");
                }
            }
        }
    }
    assert!(files().is_empty() || poses > 1000, "only {poses} meshes were compared");
}

fn same_texture_states(want: &Value, model: &Model<'_>, mesh: usize, frame: f64, at: &str) {
    let motions = model.uv_animations(mesh);
    let none = Vec::new();
    let want = want.get("texture_state").and_then(Value::as_array).unwrap_or(&none);
    assert_eq!(want.len(), motions.len(), "{at}");
    for (want, motion) in want.iter().zip(&motions) {
        let UvTransformState { translation, scale, rotation } = motion.at(frame);
        assert_eq!(want["texture"], motion.texture, "{at}");
        for (name, found, rest) in [
            ("translate_u", translation.x, 0.0),
            ("translate_v", translation.y, 0.0),
            ("scale_u", scale.x, 1.0),
            ("scale_v", scale.y, 1.0),
            ("rotate", rotation, 0.0),
        ] {
            let want = want.get(name).map_or(rest, |number| number.as_f64().unwrap());
            assert!((want - found).abs() < 1e-9, "{at}: {name} is {found}, not {want}");
        }
    }
}

#[test]
fn refuses_every_malformed_model_with_the_offset_of_the_defect() {
    let malformed: Vec<_> = files().into_iter().filter(|path| is_malformed(path)).collect();
    assert!(malformed.is_empty() || malformed.len() >= MALFORMED, "only {} are malformed", malformed.len());
    for path in malformed {
        let want = expected(&path, ".json");
        let error = Rsm::read(&std::fs::read(&path).unwrap(), &mut Report::new()).unwrap_err();
        assert_eq!(error.offset(), want["offset"].as_u64(), "{}: {error}", path.display());
        let is_unknown_version = want["error"] == "unsupported_version";
        let kind = if is_unknown_version { Kind::Unsupported } else { Kind::Malformed };
        assert_eq!(error.kind(), kind, "{}: {error}", path.display());
    }
}

/// Reads, writes and checks a possibly damaged file. An error must have an offset within the file.
fn check_damaged(bytes: &[u8], label: &str) {
    let mut report = Report::new();
    match Rsm::read(bytes, &mut report) {
        Ok(model) => {
            assert!(model.write().unwrap() == bytes, "{label}: written differently");
            let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
            let context = Context { install: &install, location: None, options: &options };
            model.check(&context, &mut report);
        }
        Err(error) => {
            let offset = error.offset().unwrap_or_else(|| panic!("{label}: no offset: {error}"));
            assert!(offset <= bytes.len() as u64, "{label}: {error}");
        }
    }
}

#[test]
fn truncated_models_are_read_or_refused_with_an_offset() {
    models().par_iter().for_each(|(path, bytes, model)| {
        let mut spans = corpus::Places::default();
        FORMAT.trace(model, &Source::from_bytes(&bytes[..]), &mut spans).unwrap();
        for length in corpus::cuts(bytes.len(), &spans.boundaries) {
            check_damaged(&bytes[..length], &format!("{} cut at {length}", path.display()));
        }
    });
}

#[test]
fn refuses_invalid_counts() {
    models().par_iter().for_each(|(path, bytes, model)| {
        let mut spans = corpus::Places::default();
        FORMAT.trace(model, &Source::from_bytes(&bytes[..]), &mut spans).unwrap();
        assert!(spans.counts.len() >= 5 * model.meshes.len(), "{}", path.display());
        let mut bytes = bytes.clone();
        for (at, size) in spans.counts {
            let range = at as usize..(at + size) as usize;
            let before = bytes[range.clone()].to_vec();
            for invalid in [0xffff_ffff_u32, 0x7fff_ffff] {
                bytes[range.clone()].copy_from_slice(&invalid.to_le_bytes());
                check_damaged(&bytes, &format!("{} count at {at:#x}", path.display()));
            }
            bytes[range].copy_from_slice(&before);
        }
    });
}

#[test]
fn spans_cover_every_byte_of_every_model_in_order() {
    for (path, bytes, model) in models() {
        let mut next = 0;
        let mut visit = |span: record::Span<'_>| {
            assert_eq!(span.start, next, "{}: {span:?}", path.display());
            next = span.end;
            record::Visit::Continue
        };
        FORMAT.trace(&model, &Source::from_bytes(&bytes[..]), &mut visit).unwrap();
        assert_eq!(next, bytes.len() as u64, "{}", path.display());
    }
}

/// Returns the corners of all drawn faces in the axes of glTF, mesh by mesh. The first corner of a face is arbitrary.
fn corners(rsm: &Rsm, milliseconds: f64) -> Vec<[DVec3; 3]> {
    let model = Model::new(rsm);
    let (pose, axes) = (model.pose_at(milliseconds), Axes::of(rsm.version.space(), 1.0));
    let mut out = Vec::new();
    for (number, (mesh, posed)) in rsm.meshes.iter().zip(&pose.meshes).enumerate() {
        let valid = mesh
            .faces
            .iter()
            .filter(|face| face.vertices.iter().all(|at| usize::from(*at) < mesh.vertices.len()));
        for face in valid.filter(|_| model.hierarchy().is_drawn(number)) {
            let point = |at: u16| DVec3::from(mesh.vertices[usize::from(at)].map(f64::from));
            let corners = face.vertices.map(|at| axes.position(posed.point(point(at))));
            out.push(axes.winding(corners));
        }
    }
    out
}

#[test]
fn every_model_has_the_same_poses_in_other_versions() {
    let mut compared = 0;
    for (path, _, model) in models() {
        // The parser fixtures have singular matrices and no faces to compare.
        let is_flat = |mesh: &Mesh| antiquary_ragnarok::rsm::pose::matrix(mesh).determinant() == 0.0;
        let size = Model::new(&model)
            .bounds(&Model::new(&model).pose(0.0))
            .map_or(1.0, |[a, b]| a.distance(b).max(1e-3));
        for version in Version::KNOWN {
            let at = format!("{} as {version}", path.display());
            let mut report = Report::new();
            let converted = model.to_version(version, &mut report);
            let again = Rsm::read(&converted.write().unwrap(), &mut Report::new()).unwrap();
            assert_eq!(again.version, version, "{at}");
            if model.meshes.iter().any(is_flat) {
                continue;
            }
            let loses_motion = report.iter().any(|warning| warning.message.contains("keys left out"));
            let changes_time = model.version.is_absolute() && !version.is_absolute();
            let times: &[f64] =
                if loses_motion || changes_time { &[0.0] } else { &[0.0, 250.0, 1777.0, 5999.0] };
            for milliseconds in times {
                let (want, found) = (corners(&model, *milliseconds), corners(&again, *milliseconds));
                assert_eq!(want.len(), found.len(), "{at}");
                for (want, found) in want.iter().zip(&found) {
                    let near = |start: usize| {
                        (0..3).all(|at| want[at].distance(found[(start + at) % 3]) < NEAR * size)
                    };
                    assert!((0..3).any(near), "{at} at {milliseconds} ms: {want:?} is not {found:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(files().is_empty() || compared > 10_000, "only {compared} triangles were compared");
}
