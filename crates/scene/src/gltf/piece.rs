//! Runs of items of one type, and their binary encoding.

use std::borrow::Cow;

/// A run of items of one type.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    Scalars(&'a [f32]),
    /// Zeros and ones, written with 8 bits.
    Flags8(&'a [f32]),
    Vec2(&'a [[f32; 2]]),
    Vec3(&'a [[f32; 3]]),
    /// Like `Vec3`, but owned.
    OwnedVec3(Vec<[f32; 3]>),
    /// Directions, written with unit length.
    Directions(&'a [[f32; 3]]),
    /// Integers, written with 16 bits.
    Steps16(Cow<'a, [[f32; 3]]>),
    /// Integers, written with 8 bits.
    Steps8(Cow<'a, [[f32; 3]]>),
    /// 127ths of directions, written with 8 bits.
    Snorm8(Vec<[f32; 3]>),
    /// Like `Steps16`, without padding between the items, as in sparse accessors.
    Packed16(Vec<[f32; 3]>),
    /// Like `Steps8` and `Snorm8`, without padding between the items.
    Packed8(Vec<[f32; 3]>),
    /// Directions, written with unit length and 8 bits per component.
    Directions8(&'a [[f32; 3]]),
    /// Numbers within 0..1, written with 16 bits.
    Unorm16(&'a [[f32; 2]]),
    Vec4(Cow<'a, [[f32; 4]]>),
    /// Colors, written with 16 bits per channel.
    Colors(&'a [[f32; 4]]),
    Joints8(Vec<[u16; 4]>),
    Joints16(Vec<[u16; 4]>),
    Matrices(Vec<[f32; 16]>),
    Indices16(Cow<'a, [u32]>),
    Indices32(Cow<'a, [u32]>),
}

/// The layout of the items of a piece.
pub(super) struct Layout {
    pub(super) component: u32,
    pub(super) shape: &'static str,
    /// Distance between the starts of two items in bytes.
    pub(super) bytes: usize,
    pub(super) count: usize,
}

/// glTF's numbers for component types.
pub(super) mod component {
    pub(in crate::gltf) const I8: u32 = 5120;
    pub(in crate::gltf) const U8: u32 = 5121;
    pub(in crate::gltf) const I16: u32 = 5122;
    pub(in crate::gltf) const U16: u32 = 5123;
    pub(in crate::gltf) const U32: u32 = 5125;
    pub(in crate::gltf) const F32: u32 = 5126;
}

impl Piece<'_> {
    pub(super) fn layout(&self) -> Layout {
        use component::{F32, I8, I16, U8, U16, U32};
        let (component, shape, bytes, count) = match self {
            Self::Scalars(items) => (F32, "SCALAR", 4, items.len()),
            Self::Flags8(items) => (U8, "SCALAR", 1, items.len()),
            Self::Vec2(items) => (F32, "VEC2", 8, items.len()),
            Self::Vec3(items) => (F32, "VEC3", 12, items.len()),
            Self::OwnedVec3(items) => (F32, "VEC3", 12, items.len()),
            Self::Directions(items) => (F32, "VEC3", 12, items.len()),
            Self::Steps16(items) => (I16, "VEC3", 8, items.len()),
            Self::Steps8(items) => (I8, "VEC3", 4, items.len()),
            Self::Snorm8(items) => (I8, "VEC3", 4, items.len()),
            Self::Packed16(items) => (I16, "VEC3", 6, items.len()),
            Self::Packed8(items) => (I8, "VEC3", 3, items.len()),
            Self::Directions8(items) => (I8, "VEC3", 4, items.len()),
            Self::Unorm16(items) => (U16, "VEC2", 4, items.len()),
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

    /// Whether its integers represent fractions of the largest value.
    pub(super) const fn is_normalized(&self) -> bool {
        matches!(
            self,
            Self::Colors(_) | Self::Directions8(_) | Self::Unorm16(_) | Self::Flags8(_) | Self::Snorm8(_)
        )
    }

    /// Whether its items are integers that are not normalized.
    pub(super) const fn is_integer(&self) -> bool {
        matches!(self, Self::Steps16(_) | Self::Steps8(_))
    }

    /// Returns the in-memory bytes of its items, and a distinct number for each kind of piece.
    pub(super) fn raw(&self) -> (u8, &[u8]) {
        use bytemuck::cast_slice;
        match self {
            Self::Scalars(items) => (0, cast_slice(items)),
            Self::Vec2(items) => (1, cast_slice(items)),
            Self::Vec3(items) => (2, cast_slice(items)),
            Self::OwnedVec3(items) => (2, cast_slice(items)),
            Self::Directions(items) => (3, cast_slice(items)),
            Self::Steps16(items) => (4, cast_slice(items)),
            Self::Steps8(items) => (15, cast_slice(items)),
            Self::Snorm8(items) => (16, cast_slice(items)),
            Self::Packed16(items) => (17, cast_slice(items)),
            Self::Packed8(items) => (18, cast_slice(items)),
            Self::Directions8(items) => (5, cast_slice(items)),
            Self::Unorm16(items) => (6, cast_slice(items)),
            Self::Vec4(items) => (7, cast_slice(items)),
            Self::Colors(items) => (8, cast_slice(items)),
            Self::Joints8(items) => (9, cast_slice(items)),
            Self::Joints16(items) => (10, cast_slice(items)),
            Self::Matrices(items) => (11, cast_slice(items)),
            Self::Indices16(items) => (12, cast_slice(items)),
            Self::Indices32(items) => (13, cast_slice(items)),
            Self::Flags8(items) => (14, cast_slice(items)),
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Scalars(items) => floats(out, items),
            Self::Flags8(items) => words(out, items, |item| [if item == 0.0 { 0 } else { u8::MAX }]),
            Self::Vec2(items) => floats(out, items.as_flattened()),
            Self::Vec3(items) => floats(out, items.as_flattened()),
            Self::OwnedVec3(items) => floats(out, items.as_flattened()),
            Self::Vec4(items) => floats(out, items.as_flattened()),
            Self::Matrices(items) => floats(out, items.as_flattened()),
            Self::Directions(items) => words(out, items, |item| bytes_of(unit(item))),
            Self::Steps16(items) => words(out, items, |item| {
                let [[a, b], [c, d], [e, f]] = bytes16(item);
                [a, b, c, d, e, f, 0, 0]
            }),
            Self::Packed16(items) => words(out, items, |item| {
                let [[a, b], [c, d], [e, f]] = bytes16(item);
                [a, b, c, d, e, f]
            }),
            Self::Steps8(items) => words(out, items, padded8),
            Self::Snorm8(items) => words(out, items, padded8),
            Self::Packed8(items) => words(out, items, bytes8),
            Self::Directions8(items) => words(out, items, |item| padded8(to_127ths(unit(item)))),
            Self::Unorm16(items) => words(out, items.as_flattened(), |number| to_u16(number).to_le_bytes()),
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

/// Appends the bytes of each item. Memory is reserved once: growing for each item is several times slower.
fn words<T: Copy, const N: usize>(out: &mut Vec<u8>, items: &[T], bytes: impl Fn(T) -> [u8; N]) {
    let start = out.len();
    out.resize(start + items.len() * N, 0);
    let (slots, _) = out[start..].as_chunks_mut::<N>();
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

fn bytes16(item: [f32; 3]) -> [[u8; 2]; 3] {
    item.map(|number| to_i16(number).to_le_bytes())
}

fn bytes8(item: [f32; 3]) -> [u8; 3] {
    item.map(|number| to_i8(number).to_le_bytes()[0])
}

fn padded8(item: [f32; 3]) -> [u8; 4] {
    let [x, y, z] = bytes8(item);
    [x, y, z, 0]
}

/// Whether all numbers are integers that fit into 16 bits.
pub(super) fn fit_16_bits(items: &[[f32; 3]]) -> bool {
    items.as_flattened().iter().all(|number| f32::from(to_i16(*number)) == *number)
}

/// Whether all numbers are integers that fit into 8 bits.
pub(super) fn fit_8_bits(items: &[[f32; 3]]) -> bool {
    items.as_flattened().iter().all(|number| f32::from(to_i8(*number)) == *number)
}

/// Returns the nearest integer numbers of 127ths of a direction.
pub(super) fn to_127ths(direction: [f32; 3]) -> [f32; 3] {
    direction.map(|number| rounded(number * 127.0))
}

/// Rounds a number, half away from zero. Without special instructions of newer processors, which portable programs
/// cannot rely on, this is much faster than the function of the standard library.
fn rounded(number: f32) -> f32 {
    if number.abs() >= f32::from(i16::MAX) {
        return number.round();
    }
    let whole = f32::from(number as i16);
    let fraction = number - whole;
    whole + f32::from(i8::from(fraction >= 0.5) - i8::from(fraction <= -0.5))
}

/// Converts an integer.
fn to_i8(number: f32) -> i8 {
    number as i8
}

/// Converts an integer.
pub(super) fn to_i16(number: f32) -> i16 {
    number as i16
}

/// Normalizes a direction; returns +Y for a zero vector. A vector of unit length keeps its bits.
pub(super) fn unit(vector: [f32; 3]) -> [f32; 3] {
    let direction = glam::Vec3::from_array(vector).as_dvec3();
    if (direction.length_squared() - 1.0).abs() <= 1e-6 {
        return vector;
    }
    direction.try_normalize().map_or([0.0, 1.0, 0.0], |direction| direction.as_vec3().to_array())
}

fn to_u16(channel: f32) -> u16 {
    (channel.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16
}
