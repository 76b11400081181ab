//! Transforms of nodes.

use glam::{DMat3, DMat4, DQuat, DVec3, Vec3};
use scene::Node;

/// The transform from a node's space to the scene's. `None` is the identity, which avoids rounding.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Transform(Option<DMat4>);

/// Tolerance for comparing numbers of magnitude 1: other programs round positions and rotations by a few units of single
/// precision.
const TOLERANCE: f64 = 1e-5;

impl Transform {
    /// The transform of a child node.
    pub(super) fn below(self, node: &Node) -> Self {
        let matrix = DMat4::from_scale_rotation_translation(
            node.scale.as_dvec3(),
            unit(node.rotation.as_dquat()),
            node.translation.as_dvec3(),
        );
        if matrix == DMat4::IDENTITY {
            return self;
        }
        Self(Some(self.0.map_or(matrix, |parent| parent * matrix)))
    }

    /// Transforms a point from the node's space to the scene's.
    pub(super) fn point(self, point: [f32; 3]) -> Vec3 {
        let point = Vec3::from(point);
        self.0.map_or(point, |matrix| matrix.transform_point3(point.as_dvec3()).as_vec3())
    }

    /// Transforms a normal from the node's space to the scene's, with unit length.
    pub(super) fn normal(self, normal: [f32; 3]) -> Vec3 {
        let normal = Vec3::from(normal);
        let Some(matrix) = self.0 else { return normal };
        // The cofactor matrix also works for a flat or mirrored node.
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(glam::DVec4::truncate);
        let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let sign = if self.is_mirrored() { -1.0 } else { 1.0 };
        (sign * (cofactors * normal.as_dvec3())).normalize_or_zero().as_vec3()
    }

    /// The position of the node.
    pub(super) fn origin(self) -> DVec3 {
        self.0.map_or(DVec3::ZERO, |matrix| matrix.w_axis.truncate())
    }

    /// Rotation and scale, as a matrix.
    pub(super) fn linear(self) -> DMat3 {
        self.0.map_or(DMat3::IDENTITY, DMat3::from_mat4)
    }

    /// The rotation.
    pub(super) fn rotation(self) -> DQuat {
        self.0.map_or(DQuat::IDENTITY, |matrix| unit(matrix.to_scale_rotation_translation().1))
    }

    /// The scale; a mirroring one has a negative factor.
    pub(super) fn scale(self) -> DVec3 {
        self.0.map_or(DVec3::ONE, |matrix| matrix.to_scale_rotation_translation().0)
    }

    /// Whether the transform mirrors.
    pub(super) fn is_mirrored(self) -> bool {
        self.linear().determinant() < 0.0
    }
}

fn unit(rotation: DQuat) -> DQuat {
    if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY }
}

/// Whether two points are equal up to rounding.
pub(super) fn is_same_point(a: DVec3, b: DVec3) -> bool {
    (a - b).abs().max_element() <= TOLERANCE * a.abs().max_element().max(1.0)
}

/// Whether two rotations with scale are equal up to rounding.
pub(super) fn is_same_linear(a: DMat3, b: DMat3) -> bool {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let size = a.iter().fold(0.0, |size: f64, number| size.max(number.abs()));
    a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= TOLERANCE * size)
}

/// Whether two rotations are equal up to rounding.
pub(super) fn is_same_rotation(a: DQuat, b: DQuat) -> bool {
    is_same_linear(DMat3::from_quat(unit(a)), DMat3::from_quat(unit(b)))
}
