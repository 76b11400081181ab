//! Any small scene is either written correctly or refused.

use glam::{Quat, Vec3};
use proptest::{collection::vec, prelude::*};

use super::reader::Glb;
use crate::{
    AlphaMode, Animation, Image, ImageId, Interpolation, Material, MaterialId, Mesh, MeshId, MorphTarget,
    Node, NodeId, Primitive, Sampler, Scene, Shading, Target, Texture, TextureId, TextureRef, Track,
    gltf::{write_glb, write_gltf},
    image::placeholder,
};

/// Mostly finite, occasionally infinite or NaN.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![1000 => -1e6_f32..1e6, 1 => any::<f32>(), 1 => Just(f32::NAN), 1 => Just(f32::INFINITY)]
}

fn vector() -> impl Strategy<Value = [f32; 3]> {
    [number(), number(), number()]
}

/// A placeholder for an index into a list whose length is not known yet.
fn index() -> impl Strategy<Value = usize> {
    prop_oneof![200 => 0_usize..8, 1 => Just(BEYOND)]
}

/// An index beyond the end of any list in these tests.
const BEYOND: usize = 100;

/// Converts a placeholder to an index into a list of this length; `None` if the list is empty, and occasionally an
/// index beyond its end.
fn resolve(index: usize, count: usize) -> Option<usize> {
    if index == BEYOND { Some(BEYOND) } else { index.checked_rem(count) }
}

prop_compose! {
    fn primitive()(vertices in 0_usize..9)(
        positions in vec(vector(), vertices),
        normals in proptest::option::of(vec(vector(), vertices)),
        uvs in vec(vec([number(), number()], vertices), 1..3),
        colors in proptest::option::of(vec([number(), number(), number(), number()], vertices)),
        triangles in vec([0..vertices.max(1) as u32, 0..vertices.max(1) as u32, 0..vertices.max(1) as u32], 0..4),
        material in proptest::option::of(index().prop_map(MaterialId)),
        target in vec(vector(), vertices),
    ) -> Primitive {
        let indices = triangles.concat();
        let targets = vec![MorphTarget { positions: target, normals: None }];
        Primitive { positions, normals, uvs, colors, indices, material, targets, ..Primitive::default() }
    }
}

prop_compose! {
    fn material()(
        base_color in [0.0_f32..=1.0, 0.0..=1.0, 0.0..=1.0, 0.0..=1.0],
        texture in proptest::option::of(index().prop_map(TextureId)),
        uv_set in prop_oneof![20 => Just(0), 1 => Just(1)],
        mask in proptest::option::of(number()),
        unlit in any::<bool>(),
    ) -> Material {
        Material {
            base_color,
            base_color_texture: texture.map(|texture| TextureRef::on_set(texture, uv_set)),
            alpha: mask.map_or(AlphaMode::Opaque, |cutoff| AlphaMode::Mask(cutoff.abs())),
            shading: if unlit { Shading::Unlit } else { Shading::Lit },
            ..Material::default()
        }
    }
}

prop_compose! {
    fn node()(
        name in "[a-z]{0,3}",
        translation in vector(),
        rotation in [number(), number(), number(), number()],
        scale in vector(),
        mesh in proptest::option::of(index().prop_map(MeshId)),
    ) -> Node {
        let (translation, scale) = (Vec3::from_array(translation), Vec3::from_array(scale));
        Node { name, translation, rotation: Quat::from_array(rotation), scale, mesh, ..Node::default() }
    }
}

fn track() -> impl Strategy<Value = Track> {
    let target = prop_oneof![
        index().prop_map(|node| (Target::Translation(NodeId(node)), 3)),
        index().prop_map(|node| (Target::Rotation(NodeId(node)), 4)),
        index().prop_map(|node| (Target::Weights(NodeId(node)), 1)),
        index().prop_map(|material| (Target::MaterialUvOffset(MaterialId(material)), 2)),
        index().prop_map(|material| (Target::MaterialBaseColor(MaterialId(material)), 4)),
    ];
    (target, 0_usize..4).prop_flat_map(|((target, width), keys)| {
        vec(number(), keys * width).prop_map(move |values| Track {
            target,
            also: Vec::new(),
            interpolation: Interpolation::Linear,
            times: (0..keys).map(|key| key as f32 * 0.25).collect(),
            values,
        })
    })
}

prop_compose! {
    pub(in crate::gltf) fn scene()(
        roots in vec(node(), 0..4),
        children in vec((index(), node()), 0..4),
        meshes in vec(vec(primitive(), 0..3), 0..3),
        materials in vec(material(), 0..3),
        textures in vec(index(), 0..3),
        tracks in vec(track(), 0..3),
    ) -> Scene {
        let mut scene = Scene::new("arbitrary");
        for node in roots {
            scene.add_root(node);
        }
        for (parent, node) in children {
            match resolve(parent, scene.nodes.len()) {
                Some(parent) => scene.add_child(NodeId(parent), node),
                None => scene.add_root(node),
            };
        }
        scene.meshes.extend(meshes.into_iter().map(|primitives| Mesh { primitives, ..Mesh::default() }));
        scene.materials = materials;
        for (index, image) in textures.into_iter().enumerate() {
            scene.add_image(Image { name: format!("{index}"), ..placeholder("") });
            let image = ImageId(resolve(image, scene.images.len()).unwrap());
            scene.add_texture(Texture { name: String::new(), image, sampler: Sampler::default() });
        }
        resolve_references(&mut scene);
        let tracks = tracks.into_iter().filter_map(|track| resolve_target(&scene, track)).collect();
        scene.add_animation(Animation { tracks, ..Animation::default() });
        scene
    }
}

/// Resolves references to lists whose lengths are known now.
fn resolve_references(scene: &mut Scene) {
    let (meshes, materials, textures) = (scene.meshes.len(), scene.materials.len(), scene.textures.len());
    for node in &mut scene.nodes {
        node.mesh = node.mesh.and_then(|mesh| resolve(mesh.0, meshes)).map(MeshId);
    }
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material =
            primitive.material.and_then(|material| resolve(material.0, materials)).map(MaterialId);
    }
    for material in &mut scene.materials {
        let texture = material.base_color_texture.take();
        material.base_color_texture = texture.and_then(|texture| {
            Some(TextureRef { texture: TextureId(resolve(texture.texture.0, textures)?), ..texture })
        });
    }
}

/// Resolves the target of a track; `None` if there is nothing to animate.
fn resolve_target(scene: &Scene, track: Track) -> Option<Track> {
    let node = |node: NodeId| resolve(node.0, scene.nodes.len()).map(NodeId);
    let material = |material: MaterialId| resolve(material.0, scene.materials.len()).map(MaterialId);
    let target = match track.target {
        Target::Translation(id) => Target::Translation(node(id)?),
        Target::Rotation(id) => Target::Rotation(node(id)?),
        Target::Weights(id) => Target::Weights(node(id)?),
        Target::MaterialUvOffset(id) => Target::MaterialUvOffset(material(id)?),
        Target::MaterialBaseColor(id) => Target::MaterialBaseColor(material(id)?),
        other => other,
    };
    Some(Track { target, ..track })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn writes_any_scene_correctly_or_refuses_it(scene in scene()) {
        match write_glb(&scene) {
            Ok(glb) => {
                Glb::read(&glb).check();
                prop_assert_eq!(glb, write_glb(&scene).unwrap());
                let files = write_gltf(&scene, "any").unwrap();
                let json: json::Value = json::from_slice(&files[0].1).unwrap();
                prop_assert_eq!(&json["asset"]["version"], "2.0");
            }
            Err(error) => prop_assert!(error.to_string().len() > 10),
        }
    }
}
