use std::path::Path;

use serde_json::{Value, json};

use crate::lsp::tests::{exchange, notification, opening_of, request};

/// The URI of a file that is not in a game.
fn uri(name: &str) -> String {
    format!("file:///no-game/{name}")
}

/// The diagnostics of a text: code, message, and the start and end of the range.
fn diagnostics_of(uri: &str, text: &str) -> Vec<(String, String, [u64; 4])> {
    let (_, output) = exchange(&opening_of(uri, text));
    let found = output.iter().find(|it| it["method"] == "textDocument/publishDiagnostics").unwrap();
    let row = |it: &Value| {
        let number = |path| it.pointer(path).and_then(Value::as_u64).unwrap();
        let range =
            ["/range/start/line", "/range/start/character", "/range/end/line", "/range/end/character"];
        let word = |name: &str| it[name].as_str().unwrap().to_owned();
        (word("code"), word("message"), range.map(number))
    };
    found["params"]["diagnostics"].as_array().unwrap().iter().map(row).collect()
}

fn diagnostics(name: &str, text: &str) -> Vec<(String, String, [u64; 4])> {
    diagnostics_of(&uri(name), text)
}

/// The result of a request about the position of `|` in a text.
fn result(method: &str, name: &str, text: &str) -> Value {
    let (before, after) = text.split_once('|').unwrap();
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
    let mut messages = opening_of(&uri(name), &format!("{before}{after}"));
    let position = json!({ "line": line, "character": column });
    let params = json!({ "textDocument": { "uri": uri(name) }, "position": position });
    messages.push(request(1, method, params));
    let (_, output) = exchange(&messages);
    output.into_iter().find(|it| it["id"] == 1).unwrap()["result"].take()
}

/// The labels and inserted texts of completions.
fn completions(name: &str, text: &str) -> Vec<(String, String)> {
    let found = result("textDocument/completion", name, text);
    let items = found["items"].as_array().cloned().unwrap_or_default();
    let word = |it: &Value| it.as_str().unwrap().to_owned();
    items.iter().map(|it| (word(&it["label"]), word(&it["textEdit"]["newText"]))).collect()
}

fn hover(name: &str, text: &str) -> Option<String> {
    let found = result("textDocument/hover", name, text);
    found["contents"]["value"].as_str().map(str::to_owned)
}

fn pair(label: &str, text: &str) -> (String, String) {
    (label.to_owned(), text.to_owned())
}

#[test]
fn reports_findings_of_the_text_at_their_lines() {
    let text = "[items]\n  player_maxx[0]=3 ; note\ntype[0]=9\n";
    let nearest = "the game ignores \"player_maxx[0]\"; did you mean \"player_max[0]\"?";
    let expected = [
        ("INI-W011".to_owned(), "type[0] is 9 (valid: 0 to 3)".to_owned(), [2, 0, 2, 9]),
        ("INI-W001".to_owned(), nearest.to_owned(), [1, 2, 1, 18]),
    ];
    assert_eq!(diagnostics("ITEM.INI", text), expected);
    assert_eq!(diagnostics("ITEM.INI", "[items]\ntype[0]=1\n"), []);
}

#[test]
fn recognizes_a_file_by_its_content_or_its_name() {
    let message = |name: &str, text: &str| diagnostics(name, text).into_iter().next().map(|it| it.0);
    assert_eq!(message("OTHER.INI", "[world]\nworld_mapp[0]=x\n").as_deref(), Some("INI-W001"));
    assert_eq!(message("world.ini", "[wurld]\n").as_deref(), Some("INI-W001"));
    // Settings of other programs.
    assert_eq!(message("desktop.ini", "[shell]\nicon=1\n"), None);
    assert!(completions("desktop.ini", "[shell]\n|").is_empty());
}

#[test]
fn counts_columns_in_utf_16_and_offsets_in_the_character_set_of_the_game() {
    // In the game's character set, each of these characters is one byte; in UTF-8, two or three.
    let text = "; éü₧é\n[items]\ntype[0]=é ; é\nbogus=1\n";
    let found = diagnostics("ITEM.INI", text);
    let ranges: Vec<_> = found.iter().map(|it| (it.0.as_str(), it.2)).collect();
    assert_eq!(ranges, [("INI-W011", [2, 0, 2, 9]), ("INI-W001", [3, 0, 3, 7])]);
    // A character outside of the basic plane has two UTF-16 units.
    let found = diagnostics("ITEM.INI", "[items]\nuse_script[0]=𝄞漢\nbogus=1\n");
    let ranges: Vec<_> = found.iter().map(|it| (it.0.as_str(), it.2)).collect();
    let expected =
        [("unencodable", [1, 14, 1, 16]), ("unencodable", [1, 16, 1, 17]), ("INI-W001", [2, 0, 2, 7])];
    assert_eq!(ranges, expected);
    assert!(found[0].1.contains("cp437"), "{}", found[0].1);
}

#[test]
fn looks_up_references_in_the_game_around_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    for (name, text) in [("SYSTEM.INI", "[system]\n"), ("maps/START.RGM", "")] {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    std::fs::create_dir_all(folder.join("soup386")).unwrap();
    std::fs::write(folder.join("soup386/SOUP386.DEF"), "").unwrap();
    let text = "[world]\nworld_map[0]=maps\\start.rgm\nworld_map[1]=maps\\none.rgm\n";
    let missing = |file: &Path| {
        let found = diagnostics_of(&crate::lsp::uri::uri_of(file), text).into_iter();
        found.filter(|it| it.0 == "INI-W004").map(|it| (it.1, it.2)).collect::<Vec<_>>()
    };
    let expected = ("map \"maps\\none.rgm\" was not found".to_owned(), [2, 0, 2, 26]);
    assert_eq!(missing(&folder.join("WORLD.INI")), [expected]);
    assert_eq!(missing(Path::new("/no-game/WORLD.INI")), []);
}

#[test]
fn completes_sections() {
    let found = completions("COMBAT.INI", "[attack07]\ntype=1\n[|");
    let names: Vec<&str> = found.iter().map(|it| it.1.as_str()).collect();
    assert_eq!(names, ["misc]", "attack08]", "defend0]", "taunt0]"]);
    assert!(completions("COMBAT.INI", "[misc]\n[|]\n").contains(&pair("defend0", "defend0")));
    assert!(completions("WORLD.INI", "[|").contains(&pair("world", "world]")));
}

#[test]
fn completes_keys_of_the_section() {
    let found = completions("COMBAT.INI", "[attack00]\ntype=1\n|");
    assert!(found.contains(&pair("elevation", "elevation=")));
    assert!(!found.iter().any(|it| it.0 == "type" || it.0 == "max_taunts"), "{found:?}");
    // The key of an existing line is replaced without its value.
    assert!(completions("COMBAT.INI", "[misc]\nmax|=3\n").contains(&pair("max_taunts", "max_taunts")));
    let found = completions("ITEM.INI", "[items]\ntype[3]=1\nhide[3]=1\n|\ntype[9]=1\n");
    assert!(found.contains(&pair("total[3]", "total[3]=")));
    assert!(found.contains(&pair("type[4]", "type[4]=")));
    assert!(found.contains(&pair("torch_time", "torch_time=")));
    assert!(completions("ITEM.INI", "[items]\nto[7]|").contains(&pair("total[7]", "total[7]=")));
    let found = completions("MENU.INI", "[page3]\nmovie4_text[2]=x\nm|");
    assert!(found.contains(&pair("movie4_text[3]", "movie4_text[3]=")), "{found:?}");
    // Keys without a section.
    assert!(completions("DIG.INI", "|").contains(&pair("irq", "irq=")));
    assert!(completions("ITEM.INI", "|").is_empty());
    assert!(completions("ITEM.INI", "[items]\n; t|").is_empty());
}

#[test]
fn completes_names_of_values() {
    let expected = [pair("0 regular", "0"), pair("1 above", "1"), pair("2 below", "2")];
    assert_eq!(completions("COMBAT.INI", "[attack00]\nelevation=|"), expected);
    assert_eq!(completions("COMBAT.INI", "[attack00]\nelevation = 1|2 ; x"), expected);
    let switch = [pair("0 off", "0"), pair("1 on", "1")];
    assert_eq!(completions("ITEM.INI", "[items]\nHIDE [ 4 ] = |"), switch);
    assert!(completions("COMBAT.INI", "[attack00]\nunknown=|").is_empty());
}

#[test]
fn numbers_of_keys_are_placeholders_if_the_client_supports_snippets() {
    let capabilities =
        json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
    let mut messages = opening_of(&uri("MENU.INI"), "[page3]\n");
    messages[0] = request(0, "initialize", json!({ "processId": null, "capabilities": capabilities }));
    let at = json!({ "line": 1, "character": 0 });
    messages.push(request(
        1,
        "textDocument/completion",
        json!({ "textDocument": { "uri": uri("MENU.INI") }, "position": at }),
    ));
    let (_, output) = exchange(&messages);
    let found = output.iter().find(|it| it["id"] == 1).unwrap()["result"]["items"].as_array().unwrap();
    let texts: Vec<&str> = found.iter().map(|it| it["textEdit"]["newText"].as_str().unwrap()).collect();
    assert!(texts.contains(&"movie${1:0}_text[${2:0}]=$0"), "{texts:?}");
    assert!(texts.contains(&"movie_name[${1:0}]=$0"), "{texts:?}");
}

#[test]
fn explains_keys_values_and_sections() {
    let about = hover("COMBAT.INI", "[attack00]\nele|vation=2\n").unwrap();
    let expected = "`elevation`\n\nHeight of the attack.\n\n- Type: integer\n- Values: 0 regular, 1 above, 2 below\n- If missing: 0";
    assert_eq!(about, expected);
    let value = hover("COMBAT.INI", "[attack00]\nelevation=|2\n").unwrap();
    assert_eq!(value, format!("**2: below**\n\n{expected}"));
    let indexed = hover("ITEM.INI", "[items]\nTotal [ 12 ]|=2\n").unwrap();
    assert!(indexed.starts_with("`total[]`"), "{indexed}");
    let unit = hover("COMBAT.INI", "[misc]\nnode_timer|=1\n").unwrap();
    assert!(unit.contains("- Type: integer, ticks\n- Shipped value: 120"), "{unit}");
    assert_eq!(hover("COMBAT.INI", "[mi|sc]\n").as_deref(), Some("Settings of all fights."));
    assert_eq!(hover("COMBAT.INI", "[misc]\nunknown|=1\n"), None);
    assert_eq!(hover("COMBAT.INI", "[misc]\n; node|_timer=1\n"), None);
}

#[test]
fn lists_sections() {
    let text = "; a\n[misc]\nmax_taunts=1\n\n[ attack00 ] ; b\ntype=1\n|";
    let found = result("textDocument/documentSymbol", "COMBAT.INI", text);
    let row = |it: &Value| {
        let line = |path| it.pointer(path).and_then(Value::as_u64).unwrap();
        let name = it["name"].as_str().unwrap().to_owned();
        (name, line("/range/start/line"), line("/range/end/line"))
    };
    let found: Vec<_> = found.as_array().unwrap().iter().map(row).collect();
    assert_eq!(found, [("misc".to_owned(), 1, 2), ("attack00".to_owned(), 4, 5)]);
    let folds = result("textDocument/foldingRange", "COMBAT.INI", text);
    assert_eq!(folds, json!([{ "startLine": 1, "endLine": 2 }, { "startLine": 4, "endLine": 5 }]));
}

#[test]
fn answers_unsupported_requests_with_nothing() {
    for method in ["textDocument/definition", "textDocument/rename", "textDocument/semanticTokens/full"] {
        assert_eq!(result(method, "COMBAT.INI", "[mi|sc]\n"), Value::Null, "{method}");
    }
}

#[test]
fn survives_malformed_texts() {
    let long = format!("[items]\ntype[0]={}", "9".repeat(1 << 20));
    let random: String = {
        let mut state = 1_u32;
        let letters = (0..20_000).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_u32(state >> 16).unwrap_or('\u{fffd}')
        });
        letters.collect()
    };
    let texts = [
        "",
        "[items]",
        "[",
        "[]",
        "]",
        "=",
        "[items]\n=\n[\n]=[=;",
        "[items]\ntype[99999999999]=1\ntype[]=1\ntype[-1]=\n",
        "[page99999999999]\n[attack4294967295]\n",
        "a\0b",
        "\r\r\n\n\r[items]\rtype[0]=9\r",
        "\u{feff}[items]\n",
        &long,
        &random,
    ];
    for text in texts {
        let names = ["ITEM.INI", "COMBAT.INI", "FOG.INI", "DIG.INI"];
        let count = if text.len() > 1000 { 1 } else { names.len() };
        for name in names.into_iter().take(count) {
            let mut messages = opening_of(&uri(name), text);
            let mut count = 1;
            for (line, character) in [(0, 0), (0, 1), (1, 0), (1, 9), (2, 0), (3, 1_000_000)] {
                for method in ["completion", "hover", "documentSymbol", "foldingRange"] {
                    let position = json!({ "line": line, "character": character });
                    let params = json!({ "textDocument": { "uri": uri(name) }, "position": position });
                    messages.push(request(count, &format!("textDocument/{method}"), params));
                    count += 1;
                }
            }
            let (_, output) = exchange(&messages);
            let failed = output.iter().find(|it| it.get("error").is_some());
            assert_eq!(failed, None, "{name}");
            assert_eq!(output.iter().filter(|it| it.get("id").is_some()).count(), count);
        }
    }
}

#[test]
fn checks_the_newest_text_and_forgets_closed_files() {
    let mut messages = opening_of(&uri("ITEM.INI"), "[items]\nbogus=1\n");
    let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 5 } });
    let change = json!({ "range": range, "text": "torch_time" });
    let document = json!({ "uri": uri("ITEM.INI"), "version": 2 });
    messages.push(notification(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": [change] }),
    ));
    messages.push(request(
        1,
        "textDocument/hover",
        json!({ "textDocument": document, "position": { "line": 1, "character": 2 } }),
    ));
    messages.push(notification("textDocument/didSave", json!({ "textDocument": document })));
    messages.push(notification("textDocument/didClose", json!({ "textDocument": document })));
    messages.push(request(
        2,
        "textDocument/hover",
        json!({ "textDocument": document, "position": { "line": 1, "character": 2 } }),
    ));
    let (_, output) = exchange(&messages);
    let hover = output.iter().find(|it| it["id"] == 1).unwrap();
    assert!(hover["result"]["contents"]["value"].as_str().unwrap().starts_with("`torch_time`"));
    assert!(output.iter().find(|it| it["id"] == 2).unwrap()["error"]["message"].is_string());
    let published: Vec<_> =
        output.iter().filter(|it| it["method"] == "textDocument/publishDiagnostics").collect();
    assert_eq!(published.last().unwrap()["params"]["diagnostics"], json!([]));
}
