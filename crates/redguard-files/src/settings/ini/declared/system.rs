//! The keys of SYSTEM.INI: 247 in the shipped file of the GOG edition, and six more that the program reads.
//!
//! Source: redguard-preservation 0.10.4; the comments of the shipped file for keys of which only the name is known.

use super::super::key::File::{Exact, Unchecked};
use super::super::key::{Group, Key, Missing, ValueKind};

const fn int(name: &'static str, shipped: &'static str, about: &'static str) -> Key {
    Key::integer(name, shipped, about)
}

const fn switch(name: &'static str, shipped: &'static str, about: &'static str) -> Key {
    Key::switch(name, shipped, about)
}

const fn pair(name: &'static str, shipped: &'static str, about: &'static str) -> Key {
    Key::of(ValueKind::Pair, name, shipped, about)
}

const fn float(name: &'static str, shipped: &'static str, about: &'static str) -> Key {
    Key::float(name, shipped, about)
}

const fn path(name: &'static str, shipped: &'static str, about: &'static str) -> Key {
    Key::path(name, Exact, shipped, about)
}

/// The sections with their keys.
pub(super) const GROUPS: &[Group] = &[
    Group { section: "screen", about: "Screen and candle.", keys: SCREEN },
    Group {
        section: "system",
        about: "Files, sound, physics, the positions of the screen's elements, and limits.",
        keys: SYSTEM,
    },
    Group { section: "debug", about: "Switches of the developers.", keys: DEBUG },
    Group { section: "game", about: "Falls, slides, ropes and swimming.", keys: GAME },
    Group { section: "cyrus", about: "The player's character.", keys: CYRUS },
    Group { section: "3dmanager", about: "Memory for models.", keys: MANAGER },
    Group { section: "xngine", about: "The renderer.", keys: XNGINE },
    Group { section: "camera", about: "The camera's records, limits and speeds.", keys: CAMERA },
    Group { section: "dialog", about: "Subtitles, speech and the topic menu.", keys: DIALOG },
    Group { section: "3dfx", about: "The Glide renderer and its fonts.", keys: GLIDE },
];

const SCREEN: &[Key] = &[
    int("candle_mode", "2", "When the candle that shows the health is visible: 0 for a while after a change, 1 always, 2 always with the number. F8 changes it.").range(0, 2),
    int("colour_bits", "8", "Color depth of the software renderer.").unit("bits").by_name(),
    int("resolution", "1", "Number of the software renderer's resolution.").by_name(),
    int("palette_red", "0", "Red of the first background color.").by_name(),
    int("palette_green", "0", "Green of the first background color.").by_name(),
    int("palette_blue", "0", "Blue of the first background color.").by_name(),
    switch("smk_interlace", "0", "Draws the odd lines of movies in black."),
];

const SYSTEM: &[Key] = &[
    path("game_bitmap", "system\\powerup.gxa", "Images of the power-ups: frame 0 is the gauntlet, 1 the shield."),
    path("pointers", "system\\pointers.bmp", "Images of the mouse pointer; a GXA file in spite of its extension."),
    path("system_font", "fonts\\redguard.fnt", "Font of the system.").by_name(),
    path("icon_font", "fonts\\arialvs.fnt", "Font of icons.").by_name(),
    path("gui_font", "fonts\\arialbg.fnt", "Font of windows.").by_name(),
    path("gui_low_font", "fonts\\arialvb.fnt", "Font of the console at widths from 640 pixels, of the title screen, and of the logbook's styles 1 and 2."),
    Key::path("animation_drive", Unchecked, "D:\\", "Text before the file names of movies."),
    int("back_texture", "0", "Background image.").by_name(),
    int("volume", "255", "Volume of all sounds: a sound is played at its volume times this number / 256. The menu shows volume / 12.8, rounded down.").range(0, 256),
    int("sound", "1", "Sound.").by_name(),
    int("fidelity", "0", "Sound quality.").by_name(),
    switch("fast_sound", "1", "Fast mixing.").by_name(),
    switch("redbook", "on", "Plays music from the CD. If off, the CD is never opened."),
    int("redbook_volume", "200", "Volume of the CD. Numbers from 128 are ignored.").ignored_outside(0, 127),
    int("sound_distance", "64", "Reach of sounds in steps of 36 world units. Numbers up to 3 divide by zero in the game.").range(4, i32::MAX),
    int("post_collide_height", "50", "Half the height of the segments that find the ground and slopes below an actor.").unit("world units"),
    int("hpost_collide_height", "50", "Half the height of the segments across.").unit("world units").by_name(),
    switch("pre_validate", "no", "Checks data while it is loaded.").by_name(),
    int("normal_frame_rate", "12", "Frame rate at which the game runs at its normal speed.").unit("frames per second").missing(Missing::InsteadOfZero(12)),
    switch("use_smooth_fps", "yes", "Uses the average frame rate of the last frames."),
    switch("use_smooth_divisor", "yes", "Changes the frame scale gradually."),
    int("min_frame_rate", "6", "Lowest frame rate that the frame scale follows.").unit("frames per second"),
    int("max_frame_rate", "300", "Highest frame rate that the frame scale follows. Drawing is not limited.").unit("frames per second"),
    int("jump_time", "6", "Duration of the ascent of a jump, for actors whose attribute 31 is 0 or 128 to 255. Only the low byte counts.").unit("ticks").missing(Missing::Below(1, 6)),
    int("jump_height", "80", "Height of a jump, for actors whose attribute 32 is 0. Only the low byte counts.").unit("world units").missing(Missing::Below(1, 80)),
    int("sphere_object_scale", "256", "Horizontal scale of the collision of actors with a static model and no entry in MPSZ; 256 is the model's size.").unit("1/256").missing(Missing::Below(1, 256)),
    int("standing_height", "-2", "Added to the height of a standing actor above the ground.").unit("world units"),
    switch("disable_text", "yes", "Hides text. The texts of the screen and subtitles ignore it."),
    int("disable_debug_text", "yes", "Hides the text of developers.").by_name(),
    int("normal_ink", "1", "Color of text.").by_name(),
    int("slide_range", "-60000", "Limit between sliding along a wall and stopping: the dot product of step and wall normal.").unit("1/65536"),
    switch("statics_load", "yes", "Loads static models.").by_name(),
    switch("flats_load", "yes", "Loads flat images.").by_name(),
    switch("objects_load", "yes", "Loads actors.").by_name(),
    switch("lights_load", "yes", "Loads the lights of a map."),
    switch("ropes_load", "yes", "Builds ropes."),
    switch("task_system", "yes", "Runs scripts. Only 1 counts. Also the first state of the cheat `task`."),
    switch("animation_system", "yes", "Animates actors. Only 1 counts. Also the first state of the cheat `animation`."),
    switch("floating_point_physics", "yes", "Floating-point physics.").by_name(),
    path("rtx_filename", "ENGLISH.RTX", "Lines of dialogue, and the names and descriptions of items."),
    path("world_ini", "WORLD.INI", "Table of worlds.").missing(Missing::Text("WORLD.INI")),
    path("item_ini", "ITEM.INI", "Table of items.").missing(Missing::Text("ITEM.INI")),
    switch("start_fade", "on", "Fades in at the start.").by_name(),
    int("compass_xco", "546", "Left edge of the compass.").unit("pixels"),
    int("compass_yco", "396", "Top edge of the compass.").unit("pixels"),
    int("candle_xco", "12", "Left edge of the candle.").unit("pixels"),
    int("candle_yco", "8", "Top edge of the candle.").unit("pixels"),
    int("logbook_xco", "540", "Left edge of the logbook icon.").unit("pixels"),
    int("logbook_yco", "20", "Top edge of the logbook icon.").unit("pixels"),
    int("pickup_xco", "12", "Left edge of the selected item and of the prompt.").unit("pixels"),
    int("pickup_yco", "386", "Top edge of the selected item.").unit("pixels"),
    int("pickup_text_yco", "436", "Top edge of the prompt.").unit("pixels"),
    int("game_xco1", "576", "Left edge of the first power-up.").unit("pixels"),
    int("game_yco1", "6", "Top edge of the first power-up.").unit("pixels"),
    int("game_xco2", "576", "Left edge of the second power-up.").unit("pixels"),
    int("game_yco2", "96", "Top edge of the second power-up.").unit("pixels"),
    switch("lock_windows", "no", "Locks windows.").by_name(),
    switch("disable_drive_check", "yes", "Skips the check of the drive.").by_name(),
    switch("disable_cpu_check", "yes", "Skips the check of the processor.").by_name(),
    switch("disable_svga_check", "yes", "Skips the check of the graphics card.").by_name(),
    switch("report_machine", "no", "Reports the machine.").by_name(),
    int("max_active_objects", "32", "Number of active actors. The numbers of a map's actors start three above it.").missing(Missing::Below(10, 10)),
    int("max_effects", "32", "Number of effects at the same time; 0 for none.").missing(Missing::Below(0, 0)),
    int("max_particles", "512", "Number of particles.").by_name(),
    int("max_remap_objects", "64", "Number of actors with other colors.").by_name(),
    switch("disable_effects", "no", "Disables effects."),
];

const DEBUG: &[Key] = &[
    switch(
        "final_version",
        "1",
        "If off, the game starts in the first world without the menu, Escape ends it, and F2 to F6, quick and automatic saves are disabled.",
    ),
    switch("node_marker", "no", "First state of the cheat `nodemarker`. Only 1 counts."),
    switch(
        "disable_family",
        "no",
        "Clears the attributes 25 and 26 of all actors when they are loaded. Only 1 counts.",
    ),
    switch("disable_slaves", "no", "Does not update actors that only attribute 26 marks."),
    switch("disable_master_slaves", "no", "Does not update actors that attributes 25 and 26 mark."),
    Key::path(
        "network_marker_file",
        Unchecked,
        "g:\\PROJECTS\\REDGUARD\\DEMO\\NETWORK.MRK",
        "File of the console's setnetmark and getnetmark, at a path of the developers.",
    ),
    switch(
        "convert_static_angles",
        "no",
        "Converts the angles of static models, and sets `dummy_manager` to 1.",
    ),
    switch("display_node_map", "no", "Shows node maps.").by_name(),
    switch("display_nodes", "no", "Shows nodes.").by_name(),
    switch("display_markers", "no", "Shows markers.").by_name(),
    switch("def_checksum", "yes", "Checks the checksum of SOUP386.DEF.").by_name(),
    Key::text("monitor_object", "", "Name of an actor that is watched.").by_name(),
    switch("enable_logs", "0", "Writes logs.").by_name(),
    switch("map_log", "0", "Log of the map.").by_name(),
    switch("object_log", "0", "Log of actors.").by_name(),
    switch("video_log", "0", "Log of the video system.").by_name(),
    switch("family_log", "no", "Log of groups of actors.").by_name(),
    switch("script_log", "no", "Log of scripts.").by_name(),
    switch("object_system_log", "no", "Log of the system of actors.").by_name(),
    switch("render_log", "no", "Log of the renderer.").by_name(),
    switch("console_error", "yes", "Shows errors on the console.").by_name(),
    switch("software_interrupt", "yes", "Software interrupts.").by_name(),
    switch("software_break", "yes", "Software breaks.").by_name(),
    switch("ignore_errors", "yes", "Continues after errors.").by_name(),
    switch("attempt_recover", "no", "Tries to recover from errors.").by_name(),
    switch("task_debug", "no", "Debugs scripts.").by_name(),
    switch("display_masters", "no", "Shows the first actors of groups.").by_name(),
    switch("display_slaves", "no", "Shows the other actors of groups.").by_name(),
    switch("display_edges", "no", "Shows edges.").by_name(),
    switch("show_manager", "no", "Shows the memory of models.").by_name(),
    switch("idebug_refresh", "no", "Refreshes the debugger.").by_name(),
    switch("memory_monitor", "no", "Watches the memory.").by_name(),
    int("memory_manager", "0", "Memory manager.").by_name(),
    int("idebug", "0", "Debugger.").by_name(),
];

const GAME: &[Key] = &[
    int("fall_bounce_height", "100", "Height of a fall from which an actor with attribute 98 bounces the one that lands on it.").unit("world units"),
    int("fall_hurt_height", "300", "Height of a fall above which the landing hurts.").unit("world units"),
    int("fall_death_height", "568", "Height of a fall above which the landing kills.").unit("world units"),
    int("fall_hurt_zap", "10", "Health that a hurtful landing takes.").unit("health"),
    int("slide_hurt_height", "1024", "Length of a slide above which its end hurts.").unit("world units"),
    int("slide_hurt_zap", "10", "Health that a hurtful slide takes.").unit("health"),
    int("rope_jump_add", "18", "Speed added when the player leaves a rope.").unit("world units per tick"),
    int("rope_attach_angle", "512", "Largest difference in direction at which a rope of type 1 is grabbed.").unit("2048 per turn"),
    int("slide_speed", "36", "Speed on slopes: a slide moves half this number of world units per tick.").missing(Missing::Below(8, 8)),
    int("rtx_pickup_override_time", "24", "Time for which the keys for items hide the prompt.").unit("ticks"),
    int("swim_depth", "40", "Distance that the model is lowered in the swimming animations 141 to 143 on water and lava.").unit("world units").missing(Missing::InsteadOfZero(40)),
    int("player_dead_time", "3", "Time until the game ends after the player dies.").by_name(),
    int("player_fall_dead_time", "12", "Duration of a fall, in steps of 12 ticks, after which the player dies.").missing(Missing::Below(3, 3)),
    switch("old_combat", "off", "Former combat system.").by_name(),
    int("lineup_distance", "128", "Distance up to which the script function PlayerLineUp aligns the player; farther away, the player walks there first.").unit("world units"),
    int("dialog_radius", "512", "Radius of dialogue.").unit("world units").by_name(),
    int("combat_sphere_scale", "200", "Size of an actor's collision in combat.").unit("1/256").by_name(),
];

const CYRUS: &[Key] = &[
    int(
        "sheath_sword_delay",
        "6",
        "Time for which the keys to look and to attack must be held together to sheathe the sword.",
    )
    .unit("ticks")
    .missing(Missing::InsteadOfZero(6)),
    switch(
        "auto_defend",
        "1",
        "Defends only if an automatic defense is possible; 0 always takes the stance. F7 changes it.",
    ),
    switch("walk_mode", "0", "Walks unless the key to run is held. Tab changes it."),
    int("turn_speed", "12", "Acceleration of a turn per update.").unit("2048 per turn"),
    int("turn_max_speed", "48", "Highest speed of a turn per update.").unit("2048 per turn"),
    switch("mouse_turn", "0", "Turns with the mouse."),
    int("joy_tolerance", "60", "Distance from the center at which a joystick counts as moved."),
    int("camera_distance", "200", "Distance of the camera. The camera uses the key of the section [camera].")
        .unit("world units")
        .by_name(),
    int("tap_time", "12", "Longest time between two presses that count as a double press.").unit("ticks"),
    int("poly_push_units", "16", "Smallest distance from walls.").unit("world units"),
    switch("auto_grab", "off", "Tries to grab a ledge on contact with a wall. Only 1 counts."),
    int("smooth_post_min", "2", "Smallest step of smoothing.").by_name(),
    int("smooth_post_max", "10", "Largest step of smoothing.").by_name(),
    int("smooth_post_divisor", "2", "Divisor of smoothing.").by_name(),
];

const MANAGER: &[Key] = &[
    int("buffer_kbytes", "800", "Size of the buffer.").unit("KiB").by_name(),
    int("heap_kbytes", "22000", "Size of the heap.").unit("KiB").by_name(),
    int("max_objects", "255", "Number of models.").by_name(),
    switch("compress", "1", "Compresses models.").by_name(),
    switch("save_compressed", "0", "Writes compressed models.").by_name(),
    switch("cache_objects", "yes", "Keeps models in memory.").by_name(),
    int("cache_lifetime", "64", "Time for which models are kept.").by_name(),
    switch("dummy_manager", "0", "Returns zero for all positions on animated models. Only 1 counts."),
    switch("in_view_enabled", "yes", "Checks whether models are visible.").by_name(),
    switch("shutdown_mode", "yes", "Frees the memory at the end.").by_name(),
];

const XNGINE: &[Key] = &[
    int("texture_kbytes", "12000", "Memory for textures.").unit("KiB").by_name(),
    int("gfx_kbytes", "256", "Memory for images.").unit("KiB").by_name(),
    int("front_plane", "7", "Near clipping distance of the scene.").unit("world units"),
    int("back_plane", "3800", "Far clipping distance of the scene, unless the world has its own.")
        .unit("world units"),
    int("perspective_low_x", "190", "Perspective of the lowest resolution across.").by_name(),
    int("perspective_low_y", "190", "Perspective of the lowest resolution down.").by_name(),
    int("perspective_med_x", "400", "Perspective of the medium resolution across.").by_name(),
    int("perspective_med_y", "400", "Perspective of the medium resolution down.").by_name(),
    int("perspective_high_x", "800", "Perspective of the high resolution across.").by_name(),
    int("perspective_high_y", "800", "Perspective of the high resolution down.").by_name(),
    int("perspective_ultra_x", "800", "Perspective of the highest resolution across.").by_name(),
    int("perspective_ultra_y", "800", "Perspective of the highest resolution down.").by_name(),
    int("detail", "8", "Level of detail of the software renderer.").by_name(),
    int("ambient_light", "32", "Ambient light of the software renderer.").by_name(),
    int("screen_scale", "256", "Scale of the software renderer's image.").unit("1/256").by_name(),
    int("haze_depth", "768", "Distance of the software renderer's haze.").unit("world units").by_name(),
    switch("sky_disable", "0", "Draws no sky; only the color of the fog remains."),
    switch("sky_move", "1", "Moves the sky.").by_name(),
    int("sky_xrotate", "3", "Tilt of the sky. The Glide program uses a constant.").by_name(),
    int("sky_yrotate", "40", "Rotation of the sky. The Glide program uses a constant.").by_name(),
    int("game_detail", "2", "Level of detail of the game.").by_name(),
    int("exclusion", "0", "Hidden parts of the software renderer.").by_name(),
];

const CAMERA: &[Key] = &[
    int("static_rope_threshold", "5", "Threshold of ropes at rest.").by_name(),
    int("obstacle_size", "20", "Radius of a model above which it blocks the camera.").unit("world units"),
    int("camera_size", "10", "Size of the camera.").unit("world units").by_name(),
    int("camera_scape_size", "5", "Size of the camera above terrain.").unit("world units").by_name(),
    int("target_offset_x", "-6000", "X of the target's offset, for records 0 and 3.").unit("1/256 world unit"),
    int("target_offset_y", "-14000", "Y of the target's offset, for records 0 and 3.").unit("1/256 world unit"),
    int("target_offset_z", "0", "Z of the target's offset, for records 0 and 3.").unit("1/256 world unit"),
    int("offset_pos_x", "0", "X of the position's offset, for all records.").unit("1/256 world unit"),
    int("offset_pos_y", "-14000", "Y of the position's offset, for all records.").unit("1/256 world unit"),
    int("offset_pos_z", "0", "Z of the position's offset, for all records.").unit("1/256 world unit"),
    int("offset_angle_x", "0", "First angle of record 0.").unit("2048 per turn"),
    int("offset_angle_y", "0", "Second angle of record 0.").unit("2048 per turn"),
    int("offset_angle_z", "0", "Third angle of record 0.").unit("2048 per turn"),
    int("camera_distance", "250", "Distance of the camera from the player.").unit("world units"),
    int("camera_min_distance", "120", "Smallest distance. The game compares it with 256 times the distance, so it only matters at distance 0.").unit("1/256 world unit"),
    int("camera_right_pos", "5000", "Limit of the movement to the right.").unit("1/256 world unit"),
    int("camera_left_pos", "5000", "Limit of the movement to the left.").unit("1/256 world unit"),
    int("camera_combat_angle_offset_x", "134", "First angle of the camera in combat.").unit("2048 per turn"),
    int("camera_combat_angle_offset_y", "245", "Second angle of the camera in combat.").unit("2048 per turn"),
    int("camera_combat_angle_offset_z", "0", "Third angle of the camera in combat.").unit("2048 per turn"),
    int("camera_combat_distance", "260", "Distance of the camera in combat.").unit("world units"),
    int("camera_hang_angle_offset_x", "256", "First angle of the camera while hanging.").unit("2048 per turn"),
    int("camera_hang_angle_offset_y", "0", "Second angle of the camera while hanging.").unit("2048 per turn"),
    int("camera_hang_angle_offset_z", "0", "Third angle of the camera while hanging.").unit("2048 per turn"),
    int("camera_hang_distance", "250", "Distance of the camera while hanging.").unit("world units"),
    int("camera_rope_max_vel", "18000", "Highest speed of the camera on ropes.").unit("1/256 world unit per frame"),
    int("camera_rope_angle_offset_x", "96", "First angle of the camera on ropes.").unit("2048 per turn"),
    int("camera_rope_angle_offset_y", "128", "Second angle of the camera on ropes.").unit("2048 per turn"),
    int("camera_rope_angle_offset_z", "0", "Third angle of the camera on ropes.").unit("2048 per turn"),
    int("camera_rope_distance", "300", "Distance of the camera on ropes.").unit("world units"),
    int("camera_rope_above_angle_offset_x", "96", "First angle of the camera above ropes.").unit("2048 per turn"),
    int("camera_rope_above_angle_offset_y", "128", "Second angle of the camera above ropes.").unit("2048 per turn"),
    int("camera_rope_above_angle_offset_z", "0", "Third angle of the camera above ropes.").unit("2048 per turn"),
    int("camera_rope_above_distance", "300", "Distance of the camera above ropes.").unit("world units"),
    int("camera_rope_above_aim_x", "-512", "First angle of the view from above ropes.").unit("2048 per turn"),
    int("camera_rope_above_aim_y", "0", "Second angle of the view from above ropes.").unit("2048 per turn"),
    int("camera_rope_above_aim_z", "0", "Third angle of the view from above ropes.").unit("2048 per turn"),
    int("camera_rope_below_angle_offset_x", "96", "First angle of the camera below ropes.").unit("2048 per turn"),
    int("camera_rope_below_angle_offset_y", "128", "Second angle of the camera below ropes.").unit("2048 per turn"),
    int("camera_rope_below_angle_offset_z", "0", "Third angle of the camera below ropes.").unit("2048 per turn"),
    int("camera_rope_below_distance", "300", "Distance of the camera below ropes.").unit("world units"),
    int("camera_rope_below_aim_x", "512", "First angle of the view from below ropes.").unit("2048 per turn"),
    int("camera_rope_below_aim_y", "0", "Second angle of the view from below ropes.").unit("2048 per turn"),
    int("camera_rope_below_aim_z", "0", "Third angle of the view from below ropes.").unit("2048 per turn"),
    int("camera_debug_angle_offset_x", "128", "First angle of the developers' camera; the two other keys replace it.").unit("2048 per turn"),
    int("camera_debug_angle_offset_y", "256", "Also stored as the first angle of the developers' camera.").unit("2048 per turn"),
    int("camera_debug_angle_offset_z", "0", "Also stored as the first angle of the developers' camera, so this one remains.").unit("2048 per turn"),
    int("camera_debug_distance", "300", "Distance of the developers' camera.").unit("world units"),
    int("max_x_angle", "1692", "Largest first angle.").unit("2048 per turn").by_name(),
    int("min_x_angle", "400", "Smallest first angle.").unit("2048 per turn").by_name(),
    int("max_vel", "8000", "Highest speed of the camera.").unit("1/256 world unit per frame"),
    int("max_y_vel", "5000", "Highest vertical speed of the camera.").unit("1/256 world unit per frame"),
    int("max_acc", "5000", "Acceleration of the camera.").unit("1/256 world unit per frame"),
    int("player_control_x_inc", "70", "Step when the player moves the camera across.").by_name(),
    int("player_control_y_inc", "-70", "Step when the player moves the camera up or down.").by_name(),
    float("glide_x", "0.9", "Part of the distance in X that the camera moves per frame."),
    float("glide_y", "0.2", "Part of the distance in Y that the camera moves per frame."),
    float("glide_z", "0.9", "Part of the distance in Z that the camera moves per frame."),
    float("glide_angle_x", "0.7", "Part of the yaw that the camera turns per frame, in spite of its name."),
    float("glide_angle_y", "0.1", "Part of the pitch that the camera turns per frame, in spite of its name."),
    float("glide_angle_z", "0.7", "Part of the roll that the camera turns per frame."),
    float("cam_prox_up", "70.0", "Height of the camera near the player.").unit("world units").by_name(),
    int("camera_combat_max_vel", "", "Highest speed of the camera in combat, if not 0. Not in the shipped file.").unit("1/256 world unit per frame"),
    int("camera_hang_max_vel", "", "Highest speed of the camera while hanging, if not 0. Not in the shipped file.").unit("1/256 world unit per frame"),
    int("camera_rope_above_max_vel", "", "Highest speed of the camera above ropes, if not 0. Not in the shipped file.").unit("1/256 world unit per frame"),
    int("camera_rope_below_max_vel", "", "Highest speed of the camera below ropes, if not 0. Not in the shipped file.").unit("1/256 world unit per frame"),
    int("camera_debug_max_vel", "", "Highest speed of the developers' camera, if not 0. Not in the shipped file.").unit("1/256 world unit per frame"),
    int("fudge_factor", "", "A distance that all records share; its use is unknown. Not in the shipped file.").unit("world units"),
];

const DIALOG: &[Key] = &[
    int("menu_start_x", "35", "Left edge of the topic menu.").unit("pixels").by_name(),
    int("menu_start_y", "25", "Top edge of the topic menu.").unit("pixels").by_name(),
    int("dialog_max_menu_items", "20", "Number of topics in the menu, at least 300.")
        .missing(Missing::Below(300, 300)),
    int("dialog_max_dialog_lines", "20", "Number of subtitles at the same time, at least 16.")
        .missing(Missing::Below(16, 16)),
    int("dialog_max_text_width", "500", "Width of a line of subtitles, at least 150.")
        .unit("pixels")
        .missing(Missing::Below(150, 150)),
    switch("dialog_print_text", "1", "Shows subtitles."),
    switch("dialog_use_speech", "1", "Plays voices. For taunts, only 1 counts."),
    int("dialog_max_distance", "1600", "Distance from the speaker up to which a line starts and continues.")
        .unit("world units"),
    int("menu_traverse_delay", "4", "Time between steps in menus while a direction is held.")
        .unit("BIOS ticks")
        .missing(Missing::InsteadOfZero(1)),
];

const GLIDE: &[Key] = &[
    int("resolution", "12", "Number of the Glide renderer's resolution.").by_name(),
    pair("text_scale", "1, 1", "Reduction of textures of 256 and of 128 texels; 1 is full size.")
        .missing(Missing::Numbers(&[4, 2])),
    pair("anim_text_scale", "1, 1", "Reduction of animated textures.").by_name(),
    pair(
        "font_sel",
        "255, 255",
        "Brightness and opacity of the lines of actors, selected entries and prompts.",
    ),
    pair("font_norm", "125, 255", "Brightness and opacity of the player's lines and of normal entries."),
    pair("font_used", "125, 128", "Brightness and opacity of visited entries."),
];
