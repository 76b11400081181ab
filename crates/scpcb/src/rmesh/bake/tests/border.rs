//! Compares baked textures in a viewer with the game's formula, at the borders of charts and at cuts.

use super::*;

/// A smooth periodic picture, continuous beyond its edges.
fn soft(width: u32, height: u32, strength: f64) -> Picture {
    let wave = |at: u32, size: u32, shift: f64| {
        (f64::from(at) * std::f64::consts::TAU / f64::from(size) + shift).sin() * strength
    };
    painted(width, height, |x, y| {
        [wave(x, width, 0.3), wave(y, height, 1.0), wave(x, width, 2.0) * 0.5 + wave(y, height, 0.0) * 0.5]
            .map(|level| (110.0 + level).round() as u8)
    })
}

/// The bilinear color of a picture. `wrap` maps positions beyond the edges to pixels.
fn blended(
    size: [u32; 2],
    uv: [f64; 2],
    wrap: impl Fn(i64, u32) -> u32,
    get: impl Fn(u32, u32) -> [u8; 4],
) -> [f64; 3] {
    let [x, y] = [uv[0] * f64::from(size[0]) - 0.5, uv[1] * f64::from(size[1]) - 0.5];
    let (left, top) = (x.floor(), y.floor());
    let mut sum = [0.0; 3];
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let weight = |at: f64, low: f64, step: i64| if step == 1 { at - low } else { 1.0 - (at - low) };
        let weight = weight(x, left, dx) * weight(y, top, dy);
        let color = get(wrap(left as i64 + dx, size[0]), wrap(top as i64 + dy, size[1]));
        for (sum, channel) in sum.iter_mut().zip(color) {
            *sum += f64::from(channel) * weight;
        }
    }
    sum
}

/// The color in the game.
fn in_game(texture: &Picture, lightmap: &Picture, texture_uv: [f64; 2], lightmap_uv: [f64; 2]) -> [f64; 3] {
    let read = |picture: &Picture, uv: [f64; 2]| {
        let level = &picture.levels[0];
        let wrap = |at: i64, size: u32| at.rem_euclid(i64::from(size)) as u32;
        blended([level.width, level.height], uv, wrap, |x, y| level.pixels[(y * level.width + x) as usize])
    };
    let (texture, light) = (read(texture, texture_uv), read(lightmap, lightmap_uv));
    std::array::from_fn(|channel| (2.0 * texture[channel] * light[channel] / 255.0).min(255.0))
}

/// The color of a baked texture in a viewer.
fn in_viewer(picture: &Rgba8, uv: [f64; 2]) -> [f64; 3] {
    let clamp = |at: i64, size: u32| at.clamp(0, i64::from(size) - 1) as u32;
    blended([picture.width(), picture.height()], uv, clamp, |x, y| picture.get(x, y).unwrap())
}

fn mix(corners: [[f32; 2]; 3], weights: [f64; 3]) -> [f64; 2] {
    std::array::from_fn(|axis| {
        corners.iter().zip(weights).map(|(corner, weight)| f64::from(corner[axis]) * weight).sum()
    })
}

/// The largest difference between the viewer and the game over all triangles, their edges and corners.
fn largest_error(surface: &SurfaceBuilder, pages: &BakedPages, texture: &Picture, lightmap: &Picture) -> f64 {
    let mut largest: f64 = 0.0;
    for (page, subset) in &pages.pages {
        for corners in subset.indices.as_chunks::<3>().0 {
            let baked = corners.map(|corner| subset.uvs[corner as usize]);
            let vertices = corners.map(|corner| surface.vertices[subset.vertices[corner as usize] as usize]);
            for (a, b) in (0..=12).flat_map(|a| (0..=12 - a).map(move |b| (a, b))) {
                let weights = [f64::from(a), f64::from(b), f64::from(12 - a - b)].map(|weight| weight / 12.0);
                let uvs =
                    [vertices.map(|vertex| vertex.texture_uv), vertices.map(|vertex| vertex.lightmap_uv)];
                let game = in_game(texture, lightmap, mix(uvs[0], weights), mix(uvs[1], weights));
                let viewer = in_viewer(&page.picture, mix(baked, weights));
                for (game, viewer) in game.into_iter().zip(viewer) {
                    largest = largest.max((game - viewer).abs());
                }
            }
        }
    }
    largest
}

const FULL: Limits = Limits { per_meter: 1e9, small_room: 0.0, room: 1e9 };

#[test]
fn a_chart_matches_the_game_up_to_its_border() {
    // None of the borders is between two pixels.
    let charts = [
        SurfaceBuilder::default().rectangle([[0.13, 0.27], [0.71, 0.883]], [[0.1, 0.1], [0.31, 0.42]]),
        SurfaceBuilder::default().rectangle([[-1.31, 0.2], [1.77, 0.9]], [[0.5, 0.2], [0.93, 0.4]]),
    ];
    for mut surface in charts {
        let (texture, lightmap) = (soft(64, 32, 90.0), soft(16, 16, 60.0));
        let error =
            largest_error(&surface, &surface.bake_pages(&texture, &lightmap, FULL), &texture, &lightmap);
        assert!(error <= 1.5, "straight: {error}");
        surface.vertices[2].texture_uv[0] += 0.11;
        let error =
            largest_error(&surface, &surface.bake_pages(&texture, &lightmap, FULL), &texture, &lightmap);
        assert!(error <= 6.0, "bent: {error}");
    }
}

/// A strip of connected rectangles with continuous texture and light.
fn strip(count: u16, tiles: f32) -> SurfaceBuilder {
    let mut surface = SurfaceBuilder::default();
    for column in 0..=count {
        let fraction = f32::from(column) / f32::from(count);
        for side in [0.0, 1.0] {
            surface.vertices.push(Vertex {
                position: [fraction * 2560.0, side * 10.0, 0.0],
                texture_uv: [fraction * tiles + 0.013, side * 0.9 + 0.041],
                lightmap_uv: [0.05 + fraction * 0.9, 0.1 + side * 0.3],
                color: [255; 3],
            });
        }
    }
    for column in 0..u32::from(count) {
        let first = column * 2;
        surface.indices.extend([0, 2, 3, 0, 3, 1].map(|corner| first + corner));
    }
    surface
}

#[test]
fn a_chart_too_long_for_a_texture_is_cut_without_a_seam() {
    let (texture, lightmap) = (soft(64, 64, 90.0), soft(32, 16, 60.0));
    let surface = strip(40, 150.0);
    let pages = surface.bake_pages(&texture, &lightmap, FULL);
    assert_eq!(pages.density, 1.0);
    let triangles: usize = pages.pages.iter().map(|(_, subset)| subset.triangles.len()).sum();
    assert_eq!(triangles, 80);
    let vertices: usize = pages.pages.iter().map(|(_, subset)| subset.vertices.len()).sum();
    assert!(vertices > surface.vertices.len(), "nothing was cut");
    let error = largest_error(&surface, &pages, &texture, &lightmap);
    assert!(error <= 1.5, "{error}");
    // The viewer shows the same on both sides of a cut.
    let mut seen: Vec<Vec<[f64; 3]>> = vec![Vec::new(); surface.vertices.len()];
    for (page, subset) in &pages.pages {
        for (vertex, uv) in subset.vertices.iter().zip(&subset.uvs) {
            seen[*vertex as usize].push(in_viewer(&page.picture, uv.map(f64::from)));
        }
    }
    assert!(seen.iter().any(|colors| colors.len() > 1));
    for colors in seen {
        for color in &colors {
            let differs = color.iter().zip(colors[0]).any(|(one, other)| (one - other).abs() > 0.1);
            assert!(!differs, "{colors:?}");
        }
    }
}

#[test]
fn mipmaps_do_not_mix_charts() {
    let texture = painted(128, 64, |x, _| if x < 64 { [200, 0, 0] } else { [0, 0, 200] });
    let surface = SurfaceBuilder::default()
        .rectangle([[0.01, 0.1], [0.45, 0.9]], [[0.0, 0.0], [0.4, 0.4]])
        .rectangle([[0.55, 0.1], [0.99, 0.9]], [[0.6, 0.6], [1.0, 1.0]]);
    let baked = surface.bake(&texture, &flat([128; 3]));
    let mut picture = Picture::new(&baked.picture);
    picture.levels.truncate(3);
    for (step, level) in picture.levels.iter().enumerate() {
        let pixels = level.pixels.as_flattened().to_vec();
        let shown = Rgba8::new(level.width, level.height, pixels).unwrap();
        for (vertex, uv) in baked.uvs.iter().enumerate() {
            let [red, _, blue] = in_viewer(&shown, uv.map(f64::from));
            let (own, other) = if vertex < 4 { (red, blue) } else { (blue, red) };
            assert!(own > 199.0 && other < 1.0, "mipmap {step}, vertex {vertex}: {own} and {other}");
        }
    }
}
