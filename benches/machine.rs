//! Scripts for the interpreter: a loop of arithmetic, and a loop with all kinds of statements.

use std::collections::BTreeMap;
use std::sync::Arc;

use soup::bytecode::{Operands, Script};
use soup::machine::{Actor, Declarations, FaultCode, Invocation, Machine, ObjectName, Program, State, World};
use soup::text::SourceContext;
use soup::{Definitions, Lexicon};

/// Number of instructions in one run.
pub const INSTRUCTIONS: u64 = 1_000_000;

/// Three arithmetic statements and a goto.
pub const ARITHMETIC: &str = "
loop {
    var0 = var0 + 1
    var1 = var1 * 3 + var0 & 65535
    var2 = var1 >> 2 ^ var0
}
";

/// Conditions, flags, properties of the actor and of another object, subroutines, and calls of functions.
pub const MIXED: &str = "
loop {
    if var0 < 1000 and After_League = 0 or var1 = 7 {
        var0 = var0 + 1
    } else {
        var0 = 0
        After_Jail = After_Jail + 1
    }
    Me.ref_7 = Me.ref_7 + 3
    if \"lamp\".ref_9 > var0 {
        var1 = PlayerDistance()
    }
    Player.ref_7++
    gosub counts
    if ++var2 >= 5 {
        SetGlobalFlag(#After_League)
        var2 = Rnd(3)
    }
}

counts:
var3 = var3 + 1
return
";

/// A world with three objects that do nothing.
#[derive(Debug, Clone)]
struct StaticWorld {
    properties: [[i32; 16]; 3],
}

impl World for StaticWorld {
    fn call(
        &mut self,
        _: &mut Invocation<'_>,
        _: &mut State,
        _: &Declarations,
    ) -> Result<Option<i32>, FaultCode> {
        Ok(None)
    }

    fn fallback(&mut self, _: &Invocation<'_>, _: &mut State) -> i32 {
        300
    }

    fn object(&mut self, name: ObjectName<'_>, _: &mut State) -> Result<usize, FaultCode> {
        Ok(if name == ObjectName::Player { 1 } else { 2 })
    }

    fn property(&mut self, actor: usize, reference: u16, _: &mut State) -> i32 {
        self.properties[actor][usize::from(reference)]
    }

    fn set_property(&mut self, actor: usize, reference: u16, value: i32, _: &mut State) {
        self.properties[actor][usize::from(reference)] = value;
    }
}

/// An interpreter with one actor, its script and its world.
#[derive(Debug, Clone)]
pub struct Run {
    machine: Machine,
    world: StaticWorld,
}

impl Run {
    /// Assembles a script.
    pub fn new(text: &str) -> Self {
        let mut definitions = Definitions::shipped().clone();
        definitions.references = (0..16).map(|number| format!("ref_{number}")).collect();
        let lexicon = Lexicon::new(&definitions, &BTreeMap::new(), &BTreeMap::new());
        let texts = vec!["lamp".to_owned()];
        let spoken = |_: &str| None;
        let around =
            SourceContext { lexicon: &lexicon, actor: "RUNNER", index: 0, texts: &texts, spoken: &spoken };
        let code = Script::parse(text, &around).expect("the script can be assembled").script.write();
        let declarations = Arc::new(Declarations::new(&definitions));
        let program = Program::new(&code, 0, 0, Operands::Engine, texts, &declarations);
        let actor = Actor::new("RUNNER", Arc::new(program), vec![0; 4]);
        let mut machine = Machine::new(declarations, vec![actor]);
        machine.limit = INSTRUCTIONS;
        Self { machine, world: StaticWorld { properties: [[0; 16]; 3] } }
    }

    /// Runs until the limit. Returns the number of instructions executed.
    pub fn run(&mut self) -> u64 {
        let before = self.machine.instructions;
        let stop = self.machine.update(0, &mut self.world).expect_err("it has no end");
        assert_eq!(stop.code, FaultCode::Limit);
        self.machine.instructions - before
    }
}
