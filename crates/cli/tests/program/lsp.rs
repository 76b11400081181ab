//! `script lsp`: a client talks with the language server as an editor does.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use antiquary::json::{Value, json};

use crate::setup::Place;

/// An editor, and the server that it started.
struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: i32,
    /// What the server said by itself.
    told: Vec<Value>,
}

impl Client {
    fn start(place: &Place, arguments: &[&str]) -> Self {
        let mut command = place.command(&[&["script", "lsp"], arguments].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, to, from, id: 0, told: Vec::new() }
    }

    /// A server that was initialized, with what the client can do.
    fn initialized(place: &Place, arguments: &[&str], capabilities: &Value, options: &Value) -> Self {
        let mut client = Self::start(place, arguments);
        let answer = client.ask(
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options }),
        );
        assert_eq!(answer["serverInfo"]["name"], "antiquary", "{answer}");
        client.tell("initialized", json!({}));
        client
    }

    fn write(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).unwrap();
        self.to.flush().unwrap();
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn tell(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        message["params"] = params;
        self.send(&message);
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "the server ended");
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).unwrap();
        antiquary::json::from_slice(&body).unwrap()
    }

    /// The whole answer to a request.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.id = self.id.wrapping_add(1);
        let mut message = json!({ "jsonrpc": "2.0", "id": self.id, "method": method });
        message["params"] = params;
        self.send(&message);
        loop {
            let message = self.receive();
            if message["id"] == self.id {
                return message;
            }
            self.told.push(message);
        }
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn open(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "soup", "version": 1, "text": text } }),
        );
    }

    /// The problems that are published next.
    fn problems(&mut self) -> Value {
        loop {
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                return message["params"].clone();
            }
            self.told.push(message);
        }
    }

    /// What the server wants its user to know.
    fn messages(&self) -> Vec<&str> {
        let of = |it: &&Value| it["method"] == "window/showMessage";
        self.told.iter().filter(of).map(|it| it["params"]["message"].as_str().unwrap()).collect()
    }

    fn end(mut self, code: i32) {
        self.tell("exit", Value::Null);
        assert_eq!(self.child.wait().unwrap().code(), Some(code));
    }

    fn shut_down(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.end(0);
    }
}

fn uri_of(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let path = path.display().to_string().replace('\\', "/").replace("//?/", "");
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
}

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

/// The line and the column of the first place where a text has a part, and so many characters behind it.
fn find(text: &str, part: &str, behind: u32) -> (u32, u32) {
    let (line, found) = text.lines().enumerate().find(|(_, line)| line.contains(part)).expect(part);
    (u32::try_from(line).unwrap(), u32::try_from(found.find(part).unwrap()).unwrap().saturating_add(behind))
}

#[test]
fn problems_are_published_with_their_places_and_follow_the_edits() {
    let place = Place::new();
    let mut client = Client::initialized(&place, &[], &json!({}), &Value::Null);
    // Columns count halves of surrogate pairs when the client says nothing.
    client.open("untitled:a", "\"ä𝄞\".Waitt(3)\nif var0 = 1 {\n");
    let found = client.problems();
    assert_eq!((&found["uri"], &found["version"]), (&"untitled:a".into(), &1.into()));
    let expected = json!([
        { "range": range(0, 6, 11), "severity": 1, "code": "syntax", "source": "antiquary", "message": "unknown function Waitt; did you mean Wait?" },
        { "range": range(1, 0, 2), "severity": 1, "code": "syntax", "source": "antiquary", "message": "the block has no end; add a line with }" },
    ]);
    assert_eq!(found["diagnostics"], expected);
    let change = |version: i32, range: Value, text: &str| json!({ "textDocument": { "uri": "untitled:a", "version": version }, "contentChanges": [{ "range": range, "text": text }] });
    client.tell("textDocument/didChange", change(2, range(0, 10, 11), ""));
    client.tell("textDocument/didChange", change(3, range(2, 0, 0), "}\nWait(1, 2)\n"));
    let mut found = client.problems();
    while found["version"] != 3 {
        found = client.problems();
    }
    let found = found["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["range"], &found[0]["code"]), (&range(3, 0, 10), &"wrong_parameter_count".into()));
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": "untitled:a" } }));
    assert_eq!(client.problems()["diagnostics"], json!([]));
    assert!(client.messages()[0].contains("only the names of the shipped game"), "{:?}", client.messages());
    client.shut_down();
}

#[test]
fn columns_count_bytes_for_clients_that_can() {
    let place = Place::new();
    let capabilities = json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } });
    let mut client = Client::start(&place, &[]);
    let answer =
        client.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    client.open("untitled:a", "\"ä𝄞\".Waitt(3)\n");
    assert_eq!(client.problems()["diagnostics"][0]["range"], range(0, 9, 14));
    client.shut_down();
}

#[test]
fn the_text_of_an_unpacked_map_knows_its_map_and_the_whole_game() {
    let place = Place::with_games();
    place.run(&["unpack", "redguard/maps/ISLAND.RGM", "-o", "u"]).ended(0);
    let file = place.path("u/views/scripts/002-KEEPER.soup");
    let (uri, text) = (uri_of(&file), std::fs::read_to_string(&file).unwrap());
    let game = place.path("redguard").display().to_string();
    let snippets =
        json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
    let mut client = Client::initialized(&place, &[], &snippets, &json!({ "game": game }));
    client.open(&uri, &text);
    assert_eq!(client.problems()["diagnostics"], json!([]));
    // What is spoken.
    let (line, column) = find(&text, "'tide'", 2);
    let hover = client.ask("textDocument/hover", at(&uri, line, column));
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("\"Mind the tide."), "{hover}");
    assert_eq!(hover["range"], range(line, column - 1, column + 3));
    let (line, column) = find(&text, "RTX(", 4);
    let help = client.ask("textDocument/signatureHelp", at(&uri, line, column));
    assert_eq!(help["signatures"][0]["label"], "task RTX(dialogue label)");
    // A function is declared in the game's own file, and called in other scripts too.
    let (line, column) = find(&text, "Wait(20)", 1);
    let declared = client.ask("textDocument/definition", at(&uri, line, column));
    let uri_of_names = declared["uri"].as_str().unwrap();
    assert!(uri_of_names.to_lowercase().ends_with("soup386.def"), "{declared}");
    let mut params = at(&uri, line, column);
    params["context"] = json!({ "includeDeclaration": true });
    let found = client.ask("textDocument/references", params);
    let found: Vec<&str> = found.as_array().unwrap().iter().map(|it| it["uri"].as_str().unwrap()).collect();
    assert!(found.contains(&uri.as_str()) && found.contains(&uri_of_names), "{found:?}");
    // The text at hand stands for the script in the map.
    assert!(!found.iter().any(|it| it.contains("ISLAND.RGM") && it.contains("KEEPER")), "{found:?}");
    // What is typed next.
    let end = u32::try_from(text.lines().count()).unwrap();
    let added = json!({ "range": range(end, 0, 0), "text": "RTX('\nWa\ngoto " });
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [added] }),
    );
    let labels = client.ask("textDocument/completion", at(&uri, end, 5));
    let tide =
        labels["items"].as_array().unwrap().iter().find(|it| it["label"] == "tide'").expect("the line");
    assert_eq!(tide["textEdit"], json!({ "range": range(end, 5, 5), "newText": "tide'" }));
    let words = client.ask("textDocument/completion", at(&uri, end + 1, 2));
    let wait =
        words["items"].as_array().unwrap().iter().find(|it| it["label"] == "Wait").expect("a function");
    assert_eq!(wait["textEdit"], json!({ "range": range(end + 1, 0, 2), "newText": "Wait($0)" }));
    client.shut_down();
}

#[test]
fn a_map_of_the_game_is_found_by_the_folder_of_a_text() {
    let place = Place::with_games();
    place.run(&["script", "disasm", "redguard/maps/ISLAND.RGM", "-o", "redguard/island/"]).ended(0);
    let file = place.path("redguard/island/KEEPER.soup");
    let (uri, text) = (uri_of(&file), std::fs::read_to_string(&file).unwrap());
    let text = format!("{text}\n\"KEEPER\".Wait(1)\n\"KEEPR\".Wait(1)\n");
    let mut client = Client::initialized(&place, &[], &json!({}), &Value::Null);
    client.open(&uri, &text);
    let found = client.problems();
    let codes: Vec<_> =
        found["diagnostics"].as_array().unwrap().iter().map(|it| it["code"].clone()).collect();
    assert!(codes.contains(&"new_text".into()), "{found}");
    // An object of the map leads to its script: the text beside this one, or the script in the map.
    let (line, column) = find(&text, "\"KEEPER\".Wait(1)", 2);
    let hover = client.ask("textDocument/hover", at(&uri, line, column));
    assert!(
        hover["contents"]["value"].as_str().unwrap().contains("The map has an object of this name"),
        "{hover}"
    );
    let script = client.ask("textDocument/definition", at(&uri, line, column));
    assert_eq!(script, json!({ "uri": uri, "range": range(0, 0, 0) }));
    client.shut_down();
}

#[test]
fn labels_are_followed_and_renamed_and_texts_are_laid_out() {
    let place = Place::new();
    let mut client = Client::initialized(&place, &[], &json!({}), &Value::Null);
    let uri = "file:///nowhere/A.soup";
    client.open(uri, "actor \"A\"\ntop:\nWait( 1 )\nif var0=1 {\nvar0 = 2\n}\ngoto top\nWait(2)\n");
    client.problems();
    let label = client.ask("textDocument/definition", at(uri, 6, 6));
    assert_eq!(label, json!({ "uri": uri, "range": range(1, 0, 3) }));
    let mut params = at(uri, 1, 0);
    params["context"] = json!({ "includeDeclaration": false });
    let found = client.ask("textDocument/references", params);
    assert_eq!(found, json!([{ "uri": uri, "range": range(6, 5, 8) }]));
    let highlights = client.ask("textDocument/documentHighlight", at(uri, 3, 3));
    assert_eq!(
        highlights,
        json!([{ "range": range(3, 3, 7), "kind": 2 }, { "range": range(4, 0, 4), "kind": 3 }])
    );
    let prepared = client.ask("textDocument/prepareRename", at(uri, 6, 5));
    assert_eq!(prepared, json!({ "range": range(6, 5, 8), "placeholder": "top" }));
    let mut params = at(uri, 6, 5);
    params["newName"] = "again".into();
    let edit = client.ask("textDocument/rename", params);
    let edits = json!([{ "range": range(1, 0, 3), "newText": "again" }, { "range": range(6, 5, 8), "newText": "again" }]);
    assert_eq!(edit["changes"][uri], edits);
    let refused = client.request("textDocument/prepareRename", at(uri, 2, 1));
    assert_eq!(refused["error"]["message"], "Wait is named by the game, which looks it up in SOUP386.DEF");
    let given = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", given);
    let expected = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 5, "character": 0 } });
    assert_eq!((edits.as_array().unwrap().len(), &edits[0]["range"]), (1, &expected), "{edits}");
    assert_eq!(edits[0]["newText"], "\ntop:\nWait(1)\nif var0 = 1 {\n    var0 = 2\n");
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!((&symbols[0]["name"], &symbols[0]["selectionRange"]), (&"top".into(), &range(1, 0, 3)));
    let folds = client.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(folds, json!([{ "startLine": 1, "endLine": 7 }, { "startLine": 3, "endLine": 4 }]));
    let tokens = client.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(
        tokens["data"].as_array().unwrap()[..10],
        json!([0, 0, 5, 0, 0, 0, 7, 1, 5, 1]).as_array().unwrap()[..]
    );
    // A flag is renamed in the texts; the user is told what is left to do.
    client.open("untitled:b", "After_League = 1\n");
    let mut params = at("untitled:b", 0, 3);
    params["newName"] = "Later".into();
    let edit = client.ask("textDocument/rename", params);
    assert_eq!(edit["changes"]["untitled:b"], json!([{ "range": range(0, 0, 12), "newText": "Later" }]));
    client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let told = client.messages().join("\n");
    assert!(told.contains("After_League is now Later") && told.contains("of SOUP386.DEF too"), "{told}");
    client.shut_down();
}

#[test]
fn what_is_canceled_unknown_or_garbage_is_refused_and_the_exchange_goes_on() {
    let place = Place::new();
    let mut client = Client::start(&place, &[]);
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    assert_eq!(code(&client.request("textDocument/hover", json!({}))), Some(-32002));
    client.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    assert_eq!(code(&client.request("initialize", json!({ "capabilities": {} }))), Some(-32600));
    assert_eq!(code(&client.request("textDocument/unknown", json!({}))), Some(-32601));
    assert_eq!(code(&client.request("textDocument/hover", json!({ "x": 1 }))), Some(-32602));
    assert_eq!(code(&client.request("textDocument/hover", at("untitled:none", 0, 0))), Some(-32602));
    client.tell("textDocument/didOpen", json!([1]));
    client.tell("$/unknown", json!({}));
    client.write(b"Content-Length: 9\r\n\r\n{\"jsonrpc");
    assert_eq!(code(&client.receive()), Some(-32700));
    client.write(b"Content-Length: 2\r\n\r\n[]");
    assert_eq!(code(&client.receive()), Some(-32600));
    // Asked for and taken back at once.
    let ask = json!({ "jsonrpc": "2.0", "id": "x", "method": "textDocument/hover", "params": at("untitled:none", 0, 0) });
    let cancel = json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": "x" } });
    let both: String = [ask, cancel]
        .iter()
        .map(|it| it.to_string())
        .map(|it| format!("Content-Length: {}\r\n\r\n{it}", it.len()))
        .collect();
    client.write(both.as_bytes());
    assert!(matches!(code(&client.receive()), Some(-32800 | -32602)));
    // Positions that are nowhere.
    client.open("untitled:a", "Wait(1)\n");
    client.problems();
    assert_eq!(client.ask("textDocument/hover", at("untitled:a", 4_000_000_000, 4_000_000_000)), Value::Null);
    assert_eq!(client.ask("shutdown", Value::Null), Value::Null);
    assert_eq!(code(&client.request("textDocument/hover", at("untitled:a", 0, 0))), Some(-32600));
    client.end(0);
}

#[test]
fn a_client_that_does_not_say_shutdown_gets_exit_code_1() {
    let place = Place::new();
    Client::initialized(&place, &["--stdio"], &json!({}), &Value::Null).end(1);
    let ran = place.feed(b"garbage\n", &["script", "lsp"]).ended(1);
    assert!(ran.text().contains("-32700"), "{ran:?}");
    assert!(ran.err.contains("a header without a colon"), "{ran:?}");
    for arguments in [&["script", "lsp"][..], &["script", "debug", "--dap"]] {
        let ran = place.feed(b"", arguments).ended(1);
        assert!(ran.err.starts_with("error: the input ended"), "{ran:?}");
    }
}
