//! What the player does: a script of inputs.
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
//! Actions follow one another. Places are world units, speeds world units an update, waits updates, headings 2048ths of a turn.

use std::collections::VecDeque;

use files::suggest::did_you_mean;
use json::{Content, Document, Node};
use record::{Error, Result};
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::dialogue::Menu;
use redguard_world::engine::rotation::{Angle2048, difference, distance, normal};

/// World units are stored times this.
const FRACTION: f64 = 256.0;

/// World units that the player goes in an update, where nothing is said.
const SPEED: f64 = 8.0;

/// How near it goes to an object, where nothing is said.
const WITHIN: f64 = 50.0;

/// So many updates it waits for a menu, or until an object can be used.
const PATIENCE: u32 = 600;

/// A script of inputs.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PlayerScript {
    pub(super) start: Start,
    #[serde(rename = "do")]
    actions: VecDeque<Action>,
    /// For how many updates the action has gone on.
    elapsed: u32,
}

/// Where the player stands first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Start {
    /// A marker of the map, by its number.
    pub(super) marker: Option<usize>,
    /// A place in world units.
    pub(super) position: Option<[f64; 3]>,
    /// Where it looks.
    pub(super) heading: i32,
}

/// A place, or what stands there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Goal {
    Place([f64; 3]),
    Object(String),
}

/// An answer, by its number from 0 on or its label.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Choice {
    Number(usize),
    Label(String),
}

/// Something that the player does.
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

/// Where it looks: a heading, or an object.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Face {
    Heading(i32),
    Object(String),
}

/// The words of actions.
const WORDS: [&str; 8] = ["go_to", "speed", "within", "face", "activate", "choose", "wait", "select_item"];

/// Refuses an action with a word that none has.
fn check_words(json: &Document) -> Result<()> {
    let Some(Content::List(actions)) = json.root().get("do").map(Node::content) else { return Ok(()) };
    for (index, action) in actions.iter().enumerate() {
        let Content::Object(members) = action.content() else { continue };
        let mut words = members.iter().map(|(word, _)| word);
        if let Some(word) = words.find(|word| !WORDS.contains(word)) {
            let guess = did_you_mean(word, WORDS);
            let known = if guess.is_empty() { format!(" (known: {})", WORDS.join(", ")) } else { guess };
            let message = format!("unknown word \"{word}\"{known}");
            return Err(Error::usage(message).in_field(format!("--player: do[{index}]")));
        }
    }
    Ok(())
}

const fn speed() -> f64 {
    SPEED
}

const fn within() -> f64 {
    WITHIN
}

/// What an update of the player leads to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Input {
    /// The object that is used.
    pub(super) activated: Option<String>,
    /// The label of the answer that was chosen.
    pub(super) chosen: Option<String>,
    /// The item that was selected.
    pub(super) item: Option<i32>,
    /// What could not be done.
    pub(super) problem: Option<String>,
}

impl PlayerScript {
    pub(super) fn read(json: &Document) -> Result<Self> {
        check_words(json)?;
        let problem = |error: Error| Error::usage(error.to_string()).in_field("--player");
        let read: Self = json.read().map_err(problem)?;
        let is_finite = |goal: &Goal| match goal {
            Goal::Place(place) => place.iter().all(|it| it.is_finite()),
            Goal::Object(_) => true,
        };
        let is_possible = |action: &Action| match action {
            Action::GoTo { go_to, speed, within } => is_finite(go_to) && *speed > 0.0 && *within >= 0.0,
            _ => true,
        };
        if let Some(index) = read.actions.iter().position(|action| !is_possible(action)) {
            let message = "a speed is greater than 0, and `within` is not less than 0";
            return Err(Error::usage(message).in_field(format!("--player: do[{index}]")));
        }
        Ok(read)
    }

    /// Refuses objects that are not known. Letter case does not count.
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

    /// Whether nothing is left to do.
    pub(super) fn is_done(&self) -> bool {
        self.actions.is_empty()
    }

    /// One update of the player. `find` gives the place of an object by its name, `was_used` tells whether the object was used that was to be.
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
                    Goal::Place(place) => (Some(place.map(fixed)), 0),
                    Goal::Object(name) => (find(name), fixed(within)),
                };
                match goal {
                    Some(goal) => go_to_place(body, goal, fixed(speed), within),
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
                    Face::Object(name) => find(name).map(|place| body.heading_to(place)),
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
                let is_late = self.elapsed >= PATIENCE;
                if !is_known {
                    out.problem = unknown(&activate);
                } else if is_late {
                    out.problem = Some(format!("{activate} could not be used within {PATIENCE} updates"));
                } else {
                    out.activated = Some(activate);
                }
                is_late || !is_known
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
                    let is_late = self.elapsed >= PATIENCE;
                    if is_late {
                        out.problem = Some(format!("no menu was shown within {PATIENCE} updates"));
                    }
                    is_late
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

/// A number of world units times 256.
pub(super) fn fixed(number: f64) -> i32 {
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is meant")]
    let fixed = (number * FRACTION).round() as i32;
    fixed
}

fn set_heading(body: &mut Body, heading: Angle2048) {
    let [pitch, _, roll] = body.angles;
    body.angles = [pitch, heading.get(), roll];
}

/// Goes a step towards a place; whether it is there.
fn go_to_place(body: &mut Body, goal: [i32; 3], step: i32, within: i32) -> bool {
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
    for (place, direction) in body.position.iter_mut().zip(direction) {
        *place = place.wrapping_add(scaled(direction, step));
    }
    distance(body.position, goal) <= within
}

/// A part of a direction with the length 65536.
pub(super) fn scaled(direction: i32, step: i32) -> i32 {
    let way = i64::from(direction).wrapping_mul(step.into()) >> 16;
    i32::try_from(way).unwrap_or_default()
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
    fn the_player_goes_at_its_speed() {
        let script = json!({"do": [{"go_to": [30, 0, 0], "speed": 8}, {"go_to": "DOOR", "within": 60}]});
        let (body, _) = run(&script, 4);
        assert_eq!((body.position, body.heading().get()), ([30 * 256, 0, 0], 1536));
        let (body, _) = run(&script, 60);
        assert!(distance(body.position, [0, 0, 25_600]) <= 60 * 256);
        assert!(distance(body.position, [0, 0, 25_600]) > 50 * 256);
    }

    #[test]
    fn objects_are_used_and_answers_chosen() {
        let script =
            json!({"do": [{"activate": "DOOR"}, {"choose": "ab02"}, {"face": 512}, {"activate": "GATE"}]});
        let (body, inputs) = run(&script, 5);
        assert_eq!(inputs[0].activated.as_deref(), Some("DOOR"));
        // What was used is not used again.
        assert_eq!(inputs[1].activated, None);
        assert_eq!(inputs[2].chosen.as_deref(), Some("ab02"));
        assert_eq!(body.heading().get(), 512);
        assert_eq!(inputs[4].problem.as_deref(), Some("the map has no object called GATE"));
    }

    #[test]
    fn objects_that_the_map_does_not_have_are_refused_with_the_nearest() {
        let check = |script: Value| {
            PlayerScript::read(&Document::from(&script)).unwrap().check_objects(&["KEEPER", "DOOR"])
        };
        assert!(check(json!({"do": [{"go_to": "keeper"}, {"face": "DOOR"}, {"go_to": [1, 2, 3]}]})).is_ok());
        let told = check(json!({"do": [{"face": 5}, {"go_to": "KEEPR"}]})).unwrap_err().to_string();
        assert_eq!(told, "--player: do[1].go_to: the map has no object \"KEEPR\"; did you mean \"KEEPER\"?");
        assert!(
            check(json!({"do": [{"activate": "X"}]})).unwrap_err().to_string().ends_with("no object \"X\"")
        );
        assert!(check(json!({"do": [{"face": "DOR"}]})).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        let refused = |json: Value| PlayerScript::read(&Document::from(&json)).unwrap_err().to_string();
        assert!(
            refused(json!({"do": [{"fly": 1}]}))
                .starts_with("--player: do[0]: unknown word \"fly\" (known: ")
        );
        let told = refused(json!({"do": [{"wait": 1}, {"activat": "X"}]}));
        assert_eq!(told, "--player: do[1]: unknown word \"activat\"; did you mean \"activate\"?");
        assert!(refused(json!({"do": [{"speed": 1}]})).starts_with("--player: "));
        assert!(refused(json!({"do": [{"go_to": [0, 0, 0], "speed": -1}]})).starts_with("--player: do[0]: "));
    }
}
