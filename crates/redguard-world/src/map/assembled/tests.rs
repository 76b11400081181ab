//! Assembling and splitting maps, and values derived after an edit.

use super::super::entry::{Route, WalkMap, WalkNode};
use super::super::layout::Section;
use super::super::placed::{Placement, Placements, Size, Sizes, WalkMaps};
use super::*;

fn object(name: &str) -> AssembledObject {
    AssembledObject::new(FixedText::new(name).unwrap())
}

fn placement(name: &str, variables: Option<&[i32]>) -> Placement {
    let bytes = vec![0_u8; 66];
    let it: Placement = record::read_whole(&bytes, ()).unwrap();
    Placement { object: FixedText::new(name).unwrap(), variables: variables.map(<[i32]>::to_vec), ..it }
}

fn parts(tag: &[u8; 4]) -> AssembledSection {
    let texts = (tag == b"RAST").then_some(TextTable::Once);
    AssembledSection::Parts(PartSection { tag: FixedText(*tag), head: None, tail: Bytes::default(), texts })
}

/// Creates a map of these objects and placements, with all part sections.
fn map_of(objects: Vec<AssembledObject>, placements: Vec<Placement>) -> AssembledMap {
    let mut sections = vec![AssembledSection::Objects(AssembledObjects { word: 7, records: objects })];
    sections.extend(collect::TAGS.iter().map(parts));
    sections.push(AssembledSection::Placements(Placements { records: placements }));
    AssembledMap { sections, end: true, rest: Bytes::default() }
}

/// Creates a map of a guard with a part of every kind, and a torch with some.
fn sample() -> AssembledMap {
    let model = |number, path: &str, frame_count| AssembledModel {
        number: Some(number),
        kind: 'c',
        path: path.to_owned(),
        frame_count,
        face_count: 9,
    };
    let commands = vec![
        AssembledCommand::Known(0, vec![1, 2]),
        AssembledCommand::Known(0, vec![40]),
        AssembledCommand::Known(4, vec![57, -10]),
        AssembledCommand::Known(15, vec![33, 5, -1]),
        AssembledCommand::Known(1, vec![-3]),
    ];
    let guard = AssembledObject {
        alias: Some("guard".to_owned()),
        attributes: Some(AttributeMap([(3, 100), (200, 1)].into())),
        models: Some(vec![model(0, "3dart\\a.3d", 4), model(1, "3dart\\b.3d", 3)]),
        animation_groups: Some(vec![AssembledGroup { number: 4, animation: 2, kind: 1, commands }]),
        texts: Some(vec!["hello".to_owned(), "café".to_owned()]),
        script: Some(vec![1, 2, 3].into()),
        hook: Some(AssembledHook { function: 11, arguments: vec![HookArgument { opcode: 7, value: -4 }] }),
        locations: Some(vec![[1, -2, 3]]),
        spheres: Some(vec![Sphere { offset: [1, -1, 0], vertex: 5, radius: 6 }]),
        size: 1,
        ..object("GUARD")
    };
    let torch = AssembledObject {
        texts: Some(vec!["hello".to_owned(), String::new()]),
        script: Some(vec![4].into()),
        ..object("TORCH")
    };
    let size = |number, byte| Size { unknown_00: byte, ..Size { number: Some(number), ..size_of_nothing() } };
    let mut map = map_of(
        vec![guard, torch],
        vec![
            placement("torch", Some(&[1, 2])),
            placement("GUARD", Some(&[5])),
            placement("TORCH", Some(&[3, 4])),
            placement("GHOST", None),
        ],
    );
    map.sections.push(AssembledSection::Sizes(Sizes { records: vec![size(0, 10), size(1, 11)] }));
    map
}

fn size_of_nothing() -> Size {
    record::read_whole(&[0_u8; 49], ()).unwrap()
}

fn objects(map: &mut AssembledMap) -> &mut Vec<AssembledObject> {
    match map.sections.first_mut() {
        Some(AssembledSection::Objects(it)) => &mut it.records,
        _ => panic!(),
    }
}

fn placements(map: &mut AssembledMap) -> &mut Vec<Placement> {
    let found = map.sections.iter_mut().find_map(|section| match section {
        AssembledSection::Placements(it) => Some(&mut it.records),
        _ => None,
    });
    found.unwrap()
}

/// Splits a map, writes it, and assembles it again: frames are expressed by their models, empty lists are present.
fn again(map: &AssembledMap) -> AssembledMap {
    let split = map.clone().split().unwrap();
    let bytes = split.write().unwrap();
    let read = Map::read(&bytes).unwrap();
    let assembled = read.assemble();
    assert_eq!(assembled.clone().split().unwrap(), read);
    let json = json::to_vec(&assembled).unwrap();
    assert_eq!(
        json::from_slice::<AssembledMap>(&json).unwrap(),
        assembled,
        "{}",
        String::from_utf8_lossy(&json)
    );
    assembled
}

#[test]
fn every_part_is_assembled_into_its_object() {
    let mut assembled = again(&sample());
    assert_eq!(*placements(&mut assembled), *placements(&mut sample()));
    let before = sample();
    let AssembledSection::Objects(before) = &before.sections[0] else { panic!() };
    let [guard, torch] = &objects(&mut assembled)[..] else { panic!() };
    let [old, _] = &before.records[..] else { panic!() };
    assert_eq!((&guard.alias, &guard.models, &guard.texts), (&old.alias, &old.models, &old.texts));
    assert_eq!((&guard.hook, &guard.locations, &guard.spheres), (&old.hook, &old.locations, &old.spheres));
    assert_eq!((&guard.attributes, &guard.script), (&old.attributes, &old.script));
    assert_eq!(guard.animation_groups, old.animation_groups);
    assert_eq!((torch.alias.as_ref(), torch.hook.as_ref(), torch.instances), (None, None, None));
    // All offsets, lengths and counts are derived.
    let json = serde_json::to_string(&objects(&mut assembled)).unwrap();
    for suffix in ["_offset", "_length", "_count\""] {
        let expected = if suffix == "_count\"" {
            json.matches("frame_count\"").count() + json.matches("face_count\"").count()
        } else {
            0
        };
        assert_eq!(json.matches(suffix).count(), expected, "{suffix}: {json}");
    }
}

#[test]
fn keeps_whether_equal_texts_are_stored_once() {
    let stored = |map: &AssembledMap| {
        let map = map.clone().split().unwrap();
        let found = map.sections.iter().find_map(|section| match section {
            Section::Other { tag, data } if tag.0 == *b"RAST" => Some(data.0.clone()),
            _ => None,
        });
        found.unwrap()
    };
    let once = sample();
    assert_eq!(stored(&once), b"hello\0caf\x82\0\0");
    let mut each = sample();
    for section in &mut each.sections {
        if let AssembledSection::Parts(it) = section
            && it.texts.is_some()
        {
            it.texts = Some(TextTable::Each);
        }
    }
    assert_eq!(stored(&each), b"hello\0caf\x82\0hello\0\0");
    let table = |map: &AssembledMap| {
        again(map).sections.iter().find_map(|section| match section {
            AssembledSection::Parts(it) => it.texts.clone(),
            _ => None,
        })
    };
    assert_eq!((table(&once), table(&each)), (Some(TextTable::Once), Some(TextTable::Each)));
    for section in &mut each.sections {
        if let AssembledSection::Parts(it) = section
            && it.texts.is_some()
        {
            it.texts = Some(TextTable::List(["unused", "hello", ""].map(str::to_owned).into()));
        }
    }
    assert_eq!(stored(&each), b"unused\0hello\0\0caf\x82\0");
}

#[test]
fn updates_offsets_after_a_longer_alias_and_script() {
    let mut map = sample();
    let before = map.clone().split().unwrap();
    objects(&mut map)[0].alias = Some("a_much_longer_guard".to_owned());
    objects(&mut map)[0].script = Some(vec![9; 100].into());
    let after = map.split().unwrap();
    let (old, new) = (&before.objects()[1], &after.objects()[1]);
    assert_eq!((new.alias_length, new.script_length), (0, 1));
    assert_eq!(new.alias_offset - old.alias_offset, 14);
    assert_eq!(new.script_offset - old.script_offset, 97);
    assert_eq!(new.texts_offset, old.texts_offset);
    assert_eq!(after.object_sections().script(new), Some(&[4][..]));
}

#[test]
fn keeps_an_untouched_stale_length() {
    let mut map = sample().split().unwrap();
    for section in &mut map.sections {
        if let Section::Objects(it) = section {
            it.records[1].texts_length = 1;
            it.records[0].hook_length = 99;
            it.records[1].instances = 7;
        }
    }
    let mut assembled = map.assemble();
    assert_eq!(assembled.clone().split().unwrap(), map);
    assert_eq!(objects(&mut assembled)[1].texts_length, Some(1));
    assert_eq!(objects(&mut assembled)[0].hook_length, Some(99));
    objects(&mut assembled)[1].texts.as_mut().unwrap().push("more".to_owned());
    let after = assembled.split().unwrap();
    assert_eq!((after.objects()[1].texts_length, after.objects()[1].text_count), (1, 3));
    assert_eq!(after.objects()[1].instances, 7);
}

#[test]
fn placements_contain_their_variables() {
    let mut map = sample();
    let list = placements(&mut map);
    let copy = list[0].clone();
    list.remove(2);
    list.insert(0, placement("TORCH", Some(&[8, 9])));
    list.push(Placement { variables: None, ..copy });
    let after = map.clone().split().unwrap();
    let torch = &after.objects()[1];
    assert_eq!(torch.instances, 3);
    // A placement without variables has the values of the first one.
    assert_eq!(after.object_sections().variables(torch).unwrap(), [&[8, 9][..], &[1, 2], &[8, 9]]);
    placements(&mut map)[1].variables = Some(vec![1]);
    let error = map.split().map(drop).unwrap_err();
    assert!(error.to_string().contains("TORCH have 2 and 1 variables"), "{error}");
}

#[test]
fn references_to_sizes_and_frames_are_updated() {
    let mut map = sample();
    let sizes = map.sections.iter_mut().find_map(|section| match section {
        AssembledSection::Sizes(it) => Some(&mut it.records),
        _ => None,
    });
    sizes.unwrap().remove(0);
    // The first model (four frames) is moved to the end.
    objects(&mut map)[0].models.as_mut().unwrap().rotate_left(1);
    let after = map.clone().split().unwrap();
    let guard = &after.objects()[0];
    assert_eq!(guard.size, 0);
    let groups = after.object_sections().animation_groups(guard).unwrap();
    assert_eq!(groups[0].commands[0].parameters(), [2]);
    let sizes = map.sections.iter_mut().find_map(|section| match section {
        AssembledSection::Sizes(it) => Some(&mut it.records),
        _ => None,
    });
    sizes.unwrap()[0].number = Some(7);
    let error = map.clone().split().map(drop).unwrap_err();
    assert!(error.to_string().contains("size 1 was removed, but GUARD still uses it"), "{error}");
    objects(&mut map)[0].size = -1;
    objects(&mut map)[0].models.as_mut().unwrap().remove(0);
    let error = map.split().map(drop).unwrap_err();
    assert!(error.to_string().contains("there is no such frame"), "{error}");
}

#[test]
fn routes_are_updated_for_moved_nodes() {
    let node = |number, target| WalkNode {
        number: Some(number),
        length: None,
        position: [i32::from(number), 0, 0],
        unknown_0a: 0,
        routes: vec![Route { target, cost: 1 }],
    };
    let walk = |nodes| {
        let map = WalkMap { length: None, node_count: None, position: [0; 3], radius: 0, nodes };
        let sections = vec![AssembledSection::WalkMaps(WalkMaps { records: vec![map] })];
        AssembledMap { sections, end: true, rest: Bytes::default() }.split()
    };
    // Node 1 is removed, the others are swapped.
    let after = walk(vec![node(2, 0), node(0, 2)]).unwrap();
    let targets: Vec<_> = after.walk_maps()[0].nodes.iter().map(|node| node.routes[0].target).collect();
    assert_eq!(targets, [1, 0]);
    let error = walk(vec![node(2, 1), node(0, 2)]).unwrap_err();
    assert!(error.to_string().contains("nodes[0].routes: node 1 was removed"), "{error}");
}

#[test]
fn refuses_parts_without_a_section() {
    let mut map = sample();
    map.sections.retain(|section| !matches!(section, AssembledSection::Parts(it) if it.tag.0 == *b"RAVC"));
    let error = map.split().map(drop).unwrap_err();
    assert!(error.to_string().contains("records[0].spheres: the map has no section for it"), "{error}");
}

#[test]
fn jumps_are_updated_for_added_and_moved_commands() {
    let command = |opcode, value| AssembledCommand::Known(opcode, vec![value]);
    let groups = |commands: Vec<AssembledCommand>| {
        let mut map = sample();
        let group = AssembledGroup { number: 4, animation: 2, kind: 0, commands };
        objects(&mut map)[0].animation_groups = Some(vec![group]);
        map.split()
    };
    let parameters_of = |map: &Map| -> Vec<Vec<i32>> {
        let object = &map.objects()[0];
        let groups = map.object_sections().animation_groups(object).unwrap();
        groups[0].commands.iter().map(|command| command.parameters()).collect()
    };
    let target = |number, command| AssembledCommand::Target(number, Box::new(command));
    let map = groups(vec![command(5, 0), target(1, command(5, 7)), command(2, 1), command(3, 99)]).unwrap();
    assert_eq!(parameters_of(&map), [[0], [7], [1], [99]]);
    // Only commands that are jump targets are numbered.
    let mut assembled = map.assemble();
    let commands = &mut objects(&mut assembled)[0].animation_groups.as_mut().unwrap()[0].commands;
    assert_eq!(*commands, [command(5, 0), target(1, command(5, 7)), command(2, 1), command(3, 99)]);
    commands.insert(0, command(5, 3));
    assert_eq!(parameters_of(&assembled.clone().split().unwrap()), [[3], [0], [7], [2], [99]]);
    objects(&mut assembled)[0].animation_groups.as_mut().unwrap()[0].commands.remove(2);
    let error = assembled.split().map(drop).unwrap_err().to_string();
    assert!(error.contains("animation_groups[0].commands[2]: no command has the number 1"), "{error}");
}

#[test]
fn commands_are_lists_of_names_and_numbers() {
    let json = r#"[["ShowFrame",1,2],["setrotationaxis",1,-5],16777215,[2,"EndAnimation",0],[3,16777215]]"#;
    let commands: Vec<AssembledCommand> = json::from_slice(json.as_bytes()).unwrap();
    let expected = [
        AssembledCommand::Known(0, vec![1, 2]),
        AssembledCommand::Known(7, vec![1, -5]),
        AssembledCommand::Raw(0xff_ffff),
        AssembledCommand::Target(2, Box::new(AssembledCommand::Known(1, vec![0]))),
        AssembledCommand::Target(3, Box::new(AssembledCommand::Raw(0xff_ffff))),
    ];
    assert_eq!(commands, expected);
    let again = json::to_value(&commands).unwrap();
    assert_eq!(json::from_value::<Vec<AssembledCommand>>(again).unwrap(), expected);
    for (json, expected) in [
        (r#"[["Dance",1]]"#, "unknown command \"Dance\""),
        ("[16777216]", "has more than the 24 bits"),
        ("[[1]]", "expected a list"),
        (r#"[[1,[2,"EndAnimation",0]]]"#, "did not match"),
        ("[[1,16777216]]", "has more than the 24 bits"),
    ] {
        let error = json::from_slice::<Vec<AssembledCommand>>(json.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}
