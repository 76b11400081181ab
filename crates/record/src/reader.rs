//! Reading of records from a slice, with bounds checks.

use std::fmt;

use crate::error::{Segment, push_segment};
use crate::number::{Count, Flat};
use crate::order::Order;
use crate::source::length_of;
use crate::{Error, FieldDoc, Record, Result, Span, Visit, Visitor};

/// Maximum nesting depth of recursive records.
const MAX_DEPTH: usize = 64;

/// A position in the bytes of a file, with an end that limits reading.
///
/// Offsets are counted from the start of the file, even while only a part of it is being read.
pub struct Reader<'a> {
    /// The entire file.
    file: &'a [u8],
    position: usize,
    /// End of the readable bytes: the end of the file or of the part being read.
    end: usize,
    order: Order,
    depth: usize,
    trace: Option<Trace<'a>>,
    /// Whether the visitor has stopped a trace that is run for its spans alone, so that reading can end.
    is_stopped: bool,
}

struct Trace<'a> {
    visitor: &'a mut dyn Visitor,
    path: String,
    /// Whether reading ends when the visitor stops.
    stops_reading: bool,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the start of a file.
    #[must_use]
    pub fn new(file: &'a [u8]) -> Self {
        Self {
            file,
            position: 0,
            end: file.len(),
            order: Order::Little,
            depth: 0,
            trace: None,
            is_stopped: false,
        }
    }

    /// Creates a reader that reports every field to a visitor. Slower; used for hex views.
    #[must_use]
    pub fn tracing(file: &'a [u8], visitor: &'a mut dyn Visitor) -> Self {
        let trace = Some(Trace { visitor, path: String::new(), stops_reading: false });
        Self { trace, ..Self::new(file) }
    }

    /// The offset of the next byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        u64::try_from(self.position).unwrap_or(u64::MAX)
    }

    /// Number of remaining bytes.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.end.saturating_sub(self.position)
    }

    /// Whether every byte has been read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.remaining() == 0
    }

    /// The current byte order.
    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    /// The remaining bytes. Does not move the reader.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.file.get(self.position..self.end).unwrap_or_default()
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// If fewer bytes are left. The reader is not moved in this case.
    #[inline]
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.position.checked_add(count) {
            Some(to) if to <= self.end => {
                let bytes = self.file.get(self.position..to).unwrap_or_default();
                self.position = to;
                Ok(bytes)
            }
            _ => Err(self.cut(count)),
        }
    }

    #[cold]
    fn cut(&self, count: usize) -> Error {
        let left = self.remaining();
        let message = match left {
            0 => format!("expected {count} bytes, found end of data"),
            _ => format!("expected {count} bytes, but only {left} are left"),
        };
        Error::malformed(message).at(self.offset())
    }

    /// Takes all remaining bytes as one field.
    pub fn take_rest(&mut self) -> &'a [u8] {
        let start = self.offset();
        let rest = self.rest();
        self.position = self.end;
        if !rest.is_empty() {
            self.leaf(start, &crate::bytes::Preview(rest));
        }
        rest
    }

    /// Reads the field `name`, which is added to the paths of errors and spans.
    ///
    /// # Errors
    /// Those of `read`.
    #[inline]
    pub fn field<T>(&mut self, name: &'static str, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.trace.is_some() {
            return self
                .traced(&Segment::Field(name.into()), None, read)
                .map_err(|error| error.in_field(name));
        }
        read(self).map_err(|error| error.in_field(name))
    }

    /// Reads a field with a declaration that is passed to [`Visitor::describe`].
    #[doc(hidden)]
    #[inline]
    pub fn documented<T>(
        &mut self,
        name: &'static str,
        doc: &'static FieldDoc,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if self.trace.is_some() {
            return self
                .traced(&Segment::Field(name.into()), Some(doc), read)
                .map_err(|error| error.in_field(name));
        }
        read(self).map_err(|error| error.in_field(name))
    }

    /// Reads the item `index` of a list. The index is added to the paths of errors and spans.
    ///
    /// # Errors
    /// Those of `read`.
    #[inline]
    pub fn item<T>(&mut self, index: usize, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.trace.is_some() {
            return self.traced(&Segment::Index(index), None, read).map_err(|error| error.in_item(index));
        }
        read(self).map_err(|error| error.in_item(index))
    }

    fn traced<T>(
        &mut self,
        segment: &Segment,
        doc: Option<&'static FieldDoc>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let Some(trace) = &mut self.trace else { return read(self) };
        let length = trace.path.len();
        push_segment(&mut trace.path, segment);
        if let Some(doc) = doc {
            trace.visitor.describe(&trace.path, doc);
        }
        let suspended = if trace.visitor.enters(&trace.path) { None } else { self.trace.take() };
        let result = read(self);
        self.trace = suspended.or_else(|| self.trace.take());
        if let Some(trace) = &mut self.trace {
            trace.path.truncate(length);
        }
        if self.is_stopped { Err(Error::usage("stopped by the visitor")) } else { result }
    }

    /// Reads `count` consecutive items. Memory grows with the number of items read, not with the count.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn items<T>(&mut self, count: usize, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        /// Maximum initial allocation in bytes.
        const MAX_INITIAL_BYTES: usize = 1 << 16;
        let first = MAX_INITIAL_BYTES.checked_div(size_of::<T>()).unwrap_or(MAX_INITIAL_BYTES).max(1);
        let mut items = Vec::with_capacity(count.min(first));
        for index in 0..count {
            items.push(self.item(index, &mut read)?);
        }
        Ok(items)
    }

    /// Checks that the remaining bytes can hold `count` items of at least `size` bytes. `start` is the offset of the field.
    ///
    /// # Errors
    /// [`Kind::Malformed`](crate::Kind::Malformed) at `start` if they cannot.
    #[inline]
    pub fn check_count<C: Count>(&self, count: C, size: usize, start: u64) -> Result<usize> {
        match count.to_usize() {
            Some(number) if number <= self.remaining().checked_div(size).unwrap_or(self.remaining()) => {
                Ok(number)
            }
            number => Err(self.invalid_count(&count, size, start, number.is_none())),
        }
    }

    #[cold]
    fn invalid_count(&self, count: &dyn fmt::Display, size: usize, start: u64, negative: bool) -> Error {
        let left = self.remaining();
        let message = match (negative, size) {
            (true, _) => format!("{count} is not a valid count"),
            (false, 1) => format!("expected {count} bytes, but only {left} are left"),
            (false, _) => {
                format!(
                    "expected {count} items of at least {size} bytes each, but only {left} bytes are left"
                )
            }
        };
        Error::malformed(message).at(start)
    }

    /// Reads a count of type `C`, then that many records.
    ///
    /// # Errors
    /// If the count is too large for the remaining bytes, and those of the records.
    #[inline]
    pub fn counted<C: Count, T: Record>(&mut self, context: T::Context) -> Result<Vec<T>> {
        let start = self.offset();
        let count = self.read_count::<C>()?;
        let count = self.check_count(count, T::min_size(context).max(1), start)?;
        T::read_list(self, count, context)
    }

    /// Reads the count before a list. Its span has the name `count`.
    ///
    /// # Errors
    /// If the data ends.
    #[inline]
    pub fn read_count<C: Count>(&mut self) -> Result<C> {
        if self.trace.is_some() {
            return self.traced(&Segment::Field("count".into()), None, |reader| C::read(reader, ()));
        }
        C::read(self, ())
    }

    /// Reads a list whose count is stored elsewhere.
    ///
    /// # Errors
    /// If the count is too large for the remaining bytes, and those of the records.
    #[inline]
    pub fn list<C: Count, T: Record>(&mut self, count: C, context: T::Context) -> Result<Vec<T>> {
        let count = self.check_count(count, T::min_size(context).max(1), self.offset())?;
        T::read_list(self, count, context)
    }

    /// Reads a block of flat records.
    #[doc(hidden)]
    pub fn flat_list<T: Flat + Record<Context = ()>>(&mut self, count: usize) -> Result<Vec<T>> {
        if self.trace.is_some() {
            return self.items(count, |reader| T::read(reader, ()));
        }
        let size = count.checked_mul(T::SIZE).ok_or_else(|| self.cut(usize::MAX))?;
        let bytes = self.take(size)?;
        Ok(match self.order {
            Order::Little => T::decode_list::<false>(bytes),
            Order::Big => T::decode_list::<true>(bytes),
        })
    }

    /// Reads an array of flat records.
    #[doc(hidden)]
    #[inline]
    pub fn flat_array<T: Flat + Record<Context = ()>, const N: usize>(&mut self) -> Result<[T; N]> {
        let start = self.position;
        let bytes = self.take(<[T; N]>::SIZE)?;
        if self.trace.is_some() {
            self.position = start;
            for index in 0..N {
                self.item(index, |reader| T::read(reader, ()))?;
            }
        }
        Ok(match self.order {
            Order::Little => <[T; N]>::decode::<false>(bytes),
            Order::Big => <[T; N]>::decode::<true>(bytes),
        })
    }

    /// Takes `count` times `size` bytes at once. Returns them with the current byte order, or `None` if the reader is tracing or if too few
    /// bytes are left. The fields are then read one by one, so that an error names the field.
    #[doc(hidden)]
    #[inline]
    pub fn block(&mut self, count: usize, size: usize) -> Option<(Order, &'a [u8])> {
        let size =
            count.checked_mul(size).filter(|size| self.trace.is_none() && *size <= self.remaining())?;
        Some((self.order, self.take(size).ok()?))
    }

    /// Reads one flat record.
    #[doc(hidden)]
    #[inline]
    pub fn flat<T: Flat>(&mut self) -> Result<T> {
        let bytes = self.take(T::SIZE)?;
        Ok(match self.order {
            Order::Little => T::decode::<false>(bytes),
            Order::Big => T::decode::<true>(bytes),
        })
    }

    /// Reads without reporting to the visitor. Used for values that are reported as a single span with [`leaf`](Self::leaf).
    ///
    /// # Errors
    /// Those of `read`.
    #[inline]
    pub fn untraced<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let trace = self.trace.take();
        let result = read(self);
        self.trace = trace;
        result
    }

    /// Whether fields are reported to a visitor.
    #[must_use]
    #[inline]
    pub fn is_tracing(&self) -> bool {
        self.trace.is_some()
    }

    /// Reports a field that starts at `start` and ends at the current position.
    #[inline]
    pub fn leaf(&mut self, start: u64, value: &dyn fmt::Display) {
        if self.trace.is_some() {
            self.report(start, value);
        }
    }

    #[cold]
    fn report(&mut self, start: u64, value: &dyn fmt::Display) {
        let end = self.offset();
        let Some(trace) = &mut self.trace else { return };
        if trace.visitor.span(Span { start, end, path: &trace.path, value }) == Visit::Stop {
            self.is_stopped = trace.stops_reading;
            self.trace = None;
        }
    }

    /// Reads with another byte order, then restores the previous one.
    ///
    /// # Errors
    /// Those of `read`.
    #[inline]
    pub fn with_order<T>(&mut self, order: Order, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = std::mem::replace(&mut self.order, order);
        let result = read(self);
        self.order = before;
        result
    }

    /// Limits reading to the next `size` bytes, then continues after them even if `read` has left some of them unread.
    ///
    /// # Errors
    /// If fewer bytes are left, and those of `read`.
    pub fn within<C: Count, T>(&mut self, size: C, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let size = self.check_count(size, 1, self.offset())?;
        let after = self.position.saturating_add(size);
        let end = std::mem::replace(&mut self.end, after);
        let result = read(self);
        self.position = after;
        self.end = end;
        result
    }

    /// Reads data that may be damaged. The position is restored after an error.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (position, end) = (self.position, self.end);
        read(self).inspect_err(|_| (self.position, self.end) = (position, end))
    }

    /// Reads ahead. The position is always restored.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn peek<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (position, end) = (self.position, self.end);
        let result = read(self);
        (self.position, self.end) = (position, end);
        result
    }

    /// Reads ahead without reporting to the visitor. Returns `None` on an error.
    #[doc(hidden)]
    pub fn try_peek<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Option<T> {
        self.untraced(|reader| reader.peek(read)).ok()
    }

    /// Reads a section of `size` bytes, all of which `read` must use.
    ///
    /// # Errors
    /// If bytes are left over, and those of [`within`](Self::within).
    pub fn section<C: Count, T>(&mut self, size: C, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.within(size, |reader| {
            let value = read(reader)?;
            match reader.remaining() {
                0 => Ok(value),
                left => Err(Error::malformed(format!("{left} extra bytes at the end of the section"))
                    .at(reader.offset())),
            }
        })
    }

    /// Reads at another offset of the file, limited to `size` bytes or to the end of the file, then restores the position.
    /// Also returns the offset after the last byte read.
    ///
    /// # Errors
    /// If the offset or the size is outside the file, and those of `read`.
    pub fn read_at<T>(
        &mut self,
        offset: u64,
        size: Option<u64>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, u64)> {
        let length = length_of(self.file);
        let end = size.map_or(Some(length), |size| offset.checked_add(size));
        let range = match (usize::try_from(offset), end.map(usize::try_from)) {
            (Ok(from), Some(Ok(to))) if offset <= length && to <= self.file.len() => from..to,
            _ => {
                let size = size.map(|size| format!(" of {size} bytes")).unwrap_or_default();
                let message =
                    format!("a part{size} at {offset:#x} is outside the file, which has {length} bytes");
                return Err(Error::malformed(message).at(offset.min(length)));
            }
        };
        let before = (self.position, self.end);
        (self.position, self.end) = (range.start, range.end);
        let result = read(self);
        let after = self.offset();
        (self.position, self.end) = before;
        Ok((result?, after))
    }

    /// Length of the entire file in bytes.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        length_of(self.file)
    }

    /// Returns bytes of the file that belong to no part, and reports them as a separate field.
    pub(crate) fn gap(&mut self, name: String, from: u64, to: u64) -> &'a [u8] {
        let (from, to) =
            (usize::try_from(from).unwrap_or(usize::MAX), usize::try_from(to).unwrap_or(usize::MAX));
        let bytes = self.file.get(from..to).unwrap_or_default();
        if self.trace.is_some() {
            let before = std::mem::replace(&mut self.position, to);
            let start = u64::try_from(from).unwrap_or(u64::MAX);
            let _: Result<()> = self.traced(&Segment::Field(name.into()), None, |reader| {
                reader.leaf(start, &crate::bytes::Preview(bytes));
                Ok(())
            });
            self.position = before;
        }
        bytes
    }

    /// Moves to the end. Used when everything has been read through offsets.
    pub(crate) fn skip_to_end(&mut self) {
        self.position = self.end;
    }

    /// Reads a record that may contain records of its own type, up to a maximum depth.
    ///
    /// # Errors
    /// [`Kind::Limit`](crate::Kind::Limit) if records are nested too deeply, and those of `read`.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("records are nested more than {MAX_DEPTH} levels deep");
            return Err(Error::limit(message).at(self.offset()));
        }
        self.depth = self.depth.saturating_add(1);
        let result = read(self);
        self.depth = self.depth.saturating_sub(1);
        result
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reader({:#x}..{:#x} of {} bytes)", self.position, self.end, self.file.len())
    }
}

/// Reads a complete file as one record. Bytes after the record are an error, because a record keeps all bytes of its file.
///
/// # Errors
/// Those of the record. Also if bytes are left over, or if the file is empty.
pub fn read_whole<T: Record>(bytes: &[u8], context: T::Context) -> Result<T> {
    finish(&mut Reader::new(bytes), context)
}

/// Reports every field of a file that is one record, until the visitor stops.
///
/// # Errors
/// Same as [`read_whole`].
pub fn trace_whole<T: Record>(bytes: &[u8], context: T::Context, visitor: &mut dyn Visitor) -> Result<()> {
    let mut reader = Reader::tracing(bytes, visitor);
    if let Some(trace) = &mut reader.trace {
        trace.stops_reading = true;
    }
    let result = finish::<T>(&mut reader, context);
    if reader.is_stopped { Ok(()) } else { result.map(drop) }
}

fn finish<T: Record>(reader: &mut Reader<'_>, context: T::Context) -> Result<T> {
    if reader.is_at_end() {
        return Err(Error::malformed("the file is empty").at(0));
    }
    let value = T::read(reader, context)?;
    match reader.remaining() {
        0 => Ok(value),
        left => {
            Err(Error::malformed(format!("{left} extra bytes after the end of the data")).at(reader.offset()))
        }
    }
}
