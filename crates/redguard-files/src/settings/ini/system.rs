//! SYSTEM.INI: files, sound, physics, camera and screen.

use std::collections::BTreeSet;
use std::sync::Arc;

use asset::Context;
use json::{Document, Value, json};
use media::ini::Ini;

use super::Kind;
use super::key::{Key, Reading};
use super::lookup::Lookup;
use crate::location::SYSTEM;

/// The settings of the program with the replacements that the game uses for missing and bad values.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// A list for each section, with a value for each declared key.
    values: Vec<Vec<Reading>>,
}

impl System {
    /// Reads the settings of a file.
    #[must_use]
    pub fn read(ini: &Ini) -> Self {
        let lookup = Lookup::new(ini);
        Self::new(|section, key| lookup.read(section, key))
    }

    /// Returns the settings of the shipped file (GOG edition).
    #[must_use]
    pub fn shipped() -> Self {
        Self::new(|_, key| key.read(Some(key.shipped)))
    }

    /// Returns the settings of the game that a file belongs to; the shipped ones if there is no readable file.
    #[must_use]
    pub fn of_game(context: &Context<'_>) -> Arc<Self> {
        let read = || {
            let found = context.install.find(SYSTEM).found()?;
            let ini = super::of_game(context, SYSTEM)?;
            let size = size_of::<Reading>().saturating_mul(KEYS);
            context.install.decoded(&found.location, "system", || Ok((Self::read(&ini), size))).ok()
        };
        read().unwrap_or_else(|| Arc::new(Self::shipped()))
    }

    fn new(read: impl Fn(&str, &Key) -> Reading) -> Self {
        let section = |group: &super::key::Group| {
            group.keys.iter().map(|key| read(group.section, key)).collect::<Vec<_>>()
        };
        Self { values: Kind::System.groups().iter().map(section).collect() }
    }

    fn value(&self, section: &str, key: &str) -> Option<&Value> {
        let groups = Kind::System.groups();
        let number = groups.iter().position(|group| group.section == section)?;
        let key = groups.get(number)?.keys.iter().position(|known| known.name == key)?;
        Some(&self.values.get(number)?.get(key)?.value)
    }

    /// Returns an integer; 0 for an unknown key.
    #[must_use]
    pub fn integer(&self, section: &str, key: &str) -> i32 {
        let number = self.value(section, key).and_then(Value::as_i64);
        number.and_then(|number| i32::try_from(number).ok()).unwrap_or(0)
    }

    /// Returns a floating-point number; 0 for an unknown key.
    #[must_use]
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "the game uses single precision"
    )]
    pub fn float(&self, section: &str, key: &str) -> f32 {
        self.value(section, key).and_then(Value::as_f64).unwrap_or(0.0) as f32
    }

    /// Returns two integers; zeros for an unknown key.
    #[must_use]
    pub fn pair(&self, section: &str, key: &str) -> [i32; 2] {
        let Some(Value::Array(numbers)) = self.value(section, key) else { return [0; 2] };
        let number = |at: usize| {
            let number = numbers.get(at).and_then(Value::as_i64);
            number.and_then(|number| i32::try_from(number).ok()).unwrap_or(0)
        };
        [number(0), number(1)]
    }

    /// Returns a text; empty for a missing value.
    #[must_use]
    pub fn text(&self, section: &str, key: &str) -> &str {
        self.value(section, key).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Number of declared keys.
const KEYS: usize = 253;

/// A setting of the file or a declared key that it lacks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    pub section: String,
    pub key: String,
    pub value: Value,
    pub raw: Option<String>,
    pub default_used: bool,
    pub known: bool,
    pub line: Option<usize>,
}

/// Returns all declared keys and the unknown ones of the file, by section.
pub(super) fn settings(lookup: &Lookup<'_>) -> Vec<Setting> {
    let mut out = Vec::new();
    for group in Kind::System.groups() {
        let section = lookup.section(group.section);
        for key in group.keys {
            let entry = section.and_then(|section| section.entry(key.name, None));
            let reading = key.read(entry.map(super::lookup::Entry::value));
            out.push(Setting {
                section: group.section.to_owned(),
                key: key.name.to_owned(),
                value: reading.value,
                raw: entry.map(|entry| entry.raw.as_ref().to_owned()),
                default_used: reading.is_default,
                known: true,
                line: entry.map(|entry| entry.line),
            });
        }
    }
    for section in lookup.sections() {
        let group = Kind::System.group(&section.name);
        let is_known =
            |entry: &super::lookup::Entry<'_>| group.is_some_and(|it| it.find(&entry.name).is_some());
        for entry in section.firsts().filter(|entry| !is_known(entry)) {
            out.push(Setting {
                section: section.name.clone(),
                key: entry.name.to_string(),
                value: entry.value().into(),
                raw: Some(entry.raw.as_ref().to_owned()),
                default_used: false,
                known: false,
                line: Some(entry.line),
            });
        }
    }
    out
}

/// Converts the settings to JSON: sections, keys, and for each key its value in the game.
pub(super) fn to_json(lookup: &Lookup<'_>) -> Document {
    let settings = settings(lookup);
    let mut seen = BTreeSet::new();
    let sections: Vec<&str> =
        settings.iter().map(|it| it.section.as_str()).filter(|section| seen.insert(*section)).collect();
    let row = |it: &Setting| {
        json!({ "value": it.value, "raw": it.raw, "default_used": it.default_used, "known": it.known,
            "line": it.line })
    };
    let keys = |section: &str| {
        Document::object(|out| {
            for setting in settings.iter().filter(|it| it.section == section) {
                out.put(&setting.key, &row(setting));
            }
        })
    };
    let all = Document::object(|out| {
        for section in &sections {
            out.put(section, &keys(section));
        }
    });
    Document::object(|out| {
        out.put("sections", &all);
    })
}

#[cfg(test)]
mod tests {
    use asset::{Install, Options};
    use record::Source;

    use super::*;
    use crate::settings::ini::Settings;

    fn ini(text: &str) -> Ini {
        Settings::read(&Source::from(text.as_bytes().to_vec())).unwrap().ini().clone()
    }

    fn typed(text: &str, section: &str, key: &str) -> Value {
        let ini = ini(text);
        let document = to_json(&Lookup::new(&ini)).root().to_value();
        document.get("sections").unwrap().get(section).unwrap().get(key).unwrap().clone()
    }

    fn findings(text: &str) -> Vec<(&'static str, String)> {
        let settings = Settings::read(&Source::from(text.as_bytes().to_vec())).unwrap();
        let (install, options, mut report) = (Install::empty(), Options::default(), asset::Report::new());
        let context = Context { install: &install, location: None, options: &options };
        super::super::check::check(&settings, &context, &mut report);
        report.iter().map(|it| (it.code.id, it.message.clone())).collect()
    }

    #[test]
    fn declares_every_key_once() {
        let groups = Kind::System.groups();
        assert_eq!(groups.iter().map(|group| group.keys.len()).sum::<usize>(), KEYS);
        for group in groups {
            let names: BTreeSet<_> = group.keys.iter().map(|key| key.name).collect();
            assert_eq!(names.len(), group.keys.len(), "{}", group.section);
        }
    }

    #[test]
    fn replaces_missing_and_bad_values_as_the_game_does() {
        for (section, key, text, expected) in [
            ("system", "normal_frame_rate", "0", 12),
            ("system", "normal_frame_rate", "5", 5),
            ("system", "jump_time", "-1", 6),
            ("system", "sphere_object_scale", "0", 256),
            ("system", "max_active_objects", "9", 10),
            ("system", "max_effects", "-7", 0),
            ("game", "swim_depth", "0", 40),
            ("game", "swim_depth", "-1", -1),
            ("game", "slide_speed", "1", 8),
            ("game", "player_fall_dead_time", "2", 3),
            ("dialog", "dialog_max_menu_items", "20", 300),
            ("dialog", "menu_traverse_delay", "", 1),
        ] {
            let system = System::read(&ini(&format!("[{section}]\n{key}={text}\n")));
            assert_eq!(system.integer(section, key), expected, "{key}={text}");
        }
        let empty = System::read(&ini("[system]\n"));
        assert_eq!(empty.pair("3dfx", "text_scale"), [4, 2]);
        assert_eq!(empty.text("system", "world_ini"), "WORLD.INI");
        assert_eq!(System::shipped().float("camera", "glide_angle_y"), 0.1);
    }

    #[test]
    fn the_first_line_of_a_key_counts_even_if_it_is_empty() {
        let text = "[system]\nvolume=\nvolume=99\n[camera]\nmax_vel=1\n[SYSTEM]\nstanding_height = -3\n";
        let expected = json!({ "value": 0, "raw": "", "default_used": true, "known": true, "line": 2 });
        assert_eq!(typed(text, "system", "volume"), expected);
        assert_eq!(typed(text, "system", "standing_height").get("value"), Some(&json!(-3)));
    }

    #[test]
    fn keeps_unknown_keys_as_text() {
        let text = "[system]\nfdelity = 38 ; loud\n";
        let expected =
            json!({ "value": "38", "raw": "38 ; loud", "default_used": false, "known": false, "line": 2 });
        assert_eq!(typed(text, "system", "fdelity"), expected);
    }

    #[test]
    fn reports_unknown_keys_with_the_nearest_one_and_keys_of_other_sections() {
        let text = "[system]\njump_hieght=80\ncandle_mode=1\n[sytem]\nx=1\n";
        let expected = [
            "line 4: the game ignores section [sytem]; did you mean \"system\"?",
            "line 2: the game ignores \"jump_hieght\"; did you mean \"jump_height\"?",
            "line 3: the game ignores \"candle_mode\"; it belongs to section [screen]",
        ];
        assert_eq!(findings(text), expected.map(|message| ("INI-W001", message.to_owned())));
    }

    #[test]
    fn reports_values_of_another_type_or_out_of_range() {
        let text = "[system]\nvolume=300\nredbook_volume=200\nstatics_load=maybe\nsound_distance=3\n[camera]\nglide_x=nan\n[3dfx]\nfont_sel=1,2,3\n";
        let expected = [
            ("INI-W011", "line 2: volume is 300 (valid: 0 to 256)"),
            ("INI-N015", "line 3: redbook_volume is 200 (valid: 0 to 127): the game ignores it"),
            (
                "INI-W011",
                "line 4: statics_load is \"maybe\"; expected a number, or one of true, yes, on, false, no, off",
            ),
            ("INI-W011", "line 5: sound_distance is 3 (valid: 4 and above)"),
            ("INI-W011", "line 7: glide_x is \"nan\"; expected a number"),
            ("INI-W011", "line 9: font_sel is \"1,2,3\"; expected two numbers"),
        ];
        assert_eq!(findings(text), expected.map(|(id, message)| (id, message.to_owned())));
    }
}
