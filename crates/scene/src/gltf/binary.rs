//! The binary buffer: planned first, so that every offset is known and memory is allocated once; then written.

use std::borrow::Cow;
use std::collections::HashMap;

use twox_hash::XxHash3_128;

use super::piece::{Layout, Piece, component, fit_8_bits, fit_16_bits};
use super::schema::{Accessor, Bound, BufferView, Sparse, SparsePart};

/// Alignment of all items, in bytes.
const ALIGNMENT: usize = 4;

/// Targets of buffer views.
pub(super) mod target {
    pub(in crate::gltf) const VERTICES: u32 = 34962;
    pub(in crate::gltf) const INDICES: u32 = 34963;
}

/// Returns the number of bytes up to the next multiple of four.
pub(super) fn padding(length: usize) -> usize {
    length.next_multiple_of(ALIGNMENT) - length
}

/// The planned buffers, with the views and accessors into them.
#[derive(Debug, Default)]
pub(super) struct Binary<'a> {
    /// The views, in the order in which they are written.
    blocks: Vec<Block<'a>>,
    /// The index of the view for each buffer and use.
    uses: HashMap<(BufferId, Use), usize>,
    pub(super) accessors: Vec<Accessor>,
    /// The accessors by content and use: equal ones are merged.
    known: HashMap<Content, usize>,
    /// Locations of items that only sparse accessors refer to, by content.
    known_locations: HashMap<(BufferId, u8, u128), Location>,
    /// Names of the sources of the buffers after the first.
    sources: Vec<&'a str>,
    /// The buffer that items are currently added to.
    current: BufferId,
}

/// Index of a buffer: first the file's own buffer, then the buffers that are shared with other files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct BufferId(usize);

/// The content and use of an accessor, as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Content {
    buffer: BufferId,
    kind: u8,
    target: Option<u32>,
    has_bounds: bool,
    hash: u128,
}

/// The use of the items of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    /// Vertex attributes. The stride must be written.
    Vertices {
        stride: usize,
    },
    Indices,
    /// The inverse bind matrices of skins, which must not share a view with other items.
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

/// A view. Accessors share it, because the JSON text of a separate view would be longer than the data of many
/// accessors.
#[derive(Debug)]
struct Block<'a> {
    buffer: BufferId,
    usage: Use,
    chunks: Vec<Chunk<'a>>,
    length: usize,
}

/// A location in a view.
#[derive(Debug, Clone, Copy)]
struct Location {
    view: usize,
    offset: usize,
}

#[derive(Debug)]
enum Chunk<'a> {
    Piece(Piece<'a>),
    Bytes(&'a [u8]),
}

/// Additional length of the JSON text of a sparse accessor, in bytes.
const SPARSE_TEXT: usize = 128;

/// The format in which the differences of a morph target are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DifferenceFormat {
    /// Floating-point numbers.
    Float,
    /// 16-bit integers.
    Steps16,
    /// 8-bit integers.
    Steps8,
    /// Signed normalized 8-bit integers (127ths), for directions.
    Snorm8,
}

impl DifferenceFormat {
    /// Returns the shortest format that stores differences of positions exactly.
    pub(super) fn of_positions(items: &[[f32; 3]]) -> Self {
        if fit_8_bits(items) {
            Self::Steps8
        } else if fit_16_bits(items) {
            Self::Steps16
        } else {
            Self::Float
        }
    }

    /// Returns a piece with one item per vertex.
    fn dense<'a>(self, items: Cow<'a, [[f32; 3]]>) -> Piece<'a> {
        match (self, items) {
            (Self::Float, Cow::Borrowed(items)) => Piece::Vec3(items),
            (Self::Float, Cow::Owned(items)) => Piece::OwnedVec3(items),
            (Self::Steps16, items) => Piece::Steps16(items),
            (Self::Steps8, items) => Piece::Steps8(items),
            (Self::Snorm8, items) => Piece::Snorm8(items.into_owned()),
        }
    }

    /// Returns a piece with selected items only, for sparse accessors.
    const fn packed<'a>(self, items: Vec<[f32; 3]>) -> Piece<'a> {
        match self {
            Self::Float => Piece::OwnedVec3(items),
            Self::Steps16 => Piece::Packed16(items),
            Self::Steps8 | Self::Snorm8 => Piece::Packed8(items),
        }
    }
}

/// Minimum and maximum of each component.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds {
    pub(super) min: Bound,
    pub(super) max: Bound,
}

impl Bounds {
    /// Computes the bounds of finite numbers.
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

    /// Returns the bounds in the format of a piece: integers if its items are integers.
    fn for_piece(self, piece: &Piece<'_>) -> Self {
        if piece.is_integer() {
            Self { min: self.min.to_integers(), max: self.max.to_integers() }
        } else {
            self
        }
    }
}

impl<'a> Binary<'a> {
    /// Plans an accessor, unless one with the same content and use exists. Returns its index.
    pub(super) fn accessor(&mut self, piece: Piece<'a>, target: Option<u32>, bounds: Bounds) -> usize {
        let key = self.content(&piece, target, &bounds);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let Layout { component, shape, bytes, count } = piece.layout();
        let normalized = piece.is_normalized();
        let Bounds { min, max } = bounds.for_piece(&piece);
        let usage = Use::of(&piece, target);
        let location = self.add_chunk(Chunk::Piece(piece), count * bytes, usage);
        let accessor = Accessor {
            buffer_view: Some(location.view),
            byte_offset: location.offset,
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

    /// Plans an accessor for vertex data without bounds.
    pub(super) fn vertices(&mut self, piece: Piece<'a>) -> usize {
        self.accessor(piece, Some(target::VERTICES), Bounds::default())
    }

    /// Plans an accessor for differences of vertices; it is sparse if that takes fewer bytes.
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
        let dense_bytes = format.dense(Cow::default()).layout().bytes * items.len();
        if moved > 0 && sparse_bytes >= dense_bytes {
            return self.accessor(format.dense(items), Some(target::VERTICES), bounds);
        }
        let values: Vec<[f32; 3]> = items.iter().copied().filter(is_moved).collect();
        let at = items.iter().enumerate().filter(|(_, item)| is_moved(item));
        let at: Vec<u32> = at.filter_map(|(at, _)| u32::try_from(at).ok()).collect();
        let dense = format.dense(items);
        let Layout { component, shape, count, .. } = dense.layout();
        let key = self.content(&dense, Some(target::VERTICES), &bounds);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let sparse = (moved > 0).then(|| {
            let (indices, index_type) = if short {
                (Piece::Indices16(at.into()), component::U16)
            } else {
                (Piece::Indices32(at.into()), component::U32)
            };
            let (indices, values) = (self.sparse_data(indices), self.sparse_data(format.packed(values)));
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
        let Bounds { min, max } = bounds.for_piece(&dense);
        let accessor = Accessor {
            buffer_view: None,
            byte_offset: 0,
            component_type: component,
            normalized: dense.is_normalized(),
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
            // Values that are clamped when they are written: those with equal results are equal, as when they are read
            // back.
            Piece::Colors(_) | Piece::Unorm16(_) => {
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

    /// Plans items without an accessor. Equal items are stored once.
    fn sparse_data(&mut self, piece: Piece<'a>) -> Location {
        let (kind, raw) = piece.raw();
        let key = (self.current, kind, XxHash3_128::oneshot(raw));
        if let Some(known) = self.known_locations.get(&key) {
            return *known;
        }
        let Layout { bytes, count, .. } = piece.layout();
        let location = self.add_chunk(Chunk::Piece(piece), count * bytes, Use::Other);
        self.known_locations.insert(key, location);
        location
    }

    /// Plans a view of raw bytes. Returns its index.
    pub(super) fn bytes(&mut self, bytes: &'a [u8]) -> usize {
        let view = self.blocks.len();
        let (buffer, usage) = (self.current, Use::Other);
        self.blocks.push(Block { buffer, usage, chunks: vec![Chunk::Bytes(bytes)], length: bytes.len() });
        view
    }

    /// Adds a chunk to the view for its use, aligned to four bytes.
    fn add_chunk(&mut self, chunk: Chunk<'a>, length: usize, usage: Use) -> Location {
        let buffer = self.current;
        let view = *self.uses.entry((buffer, usage)).or_insert_with(|| {
            self.blocks.push(Block { buffer, usage, chunks: Vec::new(), length: 0 });
            self.blocks.len() - 1
        });
        let block = &mut self.blocks[view];
        let offset = block.length.saturating_add(padding(block.length));
        block.chunks.push(chunk);
        // Saturates at the end of the address space, far beyond the 4 GiB limit.
        block.length = offset.saturating_add(length);
        Location { view, offset }
    }

    /// Starts a separate buffer for the items that follow, named after its source.
    pub(super) fn begin_shared(&mut self, source: &'a str) {
        self.sources.push(source);
        self.current = BufferId(self.sources.len());
    }

    /// Adds the items that follow to the file's own buffer again.
    pub(super) fn end_shared(&mut self) {
        self.current = BufferId::default();
    }

    /// Returns the non-empty buffers, starting with the file's own.
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

    /// Returns the views into the given buffers.
    pub(super) fn views(&self, buffers: &[PlannedBuffer<'_>]) -> Vec<BufferView> {
        let mut lengths: HashMap<BufferId, usize> = HashMap::new();
        let view = |block: &Block<'_>| {
            let start = lengths.entry(block.buffer).or_default();
            let view = BufferView {
                buffer: buffers.iter().position(|buffer| buffer.id == block.buffer).unwrap_or_default(),
                byte_offset: *start,
                byte_length: block.length,
                byte_stride: block.usage.stride(),
                target: block.usage.target(),
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
        for chunk in blocks.flat_map(|block| &block.chunks) {
            match chunk {
                Chunk::Piece(piece) => piece.write(out),
                Chunk::Bytes(bytes) => out.extend_from_slice(bytes),
            }
            let written = out.len() - start;
            out.resize(out.len() + padding(written), 0);
        }
    }
}

/// A buffer to be written.
#[derive(Debug)]
pub(super) struct PlannedBuffer<'a> {
    /// The source it is named after; `None` for the file's own buffer.
    pub(super) source: Option<&'a str>,
    id: BufferId,
    /// Length in bytes, a multiple of four.
    pub(super) byte_length: usize,
    /// Hash of the content of a shared buffer.
    pub(super) hash: u128,
}

impl Block<'_> {
    /// Returns its length including the padding before the next one.
    fn padded(&self) -> usize {
        self.length.saturating_add(padding(self.length))
    }

    /// Combines a previous hash with the hash of the content.
    fn hash(&self, before: u128) -> u128 {
        let target = self.usage.target().map_or(u64::MAX, u64::from);
        let stride = self.usage.stride().map_or(u64::MAX, |it| it as u64);
        let mut sum = Vec::with_capacity((self.chunks.len() + 3) * 16);
        sum.extend(before.to_le_bytes());
        sum.extend(target.to_le_bytes());
        sum.extend(stride.to_le_bytes());
        for chunk in &self.chunks {
            let (kind, raw) = match chunk {
                Chunk::Piece(piece) => piece.raw(),
                Chunk::Bytes(bytes) => (u8::MAX, *bytes),
            };
            sum.push(kind);
            sum.extend(XxHash3_128::oneshot(raw).to_le_bytes());
        }
        XxHash3_128::oneshot(&sum)
    }
}
