//! `#[derive(Record)]` on an enum: sections told apart by a tag.

use proc_macro2::TokenStream;
use syn::{DataEnum, DeriveInput, Fields, Ident, Result, Type, Variant};

use crate::attribute::Container;
use crate::field::{Field, ordered};
use crate::structure::{allow, parse_fields};

pub(crate) fn derive(input: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    let container = Container::parse(&input.attrs)?;
    let Some(tag) = &container.tag else {
        return Err(syn::Error::new_spanned(&input.ident, "an enum needs `#[record(tag = TYPE)]`"));
    };
    let tag: Type = syn::parse2(code!(#tag))?;
    let context = container.context.as_ref().map_or_else(|| code!(()), |context| code!(#context));
    let (mut arms, mut unknown, mut writes) = (Vec::new(), None, Vec::new());
    for variant in &data.variants {
        let attribute = Container::parse(&variant.attrs)?;
        let arm = Arm::new(variant, &attribute)?;
        let (read, pattern, write) = (&arm.read, &arm.pattern, &arm.write);
        if attribute.unknown {
            let name = &variant.ident;
            unknown = Some(code!({
                let bytes = ::record::Bytes::from(reader.take_rest());
                ::core::result::Result::Ok(Self::#name(tag, bytes))
            }));
            writes.push(section(
                &container,
                &code!(Self::#name(tag, bytes)),
                &code!(tag),
                &code!({
                    writer.put(bytes);
                    ::record::Result::<()>::Ok(())
                }),
            ));
            continue;
        }
        let Some(value) = &attribute.tag else {
            return Err(syn::Error::new_spanned(
                variant,
                "a variant needs `#[record(tag = VALUE)]`, or `unknown`",
            ));
        };
        arms.push(code!(if tag == <#tag as ::core::convert::From<_>>::from(#value) { #read }));
        let tag = code!(&<#tag as ::core::convert::From<_>>::from(#value));
        writes.push(section(&container, pattern, &tag, write));
    }
    let unknown = unknown.unwrap_or_else(|| {
        code!(::core::result::Result::Err(::record::Error::unsupported("the tag is not known").at(start)))
    });
    let body = code!(|reader: &mut ::record::Reader<'_>| -> ::record::Result<Self> {
        #(#arms else)* { #unknown }
    });
    let read = match &container.length {
        Some(length) => code!({
            let start = reader.offset();
            let tag = reader.field("tag", |reader| <#tag as ::record::Record>::read(reader, ()))?;
            let length = reader.field("length", |reader| {
                let at = reader.offset();
                let length = <#length as ::record::Record>::read(reader, ())?;
                reader.check_count(length, 1, at)
            })?;
            reader.section(length as u64, #body)
        }),
        None => code!({
            let start = reader.offset();
            let tag = reader.field("tag", |reader| <#tag as ::record::Record>::read(reader, ()))?;
            (#body)(reader)
        }),
    };
    let read = ordered(container.order, &read, "reader");
    let write = ordered(container.order, &code!({ match self { #(#writes)* } }), "writer");
    let length_size = container.length.iter().map(|length| code!(<#length as ::record::Record>::MIN_SIZE));
    let name = &input.ident;
    let context_name = crate::field::context();
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let allow = allow();
    Ok(code! {
        #allow
        impl #impl_generics ::record::Record for #name #type_generics #where_clause {
            type Context = #context;
            const MIN_SIZE: usize = <#tag as ::record::Record>::MIN_SIZE #(+ #length_size)*;

            fn read(reader: &mut ::record::Reader<'_>, #context_name: #context) -> ::record::Result<Self> {
                #read
            }

            fn write(&self, writer: &mut ::record::Writer, #context_name: #context) -> ::record::Result<()> {
                #write
            }
        }
    })
}

/// A match arm that writes the tag, the length where there is one, and the body.
fn section(
    container: &Container,
    pattern: &TokenStream,
    tag: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let tag = code!(writer.field("tag", |writer| ::record::Record::write(#tag, writer, ()))?;);
    match &container.length {
        Some(length) => code!(#pattern => {
            #tag
            let place = writer.reserve(<#length as ::record::Record>::MIN_SIZE);
            let start = writer.offset();
            #body?;
            let length: #length = writer.field("length", |writer| writer.count((writer.offset() - start) as usize))?;
            writer.patch(place, &length, ())
        }),
        None => code!(#pattern => { #tag #body }),
    }
}

/// How a variant is read, matched and written.
struct Arm {
    read: TokenStream,
    pattern: TokenStream,
    write: TokenStream,
}

impl Arm {
    fn new(variant: &Variant, attribute: &Container) -> Result<Self> {
        let name = &variant.ident;
        let done = code!(::record::Result::<()>::Ok(()));
        Ok(match &variant.fields {
            Fields::Unit => Self {
                read: code!(::core::result::Result::Ok(Self::#name)),
                pattern: code!(Self::#name),
                write: done,
            },
            Fields::Unnamed(fields) => {
                let with = attribute.with.as_ref().map_or_else(|| code!(()), |with| code!(#with));
                let types: Vec<&Type> = fields.unnamed.iter().map(|field| &field.ty).collect();
                let [ty] = types.as_slice() else {
                    if attribute.unknown {
                        return Ok(Self { read: code!(), pattern: code!(), write: code!() });
                    }
                    return Err(syn::Error::new_spanned(fields, "one record is expected"));
                };
                Self {
                    read: code!(<#ty as ::record::Record>::read(reader, #with).map(Self::#name)),
                    pattern: code!(Self::#name(value)),
                    write: code!(<#ty as ::record::Record>::write(value, writer, #with)),
                }
            }
            Fields::Named(_) => {
                let fields = parse_fields(&variant.fields)?;
                let names: Vec<Ident> = fields.iter().map(|field| field.name.clone()).collect();
                let (mut reads, mut writes) = (Vec::new(), Vec::new());
                for field in &fields {
                    check_inline(field)?;
                    let (field_name, read) = (&field.name, field.read(&names)?);
                    reads.push(code!(let #field_name = #read;));
                    writes.push(field.write(&names)?);
                }
                Self {
                    read: code!({ #(#reads)* ::core::result::Result::Ok(Self::#name { #(#names),* }) }),
                    pattern: code!(Self::#name { #(#names),* }),
                    write: code!({ #(#writes)* ::record::Result::<()>::Ok(()) }),
                }
            }
        })
    }
}

fn check_inline(field: &Field) -> Result<()> {
    if field.attribute.is_elsewhere() || field.attribute.layout {
        return Err(syn::Error::new_spanned(
            &field.name,
            "offsets and layouts stand in structs: make the variant hold one",
        ));
    }
    Ok(())
}
