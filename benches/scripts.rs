//! Redguard scripts: decoding, formatting and assembling a long script with all kinds of statements and the scripts of the corpus, and
//! running scripts.

mod machine;

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;

use antiquary::redguard::map::Map;
use benches::{Measures, criterion, seconds};
use criterion::Throughput;
use soup::bytecode::{Operands, Script};
use soup::text::SourceContext;
use soup::{Definitions, Lexicon};

/// Number of repetitions of the block: a script of about 250 KB, ten times the longest one of the game.
const BLOCKS: usize = 1200;

/// Statements of all kinds.
const BLOCK: &str = "
if After_League = 0 and PlayerDistance() < 300 or ++var2 >= 5 {
    SetGlobalFlag(#After_League)
    gosub greetsNUMBER
} else if ActiveItem() = 7 {
    Me.Wait(20)
} else {
    while var1 < 10 {
        var1 = var1 + 1 * 3 - var2
        if \"lamp\".PlayerDistance() > 100 {
            break
        }
    }
}
var0 = var0 + 1 & 1
MoveToLocation(var0, 40)
Wait(20)
goto behindNUMBER

greetsNUMBER:
RotateToAxis(0, 128, 8)
RTX('well')
scriptrv 3
    goto behindNUMBER
return

behindNUMBER:
multitask \"crate\".Wait(3)
Player.ref_12 = Me.ref_7 + var3
anchor 4
";

/// The script of an actor, and the data that its text depends on.
struct Actor {
    name: String,
    texts: Vec<String>,
    code: Vec<u8>,
    start: u32,
}

impl Actor {
    fn with<T>(&self, lexicon: &Lexicon, run: impl FnOnce(&SourceContext<'_>) -> T) -> T {
        let spoken = |_: &str| None;
        run(&SourceContext { lexicon, actor: &self.name, index: 0, texts: &self.texts, spoken: &spoken })
    }

    fn read(&self) -> Script {
        Script::read(&self.code, self.start, Operands::Engine)
    }

    /// Converts the script to text and back. Returns the length of the text.
    fn round_trip(&self, lexicon: &Lexicon) -> usize {
        self.with(lexicon, |around| {
            let text = self.read().text(around).text;
            let again = Script::parse(&text, around).expect("the text can be read").script.write();
            assert_eq!(again, self.code, "the text is assembled to the same bytes");
            text.len()
        })
    }
}

fn long(lexicon: &Lexicon) -> Actor {
    let text: String = (0..BLOCKS).map(|number| BLOCK.replace("NUMBER", &number.to_string())).collect();
    let texts = ["lamp", "crate"].map(str::to_owned).to_vec();
    let mut actor = Actor { name: "LONG".to_owned(), texts, code: Vec::new(), start: 0 };
    let parsed = actor.with(lexicon, |around| Script::parse(&text, around));
    actor.code = parsed.expect("the script can be assembled").script.write();
    actor
}

/// The scripts of all maps of the corpus.
fn corpus_actors() -> Vec<Actor> {
    let Some(install) = corpus::folder("redguard") else { return Vec::new() };
    let mut out = Vec::new();
    for path in corpus::files(&install.join("maps"), "rgm", 27) {
        let map = Map::read(&fs::read(path).expect("the map can be read")).expect("the map is well-formed");
        let sections = map.object_sections();
        out.extend(map.objects().iter().filter_map(|object| {
            Some(Actor {
                name: object.name.text(),
                texts: sections.texts(object)?,
                code: sections.script(object)?.to_vec(),
                start: object.script_start,
            })
        }));
    }
    out
}

/// Names of benchmarks and the scripts that they run.
const RUNS: [(&str, &str); 2] = [("run arithmetic", machine::ARITHMETIC), ("run all", machine::MIXED)];

/// The goal for the interpreter, in million instructions per second.
const RUN_GOAL: f64 = 100.0;

fn main() {
    let lexicon = Lexicon::new(Definitions::shipped(), &BTreeMap::new(), &BTreeMap::new());
    let actor = long(&lexicon);
    let script = actor.read();
    let text = actor.with(&lexicon, |around| script.text(around).text);
    let structured = actor.with(&lexicon, |around| script.structured_text(around).text);
    assert!(structured.contains("while var1 < 10 {"), "the text has loops");
    actor.round_trip(&lexicon);

    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("scripts");
    group.throughput(Throughput::Bytes(actor.code.len() as u64));
    group.bench_function("decode", |bench| bench.iter(|| black_box(&actor).read()));
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("text", |bench| {
        bench.iter(|| actor.with(&lexicon, |around| black_box(&script).text(around).text.len()));
    });
    group.bench_function("structured text", |bench| {
        bench.iter(|| actor.with(&lexicon, |around| black_box(&script).structured_text(around).text.len()));
    });
    group.bench_function("assemble", |bench| {
        bench.iter(|| {
            actor.with(&lexicon, |around| {
                Script::parse(black_box(&text), around).expect("valid data").script.write().len()
            })
        });
    });
    let actors = corpus_actors();
    if !actors.is_empty() {
        let bytes: usize = actors.iter().map(|it| it.code.len()).sum();
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function("corpus", |bench| {
            bench.iter(|| black_box(&actors).iter().map(|it| it.round_trip(&lexicon)).sum::<usize>());
        });
    }
    for (name, text) in RUNS {
        let mut run = machine::Run::new(text);
        group.throughput(Throughput::Elements(machine::INSTRUCTIONS));
        group.bench_function(name, |bench| {
            bench.iter(|| assert_eq!(black_box(&mut run).run(), machine::INSTRUCTIONS));
        });
    }
    group.finish();
    criterion.final_summary();
    report(actor.code.len(), text.len()).write("scripts");
}

fn report(code: usize, text: usize) -> Measures {
    let mut measures = Measures::new();
    let (code, text) = (code as f64 / 1e6, text as f64 / 1e6);
    measures.add("size of a long script", code, "MB");
    measures.add("size of its text", text, "MB");
    let mut add = |what: &str, name: &str, megabytes: f64| {
        if let Some(time) = seconds("scripts", name) {
            measures.add(what, megabytes / time, "MB/s");
        }
    };
    add("decoding scripts", "decode", code);
    add("writing the text of scripts", "text", text);
    add("writing their structured text", "structured text", text);
    add("assembling the text of scripts", "assemble", text);
    for (name, _) in &RUNS {
        if let Some(time) = seconds("scripts", name) {
            let speed = machine::INSTRUCTIONS as f64 / time / 1e6;
            let (what, unit) = (format!("scripts: {name}"), "million instructions/s");
            match *name {
                "run arithmetic" => measures.add_with_goal(&what, speed, unit, RUN_GOAL),
                _ => measures.add(&what, speed, unit),
            }
        }
    }
    if let Some(time) = seconds("scripts", "corpus") {
        measures.add("the scripts of all maps to text and back", time * 1e3, "ms");
    }
    measures
}
