//! Warnings about maps.

crate::codes! {
    NO_END = "RGM-E001", Error, "no END tag",
        "The file does not end with \"END \", so it was probably truncated. The available data is read. Example: \"the END tag is missing\".";
    DAMAGED = "RGM-E002", Error, "damaged section",
        "A required section does not fit its layout: a count or a length is wrong. It is kept and written back unchanged. Example: \
        \"RAHD does not fit its layout (18,627 bytes, for 1,000,000 records)\".";
    KEPT = "RGM-W003", Warning, "section kept as bytes",
        "A section does not fit its layout, so its content is not read. It is kept and written back unchanged. Example: \"MPRP does not fit its \
        layout (83 bytes, for 1 record)\".";
    WALK_LENGTH = "RGM-E004", Error, "wrong length in a walk map",
        "The length stored before a walk map or one of its nodes is wrong; the game uses it to find the next one. Example: \"node 3 has \
        the length 0 (expected: 16)\".";
    UNKNOWN = "RGM-N005", Note, "unknown section",
        "The file has a section that does not occur in known maps. It is kept and written back unchanged. Example: \"unknown section HUH? (12 bytes)\".";
    MISSING = "RGM-W006", Warning, "missing section",
        "A section that all maps have is missing. Example: \"the section RAEX is missing\".";
    REPEATED = "RGM-W007", Warning, "repeated section",
        "A section occurs more than once; the first one is used. Example: \"MPOB occurs more than once\".";
    LEFT_OVER = "RGM-W008", Warning, "trailing bytes",
        "There are extra bytes after the end. They are kept and written back. Four zeros, which some editors write, are accepted. Example: \"16 unexpected bytes \
        after the end\".";
    PART = "RGM-W009", Warning, "part out of range",
        "An object references bytes that another section does not have, or that are not a valid part. Example: \"CYRUS: its models cannot be read\".";
    TILING = "RGM-W010", Warning, "parts overlap",
        "The parts of the objects are not contiguous in their section, so the section is kept as bytes and the parts cannot be edited. Example: \
        \"the parts in RASC overlap, have gaps or cannot be read\".";
    INSTANCES = "RGM-W011", Warning, "wrong number of instances",
        "The number of placements of an object differs from its instance count, so its instances get the wrong variables. Example: \
        \"TORCH has 3 placements, but its instance count is 2\".";
    NO_OBJECT = "RGM-W012", Warning, "placement without an object",
        "A placement references an object that the map does not have. Example: \"placement 7 references the object GHOST, which does not exist\".";
    SIZE = "RGM-W013", Warning, "missing size",
        "An object references a row that the size table does not have. Example: \"DRAGON has the size index 5000, but there are 5 sizes\".";
    ROUTE = "RGM-W014", Warning, "route to a missing node",
        "A route leads to a node that the walk map does not have. Example: \"node 2 has a route to node 65535, but there are 12 nodes\".";
    COST = "RGM-W015", Warning, "wrong cost of a route",
        "The cost of a route is not the distance between its nodes, rounded down. Example: \"the route from node 2 to node 5 costs 9 (distance: 412)\".";
    GROUP = "RGM-W016", Warning, "unknown animation group",
        "The number of an animation group is above 177; the game stops. Example: \"GUARD has the animation group 178 (valid: 0 to 177)\".";
    FRAME = "RGM-W017", Warning, "missing frame",
        "An animation shows a frame that the models of its object do not have. Example: \"GUARD shows frame 300 in group 4, but its models have 120 frames\".";
    HOOK = "RGM-W018", Warning, "unknown function",
        "A hook calls a function that SOUP386.DEF does not have, or with another number of arguments. Example: \"CYRUS calls function 400 (valid: 1 to \
        366)\".";
    MODEL = "RGM-W019", Warning, "missing model",
        "A model was not found in the game. Example: \"static 12 has the model WELLTOP, which was not found\".";
    ELSEWHERE = "RGM-N020", Note, "model of another map",
        "A model is only in the archive of another map, which the game does not load with this one. Example: \"static 12 has the model WELLTOP of \
        fxart/ISLAND.ROB\".";
    DUPLICATE = "RGM-W021", Warning, "duplicate object name",
        "Two objects have the same name; placements use the first one. Example: \"objects 31 and 40 are both named TORCH\".";
    UNUSED = "RGM-N022", Note, "actor without a placement",
        "An actor has no placement. Example: \"GUARD has no placement\".";
    PICTURE = "RGM-W023", Warning, "missing image",
        "The image of a flat (an image that faces the camera) was not found in the game. Example: \"flat 3 shows image 99 of TEXBSI.302, which was not found\".";
    SOUND = "RGM-W025", Warning, "missing sound",
        "An animation plays a sound effect that MAIN.SFX does not have. Example: \"GUARD plays sound 140 in group 4, but MAIN.SFX has 118 sounds\".";
    TURN = "RGM-W024", Warning, "matrix is not a rotation",
        "The matrix of a static model is not a rotation. Example: \"the matrix of static 4 is not a rotation\".";
    UNREADABLE = "RGM-E026", Error, "unreadable script",
        "Bytes of a script are not a valid statement; the game stops there. They are kept and written back unchanged. Example: \"GUARD at 0x12 of its script: 4 \
        bytes, the first 0x1f, are not a valid statement\".";
    JUMP = "RGM-E027", Error, "invalid jump target",
        "A jump target is not the start of a statement. Example: \"GUARD at 0x12 of its script: 0x40 is outside of the script (0x30 bytes)\".";
    CALL = "RGM-E028", Error, "wrong call",
        "A script calls a function that SOUP386.DEF does not have, or with another number of arguments. Example: \"GUARD at 0x12 of its script: Wait \
        takes 1 argument, found 2\".";
    NUMBER = "RGM-W029", Warning, "unknown number",
        "A script references a flag, a text, a variable or a property by a number that does not exist. Example: \"GUARD at 0x12 of its script: flag 400 has no \
        name; the game defines 369\".";
    OPERATOR = "RGM-E030", Error, "operator that stops the game",
        "A formula has ++ or -- at its end; the game stops there. Example: \"GUARD at 0x12 of its script: the formula ends with ++ or --; the game \
        stops here\".";
    NESTED = "RGM-W031", Warning, "call as an argument",
        "A call is an argument of a call; the game does not evaluate it. Example: \"GUARD at 0x12 of its script: a call as an argument; the game does \
        not evaluate it\".";
    LABEL = "RGM-W032", Warning, "no such task",
        "A statement stops, pauses or resumes a task that no call starts. Example: \"GUARD at 0x12 of its script: 0x30 is not where the operands of a \
        task begin\".";
    GUARD = "RGM-W033", Warning, "unexpected statement after scriptrv",
        "The statement after scriptrv does not have the five bytes that the game skips, or is a return. Example: \"GUARD at 0x12 of its script: \
        scriptrv skips five bytes, but the next statement is not a jump of five bytes\".";
    OPERANDS = "RGM-W034", Warning, "operands of another tool",
        "Conditions have the operand encoding of Redguard Mod Manager, which differs from the game's. Example: \"GUARD at 0x0 of its script: the bytecode appears to \
        come from Redguard Mod Manager; try --soup-operands mm\".";
    SUBROUTINE = "RGM-W035", Warning, "subroutine that does not return",
        "A subroutine ends with `end`, or calls another one: the game stores only one return address. Example: \"GUARD at 0x12 of its script: gosub in the \
        subroutine at 0xa; only one return offset is stored, so the first one is lost\".";
    UNREACHED = "RGM-N036", Note, "statements that are never reached",
        "Some statements of a script are unreachable. Example: \"GUARD at 0x12 of its script: 3 statements are unreachable\".";
    ENDLESS = "RGM-W037", Warning, "endless loop",
        "A loop of a script never yields to the game, and either never ends or depends on a value that cannot change meanwhile. \
        Example: \"GUARD at 0x12 of its script: the loop never ends, and no statement in it lets the game continue\".";
    SCRIPTS = "RGM-W038", Warning, "scripts not checked",
        "The objects reference more script bytes or texts than any map of the game. Example: \"the objects have 9000000 script bytes and 12 texts in \
        total, but the limits are 4194304 and 262144\".";
    NOT_EXPRESSIBLE = "RGM-W039", Warning, "not expressible in Mod Manager text",
        "The text format of Redguard Mod Manager cannot express a part of a script. It is written as a comment, and is lost when the text is assembled. \
        Example: \"GUARD at 0x12 of its script: no equivalent in this format\".";
    READ_DIFFERENTLY = "RGM-W040", Warning, "read differently by Mod Manager",
        "A line in the text of Redguard Mod Manager is assembled as the game reads it; Mod Manager itself would write something else. \
        Example: \"GUARD:7:3: Mod Manager adds a zero after ++ and -- in conditions; it was omitted\".";
    NOT_APPLIED = "RGM-W041", Warning, "value not applied to the map",
        "A text of Redguard Mod Manager has a variable or an attribute that differs from the map. Only scripts are written to the map. \
        Example: \"ISLAND:4:1: var2 = 5 is not applied to the map; the map has 3\".";
    FROM_OTHER_MAP = "RGM-W042", Warning, "model of another map in a scene",
        "A model is only in the archive of another map. The scene shows it; the game would not. Example: \"fxart/ISLAND.ROB:WELLTOP is in the archive of \
        another map, which the game does not load with this one\".";
    UNREADABLE_MODEL = "RGM-W043", Warning, "model omitted from a scene",
        "A model is damaged, so it is not in the scene. Example: \"fxart/WELL.3D cannot be read: the file is empty\".";
    MODEL_NOTE = "RGM-W044", Warning, "model in a scene",
        "A warning that the model also has when it is converted alone. Example: \"fxart/ISLAND.ROB:WELLTOP: the front side of 2 faces is ambiguous\".";
    CORNERS = "RGM-W045", Warning, "too many models in a scene",
        "The models of a map have more corners than a scene can hold, so some are omitted. Omit a layer with `--without`, or baked light with `--light plain`. \
        Example: \"the models have more than 8388608 corners; the models of 12 nodes are skipped\".";
    LONG_ROPE = "RGM-W046", Warning, "rope omitted from a scene",
        "The ropes of a map have more links than a scene can hold. Example: \"rope 3 has 32000 links, but a scene has room for only 16384 more; skipped\".";
    NO_TERRAIN = "RGM-W047", Warning, "terrain omitted from a scene",
        "The terrain of the world is damaged, so it is not in the scene. Example: \"maps/ISLAND.WLD was skipped: the file is empty\".";
    NO_TREE = "RGM-W048", Warning, "visibility tree omitted from a scene",
        "`--with visibility` requires the visibility tree of the map, which was not found or is damaged. Example: \"maps/ISLAND.PVO was not found\".";
    NO_SKY = "RGM-W049", Warning, "sky image omitted from a scene",
        "An image of the sky or the sun was not found or is damaged. Example: \"the image SKY01.BSI was not found or cannot be read\".";
    NO_CLIPS = "RGM-W050", Warning, "clips omitted from a scene",
        "The animations of a map are longer than a scene can hold. `--actor` converts a single object with its clips. Example: \"the clips of \
        GUARD and all later objects were skipped: the animations are too long to convert\".";
    NOT_HELD = "RGM-W051", Warning, "item not held",
        "The item of `--hold` has no model, or the actor has no vertices for it. Example: \"the models of BARREL do not have the vertices that \
        hold items\".";
    GRIPS = "RGM-W052", Warning, "several vertices that hold items",
        "`--hold` was given for a single model, and actors with that model hold items with different vertices. Those of the first map are used; `--grip` \
        selects others. Example: \"maps define different vertices for items held by GUARDA01: using 4,5 (GUARD in ISLAND.RGM); others for --grip: 6,7 (CAPTAIN in \
        PALACE.RGM)\".";
    UNKNOWN_LABEL = "RGM-W053", Warning, "unknown dialogue label",
        "A script uses a dialogue label that the game does not have, or that cannot be looked up without the game. Example: \"GUARD at 0x12 of its script: \
        there is no line of dialogue with the label 'zzzz'\".";
    NO_NAMED_OBJECT = "RGM-W054", Warning, "unknown object",
        "A script references an object that the map does not have. Example: \"GUARD at 0x12 of its script: the map has no object called \"KEEPR\"; did you mean \
        KEEPER?\".";
    TEXT_AS_NUMBER = "RGM-W055", Warning, "text where a number is expected",
        "An argument of a call is a text, but the number of a flag, an item or something else is expected. Example: \"GUARD at 0x12 of its script: expected \
        the number of an item, found the text \"ships lamp\"; did you mean ship's lamp?\".";
    UNSEEN = "RGM-W058", Warning, "not in the visibility tree",
        "No list of the visibility tree of the map (.PVO) contains a static or placement, so the game never draws it. `antiquary build pvo` builds a new tree. \
        Example: \"1 static is in no list of ISLAND.PVO, so the game never draws it: 14 (WELL); run `antiquary build pvo`\".";
    PASSABLE = "RGM-N059", Note, "static without collision faces",
        "The game collides with the faces listed in the collision nodes of a model, and loads these nodes from models of v5.0 only. The player passes through a static \
        whose model has none. Example: \"2 statics have models without collision faces: FERN01, VINE02\".";
    NEW_SCRIPT = "RGM-W057", Warning, "script of a new actor",
        "The folder of an unpacked map has a script that belongs to no object of the map. Example: \"views/scripts/006-GUARD.soup is a new script: add its object \
        with `antiquary set --copy`, then run `antiquary script asm views/scripts/006-GUARD.soup --map MAP`\".";
    DIVISION = "RGM-E056", Error, "division by zero",
        "A formula divides by the number zero; the game stops there. Example: \"GUARD at 0x12 of its script: a division by zero; the game stops here\".";
    WORLDS = "RGM-N060", Note, "map of several worlds",
        "WORLD.INI uses the map for several worlds, which differ in light, weather and music. The scene shows one of them; `--world` selects another. Example: \
        \"the scene shows world 1; other worlds of the map: 27, 28 (--world)\".";
}
