//! Messages on streams: a header with the length, then JSON.

use std::io::{self, BufRead, Read, Write};

use lsp_server::{ErrorCode, Message};
use serde::Serialize;
use serde_json::{Value, json};

/// Longer messages are passed over.
const LONGEST: u64 = 64 << 20;

/// Longer lines of headers end the exchange.
const LONGEST_HEADER: u64 = 4096;

/// What was read.
#[derive(Debug)]
pub(crate) enum Received {
    /// A message.
    Message(Message),
    /// Something else, with the answer to it. The exchange goes on.
    Refused(Value),
    /// What cannot be gone on with, with the answer to it.
    Broken(Value),
}

/// An answer to a message without a known id.
fn refusal(code: ErrorCode, message: impl Into<String>) -> Value {
    failure(&Value::Null, code, message)
}

/// The error that answers a message.
pub(crate) fn failure(id: impl Serialize, code: ErrorCode, message: impl Into<String>) -> Value {
    #[expect(clippy::as_conversions, reason = "the numbers of the protocol are its discriminants")]
    let code = code as i32;
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message.into() } })
}

/// The next message; `None` at the end of the stream.
pub(crate) fn receive(from: &mut dyn BufRead) -> io::Result<Option<Received>> {
    let Some(header) = header(from)? else { return Ok(None) };
    let length = match header {
        Ok(length) => length,
        Err(why) => return Ok(Some(Received::Broken(refusal(ErrorCode::ParseError, why)))),
    };
    if length > LONGEST {
        io::copy(&mut from.take(length), &mut io::sink())?;
        let why = format!("a message of {length} bytes; at most {LONGEST} are read");
        return Ok(Some(Received::Refused(refusal(ErrorCode::InvalidRequest, why))));
    }
    let mut body = Vec::new();
    let read = from.take(length).read_to_end(&mut body)?;
    if u64::try_from(read).is_ok_and(|read| read < length) {
        return Ok(None);
    }
    let value: Value = match serde_json::from_slice(&body) {
        Ok(value) => value,
        Err(error) => return Ok(Some(Received::Refused(refusal(ErrorCode::ParseError, error.to_string())))),
    };
    Ok(Some(match serde_json::from_value(value) {
        Ok(message) => Received::Message(message),
        Err(_) => {
            Received::Refused(refusal(ErrorCode::InvalidRequest, "neither a request nor a notification"))
        }
    }))
}

/// The length that a header tells, or what is wrong with it; `None` at the end of the stream.
fn header(from: &mut dyn BufRead) -> io::Result<Option<Result<u64, &'static str>>> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        let read = from.take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            return Ok(Some(Err("a header that does not end")));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            // Empty lines before a header mean nothing.
            if is_first {
                continue;
            }
            return Ok(Some(length.ok_or("a header without Content-Length")));
        }
        is_first = false;
        let Some((name, value)) = line.split_once(':') else {
            return Ok(Some(Err("a header without a colon")));
        };
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            match value.trim().parse() {
                Ok(number) => length = Some(number),
                Err(_) => return Ok(Some(Err("Content-Length is not a number"))),
            }
        }
    }
}

/// Writes a message.
pub(crate) fn send(to: &mut dyn Write, message: &Value) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(to, "Content-Length: {}\r\n\r\n", body.len())?;
    to.write_all(&body)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut from = bytes;
        let mut out = Vec::new();
        while let Some(it) = receive(&mut from).unwrap() {
            out.push(match it {
                Received::Message(Message::Request(it)) => format!("request {}", it.method),
                Received::Message(Message::Notification(it)) => format!("notification {}", it.method),
                Received::Message(Message::Response(_)) => "response".to_owned(),
                Received::Refused(it) => format!("refused {}", it["error"]["code"]),
                Received::Broken(it) => {
                    out.push(format!("broken {}", it["error"]["message"]));
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

    #[test]
    fn a_header_that_cannot_be_read_ends_the_exchange() {
        let table = [
            ("Content-Length: x\r\n\r\n{}", "broken \"Content-Length is not a number\""),
            ("Content-Type: x\r\n\r\n{}", "broken \"a header without Content-Length\""),
            ("garbage\n", "broken \"a header without a colon\""),
        ];
        for (text, expected) in table {
            assert_eq!(all(text.as_bytes()), [expected]);
        }
        assert_eq!(all(&vec![b'x'; 10_000]), ["broken \"a header that does not end\""]);
        // Cut short: as if it had ended.
        assert!(all(b"Content-Length: 99999999999999\r\n\r\n{}").iter().all(|it| it.starts_with("refused")));
        assert!(all(b"Content-Length: 99\r\n\r\n{}").is_empty());
    }
}
