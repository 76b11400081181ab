//! Tests of the debugger with a script of the sample game.

use std::sync::Mutex;

use antiquary::asset::{FolderSink, Guard};
use antiquary::script::{ScriptSession, SessionEvent, SessionRequest};
use antiquary::{CATALOG, ScriptOptions, Session};
use proptest::prelude::*;

use crate::debug::{Backward, Debugger, Motion, Observer, Reason, StopCondition, Trigger};

/// A folder with the sample games.
pub(crate) fn games() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = FolderSink::new(folder.path().to_path_buf(), Guard::default().into());
    antiquary::sample::write(CATALOG, &mut sink).unwrap();
    sink.finish().unwrap();
    folder
}

/// The map of the sample, in its folder.
pub(crate) const MAP: &str = "redguard/maps/ISLAND.RGM";

/// A session of the keeper, alone in a world where all functions return 0.
fn keeper() -> Debugger {
    static SESSION: Mutex<Option<ScriptSession>> = Mutex::new(None);
    let mut session = SESSION.lock().unwrap();
    let session = session.get_or_insert_with(|| {
        let games = games();
        let request = SessionRequest {
            actor: Some("KEEPER".to_owned()),
            host: Some(antiquary::json::Document::from(&antiquary::json::json!({ "default": 0 }))),
            limit: 1000,
            ..SessionRequest::default()
        };
        Session::default()
            .run_scripts(&games.path().join(MAP), &ScriptOptions::default(), &request)
            .unwrap()
            .1
    });
    Debugger::new(session.clone())
}

/// Records events and never pauses.
#[derive(Default)]
struct EventLog(Vec<String>);

impl Observer for EventLog {
    fn on_event(&mut self, it: &SessionEvent) {
        self.0.push(it.text.clone());
    }

    fn should_pause(&mut self) -> bool {
        false
    }
}

/// Runs a motion and returns the reason and the line.
fn go(debugger: &mut Debugger, motion: Motion) -> (Reason, Option<usize>) {
    let reason = debugger.go(motion, &mut EventLog::default());
    (reason, debugger.position().and_then(|it| it.line))
}

fn back(debugger: &mut Debugger, motion: Backward) -> (Reason, Option<usize>) {
    let reason = debugger.go_back(motion, &mut EventLog::default());
    (reason, debugger.position().and_then(|it| it.line))
}

/// Numbers of the breakpoints that stopped a session.
fn ids(reason: &Reason) -> Vec<u32> {
    match reason {
        Reason::Breakpoints(hits) => hits.iter().map(|it| it.id).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn step_enters_a_subroutine_and_next_steps_over() {
    let mut debugger = keeper();
    let listing = debugger.listing(0).unwrap();
    assert_eq!(listing.line(5), Some("    gosub L00A4"));
    let lines = |debugger: &mut Debugger, motion, count| -> Vec<_> {
        (0..count).map(|_| go(debugger, motion).1.unwrap()).collect()
    };
    assert_eq!(lines(&mut debugger, Motion::Step(None), 4), [3, 4, 5, 26]);
    back(&mut debugger, Backward::Start);
    // The subroutine waits for tasks, so it takes several updates.
    assert_eq!(lines(&mut debugger, Motion::Next(0), 4), [3, 4, 5, 7]);
    assert!(debugger.updates() > 1);
    // The statement after a task runs in the next update.
    assert_eq!(lines(&mut debugger, Motion::Next(0), 3), [8, 9, 11]);
    assert_eq!(lines(&mut debugger, Motion::Next(0), 1), [12]);
}

#[test]
fn stops_before_statements_and_after_calls() {
    let mut debugger = keeper();
    let (at, line) = debugger.listing(0).unwrap().statement_from(6).unwrap();
    assert_eq!(line, 7);
    let statement = debugger.breakpoints.add(Trigger::Statement { actor: 0, at });
    let call = debugger.breakpoints.add(Trigger::Call("setglobalflag".to_owned()));
    let flag = debugger.breakpoints.add(Trigger::Flag(Some("asked_once".to_owned())));
    let said = debugger.breakpoints.add(Trigger::Dialogue);
    let (reason, line) = go(&mut debugger, Motion::Continue);
    assert_eq!((ids(&reason), line), (vec![call, flag], Some(5)));
    let (reason, _) = go(&mut debugger, Motion::Continue);
    assert_eq!(ids(&reason), [said]);
    let (reason, line) = go(&mut debugger, Motion::Continue);
    assert_eq!((ids(&reason), line), (vec![statement], Some(7)));
    let hits: Vec<_> = debugger.breakpoints.all().iter().map(|it| it.hits).collect();
    assert_eq!(hits, [1, 1, 1, 1]);
    // Back over all of them, and forward again.
    for expected in [vec![said], vec![call, flag], vec![]] {
        assert_eq!(ids(&back(&mut debugger, Backward::Stop).0), expected);
    }
    assert_eq!((debugger.ticks(), debugger.position()), (0, None));
    assert_eq!(ids(&go(&mut debugger, Motion::Continue).0), [call, flag]);
    assert!(debugger.breakpoints.remove(call) && !debugger.breakpoints.remove(call));
}

#[test]
fn stops_according_to_conditions_and_hit_counts() {
    let mut debugger = keeper();
    let (at, _) = debugger.listing(0).unwrap().statement_from(8).unwrap();
    let trigger = Trigger::Statement { actor: 0, at };
    let mut stops = |stop_condition: StopCondition| -> Vec<String> {
        back(&mut debugger, Backward::Start);
        debugger.breakpoints.clear();
        debugger.breakpoints.add_conditional(trigger.clone(), stop_condition);
        debugger.max_updates = 400;
        let mut out = Vec::new();
        while out.len() < 4 && !ids(&go(&mut debugger, Motion::Continue).0).is_empty() {
            out.push(debugger.get(0, "var0").unwrap());
        }
        out
    };
    let when = |condition: Option<&str>, hit_count: Option<&str>| StopCondition {
        condition: condition.map(str::to_owned),
        hit_count: hit_count.map(|it| it.parse().unwrap()),
    };
    let all = stops(StopCondition::default());
    assert_eq!(all, ["4", "1", "2", "3"]);
    assert_eq!(stops(when(Some("var0 = 2"), None)), ["2"; 4]);
    assert_eq!(stops(when(None, Some("3"))), ["2"]);
    assert_eq!(stops(when(None, Some("%2"))), ["1", "3", "2", "1"]);
    // Only hits with a true condition count.
    assert_eq!(stops(when(Some("var0 > 1"), Some("<=2"))), ["4", "2"]);
    // Going back stops at them too.
    debugger.breakpoints.clear();
    let id = debugger.breakpoints.add_conditional(trigger, when(Some("var0 = 4"), None));
    assert_eq!(ids(&back(&mut debugger, Backward::Stop).0), [id]);
    assert_eq!(debugger.get(0, "var0").unwrap(), "4");
    assert!(debugger.holds(0, "varr0 = 4").is_err());
}

#[test]
fn a_motion_ends_at_the_update_limit() {
    let mut debugger = keeper();
    debugger.max_updates = 30;
    assert_eq!(go(&mut debugger, Motion::Continue).0, Reason::UpdateLimit(30));
    assert_eq!(debugger.updates(), 30);
    assert_eq!(go(&mut debugger, Motion::Update).0, Reason::Arrived);
    assert_eq!(debugger.updates(), 31);
}

#[test]
fn stops_at_the_position_of_a_fault() {
    let mut debugger = keeper();
    debugger.max_updates = 100;
    go(&mut debugger, Motion::Step(None));
    debugger.set(0, "return_slot", "0x7fffffff").unwrap();
    // An invalid position: there is no statement at this offset.
    back(&mut debugger, Backward::Start);
    debugger.set(0, "main", "5000").unwrap();
    let (reason, _) = go(&mut debugger, Motion::Continue);
    assert!(matches!(&reason, Reason::Fault(stop) if stop.at == 5000), "{reason:?}");
    assert_eq!(debugger.position().map(|it| (it.actor, it.at)), Some((0, Some(5000))));
    let (again, _) = go(&mut debugger, Motion::Continue);
    assert!(matches!(again, Reason::Fault(_)));
    assert!(matches!(back(&mut debugger, Backward::Stop).0, Reason::Fault(_)));
    debugger.stops_at_faults = false;
    assert_eq!(go(&mut debugger, Motion::Continue).0, Reason::UpdateLimit(100));
}

#[test]
fn replays_edits_when_going_back() {
    let mut debugger = keeper();
    go(&mut debugger, Motion::Step(None));
    debugger.set(0, "var0", "7").unwrap();
    go(&mut debugger, Motion::Step(None));
    go(&mut debugger, Motion::Step(None));
    back(&mut debugger, Backward::Step(None));
    assert_eq!(debugger.get(0, "var0").unwrap(), "7");
    back(&mut debugger, Backward::Step(None));
    assert_eq!((debugger.get(0, "VAR0").unwrap(), debugger.ticks()), ("7".to_owned(), 1));
    back(&mut debugger, Backward::Start);
    go(&mut debugger, Motion::Step(None));
    assert_eq!(debugger.get(0, "var0").unwrap(), "3");
    assert!(debugger.set(0, "var99", "1").is_err() && debugger.set(0, "var0", "x").is_err());
}

#[test]
fn a_long_history_is_replayed_exactly() {
    let mut debugger = keeper();
    debugger.max_updates = 20_000;
    let mut seen = EventLog::default();
    assert_eq!(debugger.go(Motion::Continue, &mut seen), Reason::UpdateLimit(20_000));
    let (state, ticks) = (debugger.state(), debugger.ticks());
    assert!(ticks > 20_000 && seen.0.len() > 20_000, "{ticks} {}", seen.0.len());
    for _ in 0..5 {
        back(&mut debugger, Backward::Step(None));
    }
    assert!(debugger.ticks() < ticks);
    while debugger.ticks() < ticks {
        go(&mut debugger, Motion::Update);
    }
    assert_eq!((debugger.state(), debugger.ticks()), (state, ticks));
}

#[test]
fn finds_actors_by_name_and_number() {
    let debugger = keeper();
    for name in ["KEEPER", "keeper", "keeper#0", "#0"] {
        assert_eq!(debugger.find(name).unwrap(), 0);
    }
    let error = debugger.find("KEPER").unwrap_err().to_string();
    assert!(error.contains("no actor is named \"KEPER\"; did you mean \"KEEPER\"?"), "{error}");
    assert!(debugger.find("KEEPER#1").is_err() && debugger.find("#1").is_err());
}

/// Random sequences of motions.
fn motions() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0_u8..9, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_tick_has_the_same_state_however_it_was_reached(motions in motions()) {
        let mut debugger = keeper();
        debugger.max_updates = 40;
        debugger.breakpoints.add(Trigger::Dialogue);
        let mut known = std::collections::BTreeMap::new();
        for motion in motions {
            match motion {
                0 => go(&mut debugger, Motion::Step(None)),
                1 => go(&mut debugger, Motion::Next(0)),
                2 => go(&mut debugger, Motion::Out(0)),
                3 => go(&mut debugger, Motion::Update),
                4 | 5 => go(&mut debugger, Motion::Continue),
                6 => back(&mut debugger, Backward::Stop),
                7 => back(&mut debugger, Backward::Start),
                _ => back(&mut debugger, Backward::Step(Some(0))),
            };
            let state = (debugger.state(), debugger.position());
            let before = known.entry(debugger.ticks()).or_insert_with(|| state.clone());
            prop_assert_eq!(&*before, &state);
        }
    }
}
