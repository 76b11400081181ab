//! `#[derive(Record)]`: reading, writing and spans from one declaration. The book of it is in the crate `record`.

/// Code whose own names cannot meet the names of the fields: a field may be called `reader` or `count`.
macro_rules! code {
    ($($token:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($token)*)
    };
}

mod attribute;
mod body;
mod choice;
mod doc;
mod expression;
mod field;
mod flat;
mod home;
mod size;
mod structure;

use proc_macro::TokenStream;
use syn::{Data, DeriveInput, parse_macro_input};

/// Implements `record::Record` (and `record::Flat` for records of plain numbers). See the documentation of `record`.
#[proc_macro_derive(Record, attributes(record))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let output = match &input.data {
        Data::Struct(data) => structure::derive(&input, data),
        Data::Enum(data) => choice::derive(&input, data),
        Data::Union(_) => Err(syn::Error::new_spanned(&input.ident, "unions are not supported")),
    };
    output.and_then(|code| home::at_home(&input, &code)).unwrap_or_else(syn::Error::into_compile_error).into()
}
