//! Code that reads and writes one field.

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;
use syn::{Expr, Fields, Ident, Result, Type};

use crate::attribute::{self, Count, Stored};
use crate::doc;
use crate::expression::{FieldAccess, argument, mentions, ordered, root};

/// A field of a struct or of a variant with named fields.
pub(crate) struct Field {
    pub(crate) name: Ident,
    /// Name in paths. Empty if the field is not a path segment, like the only field of a tuple.
    pub(crate) shown: String,
    pub(crate) ty: Type,
    pub(crate) attribute: attribute::Field,
    /// First paragraph of the doc comment.
    about: String,
    /// The doc comment.
    pub(crate) documentation: String,
}

/// The names that expressions can use in addition to the context.
pub(crate) struct Scope {
    pub(crate) fields: Vec<Ident>,
    /// Numbers that are stored in the file but not in the struct.
    pub(crate) stored: Vec<Ident>,
}

impl Scope {
    pub(crate) fn of(fields: &[Field]) -> Self {
        let stored = fields.iter().flat_map(Field::stored).map(|stored| stored.name.clone()).collect();
        Self { fields: fields.iter().map(|field| field.name.clone()).collect(), stored }
    }

    /// Whether an expression depends only on the context.
    pub(crate) fn is_context_only(&self, expr: &Expr) -> bool {
        !mentions(expr, &self.fields) && !mentions(expr, &self.stored)
    }
}

/// Parses the fields. The fields of a tuple get the names `field_0`, `field_1` and so on.
pub(crate) fn parse_fields(fields: &Fields) -> Result<Vec<Field>> {
    let is_newtype = matches!(fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1);
    let parse = |(index, field): (usize, &syn::Field)| {
        let name = field.ident.clone().unwrap_or_else(|| quote::format_ident!("field_{index}"));
        let attribute = attribute::Field::parse(&field.attrs)?;
        let is_segment = !is_newtype && !attribute.inline;
        let shown =
            if is_segment { name.to_string().trim_start_matches("r#").to_string() } else { String::new() };
        let (about, documentation) = (doc::first_paragraph(&field.attrs), doc::full(&field.attrs));
        Ok(Field { name, shown, ty: field.ty.clone(), attribute, about, documentation })
    };
    fields.iter().enumerate().map(parse).collect()
}

impl Field {
    /// The numbers before and after the field that are stored in the file but not in the struct.
    pub(crate) fn stored(&self) -> impl Iterator<Item = &Stored> {
        self.attribute.before.iter().chain(&self.attribute.after)
    }

    /// Returns an expression for the context of the field.
    fn context(&self, scope: &Scope, access: FieldAccess) -> TokenStream {
        match &self.attribute.with {
            Some(with) => {
                let with = access.expr(with, &scope.fields);
                code!((#with))
            }
            None => no_context(&self.ty),
        }
    }

    /// The type of the value, without `Option` if the field is optional.
    pub(crate) fn value_type(&self) -> Result<Type> {
        if self.attribute.when.is_none() {
            return Ok(self.ty.clone());
        }
        argument(&self.ty, "Option").ok_or_else(|| {
            let (ty, found) = (&self.ty, doc::shown(&self.ty));
            let message = format!("a field with `when` must have type `Option<...>`, found `{found}`");
            syn::Error::new_spanned(ty, message)
        })
    }

    /// Returns an expression of type `Result<value>` that reads a value of type `ty` from `reader`.
    fn read_value(&self, ty: &Type, scope: &Scope) -> TokenStream {
        let attribute = &self.attribute;
        let context = self.context(scope, FieldAccess::Local);
        let item = code!(<#ty as __record::Sequence>::Item);
        let list = self.shown(code!(
            <#item as __record::Record>::read_list(reader, count, list_context)
                .map(|items| <#ty as __record::Sequence>::from_items(items))
        ));
        let limit = attribute.limit.as_ref().map(|limit| code!(reader.check_limit(count, #limit, start)?;));
        let item_size = code!(::core::cmp::max(<#item as __record::Record>::min_size(list_context), 1));
        let read = if let Some(by) = &attribute.by {
            let by = call(by, "read", FieldAccess::Local, scope, &code!(reader));
            self.shown(by)
        } else if let Some(bytes) = &attribute.present {
            code!(::core::result::Result::<_, __record::Error>::Ok(reader.present(#bytes)))
        } else if let Some(terminator) = &attribute.terminator {
            self.shown(code!(
                reader.terminated(#terminator).map(|bytes| <#ty as __record::Sequence>::from_items(bytes.to_vec()))
            ))
        } else if let Some(until) = &attribute.until {
            let (stop, at) = (stop(until, scope), until.span());
            let until = quote::quote_spanned!(at=> &#stop);
            let most = attribute.limit.as_ref().map_or_else(|| code!(usize::MAX), |limit| code!(#limit));
            code!({
                let list_context = #context;
                reader.items_until(#until, #most, |reader| <#item as __record::Record>::read(reader, list_context))
                    .map(|items| <#ty as __record::Sequence>::from_items(items))
            })
        } else if let Some(leave) = &attribute.leave {
            let leave = FieldAccess::Local.expr(leave, &scope.fields);
            code!({
                let list_context = #context;
                let start = reader.offset();
                let count = reader.count_before(#leave, #item_size)?;
                #limit
                #list
            })
        } else {
            match &attribute.count {
                Some(Count::Prefix(number)) => code!({
                    let list_context = #context;
                    let start = reader.offset();
                    let count = reader.read_count::<#number>()?;
                    let count = reader.check_count(count, #item_size, start)?;
                    #limit
                    #list
                }),
                Some(Count::Expr(count)) => {
                    let start = match root(count) {
                        Some(name) if scope.stored.contains(name) => {
                            let at = offset_variable(name);
                            code!(#at)
                        }
                        _ => code!(reader.offset()),
                    };
                    let count = FieldAccess::Local.expr(count, &scope.fields);
                    code!({
                        let list_context = #context;
                        let start = #start;
                        let count = reader.check_count(#count, #item_size, start)?;
                        #limit
                        #list
                    })
                }
                None => self.shown(code!(<#ty as __record::Record>::read(reader, #context))),
            }
        };
        let read = ordered(attribute.order, &read, "reader");
        match &attribute.check {
            Some(check) => code!({
                let checked_at = reader.offset();
                let value = #read?;
                (#check)(&value).map_err(|error: __record::Error| error.at(checked_at))?;
                ::core::result::Result::<_, __record::Error>::Ok(value)
            }),
            None => read,
        }
    }

    /// Wraps a read expression so that its value is one span, if the field has `show`.
    fn shown(&self, read: TokenStream) -> TokenStream {
        match &self.attribute.show {
            Some(show) => shown(show, &read),
            None => read,
        }
    }

    /// Returns an expression that reads the field and propagates errors with `?`.
    pub(crate) fn read(&self, scope: &Scope) -> Result<TokenStream> {
        let (shown, ty) = (&self.shown, self.value_type()?);
        let read = self.read_value(&ty, scope);
        let read = if shown.is_empty() {
            code!((#read)?)
        } else {
            let doc = doc::of(&ty, &self.about);
            code!(reader.documented(#shown, #doc, |reader| #read)?)
        };
        Ok(match &self.attribute.when {
            Some(when) => {
                let when = FieldAccess::Local.expr(when, &scope.fields);
                code!(if #when { ::core::option::Option::Some(#read) } else { ::core::option::Option::None })
            }
            None => read,
        })
    }

    /// Returns an expression of type `Result<()>` that writes `value`, a reference.
    fn write_value(&self, ty: &Type, value: &TokenStream, scope: &Scope) -> TokenStream {
        let attribute = &self.attribute;
        let context = self.context(scope, FieldAccess::Borrowed);
        let item = code!(<#ty as __record::Sequence>::Item);
        let items = code!(__record::Sequence::items(#value));
        let write = if let Some(by) = &attribute.by {
            call(by, "write", FieldAccess::Borrowed, scope, &code!(#value, writer))
        } else if let Some(bytes) = &attribute.present {
            code!({ if *#value { writer.put(#bytes); } ::core::result::Result::<_, __record::Error>::Ok(()) })
        } else if let Some(terminator) = &attribute.terminator {
            code!(writer.terminated(#items, #terminator))
        } else if attribute.until.is_some() || attribute.leave.is_some() {
            code!(<#item as __record::Record>::write_list(#items, writer, #context))
        } else {
            match &attribute.count {
                Some(Count::Prefix(number)) => code!(writer.counted::<#number, #item>(#items, #context)),
                Some(Count::Expr(count)) => {
                    let count = FieldAccess::Borrowed.expr(count, &scope.fields);
                    code!({
                        __record::check_same_count(#count, #items.len())?;
                        <#item as __record::Record>::write_list(#items, writer, #context)
                    })
                }
                None => code!(<#ty as __record::Record>::write(#value, writer, #context)),
            }
        };
        let write = ordered(attribute.order, &write, "writer");
        match &attribute.check {
            Some(check) => code!({
                (#check)(#value).map_err(__record::Error::into_usage)?;
                #write
            }),
            None => write,
        }
    }

    /// Returns a statement that writes the field.
    pub(crate) fn write(&self, scope: &Scope) -> Result<TokenStream> {
        let (shown, name, ty) = (&self.shown, &self.name, self.value_type()?);
        let write = match &self.attribute.when {
            Some(when) => {
                let when = FieldAccess::Borrowed.expr(when, &scope.fields);
                let write = self.write_value(&ty, &code!(value), scope);
                code!(match ({ let when: bool = #when; when }, &*#name) {
                    (true, ::core::option::Option::Some(value)) => #write,
                    (false, ::core::option::Option::None) => ::core::result::Result::<_, __record::Error>::Ok(()),
                    (true, ::core::option::Option::None) => ::core::result::Result::<_, __record::Error>::Err(__record::missing()),
                    (false, ::core::option::Option::Some(_)) => ::core::result::Result::<_, __record::Error>::Err(__record::unsupported_in_version()),
                })
            }
            None => self.write_value(&ty, &code!(&*#name), scope),
        };
        Ok(if shown.is_empty() { code!((#write)?;) } else { code!(writer.field(#shown, |writer| #write)?;) })
    }

    /// The place expression of the list's length, if it is stored in another field.
    pub(crate) fn linked_count(&self) -> Option<&Expr> {
        match &self.attribute.count {
            Some(Count::Expr(expr)) if root(expr).is_some() => Some(expr),
            _ => None,
        }
    }
}

/// The context `()`, located at the type that may require another one.
pub(crate) fn no_context(ty: &Type) -> TokenStream {
    quote::quote_spanned!(ty.span()=> ())
}

/// An expression of type `Result` whose value is one span.
pub(crate) fn shown(show: &attribute::Show, read: &TokenStream) -> TokenStream {
    let show = show.of(&code!(&value));
    code!({
        let shown_at = reader.offset();
        let value = reader.untraced(|reader| #read)?;
        if reader.is_tracing() && reader.offset() > shown_at {
            reader.leaf(shown_at, &#show);
        }
        ::core::result::Result::<_, __record::Error>::Ok(value)
    })
}

/// Returns a call such as `module::read(reader, arguments)` for `module` or `module(arguments)`.
fn call(by: &Expr, function: &str, access: FieldAccess, scope: &Scope, first: &TokenStream) -> TokenStream {
    let function = Ident::new(function, Span::call_site());
    match by {
        Expr::Call(call) => {
            let module = &call.func;
            let arguments = call.args.iter().map(|argument| access.expr(argument, &scope.fields));
            code!(#module::#function(#first #(, #arguments)*))
        }
        module => code!(#module::#function(#first)),
    }
}

/// Returns the end condition of a list: `end`, the bytes after the list, or a function.
fn stop(until: &Expr, scope: &Scope) -> TokenStream {
    match until {
        Expr::Call(call) => {
            let function = &call.func;
            let arguments = call.args.iter().map(|argument| FieldAccess::Local.expr(argument, &scope.fields));
            code!(|reader: &__record::Reader<'_>| #function(reader #(, #arguments)*))
        }
        Expr::Path(path) if path.path.is_ident("end") => code!(__record::AtEnd),
        Expr::Binary(either) if is_end(&either.right) => {
            let bytes = &either.left;
            code!(__record::AtEndOr(#bytes))
        }
        other => code!(#other),
    }
}

/// Whether an end condition is `end`.
fn is_end(until: &Expr) -> bool {
    matches!(until, Expr::Path(path) if path.path.is_ident("end"))
}

/// The variable that holds the offset of a stored number.
pub(crate) fn offset_variable(stored: &Ident) -> Ident {
    Ident::new(&format!("{stored}_offset"), Span::mixed_site())
}
