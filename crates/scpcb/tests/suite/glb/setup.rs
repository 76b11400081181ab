//! A game folder with a room, and its conversion.

use std::path::{Path, PathBuf};

use antiquary_scpcb::rmesh::{FORMAT, RMesh, Surface, TextureKind, TextureSlot, Vertex};
use asset::{Context, FolderSink, Guard, Install, MemorySink, Options, Overwrite, Report, Sink, Target};
use json::Value;
use scene::image::{Rgba8, encode_png};

static GAMES: &[&asset::GameInfo] = &[&antiquary_scpcb::GAME];

/// A game folder in the system's temporary folder, removed on drop.
pub(crate) struct Game {
    folder: PathBuf,
}

impl Game {
    /// Creates these files in `game/`, next to a file that must not be accessible for a room.
    pub(crate) fn new(name: &str, files: &[(&str, Vec<u8>)]) -> Self {
        let folder = std::env::temp_dir().join(format!("antiquary-{name}-{}", std::process::id()));
        let mut sink = FolderSink::new(&folder, Guard::new(Overwrite::Allow).into());
        sink.put("secret.png", &image_bytes()).unwrap();
        sink.put("game/GFX/map/room.rmesh", b"here").unwrap();
        for (name, bytes) in files {
            sink.put(&format!("game/{name}"), bytes).unwrap();
        }
        sink.finish().unwrap();
        Self { folder }
    }

    /// Returns the room as `.gltf`, and the messages.
    pub(crate) fn convert(&self, room: &RMesh, options: &[(&str, &str)]) -> (Value, Vec<String>) {
        let path = self.folder.join("game/GFX/map/room.rmesh");
        let install = asset::game::install_around(&path, GAMES).unwrap();
        assert!(install.game().is_some());
        convert(room, &install, Some(&path), options)
    }

    /// Returns the room as `.glb`.
    pub(crate) fn glb(&self, room: &RMesh, options: &[(&str, &str)]) -> Vec<u8> {
        let path = self.folder.join("game/GFX/map/room.rmesh");
        let install = asset::game::install_around(&path, GAMES).unwrap();
        let (sink, _) = converted(room, &install, Some(&path), "glb", options);
        sink.get("room.glb").unwrap().to_vec()
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn convert(
    room: &RMesh,
    install: &Install,
    path: Option<&Path>,
    options: &[(&str, &str)],
) -> (Value, Vec<String>) {
    let (sink, report) = converted(room, install, path, "gltf", options);
    for (name, _) in sink.files() {
        assert!(!name.contains(['/', '\\']), "{name} leaves the folder");
    }
    let messages = report.iter().map(|warning| format!("{} {}", warning.code.id, warning.message)).collect();
    (json::from_slice(sink.get("room.gltf").unwrap()).unwrap(), messages)
}

fn converted(
    room: &RMesh,
    install: &Install,
    path: Option<&Path>,
    extension: &str,
    options: &[(&str, &str)],
) -> (MemorySink, Report) {
    let given: Vec<_> =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let context =
        Context { install, location: path.and_then(|path| install.location_of(path)), options: &options };
    let target = Target::new("room", 1.0);
    let (mut sink, mut report) = (MemorySink::new(), Report::new());
    FORMAT.convert(room, extension, &context, target, &mut sink, &mut report).unwrap();
    (sink, report)
}

pub(crate) fn image_bytes() -> Vec<u8> {
    encode_png(&Rgba8::new(2, 2, [[200, 100, 50, 255]; 4].concat()).unwrap())
}

pub(crate) fn slot(kind: TextureKind, name: &str) -> TextureSlot {
    TextureSlot { kind, name: Some(name.into()) }
}

/// Returns a triangle with legs of 256 units.
pub(crate) fn surface(lightmap: TextureSlot, texture: TextureSlot) -> Surface {
    let corner = |position| Vertex { position, color: [51, 255, 0], ..Vertex::default() };
    Surface {
        lightmap,
        texture,
        vertices: vec![corner([0.0; 3]), corner([256.0, 0.0, 0.0]), corner([0.0, 0.0, 512.0])],
        triangles: vec![[0, 1, 2]],
    }
}

pub(crate) fn plain(name: &str) -> Surface {
    surface(slot(TextureKind::OPAQUE, ""), slot(TextureKind::OPAQUE, name))
}

pub(crate) fn room(surfaces: Vec<Surface>) -> RMesh {
    RMesh { surfaces, ..RMesh::new() }
}

pub(crate) fn assert_has(messages: &[String], code: &str, words: &str) {
    assert!(
        messages.iter().any(|message| message.starts_with(code) && message.contains(words)),
        "no {code} with {words:?} in {messages:#?}"
    );
}
