//! How one field is read and written.

use proc_macro2::{Span, TokenStream};
use syn::{Expr, Fields, Ident, Result, Type};

use crate::attribute::{self, Count, Stored};
use crate::doc;
use crate::expression::{Place, argument, mentions, ordered, root};

/// A field of a struct or of a variant with named fields.
pub(crate) struct Field {
    pub(crate) name: Ident,
    /// What paths call it; empty for the one field of a tuple, which is no step.
    pub(crate) shown: String,
    pub(crate) ty: Type,
    pub(crate) attribute: attribute::Field,
    /// The first paragraph of its comment.
    about: String,
}

/// What expressions can name besides the context.
pub(crate) struct Scope {
    pub(crate) fields: Vec<Ident>,
    /// Numbers that stand in the file but not in the struct.
    pub(crate) stored: Vec<Ident>,
}

impl Scope {
    pub(crate) fn of(fields: &[Field]) -> Self {
        let stored = fields.iter().flat_map(Field::stored).map(|stored| stored.name.clone()).collect();
        Self { fields: fields.iter().map(|field| field.name.clone()).collect(), stored }
    }

    /// Whether an expression depends on nothing but the context.
    pub(crate) fn is_foreign_to(&self, expr: &Expr) -> bool {
        !mentions(expr, &self.fields) && !mentions(expr, &self.stored)
    }
}

/// The fields with their names; those of a tuple are called `field_0` and so on.
pub(crate) fn parse_fields(fields: &Fields) -> Result<Vec<Field>> {
    let is_newtype = matches!(fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1);
    let parse = |(index, field): (usize, &syn::Field)| {
        let name = field.ident.clone().unwrap_or_else(|| quote::format_ident!("field_{index}"));
        let attribute = attribute::Field::parse(&field.attrs)?;
        let is_step = !is_newtype && !attribute.inline;
        let shown =
            if is_step { name.to_string().trim_start_matches("r#").to_string() } else { String::new() };
        Ok(Field { name, shown, ty: field.ty.clone(), attribute, about: doc::first_paragraph(&field.attrs) })
    };
    fields.iter().enumerate().map(parse).collect()
}

impl Field {
    /// The numbers around it that stand in the file but not in the struct.
    pub(crate) fn stored(&self) -> impl Iterator<Item = &Stored> {
        self.attribute.before.iter().chain(&self.attribute.after)
    }

    /// The context given to the field.
    fn context(&self, scope: &Scope, place: Place) -> TokenStream {
        match &self.attribute.with {
            Some(with) => {
                let with = place.expr(with, &scope.fields);
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
            syn::Error::new_spanned(&self.ty, "a field with `when` must have type `Option<...>`")
        })
    }

    /// An expression of type `Result<value>` that reads the value of type `ty` from `reader`.
    fn read_value(&self, ty: &Type, scope: &Scope) -> TokenStream {
        let attribute = &self.attribute;
        let context = self.context(scope, Place::Local);
        let item = code!(<#ty as __record::Sequence>::Item);
        let list = self.shown(code!(
            <#item as __record::Record>::read_list(reader, count, list_context)
                .map(<#ty as __record::Sequence>::from_items)
        ));
        let limit = attribute.limit.as_ref().map(|limit| code!(reader.check_limit(count, #limit, start)?;));
        let each = code!(::core::cmp::max(<#item as __record::Record>::min_size(list_context), 1));
        let read = if let Some(by) = &attribute.by {
            let by = call(by, "read", Place::Local, scope, &code!(reader));
            self.shown(by)
        } else if let Some(bytes) = &attribute.present {
            code!(::core::result::Result::<_, __record::Error>::Ok(reader.present(#bytes)))
        } else if let Some(terminator) = &attribute.terminator {
            self.shown(code!(
                reader.terminated(#terminator).map(|bytes| <#ty as __record::Sequence>::from_items(bytes.to_vec()))
            ))
        } else if let Some(until) = &attribute.until {
            let until = stop(until, scope);
            let most = attribute.limit.as_ref().map_or_else(|| code!(usize::MAX), |limit| code!(#limit));
            code!({
                let list_context = #context;
                reader.items_until(&#until, #most, |reader| <#item as __record::Record>::read(reader, list_context))
                    .map(<#ty as __record::Sequence>::from_items)
            })
        } else if let Some(leave) = &attribute.leave {
            let leave = Place::Local.expr(leave, &scope.fields);
            code!({
                let list_context = #context;
                let start = reader.offset();
                let count = reader.count_in_front_of(#leave, #each)?;
                #limit
                #list
            })
        } else {
            match &attribute.count {
                Some(Count::Prefix(number)) => code!({
                    let list_context = #context;
                    let start = reader.offset();
                    let count = reader.read_count::<#number>()?;
                    let count = reader.check_count(count, #each, start)?;
                    #limit
                    #list
                }),
                Some(Count::Expr(count)) => {
                    let start = match root(count) {
                        Some(name) if scope.stored.contains(name) => {
                            let at = place_of(name);
                            code!(#at)
                        }
                        _ => code!(reader.offset()),
                    };
                    let count = Place::Local.expr(count, &scope.fields);
                    code!({
                        let list_context = #context;
                        let start = #start;
                        let count = reader.check_count(#count, #each, start)?;
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

    /// The same expression, but what it reads is one span.
    fn shown(&self, read: TokenStream) -> TokenStream {
        match &self.attribute.show {
            Some(show) => shown(show, &read),
            None => read,
        }
    }

    /// An expression that reads the field, with `?` for errors.
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
                let when = Place::Local.expr(when, &scope.fields);
                code!(if #when { ::core::option::Option::Some(#read) } else { ::core::option::Option::None })
            }
            None => read,
        })
    }

    /// An expression of type `Result<()>` that writes `value`, a reference.
    fn write_value(&self, ty: &Type, value: &TokenStream, scope: &Scope) -> TokenStream {
        let attribute = &self.attribute;
        let context = self.context(scope, Place::Borrowed);
        let item = code!(<#ty as __record::Sequence>::Item);
        let items = code!(__record::Sequence::items(#value));
        let write = if let Some(by) = &attribute.by {
            call(by, "write", Place::Borrowed, scope, &code!(#value, writer))
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
                    let count = Place::Borrowed.expr(count, &scope.fields);
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

    /// A statement that writes the field.
    pub(crate) fn write(&self, scope: &Scope) -> Result<TokenStream> {
        let (shown, name, ty) = (&self.shown, &self.name, self.value_type()?);
        let write = match &self.attribute.when {
            Some(when) => {
                let when = Place::Borrowed.expr(when, &scope.fields);
                let write = self.write_value(&ty, &code!(value), scope);
                code!(match (#when, &*#name) {
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

    /// The place that holds the length of this list, when another field holds it.
    pub(crate) fn linked_count(&self) -> Option<&Expr> {
        match &self.attribute.count {
            Some(Count::Expr(expr)) if root(expr).is_some() => Some(expr),
            _ => None,
        }
    }
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

/// `module::read(reader, arguments)`, from `module` or `module(arguments)`.
fn call(by: &Expr, function: &str, place: Place, scope: &Scope, first: &TokenStream) -> TokenStream {
    let function = Ident::new(function, Span::call_site());
    match by {
        Expr::Call(call) => {
            let module = &call.func;
            let arguments = call.args.iter().map(|argument| place.expr(argument, &scope.fields));
            code!(#module::#function(#first #(, #arguments)*))
        }
        module => code!(#module::#function(#first)),
    }
}

/// What tells that a list ends: `end`, bytes that come next, or a function that looks.
fn stop(until: &Expr, scope: &Scope) -> TokenStream {
    match until {
        Expr::Call(call) => {
            let function = &call.func;
            let arguments = call.args.iter().map(|argument| Place::Local.expr(argument, &scope.fields));
            code!(|reader: &__record::Reader<'_>| #function(reader #(, #arguments)*))
        }
        Expr::Path(path) if path.path.is_ident("end") => code!(__record::AtEnd),
        other => code!(#other),
    }
}

/// The variable that holds where a stored number stands.
pub(crate) fn place_of(stored: &Ident) -> Ident {
    Ident::new(&format!("{stored}_stands_at"), Span::mixed_site())
}
