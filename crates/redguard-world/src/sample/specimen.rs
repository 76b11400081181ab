//! A small file of each format, version and compression: input for golden dumps and the fuzzing corpus.

use asset::FixedText;
use asset::Sink;
use media::picture::Frames;
use record::{Bytes, Raw, Result};
use scene::image::Delay;
use scene::sound::{Depth, SampleFormat, SampleLoop, Sound};

use super::canvas::{palette, six_bit};
use super::sound::{self, Operators};
use super::{entry, island, rest};
use crate::ai::{self, AiFile, Group, Groups};
use crate::map::AnimationCommand;
use crate::model::solid::{Solid, SolidCorner, SolidFace};
use crate::model::{FaceTexture, Model, Version};
use crate::visibility::{
    Ending, Header, List, Lists, NO_LIST, Node, Nodes, Objects, Patch, Patches, Run, Section, Visibility,
};
use redguard_files::picture::bsi::Bsi;
use redguard_files::picture::gxa::{Frame, Gxa, Pixels};
use redguard_files::picture::palette::Palette;
use redguard_files::picture::texbsi::{Bank, End, Image};
use redguard_files::picture::texture::TextureSet;
use redguard_files::sound::rtx::{Content, Dialogue};
use redguard_files::sound::sfx::{Effect, SoundBank};
use redguard_files::sound::timbre::{Entry, Timbre, TimbreRef};
use redguard_files::text::fnt::{Font, Glyph};

/// Width and height of all images, in pixels.
const WIDTH: u16 = 3;
const HEIGHT: u16 = 2;

/// Two frames of six pixels.
fn frames() -> Vec<Vec<u8>> {
    vec![vec![0, 17, 34, 51, 68, 85], vec![0, 17, 34, 68, 68, 68]]
}

fn frame() -> Vec<u8> {
    frames().into_iter().next().unwrap_or_default()
}

/// Writes the files, each into a folder named after its format.
///
/// # Errors
/// Errors of the sink.
pub fn specimens(sink: &mut dyn Sink) -> Result<()> {
    pictures(sink)?;
    banks(sink)?;
    models(sink)?;
    sounds(sink)?;
    sink.put("wld/tile.wld", &super::terrain::specimen().write()?)?;
    sink.put("pvo/tree.pvo", &tree().write()?)?;
    sink.put("ai/GUARD.AI", &guard().write()?)?;
    rest::specimens(sink)
}

/// A separate script with two animation groups, one of which has a jump, and a section that is kept as bytes.
fn guard() -> AiFile {
    let group = |number, commands: &[u32]| Group {
        number,
        animation: 2,
        kind: 0,
        commands: commands.iter().copied().map(AnimationCommand).collect(),
        rest: Bytes::default(),
    };
    // Two frames and a jump to the first; a frame, a sound and the end.
    let groups = vec![group(0, &[0x00, 0x10, 0x02]), group(30, &[0x20, 0x14, 0x01])];
    let groups = Groups { most_group: 30, groups, list_end: true, rest: Bytes::default() };
    let code = ai::Section::Other { tag: FixedText(*b"ABCD"), data: Bytes(vec![0x18]) };
    AiFile { sections: vec![ai::Section::Groups(groups), code], end: true, rest: Bytes::default() }
}

/// A root with two octants that share their list, and a patch.
fn tree() -> Visibility {
    let node = |child_mask, list, children| Node { child_mask, list, children };
    let nodes = vec![node(0x81, NO_LIST, vec![13, 18]), node(0, 0, Vec::new()), node(0, 13, Vec::new())];
    let run = |start, count| Run { count, start };
    let lists = vec![List { runs: vec![run(0, 2), run(3, 1)] }, List { runs: vec![run(1, 3)] }];
    let header = Header {
        depth: 10,
        total_nodes: 3,
        leaf_nodes: 2,
        object_count: 4,
        unused_10: 0,
        cell_size: 1024,
        center: [256, -512, 768],
        unused_24: Raw([0; 16]),
    };
    let sections = vec![
        Section::Header(header),
        Section::Nodes(Nodes { nodes }),
        Section::Lists(Lists { lists }),
        Section::Objects(Objects { objects: vec![5, 6, 7, 5] }),
        Section::Patches(Patches { patches: vec![Patch { node: 13 / 5, object: 9 }] }),
    ];
    Visibility {
        sections,
        has_end: true,
        end: Some(Ending { data: Bytes::default() }),
        rest: Bytes::default(),
    }
}

fn pictures(sink: &mut dyn Sink) -> Result<()> {
    sink.put("col/palette.col", &Palette::new(palette()).write()?)?;
    sink.put("gxa/every-packing.gxa", &bitmaps()?.write()?)?;
    sink.put("fnt/font.fnt", &font()?.write()?)?;
    let pictures = [frames(), vec![frame()]].map(|frames| Frames {
        width: WIDTH.into(),
        height: HEIGHT.into(),
        frames,
        delay: Delay::milliseconds(70),
    });
    sink.put("texture/TEXTURE.001", &TextureSet::new("sample", &pictures)?.write()?)
}

/// One frame per compression.
fn bitmaps() -> Result<Gxa> {
    let mut out = Gxa::new(six_bit(), vec![(WIDTH, HEIGHT, frame())])?;
    let Some(first) = out.frames.pop() else { return Ok(out) };
    let packed = |width, height, pixels| Frame { width, height, pixels, ..first.clone() };
    out.frames = vec![
        packed(WIDTH, HEIGHT, Pixels::Raw(frame().into())),
        packed(WIDTH, HEIGHT, Pixels::Rle(vec![0x83, 7, 1, 8, 9].into())),
        packed(3, 1, Pixels::Lzhuf { raw_size: 3, data: vec![0xff; 12].into() }),
    ];
    Ok(out)
}

fn font() -> Result<Font> {
    let glyph = |width: u16, pixels: &[u8]| Glyph {
        enabled: 1,
        offset_left: 0,
        offset_top: 1,
        width,
        height: 2,
        pixels: Bytes::from(pixels),
    };
    Font::new(4, six_bit(), vec![glyph(1, &[0, 0]), glyph(2, &[1, 0, 1, 1])])
}

fn banks(sink: &mut dyn Sink) -> Result<()> {
    let image = |frames: &[Vec<u8>], palette| Image::new(WIDTH.into(), HEIGHT.into(), frames, 70, palette);
    let static_image = || image(&[frame()], None);
    let animated_image = || image(&frames(), Some(six_bit()));
    let entries = vec![entry(302, 0, static_image()?), entry(302, 1, animated_image()?)];
    sink.put("texbsi/TEXBSI.302", &Bank { entries, ..Bank::default() }.write()?)?;
    let mut open = static_image()?;
    open.end = End::TagOnly;
    for (name, image) in
        [("still", static_image()?), ("moving", animated_image()?), ("end-without-length", open)]
    {
        sink.put(&format!("bsi/{name}.bsi"), &Bsi { image, rest: Bytes::default() }.write()?)?;
    }
    Ok(())
}

/// A textured and a colored triangle with this number of frames.
fn leaf(frames: u8) -> Solid {
    let corner = |vertex, uv| SolidCorner { vertex, uv, normal: [0.0; 3] };
    let face = |vertices: [u32; 3], texture| SolidFace {
        corners: vertices
            .into_iter()
            .zip([[0, 0], [0, 64], [64, 64]])
            .map(|(vertex, uv)| corner(vertex, uv))
            .collect(),
        texture,
    };
    let vertices = |frame: u8| {
        vec![[0.0, 0.0, 0.0], [0.0, -4.0, 0.0], [4.0 + f64::from(frame), 0.0, 0.0], [4.0, -4.0, 1.0]]
    };
    Solid {
        frames: (0..frames).map(vertices).collect(),
        faces: vec![
            face([0, 1, 2], FaceTexture::Image { bank: 302, image: 0 }),
            face([2, 1, 3], FaceTexture::Color(68)),
        ],
    }
}

fn models(sink: &mut dyn Sink) -> Result<()> {
    for version in Version::ALL {
        let model = |frames| match version.is_glide() {
            true => Model::Glide(leaf(frames).glide(version)),
            false => {
                let mut model = leaf(frames).software();
                model.header.version = version;
                Model::Software(model)
            }
        };
        sink.put(&format!("3d/{version}.3d"), &model(1).write()?)?;
        if version.is_glide() {
            sink.put(&format!("3d/{version}-moving.3dc"), &model(2).write()?)?;
        }
    }
    sink.put("rob/models.rob", &island::specimen(&leaf(1))?.write()?)
}

/// Timbres of each length, and an entry that shares a timbre.
fn timbres(sink: &mut dyn Sink) -> Result<()> {
    let mut library = sound::library(Operators::Four);
    library.entries.push(Entry { patch: 20, bank: 0, timbre: TimbreRef::Number(1) });
    library.entries.push(Entry { patch: 21, bank: 0, timbre: TimbreRef::Number(3) });
    library.timbres.push(Timbre::Other { length: 5, data: Bytes::from(vec![1, 2, 3]) });
    sink.put("timbres/SAMPLE.OPL", &library.write()?)
}

fn sounds(sink: &mut dyn Sink) -> Result<()> {
    let sound = |channels, depth, loops| Sound {
        form: SampleFormat { rate: 11_025, channels, depth },
        data: vec![0, 1, 2, 3, 4, 5, 6, 7],
        loops,
    };
    let looping = Some(vec![SampleLoop { start: 0, end: 8, times: 0 }]);
    let sounds = [
        sound(1, Depth::Eight, looping),
        sound(1, Depth::Sixteen, None),
        sound(2, Depth::Eight, None),
        sound(2, Depth::Sixteen, None),
    ];
    let effects = sounds.iter().map(|sound| Effect::new(sound, 100)).collect::<Result<_>>()?;
    sink.put("sfx/effects.sfx", &SoundBank::new(effects).write()?)?;
    timbres(sink)?;
    let mut bytes = Vec::new();
    let lines = vec![
        (FixedText::new("tide")?, Content::voiced("Mind the tide.", &sound(1, Depth::Eight, None), 100)?),
        (FixedText::new("?lmp")?, Content::new("Séverin's lamp")?),
    ];
    Dialogue::new(lines).write(&mut bytes)?;
    sink.put("rtx/dialogue.rtx", &bytes)
}
