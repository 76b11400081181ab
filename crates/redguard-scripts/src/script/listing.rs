//! What is known of a script, as JSON.

use json::{Value, json};
use soup::bytecode::{Operands, RightProperty, Script};
use soup::diagnose::Diagnostic;

/// A script that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Disassembly {
    /// The name of what it belongs to.
    pub name: String,
    /// The script as text.
    pub text: String,
    /// The script as JSON, with all there is to say of it.
    pub facts: Value,
}

/// A defect as JSON.
pub(super) fn diagnostic(it: &Diagnostic) -> Value {
    json!({ "code": it.code, "severity": it.severity.name(), "at": it.at, "message": it.message })
}

/// What there is to say of a script, and its statements.
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
