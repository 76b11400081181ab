//! Speed, measured as ratios in one run.
//!
//! A benchmark runs under criterion; what came of it is read back from criterion's own estimates, so that the ratios are those of
//! the times it printed. `cargo xtask bench` collects the [`Measures`] of all benchmarks in a table.

pub mod retail;

use std::path::{Path, PathBuf};

use antiquary::json::{Value, json};
use criterion::Criterion;

/// Criterion with few enough samples that all benchmarks take minutes, not hours.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default().sample_size(20).configure_from_args()
}

/// What a benchmark program found out, written as one JSON file.
#[derive(Debug, Default)]
pub struct Measures(Vec<Value>);

impl Measures {
    /// Nothing found out yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A number with its unit.
    pub fn add(&mut self, name: &str, value: f64, unit: &str) {
        self.0.push(json!({ "name": name, "value": value, "unit": unit }));
    }

    /// A number that is meant to reach `least`.
    pub fn add_with_goal(&mut self, name: &str, value: f64, unit: &str, least: f64) {
        self.0.push(json!({ "name": name, "value": value, "unit": unit, "least": least }));
    }

    /// How long something took, beside what another way of about the same took.
    pub fn compare(&mut self, name: &str, it: &Comparison<'_>) {
        let Comparison { seconds, peer, peer_seconds, memory, bytes } = it;
        self.0.push(json!({
            "name": name, "value": seconds, "unit": "s", "peer": peer, "peer_value": peer_seconds, "memory": memory, "bytes": bytes,
        }));
    }

    /// Writes the file into the folder that `ANTIQUARY_BENCH` names; nothing when it names none, or nothing was measured.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn write(&self, program: &str) {
        let Some(folder) = std::env::var_os("ANTIQUARY_BENCH") else { return };
        if !self.0.is_empty() {
            let json = serde_json::to_vec_pretty(&self.0).expect("measures are plain numbers");
            std::fs::write(PathBuf::from(folder).join(format!("{program}.json")), json)
                .expect("measures are written");
        }
    }
}

/// What a run of the program took, and what another way took in the same run of the benchmarks.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// How long the program took.
    pub seconds: f64,
    /// What the other way is called.
    pub peer: &'a str,
    /// How long that took.
    pub peer_seconds: f64,
    /// The most memory of the program, in bytes.
    pub memory: u64,
    /// What the program wrote.
    pub bytes: u64,
}

/// The mean time of a benchmark in seconds, as criterion estimated it in this run; `None` when it was filtered out.
#[must_use]
pub fn seconds(group: &str, name: &str) -> Option<f64> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target")), PathBuf::from);
    let path = target.join("criterion").join(group).join(name).join("new/estimates.json");
    let estimates: Value = antiquary::json::from_slice(&std::fs::read(path).ok()?).ok()?;
    estimates.get("mean")?.get("point_estimate")?.as_f64().map(|nanoseconds| nanoseconds / 1e9)
}

/// Copies a folder, and tells how many bytes were in it.
///
/// # Panics
/// When something cannot be copied.
#[must_use]
pub fn copy(from: &Path, to: &Path) -> u64 {
    std::fs::create_dir_all(to).expect("a folder can be made");
    let mut bytes = 0;
    for entry in std::fs::read_dir(from).expect("a folder can be listed") {
        let entry = entry.expect("a folder can be listed");
        let (path, copy_to) = (entry.path(), to.join(entry.file_name()));
        bytes += if path.is_dir() {
            copy(&path, &copy_to)
        } else {
            std::fs::copy(&path, &copy_to).expect("a file can be copied")
        };
    }
    bytes
}
