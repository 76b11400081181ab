//! Requests about the position and the values of a session.

use antiquary::script::Watched;
use serde_json::{Map, Value, json};

use super::breakpoint::{MAX_NAME_BYTES, actor_of};
use super::launch::Debuggee;
use super::message::{Evaluate, Scopes, SetVariable, SourceRequest, StackTrace, Variables};
use super::{RequestError, Response, Server};
use crate::debug::{MAIN, RETURN};

/// Groups of values: their names in sessions and their titles.
const GROUPS: [(&str, &str); 6] = [
    ("local", "Locals"),
    ("task", "Tasks"),
    ("cursor", "Cursors"),
    ("attribute", "Attributes"),
    ("property", "Properties"),
    ("flag", "Flags"),
];

/// Variable references reserved per actor, one for each group.
const REFERENCES_PER_ACTOR: i64 = 8;

/// Maximum number of frames of an actor: the current position, and the return address of the subroutine.
const FRAMES: i64 = 2;

impl Server<'_> {
    pub(super) fn threads(&mut self) -> Response {
        let debuggee = self.debuggee()?;
        let actors = debuggee.debugger.actors().iter().enumerate();
        let scripted = actors.filter(|(_, it)| it.is_scripted).map(
            |(index, _)| json!({ "id": index.saturating_add(1), "name": debuggee.debugger.name(index) }),
        );
        Ok(json!({ "threads": scripted.collect::<Vec<_>>() }))
    }

    pub(super) fn stack_trace(&mut self, arguments: &StackTrace) -> Response {
        let first_line = self.first_line;
        let debuggee = self.debuggee()?;
        let actor = thread(debuggee, arguments.thread_id)?;
        let position = debuggee.debugger.position().filter(|it| it.actor == actor && it.at.is_some());
        let (at, stage) = match position {
            Some(position) => (position.at, position.stage),
            None => (debuggee.debugger.cursor(actor, MAIN), MAIN),
        };
        let caller = debuggee.debugger.cursor(actor, RETURN);
        let name = debuggee.debugger.name(actor).to_owned();
        let mut frames = Vec::new();
        frames.extend(at.map(|at| (at, format!("{name}: {stage}"))));
        frames.extend(caller.map(|at| (at, format!("{name}: return"))));
        let total = frames.len();
        let levels = if arguments.levels == 0 { usize::MAX } else { arguments.levels };
        let shown = frames.into_iter().enumerate().skip(arguments.start_frame).take(levels);
        let shown: Vec<_> =
            shown.map(|(level, (at, name))| frame(debuggee, actor, level, at, &name, first_line)).collect();
        Ok(json!({ "stackFrames": shown, "totalFrames": total }))
    }

    pub(super) fn scopes(&mut self, arguments: &Scopes) -> Response {
        let debuggee = self.debuggee()?;
        let actor = actor_of_frame(debuggee, arguments.frame_id)?;
        let watched = debuggee.debugger.watch(actor);
        let groups = GROUPS.iter().enumerate().filter_map(|(index, (group, title))| {
            let count = watched.iter().filter(|it| it.group == *group).count();
            let reference = reference(actor, index)?;
            let is_many = *group == "flag" || *group == "property";
            (count > 0).then(|| {
                json!({
                    "name": title, "variablesReference": reference, "namedVariables": count, "expensive": is_many,
                })
            })
        });
        Ok(json!({ "scopes": groups.collect::<Vec<_>>() }))
    }

    pub(super) fn variables(&mut self, arguments: &Variables) -> Response {
        let debuggee = self.debuggee()?;
        let (actor, group) = resolve_reference(debuggee, arguments.variables_reference)?;
        let watched = debuggee.debugger.watch(actor);
        let of_group = watched.iter().filter(|it| it.group == group);
        let count = if arguments.count == 0 { usize::MAX } else { arguments.count };
        let shown = of_group.skip(arguments.start).take(count).map(variable);
        Ok(json!({ "variables": shown.collect::<Vec<_>>() }))
    }

    pub(super) fn set_variable(&mut self, arguments: &SetVariable) -> Response {
        let debuggee = self.debuggee()?;
        let (actor, _) = resolve_reference(debuggee, arguments.variables_reference)?;
        let value = set(debuggee, actor, &arguments.name, &arguments.value)?;
        Ok(json!({ "value": value }))
    }

    pub(super) fn evaluate(&mut self, arguments: &Evaluate) -> Response {
        let debuggee = self.debuggee()?;
        let actor = arguments.frame_id.map_or(Ok(debuggee.focus), |frame| actor_of_frame(debuggee, frame))?;
        let expression = arguments.expression.trim();
        let is_command = arguments.context.as_deref() == Some("repl");
        let value = match expression.split_once('=') {
            Some((name, value)) if is_command => set(debuggee, actor, name.trim(), value.trim())?,
            _ => debuggee.debugger.get(actor, check_length(expression)?)?,
        };
        Ok(json!({ "result": value, "variablesReference": 0 }))
    }

    pub(super) fn source(&mut self, arguments: &SourceRequest) -> Response {
        let reference = arguments.source.source_reference.unwrap_or(arguments.source_reference);
        let debuggee = self.debuggee()?;
        let actor = actor_of(debuggee, reference)?;
        let listing = debuggee.debugger.listing(actor);
        let listing = listing.ok_or_else(|| RequestError::new("this actor has no script"))?;
        Ok(json!({ "content": listing.text }))
    }

    pub(super) fn loaded_sources(&mut self) -> Response {
        let debuggee = self.debuggee()?;
        let actors = debuggee.debugger.actors().iter().enumerate();
        let scripted = actors
            .filter(|(_, it)| it.is_scripted)
            .map(|(actor, _)| text_of(debuggee.debugger.name(actor), actor));
        Ok(json!({ "sources": scripted.collect::<Vec<_>>() }))
    }
}

/// A source that the client requests by its reference: the text of an actor's script.
fn text_of(name: &str, actor: usize) -> Value {
    json!({ "name": format!("{name}.soup"), "sourceReference": actor.saturating_add(1) })
}

fn frame(debuggee: &mut Debuggee, actor: usize, level: usize, at: u32, name: &str, first_line: i64) -> Value {
    let listing = debuggee.debugger.listing(actor);
    let line = listing.and_then(|it| it.line_of(at));
    let file = debuggee.files.get(&actor).zip(line).and_then(|(file, line)| {
        let pair = file.pairs.iter().find(|(_, scripted)| *scripted == line)?;
        Some((file.path.clone(), pair.0))
    });
    let (source, line) = match file {
        Some((path, line)) => {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            (json!({ "name": file, "path": path }), Some(line))
        }
        None => (text_of(debuggee.debugger.name(actor), actor), line),
    };
    let from_zero = line.and_then(|line| i64::try_from(line).ok()).unwrap_or(1).saturating_sub(1);
    let mut out = Map::new();
    out.insert("id".to_owned(), actor.saturating_mul(2).saturating_add(level).saturating_add(1).into());
    out.insert("name".to_owned(), format!("{name} 0x{at:x}").into());
    out.insert("line".to_owned(), from_zero.saturating_add(first_line).into());
    out.insert("column".to_owned(), 1.into());
    out.insert("source".to_owned(), source);
    out.into()
}

fn variable(it: &Watched) -> Value {
    let mut out = json!({
        "name": it.name, "value": it.value, "evaluateName": it.name, "variablesReference": 0,
    });
    if it.group == "task"
        && let Value::Object(out) = &mut out
    {
        out.insert("presentationHint".to_owned(), json!({ "attributes": ["readOnly"] }));
    }
    out
}

/// Sets a value and returns the new value.
fn set(debuggee: &mut Debuggee, actor: usize, name: &str, value: &str) -> Result<String, RequestError> {
    debuggee.debugger.set(actor, check_length(name)?, check_length(value)?)?;
    Ok(debuggee.debugger.get(actor, name)?)
}

/// Refuses names and values that are too long.
fn check_length(text: &str) -> Result<&str, RequestError> {
    match text.len() {
        0..=MAX_NAME_BYTES => Ok(text),
        length => Err(RequestError::new(format!(
            "a name or value of {length} bytes is too long; the limit is {MAX_NAME_BYTES}"
        ))),
    }
}

/// The actor of a thread id.
fn thread(debuggee: &Debuggee, id: i64) -> Result<usize, RequestError> {
    actor_of(debuggee, id).map_err(|_| RequestError::new("threadId: no such thread"))
}

/// The actor of a frame id.
fn actor_of_frame(debuggee: &Debuggee, frame: i64) -> Result<usize, RequestError> {
    let actor = frame
        .checked_sub(1)
        .filter(|it| *it >= 0)
        .and_then(|it| usize::try_from(it.checked_div(FRAMES)?).ok());
    let actor = actor.filter(|it| *it < debuggee.debugger.actors().len());
    actor.ok_or_else(|| RequestError::new("frameId: no such frame"))
}

/// The variable reference of a group of an actor's values.
fn reference(actor: usize, group: usize) -> Option<i64> {
    let (actor, group) = (i64::try_from(actor).ok()?, i64::try_from(group).ok()?);
    actor.checked_mul(REFERENCES_PER_ACTOR)?.checked_add(group)?.checked_add(1)
}

/// The actor and the group of a variable reference.
fn resolve_reference(debuggee: &Debuggee, reference: i64) -> Result<(usize, &'static str), RequestError> {
    let number = reference.checked_sub(1).filter(|it| *it >= 0);
    let actor = number.and_then(|it| usize::try_from(it.checked_div(REFERENCES_PER_ACTOR)?).ok());
    let actor = actor.filter(|it| *it < debuggee.debugger.actors().len());
    let group =
        number.and_then(|it| GROUPS.get(usize::try_from(it.checked_rem(REFERENCES_PER_ACTOR)?).ok()?));
    let found = actor.zip(group.map(|(group, _)| *group));
    found.ok_or_else(|| RequestError::new("variablesReference: no such values"))
}
