//! Output of the prompt.

use std::io::{self, Write};

use antiquary::script::Watched;
use script_tools::debug::{Breakpoint, Debugger, Listing, Position, Reason, Trigger};

use super::command::COMMANDS;
use crate::escape::Escaped;
use crate::style::{DIMMED, ERROR, TITLE};

/// Number of lines shown before and after the position.
const CONTEXT: usize = 5;

/// Prints the list of commands.
pub(super) fn help(out: &mut impl Write) -> io::Result<()> {
    for it in &COMMANDS {
        let usage = format!("{} {}", it.name, it.arguments);
        writeln!(out, "{TITLE}{usage:<36}{TITLE:#} {:<4} {}", it.short, it.about)?;
    }
    Ok(())
}

/// Prints the reason that the session stopped.
pub(super) fn reason(out: &mut impl Write, reason: &Reason) -> io::Result<()> {
    match reason {
        Reason::Arrived => Ok(()),
        Reason::Breakpoints(hits) => {
            for hit in hits {
                write!(out, "{TITLE}breakpoint {}{TITLE:#}", hit.id)?;
                if let Some(it) = &hit.event {
                    write!(out, ": after {}", Escaped(&it.text))?;
                }
                writeln!(out)?;
            }
            Ok(())
        }
        Reason::Fault(stop) => writeln!(out, "{ERROR}fault{ERROR:#}: {}", Escaped(&stop.to_string())),
        Reason::UpdateLimit(updates) => writeln!(out, "paused after {updates} updates without a stop"),
        Reason::Waiting(what) => writeln!(out, "waiting for {}", Escaped(what)),
        Reason::Paused => writeln!(out, "paused"),
        Reason::Start => writeln!(out, "at the start"),
    }
}

/// Prints the current position and the statement there.
pub(super) fn position(out: &mut impl Write, debugger: &mut Debugger) -> io::Result<()> {
    let Some(position) = debugger.position() else {
        let updates = debugger.updates();
        return writeln!(out, "between updates; complete: {updates}");
    };
    let Position { actor, update, stage, at, line } = position;
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

/// Prints the lines around the position of an actor, or around a line.
pub(super) fn list(
    out: &mut impl Write,
    debugger: &Debugger,
    actor: usize,
    listing: &Listing,
    here: Option<usize>,
    around: Option<usize>,
) -> io::Result<()> {
    let middle = around.or(here).unwrap_or(CONTEXT).max(1);
    let first = middle.saturating_sub(CONTEXT).max(1);
    let count = listing.text.lines().count();
    let places = debugger.breakpoints.all().iter().filter_map(|it| match &it.trigger {
        Trigger::Statement { at, .. } if debugger.breakpoints.is_at(actor, *at) => listing.line_of(*at),
        _ => None,
    });
    let places: Vec<usize> = places.collect();
    for line in first..=middle.saturating_add(CONTEXT).min(count) {
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

/// Prints a breakpoint.
pub(super) fn breakpoint(out: &mut impl Write, debugger: &mut Debugger, it: &Breakpoint) -> io::Result<()> {
    let Breakpoint { id, trigger, stop_condition, hits, .. } = it;
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
    write!(out, "{}", Escaped(&stop_condition.to_string()))?;
    match hits {
        0 => writeln!(out),
        hits => writeln!(out, " (stopped here: {hits})"),
    }
}

/// Prints values and returns their number.
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
