//! The control flow of a script and its defects, regardless of the meaning of its numbers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::bytecode::{Dispatch, Jump, Script, Statement, Value};
use crate::diagnose::{Diagnostic, Severity};

/// The maximum number of defects per script.
const MAX_DEFECTS: usize = 1000;

/// The control flow graph of a script. Its nodes are statement indices.
pub(crate) struct ControlFlow<'a> {
    pub(crate) script: &'a Script,
}

impl Script {
    /// Returns defects of the control flow: unreachable code, subroutines that leave with `end`, a second `gosub` before `return`, and
    /// loops without a statement that lets the game continue. In the order of the statements, at most 1000.
    #[must_use]
    pub fn diagnose_flow(&self) -> Vec<Diagnostic> {
        let flow = ControlFlow { script: self };
        let mut out = flow.unreachable();
        out.extend(flow.in_subroutines());
        out.extend(flow.endless_loops());
        out.sort_by_key(|it| it.at);
        out.truncate(MAX_DEFECTS);
        out
    }
}

impl ControlFlow<'_> {
    fn statement(&self, index: usize) -> Option<&Statement> {
        self.script.statements.get(index).map(|it| &it.statement)
    }

    fn at(&self, index: usize) -> u32 {
        self.script.statements.get(index).map_or(self.script.length, |it| it.at)
    }

    /// Returns the index of the statement that starts at an offset.
    pub(crate) fn index(&self, offset: u32) -> Option<usize> {
        let (index, inside) = self.script.find(offset)?;
        (inside == 0 && index < self.script.statements.len()).then_some(index)
    }

    fn diagnostic(&self, code: &'static str, index: usize, message: String) -> Diagnostic {
        Diagnostic { code, severity: Severity::Warning, at: self.at(index), message }
    }

    /// Returns the statements that may run next in the same update. A gosub leads to its subroutine and, through it, to the next statement.
    fn next_in_run(&self, index: usize) -> Vec<usize> {
        let following = index.saturating_add(1);
        let Some(statement) = self.statement(index) else { return Vec::new() };
        let mut out = match statement {
            Statement::Return
            | Statement::EndInterrupt
            | Statement::Yield
            | Statement::Unreadable(_)
            | Statement::Jump(Jump::End, _)
            // The run continues after it in a later update.
            | Statement::Call(Dispatch::Task, _) => Vec::new(),
            Statement::Jump(Jump::Goto, target) => self.index(*target).into_iter().collect(),
            Statement::Jump(Jump::Gosub, target) => self.index(*target).into_iter().chain([following]).collect(),
            Statement::If { otherwise, .. } => self.index(*otherwise).into_iter().chain([following]).collect(),
            Statement::ScriptResult(_) => vec![following, following.saturating_add(1)],
            _ => vec![following],
        };
        out.retain(|it| *it < self.script.statements.len());
        out
    }

    /// Returns the statements that may run next in this update or a later one.
    pub(crate) fn next(&self, index: usize) -> Vec<usize> {
        let mut out = match self.statement(index) {
            Some(Statement::Yield | Statement::Call(Dispatch::Task, _)) => vec![index.saturating_add(1)],
            Some(Statement::Jump(Jump::End, target)) => self.index(*target).into_iter().collect(),
            _ => self.next_in_run(index),
        };
        out.retain(|it| *it < self.script.statements.len());
        out
    }

    /// Reports the first statement of each unreachable range.
    fn unreachable(&self) -> Vec<Diagnostic> {
        let count = self.script.statements.len();
        let mut is_reached = vec![false; count];
        let mut open: Vec<usize> =
            [0, self.script.start].into_iter().filter_map(|it| self.index(it)).collect();
        while let Some(index) = open.pop() {
            if let Some(known) = is_reached.get_mut(index).filter(|known| !**known) {
                *known = true;
                open.extend(self.next(index));
            }
        }
        let mut out = Vec::new();
        let mut skipped = 0_usize;
        for (index, is_reached) in is_reached.iter().chain([&true]).enumerate() {
            if !is_reached {
                skipped = skipped.saturating_add(1);
            } else if skipped > 0 {
                let first = index.saturating_sub(skipped);
                // Unreadable bytes are a separate defect.
                let is_code = |it: &&Statement| !matches!(it, Statement::Unreadable(_));
                if (first..index).filter_map(|it| self.statement(it)).any(|it| is_code(&it)) {
                    let what = if skipped == 1 { "statement is" } else { "statements are" };
                    out.push(self.diagnostic("unreachable", first, format!("{skipped} {what} unreachable")));
                }
                skipped = 0;
            }
        }
        out
    }

    /// Reports subroutines that leave with `end` or call another subroutine.
    fn in_subroutines(&self) -> Vec<Diagnostic> {
        let mut entered: BTreeMap<usize, usize> = BTreeMap::new();
        let mut open = VecDeque::new();
        for it in &self.script.statements {
            if let Statement::Jump(Jump::Gosub, target) = it.statement
                && let Some(first) = self.index(target)
            {
                open.push_back((first, first));
            }
        }
        let mut out = Vec::new();
        while let Some((index, subroutine)) = open.pop_front() {
            if entered.contains_key(&index) {
                continue;
            }
            entered.insert(index, subroutine);
            let name = self.at(subroutine);
            match self.statement(index) {
                Some(Statement::Jump(Jump::End, _)) => {
                    let message = format!(
                        "end leaves the subroutine at 0x{name:x}; its return offset is kept, and a later return jumps there"
                    );
                    out.push(self.diagnostic("gosub_left_by_end", index, message));
                }
                Some(Statement::Jump(Jump::Gosub, _)) => {
                    let message = format!(
                        "gosub in the subroutine at 0x{name:x}; only one return offset is stored, so the first one is lost"
                    );
                    out.push(self.diagnostic("second_gosub", index, message));
                    open.push_back((index.saturating_add(1), subroutine));
                }
                Some(Statement::Return | Statement::EndInterrupt) | None => {}
                Some(_) => open.extend(self.next(index).into_iter().map(|next| (next, subroutine))),
            }
        }
        out
    }

    /// Reports endless loops, and loops whose condition cannot change while they run.
    fn endless_loops(&self) -> Vec<Diagnostic> {
        let count = self.script.statements.len();
        let can_return = self.can_return();
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(count, count.saturating_mul(2));
        for _ in 0..count {
            graph.add_node(());
        }
        for index in 0..count {
            for next in self.next_in_run(index) {
                // After a Gosub, the same run continues if the subroutine returns in it.
                let is_next = next == index.saturating_add(1);
                let returns = match self.statement(index) {
                    Some(Statement::Jump(Jump::Gosub, target)) if is_next => {
                        self.index(*target).is_some_and(|it| can_return.contains(&it))
                    }
                    _ => true,
                };
                if returns {
                    graph.add_edge(NodeIndex::new(index), NodeIndex::new(next), ());
                }
            }
        }
        let mut out = Vec::new();
        for component in kosaraju_scc(&graph) {
            let members: BTreeSet<usize> = component.iter().map(|it| it.index()).collect();
            let Some(first) = members.first().copied() else { continue };
            let is_loop =
                members.len() > 1 || graph.contains_edge(NodeIndex::new(first), NodeIndex::new(first));
            if !is_loop {
                continue;
            }
            let ends = |it: &usize| !self.next_in_run(*it).iter().all(|next| members.contains(next));
            // A Return leaves the loop too, but only after a Gosub.
            let message = if !members.iter().any(ends) {
                "the loop never ends, and no statement in it lets the game continue"
            } else if !members.iter().any(|it| self.statement(*it).is_none_or(changes_something)) {
                "the loop waits for a value that cannot change: no statement in it lets the game continue"
            } else {
                continue;
            };
            out.push(self.diagnostic("endless_loop", first, message.to_owned()));
        }
        out
    }

    /// Returns the statements from which a Return is reachable in the same run.
    fn can_return(&self) -> BTreeSet<usize> {
        let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut open = Vec::new();
        for index in 0..self.script.statements.len() {
            if matches!(self.statement(index), Some(Statement::Return)) {
                open.push(index);
            }
            for next in self.next_in_run(index) {
                before.entry(next).or_default().push(index);
            }
        }
        let mut out = BTreeSet::new();
        while let Some(index) = open.pop() {
            if out.insert(index) {
                open.extend(before.get(&index).into_iter().flatten());
            }
        }
        out
    }
}

/// Returns whether a statement may change a value that a condition depends on.
fn changes_something(statement: &Statement) -> bool {
    let may_change = |value: &Value| match value {
        Value::Variable { update, .. } => update.is_some(),
        Value::Call(_) | Value::ObjectCall(..) => true,
        Value::Number(_) | Value::Alternate(_) | Value::Text(_) => false,
    };
    match statement {
        Statement::Jump(Jump::Goto | Jump::Gosub, _) => false,
        Statement::If { conditions, .. } => {
            conditions.iter().any(|it| may_change(&it.left) || may_change(&it.right))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::Operands;

    fn found(bytes: &[u8], start: u32) -> Vec<(&'static str, u32)> {
        let script = Script::read(bytes, start, Operands::Engine);
        assert!(
            script.statements.iter().all(|it| !matches!(it.statement, Statement::Unreadable(_))),
            "{script:?}"
        );
        script.diagnose_flow().into_iter().map(|it| (it.code, it.at)).collect()
    }

    /// Waits until a flag is not 0: `if GREMLIN = 0 { goto 0 }`.
    const WAITING: [u8; 21] = [3, 6, 3, 0, 0, 0, 7, 0, 0, 0, 0, 0, 21, 0, 0, 0, 4, 0, 0, 0, 0];

    #[test]
    fn reports_each_defect_of_the_control_flow() {
        // A blocking task: Wait(1).
        let task = [0, 17, 0, 1, 7, 1, 0, 0, 0];
        let gosub = [0x11, 10, 0, 0, 0, 5, 0, 0, 0, 0];
        let table = [
            // Code after an End, and a main run after an entry run.
            ([&[5, 0, 0, 0, 0, 0x18, 0x18][..]].concat(), 0, vec![("unreachable", 5)]),
            ([&[5, 0, 0, 0, 0, 0x18, 5, 5, 0, 0, 0][..]].concat(), 5, vec![]),
            // Subroutines.
            ([&gosub[..], &[0x12]].concat(), 0, vec![]),
            ([&gosub[..], &[5, 0, 0, 0, 0]].concat(), 0, vec![("gosub_left_by_end", 10)]),
            ([&gosub[..], &[0x11, 16, 0, 0, 0, 0x12, 0x12]].concat(), 0, vec![("second_gosub", 10)]),
            // Loops.
            ([&[4, 0, 0, 0, 0][..]].concat(), 0, vec![("endless_loop", 0)]),
            ([&task[..], &[4, 0, 0, 0, 0]].concat(), 0, vec![]),
            ([&[0x18, 4, 0, 0, 0, 0][..]].concat(), 0, vec![]),
            ([&WAITING[..], &[5, 0, 0, 0, 0]].concat(), 0, vec![("endless_loop", 0)]),
            // A loop with a subroutine that yields.
            ([&[0x11, 10, 0, 0, 0, 4, 0, 0, 0, 0][..], &[0x18, 0x12]].concat(), 0, vec![]),
            ([&[0x11, 10, 0, 0, 0, 4, 0, 0, 0, 0][..], &[0x12]].concat(), 0, vec![("endless_loop", 0)]),
        ];
        for (bytes, start, expected) in table {
            assert_eq!(found(&bytes, start), expected, "{bytes:02x?}");
        }
    }

    #[test]
    fn accepts_loops_that_count() {
        // var0 counts down in the condition.
        let bytes = [3, 0x0a, 0, 11, 3, 7, 0, 0, 0, 0, 0, 20, 0, 0, 0, 4, 0, 0, 0, 0, 5, 0, 0, 0, 0];
        assert_eq!(found(&bytes, 0), []);
    }

    #[test]
    fn handles_long_chains_without_recursion() {
        let count = 200_000_u32;
        let bytes: Vec<u8> =
            (0..count).flat_map(|it| [&[4][..], &((it + 1) % count * 5).to_le_bytes()].concat()).collect();
        assert_eq!(found(&bytes, 0), [("endless_loop", 0)]);
    }
}
