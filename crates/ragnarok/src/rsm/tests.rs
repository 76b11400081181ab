use asset::{Context, Install, Options, Report};
use proptest::prelude::*;
use record::{Kind, Record, read_whole, write_whole};

use super::*;
use crate::sample::windmill;

fn assert_round_trip<T: Record + PartialEq + fmt::Debug>(value: &T, context: T::Context, bytes: &[u8]) {
    assert_eq!(write_whole(value, context).unwrap(), bytes);
    assert_eq!(&read_whole::<T>(bytes, context).unwrap(), value);
}

fn bytes_of(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn writes_every_record_as_it_is_read() {
    let corners = [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0xcd, 0xab];
    let face = |groups: &[i32]| Face {
        vertices: [1, 2, 3],
        texture_vertices: [4, 5, 6],
        texture: 7,
        padding: 0xabcd,
        two_sided: -1,
        groups: groups.to_vec().into(),
    };
    assert_round_trip(&face(&[]), Version::V1_1, &[&corners[..], &bytes_of(&[-1])].concat());
    assert_round_trip(&face(&[9]), Version::V1_2, &[&corners[..], &bytes_of(&[-1, 9])].concat());
    for groups in [&[][..], &[-1], &[1, 2, 3, 4, 5]] {
        let length = 20 + 4 * groups.len() as i32;
        let bytes = [&bytes_of(&[length]), &corners[..], &bytes_of(&[-1]), &bytes_of(groups)].concat();
        assert_round_trip(&face(groups), Version::V2_2, &bytes);
    }
    let uv = [0x3f00_0000, 0x3e80_0000];
    assert_round_trip(&TextureVertex { color: None, uv: [0.5, 0.25] }, Version::V1_1, &bytes_of(&uv));
    let colored = TextureVertex { color: Some([1, 2, 3, 4]), uv: [0.5, 0.25] };
    assert_round_trip(&colored, Version::V1_2, &[&[1, 2, 3, 4][..], &bytes_of(&uv)].concat());
    let volume = VolumeBox { size: [1.0; 3], position: [0.0; 3], rotation: [2.0; 3], flag: Some(7) };
    let numbers = [[0x3f80_0000; 3], [0; 3], [0x4000_0000; 3]].concat();
    assert_round_trip(&volume, Version::V1_3, &bytes_of(&[&numbers[..], &[7]].concat()));
    assert_round_trip(&VolumeBox { flag: None, ..volume }, Version::V1_2, &bytes_of(&numbers));
    let key = VectorKey { frame: -3, value: [1.0; 3], data: 0xdead_beef };
    assert_round_trip(
        &key,
        (),
        &bytes_of(&[-3, 0x3f80_0000, 0x3f80_0000, 0x3f80_0000, 0xdead_beef_u32 as i32]),
    );
    let track = TextureTrack { kind: 4, keys: vec![TextureKey { frame: 1, value: 2.0 }] };
    let motion = TextureAnimation { texture: 6, tracks: vec![track] };
    assert_round_trip(&motion, (), &bytes_of(&[6, 1, 4, 1, 1, 0x4000_0000]));
}

#[test]
fn writes_what_it_reads_in_every_version() {
    for version in Version::KNOWN {
        let model = windmill(version);
        let bytes = model.write().unwrap();
        assert_eq!(
            bytes[4..6],
            version.to_string().bytes().filter(|b| *b != b'.').map(|b| b - b'0').collect::<Vec<_>>()
        );
        assert_eq!(Rsm::read(&bytes, &mut Report::new()).unwrap(), model);
    }
}

/// Creates a model of 1.5 with the given words at its end, where sources differ.
fn tail(bytes: &[i32]) -> Vec<u8> {
    let mut model = Rsm::new(Version::V1_5);
    model.roots = vec![Name::from("r")];
    let (mut without_tail, with_tail) = (Vec::new(), model.write().unwrap());
    // Removes the two counts and the extra word at the end.
    without_tail.extend_from_slice(&with_tail[..with_tail.len() - 12]);
    without_tail.extend(bytes_of(bytes));
    without_tail
}

#[test]
fn the_extra_word_of_1_5_is_where_the_file_ends_exactly() {
    let read = |bytes: &[i32]| {
        let bytes = tail(bytes);
        let model = Rsm::read(&bytes, &mut Report::new()).unwrap();
        assert_eq!(model.write().unwrap(), bytes);
        (model.extra_word, model.volume_boxes.is_some(), model.trailing.len())
    };
    let key = [0, 0, 0, 0, 0];
    assert_eq!(read(&[0, 0, 0]), (Some(ExtraWord::AtEnd(0)), true, 0));
    assert_eq!(read(&[0, 0, 5]), (Some(ExtraWord::AtEnd(5)), true, 0));
    assert_eq!(read(&[&[0, 1][..], &key, &[0]].concat()), (Some(ExtraWord::BeforeModelKeys(0)), true, 0));
    assert_eq!(read(&[0, 0]), (Some(ExtraWord::BeforeModelKeys(0)), false, 0));
    assert_eq!(read(&[0]), (None, false, 0));
    assert_eq!(read(&[0, 0, 1, 2]), (None, true, 8));
}

#[test]
fn a_zero_word_at_the_end_of_1_4_is_an_extra_word() {
    let mut bytes = windmill(Version::V1_4).write().unwrap();
    bytes.extend([0; 4]);
    let mut report = Report::new();
    let model = Rsm::read(&bytes, &mut report).unwrap();
    assert_eq!((model.extra_word, model.trailing.len()), (Some(ExtraWord::AtEnd(0)), 0));
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(model.write().unwrap(), bytes);
    // Any other word is a trailing one.
    *bytes.last_mut().unwrap() = 1;
    let model = Rsm::read(&bytes, &mut report).unwrap();
    assert_eq!((model.extra_word, model.trailing.len()), (None, 4));
    assert_eq!(report.count_of(&warning::LEFT_OVER), 1);
    assert_eq!(model.write().unwrap(), bytes);
    let refused = Rsm { extra_word: Some(ExtraWord::AtEnd(1)), ..model }.write().unwrap_err();
    assert_eq!(refused.path(), "extra_word");
}

#[test]
fn missing_volume_boxes_differ_from_an_empty_list() {
    for version in Version::KNOWN {
        let mut model = windmill(version);
        let empty = model.write().unwrap();
        if version == Version::V1_5 {
            model.extra_word = Some(ExtraWord::BeforeModelKeys(0));
        }
        model.volume_boxes = None;
        let absent = model.write().unwrap();
        assert_eq!(absent.len(), empty.len() - 4);
        let mut report = Report::new();
        assert_eq!(Rsm::read(&absent, &mut report).unwrap(), model);
        assert_eq!(report.count_of(&warning::NO_BOXES), 1, "{report:?}");
        model.trailing = vec![1].into();
        assert_eq!(model.write().unwrap_err().path(), "volume_boxes");
    }
}

#[test]
fn non_finite_numbers_keep_their_bits_including_in_json() {
    let mut model = windmill(Version::V2_3);
    let signalling = f32::from_bits(0x7fa0_0001);
    model.meshes[0].matrix[1][2] = signalling;
    model.meshes[0].vertices[0] = [f32::NEG_INFINITY, -0.0, signalling];
    model.meshes[1].rotation_keys[0].quaternion[3] = f32::from_bits(0xffc0_0002);
    let bytes = model.write().unwrap();
    let read = Rsm::read(&bytes, &mut Report::new()).unwrap();
    assert_eq!(read.write().unwrap(), bytes);
    let again: Rsm = json::from_slice(&json::to_vec(&read).unwrap()).unwrap();
    assert_eq!(again.write().unwrap(), bytes);
}

#[test]
fn reads_and_reports_the_rare_signature() {
    let model = Rsm { signature: Signature::Grsx, ..windmill(Version::V1_4) };
    let bytes = model.write().unwrap();
    assert!(bytes.starts_with(b"GRSX"));
    let mut report = Report::new();
    assert_eq!(Rsm::read(&bytes, &mut report).unwrap(), model);
    assert_eq!(report.count_of(&warning::GRSX), 1);
    assert_eq!((FORMAT.probe)(&Probe::new(&bytes, 0, None)), Some(Score::CERTAIN));
    assert_eq!((FORMAT.probe)(&Probe::new(b"GRSN", 0, Some("a.rsm"))), None);
}

#[test]
fn reads_unverified_versions_with_a_warning_and_refuses_unknown_ones() {
    let mut report = Report::new();
    Rsm::read(&windmill(Version::V2_1).write().unwrap(), &mut report).unwrap();
    assert_eq!(report.count_of(&warning::NEVER_SEEN), 1);
    let mut bytes = windmill(Version::V1_5).write().unwrap();
    for (major, minor) in [(1, 0), (1, 6), (1, 7), (2, 4), (3, 0)] {
        (bytes[4], bytes[5]) = (major, minor);
        let error = Rsm::read(&bytes, &mut Report::new()).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (Kind::Unsupported, Some(4)));
        assert!(error.message().contains(&format!("version {major}.{minor}")), "{error}");
    }
}

#[test]
fn refuses_to_write_fields_that_a_version_lacks() {
    let refused = |change: fn(&mut Rsm), version| {
        let mut model = windmill(version);
        change(&mut model);
        model.write().unwrap_err().path()
    };
    let position_keys = |model: &mut Rsm| model.meshes[1].position_keys = Some(vec![VectorKey::default()]);
    assert_eq!(refused(position_keys, Version::V1_4), "meshes[1].position_keys");
    assert_eq!(refused(|model| model.alpha = None, Version::V1_4), "alpha");
    assert_eq!(refused(|model| model.alpha = Some(1), Version::V1_3), "alpha");
    assert_eq!(refused(|model| model.roots.push(Name::default()), Version::V1_5), "roots");
    let groups = |model: &mut Rsm| model.meshes[0].faces[3].groups = vec![1, 2].into();
    assert_eq!(refused(groups, Version::V1_5), "meshes[0].faces[3].groups");
    let long = |model: &mut Rsm| model.meshes[0].parent = Name::from(&*"x".repeat(41));
    assert_eq!(refused(long, Version::V1_5), "meshes[0].parent");
}

/// Returns the codes reported by checking a model, except for missing textures.
fn checked(model: &Rsm) -> Vec<&'static str> {
    let mut report = Report::new();
    let model = Rsm::read(&model.write().unwrap(), &mut report).unwrap();
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    model.check(&Context { install: &install, location: None, options: &options }, &mut report);
    let codes = report.iter().map(|warning| warning.code.id).filter(|id| *id != asset::reference::MISSING.id);
    let mut codes: Vec<_> = codes.collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn each_defect_has_its_code() {
    type Change = fn(&mut Rsm);
    let defects: [(Change, &asset::Code); 24] = [
        (|model| model.trailing = vec![1].into(), &warning::LEFT_OVER),
        (|model| model.meshes[0].faces[0].vertices[1] = 999, &warning::BAD_INDEX),
        (|model| model.meshes[0].faces[0].texture_vertices[1] = 999, &warning::BAD_UV_INDEX),
        (|model| model.meshes[0].faces[0].texture = 9, &warning::BAD_SLOT),
        (|model| model.meshes[0].faces[0].two_sided = 256, &warning::TWO_SIDED),
        (|model| model.meshes[0].faces[0].groups = vec![1, 2].into(), &warning::MIXED_GROUPS),
        (|model| model.meshes[0].faces[0].vertices[1] = 0, &warning::ZERO_AREA),
        (|model| model.meshes[0].vertices.push([f32::NAN; 3]), &warning::NOT_FINITE),
        (|model| model.meshes[0].texture_vertices[0].uv = [f32::INFINITY; 2], &warning::NOT_FINITE),
        (|model| model.meshes[1].rotation_keys[0].quaternion = [f32::NAN; 4], &warning::NOT_FINITE),
        (|model| model.meshes[1].matrix = [[1.0; 3]; 3], &warning::SINGULAR),
        (|model| model.meshes[0].texture_vertices[0].color = Some([1, 2, 3, 4]), &warning::COLORS),
        (|model| model.shade_type = 3, &warning::SHADE_TYPE),
        (|model| model.roots = vec![Name::from("gone")], &warning::NO_ROOT),
        (|model| model.roots = Vec::new(), &warning::NO_ROOT),
        (|model| model.meshes[6].name = model.meshes[5].name.clone(), &warning::SAME_NAME),
        (|model| model.meshes[6].parent = Name::from("gone"), &warning::NO_PARENT),
        (|model| model.meshes[6].parent = Name::from("gone"), &warning::NOT_DRAWN),
        (|model| model.meshes[1].parent = Name::from("sail 0"), &warning::PARENT_CYCLE),
        (|model| model.animation_length = 0, &warning::NEVER_PLAYS),
        (|model| model.frames_per_second = Some(f32::NAN), &warning::NEVER_PLAYS),
        (|model| model.meshes.iter_mut().for_each(|mesh| mesh.faces.clear()), &warning::NO_GEOMETRY),
        (
            |model| {
                model.meshes[6].texture_animations.iter_mut().flatten().for_each(|motion| motion.texture = 7);
            },
            &warning::UNKNOWN_MOTION,
        ),
        (|model| model.meshes[6].name = Name::from_bytes(b"\xff\xff"), &warning::NOT_TEXT),
    ];
    assert_eq!(checked(&windmill(Version::V2_3)), [] as [&str; 0]);
    for (change, code) in defects {
        let mut model = windmill(Version::V2_3);
        change(&mut model);
        let codes = checked(&model);
        assert!(codes.contains(&code.id), "{}: {codes:?}", code.id);
    }
    let mut model = windmill(Version::V1_4);
    model.reserved = Some([1; 16]);
    assert_eq!(checked(&model), [warning::RESERVED.id]);
    let mut model = windmill(Version::V1_5);
    model.extra_word = None;
    model.volume_boxes = Some(vec![VolumeBox { flag: Some(0), ..VolumeBox::default() }]);
    assert!(checked(&model).is_empty());
    model.textures = Some(vec![Name::from("ad\\01.bik"), Name::from("..\\..\\..\\secret.bmp")]);
    assert_eq!(checked(&model), [asset::reference::OUTSIDE.id, warning::VIDEO.id]);
}

#[test]
fn a_cycle_of_ten_thousand_meshes_is_broken_at_the_first() {
    let mut model = Rsm::new(Version::V2_3);
    for number in 0..10_000 {
        model.meshes.push(Mesh {
            name: Name::from(&*format!("m{number}")),
            parent: Name::from(&*format!("m{}", (number + 1) % 10_000)),
            textures: Some(Vec::new()),
            scale_keys: Some(Vec::new()),
            position_keys: Some(Vec::new()),
            texture_animations: Some(Vec::new()),
            ..Mesh::default()
        });
    }
    // Without a listed root, mesh 0 is the root, so there is no cycle. With another root, there is one.
    let hierarchy = pose::Hierarchy::of(&model);
    assert_eq!((hierarchy.roots(), hierarchy.parent(0), hierarchy.parent(9_999)), (&[0][..], None, Some(0)));
    let root = Mesh { name: Name::from("root"), ..model.meshes[0].clone() };
    model.meshes.push(root);
    model.roots = vec![Name::from("root")];
    let hierarchy = pose::Hierarchy::of(&model);
    assert_eq!((hierarchy.parent(0), hierarchy.parent(1), hierarchy.is_drawn(5)), (None, Some(2), false));
    assert_eq!(hierarchy.order().len(), 10_001);
    assert!(checked(&model).contains(&warning::PARENT_CYCLE.id));
}

fn name() -> impl Strategy<Value = Name> {
    // Fixed-size names lose the NULs that are padding.
    proptest::collection::vec(1..=255_u8, 0..40).prop_map(|bytes| Name::from_bytes(&bytes))
}

prop_compose! {
    fn face(version: Version)(
        vertices: [u16; 3],
        texture_vertices: [u16; 3],
        texture: u16,
        padding: u16,
        two_sided: i32,
        groups in proptest::collection::vec(any::<i32>(), 0..5),
    ) -> Face {
        let groups = match version {
            Version::V1_1 => Vec::new(),
            version if version.is_absolute() => groups,
            _ => vec![groups.first().copied().unwrap_or_default()],
        };
        Face { vertices, texture_vertices, texture, padding, two_sided, groups: groups.into() }
    }
}

/// A number with arbitrary bits.
fn bits() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits)
}

fn vectors() -> impl Strategy<Value = Vec<VectorKey>> {
    let key = (any::<i32>(), [bits(), bits(), bits()], any::<u32>());
    proptest::collection::vec(key.prop_map(|(frame, value, data)| VectorKey { frame, value, data }), 0..4)
}

prop_compose! {
    fn mesh(version: Version)(
        (name, parent) in (name(), name()),
        indices in proptest::collection::vec(any::<i32>(), 0..3),
        textures in proptest::collection::vec(name(), 0..3),
        matrix in [[bits(), bits(), bits()], [bits(), bits(), bits()], [bits(), bits(), bits()]],
        vectors in [[bits(), bits(), bits()], [bits(), bits(), bits()], [bits(), bits(), bits()], [bits(), bits(), bits()]],
        angle in bits(),
        vertices in proptest::collection::vec([bits(), bits(), bits()], 0..4),
        uvs in proptest::collection::vec((any::<[u8; 4]>(), [bits(), bits()]), 0..4),
        faces in proptest::collection::vec(face(version), 0..4),
        rotation_keys in proptest::collection::vec((any::<i32>(), [bits(), bits(), bits(), bits()]), 0..4),
        (scales, positions) in (vectors(), vectors()),
        motions in proptest::collection::vec((any::<i32>(), any::<i32>(), any::<i32>(), bits()), 0..3),
    ) -> Mesh {
        let is_old = !version.is_absolute();
        let uv = |(color, uv)| TextureVertex { color: (version >= Version::V1_2).then_some(color), uv };
        let motion = |(texture, kind, frame, value)| TextureAnimation {
            texture,
            tracks: vec![TextureTrack { kind, keys: vec![TextureKey { frame, value }] }],
        };
        Mesh {
            name,
            parent,
            texture_indices: (!version.has_mesh_textures()).then_some(indices),
            textures: version.has_mesh_textures().then_some(textures),
            matrix,
            offset: is_old.then_some(vectors[0]),
            position: vectors[1],
            rotation_angle: is_old.then_some(angle),
            rotation_axis: is_old.then_some(vectors[2]),
            scale: is_old.then_some(vectors[3]),
            vertices,
            texture_vertices: uvs.into_iter().map(uv).collect::<Vec<_>>(),
            faces,
            scale_keys: (version >= Version::V2_0).then_some(scales),
            rotation_keys: rotation_keys.into_iter().map(|(frame, quaternion)| RotationKey { frame, quaternion }).collect(),
            position_keys: version.is_absolute().then_some(positions),
            texture_animations: version.has_mesh_textures().then(|| motions.into_iter().map(motion).collect()),
        }
    }
}

fn model() -> impl Strategy<Value = Rsm> {
    proptest::sample::select(Version::KNOWN.to_vec()).prop_flat_map(|version| {
        let meshes = proptest::collection::vec(mesh(version), 0..4);
        (meshes, any::<i32>(), any::<i32>(), name(), vectors()).prop_map(
            move |(meshes, length, shade, root, keys)| {
                let mut model = Rsm::new(version);
                (model.meshes, model.animation_length, model.shade_type) = (meshes, length, shade);
                model.roots = vec![root];
                model.model_keys = model.model_keys.map(|_| keys);
                model
            },
        )
    })
}

proptest! {
    #[test]
    fn writes_any_model_as_it_is_read(model in model()) {
        let bytes = model.write().unwrap();
        let read = Rsm::read(&bytes, &mut Report::new()).unwrap();
        prop_assert_eq!(read.write().unwrap(), &bytes[..]);
        let again: Rsm = json::from_slice(&json::to_vec(&read).unwrap()).unwrap();
        prop_assert_eq!(again.write().unwrap(), bytes);
    }

    #[test]
    fn checks_converts_and_writes_any_model_in_any_version(
        model in model(), version in proptest::sample::select(Version::KNOWN.to_vec()),
    ) {
        let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
        let context = Context { install: &install, location: None, options: &options };
        let mut report = Report::new();
        model.check(&context, &mut report);
        model.describe(Detail::Full);
        let target = Target::new("model", 1.0);
        FORMAT.convert(&model, "glb", &context, target, &mut asset::MemorySink::new(), &mut report).unwrap();
        let converted = model.to_version(version, &mut report);
        prop_assert!(converted.write().is_ok());
    }
}
