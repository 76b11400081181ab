//! `launch`: opens a session.

use std::collections::BTreeMap;
use std::path::PathBuf;

use antiquary::script::{Reach, SessionRequest};
use antiquary::{ScriptOptions, Session};
use serde_json::Value;

use super::message::Launch;
use super::run::Running;
use super::{Answer, Refusal, Server, read};
use crate::debug::{Debugger, Reason};

/// What a launch need not say.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    /// The file with scripts.
    pub program: Option<PathBuf>,
    /// A file with names that takes the place of the game's.
    pub definitions: Option<PathBuf>,
    /// What is run, and how.
    pub request: SessionRequest,
    /// A motion stops after so many updates; 0 for what is usual.
    pub updates: u32,
}

/// A file whose breakpoints were set, which therefore is shown instead of the text that was made of the script.
#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) path: PathBuf,
    /// Lines of the file and lines of the script, both from 1 on.
    pub(super) pairs: Vec<(usize, usize)>,
}

/// Where breakpoints come from: setting those of one place leaves the others alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    File(PathBuf),
    Script(usize),
    Functions,
    Filters,
}

/// A session that is debugged.
#[derive(Debug)]
pub(super) struct Debuggee {
    pub(super) debugger: Debugger,
    pub(super) running: Running,
    /// The actor at which it stopped last.
    pub(super) focus: usize,
    /// Why it stopped last.
    pub(super) reason: Option<Reason>,
    pub(super) stops_on_entry: bool,
    /// The files of actors.
    pub(super) files: BTreeMap<usize, File>,
    /// The numbers of breakpoints.
    pub(super) ids: BTreeMap<Origin, Vec<u32>>,
}

impl Server<'_> {
    pub(super) fn launch(&mut self, arguments: Value) -> Answer {
        if self.debuggee.is_some() {
            return Err(Refusal::new("launch was sent already"));
        }
        let launch: Launch = read(arguments)?;
        let mut antiquary = self.antiquary.clone();
        antiquary.games.splice(..0, launch.game.clone().filter(|it| !it.as_os_str().is_empty()));
        let request = self.session_request(&launch, &antiquary)?;
        let program = launch.program.as_ref().or(self.defaults.program.as_ref());
        let program = program.ok_or_else(|| Refusal::new("program: expected the map whose scripts run"))?;
        let definitions = launch.def.clone().filter(|it| !it.as_os_str().is_empty());
        let mut options = ScriptOptions::default();
        options.definitions = definitions.or_else(|| self.defaults.definitions.clone());
        let (_, session) = antiquary.run_scripts(program, &options, &request)?;
        let mut debugger = Debugger::new(session);
        if let Some(updates) = launch.updates.or(Some(self.defaults.updates)).filter(|it| *it > 0) {
            debugger.most_updates = updates;
        }
        let focus = debugger.first_actor();
        self.debuggee = Some(Debuggee {
            debugger,
            running: Running::No,
            focus,
            reason: None,
            stops_on_entry: launch.stop_on_entry.unwrap_or(false),
            files: BTreeMap::new(),
            ids: BTreeMap::new(),
        });
        Ok(Value::Null)
    }

    fn session_request(&self, launch: &Launch, antiquary: &Session<'_>) -> Result<SessionRequest, Refusal> {
        let mut out = self.defaults.request.clone();
        let read = |file: &Option<PathBuf>| file.as_deref().map(|file| antiquary.read_json(file)).transpose();
        out.actor = launch.actor.clone().filter(|it| !it.is_empty()).or(out.actor);
        out.instance = launch.instance.unwrap_or(out.instance);
        out.host = read(&launch.host)?.or(out.host);
        out.player = read(&launch.player)?.or(out.player);
        out.reach = match launch.everywhere {
            Some(true) => Reach::Everywhere,
            Some(false) => Reach::AroundPlayer,
            None => out.reach,
        };
        out.state = read(&launch.state)?.or(out.state);
        out.save = launch.save.as_deref().map(|save| antiquary.read_save(save)).transpose()?.or(out.save);
        out.world = launch.world.or(out.world);
        out.limit = launch.limit.unwrap_or(out.limit);
        out.flags.extend(launch.flags.iter().map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (name.clone(), value)
        }));
        Ok(out)
    }
}
