//! No input is ever overwritten: tested for every option that takes a path, every command that writes and every kind of file name, with
//! `--force`.

use std::fs;
use std::path::Path;

use crate::setup::{ROOM, RunOutput, Sandbox};

/// A command that writes. `OUT` in its arguments is replaced by the output.
struct Case {
    arguments: &'static str,
    /// Name of the output: the command may require its extension, or the name of a file in a folder.
    out: &'static str,
    /// Files that it opens.
    opened: &'static [&'static str],
}

/// Arguments without spaces in them.
const CASES: &[Case] = &[
    // The palette given by an option, and the image itself.
    Case {
        arguments: "convert redguard/fxart/SKY001.BSI --palette look.col -o OUT",
        out: "a.png",
        opened: &["redguard/fxart/SKY001.BSI", "look.col"],
    },
    // The same to a folder, alone and with its gallery.
    Case {
        arguments: "convert redguard/fxart/SKY001.BSI --palette look.col -o out/",
        out: "out/SKY001.BSI.png",
        opened: &["redguard/fxart/SKY001.BSI", "look.col"],
    },
    Case {
        arguments: "convert one --palette look.col -o out/ -j 2",
        out: "out/SKY001.BSI.png",
        opened: &["one/SKY001.BSI", "look.col"],
    },
    Case {
        arguments: "convert one --palette look.col -o out/",
        out: "out/index.html",
        opened: &["one/SKY001.BSI", "look.col"],
    },
    // A palette of the game, and textures that are looked up.
    Case {
        arguments: "convert redguard/fxart/WALKER01.3DC --palette ISLAND.COL -o OUT",
        out: "a.glb",
        opened: &["redguard/fxart/WALKER01.3DC", "redguard/fxart/ISLAND.COL", "redguard/fxart/TEXBSI.210"],
    },
    Case {
        arguments: "convert scpcb/GFX/map/hall_opt.rmesh -o OUT",
        out: "a.glb",
        opened: &["scpcb/GFX/map/hall_opt.rmesh", "scpcb/Data/materials.ini", "scpcb/Data/rooms.ini"],
    },
    // A game folder and an archive given by options, and the file that lists the archives.
    Case {
        arguments: "convert alone/vane.rsm --game ragnarok/data.grf -o OUT",
        out: "a.glb",
        opened: &["alone/vane.rsm", "ragnarok/data.grf"],
    },
    Case {
        arguments: "convert alone/vane.rsm --game ragnarok -o OUT",
        out: "a.glb",
        opened: &["alone/vane.rsm", "ragnarok/data.grf", "ragnarok/DATA.INI"],
    },
    Case {
        arguments: "convert alone/vane.rsm --game ragnarok --to gltf -o out/",
        out: "out/vane.rsm.gltf",
        opened: &["alone/vane.rsm", "ragnarok/data.grf"],
    },
    // An archive.
    Case {
        arguments: "convert ragnarok/data.grf -o out/",
        out: "out/index.html",
        opened: &["ragnarok/data.grf"],
    },
    Case {
        arguments: "convert ragnarok/data.grf/**/*.rsm -o out/",
        out: "out/index.html",
        opened: &["ragnarok/data.grf"],
    },
    Case {
        arguments: "archive add ragnarok/data.grf wall.bsi patch -o OUT",
        out: "a.grf",
        opened: &["ragnarok/data.grf", "wall.bsi", "patch/data/a.txt"],
    },
    Case {
        arguments: "archive add redguard/fxart/TEXBSI.210 wall.bsi --name 99 -o OUT",
        out: "TEXBSI.210",
        opened: &["redguard/fxart/TEXBSI.210", "wall.bsi"],
    },
    Case {
        arguments: "archive remove ragnarok/data.grf **/canvas.bmp -o OUT",
        out: "a.grf",
        opened: &["ragnarok/data.grf"],
    },
    Case {
        arguments: "archive rename ragnarok/data.grf data/texture data/textures -o OUT",
        out: "a.grf",
        opened: &["ragnarok/data.grf"],
    },
    Case {
        arguments: "archive merge ragnarok/data.grf other.grf --compact -o OUT",
        out: "a.grf",
        opened: &["ragnarok/data.grf", "other.grf"],
    },
    Case {
        arguments: "extract ragnarok/data.grf -o out/",
        out: "out/data/texture/antiquary/canvas.bmp",
        opened: &["ragnarok/data.grf"],
    },
    // An edited file, and the archive and the content of an entry.
    Case {
        arguments: "set redguard/REDGUARD.CHT oracle=1 -o OUT",
        out: "a.cht",
        opened: &["redguard/REDGUARD.CHT"],
    },
    Case {
        arguments: "replace redguard/fxart/TEXBSI.302 1 wall.bsi --force -o OUT",
        out: "TEXBSI.302",
        opened: &["redguard/fxart/TEXBSI.302", "wall.bsi"],
    },
    Case {
        arguments: "unpack redguard/fxart/SKY001.BSI --palette look.col -o out",
        out: "out/record.json",
        opened: &["redguard/fxart/SKY001.BSI", "look.col"],
    },
    // Every file of a packed folder.
    Case {
        arguments: "pack unpacked -o OUT",
        out: "a.bsi",
        opened: &["unpacked/antiquary.json", "unpacked/record.json", "unpacked/stray.txt"],
    },
    Case { arguments: "pack patch -o OUT", out: "a.grf", opened: &["patch/data/a.txt", "patch/old.grf"] },
    // Inputs of a run of scripts.
    Case {
        arguments: "script run redguard/maps/ISLAND.RGM --updates 2 --player player.json --save SAVED.SAV --def SOUP.DEF --frames OUT",
        out: "a.glb",
        opened: &["redguard/maps/ISLAND.RGM", "player.json", "SAVED.SAV", "SOUP.DEF"],
    },
    Case {
        arguments: "script run redguard/maps/ISLAND.RGM --updates 2 --state state.json --frames OUT",
        out: "a.glb",
        opened: &["redguard/maps/ISLAND.RGM", "state.json"],
    },
    Case {
        arguments: "script run redguard/maps/ISLAND.RGM --updates 2 --save SAVED.SAV --save-to OUT",
        out: "a.sav",
        opened: &["redguard/maps/ISLAND.RGM", "SAVED.SAV", "redguard/soup386/SOUP386.DEF"],
    },
    Case {
        arguments: "script run redguard/maps/ISLAND.RGM --updates 2 --actor KEEPER --host host.json --save SAVED.SAV --save-to OUT",
        out: "a.sav",
        opened: &["host.json"],
    },
    // Files opened by moving objects.
    Case {
        arguments: "script run redguard/maps/ISLAND.RGM --updates 2 --frames OUT",
        out: "a.glb",
        opened: &["redguard/fxart/WALKER01.3DC", "redguard/fxart/ISLAND.ROB", "redguard/maps/ISLAND.WLD"],
    },
    // Scripts, and the names of functions.
    Case {
        arguments: "script disasm redguard/maps/ISLAND.RGM --def SOUP.DEF -o out",
        out: "out/KEEPER.soup",
        opened: &["redguard/maps/ISLAND.RGM", "SOUP.DEF"],
    },
    Case {
        arguments: "script asm keeper/KEEPER.soup --map redguard/maps/ISLAND.RGM --def SOUP.DEF -o OUT",
        out: "a.rgm",
        opened: &["keeper/KEEPER.soup", "redguard/maps/ISLAND.RGM", "SOUP.DEF"],
    },
    Case {
        arguments: "script asm keeper/KEEPER.soup --map redguard/maps/ISLAND.RGM -o OUT",
        out: "a.rgm",
        opened: &["redguard/soup386/SOUP386.DEF"],
    },
    Case {
        arguments: "script asm raw.soup --raw --def SOUP.DEF -o OUT",
        out: "a.bin",
        opened: &["raw.soup", "SOUP.DEF"],
    },
    // Inputs of generated files, and the older file whose patches are kept.
    Case {
        arguments: "build pvo redguard/maps/ISLAND.RGM -o OUT",
        out: "a.pvo",
        opened: &[
            "redguard/maps/ISLAND.RGM",
            "redguard/maps/ISLAND.PVO",
            "redguard/maps/ISLAND.WLD",
            "redguard/fxart/ISLAND.ROB",
            "redguard/WORLD.INI",
        ],
    },
    Case {
        arguments: "build lightmaps scpcb/GFX/map/hall_opt.rmesh --samples 1 --bounces 0 --density 1 -o OUT",
        out: "a.rmesh",
        opened: &["scpcb/GFX/map/hall_opt.rmesh", "scpcb/GFX/map/tiles.png", "scpcb/GFX/map/Props/plant.b3d"],
    },
    // All outputs of a game.
    Case {
        arguments: "convert redguard --everything -o out/",
        out: "out/lines.csv",
        opened: &["redguard/fxart/ISLAND.COL", "redguard/ENGLISH.RTX"],
    },
    // Files fixed by a check.
    Case {
        arguments: "check scpcb/GFX/map/hall_opt.rmesh --fix -o OUT",
        out: "a.rmesh",
        opened: &["scpcb/GFX/map/hall_opt.rmesh"],
    },
    // A scene and the files it refers to.
    Case {
        arguments: "pack scene/hall_opt.rmesh.gltf -o OUT",
        out: "a.rmesh",
        opened: &["scene/hall_opt.rmesh.gltf", "scene/hall_opt.rmesh.bin"],
    },
    // The base file of a scene or a folder, alone and in an archive.
    Case {
        arguments: "pack scene/hall_opt.rmesh.gltf --base scpcb/GFX/map/hall_opt.rmesh -o OUT",
        out: "a.rmesh",
        opened: &["scene/hall_opt.rmesh.gltf", "scpcb/GFX/map/hall_opt.rmesh"],
    },
    Case {
        arguments: "pack unpacked --base redguard/fxart/SKY001.BSI -o OUT",
        out: "a.bsi",
        opened: &["unpacked/record.json", "redguard/fxart/SKY001.BSI"],
    },
    Case {
        arguments: "pack windmill.glb --base ragnarok/data.grf/data/model/antiquary/windmill.rsm -o OUT",
        out: "a.rsm",
        opened: &["windmill.glb", "ragnarok/data.grf"],
    },
];

/// Creates a name for a file from its path and the output's path. Returns `None` if the system has no such names.
type Name = fn(&Sandbox, &str, &str) -> Option<String>;

const NAMES: &[(&str, Name)] = &[
    ("its own", |_, file, _| Some(file.to_owned())),
    ("relative", |_, file, _| Some(format!("redguard/../{file}"))),
    ("absolute", |sandbox, file, _| Some(sandbox.path(file).to_string_lossy().into_owned())),
    ("another letter case", |_, file, _| {
        let name = Path::new(file).file_name()?.to_string_lossy();
        let other =
            if name.chars().any(char::is_lowercase) { name.to_uppercase() } else { name.to_lowercase() };
        Some(format!("{}{other}", file.strip_suffix(&*name)?))
    }),
    ("symbolic link", |sandbox, file, out| link(sandbox, file, out, false)),
    ("hard link", |sandbox, file, out| link(sandbox, file, out, true)),
    ("through a linked folder", |sandbox, file, _| {
        let (folder, name) = file.rsplit_once('/')?;
        link(sandbox, folder, "linked", false)?;
        Some(format!("linked/{name}"))
    }),
];

#[cfg(unix)]
fn link(sandbox: &Sandbox, file: &str, name: &str, hard: bool) -> Option<String> {
    let at = sandbox.path(name);
    fs::create_dir_all(at.parent()?).unwrap();
    let linked = match hard {
        true => fs::hard_link(sandbox.path(file), at),
        false => std::os::unix::fs::symlink(sandbox.path(file), at),
    };
    linked.unwrap_or_else(|error| panic!("{name} -> {file}: {error}"));
    Some(name.to_owned())
}

#[cfg(not(unix))]
fn link(sandbox: &Sandbox, file: &str, name: &str, hard: bool) -> Option<String> {
    let at = sandbox.path(name);
    fs::create_dir_all(at.parent()?).unwrap();
    (hard && fs::hard_link(sandbox.path(file), at).is_ok()).then(|| name.to_owned())
}

/// The sample games, with additional files for the cases.
fn prepared() -> Sandbox {
    let sandbox = Sandbox::with_games();
    let copy = |from: &str, to: &str| sandbox.put(to, &sandbox.read(from));
    copy("redguard/fxart/ISLAND.COL", "look.col");
    copy("redguard/fxart/SKY001.BSI", "one/SKY001.BSI");
    copy("ragnarok/data.grf", "other.grf");
    let model = sandbox.files().into_iter().find(|name| name.ends_with("vane.rsm"));
    copy(&model.expect("the sample has a vane"), "alone/vane.rsm");
    sandbox.run(&["extract", "redguard/fxart/TEXBSI.302", "-o", "images"]).exits_with(0);
    copy("images/D02001.BSI", "wall.bsi");
    sandbox.run(&["unpack", "redguard/fxart/SKY001.BSI", "-o", "unpacked"]).exits_with(0);
    sandbox.put("unpacked/stray.txt", b"stray");
    sandbox.put("patch/data/a.txt", b"text");
    sandbox.put("patch/old.grf", b"mine");
    sandbox.run(&["convert", "scpcb/GFX/map/hall_opt.rmesh", "--to", "gltf", "-o", "scene/"]).exits_with(0);
    sandbox
        .run(&["convert", "ragnarok/data.grf/data/model/antiquary/windmill.rsm", "-o", "windmill.glb"])
        .exits_with(0);
    copy("redguard/SAVEGAME/SAVEGAME.000/SAVEGAME.SAV", "SAVED.SAV");
    copy("redguard/soup386/SOUP386.DEF", "SOUP.DEF");
    sandbox
        .run(&["script", "disasm", "redguard/maps/ISLAND.RGM", "--actor", "KEEPER", "-o", "keeper"])
        .exits_with(0);
    sandbox.put("host.json", b"{}");
    sandbox.put("raw.soup", b"Wait(1)\nend\n");
    // A name in another letter case, which a check fixes.
    fs::rename(sandbox.path("scpcb/GFX/map/sign.png"), sandbox.path("scpcb/GFX/map/Sign.png")).unwrap();
    sandbox.put("player.json", br#"{"do":[{"wait":3}]}"#);
    let state =
        sandbox.run(&["script", "run", "redguard/maps/ISLAND.RGM", "--updates", "1", "--json"]).exits_with(0);
    sandbox.put("state.json", state.text().as_bytes());
    sandbox
}

fn run(sandbox: &Sandbox, case: &Case, out: &str) -> RunOutput {
    let arguments: Vec<&str> =
        case.arguments.split(' ').map(|word| if word == "OUT" { out } else { word }).collect();
    let forced =
        if arguments.contains(&"--force") { arguments } else { [&arguments[..], &["--force"]].concat() };
    sandbox.run(&forced)
}

#[test]
fn no_command_overwrites_an_input_under_any_name() {
    let template = prepared();
    let (mut tried, mut wrong) = (0, Vec::new());
    for case in CASES {
        // The unmodified command succeeds, so a refusal below is due to its output.
        let sandbox = template.copied();
        let output = run(&sandbox, case, case.out);
        assert!(output.code == 0 && sandbox.has(case.out), "{}: {output:?}", case.arguments);
        for file in case.opened {
            for (kind, name) in NAMES {
                let is_link = kind.ends_with("link");
                // If the output has a fixed name, only a link can have that name.
                if !case.arguments.ends_with("OUT") && !is_link {
                    continue;
                }
                let sandbox = template.copied();
                let Some(named) = name(&sandbox, file, case.out) else { continue };
                let output = run(&sandbox, case, &named);
                tried += 1;
                let is_kept = sandbox.read(file) == template.read(file);
                // A name in another letter case is another file on many systems.
                let is_refused = output.code != 0 || *kind == "another letter case";
                let says_why =
                    !is_link || output.err.contains("is an input, and inputs are never overwritten");
                if !(is_kept && is_refused && says_why) {
                    wrong.push(format!("{} ({kind} of {file} as {named}): {output:?}", case.arguments));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(tried > 150, "{tried} tried");
}

/// Options of writing commands that name no opened file, and commands that open nothing.
const OPENS_NOTHING: &[&str] = &["demo", "archive add --folder", "--output", "--frames", "--save-to"];

/// Options tested with one command only, because all commands share their implementation.
const SHARED_OPTIONS: &[&str] = &["--game"];

/// The commands listed in a help text.
fn commands(sandbox: &Sandbox, of: &[&str]) -> Vec<Vec<String>> {
    let help = sandbox.run(&[of, &["--help"]].concat()).exits_with(0).text().to_owned();
    let lines = help.lines().skip_while(|line| !line.ends_with(':') || line.starts_with("Options:"));
    let names = lines.take_while(|line| !line.starts_with("Options:")).filter_map(|line| {
        let (name, about) = line.strip_prefix("  ")?.split_once("  ")?;
        (!about.is_empty() && !name.is_empty() && name != "help").then_some(name)
    });
    names.map(|name| of.iter().copied().chain([name]).map(str::to_owned).collect()).collect()
}

#[test]
fn covers_every_writing_command_and_every_file_option() {
    let sandbox = Sandbox::new();
    let mut all = Vec::new();
    for command in commands(&sandbox, &[]) {
        match command[0].as_str() {
            "archive" | "script" => all.extend(commands(&sandbox, &[&command[0]])),
            _ => all.push(command),
        }
    }
    assert!(all.len() > 30, "{all:?}");
    let mut missing = Vec::new();
    for command in all {
        let help = sandbox.run(&[&command[..], &["--help".to_owned()]].concat()).exits_with(0);
        let options = help.text().lines().filter_map(|line| {
            let option = line.trim_start().trim_start_matches("-o, ");
            let (option, value) = option.strip_prefix("--")?.split_once(" <")?;
            let names_a_file = ["FILE", "DIR", "OUT", "MAP"].iter().any(|name| value.starts_with(name));
            names_a_file.then(|| format!("--{option}"))
        });
        let options: Vec<_> = options.collect();
        let writes = ["--output", "--frames", "--save-to"];
        if !options.iter().any(|option| writes.contains(&option.as_str())) {
            continue;
        }
        let command = command.join(" ");
        let is_exempt = |what: &str| OPENS_NOTHING.contains(&what);
        let own = || CASES.iter().filter(|case| case.arguments.starts_with(&format!("{command} ")));
        if own().next().is_none() && !is_exempt(&command) {
            missing.push(command.clone());
        }
        for option in options {
            let has = |case: &Case| case.arguments.split(' ').any(|word| word == option);
            let is_tried =
                if SHARED_OPTIONS.contains(&&*option) { CASES.iter().any(has) } else { own().any(has) };
            if !is_tried && !is_exempt(&option) && !is_exempt(&format!("{command} {option}")) {
                missing.push(format!("{command} {option}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn does_not_replace_a_file_that_is_opened_later() {
    // The output of the first room is an input of the second.
    let sandbox = Sandbox::with_games();
    sandbox.put("a.rmesh", ROOM);
    let texture = "scpcb/GFX/map/tiles.png";
    let before = sandbox.read(texture);
    if link(&sandbox, texture, "out/a.rmesh.glb", true).is_none() {
        return;
    }
    sandbox.put("out/hall_opt.rmesh.glb", b"mine");
    let rooms = ["a.rmesh", "scpcb/GFX/map/hall_opt.rmesh"];
    for dry in [&["--dry-run"][..], &[]] {
        let arguments = [&["convert"], &rooms[..], &["-o", "out", "--force", "-j", "1"], dry].concat();
        let output = sandbox.run(&arguments).exits_with(1);
        assert!(
            output.err.contains("out/a.rmesh.glb: is an input, and inputs are never overwritten"),
            "{output:?}"
        );
        assert!(output.err.contains("2 files: 1 "), "{output:?}");
        assert_eq!(sandbox.read(texture), before);
    }
    assert!(sandbox.read("out/hall_opt.rmesh.glb").starts_with(b"glTF"), "the other is written");
    assert!(sandbox.files().iter().all(|name| !name.contains(".antiquary-")), "{:?}", sandbox.files());
}

#[test]
#[cfg(unix)]
fn does_not_replace_devices_and_pipes() {
    let sandbox = Sandbox::with_games();
    let room = "scpcb/GFX/map/hall_opt.rmesh";
    std::os::unix::fs::symlink("/dev/null", sandbox.path("null.glb")).unwrap();
    let output = sandbox.run(&["convert", room, "-o", "null.glb", "--force"]).exits_with(1);
    assert!(output.err.contains("is not a regular file"), "{output:?}");
    let made = std::process::Command::new("mkfifo").arg(sandbox.path("pipe.glb")).status();
    if made.is_ok_and(|status| status.success()) {
        let output = sandbox.run(&["convert", room, "-o", "pipe.glb", "--force"]).exits_with(1);
        assert!(output.err.contains("is not a regular file"), "{output:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_in_a_game_does_not_block_a_run() {
    let pipe = |sandbox: &Sandbox, name: &str| {
        let path = sandbox.path(name);
        let _ = fs::remove_file(&path);
        std::process::Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success())
    };
    let (sandbox, model) = (Sandbox::with_games(), "alone/vane.rsm");
    let found = sandbox.files().into_iter().find(|name| name.ends_with("vane.rsm")).unwrap();
    sandbox.put(model, &sandbox.read(&found));
    for name in ["ragnarok/data.grf", "ragnarok/DATA.INI"] {
        if pipe(&sandbox, name) {
            sandbox.run(&["convert", model, "--game", "ragnarok", "-o", "a.glb", "--force"]);
        }
    }
    sandbox.run(&["unpack", "redguard/fxart/SKY001.BSI", "-o", "unpacked"]).exits_with(0);
    for name in sandbox.files().into_iter().filter(|name| name.starts_with("unpacked/")) {
        let bytes = sandbox.read(&name);
        if pipe(&sandbox, &name) {
            let output = sandbox.run(&["pack", "unpacked", "-o", "a.bsi"]).exits_with(1);
            assert!(
                output.err.contains("regular file") || output.err.contains("is not an unpacked folder"),
                "{output:?}"
            );
            fs::remove_file(sandbox.path(&name)).unwrap();
        }
        sandbox.put(&name, &bytes);
    }
}

#[test]
#[cfg(unix)]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with_games();
    let mode = |name: &str| fs::metadata(sandbox.path(name)).unwrap().permissions().mode() & 0o777;
    let allow =
        |name: &str, mode| fs::set_permissions(sandbox.path(name), fs::Permissions::from_mode(mode)).unwrap();
    sandbox.put("a.glb", b"old");
    allow("a.glb", 0o640);
    sandbox.run(&["convert", "scpcb/GFX/map/hall_opt.rmesh", "-o", "a.glb", "--force"]).exits_with(0);
    assert_eq!(mode("a.glb"), 0o640);
    // An edited copy is as private as its original.
    allow("redguard/REDGUARD.CHT", 0o600);
    sandbox.run(&["set", "redguard/REDGUARD.CHT", "oracle=1", "-o", "b.cht"]).exits_with(0);
    assert_eq!(mode("b.cht"), 0o600);
    allow("redguard/fxart/TEXBSI.302", 0o600);
    sandbox.run(&["extract", "redguard/fxart/TEXBSI.302", "-o", "images"]).exits_with(0);
    let image = "images/D02001.BSI";
    sandbox.run(&["replace", "redguard/fxart/TEXBSI.302", "1", image, "-o", "c.302"]).exits_with(0);
    assert_eq!(mode("c.302"), 0o600);
}
