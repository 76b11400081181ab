//! Messages that are read by a separate thread, so that a busy receiver can check for new ones.

use std::collections::VecDeque;
use std::fmt;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use crate::framing::Frame;

/// Maximum number of queued messages; further ones are not read yet.
const MAX_QUEUED: usize = 1024;

/// The messages of a stream, in order.
pub(crate) struct Inbox<T> {
    from: Receiver<T>,
    queued: VecDeque<T>,
    /// Whether the stream has ended.
    is_closed: bool,
}

impl<T> fmt::Debug for Inbox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox")
            .field("queued", &self.queued.len())
            .field("is_closed", &self.is_closed)
            .finish()
    }
}

impl<T: Send + 'static> Inbox<T> {
    /// Reads a stream in a thread, which ends with the stream, after a [broken frame](Frame::Broken), or with the program. `message`
    /// parses a frame.
    pub(crate) fn open(
        from: impl BufRead + Send + 'static,
        message: impl Fn(Frame) -> T + Send + 'static,
    ) -> Self {
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        std::thread::spawn(move || {
            let mut from = from;
            while let Ok(Some(frame)) = crate::framing::read(&mut from) {
                let is_last = matches!(frame, Frame::Broken(_));
                if sender.send(message(frame)).is_err() || is_last {
                    return;
                }
            }
        });
        Self { from: receiver, queued: VecDeque::new(), is_closed: false }
    }
}

impl<T> Inbox<T> {
    /// Receives new messages. Returns the queued messages.
    pub(crate) fn queued(&mut self) -> &VecDeque<T> {
        while self.queued.len() < MAX_QUEUED && !self.is_closed {
            match self.from.try_recv() {
                Ok(message) => self.queued.push_back(message),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.is_closed = true,
            }
        }
        &self.queued
    }

    /// Whether [`recv`](Self::recv) returns immediately: a message is queued, or the stream has ended.
    pub(crate) fn is_ready(&mut self) -> bool {
        !self.queued().is_empty() || self.is_closed
    }

    /// The next message that has arrived; `None` if there is none.
    pub(crate) fn try_recv(&mut self) -> Option<T> {
        self.queued();
        self.queued.pop_front()
    }

    /// Waits for the next message; `None` at the end of the stream.
    pub(crate) fn recv(&mut self) -> Option<T> {
        self.queued.pop_front().or_else(|| self.from.recv().ok())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write, pipe};

    use super::*;

    fn text(frame: Frame) -> String {
        match frame {
            Frame::Content(content) => String::from_utf8(content).unwrap(),
            Frame::TooLong(length) => format!("{length} bytes"),
            Frame::Broken(why) => why.to_owned(),
        }
    }

    #[test]
    fn receives_messages_in_order_until_the_stream_ends() {
        let bytes = b"Content-Length: 1\r\n\r\naContent-Length: 1\r\n\r\nb".as_slice();
        let mut inbox = Inbox::open(bytes, text);
        assert_eq!([inbox.recv(), inbox.recv(), inbox.recv()], [Some("a".into()), Some("b".into()), None]);
        assert!(inbox.is_ready(), "the end is detected without waiting");
        assert_eq!(inbox.try_recv(), None);
    }

    #[test]
    fn does_not_wait_for_missing_messages() {
        let (from, mut to) = pipe().unwrap();
        let mut inbox = Inbox::open(BufReader::new(from), text);
        assert!(!inbox.is_ready());
        assert_eq!(inbox.try_recv(), None);
        to.write_all(b"Content-Length: 2\r\n\r\nhi").unwrap();
        while !inbox.is_ready() {
            std::thread::yield_now();
        }
        assert_eq!(inbox.queued().front().map(String::as_str), Some("hi"));
        assert_eq!(inbox.try_recv().as_deref(), Some("hi"));
    }

    #[test]
    fn reads_nothing_after_a_broken_frame() {
        let mut inbox = Inbox::open(b"garbage\nContent-Length: 1\r\n\r\na".as_slice(), text);
        assert_eq!([inbox.recv(), inbox.recv()], [Some("the header line has no colon".into()), None]);
    }
}
