//! The fewest bytes a record takes, at all and in a context.

use proc_macro2::TokenStream;

use crate::attribute::{Container, Count};
use crate::expression::{Place, context};
use crate::field::{Field, Scope};

/// The constant `MIN_SIZE`, as an expression.
pub(crate) fn constant(container: &Container, fields: &[Field]) -> TokenStream {
    let magic = container.magic.iter().map(|magic| code!((#magic).len()));
    let parts = fields.iter().flat_map(|field| around(field).into_iter().chain([of_field(field)]));
    code!(0 #(+ #magic)* #(+ #parts)*)
}

/// The method `min_size`, of a record that has a context.
pub(crate) fn in_context(container: &Container, fields: &[Field], scope: &Scope) -> TokenStream {
    let Some(ty) = &container.context else { return TokenStream::new() };
    let magic = container.magic.iter().map(|magic| code!((#magic).len()));
    let parts =
        fields.iter().flat_map(|field| around(field).into_iter().chain([of_field_in_context(field, scope)]));
    let context = context();
    code! {
        fn min_size(#context: #ty) -> usize {
            0_usize #(.saturating_add(#magic))* #(.saturating_add(#parts))*
        }
    }
}

/// What stands around a field: tags, lengths, numbers.
fn around(field: &Field) -> Vec<TokenStream> {
    let begin = field.attribute.begin.iter();
    let mut out: Vec<TokenStream> =
        begin.clone().filter_map(|begin| begin.tag.as_ref()).map(|tag| code!((#tag).len())).collect();
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
    plain(field).unwrap_or_else(|| code!(<#ty as __record::Record>::MIN_SIZE))
}

fn of_field_in_context(field: &Field, scope: &Scope) -> TokenStream {
    let attribute = &field.attribute;
    let (Ok(ty), with) = (field.value_type(), &attribute.with) else { return code!(0) };
    let size = plain(field).unwrap_or_else(|| match with {
        None => code!(<#ty as __record::Record>::MIN_SIZE),
        Some(with) if scope.is_foreign_to(with) => {
            let with = Place::Local.expr(with, &[]);
            code!(<#ty as __record::Record>::min_size(#with))
        }
        Some(_) => code!(<#ty as __record::Record>::MIN_SIZE),
    });
    match &attribute.when {
        None => size,
        Some(when) if scope.is_foreign_to(when) => code!((if #when { #size } else { 0 })),
        Some(_) => code!(0),
    }
}

/// The size of a field that is not simply a record.
fn plain(field: &Field) -> Option<TokenStream> {
    let attribute = &field.attribute;
    if let Some(min) = &attribute.min {
        return Some(code!(#min));
    }
    match (&attribute.count, &attribute.terminator) {
        (Some(Count::Prefix(number)), _) => Some(code!(<#number as __record::Record>::MIN_SIZE)),
        (None, Some(terminator)) => Some(code!((#terminator).len())),
        _ => {
            let is_open = attribute.count.is_some()
                || attribute.leave.is_some()
                || attribute.until.is_some()
                || attribute.present.is_some()
                || attribute.by.is_some();
            is_open.then(|| code!(0))
        }
    }
}
