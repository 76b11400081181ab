//! Conversion of a scene to one static mesh in its rest pose, to be placed many times in another scene.

use std::collections::BTreeMap;

use glam::{Affine3A, Mat3A, Vec3};

use crate::import::Importer;
use crate::{Influences, MaterialId, Mesh, MeshId, Node, NodeId, Primitive, Scene, Skin, Topology};

impl Scene {
    /// Adds everything another scene shows in its rest pose as one mesh, named after the other scene. Parts with the
    /// same material are merged into one primitive. Materials, textures and images are copied; existing ones are not
    /// added again.
    ///
    /// Lights, animations, morph targets, tangents, and `extras` of nodes and primitives are dropped. Where a node
    /// mirrors its mesh, the winding of the triangles is reversed, so that front faces stay front faces, as in glTF.
    /// `None` if nothing is shown.
    pub fn add_static_copy(&mut self, other: &Self) -> Option<MeshId> {
        let mut merged = MergedPrimitives::default();
        let transforms = other.world_transforms();
        let by_node: BTreeMap<NodeId, Affine3A> = transforms.iter().copied().collect();
        for (index, matrix) in transforms {
            let Some(node) = other.nodes.get(index.0) else { continue };
            let Some(mesh) = node.mesh.and_then(|mesh| other.meshes.get(mesh.0)) else { continue };
            let bones = other.joint_matrices(node, &by_node);
            for primitive in mesh.primitives.iter().filter(|primitive| !primitive.is_empty()) {
                merged.add(primitive, &MeshTransform { matrix, bones: bones.as_deref() });
            }
        }
        if merged.primitives.is_empty() {
            return None;
        }
        let mut importer = Importer::new(other);
        let mut primitives = merged.primitives;
        for primitive in &mut primitives {
            primitive.material = primitive.material.and_then(|material| importer.material(material, self));
        }
        Some(self.add_mesh(Mesh { name: other.name.clone(), primitives, ..Mesh::default() }))
    }

    /// Returns all nodes that are reachable from the roots, parents first, with the transform from their space to the
    /// scene's.
    #[must_use]
    pub fn world_transforms(&self) -> Vec<(NodeId, Affine3A)> {
        self.world_transforms_with(|_, node| node.to_parent())
    }

    /// Like [`Scene::world_transforms`], with a function that returns each node's transform to its parent's space.
    pub fn world_transforms_with(
        &self,
        local: impl Fn(NodeId, &Node) -> Affine3A,
    ) -> Vec<(NodeId, Affine3A)> {
        let mut transforms = Vec::with_capacity(self.nodes.len());
        let mut visited = vec![false; self.nodes.len()];
        let mut stack: Vec<(NodeId, Affine3A)> =
            self.roots.iter().rev().map(|root| (*root, Affine3A::IDENTITY)).collect();
        while let Some((id, parent)) = stack.pop() {
            let (Some(node), Some(visited)) = (self.nodes.get(id.0), visited.get_mut(id.0)) else { continue };
            // A node that is reached twice violates the tree structure; it counts once.
            if std::mem::replace(visited, true) {
                continue;
            }
            let place = parent * local(id, node);
            transforms.push((id, place));
            stack.extend(node.children.iter().rev().map(|child| (*child, place)));
        }
        transforms
    }

    /// Returns the matrices by which the joints of a node's skin transform its mesh in the rest pose; `None` without a
    /// skin.
    pub fn joint_matrices(
        &self,
        node: &Node,
        transforms: &BTreeMap<NodeId, Affine3A>,
    ) -> Option<Vec<Affine3A>> {
        let skin: &Skin = self.skins.get(node.skin?.0)?;
        let bind = |index: usize| skin.inverse_bind.get(index).copied().unwrap_or(Affine3A::IDENTITY);
        let joints = skin.joints.iter().enumerate();
        Some(
            joints
                .map(|(index, joint)| {
                    transforms.get(joint).copied().unwrap_or(Affine3A::IDENTITY) * bind(index)
                })
                .collect(),
        )
    }
}

/// The transform of a mesh to the space of the scene.
#[derive(Debug, Clone, Copy)]
pub struct MeshTransform<'a> {
    /// The node's transform.
    pub matrix: Affine3A,
    /// The matrices of the joints. With a skin, the joints place the mesh, and its node does not.
    pub bones: Option<&'a [Affine3A]>,
}

impl MeshTransform<'_> {
    /// Returns the matrix that transforms one vertex.
    pub fn vertex_matrix(&self, vertex: usize, influences: Option<&Influences>) -> Affine3A {
        let (Some(bones), Some(influences)) = (self.bones, influences) else { return self.matrix };
        let (Some(joints), Some(weights)) = (influences.joints.get(vertex), influences.weights.get(vertex))
        else {
            return self.matrix;
        };
        let total: f32 = weights.iter().sum();
        if total <= 0.0 {
            return self.matrix;
        }
        let mut sum = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3::ZERO.into() };
        for (joint, weight) in joints.iter().zip(weights) {
            let bone = bones.get(usize::from(*joint)).copied().unwrap_or(Affine3A::IDENTITY);
            sum.matrix3 += bone.matrix3 * (*weight / total);
            sum.translation += bone.translation * (*weight / total);
        }
        sum
    }

    /// Whether the transform mirrors the mesh.
    pub fn is_mirrored(&self) -> bool {
        self.bones.is_none() && self.matrix.matrix3.determinant() < 0.0
    }
}

/// The properties that two primitives must share to be merged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    material: Option<MaterialId>,
    has_normals: bool,
    has_colors: bool,
    uv_sets: usize,
    topology: Topology,
}

#[derive(Default)]
struct MergedPrimitives {
    primitives: Vec<Primitive>,
    by_kind: BTreeMap<Kind, usize>,
}

impl MergedPrimitives {
    fn add(&mut self, part: &Primitive, transform: &MeshTransform<'_>) {
        let kind = Kind {
            material: part.material,
            has_normals: part.normals.is_some(),
            has_colors: part.colors.is_some(),
            uv_sets: part.uvs.len(),
            topology: part.topology,
        };
        let next = self.primitives.len();
        let index = *self.by_kind.entry(kind).or_insert(next);
        if index == next {
            self.primitives.push(Primitive {
                material: part.material,
                normals: part.normals.is_some().then(Vec::new),
                colors: part.colors.is_some().then(Vec::new),
                uvs: vec![Vec::new(); part.uvs.len()],
                topology: part.topology,
                ..Primitive::default()
            });
        }
        if let Some(merged) = self.primitives.get_mut(index) {
            append(merged, part, transform);
        }
    }
}

fn append(merged: &mut Primitive, part: &Primitive, transform: &MeshTransform<'_>) {
    // More vertices than an index can address do not fit into one primitive; nothing this large is ever placed.
    let Ok(first) = u32::try_from(merged.positions.len()) else { return };
    for (vertex, position) in part.positions.iter().enumerate() {
        let matrix = transform.vertex_matrix(vertex, part.influences.as_ref());
        merged.positions.push(matrix.transform_point3(Vec3::from(*position)).to_array());
        if let (Some(merged), Some(normal)) =
            (&mut merged.normals, part.normals.as_ref().and_then(|normals| normals.get(vertex)))
        {
            merged.push((cofactor(matrix.matrix3) * Vec3::from(*normal)).normalize_or_zero().to_array());
        }
    }
    for (merged, part) in merged.uvs.iter_mut().zip(&part.uvs) {
        merged.extend_from_slice(part);
    }
    if let (Some(merged), Some(part)) = (&mut merged.colors, &part.colors) {
        merged.extend_from_slice(part);
    }
    let (triangles, _) = match part.topology {
        Topology::Triangles => part.indices.as_chunks::<3>(),
        Topology::Lines => {
            merged.indices.extend(part.indices.iter().map(|corner| first.saturating_add(*corner)));
            return;
        }
    };
    for [a, b, c] in triangles {
        let turned = if transform.is_mirrored() { [a, c, b] } else { [a, b, c] };
        merged.indices.extend(turned.map(|corner| first.saturating_add(*corner)));
    }
}

/// Returns the matrix that transforms normals, except for their length; it is also defined for flat matrices. A
/// mirroring matrix flips normals together with their triangles.
pub fn cofactor(matrix: Mat3A) -> Mat3A {
    let (x, y, z) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    let sign = if matrix.determinant() < 0.0 { -1.0 } else { 1.0 };
    Mat3A::from_cols(y.cross(z) * sign, z.cross(x) * sign, x.cross(y) * sign)
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::{Light, Material, Texture, TextureRef, image::placeholder};

    fn triangle(material: Option<MaterialId>) -> Primitive {
        Primitive {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
            indices: vec![0, 1, 2],
            material,
            ..Primitive::default()
        }
    }

    fn shown(scene: &Scene, mesh: MeshId) -> &[Primitive] {
        &scene.meshes[mesh.0].primitives
    }

    #[test]
    fn merges_parts_of_one_material_in_world_space() {
        let mut prop = Scene::new("lamp");
        let image = prop.add_image(placeholder("shade"));
        let texture =
            prop.add_texture(Texture { name: "shade".into(), image, sampler: crate::Sampler::default() });
        let material = prop.add_material(Material {
            name: "glass".into(),
            base_color_texture: Some(TextureRef::new(texture)),
            ..Material::default()
        });
        let mesh = prop
            .add_mesh(Mesh { primitives: vec![triangle(Some(material)), triangle(None)], ..Mesh::default() });
        let root = prop.add_root(Node { translation: Vec3::Y, ..Node::named("root") });
        let light = prop.add_light(Light::default());
        for x in [10.0, 20.0] {
            let translation = Vec3::new(x, 0.0, 0.0);
            let node = Node { translation, mesh: Some(mesh), light: Some(light), ..Node::default() };
            prop.add_child(root, node);
        }

        let mut room = Scene::new("room");
        room.add_image(placeholder("wall"));
        room.add_material(Material::default());
        let still = room.add_static_copy(&prop).unwrap();
        let [glass, plain] = shown(&room, still) else { panic!("two materials, two primitives") };
        assert_eq!(glass.positions[0], [10.0, 1.0, 0.0]);
        assert_eq!(glass.positions[4], [21.0, 1.0, 0.0]);
        assert_eq!(glass.indices, [0, 1, 2, 3, 4, 5]);
        assert_eq!(plain.indices.len(), 6);
        assert_eq!((glass.material, plain.material), (Some(MaterialId(1)), None));
        let texture = room.materials[1].base_color_texture.unwrap().texture;
        assert_eq!(room.images[room.textures[texture.0].image.0].name, "shade");
        assert!(room.lights.is_empty());
        assert_eq!(room.meshes[still.0].name, "lamp");

        room.add_static_copy(&prop).unwrap();
        assert_eq!(room.images.len(), 2, "an image is copied once");
    }

    #[test]
    fn keeps_the_front_faces_of_mirrored_parts() {
        let mut prop = Scene::new("mirrored");
        let mesh = prop.add_mesh(Mesh { primitives: vec![triangle(None)], ..Mesh::default() });
        prop.add_root(Node { scale: Vec3::new(-2.0, 1.0, 1.0), mesh: Some(mesh), ..Node::default() });
        let mut room = Scene::new("room");
        let still = room.add_static_copy(&prop).unwrap();
        let part = &shown(&room, still)[0];
        let corners: Vec<Vec3> = part
            .indices
            .iter()
            .map(|corner| Vec3::from(part.positions[usize::try_from(*corner).unwrap()]))
            .collect();
        let faces = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
        assert_eq!(faces, Vec3::Z);
        assert_eq!(part.normals.as_ref().unwrap()[0], [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_skinned_mesh_ignores_its_node_transform() {
        let mut prop = Scene::new("skinned");
        let bone = prop.add_root(Node {
            translation: Vec3::new(0.0, 5.0, 0.0),
            rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
            ..Node::named("bone")
        });
        let skin = prop.add_skin(Skin {
            joints: vec![bone],
            inverse_bind: vec![Affine3A::from_translation(Vec3::new(0.0, -1.0, 0.0))],
            ..Skin::default()
        });
        let influences = Influences { joints: vec![[0; 4]; 3], weights: vec![[2.0, 0.0, 0.0, 0.0]; 3] };
        let part = Primitive { influences: Some(influences), ..triangle(None) };
        let mesh = prop.add_mesh(Mesh { primitives: vec![part], ..Mesh::default() });
        let node = Node { translation: Vec3::ONE, mesh: Some(mesh), skin: Some(skin), ..Node::named("worn") };
        prop.add_root(node);
        let mut room = Scene::new("room");
        let still = room.add_static_copy(&prop).unwrap();
        let part = &shown(&room, still)[0];
        assert!(Vec3::from(part.positions[0]).abs_diff_eq(Vec3::new(1.0, 5.0, 0.0), 1e-6));
        assert!(Vec3::from(part.positions[1]).abs_diff_eq(Vec3::new(1.0, 6.0, 0.0), 1e-6));
        assert!(part.influences.is_none());
    }

    #[test]
    fn returns_none_for_an_empty_scene_and_terminates_on_cycles() {
        let mut prop = Scene::new("nothing");
        let root = prop.add_root(Node::named("a"));
        let child = prop.add_child(root, Node::named("b"));
        prop.nodes[child.0].children.push(root);
        assert_eq!(Scene::new("room").add_static_copy(&prop), None);
    }
}
