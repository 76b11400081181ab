//! The entries of `#[record(...)]`: their names, their values, and the errors for both.

use proc_macro2::TokenStream;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Ident, Path, Result, Token, Type};

/// The kind of item that container attributes are written on.
#[derive(Clone, Copy)]
pub(crate) enum Item {
    Struct,
    Enum,
    Variant,
}

impl Item {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Variant => "variant",
        }
    }

    /// The attributes that have an effect on such an item.
    pub(crate) fn attributes(self) -> &'static [&'static str] {
        match self {
            Self::Struct => &["crate", "context", "order", "magic", "flat", "from", "show", "check"],
            Self::Enum => &[
                "crate",
                "context",
                "order",
                "from",
                "show",
                "check",
                "tag",
                "length",
                "length_order",
                "body",
                "ahead",
                "unknown",
            ],
            Self::Variant => &["tag", "when", "unknown", "with"],
        }
    }
}

/// The attributes of a field.
pub(crate) const FIELD_ATTRIBUTES: &[&str] = &[
    "count",
    "limit",
    "leave",
    "until",
    "terminator",
    "present",
    "by",
    "min",
    "when",
    "with",
    "order",
    "check",
    "show",
    "begin",
    "end",
    "inline",
    "before",
    "after",
    "stored_as",
];

pub(crate) fn each_entry(
    attributes: &[Attribute],
    item: &str,
    known: &[&str],
    mut parse: impl FnMut(&ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    let mut seen = Vec::new();
    for attribute in record_attributes(attributes) {
        attribute.parse_nested_meta(|meta| {
            let name = name(&meta);
            if !known.contains(&name.as_str()) {
                return Err(unknown_attribute(&meta, item, known));
            }
            if seen.contains(&name) {
                return Err(meta.error(format!("duplicate attribute `{name}`")));
            }
            if !REPEATABLE.contains(&name.as_str()) {
                seen.push(name);
            }
            parse(&meta)
        })?;
    }
    Ok(())
}

/// The attributes that an item may have more than once.
const REPEATABLE: &[&str] = &["before", "after"];

fn record_attributes(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("record"))
}

/// An error at the first `#[record(...)]` of an item.
pub(crate) fn error_on(attributes: &[Attribute], message: &str) -> syn::Error {
    match record_attributes(attributes).next() {
        Some(attribute) => syn::Error::new_spanned(attribute, message),
        None => syn::Error::new(proc_macro2::Span::call_site(), message),
    }
}

pub(crate) fn unknown_attribute(meta: &ParseNestedMeta<'_>, item: &str, known: &[&str]) -> syn::Error {
    let path = &meta.path;
    let found = code!(#path).to_string().replace(' ', "");
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    meta.error(format!("unknown {item} attribute `{found}`; expected one of {}", known.join(", ")))
}

/// The input after `NAME =`.
pub(crate) fn after_equals<'a>(meta: &ParseNestedMeta<'a>) -> Result<ParseStream<'a>> {
    let name = name(meta);
    meta.value().map_err(|error| missing_value(&error, &name))
}

pub(crate) fn missing_value(error: &syn::Error, name: &str) -> syn::Error {
    syn::Error::new(error.span(), format!("`{name}` requires a value: `{name} = ...`"))
}

pub(crate) fn value<T: Parse>(meta: &ParseNestedMeta<'_>) -> Result<T> {
    after_equals(meta)?.parse()
}

pub(crate) fn type_value(meta: &ParseNestedMeta<'_>) -> Result<Type> {
    let input = after_equals(meta)?;
    let name = name(meta);
    input.parse().map_err(|error: syn::Error| {
        syn::Error::new(error.span(), format!("expected a type: `{name} = TYPE`"))
    })
}

pub(crate) fn path_value(meta: &ParseNestedMeta<'_>) -> Result<Path> {
    let input = after_equals(meta)?;
    let name = name(meta);
    input
        .call(Path::parse_mod_style)
        .map_err(|error| syn::Error::new(error.span(), format!("expected a path: `{name} = PATH`")))
}

/// An attribute without a value.
pub(crate) fn flag(meta: &ParseNestedMeta<'_>) -> Result<bool> {
    if meta.input.is_empty() || meta.input.peek(Token![,]) {
        return Ok(true);
    }
    Err(meta.input.error(format!("`{}` takes no value", name(meta))))
}

pub(crate) fn name(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(Ident::to_string).unwrap_or_default()
}

pub(crate) fn type_or_value(input: ParseStream<'_>) -> Result<TokenStream> {
    let ahead = input.fork();
    if ahead.parse::<Type>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,])) {
        let ty: Type = input.parse()?;
        return Ok(code!(#ty));
    }
    let value: Expr = input.parse()?;
    Ok(code!(#value))
}

pub(crate) fn parenthesized<T: Parse>(meta: &ParseNestedMeta<'_>) -> Result<T> {
    if !meta.input.peek(syn::token::Paren) {
        return Err(meta.input.error(format!("expected parentheses: `{}(...)`", name(meta))));
    }
    let content;
    syn::parenthesized!(content in meta.input);
    content.parse()
}
