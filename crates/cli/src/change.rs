//! Prints the differences between two files.

use std::io::{self, Write};

use antiquary::diff::{Change, ChangeKind};
use antiquary::json::Value;

use crate::escape::Escaped;
use crate::number::{counted, thousands};
use crate::style::{DIMMED, TITLE};

/// Maximum number of characters shown for a value.
const CHARACTERS: usize = 72;

/// Maximum number of lines shown for a text.
const LINES: usize = 40;

/// Writes one changed field on its own line.
pub(crate) fn write_change(out: &mut dyn Write, change: &Change, indent: usize) -> io::Result<()> {
    let path = if change.path.is_empty() { "(entire file)" } else { &change.path };
    write!(out, "{:indent$}{TITLE}{}{TITLE:#}", "", Escaped(path))?;
    match &change.what {
        ChangeKind::Changed { from, to } => {
            let (from, to) = without_common_prefix(&from.to_string(), &to.to_string());
            writeln!(out, ": {} {DIMMED}->{DIMMED:#} {}", Escaped(&from), Escaped(&to))
        }
        ChangeKind::Added { to } => writeln!(out, " {DIMMED}added:{DIMMED:#} {}", Escaped(&short(to))),
        ChangeKind::Removed { from } => {
            writeln!(out, " {DIMMED}removed:{DIMMED:#} {}", Escaped(&short(from)))
        }
        ChangeKind::Lines { first_line, second_line, removed, added } => {
            writeln!(out, ": lines {first_line} {DIMMED}->{DIMMED:#} {second_line}")?;
            for (mark, lines) in [("-", removed), ("+", added)] {
                for line in lines.iter().take(LINES) {
                    writeln!(out, "{:indent$}  {mark} {}", "", Escaped(line))?;
                }
                if lines.len() > LINES {
                    writeln!(
                        out,
                        "{:indent$}  {mark} ... and {} more",
                        "",
                        lines.len().saturating_sub(LINES)
                    )?;
                }
            }
            Ok(())
        }
        ChangeKind::Bytes { from_length, to_length, first_difference } => {
            let lengths = match from_length == to_length {
                true => counted(*from_length, "byte", "bytes"),
                false => format!("{} -> {}", counted(*from_length, "byte", "bytes"), thousands(*to_length)),
            };
            writeln!(out, ": {lengths}, first difference at {first_difference:#x}")
        }
    }
}

/// A value, truncated for display.
fn short(value: &Value) -> String {
    // Do not format a long list only to truncate it.
    let text = match value {
        Value::Array(items) if items.len() > CHARACTERS => {
            return format!("a list of {}", counted(items.len(), "item", "items"));
        }
        other => other.to_string(),
    };
    truncated(&text, 0)
}

/// Formats two strings. If they are long, most of their common prefix is removed.
fn without_common_prefix(from: &str, to: &str) -> (String, String) {
    let same = from.chars().zip(to.chars()).take_while(|(from, to)| from == to).count();
    let longest = from.chars().count().max(to.chars().count());
    let skipped = if longest > CHARACTERS { same.saturating_sub(12) } else { 0 };
    (truncated(from, skipped), truncated(to, skipped))
}

fn truncated(text: &str, skipped: usize) -> String {
    let left = text.chars().count().saturating_sub(skipped);
    let shown: String = text.chars().skip(skipped).take(CHARACTERS).collect();
    let begin = if skipped > 0 { "..." } else { "" };
    let end = if left > CHARACTERS { "..." } else { "" };
    format!("{begin}{shown}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use antiquary::json::json;

    fn line(what: ChangeKind) -> String {
        let mut out = Vec::new();
        write_change(&mut out, &Change { path: "a[0]".to_owned(), what }, 2).unwrap();
        String::from_utf8(anstream::adapter::strip_bytes(&out).into_vec()).unwrap()
    }

    #[test]
    fn a_line_shows_the_old_and_the_new_value() {
        let changed = |from: Value, to: Value| line(ChangeKind::Changed { from, to });
        assert_eq!(changed(json!(1.0), json!(1.5)), "  a[0]: 1.0 -> 1.5\n");
        assert_eq!(line(ChangeKind::Added { to: json!({"b": 1}) }), "  a[0] added: {\"b\":1}\n");
        assert_eq!(
            line(ChangeKind::Removed { from: json!([0].repeat(100)) }),
            "  a[0] removed: a list of 100 items\n"
        );
        let bytes =
            |to_length| line(ChangeKind::Bytes { from_length: 1024, to_length, first_difference: 16 });
        assert_eq!(bytes(1024), "  a[0]: 1,024 bytes, first difference at 0x10\n");
        assert_eq!(bytes(9), "  a[0]: 1,024 bytes -> 9, first difference at 0x10\n");
    }

    #[test]
    fn long_strings_are_shown_around_the_first_difference() {
        let text = |end: &str| json!(format!("{}{end}", "x".repeat(200)));
        let shown = line(ChangeKind::Changed { from: text("old"), to: text("new\u{1b}") });
        assert_eq!(shown, "  a[0]: ...xxxxxxxxxxxxold\" -> ...xxxxxxxxxxxxnew\\u001b\"\n");
    }
}
