//! Stored numbers in other units, or as the names that they stand for, next to the fields that hold them: `placements[4].degrees` next to `angles`.
//! Paths can name them, and listings of fields show them.

use json::{Content, Document, Node, Step, Value, Way};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::change::{FieldChange, RecordChange};

/// A field that is shown, and can be set, in another unit than the one it is stored in, or by a name.
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
#[non_exhaustive]
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
    /// An integer that is shown as a name.
    Name {
        /// The name.
        show: fn(i64) -> Option<String>,
        /// The number that is stored for a name.
        store: fn(&str) -> Option<Value>,
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
            Self::Name { show, .. } => show(stored.to_value().as_i64()?).map(Value::from),
        }
    }
}

/// A record with such fields behind the fields that hold their numbers.
#[derive(Debug)]
pub struct WithViews {
    /// The record.
    pub record: Document,
    /// The fields.
    pub fields: &'static [UnitField],
}

impl Serialize for WithViews {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields.iter().map(|field| (field.owner, field)).collect();
        Shown { value: self.record.root(), fields, is_whole: true }.serialize(serializer)
    }
}

/// The name of the field that shows a number otherwise that is stored at the path of a span, and what it shows: `degrees` and `90` for the 512 of
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
        // No number of them means anything alone.
        Unit::List { .. } => return None,
    };
    Some((field.name, shown))
}

/// Whether a path is that of a stored field, or of a number in it. Paths of spans leave out the forms of values.
fn is_stored_at(field: &UnitField, path: &str) -> bool {
    let Some((_, rest)) = path.rsplit_once(field.stored) else { return false };
    let end = path.len().saturating_sub(rest.len()).saturating_sub(field.stored.len());
    let is_number = rest.is_empty() || (rest.starts_with('[') && rest.ends_with(']') && !rest.contains('.'));
    let Some(owner) = path.get(..end).filter(|owner| owner.ends_with('.')) else { return false };
    let mut names = field.owner.split('/');
    // The names that the path leaves out are forms.
    let leads = owner.split_terminator('.').all(|step| {
        let (name, items) = step
            .split_once('[')
            .map_or((step, 0), |(name, items)| (name, items.matches('[').count().saturating_add(1)));
        names.by_ref().take_while(|form| *form != "*").any(|form| form == name)
            && (0..items).all(|_| names.next() == Some("*"))
    });
    is_number && leads && names.all(|form| form != "*")
}

/// A field with what is left of the way to its owner.
type FieldBelow = (&'static str, &'static UnitField);

/// The parts of a record that have such fields, with these alone. Lists keep their items, so that indices are those of the record.
#[must_use]
pub fn view(record: Node<'_>, fields: &'static [UnitField]) -> Document {
    let fields = fields.iter().map(|field| (field.owner, field)).collect();
    Document::of(&Shown { value: record, fields, is_whole: false }).unwrap_or_default()
}

/// A value with these fields.
struct Shown<'a> {
    value: Node<'a>,
    fields: Vec<FieldBelow>,
    /// Whether all others are there too.
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
    let target = Way::from(&*[&*stored, rest].concat());
    let now = target.find(record);
    if let Some(now) = now.filter(|now| field.unit.shown(*now).as_ref() == Some(value)) {
        // Several stored numbers can look the same: the current ones stay.
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
    fn a_view_has_the_fields_in_other_units_at_the_same_indices() {
        let seen = view(document().root(), &FIELDS).root().to_value();
        let item = json!({"degrees": 90.0, "place_units": [[1.0, -0.5]], "b": {"degrees": 270.0}});
        assert_eq!(seen, json!({ "a": [{}, item] }));
    }

    #[test]
    fn all_fields_are_there_with_those_in_other_units_behind_their_own() {
        let seen =
            Document::of(&WithViews { record: document(), fields: &FIELDS }).unwrap().root().to_value();
        let item = json!({
            "turn": 512, "degrees": 90.0, "place": [[256, -128]], "place_units": [[1.0, -0.5]],
            "b": {"quarters": 3, "degrees": 270.0}
        });
        assert_eq!(seen, json!({ "a": [{"x": 1}, item], "c": 2 }));
    }

    #[test]
    fn a_stored_number_is_shown_at_its_path() {
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
    fn a_change_of_one_number_leaves_the_others() {
        let at = [Step::Member("a"), Step::Item(1)];
        let way = [&at[..], &[Step::Member("place_units"), Step::Item(0), Step::Item(1)]].concat();
        let stored = [&at[..], &[Step::Member("place"), Step::Item(0), Step::Item(1)]].concat();
        let set = |way: &[Step<'_>], value: Value| Some(vec![RecordChange::Set(Way::from(way), value)]);
        assert_eq!(changed(&way, &json!(2.5)), set(&stored, json!(640)));
        let turn = [&at[..], &[Step::Member("degrees")]].concat();
        let stored = [&at[..], &[Step::Member("turn")]].concat();
        assert_eq!(changed(&turn, &json!(-90)), set(&stored, json!(1536)));
        // Of several stored numbers that look the same, the current one stays.
        let turned = Document::of_value(&json!({ "a": [{}, {"turn": -512}] })).unwrap();
        let same = change(turned.root(), &FIELDS, &turn, FieldChange::Set(&json!(-90.0)));
        assert_eq!(same, set(&stored, json!(-512)));
        assert_eq!(changed(&turn, &json!("north")), None);
        let quarters = [&at[..], &[Step::Member("b"), Step::Member("degrees")]].concat();
        assert_eq!(changed(&quarters, &json!(45)), None, "not a quarter turn");
        assert_eq!(changed(&[Step::Member("c")], &json!(1)), None);
    }
}
