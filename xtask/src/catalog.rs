//! What the program says it knows: its formats and their warnings, as `antiquary formats --json` gives them.

use std::path::PathBuf;

use serde_json::Value;

use crate::Result;
use crate::command::{antiquary, output, text};

/// A format, in words.
pub(crate) struct Format {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The id of its game, if it belongs to one.
    pub(crate) game: Option<String>,
    pub(crate) extensions: Vec<String>,
    /// What can be done with it, like `read`.
    pub(crate) can: Vec<String>,
    /// The extensions of what it is converted to.
    pub(crate) outputs: Vec<String>,
    /// Every way of converting that is not the usual one, as arguments of the command line: each word of each choice, and
    /// everything that can be added at once.
    pub(crate) ways: Vec<[String; 2]>,
    pub(crate) options: Vec<FormatOption>,
    pub(crate) codes: Vec<Code>,
}

/// An option of a format, in words.
pub(crate) struct FormatOption {
    pub(crate) name: String,
    pub(crate) about: String,
    /// The words that it takes, each with its meaning.
    pub(crate) words: Vec<[String; 2]>,
    /// The word that is meant without it.
    pub(crate) usual: Option<String>,
}

/// A kind of warning, in words.
pub(crate) struct Code {
    pub(crate) id: String,
    pub(crate) severity: String,
    pub(crate) title: String,
    pub(crate) about: String,
    /// Whether several formats have it.
    pub(crate) is_shared: bool,
    /// The id that it had in the format before it was shared.
    pub(crate) formerly: Option<String>,
}

/// The files in these folders that the program recognizes, with the ids of their formats.
pub(crate) fn recognised(folders: &[PathBuf]) -> Result<Vec<(String, PathBuf)>> {
    // It fails when there are damaged files among them, which does not matter here.
    let answer = output(antiquary().arg("info").args(folders).arg("--json"))?;
    let answer: Value = serde_json::from_slice(&answer.stdout)?;
    list(&answer, "results")?
        .iter()
        .map(|file| Ok((word(file, "format")?, word(file, "input")?.into())))
        .collect()
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
        game: value.get("game").and_then(Value::as_str).map(str::to_owned),
        extensions: words(value, "extensions")?,
        can: words(value, "can")?,
        outputs: list(value, "outputs")?
            .iter()
            .map(|output| word(output, "extension"))
            .collect::<Result<_>>()?,
        ways: list(value, "options")?.iter().map(ways).collect::<Result<Vec<_>>>()?.concat(),
        options: list(value, "options")?
            .iter()
            .chain(list(value, "import_options")?)
            .map(option)
            .collect::<Result<_>>()?,
        codes: list(value, "codes")?.iter().map(code).collect::<Result<_>>()?,
    })
}

fn option(value: &Value) -> Result<FormatOption> {
    let values = ["choice", "words"]
        .iter()
        .filter_map(|kind| value.pointer(&format!("/value/{kind}/values")).and_then(Value::as_array));
    let text = |word: &Value, at: usize| word.get(at).and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(FormatOption {
        name: word(value, "name")?,
        about: word(value, "about")?,
        words: values.flatten().map(|word| [text(word, 0), text(word, 1)]).collect(),
        usual: value.pointer("/value/choice/default").and_then(Value::as_str).map(str::to_owned),
    })
}

/// The ways that an option gives.
fn ways(option: &Value) -> Result<Vec<[String; 2]>> {
    let name = format!("--{}", word(option, "name")?);
    let choices = |kind: &str| -> Vec<&str> {
        let values = option.pointer(&format!("/value/{kind}/values")).and_then(Value::as_array);
        values.into_iter().flatten().filter_map(|value| value.get(0).and_then(Value::as_str)).collect()
    };
    let usual = option.pointer("/value/choice/default").and_then(Value::as_str);
    let one_of = choices("choice").into_iter().filter(|word| Some(*word) != usual).map(str::to_owned);
    let any_of = Some(choices("words").join(",")).filter(|words| !words.is_empty());
    Ok(one_of.chain(any_of).map(|words| [name.clone(), words]).collect())
}

fn code(value: &Value) -> Result<Code> {
    Ok(Code {
        id: word(value, "id")?,
        severity: word(value, "severity")?,
        title: word(value, "title")?,
        about: word(value, "about")?,
        is_shared: value.get("formerly").is_some(),
        formerly: value.get("formerly").and_then(Value::as_str).map(str::to_owned),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_way_that_is_not_the_usual_one_is_known() {
        let words = [["a", "first"], ["b", "second"]];
        let choice = json!({ "name": "light", "value": { "choice": { "values": words, "default": "a" } } });
        let any = json!({ "name": "with", "value": { "words": { "values": words } } });
        let flag = json!({ "name": "raw", "value": "flag" });
        assert_eq!(ways(&choice).unwrap(), [["--light", "b"]]);
        assert_eq!(ways(&any).unwrap(), [["--with", "a,b"]]);
        assert!(ways(&flag).unwrap().is_empty());
    }
}
