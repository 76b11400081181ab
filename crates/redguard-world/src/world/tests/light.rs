//! Which lights shine in which world.

use super::*;

/// The sample with a changed map.
fn edited(mut edit: impl FnMut(&mut WholeSection)) -> Files {
    let mut files = sample();
    change(&mut files, MAP, |bytes| {
        let mut whole = Map::read(&bytes).unwrap().whole();
        whole.sections.iter_mut().for_each(&mut edit);
        whole.spread().unwrap().write().unwrap()
    });
    files
}

/// The sample whose first light and whose lamp, made a light of a world, belong to this world. Lamps are placements of kind 6.
fn with_lights_of(world: u16) -> Files {
    edited(|section| match section {
        WholeSection::Lights(it) => it.records[0].world = world.into(),
        WholeSection::Placements(it) => {
            for lamp in it.records.iter_mut().filter(|it| it.object.text() == "LAMP") {
                (lamp.kind, lamp.world) = (6, world);
            }
        }
        _ => {}
    })
}

/// Whether the first light of the map and the lamp are lights of the scene.
fn shining(scene: &Scene) -> [bool; 2] {
    let lamp = records(scene, "objects").into_iter().find(|it| it.name.ends_with("LAMP")).unwrap();
    [records(scene, "lights")[0].light.is_some(), lamp.light.is_some()]
}

#[test]
fn lights_of_another_world_do_not_shine() {
    let here = try_convert(&with_lights_of(1), &[]).0.unwrap();
    assert_eq!(shining(&here), [true; 2]);
    let elsewhere = try_convert(&with_lights_of(28), &[]).0.unwrap();
    assert_eq!(shining(&elsewhere), [false; 2]);
    // Their nodes stay, with the world that they shine in.
    assert_eq!(extras(records(&elsewhere, "lights")[0])["world_index"], 28);
}

#[test]
fn an_object_with_a_light_of_its_own_shines_in_every_world() {
    let files = edited(|section| {
        if let WholeSection::Placements(it) = section {
            it.records.iter_mut().for_each(|it| it.world = 28);
        }
    });
    assert_eq!(shining(&try_convert(&files, &[]).0.unwrap()), [true; 2]);
}

#[test]
fn lights_shine_in_the_world_that_was_asked_for() {
    let mut files = with_lights_of(2);
    change(&mut files, "WORLD.INI", |mut bytes| {
        bytes.extend_from_slice(b"\r\n[world]\r\nworld_map[2]=MAPS\\ISLAND.RGM\r\n");
        bytes
    });
    for (world, expected) in [("1", false), ("2", true)] {
        assert_eq!(shining(&try_convert(&files, &[("world", world)]).0.unwrap()), [expected; 2], "{world}");
    }
}

#[test]
fn a_map_without_a_world_shows_the_lights_of_all_worlds() {
    let mut files = with_lights_of(28);
    files.retain(|(name, _)| name != "WORLD.INI");
    assert_eq!(shining(&try_convert(&files, &[]).0.unwrap()), [true; 2]);
    // Baked light agrees.
    let sum = |files: &Files| {
        let scene = try_convert(files, &[("light", "baked"), ("without", "terrain")]).0.unwrap();
        let colors =
            scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter_map(|it| it.colors.as_ref());
        colors.flatten().map(|color| color[0]).sum::<f32>()
    };
    let mut dark = edited(|section| {
        if let WholeSection::Lights(it) = section {
            it.records.clear();
        }
    });
    dark.retain(|(name, _)| name != "WORLD.INI");
    assert!((sum(&files) - sum(&dark)).abs() > 0.01);
}
