//! Bytecode: converts scripts to lists of statements and back.
//!
//! A script is a block of bytes. Statements follow one another from offset 0; jumps refer to offsets in the block. Bytes that are not a
//! valid statement are kept, so that [`Script::write`] always returns the original bytes.
//!
//! Sources: redguard-preservation 0.10.4 (behavior of the game); RGUnity/redguard-unity; Dillonn241/redguard-mod-manager.

mod listing;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use listing::ListingError;
pub(crate) use read::{Defect, runnable};

/// A script.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// The statements, starting at offset 0.
    pub statements: Vec<Placed>,
    /// The encoding of its conditions.
    pub encoding: Encoding,
    /// The start offset of the main run. If it is not 0, the entry run starts at 0.
    pub start: u32,
    /// The length in bytes.
    pub length: u32,
}

/// The encoding of update bytes in conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// Whether a property on the right side of a comparison has an update byte. Sources contradict each other.
    pub right_property: RightProperty,
    /// The program that wrote the bytes.
    pub operands: Operands,
}

impl Default for Encoding {
    fn default() -> Self {
        Self { right_property: RightProperty::UpdateByte, operands: Operands::Engine }
    }
}

/// The bytes after a property on the right side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RightProperty {
    /// An update byte, as on the left side.
    UpdateByte,
    /// Nothing.
    Nothing,
}

/// The program whose operand encoding is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operands {
    /// The encoding of the game.
    Engine,
    /// The encoding of Redguard Mod Manager: a zero follows each update byte that changes a variable, and a property on the right has no
    /// update byte.
    ModManager,
}

/// A statement and its offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The offset in the block.
    pub at: u32,
    /// The statement.
    pub statement: Statement,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// 00, 01, 02: calls a function on the object itself.
    Call(Dispatch, Call),
    /// 19, 1A: calls a function on another object.
    ObjectCall(ObjectOpcode, Object, Dispatch, Call),
    /// 03: jumps to `otherwise` unless the conditions hold.
    If {
        /// Conditions, evaluated from left to right without precedence.
        conditions: Vec<Condition>,
        /// The target offset if they do not hold.
        otherwise: u32,
    },
    /// 04, 05, 11, 1B, 1C, 1D: a statement with an offset.
    Jump(Jump, u32),
    /// 06, 0A, 14: `variable = formula`.
    Assign(Variable, Formula),
    /// 0F, 10: increments or decrements a property.
    Step(Change, Object, u16),
    /// 12: returns to the statement after the gosub.
    Return,
    /// 13: ends the run; the next one starts at 0.
    EndInterrupt,
    /// 17: sets the actor's anchor.
    Anchor(u8),
    /// 18: ends the run; the next one continues after it.
    Yield,
    /// 1E: skips the next five bytes unless the script-return byte has this value.
    ScriptResult(u8),
    /// Bytes that are not a valid statement.
    Unreadable(Vec<u8>),
}

/// The operation of a statement with an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Jump {
    /// 04: jumps to the offset.
    Goto,
    /// 05: ends the run; the next one starts at the offset.
    End,
    /// 11: jumps to the offset until a return.
    Gosub,
    /// 1B: frees the slots of a task.
    StopTask,
    /// 1C: pauses a task.
    PauseTask,
    /// 1D: resumes a task.
    ResumeTask,
}

impl Jump {
    /// All jumps.
    pub const ALL: [Self; 6] =
        [Self::Goto, Self::End, Self::Gosub, Self::StopTask, Self::PauseTask, Self::ResumeTask];

    /// Returns its opcode.
    #[must_use]
    pub const fn opcode(self) -> u8 {
        match self {
            Self::Goto => 0x04,
            Self::End => 0x05,
            Self::Gosub => 0x11,
            Self::StopTask => 0x1b,
            Self::PauseTask => 0x1c,
            Self::ResumeTask => 0x1d,
        }
    }

    /// Returns whether the offset refers to the operands of a task instead of a statement.
    #[must_use]
    pub const fn targets_task(self) -> bool {
        matches!(self, Self::StopTask | Self::PauseTask | Self::ResumeTask)
    }
}

/// The way in which a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dispatch {
    /// Uses a slot; the run waits until the task is finished.
    Task,
    /// Uses a slot; the script continues.
    Multitask,
    /// Runs once.
    Function,
}

impl Dispatch {
    /// All variants, in the order of their numbers in bytecode.
    pub const ALL: [Self; 3] = [Self::Task, Self::Multitask, Self::Function];

    /// Returns its number in bytecode.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Task => 0,
            Self::Multitask => 1,
            Self::Function => 2,
        }
    }
}

/// The opcode of an object call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectOpcode {
    /// 19.
    Task,
    /// 1A.
    Function,
}

impl ObjectOpcode {
    /// Returns the opcode.
    #[must_use]
    pub const fn opcode(self) -> u8 {
        match self {
            Self::Task => 0x19,
            Self::Function => 0x1a,
        }
    }
}

/// A change by 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Adds 1.
    Increment,
    /// Subtracts 1.
    Decrement,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The number of the function; 0 does nothing and has no arguments.
    pub function: u16,
    /// The arguments, at most 255.
    pub arguments: Vec<Value>,
}

/// A reference to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Object {
    /// The actor itself. The byte is padding.
    Me(u8),
    /// The selected player. The byte is padding.
    Player(u8),
    /// The camera. The byte is padding.
    Camera(u8),
    /// An object by name, which is a text of the actor.
    Named(u8),
    /// An object by the number in a local variable.
    Local(u8),
}

/// A variable that scripts can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variable {
    /// 06: a global flag.
    Flag(u16),
    /// 0A: a variable of the actor.
    Local(u8),
    /// 14: a property of an object.
    Property(Object, u16),
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// 07: a number.
    Number(i32),
    /// 16: a number; an argument uses only its low 16 bits.
    Alternate(i32),
    /// 15: a text of the actor by number.
    Text(u32),
    /// A variable. In a condition, it may be changed before the comparison.
    Variable {
        /// The variable.
        variable: Variable,
        /// In conditions: the change before the comparison.
        update: Option<Change>,
        /// In arguments: two bytes after a flag and three after a local.
        padding: u32,
    },
    /// 02: the result of a function.
    Call(Call),
    /// 19, 1A: the result of a function of another object.
    ObjectCall(ObjectOpcode, Object, Call),
}

/// A comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The left side.
    pub left: Value,
    /// The comparison.
    pub comparison: Comparison,
    /// The right side.
    pub right: Value,
    /// The conjunction with the next condition; `None` for the last one.
    pub next: Option<Conjunction>,
}

/// A comparison of two signed numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
}

impl Comparison {
    /// All variants, in the order of their numbers in bytecode.
    pub const ALL: [Self; 6] =
        [Self::Equal, Self::NotEqual, Self::Less, Self::Greater, Self::LessOrEqual, Self::GreaterOrEqual];

    /// Returns its symbol.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessOrEqual => "<=",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// A conjunction of two conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Conjunction {
    And,
    Or,
}

/// Values and operators, evaluated strictly from left to right with 32 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// The first value.
    pub first: Value,
    /// The operations on it, in order.
    pub rest: Vec<(Operator, Value)>,
    /// An operator 10 or 11 at the end, which crashes the game.
    pub end: Option<Change>,
}

/// An operator of formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    /// Unsigned.
    Divide,
    ShiftLeft,
    /// Arithmetic.
    ShiftRight,
    And,
    Or,
    Xor,
}

impl Operator {
    /// All operators; the first has the number 1 in bytecode.
    pub const ALL: [Self; 9] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::ShiftLeft,
        Self::ShiftRight,
        Self::And,
        Self::Or,
        Self::Xor,
    ];

    /// Returns its symbol.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
        }
    }
}

impl Variable {
    /// Returns it as a value without a change.
    #[must_use]
    pub const fn value(self) -> Value {
        Value::Variable { variable: self, update: None, padding: 0 }
    }
}

impl Statement {
    /// Returns the offset that it refers to.
    #[must_use]
    pub const fn target(&self) -> Option<u32> {
        match self {
            Self::If { otherwise, .. } => Some(*otherwise),
            Self::Jump(_, target) => Some(*target),
            _ => None,
        }
    }

    /// Returns the distance of its operands from its own offset, which identifies tasks; `None` if it takes no slot.
    #[must_use]
    pub const fn operand_offset(&self) -> Option<u32> {
        match self {
            Self::Call(Dispatch::Task | Dispatch::Multitask, _) => Some(1),
            // The opcode, the object and the dispatch.
            Self::ObjectCall(_, _, Dispatch::Task | Dispatch::Multitask, _) => Some(4),
            _ => None,
        }
    }
}

impl Script {
    /// Returns the index of the statement that contains an offset, and the distance from its start. At the end, the index is the number of
    /// statements.
    #[must_use]
    pub fn find(&self, offset: u32) -> Option<(usize, u32)> {
        if offset == self.length {
            return Some((self.statements.len(), 0));
        }
        if offset > self.length {
            return None;
        }
        let index = self.statements.partition_point(|it| it.at <= offset).checked_sub(1)?;
        let start = self.statements.get(index)?.at;
        Some((index, offset.saturating_sub(start)))
    }

    /// Returns the encoding of properties on the right side; `None` if no property depends on it.
    #[must_use]
    pub fn right_property(&self) -> Option<RightProperty> {
        self.has_right_property().then_some(self.encoding.right_property)
    }

    fn has_right_property(&self) -> bool {
        let is_property =
            |value: &Value| matches!(value, Value::Variable { variable: Variable::Property(..), .. });
        self.statements.iter().any(|it| match &it.statement {
            Statement::If { conditions, .. } => conditions.iter().any(|it| is_property(&it.right)),
            _ => false,
        })
    }
}
