//! The operations of commands that have several.

use super::command::{Operation, operation, report};

/// The topics of `show`.
pub(super) const SHOW: &[Operation] = &[
    report("memory", "", "reports the memory in use"),
    report("free", "", "reports the free memory; not listed by the game's help"),
    report("world", "", "reports the current world"),
    report("video", "", "reports the video mode"),
    report("objects", "", "reports the objects"),
    report("player", "", "reports the state of the player"),
    report("xngine", "", "reports the state of the renderer"),
    report("ai", "", "reports the behavior of actors"),
    report("3d", "", "reports the models"),
    report("library", "", "reports the library"),
    operation("registry", "", "reports that the registry of archives is closed, as it always is"),
    report("grid", "[n|all]", "reports the cells of the map"),
    report("map", "", "reports the map; not listed by the game's help"),
    report("sound", "", "reports the state of the sound"),
    report("group", "n", "reports the synchronization by groups in a channel"),
    report("user", "n", "reports the synchronization by users in a channel, from 1 to 255"),
    report("active", "", "reports the active objects"),
    report("list", "", "lists the objects; not listed by the game's help"),
    report("activelist", "", "lists the active objects; not listed by the game's help"),
    report("manager", "[h]", "reports the manager of models"),
    report("machine", "", "reports the computer"),
    operation("rain", "", "reports the rain; not listed by the game's help"),
    report("remap", "", "reports the remapped objects"),
    report("marker", "[flats]", "reports the markers"),
    operation("all", "", "shows all reports"),
];

/// The options of `console`.
pub(super) const CONSOLE: &[Operation] = &[
    report("clear", "", "clears the console"),
    report("write", "", "writes the lines of the console to a file"),
    operation("font", "", "changes to the other font setting; both show the same font"),
    operation("shadow", "", "switches the shadows of text"),
    operation("save", "", "writes REDGUARD.CPF"),
    report("col0", "", "changes to the next color of the first area, of 16"),
    report("col1", "", "changes to the next color of the second area, of 16"),
    report("col2", "", "changes to the next color of the third area, of 16"),
    report("col3", "", "changes to the next color of the fourth area, of 16"),
    operation("hex", "n", "sets the number of lines that `hex` shows"),
    operation("limit", "n", "sets the limit, from 0 to 300"),
    operation("paper", "", "changes between the picture and a solid background"),
    report("show", "", "reports the options"),
];

/// The pages of `print`.
pub(super) const PRINT: &[Operation] = &[
    operation("page", "", "prints the visible lines"),
    operation("all", "", "prints all lines that are kept (512 at most)"),
];

/// The subsystems of `restart`.
pub(super) const RESTART: &[Operation] =
    &[operation("video", "", "restarts the video mode"), operation("xngine", "", "restarts the renderer")];

/// The operations of `script`.
pub(super) const SCRIPT: &[Operation] = &[
    report("log", "", "logs the script"),
    operation("disable", "[name]", "stops the actors of one script"),
    operation("block", "", "continues at the next block of the script"),
];

/// The operations of `object`.
pub(super) const OBJECT: &[Operation] = &[
    report("select", "", "selects an object"),
    report("closest", "", "selects the closest object"),
    report("player", "", "selects the player"),
    report("master", "n", "selects the master of a family"),
    operation("search", "pattern|address|\"name\"", "selects an object by its name or address"),
    report("general", "", "reports the object"),
    report("quick", "", "reports the object briefly"),
    report("coord", "", "reports its position and rotation"),
    report("anim", "", "reports its animation; not listed by the game's help"),
    report("size", "", "reports its size; not listed by the game's help"),
    report("combat", "", "reports its state in combat"),
    report("vcollide", "", "reports its collision at vertices"),
    report("matrix", "", "reports its rotation matrix"),
    report("locals", "", "reports the variables of its script"),
    report("locations", "", "reports the locations of its script"),
    report("strings", "", "reports the texts of its script"),
    report("script", "", "reports the state of its script"),
    report("family", "", "reports its master and slaves"),
    operation("attr", "[name = value]", "reports its attributes, or sets one"),
    report("monitor", "", "monitors the object"),
    report("goto", "", "moves the player to the object"),
    report("die", "", "kills the object"),
    operation("zap", "[amount]", "takes health; by a defect, it asks for the amount only if one was given"),
];

/// The outputs of `logplayer` and `logmonitor`.
pub(super) const LOG: &[Operation] = &[
    operation("off", "", "ends the trace"),
    operation("console", "", "traces to the console"),
    operation("screen", "", "traces to the screen"),
];

/// The operations of `rope`.
pub(super) const ROPE: &[Operation] = &[
    report("heap", "", "reports the memory of ropes"),
    report("select", "", "selects a rope"),
    report("general", "", "reports the rope"),
];

/// The operations of `item`.
pub(super) const ITEM: &[Operation] = &[
    report("player", "", "reports the items of the player"),
    operation("show", "[id]", "reports all items, or one"),
    operation("add", "id", "gives one item to the player"),
    operation("sub", "id", "takes one item from the player"),
    operation("drop", "id,n", "drops a number of items"),
];

/// The operations of `node`.
pub(super) const NODE: &[Operation] = &[
    report("maps", "", "lists the walk maps"),
    report("monitor", "dnode|node|log", "monitors the nodes of an actor"),
    report("shownode", "", "reports a node"),
    report("showmap", "", "reports a walk map"),
    report("player", "", "reports the node of the player"),
    report("log", "map n", "logs a walk map"),
    operation("inuse", "", "reports nodes in use; the game's help calls it `showinuse`, which is refused"),
    report("sweep", "", "searches the walk maps"),
];

/// The operations of `render`.
pub(super) const RENDER: &[Operation] = &[
    operation("on", "", "draws the scene"),
    operation("off", "", "does not draw the scene"),
    report("static", "", "switches the drawing of statics"),
];
