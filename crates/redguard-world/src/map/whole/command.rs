//! Commands of animation groups as they are edited.

use std::collections::BTreeMap;

use record::{Error, Result};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::object::AnimationCommand;

/// A command of an animation group. In JSON a list: its name, then its parameters. Those of `ShowFrame` are the number of a model and a frame of
/// it, or one number where there is no such frame. A command with other bits is a number. In front of what jumps name stands its number:
/// `[3, "ShowFrame", 0, 5]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WholeCommand {
    /// Its opcode and its parameters.
    Known(u8, Vec<i32>),
    /// Its bits.
    Raw(u32),
    /// What jumps name by this number: that of its place before. Jumps find it where it is now.
    Target(i32, Box<Self>),
}

/// The opcodes of `GoToPrevious` and `GoToFuture`, which name a command of their group.
const JUMPS: [u8; 2] = [2, 3];

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

impl WholeCommand {
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
        let wrong = || "expected a list: the name of a command, then its parameters".to_owned();
        let (name, parameters) = match parts {
            [CommandPart::Number(number), rest @ ..] if !rest.is_empty() => {
                let command = match rest {
                    [CommandPart::Number(bits)] => Self::from_bits(bits.cast_unsigned())?,
                    [CommandPart::Name(_), ..] => Self::from_parts(rest)?,
                    _ => return Err(wrong()),
                };
                return Ok(Self::Target(*number, Box::new(command)));
            }
            [CommandPart::Name(name), parameters @ ..] => (name, parameters),
            _ => return Err(wrong()),
        };
        let known = |opcode: &u8| AnimationCommand(u32::from(*opcode)).name().eq_ignore_ascii_case(name);
        let opcode = (0..16).find(known).ok_or_else(|| format!("unknown command \"{name}\""))?;
        let number = |part: &CommandPart| match part {
            CommandPart::Number(number) => Ok(*number),
            CommandPart::Name(_) => Err(wrong()),
        };
        Ok(Self::Known(opcode, parameters.iter().map(number).collect::<Result<_, _>>()?))
    }

    fn from_bits(bits: u32) -> Result<Self, String> {
        match bits {
            0..0x100_0000 => Ok(Self::Raw(bits)),
            _ => Err(format!("{bits} has more than the 24 bits of a command")),
        }
    }

    /// The place of the command that it jumps to.
    const fn jump(&self) -> Option<i32> {
        match self {
            Self::Known(opcode, parameters) if *opcode == JUMPS[0] || *opcode == JUMPS[1] => {
                match parameters.as_slice() {
                    [place] => Some(*place),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Numbers the commands that jumps name.
pub(super) fn numbered(mut commands: Vec<WholeCommand>) -> Vec<WholeCommand> {
    let mut targets: Vec<i32> = commands.iter().filter_map(WholeCommand::jump).collect();
    targets.sort_unstable();
    targets.dedup();
    for number in targets {
        if let Some(command) = usize::try_from(number).ok().and_then(|place| commands.get_mut(place)) {
            let target = std::mem::replace(command, WholeCommand::Raw(0));
            *command = WholeCommand::Target(number, Box::new(target));
        }
    }
    commands
}

/// Where the commands that jumps name are now.
pub(super) struct Targets {
    places: BTreeMap<i32, i32>,
    count: i32,
}

impl Targets {
    /// Of these commands. Of several with one number the first counts.
    pub(super) fn of(commands: &[WholeCommand]) -> Self {
        let mut places = BTreeMap::new();
        for (place, command) in (0_i32..).zip(commands) {
            if let WholeCommand::Target(number, _) = command {
                places.entry(*number).or_insert(place);
            }
        }
        Self { places, count: i32::try_from(commands.len()).unwrap_or(i32::MAX) }
    }

    /// The parameters of a command with the place where what it jumps to is now.
    ///
    /// # Errors
    /// When no command has the number. A jump out of the group stays one.
    pub(super) fn follow(&self, opcode: u8, parameters: &[i32]) -> Result<Vec<i32>> {
        match parameters {
            [number] if JUMPS.contains(&opcode) => match self.places.get(number) {
                Some(place) => Ok(vec![*place]),
                None if (0..self.count).contains(number) => Err(Error::usage(format!(
                    "no command has the number {number}: write it in front of the one that is meant, like [{number}, \"EndAnimation\", 0]"
                ))),
                None => Ok(vec![*number]),
            },
            _ => Ok(parameters.to_vec()),
        }
    }
}

impl Serialize for WholeCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Raw(bits) => CommandJson::Raw(*bits),
            _ => CommandJson::Parts(self.parts()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WholeCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match CommandJson::deserialize(deserializer)? {
            CommandJson::Raw(bits) => Self::from_bits(bits),
            CommandJson::Parts(parts) => Self::from_parts(&parts),
        }
        .map_err(D::Error::custom)
    }
}

/// The bits of a command; `None` when it does not take these parameters.
pub(super) fn command_bits(opcode: u8, parameters: &[i32]) -> Option<u32> {
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
    // What does not fit, or has a sign it cannot have, would not come back.
    (AnimationCommand(bits).parameters() == parameters).then_some(bits)
}
