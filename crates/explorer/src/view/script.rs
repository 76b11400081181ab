//! The scripts of a file as text, with the references of their lines.

use antiquary::asset::NameKind;
use antiquary::json::Value;
use antiquary::script::{
    Disassembly, EXTENSION, FORMAT, Reference, ScriptContext, ScriptTextOptions, Target, disassemble, map_of,
    references,
};
use antiquary::{Error, Format, Options, Report};
use serde::Serialize;

use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// Parameters of a view of scripts; all others are options of the language.
const OWN: &[&str] = &["kind", "item"];

/// A script of a file.
#[derive(Serialize)]
struct Script {
    index: usize,
    /// Name of its owner.
    name: String,
    /// Record of its owner; null if unknown.
    field: Option<String>,
    /// Fields that place its owner.
    placed: Vec<String>,
    /// Number of lines.
    lines: usize,
    #[serde(skip)]
    text: String,
    /// Line of each statement, by the statement's offset.
    #[serde(skip)]
    offsets: Vec<(u64, u64)>,
    #[serde(skip)]
    names: Vec<NamedInLine>,
}

/// A reference in a line.
#[derive(Serialize)]
struct NamedInLine {
    line: usize,
    /// Kind of reference, as one word.
    how: &'static str,
    kind: &'static str,
    name: String,
    /// Spoken text, if any.
    text: Option<String>,
}

#[derive(Serialize)]
struct List<'a> {
    language: &'a str,
    scripts: &'a [Script],
}

#[derive(Serialize)]
struct Single<'a> {
    language: &'a str,
    #[serde(flatten)]
    script: &'a Script,
    text: &'a str,
    offsets: &'a [(u64, u64)],
    names: &'a [NamedInLine],
}

/// Whether files of a format contain scripts.
pub(crate) fn has_scripts(format: &Format) -> bool {
    format.id == FORMAT.id
}

impl Explorer {
    pub(super) fn script_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        let chosen: Vec<_> = query.without(OWN).collect();
        let scripts = self.cache.get(file.key("script", &format!("{chosen:?}")), || {
            let scripts = scripts_of(file, &chosen)?;
            let bytes = scripts.iter().map(|script| script.text.len() * 2).sum::<usize>();
            Ok::<_, Fault>((scripts, bytes as u64))
        })?;
        let language = EXTENSION;
        let Some(item) = query.number::<usize>("item")? else {
            return Response::json(&List { language, scripts: &scripts });
        };
        let missing = || Fault::missing(format!("the file has no script {item}"));
        let script = scripts.get(item).ok_or_else(missing)?;
        let Script { text, offsets, names, .. } = script;
        Response::json(&Single { language, script, text, offsets, names })
    }
}

fn scripts_of(file: &File<'_>, chosen: &[(String, String)]) -> Result<Vec<Script>, Fault> {
    if !has_scripts(file.format()) {
        return Err(Error::unsupported("files of this format have no scripts").into());
    }
    let options = Options::parse(ScriptTextOptions::DECLARED, chosen)?;
    let context =
        ScriptContext { context: file.context(&options), file_name: file.entry.name(), definitions: None };
    let map = map_of(file.asset())?;
    let all = disassemble(map, &context, &mut Report::new())?;
    let references = references(map, &context).unwrap_or_default();
    let owners = Owners::of(file, &context);
    let scripts =
        all.into_iter().enumerate().map(|(index, script)| Script::new(index, &owners, script, &references));
    Ok(scripts.collect())
}

/// Owners of scripts.
#[derive(Default)]
struct Owners {
    /// Names with their records, in file order.
    records: Vec<(String, String)>,
    /// Names with the fields that place them.
    placed: Vec<(String, String)>,
}

impl Owners {
    fn of(file: &File<'_>, context: &ScriptContext<'_>) -> Self {
        let mut owners = Self::default();
        let _ = file.format().names.visit(file.asset(), &context.context, &mut |named| {
            if named.kind != NameKind::Actor {
                return;
            }
            let path = named.path.to_string();
            if let Some(record) = path.strip_suffix(".name") {
                owners.records.push((named.text.to_owned(), record.to_owned()));
            } else if let Some(record) = path.strip_suffix(".object") {
                owners.placed.push((named.text.to_owned(), record.to_owned()));
            }
        });
        owners
    }

    /// Returns the record of a script's owner. Scripts of owners with the same name are in the order of their records.
    fn record(&self, index: usize, name: &str) -> Option<String> {
        let at = self.records.get(index).filter(|(owner, _)| owner == name);
        at.or_else(|| self.records.iter().find(|(owner, _)| owner == name)).map(|(_, field)| field.clone())
    }

    fn placed(&self, name: &str) -> Vec<String> {
        let own = self.placed.iter().filter(|(owner, _)| owner == name);
        own.map(|(_, field)| field.clone()).collect()
    }
}

impl Script {
    fn new(index: usize, owners: &Owners, script: Disassembly, references: &[Reference]) -> Self {
        let Disassembly { name, text, facts } = script;
        let own = references.iter().filter(|it| it.actor == name);
        Self {
            index,
            field: owners.record(index, &name),
            placed: owners.placed(&name),
            lines: text.lines().count(),
            offsets: offsets_of(&facts),
            names: own.filter_map(named_in_line).collect(),
            name,
            text,
        }
    }
}

fn named_in_line(reference: &Reference) -> Option<NamedInLine> {
    let (kind, name, text) = match &reference.target {
        Target::Shared(kind, name, text) => (*kind, name.clone(), text.clone()),
        Target::Text(text) => ("text", text.clone(), None),
        Target::Routine(..) => return None,
    };
    Some(NamedInLine { line: reference.line?, how: reference.kind, kind, name, text })
}

/// Returns the line of each statement of a listing.
fn offsets_of(facts: &Value) -> Vec<(u64, u64)> {
    let list = |name: &str| facts.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let pairs = list("listing").iter().zip(list("lines"));
    pairs.filter_map(|(statement, line)| Some((statement.get(0)?.as_u64()?, line.as_u64()?))).collect()
}
