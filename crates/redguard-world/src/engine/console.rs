//! Parsing of lines entered in the game's console (F12).

use super::cheat;
use redguard_files::settings::cht::Cheat;

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
        /// The first word.
        name: &'a str,
        /// The comma-separated words after the name, trimmed; `=` and the text after it are in [`Self::Command::value`].
        arguments: Vec<&'a str>,
        /// The text after the first `=`.
        value: Option<&'a str>,
    },
}

impl<'a> Entry<'a> {
    /// Parses a line. Does not check whether the game has a command with this name. \[E\]
    #[must_use]
    pub fn read(line: &'a str) -> Self {
        let (left, value) =
            line.split_once('=').map_or((line, None), |(left, right)| (left, Some(right.trim())));
        let left = left.trim();
        if left.is_empty() {
            return Self::Empty;
        }
        let (name, rest) = left.split_once(char::is_whitespace).unwrap_or((left, ""));
        let rest = rest.trim();
        match cheat::named(name) {
            Some(cheat) if rest.is_empty() => Self::Cheat { cheat, value },
            _ => {
                let arguments = rest.split(',').map(str::trim).filter(|_| !rest.is_empty()).collect();
                Self::Command { name, arguments, value }
            }
        }
    }
}

/// Returns the number of an argument: decimal, hexadecimal after `0x`, or the value of a global flag. Text that is neither a number nor a
/// flag is 1. \[E\]
#[must_use]
pub fn number(text: &str, flag: impl Fn(&str) -> Option<i32>) -> i32 {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or((1_i64, text), |digits| (-1, digits));
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    if !is_number {
        return flag(text).unwrap_or(1);
    }
    let number = i64::from_str_radix(digits, radix).unwrap_or(i64::MAX).saturating_mul(sign);
    // The game keeps 32 bits.
    let [a, b, c, d, ..] = number.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

/// The bit of a flag's state that marks it as having been set.
const LATCH: u8 = 0x10;

/// Returns the state of a global flag after `setflag name,value,status`. A status of 0 is meant to clear the latch, but toggles all other
/// bits (XOR 239). \[E\]
///
/// Setting the latch for any other status is our reading. \[?\]
#[must_use]
pub const fn flag_state(state: u8, status: i32) -> u8 {
    if status == 0 { state ^ !LATCH } else { state | LATCH }
}

#[cfg(test)]
mod tests {
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
            Entry::Command { name, arguments, value } => (name, arguments, value),
            other => panic!("{other:?}"),
        };
        assert_eq!(read("load 1, 2 ,512"), ("load", vec!["1", "2", "512"], None));
        assert_eq!(read("object attr health = 0x10"), ("object", vec!["attr health"], Some("0x10")));
        assert_eq!(read("show world"), ("show", vec!["world"], None));
        assert_eq!(read("quit"), ("quit", vec![], None));
    }

    #[test]
    fn unknown_names_are_1() {
        let flag = |name: &str| (name == "TimeOfDay").then_some(7);
        let found = ["12", "-3", "0x1F", "TimeOfDay", "nothing", "", "4294967297", "0x"];
        assert_eq!(found.map(|text| number(text, flag)), [12, -3, 31, 7, 1, 1, 1, 1]);
    }

    #[test]
    fn a_status_of_0_toggles_the_wrong_bits() {
        assert_eq!([flag_state(0x11, 0), flag_state(0x01, 0), flag_state(0x01, 1)], [0xfe, 0xee, 0x11]);
    }
}
