//! The formats of the program and their warnings, from `antiquary formats --json`.

use std::path::PathBuf;

use serde_json::Value;

use crate::Result;
use crate::command::{antiquary, output, text};

/// Description of a format.
pub(crate) struct Format {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The id of its game, if any.
    pub(crate) game: Option<String>,
    pub(crate) extensions: Vec<String>,
    /// The supported operations, such as `read`.
    pub(crate) can: Vec<String>,
    /// The extensions of the files it can be converted to.
    pub(crate) outputs: Vec<String>,
    /// Every non-default value of an option, as command-line arguments: each value of each choice, and all values of each
    /// list at once.
    pub(crate) ways: Vec<[String; 2]>,
    pub(crate) options: Vec<FormatOption>,
    pub(crate) codes: Vec<Code>,
    /// Whether its bytes are declared, so that they can be described in other languages.
    pub(crate) has_schema: bool,
}

/// Description of an option of a format.
pub(crate) struct FormatOption {
    pub(crate) name: String,
    pub(crate) about: String,
    /// The values that it accepts, each with its description.
    pub(crate) words: Vec<[String; 2]>,
    /// The default value.
    pub(crate) default: Option<String>,
    /// The default value and the range of a number, or how to give several values.
    pub(crate) limits: Option<String>,
}

/// Description of a warning code.
pub(crate) struct Code {
    pub(crate) id: String,
    pub(crate) severity: String,
    pub(crate) title: String,
    pub(crate) about: String,
    /// Whether several formats use it.
    pub(crate) is_shared: bool,
    /// Its former id in the format, from before it was shared.
    pub(crate) formerly: Option<String>,
}

/// The files in these folders that the program recognizes, with the ids of their formats.
pub(crate) fn recognized(folders: &[PathBuf]) -> Result<Vec<(String, PathBuf)>> {
    // The exit status is ignored: it is a failure if any of the files is damaged.
    let answer = output(antiquary().arg("info").args(folders).arg("--json"))?;
    let answer: Value = serde_json::from_slice(&answer.stdout)?;
    list(&answer, "results")?
        .iter()
        .map(|file| Ok((word(file, "format")?, word(file, "input")?.into())))
        .collect()
}

/// Every format of the program, in the order of its list.
pub(crate) fn formats() -> Result<Vec<Format>> {
    results(&["formats", "--json"])?
        .iter()
        .map(|listed| {
            let id = word(listed, "id")?;
            // The list may omit details that the query for one format returns.
            let details = results(&["formats", &id, "--json"])?;
            format(details.first().ok_or_else(|| format!("`antiquary formats {id}` returned no format"))?)
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
        has_schema: value.get("schema").and_then(Value::as_bool).unwrap_or_default(),
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
        default: value.pointer("/value/choice/default").and_then(Value::as_str).map(str::to_owned),
        limits: limits(value),
    })
}

/// The default value and the range of a number, or how to give several values.
fn limits(option: &Value) -> Option<String> {
    if option.pointer("/value/words").is_some() {
        return Some("separate several values with commas".to_owned());
    }
    let number = |name: &str| option.pointer(&format!("/value/number/{name}")).and_then(Value::as_f64);
    let (default, least, most) = (number("default")?, number("least")?, number("most")?);
    Some(format!("default: {default}; allowed: {least} to {most}"))
}

/// The non-default values of an option, as command-line arguments.
fn ways(option: &Value) -> Result<Vec<[String; 2]>> {
    let name = format!("--{}", word(option, "name")?);
    let choices = |kind: &str| -> Vec<&str> {
        let values = option.pointer(&format!("/value/{kind}/values")).and_then(Value::as_array);
        values.into_iter().flatten().filter_map(|value| value.get(0).and_then(Value::as_str)).collect()
    };
    let default = option.pointer("/value/choice/default").and_then(Value::as_str);
    let one_of = choices("choice").into_iter().filter(|word| Some(*word) != default).map(str::to_owned);
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

/// Returns the text of a required member.
pub(crate) fn word(value: &Value, name: &str) -> Result<String> {
    match value.get(name).and_then(Value::as_str) {
        Some(text) => Ok(text.to_owned()),
        None => Err(format!("the program's JSON has no member \"{name}\" with a text: {value:.200}").into()),
    }
}

/// Returns the list of a required member.
pub(crate) fn list<'a>(value: &'a Value, name: &str) -> Result<&'a Vec<Value>> {
    match value.get(name).and_then(Value::as_array) {
        Some(list) => Ok(list),
        None => Err(format!("the program's JSON has no member \"{name}\" with a list: {value:.200}").into()),
    }
}

fn words(value: &Value, name: &str) -> Result<Vec<String>> {
    let text = |item: &Value| item.as_str().map(str::to_owned);
    list(value, name)?
        .iter()
        .map(|item| text(item).ok_or_else(|| format!("\"{name}\" is not a list of texts").into()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_every_non_default_value() {
        let words = [["a", "first"], ["b", "second"]];
        let choice = json!({ "name": "light", "value": { "choice": { "values": words, "default": "a" } } });
        let any = json!({ "name": "with", "value": { "words": { "values": words } } });
        let flag = json!({ "name": "raw", "value": "flag" });
        assert_eq!(ways(&choice).unwrap(), [["--light", "b"]]);
        assert_eq!(ways(&any).unwrap(), [["--with", "a,b"]]);
        assert!(ways(&flag).unwrap().is_empty());
    }

    #[test]
    fn describes_the_range_of_a_number() {
        let number = json!({ "name": "cell", "value": { "number": { "default": 16.0, "least": 0.25, "most": 256.0 } } });
        assert_eq!(limits(&number).as_deref(), Some("default: 16; allowed: 0.25 to 256"));
        assert_eq!(limits(&json!({ "name": "raw", "value": "flag" })), None);
    }
}
