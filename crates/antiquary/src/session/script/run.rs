//! Runs the scripts of a map update by update, and keeps what they did.

use std::path::{Path, PathBuf};

use asset::Error;
use json::{Document, Value};
use serde::Serialize;

use crate::run::Outcome;
use crate::script::{Advance, Pose, ScriptSession, SessionRequest, SessionStop};
use crate::session::{ScriptOptions, Session};

/// Maximum number of object poses kept for an animation.
const MAX_POSES: usize = 4 << 20;

/// Maximum number of calls kept of a run; the others are counted.
const MAX_CALLS: usize = 1 << 20;

/// Scripts that are run, and the files that are written at the end.
#[derive(Debug)]
pub struct ScriptRun {
    session: ScriptSession,
    request: RunRequest,
    stops: Vec<SessionStop>,
    poses: Vec<Pose>,
    /// Number of object poses that may still be kept.
    remaining_poses: usize,
    calls_left_out: u64,
}

/// Parameters of a run of scripts.
#[derive(Debug, Clone, Default)]
pub struct RunRequest {
    /// The map.
    pub map: PathBuf,
    /// Options of the scripts.
    pub options: ScriptOptions,
    /// The initial state.
    pub session: SessionRequest,
    /// Number of updates to run.
    pub updates: u32,
    /// File to which all movements are written, as an animated glTF file.
    pub animation: Option<PathBuf>,
    /// A saved game, and the file to which a copy of it is written with the final flags and items, unless a script stops.
    pub save_copy: Option<(PathBuf, PathBuf)>,
}

/// Files written at the end of a run.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct WrittenRun {
    /// Outcome of the animation, if requested.
    pub animation: Option<Outcome>,
    /// The copy of the saved game, if requested.
    pub saves: Vec<PathBuf>,
}

/// Result of running scripts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RanScripts {
    /// Calls of the scripts, in order.
    pub trace: Vec<Value>,
    /// The end of the run.
    #[serde(flatten)]
    pub end: RunEnd,
    /// The final state, from which another run can start.
    pub state: Document,
}

/// The end of a run of scripts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RunEnd {
    /// Number of calls that were not kept.
    pub trace_left_out: u64,
    /// File name of the map.
    pub map: String,
    /// The actor, if a single one was run.
    pub actor: Option<String>,
    /// Zero-based instance of the actor, if a single one was run.
    pub instance: Option<usize>,
    /// `ok`, `limit` (the maximum number of instructions was reached) or `fault` (a script stopped with an error).
    pub status: &'static str,
    /// Number of updates.
    pub updates: u32,
    /// Number of instructions.
    pub instructions: u64,
    /// The first of `stops`.
    pub stop: Option<SessionStop>,
    /// Scripts that stopped.
    pub stops: Vec<SessionStop>,
}

impl ScriptRun {
    /// Prepares the scripts of a map.
    ///
    /// # Errors
    /// Fails as [`Session::run_scripts`] does.
    pub fn new(antiquary: &Session<'_>, request: RunRequest) -> Result<Self, Error> {
        let (_, session) = antiquary.run_scripts(&request.map, &request.options, &request.session)?;
        let (stops, poses, remaining_poses) = (Vec::new(), Vec::new(), MAX_POSES);
        let mut run = Self { session, request, stops, poses, remaining_poses, calls_left_out: 0 };
        run.keep_pose()?;
        Ok(run)
    }

    /// Returns the session.
    #[must_use]
    pub const fn session(&self) -> &ScriptSession {
        &self.session
    }

    /// Returns the session, for taking its events.
    pub const fn session_mut(&mut self) -> &mut ScriptSession {
        &mut self.session
    }

    /// Returns the scripts that have stopped.
    #[must_use]
    pub fn stops(&self) -> &[SessionStop] {
        &self.stops
    }

    /// Runs the next update. Returns whether there was one. A script that stops does not affect the scripts of other actors.
    ///
    /// # Errors
    /// Fails if the animation would become too long.
    pub fn advance(&mut self) -> Result<bool, Error> {
        let is_single = self.request.session.actor.is_some();
        if self.session.updates() >= self.request.updates || (is_single && !self.stops.is_empty()) {
            return Ok(false);
        }
        if let Err(stop) = self.session.advance(Advance::Update) {
            self.stops.push(*stop);
        }
        self.keep_pose()?;
        Ok(true)
    }

    fn keep_pose(&mut self) -> Result<(), Error> {
        let Some(pose) = self.request.animation.as_ref().and_then(|_| self.session.pose()) else {
            return Ok(());
        };
        let remaining = self.remaining_poses.checked_sub(pose.objects.len());
        self.remaining_poses =
            remaining.ok_or_else(|| Error::usage("too many updates for an animation; run fewer"))?;
        self.poses.push(pose);
        Ok(())
    }

    /// Passes the calls since the last update to `take`. Events since then are dropped.
    pub fn take_calls(&mut self, take: &mut dyn FnMut(Value)) {
        let left_out = self.session.take_calls(take);
        self.calls_left_out = self.calls_left_out.saturating_add(left_out);
        // Events that are not taken would accumulate.
        self.session.take_events();
    }

    /// Runs all updates, and writes the files. `proceed` is called after each update with their number so far; if it returns false,
    /// the run ends early and writes no files.
    ///
    /// # Errors
    /// Fails if the animation would become too long, or if a file cannot be written.
    pub fn finish(
        mut self,
        antiquary: &Session<'_>,
        mut proceed: impl FnMut(u32) -> bool,
    ) -> Result<(RanScripts, WrittenRun), Error> {
        let (mut trace, mut too_many, mut proceeds) = (Vec::new(), 0_u64, true);
        while proceeds && self.advance()? {
            self.take_calls(&mut |call| match trace.len() < MAX_CALLS {
                true => trace.push(call),
                false => too_many += 1,
            });
            proceeds = proceed(self.session.updates());
        }
        self.calls_left_out = self.calls_left_out.saturating_add(too_many);
        let written = if proceeds { self.write_files(antiquary)? } else { WrittenRun::default() };
        Ok((RanScripts { trace, end: self.end(), state: self.session.state() }, written))
    }

    /// Writes the animation and the copy of the saved game, as far as requested.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or exists and may not be overwritten.
    pub fn write_files(&self, antiquary: &Session<'_>) -> Result<WrittenRun, Error> {
        let RunRequest { map, options, animation, save_copy, .. } = &self.request;
        let mut written = WrittenRun::default();
        if let Some(out) = animation {
            written.animation = Some(antiquary.write_animation(map, options, &self.poses, out)?);
        }
        if let (Some((save, out)), true) = (save_copy, self.stops.is_empty()) {
            written.saves = antiquary.write_save(&self.session, save, out)?;
        }
        Ok(written)
    }

    /// Number of poses of the animation.
    #[must_use]
    pub const fn pose_count(&self) -> usize {
        self.poses.len()
    }

    /// Returns the end of the run.
    #[must_use]
    pub fn end(&self) -> RunEnd {
        let Self { session, request, stops, .. } = self;
        let actor = session.focus().and_then(|focus| session.actors().into_iter().nth(focus));
        let is_single = request.session.actor.is_some();
        RunEnd {
            trace_left_out: self.calls_left_out,
            map: request.map.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            actor: actor.filter(|_| is_single).map(|actor| actor.name),
            instance: is_single.then_some(request.session.instance),
            status: match stops.first().map(|stop| stop.code.as_str()) {
                None => "ok",
                Some("limit") => "limit",
                Some(_) => "fault",
            },
            updates: session.updates(),
            instructions: session.instructions(),
            stop: stops.first().cloned(),
            stops: stops.clone(),
        }
    }
}

impl Session<'_> {
    /// Reads a state that scripts can start from: the state itself, or the JSON object of a run, which contains it.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not valid JSON.
    pub fn read_state(&self, file: &Path) -> Result<Document, Error> {
        let json = self.read_json(file)?;
        let state = json.root().pointer("/results/0/state").and_then(|state| Document::of(&state).ok());
        Ok(state.unwrap_or(json))
    }
}
