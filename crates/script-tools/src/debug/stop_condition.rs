//! When a breakpoint stops, besides where.

use std::fmt;
use std::str::FromStr;

use antiquary::script::ScriptSession;

/// When a breakpoint stops. By default it always does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StopCondition {
    /// Where this holds, in the language of the scripts.
    pub condition: Option<String>,
    /// At these times of those that it is reached while the condition holds. Going back does not count, and stops at each of them.
    pub times: Option<Times>,
}

impl StopCondition {
    /// Whether the condition holds for an actor. One that cannot be tried does: better a stop too many than one too few.
    pub(crate) fn is_met(&self, session: &ScriptSession, actor: usize) -> bool {
        self.condition.as_ref().is_none_or(|it| session.holds(actor, it).unwrap_or(true))
    }

    /// Whether it stops when it was reached so often.
    pub(crate) fn is_due(&self, reached: u64) -> bool {
        self.times.is_none_or(|it| it.has(reached))
    }
}

impl fmt::Display for StopCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(condition) = &self.condition {
            write!(f, " if {condition}")?;
        }
        match self.times {
            Some(times) => write!(f, " hits {times}"),
            None => Ok(()),
        }
    }
}

/// Times at which something happens, from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// This one: `5`.
    Only(u64),
    /// From this one on: `>=5`, `>4`.
    From(u64),
    /// Up to this one: `<=5`, `<6`.
    UpTo(u64),
    /// Each whose number can be divided by this: `%5`.
    Every(u64),
}

impl Times {
    fn has(self, time: u64) -> bool {
        match self {
            Self::Only(it) => time == it,
            Self::From(it) => time >= it,
            Self::UpTo(it) => time <= it,
            Self::Every(it) => time.is_multiple_of(it),
        }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Only(it) => write!(f, "{it}"),
            Self::From(it) => write!(f, ">={it}"),
            Self::UpTo(it) => write!(f, "<={it}"),
            Self::Every(it) => write!(f, "%{it}"),
        }
    }
}

impl FromStr for Times {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let at = text.find(|it: char| !"<>=%".contains(it)).unwrap_or(text.len());
        let (operator, number) = text.split_at_checked(at).unwrap_or((text, ""));
        let number = number.trim().parse::<u64>().ok();
        let times = match operator {
            "" | "=" | "==" => number.map(Self::Only),
            ">=" => number.map(Self::From),
            ">" => number.and_then(|it| it.checked_add(1)).map(Self::From),
            "<=" => number.map(Self::UpTo),
            "<" => number.and_then(|it| it.checked_sub(1)).map(Self::UpTo),
            "%" => number.filter(|it| *it > 0).map(Self::Every),
            _ => None,
        };
        times.ok_or_else(|| format!("\"{text}\" is not a hit count (expected N, >N, >=N, <N, <=N or %N)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        let table = [
            ("3", "3", vec![3]),
            ("== 3", "3", vec![3]),
            (">4", ">=5", vec![5, 6]),
            (">= 5", ">=5", vec![5, 6]),
            ("<3", "<=2", vec![1, 2]),
            ("% 2", "%2", vec![2, 4, 6]),
        ];
        for (text, shown, expected) in table {
            let times: Times = text.parse().unwrap();
            assert_eq!(times.to_string(), shown);
            assert_eq!((1..=6).filter(|it| times.has(*it)).collect::<Vec<_>>(), expected, "{text}");
        }
        for text in ["", "x", "%0", "=>3", "-1", "3 4", "%"] {
            assert!(text.parse::<Times>().is_err(), "{text}");
        }
    }
}
