use asset::{FixedText, Install, Options};

use super::super::ScriptTextOptions;
use super::*;
use redguard_world::map::assembled::{AssembledMap, AssembledObject};

fn with_editor<T>(run: impl FnOnce(&ScriptEditor) -> T) -> T {
    let object = |name: &str, script: &[u8]| {
        let mut bytes = [0; 9];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        AssembledObject {
            script: Some(script.to_vec().into()),
            texts: Some(vec!["second".to_owned()]),
            ..AssembledObject::new(FixedText(bytes))
        }
    };
    let objects = vec![object("FIRST", &[0x18]), object("SECOND", &[0x12]), object("THIRD", &[])];
    let map = AssembledMap::new(objects).split().unwrap();
    let (install, options) = (Install::empty(), Options::defaults(ScriptTextOptions::DECLARED));
    let context = Context { install: &install, location: None, options: &options };
    let context = ScriptContext { context, file_name: "MAP.RGM", definitions: None };
    run(&ScriptEditor::open(Some(&map), &context, None).unwrap())
}

#[test]
fn finds_the_owner_of_a_text_by_its_header_or_its_file_name() {
    let owner = |stem: &str, text: &str| with_editor(|it| it.owner(&EditedText { stem, text }));
    assert_eq!(owner("x", "; \nactor \"SECOND\" #1\n"), Some(1));
    assert_eq!(owner("FIRST", "actor \"SECOND\" #0\n"), Some(1));
    assert_eq!(owner("first", "end\n"), Some(0));
    assert_eq!(owner("001-SECOND", "end\n"), Some(1));
    assert_eq!(owner("001-FIRST", "end\n"), None);
    assert_eq!(owner("FIRST", "actor \"UNKNOWN\"\n"), None);
}

#[test]
fn finds_declarations_of_objects_and_flags() {
    with_editor(|it| {
        let scripts: Vec<_> = it.scripts().into_iter().map(|it| it.name).collect();
        assert_eq!(scripts, ["FIRST", "SECOND"]);
        assert_eq!(it.script(1).as_deref(), Some("actor \"SECOND\" #1\n\nreturn\n"));
        let second = EditedScript { number: 1, name: "SECOND".to_owned() };
        assert_eq!(it.declaration(NameKind::Text, "second"), Some(Declaration::Script(second)));
        let Some(Declaration::File { path, name, text, span }) = it.declaration(NameKind::Flag, "Talking")
        else {
            panic!("the flag is not in the shipped definitions")
        };
        assert_eq!((path, name.as_str()), (None, "SOUP386.DEF"));
        let line = text.lines().nth(span.line).unwrap();
        assert_eq!(line.get(span.start..span.end), Some("Talking"));
        assert_eq!(it.declaration(NameKind::Item, "Sabre"), None);
    });
}
