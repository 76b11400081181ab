//! Finds the gotos of a script that correspond to loops, `else` and other block structure.
//!
//! A goto is omitted from the source text only if the block structure implies exactly this goto and no statement refers to it.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::{Jump, Script, Statement};

/// The notation of jumps in source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Writes only conditions as blocks.
    Flat,
    /// Also writes loops and `else` as blocks where that is exact.
    Structured,
}

/// The notation of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The statement itself, with its target if it has one.
    Plain,
    /// `if`, with a block that ends before the statement with this index.
    If(usize),
    /// `while`, with a block that ends before the goto with this index.
    While(usize),
    /// A goto written as `} else {`. The second block ends before the statement with this index.
    Else(usize),
    /// A goto written as the `}` of a loop.
    Close,
    /// A goto to the end of the innermost loop.
    Break,
    /// A goto to the beginning of the innermost loop.
    Continue,
}

/// The block structure of a script.
#[derive(Debug, Clone, Default)]
pub(crate) struct Structure {
    /// The notation of each statement.
    pub(crate) forms: Vec<Form>,
    /// The first statement of each `loop` and the goto that ends it.
    pub(crate) loops: BTreeMap<usize, usize>,
    /// The statements that need a label.
    pub(crate) labels: BTreeSet<usize>,
}

/// The maximum number of attempts without the gotos that turn out to be jump targets; after that, the script is written flat.
const MAX_ATTEMPTS: usize = 16;

/// The maximum number of search steps per statement when looking for the ends of loops. Malicious scripts may contain many jumps to one
/// statement.
const MAX_STEPS: usize = 64;

/// An open block.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// The index of the statement after it.
    end: usize,
    /// The first statement of a loop and the statement after the loop.
    repeats: Option<(usize, usize)>,
}

impl Structure {
    /// Returns the block structure of a script in a style.
    pub(crate) fn of(script: &Script, style: Style) -> Self {
        if style == Style::Flat {
            return Finder::new(script).flat();
        }
        let mut finder = Finder::new(script);
        for _ in 0..MAX_ATTEMPTS {
            let found = finder.structured();
            let is_implied = |index: &usize| {
                found.forms.get(*index).is_some_and(|it| matches!(it, Form::Else(_) | Form::Close))
            };
            let named: Vec<_> = found.labels.iter().copied().filter(is_implied).collect();
            if named.is_empty() {
                return found;
            }
            finder.named.extend(named);
        }
        finder.flat()
    }
}

struct Finder<'a> {
    script: &'a Script,
    /// The index of each statement's target, if it is the start of a statement.
    targets: Vec<Option<usize>>,
    /// The gotos that must be written explicitly.
    named: BTreeSet<usize>,
}

impl<'a> Finder<'a> {
    fn new(script: &'a Script) -> Self {
        let target = |statement: &Statement| match script.find(statement.target()?)? {
            (index, 0) => Some(index),
            _ => None,
        };
        let targets = script.statements.iter().map(|it| target(&it.statement)).collect();
        let start = script.find(script.start).filter(|_| script.start != 0).map(|(index, _)| index);
        Self { script, targets, named: start.into_iter().collect() }
    }

    fn statement(&self, index: usize) -> Option<&Statement> {
        self.script.statements.get(index).map(|it| &it.statement)
    }

    fn target(&self, index: usize) -> Option<usize> {
        self.targets.get(index).copied().flatten()
    }

    /// Returns whether a statement is skipped unless the script-return byte has some value. Such a pair is not separated.
    fn is_guarded(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.statement(before));
        matches!(before, Some(Statement::ScriptResult(_)))
    }

    /// Returns the target of a goto that may be omitted.
    fn goto(&self, index: usize) -> Option<usize> {
        let is_goto = matches!(self.statement(index), Some(Statement::Jump(Jump::Goto, _)));
        (is_goto && !self.is_guarded(index)).then(|| self.target(index)).flatten()
    }

    /// Returns the target of a goto that can end a block.
    fn last_goto(&self, index: usize) -> Option<usize> {
        self.goto(index).filter(|_| !self.named.contains(&index))
    }

    fn count(&self) -> usize {
        self.script.statements.len()
    }

    /// Returns the end of the block of a condition, if it lies within the innermost block.
    fn block_end(&self, index: usize, blocks: &[Block]) -> Option<usize> {
        let is_if = matches!(self.statement(index), Some(Statement::If { .. }));
        let end = self.target(index).filter(|end| is_if && *end > index)?;
        blocks.last().is_none_or(|outer| end <= outer.end).then_some(end)
    }

    fn flat(&self) -> Structure {
        let mut out = Structure { forms: vec![Form::Plain; self.count()], ..Structure::default() };
        let mut blocks: Vec<Block> = Vec::new();
        for (index, form) in out.forms.iter_mut().enumerate() {
            while blocks.last().is_some_and(|it| it.end == index) {
                blocks.pop();
            }
            if let Some(end) = self.block_end(index, &blocks) {
                *form = Form::If(end);
                blocks.push(Block { end, repeats: None });
            }
        }
        self.collect_labels(&mut out);
        out
    }

    fn structured(&self) -> Structure {
        let mut out = Structure { forms: vec![Form::Plain; self.count()], ..Structure::default() };
        let loops = self.loops();
        let mut blocks: Vec<Block> = Vec::new();
        // Innermost loops come last.
        let mut repeats: Vec<(usize, usize)> = Vec::new();
        for index in 0..self.count() {
            while blocks.last().is_some_and(|it| it.end == index) {
                if blocks.pop().is_some_and(|it| it.repeats.is_some()) {
                    repeats.pop();
                }
            }
            match out.forms.get(index) {
                Some(Form::Close) => continue,
                Some(Form::Else(end)) => {
                    blocks.push(Block { end: *end, repeats: None });
                    continue;
                }
                _ => {}
            }
            let outer = blocks.last().map_or(self.count(), |it| it.end);
            if let Some(last) = loops.get(&index).copied().filter(|last| *last < outer) {
                out.loops.insert(index, last);
                set(&mut out.forms, last, Form::Close);
                let range = (index, last.saturating_add(1));
                blocks.push(Block { end: last, repeats: Some(range) });
                repeats.push(range);
            }
            if let Some(end) = self.block_end(index, &blocks) {
                let outer = blocks.last().map_or(self.count(), |it| it.end);
                let (form, last) = self.condition(index, end, outer);
                set(&mut out.forms, index, form);
                let inner = match form {
                    Form::While(last) => Block { end: last, repeats: Some((index, end)) },
                    Form::If(end) => Block { end, repeats: None },
                    _ => continue,
                };
                if let Some((at, form)) = last {
                    set(&mut out.forms, at, form);
                }
                blocks.push(inner);
                repeats.extend(inner.repeats);
            } else if let (Some(target), Some((begin, behind))) = (self.goto(index), repeats.last()) {
                if target == *begin {
                    set(&mut out.forms, index, Form::Continue);
                } else if target == *behind {
                    set(&mut out.forms, index, Form::Break);
                }
            }
        }
        self.collect_labels(&mut out);
        out
    }

    /// Returns the notation of a condition with a block, and the goto at the end of the block if its notation changes too.
    fn condition(&self, index: usize, end: usize, outer: usize) -> (Form, Option<(usize, Form)>) {
        let last = end.saturating_sub(1);
        let leads = self.last_goto(last).filter(|_| last > index && !self.is_guarded(index));
        match leads {
            Some(target) if target == index => (Form::While(last), Some((last, Form::Close))),
            Some(target) if target > end && target <= outer => {
                (Form::If(last), Some((last, Form::Else(target))))
            }
            _ => (Form::If(end), None),
        }
    }

    /// Returns the gotos that end loops by the first statement of the loop. A goto that ends a loop is in the same block of a condition as
    /// the first statement, so that no block is split; among several, it is the first, or one before which a statement leaves the
    /// preceding ones.
    fn loops(&self) -> BTreeMap<usize, usize> {
        let owners = self.owners();
        let owner = |index: usize| owners.get(index).copied().flatten();
        let mut ends: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..self.count() {
            let back = self.last_goto(index).filter(|target| *target < index);
            if let Some(begin) = back.filter(|it| owner(*it) == owner(index) && !self.is_guarded(*it)) {
                ends.entry(begin).or_default().push(index);
            }
        }
        let mut steps = self.count().saturating_mul(MAX_STEPS);
        ends.into_iter()
            .filter_map(|(begin, ends)| Some((begin, self.end_of_loop(begin, &ends, &mut steps)?)))
            .collect()
    }

    fn end_of_loop(&self, begin: usize, ends: &[usize], steps: &mut usize) -> Option<usize> {
        let mut chosen = *ends.first()?;
        let (mut farthest, mut next) = (begin, begin);
        for (place, end) in ends.iter().enumerate() {
            *steps = steps.checked_sub(end.saturating_sub(next))?;
            let leads = (next..*end).filter_map(|it| self.goto(it));
            farthest = leads.max().unwrap_or(begin).max(farthest);
            next = *end;
            // A jump out of the loop to a statement before this end makes the statement part of the loop.
            if place > 0 && farthest > chosen && farthest <= *end {
                chosen = *end;
            }
        }
        Some(chosen)
    }

    /// Returns the innermost condition whose block contains each statement.
    fn owners(&self) -> Vec<Option<usize>> {
        let mut blocks: Vec<(usize, Block)> = Vec::new();
        let mut out = Vec::with_capacity(self.count());
        for index in 0..self.count() {
            while blocks.last().is_some_and(|(_, it)| it.end == index) {
                blocks.pop();
            }
            out.push(blocks.last().map(|(owner, _)| *owner));
            let outer = blocks.last().map(|(_, it)| *it);
            if let Some(end) = self.block_end(index, outer.as_slice()) {
                blocks.push((index, Block { end, repeats: None }));
            }
        }
        out
    }

    /// Collects the statements that need labels.
    fn collect_labels(&self, out: &mut Structure) {
        for (it, form) in self.script.statements.iter().zip(&out.forms) {
            if *form != Form::Plain || is_plain_end(&it.statement) {
                continue;
            }
            let named = it.statement.target().and_then(|target| self.script.find(target));
            out.labels.extend(named.map(|(named, _)| named));
        }
        if let Some((named, 1..)) = self.script.find(self.script.start).filter(|_| self.script.start != 0) {
            out.labels.insert(named);
        }
    }
}

fn set(forms: &mut [Form], index: usize, form: Form) {
    if let Some(it) = forms.get_mut(index) {
        *it = form;
    }
}

/// Returns whether it is an `end` that continues at the beginning.
pub(crate) const fn is_plain_end(statement: &Statement) -> bool {
    matches!(statement, Statement::Jump(Jump::End, 0))
}
