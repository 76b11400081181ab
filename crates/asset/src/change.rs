//! Changes of fields, and the changes of records that they are.

use json::{Value, Way};

/// A change of a field.
#[derive(Debug, Clone, Copy)]
pub enum FieldChange<'a> {
    /// It gets another value.
    Set(&'a Value),
    /// It is taken out of its list or object.
    Remove,
    /// The object gets another member.
    Add(&'a str, &'a Value),
}

/// A change of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordChange {
    /// What the way leads to gets another value.
    Set(Way, Value),
    /// What the way leads to is taken out.
    Remove(Way),
    /// The list that the way leads to gets an item in front of the item of this index.
    Insert(Way, usize, Value),
}
