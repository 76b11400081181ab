//! Answers what a page asks about games: the core of `antiquary view`, without sockets; threads are those of the library, which looks through whole games with several.
//!
//! A [`Request`] goes in, a [`Response`] comes out; the server, a worker in a browser and the tests are thin shells around
//! [`Explorer::answer`]. Everything is decoded when it is asked for and kept within a budget of bytes. A file that changes on disk is read again, and what
//! was made with it (a scene with its textures) is made anew. The requests are described in the book,
//! in "Requests of the explorer".
//!
//! ```no_run
//! use antiquary::asset::Links;
//! use antiquary_explorer::{Explorer, Request};
//!
//! let explorer = Explorer::open(antiquary::CATALOG, &["games".into()], Links::Inside)?;
//! let answer = explorer.answer(&Request::new("session", ""));
//! assert_eq!(answer.status, 200);
//! # Ok::<(), antiquary::Error>(())
//! ```
//!
//! # Glossary
//!
//! | word | meaning |
//! | --- | --- |
//! | root | a folder or an archive that was opened: the first name of every path |
//! | entry | what a path leads to: a folder, a file, an archive |
//! | view | a way to see a file, whatever its format: scene, image, table, fields |
//! | item | one of several products of one kind that a file becomes |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod asset;
mod cache;
mod compare;
mod entry;
mod fault;
mod file;
mod find;
mod game;
mod item;
mod kind;
mod link;
mod output;
mod query;
mod response;
mod root;
mod session;
mod stamp;
mod state;
#[cfg(test)]
mod tests;
mod tree;
mod view;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use antiquary::asset::Links;
use antiquary::render::Textures;
use antiquary::{Catalog, Error, Source};
use percent_encoding::percent_decode_str;

use cache::Cache;
use fault::Fault;
use query::Query;
pub use response::{Body, LINES, Response};
use root::Root;
use state::States;

/// What is kept of decoded files, in bytes, for the games that are open and for the answers made of them.
const BUDGET: u64 = 40 << 20;

/// What a page asks.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What stands behind `api/`, each name percent-encoded: `asset/GAME/MAPS/ISLAND.MAP`.
    pub path: &'a str,
    /// What stands behind the question mark.
    pub query: &'a str,
    /// Becomes true when nobody waits for the answer any longer: work on many files ends then.
    pub cancelled: &'a AtomicBool,
}

/// Whoever asks this waits for the answer.
static WAITING: AtomicBool = AtomicBool::new(false);

impl<'a> Request<'a> {
    /// A request whose answer is waited for.
    #[must_use]
    pub fn new(path: &'a str, query: &'a str) -> Self {
        Self { path, query, cancelled: &WAITING }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// The games and archives that are open, and what is kept of them.
pub struct Explorer {
    catalog: Catalog,
    roots: Vec<Root>,
    cache: Cache,
    states: States,
    textures: Textures,
}

impl Explorer {
    /// Opens folders and archives; a file that is no archive opens its folder. `links` are the symbolic links in folders that are followed.
    ///
    /// # Errors
    /// When one does not exist or cannot be read.
    pub fn open(catalog: Catalog, paths: &[PathBuf], links: Links) -> Result<Self, Error> {
        Ok(Self::of_roots(catalog, root::open_all(catalog, paths, links)?))
    }

    /// Shows files in memory as one folder: for browsers without a server, and for tests.
    ///
    /// # Errors
    /// When a path leads out of the folder or occurs twice.
    pub fn of_files(catalog: Catalog, name: &str, files: Vec<(String, Source)>) -> Result<Self, Error> {
        Ok(Self::of_roots(catalog, vec![root::in_memory(name, files)?]))
    }

    fn of_roots(catalog: Catalog, roots: Vec<Root>) -> Self {
        Self { catalog, roots, cache: Cache::new(BUDGET), states: States::new(), textures: Textures::new() }
    }

    /// The paths, as requests have them, of the files that were named themselves.
    pub fn named_files(&self) -> impl Iterator<Item = String> {
        self.roots.iter().filter_map(|root| Some(format!("{}/{}", root.name, root.file.as_deref()?)))
    }

    /// Answers a request. Whatever is wrong with it, or with a file, is an answer too.
    pub fn answer(&self, request: &Request<'_>) -> Response {
        self.try_answer(request).unwrap_or_else(|fault| Response::of_fault(&fault))
    }

    /// Answers a request whose answer grows while it is made, `find`: each part is given as soon as it is there, and the answer is what comes behind
    /// them: nothing. Any other request, and one that fails, has no parts, and the whole answer is the return value.
    pub fn answer_in_parts(&self, request: &Request<'_>, part: &(dyn Fn(Vec<u8>) + Sync)) -> Response {
        if request.path != "find" {
            return self.answer(request);
        }
        match self.find_in_parts(&Query::parse(request.query), request, part) {
            Ok(()) => Response::bytes(LINES, Vec::new()),
            Err(fault) => Response::of_fault(&fault),
        }
    }

    fn try_answer(&self, request: &Request<'_>) -> Result<Response, Fault> {
        let query = Query::parse(request.query);
        let (what, rest) = request.path.split_once('/').unwrap_or((request.path, ""));
        let path = percent_decode_str(rest).decode_utf8();
        let path = path.map_err(|_| Fault::request("the path is not UTF-8"))?;
        match what {
            "session" => self.session(request),
            "tree" => self.tree(&query),
            "names" => self.names(request),
            "kinds" => self.kinds(request),
            "states" => self.states(&query, request),
            "asset" => self.asset(&path),
            "items" => self.items(&path, &query),
            "links" => self.links(&path, &query),
            "view" => self.view(&path, &query),
            "output" => self.output(&path, &query),
            "raw" => self.raw(&path),
            "diff" => self.compare(&query),
            "find" => self.find(&query, request),
            _ => Err(Fault::missing(format!("there is no request \"{what}\""))),
        }
    }
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let roots: Vec<_> = self.roots.iter().map(|root| &root.name).collect();
        write!(f, "Explorer({roots:?})")
    }
}
