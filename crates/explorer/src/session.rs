//! The session: the open roots, and the games and formats of the program.

use antiquary::{Format, GAMES, GameInfo};
use serde::Serialize;

use crate::kind::{self, FileKind};
use crate::{Explorer, Fault, Request, Response, tree, view};

#[derive(Serialize)]
struct Session {
    program: &'static str,
    roots: Vec<OpenRoot>,
    games: Vec<NamedGame>,
    formats: Vec<KnownFormat>,
    kinds: Vec<FileKind>,
    limits: Limits,
}

#[derive(Serialize)]
struct OpenRoot {
    name: String,
    path: String,
    game: Option<&'static str>,
    game_name: Option<&'static str>,
    files: usize,
    file: Option<String>,
}

#[derive(Serialize)]
struct NamedGame {
    id: &'static str,
    name: &'static str,
}

#[derive(Serialize)]
struct KnownFormat {
    id: &'static str,
    name: &'static str,
    game: Option<&'static str>,
    extensions: &'static [&'static str],
    views: Vec<&'static str>,
}

#[derive(Serialize)]
struct Limits {
    count: usize,
    bytes: u64,
    rows: usize,
}

impl Explorer {
    pub(crate) fn session(&self, request: &Request<'_>) -> Result<Response, Fault> {
        let mut files = vec![0_usize; self.roots.len()];
        self.each_file(request, &mut |folder, inside| {
            let root = self.roots.iter().position(|root| root.name == folder.root.name);
            if let Some(root) = root {
                files[root] += inside.len();
            }
        });
        let roots = self.roots.iter().zip(files).map(|(root, files)| OpenRoot {
            name: root.name.clone(),
            path: root.path.display().to_string(),
            game: root.game.map(|game| game.id),
            game_name: root.game.map(|game| game.name),
            files,
            file: root.file.as_ref().map(|file| format!("{}/{file}", root.name)),
        });
        let game = |game: &&GameInfo| NamedGame { id: game.id, name: game.name };
        Response::json(&Session {
            program: concat!("antiquary ", env!("CARGO_PKG_VERSION")),
            roots: roots.collect(),
            games: GAMES.iter().map(game).collect(),
            formats: self.catalog.formats().map(known).collect(),
            kinds: kind::kinds_of(self.catalog),
            limits: Limits { count: tree::COUNT, bytes: view::BYTES, rows: view::ROWS },
        })
    }
}

fn known(format: &'static Format) -> KnownFormat {
    let views = view::kinds_of(format).into_iter().map(|kind| kind.name()).collect();
    KnownFormat { id: format.id, name: format.name, game: format.game, extensions: format.extensions, views }
}
