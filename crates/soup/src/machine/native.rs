//! The functions that the machine runs itself, as they concern nothing but the state of scripts.

/// A function that the machine runs itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Native {
    SetGlobalFlag,
    ResetGlobalFlag,
    TestGlobalFlag,
    Wait,
    WaitOnTasks,
    WaitNonMulti,
    KillMyTasks,
    Rnd,
    QuickRnd,
    EnableHook,
    DisableHook,
    EnableScript,
    DisableScript,
}

/// Their names, in any letter case.
const NAMES: [(&str, Native); 13] = [
    ("SetGlobalFlag", Native::SetGlobalFlag),
    ("ResetGlobalFlag", Native::ResetGlobalFlag),
    ("TestGlobalFlag", Native::TestGlobalFlag),
    ("Wait", Native::Wait),
    ("WaitOnTasks", Native::WaitOnTasks),
    ("WaitNonMulti", Native::WaitNonMulti),
    ("KillMyTasks", Native::KillMyTasks),
    ("Rnd", Native::Rnd),
    ("QuickRnd", Native::QuickRnd),
    ("EnableHook", Native::EnableHook),
    ("DisableHook", Native::DisableHook),
    ("EnableScript", Native::EnableScript),
    ("DisableScript", Native::DisableScript),
];

/// The functions that the machine runs itself, and what they do.
pub const MACHINE_FUNCTIONS: &[(&str, &str)] = &[
    ("SetGlobalFlag", "sets the flag by its kind, and latches it"),
    ("ResetGlobalFlag", "clears the latch of the flag, not its value"),
    ("TestGlobalFlag", "the latch of the flag"),
    ("Wait", "active as long as the elapsed ticks are less than the operand - 1"),
    ("WaitOnTasks", "active as long as another slot is used that is not paused"),
    ("WaitNonMulti", "active as long as another blocking slot is used that is not paused"),
    ("KillMyTasks", "frees all six slots"),
    ("Rnd", "a random number below the operand"),
    ("QuickRnd", "the bits of a random number that the operand has"),
    ("EnableHook", "the native hook runs"),
    ("DisableHook", "the native hook does not run"),
    ("EnableScript", "the script runs"),
    ("DisableScript", "the script does not run"),
];

impl Native {
    pub(super) fn of(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, native)| *native)
    }
}
