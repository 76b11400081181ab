//! The same limits for output generated from other files: scenes with very many meshes, texts and inputs with very many statements,
//! scripts that never pause. With `--full`, each input is also made two, four and eight times as large, and must not take more than twice
//! that factor in time.

use std::fs;
use std::path::{Path, PathBuf};

use super::{BASE, MAX_SLOWDOWN, MIN_TIME, SPECIMEN, WORK_DIR, run, run_in_process, written};
use antiquary::asset::{FolderSink, Guard};
use antiquary::json::Value;
use antiquary::{CATALOG, PackOptions, UnpackOptions, sample};

/// A large input.
struct Load {
    /// The command; `IN` is replaced by the file and `OUT` by the output.
    command: &'static str,
    /// Generates the file with this number of elements.
    make: fn(usize) -> Vec<u8>,
    /// Name of the file.
    name: &'static str,
    /// Number of elements.
    count: usize,
    code: i32,
}

const SCRIPT: &str = "script run redguard/maps/ISLAND.RGM";

const LOADS: &[Load] = &[
    Load { command: "pack IN -o OUT.rsm", make: meshes, name: "many.glb", count: 6000, code: 0 },
    Load { command: "pack IN -o OUT.b3d", make: meshes, name: "many.glb", count: 6000, code: 0 },
    Load { command: "pack IN -o OUT.3dc", make: meshes, name: "many.glb", count: 6000, code: 0 },
    Load { command: "pack IN -o OUT.rob", make: meshes, name: "many.glb", count: 6000, code: 0 },
    Load { command: "pack IN -o OUT.rmesh", make: meshes, name: "many.glb", count: 6000, code: 0 },
    Load { command: "pack IN -o OUT.x", make: meshes, name: "many.glb", count: 500, code: 0 },
    Load { command: "pack IN -o OUT.rob", make: nodes, name: "nodes.glb", count: 12_000, code: 0 },
    Load {
        command: "script asm IN --raw --def redguard/soup386/SOUP386.DEF -o OUT",
        make: texts,
        name: "texts.soup",
        count: 20_000,
        code: 1,
    },
    Load {
        command: "script asm IN --raw --def redguard/soup386/SOUP386.DEF -o OUT",
        make: statements,
        name: "statements.soup",
        count: 20_000,
        code: 0,
    },
    Load {
        command: "script asm IN --raw --def redguard/soup386/SOUP386.DEF -o OUT",
        make: line,
        name: "line.soup",
        count: 500_000,
        code: 1,
    },
    Load {
        command: "script run redguard/maps/ISLAND.RGM --updates 20 --json --player IN",
        make: waits,
        name: "waits.json",
        count: 50_000,
        code: 0,
    },
];

/// A scene with `count` meshes, each with one triangle.
fn meshes(count: usize) -> Vec<u8> {
    let each = |make: &dyn Fn(usize) -> String| (0..count).map(make).collect::<Vec<_>>().join(",");
    let nodes = each(&|index| format!(r#"{{"mesh":{index},"name":"N{index}"}}"#));
    let mesh = r#""primitives":[{"attributes":{"POSITION":0},"indices":1}]"#;
    let meshes = each(&|index| format!(r#"{{"name":"M{index}",{mesh}}}"#));
    glb(count, &nodes, &meshes)
}

/// A scene with `count` nodes that show the same mesh.
fn nodes(count: usize) -> Vec<u8> {
    let nodes: Vec<_> = (0..count).map(|index| format!(r#"{{"mesh":0,"name":"N{index}"}}"#)).collect();
    glb(count, &nodes.join(","), r#"{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}"#)
}

fn glb(count: usize, nodes: &str, meshes: &str) -> Vec<u8> {
    let corners = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut binary: Vec<u8> = corners.into_iter().flatten().flat_map(f32::to_le_bytes).collect();
    binary.extend([0_u16, 1, 2, 0].into_iter().flat_map(u16::to_le_bytes));
    let roots: Vec<_> = (0..count).map(|index| index.to_string()).collect();
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{}]}}],"nodes":[{nodes}],"meshes":[{meshes}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
        {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
        "buffers":[{{"byteLength":{}}}]}}"#,
        roots.join(","),
        binary.len()
    );
    json.push_str(&" ".repeat(json.len().next_multiple_of(4) - json.len()));
    let length = |bytes: usize| u32::try_from(bytes).unwrap().to_le_bytes();
    let parts: [&[u8]; 9] = [
        b"glTF",
        &length(2),
        &length(28 + json.len() + binary.len()),
        &length(json.len()),
        b"JSON",
        json.as_bytes(),
        &length(binary.len()),
        b"BIN\0",
        &binary,
    ];
    parts.concat()
}

/// A script with `count` string literals, which bare bytecode cannot have.
fn texts(count: usize) -> Vec<u8> {
    (0..count).map(|index| format!("RTX(\"text number {index}\")\n")).collect::<String>().into_bytes()
}

fn statements(count: usize) -> Vec<u8> {
    let lines = (0..count).map(|index| format!("L{index}:\nWait({})\n", index % 50));
    (lines.collect::<String>() + "end\n").into_bytes()
}

/// A line with `count` terms.
fn line(count: usize) -> Vec<u8> {
    format!("Wait({}1)\nend\n", "1+".repeat(count)).into_bytes()
}

/// Inputs of a player who only waits.
fn waits(count: usize) -> Vec<u8> {
    format!(r#"{{"do":[{}]}}"#, vec![r#"{"wait":3}"#; count].join(",")).into_bytes()
}

/// Writes the sample games to a folder.
fn games(work_dir: &Path) {
    let mut sink = FolderSink::new(work_dir, Guard::default().into());
    sample::write(CATALOG, &mut sink).unwrap();
    sink.finish().unwrap();
}

#[test]
fn stays_within_the_limits_for_large_inputs() {
    let work_dir = tempfile::tempdir().unwrap();
    games(work_dir.path());
    let factor = if corpus::is_full() { 8 } else { 1 };
    let mut violations = Vec::new();
    for load in LOADS {
        let mut first = None;
        for times in [1, 2, 4, 8].into_iter().take_while(|times| *times <= factor) {
            let file = work_dir.path().join(load.name);
            fs::write(&file, (load.make)(load.count * times)).unwrap();
            let length = fs::metadata(&file).unwrap().len();
            let out = work_dir.path().join("out");
            let command = load.command.replace("IN", load.name).replace("OUT", "out/made");
            fs::create_dir_all(&out).unwrap();
            let usage = run(&command.split(' ').collect::<Vec<_>>(), work_dir.path());
            let (bytes, files) = written(&out);
            fs::remove_dir_all(&out).unwrap();
            let allowed = BASE + 8 * length + 4 * bytes + 2048 * files;
            let figures = format!(
                "{command} with {} elements ({length} bytes): {} of {allowed} bytes, {:?}, exit code {:?}",
                load.count * times,
                usage.memory,
                usage.time,
                usage.code
            );
            println!("{figures}");
            if usage.memory > allowed || usage.code != Some(load.code) {
                violations.push(figures.clone());
            }
            let before = *first.get_or_insert(usage.time);
            let slowest = before * u32::try_from(times).unwrap() * MAX_SLOWDOWN / 8 + MIN_TIME;
            if usage.time > slowest {
                violations.push(format!("{figures}, but {before:?} for {} elements", load.count));
            }
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn stays_within_the_limits_for_scripts_that_never_pause() {
    let work_dir = tempfile::tempdir().unwrap();
    games(work_dir.path());
    let menu = "actor \"KEEPER\" #2\nmenuNew()\nx:\nmenuAddItem('well', 1, 1)\ngoto x\nend\n";
    fs::write(work_dir.path().join("menu.soup"), menu).unwrap();
    let asm = "script asm menu.soup --map redguard/maps/ISLAND.RGM -o redguard/maps/MENU.RGM";
    assert_eq!(run(&asm.split(' ').collect::<Vec<_>>(), work_dir.path()).code, Some(0));
    for (command, code) in [
        (format!("{SCRIPT} --updates 20000 --json"), 0),
        (format!("{SCRIPT} --updates 20000 --trace"), 0),
        (format!("{SCRIPT} --updates 20000 --quiet"), 0),
        ("script run redguard/maps/MENU.RGM --updates 10 --json".to_owned(), 1),
        ("script run redguard/maps/MENU.RGM --updates 10".to_owned(), 1),
    ] {
        let usage = run(&command.split(' ').collect::<Vec<_>>(), work_dir.path());
        println!("{command}: {} bytes, {:?}", usage.memory, usage.time);
        assert!(
            usage.memory < BASE && usage.code == Some(code),
            "{command}: {} {:?}",
            usage.memory,
            usage.code
        );
    }
}

/// Additional memory that `build pvo` may take for each triangle of the terrain and of each static, in bytes.
const PER_TRIANGLE: u64 = 400;

/// Adds the number of statics given by the environment to the map of the sample game, in a square of 60,000 units. Runs in a separate
/// process, as `grow` does.
#[test]
#[ignore = "started by the test below"]
fn place_statics() {
    let Some(work_dir) = std::env::var_os(WORK_DIR).map(PathBuf::from) else { return };
    let count: usize = std::env::var(SPECIMEN).unwrap().parse().unwrap();
    let (map, unpacked) = (work_dir.join(MAP), work_dir.join("unpacked"));
    let session = antiquary::Session::default().overwrite(antiquary::Overwrite::Allow);
    session.unpack(&map, &unpacked, &UnpackOptions::default()).unwrap();
    let file = unpacked.join("record.json");
    let mut record: Value = antiquary::json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let sections = record["sections"].as_array_mut().unwrap();
    let statics = sections.iter_mut().find_map(|section| section.get_mut("MPSO")).unwrap();
    let first = statics["records"][0].clone();
    let side = (count as f64).sqrt().ceil() as usize;
    let placed = (0..count).map(|number| {
        let mut it = first.clone();
        let along = |steps: usize| 2000 + steps * 60_000 / side;
        it["position"] = antiquary::json::json!([along(number % side), -40, along(number / side)]);
        it
    });
    statics["records"] = placed.collect();
    fs::write(file, serde_json::to_vec(&record).unwrap()).unwrap();
    session.pack(&unpacked, &map, &PackOptions::default()).unwrap();
}

const MAP: &str = "redguard/maps/ISLAND.RGM";

#[test]
fn stays_within_the_limits_for_distant_statics_in_a_visibility_tree() {
    let work_dir = tempfile::tempdir().unwrap();
    games(work_dir.path());
    for count in [14, 2000, 13_000] {
        run_in_process("load::place_statics", work_dir.path(), &count.to_string());
        let usage = run(&["build", "pvo", MAP, "-o", "made.pvo", "--force"], work_dir.path());
        let length = |file: &str| fs::metadata(work_dir.path().join(file)).unwrap().len();
        // The terrain has two triangles for each square of 256 units, a crate has twelve.
        let triangles = 2 * (64_000 / 256_u64).pow(2) + 12 * count;
        let allowed = BASE + 8 * length(MAP) + 4 * length("made.pvo") + PER_TRIANGLE * triangles;
        println!("{count} statics: {} of {allowed} bytes, {:?}", usage.memory, usage.time);
        assert_eq!(usage.code, Some(0), "{count}");
        assert!(usage.memory <= allowed, "{count}: {} of {allowed}", usage.memory);
    }
}
