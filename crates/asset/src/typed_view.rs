//! Stored numbers in other units, as paths name them next to the fields that hold them: `placements[4].degrees` next to `angles`.

use record::json::{Content, Document, Node, Step, Way};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::change::{FieldChange, RecordChange};

/// A field that is shown, and can be set, in another unit than the one it is stored in.
#[derive(Debug, Clone, Copy)]
pub struct UnitField {
    /// The way to the objects that have it, with `/` between names and `*` for any item: `meshes/*`.
    pub owner: &'static str,
    /// The name of the stored field.
    pub stored: &'static str,
    /// The name in paths.
    pub name: &'static str,
    /// The unit.
    pub unit: Unit,
}

/// How numbers of one unit become those of another, and back.
#[derive(Debug, Clone, Copy)]
pub enum Unit {
    /// Each number alone, also in lists; `store` refuses what has no stored number.
    Number {
        /// The number that is shown.
        show: fn(f64) -> f64,
        /// The number that is stored.
        store: fn(f64) -> Option<Value>,
    },
    /// All numbers of a list together; either refuses numbers that mean nothing.
    List {
        /// The numbers that are shown.
        show: fn(&[f64]) -> Option<Vec<f64>>,
        /// The numbers that are stored.
        store: fn(&[f64]) -> Option<Vec<i64>>,
    },
}

/// 2048ths of a turn in a degree.
const STEPS: f64 = 2048.0 / 360.0;

impl Unit {
    /// Degrees of 2048ths of a turn.
    pub const DEGREES_OF_STEPS: Self = Self::Number {
        show: |steps| brief(steps / STEPS),
        store: |degrees| Some(rounded(degrees * STEPS).rem_euclid(2048).into()),
    };

    /// Degrees of radians.
    pub const DEGREES_OF_RADIANS: Self = Self::Number {
        // As many digits as single precision has: a right angle is 90.
        show: |radians| (radians.to_degrees() * 1e4).round() / 1e4,
        store: |degrees| Some(degrees.to_radians().into()),
    };

    /// Degrees of quarter turns.
    pub const DEGREES_OF_QUARTERS: Self = Self::Number {
        show: |quarters| quarters * 90.0,
        store: |degrees| (degrees % 90.0 == 0.0).then(|| rounded(degrees / 90.0).rem_euclid(4).into()),
    };

    /// Units of 256ths.
    pub const UNITS_OF_256THS: Self =
        Self::Number { show: |parts| parts / 256.0, store: |units| Some(rounded(units * 256.0).into()) };

    fn shown(self, stored: Node<'_>) -> Option<Value> {
        match self {
            Self::Number { show, .. } => each(&stored.to_value(), &|number| Some(show(number).into())),
            Self::List { show, .. } => {
                let shown = show(&numbers(&stored.to_value())?)?;
                Some(shown.into_iter().map(brief).collect::<Vec<_>>().into())
            }
        }
    }
}

/// A field with what is left of the way to its owner.
type FieldBelow = (&'static str, &'static UnitField);

/// The parts of a record that have such fields, with these alone. Lists keep their items, so that indices are those of the record.
#[must_use]
pub fn view(record: Node<'_>, fields: &'static [UnitField]) -> Document {
    let fields = fields.iter().map(|field| (field.owner, field)).collect();
    Document::of(&Shown(record, fields)).unwrap_or_default()
}

/// A value with these fields alone.
struct Shown<'a>(Node<'a>, Vec<FieldBelow>);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value, fields) = self;
        if let Content::List(items) = value.content() {
            let fields = below("*", fields);
            return serializer.collect_seq(items.iter().map(|item| Shown(item, fields.clone())));
        }
        let mut names: Vec<_> = fields.iter().map(|(way, _)| split(way).0).collect();
        names.dedup();
        if let Some((form, inner)) = value.variant()
            && let Some(name) = names.iter().find(|name| **name == form)
        {
            return serializer.serialize_newtype_variant("", 0, name, &Shown(inner, below(name, fields)));
        }
        let mut out = serializer.serialize_map(None)?;
        for (_, field) in fields.iter().filter(|(way, _)| way.is_empty()) {
            if let Some(number) = value.get(field.stored).and_then(|stored| field.unit.shown(stored)) {
                out.serialize_entry(field.name, &number)?;
            }
        }
        for name in names {
            if let Some(member) = value.get(name) {
                out.serialize_entry(name, &Shown(member, below(name, fields)))?;
            }
        }
        out.end()
    }
}

/// The fields in a member, or in the items of a list.
fn below(name: &str, fields: &[FieldBelow]) -> Vec<FieldBelow> {
    let is_below = |(way, field): &FieldBelow| {
        let (first, rest) = split(way);
        (!way.is_empty() && first == name).then_some((rest, *field))
    };
    fields.iter().filter_map(is_below).collect()
}

/// The first name of a way, and the rest of it.
fn split(way: &'static str) -> (&'static str, &'static str) {
    way.split_once('/').unwrap_or((way, ""))
}

/// The change of the stored numbers that changes such a field; `None` where there is none.
#[must_use]
pub fn change(
    record: Node<'_>,
    fields: &[UnitField],
    way: &[Step<'_>],
    change: FieldChange<'_>,
) -> Option<Vec<RecordChange>> {
    let FieldChange::Set(value) = change else { return None };
    let (field, owner, rest) = fields.iter().find_map(|field| {
        let depth = field.owner.split('/').count();
        let (owner, [name, rest @ ..]) = way.split_at_checked(depth)? else { return None };
        (is_at(owner, field.owner) && *name == Step::Member(field.name)).then_some((field, owner, rest))
    })?;
    let stored = [owner, &[Step::Member(field.stored)]].concat();
    match field.unit {
        Unit::Number { store, .. } => {
            let value = each(value, &|number| store(number).filter(|_| number.is_finite()))?;
            Some(vec![RecordChange::Set(Way::from(&*[&stored, rest].concat()), value)])
        }
        Unit::List { show, store } => {
            let shown = match rest {
                [] => numbers(value)?,
                [Step::Item(index)] => {
                    let stored = Way::from(&*stored).find(record)?;
                    let mut shown = show(&numbers(&stored.to_value())?)?;
                    *shown.get_mut(*index)? = value.as_f64()?;
                    shown
                }
                _ => return None,
            };
            let numbers = store(&shown).filter(|_| shown.iter().all(|number| number.is_finite()))?;
            Some(vec![RecordChange::Set(Way::from(&*stored), numbers.into())])
        }
    }
}

/// Whether a way leads where a pattern does.
fn is_at(way: &[Step<'_>], pattern: &str) -> bool {
    way.iter().zip(pattern.split('/')).all(|(step, name)| match step {
        Step::Member(member) => *member == name,
        Step::Item(_) => name == "*",
    })
}

/// A number, or all numbers in lists, as others.
fn each(value: &Value, convert: &dyn Fn(f64) -> Option<Value>) -> Option<Value> {
    match value {
        Value::Number(number) => convert(number.as_f64()?),
        Value::Array(items) => items.iter().map(|item| each(item, convert)).collect(),
        _ => None,
    }
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}

/// With enough digits for the finest number that is stored.
fn brief(number: f64) -> f64 {
    (number * 1e6).round() / 1e6 + 0.0
}

/// The nearest integer.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is meant")]
#[must_use]
pub fn rounded(number: f64) -> i64 {
    number.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const FIELDS: [UnitField; 3] = [
        UnitField { owner: "a/*", stored: "turn", name: "degrees", unit: Unit::DEGREES_OF_STEPS },
        UnitField { owner: "a/*", stored: "place", name: "place_units", unit: Unit::UNITS_OF_256THS },
        UnitField { owner: "a/*/b", stored: "quarters", name: "degrees", unit: Unit::DEGREES_OF_QUARTERS },
    ];

    fn document() -> Document {
        let items = json!([{"x": 1}, {"turn": 512, "place": [[256, -128]], "b": {"quarters": 3}}]);
        Document::of_value(&json!({ "a": items, "c": 2 })).unwrap()
    }

    fn changed(way: &[Step<'_>], value: &Value) -> Option<Vec<RecordChange>> {
        change(document().root(), &FIELDS, way, FieldChange::Set(value))
    }

    #[test]
    fn a_view_has_the_fields_in_other_units_at_the_same_indices() {
        let seen = view(document().root(), &FIELDS).root().to_value();
        let item = json!({"degrees": 90.0, "place_units": [[1.0, -0.5]], "b": {"degrees": 270.0}});
        assert_eq!(seen, json!({ "a": [{}, item] }));
    }

    #[test]
    fn a_change_of_one_number_leaves_the_others() {
        let at = [Step::Member("a"), Step::Item(1)];
        let way = [&at[..], &[Step::Member("place_units"), Step::Item(0), Step::Item(1)]].concat();
        let stored = [&at[..], &[Step::Member("place"), Step::Item(0), Step::Item(1)]].concat();
        let set = |way: &[Step<'_>], value: Value| Some(vec![RecordChange::Set(Way::from(way), value)]);
        assert_eq!(changed(&way, &json!(2.5)), set(&stored, json!(640)));
        let turn = [&at[..], &[Step::Member("degrees")]].concat();
        let stored = [&at[..], &[Step::Member("turn")]].concat();
        assert_eq!(changed(&turn, &json!(-90)), set(&stored, json!(1536)));
        assert_eq!(changed(&turn, &json!("north")), None);
        let quarters = [&at[..], &[Step::Member("b"), Step::Member("degrees")]].concat();
        assert_eq!(changed(&quarters, &json!(45)), None, "not a quarter turn");
        assert_eq!(changed(&[Step::Member("c")], &json!(1)), None);
    }
}
