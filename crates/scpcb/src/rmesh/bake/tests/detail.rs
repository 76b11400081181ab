//! Tests of charts that have fewer pixels because more would not be visible.

use super::super::detail::{self, Detail};
use super::*;

/// The pixels per side of a wall of 8 x 4 meters, relative to its texture.
fn reduction(texture: &Picture, lightmap: &Picture) -> f64 {
    let [wall, _] = wall_and_box();
    let geometry = SurfaceGeometry { vertices: &wall.vertices, indices: &wall.indices };
    let mut charts = Charts::find(geometry, texture.size(), lightmap.size());
    detail::reduce(geometry, &mut charts, 1e9, &Detail::of(texture), lightmap);
    charts.list[0].reduction
}

/// A checkered texture with a contrast in steps of 1/255.
fn rough(contrast: u8) -> Picture {
    painted(128, 128, |x, y| [100 + if (x + y).is_multiple_of(2) { contrast } else { 0 }; 3])
}

#[test]
fn a_plain_texture_has_a_quarter_of_the_pixels_per_side() {
    assert_eq!(reduction(&rough(0), &flat([128; 3])), 0.25);
}

#[test]
fn a_rough_texture_keeps_its_pixels_in_the_light_but_not_in_the_dark() {
    assert_eq!(reduction(&rough(20), &flat([128; 3])), 1.0);
    assert!(reduction(&rough(20), &flat([10; 3])) < 1.0);
}

#[test]
fn a_small_sign_on_a_plain_wall_keeps_its_pixels() {
    let is_on_sign =
        |x: u32, y: u32| (32..44).contains(&x) && (32..44).contains(&y) && (x + y).is_multiple_of(2);
    let sign = painted(256, 256, |x, y| [if is_on_sign(x, y) { 200 } else { 100 }; 3]);
    assert_eq!(reduction(&sign, &flat([128; 3])), 1.0);
}

#[test]
fn a_chart_has_at_least_the_resolution_of_its_lightmap() {
    assert_eq!(reduction(&rough(0), &painted(64, 64, |_, _| [40; 3])), 0.5);
    assert_eq!(reduction(&rough(0), &painted(128, 128, |_, _| [40; 3])), 1.0);
}

#[test]
fn the_measured_detail_is_the_difference_to_fewer_pixels() {
    // A checkered texture becomes its mean, 10 steps away from each pixel.
    let dark = painted(128, 128, |_, _| [32; 3]);
    let [wall, _] = wall_and_box();
    let geometry = SurfaceGeometry { vertices: &wall.vertices, indices: &wall.indices };
    let mut charts = Charts::find(geometry, DVec2::splat(128.0), DVec2::ONE);
    detail::reduce(geometry, &mut charts, 1e9, &Detail::of(&rough(20)), &dark.resized(1, 1));
    let factor = 2.0 * 32.0 / 255.0;
    let expected = (10.0_f64 * factor).powi(2);
    assert!(charts.list[0].loss == 0.0 && expected > 4.0, "{expected}");
    detail::reduce(geometry, &mut charts, 1e9, &Detail::of(&rough(6)), &dark.resized(1, 1));
    let expected = (3.0_f64 * factor).powi(2);
    assert!((charts.list[0].loss - expected).abs() < 0.1, "{} and {expected}", charts.list[0].loss);
}
