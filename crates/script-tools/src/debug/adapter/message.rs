//! Messages of the Debug Adapter Protocol: the parts of requests that are read, and the messages that are sent.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::framing::{Frame, MAX_MESSAGE_BYTES};
use serde::Deserialize;
use serde_json::{Value, json};

/// A received message.
#[derive(Debug)]
pub(super) enum Received {
    /// A request.
    Request(Request),
    /// Not a request: the error message.
    Refused(String),
    /// A framing error, after which nothing can be read.
    Broken(&'static str),
}

/// A request of the client.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    pub(super) seq: i64,
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Value,
}

/// Parses a frame.
pub(super) fn parse(frame: Frame) -> Received {
    let content = match frame {
        Frame::Content(content) => content,
        Frame::TooLong(length) => {
            return Received::Refused(format!(
                "the message has {length} bytes, but the limit is {MAX_MESSAGE_BYTES}"
            ));
        }
        Frame::Broken(why) => return Received::Broken(why),
    };
    let value: Value = match serde_json::from_slice(&content) {
        Ok(value) => value,
        Err(error) => return Received::Refused(error.to_string()),
    };
    if value.get("type").and_then(Value::as_str) != Some("request") {
        return Received::Refused("expected a message of type request".to_owned());
    }
    match serde_json::from_value(value) {
        Ok(request) => Received::Request(request),
        Err(error) => Received::Refused(error.to_string()),
    }
}

/// The output to the client. After an error, nothing more is written.
pub(super) struct Client<'a> {
    to: &'a mut dyn Write,
    seq: i64,
    failed: Option<io::Error>,
}

impl<'a> Client<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> Self {
        Self { to, seq: 0, failed: None }
    }

    /// Sends the response to a request.
    pub(super) fn response(&mut self, request: i64, command: &str, response: Result<Value, String>) {
        let mut message = json!({
            "type": "response", "request_seq": request, "command": command, "success": response.is_ok(),
        });
        let fields = match response {
            Ok(Value::Null) => Vec::new(),
            Ok(body) => vec![("body", body)],
            Err(why) => {
                let error = json!({ "id": 1, "format": "{why}", "variables": { "why": why }, "showUser": command == "launch" });
                vec![("message", why.into()), ("body", json!({ "error": error }))]
            }
        };
        self.send(&mut message, fields);
    }

    /// Sends an event.
    pub(super) fn event(&mut self, event: &str, body: Value) {
        self.send(&mut json!({ "type": "event", "event": event }), vec![("body", body)]);
    }

    /// Shows text to the user.
    pub(super) fn output(&mut self, category: &str, text: &str) {
        if !text.is_empty() {
            self.event("output", json!({ "category": category, "output": text }));
        }
    }

    fn send(&mut self, message: &mut Value, fields: Vec<(&str, Value)>) {
        self.seq = self.seq.saturating_add(1);
        if let Value::Object(message) = message {
            message.insert("seq".to_owned(), self.seq.into());
            message.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
        }
        if self.failed.is_none() {
            self.failed = crate::framing::write(self.to, message).err();
        }
    }

    /// Returns the first error of writing, if any.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

/// `initialize`
#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Initialize {
    pub(super) lines_start_at1: bool,
}

impl Default for Initialize {
    fn default() -> Self {
        Self { lines_start_at1: true }
    }
}

/// `launch`
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Launch {
    pub(super) program: Option<PathBuf>,
    pub(super) actor: Option<String>,
    pub(super) instance: Option<usize>,
    pub(super) host: Option<PathBuf>,
    pub(super) player: Option<PathBuf>,
    pub(super) everywhere: Option<bool>,
    pub(super) state: Option<PathBuf>,
    pub(super) save: Option<PathBuf>,
    pub(super) world: Option<i64>,
    pub(super) flags: BTreeMap<String, Value>,
    pub(super) def: Option<PathBuf>,
    pub(super) game: Option<PathBuf>,
    pub(super) limit: Option<u64>,
    pub(super) updates: Option<u32>,
    pub(super) stop_on_entry: Option<bool>,
}

/// A source: a file, or a text that the client requests by its reference.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Source {
    pub(super) path: Option<PathBuf>,
    pub(super) source_reference: Option<i64>,
}

/// `source`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceRequest {
    #[serde(default)]
    pub(super) source: Source,
    pub(super) source_reference: i64,
}

/// `setBreakpoints`
#[derive(Debug, Deserialize)]
pub(super) struct SetBreakpoints {
    pub(super) source: Source,
    #[serde(default)]
    pub(super) breakpoints: Vec<LineBreakpoint>,
}

/// A breakpoint of `setBreakpoints`.
#[derive(Debug, Deserialize)]
pub(super) struct LineBreakpoint {
    pub(super) line: i64,
    #[serde(flatten)]
    pub(super) when: When,
}

/// Conditions of a breakpoint.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct When {
    pub(super) condition: Option<String>,
    pub(super) hit_condition: Option<String>,
}

/// `setFunctionBreakpoints`
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SetFunctionBreakpoints {
    pub(super) breakpoints: Vec<FunctionBreakpoint>,
}

/// A breakpoint of `setFunctionBreakpoints`.
#[derive(Debug, Deserialize)]
pub(super) struct FunctionBreakpoint {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) when: When,
}

/// `setExceptionBreakpoints`
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SetExceptionBreakpoints {
    pub(super) filters: Vec<String>,
}

/// Requests about one thread.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Thread {
    pub(super) thread_id: i64,
}

/// `stackTrace`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StackTrace {
    pub(super) thread_id: i64,
    #[serde(default)]
    pub(super) start_frame: usize,
    #[serde(default)]
    pub(super) levels: usize,
}

/// `scopes`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Scopes {
    pub(super) frame_id: i64,
}

/// `variables`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Variables {
    pub(super) variables_reference: i64,
    #[serde(default)]
    pub(super) start: usize,
    #[serde(default)]
    pub(super) count: usize,
}

/// `setVariable`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetVariable {
    pub(super) variables_reference: i64,
    pub(super) name: String,
    pub(super) value: String,
}

/// `evaluate`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluate {
    pub(super) expression: String,
    pub(super) frame_id: Option<i64>,
    pub(super) context: Option<String>,
}
