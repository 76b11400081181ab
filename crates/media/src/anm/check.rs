//! Checks an animation for damage and inconsistencies.

use asset::Report;

use super::frames::bytes_of;
use super::layout::{Anm, Descriptor};
use super::warning;

pub(super) fn check(anm: &Anm, report: &mut Report) {
    check_pages(anm, report);
    if anm.header.frames_per_second == 0 {
        warn_zero_rate(report);
    }
    if anm.header.frames != anm.header.records {
        let message = format!("frames is {}, but records is {}", anm.header.frames, anm.header.records);
        report.warn(&warning::COUNT, message).in_field("header.frames");
    }
    if !anm.rest.is_empty() {
        let message = format!("{} unexpected bytes after the last page", anm.rest.len());
        report.warn(&warning::LEFT_OVER, message).in_field("rest");
    }
    let (mut first, mut last, mut number) = (None, Vec::new(), 0_usize);
    let played = anm.play(|record, indices, applied| {
        let field = format!("pages[{}].records[{}]", record.location.0, record.location.1);
        if applied.trailing > 0 {
            let message = format!("{} unexpected bytes after the end of the record", applied.trailing);
            report.warn(&warning::LEFT_OVER, message).in_field(field.as_str());
        }
        if applied.ambiguous_skips > 0 {
            let message = format!("frame {number} contains the operation 80 00 40, which is ignored");
            report.warn(&warning::AMBIGUOUS_SKIP, message).in_field(field);
        }
        first.get_or_insert_with(|| indices.to_vec());
        last.clear();
        last.extend_from_slice(indices);
        number = number.saturating_add(1);
    });
    match played {
        Err(error) | Ok(Some(error)) => drop(report.warn_error(&warning::DAMAGED, &error)),
        Ok(None) if anm.is_seamless_loop(first.as_deref().unwrap_or_default(), last) == Some(false) => {
            report.warn(&warning::LOOP, "the last record does not restore the first frame");
        }
        Ok(None) => {}
    }
}

fn check_pages(anm: &Anm, report: &mut Report) {
    let describe = |entry: Descriptor| {
        format!("first record {}, {} records, {} bytes", entry.first_record, entry.count(), entry.bytes)
    };
    for (number, page) in anm.pages.iter().enumerate() {
        let entry = anm.table.get(number).copied().unwrap_or_default();
        let field = format!("pages[{number}].descriptor");
        if entry != page.descriptor {
            let message =
                format!("the table has {}; the page has {}", describe(entry), describe(page.descriptor));
            report.warn(&warning::TABLE, message).in_field(field.as_str());
        }
        if bytes_of(page).ok() != Some(page.descriptor.bytes) {
            let message = format!("bytes is {}, which is not the size of the records", page.descriptor.bytes);
            report.warn(&warning::COUNT, message).in_field(field);
        }
    }
    let found: usize = anm.pages.iter().map(|page| page.records.len()).sum();
    if usize::try_from(anm.header.records) != Ok(found) {
        let message =
            format!("records is {}, but the {} pages have {found}", anm.header.records, anm.pages.len());
        report.warn(&warning::COUNT, message).in_field("header.records");
    }
}

pub(super) fn warn_zero_rate(report: &mut Report) {
    report.warn(&warning::SPEED, "frames_per_second is 0; using 10").in_field("header.frames_per_second");
}
