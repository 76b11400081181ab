//! What stands in `#[record(...)]`.

use proc_macro2::TokenStream;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, LitStr, Path, Result, Token, Type};

/// Little or big.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Little,
    Big,
}

/// How a value is shown that is one span.
pub(crate) enum Show {
    /// By a format string, like `"{:?}"`.
    Format(LitStr),
    /// By what a function makes of a reference to it.
    Function(Box<Expr>),
}

/// On a struct, an enum or a variant.
#[derive(Default)]
pub(crate) struct Container {
    /// Where the crate `record` is found, when it is not where it usually is.
    pub(crate) record: Option<Path>,
    /// The type of the context.
    pub(crate) context: Option<Type>,
    pub(crate) order: Option<Order>,
    /// Bytes that every such record starts with.
    pub(crate) magic: Option<Expr>,
    /// The fields are flat though that cannot be seen from their types.
    pub(crate) flat: bool,
    /// The record that it is stored as.
    pub(crate) from: Option<Type>,
    /// One span for the whole.
    pub(crate) show: Option<Show>,
    /// A function that refuses what the format does not allow.
    pub(crate) check: Option<Expr>,
    /// Enum: the type of the tag. Variant: its value.
    pub(crate) tag: Option<TokenStream>,
    /// Enum: the type of the number behind the tag that tells how long the body is.
    pub(crate) length: Option<Type>,
    /// Enum: the byte order of that number.
    pub(crate) length_order: Option<Order>,
    /// Enum: what the body is called in paths.
    pub(crate) body: Option<LitStr>,
    /// Enum: the record that is read ahead to tell the variants apart.
    pub(crate) ahead: Option<Type>,
    /// Variant: only where this holds.
    pub(crate) when: Option<Expr>,
    /// Variant: keeps what no other variant knows. Enum: the error for that.
    pub(crate) unknown: Option<Option<Expr>>,
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

/// A section that starts with a field.
#[derive(Default)]
pub(crate) struct Begin {
    /// What tag and length are called in paths.
    pub(crate) name: Option<LitStr>,
    pub(crate) tag: Option<Expr>,
    /// The number that tells how long it is, with its name.
    pub(crate) length: Option<(Ident, Type)>,
    pub(crate) order: Option<Order>,
}

/// A number that stands in the file but not in the struct: what it is called, its type, and what is written.
pub(crate) struct Stored {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) value: Expr,
}

/// On a field.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) count: Option<Count>,
    pub(crate) limit: Option<Expr>,
    pub(crate) leave: Option<Expr>,
    pub(crate) until: Option<Expr>,
    pub(crate) terminator: Option<Expr>,
    pub(crate) present: Option<Expr>,
    pub(crate) by: Option<Expr>,
    pub(crate) min: Option<Expr>,
    pub(crate) when: Option<Expr>,
    pub(crate) with: Option<Expr>,
    pub(crate) order: Option<Order>,
    pub(crate) check: Option<Expr>,
    pub(crate) show: Option<Show>,
    pub(crate) begin: Option<Begin>,
    pub(crate) end: bool,
    /// No step in paths.
    pub(crate) inline: bool,
    pub(crate) before: Vec<Stored>,
    pub(crate) after: Vec<Stored>,
}

impl Container {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut out = Self::default();
        each_entry(attributes, |meta| {
            match name(meta).as_str() {
                "crate" => out.record = Some(meta.value()?.call(Path::parse_mod_style)?),
                "context" => out.context = Some(meta.value()?.parse()?),
                "order" => out.order = Some(meta.value()?.parse()?),
                "magic" => out.magic = Some(meta.value()?.parse()?),
                "flat" => out.flat = true,
                "from" => out.from = Some(meta.value()?.parse()?),
                "show" => out.show = Some(meta.value()?.parse()?),
                "check" => out.check = Some(meta.value()?.parse()?),
                "tag" => out.tag = Some(meta.value()?.call(type_or_value)?),
                "length" => out.length = Some(meta.value()?.parse()?),
                "length_order" => out.length_order = Some(meta.value()?.parse()?),
                "body" => out.body = Some(meta.value()?.parse()?),
                "ahead" => out.ahead = Some(meta.value()?.parse()?),
                "when" => out.when = Some(meta.value()?.parse()?),
                "unknown" if meta.input.peek(Token![=]) => out.unknown = Some(Some(meta.value()?.parse()?)),
                "unknown" => out.unknown = Some(None),
                "with" => out.with = Some(meta.value()?.parse()?),
                _ => {
                    return Err(meta
                        .error("unknown attribute; see the documentation of `antiquary_record` for a list"));
                }
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
            match name(meta).as_str() {
                "count" => out.count = Some(meta.value()?.parse()?),
                "limit" => out.limit = Some(meta.value()?.parse()?),
                "leave" => out.leave = Some(meta.value()?.parse()?),
                "until" => out.until = Some(meta.value()?.parse()?),
                "terminator" => out.terminator = Some(meta.value()?.parse()?),
                "present" => out.present = Some(meta.value()?.parse()?),
                "by" => out.by = Some(meta.value()?.parse()?),
                "min" => out.min = Some(meta.value()?.parse()?),
                "when" => out.when = Some(meta.value()?.parse()?),
                "with" => out.with = Some(meta.value()?.parse()?),
                "order" => out.order = Some(meta.value()?.parse()?),
                "check" => out.check = Some(meta.value()?.parse()?),
                "show" => out.show = Some(meta.value()?.parse()?),
                "begin" => out.begin = Some(parenthesized(meta)?),
                "end" => out.end = true,
                "inline" => out.inline = true,
                "before" => out.before.push(parenthesized(meta)?),
                "after" => out.after.push(parenthesized(meta)?),
                _ => {
                    return Err(meta
                        .error("unknown attribute; see the documentation of `antiquary_record` for a list"));
                }
            }
            Ok(())
        })?;
        let forms = [
            out.count.is_some(),
            out.leave.is_some(),
            out.until.is_some(),
            out.terminator.is_some(),
            out.present.is_some(),
            out.by.is_some(),
        ];
        match attributes.first() {
            Some(first) if forms.iter().filter(|form| **form).count() > 1 => Err(syn::Error::new_spanned(
                first,
                "only one of count, leave, until, terminator, present and by",
            )),
            Some(first)
                if out.limit.is_some()
                    && out.count.is_none()
                    && out.leave.is_none()
                    && out.until.is_none() =>
            {
                Err(syn::Error::new_spanned(first, "`limit` requires count, leave or until"))
            }
            _ => Ok(out),
        }
    }

    /// Whether nothing is said of how the field stands in the file.
    pub(crate) fn is_plain(&self) -> bool {
        self.count.is_none()
            && self.leave.is_none()
            && self.until.is_none()
            && self.terminator.is_none()
            && self.present.is_none()
            && self.by.is_none()
            && self.when.is_none()
            && self.is_in_a_row()
    }

    /// The same, but it may be absent at times.
    pub(crate) fn is_gated(&self) -> bool {
        let Self { count, leave, until, terminator, present, by, .. } = self;
        count.is_none()
            && leave.is_none()
            && [until, terminator, present, by].iter().all(|form| form.is_none())
            && self.is_in_a_row()
    }

    fn is_in_a_row(&self) -> bool {
        self.with.is_none()
            && self.order.is_none()
            && self.check.is_none()
            && self.show.is_none()
            && self.begin.is_none()
            && self.before.is_empty()
            && self.after.is_empty()
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

fn name(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(Ident::to_string).unwrap_or_default()
}

fn type_or_value(input: ParseStream<'_>) -> Result<TokenStream> {
    let ahead = input.fork();
    if ahead.parse::<Type>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,])) {
        let ty: Type = input.parse()?;
        return Ok(code!(#ty));
    }
    let value: Expr = input.parse()?;
    Ok(code!(#value))
}

fn parenthesized<T: Parse>(meta: &ParseNestedMeta<'_>) -> Result<T> {
    let content;
    syn::parenthesized!(content in meta.input);
    content.parse()
}

impl Parse for Order {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse()?;
        match name.to_string().as_str() {
            "little" => Ok(Self::Little),
            "big" => Ok(Self::Big),
            _ => Err(syn::Error::new_spanned(name, "expected little or big")),
        }
    }
}

impl Parse for Show {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) { input.parse().map(Self::Format) } else { input.parse().map(Self::Function) }
    }
}

impl Show {
    /// An expression of something that can be displayed. `value` is a reference.
    pub(crate) fn of(&self, value: &TokenStream) -> TokenStream {
        match self {
            Self::Format(format) => code!(::core::format_args!(#format, #value)),
            Self::Function(function) => code!((#function)(#value)),
        }
    }
}

impl Parse for Count {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let expr: Expr = input.parse()?;
        let number = match &expr {
            Expr::Path(path) => path.path.get_ident().map(Ident::to_string),
            _ => None,
        };
        Ok(match number.as_deref() {
            Some("u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "u64" | "i64") => {
                Self::Prefix(syn::parse_quote!(#expr))
            }
            _ => Self::Expr(expr),
        })
    }
}

impl Parse for Stored {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { name, ty, value: input.parse()? })
    }
}

/// One entry of `begin(...)`.
enum BeginEntry {
    Name(LitStr),
    Tag(Expr),
    Order(Order),
    Length(Ident, Type),
}

impl Parse for BeginEntry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse()?;
        if input.peek(Token![:]) {
            input.parse::<Token![:]>()?;
            return Ok(Self::Length(name, input.parse()?));
        }
        input.parse::<Token![=]>()?;
        match name.to_string().as_str() {
            "name" => input.parse().map(Self::Name),
            "tag" => input.parse().map(Self::Tag),
            "order" => input.parse().map(Self::Order),
            _ => Err(syn::Error::new_spanned(name, "expected name, tag, order or `NAME: TYPE`")),
        }
    }
}

impl Parse for Begin {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut out = Self::default();
        for entry in Punctuated::<BeginEntry, Token![,]>::parse_terminated(input)? {
            match entry {
                BeginEntry::Name(name) => out.name = Some(name),
                BeginEntry::Tag(tag) => out.tag = Some(tag),
                BeginEntry::Order(order) => out.order = Some(order),
                BeginEntry::Length(name, ty) => out.length = Some((name, ty)),
            }
        }
        Ok(out)
    }
}
