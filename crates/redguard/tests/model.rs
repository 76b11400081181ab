//! The models of the forged install.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod forge;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use antiquary_redguard::model::rob::{self, Payload, Rob};
use antiquary_redguard::model::{FaceTexture, Model};
use asset::Format;
use forge::{broken, comes_back, convert, judge_broken, listed, open, survives_cuts};
use json::Value;
use record::Source;

/// Models alone, and what was found in them.
fn models() -> Vec<(PathBuf, Value)> {
    let mut out = listed("assets_index.json", "3d", 9);
    out.extend(listed("assets_index.json", "3dc", 10));
    out
}

fn robs() -> Vec<(PathBuf, Value)> {
    listed("assets_index.json", "rob", 6)
}

fn crc(numbers: &[[f32; 3]]) -> String {
    let bytes: Vec<u8> = numbers.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    format!("{:08x}", crc32fast::hash(&bytes))
}

/// Vertices, normals, faces, colors, images and texture coordinates of every frame are those that an independent reader saw.
fn same(model: &Model, want: &Value, at: &str) {
    assert_eq!(model.version().text(), want["header"]["version"], "{at}");
    assert_eq!(model.positions(0).len(), want["header"]["num_vertices"], "{at}");
    let faces = model.faces();
    let want_faces = want["faces"].as_array().unwrap();
    assert_eq!(faces.len(), want_faces.len(), "{at}");
    for (number, (face, want)) in faces.iter().zip(want_faces).enumerate() {
        let at = format!("{at} face {number}");
        match face.texture {
            FaceTexture::Color(color) => assert_eq!(want["color"], color, "{at}"),
            FaceTexture::Image { bank, image } => {
                assert_eq!((&want["tex"], &want["img"]), (&bank.into(), &image.into()), "{at}");
            }
            FaceTexture::Unknown(word) => panic!("{at}: the word {word:#x}"),
        }
        let vertices: Vec<usize> = face.corners.iter().map(|corner| corner.vertex.unwrap()).collect();
        assert_eq!(want["v"], json::json!(vertices), "{at}");
        let uv: Vec<[f32; 2]> = face.corners.iter().map(|corner| corner.uv).collect();
        assert_eq!(want["uv"], json::json!(uv), "{at}");
        if model.version().is_glide() {
            assert_eq!(want["b1"], face.brightness, "{at}");
        }
    }
    if let Some(shading) = want["shading"].as_object() {
        let smooth =
            faces.iter().flat_map(|face| &face.corners).filter(|corner| corner.normal.is_some()).count();
        assert_eq!(shading["smooth_corners"], smooth, "{at}");
    }
    assert_eq!(want["vertices"]["crc32_f32le"], crc(&model.positions(0)), "{at}");
    assert_eq!(want["face_normals"]["crc32_f32le"], crc(&model.face_normals(0)), "{at}");
    let frames = want["frames"].as_array().map(Vec::as_slice).unwrap_or_default();
    assert_eq!(model.frame_count(), frames.len().max(1), "{at}");
    for (number, want) in frames.iter().enumerate() {
        let at = format!("{at} frame {number}");
        assert_eq!(want["positions_crc32_f32le"], crc(&model.positions(number)), "{at}");
        assert_eq!(want["normals_crc32_f32le"], crc(&model.face_normals(number)), "{at}");
    }
    if let Some(nodes) = want["section4"].as_array() {
        let Model::Glide(model) = model else { panic!("{at}: nodes in a model of the software renderer") };
        assert_eq!(nodes.len(), model.nodes.len(), "{at}");
        for (node, want) in model.nodes.iter().zip(nodes) {
            assert_eq!(want["center"], json::json!(node.center), "{at}");
            assert_eq!(want["radius"], node.radius, "{at}");
            let faces: Vec<u16> = node.faces.iter().map(|face| face.face_times_4 / 4).collect();
            assert_eq!(want["faces"], json::json!(faces), "{at}");
            assert!(node.faces.iter().all(|face| face.offset.is_none()), "{at}");
        }
    }
}

#[test]
fn every_value_is_the_one_an_independent_reader_saw() {
    for (path, want) in models() {
        let model = Model::read(&std::fs::read(&path).unwrap()).unwrap();
        same(&model, &want, &path.display().to_string());
    }
    for (path, want) in robs() {
        let rob = Rob::read(&std::fs::read(&path).unwrap()).unwrap();
        let segments = want["segments"].as_array().unwrap();
        assert_eq!(rob.segments.len(), segments.len(), "{}", path.display());
        for (segment, want) in rob.segments.iter().zip(segments) {
            let at = format!("{} {}", path.display(), segment.header.name);
            let header = &segment.header;
            assert_eq!(want["name"], header.name.text(), "{at}");
            assert_eq!(want["type"], header.kind, "{at}");
            assert_eq!(want["flags"], header.flags, "{at}");
            assert_eq!(want["attribs"], header.attributes, "{at}");
            assert_eq!(want["bbox"]["extent"], json::json!(header.extent), "{at}");
            assert_eq!(want["bbox"]["positive"], json::json!(header.positive), "{at}");
            assert_eq!(want["bbox"]["negative"], json::json!(header.negative), "{at}");
            match (&segment.payload, want["model"].is_object()) {
                (Payload::Model(model), true) => same(model, &want["model"], &at),
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

/// Every byte is explained once, in whatever order parts stand.
fn explains_all(format: &'static Format, path: &Path) {
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
fn every_file_comes_back_explained_and_survives_cuts() {
    for (format, path) in files() {
        comes_back(format, &path);
        explains_all(format, &path);
        survives_cuts(format, &path);
    }
}

#[test]
fn sound_files_are_found_sound() {
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
    // The forge paints faces with images that it did not make.
    found.retain(|code, _| code != "RGMODEL-W012" && code != "RGMODEL-W017");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn malformed_models_give_what_their_manifests_say() {
    let mut files = broken("assets_manifest.json", "3d", 70);
    // One starts as a ROB file does, so it is taken for one.
    let (rob, models): (Vec<_>, Vec<_>) = files.drain(..).partition(|file| file.bytes.starts_with(b"OARC"));
    judge_broken(&rob::FORMAT, &rob);
    judge_broken(&antiquary_redguard::world::model::FORMAT, &models);
    judge_broken(&antiquary_redguard::world::model::FORMAT, &broken("assets_manifest.json", "3d_legacy", 49));
    judge_broken(&antiquary_redguard::world::model::FORMAT, &broken("assets_manifest.json", "3dc", 30));
}

#[test]
fn malformed_robs_give_what_their_manifests_say() {
    judge_broken(&rob::FORMAT, &broken("assets_manifest.json", "rob", 30));
}

#[test]
fn every_file_becomes_a_scene() {
    for (format, path) in files() {
        let (sink, _) = convert(format, &path, "glb", &[]);
        assert!(sink.get("out.glb").unwrap().starts_with(b"glTF"), "{}", path.display());
    }
}

/// The JSON and the bytes of a GLB.
fn glb(bytes: &[u8]) -> (Value, Vec<u8>) {
    let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json = length(12);
    let rest = bytes.get(28 + json..).unwrap_or_default().to_vec();
    (json::from_slice(&bytes[20..20 + json]).unwrap(), rest)
}

/// Pictures of the software renderer's models are those of its own sets, in its own palette, with all their frames.
/// All frames of a part say how normals turn, or none of them does, where no face turns.
#[test]
fn frames_tell_of_normals_only_where_some_turn() {
    for (path, _) in models() {
        let (sink, _) = convert(&antiquary_redguard::world::model::FORMAT, &path, "glb", &[]);
        let scene = scene::gltf::read(sink.get("out.glb").unwrap(), &mut |_| None).unwrap().scene;
        let model = Model::read(&std::fs::read(&path).unwrap()).unwrap();
        let normals: Vec<_> = (0..model.frame_count()).map(|frame| model.face_normals(frame)).collect();
        let turns = normals.iter().any(|frame| *frame != normals[0]);
        let at = path.display();
        let parts = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        for part in parts() {
            let told: Vec<_> = part.targets.iter().filter_map(|target| target.normals.as_ref()).collect();
            assert!(told.is_empty() || told.len() == part.targets.len(), "{at}");
            assert!(told.is_empty() || told.iter().any(|it| it.iter().any(|it| *it != [0.0; 3])), "{at}");
        }
        let (lit, tells) = (
            parts().any(|part| part.normals.is_some() && !part.targets.is_empty()),
            parts().any(|part| part.targets.iter().any(|target| target.normals.is_some())),
        );
        assert_eq!(tells, lit && turns, "{at}");
    }
}

#[test]
fn models_of_the_software_renderer_have_its_pictures() {
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
            let alone = vec![texture.clone()];
            let textures = extras["frame_textures"].as_array().unwrap_or(&alone);
            assert_eq!((textures.len(), &textures[0]), (frames.len(), texture), "{}", material["name"]);
            for (texture, want) in textures.iter().zip(frames) {
                let image = &gltf["images"][index(&gltf["textures"][index(texture)]["source"])];
                let view = &gltf["bufferViews"][index(&image["bufferView"])];
                let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
                let picture = forge::png(&bytes[start..start + index(&view["byteLength"])]);
                let (want, found) = (&want["rgba_clear_crc32"], forge::crc(&picture.frames[0]));
                assert_eq!(*want, found, "{} {}", path.display(), material["name"]);
            }
            compared += 1;
        }
    }
    assert!(compared == 0 || compared > 100, "only {compared} pictures");
}

/// Segments with a model in a file of its own show that model; no two stand in one another.
#[test]
fn every_segment_is_a_node_of_its_name_beside_the_others() {
    for (path, want) in robs() {
        let (sink, _) = convert(&rob::FORMAT, &path, "glb", &[]);
        let (gltf, _) = glb(sink.get("out.glb").unwrap());
        let nodes = gltf["nodes"].as_array().unwrap();
        let mut boxes: Vec<(String, [[f64; 2]; 2])> = Vec::new();
        for segment in want["segments"].as_array().unwrap() {
            let at = format!("{} {}", path.display(), segment["name"]);
            let node = nodes.iter().find(|node| node["name"] == segment["name"]);
            let node = node.unwrap_or_else(|| panic!("{at}: no node"));
            let mesh = node["mesh"].as_u64().unwrap_or_else(|| panic!("{at}: no mesh")) as usize;
            assert_eq!(node["extras"]["render_mode"], segment["render_mode"], "{at}");
            // X and Z: from, to.
            let mut own = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
            for primitive in gltf["meshes"][mesh]["primitives"].as_array().unwrap() {
                let position = primitive["attributes"]["POSITION"].as_u64().unwrap() as usize;
                let accessor = &gltf["accessors"][position];
                for (axis, [least, most]) in [0, 2].into_iter().zip(&mut own) {
                    let place = node["translation"][axis].as_f64().unwrap_or(0.0);
                    *least = least.min(place + accessor["min"][axis].as_f64().unwrap());
                    *most = most.max(place + accessor["max"][axis].as_f64().unwrap());
                }
            }
            for (other, taken) in &boxes {
                let overlaps =
                    own.iter().zip(taken).all(|(own, taken)| own[0] <= taken[1] && taken[0] <= own[1]);
                assert!(!overlaps, "{at} stands within {other}");
            }
            boxes.push((at, own));
        }
        // As deep as wide, or nearly so.
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
