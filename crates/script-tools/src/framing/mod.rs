//! Message framing on streams: a header with the length, then the content.
//!
//! The Language Server Protocol and the Debug Adapter Protocol both use this framing. The caller interprets the content.
//!
//! | here | in the protocols |
//! | --- | --- |
//! | [`Frame`] | header part and content part |
//! | [`Inbox`] | queue of messages |

mod inbox;

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

pub(crate) use inbox::Inbox;

/// The end of the communication with a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shutdown {
    /// According to the protocol.
    Clean,
    /// In another way, with the reason.
    Aborted(&'static str),
}

/// Maximum size of a message, in bytes; longer ones are skipped.
pub(crate) const MAX_MESSAGE_BYTES: u64 = 64 << 20;

/// Maximum length of a header line, in bytes; longer ones end the communication.
const MAX_HEADER_BYTES: u64 = 4096;

/// A frame that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The content of a message.
    Content(Vec<u8>),
    /// A message longer than [`MAX_MESSAGE_BYTES`], which was skipped; its length.
    TooLong(u64),
    /// An invalid header, with the reason. Nothing after it can be read.
    Broken(&'static str),
}

/// Reads the next message. Returns `None` at the end of the stream, also if it ends within a message.
///
/// # Errors
/// If the stream cannot be read.
pub(crate) fn read(from: &mut dyn BufRead) -> io::Result<Option<Frame>> {
    let Some(header) = header(from)? else { return Ok(None) };
    let length = match header {
        Ok(length) => length,
        Err(why) => return Ok(Some(Frame::Broken(why))),
    };
    if length > MAX_MESSAGE_BYTES {
        io::copy(&mut from.take(length), &mut io::sink())?;
        return Ok(Some(Frame::TooLong(length)));
    }
    let mut content = Vec::new();
    let read = from.take(length).read_to_end(&mut content)?;
    let is_complete = u64::try_from(read).is_ok_and(|read| read == length);
    Ok(is_complete.then_some(Frame::Content(content)))
}

/// Parses a header and returns the length, or the reason that it is invalid; `None` at the end of the stream.
fn header(from: &mut dyn BufRead) -> io::Result<Option<Result<u64, &'static str>>> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        let read = from.take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            return Ok(Some(Err("the header line is too long")));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            // Empty lines before a header are ignored.
            if is_first {
                continue;
            }
            return Ok(Some(length.ok_or("the header has no Content-Length")));
        }
        is_first = false;
        let Some((name, value)) = line.split_once(':') else {
            return Ok(Some(Err("the header line has no colon")));
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
///
/// # Errors
/// If the stream cannot be written.
pub(crate) fn write(to: &mut dyn Write, message: &Value) -> io::Result<()> {
    let content = serde_json::to_vec(message)?;
    write!(to, "Content-Length: {}\r\n\r\n", content.len())?;
    to.write_all(&content)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Frame> {
        let mut from = bytes;
        let mut out = Vec::new();
        while let Some(it) = read(&mut from).unwrap() {
            let is_last = matches!(it, Frame::Broken(_));
            out.push(it);
            if is_last {
                break;
            }
        }
        out
    }

    #[test]
    fn reads_consecutive_messages() {
        let mut bytes = Vec::new();
        write(&mut bytes, &Value::Null).unwrap();
        bytes.extend(b"\r\ncontent-length: 0\r\nContent-Type: x\r\n\r\n");
        write(&mut bytes, &true.into()).unwrap();
        let content = |it: &[u8]| Frame::Content(it.to_vec());
        assert_eq!(all(&bytes), [content(b"null"), content(b""), content(b"true")]);
    }

    #[test]
    fn stops_at_an_invalid_header() {
        let table = [
            ("Content-Length: x\r\n\r\n{}", "Content-Length is not a number"),
            ("Content-Type: x\r\n\r\n{}", "the header has no Content-Length"),
            ("garbage\n", "the header line has no colon"),
        ];
        for (text, expected) in table {
            assert_eq!(all(text.as_bytes()), [Frame::Broken(expected)]);
        }
        assert_eq!(all(&vec![b'x'; 10_000]), [Frame::Broken("the header line is too long")]);
    }

    #[test]
    fn ends_at_a_truncated_message() {
        assert_eq!(all(b"Content-Length: 99999999999999\r\n\r\n{}"), [Frame::TooLong(99_999_999_999_999)]);
        assert!(all(b"Content-Length: 99\r\n\r\n{}").is_empty());
    }
}
