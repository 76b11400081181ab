//! Builds a world from a map.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use record::{Error, Result};
use soup::machine::{Actor, Machine};

use super::body::{Body, Role};
use super::dialogue::Lines;
use super::event::{Reach, SessionRequest};
use super::function;
use super::game::{Facts, Game, Start};
use super::paths::Paths;
use super::player::{PlayerScript, fixed};
use super::session::ScriptSession;
use super::{ActorEntry, Code, Scripts, actor_entry, limit};
use crate::script::ScriptContext;
use redguard_files::settings::ini::item::table::ItemTable;
use redguard_files::settings::ini::system::System;
use redguard_files::settings::ini::world::stem_of;
use redguard_world::engine::settings::Settings;
use redguard_world::map::ActorTable;
use redguard_world::map::{Object, Placement};

/// The number of IDs reserved before the actors of a map: at least this number of active objects, and the engine's objects.
const MIN_ACTIVE_OBJECTS: i32 = 10;
const ENGINE_IDS: i32 = 3;

/// The IDs of the player and the camera.
const PLAYER_ID: i32 = 1;
const CAMERA_ID: i32 = 2;

/// The kinds of placements.
mod kind {
    pub(super) const SEPARATE: u8 = 2;
    pub(super) const LIGHT: u8 = 6;
}

/// Creates the session of an entire map, or of a single actor in it.
pub(super) fn session(
    scripts: &Scripts<'_>,
    code: &Arc<Code>,
    script_context: &ScriptContext<'_>,
    request: &SessionRequest,
) -> Result<ScriptSession> {
    let mut builder = WorldBuilder::new(scripts, code, System::of_game(&script_context.context));
    builder.shells(script_context.file_name);
    builder.placements(request);
    let inputs = request.player.as_ref().map(PlayerScript::read).transpose()?.unwrap_or_default();
    let player = builder.engine_object("CYRUS", Role::Player, PLAYER_ID);
    builder.place_player(player, &inputs)?;
    let camera = builder.engine_object("CAMERA", Role::Camera, CAMERA_ID);
    let objects: Vec<_> = scripts.map.objects().iter().map(|object| object.name.text()).collect();
    let mut aliases: Vec<_> = builder.names.keys().map(String::as_str).collect();
    aliases.sort_unstable();
    let names = objects.iter().map(|name| &**name).chain(aliases);
    inputs.check_objects(&names.collect::<Vec<_>>())?;
    let only = match &request.actor {
        Some(name) => Some(builder.find(name, request.instance)?),
        None => None,
    };
    let shell_scripts = builder.scripts_for_shells();
    let paths = Paths::of(scripts.map.walk_maps());
    let markers = scripts.map.markers().iter().map(|it| it.position.map(|it| it.wrapping_shl(8))).collect();
    let functions = function::indices(&code.declarations);
    let facts = Facts::new(code, functions, paths, builder.settings, markers, shell_scripts);
    let mut machine = Machine::new(Arc::clone(&code.declarations), builder.actors);
    machine.limit = limit(request);
    let mut game = Game::new(Start {
        facts,
        bodies: builder.bodies,
        names: builder.names,
        player,
        camera: Some(camera),
        shells: builder.shells,
        item_table: ItemTable::of_game(&script_context.context).unwrap_or_default(),
        lines: Lines::of_game(&script_context.context),
        inputs,
        reach: request.reach,
    });
    game.only = only;
    game.is_windowed = request.player.is_some() && request.reach == Reach::AroundPlayer;
    let entries = builder.entries;
    Ok(ScriptSession::new(Arc::clone(code), machine, Box::new(game), entries))
}

/// Builds the actors of a map.
struct WorldBuilder<'a, 'b> {
    scripts: &'a Scripts<'b>,
    code: &'a Code,
    system: Arc<System>,
    settings: Settings,
    actors: Vec<Actor>,
    bodies: Vec<Body>,
    entries: Vec<ActorEntry>,
    names: HashMap<String, usize>,
    shells: Vec<usize>,
    /// The actor of each object, created once, because all instances share its code.
    templates: HashMap<usize, Actor>,
    /// The initial variables of each object, by instance.
    variables: HashMap<usize, Vec<&'a [i32]>>,
    /// The animation groups and locations of each object.
    shared: HashMap<usize, Body>,
}

impl<'a, 'b> WorldBuilder<'a, 'b> {
    fn new(scripts: &'a Scripts<'b>, code: &'a Code, system: Arc<System>) -> Self {
        Self {
            scripts,
            code,
            settings: Settings::of_system(&system),
            system,
            actors: Vec::new(),
            bodies: Vec::new(),
            entries: Vec::new(),
            names: HashMap::new(),
            shells: Vec::new(),
            templates: HashMap::new(),
            variables: HashMap::new(),
            shared: HashMap::new(),
        }
    }

    fn add(&mut self, object: Option<usize>, instance: usize, actor: Actor, body: Body) -> usize {
        let number = self.actors.len();
        let mut entry = actor_entry(0, actor.name.clone(), instance, &actor);
        entry.object = object;
        self.entries.push(entry);
        self.actors.push(actor);
        self.bodies.push(body);
        number
    }

    /// Creates an instance of an object. Objects that are not placed also have variables, initialized to 0.
    fn actor(&mut self, index: usize, object: &Object, instance: usize) -> Actor {
        let (scripts, code) = (self.scripts, self.code);
        let template = self.templates.entry(index).or_insert_with(|| code.actor(scripts, object, 0));
        let mut actor = template.clone();
        let read = || scripts.sections.variables(object).unwrap_or_default();
        let variables = self.variables.entry(index).or_insert_with(read);
        let count = usize::try_from(object.variable_count).unwrap_or_default().min(256);
        actor.locals = match variables.get(instance) {
            Some(values) => values.to_vec(),
            None => vec![0; count],
        };
        actor
    }

    /// Creates the initial body of an object's placement.
    fn body(&mut self, index: usize, object: &Object, role: Role) -> Body {
        let sections = &self.scripts.sections;
        let shared = self.shared.entry(index).or_insert_with(|| {
            let mut body = Body::new(role);
            body.groups = Arc::new(sections.animation_groups(object).unwrap_or_default());
            body.locations = Arc::new(sections.locations(object).map(<[_]>::to_vec).unwrap_or_default());
            if let Some(attributes) = sections.attributes(object) {
                *body.attributes = *attributes;
            }
            body
        });
        Body { role, ..shared.clone() }
    }

    /// Adds the scripts without objects: the map's own script, COMMON and DEBUG, newest first.
    fn shells(&mut self, file_name: &str) {
        let stem = stem_of(file_name);
        let is_final = self.system.integer("debug", "final_version") != 0;
        let debug = (!is_final).then_some("DEBUG");
        for name in [Some(stem), Some("COMMON"), debug].into_iter().flatten() {
            let Some(index) = self.scripts.by_name(name) else { continue };
            let Some(object) = self.scripts.map.objects().get(index) else { continue };
            let actor = self.actor(index, object, 0);
            if !actor.program.is_empty() {
                let number = self.add(Some(index), 0, actor, Body::new(Role::Shell));
                self.shells.push(number);
            }
        }
    }

    /// Adds all placements of the map, in order.
    fn placements(&mut self, request: &SessionRequest) {
        let map = self.scripts.map;
        let cast = ActorTable::of(map);
        let active = self.system.integer("system", "max_active_objects").max(MIN_ACTIVE_OBJECTS);
        let mut id = active.saturating_add(ENGINE_IDS);
        let mut counter = 0_u8;
        for (number, placement) in map.placements().iter().enumerate() {
            let is_temporary = matches!(placement.kind, kind::SEPARATE | kind::LIGHT);
            if !is_temporary {
                id = id.saturating_add(if placement.is_active == 0 { 1 } else { 2 });
            }
            if placement.kind == kind::LIGHT && !is_of_world(placement, request.world) {
                continue;
            }
            let role = if is_temporary { Role::Temporary } else { Role::Placed };
            let (actor, body, object, instance) = match cast.object_of.get(number).copied().flatten() {
                Some((index, instance)) => {
                    let Some(object) = map.objects().get(index) else { continue };
                    let actor = self.actor(index, object, instance);
                    (actor, self.body(index, object, role), Some(index), instance)
                }
                None => {
                    let name = placement.object.text();
                    (Actor::without_script(name), Body::new(role), None, 0)
                }
            };
            let mut body = body.at(placement.position, placement.angles);
            body.placement = Some(number);
            body.is_active = placement.is_active != 0;
            body.id = if is_temporary { 0 } else { id };
            counter = counter.wrapping_add(1);
            body.set_load_defaults(counter, &self.settings.jump);
            let name = actor.name.to_lowercase();
            let alias = object.and_then(|it| map.objects().get(it));
            let alias = alias.and_then(|it| self.scripts.sections.alias(it)).unwrap_or_default();
            let known = self.add(object, instance, actor, body);
            // Scripts refer to an object by its alias.
            for name in [alias.to_lowercase(), name] {
                if !name.is_empty() {
                    self.names.entry(name).or_insert(known);
                }
            }
        }
    }

    /// Adds an object of the engine, which has no placement.
    fn engine_object(&mut self, name: &str, role: Role, id: i32) -> usize {
        let object = self.scripts.by_name(name);
        let found = object.and_then(|index| Some((index, self.scripts.map.objects().get(index)?)));
        let (actor, mut body) = match found {
            Some((index, object)) => (self.actor(index, object, 0), self.body(index, object, role)),
            None => (Actor::without_script(name), Body::new(role)),
        };
        body.id = id;
        body.set_load_defaults(0, &self.settings.jump);
        let number = self.add(object, 0, actor, body);
        self.names.insert(name.to_lowercase(), number);
        number
    }

    /// Moves the player to its initial position: as specified by the inputs, otherwise the first marker.
    fn place_player(&mut self, player: usize, inputs: &PlayerScript) -> Result<()> {
        let markers = self.scripts.map.markers();
        let of_marker =
            |number: usize| markers.get(number).map(|it| it.position.map(|it| it.wrapping_shl(8)));
        let position = match (inputs.start.position, inputs.start.marker) {
            (Some(position), _) => Some(position.map(fixed)),
            (None, Some(number)) => match of_marker(number) {
                Some(position) => Some(position),
                None => {
                    let message = format!("the map has {} markers, numbered from 0", markers.len());
                    return Err(Error::usage(message).in_field("--player: start.marker"));
                }
            },
            (None, None) => of_marker(0),
        };
        if let Some(body) = self.bodies.get_mut(player) {
            let heading = [0, inputs.start.heading & 2047, 0];
            *body = body.clone().at(position.unwrap_or_default(), heading);
            if body.attribute(super::body::attribute::HEALTH) == 0 {
                body.set_attribute(super::body::attribute::HEALTH, 100);
            }
        }
        Ok(())
    }

    /// Returns the index of an actor by its name, or by `#` and the index of its object.
    fn find(&self, name: &str, instance: usize) -> Result<usize> {
        let index = self.scripts.find(name)?;
        let mut same = self.entries.iter().enumerate().filter(|(_, it)| it.object == Some(index));
        let placed = same.clone().count();
        let found = same.find(|(_, it)| it.instance == instance).map(|(number, _)| number);
        found.ok_or_else(|| {
            let message = match placed {
                0 => format!("the map does not place {name}; run it alone with --host"),
                _ => format!("{name} has {placed} instances; the first is 0"),
            };
            Error::usage(message).in_field(if placed == 0 { "--actor" } else { "--instance" })
        })
    }

    /// Returns the scripts that can be opened as shells: the scripts of all objects.
    fn scripts_for_shells(&mut self) -> BTreeMap<String, Actor> {
        let mut out = BTreeMap::new();
        for (index, object) in self.scripts.map.objects().iter().enumerate() {
            if object.script_length > 0 {
                let actor = self.actor(index, object, usize::MAX);
                out.entry(object.name.text().to_lowercase()).or_insert(actor);
            }
        }
        out
    }
}

/// Whether a light belongs to the requested world.
fn is_of_world(placement: &Placement, world: Option<i64>) -> bool {
    world.is_none_or(|world| i64::from(placement.world.cast_signed()) == world)
}
