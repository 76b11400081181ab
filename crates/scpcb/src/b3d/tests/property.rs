//! Any model round-trips and converts to a writable scene.

use proptest::prelude::*;

use super::super::*;
use super::{checked, model, scene_of};

fn float() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -4.0_f32..4.0,
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, 1e30, -1e38, 1e-40, f32::NAN, f32::INFINITY, f32::NEG_INFINITY]),
    ]
}

fn number() -> impl Strategy<Value = i32> {
    prop_oneof![8 => -2..6_i32, 1 => any::<i32>()]
}

fn name() -> impl Strategy<Value = CText> {
    prop::collection::vec(1..=255_u8, 0..6).prop_map(|bytes| CText::from_bytes(&bytes).unwrap())
}

fn rest(shorter_than: usize) -> impl Strategy<Value = Bytes> {
    prop_oneof![
        6 => Just(Bytes::default()),
        1 => prop::collection::vec(1..=255_u8, 0..shorter_than).prop_map(Bytes)
    ]
}

fn list<T: std::fmt::Debug>(item: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(item, 0..5)
}

fn array<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    prop::collection::vec(float(), N).prop_map(|values| values.try_into().unwrap())
}

fn texture() -> impl Strategy<Value = Texture> {
    (name(), any::<u32>(), number(), array::<5>()).prop_map(
        |(file, flags, blend, [x, y, width, height, rotation])| Texture {
            file,
            flags,
            blend,
            position: [x, y],
            scale: [width, height],
            rotation,
        },
    )
}

fn all_brushes() -> impl Strategy<Value = Brushes> {
    (0..10_usize).prop_flat_map(|count| {
        let brush = (name(), array::<5>(), number(), any::<u32>(), prop::collection::vec(number(), count));
        let brush = brush.prop_map(|(name, [red, green, blue, alpha, shininess], blend, fx, textures)| {
            Brush { name, color: [red, green, blue, alpha], shininess, blend, fx, textures }
        });
        (list(brush), rest(20)).prop_map(move |(brushes, rest)| Brushes {
            texture_count: count as i32,
            brushes,
            rest,
        })
    })
}

fn vertices() -> impl Strategy<Value = Vertices> {
    (0..4_u32, -1..4_i32, 0..4_i32).prop_flat_map(|(flags, sets, size)| {
        let count = (sets.max(0) * size) as usize;
        let vertex = (array::<3>(), array::<3>(), array::<4>(), prop::collection::vec(float(), count));
        let vertex = vertex.prop_map(move |(position, normal, color, coordinates)| Vertex {
            position,
            normal: (flags & 1 != 0).then_some(normal),
            color: (flags & 2 != 0).then_some(color),
            coordinates,
        });
        (list(vertex), rest(12)).prop_map(move |(vertices, rest)| Vertices {
            flags,
            coordinate_sets: sets,
            coordinate_size: size,
            vertices,
            rest,
        })
    })
}

fn keys() -> impl Strategy<Value = Keys> {
    (1..8_u32).prop_flat_map(|flags| {
        let key = (number(), array::<3>(), array::<3>(), array::<4>());
        let key = key.prop_map(move |(frame, position, scale, rotation)| Key {
            frame,
            position: (flags & 1 != 0).then_some(position),
            scale: (flags & 2 != 0).then_some(scale),
            rotation: (flags & 4 != 0).then_some(rotation),
        });
        (list(key), rest(16)).prop_map(move |(keys, rest)| Keys { flags, keys, rest })
    })
}

fn triangles() -> impl Strategy<Value = Chunk> {
    let corner = || prop_oneof![9 => 0..8_u32, 1 => any::<u32>()];
    (number(), list([corner(), corner(), corner()]), rest(12))
        .prop_map(|(brush, triangles, rest)| Chunk::Triangles(Triangles { brush, triangles, rest }))
}

fn mesh() -> impl Strategy<Value = Chunk> {
    let chunk = prop_oneof![
        3 => triangles(),
        2 => vertices().prop_map(|vertices| Chunk::Vertices(Box::new(vertices))),
        1 => leaf(),
    ];
    (number(), list(chunk), rest(8))
        .prop_map(|(brush, chunks, rest)| Chunk::Mesh(Mesh { brush, chunks, rest }))
}

fn leaf() -> impl Strategy<Value = Chunk> {
    let weight = (prop_oneof![9 => 0..8_u32, 1 => any::<u32>()], float())
        .prop_map(|(vertex, weight)| Weight { vertex, weight });
    prop_oneof![
        2 => (list(texture()), rest(20)).prop_map(|(textures, rest)| Chunk::Textures(Textures { textures, rest })),
        2 => all_brushes().prop_map(Chunk::Brushes),
        2 => (list(weight), rest(8)).prop_map(|(weights, rest)| Chunk::Bone(Bone { weights, rest })),
        3 => keys().prop_map(Chunk::Keys),
        1 => (number(), number(), float(), rest(9)).prop_map(|(flags, frames, fps, rest)| {
            Chunk::Animation(Animation { flags, frames, fps, rest })
        }),
        2 => (name(), number(), number(), number(), rest(9)).prop_map(|(name, first, last, unknown, rest)| {
            Chunk::Sequence(Sequence { name, first, last, unknown, rest })
        }),
        1 => rest(9).prop_map(Chunk::Pivot),
        1 => (prop::array::uniform4(b'a'..=b'z'), rest(20)).prop_map(|(tag, bytes)| Chunk::Unknown(Tag(tag), bytes)),
    ]
}

fn chunk() -> impl Strategy<Value = Chunk> {
    let leaf = prop_oneof![3 => leaf().boxed(), 3 => mesh().boxed()];
    leaf.prop_recursive(4, 24, 5, |inner| {
        (name(), array::<10>(), list(inner), rest(8)).prop_map(|(name, numbers, chunks, rest)| {
            let [x, y, z, width, height, depth, w, i, j, k] = numbers;
            Chunk::Node(Box::new(Node {
                name,
                position: [x, y, z],
                scale: [width, height, depth],
                rotation: [w, i, j, k],
                chunks,
                rest,
            }))
        })
    })
}

fn any_model() -> impl Strategy<Value = B3d> {
    (0..100_i32, list(chunk()), rest(8), rest(30)).prop_map(|(version, chunks, rest, trailing)| B3d {
        version,
        rest,
        trailing,
        ..model(chunks)
    })
}

proptest! {
    #[test]
    fn reads_what_it_writes(model in any_model()) {
        let bytes = model.write().unwrap();
        let again = B3d::read(&bytes, &mut Report::new()).unwrap();
        // Compared as text: NaN is not equal to itself.
        prop_assert_eq!(format!("{again:?}"), format!("{model:?}"));
        prop_assert!(again.write().unwrap() == bytes);
        let from_json: B3d = json::from_slice(&json::to_vec(&model).unwrap()).unwrap();
        prop_assert!(from_json.write().unwrap() == bytes);
    }

    #[test]
    fn converts_any_model_to_a_writable_scene(model in any_model()) {
        scene_of(&model);
        checked(&model);
    }

    #[test]
    fn reads_or_refuses_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let bytes = [b"BB3D", &(bytes.len() as i32).to_le_bytes()[..], &bytes].concat();
        if let Ok(model) = B3d::read(&bytes, &mut Report::new()) {
            prop_assert!(model.write().unwrap() == bytes);
        }
    }
}
