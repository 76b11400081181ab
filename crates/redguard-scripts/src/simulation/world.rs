//! The world of a map, as seen by scripts, and its updates.

use std::borrow::Cow;
use std::sync::Arc;

use asset::thousands;
use json::{Document, Node, Value, json};
use record::{Error, Result};
use serde::{Deserialize, Serialize};
use soup::machine::{
    Actor, Declarations, FaultCode, Invocation, Machine, ObjectName, Random, State, World, actor_state,
    flag_states, restore_actor, restore_flags,
};

use super::body::{Body, BodyState, Role, attribute};
use super::call::Call;
use super::dialogue::Spoken;
use super::event::{Reach, SessionEventKind, Watched};
use super::function::FUNCTIONS;
use super::game::Game;
use super::item::{self, Inventory};
use super::player::PlayerScript;
use super::save;
use super::session::SessionWorld;
use super::window;
use redguard_files::save::Save;
use redguard_world::engine::clock::NOMINAL_TICKS_PER_SECOND;
use redguard_world::engine::rotation::distance;
use redguard_world::number::float;
use redguard_world::world::{ObjectPose, Pose};

/// The maximum number of placeholders for objects that the map does not have.
const MAX_STAND_INS: usize = 4096;

impl Game {
    /// Applies the player's inputs for this update.
    fn play(&mut self) {
        let mut inputs = std::mem::take(&mut self.inputs);
        let mut menu = std::mem::take(&mut self.menu);
        let mut body = self.body(self.player).clone();
        let was_used = std::mem::take(&mut self.was_used);
        let find = |name: &str| Some(self.body(self.find(name)?).position);
        let input = inputs.update(&mut body, &mut menu, was_used, find);
        (self.inputs, self.menu) = (inputs, menu);
        let player = self.player;
        *self.body_mut(player) = body;
        self.activated = input.activated.as_deref().and_then(|name| self.find(name));
        if let Some(label) = input.chosen {
            let text = format!("answers {}", self.quoted(&label));
            self.record(player, SessionEventKind::Line, &label, text);
        }
        if let Some(item) = input.item {
            self.items.selected = item;
        }
        if let Some(problem) = input.problem {
            self.record(player, SessionEventKind::Recorded, "player", problem);
        }
    }

    /// Advances the time of the spoken line, which ends if its speaker is too far away.
    fn speak(&mut self) {
        let Some(spoken) = self.spoken.take() else { return };
        let range = distance(self.body(spoken.actor).position, self.body(self.player).position);
        let is_heard = spoken.actor == self.player || self.facts.settings.dialog.is_heard(range);
        let left = spoken.left.saturating_sub(self.ticks.nominal);
        self.spoken = (is_heard && left > 0).then_some(Spoken { left, ..spoken });
    }
}

impl World for Game {
    fn call(
        &mut self,
        call: &mut Invocation<'_>,
        state: &mut State,
        _: &Declarations,
    ) -> std::result::Result<Option<i32>, FaultCode> {
        let index = self.facts.functions.get(usize::from(call.function)).copied().flatten();
        let Some((_, run, ..)) = index.and_then(|it| FUNCTIONS.get(it)) else { return Ok(None) };
        run(&mut Call { game: self, it: call, state }).map(Some)
    }

    fn fallback(&mut self, call: &Invocation<'_>, _: &mut State) -> i32 {
        if self.recorded.insert(call.function) {
            let name = self.facts.code.declarations.function(call.function).to_owned();
            let text = format!("{name} is not simulated; the call is recorded and returns 0");
            self.record(call.actor, SessionEventKind::Recorded, &name, text);
        }
        0
    }

    fn object(&mut self, name: ObjectName<'_>, state: &mut State) -> std::result::Result<usize, FaultCode> {
        let known = match name {
            ObjectName::Me => None,
            ObjectName::Player => Some(self.player),
            ObjectName::Camera => self.camera,
            ObjectName::Named(name) => self.find(name),
            ObjectName::Id(id) => self.bodies.iter().position(|it| it.id == id && id > 0),
        };
        if let Some(known) = known {
            return Ok(known);
        }
        if self.stand_ins >= MAX_STAND_INS {
            return Err(FaultCode::TooManyObjects);
        }
        self.stand_ins = self.stand_ins.saturating_add(1);
        let name = name.to_string();
        let text = format!("the map has no object called {name}; calls on it have no effect");
        let number = self.add(Actor::without_script(name.clone()), Body::new(Role::StandIn), state);
        self.record(number, SessionEventKind::Recorded, &name, text);
        self.names.insert(name.to_lowercase(), number);
        Ok(number)
    }

    fn property(&mut self, actor: usize, reference: u16, state: &mut State) -> i32 {
        let field = self.facts.fields.get(usize::from(reference)).copied().flatten();
        let known = field.and_then(|it| it.read(self.body(actor), state.actors.get(actor)?));
        known.or_else(|| self.body(actor).properties.get(&reference).copied()).unwrap_or_default()
    }

    fn set_property(&mut self, actor: usize, reference: u16, value: i32, state: &mut State) {
        let field = self.facts.fields.get(usize::from(reference)).copied().flatten();
        let body = self.body_mut(actor);
        let is_known = match (field, state.actors.get_mut(actor)) {
            (Some(field), Some(it)) => field.write(value, body, it),
            _ => false,
        };
        if !is_known {
            body.properties.insert(reference, value);
        }
    }

    fn on_end(&mut self, actor: usize, _: &mut State) {
        let body = self.body_mut(actor);
        (body.group_post, body.user_post) = (0, 0);
        if self.activated == Some(actor) {
            self.activated = None;
        }
    }
}

/// The serialized state of a world.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct GameState<'a> {
    random: u32,
    items: Inventory,
    player: Cow<'a, PlayerScript>,
    /// The actor that speaks, the label of the line, and the remaining ticks.
    spoken: Option<(usize, String, u32)>,
    menu_choice: i32,
    /// Whether only actors that are near the player or active are updated.
    #[serde(default)]
    windowed: bool,
}

impl SessionWorld for Game {
    fn boxed_clone(&self) -> Box<dyn SessionWorld> {
        Box::new(self.clone())
    }

    fn begin_update(&mut self, state: &mut State) -> Vec<usize> {
        state.update = state.update.saturating_add(1);
        state.frame_scale = self.ticks.scale.0;
        self.play();
        if let Some(only) = self.only {
            return vec![only];
        }
        let shells: Vec<usize> = self.shells(state).map(|(it, _)| it).collect();
        let of_role = |role: Role| {
            let bodies = self.bodies.iter().enumerate();
            bodies.filter(move |(_, it)| it.role == role).map(|(number, _)| number)
        };
        let view =
            self.is_windowed.then(|| window::view(self.body(self.player), &self.facts.settings.camera));
        let is_updated =
            |number: &usize| view.is_none_or(|view| window::is_updated(self.body(*number), view));
        let placed = of_role(Role::Placed).filter(is_updated);
        let actors = placed.chain([self.player]).chain(self.camera);
        shells.into_iter().chain(actors).chain(of_role(Role::Temporary)).collect()
    }

    fn before(&mut self, actor: usize, state: &mut State) -> bool {
        let ticks = self.ticks;
        let body = self.body_mut(actor);
        if body.role != Role::Player {
            (body.last_position, body.last_angles) = (body.position, body.angles);
        }
        body.animate(ticks);
        if body.role == Role::Temporary {
            self.kept = Some((actor, self.body(actor).attributes.clone()));
        }
        state.actors.get(actor).is_some_and(|it| !it.program.is_empty() || it.hook.is_some())
    }

    fn after(&mut self, actor: usize, _: &mut State) {
        if let Some((kept, attributes)) = self.kept.take() {
            self.body_mut(kept).attributes = attributes;
        }
        self.body_mut(actor).end_update();
    }

    fn end_update(&mut self, _: &mut State) {
        self.attachments.follow(&mut self.bodies);
        self.speak();
        let groups = self.members(|it| (it.attribute(attribute::GROUP), it.group_post));
        self.groups.release_groups(&groups);
        let users = self.members(|it| (it.attribute(attribute::USER), it.user_post));
        self.users.release_users(&users);
        self.activated = None;
        let player = self.player;
        let body = self.body_mut(player);
        (body.last_position, body.last_angles) = (body.position, body.angles);
        self.updates = self.updates.saturating_add(1);
    }

    fn focus(&self) -> Option<usize> {
        self.only
    }

    fn waits_for(&self) -> Option<String> {
        let is_waiting = self.menu.is_open && self.inputs.is_done();
        let answer = |it: &super::dialogue::Answer| format!("{} = {}", it.value, self.quoted(&it.label));
        is_waiting.then(|| {
            let answers: Vec<String> = self.menu.answers.iter().map(answer).collect();
            format!("a choice of the player: {} (set menu = VALUE chooses)", answers.join(", "))
        })
    }

    fn state(&self, machine: &Machine) -> Document {
        let actors: Vec<Value> = machine
            .state
            .actors
            .iter()
            .enumerate()
            .map(|(number, actor)| {
                let mut out = json!({ "actor": actor.name, "placement": self.body(number).placement });
                if let (Value::Object(out), Value::Object(script)) = (&mut out, actor_state(actor)) {
                    out.extend(script);
                    out.insert("body".to_owned(), json!(self.body(number).state()));
                }
                out
            })
            .collect();
        let spoken = self.spoken.as_ref().map(|it| (it.actor, it.label.clone(), it.left));
        let game = GameState {
            random: machine.state.random.state(),
            items: self.items.clone(),
            player: Cow::Borrowed(&self.inputs),
            spoken,
            menu_choice: self.menu.chosen,
            windowed: self.is_windowed,
        };
        let own = self.only.and_then(|only| machine.state.actors.get(only)).map(actor_state);
        Document::object(|out| {
            out.put("update", &machine.state.update);
            out.put("flags", &flag_states(&machine.state, &machine.declarations));
            out.put("game", &game);
            out.put("actors", &actors);
            for (name, value) in own.as_ref().and_then(Value::as_object).into_iter().flatten() {
                out.put(name, value);
            }
        })
    }

    fn restore(&mut self, state: &Document, machine: &mut Machine) -> Result<()> {
        let problem = |error: &dyn std::fmt::Display| Error::usage(format!("--state: {error}"));
        let declarations = Arc::clone(&machine.declarations);
        let node = |name: &str| state.root().get(name);
        let member = |name: &str| node(name).map(Node::to_value).unwrap_or_default();
        restore_flags(&mut machine.state, &member("flags"), &declarations).map_err(|it| problem(&it))?;
        let game = GameState::deserialize(member("game")).map_err(|it| problem(&it))?;
        let actors = member("actors");
        let actors = actors.as_array().ok_or_else(|| problem(&"expected a list of actors"))?;
        let programs: Vec<_> = machine.state.actors.iter().map(|it| Arc::clone(&it.program)).collect();
        for (number, actor) in actors.iter().enumerate() {
            let name = actor.get("actor").and_then(Value::as_str).unwrap_or_default();
            let known = machine.state.actors.get_mut(number).filter(|it| it.name == name);
            let Some(known) = known else {
                // Shells and placeholders that were added later.
                self.open_shell(name, &mut machine.state);
                continue;
            };
            restore_actor(known, actor, &programs, &declarations).map_err(|it| problem(&it))?;
            let body =
                actor.get("body").map(BodyState::deserialize).transpose().map_err(|it| problem(&it))?;
            if let Some(body) = body {
                self.body_mut(number).restore(body);
            }
        }
        machine.state.random = Random::new(game.random);
        machine.state.update =
            member("update").as_u64().map_or(0, |it| u32::try_from(it).unwrap_or(u32::MAX));
        self.updates = machine.state.update;
        self.items = game.items;
        self.menu.chosen = game.menu_choice;
        self.is_windowed |= game.windowed && self.reach == Reach::AroundPlayer;
        if self.inputs.is_done() {
            self.inputs = game.player.into_owned();
        }
        self.spoken = game.spoken.map(|(actor, label, left)| Spoken { actor, label, left });
        Ok(())
    }

    fn load(&mut self, save: &Save) -> Result<()> {
        save.items().map_or(Ok(()), |items| item::load(&mut self.items, items))
    }

    fn store(&self, save: &mut Save) {
        if let Some(items) = save::items(save) {
            item::store(&self.items, items);
        }
    }

    fn take_pending_events(&mut self) -> Vec<(usize, SessionEventKind, String, String)> {
        let mut out = std::mem::take(&mut self.events);
        let dropped_events = std::mem::take(&mut self.dropped_events);
        if let Some((actor, kind, ..)) = out.last().filter(|_| dropped_events > 0) {
            out.push((*actor, *kind, String::new(), format!("... and {} more", thousands(dropped_events))));
        }
        out
    }

    fn watch(&self, actor: usize) -> Vec<Watched> {
        let body = self.body(actor);
        let [x, y, z] = body.position;
        let [pitch, heading, roll] = body.angles;
        let watched = |group, name: String, value: String| Watched { group, name, value };
        let mut out = vec![
            watched("place", "position".to_owned(), format!("{x} {y} {z}")),
            watched("place", "angles".to_owned(), format!("{pitch} {heading} {roll}")),
            watched(
                "animation",
                "group".to_owned(),
                format!("{:?}", body.playback.group().unwrap_or_default()),
            ),
            watched(
                "animation",
                "frame".to_owned(),
                format!("{:?}", body.playback.frame().unwrap_or_default()),
            ),
        ];
        if !self.menu.answers.is_empty() {
            let shown = if self.menu.is_open { "open".to_owned() } else { self.menu.chosen.to_string() };
            out.push(watched("menu", "menu".to_owned(), shown));
        }
        let definitions = &self.facts.code.declarations.definitions;
        for (number, value) in body.attributes.iter().enumerate().filter(|(_, value)| **value != 0) {
            let name =
                definitions.attribute(number).map_or_else(|| format!("attribute_{number}"), str::to_owned);
            out.push(watched("attribute", name, value.to_string()));
        }
        out
    }

    fn set(&mut self, actor: usize, name: &str, value: i32) -> bool {
        if name.eq_ignore_ascii_case("menu") && self.menu.is_open {
            return self.menu.choose(|_, answer| answer.value == value).is_some();
        }
        let numbered = name.strip_prefix("attribute_").and_then(|it| it.parse().ok());
        let named = self.facts.code.declarations.definitions.attribute_number(name);
        match named.or(numbered).filter(|it| *it < 256) {
            Some(number) => self.body_mut(actor).set_attribute(number, value),
            None => return false,
        }
        true
    }

    fn pose(&self) -> Option<Pose> {
        let updates = float(i32::try_from(self.updates).unwrap_or(i32::MAX));
        let objects = self.bodies.iter().enumerate().filter_map(|(number, body)| {
            Some(ObjectPose {
                object: body.placement?,
                position: body.position,
                orientation: self.attachments.orientation(number, &self.bodies).0,
                frame: body.playback.frame(),
                is_visible: !body.is_hidden,
            })
        });
        Some(Pose { seconds: updates / NOMINAL_TICKS_PER_SECOND, objects: objects.collect() })
    }
}
