//! `script lsp`: a client communicates with the language server as an editor does.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use antiquary::json::{Value, json};

use crate::setup::Sandbox;

/// An editor and the server it started.
struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: i32,
    /// Notifications and requests from the server.
    received: Vec<Value>,
}

impl Client {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.command(&[&["script", "lsp"], arguments].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, to, from, id: 0, received: Vec::new() }
    }

    /// Starts and initializes a server with the capabilities of the client.
    fn initialized(sandbox: &Sandbox, arguments: &[&str], capabilities: &Value, options: &Value) -> Self {
        let mut client = Self::start(sandbox, arguments);
        let answer = client.result_of(
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options }),
        );
        assert_eq!(answer["serverInfo"]["name"], "antiquary", "{answer}");
        client.notify("initialized", json!({}));
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

    fn notify(&mut self, method: &str, params: Value) {
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

    /// Sends a request and returns the complete response.
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
            self.received.push(message);
        }
    }

    /// Sends a request and returns its result.
    fn result_of(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn open(&mut self, uri: &str, text: &str) {
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "soup", "version": 1, "text": text } }),
        );
    }

    /// Waits for the next published problems.
    fn problems(&mut self) -> Value {
        loop {
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                return message["params"].clone();
            }
            self.received.push(message);
        }
    }

    /// Messages from the server to the user.
    fn messages(&self) -> Vec<&str> {
        let of = |it: &&Value| it["method"] == "window/showMessage";
        self.received.iter().filter(of).map(|it| it["params"]["message"].as_str().unwrap()).collect()
    }

    fn end(mut self, code: i32) {
        self.notify("exit", Value::Null);
        assert_eq!(self.child.wait().unwrap().code(), Some(code));
    }

    fn shut_down(mut self) {
        assert_eq!(self.result_of("shutdown", Value::Null), Value::Null);
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

/// The line and column of the first occurrence of `part` in a text, plus `behind` columns.
fn find(text: &str, part: &str, behind: u32) -> (u32, u32) {
    let (line, found) = text.lines().enumerate().find(|(_, line)| line.contains(part)).expect(part);
    (u32::try_from(line).unwrap(), u32::try_from(found.find(part).unwrap()).unwrap().saturating_add(behind))
}

#[test]
fn publishes_problems_and_updates_them_after_edits() {
    let sandbox = Sandbox::new();
    let mut client = Client::initialized(&sandbox, &[], &json!({}), &Value::Null);
    // Columns count UTF-16 code units unless the client requests otherwise.
    client.open("untitled:a", "\"ä𝄞\".Waitt(3)\nif var0 = 1 {\n");
    let found = client.problems();
    assert_eq!((&found["uri"], &found["version"]), (&"untitled:a".into(), &1.into()));
    let expected = json!([
        { "range": range(0, 6, 11), "severity": 1, "code": "syntax", "source": "antiquary", "message": "unknown function Waitt; did you mean Wait?" },
        { "range": range(1, 0, 2), "severity": 1, "code": "syntax", "source": "antiquary", "message": "unclosed block; add a line with }" },
    ]);
    assert_eq!(found["diagnostics"], expected);
    let change = |version: i32, range: Value, text: &str| json!({ "textDocument": { "uri": "untitled:a", "version": version }, "contentChanges": [{ "range": range, "text": text }] });
    client.notify("textDocument/didChange", change(2, range(0, 10, 11), ""));
    client.notify("textDocument/didChange", change(3, range(2, 0, 0), "}\nWait(1, 2)\n"));
    let mut found = client.problems();
    while found["version"] != 3 {
        found = client.problems();
    }
    let found = found["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["range"], &found[0]["code"]), (&range(3, 0, 10), &"wrong_parameter_count".into()));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": "untitled:a" } }));
    assert_eq!(client.problems()["diagnostics"], json!([]));
    assert!(client.messages()[0].contains("only the names of the original game"), "{:?}", client.messages());
    client.shut_down();
}

#[test]
fn columns_count_bytes_if_the_client_supports_utf_8() {
    let sandbox = Sandbox::new();
    let capabilities = json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } });
    let mut client = Client::start(&sandbox, &[]);
    let answer = client
        .result_of("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    client.open("untitled:a", "\"ä𝄞\".Waitt(3)\n");
    assert_eq!(client.problems()["diagnostics"][0]["range"], range(0, 9, 14));
    client.shut_down();
}

#[test]
fn a_text_of_an_unpacked_map_uses_its_map_and_the_game() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["unpack", "redguard/maps/ISLAND.RGM", "-o", "u"]).exits_with(0);
    let file = sandbox.path("u/views/scripts/002-KEEPER.soup");
    let (uri, text) = (uri_of(&file), std::fs::read_to_string(&file).unwrap());
    let game = sandbox.path("redguard").display().to_string();
    let snippets =
        json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
    let mut client = Client::initialized(&sandbox, &[], &snippets, &json!({ "game": game }));
    client.open(&uri, &text);
    assert_eq!(client.problems()["diagnostics"], json!([]));
    // A line of dialogue.
    let (line, column) = find(&text, "'tide'", 2);
    let hover = client.result_of("textDocument/hover", at(&uri, line, column));
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("\"Mind the tide."), "{hover}");
    assert_eq!(hover["range"], range(line, column - 1, column + 3));
    let (line, column) = find(&text, "RTX(", 4);
    let help = client.result_of("textDocument/signatureHelp", at(&uri, line, column));
    assert_eq!(help["signatures"][0]["label"], "task RTX(dialogue label)");
    // A function is declared in the game's own file, and also called in other scripts.
    let (line, column) = find(&text, "Wait(20)", 1);
    let declared = client.result_of("textDocument/definition", at(&uri, line, column));
    let uri_of_names = declared["uri"].as_str().unwrap();
    assert!(uri_of_names.to_lowercase().ends_with("soup386.def"), "{declared}");
    let mut params = at(&uri, line, column);
    params["context"] = json!({ "includeDeclaration": true });
    let found = client.result_of("textDocument/references", params);
    let found: Vec<&str> = found.as_array().unwrap().iter().map(|it| it["uri"].as_str().unwrap()).collect();
    assert!(found.contains(&uri.as_str()) && found.contains(&uri_of_names), "{found:?}");
    // The open text replaces the script in the map.
    assert!(!found.iter().any(|it| it.contains("ISLAND.RGM") && it.contains("KEEPER")), "{found:?}");
    // Completion of new text.
    let end = u32::try_from(text.lines().count()).unwrap();
    let added = json!({ "range": range(end, 0, 0), "text": "RTX('\nWa\ngoto " });
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [added] }),
    );
    let labels = client.result_of("textDocument/completion", at(&uri, end, 5));
    let tide =
        labels["items"].as_array().unwrap().iter().find(|it| it["label"] == "tide'").expect("the line");
    assert_eq!(tide["textEdit"], json!({ "range": range(end, 5, 5), "newText": "tide'" }));
    let words = client.result_of("textDocument/completion", at(&uri, end + 1, 2));
    let wait =
        words["items"].as_array().unwrap().iter().find(|it| it["label"] == "Wait").expect("a function");
    assert_eq!(wait["textEdit"], json!({ "range": range(end + 1, 0, 2), "newText": "Wait($0)" }));
    client.shut_down();
}

#[test]
fn finds_the_map_of_a_text_by_its_folder() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["script", "disasm", "redguard/maps/ISLAND.RGM", "-o", "redguard/island/"]).exits_with(0);
    let file = sandbox.path("redguard/island/KEEPER.soup");
    let (uri, text) = (uri_of(&file), std::fs::read_to_string(&file).unwrap());
    let text = format!("{text}\n\"KEEPER\".Wait(1)\n\"KEEPR\".Wait(1)\n");
    let mut client = Client::initialized(&sandbox, &[], &json!({}), &Value::Null);
    client.open(&uri, &text);
    let found = client.problems();
    let codes: Vec<_> =
        found["diagnostics"].as_array().unwrap().iter().map(|it| it["code"].clone()).collect();
    assert!(codes.contains(&"new_text".into()), "{found}");
    // An object of the map leads to its script: the text next to this one, or the script in the map.
    let (line, column) = find(&text, "\"KEEPER\".Wait(1)", 2);
    let hover = client.result_of("textDocument/hover", at(&uri, line, column));
    assert!(
        hover["contents"]["value"].as_str().unwrap().contains("The map has an object with this name"),
        "{hover}"
    );
    let script = client.result_of("textDocument/definition", at(&uri, line, column));
    assert_eq!(script, json!({ "uri": uri, "range": range(0, 0, 0) }));
    client.shut_down();
}

#[test]
fn finds_and_renames_labels_and_formats_texts() {
    let sandbox = Sandbox::new();
    let mut client = Client::initialized(&sandbox, &[], &json!({}), &Value::Null);
    let uri = "file:///nowhere/A.soup";
    client.open(uri, "actor \"A\"\ntop:\nWait( 1 )\nif var0=1 {\nvar0 = 2\n}\ngoto top\nWait(2)\n");
    client.problems();
    let label = client.result_of("textDocument/definition", at(uri, 6, 6));
    assert_eq!(label, json!({ "uri": uri, "range": range(1, 0, 3) }));
    let mut params = at(uri, 1, 0);
    params["context"] = json!({ "includeDeclaration": false });
    let found = client.result_of("textDocument/references", params);
    assert_eq!(found, json!([{ "uri": uri, "range": range(6, 5, 8) }]));
    let highlights = client.result_of("textDocument/documentHighlight", at(uri, 3, 3));
    assert_eq!(
        highlights,
        json!([{ "range": range(3, 3, 7), "kind": 2 }, { "range": range(4, 0, 4), "kind": 3 }])
    );
    let prepared = client.result_of("textDocument/prepareRename", at(uri, 6, 5));
    assert_eq!(prepared, json!({ "range": range(6, 5, 8), "placeholder": "top" }));
    let mut params = at(uri, 6, 5);
    params["newName"] = "again".into();
    let edit = client.result_of("textDocument/rename", params);
    let edits = json!([{ "range": range(1, 0, 3), "newText": "again" }, { "range": range(6, 5, 8), "newText": "again" }]);
    assert_eq!(edit["changes"][uri], edits);
    let refused = client.request("textDocument/prepareRename", at(uri, 2, 1));
    assert_eq!(refused["error"]["message"], "Wait is a name of the game, which looks it up in SOUP386.DEF");
    let given = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client.result_of("textDocument/formatting", given);
    let expected = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 5, "character": 0 } });
    assert_eq!((edits.as_array().unwrap().len(), &edits[0]["range"]), (1, &expected), "{edits}");
    assert_eq!(edits[0]["newText"], "\ntop:\nWait(1)\nif var0 = 1 {\n    var0 = 2\n");
    let symbols = client.result_of("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!((&symbols[0]["name"], &symbols[0]["selectionRange"]), (&"top".into(), &range(1, 0, 3)));
    let folds = client.result_of("textDocument/foldingRange", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(folds, json!([{ "startLine": 1, "endLine": 7 }, { "startLine": 3, "endLine": 4 }]));
    let tokens =
        client.result_of("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(
        tokens["data"].as_array().unwrap()[..10],
        json!([0, 0, 5, 0, 0, 0, 7, 1, 5, 1]).as_array().unwrap()[..]
    );
    // A flag is renamed in the texts, and the user is informed of the remaining steps.
    client.open("untitled:b", "After_League = 1\n");
    let mut params = at("untitled:b", 0, 3);
    params["newName"] = "Later".into();
    let edit = client.result_of("textDocument/rename", params);
    assert_eq!(edit["changes"]["untitled:b"], json!([{ "range": range(0, 0, 12), "newText": "Later" }]));
    client.result_of("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let received = client.messages().join("\n");
    assert!(
        received.contains("After_League is now Later") && received.contains("of SOUP386.DEF"),
        "{received}"
    );
    client.shut_down();
}

#[test]
fn refuses_canceled_unknown_and_malformed_requests_and_continues() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, &[]);
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    assert_eq!(code(&client.request("textDocument/hover", json!({}))), Some(-32002));
    client.result_of("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    assert_eq!(code(&client.request("initialize", json!({ "capabilities": {} }))), Some(-32600));
    assert_eq!(code(&client.request("textDocument/unknown", json!({}))), Some(-32601));
    assert_eq!(code(&client.request("textDocument/hover", json!({ "x": 1 }))), Some(-32602));
    assert_eq!(code(&client.request("textDocument/hover", at("untitled:none", 0, 0))), Some(-32602));
    client.notify("textDocument/didOpen", json!([1]));
    client.notify("$/unknown", json!({}));
    client.write(b"Content-Length: 9\r\n\r\n{\"jsonrpc");
    assert_eq!(code(&client.receive()), Some(-32700));
    client.write(b"Content-Length: 2\r\n\r\n[]");
    assert_eq!(code(&client.receive()), Some(-32600));
    // Requested and canceled immediately.
    let request = json!({ "jsonrpc": "2.0", "id": "x", "method": "textDocument/hover", "params": at("untitled:none", 0, 0) });
    let cancel = json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": "x" } });
    let both: String = [request, cancel]
        .iter()
        .map(|it| it.to_string())
        .map(|it| format!("Content-Length: {}\r\n\r\n{it}", it.len()))
        .collect();
    client.write(both.as_bytes());
    assert!(matches!(code(&client.receive()), Some(-32800 | -32602)));
    // Positions outside of the text.
    client.open("untitled:a", "Wait(1)\n");
    client.problems();
    assert_eq!(
        client.result_of("textDocument/hover", at("untitled:a", 4_000_000_000, 4_000_000_000)),
        Value::Null
    );
    assert_eq!(client.result_of("shutdown", Value::Null), Value::Null);
    assert_eq!(code(&client.request("textDocument/hover", at("untitled:a", 0, 0))), Some(-32600));
    client.end(0);
}

#[test]
fn exit_without_shutdown_gives_exit_code_1() {
    let sandbox = Sandbox::new();
    Client::initialized(&sandbox, &["--stdio"], &json!({}), &Value::Null).end(1);
    let output = sandbox.feed(b"garbage\n", &["script", "lsp"]).exits_with(1);
    assert!(output.text().contains("-32700"), "{output:?}");
    assert!(output.err.contains("the header line has no colon"), "{output:?}");
    for arguments in [&["script", "lsp"][..], &["script", "debug", "--dap"]] {
        let output = sandbox.feed(b"", arguments).exits_with(1);
        assert!(output.err.starts_with("error: the input ended"), "{output:?}");
    }
}
