//! Warnings about separate script files.

crate::codes! {
    NO_END = "RGAI-N001", Note, "no END tag",
        "The file does not end with \"END \", as other files with sections do. It may be truncated; no file of the game is known. Example: \"the END tag is \
        missing\".";
    KEPT = "RGAI-W002", Warning, "animation groups kept as bytes",
        "A section with animation groups does not fit its layout, so its content is not read. It is kept and written back unchanged. Example: \"AIAN does not fit \
        its layout (12 bytes)\".";
    NO_GROUPS = "RGAI-W003", Warning, "no animation groups",
        "The file has no section with animation groups. Example: \"the section AIAN is missing\".";
    LEFT_OVER = "RGAI-W004", Warning, "trailing bytes",
        "There are extra bytes after the end of the file, after a list of groups, or after the commands of a group. They are kept and written back. Example: \"2 \
        unexpected bytes after the commands\".";
    GROUP = "RGAI-W005", Warning, "unknown animation group",
        "The number of an animation group is above 177; the game stops. Example: \"the animation group 178 does not exist (valid: 0 to 177)\".";
    HIGHEST = "RGAI-W006", Warning, "wrong highest group",
        "The section stores the highest number of its animation groups; another number is stored. Example: \"most_group is 20, but the highest group is 12\".";
    LIST_END = "RGAI-W007", Warning, "list of groups without an end",
        "A list of animation groups ends with a size of 0, which is missing. Example: \"the list of groups has no end\".";
    JUMP = "RGAI-W008", Warning, "jump out of a group",
        "A command jumps to a command that its group does not have. Example: \"GoToFuture jumps to command 30, but the group has 12 commands\".";
    SOUND = "RGAI-W009", Warning, "missing sound",
        "An animation plays a sound effect that MAIN.SFX does not have. Example: \"sound 140 is played, but MAIN.SFX has 118 sounds\".";
    UNKNOWN = "RGAI-N010", Note, "undocumented section",
        "The file has a section that is not documented. It is kept and written back unchanged. Example: \"undocumented section ABCD (1,200 bytes)\".";
}
