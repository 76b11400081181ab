//! Changes of fields, and the changes of records that implement them.

use json::{Value, ValuePath};

/// A change of a field.
#[derive(Debug, Clone, Copy)]
pub enum FieldChange<'a> {
    /// Sets the field to another value.
    Set(&'a Value),
    /// Removes the field from its list or object.
    Remove,
    /// Adds a member to the object.
    Add(&'a str, &'a Value),
}

/// A change of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordChange {
    /// Sets the value at the path.
    Set(ValuePath, Value),
    /// Removes the value at the path.
    Remove(ValuePath),
    /// Inserts an item into the list at the path, before the item with this index.
    Insert(ValuePath, usize, Value),
}
