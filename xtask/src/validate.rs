//! Everything that is converted, validated by others: the Khronos validator over all scenes of the sample game and of the corpus.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::catalog::{self, list, word};
use crate::command::{antiquary, is_there, output, run};
use crate::step::{Steps, Verdict, passed_with, skipped};
use crate::{Result, corpus, demo, place, tool};

/// Converts everything there is and validates it. The program must have been built.
pub(crate) fn steps(steps: &mut Steps) {
    let folder = place::target().join("validate");
    steps.run("convert the sample", || {
        place::empty_folder(&folder)?;
        convert_sample(&folder)
    });
    steps.run("convert the corpus", || convert_corpus(&folder.join("corpus")));
    steps.run("validate", || validate(&folder));
}

/// The sample games as the demo converts them and as glTF with files beside it, and a scene that uses every feature.
fn convert_sample(folder: &Path) -> Result<Verdict> {
    let sample = folder.join("sample");
    demo::make(&sample)?;
    for game in demo::games(&sample)? {
        let to = folder.join("gltf").join(game.file_name().unwrap_or_default());
        run(antiquary().arg("convert").arg(&game).arg("-o").arg(to).args(["--to", "gltf"]))?;
    }
    run(Command::new(place::every_feature()).arg(folder.join("every_feature")))?;
    passed_with(format!("{} scenes", scenes(folder)?.len()))
}

fn convert_corpus(folder: &Path) -> Result<Verdict> {
    let Some(corpus) = corpus::find()? else { return skipped(corpus::missing()) };
    let formats = catalog::formats()?;
    let mut notes = Vec::new();
    for game in corpus::GAMES {
        // Formats of no game have options only where such files occur.
        let found = catalog::recognised(&inputs(&corpus.join(game.folder), game))?;
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

/// Converts a whole game. Only empty files may fail, and those made to be refused, which must.
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
    let is_sound = |result: &&Value| length(result) != Some(0) && !is_made_to_fail(result, game);
    let unexpected: Vec<_> =
        failed.iter().filter(|result| is_sound(result)).map(|result| named(result)).collect();
    if !unexpected.is_empty() {
        return Err(format!("{} files failed:\n  {}", unexpected.len(), unexpected.join("\n  ")).into());
    }
    let taken: Vec<_> =
        converted.iter().filter(|result| is_made_to_fail(result, game)).map(|result| named(result)).collect();
    if !taken.is_empty() {
        return Err(
            format!("{} malformed files were converted:\n  {}", taken.len(), taken.join("\n  ")).into()
        );
    }
    let found = scenes(to)?.len();
    if found < game.scenes {
        return Err(format!("{found} scenes were written, at least {} are expected", game.scenes).into());
    }
    Ok(format!("{} converted, {} empty or malformed", converted.len(), failed.len()))
}

/// What is converted of a game's folder.
fn inputs(from: &Path, game: &corpus::Game) -> Vec<PathBuf> {
    match game.inputs {
        [] => vec![from.to_owned()],
        inputs => inputs.iter().map(|input| from.join(input)).collect(),
    }
}

/// Whether the name of the file says that it is malformed.
fn is_made_to_fail(result: &Value, game: &corpus::Game) -> bool {
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
    if !is_there("node") && !place::is_ci() {
        return skipped("Node.js is not there, so no scene was validated: install it (https://nodejs.org)");
    }
    let count = scenes(folder)?.len();
    let runner = tool::validator()?;
    run(Command::new("node").arg(runner).arg(folder))?;
    passed_with(format!("{count} scenes without an error or a warning"))
}

fn scenes(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(place::files_recursive(folder, |path| matches!(place::extension(path).as_str(), "glb" | "gltf"))?)
}
