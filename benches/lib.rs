//! Benchmarks, reported as ratios measured in one run.
//!
//! The benchmarks run under criterion. The ratios are computed from criterion's estimates, so they match the times that it prints.
//! `cargo xtask bench` collects the [`Measures`] of all benchmarks in a table.

pub mod retail;

use std::path::{Path, PathBuf};

use antiquary::json::{Value, json};
use criterion::Criterion;

/// Criterion with a small number of samples, so that all benchmarks take minutes rather than hours.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default().sample_size(20).configure_from_args()
}

/// The results of a benchmark program, written as one JSON file.
#[derive(Debug, Default)]
pub struct Measures(Vec<Value>);

impl Measures {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value with its unit.
    pub fn add(&mut self, name: &str, value: f64, unit: &str) {
        self.0.push(json!({ "name": name, "value": value, "unit": unit }));
    }

    /// Adds a value whose goal is to reach `least`.
    pub fn add_with_goal(&mut self, name: &str, value: f64, unit: &str, least: f64) {
        self.0.push(json!({ "name": name, "value": value, "unit": unit, "least": least }));
    }

    /// Adds a duration with that of an alternative.
    pub fn compare(&mut self, name: &str, it: &Comparison<'_>) {
        let Comparison { seconds, peer, peer_seconds, memory, bytes } = it;
        self.0.push(json!({
            "name": name, "value": seconds, "unit": "s", "peer": peer, "peer_value": peer_seconds, "memory": memory, "bytes": bytes,
        }));
    }

    /// Writes the file into the folder given by `ANTIQUARY_BENCH`, unless the variable is not set or there are no results.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn write(&self, program: &str) {
        let Some(folder) = std::env::var_os("ANTIQUARY_BENCH") else { return };
        if !self.0.is_empty() {
            let json = serde_json::to_vec_pretty(&self.0).expect("measures are plain numbers");
            std::fs::write(PathBuf::from(folder).join(format!("{program}.json")), json)
                .expect("measures are written");
        }
    }
}

/// The resources that the program used, and the duration of an alternative in the same run of the benchmarks.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// Duration of the program, in seconds.
    pub seconds: f64,
    /// Name of the alternative.
    pub peer: &'a str,
    /// Duration of the alternative, in seconds.
    pub peer_seconds: f64,
    /// Peak memory of the program, in bytes.
    pub memory: u64,
    /// Number of bytes that the program wrote.
    pub bytes: u64,
}

/// The mean duration of a benchmark in seconds, as estimated by criterion in this run; `None` if a filter excluded it.
#[must_use]
pub fn seconds(group: &str, name: &str) -> Option<f64> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target")), PathBuf::from);
    let path = target.join("criterion").join(group).join(name).join("new/estimates.json");
    let estimates: Value = antiquary::json::from_slice(&std::fs::read(path).ok()?).ok()?;
    estimates.get("mean")?.get("point_estimate")?.as_f64().map(|nanoseconds| nanoseconds / 1e9)
}

/// Copies a folder. Returns the number of bytes copied.
///
/// # Panics
/// If a file cannot be copied.
#[must_use]
pub fn copy(from: &Path, to: &Path) -> u64 {
    std::fs::create_dir_all(to).expect("the folder can be created");
    let mut bytes = 0;
    for entry in std::fs::read_dir(from).expect("the folder can be listed") {
        let entry = entry.expect("the folder can be listed");
        let (path, copy_to) = (entry.path(), to.join(entry.file_name()));
        bytes += if path.is_dir() {
            copy(&path, &copy_to)
        } else {
            std::fs::copy(&path, &copy_to).expect("a file can be copied")
        };
    }
    bytes
}
