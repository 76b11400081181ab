//! From bytes to statements.

use std::collections::BTreeSet;

use super::{
    Call, Change, Comparison, Condition, Conjunction, Dispatch, Encoding, Formula, Jump, Object,
    ObjectOpcode, Operands, Operator, Placed, RightProperty, Script, Statement, Value, Variable,
};

/// So deep calls stand in arguments at most; the game knows none.
const DEEPEST: usize = 16;

/// So many conditions or steps of a formula a statement has at most.
const MOST: usize = 1024;

/// How often the bytes of a script are read in vain at most: hostile ones lead from anywhere to long statements that break off.
const MOST_READS: usize = 64;

/// Where a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Left,
    Right,
    Argument,
    Formula,
}

impl Script {
    /// Reads a script whatever it is: what cannot be read is [`Statement::Unreadable`]. `start` is where its main run begins. Of the two readings
    /// of a property on the right side that one is taken which leaves fewer jumps of conditions in the void; of equal ones that with a byte.
    #[must_use]
    pub fn read(bytes: &[u8], start: u32, operands: Operands) -> Self {
        let with = |right_property| sweep(bytes, start, Encoding { right_property, operands });
        match operands {
            Operands::ModManager => with(RightProperty::Nothing),
            Operands::Engine => {
                let script = with(RightProperty::UpdateByte);
                if script.defects() == 0 {
                    return script;
                }
                let other = with(RightProperty::Nothing);
                if other.has_right_property() && other.defects() < script.defects() { other } else { script }
            }
        }
    }

    /// How many statements cannot be read, and how many conditions lead to no statement behind them.
    pub(crate) fn defects(&self) -> usize {
        let is_defect = |it: &&Placed| match &it.statement {
            Statement::Unreadable(_) => true,
            Statement::If { otherwise, .. } => {
                *otherwise <= it.at || self.find(*otherwise).is_none_or(|(_, inside)| inside != 0)
            }
            _ => false,
        };
        self.statements.iter().filter(is_defect).count()
    }
}

/// Reads all statements in their order.
fn sweep(bytes: &[u8], start: u32, encoding: Encoding) -> Script {
    let mut targets = BTreeSet::from([usize::try_from(start).unwrap_or(usize::MAX)]);
    let mut statements = Vec::new();
    let mut at = 0;
    let mut patience = bytes.len().saturating_mul(MOST_READS);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let is_guarded =
            matches!(statements.last(), Some(Placed { statement: Statement::ScriptResult(_), .. }));
        let statement = if is_guarded && rest.first() == Some(&0x12) {
            // What the four bytes behind such a Return mean is not known.
            Statement::Unreadable(rest.iter().take(5).copied().collect())
        } else {
            let (statement, read) = statement(rest, encoding);
            statement.unwrap_or_else(|| {
                patience = patience.saturating_sub(read);
                let next = targets.range(at.saturating_add(1)..).next().copied().filter(|_| patience > 0);
                let length = next.map_or(rest.len(), |next| next.saturating_sub(at).min(rest.len()));
                Statement::Unreadable(rest.iter().take(length).copied().collect())
            })
        };
        targets.extend(statement.target().and_then(|target| usize::try_from(target).ok()));
        let length = statement.size(encoding);
        statements.push(Placed { at: offset(at), statement });
        at = at.saturating_add(length.max(1));
    }
    Script { statements, encoding, start, length: offset(bytes.len()) }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The statement at the beginning of some bytes, if writing it gives these bytes; and how many were read.
fn statement(bytes: &[u8], encoding: Encoding) -> (Option<Statement>, usize) {
    let mut cursor = Cursor { rest: bytes, encoding, depth: 0 };
    let statement = cursor.statement();
    let read = bytes.len().saturating_sub(cursor.rest.len());
    let is_same = |it: &Statement| bytes.get(..read) == Some(it.bytes(encoding).as_slice());
    (statement.filter(is_same), read)
}

#[derive(Debug, Clone, Copy)]
struct Cursor<'a> {
    rest: &'a [u8],
    encoding: Encoding,
    depth: usize,
}

impl Cursor<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*array)
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }

    fn statement(&mut self) -> Option<Statement> {
        let opcode = self.u8()?;
        if let Some(jump) = Jump::ALL.into_iter().find(|jump| jump.opcode() == opcode) {
            return Some(Statement::Jump(jump, self.u32()?));
        }
        Some(match opcode {
            0..=2 => Statement::Call(dispatch(opcode)?, self.call()?),
            0x03 => self.condition()?,
            0x06 => Statement::Assign(Variable::Flag(self.u16()?), self.formula()?),
            0x0a => Statement::Assign(Variable::Local(self.u8()?), self.formula()?),
            0x14 => Statement::Assign(Variable::Property(self.object()?, self.u16()?), self.formula()?),
            0x0f => Statement::Step(Change::Increment, self.object()?, self.u16()?),
            0x10 => Statement::Step(Change::Decrement, self.object()?, self.u16()?),
            0x12 => Statement::Return,
            0x13 => Statement::EndInterrupt,
            0x17 => Statement::Anchor(self.u8()?),
            0x18 => Statement::Yield,
            0x19 | 0x1a => {
                let (object, kind) = (self.object()?, self.u8()?);
                Statement::ObjectCall(object_opcode(opcode), object, dispatch(kind)?, self.call()?)
            }
            0x1e => Statement::ScriptResult(self.u8()?),
            _ => return None,
        })
    }

    fn condition(&mut self) -> Option<Statement> {
        let mut conditions = Vec::new();
        loop {
            let left = self.value(Mode::Left)?;
            let comparison = *Comparison::ALL.get(usize::from(self.u8()?))?;
            let right = self.value(Mode::Right)?;
            let next = match self.u8()? {
                0 => None,
                1 => Some(Conjunction::And),
                2 => Some(Conjunction::Or),
                _ => return None,
            };
            conditions.push(Condition { left, comparison, right, next });
            if next.is_none() {
                return Some(Statement::If { conditions, otherwise: self.u32()? });
            }
            (conditions.len() < MOST).then_some(())?;
        }
    }

    fn formula(&mut self) -> Option<Formula> {
        let first = self.value(Mode::Formula)?;
        let mut rest = Vec::new();
        loop {
            let operator = self.u8()?;
            let end = match operator {
                0 => None,
                10 => Some(Change::Increment),
                11 => Some(Change::Decrement),
                _ => {
                    let operator = Operator::ALL.get(usize::from(operator).checked_sub(1)?)?;
                    rest.push((*operator, self.value(Mode::Formula)?));
                    (rest.len() < MOST).then_some(())?;
                    continue;
                }
            };
            if end.is_some() {
                (self.u8()? == 0).then_some(())?;
            }
            return Some(Formula { first, rest, end });
        }
    }

    fn object(&mut self) -> Option<Object> {
        let [kind, number] = self.array()?;
        Some(match kind {
            0 => Object::Me(number),
            1 => Object::Player(number),
            2 => Object::Camera(number),
            4 => Object::Named(number),
            0x0a => Object::Local(number),
            _ => return None,
        })
    }

    fn call(&mut self) -> Option<Call> {
        let function = self.u16()?;
        let count = if function == 0 { 0 } else { self.u8()? };
        self.depth = self.depth.saturating_add(1);
        (self.depth <= DEEPEST).then_some(())?;
        let arguments = (0..count).map(|_| self.value(Mode::Argument)).collect::<Option<_>>()?;
        self.depth = self.depth.saturating_sub(1);
        Some(Call { function, arguments })
    }

    fn value(&mut self, mode: Mode) -> Option<Value> {
        let opcode = self.u8()?;
        let variable = match opcode {
            0x06 => Variable::Flag(self.u16()?),
            0x0a => Variable::Local(self.u8()?),
            0x14 => Variable::Property(self.object()?, self.u16()?),
            0x07 => return Some(Value::Number(self.i32()?)),
            0x15 => return Some(Value::Text(self.u32()?)),
            0x16 => return Some(Value::Alternate(self.i32()?)),
            0x02 => return Some(Value::Call(self.call()?)),
            0x19 | 0x1a => {
                let object = self.object()?;
                return Some(Value::ObjectCall(object_opcode(opcode), object, self.call()?));
            }
            _ => return None,
        };
        let is_property = matches!(variable, Variable::Property(..));
        let has_update = match mode {
            Mode::Left => true,
            Mode::Right => !is_property || self.encoding.right_property == RightProperty::UpdateByte,
            Mode::Argument | Mode::Formula => false,
        };
        let update = if has_update { self.update()? } else { None };
        let padding = match (mode, variable) {
            (Mode::Argument, Variable::Flag(_)) => u32::from(self.u16()?),
            (Mode::Argument, Variable::Local(_)) => {
                let [a, b, c] = self.array()?;
                u32::from_le_bytes([a, b, c, 0])
            }
            _ => 0,
        };
        Some(Value::Variable { variable, update, padding })
    }

    fn update(&mut self) -> Option<Option<Change>> {
        let update = match self.u8()? {
            0 => return Some(None),
            10 => Change::Increment,
            11 => Change::Decrement,
            _ => return None,
        };
        if self.encoding.operands == Operands::ModManager {
            (self.u8()? == 0).then_some(())?;
        }
        Some(Some(update))
    }
}

fn dispatch(number: u8) -> Option<Dispatch> {
    Dispatch::ALL.get(usize::from(number)).copied()
}

const fn object_opcode(opcode: u8) -> ObjectOpcode {
    if opcode == 0x19 { ObjectOpcode::Task } else { ObjectOpcode::Function }
}
