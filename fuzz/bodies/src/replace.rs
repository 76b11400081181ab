//! An archive with other content for one of its entries can be read and has as many entries, and an entry that could be read still can; or
//! the content is refused. So can one to which a file is added, or from which an entry is removed.
//!
//! Parts: the number of the entry (one byte) and what the file with the content is called, the archive, the content.

use std::io::Cursor;

use antiquary::asset::archive::{Archive, Change, Compression, EditMode, EntryFate};
use antiquary::{Format, Report, Source};

use crate::part::split;
use crate::subject::{formats, nowhere, open};

pub(crate) fn run(input: &[u8]) {
    let mut parts = split(input);
    let (head, archive, content) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let Some((number, name)) = head.split_first() else { return };
    let (archive, content) = (Source::from(archive.to_vec()), Source::from(content.to_vec()));
    for format in formats() {
        replace(format, &archive, (*number).into(), &String::from_utf8_lossy(name), &content);
    }
}

fn replace(format: &'static Format, source: &Source, number: usize, name: &str, content: &Source) {
    let Some(asset) = open(format, source) else { return };
    let Some(archive) = format.archive_of(&*asset) else { return };
    let put = Change::Put { name: name.to_owned(), content: content.clone(), compression: Compression::Fast };
    edit(format, archive, put);
    edit(format, archive, Change::Remove(number));
    let count = archive.count();
    let Some(number) = number.checked_rem(count) else { return };
    // An entry that cannot be read may have other content, and still not be readable.
    let was_readable = archive.open(number).is_ok();
    let mut written = Vec::new();
    let replaced = nowhere(format, |context| {
        archive.replace(context, number, name, content, &mut written, &mut Report::new())
    });
    if replaced.is_err() {
        return;
    }
    let written = Source::from(written);
    let again = (format.open)(&written, &mut Report::new()).expect("what was written can be read");
    let again = format.archive_of(&*again).expect("it is an archive as before");
    assert_eq!(again.count(), count, "{}: another number of entries", format.id);
    if was_readable {
        again.open(number).expect("the entry that was replaced can be read");
    }
}

fn edit(format: &'static Format, archive: &dyn Archive, change: Change) {
    let mut written = Cursor::new(Vec::new());
    let done = nowhere(format, |context| {
        archive.edit(context, &[change], EditMode::Compact, &mut written, &mut Report::new())
    });
    let Ok(done) = done else { return };
    let count = |fate: EntryFate| done.iter().filter(|change| change.what == fate).count();
    let written = Source::from(written.into_inner());
    let again = (format.open)(&written, &mut Report::new()).expect("what was written can be read");
    let again = format.archive_of(&*again).expect("it is an archive as before");
    let expected =
        archive.count().saturating_add(count(EntryFate::Added)).saturating_sub(count(EntryFate::Removed));
    assert_eq!(again.count(), expected, "{}: another number of entries", format.id);
}
