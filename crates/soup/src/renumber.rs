//! Updates numbers in scripts when the tables that they index change.

use crate::bytecode::{Call, Object, Script, Statement, Value, Variable};

/// An operand of a statement.
enum Operand<'a> {
    Value(&'a mut Value),
    Object(&'a mut Object),
    Variable(&'a mut Variable),
    Call(&'a mut Call),
}

impl Script {
    /// Replaces the numbers of texts.
    ///
    /// # Errors
    /// Returns the offset of the first statement with a text that has no new number or whose new number does not fit.
    pub fn renumber_texts(&mut self, new: &dyn Fn(u32) -> Option<u32>) -> Result<(), u32> {
        for it in &mut self.statements {
            let mut is_lost = false;
            walk(&mut it.statement, &mut |part| match part {
                Operand::Value(Value::Text(text)) => match new(*text) {
                    Some(new) => *text = new,
                    None => is_lost = true,
                },
                Operand::Object(Object::Named(text)) => {
                    match new(u32::from(*text)).and_then(|new| u8::try_from(new).ok()) {
                        Some(new) => *text = new,
                        None => is_lost = true,
                    }
                }
                _ => {}
            });
            if is_lost {
                return Err(it.at);
            }
        }
        Ok(())
    }

    /// Returns the offset of the first statement that uses a variable of the actor with this number or a higher one.
    #[must_use]
    pub fn uses_local_from(&self, number: u32) -> Option<u32> {
        self.first_with(&mut |part| match part {
            Operand::Object(Object::Local(local)) | Operand::Variable(Variable::Local(local)) => {
                u32::from(*local) >= number
            }
            _ => false,
        })
    }

    /// Returns the offset of the first call of one of some functions with an argument of at least this number, or with an argument whose
    /// value is unknown before the script runs.
    #[must_use]
    pub fn calls_with_from(&self, number: u32, is_one: &dyn Fn(u16) -> bool) -> Option<u32> {
        self.first_with(&mut |part| match part {
            Operand::Call(call) if is_one(call.function) => call.arguments.iter().any(|it| match it {
                Value::Number(it) | Value::Alternate(it) => u32::try_from(*it).is_ok_and(|it| it >= number),
                Value::Text(_) => false,
                _ => true,
            }),
            _ => false,
        })
    }

    fn first_with(&self, is_it: &mut dyn FnMut(Operand<'_>) -> bool) -> Option<u32> {
        self.statements.iter().find_map(|it| {
            let mut is_found = false;
            walk(&mut it.statement.clone(), &mut |part| is_found |= is_it(part));
            is_found.then_some(it.at)
        })
    }
}

fn walk(statement: &mut Statement, take: &mut dyn FnMut(Operand<'_>)) {
    match statement {
        Statement::Call(_, it) => call(it, take),
        Statement::ObjectCall(_, object, _, it) => {
            take(Operand::Object(object));
            call(it, take);
        }
        Statement::If { conditions, .. } => {
            for condition in conditions {
                value(&mut condition.left, take);
                value(&mut condition.right, take);
            }
        }
        Statement::Assign(it, formula) => {
            variable(it, take);
            value(&mut formula.first, take);
            formula.rest.iter_mut().for_each(|(_, it)| value(it, take));
        }
        Statement::Step(_, object, _) => take(Operand::Object(object)),
        _ => {}
    }
}

fn variable(it: &mut Variable, take: &mut dyn FnMut(Operand<'_>)) {
    take(Operand::Variable(it));
    if let Variable::Property(object, _) = it {
        take(Operand::Object(object));
    }
}

fn call(it: &mut Call, take: &mut dyn FnMut(Operand<'_>)) {
    take(Operand::Call(it));
    it.arguments.iter_mut().for_each(|it| value(it, take));
}

fn value(it: &mut Value, take: &mut dyn FnMut(Operand<'_>)) {
    take(Operand::Value(it));
    match it {
        Value::Variable { variable: it, .. } => variable(it, take),
        Value::Call(it) => call(it, take),
        Value::ObjectCall(_, object, it) => {
            take(Operand::Object(object));
            call(it, take);
        }
        Value::Number(_) | Value::Alternate(_) | Value::Text(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::text::SourceContext;
    use crate::{Definitions, Lexicon};

    fn script(text: &str) -> Script {
        let lexicon = Lexicon::new(Definitions::shipped(), &BTreeMap::new(), &BTreeMap::new());
        let texts = ["zero", "one", "two"].map(str::to_owned);
        let context =
            SourceContext { lexicon: &lexicon, actor: "A", index: 0, texts: &texts, spoken: &|_: &str| None };
        Script::parse(text, &context).unwrap().script
    }

    #[test]
    fn renumbers_texts_in_all_operands() {
        let text = "\"one\".Wait(\"two\")\nif \"two\".Rnd(3) = \"one\".Rnd(2) {\n    \"one\".Wait(1)\n}\nvar1 = var0 + \"two\".Rnd(1)\nend\n";
        let swapped = text.replace("one", "x").replace("two", "one").replace('x', "two");
        let mut it = script(text);
        it.renumber_texts(&|number| {
            [Some(0), Some(2), Some(1)].get(usize::try_from(number).ok()?).copied()?
        })
        .unwrap();
        assert_eq!(it.write(), script(&swapped).write());
        let second = it.statements[1].at;
        assert_eq!(it.renumber_texts(&|number| (number != 1).then_some(number)), Err(0));
        assert_eq!(it.uses_local_from(1), Some(it.statements[3].at));
        assert_eq!(it.uses_local_from(2), None);
        let any = |_: u16| true;
        assert_eq!(it.calls_with_from(3, &any), Some(second));
        assert_eq!(it.calls_with_from(4, &any), None);
    }
}
