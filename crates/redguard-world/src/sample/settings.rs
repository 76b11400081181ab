//! Settings of the sample game, and the names used by its scripts.

use asset::Sink;
use record::Result;
use soup::definitions::SHIPPED_FILE;

use super::screen;

const WORLD: &str = r"; The worlds.
[world]
start_world = 1
start_marker = 0

; 1 The island
world_map[1] = maps\island.rgm
world_world[1] = maps\ISLAND.WLD
world_palette[1] = 3DART\island.COL
world_redbook[1] = 5
world_flash_filename[1] = system\COMPASS.GXA
world_shade[1] = 1
world_haze[1] = 1
world_ambientrgb[1] = 96, 96, 112
world_sunrgb[1] = 160, 150, 120
world_sunangle[1] = 256
world_fogrgb[1] = 150, 190, 230
world_skyfx[1] = fxart\SKY001.BSI
world_skylevel[1] = -3500
world_skyscale[1] = 2000
world_skyspeed[1] = 4
world_sunimg[1] = fxart\SUN001.BSI
world_sunimgrgb[1] = 255, 240, 200
world_sunscale[1] = 4000
world_wave[1] = 16, 33, 12
";

const ITEM: &str = r"[items]
start_item_list = 0

; compass
name[0] = ?lmp
description[0] = cilm
type[0] = 0
total[0] = 1
player_max[0] = 1
inventory_object_file[0] = 3DART\BARREL01.3D

; ship's lamp
name[1] = ?lmp
description[1] = cilm
type[1] = 3
total[1] = 5
player_max[1] = 5
hand_object_file[1] = FXART\BARREL01.3D
hilt_object_file[1] = FXART\BARREL01.3D

; rope
name[2] = ?lmp
description[2] = cilm
type[2] = 0
total[2] = 1
player_max[2] = 1

; letter of the harbor master
name[3] = ?lmp
description[3] = cilm
type[3] = 0
total[3] = 1
player_max[3] = 1

; key of the lighthouse
name[4] = ?lmp
description[4] = cilm
type[4] = 0
total[4] = 1
player_max[4] = 1
";

const COMBAT: &str = "; How the keeper fights.
[misc]
sword_clank_1 = 0
max_taunts = 1

[attack00]
type = 4
arc = 256
max_range = 60
damage = 5
animation = 22

[defend00]
max_range = 60
animation = 0

[taunt000]
type = 1
rtx_label = tide
";

const MENU: &str = "[general]
hi_res_menu = 1

[page0]
text[0] = NEW
action[0] = 10
text[1] = QUIT
action[1] = -2

[page3]
movie_name[0] = INTRO.SMK
movie0_text[0] = 0, 255, 255, 255, 1, 46, The ship left the harbor at dawn, with a lamp in the bow.
movie0_text[1] = 1, 255, 255, 255, 46, 91, \"Land!\"
";

const KEYS: &str = "[input]
next_key = 52
prev_key = 51

[defined]
key_name[0] = empty
key_name[1] = escape
";

const REGISTRY: &str = r"[registry]
SYSTEM\GXA.ZAP SYSTEM\*.GXA

[file32]
use_registry = false
local_path = true
";

const SURFACE: &str = "; What the ground is made of.
[surfaces]
302, 0, deepwater
302, 1, scape
302, 2, sand
302, 3, rock
302, 5, water
302, 30, water
302, 31, water

[sand]
1 = 2
";

const SYSTEM: &str = r"; The program.
[screen]
resolution = 1

[system]
system_font = fonts\SAMPLE.FNT
";

const FOG: &str = "; How dense fog is, by the distance.
0,0
33,4
40,20
48,255
63,
";

const DRIVER: &str = "; The sound card.
DEVICE    Sound Blaster 16
DRIVER    SB16.DIG
IO_ADDR   220h
";

/// Some properties of objects: no public source lists all properties of a game.
const REFERENCES: &str = "
[refs]
active
angle.vx
angle.vy
angle.vz
pos.vx
pos.vy
pos.vz
";

/// Converts line ends to those of the game's files.
fn lines(text: &str) -> Vec<u8> {
    text.replace('\n', "\r\n").into_bytes()
}

pub(super) fn write(sink: &mut dyn Sink) -> Result<()> {
    let files = [
        ("WORLD.INI", WORLD),
        ("ITEM.INI", ITEM),
        ("COMBAT.INI", COMBAT),
        ("MENU.INI", MENU),
        ("KEYS.INI", KEYS),
        ("REGISTRY.INI", REGISTRY),
        ("SURFACE.INI", SURFACE),
        ("SYSTEM.INI", SYSTEM),
        ("fxart/FOG.INI", FOG),
    ];
    for (name, text) in files {
        sink.put(name, &lines(&format!("{text}{}", screen::settings(name))))?;
    }
    sink.put("soup386/SOUP386.DEF", &lines(&definitions()))
}

/// Names used by the scripts.
pub(super) fn definitions() -> String {
    format!("{SHIPPED_FILE}{REFERENCES}")
}

/// Writes a settings file of each kind and a file of names.
pub(super) fn specimens(sink: &mut dyn Sink) -> Result<()> {
    let files = [
        ("world", WORLD),
        ("item", ITEM),
        ("combat", COMBAT),
        ("menu", MENU),
        ("keys", KEYS),
        ("registry", REGISTRY),
        ("surface", SURFACE),
        ("system", SYSTEM),
        ("fog", FOG),
        ("driver", DRIVER),
    ];
    files.into_iter().try_for_each(|(name, text)| sink.put(&format!("ini/{name}.ini"), &lines(text)))?;
    let names = "[functions]\ntask Rotate parms 4\n[refs]\nactive\n[equates]\nauto\nattr_active\nattr_userflag = 7\nendauto\n\
                 auto\nanim_panic\nendauto\n[flags]\nBOOL After_Jail 0 ;Cyrus is out\n";
    sink.put("def/SOUP386.DEF", &lines(names))
}
