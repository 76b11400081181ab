//! Expressions in attributes, which can use the fields and the context.

use proc_macro2::{Span, TokenStream};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FieldValue, GenericArgument, Ident, PathArguments, Type};

use crate::attribute::Order;

/// The form in which an expression accesses the fields.
#[derive(Clone, Copy)]
pub(crate) enum FieldAccess {
    /// Values in local variables, while reading.
    Local,
    /// References in local variables, while writing.
    Borrowed,
}

impl FieldAccess {
    /// Converts an expression so that the names of fields mean their values.
    pub(crate) fn expr(self, expr: &Expr, names: &[Ident]) -> TokenStream {
        let mut expr = expr.clone();
        if matches!(self, Self::Borrowed) {
            Dereference { names }.visit_expr_mut(&mut expr);
        }
        code!(#expr)
    }
}

struct Dereference<'a> {
    names: &'a [Ident],
}

impl VisitMut for Dereference<'_> {
    fn visit_field_value_mut(&mut self, value: &mut FieldValue) {
        // `Form { width }` becomes `Form { width: (*width) }`.
        value.colon_token.get_or_insert_default();
        visit_mut::visit_field_value_mut(self, value);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
            && self.names.contains(name)
        {
            *expr = syn::parse_quote!((*#name));
        }
    }
}

/// Whether an expression uses one of these names. A macro is assumed to use them.
pub(crate) fn mentions(expr: &Expr, names: &[Ident]) -> bool {
    let mut search = Search { names, found: false };
    search.visit_expr_mut(&mut expr.clone());
    search.found
}

struct Search<'a> {
    names: &'a [Ident],
    found: bool,
}

impl VisitMut for Search<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Macro(_) => self.found = true,
            Expr::Path(path) => {
                self.found |= path.path.get_ident().is_some_and(|name| self.names.contains(name));
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }
}

/// The name of the context in expressions.
pub(crate) fn context() -> Ident {
    Ident::new("context", Span::call_site())
}

/// The first name of a place expression such as `header.sizes.count`.
pub(crate) fn root(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        _ => None,
    }
}

/// Returns `T` for `Wrapper<T>`.
pub(crate) fn argument(ty: &Type, wrapper: &str) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    if last.ident != wrapper {
        return None;
    }
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a type is written as a number or as an array of numbers.
pub(crate) fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.get_ident().is_some_and(|name| {
            ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"]
                .iter()
                .any(|known| name == known)
        }),
        Type::Array(array) => is_number(&array.elem),
        _ => false,
    }
}

/// Wraps an expression of type `Result` so that it uses the given byte order.
pub(crate) fn ordered(order: Option<Order>, expr: &TokenStream, on: &str) -> TokenStream {
    let on = Ident::new(on, Span::mixed_site());
    match order {
        Some(Order::Little) => code!(#on.with_order(__record::Order::Little, |#on| #expr)),
        Some(Order::Big) => code!(#on.with_order(__record::Order::Big, |#on| #expr)),
        None => code!(#expr),
    }
}

/// Attributes that exempt generated code from the lints of the crate that uses it.
pub(crate) fn allow() -> TokenStream {
    code! {
        #[automatically_derived]
        #[allow(
            unused_variables, unused_mut, unused_parens, unused_assignments, unused_qualifications, clippy::all,
            clippy::pedantic, clippy::arithmetic_side_effects, clippy::as_conversions
        )]
    }
}
