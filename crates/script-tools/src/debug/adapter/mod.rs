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

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use crate::framing::Ended;
use crate::framing::Inbox;
use antiquary::{Error, Session};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use breakpoint::FILTERS;
use launch::Debuggee;
pub use launch::Defaults;
use message::{Client, Initialize, Received, Request};

const END_OF_INPUT: &str = "the input ended, or broke off within a message, before the client said `disconnect`; --dap is for an editor that starts the program";

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

/// Answers a client until it says `disconnect` or its stream ends. Files are looked up as the session says; what a launch leaves out is in the defaults.
///
/// # Errors
/// When nothing can be written any more.
pub fn run(
    antiquary: &Session<'_>,
    defaults: Defaults,
    from: impl BufRead + Send + 'static,
    to: &mut dyn Write,
) -> io::Result<Ended> {
    let inbox = Inbox::open(from, message::understood);
    let client = Client::new(to);
    Server { antiquary, defaults, inbox, client, lines_from: 1, debuggee: None, is_ended: false }.serve()
}

/// An adapter, its client, and the session that is debugged.
struct Server<'a> {
    antiquary: &'a Session<'a>,
    defaults: Defaults,
    inbox: Inbox<Received>,
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
            match self.inbox.wait() {
                None => return Ok(Ended::Abruptly(END_OF_INPUT)),
                Some(Received::Refused(why)) => self.client.answer(0, "", Err(why)),
                Some(Received::Broken(why)) => {
                    self.client.answer(0, "", Err(why.to_owned()));
                    self.client.check()?;
                    return Ok(Ended::Abruptly(why));
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
            "setFunctionBreakpoints" => self.set_function_breakpoints(&read(arguments)?),
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
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsRestartRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsTerminateRequest": true,
        "exceptionBreakpointFilters": filters.collect::<Vec<_>>(),
    })
}
