//! Round trips of converted models, edited or not.

use asset::MemorySink;
use proptest::collection::vec;
use proptest::prelude::*;

use super::super::super::Node as Sphere;
use super::super::super::glide::{Face, FaceRef, Frame, Header, NormalRef, Pose};
use super::super::super::layout::{Corner, Normals, Triple, VertexPositions};
use super::*;
use crate::world::model::FORMAT;
use proof::exported;

/// Converts a model to a scene.
fn scene_of_model(model: &Model) -> Scene {
    let (sink, _): (MemorySink, _) = exported(&FORMAT, model, "glb", &[]);
    scene::gltf::read(sink.get("out.glb").unwrap(), &mut |_| None).unwrap().scene
}

fn triple() -> impl Strategy<Value = Triple> {
    // Farther away, single-precision floats cannot represent 256ths.
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
    let positions = match kind {
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
    (positions, normals).prop_map(|(vertices, normals)| Pose { vertices, normals }).boxed()
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
                    // Without a reference, the last normal would not be read.
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
    fn reproduces_any_model_byte_for_byte(model in models()) {
        let bytes = model.write().unwrap();
        let model = Model::read(&bytes).unwrap();
        let read = Read { scene: scene_of_model(&model), left_out: Vec::new() };
        let after = Model::from_scene(&read, ImportTarget::Static, None, &mut Report::new()).unwrap();
        prop_assert_eq!(after.write().unwrap(), bytes);
    }

    #[test]
    fn writes_a_readable_model_with_any_original(model in models(), other in models(), is_given in any::<bool>()) {
        let mut scene = scene_of_model(&model);
        if !is_given {
            scene.meshes[0].extras = scene_of_model(&other).meshes[0].extras.clone();
        }
        let read = Read { scene, left_out: Vec::new() };
        let base = is_given.then_some(&other);
        let imported = Model::from_scene(&read, ImportTarget::Segment, base, &mut Report::new()).unwrap();
        prop_assert!(Model::read(&imported.write().unwrap()).is_ok());
    }
}

/// The sample's barrel.
fn barrel() -> Model {
    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    Model::read(sink.get("fxart/BARREL01.3D").unwrap()).unwrap()
}

/// The sample's barrel, and its scene with one vertex position edited.
fn edited(edit: impl Fn([f32; 3]) -> [f32; 3]) -> (Model, Scene) {
    let before = barrel();
    let mut scene = scene_of_model(&before);
    let first = scene.meshes[0].primitives[0].positions[0];
    for primitive in &mut scene.meshes[0].primitives {
        for position in primitive.positions.iter_mut().filter(|position| **position == first) {
            *position = edit(*position);
        }
    }
    (before, scene)
}

/// Indices of the vertices that differ.
fn changed(before: &Model, after: &Model) -> Vec<usize> {
    let (before, after) = (before.positions(0), after.positions(0));
    assert_eq!(before.len(), after.len());
    (0..before.len()).filter(|vertex| before[*vertex] != after[*vertex]).collect()
}

fn corners(model: &Model) -> Vec<Vec<(Option<usize>, [f32; 2])>> {
    let corners =
        |face: &crate::model::Face| face.corners.iter().map(|corner| (corner.vertex, corner.uv)).collect();
    model.faces().iter().map(corners).collect()
}

#[test]
fn moving_a_vertex_changes_nothing_else() {
    let (before, scene) = edited(|[x, y, z]| [x, y + 1.0, z]);
    let (after, report) = imported(&scene, ImportTarget::Static);
    assert_warnings(&report, &[]);
    let moved = changed(&before, &after);
    assert_eq!(moved.len(), 1);
    assert_eq!(after.positions(0)[moved[0]][1], before.positions(0)[moved[0]][1] - 20.0);
    assert_eq!(corners(&before), corners(&after));
    assert!(glide(&after).header.radius > glide(&before).header.radius);
    // Spheres enclose their faces.
    let imported = after.clone();
    let spheres = glide(&before).nodes.iter().zip(&glide(&after).nodes);
    for (before, after) in spheres {
        assert_eq!(before.faces, after.faces);
        let faces =
            after.faces.iter().map(|face| &glide(&imported).faces[usize::from(face.face_times_4 / 4)]);
        let mut vertices =
            faces.flat_map(|face| &face.corners).map(|corner| usize::try_from(corner.vertex).unwrap());
        let is_taller = after.extents.unwrap()[1] > before.extents.unwrap()[1];
        assert_eq!(is_taller, vertices.any(|vertex| vertex == moved[0]));
    }
    let normals = |model: &Model| glide(model).vertex_normals.clone();
    assert_eq!(format!("{:?}", normals(&before)), format!("{:?}", normals(&after)));
}

#[test]
fn without_extras_a_scene_needs_the_original() {
    let (before, mut scene) = edited(|[x, y, z]| [x + 0.5, y, z]);
    scene.meshes[0].extras.clear();
    let read = Read { scene, left_out: Vec::new() };
    let after = Model::from_scene(&read, ImportTarget::Static, Some(&before), &mut Report::new()).unwrap();
    assert_eq!(changed(&before, &after).len(), 1);
    assert_eq!(corners(&before), corners(&after));
    let bare = Model::from_scene(&read, ImportTarget::Static, None, &mut Report::new()).unwrap();
    assert!(bare.faces().iter().all(|face| face.corners.len() == 3));
}

#[test]
fn recognizes_reordered_and_split_vertices() {
    let before = barrel();
    let mut scene = scene_of_model(&before);
    for primitive in &mut scene.meshes[0].primitives {
        primitive.extras.clear();
        let unindexed = |list: &[[f32; 3]]| {
            primitive.indices.iter().rev().map(|index| list[usize::try_from(*index).unwrap()]).collect()
        };
        let positions: Vec<_> = unindexed(&primitive.positions);
        let normals: Option<Vec<_>> = primitive.normals.as_deref().map(unindexed);
        let uvs = primitive
            .indices
            .iter()
            .rev()
            .map(|index| primitive.uvs[0][usize::try_from(*index).unwrap()])
            .collect();
        let last = u32::try_from(positions.len()).unwrap();
        // Each corner has a separate vertex, and triangles are in reverse order.
        primitive.indices = (0..last).map(|index| index / 3 * 3 + 2 - index % 3).collect();
        (primitive.positions, primitive.normals, primitive.uvs) = (positions, normals, vec![uvs]);
    }
    let (after, report) = imported(&scene, ImportTarget::Static);
    assert_warnings(&report, &[]);
    assert_eq!(after.write().unwrap(), before.write().unwrap());
}

#[test]
fn cutting_or_removing_a_face_keeps_the_others() {
    let before = barrel();
    let mut scene = scene_of_model(&before);
    let count = before.face_count();
    // The first face has four corners.
    assert_eq!(before.faces()[0].corners.len(), 4);
    scene.meshes[0].primitives[0].indices.drain(..3);
    let (after, _) = imported(&scene, ImportTarget::Static);
    assert_eq!(after.face_count(), count);
    assert_eq!(after.faces()[0].corners.len(), 3);
    assert_eq!(corners(&after)[1..], corners(&before)[1..]);
    assert!(changed(&before, &after).is_empty());
    scene.meshes[0].primitives[0].indices.drain(..3);
    let (after, _) = imported(&scene, ImportTarget::Static);
    assert_eq!(corners(&after), corners(&before)[1..]);
    assert!(changed(&before, &after).is_empty(), "vertices keep their indices");
    let listed = glide(&after).nodes.iter().flat_map(|node| &node.faces);
    assert!(listed.map(|face| usize::from(face.face_times_4 / 4)).all(|face| face < count - 1));
}

#[test]
fn appends_new_faces_and_reports_missing_collision() {
    let before = barrel();
    let mut scene = scene_of_model(&before);
    let primitive = &mut scene.meshes[0].primitives[0];
    let first = u32::try_from(primitive.positions.len()).unwrap();
    primitive.positions.extend([[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0]]);
    if let Some(normals) = &mut primitive.normals {
        normals.extend([[0.0, 0.0, 1.0]; 3]);
    }
    primitive.uvs[0].extend([[0.0; 2], [1.0, 0.0], [0.0, 1.0]]);
    primitive.indices.extend([first, first + 1, first + 2]);
    let (after, report) = imported(&scene, ImportTarget::Static);
    assert_warnings(&report, &[&warning::NO_COLLISION]);
    assert_eq!(corners(&after)[..before.face_count()], corners(&before));
    assert_eq!(
        (after.face_count(), after.vertex_count()),
        (before.face_count() + 1, before.vertex_count() + 3)
    );
    assert_eq!(after.positions(0)[..before.vertex_count()], before.positions(0));
    assert_eq!(glide(&after).nodes, glide(&before).nodes);
}

#[test]
fn reports_removed_frames() {
    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    let before = Model::read(sink.get("fxart/FLAG01.3DC").unwrap()).unwrap();
    let mut scene = scene_of_model(&before);
    let last = before.frame_count() - 2;
    scene.meshes[0].target_names.truncate(last);
    scene.meshes[0].primitives.iter_mut().for_each(|primitive| primitive.targets.truncate(last));
    scene.animations.clear();
    let (after, report) = imported(&scene, ImportTarget::Animated);
    assert_warnings(&report, &[&warning::FRAMES_LOST]);
    assert_eq!(after.frame_count(), before.frame_count() - 1);
    assert_eq!(after.positions(1), before.positions(1));
}

#[test]
fn uses_edited_normals_and_keeps_the_rest() {
    let before = barrel();
    let mut scene = scene_of_model(&before);
    for primitive in &mut scene.meshes[0].primitives {
        primitive.normals.iter_mut().flatten().for_each(|normal| *normal = [0.0, 1.0, 0.0]);
    }
    let (after, report) = imported(&scene, ImportTarget::Static);
    assert_warnings(&report, &[]);
    let corners = |model: &Model| model.faces().into_iter().flat_map(|face| face.corners).collect::<Vec<_>>();
    // The lid on top is flat because it faces up.
    assert!(
        corners(&after).iter().all(|corner| corner.normal.is_none_or(|normal| normal == [0.0, -1.0, 0.0]))
    );
    assert!(corners(&after).iter().filter(|corner| corner.normal.is_some()).count() > 100);
    assert_eq!(glide(&after).nodes, glide(&before).nodes);
    assert_eq!(after.face_normals(0), before.face_normals(0));
}

#[test]
fn round_trips_a_model_in_another_unit() {
    let before = barrel();
    let install = asset::Install::empty();
    let options = proof::options(&FORMAT, &[]);
    let context = asset::Context { install: &install, location: None, options: &options };
    let target = asset::Target::new("out", 2.5);
    let mut sink = MemorySink::new();
    FORMAT.convert(&before, "glb", &context, target, &mut sink, &mut Report::new()).unwrap();
    let read = scene::gltf::read(sink.get("out.glb").unwrap(), &mut |_| None).unwrap();
    let after = Model::from_scene(&read, ImportTarget::Static, None, &mut Report::new()).unwrap();
    assert_eq!(after.write().unwrap(), before.write().unwrap());
}

#[test]
fn keeps_an_unedited_software_model_and_upgrades_an_edited_one() {
    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    let bytes = sink.get("3dart/BARREL01.3D").unwrap();
    let before = Model::read(bytes).unwrap();
    let mut scene = scene_of_model(&before);
    let import = |scene: &Scene, report: &mut Report| {
        let read = Read { scene: scene.clone(), left_out: Vec::new() };
        Model::from_scene(&read, ImportTarget::Static, None, report).unwrap()
    };
    let mut report = Report::new();
    assert_eq!(import(&scene, &mut report).write().unwrap(), bytes);
    assert_warnings(&report, &[]);

    scene.meshes[0].primitives[0].uvs[0][0][0] += 0.25;
    let after = import(&scene, &mut report);
    assert_warnings(&report, &[&warning::UPGRADED]);
    assert_eq!((before.version(), after.version()), (Version::V2_7, Version::V5_0));
    assert_eq!(before.positions(0), after.positions(0));
    assert_eq!(before.face_normals(0), after.face_normals(0));
    assert_eq!(before.face_count(), after.face_count());
    assert!(after.faces().iter().any(|face| face.corners.len() > 3));
}
