//! Tests of the virtual machine.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::Definitions;
use crate::bytecode::Operands;

/// Definitions with a few functions.
const DEFINITIONS: &str = "\
[functions]
task Wait parms 1
function Query parms 2
function SetGlobalFlag parms 1
function KillMyTasks parms 0
task Slow parms 1
task WaitOnTasks parms 0
[refs]
pos.vx
torch_timer
anim.current
[equates]
[flags]
BOOL Door 0
NUMBER Count 3
";

fn declarations() -> Arc<Declarations> {
    Arc::new(Declarations::new(&Definitions::read(DEFINITIONS.lines())))
}

/// Creates a machine with one actor with four variables, and a world that returns results from a file.
fn machine(bytes: &[u8], start: u32, host: &str) -> (Machine, RecordedWorld) {
    let declarations = declarations();
    let texts = vec!["DOOR".to_owned()];
    let program = Arc::new(Program::new(bytes, 1000, start, Operands::Engine, texts, &declarations));
    let actor = Actor::new("TESTER", program, vec![0; 4]);
    let mut machine = Machine::new(Arc::clone(&declarations), vec![actor]);
    machine.trace = Trace::with_capacity(1000);
    let host = HostFile::read(host.as_bytes()).unwrap();
    let world = RecordedWorld::new(host, &mut machine.state, &declarations).unwrap();
    (machine, world)
}

/// Runs a number of updates.
fn run(machine: &mut Machine, world: &mut RecordedWorld, updates: u32) -> Result<(), Stop> {
    for _ in 0..updates {
        world.begin_update(&mut machine.state);
        machine.update(0, world)?;
    }
    Ok(())
}

/// Returns the calls as the update, the function, the arguments and the ticks since the start.
fn calls(machine: &Machine) -> Vec<(u32, u16, Vec<i32>, Option<i32>)> {
    machine
        .trace
        .events
        .iter()
        .map(|it| (it.update, it.function, it.parameters.clone(), it.elapsed))
        .collect()
}

/// `var0 = var0 + 1`
const COUNT: [u8; 11] = [0x0a, 0, 0x0a, 0, 1, 0x07, 1, 0, 0, 0, 0];

#[test]
fn continues_after_end_in_the_next_update() {
    // The statement and `end 0`.
    let mut bytes = COUNT.to_vec();
    bytes.extend([0x05, 0, 0, 0, 0]);
    let (mut machine, mut world) = machine(&bytes, 0, "{}");
    run(&mut machine, &mut world, 5).unwrap();
    assert_eq!(machine.state.actors[0].locals[0], 5);
    assert_eq!(machine.instructions, 10);
}

#[test]
fn visits_a_task_until_it_returns_0() {
    // task Slow(7); anchor 9; end 0.
    let bytes = [0x00, 5, 0, 1, 0x07, 7, 0, 0, 0, 0x17, 9, 0x05, 0, 0, 0, 0];
    let (mut machine, mut world) = machine(&bytes, 0, r#"{"results":{"Slow":[0,1,0]}}"#);
    run(&mut machine, &mut world, 2).unwrap();
    let actor = &machine.state.actors[0];
    // The 0 of the first call does not free the slot.
    assert_eq!((actor.tasks().len(), actor.tasks()[0].operand, actor.tasks()[0].timer), (1, 1, 2));
    assert_eq!((actor.main, actor.anchor), (9, 0));
    run(&mut machine, &mut world, 1).unwrap();
    assert_eq!((machine.state.actors[0].anchor, machine.state.actors[0].tasks().len()), (9, 0));
    assert_eq!(
        calls(&machine),
        [(1, 5, vec![7], Some(0)), (2, 5, vec![7], Some(1)), (3, 5, vec![7], Some(2))]
    );
}

#[test]
fn evaluates_arguments_from_last_to_first() {
    // Query(Me.torch_timer, var1), with the property of the receiver.
    let bytes = [0x02, 2, 0, 2, 0x14, 0, 0, 1, 0, 0x0a, 1, 0, 0, 0, 0x18];
    let (mut machine, mut world) = machine(&bytes, 0, r#"{"start":{"properties":{"me.torch_timer":300}}}"#);
    machine.state.actors[0].locals[1] = 8;
    run(&mut machine, &mut world, 1).unwrap();
    // 300 is truncated to one byte.
    assert_eq!(calls(&machine), [(1, 2, vec![44, 8], None)]);
}

#[test]
fn reports_the_location_of_a_fault() {
    // anchor 1; var0 = 5 / var1.
    let bytes = [0x17, 1, 0x0a, 0, 0x07, 5, 0, 0, 0, 4, 0x0a, 1, 0];
    let (mut machine, mut world) = machine(&bytes, 0, "{}");
    let stop = run(&mut machine, &mut world, 3).unwrap_err();
    assert_eq!((stop.code, stop.update, stop.stage, stop.at), (FaultCode::DivByZero, 1, Stage::Main, 2));
    assert_eq!(machine.state.actors[0].anchor, 1);
    assert_eq!(stop.to_string(), "update 1, main, 0x2: division by zero");
}

#[test]
fn stops_an_endless_script_at_the_limit() {
    let (mut machine, mut world) = machine(&[0x04, 0, 0, 0, 0], 0, "{}");
    machine.limit = 100;
    let stop = run(&mut machine, &mut world, 1).unwrap_err();
    assert_eq!((stop.code, machine.instructions), (FaultCode::Limit, 100));
}

#[test]
fn limits_the_number_of_named_objects() {
    // if var1.torch_timer = 0 and ++var1 = 0; goto 0: a different object each time.
    let bytes = [
        0x03, 0x14, 0x0a, 1, 1, 0, 0, 0, 0x07, 0, 0, 0, 0, 1, 0x0a, 1, 10, 0, 0x07, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let (mut machine, mut world) = machine(&bytes, 0, "{}");
    let stop = run(&mut machine, &mut world, 1).unwrap_err();
    assert_eq!(stop.code, FaultCode::TooManyObjects);
    assert!(machine.state.actors.len() <= 1 << 14);
}

#[test]
fn runs_an_update_one_instruction_at_a_time() {
    let mut bytes = COUNT.to_vec();
    bytes.extend([0x17, 3, 0x18]);
    let (mut machine, mut world) = machine(&bytes, 0, "{}");
    world.begin_update(&mut machine.state);
    let mut update = machine.begin(0);
    let mut cursors = Vec::new();
    while !update.is_done() {
        cursors.extend(update.cursor());
        machine.resume(&mut update, Pace::Instruction, &mut world).unwrap();
    }
    assert_eq!(cursors, [0, 11, 13]);
    assert_eq!((machine.state.actors[0].main, machine.state.actors[0].anchor), (14, 3));
}

#[test]
fn continues_from_a_saved_state() {
    // multitask Slow(var0); var0 = var0 + 1; task Wait(4); end 0.
    let mut bytes = vec![0x01, 5, 0, 1, 0x0a, 0, 0, 0, 0];
    bytes.extend(COUNT);
    bytes.extend([0x00, 1, 0, 1, 0x07, 4, 0, 0, 0, 0x05, 0, 0, 0, 0]);
    let host = r#"{"default":1}"#;
    let (mut uninterrupted, mut world) = machine(&bytes, 0, host);
    run(&mut uninterrupted, &mut world, 9).unwrap();
    let (mut first, mut world) = machine(&bytes, 0, host);
    run(&mut first, &mut world, 4).unwrap();
    let state = actor_state(&first.state.actors[0]);
    let (mut second, mut world) = machine(&bytes, 0, host);
    let declarations = Arc::clone(&second.declarations);
    restore_actor(&mut second.state.actors[0], &state, &[], &declarations).unwrap();
    run(&mut second, &mut world, 5).unwrap();
    assert_eq!(actor_state(&second.state.actors[0]), actor_state(&uninterrupted.state.actors[0]));
    let error = restore_actor(
        &mut second.state.actors[0],
        &json::json!({"locals": [0, 0, 0, 0], "tasks": [{"operand": 5}]}),
        &[],
        &declarations,
    );
    assert_eq!(error.unwrap_err().to_string(), "tasks: no task has its operands at 0x5 in the script");
}

#[test]
fn restores_a_task_of_another_object() {
    // task Slow(1) of "DOOR", which has no script.
    let bytes = [0x1a, 4, 0, 0, 5, 0, 1, 0x07, 1, 0, 0, 0, 0x18];
    let declarations = declarations();
    let texts = vec!["DOOR".to_owned()];
    let program = Arc::new(Program::new(&bytes, 0, 0, Operands::Engine, texts, &declarations));
    let mut machine =
        Machine::new(Arc::clone(&declarations), vec![Actor::new("TESTER", Arc::clone(&program), vec![])]);
    let mut world = RecordedWorld::new(HostFile::default(), &mut machine.state, &declarations).unwrap();
    run(&mut machine, &mut world, 1).unwrap();
    let door = &machine.state.actors[1];
    assert_eq!((door.name.as_str(), door.tasks().len()), ("DOOR", 1));
    let programs: Vec<_> = machine.state.actors.iter().map(|it| Arc::clone(&it.program)).collect();
    let mut again = Actor::new("DOOR", Arc::default(), vec![]);
    restore_actor(&mut again, &actor_state(door), &programs, &declarations).unwrap();
    assert_eq!(actor_state(&again), actor_state(door));
}

#[test]
fn refuses_unknown_names_in_a_host_file() {
    let declarations = declarations();
    let refused = |json: &str| {
        let mut machine = Machine::new(Arc::clone(&declarations), Vec::new());
        let made = HostFile::read(json.as_bytes())
            .and_then(|file| RecordedWorld::new(file, &mut machine.state, &declarations));
        made.unwrap_err().to_string()
    };
    assert_eq!(refused(r#"{"results":{"Fly":[1]}}"#), "results.Fly: the game has no such function");
    assert_eq!(
        refused(r#"{"start":{"flags":{"Gate":{"value":1}}}}"#),
        "start.flags.Gate: the game has no such flag"
    );
    assert!(refused(r#"{"result":{}}"#).contains("unknown field `result`"));
    assert!(refused(r#"{"default":5000000000}"#).contains("invalid value"));
}

proptest! {
    #[test]
    fn finishes_on_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), start in 0_u32..220) {
        let (mut machine, mut world) = machine(&bytes, start, r#"{"default":1}"#);
        machine.limit = 1000;
        let _ = run(&mut machine, &mut world, 5);
    }
}
