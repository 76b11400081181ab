//! The state of a map's world that scripts can access.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use soup::machine::{Actor, State};

use super::Code;
use super::attachment::Attachments;
use super::body::{Body, Role, attribute};
use super::dialogue::{Lines, Menu, Spoken};
use super::event::{Reach, SessionEventKind};
use super::field::Field;
use super::item::Inventory;
use super::paths::Paths;
use super::player::PlayerScript;
use super::session::MAX_PENDING_EVENTS;
use super::sync::{Channels, Member};
use redguard_files::settings::ini::item::table::ItemTable;
use redguard_world::engine::clock::{FINE_TICKS, FrameScale, Ticks};
use redguard_world::engine::settings::Settings;

/// Data that does not change while scripts run.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) code: Arc<Code>,
    /// The index of each function in the table of simulated functions, by number.
    pub(super) functions: Vec<Option<usize>>,
    /// The meaning of each property, by number.
    pub(super) fields: Vec<Option<Field>>,
    pub(super) paths: Paths,
    pub(super) settings: Settings,
    markers: Vec<[i32; 3]>,
    /// The scripts of the map that can be opened as shells, by lowercase name.
    pub(super) scripts: BTreeMap<String, Actor>,
}

impl Facts {
    pub(super) fn new(
        code: &Arc<Code>,
        functions: Vec<Option<usize>>,
        paths: Paths,
        settings: Settings,
        markers: Vec<[i32; 3]>,
        scripts: BTreeMap<String, Actor>,
    ) -> Self {
        let fields = code.declarations.definitions.references.iter().map(|name| Field::of(name)).collect();
        Self { code: Arc::clone(code), functions, fields, paths, settings, markers, scripts }
    }
}

/// The world of a map. Bodies have the same indices as the actors of the machine.
#[derive(Debug, Clone)]
pub(super) struct Game {
    pub(super) facts: Arc<Facts>,
    pub(super) paths: Arc<Paths>,
    pub(super) attachments: Arc<Attachments>,
    pub(super) bodies: Vec<Body>,
    /// The body that represents unknown actors.
    placeholder: Body,
    /// The index of each object by its lowercase name; the first one by ID if several share the name.
    pub(super) names: HashMap<String, usize>,
    /// The index of the selected player.
    pub(super) player: usize,
    pub(super) camera: Option<usize>,
    /// The indices of the shells, newest first.
    shells: Vec<usize>,
    /// The only actor that is updated; `None` for all.
    pub(super) only: Option<usize>,
    pub(super) reach: Reach,
    /// Whether only actors that are near the player or active are updated.
    pub(super) is_windowed: bool,
    pub(super) ticks: Ticks,
    pub(super) items: Inventory,
    pub(super) item_table: Arc<ItemTable>,
    pub(super) lines: Lines,
    pub(super) spoken: Option<Spoken>,
    pub(super) menu: Menu,
    /// The object that the player uses in this update.
    pub(super) activated: Option<usize>,
    /// Whether a script has queried the use of the object.
    pub(super) was_used: bool,
    pub(super) inputs: PlayerScript,
    pub(super) groups: Channels,
    pub(super) users: Channels,
    pub(super) events: Vec<(usize, SessionEventKind, String, String)>,
    /// The number of events that were dropped because too many were pending.
    pub(super) dropped_events: u64,
    /// The unsimulated functions that were already reported.
    pub(super) recorded: BTreeSet<u16>,
    /// The attributes of a temporary actor before its script ran.
    pub(super) kept: Option<(usize, Box<[u8; 256]>)>,
    pub(super) updates: u32,
    /// The number of placeholder objects.
    pub(super) stand_ins: usize,
}

/// The parts that a world is created from.
pub(super) struct Start {
    pub(super) facts: Facts,
    pub(super) bodies: Vec<Body>,
    pub(super) names: HashMap<String, usize>,
    pub(super) player: usize,
    pub(super) camera: Option<usize>,
    pub(super) shells: Vec<usize>,
    pub(super) item_table: Arc<ItemTable>,
    pub(super) lines: Lines,
    pub(super) inputs: PlayerScript,
    pub(super) reach: Reach,
}

/// The maximum number of open shells. The game's maps open only a few.
const MAX_SHELLS: usize = 256;

/// The maximum number of actors. A map has a few thousand placements at most.
const MAX_ACTORS: usize = 1 << 20;

impl Game {
    pub(super) fn new(start: Start) -> Self {
        let paths = Arc::new(start.facts.paths.clone());
        Self {
            facts: Arc::new(start.facts),
            paths,
            attachments: Arc::new(Attachments::of(&start.bodies)),
            bodies: start.bodies,
            placeholder: Body::new(Role::StandIn),
            names: start.names,
            player: start.player,
            camera: start.camera,
            shells: start.shells,
            only: None,
            reach: start.reach,
            is_windowed: false,
            ticks: Ticks { nominal: 1, fine: FINE_TICKS, scale: FrameScale::NOMINAL },
            items: Inventory::at_start(&start.item_table),
            item_table: start.item_table,
            lines: start.lines,
            spoken: None,
            menu: Menu::default(),
            activated: None,
            was_used: false,
            inputs: start.inputs,
            groups: Channels::default(),
            users: Channels::default(),
            events: Vec::new(),
            dropped_events: 0,
            recorded: BTreeSet::new(),
            kept: None,
            updates: 0,
            stand_ins: 0,
        }
    }

    pub(super) fn body(&self, actor: usize) -> &Body {
        self.bodies.get(actor).unwrap_or(&self.placeholder)
    }

    pub(super) fn body_mut(&mut self, actor: usize) -> &mut Body {
        if actor >= self.bodies.len() && actor < MAX_ACTORS {
            self.bodies.resize_with(actor.saturating_add(1), || Body::new(Role::StandIn));
        }
        match self.bodies.get_mut(actor) {
            Some(body) => body,
            None => &mut self.placeholder,
        }
    }

    pub(super) fn marker(&self, number: i32) -> Option<[i32; 3]> {
        self.facts.markers.get(usize::try_from(number).ok()?).copied()
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names.get(&name.to_lowercase()).copied()
    }

    pub(super) fn text_of(&self, label: &str) -> &str {
        self.facts.code.spoken(label).unwrap_or_default()
    }

    /// Formats a label with its spoken text.
    pub(super) fn quoted(&self, label: &str) -> String {
        match self.text_of(label) {
            "" => format!("'{label}'"),
            text => format!("'{label}' \"{text}\""),
        }
    }

    pub(super) fn record(&mut self, actor: usize, kind: SessionEventKind, subject: &str, text: String) {
        match self.events.len() < MAX_PENDING_EVENTS {
            true => self.events.push((actor, kind, subject.to_owned(), text)),
            false => self.dropped_events = self.dropped_events.saturating_add(1),
        }
    }

    /// Returns the synchronization state of all actors.
    pub(super) fn members(&self, of: impl Fn(&Body) -> (u8, u8)) -> Vec<Member> {
        let actors = self.bodies.iter().filter(|it| matches!(it.role, Role::Placed | Role::Temporary));
        actors
            .map(|body| {
                let (channel, post) = of(body);
                Member { channel, post, is_excluded: body.attribute(attribute::ALWAYS_SYNC) != 0 }
            })
            .collect()
    }

    /// Returns the open shells with their names.
    pub(super) fn shells<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (usize, &'a str)> {
        let open = self.shells.iter().copied().filter(|it| !self.body(*it).is_killed);
        open.filter_map(|it| Some((it, state.actors.get(it)?.name.as_str())))
    }

    /// Opens a shell that runs the map's script with this name.
    pub(super) fn open_shell(&mut self, name: &str, state: &mut State) {
        let known = self.facts.scripts.get(&name.to_lowercase()).cloned();
        match known {
            Some(actor) if self.shells.len() < MAX_SHELLS => {
                let number = self.add(actor, Body::new(Role::Shell), state);
                self.shells.insert(0, number);
            }
            Some(_) => self.record(
                0,
                SessionEventKind::Recorded,
                name,
                format!("too many shells (limit: {MAX_SHELLS})"),
            ),
            None => {
                let text = format!("the map has no script called {name}; the shell was not opened");
                self.record(0, SessionEventKind::Recorded, name, text);
            }
        }
    }

    pub(super) fn add(&mut self, actor: Actor, body: Body, state: &mut State) -> usize {
        let number = state.actors.len();
        state.actors.push(actor);
        self.bodies.resize_with(number, || Body::new(Role::StandIn));
        self.bodies.push(body);
        number
    }
}
