//! `#[by_hand(...)]`: the schema of an implementation that is written by hand.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemImpl, Result, Type};

use crate::crate_path::find_crate;
use crate::doc;

/// How the doc comment of such an implementation starts.
const REASON: &str = "Implemented by hand: ";

/// Adds the method `schema` to the implementation.
pub(crate) fn expand(parts: &[Type], mut item: ItemImpl) -> Result<TokenStream> {
    let about = doc::full(&item.attrs).replace('\n', " ");
    let Some(reason) = about.strip_prefix(REASON) else {
        let message = format!("expected a doc comment with the reason: `/// {REASON}...`");
        return Err(syn::Error::new_spanned(&item.self_ty, message));
    };
    let crate_path = find_crate();
    item.items.push(syn::parse_quote! {
        fn schema() -> #crate_path::schema::Schema {
            use #crate_path as __record;
            __record::schema::Schema::ByHand(const {
                &__record::schema::ByHand {
                    doc: __record::schema::TypeDoc {
                        path: ::core::any::type_name::<Self>,
                        about: <Self as __record::schema::Declared>::ABOUT,
                    },
                    context: <Self as __record::schema::Declared>::CONTEXT,
                    reason: #reason,
                    fields: <Self as __record::schema::Declared>::FIELDS,
                    parts: &[#(<#parts as __record::Record>::schema),*],
                }
            })
        }
    });
    Ok(quote!(#item))
}
