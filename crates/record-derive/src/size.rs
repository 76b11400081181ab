//! The minimum size of a record, in general and in a context.

use proc_macro2::TokenStream;
use syn::Expr;

use crate::attribute::{Container, Count};
use crate::expression::{FieldAccess, context};
use crate::field::{Field, Scope};

/// Returns the value of the constant `MIN_SIZE`.
pub(crate) fn constant(container: &Container, fields: &[Field]) -> TokenStream {
    let magic = container.magic.iter().map(length_of);
    let parts = fields.iter().flat_map(|field| around(field).into_iter().chain([of_field(field)]));
    code!(0 #(+ #magic)* #(+ #parts)*)
}

/// Returns the method `min_size` of a record with a context.
pub(crate) fn in_context(container: &Container, fields: &[Field], scope: &Scope) -> TokenStream {
    let Some(ty) = &container.context else { return TokenStream::new() };
    let magic = container.magic.iter().map(length_of);
    let parts =
        fields.iter().flat_map(|field| around(field).into_iter().chain([of_field_in_context(field, scope)]));
    let context = context();
    code! {
        fn min_size(#context: #ty) -> usize {
            0_usize #(.saturating_add(#magic))* #(.saturating_add(#parts))*
        }
    }
}

/// Returns the sizes of the tags, lengths and numbers around a field.
fn around(field: &Field) -> Vec<TokenStream> {
    let begin = field.attribute.begin.iter();
    let mut out: Vec<TokenStream> =
        begin.clone().filter_map(|begin| begin.tag.as_ref()).map(length_of).collect();
    let numbers = begin.filter_map(|begin| begin.length.as_ref().map(|(_, ty)| ty));
    let stored = field.stored().map(|stored| &stored.ty);
    out.extend(numbers.chain(stored).map(|ty| code!(<#ty as __record::Record>::MIN_SIZE)));
    out
}

fn of_field(field: &Field) -> TokenStream {
    let (ty, attribute) = (&field.ty, &field.attribute);
    if attribute.when.is_some() {
        return code!(0);
    }
    special(field).unwrap_or_else(|| code!(<#ty as __record::Record>::MIN_SIZE))
}

fn of_field_in_context(field: &Field, scope: &Scope) -> TokenStream {
    let attribute = &field.attribute;
    let (Ok(ty), with) = (field.value_type(), &attribute.with) else { return code!(0) };
    let size = special(field).unwrap_or_else(|| match with {
        None => code!(<#ty as __record::Record>::MIN_SIZE),
        Some(with) if scope.is_context_only(with) => {
            let with = FieldAccess::Local.expr(with, &[]);
            code!(<#ty as __record::Record>::min_size(#with))
        }
        Some(_) => code!(<#ty as __record::Record>::MIN_SIZE),
    });
    match &attribute.when {
        None => size,
        Some(when) if scope.is_context_only(when) => code!((if #when { #size } else { 0 })),
        Some(_) => code!(0),
    }
}

/// Returns the minimum size of a field with a special encoding; `None` for a field that is a plain record.
fn special(field: &Field) -> Option<TokenStream> {
    let attribute = &field.attribute;
    if let Some(min) = &attribute.min {
        return Some(code!(#min));
    }
    match (&attribute.count, &attribute.terminator) {
        (Some(Count::Prefix(number)), _) => Some(code!(<#number as __record::Record>::MIN_SIZE)),
        (None, Some(terminator)) => Some(length_of(terminator)),
        _ => {
            let may_be_empty = attribute.count.is_some()
                || attribute.leave.is_some()
                || attribute.until.is_some()
                || attribute.present.is_some()
                || attribute.by.is_some();
            may_be_empty.then(|| code!(0))
        }
    }
}

/// The length of a byte string, an expression of type `usize`.
fn length_of(bytes: &Expr) -> TokenStream {
    code!({
        let bytes: &[u8] = #bytes;
        bytes.len()
    })
}
