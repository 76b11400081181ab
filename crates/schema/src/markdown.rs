//! The writer of reference pages.

use std::fmt::Write as _;

use record::Order;
use record::schema::Number;

use crate::About;
use crate::ksy::expr;
use crate::model::{Enum, Field, Kind, Model, Repeat, Type};

/// Writes a reference page.
pub(crate) fn write(about: &About<'_>, model: &Model) -> String {
    let mut out = format!("# {}\n\n`{}`", about.name, about.id);
    if !about.extensions.is_empty() {
        let extensions: Vec<String> = about.extensions.iter().map(|it| format!("`.{it}`")).collect();
        // Writing into a string does not fail.
        let _ = write!(out, ", {}", extensions.join(" "));
    }
    out.push_str(".\n\nNumbers are little-endian unless noted. Text in parentheses is the condition under which a field is present.\n");
    model.types.iter().for_each(|ty| write_type(&mut out, model, ty));
    model.enums.iter().for_each(|names| write_names(&mut out, names));
    if !model.opaque.is_empty() {
        out.push_str(
            "\n## Opaque parts\n\nThe declaration of the format cannot say the structure of these parts:\n\n",
        );
        for part in &model.opaque {
            let _ = writeln!(out, "- `{}.{}`: {}", part.owner, part.name, part.reason.trim_end_matches('.'));
        }
    }
    out
}

fn write_type(out: &mut String, model: &Model, ty: &Type) {
    let _ = writeln!(out, "\n## {}\n", ty.id);
    if !ty.about.is_empty() {
        let _ = writeln!(out, "{}\n", ty.about);
    }
    let params: Vec<String> = ty.params.iter().map(|param| format!("`{}`", param.id)).collect();
    if !params.is_empty() {
        let _ = writeln!(out, "Depends on {}.\n", params.join(", "));
    }
    if let Some(size) = ty.size {
        let _ = writeln!(out, "{size} bytes.\n");
    }
    if ty.fields.is_empty() {
        return;
    }
    out.push_str("| field | type | meaning |\n| --- | --- | --- |\n");
    for field in &ty.fields {
        let reason = field.opaque.as_ref().map(|reason| format!("Opaque: {reason}"));
        let meaning: Vec<String> =
            [field.about.clone()].into_iter().filter(|about| !about.is_empty()).chain(reason).collect();
        let meaning = meaning.join(" ").replace('\n', " ");
        let condition = condition(field);
        let _ = writeln!(
            out,
            "| `{}`{} | {} | {} |",
            field.id,
            cell(&condition),
            cell(&type_of(model, field)),
            cell(&meaning)
        );
    }
}

fn write_names(out: &mut String, names: &Enum) {
    let _ = writeln!(out, "\n## {}\n", names.id);
    if !names.about.is_empty() {
        let _ = writeln!(out, "{}\n", names.about);
    }
    out.push_str("| value | name | meaning |\n| --- | --- | --- |\n");
    for (value, id, about) in &names.values {
        let _ = writeln!(out, "| {value} | `{id}` | {} |", cell(&about.replace('\n', " ")));
    }
}

/// A bar would end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn condition(field: &Field) -> String {
    let ahead = field.ahead.as_ref().map(|bytes| format!("if {} follows", shown(bytes)));
    let when = field.when.as_ref().map(|when| format!("if `{}`", expr(when)));
    let all: Vec<String> = when.into_iter().chain(ahead).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(" and ")) }
}

fn type_of(model: &Model, field: &Field) -> String {
    let of_type = |index: usize| format!("[{0}](#{0})", model.name(index));
    let item = match &field.kind {
        Kind::Number(number, order, names) => {
            let names = names.and_then(|names| model.enums.get(names));
            let names = names.map(|names| format!(" [{0}](#{0})", names.id)).unwrap_or_default();
            format!("{}{names}", number_type(*number, *order))
        }
        Kind::Magic(bytes) => shown(bytes),
        Kind::Bytes(size) => match expr(size).as_str() {
            "1" => "1 byte".to_owned(),
            size if size.bytes().all(|byte| byte.is_ascii_digit()) => format!("{size} bytes"),
            size => format!("`{size}` bytes"),
        },
        Kind::Terminated(byte) => format!("bytes up to {byte:#04x}"),
        Kind::Rest => "all remaining bytes".to_owned(),
        Kind::Type(index, _) => of_type(*index),
        Kind::Section(index, _, size) => format!("{} in `{}` bytes", of_type(*index), expr(size)),
    };
    match &field.repeat {
        Repeat::Once => item,
        Repeat::Count(count) => format!("`{}` × {item}", expr(count)),
        Repeat::ToEnd => format!("{item}, up to the end"),
        Repeat::Until => {
            let until = match field.kind {
                Kind::Type(index, _) => model.types.get(index).and_then(|ty| ty.until.as_ref()),
                _ => None,
            };
            let bytes = until.map(|until| shown(&until.bytes)).unwrap_or_default();
            format!("{item}, up to {bytes}")
        }
    }
}

/// Bytes as text if they are letters, otherwise in hexadecimal.
fn shown(bytes: &[u8]) -> String {
    if bytes.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ') {
        return format!("`{}`", String::from_utf8_lossy(bytes));
    }
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("`{}`", bytes.join(" "))
}

fn number_type(number: Number, order: Order) -> String {
    let (letter, size) = match number {
        Number::Unsigned(size) => ('u', size),
        Number::Signed(size) => ('i', size),
        Number::Float(size) => ('f', size),
    };
    let order = if order == Order::Big && size > 1 { ", big-endian" } else { "" };
    format!("{letter}{}{order}", size.saturating_mul(8))
}
