//! Property test: any room that glTF can represent round-trips with the same bytes.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::string::BlitzString;

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![-1e4_f32..1e4, -1e30_f32..1e30, Just(-0.0), Just(3.051_76e-5)]
}

fn vector() -> impl Strategy<Value = [f32; 3]> {
    [number(), number(), number()]
}

fn any_text() -> impl Strategy<Value = BlitzString> {
    vec(any::<u8>(), 0..12).prop_map(|bytes| BlitzString::from_bytes(&bytes))
}

fn any_slot() -> impl Strategy<Value = TextureSlot> {
    let kinds =
        prop_oneof![Just(TextureKind::OPAQUE), Just(TextureKind::LIGHTMAP), Just(TextureKind::TRANSPARENT)];
    prop_oneof![
        Just(TextureSlot::NONE),
        (kinds, any_text()).prop_map(|(kind, name)| TextureSlot { kind, name: Some(name) }),
    ]
}

prop_compose! {
    fn any_vertex()(position in vector(), numbers in [number(), number(), number(), number()], color: [u8; 3]) -> Vertex {
        let [u, v, s, t] = numbers;
        Vertex { position, texture_uv: [u, v], lightmap_uv: [s, t], color }
    }
}

prop_compose! {
    fn any_surface()(vertices in 1_u32..6)(
        lightmap in any_slot(),
        texture in any_slot(),
        vertices in vec(any_vertex(), vertices as usize),
        triangles in vec([0..vertices, 0..vertices, 0..vertices], 1..5),
    ) -> Surface {
        Surface { lightmap, texture, vertices, triangles }
    }
}

prop_compose! {
    fn any_invisible()(count in 1_u32..6)(
        vertices in vec(vector(), count as usize),
        triangles in vec([0..count, 0..count, 0..count], 1..5),
    ) -> InvisibleSurface {
        InvisibleSurface { vertices, triangles }
    }
}

fn any_entity() -> impl Strategy<Value = Entity> {
    let float = || any::<u32>().prop_map(f32::from_bits);
    prop_oneof![
        (vector(), any_text()).prop_map(|(position, image)| Entity::Screen(Screen { position, image })),
        vector().prop_map(|position| Entity::Waypoint(Waypoint { position })),
        [float(), float(), float()].prop_map(|position| Entity::Waypoint(Waypoint { position })),
        (vector(), float(), any_text(), float()).prop_map(|(position, range, color, intensity)| {
            Entity::Light(class::Light { position, range, color, intensity, ..class::Light::default() })
        }),
        (vector(), any::<[u8; 3]>(), 0..400_i32, 0..400_i32, vector()).prop_map(
            |(position, [r, g, b], inner, outer, turn)| {
                let [pitch, yaw, roll] = turn.map(|angle| angle % 360.0);
                Entity::Spotlight(Spotlight {
                    position,
                    range: 500.0,
                    color: format!("{r} {g} {b}").as_str().into(),
                    intensity: 1.2,
                    angles: format!("{pitch} {yaw} {roll}").as_str().into(),
                    inner_cone_angle: inner,
                    outer_cone_angle: outer,
                })
            }
        ),
        (vector(), any::<i32>(), float()).prop_map(|(position, sound, range)| Entity::SoundEmitter(
            SoundEmitter { position, sound, range }
        )),
        (vector(), any_text())
            .prop_map(|(position, angles)| Entity::PlayerStart(PlayerStart { position, angles })),
        (
            any_text(),
            vector(),
            [-400.0_f32..400.0, -400.0_f32..400.0, -400.0_f32..400.0],
            [0.01_f32..90.0, 0.01_f32..90.0, -9.0_f32..-0.01]
        )
            .prop_map(|(file, position, rotation, scale)| Entity::Model(Model {
                file,
                position,
                rotation,
                scale
            })),
        vec(any::<u8>(), 0..9).prop_map(|bytes| Entity::Custom("door".into(), Bytes::from(bytes))),
    ]
}

prop_compose! {
    fn any_room()(
        surfaces in vec(any_surface(), 0..5),
        collision in vec(any_invisible(), 0..3),
        triggers in option::of(vec((vec(any_invisible(), 0..3), any_text()), 1..4)),
        entities in vec(any_entity(), 0..8),
        rest: Vec<u8>,
    ) -> RMesh {
        let boxed = |(surfaces, name)| TriggerBox { surfaces, name };
        let triggers = triggers.map(|triggers| triggers.into_iter().map(boxed).collect());
        RMesh {
            header: if triggers.is_some() { Header::HasTriggerBox } else { Header::RoomMesh },
            surfaces,
            collision: Some(collision),
            triggers,
            entities: Some(entities),
            rest: Bytes::from(rest),
            ..RMesh::new()
        }
    }
}

static GLB: LazyLock<Vec<u8>> = LazyLock::new(|| write_glb(&scene_of(&sample())).unwrap());

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_room_round_trips_identically(room in any_room()) {
        let (again, report) = room_of(&scene_of(&room));
        prop_assert_eq!(report.count(Severity::Warning), 0, "{:?}", report);
        prop_assert_eq!(again.write().unwrap(), room.write().unwrap(), "{:?} {:?}", again, room);
    }

    #[test]
    fn any_scene_is_converted_to_a_room_or_refused(bytes in vec(any::<(proptest::sample::Index, u8)>(), 1..9)) {
        let mut glb = GLB.clone();
        for (offset, byte) in bytes {
            let offset = offset.index(glb.len());
            glb[offset] = byte;
        }
        if let Ok(read) = read(&glb, &mut |_| None)
            && let Ok(imported) = pack(&read, "rmesh", &[])
        {
            RMesh::read(&imported.0.bytes, &mut Report::new()).unwrap();
        }
    }
}
