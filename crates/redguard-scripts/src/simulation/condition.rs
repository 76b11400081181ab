//! Conditions of breakpoints, in the syntax of the language's `if`. Attributes and properties of the actor itself can be written
//! without a prefix.

use std::sync::Arc;

use record::{Error, Result};
use soup::Script;
use soup::bytecode::{Condition, Statement};
use soup::machine::{Declarations, Machine, Program, World};

use super::Code;

/// An actor that conditions are evaluated for, and its surroundings.
pub(super) struct Subject<'s> {
    pub(super) code: &'s Code,
    pub(super) machine: &'s Machine,
    /// A copy of the actor's world, so that calls in conditions have no side effects.
    pub(super) world: &'s mut dyn World,
    pub(super) actor: usize,
    /// The index of the actor's object in the map.
    pub(super) object: Option<usize>,
}

/// Whether a condition holds for an actor.
pub(super) fn holds(subject: &mut Subject<'_>, text: &str) -> Result<bool> {
    let shown = format!("condition \"{text}\"");
    let (mut machine, conditions) = parsed(subject, &shown, text)?;
    let tested = machine.test(subject.actor, &conditions, &mut *subject.world);
    tested.map_err(|code| refused(&shown, code.message()))
}

/// Returns the value of an operand of a condition for an actor.
pub(super) fn value(subject: &mut Subject<'_>, text: &str) -> Result<i32> {
    let shown = format!("\"{text}\"");
    let (mut machine, conditions) = parsed(subject, &shown, &format!("{text} = 0"))?;
    let [condition] = conditions.as_slice() else { return Err(refused(&shown, "expected a single value")) };
    let value = machine.evaluate(subject.actor, &condition.left, &mut *subject.world);
    value.map_err(|code| refused(&shown, code.message()))
}

fn refused(shown: &str, why: &str) -> Error {
    Error::usage(format!("{shown}: {why}"))
}

/// Parses a condition. Returns it with a copy of the machine that has the condition's texts. `shown` is its name in errors.
fn parsed(subject: &Subject<'_>, shown: &str, condition: &str) -> Result<(Machine, Vec<Condition>)> {
    let refuse = |why: &str| refused(shown, why);
    let &Subject { code, machine: original, actor, .. } = subject;
    let known = original.state.actors.get(actor).ok_or_else(|| refuse("unknown actor"))?;
    let declarations = &original.declarations;
    let mut texts = known.program.texts.clone();
    let object = subject.object.unwrap_or(usize::MAX);
    let source = format!("if {} {{\nendint\n}}\n", spelled_out(condition, declarations));
    let parsed = code.with_surroundings(object, &texts, |surroundings| Script::parse(&source, surroundings));
    let parsed = parsed.map_err(|problems| match problems.first() {
        Some(first) => refuse(&first.message),
        None => refuse("it cannot be read"),
    })?;
    let conditions: Vec<Condition> = match parsed.script.statements.as_slice() {
        [first, last] if last.statement == Statement::EndInterrupt => match &first.statement {
            Statement::If { conditions, .. } => conditions.clone(),
            _ => return Err(refuse("expected a comparison")),
        },
        _ => return Err(refuse("expected comparisons joined by \"and\" and \"or\"")),
    };
    texts.extend(parsed.new_texts);
    let mut machine = Machine::new(Arc::clone(declarations), Vec::new());
    machine.state = original.state.clone();
    if let Some(known) = machine.state.actors.get_mut(actor) {
        // The actor's texts, followed by the new texts of the condition.
        known.program = Arc::new(Program::new(&[], 0, 0, code.operands, texts, declarations));
    }
    Ok((machine, conditions))
}

/// Rewrites a condition to the syntax of the language.
fn spelled_out(text: &str, declarations: &Declarations) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_part = |it: char| it.is_ascii_alphanumeric() || "_.#[]".contains(it);
        let length = match first {
            '"' | '\'' => {
                rest.get(1..).and_then(|it| it.find(first)).map_or(rest.len(), |it| it.saturating_add(2))
            }
            _ if is_part(first) => rest.find(|it| !is_part(it)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (part, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let is_called = behind.trim_start().starts_with('(');
        let is_member = out.ends_with('.');
        if is_called || is_member || !first.is_ascii_alphabetic() {
            out.push_str(part);
        } else {
            out.push_str(&named(part, declarations).unwrap_or_else(|| part.to_owned()));
        }
        rest = behind;
    }
    out
}

/// Returns the expression for an attribute or a property of the actor itself.
fn named(word: &str, declarations: &Declarations) -> Option<String> {
    if declarations.flag_number(word).is_some() {
        return None;
    }
    if let Some(attribute) = declarations.definitions.attribute_number(word) {
        return Some(format!("GetMyAttr({attribute})"));
    }
    declarations.property_number(word).map(|_| format!("me.{word}"))
}

#[cfg(test)]
mod tests {
    use soup::Definitions;

    use super::*;

    #[test]
    fn attributes_and_properties_of_the_actor_need_no_prefix() {
        let declarations = Declarations::new(Definitions::shipped());
        let attribute = Definitions::shipped().attribute(3).unwrap();
        let table = [
            (format!("{attribute} > 5"), "GetMyAttr(3) > 5"),
            ("ref_7 >= 0x10".to_owned(), "me.ref_7 >= 0x10"),
            ("player.ref_7 == var0".to_owned(), "player.ref_7 == var0"),
            ("Asked_Once == 1 and var0 != 2".to_owned(), "Asked_Once == 1 and var0 != 2"),
            ("\"ref_7\".ref_8 <= 1".to_owned(), "\"ref_7\".ref_8 <= 1"),
        ];
        for (text, expected) in table {
            assert_eq!(spelled_out(&text, &declarations), expected);
        }
    }
}
