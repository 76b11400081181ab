//! The page: a table for each declaration of each format.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::error::Error;
use std::fmt::Write;

use syn::{Attribute, Expr, Field, Fields, GenericArgument, Item, Lit, Meta, PathArguments, Type};

use crate::source::{Declaration, Declarations};

pub(crate) struct Page<'a> {
    declarations: &'a Declarations,
    /// The paths of the declarations that have a table.
    shown: BTreeSet<String>,
    /// The declarations with a custom JSON form, with their comments.
    others: BTreeMap<String, String>,
    text: String,
}

impl<'a> Page<'a> {
    pub(crate) fn new(declarations: &'a Declarations) -> Self {
        Self { declarations, shown: BTreeSet::new(), others: BTreeMap::new(), text: String::new() }
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("### Types with a custom JSON form\n\n| type | |\n| --- | --- |\n");
        for (title, about) in self.others {
            let _ = writeln!(self.text, "| {title} | {about} |");
        }
        self.text
    }

    /// Adds a format with all declarations that its records use, except those that already have a table.
    pub(crate) fn format(&mut self, format: &str, paths: &[&str]) -> Result<(), Box<dyn Error>> {
        writeln!(self.text, "### `{format}`\n")?;
        let mut waiting = VecDeque::new();
        for path in paths {
            let (module, name) = path.rsplit_once("::").ok_or("a path has a module")?;
            let root = self.declarations.find(name, module).ok_or_else(|| format!("{path} was not found"))?;
            waiting.push_back(root);
        }
        while let Some(declaration) = waiting.pop_front() {
            if !self.shown.insert(declaration.path()) {
                continue;
            }
            if !has_fields(declaration) {
                self.others.insert(title(declaration), comment(declaration));
                continue;
            }
            let mut used = Vec::new();
            let table = self.table(declaration, &mut used);
            writeln!(self.text, "#### {}\n\n{table}", title(declaration))?;
            waiting.extend(used);
        }
        Ok(())
    }

    fn table(&self, declaration: &'a Declaration, used: &mut Vec<&'a Declaration>) -> String {
        let mut out = String::new();
        let mut row = |name: &str, kind: &str, about: &str| {
            let _ = writeln!(out, "| {name} | {kind} | {about} |");
        };
        let module = &declaration.module;
        match &declaration.item {
            Item::Struct(item) => {
                row("member", "value", "");
                row("---", "---", "---");
                for field in &item.fields {
                    self.field(field, &item.attrs, module, &mut row, used);
                }
                format!("{}\n\n{out}", about(&item.attrs))
            }
            Item::Enum(item) => {
                row("one of", "value", "");
                row("---", "---", "---");
                for variant in &item.variants {
                    let name = variant.ident.to_string();
                    let name = renamed(&variant.attrs).unwrap_or_else(|| cased(&name, &item.attrs));
                    let text = about(&variant.attrs);
                    match &variant.fields {
                        Fields::Unit => row(&format!("`\"{name}\"`"), "", &text),
                        Fields::Unnamed(fields) => {
                            let kinds: Vec<String> = fields
                                .unnamed
                                .iter()
                                .map(|field| self.kind(&field.ty, module, used))
                                .collect();
                            row(&format!("`{{\"{name}\": ...}}`"), &kinds.join(", "), &text);
                        }
                        Fields::Named(fields) => {
                            row(&format!("`{{\"{name}\": {{...}}}}`"), "", &text);
                            for field in &fields.named {
                                self.field(field, &[], module, &mut row, used);
                            }
                        }
                    }
                }
                format!("{}\n\n{out}", about(&item.attrs))
            }
            _ => out,
        }
    }

    /// The row of a field.
    fn field(
        &self,
        field: &Field,
        owner: &[Attribute],
        module: &str,
        row: &mut dyn FnMut(&str, &str, &str),
        used: &mut Vec<&'a Declaration>,
    ) {
        let words = serde_words(&field.attrs);
        if words.iter().any(|(name, _)| name == "skip") {
            return;
        }
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let name = name.trim_start_matches("r#");
        let name = renamed(&field.attrs).unwrap_or_else(|| cased(name, owner));
        let shown = match name.is_empty() {
            // A struct with one unnamed field is serialized as that field.
            true => "itself".to_owned(),
            false => format!("`{name}`"),
        };
        row(&shown, &self.kind(&field.ty, module, used), &about(&field.attrs));
    }

    /// The JSON form of a type.
    fn kind(&self, ty: &Type, module: &str, used: &mut Vec<&'a Declaration>) -> String {
        match ty {
            Type::Array(array) => format!("list of {}", plural(&self.kind(&array.elem, module, used))),
            Type::Tuple(tuple) if tuple.elems.is_empty() => "nothing".to_owned(),
            Type::Tuple(tuple) => {
                let kinds: Vec<String> = tuple.elems.iter().map(|ty| self.kind(ty, module, used)).collect();
                format!("list: {}", kinds.join(", "))
            }
            Type::Path(path) => {
                let Some(last) = path.path.segments.last() else { return String::new() };
                let arguments: Vec<&Type> = match &last.arguments {
                    PathArguments::AngleBracketed(list) => {
                        let types = list.args.iter().filter_map(|argument| match argument {
                            GenericArgument::Type(ty) => Some(ty),
                            _ => None,
                        });
                        types.collect()
                    }
                    _ => Vec::new(),
                };
                self.named(&last.ident.to_string(), &arguments, module, used)
            }
            _ => "value".to_owned(),
        }
    }

    fn named(
        &self,
        name: &str,
        arguments: &[&Type],
        module: &str,
        used: &mut Vec<&'a Declaration>,
    ) -> String {
        let first = |used: &mut Vec<&'a Declaration>| {
            arguments.last().map_or_else(String::new, |ty| self.kind(ty, module, used))
        };
        match name {
            "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" => "integer".to_owned(),
            "f32" | "f64" => "number".to_owned(),
            "bool" => "true or false".to_owned(),
            "char" => "letter".to_owned(),
            "String" | "FixedText" | "str" | "Cow" | "Name" | "CString" => "text".to_owned(),
            "Bytes" | "Raw" | "Source" => "bytes".to_owned(),
            "Box" | "Arc" | "Rc" => first(used),
            "Option" => format!("{} or null", first(used)),
            "Vec" | "VecDeque" | "BTreeSet" => format!("list of {}", plural(&first(used))),
            "BTreeMap" | "HashMap" | "IndexMap" => format!("object: {} by name", plural(&first(used))),
            name => match self.declarations.find(name, module) {
                Some(declaration) if has_fields(declaration) => {
                    used.push(declaration);
                    let title = title(declaration);
                    format!("[{name}](#{})", anchor(&title))
                }
                Some(declaration) => match &declaration.item {
                    Item::Type(item) => self.kind(&item.ty, &declaration.module, used),
                    Item::Struct(item) if written_as(&item.attrs, &item.fields).is_some() => {
                        let ty = written_as(&item.attrs, &item.fields);
                        ty.map_or_else(String::new, |ty| self.kind(&ty, &declaration.module, used))
                    }
                    _ => {
                        used.push(declaration);
                        format!("[{name}](#types-with-a-custom-json-form)")
                    }
                },
                None => "value".to_owned(),
            },
        }
    }
}

fn plural(kind: &str) -> String {
    match kind {
        "integer" | "number" | "text" => format!("{kind}s"),
        kind => match kind.strip_prefix("list of ") {
            Some(items) => format!("lists of {items}"),
            None => kind.to_owned(),
        },
    }
}

/// Whether the JSON of a declaration has its fields.
fn has_fields(declaration: &Declaration) -> bool {
    let attributes = match &declaration.item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        _ => return false,
    };
    let is_derived = attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("derive") => list
            .tokens
            .to_string()
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word == "Serialize"),
        _ => false,
    });
    is_derived && !serde_words(attributes).iter().any(|(name, _)| name == "into" || name == "transparent")
}

/// The first paragraph of the comment of a declaration.
fn comment(declaration: &Declaration) -> String {
    match &declaration.item {
        Item::Struct(item) => about(&item.attrs),
        Item::Enum(item) => about(&item.attrs),
        _ => String::new(),
    }
}

/// The path of a declaration, without `layout`, which most paths contain.
fn title(declaration: &Declaration) -> String {
    declaration.path().replace("::layout::", "::")
}

/// The anchor of a heading.
fn anchor(title: &str) -> String {
    let is_kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    title.to_lowercase().chars().filter(is_kept).collect()
}

/// The first paragraph of a comment as a table cell, without links.
fn about(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        let Meta::NameValue(meta) = &attribute.meta else { continue };
        let Expr::Lit(literal) = &meta.value else { continue };
        let Lit::Str(text) = &literal.lit else { continue };
        let text = text.value().trim().to_owned();
        if text.is_empty() && !lines.is_empty() {
            break;
        }
        lines.push(text);
    }
    without_links(&lines.join(" ")).replace('|', "\\|").replace('<', "&lt;")
}

/// `[text](target)` becomes `text`, and [`Name`] `Name`.
fn without_links(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find('[') {
        let (before, behind) = rest.split_at(start);
        out.push_str(before);
        let Some(end) = behind.find(']') else { break };
        let inner = behind.get(1..end).unwrap_or_default();
        let after = behind.get(end.saturating_add(1)..).unwrap_or_default();
        let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
        match target {
            Some((_, after)) => {
                out.push_str(inner);
                rest = after;
            }
            None if inner.starts_with('`') => {
                out.push_str(inner);
                rest = after;
            }
            None => {
                let _ = write!(out, "[{inner}]");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The entries of `#[serde(...)]`, each with its text.
fn serde_words(attributes: &[Attribute]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        // Entries in other forms are ignored.
        let _ = attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let text = meta.value().and_then(|value| value.parse::<syn::LitStr>()).map(|text| text.value());
            out.push((name, text.unwrap_or_default()));
            Ok(())
        });
    }
    out
}

/// The type that a struct is serialized as: the type in `#[serde(into)]`, or the type of the only field of a transparent struct.
fn written_as(attributes: &[Attribute], fields: &Fields) -> Option<Type> {
    let words = serde_words(attributes);
    if let Some((_, ty)) = words.iter().find(|(name, _)| name == "into") {
        return syn::parse_str(ty).ok();
    }
    let is_transparent = words.iter().any(|(name, _)| name == "transparent");
    fields.iter().next().filter(|_| is_transparent).map(|field| field.ty.clone())
}

fn renamed(attributes: &[Attribute]) -> Option<String> {
    serde_words(attributes).into_iter().find(|(name, _)| name == "rename").map(|(_, text)| text)
}

/// A name in the case that `#[serde(rename_all)]` of its owner specifies.
fn cased(name: &str, owner: &[Attribute]) -> String {
    let case = serde_words(owner).into_iter().find(|(name, _)| name == "rename_all").map(|(_, text)| text);
    match case.as_deref() {
        Some("snake_case") => snake(name, '_'),
        Some("kebab-case") => snake(name, '-'),
        Some("lowercase") => name.to_lowercase(),
        Some("UPPERCASE") => name.to_uppercase(),
        _ => name.to_owned(),
    }
}

fn snake(name: &str, between: char) -> String {
    let mut out = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            out.push(between);
        }
        out.extend(letter.to_lowercase());
    }
    out
}
