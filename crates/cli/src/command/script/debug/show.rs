//! What the prompt prints.

use std::io::{self, Write};

use antiquary::script::Watched;
use script_tools::debug::{Breakpoint, Debugger, Listing, Place, Reason, Trigger};

use super::command::ALL;
use crate::escape::Escaped;
use crate::style::{DIMMED, ERROR, TITLE};

/// So many lines are shown in front of and behind the position.
const AROUND: usize = 5;

/// The list of commands.
pub(super) fn help(out: &mut impl Write) -> io::Result<()> {
    for it in &ALL {
        let usage = format!("{} {}", it.name, it.takes);
        writeln!(out, "{TITLE}{usage:<36}{TITLE:#} {:<4} {}", it.short, it.about)?;
    }
    Ok(())
}

/// Why the session stopped.
pub(super) fn reason(out: &mut impl Write, reason: &Reason) -> io::Result<()> {
    match reason {
        Reason::Arrived => Ok(()),
        Reason::Breakpoints(hits) => {
            for hit in hits {
                write!(out, "{TITLE}breakpoint {}{TITLE:#}", hit.id)?;
                if let Some(it) = &hit.happening {
                    write!(out, ": after {}", Escaped(&it.text))?;
                }
                writeln!(out)?;
            }
            Ok(())
        }
        Reason::Fault(stop) => writeln!(out, "{ERROR}fault{ERROR:#}: {}", Escaped(&stop.to_string())),
        Reason::Bound(updates) => writeln!(out, "paused after {updates} updates without a stop"),
        Reason::Waiting(what) => writeln!(out, "waiting for {}", Escaped(what)),
        Reason::Paused => writeln!(out, "paused"),
        Reason::Start => writeln!(out, "at the start"),
    }
}

/// Where the session is, and the statement there.
pub(super) fn place(out: &mut impl Write, debugger: &mut Debugger) -> io::Result<()> {
    let Some(place) = debugger.place() else {
        let updates = debugger.updates();
        return writeln!(out, "between updates; complete: {updates}");
    };
    let Place { actor, update, stage, at, line } = place;
    let name = debugger.name(actor);
    let line_shown = line.map_or_else(String::new, |line| format!(":{line}"));
    let at = at.map_or_else(String::new, |at| format!(" 0x{at:x}"));
    writeln!(out, "{TITLE}{}{line_shown}{TITLE:#}{at} (update {update}, {stage})", Escaped(name))?;
    if let (Some(line), Some(listing)) = (line, debugger.listing(actor)) {
        numbered(out, &listing, line, "=>")?;
    }
    Ok(())
}

fn numbered(out: &mut impl Write, listing: &Listing, line: usize, mark: &str) -> io::Result<()> {
    let text = listing.line(line).unwrap_or_default();
    writeln!(out, "{mark:>3} {DIMMED}{line:>5}{DIMMED:#}  {}", Escaped(text))
}

/// The lines around the position of an actor, or around a line.
pub(super) fn list(
    out: &mut impl Write,
    debugger: &Debugger,
    actor: usize,
    listing: &Listing,
    here: Option<usize>,
    around: Option<usize>,
) -> io::Result<()> {
    let middle = around.or(here).unwrap_or(AROUND).max(1);
    let first = middle.saturating_sub(AROUND).max(1);
    let count = listing.text.lines().count();
    let places = debugger.breakpoints.all().iter().filter_map(|it| match &it.trigger {
        Trigger::Statement { at, .. } if debugger.breakpoints.is_at(actor, *at) => listing.line_of(*at),
        _ => None,
    });
    let places: Vec<usize> = places.collect();
    for line in first..=middle.saturating_add(AROUND).min(count) {
        let mark = match (Some(line) == here, places.contains(&line)) {
            (true, true) => "*=>",
            (true, false) => "=>",
            (false, true) => "*",
            (false, false) => "",
        };
        numbered(out, listing, line, mark)?;
    }
    Ok(())
}

/// A breakpoint.
pub(super) fn breakpoint(out: &mut impl Write, debugger: &mut Debugger, it: &Breakpoint) -> io::Result<()> {
    let Breakpoint { id, trigger, stops_when, hits, .. } = it;
    write!(out, "breakpoint {id}: ")?;
    match trigger {
        Trigger::Statement { actor, at } => {
            let line = debugger.listing(*actor).and_then(|it| it.line_of(*at));
            let line = line.map_or_else(String::new, |line| format!(":{line}"));
            write!(out, "{}{line} 0x{at:x}", Escaped(debugger.name(*actor)))?;
        }
        Trigger::Call(name) => write!(out, "call {}", Escaped(name))?,
        Trigger::Flag(Some(name)) => write!(out, "flag {}", Escaped(name))?,
        Trigger::Flag(None) => write!(out, "any flag")?,
        Trigger::Dialogue => write!(out, "dialogue")?,
    }
    write!(out, "{}", Escaped(&stops_when.to_string()))?;
    match hits {
        0 => writeln!(out),
        hits => writeln!(out, " (stopped here: {hits})"),
    }
}

/// Values, with their groups if asked for.
pub(super) fn values<'a>(
    out: &mut impl Write,
    values: impl Iterator<Item = &'a Watched>,
) -> io::Result<usize> {
    let mut count = 0_usize;
    for it in values {
        writeln!(out, "{} = {}", Escaped(&it.name), Escaped(&it.value))?;
        count += 1;
    }
    Ok(count)
}
