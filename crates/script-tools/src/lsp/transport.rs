//! Messages of the Language Server Protocol on streams.

use std::io::{self, Write};

use crate::framing::{Frame, MAX_MESSAGE_BYTES};
use lsp_server::{ErrorCode, Message};
use serde::Serialize;
use serde_json::{Value, json};

/// A received message.
#[derive(Debug)]
pub(crate) enum Received {
    /// A message.
    Message(Message),
    /// A malformed message, with the response to it. The communication continues.
    Refused(Value),
    /// A framing error that ends the communication, with the reason.
    Broken(&'static str),
}

/// The error response to a message without a known id.
pub(crate) fn refusal(code: ErrorCode, message: impl Into<String>) -> Value {
    failure(&Value::Null, code, message)
}

/// An error response.
pub(crate) fn failure(id: impl Serialize, code: ErrorCode, message: impl Into<String>) -> Value {
    let code = code as i32;
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message.into() } })
}

/// Parses a frame.
pub(crate) fn parse(frame: Frame) -> Received {
    let body = match frame {
        Frame::Content(body) => body,
        Frame::TooLong(length) => {
            let why = format!("the message has {length} bytes, but the limit is {MAX_MESSAGE_BYTES}");
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
            out.push(match parse(frame) {
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
    fn continues_after_a_malformed_message() {
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
