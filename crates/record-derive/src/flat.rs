//! Records whose size is known before they are read: lists of them are taken as one block.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::attribute::Container;
use crate::body::whole;
use crate::expression::{allow, context, is_number};
use crate::field::{Field, Scope};

/// Whether all of it takes the same bytes always.
pub(crate) fn is_flat(container: &Container, fields: &[Field]) -> bool {
    bare(container)
        && container.context.is_none()
        && !fields.is_empty()
        && fields.iter().all(|field| field.attribute.is_plain() && (container.flat || is_number(&field.ty)))
}

fn bare(container: &Container) -> bool {
    container.order.is_none()
        && container.magic.is_none()
        && container.check.is_none()
        && container.show.is_none()
}

/// Implements `Flat`.
pub(crate) fn implement(input: &DeriveInput, fields: &[Field], build: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let allow = allow();
    code! {
        #allow
        impl #impl_generics __record::Flat for #name #type_generics #where_clause {
            const SIZE: usize = 0 #(+ <#types as __record::Flat>::SIZE)*;

            #[inline]
            fn decode<const BIG: bool>(bytes: &[u8]) -> Self {
                #(
                    let (part, bytes) = bytes.split_at_checked(<#types as __record::Flat>::SIZE).unwrap_or_default();
                    let #names = <#types as __record::Flat>::decode::<BIG>(part);
                )*
                #build
            }

            #[inline]
            fn encode<const BIG: bool>(&self, bytes: &mut [u8]) {
                let #build = self;
                #(
                    let (part, bytes) =
                        bytes.split_at_mut_checked(<#types as __record::Flat>::SIZE).unwrap_or_default();
                    <#types as __record::Flat>::encode::<BIG>(#names, part);
                )*
            }
        }
    }
}

/// The code of a record that is flat once its context is known: a function that decodes it, the start of `read`, and `read_list`.
pub(crate) struct InContext {
    pub(crate) decode: TokenStream,
    pub(crate) read_start: TokenStream,
    pub(crate) lists: TokenStream,
}

/// The same for a record in which fields come and go by the context alone.
pub(crate) fn in_context(
    input: &DeriveInput,
    container: &Container,
    fields: &[Field],
    scope: &Scope,
    shape: &syn::Fields,
) -> Option<InContext> {
    let ty = container.context.as_ref().filter(|_| bare(container) && input.generics.params.is_empty())?;
    let is_known = |field: &Field| {
        field.attribute.is_gated()
            && field.value_type().is_ok_and(|ty| is_number(&ty))
            && field.attribute.when.as_ref().is_none_or(|when| scope.is_foreign_to(when))
    };
    if fields.is_empty() || !fields.iter().all(is_known) {
        return None;
    }
    let (name, context) = (&input.ident, context());
    let values = fields.iter().map(|field| {
        let ty = field.value_type().unwrap_or_else(|_| field.ty.clone());
        let take = code!({
            let (part, rest) = bytes.split_at_checked(<#ty as __record::Flat>::SIZE).unwrap_or_default();
            bytes = rest;
            <#ty as __record::Flat>::decode::<BIG>(part)
        });
        let field_name = &field.name;
        match &field.attribute.when {
            Some(when) => code! {
                let #field_name =
                    if #when { ::core::option::Option::Some(#take) } else { ::core::option::Option::None };
            },
            None => code!(let #field_name = #take;),
        }
    });
    let build = whole(&code!(#name), shape, scope);
    let allow = allow();
    Some(InContext {
        decode: code! {
            #allow
            #[inline]
            fn decode_in_context<const BIG: bool>(mut bytes: &[u8], #context: #ty) -> #name {
                #(#values)*
                #build
            }
        },
        read_start: code! {
            if let ::core::option::Option::Some((order, bytes)) = reader.block(1, Self::min_size(#context)) {
                return __record::Result::Ok(match order {
                    __record::Order::Little => decode_in_context::<false>(bytes, #context),
                    __record::Order::Big => decode_in_context::<true>(bytes, #context),
                });
            }
        },
        lists: code! {
            fn read_list(
                reader: &mut __record::Reader<'_>,
                count: usize,
                #context: #ty,
            ) -> __record::Result<::std::vec::Vec<Self>> {
                let size = Self::min_size(#context);
                let ::core::option::Option::Some((order, bytes)) = reader.block(count, size) else {
                    return reader.items(count, |reader| <Self as __record::Record>::read(reader, #context));
                };
                let items = bytes.chunks_exact(::core::cmp::max(size, 1));
                __record::Result::Ok(match order {
                    __record::Order::Little => {
                        items.map(|bytes| decode_in_context::<false>(bytes, #context)).collect()
                    }
                    __record::Order::Big => {
                        items.map(|bytes| decode_in_context::<true>(bytes, #context)).collect()
                    }
                })
            }
        },
    })
}
