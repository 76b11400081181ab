#![cfg_attr(docsrs, feature(doc_cfg))]
//! Answers a page's requests about games: the core of `antiquary view`, without sockets. Searches of entire games run on the
//! threads of the library.
//!
//! [`Explorer::answer`] maps a [`Request`] to a [`Response`]; the server, the web worker and the tests are thin wrappers
//! around it. Files are decoded on demand, and the results are cached within a budget of bytes. A file that changes on disk
//! is read again, and everything that depends on it (such as a scene and its textures) is rebuilt. The requests are
//! described in the book, in "Requests of the explorer".
//!
//! # Examples
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
//! | root | an opened folder or archive; its name is the first component of every path |
//! | entry | target of a path: a folder, a file, an archive |
//! | view | a way to display a file, independent of its format: scene, image, table, fields |
//! | item | one of several products of the same kind in a file |

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

/// Budget in bytes for decoded files and for answers, shared by all open games.
const BUDGET: u64 = 40 << 20;

/// A request of a page.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Path after `api/`, with each component percent-encoded: `asset/GAME/MAPS/ISLAND.MAP`.
    pub path: &'a str,
    /// Query after the question mark.
    pub query: &'a str,
    /// Set to true to cancel the request; work on many files ends early.
    pub cancelled: &'a AtomicBool,
}

/// Flag of requests that are never canceled.
static WAITING: AtomicBool = AtomicBool::new(false);

impl<'a> Request<'a> {
    /// Creates a request that is never canceled.
    #[must_use]
    pub fn new(path: &'a str, query: &'a str) -> Self {
        Self { path, query, cancelled: &WAITING }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// The open games and archives, with their caches.
pub struct Explorer {
    catalog: Catalog,
    roots: Vec<Root>,
    cache: Cache,
    states: States,
    textures: Textures,
}

impl Explorer {
    /// Opens folders and archives; for any other file, opens its folder. `links` selects the symbolic links in folders that
    /// are followed.
    ///
    /// # Errors
    /// Fails if a path does not exist or cannot be read.
    pub fn open(catalog: Catalog, paths: &[PathBuf], links: Links) -> Result<Self, Error> {
        Ok(Self::of_roots(catalog, root::open_all(catalog, paths, links)?))
    }

    /// Opens files in memory as one folder, for browsers without a server and for tests.
    ///
    /// # Errors
    /// Fails if a path leads out of the folder or occurs twice.
    pub fn of_files(catalog: Catalog, name: &str, files: Vec<(String, Source)>) -> Result<Self, Error> {
        Ok(Self::of_roots(catalog, vec![root::in_memory(name, files)?]))
    }

    fn of_roots(catalog: Catalog, roots: Vec<Root>) -> Self {
        Self { catalog, roots, cache: Cache::new(BUDGET), states: States::new(), textures: Textures::new() }
    }

    /// Iterates over the request paths of the files that were given directly.
    pub fn named_files(&self) -> impl Iterator<Item = String> {
        self.roots.iter().filter_map(|root| Some(format!("{}/{}", root.name, root.file.as_deref()?)))
    }

    /// Answers a request. Errors of the request, or of a file, are answers too.
    pub fn answer(&self, request: &Request<'_>) -> Response {
        self.try_answer(request).unwrap_or_else(|fault| Response::of_fault(&fault))
    }

    /// Answers a request and passes parts of the answer to `part` as soon as they are available. Only the request `find` has
    /// parts, and its return value is then empty. For any other request, and for one that fails, the entire answer is the
    /// return value.
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
            _ => Err(Fault::missing(format!("unknown request \"{what}\""))),
        }
    }
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let roots: Vec<_> = self.roots.iter().map(|root| &root.name).collect();
        write!(f, "Explorer({roots:?})")
    }
}
