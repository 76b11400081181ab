//! Text, binary with both float sizes, and both compressed encodings: the same model.

use super::encode::{
    Floats, Guid, Integers, Item, Name, Object, Template, Text, binary, blocks, object, text, zip,
};
use super::{messages, read};
use crate::x::zip::unpack;
use crate::x::{Encoding, FloatSize, KeyKind, XFile};

const STEEL: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f, 0x10];
const MATRIX: [f32; 16] =
    [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.1, -96.0, 1e-7, 1.0];

fn material(name: &'static str, texture: Option<&'static str>, guid: Option<[u8; 16]>) -> Item {
    let mut items = vec![Floats(vec![0.5, 0.25, 1.0, 1.0, 40.0, 0.0, 0.1, 0.2, 0.0, 0.0, 0.0])];
    items.extend(texture.map(|texture| object("TextureFilename", "", vec![Text(texture)])));
    Object("Material", name, guid, items)
}

/// Returns all objects that are read, and one that is not.
pub(super) fn everything() -> Vec<Item> {
    let square = [0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 1.5, 1.0, -0.0, 0.0, 1.0, 3.402_823_5e38];
    let mesh = object(
        "Mesh",
        "2_sides.a-b",
        vec![
            Integers(vec![4]),
            Floats(square.to_vec()),
            Integers(vec![2, 4, 0, 1, 2, 3, 3, 2, 1, 0]),
            object(
                "MeshNormals",
                "",
                vec![
                    Integers(vec![1]),
                    Floats(vec![0.0, 0.0, -1.0]),
                    Integers(vec![2, 4, 0, 0, 0, 0, 3, 0, 0, 0]),
                ],
            ),
            object(
                "MeshTextureCoords",
                "uv",
                vec![Integers(vec![4]), Floats(vec![0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0])],
            ),
            object(
                "MeshVertexColors",
                "",
                vec![
                    Integers(vec![2]),
                    Integers(vec![0]),
                    Floats(vec![1.0, 0.5, 0.0, 1.0]),
                    Integers(vec![3]),
                    Floats(vec![0.0; 4]),
                ],
            ),
            object("VertexDuplicationIndices", "", vec![Integers(vec![4, 4, 0, 1, 2, 3])]),
            object(
                "MeshMaterialList",
                "",
                vec![
                    Integers(vec![3, 1, 0]),
                    Name("steel"),
                    material("wood", Some("C:\\author\\wood.jpg"), None),
                    Guid(STEEL),
                ],
            ),
            object("XSkinMeshHeader", "", vec![Integers(vec![2, 4, 1])]),
            object(
                "SkinWeights",
                "",
                vec![
                    Text("upper.arm"),
                    Integers(vec![2, 0, 3]),
                    Floats(vec![0.25, 1.0]),
                    Floats(MATRIX.to_vec()),
                ],
            ),
            object("DeclData", "", vec![Integers(vec![1, 1, 0, 5, 1, 8, 0, 1, 2, 3, 4, 5, 6, 0x3f80_0000])]),
            object("FVFData", "", vec![Integers(vec![258, 2, 7, 8])]),
            object("EffectInstance", "", vec![Text("x"), object("Inner", "", vec![Floats(vec![1.0])])]),
        ],
    );
    let keys = |kind: u32, values: &[f32]| {
        let count = values.len() as u32;
        object(
            "AnimationKey",
            "",
            vec![
                Integers(vec![kind, 2]),
                Integers(vec![0, count]),
                Floats(values.to_vec()),
                Integers(vec![80, count]),
                Floats(values.to_vec()),
            ],
        )
    };
    vec![
        Template("Unknown"),
        object("Header", "", vec![Integers(vec![1, 0, 1])]),
        object("AnimTicksPerSecond", "", vec![Integers(vec![24])]),
        material("steel", None, Some(STEEL)),
        Template("Another"),
        object(
            "Frame",
            "Root",
            vec![
                object("FrameTransformMatrix", "", vec![Floats(MATRIX.to_vec())]),
                object("Frame", "upper.arm", vec![mesh]),
                object("Frame", "01", vec![Name("shared")]),
            ],
        ),
        object("Mesh", "shared", vec![Integers(vec![0, 0])]),
        object("Mesh", "", vec![Integers(vec![1]), Floats(vec![1.0, 2.0, 3.0]), Integers(vec![0])]),
        object(
            "AnimationSet",
            "walk",
            vec![object(
                "Animation",
                "move",
                vec![
                    Name("upper.arm"),
                    keys(0, &[0.5, 0.5, 0.5, -0.5]),
                    keys(1, &[1.0, 2.0, 1.0]),
                    keys(2, &[1.0, 2.0, -3.5]),
                    keys(4, &MATRIX),
                    object("AnimationOptions", "", vec![Integers(vec![1, 0])]),
                ],
            )],
        ),
        object("Props", "of mine", vec![Text("}{"), Floats(vec![0.5])]),
        object("Props", "", vec![]),
    ]
}

#[test]
fn all_encodings_contain_the_same_model() {
    let items = everything();
    let (plain, report) = read(&text(&items));
    assert_eq!(
        messages(&report),
        [
            "X-W003 unknown object of template EffectInstance is left out",
            "X-W003 2 unknown objects of template Props are left out",
        ]
    );
    let files = [
        (binary(&items, 32), Encoding::Binary, FloatSize::Single),
        (binary(&items, 64), Encoding::Binary, FloatSize::Double),
        (zip(&text(&items), 32 << 10), Encoding::CompressedText, FloatSize::Single),
        (zip(&text(&items), 100), Encoding::CompressedText, FloatSize::Single),
        (zip(&binary(&items, 32), 77), Encoding::CompressedBinary, FloatSize::Single),
        (zip(&binary(&items, 64), 1000), Encoding::CompressedBinary, FloatSize::Double),
    ];
    for (bytes, encoding, float_size) in files {
        let (mut file, found) = read(&bytes);
        assert_eq!((file.header.encoding, file.header.float_size), (encoding, float_size));
        assert_eq!(messages(&found), messages(&report), "{encoding}");
        file.header = plain.header;
        assert_eq!(file, plain, "{encoding}");
    }
}

#[test]
fn reads_all_objects() {
    let (file, _) = read(&text(&everything()));
    assert_eq!((file.templates, file.ticks_per_second), (2, Some(24)));
    assert_eq!(file.file_header.unwrap().flags, 1);
    let [root] = file.frames.as_slice() else { panic!("{:?}", file.frames) };
    assert_eq!(root.matrix.unwrap()[3], [0.1, -96.0, 1e-7, 1.0]);
    let names: Vec<_> = root.frames.iter().map(|frame| frame.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["upper.arm", "01"]);
    assert_eq!(
        (root.frames[0].meshes.as_slice(), root.frames[1].meshes.as_slice()),
        ([0].as_slice(), [1].as_slice())
    );
    // The shared mesh is in its frame only; the unnamed one is a top-level mesh.
    assert_eq!(file.top_meshes, [2]);
    let mesh = &file.meshes[0];
    assert_eq!(mesh.name.as_deref(), Some("2_sides.a-b"));
    assert_eq!(mesh.vertices[3], [0.0, 1.0, f32::MAX]);
    assert_eq!(mesh.faces.iter().map(<[u32]>::to_vec).collect::<Vec<_>>(), [vec![0, 1, 2, 3], vec![2, 1, 0]]);
    assert_eq!(file.triangle_count(), 3);
    let list = mesh.material_list.as_ref().unwrap();
    assert_eq!(list.materials, [Some(0), Some(1), Some(0)]);
    assert_eq!(file.materials[1].texture.as_deref(), Some("C:\\author\\wood.jpg"));
    assert_eq!(file.materials[0].power, 40.0);
    assert_eq!(mesh.skin_weights[0].bone, "upper.arm");
    assert_eq!(mesh.skin_weights[0].weights, [0.25, 1.0]);
    assert_eq!(mesh.decl_data.as_ref().unwrap().data[7], 0x3f80_0000);
    assert_eq!(mesh.fvf_data.as_ref().unwrap().format, 258);
    assert_eq!(mesh.vertex_colors.as_ref().unwrap()[1].vertex, 3);
    let animation = &file.animation_sets[0].animations[0];
    assert_eq!(animation.frame.as_deref(), Some("upper.arm"));
    let kinds: Vec<_> = animation.keys.iter().map(|keys| keys.kind).collect();
    assert_eq!(kinds, [KeyKind::Rotation, KeyKind::Scale, KeyKind::Position, KeyKind::Matrix]);
    assert_eq!(animation.keys[3].iter().nth(1).unwrap(), (80, MATRIX.as_slice()));
    assert_eq!(animation.options.unwrap().position_quality, 0);
    assert_eq!(
        file.skipped.iter().map(|skipped| (skipped.class.as_str(), skipped.count)).collect::<Vec<_>>(),
        [("EffectInstance", 1), ("Props", 2)]
    );
}

#[test]
fn serializes_fields_as_json() {
    let (file, _) = read(&text(&everything()));
    let json: json::Value = json::from_slice(&json::to_vec(&file).unwrap()).unwrap();
    assert_eq!(json["header"]["encoding"], "text");
    assert_eq!(json["meshes"][0]["faces"], json::json!([[0, 1, 2, 3], [2, 1, 0]]));
    assert_eq!(json["animation_sets"][0]["animations"][0]["keys"][1]["keys"][1]["time"], 80);
    assert_eq!(json["frames"][0]["frames"][0]["meshes"], json::json!([0]));
}

#[test]
fn blocks_use_the_previous_blocks_as_history() {
    // Random bytes, twice: the second half is only small because of its history.
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(20_000)
    .collect();
    let data = [&noise[..], &noise[..]].concat();
    let parts = blocks(&data, noise.len());
    assert!(
        parts[0].1.len() > 19_000 && parts[1].1.len() < 1_000,
        "{} {}",
        parts[0].1.len(),
        parts[1].1.len()
    );
    let file = [b"xof 0303bin 0032".as_slice(), &data].concat();
    let (unpacked, places, _) = unpack(&zip(&file, noise.len())).unwrap();
    assert!(unpacked == data);
    assert_eq!(
        places.iter().map(|block| (block.start, block.offset)).collect::<Vec<_>>(),
        [(0, 20), (20_000, 20 + 4 + parts[0].1.len())]
    );
}

#[test]
fn reads_names_and_numbers_as_programs_write_them() {
    let (file, report) = read(&super::text(
        "// a { comment\nFrame Bip01-L.Arm{FrameTransformMatrix{1,0,0,0;0,1,0,0;;0 0 1 0 1.#QNAN, -1.#IND00 1e-7 +1.5E2}}\n\
         Frame 007 { }\nFrame my long name { }\nframe x//comment\n{ }\nFrame{}",
    ));
    assert_eq!(messages(&report), [""; 0]);
    let names: Vec<_> = file.frames.iter().map(|frame| frame.name.as_deref()).collect();
    assert_eq!(names, [Some("Bip01-L.Arm"), Some("007"), Some("my long name"), Some("x"), None]);
    let [a, b, c, d] = file.frames[0].matrix.unwrap()[3];
    assert!(a.is_nan() && b.is_nan());
    assert_eq!((c, d), (1e-7, 150.0));
}

#[test]
fn a_missing_separator_does_not_swallow_the_next_object() {
    let (file, report) = read(&super::text(
        "Mesh{3;0;0;0;,1;0;0;,0;1;0;;1;3;0,1,2;; MeshMaterialList {1;1;0 Material red {1;0;0;1;;0;0;0;0;;0;0;0;;}}}",
    ));
    assert_eq!(messages(&report), [""; 0]);
    assert_eq!(file.materials[0].name.as_deref(), Some("red"));
    assert_eq!(file.meshes[0].material_list.as_ref().unwrap().materials, [Some(0)]);
}

#[test]
fn reads_a_texture_without_quotes() {
    let (file, _) =
        read(&super::text("Material m {1;1;1;1;;0;0;0;0;;0;0;0;; TextureFileName { wood.jpg; } }"));
    assert_eq!(file.materials[0].texture.as_deref(), Some("wood.jpg"));
}

#[test]
fn resolves_a_texture_defined_elsewhere() {
    let (file, report) = read(&super::text(
        "TextureFilename t { \"wood.jpg\"; } Material m {1;1;1;1;;0;0;0;0;;0;0;0;; { t } } Material n {1;1;1;1;;0;0;0;0;;0;0;0;; { u } }",
    ));
    assert_eq!(file.materials[0].texture.as_deref(), Some("wood.jpg"));
    assert_eq!(messages(&report), ["X-W007 the texture \"u\" is not in the file"]);
}

#[test]
fn reads_the_header() {
    let dialect = |bytes: &[u8]| read(bytes).0.header.to_string();
    assert_eq!(dialect(b"xof 0302txt 0064"), "text 0302");
    assert_eq!(dialect(b"xof 0303bin 0064"), "binary 0303, 64-bit floats");
    assert_eq!(dialect(b"xof 0303bzip0032\x10\0\0\0"), "compressed binary 0303");
    let (_, report) = read(b"xof 0401txt 0032");
    assert_eq!(messages(&report), ["X-N006 unknown version 0401"]);
    let error = |bytes: &[u8]| XFile::read(bytes, &mut asset::Report::new()).unwrap_err().to_string();
    assert_eq!(error(b""), "the file is empty, at offset 0x0");
    assert_eq!(error(b"xof"), "expected the signature \"xof \", at offset 0x0");
    assert_eq!(error(b"xof 03"), "the file ends within the header, before the version, at offset 0x4");
    assert_eq!(
        error(b"xof 0x03txt 0032"),
        "version: expected a version of four digits like \"0303\", found \"0x03\", at offset 0x4"
    );
    assert_eq!(
        error(b"xof 0303com 0032"),
        "encoding: unknown encoding \"com \" (known: \"txt \", \"bin \", \"tzip\", \"bzip\"), at offset 0x8"
    );
    assert_eq!(
        error(b"xof 0303txt 0128"),
        "float_size: expected a float size of \"0032\" or \"0064\" bits, found \"0128\", at offset 0xc"
    );
}
