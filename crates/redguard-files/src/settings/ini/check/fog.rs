//! Checks FOG.INI.

use asset::Report;

use super::super::fog::{END, Token, tokens};
use super::super::value::{integer, is_number};
use super::Subject;
use super::warning::{FOG, UNUSED};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let mut tokens = tokens(subject.settings.ini());
    let mut before = -1;
    loop {
        let Some(token) = tokens.next() else {
            report.warn(&FOG, format!("the table does not end with {END}"));
            return;
        };
        let Some(index) = number(&token, report) else {
            tokens.next();
            continue;
        };
        if index == END {
            break;
        }
        if !(0..END).contains(&index) {
            warn(&token, format_args!("index {index} (valid: 0 to {END})"), report);
        } else if index <= before {
            let problem = format_args!("index {index} is not greater than the previous index {before}");
            warn(&token, problem, report);
        }
        before = index;
        match tokens.next() {
            Some(value) => density(&value, report),
            None => warn(&token, format_args!("index {index} has no density"), report),
        }
    }
    if let Some(token) = tokens.next() {
        let message = format!("line {}: the game ignores \"{}\" after {END}", token.line, token.text);
        report.warn(&UNUSED, message).at(token.offset);
    }
}

fn density(token: &Token, report: &mut Report) {
    if let Some(value) = number(token, report).filter(|value| !(0..256).contains(value)) {
        warn(token, format_args!("density {value} (valid: 0 to 255)"), report);
    }
}

/// Reads a number, or reports that it is none.
fn number(token: &Token, report: &mut Report) -> Option<i32> {
    if is_number(&token.text) {
        return Some(integer(&token.text));
    }
    warn(token, format_args!("\"{}\" is not a number; expected INDEX,DENSITY", token.text), report);
    None
}

fn warn(token: &Token, problem: std::fmt::Arguments<'_>, report: &mut Report) {
    report.warn(&FOG, format!("line {}: {problem}", token.line)).at(token.offset);
}
