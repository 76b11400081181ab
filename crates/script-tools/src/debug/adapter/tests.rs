//! Tests of the adapter with simulated editors.

use std::io::{BufReader, Cursor, PipeReader, PipeWriter, pipe};
use std::thread::JoinHandle;

use antiquary::Session;
use antiquary::redguard::map::Map;
use antiquary::redguard::map::assembled::AssembledSection;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Defaults, Shutdown, run};
use crate::debug::tests::{MAP, games};

/// A client and its adapter, which runs in a thread.
struct Editor {
    to: PipeWriter,
    from: BufReader<PipeReader>,
    server: JoinHandle<Shutdown>,
    seq: i64,
    /// Received events that have not been consumed.
    events: Vec<Value>,
    games: tempfile::TempDir,
}

impl Editor {
    fn start() -> Self {
        let (input, to) = pipe().unwrap();
        let (from, mut output) = pipe().unwrap();
        let server = std::thread::spawn(move || {
            run(&Session::default(), Defaults::default(), BufReader::new(input), &mut output).unwrap()
        });
        Self { to, from: BufReader::new(from), server, seq: 0, events: Vec::new(), games: games() }
    }

    /// An adapter with a launched session of the keeper, which is not running yet.
    fn launched(options: &Value) -> Self {
        let mut editor = Self::start();
        let response = editor.body_of("initialize", json!({ "adapterID": "soup", "linesStartAt1": true }));
        assert_eq!(response["supportsStepBack"], true);
        let host = editor.games.path().join("host.json");
        std::fs::write(&host, r#"{"default":0}"#).unwrap();
        let mut launch = json!({ "program": editor.games.path().join(MAP), "actor": "KEEPER", "host": host });
        launch.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        editor.body_of("launch", launch);
        editor.event("initialized");
        editor
    }

    fn send(&mut self, message: &Value) {
        crate::framing::write(&mut self.to, message).unwrap();
    }

    fn receive(&mut self) -> Value {
        match crate::framing::read(&mut self.from).unwrap() {
            Some(crate::framing::Frame::Content(content)) => serde_json::from_slice(&content).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Sends a request and returns the complete response.
    fn request(&mut self, command: &str, arguments: Value) -> Value {
        self.seq = self.seq.saturating_add(1);
        let mut message = json!({ "seq": self.seq, "type": "request", "command": command });
        message["arguments"] = arguments;
        self.send(&message);
        loop {
            let message = self.receive();
            if message["type"] == "response" {
                assert_eq!(
                    (&message["request_seq"], &message["command"]),
                    (&self.seq.into(), &command.into())
                );
                return message;
            }
            self.events.push(message);
        }
    }

    /// Sends a request and returns the body of its response.
    fn body_of(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], true, "{command}: {response}");
        response["body"].clone()
    }

    /// Sends a request that fails and returns the error message.
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], false, "{command}: {response}");
        response["message"].as_str().unwrap().to_owned()
    }

    /// The body of the next event of a kind.
    fn event(&mut self, kind: &str) -> Value {
        loop {
            let found = self.events.iter().position(|it| it["event"] == kind);
            match found {
                Some(at) => return self.events.remove(at)["body"].clone(),
                None => {
                    let message = self.receive();
                    self.events.push(message);
                }
            }
        }
    }

    /// Runs a motion and returns the stop: the reason, the line and the frame.
    fn go(&mut self, command: &str) -> (String, i64, String) {
        self.body_of(command, json!({ "threadId": 1 }));
        let stopped = self.event("stopped");
        let (line, name) = self.frame(0);
        (stopped["reason"].as_str().unwrap().to_owned(), line, name)
    }

    fn frame(&mut self, level: usize) -> (i64, String) {
        let frames = self.body_of("stackTrace", json!({ "threadId": 1 }));
        let frame = &frames["stackFrames"][level];
        (frame["line"].as_i64().unwrap(), frame["name"].as_str().unwrap().to_owned())
    }

    fn end(mut self) {
        self.body_of("disconnect", json!({}));
        assert_eq!(self.server.join().unwrap(), Shutdown::Clean);
    }
}

#[test]
fn steps_a_session_forward_and_back() {
    let mut editor = Editor::launched(&json!({ "stopOnEntry": true }));
    editor.body_of("setExceptionBreakpoints", json!({ "filters": ["fault"] }));
    editor.body_of("configurationDone", Value::Null);
    assert_eq!(editor.event("stopped")["reason"], "entry");
    assert_eq!(editor.body_of("threads", Value::Null), json!({ "threads": [{ "id": 1, "name": "KEEPER" }] }));
    let step = |line: i64, at: &str| ("step".to_owned(), line, format!("KEEPER: main {at}"));
    assert_eq!(editor.frame(0), (3, "KEEPER: main 0x0".to_owned()));
    assert_eq!(editor.go("next").1, 4);
    assert_eq!(editor.go("next").1, 5);
    let (_, line, at) = editor.go("stepIn");
    assert_eq!(line, 26);
    assert_eq!(editor.frame(1), (7, "KEEPER: return 0x29".to_owned()));
    assert_eq!(editor.go("stepBack").1, 5);
    assert_eq!(editor.go("next"), step(7, "0x29"));
    assert_eq!(editor.go("reverseContinue"), ("entry".to_owned(), 3, "KEEPER: main 0x0".to_owned()));
    for _ in 0..4 {
        editor.go("stepIn");
    }
    assert_eq!(editor.frame(0).1, at);
    editor.go("stepOut");
    assert_eq!(editor.go("restart").0, "entry");
    editor.end();
}

#[test]
fn stops_at_breakpoints_in_texts_and_files() {
    let mut editor = Editor::launched(&json!({}));
    let sources = editor.body_of("loadedSources", Value::Null);
    assert_eq!(sources["sources"][0], json!({ "name": "KEEPER.soup", "sourceReference": 1 }));
    let text =
        editor.body_of("source", json!({ "sourceReference": 1 }))["content"].as_str().unwrap().to_owned();
    assert!(text.starts_with("actor \"KEEPER\" #2\n\nif Asked_Once = 0"), "{text}");
    let lines = |lines: &[i64]| lines.iter().map(|it| json!({ "line": it })).collect::<Value>();
    let set = editor.body_of(
        "setBreakpoints",
        json!({ "source": { "sourceReference": 1 }, "breakpoints": lines(&[6, 99]) }),
    );
    assert_eq!(
        (&set["breakpoints"][0]["line"], &set["breakpoints"][0]["verified"]),
        (&7.into(), &true.into())
    );
    assert_eq!(set["breakpoints"][1]["verified"], false);
    // The same text with comments, and one line that differs from the map.
    let file = editor.games.path().join("002-KEEPER.soup");
    let own = text.replace("actor", "; mine\n\nactor").replace("    gosub", "    ; why\n    gosub");
    std::fs::write(&file, own.replace("Wait(20)", "Wait(21)")).unwrap();
    let source = json!({ "name": "002-KEEPER.soup", "path": file });
    let set =
        editor.body_of("setBreakpoints", json!({ "source": source, "breakpoints": lines(&[7, 15, 35]) }));
    let set = set["breakpoints"].as_array().unwrap();
    assert_eq!(set.iter().map(|it| it["line"].as_i64()).collect::<Vec<_>>(), [Some(8), Some(15), Some(36)]);
    editor.body_of("setBreakpoints", json!({ "source": source, "breakpoints": lines(&[8]) }));
    editor.body_of("configurationDone", Value::Null);
    let stopped = editor.event("stopped");
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&"breakpoint".into(), &1.into()));
    let frames = editor.body_of("stackTrace", json!({ "threadId": 1 }));
    assert_eq!(
        (&frames["stackFrames"][0]["line"], &frames["stackFrames"][0]["source"]),
        (&8.into(), &source)
    );
    editor.body_of("setBreakpoints", json!({ "source": { "sourceReference": 1 }, "breakpoints": [] }));
    let missing = editor.games.path().join("missing.soup");
    let set = editor
        .body_of("setBreakpoints", json!({ "source": { "path": missing }, "breakpoints": lines(&[1]) }));
    assert_eq!(set["breakpoints"][0]["verified"], false);
    editor.end();
}

#[test]
fn stops_at_calls_flags_and_dialogue() {
    let mut editor = Editor::launched(&json!({ "updates": 50 }));
    editor.body_of("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "MoveToLocation" }] }));
    editor.body_of("setExceptionBreakpoints", json!({ "filters": ["flag", "dialogue"] }));
    editor.body_of("configurationDone", Value::Null);
    let stopped = editor.event("stopped");
    assert_eq!(
        (&stopped["reason"], &stopped["text"]),
        (&"data breakpoint".into(), &"Asked_Once = 1, latched".into())
    );
    assert_eq!(editor.go("continue").0, "exception");
    assert_eq!(editor.go("continue").0, "function breakpoint");
    assert_eq!(editor.go("reverseContinue").0, "exception");
    editor.body_of("setFunctionBreakpoints", json!({}));
    editor.body_of("setExceptionBreakpoints", json!({ "filters": [] }));
    assert_eq!(editor.go("continue").0, "pause");
    let shown: String = editor
        .events
        .iter()
        .filter(|it| it["event"] == "output")
        .map(|it| it["body"]["output"].as_str().unwrap())
        .collect();
    assert!(shown.contains("     1  KEEPER    SetGlobalFlag(#Asked_Once) = 0\n"), "{shown}");
    editor.end();
}

#[test]
fn shows_and_sets_values() {
    let mut editor = Editor::launched(&json!({ "stopOnEntry": true, "flags": { "Asked_Once": 1 } }));
    editor.body_of("configurationDone", Value::Null);
    editor.event("stopped");
    let frames = editor.body_of("stackTrace", json!({ "threadId": 1, "levels": 1 }));
    let frame = frames["stackFrames"][0]["id"].clone();
    let scopes = editor.body_of("scopes", json!({ "frameId": frame }));
    let names: Vec<_> = scopes["scopes"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["Locals", "Cursors", "Flags"]);
    let locals = scopes["scopes"][0]["variablesReference"].clone();
    let shown = editor.body_of("variables", json!({ "variablesReference": locals }));
    assert_eq!(
        (&shown["variables"][0]["name"], &shown["variables"][0]["value"]),
        (&"var0".into(), &"3".into())
    );
    let set = json!({ "variablesReference": locals, "name": "var0", "value": "0x10" });
    assert_eq!(editor.body_of("setVariable", set)["value"], "16");
    let arguments =
        |expression: &str| json!({ "expression": expression, "frameId": frame, "context": "repl" });
    assert_eq!(editor.body_of("evaluate", arguments("var0"))["result"], "16");
    assert_eq!(editor.body_of("evaluate", arguments("Asked_Once"))["result"], "1");
    assert_eq!(editor.body_of("evaluate", arguments("asked_once = 0"))["result"], "0");
    let why = editor.refused("evaluate", arguments("Asked_Onse"));
    assert!(why.contains("did you mean \"Asked_Once\"?"), "{why}");
    assert!(editor.refused("evaluate", arguments(&"x".repeat(1000))).contains("too long"));
    editor.end();
}

#[test]
fn a_running_session_responds_and_pauses() {
    let mut editor = Editor::launched(&json!({ "updates": u32::MAX }));
    editor.body_of("configurationDone", Value::Null);
    editor.body_of("threads", Value::Null);
    assert!(editor.refused("next", json!({ "threadId": 1 })).contains("is running"));
    editor.body_of("pause", json!({ "threadId": 1 }));
    assert_eq!(editor.event("stopped")["reason"], "pause");
    assert!(editor.refused("pause", json!({ "threadId": 1 })).contains("already paused"));
    editor.body_of("terminate", Value::Null);
    editor.event("terminated");
    assert!(editor.refused("threads", Value::Null).contains("launch first"));
    editor.end();
}

#[test]
fn refuses_invalid_requests_with_a_reason() {
    let mut editor = Editor::start();
    assert!(editor.refused("threads", Value::Null).contains("launch first"));
    assert!(editor.refused("attach", Value::Null).contains("expected launch"));
    assert!(editor.refused("launch", Value::Null).contains("expected a map"));
    assert!(editor.refused("launch", json!({ "program": "missing.RGM" })).contains("missing.RGM"));
    assert!(editor.refused("launch", json!({ "program": 5 })).contains("invalid type"));
    assert!(editor.refused("fly", Value::Null).contains("unknown request"));
    let mut editor = Editor::launched(&json!({}));
    assert!(editor.refused("launch", Value::Null).contains("already"));
    let filters = json!({ "filters": ["dialog"] });
    assert!(editor.refused("setExceptionBreakpoints", filters).contains("did you mean \"dialogue\"?"));
    let many = json!({ "breakpoints": vec![json!({ "name": "x" }); 5000] });
    assert!(editor.refused("setFunctionBreakpoints", many).contains("too many"));
    for id in [i64::MIN, -1, 0, 99, i64::MAX] {
        for (command, key) in [
            ("stackTrace", "threadId"),
            ("next", "threadId"),
            ("scopes", "frameId"),
            ("variables", "variablesReference"),
            ("source", "sourceReference"),
        ] {
            assert!(editor.refused(command, json!({ key: id })).contains("no such"), "{command} {id}");
        }
    }
    editor.end();
}

/// Runs the adapter on these bytes and returns its messages.
fn exchange(bytes: Vec<u8>) -> (Shutdown, Vec<Value>) {
    let mut out = Vec::new();
    let ended = run(&Session::default(), Defaults::default(), Cursor::new(bytes), &mut out).unwrap();
    let (mut sent, mut from) = (Vec::new(), out.as_slice());
    while let Some(crate::framing::Frame::Content(content)) = crate::framing::read(&mut from).unwrap() {
        sent.push(serde_json::from_slice(&content).unwrap());
    }
    (ended, sent)
}

/// Deactivates all objects of a map.
fn without_active_objects(bytes: &[u8]) -> Vec<u8> {
    let mut map = Map::read(bytes).unwrap().assemble();
    for section in &mut map.sections {
        if let AssembledSection::Placements(it) = section {
            it.records.iter_mut().for_each(|it| it.is_active = 0);
        }
    }
    map.split().unwrap().write().unwrap()
}

#[test]
fn breakpoints_have_conditions_and_hit_counts() {
    let mut editor = Editor::launched(&json!({ "updates": 400 }));
    let source = json!({ "sourceReference": 1 });
    let set = |editor: &mut Editor, condition: &str, hits: &str| {
        let breakpoint = json!({ "line": 8, "condition": condition, "hitCondition": hits });
        let response =
            editor.body_of("setBreakpoints", json!({ "source": source, "breakpoints": [breakpoint] }));
        response["breakpoints"][0].clone()
    };
    let var0 = |editor: &mut Editor| {
        let frame = editor.body_of("stackTrace", json!({ "threadId": 1 }))["stackFrames"][0]["id"].clone();
        editor.body_of("evaluate", json!({ "expression": "var0", "frameId": frame }))["result"].clone()
    };
    let refused = set(&mut editor, "varr0 = 1", "");
    assert_eq!(refused["verified"], false);
    assert!(refused["message"].as_str().unwrap().starts_with("condition \"varr0 = 1\": "), "{refused}");
    assert!(set(&mut editor, "", "often")["message"].as_str().unwrap().contains("is not a hit count"));
    assert_eq!(set(&mut editor, "var0 = 2", " ")["verified"], true);
    let (reason, ..) = editor.go("configurationDone");
    assert_eq!((reason.as_str(), var0(&mut editor)), ("breakpoint", "2".into()));
    assert_eq!(set(&mut editor, "var0 < 4", "2")["verified"], true);
    editor.go("continue");
    assert_eq!(var0(&mut editor), "1");
    let function = json!({ "name": "MoveToLocation", "condition": "var0 = 2" });
    set(&mut editor, "var0 = 99", "");
    let response = editor.body_of("setFunctionBreakpoints", json!({ "breakpoints": [function] }));
    assert_eq!(response["breakpoints"][0]["verified"], true);
    let (reason, ..) = editor.go("continue");
    assert_eq!((reason.as_str(), var0(&mut editor)), ("function breakpoint", "2".into()));
}

#[test]
fn a_launch_can_update_actors_everywhere() {
    for everywhere in [false, true] {
        let mut editor = Editor::start();
        editor.body_of("initialize", Value::Null);
        let player = editor.games.path().join("player.json");
        std::fs::write(&player, r#"{"start":{"position":[1000,0,1000]},"do":[{"wait":100}]}"#).unwrap();
        let program = editor.games.path().join(MAP);
        std::fs::write(&program, without_active_objects(&std::fs::read(&program).unwrap())).unwrap();
        let launch = json!({ "program": program, "player": player, "everywhere": everywhere, "updates": 5 });
        editor.body_of("launch", launch);
        editor.body_of("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "MoveToLocation" }] }));
        editor.body_of("configurationDone", Value::Null);
        let reason = editor.event("stopped")["reason"].clone();
        assert_eq!(reason, if everywhere { "function breakpoint" } else { "pause" });
    }
}

#[test]
fn a_launch_can_load_a_saved_game() {
    let mut editor = Editor::start();
    editor.body_of("initialize", Value::Null);
    let program = editor.games.path().join(MAP);
    let launch = |save: &str| json!({ "program": program, "save": save });
    assert!(editor.refused("launch", launch("missing.SAV")).contains("missing.SAV"));
    let why = editor.refused("launch", launch(program.to_str().unwrap()));
    assert!(why.contains("save"), "{why}");
    let save = editor.games.path().join("redguard/SAVEGAME/SAVEGAME.000/SAVEGAME.SAV");
    editor.body_of("launch", launch(save.to_str().unwrap()));
    editor.end();
}

#[test]
fn responds_to_malformed_requests_with_an_error() {
    for body in ["", "{", "[]", "5", r#"{"seq":1}"#, r#"{"seq":"x","type":"request","command":"a"}"#] {
        let (ended, sent) = exchange(format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes());
        assert!(matches!(ended, Shutdown::Aborted(_)) && sent.len() == 1, "{body}: {ended:?}");
        assert_eq!((&sent[0]["success"], &sent[0]["type"]), (&false.into(), &"response".into()), "{body}");
    }
    let (_, sent) = exchange(b"garbage\n".to_vec());
    assert_eq!(sent[0]["message"], "the header line has no colon");
}

proptest! {
    #[test]
    fn terminates_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (ended, _) = exchange(bytes);
        prop_assert!(matches!(ended, Shutdown::Aborted(_)));
    }

    #[test]
    fn responds_to_any_arguments(
        command in prop::sample::select(vec![
            "initialize", "launch", "setBreakpoints", "setFunctionBreakpoints", "stackTrace", "scopes", "variables",
            "setVariable", "evaluate", "source", "continue", "stepBack", "pause", "configurationDone",
        ]),
        key in prop::sample::select(vec![
            "program", "actor", "source", "breakpoints", "threadId", "frameId", "variablesReference", "expression",
        ]),
        value in prop::sample::select(vec![
            json!(null), json!(-1), json!(1.5), json!("x"), json!([]), json!([1]), json!({}), json!({ "path": 1 }),
        ]),
    ) {
        let mut bytes = Vec::new();
        let message = json!({ "seq": 7, "type": "request", "command": command, "arguments": { key: value } });
        crate::framing::write(&mut bytes, &message).unwrap();
        let (_, sent) = exchange(bytes);
        let responses: Vec<_> = sent.iter().filter(|it| it["type"] == "response").collect();
        prop_assert_eq!(responses.len(), 1);
        prop_assert_eq!(&responses[0]["request_seq"], &json!(7));
        prop_assert!(!responses[0].to_string().contains("internal error"));
    }
}
