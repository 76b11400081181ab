//! Rotations of a map in degrees, as paths name them next to the numbers that are stored: `statics[4].degrees`.
//!
//! Pitch, heading and roll, as placements have them. A placement stores them in 2048ths of a turn, a static as a matrix with 28 bits of fraction.

use asset::{FieldChange, RecordChange};
use record::json::{Content, Document, Node, Step, Way};
use serde_json::Value;

/// The name of the field.
const DEGREES: &str = "degrees";

/// The sections whose records are rotated, and the field that says how.
const ROTATED: [(&str, &str); 2] = [("MPOB", "angles"), ("MPSO", "matrix")];

/// 2048ths of a turn in a degree.
const STEPS: f64 = 2048.0 / 360.0;

/// The number that the matrix of a static stores for 1.
const ONE: f64 = 268_435_456.0;

/// How far the rows of a matrix may be from unit vectors at right angles.
const NEAR: f64 = 1e-3;

/// The sections of a map with the rotations of their records in degrees; other sections and records are empty.
pub(super) fn view(record: Node<'_>) -> Option<Document> {
    let Content::List(sections) = record.get("sections")?.content() else { return None };
    let section = |section: Node<'_>| {
        let known = section.variant().and_then(|(form, value)| {
            let (_, field) = ROTATED.into_iter().find(|(tag, _)| *tag == form)?;
            let Content::List(records) = value.get("records")?.content() else { return None };
            Some((form, field, records))
        });
        Document::object(|out| {
            let Some((form, field, records)) = known else { return };
            let records = records.iter().map(|record| {
                Document::object(|out| {
                    if let Some(degrees) = record.get(field).and_then(degrees) {
                        out.put(DEGREES, &degrees);
                    }
                })
            });
            let records = Document::object(|out| {
                out.list("records", records);
            });
            out.put(form, &records);
        })
    };
    Some(Document::object(|out| {
        out.list("sections", sections.iter().map(section));
    }))
}

/// The change of the stored numbers that changes degrees.
pub(super) fn change(
    record: Node<'_>,
    way: &[Step<'_>],
    change: FieldChange<'_>,
) -> Option<Vec<RecordChange>> {
    let (at, rest) = way.split_at_checked(way.iter().position(|step| *step == Step::Member(DEGREES))?)?;
    let form = at.iter().rev().find_map(|step| match step {
        Step::Member(form) => ROTATED.into_iter().find(|(tag, _)| tag == form),
        Step::Item(_) => None,
    });
    let ((_, field), FieldChange::Set(value)) = (form?, change) else { return None };
    let stored = Way::from(&*[at, &[Step::Member(field)]].concat());
    let degrees = match rest {
        [_] => {
            let [pitch, heading, roll] = value.as_array()?.as_slice() else { return None };
            [pitch.as_f64()?, heading.as_f64()?, roll.as_f64()?]
        }
        [_, Step::Item(index)] => {
            let mut degrees = degrees(stored.find(record)?)?;
            *degrees.get_mut(*index)? = value.as_f64()?;
            degrees
        }
        _ => return None,
    };
    if !degrees.iter().all(|degrees| degrees.is_finite()) {
        return None;
    }
    let numbers: Vec<i64> = match field {
        "angles" => degrees.map(|degrees| rounded(degrees * STEPS).rem_euclid(2048)).to_vec(),
        _ => matrix(degrees).into_iter().flatten().map(|number| rounded(number * ONE)).collect(),
    };
    Some(vec![RecordChange::Set(stored, Value::from(numbers))])
}

/// Pitch, heading and roll of stored numbers in degrees; `None` for a matrix that is not a rotation.
fn degrees(stored: Node<'_>) -> Option<[f64; 3]> {
    let Content::List(items) = stored.content() else { return None };
    let numbers: Vec<f64> = items.iter().map(|item| item.to_value().as_f64()).collect::<Option<_>>()?;
    let degrees = match numbers.as_slice() {
        [pitch, heading, roll] => [pitch, heading, roll].map(|angle| angle / STEPS),
        [a, b, c, d, e, f, g, h, i] => {
            angles([[a, b, c], [d, e, f], [g, h, i]].map(|row| row.map(|it| it / ONE)))?
        }
        _ => return None,
    };
    // Enough digits for the finest number that is stored.
    Some(degrees.map(|degrees| (degrees * 1e6).round() / 1e6 + 0.0))
}

/// The matrix of pitch, heading and roll: negated, the heading first, then the pitch, then the roll.
fn matrix(degrees: [f64; 3]) -> [[f64; 3]; 3] {
    let [(sb, cb), (sa, ca), (sg, cg)] = degrees.map(|degrees| (-degrees).to_radians().sin_cos());
    [
        [ca * cg + sa * sb * sg, sa * sb * cg - ca * sg, sa * cb],
        [cb * sg, cb * cg, -sb],
        [ca * sb * sg - sa * cg, sa * sg + ca * sb * cg, ca * cb],
    ]
}

/// The pitch, heading and roll of a matrix in degrees; `None` if it is not a rotation.
fn angles(matrix: [[f64; 3]; 3]) -> Option<[f64; 3]> {
    let [x, y, z] = matrix.map(glam::DVec3::from);
    let is_rotation =
        [x, y, z].iter().all(|row| (row.length() - 1.0).abs() < NEAR) && x.cross(y).distance(z) < NEAR;
    if !is_rotation {
        return None;
    }
    let pitch = (-y.z).clamp(-1.0, 1.0).asin();
    // Straight up or down, heading and roll turn around the same axis.
    let (heading, roll) = match y.x.hypot(y.y) > 1e-6 {
        true => (x.z.atan2(z.z), y.x.atan2(y.y)),
        false => ((-z.x).atan2(x.x), 0.0),
    };
    Some([pitch, heading, roll].map(|angle| -angle.to_degrees()))
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is meant")]
fn rounded(number: f64) -> i64 {
    number.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rotation::Orientation;

    #[test]
    fn degrees_turn_a_static_as_they_turn_a_placement() {
        for steps in [[0, 512, 0], [100, 700, -300], [512, 33, 0], [-256, 0, 1024], [0, 0, 5]] {
            let degrees = steps.map(|step: i32| f64::from(step) / STEPS);
            let (found, wanted) = (matrix(degrees), Orientation::of_actor(steps).0);
            for (found, wanted) in found.into_iter().flatten().zip(wanted.into_iter().flatten()) {
                assert!((found - f64::from(wanted)).abs() < 1e-5, "{steps:?}: {found} is not {wanted}");
            }
            let again = matrix(angles(found).unwrap());
            for (again, found) in again.into_iter().flatten().zip(found.into_iter().flatten()) {
                assert!((again - found).abs() < 1e-9, "{steps:?}");
            }
        }
        assert_eq!(angles([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), None);
        assert_eq!(angles([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), None, "mirrored");
    }
}
