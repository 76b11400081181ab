//! Values of a session that can be inspected and changed by name.

use files::suggest::did_you_mean;
use record::{Error, Result};
use soup::machine::{Control, Machine};

use super::Code;
use super::event::Watched;

/// Parses a number: decimal, hexadecimal with `0x`, or `true` and `false`.
pub(super) fn number(text: &str) -> Result<i32> {
    let lower = text.trim().to_lowercase();
    let hexadecimal = |digits: &str| i32::try_from(i64::from_str_radix(digits, 16).ok()?).ok();
    let number = match lower.as_str() {
        "true" => Some(1),
        "false" => Some(0),
        text => match text.strip_prefix("0x") {
            Some(digits) => hexadecimal(digits),
            None => text.parse().ok(),
        },
    };
    number.ok_or_else(|| Error::usage(format!("\"{text}\" is not a number")))
}

/// Returns the error for an unknown name.
pub(super) fn unknown(name: &str, code: &Code, noun: &str) -> Error {
    let definitions = &code.declarations.definitions;
    let flags = definitions.flags.iter().map(|it| it.name.as_str());
    let suggestion = did_you_mean(name, flags.chain(definitions.references.iter().map(String::as_str)));
    Error::usage(format!("there is no {noun} called \"{name}\"{suggestion}"))
}

/// Returns the values of an actor's script.
pub(super) fn watch(machine: &Machine, actor: usize) -> Vec<Watched> {
    let Some(it) = machine.state.actors.get(actor) else { return Vec::new() };
    let watched = |group, name: &str, value: String| Watched { group, name: name.to_owned(), value };
    let offset = |at: Option<u32>| at.map_or_else(|| "none".to_owned(), |at| format!("0x{at:x}"));
    let mut out = vec![
        watched("cursor", "main", offset(Some(it.main))),
        watched("cursor", "entry", offset(it.entry)),
        watched("cursor", "return_slot", offset(it.return_slot)),
        watched("cursor", "script_rv", it.script_rv.to_string()),
        watched("cursor", "anchor", it.anchor.to_string()),
        watched("cursor", "control", it.control.0.to_string()),
    ];
    for (number, value) in it.locals.iter().enumerate() {
        out.push(watched("local", &format!("var{number}"), value.to_string()));
    }
    for (number, task) in it.tasks().into_iter().enumerate() {
        let name = machine.declarations.function(task.call.function);
        let kind = if task.is_blocking { "task" } else { "multitask" };
        let paused = if task.is_paused { ", paused" } else { "" };
        let value = format!("{kind} {name} at 0x{:x}, timer {}{paused}", task.operand, task.timer);
        out.push(watched("task", &format!("task{number}"), value));
    }
    let flags = machine.declarations.definitions.flags.iter().zip(&machine.state.flags);
    out.extend(flags.map(|(defined, flag)| watched("flag", &defined.name, flag.value.to_string())));
    out
}

/// Sets a value of an actor's script. Returns `false` if the name is unknown.
pub(super) fn set(machine: &mut Machine, actor: usize, name: &str, number: i32) -> Result<bool> {
    let Some(it) = machine.state.actors.get_mut(actor) else { return Ok(false) };
    let byte =
        || u8::try_from(number).map_err(|_| Error::usage(format!("{name} must be a number from 0 to 255")));
    let offset = || u32::try_from(number).map_err(|_| Error::usage(format!("{name} must be an offset")));
    match name.to_lowercase().as_str() {
        "main" => it.main = offset()?,
        "entry" => it.entry = Some(offset()?),
        "return_slot" => it.return_slot = Some(offset()?),
        "script_rv" => it.script_rv = byte()?,
        "anchor" => it.anchor = byte()?,
        "control" => it.control = Control(byte()?),
        name => {
            let local = name.strip_prefix("var").and_then(|it| it.parse::<usize>().ok());
            let Some(local) = local.and_then(|local| it.locals.get_mut(local)) else { return Ok(false) };
            *local = number;
        }
    }
    Ok(true)
}
