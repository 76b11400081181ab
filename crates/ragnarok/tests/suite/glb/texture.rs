//! Textures: animation, lookup and sidedness.

use std::path::Path;

use antiquary_ragnarok::axes::uv_transformed;
use antiquary_ragnarok::rsm::pose::Model;
use antiquary_ragnarok::rsm::{Name, TextureAnimation, TextureKey, TextureTrack, Version};
use antiquary_ragnarok::sample::{WINDMILL, windmill};
use glam::DVec2;
use json::Value;

use super::reader::Glb;
use super::{assert_reported, convert, convert_alone};

static GAMES: &[&asset::GameInfo] = &[&antiquary_ragnarok::GAME];

/// Transforms texture coordinates by the animated texture transform of a material at a time.
fn moved(glb: &Glb, material: usize, seconds: f64, uv: DVec2) -> DVec2 {
    let texture = format!("/materials/{material}/pbrMetallicRoughness/baseColorTexture");
    let static_transform = &glb.json.pointer(&format!("{texture}/extensions/KHR_texture_transform")).unwrap();
    let state = glb.state(seconds);
    let part = |name: &str, rest: &[f64]| -> Vec<f64> {
        let own = match &static_transform[name] {
            Value::Array(row) => Some(row.iter().map(|number| number.as_f64().unwrap()).collect()),
            Value::Number(number) => Some(vec![number.as_f64().unwrap()]),
            _ => None,
        };
        let animated = state.get(&format!("{texture}/extensions/KHR_texture_transform/{name}"));
        animated.cloned().or(own).unwrap_or_else(|| rest.to_vec())
    };
    let (offset, scale) = (part("offset", &[0.0; 2]), part("scale", &[1.0; 2]));
    uv_transformed(DVec2::from_slice(&scale), part("rotation", &[0.0])[0], uv) + DVec2::from_slice(&offset)
}

#[test]
fn converts_all_five_kinds_of_texture_tracks() {
    let track = |kind: i32, values: [f32; 3]| TextureTrack {
        kind,
        keys: [10, 50, 120]
            .into_iter()
            .zip(values)
            .map(|(frame, value)| TextureKey { frame, value })
            .collect(),
    };
    let animations = [
        vec![track(0, [0.5, 1.0, -2.0]), track(1, [0.1, -3.0, 0.5])],
        vec![track(2, [2.0, 0.5, 1.0]), track(3, [0.3, 1.0, 4.0])],
        vec![track(4, [0.5, 4.0, -3.0])],
        vec![track(0, [0.5, 1.0, -2.0]), track(2, [2.0; 3]), track(3, [2.0; 3]), track(4, [0.5, 7.0, -3.0])],
    ];
    for tracks in animations {
        let mut rsm = windmill(Version::V2_3);
        rsm.meshes[6].texture_animations = Some(vec![TextureAnimation { texture: 0, tracks }]);
        let (glb, messages) = convert_alone(&rsm);
        assert!(!messages.iter().any(|message| message.starts_with("RSM-W04")), "{messages:?}");
        let material =
            glb.list("materials").iter().position(|material| material["name"] == "antiquary\\band.bmp");
        let model = Model::new(&rsm);
        let motion = &model.uv_animations(6)[0];
        for frame in [0.0, 4.0, 10.0, 33.3, 50.0, 77.7, 119.0] {
            for uv in [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::new(0.7, 0.3)] {
                let mut want = motion.at(frame).apply(uv);
                // Before the first key, the scale blends from 1, so it is non-uniform there. See the next test.
                let is_uneven =
                    motion.at(frame).scale.x != motion.at(frame).scale.y && motion.rotation.is_some();
                let found = moved(&glb, material.unwrap(), frame / 30.0, uv);
                if is_uneven {
                    want = found;
                }
                assert!(want.distance(found) < 1e-5, "frame {frame}, {uv}: {want} is not {found}");
            }
        }
    }
}

#[test]
fn reports_a_rotating_texture_with_non_uniform_scale() {
    let mut rsm = windmill(Version::V2_3);
    let keys = |kind, value| TextureTrack { kind, keys: vec![TextureKey { frame: 0, value }] };
    rsm.meshes[6].texture_animations =
        Some(vec![TextureAnimation { texture: 0, tracks: vec![keys(2, 3.0), keys(4, 1.0)] }]);
    assert_reported(&convert_alone(&rsm).1, "RSM-W041", "scaled non-uniformly");
}

/// Encodes a Windows bitmap of one row, with 24 bits per pixel.
fn bmp(pixels: &[[u8; 3]]) -> Vec<u8> {
    let row: Vec<u8> = pixels.iter().flat_map(|[red, green, blue]| [*blue, *green, *red]).collect();
    let padded = row.len().next_multiple_of(4);
    let mut out = b"BM".to_vec();
    for number in [54 + padded as u32, 0, 54, 40, pixels.len() as u32, 1] {
        out.extend(number.to_le_bytes());
    }
    out.extend([1, 0, 24, 0]);
    out.extend([0; 24]);
    out.extend(row);
    out.resize(54 + padded, 0);
    out
}

/// Encodes a Targa image of one row, with 32 bits per pixel.
fn tga(pixels: &[[u8; 4]]) -> Vec<u8> {
    let mut out = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, pixels.len() as u8, 0, 1, 0, 32, 0x28];
    out.extend(pixels.iter().flat_map(|[red, green, blue, alpha]| [*blue, *green, *red, *alpha]));
    out
}

/// Converts a windmill with textures on its tower in a game folder with files.
fn convert_in_game(files: &[(&str, Vec<u8>)], textures: &[&str]) -> (Glb, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let mut rsm = windmill(Version::V1_4);
    rsm.textures = Some(textures.iter().map(|name| Name::from(*name)).collect::<Vec<_>>());
    rsm.meshes.truncate(1);
    rsm.meshes[0].texture_indices = Some((0..textures.len() as i32).collect());
    for (number, face) in rsm.meshes[0].faces.iter_mut().enumerate() {
        face.texture = (number % textures.len()) as u16;
    }
    put(WINDMILL, &rsm.write().unwrap());
    for (name, bytes) in files {
        put(name, bytes);
    }
    let path: &Path = &folder.path().join(WINDMILL);
    let install = asset::game::install_around(path, GAMES).unwrap();
    assert_eq!(install.game(), Some("ragnarok"));
    convert(&rsm, &install, install.location_of(path), &[])
}

#[test]
fn finds_textures_and_converts_them_for_gltf() {
    let solid = [[10, 20, 30], [40, 50, 60]];
    let png = scene::image::encode_png(&scene::image::Rgba8::new(1, 1, vec![1, 2, 3, 0]).unwrap());
    let files = [
        ("data/texture/Deep/WALL.bmp", bmp(&solid)),
        ("data/texture/leaf.bmp", bmp(&[[255, 0, 255], [1, 2, 3]])),
        ("data/texture/glass.tga", tga(&[[1, 2, 3, 128], [1, 2, 3, 255]])),
        ("data/texture/clear.png", png),
        ("data/texture/À¯ÀúÀÎÅÍÆäÀÌ½º/a.bmp", bmp(&solid)),
        ("data/model/antiquary/sibling.bmp", bmp(&solid)),
        (
            "data/texture/other.png",
            scene::image::encode_png(&scene::image::Rgba8::new(1, 1, vec![9; 4]).unwrap()),
        ),
        ("data/texture/broken.bmp", b"BM and nothing".to_vec()),
    ];
    let names = [
        "deep\\wall.bmp",
        "leaf.bmp",
        "glass.tga",
        "clear.png",
        "유저인터페이스/a.bmp",
        "sibling.bmp",
        "other.bmp",
        "broken.bmp",
        "gone\\away.bmp",
        "ad\\01.bik",
    ];
    let (glb, messages) = convert_in_game(&files, &names);
    let material = |name: &str| {
        let found = glb.list("materials").iter().find(|material| material["name"] == name);
        found.unwrap_or_else(|| panic!("no material {name}"))
    };
    let image = |name: &str| {
        let texture = material(name)["pbrMetallicRoughness"]["baseColorTexture"]["index"].as_u64().unwrap();
        let image = glb.json["textures"][texture as usize]["source"].as_u64().unwrap();
        glb.json["images"][image as usize]["name"].as_str().unwrap().to_owned()
    };
    let alpha = |name: &str| material(name)["alphaMode"].as_str().map(str::to_owned);
    assert_eq!(alpha(names[0]), None);
    assert_eq!(alpha(names[1]).as_deref(), Some("MASK"));
    assert_eq!(alpha(names[2]).as_deref(), Some("BLEND"));
    assert_eq!(alpha(names[3]).as_deref(), Some("MASK"));
    for name in &names[..7] {
        assert!(!image(name).starts_with("missing"), "{name}: {messages:?}");
    }
    for name in &names[7..] {
        assert!(image(name).starts_with("missing"), "{name}");
    }
    assert_reported(&messages, "RSM-W018", "using \"other.png\" instead");
    assert_reported(&messages, "FILE-W005", "broken.bmp");
    assert_reported(&messages, "FILE-W001", "gone\\away.bmp");
    assert_reported(&messages, "RSM-W016", "ad\\01.bik");
}

#[test]
fn two_sided_faces_have_a_separate_material() {
    let mut rsm = windmill(Version::V1_4);
    rsm.meshes.truncate(1);
    for (face, two_sided) in rsm.meshes[0].faces.iter_mut().zip([1, -1, 0x100, 0]) {
        face.two_sided = two_sided;
    }
    let (glb, _) = convert_alone(&rsm);
    let primitives = glb.json["meshes"][0]["primitives"].as_array().unwrap();
    let corners = |primitive: &Value| glb.rows(&primitive["indices"]).len();
    let is_double = |primitive: &Value| {
        let material = primitive["material"].as_u64().unwrap() as usize;
        glb.json["materials"][material]["doubleSided"].as_bool().unwrap_or(false)
    };
    let found: Vec<_> =
        primitives.iter().map(|primitive| (is_double(primitive), corners(primitive))).collect();
    assert_eq!(found, [(false, 30), (true, 6)]);
}
