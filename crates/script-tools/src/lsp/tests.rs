use std::io::Cursor;

use antiquary::Session;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::Shutdown;

const URI: &str = "untitled:a.soup";

fn framed(messages: &[Value]) -> Vec<u8> {
    let mut out = Vec::new();
    for message in messages {
        let body = message.to_string();
        out.extend(format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes());
    }
    out
}

/// Runs the server on these messages and returns its messages.
pub(super) fn exchange(messages: &[Value]) -> (Shutdown, Vec<Value>) {
    let mut out = Vec::new();
    let ended =
        run(&Session::default(), Settings::default(), Cursor::new(framed(messages)), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let bodies = text.split("Content-Length: ").filter_map(|part| part.split_once("\r\n\r\n"));
    (ended, bodies.map(|(_, body)| serde_json::from_str(body).unwrap()).collect())
}

pub(super) fn request(id: usize, method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
    message["params"] = params;
    message
}

pub(super) fn notification(method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    message["params"] = params;
    message
}

fn opening(text: &str) -> Vec<Value> {
    opening_of(URI, text)
}

/// The messages that open a text.
pub(super) fn opening_of(uri: &str, text: &str) -> Vec<Value> {
    let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
    vec![
        request(0, "initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} })),
        notification("textDocument/didOpen", json!({ "textDocument": document })),
    ]
}

/// All requests about a position or a text.
const METHODS: [&str; 13] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/semanticTokens/full",
    "shutdown",
];

#[test]
fn publishes_the_problems_of_the_newest_text() {
    let mut messages = opening("Waitt(1)\n");
    for version in 2..200 {
        let text = if version % 2 == 0 { "Wait(1)\n" } else { "Waitt(1)\n" };
        let document = json!({ "uri": URI, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        messages.push(notification("textDocument/didChange", params));
    }
    messages.push(request(
        1,
        "textDocument/hover",
        json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 1 } }),
    ));
    let (ended, output) = exchange(&messages);
    assert!(matches!(ended, Shutdown::Aborted(why) if why.contains("the input ended")), "{ended:?}");
    let published: Vec<_> =
        output.iter().filter(|it| it["method"] == "textDocument/publishDiagnostics").collect();
    let last = published.last().unwrap();
    assert_eq!(
        (&last["params"]["version"], last["params"]["diagnostics"].as_array().map(Vec::len)),
        (&199.into(), Some(1))
    );
}

#[test]
fn reports_a_text_that_is_too_long() {
    let (_, output) = exchange(&opening(&"Waitt(1)\n".repeat(600_000)));
    let found = output.iter().find(|it| it["method"] == "textDocument/publishDiagnostics").unwrap();
    let found = found["params"]["diagnostics"].as_array().unwrap();
    assert_eq!((found.len(), &found[0]["code"]), (1, &"too_long".into()));
}

#[test]
fn an_equals_sign_completes_nothing_in_scripts() {
    let mut messages = opening("var0=");
    let completion = |context: Value| {
        let position = json!({ "line": 0, "character": 5 });
        json!({ "textDocument": { "uri": URI }, "position": position, "context": context })
    };
    let typed = json!({ "triggerKind": 2, "triggerCharacter": "=" });
    messages.push(request(1, "textDocument/completion", completion(typed)));
    messages.push(request(2, "textDocument/completion", completion(json!({ "triggerKind": 1 }))));
    let (_, output) = exchange(&messages);
    let result = |id: usize| output.iter().find(|it| it["id"] == id).map(|it| it["result"].clone()).unwrap();
    assert_eq!(result(1), Value::Null);
    assert!(result(2)["items"].is_array());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn responds_to_any_sequence_of_requests(
        uri in prop::sample::select(&[URI, "file:///no-game/ITEM.INI"][..]),
        start in prop::sample::select(&["", "[items]\ntype[0]=1\n"][..]),
        text in "[ -~\n\r'\"ä𝄞]{0,80}",
        steps in prop::collection::vec(
            (0_usize..19, 0_u32..8, 0_u32..40, 0_u32..8, 0_u32..40, "[a-z\"'(#;\r\n𝄞 ]{0,6}"),
            0..40,
        ),
    ) {
        let mut messages = opening_of(uri, &format!("{start}{text}"));
        let mut sent = 1_usize;
        for (step, line, column, end, behind, text) in steps {
            let position = json!({ "line": line, "character": column });
            match METHODS.get(step) {
                Some(method) => {
                    let params = json!({
                        "textDocument": { "uri": uri }, "position": position, "newName": text,
                        "context": { "includeDeclaration": true }, "options": { "tabSize": 4, "insertSpaces": true },
                    });
                    messages.push(request(sent, method, params));
                    sent = sent.saturating_add(1);
                }
                None => {
                    let range = json!({ "start": position, "end": { "line": end, "character": behind } });
                    let document = json!({ "uri": uri, "version": 2 });
                    let params = json!({ "textDocument": document, "contentChanges": [{ "range": range, "text": text }] });
                    messages.push(notification("textDocument/didChange", params));
                }
            }
        }
        messages.push(notification("exit", Value::Null));
        let (_, output) = exchange(&messages);
        let responses = output.iter().filter(|it| it.get("id").is_some()).count();
        prop_assert_eq!(responses, sent);
        let wrong = output.iter().find(|it| it.to_string().contains("internal error"));
        prop_assert_eq!(wrong, None);
    }
}
