//! Memory limits for malicious models: at most 64 MB and eight times the file, for reading, checking and converting.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use antiquary_scpcb::x::{FORMAT, XFile};
use asset::{Asset, Context, Install, MemorySink, Options, Report, Target};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Returns the peak memory of reading, checking and converting, without the file itself.
fn peak(bytes: &[u8]) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut report = Report::new();
    if let Ok(file) = XFile::read(bytes, &mut report) {
        let install = Install::empty();
        let options = Options::defaults(FORMAT.options);
        let context = Context { install: &install, location: None, options: &options };
        file.check(&context, &mut report);
        let target = Target::new("model", 1.0);
        FORMAT.convert(&file, "glb", &context, target, &mut MemorySink::new(), &mut report).unwrap();
    }
    MEMORY.peak_usage() - before
}

fn text(objects: &str) -> Vec<u8> {
    format!("xof 0303txt 0032\n{objects}").into_bytes()
}

/// Returns the file in compressed blocks.
fn zipped(file: &[u8]) -> Vec<u8> {
    let mut out = b"xof 0303tzip0032".to_vec();
    out.extend((file.len() as u32).to_le_bytes());
    for block in file[16..].chunks(32 << 10) {
        let deflated = miniz_oxide::deflate::compress_to_vec(block, 9);
        out.extend((block.len() as u16).to_le_bytes());
        out.extend((deflated.len() as u16 + 2).to_le_bytes());
        out.extend(b"CK");
        out.extend(deflated);
    }
    out
}

#[test]
fn memory_stays_within_eight_times_the_file() {
    let max = 1 << 17;
    let mib = 1 << 20;
    let triangle = "3;0;0;0;1;0;0;0;1;0;1;3;0;1;2;";
    let numbered =
        |count: usize, object: &dyn Fn(usize) -> String| -> String { (0..count).map(object).collect() };
    let list = |count: usize, item: &str| format!("{count};{}", item.repeat(count));
    let bomb = |size: u32| [b"xof 0303tzip0032".as_slice(), &size.to_le_bytes(), &[0; 1000]].concat();
    let files = [
        ("many objects", text(&"a{}".repeat(max))),
        ("many templates of objects", text(&numbered(max, &|number| format!("a{number}{{}}")))),
        ("more objects than allowed", text(&"a{}".repeat(max * 2))),
        ("many frames", text(&"Frame{}".repeat(1 << 15))),
        ("many named frames", text(&numbered(1 << 15, &|number| format!("Frame f{number}{{}}")))),
        ("many meshes", text(&format!("Mesh{{{triangle}}}").repeat(1 << 13))),
        ("many empty meshes", text(&"Mesh{0;0;}".repeat(1 << 13))),
        ("many materials", text(&"Material{1;1;1;1;1;1;1;1;1;1;1;}".repeat(max))),
        (
            "many missing textures",
            text(&numbered(1 << 12, &|number| {
                format!(
                    "Mesh{{{triangle}MeshMaterialList{{1;1;0;Material{{1;1;1;1;1;1;1;1;1;1;1;TextureFilename{{\"{number}\"}}}}}}}}"
                )
            })),
        ),
        ("many instances", text(&format!("Mesh m{{{triangle}}}Frame f{{{}}}", "{m}".repeat(100_000)))),
        ("many vertices", text(&format!("Mesh{{{}0;}}", list(mib, "0;0;0;")))),
        ("many faces", text(&format!("Mesh{{3;0;0;0;1;0;0;0;1;0;{}}}", list(mib, "3;0;1;2;")))),
        ("many empty faces", text(&format!("Mesh{{0;{}}}", list(4 * mib, "0;")))),
        ("a face of many corners", text(&format!("Mesh{{3;0;0;0;1;0;0;0;1;0;1;{}}}", list(2 * mib, "1;")))),
        (
            "a normal for each corner",
            text(&format!(
                "Mesh{{3;0;0;0;1;0;0;0;1;0;1;{}MeshNormals{{{}1;{};{}}}}}",
                list(mib / 4, "1;"),
                list(mib / 4, "0;0;1;"),
                mib / 4,
                numbered(mib / 4, &|number| format!("{number};"))
            )),
        ),
        (
            "many weights",
            text(&format!(
                "Frame b{{Mesh{{{triangle}SkinWeights{{\"b\";{}{}1;}}}}}}",
                list(mib, "1;"),
                "1;".repeat(mib)
            )),
        ),
        (
            "many frames with weights",
            text(&format!(
                "{}Mesh{{{triangle}{}}}",
                numbered(30_000, &|number| format!("Frame f{number}{{}}")),
                numbered(30_000, &|number| format!("SkinWeights{{\"f{number}\";1;0;1;{}}}", "1;".repeat(16)))
            )),
        ),
        (
            "many keys",
            text(&format!(
                "Frame f{{}}AnimationSet{{Animation{{{{f}}AnimationKey{{2;{}}}}}}}",
                list(mib / 2, "9;3;1;2;3;")
            )),
        ),
        ("many sets", text(&"AnimationSet{}".repeat(max))),
        ("unterminated values", text(&format!("Mesh{{{}", "9;".repeat(4 * mib)))),
        ("a name of megabytes", text(&format!("Frame {}{{}}", "n".repeat(8 * mib)))),
        (
            "a string of megabytes",
            text(&format!(
                "Material{{1;1;1;1;1;1;1;1;1;1;1;TextureFilename{{\"{}\"}}}}",
                "n".repeat(8 * mib)
            )),
        ),
        ("a bomb", zipped(&text(&format!("Mesh{{{}0;}}", list(1_390_000, "0;0;0;"))))),
        ("a bomb that is too large", bomb(u32::MAX)),
        ("a truncated bomb", bomb(8 << 20)),
    ];
    for (what, bytes) in files {
        let (peak, allowed) = (peak(&bytes), (64 << 20) + 8 * bytes.len());
        println!("{what}: file {} KB, peak {} KB", bytes.len() >> 10, peak >> 10);
        assert!(peak <= allowed, "{what}: {peak} bytes for a file of {}", bytes.len());
    }
}
