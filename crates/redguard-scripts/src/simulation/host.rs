//! A session of a single actor, in a world that answers from a file.

use std::sync::Arc;

use json::{Document, Map, Value, json};
use record::{Error, Result};
use soup::machine::{HostFile, Machine, RecordedWorld, State, actor_state, flag_states};

use super::event::SessionRequest;
use super::session::{ScriptSession, SessionWorld};
use super::{Code, Scripts, actor_entry, limit};

/// Creates the session of an actor.
pub(super) fn session(
    scripts: &Scripts<'_>,
    code: Arc<Code>,
    index: usize,
    request: &SessionRequest,
) -> Result<ScriptSession> {
    let object = scripts.map.objects().get(index).ok_or_else(|| Error::usage("no such object"))?;
    let placed = scripts.sections.variables(object).map_or(0, |it| it.len());
    if request.instance > 0 && request.instance >= placed {
        let message = format!("{} has {placed} instances; the first is 0", object.name);
        return Err(Error::usage(message).in_field("--instance"));
    }
    if scripts.sections.script(object).is_none() {
        let message = format!(
            "the script of {}, {} bytes at 0x{:x}, runs past the end of RASC",
            object.name, object.script_length, object.script_offset
        );
        return Err(Error::malformed(message).at(object.script_offset.into()));
    }
    let actor = code.actor(scripts, object, request.instance);
    let entries = vec![actor_entry(index, object.name.text(), request.instance, &actor)];
    let mut machine = Machine::new(Arc::clone(&code.declarations), vec![actor]);
    machine.limit = limit(request);
    let file = request.host.as_ref().map(|host| HostFile::from_json(host.root().to_value()));
    let host = |error| Error::usage(format!("{error}")).in_field("--host");
    let world = RecordedWorld::new(
        file.transpose().map_err(host)?.unwrap_or_default(),
        &mut machine.state,
        &machine.declarations,
    );
    Ok(ScriptSession::new(code, machine, Box::new(world.map_err(host)?), entries))
}

impl SessionWorld for RecordedWorld {
    fn boxed_clone(&self) -> Box<dyn SessionWorld> {
        Box::new(self.clone())
    }

    fn begin_update(&mut self, state: &mut State) -> Vec<usize> {
        Self::begin_update(self, state);
        vec![0]
    }

    fn state(&self, machine: &Machine) -> Document {
        let mut out = match machine.state.actors.first().map(actor_state) {
            Some(Value::Object(state)) => state,
            _ => Map::new(),
        };
        out.insert("flags".to_owned(), json!(flag_states(&machine.state, &machine.declarations)));
        out.insert("properties".to_owned(), json!(self.properties(&machine.declarations)));
        out.insert("random".to_owned(), machine.state.random.state().into());
        out.insert("update".to_owned(), machine.state.update.into());
        Document::from(&Value::Object(out))
    }

    fn restore(&mut self, _: &Document, _: &mut Machine) -> Result<()> {
        Err(Error::usage("a state cannot be combined with --host, which defines its own initial state"))
    }
}
