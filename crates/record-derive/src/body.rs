//! Consecutive fields, with the sections that contain some of them and the numbers stored between them.

use proc_macro2::TokenStream;
use syn::{Expr, Ident, Result};

use crate::attribute::{Begin, Stored};
use crate::expression::{FieldAccess, ordered, root};
use crate::field::{Field, Scope, offset_variable};

/// The statements that read consecutive fields, and the variables that they define.
#[derive(Default)]
struct Row {
    statements: Vec<TokenStream>,
    names: Vec<Ident>,
}

/// Returns statements that read the fields into variables with the names of the fields.
pub(crate) fn read(fields: &[Field], scope: &Scope) -> Result<TokenStream> {
    let (mut outer, mut open): (Row, Option<(&Begin, Row)>) = (Row::default(), None);
    for (index, field) in fields.iter().enumerate() {
        if let Some(ty) = &field.attribute.stored_as {
            let message =
                "`stored_as` is only for records that are implemented by hand and derive `Declared`";
            return Err(syn::Error::new_spanned(ty, message));
        }
        if let Some(begin) = &field.attribute.begin {
            check_not_open(open.is_some(), field)?;
            open = Some((begin, Row::default()));
        }
        if field.attribute.end && open.is_none() {
            let message = "`end` without a section: neither this field nor one before it has `begin`";
            return Err(syn::Error::new_spanned(&field.name, message));
        }
        let row = open.as_mut().map_or(&mut outer, |(_, row)| row);
        field.attribute.before.iter().for_each(|stored| read_stored(stored, row));
        let (name, read) = (&field.name, field.read(scope)?);
        row.statements.push(code!(let #name = #read;));
        row.names.push(name.clone());
        field.attribute.after.iter().for_each(|stored| read_stored(stored, row));
        let is_last = index == fields.len().saturating_sub(1);
        if (field.attribute.end || is_last)
            && let Some((begin, row)) = open.take()
        {
            outer.statements.push(read_section(begin, &row));
            outer.names.extend(row.names);
        }
    }
    let statements = outer.statements;
    Ok(code!(#(#statements)*))
}

fn check_not_open(is_open: bool, field: &Field) -> Result<()> {
    if is_open {
        return Err(syn::Error::new_spanned(
            &field.name,
            "`begin` within a section: the section before it requires `end` on its last field",
        ));
    }
    Ok(())
}

fn read_stored(stored: &Stored, row: &mut Row) {
    let (name, ty, at) = (&stored.name, &stored.ty, offset_variable(&stored.name));
    let shown = name.to_string();
    row.statements.push(code! {
        let #at = reader.offset();
        let #name = reader.field(#shown, |reader| <#ty as __record::Record>::read(reader, ()))?;
    });
    row.names.extend([at, name.clone()]);
}

fn read_section(begin: &Begin, row: &Row) -> TokenStream {
    let (statements, names) = (&row.statements, &row.names);
    let body = code!(|reader: &mut __record::Reader<'_>| {
        #(#statements)*
        ::core::result::Result::<_, __record::Error>::Ok((#(#names,)*))
    });
    let tag = begin.tag.iter().map(|tag| code!(reader.magic(#tag)?;));
    let length = match &begin.length {
        Some((name, ty)) => {
            let shown = name.to_string();
            let read = ordered(begin.order, &code!(<#ty as __record::Record>::read(reader, ())), "reader");
            code!(reader.field(#shown, |reader| {
                let start = reader.offset();
                let length = #read?;
                reader.check_count(length, 1, start)
            }))
        }
        None => code!(::core::result::Result::<_, __record::Error>::Ok(reader.remaining())),
    };
    let head = code!({ #(#tag)* #length });
    let head = match &begin.name {
        Some(name) => code!(reader.field(#name, |reader| #head)),
        None => code!((|reader: &mut __record::Reader<'_>| #head)(reader)),
    };
    let read = match &begin.length {
        Some(_) => code!(reader.section(length as u64, #body)?),
        None => code!((#body)(reader)?),
    };
    code!(let (#(#names,)*) = {
        let length: usize = #head?;
        #read
    };)
}

/// Returns statements that write the fields. Variables with the names of the fields hold references to them.
pub(crate) fn write(fields: &[Field], scope: &Scope) -> Result<TokenStream> {
    let mut out = Vec::new();
    let mut open: Option<&Begin> = None;
    for (index, field) in fields.iter().enumerate() {
        if let Some(begin) = &field.attribute.begin {
            out.push(write_head(begin));
            open = Some(begin);
        }
        out.extend(field.attribute.before.iter().map(write_stored));
        out.push(field.write(scope)?);
        out.extend(field.attribute.after.iter().map(write_stored));
        let is_last = index == fields.len().saturating_sub(1);
        if (field.attribute.end || is_last)
            && let Some(begin) = open.take()
        {
            out.push(write_length(begin));
        }
    }
    Ok(code!(#(#out)*))
}

fn write_stored(stored: &Stored) -> TokenStream {
    let (name, shown) = (&stored.name, stored.name.to_string());
    code!(writer.field(#shown, |writer| __record::Record::write(&#name, writer, ()))?;)
}

fn write_head(begin: &Begin) -> TokenStream {
    let tag = begin.tag.iter().map(|tag| code!(writer.put(#tag);));
    let length = begin.length.iter().map(|(_, ty)| {
        code! {
            let section_length = writer.reserve(<#ty as __record::Record>::MIN_SIZE);
            let section_start = writer.offset();
        }
    });
    code!(#(#tag)* #(#length)*)
}

fn write_length(begin: &Begin) -> TokenStream {
    let Some((name, ty)) = &begin.length else { return TokenStream::new() };
    let shown = name.to_string();
    let patch = ordered(begin.order, &code!(writer.patch(section_length, &length, ())), "writer");
    code!(writer.field(#shown, |writer| {
        let length: #ty = writer.count((writer.offset() - section_start) as usize)?;
        #patch
    })?;)
}

/// Returns statements that compute the numbers that are stored in the file but not in the struct.
pub(crate) fn stored(fields: &[Field], scope: &Scope) -> TokenStream {
    let lines = fields.iter().flat_map(Field::stored).map(|stored| {
        let (name, ty, shown) = (&stored.name, &stored.ty, stored.name.to_string());
        let value = FieldAccess::Borrowed.expr(&stored.value, &scope.fields);
        code!(let #name: #ty = writer.field(#shown, |writer| __record::Stored::stored(#value, writer))?;)
    });
    code!(#(#lines)*)
}

/// Returns statements that set the counts in other fields, on mutable copies of these fields.
pub(crate) fn linked_counts(fields: &[Field], scope: &Scope) -> TokenStream {
    let (mut set, mut changed, mut seen) = (Vec::new(), Vec::<&Ident>::new(), Vec::new());
    for field in fields {
        let Some(count) = field.linked_count() else { continue };
        let written = code!(#count).to_string();
        let Some(first) = root(count).filter(|first| scope.fields.contains(first)) else { continue };
        if seen.contains(&written) {
            continue;
        }
        seen.push(written);
        set.push(set_count(field, count, scope));
        if !changed.contains(&first) {
            changed.push(first);
        }
    }
    code! {
        #(let #changed = &mut ::core::clone::Clone::clone(#changed);)*
        #(#set)*
    }
}

fn set_count(field: &Field, count: &Expr, scope: &Scope) -> TokenStream {
    let (name, shown) = (&field.name, &field.shown);
    let target = FieldAccess::Borrowed.expr(count, &scope.fields);
    let assign = code! {
        #target = writer.field(#shown, |writer| writer.count(__record::Sequence::items(list).len()))?;
    };
    if field.attribute.when.is_some() {
        code!(if let ::core::option::Option::Some(list) = &*#name { #assign })
    } else {
        code!({ let list = &*#name; #assign })
    }
}

/// Returns the code of a value with these fields, which is a pattern and also an expression.
pub(crate) fn value_of(path: &TokenStream, fields: &syn::Fields, scope: &Scope) -> TokenStream {
    let names = &scope.fields;
    match fields {
        syn::Fields::Named(_) => code!(#path { #(#names),* }),
        syn::Fields::Unnamed(_) => code!(#path(#(#names),*)),
        syn::Fields::Unit => path.clone(),
    }
}
