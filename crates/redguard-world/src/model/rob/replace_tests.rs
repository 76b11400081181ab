//! Tests of extracting and replacing the models of a map.

use super::tests::{empty_model, rob, segment};
use super::{FORMAT, Payload, Rob};
use crate::model::Model;
use proof::{held, replaced};

/// A scene with one triangle.
pub(super) fn glb() -> Vec<u8> {
    let mut scene = scene::Scene::new("made");
    let mesh = scene.add_mesh(scene::Mesh {
        primitives: vec![scene::Primitive {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            indices: vec![0, 1, 2],
            ..scene::Primitive::default()
        }],
        ..scene::Mesh::default()
    });
    scene.add_root(scene::Node { mesh: Some(mesh), ..scene::Node::named("made") });
    scene::gltf::write_glb(&scene).unwrap()
}

/// A model with three vertices and no faces.
pub(super) fn triangle() -> Vec<u8> {
    let mut out = empty_model();
    out[4..8].copy_from_slice(&3_u32.to_le_bytes());
    let vertices: [[i32; 3]; 3] = [[-512, 0, 100], [256, -7, 300], [0, 9, 200]];
    let end = u32::try_from(out.len() + 36).unwrap();
    out.extend(vertices.iter().flatten().flat_map(|number| number.to_le_bytes()));
    // One normal per vertex.
    out.extend([0; 36]);
    for offset in [0x14, 0x2c, 0x34, 0x3c] {
        out[offset..offset + 4].copy_from_slice(&end.to_le_bytes());
    }
    out
}

#[test]
fn extracts_each_model_and_replaces_it_with_itself() {
    let bytes =
        rob(vec![segment("ONE", 0, &empty_model()), segment("CYRSA001", 512, &[]), segment("BAD", 0, b"?")])
            .write()
            .unwrap();
    let held = held(&FORMAT, &bytes);
    let names: Vec<_> = held.iter().map(|(name, bytes)| (name.as_str(), bytes.len())).collect();
    assert_eq!(names, [("ONE.3D", 64), ("CYRSA001.3DC", 0), ("BAD.3D", 1)]);
    assert!(replaced(&FORMAT, &bytes, 0, ("ONE.3D", &held[0].1)).unwrap().0 == bytes);
}

#[test]
fn updates_sizes_box_and_face_count_only() {
    let mut old = segment("ONE", 0, &empty_model());
    (old.header.flags, old.header.attributes) = (0xfe00, 2);
    (old.header.collision, old.header.reserved_12, old.header.face_count_low) = (1, 2, 77);
    let bytes = rob(vec![segment("ZERO", 0, &empty_model()), old.clone()]).write().unwrap();
    let model = triangle();
    assert_eq!(Model::read(&model).unwrap().vertex_count(), 3, "the test model is valid");
    let (new, report) = replaced(&FORMAT, &bytes, 1, ("t.3d", &model)).unwrap();
    assert!(report.is_empty());
    let new = Rob::read(&new).unwrap();
    let header = new.segments[1].header;
    assert_eq!((header.data_size, header.total_size), (136, 216));
    assert_eq!(new.header.data.payload_size, 80 + 64 + 80 + 136);
    assert_eq!((header.positive, header.negative), ([256, 9, 300], [512, 7, 0]));
    assert_eq!(header.extent, [768, 16, 300]);
    assert_eq!((header.name, header.flags, header.attributes), (old.header.name, 0xfe00, 2));
    assert_eq!((header.collision, header.reserved_12, header.face_count_low), (1, 2, 0));
    assert!(matches!(&new.segments[1].payload, Payload::Model(_)));
    assert_eq!(new.segments[0], Rob::read(&bytes).unwrap().segments[0]);
}

#[test]
fn refuses_invalid_and_external_models() {
    let bytes = rob(vec![segment("ONE", 0, &empty_model()), segment("CYRSA001", 512, &[])]).write().unwrap();
    let message = |index, content: &[u8]| {
        replaced(&FORMAT, &bytes, index, ("x", content)).unwrap_err().message().to_owned()
    };
    assert!(message(0, b"nonsense").starts_with("not a .3D, .3DC or .glb file"));
    assert_eq!(
        message(1, &empty_model()),
        "the model of this segment is in CYRSA001.3DC; replace that file instead"
    );
}

#[test]
fn replaces_a_model_with_a_scene() {
    let bytes =
        rob(vec![segment("ONE", 0, &empty_model()), segment("TWO", 0, &empty_model())]).write().unwrap();
    let (new, report) = replaced(&FORMAT, &bytes, 1, ("made.glb", &glb())).unwrap();
    assert!(
        report.iter().all(|warning| super::CODES.iter().any(|code| code.id == warning.code.id)),
        "{report:?}"
    );
    let new = Rob::read(&new).unwrap();
    let Payload::Model(model) = &new.segments[1].payload else { panic!("expected a model") };
    assert_eq!((model.vertex_count(), model.face_count()), (3, 1));
    assert_eq!(new.segments[1].header.extent, [5120, 5120, 0]);
    assert_eq!(new.segments[0], Rob::read(&bytes).unwrap().segments[0]);
}
