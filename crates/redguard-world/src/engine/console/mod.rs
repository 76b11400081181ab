//! The console of the game (F12): its commands, and the parsing of its lines.
//!
//! Names and aliases are compared without regard to case, and cannot be shortened further. The game converts a line to lower case first.

mod command;
mod operation;
mod table;

pub use command::{Command, Kind, Mark, Operation, SOURCE};
pub use table::{COMMANDS, COUNT};

use super::cheat;
use redguard_files::settings::cht::{CHEATS, Cheat};

/// A parsed console line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry<'a> {
    /// An empty line.
    Empty,
    /// A cheat: its name alone toggles it, `name = value` sets it.
    Cheat {
        /// The cheat.
        cheat: &'static Cheat,
        /// The text of its new value.
        value: Option<&'a str>,
    },
    /// A command, such as `load world,marker,angle`, `item add,id` or `object attr name = v`.
    Command {
        /// The command that the first word names.
        command: &'static Command,
        /// The comma-separated words after the name, trimmed; `=` and the text after it are in [`Self::Command::value`]. Some commands
        /// also separate words by spaces.
        arguments: Vec<&'a str>,
        /// The text after the first `=`.
        value: Option<&'a str>,
    },
    /// A line whose first word is neither a command nor a cheat.
    Unknown(&'a str),
}

impl<'a> Entry<'a> {
    /// Parses a line, which ends at the first `;`. \[E\]
    #[must_use]
    pub fn read(line: &'a str) -> Self {
        let line = line.split_once(';').map_or(line, |(line, _)| line);
        let (left, value) =
            line.split_once('=').map_or((line, None), |(left, right)| (left, Some(right.trim())));
        let left = left.trim();
        if left.is_empty() {
            return Self::Empty;
        }
        let (name, rest) = left.split_once(char::is_whitespace).unwrap_or((left, ""));
        let rest = rest.trim();
        match (cheat::named(name), command_named(name)) {
            (Some(cheat), _) if rest.is_empty() => Self::Cheat { cheat, value },
            (_, Some(command)) => {
                let arguments = rest.split(',').map(str::trim).filter(|_| !rest.is_empty()).collect();
                Self::Command { command, arguments, value }
            }
            _ => Self::Unknown(name),
        }
    }
}

/// Returns the command with a name or an alias.
#[must_use]
pub fn command_named(name: &str) -> Option<&'static Command> {
    let is_same = |known: &str| known.eq_ignore_ascii_case(name);
    COMMANDS.iter().find(|it| is_same(it.name) || it.alias.is_some_and(is_same))
}

/// Returns all words that the console accepts: the commands, then the cheats.
pub fn all() -> impl Iterator<Item = Command> {
    let cheat = |cheat: &'static Cheat| Command {
        kind: Kind::Cheat,
        name: cheat.name,
        alias: None,
        arguments: "[= value]",
        effect: cheat.about,
        mark: Mark::Stated,
        operations: &[],
        source: SOURCE,
    };
    COMMANDS.iter().copied().chain(CHEATS.iter().map(cheat))
}

/// Whether a name matches a pattern of `getflag` and similar commands: `*` matches the rest of the name, and `?` one character. Further
/// `?` at the end match nothing. \[E\]
///
/// Letters are compared without regard to case.
#[must_use]
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let mut name = name.chars();
    let mut pattern = pattern.chars();
    while let Some(expected) = pattern.next() {
        if expected == '*' {
            return true;
        }
        match name.next() {
            Some(found) if expected == '?' || expected.eq_ignore_ascii_case(&found) => {}
            Some(_) => return false,
            None => return expected == '?' && pattern.all(|rest| rest == '?'),
        }
    }
    name.next().is_none()
}

/// Returns the number of an argument: the digits at its start, hexadecimal digits after `0x`, the bytes of up to four quoted characters, or
/// the value of a global flag. `%` starts a binary number, which the game always reads as 0; other text is 1. \[E\]
#[must_use]
pub fn number(text: &str, flag: impl Fn(&str) -> Option<i32>) -> i32 {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix('"') {
        return label(quoted.strip_suffix('"').unwrap_or(quoted));
    }
    if text.starts_with('%') {
        return 0;
    }
    let (sign, digits) = text.strip_prefix('-').map_or((1_i64, text), |digits| (-1, digits));
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
    let end = digits.find(|digit: char| !digit.is_digit(radix)).unwrap_or(digits.len());
    let digits = digits.get(..end).unwrap_or_default();
    if digits.is_empty() {
        return flag(text).unwrap_or(1);
    }
    let number = i64::from_str_radix(digits, radix).unwrap_or(i64::MAX).saturating_mul(sign);
    // The game keeps 32 bits.
    let [a, b, c, d, ..] = number.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

/// The number whose bytes are the first four characters, as in the labels of dialogue.
fn label(text: &str) -> i32 {
    let mut bytes = [0; 4];
    for (byte, letter) in bytes.iter_mut().zip(text.bytes()) {
        *byte = letter;
    }
    i32::from_le_bytes(bytes)
}

/// The bit of a flag's state that marks it as having been set.
const LATCH: u8 = 0x10;

/// Returns the state of a global flag after `setflag name,value,status`. A status of 0 is meant to clear the latch, but toggles all other
/// bits (XOR 239); any other status sets it. \[E\]
#[must_use]
pub const fn flag_state(state: u8, status: i32) -> u8 {
    if status == 0 { state ^ !LATCH } else { state | LATCH }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn cheats_have_an_optional_value() {
        let cheat = |line| match Entry::read(line) {
            Entry::Cheat { cheat, value } => Some((cheat.name, value)),
            _ => None,
        };
        assert_eq!(cheat(" MagicCarpet "), Some(("magiccarpet", None)));
        assert_eq!(cheat("magiccarpet = 2"), Some(("magiccarpet", Some("2"))));
        assert_eq!(cheat("task force"), None);
        assert_eq!([Entry::read(""), Entry::read(" = 3")], [Entry::Empty, Entry::Empty]);
    }

    #[test]
    fn commands_have_comma_separated_arguments() {
        let read = |line| match Entry::read(line) {
            Entry::Command { command, arguments, value } => (command.name, arguments, value),
            other => panic!("{other:?}"),
        };
        assert_eq!(read("load 1, 2 ,512"), ("load", vec!["1", "2", "512"], None));
        assert_eq!(read("Object attr health = 0x10"), ("object", vec!["attr health"], Some("0x10")));
        assert_eq!(read("SH world ; where am I"), ("show", vec!["world"], None));
        assert_eq!(read("?"), ("commands", vec![], None));
        assert_eq!(Entry::read("sho world"), Entry::Unknown("sho"));
    }

    #[test]
    fn the_console_has_82_commands_and_13_cheats() {
        assert_eq!((COMMANDS.len(), all().count()), (82, 95));
        assert_eq!(all().filter(|it| it.kind == Kind::Cheat).count(), 13);
    }

    #[test]
    fn each_name_and_alias_is_used_once() {
        let mut seen = BTreeSet::new();
        for it in all() {
            for name in [Some(it.name), it.alias].into_iter().flatten() {
                assert!(seen.insert(name), "{name}");
                assert_eq!(name, name.to_lowercase());
            }
            let operations: BTreeSet<&str> = it.operations.iter().map(|it| it.name).collect();
            assert_eq!(operations.len(), it.operations.len(), "{}", it.name);
        }
    }

    #[test]
    fn names_and_aliases_are_found_in_any_case() {
        let named = |name: &str| command_named(name).map(|it| it.name);
        for it in &COMMANDS {
            assert_eq!(named(&it.name.to_uppercase()), Some(it.name));
            assert_eq!(named(&it.alias.unwrap().to_uppercase()), Some(it.name));
        }
        assert_eq!((named("PvoOnOff"), named("loa"), named("")), (Some("pvoonoff"), None, None));
    }

    #[test]
    fn effects_are_phrases() {
        for it in all() {
            let operations = it.operations.iter().map(|it| it.effect);
            for effect in operations.chain([it.effect]) {
                assert!(!effect.is_empty() && !effect.ends_with('.'), "{}: {effect}", it.name);
            }
        }
    }

    #[test]
    fn a_star_matches_the_rest_and_question_marks_at_the_end_may_match_nothing() {
        let matches = |pattern| matches_pattern(pattern, "OB_TelV");
        assert!(["*", "ob*", "OB_TELV", "OB_Tel?", "OB_TelV??", "??_*"].into_iter().all(matches));
        assert!(!["", "OB", "OB_TelVx", "OB_TelV?x", "?B_TelH"].into_iter().any(matches));
    }

    #[test]
    fn numbers_are_digits_labels_or_flags() {
        let flag = |name: &str| (name == "TimeOfDay").then_some(7);
        let found = ["12", "-3", "12abc", "0x1Fg", "TimeOfDay", "4294967297", "%101"];
        assert_eq!(found.map(|text| number(text, flag)), [12, -3, 12, 31, 7, 1, 0]);
        assert_eq!(number("\"abcd\"", flag), i32::from_le_bytes(*b"abcd"));
        assert_eq!(number("\"ab", flag), i32::from_le_bytes(*b"ab\0\0"));
    }

    #[test]
    fn unknown_names_are_1() {
        assert_eq!(["nothing", "", "+3", "0x", "-"].map(|text| number(text, |_| None)), [1; 5]);
    }

    #[test]
    fn a_status_of_0_toggles_the_wrong_bits() {
        assert_eq!([flag_state(0x11, 0), flag_state(0x01, 0), flag_state(0x01, 1)], [0xfe, 0xee, 0x11]);
    }
}
