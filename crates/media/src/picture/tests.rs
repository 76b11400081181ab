//! Transparent colors and pixel limits.

use super::*;

#[test]
fn makes_the_first_color_transparent_but_keeps_it() {
    let mut colors = Colors::grey();
    colors.0[0] = [9, 8, 7];
    assert_eq!(Index0::Clear.apply(&colors)[..2], [[9, 8, 7, 0], [1, 1, 1, 255]]);
    assert_eq!(Index0::Opaque.apply(&colors)[0], [9, 8, 7, 255]);
}

#[test]
fn limits_the_number_of_pixels() {
    let mut budget = Budget::default();
    assert!(budget.take(u32::MAX, u32::MAX, u32::MAX).is_err());
    for _ in 0..4 {
        assert!(budget.take(8192, 8192, 1).is_ok());
    }
    let error = budget.take(1, 1, 1).unwrap_err();
    assert!(error.to_string().contains("exceeds the limit of 268435456 pixels"), "{error}");
}
