//! The actors of a text.

use super::super::lex;
use crate::text::Problem;

/// A line that gives a value: `var2 = 5`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// What stands before `=`.
    pub name: String,
    /// The value.
    pub value: i32,
    /// The line, from 1 on.
    pub line: usize,
}

/// What a text says of an actor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorText<'a> {
    /// Its name.
    pub name: &'a str,
    /// The line with the name, from 1 on.
    pub line: usize,
    /// Its variables and attributes.
    pub given: Vec<Given>,
    /// Where its main run begins: a label, and its column.
    pub(super) start: Option<(u32, usize)>,
    /// The lines of its script.
    pub(super) body: Vec<(usize, &'a str)>,
    /// The line on which the script ends.
    pub(super) end: usize,
    /// The blocks that end with the script, without a brace of their own.
    pub(super) unclosed: usize,
}

/// The words in front of the label where the main run begins.
const START: &str = " (Execution starts at ";

/// After so many errors a text is not read on.
const MOST: usize = 1000;

fn indentation(text: &str) -> usize {
    text.chars().take_while(|it| it.is_whitespace()).count()
}

/// The actors of a text, whose scripts are read with [`ActorText::parse`].
///
/// # Errors
/// All lines that belong to no actor.
pub fn split(text: &str) -> Result<Vec<ActorText<'_>>, Vec<Problem>> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index.saturating_add(1), lex::code(line)));
    let (mut out, mut given, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    while let Some((number, line)) = lines.next() {
        let code = line.trim_matches(|it: char| it.is_whitespace() || it == '\u{feff}');
        let mut fail =
            |column: usize, message: String| problems.push(Problem { line: number, column, message });
        if code.is_empty() || is_header(code) {
            continue;
        }
        if let Some((name, value)) = code.split_once('=') {
            match value.trim().parse() {
                Ok(value) => given.push(Given { name: name.trim().to_owned(), value, line: number }),
                Err(_) => fail(1, format!("expected a number behind {} =", name.trim())),
            }
            continue;
        }
        if matches!(code, "{" | "}") {
            fail(
                indentation(line).saturating_add(1),
                format!("unexpected {code}: the name of an actor stands above its script"),
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
            given: std::mem::take(&mut given),
            start,
            body: Vec::new(),
            end: number,
            unclosed: 0,
        };
        if actor.take_body(&mut lines) {
            out.push(actor);
        } else {
            fail(1, format!("the script of {} has no end; it stands below in {{ and }}", actor.name));
        }
        if problems.len() >= MOST {
            break;
        }
    }
    if let Some(it) = given.first() {
        let message = format!("no actor stands below {}", it.name);
        problems.push(Problem { line: it.line, column: 1, message });
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

/// Whether a line names the map and its worlds.
fn is_header(code: &str) -> bool {
    let begins = |word: &str| code.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
    begins("maps\\") || begins("maps/") || begins("id:") || begins("ids:")
}

impl<'a> ActorText<'a> {
    /// Takes the lines of the script; whether it has an end.
    fn take_body(&mut self, lines: &mut impl Iterator<Item = (usize, &'a str)>) -> bool {
        // The indentations of the open braces.
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
                // Mod Manager ends a script with one brace, whatever blocks are open.
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
