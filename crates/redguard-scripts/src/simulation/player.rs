//! The player's inputs, which are read from a JSON script.
//!
//! ```json
//! {
//!   "start": { "marker": 2, "heading": 512 },
//!   "do": [
//!     { "go_to": [32464, -275, 33892], "speed": 8 },
//!     { "go_to": "KEEPER", "within": 60 },
//!     { "activate": "KEEPER" },
//!     { "choose": "ab02" },
//!     { "wait": 12 }
//!   ]
//! }
//! ```
//!
//! Actions are executed one after another. Positions are in world units, speeds in world units per update, waits in updates,
//! headings in 2048ths of a turn.

use std::collections::VecDeque;

use files::suggest::did_you_mean;
use json::{Content, Document, Node};
use record::{Error, Result};
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::dialogue::Menu;
use redguard_world::engine::rotation::{Angle2048, difference, distance, normal};

/// The fixed-point scale of positions.
const FRACTION: f64 = 256.0;

/// The default speed of the player, in world units per update.
const DEFAULT_SPEED: f64 = 8.0;

/// The default distance at which an object is reached, in world units.
const DEFAULT_REACH: f64 = 50.0;

/// The maximum number of updates that the player waits for a menu, or until an object can be used.
const MAX_WAIT: u32 = 600;

/// A script of inputs.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PlayerScript {
    pub(super) start: Start,
    #[serde(rename = "do")]
    actions: VecDeque<Action>,
    /// The number of updates since the current action started.
    elapsed: u32,
}

/// The initial position of the player.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Start {
    /// The index of a marker of the map.
    pub(super) marker: Option<usize>,
    /// A position in world units.
    pub(super) position: Option<[f64; 3]>,
    /// The initial heading.
    pub(super) heading: i32,
}

/// A position or an object.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Goal {
    Place([f64; 3]),
    Object(String),
}

/// An answer, given by its zero-based index or its label.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Choice {
    Number(usize),
    Label(String),
}

/// An action of the player.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Action {
    GoTo {
        go_to: Goal,
        #[serde(default = "speed")]
        speed: f64,
        #[serde(default = "within")]
        within: f64,
    },
    Face {
        face: Face,
    },
    Activate {
        activate: String,
    },
    Choose {
        choose: Choice,
    },
    Wait {
        wait: u32,
    },
    Use {
        select_item: i32,
    },
}

/// The direction to face: a heading, or an object.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Face {
    Heading(i32),
    Object(String),
}

/// The keys of actions.
const KEYS: [&str; 8] = ["go_to", "speed", "within", "face", "activate", "choose", "wait", "select_item"];

/// Refuses an action with an unknown key.
fn check_keys(json: &Document) -> Result<()> {
    let Some(Content::List(actions)) = json.root().get("do").map(Node::content) else { return Ok(()) };
    for (index, action) in actions.iter().enumerate() {
        let Content::Object(members) = action.content() else { continue };
        let mut keys = members.iter().map(|(word, _)| word);
        if let Some(word) = keys.find(|word| !KEYS.contains(word)) {
            let guess = did_you_mean(word, KEYS);
            let known = if guess.is_empty() { format!(" (known: {})", KEYS.join(", ")) } else { guess };
            let message = format!("unknown key \"{word}\"{known}");
            return Err(Error::usage(message).in_field(format!("--player: do[{index}]")));
        }
    }
    Ok(())
}

const fn speed() -> f64 {
    DEFAULT_SPEED
}

const fn within() -> f64 {
    DEFAULT_REACH
}

/// The results of an update of the player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Input {
    /// The object that the player uses.
    pub(super) activated: Option<String>,
    /// The label of the answer that was chosen.
    pub(super) chosen: Option<String>,
    /// The item that was selected.
    pub(super) item: Option<i32>,
    /// A description of an action that failed.
    pub(super) problem: Option<String>,
}

impl PlayerScript {
    pub(super) fn read(json: &Document) -> Result<Self> {
        check_keys(json)?;
        let problem = |error: Error| Error::usage(error.to_string()).in_field("--player");
        let read: Self = json.read().map_err(problem)?;
        let is_finite = |goal: &Goal| match goal {
            Goal::Place(position) => position.iter().all(|it| it.is_finite()),
            Goal::Object(_) => true,
        };
        let is_possible = |action: &Action| match action {
            Action::GoTo { go_to, speed, within } => is_finite(go_to) && *speed > 0.0 && *within >= 0.0,
            _ => true,
        };
        if let Some(index) = read.actions.iter().position(|action| !is_possible(action)) {
            let message = "`speed` must be greater than 0, and `within` must not be negative";
            return Err(Error::usage(message).in_field(format!("--player: do[{index}]")));
        }
        Ok(read)
    }

    /// Refuses unknown objects. Letter case is ignored.
    pub(super) fn check_objects(&self, known: &[&str]) -> Result<()> {
        for (index, action) in self.actions.iter().enumerate() {
            let (word, name) = match action {
                Action::GoTo { go_to: Goal::Object(name), .. } => ("go_to", name),
                Action::Face { face: Face::Object(name) } => ("face", name),
                Action::Activate { activate } => ("activate", activate),
                _ => continue,
            };
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let guess = did_you_mean(name, known.iter().copied());
                let message = format!("the map has no object \"{name}\"{guess}");
                return Err(Error::usage(message).in_field(format!("--player: do[{index}].{word}")));
            }
        }
        Ok(())
    }

    /// Whether all actions are done.
    pub(super) fn is_done(&self) -> bool {
        self.actions.is_empty()
    }

    /// Updates the player. `find` returns the position of an object by name; `was_used` is whether the object of the current
    /// action was used.
    pub(super) fn update(
        &mut self,
        body: &mut Body,
        menu: &mut Menu,
        was_used: bool,
        find: impl Fn(&str) -> Option<[i32; 3]>,
    ) -> Input {
        let mut out = Input::default();
        let Some(action) = self.actions.front().cloned() else { return out };
        let unknown = |name: &str| Some(format!("the map has no object called {name}"));
        let is_done = match action {
            Action::GoTo { go_to, speed, within } => {
                let (goal, within) = match &go_to {
                    Goal::Place(position) => (Some(position.map(fixed)), 0),
                    Goal::Object(name) => (find(name), fixed(within)),
                };
                match goal {
                    Some(goal) => move_towards(body, goal, fixed(speed), within),
                    None => {
                        out.problem = match &go_to {
                            Goal::Object(name) => unknown(name),
                            Goal::Place(_) => None,
                        };
                        true
                    }
                }
            }
            Action::Face { face } => {
                let heading = match &face {
                    Face::Heading(heading) => Some(Angle2048::new(*heading)),
                    Face::Object(name) => find(name).map(|position| body.heading_to(position)),
                };
                match (heading, &face) {
                    (Some(heading), _) => set_heading(body, heading),
                    (None, Face::Object(name)) => out.problem = unknown(name),
                    (None, Face::Heading(_)) => {}
                }
                true
            }
            Action::Activate { .. } if was_used && self.elapsed > 0 => true,
            Action::Activate { activate } => {
                let is_known = find(&activate).is_some();
                let is_timed_out = self.elapsed >= MAX_WAIT;
                if !is_known {
                    out.problem = unknown(&activate);
                } else if is_timed_out {
                    out.problem = Some(format!("{activate} could not be used within {MAX_WAIT} updates"));
                } else {
                    out.activated = Some(activate);
                }
                is_timed_out || !is_known
            }
            Action::Choose { choose } => {
                if menu.is_open {
                    let chosen = menu.choose(|index, answer| match &choose {
                        Choice::Number(number) => index == *number,
                        Choice::Label(label) => answer.label.eq_ignore_ascii_case(label.trim_matches('\'')),
                    });
                    out.chosen = chosen.map(|it| it.label);
                    if out.chosen.is_none() {
                        out.problem = Some("the menu has no such answer".to_owned());
                    }
                    true
                } else {
                    let is_timed_out = self.elapsed >= MAX_WAIT;
                    if is_timed_out {
                        out.problem = Some(format!("no menu was shown within {MAX_WAIT} updates"));
                    }
                    is_timed_out
                }
            }
            Action::Wait { wait } => self.elapsed.saturating_add(1) >= wait,
            Action::Use { select_item } => {
                out.item = Some(select_item);
                true
            }
        };
        if is_done {
            self.actions.pop_front();
            self.elapsed = 0;
        } else {
            self.elapsed = self.elapsed.saturating_add(1);
        }
        out
    }
}

/// Converts world units to fixed point (times 256).
pub(super) fn fixed(number: f64) -> i32 {
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
    let fixed = (number * FRACTION).round() as i32;
    fixed
}

fn set_heading(body: &mut Body, heading: Angle2048) {
    let [pitch, _, roll] = body.angles;
    body.angles = [pitch, heading.get(), roll];
}

/// Moves a step towards a position; returns whether it is reached.
fn move_towards(body: &mut Body, goal: [i32; 3], step: i32, within: i32) -> bool {
    let left = distance(body.position, goal);
    if left <= within {
        return true;
    }
    set_heading(body, body.heading_to(goal));
    if left <= step && within == 0 {
        body.position = goal;
        return true;
    }
    let direction = normal(difference(goal, body.position));
    for (coordinate, direction) in body.position.iter_mut().zip(direction) {
        *coordinate = coordinate.wrapping_add(scaled(direction, step));
    }
    distance(body.position, goal) <= within
}

/// Scales a component of a direction vector of length 65536.
pub(super) fn scaled(direction: i32, step: i32) -> i32 {
    let product = i64::from(direction).wrapping_mul(step.into()) >> 16;
    i32::try_from(product).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use json::{Value, json};

    use super::super::body::Role;
    use super::*;

    fn run(script: &Value, updates: usize) -> (Body, Vec<Input>) {
        let mut script = PlayerScript::read(&Document::from(script)).unwrap();
        let mut body = Body::new(Role::Player);
        let mut menu = Menu::default();
        menu.add("ab01".to_owned(), 5);
        menu.add("ab02".to_owned(), 6);
        menu.is_open = true;
        let find = |name: &str| (name == "DOOR").then_some([0, 0, 256 * 100]);
        let mut was_used = false;
        let update = |_| {
            let input = script.update(&mut body, &mut menu, was_used, find);
            was_used = input.activated.is_some();
            input
        };
        let inputs = (0..updates).map(update).collect();
        (body, inputs)
    }

    #[test]
    fn the_player_moves_at_its_speed() {
        let script = json!({"do": [{"go_to": [30, 0, 0], "speed": 8}, {"go_to": "DOOR", "within": 60}]});
        let (body, _) = run(&script, 4);
        assert_eq!((body.position, body.heading().get()), ([30 * 256, 0, 0], 1536));
        let (body, _) = run(&script, 60);
        assert!(distance(body.position, [0, 0, 25_600]) <= 60 * 256);
        assert!(distance(body.position, [0, 0, 25_600]) > 50 * 256);
    }

    #[test]
    fn uses_objects_and_chooses_answers() {
        let script =
            json!({"do": [{"activate": "DOOR"}, {"choose": "ab02"}, {"face": 512}, {"activate": "GATE"}]});
        let (body, inputs) = run(&script, 5);
        assert_eq!(inputs[0].activated.as_deref(), Some("DOOR"));
        // An object is only used once.
        assert_eq!(inputs[1].activated, None);
        assert_eq!(inputs[2].chosen.as_deref(), Some("ab02"));
        assert_eq!(body.heading().get(), 512);
        assert_eq!(inputs[4].problem.as_deref(), Some("the map has no object called GATE"));
    }

    #[test]
    fn refuses_unknown_objects_with_a_suggestion() {
        let check = |script: Value| {
            PlayerScript::read(&Document::from(&script)).unwrap().check_objects(&["KEEPER", "DOOR"])
        };
        assert!(check(json!({"do": [{"go_to": "keeper"}, {"face": "DOOR"}, {"go_to": [1, 2, 3]}]})).is_ok());
        let message = check(json!({"do": [{"face": 5}, {"go_to": "KEEPR"}]})).unwrap_err().to_string();
        assert_eq!(
            message,
            "--player: do[1].go_to: the map has no object \"KEEPR\"; did you mean \"KEEPER\"?"
        );
        assert!(
            check(json!({"do": [{"activate": "X"}]})).unwrap_err().to_string().ends_with("no object \"X\"")
        );
        assert!(check(json!({"do": [{"face": "DOR"}]})).is_err());
    }

    #[test]
    fn refuses_invalid_scripts() {
        let refused = |json: Value| PlayerScript::read(&Document::from(&json)).unwrap_err().to_string();
        assert!(
            refused(json!({"do": [{"fly": 1}]})).starts_with("--player: do[0]: unknown key \"fly\" (known: ")
        );
        let message = refused(json!({"do": [{"wait": 1}, {"activat": "X"}]}));
        assert_eq!(message, "--player: do[1]: unknown key \"activat\"; did you mean \"activate\"?");
        assert!(refused(json!({"do": [{"speed": 1}]})).starts_with("--player: "));
        assert!(refused(json!({"do": [{"go_to": [0, 0, 0], "speed": -1}]})).starts_with("--player: do[0]: "));
    }
}
