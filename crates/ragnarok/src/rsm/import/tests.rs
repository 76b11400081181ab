//! Import of scenes from other programs.

use asset::{Options, Report};
use json::json;
use scene::gltf::Read;
use scene::{
    Animation, Interpolation, Light, LightKind, Material, Mesh, MeshId, Node, NodeId, Primitive, Scene,
    Shading, Sidedness, Texture, TextureRef, Track, UvTransform,
};

use super::*;
use crate::rsm::Mesh as RsmMesh;
use crate::rsm::pose::Model;

/// Imports a scene without an original model.
fn import(read: &Read, extension: &str, report: &mut Report) -> Result<Imported> {
    let options = Options::default();
    super::import(&SceneFile { read, extension, name: "made", options: &options, base: None }, report)
}

/// Two triangles that share an edge along Y at a right angle, facing +Z and +X.
fn corner(normals: [[f32; 3]; 4]) -> Primitive {
    Primitive {
        positions: vec![
            [0.0; 3],
            [0.0, 1.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0; 3],
            [0.0, 0.0, -1.0],
            [0.0, 1.0, 0.0],
        ],
        normals: Some(vec![normals[0], normals[0], normals[1], normals[2], normals[3], normals[2]]),
        uvs: vec![vec![[0.25, 0.75]; 6]],
        indices: vec![0, 1, 2, 3, 4, 5],
        ..Primitive::default()
    }
}

const FRONT: [f32; 3] = [0.0, 0.0, 1.0];
const SIDE: [f32; 3] = [1.0, 0.0, 0.0];
const BETWEEN: [f32; 3] = [std::f32::consts::FRAC_1_SQRT_2, 0.0, std::f32::consts::FRAC_1_SQRT_2];

fn flat() -> Primitive {
    corner([FRONT, FRONT, SIDE, SIDE])
}

fn scene_of(primitives: Vec<Primitive>) -> (Scene, MeshId) {
    let mut scene = Scene::new("made");
    let mesh = scene.add_mesh(Mesh { primitives, ..Mesh::default() });
    (scene, mesh)
}

fn wall(primitive: Primitive) -> Scene {
    let (mut scene, mesh) = scene_of(vec![primitive]);
    scene.add_root(Node { name: "wall".into(), mesh: Some(mesh), ..Node::default() });
    scene
}

/// The warning for meshes without a material.
const UNNAMED: &str =
    "the texture \"unnamed.bmp\" must be copied to data/texture: models do not contain images";

/// Imports a scene. Returns the model and the warnings, except for the one for meshes without a material.
fn imported(scene: &Scene, version: Version) -> (Rsm, Vec<String>) {
    let mut report = Report::new();
    let model = Rsm::from_scene(scene, version, &mut report).unwrap();
    assert_eq!(Rsm::read(&model.write().unwrap(), &mut Report::new()).unwrap(), model);
    let reported = report.iter().filter(|warning| warning.message != UNNAMED);
    let reported = reported.map(|warning| format!("{}: {}", warning.code.id, warning.message)).collect();
    (model, reported)
}

#[test]
fn reports_a_texture_without_a_name_once() {
    let mut report = Report::new();
    let (mut scene, mesh) = scene_of(vec![flat(), flat()]);
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    Rsm::from_scene(&scene, Version::V1_5, &mut report).unwrap();
    let reported: Vec<_> = report.iter().map(|warning| (warning.code.id, warning.message.as_str())).collect();
    assert_eq!(reported, [("RSM-N071", UNNAMED)]);
}

fn refused(scene: &Scene, version: Version) -> String {
    let model = Rsm::from_scene(scene, version, &mut Report::new());
    model.and_then(|model| model.write()).unwrap_err().to_string()
}

fn groups(mesh: &RsmMesh) -> Vec<i32> {
    mesh.faces.iter().map(|face| face.groups.shading()).collect()
}

#[test]
fn normals_determine_the_shade_type_and_the_groups() {
    let shade = |primitive: Primitive| {
        let (model, _) = imported(&wall(primitive), Version::V2_3);
        (model.shade_type, groups(&model.meshes[0]))
    };
    assert_eq!(shade(flat()), (1, vec![0, 1]));
    assert_eq!(shade(corner([BETWEEN, FRONT, BETWEEN, SIDE])), (2, vec![0, 0]));
    assert_eq!(shade(Primitive { normals: None, ..flat() }).0, 1);
    let mut scene = wall(corner([BETWEEN, FRONT, BETWEEN, SIDE]));
    let unlit = scene.add_material(Material { shading: Shading::Unlit, ..Material::default() });
    scene.meshes[0].primitives[0].material = Some(unlit);
    assert_eq!(imported(&scene, Version::V1_5).0.shade_type, 0);
}

#[test]
fn faces_keep_their_front_side_in_both_spaces() {
    for version in [Version::V1_5, Version::V2_3] {
        let (model, reported) = imported(&wall(flat()), version);
        assert!(reported.is_empty(), "{reported:?}");
        let mesh = &model.meshes[0];
        assert_eq!((mesh.vertices.len(), mesh.texture_vertices.len(), mesh.faces.len()), (4, 1, 2));
        assert_eq!(mesh.texture_vertices[0].uv, [0.25, 0.75]);
        let axes = Axes::of(version.space(), 1.0);
        let normals = crate::rsm::corner_normals(&model, mesh);
        let of = |face: usize| axes.direction(normals[face].unwrap()[0]).as_vec3().to_array();
        assert_eq!((of(0), of(1)), (FRONT, SIDE));
    }
}

#[test]
fn textures_have_the_names_of_their_images_and_keep_sidedness() {
    let mut scene = wall(flat());
    let image = scene.add_image(scene::Image {
        name: "prontera/지붕_01".into(),
        ..scene::image::placeholder(String::new())
    });
    let texture =
        scene.add_texture(Texture { name: String::new(), image, sampler: scene::Sampler::default() });
    let moved = UvTransform { offset: [0.5, 0.0], ..UvTransform::default() };
    let material = scene.add_material(Material {
        base_color_texture: Some(TextureRef { transform: Some(moved), ..TextureRef::new(texture) }),
        sidedness: Sidedness::Double,
        ..Material::default()
    });
    scene.meshes[0].primitives[0].material = Some(material);
    let (model, reported) = imported(&scene, Version::V2_3);
    let mesh = &model.meshes[0];
    assert_eq!(mesh.textures.as_ref().unwrap()[0].text(), "prontera\\지붕_01.bmp");
    assert_eq!((mesh.faces[0].two_sided, mesh.texture_vertices[0].uv), (1, [0.75, 0.75]));
    assert_eq!(reported.len(), 1);
    assert!(reported[0].starts_with("RSM-N071"), "{reported:?}");

    scene.materials[0].extras.insert("texture".into(), json!("prontera\\지붕_01.tga"));
    let (model, reported) = imported(&scene, Version::V1_5);
    assert_eq!(model.textures.unwrap()[0].text(), "prontera\\지붕_01.tga");
    assert!(reported.is_empty(), "{reported:?}");
    // The image has been replaced.
    scene.images[0].name = "new.png".into();
    assert_eq!(imported(&scene, Version::V1_5).0.textures.unwrap()[0].text(), "new.bmp");
    scene.images[0].name = format!("New-{}.jpg", "0123456789abcdef".repeat(2));
    scene.materials[0].alpha = scene::AlphaMode::Blend;
    assert_eq!(imported(&scene, Version::V1_5).0.textures.unwrap()[0].text(), "New.tga");
}

#[test]
fn images_that_the_game_does_not_have_become_texture_files() {
    let mut scene = wall(flat());
    let pixels = [[1, 2, 3, 255], [4, 5, 6, 0], [7, 8, 9, 100], [10, 11, 12, 255]].concat();
    let picture = scene::image::Rgba8::new(2, 2, pixels).unwrap();
    let encoded = scene::image::png_for_gltf(&picture);
    let image = scene.add_image(scene::Image { name: "prontera/wall.png".into(), encoded });
    let texture =
        scene.add_texture(Texture { name: String::new(), image, sampler: scene::Sampler::default() });
    let repainted = scene::Image { name: "old/wall.png".into(), encoded: scene.images[0].encoded.clone() };
    let repainted = scene.add_image(repainted);
    let sampler = scene::Sampler::default();
    let old = scene.add_texture(Texture { name: String::new(), image: repainted, sampler });
    let add = |scene: &mut Scene, alpha, extras: &Value| {
        let texture = if extras["image_digest"] == "0" { old } else { texture };
        let material = scene.add_material(Material {
            base_color_texture: Some(TextureRef::new(texture)),
            alpha,
            extras: extras.as_object().unwrap().clone(),
            ..Material::default()
        });
        let mut primitive = flat();
        primitive.material = Some(material);
        scene.meshes[0].primitives.push(primitive);
    };
    scene.meshes[0].primitives.clear();
    let digest = scene.images[0].encoded.digest();
    add(&mut scene, scene::AlphaMode::Opaque, &json!({}));
    add(&mut scene, scene::AlphaMode::Blend, &json!({}));
    add(&mut scene, scene::AlphaMode::Opaque, &json!({ "texture": "own\\wall.bmp", "image_digest": digest }));
    add(&mut scene, scene::AlphaMode::Opaque, &json!({ "texture": "old\\wall.bmp", "image_digest": "0" }));
    let mut report = Report::new();
    let read = Read { scene, left_out: Vec::new() };
    let imported = import(&read, "rsm", &mut report).unwrap();
    let model = Rsm::read(&imported.bytes, &mut Report::new()).unwrap();
    let names: Vec<_> = model.textures.iter().flatten().map(|name| name.text().into_owned()).collect();
    assert_eq!(names, ["prontera\\wall.bmp", "prontera\\wall.tga", "own\\wall.bmp", "old\\wall.bmp"]);
    let files: Vec<_> = imported.companions.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(files, ["prontera/wall.bmp", "prontera/wall.tga", "old/wall.bmp"]);
    let decoded = |index: usize| {
        let limits = scene::image::Limits::default();
        scene::image::decode(&imported.companions[index].bytes, &limits).unwrap().pixels().to_vec()
    };
    assert!(imported.companions[0].bytes.starts_with(b"BM"));
    let magenta = [255, 0, 255, 255];
    assert_eq!(decoded(0), [[1, 2, 3, 255], magenta, magenta, [10, 11, 12, 255]].concat());
    assert_eq!(decoded(1), picture.pixels());
    let reported: Vec<_> = report.iter().map(|reported| reported.code.id).collect();
    assert_eq!(reported, ["RSM-W070", "RSM-W070"], "partial transparency in the two bitmaps");
}

#[test]
fn every_face_has_a_texture() {
    for version in [Version::V1_5, Version::V2_3] {
        let textures = |scene: &Scene| {
            let (model, _) = imported(scene, version);
            let mesh = &model.meshes[model.meshes.len() - 1];
            let names: Vec<_> =
                model.textures_of(mesh).map(|name| name.unwrap().text().into_owned()).collect();
            assert!(mesh.faces.iter().all(|face| usize::from(face.texture) < names.len()), "{names:?}");
            names
        };
        let mut scene = wall(flat());
        assert_eq!(textures(&scene), ["unnamed.bmp"]);
        for (name, expected) in
            [("wood", "wood.bmp"), ("prontera/a.TGA", "prontera\\a.TGA"), ("", "unnamed.bmp")]
        {
            let material = scene.add_material(Material { name: name.into(), ..Material::default() });
            scene.meshes[0].primitives[0].material = Some(material);
            assert_eq!(textures(&scene), [expected]);
        }
    }
}

#[test]
fn the_version_is_the_original_or_the_default_one() {
    for (known, extension, expected) in [
        (None, "rsm", Version::V1_4),
        (None, "rsm2", Version::V2_3),
        (Some("1.1"), "rsm", Version::V1_1),
        (Some("1.5"), "rsm", Version::V1_5),
        (Some("2.2"), "rsm2", Version::V2_2),
        (Some("2.2"), "rsm", Version::V1_4),
        (Some("1.4"), "rsm2", Version::V2_3),
    ] {
        let mut scene = wall(flat());
        if let Some(known) = known {
            scene.nodes[scene.roots[0].0].extras.insert("rsm".into(), json!({ "version": known }));
        }
        let read = Read { scene, ..Read::default() };
        let bytes = import(&read, extension, &mut Report::new()).unwrap();
        assert_eq!(
            Rsm::read(&bytes.bytes, &mut Report::new()).unwrap().version,
            expected,
            "{known:?} {extension}"
        );
    }
}

#[test]
fn parents_are_referenced_by_unique_names() {
    let (mut scene, mesh) = scene_of(vec![flat()]);
    let node = |name: &str| Node { name: name.into(), mesh: Some(mesh), ..Node::default() };
    let root = scene.add_root(Node::named("arm"));
    let child = scene.add_child(root, node("arm"));
    scene.add_child(child, node("hand \u{1f44b}"));
    scene.add_root(node(""));
    let (model, reported) = imported(&scene, Version::V2_3);
    let names: Vec<_> = model.meshes.iter().map(|mesh| mesh.name.to_string()).collect();
    assert_eq!(names, ["arm", "arm 2", "hand _", "mesh 2"]);
    let parents: Vec<_> = model.meshes.iter().map(|mesh| mesh.parent.to_string()).collect();
    assert_eq!(parents, ["", "arm", "arm 2", ""]);
    assert_eq!(model.roots.iter().map(ToString::to_string).collect::<Vec<_>>(), ["arm", "mesh 2"]);
    assert!(model.meshes[0].faces.is_empty());
    assert!(
        reported.iter().all(|message| message.starts_with("RSM-N072")) && reported.len() == 2,
        "{reported:?}"
    );

    let (model, reported) = imported(&scene, Version::V1_5);
    assert_eq!((model.roots[0].to_string(), model.meshes.len()), ("root".into(), 5));
    assert!(reported.iter().any(|message| message.starts_with("RSM-N061")), "{reported:?}");
    assert!(Model::new(&model).hierarchy().defects().is_empty());
}

#[test]
fn mirrored_flat_and_sheared_nodes_keep_their_transforms() {
    let (mut scene, mesh) = scene_of(vec![flat()]);
    let node = |name: &str, scale: [f32; 3], angle: f32| Node {
        name: name.into(),
        translation: glam::Vec3::new(1.0, 2.0, 3.0),
        rotation: glam::Quat::from_rotation_z(angle),
        scale: scale.into(),
        mesh: Some(mesh),
        ..Node::default()
    };
    let mirror = scene.add_root(node("mirror", [-1.0, 2.0, 0.5], 0.3));
    let plate = scene.add_child(mirror, node("plate", [1.0, 0.0, 1.0], 0.7));
    scene.add_child(plate, node("leaf", [2.0, 1.0, 1.0], -0.4));
    let matrix = |node: NodeId| scene.nodes[node.0].to_parent();
    let leaf = matrix(mirror) * matrix(plate) * scene.nodes[2].to_parent();
    for version in [Version::V1_5, Version::V2_3] {
        let (model, reported) = imported(&scene, version);
        assert!(reported.is_empty(), "{reported:?}");
        let pose = Model::new(&model).pose_at(0.0);
        let found = pose.meshes[2].point(glam::DVec3::from(model.meshes[2].vertices[2].map(f64::from)));
        let found = Axes::of(version.space(), 1.0).position(found).as_vec3();
        let want: glam::Vec3 = leaf.transform_point3([-1.0, 0.0, 0.0].into());
        let corners = [[0.0_f32; 3], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]
            .map(|corner| leaf.transform_point3(corner.into()));
        assert!(
            corners.iter().any(|corner| corner.distance(found) < 1e-4),
            "{version}: {found} is not {want}"
        );
    }
}

#[test]
fn imports_steps_and_splines_of_the_first_clip() {
    let mut scene = wall(flat());
    let wall = NodeId(0);
    let step = Track::translation(
        wall,
        Interpolation::Step,
        [(0.0, glam::Vec3::ZERO), (1.0, glam::Vec3::new(1.0, 2.0, 3.0))],
    );
    let spline = Track {
        interpolation: Interpolation::CubicSpline,
        values: [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 0.0, 0.0, 0.0]
            .into(),
        ..Track::scale(wall, Interpolation::Linear, [(0.0, glam::Vec3::ONE), (1.0, glam::Vec3::ONE)])
    };
    scene.add_animation(Animation { tracks: vec![step, spline], ..Animation::default() });
    scene.add_animation(Animation::default());
    scene.add_light(Light {
        name: String::new(),
        kind: LightKind::Point,
        color: [1.0; 3],
        intensity: 1.0,
        range: None,
        extras: scene::Extras::new(),
    });
    let (model, reported) = imported(&scene, Version::V2_3);
    assert_eq!((model.animation_length, model.frames_per_second), (30, Some(30.0)));
    let mesh = &model.meshes[0];
    let frames: Vec<_> = mesh.position_keys.as_ref().unwrap().iter().map(|key| key.frame).collect();
    assert_eq!(frames, [0, 30, 30]);
    let last = mesh.position_keys.as_ref().unwrap()[2];
    assert_eq!(last.value, [1.0, 2.0, -3.0]);
    let halfway = mesh.scale_keys.as_ref().unwrap().iter().find(|key| key.frame == 15).unwrap();
    assert!((halfway.value[0] - 1.5).abs() < 1e-6);
    assert!(
        reported
            .iter()
            .any(|message| message == "RSM-W070: clips after the first are not supported by models (1)")
    );
    assert!(
        reported.iter().any(|message| message == "RSM-W070: lights are not supported by models (1)"),
        "{reported:?}"
    );

    let (_, reported) = imported(&scene, Version::V1_5);
    assert!(
        reported.iter().any(|message| message.starts_with("RSM-W060") && message.contains("position keys")),
        "{reported:?}"
    );
    assert!(
        reported.iter().any(|message| message.starts_with("RSM-W060") && message.contains("scale keys")),
        "{reported:?}"
    );
}

#[test]
fn refuses_too_many_vertices_long_names_and_too_many_keys() {
    let many = 65_537_u32;
    let primitive = Primitive {
        positions: (0..many).map(|at| [at as f32, 0.0, 0.0]).collect(),
        indices: (0..many - 2).flat_map(|at| [at, at + 1, at + 2]).collect(),
        ..Primitive::default()
    };
    let error = refused(&wall(primitive), Version::V2_3);
    assert!(error.contains("node \"wall\": more than 65536 different positions"), "{error}");

    let mut scene = wall(flat());
    scene.nodes[0].name = "가".repeat(21);
    assert!(refused(&scene, Version::V1_5).contains("names of this version have at most 40"));
    imported(&scene, Version::V2_3);
    assert!(refused(&scene, Version::V1_4).contains("version 1.5 or 2.3"));

    let far = Track::translation(NodeId(0), Interpolation::Linear, [(1e9, glam::Vec3::ZERO)]);
    scene.add_animation(Animation { tracks: vec![far], ..Animation::default() });
    assert!(refused(&scene, Version::V2_3).contains("later than the last possible frame"));
    // A spline that needs 60 keys per second for eleven days.
    scene.animations[0].tracks[0] = Track {
        interpolation: Interpolation::CubicSpline,
        values: vec![0.0; 18],
        ..Track::translation(
            NodeId(0),
            Interpolation::Linear,
            [(0.0, glam::Vec3::ZERO), (1e6, glam::Vec3::ZERO)],
        )
    };
    assert!(refused(&scene, Version::V2_3).contains("more keys than a model may have"));
}

#[test]
fn refuses_a_mesh_used_by_too_many_nodes() {
    let (mut scene, mesh) = scene_of(vec![Primitive {
        positions: vec![[0.0; 3]; 3],
        indices: [0, 1, 2].repeat(1 << 16),
        ..Primitive::default()
    }]);
    for _ in 0..65 {
        scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    }
    assert!(refused(&scene, Version::V2_3).contains("faces, more than a model may have"));
}

#[test]
fn a_sibling_of_the_inner_node_of_a_sheared_node_keeps_its_transform() {
    let (mut scene, mesh) = scene_of(vec![flat()]);
    let outer = Node { scale: [1.0, 3.0, 1.0].into(), ..Node::named("arm") };
    let inner =
        Node { rotation: glam::Quat::from_rotation_z(0.7), mesh: Some(mesh), ..Node::named("arm inner") };
    let sibling = Node { translation: [0.0, 1.0, 0.0].into(), mesh: Some(mesh), ..Node::named("ring") };
    let arm = scene.add_root(outer);
    scene.add_child(arm, inner);
    let (merged, _) = imported(&scene, Version::V2_3);
    assert_eq!((merged.meshes.len(), imported(&scene, Version::V1_5).0.meshes.len()), (1, 2));
    scene.add_child(arm, sibling);
    let (model, reported) = imported(&scene, Version::V2_3);
    assert_eq!((model.meshes.len(), reported.len()), (3, 0));
    let ring = Model::new(&model).pose_at(0.0).meshes[2];
    assert!(ring.point(glam::DVec3::ZERO).abs_diff_eq(glam::DVec3::new(0.0, 3.0, 0.0), 1e-6));
    let lowered = ring.point(glam::DVec3::Y);
    assert!(lowered.abs_diff_eq(glam::DVec3::new(0.0, 6.0, 0.0), 1e-6), "{lowered}");
}

#[test]
fn reports_morph_targets_and_uses_the_next_clip() {
    let target = scene::MorphTarget { positions: vec![[0.0; 3]; 3], normals: None };
    let mut bent = flat();
    bent.targets = vec![scene::MorphTarget { positions: vec![[0.0; 3]; bent.positions.len()], ..target }];
    let mut scene = wall(bent);
    let weights =
        Track::from_keys(Target::Weights(NodeId(0)), Interpolation::Linear, [(0.0, [0.0]), (1.0, [1.0])]);
    scene.add_animation(Animation { tracks: vec![weights], ..Animation::default() });
    let moved =
        Track::translation(NodeId(0), Interpolation::Linear, [(0.0, glam::Vec3::ZERO), (1.0, glam::Vec3::Y)]);
    scene.add_animation(Animation { tracks: vec![moved], ..Animation::default() });
    let read = Read { scene, left_out: Vec::new() };
    let mut report = Report::new();
    assert!(import(&read, "rsm2", &mut report).is_ok());
    let (model, _) = imported(&read.scene, Version::V2_3);
    assert!(model.meshes.iter().any(|mesh| mesh.position_keys.iter().flatten().count() > 1));
    let reported: Vec<_> = report.iter().map(|warning| warning.message.clone()).collect();
    let expected = [
        UNNAMED,
        "morph targets are not supported by models (1)",
        "animations of morph weights are not supported by models (1)",
    ];
    assert_eq!(reported, expected);
}
