//! What baking promises, on surfaces of a few pixels.

mod room;

use std::collections::BTreeSet;

use glam::DVec2;
use proptest::prelude::*;
use scene::image::Rgba8;

use super::super::layout::Vertex;
use super::atlas::{Atlas, Slot};
use super::chart::Charts;
use super::*;

/// A picture whose red says the column and whose green says the row, in steps of 10 from 20.
fn steps(width: u32, height: u32) -> Picture {
    painted(width, height, |x, y| [20 + 10 * x as u8, 20 + 10 * y as u8, 40])
}

fn flat(color: [u8; 3]) -> Picture {
    painted(1, 1, |_, _| color)
}

fn painted(width: u32, height: u32, color: impl Fn(u32, u32) -> [u8; 3]) -> Picture {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let bytes = pixels.flat_map(|(x, y)| {
        let [red, green, blue] = color(x, y);
        [red, green, blue, 255]
    });
    Picture::new(&Rgba8::new(width, height, bytes.collect()).unwrap())
}

/// A surface being built.
#[derive(Default)]
struct Made {
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

impl Made {
    /// Adds a rectangle. Each pair is the coordinates of its top left and its bottom right corner. Rectangles do not touch in the room.
    fn rectangle(mut self, texture: [[f32; 2]; 2], lightmap: [[f32; 2]; 2]) -> Self {
        let first = self.vertices.len() as u32;
        for (x, y) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
            self.vertices.push(Vertex {
                position: [x as f32, y as f32, first as f32],
                texture_uv: [texture[x][0], texture[y][1]],
                lightmap_uv: [lightmap[x][0], lightmap[y][1]],
                color: [255; 3],
            });
        }
        self.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        self
    }

    fn bake(&self, texture: &Picture, lightmap: &Picture) -> Baked {
        self.bake_within(texture, lightmap, MAX_SIZE)
    }

    fn bake_within(&self, texture: &Picture, lightmap: &Picture, max_pixels: u64) -> Baked {
        let geometry = SurfaceGeometry { vertices: &self.vertices, indices: &self.indices };
        Part { geometry, texture, lightmap }.bake(max_pixels)
    }
}

const WHOLE: [[f32; 2]; 2] = [[0.0, 0.0], [1.0, 1.0]];
const HALF_GREY: [u8; 3] = [64; 3];

/// The pixel at a vertex's place, moved by some pixels.
fn pixel(baked: &Baked, vertex: usize, (x, y): (i32, i32)) -> [u8; 3] {
    let [u, v] = baked.uvs[vertex];
    let at = |uv: f32, size: u32, by: i32| ((uv * size as f32).round() as i32 + by) as u32;
    let (width, height) = (baked.picture.width(), baked.picture.height());
    let [red, green, blue, alpha] = baked.picture.get(at(u, width, x), at(v, height, y)).unwrap();
    assert_eq!(alpha, 255);
    [red, green, blue]
}

/// `min(1, 2 x texture x light)` in the numbers of the images.
fn game(texture: [u8; 3], light: [u8; 3]) -> [u8; 3] {
    let channel = |index: usize| {
        (2.0 * f64::from(texture[index]) * f64::from(light[index]) / 255.0).round().min(255.0) as u8
    };
    [channel(0), channel(1), channel(2)]
}

#[test]
fn a_pixel_is_twice_texture_times_light_and_at_most_white() {
    let light = [200, 64, 10];
    let baked = Made::default().rectangle(WHOLE, WHOLE).bake(&steps(8, 4), &flat(light));
    for (x, y) in [(0, 0), (7, 3), (3, 1)] {
        let texture = [20 + 10 * x as u8, 20 + 10 * y as u8, 40];
        assert_eq!(pixel(&baked, 0, (x, y)), game(texture, light), "{x}, {y}");
    }
    let bright = Made::default().rectangle(WHOLE, WHOLE).bake(&flat([255, 128, 100]), &flat([200; 3]));
    assert_eq!(pixel(&bright, 0, (0, 0)), [255, 201, 157]);
}

#[test]
fn light_is_blended_between_the_lightmap_s_pixels() {
    let lightmap = painted(2, 1, |x, _| [100 * x as u8; 3]);
    // From the middle of one pixel to the middle of the other.
    let made = Made::default().rectangle(WHOLE, [[0.25, 0.5], [0.75, 0.5]]);
    let baked = made.bake(&painted(4, 4, |_, _| [255; 3]), &lightmap);
    let row: Vec<u8> = (0..4).map(|x| pixel(&baked, 0, (x, 0))[0]).collect();
    assert_eq!(row, [25, 75, 125, 175]);
}

#[test]
fn a_chart_is_cropped_and_no_pixel_of_the_texture_is_lost_or_made_up() {
    let made = Made::default().rectangle([[0.25, 0.5], [0.75, 1.0]], [[0.9, 0.9], [0.95, 0.95]]);
    let baked = made.bake(&steps(16, 16), &flat(HALF_GREY));
    // Eight pixels with a margin of two on each side.
    assert_eq!((baked.picture.width(), baked.picture.height()), (12, 12));
    assert_eq!(baked.density, 1.0);
    for (x, y) in [(0, 0), (7, 0), (0, 7), (7, 7)] {
        let texture = [20 + 10 * (4 + x as u8), 20 + 10 * (8 + y as u8), 40];
        assert_eq!(pixel(&baked, 0, (x, y)), game(texture, HALF_GREY));
    }
}

#[test]
fn the_margin_has_the_colors_of_the_nearest_edge() {
    // A viewer that blends over the edge sees the edge.
    let texture = painted(32, 32, |x, y| [20 + 5 * x as u8, 20 + 5 * y as u8, 40]);
    let made = Made::default().rectangle([[0.25, 0.25], [0.75, 0.75]], WHOLE);
    let baked = made.bake(&texture, &flat([128; 3]));
    assert_eq!((baked.picture.width(), baked.picture.height()), (24, 24));
    // Sixteen pixels with a margin of four; on the very edge lies the blend of two pixels of the texture.
    let level = |at: i32| 20.0 + 5.0 * (8.0 + (at as f32 + 0.5).clamp(0.0, 16.0) - 0.5);
    for (x, y) in (-4..20).flat_map(|y| (-4..20).map(move |x| (x, y))) {
        let [red, green, _] = pixel(&baked, 0, (x, y)).map(f32::from);
        let (right, down) = ((red - level(x)).abs(), (green - level(y)).abs());
        assert!(
            right <= 1.5 && down <= 1.5,
            "{x}, {y}: {red} and {green}, not {} and {}",
            level(x),
            level(y)
        );
    }
}

#[test]
fn a_texture_that_tiles_is_laid_out_as_often_as_it_is_seen() {
    let made = Made::default().rectangle([[-1.0, 0.0], [2.0, 1.0]], WHOLE);
    let baked = made.bake(&steps(8, 8), &flat(HALF_GREY));
    for x in 0..24 {
        let texture = [20 + 10 * (x % 8) as u8, 20, 40];
        assert_eq!(pixel(&baked, 0, (x, 0)), game(texture, HALF_GREY), "{x}");
    }
}

#[test]
fn a_lightmap_is_read_around_its_edges_as_in_the_game() {
    let lightmap = painted(8, 8, |x, y| [10 * x as u8, 10 * y as u8, 50]);
    let inside = Made::default().rectangle(WHOLE, [[0.25, 0.25], [0.75, 0.75]]);
    let outside = Made::default().rectangle(WHOLE, [[3.25, -1.75], [3.75, -1.25]]);
    let texture = steps(8, 8);
    assert_eq!(inside.bake(&texture, &lightmap).picture, outside.bake(&texture, &lightmap).picture);
}

#[test]
fn where_the_texture_is_coarse_the_lightmap_says_how_dense_it_is() {
    let lightmap = painted(16, 16, |x, y| [8 * x as u8, 8 * y as u8, 50]);
    let baked = Made::default().rectangle(WHOLE, WHOLE).bake(&flat([255; 3]), &lightmap);
    for (x, y) in [(1, 1), (9, 4), (14, 14)] {
        assert_eq!(pixel(&baked, 0, (x, y)), game([255; 3], [8 * x as u8, 8 * y as u8, 50]));
    }
}

#[test]
fn charts_that_lie_upon_each_other_each_get_their_own_pixels() {
    let texture = painted(16, 8, |x, _| if x < 8 { [100, 0, 0] } else { [0, 100, 0] });
    let made =
        Made::default().rectangle([[0.1, 0.1], [0.4, 0.9]], WHOLE).rectangle([[0.6, 0.1], [0.9, 0.9]], WHOLE);
    let baked = made.bake(&texture, &flat(HALF_GREY));
    assert_eq!(pixel(&baked, 0, (1, 1)), [50, 0, 0]);
    assert_eq!(pixel(&baked, 4, (1, 1)), [0, 50, 0]);
}

#[test]
fn a_triangle_without_area_in_the_lightmap_shows_its_texture_all_the_same() {
    let made = Made::default().rectangle(WHOLE, [[0.5, 0.5], [0.5, 0.5]]);
    let baked = made.bake(&steps(8, 8), &flat(HALF_GREY));
    assert_eq!(pixel(&baked, 0, (5, 6)), game([70, 80, 40], HALF_GREY));
}

#[test]
fn a_triangle_without_any_area_has_the_color_of_its_corner() {
    let middle = [3.5 / 8.0, 6.5 / 8.0];
    let made = Made::default().rectangle([middle, middle], [[0.5, 0.5], [0.5, 0.5]]);
    let baked = made.bake(&steps(8, 8), &flat(HALF_GREY));
    assert_eq!(pixel(&baked, 0, (0, 0)), game([50, 80, 40], HALF_GREY));
    let [u, v] = baked.uvs[0];
    assert!(0.0 < u && u < 1.0 && 0.0 < v && v < 1.0);
}

#[test]
fn a_slanted_triangle_is_drawn_to_its_edges() {
    let mut made = Made::default().rectangle(WHOLE, WHOLE);
    made.indices.truncate(3);
    let baked = made.bake(&flat([200; 3]), &painted(32, 32, |_, _| HALF_GREY));
    let colors: BTreeSet<[u8; 4]> = baked.picture.pixels().as_chunks::<4>().0.iter().copied().collect();
    assert_eq!(colors.into_iter().collect::<Vec<_>>(), [[100, 100, 100, 255]]);
}

#[test]
fn a_surface_too_large_is_made_coarser_without_flicker() {
    let checkered = painted(64, 64, |x, y| if (x + y) % 2 == 0 { [200; 3] } else { [0; 3] });
    let made = Made::default().rectangle([[0.0, 0.0], [300.0, 150.0]], WHOLE);
    let baked = made.bake(&checkered, &flat(HALF_GREY));
    let (width, height) = (baked.picture.width(), baked.picture.height());
    assert!(width <= SIDE && height <= SIDE && width > SIDE / 2, "{width} x {height}");
    assert!((f64::from(width) / f64::from(height) - 2.0).abs() < 0.2, "{width} x {height}");
    assert!(baked.density > 0.08 && baked.density < 0.12, "{}", baked.density);
    let levels = baked.picture.pixels().as_chunks::<4>().0.iter().map(|pixel| pixel[0]);
    let (least, max_pixels) =
        levels.fold((255, 0), |(least, max_pixels), level| (level.min(least), level.max(max_pixels)));
    assert!(least >= 48 && max_pixels <= 52, "{least} to {max_pixels}");
}

#[test]
fn a_surface_keeps_within_the_pixels_it_is_given() {
    let made = Made::default().rectangle(WHOLE, WHOLE).rectangle(WHOLE, WHOLE);
    for max_pixels in [4096, 10_000, 100_000] {
        let baked = made.bake_within(&steps(20, 20).resized(640, 320), &flat(HALF_GREY), max_pixels);
        let pixels = u64::from(baked.picture.width()) * u64::from(baked.picture.height());
        assert!(pixels <= max_pixels && pixels * 3 > max_pixels, "{pixels} of {max_pixels}");
        assert!(baked.density < 1.0);
    }
}

#[test]
fn thousands_of_loose_triangles_are_baked_as_they_lie_in_the_lightmap() {
    let mut made = Made::default();
    for number in 0..3000 {
        let at = number as f32 / 3000.0;
        made = made.rectangle(WHOLE, [[at, 0.0], [at + 1.0 / 3000.0, 1.0]]);
    }
    let baked = made.bake_within(&flat([255; 3]), &flat(HALF_GREY), 4096);
    assert_eq!(pixel(&baked, 0, (0, 0)), [128; 3]);
    assert!(baked.picture.pixels().len() <= 4 * 4096);
}

#[test]
fn triangles_upon_each_other_do_not_take_for_ever() {
    let mut made = Made::default().rectangle(WHOLE, WHOLE);
    made.indices = made.indices.repeat(1000);
    let baked = made.bake(&steps(20, 20).resized(512, 512), &flat(HALF_GREY));
    assert!(baked.left_out > 0 && baked.left_out < 1990, "{}", baked.left_out);
}

#[test]
fn the_same_surface_is_baked_to_the_same_pixels() {
    let made = || {
        let mut made = Made::default();
        for number in 0..40 {
            let at = number as f32 / 40.0;
            made = made.rectangle([[at, 0.0], [at * 3.0, 2.0]], [[at, at], [at + 0.02, at + 0.01]]);
        }
        made.bake_within(&steps(20, 20), &steps(9, 7), 20_000)
    };
    assert_eq!(made(), made());
}

#[test]
fn a_surface_without_triangles_is_one_color() {
    let made = Made { indices: Vec::new(), ..Made::default().rectangle(WHOLE, WHOLE) };
    let baked = made.bake(&steps(8, 8), &flat(HALF_GREY));
    assert_eq!((baked.picture.width(), baked.uvs), (1, vec![[0.0; 2]; 4]));
}

#[test]
fn large_surfaces_give_way_to_small_ones() {
    assert_eq!(share(&[100_000, 200_000], 400_000), u64::MAX);
    assert_eq!(share(&[10_000, 900_000, 500_000], 400_000), 195_000);
    assert_eq!(share(&[900_000; 1000], 400_000), LEAST);
    assert_eq!(share(&[], 400_000), u64::MAX);
}

#[test]
fn a_flat_wall_lies_in_the_texture_s_own_pixels_and_a_bent_one_in_the_lightmap_s() {
    let spaces = |made: &Made| {
        let geometry = SurfaceGeometry { vertices: &made.vertices, indices: &made.indices };
        let charts = Charts::find(geometry, DVec2::splat(64.0), DVec2::splat(16.0));
        charts.list.iter().map(|chart| chart.space).collect::<Vec<_>>()
    };
    let mut made = Made::default().rectangle(WHOLE, WHOLE);
    assert_eq!(spaces(&made), [chart::Space::Texture]);
    made.vertices[2].texture_uv = [0.5, 0.5];
    assert_eq!(spaces(&made), [chart::Space::Lightmap]);
}

proptest! {
    #[test]
    fn slots_do_not_overlap_and_start_at_their_own_multiples(
        sizes in proptest::collection::vec([1_u32..300, 1_u32..300], 1..60),
    ) {
        let slots: Vec<Slot> = sizes.into_iter().map(Slot::around).collect();
        let atlas = Atlas::pack(&slots, MAX_SIZE).unwrap();
        prop_assert_eq!(atlas.slots.len(), slots.len());
        for (index, slot) in atlas.slots.iter().enumerate() {
            prop_assert!(slot.left % (2 * slot.margin) == 0 && slot.top % (2 * slot.margin) == 0);
            prop_assert!(slot.left + slot.width <= atlas.width && slot.top + slot.height <= atlas.height);
            for other in &atlas.slots[..index] {
                let apart = slot.left >= other.left + other.width
                    || other.left >= slot.left + slot.width
                    || slot.top >= other.top + other.height
                    || other.top >= slot.top + slot.height;
                prop_assert!(apart, "{slot:?} and {other:?}");
            }
        }
    }

    #[test]
    fn any_numbers_are_baked_and_every_vertex_lies_in_the_picture(
        numbers in proptest::collection::vec(any::<[u32; 4]>(), 3..20),
        indices in proptest::collection::vec(0_u32..20, 0..30),
    ) {
        let uv = |[a, b, c, d]: [u32; 4]| Vertex {
            texture_uv: [f32::from_bits(a), f32::from_bits(b)],
            lightmap_uv: [f32::from_bits(c), f32::from_bits(d)],
            ..Vertex::default()
        };
        let vertices: Vec<Vertex> = numbers.into_iter().map(uv).collect();
        let last = vertices.len() as u32;
        let indices = indices.into_iter().map(|index| index % last).collect();
        let baked = Made { vertices, indices }.bake_within(&steps(8, 8), &steps(4, 4), 1 << 16);
        for [u, v] in baked.uvs {
            prop_assert!((0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v), "{u}, {v}");
        }
    }
}
