//! The JSON description of a script.

use json::{Value, json};
use serde::Serialize;
use soup::bytecode::{Operands, RightProperty, Script};
use soup::diagnose::Diagnostic;

/// A disassembled script.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disassembly {
    /// The name of the script's object.
    pub name: String,
    /// The script as text.
    pub text: String,
    /// The description of the script as JSON.
    pub facts: Value,
}

/// Converts a diagnostic to JSON.
pub(super) fn diagnostic(it: &Diagnostic) -> Value {
    json!({ "code": it.code, "severity": it.severity.name(), "at": it.at, "message": it.message })
}

/// Adds the statements and diagnostics of a script to its description.
pub(super) fn with_listing(
    mut facts: Value,
    script: &Script,
    text: &soup::text::Text,
    diagnostics: Vec<Value>,
) -> Value {
    let right = script.right_property().map(|it| it == RightProperty::UpdateByte);
    if let Some(facts) = facts.as_object_mut() {
        facts.insert("listing".to_owned(), script.listing().collect());
        facts.insert("lines".to_owned(), text.lines.clone().into());
        facts.insert("right_property_byte".to_owned(), right.into());
        facts.insert("diagnostics".to_owned(), diagnostics.into());
        if script.encoding.operands == Operands::ModManager {
            facts.insert("operands".to_owned(), "mm".into());
        }
    }
    facts
}
