//! The kinds of characters, by their numbers in saved games.

/// The kinds of the original game. Source: `NPCs.bb`, version 1.3.11.
static KINDS: &[(u8, &str)] = &[
    (1, "SCP-173"),
    (2, "SCP-106"),
    (3, "guard"),
    (4, "Class D"),
    (6, "SCP-372"),
    (7, "helicopter"),
    (8, "mobile task force"),
    (9, "SCP-096"),
    (10, "SCP-049"),
    (11, "SCP-049-2"),
    (12, "SCP-513-1"),
    (13, "tentacle of SCP-035"),
    (14, "SCP-860-2"),
    (15, "SCP-939"),
    (16, "SCP-066"),
    (17, "plane of the pocket dimension"),
    (18, "SCP-966"),
    (19, "SCP-1048-A"),
    (20, "SCP-1499-1"),
    (21, "infected with SCP-008"),
    (22, "clerk"),
];

/// The name of a kind; `None` for one that the game does not have.
pub(super) fn name(kind: u8) -> Option<&'static str> {
    KINDS.iter().find(|known| known.0 == kind).map(|known| known.1)
}
