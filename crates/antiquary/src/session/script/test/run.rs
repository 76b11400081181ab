//! Runs a test.

use std::collections::BTreeMap;
use std::path::Path;

use asset::Error;
use json::Document;

use super::TestFailure;
use super::file::{Input, Test};
use super::observe::{UpdateEvents, Watch, resolved, spoken_in};
use crate::script::{Advance, ScriptSession, SessionRequest, SessionStop};
use crate::session::{ScriptOptions, Session};

/// Runs a test. Returns the number of updates that were run, and the failures.
pub(super) fn run(antiquary: &Session<'_>, file: &Path, test: &Test) -> (u32, Vec<TestFailure>) {
    match open(antiquary, file, test) {
        Ok(mut session) => match prepare(&mut session, test) {
            Ok(()) => watch(&mut session, test),
            Err(failure) => (0, vec![failure]),
        },
        Err(error) => (0, vec![TestFailure::new(test.position, error.to_string())]),
    }
}

fn open(antiquary: &Session<'_>, file: &Path, test: &Test) -> Result<ScriptSession, Error> {
    let folder = file.parent().unwrap_or_else(|| Path::new(""));
    let json = |input: &Option<Input>| -> Result<Option<Document>, Error> {
        match input {
            None => Ok(None),
            Some(Input::File(name)) => antiquary.read_json(&folder.join(name)).map(Some),
            Some(Input::Given(value)) => Ok(Some(Document::from(value))),
        }
    };
    let request = SessionRequest {
        actor: test.actor.clone(),
        instance: test.instance,
        host: json(&test.host)?,
        player: json(&test.player)?,
        reach: test.reach,
        world: test.world,
        limit: test.limit,
        flags: test.flags.clone(),
        state: json(&test.state)?,
        save: test.save.as_ref().map(|save| antiquary.read_save(&folder.join(save))).transpose()?,
    };
    let games = test.games.iter().map(|it| folder.join(it)).collect::<Vec<_>>();
    let mut own = antiquary.clone();
    if !games.is_empty() {
        own.games = games;
    }
    let definitions = test.definitions.as_ref().map(|it| folder.join(it));
    let options = ScriptOptions { definitions, ..ScriptOptions::default() };
    Ok(own.run_scripts(&folder.join(&test.map), &options, &request)?.1)
}

/// Sets the initial values of the test.
fn prepare(session: &mut ScriptSession, test: &Test) -> Result<(), TestFailure> {
    for (name, value, position) in &test.set {
        let (actor, own) = resolved(session, name);
        session.set(actor, own, value).map_err(|error| TestFailure::new(*position, error.to_string()))?;
    }
    Ok(())
}

/// Runs a session and observes it.
pub(super) fn watch(session: &mut ScriptSession, test: &Test) -> (u32, Vec<TestFailure>) {
    let names: Vec<_> = session.actors().into_iter().map(|it| it.name).collect();
    let mut spoken = BTreeMap::new();
    for actor in 0..names.len() {
        if let Some((text, _)) = session.source(actor) {
            spoken.extend(spoken_in(&text));
        }
    }
    let mut watches: Vec<_> = test.expectations.iter().map(Watch::new).collect();
    let mut stop = None;
    let first = session.updates();
    let count = |session: &ScriptSession| session.updates().saturating_sub(first);
    while stop.is_none() && count(session) < test.updates {
        stop = session.advance(Advance::Update).err();
        let update = count(session).saturating_add(u32::from(stop.is_some()));
        let happened = UpdateEvents::of(session.take_events(), &names, &spoken);
        watches.iter_mut().for_each(|watch| watch.update(session, update, &happened));
    }
    let mut failures: Vec<_> = unexpected(test, stop.as_deref()).into_iter().collect();
    failures.extend(watches.into_iter().filter_map(Watch::failure));
    (count(session), failures)
}

/// Returns the failure if the run did not end as expected.
fn unexpected(test: &Test, stop: Option<&SessionStop>) -> Option<TestFailure> {
    match (&test.fault, stop) {
        (None, None) => None,
        (None, Some(stop)) => {
            Some(TestFailure::new(test.position, format!("the script stopped: {stop} [{}]", stop.code)))
        }
        (Some((fault, _)), Some(stop)) if stop.code == *fault => None,
        (Some((fault, position)), stop) => {
            let mut failure = TestFailure::new(*position, format!("expected the fault {fault}"));
            failure.instead = vec![match stop {
                Some(stop) => format!("the script stopped: {stop} [{}]", stop.code),
                None => format!("no fault in {} updates", test.updates),
            }];
            Some(failure)
        }
    }
}
