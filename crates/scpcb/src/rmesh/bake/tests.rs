//! Tests of baking on surfaces of a few pixels.

mod border;
mod detail;
mod room;

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::DVec2;
use proptest::prelude::*;
use scene::image::Rgba8;

use super::super::layout::Vertex;
use super::atlas::{Atlas, Slot};
use super::chart::Charts;
use super::page::{BakedPage, Subset, subsets};
use super::plan::Page;
use super::*;

/// A picture with the column as red and the row as green, in steps of 10 from 20.
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
struct SurfaceBuilder {
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

impl SurfaceBuilder {
    /// Adds a rectangle from pairs of top left and bottom right coordinates. Rectangles do not touch in the room.
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
        let room = max_pixels as f64;
        let pages = self.bake_pages(texture, lightmap, Limits { per_meter: 1e9, small_room: 0.0, room });
        let [(baked, subset)] = pages.pages.try_into().unwrap();
        assert!(subset.is_complete());
        assert_eq!(subset.indices, self.indices);
        Baked { picture: baked.picture, uvs: subset.uvs, density: pages.density, left_out: baked.left_out }
    }

    fn bake_pages(&self, texture: &Picture, lightmap: &Picture, limits: Limits) -> BakedPages {
        let geometry = SurfaceGeometry { vertices: &self.vertices, indices: &self.indices };
        let input = BakeInput { geometry, texture: texture.size(), lightmap: lightmap.size() };
        let plan = Plan::new(&[input], limits, |_, _, _| ());
        let surface = &plan.surfaces[0];
        let images = TestImages { texture: texture.clone(), lightmap: lightmap.clone() };
        let draw = |page: &Page| input.draw(page, surface, &images);
        BakedPages {
            pages: surface.pages.iter().map(draw).zip(subsets(&input, surface)).collect(),
            density: surface.density,
        }
    }
}

/// A surface baked into one texture.
#[derive(Debug, PartialEq)]
struct Baked {
    picture: Rgba8,
    /// For each vertex, its position in the picture, 0 to 1.
    uvs: Vec<[f32; 2]>,
    density: f64,
    left_out: usize,
}

/// A surface baked into any number of textures.
struct BakedPages {
    pages: Vec<(BakedPage, Subset)>,
    density: f64,
}

struct TestImages {
    texture: Picture,
    lightmap: Picture,
}

impl Images for TestImages {
    fn texture(&self, [width, height]: [u32; 2]) -> Arc<Picture> {
        Arc::new(self.texture.resized(width, height))
    }

    fn lightmap(&self) -> Arc<Picture> {
        Arc::new(self.lightmap.clone())
    }
}

const UNIT_SQUARE: [[f32; 2]; 2] = [[0.0, 0.0], [1.0, 1.0]];
const HALF_GREY: [u8; 3] = [64; 3];

/// The pixel at a vertex, offset by some pixels.
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
fn a_pixel_is_twice_texture_times_light_clamped_to_white() {
    let light = [200, 64, 10];
    let baked =
        SurfaceBuilder::default().rectangle(UNIT_SQUARE, UNIT_SQUARE).bake(&steps(8, 4), &flat(light));
    for (x, y) in [(0, 0), (7, 3), (3, 1)] {
        let texture = [20 + 10 * x as u8, 20 + 10 * y as u8, 40];
        assert_eq!(pixel(&baked, 0, (x, y)), game(texture, light), "{x}, {y}");
    }
    let bright = SurfaceBuilder::default()
        .rectangle(UNIT_SQUARE, UNIT_SQUARE)
        .bake(&flat([255, 128, 100]), &flat([200; 3]));
    assert_eq!(pixel(&bright, 0, (0, 0)), [255, 201, 157]);
}

#[test]
fn light_is_interpolated_between_lightmap_pixels() {
    let lightmap = painted(2, 1, |x, _| [100 * x as u8; 3]);
    // From the center of one pixel to the center of the other.
    let surface = SurfaceBuilder::default().rectangle(UNIT_SQUARE, [[0.25, 0.5], [0.75, 0.5]]);
    let baked = surface.bake(&painted(4, 4, |_, _| [255; 3]), &lightmap);
    let row: Vec<u8> = (0..4).map(|x| pixel(&baked, 0, (x, 0))[0]).collect();
    assert_eq!(row, [25, 75, 125, 175]);
}

#[test]
fn a_chart_is_cropped_to_exactly_its_texture_pixels() {
    let surface = SurfaceBuilder::default().rectangle([[0.25, 0.5], [0.75, 1.0]], [[0.9, 0.9], [0.95, 0.95]]);
    let baked = surface.bake(&steps(16, 16), &flat(HALF_GREY));
    // Eight pixels with a margin of two on each side.
    assert_eq!((baked.picture.width(), baked.picture.height()), (12, 12));
    assert_eq!(baked.density, 1.0);
    for (x, y) in [(0, 0), (7, 0), (0, 7), (7, 7)] {
        let texture = [20 + 10 * (4 + x as u8), 20 + 10 * (8 + y as u8), 40];
        assert_eq!(pixel(&baked, 0, (x, y)), game(texture, HALF_GREY));
    }
}

#[test]
fn the_margin_continues_the_texture_and_then_keeps_the_edge_colors() {
    let texture = painted(32, 32, |x, y| [20 + 5 * x as u8, 20 + 5 * y as u8, 40]);
    let surface = SurfaceBuilder::default().rectangle([[0.25, 0.25], [0.75, 0.75]], UNIT_SQUARE);
    let baked = surface.bake(&texture, &flat([128; 3]));
    assert_eq!((baked.picture.width(), baked.picture.height()), (20, 20));
    // Sixteen pixels with a margin of two.
    for (x, y) in (-2..18).flat_map(|y| (-2..18).map(move |x| (x, y))) {
        let [red, green, _] = pixel(&baked, 0, (x, y)).map(i32::from);
        for (found, at) in [(red, x), (green, y)] {
            let (want, off) = (20 + 5 * (8 + at.clamp(-1, 16)), if (-1..=16).contains(&at) { 1 } else { 8 });
            let is_beyond_both = !(-1..=16).contains(&x) || !(-1..=16).contains(&y);
            let off = if is_beyond_both { 14 } else { off };
            assert!((found - want).abs() <= off, "{x}, {y}: {found}, not {want}");
        }
    }
}

#[test]
fn a_tiled_texture_is_drawn_once_per_repetition() {
    let surface = SurfaceBuilder::default().rectangle([[-1.0, 0.0], [2.0, 1.0]], UNIT_SQUARE);
    let baked = surface.bake(&steps(8, 8), &flat(HALF_GREY));
    for x in 0..24 {
        let texture = [20 + 10 * (x % 8) as u8, 20, 40];
        assert_eq!(pixel(&baked, 0, (x, 0)), game(texture, HALF_GREY), "{x}");
    }
}

#[test]
fn a_lightmap_repeats_beyond_its_edges_as_in_the_game() {
    let lightmap = painted(8, 8, |x, y| [10 * x as u8, 10 * y as u8, 50]);
    let inside = SurfaceBuilder::default().rectangle(UNIT_SQUARE, [[0.25, 0.25], [0.75, 0.75]]);
    let outside = SurfaceBuilder::default().rectangle(UNIT_SQUARE, [[3.25, -1.75], [3.75, -1.25]]);
    let texture = steps(8, 8);
    assert_eq!(inside.bake(&texture, &lightmap).picture, outside.bake(&texture, &lightmap).picture);
}

#[test]
fn the_lightmap_sets_the_density_if_the_texture_is_coarser() {
    let lightmap = painted(16, 16, |x, y| [8 * x as u8, 8 * y as u8, 50]);
    let baked =
        SurfaceBuilder::default().rectangle(UNIT_SQUARE, UNIT_SQUARE).bake(&flat([255; 3]), &lightmap);
    for (x, y) in [(1, 1), (9, 4), (14, 14)] {
        assert_eq!(pixel(&baked, 0, (x, y)), game([255; 3], [8 * x as u8, 8 * y as u8, 50]));
    }
}

#[test]
fn overlapping_charts_get_separate_pixels() {
    let texture = painted(16, 8, |x, _| if x < 8 { [100, 0, 0] } else { [0, 100, 0] });
    let surface = SurfaceBuilder::default()
        .rectangle([[0.1, 0.1], [0.4, 0.9]], UNIT_SQUARE)
        .rectangle([[0.6, 0.1], [0.9, 0.9]], UNIT_SQUARE);
    let baked = surface.bake(&texture, &flat(HALF_GREY));
    assert_eq!(pixel(&baked, 0, (1, 1)), [50, 0, 0]);
    assert_eq!(pixel(&baked, 4, (1, 1)), [0, 50, 0]);
}

#[test]
fn a_triangle_without_area_in_the_lightmap_still_shows_its_texture() {
    let surface = SurfaceBuilder::default().rectangle(UNIT_SQUARE, [[0.5, 0.5], [0.5, 0.5]]);
    let baked = surface.bake(&steps(8, 8), &flat(HALF_GREY));
    assert_eq!(pixel(&baked, 0, (5, 6)), game([70, 80, 40], HALF_GREY));
}

#[test]
fn a_triangle_without_any_area_has_the_color_of_its_corner() {
    let middle = [3.5 / 8.0, 6.5 / 8.0];
    let surface = SurfaceBuilder::default().rectangle([middle, middle], [[0.5, 0.5], [0.5, 0.5]]);
    let baked = surface.bake(&steps(8, 8), &flat(HALF_GREY));
    assert_eq!(pixel(&baked, 0, (0, 0)), game([50, 80, 40], HALF_GREY));
    let [u, v] = baked.uvs[0];
    assert!(0.0 < u && u < 1.0 && 0.0 < v && v < 1.0);
}

#[test]
fn a_slanted_triangle_is_drawn_to_its_edges() {
    let mut surface = SurfaceBuilder::default().rectangle(UNIT_SQUARE, UNIT_SQUARE);
    surface.indices.truncate(3);
    let baked = surface.bake(&flat([200; 3]), &painted(32, 32, |_, _| HALF_GREY));
    let colors: BTreeSet<[u8; 4]> = baked.picture.pixels().as_chunks::<4>().0.iter().copied().collect();
    assert_eq!(colors.into_iter().collect::<Vec<_>>(), [[100, 100, 100, 255]]);
}

#[test]
fn an_oversized_surface_is_downscaled_without_aliasing() {
    let checkered = painted(64, 64, |x, y| if (x + y) % 2 == 0 { [200; 3] } else { [0; 3] });
    let surface = SurfaceBuilder::default().rectangle([[0.0, 0.0], [300.0, 150.0]], UNIT_SQUARE);
    let baked = surface.bake_within(&checkered, &flat(HALF_GREY), 1 << 22);
    let (width, height) = (baked.picture.width(), baked.picture.height());
    assert!(width <= SIDE && height <= SIDE && width > 2048, "{width} x {height}");
    assert!((f64::from(width) / f64::from(height) - 2.0).abs() < 0.2, "{width} x {height}");
    assert!(baked.density > 0.11 && baked.density < 0.16, "{}", baked.density);
    let levels = baked.picture.pixels().as_chunks::<4>().0.iter().map(|pixel| pixel[0]);
    let (least, max_pixels) =
        levels.fold((255, 0), |(least, max_pixels), level| (level.min(least), level.max(max_pixels)));
    assert!(least >= 48 && max_pixels <= 52, "{least} to {max_pixels}");
}

#[test]
fn a_surface_has_about_the_requested_number_of_pixels() {
    let surface =
        SurfaceBuilder::default().rectangle(UNIT_SQUARE, UNIT_SQUARE).rectangle(UNIT_SQUARE, UNIT_SQUARE);
    for max_pixels in [4096, 10_000, 100_000] {
        let baked = surface.bake_within(&steps(20, 20).resized(640, 320), &flat(HALF_GREY), max_pixels);
        let pixels = u64::from(baked.picture.width()) * u64::from(baked.picture.height());
        assert!(pixels <= max_pixels * 5 / 4 && pixels * 3 > max_pixels, "{pixels} of {max_pixels}");
        assert!(baked.density < 1.0);
    }
}

#[test]
fn thousands_of_separate_triangles_keep_their_lightmap_layout() {
    let mut surface = SurfaceBuilder::default();
    for number in 0..3000 {
        let at = number as f32 / 3000.0;
        surface = surface.rectangle(UNIT_SQUARE, [[at, 0.0], [at + 1.0 / 3000.0, 1.0]]);
    }
    let baked = surface.bake_within(&flat([255; 3]), &flat(HALF_GREY), 4096);
    assert_eq!(pixel(&baked, 0, (0, 0)), [128; 3]);
    assert!(baked.picture.pixels().len() <= 4 * 4096);
}

#[test]
fn overlapping_triangles_are_limited_in_time() {
    let mut surface = SurfaceBuilder::default().rectangle(UNIT_SQUARE, UNIT_SQUARE);
    surface.indices = surface.indices.repeat(1000);
    let baked = surface.bake(&steps(20, 20).resized(512, 512), &flat(HALF_GREY));
    assert!(baked.left_out > 0 && baked.left_out < 1990, "{}", baked.left_out);
}

#[test]
fn baking_is_deterministic() {
    let bake = || {
        let mut surface = SurfaceBuilder::default();
        for number in 0..40 {
            let at = number as f32 / 40.0;
            surface = surface.rectangle([[at, 0.0], [at * 3.0, 2.0]], [[at, at], [at + 0.02, at + 0.01]]);
        }
        surface.bake_within(&steps(20, 20), &steps(9, 7), 20_000)
    };
    assert_eq!(bake(), bake());
}

#[test]
fn a_surface_without_triangles_has_no_textures() {
    let surface = SurfaceBuilder {
        indices: Vec::new(),
        ..SurfaceBuilder::default().rectangle(UNIT_SQUARE, UNIT_SQUARE)
    };
    let limits = Limits { per_meter: 1e9, small_room: 0.0, room: 1e6 };
    assert!(surface.bake_pages(&steps(8, 8), &flat(HALF_GREY), limits).pages.is_empty());
}

/// A wall of 8 x 4 meters, and a box whose sides are an eighth of that, with the same texture.
fn wall_and_box() -> [SurfaceBuilder; 2] {
    [2048.0, 256.0].map(|width| {
        let mut surface = SurfaceBuilder::default().rectangle(UNIT_SQUARE, UNIT_SQUARE);
        for vertex in &mut surface.vertices {
            let [x, y, z] = vertex.position;
            vertex.position = [x * width, y * width / 2.0, z];
        }
        surface
    })
}

#[test]
fn a_texture_is_limited_in_density_but_not_upscaled() {
    let [wall, small_box] = wall_and_box();
    let texture = steps(20, 20).resized(512, 256);
    let size = |surface: &SurfaceBuilder, per_meter: f64| {
        let pages =
            surface.bake_pages(&texture, &flat(HALF_GREY), Limits { per_meter, small_room: 0.0, room: 1e9 });
        let [u, v] = pages.pages[0].1.uvs[2];
        let [left, top] = pages.pages[0].1.uvs[0];
        let picture = &pages.pages[0].0.picture;
        let side = |from: f32, to: f32, size: u32| ((to - from) * size as f32).round() as u32;
        ([side(left, u, picture.width()), side(top, v, picture.height())], pages.density)
    };
    assert_eq!(size(&wall, 64.0), ([512, 256], 1.0));
    assert_eq!(size(&wall, 32.0), ([256, 128], 0.5));
    assert_eq!(size(&small_box, 64.0), ([64, 32], 0.125));
}

#[test]
fn all_surfaces_of_a_room_have_one_density_and_a_small_room_keeps_full_density() {
    let surfaces = wall_and_box();
    let inputs = surfaces.each_ref().map(|surface| BakeInput {
        geometry: SurfaceGeometry { vertices: &surface.vertices, indices: &surface.indices },
        texture: DVec2::new(2048.0, 1024.0),
        lightmap: DVec2::ONE,
    });
    let densities = |limits: Limits| {
        let plan = Plan::new(&inputs, limits, |_, _, _| ());
        (plan.surfaces.iter().map(|surface| surface.density).collect::<Vec<_>>(), plan.too_many.is_some())
    };
    let limits = Limits { per_meter: 64.0, small_room: 5e6, room: 1e9 };
    assert_eq!(densities(limits), (vec![1.0, 1.0], false));
    let (large, is_limited) = densities(Limits { small_room: 1e6, ..limits });
    // The box has an eighth of the wall's pixels per side, up to the rounding of steps.
    assert!(!is_limited && large[0] < 1.0 && (large[1] * 8.0 / large[0] - 1.0).abs() < 0.2, "{large:?}");
    assert_eq!(densities(Limits { small_room: 0.0, ..limits }), (vec![0.25, 0.03125], false));
    let (small, is_limited) = densities(Limits { room: 20_000.0, ..limits });
    assert!(is_limited && small[0] < 0.1, "{small:?}");
}

#[test]
fn a_flat_wall_uses_texture_space_and_a_bent_one_lightmap_space() {
    let spaces = |surface: &SurfaceBuilder| {
        let geometry = SurfaceGeometry { vertices: &surface.vertices, indices: &surface.indices };
        let charts = Charts::find(geometry, DVec2::splat(64.0), DVec2::splat(16.0));
        charts.list.iter().map(|chart| chart.space).collect::<Vec<_>>()
    };
    let mut surface = SurfaceBuilder::default().rectangle(UNIT_SQUARE, UNIT_SQUARE);
    assert_eq!(spaces(&surface), [chart::Space::Texture]);
    surface.vertices[2].texture_uv = [0.5, 0.5];
    assert_eq!(spaces(&surface), [chart::Space::Lightmap]);
}

#[test]
fn a_long_and_a_tall_slot_are_packed_separately() {
    let slots = [[3000, 4], [4, 1500]].map(Slot::around);
    let area: u64 = slots.iter().map(Slot::area).sum();
    let atlases = Atlas::pack(&slots);
    assert_eq!(atlases.len(), 2);
    assert_eq!(atlases.iter().map(Atlas::area).sum::<u64>(), area);
}

proptest! {
    #[test]
    fn slots_do_not_overlap_and_are_aligned(
        sizes in proptest::collection::vec([1_u32..300, 1_u32..300], 1..60),
    ) {
        let slots: Vec<Slot> = sizes.into_iter().map(Slot::around).collect();
        let atlases = Atlas::pack(&slots);
        let mut placed: Vec<usize> =
            atlases.iter().flat_map(|atlas| &atlas.slots).map(|(number, _)| *number).collect();
        placed.sort_unstable();
        prop_assert!(placed.into_iter().eq(0..slots.len()));
        for atlas in &atlases {
            for (index, (number, slot)) in atlas.slots.iter().enumerate() {
                prop_assert_eq!((slot.width, slot.height), (slots[*number].width, slots[*number].height));
                prop_assert!(slot.left % (2 * slot.margin) == 0 && slot.top % (2 * slot.margin) == 0);
                prop_assert!(slot.left + slot.width <= atlas.width && slot.top + slot.height <= atlas.height);
                for (_, other) in &atlas.slots[..index] {
                    let apart = slot.left >= other.left + other.width
                        || other.left >= slot.left + slot.width
                        || slot.top >= other.top + other.height
                        || other.top >= slot.top + slot.height;
                    prop_assert!(apart, "{slot:?} and {other:?}");
                }
            }
        }
    }

    #[test]
    fn any_coordinates_are_baked_and_every_vertex_is_in_the_picture(
        numbers in proptest::collection::vec(any::<[u32; 4]>(), 3..20),
        indices in proptest::collection::vec(0_u32..20, 0..30),
    ) {
        let uv = |[a, b, c, d]: [u32; 4]| Vertex {
            position: [(a % 4096) as f32, (b % 4096) as f32, (c % 4096) as f32],
            texture_uv: [f32::from_bits(a), f32::from_bits(b)],
            lightmap_uv: [f32::from_bits(c), f32::from_bits(d)],
            ..Vertex::default()
        };
        let vertices: Vec<Vertex> = numbers.into_iter().map(uv).collect();
        let last = vertices.len() as u32;
        let indices = indices.into_iter().map(|index| index % last).collect();
        let limits = Limits { per_meter: 1e9, small_room: 0.0, room: 65_536.0 };
        let baked = SurfaceBuilder { vertices, indices }.bake_pages(&steps(8, 8), &steps(4, 4), limits);
        for [u, v] in baked.pages.iter().flat_map(|(_, subset)| &subset.uvs) {
            prop_assert!((0.0..=1.0).contains(u) && (0.0..=1.0).contains(v), "{u}, {v}");
        }
        let pixels: usize = baked.pages.iter().map(|(page, _)| page.picture.pixels().len() / 4).sum();
        prop_assert!(pixels < 4 * 65_536, "{pixels}");
    }
}
