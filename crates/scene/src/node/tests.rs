//! Matrices are converted to nodes whose product is the same matrix.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use proptest::prelude::*;

use super::*;

fn product(nested: &Nested) -> Affine3A {
    let inner = nested.inner.as_ref().map_or(Affine3A::IDENTITY, Node::to_parent);
    nested.outer.to_parent() * inner
}

#[track_caller]
fn agrees(matrix: Affine3A) -> Nested {
    let nested = from_affine("node", matrix);
    let size = matrix.matrix3.to_cols_array().iter().fold(1e-12_f32, |size, number| size.max(number.abs()));
    let difference = product(&nested).matrix3 - matrix.matrix3;
    let largest = difference.to_cols_array().iter().fold(0.0_f32, |size, number| size.max(number.abs()));
    assert!(largest <= size * 2e-5, "{largest} of {size}: {matrix:?} became {nested:?}");
    assert_eq!(Vec3::from(product(&nested).translation), Vec3::from(matrix.translation));
    for node in nested.inner.iter().chain([&nested.outer]) {
        assert!((node.rotation.length() - 1.0).abs() < 1e-6);
    }
    nested
}

#[test]
fn converts_a_transform_without_shear_to_one_node() {
    let rotation = Quat::from_rotation_y(1.0);
    let translation = Vec3::new(1.0, 2.0, 3.0);
    let scale = Vec3::new(1.0, 2.0, 3.0);
    let nested = agrees(Affine3A::from_scale_rotation_translation(scale, rotation, translation));
    assert_eq!(nested.inner, None);
    assert!(nested.outer.scale.abs_diff_eq(scale, 1e-5));
    assert!(nested.outer.rotation.abs_diff_eq(rotation, 1e-5));
    assert_eq!(nested.outer.name, "node");
}

#[test]
fn converts_the_identity_exactly() {
    let nested = from_affine("", Affine3A::IDENTITY);
    assert_eq!(nested, Nested { outer: Node::default(), inner: None });
}

#[test]
fn negates_the_scale_of_a_mirrored_axis() {
    for scale in [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -2.0, 1.0), Vec3::new(1.0, 1.0, -3.0)] {
        let nested = agrees(Affine3A::from_scale(scale));
        assert_eq!(nested.inner, None);
        assert_eq!(nested.outer.scale, scale);
        assert_eq!(nested.outer.rotation, Quat::IDENTITY);
    }
}

#[test]
fn converts_a_sheared_matrix_to_two_nodes() {
    let matrix3 = Mat3A::from_cols(Vec3A::X, Vec3A::new(1.0, 1.0, 0.0), Vec3A::Z);
    let nested = agrees(Affine3A { matrix3, translation: Vec3A::new(5.0, 6.0, 7.0) });
    let inner = nested.inner.as_ref().unwrap();
    assert_eq!(inner.name, "node inner");
    assert_eq!((inner.scale, inner.translation), (Vec3::ONE, Vec3::ZERO));
    // The golden ratio and its inverse are the singular values of this shear.
    let mut values = nested.outer.scale.abs().to_array();
    values.sort_by(f32::total_cmp);
    assert!(Vec3::from_array(values).abs_diff_eq(Vec3::new(0.618_034, 1.0, 1.618_034), 1e-5));
}

#[test]
fn converts_flat_matrices() {
    let flat = [
        [Vec3A::ZERO; 3],
        [Vec3A::X, Vec3A::ZERO, Vec3A::ZERO],
        [Vec3A::ZERO, Vec3A::Z, Vec3A::ZERO],
        [Vec3A::ZERO, Vec3A::ZERO, Vec3A::X],
        [Vec3A::X, Vec3A::Y, Vec3A::ZERO],
        [Vec3A::ZERO, Vec3A::X, Vec3A::Y],
        [Vec3A::ONE, Vec3A::ONE, Vec3A::ONE],
        [Vec3A::X, Vec3A::new(1.0, 1.0, 0.0), Vec3A::new(2.0, 1.0, 0.0)],
    ];
    for [x, y, z] in flat {
        agrees(Affine3A { matrix3: Mat3A::from_cols(x, y, z), translation: Vec3A::ZERO });
    }
}

#[test]
fn terminates_on_nan() {
    let nested = from_affine("", Affine3A::from_mat3(glam::Mat3::NAN));
    assert!(!nested.outer.to_parent().is_finite());
}

fn entries(range: std::ops::Range<f32>) -> impl Strategy<Value = [f32; 9]> {
    prop::array::uniform9(range)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn product_of_nodes_equals_any_matrix(entries in entries(-10.0..10.0)) {
        agrees(Affine3A::from_mat3(glam::Mat3::from_cols_array(&entries)));
    }

    #[test]
    fn product_of_nodes_equals_a_nearly_flat_matrix(entries in entries(-1.0..1.0), squash in 1e-9_f32..1e-3) {
        let squash = glam::Mat3::from_diagonal(Vec3::new(1.0, squash, 1.0));
        agrees(Affine3A::from_mat3(glam::Mat3::from_cols_array(&entries) * squash));
        agrees(Affine3A::from_mat3(squash * glam::Mat3::from_cols_array(&entries)));
    }
}
