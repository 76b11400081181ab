//! Property tests of other dialects: rooms with any values are written, read and written again.

use proptest::prelude::*;

use super::*;
use crate::rmesh::tests::{any_float, any_invisible, any_slot, any_surface, any_text};

fn any_position() -> impl Strategy<Value = [f32; 3]> {
    [any_float(), any_float(), any_float()]
}

prop_compose! {
    fn any_door()(
        (position, angle, keypad_code) in (any_position(), any_float(), any_text()),
        numbers: [i32; 3],
        flags: [u8; 4],
        buttons in [any_position(), any_position(), any_position(), any_position()],
    ) -> RmEntity {
        let [door_type, identifier, keycard_level] = numbers;
        let [start_open, locked, delete_half, remote_control] = flags;
        let [button_1_position, button_1_angle, button_2_position, button_2_angle] = buttons;
        RmEntity::Door(Door {
            position, door_type, door_identifier: Some(identifier), keycard_level, keypad_code, angle, start_open, locked,
            delete_half, remote_control, button_1_position, button_1_angle, button_2_position, button_2_angle,
        })
    }
}

fn any_rm_entity() -> impl Strategy<Value = RmEntity> {
    prop_oneof![
        any_position().prop_map(|position| RmEntity::Waypoint(Waypoint { position })),
        (any_position(), any_text())
            .prop_map(|(position, image)| RmEntity::Screen(Screen { position, image })),
        (any_position(), any_text(), any::<u8>(), any_position(), any_position()).prop_map(
            |(position, item, use_custom_rotation, rotation, [state_1, state_2, spawn_chance])| {
                RmEntity::Item(Item {
                    position,
                    item,
                    use_custom_rotation,
                    rotation,
                    state_1,
                    state_2,
                    spawn_chance,
                })
            }
        ),
        any_door(),
        (any_position(), any::<[i32; 3]>()).prop_map(|(position, [width, height, zone])| RmEntity::Subroom(
            Subroom { position, width, height, zone }
        )),
    ]
}

prop_compose! {
    fn any_rm()(
        version in 0..=1_u8,
        surfaces in proptest::collection::vec(any_surface(), 0..3),
        render_surfaces in proptest::collection::vec(any_surface(), 0..3),
        collision in proptest::collection::vec(any_invisible(), 0..3),
        boxes in proptest::collection::vec((proptest::collection::vec(any_invisible(), 0..3), any_text()), 0..3),
        mut entities in proptest::collection::vec(any_rm_entity(), 0..6),
    ) -> Rm {
        for entity in &mut entities {
            if let (RmEntity::Door(door), 0) = (entity, version) {
                door.door_identifier = None;
            }
        }
        let triggers = boxes.into_iter().map(|(surfaces, name)| TriggerBox { surfaces, name }).collect();
        Rm {
            surfaces,
            render_surfaces: Some(render_surfaces),
            collision: Some(collision),
            triggers: Some(triggers),
            entities: Some(entities),
            ..Rm::new(version)
        }
    }
}

prop_compose! {
    fn any_surface2()(
        (lightmap, texture) in (any_slot(), any_slot()),
        corners in proptest::collection::vec((any_position(), any_position(), any_position(), any::<[u8; 3]>()), 0..5),
        triangles: Vec<[u32; 3]>,
    ) -> Surface2 {
        type Corner = ([f32; 3], [f32; 3], [f32; 3], [u8; 3]);
        let vertex = |(position, [u, v, x], normal, color): Corner| {
            Vertex2 { position, texture_uv: [u, v], lightmap_uv: [x, v], color, normal }
        };
        Surface2 { lightmap, texture, vertices: corners.into_iter().map(vertex).collect(), triangles }
    }
}

fn any_entity2() -> impl Strategy<Value = Entity2> {
    let reserved = || proptest::collection::vec(any::<u8>(), 128).prop_map(Bytes);
    prop_oneof![
        any_position().prop_map(|position| Entity2::Waypoint(Waypoint { position })),
        (any_position(), any_position(), any_text(), any::<[u8; 2]>(), reserved()).prop_map(
            |(position, [range, intensity, sprite_scale], color, [has_sprite, casts_shadows], reserved)| {
                Entity2::Light(Light {
                    position,
                    range,
                    color,
                    intensity,
                    has_sprite: Some(has_sprite),
                    sprite_scale: Some(sprite_scale),
                    casts_shadows: Some(casts_shadows),
                    reserved: Some(reserved),
                })
            }
        ),
        (any_position(), any_position(), any_position(), any_text(), reserved()).prop_map(
            |(position, [range, intensity, sprite_scale], [pitch, yaw, outer], color, reserved)| {
                Entity2::Spotlight(Spotlight2 {
                    position,
                    range,
                    color,
                    intensity,
                    has_sprite: 1,
                    sprite_scale,
                    casts_shadows: 2,
                    pitch,
                    yaw,
                    outer_cone_angle: outer,
                    reserved,
                })
            }
        ),
        (any_position(), any_text(), any_position(), any_position(), any::<(u8, i32)>(), any_text())
            .prop_map(|(position, file, rotation, scale, (has_collision, fx), texture)| Entity2::Mesh(
                Prop { position, file, rotation, scale, has_collision, fx, texture }
            )),
        (any_position(), any_text(), any_position(), any_position(), any_text()).prop_map(
            |(position, model, rotation, scale, image)| Entity2::SaveScreen(SaveScreen {
                position,
                model,
                rotation,
                scale,
                image
            })
        ),
    ]
}

prop_compose! {
    fn any_roommesh2()(
        surfaces in proptest::collection::vec(any_surface2(), 0..4),
        collision in proptest::collection::vec(any_invisible(), 0..3),
        entities in proptest::collection::vec(any_entity2(), 0..6),
    ) -> RoomMesh2 {
        RoomMesh2 { surfaces, collision: Some(collision), entities: Some(entities), ..RoomMesh2::new() }
    }
}

/// Checks that a room round-trips through its bytes and its JSON. Compared as bytes, because NaN differs from itself.
fn assert_round_trip<D: Dialect>(room: &D, read: impl Fn(&[u8], &mut Report) -> Result<D>) {
    let bytes = room.bytes().unwrap();
    let mut report = Report::new();
    let again = read(&bytes, &mut report).unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(again.bytes().unwrap(), bytes);
    assert_eq!(json::to_vec(&again).unwrap(), json::to_vec(room).unwrap());
    let edited: D = json::from_slice(&json::to_vec(&again).unwrap()).unwrap();
    assert_eq!(edited.bytes().unwrap(), bytes);
}

proptest! {
    #[test]
    fn any_rm_room_is_written_read_and_written_identically(room in any_rm()) {
        assert_round_trip(&room, Rm::read);
    }

    #[test]
    fn any_roommesh2_room_is_written_read_and_written_identically(room in any_roommesh2()) {
        assert_round_trip(&room, RoomMesh2::read);
    }

    #[test]
    fn any_bytes_are_read_without_loss_or_refused(bytes: Vec<u8>, start in 0..5) {
        let empty = [string("RM"), vec![1], count(0), count(0), count(0), count(0)].concat();
        let starts = [
            [string("RM"), vec![1]].concat(),
            empty.clone(),
            [empty, count(9), string("door")].concat(),
            string("RoomMesh2"),
            [string("RoomMesh2"), count(0), count(0), count(9), string("light")].concat(),
        ];
        let bytes = [&starts[start as usize][..], &bytes].concat();
        match again(&bytes, &mut Report::new()) {
            Ok(written) => prop_assert_eq!(written, bytes),
            Err(error) => prop_assert!(error.offset().is_some_and(|offset| offset <= bytes.len() as u64)),
        }
    }
}
