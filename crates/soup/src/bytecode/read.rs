//! Reads statements from bytes.

use std::collections::BTreeSet;

use super::{
    Call, Change, Comparison, Condition, Conjunction, Dispatch, Encoding, Formula, Jump, Object,
    ObjectOpcode, Operands, Operator, Placed, RightProperty, Script, Statement, Value, Variable,
};

/// The maximum nesting depth of calls in arguments. The game does not support nested calls.
const MAX_DEPTH: usize = 16;

/// The maximum number of conditions or formula steps per statement.
const MAX_ITEMS: usize = 1024;

/// The maximum number of times that the bytes of a script are read in vain. Malicious scripts may contain many jumps into long invalid
/// statements.
const MAX_READS: usize = 64;

/// The context of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Left,
    Right,
    Argument,
    Formula,
}

impl Script {
    /// Reads a script. Bytes that are not a valid statement become [`Statement::Unreadable`]. `start` is the start offset of its main run.
    /// Of the two encodings of a property on the right side, picks the one with fewer condition targets outside statements; if equal, the
    /// one with the byte.
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

    /// Returns the number of invalid statements, plus the number of conditions whose target is not a later statement.
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

/// Reads all statements in order.
fn sweep(bytes: &[u8], start: u32, encoding: Encoding) -> Script {
    let mut targets = BTreeSet::from([usize::try_from(start).unwrap_or(usize::MAX)]);
    let mut statements = Vec::new();
    let mut at = 0;
    let mut budget = bytes.len().saturating_mul(MAX_READS);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let is_guarded =
            matches!(statements.last(), Some(Placed { statement: Statement::ScriptResult(_), .. }));
        let statement = if is_guarded && rest.first() == Some(&0x12) {
            // The meaning of the four bytes after such a return is unknown.
            Statement::Unreadable(rest.iter().take(5).copied().collect())
        } else {
            let (statement, read) = statement(rest, encoding);
            statement.unwrap_or_else(|| {
                budget = budget.saturating_sub(read);
                let next = targets.range(at.saturating_add(1)..).next().copied().filter(|_| budget > 0);
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

/// Returns the statement at the start of some bytes, if writing it gives the same bytes, and the number of bytes read.
fn statement(bytes: &[u8], encoding: Encoding) -> (Option<Statement>, usize) {
    let mut cursor = Cursor { rest: bytes, encoding, depth: 0, parameters: None };
    let statement = cursor.statement();
    let read = bytes.len().saturating_sub(cursor.rest.len());
    let is_same = |it: &Statement| bytes.get(..read) == Some(it.bytes(encoding).as_slice());
    (statement.ok().filter(is_same), read)
}

/// The reason why bytes are not a statement that the game can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Defect {
    /// The bytes end within the statement.
    End,
    /// An unknown opcode of a statement or value.
    Opcode,
    /// An unknown operator or change of a variable.
    Operator,
    /// An unknown comparison.
    Comparison,
    /// An unknown conjunction of two conditions.
    Conjunction,
    /// An unknown kind of object.
    Object,
    /// An unknown dispatch of a call.
    Dispatch,
    /// An undeclared function.
    Function,
    /// A function with a different number of arguments than declared.
    ArgumentCount,
    /// A call in the arguments of a call.
    NestedCall,
}

/// Returns the statement at the start of some bytes as the game runs it, and its length in bytes. `parameters` contains the number of
/// arguments of each function.
pub(crate) fn runnable(
    bytes: &[u8],
    encoding: Encoding,
    parameters: &[u32],
) -> Result<(Statement, usize), Defect> {
    let mut cursor = Cursor { rest: bytes, encoding, depth: 0, parameters: Some(parameters) };
    let statement = cursor.statement()?;
    Ok((statement, bytes.len().saturating_sub(cursor.rest.len())))
}

#[derive(Debug, Clone, Copy)]
struct Cursor<'a> {
    rest: &'a [u8],
    encoding: Encoding,
    depth: usize,
    /// The number of arguments of each function, to refuse statements that the game cannot run.
    parameters: Option<&'a [u32]>,
}

impl Cursor<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Defect> {
        let (array, rest) = self.rest.split_first_chunk::<N>().ok_or(Defect::End)?;
        self.rest = rest;
        Ok(*array)
    }

    fn u8(&mut self) -> Result<u8, Defect> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Result<u16, Defect> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Defect> {
        self.array().map(u32::from_le_bytes)
    }

    fn i32(&mut self) -> Result<i32, Defect> {
        self.array().map(i32::from_le_bytes)
    }

    /// Refuses statements that are too long for source text. Statements to run may be as long as their bytes.
    fn bound(&self, count: usize, defect: Defect) -> Result<(), Defect> {
        if count < MAX_ITEMS || self.parameters.is_some() { Ok(()) } else { Err(defect) }
    }

    fn statement(&mut self) -> Result<Statement, Defect> {
        let opcode = self.u8()?;
        if let Some(jump) = Jump::ALL.into_iter().find(|jump| jump.opcode() == opcode) {
            return Ok(Statement::Jump(jump, self.u32()?));
        }
        Ok(match opcode {
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
            _ => return Err(Defect::Opcode),
        })
    }

    fn condition(&mut self) -> Result<Statement, Defect> {
        let mut conditions = Vec::new();
        loop {
            let left = self.value(Mode::Left)?;
            let comparison = *Comparison::ALL.get(usize::from(self.u8()?)).ok_or(Defect::Comparison)?;
            let right = self.value(Mode::Right)?;
            let next = match self.u8()? {
                0 => None,
                1 => Some(Conjunction::And),
                2 => Some(Conjunction::Or),
                _ => return Err(Defect::Conjunction),
            };
            conditions.push(Condition { left, comparison, right, next });
            if next.is_none() {
                return Ok(Statement::If { conditions, otherwise: self.u32()? });
            }
            self.bound(conditions.len(), Defect::Conjunction)?;
        }
    }

    fn formula(&mut self) -> Result<Formula, Defect> {
        let first = self.value(Mode::Formula)?;
        let mut rest = Vec::new();
        loop {
            let operator = self.u8()?;
            let end = match operator {
                0 => None,
                // They stop the game.
                10 | 11 if self.parameters.is_some() => return Err(Defect::Operator),
                10 => Some(Change::Increment),
                11 => Some(Change::Decrement),
                _ => {
                    let operator = usize::from(operator).checked_sub(1).and_then(|it| Operator::ALL.get(it));
                    rest.push((*operator.ok_or(Defect::Operator)?, self.value(Mode::Formula)?));
                    self.bound(rest.len(), Defect::Operator)?;
                    continue;
                }
            };
            if end.is_some() && self.u8()? != 0 {
                return Err(Defect::Operator);
            }
            return Ok(Formula { first, rest, end });
        }
    }

    fn object(&mut self) -> Result<Object, Defect> {
        let [kind, number] = self.array()?;
        Ok(match kind {
            0 => Object::Me(number),
            1 => Object::Player(number),
            2 => Object::Camera(number),
            4 => Object::Named(number),
            0x0a => Object::Local(number),
            _ => return Err(Defect::Object),
        })
    }

    fn call(&mut self) -> Result<Call, Defect> {
        let function = self.u16()?;
        let count = if function == 0 { 0 } else { self.u8()? };
        if let Some(parameters) = self.parameters {
            let declared = parameters.get(usize::from(function)).ok_or(Defect::Function)?;
            if *declared != u32::from(count) {
                return Err(Defect::ArgumentCount);
            }
        }
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX_DEPTH {
            return Err(Defect::NestedCall);
        }
        let arguments = (0..count).map(|_| self.value(Mode::Argument)).collect::<Result<_, _>>()?;
        self.depth = self.depth.saturating_sub(1);
        Ok(Call { function, arguments })
    }

    fn value(&mut self, mode: Mode) -> Result<Value, Defect> {
        let opcode = self.u8()?;
        let is_call = matches!(opcode, 0x02 | 0x19 | 0x1a);
        if is_call && mode == Mode::Argument && self.parameters.is_some() {
            return Err(Defect::NestedCall);
        }
        let variable = match opcode {
            0x06 => Variable::Flag(self.u16()?),
            0x0a => Variable::Local(self.u8()?),
            0x14 => Variable::Property(self.object()?, self.u16()?),
            0x07 => return Ok(Value::Number(self.i32()?)),
            0x15 => return Ok(Value::Text(self.u32()?)),
            0x16 => return Ok(Value::Alternate(self.i32()?)),
            0x02 => return Ok(Value::Call(self.call()?)),
            0x19 | 0x1a => {
                let object = self.object()?;
                return Ok(Value::ObjectCall(object_opcode(opcode), object, self.call()?));
            }
            _ => return Err(Defect::Opcode),
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
        Ok(Value::Variable { variable, update, padding })
    }

    fn update(&mut self) -> Result<Option<Change>, Defect> {
        let update = match self.u8()? {
            0 => return Ok(None),
            10 => Change::Increment,
            11 => Change::Decrement,
            _ => return Err(Defect::Operator),
        };
        if self.encoding.operands == Operands::ModManager && self.u8()? != 0 {
            return Err(Defect::Operator);
        }
        Ok(Some(update))
    }
}

fn dispatch(number: u8) -> Result<Dispatch, Defect> {
    Dispatch::ALL.get(usize::from(number)).copied().ok_or(Defect::Dispatch)
}

const fn object_opcode(opcode: u8) -> ObjectOpcode {
    if opcode == 0x19 { ObjectOpcode::Task } else { ObjectOpcode::Function }
}
