//! The typed file of every format is available from an opened file, by its public type.

use std::collections::BTreeSet;

use antiquary::asset::MemorySink;
use antiquary::media::{anm::Anm, dds::Surface, lbm::Lbm, pcx::Pcx};
use antiquary::media::{ogg::Ogg, wav::Wav};
use antiquary::ragnarok::{grf::Grf, rsm::Rsm};
use antiquary::redguard::ai::AiFile;
use antiquary::redguard::film::Film;
use antiquary::redguard::map::Map;
use antiquary::redguard::model::{Model, rob::Rob};
use antiquary::redguard::picture::{
    bsi::Bsi, gxa::Gxa, palette::Palette, shade::ShadeTable, texbsi::Bank, texture::TextureSet,
};
use antiquary::redguard::settings::{cht::Cheats, cpf::Console, def::DefinitionFile, ini::Settings};
use antiquary::redguard::sound::{rtx::OpenDialogue, sfx::SoundBank, timbre::TimbreLibrary};
use antiquary::redguard::{save::Save, terrain::Terrain, text::fnt::Font, visibility::Visibility};
use antiquary::scpcb::cbmap::{self as scpcb, OpenMap};
use antiquary::scpcb::ini::table::{self, Table};
use antiquary::scpcb::ini::{materials::Materials, rooms::Rooms};
use antiquary::scpcb::rmesh::{OtherDialect, RMesh, Rm, RoomMesh2};
use antiquary::scpcb::{b3d::B3d, obj::ObjFile, three_ds::ThreeDs, x::XFile};
use antiquary::{Opened, Source, sample};

/// Checks whether an opened file has the type of its format.
type IsTyped = fn(&Opened) -> bool;

const TYPES: &[(&str, IsTyped)] = &[
    ("audio.ogg", |file| file.typed::<Ogg>().is_some()),
    ("audio.wav", |file| file.typed::<Wav>().is_some()),
    ("paint.anm", |file| file.typed::<Anm>().is_some()),
    ("paint.dds", |file| file.typed::<Surface>().is_some()),
    ("paint.lbm", |file| file.typed::<Lbm>().is_some()),
    ("paint.pcx", |file| file.typed::<Pcx>().is_some()),
    ("paint.smk", |file| file.typed::<Film>().is_some()),
    ("ragnarok.grf", |file| file.typed::<Grf>().is_some()),
    ("ragnarok.rsm", |file| file.typed::<Rsm>().is_some()),
    ("redguard.3d", |file| file.typed::<Model>().is_some()),
    ("redguard.ai", |file| file.typed::<AiFile>().is_some()),
    ("redguard.bsi", |file| file.typed::<Bsi>().is_some()),
    ("redguard.cht", |file| file.typed::<Cheats>().is_some()),
    ("redguard.col", |file| file.typed::<Palette>().is_some()),
    ("redguard.cpf", |file| file.typed::<Console>().is_some()),
    ("redguard.def", |file| file.typed::<DefinitionFile>().is_some()),
    ("redguard.fnt", |file| file.typed::<Font>().is_some()),
    ("redguard.gxa", |file| file.typed::<Gxa>().is_some()),
    ("redguard.ini", |file| file.typed::<Settings>().is_some()),
    ("redguard.pvo", |file| file.typed::<Visibility>().is_some()),
    ("redguard.wld", |file| file.typed::<Terrain>().is_some()),
    ("redguard.rgm", |file| file.typed::<Map>().is_some()),
    ("redguard.rob", |file| file.typed::<Rob>().is_some()),
    ("redguard.rtx", |file| file.typed::<OpenDialogue>().is_some()),
    ("redguard.save", |file| file.typed::<Save>().is_some()),
    ("redguard.sfx", |file| file.typed::<SoundBank>().is_some()),
    ("redguard.shade", |file| file.typed::<ShadeTable>().is_some()),
    ("redguard.texbsi", |file| file.typed::<Bank>().is_some()),
    ("redguard.texture", |file| file.typed::<TextureSet>().is_some()),
    ("redguard.timbres", |file| file.typed::<TimbreLibrary>().is_some()),
    ("scpcb.3ds", |file| file.typed::<ThreeDs>().is_some()),
    ("scpcb.b3d", |file| file.typed::<B3d>().is_some()),
    ("scpcb.cbmap", |file| {
        file.typed::<OpenMap<scpcb::Map>>().is_some() || file.typed::<OpenMap<scpcb::OldMap>>().is_some()
    }),
    ("scpcb.achievements", |file| file.typed::<Table<table::Achievements>>().is_some()),
    ("scpcb.chunks", |file| file.typed::<Table<table::Chunks>>().is_some()),
    ("scpcb.events", |file| file.typed::<Table<table::Events>>().is_some()),
    ("scpcb.loadingscreens", |file| file.typed::<Table<table::LoadingScreens>>().is_some()),
    ("scpcb.npcbones", |file| file.typed::<Table<table::NpcBones>>().is_some()),
    ("scpcb.npcs", |file| file.typed::<Table<table::Npcs>>().is_some()),
    ("scpcb.options", |file| file.typed::<Table<table::GameOptions>>().is_some()),
    ("scpcb.scp294", |file| file.typed::<Table<table::Drinks>>().is_some()),
    ("scpcb.materials", |file| file.typed::<Materials>().is_some()),
    ("scpcb.obj", |file| file.typed::<ObjFile>().is_some()),
    ("scpcb.rmesh", |file| {
        file.typed::<RMesh>().is_some()
            || file.typed::<OtherDialect<Rm>>().is_some()
            || file.typed::<OtherDialect<RoomMesh2>>().is_some()
    }),
    ("scpcb.rooms", |file| file.typed::<Rooms>().is_some()),
    ("scpcb.save", |file| file.typed::<antiquary::scpcb::save::Save>().is_some()),
    ("scpcb.x", |file| file.typed::<XFile>().is_some()),
];

#[test]
fn the_typed_file_of_every_format_is_available() {
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    let mut seen = BTreeSet::new();
    for (path, bytes) in sink.files() {
        let opened = antiquary::CATALOG.open_source(Source::from(bytes.to_vec()), Some(path)).unwrap();
        let id = opened.format.id;
        let known = TYPES.iter().find(|(known, _)| *known == id);
        let (_, is_typed) = known.unwrap_or_else(|| panic!("no type is listed for {id}"));
        assert!(is_typed(&opened), "{path}");
        seen.insert(id);
    }
    let formats: BTreeSet<_> = antiquary::formats().map(|format| format.id).collect();
    assert_eq!(seen, formats);
}
