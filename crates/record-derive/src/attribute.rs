//! Parsing of `#[record(...)]`.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, LitStr, Path, Result, Token, Type};

use crate::entry::{
    FIELD_ATTRIBUTES, Item, after_equals, each_entry, error_on, flag, missing_value, name, parenthesized,
    path_value, type_or_value, type_value, unknown_attribute, value,
};

/// Byte order.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Little,
    Big,
}

/// The displayed value of a single span.
pub(crate) enum Show {
    /// A format string, such as `"{:?}"`.
    Format(LitStr),
    /// A function that takes a reference to the value and returns something that can be displayed.
    Function(Box<Expr>),
}

/// Attributes of a struct, an enum or a variant.
#[derive(Default)]
pub(crate) struct Container {
    /// Path of the crate `record`, if it is not the usual one.
    pub(crate) record: Option<Path>,
    /// Type of the context.
    pub(crate) context: Option<Type>,
    pub(crate) order: Option<Order>,
    /// Bytes at the start of every such record.
    pub(crate) magic: Option<Expr>,
    /// Whether the fields are declared flat. Only needed if their types do not show it.
    pub(crate) flat: bool,
    /// The record type in which the value is stored.
    pub(crate) from: Option<Type>,
    /// Displayed value of a record that is one span.
    pub(crate) show: Option<Show>,
    /// Validation function.
    pub(crate) check: Option<Expr>,
    /// Enum: type of the tag. Variant: value of the tag.
    pub(crate) tag: Option<TokenStream>,
    /// Enum: type of the body's length, which is stored after the tag.
    pub(crate) length: Option<Type>,
    /// Enum: byte order of the length.
    pub(crate) length_order: Option<Order>,
    /// Enum: name of the body in paths.
    pub(crate) body: Option<LitStr>,
    /// Enum: record that is read ahead to select the variant.
    pub(crate) ahead: Option<Type>,
    /// Variant: condition.
    pub(crate) when: Option<Expr>,
    /// Variant: keeps unknown tags. Enum: function that makes the error if no variant matches.
    pub(crate) unknown: Option<Option<Expr>>,
    /// Variant: context of its field.
    pub(crate) with: Option<Expr>,
}

/// The length of a list.
#[derive(Clone)]
pub(crate) enum Count {
    /// A number stored before the list.
    Prefix(Type),
    /// Another field, or an expression that uses other fields.
    Expr(Expr),
}

/// A section that starts with a field.
#[derive(Default)]
pub(crate) struct Begin {
    /// Name of tag and length in paths.
    pub(crate) name: Option<LitStr>,
    pub(crate) tag: Option<Expr>,
    /// Name and type of the section's length.
    pub(crate) length: Option<(Ident, Type)>,
    pub(crate) order: Option<Order>,
}

/// A number that is stored in the file but not in the struct: its name, its type, and the value to write.
pub(crate) struct Stored {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) value: Expr,
}

/// Attributes of a field.
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
    /// Whether the field is left out of paths.
    pub(crate) inline: bool,
    pub(crate) before: Vec<Stored>,
    pub(crate) after: Vec<Stored>,
    /// `Declared` only: the type in the file, if it is not the type of the field.
    pub(crate) stored_as: Option<Type>,
}

impl Container {
    pub(crate) fn parse(attributes: &[Attribute], item: Item) -> Result<Self> {
        let mut out = Self::default();
        each_entry(attributes, item.name(), item.attributes(), |meta| {
            match name(meta).as_str() {
                "crate" => out.record = Some(path_value(meta)?),
                "context" => out.context = Some(type_value(meta)?),
                "order" => out.order = Some(value(meta)?),
                "magic" => out.magic = Some(value(meta)?),
                "flat" => out.flat = flag(meta)?,
                "from" => out.from = Some(type_value(meta)?),
                "show" => out.show = Some(value(meta)?),
                "check" => out.check = Some(value(meta)?),
                "tag" => out.tag = Some(after_equals(meta)?.call(type_or_value)?),
                "length" => out.length = Some(type_value(meta)?),
                "length_order" => out.length_order = Some(value(meta)?),
                "body" => out.body = Some(value(meta)?),
                "ahead" => out.ahead = Some(type_value(meta)?),
                "when" => out.when = Some(value(meta)?),
                "unknown" if matches!(item, Item::Enum) => out.unknown = Some(Some(value(meta)?)),
                "unknown" => out.unknown = flag(meta)?.then_some(None),
                "with" => out.with = Some(value(meta)?),
                _ => return Err(unknown_attribute(meta, item.name(), item.attributes())),
            }
            Ok(())
        })?;
        out.refuse_combinations(attributes)?;
        Ok(out)
    }

    /// Refuses attributes that would be ignored because of another one.
    fn refuse_combinations(&self, attributes: &[Attribute]) -> Result<()> {
        let unused_with_from = [
            ("context", self.context.is_some()),
            ("order", self.order.is_some()),
            ("magic", self.magic.is_some()),
            ("flat", self.flat),
            ("tag", self.tag.is_some()),
            ("length", self.length.is_some()),
            ("length_order", self.length_order.is_some()),
            ("body", self.body.is_some()),
            ("ahead", self.ahead.is_some()),
            ("unknown", self.unknown.is_some()),
        ];
        let unused = unused_with_from.iter().find(|(_, is_set)| *is_set);
        if let (Some(_), Some((name, _))) = (&self.from, unused) {
            return Err(error_on(
                attributes,
                &format!(
                    "`from` and `{name}` cannot be combined; write `{name}` on the type that `from` names"
                ),
            ));
        }
        if self.length_order.is_some() && self.length.is_none() {
            return Err(error_on(attributes, "`length_order` requires `length`"));
        }
        Ok(())
    }
}

impl Field {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut out = Self::default();
        each_entry(attributes, "field", FIELD_ATTRIBUTES, |meta| {
            match name(meta).as_str() {
                "count" => out.count = Some(value(meta)?),
                "limit" => out.limit = Some(value(meta)?),
                "leave" => out.leave = Some(value(meta)?),
                "until" => out.until = Some(value(meta)?),
                "terminator" => out.terminator = Some(value(meta)?),
                "present" => out.present = Some(value(meta)?),
                "by" => out.by = Some(value(meta)?),
                "min" => out.min = Some(value(meta)?),
                "when" => out.when = Some(value(meta)?),
                "with" => out.with = Some(value(meta)?),
                "order" => out.order = Some(value(meta)?),
                "check" => out.check = Some(value(meta)?),
                "show" => out.show = Some(value(meta)?),
                "begin" => out.begin = Some(parenthesized(meta)?),
                "end" => out.end = flag(meta)?,
                "inline" => out.inline = flag(meta)?,
                "before" => out.before.push(parenthesized(meta)?),
                "after" => out.after.push(parenthesized(meta)?),
                "stored_as" => out.stored_as = Some(type_value(meta)?),
                _ => return Err(unknown_attribute(meta, "field", FIELD_ATTRIBUTES)),
            }
            Ok(())
        })?;
        let forms = [
            ("count", out.count.is_some()),
            ("leave", out.leave.is_some()),
            ("until", out.until.is_some()),
            ("terminator", out.terminator.is_some()),
            ("present", out.present.is_some()),
            ("by", out.by.is_some()),
        ];
        let forms: Vec<&str> = forms.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| *name).collect();
        if let [first, second, ..] = forms.as_slice() {
            let rule =
                "a field takes at most one of `count`, `leave`, `until`, `terminator`, `present` and `by`";
            return Err(error_on(
                attributes,
                &format!("`{first}` and `{second}` cannot be combined; {rule}"),
            ));
        }
        let is_list = out.count.is_some() || out.leave.is_some() || out.until.is_some();
        if out.limit.is_some() && !is_list {
            return Err(error_on(attributes, "`limit` requires `count`, `leave` or `until`"));
        }
        Ok(out)
    }

    /// Whether the field is a plain record without attributes that change its encoding.
    pub(crate) fn is_plain(&self) -> bool {
        self.count.is_none()
            && self.leave.is_none()
            && self.until.is_none()
            && self.terminator.is_none()
            && self.present.is_none()
            && self.by.is_none()
            && self.when.is_none()
            && self.has_default_surroundings()
    }

    /// Like [`is_plain`](Self::is_plain), but the field may be optional.
    pub(crate) fn is_plain_or_optional(&self) -> bool {
        let Self { count, leave, until, terminator, present, by, .. } = self;
        count.is_none()
            && leave.is_none()
            && [until, terminator, present, by].iter().all(|form| form.is_none())
            && self.has_default_surroundings()
    }

    /// Whether the field has no context, byte order, check, section or numbers around it.
    fn has_default_surroundings(&self) -> bool {
        self.with.is_none()
            && self.order.is_none()
            && self.check.is_none()
            && self.show.is_none()
            && self.begin.is_none()
            && self.before.is_empty()
            && self.after.is_empty()
    }
}

impl Parse for Order {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input
            .parse()
            .map_err(|error: syn::Error| syn::Error::new(error.span(), "expected `little` or `big`"))?;
        match name.to_string().as_str() {
            "little" => Ok(Self::Little),
            "big" => Ok(Self::Big),
            _ => Err(syn::Error::new_spanned(&name, format!("expected `little` or `big`, found `{name}`"))),
        }
    }
}

impl Parse for Show {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) { input.parse().map(Self::Format) } else { input.parse().map(Self::Function) }
    }
}

impl Show {
    /// Returns an expression for the displayed value. `value` is a reference.
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
        let name = input.parse().map_err(|error| expected_stored(&error))?;
        input.parse::<Token![:]>().map_err(|error| expected_stored(&error))?;
        let ty = input.parse()?;
        input.parse::<Token![=]>().map_err(|error| expected_stored(&error))?;
        let value = input.parse()?;
        if input.is_empty() {
            return Ok(Self { name, ty, value });
        }
        Err(input
            .error("expected the end of `NAME: TYPE = VALUE`; each further number takes its own attribute"))
    }
}

/// Adds the complete form to the error of its first wrong token.
fn expected_stored(error: &syn::Error) -> syn::Error {
    syn::Error::new(error.span(), format!("{error} in `NAME: TYPE = VALUE`"))
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
        let key = name.to_string();
        if !["name", "tag", "order"].contains(&key.as_str()) {
            let expected = "expected `name = \"...\"`, `tag = ...`, `order = ...` or `NAME: TYPE`";
            return Err(syn::Error::new_spanned(
                name,
                format!("unknown entry `{key}` of `begin`; {expected}"),
            ));
        }
        input.parse::<Token![=]>().map_err(|error| missing_value(&error, &key))?;
        match key.as_str() {
            "name" => input.parse().map(Self::Name),
            "tag" => input.parse().map(Self::Tag),
            _ => input.parse().map(Self::Order),
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
