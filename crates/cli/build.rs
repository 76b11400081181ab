//! Embeds the page of the explorer in the program, if `cargo xtask web` has built it.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The folder of the built page, relative to the manifest.
const PAGE: &str = "../../web/dist";

fn main() -> io::Result<()> {
    let manifest = variable("CARGO_MANIFEST_DIR")?;
    let out = variable("OUT_DIR")?;
    let page = manifest.join(PAGE);
    // The page, or the folder in which it will be built. A folder that does not exist would run this script in each build.
    let watched = page.ancestors().take(2).find(|folder| folder.exists()).unwrap_or(&manifest);
    println!("cargo::rerun-if-changed={}", watched.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    if page.join("index.html").is_file() {
        collect(&page, &page, &mut files)?;
    }
    files.sort();
    let mut text = String::from("/// The files of the page.\nstatic PAGE: &[PageFile] = &[\n");
    for (index, (name, file)) in files.iter().enumerate() {
        let packed = out.join(format!("page-{index}.gz"));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&fs::read(file)?)?;
        fs::write(&packed, encoder.finish()?)?;
        let line = format!("    PageFile {{ name: {name:?}, bytes: include_bytes!({packed:?}) }},");
        writeln!(text, "{line}").map_err(io::Error::other)?;
    }
    text.push_str("];\n");
    fs::write(out.join("page.rs"), text)
}

fn variable(name: &str) -> io::Result<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).ok_or_else(|| io::Error::other(format!("{name} is not set")))
}

/// Collects the files below a folder, each with the name by which the page requests it.
fn collect(page: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(page, &path, files)?;
        } else if let Ok(below) = path.strip_prefix(page) {
            files.push((below.to_string_lossy().replace('\\', "/"), path.clone()));
        }
    }
    Ok(())
}
