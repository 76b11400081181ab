//! Real DirectX models: reading, comparison with an independent count, conversion, and truncation.

use std::path::{Path, PathBuf};

use antiquary_scpcb::x::{Encoding, FORMAT, XFile};
use asset::{Asset, Context, Detail, Install, MemorySink, Options, Report, Severity, Target};
use json::Value;
use rayon::prelude::*;

static GAMES: &[&asset::GameInfo] = &[&antiquary_scpcb::GAME];

/// Number of models in the public corpus.
const MODELS: usize = 20;

fn models() -> Vec<(PathBuf, Vec<u8>)> {
    let Some(folder) = corpus::folder("scpcb") else { return Vec::new() };
    let read = |path: PathBuf| (path.clone(), std::fs::read(path).unwrap());
    corpus::files(&folder, "x", MODELS).into_iter().map(read).collect()
}

fn read(path: &Path, bytes: &[u8]) -> (XFile, Report) {
    let mut report = Report::new();
    let file = XFile::read(bytes, &mut report).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (file, report)
}

/// Runs a closure with the context of a model in the game.
fn in_game<T>(path: &Path, work: impl FnOnce(&Context<'_>) -> T) -> T {
    let install = asset::game::install_around(path, GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    work(&Context { install: &install, location: install.location_of(path), options: &options })
}

fn export(file: &XFile, path: &Path, extension: &'static str, report: &mut Report) -> Vec<u8> {
    let target = Target::new("model", 1.0);
    let mut sink = MemorySink::new();
    in_game(path, |context| FORMAT.convert(file, extension, context, target, &mut sink, report)).unwrap();
    sink.get(&format!("model.{extension}")).unwrap().to_vec()
}

#[test]
fn reads_every_model_without_unknown_objects() {
    let mut encodings = Vec::new();
    for (path, bytes) in models() {
        let (file, report) = read(&path, &bytes);
        assert!(report.worst() <= Some(Severity::Note), "{}: {report:?}", path.display());
        assert!(file.skipped.is_empty(), "{}: {:?}", path.display(), file.skipped);
        assert!(file.triangle_count() > 0, "{}", path.display());
        encodings.push((file.header.encoding, file.header.minor));
    }
    let count = |expected| encodings.iter().filter(|found| **found == expected).count();
    if !encodings.is_empty() {
        assert!(count((Encoding::Text, 3)) >= 16 && count((Encoding::Text, 2)) >= 3);
        assert!(count((Encoding::CompressedBinary, 3)) >= 1);
    }
}

/// Counts vertices and triangles of a text file independently: all numbers of each mesh up to the first word.
fn count_triangles(text: &str) -> (usize, usize) {
    let mut words = text
        .lines()
        .map(|line| line.split("//").next().unwrap())
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || ";,".contains(c)))
        .flat_map(|word| word.split_inclusive(['{', '}']))
        .filter(|word| !word.is_empty());
    let (mut vertices, mut triangles) = (0, 0);
    while let Some(word) = words.next() {
        if word == "template" {
            words.find(|word| word.ends_with('}'));
        }
        if word != "Mesh" {
            continue;
        }
        words.find(|word| word.ends_with('{'));
        let mut number = || words.next().unwrap().parse::<f64>().unwrap() as usize;
        let count = number();
        vertices += count;
        for _ in 0..3 * count {
            number();
        }
        for _ in 0..number() {
            let corners = number();
            triangles += corners - 2;
            for _ in 0..corners {
                assert!(number() < count);
            }
        }
    }
    (vertices, triangles)
}

#[test]
fn counts_of_text_models_match_an_independent_count() {
    let mut compared = 0;
    for (path, bytes) in models() {
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let (vertices, triangles) = count_triangles(text);
        let (file, _) = read(&path, &bytes);
        let found: usize = file.meshes.iter().map(|mesh| mesh.vertices.len()).sum();
        assert_eq!((found, file.triangle_count()), (vertices, triangles), "{}", path.display());
        compared += 1;
    }
    assert!(compared == 0 || compared >= MODELS - 1, "only {compared} compared");
}

/// Returns the JSON of a GLB.
fn gltf(glb: &[u8]) -> Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    json::from_slice(&glb[20..20 + length]).unwrap()
}

/// Returns the share of triangles with nonzero area that match the normals of their corners.
fn share_of_matching_normals(glb: &[u8], gltf: &Value) -> f64 {
    let json = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let binary = &glb[28 + json..];
    let bytes = |accessor: &Value| {
        let accessor = &gltf["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &gltf["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
        (accessor["count"].as_u64().unwrap() as usize, start as usize, view["byteStride"].as_u64())
    };
    let vectors = |accessor: &Value| -> Vec<glam::Vec3> {
        let (count, start, stride) = bytes(accessor);
        let stride = stride.unwrap_or(12) as usize;
        let float = |at: usize| f32::from_le_bytes(binary[at..at + 4].try_into().unwrap());
        (0..count)
            .map(|item| start + item * stride)
            .map(|at| glam::Vec3::new(float(at), float(at + 4), float(at + 8)))
            .collect()
    };
    let (mut matching, mut all) = (0.0, 0.0);
    for part in
        gltf["meshes"].as_array().unwrap().iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap())
    {
        let (positions, normals) =
            (vectors(&part["attributes"]["POSITION"]), vectors(&part["attributes"]["NORMAL"]));
        let (count, start, _) = bytes(&part["indices"]);
        let index = |item: usize| {
            let at = start + 2 * item;
            usize::from(u16::from_le_bytes(binary[at..at + 2].try_into().unwrap()))
        };
        for corner in (0..count).step_by(3) {
            let [a, b, c] = [corner, corner + 1, corner + 2].map(index);
            let facing = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
            if facing.length() > 1e-12 {
                all += 1.0;
                matching += f64::from(u8::from(facing.dot(normals[a] + normals[b] + normals[c]) > 0.0));
            }
        }
    }
    matching / all
}

#[test]
fn converts_every_model_with_all_its_triangles() {
    for (path, bytes) in models() {
        let (file, _) = read(&path, &bytes);
        let mut report = Report::new();
        let glb = export(&file, &path, "glb", &mut report);
        let at = path.display();
        let warnings: Vec<_> = report
            .iter()
            .filter(|warning| warning.code.severity > Severity::Note)
            .map(ToString::to_string)
            .collect();
        let is_battery = path.ends_with("Battery.x");
        assert_eq!(warnings.len(), usize::from(is_battery), "{at}: {warnings:?}");
        let gltf = gltf(&glb);
        let accessors = gltf["accessors"].as_array().unwrap();
        let indices: u64 = gltf["meshes"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|mesh| mesh["primitives"].as_array().unwrap())
            .map(|part| accessors[part["indices"].as_u64().unwrap() as usize]["count"].as_u64().unwrap())
            .sum();
        assert_eq!(indices as usize, 3 * file.triangle_count(), "{at}");
        assert_eq!(gltf["scenes"][0]["nodes"].as_array().unwrap().len(), 1, "{at}: one root");
        assert_eq!(gltf["nodes"][0]["name"], "model");
        assert!(
            share_of_matching_normals(&glb, &gltf) > 0.97,
            "{at}: {}",
            share_of_matching_normals(&glb, &gltf)
        );
        // Every texture is found: only the one of the battery is a placeholder.
        let missing = gltf["images"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|image| image["name"].as_str().unwrap().starts_with("missing"));
        assert_eq!(missing.count(), usize::from(is_battery), "{at}");
        assert_eq!(glb, export(&file, &path, "glb", &mut Report::new()), "{at}: not reproducible");
    }
}

#[test]
fn frames_have_the_transform_of_their_matrix() {
    for (path, bytes) in models() {
        if !path.ends_with("Props/lamp2.x") {
            continue;
        }
        let gltf = gltf(&export(&read(&path, &bytes).0, &path, "glb", &mut Report::new()));
        let nodes = gltf["nodes"].as_array().unwrap();
        let lamp = nodes.iter().find(|node| node["name"] == "classname_mesh").unwrap();
        assert_eq!(lamp["translation"], json::json!([0.0, -0.375, 0.0]));
        assert!(lamp["mesh"].is_u64() && lamp["skin"].is_null());
    }
}

#[test]
fn exports_every_model_as_json() {
    for (path, bytes) in models() {
        let (file, _) = read(&path, &bytes);
        let shown: Value = json::from_slice(&export(&file, &path, "json", &mut Report::new())).unwrap();
        assert_eq!(shown["meshes"].as_array().unwrap().len(), file.meshes.len());
        assert_eq!(shown, json::from_slice::<Value>(&json::to_vec(&file).unwrap()).unwrap());
        assert_eq!(file.describe(Detail::Full).fields, shown.into(), "{}", path.display());
    }
}

#[test]
fn check_reports_only_known_defects() {
    for (path, bytes) in models() {
        let (file, _) = read(&path, &bytes);
        let mut report = Report::new();
        in_game(&path, |context| file.check(context, &mut report));
        let worse: Vec<_> = report
            .iter()
            .filter(|warning| warning.code.severity > Severity::Note)
            .map(|warning| warning.code.id)
            .collect();
        // The battery's texture is missing.
        assert_eq!(worse.len(), usize::from(path.ends_with("Battery.x")), "{}: {worse:?}", path.display());
    }
}

/// Reads and checks a model. The offset of an error must be within the file.
fn assert_no_panic(bytes: &[u8], context: &Context<'_>, what: &str) {
    let mut report = Report::new();
    match XFile::read(bytes, &mut report) {
        Ok(file) => file.check(context, &mut report),
        Err(error) => {
            let offset = error.offset().unwrap_or_else(|| panic!("{what}: no offset: {error}"));
            assert!(offset <= bytes.len() as u64, "{what}: {error}");
        }
    }
}

#[test]
fn reads_or_refuses_truncated_models() {
    let install = Install::empty();
    let options = Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: None, options: &options };
    models().par_iter().for_each(|(path, bytes)| {
        for length in corpus::cuts(bytes.len(), &Default::default()) {
            assert_no_panic(&bytes[..length], &context, &format!("{} cut at {length}", path.display()));
        }
    });
}

/// Changes digits of counts and indices, braces and letters.
#[test]
fn models_with_a_byte_changed_do_not_panic() {
    let install = Install::empty();
    let options = Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: None, options: &options };
    models().par_iter().for_each(|(path, bytes)| {
        let mut bytes = bytes.clone();
        let step = (bytes.len() / 100).max(1);
        for at in (16..bytes.len()).step_by(step) {
            let before = bytes[at];
            for value in [b'9', b'{', b'}', 0xff] {
                bytes[at] = value;
                assert_no_panic(&bytes, &context, &format!("{} with {value:#x} at {at:#x}", path.display()));
            }
            bytes[at] = before;
        }
    });
}
