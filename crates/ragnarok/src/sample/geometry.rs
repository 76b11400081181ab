//! Meshes of the sample: boxes with a scaled top, in the axes of any version.

use glam::Vec3;

use super::TEXTURES;
use crate::rsm::Name;
use crate::rsm::{Face, Groups, Mesh, TextureVertex, Version};

/// A corner: position and texture coordinates.
pub(super) type Corner = ([f32; 3], [f32; 2]);

/// An axis-aligned box in the axes of glTF.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// Half of the width, height and depth.
    pub(super) half: [f32; 3],
    pub(super) center: [f32; 3],
    /// Width and depth of the top, relative to the bottom.
    pub(super) top: [f32; 2],
}

impl Block {
    pub(super) fn new(half: [f32; 3], center: [f32; 3]) -> Self {
        Self { half, center, top: [1.0; 2] }
    }
}

/// Builds meshes of one version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Build {
    pub(super) version: Version,
}

impl Build {
    /// Sign of the up direction: 1 since 2.2, -1 before.
    pub(super) fn up(self) -> f32 {
        if self.version.is_absolute() { 1.0 } else { -1.0 }
    }

    /// Returns the six sides of a block, facing outward, with upright textures.
    pub(super) fn sides(self, block: Block) -> Vec<[Corner; 4]> {
        // The right and up directions of each side's texture, seen from outside, in the axes of glTF.
        const SIDES: [[[f32; 3]; 2]; 6] = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
            [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
            [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
            [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        ];
        let (half, center) = (Vec3::from(block.half), Vec3::from(block.center));
        let [wide, deep] = block.top;
        SIDES
            .map(|[right, up]| {
                let (right, up) = (Vec3::from(right), Vec3::from(up));
                let front = right.cross(up);
                [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]].map(|[u, v]| {
                    let position = front + right * (2.0 * u - 1.0) + up * (1.0 - 2.0 * v);
                    let narrowed = if position.y > 0.0 { Vec3::new(wide, 1.0, deep) } else { Vec3::ONE };
                    let [x, y, z] = (position * narrowed * half + center).to_array();
                    // The conversion is its own inverse, see `axes`.
                    ([x, y * self.up(), -z], [u, v])
                })
            })
            .to_vec()
    }

    /// Builds a mesh from sides. Each side is a smoothing group.
    pub(super) fn mesh(
        self,
        name: &str,
        parent: &str,
        texture: &str,
        position: [f32; 3],
        quads: &[[Corner; 4]],
    ) -> Mesh {
        let is_old = !self.version.is_absolute();
        let has_groups = self.version >= Version::V1_2;
        let mut mesh = Mesh {
            name: Name::from(name),
            parent: Name::from(parent),
            matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            offset: is_old.then_some([0.0; 3]),
            position,
            rotation_angle: is_old.then_some(0.0),
            rotation_axis: is_old.then_some([0.0; 3]),
            scale: is_old.then_some([1.0; 3]),
            scale_keys: (self.version >= Version::V2_0).then(Vec::new),
            position_keys: self.version.is_absolute().then(Vec::new),
            texture_animations: self.version.has_mesh_textures().then(Vec::new),
            ..Mesh::default()
        };
        if self.version.has_mesh_textures() {
            mesh.textures = Some(vec![Name::from(texture)]);
        } else {
            let number = TEXTURES.iter().position(|name| *name == texture);
            mesh.texture_indices = Some(vec![number.and_then(|at| i32::try_from(at).ok()).unwrap_or(0)]);
        }
        let mut next = 0_u16;
        for (side, quad) in (0_i32..).zip(quads) {
            let [a, b, c, d] = [0, 1, 2, 3].map(|corner: u16| next + corner);
            next += 4;
            for (corner, uv) in quad {
                mesh.vertices.push(*corner);
                mesh.texture_vertices.push(TextureVertex { color: has_groups.then_some([0; 4]), uv: *uv });
            }
            // Since 2.2, mirroring reverses the winding order.
            let triangles = if is_old { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
            for corners in triangles {
                mesh.faces.push(Face {
                    vertices: corners,
                    texture_vertices: corners,
                    groups: if has_groups { Groups::one(side) } else { Groups::default() },
                    ..Face::default()
                });
            }
        }
        mesh
    }
}
