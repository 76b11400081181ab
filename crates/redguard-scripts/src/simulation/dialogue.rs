//! Dialogue: one spoken line at a time, and the menu of answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::Context;

use redguard_files::sound::rtx;
use redguard_world::engine::clock::NOMINAL_TICKS_PER_SECOND;
use redguard_world::number::{single, truncated};

/// The display time per character of a line without a voice, in 21sts of a tick.
const TICKS_PER_CHARACTER: u64 = 15;

/// The number of these units per tick.
const PER_TICK: u64 = 21;

/// The durations of a game's lines.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    seconds: Arc<BTreeMap<String, f64>>,
}

impl Lines {
    pub(super) fn of_game(context: &Context<'_>) -> Self {
        Self { seconds: rtx::durations(context).unwrap_or_default() }
    }

    /// Returns the number of ticks that a line is spoken, or shown if it has no voice.
    pub(super) fn ticks(&self, label: &str, text: &str) -> u32 {
        let voice = self.seconds.get(&rtx::label_key(label)).copied().filter(|seconds| *seconds > 0.0);
        match voice {
            Some(seconds) => {
                let ticks = (seconds * f64::from(NOMINAL_TICKS_PER_SECOND)).ceil().clamp(1.0, 1e6);
                truncated(single(ticks)).unsigned_abs()
            }
            None => {
                let characters = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
                let ticks = characters.saturating_mul(TICKS_PER_CHARACTER).div_ceil(PER_TICK);
                u32::try_from(ticks.max(1)).unwrap_or(u32::MAX)
            }
        }
    }
}

/// A line that is being spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spoken {
    /// The speaking actor.
    pub(super) actor: usize,
    pub(super) label: String,
    /// The remaining number of ticks.
    pub(super) left: u32,
}

/// An answer that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) label: String,
    /// The value that `menuSelection` returns for this answer.
    pub(super) value: i32,
}

/// The menu of answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Menu {
    pub(super) answers: Vec<Answer>,
    /// Whether the menu is shown.
    pub(super) is_open: bool,
    /// The value of the answer that was chosen last. A new menu does not reset it.
    pub(super) chosen: i32,
}

/// The maximum number of answers of a menu, whatever the settings allow.
const MAX_ANSWERS: usize = 4096;

impl Menu {
    /// `menuNew`
    pub(super) fn clear(&mut self) {
        self.answers.clear();
        self.is_open = false;
    }

    /// `menuAddItem`
    pub(super) fn add(&mut self, label: String, value: i32) {
        if self.answers.len() < MAX_ANSWERS {
            self.answers.push(Answer { label, value });
        }
    }

    /// Chooses the first matching answer; `None` if no answer matches.
    pub(super) fn choose(&mut self, is_match: impl Fn(usize, &Answer) -> bool) -> Option<Answer> {
        let answer = self.answers.iter().enumerate().find(|(index, it)| is_match(*index, it))?.1.clone();
        self.chosen = answer.value;
        self.is_open = false;
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_duration_of_a_line_depends_on_its_voice_or_text() {
        let lines = Lines { seconds: Arc::new([("ab01".to_owned(), 2.0), ("ab02".to_owned(), 0.0)].into()) };
        // 2 * 12.14 = 24.28; 7 * 15 / 21 = 5.
        assert_eq!([lines.ticks("ab01", "Hello."), lines.ticks("ab02", "Welcome")], [25, 5]);
        assert_eq!(lines.ticks("none", ""), 1);
    }

    #[test]
    fn the_choice_survives_a_new_menu() {
        let mut menu = Menu::default();
        menu.add("ab01".to_owned(), 7);
        menu.is_open = true;
        assert_eq!(menu.choose(|index, _| index == 1), None);
        assert!(menu.is_open);
        assert_eq!(menu.choose(|_, it| it.label == "ab01").map(|it| it.value), Some(7));
        menu.clear();
        assert_eq!((menu.chosen, menu.answers.len(), menu.is_open), (7, 0, false));
    }
}
