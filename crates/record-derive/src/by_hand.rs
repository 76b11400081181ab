//! `#[by_hand(...)]`: the schema of an implementation that is written by hand.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, ItemImpl, Result, Token, Type, parenthesized};

use crate::crate_path::find_crate;
use crate::{doc, schema};

/// How the doc comment of such an implementation starts.
const REASON: &str = "Implemented by hand: ";

/// The arguments of the attribute.
#[derive(Default)]
pub(crate) struct Arguments {
    context: Option<Type>,
    start: Vec<(Ident, Type)>,
    parts: Vec<Type>,
}

/// A record at the start: `NAME: TYPE`.
struct Start(Ident, Type);

impl Parse for Start {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Self(name, input.parse()?))
    }
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut out = Self::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            if name == "context" {
                input.parse::<Token![=]>()?;
                out.context = Some(input.parse()?);
            } else {
                let content;
                parenthesized!(content in input);
                if name == "start" {
                    let start = Punctuated::<Start, Token![,]>::parse_terminated(&content)?;
                    out.start = start.into_iter().map(|Start(name, ty)| (name, ty)).collect();
                } else if name == "parts" {
                    let parts = Punctuated::<Type, Token![,]>::parse_terminated(&content)?;
                    out.parts = parts.into_iter().collect();
                } else {
                    let message = format!("unknown argument `{name}`; expected `context`, `start` or `parts`");
                    return Err(syn::Error::new_spanned(&name, message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(out)
    }
}

/// Adds the method `schema` to the implementation.
pub(crate) fn expand(arguments: &Arguments, mut item: ItemImpl) -> Result<TokenStream> {
    let about = doc::full(&item.attrs).replace('\n', " ");
    let Some(reason) = about.strip_prefix(REASON) else {
        let message = format!("expected a doc comment with the reason: `/// {REASON}...`");
        return Err(syn::Error::new_spanned(&item.self_ty, message));
    };
    let crate_path = find_crate();
    let start = arguments.start.iter().map(|(name, ty)| {
        let (name, shown) = (name.to_string(), doc::shown(ty));
        quote!(__record::schema::Field::plain(#name, #shown, <#ty as __record::Record>::schema))
    });
    let parts = &arguments.parts;
    let context = match &arguments.context {
        Some(ty) => {
            let context = schema::context_of(ty);
            quote!(::core::option::Option::Some(#context))
        }
        None => quote!(::core::option::Option::None),
    };
    item.items.push(syn::parse_quote! {
        fn schema() -> #crate_path::schema::Schema {
            use #crate_path as __record;
            __record::schema::Schema::ByHand(const {
                &__record::schema::ByHand {
                    doc: __record::schema::TypeDoc { path: ::core::any::type_name::<Self>, about: "" },
                    context: #context,
                    reason: #reason,
                    start: &[#(#start),*],
                    parts: &[#(<#parts as __record::Record>::schema),*],
                }
            })
        }
    });
    Ok(quote!(#item))
}
