//! Documentation of fields for visitors: the type and the first paragraph of the doc comment.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, Lit, Meta, Type};

/// Returns the first paragraph of a doc comment as one line. It ends at the first empty line.
pub(crate) fn first_paragraph(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(text);
    let paragraph: Vec<String> =
        lines.map(|line| line.trim().to_owned()).take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ")
}

/// Returns a doc comment as Markdown.
pub(crate) fn full(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes.iter().filter_map(text).collect();
    let lines: Vec<&str> =
        lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    lines.join("\n")
}

/// Returns the text of a line of a doc comment: `#[doc = "..."]`.
fn text(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        Expr::Lit(literal) if pair.path.is_ident("doc") => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns an expression of type `&FieldDoc` for a field of type `ty`.
pub(crate) fn of(ty: &Type, about: &str) -> TokenStream {
    let ty = shown(ty);
    code!(&__record::FieldDoc { ty: #ty, about: #about })
}

/// Formats a type without the spaces between its tokens.
pub(crate) fn shown(ty: &Type) -> String {
    let spaced = ty.to_token_stream().to_string();
    let mut out = spaced.replace(" <", "<").replace("< ", "<").replace(" >", ">").replace(" ,", ",");
    out = out.replace(" ::", "::").replace(":: ", "::").replace(" ;", ";");
    out
}

/// Formats an expression without the spaces between the tokens of paths and calls.
pub(crate) fn compact(expr: &Expr) -> String {
    let mut out = expr.to_token_stream().to_string();
    for (spaced, compact) in [
        (" . ", "."),
        (" :: ", "::"),
        (" ()", "()"),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        ("* b\"", "*b\""),
    ] {
        out = out.replace(spaced, compact);
    }
    out.replace("&&", "&& ").replace("&&  ", "&& ")
}
