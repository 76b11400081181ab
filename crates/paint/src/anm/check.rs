//! Whether a film is sound.

use asset::Report;

use super::frames::bytes_of;
use super::layout::{Anm, Descriptor};
use super::warning;

pub(super) fn check(anm: &Anm, report: &mut Report) {
    check_pages(anm, report);
    if anm.header.frames_per_second == 0 {
        no_speed(report);
    }
    if anm.header.frames != anm.header.records {
        let message = format!("{} frames, but {} records", anm.header.frames, anm.header.records);
        report.warn(&warning::COUNT, message).in_field("header.frames");
    }
    if !anm.rest.is_empty() {
        let message = format!("{} bytes stand behind the last page", anm.rest.len());
        report.warn(&warning::LEFT_OVER, message).in_field("rest");
    }
    let (mut first, mut last, mut number) = (None, Vec::new(), 0_usize);
    let played = anm.play(|record, indices, applied| {
        let field = format!("pages[{}].records[{}]", record.place.0, record.place.1);
        if applied.left > 0 {
            let message = format!("{} bytes stand behind the end of the record", applied.left);
            report.warn(&warning::LEFT_OVER, message).in_field(field.as_str());
        }
        if applied.doubtful > 0 {
            let message = format!("frame {number} has 80 00 40, which is read as nothing");
            report.warn(&warning::DOUBTFUL, message).in_field(field);
        }
        first.get_or_insert_with(|| indices.to_vec());
        last.clear();
        last.extend_from_slice(indices);
        number = number.saturating_add(1);
    });
    match played {
        Err(error) | Ok(Some(error)) => drop(report.warn_error(&warning::DAMAGED, &error)),
        Ok(None) if anm.leads_back(first.as_deref().unwrap_or_default(), last) == Some(false) => {
            report.warn(&warning::LOOP, "the last record does not give the first frame");
        }
        Ok(None) => {}
    }
}

fn check_pages(anm: &Anm, report: &mut Report) {
    let said = |entry: Descriptor| {
        format!("first record {}, {} records, {} bytes", entry.first_record, entry.count(), entry.bytes)
    };
    for (number, page) in anm.pages.iter().enumerate() {
        let entry = anm.table.get(number).copied().unwrap_or_default();
        let field = format!("pages[{number}].descriptor");
        if entry != page.descriptor {
            let message = format!("the table has {}; the page has {}", said(entry), said(page.descriptor));
            report.warn(&warning::TABLE, message).in_field(field.as_str());
        }
        if bytes_of(page).ok() != Some(page.descriptor.bytes) {
            let message = format!("{} bytes are said, the records have others", page.descriptor.bytes);
            report.warn(&warning::COUNT, message).in_field(field);
        }
    }
    let found: usize = anm.pages.iter().map(|page| page.records.len()).sum();
    if usize::try_from(anm.header.records) != Ok(found) {
        let message =
            format!("{} pages have {found} records, the header says {}", anm.pages.len(), anm.header.records);
        report.warn(&warning::COUNT, message).in_field("header.records");
    }
}

pub(super) fn no_speed(report: &mut Report) {
    report.warn(&warning::SPEED, "0 frames a second: 10 are taken").in_field("header.frames_per_second");
}
