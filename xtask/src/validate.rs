//! Converts the sample games and the corpus, and validates all scenes with the Khronos validator.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::catalog::{self, list, word};
use crate::command::{antiquary, can_run, output, run};
use crate::step::{Steps, Verdict, passed_with, skipped};
use crate::{Result, corpus, demo, paths, tool};

/// Adds the steps that convert and validate all games. The program must already be built.
pub(crate) fn steps(steps: &mut Steps) {
    let folder = paths::target().join("validate");
    steps.run("convert the sample", || {
        paths::empty_folder(&folder)?;
        convert_sample(&folder)
    });
    steps.run("convert the corpus", || convert_corpus(&folder.join("corpus")));
    steps.run("validate", || validate(&folder));
}

/// Converts the sample games to GLB, as the demo does, and to glTF with separate files, and writes a scene that uses every feature.
fn convert_sample(folder: &Path) -> Result<Verdict> {
    let sample = folder.join("sample");
    demo::make(&sample)?;
    for game in demo::games(&sample)? {
        let to = folder.join("gltf").join(game.file_name().unwrap_or_default());
        run(antiquary().arg("convert").arg(&game).arg("-o").arg(to).args(["--to", "gltf"]))?;
    }
    run(Command::new(paths::every_feature()).arg(folder.join("every_feature")))?;
    passed_with(format!("{} scenes", scenes(folder)?.len()))
}

fn convert_corpus(folder: &Path) -> Result<Verdict> {
    let Some(corpus) = corpus::find()? else { return skipped(corpus::missing()) };
    let formats = catalog::formats()?;
    let mut notes = Vec::new();
    for game in corpus::GAMES {
        // Formats without a game count only if the folder contains such files.
        let found = catalog::recognized(&inputs(&corpus.join(game.folder), game))?;
        let occurs = |id: &str| found.iter().any(|(found, _)| found == id);
        let of_game = formats.iter().filter(|format| match &format.game {
            Some(id) => id == game.id,
            None => occurs(&format.id),
        });
        let ways: BTreeSet<_> = of_game.flat_map(|format| &format.ways).map(|way| way.to_vec()).collect();
        for way in [Vec::new()].into_iter().chain(ways) {
            let name = [vec![game.folder.to_owned()], way.clone()].concat();
            let to = folder.join(name.join(" "));
            let note = convert_game(&corpus.join(game.folder), &to, &way, game)?;
            notes.push(format!("{}: {note}", name.join(" ")));
        }
    }
    passed_with(notes.join("; "))
}

/// Converts an entire game. Empty files may fail, malformed ones must, and no others may.
fn convert_game(from: &Path, to: &Path, way: &[String], game: &corpus::Game) -> Result<String> {
    let answer = output(
        antiquary()
            .arg("convert")
            .args(inputs(from, game))
            .arg("-o")
            .arg(to)
            .args(way)
            .args(["--json", "--no-gallery"]),
    )?;
    let document: Value = serde_json::from_slice(&answer.stdout)
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&answer.stderr).trim()))?;
    let results = list(&document, "results")?;
    let (converted, failed): (Vec<_>, Vec<_>) = results.iter().partition(|result| is_true(result, "ok"));
    let should_convert = |result: &&Value| length(result) != Some(0) && !is_malformed(result, game);
    let unexpected: Vec<_> =
        failed.iter().filter(|result| should_convert(result)).map(|result| named(result)).collect();
    if !unexpected.is_empty() {
        return Err(format!("{} files failed:\n  {}", unexpected.len(), unexpected.join("\n  ")).into());
    }
    let accepted: Vec<_> =
        converted.iter().filter(|result| is_malformed(result, game)).map(|result| named(result)).collect();
    if !accepted.is_empty() {
        return Err(format!(
            "{} malformed files were converted without an error:\n  {}",
            accepted.len(),
            accepted.join("\n  ")
        )
        .into());
    }
    let found = scenes(to)?.len();
    if found < game.scenes {
        return Err(format!("{found} scenes were written, expected at least {}", game.scenes).into());
    }
    Ok(format!("{} converted, {} empty or malformed", converted.len(), failed.len()))
}

/// The files and folders of a game to convert.
fn inputs(from: &Path, game: &corpus::Game) -> Vec<PathBuf> {
    match game.inputs {
        [] => vec![from.to_owned()],
        inputs => inputs.iter().map(|input| from.join(input)).collect(),
    }
}

/// Whether the file is malformed, according to its name.
fn is_malformed(result: &Value, game: &corpus::Game) -> bool {
    let input = word(result, "input").unwrap_or_default();
    let name = input.rsplit(['/', '\\']).next().unwrap_or_default();
    game.refused.iter().any(|start| name.starts_with(start))
}

fn is_true(result: &Value, name: &str) -> bool {
    result.get(name).and_then(Value::as_bool) == Some(true)
}

fn length(result: &Value) -> Option<u64> {
    result.get("length").and_then(Value::as_u64)
}

fn named(result: &Value) -> String {
    let input = word(result, "input").unwrap_or_default();
    let message = result.get("error").and_then(|error| word(error, "message").ok()).unwrap_or_default();
    format!("{input}: {message}")
}

/// Runs the Khronos validator over every scene below the folder.
fn validate(folder: &Path) -> Result<Verdict> {
    if !can_run("node") && !paths::is_ci() {
        return skipped("Node.js was not found, so no scene was validated: install it (https://nodejs.org)");
    }
    let count = scenes(folder)?.len();
    let runner = tool::validator()?;
    run(Command::new("node").arg(runner).arg(folder))?;
    passed_with(format!("{count} scenes without errors or warnings"))
}

fn scenes(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(paths::files_recursive(folder, |path| matches!(paths::extension(path).as_str(), "glb" | "gltf"))?)
}
