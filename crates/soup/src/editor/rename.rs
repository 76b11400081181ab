//! Other names for labels, variables and flags.

use std::fmt;

use super::name::{NameKind, name_at, names};
use super::{Known, Occurrence, Position};
use crate::lexicon::{is_plain, literal};

/// Why something cannot be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRenamed(String);

impl fmt::Display for NotRenamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn refused<T>(why: impl Into<String>) -> Result<T, NotRenamed> {
    Err(NotRenamed(why.into()))
}

/// What would be renamed at a position. With a new name, whether it may be called so. Labels and variables belong to the text; a flag has to be
/// renamed in all texts, and in the file that declares it.
///
/// # Errors
/// Why it cannot be renamed.
pub fn rename(
    text: &str,
    known: &Known<'_>,
    at: Position,
    new_name: Option<&str>,
) -> Result<Occurrence, NotRenamed> {
    let lexicon = known.around.lexicon;
    let Some(it) = name_at(text, lexicon, at) else {
        return refused("there is no name here that could be changed");
    };
    match it.kind {
        NameKind::Label | NameKind::Local => {}
        NameKind::Flag if literal(&it.name, "flag_").is_some() => {
            return refused(format!("{} has no name; SOUP386.DEF gives flags their names", it.name));
        }
        NameKind::Flag => {}
        NameKind::Keyword => return refused(format!("{} is a word of the language", it.name)),
        NameKind::Function | NameKind::Property | NameKind::Attribute | NameKind::AnimationGroup => {
            return refused(format!("{} is named by the game, which looks it up in SOUP386.DEF", it.name));
        }
        NameKind::Text => {
            return refused("a text of the actor, which may name an object; edit it in the texts of the map");
        }
        NameKind::Line => return refused("dialogue labels are named by ENGLISH.RTX"),
        NameKind::Item => return refused(format!("{} is named by ITEM.INI", it.name)),
        NameKind::Map => return refused(format!("{} is named by WORLD.INI", it.name)),
    }
    let Some(new_name) = new_name else { return Ok(it) };
    let is_used = |kind: NameKind, name: &str| {
        names(text, lexicon).iter().any(|other| other.kind == kind && other.name == name)
    };
    match it.kind {
        NameKind::Local => {
            let number = literal(new_name, "var").filter(|number| *number <= 255);
            let Some(number) = number else { return refused("variables go from var0 to var255") };
            let wanted = format!("var{number}");
            if wanted != it.name && is_used(NameKind::Local, &wanted) {
                return refused(format!("{wanted} is already used in this script"));
            }
            if known.locals > 0 && usize::try_from(number).is_ok_and(|number| number >= known.locals) {
                return refused(format!("there is no {wanted}; the actor has {} variables", known.locals));
            }
        }
        NameKind::Label => {
            if !is_plain(new_name) {
                return refused(format!(
                    "\"{new_name}\" cannot be a label; labels are words that mean nothing else"
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
                return refused(format!("there is already a flag {new_name}"));
            }
        }
    }
    Ok(it)
}
