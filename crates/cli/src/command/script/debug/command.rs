//! Commands of the prompt.

use antiquary::files::suggest::did_you_mean;
use script_tools::debug::StopCondition;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    Break(Location, StopCondition),
    Delete(Option<u32>),
    Breaks,
    Continue(Option<u32>),
    Step(u32),
    Next(u32),
    Out,
    Finish,
    Back(u32),
    Reverse,
    Restart,
    List(Option<usize>),
    Print(String),
    Set(String, String),
    Show(Group, String),
    Actors(String),
    Actor(String),
    Where,
    State,
    Quit,
}

/// Location of a breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Location {
    /// At a line of an actor, by default the selected one.
    Line(Option<String>, usize),
    /// At an offset.
    Offset(Option<String>, u32),
    /// After a call of a function.
    Call(String),
    /// After a change of a flag, or of any flag.
    Flag(Option<String>),
    /// After a line of dialogue.
    Dialogue,
}

/// A group of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Locals,
    Tasks,
    Flags,
    /// All values except flags.
    All,
}

/// An entry of the list printed by `help`.
pub(super) struct CommandHelp {
    pub(super) name: &'static str,
    /// Short form; empty if there is none.
    pub(super) short: &'static str,
    pub(super) arguments: &'static str,
    pub(super) about: &'static str,
}

const fn help(
    name: &'static str,
    short: &'static str,
    arguments: &'static str,
    about: &'static str,
) -> CommandHelp {
    CommandHelp { name, short, arguments, about }
}

/// All commands, in the order of the help.
pub(super) const COMMANDS: [CommandHelp; 27] = [
    help("help", "h", "", "show this list"),
    help("break", "b", "LINE | 0xOFFSET | ACTOR:LINE", "stop before a statement"),
    help("break", "b", "call FUNCTION", "stop after a function was called"),
    help("break", "b", "flag [NAME]", "stop after a change of a flag, or of any flag"),
    help("break", "b", "dialogue", "stop after a line of dialogue or a text on screen"),
    help("break", "b", "... if CONDITION", "stop there only if a condition of the script language is true"),
    help("break", "b", "... hits N", "stop there only at the Nth hit (also: >N, >=N, <N, <=N, %N)"),
    help("delete", "d", "[NUMBER]", "remove a breakpoint, or all"),
    help("breaks", "i b", "", "list the breakpoints (also: info breaks)"),
    help("continue", "c", "[UPDATES]", "run to a breakpoint (also: run, r)"),
    help("step", "s", "[COUNT]", "run one statement of the actor"),
    help("next", "n", "[COUNT]", "run one statement, stepping over subroutines"),
    help("out", "o", "", "run until the subroutine returns, or to the end of the update"),
    help("finish", "f", "", "run to the end of the update"),
    help("back", "bk", "[COUNT]", "step back by one statement of the actor"),
    help("reverse", "rc", "", "go back to the previous breakpoint or fault"),
    help("restart", "", "", "go back to the start"),
    help("list", "l", "[LINE]", "show the text: => is the position, * a breakpoint"),
    help(
        "print",
        "p",
        "NAME | FORMULA",
        "show a variable, flag, attribute or property, or the result of a function",
    ),
    help("set", "", "NAME = VALUE", "change a value"),
    help("locals", "lo", "", "show the variables (also: tasks, t)"),
    help(
        "flags",
        "fl",
        "[TEXT]",
        "show flags that changed since the start of a game, or flags with TEXT in their names",
    ),
    help("values", "v", "", "show all values of the actor"),
    help("actors", "as", "[TEXT]", "list the actors with scripts"),
    help("actor", "a", "NAME", "select an actor: NAME, NAME#INSTANCE or #NUMBER"),
    help("where", "w", "", "show the current position (also: state, for the complete state as JSON)"),
    help("quit", "q", "", "quit (also: exit)"),
];

/// Command names that have no own entry in the list.
const OTHER_NAMES: [&str; 6] = ["run", "tasks", "state", "exit", "info", "reverse-continue"];

/// All names of commands, for completion.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|it| it.name).chain(OTHER_NAMES)
}

impl Command {
    /// Parses a line. Returns `None` for an empty line.
    pub(super) fn read(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let text = || rest.to_owned();
        let needed = |what: &str| match rest {
            "" => Err(format!("{name}: expected {what}")),
            _ => Ok(text()),
        };
        Ok(Some(match name {
            "" => return Ok(None),
            "help" | "h" | "?" => Self::Help,
            "break" | "b" => conditional(rest)?,
            "delete" | "d" => Self::Delete(optional(name, rest)?),
            "breaks" => Self::Breaks,
            "info" | "i" => match rest {
                "b" | "breaks" | "breakpoints" => Self::Breaks,
                _ => return Err("info: expected breaks".to_owned()),
            },
            "continue" | "c" | "run" | "r" => Self::Continue(optional(name, rest)?),
            "step" | "s" => Self::Step(count(name, rest)?),
            "next" | "n" => Self::Next(count(name, rest)?),
            "out" | "o" => Self::Out,
            "finish" | "f" => Self::Finish,
            "back" | "bk" => Self::Back(count(name, rest)?),
            "reverse" | "rc" | "reverse-continue" => Self::Reverse,
            "restart" => Self::Restart,
            "list" | "l" => Self::List(optional(name, rest)?),
            "print" | "p" => Self::Print(needed("a name")?),
            "set" => match rest.split_once('=') {
                Some((name, value)) if !name.trim().is_empty() => {
                    Self::Set(name.trim().to_owned(), value.trim().to_owned())
                }
                _ => return Err("set: expected NAME = VALUE".to_owned()),
            },
            "locals" | "lo" => Self::Show(Group::Locals, text()),
            "tasks" | "t" => Self::Show(Group::Tasks, text()),
            "flags" | "fl" => Self::Show(Group::Flags, text()),
            "values" | "v" => Self::Show(Group::All, text()),
            "actors" | "as" => Self::Actors(text()),
            "actor" | "a" => Self::Actor(needed("the name of an actor")?),
            "where" | "w" => Self::Where,
            "state" => Self::State,
            "quit" | "q" | "exit" => Self::Quit,
            _ => {
                return Err(format!(
                    "unknown command {name}{}; type help for a list",
                    did_you_mean(name, names())
                ));
            }
        }))
    }

    /// Whether an empty line repeats the command.
    pub(super) const fn is_repeated(&self) -> bool {
        matches!(self, Self::Step(_) | Self::Next(_) | Self::Back(_) | Self::Out | Self::Finish)
    }
}

fn optional<T: std::str::FromStr>(name: &str, rest: &str) -> Result<Option<T>, String> {
    match rest {
        "" => Ok(None),
        _ => rest.parse().map(Some).map_err(|_| format!("{name}: \"{rest}\" is not a number")),
    }
}

fn count(name: &str, rest: &str) -> Result<u32, String> {
    Ok(optional(name, rest)?.unwrap_or(1))
}

/// Parses a location and its condition: `LOCATION [if CONDITION] [hits N]`.
fn conditional(text: &str) -> Result<Command, String> {
    let (text, hit_count) = match text.rsplit_once(" hits ") {
        Some((text, hit_count)) => (text, Some(hit_count.parse().map_err(|why| format!("break: {why}"))?)),
        None => (text, None),
    };
    let (text, condition) = match text.split_once(" if ") {
        Some((text, condition)) => (text, Some(condition.trim().to_owned())),
        None => (text, None),
    };
    Ok(Command::Break(location(text.trim())?, StopCondition { condition, hit_count }))
}

fn location(text: &str) -> Result<Location, String> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match first {
        "" => Err("break: expected a line, 0xOFFSET, call FUNCTION, flag [NAME] or dialogue".to_owned()),
        "call" | "function" if !rest.is_empty() => Ok(Location::Call(rest.to_owned())),
        "flag" => Ok(Location::Flag((!rest.is_empty()).then(|| rest.to_owned()))),
        "dialogue" | "dialog" if rest.is_empty() => Ok(Location::Dialogue),
        _ => {
            let (actor, location) = match text.rsplit_once(':') {
                Some((actor, location)) => (Some(actor.trim().to_owned()), location.trim()),
                None => (None, text),
            };
            if let Some(digits) = location.strip_prefix("0x") {
                let offset = u32::from_str_radix(digits, 16);
                return Ok(Location::Offset(
                    actor,
                    offset.map_err(|_| format!("break: \"{location}\" is not an offset"))?,
                ));
            }
            match (location.parse(), actor) {
                (Ok(line), actor) => Ok(Location::Line(actor, line)),
                // Any other word is the name of a function.
                (Err(_), None) if !location.contains(char::is_whitespace) => {
                    Ok(Location::Call(location.to_owned()))
                }
                _ => Err(format!("break: \"{location}\" is not a line or an offset")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use script_tools::debug::HitCount;

    use super::*;

    #[test]
    fn commands_have_short_forms() {
        let at = |location| Command::Break(location, StopCondition::default());
        let table = [
            ("b 5", at(Location::Line(None, 5))),
            ("break A B : 0x1f", at(Location::Offset(Some("A B".to_owned()), 31))),
            ("break call RTX", at(Location::Call("RTX".to_owned()))),
            ("break RTX", at(Location::Call("RTX".to_owned()))),
            ("b flag", at(Location::Flag(None))),
            ("b flag X", at(Location::Flag(Some("X".to_owned())))),
            ("b dialogue", at(Location::Dialogue)),
            ("i b", Command::Breaks),
            ("  step  3 ", Command::Step(3)),
            ("n", Command::Next(1)),
            ("set var0=-1", Command::Set("var0".to_owned(), "-1".to_owned())),
            ("flags quest", Command::Show(Group::Flags, "quest".to_owned())),
        ];
        for (line, command) in table {
            assert_eq!(Command::read(line), Ok(Some(command)), "{line}");
        }
        assert_eq!(Command::read("  "), Ok(None));
        for entry in &COMMANDS {
            for name in [entry.name, entry.short] {
                let is_unknown = |it: &String| it.starts_with("unknown");
                assert!(!Command::read(name).as_ref().is_err_and(is_unknown), "{name}");
            }
        }
    }

    #[test]
    fn breakpoints_have_conditions_and_hit_counts() {
        let stop_condition = |condition: Option<&str>, hit_count| StopCondition {
            condition: condition.map(str::to_owned),
            hit_count,
        };
        let table = [
            ("b 5 if var0 > 2", Location::Line(None, 5), stop_condition(Some("var0 > 2"), None)),
            ("b 5 hits %3", Location::Line(None, 5), stop_condition(None, Some(HitCount::Every(3)))),
            (
                "b flag if A = 1 hits >2",
                Location::Flag(None),
                stop_condition(Some("A = 1"), Some(HitCount::AtLeast(3))),
            ),
        ];
        for (line, location, stop_condition) in table {
            assert_eq!(Command::read(line), Ok(Some(Command::Break(location, stop_condition))), "{line}");
        }
    }

    #[test]
    fn errors_name_the_invalid_argument() {
        let table = [
            ("b 5 hits x", "break: \"x\" is not a hit count (expected N, >N, >=N, <N, <=N or %N)"),
            ("b 5 if", "break: \"5 if\" is not a line or an offset"),
            ("stpe", "unknown command stpe; did you mean \"step\"?; type help for a list"),
            ("step x", "step: \"x\" is not a number"),
            ("break", "break: expected a line, 0xOFFSET, call FUNCTION, flag [NAME] or dialogue"),
            ("break A:x", "break: \"x\" is not a line or an offset"),
            ("break 0xzz", "break: \"0xzz\" is not an offset"),
            ("set 5", "set: expected NAME = VALUE"),
            ("print", "print: expected a name"),
            ("info", "info: expected breaks"),
        ];
        for (line, why) in table {
            assert_eq!(Command::read(line), Err(why.to_owned()));
        }
    }
}
