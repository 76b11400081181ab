//! Import of models from scenes: edited conversions, and scenes from scratch.

use asset::{Code, Context, Install, Options, Severity};
use glam::{Quat, Vec3};
use scene::gltf::{read, write_glb};
use scene::image::placeholder;
use scene::{
    AlphaMode, Animation, Interpolation, Material, Mesh, Node, NodeId, Primitive, Sampler, Scene, Sidedness,
    Texture, TextureRef, Track,
};

use super::super::chunk::{self, Chunk};
use super::super::kept::keep;
use super::super::layout::{Brush, Keys, Triangles, Vertices, blend, fx, texture};
use super::super::scene::to_scene;
use super::super::{B3d, FORMAT, warning};
use super::*;

/// The sample of the format: two nodes with a skin, keys and a sequence.
fn sample() -> B3d {
    let mut sink = asset::MemorySink::new();
    crate::sample::specimens(&mut sink).unwrap();
    B3d::read(sink.get("b3d/model.b3d").unwrap(), &mut Report::new()).unwrap()
}

/// Returns the scene of a model after a round trip through GLB.
fn scene_of(model: &B3d) -> Scene {
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    let context = Context { install: &install, location: None, options: &options };
    let mut scene = to_scene(model, &context, "model", 1.0, &mut Report::new());
    keep(&mut scene, model, 1.0);
    through_glb(&scene)
}

fn through_glb(scene: &Scene) -> Scene {
    read(&write_glb(scene).unwrap(), &mut |_| None).unwrap().scene
}

/// Converts a scene to a model, which must be read back without warnings.
fn model_of(scene: &Scene) -> (B3d, Report) {
    let mut report = Report::new();
    let model = B3d::from_scene(scene, &mut report).unwrap();
    let mut again = Report::new();
    assert!(B3d::read(&model.write().unwrap(), &mut again).unwrap() == model);
    assert!(again.is_empty(), "{again:?}");
    (model, report)
}

fn messages(report: &Report, code: &Code) -> Vec<String> {
    report.iter().filter(|found| found.code.id == code.id).map(|found| found.message.clone()).collect()
}

/// Returns all chunks, including nested ones.
fn all(model: &B3d) -> Vec<&Chunk> {
    let mut all = Vec::new();
    model.visit(&mut |chunk, _| all.push(chunk));
    all
}

fn nodes(model: &B3d) -> Vec<&chunk::Node> {
    all(model)
        .into_iter()
        .filter_map(|chunk| if let Chunk::Node(node) = chunk { Some(&**node) } else { None })
        .collect()
}

fn vertices(model: &B3d) -> Vec<&Vertices> {
    all(model)
        .into_iter()
        .filter_map(|chunk| if let Chunk::Vertices(vertices) = chunk { Some(&**vertices) } else { None })
        .collect()
}

fn triangles(model: &B3d) -> Vec<&Triangles> {
    all(model)
        .into_iter()
        .filter_map(|chunk| if let Chunk::Triangles(triangles) = chunk { Some(triangles) } else { None })
        .collect()
}

fn keys(model: &B3d) -> Vec<&Keys> {
    all(model)
        .into_iter()
        .filter_map(|chunk| if let Chunk::Keys(keys) = chunk { Some(keys) } else { None })
        .collect()
}

fn brushes(model: &B3d) -> Vec<Brush> {
    all(model)
        .into_iter()
        .filter_map(
            |chunk| if let Chunk::Brushes(brushes) = chunk { Some(brushes.brushes.clone()) } else { None },
        )
        .flatten()
        .collect()
}

/// Returns a triangle that faces +Z.
fn triangle() -> Primitive {
    Primitive {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
        uvs: vec![vec![[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }
}

fn scene_with(primitive: Primitive, node: Node) -> Scene {
    let mut scene = Scene::new("made");
    let mesh = scene.add_mesh(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..node });
    scene
}

#[test]
fn writes_the_sample_it_reads() {
    let model = sample();
    let (again, report) = model_of(&scene_of(&model));
    assert!(again == model);
    assert_eq!(report.count(Severity::Warning), 0, "{report:?}");
}

#[test]
fn changes_only_the_node_that_was_moved() {
    let mut scene = scene_with(triangle(), Node::named("first"));
    let mesh = scene.nodes[0].mesh;
    scene.add_root(Node { mesh, ..Node::named("second") });
    let (model, _) = model_of(&scene);
    let mut scene = scene_of(&model);
    let second = scene.nodes.iter_mut().find(|node| node.name == "second").unwrap();
    second.translation += Vec3::X;
    let (again, _) = model_of(&scene);
    let (before, after) = (model.write().unwrap(), again.write().unwrap());
    let differ: Vec<usize> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
    assert_eq!(before.len(), after.len());
    assert!(
        !differ.is_empty() && differ.len() <= 4 && differ[differ.len() - 1] - differ[0] < 4,
        "{differ:?}"
    );
}

#[test]
fn keeps_bones_keys_and_brushes_of_an_edited_mesh() {
    let model = sample();
    let mut scene = scene_of(&model);
    for position in
        scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).flat_map(|part| &mut part.positions)
    {
        position[1] += 1.0;
    }
    let (again, _) = model_of(&scene);
    let heights = |model: &B3d| vertices(model)[0].vertices[0].position[1];
    assert!((heights(&again) - heights(&model) - 256.0).abs() < 1e-3);
    assert_eq!((keys(&again), brushes(&again)), (keys(&model), brushes(&model)));
    let weights = |model: &B3d| {
        all(model)
            .iter()
            .filter(|chunk| matches!(chunk, Chunk::Bone(bone) if !bone.weights.is_empty()))
            .count()
    };
    assert_eq!(weights(&again), weights(&model));
}

#[test]
fn appends_a_new_clip_as_a_sequence() {
    let model = sample();
    let mut scene = scene_of(&model);
    let node = NodeId(scene.roots[0].0 + 1);
    let keys = [(0.0, Vec3::ZERO), (1.0, Vec3::Y)];
    let tracks = vec![Track::translation(node, Interpolation::Linear, keys)];
    scene.add_animation(Animation { name: "jump".into(), tracks, ..Animation::default() });
    let (again, _) = model_of(&scene);
    let length = |model: &B3d| {
        all(model).iter().find_map(|chunk| {
            if let Chunk::Animation(animation) = chunk { Some(animation.frames) } else { None }
        })
    };
    let found = all(&again).into_iter().find_map(|chunk| match chunk {
        Chunk::Sequence(sequence) if &*sequence.name.text() == "jump" => {
            Some((sequence.first, sequence.last))
        }
        _ => None,
    });
    let (first, last) = found.unwrap();
    assert_eq!(Some(first - 1), length(&model));
    assert_eq!(Some(last), length(&again));
}

#[test]
fn reports_a_missing_animation() {
    let mut scene = scene_of(&sample());
    scene.animations.clear();
    let (again, report) = model_of(&scene);
    assert!(keys(&again).is_empty());
    assert_eq!(
        messages(&report, &warning::MISSING),
        ["the original model has an animation, but the scene has none"]
    );
}

#[test]
fn converts_the_front_face_and_units_of_a_triangle() {
    let node = Node { translation: Vec3::new(1.0, 2.0, 3.0), ..Node::named("plate") };
    let (model, report) = model_of(&scene_with(triangle(), node));
    assert!(report.is_empty(), "{report:?}");
    let [node] = nodes(&model)[..] else { panic!("expected one node") };
    assert_eq!((&*node.name.text(), node.position), ("plate", [256.0, 512.0, -768.0]));
    let vertices = &vertices(&model)[0].vertices;
    assert_eq!(vertices[1].position, [256.0, 0.0, -0.0]);
    assert_eq!((vertices[1].normal, &vertices[1].coordinates[..]), (Some([0.0, 0.0, -1.0]), &[1.0, 1.0][..]));
    // The front face of a file is (b - a) x (c - a).
    let [a, b, c] = triangles(&model)[0].triangles[0].map(|at| Vec3::from(vertices[at as usize].position));
    assert_eq!((b - a).cross(c - a).normalize(), Vec3::NEG_Z);
    assert_eq!((triangles(&model)[0].brush, brushes(&model).len()), (-1, 0));
}

#[test]
fn flips_the_triangles_of_a_mirrored_node() {
    let node = Node { scale: Vec3::new(-1.0, 1.0, 1.0), ..Node::named("mirror") };
    let scene = scene_with(triangle(), node);
    let (model, _) = model_of(&scene);
    assert_eq!(vertices(&model)[0].vertices[0].normal, Some([0.0, 0.0, 1.0]));
    // Converted to a scene again, it is unchanged.
    let again = scene_of(&model);
    let mesh = again.nodes.iter().find_map(|node| node.mesh).unwrap();
    let part = &again.meshes[mesh.0].primitives[0];
    assert_eq!(part.normals.as_ref().unwrap()[0], [0.0, 0.0, 1.0]);
    let [a, b, c] = [0, 1, 2].map(|at| Vec3::from(part.positions[part.indices[at] as usize]));
    assert_eq!((b - a).cross(c - a).normalize(), Vec3::Z);
}

#[test]
fn shades_triangles_without_normals_flat() {
    let mut primitive = triangle();
    (primitive.normals, primitive.uvs) = (None, Vec::new());
    primitive.positions.push([0.0, 0.0, 5.0]);
    primitive.indices.extend([0, 3, 1, 0, 0, 0]);
    let (model, _) = model_of(&scene_with(primitive, Node::default()));
    let all = &vertices(&model)[0].vertices;
    assert_eq!((all.len(), all[0].coordinates.len()), (9, 0));
    assert_eq!([all[0].normal, all[3].normal], [Some([0.0, 0.0, -1.0]), Some([0.0, 1.0, -0.0])]);
}

#[test]
fn converts_materials_to_brushes() {
    let mut scene = scene_with(triangle(), Node::named("pane"));
    let image = scene.add_image(placeholder("glass"));
    let texture = scene.add_texture(Texture { name: String::new(), image, sampler: Sampler::default() });
    let material = scene.add_material(Material {
        name: "pane".into(),
        base_color: [1.0, 1.0, 1.0, 0.5],
        base_color_texture: Some(TextureRef::new(texture)),
        alpha: AlphaMode::Blend,
        sidedness: Sidedness::Double,
        metallic: 1.0,
        ..Material::default()
    });
    scene.meshes[0].primitives[0].material = Some(material);
    scene.meshes[0].primitives[0].colors = Some(vec![[1.0, 0.0, 0.0, 1.0]; 3]);
    let (model, report) = model_of(&scene);
    let [brush] = &brushes(&model)[..] else { panic!("expected one brush") };
    assert_eq!((&*brush.name.text(), brush.color, brush.blend), ("pane", [1.0, 1.0, 1.0, 0.5], blend::ALPHA));
    assert_eq!(brush.fx, fx::VERTEX_COLORS | fx::VERTEX_ALPHA | fx::DOUBLE_SIDED);
    assert_eq!(vertices(&model)[0].vertices[0].color, Some([1.0, 0.0, 0.0, 0.5]));
    let Chunk::Textures(textures) = &model.chunks[0] else { panic!("expected textures first") };
    assert_eq!(&*textures.textures[0].file.text(), "glass.png");
    assert_eq!(textures.textures[0].flags, texture::COLOR | texture::ALPHA | texture::MIPMAP);
    assert_eq!(
        messages(&report, &warning::UNSUPPORTED),
        ["metallic materials are not supported by models (1)"]
    );
    assert_eq!(messages(&report, &warning::NOT_KEPT).len(), 1);
}

#[test]
fn splits_meshes_with_more_vertices_than_the_engine_can_index() {
    let count = 80_001_u32;
    let positions = (0..count).map(|number| [number as f32, (number % 7) as f32, 0.0]).collect();
    let indices = (0..count / 3).flat_map(|face| [face * 3, face * 3 + 1, face * 3 + 2]).collect();
    let normals = Some(vec![[0.0, 0.0, 1.0]; count as usize]);
    let primitive = Primitive { positions, indices, normals, ..Primitive::default() };
    let (model, report) = model_of(&scene_with(primitive, Node::named("large")));
    let counts: Vec<usize> = vertices(&model).iter().map(|vertices| vertices.vertices.len()).collect();
    assert_eq!((counts.iter().sum::<usize>(), counts.len()), (count as usize, 2));
    assert!(counts.iter().all(|count| *count <= 65_535), "{counts:?}");
    assert_eq!(triangles(&model).iter().map(|part| part.triangles.len()).sum::<usize>(), count as usize / 3);
    assert!(report.is_empty(), "{report:?}");
}

#[test]
fn converts_step_and_cubic_spline_tracks() {
    let mut scene = scene_with(triangle(), Node::named("door"));
    let node = scene.roots[0];
    let mut spline =
        Track::rotation(node, Interpolation::CubicSpline, [(0.0, Quat::IDENTITY), (0.5, Quat::IDENTITY)]);
    let rotation = Quat::from_rotation_y(1.0).to_array();
    spline.values = [[0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.0; 4], [0.0; 4], rotation, [0.0; 4]].concat();
    let steps = Track::translation(node, Interpolation::Step, [(0.0, Vec3::ZERO), (0.5, Vec3::Y)]);
    scene.add_animation(Animation {
        name: "open".into(),
        tracks: vec![steps, spline],
        ..Animation::default()
    });
    let (model, _) = model_of(&scene);
    let found = keys(&model);
    let positions: Vec<(i32, f32)> = (found.iter())
        .flat_map(|keys| &keys.keys)
        .filter_map(|key| Some((key.frame, key.position?[1])))
        .collect();
    assert_eq!(positions, [(0, 0.0), (11, 0.0), (12, 256.0)], "at 24 frames per second");
    let turned = found.iter().flat_map(|keys| &keys.keys).filter(|key| key.rotation.is_some()).count();
    assert_eq!(turned, 13);
}

#[test]
fn uses_a_frame_rate_with_a_frame_for_each_key() {
    let mut scene = scene_with(triangle(), Node::named("fan"));
    let node = scene.roots[0];
    let positions = (0..50_u16).map(|frame| (f32::from(frame) / 38.0, Vec3::X * f32::from(frame * 7 % 5)));
    let tracks = vec![Track::translation(node, Interpolation::Linear, positions)];
    scene.add_animation(Animation { name: "rotation".into(), tracks, ..Animation::default() });
    let (model, _) = model_of(&scene);
    assert_eq!(keys(&model)[0].keys.len(), 50);
    let speed = all(&model).into_iter().find_map(|chunk| match chunk {
        Chunk::Animation(animation) => Some((animation.frames, animation.fps)),
        _ => None,
    });
    assert_eq!(speed, Some((49, 38.0)));
}

#[test]
fn reports_unsupported_features() {
    let mut scene = scene_with(triangle(), Node::default());
    let light = scene.add_light(scene::Light::default());
    scene.add_root(Node { light: Some(light), ..Node::named("lamp") });
    let (model, report) = model_of(&scene);
    assert_eq!(messages(&report, &warning::UNSUPPORTED), ["lights are not supported by models (1)"]);
    let roots = model.chunks.iter().filter(|chunk| matches!(chunk, Chunk::Node(_))).count();
    assert_eq!((roots, nodes(&model).len()), (1, 3), "the engine returns only one root");
}

#[test]
fn refuses_scenes_that_are_too_deep_or_too_large() {
    let mut deep = Scene::new("deep");
    let mut last = deep.add_root(Node::default());
    for _ in 0..200 {
        last = deep.add_child(last, Node::default());
    }
    let refused = |scene: &Scene| B3d::from_scene(scene, &mut Report::new()).unwrap_err().to_string();
    assert!(refused(&deep).contains("levels deep"), "{}", refused(&deep));

    let node = Node { translation: Vec3::splat(1e38), ..Node::named("far") };
    let far = refused(&scene_with(triangle(), node));
    assert!(far.contains("\"far\"") && far.contains("too large"), "{far}");

    let mut often =
        scene_with(Primitive { indices: [0, 1, 2].repeat(20_000), ..triangle() }, Node::default());
    for _ in 0..100 {
        let node = Node { mesh: often.nodes[0].mesh, ..Node::default() };
        often.add_root(node);
    }
    assert!(refused(&often).contains("so many mesh instances"), "{}", refused(&often));
}
