//! What differs between two files, as people read it.

use std::io::{self, Write};

use antiquary::diff::{Change, What};
use serde_json::Value;

use crate::number::{counted, thousands};
use crate::shown::Shown;
use crate::style::{QUIET, TITLE};

/// How many characters of a value are shown.
const CHARACTERS: usize = 72;

/// Writes one field that differs, on a line of its own.
pub(crate) fn write_change(out: &mut dyn Write, change: &Change, indent: usize) -> io::Result<()> {
    let path = if change.path.is_empty() { "(all of it)" } else { &change.path };
    write!(out, "{:indent$}{TITLE}{}{TITLE:#}", "", Shown(path))?;
    match &change.what {
        What::Changed { from, to } => {
            let (from, to) = apart(&from.to_string(), &to.to_string());
            writeln!(out, ": {} {QUIET}->{QUIET:#} {}", Shown(&from), Shown(&to))
        }
        What::Added { to } => writeln!(out, " {QUIET}added:{QUIET:#} {}", Shown(&short(to))),
        What::Removed { from } => writeln!(out, " {QUIET}removed:{QUIET:#} {}", Shown(&short(from))),
        What::Bytes { from_length, to_length, first_difference } => {
            let lengths = match from_length == to_length {
                true => counted(*from_length, "byte", "bytes"),
                false => format!("{} -> {}", counted(*from_length, "byte", "bytes"), thousands(*to_length)),
            };
            writeln!(out, ": {lengths}, the first that differs at {first_difference:#x} of it")
        }
    }
}

/// The beginning of a value.
fn short(value: &Value) -> String {
    // Long lists and texts are not written out only to be cut.
    let text = match value {
        Value::Array(items) if items.len() > CHARACTERS => {
            return format!(
                "a list of {}",
                counted(u64::try_from(items.len()).unwrap_or(u64::MAX), "item", "items")
            );
        }
        other => other.to_string(),
    };
    cut(&text, 0)
}

/// Two texts, the beginnings that they share left out where they are long.
fn apart(from: &str, to: &str) -> (String, String) {
    let same = from.chars().zip(to.chars()).take_while(|(from, to)| from == to).count();
    let longest = from.chars().count().max(to.chars().count());
    let skipped = if longest > CHARACTERS { same.saturating_sub(12) } else { 0 };
    (cut(from, skipped), cut(to, skipped))
}

fn cut(text: &str, skipped: usize) -> String {
    let left = text.chars().count().saturating_sub(skipped);
    let shown: String = text.chars().skip(skipped).take(CHARACTERS).collect();
    let begin = if skipped > 0 { "..." } else { "" };
    let end = if left > CHARACTERS { "..." } else { "" };
    format!("{begin}{shown}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(what: What) -> String {
        let mut out = Vec::new();
        write_change(&mut out, &Change { path: "a[0]".to_owned(), what }, 2).unwrap();
        String::from_utf8(anstream::adapter::strip_bytes(&out).into_vec()).unwrap()
    }

    #[test]
    fn a_line_says_what_was_and_what_is() {
        let changed = |from: Value, to: Value| line(What::Changed { from, to });
        assert_eq!(changed(json!(1.0), json!(1.5)), "  a[0]: 1.0 -> 1.5\n");
        assert_eq!(line(What::Added { to: json!({"b": 1}) }), "  a[0] added: {\"b\":1}\n");
        assert_eq!(
            line(What::Removed { from: json!([0].repeat(100)) }),
            "  a[0] removed: a list of 100 items\n"
        );
        let bytes = |to_length| line(What::Bytes { from_length: 1024, to_length, first_difference: 16 });
        assert_eq!(bytes(1024), "  a[0]: 1,024 bytes, the first that differs at 0x10 of it\n");
        assert_eq!(bytes(9), "  a[0]: 1,024 bytes -> 9, the first that differs at 0x10 of it\n");
    }

    #[test]
    fn of_long_texts_the_place_is_shown_where_they_differ() {
        let text = |end: &str| json!(format!("{}{end}", "x".repeat(200)));
        let told = line(What::Changed { from: text("old"), to: text("new\u{1b}") });
        assert_eq!(told, "  a[0]: ...xxxxxxxxxxxxold\" -> ...xxxxxxxxxxxxnew\\u001b\"\n");
    }
}
