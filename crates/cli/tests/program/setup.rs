//! A folder to work in, and a way to run the program there.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use antiquary::asset::ProductKind;
use antiquary::asset::{FolderSink, Guard};
use antiquary::json::Value;
use antiquary::{CATALOG, Can};

/// A room with nothing in it: it can be read and written, but not seen.
pub(crate) const ROOM: &[u8] = b"\x08\0\0\0RoomMesh\0\0\0\0\0\0\0\0\0\0\0\0\x03\0\0\0EOF";

/// A room with a triangle whose texture is nowhere to be found.
pub(crate) fn room_without_its_texture() -> Vec<u8> {
    let mut out = b"\x08\0\0\0RoomMesh\x01\0\0\0\0\x01\x08\0\0\0gone.jpg\x03\0\0\0".to_vec();
    for position in [[0.0_f32, 0.0, 0.0], [256.0, 0.0, 0.0], [0.0, 256.0, 0.0]] {
        out.extend(position.into_iter().flat_map(f32::to_le_bytes));
        out.extend([0; 16]);
        out.extend([255; 3]);
    }
    out.extend([1_u32, 0, 1, 2, 0, 0].into_iter().flat_map(u32::to_le_bytes));
    out.extend(b"\x03\0\0\0EOF");
    out
}

/// A room with a surface that has so many corners and no triangles.
pub(crate) fn room_with_corners(count: u32) -> Vec<u8> {
    let mut out = b"\x08\0\0\0RoomMesh\x01\0\0\0\0\x01\x08\0\0\0gone.jpg".to_vec();
    out.extend(count.to_le_bytes());
    out.extend((0..count).flat_map(|_| [0; 31]));
    out.extend([0; 12]);
    out.extend(b"\x03\0\0\0EOF");
    out
}

/// A temporary folder in which the program is run.
pub(crate) struct Place(tempfile::TempDir);

/// What came of a run.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl fmt::Debug for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let out = String::from_utf8_lossy(&self.out);
        write!(f, "exit code {}\n--- out\n{out}\n--- err\n{}", self.code, self.err)
    }
}

impl Ran {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        antiquary::json::from_slice(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The same run, if it ended so.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }
}

impl Place {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Self {
        let place = Self::new();
        for (name, bytes) in files {
            place.put(name, bytes);
        }
        place
    }

    /// A folder with the sample game in `game/`, and a file of it that becomes a scene.
    pub(crate) fn with_sample() -> (Self, String) {
        let place = Self::new();
        let mut sink = FolderSink::new(place.path(""), Guard::default().into());
        antiquary::sample::write(CATALOG, &mut sink).unwrap();
        sink.finish().unwrap();
        let game = CATALOG.games()[0].id;
        fs::rename(place.path(game), place.path("game")).unwrap();
        // Files of the first such format: others become scenes, too.
        let becomes_scene =
            |format: &&&antiquary::asset::Format| format.makes(ProductKind::Scene) && format.can(Can::Import);
        let format = CATALOG.games()[0].formats.iter().find(becomes_scene).expect("a format of scenes");
        let file = place.files().into_iter().find(|name| {
            let source = antiquary::Source::open(&place.path(name)).unwrap();
            antiquary::detect(&source, Some(name)).unwrap().is_some_and(|found| found.format.id == format.id)
        });
        (place, file.expect("the sample has a scene"))
    }

    /// A folder with the sample games, each in a folder that is named by its id.
    pub(crate) fn with_games() -> Self {
        let place = Self::new();
        let mut sink = FolderSink::new(place.path(""), Guard::default().into());
        antiquary::sample::write(CATALOG, &mut sink).unwrap();
        sink.finish().unwrap();
        place
    }

    /// Another folder with the same files.
    pub(crate) fn copied(&self) -> Self {
        let copy = Self::new();
        for name in self.files() {
            copy.put(&name, &self.read(&name));
        }
        copy
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Every file in the folder, in order, with `/`.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut out = Vec::new();
        walk(self.0.path(), self.0.path(), &mut out);
        out.sort();
        out
    }

    /// The program, to be run in the folder.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_antiquary"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Ran {
        ran(self.command(arguments))
    }

    /// Runs it with this on standard input.
    pub(crate) fn feed(&self, input: &[u8], arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that refuses its command line does not read what it is fed.
        let _ = child.stdin.take().unwrap().write_all(input);
        finished(child.wait_with_output().unwrap())
    }
}

pub(crate) fn ran(mut command: Command) -> Ran {
    finished(command.output().unwrap())
}

fn finished(output: std::process::Output) -> Ran {
    Ran {
        code: output.status.code().expect("it was not killed"),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn walk(root: &Path, folder: &Path, out: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            walk(root, &entry.path(), out);
        } else {
            let path = entry.path().strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            out.push(path);
        }
    }
}
