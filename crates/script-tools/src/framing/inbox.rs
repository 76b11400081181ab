//! Messages that are read by a thread of their own, so that somebody who is busy can see that there are some.

use std::collections::VecDeque;
use std::fmt;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use crate::framing::Frame;

/// So many messages wait for their turn; more are not read yet.
const MOST_WAITING: usize = 1024;

/// The messages of a stream, in their order.
pub(crate) struct Inbox<T> {
    from: Receiver<T>,
    waiting: VecDeque<T>,
    /// Whether the stream has ended.
    is_closed: bool,
}

impl<T> fmt::Debug for Inbox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox")
            .field("waiting", &self.waiting.len())
            .field("is_closed", &self.is_closed)
            .finish()
    }
}

impl<T: Send + 'static> Inbox<T> {
    /// Reads a stream in a thread, which ends with the stream, after a [broken frame](Frame::Broken), or with the program. `message` says what a frame means.
    pub(crate) fn open(
        from: impl BufRead + Send + 'static,
        message: impl Fn(Frame) -> T + Send + 'static,
    ) -> Self {
        let (sender, receiver) = sync_channel(MOST_WAITING);
        std::thread::spawn(move || {
            let mut from = from;
            while let Ok(Some(frame)) = crate::framing::read(&mut from) {
                let is_last = matches!(frame, Frame::Broken(_));
                if sender.send(message(frame)).is_err() || is_last {
                    return;
                }
            }
        });
        Self { from: receiver, waiting: VecDeque::new(), is_closed: false }
    }
}

impl<T> Inbox<T> {
    /// Takes in what has arrived; the messages that wait for their turn.
    pub(crate) fn waiting(&mut self) -> &VecDeque<T> {
        while self.waiting.len() < MOST_WAITING && !self.is_closed {
            match self.from.try_recv() {
                Ok(message) => self.waiting.push_back(message),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.is_closed = true,
            }
        }
        &self.waiting
    }

    /// Whether [`wait`](Self::wait) has an answer at once: a message waits for its turn, or the stream has ended.
    pub(crate) fn has_mail(&mut self) -> bool {
        !self.waiting().is_empty() || self.is_closed
    }

    /// The next message that has arrived; `None` where none has.
    pub(crate) fn arrived(&mut self) -> Option<T> {
        self.waiting();
        self.waiting.pop_front()
    }

    /// The next message, which is waited for; `None` at the end of the stream.
    pub(crate) fn wait(&mut self) -> Option<T> {
        self.waiting.pop_front().or_else(|| self.from.recv().ok())
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
    fn messages_arrive_in_their_order_until_the_stream_ends() {
        let bytes = b"Content-Length: 1\r\n\r\naContent-Length: 1\r\n\r\nb".as_slice();
        let mut inbox = Inbox::open(bytes, text);
        assert_eq!([inbox.wait(), inbox.wait(), inbox.wait()], [Some("a".into()), Some("b".into()), None]);
        assert!(inbox.has_mail(), "the end is seen without waiting");
        assert_eq!(inbox.arrived(), None);
    }

    #[test]
    fn what_has_not_arrived_is_not_waited_for() {
        let (from, mut to) = pipe().unwrap();
        let mut inbox = Inbox::open(BufReader::new(from), text);
        assert!(!inbox.has_mail());
        assert_eq!(inbox.arrived(), None);
        to.write_all(b"Content-Length: 2\r\n\r\nhi").unwrap();
        while !inbox.has_mail() {
            std::thread::yield_now();
        }
        assert_eq!(inbox.waiting().front().map(String::as_str), Some("hi"));
        assert_eq!(inbox.arrived().as_deref(), Some("hi"));
    }

    #[test]
    fn nothing_is_read_after_a_broken_frame() {
        let mut inbox = Inbox::open(b"garbage\nContent-Length: 1\r\n\r\na".as_slice(), text);
        assert_eq!([inbox.wait(), inbox.wait()], [Some("a header without a colon".into()), None]);
    }
}
