//! The world of a map, as far as scripts reach it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use soup::machine::{Actor, State};

use super::Code;
use super::body::{Body, Role, attribute};
use super::dialogue::{Lines, Menu, Spoken};
use super::family::Families;
use super::field::Field;
use super::happening::{HappeningKind, Reach};
use super::item::Items;
use super::paths::Paths;
use super::player::PlayerScript;
use super::session::MOST_UNTOLD;
use super::sync::{Channels, Member};
use redguard_world::engine::clock::{FINE_TICKS, FrameScale, Ticks};

/// What does not change while scripts run.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) code: Arc<Code>,
    /// The place of each function among those that this world runs, by number.
    pub(super) functions: Vec<Option<usize>>,
    /// What each property stands for, by number.
    pub(super) fields: Vec<Option<Field>>,
    pub(super) paths: Paths,
    markers: Vec<[i32; 3]>,
    /// The scripts of the map that can be opened as shells, by name in lower case.
    pub(super) scripts: BTreeMap<String, Actor>,
}

impl Facts {
    pub(super) fn new(
        code: &Arc<Code>,
        functions: Vec<Option<usize>>,
        paths: Paths,
        markers: Vec<[i32; 3]>,
        scripts: BTreeMap<String, Actor>,
    ) -> Self {
        let fields = code.declarations.definitions.references.iter().map(|name| Field::of(name)).collect();
        Self { code: Arc::clone(code), functions, fields, paths, markers, scripts }
    }
}

/// The world of a map. Bodies have the numbers of the actors of the machine.
#[derive(Debug, Clone)]
pub(super) struct Game {
    pub(super) facts: Arc<Facts>,
    pub(super) paths: Arc<Paths>,
    pub(super) families: Arc<Families>,
    pub(super) bodies: Vec<Body>,
    /// What stands for actors that there are not.
    nobody: Body,
    /// The number of each object by its name in lower case: the first by id.
    pub(super) names: HashMap<String, usize>,
    /// The selected player.
    pub(super) player: usize,
    pub(super) camera: Option<usize>,
    /// Shells, the newest first.
    shells: Vec<usize>,
    /// Only this actor is updated.
    pub(super) only: Option<usize>,
    pub(super) reach: Reach,
    /// Whether only what is near the player, or active, is updated.
    pub(super) is_windowed: bool,
    pub(super) ticks: Ticks,
    pub(super) items: Items,
    pub(super) lines: Lines,
    pub(super) spoken: Option<Spoken>,
    pub(super) menu: Menu,
    /// The object that the player uses in this update.
    pub(super) activated: Option<usize>,
    /// Whether a script saw that.
    pub(super) was_used: bool,
    pub(super) inputs: PlayerScript,
    pub(super) groups: Channels,
    pub(super) users: Channels,
    pub(super) happenings: Vec<(usize, HappeningKind, String, String)>,
    /// How many more there were than are kept.
    pub(super) untold: u64,
    /// Functions of which it was told that they are only recorded.
    pub(super) recorded: BTreeSet<u16>,
    /// The attributes of a temporary actor before its script ran.
    pub(super) kept: Option<(usize, Box<[u8; 256]>)>,
    pub(super) updates: u32,
    /// How many objects were made up.
    pub(super) stand_ins: usize,
}

/// What is needed for a world.
pub(super) struct Start {
    pub(super) facts: Facts,
    pub(super) bodies: Vec<Body>,
    pub(super) names: HashMap<String, usize>,
    pub(super) player: usize,
    pub(super) camera: Option<usize>,
    pub(super) shells: Vec<usize>,
    pub(super) items: Items,
    pub(super) lines: Lines,
    pub(super) inputs: PlayerScript,
    pub(super) reach: Reach,
}

/// So many shells are open at most. The game's maps open a handful.
const MOST_SHELLS: usize = 256;

/// More actors than that are none: a map has some thousand placements at most.
const MOST_ACTORS: usize = 1 << 20;

impl Game {
    pub(super) fn new(start: Start) -> Self {
        let paths = Arc::new(start.facts.paths.clone());
        Self {
            facts: Arc::new(start.facts),
            paths,
            families: Arc::new(Families::of(&start.bodies)),
            bodies: start.bodies,
            nobody: Body::new(Role::StandIn),
            names: start.names,
            player: start.player,
            camera: start.camera,
            shells: start.shells,
            only: None,
            reach: start.reach,
            is_windowed: false,
            ticks: Ticks { nominal: 1, fine: FINE_TICKS, scale: FrameScale::NOMINAL },
            items: start.items,
            lines: start.lines,
            spoken: None,
            menu: Menu::default(),
            activated: None,
            was_used: false,
            inputs: start.inputs,
            groups: Channels::default(),
            users: Channels::default(),
            happenings: Vec::new(),
            untold: 0,
            recorded: BTreeSet::new(),
            kept: None,
            updates: 0,
            stand_ins: 0,
        }
    }

    pub(super) fn body(&self, actor: usize) -> &Body {
        self.bodies.get(actor).unwrap_or(&self.nobody)
    }

    pub(super) fn body_mut(&mut self, actor: usize) -> &mut Body {
        if actor >= self.bodies.len() && actor < MOST_ACTORS {
            self.bodies.resize_with(actor.saturating_add(1), || Body::new(Role::StandIn));
        }
        match self.bodies.get_mut(actor) {
            Some(body) => body,
            None => &mut self.nobody,
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

    /// A label, and what is spoken with it.
    pub(super) fn quoted(&self, label: &str) -> String {
        match self.text_of(label) {
            "" => format!("'{label}'"),
            text => format!("'{label}' \"{text}\""),
        }
    }

    pub(super) fn tell(&mut self, actor: usize, kind: HappeningKind, subject: &str, text: String) {
        match self.happenings.len() < MOST_UNTOLD {
            true => self.happenings.push((actor, kind, subject.to_owned(), text)),
            false => self.untold = self.untold.saturating_add(1),
        }
    }

    /// The actors of all channels.
    pub(super) fn members(&self, of: impl Fn(&Body) -> (u8, u8)) -> Vec<Member> {
        let living = self.bodies.iter().filter(|it| matches!(it.role, Role::Placed | Role::Temporary));
        living
            .map(|body| {
                let (channel, post) = of(body);
                Member { channel, post, is_excluded: body.attribute(attribute::ALWAYS_SYNC) != 0 }
            })
            .collect()
    }

    /// The open shells, with their names.
    pub(super) fn shells<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (usize, &'a str)> {
        let open = self.shells.iter().copied().filter(|it| !self.body(*it).is_killed);
        open.filter_map(|it| Some((it, state.actors.get(it)?.name.as_str())))
    }

    /// Opens a shell: the script of the map with this name.
    pub(super) fn open_shell(&mut self, name: &str, state: &mut State) {
        let known = self.facts.scripts.get(&name.to_lowercase()).cloned();
        match known {
            Some(actor) if self.shells.len() < MOST_SHELLS => {
                let number = self.add(actor, Body::new(Role::Shell), state);
                self.shells.insert(0, number);
            }
            Some(_) => self.tell(0, HappeningKind::Recorded, name, format!("more than {MOST_SHELLS} shells")),
            None => {
                let text = format!("the map has no script called {name} for a shell");
                self.tell(0, HappeningKind::Recorded, name, text);
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
