//! Imports of scenes from other programs and of edited conversions.

mod exact;

use asset::{Code, Report};
use scene::image::{Image, Rgba8, png_for_gltf};
use scene::{
    Animation, Interpolation, Material, Mesh, MorphTarget, Node, NodeId, Primitive, Scene, Sidedness,
    Texture, TextureRef, Track,
};

use super::*;
use crate::model::{FaceTexture, glide::Glide};
use proof::{checked, single_warning};

/// A square one meter wide, consisting of two triangles, that faces -Z in glTF and shows the entire image.
fn square() -> Primitive {
    Primitive {
        positions: vec![[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [-1.0, 1.0, 0.0]],
        normals: Some(vec![[0.0, 0.0, -1.0]; 4]),
        uvs: vec![vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    }
}

/// A scene with one node that shows `primitive` with a material of this name and an image of 64 by 32 texels.
fn scene_of(mut primitive: Primitive, material: &str) -> Scene {
    let mut scene = Scene::new("made");
    let picture = Rgba8::new(64, 32, vec![200; 64 * 32 * 4]).unwrap();
    let image = scene.add_image(Image { name: "picture".into(), encoded: png_for_gltf(&picture) });
    let texture = scene.add_texture(Texture { name: "picture".into(), image, sampler: Default::default() });
    let material = Material {
        name: material.into(),
        base_color_texture: Some(TextureRef::new(texture)),
        ..Material::default()
    };
    primitive.material = Some(scene.add_material(material));
    let mesh = scene.add_mesh(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::named("wall") });
    scene
}

fn imported(scene: &Scene, target: ImportTarget) -> (Model, Report) {
    let mut report = Report::new();
    let read = Read { scene: scene.clone(), left_out: Vec::new() };
    let model = Model::from_scene(&read, target, None, &mut report).unwrap();
    let round_trip = Model::read(&model.write().unwrap()).unwrap();
    let found = checked(&crate::world::model::FORMAT, &round_trip);
    assert!(
        found
            .iter()
            .all(|assert_warnings| ["RGMODEL-W012", "RGMODEL-W018"].contains(&assert_warnings.code.id)),
        "{found:?}"
    );
    (round_trip, report)
}

fn glide(model: &Model) -> &Glide {
    match model {
        Model::Glide(model) => model,
        Model::Software(_) => panic!("expected a model of the Glide renderer"),
    }
}

/// Asserts that exactly these warnings are reported, once each.
fn assert_warnings(report: &Report, codes: &[&Code]) {
    codes.iter().for_each(|code| {
        single_warning(report, code);
    });
    assert_eq!(report.iter().count(), codes.len(), "{report:?}");
}

#[test]
fn imports_a_square_from_another_program() {
    let (model, report) = imported(&scene_of(square(), "D02005.001"), ImportTarget::Static);
    assert_warnings(&report, &[]);
    assert_eq!((model.version(), model.frame_count(), model.vertex_count()), (Version::V5_0, 1, 4));
    let faces = model.faces();
    assert!(faces.iter().all(|face| face.texture == FaceTexture::Image { bank: 302, image: 5 }));
    assert_eq!(model.positions(0)[0], [0.0, -20.0, 0.0]);
    assert_eq!(model.face_normals(0), [[0.0, 0.0, -1.0]; 2]);
    let uvs: Vec<_> = faces[1].corners.iter().map(|corner| corner.uv).collect();
    assert_eq!(uvs, [[0.0, 0.0], [64.0, 32.0], [64.0, 0.0]]);
    assert!(
        faces.iter().flat_map(|face| &face.corners).all(|corner| corner.normal.is_none()),
        "flat shading"
    );
    let (moving, _) = imported(&scene_of(square(), "D02005"), ImportTarget::Animated);
    assert_eq!((moving.version(), glide(&moving).frames[0].kind), (Version::V4_0, 8));
    assert!(glide(&moving).normal_indices.is_none());
}

#[test]
fn keeps_the_normals_of_smooth_corners() {
    let mut round = square();
    round.normals = Some([[0.6, 0.0, -0.8], [0.6, 0.0, -0.8], [-0.6, 0.0, -0.8], [-0.6, 0.0, -0.8]].into());
    for target in [ImportTarget::Static, ImportTarget::Animated] {
        let (model, _) = imported(&scene_of(round.clone(), "D02005"), target);
        let normals: Vec<_> = model.faces()[1].corners.iter().map(|corner| corner.normal.unwrap()).collect();
        assert_eq!(normals, [[-0.6, 0.0, -0.8], [0.6, 0.0, -0.8], [0.6, 0.0, -0.8]]);
        assert_eq!(model.vertex_count(), 4);
    }
}

#[test]
fn splits_vertices_with_several_normals_if_there_is_no_normal_table() {
    let mut edge = square();
    let more = square();
    edge.positions.extend(more.positions.iter().map(|[x, y, z]| [-z, *y, *x]));
    edge.normals = Some([vec![[0.6, 0.0, -0.8]; 4], vec![[0.6, 0.8, 0.0]; 4]].concat());
    edge.uvs[0].extend_from_slice(&more.uvs[0]);
    edge.indices.extend([4, 5, 6, 4, 6, 7]);
    let scene = scene_of(edge, "D02005");
    assert_eq!(imported(&scene, ImportTarget::Static).0.vertex_count(), 6);
    assert_eq!(imported(&scene, ImportTarget::Animated).0.vertex_count(), 8);
}

/// The square with morph targets that lift it by these heights in meters.
fn lifted(by: &[f32]) -> Scene {
    let mut primitive = square();
    let target = |by: &f32| MorphTarget { positions: vec![[0.0, *by, 0.0]; 4], normals: None };
    primitive.targets = by.iter().map(target).collect();
    scene_of(primitive, "D02005")
}

fn heights(model: &Model) -> Vec<f32> {
    (0..model.frame_count()).map(|frame| -model.positions(frame)[1][1] / 20.0).collect()
}

#[test]
fn uses_the_smallest_frame_kind_for_morph_targets() {
    for (by, kind) in [(&[1.0, -2.0][..], 2), (&[1.0, 20.0], 4)] {
        let (model, report) = imported(&lifted(by), ImportTarget::Animated);
        assert_warnings(&report, &[]);
        assert_eq!(heights(&model), [&[0.0], by].concat());
        assert_eq!(glide(&model).frames[0].kind, kind);
        assert_eq!(model.face_normals(1), [[0.0, 0.0, -1.0]; 2]);
    }
    let (model, report) = imported(&lifted(&[1.0]), ImportTarget::Static);
    assert_warnings(&report, &[&warning::MOVES]);
    assert_eq!((model.version(), model.frame_count()), (Version::V4_0, 2));
}

fn with_animation(mut scene: Scene, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Scene {
    let track = Track {
        target: Target::Weights(NodeId(0)),
        also: Vec::new(),
        interpolation,
        times: times.to_vec(),
        values: values.to_vec(),
    };
    scene.add_animation(Animation { tracks: vec![track], ..Animation::default() });
    scene
}

#[test]
fn samples_the_keyframes_of_a_blending_animation() {
    let mixing = [0.0, 0.0, 0.5, 0.0, 0.5, 0.0, 0.5, 1.0];
    let scene = with_animation(lifted(&[1.0, 2.0]), Interpolation::Linear, &[0.0, 1.0, 2.0, 3.0], &mixing);
    assert_eq!(
        heights(&imported(&scene, ImportTarget::Animated).0),
        [0.0, 0.0, 0.5, 2.5],
        "keyframes without a change are not frames"
    );
    let spline = [9.0, 1.0, 9.0, 9.0, 0.25, 9.0];
    let scene = with_animation(lifted(&[2.0]), Interpolation::CubicSpline, &[0.0, 1.0], &spline);
    assert_eq!(heights(&imported(&scene, ImportTarget::Animated).0), [0.0, 2.0, 0.5]);
}

#[test]
fn uses_morph_targets_as_frames_if_named_or_shown_in_order() {
    let in_order = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    let scene = with_animation(lifted(&[1.0, 2.0]), Interpolation::Linear, &[0.0, 1.0, 2.0, 3.0], &in_order);
    assert_eq!(heights(&imported(&scene, ImportTarget::Animated).0), [0.0, 1.0, 2.0]);
    let mut named = with_animation(lifted(&[1.0, 2.0]), Interpolation::Linear, &[0.0], &[0.5, 0.5]);
    named.meshes[0].target_names = vec!["frame 1".into(), "frame 2".into()];
    assert_eq!(heights(&imported(&named, ImportTarget::Animated).0), [0.0, 1.0, 2.0]);
}

#[test]
fn named_frames_keep_their_numbers_and_other_shape_keys_follow() {
    let named = |names: &[&str]| {
        let mixing = [0.5, 0.5, 0.0].repeat(2);
        let mut scene = with_animation(lifted(&[1.0, 2.0, 3.0]), Interpolation::Linear, &[0.0, 1.0], &mixing);
        scene.meshes[0].target_names = names.iter().map(|name| (*name).to_owned()).collect();
        scene
    };
    for (names, expected) in [
        (["frame 1", "frame 2", "jump"], [0.0, 1.0, 2.0, 3.0]),
        (["jump", "frame 1", "frame 2"], [0.0, 2.0, 3.0, 1.0]),
        (["frame 2", "frame 1", "frame 1.001"], [0.0, 2.0, 1.0, 3.0]),
        (["frame 1", "frame 1", "frame 2"], [0.0, 1.0, 3.0, 2.0]),
    ] {
        let (model, report) = imported(&named(&names), ImportTarget::Animated);
        assert_eq!(heights(&model), expected, "{names:?}");
        assert_warnings(&report, &[&warning::NEW_FRAME]);
    }
    let (model, report) = imported(&named(&["frame 3", "frame 2", "frame 1"]), ImportTarget::Animated);
    assert_eq!(heights(&model), [0.0, 3.0, 2.0, 1.0]);
    assert_warnings(&report, &[]);
    let read = Read { scene: named(&["frame 1", "frame 4", "frame 3"]), left_out: Vec::new() };
    let error = Model::from_scene(&read, ImportTarget::Animated, None, &mut Report::new()).unwrap_err();
    assert!(error.to_string().contains("\"frame 2\" is missing"), "{error}");
}

#[test]
fn applies_node_transforms_and_corrects_mirrored_winding() {
    let mut scene = scene_of(square(), "D02005");
    scene.nodes[0].translation.x = 1.0;
    scene.nodes[0].scale.z = -1.0;
    let (model, _) = imported(&scene, ImportTarget::Static);
    assert_eq!(model.positions(0)[0], [-20.0, -20.0, 0.0]);
    assert_eq!(model.face_normals(0), [[0.0, 0.0, 1.0]; 2]);
    assert!(model.faces().iter().flat_map(|face| &face.corners).all(|corner| corner.normal.is_none()));
}

#[test]
fn takes_the_texture_from_the_name_the_extras_or_the_image() {
    let texture = |edit: &dyn Fn(&mut Scene)| {
        let mut scene = scene_of(square(), "wood");
        edit(&mut scene);
        let (model, report) = imported(&scene, ImportTarget::Static);
        (model.faces()[0].texture, report)
    };
    let (found, report) = texture(&|_| ());
    assert_eq!(found, FaceTexture::Color(1));
    assert_warnings(&report, &[&warning::NO_TEXTURE]);
    let extras = json::json!({ "bank": 302, "image": 7.0, "texels": [16, 16] });
    let with_extras = |scene: &mut Scene| scene.materials[0].extras = extras.as_object().unwrap().clone();
    let (found, report) = texture(&with_extras);
    assert_eq!(found, FaceTexture::Image { bank: 302, image: 7 });
    assert_warnings(&report, &[]);
    let (found, _) = texture(&|scene| {
        with_extras(scene);
        scene.materials[0].name = "D02009".into();
    });
    assert_eq!(
        found,
        FaceTexture::Image { bank: 302, image: 9 },
        "a new name takes precedence over old extras"
    );
    let (found, _) = texture(&|scene| scene.images[0].name = "D02011.png".into());
    assert_eq!(found, FaceTexture::Image { bank: 302, image: 11 });
    let (found, report) = texture(&|scene| {
        scene.materials[0].name = "D02005".into();
        scene.images[0].name = "D02011".into();
    });
    assert_eq!(found, FaceTexture::Image { bank: 302, image: 5 });
    assert_warnings(&report, &[&warning::IMAGE_DIFFERS]);
    let (found, report) = texture(&|scene| {
        scene.materials[0].name = "color 12".into();
        scene.materials[0].base_color_texture = None;
    });
    assert_eq!(found, FaceTexture::Color(12));
    assert_warnings(&report, &[]);
    let (_, report) = texture(&|scene| {
        scene.materials[0].name = "D02005".into();
        scene.materials[0].base_color_texture = None;
    });
    assert_warnings(&report, &[&warning::NO_SIZE]);
    let (found, report) = texture(&|scene| scene.meshes[0].primitives[0].material = None);
    assert_eq!(found, FaceTexture::Color(1));
    assert_warnings(&report, &[&warning::NO_TEXTURE]);
}

#[test]
fn reports_unsupported_scene_features() {
    let mut scene = scene_of(square(), "D02005");
    scene.materials[0].sidedness = Sidedness::Double;
    assert_warnings(&imported(&scene, ImportTarget::Static).1, &[&warning::ONE_SIDED]);

    let mut scene = scene_of(square(), "D02005");
    scene.add_light(scene::Light {
        name: String::new(),
        kind: scene::LightKind::Point,
        color: [1.0; 3],
        intensity: 1.0,
        range: None,
        extras: scene::Extras::new(),
    });
    assert_warnings(&imported(&scene, ImportTarget::Static).1, &[&warning::IMPORT_LOST]);

    let mut far = square();
    far.positions[0][0] = 1e9;
    let (model, report) = imported(&scene_of(far, "D02005"), ImportTarget::Static);
    assert_warnings(&report, &[&warning::TOO_FAR]);
    assert_eq!(glide(&model).vertices[0][0], i32::MIN);

    let mut steep = square();
    steep.uvs[0][1] = [0.0, 100.0];
    steep.uvs[0][2] = [-4000.0, 1.0];
    assert_warnings(&imported(&scene_of(steep, "D02005"), ImportTarget::Static).1, &[&warning::UV_OVERFLOW]);

    let mut shifted = square();
    shifted.uvs[0].iter_mut().for_each(|[u, _]| *u += 1000.0);
    let (model, report) = imported(&scene_of(shifted, "D02005"), ImportTarget::Static);
    assert_warnings(&report, &[]);
    assert_eq!(model.faces()[0].corners[2].uv, [64.0, 32.0], "the image repeats");

    let mut thin = square();
    thin.positions[2] = [0.0, 1e-6, 0.0];
    let (model, report) = imported(&scene_of(thin, "D02005"), ImportTarget::Static);
    assert_warnings(&report, &[&warning::NO_AREA]);
    assert_eq!(model.face_count(), 1);

    let (model, report) = imported(&Scene::new("empty"), ImportTarget::Static);
    assert_warnings(&report, &[&warning::NO_FACES]);
    assert_eq!(model.face_count(), 0);
}

#[test]
fn refuses_a_scene_with_too_many_faces() {
    let mut many = square();
    many.indices = [0, 1, 2].repeat(1 << 20);
    let mut scene = scene_of(many, "D02005");
    scene.add_root(Node { mesh: scene.nodes[0].mesh, ..Node::default() });
    let read = Read { scene, left_out: Vec::new() };
    let error = Model::from_scene(&read, ImportTarget::Static, None, &mut Report::new()).unwrap_err();
    assert_eq!(error.kind(), record::Kind::Limit);
}
