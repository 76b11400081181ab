//! Reports of defects.

use ::record::Kind;
use asset::Code;

use super::super::*;
use super::{
    animation, bone, brushes, checked, mesh, model, moves, node, node_at, plain_brush, plain_texture,
    rotations, scene_of, sequence, single_warning, textures, triangle, with_vertices,
};

/// Asserts that both a check and a conversion report a code once.
fn assert_both_report(model: &B3d, code: &Code) {
    single_warning(&checked(model), code);
    single_warning(&scene_of(model).1, code);
}

fn triangles(brush: i32, list: Vec<[u32; 3]>) -> Triangles {
    Triangles { brush, triangles: list, ..Triangles::default() }
}

#[test]
fn reports_nothing_for_a_valid_model() {
    let model = model(vec![brushes(vec![plain_brush()]), node("a", vec![triangle(0), node("b", vec![])])]);
    assert!(checked(&model).is_empty(), "{:?}", checked(&model));
    assert!(scene_of(&model).1.is_empty());
}

#[test]
fn leaves_out_triangles_with_missing_vertices() {
    let model = model(vec![node(
        "a",
        vec![mesh(-1, vec![triangles(-1, vec![[0, 1, 2], [0, 1, 3], [9, 9, u32::MAX]])])],
    )]);
    assert_both_report(&model, &warning::BAD_INDEX);
    let (scene, _) = scene_of(&model);
    assert_eq!(scene.meshes[0].primitives[0].indices.len(), 3);
}

#[test]
fn check_reports_degenerate_triangles() {
    let model = model(vec![node("a", vec![mesh(-1, vec![triangles(-1, vec![[0, 1, 1]])])])]);
    assert_eq!(
        single_warning(&checked(&model), &crate::model::warning::ZERO_AREA),
        "1 triangle has zero area"
    );
}

#[test]
fn reports_and_leaves_out_numbers_that_are_not_finite() {
    let vertex =
        |position: [f32; 3], normal: [f32; 3]| Vertex { position, normal: Some(normal), ..Vertex::default() };
    let geometry = |broken: Vertex| {
        let up = [0.0, 1.0, 0.0];
        let vertices = vec![vertex([0.0; 3], up), vertex([1.0, 0.0, 0.0], up), broken];
        let vertices = Vertices { flags: 1, vertices, ..Vertices::default() };
        model(vec![node("a", vec![with_vertices(-1, vertices, vec![triangles(-1, vec![[0, 1, 2]])])])])
    };
    let no_position = geometry(vertex([f32::NAN, 0.0, 0.0], [0.0; 3]));
    assert_both_report(&no_position, &warning::NOT_FINITE);
    assert!(scene_of(&no_position).0.meshes.is_empty());
    assert_both_report(&geometry(vertex([0.0, 0.0, 1.0], [f32::INFINITY; 3])), &warning::NOT_FINITE);

    let not_finite_node = model(vec![node_at("a", [f32::NAN; 3], vec![triangle(-1)])]);
    assert_both_report(&not_finite_node, &warning::NOT_FINITE);
    let key = model(vec![node(
        "a",
        vec![triangle(-1), animation(2, 1.0), rotations(&[(0, [f32::NAN; 4]), (1, [1.0; 4])])],
    )]);
    assert_both_report(&key, &warning::NOT_FINITE);
    let paint = model(vec![
        brushes(vec![Brush { color: [f32::NAN, 0.0, 0.0, f32::NAN], ..plain_brush() }]),
        node("a", vec![triangle(0)]),
    ]);
    single_warning(&checked(&paint), &warning::NOT_FINITE);
    scene_of(&paint);
    let layer = Texture { rotation: f32::NAN, scale: [f32::INFINITY, 1.0], ..plain_texture("a.png") };
    let paint = model(vec![
        textures(vec![layer]),
        brushes(vec![Brush { textures: vec![0], ..plain_brush() }]),
        node("a", vec![triangle(0)]),
    ]);
    assert_both_report(&paint, &warning::NOT_FINITE);
}

#[test]
fn treats_rotations_of_zero_length_as_the_identity() {
    let Chunk::Node(mut broken) = node("a", vec![triangle(-1)]) else { panic!("expected a node") };
    for rotation in [[0.0; 4], [f32::NAN; 4], [f32::INFINITY, 0.0, 0.0, 0.0], [1e-30; 4], [1e30; 4]] {
        broken.rotation = rotation;
        let (scene, _) = scene_of(&model(vec![Chunk::Node(broken.clone())]));
        assert!(scene.nodes[1].rotation.is_normalized(), "{rotation:?}");
    }
}

#[test]
fn reports_missing_brushes_and_textures() {
    let with_indices = |mesh_brush, brush, layer| {
        let layers = vec![triangles(brush, vec![[0, 1, 2]])];
        model(vec![
            brushes(vec![Brush { textures: vec![layer], ..plain_brush() }]),
            node("a", vec![mesh(mesh_brush, layers)]),
        ])
    };
    assert_eq!(
        single_warning(&checked(&with_indices(-1, 7, -1)), &warning::BAD_BRUSH),
        "brush 7 does not exist; the model has 1"
    );
    single_warning(&checked(&with_indices(7, 0, -1)), &warning::BAD_BRUSH);
    single_warning(&checked(&with_indices(-2, 0, -1)), &warning::BAD_BRUSH);
    assert_eq!(
        single_warning(&checked(&with_indices(-1, 0, 3)), &warning::BAD_TEXTURE),
        "texture 3 does not exist; the model has 0"
    );
    for model in [with_indices(-1, i32::MAX, i32::MAX), with_indices(i32::MIN, i32::MIN, i32::MIN)] {
        let (scene, _) = scene_of(&model);
        assert_eq!(scene.meshes.len(), 1);
    }
    single_warning(&scene_of(&with_indices(-1, 7, -1)).1, &warning::BAD_BRUSH);
    single_warning(&scene_of(&with_indices(-1, 0, 3)).1, &warning::BAD_TEXTURE);
}

#[test]
fn reports_more_than_eight_layers() {
    let many = Brush { textures: vec![-1; 9], ..plain_brush() };
    let model = model(vec![brushes(vec![many]), node("a", vec![triangle(0)])]);
    assert!(
        single_warning(&checked(&model), &warning::MANY_TEXTURES).starts_with("9 textures, but the engine")
    );
}

#[test]
fn reports_invalid_weights() {
    let with =
        |weights: &[(u32, f32)]| model(vec![node("a", vec![triangle(-1), node("b", vec![bone(weights)])])]);
    assert_both_report(&with(&[(0, 1.0), (99, 1.0), (u32::MAX, 1.0)]), &warning::BAD_WEIGHT);
    assert_both_report(&with(&[(0, 1.0), (1, f32::NAN), (1, -1.0)]), &warning::BAD_WEIGHT);
    let nothing = with(&[(0, 0.0), (1, 0.0)]);
    assert!(scene_of(&nothing).1.is_empty(), "a single bone moves the vertex, whatever its weight");
}

#[test]
fn reports_more_than_four_bones_of_a_vertex() {
    let mut chunks = vec![triangle(-1)];
    chunks.extend((0..6).map(|_| node("bone", vec![bone(&[(0, 0.5), (1, 0.5), (2, 0.5)])])));
    let model = model(vec![node("a", chunks)]);
    assert_both_report(&model, &warning::MORE_WEIGHTS);
    let (scene, report) = scene_of(&model);
    assert!(single_warning(&report, &warning::MORE_WEIGHTS).starts_with("6 weights beyond the four largest"));
    let influences = scene.meshes[0].primitives[0].influences.as_ref().unwrap();
    assert_eq!((influences.joints[0], influences.weights[0]), ([0, 1, 2, 3], [0.25; 4]));
}

#[test]
fn reports_more_bones_than_the_engine_can_index() {
    let mut chunks = vec![triangle(-1)];
    chunks.extend((0..255).map(|_| node("bone", vec![bone(&[])])));
    let model = model(vec![node("a", chunks)]);
    assert!(
        single_warning(&checked(&model), &warning::MANY_BONES)
            .starts_with("255 bones, but the engine can index only 254")
    );
}

#[test]
fn reports_bones_without_a_mesh() {
    let model = model(vec![node("a", vec![bone(&[(0, 1.0)]), node("b", vec![triangle(-1)])])]);
    assert_both_report(&model, &warning::BONE_WITHOUT_MESH);
}

#[test]
fn reports_bones_with_zero_scale() {
    let Chunk::Node(mut flat) = node("b", vec![bone(&[(0, 1.0)])]) else { panic!("expected a node") };
    flat.scale = [1.0, 0.0, 1.0];
    let (_, report) = scene_of(&model(vec![node("a", vec![triangle(-1), Chunk::Node(flat)])]));
    assert!(single_warning(&report, &warning::SINGULAR_BONE).starts_with("1 bone "));
}

#[test]
fn reports_chunks_that_the_engine_ignores() {
    let reported = |chunks: Vec<Chunk>| {
        let bytes = model(chunks).write().unwrap();
        let (_, report) = super::read_with_report(&bytes);
        single_warning(&report, &warning::IGNORED)
    };
    assert_eq!(reported(vec![node("a", vec![textures(vec![])])]), "TEXS chunk in a NODE chunk is ignored");
    assert_eq!(reported(vec![triangle(-1)]), "MESH chunk in a BB3D chunk is ignored");
    assert_eq!(
        reported(vec![node("a", vec![triangle(-1), triangle(-1)])]),
        "overridden by a later MESH chunk in the same node"
    );
    let nested = Mesh { brush: -1, chunks: vec![node("b", vec![])], rest: Bytes::default() };
    assert_eq!(reported(vec![node("a", vec![Chunk::Mesh(nested)])]), "NODE chunk in a MESH chunk is ignored");
}

#[test]
fn reports_several_roots_and_converts_all() {
    let model = model(vec![node("a", vec![triangle(-1)]), node("b", vec![triangle(-1)])]);
    single_warning(&checked(&model), &warning::MANY_ROOTS);
    assert_eq!(scene_of(&model).0.meshes.len(), 2);
}

#[test]
fn reports_an_empty_model() {
    assert_both_report(&model(vec![node("a", vec![])]), &warning::NO_GEOMETRY);
    assert_both_report(&model(vec![]), &warning::NO_GEOMETRY);
}

#[test]
fn reports_more_coordinates_than_the_engine_supports() {
    for (sets, size) in [(3, 2), (1, 3)] {
        let vertex = |x: f32, y: f32| Vertex {
            position: [x, y, 0.0],
            coordinates: vec![x; (sets * size) as usize],
            ..Vertex::default()
        };
        let vertices = Vertices {
            coordinate_sets: sets,
            coordinate_size: size,
            vertices: vec![vertex(0.0, 0.0), vertex(0.0, 1.0), vertex(1.0, 0.0)],
            ..Vertices::default()
        };
        let geometry = with_vertices(-1, vertices, vec![triangles(-1, vec![[0, 1, 2]])]);
        let (_, report) = scene_of(&model(vec![node("a", vec![geometry])]));
        assert!(
            single_warning(&report, &warning::MORE_COORDINATES)
                .starts_with("3 vertices have more than two sets")
        );
    }
}

#[test]
fn reports_more_vertices_than_the_engine_can_index() {
    let vertices = vec![Vertex::default(); 66_000];
    let list: Vec<[u32; 3]> = (0..22_000).map(|first| [first * 3, first * 3 + 1, first * 3 + 2]).collect();
    let vertices = Vertices { vertices, ..Vertices::default() };
    let model = model(vec![node("a", vec![with_vertices(-1, vertices, vec![triangles(-1, list)])])]);
    assert!(
        single_warning(&checked(&model), &warning::MANY_VERTICES).starts_with("brush -1 uses 66000 vertices")
    );
    scene_of(&model);
}

#[test]
fn reports_invalid_keys_and_sequences() {
    let with = |chunks: Vec<Chunk>| {
        let mut all = vec![triangle(-1), animation(10, 10.0), moves(&[(0, [0.0; 3]), (10, [1.0; 3])])];
        all.extend(chunks);
        model(vec![node("a", all)])
    };
    assert_both_report(&with(vec![sequence("back", 5, 4)]), &warning::BAD_SEQUENCE);
    single_warning(&checked(&with(vec![sequence("far", 5, 40)])), &warning::SEQUENCE_OUTSIDE);
    single_warning(&checked(&with(vec![sequence("early", -5, 4)])), &warning::SEQUENCE_OUTSIDE);
    assert_both_report(&with(vec![moves(&[(-1, [0.0; 3])])]), &warning::KEY_OUTSIDE);
    assert_both_report(&with(vec![animation(20, 10.0)]), &warning::MORE_TIMING);
    single_warning(&scene_of(&with(vec![moves(&[(10, [2.0; 3])])])).1, &warning::SAME_FRAME);
    let still = model(vec![node("a", vec![triangle(-1), sequence("s", 0, 1)])]);
    assert_eq!(single_warning(&scene_of(&still).1, &warning::NO_KEYS), "1 sequence, but no animated nodes");
}

#[test]
fn limits_the_number_of_sequences() {
    let mut chunks = vec![triangle(-1), animation(10, 10.0)];
    chunks.extend((0..2_000).map(|_| sequence("s", 0, 10)));
    chunks.extend((0..100).map(|_| node("n", vec![moves(&[(0, [0.0; 3]), (10, [1.0; 3])])])));
    let (scene, report) = scene_of(&model(vec![node("a", chunks)]));
    assert!((200..400).contains(&scene.animations.len()), "{}", scene.animations.len());
    single_warning(&report, &warning::MANY_SEQUENCES);
}

#[test]
fn every_code_has_an_example() {
    let ids: std::collections::BTreeSet<_> = CODES.iter().map(|code| code.id).collect();
    assert_eq!(ids.len(), CODES.len());
    assert!(CODES.iter().all(|code| code.about.contains("Example: \"")));
}

#[test]
fn limits_surfaces_and_nodes() {
    let many = (0..20_000).map(|brush| triangles(brush, vec![[0, 1, 2]])).collect();
    let plain: Vec<Brush> = (0..20_000).map(|_| plain_brush()).collect();
    let surfaces = model(vec![brushes(plain), node("a", vec![mesh(-1, many)])]);
    let (scene, report) = scene_of(&surfaces);
    assert_eq!(scene.meshes[0].primitives.len(), 1 << 13);
    assert!(scene.materials.len() <= 1 + (1 << 11), "{}", scene.materials.len());
    assert_eq!(report.count_of(&warning::MANY_SURFACES), 2, "{report:?}");

    let nodes = model((0..=MAX_NODES).map(|_| node("a", vec![])).collect());
    let error = B3d::read(&nodes.write().unwrap(), &mut Report::new()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (Kind::Limit, Some(0)));
}

#[test]
fn truncates_long_names_in_the_scene() {
    let long = "x".repeat(300);
    let paint = Brush { name: CText::from(&*long), textures: vec![0], ..plain_brush() };
    let model = model(vec![
        textures(vec![plain_texture(&long)]),
        brushes(vec![paint]),
        node(&long, vec![triangle(0), animation(1, 1.0), sequence(&long, 0, 1), moves(&[(0, [0.0; 3])])]),
    ]);
    let (scene, report) = scene_of(&model);
    single_warning(&report, &warning::LONG_NAME);
    let cut = "x".repeat(256);
    assert_eq!(scene.materials[0].name, cut);
    assert_eq!((&scene.nodes[1].name, &scene.animations[1].name), (&cut, &cut));
    assert_eq!(scene.nodes[1].extras["name"], long);
}
