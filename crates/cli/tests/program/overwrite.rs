//! No input is ever overwritten: every option that takes a path, every command that writes, every name that a file can have, with `--force`.

use std::fs;
use std::path::Path;

use crate::setup::{Place, ROOM, Ran};

/// A command that writes. `OUT` in its arguments stands for the output.
struct Case {
    arguments: &'static str,
    /// What the output is called: the command may need its extension, or the name of a file in a folder.
    out: &'static str,
    /// The files that it opens.
    opened: &'static [&'static str],
}

/// Arguments without spaces in them.
const CASES: &[Case] = &[
    // The palette that an option names, and the image itself.
    Case {
        arguments: "convert redguard/fxart/SKY001.BSI --palette look.col -o OUT",
        out: "a.png",
        opened: &["redguard/fxart/SKY001.BSI", "look.col"],
    },
    // The same into a folder, alone and with its gallery.
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
    // A game folder and an archive that options name, and what says which archives there are.
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
    // Every file of a folder that is packed.
    Case {
        arguments: "pack unpacked -o OUT",
        out: "a.bsi",
        opened: &["unpacked/antiquary.json", "unpacked/record.json", "unpacked/stray.txt"],
    },
    Case { arguments: "pack patch -o OUT", out: "a.grf", opened: &["patch/data/a.txt", "patch/old.grf"] },
    // What a run of scripts begins with.
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
    // What is opened by what moves.
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
    // What files are computed from, and the older file whose patches are kept.
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
    // What a check mends.
    Case {
        arguments: "check scpcb/GFX/map/hall_opt.rmesh --fix -o OUT",
        out: "a.rmesh",
        opened: &["scpcb/GFX/map/hall_opt.rmesh"],
    },
    // A scene and what it names.
    Case {
        arguments: "pack scene/hall_opt.rmesh.gltf -o OUT",
        out: "a.rmesh",
        opened: &["scene/hall_opt.rmesh.gltf", "scene/hall_opt.rmesh.bin"],
    },
    // The file that a scene or a folder was made from, on its own and in an archive.
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

/// A name for a file, by its own path and that of the output. `None` where the system has no such names.
type Name = fn(&Place, &str, &str) -> Option<String>;

const NAMES: &[(&str, Name)] = &[
    ("its own", |_, file, _| Some(file.to_owned())),
    ("relative", |_, file, _| Some(format!("redguard/../{file}"))),
    ("absolute", |place, file, _| Some(place.path(file).to_string_lossy().into_owned())),
    ("another letter case", |_, file, _| {
        let name = Path::new(file).file_name()?.to_string_lossy();
        let other =
            if name.chars().any(char::is_lowercase) { name.to_uppercase() } else { name.to_lowercase() };
        Some(format!("{}{other}", file.strip_suffix(&*name)?))
    }),
    ("symbolic link", |place, file, out| link(place, file, out, false)),
    ("hard link", |place, file, out| link(place, file, out, true)),
    ("through a linked folder", |place, file, _| {
        let (folder, name) = file.rsplit_once('/')?;
        link(place, folder, "linked", false)?;
        Some(format!("linked/{name}"))
    }),
];

#[cfg(unix)]
fn link(place: &Place, file: &str, name: &str, hard: bool) -> Option<String> {
    let at = place.path(name);
    fs::create_dir_all(at.parent()?).unwrap();
    let linked = match hard {
        true => fs::hard_link(place.path(file), at),
        false => std::os::unix::fs::symlink(place.path(file), at),
    };
    linked.unwrap_or_else(|error| panic!("{name} -> {file}: {error}"));
    Some(name.to_owned())
}

#[cfg(not(unix))]
fn link(place: &Place, file: &str, name: &str, hard: bool) -> Option<String> {
    let at = place.path(name);
    fs::create_dir_all(at.parent()?).unwrap();
    (hard && fs::hard_link(place.path(file), at).is_ok()).then(|| name.to_owned())
}

/// The sample games, and files that the cases need besides.
fn prepared() -> Place {
    let place = Place::with_games();
    let copy = |from: &str, to: &str| place.put(to, &place.read(from));
    copy("redguard/fxart/ISLAND.COL", "look.col");
    copy("redguard/fxart/SKY001.BSI", "one/SKY001.BSI");
    copy("ragnarok/data.grf", "other.grf");
    let model = place.files().into_iter().find(|name| name.ends_with("vane.rsm"));
    copy(&model.expect("the sample has a vane"), "alone/vane.rsm");
    place.run(&["extract", "redguard/fxart/TEXBSI.302", "-o", "images"]).ended(0);
    copy("images/D02001.BSI", "wall.bsi");
    place.run(&["unpack", "redguard/fxart/SKY001.BSI", "-o", "unpacked"]).ended(0);
    place.put("unpacked/stray.txt", b"stray");
    place.put("patch/data/a.txt", b"text");
    place.put("patch/old.grf", b"somebody's");
    place.run(&["convert", "scpcb/GFX/map/hall_opt.rmesh", "--to", "gltf", "-o", "scene/"]).ended(0);
    place
        .run(&["convert", "ragnarok/data.grf/data/model/antiquary/windmill.rsm", "-o", "windmill.glb"])
        .ended(0);
    copy("redguard/SAVEGAME/SAVEGAME.000/SAVEGAME.SAV", "SAVED.SAV");
    copy("redguard/soup386/SOUP386.DEF", "SOUP.DEF");
    place
        .run(&["script", "disasm", "redguard/maps/ISLAND.RGM", "--actor", "KEEPER", "-o", "keeper"])
        .ended(0);
    place.put("host.json", b"{}");
    place.put("raw.soup", b"Wait(1)\nend\n");
    // A name in another letter case, which a check mends.
    fs::rename(place.path("scpcb/GFX/map/sign.png"), place.path("scpcb/GFX/map/Sign.png")).unwrap();
    place.put("player.json", br#"{"do":[{"wait":3}]}"#);
    let state =
        place.run(&["script", "run", "redguard/maps/ISLAND.RGM", "--updates", "1", "--json"]).ended(0);
    place.put("state.json", state.text().as_bytes());
    place
}

fn run(place: &Place, case: &Case, out: &str) -> Ran {
    let arguments: Vec<&str> =
        case.arguments.split(' ').map(|word| if word == "OUT" { out } else { word }).collect();
    let forced =
        if arguments.contains(&"--force") { arguments } else { [&arguments[..], &["--force"]].concat() };
    place.run(&forced)
}

#[test]
fn no_input_is_overwritten_by_any_command_under_any_name() {
    let template = prepared();
    let (mut tried, mut wrong) = (0, Vec::new());
    for case in CASES {
        // As it is meant, it works: so what is refused below is refused for its output.
        let place = template.copied();
        let ran = run(&place, case, case.out);
        assert!(ran.code == 0 && place.has(case.out), "{}: {ran:?}", case.arguments);
        for file in case.opened {
            for (kind, name) in NAMES {
                let is_link = kind.ends_with("link");
                // Where the output has a fixed name, only a link can stand there.
                if !case.arguments.ends_with("OUT") && !is_link {
                    continue;
                }
                let place = template.copied();
                let Some(named) = name(&place, file, case.out) else { continue };
                let ran = run(&place, case, &named);
                tried += 1;
                let is_kept = place.read(file) == template.read(file);
                // A name in another letter case is another file on many systems.
                let is_refused = ran.code != 0 || *kind == "another letter case";
                let says_why = !is_link || ran.err.contains("is an input, and inputs are never overwritten");
                if !(is_kept && is_refused && says_why) {
                    wrong.push(format!("{} ({kind} of {file} as {named}): {ran:?}", case.arguments));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(tried > 150, "{tried} tried");
}

/// Options of commands that write which name no file that is opened, and commands that open nothing.
const OPENS_NOTHING: &[&str] = &["demo", "archive add --folder", "--output", "--frames", "--save-to"];

/// Options that the cases of one command stand for: all commands take them from one place.
const ALIKE: &[&str] = &["--game"];

/// The commands, with the commands in them: what their help lists.
fn commands(place: &Place, of: &[&str]) -> Vec<Vec<String>> {
    let help = place.run(&[of, &["--help"]].concat()).ended(0).text().to_owned();
    let lines = help.lines().skip_while(|line| !line.ends_with(':') || line.starts_with("Options:"));
    let names = lines.take_while(|line| !line.starts_with("Options:")).filter_map(|line| {
        let (name, about) = line.strip_prefix("  ")?.split_once("  ")?;
        (!about.is_empty() && !name.is_empty() && name != "help").then_some(name)
    });
    names.map(|name| of.iter().copied().chain([name]).map(str::to_owned).collect()).collect()
}

#[test]
fn every_command_that_writes_and_every_option_that_names_a_file_is_tried() {
    let place = Place::new();
    let mut all = Vec::new();
    for command in commands(&place, &[]) {
        match command[0].as_str() {
            "archive" | "script" => all.extend(commands(&place, &[&command[0]])),
            _ => all.push(command),
        }
    }
    assert!(all.len() > 30, "{all:?}");
    let mut missing = Vec::new();
    for command in all {
        let help = place.run(&[&command[..], &["--help".to_owned()]].concat()).ended(0);
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
            let is_tried = if ALIKE.contains(&&*option) { CASES.iter().any(has) } else { own().any(has) };
            if !is_tried && !is_exempt(&option) && !is_exempt(&format!("{command} {option}")) {
                missing.push(format!("{command} {option}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn what_a_run_opens_late_is_not_replaced_early() {
    // What the first room is to replace, only the second looks for.
    let place = Place::with_games();
    place.put("a.rmesh", ROOM);
    let texture = "scpcb/GFX/map/tiles.png";
    let before = place.read(texture);
    if link(&place, texture, "out/a.rmesh.glb", true).is_none() {
        return;
    }
    place.put("out/hall_opt.rmesh.glb", b"mine");
    let rooms = ["a.rmesh", "scpcb/GFX/map/hall_opt.rmesh"];
    for dry in [&["--dry-run"][..], &[]] {
        let arguments = [&["convert"], &rooms[..], &["-o", "out", "--force", "-j", "1"], dry].concat();
        let ran = place.run(&arguments).ended(1);
        assert!(
            ran.err.contains("out/a.rmesh.glb: is an input, and inputs are never overwritten"),
            "{ran:?}"
        );
        assert!(ran.err.contains("2 files: 1 "), "{ran:?}");
        assert_eq!(place.read(texture), before);
    }
    assert!(place.read("out/hall_opt.rmesh.glb").starts_with(b"glTF"), "the other is written");
    assert!(place.files().iter().all(|name| !name.contains(".antiquary-")), "{:?}", place.files());
}

#[test]
#[cfg(unix)]
fn devices_and_pipes_are_not_replaced() {
    let place = Place::with_games();
    let room = "scpcb/GFX/map/hall_opt.rmesh";
    std::os::unix::fs::symlink("/dev/null", place.path("null.glb")).unwrap();
    let ran = place.run(&["convert", room, "-o", "null.glb", "--force"]).ended(1);
    assert!(ran.err.contains("is not a regular file"), "{ran:?}");
    let made = std::process::Command::new("mkfifo").arg(place.path("pipe.glb")).status();
    if made.is_ok_and(|status| status.success()) {
        let ran = place.run(&["convert", room, "-o", "pipe.glb", "--force"]).ended(1);
        assert!(ran.err.contains("is not a regular file"), "{ran:?}");
    }
}

#[test]
#[cfg(unix)]
fn pipes_among_the_files_of_a_game_do_not_hang_a_run() {
    let pipe = |place: &Place, name: &str| {
        let path = place.path(name);
        let _ = fs::remove_file(&path);
        std::process::Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success())
    };
    let (place, model) = (Place::with_games(), "alone/vane.rsm");
    let found = place.files().into_iter().find(|name| name.ends_with("vane.rsm")).unwrap();
    place.put(model, &place.read(&found));
    for name in ["ragnarok/data.grf", "ragnarok/DATA.INI"] {
        if pipe(&place, name) {
            place.run(&["convert", model, "--game", "ragnarok", "-o", "a.glb", "--force"]);
        }
    }
    place.run(&["unpack", "redguard/fxart/SKY001.BSI", "-o", "unpacked"]).ended(0);
    for name in place.files().into_iter().filter(|name| name.starts_with("unpacked/")) {
        let bytes = place.read(&name);
        if pipe(&place, &name) {
            let ran = place.run(&["pack", "unpacked", "-o", "a.bsi"]).ended(1);
            assert!(
                ran.err.contains("regular file") || ran.err.contains("is not an unpacked folder"),
                "{ran:?}"
            );
            fs::remove_file(place.path(&name)).unwrap();
        }
        place.put(&name, &bytes);
    }
}

#[test]
#[cfg(unix)]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with_games();
    let mode = |name: &str| fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777;
    let allow =
        |name: &str, mode| fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).unwrap();
    place.put("a.glb", b"old");
    allow("a.glb", 0o640);
    place.run(&["convert", "scpcb/GFX/map/hall_opt.rmesh", "-o", "a.glb", "--force"]).ended(0);
    assert_eq!(mode("a.glb"), 0o640);
    // An edited copy is as private as its original.
    allow("redguard/REDGUARD.CHT", 0o600);
    place.run(&["set", "redguard/REDGUARD.CHT", "oracle=1", "-o", "b.cht"]).ended(0);
    assert_eq!(mode("b.cht"), 0o600);
    allow("redguard/fxart/TEXBSI.302", 0o600);
    place.run(&["extract", "redguard/fxart/TEXBSI.302", "-o", "images"]).ended(0);
    let image = "images/D02001.BSI";
    place.run(&["replace", "redguard/fxart/TEXBSI.302", "1", image, "-o", "c.302"]).ended(0);
    assert_eq!(mode("c.302"), 0o600);
}
