//! The frames of an animation, which result from applying records in the order of their numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use record::{Bytes, Error, Result};

use super::delta::{Applied, apply, encode};
use super::layout::{Anm, CONTINUED, CONTINUES, Descriptor, HEAD, Header, MOST_PAGES, PAGE, Page};
use crate::picture::Budget;
use crate::picture::Colors;
use asset::FixedText;
use record::Raw;

/// Maximum number of pixels of a frame. Records can be empty, so the file size does not limit it.
const MOST_PIXELS: usize = 1 << 24;

/// Maximum number of records of a page.
const MOST_RECORDS: u16 = 256;

/// A record and the location of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedRecord<'a> {
    /// The page, and the index in the page.
    pub location: (usize, usize),
    /// Offset in the file.
    pub offset: u64,
    /// Contents of the record; joined if it is split over two pages.
    pub bytes: Cow<'a, [u8]>,
}

impl Anm {
    /// Creates a looping animation from frames.
    ///
    /// # Errors
    /// When there are no frames, a frame does not have this size, or one does not fit into a page.
    pub fn new(
        (width, height): (u16, u16),
        palette: Colors,
        frames: &[Vec<u8>],
        frames_per_second: u16,
    ) -> Result<Self> {
        let count = usize::from(width).saturating_mul(height.into());
        if frames.is_empty() || frames.iter().any(|frame| frame.len() != count) {
            return Err(Error::usage(format!(
                "an animation needs at least one frame, and all frames must be {width} x {height} pixels"
            )));
        }
        let blank = vec![0; count];
        let previous = std::iter::once(&blank).chain(frames);
        let mut records: Vec<Vec<u8>> =
            previous.zip(frames).map(|(before, after)| encode(before, after)).collect();
        if let (Some(last), Some(first)) = (frames.last(), frames.first()) {
            records.push(encode(last, first));
        }
        let number = u32::try_from(records.len()).unwrap_or(u32::MAX);
        let header = Header {
            most_pages: u16::try_from(MOST_PAGES).unwrap_or_default(),
            pages: 0,
            records: number,
            most_records: MOST_RECORDS,
            table_at: HEAD,
            content: FixedText(*b"ANIM"),
            width,
            height,
            variant: 0,
            version: 0,
            has_loop: 1,
            loop_is_valid: 1,
            pixel_type: 0,
            compression: 1,
            other_records: 0,
            bitmap_type: 1,
            record_types: Raw::default(),
            frames: number,
            frames_per_second,
            unknown_0x46: Raw::default(),
        };
        let mut out = Self {
            header,
            cycles: Default::default(),
            palette,
            palette_rest: Bytes::default(),
            gap: Bytes::default(),
            table: Vec::new(),
            pages: Vec::new(),
            rest: Bytes::default(),
        };
        out.distribute(records)?;
        Ok(out)
    }

    /// Returns the records in the order of their numbers, from 0 up to the first gap, but at most the number of records in the
    /// header.
    #[must_use]
    pub fn records(&self) -> Vec<LocatedRecord<'_>> {
        let mut by_number = BTreeMap::new();
        for (page_number, page) in self.pages.iter().enumerate() {
            let first = usize::from(page.descriptor.first_record);
            for index in 0..page.records.len() {
                by_number.entry(first.saturating_add(index)).or_insert((page_number, index));
            }
        }
        let most = usize::try_from(self.header.records).unwrap_or(usize::MAX);
        let in_order = by_number.into_iter().enumerate().take(most);
        let without_gap = in_order.take_while(|(expected, (number, _))| expected == number);
        without_gap.filter_map(|(_, (_, location))| self.located(location)).collect()
    }

    fn located(&self, location: (usize, usize)) -> Option<LocatedRecord<'_>> {
        let page = self.pages.get(location.0)?;
        let record = page.records.get(location.1)?;
        let start = u64::try_from(page.start_of(location.1)).unwrap_or(u64::MAX);
        let offset = self.page_at(location.0).saturating_add(start);
        let is_last = location.1.saturating_add(1) == page.records.len();
        let bytes = match self.continuation(page).filter(|_| is_last) {
            Some(more) => Cow::Owned([record.as_ref(), more].concat()),
            None => Cow::Borrowed(record.as_ref()),
        };
        Some(LocatedRecord { location, offset, bytes })
    }

    /// Returns the rest of a page's last record, which is in the page with the following record numbers.
    fn continuation(&self, page: &Page) -> Option<&[u8]> {
        if page.descriptor.records & CONTINUES == 0 {
            return None;
        }
        let next = page.descriptor.first_record.checked_add(page.descriptor.count())?;
        let next = self
            .pages
            .iter()
            .find(|page| page.descriptor.first_record == next && page.descriptor.records & CONTINUED != 0)?;
        Some(&next.continued)
    }

    /// Whether the last record restores the first frame and is not displayed.
    #[must_use]
    pub fn has_loop(&self) -> bool {
        self.header.has_loop != 0
    }

    /// The number of displayed frames according to the header.
    #[must_use]
    pub fn shown(&self) -> usize {
        let records = usize::try_from(self.header.records).unwrap_or(usize::MAX);
        records.saturating_sub(usize::from(self.has_loop()))
    }

    /// Decodes the frames in order, up to the first damaged one, whose error is returned. `each` receives a frame's record, its
    /// indices and the findings of [`apply`].
    ///
    /// # Errors
    /// When the pixel format is unknown, or there are no pixels or too many.
    pub fn play(&self, mut each: impl FnMut(&LocatedRecord<'_>, &[u8], Applied)) -> Result<Option<Error>> {
        self.check_supported()?;
        let count = usize::from(self.header.width).saturating_mul(self.header.height.into());
        if count == 0 {
            let message = format!("{} x {} is not a valid size", self.header.width, self.header.height);
            return Err(Error::malformed(message).in_field("width").in_field("header"));
        }
        if count > MOST_PIXELS {
            let message = format!("a frame has {count} pixels (limit: {MOST_PIXELS})");
            return Err(Error::limit(message).in_field("width").in_field("header"));
        }
        if self.shown() == 0 {
            return Err(Error::malformed("there are no frames").in_field("records").in_field("header"));
        }
        let records = self.records();
        let shown = self.shown().min(records.len());
        let shown_count = u32::try_from(shown).unwrap_or(u32::MAX);
        Budget::default()
            .take(self.header.width.into(), self.header.height.into(), shown_count)
            .map_err(|error| error.in_field("width").in_field("header"))?;
        let mut indices = vec![0; count];
        for (number, record) in records.iter().take(shown).enumerate() {
            match apply(&record.bytes, &mut indices, record.offset) {
                Ok(applied) => each(record, &indices, applied),
                Err(error) => return Ok(Some(error.in_item(number).in_field("records"))),
            }
        }
        if shown == self.shown() {
            return Ok(None);
        }
        let message = format!("records is {}, but only {} were found", self.header.records, records.len());
        Ok(Some(Error::malformed(message).in_field("records").in_field("header")))
    }

    /// Returns the displayed frames up to the first damaged one, and its error. A frame has one index per pixel, with rows from
    /// the top.
    ///
    /// # Errors
    /// The same as [`play`](Self::play).
    pub fn frames(&self) -> Result<(Vec<Vec<u8>>, Option<Error>)> {
        let mut frames = Vec::new();
        let error = self.play(|_, indices, _| frames.push(indices.to_vec()))?;
        Ok((frames, error))
    }

    fn check_supported(&self) -> Result<()> {
        let unknown = [
            (24, "variant", self.header.variant, 0),
            (28, "pixel_type", self.header.pixel_type, 0),
            (29, "compression", self.header.compression, 1),
        ];
        match unknown.into_iter().find(|(_, _, found, known)| found != known) {
            None => Ok(()),
            Some((at, field, found, known)) => {
                let message = format!("unknown {field} {found} (known: {known})");
                Err(Error::unsupported(message).at(at).in_field(field).in_field("header"))
            }
        }
    }

    /// Whether the record after the last frame restores the first frame; `None` if there is no such record.
    #[must_use]
    pub fn is_seamless_loop(&self, first: &[u8], last: Vec<u8>) -> Option<bool> {
        let records = self.records();
        let record = records.get(self.shown()).filter(|_| self.has_loop())?;
        let mut indices = last;
        let done = apply(&record.bytes, &mut indices, record.offset);
        Some(done.is_ok() && indices == first)
    }

    /// Replaces the pixels of some frames. Their records and the following ones are encoded again, all others are unchanged.
    /// Records stay in their pages if they fit.
    ///
    /// # Errors
    /// When a frame does not exist, has another size, or does not fit into a page.
    pub fn set_frames(&mut self, changed: &BTreeMap<usize, Vec<u8>>) -> Result<()> {
        let (old, damaged) = self.frames()?;
        if let Some(error) = damaged {
            return Err(error);
        }
        let mut new = old;
        for (number, indices) in changed {
            let frame = new.get_mut(*number).filter(|frame| frame.len() == indices.len());
            let missing = || Error::usage(format!("frame {number} does not exist or has another size"));
            frame.ok_or_else(missing)?.clone_from(indices);
        }
        let mut encoded = BTreeMap::new();
        let blank = vec![0; new.first().map_or(0, Vec::len)];
        let mut before = &blank;
        for (number, frame) in new.iter().enumerate() {
            let previous = number.checked_sub(1);
            if changed.contains_key(&number)
                || previous.is_some_and(|previous| changed.contains_key(&previous))
            {
                encoded.insert(number, encode(before, frame));
            }
            before = frame;
        }
        let last = new.len().saturating_sub(1);
        if self.has_loop()
            && self.records().len() > new.len()
            && let Some(first) = new.first()
            && (changed.contains_key(&0) || changed.contains_key(&last))
        {
            encoded.insert(new.len(), encode(before, first));
        }
        self.replace_records(encoded)
    }

    /// Replaces records, rearranging the pages when the new ones do not fit.
    fn replace_records(&mut self, encoded: BTreeMap<usize, Vec<u8>>) -> Result<()> {
        let located = self.records();
        let locations: Vec<(usize, usize)> = located.iter().map(|record| record.location).collect();
        let all: Vec<Vec<u8>> = located
            .iter()
            .enumerate()
            .map(|(number, record)| encoded.get(&number).cloned().unwrap_or_else(|| record.bytes.to_vec()))
            .collect();
        let is_split = self.pages.iter().any(|page| page.descriptor.records & (CONTINUED | CONTINUES) != 0);
        let mut pages = self.pages.clone();
        for (number, bytes) in encoded {
            let (page, index) = locations.get(number).copied().unwrap_or_default();
            let record = pages.get_mut(page).and_then(|page| page.records.get_mut(index));
            if let Some(record) = record {
                *record = Bytes(bytes);
            }
        }
        let fits = pages.iter().all(|page| page.used() <= PAGE && has_valid_size(page));
        if is_split || !fits {
            return self.distribute(all);
        }
        let count = pages.len();
        for (number, (page, old)) in pages.iter_mut().zip(&self.pages).enumerate() {
            if page == old {
                continue;
            }
            page.descriptor.bytes = bytes_of(page)?;
            let is_last = number.saturating_add(1) == count && self.rest.is_empty();
            if !is_last || old.used().saturating_add(old.rest.len()) == PAGE {
                page.rest.0.resize(PAGE.saturating_sub(page.used()), 0);
            }
            if let Some(entry) = self.table.get_mut(number) {
                *entry = page.descriptor;
            }
        }
        self.pages = pages;
        Ok(())
    }

    /// Distributes all records over pages, in order.
    fn distribute(&mut self, records: Vec<Vec<u8>>) -> Result<()> {
        let mut pages: Vec<Page> = Vec::new();
        for (number, record) in records.into_iter().enumerate() {
            let first_record = u16::try_from(number).map_err(|_| {
                Error::usage(format!("frame {number} exceeds the most records a file can have (65536)"))
            })?;
            let record = Bytes(record);
            let has_room = |page: &&mut Page| {
                let used = page.used().saturating_add(record.len()).saturating_add(2);
                used <= PAGE && page.records.len() < MOST_RECORDS.into()
            };
            if let Some(page) = pages.last_mut().filter(has_room) {
                page.records.push(record);
                continue;
            }
            let descriptor = Descriptor { first_record, ..Descriptor::default() };
            let page = Page {
                descriptor,
                continued: Bytes::default(),
                records: vec![record],
                rest: Bytes::default(),
            };
            if page.used() > PAGE {
                return Err(Error::usage(format!("frame {number} does not fit into a page of {PAGE} bytes")));
            }
            if let Some(before) = pages.last_mut() {
                before.rest.0.resize(PAGE.saturating_sub(before.used()), 0);
            }
            pages.push(page);
        }
        for page in &mut pages {
            page.descriptor.records = u16::try_from(page.records.len()).unwrap_or(MOST_RECORDS);
            page.descriptor.bytes = bytes_of(page)?;
        }
        if pages.len() > MOST_PAGES {
            return Err(Error::usage(format!("the frames need {} pages (limit: {MOST_PAGES})", pages.len())));
        }
        self.header.pages = u16::try_from(pages.len()).unwrap_or_default();
        self.table = pages.iter().map(|page| page.descriptor).collect();
        (self.pages, self.rest) = (pages, Bytes::default());
        Ok(())
    }
}

/// Whether the size of the records fits its field.
fn has_valid_size(page: &Page) -> bool {
    bytes_of(page).is_ok()
}

/// The size of a page's records in bytes.
pub(super) fn bytes_of(page: &Page) -> Result<u16> {
    let sum = page.records.iter().fold(page.continued.len(), |sum, record| sum.saturating_add(record.len()));
    u16::try_from(sum)
        .map_err(|_| Error::usage(format!("the records of a page take {sum} bytes (limit: 65535)")))
}
