//! Splits a text into actors.

use super::super::lex;
use crate::text::Problem;

/// An assignment in the header of an actor, such as `var2 = 5`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The name before `=`.
    pub name: String,
    /// The value.
    pub value: i32,
    /// The line, starting from 1.
    pub line: usize,
}

/// The part of a text that belongs to an actor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorText<'a> {
    /// The name.
    pub name: &'a str,
    /// The line with the name, starting from 1.
    pub line: usize,
    /// The assignments to its variables and attributes.
    pub assignments: Vec<Assignment>,
    /// The start of its main run: a label and its column.
    pub(super) start: Option<(u32, usize)>,
    /// The lines of its script.
    pub(super) body: Vec<(usize, &'a str)>,
    /// The line on which the script ends.
    pub(super) end: usize,
    /// The number of blocks that end with the script, without a closing brace.
    pub(super) unclosed: usize,
}

/// The text before the label of the start of the main run.
const START: &str = " (Execution starts at ";

/// The maximum number of errors; parsing stops after it.
const MAX_ERRORS: usize = 1000;

fn indentation(text: &str) -> usize {
    text.chars().take_while(|it| it.is_whitespace()).count()
}

/// Splits a text into actors. [`ActorText::parse`] parses their scripts.
///
/// # Errors
/// Returns all lines that belong to no actor.
pub fn split(text: &str) -> Result<Vec<ActorText<'_>>, Vec<Problem>> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index.saturating_add(1), lex::code(line)));
    let (mut out, mut assignments, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    while let Some((number, line)) = lines.next() {
        let code = line.trim_matches(|it: char| it.is_whitespace() || it == '\u{feff}');
        let mut fail =
            |column: usize, message: String| problems.push(Problem { line: number, column, message });
        if code.is_empty() || is_header(code) {
            continue;
        }
        if let Some((name, value)) = code.split_once('=') {
            match value.trim().parse() {
                Ok(value) => {
                    assignments.push(Assignment { name: name.trim().to_owned(), value, line: number });
                }
                Err(_) => fail(1, format!("expected a number after {} =", name.trim())),
            }
            continue;
        }
        if matches!(code, "{" | "}") {
            fail(
                indentation(line).saturating_add(1),
                format!("unexpected {code}: the name of an actor must precede its script"),
            );
            continue;
        }
        let (name, start) = match code.split_once(START) {
            None => (code, None),
            Some((name, label)) => {
                let digits = label.strip_prefix('#').and_then(|it| it.strip_suffix(')'));
                let label = digits.and_then(|it| u32::from_str_radix(it, 16).ok());
                let column = name.chars().count().saturating_add(START.len()).saturating_add(1);
                if label.is_none() {
                    fail(column, "expected a label and ): (Execution starts at #0E)".to_owned());
                }
                (name, label.map(|label| (label, column)))
            }
        };
        let mut actor = ActorText {
            name: name.trim(),
            line: number,
            assignments: std::mem::take(&mut assignments),
            start,
            body: Vec::new(),
            end: number,
            unclosed: 0,
        };
        if actor.take_body(&mut lines) {
            out.push(actor);
        } else {
            fail(1, format!("the script of {} has no end; enclose it in {{ and }}", actor.name));
        }
        if problems.len() >= MAX_ERRORS {
            break;
        }
    }
    if let Some(it) = assignments.first() {
        let message = format!("no actor follows {}", it.name);
        problems.push(Problem { line: it.line, column: 1, message });
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

/// Returns whether a line names the map and its worlds.
fn is_header(code: &str) -> bool {
    let begins = |word: &str| code.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
    begins("maps\\") || begins("maps/") || begins("id:") || begins("ids:")
}

impl<'a> ActorText<'a> {
    /// Reads the lines of the script and returns whether it has an end.
    fn take_body(&mut self, lines: &mut impl Iterator<Item = (usize, &'a str)>) -> bool {
        // The indentation of each open brace.
        let mut open: Vec<usize> = Vec::new();
        for (number, line) in lines {
            let code = line.trim();
            self.end = number;
            if code.ends_with('{') {
                open.push(indentation(line));
                if open.len() == 1 {
                    if code != "{" {
                        return false;
                    }
                    continue;
                }
            } else if open.is_empty() && !code.is_empty() {
                return false;
            } else if code == "}" {
                let depth = indentation(line);
                let first = open.first().copied().unwrap_or_default();
                // Mod Manager ends a script with one brace, regardless of open blocks.
                let ends_all = depth <= first && open.iter().skip(1).all(|it| *it > depth);
                open.pop();
                if open.is_empty() || ends_all {
                    self.unclosed = open.len();
                    return true;
                }
            }
            if !code.is_empty() {
                self.body.push((number, line));
            }
        }
        false
    }
}
