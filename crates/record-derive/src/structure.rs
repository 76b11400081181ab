//! `#[derive(Record)]` on a struct.

use proc_macro2::{Span, TokenStream};
use quote::format_ident;
use syn::{DataStruct, DeriveInput, Fields, Ident, Result};

use crate::attribute::Container;
use crate::field::{Field, Place, argument, context, entry, is_number, of_entry_expr, ordered, root};

pub(crate) fn derive(input: &DeriveInput, data: &DataStruct) -> Result<TokenStream> {
    let container = Container::parse(&input.attrs)?;
    if let [_] = data.fields.iter().collect::<Vec<_>>().as_slice()
        && matches!(data.fields, Fields::Unnamed(_))
    {
        return newtype(input, data, &container);
    }
    let fields = parse_fields(&data.fields)?;
    let names: Vec<Ident> = fields.iter().map(|field| field.name.clone()).collect();
    let plain = container.order.is_none() && container.magic.is_none() && container.context.is_none();
    let flat = plain
        && !fields.is_empty()
        && fields.iter().all(|field| is_plain(field) && (container.flat || is_number(&field.ty)));

    let min_sizes = fields.iter().map(Field::min_size);
    let magic_size = container.magic.iter().map(|magic| code!((#magic).len()));
    let context_type = container.context.as_ref().map_or_else(|| code!(()), |ty| code!(#ty));
    let shape = match &data.fields {
        Fields::Named(_) => code!(Self { #(#names),* }),
        _ => code!(Self(#(#names),*)),
    };
    let read_body = read_body(&container, &fields, &names, &shape)?;
    let read = ordered(container.order, &read_body, "reader");
    let write_body = write_body(&container, &fields, &names)?;
    let write = ordered(container.order, &write_body, "writer");

    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let allow = allow();
    let context_name = context();
    let (flat_impl, read_start, lists) = if flat {
        (
            flat_impl(input, &fields, &names, &shape),
            code!(if !reader.is_tracing() && reader.remaining() >= <Self as ::record::Flat>::SIZE {
                return reader.flat::<Self>();
            }),
            code!(::record::flat_lists!();),
        )
    } else {
        (code!(), code!(), code!())
    };
    Ok(code! {
        #flat_impl

        #allow
        impl #impl_generics ::record::Record for #name #type_generics #where_clause {
            type Context = #context_type;
            const MIN_SIZE: usize = 0 #(+ #magic_size)* #(+ #min_sizes)*;

            fn read(reader: &mut ::record::Reader<'_>, #context_name: #context_type) -> ::record::Result<Self> {
                #read_start
                #read
            }

            fn write(&self, writer: &mut ::record::Writer, #context_name: #context_type) -> ::record::Result<()> {
                let #shape = self;
                #write
            }

            #lists
        }
    })
}

/// Generated code is not held to the lints of the crate it stands in.
pub(crate) fn allow() -> TokenStream {
    code! {
        #[automatically_derived]
        #[allow(
            unused_variables, unused_mut, unused_parens, unused_qualifications, clippy::all, clippy::pedantic,
            clippy::arithmetic_side_effects
        )]
    }
}

/// The fields with their names; those of a tuple are called `field_0` and so on.
pub(crate) fn parse_fields(fields: &Fields) -> Result<Vec<Field>> {
    fields
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let name = field.ident.clone().unwrap_or_else(|| format_ident!("field_{index}"));
            Field::parse(field, name)
        })
        .collect()
}

fn is_plain(field: &Field) -> bool {
    let attribute = &field.attribute;
    attribute.count.is_none()
        && attribute.when.is_none()
        && attribute.with.is_none()
        && attribute.order.is_none()
        && !attribute.is_elsewhere()
        && !attribute.layout
}

/// A struct of one unnamed field is that field: no step in paths.
fn newtype(input: &DeriveInput, data: &DataStruct, container: &Container) -> Result<TokenStream> {
    let fields = parse_fields(&data.fields)?;
    let [field] = fields.as_slice() else {
        return Err(syn::Error::new(Span::call_site(), "one field is expected"));
    };
    let name = &input.ident;
    let ty = &field.ty;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let allow = allow();
    let context_name = context();
    if !is_plain(field) {
        return Err(syn::Error::new_spanned(ty, "a struct of one unnamed field has no attributes"));
    }
    let flat = container.flat || is_number(ty);
    let (flat_impl, lists) = if flat {
        (
            flat_impl(input, &fields, std::slice::from_ref(&field.name), &{
                let name = &field.name;
                code!(Self(#name))
            }),
            code!(::record::flat_lists!();),
        )
    } else {
        (code!(), code!())
    };
    Ok(code! {
        #flat_impl

        #allow
        impl #impl_generics ::record::Record for #name #type_generics #where_clause {
            type Context = <#ty as ::record::Record>::Context;
            const MIN_SIZE: usize = <#ty as ::record::Record>::MIN_SIZE;

            fn read(reader: &mut ::record::Reader<'_>, #context_name: Self::Context) -> ::record::Result<Self> {
                <#ty as ::record::Record>::read(reader, #context_name).map(Self)
            }

            fn write(&self, writer: &mut ::record::Writer, #context_name: Self::Context) -> ::record::Result<()> {
                <#ty as ::record::Record>::write(&self.0, writer, #context_name)
            }

            #lists
        }
    })
}

fn flat_impl(input: &DeriveInput, fields: &[Field], names: &[Ident], shape: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let allow = allow();
    code! {
        #allow
        impl #impl_generics ::record::Flat for #name #type_generics #where_clause {
            const SIZE: usize = 0 #(+ <#types as ::record::Flat>::SIZE)*;

            #[inline]
            fn decode<const BIG: bool>(bytes: &[u8]) -> Self {
                #(
                    let (part, bytes) = bytes.split_at_checked(<#types as ::record::Flat>::SIZE).unwrap_or_default();
                    let #names = <#types as ::record::Flat>::decode::<BIG>(part);
                )*
                #shape
            }

            #[inline]
            fn encode<const BIG: bool>(&self, bytes: &mut [u8]) {
                let #shape = self;
                #(
                    let (part, bytes) =
                        bytes.split_at_mut_checked(<#types as ::record::Flat>::SIZE).unwrap_or_default();
                    <#types as ::record::Flat>::encode::<BIG>(#names, part);
                )*
            }
        }
    }
}

fn layout_field(fields: &[Field]) -> Result<Option<&Field>> {
    let layout = fields.iter().find(|field| field.attribute.layout);
    if let (None, Some(field)) = (layout, fields.iter().find(|field| field.attribute.is_elsewhere())) {
        return Err(syn::Error::new_spanned(
            &field.name,
            "a record with a field at an offset keeps a `Layout`: add `#[record(layout)] pub layout: Layout`",
        ));
    }
    Ok(layout)
}

/// An expression of type `Result<Self>`.
fn read_body(
    container: &Container,
    fields: &[Field],
    names: &[Ident],
    build: &TokenStream,
) -> Result<TokenStream> {
    let layout = layout_field(fields)?;
    let magic = container.magic.iter().map(|magic| code!(reader.magic(#magic)?;));
    let mut inline = Vec::new();
    let mut elsewhere = Vec::new();
    for field in fields {
        let name = &field.name;
        if field.attribute.layout {
            continue;
        }
        if field.attribute.is_elsewhere() {
            let read = field.read_elsewhere(names);
            elsewhere.push(code!(let #name = #read;));
        } else {
            let read = field.read(names)?;
            inline.push(code!(let #name = #read;));
        }
    }
    let (begin, middle, end) = match layout {
        Some(field) => {
            let name = &field.name;
            (
                code!(let mut layout = ::record::LayoutReader::new(reader);),
                code!(layout.inline(reader);),
                code!(let #name = layout.finish(reader);),
            )
        }
        None => (code!(), code!(), code!()),
    };
    Ok(code!({
        #begin
        #(#magic)*
        #(#inline)*
        #middle
        #(#elsewhere)*
        #end
        ::core::result::Result::Ok(#build)
    }))
}

/// Statements that set the counts other fields hold, and the names that are changed by that.
fn linked_counts(fields: &[Field]) -> (Vec<TokenStream>, Vec<Ident>) {
    let (mut set, mut changed, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for field in fields {
        let Some(count) = field.linked_count() else { continue };
        let written = code!(#count).to_string();
        let Some(first) = root(count) else { continue };
        if known.contains(&written) || !fields.iter().any(|field| field.name == *first) {
            continue;
        }
        known.push(written);
        let (name, shown) = (&field.name, &field.shown);
        let names: Vec<Ident> = fields.iter().map(|field| field.name.clone()).collect();
        let place = Place::Borrowed.expr(count, &names);
        let assign = code! {
            #place = writer.field(#shown, |writer| writer.count(::record::Sequence::items(list).len()))?;
        };
        set.push(if field.attribute.when.is_some() {
            code!(if let ::core::option::Option::Some(list) = &*#name { #assign })
        } else {
            code!({ let list = &*#name; #assign })
        });
        changed.push(first.clone());
    }
    (set, changed)
}

/// An expression of type `Result<()>`; the fields are local references.
fn write_body(container: &Container, fields: &[Field], names: &[Ident]) -> Result<TokenStream> {
    let magic: Vec<_> = container.magic.iter().map(|magic| code!(writer.put(#magic);)).collect();
    let mut inline = Vec::new();
    for field in fields.iter().filter(|field| !field.attribute.layout && !field.attribute.is_elsewhere()) {
        inline.push(field.write(names)?);
    }
    let (set_counts, mut changed) = linked_counts(fields);
    let Some(layout) = layout_field(fields)? else {
        let copies = copies(&changed);
        return Ok(code!({ #copies #(#set_counts)* #(#magic)* #(#inline)* ::core::result::Result::Ok(()) }));
    };
    let layout = &layout.name;
    let (mut parts, mut patches) = (Vec::new(), Vec::new());
    for field in fields.iter().filter(|field| field.attribute.is_elsewhere()) {
        let (part, patch) = part(field, names, &mut changed);
        parts.push(part);
        patches.push(patch);
    }
    let copies = copies(&changed);
    let again = fields
        .iter()
        .filter(|field| field.attribute.is_elsewhere() && changed.contains(&field.name))
        .map(|field| {
            let (name, shown) = (&field.name, &field.shown);
            let write = field.write_value(&field.ty, &code!(&*#name), names);
            code!(parts.rewrite(writer, #shown, |writer| writer.field(#shown, |writer| #write))?;)
        });
    let inline = code!(|writer: &mut ::record::Writer| -> ::record::Result<()> {
        #(#magic)* #(#inline)* ::core::result::Result::Ok(())
    });
    Ok(code!({
        #copies
        #(#set_counts)*
        let mut parts = ::record::LayoutWriter::new(writer, #layout);
        parts.part(writer, "", 0, #inline)?;
        #(#parts)*
        parts.place()?;
        #(#patches)*
        parts.rewrite(writer, "", #inline)?;
        #(#again)*
        parts.finish(writer)
    }))
}

/// Changeable copies of the fields that hold counts and offsets of others.
fn copies(changed: &[Ident]) -> TokenStream {
    let mut seen: Vec<&Ident> = Vec::new();
    for name in changed {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    code!(#(let #seen = &mut ::core::clone::Clone::clone(#seen);)*)
}

/// The statements that add a field at an offset as a part, and that note its place once it is known.
fn part(field: &Field, names: &[Ident], changed: &mut Vec<Ident>) -> (TokenStream, TokenStream) {
    let (name, shown, ty) = (&field.name, &field.shown, &field.ty);
    let attribute = &field.attribute;
    let rank = match (&attribute.from_end, &attribute.rank) {
        (Some(_), _) => code!(::record::LAST),
        (None, Some(rank)) => code!(#rank),
        (None, None) => code!(1),
    };
    let borrowed = |expr: &syn::Expr| Place::Borrowed.expr(expr, names);
    if let Some(each) = &attribute.each {
        changed.push(each.clone());
        let entry = entry();
        let item = argument(ty, "Vec").unwrap_or_else(|| ty.clone());
        let write = field.write_value(&item, &code!(item), names);
        let at = attribute.at.iter().map(of_entry_expr);
        let size = attribute.size.iter().map(of_entry_expr);
        let add = code! {
            writer.field(#shown, |writer| ::record::same_count(#each.len() as u64, #name.len()))?;
            for (index, item) in ::core::iter::Iterator::enumerate(#name.iter()) {
                let #entry = &#each[index];
                parts.part(writer, ::std::format!("{}[{index}]", #shown), #rank, |writer| {
                    (#write).map_err(|error: ::record::Error| error.in_item(index).in_field(#shown))
                })?;
            }
        };
        let patch = code! {
            for (index, #entry) in ::core::iter::Iterator::enumerate(#each.iter_mut()) {
                let (start, length) = parts.find(&::std::format!("{}[{index}]", #shown));
                #(#at = ::record::from_offset(start)?;)*
                #(#size = ::record::from_offset(length)?;)*
            }
        };
        return (add, patch);
    }
    let write = field.write_value(ty, &code!(&*#name), names);
    let mut patch = TokenStream::new();
    for (expr, value) in [(&attribute.at, code!(start)), (&attribute.size, code!(length))] {
        let Some(expr) = expr else { continue };
        let Some(first) = root(expr) else { continue };
        changed.push(first.clone());
        let place = borrowed(expr);
        patch.extend(code!(#place = ::record::from_offset(#value)?;));
    }
    (
        code!(parts.part(writer, #shown, #rank, |writer| writer.field(#shown, |writer| #write))?;),
        code!({ let (start, length) = parts.find(#shown); #patch }),
    )
}
