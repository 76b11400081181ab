//! Nested chunks as JSON: a flat list of (depth, chunk) in file order.
//!
//! JSON nested as deeply as a skeleton is hard to read, and many programs reject it. So a chunk does not contain its children: they
//! follow it, one level deeper.

use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{SerializeSeq, Serializer};

use super::chunk::{Chunk, MAX_DEPTH};

pub(super) fn serialize<S: Serializer>(chunks: &[Chunk], serializer: S) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(None)?;
    let mut open = vec![chunks.iter()];
    while let Some(level) = open.last_mut() {
        let Some(chunk) = level.next() else {
            open.pop();
            continue;
        };
        list.serialize_element(&(open.len().saturating_sub(1), chunk))?;
        if let Some(within) = chunk.chunks() {
            open.push(within.iter());
        }
    }
    list.end()
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Chunk>, D::Error> {
    deserializer.deserialize_seq(Chunks)
}

struct Chunks;

impl<'de> Visitor<'de> for Chunks {
    type Value = Vec<Chunk>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of [depth, chunk]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Chunk>, A::Error> {
        let mut top = Vec::new();
        let mut open: Vec<Chunk> = Vec::new();
        while let Some((depth, chunk)) = list.next_element::<(usize, Chunk)>()? {
            // A mesh within the deepest node has chunks at this depth.
            if depth > usize::try_from(MAX_DEPTH).unwrap_or(usize::MAX) {
                return Err(A::Error::custom(format!("chunks are nested more than {MAX_DEPTH} levels deep")));
            }
            close(&mut open, &mut top, depth);
            let parent = open.last().map(|parent| (parent.tag(), parent.chunks().is_some()));
            match parent {
                _ if depth > open.len() => {
                    let message = format!("depth {depth} follows depth {}", open.len().saturating_sub(1));
                    return Err(A::Error::custom(message));
                }
                Some((tag, false)) => {
                    return Err(A::Error::custom(format!(
                        "{tag} chunks have no children, but one follows at depth {depth}"
                    )));
                }
                _ => open.push(chunk),
            }
        }
        close(&mut open, &mut top, 0);
        Ok(top)
    }
}

/// Closes open chunks at or below a depth, adding each to its parent.
fn close(open: &mut Vec<Chunk>, top: &mut Vec<Chunk>, depth: usize) {
    while open.len() > depth {
        let Some(chunk) = open.pop() else { return };
        match open.last_mut() {
            None => top.push(chunk),
            Some(parent) => {
                if let Some(chunks) = parent.chunks_mut() {
                    chunks.push(chunk);
                }
            }
        }
    }
}
