//! What stands in `#[record(...)]`.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, Ident, LitInt, Result, Type};

/// Little or big.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Little,
    Big,
}

/// On a struct, an enum or a variant.
#[derive(Default)]
pub(crate) struct Container {
    /// The type of the context.
    pub(crate) context: Option<Type>,
    pub(crate) order: Option<Order>,
    /// Bytes that every such record starts with.
    pub(crate) magic: Option<Expr>,
    /// The fields are flat though that cannot be seen from their types.
    pub(crate) flat: bool,
    /// Enum: the type of the tag. Variant: its value (kept as an expression).
    pub(crate) tag: Option<Expr>,
    /// Enum: the type of the number behind the tag that tells how long the body is.
    pub(crate) length: Option<Type>,
    /// Variant: keeps what no other variant knows.
    pub(crate) unknown: bool,
    /// Variant: the context its field is given.
    pub(crate) with: Option<Expr>,
}

/// How a list knows its length.
#[derive(Clone)]
pub(crate) enum Count {
    /// A number in front of it.
    Prefix(Type),
    /// Another field, or an expression of other fields.
    Expr(Expr),
}

/// On a field.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) count: Option<Count>,
    pub(crate) limit: Option<Expr>,
    pub(crate) when: Option<Expr>,
    pub(crate) with: Option<Expr>,
    pub(crate) order: Option<Order>,
    pub(crate) at: Option<Expr>,
    pub(crate) size: Option<Expr>,
    pub(crate) each: Option<Ident>,
    pub(crate) from_end: Option<Expr>,
    pub(crate) rank: Option<LitInt>,
    pub(crate) layout: bool,
}

impl Container {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut out = Self::default();
        each_entry(attributes, |meta| {
            let path = meta.path.clone();
            let is = |name: &str| path.is_ident(name);
            if is("context") {
                out.context = Some(meta.value()?.parse()?);
            } else if is("order") {
                out.order = Some(order(meta)?);
            } else if is("magic") {
                out.magic = Some(meta.value()?.parse()?);
            } else if is("flat") {
                out.flat = true;
            } else if is("tag") {
                out.tag = Some(meta.value()?.parse()?);
            } else if is("length") {
                out.length = Some(meta.value()?.parse()?);
            } else if is("unknown") {
                out.unknown = true;
            } else if is("with") {
                out.with = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("expected context, order, magic, flat, tag, length, unknown or with"));
            }
            Ok(())
        })?;
        Ok(out)
    }
}

impl Field {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut out = Self::default();
        each_entry(attributes, |meta| {
            let path = meta.path.clone();
            let is = |name: &str| path.is_ident(name);
            if is("count") {
                out.count = Some(count(meta)?);
            } else if is("limit") {
                out.limit = Some(meta.value()?.parse()?);
            } else if is("when") {
                out.when = Some(meta.value()?.parse()?);
            } else if is("with") {
                out.with = Some(meta.value()?.parse()?);
            } else if is("order") {
                out.order = Some(order(meta)?);
            } else if is("at") {
                out.at = Some(meta.value()?.parse()?);
            } else if is("size") {
                out.size = Some(meta.value()?.parse()?);
            } else if is("each") {
                out.each = Some(meta.value()?.parse()?);
            } else if is("from_end") {
                out.from_end = Some(meta.value()?.parse()?);
            } else if is("rank") {
                out.rank = Some(meta.value()?.parse()?);
            } else if is("layout") {
                out.layout = true;
            } else {
                return Err(meta.error(
                    "expected count, limit, when, with, order, at, size, each, from_end, rank or layout",
                ));
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// Whether the field stands at a place of its own, not behind the field before it.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.at.is_some() || self.from_end.is_some()
    }
}

fn each_entry(
    attributes: &[Attribute],
    mut parse: impl FnMut(&ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("record")) {
        attribute.parse_nested_meta(|meta| parse(&meta))?;
    }
    Ok(())
}

fn order(meta: &ParseNestedMeta<'_>) -> Result<Order> {
    let name: Ident = meta.value()?.parse()?;
    match name.to_string().as_str() {
        "little" => Ok(Order::Little),
        "big" => Ok(Order::Big),
        _ => Err(syn::Error::new_spanned(name, "expected little or big")),
    }
}

fn count(meta: &ParseNestedMeta<'_>) -> Result<Count> {
    let expr: Expr = meta.value()?.parse()?;
    let number = match &expr {
        Expr::Path(path) => path.path.get_ident().map(Ident::to_string),
        _ => None,
    };
    Ok(match number.as_deref() {
        Some("u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "u64" | "i64") => {
            Count::Prefix(syn::parse_quote!(#expr))
        }
        _ => Count::Expr(expr),
    })
}
