//! Checks a ROB file and its models.

use std::collections::BTreeMap;

use asset::{Context, Report, Severity};
use record::read_whole;

use super::external::ExternalModels;
use super::layout::{END, Payload, Rob, SEGMENT, Segment};
use super::warning;
use crate::model::{self, Model};

pub(super) fn check(rob: &Rob, context: &Context<'_>, report: &mut Report) {
    let sizes =
        rob.segments.iter().map(|segment| u64::from(segment.header.data_size).saturating_add(SEGMENT.into()));
    let size = sizes.fold(0, u64::saturating_add);
    if u64::from(rob.header.data.payload_size) != size {
        let message =
            format!("payload_size is {}, but the segments take {size} bytes", rob.header.data.payload_size);
        report.warn(&warning::SIZES, message).in_field("header.data.payload_size");
    }
    if &*rob.rest != END {
        let message =
            format!("expected \"END \" after the last segment, found {} other bytes", rob.rest.len());
        let warning = report.warn(&warning::END, message);
        if !rob.rest.is_empty() {
            warning.in_field("rest");
        }
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut externals = ExternalModels::new(context);
    let mut materials: Option<model::scene::Materials<'_>> = None;
    for (index, segment) in rob.segments.iter().enumerate() {
        let count = names.entry(segment.header.name.text().to_lowercase()).or_default();
        *count = count.saturating_add(1);
        let field = |name: &str| format!("segments[{index}].{name}");
        check_header(segment, &field, report);
        check_payload(segment, &field, report);
        if let Some(file) = segment.external()
            && let Err(reason) = externals.find(&file)
        {
            report.warn(&warning::EXTERNAL, reason).in_field(field("header.name"));
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
        materials.report_missing(&mut found);
        forward_warnings(&found, report);
    }
    for (name, count) in names.iter().filter(|(_, count)| **count > 1) {
        report.warn(&warning::SAME_NAME, format!("{count} segments are named {name:?}")).in_field("segments");
    }
}

/// Forwards warnings about textures and palettes with the codes of this format.
pub(super) fn forward_warnings(found: &Report, report: &mut Report) {
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
        let message = format!("total_size is {}, but the segment takes {size} bytes", header.total_size);
        report.warn(&warning::SIZES, message).in_field(field("header.total_size"));
    }
    if !matches!(header.kind, 0 | 256 | 512) {
        let message = format!("{name:?} has the unknown kind {}", header.kind);
        report.warn(&warning::KIND, message).in_field(field("header.kind"));
    }
    if header.kind == 512 && header.data_size > 0 {
        let message =
            format!("{name:?} refers to an external file, but also has {} bytes of data", header.data_size);
        report.warn(&warning::EXTERNAL_DATA, message).in_field(field("header.data_size"));
    }
    if name.is_empty() || name.chars().any(|letter| letter.is_control() || "/\\:".contains(letter)) {
        let message = format!("{name:?} is not a valid model name");
        report.warn(&warning::NAME, message).in_field(field("header.name"));
    }
    let halves: Vec<u32> = header
        .positive
        .iter()
        .zip(&header.negative)
        .map(|(positive, negative)| positive.wrapping_add(*negative))
        .collect();
    if halves != header.extent {
        let message = format!(
            "the bounding box of {name:?} has extent {:?}, but its halves add up to {halves:?}",
            header.extent
        );
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
                    Severity::Error => &warning::MODEL_DAMAGED,
                    Severity::Note => &warning::MODEL_NOTE,
                    _ => &warning::MODEL,
                };
                let field = field(&format!("payload.{}", warning.path));
                report.warn(code, format!("{name:?}: {}", warning.message)).in_field(field);
            }
        }
    }
}
