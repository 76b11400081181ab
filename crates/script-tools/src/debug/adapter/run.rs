//! Running and stopping a session, with events for the client.

use crate::framing::Inbox;
use antiquary::script::{SessionActor, SessionEvent, SessionEventKind};
use serde_json::{Value, json};

use super::message::{Client, Received, Thread};
use super::{RequestError, Response, Server, read};
use crate::debug::{Backward, Debugger, Motion, Observer, Reason, Trigger};

/// Approximate size of the chunks in which output is sent, in bytes.
const OUTPUT_CHUNK: usize = 8 << 10;

/// The activity of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Running {
    No,
    /// Starts a motion.
    Start(Motion),
    /// Resumes the motion that a message interrupted.
    Resume,
    Back(Backward),
}

/// Reports events to the client and checks for its messages.
struct Reporter<'a, 'b> {
    client: &'a mut Client<'b>,
    inbox: &'a mut Inbox<Received>,
    actors: &'a [SessionActor],
    /// Output that has not been sent.
    text: String,
}

impl Reporter<'_, '_> {
    fn flush(&mut self) {
        self.client.output("console", &std::mem::take(&mut self.text));
    }
}

impl Observer for Reporter<'_, '_> {
    fn on_event(&mut self, it: &SessionEvent) {
        // A task is visited in every update, which is too much output.
        if it.kind == SessionEventKind::Visit {
            return;
        }
        let actor = self.actors.get(it.actor).map_or("", |it| it.name.as_str());
        let line = format!("{:>6}  {actor:<9} {}\n", it.update, it.text);
        if it.kind == SessionEventKind::Line {
            self.flush();
            self.client.output("stdout", &line);
            return;
        }
        self.text.push_str(&line);
        if self.text.len() > OUTPUT_CHUNK {
            self.flush();
        }
    }

    fn should_pause(&mut self) -> bool {
        self.flush();
        self.inbox.is_ready()
    }
}

impl Server<'_> {
    pub(super) fn is_running(&self) -> bool {
        self.debuggee.as_ref().is_some_and(|it| it.running != Running::No)
    }

    /// Handles requests that run or stop a session.
    pub(super) fn control(&mut self, command: &str, arguments: Value) -> Response {
        let is_running = self.is_running();
        let debuggee = self.debuggee()?;
        let running = match command {
            "pause" if is_running => Running::No,
            "pause" => return Err(RequestError::new("the session is already paused")),
            _ if is_running => return Err(RequestError::new("the session is running")),
            "configurationDone" if debuggee.stops_on_entry => Running::Start(Motion::Step(None)),
            "configurationDone" | "continue" => Running::Start(Motion::Continue),
            "reverseContinue" => Running::Back(Backward::Stop),
            "restart" => Running::Back(Backward::Start),
            _ => {
                let thread: Thread = read(arguments)?;
                let actor = usize::try_from(thread.thread_id.saturating_sub(1)).ok();
                let actor = actor.filter(|it| *it < debuggee.debugger.actors().len());
                let actor = actor.ok_or_else(|| RequestError::new("threadId: no such thread"))?;
                debuggee.focus = actor;
                match command {
                    "next" => Running::Start(Motion::Next(actor)),
                    "stepIn" => Running::Start(Motion::Step(Some(actor))),
                    "stepOut" => Running::Start(Motion::Out(actor)),
                    _ => Running::Back(Backward::Step(Some(actor))),
                }
            }
        };
        debuggee.running = running;
        Ok(if command == "continue" { json!({ "allThreadsContinued": true }) } else { Value::Null })
    }

    /// Runs until something stops the session, or the client sends a message.
    pub(super) fn continue_session(&mut self) {
        let Some(debuggee) = &mut self.debuggee else { return };
        let running = debuggee.running;
        let actors = debuggee.debugger.actors().to_vec();
        let (client, inbox) = (&mut self.client, &mut self.inbox);
        let mut reporter = Reporter { client, inbox, actors: &actors, text: String::new() };
        let reason = match running {
            Running::No => return,
            Running::Start(motion) => debuggee.debugger.go(motion, &mut reporter),
            Running::Resume => debuggee.debugger.resume(&mut reporter),
            Running::Back(motion) => debuggee.debugger.go_back(motion, &mut reporter),
        };
        reporter.flush();
        match (running, &reason) {
            (Running::Back(_), Reason::Paused) => {}
            (_, Reason::Paused) => debuggee.running = Running::Resume,
            _ => self.stopped(reason),
        }
    }

    /// Reports to the client that the session stopped.
    fn stopped(&mut self, reason: Reason) {
        let Some(debuggee) = &mut self.debuggee else { return };
        debuggee.running = Running::No;
        if let Some(position) = debuggee.debugger.position() {
            debuggee.focus = position.actor;
        }
        let thread = debuggee.focus.saturating_add(1);
        let mut body = description(&reason, &debuggee.debugger, debuggee.stops_on_entry);
        // Only the first stop is the stop on entry.
        debuggee.stops_on_entry = false;
        debuggee.reason = Some(reason);
        if let Value::Object(body) = &mut body {
            body.insert("threadId".to_owned(), thread.into());
            body.insert("allThreadsStopped".to_owned(), true.into());
        }
        self.client.event("stopped", body);
    }

    /// Reports to the client that the session was paused at its request.
    pub(super) fn report_pause(&mut self) {
        self.stopped(Reason::Paused);
    }
}

/// The body of a `stopped` event.
fn description(reason: &Reason, debugger: &Debugger, is_entry: bool) -> Value {
    match reason {
        Reason::Arrived if is_entry => json!({ "reason": "entry" }),
        Reason::Arrived => json!({ "reason": "step" }),
        Reason::Paused => json!({ "reason": "pause" }),
        Reason::Waiting(what) => json!({ "reason": "pause", "description": format!("Waiting for {what}") }),
        Reason::Start => json!({ "reason": "entry", "description": "At the start" }),
        Reason::UpdateLimit(updates) => {
            json!({ "reason": "pause", "description": format!("Paused after {updates} updates") })
        }
        Reason::Fault(stop) => {
            json!({ "reason": "exception", "description": "A script failed", "text": stop.to_string() })
        }
        Reason::Breakpoints(hits) => {
            let ids: Vec<_> = hits.iter().map(|it| it.id).collect();
            let first =
                hits.first().and_then(|hit| debugger.breakpoints.all().iter().find(|it| it.id == hit.id));
            let kind = match first.map(|it| &it.trigger) {
                Some(Trigger::Call(_)) => "function breakpoint",
                Some(Trigger::Flag(_)) => "data breakpoint",
                Some(Trigger::Dialogue) => "exception",
                _ => "breakpoint",
            };
            let mut out = json!({ "reason": kind, "hitBreakpointIds": ids });
            let event = hits.iter().find_map(|it| it.event.as_ref());
            if let (Value::Object(out), Some(it)) = (&mut out, event) {
                out.insert("description".to_owned(), format!("After {}", it.text).into());
                out.insert("text".to_owned(), it.text.clone().into());
            }
            out
        }
    }
}
