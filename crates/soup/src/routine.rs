//! The call graph of a script.

use std::collections::BTreeSet;

use crate::bytecode::{Jump, Script, Statement};
use crate::flow::ControlFlow;

/// The routines of a script: the code from its start and each target of a `gosub`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routines {
    /// The first statement of each routine. The first routine starts with the script.
    pub first: Vec<usize>,
    /// The routine of each statement. Unreachable statements belong to the preceding routine.
    pub of_statement: Vec<usize>,
    /// Edges as the statement, the target routine and whether the statement calls it. Otherwise the code only continues there.
    pub entered: Vec<(usize, usize, bool)>,
}

impl Script {
    /// Returns the routines of the script. A statement that several routines reach belongs to the first of them.
    #[must_use]
    pub fn routines(&self) -> Routines {
        let flow = ControlFlow { script: self };
        let gosubs = self.statements.iter().filter_map(|it| match it.statement {
            Statement::Jump(Jump::Gosub, target) => flow.index(target),
            _ => None,
        });
        let called: BTreeSet<usize> = gosubs.collect();
        let mut first = vec![0];
        first.extend(called.iter().copied().filter(|it| *it > 0));
        let mut of: Vec<Option<usize>> = vec![None; self.statements.len()];
        let mut entered = Vec::new();
        for (routine, begin) in first.iter().enumerate() {
            let mut open = vec![*begin];
            if routine == 0 {
                open.extend(flow.index(self.start));
            }
            while let Some(index) = open.pop() {
                let Some(known) = of.get_mut(index).filter(|known| known.is_none()) else { continue };
                *known = Some(routine);
                let called_here = match self.statements.get(index).map(|it| &it.statement) {
                    Some(Statement::Jump(Jump::Gosub, target)) => flow.index(*target),
                    _ => None,
                };
                if let Some(called) = called_here.and_then(|it| first.binary_search(&it).ok()) {
                    entered.push((index, called, true));
                }
                let following = index.saturating_add(1);
                for next in flow.next(index) {
                    if called_here == Some(next) && next != following {
                        continue;
                    }
                    match first.binary_search(&next) {
                        Ok(other) if other != routine => entered.push((index, other, false)),
                        _ => open.push(next),
                    }
                }
            }
        }
        entered.sort_unstable();
        let mut last = 0;
        let of_statement = of
            .into_iter()
            .map(|it| {
                last = it.unwrap_or(last);
                last
            })
            .collect();
        Routines { first, of_statement, entered }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::Operands;

    #[test]
    fn finds_calls_of_and_falls_into_a_subroutine() {
        // gosub 0x0b; end 0; an unreachable anchor; the subroutine.
        let bytes = [0x11, 0x0b, 0, 0, 0, 5, 0, 0, 0, 0, 0x18, 0x17, 1, 0x12];
        let script = Script::read(&bytes, 0, Operands::Engine);
        let routines = script.routines();
        assert_eq!(routines.first, [0, 3]);
        assert_eq!(routines.of_statement, [0, 0, 0, 1, 1]);
        assert_eq!(routines.entered, [(0, 1, true)]);
        // Without `end`, the code continues into it.
        let bytes = [0x11, 0x06, 0, 0, 0, 0x18, 0x12];
        let routines = Script::read(&bytes, 0, Operands::Engine).routines();
        assert_eq!(routines.entered, [(0, 1, true), (1, 1, false)]);
    }

    #[test]
    fn returns_one_routine_for_an_empty_script() {
        let routines = Script::read(&[], 0, Operands::Engine).routines();
        assert_eq!((routines.first, routines.of_statement), (vec![0], vec![]));
    }
}
