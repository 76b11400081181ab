use asset::{Asset, Context, FixedText, Install, Options, Report};
use json::{Value, json};
use record::Result;
use soup::bytecode::Script;
use soup::mm::ActorFacts;
use soup::text::Problem;

use super::assemble::{assemble, with_scripts};
use super::language::{disassemble, find};
use super::replacement::Replacement;
use super::{Disassembly, Operands, ScriptContext, ScriptTextOptions, SourceText, raw};
use redguard_world::map::assembled::{AssembledMap, AssembledObject};
use redguard_world::map::script::Scripts;
use redguard_world::map::{Map, Section};

/// Creates a map with three actors.
fn map() -> Map {
    let object = |name: &str, script: &[u8], start: u32| {
        let mut bytes = [0; 9];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        AssembledObject {
            script: Some(script.to_vec().into()),
            script_start: start,
            texts: Some(vec![format!("{name} TEXT")]),
            ..AssembledObject::new(FixedText(bytes))
        }
    };
    let objects = vec![
        object("FIRST", &[0x18, 0x05, 0, 0, 0, 0], 1),
        object("SECOND", &[0x17, 9, 0x12], 0),
        object("THIRD", &[0x13], 0),
    ];
    AssembledMap::new(objects).split().unwrap()
}

fn with_scripts_of(map: Map, scripts: &[&[u8]]) -> Map {
    let scripts = scripts.iter().map(|it| Replacement { code: it.to_vec(), ..Replacement::default() });
    with_scripts(map, &scripts.enumerate().collect()).unwrap()
}

fn with_context<T>(run: impl FnOnce(&ScriptContext<'_>) -> T) -> T {
    let (install, options) = (Install::empty(), Options::defaults(ScriptTextOptions::DECLARED));
    let context = Context { install: &install, location: None, options: &options };
    run(&ScriptContext { context, file_name: "MAP.RGM", definitions: None })
}

fn texts_of(map: &Map) -> Vec<String> {
    with_context(|context| disassemble(map, context, &mut Report::default()))
        .unwrap()
        .into_iter()
        .map(|it| it.text)
        .collect()
}

fn assembled(map: &Map, texts: &[&str]) -> Result<std::result::Result<Map, Vec<(usize, Problem)>>> {
    let sources: Vec<_> =
        texts.iter().map(|text| SourceText { stem: "SECOND".to_owned(), text: (*text).to_owned() }).collect();
    let made = with_context(|context| assemble(map, context, &sources, &mut Report::default()))?;
    Ok(made.map(|bytes| Map::read(&bytes).unwrap()))
}

fn scripts(map: &Map) -> Vec<(Vec<u8>, u32)> {
    let sections = map.object_sections();
    map.objects().iter().map(|it| (sections.script(it).unwrap().to_vec(), it.script_start)).collect()
}

#[test]
fn unedited_scripts_do_not_change_the_map() {
    let map = map();
    let texts = texts_of(&map);
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    assert_eq!(assembled(&map, &texts).unwrap().unwrap(), map);
}

#[test]
fn a_longer_script_moves_the_following_scripts() {
    let edited = assembled(&map(), &["anchor 9\nyield\nyield\nreturn\n"]).unwrap().unwrap();
    let expected = [(vec![0x18, 0x05, 0, 0, 0, 0], 1), (vec![0x17, 9, 0x18, 0x18, 0x12], 0), (vec![0x13], 0)];
    assert_eq!(scripts(&edited), expected);
}

#[test]
fn a_new_script_is_appended() {
    let mut map = map();
    if let Some(Section::Objects(it)) = map.sections.iter_mut().find(|it| matches!(it, Section::Objects(_))) {
        it.records[0].script_length = 0;
    }
    let edited = assembled(&map, &["actor \"FIRST\"\nyield\n", "actor \"THIRD\"\nendint\nendint\n"]).unwrap();
    let edited = edited.unwrap();
    assert_eq!(scripts(&edited), [(vec![0x18], 0), (vec![0x17, 9, 0x12], 0), (vec![0x13, 0x13], 0)]);
}

#[test]
fn a_new_text_is_appended_to_the_texts_of_its_actor() {
    let edited = assembled(&map(), &["var0 = \"SECOND TEXT\" + \"NEW\"\n"]).unwrap().unwrap();
    let sections = edited.object_sections();
    let texts: Vec<_> = edited.objects().iter().map(|it| sections.texts(it).unwrap()).collect();
    assert_eq!(texts, [vec!["FIRST TEXT"], vec!["SECOND TEXT", "NEW"], vec!["THIRD TEXT"]]);
    assert!(texts_of(&edited)[1].contains("var0 = \"SECOND TEXT\" + \"NEW\""));
}

#[test]
fn refuses_to_edit_scripts_that_share_bytes() {
    let mut map = map();
    if let Some(Section::Objects(it)) = map.sections.iter_mut().find(|it| matches!(it, Section::Objects(_))) {
        it.records[2].script_offset = 6;
    }
    let error = assembled(&map, &["yield\n"]).unwrap_err();
    assert!(error.to_string().contains("SECOND and THIRD share bytes of their scripts"), "{error}");
}

#[test]
fn refuses_objects_with_too_many_texts() {
    let mut map = map();
    for section in &mut map.sections {
        match section {
            Section::TextOffsets(it) => it.offsets = vec![0; 150_000],
            Section::Objects(it) => it.records.iter_mut().for_each(|object| {
                (object.texts_offset, object.text_count) = (0, 100_000);
            }),
            _ => {}
        }
    }
    let error = with_context(|context| disassemble(&map, context, &mut Report::default())).unwrap_err();
    assert_eq!(error.kind(), record::Kind::Limit);
}

#[test]
fn check_reports_problems_of_scripts_with_their_offset() {
    let mut map = map();
    // A goto to itself, and a byte that is not a statement.
    map = with_scripts_of(map, &[&[4, 0, 0, 0, 0], &[0x12, 0xff], &[0x13]]);
    let mut report = Report::default();
    with_context(|context| map.check(&context.context, &mut report));
    let bytes = map.write().unwrap();
    let found: Vec<_> = report
        .iter()
        .filter(|it| it.path.ends_with(".script"))
        .map(|it| (it.code.id, it.path.as_str(), bytes[usize::try_from(it.offset.unwrap()).unwrap()]))
        .collect();
    assert_eq!(
        found,
        [
            ("RGM-W037", "sections[0].records[0].script", 4),
            ("RGM-E026", "sections[0].records[1].script", 0xff)
        ]
    );
}

#[test]
fn visits_names_in_scripts_with_statement_offsets() {
    // yield; var0 = GREMLIN
    let map = with_scripts_of(map(), &[&[0x18, 0x0a, 0, 6, 3, 0, 0], &[0x12], &[0x13]]);
    let mut found = Vec::new();
    with_context(|context| {
        let visit = redguard_world::world::FORMAT.names.visit.unwrap();
        let mut take = |it: asset::Named<'_>| {
            let path = it.path.to_string();
            if path.contains(".script[") {
                found.push(format!("{} {} {path}", it.kind, it.text));
            }
        };
        visit(&map, &context.context, &mut take).unwrap();
    });
    assert_eq!(found, ["flag Gremlin sections[0].records[0].script[0x1]"]);
}

#[test]
fn refuses_unknown_and_duplicate_actors() {
    let problems = assembled(&map(), &["actor \"SECONT\"\nend\n", "end\n", "end\n"]).unwrap().unwrap_err();
    let messages: Vec<_> = problems.iter().map(|(text, it)| (*text, it.line, it.message.as_str())).collect();
    assert_eq!(
        messages,
        [
            (0, 1, "the map has no object called \"SECONT\"; did you mean \"SECOND\"?"),
            (2, 1, "the script of object #1 is given twice"),
        ]
    );
}

#[test]
fn assembles_the_json_listing() {
    let map = map();
    let results: Vec<_> = with_context(|context| disassemble(&map, context, &mut Report::default()))
        .unwrap()
        .into_iter()
        .map(|it| it.facts)
        .collect();
    let json = json!({ "results": results }).to_string();
    assert_eq!(assembled(&map, &[&json]).unwrap().unwrap(), map);
}

#[test]
fn found_statements_have_a_line_number() {
    let edited = assembled(&map(), &["; a comment\nyield\nvar0 = After_League\n"]).unwrap().unwrap();
    let found = with_context(|context| find(&edited, context, "after_league")).unwrap();
    let expected = json!([{
        "map": "MAP.RGM", "actor": "SECOND", "at": 1, "kind": "read", "line": 4, "text": "var0 = After_League",
    }]);
    assert_eq!(Value::from(found), expected);
}

/// Disassembles a map with options.
fn shown_with(map: &Map, given: &[(&str, &str)], report: &mut Report) -> Vec<Disassembly> {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let (install, options) = (Install::empty(), Options::parse(ScriptTextOptions::DECLARED, &given).unwrap());
    let context = Context { install: &install, location: None, options: &options };
    let script_context = ScriptContext { context, file_name: "MAP.RGM", definitions: None };
    disassemble(map, &script_context, report).unwrap()
}

fn assembled_from_mm(
    map: &Map,
    text: &str,
    report: &mut Report,
) -> std::result::Result<Map, Vec<(usize, Problem)>> {
    let (install, options) = (
        Install::empty(),
        Options::parse(ScriptTextOptions::DECLARED, &[("dialect".to_owned(), "mm".to_owned())]).unwrap(),
    );
    let context = Context { install: &install, location: None, options: &options };
    let script_context = ScriptContext { context, file_name: "MAP.RGM", definitions: None };
    let source = SourceText { stem: "MAP".to_owned(), text: text.to_owned() };
    assemble(map, &script_context, &[source], report).unwrap().map(|bytes| Map::read(&bytes).unwrap())
}

#[test]
fn mod_manager_text_covers_the_entire_map() {
    let map = with_scripts_of(map(), &[&[0x13, 0x05, 0, 0, 0, 0], &[0x12], &[0x13]]);
    let mut report = Report::default();
    let parts = shown_with(&map, &[("dialect", "mm")], &mut report);
    let text = parts.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n");
    let expected = "Maps\\MAP.RGM\nID: \n\nFIRST\n{\n  Endint\n  End\n}\n\nSECOND\n{\n  Return\n}\n\nTHIRD\n{\n  Endint\n}\n";
    assert_eq!(text, expected);
    assert_eq!(parts[0].facts["lines"], json!([6, 7]));
    assert_eq!(assembled_from_mm(&map, &text, &mut report).unwrap(), map);
    assert!(report.is_empty());
    let edited =
        text.replace("  Return\n", "  <Anchor>=5\n  Return\n").replace("SECOND", "var3 = 7\n\nSECOND");
    let edited = assembled_from_mm(&map, &edited, &mut report).unwrap();
    assert_eq!(scripts(&edited)[1].0, [0x17, 5, 0x12]);
    let codes: Vec<_> = report.iter().map(|it| (it.code.id, it.message.as_str())).collect();
    assert_eq!(
        codes,
        [
            ("RGM-W041", "MAP:10:1: var3 = 7 is not applied to the map, which has no such value"),
            ("RGM-W040", "MAP:14:3: Mod Manager omits the opcode of <Anchor>; it was added"),
        ]
    );
    let problems =
        assembled_from_mm(&map, &format!("{text}\nTHIRD\n{{\n}}\nFOURTEEN\n{{\n}}\n"), &mut report);
    let messages: Vec<_> = problems.unwrap_err().into_iter().map(|(_, it)| (it.line, it.message)).collect();
    assert_eq!(
        messages,
        [
            (20, "duplicate script of THIRD; the map has no other object with this name".to_owned()),
            (23, "the map has no object called \"FOURTEEN\"".to_owned()),
        ]
    );
}

#[test]
fn warns_about_statements_that_mod_manager_text_cannot_express() {
    let mut report = Report::default();
    let parts = shown_with(&map(), &[("dialect", "mm")], &mut report);
    assert!(
        parts[0].text.contains("  // yield // lost: no equivalent in this format\n"),
        "{}",
        parts[0].text
    );
    let messages: Vec<_> = report.iter().map(|it| (it.code.id, it.message.as_str())).collect();
    assert_eq!(messages, [("RGM-W039", "FIRST at 0x0 of its script: no equivalent in this format")]);
    assert_eq!(parts[0].facts["diagnostics"][0]["code"], "mm_lost");
}

#[test]
fn bare_bytecode_round_trips() {
    let bytes = [0x18, 0x0a, 0, 0x15, 3, 0, 0, 0, 0, 0x04, 0, 0, 0, 0, 0xff];
    let mut report = Report::default();
    with_context(|script_context| {
        let script_context = ScriptContext { file_name: "GUARD.AI", ..script_context.clone() };
        let shown = raw::disassemble(&bytes, &script_context, &mut report).unwrap();
        assert_eq!(shown.name, "GUARD");
        assert!(shown.text.starts_with("actor \"GUARD\" #0\n"), "{}", shown.text);
        assert!(shown.text.contains("var0 = string_3\n"), "{}", shown.text);
        let json = json!({ "results": [shown.facts] }).to_string();
        for text in [shown.text, json] {
            let text = SourceText { stem: "GUARD".to_owned(), text };
            assert_eq!(raw::assemble(&script_context, &text, &mut report).unwrap().unwrap(), bytes);
        }
        let text =
            SourceText { stem: "GUARD".to_owned(), text: "end\nstart:\nvar0 = \"new\"\nx(\n".to_owned() };
        let problems = |text: &SourceText, report: &mut Report| -> Vec<_> {
            let problems = raw::assemble(&script_context, text, report).unwrap().unwrap_err();
            problems.iter().map(|it| (it.line, it.column)).collect()
        };
        assert_eq!(problems(&text, &mut report), [(4, 1)]);
        let text = SourceText { text: text.text.replace("x(\n", ""), ..text };
        assert_eq!(problems(&text, &mut report), [(3, 8), (2, 1)]);
    });
}

#[test]
fn the_scripts_of_all_maps_round_trip_in_all_dialects() {
    let Some(install) = corpus::folder("redguard") else { return };
    let (mut count, mut complete) = (0, 0);
    for path in corpus::files(&install.join("maps"), "rgm", 27) {
        let map = Map::read(&std::fs::read(&path).unwrap()).unwrap();
        with_context(|script_context| {
            let scripts =
                Scripts::of_game(&map, &script_context.context, script_context.definitions).unwrap();
            for (index, object) in map.objects().iter().enumerate() {
                let Some(bytes) = scripts.sections.script(object) else { continue };
                let script = Script::read(bytes, object.script_start, Operands::Engine);
                scripts.with_surroundings(index, object, |surroundings| {
                    let text = script.structured_text(surroundings);
                    let again = Script::parse(&text.text, surroundings).unwrap().script;
                    assert_eq!((again.write(), again.start), (bytes.to_vec(), script.start), "{}", text.text);
                    assert_eq!(text.lines.len(), script.statements.len());
                    count += 1;
                    let (text, found) = script.mm_text(surroundings, &ActorFacts::default());
                    let actors = soup::mm::split(&text.text).unwrap();
                    let again =
                        actors[0].parse(surroundings).unwrap_or_else(|it| panic!("{it:?}\n{}", text.text));
                    if !found.iter().any(|it| it.code == "mm_lost") {
                        assert_eq!(again.script.write(), bytes, "{}", text.text);
                        complete += 1;
                    }
                });
            }
        });
    }
    assert!(count > 100 && complete > 50, "{count} scripts, {complete} of them without a loss");
}
