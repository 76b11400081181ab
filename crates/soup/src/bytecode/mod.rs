//! Bytecode: a script as a list of statements, and back.
//!
//! A script is a block of bytes. Statements follow one another from offset 0; jumps name offsets in the block. Whatever cannot be read as a
//! statement is kept as bytes, so that [`Script::write`] always gives the bytes that were read.
//!
//! Sources: redguard-preservation 0.10.4 (what the game does); RGUnity/redguard-unity; Dillonn241/redguard-mod-manager.

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
    /// The statements, from offset 0 on.
    pub statements: Vec<Placed>,
    /// How its conditions are stored.
    pub encoding: Encoding,
    /// Where the main run begins. If it is not 0, the entry run begins at 0.
    pub start: u32,
    /// How many bytes it has.
    pub length: u32,
}

/// How the update bytes of conditions are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// Whether a property on the right side of a comparison has an update byte. Sources contradict each other.
    pub right_property: RightProperty,
    /// Who wrote the bytes.
    pub operands: Operands,
}

impl Default for Encoding {
    fn default() -> Self {
        Self { right_property: RightProperty::UpdateByte, operands: Operands::Engine }
    }
}

/// What follows a property on the right side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RightProperty {
    /// An update byte, as on the left side.
    UpdateByte,
    /// Nothing.
    Nothing,
}

/// Whose encoding of operands it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operands {
    /// That of the game.
    Engine,
    /// That of Redguard Mod Manager: a zero follows each update byte that changes something, and a property on the right has none.
    ModManager,
}

/// A statement and its offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Its offset in the block.
    pub at: u32,
    /// What it does.
    pub statement: Statement,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// 00, 01, 02: calls a function for the object itself.
    Call(Dispatch, Call),
    /// 19, 1A: calls a function for another object.
    ObjectCall(ObjectOpcode, Object, Dispatch, Call),
    /// 03: goes to `otherwise` unless the conditions hold.
    If {
        /// Compared from left to right, without precedence.
        conditions: Vec<Condition>,
        /// Where it goes on if they do not hold.
        otherwise: u32,
    },
    /// 04, 05, 11, 1B, 1C, 1D: names an offset.
    Jump(Jump, u32),
    /// 06, 0A, 14: `variable = formula`.
    Assign(Variable, Formula),
    /// 0F, 10: adds 1 to a property, or subtracts it.
    Step(Change, Object, u16),
    /// 12: back behind the Gosub.
    Return,
    /// 13: ends the run; the next one begins at 0.
    EndInterrupt,
    /// 17: sets the actor's anchor.
    Anchor(u8),
    /// 18: ends the run; the next one goes on behind it.
    Yield,
    /// 1E: the five bytes behind it are skipped unless the script-return byte has this value.
    ScriptResult(u8),
    /// Bytes that cannot be read as a statement.
    Unreadable(Vec<u8>),
}

/// What a statement does with an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Jump {
    /// 04: goes there.
    Goto,
    /// 05: ends the run; the next one begins there.
    End,
    /// 11: goes there, and comes back with Return.
    Gosub,
    /// 1B: frees the slots of a task.
    StopTask,
    /// 1C: pauses a task.
    PauseTask,
    /// 1D: lets a task go on.
    ResumeTask,
}

impl Jump {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Goto, Self::End, Self::Gosub, Self::StopTask, Self::PauseTask, Self::ResumeTask];

    /// Its opcode.
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

    /// Whether the offset is that of a task's operands, not of a statement.
    #[must_use]
    pub const fn is_of_task(self) -> bool {
        matches!(self, Self::StopTask | Self::PauseTask | Self::ResumeTask)
    }
}

/// How a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dispatch {
    /// Takes a slot; the run ends until it is done.
    Task,
    /// Takes a slot; the script goes on.
    Multitask,
    /// Runs once.
    Function,
}

impl Dispatch {
    /// All of them, by their number in the bytecode.
    pub const ALL: [Self; 3] = [Self::Task, Self::Multitask, Self::Function];

    /// Its number in the bytecode.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Task => 0,
            Self::Multitask => 1,
            Self::Function => 2,
        }
    }
}

/// Which of two opcodes an object call has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectOpcode {
    /// 19.
    Task,
    /// 1A.
    Function,
}

impl ObjectOpcode {
    /// The opcode.
    #[must_use]
    pub const fn opcode(self) -> u8 {
        match self {
            Self::Task => 0x19,
            Self::Function => 0x1a,
        }
    }
}

/// Whether something grows or shrinks by 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// By adding 1.
    Increment,
    /// By subtracting 1.
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

/// An object that a script names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Object {
    /// Itself. The byte is padding.
    Me(u8),
    /// The selected player. The byte is padding.
    Player(u8),
    /// The camera. The byte is padding.
    Camera(u8),
    /// By its name, a text of the actor.
    Named(u8),
    /// By a local variable.
    Local(u8),
}

/// Something that can be changed.
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
    /// 16: a number, of which an argument takes the low 16 bits.
    Alternate(i32),
    /// 15: a text of the actor by its number.
    Text(u32),
    /// A variable; in a condition it may be changed before it is compared.
    Variable {
        /// Which one.
        variable: Variable,
        /// In conditions: the change before the comparison.
        update: Option<Change>,
        /// In arguments: two bytes behind a flag and three behind a local.
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
    /// How they are compared.
    pub comparison: Comparison,
    /// The right side.
    pub right: Value,
    /// What joins it to the next one. The last one has none.
    pub next: Option<Conjunction>,
}

/// How two signed numbers are compared.
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
    /// All of them, by their number in the bytecode.
    pub const ALL: [Self; 6] =
        [Self::Equal, Self::NotEqual, Self::Less, Self::Greater, Self::LessOrEqual, Self::GreaterOrEqual];

    /// How it is written.
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

/// What joins two conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Conjunction {
    And,
    Or,
}

/// Values and operators, computed strictly from left to right with 32 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// The first value.
    pub first: Value,
    /// What is done with it, one after the other.
    pub rest: Vec<(Operator, Value)>,
    /// An operator 10 or 11 at the end. The game does not survive it.
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
    /// All of them; the first has the number 1 in the bytecode.
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

    /// How it is written.
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
    /// Its value, unchanged.
    #[must_use]
    pub const fn value(self) -> Value {
        Value::Variable { variable: self, update: None, padding: 0 }
    }
}

impl Statement {
    /// The offset that it names.
    #[must_use]
    pub const fn target(&self) -> Option<u32> {
        match self {
            Self::If { otherwise, .. } => Some(*otherwise),
            Self::Jump(_, target) => Some(*target),
            _ => None,
        }
    }

    /// How far behind its own offset its operands begin, by which tasks are named; `None` for what takes no slot.
    #[must_use]
    pub const fn operand_offset(&self) -> Option<u32> {
        match self {
            Self::Call(Dispatch::Task | Dispatch::Multitask, _) => Some(1),
            // The opcode, the object and how it runs.
            Self::ObjectCall(_, _, Dispatch::Task | Dispatch::Multitask, _) => Some(4),
            _ => None,
        }
    }
}

impl Script {
    /// The statement in which an offset lies, and how far behind its beginning; of the end the number of statements.
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

    /// What follows the reading of properties on the right side; `None` where nothing depends on it.
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
