//! SMK: a Smacker video. Only the header is read: common players and ffmpeg decode the video itself.

mod layout;
#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Products, Report, Score, Target,
};
use json::{Document, Value, json};
use record::schema::declared;
use record::{Declared, Error, Result, Source, Span, Visit, Visitor, read_whole, trace_whole};

pub use layout::{Header, Track, flag};
pub use warning::CODES;

/// Smacker videos.
pub static FORMAT: Format = Format::new("paint.smk", "Smacker video", open)
    .extensions(&["smk"])
    .probe(|file| (file.starts_with(b"SMK2") || file.starts_with(b"SMK4")).then_some(Score::CERTAIN))
    .schema(declared::<Video>)
    .spans(|asset, source, visitor| match asset.typed::<Video>() {
        Some(video) => video.trace(source, visitor),
        None => Err(Error::usage("not a Smacker video")),
    })
    .names(Names::of_file(NameKind::Texture))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Video::read(source)?))
}

/// The header and size of a Smacker video.
#[derive(Declared, Debug, Clone, PartialEq, Eq)]
pub struct Video {
    /// The header.
    pub header: Header,
    /// Size of the file in bytes.
    #[record(by = "tables of the frames' sizes and types, Huffman trees, and compressed frames")]
    pub length: u64,
    /// Total size of the frames in bytes; `None` when the table of frame sizes is truncated.
    pub packets: Option<u64>,
}

impl Video {
    /// Reads only the header and the frame sizes.
    ///
    /// # Errors
    /// When the header is truncated or the file is not a Smacker video.
    pub fn read(source: &Source) -> Result<Self> {
        let header: Header = read_whole(&source.head(Header::SIZE)?, ())?;
        if !matches!(&header.version.0, b"SMK2" | b"SMK4") {
            let message = format!("expected \"SMK2\" or \"SMK4\", found \"{}\"", header.version);
            return Err(Error::malformed(message).at(0).in_field("version"));
        }
        let mut out = Self { header, length: source.len(), packets: None };
        let [sizes, ..] = out.sections();
        if sizes.end <= out.length {
            let table = source.read(sizes)?;
            let (sizes, _) = table.as_chunks::<4>();
            // The lower two bits are flags.
            let sizes = sizes.iter().map(|size| u64::from(u32::from_le_bytes(*size) & !3));
            out.packets = Some(sizes.fold(0, u64::saturating_add));
        }
        Ok(out)
    }

    /// The byte ranges of the frame sizes, the frame types and the trees.
    fn sections(&self) -> [std::ops::Range<u64>; 3] {
        let frames = self.header.stored_frames();
        let sizes = Header::SIZE.saturating_add(frames.saturating_mul(4));
        let kinds = sizes.saturating_add(frames);
        let trees = kinds.saturating_add(self.header.trees_size.into());
        [Header::SIZE..sizes, sizes..kinds, kinds..trees]
    }

    /// The expected size of the file in bytes, as far as it is known.
    #[must_use]
    pub fn needed(&self) -> u64 {
        let [.., trees] = self.sections();
        trees.end.saturating_add(self.packets.unwrap_or_default())
    }

    fn facts(&self) -> Value {
        let header = &self.header;
        json!({
            "width": header.width,
            "height": header.height,
            "rows_are_doubled": header.flags & (flag::DOUBLED | flag::INTERLACED) != 0,
            "frames": header.frames,
            "frames_per_second": header.frames_per_second(),
            "seconds": f64::from(header.frames) / header.frames_per_second(),
            "leads_back": header.flags & flag::RING != 0,
            "tracks": header.tracks().collect::<Vec<_>>(),
        })
    }
}

impl Asset for Video {
    fn describe(&self, detail: Detail) -> Description {
        let header = &self.header;
        let tracks = header.tracks().count();
        let plural = if tracks == 1 { "track" } else { "tracks" };
        Description {
            summary: format!(
                "video, {} frames, {} x {}, {:.2} frames per second, {tracks} audio {plural}; play it with ffmpeg or any player",
                header.frames,
                header.width,
                header.height,
                header.frames_per_second()
            ),
            dialect: header.version.text(),
            counts: Counts::new().with("frames", header.frames).with("tracks", tracks),
            fields: match detail {
                Detail::Brief => self.facts().into(),
                Detail::Full => Document::of(header).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        let header = &self.header;
        if header.width == 0 || header.height == 0 {
            let message = format!("{} x {} is not a valid size", header.width, header.height);
            report.warn(&warning::SIZE, message).in_field("width");
        }
        let (needed, length) = (self.needed(), self.length);
        if self.packets.is_none() || needed > length {
            let message = format!("the video needs {needed} bytes, but the file has {length}");
            report.warn(&warning::CUT, message).at(length);
        } else if needed < length {
            let message = format!("{} unexpected bytes after the last frame", length.saturating_sub(needed));
            report.warn(&warning::LEFT_OVER, message).in_field("rest");
        }
    }

    fn products<'a>(&'a self, _context: &Context<'a>, _target: Target<'a>) -> Result<Products<'a>> {
        Err(Error::unsupported("`paint.smk` files cannot be converted; use ffmpeg"))
    }
}

impl Video {
    /// Visits the spans of the file.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn trace(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
        let mut is_stopped = false;
        let mut visit_span = |span: Span<'_>| {
            let visit = visitor.span(span);
            is_stopped |= visit == Visit::Stop;
            visit
        };
        trace_whole::<Header>(&source.head(Header::SIZE)?, (), &mut visit_span)?;
        let [sizes, kinds, trees] = self.sections();
        let frames_end = trees.end.saturating_add(self.packets.unwrap_or_default());
        let parts = [
            ("frame_sizes", sizes),
            ("frame_kinds", kinds),
            ("trees", trees.clone()),
            ("frames", trees.end..frames_end),
            ("rest", frames_end..self.length),
        ];
        for (path, part) in parts {
            let (start, end) = (part.start.min(self.length), part.end.min(self.length));
            if start < end && !is_stopped {
                let value = format!("{} bytes", end.saturating_sub(start));
                is_stopped |= visitor.span(Span { start, end, path, value: &value }) == Visit::Stop;
            }
        }
        Ok(())
    }
}
