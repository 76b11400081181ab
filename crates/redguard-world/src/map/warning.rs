//! Warnings about maps.

crate::codes! {
    NO_END = "RGM-E001", Error, "no END tag",
        "The file does not end with \"END \", so it was probably truncated. The available data is read. Example: \"the END tag is missing\".";
    DAMAGED = "RGM-E002", Error, "damaged section",
        "A section that no map can do without does not fit its layout: a count or a length is wrong. It is kept and written back unchanged. Example: \
        \"RAHD does not fit its layout (18,627 bytes, for 1,000,000 records)\".";
    KEPT = "RGM-W003", Warning, "section kept as bytes",
        "A section does not fit its layout, so its content is not read. It is kept and written back unchanged. Example: \"MPRP does not fit its \
        layout (83 bytes, for 1 record)\".";
    WALK_LENGTH = "RGM-E004", Error, "wrong length in a walk map",
        "The length in front of a walk map or a node of it is not that of what follows, by which the game finds the next one. Example: \"node 3 has \
        the length 0 (expected: 16)\".";
    UNKNOWN = "RGM-N005", Note, "unknown section",
        "The file has a section that does not occur in known maps. It is kept and written back unchanged. Example: \"unknown section HUH? (12 bytes)\".";
    MISSING = "RGM-W006", Warning, "missing section",
        "A section that all maps have is missing. Example: \"there is no section RAEX\".";
    REPEATED = "RGM-W007", Warning, "repeated section",
        "A section occurs twice; the first one counts. Example: \"MPOB occurs again\".";
    LEFT_OVER = "RGM-W008", Warning, "trailing bytes",
        "There are extra bytes after the end. They are kept and written back. Four zeros are usual for some editors. Example: \"16 unexpected bytes \
        after the end\".";
    PART = "RGM-W009", Warning, "part out of range",
        "An object names bytes of another section that are not there, or that are no such part. Example: \"CYRUS: its models cannot be read\".";
    TILING = "RGM-W010", Warning, "parts overlap",
        "The parts of the objects do not lie one after the other in their section, so its bytes are kept, and the parts cannot be edited. Example: \
        \"the parts in RASC overlap or have gaps\".";
    INSTANCES = "RGM-W011", Warning, "wrong number of instances",
        "An object is placed more or less often than it says, so its instances do not have the variables that are meant for them. Example: \
        \"TORCH is placed 3 times, but says 2\".";
    NO_OBJECT = "RGM-W012", Warning, "placement without an object",
        "A placement names an object that the map does not have. Example: \"placement 7 names NOBODY, which is no object\".";
    SIZE = "RGM-W013", Warning, "missing size",
        "An object names a row of the table of sizes that there is not. Example: \"DRAGON has the size 5000 of 5\".";
    ROUTE = "RGM-W014", Warning, "route to nowhere",
        "A route leads to a node that the walk map does not have. Example: \"node 2 has a route to node 65535 of 12\".";
    COST = "RGM-W015", Warning, "wrong cost of a route",
        "The cost of a route is not the distance between its nodes, rounded down. Example: \"the route from node 2 to node 5 costs 9 (distance: 412)\".";
    GROUP = "RGM-W016", Warning, "unknown animation group",
        "The number of an animation group is above 177; the game stops. Example: \"GUARD has the animation group 178 (valid: 0 to 177)\".";
    FRAME = "RGM-W017", Warning, "missing frame",
        "An animation shows a frame that the models of its object do not have. Example: \"GUARD shows frame 300 of 120 in group 4\".";
    HOOK = "RGM-W018", Warning, "unknown function",
        "A hook calls a function that SOUP386.DEF does not have, or with another number of arguments. Example: \"CYRUS calls function 400 (valid: 1 to \
        366)\".";
    MODEL = "RGM-W019", Warning, "missing model",
        "A model was not found in the game. Example: \"static 12 has the model WELLTOP, which was not found\".";
    ELSEWHERE = "RGM-N020", Note, "model of another map",
        "A model is only in the archive of another map, which the game does not load with this one. Example: \"static 12 has the model WELLTOP of \
        fxart/ISLAND.ROB\".";
    DUPLICATE = "RGM-W021", Warning, "two objects of one name",
        "Two objects have the same name; placements take the first one. Example: \"TORCH is the name of objects 31 and 40\".";
    UNUSED = "RGM-N022", Note, "object that is not placed",
        "An object that is an actor is placed nowhere. Example: \"GUARD is not placed\".";
    PICTURE = "RGM-W023", Warning, "missing picture",
        "A picture that faces the camera was not found in the game. Example: \"flat 3 shows image 99 of TEXBSI.302, which was not found\".";
    SOUND = "RGM-W025", Warning, "missing sound",
        "An animation plays a sound effect that MAIN.SFX does not have. Example: \"GUARD plays sound 140 of 118 in group 4\".";
    TURN = "RGM-W024", Warning, "no rotation",
        "The matrix of a static model is not a rotation. Example: \"static 4 has a matrix that is no rotation\".";
    UNREADABLE = "RGM-E026", Error, "unreadable script",
        "Bytes of a script are no statement; the game stops there. They are kept and written back unchanged. Example: \"GUARD at 0x12 of its script: 4 \
        bytes from 1f on cannot be read as statements\".";
    JUMP = "RGM-E027", Error, "jump to nowhere",
        "A statement leads to where no statement begins. Example: \"GUARD at 0x12 of its script: 0x40 is outside of the script (0x30 bytes)\".";
    CALL = "RGM-E028", Error, "wrong call",
        "A script calls a function that SOUP386.DEF does not have, or with another number of arguments. Example: \"GUARD at 0x12 of its script: Wait \
        takes 1 argument, found 2\".";
    NUMBER = "RGM-W029", Warning, "number without a name",
        "A script names a flag, a text, a variable or a property by a number that there is not. Example: \"GUARD at 0x12 of its script: flag 400 has no \
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
    GUARD = "RGM-W033", Warning, "odd statement behind scriptrv",
        "The statement behind scriptrv does not have the five bytes that the game skips, or is a return. Example: \"GUARD at 0x12 of its script: \
        scriptrv skips five bytes, but the statement behind it is no jump with five bytes\".";
    OPERANDS = "RGM-W034", Warning, "operands of another tool",
        "Conditions are stored otherwise than the game stores them, as Redguard Mod Manager does. Example: \"GUARD at 0x0 of its script: the bytes look as \
        if Redguard Mod Manager wrote them; try --soup-operands mm\".";
    SUBROUTINE = "RGM-W035", Warning, "subroutine that does not return",
        "A subroutine is left by end, or calls another one: there is one place to return to. Example: \"GUARD at 0x12 of its script: gosub in the \
        subroutine at 0xa; there is one place to return to, so the first one is lost\".";
    UNREACHED = "RGM-N036", Note, "statements that are never reached",
        "Nothing leads to some statements of a script. Example: \"GUARD at 0x12 of its script: 3 statements are never reached\".";
    ENDLESS = "RGM-W037", Warning, "endless loop",
        "A loop of a script has nothing that lets the game go on, and is left never, or only when something changes that cannot change meanwhile. \
        Example: \"GUARD at 0x12 of its script: the loop is never left, and nothing in it lets the game go on\".";
    SCRIPTS = "RGM-W038", Warning, "scripts not checked",
        "The objects name more bytes of scripts, or more texts, than maps have. Example: \"the objects have 9,000,000 bytes of scripts together\".";
    NOT_SAID = "RGM-W039", Warning, "not said in the text of Mod Manager",
        "The text of Redguard Mod Manager has no words for a part of a script; it stands there as a comment, and is lost when the text is assembled. \
        Example: \"GUARD at 0x12 of its script: there is no word for it\".";
    OTHERWISE = "RGM-W040", Warning, "read otherwise by Mod Manager",
        "A line in the text of Redguard Mod Manager is assembled as the game reads it; Mod Manager itself would write something else. \
        Example: \"GUARD:7:3: Mod Manager adds a zero behind ++ and -- in conditions; it was left out\".";
    NOT_TAKEN = "RGM-W041", Warning, "value not put into the map",
        "A text of Redguard Mod Manager gives a variable or an attribute that the map does not have so. Only scripts are put into the map. \
        Example: \"ISLAND:4:1: var2 = 5 is not put into the map; the map has 3\".";
    FROM_OTHER_MAP = "RGM-W042", Warning, "model of another map in a scene",
        "A model is only in the archive of another map. The scene shows it; the game would not. Example: \"fxart/ISLAND.ROB:WELLTOP is in the archive of \
        another map, which the game does not load with this one\".";
    UNREADABLE_MODEL = "RGM-W043", Warning, "model left out of a scene",
        "A model is damaged, so it is not in the scene. Example: \"fxart/WELL.3D cannot be read: the file is empty\".";
    MODEL_NOTE = "RGM-W044", Warning, "model in a scene",
        "What is said of a model when it is converted alone. Example: \"fxart/ISLAND.ROB:WELLTOP: the front side of 2 faces is ambiguous\".";
    CORNERS = "RGM-W045", Warning, "too many models in a scene",
        "The models of a map have more corners than a scene can hold, so some are left out. Leave out a layer with `--without`, or the light with `--light plain`. \
        Example: \"the models have more than 8,388,608 corners; those of 12 nodes are left out\".";
    LONG_ROPE = "RGM-W046", Warning, "rope left out of a scene",
        "The ropes of a map have more links than a scene can hold. Example: \"rope 3 has 32000 links, too many for a scene\".";
    NO_TERRAIN = "RGM-W047", Warning, "terrain left out of a scene",
        "The terrain of the world is damaged, so it is not in the scene. Example: \"maps/ISLAND.WLD is left out: the file is empty\".";
    NO_TREE = "RGM-W048", Warning, "visibility tree left out of a scene",
        "`--with visibility` asks for the tree of the map, which was not found or is damaged. Example: \"maps/ISLAND.PVO was not found\".";
    NO_SKY = "RGM-W049", Warning, "image of the sky left out of a scene",
        "An image of the sky or the sun was not found or is damaged. Example: \"the image SKY01.BSI was not found or cannot be read\".";
    NO_CLIPS = "RGM-W050", Warning, "clips left out of a scene",
        "The animations of a map are longer than a scene can hold. `--actor` converts a single object with its clips. Example: \"the clips from those of \
        GUARD on are left out: the animations are too long to convert\".";
    NOT_HELD = "RGM-W051", Warning, "item that is not held",
        "`--hold` asks for an item that has no model, or an actor that has no vertices for it. Example: \"the models of BARREL do not have the vertices that \
        hold items\".";
    GRIPS = "RGM-W052", Warning, "several vertices that hold items",
        "`--hold` was given for a single model, and actors with that model hold items with different vertices. Those of the first map are used; `--grip` \
        chooses others. Example: \"maps give GUARDA01 different vertices that hold items: using 4,5 (GUARD in ISLAND.RGM); others for --grip: 6,7 (CAPTAIN in \
        PALACE.RGM)\".";
    NO_LINE = "RGM-W053", Warning, "unknown dialogue label",
        "A script says a line of dialogue that the game does not have, or that cannot be looked up without the game. Example: \"GUARD at 0x12 of its script: \
        there is no line of dialogue with the label 'zzzz'\".";
    NO_NAMED_OBJECT = "RGM-W054", Warning, "unknown object",
        "A script names an object that the map does not have. Example: \"GUARD at 0x12 of its script: the map has no object called \"KEEPR\"; did you mean \
        KEEPER?\".";
    TEXT_AS_NUMBER = "RGM-W055", Warning, "text where a number is expected",
        "An argument of a call is a text, but stands for a flag, an item or something else that has a number. Example: \"GUARD at 0x12 of its script: expected \
        the number of an item, found the text \"ships lamp\"; did you mean ship's lamp?\".";
    UNSEEN = "RGM-W058", Warning, "not in the visibility tree",
        "No list of the visibility tree of the map (.PVO) names a static or placement, so the game never draws it. `antiquary build pvo` makes a new tree. \
        Example: \"1 static is in no list of ISLAND.PVO, so the game never draws it: 14 (WELL); run `antiquary build pvo`\".";
    NEW_SCRIPT = "RGM-W057", Warning, "script of a new actor",
        "The folder of an unpacked map has a script that belongs to no object of the map. Example: \"views/scripts/006-GUARD.soup is a new script: add its object \
        with `antiquary set --copy`, then run `antiquary script asm views/scripts/006-GUARD.soup --map MAP`\".";
    DIVISION = "RGM-E056", Error, "division by zero",
        "A formula divides by the number zero; the game stops there. Example: \"GUARD at 0x12 of its script: a division by zero; the game stops here\".";
}
