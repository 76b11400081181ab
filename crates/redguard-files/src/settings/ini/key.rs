//! Declarations of the keys that the game reads: type, unit, default, range and meaning.
//!
//! The typed views, the checks, the tables, and the reference in the book are derived from them.

pub use asset::setting::KeyName as Name;
pub(super) use asset::setting::numbered;
use json::Value;
use record::FieldDoc;

use super::value::{Float, float, integer, integers, is_number, is_word};

/// A key of a settings file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Name in lowercase. `[]` stands for an index in brackets, `#` for a number in the name.
    pub name: &'static str,
    /// Type of the value.
    pub kind: ValueKind,
    /// Unit of the number, such as `ticks`; empty if there is none.
    pub unit: &'static str,
    /// Value in the shipped file, as text; empty if the file does not contain the key, or each index has its own value.
    pub shipped: &'static str,
    /// What the game uses instead of a missing or bad value.
    pub missing: Missing,
    /// Smallest and largest valid number.
    pub range: Option<(i32, i32)>,
    /// Whether the game ignores numbers outside of the range.
    pub is_ignored_outside: bool,
    /// The part of the number that the game uses.
    pub width: Width,
    /// Smallest and largest valid index in brackets.
    pub indices: Option<(u32, u32)>,
    /// Names of the numbers from 0.
    pub names: &'static [&'static str],
    /// Whether the effect is known.
    pub effect: Effect,
    /// Name of the type, and what the value means to the game.
    pub doc: FieldDoc,
}

/// Type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// An integer; `true`, `yes` and `on` are 1, `false`, `no` and `off` are 0.
    Integer,
    /// An integer that is used as a switch.
    Switch,
    /// A floating-point number.
    Float,
    /// A text.
    Text,
    /// The label of a line of dialogue.
    Label,
    /// The path of a file.
    Path(File),
    /// Two comma-separated integers.
    Pair,
    /// Three comma-separated integers: red, green and blue. Further numbers are ignored.
    Color,
    /// This number of comma-separated integers.
    Integers(usize),
    /// An amplitude, a speed and a frequency; the last two are truncated to integers.
    Wave,
    /// Any number of comma-separated integers.
    List,
    /// Hexadecimal digits followed by `h`.
    Hexadecimal,
}

/// The part of a number that the game uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// All 32 bits.
    Full,
    /// The low 16 bits, as a signed number.
    SignedWord,
    /// The low 8 bits.
    Byte,
}

impl ValueKind {
    /// Returns the name of the type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Switch => "switch",
            Self::Float => "number",
            Self::Text => "text",
            Self::Label => "label",
            Self::Path(_) => "path",
            Self::Pair => "two integers",
            Self::Color => "red, green, blue",
            Self::Integers(_) => "integers",
            Self::Wave => "amplitude, speed, frequency",
            Self::List => "list of integers",
            Self::Hexadecimal => "hexadecimal number",
        }
    }
}

/// Kind of a file that a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum File {
    /// A map.
    Map,
    /// A terrain.
    Terrain,
    /// A palette.
    Palette,
    /// The image of a sky, with the palette of the same name.
    Sky,
    /// Another image of the folder for textures.
    Texture,
    /// An image or font at exactly this path.
    Exact,
    /// A model, in the format of either renderer.
    Model,
    /// A file that is not checked.
    Unchecked,
}

/// What the game uses instead of a missing or bad value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Missing {
    /// 0 or nothing.
    Zero,
    /// Nothing, which differs from 0.
    Nothing,
    /// This number instead of 0.
    InsteadOfZero(i32),
    /// The second number instead of all numbers below the first.
    Below(i32, i32),
    /// This text.
    Text(&'static str),
    /// These numbers.
    Numbers(&'static [i32]),
}

/// Whether the effect of a key is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The effect is known from the program.
    Known,
    /// Only the name and the comments of the shipped file are known.
    Name,
    /// The Glide program does not read the key.
    None,
}

/// The keys of a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// Name of the section in lowercase; `#` stands for a number.
    pub section: &'static str,
    /// What the section contains.
    pub about: &'static str,
    /// Keys of the section.
    pub keys: &'static [Key],
}

/// The value of a key in the game.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Value, after the replacement.
    pub value: Value,
    /// Whether the value is missing, empty or replaced.
    pub is_default: bool,
}

impl Key {
    const fn new(name: &'static str, kind: ValueKind, shipped: &'static str, about: &'static str) -> Self {
        Self {
            name,
            kind,
            unit: "",
            shipped,
            missing: Missing::Zero,
            range: None,
            is_ignored_outside: false,
            width: Width::Full,
            indices: None,
            names: &[],
            effect: Effect::Known,
            doc: FieldDoc { ty: kind.name(), about },
        }
    }

    /// Declares an integer.
    pub(super) const fn integer(name: &'static str, shipped: &'static str, about: &'static str) -> Self {
        Self::new(name, ValueKind::Integer, shipped, about)
    }

    /// Declares a switch.
    pub(super) const fn switch(name: &'static str, shipped: &'static str, about: &'static str) -> Self {
        Self::new(name, ValueKind::Switch, shipped, about)
    }

    /// Declares a floating-point number.
    pub(super) const fn float(name: &'static str, shipped: &'static str, about: &'static str) -> Self {
        Self::new(name, ValueKind::Float, shipped, about)
    }

    /// Declares a text.
    pub(super) const fn text(name: &'static str, shipped: &'static str, about: &'static str) -> Self {
        Self::new(name, ValueKind::Text, shipped, about)
    }

    /// Declares a path.
    pub(super) const fn path(
        name: &'static str,
        file: File,
        shipped: &'static str,
        about: &'static str,
    ) -> Self {
        Self::new(name, ValueKind::Path(file), shipped, about)
    }

    /// Declares a key of another type.
    pub(super) const fn of(
        kind: ValueKind,
        name: &'static str,
        shipped: &'static str,
        about: &'static str,
    ) -> Self {
        Self::new(name, kind, shipped, about)
    }

    /// Sets the unit.
    pub(super) const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Sets the valid range.
    pub(super) const fn range(self, least: i32, most: i32) -> Self {
        Self { range: Some((least, most)), ..self }
    }

    /// Sets the range outside of which the game ignores the number.
    pub(super) const fn ignored_outside(self, least: i32, most: i32) -> Self {
        Self { range: Some((least, most)), is_ignored_outside: true, ..self }
    }

    /// Sets the part of the number that the game uses.
    pub(super) const fn width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// Sets the valid indices.
    pub(super) const fn indices(self, least: u32, most: u32) -> Self {
        Self { indices: Some((least, most)), ..self }
    }

    /// Sets the names of the numbers from 0, which are the valid range.
    pub(super) const fn names(self, names: &'static [&'static str]) -> Self {
        Self { names, ..self }
    }

    /// Sets the replacement.
    pub(super) const fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }

    /// Declares that only the name of the key is known.
    pub(super) const fn by_name(self) -> Self {
        Self { effect: Effect::Name, ..self }
    }

    /// Declares that the Glide program does not read the key.
    pub(super) const fn without_effect(self) -> Self {
        Self { effect: Effect::None, ..self }
    }

    /// Returns the name without the index.
    #[must_use]
    pub fn base(&self) -> &'static str {
        self.name.strip_suffix("[]").unwrap_or(self.name)
    }

    /// Returns the name without the index, with the number that a similar name contains, otherwise 1.
    #[must_use]
    pub fn numbered_like(&self, name: &str) -> String {
        let digits = name.split(|it: char| !it.is_ascii_digit()).find(|digits| !digits.is_empty());
        self.base().replace('#', digits.unwrap_or("1"))
    }

    /// Whether the key has an index in brackets.
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        self.name.ends_with("[]")
    }

    /// Whether the value is an integer.
    #[must_use]
    pub const fn is_integer(&self) -> bool {
        matches!(self.kind, ValueKind::Integer | ValueKind::Switch)
    }

    /// Returns the name of a number; `None` if it has none.
    #[must_use]
    pub fn name_of(&self, number: i32) -> Option<&'static str> {
        self.names.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns the name of a number that was read; `None` if it has none.
    #[must_use]
    pub fn name_of_value(&self, value: &Value) -> Option<&'static str> {
        self.name_of(value.as_i64().and_then(|number| i32::try_from(number).ok())?)
    }

    /// Reads a value without its comment; `None` for a missing key.
    #[must_use]
    pub fn read(&self, text: Option<&str>) -> Reading {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        let read = text.map(|text| self.value(text));
        let (value, is_replaced) = self.replaced(read);
        Reading { value, is_default: text.is_none() || is_replaced }
    }

    /// Reads a value as an integer.
    #[must_use]
    pub fn read_integer(&self, text: Option<&str>) -> i32 {
        self.read(text).value.as_i64().and_then(|number| i32::try_from(number).ok()).unwrap_or(0)
    }

    fn value(&self, text: &str) -> Value {
        let numbers = |count: usize| {
            let numbers = integers(text);
            if numbers.len() < count {
                return self.nothing();
            }
            Value::from(numbers.into_iter().take(count).collect::<Vec<_>>())
        };
        match self.kind {
            ValueKind::Integer | ValueKind::Switch => self.width.of(integer(text)).into(),
            ValueKind::Hexadecimal => hexadecimal(text).into(),
            ValueKind::Float => Value::from(float(text)),
            ValueKind::Text | ValueKind::Label | ValueKind::Path(_) => text.into(),
            ValueKind::Pair => {
                let mut numbers = integers(text);
                numbers.resize(2, 0);
                numbers.into()
            }
            ValueKind::Color => numbers(3),
            ValueKind::Integers(count) => numbers(count),
            ValueKind::Wave => wave(text).map_or(Value::Null, Value::from),
            ValueKind::List => integers(text).into(),
        }
    }

    /// Returns the value of a missing key, and whether a value is replaced by it.
    fn replaced(&self, read: Option<Value>) -> (Value, bool) {
        let is_number = self.is_integer();
        let number = read.as_ref().and_then(Value::as_i64).unwrap_or(0);
        match (self.missing, read) {
            (Missing::InsteadOfZero(other), _) if is_number && number == 0 => (other.into(), true),
            (Missing::Below(least, other), _) if is_number && number < i64::from(least) => {
                (other.into(), true)
            }
            (_, Some(value)) => (value, false),
            (_, None) => (self.nothing(), true),
        }
    }

    fn nothing(&self) -> Value {
        match (self.missing, self.kind) {
            (Missing::Nothing, _) => Value::Null,
            (Missing::Text(text), _) => text.into(),
            (Missing::Numbers(numbers), _) => numbers.to_vec().into(),
            (_, ValueKind::Integer | ValueKind::Switch) => 0.into(),
            (_, ValueKind::Float) => Value::from(0.0),
            (_, ValueKind::Pair) => vec![0, 0].into(),
            (_, ValueKind::Color) => vec![0, 0, 0].into(),
            (_, ValueKind::List) => Value::Array(Vec::new()),
            _ => Value::Null,
        }
    }

    /// Returns what is wrong with a value, as the end of a sentence that starts with the key: `is "maybe", which is not a number`.
    #[must_use]
    pub fn problem(&self, text: &str) -> Option<String> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let is_any = |count: usize| parts.len() == count && parts.iter().all(|part| is_number(part));
        let expected = |what: &str| Some(format!("is \"{text}\"; expected {what}"));
        match self.kind {
            ValueKind::Integer if !is_number(text) && !is_word(text) => expected("a number"),
            ValueKind::Switch if !is_number(text) && !is_word(text) => {
                expected("a number, or one of true, yes, on, false, no, off")
            }
            ValueKind::Integer | ValueKind::Switch => self.outside(integer(text)),
            ValueKind::Float if !is_float(text) => expected("a number"),
            ValueKind::Pair if !is_any(2) => expected("two numbers"),
            ValueKind::Color if parts.len() < 3 || !parts.iter().all(|part| is_number(part)) => {
                expected("three numbers")
            }
            ValueKind::Integers(count)
                if parts.len() < count || !parts.iter().all(|part| is_number(part)) =>
            {
                expected(&format!("{count} numbers"))
            }
            ValueKind::Wave if parts.len() < 3 || parts.iter().any(|part| !is_float(part)) => {
                expected("three numbers")
            }
            ValueKind::Hexadecimal if !is_hexadecimal(text) => expected("hexadecimal digits followed by h"),
            ValueKind::List => {
                let bad = parts.iter().find(|part| !is_number(part))?;
                Some(format!("has the entry \"{bad}\"; expected a number"))
            }
            _ => None,
        }
    }

    fn outside(&self, number: i32) -> Option<String> {
        let named = (!self.names.is_empty())
            .then(|| (0, i32::try_from(self.names.len().saturating_sub(1)).unwrap_or(i32::MAX)));
        let (least, most) = named.or(self.range)?;
        if (least..=most).contains(&number) {
            return None;
        }
        Some(match (least, most) {
            (least, i32::MAX) => format!("is {number} (valid: {least} and above)"),
            (least, most) => format!("is {number} (valid: {least} to {most})"),
        })
    }
}

impl Width {
    /// Returns the number that the game uses.
    fn of(self, number: i32) -> i32 {
        let [low, high, ..] = number.to_le_bytes();
        match self {
            Self::Full => number,
            Self::SignedWord => i16::from_le_bytes([low, high]).into(),
            Self::Byte => low.into(),
        }
    }
}

/// Reads an amplitude, a speed and a frequency; `None` if there are fewer than three numbers.
fn wave(text: &str) -> Option<Vec<Value>> {
    let parts: Vec<&str> = text.split(',').collect();
    let [amplitude, speed, frequency, ..] = parts.as_slice() else { return None };
    let number = |text: &str| Float::parse(text).unwrap_or_default();
    let (speed, frequency) = (number(speed).truncated(), number(frequency).truncated());
    Some(vec![number(amplitude).value(), speed.into(), frequency.into()])
}

/// Whether the entire text is a floating-point number.
fn is_float(text: &str) -> bool {
    Float::parse(text).is_some_and(|it| it.is_whole)
}

/// Reads the hexadecimal digits at the start of a text; `None` if there are none.
fn hexadecimal(text: &str) -> Option<u32> {
    let end = text.bytes().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(text.len());
    u32::from_str_radix(text.get(..end)?, 16).ok()
}

/// Whether the entire text is a hexadecimal number followed by `h`.
fn is_hexadecimal(text: &str) -> bool {
    let digits = text.strip_suffix(['h', 'H']).unwrap_or_default();
    hexadecimal(digits).is_some() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Group {
    /// Returns a declared key by the name in a file, in lowercase and without blanks around brackets.
    #[must_use]
    pub fn find(&self, written: &Name) -> Option<&'static Key> {
        self.keys.iter().find(|key| written.is(key.name))
    }

    /// Whether a section of a file belongs to the group.
    #[must_use]
    pub fn is(&self, section: &str) -> bool {
        numbered(self.section, section).is_some()
    }
}
