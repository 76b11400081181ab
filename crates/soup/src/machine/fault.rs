//! Reasons for a script to stop.

use std::fmt;

use serde::Serialize;

use crate::bytecode::Defect;

/// The reason why a script stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// The cursor is outside the script, or a statement ends after its end.
    PcOutOfRange,
    /// A byte is not the opcode of a statement or value.
    UnknownOpcode,
    /// An operator that crashes the game.
    BadOperator,
    /// An unknown comparison.
    BadComparison,
    /// An unknown conjunction of two conditions.
    BadConjunction,
    /// An unknown kind of object.
    BadObject,
    /// An unknown dispatch of a call.
    BadDispatch,
    /// An undeclared function.
    BadFunction,
    /// A variable that the actor does not have.
    BadVariableIndex,
    /// A flag that the game does not have.
    BadFlagIndex,
    /// A text that the actor does not have.
    BadStringIndex,
    /// A property that the game does not have.
    BadReference,
    /// A function has a different number of arguments than declared.
    WrongParameterCount,
    /// A call in the arguments of a call.
    NestedCall,
    /// A division by zero, which stops the processor.
    DivByZero,
    /// More tasks than an actor has slots.
    TooManyTasks,
    /// More objects than the machine can store: a limit of this machine, not of the game.
    TooManyObjects,
    /// More instructions in one run than the machine allows: a limit of this machine, not of the game.
    Limit,
}

impl FaultCode {
    /// Returns the message without a period.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::PcOutOfRange => "the cursor runs past the end of the script",
            Self::UnknownOpcode => "unknown opcode",
            Self::BadOperator => "an operator or update byte that the game does not run",
            Self::BadComparison => "unknown comparison",
            Self::BadConjunction => "unknown conjunction of conditions",
            Self::BadObject => "unknown kind of object",
            Self::BadDispatch => "a call that is neither task nor multitask nor function",
            Self::BadFunction => "SOUP386.DEF declares no function with this number",
            Self::BadVariableIndex => "the actor has no local variable with this number",
            Self::BadFlagIndex => "SOUP386.DEF declares no flag with this number",
            Self::BadStringIndex => "the actor has no text with this number",
            Self::BadReference => "SOUP386.DEF declares no property with this number",
            Self::WrongParameterCount => {
                "a function is called with another number of arguments than declared"
            }
            Self::NestedCall => "an argument is a call, which the game does not evaluate",
            Self::DivByZero => "division by zero",
            Self::TooManyTasks => "a seventh task; an actor has six slots",
            Self::TooManyObjects => "more objects are named than this machine supports",
            Self::Limit => "more instructions in one run than the limit of this machine allows",
        }
    }
}

impl From<Defect> for FaultCode {
    fn from(defect: Defect) -> Self {
        match defect {
            Defect::End => Self::PcOutOfRange,
            Defect::Opcode => Self::UnknownOpcode,
            Defect::Operator => Self::BadOperator,
            Defect::Comparison => Self::BadComparison,
            Defect::Conjunction => Self::BadConjunction,
            Defect::Object => Self::BadObject,
            Defect::Dispatch => Self::BadDispatch,
            Defect::Function => Self::BadFunction,
            Defect::ArgumentCount => Self::WrongParameterCount,
            Defect::NestedCall => Self::NestedCall,
        }
    }
}

/// A stage of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The native hook.
    Hook,
    /// The entry run.
    Entry,
    /// The visits of tasks.
    Tasks,
    /// The main run.
    Main,
}

impl Stage {
    /// Returns its name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Entry => "entry",
            Self::Tasks => "tasks",
            Self::Main => "main",
        }
    }
}

/// The location and reason of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The reason.
    pub code: FaultCode,
    /// The index of the actor.
    pub actor: usize,
    /// The update, starting from 1.
    pub update: u32,
    /// The stage of the update.
    pub stage: Stage,
    /// The offset of the statement in the script that contains it.
    pub at: u32,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, update, stage, at, .. } = self;
        write!(f, "update {update}, {}, 0x{at:x}: {}", stage.name(), code.message())
    }
}

impl std::error::Error for Stop {}
