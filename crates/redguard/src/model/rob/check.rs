//! What is amiss with a ROB file and the models in it.

use std::collections::BTreeMap;

use asset::{Context, Report, Severity};
use record::read_whole;

use super::layout::{END, Payload, Rob, SEGMENT, Segment};
use super::scene::Externals;
use super::warning;
use crate::model::{self, Model};

pub(super) fn check(rob: &Rob, context: &Context<'_>, report: &mut Report) {
    let sizes =
        rob.segments.iter().map(|segment| u64::from(segment.header.data_size).saturating_add(SEGMENT.into()));
    let size = sizes.fold(0, u64::saturating_add);
    if u64::from(rob.header.data.payload_size) != size {
        let message = format!("payload_size is {}, the segments take {size}", rob.header.data.payload_size);
        report.warn(&warning::SIZES, message).in_field("header.data.payload_size");
    }
    if &*rob.rest != END {
        let message = format!("{} bytes stand behind the last segment instead of END", rob.rest.len());
        let noted = report.warn(&warning::END, message);
        if !rob.rest.is_empty() {
            noted.in_field("rest");
        }
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut externals = Externals::new(context);
    let mut materials: Option<model::scene::Materials<'_>> = None;
    for (index, segment) in rob.segments.iter().enumerate() {
        let count = names.entry(segment.header.name.text().to_lowercase()).or_default();
        *count = count.saturating_add(1);
        let field = |name: &str| format!("segments[{index}].{name}");
        check_header(segment, &field, report);
        check_payload(segment, &field, report);
        if let Some(file) = segment.external()
            && let Err(why) = externals.find(&file)
        {
            report.warn(&warning::EXTERNAL, why).in_field(field("header.name"));
        }
        if let Payload::Model(model) = &segment.payload {
            if materials.is_none() {
                materials = model::scene::Materials::new(context, model.version()).ok();
            }
            if let Some(materials) = &mut materials {
                materials.find_all(model);
            }
        }
    }
    if let Some(materials) = materials {
        let mut found = Report::new();
        materials.tell_missing(&mut found);
        pass_on(&found, report);
    }
    for (name, count) in names.iter().filter(|(_, count)| **count > 1) {
        report
            .warn(&warning::SAME_NAME, format!("{count} segments are called {name:?}"))
            .in_field("segments");
    }
}

/// What was found of textures and palettes, in the words of this format.
pub(super) fn pass_on(found: &Report, report: &mut Report) {
    for warning in found {
        let code = match warning.code.severity {
            Severity::Note => &warning::PALETTE,
            _ => &warning::TEXTURES,
        };
        report.warn(code, warning.message.as_str());
    }
}

fn check_header(segment: &Segment, field: &dyn Fn(&str) -> String, report: &mut Report) {
    let header = &segment.header;
    let name = header.name.text();
    let size = u64::from(header.data_size).saturating_add(SEGMENT.into());
    if u64::from(header.total_size) != size {
        let message = format!("total_size is {}, the segment takes {size}", header.total_size);
        report.warn(&warning::SIZES, message).in_field(field("header.total_size"));
    }
    if !matches!(header.kind, 0 | 256 | 512) {
        let message = format!("the kind {} of {name:?} is not known", header.kind);
        report.warn(&warning::KIND, message).in_field(field("header.kind"));
    }
    if header.kind == 512 && header.data_size > 0 {
        let message = format!("{name:?} names a file and has {} bytes", header.data_size);
        report.warn(&warning::EXTERNAL_DATA, message).in_field(field("header.data_size"));
    }
    if name.is_empty() || name.chars().any(|letter| letter.is_control() || "/\\:".contains(letter)) {
        let message = format!("the name {name:?} is no name of a model");
        report.warn(&warning::NAME, message).in_field(field("header.name"));
    }
    let halves: Vec<u32> = header
        .positive
        .iter()
        .zip(&header.negative)
        .map(|(positive, negative)| positive.wrapping_add(*negative))
        .collect();
    if halves != header.extent {
        let message = format!("the box of {name:?} is {:?} long, its halves {halves:?}", header.extent);
        report.warn(&warning::BOX, message).in_field(field("header.extent"));
    }
}

fn check_payload(segment: &Segment, field: &dyn Fn(&str) -> String, report: &mut Report) {
    let name = segment.header.name;
    match &segment.payload {
        Payload::Empty => {}
        Payload::Unread(bytes) => {
            if let Err(error) = read_whole::<Model>(bytes, ()) {
                let message = format!("the model of {name:?} cannot be read: {}", error.message());
                report.warn(&warning::UNREAD, message).in_field(field("payload"));
            }
        }
        Payload::Model(model) => {
            let mut found = Report::new();
            model::check::check_parts(model, &mut found);
            for warning in &found {
                let code = match warning.code.severity {
                    Severity::Error => &warning::MODEL_BAD,
                    Severity::Note => &warning::MODEL_NOTE,
                    _ => &warning::MODEL,
                };
                let field = field(&format!("payload.{}", warning.path));
                report.warn(code, format!("{name:?}: {}", warning.message)).in_field(field);
            }
        }
    }
}
