//! Finds declarations of names in `SOUP386.DEF`.

use super::{NameKind, Span};

/// Returns the line of a definition file that declares a flag, a function, a property, an attribute or an animation group.
#[must_use]
pub fn declared_in(definitions: &str, kind: NameKind, name: &str) -> Option<Span> {
    let section = match kind {
        NameKind::Function => "functions",
        NameKind::Flag => "flags",
        NameKind::Property => "refs",
        NameKind::Attribute | NameKind::AnimationGroup => "equates",
        _ => return None,
    };
    let mut is_inside = false;
    for (line, text) in definitions.lines().enumerate() {
        let code = text.split(';').next().unwrap_or_default();
        if let Some(found) = code.trim().strip_prefix('[') {
            is_inside = found.trim_end_matches(']').trim().eq_ignore_ascii_case(section);
            continue;
        }
        if !is_inside {
            continue;
        }
        let declared = match kind {
            NameKind::Function | NameKind::Flag => code.split_whitespace().nth(1),
            NameKind::Property => Some(code.trim()),
            _ => code.split(|it: char| it.is_whitespace() || it == '=').find(|it| !it.is_empty()),
        };
        let Some(declared) = declared.filter(|it| it.eq_ignore_ascii_case(name)) else { continue };
        // The keyword of the declaration cannot contain the declared name except at its end.
        let at = match kind {
            NameKind::Function | NameKind::Flag => {
                let kind = code
                    .split_whitespace()
                    .next()
                    .and_then(|word| Some(code.find(word)?.saturating_add(word.len())));
                let rest = kind.unwrap_or(0);
                rest.saturating_add(code.get(rest..)?.find(declared)?)
            }
            _ => code.find(declared)?,
        };
        let start = code.get(..at)?.chars().count();
        return Some(Span { line, start, end: start.saturating_add(declared.chars().count()) });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_name_in_its_section() {
        let text = "[functions]\n task  task parms 1\n[refs]\npos.vx ; x\n[equates]\nauto\nhealth = 3\n[flags]\nBOOL health 0\n";
        let found = |kind, name| declared_in(text, kind, name).map(|it| (it.line, it.start, it.end));
        assert_eq!(found(NameKind::Function, "TASK"), Some((1, 7, 11)));
        assert_eq!(found(NameKind::Property, "pos.vx"), Some((3, 0, 6)));
        assert_eq!(found(NameKind::Attribute, "health"), Some((6, 0, 6)));
        assert_eq!(found(NameKind::Flag, "Health"), Some((8, 5, 11)));
        assert_eq!(found(NameKind::Flag, "pos.vx"), None);
        assert_eq!(found(NameKind::Label, "health"), None);
    }
}
