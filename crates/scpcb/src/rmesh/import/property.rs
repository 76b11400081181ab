//! Custom properties of a node, as other programs write them.

use files::suggest::did_you_mean;
use json::Value;
use scene::Node;

/// The properties of a node. Problems are collected.
pub(super) struct Properties<'a> {
    node: &'a Node,
    pub(super) problems: Vec<String>,
}

impl<'a> Properties<'a> {
    /// The properties of a node of a class, which has the properties `known`.
    pub(super) fn new(node: &'a Node, class: &str, known: &[&str]) -> Self {
        let own = ["class", "name"];
        let is_known = |name: &str| known.contains(&name) || own.contains(&name);
        let unknown = node.extras.keys().filter(|name| !is_known(name));
        let problems = unknown.map(|name| {
            let hint = did_you_mean(name, known.iter().copied());
            format!("the class {class} has no property \"{name:.40}\"{hint}")
        });
        Self { node, problems: problems.collect() }
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.node.extras.get(name).filter(|value| !value.is_null())
    }

    fn wrong(&mut self, name: &str, what: &str) {
        self.problems.push(format!("the property \"{name}\" is not {what}"));
    }

    /// A finite number.
    pub(super) fn number(&mut self, name: &str) -> Option<f32> {
        let value = self.value(name)?;
        let number: Option<f32> = match value {
            Value::String(text) => text.trim().parse().ok(),
            value => json::from_value(value.clone()).ok(),
        };
        let number = number.filter(|number| number.is_finite());
        if number.is_none() {
            self.wrong(name, "a number");
        }
        number
    }

    /// An integer; other programs may write it with a decimal point.
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "the conversion saturates")]
    pub(super) fn integer(&mut self, name: &str) -> Option<i32> {
        self.number(name).map(|number| number.round() as i32)
    }

    /// A flag: 1 for true, 0 for false.
    pub(super) fn flag(&mut self, name: &str) -> Option<u8> {
        match self.value(name)? {
            Value::Bool(yes) => Some(u8::from(*yes)),
            _ => self.number(name).map(|number| u8::from(number != 0.0)),
        }
    }

    /// A non-empty text.
    pub(super) fn text(&mut self, name: &str) -> Option<&'a str> {
        match self.value(name)? {
            Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => {
                self.wrong(name, "a text");
                None
            }
        }
    }

    /// A color in the form of rooms: three numbers from 0 to 255, as a list or separated by spaces. If all are at most 1, they are
    /// multiplied by 255.
    pub(super) fn color(&mut self, name: &str) -> Option<String> {
        let numbers: Option<Vec<f32>> = match self.value(name)? {
            Value::String(text) => text.split_whitespace().map(|number| number.parse().ok()).collect(),
            value => json::from_value(value.clone()).ok(),
        };
        // A fourth number is alpha.
        let color = match numbers.as_deref() {
            Some([red, green, blue] | [red, green, blue, _]) => [*red, *green, *blue],
            _ => {
                self.wrong(name, "three numbers");
                return None;
            }
        };
        let factor = if color.iter().all(|level| *level <= 1.0) { 255.0 } else { 1.0 };
        let [red, green, blue] = color.map(|level| super::color::rounded(level * factor));
        Some(format!("{red} {green} {blue}"))
    }
}
