//! How a session goes on and stops, as the client is told.

use crate::framing::Inbox;
use antiquary::script::{Happening, HappeningKind, SessionActor};
use serde_json::{Value, json};

use super::message::{Client, Received, Thread};
use super::{Answer, Refusal, Server, read};
use crate::debug::{Backward, Debugger, Motion, Observer, Reason, Trigger};

/// Output is sent in parts of about so many bytes.
const OUTPUT: usize = 8 << 10;

/// Whether a session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Running {
    No,
    /// It begins to go on.
    Start(Motion),
    /// It goes on with what it did before a message came.
    Resume,
    Back(Backward),
}

/// Tells the client what happens, and sees when it says something.
struct Reporter<'a, 'b> {
    client: &'a mut Client<'b>,
    inbox: &'a mut Inbox<Received>,
    actors: &'a [SessionActor],
    /// What was not sent yet.
    text: String,
}

impl Reporter<'_, '_> {
    fn flush(&mut self) {
        self.client.output("console", &std::mem::take(&mut self.text));
    }
}

impl Observer for Reporter<'_, '_> {
    fn happened(&mut self, it: &Happening) {
        // A task is visited in each update: too much to be read.
        if it.kind == HappeningKind::Visit {
            return;
        }
        let actor = self.actors.get(it.actor).map_or("", |it| it.name.as_str());
        let line = format!("{:>6}  {actor:<9} {}\n", it.update, it.text);
        if it.kind == HappeningKind::Line {
            self.flush();
            self.client.output("stdout", &line);
            return;
        }
        self.text.push_str(&line);
        if self.text.len() > OUTPUT {
            self.flush();
        }
    }

    fn is_pausing(&mut self) -> bool {
        self.flush();
        self.inbox.has_mail()
    }
}

impl Server<'_> {
    pub(super) fn is_running(&self) -> bool {
        self.debuggee.as_ref().is_some_and(|it| it.running != Running::No)
    }

    /// Requests that let a session go on, or stop it.
    pub(super) fn control(&mut self, command: &str, arguments: Value) -> Answer {
        let is_running = self.is_running();
        let debuggee = self.debuggee()?;
        let running = match command {
            "pause" if is_running => Running::No,
            "pause" => return Err(Refusal::new("the session is paused already")),
            _ if is_running => return Err(Refusal::new("the session is running")),
            "configurationDone" if debuggee.stops_on_entry => Running::Start(Motion::Step(None)),
            "configurationDone" | "continue" => Running::Start(Motion::Continue),
            "reverseContinue" => Running::Back(Backward::Stop),
            "restart" => Running::Back(Backward::Start),
            _ => {
                let thread: Thread = read(arguments)?;
                let actor = usize::try_from(thread.thread_id.saturating_sub(1)).ok();
                let actor = actor.filter(|it| *it < debuggee.debugger.actors().len());
                let actor = actor.ok_or_else(|| Refusal::new("threadId: no such thread"))?;
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

    /// Goes on until something stops the session, or the client says something.
    pub(super) fn go_on(&mut self) {
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

    /// Tells the client that the session stopped.
    fn stopped(&mut self, reason: Reason) {
        let Some(debuggee) = &mut self.debuggee else { return };
        debuggee.running = Running::No;
        if let Some(place) = debuggee.debugger.place() {
            debuggee.focus = place.actor;
        }
        let thread = debuggee.focus.saturating_add(1);
        let mut body = description(&reason, &debuggee.debugger, debuggee.stops_on_entry);
        // Only the first stop is that at the entry.
        debuggee.stops_on_entry = false;
        debuggee.reason = Some(reason);
        if let Value::Object(body) = &mut body {
            body.insert("threadId".to_owned(), thread.into());
            body.insert("allThreadsStopped".to_owned(), true.into());
        }
        self.client.event("stopped", body);
    }

    /// Tells the client that the session was paused by it.
    pub(super) fn report_pause(&mut self) {
        self.stopped(Reason::Paused);
    }
}

/// Why a session stopped, in the words of the protocol.
fn description(reason: &Reason, debugger: &Debugger, is_entry: bool) -> Value {
    match reason {
        Reason::Arrived if is_entry => json!({ "reason": "entry" }),
        Reason::Arrived => json!({ "reason": "step" }),
        Reason::Paused => json!({ "reason": "pause" }),
        Reason::Waiting(what) => json!({ "reason": "pause", "description": format!("Waiting for {what}") }),
        Reason::Start => json!({ "reason": "entry", "description": "At the start" }),
        Reason::Bound(updates) => {
            json!({ "reason": "pause", "description": format!("Paused after {updates} updates") })
        }
        Reason::Fault(stop) => {
            json!({ "reason": "exception", "description": "A script cannot go on", "text": stop.to_string() })
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
            let happening = hits.iter().find_map(|it| it.happening.as_ref());
            if let (Value::Object(out), Some(it)) = (&mut out, happening) {
                out.insert("description".to_owned(), format!("After {}", it.text).into());
                out.insert("text".to_owned(), it.text.clone().into());
            }
            out
        }
    }
}
