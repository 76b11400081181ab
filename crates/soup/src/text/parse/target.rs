//! Resolves labels and the targets of statements.

use super::{Item, MAX_ERRORS, MAX_LABELS, Parsed, Parser, Problem, Target, TargetRef};
use crate::bytecode::{Jump, Placed, Script, Statement};
use crate::lexicon::suggestion;

impl Parser<'_> {
    pub(super) fn finish(mut self) -> Result<Parsed, Vec<Problem>> {
        for block in std::mem::take(&mut self.blocks) {
            self.line = block.line;
            let _: Option<()> = self.fail(1, "unclosed block; add a line with }");
        }
        let (mut offsets, mut at) = (Vec::with_capacity(self.items.len().saturating_add(1)), 0_u32);
        for item in &self.items {
            offsets.push(at);
            at = at.saturating_add(u32::try_from(item.statement.size(self.encoding)).unwrap_or(u32::MAX));
        }
        offsets.push(at);
        let start = self.start.take().map_or(Some(0), |target| self.resolve(&target, None, &offsets));
        for index in 0..self.items.len() {
            let Some(item) = self.items.get_mut(index) else { break };
            let jump = if let Statement::Jump(jump, _) = &item.statement { Some(*jump) } else { None };
            let target = std::mem::replace(&mut item.target, Target::None);
            let resolved = self.resolve(&target, jump, &offsets).unwrap_or(0);
            if let Some(Item {
                statement: Statement::If { otherwise: it, .. } | Statement::Jump(_, it),
                ..
            }) = self.items.get_mut(index).filter(|_| target != Target::None)
            {
                *it = resolved;
            }
        }
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|it| (it.line, it.column));
            return Err(self.problems);
        }
        let statements = self.items.into_iter().zip(offsets);
        let statements = statements.map(|(item, at)| Placed { at, statement: item.statement }).collect();
        let script = Script { statements, encoding: self.encoding, start: start.unwrap_or(0), length: at };
        let known = self.context.texts.len();
        let is_new = |number: u32| usize::try_from(number).is_ok_and(|number| number >= known);
        let mut new_texts: Vec<_> = self.texts.into_iter().filter(|(_, number)| is_new(*number)).collect();
        new_texts.sort_unstable_by_key(|(_, number)| *number);
        let new_texts = new_texts.into_iter().map(|(text, _)| text).collect();
        Ok(Parsed { script, new_texts, places: self.places })
    }

    fn resolve(&mut self, target: &Target, jump: Option<Jump>, offsets: &[u32]) -> Option<u32> {
        let offset = |index: usize| offsets.get(index).copied();
        match target {
            Target::None => None,
            Target::Index(index) => offset(*index),
            Target::Written(TargetRef::Offset(offset)) => Some(*offset),
            Target::Written(TargetRef::Label { name, plus, line, column }) => {
                let Some((index, _)) = self.labels.get(name) else {
                    if self.problems.len() >= MAX_ERRORS {
                        return None;
                    }
                    let hint = suggestion(name, self.labels.keys().take(MAX_LABELS).map(String::as_str));
                    self.line = *line;
                    return self.fail(*column, format!("unknown label {name}{hint}"));
                };
                let inside = plus.unwrap_or_else(|| {
                    let named = self.items.get(*index).filter(|_| jump.is_some_and(Jump::targets_task));
                    named.and_then(|it| it.statement.operand_offset()).unwrap_or(0)
                });
                offset(*index).map(|at| at.saturating_add(inside))
            }
        }
    }
}
