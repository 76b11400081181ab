//! Invalid scenes, and the error messages for them.

use glam::{Affine3A, Quat, Vec3};

use super::{scene_of, triangle};
use crate::{
    Animation, Influences, Interpolation, Light, LightId, LightKind, Lightmap, Material, MaterialId, MeshId,
    MorphTarget, Node, NodeId, Primitive, Scene, Shading, Skin, SkinId, Target, TextureId, TextureRef, Track,
    gltf::{write_glb, write_gltf},
    image::{ImageKind, placeholder},
};

#[track_caller]
fn refused(scene: &Scene, words: &str) {
    assert_eq!(write_glb(scene).unwrap_err().to_string(), words);
}

#[test]
fn non_finite_numbers() {
    let mut primitive = triangle();
    primitive.positions[2][1] = f32::NAN;
    let words = "mesh 0 \"mesh\", primitive 0, positions[2]: NaN cannot be written, because glTF allows only finite numbers";
    refused(&scene_of(primitive), words);

    let uvs = vec![vec![[0.0; 2]; 3], vec![[0.0, 0.0], [f32::INFINITY, 0.0], [0.0, 0.0]]];
    let words = "mesh 0 \"mesh\", primitive 0, uvs[1][1]: inf cannot be written, because glTF allows only finite numbers";
    refused(&scene_of(Primitive { uvs, ..triangle() }), words);

    let mut scene = Scene::new("");
    scene.add_root(Node { translation: Vec3::NAN, ..Node::named("lost") });
    refused(
        &scene,
        "node 0 \"lost\", translation: NaN cannot be written, because glTF allows only finite numbers",
    );
    scene.nodes[0] = Node { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Node::default() };
    refused(&scene, "node 0, rotation: the rotation quaternion is zero");
}

#[test]
fn mismatched_list_lengths() {
    let primitive = Primitive { normals: Some(vec![[0.0, 0.0, 1.0]; 2]), ..triangle() };
    refused(&scene_of(primitive), "mesh 0 \"mesh\", primitive 0, normals: expected 3 items, found 2");
    let primitive = Primitive { indices: vec![0, 1, 2, 0], ..triangle() };
    refused(&scene_of(primitive), "mesh 0 \"mesh\", primitive 0: 4 indices are not a multiple of 3");
    let target = MorphTarget { positions: vec![[0.0; 3]; 3], normals: None };
    let mut scene = scene_of(Primitive { targets: vec![target], ..triangle() });
    scene.meshes[0].primitives.push(triangle());
    refused(&scene, "mesh 0 \"mesh\", primitive 1, targets: expected 1 items, found 0");
    scene.meshes[0].primitives.pop();
    scene.meshes[0].target_names = vec!["a".into(), "b".into()];
    refused(&scene, "mesh 0 \"mesh\", target_names: expected 1 items, found 2");
}

#[test]
fn dangling_references() {
    let primitive = Primitive { indices: vec![0, 7, 2], ..triangle() };
    refused(
        &scene_of(primitive),
        "mesh 0 \"mesh\", primitive 0, indices[1]: index 7 is out of range (count: 3)",
    );
    let primitive = Primitive { material: Some(MaterialId(2)), ..triangle() };
    refused(
        &scene_of(primitive),
        "mesh 0 \"mesh\", primitive 0, material: index 2 is out of range (count: 0)",
    );
    let nodes = [
        (
            Node { mesh: Some(MeshId(5)), ..Node::named("node") },
            "node 0 \"node\", mesh: index 5 is out of range (count: 1)",
        ),
        (
            Node { light: Some(LightId(0)), ..Node::named("node") },
            "node 0 \"node\", light: index 0 is out of range (count: 0)",
        ),
        (
            Node { skin: Some(SkinId(0)), ..Node::named("node") },
            "node 0 \"node\", skin: index 0 is out of range (count: 0)",
        ),
    ];
    for (node, words) in nodes {
        let mut scene = scene_of(triangle());
        scene.nodes[0] = node;
        refused(&scene, words);
    }
    let mut scene = scene_of(triangle());
    let texture = Some(TextureRef::new(TextureId(3)));
    scene.add_material(Material { base_color_texture: texture, ..Material::default() });
    refused(&scene, "material 0, texture: index 3 is out of range (count: 0)");
    scene.meshes[0].primitives[0].material = Some(MaterialId(0));
    let words = "mesh 0 \"mesh\", primitive 0, the set of texture coordinates that material 0 uses: \
                 index 0 is out of range (count: 0)";
    refused(&scene, words);
}

#[test]
fn nodes_that_are_not_a_tree() {
    let mut scene = Scene::new("");
    let a = scene.add_root(Node::named("a"));
    let b = scene.add_child(a, Node::named("b"));
    scene.nodes[b.0].children.push(a);
    refused(&scene, "node 0 \"a\": it is a root and a child of another node");
    scene.roots.clear();
    refused(&scene, "node 0 \"a\": it is its own ancestor");
    scene.nodes[b.0].children = vec![];
    scene.roots = vec![a, a];
    refused(&scene, "node 0 \"a\": it is listed as a root twice");
    scene.roots = vec![a];
    scene.add_root(Node { children: vec![b], ..Node::named("c") });
    refused(&scene, "node 1 \"b\": it is a child of both node 0 \"a\" and node 2 \"c\"");
    scene.nodes[2].children = vec![NodeId(9)];
    refused(&scene, "node 2 \"c\", children: index 9 is out of range (count: 3)");
}

#[test]
fn a_lightmap_on_an_unlit_material() {
    let mut scene = Scene::new("");
    let lightmap = Some(Lightmap { texture: TextureRef::new(TextureId(0)), intensity: 1.0 });
    scene.add_material(Material {
        name: "wall".into(),
        shading: Shading::Unlit,
        lightmap,
        ..Material::default()
    });
    refused(&scene, "material 0 \"wall\": an unlit material cannot have a lightmap");
    scene.materials[0] = Material { base_color: [0.0, 1.5, 0.0, 1.0], ..Material::default() };
    refused(&scene, "material 0, base_color: 1.5 is not between 0 and 1");
}

#[test]
fn invalid_lights() {
    let mut scene = Scene::new("");
    scene.add_light(Light::default());
    let edits: [(Light, &str); 4] = [
        (
            Light { intensity: -1.0, ..Light::default() },
            "light 0, intensity: -1 is not between 0 and 340282350000000000000000000000000000000",
        ),
        (Light { color: [0.0, 0.0, 2.0], ..Light::default() }, "light 0, color: 2 is not between 0 and 1"),
        (
            Light { kind: LightKind::Directional, range: Some(1.0), ..Light::default() },
            "light 0: a directional light cannot have a range",
        ),
        (
            Light { kind: LightKind::Spot { inner_cone: 0.5, outer_cone: 0.5 }, ..Light::default() },
            "light 0: the inner cone must be smaller than the outer cone",
        ),
    ];
    for (light, words) in edits {
        scene.lights[0] = light;
        refused(&scene, words);
    }
}

#[test]
fn invalid_tracks() {
    let mut scene = scene_of(triangle());
    let (node, linear) = (scene.roots[0], Interpolation::Linear);
    let plain = scene.add_material(Material::default());
    let still = Track::translation(node, linear, [(0.0, Vec3::ZERO)]);
    let tracks: [(Vec<Track>, &str); 7] = [
        (vec![still.clone(), still], "animation 0 \"clip\", track 1: its target already has a track"),
        (
            vec![Track::translation(node, linear, [(1.0, Vec3::ZERO), (1.0, Vec3::ZERO)])],
            "animation 0 \"clip\", track 0, times: they are negative or not strictly increasing",
        ),
        (
            vec![Track::from_keys(Target::Rotation(node), linear, [(0.0, [0.0; 3])])],
            "animation 0 \"clip\", track 0, values: expected 4 items, found 3",
        ),
        (
            vec![Track::translation(node, Interpolation::CubicSpline, [(0.0, Vec3::ZERO)])],
            "animation 0 \"clip\", track 0: a spline needs at least two keyframes",
        ),
        (
            vec![Track::from_keys(Target::Weights(node), linear, [(0.0, [0.0])])],
            "animation 0 \"clip\", track 0: it animates the weights of a mesh without morph targets",
        ),
        (
            vec![Track::from_keys(Target::MaterialUvOffset(plain), linear, [(0.0, [0.0; 2])])],
            "animation 0 \"clip\", track 0: it animates the texture of a material without one",
        ),
        (
            vec![Track::from_keys(Target::Scale(NodeId(4)), linear, [(0.0, [0.0; 3])])],
            "animation 0 \"clip\", track 0, node: index 4 is out of range (count: 1)",
        ),
    ];
    for (tracks, words) in tracks {
        scene.animations = vec![Animation { name: "clip".into(), tracks, ..Animation::default() }];
        refused(&scene, words);
    }
}

#[test]
fn invalid_skins() {
    let influences =
        Some(Influences { joints: vec![[0, 1, 0, 0]; 3], weights: vec![[0.5, 0.5, 0.0, 0.0]; 3] });
    let mut scene = scene_of(Primitive { influences, ..triangle() });
    refused(&scene, "node 0 \"node\": its mesh has joints, but the node has no skin");
    let joint = scene.add_root(Node::named("joint"));
    let inverse_bind = vec![Affine3A::IDENTITY];
    scene.nodes[0].skin = Some(scene.add_skin(Skin { joints: vec![joint], inverse_bind, ..Skin::default() }));
    refused(&scene, "node 0 \"node\", joints of primitive 0 of its mesh: index 1 is out of range (count: 1)");
    let second = scene.add_root(Node::named("second"));
    scene.skins[0].joints.push(second);
    refused(&scene, "skin 0: its joints have no common root");
    scene.roots.pop();
    scene.nodes[joint.0].children.push(second);
    refused(&scene, "skin 0, inverse_bind: expected 2 items, found 1");
    scene.skins[0].inverse_bind.clear();
    assert!(write_glb(&scene).is_ok());
    scene.nodes[0].translation.x = 1.0;
    let words = "node 0 \"node\": a node with a skinned mesh must be a root without a transform, because viewers ignore it";
    refused(&scene, words);
}

#[test]
fn an_image_with_the_wrong_media_type() {
    let mut scene = Scene::new("");
    let mut image = placeholder("wall");
    image.encoded.kind = ImageKind::Jpeg;
    scene.add_image(image);
    refused(&scene, "image 0 \"wall\": its data is not image/jpeg, as declared");
}

#[test]
fn a_stem_that_is_not_a_file_name() {
    let error = write_gltf(&Scene::new(""), "../up").unwrap_err();
    assert_eq!(error.to_string(), "stem \"../up\": it is not a file name");
}
