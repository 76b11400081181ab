//! Measures the start-up and response times of the language server.
//!
//! ```sh
//! cargo run --release --package antiquary-script-tools --example times -- target/release/antiquary maps/ISLAND.RGM GAME
//! ```
//!
//! The text is the longest script of the map. For each measurement, the best and the median time of 20 runs are printed.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use antiquary::{ScriptOptions, Session};
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const RUNS: usize = 20;
const URI: &str = "untitled:script.soup";

struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: u32,
}

impl Client {
    fn start(program: &str, map: &str, game: &str) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(["script", "lsp", "--map", map, "--game", game]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let to = child.stdin.take().ok_or("no input")?;
        let from = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self { child, to, from, id: 0 })
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        Ok(self.to.flush()?)
    }

    fn notify(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn receive(&mut self) -> Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line)? == 0 {
                return Err("the server ended".into());
            }
            match line.trim().strip_prefix("Content-Length:") {
                Some(number) => length = number.trim().parse()?,
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body)?;
        Ok(serde_json::from_slice(&body)?)
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.id = self.id.wrapping_add(1);
        let id = self.id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let message = self.receive()?;
            if message.get("id") == Some(&json!(id)) {
                return Ok(message);
            }
        }
    }

    fn problems(&mut self) -> Result<Value> {
        loop {
            let message = self.receive()?;
            if message.get("method") == Some(&json!("textDocument/publishDiagnostics")) {
                return Ok(message);
            }
        }
    }

    fn initialize(&mut self) -> Result<Value> {
        self.request("initialize", &json!({ "processId": null, "rootUri": null, "capabilities": {} }))
    }

    fn end(mut self) -> Result<()> {
        self.request("shutdown", &Value::Null)?;
        self.notify("exit", &Value::Null)?;
        self.child.wait()?;
        Ok(())
    }
}

/// Prints the best and the median time.
#[expect(clippy::print_stdout, reason = "printing is the purpose of this program")]
fn show(what: &str, mut run: impl FnMut() -> Result<Duration>) -> Result<()> {
    let mut times = (0..RUNS).map(|_| run()).collect::<Result<Vec<_>>>()?;
    times.sort();
    let millis = |time: Option<&Duration>| time.map_or(0.0, |it| it.as_secs_f64() * 1e3);
    println!("{what:<24} {:>9.3} ms {:>9.3} ms", millis(times.first()), millis(times.get(RUNS / 2)));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "printing is the purpose of this program")]
fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, map, game] = arguments.as_slice() else {
        return Err("expected PROGRAM MAP GAME".into());
    };
    let session = Session::default().game(game);
    let editor = session.script_editor(Path::new(map), &ScriptOptions::default())?;
    let texts = editor.scripts().into_iter().filter_map(|it| editor.script(it.number));
    let text = texts.max_by_key(String::len).ok_or("the map has no scripts")?;
    println!("{} lines, {} bytes; best and median of {RUNS}", text.lines().count(), text.len());
    show("start to initialize", || {
        let start = Instant::now();
        let mut client = Client::start(program, map, game)?;
        client.initialize()?;
        let time = start.elapsed();
        client.end()?;
        Ok(time)
    })?;
    let opened = json!({ "textDocument": { "uri": URI, "languageId": "soup", "version": 1, "text": text } });
    let mut client = Client::start(program, map, game)?;
    client.initialize()?;
    let start = Instant::now();
    client.notify("textDocument/didOpen", &opened)?;
    client.problems()?;
    println!("{:<24} {:>9.3} ms", "first text opened", start.elapsed().as_secs_f64() * 1e3);
    let line = text.lines().position(|line| line.contains('(')).unwrap_or(0);
    let column = text.lines().nth(line).and_then(|line| line.find('(')).unwrap_or(1).saturating_sub(1);
    let at = json!({
        "textDocument": { "uri": URI }, "position": { "line": line, "character": column },
        "context": { "includeDeclaration": true },
    });
    let start = Instant::now();
    client.request("textDocument/references", &at)?;
    println!("{:<24} {:>9.3} ms", "first references", start.elapsed().as_secs_f64() * 1e3);
    let mut version = 1_i32;
    show("edit to problems", || {
        version = version.wrapping_add(1);
        let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 0 } });
        let change = json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": [{ "range": range, "text": " " }] });
        let start = Instant::now();
        client.notify("textDocument/didChange", &change)?;
        client.problems()?;
        Ok(start.elapsed())
    })?;
    let methods = [
        ("completion", "textDocument/completion"),
        ("hover", "textDocument/hover"),
        ("definition", "textDocument/definition"),
        ("references", "textDocument/references"),
        ("semantic tokens", "textDocument/semanticTokens/full"),
    ];
    for (what, method) in methods {
        show(what, || {
            let start = Instant::now();
            client.request(method, &at)?;
            Ok(start.elapsed())
        })?;
    }
    client.end()
}
