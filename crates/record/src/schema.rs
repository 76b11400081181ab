//! Schemas: static descriptions of encodings, from which documentation and readers in other languages are generated.
//!
//! [`Record::schema`](crate::Record::schema) returns the schema of a record. The derive generates it from the declaration, so it cannot
//! disagree with the reader. Everything in it is static data; a schema refers to the schemas of its fields by functions, which allows
//! records that contain themselves.

use crate::order::Order;

/// Returns a schema.
pub type SchemaOf = fn() -> Schema;

/// The description of an encoding.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Schema {
    /// A number.
    Number(Number),
    /// This many bytes.
    Bytes(usize),
    /// All bytes up to the end of the section or of the file.
    Rest,
    /// A fixed number of items.
    Array(SchemaOf, usize),
    /// Consecutive fields.
    Struct(&'static Struct),
    /// One of several layouts.
    Choice(&'static Choice),
    /// A type that is stored as another record.
    Converted(&'static Converted),
    /// A record that is implemented by hand.
    ByHand(&'static ByHand),
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// An unsigned integer of this many bytes.
    Unsigned(usize),
    /// A signed integer of this many bytes, in two's complement.
    Signed(usize),
    /// A floating-point number of this many bytes (IEEE 754).
    Float(usize),
}

/// The name and the documentation of a type.
#[derive(Debug, Clone, Copy)]
pub struct TypeDoc {
    /// Returns the path of the type, with its generic arguments.
    pub path: fn() -> &'static str,
    /// The documentation, in Markdown.
    pub about: &'static str,
}

/// Consecutive fields.
#[derive(Debug, Clone, Copy)]
pub struct Struct {
    /// Name and documentation.
    pub doc: TypeDoc,
    /// The context. `None` if there is none.
    pub context: Option<Context>,
    /// The byte order. `None` if it is that of the record around it.
    pub order: Option<Order>,
    /// Fixed bytes at the start.
    pub magic: Option<&'static [u8]>,
    /// The fields, in file order.
    pub fields: &'static [Field],
    /// Whether the record is reported as a single span.
    pub is_one_span: bool,
}

/// One of several layouts, selected by a tag, by the bytes that follow, or by the context.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// Name and documentation.
    pub doc: TypeDoc,
    /// The context. `None` if there is none.
    pub context: Option<Context>,
    /// The byte order. `None` if it is that of the record around it.
    pub order: Option<Order>,
    /// The tag.
    pub tag: Option<SchemaOf>,
    /// The length of the body in bytes, stored after the tag, and its byte order.
    pub length: Option<(SchemaOf, Option<Order>)>,
    /// The name of the body in paths, if it is a separate segment.
    pub body: Option<&'static str>,
    /// A record that is read ahead to select the variant.
    pub ahead: Option<SchemaOf>,
    /// The variants. The first one whose tag and condition match is selected.
    pub variants: &'static [Variant],
    /// Whether the record is reported as a single span.
    pub is_one_span: bool,
}

/// One layout of a [`Choice`].
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// Name.
    pub name: &'static str,
    /// The documentation, in Markdown.
    pub about: &'static str,
    /// Returns the bytes of the tag, in little-endian order.
    pub tag: Option<fn() -> Vec<u8>>,
    /// The condition. `None` if the tag is sufficient, or for the variant that takes everything else.
    pub when: Option<Expression>,
    /// What follows the tag.
    pub body: Body,
}

/// The content of a [`Variant`].
#[derive(Debug, Clone, Copy)]
pub enum Body {
    /// A record, and its context.
    Record(SchemaOf, Option<Expression>),
    /// Fields; none for a tag without content.
    Fields(&'static [Field]),
    /// An unknown tag: all bytes up to the end.
    Unknown,
}

/// A type that is stored as another record.
#[derive(Debug, Clone, Copy)]
pub struct Converted {
    /// Name and documentation.
    pub doc: TypeDoc,
    /// The record in the file.
    pub stored: SchemaOf,
    /// Whether the record is reported as a single span.
    pub is_one_span: bool,
}

/// The declaration of a record that is implemented by hand. Derive it.
pub trait Declared {
    /// The documentation, in Markdown.
    const ABOUT: &'static str;
    /// The context. `None` if there is none.
    const CONTEXT: Option<Context>;
    /// The fields, in file order.
    const FIELDS: &'static [Field];
}

/// Returns the schema of a file whose reader is written by hand.
#[must_use]
pub fn declared<T: Declared>() -> Schema {
    Schema::ByHand(
        const {
            &ByHand {
                doc: TypeDoc { path: std::any::type_name::<T>, about: T::ABOUT },
                context: T::CONTEXT,
                reason: "",
                fields: T::FIELDS,
                parts: &[],
            }
        },
    )
}

/// A record whose reader is written by hand: only its start may be declared.
#[derive(Debug, Clone, Copy)]
pub struct ByHand {
    /// Name and documentation.
    pub doc: TypeDoc,
    /// The context. `None` if there is none.
    pub context: Option<Context>,
    /// Why it is written by hand.
    pub reason: &'static str,
    /// The fields, in file order. The first one that is read by hand and everything after it is opaque.
    pub fields: &'static [Field],
    /// Records that occur in the opaque rest.
    pub parts: &'static [SchemaOf],
}

/// The type of a context.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// The type as written in the declaration.
    pub ty: &'static str,
    /// Returns the schema of the context, if it is a record.
    pub schema: fn() -> Option<Schema>,
}

/// A field.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name in expressions.
    pub name: &'static str,
    /// The documentation, in Markdown.
    pub about: &'static str,
    /// The type as written in the declaration.
    pub ty: &'static str,
    /// How it is stored.
    pub encoding: Encoding,
    /// The condition under which it is present.
    pub when: Option<Expression>,
    /// The context.
    pub with: Option<Expression>,
    /// The byte order. `None` if it is that of the record.
    pub order: Option<Order>,
    /// The section that starts with the field.
    pub begin: Option<Begin>,
    /// Whether a section ends with the field.
    pub is_end: bool,
    /// Numbers before the field, which are not kept in the struct.
    pub before: &'static [Stored],
    /// Numbers after the field, which are not kept in the struct.
    pub after: &'static [Stored],
    /// Whether the name is a segment of paths.
    pub is_segment: bool,
    /// Whether the value is reported as a single span.
    pub is_one_span: bool,
}

impl Field {
    /// A required field that is one record.
    #[must_use]
    pub const fn plain(name: &'static str, ty: &'static str, schema: SchemaOf) -> Self {
        Self {
            name,
            about: "",
            ty,
            encoding: Encoding::Record(schema),
            when: None,
            with: None,
            order: None,
            begin: None,
            is_end: false,
            before: &[],
            after: &[],
            is_segment: true,
            is_one_span: false,
        }
    }
}

/// How a field is stored.
#[derive(Debug, Clone, Copy)]
pub enum Encoding {
    /// As one record.
    Record(SchemaOf),
    /// As a list with its length before it.
    Prefixed(SchemaOf, SchemaOf),
    /// As a list whose length is an expression.
    Counted(SchemaOf, Expression),
    /// As a list without a length.
    Until(SchemaOf, End),
    /// As a list of all complete items before the last bytes, the number of which is an expression.
    Leaving(SchemaOf, Expression),
    /// As bytes up to a terminator.
    Terminated(&'static [u8]),
    /// As optional bytes.
    Present(&'static [u8]),
    /// By functions that are written by hand: the call as written in the declaration.
    ByHand(&'static str),
}

/// The end of a list without a length.
#[derive(Debug, Clone, Copy)]
pub enum End {
    /// The end of the section or of the file.
    OfData,
    /// These bytes, which follow the list.
    Before(&'static [u8]),
    /// These bytes, or the end of the section or of the file.
    BeforeOrOfData(&'static [u8]),
    /// A function: the call as written in the declaration.
    Function(&'static str),
}

/// A section that starts with a field.
#[derive(Debug, Clone, Copy)]
pub struct Begin {
    /// The name of tag and length in paths.
    pub name: Option<&'static str>,
    /// The tag.
    pub tag: Option<&'static [u8]>,
    /// Name and type of the length in bytes, which is stored after the tag.
    pub length: Option<(&'static str, SchemaOf)>,
    /// The byte order of the length.
    pub order: Option<Order>,
}

/// A number in the file that is not kept in the struct.
#[derive(Debug, Clone, Copy)]
pub struct Stored {
    /// Name.
    pub name: &'static str,
    /// Type.
    pub schema: SchemaOf,
}

/// An expression of a declaration.
#[derive(Debug, Clone, Copy)]
pub struct Expression {
    /// As written in the declaration.
    pub text: &'static str,
    /// Parsed, as far as possible.
    pub tree: Tree,
}

/// A parsed expression.
#[derive(Debug, Clone, Copy)]
pub enum Tree {
    /// A number.
    Number(i64),
    /// A field, the context (under the name `context`), or a field in one of these.
    Path(&'static [&'static str]),
    /// A constant: its name as written, and its value.
    Constant(&'static str, fn() -> Constant),
    /// Two operands.
    Binary(&'static Tree, Operator, &'static Tree),
    /// The opposite of a condition.
    Not(&'static Tree),
    /// The negative of a number.
    Negative(&'static Tree),
    /// The number of bits that are set.
    CountOnes(&'static Tree),
    /// A struct expression: names and values of its fields.
    Struct(&'static [(&'static str, Tree)]),
    /// Everything else, such as calls of functions.
    Code,
}

/// An operator of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/` of integers, which rounds toward zero.
    Divide,
    /// `%`
    Remainder,
    /// `&` of bits.
    And,
    /// `|` of bits.
    Or,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `&&`
    Both,
    /// `||`
    Either,
}

/// The value of a constant in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    /// A number that is not stored in the file, or a truth value (0 or 1).
    Number(u64),
    /// The bytes of a record, in little-endian order.
    Stored(Vec<u8>),
    /// A value that is neither a number nor a record.
    Other,
}
