//! `#[derive(Record)]` on a struct.

use proc_macro2::TokenStream;
use syn::{DataStruct, DeriveInput, Result, Type};

use crate::attribute::Container;
use crate::entry::Item;
use crate::expression::{allow, context, ordered};
use crate::field::{Field, Scope, parse_fields, shown};
use crate::{body, flat, schema, size};

/// The parts of an implementation of `Record`.
pub(crate) struct Implementation {
    /// The type of the context.
    pub(crate) context: TokenStream,
    pub(crate) min_size: TokenStream,
    /// An expression of type `Result<Self>`.
    pub(crate) read: TokenStream,
    /// An expression of type `Result<()>`.
    pub(crate) write: TokenStream,
    /// Further methods.
    pub(crate) methods: TokenStream,
    /// Items next to the implementation.
    pub(crate) other_items: TokenStream,
}

impl Implementation {
    pub(crate) fn into_code(self, input: &DeriveInput) -> TokenStream {
        let Self { context: ty, min_size, read, write, methods, other_items } = self;
        let name = &input.ident;
        let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
        let (allow, context) = (allow(), context());
        code! {
            #other_items

            #allow
            impl #impl_generics __record::Record for #name #type_generics #where_clause {
                type Context = #ty;
                const MIN_SIZE: usize = #min_size;

                fn read(reader: &mut __record::Reader<'_>, #context: Self::Context) -> __record::Result<Self> {
                    #read
                }

                fn write(&self, writer: &mut __record::Writer, #context: Self::Context) -> __record::Result<()> {
                    #write
                }

                #methods
            }
        }
    }

    /// Adds the container's `show` and `check`.
    pub(crate) fn with_show_and_check(mut self, container: &Container) -> Self {
        if let Some(show) = &container.show {
            self.read = shown(show, &self.read);
        }
        if let Some(check) = &container.check {
            let (read, write) = (&self.read, &self.write);
            self.read = code!({
                let checked_at = reader.offset();
                let value: Self = (|reader: &mut __record::Reader<'_>| -> __record::Result<Self> { #read })(reader)?;
                (#check)(&value).map_err(|error: __record::Error| error.at(checked_at))?;
                ::core::result::Result::<_, __record::Error>::Ok(value)
            });
            self.write = code!({
                (#check)(self).map_err(__record::Error::into_usage)?;
                #write
            });
        }
        self
    }
}

pub(crate) fn derive(input: &DeriveInput, data: &DataStruct) -> Result<TokenStream> {
    let container = Container::parse(&input.attrs, Item::Struct)?;
    if let Some(stored_as) = &container.from {
        return Ok(converted(input, &container, stored_as).with_show_and_check(&container).into_code(input));
    }
    let fields = parse_fields(&data.fields)?;
    let scope = Scope::of(&fields);
    let build = body::value_of(&code!(Self), &data.fields, &scope);
    let (read_body, write_body) = (read_body(&container, &fields, &scope, &build)?, {
        let write = write_body(&container, &fields, &scope)?;
        code!({ let #build = self; #write })
    });
    let mut out = Implementation {
        context: context_type(&container, &fields),
        min_size: size::constant(&container, &fields),
        read: ordered(container.order, &read_body, "reader"),
        write: ordered(container.order, &write_body, "writer"),
        methods: size::in_context(&container, &fields, &scope),
        other_items: TokenStream::new(),
    };
    out.methods.extend(schema::of_struct(input, &container, &fields)?);
    if flat::is_flat(&container, &fields) {
        out.other_items = flat::implement(input, &fields, &build);
        let read = &out.read;
        out.read = code! {
            if !reader.is_tracing() && reader.remaining() >= <Self as __record::Flat>::SIZE {
                return reader.flat::<Self>();
            }
            #read
        };
        out.methods.extend(code!(__record::flat_lists!();));
    } else if container.flat {
        let message = "`flat` requires at least one field, and neither `context`, `order`, `magic`, `check` nor `show` \
                       on the struct, nor attributes on its fields";
        return Err(syn::Error::new_spanned(&input.ident, message));
    } else if let Some(in_context) = flat::in_context(input, &container, &fields, &scope, &data.fields) {
        let (start, read) = (&in_context.read_start, &out.read);
        out.read = code!(#start #read);
        out.other_items = in_context.decode;
        out.methods.extend(in_context.lists);
    }
    Ok(out.with_show_and_check(&container).into_code(input))
}

/// The type of the context: as declared, or the context of the field for a transparent struct.
fn context_type(container: &Container, fields: &[Field]) -> TokenStream {
    match (&container.context, fields) {
        (Some(ty), _) => code!(#ty),
        (None, [field]) if is_transparent(container, field) => {
            let ty = &field.ty;
            code!(<#ty as __record::Record>::Context)
        }
        _ => code!(()),
    }
}

/// Whether a struct with one unnamed field has the same encoding and context as the field.
fn is_transparent(container: &Container, field: &Field) -> bool {
    field.shown.is_empty() && container.context.is_none() && field.attribute.is_plain()
}

/// Implements a type that is stored as a record of another type.
pub(crate) fn converted(input: &DeriveInput, container: &Container, stored_as: &Type) -> Implementation {
    let (context, schema) = (context(), schema::of_converted(input, container, stored_as));
    Implementation {
        context: code!(<#stored_as as __record::Record>::Context),
        min_size: code!(<#stored_as as __record::Record>::MIN_SIZE),
        read: code!({
            let stored_at = reader.offset();
            let stored = <#stored_as as __record::Record>::read(reader, #context)?;
            <Self as ::core::convert::TryFrom<#stored_as>>::try_from(stored)
                .map_err(|error| __record::Error::from(error).at(stored_at))
        }),
        write: code!({
            let stored = <#stored_as as ::core::convert::From<&Self>>::from(self);
            __record::Record::write(&stored, writer, #context)
        }),
        methods: code! {
            fn min_size(#context: Self::Context) -> usize {
                <#stored_as as __record::Record>::min_size(#context)
            }

            #schema
        },
        other_items: TokenStream::new(),
    }
}

/// Returns an expression of type `Result<Self>`.
fn read_body(
    container: &Container,
    fields: &[Field],
    scope: &Scope,
    build: &TokenStream,
) -> Result<TokenStream> {
    if let [field] = fields
        && is_transparent(container, field)
    {
        let (ty, context) = (&field.ty, context());
        return Ok(code!(<#ty as __record::Record>::read(reader, #context).map(Self)));
    }
    let magic = container.magic.iter().map(|magic| code!(reader.magic(#magic)?;));
    let read = body::read(fields, scope)?;
    Ok(code!({
        #(#magic)*
        #read
        ::core::result::Result::<_, __record::Error>::Ok(#build)
    }))
}

/// Returns an expression of type `Result<()>`. The fields are local references.
fn write_body(container: &Container, fields: &[Field], scope: &Scope) -> Result<TokenStream> {
    if let [field] = fields
        && is_transparent(container, field)
    {
        let (ty, name, context) = (&field.ty, &field.name, context());
        return Ok(code!(<#ty as __record::Record>::write(#name, writer, #context)));
    }
    let magic = container.magic.iter().map(|magic| code!(writer.put(#magic);));
    let (counts, stored) = (body::linked_counts(fields, scope), body::stored(fields, scope));
    let write = body::write(fields, scope)?;
    Ok(code!({ #counts #stored #(#magic)* #write ::core::result::Result::<_, __record::Error>::Ok(()) }))
}
