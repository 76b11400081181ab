//! Lights in worlds.

use super::*;

/// Returns the sample with an edited map.
fn edited(mut edit: impl FnMut(&mut AssembledSection)) -> Files {
    let mut files = sample();
    change(&mut files, MAP, |bytes| {
        let mut assembled = Map::read(&bytes).unwrap().assemble();
        assembled.sections.iter_mut().for_each(&mut edit);
        assembled.split().unwrap().write().unwrap()
    });
    files
}

/// Returns the sample whose first light and whose lamp, converted to a light of a world (placement kind 6), belong to this world.
fn with_lights_of(world: u16) -> Files {
    edited(|section| match section {
        AssembledSection::Lights(it) => it.records[0].world = world.into(),
        AssembledSection::Placements(it) => {
            for lamp in it.records.iter_mut().filter(|it| it.object.text() == "LAMP") {
                (lamp.kind, lamp.world) = (6, world);
            }
        }
        _ => {}
    })
}

/// Returns whether the first light of the map and the lamp are lights of the scene.
fn lit_lights(scene: &Scene) -> [bool; 2] {
    let lamp = records(scene, "objects").into_iter().find(|it| it.name.ends_with("LAMP")).unwrap();
    [records(scene, "lights")[0].light.is_some(), lamp.light.is_some()]
}

#[test]
fn lights_of_another_world_are_off() {
    let here = try_convert(&with_lights_of(1), &[]).0.unwrap();
    assert_eq!(lit_lights(&here), [true; 2]);
    let elsewhere = try_convert(&with_lights_of(28), &[]).0.unwrap();
    assert_eq!(lit_lights(&elsewhere), [false; 2]);
    // Their nodes remain, with the index of their world.
    assert_eq!(extras(records(&elsewhere, "lights")[0])["world_index"], 28);
}

#[test]
fn the_light_of_an_object_is_on_in_every_world() {
    let files = edited(|section| {
        if let AssembledSection::Placements(it) = section {
            it.records.iter_mut().for_each(|it| it.world = 28);
        }
    });
    assert_eq!(lit_lights(&try_convert(&files, &[]).0.unwrap()), [true; 2]);
}

#[test]
fn lights_are_on_in_the_requested_world() {
    let mut files = with_lights_of(2);
    change(&mut files, "WORLD.INI", |mut bytes| {
        bytes.extend_from_slice(b"\r\n[world]\r\nworld_map[2]=MAPS\\ISLAND.RGM\r\n");
        bytes
    });
    for (world, expected) in [("1", false), ("2", true)] {
        assert_eq!(
            lit_lights(&try_convert(&files, &[("world", world)]).0.unwrap()),
            [expected; 2],
            "{world}"
        );
    }
}

#[test]
fn a_map_without_a_world_has_the_lights_of_all_worlds() {
    let mut files = with_lights_of(28);
    files.retain(|(name, _)| name != "WORLD.INI");
    assert_eq!(lit_lights(&try_convert(&files, &[]).0.unwrap()), [true; 2]);
    // Baked light agrees.
    let sum = |files: &Files| {
        let scene = try_convert(files, &[("light", "baked"), ("without", "terrain")]).0.unwrap();
        let colors =
            scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter_map(|it| it.colors.as_ref());
        colors.flatten().map(|color| color[0]).sum::<f32>()
    };
    let mut dark = edited(|section| {
        if let AssembledSection::Lights(it) = section {
            it.records.clear();
        }
    });
    dark.retain(|(name, _)| name != "WORLD.INI");
    assert!((sum(&files) - sum(&dark)).abs() > 0.01);
}
