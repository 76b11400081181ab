//! Tests of synthetic ROB files with embedded models, external models and defective segments.

use record::Bytes;

use super::layout::{Collision, DataHeader, END, Header, Payload, Rob, Segment, SegmentHeader};
use super::{FORMAT, warning};
use asset::FixedText;
use proof::{checked, checked_in, exported, packed, single_warning, unpacked};

/// Creates a segment with this name and kind.
pub(super) fn segment(name: &str, kind: u16, bytes: &[u8]) -> Segment {
    let size = u32::try_from(bytes.len()).unwrap();
    let header = SegmentHeader {
        total_size: size + 80,
        name: FixedText::new(name).unwrap(),
        kind,
        data_size: size,
        ..SegmentHeader::default()
    };
    let payload = if bytes.is_empty() { Payload::Empty } else { Payload::Unread(Bytes::from(bytes)) };
    Segment { header, payload }
}

pub(super) fn rob(segments: Vec<Segment>) -> Rob {
    let header = Header { unused_04: [0, 0, 0, 4], num_segments: 0, data: DataHeader::default() };
    let rob = Rob { header, segments, rest: Bytes::from(END) };
    Rob::read(&rob.write().unwrap()).unwrap()
}

/// A model without faces: 64 bytes.
pub(super) fn empty_model() -> Vec<u8> {
    let mut out = vec![0; 64];
    out[..4].copy_from_slice(b"v4.0");
    for offset in [0x14, 0x2c, 0x30, 0x34, 0x3c] {
        out[offset] = 64;
    }
    out
}

#[test]
fn computes_sizes_and_reads_embedded_models() {
    let rob = rob(vec![segment("ONE", 0, &empty_model()), segment("CYRSA001", 512, &[])]);
    assert_eq!((rob.header.num_segments, rob.header.data.payload_size), (2, 80 + 64 + 80));
    assert!(matches!(rob.segments[0].payload, Payload::Model(_)));
    assert_eq!(rob.segments[1].external().as_deref(), Some("CYRSA001.3DC"));
    let bytes = rob.write().unwrap();
    assert_eq!(bytes[16..20], [0, 0, 0, 224]);
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert!(packed(&FORMAT, folder.path()).unwrap().0 == bytes);
}

#[test]
fn keeps_and_reports_invalid_models() {
    let rob = rob(vec![segment("BAD", 0, b"v9.9 and more"), segment("../../X", 512, &[])]);
    assert_eq!(rob.segments[0].payload, Payload::Unread(Bytes::from(&b"v9.9 and more"[..])));
    let report = checked_in(&FORMAT, &rob, &rob.write().unwrap());
    let message = single_warning(&report, &warning::UNREAD);
    assert!(message.contains("at offset 0x64"), "{message}");
    single_warning(&report, &warning::NAME);
    single_warning(&report, &warning::EXTERNAL);
}

#[test]
fn reports_defective_segments() {
    let mut rob = rob(vec![segment("ONE", 77, &empty_model()), segment("one", 512, &empty_model())]);
    rob.segments[0].header.total_size = 3;
    rob.segments[1].header.extent = [1, 0, 0];
    rob.header.data.payload_size = 9;
    rob.rest = Bytes::from(&b"EN"[..]);
    let report = checked(&FORMAT, &Rob::read(&rob.write().unwrap()).unwrap());
    for code in [&warning::KIND, &warning::SAME_NAME, &warning::BOX, &warning::EXTERNAL_DATA, &warning::END] {
        single_warning(&report, code);
    }
    assert_eq!(report.count_of(&warning::SIZES), 2);
}

#[test]
fn creates_a_node_for_each_segment() {
    let rob = rob(vec![segment("ONE", 0, &empty_model()), segment("CYRSA001", 512, &[])]);
    let (sink, report) = exported(&FORMAT, &rob, "gltf", &[]);
    let gltf: json::Value = json::from_slice(sink.get("out.gltf").unwrap()).unwrap();
    let names: Vec<&str> =
        gltf["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"ONE") && names.contains(&"CYRSA001"), "{names:?}");
    single_warning(&report, &warning::EXTERNAL);
}

#[test]
fn writes_a_file_for_each_separate_segment() {
    let rob = rob(vec![
        segment("ONE", 0, &empty_model()),
        segment("one", 0, &empty_model()),
        segment("CYRSA001", 512, &[]),
    ]);
    let (sink, report) = exported(&FORMAT, &rob, "glb", &[("segments", "apart")]);
    let names = proof::names(&sink);
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[0] == "out/ONE.glb" && names[1] != "out/one.glb" && names[1].starts_with("out/one"));
    single_warning(&report, &warning::EXTERNAL);
}

#[test]
fn refuses_too_many_instances_of_a_mesh() {
    let mut scene = scene::Scene::new("many");
    let primitive = scene::Primitive {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        indices: [0, 1, 2].repeat(1 << 16),
        ..scene::Primitive::default()
    };
    let mesh = scene.add_mesh(scene::Mesh { primitives: vec![primitive], ..scene::Mesh::default() });
    for _ in 0..200 {
        scene.add_root(scene::Node { mesh: Some(mesh), ..scene::Node::named("ROCK") });
    }
    let read = scene::gltf::Read { scene, left_out: Vec::new() };
    let error = Rob::from_scene(&read, None, &mut asset::Report::new()).unwrap_err();
    assert_eq!(error.kind(), record::Kind::Limit, "{error}");
}

#[test]
fn preserves_the_collision_byte_and_the_low_face_count() {
    let mut one = segment("ONE", 0, &empty_model());
    (one.header.collision, one.header.face_count_low) = (3, 77);
    let bytes = rob(vec![one]).write().unwrap();
    assert_eq!(bytes[20 + 0x11..20 + 0x14], [3, 0, 77]);
    let rob = Rob::read(&bytes).unwrap();
    assert!(rob.write().unwrap() == bytes);
    let (sink, _) = exported(&FORMAT, &rob, "gltf", &[]);
    let gltf: json::Value = json::from_slice(sink.get("out.gltf").unwrap()).unwrap();
    let node = gltf["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "ONE").unwrap();
    let extras = &node["extras"];
    assert_eq!((&extras["collision"], &extras["face_count_low"]), (&3.into(), &77.into()));
    assert_eq!(extras["collides_as"], "none");
}

#[test]
fn no_collision_takes_precedence_over_actor_collision() {
    let of = |collision| SegmentHeader { collision, ..SegmentHeader::default() }.collision();
    assert_eq!(
        [0, 1, 2, 3, 4].map(of),
        [Collision::Faces, Collision::Actor, Collision::None, Collision::None, Collision::Faces]
    );
}
