//! Reads records from a slice, never past its end.

use std::fmt;

use crate::error::{Step, push_step};
use crate::number::{Count, Flat, Order};
use crate::source::length_of;
use crate::{Error, FieldDoc, Record, Result, Span, Visit, Visitor};

/// How deep records may stand within records of their own kind.
const DEEPEST: usize = 64;

/// A place in the bytes of a file, and how far it may read.
///
/// Offsets are counted from the start of the file, also while only a part of it is being read.
pub struct Reader<'a> {
    /// The whole file.
    file: &'a [u8],
    position: usize,
    /// No byte from here on is read: the end of the file or of the part being read.
    end: usize,
    order: Order,
    depth: usize,
    trace: Option<Trace<'a>>,
    /// Whether the visitor has enough, and what is read is of no use to anybody else.
    is_done: bool,
}

struct Trace<'a> {
    visitor: &'a mut dyn Visitor,
    path: String,
    /// Whether reading ends when the visitor has enough.
    ends: bool,
}

impl<'a> Reader<'a> {
    /// A reader at the start of a file.
    #[must_use]
    pub fn new(file: &'a [u8]) -> Self {
        Self {
            file,
            position: 0,
            end: file.len(),
            order: Order::Little,
            depth: 0,
            trace: None,
            is_done: false,
        }
    }

    /// A reader that tells a visitor of every field. Slower; for hex views.
    #[must_use]
    pub fn tracing(file: &'a [u8], visitor: &'a mut dyn Visitor) -> Self {
        let trace = Some(Trace { visitor, path: String::new(), ends: false });
        Self { trace, ..Self::new(file) }
    }

    /// The offset of the next byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        u64::try_from(self.position).unwrap_or(u64::MAX)
    }

    /// How many bytes are left to read.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.end.saturating_sub(self.position)
    }

    /// Whether every byte has been read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.remaining() == 0
    }

    /// The order of the bytes of numbers.
    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    /// The bytes left, without moving.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.file.get(self.position..self.end).unwrap_or_default()
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// When fewer are left; nothing is taken then.
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

    /// Takes everything that is left as one field.
    pub fn take_rest(&mut self) -> &'a [u8] {
        let start = self.offset();
        let rest = self.rest();
        self.position = self.end;
        if !rest.is_empty() {
            self.leaf(start, &crate::bytes::Preview(rest));
        }
        rest
    }

    /// Reads the field `name`: errors and spans within it carry the name.
    ///
    /// # Errors
    /// Those of `read`.
    #[inline]
    pub fn field<T>(&mut self, name: &'static str, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.trace.is_some() {
            return self.traced(&Step::Field(name.into()), None, read).map_err(|error| error.in_field(name));
        }
        read(self).map_err(|error| error.in_field(name))
    }

    /// Reads a field of which there is something to say.
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
                .traced(&Step::Field(name.into()), Some(doc), read)
                .map_err(|error| error.in_field(name));
        }
        read(self).map_err(|error| error.in_field(name))
    }

    /// Reads the item `index` of a list: errors and spans within it carry the number.
    ///
    /// # Errors
    /// Those of `read`.
    #[inline]
    pub fn item<T>(&mut self, index: usize, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.trace.is_some() {
            return self.traced(&Step::Index(index), None, read).map_err(|error| error.in_item(index));
        }
        read(self).map_err(|error| error.in_item(index))
    }

    fn traced<T>(
        &mut self,
        step: &Step,
        doc: Option<&'static FieldDoc>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let Some(trace) = &mut self.trace else { return read(self) };
        let length = trace.path.len();
        push_step(&mut trace.path, step);
        if let Some(doc) = doc {
            trace.visitor.describe(&trace.path, doc);
        }
        let unwatched = if trace.visitor.enters(&trace.path) { None } else { self.trace.take() };
        let result = read(self);
        self.trace = unwatched.or_else(|| self.trace.take());
        if let Some(trace) = &mut self.trace {
            trace.path.truncate(length);
        }
        if self.is_done { Err(Error::usage("nobody wants to know more")) } else { result }
    }

    /// Reads `count` items in a row. Memory grows with what is really there, not with the count.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn items<T>(&mut self, count: usize, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        /// What is set aside at once, at most.
        const AT_ONCE: usize = 1 << 16;
        let first = AT_ONCE.checked_div(size_of::<T>()).unwrap_or(AT_ONCE).max(1);
        let mut items = Vec::with_capacity(count.min(first));
        for index in 0..count {
            items.push(self.item(index, &mut read)?);
        }
        Ok(items)
    }

    /// Refuses a count of items of at least `each` bytes that the bytes left cannot hold. `start` is where the field starts.
    ///
    /// # Errors
    /// [`Kind::Malformed`](crate::Kind::Malformed), at `start`.
    #[inline]
    pub fn check_count<C: Count>(&self, count: C, each: usize, start: u64) -> Result<usize> {
        match count.to_usize() {
            Some(number) if number <= self.remaining().checked_div(each).unwrap_or(self.remaining()) => {
                Ok(number)
            }
            number => Err(self.wrong_count(&count, each, start, number.is_none())),
        }
    }

    #[cold]
    fn wrong_count(&self, count: &dyn fmt::Display, each: usize, start: u64, negative: bool) -> Error {
        let left = self.remaining();
        let message = match (negative, each) {
            (true, _) => format!("{count} is not a valid count"),
            (false, 1) => format!("expected {count} bytes, but only {left} are left"),
            (false, _) => {
                format!(
                    "expected {count} items of at least {each} bytes each, but only {left} bytes are left"
                )
            }
        };
        Error::malformed(message).at(start)
    }

    /// Reads a count of type `C`, then that many records.
    ///
    /// # Errors
    /// When the count cannot be true, and those of the records.
    #[inline]
    pub fn counted<C: Count, T: Record>(&mut self, context: T::Context) -> Result<Vec<T>> {
        let start = self.offset();
        let count = self.read_count::<C>()?;
        let count = self.check_count(count, T::min_size(context).max(1), start)?;
        T::read_list(self, count, context)
    }

    /// Reads the number in front of a list; its span is called `count`.
    ///
    /// # Errors
    /// When the data ends.
    #[inline]
    pub fn read_count<C: Count>(&mut self) -> Result<C> {
        if self.trace.is_some() {
            return self.traced(&Step::Field("count".into()), None, |reader| C::read(reader, ()));
        }
        C::read(self, ())
    }

    /// Reads as many records as another field said.
    ///
    /// # Errors
    /// When the count cannot be true, and those of the records.
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

    /// Takes `count` times `each` bytes at once, with the order of their numbers. Nothing when a visitor wants to know the
    /// fields, or when they are not all there: then the fields are read one by one, and the error says which.
    #[doc(hidden)]
    #[inline]
    pub fn block(&mut self, count: usize, each: usize) -> Option<(Order, &'a [u8])> {
        let size =
            count.checked_mul(each).filter(|size| self.trace.is_none() && *size <= self.remaining())?;
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

    /// Reads without telling the visitor: what is read is to be one span, see [`leaf`](Self::leaf).
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

    /// Whether a visitor is told of the fields.
    #[must_use]
    #[inline]
    pub fn is_tracing(&self) -> bool {
        self.trace.is_some()
    }

    /// Tells the visitor of a field that started at `start` and ends here.
    #[inline]
    pub fn leaf(&mut self, start: u64, value: &dyn fmt::Display) {
        if self.trace.is_some() {
            self.tell(start, value);
        }
    }

    #[cold]
    fn tell(&mut self, start: u64, value: &dyn fmt::Display) {
        let end = self.offset();
        let Some(trace) = &mut self.trace else { return };
        if trace.visitor.span(Span { start, end, path: &trace.path, value }) == Visit::Stop {
            self.is_done = trace.ends;
            self.trace = None;
        }
    }

    /// Reads with another byte order, and comes back to the old one.
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

    /// Reads within the next `size` bytes, and goes on behind them whatever was read. What stays unread is `read`'s affair.
    ///
    /// # Errors
    /// When fewer bytes are left, and those of `read`.
    pub fn within<C: Count, T>(&mut self, size: C, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let size = self.check_count(size, 1, self.offset())?;
        let behind = self.position.saturating_add(size);
        let end = std::mem::replace(&mut self.end, behind);
        let result = read(self);
        self.position = behind;
        self.end = end;
        result
    }

    /// Reads what may turn out to be damaged: after an error the reader stands where it stood.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (position, end) = (self.position, self.end);
        read(self).inspect_err(|_| (self.position, self.end) = (position, end))
    }

    /// Reads ahead: whatever comes of it, the reader stands where it stood.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn peek<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (position, end) = (self.position, self.end);
        let result = read(self);
        (self.position, self.end) = (position, end);
        result
    }

    /// Reads ahead without telling the visitor; nothing when it cannot be read.
    #[doc(hidden)]
    pub fn try_peek<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Option<T> {
        self.untraced(|reader| reader.peek(read)).ok()
    }

    /// Reads a section of `size` bytes that `read` must take whole.
    ///
    /// # Errors
    /// When bytes are left over, and those of [`within`](Self::within).
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

    /// Reads at another place of the file, `size` bytes or up to the end of the file, and comes back.
    /// Gives the place behind the last byte read too.
    ///
    /// # Errors
    /// When the place lies outside the file, and those of `read`.
    pub fn read_at<T>(
        &mut self,
        offset: u64,
        size: Option<u64>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, u64)> {
        let length = length_of(self.file);
        let end = size.map_or(Some(length), |size| offset.checked_add(size));
        let place = match (usize::try_from(offset), end.map(usize::try_from)) {
            (Ok(from), Some(Ok(to))) if offset <= length && to <= self.file.len() => from..to,
            _ => {
                let size = size.map(|size| format!(" of {size} bytes")).unwrap_or_default();
                let message =
                    format!("a part{size} at {offset:#x} is outside the file, which has {length} bytes");
                return Err(Error::malformed(message).at(offset.min(length)));
            }
        };
        let before = (self.position, self.end);
        (self.position, self.end) = (place.start, place.end);
        let result = read(self);
        let behind = self.offset();
        (self.position, self.end) = before;
        Ok((result?, behind))
    }

    /// The length of the whole file.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        length_of(self.file)
    }

    /// Bytes of the file that nothing has claimed: kept, and shown as a field of their own.
    pub(crate) fn gap(&mut self, name: String, from: u64, to: u64) -> &'a [u8] {
        let (from, to) =
            (usize::try_from(from).unwrap_or(usize::MAX), usize::try_from(to).unwrap_or(usize::MAX));
        let bytes = self.file.get(from..to).unwrap_or_default();
        if self.trace.is_some() {
            let before = std::mem::replace(&mut self.position, to);
            let start = u64::try_from(from).unwrap_or(u64::MAX);
            let _: Result<()> = self.traced(&Step::Field(name.into()), None, |reader| {
                reader.leaf(start, &crate::bytes::Preview(bytes));
                Ok(())
            });
            self.position = before;
        }
        bytes
    }

    /// Goes behind the last byte: everything has been read, by offsets.
    pub(crate) fn skip_to_end(&mut self) {
        self.position = self.end;
    }

    /// Reads a record that may hold records of its own kind, to a bounded depth.
    ///
    /// # Errors
    /// [`Kind::Limit`](crate::Kind::Limit) when records stand too deep in one another, and those of `read`.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            let message = format!("records are nested more than {DEEPEST} levels deep");
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

/// Reads a whole file as one record. Bytes behind it are an error: a record keeps what it does not understand.
///
/// # Errors
/// Those of the record, and bytes left over.
pub fn read_whole<T: Record>(bytes: &[u8], context: T::Context) -> Result<T> {
    finish(&mut Reader::new(bytes), context)
}

/// Tells a visitor of every field of a file that is one record, until it has enough.
///
/// # Errors
/// As [`read_whole`].
pub fn trace_whole<T: Record>(bytes: &[u8], context: T::Context, visitor: &mut dyn Visitor) -> Result<()> {
    let mut reader = Reader::tracing(bytes, visitor);
    if let Some(trace) = &mut reader.trace {
        trace.ends = true;
    }
    let result = finish::<T>(&mut reader, context);
    if reader.is_done { Ok(()) } else { result.map(drop) }
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
