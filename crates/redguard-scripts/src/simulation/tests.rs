//! Scripts that run in the world of a map.

use std::collections::BTreeMap;

use asset::{Context, FixedText, Install, Options};
use files::layer::MemoryLayer;
use json::{Document, json};
use proptest::prelude::*;
use record::Source;
use soup::text::SourceContext;
use soup::{Definitions, Script};

use super::*;
use crate::script::ScriptTextOptions;
use redguard_files::save;
use redguard_world::engine::clock::NOMINAL_TICKS_PER_SECOND;
use redguard_world::map::assembled::{
    AssembledCommand, AssembledGroup, AssembledMap, AssembledObject, AssembledSection, AttributeMap,
};
use redguard_world::map::{Map, Marker, Placement, Route, WalkMap, WalkNode};

/// A synthetic map.
#[derive(Default)]
struct Scene {
    objects: Vec<AssembledObject>,
    placements: Vec<Placement>,
    markers: Vec<Marker>,
    walk_maps: Vec<WalkMap>,
}

fn text<const N: usize>(text: &str) -> FixedText<N> {
    FixedText::new(text).unwrap()
}

/// Assembles a script.
fn script(name: &str, texts: &[String], source: &str) -> Vec<u8> {
    let lexicon = Lexicon::new(Definitions::shipped(), &BTreeMap::new(), &BTreeMap::new());
    let surroundings =
        SourceContext { lexicon: &lexicon, actor: name, index: 0, texts, spoken: &|_: &str| None };
    let parsed = Script::parse(source, &surroundings);
    parsed.map_err(|problems| problems[0].message.clone()).unwrap().script.write()
}

impl Scene {
    /// Places an object with a script at a position in world units.
    fn with(mut self, name: &str, position: [i32; 3], source: &str) -> Self {
        let texts = vec!["DOOR".to_owned(), "GHOST".to_owned(), "OTHER".to_owned()];
        self.objects.push(AssembledObject {
            script: Some(script(name, &texts, source).into()),
            texts: Some(texts),
            attributes: Some(AttributeMap::default()),
            variables: Some(vec![vec![0; 4]]),
            ..AssembledObject::new(text(name))
        });
        self.placements.push(placement(name, position));
        self
    }

    /// Changes the object that was added last.
    fn but(mut self, change: impl FnOnce(&mut AssembledObject)) -> Self {
        change(self.objects.last_mut().unwrap());
        self
    }

    fn map(self) -> Map {
        let mut map = AssembledMap::new(self.objects);
        for section in &mut map.sections {
            match section {
                AssembledSection::Placements(it) => it.records.clone_from(&self.placements),
                AssembledSection::Markers(it) => it.records.clone_from(&self.markers),
                AssembledSection::WalkMaps(it) => it.records.clone_from(&self.walk_maps),
                _ => {}
            }
        }
        Map::read(&map.split().unwrap().write().unwrap()).unwrap()
    }

    fn session(self, request: &SessionRequest) -> Result<ScriptSession> {
        self.session_in(&Install::empty(), request)
    }

    fn session_in(self, install: &Install, request: &SessionRequest) -> Result<ScriptSession> {
        let map = self.map();
        let options = Options::defaults(ScriptTextOptions::DECLARED);
        let context = Context { install, location: None, options: &options };
        let script_context = ScriptContext { context, file_name: "TEST.RGM", definitions: None };
        run(&map, &script_context, request)
    }

    /// Runs an update in a game with this SYSTEM.INI.
    fn run_with_settings(self, text: &str) -> ScriptSession {
        let files = [("SYSTEM.INI", Source::from(text.as_bytes().to_vec()))];
        let install = Install::new(vec![Arc::new(MemoryLayer::new("game", files).unwrap())]);
        let mut session = self.session_in(&install, &SessionRequest::default()).unwrap();
        go(&mut session, 1);
        session
    }

    fn run(self, updates: u32) -> ScriptSession {
        let mut session = self.session(&SessionRequest::default()).unwrap();
        go(&mut session, updates);
        session
    }
}

fn placement(name: &str, position: [i32; 3]) -> Placement {
    let it: Placement = record::read_whole(&[0_u8; 66], ()).unwrap();
    Placement { object: text(name), kind: 1, position: position.map(|it| it * 256), ..it }
}

fn go(session: &mut ScriptSession, updates: u32) {
    for _ in 0..updates {
        session.advance(Advance::Update).unwrap();
    }
}

/// Returns the index of an actor.
fn actor(session: &ScriptSession, name: &str) -> usize {
    session.actors().iter().position(|it| it.name == name).unwrap()
}

fn get(session: &ScriptSession, name: &str, value: &str) -> String {
    session.get(actor(session, name), value).unwrap()
}

/// Returns the descriptions of the events of one kind.
fn texts_of(happened: &[SessionEvent], kind: SessionEventKind) -> Vec<String> {
    happened.iter().filter(|it| it.kind == kind).map(|it| format!("{}: {}", it.update, it.text)).collect()
}

#[test]
fn an_actor_reaches_its_location_in_the_given_time() {
    let scene = Scene::default()
        .with("GUARD", [100, 0, 0], "MoveToLocation(1, 9)\nanchor 5\nend\n")
        .but(|it| it.locations = Some(vec![[2560, 0, 0]]));
    let mut session = scene.run(1);
    // A tenth of the distance of 2560.
    assert_eq!(get(&session, "GUARD", "position"), format!("{} 0 0", 25_600 + 256));
    go(&mut session, 9);
    assert_eq!(get(&session, "GUARD", "position"), format!("{} 0 0", 25_600 + 2560));
    assert_eq!(get(&session, "GUARD", "anchor"), "0");
    go(&mut session, 1);
    assert_eq!(get(&session, "GUARD", "anchor"), "5");
}

#[test]
fn an_actor_turns_about_its_axis() {
    let mut session = Scene::default()
        .with("GUARD", [0; 3], "RotateByAxis(1, -100, 4)\nanchor 1\nidle:\nend idle\n")
        .run(1);
    assert_eq!(get(&session, "GUARD", "angles"), "0 2023 0");
    go(&mut session, 6);
    assert_eq!(get(&session, "GUARD", "angles"), "0 1948 0");
    assert_eq!(get(&session, "GUARD", "anchor"), "1");
    // Division by a duration of 0.
    let scene = Scene::default().with("GUARD", [0; 3], "sRotateByAxis(1, 100, 0)\n");
    let stop = scene.session(&SessionRequest::default()).unwrap().advance(Advance::Update).unwrap_err();
    assert_eq!(stop.to_string(), "GUARD, 0x0: division by zero (update 1, main)");
}

/// Adds two looping animation groups: group 1 shows frames 0 and 1, group 10 shows frames 2 and 3, each for two ticks.
fn waving(object: &mut AssembledObject) {
    let group = |number: u16, first: i32| AssembledGroup {
        number,
        animation: 2,
        kind: 0,
        commands: vec![
            AssembledCommand::Target(0, Box::new(AssembledCommand::Known(0, vec![first]))),
            AssembledCommand::Known(0, vec![first + 1]),
            AssembledCommand::Known(3, vec![4]),
            AssembledCommand::Known(2, vec![0]),
            AssembledCommand::Target(4, Box::new(AssembledCommand::Known(1, vec![0]))),
        ],
    };
    object.animation_groups = Some(vec![group(1, 0), group(10, 2)]);
}

#[test]
fn animation_groups_follow_the_script() {
    let scene = Scene::default()
        .with("FLAG2", [0; 3], "PushAnimation(10, 2)\nPushAnimation(1, 1)\nend\n")
        .but(waving);
    let mut session = scene.session(&SessionRequest::default()).unwrap();
    let mut groups = Vec::new();
    for _ in 0..60 {
        session.advance(Advance::Update).unwrap();
        let group = get(&session, "FLAG2", "group");
        match groups.last_mut() {
            Some((known, count)) if *known == group => *count += 1,
            _ => groups.push((group, 1)),
        }
    }
    // The default group, which the object lacks, is requested between the two groups.
    groups.retain(|(group, _)| group != "0");
    let shown: Vec<(&str, i32)> = groups.iter().map(|(group, count)| (group.as_str(), *count)).collect();
    // Two loops of two frames of two ticks, then one loop.
    assert_eq!(shown[..4], [("10", 8), ("1", 4), ("10", 8), ("1", 4)]);
    let pose = session.pose().unwrap();
    assert_eq!(pose.objects.len(), 1);
    assert!(pose.objects[0].frame.is_some());
}

#[test]
fn ids_begin_after_the_active_objects() {
    let id = |active: i32| {
        let scene = Scene::default().with("GUARD", [0; 3], "var0 = MyId()\nend\n");
        let session = scene.run_with_settings(&format!("[system]\nmax_active_objects = {active}\n"));
        get(&session, "GUARD", "var0")
    };
    // Three IDs belong to the engine, and there are at least 10 active objects.
    assert_eq!([40, 2].map(id), ["44", "14"]);
}

#[test]
fn an_actor_beyond_the_dialog_distance_says_nothing() {
    let lines = |distance: i32| {
        let scene = Scene::default().with("GUARD", [20, 0, 0], "RTX('ab01')\nend\n");
        let mut session = scene.run_with_settings(&format!("[dialog]\ndialog_max_distance = {distance}\n"));
        texts_of(&session.take_events(), SessionEventKind::Line).len()
    };
    assert_eq!([19, 20].map(lines), [0, 1]);
}

#[test]
fn carrying_and_holding_a_weapon_are_two_questions() {
    let source = "
var0 = IsCarryingWeapon()
var1 = IsHoldingWeapon()
DrawSword()
var2 = IsHoldingWeapon()
SheathSword()
var3 = IsCarryingWeapon() * 2 + IsHoldingWeapon()
end
";
    let answers = |weapon: u8| {
        let arm = |object: &mut AssembledObject| {
            waving(object);
            object.attributes = Some(AttributeMap([(23, weapon)].into()));
        };
        let session = Scene::default().with("GUARD", [0; 3], source).but(arm).run(1);
        ["var0", "var1", "var2", "var3"].map(|name| get(&session, "GUARD", name))
    };
    assert_eq!(answers(1), ["1", "0", "1", "2"]);
    assert_eq!(answers(0), ["0", "0", "0", "0"]);
}

#[test]
fn the_player_approaches_uses_an_actor_and_answers() {
    let source = "
if PlayerDistance() < 25600 {
    anchor 1
}
if ACTIVATE('ab00') = 1 {
    RTX('ab01')
    menuNew()
    menuAddItem('ab02', 7, 1)
    menuAddItem('ab03', 9, 1)
    menuProc()
    var0 = menuSelection()
}
end
";
    let player = json!({
        "start": { "position": [2500, 0, 2000] },
        "do": [{ "go_to": "GUARD", "speed": 50, "within": 60 }, { "activate": "GUARD" }, { "choose": "ab03" }],
    });
    let request = SessionRequest { player: Some(Document::from(&player)), ..SessionRequest::default() };
    let mut session = Scene::default().with("GUARD", [2000, 0, 2000], source).session(&request).unwrap();
    go(&mut session, 5);
    assert_eq!(get(&session, "GUARD", "anchor"), "0");
    go(&mut session, 30);
    assert_eq!(get(&session, "GUARD", "anchor"), "1");
    assert_eq!(get(&session, "GUARD", "var0"), "9");
    let lines = texts_of(&session.take_events(), SessionEventKind::Line);
    let texts: Vec<&str> = lines.iter().filter_map(|it| it.split_once(": ")).map(|(_, it)| it).collect();
    assert_eq!(texts, ["uses GUARD", "says 'ab01'", "asks: 'ab02', 'ab03'", "answers 'ab03'"]);
}

#[test]
fn actors_of_a_channel_are_synchronized() {
    let scene = Scene::default()
        .with("FIRST", [0; 3], "SyncWithGroup(1)\nvar0 = var0 + 1\nend\n")
        .but(|it| it.attributes = Some(AttributeMap([(29, 3)].into())))
        .with("SECOND", [0; 3], "Wait(10)\nSyncWithGroup(1)\nvar0 = var0 + 1\nend\n")
        .but(|it| it.attributes = Some(AttributeMap([(29, 3)].into())));
    let mut session = scene.run(9);
    assert_eq!(get(&session, "FIRST", "var0"), "0");
    go(&mut session, 5);
    assert_eq!((get(&session, "FIRST", "var0"), get(&session, "SECOND", "var0")), ("1".into(), "1".into()));
}

#[test]
fn attributes_items_and_flags_are_kept() {
    let source = "
SetMyAttr(3, 40)
adjustHealth(-10, 0)
var0 = GetMyAttr(3)
KillMe()
var1 = isDead()
After_League = 2
end
";
    let mut session = Scene::default().with("GUARD", [0; 3], source).run(1);
    let value = |name: &str| get(&session, "GUARD", name);
    assert_eq!([value("var0"), value("var1"), value("After_League")], ["30", "1", "2"]);
    assert_eq!(texts_of(&session.take_events(), SessionEventKind::Flag), ["1: After_League = 2"]);
}

#[test]
fn functions_without_simulation_are_reported_once() {
    let source = "LightRadius(4)\nLightRadius(5)\n\"GHOST\".HideMe()\nend\n";
    let mut session = Scene::default().with("GUARD", [0; 3], source).run(3);
    assert_eq!(
        texts_of(&session.take_events(), SessionEventKind::Recorded),
        [
            "3: LightRadius is not simulated; the call is recorded and returns 0",
            "3: the map has no object called GHOST; calls on it have no effect",
        ]
    );
}

#[test]
fn calls_functions_of_another_object() {
    let scene = Scene::default().with("DOOR", [0; 3], "idle:\nend idle\n").with(
        "GUARD",
        [0; 3],
        "\"DOOR\".RotateByAxis(1, 512, 4)\nidle:\nend idle\n",
    );
    let mut session = scene.run(8);
    assert_eq!(get(&session, "DOOR", "angles"), "0 512 0");
    go(&mut session, 1);
    assert_eq!(get(&session, "GUARD", "angles"), "0 0 0");
}

#[test]
fn an_object_attached_to_a_door_rotates_with_it() {
    let scene = Scene::default()
        .with("DOOR", [2000, 0, 2000], "RotateByAxis(1, -512, 4)\nidle:\nend idle\n")
        .but(|it| it.attributes = Some(AttributeMap([(25, 1)].into())))
        .with("KNOB", [2000, 0, 2100], "idle:\nend idle\n")
        .but(|it| it.attributes = Some(AttributeMap([(26, 1)].into())));
    let pose = scene.run(8).pose().unwrap();
    let [door, knob] = pose.objects[..] else { panic!("{pose:?}") };
    // A quarter turn to the right: Z maps to X.
    assert_eq!((knob.position, knob.orientation), ([2100 * 256, 0, 2000 * 256], door.orientation));
    let [[_, _, x], _, [_, _, z]] = knob.orientation;
    assert!((x - 1.0).abs() < 1e-6 && z.abs() < 1e-6, "{knob:?}");
}

#[test]
fn speech_functions_are_known_from_the_language_tables() {
    let source = "RTX('ab01')\nShowItemNoRtx(1, 2, 3)\nend\n";
    let request = SessionRequest {
        actor: Some("GUARD".to_owned()),
        host: Some(Document::from(&json!({ "default": 0 }))),
        ..SessionRequest::default()
    };
    let mut session = Scene::default().with("GUARD", [0; 3], source).session(&request).unwrap();
    go(&mut session, 2);
    let happened = session.take_events();
    let subjects = |kind| -> Vec<&str> {
        happened.iter().filter(|it| it.kind == kind).map(|it| it.subject.as_str()).collect()
    };
    assert_eq!(subjects(SessionEventKind::Speech), ["RTX"]);
    assert_eq!(subjects(SessionEventKind::Call), ["ShowItemNoRtx"]);
}

#[test]
fn items_of_a_saved_game_are_loaded_and_stored() {
    let item = save::Item { total: 9, player_max: 5, player_total: 3, hide: 1, ..save::Item::default() };
    let saved = save::Save::new("here", 1, vec![item]).unwrap().write().unwrap();
    let scene = Scene::default().with("GUARD", [0; 3], "AddItem(0, 1)\nSelectItem(0)\nidle:\nend idle\n");
    let request = SessionRequest { save: Some(saved.clone()), ..SessionRequest::default() };
    let mut session = scene.session(&request).unwrap();
    go(&mut session, 1);
    let after = save::Save::read(&session.save_into(&saved).unwrap()).unwrap();
    let expected = save::Items { records: vec![save::Item { player_total: 4, ..item }], selected: 0 };
    assert_eq!(after.items(), Some(&expected));
}

#[test]
fn evaluating_conditions_has_no_side_effects() {
    let scene = Scene::default().with("DOOR", [2000, 0, 2000], "idle:\nend idle\n").with(
        "GUARD",
        [2000, 0, 2500],
        "var0 = 7\nSetMyAttr(3, 40)\nAfter_League = 2\nidle:\nend idle\n",
    );
    let session = scene.run(1);
    let guard = actor(&session, "GUARD");
    let health = Definitions::shipped().attribute(3).unwrap();
    for (condition, expected) in [
        ("var0 = 7".to_owned(), true),
        ("var0 != 7 or After_League == 2".to_owned(), true),
        (format!("{health} >= 40 and {health} < 41"), true),
        ("\"DOOR\".PlayerDistance() = 1024000".to_owned(), true),
        ("PlayerDistance() < 10".to_owned(), false),
        ("SetMyAttr(3, 5) = 0".to_owned(), true),
    ] {
        assert_eq!(session.holds(guard, &condition).unwrap(), expected, "{condition}");
    }
    assert_eq!(get(&session, "GUARD", health), "40");
    let refused = |condition: &str| session.holds(guard, condition).unwrap_err().to_string();
    assert!(refused("varr0 = 1").starts_with("condition \"varr0 = 1\": "), "{}", refused("varr0 = 1"));
    for condition in ["", "var0", "var0 = 1 {\nvar0 = 2\n}\nif var0 = 1", "var99 = 1", "var0 = 1 }"] {
        assert!(session.holds(guard, condition).is_err(), "{condition}");
    }
    assert!(session.holds(99, "var0 = 7").is_err());
}

#[test]
fn updates_only_the_requested_actor() {
    let scene = || {
        Scene::default().with("FIRST", [0; 3], "var0 = var0 + 1\nend\n").with(
            "OTHER",
            [0; 3],
            "var0 = var0 + 1\nend\n",
        )
    };
    let request = SessionRequest { actor: Some("other".to_owned()), ..SessionRequest::default() };
    let mut session = scene().session(&request).unwrap();
    go(&mut session, 3);
    assert_eq!((get(&session, "FIRST", "var0"), get(&session, "OTHER", "var0")), ("0".into(), "3".into()));
    let request =
        SessionRequest { actor: Some("OTHER".to_owned()), instance: 1, ..SessionRequest::default() };
    let error = scene().session(&request).unwrap_err();
    assert_eq!(error.to_string(), "--instance: OTHER has 1 instances; the first is 0");
}

#[test]
fn with_a_player_only_near_or_active_actors_are_updated() {
    let scene = || {
        let count = "var0 = var0 + 1\nend\n";
        let mut scene = Scene::default()
            .with("NEAR", [20_000, 0, 20_000], count)
            .with("FAR", [40_000, 0, 20_000], count)
            .with("AWAKE", [40_000, 0, 20_000], count);
        scene.placements[2].is_active = 1;
        scene
    };
    let player = json!({
        "start": { "position": [20_000, 0, 20_000] },
        "do": [{ "wait": 3 }, { "go_to": [40_000, 0, 20_000], "speed": 20_000 }, { "wait": 100 }],
    });
    let request =
        |reach| SessionRequest { player: Some(Document::from(&player)), reach, ..SessionRequest::default() };
    let counts = |session: &ScriptSession| ["NEAR", "FAR", "AWAKE"].map(|it| get(session, it, "var0"));
    let mut session = scene().session(&request(Reach::AroundPlayer)).unwrap();
    go(&mut session, 3);
    assert_eq!(counts(&session), ["3", "0", "3"]);
    // The state stores that there is a player.
    let state = SessionRequest { state: Some(session.state()), ..SessionRequest::default() };
    let mut later = scene().session(&state).unwrap();
    for session in [&mut session, &mut later] {
        go(session, 4);
        assert_eq!(counts(session), ["3", "4", "7"]);
    }
    let mut session = scene().session(&request(Reach::Everywhere)).unwrap();
    go(&mut session, 3);
    assert_eq!(counts(&session), ["3", "3", "3"]);
    // Without a player there is no center.
    assert_eq!(counts(&scene().run(3)), ["3", "3", "3"]);
}

#[test]
fn a_script_without_an_object_runs_as_a_shell() {
    let mut scene = Scene::default()
        .with("TEST", [0; 3], "var0 = var0 + 1\nif var0 = 3 {\n    KillMe()\n}\nend\n")
        .with("GUARD", [0; 3], "OpenShell(\"OTHER\")\nidle:\nend idle\n")
        .with("OTHER", [0; 3], "After_League = 1\nKillMe()\nend\n");
    // The first and the third object are not placed.
    scene.placements.retain(|it| it.object.text() == "GUARD");
    let session = scene.run(5);
    assert_eq!(session.actors()[0].name, "TEST");
    assert_eq!(session.get(0, "var0").unwrap(), "3");
    assert_eq!(session.get(0, "After_League").unwrap(), "1");
    // The opened shell has the name and the text of its object.
    let opened = session.actors().iter().rposition(|it| it.name == "OTHER").unwrap();
    assert!(session.source(opened).unwrap().0.contains("After_League = 1"));
}

#[test]
fn an_actor_wanders_along_the_walk_maps() {
    let node = |x: i16, targets: &[u16]| {
        let routes = targets.iter().map(|target| Route { target: *target, cost: 100 });
        WalkNode {
            number: None,
            length: None,
            position: [x.into(), 0, 0],
            unknown_0a: 0,
            routes: routes.collect(),
        }
    };
    let mut scene = Scene::default()
        .with("GUARD", [10, 0, 0], "var0 = Wander(0, 0)\nend\n")
        .but(|it| it.attributes = Some(AttributeMap([(8, 20)].into())));
    scene.walk_maps.push(WalkMap {
        length: None,
        node_count: None,
        position: [0; 3],
        radius: 500,
        nodes: vec![node(0, &[1]), node(100, &[0, 2]), node(200, &[1])],
    });
    let mut session = scene.run(0);
    let mut places = Vec::new();
    for _ in 0..100 {
        go(&mut session, 1);
        let position = get(&session, "GUARD", "position");
        places.push(position.split(' ').next().unwrap().parse::<i32>().unwrap() / 256);
    }
    assert!(places.iter().all(|x| (0..=200).contains(x)), "{places:?}");
    assert!(places.iter().max().unwrap() - places.iter().min().unwrap() >= 100, "{places:?}");
    assert_eq!(get(&session, "GUARD", "attr_node_in_use"), "1");
}

#[test]
fn a_session_continues_from_a_saved_state() {
    let scene = || {
        Scene::default()
            .with("GUARD", [0; 3], "MoveByAxis(0, 25600, 40)\nvar0 = Rnd(100)\nend\n")
            .with("FLAG2", [0; 3], "PushAnimation(10, 3)\nPushAnimation(1, 2)\nend\n")
            .but(waving)
    };
    let uninterrupted = scene().run(97);
    let first = scene().run(50);
    // The state survives a round trip through JSON.
    let state = Document::parse(&serde_json::to_vec(&first.state()).unwrap()).unwrap();
    let request = SessionRequest { state: Some(state), ..SessionRequest::default() };
    let mut second = scene().session(&request).unwrap();
    assert_eq!(second.updates(), 50);
    go(&mut second, 47);
    assert_eq!(second.state().root().to_value(), uninterrupted.state().root().to_value());
}

#[test]
fn pose_times_stay_exact_after_hours() {
    let scene = || Scene::default().with("GUARD", [0; 3], "end\n");
    let mut state = scene().run(1).state().root().to_value();
    state["update"] = json!(100_000);
    let request = SessionRequest { state: Some(Document::from(&state)), ..SessionRequest::default() };
    let seconds = scene().session(&request).unwrap().pose().unwrap().seconds;
    assert!((seconds - 100_000.0 / NOMINAL_TICKS_PER_SECOND).abs() < 0.01, "{seconds}");
}

#[test]
fn a_cloned_session_is_independent() {
    let mut session = Scene::default().with("GUARD", [0; 3], "var0 = var0 + 1\nend\n").run(2);
    let fork = session.clone();
    go(&mut session, 5);
    assert_eq!((get(&fork, "GUARD", "var0"), get(&session, "GUARD", "var0")), ("2".into(), "7".into()));
}

#[test]
fn refuses_unknown_names() {
    let scene = || Scene::default().with("GUARD", [0; 3], "idle:\nend idle\n");
    let refused = |request: SessionRequest| scene().session(&request).unwrap_err().to_string();
    let with = |flag: &str, value: &str| SessionRequest {
        flags: vec![(flag.to_owned(), value.to_owned())],
        ..SessionRequest::default()
    };
    assert_eq!(
        refused(with("After_Leage", "1")),
        "there is no flag called \"After_Leage\"; did you mean \"After_League\"?"
    );
    assert_eq!(refused(with("After_League", "yes")), "\"yes\" is not a number");
    let state = SessionRequest { state: Some(Document::from(&json!({}))), ..SessionRequest::default() };
    assert!(refused(state).starts_with("--state: "));
    let host = SessionRequest { host: Some(Document::from(&json!({}))), ..SessionRequest::default() };
    assert_eq!(
        refused(host),
        "--actor: required with --host, because recorded answers are for a single actor"
    );
}

proptest! {
    #[test]
    fn any_script_terminates(bytes in proptest::collection::vec(any::<u8>(), 0..120), start in 0_u32..130) {
        let mut scene = Scene::default().with("GUARD", [0; 3], "idle:\nend idle\n");
        scene.objects[0].script = Some(bytes.into());
        scene.objects[0].script_start = start;
        let request = SessionRequest { limit: 1000, ..SessionRequest::default() };
        let mut session = scene.session(&request).unwrap();
        for _ in 0..5 {
            let _ = session.advance(Advance::Update);
        }
        let state = session.state();
        prop_assert!(state.root().get("actors").is_some());
    }
}
