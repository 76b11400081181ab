//! Labels, and where statements lead.

use super::{MOST, MOST_LABELS, Parsed, Parser, Place, Problem, Target};
use crate::bytecode::{Jump, Placed, Script, Statement};
use crate::lexicon::suggestion;

impl Parser<'_> {
    pub(super) fn finish(mut self) -> Result<Parsed, Vec<Problem>> {
        for block in std::mem::take(&mut self.blocks) {
            self.line = block.line;
            let _: Option<()> = self.fail(1, "the block has no end; add a line with }");
        }
        let (mut offsets, mut at) = (Vec::with_capacity(self.items.len().saturating_add(1)), 0_u32);
        for item in &self.items {
            offsets.push(at);
            at = at.saturating_add(u32::try_from(item.statement.size(self.encoding)).unwrap_or(u32::MAX));
        }
        offsets.push(at);
        let start = self.start.take().map_or(Some(0), |target| self.resolve(&target, None, &offsets));
        let mut statements = Vec::with_capacity(self.items.len());
        for index in 0..self.items.len() {
            let Some(item) = self.items.get(index) else { break };
            let (mut statement, target) = (item.statement.clone(), item.target.clone());
            let jump = if let Statement::Jump(jump, _) = &statement { Some(*jump) } else { None };
            if target != Target::None {
                let resolved = self.resolve(&target, jump, &offsets).unwrap_or(0);
                match &mut statement {
                    Statement::If { otherwise: it, .. } | Statement::Jump(_, it) => *it = resolved,
                    _ => {}
                }
            }
            statements.push(Placed { at: offsets.get(index).copied().unwrap_or(at), statement });
        }
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|it| (it.line, it.column));
            return Err(self.problems);
        }
        let script = Script { statements, encoding: self.encoding, start: start.unwrap_or(0), length: at };
        Ok(Parsed { script, new_texts: self.new_texts, places: self.places })
    }

    fn resolve(&mut self, target: &Target, jump: Option<Jump>, offsets: &[u32]) -> Option<u32> {
        let offset = |index: usize| offsets.get(index).copied();
        match target {
            Target::None => None,
            Target::Index(index) => offset(*index),
            Target::Place(Place::Offset(offset)) => Some(*offset),
            Target::Place(Place::Label { name, plus, line, column }) => {
                let Some((index, _)) = self.labels.get(name) else {
                    if self.problems.len() >= MOST {
                        return None;
                    }
                    let near = suggestion(name, self.labels.keys().take(MOST_LABELS).map(String::as_str));
                    self.line = *line;
                    return self.fail(*column, format!("unknown label {name}{near}"));
                };
                let inside = plus.unwrap_or_else(|| {
                    let named = self.items.get(*index).filter(|_| jump.is_some_and(Jump::is_of_task));
                    named.and_then(|it| it.statement.operand_offset()).unwrap_or(0)
                });
                offset(*index).map(|at| at.saturating_add(inside))
            }
        }
    }
}
