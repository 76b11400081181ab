//! Messages of the Language Server Protocol on streams.

use std::io::{self, Write};

use crate::framing::{Frame, LONGEST};
use lsp_server::{ErrorCode, Message};
use serde::Serialize;
use serde_json::{Value, json};

/// What was read.
#[derive(Debug)]
pub(crate) enum Received {
    /// A message.
    Message(Message),
    /// Something else, with the answer to it. The exchange goes on.
    Refused(Value),
    /// What cannot be gone on with, and why.
    Broken(&'static str),
}

/// An answer to a message without a known id.
pub(crate) fn refusal(code: ErrorCode, message: impl Into<String>) -> Value {
    failure(&Value::Null, code, message)
}

/// The error that answers a message.
pub(crate) fn failure(id: impl Serialize, code: ErrorCode, message: impl Into<String>) -> Value {
    let code = code as i32;
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message.into() } })
}

/// What a frame means.
pub(crate) fn understood(frame: Frame) -> Received {
    let body = match frame {
        Frame::Content(body) => body,
        Frame::TooLong(length) => {
            let why = format!("a message of {length} bytes; at most {LONGEST} are read");
            return Received::Refused(refusal(ErrorCode::InvalidRequest, why));
        }
        Frame::Broken(why) => return Received::Broken(why),
    };
    let value: Value = match serde_json::from_slice(&body) {
        Ok(value) => value,
        Err(error) => return Received::Refused(refusal(ErrorCode::ParseError, error.to_string())),
    };
    match serde_json::from_value(value) {
        Ok(message) => Received::Message(message),
        Err(_) => {
            Received::Refused(refusal(ErrorCode::InvalidRequest, "neither a request nor a notification"))
        }
    }
}

/// Writes a message.
pub(crate) fn send(to: &mut dyn Write, message: &Value) -> io::Result<()> {
    crate::framing::write(to, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut from = bytes;
        let mut out = Vec::new();
        while let Some(frame) = crate::framing::read(&mut from).unwrap() {
            out.push(match understood(frame) {
                Received::Message(Message::Request(it)) => format!("request {}", it.method),
                Received::Message(Message::Notification(it)) => format!("notification {}", it.method),
                Received::Message(Message::Response(_)) => "response".to_owned(),
                Received::Refused(it) => format!("refused {}", it["error"]["code"]),
                Received::Broken(why) => {
                    out.push(format!("broken {why:?}"));
                    break;
                }
            });
        }
        out
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn messages_follow_one_another_and_a_bad_one_does_not_end_the_exchange() {
        let bodies = [
            r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#,
            r#"{"jsonrpc":"#,
            r#"[1]"#,
            "",
            r#"{"jsonrpc":"2.0","method":"b","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":"x","result":null}"#,
        ];
        let bytes: String = bodies.iter().map(|it| framed(it)).collect();
        let expected =
            ["request a", "refused -32700", "refused -32600", "refused -32700", "notification b", "response"];
        assert_eq!(all(bytes.as_bytes()), expected);
    }
}
