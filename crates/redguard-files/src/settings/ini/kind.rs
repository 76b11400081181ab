//! The kinds of settings files.

use media::ini::{Ini, Line};

use super::lookup::without_comment;

/// The kind of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `SYSTEM.INI`: settings of the program.
    System,
    /// `WORLD.INI`: the worlds with their maps, terrain, palettes, light and weather.
    World,
    /// `ITEM.INI`: the items that the player can own.
    Item,
    /// `COMBAT.INI`: attacks, defenses and taunts.
    Combat,
    /// `MENU.INI`: the pages of the menu, and the movies.
    Menu,
    /// `KEYS.INI`: key bindings and key names.
    Keys,
    /// `REGISTRY.INI`: the search paths for files.
    Registry,
    /// `SURFACE.INI`: the ground materials and their sounds.
    Surface,
    /// `FOG.INI`: the fog density by distance.
    Fog,
    /// `DIG.INI` and `MDI.INI`: the driver for sound or music.
    Driver,
}

/// Each kind with the prefix of its file names, its unique sections, in which `#` stands for a number, and its unique keys.
const KNOWN: &[(Kind, &str, &[&str], &[&str])] = &[
    (Kind::World, "world", &["world"], &["world_map[", "world_palette[", "world_world[", "start_world"]),
    (Kind::Item, "item", &["items", "item"], &["start_item_list", "player_max[", "inventory_object_file["]),
    (
        Kind::Combat,
        "combat",
        &["attack#", "defend#", "taunt#"],
        &["sword_clank_1", "in_combat_threshold", "cyrus_defend_interval", "max_taunts"],
    ),
    (
        Kind::Menu,
        "menu",
        &["page0"],
        &["preload_sprites", "hi_res_menu", "ignore_autosave", "force_movies", "texture_set[", "movie_name["],
    ),
    (
        Kind::Keys,
        "keys",
        &["defined"],
        &["next_key", "prev_key", "inventory_key", "key_up[", "user_key_up", "waiting_message", "key_name["],
    ),
    (Kind::Registry, "registry", &["registry", "file32"], &["use_registry", "use_32bit"]),
    (Kind::Surface, "surface", &["surfaces", "deepwater", "scapewater", "scapedeepwater", "gloop"], &[]),
    (
        Kind::System,
        "system",
        &["system", "xngine", "3dmanager", "3dfx", "cyrus"],
        &["game_bitmap", "system_font"],
    ),
];

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::System,
        Self::World,
        Self::Item,
        Self::Combat,
        Self::Menu,
        Self::Keys,
        Self::Registry,
        Self::Surface,
        Self::Fog,
        Self::Driver,
    ];

    /// Returns the name of the kind, a single word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::World => "world",
            Self::Item => "item",
            Self::Combat => "combat",
            Self::Menu => "menu",
            Self::Keys => "keys",
            Self::Registry => "registry",
            Self::Surface => "surface",
            Self::Fog => "fog",
            Self::Driver => "driver",
        }
    }

    /// Returns the usual name of the file.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::System => "SYSTEM.INI",
            Self::World => "WORLD.INI",
            Self::Item => "ITEM.INI",
            Self::Combat => "COMBAT.INI",
            Self::Menu => "MENU.INI",
            Self::Keys => "KEYS.INI",
            Self::Registry => "REGISTRY.INI",
            Self::Surface => "SURFACE.INI",
            Self::Fog => "FOG.INI",
            Self::Driver => "DIG.INI",
        }
    }

    /// Returns a short description.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Self::System => "settings of the program",
            Self::World => "table of worlds",
            Self::Item => "table of items",
            Self::Combat => "table of combat motions",
            Self::Menu => "menu and films",
            Self::Keys => "keys",
            Self::Registry => "search paths",
            Self::Surface => "table of surfaces",
            Self::Fog => "fog table",
            Self::Driver => "driver settings",
        }
    }

    /// Recognizes the kind from the lines of a file.
    pub(super) fn of(ini: &Ini) -> Option<Self> {
        let mut numbers = None;
        for placed in ini.lines() {
            let (section, key) = match &placed.line {
                Line::Section(name) => (name.trim().to_lowercase(), String::new()),
                Line::Entry(key, _) => (String::new(), key.to_lowercase()),
                Line::Text(text) => {
                    numbers = numbers.or_else(|| numbered(text));
                    continue;
                }
                Line::Comment(_) | Line::Empty => continue,
            };
            if let Some(kind) = of_names(&section, &key) {
                return Some(kind);
            }
        }
        numbers
    }

    /// Recognizes the kind from the start of a text, in which lines may be incomplete.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let mut numbers = None;
        for line in text.split(['\r', '\n']).map(str::trim) {
            let section = line.strip_prefix('[').and_then(|line| line.split(']').next());
            let section = section.map(|name| name.trim().to_lowercase()).unwrap_or_default();
            let key = line.split_once('=').map(|(key, _)| key.trim().to_lowercase()).unwrap_or_default();
            if let Some(kind) = of_names(&section, &key) {
                return Some(kind);
            }
            if section.is_empty() && key.is_empty() && !line.starts_with(';') {
                numbers = numbers.or_else(|| numbered(line));
            }
        }
        numbers
    }

    /// Recognizes the kind from a file name in lower case.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let others = [(Self::Fog, "fog"), (Self::Driver, "dig."), (Self::Driver, "mdi.")];
        let known = KNOWN.iter().map(|(kind, name, ..)| (*kind, *name)).chain(others);
        known.into_iter().find_map(|(kind, start)| name.starts_with(start).then_some(kind))
    }
}

fn of_names(section: &str, key: &str) -> Option<Kind> {
    let fits = |(_, _, sections, keys): &&(Kind, &str, &[&str], &[&str])| {
        sections.iter().any(|known| super::key::numbered(known, section).is_some())
            || (!key.is_empty()
                && keys.iter().any(|known| key == *known || (known.ends_with('[') && key.starts_with(known))))
    };
    KNOWN.iter().find(fits).map(|(kind, ..)| *kind)
}

/// Recognizes a line of a table without keys: numbers separated by commas, or an uppercase word and a value.
fn numbered(line: &str) -> Option<Kind> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let line = without_comment(line);
    if let Some((first, rest)) = line.split_once(',') {
        let mut rest = rest.split(',').map(str::trim);
        let is_table = is_number(first.trim()) && rest.all(|text| text.is_empty() || is_number(text));
        return is_table.then_some(Kind::Fog);
    }
    let mut words = line.split_whitespace();
    let is_word = |word: &str| {
        let is_part = |it: u8| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_';
        word.len() > 2 && word.starts_with(|it: char| it.is_ascii_uppercase()) && word.bytes().all(is_part)
    };
    let is_setting = words.next().is_some_and(is_word) && words.next().is_some();
    is_setting.then_some(Kind::Driver)
}
