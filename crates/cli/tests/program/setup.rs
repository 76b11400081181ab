//! A temporary folder, and functions to run the program in it.

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

/// An empty room: it can be read and written, but has no scene.
pub(crate) const ROOM: &[u8] = b"\x08\0\0\0RoomMesh\0\0\0\0\0\0\0\0\0\0\0\0\x03\0\0\0EOF";

/// A room with a triangle whose texture does not exist.
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

/// A room with one surface that has `count` vertices and no triangles.
pub(crate) fn room_with_vertices(count: u32) -> Vec<u8> {
    let mut out = b"\x08\0\0\0RoomMesh\x01\0\0\0\0\x01\x08\0\0\0gone.jpg".to_vec();
    out.extend(count.to_le_bytes());
    out.extend((0..count).flat_map(|_| [0; 31]));
    out.extend([0; 12]);
    out.extend(b"\x03\0\0\0EOF");
    out
}

/// A temporary folder in which the program is run.
pub(crate) struct Sandbox(tempfile::TempDir);

/// The result of a run.
pub(crate) struct RunOutput {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl fmt::Debug for RunOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let out = String::from_utf8_lossy(&self.out);
        write!(f, "exit code {}\n--- out\n{out}\n--- err\n{}", self.code, self.err)
    }
}

impl RunOutput {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        antiquary::json::from_slice(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts the exit code and returns the result.
    #[track_caller]
    pub(crate) fn exits_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }
}

impl Sandbox {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Self {
        let sandbox = Self::new();
        for (name, bytes) in files {
            sandbox.put(name, bytes);
        }
        sandbox
    }

    /// A folder with the sample game in `game/`, and the path of a file that can be converted to a scene.
    pub(crate) fn with_sample() -> (Self, String) {
        let sandbox = Self::new();
        let mut sink = FolderSink::new(sandbox.path(""), Guard::default().into());
        antiquary::sample::write(CATALOG, &mut sink).unwrap();
        sink.finish().unwrap();
        let game = CATALOG.games()[0].id;
        fs::rename(sandbox.path(game), sandbox.path("game")).unwrap();
        // Takes a file of the first such format, because files of other formats can also be converted to scenes.
        let has_scene =
            |format: &&&antiquary::asset::Format| format.makes(ProductKind::Scene) && format.can(Can::Import);
        let format = CATALOG.games()[0].formats.iter().find(has_scene).expect("a format of scenes");
        let file = sandbox.files().into_iter().find(|name| {
            let source = antiquary::Source::open(&sandbox.path(name)).unwrap();
            antiquary::detect(&source, Some(name)).unwrap().is_some_and(|found| found.format.id == format.id)
        });
        (sandbox, file.expect("the sample has a scene"))
    }

    /// A folder with the sample games, each in a folder named after its id.
    pub(crate) fn with_games() -> Self {
        let sandbox = Self::new();
        let mut sink = FolderSink::new(sandbox.path(""), Guard::default().into());
        antiquary::sample::write(CATALOG, &mut sink).unwrap();
        sink.finish().unwrap();
        sandbox
    }

    /// A copy of the folder.
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

    /// All files in the folder, sorted, with `/` as the separator.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut out = Vec::new();
        walk(self.0.path(), self.0.path(), &mut out);
        out.sort();
        out
    }

    /// The command that runs the program in the folder.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_antiquary"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> RunOutput {
        run_command(self.command(arguments))
    }

    /// Runs the program with this standard input.
    pub(crate) fn feed(&self, input: &[u8], arguments: &[&str]) -> RunOutput {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // If the command line is invalid, the program does not read its input.
        let _ = child.stdin.take().unwrap().write_all(input);
        finished(child.wait_with_output().unwrap())
    }
}

pub(crate) fn run_command(mut command: Command) -> RunOutput {
    finished(command.output().unwrap())
}

fn finished(output: std::process::Output) -> RunOutput {
    RunOutput {
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
