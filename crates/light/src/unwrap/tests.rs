use glam::Vec2;
use proptest::prelude::*;

use super::*;

const LAYOUT: Layout = Layout { density: 4.0, side: 256, pages: 64 };

fn facet(corners: [[f32; 3]; 3]) -> Facet {
    Facet { corners: corners.map(Vec3A::from_array), group: 0 }
}

/// A wavy sheet of squares with sides of length 1, of two triangles each.
fn sheet(columns: u16, rows: u16, height: f32) -> Vec<Facet> {
    let at = |x: u16, z: u16| {
        let (x, z) = (f32::from(x), f32::from(z));
        [x, height * (x * 0.7).sin(), z]
    };
    let square = |x: u16, z: u16| {
        let [a, b, c, d] = [at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x + 1, z)];
        [facet([a, b, c]), facet([a, c, d])]
    };
    (0..rows).flat_map(|z| (0..columns).flat_map(move |x| square(x, z))).collect()
}

fn is_inside(at: Vec2, [a, b, c]: [Vec2; 3], within: f32) -> bool {
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| {
        let side = (to - from).normalize_or_zero();
        side.perp_dot(at - from)
    });
    let turn = (b - a).perp_dot(c - a).signum();
    sides.iter().all(|side| side * turn > within)
}

/// Checks that charts are inside of the page, that no triangles overlap, and that charts are separated by the padding.
fn check(facets: &[Facet], unwrapped: &Unwrapped) {
    assert_eq!(unwrapped.placements.len(), facets.len());
    for (page, [width, height]) in unwrapped.pages.iter().copied().enumerate() {
        let mut owner: Vec<Option<usize>> = vec![None; (width * height) as usize];
        let on_page: Vec<Placement> = unwrapped
            .placements
            .iter()
            .flatten()
            .copied()
            .filter(|placement| placement.page == page)
            .collect();
        for placement in &on_page {
            let [a, b, c] = placement.corners;
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            assert!(
                low.min_element() >= PADDING as f32 && high.x <= (width - PADDING) as f32,
                "{placement:?}"
            );
            assert!(high.y <= (height - PADDING) as f32, "{placement:?}");
            // Every texel that bilinear filtering reads, and the padding around it.
            let reach = 0.5 + PADDING as f32 / 2.0;
            let columns = (low.x - reach).floor() as u32..=(high.x + reach - 1e-3).floor() as u32;
            for y in (low.y - reach).floor() as u32..=(high.y + reach - 1e-3).floor() as u32 {
                for x in columns.clone() {
                    let corner = Vec2::new(x as f32, y as f32);
                    let corners = [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE].map(|it| corner + it);
                    let is_touched =
                        corners.iter().any(|corner| is_inside(*corner, placement.corners, -reach));
                    if !is_touched {
                        continue;
                    }
                    let owner = &mut owner[(y * width + x) as usize];
                    assert!(owner.is_none_or(|owner| owner == placement.chart), "charts meet at {x}, {y}");
                    *owner = Some(placement.chart);
                }
            }
        }
        // Points of each triangle are inside of no other triangle.
        for (number, placement) in on_page.iter().enumerate() {
            let center = placement.corners.iter().sum::<Vec2>() / 3.0;
            for other in on_page.iter().skip(number + 1) {
                for corner in placement.corners {
                    let at = center + (corner - center) * 0.8;
                    assert!(!is_inside(at, other.corners, 0.05), "{placement:?} and {other:?}");
                }
                assert!(!is_inside(center, other.corners, 0.05), "{placement:?} and {other:?}");
            }
        }
    }
}

#[test]
fn unwraps_a_flat_wall_as_one_chart_at_the_requested_density() {
    let wall = sheet(8, 4, 0.0);
    let unwrapped = unwrap(&wall, LAYOUT).unwrap();
    check(&wall, &unwrapped);
    assert_eq!(unwrapped.charts, 1);
    assert_eq!(unwrapped.pages, [[64, 32]]);
    let corners: Vec<Vec2> =
        unwrapped.placements.iter().flatten().flat_map(|placement| placement.corners).collect();
    let (low, high) = corners
        .iter()
        .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), at| (low.min(*at), high.max(*at)));
    // From the center of one texel to the center of another: 8 by 4 meters at 4 texels per meter.
    assert!((high - low - Vec2::new(32.0, 16.0)).length() < 1e-3, "{low} {high}");
    assert!((low - 2.5).length() < 1e-3, "{low}");
}

#[test]
fn unwraps_the_sides_of_a_box_as_separate_charts() {
    let corner = |bits: u8| [bits & 1, bits >> 1 & 1, bits >> 2 & 1].map(|bit| f32::from(bit) * 3.0);
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let facets: Vec<Facet> = sides
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
        .map(|corners: [u8; 3]| facet(corners.map(corner)))
        .collect();
    let unwrapped = unwrap(&facets, LAYOUT).unwrap();
    check(&facets, &unwrapped);
    assert_eq!(unwrapped.charts, 6);
}

#[test]
fn separates_charts_of_different_groups() {
    let mut wall = sheet(2, 1, 0.0);
    wall[2].group = 1;
    wall[3].group = 1;
    let unwrapped = unwrap(&wall, LAYOUT).unwrap();
    check(&wall, &unwrapped);
    assert_eq!(unwrapped.charts, 2);
}

#[test]
fn unwraps_overlapping_triangles_as_separate_charts() {
    let one = facet([[0.0; 3], [0.0, 0.0, 5.0], [5.0, 0.0, 0.0]]);
    let facets = [one, one, one];
    let unwrapped = unwrap(&facets, LAYOUT).unwrap();
    check(&facets, &unwrapped);
    assert_eq!(unwrapped.charts, 3);
}

#[test]
fn does_not_place_a_triangle_without_area() {
    let facets = [facet([[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), facet([[1.0; 3]; 3])];
    let unwrapped = unwrap(&facets, LAYOUT).unwrap();
    assert_eq!(
        unwrapped,
        Unwrapped { pages: vec![], charts: 0, reduced: 0, placements: vec![None, None], density: 4.0 }
    );
}

#[test]
fn reduces_the_density_of_surfaces_that_are_too_large() {
    let far = 1e6;
    let facets = [facet([[0.0; 3], [0.0, 0.0, far], [far, 0.0, 0.0]])];
    let unwrapped = unwrap(&facets, LAYOUT).unwrap();
    check(&facets, &unwrapped);
    assert_eq!(unwrapped.reduced, 1);
    let sheet = sheet(100, 100, 0.0);
    let unwrapped = unwrap(&sheet, Layout { pages: 1, density: 100.0, side: 128 }).unwrap();
    assert_eq!(unwrapped.pages, [[128, 128]]);
    assert!(unwrapped.density < 2.0, "{}", unwrapped.density);
}

#[test]
fn refuses_more_separate_parts_than_fit() {
    let part = |number: u16| {
        let x = f32::from(number) * 3.0;
        facet([[x, 0.0, 0.0], [x, 0.0, 1.0], [x + 1.0, 0.0, 0.0]])
    };
    let facets: Vec<Facet> = (0..3000).map(part).collect();
    let error = unwrap(&facets, Layout { density: 1.0, side: 64, pages: 1 }).unwrap_err();
    assert!(error.message().contains("too many separate parts"), "{error}");
}

#[test]
fn uses_several_pages_if_necessary() {
    let sheet = sheet(40, 40, 0.3);
    let unwrapped = unwrap(&sheet, Layout { density: 8.0, side: 64, pages: 200 }).unwrap();
    check(&sheet, &unwrapped);
    assert!(unwrapped.pages.len() > 20, "{}", unwrapped.pages.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_triangles_of_any_soup_overlap(
        corners in prop::collection::vec(prop::array::uniform3(prop::array::uniform3(-3_i8..3)), 1..60),
        density in 0.5_f32..20.0,
    ) {
        // Small integers: many triangles share edges, overlap, or have no area.
        let facets: Vec<Facet> =
            corners.iter().map(|corners| facet(corners.map(|corner| corner.map(f32::from)))).collect();
        let unwrapped = unwrap(&facets, Layout { density, side: 256, pages: 64 }).unwrap();
        check(&facets, &unwrapped);
        for (facet, place) in facets.iter().zip(&unwrapped.placements) {
            prop_assert_eq!(place.is_some(), facet.normal() != Vec3A::ZERO);
        }
    }

    #[test]
    fn no_triangles_of_a_wave_overlap(columns in 1_u16..12, rows in 1_u16..6, height in 0.0_f32..6.0) {
        let sheet = sheet(columns, rows, height);
        check(&sheet, &unwrap(&sheet, LAYOUT).unwrap());
    }

    #[test]
    fn any_coordinates_are_unwrapped_or_refused(
        corners in prop::collection::vec(prop::array::uniform3(prop::array::uniform3(-1e7_f32..1e7)), 1..40),
    ) {
        let facets: Vec<Facet> = corners.into_iter().map(facet).collect();
        if let Ok(unwrapped) = unwrap(&facets, LAYOUT) {
            let texels: u32 = unwrapped.pages.iter().map(|[width, height]| width * height).sum();
            prop_assert!(texels <= 256 * 256 * 64);
        }
    }
}
