//! Where generated code finds the crate `record`: by itself, within `antiquary`, or where `#[record(crate = ...)]` says.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{DeriveInput, Ident, Result};

use crate::attribute::Container;

/// The package of the crate, and what its library is called where nobody gives it another name.
const RECORD: (&str, &str) = ("antiquary-record", "antiquary_record");

/// The package that offers it as one of its modules, for whoever depends on nothing else.
const FACADE: (&str, &str) = ("antiquary", "antiquary");

/// Generated code, in a scope of its own in which the crate is called `__record`.
pub(crate) fn at_home(input: &DeriveInput, code: &TokenStream) -> Result<TokenStream> {
    let path = match Container::parse(&input.attrs)?.record {
        Some(path) => quote!(#path),
        None => found(),
    };
    Ok(code! {
        const _: () = {
            use #path as __record;
            #code
        };
    })
}

/// The crate as the manifest of the crate being compiled names it.
fn found() -> TokenStream {
    if let Some(record) = dependency(RECORD) {
        return quote!(::#record);
    }
    match dependency(FACADE) {
        Some(antiquary) => quote!(::#antiquary::record),
        // No manifest that can be read: the compiler says what is missing.
        None => quote!(::antiquary_record),
    }
}

fn dependency((package, library): (&str, &str)) -> Option<Ident> {
    let name = match crate_name(package).ok()? {
        FoundCrate::Itself => library.to_string(),
        // Not renamed: the name of the library counts, not that of the package.
        FoundCrate::Name(name) if name == package.replace('-', "_") => library.to_string(),
        FoundCrate::Name(name) => name,
    };
    Some(Ident::new(&name, Span::call_site()))
}
