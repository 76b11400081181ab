//! Mirrored meshes.

use std::collections::BTreeMap;

use scene::{MeshId, NodeId, Primitive, Scene};

/// Flips meshes whose nodes mirror them.
///
/// Blitz3D and DirectX draw a mirrored mesh inside out: front and back of its triangles are swapped, and so are its normals. glTF
/// flips the triangles back, so that fronts stay fronts. Flipping the mesh here cancels that out, so that it looks like in the
/// game.
pub(crate) fn flip_mirrored_meshes(scene: &mut Scene) {
    let mut uses: BTreeMap<MeshId, MeshUses> = BTreeMap::new();
    for (id, matrix) in scene.world_transforms() {
        let Some(node) = scene.nodes.get(id.0) else { continue };
        let Some(mesh) = node.mesh else { continue };
        // A skinned mesh is not transformed by its node.
        let is_mirrored = node.skin.is_none() && matrix.matrix3.determinant() < 0.0;
        let uses = uses.entry(mesh).or_default();
        if is_mirrored {
            uses.mirrored.push(id);
        } else {
            uses.is_used_unmirrored = true;
        }
    }
    for (mesh, uses) in uses.into_iter().filter(|(_, uses)| !uses.mirrored.is_empty()) {
        let flipped = if uses.is_used_unmirrored {
            let copy = scene.meshes.get(mesh.0).cloned().unwrap_or_default();
            scene.add_mesh(copy)
        } else {
            mesh
        };
        if let Some(mesh) = scene.meshes.get_mut(flipped.0) {
            mesh.primitives.iter_mut().for_each(Primitive::flip_winding);
        }
        for node in uses.mirrored {
            if let Some(node) = scene.nodes.get_mut(node.0) {
                node.mesh = Some(flipped);
            }
        }
    }
}

/// The nodes that use a mesh.
#[derive(Default)]
struct MeshUses {
    mirrored: Vec<NodeId>,
    is_used_unmirrored: bool,
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use scene::{Mesh, Node};

    use super::*;

    #[test]
    fn flips_only_mirrored_meshes() {
        let mut scene = Scene::new("pair");
        let part = Primitive {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        let mesh = scene.add_mesh(Mesh { primitives: vec![part], ..Mesh::default() });
        let shown = |x: f32| Node { scale: Vec3::new(x, 1.0, 1.0), mesh: Some(mesh), ..Node::default() };
        let upright = scene.add_root(shown(1.0));
        let mirrored = scene.add_root(shown(-1.0));
        let twice = scene.add_child(mirrored, shown(-2.0));
        flip_mirrored_meshes(&mut scene);
        assert_eq!([upright, twice].map(|id| scene.nodes[id.0].mesh), [Some(mesh); 2]);
        let flipped = scene.nodes[mirrored.0].mesh.unwrap();
        let part = &scene.meshes[flipped.0].primitives[0];
        assert_eq!(
            (&part.indices[..], part.normals.as_ref().unwrap()[0]),
            (&[0, 2, 1][..], [0.0, 0.0, -1.0])
        );
    }
}
