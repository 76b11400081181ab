//! Tests of lightmaps with the sample's hall and with damaged rooms.

use std::sync::Arc;

use asset::{Charset, Context, Install, MemorySink, Source};
use files::layer::MemoryLayer;
use glam::Vec3;
use json::Value;
use proptest::prelude::*;
use scene::image::{Limits, decode};

use super::super::layout::{Entity, Surface, TextureKind, TextureSlot, Vertex};
use super::super::{Light as LightEntity, RMesh, Spotlight, warning};
use super::*;
use crate::sample;

const FAST: [(&str, &str); 2] = [("density", "4"), ("samples", "8")];

/// The result of a build: the room, its lightmaps, statistics and report.
struct BuildResult {
    room: RMesh,
    pictures: Vec<(String, Vec<u8>)>,
    figures: Value,
    report: Report,
}

/// Builds the lightmaps of a room in the sample's game folder.
fn try_build(room: &RMesh, given: &[(&str, &str)]) -> Result<BuildResult> {
    let mut sink = MemorySink::new();
    sample::write(&mut sink).unwrap();
    let files = sink.into_files();
    let layer = MemoryLayer::new(
        "game",
        files.iter().map(|(path, bytes)| (path.as_str(), Source::from(bytes.clone()))),
    )
    .unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("scpcb", Charset::Windows1252);
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(BUILDER.options, &given).unwrap();
    let location = install.find(sample::ROOM).found().map(|found| found.location);
    let context = Context { install: &install, location, options: &options };
    let mut report = Report::new();
    let request = BuildRequest { context: &context, name: "new.rmesh", progress: &|_| {} };
    let Built { bytes, companions, figures } = (BUILDER.build)(room, &request, &mut report)?;
    let room = RMesh::read(&bytes, &mut Report::new()).unwrap();
    Ok(BuildResult { room, pictures: companions, figures, report })
}

fn build(room: &RMesh, given: &[(&str, &str)]) -> BuildResult {
    try_build(room, given).unwrap()
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.iter().map(|found| found.code.id).collect()
}

/// A triangle: its texture, and the positions and texture coordinates of its corners.
type Corners = (Option<String>, [[f32; 3]; 3], [[f32; 2]; 3]);

/// The corners of a room's surfaces, without lightmaps.
fn corners(surfaces: &[Surface]) -> Vec<Corners> {
    let mut out = Vec::new();
    for surface in surfaces {
        for triangle in &surface.triangles {
            let corners = triangle.map(|corner| surface.vertices[corner as usize]);
            let name = surface.texture.named().map(ToString::to_string);
            out.push((name, corners.map(|it| it.position), corners.map(|it| it.texture_uv)));
        }
    }
    out.sort_by(|one, other| one.partial_cmp(other).unwrap());
    out
}

#[test]
fn builds_lightmaps_that_the_game_can_use() {
    let before = sample::room();
    let result = build(&before, &[]);
    assert_eq!(codes(&result.report), [""; 0]);
    assert_eq!(corners(&result.room.surfaces), corners(&before.surfaces));
    let rest = |room: &RMesh| RMesh { surfaces: Vec::new(), ..room.clone() };
    assert_eq!(rest(&result.room), rest(&before));
    assert_eq!(result.pictures.len(), 1);
    assert_eq!(result.pictures[0].0, "new_lm1.png");
    for (new, old) in result.room.surfaces.iter().zip(&before.surfaces) {
        assert_eq!(new.texture, old.texture);
        if old.texture.kind == TextureKind::TRANSPARENT {
            assert_eq!(new, old);
            continue;
        }
        let lightmap = TextureSlot { kind: TextureKind::LIGHTMAP, name: Some("new_lm1.png".into()) };
        assert_eq!(new.lightmap, lightmap);
        assert!(new.vertices.iter().all(|vertex| vertex.color == [255; 3]));
        assert!(new.vertices.iter().flat_map(|it| it.lightmap_uv).all(|uv| uv > 0.0 && uv < 1.0));
        assert!(new.vertices.len() < 65_536);
    }
    let figures = &result.figures;
    assert_eq!(
        (&figures["lights"], &figures["lightmaps"], &figures["props"]),
        (&json!(4), &json!(1), &json!(5))
    );
    assert!(figures["covered_share"].as_f64().unwrap() > 0.4, "{figures}");
}

/// The light of a lightmap at a position on the floor: red, green and blue, 0 to 255.
fn on_floor(result: &BuildResult, [x, z]: [f32; 2]) -> [f64; 3] {
    let picture = decode(&result.pictures[0].1, &Limits::default()).unwrap();
    let floor = &result.room.surfaces[0];
    for triangle in &floor.triangles {
        let [a, b, c] = triangle.map(|corner| floor.vertices[corner as usize]);
        let flat = |vertex: Vertex| glam::Vec2::new(vertex.position[0], vertex.position[2]);
        let (ab, ac, at) = (flat(b) - flat(a), flat(c) - flat(a), glam::Vec2::new(x, z) - flat(a));
        let area = ab.perp_dot(ac);
        let (u, v) = (at.perp_dot(ac) / area, ab.perp_dot(at) / area);
        if u < 0.0 || v < 0.0 || u + v > 1.0 {
            continue;
        }
        let uv = |vertex: Vertex| glam::Vec2::from_array(vertex.lightmap_uv);
        let at = uv(a) + (uv(b) - uv(a)) * u + (uv(c) - uv(a)) * v;
        let column = (at.x * picture.width() as f32) as usize;
        let row = (at.y * picture.height() as f32) as usize;
        let pixel = (row * picture.width() as usize + column) * 4;
        return [0, 1, 2].map(|channel| f64::from(picture.pixels()[pixel + channel]));
    }
    panic!("{x}, {z} is not on the floor");
}

/// A room of eight meters with one light above the middle of its floor.
fn plain_room() -> RMesh {
    let mut room = sample::room();
    room.surfaces.truncate(1);
    let light = LightEntity {
        position: [0.0, 512.0, 0.0],
        range: 1024.0,
        color: "255 128 0".into(),
        intensity: 1.0,
        ..LightEntity::default()
    };
    room.entities = Some(vec![Entity::Light(light)]);
    room
}

#[test]
fn the_falloff_of_a_light_matches_rooms_of_the_game() {
    let result = build(&plain_room(), &[("bounces", "0"), ("radius", "0")]);
    // 22 everywhere, plus half of 255 at the light, and half of that at half its range.
    let [red, green, blue] = on_floor(&result, [0.0, 0.0]);
    assert!((red - (22.0 + 127.5 * 0.5)).abs() < 2.0, "{red}");
    assert!((green - (22.0 + 127.5 * 0.5 * 128.0 / 255.0)).abs() < 2.0, "{green}");
    assert_eq!(blue, 22.0);
    let distance = 800.0_f64.hypot(512.0);
    let expected = 22.0 + 127.5 * (1.0 - distance / 1024.0) * 512.0 / distance;
    assert!((on_floor(&result, [800.0, 0.0])[0] - expected).abs() < 2.0);
}

#[test]
fn a_room_without_any_area_is_written_with_a_warning() {
    let mut room = plain_room();
    room.surfaces[0].triangles = vec![[0, 1, 1], [2, 2, 2]];
    let result = build(&room, &FAST);
    assert_eq!(result.pictures.len(), 0);
    assert_eq!(codes(&result.report), [warning::LIGHT_NOWHERE.id]);
    let found = result.report.iter().next().unwrap();
    assert_eq!(
        found.message,
        "none of 2 triangles has an area that light can fall on; no lightmap is written"
    );
    room.surfaces[0].vertices.iter_mut().for_each(|vertex| vertex.lightmap_uv = [0.5; 2]);
    let kept = build(&room, &[("density", "4"), ("samples", "8"), ("relight", "")]);
    let found = kept.report.iter().next().unwrap();
    assert_eq!(found.message, "none of 2 triangles covers a texel of the lightmaps; they are black");
}

#[test]
fn spotlights_follow_their_direction_and_cone_angles() {
    let mut room = plain_room();
    let spot = |angles: &str| Spotlight {
        position: [0.0, 512.0, 0.0],
        range: 2048.0,
        color: "255 255 255".into(),
        intensity: 1.0,
        angles: angles.into(),
        inner_cone_angle: 20,
        outer_cone_angle: 30,
    };
    room.entities = Some(vec![Entity::Spotlight(spot("90 0 0"))]);
    let result = build(&room, &[("bounces", "0"), ("ambient", "0")]);
    // Straight down: the tangent of 25 degrees, halfway between the inner and the outer cone, is 0.466.
    let [middle, edge, outside] = [0.0, 238.7, 330.0].map(|x| on_floor(&result, [x, 0.0])[0]);
    let distance = 238.7_f64.hypot(512.0);
    let expected = 127.5 * (1.0 - distance / 2048.0) * 512.0 / distance * 0.5;
    assert!((middle - 127.5 * 0.75).abs() < 2.0, "{middle}");
    assert!((edge - expected).abs() < 6.0, "{edge} is not {expected}");
    assert_eq!(outside, 0.0);
    // Down and toward +X: a yaw of -90 rotates +Z to +X.
    room.entities = Some(vec![Entity::Spotlight(spot("45 -90 0"))]);
    let result = build(&room, &[("bounces", "0"), ("ambient", "0")]);
    assert!(on_floor(&result, [512.0, 0.0])[0] > 40.0 && on_floor(&result, [-512.0, 0.0])[0] < 1.0);
}

#[test]
fn props_cast_shadows_but_a_lamp_housing_does_not_block_its_own_light() {
    let hall = sample::room();
    let result = build(&hall, &[("bounces", "0"), ("density", "8")]);
    // Behind a pillar as seen from both warm lamps, and next to it; lampshades surround the lamps.
    let dark = on_floor(&result, [800.0, -1000.0])[0];
    let bright = on_floor(&result, [-512.0, -384.0])[0];
    assert!(bright > 60.0, "{bright}");
    assert!(dark < bright / 2.0, "{dark} {bright}");
    let without = RMesh {
        entities: Some(
            hall.entities().iter().filter(|it| !matches!(it, Entity::Model(_))).cloned().collect(),
        ),
        ..hall.clone()
    };
    let bare = build(&without, &[("bounces", "0"), ("density", "8")]);
    // The plant on the floor casts a shadow on it.
    let pixels =
        |result: &BuildResult| decode(&result.pictures[0].1, &Limits::default()).unwrap().pixels().to_vec();
    let (with, bare) = (pixels(&result), pixels(&bare));
    let darker =
        with.iter().zip(&bare).filter(|(with, bare)| u16::from(**with) + 8 < u16::from(**bare)).count();
    let brighter =
        with.iter().zip(&bare).filter(|(with, bare)| u16::from(**with) > u16::from(**bare) + 8).count();
    assert!(darker > 100 && brighter < darker / 10, "{darker} {brighter}");
}

#[test]
fn bounces_make_rooms_brighter() {
    let means: Vec<f64> = ["0", "1", "3"]
        .map(|bounces| build(&sample::room(), &[FAST[0], FAST[1], ("bounces", bounces)]))
        .iter()
        .map(|result| result.figures["light"]["mean"].as_f64().unwrap())
        .collect();
    assert!(means[0] + 0.5 < means[1] && means[1] < means[2] && means[2] < means[0] * 1.5, "{means:?}");
}

#[test]
fn relighting_keeps_the_names_and_sizes_of_lightmaps_and_the_room() {
    let before = sample::room();
    let result = build(&before, &[FAST[1], ("relight", "")]);
    assert_eq!(codes(&result.report), [""; 0]);
    assert_eq!(result.pictures[0].0, "hall_lm1.png");
    let picture = decode(&result.pictures[0].1, &Limits::default()).unwrap();
    assert_eq!((picture.width(), picture.height()), (512, 512));
    // Only the vertex colors of the crate change.
    for (new, old) in result.room.surfaces.iter().zip(&before.surfaces) {
        let is_crate = old.texture.named().is_some_and(|name| name.text() == "crate.png");
        let white = |surface: &Surface| {
            let vertices = surface.vertices.iter().map(|vertex| Vertex { color: [255; 3], ..*vertex });
            Surface { vertices: vertices.collect(), ..surface.clone() }
        };
        assert_eq!(white(new), white(old));
        assert_eq!(new == old, !is_crate);
        assert!(!is_crate || new.vertices.iter().any(|vertex| vertex.color[0] > 30));
    }
    assert_eq!(result.figures["vertex_colors"], json!(20));
    let correlation = result.figures["before"]["correlation"].as_f64().unwrap();
    assert!(correlation > 0.6, "{}", result.figures);
    // Building again gives the same result.
    let again = build(&result.room, &[FAST[1], ("relight", "")]);
    assert_eq!((again.room, again.pictures), (result.room, result.pictures));
}

#[test]
fn a_lightmap_with_an_unwritable_name_is_renamed() {
    let mut room = sample::room();
    for (surface, name) in room.surfaces.iter_mut().zip(["../up_lm1.png", "old_lm2.bmp", "old_lm2.png"]) {
        surface.lightmap.name = Some(name.into());
    }
    let result = build(&room, &[FAST[0], FAST[1], ("relight", "")]);
    let names: Vec<String> = result.room.surfaces[..3]
        .iter()
        .map(|surface| surface.lightmap.named().unwrap().to_string())
        .collect();
    assert_eq!(names, ["new_lm1.png", "old_lm2.png", "new_lm3.png"]);
    assert_eq!(
        result.pictures.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        names.iter().collect::<Vec<_>>()
    );
    let codes = codes(&result.report);
    assert!(
        codes.contains(&warning::LIGHT_RENAMED.id) && codes.contains(&warning::LIGHT_SIZE.id),
        "{codes:?}"
    );
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let all = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let result = pool.install(|| build(&sample::room(), &FAST));
        (result.room, result.pictures, result.figures)
    });
    assert_eq!(all[0], all[1]);
}

#[test]
fn rooms_without_lights_have_only_ambient_light() {
    let mut room = plain_room();
    room.entities = None;
    let result = build(&room, &FAST);
    assert_eq!(codes(&result.report), [warning::LIGHT_NONE.id]);
    assert_eq!(on_floor(&result, [100.0, 100.0]), [22.0; 3]);
    // A light at the origin is not used.
    let light =
        LightEntity { range: 500.0, color: "255 255 255".into(), intensity: 1.0, ..LightEntity::default() };
    room.entities = Some(vec![Entity::Light(light)]);
    let result = build(&room, &FAST);
    assert_eq!(result.figures["lights_at_the_origin"], json!(1));
    assert_eq!(on_floor(&result, [100.0, 100.0]), [22.0; 3]);
}

#[test]
fn unusable_lights_are_left_out_and_reported() {
    let good = LightEntity {
        position: [1.0, 512.0, 0.0],
        range: 1000.0,
        color: "255 255 255".into(),
        intensity: 1.0,
        ..LightEntity::default()
    };
    let bad = [
        LightEntity { range: f32::NAN, ..good.clone() },
        LightEntity { range: -5.0, ..good.clone() },
        LightEntity { intensity: f32::INFINITY, ..good.clone() },
        LightEntity { color: "white".into(), ..good.clone() },
        LightEntity { position: [0.0, f32::INFINITY, 0.0], ..good.clone() },
        LightEntity { position: [1e30, 0.0, 0.0], ..good.clone() },
    ];
    let mut room = plain_room();
    room.entities = Some(bad.into_iter().chain([good]).map(Entity::Light).collect());
    let result = build(&room, &FAST);
    assert_eq!(codes(&result.report), [warning::LIGHT_SKIPPED.id; 6]);
    assert_eq!(result.figures["lights"], json!(1));
}

#[test]
fn reports_more_lights_than_the_limit() {
    let mut room = plain_room();
    let light = room.entities()[0].clone();
    room.entities = Some(vec![light; 1100]);
    let result = build(&room, &[("density", "0.25"), ("samples", "1"), ("bounces", "0")]);
    assert_eq!(
        (result.figures["lights"].clone(), codes(&result.report)),
        (json!(1024), vec![warning::LIGHT_SKIPPED.id])
    );
}

#[test]
fn triangles_with_invalid_indices_are_left_out_and_flat_ones_stay() {
    let mut room = plain_room();
    let count = room.surfaces[0].triangles.len();
    let first = room.surfaces[0].vertices.len() as u32;
    room.surfaces[0].triangles.extend([[0, 1, 99], [0, 0, 1], [0, 1, first]]);
    room.surfaces[0].vertices.push(Vertex { position: [f32::NAN, 0.0, 0.0], ..Vertex::default() });
    let result = build(&room, &FAST);
    assert_eq!(result.room.surfaces[0].triangles.len(), count + 2);
    assert_eq!(codes(&result.report), [warning::BAD_INDEX.id]);
    assert!(
        result.room.surfaces[0]
            .vertices
            .iter()
            .flat_map(|it| it.lightmap_uv)
            .all(|uv| (0.0..1.0).contains(&uv))
    );
}

#[test]
fn refuses_rooms_that_cannot_be_lit() {
    let refused = |room: &RMesh, given: &[(&str, &str)]| try_build(room, given).err().unwrap().to_string();
    assert!(refused(&RMesh::new(), &[]).contains("no opaque triangles"));
    let mut dark = plain_room();
    dark.surfaces[0].lightmap = TextureSlot::NONE;
    assert!(refused(&dark, &[("relight", "")]).contains("no lightmaps to keep"));
    let mut lights = plain_room();
    lights.entities = Some(vec![lights.entities()[0].clone(); 1024]);
    let error = refused(&lights, &[("density", "64"), ("samples", "4096")]);
    assert!(error.contains("1024 lamps on "), "{error}");
}

#[test]
fn an_oversized_room_gets_fewer_texels() {
    let mut room = plain_room();
    for vertex in &mut room.surfaces[0].vertices {
        vertex.position = vertex.position.map(|position| position * 5000.0);
    }
    let result = build(&room, &[("bounces", "0"), ("samples", "1"), ("density", "1")]);
    assert_eq!(codes(&result.report), [warning::LIGHT_COARSE.id]);
}

#[test]
fn surfaces_with_too_many_vertices_are_split() {
    // A grid of squares that do not share their vertices.
    let mut room = plain_room();
    let surface = &mut room.surfaces[0];
    let at = |x: u32, z: u32| Vertex { position: [x as f32 * 8.0, 0.0, z as f32 * 8.0], ..Vertex::default() };
    (surface.vertices, surface.triangles) = (Vec::new(), Vec::new());
    for square in 0..17_000_u32 {
        let (x, z) = (square % 130, square / 130);
        let first = square * 4;
        surface.vertices.extend([at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x + 1, z)]);
        surface.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    let result = build(&room, &FAST);
    assert_eq!(result.room.surfaces.len(), 2);
    assert!(result.room.surfaces.iter().all(|surface| surface.vertices.len() <= 65_535));
    assert_eq!(result.room.triangle_count(), 34_000);
}

prop_compose! {
    /// A typical number, or an extreme one.
    fn any_number()(kind in 0_u8..12, number in -600.0_f32..600.0) -> f32 {
        match kind {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => 1e30,
            3 => 0.0,
            _ => number.round(),
        }
    }
}

/// Whether a surface has a triangle that can be lit.
fn has_area(surface: &Surface) -> bool {
    surface.triangles.iter().any(|corners| {
        let position = |corner: u32| surface.vertices.get(corner as usize).map(|it| Vec3::from(it.position));
        let [Some(a), Some(b), Some(c)] = corners.map(position) else { return false };
        let is_near =
            [a, b, c].into_iter().all(|position| position.is_finite() && position.abs().max_element() < 1e4);
        is_near && (b - a).cross(c - a).length() > 1.0
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_room_is_lit_or_refused(
        vertices in prop::collection::vec(([any_number(), any_number(), any_number()], [any_number(), any_number()]), 1..30),
        triangles in prop::collection::vec([0_u32..32, 0_u32..32, 0_u32..32], 0..40),
        lights in prop::collection::vec(([any_number(), any_number(), any_number()], any_number(), any_number()), 0..4),
        relight: bool,
    ) {
        let mut room = plain_room();
        let surface = &mut room.surfaces[0];
        // A lightmap that does not exist gets the smallest size.
        surface.lightmap.name = Some("none_lm1.png".into());
        surface.vertices = vertices
            .into_iter()
            .map(|(position, uv)| Vertex { position, lightmap_uv: uv.map(|it| it / 600.0), ..Vertex::default() })
            .collect();
        surface.triangles = triangles;
        let light = |(position, range, intensity): ([f32; 3], f32, f32)| {
            Entity::Light(LightEntity { position, range, intensity, color: "9 99 255".into(), ..LightEntity::default() })
        };
        room.entities = Some(lights.into_iter().map(light).collect());
        let options = [("density", "2"), ("samples", "2"), ("relight", "")];
        let count = if relight { 3 } else { 2 };
        if let Ok(result) = try_build(&room, &options[..count]) {
            prop_assert!(!result.pictures.is_empty() || !room.surfaces.iter().any(has_area));
            for (surface, old) in result.room.surfaces.iter().zip(&room.surfaces) {
                prop_assert!(relight || surface.vertices.iter().all(|it| it.lightmap_uv.iter().all(|uv| (0.0..=1.0).contains(uv))));
                prop_assert!(surface.triangles.len() <= old.triangles.len());
            }
        }
    }
}
