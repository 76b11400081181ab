//! Animation sets and their contents.

use record::Result;

use super::layout::{Animation, AnimationKeys, AnimationOptions, AnimationSet, KeyKind};
use super::model_reader::ModelReader;
use super::object::Object;
use super::value::Values;
use super::warning;

/// Reads an animation set.
pub(super) fn read_set(reader: &mut ModelReader<'_>, object: &Object) -> AnimationSet {
    let objects = reader.objects;
    let mut set = AnimationSet { name: objects.name(object), animations: Vec::new() };
    reader.check_end(object, Values::new(objects.content, object));
    for child in objects.within(object) {
        if objects.is(child, "Animation") {
            set.animations.extend(read(reader, child));
        } else {
            reader.skip(child);
        }
    }
    set
}

/// Reads the animation of a frame.
pub(super) fn read(reader: &mut ModelReader<'_>, object: &Object) -> Option<Animation> {
    let objects = reader.objects;
    let mut animation = Animation { name: objects.name(object), ..Animation::default() };
    reader.check_end(object, Values::new(objects.content, object));
    for child in objects.within(object) {
        let mut values = Values::new(objects.content, child);
        let result = if child.is_reference() {
            animation.frame = reader.frame_name(child);
            continue;
        } else if objects.is(child, "AnimationKey") {
            keys(reader, child, &mut values).map(|keys| animation.keys.extend(keys))
        } else if objects.is(child, "AnimationOptions") {
            options(&mut values).map(|options| animation.options = Some(options))
        } else {
            reader.skip(child);
            continue;
        };
        match result {
            Ok(()) => reader.check_end(child, values),
            Err(error) => reader.damaged(child, &error),
        }
    }
    Some(animation)
}

fn options(values: &mut Values<'_>) -> Result<AnimationOptions> {
    Ok(AnimationOptions {
        open_closed: values.integer("open_closed")?,
        position_quality: values.integer("position_quality")?,
    })
}

/// Reads keys of one kind. Keys with the wrong number of values for their kind are left out.
fn keys(
    reader: &mut ModelReader<'_>,
    object: &Object,
    values: &mut Values<'_>,
) -> Result<Option<AnimationKeys>> {
    let content = reader.objects.content;
    let number = values.integer("kind")?;
    let kind = KeyKind::of(number);
    let count = values.count("count", 2)?;
    let (mut times, mut numbers) = (Vec::new(), Vec::new());
    let mut other_width = 0_usize;
    for _ in 0..count {
        let time = values.integer("time")?.cast_signed();
        let width = values.count("values", 1)?;
        if kind.is_some_and(|kind| kind.width() == width) {
            times.push(time);
            for _ in 0..width {
                numbers.push(values.float("values")?);
            }
        } else {
            for _ in 0..width {
                values.float("values")?;
            }
            other_width = other_width.saturating_add(1);
        }
    }
    let Some(kind) = kind else {
        let message = format!("{count} keys of unknown type {number} are left out");
        let message = content.located(object.start, &message);
        reader.report.warn(&warning::KEYS, message).at(content.offset(object.start));
        return Ok(None);
    };
    if other_width > 0 {
        let message =
            format!("{other_width} keys without the {} values of their type are left out", kind.width());
        let message = content.located(object.start, &message);
        reader.report.warn(&warning::KEYS, message).at(content.offset(object.start));
    }
    Ok(Some(AnimationKeys { kind, times, values: numbers }))
}
