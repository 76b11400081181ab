//! What is refused, and in which words.

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
fn numbers_that_are_none() {
    let mut primitive = triangle();
    primitive.positions[2][1] = f32::NAN;
    let words = "mesh 0 \"mesh\", primitive 0, positions[2]: the number NaN cannot be written, glTF knows finite numbers only";
    refused(&scene_of(primitive), words);

    let uvs = vec![vec![[0.0; 2]; 3], vec![[0.0, 0.0], [f32::INFINITY, 0.0], [0.0, 0.0]]];
    let words = "mesh 0 \"mesh\", primitive 0, uvs[1][1]: the number inf cannot be written, glTF knows finite numbers only";
    refused(&scene_of(Primitive { uvs, ..triangle() }), words);

    let mut scene = Scene::new("");
    scene.add_root(Node { translation: Vec3::NAN, ..Node::named("lost") });
    refused(
        &scene,
        "node 0 \"lost\", translation: the number NaN cannot be written, glTF knows finite numbers only",
    );
    scene.nodes[0] = Node { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Node::default() };
    refused(&scene, "node 0, rotation: the quaternion is zero, which is no rotation");
}

#[test]
fn lists_that_do_not_fit() {
    let primitive = Primitive { normals: Some(vec![[0.0, 0.0, 1.0]; 2]), ..triangle() };
    refused(&scene_of(primitive), "mesh 0 \"mesh\", primitive 0, normals: 2 items where 3 were expected");
    let primitive = Primitive { indices: vec![0, 1, 2, 0], ..triangle() };
    refused(&scene_of(primitive), "mesh 0 \"mesh\", primitive 0: 4 indices do not make triangles");
    let target = MorphTarget { positions: vec![[0.0; 3]; 3], normals: None };
    let mut scene = scene_of(Primitive { targets: vec![target], ..triangle() });
    scene.meshes[0].primitives.push(triangle());
    refused(&scene, "mesh 0 \"mesh\", primitive 1, targets: 0 items where 1 were expected");
    scene.meshes[0].primitives.pop();
    scene.meshes[0].target_names = vec!["a".into(), "b".into()];
    refused(&scene, "mesh 0 \"mesh\", target_names: 2 items where 1 were expected");
}

#[test]
fn references_to_nothing() {
    let primitive = Primitive { indices: vec![0, 7, 2], ..triangle() };
    refused(
        &scene_of(primitive),
        "mesh 0 \"mesh\", primitive 0, indices[1]: number 7 is out of range, there are 3",
    );
    let primitive = Primitive { material: Some(MaterialId(2)), ..triangle() };
    refused(
        &scene_of(primitive),
        "mesh 0 \"mesh\", primitive 0, material: number 2 is out of range, there are 0",
    );
    let nodes = [
        (
            Node { mesh: Some(MeshId(5)), ..Node::named("node") },
            "node 0 \"node\", mesh: number 5 is out of range, there are 1",
        ),
        (
            Node { light: Some(LightId(0)), ..Node::named("node") },
            "node 0 \"node\", light: number 0 is out of range, there are 0",
        ),
        (
            Node { skin: Some(SkinId(0)), ..Node::named("node") },
            "node 0 \"node\", skin: number 0 is out of range, there are 0",
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
    refused(&scene, "material 0, texture: number 3 is out of range, there are 0");
    scene.meshes[0].primitives[0].material = Some(MaterialId(0));
    let words = "mesh 0 \"mesh\", primitive 0, the set of texture coordinates that material 0 uses: \
                 number 0 is out of range, there are 0";
    refused(&scene, words);
}

#[test]
fn nodes_that_make_no_tree() {
    let mut scene = Scene::new("");
    let a = scene.add_root(Node::named("a"));
    let b = scene.add_child(a, Node::named("b"));
    scene.nodes[b.0].children.push(a);
    refused(&scene, "node 0 \"a\": it is a root and stands below another node");
    scene.roots.clear();
    refused(&scene, "node 0 \"a\": it stands below itself");
    scene.nodes[b.0].children = vec![];
    scene.roots = vec![a, a];
    refused(&scene, "node 0 \"a\": it is a root twice");
    scene.roots = vec![a];
    scene.add_root(Node { children: vec![b], ..Node::named("c") });
    refused(&scene, "node 1 \"b\": it stands below both node 0 \"a\" and node 2 \"c\"");
    scene.nodes[2].children = vec![NodeId(9)];
    refused(&scene, "node 2 \"c\", children: number 9 is out of range, there are 3");
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
    refused(&scene, "material 0 \"wall\": an unlit material has no lightmap");
    scene.materials[0] = Material { base_color: [0.0, 1.5, 0.0, 1.0], ..Material::default() };
    refused(&scene, "material 0, base_color: 1.5 is not within 0 and 1");
}

#[test]
fn lights_that_cannot_be() {
    let mut scene = Scene::new("");
    scene.add_light(Light::default());
    let edits: [(Light, &str); 4] = [
        (
            Light { intensity: -1.0, ..Light::default() },
            "light 0, intensity: -1 is not within 0 and 340282350000000000000000000000000000000",
        ),
        (Light { color: [0.0, 0.0, 2.0], ..Light::default() }, "light 0, color: 2 is not within 0 and 1"),
        (
            Light { kind: LightKind::Directional, range: Some(1.0), ..Light::default() },
            "light 0: a directional light has no range",
        ),
        (
            Light { kind: LightKind::Spot { inner_cone: 0.5, outer_cone: 0.5 }, ..Light::default() },
            "light 0: the inner cone is not smaller than the outer one",
        ),
    ];
    for (light, words) in edits {
        scene.lights[0] = light;
        refused(&scene, words);
    }
}

#[test]
fn tracks_that_cannot_play() {
    let mut scene = scene_of(triangle());
    let (node, linear) = (scene.roots[0], Interpolation::Linear);
    let plain = scene.add_material(Material::default());
    let still = Track::translation(node, linear, [(0.0, Vec3::ZERO)]);
    let tracks: [(Vec<Track>, &str); 7] = [
        (vec![still.clone(), still], "animation 0 \"clip\", track 1: its target has a track already"),
        (
            vec![Track::translation(node, linear, [(1.0, Vec3::ZERO), (1.0, Vec3::ZERO)])],
            "animation 0 \"clip\", track 0, times: they are negative or do not rise strictly",
        ),
        (
            vec![Track::from_keys(Target::Rotation(node), linear, [(0.0, [0.0; 3])])],
            "animation 0 \"clip\", track 0, values: 3 items where 4 were expected",
        ),
        (
            vec![Track::translation(node, Interpolation::CubicSpline, [(0.0, Vec3::ZERO)])],
            "animation 0 \"clip\", track 0: a spline needs two keys at least",
        ),
        (
            vec![Track::from_keys(Target::Weights(node), linear, [(0.0, [0.0])])],
            "animation 0 \"clip\", track 0: the mesh whose weights it animates has no morph targets",
        ),
        (
            vec![Track::from_keys(Target::MaterialUvOffset(plain), linear, [(0.0, [0.0; 2])])],
            "animation 0 \"clip\", track 0: the material whose texture it moves has none",
        ),
        (
            vec![Track::from_keys(Target::Scale(NodeId(4)), linear, [(0.0, [0.0; 3])])],
            "animation 0 \"clip\", track 0, node: number 4 is out of range, there are 1",
        ),
    ];
    for (tracks, words) in tracks {
        scene.animations = vec![Animation { name: "clip".into(), tracks, ..Animation::default() }];
        refused(&scene, words);
    }
}

#[test]
fn skins_that_viewers_would_show_wrong() {
    let influences =
        Some(Influences { joints: vec![[0, 1, 0, 0]; 3], weights: vec![[0.5, 0.5, 0.0, 0.0]; 3] });
    let mut scene = scene_of(Primitive { influences, ..triangle() });
    refused(&scene, "node 0 \"node\": its mesh has joints, but the node has no skin");
    let joint = scene.add_root(Node::named("joint"));
    let inverse_bind = vec![Affine3A::IDENTITY];
    scene.nodes[0].skin = Some(scene.add_skin(Skin { joints: vec![joint], inverse_bind, ..Skin::default() }));
    refused(
        &scene,
        "node 0 \"node\", joints of primitive 0 of its mesh: number 1 is out of range, there are 1",
    );
    let second = scene.add_root(Node::named("second"));
    scene.skins[0].joints.push(second);
    refused(&scene, "skin 0: its joints do not stand below one node");
    scene.roots.pop();
    scene.nodes[joint.0].children.push(second);
    refused(&scene, "skin 0, inverse_bind: 1 items where 2 were expected");
    scene.skins[0].inverse_bind.clear();
    assert!(write_glb(&scene).is_ok());
    scene.nodes[0].translation.x = 1.0;
    let words = "node 0 \"node\": a skinned mesh stands on a root without a transform of its own, since viewers ignore one";
    refused(&scene, words);
}

#[test]
fn an_image_that_is_not_what_it_says() {
    let mut scene = Scene::new("");
    let mut image = placeholder("wall");
    image.encoded.kind = ImageKind::Jpeg;
    scene.add_image(image);
    refused(&scene, "image 0 \"wall\": its bytes are not image/jpeg, as it says");
}

#[test]
fn a_stem_that_is_no_file_name() {
    let error = write_gltf(&Scene::new(""), "../up").unwrap_err();
    assert_eq!(error.to_string(), "stem \"../up\": it is not a file name");
}
