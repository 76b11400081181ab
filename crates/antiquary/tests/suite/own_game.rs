//! Inside a game, no file is identified as a file of another game.

use std::path::Path;

use antiquary::{CATALOG, DescribeOptions, Input, Inputs, Session};

/// A game, and names of files in its installs, its mods and their tools; the file that identifies the game comes first.
struct Install {
    id: &'static str,
    files: &'static str,
}

/// The files of each game. Sources: redguard-preservation's list of an install, SYSTEM.INI and REGISTRY.INI; the public
/// source and mods of SCP – Containment Breach; Ragnarok Research Lab.
const INSTALLS: [Install; 3] = [
    Install {
        id: "redguard",
        files: "soup386/SOUP386.DEF RGFX.EXE REDGUARD.EXE glide2x.dll 3DfxSpl2.dll glide2x_emu.ovl DOS4GW.386 ENGLISH.RTX REDGUARD.SWG \
            redguard.swx REDGUARD.CHT REDGUARD.CPF OBJECT.SAV COMBAT.INI ITEM.INI KEYS.INI MENU.INI REGISTRY.INI surface.INI SYSTEM.INI \
            WORLD.INI options.ini BITMAP.LOG CAMERA.LOG COMBAT.LOG ERROR.LOG EXIT.LOG GENERAL.LOG GRID.LOG MAINLOOP.LOG MENU.LOG OBJECT.LOG \
            PATH.LOG RAI.LOG SAVEFILE.LOG STARTUP.LOG TESTMAPS.LOG BETHESDA.TXT CREDITS.TXT ReadMe.TXT INI.ZAP LOGFILE.TXT fxart.txt \
            REDGUARD.PIF REDGUARD.ICO REDGUARD.BAT AUDIODRV.DIG game.gog game.ins goggame-1.info goggame-1.hashdb goggame-1.dll \
            goggame-1.script goglog.ini unins000.exe unins000.dat unins000.ini unins000.msg dosbox.conf Manual.pdf INTRO.SMK MUSIC.OGG \
            fonts/ARIALBB.FNT fxart/ISLAND.COL fxart/A.3DC fxart/A.3D fxart/ISLAND.ROB fxart/TEXBSI.302 fxart/FOG.INI fxart/more \
            fxart/SKY001.BSI 3dart/OBJECTS.ZAP 3dart/TEXTURE.302 3dart/SHADE.001 3dart/HAZE.001 maps/ISLAND.RGM maps/ISLAND.PVO \
            maps/ISLAND.WLD maps/ISLAND.TSG maps/islan001.noo sound/MAIN.SFX sound/R212.WAV sound/SB16.DIG sound/OPL3.MDI sound/STATE.RST \
            sound/DIG.INI sound/MDI.INI sound/MSSDRVR.LST sound/FAT.OPL sound/FAT.AD soup386/CAMERA.AI soup386/sword.ai soup386/KEEPER.soup \
            soup386/SOUP386.ZAP system/MAIN.GXA system/gui.anm system/gui.lbm system/pointers.bmp system/SKY_61.PCX system/GXA.ZAP \
            system/SHOT.TGA SAVEGAME/SAVEGAME.000/SAVEGAME.SAV SAVEGAME/SAVEGAME.000/LOGBOOK.TXT SAVEGAME/save.txt",
    },
    Install {
        id: "scpcb",
        files: "GFX/map/room1.rmesh SCPCB.exe fmod.dll options.ini changelog.txt README.md LICENSE .gitignore Main.bb FMod.decls error.log \
            Console.log SCPCB.ico desktop.ini Thumbs.db creator.bmx setup.bat Manual.pdf Data/rooms.ini Data/NPCs.ini Data/NPCBones.ini \
            Data/events.ini Data/SCP-294.ini Data/materials.ini Data/1499chunks.ini Data/achievementstrings.ini Data/loadingscreens.ini \
            Data/lang.ini Data/weapons.ini Data/items.ini Data/sounds.ini Data/keys.cfg Data/a.xml Data/a.json GFX/map/room2.rm GFX/map/a.x \
            GFX/map/a.b3d GFX/map/a.jpg GFX/map/a_lm.png GFX/map/a.bmp GFX/map/a.tga GFX/map/a.gif GFX/map/a.dds GFX/map/a.3ds GFX/map/a.obj \
            GFX/map/a.mtl GFX/map/a.blend GFX/map/a.psd GFX/font/a.ttf GFX/font/a.fon GFX/font/a.fnt GFX/menu/a.avi GFX/menu/a.wmv \
            GFX/screens/a.sc GFX/screens/a.pcx SFX/a.ogg SFX/a.wav SFX/a.mp3 Saves/one/save.txt Saves/options.sav Maps/a.cbmap Maps/a.cbmap2 \
            mod.zip",
    },
    Install {
        id: "ragnarok",
        files: "DATA.INI data.grf event.gpf Ragexe.exe Setup.exe granny2.dll Mss32.dll Mp3dec.asi Msseax.m3d Mssds3d.flt readme.txt \
            option.log error.log clientinfo.xml ragnarok.ico patch.inf Ragray.pat a.rgz a.thor OptionInfo.lua Setup.ini options.ini licence.cht \
            account.sav data/model/a.rsm data/model/a.rsm2 data/a.gat data/a.gnd data/a.rsw data/sprite/a.spr data/sprite/a.act data/a.imf \
            data/palette/a.pal data/texture/a.str data/texture/a.bmp data/texture/a.tga data/texture/a.jpg data/texture/a.png data/a.gif \
            data/texture/a.dds data/a.gr2 data/a.lub data/a.lua data/wav/a.wav BGM/a.mp3 BGM/a.ogg data/a.bik data/a.avi data/font/a.ttf \
            data/font/a.eot data/a.txt data/a.json data/a.md data/a.ini data/a.rpy data/a.ebm data/thumbs.db data/a.fna data/a.ezv data/a.db \
            data/a.csv data/a.html data/a.def data/a.fnt data/a.sfx SAVE/save.txt manual.pdf patch.bat",
    },
];

/// Contents of the files: texts, and meaningless bytes.
const CONTENTS: [&[u8]; 4] = [
    b"; a line\r\n[general]\r\nkey = 1\r\nsome words\r\n",
    b"some words\nand more\n",
    &[0; 256],
    b"\x0d\x97\x26\xb0\x3a\xc4\x4e\xd8\x62\xec\x76\x05\x8a\x19\x9e\x2d\xb2\x41\xc6\x55",
];

fn put(folder: &Path, name: &str, content: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// Returns the id and the name of every other game.
fn other_names(id: &str) -> Vec<&'static str> {
    CATALOG.games().iter().filter(|game| game.id != id).flat_map(|game| [game.id, game.name]).collect()
}

#[test]
fn info_inside_a_game_never_names_another_game() {
    for Install { id, files } in INSTALLS {
        for content in CONTENTS {
            let folder = tempfile::tempdir().unwrap();
            let names: Vec<&str> = files.split_whitespace().collect();
            names.iter().for_each(|name| put(folder.path(), name, content));
            for name in names {
                let path = folder.path().join(name);
                let run = Session::default()
                    .describe(&Inputs::collect(std::slice::from_ref(&path)), &DescribeOptions::default())
                    .unwrap();
                for outcome in &run.outcomes {
                    let message = outcome.error.as_ref().map_or("", |error| error.message());
                    let format = outcome.format.unwrap_or("");
                    let is_of_other =
                        |other: &&str| message.contains(*other) || format.split('.').next() == Some(*other);
                    let named = other_names(id).into_iter().find(|other| is_of_other(other));
                    assert_eq!(named, None, "{id} {name}: {format} {message}");
                }
                // The library agrees.
                if let Ok(opened) = Input::file(&path).open(CATALOG) {
                    assert!(opened.format.game.is_none_or(|game| game == id), "{name}: {}", opened.format.id);
                }
            }
        }
    }
}

#[test]
fn scan_inside_a_game_never_names_another_game() {
    for Install { id, files } in INSTALLS {
        for content in CONTENTS {
            let folder = tempfile::tempdir().unwrap();
            files.split_whitespace().for_each(|name| put(folder.path(), name, content));
            let scan = Session::default().scan(folder.path()).unwrap();
            assert_eq!(scan.game, Some(id));
            let is_own = |format: &str| other_names(id).into_iter().all(|other| !format.starts_with(other));
            assert!(scan.formats.iter().all(|it| is_own(it.format)), "{id}: {:?}", scan.formats);
            assert!(
                scan.known.iter().all(|it| it.game.is_none_or(|game| game == id)),
                "{id}: {:?}",
                scan.known
            );
        }
    }
}

#[test]
fn logs_scripts_and_archives_of_redguard_are_known() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "soup386/SOUP386.DEF", b"[functions]\r\n");
    for name in ["ERROR.LOG", "soup386/CAMERA.AI", "system/GXA.ZAP"] {
        put(folder.path(), name, b"some bytes");
        let run = Session::default()
            .describe(&Inputs::collect(&[folder.path().join(name)]), &DescribeOptions::default());
        let run = run.unwrap();
        let message = &run.outcomes.first().unwrap().error.as_ref().unwrap().message();
        assert!(message.starts_with("known, but not read: ") && message.contains("Redguard"), "{message}");
    }
    let scan = Session::default().scan(folder.path()).unwrap();
    assert!(scan.unknown.is_empty(), "{:?}", scan.unknown);
    let patterns: Vec<&str> = scan.known.iter().map(|it| it.pattern.as_ref()).collect();
    assert_eq!(patterns, ["*.LOG", "*.AI", "*.ZAP"]);
}

#[test]
fn content_that_identifies_its_format_is_recognized_in_every_game() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "soup386/SOUP386.DEF", b"[functions]\r\n");
    put(folder.path(), "stray.bin", b"GRSM\x01\x04");
    let found = Input::file(&folder.path().join("stray.bin")).detect(CATALOG).unwrap().1.unwrap();
    assert_eq!(found.format.id, "ragnarok.rsm");
}

#[test]
fn outside_of_games_a_name_of_any_game_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.gat", b"some bytes");
    let error = Input::file(&folder.path().join("a.gat")).open(CATALOG).unwrap_err();
    assert!(error.to_string().contains("Ragnarok"), "{error}");
}
