//! Running scripts: any bytes, names and host answers terminate, and states survive a round trip through JSON.

use std::sync::Arc;

use soup::Definitions;
use soup::bytecode::Operands;
use soup::machine::{
    Actor, Declarations, HostFile, Machine, Program, RecordedWorld, Stop, Trace, actor_state, flag_states,
    restore_actor, restore_flags,
};

use crate::part;

/// Maximum number of instructions in a run.
const LIMIT: u64 = 400;

/// Offsets of the actors' scripts in the scripts of the map.
const BASES: [u32; 2] = [0, 10_000];

/// An input: four numbers, the scripts of two actors, the text of a SOUP386.DEF, and the answers of a host.
#[derive(Debug, Clone, Copy)]
struct Input<'a> {
    /// Entry offset, operand encoding, number of updates, and the update after which the state is tested.
    numbers: [u8; 4],
    scripts: [&'a [u8]; 2],
    definitions: &'a [u8],
    host: &'a [u8],
}

impl<'a> Input<'a> {
    fn read(input: &'a [u8]) -> Self {
        let mut parts = part::split(input);
        let mut part = || parts.next().unwrap_or_default();
        let mut numbers = [0; 4];
        for (number, byte) in numbers.iter_mut().zip(part()) {
            *number = *byte;
        }
        Self { numbers, scripts: [part(), part()], definitions: part(), host: part() }
    }

    fn declarations(&self) -> Arc<Declarations> {
        let text = String::from_utf8_lossy(self.definitions);
        let definitions = match text.trim() {
            "" => Definitions::shipped().clone(),
            text => Definitions::read(text.lines()),
        };
        Arc::new(Declarations::new(&definitions))
    }

    fn machine(&self, declarations: &Arc<Declarations>) -> Machine {
        let [start, operands, ..] = self.numbers;
        let operands = if operands & 1 == 0 { Operands::Engine } else { Operands::ModManager };
        let texts = ["lamp", "SECOND", ""].map(str::to_owned).to_vec();
        let actors = BASES.into_iter().zip(self.scripts).map(|(base, script)| {
            let program = Program::new(script, base, start.into(), operands, texts.clone(), declarations);
            Actor::new(format!("A{base}"), Arc::new(program), vec![0, 1, -1, i32::MAX])
        });
        let mut machine = Machine::new(Arc::clone(declarations), actors.collect());
        machine.limit = LIMIT;
        machine.trace = Trace::with_capacity(100);
        machine
    }
}

pub(crate) fn run(input: &[u8]) {
    let input = Input::read(input);
    let declarations = input.declarations();
    let mut machine = input.machine(&declarations);
    let host = HostFile::read(input.host).unwrap_or_default();
    let world = RecordedWorld::new(host, &mut machine.state, &declarations)
        .or_else(|_| RecordedWorld::new(HostFile::default(), &mut machine.state, &declarations));
    let mut world = world.expect("an empty host is valid");
    let [.., updates, tested] = input.numbers;
    for number in 0..=updates & 7 {
        let (mut same, mut same_world) = (machine.clone(), world.clone());
        let ended = update(&mut machine, &mut world);
        assert_eq!(ended, update(&mut same, &mut same_world), "execution is not deterministic");
        assert_eq!(machine.state, same.state, "execution is not deterministic");
        if number == tested & 7 {
            assert_state_round_trip(&machine, &declarations);
        }
        if ended.is_err() {
            break;
        }
    }
    assert_state_round_trip(&machine, &declarations);
}

/// An update of both actors.
fn update(machine: &mut Machine, world: &mut RecordedWorld) -> Result<(), Stop> {
    world.begin_update(&mut machine.state);
    for actor in [0, 1] {
        let before = machine.instructions;
        let ended = machine.update(actor, world);
        assert!(machine.instructions.abs_diff(before) <= LIMIT * 2, "the instruction limit is exceeded");
        ended?;
    }
    Ok(())
}

/// Checks that the states of the actors and the flags survive a round trip through JSON.
fn assert_state_round_trip(machine: &Machine, declarations: &Declarations) {
    let programs: Vec<_> = machine.state.actors.iter().map(|it| Arc::clone(&it.program)).collect();
    for actor in &machine.state.actors {
        let state = actor_state(actor);
        let mut again = actor.clone();
        again.slots = Default::default();
        restore_actor(&mut again, &state, &programs, declarations).expect("a state can be restored");
        assert_eq!(actor_state(&again), state, "the restored state is different");
    }
    let flags = antiquary::json::to_value(flag_states(&machine.state, declarations)).expect("flags are JSON");
    let mut again = machine.state.clone();
    restore_flags(&mut again, &flags, declarations).expect("flags can be restored");
    assert_eq!(flag_states(&again, declarations), flag_states(&machine.state, declarations));
}
