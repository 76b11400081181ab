//! The frames of a film: records in the order of their numbers, one after the other.

use std::borrow::Cow;
use std::collections::BTreeMap;

use record::{Bytes, Error, Result};

use super::delta::{Applied, apply, encode};
use super::layout::{Anm, CONTINUED, CONTINUES, Descriptor, HEAD, Header, MOST_PAGES, PAGE, Page};
use asset::FixedText;
use asset::picture::Budget;
use asset::picture::Colors;
use record::Raw;

/// A frame has no more pixels: a record can be empty, so the length of the file says nothing.
const MOST_PIXELS: usize = 1 << 24;

/// A page has no more records.
const MOST_RECORDS: u16 = 256;

/// A record, and where its bytes stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<'a> {
    /// Its page, and its place in the page.
    pub place: (usize, usize),
    /// Where it stands in the file.
    pub offset: u64,
    /// Its bytes; put together where it stands in two pages.
    pub bytes: Cow<'a, [u8]>,
}

impl Anm {
    /// A film of these frames, shown again and again.
    ///
    /// # Errors
    /// When there are no frames, they do not have this size, or one of them does not fit into a page.
    pub fn new(
        (width, height): (u16, u16),
        palette: Colors,
        frames: &[Vec<u8>],
        frames_per_second: u16,
    ) -> Result<Self> {
        let count = usize::from(width).saturating_mul(height.into());
        if frames.is_empty() || frames.iter().any(|frame| frame.len() != count) {
            return Err(Error::usage(format!("a film has frames, each of {width} x {height} pixels")));
        }
        let blank = vec![0; count];
        let before = std::iter::once(&blank).chain(frames);
        let mut records: Vec<Vec<u8>> =
            before.zip(frames).map(|(before, after)| encode(before, after)).collect();
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
        out.lay_out(records)?;
        Ok(out)
    }

    /// The records in the order of their numbers, from 0 on without a gap, and as many as the header says at most.
    #[must_use]
    pub fn records(&self) -> Vec<Placed<'_>> {
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
        without_gap.filter_map(|(_, (_, place))| self.placed(place)).collect()
    }

    fn placed(&self, place: (usize, usize)) -> Option<Placed<'_>> {
        let page = self.pages.get(place.0)?;
        let record = page.records.get(place.1)?;
        let start = u64::try_from(page.start_of(place.1)).unwrap_or(u64::MAX);
        let offset = self.page_at(place.0).saturating_add(start);
        let is_last = place.1.saturating_add(1) == page.records.len();
        let bytes = match self.continuation(page).filter(|_| is_last) {
            Some(more) => Cow::Owned([record.as_ref(), more].concat()),
            None => Cow::Borrowed(record.as_ref()),
        };
        Some(Placed { place, offset, bytes })
    }

    /// The rest of a page's last record, which stands in the page with the next numbers.
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

    /// Whether the last record leads back to the first frame and is not shown.
    #[must_use]
    pub fn has_loop(&self) -> bool {
        self.header.has_loop != 0
    }

    /// How many frames the header says are shown.
    #[must_use]
    pub fn shown(&self) -> usize {
        let records = usize::try_from(self.header.records).unwrap_or(usize::MAX);
        records.saturating_sub(usize::from(self.has_loop()))
    }

    /// Shows the frames one after the other, up to the first that is damaged; gives the error then. `each` gets a frame's record, its indices and
    /// what the record did.
    ///
    /// # Errors
    /// When the pixels are stored in a way that is not known, there are none, or there are too many.
    pub fn play(&self, mut each: impl FnMut(&Placed<'_>, &[u8], Applied)) -> Result<Option<Error>> {
        self.is_known()?;
        let count = usize::from(self.header.width).saturating_mul(self.header.height.into());
        if count == 0 {
            let message = format!("{} x {} pixels cannot be", self.header.width, self.header.height);
            return Err(Error::malformed(message).at(20).in_field("width").in_field("header"));
        }
        if count > MOST_PIXELS {
            let message = format!("frames of {count} pixels are more than the {MOST_PIXELS} that are read");
            return Err(Error::limit(message).at(20).in_field("width").in_field("header"));
        }
        if self.shown() == 0 {
            return Err(Error::malformed("there are no frames").at(8).in_field("records").in_field("header"));
        }
        let records = self.records();
        let shown = self.shown().min(records.len());
        let shown_count = u32::try_from(shown).unwrap_or(u32::MAX);
        Budget::default()
            .take(self.header.width.into(), self.header.height.into(), shown_count)
            .map_err(|error| error.at(20))?;
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
        let message = format!("there are {} records of {}", records.len(), self.header.records);
        Ok(Some(Error::malformed(message).at(8).in_field("records").in_field("header")))
    }

    /// The frames that are shown, up to the first that is damaged, each one index a pixel, rows from the top; then the error.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn frames(&self) -> Result<(Vec<Vec<u8>>, Option<Error>)> {
        let mut frames = Vec::new();
        let error = self.play(|_, indices, _| frames.push(indices.to_vec()))?;
        Ok((frames, error))
    }

    fn is_known(&self) -> Result<()> {
        let unknown = [
            (24, "variant", self.header.variant, 0),
            (28, "pixel_type", self.header.pixel_type, 0),
            (29, "compression", self.header.compression, 1),
        ];
        match unknown.into_iter().find(|(_, _, found, known)| found != known) {
            None => Ok(()),
            Some((at, field, found, known)) => {
                let message = format!("{found} is not known, only {known}");
                Err(Error::unsupported(message).at(at).in_field(field).in_field("header"))
            }
        }
    }

    /// Whether the record behind the last frame turns it into the first; `None` when there is no such record.
    #[must_use]
    pub fn leads_back(&self, first: &[u8], last: Vec<u8>) -> Option<bool> {
        let records = self.records();
        let record = records.get(self.shown()).filter(|_| self.has_loop())?;
        let mut indices = last;
        let done = apply(&record.bytes, &mut indices, record.offset);
        Some(done.is_ok() && indices == first)
    }

    /// Takes other pixels for some frames. Their records and those behind them are made anew, all others keep their bytes; pages keep their
    /// records where these fit.
    ///
    /// # Errors
    /// When a frame is not there, has another size, or does not fit into a page.
    pub fn set_frames(&mut self, changed: &BTreeMap<usize, Vec<u8>>) -> Result<()> {
        let (old, damaged) = self.frames()?;
        if let Some(error) = damaged {
            return Err(error);
        }
        let mut new = old;
        for (number, indices) in changed {
            let place = new.get_mut(*number).filter(|place| place.len() == indices.len());
            let missing = || Error::usage(format!("frame {number} is not there or has another size"));
            place.ok_or_else(missing)?.clone_from(indices);
        }
        let mut made = BTreeMap::new();
        let blank = vec![0; new.first().map_or(0, Vec::len)];
        let mut before = &blank;
        for (number, frame) in new.iter().enumerate() {
            let behind = number.checked_sub(1);
            if changed.contains_key(&number) || behind.is_some_and(|behind| changed.contains_key(&behind)) {
                made.insert(number, encode(before, frame));
            }
            before = frame;
        }
        let last = new.len().saturating_sub(1);
        if self.has_loop()
            && self.records().len() > new.len()
            && let Some(first) = new.first()
            && (changed.contains_key(&0) || changed.contains_key(&last))
        {
            made.insert(new.len(), encode(before, first));
        }
        self.put(made)
    }

    /// Puts records in the place of others.
    fn put(&mut self, made: BTreeMap<usize, Vec<u8>>) -> Result<()> {
        let placed = self.records();
        let places: Vec<(usize, usize)> = placed.iter().map(|record| record.place).collect();
        let all: Vec<Vec<u8>> = placed
            .iter()
            .enumerate()
            .map(|(number, record)| made.get(&number).cloned().unwrap_or_else(|| record.bytes.to_vec()))
            .collect();
        let is_split = self.pages.iter().any(|page| page.descriptor.records & (CONTINUED | CONTINUES) != 0);
        let mut pages = self.pages.clone();
        for (number, bytes) in made {
            let place = places.get(number).copied().unwrap_or_default();
            let record = pages.get_mut(place.0).and_then(|page| page.records.get_mut(place.1));
            if let Some(record) = record {
                *record = Bytes(bytes);
            }
        }
        let fits = pages.iter().all(|page| page.used() <= PAGE && is_short(page));
        if is_split || !fits {
            return self.lay_out(all);
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

    /// Puts all records into pages, in their order.
    fn lay_out(&mut self, records: Vec<Vec<u8>>) -> Result<()> {
        let mut pages: Vec<Page> = Vec::new();
        for (number, record) in records.into_iter().enumerate() {
            let first_record = u16::try_from(number)
                .map_err(|_| Error::usage(format!("{number} frames are more than a file can have")))?;
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
                return Err(Error::usage(format!(
                    "frame {number} takes more than the {PAGE} bytes of a page"
                )));
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
            return Err(Error::usage(format!(
                "the frames take {} pages, more than {MOST_PAGES}",
                pages.len()
            )));
        }
        self.header.pages = u16::try_from(pages.len()).unwrap_or_default();
        self.table = pages.iter().map(|page| page.descriptor).collect();
        (self.pages, self.rest) = (pages, Bytes::default());
        Ok(())
    }
}

/// Whether the number of bytes can be said.
fn is_short(page: &Page) -> bool {
    bytes_of(page).is_ok()
}

/// How many bytes the records of a page take.
pub(super) fn bytes_of(page: &Page) -> Result<u16> {
    let sum = page.records.iter().fold(page.continued.len(), |sum, record| sum.saturating_add(record.len()));
    u16::try_from(sum).map_err(|_| Error::usage(format!("the records of a page take {sum} bytes")))
}
