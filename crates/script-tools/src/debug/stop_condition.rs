//! Additional conditions of breakpoints.

use std::fmt;
use std::str::FromStr;

use antiquary::script::ScriptSession;

/// The condition under which a breakpoint stops. By default, it always stops.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StopCondition {
    /// Condition in the script language that must be true.
    pub condition: Option<String>,
    /// Hits at which to stop, counted while the condition is true. Going back does not count, and stops at every hit.
    pub hit_count: Option<HitCount>,
}

impl StopCondition {
    /// Whether the condition is true for an actor. A condition that cannot be evaluated counts as true, so that no stop is missed.
    pub(crate) fn matches(&self, session: &ScriptSession, actor: usize) -> bool {
        self.condition.as_ref().is_none_or(|it| session.holds(actor, it).unwrap_or(true))
    }

    /// Whether it stops at this hit.
    pub(crate) fn is_due(&self, reached: u64) -> bool {
        self.hit_count.is_none_or(|it| it.has(reached))
    }
}

impl fmt::Display for StopCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(condition) = &self.condition {
            write!(f, " if {condition}")?;
        }
        match self.hit_count {
            Some(hit_count) => write!(f, " hits {hit_count}"),
            None => Ok(()),
        }
    }
}

/// A set of hits, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitCount {
    /// This hit: `5`.
    Exactly(u64),
    /// This hit and later ones: `>=5`, `>4`.
    AtLeast(u64),
    /// Up to this hit: `<=5`, `<6`.
    AtMost(u64),
    /// Every multiple of this number: `%5`.
    Every(u64),
}

impl HitCount {
    fn has(self, time: u64) -> bool {
        match self {
            Self::Exactly(it) => time == it,
            Self::AtLeast(it) => time >= it,
            Self::AtMost(it) => time <= it,
            Self::Every(it) => time.is_multiple_of(it),
        }
    }
}

impl fmt::Display for HitCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(it) => write!(f, "{it}"),
            Self::AtLeast(it) => write!(f, ">={it}"),
            Self::AtMost(it) => write!(f, "<={it}"),
            Self::Every(it) => write!(f, "%{it}"),
        }
    }
}

impl FromStr for HitCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let at = text.find(|it: char| !"<>=%".contains(it)).unwrap_or(text.len());
        let (operator, number) = text.split_at_checked(at).unwrap_or((text, ""));
        let number = number.trim().parse::<u64>().ok();
        let hit_count = match operator {
            "" | "=" | "==" => number.map(Self::Exactly),
            ">=" => number.map(Self::AtLeast),
            ">" => number.and_then(|it| it.checked_add(1)).map(Self::AtLeast),
            "<=" => number.map(Self::AtMost),
            "<" => number.and_then(|it| it.checked_sub(1)).map(Self::AtMost),
            "%" => number.filter(|it| *it > 0).map(Self::Every),
            _ => None,
        };
        hit_count.ok_or_else(|| format!("\"{text}\" is not a hit count (expected N, >N, >=N, <N, <=N or %N)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_formats_hit_counts() {
        let table = [
            ("3", "3", vec![3]),
            ("== 3", "3", vec![3]),
            (">4", ">=5", vec![5, 6]),
            (">= 5", ">=5", vec![5, 6]),
            ("<3", "<=2", vec![1, 2]),
            ("% 2", "%2", vec![2, 4, 6]),
        ];
        for (text, shown, expected) in table {
            let hit_count: HitCount = text.parse().unwrap();
            assert_eq!(hit_count.to_string(), shown);
            assert_eq!((1..=6).filter(|it| hit_count.has(*it)).collect::<Vec<_>>(), expected, "{text}");
        }
        for text in ["", "x", "%0", "=>3", "-1", "3 4", "%"] {
            assert!(text.parse::<HitCount>().is_err(), "{text}");
        }
    }
}
