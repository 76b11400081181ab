//! Models that were converted come back, edited or not.

use asset::MemorySink;
use proptest::collection::vec;
use proptest::prelude::*;

use super::super::super::Node as Sphere;
use super::super::super::glide::{Face, FaceRef, Frame, Header, NormalRef, Pose};
use super::super::super::layout::{Corner, Normals, Triple, VertexPositions};
use super::*;
use crate::world::model::FORMAT;
use proof::exported;

/// The scene that a model becomes.
fn scene_of_model(model: &Model) -> Scene {
    let (sink, _): (MemorySink, _) = exported(&FORMAT, model, "glb", &[]);
    scene::gltf::read(sink.get("out.glb").unwrap(), &mut |_| None).unwrap().scene
}

fn triple() -> impl Strategy<Value = Triple> {
    // Further away single floats do not tell 256ths apart.
    [-(1 << 21)..1 << 21, -(1 << 21)..1 << 21, -(1 << 21)..1 << 21]
}

fn normal() -> impl Strategy<Value = [f32; 3]> {
    prop_oneof![
        Just([0.6, 0.0, -0.8]),
        Just([f32::from_bits(0xffc0_0000); 3]),
        [any::<u32>(), any::<u32>(), any::<u32>()].prop_map(|bits| bits.map(f32::from_bits)),
        [-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0],
    ]
}

fn face(vertices: usize) -> impl Strategy<Value = Face> {
    let last = u32::try_from(vertices).unwrap();
    let corner = (0..last, -2000_i16..2000, -2000_i16..2000);
    let corner = corner.prop_map(|(vertex, u_delta, v_delta)| Corner { vertex, u_delta, v_delta });
    let texture = prop_oneof![
        any::<u32>(),
        Just(0xfff0_4a00),
        Just(FaceTexture::Image { bank: 302, image: 5 }.to_glide().unwrap())
    ];
    (vec(corner, 3..7), any::<u8>(), texture).prop_map(|(corners, brightness, texture)| Face {
        corner_count: u8::try_from(corners.len()).unwrap(),
        brightness,
        texture,
        unused: 0,
        corners,
    })
}

fn pose(kind: u32, vertices: usize, faces: usize) -> BoxedStrategy<Pose> {
    let places = match kind {
        0x12 => vec([-4000_i16..4000, -4000_i16..4000, -4000_i16..4000], vertices)
            .prop_map(VertexPositions::Words)
            .boxed(),
        2 => {
            vec([any::<i16>(), any::<i16>(), any::<i16>()], vertices).prop_map(VertexPositions::Words).boxed()
        }
        1 => vec([any::<i8>(), any::<i8>(), any::<i8>()], vertices).prop_map(VertexPositions::Bytes).boxed(),
        _ => vec(triple(), vertices).prop_map(VertexPositions::Absolute).boxed(),
    };
    let normals = match kind {
        0 => vec(any::<Triple>(), faces).prop_map(Normals::Absolute).boxed(),
        _ => vec(any::<u32>(), faces).prop_map(Normals::Packed).boxed(),
    };
    (places, normals).prop_map(|(vertices, normals)| Pose { vertices, normals }).boxed()
}

prop_compose! {
    fn sizes()(vertices in 3_usize..9, faces in 1_usize..6, poses in 0_usize..3, kind in prop::sample::select(vec![0_u32, 1, 2, 4, 0x12]), table in any::<bool>(), is_v5 in any::<bool>())
        -> (usize, usize, usize, u32, bool, bool) { (vertices, faces, poses, kind, table, is_v5) }
}

fn models() -> impl Strategy<Value = Model> {
    sizes().prop_flat_map(|(vertices, faces, poses, kind, table, is_v5)| {
        let sphere = (
            any::<Triple>(),
            any::<u32>(),
            [any::<u32>(), any::<u32>(), any::<u32>()],
            vec(any::<u16>(), 0..4),
        );
        let sphere = sphere.prop_map(move |(center, radius, extents, numbers)| Sphere {
            center,
            radius,
            extents: is_v5.then(|| extents.map(f32::from_bits)),
            faces: numbers.into_iter().map(|face_times_4| FaceRef { face_times_4, offset: None }).collect(),
        });
        (
            vec(triple(), vertices),
            vec(face(vertices), faces),
            vec(any::<Triple>(), faces),
            vec(pose(kind, vertices, faces), poses),
            vec(normal(), vertices),
            vec(sphere, 0..3),
            any::<u32>(),
        )
            .prop_map(
                move |(vertices, faces, face_normals, poses, vertex_normals, nodes, radius)| {
                    let corners: usize = faces.iter().map(|face| face.corners.len()).sum();
                    let count = u32::try_from(vertices.len()).unwrap();
                    // The last normal is named, or it would not be read.
                    let indices = (0..corners)
                        .rev()
                        .map(|corner| NormalRef::Number(u32::try_from(corner).unwrap().min(count - 1)));
                    let corners = u32::try_from(corners).unwrap();
                    let row = |kind| Frame { offset_vertices: 0, offset_normals: 0, reserved: 0, kind };
                    let mut frames = vec![row(0); poses.len() + 1];
                    frames[0].kind = kind;
                    let indices: Vec<_> = indices.collect();
                    let has_table = table && corners >= count;
                    Model::Glide(Glide {
                        header: Header {
                            version: if is_v5 { Version::V5_0 } else { Version::V4_0 },
                            radius,
                            total_face_vertices: corners,
                            total_face_vertices_dup: corners,
                            ..Header::default()
                        },
                        faces,
                        vertices,
                        face_normals,
                        frames,
                        poses,
                        nodes,
                        normal_indices: has_table.then_some(indices),
                        vertex_normals,
                        layout: record::Layout::default(),
                    })
                },
            )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_model_comes_back_byte_for_byte(model in models()) {
        let bytes = model.write().unwrap();
        let model = Model::read(&bytes).unwrap();
        let read = Read { scene: scene_of_model(&model), left_out: Vec::new() };
        let again = Model::from_scene(&read, ImportTarget::Static, &mut Report::new()).unwrap();
        prop_assert_eq!(again.write().unwrap(), bytes);
    }

    #[test]
    fn whatever_the_extras_say_a_model_is_made_that_can_be_read(
        model in models(),
        text in "([0-9@/;:# -]|flat){0,40}",
        name in prop::sample::select(vec![
            "digest", "scale", "radius", "kind", "loose", "face_normals", "frame_normals", "long_frame_normals", "normals",
            "vertex_normals", "corner_normals", "collision", "faces", "vertices",
        ]),
    ) {
        let mut scene = scene_of_model(&model);
        let mesh = &mut scene.meshes[0];
        if let Some(exact) = mesh.extras.get_mut("exact").and_then(serde_json::Value::as_object_mut) {
            exact.insert(name.to_owned(), text.clone().into());
        }
        if let Some(said) = mesh.primitives[0].extras.get_mut(name) {
            *said = text.into();
        }
        let read = Read { scene, left_out: Vec::new() };
        let made = Model::from_scene(&read, ImportTarget::Segment, &mut Report::new()).unwrap();
        prop_assert!(Model::read(&made.write().unwrap()).is_ok());
    }
}

/// The sample's barrel.
fn barrel() -> Model {
    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    Model::read(sink.get("fxart/BARREL01.3D").unwrap()).unwrap()
}

#[test]
fn an_edited_shape_keeps_faces_and_numbers_and_loses_its_spheres() {
    let before = barrel();
    let mut scene = scene_of_model(&before);
    let position = scene.meshes[0].primitives[0].positions[0];
    for primitive in &mut scene.meshes[0].primitives {
        for place in primitive.positions.iter_mut().filter(|place| **place == position) {
            place[1] += 1.0;
        }
    }
    let (after, report) = made(&scene, ImportTarget::Static);
    reported(&report, &[&warning::COLLISION_LOST]);
    let changed: Vec<usize> = before
        .positions(0)
        .iter()
        .zip(after.positions(0))
        .enumerate()
        .filter(|(_, (before, after))| *before != after)
        .map(|(vertex, _)| vertex)
        .collect();
    assert_eq!(changed.len(), 1);
    assert_eq!(after.positions(0)[changed[0]][1], before.positions(0)[changed[0]][1] - 20.0);
    let corners = |model: &Model| -> Vec<_> {
        model
            .faces()
            .iter()
            .map(|face| face.corners.iter().map(|corner| (corner.vertex, corner.uv)).collect::<Vec<_>>())
            .collect()
    };
    assert_eq!(corners(&before), corners(&after));
    assert!(glide(&after).header.radius > glide(&before).header.radius);
}

#[test]
fn other_normals_are_taken_and_the_rest_stays() {
    let before = barrel();
    let mut scene = scene_of_model(&before);
    for primitive in &mut scene.meshes[0].primitives {
        primitive.normals.iter_mut().flatten().for_each(|normal| *normal = [0.0, 1.0, 0.0]);
    }
    let (after, report) = made(&scene, ImportTarget::Static);
    reported(&report, &[]);
    let corners = |model: &Model| model.faces().into_iter().flat_map(|face| face.corners).collect::<Vec<_>>();
    // The lid above is flat, as it looks up.
    assert!(
        corners(&after).iter().all(|corner| corner.normal.is_none_or(|normal| normal == [0.0, -1.0, 0.0]))
    );
    assert!(corners(&after).iter().filter(|corner| corner.normal.is_some()).count() > 100);
    assert_eq!(glide(&after).nodes, glide(&before).nodes);
    assert_eq!(after.face_normals(0), before.face_normals(0));
}

#[test]
fn a_model_of_another_unit_comes_back_too() {
    let before = barrel();
    let install = asset::Install::empty();
    let options = proof::options(&FORMAT, &[]);
    let context = asset::Context { install: &install, location: None, options: &options };
    let target = asset::Target::new("out", 2.5);
    let mut sink = MemorySink::new();
    FORMAT.convert(&before, "glb", &context, target, &mut sink, &mut Report::new()).unwrap();
    let read = scene::gltf::read(sink.get("out.glb").unwrap(), &mut |_| None).unwrap();
    let after = Model::from_scene(&read, ImportTarget::Static, &mut Report::new()).unwrap();
    assert_eq!(after.write().unwrap(), before.write().unwrap());
}

#[test]
fn a_still_model_of_the_software_renderer_becomes_one_of_the_other() {
    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    let before = Model::read(sink.get("3dart/BARREL01.3D").unwrap()).unwrap();
    let (after, report) = made(&scene_of_model(&before), ImportTarget::Static);
    reported(&report, &[]);
    assert_eq!((before.version(), after.version()), (Version::V2_7, Version::V5_0));
    assert_eq!(before.positions(0), after.positions(0));
    assert_eq!(before.face_normals(0), after.face_normals(0));
}
