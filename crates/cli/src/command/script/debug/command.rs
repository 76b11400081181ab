//! What is typed at the prompt.

use antiquary::files::suggest::did_you_mean;
use script_tools::debug::StopCondition;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    Break(Place, StopCondition),
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

/// Where to break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// At a line of an actor, by default the one that is shown.
    Line(Option<String>, usize),
    /// At an offset.
    Offset(Option<String>, u32),
    /// After a call of a function.
    Call(String),
    /// After a change of a flag, or of any.
    Flag(Option<String>),
    /// After a line was said.
    Dialogue,
}

/// A group of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Locals,
    Tasks,
    Flags,
    /// All but the flags.
    All,
}

/// A command as `help` lists it.
pub(super) struct Known {
    pub(super) name: &'static str,
    /// Another name for it, or none.
    pub(super) short: &'static str,
    pub(super) takes: &'static str,
    pub(super) about: &'static str,
}

const fn known(name: &'static str, short: &'static str, takes: &'static str, about: &'static str) -> Known {
    Known { name, short, takes, about }
}

/// All commands.
pub(super) const ALL: [Known; 27] = [
    known("help", "h", "", "show this list"),
    known("break", "b", "LINE | 0xOFFSET | ACTOR:LINE", "stop before a statement"),
    known("break", "b", "call FUNCTION", "stop after a function was called"),
    known("break", "b", "flag [NAME]", "stop after a flag changed, or after any did"),
    known("break", "b", "dialogue", "stop after something was said or shown"),
    known("break", "b", "... if CONDITION", "stop there only where a condition of the language holds"),
    known("break", "b", "... hits N", "stop there only at that time (also: >N, >=N, <N, <=N, %N)"),
    known("delete", "d", "[NUMBER]", "remove a breakpoint, or all"),
    known("breaks", "i b", "", "list the breakpoints (also: info breaks)"),
    known("continue", "c", "[UPDATES]", "run to a breakpoint (also: run, r)"),
    known("step", "s", "[COUNT]", "run one statement of the actor"),
    known("next", "n", "[COUNT]", "run one statement; subroutines run to their end"),
    known("out", "o", "", "run to where the subroutine returns, or to the end of the update"),
    known("finish", "f", "", "run to the end of the update"),
    known("back", "bk", "[COUNT]", "go back by one statement of the actor"),
    known("reverse", "rc", "", "go back to the previous breakpoint or fault"),
    known("restart", "", "", "go back to the start"),
    known("list", "l", "[LINE]", "show the text: => is the position, * a breakpoint"),
    known(
        "print",
        "p",
        "NAME | FORMULA",
        "show a variable, flag, attribute or property, or what a function gives",
    ),
    known("set", "", "NAME = VALUE", "change one"),
    known("locals", "lo", "", "show the variables (also: tasks, t)"),
    known(
        "flags",
        "fl",
        "[TEXT]",
        "show the flags that changed since the start of a game, or those with TEXT in their names",
    ),
    known("values", "v", "", "show all values of the actor"),
    known("actors", "as", "[TEXT]", "list the actors with scripts"),
    known("actor", "a", "NAME", "choose the actor to show: NAME, NAME#INSTANCE or #NUMBER"),
    known("where", "w", "", "show where the session is (also: state, for all of it as JSON)"),
    known("quit", "q", "", "end (also: exit)"),
];

/// Names that are not in the list by themselves.
const OTHERS: [&str; 6] = ["run", "tasks", "state", "exit", "info", "reverse-continue"];

/// All names of commands, for completion.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|it| it.name).chain(OTHERS)
}

impl Command {
    /// Reads a line; nothing is typed if it is empty.
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
                    "unknown command {name}{}; help lists them",
                    did_you_mean(name, names())
                ));
            }
        }))
    }

    /// Whether an empty line does it again.
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

/// A place, and when to stop there: `PLACE [if CONDITION] [hits N]`.
fn conditional(text: &str) -> Result<Command, String> {
    let (text, times) = match text.rsplit_once(" hits ") {
        Some((text, times)) => (text, Some(times.parse().map_err(|why| format!("break: {why}"))?)),
        None => (text, None),
    };
    let (text, condition) = match text.split_once(" if ") {
        Some((text, condition)) => (text, Some(condition.trim().to_owned())),
        None => (text, None),
    };
    Ok(Command::Break(place(text.trim())?, StopCondition { condition, times }))
}

fn place(text: &str) -> Result<Place, String> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match first {
        "" => Err("break: expected a line, 0xOFFSET, call FUNCTION, flag [NAME] or dialogue".to_owned()),
        "call" | "function" if !rest.is_empty() => Ok(Place::Call(rest.to_owned())),
        "flag" => Ok(Place::Flag((!rest.is_empty()).then(|| rest.to_owned()))),
        "dialogue" | "dialog" if rest.is_empty() => Ok(Place::Dialogue),
        _ => {
            let (actor, place) = match text.rsplit_once(':') {
                Some((actor, place)) => (Some(actor.trim().to_owned()), place.trim()),
                None => (None, text),
            };
            if let Some(digits) = place.strip_prefix("0x") {
                let offset = u32::from_str_radix(digits, 16);
                return Ok(Place::Offset(
                    actor,
                    offset.map_err(|_| format!("break: \"{place}\" is not an offset"))?,
                ));
            }
            match (place.parse(), actor) {
                (Ok(line), actor) => Ok(Place::Line(actor, line)),
                // A name is that of a function.
                (Err(_), None) if !place.contains(char::is_whitespace) => Ok(Place::Call(place.to_owned())),
                _ => Err(format!("break: \"{place}\" is not a line or an offset")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use script_tools::debug::Times;

    use super::*;

    #[test]
    fn commands_have_short_forms() {
        let at = |place| Command::Break(place, StopCondition::default());
        let table = [
            ("b 5", at(Place::Line(None, 5))),
            ("break A B : 0x1f", at(Place::Offset(Some("A B".to_owned()), 31))),
            ("break call RTX", at(Place::Call("RTX".to_owned()))),
            ("break RTX", at(Place::Call("RTX".to_owned()))),
            ("b flag", at(Place::Flag(None))),
            ("b flag X", at(Place::Flag(Some("X".to_owned())))),
            ("b dialogue", at(Place::Dialogue)),
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
        for known in &ALL {
            for name in [known.name, known.short] {
                let is_unknown = |it: &String| it.starts_with("unknown");
                assert!(!Command::read(name).as_ref().is_err_and(is_unknown), "{name}");
            }
        }
    }

    #[test]
    fn breakpoints_have_conditions_and_hit_counts() {
        let stops_when =
            |condition: Option<&str>, times| StopCondition { condition: condition.map(str::to_owned), times };
        let table = [
            ("b 5 if var0 > 2", Place::Line(None, 5), stops_when(Some("var0 > 2"), None)),
            ("b 5 hits %3", Place::Line(None, 5), stops_when(None, Some(Times::Every(3)))),
            ("b flag if A = 1 hits >2", Place::Flag(None), stops_when(Some("A = 1"), Some(Times::From(3)))),
        ];
        for (line, place, stops_when) in table {
            assert_eq!(Command::read(line), Ok(Some(Command::Break(place, stops_when))), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let table = [
            ("b 5 hits x", "break: \"x\" is not a hit count (expected N, >N, >=N, <N, <=N or %N)"),
            ("b 5 if", "break: \"5 if\" is not a line or an offset"),
            ("stpe", "unknown command stpe; did you mean \"step\"?; help lists them"),
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
