//! `#[derive(Record)]` on an enum: variants selected by a tag, by the bytes that follow, or by the context.

use proc_macro2::TokenStream;
use syn::{DataEnum, DeriveInput, Expr, Fields, Result, Type, Variant};

use crate::attribute::Container;
use crate::entry::Item;
use crate::expression::{context, ordered};
use crate::field::{Scope, no_context, parse_fields};
use crate::structure::{Implementation, converted};
use crate::{body, schema};

pub(crate) fn derive(input: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    let container = Container::parse(&input.attrs, Item::Enum)?;
    if let Some(stored_as) = &container.from {
        return Ok(converted(input, &container, stored_as).with_show_and_check(&container).into_code(input));
    }
    let tag: Option<Type> = match &container.tag {
        Some(tag) => Some(
            syn::parse2(code!(#tag))
                .map_err(|_| syn::Error::new_spanned(tag, "expected a type: `tag = TYPE` on an enum"))?,
        ),
        None => None,
    };
    let arms =
        data.variants.iter().map(|variant| Arm::new(variant, tag.as_ref())).collect::<Result<Vec<_>>>()?;
    if tag.is_none() && arms.iter().all(|arm| arm.attribute.when.is_none()) {
        let message = "an enum requires `#[record(tag = TYPE)]` or variants with `#[record(when = EXPR)]`";
        return Err(syn::Error::new_spanned(&input.ident, message));
    }
    refuse_unreachable(data, &arms)?;
    let choice = Choice { container: &container, tag: tag.as_ref(), arms: &arms };
    let tag_size = tag.iter().map(|tag| code!(<#tag as __record::Record>::MIN_SIZE));
    let length_size = container.length.iter().map(|length| code!(<#length as __record::Record>::MIN_SIZE));
    let context = container.context.as_ref().map_or_else(|| code!(()), |context| code!(#context));
    let implementation = Implementation {
        context,
        min_size: code!(0 #(+ #tag_size)* #(+ #length_size)*),
        read: ordered(container.order, &choice.read(), "reader"),
        write: ordered(container.order, &choice.write(), "writer"),
        methods: schema::of_enum(input, &container, data, tag.as_ref())?,
        other_items: TokenStream::new(),
    };
    Ok(implementation.with_show_and_check(&container).into_code(input))
}

/// Refuses a second variant without a condition: only one can take what no other variant matches.
fn refuse_unreachable(data: &DataEnum, arms: &[Arm]) -> Result<()> {
    let mut others = data.variants.iter().zip(arms).filter(|(_, arm)| {
        let attribute = &arm.attribute;
        attribute.when.is_none() && attribute.tag.is_none()
    });
    let (Some((first, _)), Some((second, _))) = (others.next(), others.next()) else { return Ok(()) };
    let message = format!(
        "variant `{}` can never be read: `{}` already matches everything that no other variant does",
        second.ident, first.ident
    );
    Err(syn::Error::new_spanned(&second.ident, message))
}

/// A variant: its attributes, and the code that reads, matches and writes it.
struct Arm {
    attribute: Container,
    /// An expression for a reference to the tag.
    tag: TokenStream,
    /// An expression of type `Result<Self>` that reads the body.
    read: TokenStream,
    pattern: TokenStream,
    /// An expression of type `Result<()>` that writes the body.
    write: TokenStream,
    is_unit: bool,
}

impl Arm {
    fn new(variant: &Variant, tag: Option<&Type>) -> Result<Self> {
        let attribute = Container::parse(&variant.attrs, Item::Variant)?;
        if attribute.tag.is_some() && attribute.unknown.is_some() {
            return Err(syn::Error::new_spanned(&variant.ident, "`tag` and `unknown` cannot be combined"));
        }
        let tag_value = match (tag, &attribute.tag) {
            (Some(tag), Some(value)) => code!(&<#tag as ::core::convert::From<_>>::from(#value)),
            (Some(_), None) if attribute.unknown.is_none() => {
                let message = "a variant of an enum with a tag requires `#[record(tag = VALUE)]` or `#[record(unknown)]`";
                return Err(syn::Error::new_spanned(&variant.ident, message));
            }
            (None, Some(_)) => {
                let message = "`tag` on a variant requires `#[record(tag = TYPE)]` on the enum";
                return Err(syn::Error::new_spanned(&variant.ident, message));
            }
            _ => TokenStream::new(),
        };
        if attribute.unknown.is_some() && tag.is_some() {
            return Self::of_unknown(variant, attribute);
        }
        let name = &variant.ident;
        let path = code!(Self::#name);
        if let (Fields::Unnamed(fields), with) = (&variant.fields, &attribute.with) {
            let types: Vec<&Type> = fields.unnamed.iter().map(|field| &field.ty).collect();
            let has_field_attributes = fields.unnamed.iter().any(|field| !field.attrs.is_empty());
            if let ([ty], false) = (types.as_slice(), has_field_attributes) {
                let with = with.as_ref().map_or_else(|| no_context(ty), |with| code!(#with));
                return Ok(Self {
                    tag: tag_value,
                    read: code!(<#ty as __record::Record>::read(reader, #with).map(#path)),
                    pattern: code!(#path(value)),
                    write: code!(<#ty as __record::Record>::write(value, writer, #with)),
                    is_unit: false,
                    attribute,
                });
            }
        }
        let fields = parse_fields(&variant.fields)?;
        let scope = Scope::of(&fields);
        let build = body::value_of(&path, &variant.fields, &scope);
        let (read, write) = (body::read(&fields, &scope)?, body::write(&fields, &scope)?);
        let stored = body::stored(&fields, &scope);
        Ok(Self {
            tag: tag_value,
            read: code!({ #read __record::Result::Ok(#build) }),
            pattern: build,
            write: code!({ #stored #write __record::Result::<()>::Ok(()) }),
            is_unit: matches!(variant.fields, Fields::Unit),
            attribute,
        })
    }

    /// The variant that keeps unknown tags: a tag, then bytes.
    fn of_unknown(variant: &Variant, attribute: Container) -> Result<Self> {
        let (name, fields) = (&variant.ident, parse_fields(&variant.fields)?);
        let [tag, bytes] = fields.as_slice() else {
            let found = fields.len();
            let message =
                format!("a variant with `unknown` requires two fields, the tag and `Bytes`; found {found}");
            return Err(syn::Error::new_spanned(&variant.ident, message));
        };
        let build = body::value_of(&code!(Self::#name), &variant.fields, &Scope::of(&fields));
        let (tag_name, bytes_name, shown) = (&tag.name, &bytes.name, &tag.shown);
        let check = tag.attribute.check.iter().map(|check| {
            code!((#check)(#tag_name).map_err(|error| __record::Error::into_usage(error).in_field(#shown))?;)
        });
        Ok(Self {
            tag: code!(#tag_name),
            read: code!({
                let #bytes_name = __record::Bytes::from(reader.take_rest());
                let #tag_name = tag;
                __record::Result::Ok(#build)
            }),
            pattern: build,
            write: code!({
                #(#check)*
                writer.put(#bytes_name);
                __record::Result::<()>::Ok(())
            }),
            is_unit: false,
            attribute,
        })
    }
}

/// An enum.
struct Choice<'a> {
    container: &'a Container,
    tag: Option<&'a Type>,
    arms: &'a [Arm],
}

impl Choice<'_> {
    /// Whether the enum consists of its tag alone: a single value, not a record with a tag.
    fn is_value(&self) -> bool {
        self.tag.is_some() && self.container.length.is_none() && self.arms.iter().all(|arm| arm.is_unit)
    }

    fn read(&self) -> TokenStream {
        let ahead = self.container.ahead.iter().map(
            |ahead| code!(let ahead = reader.try_peek(|reader| <#ahead as __record::Record>::read(reader, ()));),
        );
        let tag = self.tag.iter().map(|tag| {
            let read = code!(<#tag as __record::Record>::read(reader, ()));
            if self.is_value() {
                code!(let tag = #read?;)
            } else {
                code!(let tag = reader.field("tag", |reader| #read)?;)
            }
        });
        let choice = self.choice();
        let body = code!(|reader: &mut __record::Reader<'_>| -> __record::Result<Self> { #choice });
        let body = match &self.container.body {
            Some(name) => code!(|reader: &mut __record::Reader<'_>| -> __record::Result<Self> {
                reader.field(#name, #body)
            }),
            None => body,
        };
        let read = match &self.container.length {
            Some(length) => {
                let read = ordered(
                    self.container.length_order,
                    &code!(<#length as __record::Record>::read(reader, ())),
                    "reader",
                );
                code! {
                    let length = reader.field("length", |reader| {
                        let at = reader.offset();
                        let length = #read?;
                        reader.check_count(length, 1, at)
                    })?;
                    reader.section(length as u64, #body)
                }
            }
            None => code!((#body)(reader)),
        };
        code!({
            let start = reader.offset();
            #(#ahead)*
            #(#tag)*
            #read
        })
    }

    /// Returns an expression of type `Result<Self>` that selects the variant and reads its body.
    fn choice(&self) -> TokenStream {
        let mut arms = Vec::new();
        let mut default = None;
        for arm in self.arms {
            let read = &arm.read;
            match self.condition(arm) {
                Some(condition) => arms.push(code!(if #condition { #read })),
                None => default = Some(code!(#read)),
            }
        }
        let default = default.unwrap_or_else(|| self.unknown());
        code!(#(#arms else)* { #default })
    }

    /// The condition that selects a variant. `None` for the default variant.
    fn condition(&self, arm: &Arm) -> Option<TokenStream> {
        let when = arm.attribute.when.as_ref().map(|when| self.condition_of(when));
        let tag = self.tag.filter(|_| arm.attribute.tag.is_some()).map(|_| {
            let tag = &arm.tag;
            code!(&tag == #tag)
        });
        match (tag, when) {
            (Some(tag), Some(when)) => Some(code!(#tag && #when)),
            (tag, when) => tag.or(when),
        }
    }

    fn condition_of(&self, when: &Expr) -> TokenStream {
        let rest = syn::Ident::new("rest", proc_macro2::Span::call_site());
        let length = self.container.length.iter().map(|_| {
            let length = syn::Ident::new("length", proc_macro2::Span::call_site());
            code!(let #length = length;)
        });
        let when = code!({ #(#length)* let #rest = reader.rest(); #when });
        if self.container.ahead.is_none() {
            return when;
        }
        let ahead = syn::Ident::new("ahead", proc_macro2::Span::call_site());
        code!(match &ahead {
            ::core::option::Option::Some(#ahead) => #when,
            ::core::option::Option::None => false,
        })
    }

    /// Returns an expression for the error if no variant matches.
    fn unknown(&self) -> TokenStream {
        match (&self.container.unknown, self.tag) {
            (Some(Some(unknown)), Some(_)) => {
                code!(__record::Result::Err(__record::Error::from((#unknown)(&tag)).at(start)))
            }
            (Some(Some(unknown)), None) => {
                let context = context();
                code!(__record::Result::Err(__record::Error::from((#unknown)(&#context)).at(start)))
            }
            _ => code!(__record::Result::Err(__record::Error::unsupported("unknown tag").at(start))),
        }
    }

    fn write(&self) -> TokenStream {
        let arms = self.arms.iter().map(|arm| self.write_arm(arm));
        let check = self.check_variant();
        code!({ #check match self { #(#arms)* } })
    }

    /// Returns statements that refuse to write a variant other than the one selected by the context, if only the context selects it.
    fn check_variant(&self) -> TokenStream {
        if self.tag.is_some() || self.container.ahead.is_some() {
            return TokenStream::new();
        }
        let indices = self.arms.iter().enumerate();
        let conditions = indices.clone().filter_map(|(index, arm)| {
            let when = arm.attribute.when.as_ref()?;
            Some(code!(if #when { #index }))
        });
        let default = indices.clone().find(|(_, arm)| arm.attribute.when.is_none());
        let default = default.map_or(usize::MAX, |(index, _)| index);
        let patterns = self.arms.iter().map(|arm| &arm.pattern);
        let actual = indices.map(|(index, _)| index);
        code! {
            let expected: usize = #(#conditions else)* { #default };
            let actual: usize = match self { #(#patterns => #actual,)* };
            if expected != actual {
                return __record::Result::Err(__record::unsupported_in_version());
            }
        }
    }

    /// Returns a match arm that writes the tag, the length if there is one, and the body.
    fn write_arm(&self, arm: &Arm) -> TokenStream {
        let (pattern, body, value) = (&arm.pattern, &arm.write, &arm.tag);
        let tag = self.tag.iter().map(|_| {
            if self.is_value() {
                code!(__record::Record::write(#value, writer, ())?;)
            } else {
                code!(writer.field("tag", |writer| __record::Record::write(#value, writer, ()))?;)
            }
        });
        let Some(length) = &self.container.length else {
            return code!(#pattern => { #(#tag)* #body });
        };
        let patch = code!(writer.patch(reserved, &length, ()));
        let patch = ordered(self.container.length_order, &patch, "writer");
        code!(#pattern => {
            #(#tag)*
            let reserved = writer.reserve(<#length as __record::Record>::MIN_SIZE);
            let start = writer.offset();
            #body?;
            let length: #length =
                writer.field("length", |writer| writer.count((writer.offset() - start) as usize))?;
            #patch
        })
    }
}
