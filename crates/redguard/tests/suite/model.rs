//! Tests with the models of the synthetic install.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::forge::{
    self, assert_matches_manifest, assert_round_trip, assert_survives_truncation, convert, indexed_files,
    malformed_files, open,
};
use antiquary_redguard::model::rob::{self, Payload, Rob};
use antiquary_redguard::model::{FaceTexture, Model};
use asset::Format;
use json::Value;
use record::Source;

/// Single models and the expected values.
fn models() -> Vec<(PathBuf, Value)> {
    let mut out = indexed_files("assets_index.json", "3d", 9);
    out.extend(indexed_files("assets_index.json", "3dc", 10));
    out
}

fn robs() -> Vec<(PathBuf, Value)> {
    indexed_files("assets_index.json", "rob", 6)
}

fn crc(numbers: &[[f32; 3]]) -> String {
    let bytes: Vec<u8> = numbers.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    format!("{:08x}", crc32fast::hash(&bytes))
}

/// Asserts that vertices, normals, faces, colors, images and texture coordinates of every frame match an independent reader.
fn assert_same(model: &Model, expected: &Value, at: &str) {
    assert_eq!(model.version().text(), expected["header"]["version"], "{at}");
    assert_eq!(model.positions(0).len(), expected["header"]["num_vertices"], "{at}");
    let faces = model.faces();
    let expected_faces = expected["faces"].as_array().unwrap();
    assert_eq!(faces.len(), expected_faces.len(), "{at}");
    for (number, (face, expected)) in faces.iter().zip(expected_faces).enumerate() {
        let at = format!("{at} face {number}");
        match face.texture {
            FaceTexture::Color(color) => assert_eq!(expected["color"], color, "{at}"),
            FaceTexture::Image { bank, image } => {
                assert_eq!((&expected["tex"], &expected["img"]), (&bank.into(), &image.into()), "{at}");
            }
            FaceTexture::Unknown(word) => panic!("{at}: unknown texture word {word:#x}"),
        }
        let vertices: Vec<usize> = face.corners.iter().map(|corner| corner.vertex.unwrap()).collect();
        assert_eq!(expected["v"], json::json!(vertices), "{at}");
        let uv: Vec<[f32; 2]> = face.corners.iter().map(|corner| corner.uv).collect();
        assert_eq!(expected["uv"], json::json!(uv), "{at}");
        if model.version().is_glide() {
            assert_eq!(expected["b1"], face.brightness, "{at}");
        }
    }
    if let Some(shading) = expected["shading"].as_object() {
        let smooth =
            faces.iter().flat_map(|face| &face.corners).filter(|corner| corner.normal.is_some()).count();
        assert_eq!(shading["smooth_corners"], smooth, "{at}");
    }
    assert_eq!(expected["vertices"]["crc32_f32le"], crc(&model.positions(0)), "{at}");
    assert_eq!(expected["face_normals"]["crc32_f32le"], crc(&model.face_normals(0)), "{at}");
    let frames = expected["frames"].as_array().map(Vec::as_slice).unwrap_or_default();
    assert_eq!(model.frame_count(), frames.len().max(1), "{at}");
    for (number, expected) in frames.iter().enumerate() {
        let at = format!("{at} frame {number}");
        assert_eq!(expected["positions_crc32_f32le"], crc(&model.positions(number)), "{at}");
        assert_eq!(expected["normals_crc32_f32le"], crc(&model.face_normals(number)), "{at}");
    }
    if let Some(nodes) = expected["section4"].as_array() {
        let Model::Glide(model) = model else { panic!("{at}: nodes in a model of the software renderer") };
        assert_eq!(nodes.len(), model.nodes.len(), "{at}");
        for (node, expected) in model.nodes.iter().zip(nodes) {
            assert_eq!(expected["center"], json::json!(node.center), "{at}");
            assert_eq!(expected["radius"], node.radius, "{at}");
            let faces: Vec<u16> = node.faces.iter().map(|face| face.face_times_4 / 4).collect();
            assert_eq!(expected["faces"], json::json!(faces), "{at}");
            assert!(node.faces.iter().all(|face| face.offset.is_none()), "{at}");
        }
    }
}

#[test]
fn matches_an_independent_reader_on_every_value() {
    for (path, expected) in models() {
        let model = Model::read(&std::fs::read(&path).unwrap()).unwrap();
        assert_same(&model, &expected, &path.display().to_string());
    }
    for (path, expected) in robs() {
        let rob = Rob::read(&std::fs::read(&path).unwrap()).unwrap();
        let segments = expected["segments"].as_array().unwrap();
        assert_eq!(rob.segments.len(), segments.len(), "{}", path.display());
        for (segment, expected) in rob.segments.iter().zip(segments) {
            let at = format!("{} {}", path.display(), segment.header.name);
            let header = &segment.header;
            assert_eq!(expected["name"], header.name.text(), "{at}");
            assert_eq!(expected["type"], header.kind, "{at}");
            assert_eq!(expected["flags"], header.flags, "{at}");
            assert_eq!(expected["attribs"], header.attributes, "{at}");
            assert_eq!(expected["bbox"]["extent"], json::json!(header.extent), "{at}");
            assert_eq!(expected["bbox"]["positive"], json::json!(header.positive), "{at}");
            assert_eq!(expected["bbox"]["negative"], json::json!(header.negative), "{at}");
            match (&segment.payload, expected["model"].is_object()) {
                (Payload::Model(model), true) => assert_same(model, &expected["model"], &at),
                (Payload::Empty, false) => {}
                (payload, _) => panic!("{at}: {payload:?}"),
            }
        }
    }
}

/// The files of both formats.
fn files() -> Vec<(&'static Format, PathBuf)> {
    let models = models().into_iter().map(|(path, _)| (&antiquary_redguard::world::model::FORMAT, path));
    models.chain(robs().into_iter().map(|(path, _)| (&rob::FORMAT, path))).collect()
}

/// Asserts that the trace covers every byte exactly once, in any order of the parts.
fn assert_covers_all_bytes(format: &'static Format, path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let (asset, _) = open(format, &bytes).unwrap();
    let mut spans = Vec::new();
    let mut visit = |span: record::Span<'_>| {
        spans.push((span.start, span.end, span.path.to_owned()));
        record::Visit::Continue
    };
    format.trace(&*asset, &Source::from_bytes(&bytes[..]), &mut visit).unwrap();
    spans.sort();
    let mut next = 0;
    for (start, end, field) in spans {
        assert_eq!(start, next, "{} {field}", path.display());
        next = end;
    }
    assert_eq!(next, bytes.len() as u64, "{}", path.display());
}

#[test]
fn round_trips_and_describes_every_file() {
    for (format, path) in files() {
        assert_round_trip(format, &path);
        assert_covers_all_bytes(format, &path);
        assert_survives_truncation(format, &path);
    }
}

#[test]
fn reports_no_defects_of_valid_files() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (format, path) in files() {
        let report = forge::check(format, &path);
        for warning in &report {
            found
                .entry(warning.code.id.to_owned())
                .or_default()
                .push(format!("{}: {warning}", path.file_name().unwrap().to_str().unwrap()));
        }
    }
    // The synthetic models use images that the install does not contain.
    found.retain(|code, _| code != "RGMODEL-W012" && code != "RGMODEL-W017");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn refuses_malformed_models_as_in_the_manifest() {
    let mut files = malformed_files("assets_manifest.json", "3d", 70);
    // One file starts like a ROB file and is detected as one.
    let (rob, models): (Vec<_>, Vec<_>) = files.drain(..).partition(|file| file.bytes.starts_with(b"OARC"));
    assert_matches_manifest(&rob::FORMAT, &rob);
    assert_matches_manifest(&antiquary_redguard::world::model::FORMAT, &models);
    assert_matches_manifest(
        &antiquary_redguard::world::model::FORMAT,
        &malformed_files("assets_manifest.json", "3d_legacy", 49),
    );
    assert_matches_manifest(
        &antiquary_redguard::world::model::FORMAT,
        &malformed_files("assets_manifest.json", "3dc", 30),
    );
}

#[test]
fn refuses_malformed_archives_as_in_the_manifest() {
    assert_matches_manifest(&rob::FORMAT, &malformed_files("assets_manifest.json", "rob", 30));
}

#[test]
fn converts_every_file_to_a_scene() {
    for (format, path) in files() {
        let (sink, _) = convert(format, &path, "glb", &[]);
        assert!(sink.get("out.glb").unwrap().starts_with(b"glTF"), "{}", path.display());
    }
}

/// The number of triangles of the faces that the collision nodes of a model list.
fn listed_triangles(expected: &Value) -> usize {
    let nodes = expected["section4"].as_array().map(Vec::as_slice).unwrap_or_default();
    let listed = nodes.iter().flat_map(|node| node["faces"].as_array().unwrap());
    let listed: BTreeSet<u64> = listed.map(|face| face.as_u64().unwrap()).collect();
    let corners =
        |face: u64| expected["faces"][usize::try_from(face).unwrap()]["v"].as_array().unwrap().len();
    listed.into_iter().map(|face| corners(face) - 2).sum()
}

/// The number of triangles of the collision geometry in a scene, by the name of its node.
fn collision_triangles(scene: &scene::Scene) -> BTreeMap<String, usize> {
    let is_shape = |node: &&scene::Node| node.extras.get("layer").is_some_and(|layer| layer == "collision");
    let triangles = |node: &scene::Node| {
        let mesh = &scene.meshes[node.mesh.unwrap().0];
        mesh.primitives.iter().map(|primitive| primitive.indices.len() / 3).sum()
    };
    scene.nodes.iter().filter(is_shape).map(|node| (node.name.clone(), triangles(node))).collect()
}

#[test]
fn converts_the_faces_listed_by_collision_nodes() {
    let converted = |format: &'static Format, path: &Path| {
        let (sink, _) = convert(format, path, "glb", &[("with", "collision")]);
        scene::gltf::read(sink.get("out.glb").unwrap(), &mut |_| None).unwrap().scene
    };
    let name = |name: &str, version: &Value| {
        let suffix = if version == "v5.0" { "-colonly" } else { "" };
        format!("C_{name}{suffix}")
    };
    let mut shapes = 0;
    for (path, expected) in models() {
        let scene = converted(&antiquary_redguard::world::model::FORMAT, &path);
        let triangles = listed_triangles(&expected);
        let mut all = BTreeMap::new();
        if triangles > 0 {
            all.insert(name("out", &expected["header"]["version"]), triangles);
        }
        shapes += all.len();
        assert_eq!(collision_triangles(&scene), all, "{}", path.display());
    }
    for (path, expected) in robs() {
        let scene = converted(&rob::FORMAT, &path);
        let segments = expected["segments"].as_array().unwrap();
        let with_faces = segments.iter().filter(|segment| listed_triangles(&segment["model"]) > 0);
        let shape = |segment: &Value| {
            let (model, segment) = (&segment["model"], segment["name"].as_str().unwrap());
            (name(segment, &model["header"]["version"]), listed_triangles(model))
        };
        let all: BTreeMap<_, _> = with_faces.map(shape).collect();
        shapes += all.len();
        assert_eq!(collision_triangles(&scene), all, "{}", path.display());
    }
    assert!(shapes > 30 || forge::install().is_none(), "{shapes}");
}

/// The JSON and the binary data of a GLB.
fn glb(bytes: &[u8]) -> (Value, Vec<u8>) {
    let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json = length(12);
    let rest = bytes.get(28 + json..).unwrap_or_default().to_vec();
    (json::from_slice(&bytes[20..20 + json]).unwrap(), rest)
}

/// Either all frames of a primitive have normals, or none has, if the normals never change.
#[test]
fn writes_normals_of_frames_only_if_they_change() {
    for (path, _) in models() {
        let (sink, _) = convert(&antiquary_redguard::world::model::FORMAT, &path, "glb", &[]);
        let scene = scene::gltf::read(sink.get("out.glb").unwrap(), &mut |_| None).unwrap().scene;
        let model = Model::read(&std::fs::read(&path).unwrap()).unwrap();
        let normals: Vec<_> = (0..model.frame_count()).map(|frame| model.face_normals(frame)).collect();
        let is_rotating = normals.iter().any(|frame| *frame != normals[0]);
        let at = path.display();
        let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        for primitive in primitives() {
            let normal_targets: Vec<_> =
                primitive.targets.iter().filter_map(|target| target.normals.as_ref()).collect();
            assert!(normal_targets.is_empty() || normal_targets.len() == primitive.targets.len(), "{at}");
            assert!(
                normal_targets.is_empty()
                    || normal_targets.iter().any(|normals| normals.iter().any(|normal| *normal != [0.0; 3])),
                "{at}"
            );
        }
        let (lit, has_targets) = (
            primitives().any(|primitive| primitive.normals.is_some() && !primitive.targets.is_empty()),
            primitives().any(|primitive| primitive.targets.iter().any(|target| target.normals.is_some())),
        );
        assert_eq!(has_targets, lit && is_rotating, "{at}");
    }
}

#[test]
fn uses_the_images_of_the_software_renderer() {
    let mut compared = 0;
    for (format, path) in files() {
        if path.parent().unwrap().file_name().unwrap() != "3dart" {
            continue;
        }
        let (sink, _) = convert(format, &path, "glb", &[]);
        let (gltf, bytes) = glb(sink.get("out.glb").unwrap());
        for material in gltf["materials"].as_array().unwrap() {
            let index = |value: &Value| value.as_u64().unwrap() as usize;
            let extras = &material["extras"];
            let texture = &material["pbrMetallicRoughness"]["baseColorTexture"]["index"];
            if extras["bank"].is_null() || texture.is_null() {
                continue;
            }
            let set = forge::json(
                &forge::install()
                    .unwrap()
                    .join(format!("expected/3dart/TEXTURE.{:03}.json", index(&extras["bank"]))),
            );
            let frames = set["records"][index(&extras["image"])]["frames"].as_array().unwrap();
            let single = vec![texture.clone()];
            let textures = extras["frame_textures"].as_array().unwrap_or(&single);
            assert_eq!((textures.len(), &textures[0]), (frames.len(), texture), "{}", material["name"]);
            for (texture, expected) in textures.iter().zip(frames) {
                let image = &gltf["images"][index(&gltf["textures"][index(texture)]["source"])];
                let view = &gltf["bufferViews"][index(&image["bufferView"])];
                let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
                let picture = forge::png(&bytes[start..start + index(&view["byteLength"])]);
                let (expected, found) = (&expected["rgba_clear_crc32"], forge::crc(&picture.frames[0]));
                assert_eq!(*expected, found, "{} {}", path.display(), material["name"]);
            }
            compared += 1;
        }
    }
    assert!(compared == 0 || compared > 100, "only {compared} pictures");
}

/// Segments with an external model show it, and no two models overlap.
#[test]
fn places_named_nodes_of_segments_side_by_side() {
    for (path, expected) in robs() {
        let (sink, _) = convert(&rob::FORMAT, &path, "glb", &[]);
        let (gltf, _) = glb(sink.get("out.glb").unwrap());
        let nodes = gltf["nodes"].as_array().unwrap();
        let mut boxes: Vec<(String, [[f64; 2]; 2])> = Vec::new();
        for segment in expected["segments"].as_array().unwrap() {
            let at = format!("{} {}", path.display(), segment["name"]);
            let node = nodes.iter().find(|node| node["name"] == segment["name"]);
            let node = node.unwrap_or_else(|| panic!("{at}: no node"));
            let mesh = node["mesh"].as_u64().unwrap_or_else(|| panic!("{at}: no mesh")) as usize;
            assert_eq!(node["extras"]["render_mode"], segment["render_mode"], "{at}");
            // Ranges of X and Z.
            let mut own = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
            for primitive in gltf["meshes"][mesh]["primitives"].as_array().unwrap() {
                let position = primitive["attributes"]["POSITION"].as_u64().unwrap() as usize;
                let accessor = &gltf["accessors"][position];
                for (axis, [min, max]) in [0, 2].into_iter().zip(&mut own) {
                    let offset = node["translation"][axis].as_f64().unwrap_or(0.0);
                    *min = min.min(offset + accessor["min"][axis].as_f64().unwrap());
                    *max = max.max(offset + accessor["max"][axis].as_f64().unwrap());
                }
            }
            for (other, taken) in &boxes {
                let overlaps =
                    own.iter().zip(taken).all(|(own, taken)| own[0] <= taken[1] && taken[0] <= own[1]);
                assert!(!overlaps, "{at} overlaps {other}");
            }
            boxes.push((at, own));
        }
        // The depth is about equal to the width.
        let across = |axis: usize| {
            let most = boxes.iter().map(|(_, own)| own[axis][1]).fold(f64::NEG_INFINITY, f64::max);
            most - boxes.iter().map(|(_, own)| own[axis][0]).fold(f64::INFINITY, f64::min)
        };
        if boxes.len() > 8 {
            let share = across(0) / across(1);
            assert!((0.3..3.0).contains(&share), "{}: {share}", path.display());
        }
    }
}
