//! `#[derive(Record)]`: reading, writing and spans from one declaration. Its attributes are documented in the crate `record`.

/// Like [`quote::quote!`], but names in the code cannot conflict with field names: a field may have the name `reader` or `count`.
macro_rules! code {
    ($($token:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($token)*)
    };
}

mod attribute;
mod body;
mod choice;
mod crate_path;
mod doc;
mod entry;
mod expression;
mod field;
mod flat;
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
