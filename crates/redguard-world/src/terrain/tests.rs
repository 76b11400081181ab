//! Tests with synthetic terrains.

use ::scene::image::{
    Gray16, Indexed8, Limits, decode_gray16, decode_indexed, encode_gray16_png, encode_indexed_png,
};
use asset::{Install, MemorySink, Options, Source, Target, Unpacked};
use files::layer::MemoryLayer;
use proof::assert_round_trip;
use record::{Bytes, Raw};
use std::sync::Arc;

use super::*;
use redguard_files::settings::ini::world::World;

/// A terrain of 2 x 2 tiles, with the height and surface bytes of each corner by its column and row.
fn terrain(height: impl Fn(usize, usize) -> u8, surface: impl Fn(usize, usize) -> u8) -> Terrain {
    let mut out = crate::sample::terrain::flat();
    let corners = || (0..256).flat_map(|row| (0..256).map(move |column| (column, row)));
    let heights: Vec<u8> = corners().map(|(column, row)| height(column, row)).collect();
    let surfaces: Vec<u8> = corners().map(|(column, row)| surface(column, row)).collect();
    grid::set_plane(&mut out, &heights, |planes| &mut planes.heights.0);
    grid::set_plane(&mut out, &surfaces, |planes| &mut planes.surface.0);
    out
}

#[test]
fn writes_what_it_reads() {
    let terrain = terrain(|column, row| (column ^ row) as u8, |column, row| (column * 3 + row) as u8);
    let bytes = terrain.write().unwrap();
    assert_eq!(bytes.len(), 263_432);
    assert_eq!(Terrain::read(&bytes).unwrap(), terrain);
    assert_round_trip(&Terrain::read(&bytes).unwrap(), &bytes);
    let mut odd = terrain;
    odd.tiles[2].flag = 0xe0;
    odd.tiles[2].ground = Ground::Seed(Raw([7; 25]));
    odd.has_trailer = false;
    odd.trailer = None;
    odd.rest = Bytes(vec![1, 2]);
    let bytes = odd.write().unwrap();
    assert_eq!(Terrain::read(&bytes).unwrap(), odd);
    assert_round_trip(&Terrain::read(&bytes).unwrap(), &bytes);
}

#[test]
fn refuses_what_the_game_refuses() {
    let bytes = terrain(|_, _| 0, |_, _| 0).write().unwrap();
    for (at, value, expected) in [
        (20, 2, "header.version: found version 2"),
        (24, 23, "header.tile_header_bytes: found 23 bytes"),
        (0, 18, "header.tile_table_bytes"),
        (6, 1, "tiles: expected 131076 items"),
    ] {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        let error = Terrain::read(&bytes).unwrap_err().to_string();
        assert!(error.starts_with(expected) && error.contains("offset 0x"), "{error}");
    }
    for length in [0, 4, 143, 1184, 1206, 200_000] {
        assert!(Terrain::read(&bytes[..length]).is_err(), "{length}");
    }
}

/// Counts are not trusted: a terrain without tiles has no corners, whatever its number of rows is.
#[test]
fn a_terrain_without_tiles_has_no_corners() {
    let mut none = terrain(|_, _| 0, |_, _| 0);
    (none.header.columns, none.header.rows) = (0, u32::MAX);
    none.tiles.clear();
    let none = Terrain::read(&none.write().unwrap()).unwrap();
    let grid = Grid::of(&none);
    assert_eq!((grid.columns(), grid.rows()), (0, 0));
    assert!(resolved::resolved(&none, None).root().to_value()["texture"].as_array().unwrap().is_empty());
    assert!(triangles(&scene_of(&none, &[])).0.is_empty());
    // A terrain with many tiles cannot be converted to a scene.
    let mut large = terrain(|_, _| 0, |_, _| 0);
    (large.header.columns, large.header.rows) = (5, 4);
    large.tiles = vec![large.tiles[0].clone(); 20];
    let error = in_game(&large, &[], |context| {
        let target = Target::new("island", 1.0);
        scene::scene(&Grid::of(&large), context, &target, &mut Report::new()).unwrap_err()
    });
    assert!(error.to_string().contains("too large for a scene"), "{error}");
}

#[test]
fn decodes_heights_images_and_normals() {
    // A slope that rises toward the east, and a rotated image.
    let grid = Grid::of(&terrain(|column, _| if column < 128 { 1 } else { 53 }, |_, _| 17 | 3 << 6));
    assert_eq!((grid.height(3, 4), grid.height(128, 255), grid.height_index(200, 0)), (40, 880, 53));
    assert_eq!((grid.image(1, 1), grid.turns(1, 1)), (17, 3));
    assert_eq!(grid.normal(10, 10), [0.0, 1.0, 0.0]);
    let [x, y, z] = grid.normal(128, 100);
    // East is -X in scenes: the ground rises toward the east, so that its normal points west.
    assert!(x > 0.4 && y > 0.0 && z.abs() < 1e-6, "{x} {y} {z}");
    let corners = [(0, 0), (255, 0), (0, 255), (255, 255), (5, 0), (7, 7)];
    assert_eq!(corners.map(|(column, row)| grid.triangles_at(column, row)), [2, 1, 1, 2, 3, 6]);
    assert_eq!((grid.is_bent(127, 3), grid.is_bent(255, 3)), (Some(false), None));
}

#[test]
fn moves_corners_surrounded_by_water() {
    let grid = Grid::of(&terrain(|_, _| 0, |column, row| if column < 10 && row < 10 { 30 } else { 12 }));
    assert!(grid.moves(1, 1) && grid.moves(9, 9));
    assert!(!grid.moves(0, 5) && !grid.moves(5, 0) && !grid.moves(10, 5));
    let static_water =
        Grid::of(&terrain(|_, _| 0, |column, row| if (column, row) == (4, 4) { 5 } else { 31 }));
    assert!(!static_water.moves(4, 4) && static_water.moves(5, 5) && static_water.moves(4, 5));
    let wave = Wave { amplitude: 32.0, speed: 33, frequency: 4 };
    // The Y axis of the game points down: cos(0) lowers the corner by the amplitude, and half of it is added.
    assert_eq!(wave.rise(0, 0, 0), -16.0);
    assert!((wave.rise(16, 0, 0) - 48.0).abs() < 1e-9, "{}", wave.rise(16, 0, 0));
    assert_eq!(Wave::default().rise(3, 4, 5), 0.0);
    assert!(wave.rise(i64::MAX, i64::MIN, u64::MAX).abs() <= 48.0);
}

/// Calls a function with the sample game in which `terrain` replaces the terrain of the island.
fn in_game<T>(terrain: &Terrain, given: &[(&str, &str)], run: impl FnOnce(&Context<'_>) -> T) -> T {
    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    let mut files: Vec<_> =
        sink.files().iter().map(|(name, bytes)| (name.clone(), Source::from(bytes.clone()))).collect();
    files.retain(|(name, _)| name != "maps/ISLAND.WLD");
    files.push(("maps/ISLAND.WLD".to_owned(), Source::from(terrain.write().unwrap())));
    let layer = MemoryLayer::new("sample", files).unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", asset::Charset::Cp437);
    let location = install.find("maps/ISLAND.WLD").found().unwrap().location;
    let options = proof::options(&FORMAT, given);
    run(&Context { install: &install, location: Some(location), options: &options })
}

fn scene_of(terrain: &Terrain, given: &[(&str, &str)]) -> ::scene::Scene {
    in_game(terrain, given, |context| {
        let target = Target::new("island", 1.0);
        scene::scene(&Grid::of(terrain), context, &target, &mut Report::new()).unwrap()
    })
}

/// Corners of all triangles in meters, and the number of vertices.
fn triangles(scene: &::scene::Scene) -> (Vec<[[f32; 3]; 3]>, usize) {
    let top = scene.nodes.iter().find(|node| node.name == "TERRAIN").unwrap();
    let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let position = |primitive: &::scene::Primitive, index: u32| {
        let [x, y, z] = primitive.positions[index as usize];
        (glam::Vec3::new(x, y, z) * top.scale + top.translation).to_array()
    };
    let corners = primitives().flat_map(|primitive| {
        primitive
            .indices
            .chunks(3)
            .map(|indices| [indices[0], indices[1], indices[2]].map(|i| position(primitive, i)))
    });
    (corners.collect(), primitives().map(|primitive| primitive.positions.len()).sum())
}

#[test]
fn converts_a_terrain_to_triangles_that_face_up() {
    let hill = terrain(
        |column, row| (column / 4 + row / 8) as u8,
        |column, row| (column / 16 % 3 + row % 2) as u8 | 64,
    );
    for given in [&[][..], &[("quads", "software")], &[("atlas", "")], &[("ticks", "7")]] {
        let scene = scene_of(&hill, given);
        let (triangles, vertices) = triangles(&scene);
        assert_eq!(triangles.len(), 2 * 255 * 255, "{given:?}");
        assert!(vertices <= 4 * 255 * 255);
        for [a, b, c] in &triangles {
            let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
            assert!(up > 0.0, "{given:?} {a:?} {b:?} {c:?}");
        }
        assert!(
            scene
                .meshes
                .iter()
                .flat_map(|mesh| &mesh.primitives)
                .all(|primitive| primitive.positions.len() < 65_535)
        );
    }
    let first = |scene: &::scene::Scene| triangles(scene).0[0][0];
    assert_eq!(first(&scene_of(&hill, &[])), [0.0, 0.0, 0.0]);
    // All choices of axes are rotations of each other.
    let raw = scene_of(&hill, &[("axes", "raw")]);
    let (ours, theirs) = (triangles(&scene_of(&hill, &[])).0, triangles(&raw).0);
    for (a, b) in ours.iter().flatten().zip(theirs.iter().flatten()) {
        assert!((a[0] + b[0]).abs() + (a[1] + b[1]).abs() + (a[2] - b[2]).abs() < 1e-3, "{a:?} {b:?}");
    }
    let water = scene_of(&hill, &[])
        .materials
        .iter()
        .filter(|material| material.extras.contains_key("water"))
        .count();
    assert_eq!(water, 1);
}

/// Unpacks a terrain, edits a view, and packs the result.
fn edit_view(
    old: &Terrain,
    name: &str,
    paint: impl FnOnce(&[u8]) -> Vec<u8>,
) -> (Result<Terrain>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    in_game(old, &[], |context| {
        let bytes = old.write().unwrap();
        let guard = asset::Guard::new(asset::Overwrite::Refuse);
        guard.protect(std::path::Path::new("none"));
        let mut sink = asset::FolderSink::new(folder.path(), Arc::new(guard));
        let mut primitives = Parts::new(&mut sink, FORMAT.id, &Source::from(bytes), "ISLAND.WLD").unwrap();
        old.unpack(context, &mut primitives, &mut Report::new()).unwrap();
        primitives.finish(&mut Report::new()).unwrap();
        sink.finish().unwrap();
    });
    let path = folder.path().join("views").join(name);
    std::fs::write(&path, paint(&std::fs::read(&path).unwrap())).unwrap();
    let mut report = Report::new();
    let folder = Unpacked::open(folder.path()).unwrap();
    let packed = plane::pack(&folder, &mut report).and_then(|bytes| Terrain::read(&bytes));
    (packed, report.iter().map(ToString::to_string).collect())
}

#[test]
fn packs_edited_heights() {
    let old = terrain(|column, _| (column % 128) as u8 | 0x80, |_, _| 0);
    let paint = |bytes: &[u8]| {
        let picture = decode_gray16(bytes, &Limits::default()).unwrap();
        assert_eq!((picture.width(), picture.height(), picture.samples()[127]), (256, 256, 7760 * 8));
        let mut samples = picture.samples().to_vec();
        samples[0] = 120 * 8;
        samples[1] = 121 * 8;
        encode_gray16_png(&Gray16::new(256, 256, samples).unwrap(), ::scene::Compression::Usual)
    };
    let (new, messages) = edit_view(&old, "height.png", paint);
    let grid = Grid::of(&new.unwrap());
    assert_eq!((grid.height(0, 0), grid.height(1, 0), grid.stored_split(0, 0)), (120, 120, true));
    // Unedited corners keep their indices, even if other indices have the same height.
    assert_eq!((grid.height_index(2, 0), grid.height_index(3, 0)), (2, 3));
    assert!(
        matches!(&messages[..], [one] if one.contains("1 height is not in the height table")),
        "{messages:?}"
    );
    let (error, _) = edit_view(&old, "height.png", |_| {
        encode_gray16_png(&Gray16::new(2, 2, vec![0; 4]).unwrap(), ::scene::Compression::Usual)
    });
    assert!(error.unwrap_err().to_string().contains("has 2 x 2 pixels, expected 256 x 256"));
}

#[test]
fn packs_edited_planes() {
    let old = terrain(|_, _| 9, |column, row| (column % 64) as u8 | ((row % 4) as u8) << 6);
    let set = |index: u8| {
        move |bytes: &[u8]| {
            let picture = decode_indexed(bytes, &Limits::default()).unwrap().unwrap();
            let mut indices = picture.indices().to_vec();
            indices[256 * 2 + 3] = index;
            encode_indexed_png(
                &Indexed8::new(256, 256, indices, picture.palette().to_vec()).unwrap(),
                ::scene::Compression::Usual,
            )
        }
    };
    let changed = |name: &str, index: u8| {
        let (new, messages) = edit_view(&old, name, set(index));
        assert!(messages.is_empty(), "{messages:?}");
        new.unwrap()
    };
    let texture = changed("texture.png", 50);
    let grid = Grid::of(&texture);
    assert_eq!((grid.image(3, 2), grid.turns(3, 2), grid.image(4, 2)), (50, 2, 4));
    assert_eq!(Grid::of(&changed("turn.png", 1)).turns(3, 2), 1);
    assert!(Grid::of(&changed("split.png", 1)).stored_split(3, 2));
    let scatter = grid::plane(&changed("scatter.png", 77), |planes| &planes.scatter.0);
    assert_eq!((scatter[256 * 2 + 3], scatter.iter().filter(|byte| **byte != 0).count()), (77, 1));
    // Painting a surface selects an image with that surface.
    assert_eq!(Grid::of(&changed("surface.png", 1)).image(3, 2), 5);
    let (error, _) = edit_view(&old, "surface.png", set(11));
    assert!(error.unwrap_err().to_string().contains("no image of TEXBSI.302 has the surface gloop"));
}

#[test]
fn reports_defects() {
    let codes = |change: &dyn Fn(&mut Terrain)| {
        let mut terrain = terrain(|_, _| 0, |_, _| 30);
        change(&mut terrain);
        let mut report = Report::new();
        in_game(&terrain, &[], |context| terrain.check(context, &mut report));
        report.iter().map(|warning| warning.code.id).collect::<Vec<_>>()
    };
    assert!(codes(&|_| {}).is_empty());
    assert_eq!(
        codes(&|terrain| (terrain.tiles[1].flag, terrain.tiles[1].ground) = (0, Ground::Seed(Raw([0; 25])))),
        ["WLD-E001", "WLD-W004", "WLD-W004"]
    );
    assert_eq!(codes(&|terrain| terrain.tiles[1].level = 9), ["WLD-N006"]);
    assert_eq!(codes(&|terrain| terrain.tile_offsets[3] = 5), ["WLD-W004"]);
    assert_eq!(codes(&|terrain| terrain.rest = Bytes(vec![0; 3])), ["WLD-W002"]);
    assert_eq!(codes(&|terrain| (terrain.has_trailer, terrain.trailer) = (false, None)), ["WLD-N003"]);
    assert_eq!(
        codes(&|terrain| grid::set_plane(terrain, &[1; 65_536], |planes| &mut planes.unused.0)),
        ["WLD-W007"]
    );
    assert_eq!(
        codes(&|terrain| grid::set_plane(terrain, &[63; 65_536], |planes| &mut planes.surface.0)),
        ["WLD-N008"]
    );
}

#[test]
fn describes_a_corner() {
    let terrain = terrain(|_, _| 3, |_, _| 5);
    let options = Options::default();
    let install = Install::empty();
    let context = Context { install: &install, location: None, options: &options };
    let found = terrain.at(&context, &[128.0, 255.0]).unwrap().unwrap();
    assert_eq!(found["engine"], json::json!([32768, -40, 256]));
    assert_eq!(found["exporter"], json::json!([-1638.4, 2.0, -3264.0]));
    for position in [&[1.0][..], &[0.0, 256.0], &[-1.0, 0.0], &[f64::NAN, 0.0], &[1.0, 2.0, 3.0]] {
        assert!(terrain.at(&context, position).is_err(), "{position:?}");
    }
}

#[test]
fn lights_slopes_that_face_the_sun() {
    let mut world = World::new(1);
    (world.ambient, world.sun, world.sun_angle) = ([100, 200, 0], [128, 128, 50], 256);
    let light = Daylight::of_world(&world);
    // The sun is at 45 degrees in the west of the game: its light points right and down.
    let [x, y, z] = light.direction;
    assert!((x - 0.5_f32.sqrt()).abs() < 1e-3 && (y - x).abs() < 1e-3 && z == 0.0, "{:?}", light.direction);
    assert_eq!(light.on([0.0, 1.0, 0.0]), [190, 255, 35]);
    // Scenes have X to the west: this slope faces the sun, the other one faces away.
    let half = 0.5_f32.sqrt();
    assert_eq!(light.on([half, half, 0.0]), [228, 255, 50]);
    assert_eq!(light.on([-half, half, 0.0])[0], 100);
    // Without settings, the sun is at the zenith.
    assert_eq!(Daylight::of_world(&World::new(1)).on([0.0, 1.0, 0.0]), [255, 255, 228]);
}

#[test]
fn computes_blend_masks() {
    assert_eq!((Blend::of_image(1).at(64, 64, 0), Blend::of_image(0).at(0, 0, 0)), (0, 255));
    let gradient: Vec<u8> = [0, 28, 29, 64, 99, 100].map(|u| Blend::of_image(6).at(u, 0, 0)).to_vec();
    assert_eq!(gradient, [0, 0, 3, 127, 252, 255]);
    assert_eq!([4, 5].map(|u| Blend::of_image(31).at(u, 9, 0)), [0, 255]);
    // (u + v + 2 * 128 - 254) * 2 for image 30; image 32 has no soft edge.
    assert_eq!([(0, 0), (20, 30), (127, 127)].map(|(u, v)| Blend::of_image(30).at(u, v, 0)), [4, 104, 255]);
    assert_eq!([(63, 63), (64, 63)].map(|(u, v)| Blend::of_image(32).at(u, v, 0)), [0, 255]);
    // A rotated mask is the same mask seen from another side.
    for turns in 0..4 {
        let counted = (0..128).filter(|u| Blend::of_image(31).at(*u, 64, turns) > 0).count();
        assert!([123, 128].contains(&counted), "{turns}: {counted}");
    }
    assert_eq!((Blend::of_image(31).at(0, 64, 2), Blend::of_image(31).at(127, 64, 2)), (255, 0));
}
