//! Checks a bank and the names of its images.

use std::collections::BTreeMap;

use asset::{Context, Report};

use super::image::LocatedImage;
use super::layout::{Bank, Entry};
use super::name::{ImageKey, bank_of_file};
use super::warning;

pub(super) fn check(bank: &Bank, context: &Context<'_>, report: &mut Report) {
    let number = context.location.as_ref().and_then(|location| bank_of_file(location.path().name()));
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for (index, (base, entry)) in bank.located().enumerate() {
        let count = names.entry(entry.name.text().to_uppercase()).or_default();
        *count = count.saturating_add(1);
        check_name(entry, number, index, report);
        let field = format!("entries[{index}].image");
        LocatedImage { image: &entry.image, base, field, codes: &warning::IMAGE }.check(report);
        if !entry.rest.is_empty() {
            let message = format!("{} unexpected bytes after the end of the image", entry.rest.len());
            report.warn(&warning::REST, message).in_field(format!("entries[{index}].rest"));
        }
    }
    for (name, count) in names.iter().filter(|(_, count)| **count > 1) {
        report.warn(&warning::SAME_NAME, format!("{count} images are named {name:?}")).in_field("entries");
    }
    if !bank.rest.is_empty() {
        let message = format!("{} unexpected bytes after the end of the bank", bank.rest.len());
        report.warn(&warning::REST, message).in_field("rest");
    }
}

fn check_name(entry: &Entry, number: Option<u16>, index: usize, report: &mut Report) {
    let field = format!("entries[{index}].name");
    match (ImageKey::of_name(&entry.name), number) {
        (None, _) => {
            let message = format!("{:?} is not a letter and five digits", entry.name);
            report.warn(&warning::NAME, message).in_field(field);
        }
        (Some(key), Some(number)) if key.bank != number => {
            let message =
                format!("{:?} belongs to TEXBSI.{:03}, but this is TEXBSI.{number:03}", entry.name, key.bank);
            report.warn(&warning::OTHER_BANK, message).in_field(field);
        }
        (Some(_), _) => {}
    }
}
