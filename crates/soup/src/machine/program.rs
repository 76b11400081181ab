//! Executable code of an actor.

use std::collections::VecDeque;

use super::declarations::Declarations;
use super::fault::FaultCode;
use crate::bytecode::{Call, Dispatch, Encoding, Jump, Operands, Script, Statement, runnable};

/// Marks an offset without a decoded instruction.
const NONE: u32 = u32::MAX;

/// The maximum number of times that the bytes of a script are decoded ahead of time; the rest is decoded when it runs.
const MAX_READS: usize = 64;

/// The number of values in a statement that count as one more instruction.
const VALUES_PER_INSTRUCTION: usize = 64;

/// The code of an actor: its bytes, decoded at every reachable offset, and the texts that it names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// The offset of the block in the scripts of the map. It identifies tasks of other objects.
    pub base: u32,
    /// The start offset of the main run. If it is not 0, the entry run starts at 0.
    pub start: u32,
    /// The texts of the actor.
    pub texts: Vec<String>,
    bytes: Vec<u8>,
    encoding: Encoding,
    instructions: Vec<Instruction>,
    /// The index of the instruction at each offset.
    index: Vec<u32>,
}

/// A decoded statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Instruction {
    /// The byte offset.
    pub(super) at: u32,
    /// The offset after it.
    pub(super) next: u32,
    /// The number of instructions that it counts as.
    pub(super) weight: u64,
    pub(super) statement: Statement,
}

impl Program {
    /// Reads the code of an actor. `base` is the offset of its block in the scripts of the map, `start` the start offset of its main run.
    #[must_use]
    pub fn new(
        bytes: &[u8],
        base: u32,
        start: u32,
        operands: Operands,
        texts: Vec<String>,
        declarations: &Declarations,
    ) -> Self {
        let encoding = Script::read(bytes, start, operands).encoding;
        let mut out = Self {
            base,
            start,
            texts,
            bytes: bytes.to_vec(),
            encoding,
            instructions: Vec::new(),
            index: vec![NONE; bytes.len()],
        };
        out.read_all(declarations);
        out
    }

    /// Decodes everything reachable according to the bytes alone.
    fn read_all(&mut self, declarations: &Declarations) {
        let mut open = VecDeque::from([0, self.start]);
        let mut budget = self.bytes.len().saturating_mul(MAX_READS);
        while let Some(at) = open.pop_front() {
            let slot = usize::try_from(at).ok().and_then(|it| self.index.get(it));
            if slot != Some(&NONE) {
                continue;
            }
            let Ok(instruction) = self.read(at, declarations) else { continue };
            let Some(left) =
                budget.checked_sub(usize::try_from(instruction.next.wrapping_sub(at)).unwrap_or(usize::MAX))
            else {
                return;
            };
            budget = left;
            open.push_back(instruction.next);
            match &instruction.statement {
                Statement::ScriptResult(_) => open.push_back(skipped(instruction.next)),
                Statement::Jump(jump, target) if !jump.targets_task() => open.push_back(*target),
                Statement::If { otherwise, .. } => open.push_back(*otherwise),
                _ => {}
            }
            let number = u32::try_from(self.instructions.len()).unwrap_or(NONE);
            if let Some(slot) = usize::try_from(at).ok().and_then(|it| self.index.get_mut(it)) {
                *slot = number;
            }
            self.instructions.push(instruction);
        }
    }

    /// Returns the instruction at an offset if it is already decoded.
    #[inline]
    pub(super) fn known(&self, at: u32) -> Option<&Instruction> {
        let number = self.index.get(usize::try_from(at).ok()?)?;
        self.instructions.get(usize::try_from(*number).ok()?)
    }

    /// Decodes the instruction at an offset.
    pub(super) fn read(&self, at: u32, declarations: &Declarations) -> Result<Instruction, FaultCode> {
        let rest = usize::try_from(at).ok().and_then(|at| self.bytes.get(at..));
        let rest = rest.ok_or(FaultCode::PcOutOfRange)?;
        let (statement, length) = runnable(rest, self.encoding, &declarations.parameters)?;
        let next = at.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
        let more = values(&statement) / VALUES_PER_INSTRUCTION;
        let weight = 1_u64.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
        Ok(Instruction { at, next, weight, statement })
    }

    /// Returns the call with operands at an offset, and whether it blocks. The preceding byte is the dispatch, in a call on another object
    /// too.
    pub(super) fn task(&self, operand: u32, declarations: &Declarations) -> Option<(Call, bool)> {
        match self.read(operand.checked_sub(1)?, declarations).ok()?.statement {
            Statement::Call(dispatch @ (Dispatch::Task | Dispatch::Multitask), call) => {
                Some((call, dispatch == Dispatch::Task))
            }
            _ => None,
        }
    }

    /// Returns the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)
    }

    /// Returns whether it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// Returns the offset after the five bytes that a script-return byte guards.
pub(super) const fn skipped(at: u32) -> u32 {
    at.saturating_add(5)
}

/// Returns the minimum number of values in a statement, without arguments of calls.
fn values(statement: &Statement) -> usize {
    match statement {
        Statement::If { conditions, .. } => conditions.len().saturating_mul(2),
        Statement::Assign(_, formula) => formula.rest.len(),
        Statement::Jump(Jump::Goto, _) => 0,
        _ => 1,
    }
}
