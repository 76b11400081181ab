//! A debug adapter: a front end for editors that uses the Debug Adapter Protocol over any pair of streams.
//!
//! A thread reads messages; everything else runs in order on the calling thread. Any message interrupts a running session, which then
//! continues.

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

use crate::framing::Inbox;
pub use crate::framing::Shutdown;
use antiquary::{Error, Session};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use breakpoint::FILTERS;
use launch::Debuggee;
pub use launch::Defaults;
use message::{Client, Initialize, Received, Request};

const END_OF_INPUT: &str = "the input ended, possibly within a message, before the client sent `disconnect`; --dap is meant to be started by an editor";

/// The error message of a failed request.
#[derive(Debug)]
struct RequestError(String);

impl RequestError {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl From<Error> for RequestError {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for RequestError {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// The response to a request.
type Response = Result<Value, RequestError>;

/// Serves a client until it sends `disconnect` or its stream ends. Files are resolved with the session; settings that a launch request
/// omits are taken from the defaults.
///
/// # Errors
/// If the output cannot be written.
pub fn run(
    antiquary: &Session<'_>,
    defaults: Defaults,
    from: impl BufRead + Send + 'static,
    to: &mut dyn Write,
) -> io::Result<Shutdown> {
    let inbox = Inbox::open(from, message::parse);
    let client = Client::new(to);
    Server { antiquary, defaults, inbox, client, first_line: 1, debuggee: None, is_ended: false }.serve()
}

/// An adapter with its client and the debugged session.
struct Server<'a> {
    antiquary: &'a Session<'a>,
    defaults: Defaults,
    inbox: Inbox<Received>,
    client: Client<'a>,
    /// Number of the first line, as counted by the client.
    first_line: i64,
    debuggee: Option<Debuggee>,
    /// Whether the client sent `disconnect`.
    is_ended: bool,
}

impl Server<'_> {
    fn serve(&mut self) -> io::Result<Shutdown> {
        while !self.is_ended {
            self.client.check()?;
            if self.is_running() && !self.inbox.is_ready() {
                self.continue_session();
                continue;
            }
            match self.inbox.recv() {
                None => return Ok(Shutdown::Aborted(END_OF_INPUT)),
                Some(Received::Refused(why)) => self.client.response(0, "", Err(why)),
                Some(Received::Broken(why)) => {
                    self.client.response(0, "", Err(why.to_owned()));
                    self.client.check()?;
                    return Ok(Shutdown::Aborted(why));
                }
                Some(Received::Request(request)) => self.respond(request),
            }
        }
        self.client.check()?;
        Ok(Shutdown::Clean)
    }

    /// Responds to a request. Errors and panics do not end the communication.
    fn respond(&mut self, request: Request) {
        let Request { seq, command, arguments } = request;
        let run = AssertUnwindSafe(|| self.request(&command, arguments));
        let response = catch_unwind(run).unwrap_or_else(|_| Err(RequestError::new("internal error")));
        let is_done = response.is_ok();
        self.client.response(seq, &command, response.map_err(|RequestError(why)| why));
        if is_done {
            self.after(&command);
        }
    }

    fn request(&mut self, command: &str, arguments: Value) -> Response {
        match command {
            "initialize" => {
                let given: Initialize = read(arguments)?;
                self.first_line = i64::from(given.lines_start_at1);
                Ok(capabilities())
            }
            "launch" => self.launch(arguments),
            "attach" => Err(RequestError::new("expected launch: there is no running game to attach to")),
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
            _ => Err(RequestError::new("unknown request")),
        }
    }

    /// Sends the events that follow a response.
    fn after(&mut self, command: &str) {
        match command {
            // Breakpoints can be set only after the launch.
            "launch" => self.client.event("initialized", json!({})),
            "terminate" => self.client.event("terminated", json!({})),
            "pause" => self.report_pause(),
            _ => {}
        }
    }

    /// The session, after it was launched.
    fn debuggee(&mut self) -> Result<&mut Debuggee, RequestError> {
        self.debuggee.as_mut().ok_or_else(|| RequestError::new("expected launch first"))
    }
}

/// Parses the arguments of a request. Missing arguments are treated as an empty object.
fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, RequestError> {
    let arguments = if arguments.is_null() { json!({}) } else { arguments };
    Ok(serde_json::from_value(arguments)?)
}

/// The capabilities of the adapter.
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
