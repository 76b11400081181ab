//! A debug adapter: a front end for editors, by the Debug Adapter Protocol over any pair of streams.
//!
//! A thread reads messages; all else happens in order on the calling thread. A running session is interrupted by any message, and goes on after it.

mod breakpoint;
mod inspect;
mod launch;
mod message;
mod run;
#[cfg(test)]
mod tests;
mod text;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, sync_channel};

use antiquary::{Error, Job};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use breakpoint::FILTERS;
use launch::Debuggee;
pub use launch::Defaults;
use message::{Client, Initialize, Received, Request};

/// So many messages wait for their turn; more are not read yet.
const MOST_WAITING: usize = 1024;

/// How an exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The client said `disconnect`.
    Orderly,
    /// It did not.
    Abruptly,
}

/// Why a request has no answer.
#[derive(Debug)]
struct Refusal(String);

impl Refusal {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// The answer to a request.
type Answer = Result<Value, Refusal>;

/// The messages of the client.
struct Inbox {
    from: Receiver<Received>,
    waiting: VecDeque<Received>,
    /// Whether the stream of the client has ended.
    is_closed: bool,
}

impl Inbox {
    /// Takes in what has arrived; whether anything waits for its turn.
    fn has_mail(&mut self) -> bool {
        while self.waiting.len() < MOST_WAITING {
            match self.from.try_recv() {
                Ok(received) => self.waiting.push_back(received),
                Err(std::sync::mpsc::TryRecvError::Empty) => break,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => {
                    self.is_closed = true;
                    break;
                }
            }
        }
        !self.waiting.is_empty() || self.is_closed
    }

    /// The next message; waits for it. `None` at the end of the stream.
    fn next(&mut self) -> Option<Received> {
        self.waiting.pop_front().or_else(|| self.from.recv().ok())
    }
}

/// Answers a client until it says `disconnect` or its stream ends. Files are looked up as the job says; what a launch leaves out is in the defaults.
///
/// # Errors
/// When nothing can be written any more.
pub fn run(
    job: &Job,
    defaults: Defaults,
    from: impl BufRead + Send + 'static,
    to: &mut dyn Write,
) -> io::Result<Ended> {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    // It ends with the stream, or with the program.
    std::thread::spawn(move || {
        let mut from = from;
        while let Ok(Some(received)) = message::receive(&mut from) {
            let is_last = matches!(received, Received::Broken(_));
            if sender.send(received).is_err() || is_last {
                return;
            }
        }
    });
    let inbox = Inbox { from: receiver, waiting: VecDeque::new(), is_closed: false };
    let client = Client::new(to);
    Server { job, defaults, inbox, client, lines_from: 1, debuggee: None, is_ended: false }.serve()
}

/// An adapter, its client, and the session that is debugged.
struct Server<'a> {
    job: &'a Job,
    defaults: Defaults,
    inbox: Inbox,
    client: Client<'a>,
    /// The number of the first line, for the client.
    lines_from: i64,
    debuggee: Option<Debuggee>,
    /// Whether the client said `disconnect`.
    is_ended: bool,
}

impl Server<'_> {
    fn serve(&mut self) -> io::Result<Ended> {
        while !self.is_ended {
            self.client.check()?;
            if self.is_running() && !self.inbox.has_mail() {
                self.go_on();
                continue;
            }
            match self.inbox.next() {
                None => return Ok(Ended::Abruptly),
                Some(Received::Refused(why)) => self.client.answer(0, "", Err(why)),
                Some(Received::Broken(why)) => {
                    self.client.answer(0, "", Err(why.to_owned()));
                    self.client.check()?;
                    return Ok(Ended::Abruptly);
                }
                Some(Received::Request(request)) => self.respond(request),
            }
        }
        self.client.check()?;
        Ok(Ended::Orderly)
    }

    /// Answers a request; whatever goes wrong, the exchange goes on.
    fn respond(&mut self, request: Request) {
        let Request { seq, command, arguments } = request;
        let run = AssertUnwindSafe(|| self.request(&command, arguments));
        let answer = catch_unwind(run).unwrap_or_else(|_| Err(Refusal::new("internal error")));
        let is_done = answer.is_ok();
        self.client.answer(seq, &command, answer.map_err(|Refusal(why)| why));
        if is_done {
            self.after(&command);
        }
    }

    fn request(&mut self, command: &str, arguments: Value) -> Answer {
        match command {
            "initialize" => {
                let given: Initialize = read(arguments)?;
                self.lines_from = i64::from(given.lines_start_at1);
                Ok(capabilities())
            }
            "launch" => self.launch(arguments),
            "attach" => Err(Refusal::new("expected launch: there is no running game to attach to")),
            "disconnect" => {
                self.is_ended = true;
                Ok(Value::Null)
            }
            "terminate" => {
                self.debuggee = None;
                Ok(Value::Null)
            }
            "configurationDone" | "continue" | "next" | "stepIn" | "stepOut" | "stepBack"
            | "reverseContinue" | "pause" | "restart" => self.control(command, arguments),
            "setBreakpoints" => self.set_breakpoints(read(arguments)?),
            "setFunctionBreakpoints" => self.set_function_breakpoints(read(arguments)?),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(&read(arguments)?),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(&read(arguments)?),
            "scopes" => self.scopes(&read(arguments)?),
            "variables" => self.variables(&read(arguments)?),
            "setVariable" => self.set_variable(&read(arguments)?),
            "evaluate" => self.evaluate(&read(arguments)?),
            "source" => self.source(&read(arguments)?),
            "loadedSources" => self.loaded_sources(),
            _ => Err(Refusal::new("unknown request")),
        }
    }

    /// What follows an answer.
    fn after(&mut self, command: &str) {
        match command {
            // What is to stop a session can be said once there is one.
            "launch" => self.client.event("initialized", json!({})),
            "terminate" => self.client.event("terminated", json!({})),
            "pause" => self.report_pause(),
            _ => {}
        }
    }

    /// The session, once it was launched.
    fn debuggee(&mut self) -> Result<&mut Debuggee, Refusal> {
        self.debuggee.as_mut().ok_or_else(|| Refusal::new("expected launch first"))
    }
}

/// The arguments of a request; none are as good as an empty object.
fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Refusal> {
    let arguments = if arguments.is_null() { json!({}) } else { arguments };
    Ok(serde_json::from_value(arguments)?)
}

/// What the adapter can do.
fn capabilities() -> Value {
    let filters = FILTERS.iter().map(|it| {
        json!({ "filter": it.name, "label": it.label, "description": it.about, "default": it.is_default })
    });
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsRestartRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsTerminateRequest": true,
        "exceptionBreakpointFilters": filters.collect::<Vec<_>>(),
    })
}
