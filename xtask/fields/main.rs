//! Prints a section of the book that describes the JSON of each format: the fields of all declarations, with their comments.
//!
//! ```sh
//! cargo run --example fields
//! ```

#![allow(clippy::print_stdout, reason = "this program prints a page")]

mod page;
mod source;

use std::error::Error;
use std::path::Path;

use page::Page;
use source::Declarations;

/// The formats with fields, and the declarations of their records.
const ROOTS: &[(&str, &[&str])] = &[
    ("scpcb.rmesh", &["scpcb::rmesh::RMesh"]),
    ("scpcb.x", &["scpcb::x::XFile", "scpcb::x::source::SourceFile"]),
    ("scpcb.b3d", &["scpcb::b3d::B3d"]),
    ("scpcb.3ds", &["scpcb::three_ds::ThreeDs"]),
    ("scpcb.obj", &["scpcb::obj::ObjFile"]),
    ("scpcb.cbmap", &["scpcb::cbmap::layout::Map"]),
    ("scpcb.save", &["scpcb::save::layout::Save"]),
    ("ragnarok.rsm", &["ragnarok::rsm::Rsm"]),
    ("redguard.col", &["redguard::picture::palette::layout::Palette"]),
    ("redguard.texbsi", &["redguard::picture::texbsi::layout::Bank"]),
    ("redguard.bsi", &["redguard::picture::bsi::Bsi"]),
    ("redguard.gxa", &["redguard::picture::gxa::layout::Gxa"]),
    ("redguard.fnt", &["redguard::text::fnt::layout::Font"]),
    ("redguard.texture", &["redguard::picture::texture::layout::TextureSet"]),
    ("redguard.3d", &["redguard::model::Model"]),
    ("redguard.rob", &["redguard::model::rob::layout::Rob"]),
    ("redguard.rgm", &["redguard::map::assembled::AssembledMap"]),
    ("redguard.wld", &["redguard::terrain::layout::Terrain"]),
    ("redguard.pvo", &["redguard::visibility::layout::Visibility"]),
    ("redguard.ai", &["redguard::ai::layout::AiFile"]),
    ("redguard.sfx", &["redguard::sound::sfx::layout::SoundBank"]),
    ("redguard.rtx", &["redguard::sound::rtx::unpack::Record"]),
    ("redguard.timbres", &["redguard::sound::timbre::layout::TimbreLibrary"]),
    ("redguard.cht", &["redguard::settings::cht::layout::Cheats"]),
    ("redguard.shade", &["redguard::picture::shade::layout::ShadeTable"]),
    ("redguard.save", &["redguard::save::layout::Save"]),
    ("redguard.cpf", &["redguard::settings::cpf::Console"]),
    ("paint.anm", &["media::anm::layout::Anm"]),
    ("paint.lbm", &["media::lbm::layout::Lbm"]),
    ("paint.pcx", &["media::pcx::layout::Pcx"]),
];

/// The crates and the folders of their sources. Items that `redguard` re-exports use its name.
const CRATES: [(&str, &str); 9] = [
    ("record", "record"),
    ("files", "files"),
    ("asset", "asset"),
    ("scene", "scene"),
    ("media", "media"),
    ("scpcb", "scpcb"),
    ("ragnarok", "ragnarok"),
    ("redguard", "redguard-files"),
    ("redguard", "redguard-world"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut declarations = Declarations::default();
    for (name, folder) in CRATES {
        declarations.read(name, &root.join(folder).join("src"))?;
    }
    let mut page = Page::new(&declarations);
    for (format, paths) in ROOTS {
        page.format(format, paths)?;
    }
    print!("{}", page.finish());
    Ok(())
}
