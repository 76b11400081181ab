//! Views of stored numbers in other units or as names, next to the stored fields: `placements[4].degrees` next to `angles`. Paths
//! can address the views, and field listings show them.

use json::{Content, Document, Node, Step, Value, ValuePath};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::change::{FieldChange, RecordChange};

/// A view of a stored field in another unit or as a name. It can be set like a field.
#[derive(Debug, Clone, Copy)]
pub struct UnitField {
    /// Path of the objects that contain the field, with `/` between names and `*` for all items: `meshes/*`.
    pub owner: &'static str,
    /// Name of the stored field.
    pub stored: &'static str,
    /// Name of the view.
    pub name: &'static str,
    /// Unit of the view.
    pub unit: Unit,
}

/// A conversion between stored numbers and displayed values.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Unit {
    /// Converts each number separately, also in lists. `store` returns `None` for numbers that cannot be stored.
    Number {
        /// Converts a stored number to the displayed one.
        show: fn(f64) -> f64,
        /// Converts a displayed number to the stored one.
        store: fn(f64) -> Option<Value>,
    },
    /// Converts all numbers of a list together. Both functions return `None` for invalid numbers.
    List {
        /// Converts stored numbers to the displayed ones.
        show: fn(&[f64]) -> Option<Vec<f64>>,
        /// Converts displayed numbers to the stored ones.
        store: fn(&[f64]) -> Option<Vec<i64>>,
    },
    /// Shows an integer as a name.
    Name {
        /// Returns the name of a number.
        show: fn(i64) -> Option<String>,
        /// Returns the number of a name.
        store: fn(&str) -> Option<Value>,
    },
}

/// Number of 2048ths of a turn in a degree.
const STEPS: f64 = 2048.0 / 360.0;

impl Unit {
    /// Degrees, stored as 2048ths of a turn.
    pub const DEGREES_OF_STEPS: Self = Self::Number {
        show: |steps| brief(steps / STEPS),
        store: |degrees| Some(rounded(degrees * STEPS).rem_euclid(2048).into()),
    };

    /// Degrees, stored as radians.
    pub const DEGREES_OF_RADIANS: Self = Self::Number {
        // Rounded to the digits of single precision, so that a right angle is 90.
        show: |radians| (radians.to_degrees() * 1e4).round() / 1e4,
        store: |degrees| Some(degrees.to_radians().into()),
    };

    /// Degrees, stored as quarter turns.
    pub const DEGREES_OF_QUARTERS: Self = Self::Number {
        show: |quarters| quarters * 90.0,
        store: |degrees| (degrees % 90.0 == 0.0).then(|| rounded(degrees / 90.0).rem_euclid(4).into()),
    };

    /// Units, stored as 256ths.
    pub const UNITS_OF_256THS: Self =
        Self::Number { show: |parts| parts / 256.0, store: |units| Some(rounded(units * 256.0).into()) };

    fn shown(self, stored: Node<'_>) -> Option<Value> {
        match self {
            Self::Number { show, .. } => each(&stored.to_value(), &|number| Some(show(number).into())),
            Self::List { show, .. } => {
                let shown = show(&numbers(&stored.to_value())?)?;
                Some(shown.into_iter().map(brief).collect::<Vec<_>>().into())
            }
            Self::Name { show, .. } => show(stored.to_value().as_i64()?).map(Value::from),
        }
    }
}

/// A record in which each view follows its stored field.
#[derive(Debug)]
pub struct WithViews {
    /// The record.
    pub record: Document,
    /// The views.
    pub fields: &'static [UnitField],
}

impl Serialize for WithViews {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields.iter().map(|field| (field.owner, field)).collect();
        Shown { value: self.record.root(), fields, is_whole: true }.serialize(serializer)
    }
}

/// Returns the name and the value of the view of a number, given the path of its span: `degrees` and `90` for the 512 of
/// `placements[4].heading`.
#[must_use]
pub fn shown_at(
    fields: &[UnitField],
    path: &str,
    value: &dyn std::fmt::Display,
) -> Option<(&'static str, String)> {
    let field = fields.iter().find(|field| is_stored_at(field, path))?;
    let number = value.to_string();
    let shown = match field.unit {
        Unit::Number { show, .. } => show(number.parse().ok()?).to_string(),
        Unit::Name { show, .. } => show(number.parse().ok()?)?,
        // A single number of the list has no displayed value.
        Unit::List { .. } => return None,
    };
    Some((field.name, shown))
}

/// Whether a path leads to the stored field or to a number in it. Paths of spans omit the variant names of values.
fn is_stored_at(field: &UnitField, path: &str) -> bool {
    let Some((_, rest)) = path.rsplit_once(field.stored) else { return false };
    let end = path.len().saturating_sub(rest.len()).saturating_sub(field.stored.len());
    let is_number = rest.is_empty() || (rest.starts_with('[') && rest.ends_with(']') && !rest.contains('.'));
    let Some(owner) = path.get(..end).filter(|owner| owner.ends_with('.')) else { return false };
    let mut names = field.owner.split('/');
    // Names that the path omits are variant names.
    let leads = owner.split_terminator('.').all(|step| {
        let (name, items) = step
            .split_once('[')
            .map_or((step, 0), |(name, items)| (name, items.matches('[').count().saturating_add(1)));
        names.by_ref().take_while(|variant| *variant != "*").any(|variant| variant == name)
            && (0..items).all(|_| names.next() == Some("*"))
    });
    is_number && leads && names.all(|variant| variant != "*")
}

/// The rest of the path to the owner of a field, and the field.
type FieldBelow = (&'static str, &'static UnitField);

/// Returns the parts of a record that have views, with only the views. Lists keep all items, so that indices match those of the
/// record.
#[must_use]
pub fn view(record: Node<'_>, fields: &'static [UnitField]) -> Document {
    let fields = fields.iter().map(|field| (field.owner, field)).collect();
    Document::of(&Shown { value: record, fields, is_whole: false }).unwrap_or_default()
}

/// A value with its views.
struct Shown<'a> {
    value: Node<'a>,
    fields: Vec<FieldBelow>,
    /// Whether all other fields are included.
    is_whole: bool,
}

impl<'a> Shown<'a> {
    fn inside(&self, value: Node<'a>, fields: &[FieldBelow]) -> Self {
        Self { value, fields: fields.to_vec(), is_whole: self.is_whole }
    }
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { value, fields, is_whole } = self;
        if *is_whole && fields.is_empty() {
            return value.serialize(serializer);
        }
        if let Content::List(items) = value.content() {
            let fields = below("*", fields);
            return serializer.collect_seq(items.iter().map(|item| self.inside(item, &fields)));
        }
        let mut names: Vec<_> = fields.iter().map(|(way, _)| split(way).0).collect();
        names.dedup();
        if let Some((form, inner)) = value.variant()
            && let Some(name) = names.iter().find(|name| **name == form)
        {
            let inner = self.inside(inner, &below(name, fields));
            return serializer.serialize_newtype_variant("", 0, name, &inner);
        }
        if *is_whole {
            let Content::Object(members) = value.content() else { return value.serialize(serializer) };
            let mut out = serializer.serialize_map(None)?;
            for (name, member) in members.iter() {
                out.serialize_entry(name, &self.inside(member, &below(name, fields)))?;
                for (_, field) in fields.iter().filter(|(way, field)| way.is_empty() && field.stored == name)
                {
                    if let Some(shown) = field.unit.shown(member) {
                        out.serialize_entry(field.name, &shown)?;
                    }
                }
            }
            return out.end();
        }
        let mut out = serializer.serialize_map(None)?;
        for (_, field) in fields.iter().filter(|(way, _)| way.is_empty()) {
            if let Some(number) = value.get(field.stored).and_then(|stored| field.unit.shown(stored)) {
                out.serialize_entry(field.name, &number)?;
            }
        }
        for name in names {
            if let Some(member) = value.get(name) {
                out.serialize_entry(name, &self.inside(member, &below(name, fields)))?;
            }
        }
        out.end()
    }
}

/// The fields below a member, or below the items of a list.
fn below(name: &str, fields: &[FieldBelow]) -> Vec<FieldBelow> {
    let is_below = |(way, field): &FieldBelow| {
        let (first, rest) = split(way);
        (!way.is_empty() && first == name).then_some((rest, *field))
    };
    fields.iter().filter_map(is_below).collect()
}

/// Splits a path into its first name and the rest.
fn split(way: &'static str) -> (&'static str, &'static str) {
    way.split_once('/').unwrap_or((way, ""))
}

/// Returns the change of the stored numbers that corresponds to a change of a view. `None` if there is none.
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
    let target = ValuePath::from(&*[&*stored, rest].concat());
    let now = target.find(record);
    if let Some(now) = now.filter(|now| field.unit.shown(*now).as_ref() == Some(value)) {
        // Several stored numbers can have the same displayed value: the current number is kept.
        return Some(vec![RecordChange::Set(target, now.to_value())]);
    }
    match field.unit {
        Unit::Number { store, .. } => {
            let value = each(value, &|number| store(number).filter(|_| number.is_finite()))?;
            Some(vec![RecordChange::Set(target, value)])
        }
        Unit::Name { store, .. } => Some(vec![RecordChange::Set(target, store(value.as_str()?)?)]),
        Unit::List { show, store } => {
            let shown = match rest {
                [] => numbers(value)?,
                [Step::Item(index)] => {
                    let stored = ValuePath::from(&*stored).find(record)?;
                    let mut shown = show(&numbers(&stored.to_value())?)?;
                    *shown.get_mut(*index)? = value.as_f64()?;
                    shown
                }
                _ => return None,
            };
            let numbers = store(&shown).filter(|_| shown.iter().all(|number| number.is_finite()))?;
            Some(vec![RecordChange::Set(ValuePath::from(&*stored), numbers.into())])
        }
    }
}

/// Whether a path matches a pattern.
fn is_at(way: &[Step<'_>], pattern: &str) -> bool {
    way.iter().zip(pattern.split('/')).all(|(step, name)| match step {
        Step::Member(member) => *member == name,
        Step::Item(_) => name == "*",
    })
}

/// Converts a number, or all numbers in nested lists.
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

/// Rounds to six decimals, enough for the smallest stored unit.
fn brief(number: f64) -> f64 {
    (number * 1e6).round() / 1e6 + 0.0
}

/// Rounds to the nearest integer.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is meant")]
#[must_use]
pub fn rounded(number: f64) -> i64 {
    number.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::json;

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
    fn views_have_the_indices_of_the_record() {
        let seen = view(document().root(), &FIELDS).root().to_value();
        let item = json!({"degrees": 90.0, "place_units": [[1.0, -0.5]], "b": {"degrees": 270.0}});
        assert_eq!(seen, json!({ "a": [{}, item] }));
    }

    #[test]
    fn views_follow_their_stored_fields() {
        let seen =
            Document::of(&WithViews { record: document(), fields: &FIELDS }).unwrap().root().to_value();
        let item = json!({
            "turn": 512, "degrees": 90.0, "place": [[256, -128]], "place_units": [[1.0, -0.5]],
            "b": {"quarters": 3, "degrees": 270.0}
        });
        assert_eq!(seen, json!({ "a": [{"x": 1}, item], "c": 2 }));
    }

    #[test]
    fn finds_the_view_of_a_path() {
        let fields = [UnitField { owner: "form/a/*/inner/b/*", ..FIELDS[0] }];
        let shown = Some(("degrees", "90".to_owned()));
        assert_eq!(shown_at(&fields, "a[3].b[0].turn", &512), shown);
        assert_eq!(shown_at(&fields, "a[3].inner.b[0].turn", &512), shown);
        for path in ["a[3].b.turn", "a[3].turn", "b[0].turn", "a[3].b[0].turning", "turn", "a[3].c.b[0].turn"]
        {
            assert_eq!(shown_at(&fields, path, &512), None, "{path}");
        }
        let shown = Some(("place_units", "-0.5".to_owned()));
        assert_eq!(shown_at(&FIELDS, "a[1].place[0][1]", &-128), shown);
    }

    #[test]
    fn changing_one_number_keeps_the_others() {
        let at = [Step::Member("a"), Step::Item(1)];
        let way = [&at[..], &[Step::Member("place_units"), Step::Item(0), Step::Item(1)]].concat();
        let stored = [&at[..], &[Step::Member("place"), Step::Item(0), Step::Item(1)]].concat();
        let set = |way: &[Step<'_>], value: Value| Some(vec![RecordChange::Set(ValuePath::from(way), value)]);
        assert_eq!(changed(&way, &json!(2.5)), set(&stored, json!(640)));
        let turn = [&at[..], &[Step::Member("degrees")]].concat();
        let stored = [&at[..], &[Step::Member("turn")]].concat();
        assert_eq!(changed(&turn, &json!(-90)), set(&stored, json!(1536)));
        // If several stored numbers have the same displayed value, the current one is kept.
        let turned = Document::of_value(&json!({ "a": [{}, {"turn": -512}] })).unwrap();
        let same = change(turned.root(), &FIELDS, &turn, FieldChange::Set(&json!(-90.0)));
        assert_eq!(same, set(&stored, json!(-512)));
        assert_eq!(changed(&turn, &json!("north")), None);
        let quarters = [&at[..], &[Step::Member("b"), Step::Member("degrees")]].concat();
        assert_eq!(changed(&quarters, &json!(45)), None, "not a quarter turn");
        assert_eq!(changed(&[Step::Member("c")], &json!(1)), None);
    }
}
