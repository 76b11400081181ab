//! Records of fixed size, whose lists are read as one block.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::attribute::Container;
use crate::body::value_of;
use crate::expression::{allow, context, is_number};
use crate::field::{Field, Scope};

/// Whether a struct is a flat record.
pub(crate) fn is_flat(container: &Container, fields: &[Field]) -> bool {
    has_no_options(container)
        && container.context.is_none()
        && !fields.is_empty()
        && fields.iter().all(|field| field.attribute.is_plain() && (container.flat || is_number(&field.ty)))
}

fn has_no_options(container: &Container) -> bool {
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

/// The code of a record that is flat in a given context: a function that decodes it, the start of `read`, and `read_list`.
pub(crate) struct InContext {
    pub(crate) decode: TokenStream,
    pub(crate) read_start: TokenStream,
    pub(crate) lists: TokenStream,
}

/// Returns the code of a record whose size depends only on the context; `None` for other records.
pub(crate) fn in_context(
    input: &DeriveInput,
    container: &Container,
    fields: &[Field],
    scope: &Scope,
    shape: &syn::Fields,
) -> Option<InContext> {
    let ty = container
        .context
        .as_ref()
        .filter(|_| has_no_options(container) && input.generics.params.is_empty())?;
    let is_fixed_size = |field: &Field| {
        field.attribute.is_plain_or_optional()
            && field.value_type().is_ok_and(|ty| is_number(&ty))
            && field.attribute.when.as_ref().is_none_or(|when| scope.is_context_only(when))
    };
    if fields.is_empty() || !fields.iter().all(is_fixed_size) {
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
    let build = value_of(&code!(#name), shape, scope);
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
