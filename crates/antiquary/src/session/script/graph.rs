//! Call graph and cross-references of the scripts of an entire game.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use asset::Error;
use files::suggest::did_you_mean;
use serde::Serialize;

use crate::run::Outcome;
use crate::script::{KINDS, Reference, Target, references};
use crate::session::{ScriptOptions, Session};

/// Kind of the nodes for routines of scripts.
const ROUTINE: &str = "routine";

/// Kind of the nodes for texts of actors.
const TEXT: &str = "text";

/// The scripts of one or more files, and everything they refer to.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct ScriptGraph {
    /// Nodes, sorted by id.
    pub nodes: Vec<GraphNode>,
    /// Edges, sorted by their endpoints.
    pub edges: Vec<GraphEdge>,
}

/// A routine of a script, or something that scripts refer to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GraphNode {
    /// `MAP/ACTOR` or `MAP/ACTOR:LABEL` for a routine; otherwise `flag:NAME` or similar.
    pub id: String,
    /// `routine`, `flag`, `function` and so on.
    pub kind: &'static str,
    /// Name; for a routine, the name of its actor and its label.
    pub name: String,
    /// File of a routine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// Text spoken with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spoken: Option<String>,
}

/// A reference from a routine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GraphEdge {
    /// Id of the routine.
    pub from: String,
    /// Id of the target.
    pub to: String,
    /// Kind of reference: `call`, `read`, `set`, `says`, `gosub` and so on.
    pub kind: &'static str,
    /// Statements that contain the reference.
    pub places: Vec<GraphStatement>,
}

/// A statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct GraphStatement {
    /// Offset in the script.
    pub at: u32,
    /// Line in the text of the script.
    pub line: Option<usize>,
}

impl Session<'_> {
    /// Returns everything that the scripts of files and games refer to, and the call graph of their routines. With `only`,
    /// the graph is restricted to targets of these kinds. Files of formats without scripts are skipped; the outcomes cover
    /// the other files.
    ///
    /// # Errors
    /// Fails if a game or the definitions cannot be read, or if a kind is unknown.
    pub fn graph_of_scripts(
        &self,
        paths: &[PathBuf],
        options: &ScriptOptions,
        only: &[String],
    ) -> Result<(Vec<Outcome>, ScriptGraph), Error> {
        let kinds: BTreeSet<&str> = KINDS.into_iter().chain([ROUTINE, TEXT]).collect();
        if let Some(kind) = only.iter().find(|kind| !kinds.contains(kind.as_str())) {
            let meant = did_you_mean(kind, kinds.iter().copied());
            let known: Vec<_> = kinds.into_iter().collect();
            let message =
                format!("unknown kind of target \"{kind}\"{meant} (available: {})", known.join(", "));
            return Err(Error::usage(message));
        }
        let is_wanted = |kind: &str| only.is_empty() || only.iter().any(|it| it == kind);
        let found = self.in_each_with_scripts(&self.find_inputs(paths), options, references)?;
        let mut builder = Builder::default();
        let short = |input: &str| {
            Path::new(input)
                .file_name()
                .map_or_else(|| input.to_owned(), |it| it.to_string_lossy().into_owned())
        };
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for (outcome, _) in &found {
            let count = names.entry(short(&outcome.input)).or_default();
            *count = count.saturating_add(1);
        }
        let mut outcomes = Vec::new();
        for (outcome, references) in found {
            // Files of the same name are identified by their paths.
            let name = short(&outcome.input);
            let map =
                if names.get(&name).is_some_and(|count| *count > 1) { outcome.input.clone() } else { name };
            for it in references.unwrap_or_default() {
                builder.add(&map, it, is_wanted);
            }
            outcomes.push(outcome);
        }
        Ok((outcomes, builder.finish()))
    }
}

#[derive(Default)]
struct Builder {
    nodes: BTreeMap<String, GraphNode>,
    edges: BTreeMap<(String, String, &'static str), BTreeSet<GraphStatement>>,
}

impl Builder {
    fn add(&mut self, map: &str, it: Reference, is_wanted: impl Fn(&str) -> bool) {
        let from = routine(map, &it.actor, it.routine.as_deref());
        let to = match it.target {
            Target::Routine(actor, label) => routine(map, &actor, label.as_deref()),
            Target::Shared(kind, name, spoken) => {
                GraphNode { id: format!("{kind}:{name}"), kind, name, map: None, spoken }
            }
            Target::Text(text) => {
                GraphNode { id: format!("{TEXT}:{text}"), kind: TEXT, name: text, map: None, spoken: None }
            }
        };
        if !is_wanted(to.kind) {
            return;
        }
        let key = (from.id.clone(), to.id.clone(), it.kind);
        self.edges.entry(key).or_default().insert(GraphStatement { at: it.at, line: it.line });
        for node in [from, to] {
            self.nodes.entry(node.id.clone()).or_insert(node);
        }
    }

    fn finish(self) -> ScriptGraph {
        let edge = |((from, to, kind), places): (_, BTreeSet<GraphStatement>)| {
            let (from, to) = (from, to);
            GraphEdge { from, to, kind, places: places.into_iter().collect() }
        };
        ScriptGraph {
            nodes: self.nodes.into_values().collect(),
            edges: self.edges.into_iter().map(edge).collect(),
        }
    }
}

fn routine(map: &str, actor: &str, label: Option<&str>) -> GraphNode {
    let name = label.map_or_else(|| actor.to_owned(), |label| format!("{actor}:{label}"));
    GraphNode { id: format!("{map}/{name}"), kind: ROUTINE, name, map: Some(map.to_owned()), spoken: None }
}

impl ScriptGraph {
    /// Converts the graph to the Graphviz language: the routines of each map in a box, surrounded by the targets of their
    /// references.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph scripts {\n    rankdir = LR;\n    node [shape = ellipse];\n");
        let mut maps: BTreeMap<&str, Vec<&GraphNode>> = BTreeMap::new();
        for node in &self.nodes {
            match &node.map {
                Some(map) => maps.entry(map).or_default().push(node),
                None => {
                    let label = match &node.spoken {
                        Some(spoken) => format!("{} {}\n{spoken}", node.kind, node.name),
                        None => format!("{} {}", node.kind, node.name),
                    };
                    let _ = writeln!(out, "    {} [label = {}];", quoted(&node.id), quoted(&label));
                }
            }
        }
        for (index, (map, nodes)) in maps.into_iter().enumerate() {
            let _ = writeln!(out, "    subgraph cluster_{index} {{\n        label = {};", quoted(map));
            for node in nodes {
                let (id, name) = (quoted(&node.id), quoted(&node.name));
                let _ = writeln!(out, "        {id} [label = {name}, shape = box];");
            }
            out.push_str("    }\n");
        }
        for edge in &self.edges {
            let (from, to) = (quoted(&edge.from), quoted(&edge.to));
            let _ = writeln!(out, "    {from} -> {to} [label = {}];", quoted(edge.kind));
        }
        out.push_str("}\n");
        out
    }
}

/// Quotes a string for Graphviz. A backslash begins an escape; control characters are replaced by spaces.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(target: Target, how: &'static str, at: u32) -> Reference {
        Reference { actor: "ONE".to_owned(), routine: None, at, line: Some(2), kind: how, target }
    }

    #[test]
    fn merges_references_of_one_kind_between_two_nodes() {
        let mut builder = Builder::default();
        let flag = || Target::Shared("flag", "A\"\\B".to_owned(), None);
        builder.add("M.RGM", reference(flag(), "set", 9), |_| true);
        builder.add("M.RGM", reference(flag(), "set", 3), |_| true);
        builder.add("M.RGM", reference(flag(), "read", 3), |_| true);
        builder.add("M.RGM", reference(Target::Text("x".to_owned()), "string", 3), |kind| kind == "flag");
        let routine = Target::Routine("ONE".to_owned(), Some("L0009".to_owned()));
        builder.add("M.RGM", reference(routine, "gosub", 4), |_| true);
        let graph = builder.finish();
        let ids: Vec<_> = graph.nodes.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["M.RGM/ONE", "M.RGM/ONE:L0009", "flag:A\"\\B"]);
        let edges: Vec<_> = graph.edges.iter().map(|it| (it.kind, it.places.len())).collect();
        assert_eq!(edges, [("gosub", 1), ("read", 1), ("set", 2)]);
        let dot = graph.dot();
        assert!(dot.contains(r#""M.RGM/ONE" -> "flag:A\"\\B" [label = "set"];"#), "{dot}");
        assert!(dot.contains(r#""M.RGM/ONE" [label = "ONE", shape = box];"#), "{dot}");
    }
}
