//! The editable form of animation commands.

use std::collections::BTreeMap;

use record::{Error, Result};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::object::{AnimationCommand, JUMPS};

/// A command of an animation group. In JSON, it is a list: its name, then its parameters. The parameters of `ShowFrame` are a model number
/// and a frame of that model, or one number if there is no such frame. A command with other bits is a number. The target of a jump is
/// preceded by its number: `[3, "ShowFrame", 0, 5]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssembledCommand {
    /// Opcode and parameters.
    Known(u8, Vec<i32>),
    /// Raw bits.
    Raw(u32),
    /// A jump target with the number by which jumps reference it: its original index. Jumps are updated to its current index.
    Target(i32, Box<Self>),
}

/// A command as JSON.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum CommandJson {
    Raw(u32),
    Parts(Vec<CommandPart>),
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum CommandPart {
    Number(i32),
    Name(String),
}

impl AssembledCommand {
    /// Returns the editable form of a command. Bits that its parameters would not reproduce remain bits.
    pub(super) fn of(command: AnimationCommand) -> Self {
        let (opcode, parameters) = (command.opcode(), command.parameters());
        match command_bits(opcode, &parameters) == Some(command.0) {
            true => Self::Known(opcode, parameters),
            false => Self::Raw(command.0),
        }
    }

    /// Returns the bits of a command without a model list.
    fn stored(&self, targets: &Targets) -> Result<u32> {
        match self {
            Self::Raw(bits) => Ok(*bits),
            Self::Known(opcode, parameters) => known_bits(*opcode, &targets.follow(*opcode, parameters)?),
            Self::Target(_, command) => command.stored(targets),
        }
    }

    fn parts(&self) -> Vec<CommandPart> {
        match self {
            Self::Known(opcode, parameters) => {
                let name = AnimationCommand(u32::from(*opcode)).name().to_owned();
                let parameters = parameters.iter().copied().map(CommandPart::Number);
                std::iter::once(CommandPart::Name(name)).chain(parameters).collect()
            }
            Self::Raw(bits) => vec![CommandPart::Number(bits.cast_signed())],
            Self::Target(number, command) => {
                std::iter::once(CommandPart::Number(*number)).chain(command.parts()).collect()
            }
        }
    }

    fn from_parts(parts: &[CommandPart]) -> Result<Self, String> {
        let invalid = || "expected a list: the name of a command, then its parameters".to_owned();
        let (name, parameters) = match parts {
            [CommandPart::Number(number), rest @ ..] if !rest.is_empty() => {
                let command = match rest {
                    [CommandPart::Number(bits)] => Self::from_bits(bits.cast_unsigned())?,
                    [CommandPart::Name(_), ..] => Self::from_parts(rest)?,
                    _ => return Err(invalid()),
                };
                return Ok(Self::Target(*number, Box::new(command)));
            }
            [CommandPart::Name(name), parameters @ ..] => (name, parameters),
            _ => return Err(invalid()),
        };
        let has_name = |opcode: &u8| AnimationCommand(u32::from(*opcode)).name().eq_ignore_ascii_case(name);
        let opcode = (0..16).find(has_name).ok_or_else(|| format!("unknown command \"{name}\""))?;
        let number = |part: &CommandPart| match part {
            CommandPart::Number(number) => Ok(*number),
            CommandPart::Name(_) => Err(invalid()),
        };
        Ok(Self::Known(opcode, parameters.iter().map(number).collect::<Result<_, _>>()?))
    }

    fn from_bits(bits: u32) -> Result<Self, String> {
        match bits {
            0..0x100_0000 => Ok(Self::Raw(bits)),
            _ => Err(format!("{bits} has more than the 24 bits of a command")),
        }
    }

    /// Returns the index of the command to which it jumps.
    const fn jump(&self) -> Option<i32> {
        match self {
            Self::Known(opcode, parameters) if *opcode == JUMPS[0] || *opcode == JUMPS[1] => {
                match parameters.as_slice() {
                    [index] => Some(*index),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Returns the editable form of the commands of a group without a model list.
pub(crate) fn editable(commands: &[AnimationCommand]) -> Vec<AssembledCommand> {
    numbered(commands.iter().copied().map(AssembledCommand::of).collect())
}

/// Returns the commands of a group from their editable form.
///
/// # Errors
/// Returns an error if a command does not take its parameters, or the target of a jump is missing.
pub(crate) fn stored(commands: &[AssembledCommand]) -> Result<Vec<AnimationCommand>> {
    let targets = Targets::of(commands);
    let stored = |(number, command): (usize, &AssembledCommand)| {
        command.stored(&targets).map(AnimationCommand).map_err(|error| error.in_item(number))
    };
    commands.iter().enumerate().map(stored).collect()
}

/// Numbers the commands that jumps reference.
pub(super) fn numbered(mut commands: Vec<AssembledCommand>) -> Vec<AssembledCommand> {
    let mut targets: Vec<i32> = commands.iter().filter_map(AssembledCommand::jump).collect();
    targets.sort_unstable();
    targets.dedup();
    for number in targets {
        if let Some(command) = usize::try_from(number).ok().and_then(|index| commands.get_mut(index)) {
            let target = std::mem::replace(command, AssembledCommand::Raw(0));
            *command = AssembledCommand::Target(number, Box::new(target));
        }
    }
    commands
}

/// The current indices of jump targets.
pub(super) struct Targets {
    indices: BTreeMap<i32, i32>,
    count: i32,
}

impl Targets {
    /// Collects the targets of a list of commands. If several have the same number, the first one is used.
    pub(super) fn of(commands: &[AssembledCommand]) -> Self {
        let mut indices = BTreeMap::new();
        for (index, command) in (0_i32..).zip(commands) {
            if let AssembledCommand::Target(number, _) = command {
                indices.entry(*number).or_insert(index);
            }
        }
        Self { indices, count: i32::try_from(commands.len()).unwrap_or(i32::MAX) }
    }

    /// Returns the parameters of a command, with the number of a jump target replaced by its current index.
    ///
    /// # Errors
    /// Returns an error if no command has the number. A jump out of the group is kept.
    pub(super) fn follow(&self, opcode: u8, parameters: &[i32]) -> Result<Vec<i32>> {
        match parameters {
            [number] if JUMPS.contains(&opcode) => match self.indices.get(number) {
                Some(index) => Ok(vec![*index]),
                None if (0..self.count).contains(number) => Err(Error::usage(format!(
                    "no command has the number {number}: write it before the target command, as in [{number}, \"EndAnimation\", 0]"
                ))),
                None => Ok(vec![*number]),
            },
            _ => Ok(parameters.to_vec()),
        }
    }
}

impl Serialize for AssembledCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Raw(bits) => CommandJson::Raw(*bits),
            _ => CommandJson::Parts(self.parts()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AssembledCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match CommandJson::deserialize(deserializer)? {
            CommandJson::Raw(bits) => Self::from_bits(bits),
            CommandJson::Parts(parts) => Self::from_parts(&parts),
        }
        .map_err(D::Error::custom)
    }
}

/// Returns the bits of a command.
///
/// # Errors
/// Returns an error if it does not take these parameters.
pub(super) fn known_bits(opcode: u8, parameters: &[i32]) -> Result<u32> {
    command_bits(opcode, parameters).ok_or_else(|| {
        let name = AnimationCommand(u32::from(opcode)).name();
        Error::usage(format!("{name} does not take these parameters: {parameters:?}"))
    })
}

/// Returns the bits of a command; `None` if it does not take these parameters.
fn command_bits(opcode: u8, parameters: &[i32]) -> Option<u32> {
    let widths: &[u32] = match opcode {
        4 | 10 => &[10, 10],
        6 | 8 => &[6, 6, 6],
        7 | 9 => &[2, 18],
        15 => &[6, 7, 7],
        _ => &[20],
    };
    (widths.len() == parameters.len()).then_some(())?;
    let (mut bits, mut at) = (u32::from(opcode), 4_u32);
    for (parameter, width) in parameters.iter().zip(widths) {
        let mask = 1_u32.checked_shl(*width)?.checked_sub(1)?;
        bits |= (parameter.cast_unsigned() & mask).checked_shl(at)?;
        at = at.checked_add(*width)?;
    }
    // A parameter that does not fit, or has an unsupported sign, would not be read back unchanged.
    (AnimationCommand(bits).parameters() == parameters).then_some(bits)
}
