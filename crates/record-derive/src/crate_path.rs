//! The path of the crate `record` in generated code: a direct dependency, a module of `antiquary`, or the path in `#[record(crate = ...)]`.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{DeriveInput, Ident, Result};

use crate::attribute::Container;
use crate::entry::Item;

/// The package of the crate, and the name of its library if the dependency is not renamed.
const RECORD: (&str, &str) = ("antiquary-record", "antiquary_record");

/// The package that re-exports the crate as a module, for users that depend only on this package.
const FACADE: (&str, &str) = ("antiquary", "antiquary");

/// Puts generated code into a separate scope in which the crate has the name `__record`.
pub(crate) fn with_crate_path(input: &DeriveInput, code: &TokenStream) -> Result<TokenStream> {
    let item = if matches!(input.data, syn::Data::Enum(_)) { Item::Enum } else { Item::Struct };
    let path = match Container::parse(&input.attrs, item)?.record {
        Some(path) => quote!(#path),
        None => find_crate(),
    };
    Ok(code! {
        const _: () = {
            use #path as __record;
            #code
        };
    })
}

/// Finds the crate in the manifest of the crate being compiled.
pub(crate) fn find_crate() -> TokenStream {
    if let Some(record) = dependency(RECORD) {
        return quote!(::#record);
    }
    match dependency(FACADE) {
        Some(antiquary) => quote!(::#antiquary::record),
        // Without a readable manifest, the compiler reports the missing crate.
        None => quote!(::antiquary_record),
    }
}

fn dependency((package, library): (&str, &str)) -> Option<Ident> {
    let name = match crate_name(package).ok()? {
        FoundCrate::Itself => library.to_string(),
        // Not renamed: use the name of the library, not of the package.
        FoundCrate::Name(name) if name == package.replace('-', "_") => library.to_string(),
        FoundCrate::Name(name) => name,
    };
    Some(Ident::new(&name, Span::call_site()))
}
