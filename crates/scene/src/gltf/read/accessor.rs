//! Accessors: numbers of all component types, read from buffers.

use super::{Reader, bad, document::Accessor, finite, out_of_range};
use crate::Error;

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(number: u32, place: &str) -> Result<Self, Error> {
        Ok(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return Err(bad(place, format!("unknown component type {number}"))),
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Decodes a number. Normalized integers are fractions of their largest value.
    fn number(self, bytes: &[u8], normalized: bool) -> f32 {
        let number = match self {
            Self::I8 => f32::from(i8::from_le_bytes(array(bytes))),
            Self::U8 => f32::from(u8::from_le_bytes(array(bytes))),
            Self::I16 => f32::from(i16::from_le_bytes(array(bytes))),
            Self::U16 => f32::from(u16::from_le_bytes(array(bytes))),
            Self::U32 => narrow(u32::from_le_bytes(array(bytes))),
            Self::F32 => return f32::from_le_bytes(array(bytes)),
        };
        match (normalized, self) {
            (false, _) => number,
            (true, Self::I8) => (number / 127.0).max(-1.0),
            (true, Self::U8) => number / 255.0,
            (true, Self::I16) => (number / 32767.0).max(-1.0),
            (true, _) => number / 65535.0,
        }
    }

    /// Decodes an index; `None` if the component type is not an unsigned integer.
    fn index(self, bytes: &[u8]) -> Option<u32> {
        match self {
            Self::U8 => Some(u8::from_le_bytes(array(bytes)).into()),
            Self::U16 => Some(u16::from_le_bytes(array(bytes)).into()),
            Self::U32 => Some(u32::from_le_bytes(array(bytes))),
            Self::I8 | Self::I16 | Self::F32 => None,
        }
    }
}

/// Converts a slice to an array. The slice was truncated to that length before.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "rounding to single precision is intended"
)]
fn narrow(number: u32) -> f32 {
    number as f32
}

/// Items in a byte slice whose length was checked.
struct Items<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
    count: usize,
}

impl<'a> Items<'a> {
    /// Checks that the bytes contain `count` items of a size from an offset on.
    fn new(
        bytes: &'a [u8],
        offset: usize,
        stride: Option<usize>,
        size: usize,
        count: usize,
        place: &str,
    ) -> Result<Self, Error> {
        let stride = stride.filter(|stride| *stride > 0).unwrap_or(size);
        if stride < size {
            return Err(bad(place, format!("its items have {size} bytes, but the stride is only {stride}")));
        }
        let last = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(size));
        let bytes = bytes.get(offset..).filter(|bytes| last.is_some_and(|last| last <= bytes.len()));
        match bytes {
            Some(bytes) => Ok(Self { bytes, stride, size, count }),
            None => Err(bad(
                place,
                format!("{count} items of {size} bytes extend past the end of its buffer view"),
            )),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (bytes, size) = (self.bytes, self.size);
        bytes
            .chunks(self.stride.max(1))
            .take(self.count)
            .map(move |item| item.get(..size).unwrap_or_default())
    }
}

fn width(shape: &str, place: &str) -> Result<usize, Error> {
    match shape {
        "SCALAR" => Ok(1),
        "VEC2" => Ok(2),
        "VEC3" => Ok(3),
        "VEC4" => Ok(4),
        "MAT4" => Ok(16),
        _ => Err(bad(place, format!("unexpected accessor type {shape:.10}"))),
    }
}

impl<'a> Reader<'a> {
    /// Returns an accessor and the number of components of its items.
    pub(super) fn accessor(&self, index: usize, place: &str) -> Result<(&'a Accessor, usize), Error> {
        let accessors = &self.document.accessors;
        let accessor = accessors.get(index).ok_or_else(|| out_of_range(place, index, accessors.len()))?;
        Ok((accessor, width(&accessor.shape, place)?))
    }

    /// Reads the items of an accessor as floats, `N` components each.
    pub(super) fn floats<const N: usize>(
        &mut self,
        index: usize,
        place: &str,
    ) -> Result<Vec<[f32; N]>, Error> {
        let (accessor, width) = self.accessor(index, place)?;
        if width != N {
            return Err(bad(place, format!("expected items of {N} components, found {}", accessor.shape)));
        }
        let place = &format!("{place} (accessor {index})");
        self.charge(accessor.count, size_of::<[f32; N]>(), place)?;
        let component = Component::of(accessor.component_type, place)?;
        let item = |bytes: &[u8]| {
            let mut item = [0.0; N];
            for (number, bytes) in item.iter_mut().zip(bytes.chunks(component.size())) {
                *number = component.number(bytes, accessor.normalized);
            }
            item
        };
        let items = self.items(accessor, component.size().saturating_mul(N), [0.0; N], item, place)?;
        finite(items.as_flattened(), || place.to_owned())?;
        Ok(items)
    }

    /// Reads the items of an accessor as indices.
    pub(super) fn indices(&mut self, index: usize, place: &str) -> Result<Vec<u32>, Error> {
        let (accessor, width) = self.accessor(index, place)?;
        let place = &format!("{place} (accessor {index})");
        let component = Component::of(accessor.component_type, place)?;
        if width != 1 || component.index(&[]).is_none() {
            return Err(bad(place, "its items are not integers"));
        }
        self.charge(accessor.count, size_of::<u32>(), place)?;
        self.items(accessor, component.size(), 0, |bytes| component.index(bytes).unwrap_or_default(), place)
    }

    /// Reads the items of an accessor: from its view, or `empty` items if it has none; then applies sparse values.
    fn items<T: Clone>(
        &self,
        accessor: &Accessor,
        size: usize,
        empty: T,
        item: impl Fn(&[u8]) -> T,
        place: &str,
    ) -> Result<Vec<T>, Error> {
        let mut items = match accessor.buffer_view {
            Some(view) => {
                let (bytes, stride) = self.buffers.view(self.document, view, || place.to_owned())?;
                let found = Items::new(bytes, accessor.byte_offset, stride, size, accessor.count, place)?;
                found.iter().map(&item).collect()
            }
            None => vec![empty; accessor.count],
        };
        let Some(sparse) = &accessor.sparse else { return Ok(items) };
        let place = &format!("{place}, sparse");
        let component = Component::of(sparse.indices.component_type, place)?;
        let view = |view| self.buffers.view(self.document, view, || place.to_owned());
        let (bytes, _) = view(sparse.indices.buffer_view)?;
        let indices =
            Items::new(bytes, sparse.indices.byte_offset, None, component.size(), sparse.count, place)?;
        let (bytes, _) = view(sparse.values.buffer_view)?;
        let values = Items::new(bytes, sparse.values.byte_offset, None, size, sparse.count, place)?;
        for (at, value) in indices.iter().zip(values.iter()) {
            let at = component.index(at).and_then(|at| usize::try_from(at).ok());
            let at = at.ok_or_else(|| bad(place, "its indices are not integers"))?;
            let slot = items.get_mut(at).ok_or_else(|| out_of_range(place, at, accessor.count))?;
            *slot = item(value);
        }
        Ok(items)
    }
}
