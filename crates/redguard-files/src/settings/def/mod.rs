//! SOUP386.DEF: the names that scripts refer to by number. The grammar is in [`soup::definitions`].

#[cfg(test)]
mod tests;

use std::sync::Arc;

use asset::{
    Asset, Charset, Context, Counts, Description, Detail, Format, NameKind, NameVisitor, Named, Names,
    Offered, Parts, Probe, ProductKind, Products, Report, Score, Target, counted,
};
use json::{Document, Map, Value, json};
use media::ini::Ini;
use record::{Result, Source, Span, Visit, Visitor};
use soup::Definitions;

/// The script definition format.
pub static FORMAT: Format = Format::new("redguard.def", "Redguard script definitions", open)
    .game("redguard")
    .extensions(&["def"])
    .probe(probe)
    .pack(|folder, _report| Ini::pack(folder, Charset::Cp437))
    .products(&[Offered {
        kind: ProductKind::Data,
        about: "functions, properties, attributes, animation groups and flags by number",
    }])
    .spans(|asset, _, visitor| {
        asset.typed::<DefinitionFile>().into_iter().for_each(|file| file.trace(visitor));
        Ok(())
    })
    .names(Names::NONE.reported(|asset, _, take| {
        asset.typed::<DefinitionFile>().into_iter().for_each(|file| file.visit_names(take));
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(DefinitionFile::read(source)?))
}

crate::codes! {
    PROBLEM = "DEF-W001", Warning, "unreadable line",
        "A line cannot be read, or defines a name a second time. The game stops with an error. Example: `line 12: expected \"function NAME parms COUNT\"`.";
    MISSING = "DEF-W002", Warning, "missing section",
        "One of the sections functions, refs, equates and flags is missing or empty. Example: `section [refs] is missing or empty`.";
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    if !file.has_extension(FORMAT.extensions) {
        return Some(Score::NEVER);
    }
    let text = Charset::Cp437.decode(file.head).to_lowercase();
    let has_sections =
        ["[functions]", "[refs]", "[equates]", "[flags]"].iter().any(|name| text.contains(name));
    let is_named = file.name.starts_with("soup386");
    Some(if has_sections || is_named { Score::LIKELY } else { Score::NEVER })
}

/// The path of the definition file within a game.
const FILE: &str = "soup386/SOUP386.DEF";

/// The names used by the game that a file belongs to.
#[derive(Debug, Clone)]
pub struct GameNames {
    /// The names.
    pub names: Arc<Definitions>,
    /// Whether the names were read from the game; otherwise they are those of the shipped game.
    pub is_own: bool,
}

impl GameNames {
    /// Returns the definition file of the game that a file belongs to.
    #[must_use]
    pub fn file_of_game(context: &Context<'_>) -> Option<Source> {
        let found = context.install.find(FILE).found()?;
        context.install.open(&found.location).ok()
    }

    /// Returns the path of the definition file on disk.
    #[must_use]
    pub fn path_of_game(context: &Context<'_>) -> Option<std::path::PathBuf> {
        context.install.on_disk(&context.install.find(FILE).found()?.location)
    }

    /// Returns the names used by the game that a file belongs to, or those of the shipped game if it has no definition file.
    #[must_use]
    pub fn of_game(context: &Context<'_>) -> Self {
        let own = || {
            let found = context.install.find(FILE).found()?;
            let read = || {
                let source = context.install.open(&found.location)?;
                let size = usize::try_from(source.len()).unwrap_or(usize::MAX).saturating_mul(4);
                Ok((DefinitionFile::read(&source)?.names, size))
            };
            context.install.decoded(&found.location, "names", read).ok()
        };
        match own() {
            Some(names) => Self { names, is_own: true },
            None => Self::shipped(),
        }
    }

    /// Returns the names of the shipped game.
    #[must_use]
    pub fn shipped() -> Self {
        Self { names: Arc::new(Definitions::shipped().clone()), is_own: false }
    }
}

/// A definition file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionFile {
    lines: Ini,
    names: Definitions,
}

impl DefinitionFile {
    /// Reads the file. Malformed lines are reported in the [problems](Definitions::problems) of the names.
    ///
    /// # Errors
    /// Returns the same errors as [`Ini::read`].
    pub fn read(source: &Source) -> Result<Self> {
        let lines = Ini::read(source, Charset::Cp437)?;
        let names = Definitions::read(lines.texts());
        Ok(Self { lines, names })
    }

    /// Returns the names.
    #[must_use]
    pub const fn names(&self) -> &Definitions {
        &self.names
    }

    /// Returns the complete text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines.texts().collect()
    }

    fn trace(&self, visitor: &mut dyn Visitor) {
        let mut start = 0_u64;
        for (number, line) in self.lines.texts().enumerate() {
            // Each character of the code page is one byte.
            let end = start.saturating_add(u64::try_from(line.chars().count()).unwrap_or_default());
            let (path, value) = (format!("lines[{number}]"), line.trim());
            if visitor.span(Span { start, end, path: &path, value: &value }) == Visit::Stop {
                return;
            }
            start = end;
        }
    }

    fn visit_names(&self, take: NameVisitor<'_>) {
        let names = &self.names;
        let mut section = String::new();
        for (number, line) in self.lines.texts().enumerate() {
            let line = line.split(';').next().unwrap_or_default().trim();
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']').trim().to_lowercase();
                continue;
            }
            let mut words = line.split_ascii_whitespace();
            let (first, second) = (words.next().unwrap_or_default(), words.next());
            let is_attribute = || names.attributes.iter().flatten().any(|name| name == first);
            let (kind, text) = match (section.as_str(), second) {
                ("functions", Some(name)) => (NameKind::Function, name),
                ("flags", Some(name)) => (NameKind::Flag, name),
                ("equates", _) if is_attribute() => (NameKind::Attribute, first),
                (_, _) if !first.is_empty() => (NameKind::Text, first),
                _ => continue,
            };
            take(Named::new(kind, text, format_args!("lines[{number}]")));
        }
    }

    fn resolved(&self) -> Value {
        let names = &self.names;
        let numbered = |index: usize, value: Value| {
            let mut out = Map::new();
            out.insert("index".into(), index.into());
            out.extend(value.as_object().cloned().unwrap_or_default());
            Value::Object(out)
        };
        let functions = names.functions.iter().map(|it| json::to_value(it).unwrap_or_default());
        let flags = names.flags.iter().map(|it| json::to_value(it).unwrap_or_default());
        json!({
            "functions": functions.enumerate().map(|(index, it)| numbered(index, it)).collect::<Vec<_>>(),
            "references": names.references,
            "attributes": names.attributes,
            "attribute_aliases": names.attribute_aliases.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "animation_groups": names.animation_groups,
            "equates": names.equates,
            "flags": flags.enumerate().map(|(index, it)| numbered(index, it)).collect::<Vec<_>>(),
        })
    }
}

impl Asset for DefinitionFile {
    fn describe(&self, detail: Detail) -> Description {
        let names = &self.names;
        // Function 0 is not declared.
        let functions = names.functions.len().saturating_sub(1);
        let counts = Counts::new()
            .with("functions", functions)
            .with("properties", names.references.len())
            .with("attributes", names.attributes.len())
            .with("animation groups", names.animation_groups.len())
            .with("flags", names.flags.len());
        Description {
            summary: format!(
                "names of {}, {} and {}",
                counted(functions, "function", "functions"),
                counted(names.attributes.len(), "attribute", "attributes"),
                counted(names.flags.len(), "flag", "flags"),
            ),
            counts,
            fields: match detail {
                Detail::Brief => Document::default(),
                Detail::Full => Document::object(|out| {
                    out.list("lines", self.lines.texts()).put("resolved", &self.resolved());
                }),
            },
            derived: &["resolved"],
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        for problem in &self.names.problems {
            let message = format!("line {}: {}", problem.line.saturating_add(1), problem.kind);
            report.warn(&PROBLEM, message).in_field(format!("lines[{}]", problem.line));
        }
        let names = &self.names;
        let sections = [
            ("functions", names.functions.is_empty()),
            ("refs", names.references.is_empty()),
            ("equates", names.equates.is_empty()),
            ("flags", names.flags.is_empty()),
        ];
        for (name, _) in sections.iter().filter(|(_, is_empty)| *is_empty) {
            report.warn(&MISSING, format!("section [{name}] is missing or empty"));
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        Ok(Products::new(context, target).with_data(|| self.resolved()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(&self.lines)
    }
}
