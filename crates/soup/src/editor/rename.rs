//! Renames labels, variables and flags.

use std::fmt;

use super::name::{NameKind, name_at, names};
use super::{EditContext, Occurrence, Position};
use crate::lexicon::{is_plain, literal};

/// The reason why a name cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameError(String);

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn refused<T>(why: impl Into<String>) -> Result<T, RenameError> {
    Err(RenameError(why.into()))
}

/// Returns the name at a position that can be renamed, and checks the new name if there is one. Labels and variables belong to the source
/// text; a flag must be renamed in all source texts and in the file that declares it.
///
/// # Errors
/// Returns the reason why it cannot be renamed.
pub fn rename(
    text: &str,
    context: &EditContext<'_>,
    at: Position,
    new_name: Option<&str>,
) -> Result<Occurrence, RenameError> {
    let lexicon = context.source.lexicon;
    let Some(it) = name_at(text, lexicon, at) else {
        return refused("no name at this position can be changed");
    };
    match it.kind {
        NameKind::Label | NameKind::Local => {}
        NameKind::Flag if literal(&it.name, "flag_").is_some() => {
            return refused(format!("{} has no name; flags are named in SOUP386.DEF", it.name));
        }
        NameKind::Flag => {}
        NameKind::Keyword => return refused(format!("{} is a keyword", it.name)),
        NameKind::Function | NameKind::Property | NameKind::Attribute | NameKind::AnimationGroup => {
            return refused(format!("{} is a name of the game, which looks it up in SOUP386.DEF", it.name));
        }
        NameKind::Text => {
            return refused("a text of the actor, which may name an object; edit it in the texts of the map");
        }
        NameKind::Line => return refused("dialogue labels are defined in ENGLISH.RTX"),
        NameKind::Item => return refused(format!("{} is defined in ITEM.INI", it.name)),
        NameKind::Map => return refused(format!("{} is defined in WORLD.INI", it.name)),
    }
    let Some(new_name) = new_name else { return Ok(it) };
    let is_used = |kind: NameKind, name: &str| {
        names(text, lexicon).iter().any(|other| other.kind == kind && other.name == name)
    };
    match it.kind {
        NameKind::Local => {
            let number = literal(new_name, "var").filter(|number| *number <= 255);
            let Some(number) = number else { return refused("expected a variable from var0 to var255") };
            let wanted = format!("var{number}");
            if wanted != it.name && is_used(NameKind::Local, &wanted) {
                return refused(format!("{wanted} is already used in this script"));
            }
            if context.locals > 0 && usize::try_from(number).is_ok_and(|number| number >= context.locals) {
                return refused(format!("there is no {wanted}; the actor has {} variables", context.locals));
            }
        }
        NameKind::Label => {
            if !is_plain(new_name) {
                return refused(format!(
                    "\"{new_name}\" cannot be a label; a label is a word without another meaning"
                ));
            }
            if new_name != it.name && is_used(NameKind::Label, new_name) {
                return refused(format!("the label {new_name} is already used in this script"));
            }
        }
        _ => {
            if !is_plain(new_name) {
                return refused(format!("\"{new_name}\" cannot be the name of a flag"));
            }
            let other = lexicon.flags.number(new_name);
            if other.is_some() && other != lexicon.flags.number(&it.name) {
                return refused(format!("a flag {new_name} already exists"));
            }
        }
    }
    Ok(it)
}
