//! What the program says it knows: its formats and their warnings, as `antiquary formats --json` gives them.

use serde_json::Value;

use crate::Result;
use crate::command::{antiquary, text};

/// A format, in words.
pub(crate) struct Format {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) extensions: Vec<String>,
    /// What can be done with it, like `read`.
    pub(crate) can: Vec<String>,
    /// The extensions of what it is converted to.
    pub(crate) outputs: Vec<String>,
    pub(crate) codes: Vec<Code>,
}

/// A kind of warning, in words.
pub(crate) struct Code {
    pub(crate) id: String,
    pub(crate) severity: String,
    pub(crate) title: String,
    pub(crate) about: String,
}

/// Every format the program knows, in its order.
pub(crate) fn formats() -> Result<Vec<Format>> {
    results(&["formats", "--json"])?
        .iter()
        .map(|listed| {
            let id = word(listed, "id")?;
            // The list may leave out what the format alone tells.
            let whole = results(&["formats", &id, "--json"])?;
            format(whole.first().ok_or("a format is not described")?)
        })
        .collect()
}

fn results(arguments: &[&str]) -> Result<Vec<Value>> {
    let answer: Value = serde_json::from_str(&text(antiquary().args(arguments))?)?;
    list(&answer, "results").cloned()
}

fn format(value: &Value) -> Result<Format> {
    Ok(Format {
        id: word(value, "id")?,
        name: word(value, "name")?,
        extensions: words(value, "extensions")?,
        can: words(value, "can")?,
        outputs: list(value, "outputs")?
            .iter()
            .map(|output| word(output, "extension"))
            .collect::<Result<_>>()?,
        codes: list(value, "codes")?.iter().map(code).collect::<Result<_>>()?,
    })
}

fn code(value: &Value) -> Result<Code> {
    Ok(Code {
        id: word(value, "id")?,
        severity: word(value, "severity")?,
        title: word(value, "title")?,
        about: word(value, "about")?,
    })
}

/// The text of a member that must be there.
pub(crate) fn word(value: &Value, name: &str) -> Result<String> {
    match value.get(name).and_then(Value::as_str) {
        Some(text) => Ok(text.to_owned()),
        None => Err(format!("the program's JSON has no text \"{name}\": {value:.200}").into()),
    }
}

/// The list of a member that must be there.
pub(crate) fn list<'a>(value: &'a Value, name: &str) -> Result<&'a Vec<Value>> {
    match value.get(name).and_then(Value::as_array) {
        Some(list) => Ok(list),
        None => Err(format!("the program's JSON has no list \"{name}\": {value:.200}").into()),
    }
}

fn words(value: &Value, name: &str) -> Result<Vec<String>> {
    let text = |item: &Value| item.as_str().map(str::to_owned);
    list(value, name)?
        .iter()
        .map(|item| text(item).ok_or_else(|| format!("\"{name}\" is not of words").into()))
        .collect()
}
