//! Which parts of a script call which.

use std::collections::BTreeSet;

use crate::bytecode::{Jump, Script, Statement};
use crate::flow::Ways;

/// The routines of a script: what runs from its beginning on, and each place that a `gosub` leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routines {
    /// The first statement of each. The first routine begins with the script.
    pub first: Vec<usize>,
    /// The routine of each statement. One that is never reached counts to the one in front of it.
    pub of_statement: Vec<usize>,
    /// A statement that leads to a routine, the routine, and whether it is called. One that is not is only gone on with.
    pub entered: Vec<(usize, usize, bool)>,
}

impl Script {
    /// Its routines. A statement that several of them reach belongs to the first of these.
    #[must_use]
    pub fn routines(&self) -> Routines {
        let ways = Ways { script: self };
        let gosubs = self.statements.iter().filter_map(|it| match it.statement {
            Statement::Jump(Jump::Gosub, target) => ways.index(target),
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
                open.extend(ways.index(self.start));
            }
            while let Some(index) = open.pop() {
                let Some(known) = of.get_mut(index).filter(|known| known.is_none()) else { continue };
                *known = Some(routine);
                let called_here = match self.statements.get(index).map(|it| &it.statement) {
                    Some(Statement::Jump(Jump::Gosub, target)) => ways.index(*target),
                    _ => None,
                };
                if let Some(place) = called_here.and_then(|it| first.binary_search(&it).ok()) {
                    entered.push((index, place, true));
                }
                let behind = index.saturating_add(1);
                for next in ways.next(index) {
                    if called_here == Some(next) && next != behind {
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
    fn a_subroutine_is_called_and_gone_on_with() {
        // gosub 0x0b; end 0; an anchor that is never reached; the subroutine.
        let bytes = [0x11, 0x0b, 0, 0, 0, 5, 0, 0, 0, 0, 0x18, 0x17, 1, 0x12];
        let script = Script::read(&bytes, 0, Operands::Engine);
        let routines = script.routines();
        assert_eq!(routines.first, [0, 3]);
        assert_eq!(routines.of_statement, [0, 0, 0, 1, 1]);
        assert_eq!(routines.entered, [(0, 1, true)]);
        // Without `end` it is gone on with.
        let bytes = [0x11, 0x06, 0, 0, 0, 0x18, 0x12];
        let routines = Script::read(&bytes, 0, Operands::Engine).routines();
        assert_eq!(routines.entered, [(0, 1, true), (1, 1, false)]);
    }

    #[test]
    fn an_empty_script_has_one_routine() {
        let routines = Script::read(&[], 0, Operands::Engine).routines();
        assert_eq!((routines.first, routines.of_statement), (vec![0], vec![]));
    }
}
