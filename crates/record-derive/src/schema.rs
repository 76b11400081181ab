//! The method `schema`: a static description of the declaration.

use proc_macro2::{Span, TokenStream};
use syn::{BinOp, DataEnum, DataStruct, DeriveInput, Expr, Fields, Ident, Lit, Member, Result, Type, UnOp};

use crate::attribute::{Begin, Container, Count, Order, Stored};
use crate::doc;
use crate::entry::Item;
use crate::field::{Field, Scope, parse_fields};

/// Returns the method for a struct.
pub(crate) fn of_struct(input: &DeriveInput, container: &Container, fields: &[Field]) -> Result<TokenStream> {
    let scope = Scope::of(fields);
    let magic = option(container.magic.as_ref().map(|magic| code!(#magic as &'static [u8])));
    let (doc, context, order) = (type_doc(input), context(container), order(container.order));
    let (fields, is_one_span) = (fields_of(fields, &scope)?, container.show.is_some());
    Ok(method(&code!(__record::schema::Schema::Struct(const {
        &__record::schema::Struct {
            doc: #doc,
            context: #context,
            order: #order,
            magic: #magic,
            fields: #fields,
            is_one_span: #is_one_span,
        }
    }))))
}

/// Implements `Declared` for a struct whose `Record` is implemented by hand.
pub(crate) fn of_declared(input: &DeriveInput, data: &DataStruct) -> Result<TokenStream> {
    let container = Container::parse(&input.attrs, Item::Struct)?;
    let fields = parse_fields(&data.fields)?;
    let scope = Scope::of(&fields);
    let (context, about) = (context(&container), doc::full(&input.attrs));
    // The types of the fields after the first opaque one need not be records.
    let first_opaque = fields.iter().position(|field| field.attribute.by.is_some());
    let declared = first_opaque.map_or(fields.len(), |index| index.saturating_add(1));
    let fields = fields_of(fields.get(..declared).unwrap_or_default(), &scope)?;
    let (name, (impl_generics, type_generics, where_clause)) =
        (&input.ident, input.generics.split_for_impl());
    Ok(code! {
        #[automatically_derived]
        impl #impl_generics __record::schema::Declared for #name #type_generics #where_clause {
            const ABOUT: &'static str = #about;
            const CONTEXT: ::core::option::Option<__record::schema::Context> = #context;
            const FIELDS: &'static [__record::schema::Field] = #fields;
        }
    })
}

/// Returns the method for a type that is stored as a record of another type.
pub(crate) fn of_converted(input: &DeriveInput, container: &Container, stored_as: &Type) -> TokenStream {
    let (doc, is_one_span) = (type_doc(input), container.show.is_some());
    method(&code!(__record::schema::Schema::Converted(const {
        &__record::schema::Converted {
            doc: #doc,
            stored: <#stored_as as __record::Record>::schema,
            is_one_span: #is_one_span,
        }
    })))
}

/// Returns the method for an enum.
pub(crate) fn of_enum(
    input: &DeriveInput,
    container: &Container,
    data: &DataEnum,
    tag: Option<&Type>,
) -> Result<TokenStream> {
    let variants =
        data.variants.iter().map(|variant| of_variant(variant, tag)).collect::<Result<Vec<_>>>()?;
    let (doc, context, order_of) = (type_doc(input), context(container), order(container.order));
    let length = option(container.length.as_ref().map(|ty| {
        let order = order(container.length_order);
        code!((<#ty as __record::Record>::schema, #order))
    }));
    let schema_of = |ty: &Type| code!(<#ty as __record::Record>::schema);
    let (tag, ahead) = (option(tag.map(schema_of)), option(container.ahead.as_ref().map(schema_of)));
    let body = option(container.body.as_ref().map(|body| code!(#body)));
    let is_one_span = container.show.is_some();
    Ok(method(&code!(__record::schema::Schema::Choice(const {
        &__record::schema::Choice {
            doc: #doc,
            context: #context,
            order: #order_of,
            tag: #tag,
            length: #length,
            body: #body,
            ahead: #ahead,
            variants: &[#(#variants),*],
            is_one_span: #is_one_span,
        }
    }))))
}

fn of_variant(variant: &syn::Variant, tag: Option<&Type>) -> Result<TokenStream> {
    let attribute = Container::parse(&variant.attrs, Item::Variant)?;
    let fields = parse_fields(&variant.fields)?;
    let scope = Scope::of(&fields);
    let (name, about) = (variant.ident.to_string(), doc::full(&variant.attrs));
    let value = option(attribute.tag.as_ref().zip(tag).map(
        |(value, ty)| code!(|| __record::probe::stored(&<#ty as ::core::convert::From<_>>::from(#value))),
    ));
    let extra = ["length", "ahead"].map(|name| Ident::new(name, Span::call_site()));
    let when = option(attribute.when.as_ref().map(|when| expression(when, &extra)));
    let body = match (&variant.fields, fields.as_slice()) {
        _ if attribute.unknown.is_some() && tag.is_some() => code!(__record::schema::Body::Unknown),
        (Fields::Unnamed(unnamed), [field]) if unnamed.unnamed.iter().all(|field| field.attrs.is_empty()) => {
            let (ty, with) = (&field.ty, option(attribute.with.as_ref().map(|with| expression(with, &[]))));
            code!(__record::schema::Body::Record(<#ty as __record::Record>::schema, #with))
        }
        _ => {
            let fields = fields_of(&fields, &scope)?;
            code!(__record::schema::Body::Fields(#fields))
        }
    };
    Ok(code!(__record::schema::Variant { name: #name, about: #about, tag: #value, when: #when, body: #body }))
}

/// Returns the method with this value.
pub(crate) fn method(schema: &TokenStream) -> TokenStream {
    code! {
        fn schema() -> __record::schema::Schema {
            #schema
        }
    }
}

fn type_doc(input: &DeriveInput) -> TokenStream {
    let about = doc::full(&input.attrs);
    code!(__record::schema::TypeDoc { path: ::core::any::type_name::<Self>, about: #about })
}

/// The context of a container, as an `Option<Context>`.
fn context(container: &Container) -> TokenStream {
    option(container.context.as_ref().map(context_of))
}

/// A `Context` of this type.
fn context_of(ty: &Type) -> TokenStream {
    let shown = doc::shown(ty);
    code!(__record::schema::Context {
        ty: #shown,
        schema: || {
            use __record::probe::{ProbeNoSchema as _, ProbeSchema as _};
            (&__record::probe::ProbeType::<#ty>(::core::marker::PhantomData)).schema()
        },
    })
}

fn order(order: Option<Order>) -> TokenStream {
    option(order.map(|order| match order {
        Order::Little => code!(__record::Order::Little),
        Order::Big => code!(__record::Order::Big),
    }))
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => code!(::core::option::Option::Some(#value)),
        None => code!(::core::option::Option::None),
    }
}

/// A `&[Field]`.
fn fields_of(fields: &[Field], scope: &Scope) -> Result<TokenStream> {
    let fields = fields.iter().map(|field| of_field(field, scope)).collect::<Result<Vec<_>>>()?;
    Ok(code!(&[#(#fields),*]))
}

fn of_field(field: &Field, scope: &Scope) -> Result<TokenStream> {
    let (name, about) = (field.name.to_string(), &field.documentation);
    let ty = match &field.attribute.stored_as {
        Some(ty) => ty.clone(),
        None => field.value_type()?,
    };
    let attribute = &field.attribute;
    let names = [scope.fields.as_slice(), scope.stored.as_slice()].concat();
    let (encoding, shown) = (encoding(field, &ty, &names), doc::shown(&ty));
    let when = option(attribute.when.as_ref().map(|when| expression(when, &names)));
    let with = option(attribute.with.as_ref().map(|with| expression(with, &names)));
    let (order, begin) = (order(attribute.order), option(attribute.begin.as_ref().map(begin)));
    let (before, after) = (attribute.before.iter().map(stored), attribute.after.iter().map(stored));
    let (is_segment, is_one_span) = (!field.shown.is_empty(), attribute.show.is_some());
    let is_end = attribute.end;
    let name = name.trim_start_matches("r#");
    Ok(code!(__record::schema::Field {
        name: #name,
        about: #about,
        ty: #shown,
        encoding: #encoding,
        when: #when,
        with: #with,
        order: #order,
        begin: #begin,
        is_end: #is_end,
        before: &[#(#before),*],
        after: &[#(#after),*],
        is_segment: #is_segment,
        is_one_span: #is_one_span,
    }))
}

fn encoding(field: &Field, ty: &Type, names: &[Ident]) -> TokenStream {
    let attribute = &field.attribute;
    let item = code!(<<#ty as __record::Sequence>::Item as __record::Record>::schema);
    if let Some(by) = &attribute.by {
        let text = match by {
            Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => text.value(),
            by => written(by),
        };
        return code!(__record::schema::Encoding::ByHand(#text));
    }
    if let Some(bytes) = &attribute.present {
        return code!(__record::schema::Encoding::Present(#bytes));
    }
    if let Some(bytes) = &attribute.terminator {
        return code!(__record::schema::Encoding::Terminated(#bytes));
    }
    if let Some(until) = &attribute.until {
        let end = end(until);
        return code!(__record::schema::Encoding::Until(#item, #end));
    }
    if let Some(leave) = &attribute.leave {
        let leave = expression(leave, names);
        return code!(__record::schema::Encoding::Leaving(#item, #leave));
    }
    match &attribute.count {
        Some(Count::Prefix(number)) => {
            code!(__record::schema::Encoding::Prefixed(#item, <#number as __record::Record>::schema))
        }
        Some(Count::Expr(count)) => {
            let count = expression(count, names);
            code!(__record::schema::Encoding::Counted(#item, #count))
        }
        None => code!(__record::schema::Encoding::Record(<#ty as __record::Record>::schema)),
    }
}

fn end(until: &Expr) -> TokenStream {
    match until {
        Expr::Path(path) if path.path.is_ident("end") => code!(__record::schema::End::OfData),
        Expr::Binary(either) => {
            let bytes = &either.left;
            code!(__record::schema::End::BeforeOrOfData(#bytes))
        }
        Expr::Lit(bytes) => code!(__record::schema::End::Before(#bytes)),
        Expr::Path(path) if is_constant(path) => code!(__record::schema::End::Before(&#path)),
        call => {
            let text = written(call);
            code!(__record::schema::End::Function(#text))
        }
    }
}

/// Whether a path has the name of a constant or of a variant, as opposed to that of a function or a variable.
fn is_constant(path: &syn::ExprPath) -> bool {
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|name| name.starts_with(|letter: char| letter.is_uppercase()))
}

fn begin(begin: &Begin) -> TokenStream {
    let name = option(begin.name.as_ref().map(|name| code!(#name)));
    let tag = option(begin.tag.as_ref().map(|tag| code!(#tag as &'static [u8])));
    let length = option(begin.length.as_ref().map(|(name, ty)| {
        let name = name.to_string();
        code!((#name, <#ty as __record::Record>::schema))
    }));
    let order = order(begin.order);
    code!(__record::schema::Begin { name: #name, tag: #tag, length: #length, order: #order })
}

fn stored(stored: &Stored) -> TokenStream {
    let (name, ty) = (stored.name.to_string(), &stored.ty);
    code!(__record::schema::Stored { name: #name, schema: <#ty as __record::Record>::schema })
}

/// An `Expression`. `names` are those of fields and stored numbers.
fn expression(expr: &Expr, names: &[Ident]) -> TokenStream {
    let (text, tree) = (written(expr), tree(expr, names));
    code!(__record::schema::Expression { text: #text, tree: #tree })
}

/// An expression as it is written.
fn written(expr: &Expr) -> String {
    doc::compact(expr)
}

fn tree(expr: &Expr, names: &[Ident]) -> TokenStream {
    let code = || code!(__record::schema::Tree::Code);
    match expr {
        Expr::Paren(inner) => tree(&inner.expr, names),
        Expr::Group(inner) => tree(&inner.expr, names),
        Expr::Reference(inner) => tree(&inner.expr, names),
        Expr::Cast(inner) => tree(&inner.expr, names),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number
                .base10_parse::<i64>()
                .map_or_else(|_| code(), |value| code!(__record::schema::Tree::Number(#value))),
            Lit::Bool(value) => {
                let value = i64::from(value.value);
                code!(__record::schema::Tree::Number(#value))
            }
            _ => code(),
        },
        Expr::Unary(unary) => {
            let inner = tree(&unary.expr, names);
            match unary.op {
                UnOp::Not(_) => code!(__record::schema::Tree::Not(&#inner)),
                UnOp::Neg(_) => code!(__record::schema::Tree::Negative(&#inner)),
                UnOp::Deref(_) => inner,
                _ => code(),
            }
        }
        Expr::Binary(binary) => match operator(&binary.op) {
            Some(operator) => pair(&binary.left, operator, &binary.right, names),
            None => code(),
        },
        Expr::Path(_) | Expr::Field(_) => match place(expr, names) {
            Some(path) => code!(__record::schema::Tree::Path(&[#(#path),*])),
            None if is_rooted_in_constant(expr) => constant(expr),
            None => code(),
        },
        Expr::MethodCall(call) => {
            let operator = match (call.method.to_string().as_str(), call.args.len()) {
                ("saturating_add" | "wrapping_add", 1) => "Add",
                ("saturating_sub" | "wrapping_sub", 1) => "Subtract",
                ("saturating_mul" | "wrapping_mul", 1) => "Multiply",
                ("count_ones", 0) => {
                    let inner = tree(&call.receiver, names);
                    return code!(__record::schema::Tree::CountOnes(&#inner));
                }
                ("into", 0) => return tree(&call.receiver, names),
                _ => return code(),
            };
            match call.args.first() {
                Some(argument) => pair(&call.receiver, operator, argument, names),
                None => code(),
            }
        }
        Expr::Call(call) => match (&*call.func, call.args.first(), call.args.len()) {
            (Expr::Path(function), Some(argument), 1) if is_conversion(function) => tree(argument, names),
            _ => code(),
        },
        Expr::Struct(value) => {
            let fields = value.fields.iter().map(|field| {
                let name = member(&field.member);
                let value = tree(&field.expr, names);
                code!((#name, #value))
            });
            code!(__record::schema::Tree::Struct(&[#(#fields),*]))
        }
        _ => code(),
    }
}

fn pair(left: &Expr, operator: &str, right: &Expr, names: &[Ident]) -> TokenStream {
    let (left, right) = (tree(left, names), tree(right, names));
    let operator = Ident::new(operator, Span::call_site());
    code!(__record::schema::Tree::Binary(&#left, __record::schema::Operator::#operator, &#right))
}

fn operator(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Add(_) => "Add",
        BinOp::Sub(_) => "Subtract",
        BinOp::Mul(_) => "Multiply",
        BinOp::Div(_) => "Divide",
        BinOp::Rem(_) => "Remainder",
        BinOp::BitAnd(_) => "And",
        BinOp::BitOr(_) => "Or",
        BinOp::Shl(_) => "ShiftLeft",
        BinOp::Shr(_) => "ShiftRight",
        BinOp::Eq(_) => "Equal",
        BinOp::Ne(_) => "NotEqual",
        BinOp::Lt(_) => "Less",
        BinOp::Le(_) => "LessOrEqual",
        BinOp::Gt(_) => "Greater",
        BinOp::Ge(_) => "GreaterOrEqual",
        BinOp::And(_) => "Both",
        BinOp::Or(_) => "Either",
        _ => return None,
    })
}

/// Whether a call converts between types of numbers: `usize::from`.
fn is_conversion(function: &syn::ExprPath) -> bool {
    let segments: Vec<String> = function.path.segments.iter().map(|it| it.ident.to_string()).collect();
    let numbers = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize"];
    matches!(segments.as_slice(), [ty, name] if name == "from" && numbers.contains(&ty.as_str()))
}

/// The segments of a place such as `header.sizes.count`, if it starts with a field or the context.
fn place(expr: &Expr, names: &[Ident]) -> Option<Vec<String>> {
    match expr {
        Expr::Path(path) => {
            let name = path.path.get_ident()?;
            (names.contains(name) || name == "context").then(|| vec![name.to_string()])
        }
        Expr::Field(field) => {
            let mut path = place(&field.base, names)?;
            path.push(member(&field.member));
            Some(path)
        }
        Expr::Paren(inner) => place(&inner.expr, names),
        _ => None,
    }
}

/// Whether a place such as `Version::WIDE.0` starts with the name of a constant.
fn is_rooted_in_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => is_constant(path),
        Expr::Field(field) => is_rooted_in_constant(&field.base),
        _ => false,
    }
}

fn member(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn constant(expr: &Expr) -> TokenStream {
    let text = written(expr);
    code!(__record::schema::Tree::Constant(#text, || {
        use __record::probe::{ProbeNumber as _, ProbeOther as _, ProbeRecord as _};
        (&__record::probe::Probe(&#expr)).constant()
    }))
}
