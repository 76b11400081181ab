//! Tests with synthetic models: all frame kinds, edits that move parts, and faces whose winding is determined by their normals only.

use record::{Bytes, Layout};

use super::glide::{Face, FaceRef, Frame, Glide, Header, Node, Pose};
use super::layout::{Corner, Normals, VertexPositions};
use super::software::{self, Block, Motion, Plane, Software};
use super::{DeltaSign, FaceTexture, Interpretation, LaterCornerUvs, Model, NormalRef, Version, warning};
use crate::world::model::FORMAT;
use proof::{checked, exported, packed, single_warning, unpacked};

/// Texture word of image 31 of TEXBSI.302: "d02031" in base 40.
const D02031: u32 = ((((13 * 40) * 40 + 2) * 40) * 40 + 3) * 40 + 1;

fn corner(vertex: u32, u_delta: i16, v_delta: i16) -> Corner {
    Corner { vertex, u_delta, v_delta }
}

/// A square and a triangle, with frames of this kind after the first.
fn glide(kind: u32, poses: Vec<Pose>) -> Glide {
    let face =
        |texture, corners: Vec<Corner>| Face { corner_count: 0, brightness: 3, texture, unused: 0, corners };
    let square = vec![corner(0, 16, 32), corner(1, 160, 0), corner(2, 0, -16), corner(3, -160, 0)];
    let triangle = vec![corner(0, 0, 0), corner(3, 0, 0), corner(2, 0, 0)];
    let frame = Frame { offset_vertices: 0, offset_normals: 0, reserved: 0, kind };
    Glide {
        header: Header { version: Version::V5_0, total_face_vertices: 7, ..Header::default() },
        faces: vec![face(D02031, square), face(0xfff0_4a00, triangle)],
        vertices: vec![[0, 0, 0], [2560, 0, 0], [2560, 2560, 0], [0, 2560, 0]],
        face_normals: vec![[0, 0, 256], [0, 0, 256]],
        frames: vec![frame; poses.len() + 1],
        poses,
        nodes: vec![Node {
            center: [1, 2, 3],
            radius: 4,
            extents: Some([1.0, 2.0, 3.0]),
            faces: vec![
                FaceRef { face_times_4: 4, offset: None },
                FaceRef { face_times_4: 0, offset: Some(7) },
            ],
        }],
        normal_indices: Some(
            [0, 1, 0, 1, 0, 1]
                .map(NormalRef::Number)
                .into_iter()
                .chain([NormalRef::Dangling { offset: 9 }])
                .collect(),
        ),
        vertex_normals: vec![[0.0, 0.0, 1.0], [f32::NAN; 3]],
        layout: Layout::default(),
    }
}

fn round_trip(model: &Model) -> Model {
    let bytes = model.write().unwrap();
    let read = Model::read(&bytes).unwrap();
    assert_eq!(read.write().unwrap(), bytes);
    read
}

fn pose(vertices: VertexPositions) -> Pose {
    Pose { vertices, normals: Normals::Packed(vec![0xc000_0100, (0x200 << 20) | (3 << 10) | 0x3ff]) }
}

#[test]
fn decodes_a_texture_word_as_an_image_name_or_a_color() {
    assert_eq!(FaceTexture::of_glide(D02031), FaceTexture::Image { bank: 302, image: 31 });
    assert_eq!(FaceTexture::of_glide(0xfff0_4a00), FaceTexture::Color(0x4a));
    for bank in [0, 43, 100, 302, 599, 2599] {
        for image in [0, 9, 69, 70, 127, 999] {
            let digits =
                [10 + bank / 100, bank / 10 % 10, bank % 10, image / 100, image / 10 % 10, image % 10];
            let word = digits.into_iter().fold(0_u32, |word, digit| word * 40 + digit);
            let expected = FaceTexture::Image { bank: bank as u16, image: image as u16 };
            assert_eq!(FaceTexture::of_glide(word), expected);
        }
    }
    for word in [0, 3_999_999, D02031 + 20, 36 * 40_u32.pow(5), 40 * 40_u32.pow(4) * 10 + 10] {
        assert_eq!(FaceTexture::of_glide(word), FaceTexture::Unknown(word));
    }
    assert_eq!(FaceTexture::of_software(0x00ff), FaceTexture::Color(255));
    assert_eq!(FaceTexture::of_software(302 << 7 | 31), FaceTexture::Image { bank: 302, image: 31 });
}

#[test]
fn decodes_frames_of_every_kind_relative_to_the_first() {
    let words = VertexPositions::Words(vec![[256, 0, -1]; 4]);
    let bytes = VertexPositions::Bytes(vec![[1, -128, 127]; 4]);
    let long = VertexPositions::Absolute(vec![[-512, i32::MAX, i32::MIN]; 4]);
    for (kind, positions, expected) in [
        (2, words.clone(), [9.0, 10.0, 1.0 / 256.0]),
        (0x12, words, [10.0 - 256.0, 10.0, 1.0]),
        (1, bytes, [9.0, 138.0, -127.0]),
        (4, long, [-2.0, i32::MAX as f32 / 256.0, -8_388_608.0]),
    ] {
        let model = round_trip(&Model::Glide(glide(kind, vec![pose(positions.clone()), pose(positions)])));
        assert_eq!(model.frame_count(), 3);
        for frame in [1, 2] {
            assert_eq!(model.positions(frame)[2], expected, "kind {kind:#x}");
            assert_eq!(model.face_normals(frame), [[1.0, 0.0, 0.0], [-1.0 / 256.0, 3.0 / 256.0, -2.0]]);
        }
    }
    let absolute = Pose {
        vertices: VertexPositions::Absolute(vec![[1, 2, 3]; 4]),
        normals: Normals::Absolute(vec![[0, 0, -256]; 2]),
    };
    let model = round_trip(&Model::Glide(glide(0, vec![absolute])));
    assert_eq!(model.face_normals(1), [[0.0, 0.0, -1.0]; 2]);

    let mut bytes =
        Model::Glide(glide(2, vec![pose(VertexPositions::Words(vec![[0; 3]; 4]))])).write().unwrap();
    let table = u32::from_le_bytes(bytes[0x14..0x18].try_into().unwrap()) as usize;
    bytes[table + 12] = 3;
    let error = Model::read(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (record::Kind::Unsupported, Some(table as u64 + 12)));
}

#[test]
fn accumulates_uv_deltas_and_looks_up_corner_normals() {
    let model = round_trip(&Model::Glide(glide(0, Vec::new())));
    let faces = model.faces();
    let uv: Vec<_> = faces[0].corners.iter().map(|corner| corner.uv).collect();
    assert_eq!(uv, [[1.0, 2.0], [11.0, 2.0], [11.0, 1.0], [1.0, 1.0]]);
    let smooth: Vec<_> =
        faces.iter().flat_map(|face| &face.corners).map(|corner| corner.normal.is_some()).collect();
    assert_eq!(smooth, [true, false, true, false, true, false, false]);
}

#[test]
fn updates_offsets_of_moved_parts() {
    let mut model = round_trip(&Model::Glide(glide(2, vec![pose(VertexPositions::Words(vec![[1; 3]; 4]))])));
    let Model::Glide(glide) = &mut model else { panic!() };
    glide.faces[0].corners.pop();
    glide.header.total_face_vertices = 6;
    glide.vertex_normals.push([1.0, 0.0, 0.0]);
    glide.normal_indices.as_mut().unwrap().push(NormalRef::Number(2));
    let old = model.clone();
    let read = round_trip(&model);
    assert_eq!(read.faces()[1].corners.len(), 3);
    assert_eq!((read.positions(1), read.face_normals(1)), (old.positions(1), old.face_normals(1)));
    let (Model::Glide(read), Model::Glide(old)) = (read, old) else { panic!() };
    // The face of the node has moved by one corner; the reference to no face keeps its offset.
    assert_eq!(read.nodes, old.nodes);
    assert_eq!(read.normal_indices, old.normal_indices);
    assert_eq!(read.frames[0].offset_vertices, read.header.offset_vertex_coords);
}

#[test]
fn reports_defects() {
    let mut model = glide(8, Vec::new());
    model.header.total_face_vertices = 9;
    model.faces[1].corners[0].vertex = 4;
    model.faces[1].texture = 7;
    model.vertex_normals[1] = [f32::INFINITY, 0.0, 0.0];
    model.header.total_face_vertices_dup = 9;
    let report = checked(&FORMAT, &round_trip(&Model::Glide(model)));
    assert!(
        single_warning(&report, &warning::INVALID_VERTEX)
            .contains("1 corner has a vertex index out of range (4 vertices)")
    );
    assert!(single_warning(&report, &warning::INVALID_TEXTURE).contains("0x7"));
    single_warning(&report, &warning::INVALID_NORMAL);
    single_warning(&report, &warning::NOT_FINITE);
    single_warning(&report, &warning::NODE_FACE);
}

/// A triangle of the software renderer, in three frames.
fn software(narrow: bool) -> Software {
    let triple = |x| VertexPositions::Absolute(vec![[x, 0, 0], [x + 256, 0, 0], [x, 256, 0]]);
    let steps = |x| VertexPositions::Words(vec![[x, 0, 0]; 3]);
    let pose = |vertices| software::Pose {
        vertices,
        normals: if narrow {
            Normals::Packed(vec![(0x3ff << 20) | 5])
        } else {
            Normals::Absolute(vec![[-1, 0, 5]])
        },
        plane_data: Bytes(vec![9; if narrow { 12 } else { 24 }]),
    };
    let frame = software::Frame {
        offset_points: 0,
        offset_normals: 0,
        offset_plane_data: 0,
        unknown_c: (!narrow).then_some(77),
    };
    let poses = if narrow {
        vec![pose(steps(-1)), pose(triple(1000)), pose(steps(2))]
    } else {
        vec![pose(triple(996)), pose(triple(1000)), pose(triple(1008))]
    };
    let block =
        Block { flags: u16::from(narrow), reference_frame: 1, delta_shift: 2 + 32, ..Block::default() };
    Software {
        header: software::Header { version: Version::V2_6, moves: 1, ..software::Header::default() },
        planes: vec![Plane {
            corner_count: 0,
            unknown_1: 1,
            texture: 2 << 7,
            unknown_4: 0,
            corners: vec![corner(0, 0, 0), corner(12, 0, 0), corner(24, 0, 0)],
        }],
        poses,
        motion: Some(Motion { block, frames: vec![frame; 3] }),
        layout: Layout::default(),
    }
}

#[test]
fn decodes_narrow_and_wide_software_models_alike() {
    for narrow in [true, false] {
        let model = round_trip(&Model::Software(software(narrow)));
        assert_eq!(model.frame_count(), 3);
        let x: Vec<f32> = (0..3).map(|frame| model.positions(frame)[0][0] * 256.0).collect();
        assert_eq!(x, [996.0, 1000.0, 1008.0], "narrow: {narrow}");
        assert_eq!(model.face_normals(2), [[-1.0 / 256.0, 0.0, 5.0 / 256.0]]);
        assert_eq!(model.faces()[0].corners[2].vertex, Some(2));
    }
}

#[test]
fn refuses_an_unreferenced_region_of_the_wrong_length() {
    let mut bytes = Model::Software(software(true)).write().unwrap();
    bytes.extend([1, 2, 3]);
    let error = Model::read(&bytes).unwrap_err();
    assert_eq!(error.path(), "motion.block.region_length");
    // The length of the region is stored in the block after the header.
    bytes[64 + 8] = 3;
    let model = Model::read(&bytes).unwrap();
    assert_eq!(model.write().unwrap(), bytes);
    assert_eq!(model.layout().gaps[0].bytes.0, [1, 2, 3]);
}

#[test]
fn packs_what_it_unpacks() {
    for model in [Model::Glide(glide(0, Vec::new())), Model::Software(software(false))] {
        let bytes = model.write().unwrap();
        let folder = tempfile::tempdir().unwrap();
        unpacked(&FORMAT, &bytes, folder.path());
        assert!(packed(&FORMAT, folder.path()).unwrap().0 == bytes);
    }
}

/// The corners of the square are counter-clockwise around its normal, those of the triangle clockwise; both must be visible from the side
/// of their normals.
#[test]
fn stored_normals_determine_the_front_side() {
    let model = round_trip(&Model::Glide(glide(0, Vec::new())));
    let (sink, _) = exported(&FORMAT, &model, "gltf", &[]);
    let file = |ending: &str| {
        let found = sink.files().iter().find(|(name, _)| name.ends_with(ending));
        found.unwrap_or_else(|| panic!("no {ending}")).1.clone()
    };
    let gltf: json::Value = json::from_slice(&file("gltf")).unwrap();
    let buffer = file("bin");
    let floats = |accessor: &json::Value, bytes_each: usize, count: usize| -> Vec<u8> {
        let accessor = &gltf["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &gltf["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let at = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
        buffer[at as usize..at as usize + bytes_each * count].to_vec()
    };
    let primitives = gltf["meshes"][0]["primitives"].as_array().unwrap();
    assert_eq!(primitives.len(), 2);
    for primitive in primitives {
        let count = |accessor: &json::Value| {
            gltf["accessors"][accessor.as_u64().unwrap() as usize]["count"].as_u64().unwrap() as usize
        };
        let position = &primitive["attributes"]["POSITION"];
        let positions: Vec<f32> = floats(position, 12, count(position))
            .chunks(4)
            .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        let position = |index: usize| [positions[3 * index], positions[3 * index + 1]];
        let indices = &primitive["indices"];
        let wide = gltf["accessors"][indices.as_u64().unwrap() as usize]["componentType"] == 5125;
        let each = if wide { 4 } else { 2 };
        let corners: Vec<usize> = floats(indices, each, count(indices))
            .chunks(each)
            .map(|bytes| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
            .collect();
        for triangle in corners.chunks(3) {
            let [a, b, c] = [position(triangle[0]), position(triangle[1]), position(triangle[2])];
            // The normals point along glTF's Z.
            let z = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!(z > 0.0, "{triangle:?}");
        }
    }
}

#[test]
fn omits_normals_only_if_all_frames_are_flat() {
    let flat = |kind, poses| Glide { vertex_normals: vec![[f32::NAN; 3]; 2], ..glide(kind, poses) };
    let has_normals = |model: Glide| {
        let (sink, _) = exported(&FORMAT, &round_trip(&Model::Glide(model)), "gltf", &[]);
        let (_, gltf) = sink.files().iter().find(|(name, _)| name.ends_with("gltf")).unwrap();
        let gltf: json::Value = json::from_slice(gltf).unwrap();
        let primitives = gltf["meshes"][0]["primitives"].as_array().unwrap().clone();
        primitives.iter().all(|primitive| primitive["attributes"]["NORMAL"].is_u64())
    };
    assert!(!has_normals(flat(0, Vec::new())));
    assert!(has_normals(glide(0, Vec::new())), "a corner has a separate normal");
    let mut bent = flat(0, Vec::new());
    bent.vertices[2][2] = 640;
    assert!(has_normals(bent), "one triangle of the square does not match the face normal");
    let still = pose(VertexPositions::Words(vec![[0; 3]; 4]));
    assert!(has_normals(flat(2, vec![still])), "the normals of a frame differ");
}

#[test]
fn applies_the_options_for_delta_sign_and_axes() {
    let model = round_trip(&Model::Glide(glide(2, vec![pose(VertexPositions::Words(vec![[256, 0, 0]; 4]))])));
    let x = |delta_sign| model.positions_with(1, delta_sign)[0][0];
    assert_eq!([DeltaSign::Game, DeltaSign::Subtracted, DeltaSign::Added].map(x), [-1.0, -1.0, 1.0]);
    let software = round_trip(&Model::Software(software(true)));
    let x = |delta_sign| software.positions_with(2, delta_sign)[0][0] * 256.0;
    assert_eq!([DeltaSign::Game, DeltaSign::Subtracted, DeltaSign::Added].map(x), [1008.0, 992.0, 1008.0]);

    let scene = |axes: &str| exported(&FORMAT, &model, "glb", &[("axes", axes)]).0;
    assert_eq!(scene("rgpre"), exported(&FORMAT, &model, "glb", &[]).0);
    assert!(scene("yflip") != scene("rgpre") && scene("raw") != scene("yflip"));
}

#[test]
fn computes_the_fourth_corner_from_the_plane() {
    let mut model = software(false);
    for pose in &mut model.poses {
        pose.vertices = VertexPositions::Absolute(vec![[0, 0, 0], [256, 0, 0], [256, 256, 0], [0, 256, 0]]);
    }
    let corners =
        [(0, [0, 0]), (12, [160, 0]), (24, [0, 320]), (36, [7, 7])].map(|(at, [u, v])| corner(at, u, v));
    model.planes[0].corners = corners.to_vec();
    let model = round_trip(&Model::Software(model));
    assert_eq!(model.faces()[0].corners[3].uv, [10.4375, 20.4375]);
    let interpretation =
        Interpretation { later_corner_uvs: LaterCornerUvs::Plane, ..Interpretation::default() };
    assert_eq!(model.faces_with(interpretation)[0].corners[3].uv, [0.0, 20.0]);
    single_warning(&checked(&FORMAT, &model), &warning::UV_NOT_PLANAR);
}

#[test]
fn keeps_and_reports_extra_frames_of_a_single_frame_model() {
    let mut model = glide(8, Vec::new());
    model.frames.resize(3, Frame { offset_vertices: 1, offset_normals: 2, reserved: 0, kind: 0 });
    let model = round_trip(&Model::Glide(model));
    assert_eq!(model.frame_count(), 1);
    let message = single_warning(&checked(&FORMAT, &model), &warning::EXTRA_FRAMES);
    assert!(message.contains("2 further frames are ignored"), "{message}");
    let Model::Glide(model) = model else { panic!("expected a model of the Glide renderer") };
    assert_eq!((model.frames.len(), model.frames[2].offset_normals), (3, 2));
}
