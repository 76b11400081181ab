//! Declarations of a game that the machine uses.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::native::Native;
use crate::Definitions;

/// The storage type of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// Unsigned, one byte.
    U8,
    /// Unsigned, two bytes.
    U16,
    /// Signed, two bytes.
    I16,
    /// Four bytes.
    I32,
}

impl Width {
    /// Returns a number truncated to this type.
    ///
    /// ```
    /// use antiquary_soup::machine::Width;
    ///
    /// assert_eq!((Width::U8.stored(300), Width::I16.stored(0xffff)), (44, -1));
    /// ```
    #[must_use]
    pub const fn stored(self, number: i32) -> i32 {
        match self {
            Self::U8 => number & 0xff,
            Self::U16 => number & 0xffff,
            Self::I16 => (number << 16) >> 16,
            Self::I32 => number,
        }
    }
}

/// A property of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// The name in lowercase, or `ref_12` if the definitions do not name the number.
    pub name: String,
    /// The storage type.
    pub width: Width,
}

/// Declarations of a game that the machine uses: the argument counts of functions, the functions that the machine implements itself, and
/// the storage types of properties.
#[derive(Debug, Clone, Default)]
pub struct Declarations {
    /// The definitions.
    pub definitions: Definitions,
    pub(super) parameters: Vec<u32>,
    pub(super) natives: Vec<Option<Native>>,
    pub(super) properties: Vec<Property>,
    functions: HashMap<String, u16>,
    flags: HashMap<String, u16>,
}

/// The storage types of the game's properties by lowercase name.
static PROPERTY_WIDTHS: LazyLock<HashMap<String, Width>> = LazyLock::new(|| {
    let lines = include_str!("properties.txt").lines().filter(|line| !line.starts_with(';'));
    let property = |line: &str| {
        let mut words = line.split('\t');
        let (name, bytes) = (words.next()?, words.next()?);
        Some((name.to_lowercase(), width(name, bytes)))
    };
    lines.filter_map(property).collect()
});

/// Returns the storage type of a property. Only one property of two bytes is documented as signed.
fn width(name: &str, bytes: &str) -> Width {
    match bytes {
        "1" => Width::U8,
        "2" if name == "anim.current" => Width::I16,
        "2" => Width::U16,
        _ => Width::I32,
    }
}

impl Declarations {
    /// Creates the declarations of a game.
    #[must_use]
    pub fn new(definitions: &Definitions) -> Self {
        let numbered = |names: Vec<&str>| {
            let mut out = HashMap::new();
            for (number, name) in names.into_iter().enumerate() {
                if let Ok(number) = u16::try_from(number) {
                    out.entry(name.to_lowercase()).or_insert(number);
                }
            }
            out
        };
        let properties = definitions.references.iter().map(|name| {
            let name = name.to_lowercase();
            Property { width: PROPERTY_WIDTHS.get(&name).copied().unwrap_or(Width::I32), name }
        });
        Self {
            parameters: definitions.functions.iter().map(|it| it.params).collect(),
            natives: definitions.functions.iter().map(|it| Native::from_name(&it.name)).collect(),
            properties: properties.collect(),
            functions: numbered(definitions.functions.iter().map(|it| it.name.as_str()).collect()),
            flags: numbered(definitions.flags.iter().map(|it| it.name.as_str()).collect()),
            definitions: definitions.clone(),
        }
    }

    /// Returns the name of a function.
    #[must_use]
    pub fn function(&self, number: u16) -> &str {
        self.definitions.function(number).map_or("", |it| it.name.as_str())
    }

    /// Returns the number of a function, ignoring letter case.
    #[must_use]
    pub fn function_number(&self, name: &str) -> Option<u16> {
        self.functions.get(&name.to_lowercase()).copied()
    }

    /// Returns the number of a flag, ignoring letter case.
    #[must_use]
    pub fn flag_number(&self, name: &str) -> Option<u16> {
        self.flags.get(&name.to_lowercase()).copied()
    }

    /// Returns a property. If the definitions name no properties, every number is a property of four bytes.
    #[must_use]
    pub fn property(&self, reference: u16) -> Option<Property> {
        let known = self.properties.get(usize::from(reference)).cloned();
        let unnamed = || Property { name: format!("ref_{reference}"), width: Width::I32 };
        known.or_else(|| self.properties.is_empty().then(unnamed))
    }

    /// Returns the storage type of a property.
    #[inline]
    pub(super) fn width(&self, reference: u16) -> Option<Width> {
        let known = self.properties.get(usize::from(reference)).map(|it| it.width);
        known.or_else(|| self.properties.is_empty().then_some(Width::I32))
    }

    /// Returns the number of a property, ignoring letter case; `ref_12` is number 12.
    #[must_use]
    pub fn property_number(&self, name: &str) -> Option<u16> {
        let name = name.to_lowercase();
        let known = self.properties.iter().position(|it| it.name == name);
        match known {
            Some(number) => u16::try_from(number).ok(),
            None => name.strip_prefix("ref_")?.parse().ok(),
        }
    }
}
