//! The binary buffer: first planned, so that every offset is known and memory is taken once; then written.

use std::borrow::Cow;
use std::collections::HashMap;

use twox_hash::XxHash3_128;

use super::schema::{Accessor, BufferView};

/// Where a thing starts: on a multiple of four bytes.
const ALIGNMENT: usize = 4;

/// What a buffer view is for.
pub(super) mod target {
    pub(in crate::gltf) const VERTICES: u32 = 34962;
    pub(in crate::gltf) const INDICES: u32 = 34963;
}

/// Bytes up to the next multiple of four.
pub(super) fn padding(length: usize) -> usize {
    length.next_multiple_of(ALIGNMENT).saturating_sub(length)
}

/// A run of equal items.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    Scalars(&'a [f32]),
    Vec2(&'a [[f32; 2]]),
    Vec3(&'a [[f32; 3]]),
    /// As `Vec3`, made for the file.
    Places(Vec<[f32; 3]>),
    /// Written with unit length.
    Directions(&'a [[f32; 3]]),
    /// Whole numbers, written with 16 bits.
    Places16(&'a [[f32; 3]]),
    /// Written with unit length and 8 bits a component.
    Directions8(&'a [[f32; 3]]),
    /// Within 0..1, written with 16 bits.
    Shares16(&'a [[f32; 2]]),
    Vec4(Cow<'a, [[f32; 4]]>),
    /// Written with 16 bits a channel.
    Colors(&'a [[f32; 4]]),
    Joints8(Vec<[u16; 4]>),
    Joints16(Vec<[u16; 4]>),
    Matrices(Vec<[f32; 16]>),
    Indices16(&'a [u32]),
    Indices32(&'a [u32]),
}

/// How the items of a piece look.
struct Layout {
    component: u32,
    shape: &'static str,
    bytes: usize,
    count: usize,
}

mod component {
    pub(super) const I8: u32 = 5120;
    pub(super) const U8: u32 = 5121;
    pub(super) const I16: u32 = 5122;
    pub(super) const U16: u32 = 5123;
    pub(super) const U32: u32 = 5125;
    pub(super) const F32: u32 = 5126;
}

impl Piece<'_> {
    fn layout(&self) -> Layout {
        use component::{F32, I8, I16, U8, U16, U32};
        let (component, shape, bytes, count) = match self {
            Self::Scalars(items) => (F32, "SCALAR", 4, items.len()),
            Self::Vec2(items) => (F32, "VEC2", 8, items.len()),
            Self::Vec3(items) => (F32, "VEC3", 12, items.len()),
            Self::Places(items) => (F32, "VEC3", 12, items.len()),
            Self::Directions(items) => (F32, "VEC3", 12, items.len()),
            Self::Places16(items) => (I16, "VEC3", 8, items.len()),
            Self::Directions8(items) => (I8, "VEC3", 4, items.len()),
            Self::Shares16(items) => (U16, "VEC2", 4, items.len()),
            Self::Vec4(items) => (F32, "VEC4", 16, items.len()),
            Self::Colors(items) => (U16, "VEC4", 8, items.len()),
            Self::Joints8(items) => (U8, "VEC4", 4, items.len()),
            Self::Joints16(items) => (U16, "VEC4", 8, items.len()),
            Self::Matrices(items) => (F32, "MAT4", 64, items.len()),
            Self::Indices16(items) => (U16, "SCALAR", 2, items.len()),
            Self::Indices32(items) => (U32, "SCALAR", 4, items.len()),
        };
        Layout { component, shape, bytes, count }
    }

    /// Its items as they are in memory, and a number of its own for each kind of piece.
    fn raw(&self) -> (u8, &[u8]) {
        use bytemuck::cast_slice;
        match self {
            Self::Scalars(items) => (0, cast_slice(items)),
            Self::Vec2(items) => (1, cast_slice(items)),
            Self::Vec3(items) => (2, cast_slice(items)),
            Self::Places(items) => (2, cast_slice(items)),
            Self::Directions(items) => (3, cast_slice(items)),
            Self::Places16(items) => (4, cast_slice(items)),
            Self::Directions8(items) => (5, cast_slice(items)),
            Self::Shares16(items) => (6, cast_slice(items)),
            Self::Vec4(items) => (7, cast_slice(items)),
            Self::Colors(items) => (8, cast_slice(items)),
            Self::Joints8(items) => (9, cast_slice(items)),
            Self::Joints16(items) => (10, cast_slice(items)),
            Self::Matrices(items) => (11, cast_slice(items)),
            Self::Indices16(items) => (12, cast_slice(items)),
            Self::Indices32(items) => (13, cast_slice(items)),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Scalars(items) => floats(out, items),
            Self::Vec2(items) => floats(out, items.as_flattened()),
            Self::Vec3(items) => floats(out, items.as_flattened()),
            Self::Places(items) => floats(out, items.as_flattened()),
            Self::Vec4(items) => floats(out, items.as_flattened()),
            Self::Matrices(items) => floats(out, items.as_flattened()),
            Self::Directions(items) => words(out, items, |item| bytes_of(unit(item))),
            Self::Places16(items) => {
                words(out, items, |item| padded(item.map(|it| to_i16(it).to_le_bytes())));
            }
            Self::Directions8(items) => words(out, items, |item| {
                let [x, y, z] = unit(item).map(|it| to_i16(it * 127.0).to_le_bytes()[0]);
                [x, y, z, 0]
            }),
            Self::Shares16(items) => words(out, items.as_flattened(), |share| to_u16(share).to_le_bytes()),
            Self::Colors(items) => words(out, items.as_flattened(), |channel| to_u16(channel).to_le_bytes()),
            Self::Joints8(items) => {
                words(out, items.as_flattened(), |joint| [u8::try_from(joint).unwrap_or_default()]);
            }
            Self::Joints16(items) => words(out, items.as_flattened(), u16::to_le_bytes),
            Self::Indices16(items) => {
                words(out, items, |index| u16::try_from(index).unwrap_or_default().to_le_bytes());
            }
            Self::Indices32(items) => words(out, items, u32::to_le_bytes),
        }
    }
}

fn floats(out: &mut Vec<u8>, items: &[f32]) {
    words(out, items, f32::to_le_bytes);
}

/// Appends the bytes of each item. Room for all is made first: growing for each item is several times slower.
fn words<T: Copy, const N: usize>(out: &mut Vec<u8>, items: &[T], bytes: impl Fn(T) -> [u8; N]) {
    let start = out.len();
    out.resize(start.saturating_add(items.len().saturating_mul(N)), 0);
    let (slots, _) = out.get_mut(start..).unwrap_or_default().as_chunks_mut::<N>();
    for (slot, item) in slots.iter_mut().zip(items) {
        *slot = bytes(*item);
    }
}

fn bytes_of([x, y, z]: [f32; 3]) -> [u8; 12] {
    let mut bytes = [0; 12];
    for (slot, component) in bytes.as_chunks_mut::<4>().0.iter_mut().zip([x, y, z]) {
        *slot = component.to_le_bytes();
    }
    bytes
}

/// Three numbers of 16 bits, and zeros up to a multiple of four bytes.
const fn padded([x, y, z]: [[u8; 2]; 3]) -> [u8; 8] {
    [x[0], x[1], y[0], y[1], z[0], z[1], 0, 0]
}

/// Whether numbers are whole and fit into 16 bits.
pub(super) fn are_whole(items: &[[f32; 3]]) -> bool {
    items.as_flattened().iter().all(|number| f32::from(to_i16(*number)) == *number)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "rounded, and saturating is meant"
)]
fn to_i16(number: f32) -> i16 {
    number.round() as i16
}

/// The direction with unit length, +Y where there is none. One that is unit length already keeps its bits.
fn unit(vector: [f32; 3]) -> [f32; 3] {
    let direction = glam::Vec3::from_array(vector).as_dvec3();
    if (direction.length_squared() - 1.0).abs() <= 1e-6 {
        return vector;
    }
    direction.try_normalize().map_or([0.0, 1.0, 0.0], |direction| direction.as_vec3().to_array())
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0..=65535"
)]
fn to_u16(channel: f32) -> u16 {
    (channel.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16
}

/// The planned buffer, with the views and accessors into it.
#[derive(Debug, Default)]
pub(super) struct Binary<'a> {
    parts: Vec<Part<'a>>,
    length: usize,
    pub(super) views: Vec<BufferView>,
    pub(super) accessors: Vec<Accessor>,
    /// The accessors by what they hold and how it is used: equal ones are one.
    known: HashMap<(u8, Option<u32>, bool, u128), usize>,
}

#[derive(Debug)]
enum Part<'a> {
    Piece(Piece<'a>),
    Bytes(&'a [u8]),
}

/// Smallest and largest value of each component.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    pub(super) min: Vec<f32>,
    pub(super) max: Vec<f32>,
}

impl Bounds {
    /// The bounds of finite numbers.
    pub(super) fn of<const N: usize>(items: &[[f32; N]]) -> Self {
        let (mut min, mut max) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
        for item in items {
            for ((value, min), max) in item.iter().zip(&mut min).zip(&mut max) {
                *min = min.min(*value);
                *max = max.max(*value);
            }
        }
        Self { min: min.to_vec(), max: max.to_vec() }
    }
}

impl<'a> Binary<'a> {
    /// Plans an accessor with a view of its own, unless there is one that holds the same for the same use. Gives its number.
    pub(super) fn accessor(&mut self, piece: Piece<'a>, target: Option<u32>, bounds: Bounds) -> usize {
        let (kind, bytes) = piece.raw();
        let key = (kind, target, bounds.min.is_empty(), XxHash3_128::oneshot(bytes));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let accessor = self.new_accessor(piece, target, bounds);
        self.known.insert(key, accessor);
        accessor
    }

    fn new_accessor(&mut self, piece: Piece<'a>, target: Option<u32>, bounds: Bounds) -> usize {
        let Layout { component, shape, bytes, count } = piece.layout();
        let normalized = matches!(piece, Piece::Colors(_) | Piece::Directions8(_) | Piece::Shares16(_));
        // Where items are padded it must be said how far they are apart.
        let stride = matches!(piece, Piece::Places16(_) | Piece::Directions8(_)).then_some(bytes);
        let buffer_view = self.view(Part::Piece(piece), count.saturating_mul(bytes), target);
        if let Some(view) = self.views.get_mut(buffer_view) {
            view.byte_stride = stride;
        }
        let Bounds { min, max } = bounds;
        let accessor =
            Accessor { buffer_view, component_type: component, normalized, count, shape, min, max };
        self.accessors.push(accessor);
        self.accessors.len().saturating_sub(1)
    }

    /// Plans vertex data without bounds.
    pub(super) fn vertices(&mut self, piece: Piece<'a>) -> usize {
        self.accessor(piece, Some(target::VERTICES), Bounds::default())
    }

    /// Plans a view of plain bytes. Gives its number.
    pub(super) fn bytes(&mut self, bytes: &'a [u8]) -> usize {
        self.view(Part::Bytes(bytes), bytes.len(), None)
    }

    fn view(&mut self, part: Part<'a>, byte_length: usize, target: Option<u32>) -> usize {
        self.views.push(BufferView {
            buffer: 0,
            byte_offset: self.length,
            byte_length,
            byte_stride: None,
            target,
        });
        self.parts.push(part);
        // Saturates at the end of the address space, far beyond the 4 GiB that are refused.
        self.length = self.length.saturating_add(byte_length);
        self.length = self.length.saturating_add(padding(self.length));
        self.views.len().saturating_sub(1)
    }

    /// Bytes of the whole buffer; a multiple of four.
    pub(super) fn byte_length(&self) -> usize {
        self.length
    }

    /// Writes the buffer, padded with zeros.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        for part in &self.parts {
            match part {
                Part::Piece(piece) => piece.write(out),
                Part::Bytes(bytes) => out.extend_from_slice(bytes),
            }
            let written = out.len().saturating_sub(start);
            out.resize(out.len().saturating_add(padding(written)), 0);
        }
    }
}
