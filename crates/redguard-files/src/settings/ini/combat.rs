//! COMBAT.INI: the attacks, defenses and taunts of actors.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use asset::Context;
use json::{Map, Value, json};
use media::ini::{Ini, Line};
use soup::SpokenLines;

use crate::settings::def::GameNames;
use crate::sound::rtx;

use super::Kind;
use super::declared::{MAX_ANIMATION, MAX_TALK};
use super::key::{Group, numbered};
use super::lookup::{Lookup, Section, without_comment};
use super::value::{integer, is_number};

/// The animation groups of a list.
#[derive(Debug, Clone, Copy)]
struct Animations {
    /// Group of animation 0.
    first: i64,
    /// Largest valid number of an animation.
    most: i32,
}

/// The animations of attacks and defenses.
const FIGHT: Animations = Animations { first: 97, most: MAX_ANIMATION };

/// The animations of taunts.
const TALK: Animations = Animations { first: 152, most: MAX_TALK };

/// The kind of attacks that consist of others.
const COMBO: i32 = 2;

/// Names of the defenses in the comments of the shipped file.
const DEFENSES: [&str; 5] = ["default", "low", "right", "left", "high"];

/// Names of the animations from 1 in the comments of the shipped file. Those from 22 are not the names of the groups.
const ANIMATIONS: [&str; 27] = [
    "anim_defend_low",
    "anim_defend_right",
    "anim_defend_left",
    "anim_defend_high",
    "anim_attack_1",
    "anim_attack_2",
    "anim_attack_3",
    "anim_attack_thrust",
    "anim_attack_lunge",
    "anim_attack_1_end",
    "anim_attack_2_end",
    "anim_fight_disarm",
    "anim_fight_low",
    "anim_fight_jump_start",
    "anim_fight_jump",
    "anim_fight_fall",
    "anim_fight_land",
    "anim_fight_fall_attack",
    "anim_fight_land_attack",
    "anim_fight_hurt_1",
    "anim_fight_hurt_2",
    "anim_death_fight_stab",
    "anim_death_fight_hard",
    "anim_sheath_sword",
    "anim_explore_hurt_1",
    "anim_explore_hurt_2",
    "anim_death_explore",
];

/// A list of numbered sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKind {
    Attacks,
    Defenses,
    Taunts,
}

impl ListKind {
    /// All lists.
    pub(super) const ALL: [Self; 3] = [Self::Attacks, Self::Defenses, Self::Taunts];

    /// Returns the name of a section without its number.
    pub(super) const fn section(self) -> &'static str {
        match self {
            Self::Attacks => "attack",
            Self::Defenses => "defend",
            Self::Taunts => "taunt",
        }
    }

    /// Returns the names of one and of several rows.
    pub(super) const fn nouns(self) -> [&'static str; 2] {
        match self {
            Self::Attacks => ["attack", "attacks"],
            Self::Defenses => ["defense", "defenses"],
            Self::Taunts => ["taunt", "taunts"],
        }
    }

    fn group(self) -> Option<&'static Group> {
        let is_it = |group: &&Group| group.section.strip_suffix('#') == Some(self.section());
        Kind::Combat.groups().iter().find(is_it)
    }
}

/// The sections of a list by number. Of several with the same number, the first counts.
#[derive(Debug, Clone)]
pub(super) struct List<'s, 'a> {
    kind: ListKind,
    pub sections: BTreeMap<u32, &'s Section<'a>>,
    /// Sections with the number of an earlier one.
    pub repeated: Vec<(u32, &'s Section<'a>)>,
}

impl<'s, 'a> List<'s, 'a> {
    pub(super) fn new(lookup: &'s Lookup<'a>, kind: ListKind) -> Self {
        let mut out = Self { kind, sections: BTreeMap::new(), repeated: Vec::new() };
        let pattern = format!("{}#", kind.section());
        for section in lookup.sections() {
            let Some(number) = numbered(&pattern, &section.name) else { continue };
            match out.sections.entry(number) {
                Entry::Occupied(_) => out.repeated.push((number, section)),
                Entry::Vacant(first) => drop(first.insert(section)),
            }
        }
        out
    }

    /// Returns how many sections the game loads: those from 0 up to the first number without values.
    pub(super) fn loaded(&self) -> u32 {
        let rows = (0_u32..).zip(&self.sections);
        let loaded = rows.take_while(|(next, (number, section))| next == *number && self.is_filled(section));
        loaded.last().map_or(0, |(last, _)| last.saturating_add(1))
    }

    /// Whether a section does not end the list. An attack has any text for one of two keys, also a 0.
    fn is_filled(&self, section: &Section<'_>) -> bool {
        match self.kind {
            ListKind::Attacks => {
                ["damage", "type"].iter().any(|key| section.value(key, None).is_some_and(|it| !it.is_empty()))
            }
            ListKind::Defenses => number_of(section, "max_range") != 0,
            ListKind::Taunts => true,
        }
    }

    /// Returns the rows with all declared fields.
    fn rows(&self) -> impl Iterator<Item = Row<'s, 'a>> {
        let (group, loaded) = (self.kind.group(), self.loaded());
        self.sections.iter().map(move |(number, section)| {
            let mut fields = Map::new();
            fields.insert("index".to_owned(), (*number).into());
            for key in group.into_iter().flat_map(|group| group.keys) {
                let value = section.read(key, None).value;
                let name = match key.name {
                    _ if key.names.is_empty() => None,
                    name => Some((format!("{name}_name"), key.name_of_value(&value).into())),
                };
                fields.insert(key.name.to_owned(), value);
                fields.extend(name);
            }
            Row { number: *number, is_loaded: *number < loaded, section, fields }
        })
    }
}

/// A row of a list.
struct Row<'s, 'a> {
    number: u32,
    is_loaded: bool,
    section: &'s Section<'a>,
    fields: Map<String, Value>,
}

impl Row<'_, '_> {
    fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }
}

/// Returns a value as an integer; 0 for a missing key.
pub(super) fn number_of(section: &Section<'_>, key: &str) -> i32 {
    integer(section.value(key, None).unwrap_or_default())
}

/// Returns the attacks that a combo consists of, each with its key; `None` for other attacks.
pub(super) fn parts(section: &Section<'_>) -> Option<Vec<(&'static str, i32)>> {
    if number_of(section, "type") != COMBO {
        return None;
    }
    let count = usize::try_from(number_of(section, "num_attacks")).unwrap_or(0);
    let keys = ["attack00", "attack01", "attack02"].into_iter().take(count);
    Some(keys.map(|key| (key, number_of(section, key))).collect())
}

/// What the rows of a file refer to.
struct Names {
    groups: GameNames,
    texts: Option<Arc<SpokenLines>>,
    comments: BTreeMap<i64, String>,
}

impl Names {
    /// Returns the name of the group of an animation; `None` if the number is not valid.
    fn group(&self, animations: Animations, animation: i64) -> Option<&str> {
        let valid =
            Some(animation).filter(|animation| (0..=i64::from(animations.most)).contains(animation))?;
        self.groups.names.animation_group(u16::try_from(valid.saturating_add(animations.first)).ok()?)
    }

    /// Returns the name of an animation in the comments of the file, or else of the shipped file.
    fn comment(&self, animation: i64) -> Option<&str> {
        let shipped = || ANIMATIONS.get(usize::try_from(animation).ok()?.checked_sub(1)?).copied();
        self.comments.get(&animation).map(String::as_str).or_else(shipped)
    }

    /// Adds the animation group of an attack or a defense.
    fn animate(&self, row: &mut Row<'_, '_>) {
        let animation = i64::from(number_of(row.section, "animation"));
        row.put("animation_group", animation.saturating_add(FIGHT.first));
        row.put("animation_group_name", self.group(FIGHT, animation));
        row.put("animation_comment", self.comment(animation));
    }
}

/// Returns the names of animations in comments such as `; anim_attack_1 = 5`, by number.
fn comments(ini: &Ini) -> BTreeMap<i64, String> {
    let mut out = BTreeMap::new();
    for placed in ini.lines() {
        let Line::Comment(text) = placed.line else { continue };
        let Some((name, number)) = text.trim_start_matches(';').split_once('=') else { continue };
        let (name, number) = (name.trim(), without_comment(number));
        let number = if is_number(number) { i64::from(integer(number)) } else { 0 };
        if number != 0 && name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("anim_")) {
            out.entry(number).or_insert_with(|| name.to_owned());
        }
    }
    out
}

/// Converts the lists to JSON. In a game, they include the texts of labels, and the names of its own animation groups.
pub(super) fn to_json(ini: &Ini, context: Option<&Context<'_>>) -> Value {
    let lookup = Lookup::new(ini);
    let names = Names {
        groups: context.map_or_else(GameNames::shipped, GameNames::of_game),
        texts: context.and_then(rtx::texts),
        comments: comments(ini),
    };
    let misc = Kind::Combat.group("misc").into_iter().flat_map(|group| group.keys);
    let misc: Map<String, Value> =
        misc.map(|key| (key.name.to_owned(), lookup.read("misc", key).value)).collect();
    let [attacks, defenses, taunts] = ListKind::ALL.map(|kind| List::new(&lookup, kind));
    json!({
        "misc": misc,
        "attacks": attacks.rows().map(|row| attack(row, &attacks, &names)).collect::<Vec<_>>(),
        "defends": defenses.rows().map(|row| defense(row, &names)).collect::<Vec<_>>(),
        "taunts": taunts.rows().map(|row| taunt(row, &names)).collect::<Vec<_>>(),
        "unknown_keys": super::unknown::to_json(&lookup, Kind::Combat),
    })
}

fn attack(mut row: Row<'_, '_>, attacks: &List<'_, '_>, names: &Names) -> Map<String, Value> {
    row.put("loaded", row.is_loaded);
    names.animate(&mut row);
    let parts = parts(row.section).map(|parts| parts.into_iter().map(|(_, part)| part).collect::<Vec<_>>());
    let (range, damage) = match &parts {
        None => (
            ["min_range", "max_range"].map(|key| number_of(row.section, key)),
            number_of(row.section, "damage").into(),
        ),
        Some(parts) => total(parts, attacks),
    };
    row.put("parts", parts);
    row.put("range", range);
    row.put("damage_total", damage);
    row.fields
}

/// Returns the range and the damage of a combo. Without parts, no distance is in the range.
fn total(parts: &[i32], attacks: &List<'_, '_>) -> ([i32; 2], i64) {
    let sections = parts.iter().filter_map(|part| attacks.sections.get(&u32::try_from(*part).ok()?));
    let mut out = ([i32::from(u16::MAX), -1], 0_i64);
    for section in sections {
        let ([least, most], damage) = &mut out;
        *least = (*least).min(number_of(section, "min_range"));
        *most = (*most).max(number_of(section, "max_range"));
        *damage = damage.saturating_add(number_of(section, "damage").into());
    }
    out
}

fn defense(mut row: Row<'_, '_>, names: &Names) -> Map<String, Value> {
    let name = usize::try_from(row.number).ok().and_then(|number| DEFENSES.get(number).copied());
    row.put("loaded", row.is_loaded);
    row.put("name", name);
    names.animate(&mut row);
    row.fields
}

fn taunt(mut row: Row<'_, '_>, names: &Names) -> Map<String, Value> {
    let label = row.section.value("rtx_label", None).filter(|label| !label.is_empty());
    let text = label.and_then(|label| names.texts.as_ref()?.get(label));
    let label = label.map(|label| label.chars().take(4).collect::<String>());
    let animation = i64::from(number_of(row.section, "animation"));
    let animation = Some(animation).filter(|animation| *animation != 0);
    row.put("label", label);
    row.put("text", text);
    row.put("animation_group", animation.map(|animation| animation.saturating_add(TALK.first)));
    row.put("animation_group_name", animation.and_then(|animation| names.group(TALK, animation)));
    row.fields
}
