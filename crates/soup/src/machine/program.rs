//! The code of an actor, ready to run.

use std::collections::VecDeque;

use super::declarations::Declarations;
use super::fault::FaultCode;
use crate::bytecode::{Call, Dispatch, Encoding, Jump, Operands, Script, Statement, runnable};

/// No instruction was read at an offset.
const NONE: u32 = u32::MAX;

/// How often the bytes of a script are read in vain at most while it is made ready; the rest is read when it is run.
const MOST_READS: usize = 64;

/// So many values of a statement count as one instruction more.
const VALUES_PER_INSTRUCTION: usize = 64;

/// The code of an actor: its bytes, read from wherever they can be run, and the texts that it names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Where the block lies in the scripts of its map. Tasks of other objects are compared by it.
    pub base: u32,
    /// Where the main run begins. If it is not 0, the entry run begins at 0.
    pub start: u32,
    /// The texts of the actor.
    pub texts: Vec<String>,
    bytes: Vec<u8>,
    encoding: Encoding,
    instructions: Vec<Instruction>,
    /// The instruction at each offset.
    index: Vec<u32>,
}

/// A statement where it can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Instruction {
    /// Its offset.
    pub(super) at: u32,
    /// The offset behind it.
    pub(super) next: u32,
    /// How many instructions it counts for.
    pub(super) weight: u64,
    pub(super) statement: Statement,
}

impl Program {
    /// Reads the code of an actor. `base` is the offset of its block in the scripts of the map, `start` where its main run begins.
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

    /// Reads all that can be reached without knowing more than the bytes.
    fn read_all(&mut self, declarations: &Declarations) {
        let mut open = VecDeque::from([0, self.start]);
        let mut patience = self.bytes.len().saturating_mul(MOST_READS);
        while let Some(at) = open.pop_front() {
            let place = usize::try_from(at).ok().and_then(|it| self.index.get(it));
            if place != Some(&NONE) {
                continue;
            }
            let Ok(instruction) = self.read(at, declarations) else { continue };
            let Some(left) = patience
                .checked_sub(usize::try_from(instruction.next.wrapping_sub(at)).unwrap_or(usize::MAX))
            else {
                return;
            };
            patience = left;
            open.push_back(instruction.next);
            match &instruction.statement {
                Statement::ScriptResult(_) => open.push_back(skipped(instruction.next)),
                Statement::Jump(jump, target) if !jump.is_of_task() => open.push_back(*target),
                Statement::If { otherwise, .. } => open.push_back(*otherwise),
                _ => {}
            }
            let number = u32::try_from(self.instructions.len()).unwrap_or(NONE);
            if let Some(place) = usize::try_from(at).ok().and_then(|it| self.index.get_mut(it)) {
                *place = number;
            }
            self.instructions.push(instruction);
        }
    }

    /// The instruction at an offset, if it was read before.
    #[inline]
    pub(super) fn known(&self, at: u32) -> Option<&Instruction> {
        let number = self.index.get(usize::try_from(at).ok()?)?;
        self.instructions.get(usize::try_from(*number).ok()?)
    }

    /// Reads the instruction at an offset.
    pub(super) fn read(&self, at: u32, declarations: &Declarations) -> Result<Instruction, FaultCode> {
        let rest = usize::try_from(at).ok().and_then(|at| self.bytes.get(at..));
        let rest = rest.ok_or(FaultCode::PcOutOfRange)?;
        let (statement, length) = runnable(rest, self.encoding, &declarations.parameters)?;
        let next = at.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
        let more = values(&statement) / VALUES_PER_INSTRUCTION;
        let weight = 1_u64.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
        Ok(Instruction { at, next, weight, statement })
    }

    /// The call whose operands stand at an offset, and whether it blocks. The byte in front of them says how it runs, in a call on another object too.
    pub(super) fn task(&self, operand: u32, declarations: &Declarations) -> Option<(Call, bool)> {
        match self.read(operand.checked_sub(1)?, declarations).ok()?.statement {
            Statement::Call(dispatch @ (Dispatch::Task | Dispatch::Multitask), call) => {
                Some((call, dispatch == Dispatch::Task))
            }
            _ => None,
        }
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bytes it has.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)
    }

    /// Whether it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// Behind the five bytes that a script-return byte guards.
pub(super) const fn skipped(at: u32) -> u32 {
    at.saturating_add(5)
}

/// How many values a statement has at least, arguments of calls not counted.
fn values(statement: &Statement) -> usize {
    match statement {
        Statement::If { conditions, .. } => conditions.len().saturating_mul(2),
        Statement::Assign(_, formula) => formula.rest.len(),
        Statement::Jump(Jump::Goto, _) => 0,
        _ => 1,
    }
}
