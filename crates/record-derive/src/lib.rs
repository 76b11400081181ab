//! `#[derive(Record)]`: reading, writing and spans from one declaration. Its attributes are documented in the crate `record`.

/// Like [`quote::quote!`], but names in the code cannot conflict with field names: a field may have the name `reader` or `count`.
macro_rules! code {
    ($($token:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($token)*)
    };
}

mod attribute;
mod body;
mod by_hand;
mod choice;
mod crate_path;
mod doc;
mod entry;
mod expression;
mod field;
mod flat;
mod schema;
mod size;
mod structure;

use proc_macro::TokenStream;
use syn::{Data, DeriveInput, parse_macro_input};

/// Implements `record::Record` (also `record::Flat` for structs of plain numbers). See the documentation of `record`.
#[proc_macro_derive(Record, attributes(record))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let output = match &input.data {
        Data::Struct(data) => structure::derive(&input, data),
        Data::Enum(data) => choice::derive(&input, data),
        Data::Union(_) => Err(syn::Error::new_spanned(
            &input.ident,
            "`Record` cannot be derived for unions; expected a struct or an enum",
        )),
    };
    output
        .and_then(|code| crate_path::with_crate_path(&input, &code))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Implements `record::schema::Declared` for a struct whose `Record` is implemented by hand: its fields with their attributes become the
/// schema, but no code to read them. The first field with `by` and everything after it is opaque.
#[proc_macro_derive(Declared, attributes(record))]
pub fn derive_declared(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let output = match &input.data {
        Data::Struct(data) => schema::of_declared(&input, data),
        _ => Err(syn::Error::new_spanned(&input.ident, "`Declared` can only be derived for structs")),
    };
    output
        .and_then(|code| crate_path::with_crate_path(&input, &code))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Adds the schema to an implementation of `record::Record` that is written by hand. Its type derives `Declared`; the reason is the doc
/// comment of the implementation, which starts with `Implemented by hand: `. The optional arguments are the types of records that occur
/// in the opaque rest.
#[proc_macro_attribute]
pub fn by_hand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let parse = syn::punctuated::Punctuated::<syn::Type, syn::Token![,]>::parse_terminated;
    let parts = parse_macro_input!(arguments with parse);
    let item = parse_macro_input!(item as syn::ItemImpl);
    by_hand::expand(&parts.into_iter().collect::<Vec<_>>(), item)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
