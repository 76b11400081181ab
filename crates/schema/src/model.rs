//! The types and fields of a format, as Kaitai, ImHex and a reference page have them.

use record::Order;
use record::schema::{Number, Operator};

/// The types and fields of a format.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The types; the first one is the file.
    pub(crate) types: Vec<Type>,
    /// Named values of numbers.
    pub(crate) enums: Vec<Enum>,
    /// The parts without fields.
    pub(crate) opaque: Vec<Opaque>,
}

/// A part of a format whose structure its declaration cannot say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// The type that contains the part.
    pub owner: String,
    /// The name of the part.
    pub name: String,
    /// Why it has no fields.
    pub reason: String,
}

/// The extent of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Number of types.
    pub types: usize,
    /// Number of fields.
    pub fields: usize,
    /// Number of opaque parts.
    pub opaque: usize,
}

impl Model {
    /// The parts without fields.
    #[must_use]
    pub fn opaque(&self) -> &[Opaque] {
        &self.opaque
    }

    /// The extent of the model.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        Coverage {
            types: self.types.len(),
            fields: self.types.iter().map(|ty| ty.fields.len()).sum(),
            opaque: self.opaque.len(),
        }
    }

    /// The file.
    pub(crate) fn root(&self) -> Option<&Type> {
        self.types.first()
    }

    /// The name of a type.
    pub(crate) fn name(&self, index: usize) -> &str {
        self.types.get(index).map_or("", |ty| ty.id.as_str())
    }
}

/// A type.
#[derive(Debug, Clone, Default)]
pub(crate) struct Type {
    pub(crate) id: String,
    /// The documentation, in Markdown.
    pub(crate) about: String,
    pub(crate) params: Vec<Param>,
    pub(crate) fields: Vec<Field>,
    /// Whether it extends to the end of its section or file.
    pub(crate) is_open: bool,
    /// Whether it is only an item of a list that ends before these bytes.
    pub(crate) until: Option<Until>,
    /// What is read ahead at its start, without moving on. Its name is `ahead`.
    pub(crate) ahead: Option<Kind>,
    /// The number of bytes, if it is always the same.
    pub(crate) size: Option<u64>,
}

/// The end of a list, which is found before each item.
#[derive(Debug, Clone)]
pub(crate) struct Until {
    pub(crate) bytes: Vec<u8>,
    /// Whether the end of the data also ends the list.
    pub(crate) or_end: bool,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(crate) struct Param {
    pub(crate) id: String,
    pub(crate) value: Value,
}

/// The kind of a value in expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Integer,
    Truth,
    Float,
    /// This many bytes; `None` if the number differs.
    Bytes(Option<usize>),
    /// An instance of a type.
    Type(usize),
    /// A list, which expressions cannot use.
    List,
}

/// A field.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) id: String,
    /// The documentation, in Markdown.
    pub(crate) about: String,
    /// Its path from the owner in the paths of the program; empty if it is no segment of its own.
    pub(crate) path: String,
    pub(crate) kind: Kind,
    pub(crate) repeat: Repeat,
    pub(crate) when: Option<Expr>,
    /// Bytes that must follow for the field to be present.
    pub(crate) ahead: Option<Vec<u8>>,
    /// Why the field is opaque.
    pub(crate) opaque: Option<String>,
}

/// What a field, or each of its items, is.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    /// A number, and the index of the enum that names its values.
    Number(Number, Order, Option<usize>),
    /// Fixed bytes.
    Magic(Vec<u8>),
    /// Bytes whose number is known.
    Bytes(Expr),
    /// Bytes up to a terminator.
    Terminated(u8),
    /// All bytes up to the end of the section or of the file.
    Rest,
    /// An instance of a type with these arguments.
    Type(usize, Vec<Expr>),
    /// An instance of a type in a section of this size.
    Section(usize, Vec<Expr>, Expr),
}

/// How often a field occurs.
#[derive(Debug, Clone)]
pub(crate) enum Repeat {
    Once,
    Count(Expr),
    /// Up to the end of the section or of the file.
    ToEnd,
    /// Until an item whose type has [`Until`] is at the end.
    Until,
}

/// Named values of a number.
#[derive(Debug, Clone)]
pub(crate) struct Enum {
    pub(crate) id: String,
    pub(crate) about: String,
    /// The number of bytes.
    pub(crate) number: Number,
    /// Value, name, documentation.
    pub(crate) values: Vec<(i64, String, String)>,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Number(i64),
    /// A field: how many types outward, the path from there, and whether its value has names.
    Path {
        ups: usize,
        path: Vec<String>,
        is_enum: bool,
    },
    Binary(Box<Expr>, Operator, Box<Expr>),
    /// Compares bytes, from the first one on.
    Bytes(Box<Expr>, Operator, Vec<u8>),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    /// The number of bits that are set in a byte.
    CountOnes(Box<Expr>),
    /// The number of bytes that are left in the section or in the file.
    Left,
}

impl Expr {
    /// Whether both conditions hold.
    pub(crate) fn and(self, other: Self) -> Self {
        Self::Binary(Box::new(self), Operator::Both, Box::new(other))
    }
}

/// The symbol of an operator in C.
pub(crate) fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Remainder => "%",
        Operator::And => "&",
        Operator::Or => "|",
        Operator::ShiftLeft => "<<",
        Operator::ShiftRight => ">>",
        Operator::Equal => "==",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        Operator::Both => "&&",
        Operator::Either => "||",
    }
}
