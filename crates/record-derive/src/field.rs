//! How one field is read and written.

use proc_macro2::{Span, TokenStream};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, GenericArgument, Ident, PathArguments, Result, Type};

use crate::attribute::{self, Count, Order};

/// A field of a struct or of a variant with named fields.
pub(crate) struct Field {
    pub(crate) name: Ident,
    pub(crate) shown: String,
    pub(crate) ty: Type,
    pub(crate) attribute: attribute::Field,
}

impl Field {
    pub(crate) fn parse(field: &syn::Field, name: Ident) -> Result<Self> {
        let attribute = attribute::Field::parse(&field.attrs)?;
        let shown = name.to_string().trim_start_matches("r#").to_string();
        if attribute.is_elsewhere() && attribute.when.is_some() {
            return Err(syn::Error::new_spanned(field, "a field at an offset cannot have `when`"));
        }
        if attribute.each.is_some() && attribute.at.is_none() {
            return Err(syn::Error::new_spanned(field, "`each` needs `at`, a field of the element"));
        }
        Ok(Self { name, shown, ty: field.ty.clone(), attribute })
    }

    /// The context given to the field.
    fn context(&self, names: &[Ident], place: Place) -> TokenStream {
        match &self.attribute.with {
            Some(with) => {
                let with = place.expr(with, names);
                code!((#with))
            }
            None => code!(()),
        }
    }

    /// The type of the value, inside `Option` where the field can be absent.
    pub(crate) fn value_type(&self) -> Result<Type> {
        if self.attribute.when.is_none() {
            return Ok(self.ty.clone());
        }
        argument(&self.ty, "Option").ok_or_else(|| {
            syn::Error::new_spanned(
                &self.ty,
                "a field with `when` is absent at times: its type is `Option<...>`",
            )
        })
    }

    /// An expression for the fewest bytes it takes in line.
    pub(crate) fn min_size(&self) -> TokenStream {
        let ty = &self.ty;
        match &self.attribute {
            attribute if attribute.when.is_some() || attribute.layout || attribute.is_elsewhere() => code!(0),
            attribute::Field { count: Some(Count::Prefix(number)), .. } => {
                code!(<#number as ::record::Record>::MIN_SIZE)
            }
            attribute::Field { count: Some(Count::Expr(_)), .. } => code!(0),
            _ => code!(<#ty as ::record::Record>::MIN_SIZE),
        }
    }

    /// An expression of type `Result<value>` that reads the value of type `ty` from `reader`.
    fn read_value(&self, ty: &Type, names: &[Ident]) -> TokenStream {
        let context = self.context(names, Place::Local);
        let item = code!(<#ty as ::record::Sequence>::Item);
        let limit =
            self.attribute.limit.as_ref().map(|limit| code!(reader.check_limit(count, #limit, start)?;));
        let read = match &self.attribute.count {
            Some(Count::Prefix(number)) => code!({
                let start = reader.offset();
                let count = reader.read_count::<#number>()?;
                let count = reader.check_count(count, ::core::cmp::max(<#item as ::record::Record>::MIN_SIZE, 1), start)?;
                #limit
                <#item as ::record::Record>::read_list(reader, count, #context)
                    .map(<#ty as ::record::Sequence>::from_items)
            }),
            Some(Count::Expr(count)) => {
                let count = Place::Local.expr(count, names);
                code!({
                    let start = reader.offset();
                    let count = reader.check_count(#count, ::core::cmp::max(<#item as ::record::Record>::MIN_SIZE, 1), start)?;
                    #limit
                    <#item as ::record::Record>::read_list(reader, count, #context)
                        .map(<#ty as ::record::Sequence>::from_items)
                })
            }
            None => code!(<#ty as ::record::Record>::read(reader, #context)),
        };
        ordered(self.attribute.order, &read, "reader")
    }

    /// An expression that reads the field in line, with `?` for errors.
    pub(crate) fn read(&self, names: &[Ident]) -> Result<TokenStream> {
        let (shown, ty) = (&self.shown, self.value_type()?);
        let read = self.read_value(&ty, names);
        let read = code!(reader.field(#shown, |reader| #read)?);
        Ok(match &self.attribute.when {
            Some(when) => {
                let when = Place::Local.expr(when, names);
                code!(if #when { ::core::option::Option::Some(#read) } else { ::core::option::Option::None })
            }
            None => read,
        })
    }

    /// An expression that reads a field at its offset, noted in `layout`.
    pub(crate) fn read_elsewhere(&self, names: &[Ident]) -> TokenStream {
        let (shown, ty) = (&self.shown, &self.ty);
        if let Some(size) = &self.attribute.from_end {
            let read = self.read_value(ty, names);
            return code!(reader.field(#shown, |reader| {
                let size = ::record::to_offset(#size)?;
                let start = ::record::from_end(reader, size)?;
                layout.read(reader, #shown, start, ::core::option::Option::Some(size), |reader| #read)
            })?);
        }
        let Some(at) = &self.attribute.at else { return code!(compile_error!("no offset")) };
        let number = |expr: &Expr, of_entry: bool| {
            if of_entry {
                let expr = of_entry_expr(expr);
                code!(::record::to_offset(#expr)?)
            } else {
                let expr = Place::Local.expr(expr, names);
                code!(::record::to_offset(#expr)?)
            }
        };
        let of_entry = self.attribute.each.is_some();
        let at = number(at, of_entry);
        let size = match &self.attribute.size {
            Some(size) => {
                let size = number(size, of_entry);
                code!(::core::option::Option::Some(#size))
            }
            None => code!(::core::option::Option::None),
        };
        let entry = entry();
        match &self.attribute.each {
            Some(each) => {
                let item: Type = argument(ty, "Vec").unwrap_or_else(|| ty.clone());
                let read = self.read_value(&item, names);
                code!(reader.field(#shown, |reader| {
                    let mut items = ::std::vec::Vec::new();
                    for (index, #entry) in ::core::iter::Iterator::enumerate(#each.iter()) {
                        items.push(reader.item(index, |reader| {
                            layout.read(reader, ::std::format!("{}[{index}]", #shown), #at, #size, |reader| #read)
                        })?);
                    }
                    ::core::result::Result::Ok(items)
                })?)
            }
            None => {
                let read = self.read_value(ty, names);
                code!(reader.field(#shown, |reader| {
                    layout.read(reader, #shown, #at, #size, |reader| #read)
                })?)
            }
        }
    }

    /// An expression of type `Result<()>` that writes `value`, a reference.
    pub(crate) fn write_value(&self, ty: &Type, value: &TokenStream, names: &[Ident]) -> TokenStream {
        let context = self.context(names, Place::Borrowed);
        let item = code!(<#ty as ::record::Sequence>::Item);
        let items = code!(::record::Sequence::items(#value));
        let write = match &self.attribute.count {
            Some(Count::Prefix(number)) => code!(writer.counted::<#number, #item>(#items, #context)),
            Some(Count::Expr(count)) => {
                let count = Place::Borrowed.expr(count, names);
                code!({
                    ::record::same_count(#count, #items.len())?;
                    <#item as ::record::Record>::write_list(#items, writer, #context)
                })
            }
            None => code!(<#ty as ::record::Record>::write(#value, writer, #context)),
        };
        ordered(self.attribute.order, &write, "writer")
    }

    /// A statement that writes the field in line.
    pub(crate) fn write(&self, names: &[Ident]) -> Result<TokenStream> {
        let (shown, name, ty) = (&self.shown, &self.name, self.value_type()?);
        Ok(match &self.attribute.when {
            Some(when) => {
                let when = Place::Borrowed.expr(when, names);
                let write = self.write_value(&ty, &code!(value), names);
                code!(writer.field(#shown, |writer| match (#when, &*#name) {
                    (true, ::core::option::Option::Some(value)) => #write,
                    (false, ::core::option::Option::None) => ::core::result::Result::Ok(()),
                    (true, ::core::option::Option::None) => ::core::result::Result::Err(::record::missing()),
                    (false, ::core::option::Option::Some(_)) => ::core::result::Result::Err(::record::no_room()),
                })?;)
            }
            None => {
                let write = self.write_value(&ty, &code!(&*#name), names);
                code!(writer.field(#shown, |writer| #write)?;)
            }
        })
    }

    /// The place that holds the length of this list, when another field holds it.
    pub(crate) fn linked_count(&self) -> Option<&Expr> {
        match &self.attribute.count {
            Some(Count::Expr(expr)) if root(expr).is_some() => Some(expr),
            _ => None,
        }
    }
}

/// Where the fields are while an expression runs.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// Values in local variables, while reading.
    Local,
    /// References in local variables, while writing.
    Borrowed,
}

impl Place {
    /// The expression, with field names standing for the values.
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

/// An expression of the element of another list, which it calls `entry`.
pub(crate) fn of_entry_expr(expr: &Expr) -> TokenStream {
    Place::Borrowed.expr(expr, &[entry()])
}

/// What expressions call the element of another list.
pub(crate) fn entry() -> Ident {
    Ident::new("entry", Span::call_site())
}

/// What expressions call the context.
pub(crate) fn context() -> Ident {
    Ident::new("context", Span::call_site())
}

/// The first name of a place like `header.sizes.count`.
pub(crate) fn root(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        _ => None,
    }
}

/// `T` of `Wrapper<T>`.
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

/// Whether a type is a number or an array of numbers, as far as can be seen.
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

/// An expression of type `Result`, run with another byte order.
pub(crate) fn ordered(order: Option<Order>, expr: &TokenStream, on: &str) -> TokenStream {
    let on = Ident::new(on, Span::mixed_site());
    match order {
        Some(Order::Little) => code!(#on.ordered(::record::Order::Little, |#on| #expr)),
        Some(Order::Big) => code!(#on.ordered(::record::Order::Big, |#on| #expr)),
        None => code!(#expr),
    }
}
