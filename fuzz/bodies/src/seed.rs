//! The seeds of the fuzz targets, built from the small sample files of each format.

use antiquary::asset::MemorySink;
use antiquary::asset::unpack::MANIFEST;
use antiquary::scene::image::encode_png;
use antiquary::{Format, Report, Source, Target, sample};

use soup::bytecode::{Operands, Script};
use soup::mm::ActorFacts;

use crate::part::join;
use crate::script::with_surroundings;
use crate::subject::{formats, open, unpack_into, without_folder};

/// An input that fuzzing starts from.
#[derive(Debug, Clone)]
pub struct Seed {
    /// A safe file name.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Seed {
    fn new(path: &str, bytes: Vec<u8>) -> Self {
        Self { name: path.replace('/', "-"), bytes }
    }
}

/// The small sample files: path, format and bytes.
fn specimens() -> Vec<(String, &'static Format, Vec<u8>)> {
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).expect("the samples can be written");
    let format_of = |path: &str| {
        let (folders, _) = path.rsplit_once('/')?;
        formats().find(|format| format.id == folders.replace('/', "."))
    };
    let files = sink.files().iter();
    files.filter_map(|(path, bytes)| Some((path.clone(), format_of(path)?, bytes.clone()))).collect()
}

/// The small sample files, unchanged.
pub(crate) fn files() -> Vec<Seed> {
    specimens().into_iter().map(|(path, _, bytes)| Seed::new(&path, bytes)).collect()
}

/// Each file with each kind of edit.
pub(crate) fn edits() -> Vec<Seed> {
    let packable = specimens().into_iter().filter(|(_, format, _)| format.pack.is_some());
    let edited = |(path, _, bytes): (String, _, Vec<u8>)| {
        (0_u8..16).map(move |kind| {
            let edits: Vec<u8> = (0_u8..4)
                .flat_map(|step| [step.wrapping_mul(37).wrapping_add(kind), 0, kind, kind, 3, step])
                .collect();
            Seed::new(&format!("{path}-{kind}"), join(&[&bytes, &edits]))
        })
    };
    packable.flat_map(edited).collect()
}

/// Each file with a request for one of its views.
pub(crate) fn requests() -> Vec<Seed> {
    let requests = [
        "fields&at=header",
        "scene",
        "table&sort=name&filter=a",
        "bytes&from=16&count=64",
        "image&frame=1&item=1",
    ];
    let with_request = |((path, _, bytes), kind): ((String, _, Vec<u8>), &&str)| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let request = format!("view/root/{name}?kind={kind}");
        Seed::new(&path, join(&[request.as_bytes(), name.as_bytes(), &bytes]))
    };
    specimens().into_iter().zip(requests.iter().cycle()).map(with_request).collect()
}

/// Each file unpacked.
pub(crate) fn folders() -> Vec<Seed> {
    let unpacked = |(path, format, bytes): (String, &'static Format, Vec<u8>)| {
        format.pack?;
        let source = Source::from(bytes);
        let mut sink = MemorySink::new();
        unpack_into(format, &*open(format, &source)?, &source, &mut sink)
            .expect("the samples can be unpacked");
        let files = sink.files();
        let (_, manifest) = files.iter().find(|(name, _)| name.as_str() == MANIFEST)?;
        let mut parts = vec![manifest.as_slice()];
        for (name, bytes) in files.iter().filter(|(name, _)| name.as_str() != MANIFEST) {
            parts.extend([name.as_bytes(), bytes.as_slice()]);
        }
        Some(Seed::new(&path, join(&parts)))
    };
    specimens().into_iter().filter_map(unpacked).collect()
}

/// Each archive with each of its first entries replaced by its own content, an image and a sound.
pub(crate) fn replacements() -> Vec<Seed> {
    let pixels = [[1, 2, 3, 255]; 6];
    let picture =
        antiquary::scene::image::Rgba8::new(3, 2, pixels.concat()).expect("six pixels are three by two");
    let picture = encode_png(&picture);
    let sound = sound();
    let mut out = Vec::new();
    for (path, format, bytes) in specimens() {
        let source = Source::from(bytes.clone());
        let Some(asset) = open(format, &source) else { continue };
        let Some(archive) = format.archive_of(&*asset) else { continue };
        for number in 0..u8::try_from(archive.count()).unwrap_or(u8::MAX).min(4) {
            let own = archive.open(number.into()).and_then(|own| Ok(own.read_all()?.into_owned()));
            for (name, content) in
                [("own", own.unwrap_or_default()), ("a.png", picture.clone()), ("a.wav", sound.clone())]
            {
                let head = [&[number][..], name.as_bytes()].concat();
                let input = join(&[&head, &bytes, &content]);
                out.push(Seed::new(&format!("{path}-{number}-{name}"), input));
            }
        }
    }
    out
}

/// A WAV file with eight samples.
fn sound() -> Vec<u8> {
    let header: [&[u8]; 4] = [
        b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0",
        // PCM, one channel, 11,025 Hz, 8 bits.
        b"\x01\0\x01\0\x11\x2b\0\0\x11\x2b\0\0\x01\0\x08\0",
        b"data\x08\0\0\0",
        &[128, 129, 130, 131, 132, 131, 130, 129],
    ];
    header.concat()
}

/// Each file that can be converted to a scene, as GLB and as glTF with separate files.
pub(crate) fn scenes() -> Vec<Seed> {
    let mut out = Vec::new();
    for (path, format, bytes) in specimens() {
        let source = Source::from(bytes);
        let Some(asset) = open(format, &source) else { continue };
        for extension in ["glb", "gltf"] {
            let main = format!("file.{extension}");
            let target = Target::new("file", 1.0);
            let (mut sink, mut report) = (MemorySink::new(), Report::new());
            let converted = without_folder(format, |context| {
                format.convert(&*asset, extension, context, target, &mut sink, &mut report)
            });
            if converted.is_err() {
                continue;
            }
            let (first, others): (Vec<_>, Vec<_>) = sink.files().iter().partition(|(name, _)| **name == main);
            let parts: Vec<_> = first.into_iter().chain(others).map(|(_, bytes)| bytes.as_slice()).collect();
            out.push(Seed::new(&format!("{path}.{extension}"), join(&parts)));
        }
    }
    out
}

/// The small images of the sample games, and images of kinds that this project does not write.
pub(crate) fn pictures() -> Vec<Seed> {
    let mut sink = MemorySink::new();
    for game in antiquary::GAMES {
        (game.sample)(&mut sink).expect("the samples can be written");
    }
    let is_picture = |name: &str| [".png", ".bmp", ".tga"].iter().any(|ending| name.ends_with(ending));
    let small = |bytes: &[u8]| bytes.len() < 8 << 10;
    let files = sink.files().iter().filter(|(name, bytes)| is_picture(name) && small(bytes));
    let mut out: Vec<_> = files.map(|(name, bytes)| Seed::new(name, bytes.clone())).collect();
    // 24-bit BMP, and run-length encoded TGA.
    let bmp: [&[u8]; 3] = [
        b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0",
        &[0; 24],
        &[1, 2, 3, 0],
    ];
    out.push(Seed::new("tiny.bmp", bmp.concat()));
    out.push(Seed::new("tiny.tga", b"\0\0\x0a\0\0\0\0\0\0\0\0\0\x02\0\x01\0\x18\0\x81\x01\x02\x03".to_vec()));
    out
}

/// The scripts of the sample map: as bytes and as each kind of text.
pub(crate) fn scripts() -> Vec<Seed> {
    let mut sink = MemorySink::new();
    antiquary::redguard::sample::write(&mut sink).expect("the sample can be written");
    let mut out = Vec::new();
    for (path, bytes) in sink.files().iter().filter(|(path, _)| path.ends_with(".RGM")) {
        let map = antiquary::redguard::map::Map::read(bytes).expect("the sample can be read");
        let sections = map.object_sections();
        for (number, object) in map.objects().iter().enumerate() {
            let Some(code) = sections.script(object).filter(|code| !code.is_empty()) else { continue };
            let script = Script::read(code, object.script_start, Operands::Engine);
            let texts = with_surroundings(|around| {
                let (mm, _) = script.mm_text(around, &ActorFacts::default());
                [script.text(around), script.structured_text(around), mm].map(|it| it.text)
            });
            let name = format!("{path}-{number}");
            out.push(Seed::new(&name, code.to_vec()));
            for (kind, text) in ["flat", "structured", "mm"].into_iter().zip(texts) {
                out.push(Seed::new(&format!("{name}.{kind}"), text.into_bytes()));
            }
        }
    }
    let blocks = b"loop {\nif var0 = 1 {\nbreak\n} else if var0 = 2 {\ncontinue\n} else {\nwhile ++var1 < 3 {\nyield\n}\n}\n}\n";
    out.push(Seed::new("blocks.structured", blocks.to_vec()));
    out
}

/// The scripts of the sample map in pairs, with names and host answers.
pub(crate) fn runs() -> Vec<Seed> {
    const NAMES: &[u8] = b"[functions]\ntask Wait parms 1\nfunction SetGlobalFlag parms 1\nfunction Rnd parms 1\nfunction Query parms 2\n\
        multitask Slow parms 1\n[refs]\npos.vx\ntorch_timer\n[flags]\nBOOL Door 0\nCOUNTER Count 3\nFLIPFLOP Lamp 1\n";
    const HOST: &[u8] =
        br#"{"results":{"Wait":[1,1,0]},"queries":{"Query":[9000,400]},"frame_scale":[256,200],"default":1,
        "start":{"script_rv":3,"flags":{"Door":{"value":1,"latch":1}},"properties":{"me.torch_timer":300}}}"#;
    // Only bytecode: the names of texts end with their kind.
    let is_code = |seed: &Seed| seed.name.ends_with(|it: char| it.is_ascii_digit());
    let codes: Vec<_> = scripts().into_iter().filter(is_code).collect();
    let mut out = Vec::new();
    for (number, pair) in codes.windows(2).enumerate() {
        let [first, second] = pair else { continue };
        let (names, host): (&[u8], &[u8]) = if number % 2 == 0 { (b"", b"{}") } else { (NAMES, HOST) };
        let bytes = join(&[&[0, 0, 7, 3], &first.bytes, &second.bytes, names, host]);
        out.push(Seed::new(&format!("{}-{}", first.name, number), bytes));
    }
    // A task for the other actor, a multitask, a counter and a loop.
    let first = [0x1a, 4, 1, 0, 1, 0, 1, 0x07, 5, 0, 0, 0, 0x01, 5, 0, 1, 0x0a, 0, 0, 0, 0, 0x05, 0, 0, 0, 0];
    let second = [0x0a, 0, 0x0a, 0, 1, 0x07, 1, 0, 0, 0, 0, 0x1e, 3, 0x04, 0, 0, 0, 0, 0x18];
    out.push(Seed::new("tasks", join(&[&[0, 0, 7, 2], &first, &second, NAMES, HOST])));
    out.push(Seed::new("entry", join(&[&[11, 1, 5, 1], &second, &first, NAMES, b""])));
    out
}
