//! Tests of baking an entire room: the scene and the report.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use asset::{Code, Context, GamePath, Install, MemorySink, Options, Report, Target};
use files::layer::{EntryKind, Layer, LayerEntry};
use json::json;
use record::{Error, Source};
use scene::ImageKind;
use scene::image::decode;
use scene::{Primitive, Scene, Shading, Wrap};

use super::super::super::scene::Lightmaps;
use super::super::super::texture::Textures;
use super::super::super::{FORMAT, RMesh, scene as room_scene, warning};
use super::super::SIDE;
use super::super::plan::Limits;
use super::super::room::bake_within;
use crate::sample;

/// Files in memory.
#[derive(Debug, Clone, Default)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Layer for Files {
    fn title(&self) -> String {
        "memory".into()
    }

    fn list(&self, folder: &GamePath) -> Result<Vec<LayerEntry>, Error> {
        let start = if folder.is_root() { String::new() } else { format!("{}/", folder.as_str()) };
        let entry = |rest: &str| match rest.split_once('/') {
            Some((name, _)) => LayerEntry { name: name.to_owned(), kind: EntryKind::Folder },
            None => LayerEntry { name: rest.to_owned(), kind: EntryKind::File },
        };
        let mut entries: Vec<_> =
            self.0.keys().filter_map(|path| path.strip_prefix(&start)).map(entry).collect();
        entries.dedup();
        Ok(entries)
    }

    fn open(&self, path: &GamePath) -> Result<Source, Error> {
        self.0
            .get(path.as_str())
            .map(|bytes| Source::from_bytes(bytes.clone()))
            .ok_or_else(|| panic!("{path:?}"))
    }
}

fn sample_files() -> Files {
    static SAMPLE: LazyLock<Files> = LazyLock::new(|| {
        let mut sink = MemorySink::new();
        sample::write(&mut sink).unwrap();
        Files(sink.into_files().into_iter().collect())
    });
    SAMPLE.clone()
}

fn with_context<T>(
    files: Files,
    options: &[(&str, &str)],
    work: impl FnOnce(&RMesh, &Context<'_>, &Target<'_>, &mut Report) -> T,
) -> (T, Report) {
    let mut report = Report::new();
    let room = RMesh::read(&files.0[sample::ROOM], &mut report).unwrap();
    let install = Install::new(vec![Arc::new(files)]);
    let location = install.find(sample::ROOM).found().map(|found| found.location);
    let given: Vec<_> =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let context = Context { install: &install, location, options: &options };
    let target = Target::new("hall", 1.0);
    let result = work(&room, &context, &target, &mut report);
    (result, report)
}

fn to_scene(files: Files, lightmaps: &str) -> (Scene, Report) {
    with_context(files, &[("lightmaps", lightmaps)], room_scene::to_scene)
}

/// A baked room with lossless images.
fn exact(files: Files) -> (Scene, Report) {
    with_context(files, &[("lightmaps", "bake"), ("quality", "100")], room_scene::to_scene)
}

fn primitives(scene: &Scene) -> &[Primitive] {
    &scene.meshes[0].primitives
}

fn is_raised(report: &Report, code: &Code) -> bool {
    report.count_of(code) == 1
}

#[test]
fn reports_once_that_few_viewers_support_layers() {
    let (_, report) = to_scene(sample_files(), "layers");
    let warnings: Vec<_> = report.iter().filter(|warning| warning.code.id == warning::LAYERS.id).collect();
    assert_eq!(warnings.len(), 1);
    assert_eq!(
        warnings[0].to_string(),
        "note RMESH-N050: few viewers support MOZ_lightmap; without --lightmaps layers, the result looks right everywhere"
    );
    let (_, report) = to_scene(sample_files(), "bake");
    assert!(!is_raised(&report, &warning::LAYERS));
}

#[test]
fn a_baked_surface_is_unlit_and_keeps_geometry_and_extras() {
    let ((split, _), (baked, _)) = (to_scene(sample_files(), "layers"), to_scene(sample_files(), "bake"));
    assert_eq!(primitives(&split).len(), primitives(&baked).len());
    let mut count = 0;
    for (split_one, baked_one) in primitives(&split).iter().zip(primitives(&baked)) {
        let material = |scene: &Scene, one: &Primitive| scene.materials[one.material.unwrap().0].clone();
        let (was, is) = (material(&split, split_one), material(&baked, baked_one));
        assert_eq!(was.extras, is.extras);
        assert_eq!((&split_one.positions, &split_one.indices), (&baked_one.positions, &baked_one.indices));
        if was.lightmap.is_none() {
            assert_eq!(split_one, &Primitive { material: split_one.material, ..baked_one.clone() });
            continue;
        }
        count += 1;
        assert_eq!((is.lightmap, is.shading, &baked_one.colors), (None, Shading::Unlit, &None));
        assert_eq!(baked_one.uvs[1..], split_one.uvs);
        assert_eq!(baked_one.extras["texcoords"], json!(["baked", "texture", "lightmap"]));
        let texture = &baked.textures[is.base_color_texture.unwrap().texture.0];
        assert_eq!((texture.sampler.wrap_u, texture.sampler.wrap_v), (Wrap::Clamp, Wrap::Clamp));
    }
    assert!(count >= 2);
    // A lightmap is in no file that bakes it; a texture only if it is also used without a lightmap.
    let names: Vec<_> = baked.images.iter().map(|image| image.name.as_str()).collect();
    assert!(!names.contains(&"hall_lm1.png") && !names.contains(&"tiles.png"), "{names:?}");
}

#[test]
fn baking_a_room_is_deterministic() {
    let glb = || scene::gltf::write_glb(&to_scene(sample_files(), "bake").0).unwrap();
    assert!(glb() == glb());
}

#[test]
fn a_surface_without_its_lightmap_keeps_its_vertex_colors() {
    let mut files = sample_files();
    files.0.remove("GFX/map/hall_lm1.png").unwrap();
    let (scene, report) = to_scene(files, "bake");
    assert!(is_raised(&report, &warning::LIGHTMAP_MISSING));
    assert!(primitives(&scene).iter().all(|primitive| primitive.colors.is_some()));
    assert!(scene.images.iter().all(|image| !image.name.ends_with("_baked")));
}

#[test]
fn an_undecodable_lightmap_is_reported_and_left_out() {
    let mut files = sample_files();
    // A valid header, and image data of another size.
    let broken = scene::image::encode_png(
        &decode(&files.0["GFX/map/tiles.png"], &scene::image::Limits::default()).unwrap(),
    );
    files.0.insert("GFX/map/hall_lm1.png".into(), broken[..broken.len() / 2].to_vec());
    let (scene, report) = to_scene(files, "bake");
    assert!(is_raised(&report, &asset::reference::UNREADABLE));
    assert!(primitives(&scene).iter().all(|primitive| primitive.colors.is_some()));
}

#[test]
fn a_missing_texture_is_baked_as_its_placeholder() {
    let mut files = sample_files();
    files.0.remove("GFX/map/tiles.png").unwrap();
    let (scene, report) = exact(files);
    assert!(is_raised(&report, &asset::reference::MISSING));
    let tiles = |primitive: &&Primitive| {
        let material = &scene.materials[primitive.material.unwrap().0];
        material.extras["texture"]["name"] == json!("tiles.png")
    };
    let floor = primitives(&scene).iter().find(tiles).unwrap();
    let material = &scene.materials[floor.material.unwrap().0];
    let texture = &scene.textures[material.base_color_texture.unwrap().texture.0];
    let picture =
        decode(&scene.images[texture.image.0].encoded.bytes, &scene::image::Limits::default()).unwrap();
    // The placeholder is magenta and dark, without any green.
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    assert!(pixels.iter().all(|[_, green, ..]| *green == 0));
    assert!(pixels.iter().any(|[red, ..]| *red > 0));
}

#[test]
fn an_oversized_room_is_downscaled_and_reported() {
    // Pixels per meter, pixels of the room, and the expected code.
    let cases = [(16.0, 1e9, &warning::BAKED_COARSE), (1e9, 200_000.0, &warning::BAKED_ROOM)];
    for (per_meter, room, warning) in cases {
        let (pixels, report) =
            with_context(sample_files(), &[("lightmaps", "bake")], |mesh, context, _, report| {
                let visible = room_scene::visible_surfaces(
                    mesh,
                    &mut Textures::default(),
                    Lightmaps::Bake,
                    context,
                    report,
                );
                let limits = Limits { per_meter, small_room: 0.0, room };
                let mut scene = Scene::default();
                bake_within(&visible, limits, None, context, &mut scene, report);
                let sizes = scene.images.iter().map(|image| image.encoded.width * image.encoded.height);
                sizes.sum::<u32>()
            });
        let found: Vec<_> = report.iter().map(|warning| warning.code).collect();
        assert_eq!(found, [warning], "{report:?}");
        assert!(f64::from(pixels) <= room * 1.2, "{pixels}");
    }
}

#[test]
fn rooms_with_the_same_surfaces_share_their_baked_images() {
    let (scenes, _) = with_context(sample_files(), &[], |room, context, target, report| {
        [(); 2].map(|()| room_scene::to_scene(room, context, target, report))
    });
    let baked = scenes.map(|scene| {
        let images = scene.images.into_iter().filter(|image| image.name.contains("_baked"));
        images.map(|image| image.encoded.bytes).collect::<Vec<_>>()
    });
    assert!(!baked[0].is_empty());
    assert!(baked[0].iter().zip(&baked[1]).all(|(one, other)| Arc::ptr_eq(one, other)));
}

#[test]
fn a_plain_room_has_fewer_pixels_unless_it_is_lossless_or_has_a_density() {
    let mut files = sample_files();
    for name in files.0.keys().filter(|name| name.ends_with("tiles.png")).cloned().collect::<Vec<_>>() {
        let size = decode(&files.0[&name], &scene::image::Limits::default()).unwrap();
        let count = size.pixels().len() / 4;
        let plain = scene::image::Rgba8::new(size.width(), size.height(), [90, 90, 90, 255].repeat(count));
        files.0.insert(name, scene::image::encode_png(&plain.unwrap()));
    }
    let is_reduced = |options: &[(&str, &str)]| {
        let (_, report) = with_context(files.clone(), options, room_scene::to_scene);
        is_raised(&report, &warning::BAKED_PLAIN)
    };
    assert!(is_reduced(&[]));
    assert!(!is_reduced(&[("quality", "100")]));
    assert!(!is_reduced(&[("density", "4096")]));
}

#[test]
fn reports_the_loss_of_resolution() {
    let options = [("lightmaps", "bake"), ("density", "64")];
    let (_, report) = with_context(sample_files(), &options, room_scene::to_scene);
    let warning = report.iter().find(|warning| warning.code.id == warning::BAKED_COARSE.id).unwrap();
    assert_eq!(
        warning.message,
        "3 of 3 baked surfaces have a lower resolution than their textures: 50% of the pixels per side on average, 50% at the lowest, at 64 pixels per meter"
    );
}

#[test]
fn images_are_accurate_jpegs_unless_lossless_is_requested() {
    let options = [("lightmaps", "bake"), ("density", "4096")];
    let (lossy, _) = with_context(sample_files(), &options, room_scene::to_scene);
    let exact_options = [options.as_slice(), &[("quality", "100")]].concat();
    let (exact, _) = with_context(sample_files(), &exact_options, room_scene::to_scene);
    assert_eq!(lossy.images.len(), exact.images.len());
    let (mut sum, mut count, mut jpegs) = (0_u64, 0_u64, 0);
    for (lossy, exact) in lossy.images.iter().zip(&exact.images) {
        if !lossy.name.contains("_baked") {
            continue;
        }
        assert_eq!(exact.encoded.kind, ImageKind::Png);
        jpegs += usize::from(lossy.encoded.kind == ImageKind::Jpeg);
        let [lossy, exact] = [lossy, exact]
            .map(|image| decode(&image.encoded.bytes, &scene::image::Limits::default()).unwrap());
        for (found, want) in lossy.pixels().iter().zip(exact.pixels()) {
            sum += u64::from(found.abs_diff(*want));
            count += 1;
        }
    }
    assert!(jpegs > 0);
    assert!(sum < 2 * count, "{} on average", sum as f64 / count as f64);
}

/// The sample room with only its floor, whose texture repeats 40 times as often.
fn wide_floor() -> (Files, RMesh) {
    let mut files = sample_files();
    let mut room = RMesh::read(&files.0[sample::ROOM], &mut Report::new()).unwrap();
    room.surfaces.truncate(1);
    for vertex in &mut room.surfaces[0].vertices {
        vertex.texture_uv = vertex.texture_uv.map(|number| number * 40.0);
    }
    files.0.insert(sample::ROOM.into(), room.write().unwrap());
    (files, room)
}

#[test]
fn an_oversized_triangle_is_downscaled_and_reported() {
    let (files, _) = wide_floor();
    let options = [("lightmaps", "bake"), ("density", "4096")];
    let (scene, report) = with_context(files, &options, room_scene::to_scene);
    assert!(is_raised(&report, &warning::BAKED_COARSE) && !is_raised(&report, &warning::BAKED_ROOM));
    let baked = &scene.images[0].encoded;
    assert!(baked.width <= SIDE && baked.height <= SIDE && baked.width.max(baked.height) > 1800, "{baked:?}");
}
