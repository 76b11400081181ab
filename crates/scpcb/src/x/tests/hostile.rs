//! Malicious files: wrong counts, truncation, deep nesting, excessive sizes.

use proptest::prelude::*;

use super::encode::{binary, text, zip};
use super::encodings::everything;
use super::{assert_has, assert_no_panic, messages, read, scene, text as of};
use crate::x::{MAX_DEPTH, MAX_OBJECTS, XFile};

fn refused(bytes: &[u8]) -> String {
    XFile::read(bytes, &mut asset::Report::new()).unwrap_err().to_string()
}

#[test]
fn refuses_counts_larger_than_the_file() {
    assert_eq!(
        refused(&of("Mesh m { 4294967295; 0;0;0;; }")),
        "meshes[0].count: count is 4294967295, but at most 5 numbers are left, at offset 0x1a"
    );
    assert_eq!(
        refused(&of("Mesh m { -1; }")),
        "meshes[0].count: count is -1, but at most 1 numbers are left, at offset 0x1a"
    );
    let list = |count: u32| {
        let mut bytes = b"xof 0303bin 0032".to_vec();
        bytes.extend(b"\x01\0\x04\0\0\0Mesh\x0a\0\x06\0");
        bytes.extend(count.to_le_bytes());
        bytes
    };
    assert_eq!(
        refused(&list(u32::MAX)),
        "a list of integers has 4294967295 items of 4 bytes, but only 0 bytes are left, at offset 0x1e"
    );
}

#[test]
fn refuses_missing_values_at_their_offset() {
    assert_eq!(
        refused(&of("Mesh { 1; 0;0;            }")),
        "meshes[0].vertices: expected more values, at offset 0x2b"
    );
    assert_eq!(
        refused(&of("Mesh { x; }")),
        "meshes[0].count: expected a number, found \"x\", at offset 0x18"
    );
    assert_eq!(
        refused(&of("Mesh { 0.5; }")),
        "meshes[0].count: count is 0.5, but at most 1 numbers are left, at offset 0x18"
    );
    assert_eq!(
        refused(&of("Mesh { 1; 0;0;0; 1; 3; 0,0,99999999999; }")),
        "meshes[0].corners: expected a 32-bit integer, at offset 0x2c"
    );
    assert_eq!(
        refused(&of("Frame f { Frame { FrameTransformMatrix { 1; } } }")),
        "frames[0].frames[0].matrix: expected more values, at offset 0x3d"
    );
    assert_eq!(refused(&of("Material m { \"")), "a quoted string is not terminated, at offset 0x1e");
}

#[test]
fn limits_the_nesting_of_objects() {
    let nested = |depth: usize| of(&format!("{}{}", "Frame a{".repeat(depth), "}".repeat(depth)));
    read(&nested(MAX_DEPTH));
    let error = refused(&nested(MAX_DEPTH + 1));
    assert_eq!(
        error,
        format!("objects are nested more than {MAX_DEPTH} levels deep, at offset {:#x}", 17 + 8 * MAX_DEPTH)
    );
    refused(&nested(1_000_000));
    let deep: Vec<u8> = b"\x01\0\x01\0\0\0a\x0a\0".repeat(100_000);
    refused(&[b"xof 0303bin 0032".as_slice(), &deep].concat());
    // Templates and unexpected braces nest without objects.
    assert_no_panic(&of(&format!("template t {}", "{".repeat(1_000_000))));
    assert_no_panic(&of(&format!("Frame f {{ {} }}", "{ ".repeat(1_000_000))));
}

#[test]
fn limits_the_number_of_objects() {
    assert!(refused(&of(&"a{}".repeat(MAX_OBJECTS + 1))).starts_with("more than 131072 objects"));
    read(&of(&"a{}".repeat(MAX_OBJECTS)));
    assert_eq!(
        refused(&of(&"Frame{}".repeat(32_769))),
        format!("more than 32768 objects of template Frame, at offset {:#x}", 17 + 7 * 32_768)
    );
    assert!(refused(&of(&"Mesh{0;0;}".repeat(8_193))).contains("8192 objects of template Mesh"));
    assert!(refused(&of(&"Material{}".repeat(4_097))).contains("4096 objects of template Material"));
}

#[test]
fn refuses_compressed_files_with_wrong_sizes() {
    let file = |size: u32, rest: &[u8]| [b"xof 0303tzip0032".as_slice(), &size.to_le_bytes(), rest].concat();
    assert_eq!(
        refused(&file(u32::MAX, b"")),
        "unpacked_size: size is 4294967279, but 20 bytes can unpack to at most 8388608, at offset 0x10"
    );
    assert!(refused(b"xof 0303tzip0032\x01").contains("unpacked_size"));
    assert_eq!(refused(&file(100, b"")), "blocks[0]: expected 2 bytes, found end of data, at offset 0x14");
    assert_eq!(
        refused(&file(100, b"\0\0\0\0")),
        "blocks[0]: block size is 0, expected 1 to 32768 (84 bytes left), at offset 0x14"
    );
    assert_eq!(
        refused(&file(100, b"\x01\x80\0\0")),
        "blocks[0]: block size is 32769, expected 1 to 32768 (84 bytes left), at offset 0x14"
    );
    assert!(refused(&file(100, b"\x0a\0\xff\0CK")).contains("expected 255 bytes, but only"));
    assert_eq!(
        refused(&file(100, b"\x0a\0\x04\0PK\x03\0")),
        "blocks[0]: expected a block signature \"CK\", at offset 0x18"
    );
    assert_eq!(
        refused(&file(26, b"\x0a\0\x04\0CK\x03\0")),
        "blocks[0]: the deflate data is damaged after 0 of 10 bytes, at offset 0x18"
    );
    // Blocks that are larger than declared, and bytes after the last one.
    let complete = zip(&of("Frame f {}"), 4096);
    let mut short = complete.clone();
    short[16..20].copy_from_slice(&20_u32.to_le_bytes());
    short[20..22].copy_from_slice(&4_u16.to_le_bytes());
    assert_eq!(
        refused(&short),
        "blocks[0]: the block unpacks to more than the declared 4 bytes, at offset 0x14"
    );
    let (_, report) = read(&[&complete[..], b"more"].concat());
    assert_eq!(messages(&report), ["X-N005 4 trailing bytes after the last compressed block"]);
}

#[test]
fn reports_the_block_of_an_error_in_a_compressed_file() {
    let bytes = zip(&of(&format!("{}Mesh {{ 5; }}", " ".repeat(100))), 50);
    let error = XFile::read(&bytes, &mut asset::Report::new()).unwrap_err();
    let third = 20 + 2 * 4 + bytes[22..24].iter().map(|byte| usize::from(*byte)).sum::<usize>();
    let second_length = usize::from(bytes[third - 4 + 2]);
    assert_eq!(error.offset(), Some((third + second_length) as u64), "{error}");
    assert!(
        error
            .message()
            .contains("(0x6c bytes into the unpacked data; the offset is that of the compressed block)"),
        "{error}"
    );
}

#[test]
fn keeps_complete_objects_of_a_truncated_file() {
    let (file, report) =
        read(&of("Frame a { Frame b { FrameTransformMatrix { 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;"));
    assert_has(&messages(&report), "X-W001", "within the object FrameTransformMatrix");
    assert_eq!(file.frames[0].frames[0].matrix.unwrap()[2], [0.0, 0.0, 1.0, 0.0]);
    let (_, report) = read(&of("template x { DWORD n;"));
    assert_has(&messages(&report), "X-W001", "within a template");
    let (_, report) = read(&of("Frame f { { name"));
    assert_has(&messages(&report), "X-W001", "the name of another object");
}

#[test]
fn reports_unexpected_content() {
    let messages = |objects: &str| messages(&read(&of(objects)).1);
    assert_eq!(messages("Frame a {} }"), ["X-N008 unmatched closing brace"]);
    assert_eq!(messages("1;2; Frame a {}"), ["X-W002 value outside of any object is left out"; 2]);
    assert_eq!(
        messages("{ a }"),
        ["X-W002 braces without a template do not contain the name of another object; left out"]
    );
    assert_has(&messages("Frame a { { 1; 2; } }"), "X-W002", "do not contain the name");
    assert_has(&messages("Frame a { Frame b {} 5; 6; }"), "X-W002", "values after the nested objects");
    assert_has(&messages("Frame a { 5; Frame b {} }"), "X-N005", "Frame has trailing values");
    assert_has(
        &messages("AnimTicksPerSecond { 24; 25; }"),
        "X-N005",
        "AnimTicksPerSecond has trailing values",
    );
    assert_has(
        &messages("AnimTicksPerSecond { }"),
        "X-W004",
        "AnimTicksPerSecond is left out: expected more values",
    );
    assert_has(&messages("Frame a { { b } }"), "X-W007", "the mesh \"b\" is not in the file");
    assert_has(
        &messages("Mesh { 0; 0; MeshMaterialList { 1; 0; { b } } }"),
        "X-W007",
        "the material \"b\" is not in the file",
    );
    assert_has(&messages("Mesh { 0; 0; MeshNormals { 5; } }"), "X-W004", "MeshNormals is left out");
    assert_has(
        &messages("Mesh { 0; 0; Light { 5; } } Light {}"),
        "X-W003",
        "2 unknown objects of template Light",
    );
}

#[test]
fn limits_the_number_of_mesh_instances() {
    let names = "{m}".repeat(33_000);
    let (scene, messages) =
        scene(&format!("Mesh m {{3;0;0;0;1;0;0;0;1;0;1;3;0;1;2;}} Frame f {{ {names} }}"));
    assert_has(&messages, "X-W053", "only the first 32768 mesh instances are converted");
    assert_eq!(scene.meshes.len(), 1);
}

#[test]
fn ignores_a_frame_that_refers_to_itself() {
    let (_, messages) = scene("Frame a { { a } Frame b { { a } } }");
    assert_eq!(
        messages.iter().filter(|message| message.contains("the mesh \"a\" is not in the file")).count(),
        2
    );
}

#[test]
fn reads_or_refuses_truncated_files() {
    let items = everything();
    for file in [
        text(&items),
        binary(&items, 32),
        binary(&items, 64),
        zip(&text(&items), 300),
        zip(&binary(&items, 64), 300),
    ] {
        for length in 0..file.len() {
            assert_no_panic(&file[..length]);
        }
    }
}

#[test]
fn reads_or_refuses_files_with_a_changed_byte() {
    let items = everything();
    for file in [text(&items), binary(&items, 32), zip(&binary(&items, 64), 300)] {
        for at in (0..file.len()).step_by(7) {
            let mut bytes = file.clone();
            for value in [0, 0xff, bytes[at] ^ 1, b'{', b'}', b'9'] {
                bytes[at] = value;
                assert_no_panic(&bytes);
            }
        }
    }
}

fn headers() -> impl Strategy<Value = &'static [u8]> {
    proptest::sample::select(vec![
        b"xof 0303txt 0032".as_slice(),
        b"xof 0302txt 0064",
        b"xof 0303bin 0032",
        b"xof 0303bin 0064",
        b"xof 0303tzip0032",
        b"xof 0303bzip0064",
    ])
}

/// Returns text fragments in random order.
fn fragments() -> impl Strategy<Value = String> {
    let fragment = proptest::sample::select(vec![
        "Frame ",
        "Mesh ",
        "MeshNormals ",
        "MeshTextureCoords ",
        "MeshMaterialList ",
        "Material ",
        "SkinWeights ",
        "AnimationSet ",
        "Animation ",
        "AnimationKey ",
        "DeclData ",
        "FVFData ",
        "MeshVertexColors ",
        "FrameTransformMatrix ",
        "TextureFilename ",
        "template ",
        "a ",
        "b ",
        "{",
        "}",
        "{",
        "}",
        "{a}",
        "{b}",
        "0;",
        "1;",
        "2;",
        "3;",
        "4;",
        "-1;",
        "0.5,",
        "1e38;",
        "nan;",
        "1.#INF;",
        "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;",
        "3;0;0;0;1;0;0;0;1;0;1;3;0;1;2;",
        "\"a\";",
        "<00>",
        "#\n",
        "[",
        "]",
    ]);
    proptest::collection::vec(fragment, 0..60).prop_map(|fragments| fragments.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn arbitrary_bytes_after_a_header_do_not_panic(header in headers(), rest in proptest::collection::vec(any::<u8>(), 0..400)) {
        assert_no_panic(&[header, &rest].concat());
    }

    #[test]
    fn arbitrary_tokens_do_not_panic(rest in proptest::collection::vec((0_u16..24, proptest::collection::vec(0_u8..4, 0..8)), 0..60)) {
        let rest: Vec<u8> = rest.into_iter().flat_map(|(token, rest)| [token.to_le_bytes().to_vec(), rest].concat()).collect();
        assert_no_panic(&[b"xof 0303bin 0032".as_slice(), &rest].concat());
    }

    #[test]
    fn arbitrary_objects_do_not_panic(objects in fragments()) {
        assert_no_panic(&of(&objects));
    }

    #[test]
    fn compression_round_trips_arbitrary_bytes(data in proptest::collection::vec(any::<u8>(), 1..5000), block in 1_usize..2000) {
        let file = [b"xof 0303bin 0032".as_slice(), &data].concat();
        let (unpacked, _, end) = crate::x::zip::unpack(&zip(&file, block)).unwrap();
        prop_assert_eq!(unpacked, data);
        prop_assert!(end > 0);
    }
}
