//! Replacing, adding or removing an entry of an archive is refused, or the archive can be read and has the expected number of entries. A
//! replaced entry is still readable if it was readable before.
//!
//! Parts: the index of the entry (one byte) with the name of the new file, the archive, and the new content.

use std::io::Cursor;

use antiquary::asset::archive::{Archive, Change, EditMode, EntryChangeKind};
use antiquary::scene::Compression;
use antiquary::{Format, Report, Source};

use crate::part::split;
use crate::subject::{formats, open, without_folder};

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
    // Replacing an unreadable entry need not make it readable.
    let was_readable = archive.open(number).is_ok();
    let mut written = Vec::new();
    let replaced = without_folder(format, |context| {
        archive.replace(context, number, name, content, &mut written, &mut Report::new())
    });
    if replaced.is_err() {
        return;
    }
    let written = Source::from(written);
    let again = (format.open)(&written, &mut Report::new()).expect("the written archive can be read");
    let again = format.archive_of(&*again).expect("the written file is an archive");
    assert_eq!(again.count(), count, "{}: the number of entries is wrong", format.id);
    if was_readable {
        again.open(number).expect("the replaced entry can be read");
    }
}

fn edit(format: &'static Format, archive: &dyn Archive, change: Change) {
    let mut written = Cursor::new(Vec::new());
    let done = without_folder(format, |context| {
        archive.edit(context, &[change], EditMode::Compact, &mut written, &mut Report::new())
    });
    let Ok(done) = done else { return };
    let count = |kind: EntryChangeKind| done.iter().filter(|change| change.what == kind).count();
    let written = Source::from(written.into_inner());
    let again = (format.open)(&written, &mut Report::new()).expect("the written archive can be read");
    let again = format.archive_of(&*again).expect("the written file is an archive");
    let expected = archive
        .count()
        .saturating_add(count(EntryChangeKind::Added))
        .saturating_sub(count(EntryChangeKind::Removed));
    assert_eq!(again.count(), expected, "{}: the number of entries is wrong", format.id);
}
