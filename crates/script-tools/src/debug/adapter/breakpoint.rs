//! Requests that set breakpoints.

use std::path::PathBuf;

use antiquary::files::suggest::did_you_mean;
use serde_json::{Value, json};

use super::launch::{Debuggee, File, Origin};
use super::message::{LineBreakpoint, SetBreakpoints, SetExceptionBreakpoints, SetFunctionBreakpoints, When};
use super::text::TextFile;
use super::{RequestError, Response, Server};
use crate::debug::{Listing, StopCondition, Trigger};

/// Maximum number of breakpoints in one request.
const MAX_BREAKPOINTS: usize = 4096;

/// Maximum length of a condition, in bytes.
const MAX_CONDITION_BYTES: usize = 4096;

/// Maximum length of a name or value, in bytes.
pub(super) const MAX_NAME_BYTES: usize = 256;

/// An exception filter: stops a session at any event of a kind.
pub(super) struct Filter {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) about: &'static str,
    pub(super) is_default: bool,
}

pub(super) const FILTERS: [Filter; 3] = [
    Filter { name: "fault", label: "Faults", about: "Stop when a script fails", is_default: true },
    Filter { name: "dialogue", label: "Dialogue", about: "Stop after a line of dialogue", is_default: false },
    Filter { name: "flag", label: "Flags", about: "Stop after any change of a flag", is_default: false },
];

impl Server<'_> {
    pub(super) fn set_breakpoints(&mut self, arguments: SetBreakpoints) -> Response {
        let first_line = self.first_line;
        let debuggee = self.debuggee()?;
        bounded(arguments.breakpoints.len())?;
        let lines =
            arguments.breakpoints.iter().map(|it| it.line.saturating_sub(first_line).saturating_add(1));
        let lines: Vec<usize> = lines.map(|it| usize::try_from(it).unwrap_or(0)).collect();
        let reference = arguments.source.source_reference.filter(|it| *it != 0);
        let (origin, actor, file) = match (reference, arguments.source.path) {
            (Some(reference), _) => {
                let actor = actor_of(debuggee, reference)?;
                (Origin::Script(actor), actor, None)
            }
            (None, Some(path)) => {
                let (actor, file) = match file_of(debuggee, path.clone()) {
                    Ok(found) => found,
                    Err(RequestError(why)) => {
                        let unverified = |_: &usize| json!({ "verified": false, "message": why });
                        debuggee.replace(Origin::File(path), Vec::new());
                        return Ok(
                            json!({ "breakpoints": lines.iter().map(unverified).collect::<Vec<_>>() }),
                        );
                    }
                };
                (Origin::File(path), actor, Some(file))
            }
            (None, None) => return Err(RequestError::new("source: expected path or sourceReference")),
        };
        let listing = debuggee.debugger.listing(actor).unwrap_or_default();
        let locate = |(line, it): (&usize, &LineBreakpoint)| {
            let (at, line) = verified(*line, &listing, file.as_ref())?;
            Ok((at, line, stop_condition(debuggee, actor, &it.when)?))
        };
        let located: Vec<Result<_, String>> = lines.iter().zip(&arguments.breakpoints).map(locate).collect();
        let found = located.iter().flatten();
        let triggers = found
            .map(|(at, _, condition)| (Trigger::Statement { actor, at: *at }, condition.clone()))
            .collect();
        let mut ids = debuggee.replace(origin, triggers).into_iter();
        if let Some(file) = file {
            debuggee.files.insert(actor, file);
        }
        let results = located.into_iter().map(|located| match located {
            Ok((_, line, _)) => {
                let line =
                    i64::try_from(line).unwrap_or(i64::MAX).saturating_sub(1).saturating_add(first_line);
                json!({ "id": ids.next(), "verified": true, "line": line })
            }
            Err(why) => json!({ "verified": false, "message": why }),
        });
        Ok(json!({ "breakpoints": results.collect::<Vec<_>>() }))
    }

    pub(super) fn set_function_breakpoints(&mut self, arguments: &SetFunctionBreakpoints) -> Response {
        bounded(arguments.breakpoints.len())?;
        let debuggee = self.debuggee()?;
        if arguments.breakpoints.iter().any(|it| it.name.len() > MAX_NAME_BYTES) {
            return Err(RequestError::new("breakpoints: a name is too long"));
        }
        let focus = debuggee.focus;
        let conditions: Vec<_> =
            arguments.breakpoints.iter().map(|it| stop_condition(debuggee, focus, &it.when)).collect();
        let triggers = arguments.breakpoints.iter().zip(&conditions).filter_map(|(it, condition)| {
            Some((Trigger::Call(it.name.trim().to_owned()), condition.as_ref().ok()?.clone()))
        });
        let mut ids = debuggee.replace(Origin::Functions, triggers.collect()).into_iter();
        let results = conditions.into_iter().map(|condition| match condition {
            Ok(_) => json!({ "id": ids.next(), "verified": true }),
            Err(why) => json!({ "verified": false, "message": why }),
        });
        Ok(json!({ "breakpoints": results.collect::<Vec<_>>() }))
    }

    pub(super) fn set_exception_breakpoints(&mut self, arguments: &SetExceptionBreakpoints) -> Response {
        bounded(arguments.filters.len())?;
        let debuggee = self.debuggee()?;
        let unknown =
            arguments.filters.iter().find(|it| FILTERS.iter().all(|known| known.name != it.as_str()));
        if let Some(unknown) = unknown {
            let unknown: String = unknown.chars().take(MAX_NAME_BYTES).collect();
            let meant = did_you_mean(&unknown, FILTERS.iter().map(|it| it.name));
            return Err(RequestError::new(format!("filters: unknown filter \"{unknown}\"{meant}")));
        }
        let has = |name: &str| arguments.filters.iter().any(|it| it == name);
        debuggee.debugger.stops_at_faults = has("fault");
        let dialogue = has("dialogue").then_some(Trigger::Dialogue);
        let flag = has("flag").then_some(Trigger::Flag(None));
        let triggers = dialogue.into_iter().chain(flag).map(|it| (it, StopCondition::default()));
        debuggee.replace(Origin::Filters, triggers.collect());
        Ok(Value::Null)
    }
}

impl Debuggee {
    /// Replaces the breakpoints of an origin. Returns their numbers.
    fn replace(&mut self, origin: Origin, triggers: Vec<(Trigger, StopCondition)>) -> Vec<u32> {
        let breakpoints = &mut self.debugger.breakpoints;
        let before = self.ids.remove(&origin).unwrap_or_default();
        let ids: Vec<u32> =
            triggers.into_iter().map(|(it, condition)| breakpoints.add_conditional(it, condition)).collect();
        let is_kept = |id: &u32| ids.contains(id) || self.ids.values().any(|others| others.contains(id));
        for id in before.iter().filter(|id| !is_kept(id)) {
            breakpoints.remove(*id);
        }
        self.ids.insert(origin, ids.clone());
        ids
    }
}

/// The stop condition of a breakpoint of an actor, or an error message.
fn stop_condition(debuggee: &Debuggee, actor: usize, when: &When) -> Result<StopCondition, String> {
    let given =
        |text: &Option<String>| text.as_deref().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned);
    let condition = given(&when.condition);
    if let Some(condition) = &condition {
        if condition.len() > MAX_CONDITION_BYTES {
            return Err("the condition is too long".to_owned());
        }
        debuggee.debugger.holds(actor, condition).map_err(|error| error.to_string())?;
    }
    let hit_count = given(&when.hit_condition).map(|it| it.parse()).transpose()?;
    Ok(StopCondition { condition, hit_count })
}

fn bounded(count: usize) -> Result<(), RequestError> {
    match count {
        0..=MAX_BREAKPOINTS => Ok(()),
        _ => Err(RequestError::new(format!(
            "breakpoints: {count} are too many; the limit is {MAX_BREAKPOINTS}"
        ))),
    }
}

/// The actor whose text has this source reference.
pub(super) fn actor_of(debuggee: &Debuggee, reference: i64) -> Result<usize, RequestError> {
    let actor = reference.checked_sub(1).and_then(|it| usize::try_from(it).ok());
    let actor = actor.filter(|it| *it < debuggee.debugger.actors().len());
    actor.ok_or_else(|| RequestError::new("sourceReference: no such text"))
}

/// The actor of a file, and the pairs of corresponding lines in the file and the script.
fn file_of(debuggee: &mut Debuggee, path: PathBuf) -> Result<(usize, File), RequestError> {
    let text = TextFile::read(&path)?;
    let name =
        text.actor.as_ref().ok_or_else(|| RequestError::new("expected actor \"NAME\" on the first line"))?;
    let actor = debuggee.debugger.find(name)?;
    let listing = debuggee.debugger.listing(actor);
    let listing = listing.ok_or_else(|| RequestError::new(format!("{name} has no script")))?;
    Ok((actor, File { pairs: text.pairs(&listing.text), path }))
}

/// The statement at or after a line of the script or the file: its offset, and its line in the same text.
fn verified(line: usize, listing: &Listing, file: Option<&File>) -> Result<(u32, usize), &'static str> {
    const NONE: &str = "no statement at or after this line";
    let Some(file) = file else { return listing.statement_from(line).ok_or(NONE) };
    let (written, scripted) = *file.pairs.iter().find(|(written, _)| *written >= line).ok_or(NONE)?;
    let (at, found) = listing.statement_from(scripted).ok_or(NONE)?;
    if found == scripted {
        return Ok((at, written));
    }
    // A line without a statement, such as a label.
    let written = file.pairs.iter().find(|(_, scripted)| *scripted == found);
    let (written, _) =
        written.ok_or("the script in the map differs here; assemble the text into the map first")?;
    Ok((at, *written))
}
