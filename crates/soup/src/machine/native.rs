//! Functions that the machine runs itself because they affect only the state of scripts.

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

/// Their names, compared without regard to letter case.
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

/// The functions that the machine runs itself, with descriptions.
pub const MACHINE_FUNCTIONS: &[(&str, &str)] = &[
    ("SetGlobalFlag", "sets the flag by its kind, and latches it"),
    ("ResetGlobalFlag", "clears the latch of the flag, not its value"),
    ("TestGlobalFlag", "returns the latch of the flag"),
    ("Wait", "active while the elapsed ticks are less than the operand - 1"),
    ("WaitOnTasks", "active while another unpaused slot is used"),
    ("WaitNonMulti", "active while another unpaused blocking slot is used"),
    ("KillMyTasks", "frees all six slots"),
    ("Rnd", "a random number below the operand"),
    ("QuickRnd", "a random number with the operand as bit mask"),
    ("EnableHook", "enables the native hook"),
    ("DisableHook", "disables the native hook"),
    ("EnableScript", "enables the script"),
    ("DisableScript", "disables the script"),
];

impl Native {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, native)| *native)
    }
}
