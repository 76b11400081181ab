//! The binary buffer: first planned, so that every offset is known and memory is taken once; then written.

use std::borrow::Cow;
use std::collections::HashMap;

use twox_hash::XxHash3_128;

use super::piece::{Layout, Piece, component, fit_8_bits, fit_16_bits};
use super::schema::{Accessor, Bound, BufferView, Sparse, SparsePart};

/// Where a thing starts: on a multiple of four bytes.
const ALIGNMENT: usize = 4;

/// What a buffer view is for.
pub(super) mod target {
    pub(in crate::gltf) const VERTICES: u32 = 34962;
    pub(in crate::gltf) const INDICES: u32 = 34963;
}

/// Bytes up to the next multiple of four.
pub(super) fn padding(length: usize) -> usize {
    length.next_multiple_of(ALIGNMENT) - length
}

/// The planned buffer, with the views and accessors into it.
#[derive(Debug, Default)]
pub(super) struct Binary<'a> {
    /// The views, in the order they are written.
    blocks: Vec<Block<'a>>,
    /// The view that items of a use go into, in each buffer.
    uses: HashMap<(BufferId, Use), usize>,
    pub(super) accessors: Vec<Accessor>,
    /// The accessors by what they hold and how it is used: equal ones are one.
    known: HashMap<Content, usize>,
    /// Where items that only sparse accessors name went, by what they hold.
    known_places: HashMap<(BufferId, u8, u128), Place>,
    /// What the buffers after the first are named after.
    sources: Vec<&'a str>,
    /// The buffer that is being planned.
    current: BufferId,
}

/// A buffer: the file's own is the first, those that other files share come after it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct BufferId(usize);

/// What an accessor holds and how it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Content {
    buffer: BufferId,
    kind: u8,
    target: Option<u32>,
    has_bounds: bool,
    hash: u128,
}

/// What the items of one view are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    /// Vertices, so many bytes from one to the next, which has to be said.
    Vertices {
        stride: usize,
    },
    Indices,
    /// The inverse bind matrices of skins, which must not stand beside anything else.
    Matrices,
    Other,
}

impl Use {
    fn of(piece: &Piece<'_>, target: Option<u32>) -> Self {
        match (piece, target) {
            (_, Some(target::VERTICES)) => Self::Vertices { stride: piece.layout().bytes },
            (_, Some(_)) => Self::Indices,
            (Piece::Matrices(_), None) => Self::Matrices,
            (_, None) => Self::Other,
        }
    }

    const fn target(self) -> Option<u32> {
        match self {
            Self::Vertices { .. } => Some(target::VERTICES),
            Self::Indices => Some(target::INDICES),
            Self::Matrices | Self::Other => None,
        }
    }

    const fn stride(self) -> Option<usize> {
        match self {
            Self::Vertices { stride } => Some(stride),
            Self::Indices | Self::Matrices | Self::Other => None,
        }
    }
}

/// A view: accessors share it, as a view for each would take more text than many of them have bytes.
#[derive(Debug)]
struct Block<'a> {
    buffer: BufferId,
    use_: Use,
    parts: Vec<Part<'a>>,
    length: usize,
}

/// A place in a view.
#[derive(Debug, Clone, Copy)]
struct Place {
    view: usize,
    offset: usize,
}

#[derive(Debug)]
enum Part<'a> {
    Piece(Piece<'a>),
    Bytes(&'a [u8]),
}

/// What the text of a sparse accessor has more than that of another, in bytes.
const SPARSE_TEXT: usize = 128;

/// As what the differences of a morph target are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DifferenceFormat {
    /// Floating-point numbers.
    Float,
    /// Whole numbers of 16 bits.
    Steps16,
    /// Whole numbers of 8 bits.
    Steps8,
    /// 127ths of 8 bits, for directions.
    Turns8,
}

impl DifferenceFormat {
    /// The shortest one that holds differences of positions as they are.
    pub(super) fn of_positions(items: &[[f32; 3]]) -> Self {
        if fit_8_bits(items) {
            Self::Steps8
        } else if fit_16_bits(items) {
            Self::Steps16
        } else {
            Self::Float
        }
    }

    /// One for each vertex.
    fn whole<'a>(self, items: Cow<'a, [[f32; 3]]>) -> Piece<'a> {
        match (self, items) {
            (Self::Float, Cow::Borrowed(items)) => Piece::Vec3(items),
            (Self::Float, Cow::Owned(items)) => Piece::Places(items),
            (Self::Steps16, items) => Piece::Steps16(items),
            (Self::Steps8, items) => Piece::Steps8(items),
            (Self::Turns8, items) => Piece::Turns8(items.into_owned()),
        }
    }

    /// Only some.
    const fn packed<'a>(self, items: Vec<[f32; 3]>) -> Piece<'a> {
        match self {
            Self::Float => Piece::Places(items),
            Self::Steps16 => Piece::Packed16(items),
            Self::Steps8 | Self::Turns8 => Piece::Packed8(items),
        }
    }
}

/// Smallest and largest value of each component.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds {
    pub(super) min: Bound,
    pub(super) max: Bound,
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
        Self { min: Bound::of(min), max: Bound::of(max) }
    }

    /// The bounds of a piece: whole numbers where its items are.
    fn of_piece(self, piece: &Piece<'_>) -> Self {
        if piece.is_whole() { Self { min: self.min.whole(), max: self.max.whole() } } else { self }
    }
}

impl<'a> Binary<'a> {
    /// Plans an accessor, unless there is one that holds the same for the same use. Gives its number.
    pub(super) fn accessor(&mut self, piece: Piece<'a>, target: Option<u32>, bounds: Bounds) -> usize {
        let key = self.content(&piece, target, &bounds);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let Layout { component, shape, bytes, count } = piece.layout();
        let normalized = piece.is_normalized();
        let Bounds { min, max } = bounds.of_piece(&piece);
        let use_ = Use::of(&piece, target);
        let place = self.place(Part::Piece(piece), count * bytes, use_);
        let accessor = Accessor {
            buffer_view: Some(place.view),
            byte_offset: place.offset,
            component_type: component,
            normalized,
            count,
            shape,
            min,
            max,
            sparse: None,
        };
        self.add(key, accessor)
    }

    /// Plans vertex data without bounds.
    pub(super) fn vertices(&mut self, piece: Piece<'a>) -> usize {
        self.accessor(piece, Some(target::VERTICES), Bounds::default())
    }

    /// Plans what is added to vertices: only what is not zero, where that takes fewer bytes.
    pub(super) fn differences(
        &mut self,
        items: Cow<'a, [[f32; 3]]>,
        format: DifferenceFormat,
        bounds: Bounds,
    ) -> usize {
        let is_moved = |item: &[f32; 3]| *item != [0.0; 3];
        let moved = items.iter().filter(|item| is_moved(item)).count();
        let short = u16::try_from(items.len()).is_ok();
        let index = if short { size_of::<u16>() } else { size_of::<u32>() };
        let each = format.packed(Vec::new()).layout().bytes + index;
        let sparse_bytes = moved * each + SPARSE_TEXT;
        let whole_bytes = format.whole(Cow::default()).layout().bytes * items.len();
        if moved > 0 && sparse_bytes >= whole_bytes {
            return self.accessor(format.whole(items), Some(target::VERTICES), bounds);
        }
        let values: Vec<[f32; 3]> = items.iter().copied().filter(is_moved).collect();
        let at = items.iter().enumerate().filter(|(_, item)| is_moved(item));
        let at: Vec<u32> = at.filter_map(|(at, _)| u32::try_from(at).ok()).collect();
        let whole = format.whole(items);
        let Layout { component, shape, count, .. } = whole.layout();
        let key = self.content(&whole, Some(target::VERTICES), &bounds);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let sparse = (moved > 0).then(|| {
            let (indices, index_type) = if short {
                (Piece::Indices16(at.into()), component::U16)
            } else {
                (Piece::Indices32(at.into()), component::U32)
            };
            let (indices, values) = (self.loose(indices), self.loose(format.packed(values)));
            Box::new(Sparse {
                count: moved,
                indices: SparsePart {
                    buffer_view: indices.view,
                    byte_offset: indices.offset,
                    component_type: Some(index_type),
                },
                values: SparsePart {
                    buffer_view: values.view,
                    byte_offset: values.offset,
                    component_type: None,
                },
            })
        });
        let Bounds { min, max } = bounds.of_piece(&whole);
        let accessor = Accessor {
            buffer_view: None,
            byte_offset: 0,
            component_type: component,
            normalized: whole.is_normalized(),
            count,
            shape,
            min,
            max,
            sparse,
        };
        self.add(key, accessor)
    }

    fn content(&self, piece: &Piece<'_>, target: Option<u32>, bounds: &Bounds) -> Content {
        let (kind, raw) = piece.raw();
        let has_bounds = !bounds.min.is_empty();
        let hash = match piece {
            // Values that are limited as they are written: what is equal then is one, as it is when it is read back.
            Piece::Colors(_) | Piece::Shares16(_) => {
                let mut written = Vec::new();
                piece.write(&mut written);
                XxHash3_128::oneshot(&written)
            }
            _ => XxHash3_128::oneshot(raw),
        };
        Content { buffer: self.current, kind, target, has_bounds, hash }
    }

    fn add(&mut self, key: Content, accessor: Accessor) -> usize {
        let number = self.accessors.len();
        self.accessors.push(accessor);
        self.known.insert(key, number);
        number
    }

    /// Plans items that no accessor names, once.
    fn loose(&mut self, piece: Piece<'a>) -> Place {
        let (kind, raw) = piece.raw();
        let key = (self.current, kind, XxHash3_128::oneshot(raw));
        if let Some(known) = self.known_places.get(&key) {
            return *known;
        }
        let Layout { bytes, count, .. } = piece.layout();
        let place = self.place(Part::Piece(piece), count * bytes, Use::Other);
        self.known_places.insert(key, place);
        place
    }

    /// Plans a view of plain bytes. Gives its number.
    pub(super) fn bytes(&mut self, bytes: &'a [u8]) -> usize {
        let view = self.blocks.len();
        let (buffer, use_) = (self.current, Use::Other);
        self.blocks.push(Block { buffer, use_, parts: vec![Part::Bytes(bytes)], length: bytes.len() });
        view
    }

    /// Plans a part of the view for its use, on a multiple of four bytes.
    fn place(&mut self, part: Part<'a>, length: usize, use_: Use) -> Place {
        let buffer = self.current;
        let view = *self.uses.entry((buffer, use_)).or_insert_with(|| {
            self.blocks.push(Block { buffer, use_, parts: Vec::new(), length: 0 });
            self.blocks.len() - 1
        });
        let block = &mut self.blocks[view];
        let offset = block.length.saturating_add(padding(block.length));
        block.parts.push(part);
        // Saturates at the end of the address space, far beyond the 4 GiB that are refused.
        block.length = offset.saturating_add(length);
        Place { view, offset }
    }

    /// What is planned from here on goes into a buffer of its own, named after its source.
    pub(super) fn begin_shared(&mut self, source: &'a str) {
        self.sources.push(source);
        self.current = BufferId(self.sources.len());
    }

    /// What is planned from here on goes into the file's own buffer.
    pub(super) fn end_shared(&mut self) {
        self.current = BufferId::default();
    }

    /// The buffers that hold anything, the file's own first.
    pub(super) fn buffers(&self) -> Vec<PlannedBuffer<'a>> {
        let mut buffers = vec![PlannedBuffer { source: None, id: BufferId(0), byte_length: 0, hash: 0 }];
        let shared = self.sources.iter().zip(1..);
        buffers.extend(shared.map(|(source, id)| PlannedBuffer {
            source: Some(source),
            id: BufferId(id),
            byte_length: 0,
            hash: 0,
        }));
        for block in &self.blocks {
            if let Some(buffer) = buffers.get_mut(block.buffer.0) {
                buffer.byte_length = buffer.byte_length.saturating_add(block.padded());
                if buffer.source.is_some() {
                    buffer.hash = block.hash(buffer.hash);
                }
            }
        }
        buffers.retain(|buffer| buffer.byte_length > 0);
        buffers
    }

    /// The views of the buffers, of which only those given are written.
    pub(super) fn views(&self, buffers: &[PlannedBuffer<'_>]) -> Vec<BufferView> {
        let mut lengths: HashMap<BufferId, usize> = HashMap::new();
        let view = |block: &Block<'_>| {
            let start = lengths.entry(block.buffer).or_default();
            let view = BufferView {
                buffer: buffers.iter().position(|buffer| buffer.id == block.buffer).unwrap_or_default(),
                byte_offset: *start,
                byte_length: block.length,
                byte_stride: block.use_.stride(),
                target: block.use_.target(),
            };
            *start = start.saturating_add(block.padded());
            view
        };
        self.blocks.iter().map(view).collect()
    }

    /// Writes a buffer, padded with zeros.
    pub(super) fn write(&self, buffer: &PlannedBuffer<'_>, out: &mut Vec<u8>) {
        let start = out.len();
        let blocks = self.blocks.iter().filter(|block| block.buffer == buffer.id);
        for part in blocks.flat_map(|block| &block.parts) {
            match part {
                Part::Piece(piece) => piece.write(out),
                Part::Bytes(bytes) => out.extend_from_slice(bytes),
            }
            let written = out.len() - start;
            out.resize(out.len() + padding(written), 0);
        }
    }
}

/// A buffer as it is going to be written.
#[derive(Debug)]
pub(super) struct PlannedBuffer<'a> {
    /// What it is named after; nothing for the file's own.
    pub(super) source: Option<&'a str>,
    id: BufferId,
    /// A multiple of four.
    pub(super) byte_length: usize,
    /// Of what is in it, for one that is shared.
    pub(super) hash: u128,
}

impl Block<'_> {
    /// Its bytes, up to where the next one starts.
    fn padded(&self) -> usize {
        self.length.saturating_add(padding(self.length))
    }

    /// A hash of what is in it, and of what was hashed before.
    fn hash(&self, before: u128) -> u128 {
        let target = self.use_.target().map_or(u64::MAX, u64::from);
        let stride = self.use_.stride().map_or(u64::MAX, |it| it as u64);
        let mut sum = Vec::with_capacity((self.parts.len() + 3) * 16);
        sum.extend(before.to_le_bytes());
        sum.extend(target.to_le_bytes());
        sum.extend(stride.to_le_bytes());
        for part in &self.parts {
            let (kind, raw) = match part {
                Part::Piece(piece) => piece.raw(),
                Part::Bytes(bytes) => (u8::MAX, *bytes),
            };
            sum.push(kind);
            sum.extend(XxHash3_128::oneshot(raw).to_le_bytes());
        }
        XxHash3_128::oneshot(&sum)
    }
}
