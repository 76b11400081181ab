//! `launch`: opens a session.

use std::collections::BTreeMap;
use std::path::PathBuf;

use antiquary::script::{Reach, SessionRequest};
use antiquary::{ScriptOptions, Session};
use serde_json::Value;

use super::message::Launch;
use super::run::Running;
use super::{RequestError, Response, Server, read};
use crate::debug::{Debugger, Reason};

/// Defaults for settings that a launch request omits.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    /// The file with scripts.
    pub program: Option<PathBuf>,
    /// A definitions file that replaces the game's.
    pub definitions: Option<PathBuf>,
    /// The session to run.
    pub request: SessionRequest,
    /// Maximum number of updates of one motion; 0 for the default.
    pub updates: u32,
}

/// A file in which breakpoints were set, which is therefore shown instead of the generated text of the script.
#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) path: PathBuf,
    /// Corresponding lines of the file and of the script, both one-based.
    pub(super) pairs: Vec<(usize, usize)>,
}

/// Origin of breakpoints: setting those of one origin does not change the others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    File(PathBuf),
    Script(usize),
    Functions,
    Filters,
}

/// The debugged session.
#[derive(Debug)]
pub(super) struct Debuggee {
    pub(super) debugger: Debugger,
    pub(super) running: Running,
    /// The actor at the most recent stop.
    pub(super) focus: usize,
    /// The reason of the most recent stop.
    pub(super) reason: Option<Reason>,
    pub(super) stops_on_entry: bool,
    /// The files of actors.
    pub(super) files: BTreeMap<usize, File>,
    /// The numbers of breakpoints.
    pub(super) ids: BTreeMap<Origin, Vec<u32>>,
}

impl Server<'_> {
    pub(super) fn launch(&mut self, arguments: Value) -> Response {
        if self.debuggee.is_some() {
            return Err(RequestError::new("already launched"));
        }
        let launch: Launch = read(arguments)?;
        let mut antiquary = self.antiquary.clone();
        antiquary.games.splice(..0, launch.game.clone().filter(|it| !it.as_os_str().is_empty()));
        let request = self.session_request(&launch, &antiquary)?;
        let program = launch.program.as_ref().or(self.defaults.program.as_ref());
        let program = program.ok_or_else(|| RequestError::new("program: expected a map with scripts"))?;
        let definitions = launch.def.clone().filter(|it| !it.as_os_str().is_empty());
        let mut options = ScriptOptions::default();
        options.definitions = definitions.or_else(|| self.defaults.definitions.clone());
        let (_, session) = antiquary.run_scripts(program, &options, &request)?;
        let mut debugger = Debugger::new(session);
        if let Some(updates) = launch.updates.or(Some(self.defaults.updates)).filter(|it| *it > 0) {
            debugger.max_updates = updates;
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

    fn session_request(
        &self,
        launch: &Launch,
        antiquary: &Session<'_>,
    ) -> Result<SessionRequest, RequestError> {
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
        let state = launch.state.as_deref().map(|file| antiquary.read_state(file)).transpose()?;
        out.state = state.or(out.state);
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
