//! Tests of models built chunk by chunk.

use asset::{Asset, Context, Install, Options, Probe, Report, Score};
use proptest::prelude::*;
use scene::Scene;

use super::{FORMAT, ThreeDs, to_scene};
use crate::sample::three_ds::{chunk, model};

fn read(bytes: &[u8]) -> (ThreeDs, Report) {
    let mut report = Report::new();
    (ThreeDs::read(bytes, &mut report).unwrap(), report)
}

fn without_game<T>(work: impl FnOnce(&Context<'_>) -> T) -> T {
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    work(&Context { install: &install, location: None, options: &options })
}

fn scene(bytes: &[u8]) -> (Scene, Report) {
    let (file, mut report) = read(bytes);
    let scene = without_game(|context| to_scene(&file, context, "model", 1.0, &mut report));
    scene::gltf::write_glb(&scene).unwrap();
    (scene, report)
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.iter().map(|warning| warning.code.id).collect()
}

fn checked(bytes: &[u8]) -> Vec<&'static str> {
    let (file, _) = read(bytes);
    let mut report = Report::new();
    without_game(|context| file.check(context, &mut report));
    codes(&report)
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Returns a model with one mesh with these chunks.
fn with_mesh(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mesh = chunk(0x4100, &chunks.concat());
    chunk(0x4d4d, &chunk(0x3d3d, &chunk(0x4000, &[&b"box\0"[..], &mesh].concat())))
}

fn vertices(positions: &[[f32; 3]]) -> Vec<u8> {
    let count = (positions.len() as u16).to_le_bytes();
    chunk(0x4110, &[&count[..], &floats(positions.as_flattened())].concat())
}

fn faces(list: &[[u16; 4]], within: &[u8]) -> Vec<u8> {
    let numbers = list.as_flattened().iter().flat_map(|number| number.to_le_bytes());
    let count = (list.len() as u16).to_le_bytes();
    chunk(0x4120, &[&count[..], &numbers.collect::<Vec<_>>(), within].concat())
}

const POSITIONS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [256.0, 0.0, 0.0], [0.0, 512.0, 0.0]];

#[test]
fn reads_materials_and_faces() {
    let (file, report) = read(&model());
    assert!(report.is_empty(), "{report:?}");
    assert_eq!((file.version, file.objects.len(), file.materials.len()), (Some(3), 1, 1));
    let object = &file.objects[0];
    assert_eq!((object.name.as_str(), object.faces.as_slice()), ("Plate", &[[0, 1, 2]][..]));
    assert_eq!(object.face_materials[0].faces, [0]);
    assert_eq!(file.materials[0].texture.as_deref(), Some("wall.jpg"));
}

#[test]
fn converts_z_up_to_y_up() {
    // On the ground, visible from above: the engine swaps Y and Z and flips the triangle.
    let (scene, report) = scene(&with_mesh(&[vertices(&POSITIONS), faces(&[[0, 1, 2, 7]], &[])]));
    assert!(report.is_empty(), "{report:?}");
    let part = &scene.meshes[0].primitives[0];
    assert_eq!(part.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -2.0]]);
    assert_eq!(part.indices, [0, 1, 2]);
    assert_eq!(part.normals.as_ref().unwrap()[0], [0.0, 1.0, 0.0]);
}

#[test]
fn flips_texture_coordinates() {
    let (scene, _) = scene(&model());
    assert_eq!(scene.meshes[0].primitives[0].uvs[0], [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]);
    assert_eq!(scene.materials[0].base_color, [1.0; 4]);
}

#[test]
fn untextured_materials_are_colored_and_the_last_of_a_name_is_used() {
    let material = |color: [u8; 3]| {
        let name = chunk(0xa000, b"paint\0");
        chunk(0xafff, &[name, chunk(0xa020, &chunk(0x0011, &color))].concat())
    };
    let face_material = chunk(0x4130, b"paint\0\x01\0\0\0");
    let mesh = [vertices(&POSITIONS), faces(&[[0, 1, 2, 0]], &face_material)].concat();
    let object = chunk(0x4000, &[&b"box\0"[..], &chunk(0x4100, &mesh)].concat());
    let scene_chunk = [material([0, 255, 0]), material([255, 0, 0]), object].concat();
    let (scene, report) = scene(&chunk(0x4d4d, &chunk(0x3d3d, &scene_chunk)));
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(scene.materials[0].base_color, [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn reports_and_leaves_out_defects() {
    let invalid = [vertices(&POSITIONS), faces(&[[0, 1, 9, 0]], &[])];
    assert_eq!(checked(&with_mesh(&invalid)), ["MODEL-W002", "MODEL-W005"]);
    let infinite =
        [vertices(&[[f32::NAN, 0.0, 0.0], POSITIONS[1], POSITIONS[2]]), faces(&[[0, 1, 2, 0]], &[])];
    assert_eq!(checked(&with_mesh(&infinite)), ["MODEL-W003", "MODEL-W005"]);
    let flat = [vertices(&POSITIONS), faces(&[[0, 1, 1, 0]], &[])];
    assert_eq!(checked(&with_mesh(&flat)), ["MODEL-N004"]);
    let unknown = faces(&[[0, 1, 2, 0]], &chunk(0x4130, b"rust\0\x02\0\0\0\x05\0"));
    assert_eq!(checked(&with_mesh(&[vertices(&POSITIONS), unknown])), ["3DS-W005"]);
    let uvs = chunk(0x4140, &[&[1, 0][..], &floats(&[0.0, 0.0])].concat());
    assert_eq!(checked(&with_mesh(&[vertices(&POSITIONS), faces(&[[0, 1, 2, 0]], &[]), uvs])), ["3DS-W004"]);
    assert_eq!(checked(&model()), ["FILE-W001"]);
}

#[test]
fn reports_skipped_contents() {
    let animated = chunk(0x4d4d, &[chunk(0x3d3d, &[]), chunk(0xb000, &[1; 9])].concat());
    assert_eq!(codes(&read(&animated).1), ["3DS-W002"]);
    let (file, report) = read(&[with_mesh(&[vertices(&POSITIONS)]), vec![0; 3]].concat());
    assert_eq!(codes(&report), ["3DS-N001", "3DS-N003"]);
    assert_eq!(file.objects[0].vertices.len(), 3);
    let light = chunk(0x4000, &[&b"sun\0"[..], &chunk(0x4600, &[0; 12])].concat());
    let (file, _) = read(&chunk(0x4d4d, &chunk(0x3d3d, &light)));
    assert_eq!(file.skipped.get("0x4600"), Some(&1));
}

#[test]
fn refuses_excessive_counts_and_lengths_at_their_offset() {
    let error = |bytes: &[u8]| ThreeDs::read(bytes, &mut Report::new()).unwrap_err();
    let many = with_mesh(&[chunk(0x4110, &[0xff, 0xff, 0, 0])]);
    assert_eq!(error(&many).offset(), Some(6 + 6 + 6 + 4 + 6 + 6));
    let mut long = with_mesh(&[vertices(&POSITIONS)]);
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(error(&long).offset(), Some(6));
    long[8..12].copy_from_slice(&3_u32.to_le_bytes());
    assert!(error(&long).to_string().starts_with("the length of chunk 0x3d3d is 3, less than its header"));
    assert!(error(b"MZ\x90\0\0\0").to_string().contains("expected chunk 0x4d4d, found 0x5a4d"));
    assert!(error(b"").offset() == Some(0));
}

#[test]
fn every_truncation_is_an_error_within_the_file() {
    let bytes = model();
    for length in 0..bytes.len() {
        let error = ThreeDs::read(&bytes[..length], &mut Report::new()).unwrap_err();
        assert!(error.offset().unwrap() <= length as u64, "{length}: {error}");
    }
}

#[test]
fn recognizes_models_by_their_first_chunks() {
    let probe = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, None));
    assert_eq!(probe(&model()), Some(Score::CERTAIN));
    assert_eq!(probe(b"MM\0*\0\0\0\x08"), None);
    assert_eq!(probe(&model()[..20]), None);
}

proptest! {
    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..400, value: u8) {
        let mut bytes = model();
        let at = at % bytes.len();
        bytes[at] = value;
        let mut report = Report::new();
        if let Ok(file) = ThreeDs::read(&bytes, &mut report) {
            without_game(|context| {
                file.check(context, &mut report);
                scene::gltf::write_glb(&to_scene(&file, context, "m", 1.0, &mut report)).unwrap();
            });
        }
    }
}
