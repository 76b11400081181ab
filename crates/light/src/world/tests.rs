use glam::Vec2;
use proptest::prelude::*;

use super::*;
use crate::pattern::{Pattern, on_disk};
use crate::rays::Shaft;
use crate::{Cone, Layout, unwrap};

const QUALITY: Quality = Quality { shadow_rays: 64, bounce_rays: 256, offset: 0.002, spacing: 0.25 };

/// A rectangle spanned by two sides at a corner; its front faces `across x along`.
fn rectangle(corner: [f32; 3], across: [f32; 3], along: [f32; 3], albedo: f32) -> [Triangle; 2] {
    let [corner, across, along] = [corner, across, along].map(Vec3A::from_array);
    let triangle = |corners| Triangle { corners, albedo: Vec3A::splat(albedo), body: 0 };
    let (b, c, d) = (corner + across, corner + across + along, corner + along);
    [triangle([corner, b, c]), triangle([corner, c, d])]
}

fn floor() -> Vec<Triangle> {
    rectangle([-2.0, 0.0, -2.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0], 0.5).to_vec()
}

/// A box seen from inside.
fn chamber(size: f32, albedo: f32) -> Vec<Triangle> {
    let (s, h) = (size, size / 2.0);
    [
        rectangle([-h, -h, -h], [0.0, 0.0, s], [s, 0.0, 0.0], albedo),
        rectangle([-h, h, -h], [s, 0.0, 0.0], [0.0, 0.0, s], albedo),
        rectangle([-h, -h, -h], [s, 0.0, 0.0], [0.0, s, 0.0], albedo),
        rectangle([-h, -h, h], [0.0, s, 0.0], [s, 0.0, 0.0], albedo),
        rectangle([-h, -h, -h], [0.0, s, 0.0], [0.0, 0.0, s], albedo),
        rectangle([h, -h, -h], [0.0, 0.0, s], [0.0, s, 0.0], albedo),
    ]
    .concat()
}

fn lamp(center: [f32; 3], range: f32) -> Lamp {
    Lamp {
        center: center.into(),
        light: Vec3A::new(1.0, 0.5, 0.25),
        range,
        radius: 0.0,
        cone: None,
        housing: vec![],
    }
}

fn lit(triangles: &[Triangle], density: f32) -> TexelMap {
    let facets: Vec<Facet> =
        triangles.iter().map(|triangle| Facet { corners: triangle.corners, group: 0 }).collect();
    let unwrapped = unwrap(&facets, Layout { density, side: 512, pages: 8 }).unwrap();
    TexelMap::new(&unwrapped.pages, unwrapped.placements)
}

fn world(triangles: Vec<Triangle>, lamps: Vec<Lamp>) -> World {
    World::new(triangles, lamps, QUALITY).unwrap()
}

/// Adds a sample on the first triangle at a position.
fn add_point(lit: &mut TexelMap, triangles: &[Triangle], at: [f32; 3]) -> usize {
    let at = Vec3A::from_array(at);
    let on = (0_u32..).zip(triangles).find_map(|(facet, triangle)| {
        let [a, b, c] = triangle.corners;
        let normal = (b - a).cross(c - a);
        let weights =
            [(at - a).cross(c - a), (b - a).cross(at - a)].map(|it| it.dot(normal) / normal.length_squared());
        let is_on = (at - a).dot(normal).abs() < 1e-3 && weights[0] >= -1e-4 && weights[1] >= -1e-4;
        (is_on && weights[0] + weights[1] <= 1.0001).then_some(SurfacePoint { facet, weights })
    });
    lit.add(&[on.unwrap()])
}

#[test]
fn lights_a_floor_under_a_lamp_according_to_the_formula() {
    let triangles = floor();
    let mut lit = lit(&triangles, 4.0);
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [-1.5, 0.0, 1.5], [2.0, 0.0, -2.0]];
    let numbers = positions.map(|position| add_point(&mut lit, &triangles, position));
    let world = world(triangles, vec![lamp([0.0, 2.0, 0.0], 3.0)]);
    let light = world.direct(&lit, &|_| {});
    for (position, number) in positions.into_iter().zip(numbers) {
        let [x, _, z] = position;
        let distance = (x * x + z * z + 4.0_f32).sqrt();
        let expected = (1.0 - distance / 3.0).max(0.0) * 2.0 / distance;
        let found = light[number].unwrap();
        assert!((found.x - expected).abs() < 2e-3, "{position:?}: {found} is not {expected}");
        assert!((found.y - found.x / 2.0).abs() < 1e-6 && (found.z - found.x / 4.0).abs() < 1e-6);
    }
}

#[test]
fn averages_the_light_of_the_points_of_a_texel() {
    let triangles = floor();
    let lit = lit(&triangles, 8.0);
    let world = world(triangles, vec![lamp([0.0, 1.0, 0.0], 4.0)]);
    let light = world.direct(&lit, &|_| {});
    let page = &lit.pages[0];
    // The center texel of the chart is at the center of the floor: 33 texels from edge to edge, after 2 of padding.
    let center = light[page.texel(Vec2::splat(18.5)).unwrap()].unwrap();
    assert!((center.x - 0.75).abs() < 0.01, "{center}");
    let corner = light[page.texel(Vec2::splat(2.5)).unwrap()].unwrap();
    let expected = (1.0 - 3.0 / 4.0) / 3.0;
    assert!((corner.x - expected).abs() < 0.01, "{corner} is not {expected}");
}

#[test]
fn casts_shadows_with_soft_edges() {
    let mut triangles = floor();
    let mut lit = lit(&triangles, 4.0);
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.9, 0.0, 0.0]];
    let numbers = positions.map(|position| add_point(&mut lit, &triangles, position));
    // A board of one by one meter halfway up: its shadow is two by two meters, with an edge at 1.
    triangles.extend(rectangle([-0.5, 1.0, -0.5], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.5));
    let direct = |radius, body| {
        let mut triangles = triangles.clone();
        triangles[2].body = body;
        triangles[3].body = body;
        let lamp = Lamp { radius, housing: vec![7], ..lamp([0.0, 2.0, 0.0], 5.0) };
        let light = world(triangles, vec![lamp]).direct(&lit, &|_| {});
        numbers.map(|number| light[number].unwrap().x)
    };
    let [_, edge, open] = direct(0.0, 7);
    // A hard shadow is there or not. The edge of a soft shadow is half as bright.
    assert_eq!(direct(0.0, 0)[0], 0.0);
    let [below, soft, outside] = direct(0.3, 0);
    assert_eq!(below, 0.0);
    assert!((soft / edge - 0.5).abs() < 0.15, "{soft} of {edge}");
    assert!((outside - open).abs() < 1e-6, "{outside} is not {open}");
    // Parts of the lamp cast no shadow.
    assert!(direct(0.3, 7)[0] > 0.1);
}

#[test]
fn limits_a_spotlight_to_its_cone() {
    let triangles = floor();
    let mut lit = lit(&triangles, 4.0);
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let numbers = positions.map(|position| add_point(&mut lit, &triangles, position));
    let cone = Cone { axis: Vec3A::NEG_Y, inner: 0.2, outer: 0.7 };
    let lamps = [None, Some(cone)].map(|cone| Lamp { cone, ..lamp([0.0, 2.0, 0.0], 9.0) });
    let [all, part] = lamps.map(|lamp| {
        let light = world(triangles.clone(), vec![lamp]).direct(&lit, &|_| {});
        numbers.map(|number| light[number].unwrap().x)
    });
    assert!((part[0] - all[0]).abs() < 1e-6);
    let angle = 0.5_f32.atan();
    assert!((part[1] / all[1] - (0.7 - angle) / 0.5).abs() < 1e-3, "{part:?} {all:?}");
    assert_eq!(part[2], 0.0);
}

#[test]
fn conserves_reflected_light_in_a_closed_room() {
    let triangles = chamber(3.0, 0.5);
    let lit = lit(&triangles, 5.0);
    let world = world(triangles, vec![]);
    // A uniformly lit room stays uniform: each bounce has half of the previous light.
    let mut light = vec![Some(Vec3A::ONE); lit.len()];
    let mut sum = Vec3A::ONE;
    for pass in 0..4 {
        light = world.bounced(&lit, &light, pass, &|_| {});
        let mean = light.iter().flatten().sum::<Vec3A>() / light.len() as f32;
        let expected = 0.5_f32.powi(i32::try_from(pass).unwrap() + 1);
        assert!((mean.x - expected).abs() < 0.01 * expected, "bounce {pass}: {mean}");
        let worst = light.iter().flatten().map(|it| (it.x - expected).abs()).fold(0.0, f32::max);
        assert!(worst < 0.06 * expected, "bounce {pass}: {worst}");
        sum += mean;
    }
    assert!((sum.x - 1.9375).abs() < 0.01, "{sum}");
}

#[test]
fn interpolates_bounced_light_with_a_small_difference() {
    let mut triangles = chamber(3.0, 0.5);
    // A box on the floor.
    triangles.extend(chamber(1.0, 0.5).into_iter().map(|triangle| {
        let [a, b, c] = triangle.corners.map(|corner| corner - Vec3A::Y);
        Triangle { corners: [a, c, b], ..triangle }
    }));
    let lit = lit(&triangles, 16.0);
    let bounced = |spacing| {
        let quality = Quality { spacing, ..QUALITY };
        let world = World::new(triangles.clone(), vec![lamp([0.8, 1.2, 0.3], 4.0)], quality).unwrap();
        let direct = world.direct(&lit, &|_| {});
        let before = world.rays_traced();
        let bounced = world.bounced(&lit, &direct, 0, &|_| {});
        (bounced, world.rays_traced() - before)
    };
    let ((all, many), (some, few)) = (bounced(0.0), bounced(0.25));
    assert!(few * 2 < many, "{few} of {many} rays");
    let differences: Vec<f32> = all
        .iter()
        .flatten()
        .zip(some.iter().flatten())
        .map(|(one, two)| (one - two).abs().max_element())
        .collect();
    let mean = differences.iter().sum::<f32>() / differences.len() as f32;
    let worst = differences.into_iter().fold(0.0, f32::max);
    assert!(mean < 0.002 && worst < 0.05, "mean {mean}, worst {worst}");
}

#[test]
fn weights_bounced_light_by_the_visible_area() {
    // A floor below a white ceiling of the same size, at a distance of its side: the view factor of two such squares
    // is known.
    let mut triangles = floor();
    triangles.extend(rectangle([-2.0, 4.0, -2.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0], 1.0));
    let mut lit = lit(&triangles, 6.0);
    let texels = lit.len();
    let on_ceiling = |number: usize| lit.texels[number].points().all(|point| point.facet >= 2);
    let light: Vec<_> = (0..texels).map(|number| on_ceiling(number).then_some(Vec3A::ONE)).collect();
    for number in 0_u16..256 {
        let [x, z] = [number % 16, number / 16].map(|at| (f32::from(at) + 0.5) / 4.0 - 2.0);
        add_point(&mut lit, &triangles, [x, 0.0, z]);
    }
    let found = world(triangles, vec![]).bounced(&lit, &light, 0, &|_| {});
    let mean = found[texels..].iter().map(|light| light.unwrap().x).sum::<f32>() / 256.0;
    // The view factor of parallel unit squares at distance 1.
    assert!((mean - 0.1998).abs() < 0.003, "{mean}");
}

#[test]
fn removes_points_inside_of_a_block() {
    // A block on the floor.
    let mut triangles = floor();
    let mut lit = lit(&triangles, 4.0);
    let [below, outside] =
        [[0.1, 0.0, 0.1], [1.5, 0.0, 1.5]].map(|position| add_point(&mut lit, &triangles, position));
    let block = chamber(1.0, 0.5).into_iter().map(|triangle| {
        let [a, b, c] = triangle.corners.map(|corner| corner + Vec3A::new(0.0, 0.4, 0.0));
        Triangle { corners: [a, c, b], ..triangle }
    });
    triangles.extend(block);
    let world = world(triangles, vec![lamp([0.0, 2.0, 0.0], 5.0)]);
    world.remove_buried(&mut lit, &|_| {});
    let light = world.direct(&lit, &|_| {});
    assert_eq!(light[below], None);
    assert!(light[outside].unwrap().x > 0.0);
}

#[test]
fn computes_the_same_light_with_any_number_of_threads() {
    let triangles = chamber(3.0, 0.5);
    let mut lit = lit(&triangles, 8.0);
    let lamps = vec![
        Lamp { radius: 0.2, ..lamp([0.5, 0.5, 0.5], 4.0) },
        Lamp { radius: 0.3, ..lamp([-0.7, 0.0, 0.9], 4.0) },
    ];
    let world = world(triangles, lamps);
    let mut run = || {
        world.remove_buried(&mut lit, &|_| {});
        let direct = world.direct(&lit, &|_| {});
        let bounced = world.bounced(&lit, &direct, 0, &|_| {});
        (direct, bounced)
    };
    let once = run();
    for threads in [1, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(&mut run), once, "{threads} threads");
    }
}

#[test]
fn reports_progress_up_to_one() {
    let triangles = floor();
    let lit = lit(&triangles, 16.0);
    let reported = std::sync::Mutex::new(Vec::new());
    let _ = world(triangles, vec![]).direct(&lit, &|progress| reported.lock().unwrap().push(progress));
    let mut reported = reported.into_inner().unwrap();
    reported.sort_by(f32::total_cmp);
    assert!(reported.len() > 3 && reported[0] > 0.0 && reported.last() == Some(&1.0), "{reported:?}");
}

#[test]
fn refuses_excessive_work() {
    let triangles = floor();
    let lit = lit(&triangles, 64.0);
    let world = world(triangles, vec![lamp([0.0, 2.0, 0.0], 9.0); 2000]);
    let error = world.check_effort(&lit, 0).unwrap_err();
    assert!(error.message().starts_with("2000 lamps on "), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn finds_the_same_hits_as_a_linear_search(
        corners in prop::collection::vec(prop::array::uniform3(prop::array::uniform3(-9_i8..9)), 1..80),
        rays in prop::collection::vec((prop::array::uniform3(-12.0_f32..12.0), prop::array::uniform3(-1.0_f32..1.0)), 40),
    ) {
        let corners: Vec<[Vec3A; 3]> =
            corners.iter().map(|corners| corners.map(|corner| Vec3A::from_array(corner.map(f32::from)))).collect();
        let faces: Vec<Face> = (0_u32..).zip(&corners).map(|(owner, corners)| Face::new(*corners, owner)).collect();
        let alone: Vec<RayCaster> = faces.iter().map(|face| RayCaster::new(vec![*face]).unwrap()).collect();
        let tree = RayCaster::new(faces).unwrap();
        for (from, way) in rays {
            let (from, way) = (Vec3A::from_array(from), Vec3A::from_array(way));
            let all = alone.iter().filter_map(|one| one.first_hit(from, way)).map(|hit| hit.crossing.distance);
            let nearest = all.fold(f32::INFINITY, f32::min);
            let found = tree.first_hit(from, way).map_or(f32::INFINITY, |hit| hit.crossing.distance);
            prop_assert!(found == nearest || (found - nearest).abs() < 1e-4 * nearest, "{} {}", found, nearest);
            let counts = |owner: u32| owner.is_multiple_of(2);
            let any = (0_u32..).zip(&alone).filter(|(owner, _)| counts(*owner)).any(|(_, one)| {
                one.shades(from, from + way * 5.0, |_| true, &mut usize::MAX.clone())
            });
            prop_assert_eq!(tree.shades(from, from + way * 5.0, counts, &mut usize::MAX.clone()), any);
        }
    }

    #[test]
    fn finds_all_triangles_that_block_the_rays_of_a_shaft(
        corners in prop::collection::vec(prop::array::uniform3(prop::array::uniform3(-9_i8..9)), 1..80),
        points in prop::collection::vec(prop::array::uniform3(0.0_f32..1.0), 4),
        from in prop::array::uniform3(-12.0_f32..12.0),
        center in prop::array::uniform3(-12.0_f32..12.0),
        radius in 0.0_f32..2.0,
    ) {
        let corner = |corner: [i8; 3]| Vec3A::from_array(corner.map(f32::from));
        let face = |(owner, corners): (u32, &[[i8; 3]; 3])| Face::new(corners.map(corner), owner);
        let tree = RayCaster::new((0..).zip(&corners).map(face).collect()).unwrap();
        let (from, center) = (Vec3A::from_array(from), Vec3A::from_array(center));
        let points: Vec<Vec3A> = points.into_iter().map(|point| from + Vec3A::from_array(point)).collect();
        let shaft = Shaft::new(&points, center, radius);
        let blockers = tree.blockers(&shaft, |_| true, usize::MAX).unwrap();
        let blockers = tree.blockers_among(&shaft, &blockers);
        for number in 0..40 {
            let point = points[number as usize % points.len()];
            let to = center + Vec3A::from((on_disk(Pattern::new(1).point(number)) * radius).extend(0.0));
            let any = blockers.iter().any(|face| tree.is_between(*face, point, to - point));
            prop_assert_eq!(tree.shades(point, to, |_| true, &mut usize::MAX.clone()), any);
        }
        prop_assert!(tree.blockers(&shaft, |_| true, 0).is_none_or(|found| found.is_empty()));
    }
}
